/* The order of dimensions. */
#include "core/nest.h"

#include <string.h>

static void swap(int64_t *values, int d, int e)
{
    const int64_t kept = values[d];
    values[d] = values[e];
    values[e] = kept;
}

static void swap_dimensions(stn_nest *nest, int d, int e)
{
    swap(nest->extent, d, e);
    for (int k = 0; k < nest->operands; k++)
        swap(nest->step[k], d, e);
    if (nest->axis) {
        const int axis = nest->axis[d];
        nest->axis[d] = nest->axis[e];
        nest->axis[e] = axis;
    }
}

void stn_nest_sort(stn_nest *nest, stn_nest_order *must_swap, const void *context)
{
    for (int d = 1; d < nest->rank; d++)
        for (int e = d; e > 0 && must_swap(context, e - 1, e); e--)
            swap_dimensions(nest, e - 1, e);
}

int stn_nest_by_step(const void *steps, int outer, int inner)
{
    const int64_t *const step = steps;
    return stn_stride_length(step[outer]) < stn_stride_length(step[inner]);
}

static void remove_dimension(stn_nest *nest, int d)
{
    const size_t rest = (size_t)(--nest->rank - d);
    memmove(nest->extent + d, nest->extent + d + 1, rest * sizeof *nest->extent);
    for (int k = 0; k < nest->operands; k++)
        memmove(nest->step[k] + d, nest->step[k] + d + 1, rest * sizeof **nest->step);
    if (nest->axis)
        memmove(nest->axis + d, nest->axis + d + 1, rest * sizeof *nest->axis);
}

/* Does each step equal the length of the next dimension? */
static int continues(const stn_nest *nest, int d)
{
    int64_t length;
    for (int k = 0; k < nest->operands; k++)
        if (__builtin_mul_overflow(nest->step[k][d + 1], nest->extent[d + 1], &length) ||
            nest->step[k][d] != length)
            return 0;
    return 1;
}

void stn_nest_join(stn_nest *nest)
{
    for (int d = nest->rank - 1; d >= 0 && nest->rank > 1; d--)
        if (nest->extent[d] == 1)
            remove_dimension(nest, d);
    for (int d = nest->rank - 2; d >= 0; d--)
        if (continues(nest, d)) {
            const int64_t extent = nest->extent[d] * nest->extent[d + 1];
            remove_dimension(nest, d);
            nest->extent[d] = extent;
        }
}
