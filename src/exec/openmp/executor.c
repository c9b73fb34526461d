/* Executors that use OpenMP's threads. Only the files of this folder call OpenMP, which need not be
 * there. */
#ifdef _OPENMP
#    include <omp.h>
#endif

#include "core/status.h"
#include "exec/exec.h"
#include "exec/forks.h"
#include "exec/processors.h"
#include "exec/resource.h"

#ifdef _OPENMP
/* After a fork, the child has only the forking thread, but OpenMP still expects the threads of the
 * team. */
static _Thread_local unsigned team_age; /* 1 + forks when this thread last had a team */

static int has_lost_threads(void)
{
    return team_age && team_age != 1 + stn_forks();
}

/* Limited, because OMP_NUM_THREADS may have any value. */
static int default_threads(void)
{
    const int given = omp_get_max_threads();
    return given < 1 ? 1 : given > STN_EXEC_MAX_THREADS ? STN_EXEC_MAX_THREADS : given;
}

static stn_status open_openmp(const char *resource, const char *options, stn_exec *exec)
{
    STN_TRY(stn_exec_parse_options(resource, options, exec));
    if (!exec->threads)
        STN_TRY(stn_processors_requested(resource, &exec->threads));
    if (!exec->threads)
        exec->threads = default_threads();
    return STN_OK;
}

/* The thread sanitizer does not see that a region begins and ends for all threads at once: not with
 * gcc's OpenMP, and with LLVM's not inside another region. */
#    if defined(__SANITIZE_THREAD__)
#        define HAS_THREAD_SANITIZER
#    elif defined(__has_feature)
#        if __has_feature(thread_sanitizer)
#            define HAS_THREAD_SANITIZER
#        endif
#    endif
#    ifdef HAS_THREAD_SANITIZER
extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);
#        define ACQUIRE(address) __tsan_acquire(address)
#        define RELEASE(address) __tsan_release(address)
#    else
#        define ACQUIRE(address) (void)(address)
#        define RELEASE(address) (void)(address)
#    endif

static void launch(int threads, stn_thread_work *work, void *context)
{
    if (has_lost_threads()) {
        stn_exec_launch_alone(threads, work, context);
        return;
    }
    team_age = 1 + stn_forks();
    RELEASE(context);
#    pragma omp parallel num_threads(threads)
    {
        ACQUIRE(context);
        work(context, omp_get_thread_num(), omp_get_num_threads());
        RELEASE(context);
    }
    ACQUIRE(context);
}

const stn_exec_calls stn_openmp_calls = {.kind = "openmp",
                                         .has_loops = 1,
                                         .open = open_openmp,
                                         .launch = launch,
                                         .launch_together = launch,
                                         .has_lost_threads = has_lost_threads};
#else
static stn_status refuse(const char *resource, const char *options, stn_exec *exec)
{
    (void)options, (void)exec;
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "executor '%s': this library was built without OpenMP; use 'threads'",
                    resource);
}

const stn_exec_calls stn_openmp_calls = {
    .kind = "openmp", .open = refuse, .launch = stn_exec_launch_alone};
#endif
