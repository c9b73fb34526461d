/* Whether two elements of a strided view have the same location. */
#include <stdlib.h>

#include "view/view.h"

/* Two elements coincide if sum(k[d] * stride[d]) = 0 for some k that is not all 0, with |k[d]|
 * less than the extents. Dimensions are searched from the largest stride down: the reach of the
 * smaller ones leaves few k to try. */
typedef struct search {
    int rank;
    int64_t stride[STN_MAX_RANK], last[STN_MAX_RANK]; /* largest stride first */
    int64_t reach[STN_MAX_RANK + 1];                  /* of this dimension and all subsequent ones
                                                       */
    int64_t steps;
} search;

static int64_t ceil_divided(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

static int64_t floor_divided(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Returns whether the dimensions from d on can compensate for `rest`. is_zero: all k so far are 0.
 */
static int can_cancel(search *at, int d, int64_t rest, int is_zero)
{
    if (d == at->rank)
        return rest == 0 && !is_zero;
    if (--at->steps < 0)
        return 1;
    const int64_t stride = at->stride[d], reach = at->reach[d + 1];
    int64_t first = ceil_divided(-reach - rest, stride), last = floor_divided(reach - rest, stride);
    if (first < -at->last[d])
        first = -at->last[d];
    if (is_zero && first < 0)
        first = 0; /* the opposite sign is the same pair, negated */
    if (last > at->last[d])
        last = at->last[d];
    for (int64_t k = first; k <= last; k++)
        if (can_cancel(at, d + 1, rest + k * stride, is_zero && k == 0))
            return 1;
    return 0;
}

/* Returns whether the stride of every dimension exceeds the reach of the later ones, as in layout
 * right. */
static int nest(int rank, const int64_t *extents, const int64_t *strides)
{
    int64_t reach = 0;
    for (int d = rank - 1; d >= 0; d--) {
        if (extents[d] == 1)
            continue;
        if (strides[d] <= reach)
            return 0;
        reach += strides[d] * (extents[d] - 1); /* the span is known to fit */
    }
    return 1;
}

static int search_finds_none(int rank, const int64_t *extents, const int64_t *strides)
{
    search at = {.steps = 1000000};
    int64_t *const stride[] = {at.stride};
    for (int d = 0; d < rank; d++) {
        if (extents[d] > 1 && strides[d] == 0)
            return 0;
        at.stride[at.rank] = llabs(strides[d]);
        at.last[at.rank] = extents[d] - 1;
        at.rank += extents[d] > 1;
    }
    stn_nest nest = {at.rank, at.last, NULL, 1, stride};
    stn_nest_sort(&nest, stn_nest_by_step, at.stride);
    for (int d = at.rank - 1; d >= 0; d--)
        at.reach[d] = at.reach[d + 1] + at.stride[d] * at.last[d];
    return !can_cancel(&at, 0, 0, 1);
}

int stn_strides_are_unique(int rank, const int64_t *extents, const int64_t *strides)
{
    for (int d = 0; d < rank; d++)
        if (extents[d] == 0)
            return 1;
    return nest(rank, extents, strides) || search_finds_none(rank, extents, strides);
}
