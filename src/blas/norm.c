/* dotu, dotc, nrm2, asum, iamax: reductions. */
#include <math.h>

#include "blas/call.h"
#include "blas/complex.h"
#include "blas/values.h"
#include "core/event.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE_COMPLEX(dotu, products, (in(x), in(y)), x, y)
STN_REDUCE_COMPLEX(dotc, products, (in(x), in(y)), stn_c_conj(x), y)
STN_REDUCE(nrm2, norm2, (in(x)), x)
STN_REDUCE_COMPLEX(nrm2_complex, norm2, (in(x)), x)
STN_REDUCE(asum, norm1, (in(x)), x)
STN_REDUCE_COMPLEX(asum_complex, sum, (in(x)), stn_c_of(fabs(x.re) + fabs(x.im), 0))
STN_REDUCE(iamax, argmax, (in(x)), fabs(x))
/* |re| + |im| with the index of the element as imaginary part; the first NaN is the maximum. */
STN_REDUCE_COMPLEX_BY(iamax_complex, (at(i), in(x)),
    stn_c_of(fabs(x.re) + fabs(x.im), (float)i),
    a.re != a.re ? (b.re != b.re && b.im < a.im ? b : a)
    : b.re != b.re || b.re > a.re || (b.re == a.re && b.im < a.im) ? b : a,
    a, stn_c_of(-1, -1))
/* clang-format on */

static stn_status check_argument(const stn_blas_call *call, int kinds, const void *result,
                                 const char *name, const stn_view *x)
{
    const stn_blas_operand operand = {x, name, 1, STN_BLAS_READ};
    STN_TRY(stn_blas_check(call, kinds, 1, &operand));
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "%s: result is NULL", call->name);
    return STN_OK;
}

static stn_status check(const stn_blas_call *call, int kinds, const void *result, const stn_view *x)
{
    return check_argument(call, kinds, result, "x", x);
}

static stn_status multiply(const stn_blas_call *call, int conjugated, stn_c128 *result,
                           const stn_view *x, const stn_view *y)
{
    STN_TRY(check(call, STN_BLAS_COMPLEX, result, x));
    STN_TRY(check_argument(call, STN_BLAS_COMPLEX, result, "y", y));
    STN_TRY(stn_blas_expect_pair(call, x, y));
    if (stn_complex_dot(call, conjugated, result, x, y))
        return STN_OK;
    return conjugated ? dotc_reduce(call->exec, call->arithmetic, result, x, y)
                      : dotu_reduce(call->exec, call->arithmetic, result, x, y);
}

stn_status stn_dotu(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                    const stn_view *x, const stn_view *y)
{
    const stn_blas_call call = {"stn_dotu", exec, arithmetic};
    STN_RETURN_IN_MODES(multiply(&call, 0, result, x, y));
}

stn_status stn_dotc(const stn_exec *exec, stn_format arithmetic, stn_c128 *result,
                    const stn_view *x, const stn_view *y)
{
    const stn_blas_call call = {"stn_dotc", exec, arithmetic};
    STN_RETURN_IN_MODES(multiply(&call, 1, result, x, y));
}

/* The square root of x . x, if it is in range: the first sum of a norm. */
static int is_length(const stn_blas_call *call, double *result, const stn_view *x)
{
    const stn_format arithmetic = call->arithmetic;
    double sum;
    stn_values values;
    if (!result || stn_event_is_traced() || stn_blas_is_complex(arithmetic))
        return 0;
    if (stn_values_read_both(&values, call, x, x))
        sum = stn_values_dot(&values);
    else if (!stn_operand_is_plain(call->exec, arithmetic, x, 1, 0) ||
             stn_dot(call->exec, arithmetic, &sum, x, x) != STN_OK)
        return 0;
    return stn_values_root(sum, arithmetic, result);
}

static stn_status length(const stn_blas_call *call, double *result, const stn_view *x)
{
    if (is_length(call, result, x))
        return STN_OK;
    STN_TRY(check(call, STN_BLAS_ANY, result, x));
    return stn_blas_is_complex(call->arithmetic)
               ? nrm2_complex_reduce(call->exec, call->arithmetic, result, x)
               : nrm2_reduce(call->exec, call->arithmetic, result, x);
}

stn_status stn_nrm2(const stn_exec *exec, stn_format arithmetic, double *result, const stn_view *x)
{
    const stn_blas_call call = {"stn_nrm2", exec, arithmetic};
    STN_RETURN_IN_MODES(length(&call, result, x));
}

static stn_status magnitudes(const stn_blas_call *call, double *result, const stn_view *x)
{
    stn_c128 sum;
    stn_values values;
    if (result && stn_values_read(&values, call, x)) {
        *result = stn_values_asum(&values);
        return STN_OK;
    }
    STN_TRY(check(call, STN_BLAS_ANY, result, x));
    if (!stn_blas_is_complex(call->arithmetic))
        return asum_reduce(call->exec, call->arithmetic, result, x);
    STN_TRY(asum_complex_reduce(call->exec, call->arithmetic, &sum, x));
    *result = sum.re;
    return STN_OK;
}

stn_status stn_asum(const stn_exec *exec, stn_format arithmetic, double *result, const stn_view *x)
{
    const stn_blas_call call = {"stn_asum", exec, arithmetic};
    STN_RETURN_IN_MODES(magnitudes(&call, result, x));
}

/* Integers up to this one are exact in f32. */
#define MAX_NUMBERS ((int64_t)1 << 24)

static stn_status find_complex(const stn_blas_call *call, int64_t *result, const stn_view *x)
{
    int64_t found = -1;
    double maximum = -1.0;
    for (int64_t first = 0; first < x->extent[0]; first += MAX_NUMBERS) {
        const int64_t left = x->extent[0] - first;
        const stn_slice range =
            stn_slice_strided(first, left < MAX_NUMBERS ? left : MAX_NUMBERS, 1);
        stn_view part;
        stn_c128 greatest;
        STN_TRY(stn_view_slice(&part, x, 1, &range));
        STN_TRY(iamax_complex_reduce(call->exec, call->arithmetic, &greatest, &part));
        if (greatest.re > maximum || (greatest.re != greatest.re && maximum == maximum)) {
            maximum = greatest.re;
            found = first + (int64_t)greatest.im;
        }
    }
    *result = found;
    return STN_OK;
}

static stn_status find(const stn_blas_call *call, int64_t *result, const stn_view *x)
{
    stn_values values;
    if (result && stn_values_read(&values, call, x)) {
        *result = stn_values_iamax(&values);
        return STN_OK;
    }
    STN_TRY(check(call, STN_BLAS_ANY, result, x));
    return stn_blas_is_complex(call->arithmetic)
               ? find_complex(call, result, x)
               : iamax_reduce(call->exec, call->arithmetic, result, x);
}

stn_status stn_iamax(const stn_exec *exec, stn_format arithmetic, int64_t *result,
                     const stn_view *x)
{
    const stn_blas_call call = {"stn_iamax", exec, arithmetic};
    STN_RETURN_IN_MODES(find(&call, result, x));
}
