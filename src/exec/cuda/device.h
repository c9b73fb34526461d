/* A CUDA device: its memory, a queue of its own, and kernels from texts. Calls may come from any
 * thread; what is queued runs in order. A HIP device is the same over another table. */
#ifndef STENO_EXEC_CUDA_DEVICE_H
#define STENO_EXEC_CUDA_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "exec/cuda/entry.h"
#include "steno/status.h"
#include "steno/view.h"

typedef struct stn_device {
    const stn_cuda_driver *driver;
    int number, id;   /* in the resource string; the driver's */
    int major, minor; /* of its architecture */
    int processors;
    size_t bytes;
    char name[96], resource[24];
    void *context, *queue;
    int is_adopted;             /* both are the program's */
    unsigned process_age;       /* which forks do not share */
    atomic_int users;           /* executors, and owners of memory */
    atomic_int failed;          /* a kernel has: nothing works any more */
    const char *_Atomic newest; /* name of the kernel launched last, or NULL */
    pthread_mutex_t compiling;  /* and looking for a kernel among those that are */
    struct stn_device_kernel *kernels;
} stn_device;

/* Devices there are: 0 with the reason in stn_error(). */
int stn_device_count(void);

/* Device `number` with one user. STN_ERR_DEVICE, STN_ERR_RANGE and STN_ERR_MEMORY. */
stn_status stn_device_open(int number, stn_device **device);

/* The same over a context and a stream of the program's own, which stay. */
stn_status stn_device_adopt(void *context, void *stream, stn_device **device);

/* One user more, one less; the last one ends it. */
void stn_device_share(stn_device *device);
void stn_device_release(stn_device *device);

/* ---- memory; all bytes that are given back may still be in use by what is queued ---- */

/* In any space but the host's. STN_ERR_MEMORY with the bytes that are free. */
stn_status stn_device_allocate(stn_device *device, const char *label, stn_space space,
                               int64_t bytes, void **memory);
void stn_device_free(stn_device *device, stn_space space, void *memory);

/* STN_ERR_UNSUPPORTED, with `words` for what it is, unless `memory` is the device's own. */
stn_status stn_device_expect(stn_device *device, const char *call, const char *words,
                             const void *memory);

/* Queued. */
stn_status stn_device_fill(stn_device *device, void *memory, unsigned char value, size_t bytes);
stn_status stn_device_copy(stn_device *device, void *to, const void *from, size_t bytes);

/* `depth` planes of `height` rows of `width` bytes. Pitches are bytes from row to row, heights rows
 * from plane to plane. */
typedef struct stn_device_box {
    void *to;
    const void *from;
    size_t to_pitch, to_height, from_pitch, from_height;
    size_t width, height, depth;
} stn_device_box;
stn_status stn_device_copy_box(stn_device *device, const stn_device_box *box);

/* Wait for all that has been queued. STN_ERR_DEVICE names the kernel that failed. */
stn_status stn_device_wait(stn_device *device);

/* ---- kernels ---- */

typedef struct stn_device_text {
    const char *name, *text;
    const char *const *header_names, *const *header_texts;
    int headers;
    const char *const *options; /* beside those by which results are the same everywhere */
    int option_count;
} stn_device_text;

/* Compile a text for the device. STN_ERR_DEVICE with the beginning of the compiler's log. */
stn_status stn_device_compile(stn_device *device, const stn_device_text *text, void **module);
void stn_device_unload(stn_device *device, void *module);

stn_status stn_device_function(stn_device *device, void *module, const char *name, void **function);

/* The one kernel of a text of the library's own, which includes the headers of accessors. It is
 * compiled at the first call with these words of options and then kept. */
stn_status stn_device_kernel(stn_device *device, const char *name, const char *text,
                             const char *options, void **function);

/* Queue a kernel over blocks of threads; `arguments` point to its arguments. `name` stays valid
 * until the device is waited for. */
stn_status stn_device_launch(stn_device *device, const char *name, void *function, unsigned blocks,
                             unsigned threads, void **arguments);

#endif
