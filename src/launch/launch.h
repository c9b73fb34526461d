/* A launch: a kernel, its arguments checked, and the space it runs over. */
#ifndef STENO_LAUNCH_LAUNCH_H
#define STENO_LAUNCH_LAUNCH_H

#include "exec/exec.h"
#include "format/run.h"
#include "steno/kernel_types.h"
#include "view/view.h"

/* A view as a parameter. */
typedef struct stn_slot {
    stn_parameter_kind kind;
    const stn_view *view;
    stn_run run;
    int64_t stride[STN_MAX_RANK]; /* in elements, per dimension of the space */
    int native;  /* contiguous values of the arithmetic type: the loop works on them in place */
    int written; /* also a field, where the text tells */
    int masked;  /* an element may be left as it is */
    stn_field field;
} stn_slot;

typedef struct stn_launch {
    const stn_exec *exec;
    stn_kernel *kernel;
    stn_tile_loop *loop;
    stn_format arithmetic;
    int64_t bytes; /* of a value */
    unsigned traits;
    int rank;     /* of the space */
    int shares;   /* an output is an input too */
    int converts; /* a view is decoded or encoded */
    int64_t extent[STN_MAX_RANK];
    int64_t rows, tiles_per_row, tile; /* rows: of the last dimension; tile: elements of one */
    int views, view_at[STN_MOST_PARAMETERS]; /* the parameters that are views, without fields */
    stn_number numbers[STN_MOST_PARAMETERS];
    stn_slot slots[STN_MOST_PARAMETERS]; /* as many as the kernel has parameters */
} stn_launch;

/* Check the arguments, find the space and choose how each view is read and written. Errors of
 * stn_kernel_run. */
stn_status stn_launch_plan(stn_launch *launch, int rank, const int64_t *extents,
                           const stn_argument *arguments);

/* The first half of it: the checks of each argument, and the space. */
stn_status stn_launch_find(stn_launch *launch, int rank, const int64_t *extents,
                           const stn_argument *arguments);

/* Let a parameter be a field. */
void stn_launch_make_field(stn_launch *launch, int at);

/* Take a fused loop of the kernel, if one is for such views. */
void stn_launch_fuse(stn_launch *launch);

/* Calculate tiles begin to end - 1, counted row by row. */
void stn_launch_tiles(const stn_launch *launch, int64_t begin, int64_t end);

static inline int stn_parameter_is_view(stn_parameter_kind kind)
{
    return kind >= STN_PARAMETER_IN;
}

static inline int stn_parameter_is_written(stn_parameter_kind kind)
{
    return kind == STN_PARAMETER_INOUT || kind == STN_PARAMETER_OUT;
}

#endif
