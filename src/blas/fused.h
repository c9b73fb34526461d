/* Fused loops: what a format's codes go into without a buffer of decoded values between. */
#ifndef STENO_BLAS_FUSED_H
#define STENO_BLAS_FUSED_H

#include "format/codec.h"

/* Sums of x * y over each of `tiles` full tiles, in the order of the design: element e in lane e %
 * 32, fma in ascending order, then halves of lanes. Both operands in the format. */
typedef void stn_dot_tiles(double *sums, const void *x, const stn_affine *x_affine, const void *y,
                           const stn_affine *y_affine, int64_t tiles);

/* The same over one tile of each of `rows` rows of codes, row_bytes apart, and values y of the
 * arithmetic type that they share. */
typedef void stn_rows_values(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                             const stn_affine *affine, const void *y);

/* y = alpha * x + y over `count` values y of the arithmetic type; product and sum rounded each. */
typedef void stn_axpy_values(void *restrict y, const void *restrict x, const stn_affine *x_affine,
                             double alpha, int64_t count);

typedef struct stn_fused {
    stn_dot_tiles *dot_f64, *dot_f32;
    stn_rows_values *rows_f64, *rows_f32;
    stn_axpy_values *axpy_f64, *axpy_f32;
} stn_fused;

/* The loops of a real built-in format on the instruction set in use; NULL in portable C, where only
 * stn_fused_values has some. */
const stn_fused *stn_fused_of(stn_format format);

/* The loops over values of the arithmetic type, f64 or f32: there on every instruction set. */
const stn_fused *stn_fused_values(stn_format arithmetic);

/* The loops over values in portable C. */
const stn_fused *stn_fused_portable(void);

#endif
