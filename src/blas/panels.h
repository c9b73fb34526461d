/* Products with a matrix of few and long rows, of any format, scale and layout: columns are taken
 * as many at a time as stay in a cache, so that two products read the matrix once. */
#ifndef STENO_BLAS_PANELS_H
#define STENO_BLAS_PANELS_H

#include "blas/operand.h"

/* y = alpha A' x + beta y, and then z = factor A y + z_beta z; one of them, or both. Of complex
 * vectors there are two parts: elements of rows and of y are real and imaginary parts in turn, y =
 * alpha (A' x[0] + i A' x[1]) + beta y with alpha 1 or -1, and z gets A y and A (-i y). */
typedef struct stn_panels {
    stn_format arithmetic; /* f64 or f32 */
    const stn_view *a;     /* rank 2 */
    int parts;
    const void *x[2]; /* values, one for each row; NULL: y is as it is */
    double alpha, beta;
    void *y;                 /* values, one for each column */
    const stn_operand *z[2]; /* one for each row; NULL: there is none */
    double factor, z_beta;
} stn_panels;

/* Has the matrix from 1 to a tile of rows, of more columns, on an executor of threads? */
int stn_panels_take(const stn_exec *exec, const stn_view *a);

/* Arguments have been checked; `output`: for the trace. STN_ERR_FORMAT, STN_ERR_UNSUPPORTED,
 * STN_ERR_ARGUMENT (A cannot be read in the arithmetic), STN_ERR_MEMORY, before anything is
 * written. */
stn_status stn_panels_run(const char *call, const stn_exec *exec, const stn_panels *job,
                          const stn_view *output);

#endif
