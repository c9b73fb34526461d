/* Level 1 of BLAS on short vectors of values at any increments, without views: for
 * libsteno_cblas. */
#ifndef STENO_BLAS_VALUE_CALLS_H
#define STENO_BLAS_VALUE_CALLS_H

#include "core/status.h"
#include "steno/kernel.h"

/* Maximum number of elements of a vector. */
enum {
    STN_VALUE_CALLS_ELEMENTS = 2048,
    STN_VALUE_CALLS_TILES = STN_VALUE_CALLS_ELEMENTS / STN_TILE_ELEMENTS
};

/* Two vectors, given by their first elements; y is unused by functions of one vector. Vectors that
 * are written have distinct elements and overlap no others. */
typedef struct stn_strided {
    void *x, *y;
    int64_t x_stride, y_stride, count; /* count > 0 */
    stn_c128 numbers[5];               /* scalars of the operation */
} stn_strided;

/* The body of a kernel for each element. */
typedef void stn_strided_loop(const stn_strided *job);

/* For f64, f32, c128 and c64; NULL: not available. */
typedef stn_strided_loop *const stn_strided_loops[4];

/* Operations for one arithmetic type, in the calling thread and the floating-point modes of the
 * library. Functions that return int return 0, without effect, if views must be used. */
typedef struct stn_value_calls {
    void (*run)(stn_strided_loop *loop, const stn_strided *job);
    stn_strided_loop *const *axpy, *const *axpby, *const *scal, *const *scal_real, *const *swap,
                                                                                       *const *rot;
    stn_c128 (*dot_complex)(const stn_strided *job, int is_conjugated);
    int (*nrm2)(const stn_strided *job, double *result);
    double (*asum)(const stn_strided *job);
    int64_t (*iamax)(const stn_strided *job);
} stn_value_calls;

/* y = alpha A x + beta y with contiguous real vectors, alpha not 0, and up to a tile of rows and of
 * columns: x is multiplied along lines, which are rows, or across them. y overlaps no operand. */
typedef struct stn_value_product {
    const void *a;
    int64_t step, lines, count; /* values between lines; lines, and elements of each */
    int is_across;
    const void *x;
    void *y;
    double alpha, beta;
} stn_value_product;

/* Sums of real values: of x * y, of |x|, and of products with a matrix. */
typedef double stn_value_sum(const stn_strided *job);
typedef struct stn_value_sums {
    stn_value_sum *dot, *asum;
    void (*multiply)(const stn_value_product *job);
} stn_value_sums;

/* NULL in portable C. */
const stn_value_sums *stn_value_sums_of(stn_format real);

/* The calls, and the sums of the type's parts; NULL if views must be used: in portable C, and while
 * events are traced. */
STN_PRIVATE_API const stn_value_calls *stn_value_calls_of(stn_format arithmetic,
                                                          const stn_value_sums **sums);

#endif
