/* Sets of workspaces: a list that only grows, whose elements are free or in use. */
#include "exec/workspace.h"

#include <omp.h>
#include <stdatomic.h>

#include "core/memory.h"
#include "core/status.h"

struct stn_workspaces {
    _Alignas(64) char shared[STN_SHARED_BYTES];
    _Alignas(64) atomic_bool in_use;
    _Atomic(stn_workspaces *) next;
    int threads;
    stn_workspace *of[]; /* one per thread */
};

static void release_one(stn_workspaces *set)
{
    for (int k = 0; k < set->threads; k++)
        stn_free(set->of[k]);
    stn_free(set);
}

stn_status stn_workspaces_create(const char *executor, int threads, stn_workspaces **result)
{
    stn_workspaces *set;
    *result = NULL;
    if (stn_allocate(&set, 1, sizeof *set + (size_t)threads * sizeof *set->of, executor))
        return stn_exec_out_of_memory(executor, threads);
    atomic_init(&set->in_use, 0);
    atomic_init(&set->next, NULL);
    for (set->threads = 0; set->threads < threads; set->threads++)
        if (stn_allocate(&set->of[set->threads], 1, sizeof(stn_workspace), executor)) {
            release_one(set);
            return stn_exec_out_of_memory(executor, threads);
        }
    *result = set;
    return STN_OK;
}

void stn_workspaces_release(stn_workspaces *first)
{
    while (first) {
        stn_workspaces *next = atomic_load(&first->next);
        release_one(first);
        first = next;
    }
}

stn_status stn_workspaces_acquire(const stn_exec *exec, stn_workspaces **in_use)
{
    stn_workspaces *set = exec->workspaces, *next = set;
    for (; next; next = atomic_load(&set->next)) {
        set = next;
        if (!atomic_load_explicit(&set->in_use, memory_order_relaxed) &&
            !atomic_exchange_explicit(&set->in_use, 1, memory_order_acquire)) {
            *in_use = set;
            return STN_OK;
        }
    }
    STN_TRY(stn_workspaces_create(stn_exec_name(exec), exec->threads, in_use));
    atomic_store(&(*in_use)->in_use, 1);
    for (; !atomic_compare_exchange_weak(&set->next, &next, *in_use); next = NULL)
        if (next) /* another thread was faster */
            set = next;
    return STN_OK;
}

void stn_workspaces_return(stn_workspaces *in_use)
{
    atomic_store_explicit(&in_use->in_use, 0, memory_order_release);
}

stn_workspace *stn_workspaces_first(const stn_workspaces *in_use)
{
    return in_use->of[0];
}

char *stn_workspaces_shared(stn_workspaces *in_use)
{
    return in_use->shared;
}

typedef struct workspace_job {
    const stn_workspaces *in_use;
    stn_workspace_work *work;
    void *context;
} workspace_job;

/* In a parallel region of the program, thread numbers may exceed the number of workspaces. */
static void work_in_workspace(void *context, int part, int parts)
{
    const workspace_job *job = context;
    const int thread = parts == 1 ? 0 : omp_get_thread_num() % job->in_use->threads;
    job->work(job->context, job->in_use->of[thread], part, parts);
}

void stn_workspaces_run(const stn_workspaces *in_use, int threads, stn_workspace_work *work,
                        void *context)
{
    const stn_exec exec_of_threads = STN_EXEC_OF_THREADS(threads);
    workspace_job job = {in_use, work, context};
    stn_exec_run(&exec_of_threads, work_in_workspace, &job);
}
