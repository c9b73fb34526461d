/* The geometry of a view: the result of applying a layout to extents. */
#ifndef STENO_VIEW_SHAPE_H
#define STENO_VIEW_SHAPE_H

#include "view/view.h"

/* Checks rank, extents and storage of a view. */
stn_status stn_view_shape_check(const char *label, const stn_storage *storage, int rank,
                                const int64_t *extents);

/* Sets all members of a view except data and owner. *extra is NULL or allocated; view->extra
 * points to it. `layout` NULL is layout right; for `padded`, see STN_CREATE_PADDED. Errors of
 * stn_view_create except STN_ERR_MEMORY for elements. On an error *view is empty and *extra is
 * NULL. */
stn_status stn_view_shape(stn_view *view, const char *label, stn_storage storage,
                          const stn_layout *layout, int rank, const int64_t *extents, int is_padded,
                          stn_view_extra **extra);

/* Dimension number `position`, counted from the fastest one, in layout right, left or block
 * column-major. */
int stn_layout_dimension(stn_layout_kind kind, int rank, int position);

/* Returns whether the strides of a view are those of the layout, possibly with padding. */
int stn_view_is_laid(const stn_view *view, stn_layout_kind kind);

/* Returns whether two layouts that are not strided are equal. */
int stn_layout_is_same(const stn_layout *a, const stn_layout *b);

/* The number of bytes from the lowest element to the highest, and the position of the first of
 * them relative to element (0, ..., 0). STN_ERR_RANGE if they exceed 64 bits. */
stn_status stn_view_bytes(const stn_view *view, int64_t *first, int64_t *bytes);

#endif
