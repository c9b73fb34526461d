/* Views as boxes with strides: a strided view is one box. A tiled view is a few boxes, in which
 * the tiles and the elements within tiles are separate dimensions. */
#ifndef STENO_VIEW_COPY_BOXES_H
#define STENO_VIEW_COPY_BOXES_H

#include "view/copy/plan.h"
#include "view/view.h"

/* Returns whether both views can be divided into boxes at the same positions. */
int stn_copy_has_boxes(const stn_view *to, const stn_view *from);

/* Calls `run` with a finished plan for every box. The members of `start` other than steps and
 * pointers are copied to each plan. */
void stn_copy_boxes(const stn_view *to, const stn_view *from, const stn_copy_plan *start,
                    void (*run)(void *context, const stn_copy_plan *plan), void *context);

#endif
