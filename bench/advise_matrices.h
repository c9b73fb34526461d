/* Generated matrices of bench_advise. */
#ifndef STENO_BENCH_ADVISE_MATRICES_H
#define STENO_BENCH_ADVISE_MATRICES_H

#include "steno/sparse.h"

typedef struct bench_matrix {
    const char *name;
    enum { BENCH_GRID, BENCH_RANDOM, BENCH_SPECTRUM } kind;
    int dimensions;
    int64_t edge;      /* grid: points per edge; otherwise: rows */
    double convection; /* grid: strength of the upwind term */
    double jumps;      /* grid: quotient of coefficients of neighboring blocks; 0: constant */
    double anisotropy; /* grid: factor of the first dimension; 0: 1 */
    double shift;      /* grid: subtracted from the diagonal, in units of 1 / step^2 */
    double condition;  /* spectrum: quotient of the largest and smallest eigenvalue */
    int is_indefinite; /* spectrum: every third eigenvalue is negative */
    int row_bits, column_bits; /* rows and columns are scaled by 2^-bits to 2^bits */
    int is_symmetric_scaling;  /* columns like rows */
} bench_matrix;

extern const bench_matrix bench_matrices[]; /* the last one has no name */

stn_matrix *bench_matrix_create(const bench_matrix *of);
void bench_matrix_release(stn_matrix *a);

#endif
