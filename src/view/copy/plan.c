/* From strides to loops. */
#include "view/copy/plan.h"

#include "core/memory.h"
#include "core/nest.h"
#include "view/copy/block.h"
#include "view/copy/run.h"

/* Dimensions with fewer indices are not transposed in registers. */
enum { MIN_BLOCK = 4 };

void stn_copy_plan_add(stn_copy_plan *plan, int64_t extent, int64_t to_step, int64_t from_step)
{
    if (extent == 1)
        return;
    if (to_step < 0) {
        plan->to += (extent - 1) * to_step;
        plan->from += (extent - 1) * from_step;
        to_step = -to_step;
        from_step = -from_step;
    }
    stn_copy_nest_add(&plan->nest, extent, to_step, from_step);
}

static int is_read_faster(const void *context, int outer, int inner)
{
    const stn_copy_nest *const nest = context;
    return stn_nest_by_step(nest->from, outer, inner);
}

static int is_written_faster(const void *context, int outer, int inner)
{
    const stn_copy_nest *const nest = context;
    return nest->to[outer] != nest->to[inner] ? nest->to[outer] < nest->to[inner]
                                              : is_read_faster(nest, outer, inner);
}

/* Blocks are transposed if `from` has a dimension with a smaller step than in the fastest
 * dimension of `to`. Steps of 0 repeat elements and are never the fastest. */
static int find_from_axis(const stn_copy_nest *nest)
{
    const int last = nest->rank - 1;
    int from_axis = last;
    if (nest->extent[last] < MIN_BLOCK || nest->from[last] == 0)
        return last;
    for (int d = 0; d < last; d++)
        if (nest->from[d] != 0 && nest->extent[d] >= MIN_BLOCK &&
            stn_nest_by_step(nest->from, d, from_axis))
            from_axis = d;
    return from_axis;
}

void stn_copy_plan_finish(stn_copy_plan *plan)
{
    stn_copy_nest *const nest = &plan->nest;
    int64_t *const steps[] = {nest->to, nest->from};
    stn_nest sorted = {nest->rank, nest->extent, NULL, 2, steps};
    stn_nest_sort(&sorted, is_written_faster, nest);
    stn_nest_join(&sorted);
    nest->rank = sorted.rank;
    if (nest->rank == 0)
        stn_copy_nest_add(nest, 1, plan->to_bytes, plan->from_bytes);
    sorted.rank = nest->rank - 1;
    if (nest->extent[nest->rank - 1] * plan->to_bytes >= STN_LINE)
        stn_nest_sort(&sorted, is_read_faster, nest); /* whole lines are scattered, not gathered */
    plan->from_axis = find_from_axis(nest);
}

int64_t stn_copy_count(const stn_copy_nest *nest, int rank)
{
    int64_t count = 1;
    for (int d = 0; d < rank; d++)
        count *= nest->extent[d];
    return count;
}

void stn_copy_plan_run(const stn_exec *exec, const stn_copy_plan *plan)
{
    if (plan->from_axis != plan->nest.rank - 1)
        stn_copy_blocks(exec, plan);
    else
        stn_copy_runs(exec, plan);
}

void stn_copy_seek(const stn_copy_nest *nest, int rank, int64_t number, stn_copy_position *at)
{
    stn_nest_indices(rank, nest->extent, (uint64_t)number, at->index);
    at->to = stn_nest_offset(rank, nest->to, at->index);
    at->from = stn_nest_offset(rank, nest->from, at->index);
}

void stn_copy_step(const stn_copy_nest *nest, int rank, stn_copy_position *at)
{
    for (int d = rank - 1; d >= 0; d--) {
        at->to += nest->to[d];
        at->from += nest->from[d];
        if (++at->index[d] < nest->extent[d])
            return;
        at->to -= nest->extent[d] * nest->to[d];
        at->from -= nest->extent[d] * nest->from[d];
        at->index[d] = 0;
    }
}
