/* Executors from resource strings, and running work on them. */
#include "exec/exec.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu.h"
#include "core/event.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "core/tune.h"
#include "exec/cuda/device.h"
#include "exec/forks.h"
#include "exec/host/host.h"
#include "exec/opened.h"
#include "exec/workspace.h"

enum { MAX_THREADS = 1024, MAX_DEVICES = 1024 };

/* After a fork, the child has only the forking thread, but OpenMP still expects the threads of the
 * team. */
static _Thread_local unsigned team_age; /* 1 + forks when this thread last had a team */

int stn_exec_lost_threads(const stn_exec *exec)
{
    return exec->threads > 1 && team_age && team_age != 1 + stn_forks();
}

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
                        "not have them; fork earlier, or use an executor with one thread",
                        call);
    return STN_OK;
}

/* ---- creation ---- */

/* The value of "WORD=N", up to a comma; 0 for another option, -1 if it is not from 1 to `maximum`.
 */
static int parse_option(const char *option, const char *word, int maximum)
{
    const size_t length = strlen(word);
    if (strncmp(option, word, length) != 0)
        return 0;
    const char *digits = option + length;
    char *end;
    const long number = strtol(digits, &end, 10);
    const int good = *digits >= '0' && *digits <= '9' && (*end == '\0' || *end == ',') &&
                     number >= 1 && number <= maximum;
    return good ? (int)number : -1;
}

/* Limited, because OMP_NUM_THREADS may have any value. */
static int default_threads(void)
{
    const int given = omp_get_max_threads();
    return given < 1 ? 1 : given > MAX_THREADS ? MAX_THREADS : given;
}

stn_status stn_exec_out_of_memory(const char *name, int threads)
{
    return stn_fail(STN_ERR_MEMORY, "executor '%s': no memory for its %d thread%s", name, threads,
                    threads == 1 ? "" : "s");
}

/* Each option at most once, separated by commas. */
static stn_status parse_options(const char *resource, const char *options, stn_exec *result)
{
    int compiles = 0, streams = 0, good = 1;
    while (options && good) {
        const size_t length = strcspn(options, ",");
        const int threads = parse_option(options, "threads=", MAX_THREADS);
        const int walks = parse_option(options, "streams=", STN_MAX_STREAMS);
        if (length == strlen("jit") && strncmp(options, "jit", length) == 0)
            good = ++compiles == 1;
        else
            good = (threads > 0 && result->threads == 0) || (walks > 0 && streams == 0);
        result->threads = threads > 0 ? threads : result->threads;
        streams = walks > 0 ? walks : streams;
        options = options[length] ? options + length + 1 : NULL;
    }
    if (!good)
        return stn_fail(
            STN_ERR_ARGUMENT,
            "executor '%s': the valid options are threads=N (1 to %d), streams=N (1 to %d) and jit",
            resource, MAX_THREADS, STN_MAX_STREAMS);
    result->threads = result->threads ? result->threads : default_threads();
    if (streams)
        result->streams = streams;
    return compiles ? stn_host_open(&result->compiler) : STN_OK;
}

static const char inexact_option[] = ":inexact=allow";

/* The number after a kind and a colon, or -1; without a number, the first device. */
static int parse_number(const char *digits, int *allows)
{
    char *end;
    const long number = strtol(digits, &end, 10);
    *allows = strcmp(end, inexact_option) == 0;
    const int good = *digits >= '0' && *digits <= '9' && (*end == '\0' || *allows);
    return good && number < MAX_DEVICES ? (int)number : -1;
}

/* Devices that round differently require an explicit option. */
static stn_status refuse_inexact(stn_device *device)
{
    const stn_status status = stn_fail(
        STN_ERR_UNSUPPORTED, "%s (%s) does not compute f32 exactly: it %s; '%s%s' accepts this",
        device->resource, device->name, device->inexact, device->resource, inexact_option);
    stn_device_release(device);
    return status;
}

static stn_status parse_device(const char *resource, const char *kind, const char *colon,
                               stn_exec *result)
{
    int allows = 0;
    const int number = colon ? parse_number(colon + 1, &allows) : 0;
    result->kind = STN_EXEC_DEVICE;
    if (number < 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "executor '%s': a device is %s:N, with N from 0 to %d; %s:N%s accepts a "
                        "device that rounds differently",
                        resource, kind, MAX_DEVICES - 1, kind, inexact_option);
    STN_TRY(stn_device_open(kind, number, &result->device));
    return result->device->inexact && !allows ? refuse_inexact(result->device) : STN_OK;
}

/* Host threads, or a device. */
static stn_status parse(const char *resource, stn_exec *result)
{
    const char *colon = strchr(resource, ':');
    const size_t length = colon ? (size_t)(colon - resource) : strlen(resource);
    stn_tune tune;
    if (length == strlen("openmp") && strncmp(resource, "openmp", length) == 0) {
        result->kind = STN_EXEC_OPENMP;
        result->threads = 0;
        STN_TRY(stn_tune_get(&tune));
        result->streams = tune.streams;
        return parse_options(resource, colon ? colon + 1 : NULL, result);
    }
    for (int k = 0; stn_device_kind(k); k++)
        if (length == strlen(stn_device_kind(k)) &&
            strncmp(resource, stn_device_kind(k), length) == 0)
            return parse_device(resource, stn_device_kind(k), colon, result);
    return strcmp(resource, "reference") == 0
               ? STN_OK
               : stn_fail(STN_ERR_ARGUMENT,
                          "unknown executor '%s' (known: reference, openmp, cuda, hip, opencl)",
                          resource);
}

static stn_status prepare(void)
{
    stn_forks_watch();
    STN_TRY(stn_isa_check_environment());
    return stn_event_check_tools();
}

static stn_status create(const char *resource, stn_exec result, stn_exec **exec)
{
    if ((!result.device && stn_workspaces_create(resource, result.threads, &result.workspaces)) ||
        stn_allocate(exec, 1, sizeof result, resource)) {
        stn_workspaces_release(result.workspaces);
        stn_device_release(result.device);
        stn_device_release(result.compiler);
        return stn_exec_out_of_memory(resource, result.threads);
    }
    **exec = result;
    return STN_OK;
}

stn_status stn_exec_create(stn_exec **exec, const char *resource)
{
    stn_exec result = {
        .alive = STN_EXEC_ALIVE, .kind = STN_EXEC_REFERENCE, .threads = 1, .streams = 1};
    if (exec)
        *exec = NULL;
    if (!exec || !resource)
        return stn_fail(STN_ERR_ARGUMENT, "stn_exec_create: %s is NULL",
                        exec ? "resource" : "exec");
    STN_TRY(prepare());
    STN_TRY(parse(resource, &result));
    return create(resource, result, exec);
}

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
    stn_workspaces_release(exec->workspaces);
    stn_device_release(exec->device);
    stn_device_release(exec->compiler);
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
    return !exec                           ? "no executor"
           : exec->kind == STN_EXEC_DEVICE ? exec->device->calls->kind
           : exec->kind == STN_EXEC_OPENMP ? "openmp"
                                           : "reference";
}

int stn_exec_threads(const stn_exec *exec)
{
    return exec ? exec->threads : 0;
}

/* ---- running ---- */

static void run_share(stn_work *work, void *context, int first, int step, int parts)
{
    const stn_modes modes = stn_modes_enter();
    for (int part = first; part < parts; part += step)
        work(context, part, parts);
    stn_modes_leave(modes);
}

void stn_exec_run(const stn_exec *exec, stn_work *work, void *context)
{
    const int parts = exec->threads;
    if (parts == 1 || stn_exec_lost_threads(exec)) {
        for (int part = 0; part < parts; part++) /* the caller has set the modes */
            work(context, part, parts);
        return;
    }
    team_age = 1 + stn_forks();
#pragma omp parallel num_threads(parts)
    run_share(work, context, omp_get_thread_num(), omp_get_num_threads(), parts);
}

static void run_part(stn_work *work, void *context, int part, int parts)
{
    const stn_modes modes = stn_modes_enter();
    work(context, part, parts);
    stn_modes_leave(modes);
}

void stn_exec_run_together(const stn_exec *exec, double bytes, stn_work *work, void *context)
{
    if (exec->threads == 1 || stn_is_for_one_thread(bytes) || stn_exec_lost_threads(exec)) {
        work(context, 0, 1);
        return;
    }
    team_age = 1 + stn_forks();
#pragma omp parallel num_threads(exec->threads)
    run_part(work, context, omp_get_thread_num(), omp_get_num_threads());
}

void stn_exec_run_sized(const stn_exec *exec, double bytes, stn_work *work, void *context)
{
    static const stn_exec alone = STN_EXEC_OF_THREADS(1);
    stn_exec_run(exec && !stn_is_for_one_thread(bytes) ? exec : &alone, work, context);
}
