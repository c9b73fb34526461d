/* Scales that differ from element to element. */
#ifndef STENO_VIEW_SCALES_H
#define STENO_VIEW_SCALES_H

#include "view/view.h"

/* The scales of a part of a view, from slices that are known to fit. STN_ERR_UNSUPPORTED when the
 * steps would cut the blocks unevenly. */
stn_status stn_scales_slice(stn_scales *part, const char *call, const stn_view *view,
                            const stn_slice *slices);

/* Have all elements of a view that has scales the same one of them? */
int stn_scales_are_one(const stn_view *view);

/* The view as one with a single scale, in *room, where its elements have the same one of its
 * scales; else the view itself. */
const stn_view *stn_view_with_one_scale(const stn_view *view, stn_view *room);

/* Numbers of the first and the last scale in memory of a view that has elements, counted from the
 * one of element (0, ..., 0). */
void stn_scales_reach(const stn_view *view, int64_t *lowest, int64_t *highest);

/* Wait for queued work of devices that uses the scales. */
stn_status stn_scales_settle(const stn_view *view);

/* The address of the scale of an element of a view that has scales. */
void *stn_scale_address(const stn_view *view, const int64_t *indices);

/* The scale of an element: of the view's scales, or the storage's. No checks. */
double stn_scale_at(const stn_view *view, const int64_t *indices);

#endif
