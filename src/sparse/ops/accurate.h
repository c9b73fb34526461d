/* Residuals in twice the precision of f64, and the norm of a matrix. */
#ifndef STENO_SPARSE_OPS_ACCURATE_H
#define STENO_SPARSE_OPS_ACCURATE_H

#include "sparse/matrix.h"

/* r = b - A x, where each element is accumulated in twice the precision of f64 (doc/order.md) and
 * rounded once. b, x and r are arrays of f64 on the host, in complex arithmetic of pairs; A is any
 * square matrix, whose values are decoded in f64. Works on the host, with the threads of `exec`. */
stn_status stn_residual_accurate(const stn_exec *exec, const stn_matrix *a, int is_complex,
                                 const double *b, const double *x, double *r);

/* The largest sum of the magnitudes of a row of scale A, on the host, with a power of two. The
 * magnitude of a complex value is |re| + |im|. NaN or infinite if a value is. */
stn_status stn_matrix_norm(const stn_exec *exec, const stn_matrix *a, double scale, double *norm);

#endif
