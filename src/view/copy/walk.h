/* Copies and fills in C order of the indices: of mapped views, with different scales per element,
 * and with random bits that depend on the element's index. */
#ifndef STENO_VIEW_COPY_WALK_H
#define STENO_VIEW_COPY_WALK_H

#include "view/copy/plan.h"
#include "view/view.h"

/* conversion NULL: codes are moved. If `from` has rank 0, its element is copied to all elements. */
void stn_copy_walk(const stn_exec *exec, const stn_view *to, const stn_view *from,
                   const stn_conversion *conversion);

#endif
