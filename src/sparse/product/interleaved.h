/* Products of ELL, SELL and sliced matrices, which store rows interleaved. */
#ifndef STENO_SPARSE_PRODUCT_INTERLEAVED_H
#define STENO_SPARSE_PRODUCT_INTERLEAVED_H

#include "sparse/matrix.h"

/* Returns whether these loops apply: such a matrix, on a host executor with threads. */
int stn_interleaved_support(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a);

/* y = alpha * A x + beta * y for all columns of x and y, which have rank 2, in real arithmetic. If
 * the matrix is complex, columns 2 j and 2 j + 1, or the elements of the last dimension of rank 3,
 * are the parts of complex numbers. The caller has checked the arguments. STN_ERR_MEMORY is
 * returned before anything is written. */
stn_status stn_interleaved_multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                                    const stn_matrix *a, const stn_view *x, double beta,
                                    const stn_view *y);

#endif
