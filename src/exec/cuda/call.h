/* Every driver call is made between stn_cuda_enter and stn_cuda_leave, which make the device's
 * context current and convert errors into statuses. */
#ifndef STENO_EXEC_CUDA_CALL_H
#define STENO_EXEC_CUDA_CALL_H

#include "exec/cuda/device.h"

/* Makes the device's context current, and permits allocations and waiting while other
 * streams are captured. Returns the driver's error; if it is 0, call stn_cuda_pop on the
 * same thread. */
int stn_cuda_push(const stn_cuda_device *device);
void stn_cuda_pop(const stn_cuda_device *device);

/* stn_device_check, and stn_cuda_push. */
stn_status stn_cuda_enter(stn_device *device);

/* stn_cuda_pop, and the status of `error`; the message contains `what`. Errors that corrupt the
 * context disable the device. After other errors, queued work has finished on return. */
stn_status stn_cuda_leave(stn_device *device, const char *what, int error);

/* Is the stream of the device being captured? Call between enter and leave. */
int stn_cuda_is_captured(const stn_cuda_device *device);

/* The status of an error of a device outside of enter and leave. */
stn_status stn_cuda_refuse(const stn_cuda_device *device, const char *what, int error);

#endif
