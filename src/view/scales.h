/* Scales that differ from element to element. */
#ifndef STENO_VIEW_SCALES_H
#define STENO_VIEW_SCALES_H

#include "view/view.h"

/* The scales of a view in terms of its own indices; data is NULL if there are none. Returns 0 if
 * steps divide the blocks of elements with one scale unevenly; parts with such steps are never
 * created. */
int stn_scales_find(const stn_view *view, stn_scales *scales);

static inline stn_scales stn_scales_of(const stn_view *view)
{
    stn_scales scales;
    (void)stn_scales_find(view, &scales);
    return scales;
}

/* Makes the view all of an array with its scales. The owner frees the description. */
stn_status stn_owner_set_whole(stn_owner *owner, stn_view *view, const stn_whole *whole);

/* The same with the view's own owner; a view without one gets one. Messages begin with `call`.
 * STN_ERR_MEMORY. */
stn_status stn_view_set_whole(const char *call, stn_view *view, const stn_whole *whole);

/* Returns whether all elements of a view with scales have the same scale. The second function
 * reads scales from stn_scales_of. */
int stn_scales_are_one(const stn_view *view);
int stn_scales_to_single(const stn_view *view, const stn_scales *scales);

/* A view with its own extra state. */
typedef struct stn_unscaled {
    stn_view view;
    stn_view_extra extra;
    stn_whole whole;
} stn_unscaled;

/* If all elements have the same scale: the view with that single scale, in *copy. Otherwise the
 * view itself. */
const stn_view *stn_view_with_one_scale(const stn_view *view, stn_unscaled *copy);

/* The positions of the first and the last scale in memory, relative to that of element (0, ...,
 * 0). The view must have elements. */
void stn_scales_reach(const stn_view *view, const stn_scales *scales, int64_t *lowest,
                      int64_t *highest);

/* Waits for queued work of devices that uses the scales. */
stn_status stn_scales_settle(const stn_view *view);

/* The address of the scale at indices in terms of `scales`. */
void *stn_scales_at(const stn_scales *scales, int rank, const int64_t *indices);

/* The address of the scale of an element of a view that has scales. */
void *stn_scale_address(const stn_view *view, const int64_t *indices);

/* The scale of an element: of the view's scales, or of the storage. No checks. */
double stn_scale_at(const stn_view *view, const int64_t *indices);

#endif
