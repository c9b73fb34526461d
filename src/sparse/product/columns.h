/* Products of a sparse matrix with several right-hand sides. */
#ifndef STENO_SPARSE_PRODUCT_COLUMNS_H
#define STENO_SPARSE_PRODUCT_COLUMNS_H

#include "sparse/matrix.h"

/* Returns whether these loops apply: compressed rows, or entries sorted by row, on a host executor
 * with threads. */
int stn_columns_support(const stn_exec *exec, const stn_matrix *a);

/* y = alpha * A x + beta * y for all columns of x and y, which have rank 2, in real arithmetic. If
 * the matrix is complex, columns 2 j and 2 j + 1, or the elements of the last dimension of rank 3,
 * are the parts of complex numbers. The caller has checked the arguments. STN_ERR_MEMORY is
 * returned before anything is written. */
stn_status stn_columns_multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                                const stn_matrix *a, const stn_view *x, double beta,
                                const stn_view *y);

#endif
