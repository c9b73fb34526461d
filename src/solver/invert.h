/* Small matrices. */
#ifndef STENO_SOLVER_INVERT_H
#define STENO_SOLVER_INVERT_H

/* The inverse of a square matrix of n rows, by columns, and its condition number in the 1-norm;
 * `block` is used up. Numbers are f64, or pairs of these. Gauss-Jordan elimination with the largest
 * of a column as the pivot; of a symmetric matrix the inverse is made symmetric, of a Hermitian one
 * Hermitian. 0: it is singular, or something is not finite. */
int stn_invert(double *block, int n, int is_complex, double *inverse, double *condition);

#endif
