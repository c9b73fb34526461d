/* Views in block formats: stores that decode and encode blocks in memory. */
#ifndef STENO_VIEW_BLOCKS_H
#define STENO_VIEW_BLOCKS_H

#include "steno/block_format.h"
#include "view/store.h"

/* stn_view_create_spec for a block format in host memory. Flags that select a space have been
 * checked. */
stn_status stn_blocks_create(const stn_exec *exec, stn_view *view, const stn_view_spec *spec);

/* For a vector, or a matrix whose rows consist of adjacent elements, without scale, that begin with
 * blocks: if the blocks are adjacent and have inline scales, returns 1, the first block, and the
 * bytes from one row to the next. */
int stn_blocks_rows(const stn_view *view, const char **blocks, int64_t *row_bytes);

/* STN_ERR_UNSUPPORTED if a slice would cut blocks of the view. */
stn_status stn_blocks_check_slices(const char *call, const stn_view *view, const stn_slice *slices);

/* STN_ERR_UNSUPPORTED if the format is a block format, whose elements have no addresses. */
stn_status stn_blocks_refuse_wrap(const char *call, const char *label, stn_format format);

#endif
