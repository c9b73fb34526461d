/* Whether two views share bytes of memory. */
#ifndef STENO_VIEW_OVERLAP_H
#define STENO_VIEW_OVERLAP_H

#include "view/view.h"

/* Returns 0 if no byte belongs to elements of both views, or to elements of one and scales of the
 * other. Returns 1 if there is such a byte, or if that remains unknown:
 *   two strided views        a search of at most STN_OVERLAP_STEPS steps; few suffice for arrays in
 *                            each other's gaps
 *   parts of one mapping     decided by the indices in each dimension
 *   other mapped views       decided by the memory that the whole mappings span */
int stn_view_shares(const stn_view *a, const stn_view *b);

/* The same, except that 0 is returned if one of them has the restrict trait, which promises that
 * nothing else refers to its elements. */
static inline int stn_view_may_share(const stn_view *a, const stn_view *b)
{
    return !((a->traits | b->traits) & STN_TRAIT_RESTRICT) && stn_view_shares(a, b);
}

enum { STN_OVERLAP_STEPS = 20000 };

/* Returns whether both have the same scales, of their storage or per element. */
int stn_view_same_scales(const stn_view *a, const stn_view *b);

/* Returns whether elements at the same indices are the same memory, with the same format, scale
 * and zero point. */
int stn_view_is_same(const stn_view *a, const stn_view *b);

#endif
