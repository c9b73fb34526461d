/* Products of STN_MATRIX_ELL, STN_MATRIX_SELL and slices, rows side by side. */
#ifndef STENO_SPARSE_SIDE_H
#define STENO_SPARSE_SIDE_H

#include "sparse/matrix.h"

/* Are there loops for it: such a matrix, on threads of the host? */
int stn_side_take(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a);

/* y = alpha * A x + beta * y of all columns of x and y, rank 2, in real arithmetic; of a complex
 * matrix, columns 2 j and 2 j + 1 are the parts of complex numbers, or the last dimension of rank 3
 * is. Arguments have been checked.
 * STN_ERR_MEMORY, before anything is written. */
stn_status stn_side_multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                             const stn_matrix *a, const stn_view *x, double beta,
                             const stn_view *y);

#endif
