/** @file
 * BLAS over views of any format.
 *
 * The functions have the names of BLAS without the letter of the type. Copying is stn_view_copy().
 *
 * The storage format of an operand is a property of its view. The arithmetic type is the type in
 * which values are computed: STN_F64 or STN_F32 with real operands, STN_C128 or STN_C64 with
 * complex operands. Each operation is rounded to the arithmetic type. Results are rounded once more
 * when they are stored, by the rules of the view. Sums have the order of doc/order.md: the results
 * have the same bits on every executor, for every number of threads and every instruction set,
 * except for level 3 with the gemm of the system (below).
 *
 * The arithmetic type precedes the scalars. Compilers do not detect the mistake of a call that
 * passes alpha first, because stn_format is an enumeration and 1.0 converts to STN_F32.
 *
 * Scalars are rounded to the arithmetic type first. In complex arithmetic, a double is a complex
 * number with imaginary part 0, whose product with an infinite part is NaN; but alpha of stn_scal()
 * and stn_her() multiplies both parts. An operand with the factor 0 is not read, so its NaN and
 * infinities have no effect. This does not hold for stn_scal(), stn_rot() and stn_rotm(). All other
 * NaN and infinities propagate. Elements whose value does not change are neither stored nor counted
 * by stn_scal(), stn_swap(), stn_axpby(), stn_rot(), stn_rotm(), stn_ger() and complex stn_axpy(),
 * nor by any function whose alpha is 0.
 *
 * The transpose of an operand is a view with permuted dimensions; a negative increment is a
 * negative stride. Of a triangular or symmetric matrix, only the elements of one triangle are read
 * or stored.
 *
 * Matrix products use panels of decoded operands, or operands in place that are stored in the
 * arithmetic type. Panels are multiplied by cblas_dgemm and its variants of the system's library
 * (STENO_GEMM, or the first one found of OpenBLAS, BLIS and others), which has its own order of
 * sums and its own threads. Its other functions of level 3 receive operands that are all stored in
 * the arithmetic type. If there is none, if STENO_GEMM is "own", on the reference executor and
 * on devices, each sum is that of stn_dot(), with the same bits everywhere. Results are rounded
 * once, for any length of the sums. A product allocates several MiB per thread (doc/blas.md).
 *
 * Error bounds hold for finite numbers without overflow and without subnormal results. u is 2^-53
 * or 2^-24, n the number of elements of a sum, and d = ceil(log2(n)). Bounds of complex numbers are
 * those of their parts, with the sum of the magnitudes of all products of parts. The roundings of
 * decoding and storing are not included. doc/accuracy.md derives the bounds from Higham, Accuracy
 * and Stability of Numerical Algorithms (2002), 3.1, 3.6, 4.2 and 8.1.
 *
 * Errors of all functions, after which the results are unchanged:
 * @retval STN_ERR_ARGUMENT     a pointer is NULL, a view has no data, a result is read-only, or an
 *                              enumeration has an invalid value
 * @retval STN_ERR_SHAPE        the ranks or extents of the operands do not match
 * @retval STN_ERR_ALIAS        a result shares bytes with another operand, or repeats an element
 *                              (stride 0). Disjoint interleaved views are accepted
 * @retval STN_ERR_UNSUPPORTED  an arithmetic type that the function does not have, a format that
 *                              does not match it, an atomic view, or memory that the executor
 *                              cannot access. Matrix products also refuse banded matrices, packed
 *                              results, and unsuitable libraries in STENO_GEMM
 * @retval STN_ERR_IO           the library named by STENO_GEMM cannot be opened
 * @retval STN_ERR_MEMORY       out of memory
 */
#ifndef STENO_BLAS_H
#define STENO_BLAS_H

#include "steno/detail/macro_check.h"
#include "steno/complex.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/** Diagonal of a triangular matrix. */
typedef enum stn_diagonal {
    STN_DIAGONAL_NON_UNIT = 0, /**< The stored elements. */
    STN_DIAGONAL_UNIT = 1      /**< Ones. The stored elements are not read. */
} stn_diagonal;

/** Side of a matrix in a product. */
typedef enum stn_side {
    STN_SIDE_LEFT = 0, /**< The matrix is the left factor. */
    STN_SIDE_RIGHT = 1 /**< The matrix is the right factor. */
} stn_side;

/** Conjugation of a matrix. It has no effect in real arithmetic. */
typedef enum stn_conjugate {
    STN_NO_CONJUGATE = 0, /**< The stored elements. */
    STN_CONJUGATE = 1     /**< The conjugates of the stored elements. */
} stn_conjugate;

/* ---- vectors: rank 1, of the same extent ---- */

/** Computes the dot product of two vectors: the sum of x[i] * y[i].
 * @param exec, arithmetic  executor; STN_F64 or STN_F32
 * @param[out] result       the product, widened to double; +0 if n is 0
 * @param x, y              vectors of n elements
 * @par Error bound
 * (d + 2) u times the sum of |x[i] y[i]|. Decoding adds its roundings if a scale is not a power of
 * two or a zero point is not 0. */
STN_API stn_status stn_dot(const stn_exec *exec, stn_format arithmetic, double *result,
                           const stn_view *x, const stn_view *y);
/** Complex version of stn_dot, in STN_C128 or STN_C64. Error bound of each part: 2 (d + 2) u times
 * the sum of the magnitudes of the products of parts in it. */
STN_API stn_status stn_dotu(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                            const stn_view *x, const stn_view *y);
/** Conjugated version of stn_dot: the sum of conj(x[i]) * y[i]. See stn_dotu. */
STN_API stn_status stn_dotc(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                            const stn_view *x, const stn_view *y);

/** Computes the 2-norm of a vector, without overflow or underflow of intermediate results.
 * @param exec, arithmetic  executor; any arithmetic type
 * @param[out] result       the norm
 * @param x                 vector, real or complex
 * @par Error bound
 * ((d + 2) / 2 + 1) u times the norm; complex: ((d + 3) / 2 + 1) u. */
STN_API stn_status stn_nrm2(const stn_exec *exec, stn_format arithmetic, double *result,
                            const stn_view *x);

/** Computes the sum of |x[i]|, of complex numbers |re| + |im|, with the parameters of stn_nrm2.
 * Error bound: (d + 1) u times the sum; complex: (d + 2) u. */
STN_API stn_status stn_asum(const stn_exec *exec, stn_format arithmetic, double *result,
                            const stn_view *x);

/** Index of an element of a vector without elements. */
enum { STN_INDEX_NONE = -1 };

/** Finds the first element of largest magnitude, of complex numbers |re| + |im|.
 * @param exec, arithmetic  executor; any arithmetic type
 * @param[out] result       its index, from 0; the index of the first NaN if there is one;
 *                          STN_INDEX_NONE if the vector is empty
 * @param x                 vector, real or complex */
STN_API stn_status stn_iamax(const stn_exec *exec, stn_format arithmetic, int64_t *result,
                             const stn_view *x);

/** Exchanges two vectors. Each value is rounded to the format of the other vector.
 * @param exec, arithmetic  executor; any arithmetic type
 * @param[in,out] x, y      vectors of n elements, real or complex */
STN_API stn_status stn_swap(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                            const stn_view *y);

/** Computes x = alpha x. A factor of 0 is not special: NaN remain NaN.
 * @param exec, arithmetic  executor; any arithmetic type
 * @param alpha             factor; in complex arithmetic of both parts
 * @param[in,out] x         vector, real or complex
 * @par Error bound
 * u |alpha x[i]|. */
STN_API stn_status stn_scal(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_view *x);
/** Complex version of stn_scal. Error bound of a part: 2 u times the magnitudes of its two
 * products. */
STN_API stn_status stn_scal_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                    const stn_view *x);

/** Computes y = alpha x + y.
 *
 * The product and the sum are rounded to the arithmetic type; the sum is then stored.
 *
 * @param exec, arithmetic  executor; any arithmetic type
 * @param alpha             factor; if it is 0, y is unchanged
 * @param x                 vector of n elements, real or complex
 * @param[in,out] y         vector of n elements; it may be the same view as x, but must not overlap
 *                          it otherwise
 * @par Error bound
 * u |alpha x[i]| + u |y[i]| with the new y[i]; complex: 2 u and u.
 * @code
 * stn_axpy(exec, STN_F64, 2.5, &x, &y);
 * @endcode */
STN_API stn_status stn_axpy(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_view *x, const stn_view *y);
/** Complex version of stn_axpy. */
STN_API stn_status stn_axpy_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                    const stn_view *x, const stn_view *y);

/** Computes y = alpha x + beta y. Both products and the sum are rounded.
 * @param exec, arithmetic  executor; any arithmetic type
 * @param alpha, beta       factors of x and y; an operand whose factor is 0 is not read
 * @param x                 vector of n elements, real or complex
 * @param[in,out] y         vector of n elements; it may be the same view as x, but must not overlap
 *                          it otherwise
 * @par Error bound
 * u (|alpha x[i]| + |beta y[i]|) + u |y[i]|, in the last term with the new y[i]; complex: 2 u and
 * u. */
STN_API stn_status stn_axpby(const stn_exec *exec, stn_format arithmetic, double alpha,
                             const stn_view *x, double beta, const stn_view *y);
/** Complex version of stn_axpby. */
STN_API stn_status stn_axpby_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                     const stn_view *x, stn_c128 beta, const stn_view *y);

/** Applies a plane rotation: (x, y) = (c x + s y, c y - conj(s) x) for all elements.
 * @param exec, arithmetic  executor; any arithmetic type
 * @param[in,out] x, y      vectors of n elements, real or complex
 * @param c, s              cosine and sine
 * @par Error bound
 * Of each element: 2 u (|c x| + |s y|); complex: 3 u. */
STN_API stn_status stn_rot(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                           const stn_view *y, double c, double s);
/** Version of stn_rot with a complex sine. */
STN_API stn_status stn_rot_complex(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                                   const stn_view *y, double c, stn_c128 s);

/** Computes the rotation with c a + s b = r and c b - s a = 0.
 *
 * The computation is in f64 without overflow or underflow of intermediate results. The results are
 * rounded to the arithmetic type. Source: Anderson, ACM TOMS 44 (2017).
 *
 * @param arithmetic  STN_F64 or STN_F32
 * @param[in,out] a   a; then r
 * @param[in,out] b   b; then a value from which c and s can be computed: s if |a| > |b|, otherwise
 *                    1 / c, or 1 if c is 0
 * @param[out] c, s   cosine and sine
 * @par Error bound
 * Of each result: 4 u times its magnitude. */
STN_API stn_status stn_rotg(stn_format arithmetic, double *a, double *b, double *c, double *s);
/** Complex version of stn_rotg. c is real, and b is unchanged. Error bound of each part: 8 u times
 * the magnitude. */
STN_API stn_status stn_rotg_complex(stn_format arithmetic, stn_c128 *a, const stn_c128 *b,
                                    double *c, stn_c128 *s);

/** Applies a modified rotation: (x, y) = (h11 x + h12 y, h21 x + h22 y) for all elements.
 * @param exec, arithmetic  executor; STN_F64 or STN_F32
 * @param[in,out] x, y      vectors of n elements
 * @param parameter         {flag, h11, h21, h12, h22}. flag -1: all four elements are used; 0: h11
 *                          and h22 are 1; 1: h12 is 1 and h21 is -1; -2: the vectors are unchanged
 * @par Error bound
 * Of each element: 2 u times the magnitudes of its two products. */
STN_API stn_status stn_rotm(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                            const stn_view *y, const double *parameter);

/** Computes a modified rotation for stn_rotm() that makes the second component of (sqrt(d1) x1,
 * sqrt(d2) y1) zero.
 *
 * The computation is in f64. The results are rounded to the arithmetic type. Powers of 4096 keep
 * the factors between 2^-24 and 2^24. Source: Lawson, Hanson, Kincaid and Krogh, ACM TOMS 5 (1979).
 *
 * @param arithmetic      STN_F64 or STN_F32
 * @param[in,out] d1, d2  weights; then those of the result
 * @param[in,out] x1      first component; then that of the result
 * @param y1              second component
 * @param[out] parameter  five elements, see stn_rotm()
 * @par Error bound
 * Of each result, if neither d1 nor d2 is negative: 7 u times its magnitude. Negative weights cause
 * cancellation. */
STN_API stn_status stn_rotmg(stn_format arithmetic, double *d1, double *d2, double *x1, double y1,
                             double *parameter);

/* ---- a matrix and vectors ---- */

/** Computes y = alpha A x + beta y.
 *
 * The sum of each row is that of stn_dot(). For the transpose of A, permute the dimensions of the
 * view. Allocates a workspace for x in the arithmetic type, unless x is contiguous in that type, or
 * for the sums if rows are not contiguous.
 *
 * @param exec, arithmetic  executor; any arithmetic type
 * @param alpha             factor of the product; if it is 0, A and x are not read
 * @param a                 matrix, m x n, real or complex; fastest if its rows are contiguous
 * @param x                 vector of n elements
 * @param beta              factor of y; if it is 0, y is not read
 * @param[in,out] y         vector of m elements
 * @par Error bound
 * (d + 3) u times the sum of the magnitudes of the products and alpha, plus u |beta y[i]| and u
 * |y[i]| with the new y[i]; complex: 2 (d + 3) u, 2 u and u. A factor of 1 saves u; if beta is 0,
 * the last two terms vanish.
 * @code
 * stn_gemv(exec, STN_F64, 1.0, &a, &x, 0.0, &y);
 * @endcode */
STN_API stn_status stn_gemv(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_view *a, const stn_view *x, double beta, const stn_view *y);
/** Complex version of stn_gemv. With STN_CONJUGATE and a permuted view, A is the conjugate
 * transpose. */
STN_API stn_status stn_gemv_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                    stn_conjugate conj, const stn_view *a, const stn_view *x,
                                    stn_c128 beta, const stn_view *y);

/** Computes y = alpha A' x + beta y, and then z = A y.
 *
 * The results have the same bits as those of stn_gemv() with the transpose of A, and then with A
 * and the stored y. This orthogonalizes y against the rows of A and measures the remaining
 * components. A is read once if it has at most 128 contiguous rows in a built-in real format
 * without a scale, and all vectors are contiguous in the arithmetic type. Source: BLAS Technical
 * Forum Standard (2001), 2.8.4.
 *
 * @param exec, arithmetic  executor; STN_F64 or STN_F32
 * @param alpha, beta       factors of the product and of y; if beta is 0, y is not read
 * @param a                 matrix, m x n
 * @param x                 vector of m elements
 * @param[in,out] y         vector of n elements
 * @param[out] z            vector of m elements; it may be the same view as x
 * @par Error bound
 * As for stn_gemv(). */
STN_API stn_status stn_gemvt(const stn_exec *exec, stn_format arithmetic, double alpha,
                             const stn_view *a, const stn_view *x, double beta, const stn_view *y,
                             const stn_view *z);
/** Version of stn_gemv with a symmetric n x n matrix A, of which one `triangle` is read. The result
 * has the same bits as that of stn_gemv() with the full matrix. */
STN_API stn_status stn_symv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            double alpha, const stn_view *a, const stn_view *x, double beta,
                            const stn_view *y);
/** Hermitian version of stn_gemv: as stn_symv, but the other triangle is the conjugate, and the
 * diagonal is real: its imaginary parts are not read. */
STN_API stn_status stn_hemv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            stn_c128 alpha, const stn_view *a, const stn_view *x, stn_c128 beta,
                            const stn_view *y);

/** Computes x = A x with a triangular A.
 *
 * Each element is the sum of the products in its row of the triangle, indexed by column as in
 * stn_gemv(). Elements outside of the triangle are absent; in complex arithmetic they are products
 * 0 * 0. Allocates a workspace for the sums.
 *
 * @param exec, arithmetic  executor; any arithmetic type
 * @param triangle          the triangle that is read
 * @param diagonal          STN_DIAGONAL_UNIT: the diagonal of A is not read and consists of ones
 * @param conj              STN_CONJUGATE: use the conjugates of the elements of A
 * @param a                 matrix, n x n, real or complex; fastest if its rows are contiguous
 * @param[in,out] x         vector of n elements
 * @par Error bound
 * (d + 2) u times the sum of the magnitudes of the products; complex: 2 (d + 2) u. */
STN_API stn_status stn_trmv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            stn_diagonal diagonal, stn_conjugate conj, const stn_view *a,
                            const stn_view *x);

/** Solves A x = b with a triangular A. The parameters are those of stn_trmv; x is b, then the
 * solution.
 *
 * Rows and columns are processed in tiles of 128. The products of a row with solved elements of
 * other tiles are summed as in stn_gemv(), indexed from the first column (of an upper triangle,
 * from the next tile), and subtracted: the factor is -1 as in stn_gemv_complex(), so infinite parts
 * become NaN. Within a tile, rows are processed in strips of 16. To the sum of the products with
 * solved elements of other strips of the tile, indexed from the first of them, the products within
 * the strip are added in the order of solution. This sum is subtracted, and the rest is divided by
 * the diagonal element.
 *
 * A zero on the diagonal is not an error: quotients are infinite or NaN. x is stored after all
 * elements are solved. Allocates a workspace for x and a tile, unless x is contiguous in the
 * arithmetic type. On a device, the calling thread solves the tiles on the diagonal.
 *
 * Error bound: |b - A x| <= (d + 20) u (|A| |x| + |b|); complex: (2 d + 46) u with magnitudes |re|
 * + |im|. */
STN_API stn_status stn_trsv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            stn_diagonal diagonal, stn_conjugate conj, const stn_view *a,
                            const stn_view *x);

/** Computes A = A + alpha x y^T. The product x[i] * (alpha * y[j]) is rounded, then the sum.
 * @param exec, arithmetic  executor; any arithmetic type
 * @param alpha             factor of the product; if it is 0, A is unchanged
 * @param x, y              vectors of m and n elements, real or complex
 * @param[in,out] a         matrix, m x n
 * @par Error bound
 * 2 u |alpha x[i] y[j]| + u |A[i, j]| with the new A[i, j]; complex: 4 u and u. */
STN_API stn_status stn_ger(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *x, const stn_view *y, const stn_view *a);
/** Version of stn_ger with a complex alpha. */
STN_API stn_status stn_geru(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                            const stn_view *x, const stn_view *y, const stn_view *a);
/** Conjugated version of stn_ger, with a complex alpha: A = A + alpha x y^H. */
STN_API stn_status stn_gerc(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                            const stn_view *x, const stn_view *y, const stn_view *a);

/** Computes A = A + alpha x x^T in one triangle.
 * @param exec, arithmetic  executor; any arithmetic type
 * @param triangle          the triangle that is read and written
 * @param alpha             factor of the product
 * @param x                 vector of n elements, real or complex
 * @param[in,out] a         matrix, n x n
 * @par Error bound
 * As for stn_ger(). */
STN_API stn_status stn_syr(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                           double alpha, const stn_view *x, const stn_view *a);
/** Hermitian version of stn_syr: A = A + alpha x x^H. The diagonal becomes real. */
STN_API stn_status stn_her(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                           double alpha, const stn_view *x, const stn_view *a);

/** Computes A = A + alpha x y^T + alpha y x^T in one triangle. The other parameters are those of
 * stn_syr; `y` has n elements. x[i] * (alpha * y[j]) is added first, then y[i] * (alpha * x[j]).
 *
 * Error bound: 2 u times the magnitudes of the two products, plus u times the magnitudes of both
 * sums; complex: 4 u and u. */
STN_API stn_status stn_syr2(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            double alpha, const stn_view *x, const stn_view *y, const stn_view *a);
/** Hermitian version of stn_syr: A = A + alpha x y^H + conj(alpha) y x^H, with the error bound of
 * stn_syr2. The diagonal becomes real. */
STN_API stn_status stn_her2(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            stn_c128 alpha, const stn_view *x, const stn_view *y,
                            const stn_view *a);

/* ---- matrices: see the statements about matrix products at the beginning of this header ---- */

/** Computes C = alpha A B + beta C.
 * @param exec, arithmetic  executor; any arithmetic type
 * @param alpha             factor of the product; if it is 0, A and B are not read
 * @param a, b              matrices, m x k and k x n, real or complex
 * @param beta              factor of C; if it is 0, C is not read
 * @param[in,out] c         matrix, m x n
 * @par Error bound
 * (k + 3) u times the sum of the magnitudes of the products and alpha, plus u |beta c| and u |c|
 * with the new c; complex: (2 k + 4) u, 2 u and u. The product of the library itself has the bound
 * of stn_gemv(). A system library that adds products to beta c one by one, as the reference BLAS
 * does, has a second term that is k + 1 times as large.
 * @code
 * stn_gemm(exec, STN_F64, 1.0, &a, &b, 0.0, &c);
 * @endcode */
STN_API stn_status stn_gemm(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_view *a, const stn_view *b, double beta, const stn_view *c);
/** Complex version of stn_gemm. STN_CONJUGATE in `conj_a` or `conj_b` selects the conjugates of the
 * elements of the matrix. */
STN_API stn_status stn_gemm_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                    stn_conjugate conj_a, const stn_view *a, stn_conjugate conj_b,
                                    const stn_view *b, stn_c128 beta, const stn_view *c);

/** Computes C = alpha A B + beta C, or with B A, with a symmetric A.
 *
 * Without a system library, the result has the same bits as that of stn_gemm() with the full
 * matrix.
 *
 * @param exec, arithmetic  executor; any arithmetic type
 * @param side              STN_SIDE_LEFT: A B; STN_SIDE_RIGHT: B A
 * @param triangle          the triangle that is read
 * @param alpha             factor of the product
 * @param a, b              matrices, m x m or n x n, and m x n, real or complex
 * @param beta              factor of C; if it is 0, C is not read
 * @param[in,out] c         matrix, m x n
 * @par Error bound
 * As for stn_gemm(). */
STN_API stn_status stn_symm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, double alpha, const stn_view *a,
                            const stn_view *b, double beta, const stn_view *c);
/** Complex version of stn_symm. */
STN_API stn_status stn_symm_complex(const stn_exec *exec, stn_format arithmetic, stn_side side,
                                    stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                                    const stn_view *b, stn_c128 beta, const stn_view *c);
/** Hermitian version of stn_symm. The other triangle is the conjugate; the diagonal is real, its
 * imaginary parts are not read. */
STN_API stn_status stn_hemm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                            const stn_view *b, stn_c128 beta, const stn_view *c);

/** Computes C = alpha A A^T + beta C in one triangle.
 * @param exec, arithmetic  executor; any arithmetic type
 * @param triangle          the triangle that is read and written
 * @param alpha             factor of the product; if it is 0 and beta is 1, C is unchanged
 * @param a                 matrix, n x k, real or complex
 * @param beta              factor of C; if it is 0, C is not read
 * @param[in,out] c         matrix, n x n
 * @par Error bound
 * As for stn_gemm(). */
STN_API stn_status stn_syrk(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            double alpha, const stn_view *a, double beta, const stn_view *c);
/** Complex version of stn_syrk. */
STN_API stn_status stn_syrk_complex(const stn_exec *exec, stn_format arithmetic,
                                    stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                                    stn_c128 beta, const stn_view *c);
/** Hermitian version of stn_syrk: C = alpha A A^H + beta C, in STN_C128 or STN_C64. `conj` is
 * STN_CONJUGATE to use the conjugates of the elements of A. The diagonal becomes real. */
STN_API stn_status stn_herk(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            double alpha, stn_conjugate conj, const stn_view *a, double beta,
                            const stn_view *c);

/** Computes C = alpha A B^T + alpha B A^T + beta C in one triangle.
 *
 * The two sums, each multiplied by alpha, are added first.
 *
 * @param exec, arithmetic  executor; any arithmetic type
 * @param triangle          the triangle that is read and written
 * @param alpha             factor of the products
 * @param a, b              matrices, n x k, real or complex
 * @param beta              factor of C; if it is 0, C is not read
 * @param[in,out] c         matrix, n x n
 * @par Error bound
 * As for stn_gemm(), with k + 4, or 2 k + 5, and the products of both sums. */
STN_API stn_status stn_syr2k(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                             double alpha, const stn_view *a, const stn_view *b, double beta,
                             const stn_view *c);
/** Complex version of stn_syr2k. */
STN_API stn_status stn_syr2k_complex(const stn_exec *exec, stn_format arithmetic,
                                     stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                                     const stn_view *b, stn_c128 beta, const stn_view *c);

/** Hermitian version of stn_syr2k: C = alpha A B^H + conj(alpha) B A^H + beta C, in STN_C128 or
 * STN_C64. `conj` is STN_CONJUGATE to use the conjugates of the elements of A and B. The diagonal
 * becomes real. */
STN_API stn_status stn_her2k(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                             stn_c128 alpha, stn_conjugate conj, const stn_view *a,
                             const stn_view *b, double beta, const stn_view *c);

/** Computes B = alpha A B, or alpha B A, with a triangular A.
 *
 * Without a system library, rows of A are processed in blocks of 64. For each element, the products
 * within the block on the diagonal are added sequentially, beginning with that of the diagonal. The
 * sum of the other products, computed as in stn_gemm(), is added last. Allocates a workspace for
 * some columns of B.
 *
 * @param exec, arithmetic  executor; any arithmetic type
 * @param side              STN_SIDE_LEFT: A B; STN_SIDE_RIGHT: B A
 * @param triangle          the triangle that is read
 * @param diagonal          STN_DIAGONAL_UNIT: the diagonal of A is not read and consists of ones
 * @param alpha             factor of the product; if it is 0, B is not read
 * @param conj              STN_CONJUGATE: use the conjugates of the elements of A
 * @param a                 matrix, m x m or n x n, real or complex
 * @param[in,out] b         matrix, m x n
 * @par Error bound
 * (n + 3) u times the sum of the magnitudes of the products and alpha, where A is n x n; complex:
 * (2 n + 8) u. */
STN_API stn_status stn_trmm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, stn_diagonal diagonal, double alpha,
                            stn_conjugate conj, const stn_view *a, const stn_view *b);
/** Version of stn_trmm with a complex alpha. */
STN_API stn_status stn_trmm_complex(const stn_exec *exec, stn_format arithmetic, stn_side side,
                                    stn_triangle triangle, stn_diagonal diagonal, stn_c128 alpha,
                                    stn_conjugate conj, const stn_view *a, const stn_view *b);

/** Solves A X = alpha B, or X A = alpha B, with a triangular A. The parameters are those of
 * stn_trmm; `side` is that of A X or X A, and B becomes the solution X.
 *
 * Without a system library, rows of A are processed in blocks of 64. From alpha B, the sum of the
 * products with solved elements of other blocks is subtracted as in stn_trsv(), then each product
 * within the block. The rest is divided by the diagonal element. Singular triangles are treated as
 * in stn_trsv(). Allocates a workspace for some columns of B. On a device, the calling thread
 * solves the blocks on the diagonal.
 *
 * Error bound: |alpha B - A X| <= (n + 5) u (|A| |X| + |alpha B|), where A is n x n; complex: (2 n
 * + 16) u with magnitudes |re| + |im|. */
STN_API stn_status stn_trsm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, stn_diagonal diagonal, double alpha,
                            stn_conjugate conj, const stn_view *a, const stn_view *b);
/** Version of stn_trmm for stn_trsm with a complex alpha. */
STN_API stn_status stn_trsm_complex(const stn_exec *exec, stn_format arithmetic, stn_side side,
                                    stn_triangle triangle, stn_diagonal diagonal, stn_c128 alpha,
                                    stn_conjugate conj, const stn_view *a, const stn_view *b);

STN_END_DECLS

#endif
