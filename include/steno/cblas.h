/** @file
 * The C interface of BLAS by its standard names: cblas_dgemv and so on.
 *
 * The functions of all three levels for the letters s, d, c and z are declared here, with the
 * names, parameters and meanings of the standard. libsteno_cblas contains them, and the Fortran
 * names (dgemv_, ...) as well, so that it can replace libblas.so.3 (doc/cblas.md). They call the
 * functions of blas.h.
 *
 * Elements are float, double, and pairs of them. The arithmetic type is that of the elements; only
 * dsdot and sdsdot compute in double. Complex scalars are passed by address. Indices start at 0.
 * Matrices are described by CBLAS_LAYOUT, sizes and a leading dimension. Invalid arguments are
 * reported by cblas_xerbla().
 *
 * This header uses the include guard of a system's cblas.h: the first one included is used.
 *
 * @code
 * cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1.0, a, n, x, 1, 0.0, y, 1);
 * @endcode
 */
#ifndef CBLAS_H
#define CBLAS_H

#include "steno/detail/macro_check.h"
#include "steno/detail/cblas_functions.h"
#include "steno/status.h"

STN_BEGIN_DECLS

/** Order of the elements of a matrix. */
typedef enum CBLAS_LAYOUT {
    CblasRowMajor = 101, /**< By rows. */
    CblasColMajor = 102  /**< By columns. */
} CBLAS_LAYOUT;

/** Form in which a matrix is used. */
typedef enum CBLAS_TRANSPOSE {
    CblasNoTrans = 111,  /**< The matrix. */
    CblasTrans = 112,    /**< Its transpose. */
    CblasConjTrans = 113 /**< Its conjugate transpose. */
} CBLAS_TRANSPOSE;

/** Triangle of a matrix that is read or written. */
typedef enum CBLAS_UPLO {
    CblasUpper = 121, /**< Upper triangle. */
    CblasLower = 122  /**< Lower triangle. */
} CBLAS_UPLO;

/** Diagonal of a triangular matrix. */
typedef enum CBLAS_DIAG {
    CblasNonUnit = 131, /**< The stored elements. */
    CblasUnit = 132     /**< Ones. The stored elements are not read. */
} CBLAS_DIAG;

/** Side of a matrix in a product. */
typedef enum CBLAS_SIDE {
    CblasLeft = 141, /**< The matrix is the left factor. */
    CblasRight = 142 /**< The matrix is the right factor. */
} CBLAS_SIDE;

/** Name of CBLAS_LAYOUT in older programs, also after `enum`. */
#define CBLAS_ORDER CBLAS_LAYOUT
/** Type of the indices that cblas_idamax and its variants return. */
#define CBLAS_INDEX size_t

/** Reports an invalid argument of a function of this header.
 *
 * The library's function prints a message to the standard error and ends the program. A program may
 * define its own function that returns; the function with the invalid argument then has no effect.
 *
 * @param place    position of the argument, from 1; 0 if the call failed for another reason, such
 *                 as memory. For row-major matrices, the position in the transposed problem, as in
 *                 the reference BLAS
 * @param routine  name of the function
 * @param message  message, with the rules of printf and the arguments that follow */
STN_API void cblas_xerbla(int place, const char *routine, const char *message, ...);

/** @cond INTERNAL */
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

/** @endcond */
STN_END_DECLS
/* clang-format on */

#endif
