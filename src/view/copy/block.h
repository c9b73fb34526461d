/* Copies whose sides are fastest in different dimensions: transposed block by block. */
#ifndef STENO_VIEW_COPY_BLOCK_H
#define STENO_VIEW_COPY_BLOCK_H

#include "view/copy/plan.h"

/* Executes a plan whose `from_axis` is not its last dimension. */
void stn_copy_blocks(const stn_exec *exec, const stn_copy_plan *plan);

/* to[c][r] = from[r][c] for `rows` rows of `columns` elements of 1, 2, 4, 8 or 16 bytes. Rows are
 * contiguous; `to_step` and `from_step` are the bytes from row to row. */
void stn_transpose(int64_t bytes, char *restrict to, int64_t to_step, const char *restrict from,
                   int64_t from_step, int64_t rows, int64_t columns);

#endif
