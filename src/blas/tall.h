/* Products with a matrix in a block format whose blocks consist of elements of a column, as in a
 * transposed matrix. */
#ifndef STENO_BLAS_TALL_H
#define STENO_BLAS_TALL_H

#include "blas/operand.h"

/* y = alpha A x + beta y. */
typedef struct stn_tall {
    stn_format arithmetic; /* f64 or f32 */
    const stn_view *a;     /* rank 2 */
    const stn_operand *x, *y;
    double alpha, beta;
} stn_tall;

/* Are blocks parts of columns of this matrix, on an executor with threads? */
int stn_tall_support(const stn_exec *exec, const stn_view *a);

/* Arguments have been checked. STN_ERR_MEMORY, before anything is written. */
stn_status stn_tall_run(const stn_exec *exec, const stn_tall *job);

#endif
