/* What is done with sparse matrices beside products: transposes, residuals, triangular systems,
 * parts, norms and sums. Each takes matrices of any kind and storage; those that make a matrix
 * make compressed rows in host memory (stn_sparse_convert and stn_csr_mirror bring them
 * elsewhere), to be given back with stn_csr_release, and *made is all zeros where they fail.
 * Matrices of another kind are brought into compressed rows first. */
#ifndef STENO_SPARSE_OPERATIONS_H
#define STENO_SPARSE_OPERATIONS_H

#include "steno/detail/names/hide.h"
#include "steno/exec.h"
#include "steno/sparse.h"

STN_BEGIN_DECLS

/* ---- transposes and residuals ---- */

/* A new matrix, the transpose: entries of a row in ascending order of the rows that they come from,
 * those of one row in their order there; the same codes in the same storage. Made by counting, in
 * the time of about ten products; room for a number of 64 bits per column and thread, of up to 8,
 * is allocated for a while. STN_ERR_ARGUMENT, STN_ERR_SHAPE (more than 2^31 - 1 rows),
 * STN_ERR_UNSUPPORTED (a device), STN_ERR_MEMORY. */
STN_API stn_status stn_sparse_transpose(const stn_exec *exec, stn_csr *made, const stn_csr *matrix);

/* y = alpha * A' x + beta * y, with the bits of stn_spmv of stn_sparse_transpose, which is what it
 * does in each call: for one product now and then; else make the transpose once. x: rank 1, rows;
 * y: rank 1, columns. Host only. As stn_spmv, and STN_ERR_UNSUPPORTED (a device). */
STN_API stn_status stn_spmv_transposed(const stn_exec *exec, stn_format arithmetic, double alpha,
                                       const stn_csr *a, const stn_view *x, double beta,
                                       const stn_view *y);

/* r = b - A x in one pass: each row's sum as in stn_spmv, then one subtraction, rounded once to the
 * arithmetic, and once to r's format. b, r: rank 1, rows, the same view or apart; x: rank 1,
 * columns. On every executor, and with the errors of stn_spmv. */
STN_API stn_status stn_sparse_residual(const stn_exec *exec, stn_format arithmetic,
                                       const stn_view *b, const stn_csr *a, const stn_view *x,
                                       const stn_view *r);

STN_END_DECLS

#include "steno/detail/names/show.h"

#endif
