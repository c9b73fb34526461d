/* Sums of compressed rows of up to a tile of entries. */
#ifndef STENO_SPARSE_SHORT_ROWS_H
#define STENO_SPARSE_SHORT_ROWS_H

#include <stdint.h>

/* sums[r] is the sum of values[k] * x[column[k]] over the entries of row r, in the order of
 * doc/order.md, for up to `count` rows. Row r has start[r + 1] - start[r] entries; values and
 * columns begin with those of row 0. Values and x are of the arithmetic type. Stops at the first
 * row of more than STN_TILE_ELEMENTS entries, and returns the number of rows before it. `readable`
 * entries may be read. */
typedef int64_t stn_sum_short_rows(double *sums, const void *values, const int32_t *column,
                                   const int64_t *start, int64_t count, int64_t readable,
                                   const void *x);

#endif
