/* Products of a sparse matrix with several right-hand sides at once. */
#ifndef STENO_SPARSE_COLUMNS_H
#define STENO_SPARSE_COLUMNS_H

#include "sparse/matrix.h"

/* Are there loops for it: compressed rows, or entries whose rows ascend, on threads of
 * the host? */
int stn_columns_take(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a);

/* y = alpha * A x + beta * y of all columns of x and y, rank 2, in real arithmetic; of a complex
 * matrix, columns 2 j and 2 j + 1 are the parts of complex numbers, or the last dimension of rank 3
 * is. Arguments have been checked.
 * STN_ERR_MEMORY, before anything is written. */
stn_status stn_columns_multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                                const stn_matrix *a, const stn_view *x, double beta,
                                const stn_view *y);

#endif
