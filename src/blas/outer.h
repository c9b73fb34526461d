/* Adds one or two outer products to a matrix or one of its triangles: line by line if lines are
 * contiguous. */
#ifndef STENO_BLAS_OUTER_H
#define STENO_BLAS_OUTER_H

#include "blas/call.h"

typedef struct stn_outer {
    const stn_view *a;
    const stn_view *columns[2], *rows[2]; /* of each product; those of the second may be NULL */
    stn_c128 alpha;                       /* multiplied by the elements of a row first */
    int is_conjugated;                    /* the row */
    int is_triangle; /* the whole matrix is stored; otherwise unchanged elements keep their codes */
    int is_hermitian; /* a triangle; one product with a real alpha, or two */
    stn_triangle triangle;
} stn_outer;

/* Contiguous values, after a few comparisons only. 0: nothing was done, and operands were not
 * checked. */
int stn_outer_add_plain(const stn_blas_call *call, const stn_outer *outer);

/* Checked operands. *is_done: 0 if a kernel must do it, as on devices and on the reference
 * executor. */
stn_status stn_outer_add(const stn_blas_call *call, const stn_outer *outer, int *is_done);

#endif
