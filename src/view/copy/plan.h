/* Copies between two lists of strides as loops: the dimensions, their order, and the distribution
 * to threads. */
#ifndef STENO_VIEW_COPY_PLAN_H
#define STENO_VIEW_COPY_PLAN_H

#include "exec/exec.h"
#include "format/run.h"

/* A tiled dimension counts twice: tiles, and elements within them. */
enum { STN_COPY_RANK = 16 };

/* Dimensions, and their steps in bytes on both sides. */
typedef struct stn_copy_nest {
    int rank;
    int64_t extent[STN_COPY_RANK], to[STN_COPY_RANK], from[STN_COPY_RANK];
} stn_copy_nest;

/* Elements that are decoded and encoded rather than moved. */
typedef struct stn_conversion {
    stn_run to, from;
    int64_t value_bytes; /* of a decoded element */
    int widens;          /* 64-bit integers become doubles before the final rounding */
} stn_conversion;

/* Converts values decoded by conversion->from to the type that conversion->to encodes. */
void stn_conversion_widen(const stn_conversion *conversion, void *values, int64_t count);

/* Are contiguous codes of the run, at this stride, values of the arithmetic type? */
static inline int stn_conversion_keeps(const stn_run *run, int64_t stride)
{
    return stride == 1 && run->real == run->arithmetic && run->affine.plain;
}

typedef struct stn_copy_plan {
    char *to;
    const char *from;
    int64_t to_bytes, from_bytes;     /* of one element */
    const stn_conversion *conversion; /* NULL: codes are moved; both have the same size */
    int streaming;                    /* whole lines are written by non-temporal stores */
    int from_axis;                    /* fastest dimension of `from` */
    stn_copy_nest nest; /* sorted by the steps of `to`; of rank 1 at least in a finished plan */
} stn_copy_plan;

/* Appends a dimension. */
static inline void stn_copy_nest_add(stn_copy_nest *nest, int64_t extent, int64_t to, int64_t from)
{
    nest->extent[nest->rank] = extent;
    nest->to[nest->rank] = to;
    nest->from[nest->rank++] = from;
}

/* The same unless its extent is 1, traversed so that the step of `to` is not negative. */
void stn_copy_plan_add(stn_copy_plan *plan, int64_t extent, int64_t to_step, int64_t from_step);

/* Sorts the dimensions, and merges adjacent ones that are contiguous on both sides. */
void stn_copy_plan_finish(stn_copy_plan *plan);

/* The number of elements of the first `rank` dimensions. */
int64_t stn_copy_count(const stn_copy_nest *nest, int rank);

/* Executes a finished plan; its elements must not overlap. exec NULL: the calling thread. */
void stn_copy_plan_run(const stn_exec *exec, const stn_copy_plan *plan);

/* Indices, and the byte offsets from the first element on both sides. */
typedef struct stn_copy_position {
    int64_t index[STN_COPY_RANK];
    int64_t to, from;
} stn_copy_position;

/* The element with a number in C order of the first `rank` dimensions, and the next element. */
void stn_copy_seek(const stn_copy_nest *nest, int rank, int64_t number, stn_copy_position *at);
void stn_copy_step(const stn_copy_nest *nest, int rank, stn_copy_position *at);

#endif
