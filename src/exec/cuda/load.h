/* The driver and the compiler, opened at the first use and for the life of the process. */
#ifndef STENO_EXEC_CUDA_LOAD_H
#define STENO_EXEC_CUDA_LOAD_H

#include <pthread.h>

#include "exec/cuda/device.h"

/* An entry point: its name in a library, and the pointer that is to point to it. */
typedef struct stn_cuda_entry {
    const char *name;
    void *pointer;
} stn_cuda_entry;

typedef struct stn_cuda_library {
    const char *name;       /* "the CUDA driver" */
    const char *lack, *use; /* in front of and behind "FILE cannot be opened" */
    const char *const *files;
    int file_count;
    const char *(*named)(void); /* the environment's file, and then the only one; or NULL */
    const stn_cuda_entry *entries;
    int entry_count;
    void (*start)(char *failure, size_t room); /* when all entry points are there; or NULL */
    pthread_mutex_t lock;
    int is_opened;
    char failure[256]; /* "": it is there */
} stn_cuda_library;

#define STN_CUDA_LIBRARY(name_, lack_, use_, files_, named_, entries_, start_)                     \
    {                                                                                              \
        .name = name_, .lack = lack_, .use = use_, .files = files_,                                \
        .file_count = sizeof(files_) / sizeof *(files_), .named = named_, .entries = entries_,     \
        .entry_count = sizeof(entries_) / sizeof *(entries_), .start = start_,                     \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                          \
    }

/* Between the drivers that are called in one way: their libraries, and what differs. */
struct stn_cuda_platform {
    const char *name; /* "CUDA" in messages */
    stn_cuda_library *driver_library, *compiler_library;
    const stn_cuda_driver *driver;
    const stn_cuda_compiler *compiler;
    const char *compiler_name;
    const char *const *exact; /* options: each operation is rounded once, and subnormals are kept */
    int exact_count;
    int processors; /* the attribute */
    /* The option that names the device's architecture, and what it is in words. */
    int (*find_architecture)(stn_cuda_device *device);
};

extern const stn_cuda_platform stn_cuda_platform_nvidia, stn_cuda_platform_amd;

/* The driver, initialised. STN_ERR_DEVICE, with the reason: no driver, one that is too old or has
 * no device. */
stn_status stn_cuda_driver_get(const stn_cuda_platform *platform);

/* The compiler. STN_ERR_DEVICE, with the places where it was looked for. */
stn_status stn_cuda_compiler_get(const stn_cuda_platform *platform);

/* "cuInit: no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)", into room. */
const char *stn_cuda_words(const stn_cuda_driver *driver, int error, char *room, size_t bytes);

/* What starting comes to: initialise it, and look for devices. 0 with the reason. */
int stn_cuda_start(const stn_cuda_platform *platform, char *failure, size_t room);

#endif
