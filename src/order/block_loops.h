/* Sums of products of the built-in block formats in f64 and f32. The order is that of doc/order.md,
 * as in order/fused.h. */
#ifndef STENO_ORDER_BLOCK_LOOPS_H
#define STENO_ORDER_BLOCK_LOOPS_H

#include "format/block.h"

typedef struct stn_block_loops {
    /* Of x * y over complete tiles, up to STN_EXACT_TILES of them, and of `rest`, the sum of the
     * incomplete tile that follows, unless it is NULL. */
    double (*dot)(stn_blocks x, stn_blocks y, int64_t tiles, const double *rest);
    /* The same over each of `rows` rows, which are at a distance of row_blocks blocks, with values
     * y of the arithmetic type; `rests` has the sums of incomplete tiles, one per row, or is NULL.
     */
    void (*rows)(double *sums, stn_blocks blocks, int64_t row_blocks, int64_t rows, const void *y,
                 int64_t tiles, const double *rests);
    /* For each of `columns` columns, a multiple of 32, the sum of element * y[row] over up to a
     * tile of rows; sums and y have the arithmetic type. */
    void (*columns)(void *sums, stn_blocks blocks, int64_t row_blocks, int64_t rows, const void *y,
                    int64_t columns);
} stn_block_loops;

typedef struct stn_block_pair {
    stn_block_loops f64, f32;
} stn_block_pair;

/* The loops of a format for the instruction set in use; NULL for formats that are not built in,
 * other arithmetic types than f64 and f32, in portable C, and for blocks at other distances than in
 * new memory. */
const stn_block_loops *stn_block_loops_of(stn_format format, stn_format arithmetic,
                                          const stn_blocks *blocks);

#endif
