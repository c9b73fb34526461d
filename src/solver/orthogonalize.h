/* Orthogonalization of the vectors of GMRES: variants of classical Gram-Schmidt. */
#ifndef STENO_SOLVER_ORTHOGONALIZE_H
#define STENO_SOLVER_ORTHOGONALIZE_H

#include "solver/basis.h"

typedef struct stn_gram_schmidt {
    stn_orthogonalization kind; /* not STN_ORTHOGONALIZATION_DEFAULT */
    stn_c128 *again;            /* coefficients of one pass: restart + 1 elements */
    double max;                 /* largest norm of a vector before its orthogonalization so far:
                                 * approximates |A M| */
} stn_gram_schmidt;

/* Rounding units of |A M| that are only rounding errors. */
static const double stn_gram_schmidt_noise = 4.0;

/* Orthogonalizes w against the first `count` vectors, and stores the coefficients in h and the norm
 * of the remainder in *norm: 0 if the remainder consists of rounding errors. */
stn_status stn_orthogonalize(const stn_solver_state *s, stn_gram_schmidt *job, stn_basis *basis,
                             int64_t count, const stn_view *w, stn_c128 *h, double *norm);

#endif
