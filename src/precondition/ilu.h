/* The preconditioner of incomplete factors. */
#ifndef STENO_PRECONDITION_ILU_H
#define STENO_PRECONDITION_ILU_H

#include "precondition/preconditioner.h"
#include "sparse/ops/triangular.h"

/* L D U, and the scales R and C, powers of two, or empty: the factors are then those of R A C. If
 * one order of rows serves both triangles, `upper` shares the order and the workspace of `lower`.
 */
typedef struct stn_ilu {
    stn_preconditioner base;
    stn_triangular lower, upper; /* with unit diagonals */
    stn_view pivots;             /* D */
    stn_view ordered;            /* the pivots in the shared order, or empty */
    stn_view row_scale, column_scale;
} stn_ilu;

#endif
