/** @file
 * Sums, means, variances, extremes, norms and running sums of whole arrays or along some of their
 * dimensions.
 *
 * @code
 * stn_sum(exec, STN_F64, &total, &x);
 * stn_variance(exec, STN_F64, &variance, &x, 0);
 * stn_max_into(exec, STN_F32, &row_maxima, &matrix, 1u << 1);
 * stn_cumsum(exec, STN_F64, &running, &x, 0);
 * @endcode
 *
 * `x` is a view of any format, layout, scale and rank. `arithmetic` is the type that elements are
 * converted to before they are combined: STN_F64, STN_F32, STN_I64, STN_C128 or STN_C64. Use
 * STN_I64 for integers: sums are exact modulo 2^64, and extremes are exact.
 *
 * Functions without suffix store a double, `_integer` an int64_t, `_complex` a stn_c128. Functions
 * that end in `_into` reduce some dimensions: bit d of `reduced` is set if dimension d of `x`
 * disappears. The view `result` has the extents of the other dimensions, in order, in any format,
 * with any strides and scale. If no bit is set, each element is reduced separately.
 *
 * These functions are reductions of reduce.h, whose macros define such functions for any expression
 * of several views. Results have the same bits on every executor, for every number of threads and
 * every layout; doc/order.md defines the order of operations. Nothing is allocated.
 *
 * | function | if `x` has no elements | NaN in `x` | differs from NumPy |
 * |---|---|---|---|
 * | sum | 0 | NaN | |
 * | mean, variance | NaN | NaN | |
 * | min, max | STN_ERR_SHAPE | NaN | -0 < +0; complex numbers are refused |
 * | argmin, argmax | STN_ERR_SHAPE | first NaN | -0 < +0; complex numbers are refused |
 * | norm | 0 | NaN | no intermediate overflow |
 * | cumsum | | NaN from there on | complex numbers are refused |
 *
 * ## Errors
 *
 * Errors, before anything is written:
 * @retval STN_ERR_ARGUMENT     an argument is NULL, the function does not have this arithmetic
 *                              type, the result is read-only, `ddof` is negative, or `reduced` or
 *                              `dimension` selects a missing dimension
 * @retval STN_ERR_SHAPE        the result has other extents, or an extreme of no elements is
 *                              requested
 * @retval STN_ERR_ALIAS        the result overlaps `x`, or repeats an element
 * @retval STN_ERR_UNSUPPORTED  the arithmetic type does not support the format of a view
 * @retval STN_ERR_RANGE        the number of elements exceeds 64 bits
 */
#ifndef STENO_ARRAY_FUNCTIONS_H
#define STENO_ARRAY_FUNCTIONS_H

#include "steno/detail/macro_check.h"
#include "steno/complex.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/** Computes the sum of all elements.
 *
 * @param exec, arithmetic  executor; STN_F64 or STN_F32
 * @param[out] result       sum
 * @param x                 view of any rank
 * @par Error bound
 * (ceil(log2(n)) + 1) u times the sum of the magnitudes of the n elements (doc/accuracy.md). */
STN_API stn_status stn_sum(const stn_exec *exec, stn_format arithmetic, double *result,
                           const stn_view *x);

/** stn_sum() for STN_I64: exact modulo 2^64. */
STN_API stn_status stn_sum_integer(const stn_exec *exec, stn_format arithmetic, int64_t *result,
                                   const stn_view *x);

/** stn_sum() for STN_C128 and STN_C64. */
STN_API stn_status stn_sum_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                                   const stn_view *x);

/** Computes sums along dimensions, such as the sum of each row of a matrix.
 *
 * @param exec, arithmetic  executor; any arithmetic type
 * @param result            view with the dimensions that are not reduced
 * @param x                 view of any rank
 * @param reduced           bit d: dimension d is reduced
 * @code
 * stn_sum_into(exec, STN_F64, &row_sums, &matrix, 1u << 1);
 * stn_sum_into(exec, STN_F64, &column_sums, &matrix, 1u << 0);
 * @endcode */
STN_API stn_status stn_sum_into(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                                const stn_view *x, unsigned reduced);

/** Computes the arithmetic mean of all elements: their sum divided by their number, both in the
 * arithmetic type.
 *
 * @param exec, arithmetic  executor; STN_F64 or STN_F32
 * @param[out] result       mean
 * @param x                 view of any rank
 * @par Error bound
 * That of stn_sum() divided by n, and three roundings of the result. */
STN_API stn_status stn_mean(const stn_exec *exec, stn_format arithmetic, double *result,
                            const stn_view *x);

/** stn_mean() for STN_C128 and STN_C64. */
STN_API stn_status stn_mean_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                                    const stn_view *x);

/** Computes means along dimensions, with the parameters of stn_sum_into(). The arithmetic type is
 * not STN_I64. The means have the bits of stn_mean() and are rounded once to the format of
 * `result`. */
STN_API stn_status stn_mean_into(const stn_exec *exec, stn_format arithmetic,
                                 const stn_view *result, const stn_view *x, unsigned reduced);

/** Computes the variance: the sum of the squared deviations from the mean, divided by n - ddof.
 *
 * One pass merges counts, means and sums of squared deviations in the order of doc/order.md. There
 * is no cancellation as in the mean of the squares minus the square of the mean.
 *
 * @param exec, arithmetic  executor; STN_F64 or STN_F32
 * @param[out] result       variance; NaN if n <= ddof, or if an element is infinite
 * @param x                 view of any rank; for complex numbers, add the variances of both parts
 * @param ddof              0 for the variance of a population, 1 for an estimate from a sample
 * @par Error bound
 * To first order, the relative error is at most 4 (ceil(log2(n)) + 1) u sqrt(1 + mean^2 /
 * variance).
 * @code
 * stn_variance(exec, STN_F64, &variance, &x, 1);
 * @endcode */
STN_API stn_status stn_variance(const stn_exec *exec, stn_format arithmetic, double *result,
                                const stn_view *x, int ddof);

/** Computes variances along dimensions, with the parameters of stn_sum_into() and `ddof` of
 * stn_variance(). The arithmetic type is STN_F64 or STN_F32. */
STN_API stn_status stn_variance_into(const stn_exec *exec, stn_format arithmetic,
                                     const stn_view *result, const stn_view *x, unsigned reduced,
                                     int ddof);

/** Computes the smallest element, or NaN if an element is NaN, with the parameters of stn_sum(). */
STN_API stn_status stn_min(const stn_exec *exec, stn_format arithmetic, double *result,
                           const stn_view *x);

/** stn_min() for STN_I64.
 *
 * @param exec, arithmetic  executor; STN_I64
 * @param[out] result       smallest element
 * @param x                 view of any rank */
STN_API stn_status stn_min_integer(const stn_exec *exec, stn_format arithmetic, int64_t *result,
                                   const stn_view *x);

/** Computes smallest elements along dimensions, with the parameters of stn_sum_into(). The
 * arithmetic type is STN_F64, STN_F32 or STN_I64. */
STN_API stn_status stn_min_into(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                                const stn_view *x, unsigned reduced);

/** Computes the largest element, or NaN if an element is NaN, with the parameters of stn_sum(). */
STN_API stn_status stn_max(const stn_exec *exec, stn_format arithmetic, double *result,
                           const stn_view *x);

/** stn_max() for STN_I64.
 *
 * @param exec, arithmetic  executor; STN_I64
 * @param[out] result       largest element
 * @param x                 view of any rank */
STN_API stn_status stn_max_integer(const stn_exec *exec, stn_format arithmetic, int64_t *result,
                                   const stn_view *x);

/** Computes largest elements along dimensions, with the parameters of stn_sum_into(). The
 * arithmetic type is STN_F64, STN_F32 or STN_I64. */
STN_API stn_status stn_max_into(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                                const stn_view *x, unsigned reduced);

/** Finds the smallest element.
 *
 * @param exec, arithmetic  executor; STN_F64, STN_F32 or STN_I64
 * @param[out] result       index of the first smallest element, or of the first NaN, in C order of
 *                          all elements
 * @param x                 view of any rank */
STN_API stn_status stn_argmin(const stn_exec *exec, stn_format arithmetic, int64_t *result,
                              const stn_view *x);

/** Finds smallest elements along dimensions, with the parameters of stn_sum_into(). The arithmetic
 * type is STN_F64, STN_F32 or STN_I64. The indices are those in C order of the reduced dimensions.
 * They are stored in integer formats without conversion and rounded to float formats. */
STN_API stn_status stn_argmin_into(const stn_exec *exec, stn_format arithmetic,
                                   const stn_view *result, const stn_view *x, unsigned reduced);

/** Finds the largest element, with the parameters of stn_argmin(). */
STN_API stn_status stn_argmax(const stn_exec *exec, stn_format arithmetic, int64_t *result,
                              const stn_view *x);

/** Finds largest elements along dimensions, as stn_argmin_into() finds smallest ones, with the
 * parameters of stn_sum_into(). */
STN_API stn_status stn_argmax_into(const stn_exec *exec, stn_format arithmetic,
                                   const stn_view *result, const stn_view *x, unsigned reduced);

/** Computes the square root of the sum of the squared magnitudes of all elements: the Euclidean
 * norm of a vector, the Frobenius norm of a matrix.
 *
 * Squares neither overflow nor underflow for up to 2^38 elements.
 *
 * @param exec, arithmetic  executor; STN_F64, STN_F32, STN_C128 or STN_C64
 * @param[out] result       norm
 * @param x                 view of any rank */
STN_API stn_status stn_norm(const stn_exec *exec, stn_format arithmetic, double *result,
                            const stn_view *x);

/** Computes norms along dimensions, with the parameters of stn_sum_into(). The arithmetic type is
 * not STN_I64. */
STN_API stn_status stn_norm_into(const stn_exec *exec, stn_format arithmetic,
                                 const stn_view *result, const stn_view *x, unsigned reduced);

/** Computes running sums along a dimension: result[.., k, ..] = x[.., 0, ..] + ... + x[.., k, ..].
 *
 * @param exec, arithmetic  executor; STN_F64, STN_F32 or STN_I64
 * @param result            view with the extents of `x`, which must not overlap `x`
 * @param x                 view of rank 1 or more
 * @param dimension         dimension of the sums, counted from 0 */
STN_API stn_status stn_cumsum(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                              const stn_view *x, int dimension);

STN_END_DECLS

#endif
