/* Vector and matrix operations over views in any format: BLAS, under its names
 * without the letter of the type. Copying is stn_view_copy.
 *
 * The arithmetic type is what values are decoded to and computed in, STN_F64 or STN_F32, and where
 * a function says so STN_C128 or STN_C64; the views say how operands are stored: complex ones for
 * complex arithmetic, real ones for real arithmetic. Each operation is rounded to the arithmetic
 * type, and what is stored once more, by the rules of the view. Sums follow one order
 * (doc/order.md): the same bits on every executor, for every number of threads and every
 * instruction set.
 *
 * Numbers are rounded to the arithmetic type first. A double in complex arithmetic is a complex
 * number without imaginary part, times which infinite parts become NaN; but alpha of stn_scal and
 * stn_her is a factor of both parts. A factor of 0 leaves out what it multiplies (not in stn_scal,
 * stn_rot and stn_rotm), which is not read: NaN and infinity there do not matter. Other NaN go
 * where the arithmetic takes them. Elements whose value does not change are left alone by stn_scal,
 * stn_swap, stn_axpby, stn_axpy in complex arithmetic, stn_rot, stn_rotm and stn_ger, and by all
 * where alpha is 0; nothing is counted of them.
 *
 * A transposed operand is a view with its dimensions permuted, a reversed one a view of negative
 * strides. Of a triangle only the elements in it are looked at or stored, of a unit diagonal none.
 *
 * Statuses: STN_ERR_ARGUMENT (a null pointer, a view of nothing, a result that is read-only, an
 * enumeration's number that there is not), STN_ERR_SHAPE (ranks or extents that do not fit),
 * STN_ERR_UNSUPPORTED (arithmetic or a format that does not go with it, atomic views, memory that
 * the executor does not reach), STN_ERR_ALIAS (a result that shares bytes with another operand, or
 * repeats one element by stride 0; disjoint but interleaved ones are fine), STN_ERR_MEMORY. After
 * an error the result is as it was.
 *
 * Errors are for finite numbers without overflow and subnormal results, with u = 2^-53 or 2^-24, n
 * elements and d = ceil(log2(n)); those of a complex number are of its parts, sums of magnitudes
 * then of all products of parts. They leave out the roundings of decoding and of what is stored.
 * Where they come from: doc/accuracy.md; sources: Higham, Accuracy and Stability of Numerical
 * Algorithms, 2002, 3.1 and 4.2 (sums), 3.6 (complex numbers), 8.1 (triangles). */
#ifndef STENO_BLAS_H
#define STENO_BLAS_H

#include "steno/detail/names/hide.h"
#include "steno/complex.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

typedef enum stn_diagonal {
    STN_DIAGONAL_NON_UNIT = 0, /* as stored */
    STN_DIAGONAL_UNIT = 1      /* ones, whatever is stored */
} stn_diagonal;

/* On which side of a product a matrix stands. */
typedef enum stn_side { STN_SIDE_LEFT = 0, STN_SIDE_RIGHT = 1 } stn_side;

/* How elements of a matrix are taken; nothing changes in real arithmetic. */
typedef enum stn_conjugate { STN_NO_CONJUGATE = 0, STN_CONJUGATE = 1 } stn_conjugate;

/* ---- one vector, or two: rank 1 of the same extent ---- */

/* *result = sum of x[i] * y[i]; +0 when there are no elements. That of STN_F32 is widened. x and y:
 * rank 1 of the same extent, any real format each. Error: |result - exact| <= (ceil(log2(n)) + 2) u
 * sum |x[i] y[i]| over the values as decoded, with u = 2^-53 or 2^-24 (doc/accuracy.md). Zero
 * points and scales that are no power of two add the roundings of decoding. */
STN_API stn_status stn_dot(const stn_exec *exec, stn_format arithmetic, double *result,
                           const stn_view *x, const stn_view *y);

/* The same of complex numbers, and with the conjugates of x. Error of each part: 2 (d + 2) u times
 * the sum of the magnitudes of the products of parts in it. */
STN_API stn_status stn_dotu(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                            const stn_view *x, const stn_view *y);
STN_API stn_status stn_dotc(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                            const stn_view *x, const stn_view *y);

/* *result = the root of the sum of squared magnitudes, which neither overflows nor vanishes on the
 * way. Real or complex. Error: ((d + 2) / 2 + 1) u times the norm; complex ((d + 3) / 2 + 1) u. */
STN_API stn_status stn_nrm2(const stn_exec *exec, stn_format arithmetic, double *result,
                            const stn_view *x);

/* *result = sum of |x[i]|, of complex numbers |re| + |im|. Error: (d + 1) u times the sum; complex
 * (d + 2) u. */
STN_API stn_status stn_asum(const stn_exec *exec, stn_format arithmetic, double *result,
                            const stn_view *x);

/* *result = the number, from 0 on, of the first element of the greatest magnitude, of complex
 * numbers |re| + |im|; of the first NaN, where there is one; -1 when there are no elements. */
STN_API stn_status stn_iamax(const stn_exec *exec, stn_format arithmetic, int64_t *result,
                             const stn_view *x);

/* x and y exchange their values, each rounded to the other's format. Real or complex. */
STN_API stn_status stn_swap(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                            const stn_view *y);

/* x = alpha * x, also for alpha = 0: NaN stay NaN. Real, or complex with parts times alpha. Error:
 * u |alpha x[i]|. */
STN_API stn_status stn_scal(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_view *x);
/* Complex. Error of a part: 2 u times the magnitudes of its two products. */
STN_API stn_status stn_scal_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                    const stn_view *x);

/* y = alpha * x + y: product and sum rounded to the arithmetic type, then stored once. x and y:
 * rank 1 of the same extent. alpha is rounded to the arithmetic type first; alpha = 0 does nothing.
 * x and y may be the same, but not overlap otherwise. Real or complex. Error: u |alpha x[i]| + u
 * |y[i] as it becomes|; complex 2 u and u. */
STN_API stn_status stn_axpy(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_view *x, const stn_view *y);
STN_API stn_status stn_axpy_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                    const stn_view *x, const stn_view *y);

/* y = alpha * x + beta * y, both products and the sum rounded; beta = 0 does not read y, alpha = 0
 * not x. x and y may be the same, but not overlap otherwise. Real or complex. Error: u (|alpha
 * x[i]| + |beta y[i]|) + u |y[i] as it becomes|; complex 2 u and u. */
STN_API stn_status stn_axpby(const stn_exec *exec, stn_format arithmetic, double alpha,
                             const stn_view *x, double beta, const stn_view *y);
STN_API stn_status stn_axpby_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                     const stn_view *x, stn_c128 beta, const stn_view *y);

/* (x, y) = (c * x + s * y, c * y - conj(s) * x), of all elements. Real or complex. Error of each:
 * 2 u (|c x| + |s y|), complex 3 u. */
STN_API stn_status stn_rot(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                           const stn_view *y, double c, double s);
STN_API stn_status stn_rot_complex(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                                   const stn_view *y, double c, stn_c128 s);

/* The rotation with c * a + s * b = r and c * b - s * a = 0: *a becomes r, *b what c and s can be
 * had from again (s where |a| > |b|, else 1 / c, or 1). Computed in f64 and rounded to the
 * arithmetic type; no overflow or underflow on the way. Error of each: 4 u of its magnitude.
 * STN_ERR_ARGUMENT, STN_ERR_UNSUPPORTED. Anderson, ACM TOMS 44 (2017). */
STN_API stn_status stn_rotg(stn_format arithmetic, double *a, double *b, double *c, double *s);
/* The same of complex numbers: c real, b as it was. Error of each part: 8 u of the magnitude. */
STN_API stn_status stn_rotg_complex(stn_format arithmetic, stn_c128 *a, const stn_c128 *b,
                                    double *c, stn_c128 *s);

/* (x, y) = (h11 * x + h12 * y, h21 * x + h22 * y) with parameter = {flag, h11, h21, h12, h22}: flag
 * -1 takes all of them, 0 has ones for h11 and h22, 1 has h12 = 1 and h21 = -1, -2 does nothing.
 * Real. Error of each: 2 u of the magnitudes of its two products. */
STN_API stn_status stn_rotm(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                            const stn_view *y, const double *parameter);

/* The parameter with which stn_rotm makes the second component of (sqrt(d1) x1, sqrt(d2) y1) zero;
 * d1, d2 and x1 become those of the result. Computed in f64, rounded to the arithmetic type.
 * Factors are kept between 2^-24 and 2^24 by powers of 4096. Error of each, where neither d1 nor d2
 * is negative: 7 u of its magnitude; negative ones cancel. Lawson, Hanson, Kincaid and Krogh, ACM
 * TOMS 5 (1979). */
STN_API stn_status stn_rotmg(stn_format arithmetic, double *d1, double *d2, double *x1, double y1,
                             double *parameter);

/* ---- a matrix and vectors ---- */

/* y = alpha * A x + beta * y, with each row's sum as in stn_dot; beta = 0 does not read y, alpha =
 * 1 multiplies nothing, alpha = 0 reads neither A nor x. A: rank 2, m x n; x: rank 1, n; y: rank 1,
 * m. Fastest when rows are contiguous. Real or complex. Error of an element, with d of the columns:
 * (d + 3) u times the magnitudes of its products and alpha, u |beta y[i]| and u |y[i] as it
 * becomes|; complex 2 (d + 3) u, 2 u and u; a factor of 1 leaves out u, beta = 0 the last.
 * Allocates room for x decoded, unless x is contiguous in the arithmetic type; where rows are not
 * contiguous, for the sums instead. */
STN_API stn_status stn_gemv(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_view *a, const stn_view *x, double beta, const stn_view *y);
/* With A's conjugates, where `taken` says so: of a permuted view that is the conjugate transpose.
 */
STN_API stn_status stn_gemv_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                    stn_conjugate taken, const stn_view *a, const stn_view *x,
                                    stn_c128 beta, const stn_view *y);

/* y = alpha * A' x + beta * y, and then z = A y: the bits of stn_gemv with A's transpose, and with
 * A and y as it is stored. A is read once where it has contiguous rows of a real built-in format
 * without scale, up to 128 of them, and all vectors are contiguous in the arithmetic type. What
 * orthogonalises y against the rows of A, and tells how well. A: rank 2, m x n; x and z: rank 1, m,
 * which may be one vector; y: rank 1, n. Real. Errors as stn_gemv. BLAS Technical Forum Standard
 * (2001), 2.8.4. */
STN_API stn_status stn_gemvt(const stn_exec *exec, stn_format arithmetic, double alpha,
                             const stn_view *a, const stn_view *x, double beta, const stn_view *y,
                             const stn_view *z);

/* The same with a symmetric A, n x n, of which one triangle is looked at: the bits of stn_gemv with
 * all of it. Real or complex. */
STN_API stn_status stn_symv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            double alpha, const stn_view *a, const stn_view *x, double beta,
                            const stn_view *y);
/* Hermitian: the other triangle is the conjugate, the diagonal its real part. Complex. */
STN_API stn_status stn_hemv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            stn_c128 alpha, const stn_view *a, const stn_view *x, stn_c128 beta,
                            const stn_view *y);

/* x = A x with a triangular A, n x n. Each element is the sum of its row's elements in the
 * triangle, numbered by column as in stn_gemv, the others absent; in complex arithmetic the others
 * are products 0 * 0. Stored once, when all are summed: allocates room for the sums. Real or
 * complex. Error: (d + 2) u, complex 2 (d + 2) u times the magnitudes of the row's products. */
STN_API stn_status stn_trmv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            stn_diagonal diagonal, stn_conjugate taken, const stn_view *a,
                            const stn_view *x);

/* x becomes the solution of A x = b, which it was, with a triangular A, n x n. Rows and columns go
 * by tiles of 128: of a row, the products with what is solved in other tiles are summed as in
 * stn_gemv, numbered from the first column, of an upper triangle from the tile behind on, and
 * subtracted (times -1 as in stn_gemv_complex: what is infinite there becomes NaN). Within a tile
 * rows go by strips of 16: to the sum of the products with what is solved in the tile's other
 * strips, numbered from the first that there is, those within the strip are added one by one, in
 * the order of solving; that is subtracted, and the rest divided. Nothing is looked for: a zero on
 * the diagonal gives infinity or NaN. Fastest when rows are contiguous. Stored once, when all are
 * solved, with room for x and for a tile where x is not such values already. On a device tiles of
 * the diagonal are solved by the calling thread. Real or complex. Error: |b - A x| <= (d + 20) u
 * (|A| |x| + |b|), complex (2 d + 46) u with magnitudes |re| + |im|. */
STN_API stn_status stn_trsv(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            stn_diagonal diagonal, stn_conjugate taken, const stn_view *a,
                            const stn_view *x);

/* A = A + alpha x y^T: x[i] * (alpha * y[j]) is rounded, then the sum. A: m x n; x: m; y: n. Real
 * or complex. Error of an element: 2 u |alpha x[i] y[j]| + u |it as it becomes|; complex 4 u and u.
 */
STN_API stn_status stn_ger(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *x, const stn_view *y, const stn_view *a);
/* Complex, and with the conjugates of y. */
STN_API stn_status stn_geru(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                            const stn_view *x, const stn_view *y, const stn_view *a);
STN_API stn_status stn_gerc(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                            const stn_view *x, const stn_view *y, const stn_view *a);

/* A = A + alpha x x^T in one triangle. A: n x n; x: n. Errors as of stn_ger. Real or complex. */
STN_API stn_status stn_syr(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                           double alpha, const stn_view *x, const stn_view *a);
/* A = A + alpha x x^H; the diagonal becomes real. Complex. */
STN_API stn_status stn_her(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                           double alpha, const stn_view *x, const stn_view *a);

/* A = A + alpha x y^T + alpha y x^T in one triangle: x[i] * (alpha * y[j]) is added first, then
 * y[i] * (alpha * x[j]). Error of an element: 2 u of the magnitudes of its two products, u of both
 * sums; complex 4 u and u. Real or complex. */
STN_API stn_status stn_syr2(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            double alpha, const stn_view *x, const stn_view *y, const stn_view *a);
/* A = A + alpha x y^H + conj(alpha) y x^H; the diagonal becomes real. Complex. */
STN_API stn_status stn_her2(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            stn_c128 alpha, const stn_view *x, const stn_view *y,
                            const stn_view *a);

/* ---- matrices ---- */

/* The system's matrix product (cblas_dgemm of the library that STENO_GEMM names, else of the first
 * that is found of OpenBLAS, BLIS and others) is given panels of what is decoded, or the operands
 * where they are values of the arithmetic type; it has its own order of sums and threads. Where
 * there is none, with STENO_GEMM=own, on `reference` and on devices each sum is that of stn_dot:
 * the same bits everywhere. What is stored is rounded once, however long the sums are. Takes a few
 * MiB per thread. Banded matrices, and packed ones that are written, are STN_ERR_UNSUPPORTED;
 * errors of STENO_GEMM's library STN_ERR_IO and STN_ERR_UNSUPPORTED. */

/* C = alpha * A B + beta * C; beta = 0 does not read C, alpha = 0 reads neither A nor B. A: rank 2,
 * m x k; B: k x n; C: m x n. Real or complex. Error of an element: (k + 3) u times the
 * magnitudes of its products and alpha, u |beta c| and u |it as it becomes|; complex (2 k + 4) u, 2
 * u and u. Of the own product that of stn_gemv; a system's, as the reference BLAS, may add products
 * onto beta c one by one: its part is k + 1 times as large then. */
STN_API stn_status stn_gemm(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_view *a, const stn_view *b, double beta, const stn_view *c);
/* With the conjugates of A and B, where they are so taken. */
STN_API stn_status stn_gemm_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                                    stn_conjugate taken_a, const stn_view *a, stn_conjugate taken_b,
                                    const stn_view *b, stn_c128 beta, const stn_view *c);

/* C = alpha * A B + beta * C, or B A with A on the right: as stn_gemm with all of a symmetric A, of
 * which one triangle is looked at. C and B: m x n. Real or complex. */
STN_API stn_status stn_symm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, double alpha, const stn_view *a,
                            const stn_view *b, double beta, const stn_view *c);
STN_API stn_status stn_symm_complex(const stn_exec *exec, stn_format arithmetic, stn_side side,
                                    stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                                    const stn_view *b, stn_c128 beta, const stn_view *c);
/* Hermitian: the other triangle is the conjugate, the diagonal its real part. Complex. */
STN_API stn_status stn_hemm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                            const stn_view *b, stn_c128 beta, const stn_view *c);

/* C = alpha * A A^T + beta * C in one triangle. A: n x k; C: n x n. alpha = 0 with beta = 1 does
 * nothing. Errors as of stn_gemm. Real or complex. */
STN_API stn_status stn_syrk(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            double alpha, const stn_view *a, double beta, const stn_view *c);
STN_API stn_status stn_syrk_complex(const stn_exec *exec, stn_format arithmetic,
                                    stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                                    stn_c128 beta, const stn_view *c);
/* C = alpha * A A^H + beta * C, with A's conjugates where they are so taken; the diagonal becomes
 * real. Complex. */
STN_API stn_status stn_herk(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                            double alpha, stn_conjugate taken, const stn_view *a, double beta,
                            const stn_view *c);

/* C = alpha * A B^T + alpha * B A^T + beta * C in one triangle: both sums times alpha are added
 * first; with alpha = 1 nothing is multiplied. A and B: n x k; C: n x n. Error as of stn_gemm
 * with k + 4, or 2 k + 5, of the products of both sums. Real or complex. */
STN_API stn_status stn_syr2k(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                             double alpha, const stn_view *a, const stn_view *b, double beta,
                             const stn_view *c);
STN_API stn_status stn_syr2k_complex(const stn_exec *exec, stn_format arithmetic,
                                     stn_triangle triangle, stn_c128 alpha, const stn_view *a,
                                     const stn_view *b, stn_c128 beta, const stn_view *c);
/* C = alpha * A B^H + conj(alpha) * B A^H + beta * C, with the conjugates of both where they are so
 * taken; the diagonal becomes real. Complex. */
STN_API stn_status stn_her2k(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                             stn_c128 alpha, stn_conjugate taken, const stn_view *a,
                             const stn_view *b, double beta, const stn_view *c);

/* B = alpha * A B, or B A with A on the right, with a triangular A, n x n. Rows of A go by blocks
 * of 64: of an element, the products within the diagonal's block are added one after the other,
 * that of the diagonal first, and the sum of the others, as in stn_gemm, last. Stored once:
 * allocates room for some columns of B. Of a factor of 0 B is not read. Real or complex. Error: (n
 * + 3) u times the sum of the magnitudes of the products and alpha; complex (2 n + 8) u. */
STN_API stn_status stn_trmm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, stn_diagonal diagonal, stn_conjugate taken,
                            double alpha, const stn_view *a, const stn_view *b);
STN_API stn_status stn_trmm_complex(const stn_exec *exec, stn_format arithmetic, stn_side side,
                                    stn_triangle triangle, stn_diagonal diagonal,
                                    stn_conjugate taken, stn_c128 alpha, const stn_view *a,
                                    const stn_view *b);

/* B becomes the solution X of A X = alpha * B, or X A = alpha * B with A on the right, with a
 * triangular A, n x n. By blocks of 64 rows of A: from alpha * B the sum of the products with what
 * is solved in other blocks is subtracted, as in stn_trsv, then each product within the block; the
 * rest is divided. Singular triangles as in stn_trsv. Stored once: allocates room for some columns
 * of B. On a device blocks of the diagonal are solved by the calling thread. Real or complex.
 * Error: |alpha B - A X| <= (n + 5) u (|A| |X| + |alpha B|), complex (2 n + 16) u with magnitudes
 * |re| + |im|. */
STN_API stn_status stn_trsm(const stn_exec *exec, stn_format arithmetic, stn_side side,
                            stn_triangle triangle, stn_diagonal diagonal, stn_conjugate taken,
                            double alpha, const stn_view *a, const stn_view *b);
STN_API stn_status stn_trsm_complex(const stn_exec *exec, stn_format arithmetic, stn_side side,
                                    stn_triangle triangle, stn_diagonal diagonal,
                                    stn_conjugate taken, stn_c128 alpha, const stn_view *a,
                                    const stn_view *b);

STN_END_DECLS

#include "steno/detail/names/show.h"

#endif
