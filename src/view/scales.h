/* Scales that differ from element to element. */
#ifndef STENO_VIEW_SCALES_H
#define STENO_VIEW_SCALES_H

#include "view/view.h"

/* The scales of a view in terms of its own indices; data NULL: there are none. 0 when steps cut the
 * blocks of elements with one scale unevenly: no part is created whose steps do. */
int stn_scales_find(const stn_view *view, stn_scales *scales);

static inline stn_scales stn_scales_of(const stn_view *view)
{
    stn_scales scales;
    (void)stn_scales_find(view, &scales);
    return scales;
}

/* Let the view be all of an array, with its scales, whose description the owner frees. */
stn_status stn_owner_keep_whole(stn_owner *owner, stn_view *view, const stn_whole *whole);

/* The same for the view's own owner: a view without one gets one. Messages begin with `call`.
 * STN_ERR_MEMORY. */
stn_status stn_view_set_whole(const char *call, stn_view *view, const stn_whole *whole);

/* Have all elements of a view that has scales the same one of them? The second function looks at
 * scales from stn_scales_of. */
int stn_scales_are_one(const stn_view *view);
int stn_scales_make_one(const stn_view *view, const stn_scales *scales);

/* A view with its own extra state. */
typedef struct stn_unscaled {
    stn_view view;
    stn_view_extra extra;
    stn_whole whole;
} stn_unscaled;

/* The view as one with a single scale, in *copy, where its elements have the same one of its
 * scales; else the view itself. */
const stn_view *stn_view_with_one_scale(const stn_view *view, stn_unscaled *copy);

/* Numbers of the first and the last scale in memory of a view that has elements, counted from the
 * one of element (0, ..., 0). */
void stn_scales_reach(const stn_view *view, const stn_scales *scales, int64_t *lowest,
                      int64_t *highest);

/* Wait for queued work of devices that uses the scales. */
stn_status stn_scales_settle(const stn_view *view);

/* The address of the scale at indices that `scales` counts. */
void *stn_scales_at(const stn_scales *scales, int rank, const int64_t *indices);

/* The address of the scale of an element of a view that has scales. */
void *stn_scale_address(const stn_view *view, const int64_t *indices);

/* The scale of an element: of the view's scales, or the storage's. No checks. */
double stn_scale_at(const stn_view *view, const int64_t *indices);

#endif
