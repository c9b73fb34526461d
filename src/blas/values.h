/* Vectors of values on the host, at any stride, which need no further checks. Operations try them
 * first: small vectors then take only a few comparisons. */
#ifndef STENO_BLAS_VALUES_H
#define STENO_BLAS_VALUES_H

#include "blas/call.h"
#include "blas/operand.h"
#include "blas/value_calls.h"
#include "core/versions.h"

/* ---- vectors that are written ---- */

/* All checks of blas.h hold for the vectors, or must be made. */
typedef enum stn_values_way {
    STN_VALUES_UNKNOWN, /* must be checked */
    STN_VALUES_CONTIGUOUS,
    STN_VALUES_STRIDED
} stn_values_way;

/* For a function that writes x; and for one that writes y, or both. */
stn_values_way stn_values_find_one(const stn_blas_call *call, const stn_view *x);
stn_values_way stn_values_find(const stn_blas_call *call, const stn_view *x, const stn_view *y,
                               int is_x_written);

/* Runs the loop for vectors of which stn_values_find has returned STN_VALUES_STRIDED. */
void stn_strided_run(const stn_blas_call *call, stn_strided_loops loops, const stn_view *x,
                     const stn_view *y, const stn_c128 *numbers, int number_count);

/* STN_STRIDED(name, T, scalars, access, body): the function name_T. `scalars` declares the body's
 * scalars with STN_STRIDED_NUMBER(T, k); access is X or X_IN or XY: x is updated, x is read and y
 * updated, or both are updated. */
#define STN_STRIDED(name, T, scalars, access, ...)                                                 \
    STN_KERNEL_BEGIN                                                                               \
    STN_STRIDED_VERSIONS_##T STN_KERNEL_EXACT_##T static void name##_##T(const stn_strided *job)   \
    {                                                                                              \
        typedef stn_##T real_t;                                                                    \
        STN_MATHS_##T const int64_t x_stride = job->x_stride, y_stride = job->y_stride,            \
                                    count = job->count;                                            \
        real_t *const xs = job->x, *const ys = job->y;                                             \
        (void)ys, (void)y_stride;                                                                  \
        scalars STN_KERNEL_IVDEP for (int64_t k = 0; k < count; k++)                               \
        {                                                                                          \
            STN_STRIDED_READ_##access __VA_ARGS__ STN_STRIDED_WRITE_##access                       \
        }                                                                                          \
    }                                                                                              \
    STN_KERNEL_END
/* gcc 12 fuses complex products in versions for AVX2 and AVX-512. */
#define STN_STRIDED_VERSIONS_f64 STN_VERSIONS
#define STN_STRIDED_VERSIONS_f32 STN_VERSIONS
#define STN_STRIDED_VERSIONS_c128
#define STN_STRIDED_VERSIONS_c64
#define STN_STRIDED_READ_X real_t x = xs[k * x_stride];
#define STN_STRIDED_READ_X_IN                                                                      \
    const real_t x = xs[k * x_stride];                                                             \
    real_t y = ys[k * y_stride];
#define STN_STRIDED_READ_XY    real_t x = xs[k * x_stride], y = ys[k * y_stride];
#define STN_STRIDED_WRITE_X    xs[k * x_stride] = x;
#define STN_STRIDED_WRITE_X_IN ys[k * y_stride] = y;
#define STN_STRIDED_WRITE_XY                                                                       \
    xs[k * x_stride] = x;                                                                          \
    ys[k * y_stride] = y;

#define STN_STRIDED_NUMBER(T, k)        STN_STRIDED_NUMBER_##T(job->numbers[k])
#define STN_STRIDED_NUMBER_f64(number)  number.re
#define STN_STRIDED_NUMBER_f32(number)  (float)number.re
#define STN_STRIDED_NUMBER_c128(number) number
#define STN_STRIDED_NUMBER_c64(number)  stn_c64_of((float)number.re, (float)number.im)

/* The loops of the functions that write vectors. */
extern stn_strided_loops stn_strided_axpy, stn_strided_axpby, stn_strided_scal, stn_strided_parts,
    stn_strided_swap, stn_strided_rot;

/* ---- sums of vectors that are read ---- */

enum {
    STN_VALUES_CHUNK = 4 * STN_TILE_ELEMENTS, /* elements gathered at once */
    STN_VALUES_CHUNKS = 512
};

typedef struct stn_values {
    const stn_fused *fused; /* of the parts' type */
    stn_format part;        /* f64 or f32 */
    const char *x, *y;
    int64_t x_stride, y_stride, count, bytes; /* bytes of an element */
} stn_values;

/* A vector of values, or two of equal extents, whose sum the calling thread computes. 0: they must
 * be checked, or are empty, or are summed otherwise. */
int stn_values_read(stn_values *v, const stn_blas_call *call, const stn_view *x);
int stn_values_read_both(stn_values *v, const stn_blas_call *call, const stn_view *x,
                         const stn_view *y);

/* The root of the first sum of a norm (doc/order.md); 0 if it is not in range. */
int stn_values_root(double sum, stn_format real, double *result);

/* Sums of products, and of magnitudes (|re| + |im| of complex values); and the index of the first
 * element with the largest magnitude, or of the first NaN. */
double stn_values_dot(const stn_values *v);
double stn_values_asum(const stn_values *v);
int64_t stn_values_iamax(const stn_values *v);

#endif
