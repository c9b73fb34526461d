/* A device: memory, a queue, and kernels from texts. Calls may come from any thread;
 * queued work runs in order. Each kind of device implements one table of functions in its
 * folder. */
#ifndef STENO_EXEC_DEVICE_H
#define STENO_EXEC_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/status.h"
#include "steno/view.h"

typedef struct stn_device stn_device;
typedef struct stn_device_constant stn_device_constant;
typedef struct stn_device_scratch stn_device_scratch;

/* `depth` planes of `height` rows of `width` bytes. Pitches are bytes between rows, heights rows
 * between planes. */
typedef struct stn_device_box {
    void *to;
    const void *from;
    size_t to_pitch, to_height, from_pitch, from_height;
    size_t width, height, depth;
} stn_device_box;

typedef struct stn_device_text {
    const char *name, *text;
    const char *const *header_names, *const *header_texts;
    int headers;
    const char *const *options; /* in addition to those that make results equal everywhere */
    int option_count;
} stn_device_text;

/* The output of a compiler. Release it with stn_free. */
typedef struct stn_device_code {
    void *bytes; /* NULL: none */
    size_t size;
} stn_device_code;

/* An argument of a kernel. */
typedef struct stn_device_argument {
    const void *value; /* memory: address of its handle (stn_device_locate) */
    size_t bytes;
    int is_constants;    /* a struct: by value, or in constant memory */
    const void *shared;  /* host-accessible memory used by the kernel (exec/uses.h) */
    size_t shared_bytes; /* 0: none */
} stn_device_argument;

/* Addresses of such memory, and the number of the last launch that uses it. */
typedef struct stn_device_use {
    uintptr_t begin, end;
    uint64_t queued;
} stn_device_use;
enum { STN_DEVICE_USES = 16 }; /* maximum per device */

typedef struct stn_device_calls stn_device_calls;

/* Functions of a kind of device, as described for stn_device_* below. */
struct stn_device_calls {
    const char *kind;     /* precedes ":N" in resource strings */
    const char *dialect;  /* precedes each kernel text: definitions that the languages lack */
    const void *platform; /* of kinds that share functions */
    int keeps_failures;   /* kernels whose compilation failed are not compiled again */
    int frees_at_once;    /* memory is freed even if queued work uses it */
    int (*count)(const stn_device_calls *calls);
    stn_status (*open)(const stn_device_calls *calls, int number, stn_device **device);
    void (*close)(stn_device *device); /* after its last use; waits and frees */
    stn_status (*allocate)(stn_device *device, const char *label, stn_space space, int64_t bytes,
                           void **memory);
    void (*free)(stn_device *device, stn_space space, void *memory);
    stn_status (*expect)(stn_device *device, const char *call, const char *description,
                         const void *memory);
    stn_status (*fill)(stn_device *device, void *memory, unsigned char value, size_t bytes);
    stn_status (*copy)(stn_device *device, void *to, const void *from, size_t bytes);
    stn_status (*copy_box)(stn_device *device, const stn_device_box *box);
    stn_status (*expect_uncaptured)(stn_device *device); /* or NULL: queues are never captured */
    stn_status (*wait)(stn_device *device);
    stn_status (*query_idle)(stn_device *device, int *is_idle); /* for exclusive devices */
    stn_status (*compile)(stn_device *device, const stn_device_text *text, void **module,
                          stn_device_code *code); /* input of load; or NULL */
    stn_status (*load)(stn_device *device, const char *name, const stn_device_code *code,
                       void **module);
    void (*identify)(stn_device *device, char *description,
                     size_t capacity);                                /* parameters of the code */
    void (*unload)(stn_device *device, void *module, void *function); /* or NULL */
    stn_status (*function)(stn_device *device, void *module, const char *name, void **function);
    stn_status (*locate)(stn_device *device, const void *memory, void **handle, int64_t *offset);
    stn_status (*launch)(stn_device *device, const char *name, void *function, unsigned blocks,
                         unsigned threads, const stn_device_argument *arguments, int count);
};

/* Common members; each kind appends its own. */
struct stn_device {
    const stn_device_calls *calls;
    int number; /* N in the resource string */
    int processors;
    size_t bytes;
    char resource[24], name[96], version[96];
    int is_adopted;                 /* context and queue belong to the program */
    int has_f64;                    /* arithmetic */
    int is_exclusive;               /* the host must not access managed memory while it works */
    const char *inexact;            /* how its f32 arithmetic differs, or NULL */
    unsigned process_age;           /* forks do not share devices */
    atomic_int users;               /* executors, and owners of memory */
    struct stn_device *next_opened; /* exec/opened.h */
    atomic_int failed;              /* a kernel or the queue failed: the device is unusable */
    const char *_Atomic newest;     /* name of the most recently launched kernel, or NULL */
    pthread_mutex_t compiling;      /* also held while kernels are looked up */
    struct stn_device_kernel *kernels;
    pthread_mutex_t using; /* protects the following */
    stn_device_use uses[STN_DEVICE_USES];
    int use_count;
    uint64_t queued;               /* launches that used such memory */
    pthread_mutex_t keeping;       /* protects the following */
    stn_device_constant *constant; /* most recently used first */
    stn_device_scratch *scratch;   /* not used by a launch */
};

/* Creates a device of a kind, of `bytes` bytes, with one user. STN_ERR_MEMORY. */
stn_status stn_device_create(const stn_device_calls *calls, int number, size_t bytes,
                             stn_device **device);
void stn_device_destroy(stn_device *device);

/* STN_ERR_DEVICE if the device failed earlier, STN_ERR_UNSUPPORTED in a process forked from the
 * one that opened it. */
stn_status stn_device_check(const stn_device *device);

/* Did this process open it? */
int stn_device_is_current(const stn_device *device);

/* The kinds: "cuda", "hip", "opencl"; NULL after the last one. */
STN_PRIVATE_API const char *stn_device_kind(int at);

/* Number of devices of a kind: 0 with the reason in stn_error(). */
STN_PRIVATE_API int stn_device_count(const char *kind);

/* Opens device `number` of a kind, with one user. STN_ERR_ARGUMENT for unknown kinds,
 * STN_ERR_DEVICE, STN_ERR_RANGE and STN_ERR_MEMORY. */
STN_PRIVATE_API stn_status stn_device_open(const char *kind, int number, stn_device **device);

/* Adds and removes a user; the last one closes the device. */
void stn_device_share(stn_device *device);
STN_PRIVATE_API void stn_device_release(stn_device *device);

/* ---- memory; released bytes may still be used by queued work ---- */

/* In any space except the host's. STN_ERR_MEMORY with the number of free bytes. */
STN_PRIVATE_API stn_status stn_device_allocate(stn_device *device, const char *label,
                                               stn_space space, int64_t bytes, void **memory);
STN_PRIVATE_API void stn_device_free(stn_device *device, stn_space space, void *memory);

/* STN_ERR_UNSUPPORTED unless `memory` belongs to the device; `description` describes it. */
stn_status stn_device_expect(stn_device *device, const char *call, const char *description,
                             const void *memory);

/* STN_ERR_UNSUPPORTED if the format needs double and the device does not support it; `description`
 * describes the operand. */
stn_status stn_device_expect_format(const stn_device *device, const char *description,
                                    stn_format format);

/* Asynchronous. */
STN_PRIVATE_API stn_status stn_device_fill(stn_device *device, void *memory, unsigned char value,
                                           size_t bytes);
stn_status stn_device_copy(stn_device *device, void *to, const void *from, size_t bytes);
stn_status stn_device_copy_box(stn_device *device, const stn_device_box *box);

/* STN_ERR_UNSUPPORTED while the program captures the device's queue into a graph: captured work
 * does not run, so it cannot be waited for, and memory used by the graph must not be reused. */
stn_status stn_device_expect_uncaptured(stn_device *device);

/* Waits for all queued work. STN_ERR_DEVICE names the failed kernel; STN_ERR_UNSUPPORTED as
 * above. */
STN_PRIVATE_API stn_status stn_device_wait(stn_device *device);

/* Before memory is released: waits for queued work of all executors of the device (NULL:
 * of all devices) that may use memory in this space. Errors are reported by their next
 * call. */
void stn_device_wait_for_users(const stn_device *device, stn_space space);

/* ---- kernels ---- */

/* Compiles a text for the device. STN_ERR_DEVICE with the beginning of the compiler's log. */
stn_status stn_device_compile(stn_device *device, const stn_device_text *text, void **module);
STN_PRIVATE_API void stn_device_unload(stn_device *device, void *module);

STN_PRIVATE_API stn_status stn_device_find(stn_device *device, void *module, const char *name,
                                           void **function);

/* Limits. */
enum {
    STN_DEVICE_KEY_PARTS = 128,
    STN_DEVICE_BLOCKS = 0x7fffffff, /* per launch */
    STN_DEVICE_HEADERS = 64,        /* per text */
    STN_DEVICE_LETTERS = 1024       /* of its options */
};

/* Identity of a kernel: its name, and everything that determines its text. */
typedef struct stn_device_key {
    const char *name;
    int count;
    struct {
        const void *bytes;
        size_t size;
    } part[STN_DEVICE_KEY_PARTS];
} stn_device_key;

typedef struct stn_device_function {
    void *function;   /* NULL: compilation failed */
    const char *name; /* valid as long as the device */
} stn_device_function;

/* Has the kernel been compiled? */
int stn_device_has_kernel(stn_device *device, const stn_device_key *key,
                          stn_device_function *function);

/* Compiles and keeps the kernel with this name from a text in the common dialect
 * (exec/dialect.h), which may include the headers of accessors. `options` are words. */
stn_status stn_device_create_kernel(stn_device *device, const stn_device_key *key, const char *text,
                                    const char *options, stn_device_function *function);

/* The kernel argument for an address in the device's reach: a handle, and the offset in bytes of
 * the address from it. */
stn_status stn_device_locate(stn_device *device, const void *memory, void **handle,
                             int64_t *offset);

/* Queues a kernel over blocks of threads. `name` must stay valid until the device is waited for. */
stn_status stn_device_launch(stn_device *device, const char *name, void *function, unsigned blocks,
                             unsigned threads, const stn_device_argument *arguments, int count);

/* Calls `work` on a separate thread with the stack size that compilers need, and returns its
 * error. */
stn_status stn_device_is_separate(const char *name, stn_status (*work)(void *context),
                                  void *context);

#endif
