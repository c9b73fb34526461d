/* scal, swap, axpby: maps. */
#include "blas/call.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(scal, (real(alpha), inout(x)), x = alpha * x;)
STN_MAP_COMPLEX(scal_parts, (real(alpha), inout(x)), x = stn_c_of(alpha.re * x.re, alpha.re * x.im);)
STN_MAP_COMPLEX(scal_complex, (real(alpha), inout(x)), x = stn_c_multiply(alpha, x);)
STN_MAP(swap, (inout(x), inout(y)),
    const real_t old = x;
    x = y;
    y = old;
)
STN_MAP_COMPLEX(swap_complex, (inout(x), inout(y)),
    const real_t old = x;
    x = y;
    y = old;
)
STN_MAP(axpby, (real(alpha), real(beta), in(x), inout(y)),
    const real_t left = alpha == 0 ? 0 : alpha * x;
    const real_t both = alpha == 0 ? beta * y : left + beta * y;
    y = beta == 0 ? left : both;
)
STN_MAP_COMPLEX(axpby_complex, (real(alpha), real(beta), in(x), inout(y)),
    const int has_x = alpha.re != 0 || alpha.im != 0;
    const real_t left = has_x ? stn_c_multiply(alpha, x) : stn_c_of(0, 0);
    const real_t right = beta.re == 1 && beta.im == 0 ? y : stn_c_multiply(beta, y);
    const real_t both = has_x ? stn_c_add(left, right) : right;
    y = beta.re == 0 && beta.im == 0 ? left : both;
)
/* clang-format on */

static stn_status scale(const stn_blas_call *call, stn_c128 alpha, int has_parts, const stn_view *x)
{
    const stn_blas_operand operand = STN_BLAS_OPERAND(x, 1, STN_BLAS_WRITTEN);
    STN_TRY(stn_blas_check(call, has_parts ? STN_BLAS_COMPLEX : STN_BLAS_ANY, 1, &operand));
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
    STN_TRY(stn_blas_check(call, STN_BLAS_ANY, 2, operands));
    STN_TRY(stn_blas_expect_pair(call, x, y));
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
    STN_TRY(stn_blas_check(call, kinds, 2, operands));
    STN_TRY(stn_blas_expect_pair(call, x, y));
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
