/* scal, swap, axpby: maps. */
#include "blas/values.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/kernel.h"

/* clang-format off */
/* Bodies of kernels, and of loops over strided values. */
#define MAP(...)         STN_MAP(__VA_ARGS__)
#define MAP_COMPLEX(...) STN_MAP_COMPLEX(__VA_ARGS__)
#define SCALE            x = alpha * x;
#define SCALE_PARTS      x = stn_c_of(alpha.re * x.re, alpha.re * x.im);
#define SCALE_COMPLEX    x = stn_c_multiply(alpha, x);
#define EXCHANGE         const real_t old = x; x = y; y = old;
#define ADD                                                                                        \
    const real_t left = alpha == 0 ? 0 : alpha * x;                                                \
    const real_t both = alpha == 0 ? beta * y : left + beta * y;                                   \
    y = beta == 0 ? left : both;
#define ADD_COMPLEX                                                                                \
    const int has_x = alpha.re != 0 || alpha.im != 0;                                              \
    const real_t left = has_x ? stn_c_multiply(alpha, x) : stn_c_of(0, 0);                         \
    const real_t right = beta.re == 1 && beta.im == 0 ? y : stn_c_multiply(beta, y);               \
    const real_t both = has_x ? stn_c_add(left, right) : right;                                    \
    y = beta.re == 0 && beta.im == 0 ? left : both;

MAP(scal, (real(alpha), inout(x)), SCALE)
MAP_COMPLEX(scal_parts, (real(alpha), inout(x)), SCALE_PARTS)
MAP_COMPLEX(scal_complex, (real(alpha), inout(x)), SCALE_COMPLEX)
MAP(swap, (inout(x), inout(y)), EXCHANGE)
MAP_COMPLEX(swap_complex, (inout(x), inout(y)), EXCHANGE)
MAP(axpby, (real(alpha), real(beta), in(x), inout(y)), ADD)
MAP_COMPLEX(axpby_complex, (real(alpha), real(beta), in(x), inout(y)), ADD_COMPLEX)

#define ALPHA(T) const real_t alpha = STN_STRIDED_NUMBER(T, 0);
#define BETA(T)  const real_t beta = STN_STRIDED_NUMBER(T, 1);
#define STRIDED(T, SCAL, AXPBY)                                                                    \
    STN_STRIDED(strided_scal, T, ALPHA(T), X, SCAL)                                                \
    STN_STRIDED(strided_swap, T, , XY, EXCHANGE)                                                   \
    STN_STRIDED(strided_axpby, T, ALPHA(T) BETA(T), X_IN, AXPBY)
STRIDED(f64, SCALE, ADD)
STRIDED(f32, SCALE, ADD)
STRIDED(c128, SCALE_COMPLEX, ADD_COMPLEX)
STRIDED(c64, SCALE_COMPLEX, ADD_COMPLEX)
STN_STRIDED(strided_parts, c128, ALPHA(c128), X, SCALE_PARTS)
STN_STRIDED(strided_parts, c64, ALPHA(c64), X, SCALE_PARTS)
#define STRIDED_LOOPS(name) {name##_f64, name##_f32, name##_c128, name##_c64}
stn_strided_loops stn_strided_scal = STRIDED_LOOPS(strided_scal), stn_strided_swap = STRIDED_LOOPS(strided_swap),
                  stn_strided_axpby = STRIDED_LOOPS(strided_axpby),
                  stn_strided_parts = {NULL, NULL, strided_parts_c128, strided_parts_c64};
/* clang-format on */

static stn_status scale(const stn_blas_call *call, stn_c128 alpha, int has_parts, const stn_view *x)
{
    const stn_blas_operand operand = STN_BLAS_OPERAND(x, 1, STN_BLAS_WRITTEN);
    const int kinds = has_parts ? STN_BLAS_COMPLEX : STN_BLAS_ANY;
    const stn_values_way way =
        stn_blas_has(call, kinds) ? stn_values_find_one(call, x) : STN_VALUES_UNKNOWN;
    if (way == STN_VALUES_UNKNOWN)
        STN_TRY(stn_blas_check(call, kinds, 1, &operand));
    if (way == STN_VALUES_STRIDED) {
        const int is_real = has_parts || !stn_blas_is_complex(call->arithmetic);
        stn_strided_run(call, is_real ? stn_strided_scal : stn_strided_parts, x, NULL, &alpha, 1);
        return STN_OK;
    }
    if (has_parts)
        return scal_complex_run(call->exec, call->arithmetic, alpha, x);
    if (stn_blas_is_complex(call->arithmetic))
        return scal_parts_run(call->exec, call->arithmetic, alpha, x);
    return scal_run(call->exec, call->arithmetic, alpha.re, x);
}

stn_status stn_scal(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *x)
{
    const stn_blas_call call = {"stn_scal", exec, arithmetic};
    STN_RETURN_IN_MODES(scale(&call, stn_blas_real(alpha), 0, x));
}

stn_status stn_scal_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                            const stn_view *x)
{
    const stn_blas_call call = {"stn_scal_complex", exec, arithmetic};
    STN_RETURN_IN_MODES(scale(&call, alpha, 1, x));
}

static stn_status exchange(const stn_blas_call *call, const stn_view *x, const stn_view *y)
{
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(x, 1, STN_BLAS_WRITTEN),
                                         STN_BLAS_OPERAND(y, 1, STN_BLAS_WRITTEN)};
    const stn_values_way way = stn_values_find(call, x, y, 1);
    if (way == STN_VALUES_STRIDED) {
        stn_strided_run(call, stn_strided_swap, x, y, NULL, 0);
        return STN_OK;
    }
    if (way == STN_VALUES_UNKNOWN) {
        STN_TRY(stn_blas_check(call, STN_BLAS_ANY, 2, operands));
        STN_TRY(stn_blas_expect_pair(call, x, y));
    }
    return stn_blas_is_complex(call->arithmetic)
               ? swap_complex_run(call->exec, call->arithmetic, x, y)
               : swap_run(call->exec, call->arithmetic, x, y);
}

stn_status stn_swap(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                    const stn_view *y)
{
    const stn_blas_call call = {"stn_swap", exec, arithmetic};
    STN_RETURN_IN_MODES(exchange(&call, x, y));
}

static stn_status add(const stn_blas_call *call, int kinds, stn_c128 alpha, const stn_view *x,
                      stn_c128 beta, const stn_view *y)
{
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(x, 1, STN_BLAS_READ_TOO),
                                         STN_BLAS_OPERAND(y, 1, STN_BLAS_WRITTEN)};
    const stn_values_way way =
        stn_blas_has(call, kinds) ? stn_values_find(call, x, y, 0) : STN_VALUES_UNKNOWN;
    if (way == STN_VALUES_STRIDED) {
        stn_strided_run(call, stn_strided_axpby, x, y, (const stn_c128[]){alpha, beta}, 2);
        return STN_OK;
    }
    if (way == STN_VALUES_UNKNOWN) {
        STN_TRY(stn_blas_check(call, kinds, 2, operands));
        STN_TRY(stn_blas_expect_pair(call, x, y));
    }
    return stn_blas_is_complex(call->arithmetic)
               ? axpby_complex_run(call->exec, call->arithmetic, alpha, beta, x, y)
               : axpby_run(call->exec, call->arithmetic, alpha.re, beta.re, x, y);
}

stn_status stn_axpby(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *x,
                     double beta, const stn_view *y)
{
    const stn_blas_call call = {"stn_axpby", exec, arithmetic};
    STN_RETURN_IN_MODES(add(&call, STN_BLAS_ANY, stn_blas_real(alpha), x, stn_blas_real(beta), y));
}

stn_status stn_axpby_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                             const stn_view *x, stn_c128 beta, const stn_view *y)
{
    const stn_blas_call call = {"stn_axpby_complex", exec, arithmetic};
    STN_RETURN_IN_MODES(add(&call, STN_BLAS_COMPLEX, alpha, x, beta, y));
}

stn_status stn_axpy_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                            const stn_view *x, const stn_view *y)
{
    const stn_blas_call call = {"stn_axpy_complex", exec, arithmetic};
    STN_RETURN_IN_MODES(add(&call, STN_BLAS_COMPLEX, alpha, x, stn_blas_real(1.0), y));
}
