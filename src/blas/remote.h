/* The operations on devices, whose kernels and reductions they are: src/reduce/blas.c. Arguments
 * have been checked. */
#ifndef STENO_BLAS_REMOTE_H
#define STENO_BLAS_REMOTE_H

#include "steno/view.h"

stn_status stn_dot_remote(const stn_exec *exec, stn_format arithmetic, double *result,
                          const stn_view *x, const stn_view *y);
stn_status stn_axpy_remote(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *x, const stn_view *y);
stn_status stn_gemv_remote(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *a, const stn_view *x, double beta, const stn_view *y);

#endif
