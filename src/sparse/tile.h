/* Sums of a tile of entries, for several right-hand sides or of several rows at once. */
#ifndef STENO_SPARSE_TILE_H
#define STENO_SPARSE_TILE_H

#include <stdint.h>

#include "steno/format.h"

/* sums[j] becomes that of values[e * steps[1]] * x[column[e * steps[0]] * steps[2] + j], in the
 * order of doc/order.md, as a value of the arithmetic type; `count` entries, at least 1 and up to a
 * tile. Steps NULL are 1, 1 and the width. */
typedef void stn_sparse_tile(double *sums, const void *values, const int32_t *column,
                             const int64_t *steps, int64_t count, const void *x);

/* Sums of a tile of 8 rows side by side: of row r that of values[e * steps[1] + r] *
 * x[column[e * steps[0] + r]] of the entries that there are, whose columns are not negative; -0 of
 * none. x has an element. */
enum { STN_SIDE = 8 };
typedef void stn_sparse_side(double *sums, const void *values, const int32_t *column,
                             const int64_t *steps, int64_t count, const void *x);

/* Columns of `count` entries from number `from` on of a slice whose rows lie side by side
 * (slice.h), of `height` rows, 8 or all 16, from number `first` on, entry after entry: -1 where a
 * row has none. */
typedef void stn_sparse_columns(const int32_t *word, int first, int height, int64_t from,
                                int64_t count, int32_t *column);

/* On an instruction set: for 2^k right-hand sides, and for 2^k numbers that are parts of complex
 * ones, whose values are complex too (k = 0: none); for 8 rows, where values and x are numbers,
 * x is pairs of them, and both are. */
enum { STN_TILE_WIDEST = 16, STN_TILE_WIDTHS = 5 };
typedef struct stn_sparse_tiles {
    stn_sparse_tile *real[STN_TILE_WIDTHS], *complex[STN_TILE_WIDTHS];
    stn_sparse_side *side, *side_of_pairs, *side_complex;
    stn_sparse_columns *columns;
} stn_sparse_tiles;

/* In f64 or f32 on the instruction set in use; NULL in portable C. */
const stn_sparse_tiles *stn_sparse_tiles_of(stn_format arithmetic);

#endif
