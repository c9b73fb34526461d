/* Products of rows of real codes with complex vectors, both as real and imaginary parts in turn:
 * what GMRES does with a basis of complex vectors in any real format. */
#ifndef STENO_BLAS_PAIRS_H
#define STENO_BLAS_PAIRS_H

#include "steno/blas.h"

/* Views without handles; all but the rows are of the arithmetic type, f64 or f32. */
typedef struct stn_pairs {
    const stn_exec *exec;
    stn_format arithmetic;
    stn_view rows;          /* m x 2 n, contiguous along each row */
    stn_view re, im;        /* m numbers */
    const stn_view *turned; /* room for 2 n elements, where one pass over the rows does not do */
} stn_pairs;

/* re + i im = the products of the rows' conjugates with w; w = beta w + sign * the sum of the
 * numbers times the rows, of beta 0 or 1 and sign 1 or -1; and this of beta 1 and sign -1 with the
 * products behind it. The same bits on every executor; rows are read once on the host, up to 128 of
 * them. STN_ERR_MEMORY, and what stn_gemv says. */
stn_status stn_pairs_project(const stn_pairs *p, const stn_view *w);
stn_status stn_pairs_combine(const stn_pairs *p, double sign, double beta, const stn_view *w);
stn_status stn_pairs_subtract(const stn_pairs *p, const stn_view *w);

#endif
