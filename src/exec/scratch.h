/* Device memory that a launch needs while it runs. The device keeps it between launches, because
 * drivers stop all queues to allocate and release memory. */
#ifndef STENO_EXEC_SCRATCH_H
#define STENO_EXEC_SCRATCH_H

#include "exec/device.h"

struct stn_device_scratch {
    stn_device_scratch *next;
    int64_t bytes;
    void *memory;
};

/* At least this number of bytes, uninitialized. Each thread gets its own. STN_ERR_MEMORY,
 * STN_ERR_DEVICE; STN_ERR_UNSUPPORTED while the device's queue is being captured, because a
 * graph would use the memory after the launch. */
stn_status stn_device_acquire_scratch(stn_device *device, const char *name, int64_t bytes,
                                      stn_device_scratch **scratch);

/* Call this after all users have been queued: later users are queued after them. NULL is a
 * no-op. */
void stn_device_return_scratch(stn_device *device, stn_device_scratch *scratch);

/* Releases unused memory. Returns whether there was any. */
int stn_device_drop_scratch(stn_device *device);

/* The same for a device without users, also in a process that was forked while another thread held
 * the lock. */
void stn_device_end_scratch(stn_device *device);

#endif
