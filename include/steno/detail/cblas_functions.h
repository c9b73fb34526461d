/* The functions of the C interface to BLAS for all type letters: their parameters, and the letters
 * of each. Prototypes, definitions and Fortran names are generated from these lists. */
#ifndef STENO_CBLAS_FUNCTIONS_H
#define STENO_CBLAS_FUNCTIONS_H

/* clang-format off */

/* ---- parameters: P(L, kind, name), with the letter L ---- */

#define STN_CBLAS_dot(P, L) \
    P(L, SIZE, n), P(L, FROM, x), P(L, SIZE, incx), P(L, FROM, y), P(L, SIZE, incy)
#define STN_CBLAS_dot_wide(P, L) STN_CBLAS_dot(P, L)
#define STN_CBLAS_dot_onto(P, L) \
    P(L, SIZE, n), P(L, REAL, alpha), P(L, FROM, x), P(L, SIZE, incx), P(L, FROM, y), P(L, SIZE, incy)
#define STN_CBLAS_nrm2(P, L)  P(L, SIZE, n), P(L, FROM, x), P(L, SIZE, incx)
#define STN_CBLAS_asum(P, L)  STN_CBLAS_nrm2(P, L)
#define STN_CBLAS_iamax(P, L) STN_CBLAS_nrm2(P, L)
#define STN_CBLAS_abs1(P, L)  P(L, FROM, z)
#define STN_CBLAS_copy(P, L) \
    P(L, SIZE, n), P(L, FROM, x), P(L, SIZE, incx), P(L, INTO, y), P(L, SIZE, incy)
#define STN_CBLAS_swap(P, L) \
    P(L, SIZE, n), P(L, INTO, x), P(L, SIZE, incx), P(L, INTO, y), P(L, SIZE, incy)
#define STN_CBLAS_axpy(P, L) \
    P(L, SIZE, n), P(L, NUMBER, alpha), P(L, FROM, x), P(L, SIZE, incx), P(L, INTO, y), P(L, SIZE, incy)
#define STN_CBLAS_axpby(P, L) \
    P(L, SIZE, n), P(L, NUMBER, alpha), P(L, FROM, x), P(L, SIZE, incx), P(L, NUMBER, beta), \
    P(L, INTO, y), P(L, SIZE, incy)
#define STN_CBLAS_scal(P, L) \
    P(L, SIZE, n), P(L, NUMBER, alpha), P(L, INTO, x), P(L, SIZE, incx)
#define STN_CBLAS_scal_real(P, L) \
    P(L, SIZE, n), P(L, REAL, alpha), P(L, INTO, x), P(L, SIZE, incx)
#define STN_CBLAS_rot(P, L) \
    P(L, SIZE, n), P(L, INTO, x), P(L, SIZE, incx), P(L, INTO, y), P(L, SIZE, incy), \
    P(L, REAL, c), P(L, REAL, s)
#define STN_CBLAS_rotg(P, L) \
    P(L, INTO, a), P(L, INTO, b), P(L, INTO_REAL, c), P(L, INTO, s)
#define STN_CBLAS_rotm(P, L) \
    P(L, SIZE, n), P(L, INTO, x), P(L, SIZE, incx), P(L, INTO, y), P(L, SIZE, incy), P(L, FROM, parameter)
#define STN_CBLAS_rotmg(P, L) \
    P(L, INTO, d1), P(L, INTO, d2), P(L, INTO, x1), P(L, REAL, y1), P(L, INTO, parameter)

#define STN_CBLAS_gemv(P, L) \
    P(L, TRANSPOSE, trans), P(L, SIZE, m), P(L, SIZE, n), P(L, NUMBER, alpha), P(L, FROM, a), \
    P(L, SIZE, lda), P(L, FROM, x), P(L, SIZE, incx), P(L, NUMBER, beta), P(L, INTO, y), P(L, SIZE, incy)
#define STN_CBLAS_gbmv(P, L) \
    P(L, TRANSPOSE, trans), P(L, SIZE, m), P(L, SIZE, n), P(L, SIZE, kl), P(L, SIZE, ku), \
    P(L, NUMBER, alpha), P(L, FROM, a), P(L, SIZE, lda), P(L, FROM, x), P(L, SIZE, incx), \
    P(L, NUMBER, beta), P(L, INTO, y), P(L, SIZE, incy)
#define STN_CBLAS_symv(P, L) \
    P(L, TRIANGLE, uplo), P(L, SIZE, n), P(L, NUMBER, alpha), P(L, FROM, a), P(L, SIZE, lda), \
    P(L, FROM, x), P(L, SIZE, incx), P(L, NUMBER, beta), P(L, INTO, y), P(L, SIZE, incy)
#define STN_CBLAS_sbmv(P, L) \
    P(L, TRIANGLE, uplo), P(L, SIZE, n), P(L, SIZE, k), P(L, NUMBER, alpha), P(L, FROM, a), \
    P(L, SIZE, lda), P(L, FROM, x), P(L, SIZE, incx), P(L, NUMBER, beta), P(L, INTO, y), P(L, SIZE, incy)
#define STN_CBLAS_spmv(P, L) \
    P(L, TRIANGLE, uplo), P(L, SIZE, n), P(L, NUMBER, alpha), P(L, FROM, ap), P(L, FROM, x), \
    P(L, SIZE, incx), P(L, NUMBER, beta), P(L, INTO, y), P(L, SIZE, incy)
#define STN_CBLAS_trmv(P, L) \
    P(L, TRIANGLE, uplo), P(L, TRANSPOSE, trans), P(L, DIAGONAL, diag), P(L, SIZE, n), \
    P(L, FROM, a), P(L, SIZE, lda), P(L, INTO, x), P(L, SIZE, incx)
#define STN_CBLAS_tbmv(P, L) \
    P(L, TRIANGLE, uplo), P(L, TRANSPOSE, trans), P(L, DIAGONAL, diag), P(L, SIZE, n), P(L, SIZE, k), \
    P(L, FROM, a), P(L, SIZE, lda), P(L, INTO, x), P(L, SIZE, incx)
#define STN_CBLAS_tpmv(P, L) \
    P(L, TRIANGLE, uplo), P(L, TRANSPOSE, trans), P(L, DIAGONAL, diag), P(L, SIZE, n), \
    P(L, FROM, ap), P(L, INTO, x), P(L, SIZE, incx)
#define STN_CBLAS_trsv(P, L) STN_CBLAS_trmv(P, L)
#define STN_CBLAS_tbsv(P, L) STN_CBLAS_tbmv(P, L)
#define STN_CBLAS_tpsv(P, L) STN_CBLAS_tpmv(P, L)
#define STN_CBLAS_ger(P, L) \
    P(L, SIZE, m), P(L, SIZE, n), P(L, NUMBER, alpha), P(L, FROM, x), P(L, SIZE, incx), \
    P(L, FROM, y), P(L, SIZE, incy), P(L, INTO, a), P(L, SIZE, lda)
#define STN_CBLAS_gerc(P, L) STN_CBLAS_ger(P, L)
#define STN_CBLAS_syr(P, L) \
    P(L, TRIANGLE, uplo), P(L, SIZE, n), P(L, REAL, alpha), P(L, FROM, x), P(L, SIZE, incx), \
    P(L, INTO, a), P(L, SIZE, lda)
#define STN_CBLAS_spr(P, L) \
    P(L, TRIANGLE, uplo), P(L, SIZE, n), P(L, REAL, alpha), P(L, FROM, x), P(L, SIZE, incx), P(L, INTO, ap)
#define STN_CBLAS_syr2(P, L) \
    P(L, TRIANGLE, uplo), P(L, SIZE, n), P(L, NUMBER, alpha), P(L, FROM, x), P(L, SIZE, incx), \
    P(L, FROM, y), P(L, SIZE, incy), P(L, INTO, a), P(L, SIZE, lda)
#define STN_CBLAS_spr2(P, L) \
    P(L, TRIANGLE, uplo), P(L, SIZE, n), P(L, NUMBER, alpha), P(L, FROM, x), P(L, SIZE, incx), \
    P(L, FROM, y), P(L, SIZE, incy), P(L, INTO, ap)

#define STN_CBLAS_gemm(P, L) \
    P(L, TRANSPOSE, transa), P(L, TRANSPOSE, transb), P(L, SIZE, m), P(L, SIZE, n), P(L, SIZE, k), \
    P(L, NUMBER, alpha), P(L, FROM, a), P(L, SIZE, lda), P(L, FROM, b), P(L, SIZE, ldb), \
    P(L, NUMBER, beta), P(L, INTO, c), P(L, SIZE, ldc)
#define STN_CBLAS_symm(P, L) \
    P(L, SIDE, side), P(L, TRIANGLE, uplo), P(L, SIZE, m), P(L, SIZE, n), P(L, NUMBER, alpha), \
    P(L, FROM, a), P(L, SIZE, lda), P(L, FROM, b), P(L, SIZE, ldb), P(L, NUMBER, beta), \
    P(L, INTO, c), P(L, SIZE, ldc)
#define STN_CBLAS_hemm(P, L) STN_CBLAS_symm(P, L)
#define STN_CBLAS_syrk(P, L) \
    P(L, TRIANGLE, uplo), P(L, TRANSPOSE, trans), P(L, SIZE, n), P(L, SIZE, k), P(L, NUMBER, alpha), \
    P(L, FROM, a), P(L, SIZE, lda), P(L, NUMBER, beta), P(L, INTO, c), P(L, SIZE, ldc)
#define STN_CBLAS_herk(P, L) \
    P(L, TRIANGLE, uplo), P(L, TRANSPOSE, trans), P(L, SIZE, n), P(L, SIZE, k), P(L, REAL, alpha), \
    P(L, FROM, a), P(L, SIZE, lda), P(L, REAL, beta), P(L, INTO, c), P(L, SIZE, ldc)
#define STN_CBLAS_syr2k(P, L) \
    P(L, TRIANGLE, uplo), P(L, TRANSPOSE, trans), P(L, SIZE, n), P(L, SIZE, k), P(L, NUMBER, alpha), \
    P(L, FROM, a), P(L, SIZE, lda), P(L, FROM, b), P(L, SIZE, ldb), P(L, NUMBER, beta), \
    P(L, INTO, c), P(L, SIZE, ldc)
#define STN_CBLAS_her2k(P, L) \
    P(L, TRIANGLE, uplo), P(L, TRANSPOSE, trans), P(L, SIZE, n), P(L, SIZE, k), P(L, NUMBER, alpha), \
    P(L, FROM, a), P(L, SIZE, lda), P(L, FROM, b), P(L, SIZE, ldb), P(L, REAL, beta), \
    P(L, INTO, c), P(L, SIZE, ldc)
#define STN_CBLAS_trmm(P, L) \
    P(L, SIDE, side), P(L, TRIANGLE, uplo), P(L, TRANSPOSE, trans), P(L, DIAGONAL, diag), \
    P(L, SIZE, m), P(L, SIZE, n), P(L, NUMBER, alpha), P(L, FROM, a), P(L, SIZE, lda), \
    P(L, INTO, b), P(L, SIZE, ldb)
#define STN_CBLAS_trsm(P, L) STN_CBLAS_trmm(P, L)

/* ---- functions: (L, name after the letter, function that defines parameters and body) ---- */

/* The first argument of LAID_OUT functions is the layout of matrices. */
#define STN_CBLAS_EVERY_LETTER(PLAIN, LAID_OUT, L) \
    PLAIN(L, copy, copy) PLAIN(L, swap, swap) PLAIN(L, axpy, axpy) PLAIN(L, axpby, axpby) \
    PLAIN(L, scal, scal) PLAIN(L, rotg, rotg) \
    LAID_OUT(L, gemv, gemv) LAID_OUT(L, gbmv, gbmv) \
    LAID_OUT(L, trmv, trmv) LAID_OUT(L, tbmv, tbmv) LAID_OUT(L, tpmv, tpmv) \
    LAID_OUT(L, trsv, trsv) LAID_OUT(L, tbsv, tbsv) LAID_OUT(L, tpsv, tpsv) \
    LAID_OUT(L, gemm, gemm) LAID_OUT(L, symm, symm) LAID_OUT(L, syrk, syrk) \
    LAID_OUT(L, syr2k, syr2k) LAID_OUT(L, trmm, trmm) LAID_OUT(L, trsm, trsm)
#define STN_CBLAS_REAL_LETTER(PLAIN, LAID_OUT, L) \
    STN_CBLAS_EVERY_LETTER(PLAIN, LAID_OUT, L) \
    PLAIN(L, rot, rot) PLAIN(L, rotm, rotm) PLAIN(L, rotmg, rotmg) \
    LAID_OUT(L, symv, symv) LAID_OUT(L, sbmv, sbmv) LAID_OUT(L, spmv, spmv) LAID_OUT(L, ger, ger) \
    LAID_OUT(L, syr, syr) LAID_OUT(L, spr, spr) LAID_OUT(L, syr2, syr2) LAID_OUT(L, spr2, spr2)
/* R is the letter of the parts. */
#define STN_CBLAS_COMPLEX_LETTER(PLAIN, LAID_OUT, L, R) \
    STN_CBLAS_EVERY_LETTER(PLAIN, LAID_OUT, L) \
    PLAIN(L, R##scal, scal_real) PLAIN(L, R##rot, rot) \
    LAID_OUT(L, hemv, symv) LAID_OUT(L, hbmv, sbmv) LAID_OUT(L, hpmv, spmv) \
    LAID_OUT(L, geru, ger) LAID_OUT(L, gerc, gerc) \
    LAID_OUT(L, her, syr) LAID_OUT(L, hpr, spr) LAID_OUT(L, her2, syr2) LAID_OUT(L, hpr2, spr2) \
    LAID_OUT(L, hemm, hemm) LAID_OUT(L, herk, herk) LAID_OUT(L, her2k, her2k)
#define STN_CBLAS_FUNCTIONS(PLAIN, LAID_OUT) \
    STN_CBLAS_REAL_LETTER(PLAIN, LAID_OUT, s) STN_CBLAS_REAL_LETTER(PLAIN, LAID_OUT, d) \
    STN_CBLAS_COMPLEX_LETTER(PLAIN, LAID_OUT, c, s) STN_CBLAS_COMPLEX_LETTER(PLAIN, LAID_OUT, z, d)

/* Functions that return a real number: (L, type, complete name, parameters and body). */
#define STN_CBLAS_VALUES(VALUE) \
    VALUE(s, float, sdot, dot) VALUE(d, double, ddot, dot) \
    VALUE(s, double, dsdot, dot_wide) VALUE(s, float, sdsdot, dot_onto) \
    VALUE(s, float, snrm2, nrm2) VALUE(d, double, dnrm2, nrm2) \
    VALUE(c, float, scnrm2, nrm2) VALUE(z, double, dznrm2, nrm2) \
    VALUE(s, float, sasum, asum) VALUE(d, double, dasum, asum) \
    VALUE(c, float, scasum, asum) VALUE(z, double, dzasum, asum) \
    VALUE(c, float, scabs1, abs1) VALUE(z, double, dcabs1, abs1)

/* clang-format on */

#endif
