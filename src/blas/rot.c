/* rot and rotm: maps. */
#include "blas/call.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(rot, (real(c), real(s), inout(x), inout(y)),
    const real_t old = x;
    x = c * old + s * y;
    y = c * y - s * old;
)
STN_MAP_COMPLEX(rot_complex, (real(c), real(s), inout(x), inout(y)),
    const real_t old = x;
    const real_t turned = stn_c_multiply(stn_c_conj(s), old);
    x = stn_c_add(stn_c_of(c.re * old.re, c.re * old.im), stn_c_multiply(s, y));
    y = stn_c_add(stn_c_of(c.re * y.re, c.re * y.im), stn_c_of(-turned.re, -turned.im));
)
STN_MAP(rotm, (index(flag), real(h11), real(h21), real(h12), real(h22), inout(x), inout(y)),
    const real_t old = x;
    x = (flag == 0 ? old : h11 * old) + (flag == 1 ? y : h12 * y);
    y = (flag == 1 ? -old : h21 * old) + (flag == 0 ? y : h22 * y);
)
/* clang-format on */

static stn_status check(const stn_blas_call *call, int kinds, const stn_view *x, const stn_view *y)
{
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(x, 1, STN_BLAS_WRITTEN),
                                         STN_BLAS_OPERAND(y, 1, STN_BLAS_WRITTEN)};
    STN_TRY(stn_blas_check(call, kinds, 2, operands));
    return stn_blas_expect_pair(call, x, y);
}

static stn_status turn(const stn_blas_call *call, int kinds, const stn_view *x, const stn_view *y,
                       double c, stn_c128 s)
{
    STN_TRY(check(call, kinds, x, y));
    return stn_blas_is_complex(call->arithmetic)
               ? rot_complex_run(call->exec, call->arithmetic, stn_blas_real(c), s, x, y)
               : rot_run(call->exec, call->arithmetic, c, s.re, x, y);
}

stn_status stn_rot(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                   const stn_view *y, double c, double s)
{
    const stn_blas_call call = {"stn_rot", exec, arithmetic};
    STN_RETURN_IN_MODES(turn(&call, STN_BLAS_ANY, x, y, c, stn_blas_real(s)));
}

stn_status stn_rot_complex(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                           const stn_view *y, double c, stn_c128 s)
{
    const stn_blas_call call = {"stn_rot_complex", exec, arithmetic};
    STN_RETURN_IN_MODES(turn(&call, STN_BLAS_COMPLEX, x, y, c, s));
}

static stn_status turn_modified(const stn_blas_call *call, const stn_view *x, const stn_view *y,
                                const double *h)
{
    STN_TRY(check(call, STN_BLAS_REAL, x, y));
    if (!h)
        return stn_fail(STN_ERR_ARGUMENT, "%s: parameter is NULL", call->name);
    if (h[0] != -2.0 && h[0] != -1.0 && h[0] != 0.0 && h[0] != 1.0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: parameter[0] is %g; it must be -2, -1, 0 or 1",
                        call->name, h[0]);
    if (h[0] == -2.0)
        return STN_OK;
    return rotm_run(call->exec, call->arithmetic, (int64_t)h[0], h[1], h[2], h[3], h[4], x, y);
}

stn_status stn_rotm(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                    const stn_view *y, const double *parameter)
{
    const stn_blas_call call = {"stn_rotm", exec, arithmetic};
    STN_RETURN_IN_MODES(turn_modified(&call, x, y, parameter));
}
