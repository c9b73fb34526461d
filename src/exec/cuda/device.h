/* A CUDA device. A HIP device differs only in its platform: libraries, and a few numbers. */
#ifndef STENO_EXEC_CUDA_DEVICE_H
#define STENO_EXEC_CUDA_DEVICE_H

#include "exec/cuda/entry.h"
#include "exec/device.h"

typedef struct stn_cuda_platform stn_cuda_platform; /* exec/cuda/load.h */

typedef struct stn_cuda_device {
    stn_device device;
    const stn_cuda_platform *platform;
    const stn_cuda_driver *driver;
    int id;                 /* the driver's id */
    int capability;         /* compute capability: 90 is 9.0; 0 for HIP devices */
    char architecture[128]; /* option of the compiler */
    void *context, *queue;
} stn_cuda_device;

extern const stn_device_calls stn_cuda_calls, stn_hip_calls;

/* Uses a context and a stream of the program, which keeps them. */
stn_status stn_cuda_adopt(const stn_device_calls *calls, void *context, void *stream,
                          stn_device **device);

/* ---- parts of it ---- */

static inline stn_cuda_device *stn_cuda_of(stn_device *device)
{
    return (stn_cuda_device *)(void *)device;
}

stn_status stn_cuda_compile(stn_device *device, const stn_device_text *text, void **module,
                            stn_device_code *code);
STN_PRIVATE_API stn_status stn_cuda_load(stn_device *device, const char *name,
                                         const stn_device_code *code, void **module);
void stn_cuda_identify(stn_device *device, char *description, size_t capacity);
void stn_cuda_unload(stn_device *device, void *module, void *function);
stn_status stn_cuda_function(stn_device *device, void *module, const char *name, void **function);
/* Queues a kernel; the elements of `values` point to its arguments. */
STN_PRIVATE_API stn_status stn_cuda_launch_values(stn_device *device, const char *name,
                                                  void *function, unsigned blocks, unsigned threads,
                                                  void **values);
stn_status stn_cuda_launch(stn_device *device, const char *name, void *function, unsigned blocks,
                           unsigned threads, const stn_device_argument *arguments, int count);

#endif
