/* Every call of the driver is made between stn_cuda_enter and stn_cuda_leave, which make the
 * device's context current and turn errors into statuses. */
#ifndef STENO_EXEC_CUDA_CALL_H
#define STENO_EXEC_CUDA_CALL_H

#include "exec/cuda/device.h"

/* Make the device's context the calling thread's, and allow allocations and waiting while other
 * streams are being captured. Returns the driver's error; after 0, call stn_cuda_pop on the same
 * thread. */
int stn_cuda_push(const stn_cuda_device *device);
void stn_cuda_pop(const stn_cuda_device *device);

/* stn_device_check, and stn_cuda_push. */
stn_status stn_cuda_enter(stn_device *device);

/* stn_cuda_pop, and the status of `error`; the message contains `what`. Errors that corrupt the
 * context disable the device. After all others, queued work has ended when this returns. */
stn_status stn_cuda_leave(stn_device *device, const char *what, int error);

/* Is the device's stream being captured into a graph? Between enter and leave. */
int stn_cuda_is_captured(const stn_cuda_device *device);

/* The status of an error of a device that is not entered. */
stn_status stn_cuda_refuse(const stn_cuda_device *device, const char *what, int error);

#endif
