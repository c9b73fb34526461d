/* Where elements are: offsets of strided and mapped views. */
#ifndef STENO_VIEW_MAPPING_H
#define STENO_VIEW_MAPPING_H

#include "view/view.h"

/* The mapping of a tiled, Morton or custom layout over extents, allocated. Errors of
 * stn_view_wrap_spec; `label` for messages. */
stn_status stn_mapping_make(const stn_layout *layout, int rank, const int64_t *extents,
                            const char *label, stn_view_extra **extra);

/* The offset of an element of the whole that the mapping is of. */
int64_t stn_mapping_offset(const stn_mapping *mapping, const int64_t *indices);

/* The offset of element `indices` of a view from its data, in elements. No checks. */
int64_t stn_view_place(const stn_view *view, const int64_t *indices);

/* An element's indices in the whole that the mapping of its view is of. */
void stn_view_whole_indices(const stn_view *view, const int64_t *indices, int64_t *whole);

/* Packed or banded: elements that are not stored are in the places of others. */
int stn_mapping_is_partial(const stn_mapping *mapping);

/* Of a packed layout: do rows, or columns, grow, as those of a lower, or an upper, triangle do? */
int stn_mapping_grows(const stn_mapping *mapping);

/* Is this element of a view among those that are stored, or the mirror image of one? */
int stn_view_stores(const stn_view *view, const int64_t *indices);

/* Two whole matrices of such a layout, whose elements are in the same places of their memory: that
 * memory, as vectors. 0 where they are not. */
int stn_view_as_memory(const stn_view *view, const stn_view *other, stn_view *memory,
                       stn_view *other_memory);

/* Is the view all of a packed or banded matrix, in the order of its dimensions? */
int stn_view_is_whole_matrix(const stn_view *view);

/* Of a packed or banded matrix: does every element of the view have its own position? */
int stn_view_is_within(const stn_view *view);

/* Of a custom, packed or banded layout: how many elements of the whole along a dimension, at least
 * 1 and at most `count`, stand at one stride, and where the first one is. */
int64_t stn_mapping_run(const stn_mapping *mapping, const int64_t *indices, int dimension,
                        int64_t count, int64_t *offset, int64_t *stride);

/* Of a Morton layout: the bits of an index, spread over the bits of a mask. */
uint64_t stn_mapping_spread(uint64_t index, uint64_t mask);

#endif
