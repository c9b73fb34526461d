/* What is done with sparse matrices beside products: transposes, residuals, triangular systems,
 * parts, norms and sums. Each takes matrices of any kind and storage; those that make a matrix make
 * compressed rows where the executor is (stn_sparse_convert makes other kinds of these), to be
 * given back with stn_matrix_release, and *made is all zeros where they fail. Matrices of another
 * kind are brought into compressed rows first.
 *
 * Products, residuals and solutions of triangles run where the executor is. All else is done on the
 * host, by one thread for an executor of a device: a matrix in a device's memory comes to the host
 * first, by one transfer, and what is made goes to the executor's device by another; with the bits
 * of the host. Matrices may be in any memory then, vectors where the executor reaches them. Errors
 * beside those below: STN_ERR_UNSUPPORTED (memory of a device that is not the library's, vectors
 * out of reach), STN_ERR_DEVICE. */
#ifndef STENO_SPARSE_OPERATIONS_H
#define STENO_SPARSE_OPERATIONS_H

#include "steno/detail/macro_check.h"
#include "steno/blas.h"
#include "steno/exec.h"
#include "steno/sparse.h"

STN_BEGIN_DECLS

/* ---- transposes and residuals ---- */

/* Creates the transpose: the entries of a row are in ascending order of the rows of the matrix,
 * those of one such row in their order there; the codes and the storage are the same. It takes the
 * time of about ten products and, in addition to the result, up to 8 bytes per entry. The row
 * starts of the result take 8 bytes per column of the matrix, however few entries there are.
 *
 * STN_ERR_ARGUMENT, STN_ERR_SHAPE (more than 2^31 - 1 rows)
 * STN_ERR_MEMORY  the host has less memory than the result needs, with the number of bytes */
STN_API stn_status stn_sparse_transpose(const stn_exec *exec, stn_matrix **made,
                                        const stn_matrix *matrix);

/* y = alpha * A' x + beta * y, with the bits of stn_spmv of stn_sparse_transpose, which is what it
 * does in each call: for one product now and then; else make the transpose once. x: rank 1, rows;
 * y: rank 1, columns; or rank 2 as of stn_spmv. For a device the transpose is made on the host and
 * goes there, and the product runs there. As stn_spmv. */
STN_API stn_status stn_spmv_transposed(const stn_exec *exec, stn_format arithmetic, double alpha,
                                       const stn_matrix *a, const stn_view *x, double beta,
                                       const stn_view *y);

/* r = b - A x in one pass: each row's sum as in stn_spmv, then one subtraction, rounded once to the
 * arithmetic, and once to r's format. b, r: rank 1, rows, the same view or apart; x: rank 1,
 * columns. On every executor, and with the errors of stn_spmv. */
STN_API stn_status stn_sparse_residual(const stn_exec *exec, stn_format arithmetic,
                                       const stn_view *r, const stn_view *b, const stn_matrix *a,
                                       const stn_view *x);

/* ---- triangular systems ---- */

/** A triangle of a matrix with its rows in an order in which many can be solved in parallel. It
 * has its own copies of the entries. */
typedef struct stn_triangular stn_triangular;

/** Properties of a triangle. */
typedef struct stn_triangular_info {
    size_t size;       /**< sizeof(stn_triangular_info), set by the caller */
    const char *label; /**< label of the matrix, or NULL; valid as long as the triangle */
    int64_t rows;      /**< number of rows */
    int64_t levels;    /**< sets of rows that are solved in parallel */
    int64_t bytes;     /**< bytes that a solve reads in addition to the vectors */
} stn_triangular_info;

/* Take the lower or upper triangle of a square matrix in any memory; entries outside of it, and of
 * a unit diagonal those on it, are not looked at. The arrays are in host memory, or in that of the
 * executor's device. It takes the time of some forty products; values keep their storage, real
 * ones in slices where those take fewer bytes. STN_ERR_ARGUMENT (NULL; a diagonal entry that is
 * missing, there twice, or 0, with its row: from 0), STN_ERR_SHAPE, STN_ERR_MEMORY, STN_ERR_DEVICE;
 * *made is all zeros then. */
STN_API stn_status stn_triangular_create(const stn_exec *exec, stn_triangular **made,
                                         const stn_matrix *a, stn_triangle triangle,
                                         stn_diagonal diagonal);

/* x becomes the solution of T x = b, in complex arithmetic of a complex matrix: row by row x = (b -
 * S) / a, where S is the sum of the row's products with what is solved, element e being its e-th
 * stored entry beside the diagonal (of the triangle), as in stn_spmv; difference and quotient
 * (stn_c128_divide's) are rounded each, and x once to its format. Of a real matrix in complex
 * arithmetic both parts are solutions by themselves. b, x: rank 1, rows; the same view or apart.
 * One call at a time with one object. On a device a level is two launches. Error: |b - T x| <= (d +
 * 3) u (|T| |x| + |b|) with u and d as in blas.h, d of the longest row. STN_ERR_ARGUMENT,
 * STN_ERR_SHAPE, STN_ERR_UNSUPPORTED (arithmetic, memory out of the executor's reach),
 * STN_ERR_ALIAS, STN_ERR_MEMORY. */
STN_API stn_status stn_triangular_solve(const stn_exec *exec, stn_format arithmetic,
                                        const stn_view *x, const stn_triangular *t,
                                        const stn_view *b);

/** Reports the properties of a triangle.
 *
 * @param t          triangle
 * @param[out] info  its properties; `size` must be set
 * @retval STN_ERR_ARGUMENT  NULL, or an invalid size */
STN_API stn_status stn_triangular_describe(const stn_triangular *t, stn_triangular_info *info);

/** Releases a triangle. NULL is a no-op. */
STN_API void stn_triangular_release(stn_triangular *t);

/* ---- entries chosen and ordered ---- */

/* A new matrix with the same codes, columns ascending in each row; those of one column stay in
 * their order. STN_ERR_ARGUMENT, STN_ERR_SHAPE (more than 2^31 - 1 rows), STN_ERR_MEMORY. */
STN_API stn_status stn_sparse_sort(const stn_exec *exec, stn_matrix **made,
                                   const stn_matrix *matrix);

/* A new matrix whose row r is row row_order[r] of the other and whose column c is column
 * column_order[c]; NULL: as they are. A row's entries stay in their order. As stn_sparse_sort;
 * STN_ERR_RANGE (an index that there is not, or one that is there twice). */
STN_API stn_status stn_sparse_permute(const stn_exec *exec, stn_matrix **made,
                                      const stn_matrix *matrix, const int64_t *row_order,
                                      const int64_t *column_order);

/* A new matrix of `rows` rows from first_row on and `columns` columns from first_column on.
 * STN_ERR_RANGE unless the other has them; as stn_sparse_sort. */
STN_API stn_status stn_sparse_extract(const stn_exec *exec, stn_matrix **made,
                                      const stn_matrix *matrix, int64_t first_row, int64_t rows,
                                      int64_t first_column, int64_t columns);

/* A new square matrix with these elements, rank 1, on its diagonal, stored as `storage` says; they
 * are converted as stn_view_copy does. STN_ERR_ARGUMENT, STN_ERR_SHAPE, STN_ERR_FORMAT,
 * STN_ERR_UNSUPPORTED, STN_ERR_MEMORY. The same with ones: the identity. */
STN_API stn_status stn_sparse_from_diagonal(const stn_exec *exec, stn_matrix **made,
                                            const char *label, const stn_storage *storage,
                                            const stn_view *diagonal);
STN_API stn_status stn_sparse_identity(const stn_exec *exec, stn_matrix **made, const char *label,
                                       const stn_storage *storage, int64_t rows);

/* ---- values: in f64 or f32, of complex ones in c128 or c64 ---- */

/* d becomes the diagonal: rank 1, as many elements as the matrix has rows or columns, the fewer of
 * both. What is not there is 0; what is there twice is STN_ERR_ARGUMENT, with the row.
 * STN_ERR_SHAPE, STN_ERR_ALIAS, STN_ERR_UNSUPPORTED (arithmetic), STN_ERR_MEMORY. */
STN_API stn_status stn_sparse_diagonal(const stn_exec *exec, stn_format arithmetic,
                                       const stn_view *d, const stn_matrix *a);

/* Scales a matrix in place: each value becomes (by_row[r] * value) * by_column[c], each product
 * rounded to the arithmetic and the second one stored once. The arrays that the matrix describes
 * are written, also those of stn_matrix_wrap_csr_arrays.
 *
 * matrix     compressed rows over arrays and views of any format and stride, or slices
 * by_row     rank 1, real, one element per row; NULL: rows are not scaled
 * by_column  the same for columns
 *
 * A workspace for the values in the arithmetic is allocated. The values of a matrix on a device are
 * copied to the host and back. On an error, the values are unchanged.
 *
 * STN_ERR_ARGUMENT     NULL, or the values are read-only: a view of stn_view_wrap_const, or with
 *                      the trait STN_TRAIT_RANDOM_ACCESS, or a pattern
 * STN_ERR_SHAPE        by_row or by_column has another extent
 * STN_ERR_ALIAS        by_row or by_column overlaps an array of the matrix, or values overlap
 * STN_ERR_UNSUPPORTED  another kind; scales of rows; values under several scales on a device
 * STN_ERR_MEMORY, STN_ERR_DEVICE */
STN_API stn_status stn_sparse_scale(const stn_exec *exec, stn_format arithmetic, stn_matrix *a,
                                    const stn_view *by_row, const stn_view *by_column);

/* A new matrix, alpha A + beta B, with every entry that one of them has, columns ascending, stored
 * as `storage` says. Each value is the sum of its products with alpha and beta, rounded to
 * the arithmetic each and stored once; those of repeated entries are added one after the other, A's
 * first. STN_ERR_ARGUMENT, STN_ERR_SHAPE, STN_ERR_FORMAT, STN_ERR_UNSUPPORTED
 * (arithmetic), STN_ERR_MEMORY. */
STN_API stn_status stn_sparse_add(const stn_exec *exec, stn_format arithmetic, stn_matrix **made,
                                  double alpha, const stn_matrix *a, double beta,
                                  const stn_matrix *b, const stn_storage *storage);

/* Creates a matrix with values stored as `storage` says whose rows preserve their sums: the amount
 * that rounding takes from the other entries of a row is added to its diagonal element. The
 * diagonal element follows the other entries of its row, as a sum of as many entries as have 22
 * significant bits together (f16: 2; at most 4; integers: 1). A symmetric matrix remains symmetric.
 * The sum of each row is that of the matrix to within the rounding of the last of these entries;
 * otherwise the call fails: no value saturates or overflows, whatever the overflow rule of the
 * storage is.
 *
 * If all entries next to the diagonal are at most 0 and all row sums at least 0, as in diffusion
 * matrices, then |v' (A - made) v| <= u v' A v + 2^-22 d v' v for all v, with the unit roundoff u
 * of the format and the largest diagonal element d, in addition to underflow: iterative refinement
 * with 16 bits takes as many steps as with f32. The matrix is square and real, of any kind.
 * Reference: O. Axelsson, L. Kolotilina, Numer. Linear Algebra Appl. 1 (1994).
 *
 * STN_ERR_ARGUMENT     NULL; made is the matrix; a row with a value or a sum that is not finite
 * STN_ERR_RANGE        an entry next to the diagonal, or the new diagonal element, is out of the
 *                      range of the storage
 * STN_ERR_UNSUPPORTED  complex values, or a registered format, whose range is unknown
 * STN_ERR_SHAPE, STN_ERR_FORMAT, STN_ERR_MEMORY */
STN_API stn_status stn_sparse_compensate(const stn_exec *exec, stn_matrix **made,
                                         const stn_matrix *matrix, const stn_storage *storage);

/* ---- norms, in f64 or f32; of complex matrices in c128 or c64, and norms are real ---- */

typedef enum stn_sparse_norm {
    STN_SPARSE_NORM_1 = 1,  /* sums of magnitudes */
    STN_SPARSE_NORM_2 = 2,  /* roots of sums of squares */
    STN_SPARSE_NORM_INF = 3 /* largest magnitudes; NaN where there is one */
} stn_sparse_norm;

/* norms, rank 1, become those of the rows, or of the columns: of the entries as they are stored,
 * one by one, with the bits that stn_asum and stn_nrm2 of a row's values have; of complex ones with
 * magnitudes |z| as order.md has them, in sums too. 0 of none. Columns are rows of the transpose,
 * which is made for a while. STN_ERR_ARGUMENT, STN_ERR_SHAPE, STN_ERR_ALIAS, STN_ERR_UNSUPPORTED
 * (arithmetic), STN_ERR_MEMORY. */
STN_API stn_status stn_sparse_row_norms(const stn_exec *exec, stn_format arithmetic,
                                        const stn_view *norms, const stn_matrix *a,
                                        stn_sparse_norm norm);
STN_API stn_status stn_sparse_column_norms(const stn_exec *exec, stn_format arithmetic,
                                           const stn_view *norms, const stn_matrix *a,
                                           stn_sparse_norm norm);

STN_END_DECLS

#endif
