/* Open devices of this process. */
#ifndef STENO_EXEC_OPENED_H
#define STENO_EXEC_OPENED_H

#include "exec/device.h"

/* Adds an open device unless it is in the list; removes one without
 * users. */
void stn_device_add_opened(stn_device *device);
void stn_device_remove_opened(stn_device *device);

/* Is an exclusive device open? */
int stn_device_has_exclusive(void);

/* The device after this one (NULL: the first), with one more user, or NULL after the last. Releases
 * the device before it, so that a loop ends without any:
 *
 *     for (stn_device *d = NULL; (d = stn_device_next_opened(d));) */
stn_device *stn_device_next_opened(stn_device *before);

#endif
