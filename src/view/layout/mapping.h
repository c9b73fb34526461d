/* Offsets of elements of strided and mapped views. */
#ifndef STENO_VIEW_MAPPING_H
#define STENO_VIEW_MAPPING_H

#include "view/view.h"

/* Allocates the mapping of a tiled, Morton or custom layout applied to extents. Errors of
 * stn_view_wrap_spec; `label` is for messages. */
stn_status stn_mapping_create(const stn_layout *layout, int rank, const int64_t *extents,
                              const char *label, stn_view_extra **extra);

/* The offset of an element of the whole array of the mapping. */
int64_t stn_mapping_offset(const stn_mapping *mapping, const int64_t *indices);

/* The offset of element `indices` of a view from its data, in elements. No checks. */
int64_t stn_view_element_offset(const stn_view *view, const int64_t *indices);

/* An element's indices in the whole array of its view's mapping. */
void stn_view_whole_indices(const stn_view *view, const int64_t *indices, int64_t *whole);

/* Packed or banded: elements that are not stored share positions with others. */
int stn_mapping_is_partial(const stn_mapping *mapping);

/* For a packed layout: whether rows (or columns) become longer, as in a lower (or upper) triangle.
 */
int stn_mapping_grows(const stn_mapping *mapping);

/* Returns whether this element of a view, or its mirror image, is stored. */
int stn_view_stores(const stn_view *view, const int64_t *indices);

/* If both views are whole matrices of such a layout, with elements at the same positions: their
 * memory as vectors. Otherwise 0. */
int stn_view_as_memory(const stn_view *view, const stn_view *other, stn_view *memory,
                       stn_view *other_memory);

/* Returns whether the view is a whole packed or banded matrix, in the order of its dimensions. */
int stn_view_is_whole_matrix(const stn_view *view);

/* For a packed or banded matrix: whether every element of the view has its own position. */
int stn_view_is_within(const stn_view *view);

/* For a custom, packed or banded layout: the number of elements of the whole array along a
 * dimension, from 1 to `count`, that have a constant stride, and the position of the first. */
int64_t stn_mapping_run(const stn_mapping *mapping, const int64_t *indices, int dimension,
                        int64_t count, int64_t *offset, int64_t *stride);

/* For a Morton layout: distributes the bits of an index over the bits of a mask. */
uint64_t stn_mapping_spread(uint64_t index, uint64_t mask);

#endif
