/* Copies between two lists of strides as loops: which dimensions there are, in which order they are
 * walked through, and how the threads share them. */
#ifndef STENO_VIEW_COPY_PLAN_H
#define STENO_VIEW_COPY_PLAN_H

#include "exec/exec.h"
#include "format/run.h"

/* A tiled dimension counts twice: tiles, and elements inside them. */
enum { STN_COPY_RANK = 16 };

typedef struct stn_copy_dim {
    int64_t extent, to, from; /* steps in bytes */
} stn_copy_dim;

/* Elements that are decoded and encoded, not moved. */
typedef struct stn_conversion {
    stn_run to, from;
    int64_t value_bytes; /* of a decoded element */
    int widens;          /* integers of 64 bits become doubles that are rounded once more */
} stn_conversion;

/* What conversion->from has decoded becomes what conversion->to encodes. */
void stn_conversion_widen(const stn_conversion *conversion, void *values, int64_t count);

typedef struct stn_copy_plan {
    char *to;
    const char *from;
    int64_t to_bytes, from_bytes;     /* of one element */
    const stn_conversion *conversion; /* NULL: codes are moved, both of the same size */
    int streaming;                    /* whole lines are stored non-temporally */
    int rank;                         /* at least 1 once finished */
    int from_axis;                    /* the dimension `from` is the fastest in */
    stn_copy_dim dim[STN_COPY_RANK];  /* by steps of `to`: the last is its fastest */
} stn_copy_plan;

/* Append a dimension, unless it has one index only. */
void stn_copy_plan_add(stn_copy_plan *plan, int64_t extent, int64_t to_step, int64_t from_step);

/* Sort the dimensions, and fuse those that are one on both sides. */
void stn_copy_plan_finish(stn_copy_plan *plan);

/* Elements of the plan. */
int64_t stn_copy_plan_count(const stn_copy_plan *plan);

/* Carry out a finished plan; its elements do not overlap. exec NULL: the calling thread. */
void stn_copy_plan_run(const stn_exec *exec, const stn_copy_plan *plan);

/* The indices of `position` in the order of the dimensions, the last the fastest. */
void stn_copy_indices(const stn_copy_dim *dims, int rank, int64_t position, int64_t *indices);

/* The next ones, and the bytes they stand from the first element on both sides. */
typedef struct stn_copy_place {
    int64_t index[STN_COPY_RANK];
    int64_t to, from;
} stn_copy_place;
void stn_copy_seek(const stn_copy_dim *dims, int rank, int64_t position, stn_copy_place *place);
void stn_copy_step(const stn_copy_dim *dims, int rank, stn_copy_place *place);

#endif
