/** @file
 * Operations on sparse matrices: transposes, residuals, triangular systems, parts, sums, values and
 * norms.
 *
 * Operands are matrices of any kind and storage, in any memory. Functions that create a matrix
 * create STN_MATRIX_CSR in the memory of the executor, to be released with stn_matrix_release;
 * stn_sparse_convert makes other kinds of it. On an error, the new matrix is NULL.
 *
 * Products, residuals and triangular solves run on the executor. All other functions run on the
 * host: a matrix on a device is transferred to the host, and the result to the device. The executor
 * must be able to access the vectors. An executor of functions without an arithmetic type may be
 * NULL, the calling thread. `arithmetic` is STN_F64 or STN_F32, of complex values STN_C128 or
 * STN_C64.
 *
 * Errors of all functions, where they apply:
 * @retval STN_ERR_ARGUMENT     NULL, an invalid operand, or an invalid size of a struct
 * @retval STN_ERR_FORMAT       an invalid or opaque format
 * @retval STN_ERR_UNSUPPORTED  an invalid arithmetic type, device memory that was not allocated by
 *                              the library, or vectors that the executor cannot access
 * @retval STN_ERR_MEMORY       not enough memory; the message has the number of bytes
 * @retval STN_ERR_DEVICE       the device failed
 */
#ifndef STENO_SPARSE_OPERATIONS_H
#define STENO_SPARSE_OPERATIONS_H

#include "steno/detail/macro_check.h"
#include "steno/blas.h"
#include "steno/exec.h"
#include "steno/sparse.h"

STN_BEGIN_DECLS

/* ---- transposes and residuals ---- */

/** Creates the transpose.
 *
 * The entries of a row are in ascending order of the rows of the matrix; those of one such row keep
 * their order. Codes and storage are the same. A matrix with scales of rows has no transpose with
 * the same codes: its values are products of codes and scales, stored in f64 or c128. The call
 * takes the time of about ten products and, in addition to the result, up to 8 bytes per entry. The
 * row starts of the result take 8 bytes per column of the matrix, however few entries there are.
 *
 * @param exec       executor
 * @param[out] made  transpose
 * @param a          matrix
 * @retval STN_ERR_SHAPE  the matrix has more than 2^31 - 1 rows */
STN_API stn_status stn_sparse_transpose(const stn_exec *exec, stn_matrix **made,
                                        const stn_matrix *a);

/** Computes y = alpha A^T x + beta y with the bits, parameters and errors of stn_spmv of the
 * transpose.
 *
 * Each call creates the transpose, unless stn_matrix_prepare_transpose (steno/sparse_optimize.h)
 * has stored it in the matrix.
 *
 * @param exec, arithmetic  executor; arithmetic type
 * @param alpha, beta       factors of the product and of y; if beta is 0, y is not read
 * @param a                 matrix
 * @param x                 rank 1, rows; or rank 2, rows x k
 * @param[in,out] y         rank 1, columns; or rank 2, columns x k */
STN_API stn_status stn_spmv_transposed(const stn_exec *exec, stn_format arithmetic, double alpha,
                                       const stn_matrix *a, const stn_view *x, double beta,
                                       const stn_view *y);

/** Computes r = b - A x in one pass, with the errors of stn_spmv.
 *
 * The sum of each row is that of stn_spmv. The difference is rounded once to the arithmetic type
 * and once to the format of r.
 *
 * @param exec, arithmetic  executor; arithmetic type, as of stn_spmv
 * @param[out] r            rank 1, rows; may be b
 * @param b                 rank 1, rows; equal to r or disjoint from it
 * @param a                 matrix
 * @param x                 rank 1, columns */
STN_API stn_status stn_sparse_residual(const stn_exec *exec, stn_format arithmetic,
                                       const stn_view *r, const stn_view *b, const stn_matrix *a,
                                       const stn_view *x);

/* ---- triangular systems ---- */

/** Triangle of a matrix, with its rows in the order of their levels: the rows of a level depend
 * only on rows of earlier levels and are solved in parallel. It has copies of the entries. */
typedef struct stn_triangular stn_triangular;

/** Properties of a triangle. Initialize the struct with STN_TRIANGULAR_INFO_INIT. */
typedef struct stn_triangular_info {
    size_t size;       /**< size of this struct */
    const char *label; /**< label of the matrix, or NULL; valid as long as the triangle */
    int64_t rows;      /**< number of rows */
    int64_t levels;    /**< number of levels */
    int64_t bytes;     /**< bytes that a solve reads in addition to the vectors */
} stn_triangular_info;
/** Initializer of stn_triangular_info. */
#define STN_TRIANGULAR_INFO_INIT STN_INIT(stn_triangular_info)

/** Creates the lower or upper triangle of a square matrix.
 *
 * Entries outside of the triangle are ignored, and with a unit diagonal those on the diagonal. The
 * call takes the time of about 40 products. Values keep their storage; real ones become
 * STN_MATRIX_SLICED if that takes fewer bytes.
 *
 * @param exec                executor; the triangle is stored in its memory
 * @param[out] made           triangle, to be released with stn_triangular_release; NULL on errors
 * @param a                   square matrix of any kind, in any memory
 * @param triangle, diagonal  the triangle, and whether its diagonal is one of ones
 * @retval STN_ERR_ARGUMENT  with the row, counted from 0: a diagonal entry that is missing,
 * repeated or 0
 * @retval STN_ERR_SHAPE     the matrix is not square */
STN_API stn_status stn_triangular_create(const stn_exec *exec, stn_triangular **made,
                                         const stn_matrix *a, stn_triangle triangle,
                                         stn_diagonal diagonal);

/** Solves T x = b.
 *
 * Row by row, x = (b - S) / d with the diagonal element d, where S is the sum of the products of
 * the row with the elements of x that are solved. Element e of S is the e-th entry of the row in
 * the strict triangle, as in stn_spmv. Difference and quotient (that of stn_c128_divide) are
 * rounded to the arithmetic type, and x is rounded once to its format. In complex arithmetic with a
 * real matrix, the real and imaginary parts are solved separately. On a device, each level takes
 * two launches. A triangle has one workspace: only one call at a time may use it.
 *
 * @param exec, arithmetic  executor with which the triangle was created; arithmetic type
 * @param[out] x            rank 1, rows; may be b
 * @param t                 triangle T
 * @param b                 rank 1, rows; equal to x or disjoint from it
 * @retval STN_ERR_SHAPE  an extent is not the number of rows
 * @retval STN_ERR_ALIAS  x overlaps b or itself
 * @par Error bound
 * |b - T x| <= (d + 3) u (|T| |x| + |b|), with u and d as in steno/blas.h, where d is that of the
 * longest row. */
STN_API stn_status stn_triangular_solve(const stn_exec *exec, stn_format arithmetic,
                                        const stn_view *x, const stn_triangular *t,
                                        const stn_view *b);

/** Reports the properties of the triangle `t` in `info`, whose `size` must be set. */
STN_API stn_status stn_triangular_describe(const stn_triangular *t, stn_triangular_info *info);
/** Releases the triangle `t`, which no call uses. NULL is a no-op. */
STN_API void stn_triangular_release(stn_triangular *t);

/* ---- order and selection of entries ---- */

/** Creates a matrix with the same codes and ascending columns in each row, with the parameters of
 * stn_sparse_transpose. Repeated entries keep their order. */
STN_API stn_status stn_sparse_sort(const stn_exec *exec, stn_matrix **made, const stn_matrix *a);

/** Creates a matrix whose row r is row row_order[r] of a matrix, and whose column c is its column
 * column_order[c]. The entries of a row keep their order.
 * @param exec                     executor
 * @param[out] made                permuted matrix
 * @param a                        matrix
 * @param row_order, column_order  permutations of the rows and columns; NULL keeps their order
 * @retval STN_ERR_RANGE  an index is out of range, or occurs twice */
STN_API stn_status stn_sparse_permute(const stn_exec *exec, stn_matrix **made, const stn_matrix *a,
                                      const int64_t *row_order, const int64_t *column_order);

/** Creates a matrix from a block of a matrix.
 * @param exec                   executor
 * @param[out] made              block
 * @param a                      matrix
 * @param first_row, rows        first row of the block, and number of rows
 * @param first_column, columns  first column of the block, and number of columns
 * @retval STN_ERR_RANGE  the block exceeds the matrix */
STN_API stn_status stn_sparse_extract(const stn_exec *exec, stn_matrix **made, const stn_matrix *a,
                                      int64_t first_row, int64_t rows, int64_t first_column,
                                      int64_t columns);

/** Creates a diagonal matrix. The elements are converted as by stn_view_copy.
 * @param exec       executor
 * @param[out] made  square matrix
 * @param label      name for error messages, which is copied, or NULL
 * @param storage    storage of the values
 * @param diagonal   rank 1, diagonal elements
 * @retval STN_ERR_SHAPE  another rank or a negative extent, or more than 2^31 - 1 rows */
STN_API stn_status stn_sparse_from_diagonal(const stn_exec *exec, stn_matrix **made,
                                            const char *label, const stn_storage *storage,
                                            const stn_view *diagonal);
/** Creates the identity with `rows` rows, as stn_sparse_from_diagonal does. */
STN_API stn_status stn_sparse_identity(const stn_exec *exec, stn_matrix **made, const char *label,
                                       const stn_storage *storage, int64_t rows);

/* ---- values ---- */

/** Extracts the diagonal. Missing entries are 0.
 * @param exec, arithmetic  executor; arithmetic type
 * @param[out] d            rank 1, min(rows, columns) elements
 * @param a                 matrix
 * @retval STN_ERR_ARGUMENT  a diagonal entry is repeated; the message has the row
 * @retval STN_ERR_SHAPE     d has another extent
 * @retval STN_ERR_ALIAS     d overlaps an array of the matrix */
STN_API stn_status stn_sparse_diagonal(const stn_exec *exec, stn_format arithmetic,
                                       const stn_view *d, const stn_matrix *a);

/** Scales a matrix in place: each value becomes (by_row[r] * value) * by_column[c].
 *
 * Each product is rounded to the arithmetic type, and the second one is stored. Arrays of views
 * that were wrapped are written. A workspace for the values in the arithmetic type is allocated.
 * The values of a matrix on a device are transferred to the host and back. A STN_MATRIX_PACKED
 * becomes a STN_MATRIX_SLICED. On an error, the values are unchanged.
 *
 * @param exec, arithmetic   executor; arithmetic type
 * @param[in,out] a          matrix of kind STN_MATRIX_CSR, STN_MATRIX_SLICED or STN_MATRIX_PACKED
 * @param by_row, by_column  rank 1, real, one element per row and per column; NULL: no factors
 * @retval STN_ERR_ARGUMENT     the values are read-only: those of stn_matrix_wrap_csr, of a
 *                              read-only view or one with STN_TRAIT_RANDOM_ACCESS, or a pattern
 * @retval STN_ERR_SHAPE        by_row or by_column has another extent
 * @retval STN_ERR_ALIAS        by_row or by_column overlaps an array of the matrix, or values
 *                              overlap
 * @retval STN_ERR_UNSUPPORTED  another kind; scales of rows; on a device values with several scales
 */
STN_API stn_status stn_sparse_scale(const stn_exec *exec, stn_format arithmetic, stn_matrix *a,
                                    const stn_view *by_row, const stn_view *by_column);

/** Creates alpha A + beta B, with every entry of A and B and ascending columns.
 *
 * Values are multiplied by alpha or beta, and the products of one position are added sequentially,
 * those of A first. Products and sums are rounded to the arithmetic type; the result is stored
 * once.
 *
 * @param exec, arithmetic  executor; arithmetic type
 * @param[out] made         sum
 * @param alpha, beta       factors of A and B
 * @param a, b              matrices A and B
 * @param storage           storage of the values
 * @retval STN_ERR_SHAPE  A and B have different extents */
STN_API stn_status stn_sparse_add(const stn_exec *exec, stn_format arithmetic, stn_matrix **made,
                                  double alpha, const stn_matrix *a, double beta,
                                  const stn_matrix *b, const stn_storage *storage);

/** Creates a matrix with narrower values and the same row sums.
 *
 * The amount that rounding takes from the other entries of a row is added to its diagonal element.
 * The diagonal element follows the other entries of its row, as a sum of as many entries as have 22
 * significant bits together (f16: 2; at most 4; integers: 1). A symmetric matrix remains symmetric.
 * The sum of each row is preserved to within the rounding of the last of these entries. No value
 * saturates or overflows, whatever the overflow rule of the storage is.
 *
 * @param exec       executor
 * @param[out] made  matrix with the same row sums
 * @param a          square real matrix
 * @param storage    storage of the values
 * @retval STN_ERR_ARGUMENT     a value or the sum of a row is not finite
 * @retval STN_ERR_RANGE        an entry next to the diagonal, or the new diagonal element, is out
 *                              of the range of the storage
 * @retval STN_ERR_UNSUPPORTED  complex values, or a registered format, whose range is unknown
 * @retval STN_ERR_SHAPE        the matrix is not square
 * @par Error bound
 * If all entries next to the diagonal are at most 0 and all row sums are at least 0, as in
 * diffusion matrices, then |v^T (A - made) v| <= u v^T A v + 2^-22 d v^T v for all v, in addition
 * to underflow, with the unit roundoff u of the format and the largest diagonal element d:
 * iterative refinement with 16 bits takes the same number of steps as with f32. After O. Axelsson,
 * L. Kolotilina, Numer. Linear Algebra Appl. 1 (1994). */
STN_API stn_status stn_sparse_compensate(const stn_exec *exec, stn_matrix **made,
                                         const stn_matrix *a, const stn_storage *storage);

/** Rows and columns that stn_sparse_equilibrate scales. Values are only ever appended. */
typedef enum stn_equilibration {
    STN_EQUILIBRATE_BOTH = 0,   /**< both; symmetric matrices remain symmetric */
    STN_EQUILIBRATE_ROWS = 1,   /**< rows only */
    STN_EQUILIBRATE_COLUMNS = 2 /**< columns only */
} stn_equilibration;

/** Creates R A C with diagonal matrices R and C of powers of two, in f64 or c128.
 *
 * The largest magnitudes of rows (or of columns) are then from 1 up to 2; with
 * STN_EQUILIBRATE_BOTH those of both are from 1/2 up to 4, unless rows and columns differ by more
 * than 2^1000 or have a pattern for which no such scales exist. Values of badly scaled matrices
 * come into the range of narrow formats: convert the result with stn_sparse_convert. Then A x = b
 * becomes (R A C) z = R b with x = C z. All steps are exact, except for entries that are less than
 * 2^-1022 after scaling, which may be rounded. Rows and columns without entries other than 0 have
 * scale 1.
 *
 * @param exec              executor
 * @param[out] made         scaled matrix
 * @param[out] by_row       R: rank 1, rows, f64; or NULL
 * @param[out] by_column    C: rank 1, columns, f64; or NULL
 * @param a                 matrix
 * @param choice            rows, columns or both
 * @retval STN_ERR_ARGUMENT  an entry is infinite or NaN; the message has its row and column
 * @retval STN_ERR_SHAPE     by_row or by_column has another extent
 * @retval STN_ERR_FORMAT    by_row or by_column is not f64, or has a scale
 * @retval STN_ERR_ALIAS     by_row and by_column overlap each other or the matrix
 * @par Source
 * D. Ruiz, Rutherford Appleton Laboratory, RAL-TR-2001-034 (2001); N. Higham, S. Pranesh, M.
 * Zounon, SIAM J. Sci. Comput. 41 (2019), A2536. */
STN_API stn_status stn_sparse_equilibrate(const stn_exec *exec, stn_matrix **made,
                                          const stn_view *by_row, const stn_view *by_column,
                                          const stn_matrix *a, stn_equilibration choice);

/* ---- norms ---- */

/** Norms of rows and columns. */
typedef enum stn_sparse_norm {
    STN_SPARSE_NORM_1 = 1,  /**< sum of magnitudes */
    STN_SPARSE_NORM_2 = 2,  /**< root of the sum of squares */
    STN_SPARSE_NORM_INF = 3 /**< largest magnitude; NaN if there is one */
} stn_sparse_norm;

/** Computes the norms of the rows.
 *
 * Repeated entries count separately. The norms have the bits of stn_asum and stn_nrm2 of the values
 * of a row, with the magnitudes |z| of complex values as in doc/order.md. A row without entries has
 * norm 0.
 *
 * @param exec, arithmetic  executor; arithmetic type
 * @param[out] norms        rank 1, real, one element per row
 * @param a                 matrix
 * @param norm              kind of norm
 * @retval STN_ERR_SHAPE  norms has another extent
 * @retval STN_ERR_ALIAS  norms overlaps an array of the matrix */
STN_API stn_status stn_sparse_row_norms(const stn_exec *exec, stn_format arithmetic,
                                        const stn_view *norms, const stn_matrix *a,
                                        stn_sparse_norm norm);

/** Computes the norms of the columns, as stn_sparse_row_norms of the transpose does, which is
 * created temporarily. */
STN_API stn_status stn_sparse_column_norms(const stn_exec *exec, stn_format arithmetic,
                                           const stn_view *norms, const stn_matrix *a,
                                           stn_sparse_norm norm);

STN_END_DECLS

#endif
