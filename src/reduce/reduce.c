/* Public reductions: to one value, or over some dimensions into a view. */
#include "reduce/remote.h"

#include "core/modes.h"
#include "core/status.h"
#include "view/trace.h"

static stn_status expect(const stn_exec *exec, const stn_reduction *reduction,
                         const stn_argument *arguments)
{
    STN_TRY(stn_kernel_expect("stn_reduce_run", reduction ? &reduction->kernel : NULL,
                              sizeof *reduction));
    if (!arguments)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: arguments is NULL", reduction->kernel.name);
    for (int at = 0; at < reduction->kernel.count; at++) {
        const stn_parameter *const parameter = &reduction->kernel.parameters[at];
        if (parameter->kind > STN_PARAMETER_IN && parameter->kind != STN_PARAMETER_GATHER)
            return stn_fail(
                STN_ERR_UNSUPPORTED,
                "kernel %s: the kind of parameter %s is not available in reductions and scans",
                reduction->kernel.name, parameter->name);
    }
    return stn_kernel_expect_exec(&reduction->kernel, exec);
}

stn_status stn_reduce_begin(stn_reduce_job *job, const stn_exec *exec,
                            const stn_reduction *reduction, stn_format arithmetic,
                            const stn_argument *arguments)
{
    STN_TRY(expect(exec, reduction, arguments));
    job->launch.exec = exec;
    job->launch.kernel = &reduction->kernel;
    job->launch.arithmetic = arithmetic;
    job->reduction = reduction;
    job->result = NULL;
    job->states = NULL;
    memset(job->rescaled, 0, sizeof job->rescaled);
    return STN_OK;
}

stn_status stn_reduce_acquire_workspaces(stn_reduce_job *job)
{
    return stn_launch_error_prefix(
        &job->launch, stn_workspaces_acquire(job->launch.exec, &job->launch.workspaces));
}

void stn_reduce_store_empty(const stn_reduce_job *job)
{
    _Alignas(16) char state[STN_STATE_BYTES];
    job->monoid.identity(state);
    for (int64_t output = 0; output < job->outputs; output++)
        stn_reduce_store(job, output, state, 1);
}

static void store_one_by_one(const stn_reduce_job *job)
{
    for (int64_t output = 0; output < job->outputs; output++) {
        _Alignas(16) char state[STN_STATE_BYTES];
        stn_reduce_reference(job, output, job->scale, state);
        stn_reduce_store(job, output, state, 1);
    }
}

void stn_reduce_range(stn_reduce_job *job, int64_t begin, int64_t count, void *states, int64_t step)
{
    job->begin = begin;
    job->count = count;
    job->states = states;
    job->state_step = step;
    if (states && job->outputs == 1 && count <= STN_TILE_ELEMENTS)
        stn_fold_mapped(&job->monoid, stn_reduce_map(job, 0, begin, count, NULL), count,
                        job->first + begin, job->scale, states);
    else if (job->direction == STN_CONTIGUOUS)
        stn_reduce_contiguous(job);
    else
        stn_reduce_strided(job);
    job->states = NULL;
}

/* A norm whose squares overflow or underflow is recomputed completely. */
static void calculate_whole(stn_reduce_job *job)
{
    _Alignas(16) char state[STN_STATE_BYTES];
    stn_reduce_range(job, 0, job->elements, state, 0);
    job->scale = stn_norm_scale(job, state);
    if (job->scale != 1.0)
        stn_reduce_range(job, 0, job->elements, state, 0);
    stn_reduce_store(job, 0, state, 1);
}

static void calculate_on_host(stn_reduce_job *job)
{
    if (job->elements == 0)
        stn_reduce_store_empty(job);
    else if (stn_exec_is_reference(job->launch.exec))
        store_one_by_one(job);
    else if (job->kept.count == 0)
        calculate_whole(job);
    else
        stn_reduce_range(job, 0, job->elements, NULL, 0);
}

static stn_status calculate(stn_reduce_job *job)
{
    if (stn_exec_device(job->launch.exec))
        return job->outputs > 0 ? stn_reduce_remote(job) : STN_OK;
    STN_TRY(stn_reduce_acquire_workspaces(job));
    if (job->outputs > 0)
        calculate_on_host(job);
    stn_workspaces_return(job->launch.workspaces);
    return STN_OK;
}

static stn_event_data trace_of(const stn_reduce_job *job)
{
    if (job->result)
        return stn_view_trace(job->result);
    return (stn_event_data){"result", "host", job->value, stn_reduce_value_bytes(&job->monoid)};
}

/* Stores into a value or a view. */
static stn_status run(const stn_exec *exec, const stn_reduction *reduction, stn_format arithmetic,
                      int rank, const int64_t *extents, stn_reduced_dimensions dimensions,
                      unsigned reduced, void *value, const stn_view *result,
                      const stn_argument *arguments)
{
    stn_reduce_job job; /* large: only used members are set */
    STN_TRY(stn_reduce_begin(&job, exec, reduction, arithmetic, arguments));
    const char *const name = reduction->kernel.name;
    stn_slot slots[reduction->kernel.count + 1];
    job.launch.slots = slots;
    job.value = value;
    if (!value && !result)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: result is NULL", name);
    STN_TRY(stn_reduce_plan(&job, rank, extents, dimensions, reduced, result, arguments));
    const int is_traced = stn_event_is_traced();
    const uint64_t trace = is_traced ? stn_event_kernel_begins(name, trace_of(&job)) : 0;
    const stn_status status = calculate(&job);
    if (trace)
        stn_event_kernel_ends(name, trace_of(&job), trace);
    return status ? status : stn_launch_report(&job.launch);
}

stn_status stn_reduce_run(const stn_exec *exec, const stn_reduction *reduction,
                          stn_format arithmetic, int rank, const int64_t *extents, void *result,
                          const stn_argument *arguments)
{
    STN_RETURN_IN_MODES(run(exec, reduction, arithmetic, rank, extents, STN_REDUCED_ALL, 0, result,
                            NULL, arguments));
}

stn_status stn_reduce_into(const stn_exec *exec, const stn_reduction *reduction,
                           stn_format arithmetic, int rank, const int64_t *extents,
                           unsigned reduced, const stn_view *result, const stn_argument *arguments)
{
    STN_RETURN_IN_MODES(run(exec, reduction, arithmetic, rank, extents, STN_REDUCED_GIVEN, reduced,
                            NULL, result, arguments));
}
