/* Planning of a reduction: checks, kept dimensions, and merged ones. */
#include "reduce/job.h"

#include "core/status.h"
#include "reduce/array_functions.h"
#include "view/number.h"
#include "view/overlap.h"

/* ---- the result ---- */

/* Integers are stored in integer formats directly, and in floats through doubles. */
static stn_status init_result_run(stn_reduce_job *job, const char *what, const stn_view *result)
{
    const stn_format_entry *entry = stn_format_entry_of(result->storage.format);
    stn_format arithmetic = job->monoid.result;
    if (arithmetic == STN_I64 && entry && entry->info.kind != STN_CLASS_INTEGER)
        arithmetic = STN_F64;
    STN_TRY(stn_launch_error_prefix(
        &job->launch, stn_reader_init(&job->writer, what, job->launch.exec, arithmetic, result)));
    job->result = result;
    return STN_OK;
}

static stn_status refuse_shape(const char *name, const char *what, int rank, const int64_t *extent,
                               const stn_view *result)
{
    char extents_text[STN_EXTENTS_TEXT];
    stn_launch_write_extents(rank, extent, extents_text);
    return stn_fail(STN_ERR_SHAPE, "kernel %s: %s must have %s%s: %s", name, what,
                    rank ? "extents " : "", extents_text, stn_view_text(result));
}

/* Results of a device may also be stored in host memory, by the host. */
static const stn_exec *reached_by(const stn_reduce_job *job, const stn_view *result)
{
    return result->space == STN_SPACE_HOST ? NULL : job->launch.exec;
}

stn_status stn_reduce_set_result(stn_reduce_job *job, const char *what, unsigned reduced,
                                 const stn_view *result)
{
    const stn_launch *launch = &job->launch;
    const char *name = launch->kernel->name;
    int kept = 0;
    int64_t extent[STN_MAX_RANK + 1];
    STN_TRY(stn_launch_expect_view(launch, what, result));
    STN_TRY(stn_launch_error_prefix(launch,
                                    stn_view_expect_usable(what, reached_by(job, result), result)));
    if (stn_view_is_read_only(result))
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: %s is read-only: %s", name, what,
                        stn_view_text(result));
    for (int d = 0; d < launch->rank; d++)
        if (!(reduced >> d & 1))
            extent[kept++] = launch->extent[d];
    if (job->monoid.results > 1)
        extent[kept++] = job->monoid.results;
    if (kept > STN_MAX_RANK)
        return stn_fail(STN_ERR_SHAPE,
                        "kernel %s: %s would have rank %d: %d dimensions and one for %d results",
                        name, what, kept, kept - 1, job->monoid.results);
    if (result->rank != kept || memcmp(extent, result->extent, (size_t)kept * sizeof *extent) != 0)
        return refuse_shape(name, what, kept, extent, result);
    if (!stn_view_is_unique(result))
        return stn_fail(STN_ERR_ALIAS, "kernel %s: %s repeats elements: %s", name, what,
                        stn_view_text(result));
    for (int at = 0; at < launch->kernel->count; at++)
        if (launch->slots[at].view && stn_view_may_share(result, launch->slots[at].view))
            return stn_fail(STN_ERR_ALIAS, "kernel %s: %s overlaps %s: %s and %s", name, what,
                            launch->kernel->parameters[at].name, stn_view_text(result),
                            stn_view_text(launch->slots[at].view));
    return init_result_run(job, what, result);
}

/* ---- axes ---- */

/* Appends dimension d of the space to the axes. */
static void add_axis(stn_reduce_job *job, stn_axes *axes, int d)
{
    const stn_launch *launch = &job->launch;
    axes->at[axes->count] = d;
    axes->extent[axes->count] = launch->extent[d];
    for (int v = 0; v < launch->views; v++) {
        const int at = launch->view_at[v];
        axes->stride[at][axes->count] = launch->slots[at].stride[d];
    }
    axes->count++;
}

/* Without indices, merges axes, with the strides of the result if it is not NULL. */
static void join_axes(stn_reduce_job *job, stn_axes *axes, int64_t *result)
{
    const stn_launch *launch = &job->launch;
    int64_t *stride[STN_MAX_PARAMETERS + 1];
    stn_nest nest = {axes->count, axes->extent, axes->at, launch->views, stride};
    for (int v = 0; v < launch->views; v++)
        stride[v] = axes->stride[launch->view_at[v]];
    if (result)
        stride[nest.operands++] = result;
    stn_nest_join(&nest);
    axes->count = nest.rank == 1 && axes->extent[0] == 1 ? 0 : nest.rank;
}

/* An axis of one element. */
static void add_empty_axis(stn_reduce_job *job, stn_axes *axes)
{
    const stn_launch *launch = &job->launch;
    axes->at[0] = -1;
    axes->extent[0] = 1;
    for (int v = 0; v < launch->views; v++)
        axes->stride[launch->view_at[v]][0] = 0;
    axes->count = 1;
}

/* The product overflows only if other axes have no elements; then it is treated as empty. */
static int64_t count_of(stn_axes *axes)
{
    int64_t count = 1;
    stn_launch_empty(axes->count, axes->extent);
    for (int a = 0; a < axes->count; a++)
        if (__builtin_mul_overflow(count, axes->extent[a], &count)) {
            axes->extent[0] = count = 0;
            stn_launch_empty(axes->count, axes->extent);
        }
    return count;
}

/* ---- loops ---- */

static void choose_loops(stn_reduce_job *job)
{
    stn_launch *launch = &job->launch;
    for (int at = 0; at < launch->kernel->count; at++) {
        const stn_slot *slot = &launch->slots[at];
        if (stn_parameter_is_field(slot->kind))
            stn_launch_set_field(launch, at);
        else if (slot->view)
            job->plain[at] = stn_launch_is_plain(launch, slot);
    }
}

/* The view that an expression consists of, from these alignments; or -1. */
static int find_view(const stn_kernel *kernel, int32_t once, int32_t again)
{
    for (int at = 0; at < kernel->count && at < STN_TAGGED; at++)
        if (once == 32 << at && again == 64 << at)
            return kernel->parameters[at].kind == STN_PARAMETER_IN ? at : -1;
    return -1;
}

/* Elements that equal those of a view need no mapping. */
static void find_bare(stn_reduce_job *job)
{
    const stn_kernel *const kernel = &job->reduction->kernel;
    const int multiplies = job->reduction->operation == STN_REDUCE_WITH_products;
    int32_t alignments[4] = {0};
    job->reduction->bare(alignments);
    job->x = find_view(kernel, alignments[0], alignments[2]);
    job->y = multiplies ? find_view(kernel, alignments[1], alignments[3]) : -1;
    job->bare = multiplies ? -1 : job->x;
}

static const stn_reader *find_row(const stn_reduce_job *job, int at)
{
    const int last = job->reduced.count - 1;
    if (at < 0 || (job->reduced.stride[at][last] == 0 && job->reduced.extent[last] != 1))
        return NULL;
    return &job->launch.slots[at].reader;
}

/* Loops for sums, means, variances, norms and extremes of a view, and sums of products of two. */
static stn_code_loops loops_of(const stn_reduce_job *job)
{
    if (job->reduction == stn_reduction_of_variances)
        return STN_LOOPS_OF_MOMENTS;
    if (job->reduction == stn_reduction_of_means)
        return STN_LOOPS_OF_SUMS;
    switch (job->reduction->operation) {
    case STN_REDUCE_WITH_sum:
    case STN_REDUCE_WITH_products:
    case STN_REDUCE_WITH_norm2:
        return STN_LOOPS_OF_SUMS;
    case STN_REDUCE_WITH_min:
    case STN_REDUCE_WITH_max:
    case STN_REDUCE_WITH_argmin:
    case STN_REDUCE_WITH_argmax:
        return STN_LOOPS_OF_EXTREMES;
    default:
        return STN_NO_LOOPS;
    }
}

/* These loops read codes directly, whatever the program was compiled for. Not used for a single
 * tile. */
static void find_codes(stn_reduce_job *job)
{
    const stn_reduction_kind operation = job->reduction->operation;
    const stn_code_loops loops = loops_of(job);
    int is_found;
    job->loops = STN_NO_LOOPS;
    if (loops == STN_NO_LOOPS || !stn_exec_has_loops(job->launch.exec) ||
        (job->outputs <= 1 && job->elements <= STN_TILE_ELEMENTS))
        return;
    if (job->monoid.own)
        job->x = 1; /* follows a scalar */
    const stn_reader *const x = find_row(job, job->x), *const y = find_row(job, job->y);
    if (!x || (operation == STN_REDUCE_WITH_products && !y))
        return;
    if (loops == STN_LOOPS_OF_EXTREMES) {
        stn_extremes_find(&job->extremes, x);
        is_found = job->extremes.bytes > 0 && (job->extremes.is_injective || !job->numbered);
    } else {
        stn_code_sum_find(&job->codes, job->launch.exec, job->launch.arithmetic, x,
                          operation == STN_REDUCE_WITH_norm2 ? x : y);
        is_found = job->codes.fused != NULL;
    }
    if (is_found && loops == STN_LOOPS_OF_MOMENTS)
        job->codes.affine[0] = x->run.affine;
    job->loops = is_found ? loops : STN_NO_LOOPS;
}

void stn_reduce_set_operation(stn_reduce_job *job)
{
    job->monoid = stn_monoid_of(job->reduction, job->launch.arithmetic);
    job->numbered = stn_operation_is_numbered(job->reduction->operation);
    find_bare(job);
}

/* ---- planning ---- */

/* A device accesses elements of some views by their indices. */
static int has_locations(const stn_reduce_job *job)
{
    const stn_launch *launch = &job->launch;
    const stn_view *result = job->result;
    int has = result && (!job->writer.plain || result->storage.rounding == STN_ROUND_STOCHASTIC);
    for (int v = 0; v < launch->views; v++)
        has |= !launch->slots[launch->view_at[v]].reader.plain;
    return has;
}

void stn_reduce_lay_out(stn_reduce_job *job, unsigned reduced, const int64_t *result_step,
                        const int64_t *total_step, int64_t *total_stride)
{
    stn_launch *launch = &job->launch;
    if (stn_exec_device(launch->exec))
        launch->indexed |= has_locations(job);
    job->indexed = launch->indexed;
    job->first = 0;
    job->scale = 1.0;
    job->kept.count = job->reduced.count = 0;
    for (int d = 0, kept = 0; d < launch->rank; d++)
        if (reduced >> d & 1) {
            add_axis(job, &job->reduced, d);
        } else {
            job->result_stride[job->kept.count] = result_step ? result_step[kept] : 0;
            if (total_step)
                total_stride[job->kept.count] = total_step[kept];
            kept++;
            add_axis(job, &job->kept, d);
        }
    job->outputs = count_of(&job->kept);
    job->elements = count_of(&job->reduced);
    if (!job->indexed) {
        if (!total_step)
            join_axes(job, &job->kept, job->result_stride);
        join_axes(job, &job->reduced, NULL);
    }
    if (job->reduced.count == 0)
        add_empty_axis(job, &job->reduced);
    choose_loops(job);
}

stn_status stn_reduce_plan(stn_reduce_job *job, int rank, const int64_t *extents,
                           stn_reduced_dimensions dimensions, unsigned reduced,
                           const stn_view *result, const stn_argument *arguments)
{
    stn_launch *launch = &job->launch;
    STN_TRY(stn_launch_find(launch, rank, extents, arguments));
    stn_reduce_set_operation(job);
    if (dimensions == STN_REDUCED_ALL)
        reduced = (1u << launch->rank) - 1;
    if (reduced >> launch->rank)
        return stn_fail(STN_ERR_ARGUMENT,
                        "kernel %s: reduced is 0x%x, but the kernel runs over %d dimension%s; only "
                        "bits of 0x%x are allowed",
                        launch->kernel->name, reduced, launch->rank, launch->rank == 1 ? "" : "s",
                        (1u << launch->rank) - 1);
    if (result)
        STN_TRY(stn_reduce_set_result(job, "result", reduced, result));
    stn_reduce_lay_out(job, reduced, result ? job->writer.steps : NULL, NULL, NULL);
    job->result_step = result && job->monoid.results > 1 ? job->writer.steps[result->rank - 1] : 0;
    find_codes(job);
    job->direction = stn_reduce_choose_direction(job);
    return STN_OK;
}
