/* Products of rows of real codes with complex vectors, both with interleaved real and imaginary
 * parts: used by GMRES for a basis of complex vectors in a real format. */
#ifndef STENO_BLAS_PAIRS_H
#define STENO_BLAS_PAIRS_H

#include "steno/blas.h"

/* Views without handles; all except the rows have the arithmetic type, f64 or f32. */
typedef struct stn_pairs {
    const stn_exec *exec;
    stn_format arithmetic;
    stn_view rows;           /* m x 2 n, contiguous along each row */
    stn_view re, im;         /* m elements */
    const stn_view *rotated; /* buffer of 2 n elements, if two passes over the rows are necessary */
} stn_pairs;

/* re + i im = the products of the rows' conjugates with w; w = beta w + sign * the sum of the
 * coefficients times the rows, with beta 0 or 1 and sign 1 or -1; and the latter with beta 1 and
 * sign -1, followed by the products. The same bits on every executor; on the host, up to 128
 * rows are read once. STN_ERR_MEMORY, and errors of stn_gemv. */
stn_status stn_pairs_project(const stn_pairs *p, const stn_view *w);
stn_status stn_pairs_combine(const stn_pairs *p, double sign, double beta, const stn_view *w);
stn_status stn_pairs_subtract(const stn_pairs *p, const stn_view *w);

#endif
