/* Views as boxes of strides: a strided view is one, a tiled view a few, whose tiles and insides of
 * tiles are dimensions of their own. */
#ifndef STENO_VIEW_COPY_BOXES_H
#define STENO_VIEW_COPY_BOXES_H

#include "view/copy/plan.h"
#include "view/view.h"

/* Can both views be cut into boxes in the same places? */
int stn_copy_has_boxes(const stn_view *to, const stn_view *from);

/* Call `run` with a finished plan for every box. What is in `start` but steps and pointers goes
 * into each. */
void stn_copy_boxes(const stn_view *to, const stn_view *from, const stn_copy_plan *start,
                    void (*run)(void *context, const stn_copy_plan *plan), void *context);

#endif
