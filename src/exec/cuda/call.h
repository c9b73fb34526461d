/* Every call of the driver stands between these two: the device's context is the thread's, and an
 * error becomes a status. */
#ifndef STENO_EXEC_CUDA_CALL_H
#define STENO_EXEC_CUDA_CALL_H

#include "exec/cuda/device.h"

/* STN_ERR_DEVICE when the device has failed before, STN_ERR_UNSUPPORTED in a process that was
 * forked from the one that opened it. */
stn_status stn_device_enter(stn_device *device);

/* The status of `error`, with `what` in its words. */
stn_status stn_device_leave(stn_device *device, const char *what, int error);

/* The status of an error of a device that is not entered. */
stn_status stn_device_refuse(const stn_device *device, const char *what, int error);

/* Is this the process that opened it, and does it still work? */
int stn_device_is_here(const stn_device *device);

#endif
