/* Products with a matrix of few long rows, in any format, scale and layout: as many columns at a
 * time as stay in a cache, so that two products read the matrix once. */
#ifndef STENO_BLAS_PANELS_H
#define STENO_BLAS_PANELS_H

#include "blas/operand.h"

/* y = alpha A' x + beta y, followed by z = factor A y + z_beta z; one of them, or both. Complex
 * vectors have two parts: rows and y interleave real and imaginary parts, y = alpha (A' x[0] + i
 * A' x[1]) + beta y with alpha 1 or -1, and z receives A y and A (-i y). */
typedef struct stn_panels {
    stn_format arithmetic; /* f64 or f32 */
    const stn_view *a;     /* rank 2 */
    int parts;
    const void *x[2]; /* values, one per row; NULL: y is unchanged */
    double alpha, beta;
    void *y;                 /* values, one per column */
    const stn_operand *z[2]; /* one element per row; NULL: none */
    double factor, z_beta;
} stn_panels;

/* Does the matrix have from 1 to a tile of rows and more columns, on an executor with threads? */
int stn_panels_support(const stn_exec *exec, const stn_view *a);

/* Arguments have been checked; `output` is for tracing. STN_ERR_FORMAT, STN_ERR_UNSUPPORTED,
 * STN_ERR_ARGUMENT (A cannot be read in the arithmetic type), STN_ERR_MEMORY, before anything is
 * written. */
stn_status stn_panels_run(const char *call, const stn_exec *exec, const stn_panels *job,
                          const stn_view *output);

#endif
