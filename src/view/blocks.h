/* Views in block formats: stores that decode and encode blocks in memory. */
#ifndef STENO_VIEW_BLOCKS_H
#define STENO_VIEW_BLOCKS_H

#include "format/block.h"
#include "view/store.h"

/* stn_view_create_spec for a block format, in this space. The label is not NULL. */
stn_status stn_blocks_create(const stn_exec *exec, stn_space space, stn_view *view,
                             const stn_view_spec *spec);

/* The memory of all blocks of a view's array. Returns 0 if the view is not in a block format. */
int stn_blocks_of(const stn_view *view, const stn_block_format **format, stn_blocks *memory);

/* The difference of the offsets, in elements of whole blocks, per index of each dimension of a view
 * in a block format. */
void stn_blocks_strides(const stn_view *view, int64_t *strides);

/* Returns whether this memory consists of the blocks alone. */
int stn_blocks_are_dense(const stn_view *view);

/* Makes a view without an owner refer to a copy of this memory. `owner` frees the description. The
 * view is read-only. */
stn_status stn_blocks_move(stn_owner *owner, stn_view *view, void *copy);

/* The addresses of this memory, of a view in a block format. */
void *stn_blocks_range(const stn_view *view, size_t *bytes);

/* For a vector, or a matrix whose rows consist of adjacent elements, without scale, that begin with
 * blocks: returns 1, the first block, and the number of blocks from one row to the next. */
int stn_blocks_rows(const stn_view *view, stn_blocks *blocks, int64_t *row_blocks);

/* For a view that consists of whole blocks: returns the dimension along which they are, the format,
 * the first block, and the number of blocks from one index to the next of each other dimension.
 * Otherwise returns -1. The last block of a row may be filled in part. */
int stn_blocks_steps(const stn_view *view, const stn_block_format **format, stn_blocks *first,
                     int64_t *steps);

/* STN_ERR_UNSUPPORTED if a slice would cut blocks of the view. */
stn_status stn_blocks_check_slices(const char *call, const stn_view *view, const stn_slice *slices);

/* STN_ERR_UNSUPPORTED if the format is a block format, whose elements have no addresses. */
stn_status stn_blocks_refuse_wrap(const char *call, const char *label, stn_format format);

#endif
