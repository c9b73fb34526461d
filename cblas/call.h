/* Common parts of calls by standard names: executor, views of the caller's arrays, and
 * errors. */
#ifndef STENO_CBLAS_CALL_H
#define STENO_CBLAS_CALL_H

#include <stdatomic.h>
#include <string.h>

#include "blas/value_calls.h"
#include "steno/blas.h"
#include "steno/cblas.h"

typedef struct stn_cblas_call {
    const char *name;      /* "dgemv" */
    stn_format arithmetic; /* also that of elements */
    CBLAS_LAYOUT layout;   /* of matrices */
    int is_fortran;        /* called by its Fortran name */
    const char *arguments; /* names of the arguments after the layout; NULL: all values are valid */
} stn_cblas_call;

/* ---- the executor ---- */

extern _Atomic(const stn_exec *) stn_cblas_shared_exec; /* NULL before the first call */
const stn_exec *stn_cblas_create_exec(void);

/* NULL if there is no memory, which the functions of blas.h report. */
static inline const stn_exec *stn_cblas_exec(void)
{
    const stn_exec *const exec = atomic_load_explicit(&stn_cblas_shared_exec, memory_order_acquire);
    return exec ? exec : stn_cblas_create_exec();
}

/* An executor that calls no other BLAS; slow. */
const stn_exec *stn_cblas_exec_without_system(void);

/* ---- views: as by stn_view_wrap, without its checks and unused dimensions ---- */

static inline int stn_cblas_is_complex(const stn_cblas_call *call)
{
    return call->arithmetic == STN_C128 || call->arithmetic == STN_C64;
}

static inline int64_t stn_cblas_bytes(stn_format format)
{
    return format == STN_F32 ? 4 : format == STN_C128 ? 16 : 8;
}

static inline void stn_cblas_view(stn_view *view, stn_format format, const char *label,
                                  const void *data, int rank)
{
    view->size = sizeof *view;
    view->rank = (int8_t)rank;
    view->space = STN_SPACE_HOST;
    view->read_only = view->fixed = 0;
    view->traits = 0;
    view->data = (void *)(uintptr_t)data;
    view->label = label;
    view->storage = stn_storage_of(format);
    view->owner = NULL; /* other members are used only with an owner or extra state */
    view->extra = NULL;
}

/* With a negative increment, element 0 is the last one in memory. */
static inline void stn_cblas_vector(stn_view *view, stn_format format, const char *label,
                                    const void *data, int64_t count, int64_t increment)
{
    const int64_t first = increment < 0 ? (1 - count) * increment : 0;
    stn_cblas_view(view, format, label, (const char *)data + first * stn_cblas_bytes(format), 1);
    view->extent[0] = count;
    view->stride[0] = increment;
}

/* ---- short vectors, without views ---- */

static inline const stn_value_calls *stn_cblas_values(const stn_cblas_call *call, int count,
                                                      const stn_value_sums **sums)
{
    return count <= STN_VALUE_CALLS_ELEMENTS ? stn_value_calls_of(call->arithmetic, sums) : NULL;
}

static inline void *stn_cblas_first(const stn_cblas_call *call, const void *data, int64_t count,
                                    int64_t increment)
{
    const int64_t first = increment < 0 ? (1 - count) * increment : 0;
    return (char *)(uintptr_t)data + first * stn_cblas_bytes(call->arithmetic);
}

static inline void stn_cblas_strided(stn_strided *job, const stn_cblas_call *call, int count,
                                     const void *x, int incx, const void *y, int incy)
{
    job->x = stn_cblas_first(call, x, count, incx);
    job->y = stn_cblas_first(call, y, count, incy);
    job->x_stride = incx;
    job->y_stride = incy;
    job->count = count;
}

/* m x n, optionally transposed; returns whether it is conjugated. */
static inline stn_conjugate stn_cblas_matrix(stn_view *view, const stn_cblas_call *call,
                                             const char *label, const void *a, int64_t lda, int m,
                                             int n, CBLAS_TRANSPOSE trans)
{
    const int is_row_major = call->layout == CblasRowMajor, down = trans != CblasNoTrans;
    stn_cblas_view(view, call->arithmetic, label, a, 2);
    view->extent[down] = m;
    view->extent[!down] = n;
    view->stride[down] = is_row_major ? lda : 1;
    view->stride[!down] = is_row_major ? 1 : lda;
    return trans == CblasConjTrans ? STN_CONJUGATE : STN_NO_CONJUGATE;
}

/* A separate copy of the elements, which must be released even after an error. */
stn_status stn_cblas_separate(const stn_exec *exec, const stn_view *view, stn_view *copy);

static inline int stn_cblas_is_number(stn_c128 x, double number)
{
    return x.re == number && x.im == 0.0;
}

/* The scalar of the call's type at an address. */
stn_c128 stn_cblas_number(stn_format format, const void *at);
void stn_cblas_set_number(stn_format format, void *at, stn_c128 number);

/* ---- errors ---- */

/* Added to Fortran letters that are not values of an enumeration. */
enum { STN_CBLAS_LETTER = 1 << 16 };

/* Valid values of arguments with an enumeration type. */
typedef enum stn_cblas_choice {
    STN_CBLAS_IS_LAYOUT,
    STN_CBLAS_IS_TRANSPOSE,
    STN_CBLAS_IS_PLAIN_OR_TRANS,
    STN_CBLAS_IS_PLAIN_OR_CONJ,
    STN_CBLAS_IS_TRIANGLE,
    STN_CBLAS_IS_DIAGONAL,
    STN_CBLAS_IS_SIDE
} stn_cblas_choice;

/* Calls cblas_xerbla or xerbla_ for an argument, whose position is counted as in the C
 * interface, with a message that contains its name, its value and the valid values. Both return
 * 1. `minimum` is the minimum; STN_CBLAS_NOT_ZERO: every value except 0. */
#define STN_CBLAS_NOT_ZERO INT64_MIN
int stn_cblas_refuse_choice(const stn_cblas_call *call, int argument, int value,
                            stn_cblas_choice choice);
int stn_cblas_refuse_number(const stn_cblas_call *call, int argument, int value, int64_t minimum);

/* Calls cblas_xerbla with stn_error, if memory is exhausted. */
void stn_cblas_expect(const stn_cblas_call *call, stn_status status);

/* Independent of the locale. */
static inline char stn_cblas_upper(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

/* ---- checks of arguments: is this argument invalid? ---- */

static inline int stn_cblas_refuses_layout(const stn_cblas_call *call)
{
    return call->layout != CblasRowMajor && call->layout != CblasColMajor &&
           stn_cblas_refuse_choice(call, 1, (int)call->layout, STN_CBLAS_IS_LAYOUT);
}
static inline int stn_cblas_refuses_transpose(const stn_cblas_call *call, int argument,
                                              CBLAS_TRANSPOSE trans)
{
    return trans != CblasNoTrans && trans != CblasTrans && trans != CblasConjTrans &&
           stn_cblas_refuse_choice(call, argument, (int)trans, STN_CBLAS_IS_TRANSPOSE);
}
static inline int stn_cblas_refuses_triangle(const stn_cblas_call *call, int argument,
                                             CBLAS_UPLO uplo)
{
    return uplo != CblasUpper && uplo != CblasLower &&
           stn_cblas_refuse_choice(call, argument, (int)uplo, STN_CBLAS_IS_TRIANGLE);
}
static inline int stn_cblas_refuses_diagonal(const stn_cblas_call *call, int argument,
                                             CBLAS_DIAG diag)
{
    return diag != CblasNonUnit && diag != CblasUnit &&
           stn_cblas_refuse_choice(call, argument, (int)diag, STN_CBLAS_IS_DIAGONAL);
}
static inline int stn_cblas_refuses_side(const stn_cblas_call *call, int argument, CBLAS_SIDE side)
{
    return side != CblasLeft && side != CblasRight &&
           stn_cblas_refuse_choice(call, argument, (int)side, STN_CBLAS_IS_SIDE);
}

static inline int stn_cblas_refuses_below(const stn_cblas_call *call, int argument, int value,
                                          int64_t minimum)
{
    return value < minimum && stn_cblas_refuse_number(call, argument, value, minimum);
}
static inline int stn_cblas_refuses_zero(const stn_cblas_call *call, int argument, int increment)
{
    return increment == 0 && stn_cblas_refuse_number(call, argument, 0, STN_CBLAS_NOT_ZERO);
}

/* The leading dimension of a matrix with this number of rows and columns. */
static inline int stn_cblas_refuses_leading(const stn_cblas_call *call, int argument, int leading,
                                            int rows, int columns)
{
    const int along = call->layout == CblasRowMajor ? columns : rows;
    return stn_cblas_refuses_below(call, argument, leading, along > 1 ? along : 1);
}

#endif
