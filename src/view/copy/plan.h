/* Copies between two lists of strides as loops: the dimensions, their order, and the distribution
 * to threads. */
#ifndef STENO_VIEW_COPY_PLAN_H
#define STENO_VIEW_COPY_PLAN_H

#include "exec/exec.h"
#include "format/run.h"

/* A tiled dimension counts twice: tiles, and elements within them. */
enum { STN_COPY_RANK = 16 };

typedef struct stn_copy_dim {
    int64_t extent, to, from; /* steps in bytes */
} stn_copy_dim;

/* Elements that are decoded and encoded rather than moved. */
typedef struct stn_conversion {
    stn_run to, from;
    int64_t value_bytes; /* of a decoded element */
    int widens;          /* 64-bit integers become doubles before the final rounding */
} stn_conversion;

/* Converts values decoded by conversion->from to the type that conversion->to encodes. */
void stn_conversion_widen(const stn_conversion *conversion, void *values, int64_t count);

typedef struct stn_copy_plan {
    char *to;
    const char *from;
    int64_t to_bytes, from_bytes;     /* of one element */
    const stn_conversion *conversion; /* NULL: codes are moved; both have the same size */
    int streaming;                    /* whole lines are written by non-temporal stores */
    int rank;                         /* at least 1 in a finished plan */
    int from_axis;                    /* fastest dimension of `from` */
    stn_copy_dim dim[STN_COPY_RANK];  /* sorted by the steps of `to`; the last is the fastest */
} stn_copy_plan;

/* Appends a dimension, unless its extent is 1. */
void stn_copy_plan_add(stn_copy_plan *plan, int64_t extent, int64_t to_step, int64_t from_step);

/* Sorts the dimensions, and merges adjacent ones that are contiguous on both sides. */
void stn_copy_plan_finish(stn_copy_plan *plan);

/* The number of elements of the plan. */
int64_t stn_copy_plan_count(const stn_copy_plan *plan);

/* Executes a finished plan; its elements must not overlap. exec NULL: the calling thread. */
void stn_copy_plan_run(const stn_exec *exec, const stn_copy_plan *plan);

/* The indices of element `position` in the order of the dimensions, the last being the fastest. */
void stn_copy_indices(const stn_copy_dim *dims, int rank, int64_t position, int64_t *indices);

/* Indices, and the byte offsets from the first element on both sides. */
typedef struct stn_copy_position {
    int64_t index[STN_COPY_RANK];
    int64_t to, from;
} stn_copy_position;
void stn_copy_seek(const stn_copy_dim *dims, int rank, int64_t position, stn_copy_position *walk);
void stn_copy_step(const stn_copy_dim *dims, int rank, stn_copy_position *walk);

#endif
