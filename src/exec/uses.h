/* Pinned and managed memory that queued work uses: the host may not access it before that work has
 * ended. The device's own memory needs no such care, since the host does not reach it. */
#ifndef STENO_EXEC_USES_H
#define STENO_EXEC_USES_H

#include "exec/device.h"

/* Does any queued work use such memory? If not, the following functions are no-ops. */
int stn_uses_any(void);

/* Wait for the work of all devices that uses any of these bytes. Errors of stn_device_wait. */
stn_status stn_uses_wait(const void *begin, size_t bytes);

/* STN_ERR_UNSUPPORTED while a device works that does not permit the host to access any managed
 * memory meanwhile. */
stn_status stn_uses_expect_idle(const char *call, const char *words);

/* ---- for devices ---- */

/* Add what the arguments of a kernel use, when it has been queued. */
void stn_uses_add(stn_device *device, const stn_device_argument *arguments, int count);

/* Before waiting, and with its result after it: uses up to then have ended. */
uint64_t stn_uses_queued(stn_device *device);
void stn_uses_end(stn_device *device, uint64_t queued);

/* Of a device without users. */
void stn_uses_drop(stn_device *device);

#endif
