/* Every call of the driver stands between these two: the device's context is the thread's, and an
 * error becomes a status. */
#ifndef STENO_EXEC_CUDA_CALL_H
#define STENO_EXEC_CUDA_CALL_H

#include "exec/cuda/device.h"

/* Errors of stn_device_check. */
stn_status stn_cuda_enter(stn_device *device);

/* The status of `error`, with `what` in its words. */
stn_status stn_cuda_leave(stn_device *device, const char *what, int error);

/* The status of an error of a device that is not entered. */
stn_status stn_cuda_refuse(const stn_cuda_device *device, const char *what, int error);

#endif
