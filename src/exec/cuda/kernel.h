/* What becomes of the kernels that a device has kept. */
#ifndef STENO_EXEC_CUDA_KERNEL_H
#define STENO_EXEC_CUDA_KERNEL_H

#include "exec/cuda/device.h"

/* Give all of them back. */
void stn_device_drop_kernels(stn_device *device);

#endif
