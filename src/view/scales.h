/* Scales that differ from element to element. */
#ifndef STENO_VIEW_SCALES_H
#define STENO_VIEW_SCALES_H

#include "view/view.h"

/* The scales of a part of a view, from slices that are known to fit. STN_ERR_UNSUPPORTED when the
 * steps would cut the blocks unevenly. */
stn_status stn_scales_slice(stn_scales *part, const stn_view *view, const stn_slice *slices);

/* The address of the scale of an element of a view that has scales. */
void *stn_scale_address(const stn_view *view, const int64_t *indices);

/* The scale of an element: of the view's scales, or the storage's. No checks. */
double stn_scale_at(const stn_view *view, const int64_t *indices);

#endif
