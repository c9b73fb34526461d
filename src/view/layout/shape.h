/* What a layout makes of extents: the geometry of a view before it has data. */
#ifndef STENO_VIEW_SHAPE_H
#define STENO_VIEW_SHAPE_H

#include "view/view.h"

/* Fill in all of a view but data and owner. *extra is NULL or allocated, and what view->extra
 * points to. `layout` NULL is layout right; padded: see STN_CREATE_PADDED. Errors of
 * stn_view_create but STN_ERR_MEMORY for elements; on any error *view is all zeros and *extra
 * NULL. */
stn_status stn_view_shape(stn_view *view, const char *label, stn_storage storage,
                          const stn_layout *layout, int rank, const int64_t *extents, int is_padded,
                          stn_view_extra **extra);

/* The dimension that is number `place` from the fastest on, in layout right, left or block
 * column-major. */
int stn_layout_dimension(stn_layout_kind kind, int rank, int place);

/* Are the strides of a view such as one of these layouts makes them, padding allowed? */
int stn_view_is_laid(const stn_view *view, stn_layout_kind kind);

/* Are two layouts, which are not strided, the same? */
int stn_layout_is_same(const stn_layout *a, const stn_layout *b);

/* The bytes from the lowest element to the highest, and the first of them counted from element
 * (0, ..., 0). STN_ERR_RANGE when 64 bits do not hold them. */
stn_status stn_view_bytes(const stn_view *view, int64_t *first, int64_t *bytes);

#endif
