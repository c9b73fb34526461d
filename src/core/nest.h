/* Loop nests: the order of dimensions, and indices in C order. The last dimension is the innermost
 * one. Steps of nests without elements may have any value. */
#ifndef STENO_CORE_NEST_H
#define STENO_CORE_NEST_H

#include <stdint.h>

/* Dimensions in arrays of the caller, which sorting and joining change. */
typedef struct stn_nest {
    int rank;
    int64_t *extent;
    int *axis; /* the caller's numbers of the dimensions, or NULL */
    int operands;
    int64_t *const *step; /* of each operand, per dimension */
} stn_nest;

/* Whether a dimension and the next one, which is inside of it, must be exchanged. */
typedef int stn_nest_order(const void *context, int outer, int inner);

/* Sorts dimensions by insertion. */
void stn_nest_sort(stn_nest *nest, stn_nest_order *must_swap, const void *context);

/* Orders by the magnitudes of the steps of one operand, the largest first. */
stn_nest_order stn_nest_by_step;

/* Removes dimensions with one index, unless only one dimension is left, and joins dimensions with
 * the next one if the steps of all operands allow it. */
void stn_nest_join(stn_nest *nest);

/* The indices of an element, and its offset. An extent of 0 counts as 1. */
static inline void stn_nest_indices(int rank, const int64_t *extent, uint64_t number,
                                    int64_t *index)
{
    for (int d = rank - 1; d >= 0; d--) {
        const uint64_t count = extent[d] ? (uint64_t)extent[d] : 1;
        index[d] = (int64_t)(number % count);
        number /= count;
    }
}

static inline int64_t stn_nest_offset(int rank, const int64_t *step, const int64_t *index)
{
    uint64_t offset = 0;
    for (int d = 0; d < rank; d++)
        offset += (uint64_t)index[d] * (uint64_t)step[d];
    return (int64_t)offset;
}

/* Advances to the next indices. Returns 0 at the end, when all become 0. */
static inline int stn_nest_next(int rank, const int64_t *extent, int64_t *index)
{
    for (int d = rank - 1; d >= 0; d--) {
        if (++index[d] < extent[d])
            return 1;
        index[d] = 0;
    }
    return 0;
}

/* The magnitude of a step, which may be INT64_MIN. */
static inline uint64_t stn_stride_length(int64_t step)
{
    return step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
}

#endif
