/* Vector and matrix operations over views in any format.
 *
 * The arithmetic type, STN_F64 or STN_F32, is what values are decoded to and computed in; the views
 * say how operands are stored. Sums follow one order (doc/order.md): the same bits on every
 * executor, for every number of threads and every instruction set.
 *
 * Statuses: STN_ERR_ARGUMENT (a null pointer, a view of nothing, a result that is
 * read-only), STN_ERR_SHAPE (ranks or extents that do not fit), STN_ERR_UNSUPPORTED (a format that
 * does not go with the arithmetic type, atomic views, memory that the executor does not reach),
 * STN_ERR_ALIAS (a result that shares bytes with an operand, or repeats one element by stride 0;
 * disjoint but interleaved ones are fine), STN_ERR_MEMORY. After an error the result is as it was.
 */
#ifndef STENO_BLAS_H
#define STENO_BLAS_H

#include "steno/detail/names/hide.h"
#include "steno/exec.h"
#include "steno/view.h"

STN_BEGIN_DECLS

/* *result = sum of x[i] * y[i]; +0 when there are no elements. That of STN_F32 is widened. x and y:
 * rank 1 of the same extent, any real format each. Error: |result - exact| <= (ceil(log2(n)) + 2) u
 * sum |x[i] y[i]| over the values as decoded, with u = 2^-53 or 2^-24 (doc/accuracy.md). Zero
 * points and scales that are no power of two add the roundings of decoding. */
STN_API stn_status stn_dot(const stn_exec *exec, stn_format arithmetic, double *result,
                           const stn_view *x, const stn_view *y);

/* y = alpha * x + y: product and sum rounded to the arithmetic type, then stored once. x and y:
 * rank 1 of the same extent. alpha is rounded to the arithmetic type first. x and y may be
 * the same, but not overlap otherwise. */
STN_API stn_status stn_axpy(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_view *x, const stn_view *y);

/* y = alpha * A x + beta * y, with each row's sum as in stn_dot; beta = 0 does not read y, alpha =
 * 1 multiplies nothing. A: rank 2, m x n; x: rank 1, n; y: rank 1, m. Fastest when rows are
 * contiguous. Error of each row's sum as in stn_dot. Allocates room for x decoded, unless x is
 * contiguous in the arithmetic type; where rows are not contiguous, for the sums instead. */
STN_API stn_status stn_gemv(const stn_exec *exec, stn_format arithmetic, double alpha,
                            const stn_view *a, const stn_view *x, double beta, const stn_view *y);

STN_END_DECLS

#include "steno/detail/names/show.h"

#endif
