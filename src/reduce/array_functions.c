/* Reductions of one view by an operation, as functions. */
#include "steno/array_functions.h"

#include "core/modes.h"
#include "core/status.h"
#include "reduce/array_functions.h"
#include "steno/reduce.h"
#include "view/view.h"

/* clang-format off */
STN_REDUCE(stn_sum, sum, (in(x)), x)
STN_REDUCE_INTEGER(stn_sum_integer, sum, (in(x)), x)
STN_REDUCE_COMPLEX(stn_sum_complex, sum, (in(x)), x)
STN_REDUCE(stn_min, min, (in(x)), x)
STN_REDUCE_INTEGER(stn_min_integer, min, (in(x)), x)
STN_REDUCE(stn_max, max, (in(x)), x)
STN_REDUCE_INTEGER(stn_max_integer, max, (in(x)), x)
STN_REDUCE(stn_argmin, argmin, (in(x)), x)
STN_REDUCE_INTEGER(stn_argmin_integer, argmin, (in(x)), x)
STN_REDUCE(stn_argmax, argmax, (in(x)), x)
STN_REDUCE_INTEGER(stn_argmax_integer, argmax, (in(x)), x)
/* Means and variances. The divisor and ddof are values of the state, because results depend on states
 * only. The result is NaN if the mean is infinite. */
STN_REDUCE_STATE(stn_mean, (real(divisor), in(x)),
    (sum, divisor), (x, divisor), (a.sum / a.divisor), (0, 0), a.sum += b.sum;)
STN_REDUCE_COMPLEX_STATE(stn_mean_complex, (real(divisor), in(x)),
    (sum, divisor), (x, divisor),
    (stn_c_of(a.sum.re / a.divisor.re, a.sum.im / a.divisor.re)), (stn_c_of(0, 0), stn_c_of(0, 0)),
    a.sum = stn_c_add(a.sum, b.sum);)
STN_REDUCE_STATE(stn_variance, (real(ddof), in(x)),
    (count, mean, squares, ddof), (1, x, 0, ddof),
    ((a.count > a.ddof ? a.squares + (a.mean - a.mean) : 0) / (a.count > a.ddof ? a.count - a.ddof : 0)),
    (0, 0, 0, 0),
    const real_t count = a.count + b.count, share = b.count / count, step = b.mean - a.mean;
    a.squares = fma(step * step, a.count * share, a.squares + b.squares);
    a.mean = fma(step, share, a.mean);
    a.count = count;)
STN_REDUCE(stn_norm, norm2, (in(x)), x)
STN_REDUCE_COMPLEX(stn_norm_complex, norm2, (in(x)), x)
STN_SCAN(stn_cumsum, sum, (in(x)), x)
STN_SCAN_INTEGER(stn_cumsum_integer, sum, (in(x)), x)
/* clang-format on */

const stn_reduction *const stn_reduction_of_means = &stn_mean_reduction;
const stn_reduction *const stn_reduction_of_variances = &stn_variance_reduction;

/* The reductions of a function by class of arithmetic; NULL: refused. */
typedef struct array_function {
    const char *name, *allowed;
    const stn_reduction *real, *integer, *complex;
} array_function;

/* A minimum of no elements does not exist. `reduced`: dimensions that are reduced. */
static stn_status expect_elements(const char *name, const stn_view *x, unsigned reduced)
{
    int has_outputs = 1, has_elements = 1;
    for (int d = 0; x && d < x->rank && d < STN_MAX_RANK; d++)
        if (reduced >> d & 1)
            has_elements &= x->extent[d] != 0;
        else
            has_outputs &= x->extent[d] != 0;
    if (has_elements || !has_outputs)
        return STN_OK;
    return stn_fail(STN_ERR_SHAPE, "%s: x has no elements along the reduced dimensions: %s", name,
                    stn_view_text(x));
}

static stn_status reduce_into(const array_function *function, const stn_exec *exec,
                              stn_format arithmetic, const stn_view *result, const stn_view *x,
                              unsigned reduced)
{
    const stn_argument argument = {.view = x};
    const stn_reduction *const reduction = arithmetic == STN_I64 ? function->integer
                                           : arithmetic == STN_C128 || arithmetic == STN_C64
                                               ? function->complex
                                               : function->real;
    if (!reduction)
        return stn_fail(STN_ERR_ARGUMENT, "%s: arithmetic is %s; it must be %s", function->name,
                        stn_format_text(arithmetic), function->allowed);
    return stn_reduce_into(exec, reduction, arithmetic, STN_RANK_BROADCAST, NULL, reduced, result,
                           &argument);
}

/* ---- sums ---- */

stn_status stn_sum(const stn_exec *exec, stn_format arithmetic, double *result, const stn_view *x)
{
    return stn_sum_reduce(exec, arithmetic, result, x);
}

stn_status stn_sum_integer(const stn_exec *exec, stn_format arithmetic, int64_t *result,
                           const stn_view *x)
{
    return stn_sum_integer_reduce(exec, arithmetic, result, x);
}

stn_status stn_sum_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                           const stn_view *x)
{
    return stn_sum_complex_reduce(exec, arithmetic, result, x);
}

stn_status stn_sum_into(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                        const stn_view *x, unsigned reduced)
{
    static const array_function function = {"stn_sum_into", NULL, &stn_sum_reduction,
                                            &stn_sum_integer_reduction, &stn_sum_complex_reduction};
    return reduce_into(&function, exec, arithmetic, result, x, reduced);
}

stn_status stn_cumsum(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                      const stn_view *x, int dimension)
{
    return arithmetic == STN_I64 ? stn_cumsum_integer_scan_dimension(
                                       exec, arithmetic, STN_SCAN_INCLUSIVE, dimension, result, x)
                                 : stn_cumsum_scan_dimension(exec, arithmetic, STN_SCAN_INCLUSIVE,
                                                             dimension, result, x);
}

/* ---- means and variances ---- */

/* The number of elements per output, as a divisor. */
static double count_elements(const stn_view *x, unsigned reduced)
{
    double count = 1.0;
    for (int d = 0; x && d < x->rank && d < STN_MAX_RANK; d++)
        if (reduced >> d & 1)
            count *= (double)x->extent[d];
    return count;
}

/* Both are values of the arithmetic type. */
static double divide(stn_format arithmetic, double sum, double count)
{
    const int is_wide = arithmetic == STN_F64 || arithmetic == STN_C128;
    return is_wide ? sum / count : (double)((float)sum / (float)count);
}

static stn_status mean(const stn_exec *exec, stn_format arithmetic, double *result,
                       const stn_view *x)
{
    double sum;
    STN_TRY(stn_sum_reduce(exec, arithmetic, result ? &sum : NULL, x));
    *result = divide(arithmetic, sum, count_elements(x, ~0u));
    return STN_OK;
}

stn_status stn_mean(const stn_exec *exec, stn_format arithmetic, double *result, const stn_view *x)
{
    STN_RETURN_IN_MODES(mean(exec, arithmetic, result, x));
}

static stn_status mean_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                               const stn_view *x)
{
    const double count = count_elements(x, ~0u);
    stn_c128 sum;
    STN_TRY(stn_sum_complex_reduce(exec, arithmetic, result ? &sum : NULL, x));
    result->re = divide(arithmetic, sum.re, count);
    result->im = divide(arithmetic, sum.im, count);
    return STN_OK;
}

stn_status stn_mean_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                            const stn_view *x)
{
    STN_RETURN_IN_MODES(mean_complex(exec, arithmetic, result, x));
}

stn_status stn_mean_into(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                         const stn_view *x, unsigned reduced)
{
    const double count = count_elements(x, reduced);
    if (arithmetic == STN_C128 || arithmetic == STN_C64)
        return stn_mean_complex_reduce_into(exec, arithmetic, reduced, result,
                                            (stn_c128){count, 0.0}, x);
    return stn_mean_reduce_into(exec, arithmetic, reduced, result, count, x);
}

static stn_status expect_ddof(const char *name, int ddof)
{
    if (ddof >= 0)
        return STN_OK;
    return stn_fail(STN_ERR_ARGUMENT, "%s: ddof is %d; it must be at least 0", name, ddof);
}

stn_status stn_variance(const stn_exec *exec, stn_format arithmetic, double *result,
                        const stn_view *x, int ddof)
{
    STN_TRY(expect_ddof("stn_variance", ddof));
    return stn_variance_reduce(exec, arithmetic, result, (double)ddof, x);
}

stn_status stn_variance_into(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                             const stn_view *x, unsigned reduced, int ddof)
{
    STN_TRY(expect_ddof("stn_variance_into", ddof));
    return stn_variance_reduce_into(exec, arithmetic, reduced, result, (double)ddof, x);
}

/* ---- extremes ---- */

/* Functions of a minimum or maximum. */
#define EXTREME(name)                                                                              \
    stn_status name(const stn_exec *exec, stn_format arithmetic, double *result,                   \
                    const stn_view *x)                                                             \
    {                                                                                              \
        STN_TRY(expect_elements(#name, x, ~0u));                                                   \
        return name##_reduce(exec, arithmetic, result, x);                                         \
    }                                                                                              \
    stn_status name##_integer(const stn_exec *exec, stn_format arithmetic, int64_t *result,        \
                              const stn_view *x)                                                   \
    {                                                                                              \
        STN_TRY(expect_elements(#name "_integer", x, ~0u));                                        \
        return name##_integer_reduce(exec, arithmetic, result, x);                                 \
    }                                                                                              \
    EXTREME_INTO(name)

/* Functions of the index of a minimum or maximum. */
#define EXTREME_INDEX(name)                                                                        \
    stn_status name(const stn_exec *exec, stn_format arithmetic, int64_t *result,                  \
                    const stn_view *x)                                                             \
    {                                                                                              \
        STN_TRY(expect_elements(#name, x, ~0u));                                                   \
        return arithmetic == STN_I64 ? name##_integer_reduce(exec, arithmetic, result, x)          \
                                     : name##_reduce(exec, arithmetic, result, x);                 \
    }                                                                                              \
    EXTREME_INTO(name)

#define EXTREME_INTO(name)                                                                         \
    stn_status name##_into(const stn_exec *exec, stn_format arithmetic, const stn_view *result,    \
                           const stn_view *x, unsigned reduced)                                    \
    {                                                                                              \
        static const array_function function = {                                                   \
            #name "_into", "f64, f32 or i64", &name##_reduction, &name##_integer_reduction, NULL}; \
        STN_TRY(expect_elements(#name "_into", x, reduced));                                       \
        return reduce_into(&function, exec, arithmetic, result, x, reduced);                       \
    }

EXTREME(stn_min)
EXTREME(stn_max)
EXTREME_INDEX(stn_argmin)
EXTREME_INDEX(stn_argmax)

/* ---- norms ---- */

stn_status stn_norm(const stn_exec *exec, stn_format arithmetic, double *result, const stn_view *x)
{
    return arithmetic == STN_C128 || arithmetic == STN_C64
               ? stn_norm_complex_reduce(exec, arithmetic, result, x)
               : stn_norm_reduce(exec, arithmetic, result, x);
}

stn_status stn_norm_into(const stn_exec *exec, stn_format arithmetic, const stn_view *result,
                         const stn_view *x, unsigned reduced)
{
    static const array_function function = {"stn_norm_into", "f64, f32, c128 or c64",
                                            &stn_norm_reduction, NULL, &stn_norm_complex_reduction};
    return reduce_into(&function, exec, arithmetic, result, x, reduced);
}
