/* Bytes that launches send to a device, which keeps them. */
#ifndef STENO_EXEC_KEPT_H
#define STENO_EXEC_KEPT_H

#include "exec/device.h"

/* Memory of the device's with these bytes, which it may have been sent before: all of them are
 * compared. To be let go when what uses them has been queued. STN_ERR_MEMORY, STN_ERR_DEVICE. */
stn_status stn_device_keep(stn_device *device, const char *name, const void *bytes, size_t size,
                           stn_device_kept **kept, void **memory);

/* Or NULL. */
void stn_device_let_go(stn_device *device, stn_device_kept *kept);

/* Return what no launch is about to use to the scratch memory; was there something? */
int stn_device_drop_kept(stn_device *device);

/* The same for a device that nobody uses any more, also in a process that was forked while another
 * thread used it. */
void stn_device_end_kept(stn_device *device);

#endif
