/* Drivers and compilers are opened on first use and stay open until the process
 * ends. */
#ifndef STENO_EXEC_CUDA_LOAD_H
#define STENO_EXEC_CUDA_LOAD_H

#include <pthread.h>

#include "exec/cuda/device.h"

enum { STN_CUDA_FILES = 8, STN_CUDA_FAILURE = 256 };

/* An entry point: its name in a library, and the offset of its pointer in the table. */
typedef struct stn_cuda_entry {
    const char *name;
    size_t offset;
} stn_cuda_entry;

/* A driver, or all versions of a compiler. */
typedef struct stn_cuda_library {
    const char *name;         /* "the CUDA driver" */
    const char *lack, *use;   /* text before and after "FILE cannot be opened" */
    const char *const *files; /* the newest version first, at most STN_CUDA_FILES */
    int file_count;
    const char *(*named)(void); /* the only file to open if the environment names one; or NULL */
    const stn_cuda_entry *entries;
    int entry_count;
    pthread_mutex_t lock;
    int tried, found;               /* number of files tried, and of those that exist */
    unsigned process_age;           /* of a driver: forks when it was opened */
    char failure[STN_CUDA_FAILURE]; /* why the file found last cannot be used; "" if it can */
} stn_cuda_library;

#define STN_CUDA_LIBRARY(name_, lack_, use_, files_, named_, entries_)                             \
    {                                                                                              \
        .name = name_, .lack = lack_, .use = use_, .files = files_,                                \
        .file_count = sizeof(files_) / sizeof *(files_), .named = named_, .entries = entries_,     \
        .entry_count = sizeof(entries_) / sizeof *(entries_), .lock = PTHREAD_MUTEX_INITIALIZER    \
    }

/* The versions of a compiler that have been opened. */
typedef struct stn_cuda_compilers {
    stn_cuda_library library;
    stn_cuda_compiler opened[STN_CUDA_FILES];
    int count;
} stn_cuda_compilers;

enum { STN_CUDA_UNABLE = 100 };

/* NVIDIA's driver or AMD's runtime: both are called in the same way. */
struct stn_cuda_platform {
    const char *name; /* "CUDA" in messages */
    stn_cuda_library *driver_library;
    stn_cuda_driver *driver;                       /* the table of driver_library begins with it */
    void (*start)(char *failure, size_t capacity); /* after the driver has been opened */
    stn_cuda_compilers *compilers;
    /* After a compiler has been opened. Returns 0, with the reason, if it cannot be used; or NULL.
     */
    int (*start_compiler)(stn_cuda_compiler *compiler, char *failure, size_t capacity);
    /* 0 for a compiler that matches a device of this compute capability, more for one that is
     * used if there is no better one, STN_CUDA_UNABLE for an unsuitable one; or NULL. */
    int (*rank_compiler)(const stn_cuda_compiler *compiler, int capability);
    const char *const *exact; /* options: each operation is rounded once, and subnormals are kept */
    int exact_count;
    int processors, concurrent; /* the attributes */
    /* Sets the device's capability, its architecture as the compiler's option, and its version. */
    int (*find_architecture)(stn_cuda_device *device);
};

STN_PRIVATE_API extern const stn_cuda_platform stn_cuda_platform_nvidia;
extern const stn_cuda_platform stn_cuda_platform_amd;

/* The initialized driver. STN_ERR_DEVICE  the driver is missing or too old, or has no
 * device */
stn_status stn_cuda_driver_get(const stn_cuda_platform *platform);

/* The compiler for devices of this compute capability; 0: the newest installed one.
 * STN_ERR_DEVICE  no compiler is installed, or none supports the device */
STN_PRIVATE_API stn_status stn_cuda_compiler_get(const stn_cuda_platform *platform, int capability,
                                                 const stn_cuda_compiler **compiler);

/* The newest architecture that a device of this compute capability can run, among those the
 * compiler supports: its own, or an older one, whose PTX the driver compiles. 0: none. */
int stn_cuda_target(const stn_cuda_compiler *compiler, int capability);

/* Opens the next file and fills in the table. Returns 0, with the reason in library->failure, after
 * the last file. The caller holds the lock. */
int stn_cuda_open_next(stn_cuda_library *library, void *table);

/* "cuInit: no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)", written to `capacity`. */
const char *stn_cuda_error_text(const stn_cuda_driver *driver, int error, char *capacity,
                                size_t bytes);

/* Initializes the driver and looks for devices. Returns 0, with the reason, if there are none. */
int stn_cuda_start(const stn_cuda_platform *platform, char *failure, size_t capacity);

#endif
