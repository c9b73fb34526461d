/* Scales that differ from element to element, along a dimension. */
#ifndef STENO_VIEW_SCALE_RUN_H
#define STENO_VIEW_SCALE_RUN_H

#include "format/run.h"
#include "view/scales.h"

static inline int stn_view_has_scales(const stn_view *view)
{
    return view->scales.data != NULL;
}

/* `count` elements along a dimension (-1: one element) from `indices` on: how many of them, at
 * least 1, have one scale, which becomes `run`'s. */
int64_t stn_scale_run(const stn_view *view, const int64_t *indices, int dimension, int64_t count,
                      stn_run *run);

/* The scales of those elements, rounded to f32 where that is the arithmetic: where the view has
 * them like that, else in `room`. */
const double *stn_scale_values(const stn_view *view, const int64_t *indices, int dimension,
                               int64_t count, stn_format arithmetic, double *room);

/* How many scales there are along a dimension of the view, and what index the k-th begins with. */
int64_t stn_view_scale_extent(const stn_view *view, int dimension);
int64_t stn_view_scale_begin(const stn_view *view, int dimension, int64_t k);

/* The next one of `indices` in C order below `extents`; 0 behind the last. */
int stn_next_indices(int rank, const int64_t *extents, int64_t *indices);

/* STN_ERR_ARGUMENT unless every scale of the view is finite and not 0 in the arithmetic;
 * STN_ERR_UNSUPPORTED in i64 unless it is 1. */
stn_status stn_scales_check(const char *call, stn_format arithmetic, const stn_view *view);

#endif
