/* A device: its memory, a queue, and kernels from texts. Calls may come from any thread; what is
 * queued runs in order. What a kind of device must do is one table of functions, which each folder
 * beside this file fills. */
#ifndef STENO_EXEC_DEVICE_H
#define STENO_EXEC_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "steno/status.h"
#include "steno/view.h"

typedef struct stn_device stn_device;
typedef struct stn_device_constant stn_device_constant;
typedef struct stn_device_scratch stn_device_scratch;

/* `depth` planes of `height` rows of `width` bytes. Pitches are bytes from row to row, heights rows
 * from plane to plane. */
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
    const char *const *options; /* beside those by which results are the same everywhere */
    int option_count;
} stn_device_text;

/* What a compiler made, to be given back with stn_free. */
typedef struct stn_device_code {
    void *bytes; /* NULL: none */
    size_t size;
} stn_device_code;

/* An argument of a kernel. */
typedef struct stn_device_argument {
    const void *value; /* of memory: where its handle is (stn_device_locate) */
    size_t bytes;
    int is_constants;    /* a struct: by value, or in the device's memory for constants */
    const void *shared;  /* memory that the kernel uses and the host reaches, too (exec/uses.h) */
    size_t shared_bytes; /* 0: none */
} stn_device_argument;

/* The addresses of such memory, and the number of the launch that used it last. */
typedef struct stn_device_use {
    uintptr_t begin, end;
    uint64_t queued;
} stn_device_use;
enum { STN_DEVICE_USES = 16 }; /* that a device distinguishes */

typedef struct stn_device_calls stn_device_calls;

/* What a kind of device does; each function as stn_device_* below describes it. */
struct stn_device_calls {
    const char *kind;     /* in front of ":N" in resource strings */
    const char *dialect;  /* in front of each text of a kernel: what both languages lack */
    const void *platform; /* of a kind whose functions are another's too */
    int keeps_failures;   /* a kernel that was not compiled once is not tried again */
    int frees_at_once;    /* memory goes although queued work may use it */
    int (*count)(const stn_device_calls *calls);
    stn_status (*open)(const stn_device_calls *calls, int number, stn_device **device);
    void (*close)(stn_device *device); /* nobody uses it any more; it waits, and frees */
    stn_status (*allocate)(stn_device *device, const char *label, stn_space space, int64_t bytes,
                           void **memory);
    void (*free)(stn_device *device, stn_space space, void *memory);
    stn_status (*expect)(stn_device *device, const char *call, const char *words,
                         const void *memory);
    stn_status (*fill)(stn_device *device, void *memory, unsigned char value, size_t bytes);
    stn_status (*copy)(stn_device *device, void *to, const void *from, size_t bytes);
    stn_status (*copy_box)(stn_device *device, const stn_device_box *box);
    stn_status (*expect_uncaptured)(stn_device *device); /* or NULL: queues are never captured */
    stn_status (*wait)(stn_device *device);
    stn_status (*ask_idle)(stn_device *device, int *is_idle); /* of exclusive devices */
    stn_status (*compile)(stn_device *device, const stn_device_text *text, void **module,
                          stn_device_code *code); /* that load takes; or NULL */
    stn_status (*load)(stn_device *device, const char *name, const stn_device_code *code,
                       void **module);
    void (*identify)(stn_device *device, char *words, size_t room);   /* what code depends on */
    void (*unload)(stn_device *device, void *module, void *function); /* or NULL */
    stn_status (*function)(stn_device *device, void *module, const char *name, void **function);
    stn_status (*locate)(stn_device *device, const void *memory, void **handle, int64_t *offset);
    stn_status (*launch)(stn_device *device, const char *name, void *function, unsigned blocks,
                         unsigned threads, const stn_device_argument *arguments, int count);
};

/* What every kind has; each puts its own behind. */
struct stn_device {
    const stn_device_calls *calls;
    int number; /* in the resource string */
    int processors;
    size_t bytes;
    char resource[24], name[96], version[96];
    int is_adopted;                 /* context and queue are the program's */
    int has_f64;                    /* arithmetic */
    int is_exclusive;               /* the host accesses no managed memory while it works */
    const char *inexact;            /* how its f32 differs from everybody else's, or NULL */
    unsigned process_age;           /* which forks do not share */
    atomic_int users;               /* executors, and owners of memory */
    struct stn_device *next_opened; /* exec/opened.h */
    atomic_int failed;              /* a kernel or the queue has: nothing works any more */
    const char *_Atomic newest;     /* name of the kernel launched last, or NULL */
    pthread_mutex_t compiling;      /* and looking for a kernel among those that are */
    struct stn_device_kernel *kernels;
    pthread_mutex_t using; /* of the following */
    stn_device_use uses[STN_DEVICE_USES];
    int use_count;
    uint64_t queued;             /* launches that used such memory */
    pthread_mutex_t keeping;     /* of the following */
    stn_device_constant *kept;   /* the one used last first */
    stn_device_scratch *scratch; /* that no launch holds */
};

/* A new device of a kind, `bytes` long, with one user. STN_ERR_MEMORY. */
stn_status stn_device_make(const stn_device_calls *calls, int number, size_t bytes,
                           stn_device **device);
void stn_device_unmake(stn_device *device);

/* STN_ERR_DEVICE when the device has failed before, STN_ERR_UNSUPPORTED in a process that was
 * forked from the one that opened it. */
stn_status stn_device_check(const stn_device *device);

/* Is this the process that opened it? */
int stn_device_is_here(const stn_device *device);

/* The kinds there are: "cuda", "hip", "opencl"; NULL behind the last. */
const char *stn_device_kind(int at);

/* Devices of a kind: 0 with the reason in stn_error(). */
int stn_device_count(const char *kind);

/* Device `number` of a kind, with one user. STN_ERR_ARGUMENT for another kind, STN_ERR_DEVICE,
 * STN_ERR_RANGE and STN_ERR_MEMORY. */
stn_status stn_device_open(const char *kind, int number, stn_device **device);

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

/* STN_ERR_UNSUPPORTED, with `words` for what is in this format, where its values are double and the
 * device has none. */
stn_status stn_device_expect_format(const stn_device *device, const char *words, stn_format format);

/* Queued. */
stn_status stn_device_fill(stn_device *device, void *memory, unsigned char value, size_t bytes);
stn_status stn_device_copy(stn_device *device, void *to, const void *from, size_t bytes);
stn_status stn_device_copy_box(stn_device *device, const stn_device_box *box);

/* STN_ERR_UNSUPPORTED while the program captures the device's queue into a graph: nothing runs, so
 * nothing can be waited for, and memory that the graph uses may not be reused. */
stn_status stn_device_expect_uncaptured(stn_device *device);

/* Wait for all queued work. STN_ERR_DEVICE names the kernel that failed; STN_ERR_UNSUPPORTED as
 * above. */
stn_status stn_device_wait(stn_device *device);

/* Wait for the queued work of all executors that may use memory in this space, before it is
 * released: those of the device, or of any (NULL) that it is not known of. Errors are those of
 * their next call. */
void stn_device_wait_for_users(const stn_device *device, stn_space space);

/* ---- kernels ---- */

/* Compile a text for the device. STN_ERR_DEVICE with the beginning of the compiler's log. */
stn_status stn_device_compile(stn_device *device, const stn_device_text *text, void **module);
void stn_device_unload(stn_device *device, void *module);

stn_status stn_device_find(stn_device *device, void *module, const char *name, void **function);

/* At most. */
enum {
    STN_DEVICE_KEY_PARTS = 128,
    STN_DEVICE_BLOCKS = 0x7fffffff, /* of a launch */
    STN_DEVICE_HEADERS = 64,        /* of a text */
    STN_DEVICE_LETTERS = 1024       /* of its options */
};

/* What a kernel is known by: its name, and all that its text follows from. */
typedef struct stn_device_key {
    const char *name;
    int count;
    struct {
        const void *bytes;
        size_t size;
    } part[STN_DEVICE_KEY_PARTS];
} stn_device_key;

typedef struct stn_device_function {
    void *function;   /* NULL: of one that was not compiled */
    const char *name; /* lives as long as the device */
} stn_device_function;

/* A kernel that is there. */
int stn_device_has_kernel(stn_device *device, const stn_device_key *key,
                          stn_device_function *function);

/* Compile the kernel of this name in a text in the dialect of all devices (exec/dialect.h), which
 * may include the headers of accessors, and keep it. `options` are words. */
stn_status stn_device_make_kernel(stn_device *device, const stn_device_key *key, const char *text,
                                  const char *options, stn_device_function *function);

/* What a kernel gets for an address in the device's reach: a handle, and how many bytes behind what
 * the handle points to the address is. */
stn_status stn_device_locate(stn_device *device, const void *memory, void **handle,
                             int64_t *offset);

/* Queue a kernel over blocks of threads. `name` stays valid until the device is waited for. */
stn_status stn_device_launch(stn_device *device, const char *name, void *function, unsigned blocks,
                             unsigned threads, const stn_device_argument *arguments, int count);

/* Call `work` on a thread of its own, with the stack that compilers need, and take over its error.
 */
stn_status stn_device_is_separate(const char *name, stn_status (*work)(void *context),
                                  void *context);

#endif
