/* Device memory that a launch needs while it runs: kept by the device from one launch to the next,
 * since drivers stop all queues to allocate and release memory. */
#ifndef STENO_EXEC_SCRATCH_H
#define STENO_EXEC_SCRATCH_H

#include "exec/device.h"

struct stn_device_scratch {
    stn_device_scratch *next;
    int64_t bytes;
    void *memory;
};

/* At least so many bytes, uninitialized. Several threads each get their own. STN_ERR_MEMORY,
 * STN_ERR_DEVICE; STN_ERR_UNSUPPORTED while the device's queue is being captured, since a graph
 * would use the memory after the launch. */
stn_status stn_device_take_scratch(stn_device *device, const char *name, int64_t bytes,
                                   stn_device_scratch **scratch);

/* To be called when all that uses it has been queued: a subsequent user is queued later. NULL is a
 * no-op. */
void stn_device_return_scratch(stn_device *device, stn_device_scratch *scratch);

/* Release what no launch holds. Returns whether there was any. */
int stn_device_drop_scratch(stn_device *device);

/* The same for a device without users, also in a process that was forked while another thread held
 * the lock. */
void stn_device_end_scratch(stn_device *device);

#endif
