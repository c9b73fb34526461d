/* An OpenCL device. Buffers have handles instead of addresses: each buffer is represented by a
 * range of unmapped addresses, so that views can compute with and compare addresses as usual,
 * and a program that accesses them is stopped. */
#ifndef STENO_EXEC_OPENCL_DEVICE_H
#define STENO_EXEC_OPENCL_DEVICE_H

#include "exec/device.h"
#include "exec/opencl/entry.h"

typedef struct stn_opencl_range {
    char *begin;
    size_t bytes;
    void *handle;
} stn_opencl_range;

typedef struct stn_opencl_device {
    stn_device device;
    struct stn_opencl_device *next; /* next open device */
    const stn_opencl *cl;
    void *id, *context, *queue;
    size_t max_bytes, group;  /* of one allocation; threads */
    int divides;              /* f32 divisions round correctly if requested */
    pthread_mutex_t lock;     /* protects the following, and kernel arguments */
    stn_opencl_range *ranges; /* sorted by address */
    int64_t count, capacity;
    size_t used; /* total bytes, including allocations in progress */
} stn_opencl_device;

extern const stn_device_calls stn_opencl_calls;

/* ---- parts of it ---- */

static inline stn_opencl_device *stn_opencl_of(stn_device *device)
{
    return (stn_opencl_device *)(void *)device;
}

/* The functions of the loader. STN_ERR_DEVICE, with the reason. */
stn_status stn_opencl_get(const stn_opencl **cl);

/* The status of an error. */
stn_status stn_opencl_refuse(stn_device *device, const char *what, int32_t error);

/* Flushes the queue; after an error, waits for it. */
stn_status stn_opencl_send(stn_device *device, const char *what, int32_t error);

stn_status stn_opencl_allocate(stn_device *device, const char *label, stn_space space,
                               int64_t bytes, void **memory);
void stn_opencl_free(stn_device *device, stn_space space, void *memory);
stn_status stn_opencl_expect(stn_device *device, const char *call, const char *description,
                             const void *memory);
stn_status stn_opencl_locate(stn_device *device, const void *memory, void **handle,
                             int64_t *offset);
stn_status stn_opencl_fill(stn_device *device, void *memory, unsigned char value, size_t bytes);
stn_status stn_opencl_copy(stn_device *device, void *to, const void *from, size_t bytes);
stn_status stn_opencl_copy_box(stn_device *device, const stn_device_box *box);

stn_status stn_opencl_compile(stn_device *device, const stn_device_text *text, void **module,
                              stn_device_code *code);
stn_status stn_opencl_load(stn_device *device, const char *name, const stn_device_code *code,
                           void **module);
void stn_opencl_identify(stn_device *device, char *description, size_t capacity);
void stn_opencl_unload(stn_device *device, void *module, void *function);
stn_status stn_opencl_function(stn_device *device, void *module, const char *name, void **function);
stn_status stn_opencl_launch(stn_device *device, const char *name, void *function, unsigned blocks,
                             unsigned threads, const stn_device_argument *arguments, int count);

#endif
