/* Aliasing of views. A byte belongs to both when
 *
 *     a + i0 * s0 + i1 * s1 + ... + u = b + j0 * t0 + ... + v
 *
 * has a solution with indices i, j inside the extents and u, v inside the elements: a linear
 * equation in bounded integers. With all steps transformed to positive ones, it is
 *
 *     x0 * c0 + x1 * c1 + ... = target,  0 <= xk <= limit k,
 *
 * and solved by a search that begins with the largest step. Steps of arrays usually nest, so that
 * only a few values of each x leave a rest that the other terms can reach. */
#include "view/overlap.h"

#include <string.h>

#include "view/layout/mapping.h"

#include "format/registry.h"
#include "view/blocks.h"
#include "view/scale_run.h"
#include "view/segmented.h"

__extension__ typedef __int128 wide;

enum { MAX_TERMS = 2 * STN_MAX_RANK + 2 };

typedef struct equation {
    int terms;
    int64_t step[MAX_TERMS], limit[MAX_TERMS];
    wide reach[MAX_TERMS + 1];      /* maximum sum of the terms from k on */
    int64_t divisor[MAX_TERMS + 1]; /* divisor of all terms from k on; 0: none */
    wide target;
    int steps; /* of the search so far */
} equation;

static int64_t divisor_of(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Appends x * step with 0 <= x <= limit, merged with a term of the same step. */
static void add_term(equation *sum, int64_t step, int64_t limit)
{
    int at = 0;
    if (step == 0 || limit == 0)
        return;
    while (at < sum->terms && sum->step[at] > step)
        at++;
    if (at < sum->terms && sum->step[at] == step) {
        if (__builtin_add_overflow(sum->limit[at], limit, &sum->limit[at]))
            sum->limit[at] = INT64_MAX;
        return;
    }
    for (int k = sum->terms++; k > at; k--) {
        sum->step[k] = sum->step[k - 1];
        sum->limit[k] = sum->limit[k - 1];
    }
    sum->step[at] = step;
    sum->limit[at] = limit;
}

/* Adds the dimensions of a view to the side of the equation given by `sign`. */
static void add_view(equation *sum, const stn_view *view, int64_t bytes, int sign)
{
    for (int d = 0; d < view->rank; d++) {
        const int64_t last = view->extent[d] - 1;
        if (last == 0)
            continue;
        const int64_t step = view->stride[d] * bytes * sign;
        if (step < 0) /* substitutes last - x for x */
            sum->target += (wide)last * -step;
        add_term(sum, step < 0 ? -step : step, last);
    }
}

static void prepare(equation *sum)
{
    sum->reach[sum->terms] = 0;
    sum->divisor[sum->terms] = 0;
    for (int k = sum->terms - 1; k >= 0; k--) {
        sum->reach[k] = sum->reach[k + 1] + (wide)sum->step[k] * sum->limit[k];
        sum->divisor[k] = divisor_of(sum->divisor[k + 1], sum->step[k]);
    }
}

/* Returns whether the terms from k on can sum to `rest`; also 1 if the limit of steps is reached.
 */
static int can_reach(equation *sum, int k, wide rest)
{
    if (rest < 0 || rest > sum->reach[k])
        return 0;
    if (rest == 0)
        return 1;
    if (rest % sum->divisor[k] != 0)
        return 0;
    if (k == sum->terms - 1) /* a multiple of the last step, within its limit */
        return 1;
    const wide short_by = rest - sum->reach[k + 1], step = sum->step[k];
    wide least = short_by > 0 ? (short_by + step - 1) / step : 0;
    wide maximum = rest / step < sum->limit[k] ? rest / step : sum->limit[k];
    for (wide x = maximum; x >= least; x--)
        if (++sum->steps > STN_OVERLAP_STEPS || can_reach(sum, k + 1, rest - x * step))
            return 1;
    return 0;
}

static int strided_share(const stn_view *a, const stn_view *b)
{
    const int64_t a_bytes = stn_format_entry_of(a->storage.format)->info.bytes;
    const int64_t b_bytes = stn_format_entry_of(b->storage.format)->info.bytes;
    equation sum = {.target = (wide)(uintptr_t)b->data - (wide)(uintptr_t)a->data};
    const int is_grid = a_bytes == b_bytes && sum.target % a_bytes == 0;
    add_view(&sum, a, a_bytes, 1);
    add_view(&sum, b, b_bytes, -1);
    if (!is_grid) { /* u - v, with v negated */
        sum.target += b_bytes - 1;
        add_term(&sum, 1, a_bytes - 1 + b_bytes - 1);
    }
    prepare(&sum);
    return can_reach(&sum, 0, sum.target);
}

/* ---- mapped views ---- */

/* Returns whether two arithmetic progressions of indices, first + step * k, have a common element.
 */
static int have_common_index(int64_t a, int64_t a_step, int64_t a_count, int64_t b, int64_t b_step,
                             int64_t b_count)
{
    equation sum = {.target = (wide)b - a};
    add_term(&sum, a_step < 0 ? -a_step : a_step, a_count - 1);
    add_term(&sum, b_step < 0 ? -b_step : b_step, b_count - 1);
    if (a_step < 0)
        sum.target += (wide)(a_count - 1) * -a_step;
    if (b_step > 0)
        sum.target += (wide)(b_count - 1) * b_step;
    prepare(&sum);
    return can_reach(&sum, 0, sum.target);
}

/* The dimension of the view that corresponds to this axis of the mapping; -1: none. */
static int dimension_along(const stn_view *view, int axis)
{
    for (int d = 0; d < view->rank; d++)
        if (view->axis[d] == axis && view->stride[d] != 0)
            return d;
    return -1;
}

static int parts_share(const stn_view *a, const stn_view *b)
{
    int64_t a_base[STN_MAX_RANK], b_base[STN_MAX_RANK];
    stn_view_base(a, a_base);
    stn_view_base(b, b_base);
    for (int axis = 0; axis < stn_view_mapping(a)->rank; axis++) {
        const int i = dimension_along(a, axis), j = dimension_along(b, axis);
        if (!have_common_index(a_base[axis], i < 0 ? 0 : a->stride[i], i < 0 ? 1 : a->extent[i],
                               b_base[axis], j < 0 ? 0 : b->stride[j], j < 0 ? 1 : b->extent[j]))
            return 0;
    }
    return 1;
}

/* ---- all views ---- */

typedef struct bounds {
    uintptr_t begin, end;
} bounds;

static bounds bounds_of(const stn_view *view)
{
    const int64_t bytes = stn_format_entry_of(view->storage.format)->info.bytes;
    const uintptr_t at = (uintptr_t)view->data;
    int64_t lowest = 0, highest = 0;
    size_t all;
    if (stn_format_block(view->storage.format) && stn_blocks_range(view, &all) == view->data)
        return (bounds){at, at + all}; /* blocks of a matrix, whose elements have no addresses */
    if (stn_view_mapping(view))
        return (bounds){at, at + (uintptr_t)(stn_view_mapping(view)->span * bytes)};
    for (int d = 0; d < view->rank; d++) {
        const int64_t reach = (view->extent[d] - 1) * view->stride[d];
        lowest += reach < 0 ? reach : 0;
        highest += reach > 0 ? reach : 0;
    }
    return (bounds){at + (uintptr_t)(lowest * bytes), at + (uintptr_t)((highest + 1) * bytes)};
}

static int elements_share(const stn_view *a, const stn_view *b)
{
    for (int d = 0; d < a->rank; d++)
        if (a->extent[d] == 0)
            return 0;
    for (int d = 0; d < b->rank; d++)
        if (b->extent[d] == 0)
            return 0;
    const bounds x = bounds_of(a), y = bounds_of(b);
    if (x.end <= y.begin || y.end <= x.begin)
        return 0;
    if (!stn_view_mapping(a) && !stn_view_mapping(b))
        return strided_share(a, b);
    if (stn_planes_are_of_one_array(a, b))
        return parts_share(a, b);
    if (stn_view_mapping(a) == stn_view_mapping(b) && a->data == b->data &&
        a->storage.format == b->storage.format && !stn_mapping_is_partial(stn_view_mapping(a)))
        return parts_share(a, b);
    return 1;
}

/* Returns whether elements of a share bytes with scales of b. */
static int scales_share(const stn_view *a, const stn_view *b)
{
    const stn_scales scales = stn_scales_of(b);
    stn_view view = {.size = sizeof view,
                     .rank = b->rank,
                     .storage = stn_storage_of(scales.format),
                     .data = scales.data};
    for (int d = 0; d < b->rank; d++) {
        view.extent[d] = stn_view_scale_extent(b, &scales, d);
        view.stride[d] = scales.stride[d];
    }
    return elements_share(a, &view);
}

int stn_view_shares(const stn_view *a, const stn_view *b)
{
    return elements_share(a, b) || (stn_view_has_scales(b) && scales_share(a, b)) ||
           (stn_view_has_scales(a) && scales_share(b, a));
}

int stn_view_same_scales(const stn_view *a, const stn_view *b)
{
    if (!stn_view_has_scales(a) || !stn_view_has_scales(b))
        return stn_view_has_scales(a) == stn_view_has_scales(b) &&
               a->storage.scale == b->storage.scale;
    const stn_scales of_a = stn_scales_of(a), of_b = stn_scales_of(b);
    const stn_scales *const x = &of_a, *const y = &of_b;
    if (x->data != y->data)
        return 0;
    if (x->format != y->format || x->dimension != y->dimension)
        return 0;
    if (x->dimension >= 0 && (x->block != y->block || x->phase != y->phase))
        return 0;
    return memcmp(x->stride, y->stride, (size_t)a->rank * sizeof *x->stride) == 0;
}

int stn_view_is_same(const stn_view *a, const stn_view *b)
{
    if (a->data != b->data || stn_view_mapping(a) != stn_view_mapping(b) || a->rank != b->rank ||
        a->storage.format != b->storage.format || a->storage.zero != b->storage.zero ||
        !stn_view_same_scales(a, b))
        return 0;
    for (int d = 0; d < a->rank; d++) {
        if (a->extent[d] != b->extent[d])
            return 0;
        if (a->extent[d] > 1 && a->stride[d] != b->stride[d])
            return 0;
        if (stn_view_mapping(a) && a->axis[d] != b->axis[d])
            return 0;
    }
    return !stn_view_mapping(a) || a->first == b->first;
}
