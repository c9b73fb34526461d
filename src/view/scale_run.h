/* Scales that differ from element to element, along the last dimension. */
#ifndef STENO_VIEW_SCALE_RUN_H
#define STENO_VIEW_SCALE_RUN_H

#include "format/run.h"
#include "view/scales.h"

static inline int stn_view_has_scales(const stn_view *view)
{
    return view->scales.data != NULL;
}

/* `count` elements along the last dimension from `indices` on: how many of them, at least 1, have
 * one scale, which becomes `run`'s. */
int64_t stn_scale_run(const stn_view *view, const int64_t *indices, int64_t count, stn_run *run);

/* How many scales there are along a dimension of the view, and what index the k-th begins with. */
int64_t stn_scale_extent(const stn_view *view, int dimension);
int64_t stn_scale_begin(const stn_view *view, int dimension, int64_t k);

/* The next one of `indices` in C order below `extents`; 0 behind the last. */
int stn_next_indices(int rank, const int64_t *extents, int64_t *indices);

/* STN_ERR_ARGUMENT unless every scale of the view is finite and not 0. */
stn_status stn_scales_check(const char *call, const stn_view *view);

#endif
