/* Orthogonalization of the vectors of GMRES: variants of classical Gram-Schmidt. */
#ifndef STENO_SOLVER_ORTHOGONALIZE_H
#define STENO_SOLVER_ORTHOGONALIZE_H

#include "solver/sketch.h"
#include "solver/split.h"

typedef struct stn_gram_schmidt {
    stn_orthogonalization kind; /* not STN_ORTHOGONALIZATION_DEFAULT */
    int64_t vectors;            /* restart + 1 */
    stn_c128 *again;            /* coefficients of one pass: restart + 1 elements */
    stn_c128 *gram;             /* STN_ORTHOGONALIZATION_DELAYED: column k contains the products of
                                 * vector k with the previous ones */
    stn_c128 *solved;           /* workspace of the same: restart + 1 elements, after `again` */
    stn_sketch sketch;          /* STN_ORTHOGONALIZATION_SKETCHED */
    double *sketches;           /* those of the vectors, followed by that of w */
    double max;                 /* largest norm of a vector before its orthogonalization so far:
                                 * approximates |A M| */
} stn_gram_schmidt;

/* Rounding units of |A M| that are only rounding errors. */
static const double stn_gram_schmidt_noise = 4.0;

/* Sets kind, which may depend on whether the basis is narrow, and allocates memory; it must be
 * released also after an error. */
stn_status stn_gram_schmidt_create(const stn_solver_state *s, int64_t vectors, int is_narrow,
                                   stn_gram_schmidt *job);
void stn_gram_schmidt_release(stn_gram_schmidt *job);

/* The norm in which vectors have length 1: of the sketch of w, or of w, which is `norm`. */
stn_status stn_gram_schmidt_norm(const stn_solver_state *s, stn_gram_schmidt *job,
                                 const stn_view *w, double *norm);

/* Vector k is v: called before vectors are orthogonalized against it. */
stn_status stn_gram_schmidt_append(const stn_solver_state *s, stn_gram_schmidt *job, int64_t k,
                                   const stn_view *v);

/* What the orthogonalization keeps of the first `count` vectors and of the remainder. */
stn_status stn_gram_schmidt_save(stn_solver_state *s, const stn_gram_schmidt *job, int64_t count);
stn_status stn_gram_schmidt_restore(stn_solver_state *s, stn_gram_schmidt *job, int64_t count);

/* Orthogonalizes w against the first `count` vectors, and stores the coefficients in h and the norm
 * of the remainder in *norm: 0 if the remainder consists of rounding errors. */
stn_status stn_orthogonalize(const stn_solver_state *s, stn_gram_schmidt *job, stn_split *basis,
                             int64_t count, const stn_view *w, stn_c128 *h, double *norm);

#endif
