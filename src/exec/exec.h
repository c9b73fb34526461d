/* Executors inside the library. */
#ifndef STENO_EXEC_EXEC_H
#define STENO_EXEC_EXEC_H

#include "core/status.h"
#include "steno/exec.h"

/* Work of one of `threads` threads that run at the same time. */
typedef void stn_thread_work(void *context, int thread, int threads);

/* Functions of a kind of executor. */
typedef struct stn_exec_calls {
    const char *kind; /* precedes ':' in resource strings; NULL for devices */
    int has_loops; /* over whole tiles, rows or columns, for the instruction set of the machine */
    /* Opens what the options of a resource string describe; `options` follow the colon, or are
     * NULL. NULL for devices. */
    stn_status (*open)(const char *resource, const char *options, stn_exec *exec);
    void (*close)(const stn_exec *exec); /* or NULL */
    /* Calls `work` once on each of 1 to `threads` threads, of which the calling thread is the
     * first, and returns when all are done. */
    void (*launch)(int threads, stn_thread_work *work, void *context);
    /* The same for threads that wait for each other (exec/barrier.h): all of them run at once. In
     * `launch`, one thread may do the work of several, one after another. */
    void (*launch_together)(int threads, stn_thread_work *work, void *context);
    /* Was this process forked after the calling thread had started threads? They are missing, and
     * launch does not use them. NULL if launches start new ones. */
    int (*has_lost_threads)(void);
} stn_exec_calls;

/* Launch on the calling thread. */
void stn_exec_launch_alone(int threads, stn_thread_work *work, void *context);

extern const stn_exec_calls stn_reference_calls, stn_threads_calls, stn_openmp_calls,
    stn_device_exec_calls;

/* Distinguishes executors from released ones and other memory. */
enum { STN_EXEC_ALIVE = 0x53455845 };

struct stn_exec {
    int alive;     /* STN_EXEC_ALIVE until it is released */
    int has_loops; /* as in its table, which a released executor may not refer to */
    const stn_exec_calls *calls;
    int threads, streams;              /* streams of tiles that each thread reads concurrently */
    struct stn_workspaces *workspaces; /* of launches; executors for inner use have none */
    struct stn_device *device;         /* NULL on the host */
    struct stn_device *compiler;       /* of kernels on the host; or NULL */
};

/* The calling thread, with the loops of the instruction set. */
extern const stn_exec stn_exec_alone;

/* Runs the loops of the instruction set, over whole tiles, rows or columns. */
static inline int stn_exec_has_loops(const stn_exec *exec)
{
    return exec && exec->has_loops;
}

/* Computes one element at a time, by the scalar codec. */
static inline int stn_exec_is_reference(const stn_exec *exec)
{
    return exec && exec->calls == &stn_reference_calls;
}

/* The device of an executor; NULL for host executors and for NULL. */
static inline struct stn_device *stn_exec_device(const stn_exec *exec)
{
    return exec ? exec->device : NULL;
}

/* The executor for work on the host; NULL (the calling thread) for the executor of a device. */
static inline const stn_exec *stn_exec_on_host(const stn_exec *exec)
{
    return stn_exec_device(exec) ? NULL : exec;
}

/* A part of the work: `part` of `parts`, in the floating-point modes of core/modes.h, which the
 * calling thread has set. */
typedef void stn_work(void *context, int part, int parts);

/* Runs every part once, one per thread of the executor, on the threads that it grants, and returns
 * when all are done. The number of threads changes no result. */
STN_PRIVATE_API void stn_exec_run(const stn_exec *exec, stn_work *work, void *context);

/* The same in `parts` parts, at most one per thread of the executor. */
void stn_exec_run_parts(const stn_exec *exec, int parts, stn_work *work, void *context);

/* The same, on the calling thread if exec is NULL or if other threads would wake up too late for
 * this number of bytes. */
void stn_exec_run_sized(const stn_exec *exec, double bytes, stn_work *work, void *context);

/* Runs parts 0 to parts - 1 concurrently, one per granted thread, so that they may wait for each
 * other (exec/barrier.h). One part if other threads would wake up too late for this number of
 * bytes. */
void stn_exec_run_together(const stn_exec *exec, double bytes, stn_work *work, void *context);

/* Was this process forked after the calling thread had started threads, without which the executor
 * cannot run? stn_exec_run does not use them. */
static inline int stn_exec_lost_threads(const stn_exec *exec)
{
    return exec->threads > 1 && exec->calls->has_lost_threads && exec->calls->has_lost_threads();
}

/* STN_ERR_ARGUMENT unless exec is NULL or an executor. A released one is recognized as long as its
 * memory has not been used again. */
stn_status stn_exec_check(const char *call, const stn_exec *exec);

/* The check in operations that require an executor, and run on its threads. */
stn_status stn_exec_expect(const char *call, const stn_exec *exec);

/* Initializer of an executor for inner use, of an open device. */
#define STN_EXEC_OF_DEVICE(opened)                                                                 \
    {                                                                                              \
        .alive = STN_EXEC_ALIVE, .calls = &stn_device_exec_calls, .threads = 1, .streams = 1,      \
        .device = (opened)                                                                         \
    }

/* STN_ERR_MEMORY with a message that names the executor. */
stn_status stn_exec_out_of_memory(const char *name, int threads);

/* The share [begin, end) of `part` if `count` items are distributed over `parts` in order and
 * evenly. */
static inline void stn_share(int64_t count, int part, int parts, int64_t *begin, int64_t *end)
{
    if (parts == 1) { /* a division takes as long as a small part */
        *begin = 0;
        *end = count;
        return;
    }
    const int64_t each = count / parts, rest = count % parts;
    *begin = part * each + (part < rest ? part : rest);
    *end = *begin + each + (part < rest);
}

#endif
