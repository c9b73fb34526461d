/* Sums of compressed rows of up to a tile of entries. */
#ifndef STENO_SPARSE_PRODUCT_ROW_TILE_H
#define STENO_SPARSE_PRODUCT_ROW_TILE_H

#include <stdint.h>

/* Formats whose codes are converted row by row in f64 arithmetic, unless they are scaled. The upper
 * halves of f64 are those of segmented values. */
#define STN_ROW_FORMATS(X) X(F16, f16) X(BF16, bf16) X(I16, i16) X(I8, i8)

/* The form of values in memory: those of the arithmetic type or, in f64 arithmetic, floats, codes
 * of these formats or upper halves. */
#define STN_ROW_FORM(NAME, name) STN_ROW_##NAME,
typedef enum stn_row_form {
    STN_ROW_VALUES,
    STN_ROW_FLOATS,
    STN_ROW_UPPERS,
    STN_ROW_FORMATS(STN_ROW_FORM)
} stn_row_form;

/* Consecutive rows. Row r has start[r + 1] - start[r] entries; values and columns begin with those
 * of row 0. x is of the arithmetic type. `readable` entries may be read: at least STN_LANES after
 * the last row, if values are codes or upper halves. `codes` are those that the values are decoded
 * from, with `code_bytes` each, or the values: subsequent codes are prefetched. */
typedef struct stn_row_tile {
    const int64_t *start;
    int64_t rows, readable;
    const void *values, *x;
    stn_row_form form;
    const int32_t *column;
    const char *codes;
    int64_t code_bytes;
    int are_irregular; /* processors cannot predict their lengths */
    int is_far;        /* x does not fit into the second-level cache */
    int has_gathers;   /* by gather instructions, if the instruction set is AVX-512 */
} stn_row_tile;

/* sums[r] is the sum of values[k] * x[column[k]] over the entries of row r, in the order of
 * doc/order.md. Stops at the first row of more than STN_TILE_ELEMENTS entries, and returns the
 * number of rows before it. */
typedef int64_t stn_sum_row_tile(double *sums, const stn_row_tile *rows);

#endif
