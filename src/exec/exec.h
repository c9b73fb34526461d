/* Executors inside the library. */
#ifndef STENO_EXEC_EXEC_H
#define STENO_EXEC_EXEC_H

#include "steno/exec.h"

typedef enum stn_exec_kind { STN_EXEC_REFERENCE, STN_EXEC_OPENMP, STN_EXEC_DEVICE } stn_exec_kind;

struct stn_exec {
    stn_exec_kind kind;
    int threads, streams;              /* runs of tiles that each walks through side by side */
    struct stn_workspaces *workspaces; /* of launches; those for inner use have none */
    struct stn_device *device;         /* NULL on the host */
    struct stn_device *compiler;       /* of kernels, on the host; or NULL */
};

/* The device of an executor; NULL on the host, which exec NULL is too. */
static inline struct stn_device *stn_exec_device(const stn_exec *exec)
{
    return exec ? exec->device : NULL;
}

/* What works on the host: the executor itself, or for one of a device NULL, the calling thread. */
static inline const stn_exec *stn_exec_on_host(const stn_exec *exec)
{
    return stn_exec_device(exec) ? NULL : exec;
}

/* One share of the work: `part` of `parts`, in the floating-point modes of core/modes.h: the
 * calling thread has set them. */
typedef void stn_work(void *context, int part, int parts);

/* Run every part once, on as many threads as are granted, and return when all are done. How many
 * that are changes no result. */
void stn_exec_run(const stn_exec *exec, stn_work *work, void *context);

/* The same, by the calling thread where exec is NULL or others would wake too late to help with
 * this many bytes. */
void stn_exec_run_worth(const stn_exec *exec, double bytes, stn_work *work, void *context);

/* Run parts 0 to parts - 1 at the same time, as many as threads are granted, each by one of them:
 * they may wait for each other, see exec/barrier.h. One where others would wake too late to help
 * with this many bytes. */
void stn_exec_run_together(const stn_exec *exec, double bytes, stn_work *work, void *context);

/* Was this process forked after the calling thread had others to work for it? They are not here,
 * and stn_exec_run does without. */
int stn_exec_lost_threads(const stn_exec *exec);

/* The check every operation makes of its executor. */
stn_status stn_exec_expect(const char *call, const stn_exec *exec);

/* STN_ERR_MEMORY in words that name the executor. */
stn_status stn_exec_lacks_memory(const char *name, int threads);

/* The share [begin, end) of `part` when `count` things go to `parts`, in order and as even as can
 * be. */
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
