/* Sums of products of block floating point (bfp8, bfp16, bfp32) with inline scales, in f64. The
 * order is that of doc/order.md, as in order/fused.h. */
#ifndef STENO_ORDER_BLOCK_LOOPS_H
#define STENO_ORDER_BLOCK_LOOPS_H

#include "format/block.h"

typedef struct stn_block_loops {
    /* Of x * y over complete tiles, up to STN_EXACT_TILES of them, and of `rest`, the sum of the
     * incomplete tile that follows, unless it is NULL. */
    double (*dot)(const void *x, const void *y, int64_t tiles, const double *rest);
    /* The same over each of `rows` rows, whose blocks are at a distance of row_bytes, with values
     * y; `rests` has the sums of incomplete tiles, one per row, or is NULL. */
    void (*rows)(double *sums, const void *blocks, int64_t row_bytes, int64_t rows, const double *y,
                 int64_t tiles, const double *rests);
    /* For each of `columns` columns, a multiple of 32, the sum of code * y[row] over up to a tile
     * of rows. */
    void (*columns)(double *sums, const void *blocks, int64_t row_bytes, int64_t rows,
                    const double *y, int64_t columns);
} stn_block_loops;

/* The loops of a format for the instruction set in use; NULL for other formats and in portable C.
 */
const stn_block_loops *stn_block_loops_of(stn_format format);

#endif
