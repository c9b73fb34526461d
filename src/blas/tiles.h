/* Products of a symmetric or triangular matrix and a vector by square tiles. */
#ifndef STENO_BLAS_TILES_H
#define STENO_BLAS_TILES_H

#include "blas/call.h"

typedef struct stn_tiles_product {
    const stn_view *a, *x, *y; /* y = alpha * A x + beta * y; if y is x, alpha is 1 and beta 0 */
    stn_triangle triangle;     /* triangle of A that is read */
    int is_mirrored; /* its mirror image represents the other one, which is otherwise absent */
    int has_units;   /* unit diagonal, which is not read */
    stn_c128 alpha, beta;
    int is_hermitian, is_conjugated;
} stn_tiles_product;

/* Codes with contiguous rows or columns, multiplied by values, yielding values, after a few
 * comparisons only. 0: nothing was done, and operands were not checked. */
int stn_tiles_multiply_plain(const stn_blas_call *call, const stn_tiles_product *product);

/* Do these tiles support checked operands? Devices, the reference executor and portable C use
 * the general sums of rows. */
int stn_tiles_support(const stn_blas_call *call);

/* Any such operands. */
stn_status stn_tiles_multiply(const stn_blas_call *call, const stn_tiles_product *product);

#endif
