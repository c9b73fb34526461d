/* Sums of a tile of entries, for several right-hand sides or of several rows at once. */
#ifndef STENO_SPARSE_TILE_H
#define STENO_SPARSE_TILE_H

#include <stdint.h>

#include "steno/format.h"

/* sums[j] becomes that of values[e] * x[column[e] * width + j], in the order of doc/order.md, as a
 * value of the arithmetic type; `count` entries, at least 1 and up to a tile. */
typedef void stn_sparse_tile(double *sums, const void *values, const int32_t *column, int64_t count,
                             const void *x);

/* Sums of a tile of 8 rows side by side: sums[r] becomes that of values[e * steps[1] + r] *
 * x[column[e * steps[0] + r]] of the entries that there are, whose columns are not negative; -0 of
 * none. x has an element. */
enum { STN_SIDE = 8 };
typedef void stn_sparse_side(double *sums, const void *values, const int32_t *column,
                             const int64_t *steps, int64_t count, const void *x);

/* On an instruction set, for 1, 2, 4 and 8 right-hand sides; for one, where values, x and two sums
 * are complex numbers of the arithmetic; and for 8 rows. */
typedef struct stn_sparse_tiles {
    stn_sparse_tile *of_1, *of_2, *of_4, *of_8, *of_complex;
    stn_sparse_side *side;
} stn_sparse_tiles;

/* In f64 or f32 on the instruction set in use; NULL in portable C. */
const stn_sparse_tiles *stn_sparse_tiles_of(stn_format arithmetic);

#endif
