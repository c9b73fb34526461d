/* What is done with sparse matrices beside products: transposes, residuals, triangular systems,
 * parts, norms and sums. Each takes matrices of any kind and storage; those that make a matrix
 * make compressed rows in host memory (stn_sparse_convert and stn_csr_mirror bring them
 * elsewhere), to be given back with stn_csr_release, and *made is all zeros where they fail.
 * Matrices of another kind are brought into compressed rows first. */
#ifndef STENO_SPARSE_OPERATIONS_H
#define STENO_SPARSE_OPERATIONS_H

#include "steno/detail/names/hide.h"
#include "steno/blas.h"
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

/* ---- triangular systems ---- */

/* A triangle of a matrix, ready to be solved: its rows in the order of their levels, where those of
 * a level need only what earlier ones have solved. It has copies of what it needs. */
typedef struct stn_triangular {
    size_t size;       /* of this struct */
    const char *label; /* the matrix's */
    int64_t rows, levels;
    int64_t bytes;     /* that a solve reads beside the vectors */
    stn_csr strict;    /* what is beside the diagonal, rows and columns in that order */
    stn_view diagonal; /* in that order; of a unit diagonal nothing */
    stn_view order;    /* the row that each of them was; -1: none */
    stn_view place;    /* of each row, which of them it is */
    stn_view level;    /* of each level its first row and how many there are; on the host */
    stn_view work;     /* room for a vector in that order */
} stn_triangular;

/* Take the lower or upper triangle of a square matrix on the host; entries outside of it, and of a
 * unit diagonal those on it, are not looked at. The arrays are in host memory, or in that of the
 * executor's device. It takes the time of some forty products; values keep their storage, in
 * slices where those take fewer bytes. STN_ERR_ARGUMENT (NULL; a diagonal entry that is missing,
 * there twice, or 0, with its row: from 0), STN_ERR_SHAPE, STN_ERR_UNSUPPORTED (a complex matrix,
 * or one on a device), STN_ERR_MEMORY, STN_ERR_DEVICE; *made is all zeros then. */
STN_API stn_status stn_triangular_make(const stn_exec *exec, stn_triangular *made, const stn_csr *a,
                                       stn_triangle triangle, stn_diagonal diagonal);

/* x becomes the solution of T x = b: row by row x = (b - S) / a, where S is the sum of the row's
 * products with what is solved, element e being its e-th stored entry beside the diagonal (of the
 * triangle), as in stn_spmv; difference and quotient are rounded each, and x once to its format. b,
 * x: rank 1, rows; the same view or apart. One call at a time with one object. On a device a level
 * is two launches. Error: |b - T x| <= (d + 3) u (|T| |x| + |b|) with u and d as in blas.h, d of
 * the longest row. STN_ERR_ARGUMENT, STN_ERR_SHAPE, STN_ERR_UNSUPPORTED (arithmetic, memory out of
 * the executor's reach), STN_ERR_ALIAS, STN_ERR_MEMORY. */
STN_API stn_status stn_triangular_solve(const stn_exec *exec, stn_format arithmetic,
                                        const stn_triangular *t, const stn_view *b,
                                        const stn_view *x);

/* All zeros may be given back too. STN_ERR_ARGUMENT as stn_csr_release. */
STN_API stn_status stn_triangular_release(stn_triangular *t);

STN_END_DECLS

#include "steno/detail/names/show.h"

#endif
