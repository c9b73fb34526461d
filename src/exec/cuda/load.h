/* The driver and the compiler, opened at the first use and for the life of the process. */
#ifndef STENO_EXEC_CUDA_LOAD_H
#define STENO_EXEC_CUDA_LOAD_H

#include "exec/cuda/entry.h"
#include "steno/status.h"

/* The driver, initialised. STN_ERR_DEVICE, with the reason: no driver, one that is too old or has
 * no device. */
stn_status stn_cuda_driver_get(const stn_cuda_driver **driver);

/* The compiler. STN_ERR_DEVICE, with the places where it was looked for. */
stn_status stn_cuda_compiler_get(const stn_cuda_compiler **compiler);

/* "cuInit: no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)", into room. */
const char *stn_cuda_words(const stn_cuda_driver *driver, int error, char *room, size_t bytes);

#endif
