/* Constant data that launches send to a device, which keeps it. */
#ifndef STENO_EXEC_CONSTANT_H
#define STENO_EXEC_CONSTANT_H

#include "exec/device.h"

/* Device memory with these bytes, which may have been sent before; all of them are compared.
 * Release it after its user has been queued. STN_ERR_MEMORY, STN_ERR_DEVICE. */
stn_status stn_device_constant_get(stn_device *device, const char *name, const void *bytes,
                                   size_t size, stn_device_constant **constant, void **memory);

/* NULL is a no-op. */
void stn_device_constant_release(stn_device *device, stn_device_constant *constant);

/* Returns unused constants to the scratch memory; returns whether there were any. */
int stn_device_constants_drop(stn_device *device);

/* The same for a device without users, also in a forked
 * process. */
void stn_device_constants_end(stn_device *device);

#endif
