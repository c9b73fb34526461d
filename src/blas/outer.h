/* Products of a column and a row, or two of them, onto a matrix or one triangle of it: line by line
 * where elements follow each other. */
#ifndef STENO_BLAS_OUTER_H
#define STENO_BLAS_OUTER_H

#include "blas/call.h"

typedef struct stn_outer {
    const stn_view *a;
    const stn_view *columns[2], *rows[2]; /* of each product; those of a second one may be NULL */
    stn_c128 alpha;                       /* times the elements of a row first */
    int is_conjugated;                    /* the row */
    int is_triangle;  /* all of it is stored; else what does not change keeps its code */
    int is_hermitian; /* a triangle; one product with a real alpha, or two */
    stn_triangle triangle;
} stn_outer;

/* Values that follow each other, with no other look than a few comparisons. 0: nothing is done, and
 * nothing said of the operands. */
int stn_outer_add_plain(const stn_blas_call *call, const stn_outer *outer);

/* Operands whose checks are made. *is_done: 0 where it is left to a kernel, as on devices and by
 * the reference executor. */
stn_status stn_outer_add(const stn_blas_call *call, const stn_outer *outer, int *is_done);

#endif
