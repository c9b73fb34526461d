/* Common parts of calls: checks, and y = alpha * sums + beta * y. */
#ifndef STENO_BLAS_CALL_H
#define STENO_BLAS_CALL_H

#include "steno/blas.h"

typedef struct stn_blas_call {
    const char *name; /* for messages */
    const stn_exec *exec;
    stn_format arithmetic;
} stn_blas_call;

/* Maximum size of a value. */
enum { STN_BLAS_VALUE_BYTES = 16 };

/* Arithmetic types of a function, as bits. */
enum { STN_BLAS_REAL = 1, STN_BLAS_COMPLEX = 2, STN_BLAS_ANY = 3 };

typedef enum stn_blas_use {
    STN_BLAS_READ,
    STN_BLAS_READ_TOO, /* may be the same view as a written one */
    STN_BLAS_WRITTEN,
    STN_BLAS_TRIANGLE /* one triangle is written */
} stn_blas_use;

typedef struct stn_blas_operand {
    const stn_view *view;
    const char *name; /* name of the argument, for messages */
    int rank;
    stn_blas_use use;
} stn_blas_operand;

#define STN_BLAS_OPERAND(view, rank, use)                                                          \
    {                                                                                              \
        view, #view, rank, use                                                                     \
    }

/* All requirements of blas.h on operands, except that their extents match. */
stn_status stn_blas_check(const stn_blas_call *call, int kinds, int count,
                          const stn_blas_operand *operands);
/* The same for level 3: STN_ERR_UNSUPPORTED for a banded matrix, and for a packed one that is
 * written. */
stn_status stn_blas_check_full(const stn_blas_call *call, int kinds, int count,
                               const stn_blas_operand *operands);

/* STN_ERR_SHAPE unless the extents match: of two vectors; of y = A x; of A = A + x y^T; and of a
 * square matrix and x. */
stn_status stn_blas_expect_pair(const stn_blas_call *call, const stn_view *x, const stn_view *y);
stn_status stn_blas_expect_product(const stn_blas_call *call, const stn_view *a, const stn_view *x,
                                   const stn_view *y);
stn_status stn_blas_expect_outer(const stn_blas_call *call, const stn_view *x, const stn_view *y,
                                 const stn_view *a);
stn_status stn_blas_expect_square(const stn_blas_call *call, const stn_view *a, const stn_view *x);

/* STN_ERR_ARGUMENT for an invalid value of an enumeration of two: `what` is side, triangle,
 * diagonal, or begins with "conj". */
stn_status stn_blas_expect_choice(const stn_blas_call *call, const char *what, int number);

/* All checks of a triangular A and an x that is read and written. */
stn_status stn_blas_check_triangle(const stn_blas_call *call, stn_triangle triangle,
                                   stn_diagonal diagonal, stn_conjugate conj, const stn_view *a,
                                   const stn_view *x);

/* A new uninitialized view of the arithmetic type, which must be released; on a device, only the
 * call's executor may use it. */
stn_status stn_blas_workspace(const stn_blas_call *call, const char *label, int rank,
                              const int64_t *extents, stn_view *buffer);

static inline int stn_blas_is_complex(stn_format arithmetic)
{
    return arithmetic == STN_C128 || arithmetic == STN_C64;
}

/* Is the arithmetic type of one of these kinds? */
static inline int stn_blas_has(const stn_blas_call *call, int kinds)
{
    const int is_real = call->arithmetic == STN_F64 || call->arithmetic == STN_F32;
    return kinds & (is_real                                 ? STN_BLAS_REAL
                    : stn_blas_is_complex(call->arithmetic) ? STN_BLAS_COMPLEX
                                                            : 0);
}

static inline stn_c128 stn_blas_real(double alpha)
{
    return stn_c128_of(alpha, 0.0);
}

/* Does the matrix have a packed layout with its own diagonal? */
int stn_blas_is_packed(const stn_view *a);

/* Are a view's elements values of the arithmetic type, at strides? */
int stn_blas_are_values(stn_format arithmetic, const stn_view *view);

/* Does alpha, rounded to the arithmetic type, equal this real number? */
int stn_blas_is(stn_format arithmetic, stn_c128 alpha, double number);

/* The transposed matrix; the vector as a column. */
stn_status stn_blas_transpose(stn_view *transposed, const stn_view *a);
stn_status stn_blas_column(stn_view *column, const stn_view *x);

/* Computes sums into a view with the extents of y. */
typedef stn_status stn_blas_sums(const stn_blas_call *call, const stn_view *result,
                                 const void *context);

/* y = alpha * sums + beta * y as in stn_gemv; `sums` is not called if alpha is 0. Allocates a
 * buffer for the sums unless they are y. */
stn_status stn_blas_update(const stn_blas_call *call, stn_blas_sums *sums, const void *context,
                           stn_c128 alpha, stn_c128 beta, const stn_view *y);

/* y = alpha * sums + beta * y, as in stn_gemv, of any rank; and y = beta * y. */
stn_status stn_blas_combine(const stn_blas_call *call, stn_c128 alpha, const stn_view *sums,
                            stn_c128 beta, const stn_view *y);
stn_status stn_blas_scale(const stn_blas_call *call, stn_c128 beta, const stn_view *y);

/* y = values of the arithmetic type; and of contiguous values of rank 1 on the host, for any
 * executor. */
stn_status stn_blas_store(const stn_blas_call *call, const stn_view *y, const stn_view *values);
stn_status stn_blas_store_from_host(const stn_blas_call *call, const stn_view *y,
                                    const stn_view *values);

#endif
