/* Sets of workspaces: a list that only grows, whose elements are free or in use. */
#include "exec/workspace.h"

#include <stdatomic.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"

struct stn_workspaces {
    _Alignas(64) char shared[STN_SHARED_BYTES];
    _Alignas(64) atomic_bool in_use;
    _Atomic(stn_workspaces *) next;
    const stn_exec_calls *calls;
    int threads;
    stn_workspace *of[]; /* one per thread */
};

static void release_one(stn_workspaces *set)
{
    for (int k = 0; k < set->threads; k++)
        stn_free(set->of[k]);
    stn_free(set);
}

stn_status stn_workspaces_create(const char *name, const stn_exec *exec, stn_workspaces **result)
{
    const int threads = exec->threads;
    stn_workspaces *set;
    *result = NULL;
    if (stn_allocate(&set, 1, sizeof *set + (size_t)threads * sizeof *set->of, name))
        return stn_exec_out_of_memory(name, threads);
    set->calls = exec->calls;
    atomic_init(&set->in_use, 0);
    atomic_init(&set->next, NULL);
    for (set->threads = 0; set->threads < threads; set->threads++)
        if (stn_allocate(&set->of[set->threads], 1, sizeof(stn_workspace), name)) {
            release_one(set);
            return stn_exec_out_of_memory(name, threads);
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
    STN_TRY(stn_workspaces_create(stn_exec_name(exec), exec, in_use));
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
    int parts;
} workspace_job;

static void work_in_workspace(void *context, int thread, int threads)
{
    const workspace_job *const job = context;
    const stn_modes modes = stn_modes_enter();
    for (int part = thread; part < job->parts; part += threads)
        job->work(job->context, job->in_use->of[thread], part, job->parts);
    stn_modes_leave(modes);
}

void stn_workspaces_run(const stn_workspaces *in_use, int parts, stn_workspace_work *work,
                        void *context)
{
    workspace_job job = {in_use, work, context, parts};
    if (parts > 1)
        in_use->calls->launch(parts, work_in_workspace, &job);
    else
        work(context, in_use->of[0], 0, 1);
}
