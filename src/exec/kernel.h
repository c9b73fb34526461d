/* Compiled kernels of a device. */
#ifndef STENO_EXEC_KERNEL_H
#define STENO_EXEC_KERNEL_H

#include "exec/device.h"

void stn_device_drop_kernels(stn_device *device);

#endif
