/* Inverses of small matrices. */
#ifndef STENO_PRECONDITION_INVERT_H
#define STENO_PRECONDITION_INVERT_H

/* Inverts a square matrix of n <= STN_BLOCK_JACOBI_MAX_ROWS rows, stored by columns, and computes
 * its condition number in the 1-norm. `block` is overwritten; it has capacity for two matrices.
 * Elements are f64, or pairs of f64. Gauss-Jordan elimination with partial pivoting; a matrix whose
 * elements differ much in magnitude is scaled by powers of two, and its inverse is refined. The
 * inverse of a symmetric matrix is symmetric, that of a Hermitian one Hermitian. Returns 0 if the
 * matrix is singular, or if an element of it or of its inverse is not finite. */
int stn_invert(double *block, int n, int is_complex, double *inverse, double *condition);

#endif
