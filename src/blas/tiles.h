/* Products of a symmetric or triangular matrix and a vector by square tiles. */
#ifndef STENO_BLAS_TILES_H
#define STENO_BLAS_TILES_H

#include "blas/call.h"

typedef struct stn_tiles_product {
    const stn_view *a, *x, *y; /* y = alpha * A x + beta * y; where y is x, alpha is 1 and beta 0 */
    stn_triangle triangle;     /* what is read of A */
    int is_mirrored;           /* its mirror image stands for the other one; else that is absent */
    int has_units;             /* on the diagonal, which is not read then */
    stn_c128 alpha, beta;
    int is_hermitian, is_conjugated;
} stn_tiles_product;

/* Codes whose rows or columns follow each other, times values give values: with no other look than
 * a few comparisons. 0: nothing is done, and nothing said of the operands. */
int stn_tiles_multiply_plain(const stn_blas_call *call, const stn_tiles_product *product);

/* Do these tiles take operands whose checks are made? Devices, the reference executor and portable
 * C go by the general sums of rows. */
int stn_tiles_take(const stn_blas_call *call);

/* Any such operands. */
stn_status stn_tiles_multiply(const stn_blas_call *call, const stn_tiles_product *product);

#endif
