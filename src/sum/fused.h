/* Fused loops: what a format's codes go into without a buffer of decoded values between. */
#ifndef STENO_SUM_FUSED_H
#define STENO_SUM_FUSED_H

#include "format/codec.h"

enum { STN_EXACT_TILES = 64 };

/* In f64 or f32: sums are values of it. The order is that of the design: element e of a tile in
 * lane e % 32, fma in ascending order, then halves of lanes. */
typedef struct stn_fused {
    /* Of x * y over `count` elements, up to STN_EXACT_TILES tiles of them; both operands in the
     * format. */
    double (*dot)(const void *x, const stn_affine *x_affine, const void *y,
                  const stn_affine *y_affine, int64_t count);
    /* The same over `count` elements of each of `rows` rows of codes, row_bytes apart, and values y
     * of the arithmetic type that they share. */
    void (*rows)(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                 const stn_affine *affine, const void *y, int64_t count);
    /* Of each of `columns` columns of codes over `rows` rows, up to a tile of them, row_bytes
     * apart: of code * y[row]; sums and y are of the arithmetic type. */
    void (*columns)(void *sums, const void *codes, int64_t row_bytes, int64_t rows,
                    const stn_affine *affine, const void *y, int64_t columns);
    /* The same by affine->blocks; NULL for wide formats. Tiles of elements, and of columns, are
     * full. */
    void (*block_rows)(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                       const stn_affine *affine, const void *y, int64_t count);
    void (*block_columns)(void *sums, const void *codes, int64_t row_bytes, int64_t rows,
                          const stn_affine *affine, const void *y, int64_t columns);
    /* y = alpha * x + y over `count` values y of the arithmetic type; product and sum rounded each.
     */
    void (*axpy)(void *restrict y, const void *restrict x, const stn_affine *x_affine, double alpha,
                 int64_t count);
    /* The same onto codes y of the format that x has, both without scale: rounded once more. */
    void (*update)(void *restrict y, const void *restrict x, double alpha, int64_t count);
    /* Of x over `count` elements, up to STN_EXACT_TILES tiles of them. */
    double (*sum)(const void *x, const stn_affine *affine, int64_t count);
    /* Of full tiles, without scale, where all sums of so many tiles are
     * exact; else NULL. */
    double (*exact_sum)(const void *x, int64_t tiles);
    double (*exact_dot)(const void *x, const void *y, int64_t tiles);
    /* In f64, of integers of 8 or 16 bits; else NULL: rows as above, up to a tile of them and
     * STN_EXACT_TILES tiles long, times codes x; and values as codes, or 0 when some are none. */
    void (*integer_rows)(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                         const void *x, int64_t count);
    int (*take_integers)(void *codes, const double *values, int64_t count);
} stn_fused;

typedef struct stn_fused_pair {
    stn_fused f64, f32;
} stn_fused_pair;

/* The loops of a real built-in format on the instruction set in use; NULL in portable C. */
const stn_fused *stn_fused_of(stn_format format, stn_format arithmetic);

#endif
