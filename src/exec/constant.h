/* Bytes that launches send to a device, which keeps them. */
#ifndef STENO_EXEC_CONSTANT_H
#define STENO_EXEC_CONSTANT_H

#include "exec/device.h"

/* Memory of the device's with these bytes, which it may have been sent before: all of them are
 * compared. To be let go when what uses them has been queued. STN_ERR_MEMORY, STN_ERR_DEVICE. */
stn_status stn_device_constant_get(stn_device *device, const char *name, const void *bytes,
                                   size_t size, stn_device_constant **kept, void **memory);

/* Or NULL. */
void stn_device_constant_release(stn_device *device, stn_device_constant *kept);

/* Return what no launch is about to use to the scratch memory; was there something? */
int stn_device_constants_drop(stn_device *device);

/* The same for a device that nobody uses any more, also in a process that was forked while another
 * thread used it. */
void stn_device_constants_end(stn_device *device);

#endif
