/* Executors: creation, release, and running work on them. */
#include "exec/exec.h"

#include "core/cpu.h"
#include "core/event.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "core/tune.h"
#include "exec/cuda/device.h"
#include "exec/forks.h"
#include "exec/opened.h"
#include "exec/resource.h"
#include "exec/workspace.h"

static const stn_exec_calls alone_calls = {.has_loops = 1, .launch = stn_exec_launch_alone};

const stn_exec stn_exec_alone = {
    .alive = STN_EXEC_ALIVE, .has_loops = 1, .calls = &alone_calls, .threads = 1, .streams = 1};

stn_status stn_exec_check(const char *call, const stn_exec *exec)
{
    return !exec || exec->alive == STN_EXEC_ALIVE
               ? STN_OK
               : stn_fail(STN_ERR_ARGUMENT, "%s: exec is not an executor, or has been released",
                          call);
}

stn_status stn_exec_expect(const char *call, const stn_exec *exec)
{
    if (!exec)
        return stn_fail(STN_ERR_ARGUMENT, "%s: exec is NULL", call);
    STN_TRY(stn_exec_check(call, exec));
    if (stn_exec_lost_threads(exec))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: this process was forked after OpenMP threads were started, and does "
                        "not have them; use the executor 'threads', or fork earlier",
                        call);
    return STN_OK;
}

/* ---- creation ---- */

static stn_status prepare(void)
{
    stn_forks_watch();
    STN_TRY(stn_isa_check_environment());
    return stn_event_check_tools();
}

stn_status stn_exec_out_of_memory(const char *name, int threads)
{
    return stn_fail(STN_ERR_MEMORY, "executor '%s': no memory for its %d thread%s", name, threads,
                    threads == 1 ? "" : "s");
}

static void close_parts(const stn_exec *exec)
{
    if (exec->calls->close)
        exec->calls->close(exec);
    stn_workspaces_release(exec->workspaces);
    stn_device_release(exec->device);
    stn_device_release(exec->compiler);
}

static stn_status create(const char *resource, stn_exec result, stn_exec **exec)
{
    if ((!result.device && stn_workspaces_create(resource, &result, &result.workspaces)) ||
        stn_allocate(exec, 1, sizeof result, resource)) {
        close_parts(&result);
        return stn_exec_out_of_memory(resource, result.threads);
    }
    **exec = result;
    return STN_OK;
}

stn_status stn_exec_create(stn_exec **exec, const char *resource)
{
    stn_exec result = {.alive = STN_EXEC_ALIVE, .threads = 1, .streams = 1};
    if (exec)
        *exec = NULL;
    if (!exec || !resource)
        return stn_fail(STN_ERR_ARGUMENT, "stn_exec_create: %s is NULL",
                        exec ? "resource" : "exec");
    STN_TRY(prepare());
    STN_TRY(stn_exec_parse(resource, &result));
    return create(resource, result, exec);
}

const stn_exec_calls stn_device_exec_calls = {.launch = stn_exec_launch_alone};

static stn_status adopt(const char *call, const stn_device_calls *calls, void *context,
                        void *stream, stn_exec **exec)
{
    stn_exec result = STN_EXEC_OF_DEVICE(NULL);
    if (exec)
        *exec = NULL;
    if (!exec || !context)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, exec ? "context" : "exec");
    STN_TRY(prepare());
    STN_TRY(stn_cuda_adopt(calls, context, stream, &result.device));
    stn_device_add_opened(result.device);
    return create(result.device->resource, result, exec);
}

stn_status stn_exec_adopt_cuda(stn_exec **exec, void *context, void *stream)
{
    return adopt("stn_exec_adopt_cuda", &stn_cuda_calls, context, stream, exec);
}

stn_status stn_exec_adopt_hip(stn_exec **exec, void *context, void *stream)
{
    return adopt("stn_exec_adopt_hip", &stn_hip_calls, context, stream, exec);
}

void stn_exec_release(stn_exec *exec)
{
    if (!exec || exec->alive != STN_EXEC_ALIVE)
        return;
    (void)stn_exec_wait(exec); /* other executors may use the device's views next */
    close_parts(exec);
    *(volatile int *)&exec->alive = 0;
    stn_free(exec);
}

stn_status stn_exec_wait(const stn_exec *exec)
{
    STN_TRY(stn_exec_check("stn_exec_wait", exec));
    return stn_exec_device(exec) ? stn_device_wait(exec->device) : STN_OK;
}

const char *stn_exec_name(const stn_exec *exec)
{
    return !exec ? "no executor" : exec->device ? exec->device->calls->kind : exec->calls->kind;
}

int stn_exec_threads(const stn_exec *exec)
{
    return exec ? exec->threads : 0;
}

/* ---- running ---- */

void stn_exec_launch_alone(int threads, stn_thread_work *work, void *context)
{
    (void)threads;
    work(context, 0, 1);
}

typedef struct parts_job {
    stn_work *work;
    void *context;
    int parts;
} parts_job;

static void run_share(void *context, int thread, int threads)
{
    const parts_job *const job = context;
    const stn_modes modes = stn_modes_enter();
    for (int part = thread; part < job->parts; part += threads)
        job->work(job->context, part, job->parts);
    stn_modes_leave(modes);
}

void stn_exec_run_parts(const stn_exec *exec, int parts, stn_work *work, void *context)
{
    parts_job job = {work, context, parts};
    if (parts > 1)
        exec->calls->launch(parts, run_share, &job);
    else
        work(context, 0, 1); /* the caller has set the modes */
}

void stn_exec_run(const stn_exec *exec, stn_work *work, void *context)
{
    stn_exec_run_parts(exec, exec->threads, work, context);
}

static void run_part(void *context, int thread, int threads)
{
    const parts_job *const job = context;
    const stn_modes modes = stn_modes_enter();
    job->work(job->context, thread, threads);
    stn_modes_leave(modes);
}

void stn_exec_run_together(const stn_exec *exec, double bytes, stn_work *work, void *context)
{
    parts_job job = {work, context, 0};
    if (exec->threads > 1 && !stn_is_for_one_thread(bytes))
        exec->calls->launch_together(exec->threads, run_part, &job);
    else
        work(context, 0, 1);
}

void stn_exec_run_sized(const stn_exec *exec, double bytes, stn_work *work, void *context)
{
    const int is_small = !exec || stn_is_for_one_thread(bytes);
    stn_exec_run(is_small ? &stn_exec_alone : exec, work, context);
}
