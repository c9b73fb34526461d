/* Copies and fills in C order of the indices: of mapped views, under scales that differ between
 * elements, and where every element draws by its index. */
#ifndef STENO_VIEW_COPY_WALK_H
#define STENO_VIEW_COPY_WALK_H

#include "view/copy/plan.h"
#include "view/view.h"

/* conversion NULL: codes are moved. `from` may be a view of rank 0: it is every element then. */
void stn_copy_walk(const stn_exec *exec, const stn_view *to, const stn_view *from,
                   const stn_conversion *conversion);

#endif
