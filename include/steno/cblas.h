/* The C interface to BLAS by its standard names, made of the functions of blas.h: libsteno_cblas,
 * which has the Fortran names (dgemv_, ...) too, and stands in for libblas.so.3 (doc/cblas.md).
 *
 * Elements of the letters s, d, c and z are float, double, and pairs of them, and all is computed
 * in the same type. Parameters are those of the standard (steno/detail/cblas_functions.h has them);
 * complex numbers are given by their address; places count from 0.
 *
 * This header is in place of a system's cblas.h, and nothing behind one. */
#ifndef CBLAS_H
#define CBLAS_H

#include "steno/detail/names/hide.h"
#include "steno/detail/cblas_functions.h"
#include "steno/status.h"

STN_BEGIN_DECLS

typedef enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
typedef enum CBLAS_TRANSPOSE {
    CblasNoTrans = 111,
    CblasTrans = 112,
    CblasConjTrans = 113
} CBLAS_TRANSPOSE;
typedef enum CBLAS_UPLO { CblasUpper = 121, CblasLower = 122 } CBLAS_UPLO;
typedef enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit = 132 } CBLAS_DIAG;
typedef enum CBLAS_SIDE { CblasLeft = 141, CblasRight = 142 } CBLAS_SIDE;

/* Its name in older programs, also behind the word enum. */
#define CBLAS_ORDER CBLAS_LAYOUT
#define CBLAS_INDEX size_t

/* clang-format off */

/* What a parameter is. */
#define STN_CBLAS_C(L, kind, name) STN_CBLAS_C_##kind(L) name
#define STN_CBLAS_C_TRANSPOSE(L)   CBLAS_TRANSPOSE
#define STN_CBLAS_C_TRIANGLE(L)    CBLAS_UPLO
#define STN_CBLAS_C_DIAGONAL(L)    CBLAS_DIAG
#define STN_CBLAS_C_SIDE(L)        CBLAS_SIDE
#define STN_CBLAS_C_SIZE(L)        int
#define STN_CBLAS_C_NUMBER(L)      STN_CBLAS_NUMBER_##L
#define STN_CBLAS_C_REAL(L)        STN_CBLAS_REAL_##L
#define STN_CBLAS_C_FROM(L)        const STN_CBLAS_ELEMENT_##L *
#define STN_CBLAS_C_INTO(L)        STN_CBLAS_ELEMENT_##L *
#define STN_CBLAS_C_INTO_REAL(L)   STN_CBLAS_REAL_##L *

#define STN_CBLAS_ELEMENT_s        float
#define STN_CBLAS_ELEMENT_d        double
#define STN_CBLAS_ELEMENT_c        void
#define STN_CBLAS_ELEMENT_z        void
#define STN_CBLAS_NUMBER_s         float
#define STN_CBLAS_NUMBER_d         double
#define STN_CBLAS_NUMBER_c         const void *
#define STN_CBLAS_NUMBER_z         const void *
#define STN_CBLAS_REAL_s           float
#define STN_CBLAS_REAL_d           double
#define STN_CBLAS_REAL_c           float
#define STN_CBLAS_REAL_z           double

#define STN_CBLAS_PLAIN(L, name, like) \
    STN_API void cblas_##L##name(STN_CBLAS_##like(STN_CBLAS_C, L));
#define STN_CBLAS_LAID_OUT(L, name, like) \
    STN_API void cblas_##L##name(CBLAS_LAYOUT layout, STN_CBLAS_##like(STN_CBLAS_C, L));
#define STN_CBLAS_VALUE(L, type, name, like) \
    STN_API type cblas_##name(STN_CBLAS_##like(STN_CBLAS_C, L));
#define STN_CBLAS_PLACE(L) \
    STN_API CBLAS_INDEX cblas_i##L##amax(STN_CBLAS_iamax(STN_CBLAS_C, L));
#define STN_CBLAS_DOT_SUB(L, name) \
    STN_API void cblas_##L##name##_sub(STN_CBLAS_dot(STN_CBLAS_C, L), void *result);

STN_CBLAS_FUNCTIONS(STN_CBLAS_PLAIN, STN_CBLAS_LAID_OUT)
STN_CBLAS_VALUES(STN_CBLAS_VALUE)
STN_CBLAS_PLACE(s) STN_CBLAS_PLACE(d) STN_CBLAS_PLACE(c) STN_CBLAS_PLACE(z)
STN_CBLAS_DOT_SUB(c, dotu) STN_CBLAS_DOT_SUB(c, dotc)
STN_CBLAS_DOT_SUB(z, dotu) STN_CBLAS_DOT_SUB(z, dotc)

    /* clang-format on */

    /* What a wrong argument calls, with its place among those of `routine`, from 1 on: prints the
     * message (printf rules) to stderr and ends the program. A program may define its own, which
     * returns; the function does nothing then. Row-major, what `routine` is in its transposed form
     * is told, as reference BLAS does. Place 0: what stn_error says. */
    STN_API void cblas_xerbla(int place, const char *routine, const char *message, ...);

STN_END_DECLS

#include "steno/detail/names/show.h"

#endif
