/* Sums of a tile of entries, for several right-hand sides or for several rows at once. */
#ifndef STENO_SPARSE_PRODUCT_TILE_H
#define STENO_SPARSE_PRODUCT_TILE_H

#include <stdint.h>

#include "steno/format.h"

/* sums[j] is set to the sum over e of values[e * steps[1]] * x[column[e * steps[0]] * steps[2] +
 * j], in the order of doc/order.md, rounded to the arithmetic type. `count` is at least 1 and at
 * most a tile. If `steps` is NULL, the steps are 1, 1 and the width. */
typedef void stn_sparse_tile(double *sums, const void *values, const int32_t *column,
                             const int64_t *steps, int64_t count, const void *x);

/* Sums of a tile of 8 interleaved rows. The sum of row r is that of values[e * steps[1] + r] *
 * x[column[e * steps[0] + r]] over entries with columns that are not negative, or -0 if there are
 * none. x has at least one element. */
enum { STN_SPARSE_TILE_ROWS = 8 };
typedef void stn_sparse_row_tile(double *sums, const void *values, const int32_t *column,
                                 const int64_t *steps, int64_t count, const void *x);

/* Columns of an interleaved slice (slice.h): `count` entries from entry `from` on, of `height`
 * rows (8, or all 16) from row `first` on, entry by entry. The column is -1 if a row does not have
 * the entry. */
typedef void stn_sparse_columns(const int32_t *word, int first, int height, int64_t from,
                                int64_t count, int32_t *column);

/* The loops for an instruction set: for 2^k right-hand sides; for 2^k parts of complex numbers and
 * complex values (k = 0: none); for 8 rows with real values and x, with real values and complex x,
 * and with both complex. */
enum { STN_TILE_MAX_WIDTH = 16, STN_TILE_WIDTHS = 5 };
typedef struct stn_sparse_tiles {
    stn_sparse_tile *real[STN_TILE_WIDTHS], *complex[STN_TILE_WIDTHS];
    stn_sparse_row_tile *side, *side_of_pairs, *side_complex;
    stn_sparse_columns *columns;
} stn_sparse_tiles;

/* In f64 or f32 on the selected instruction set; NULL in portable C. */
const stn_sparse_tiles *stn_sparse_tiles_of(stn_format arithmetic);

#endif
