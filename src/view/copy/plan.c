/* From strides to loops. */
#include "view/copy/plan.h"

#include "core/memory.h"
#include "view/copy/block.h"
#include "view/copy/run.h"

/* Dimensions with fewer indices are not transposed in registers. */
enum { MIN_BLOCK = 4 };

void stn_copy_plan_add(stn_copy_plan *plan, int64_t extent, int64_t to_step, int64_t from_step)
{
    if (extent == 1)
        return;
    if (to_step < 0) { /* traversed in the opposite direction */
        plan->to += (extent - 1) * to_step;
        plan->from += (extent - 1) * from_step;
        to_step = -to_step;
        from_step = -from_step;
    }
    plan->dim[plan->rank++] = (stn_copy_dim){extent, to_step, from_step};
}

static int64_t size_of(int64_t step)
{
    return step < 0 ? -step : step;
}

static int comes_before(const stn_copy_dim *a, const stn_copy_dim *b)
{
    return a->to != b->to ? a->to > b->to : size_of(a->from) > size_of(b->from);
}

static int is_read_before(const stn_copy_dim *a, const stn_copy_dim *b)
{
    return size_of(a->from) > size_of(b->from);
}

static void sort(stn_copy_dim *dims, int rank,
                 int (*is_before)(const stn_copy_dim *, const stn_copy_dim *))
{
    for (int d = 1; d < rank; d++) {
        const stn_copy_dim dim = dims[d];
        int at = d;
        for (; at > 0 && is_before(&dim, &dims[at - 1]); at--)
            dims[at] = dims[at - 1];
        dims[at] = dim;
    }
}

static void fuse(stn_copy_plan *plan)
{
    int last = 0;
    for (int d = 1; d < plan->rank; d++) {
        stn_copy_dim *outer = &plan->dim[last];
        const stn_copy_dim inner = plan->dim[d];
        if (outer->to == inner.to * inner.extent && outer->from == inner.from * inner.extent)
            *outer = (stn_copy_dim){outer->extent * inner.extent, inner.to, inner.from};
        else
            plan->dim[++last] = inner;
    }
    plan->rank = plan->rank ? last + 1 : 0;
}

/* Blocks are transposed if `from` has a dimension with a smaller step than in the fastest
 * dimension of `to`. Steps of 0 repeat elements and are never the fastest. */
static int find_from_axis(const stn_copy_plan *plan)
{
    const int last = plan->rank - 1;
    int from_axis = last;
    if (plan->dim[last].extent < MIN_BLOCK || plan->dim[last].from == 0)
        return last;
    for (int d = 0; d < last; d++)
        if (plan->dim[d].from != 0 && plan->dim[d].extent >= MIN_BLOCK &&
            size_of(plan->dim[d].from) < size_of(plan->dim[from_axis].from))
            from_axis = d;
    return from_axis;
}

void stn_copy_plan_finish(stn_copy_plan *plan)
{
    sort(plan->dim, plan->rank, comes_before);
    fuse(plan);
    if (plan->rank == 0)
        plan->dim[plan->rank++] = (stn_copy_dim){1, plan->to_bytes, plan->from_bytes};
    /* Whole lines are scattered rather than gathered. */
    if (plan->dim[plan->rank - 1].extent * plan->to_bytes >= STN_LINE)
        sort(plan->dim, plan->rank - 1, is_read_before);
    plan->from_axis = find_from_axis(plan);
}

int64_t stn_copy_plan_count(const stn_copy_plan *plan)
{
    int64_t count = 1;
    for (int d = 0; d < plan->rank; d++)
        count *= plan->dim[d].extent;
    return count;
}

void stn_copy_plan_run(const stn_exec *exec, const stn_copy_plan *plan)
{
    if (plan->from_axis != plan->rank - 1)
        stn_copy_blocks(exec, plan);
    else
        stn_copy_runs(exec, plan);
}

void stn_copy_indices(const stn_copy_dim *dims, int rank, int64_t position, int64_t *indices)
{
    for (int d = rank - 1; d >= 0; d--) {
        indices[d] = position % dims[d].extent;
        position /= dims[d].extent;
    }
}

void stn_copy_seek(const stn_copy_dim *dims, int rank, int64_t position, stn_copy_position *walk)
{
    stn_copy_indices(dims, rank, position, walk->index);
    walk->to = walk->from = 0;
    for (int d = 0; d < rank; d++) {
        walk->to += walk->index[d] * dims[d].to;
        walk->from += walk->index[d] * dims[d].from;
    }
}

void stn_copy_step(const stn_copy_dim *dims, int rank, stn_copy_position *walk)
{
    for (int d = rank - 1; d >= 0; d--) {
        walk->to += dims[d].to;
        walk->from += dims[d].from;
        if (++walk->index[d] < dims[d].extent)
            return;
        walk->to -= dims[d].extent * dims[d].to;
        walk->from -= dims[d].extent * dims[d].from;
        walk->index[d] = 0;
    }
}
