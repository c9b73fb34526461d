/* Uses of pinned and managed memory by queued work: the host must not access it before that work
 * has finished. Device memory is not accessible to the host. */
#ifndef STENO_EXEC_USES_H
#define STENO_EXEC_USES_H

#include "exec/device.h"

/* Does queued work use such memory? If not, the following functions are no-ops. */
int stn_uses_any(void);

/* Waits for the work of all devices that uses any of these bytes. Errors of stn_device_wait. */
stn_status stn_uses_wait(const void *begin, size_t bytes);

/* STN_ERR_UNSUPPORTED while a device works that forbids host accesses to managed
 * memory. */
stn_status stn_uses_expect_idle(const char *call, const char *description);

/* ---- for devices ---- */

/* Adds the memory arguments of a kernel after it has been queued. */
void stn_uses_add(stn_device *device, const stn_device_argument *arguments, int count);

/* Call this before waiting, and pass the result afterward: earlier uses have finished. */
uint64_t stn_uses_queued(stn_device *device);
void stn_uses_end(stn_device *device, uint64_t queued);

/* For a device without users. */
void stn_uses_drop(stn_device *device);

#endif
