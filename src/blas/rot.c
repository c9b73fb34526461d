/* rot and rotm: maps. */
#include "blas/values.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/kernel.h"

/* clang-format off */
/* Bodies of kernels, and of loops over strided values. */
#define MAP(...)         STN_MAP(__VA_ARGS__)
#define MAP_COMPLEX(...) STN_MAP_COMPLEX(__VA_ARGS__)
#define TURN                                                                                       \
    const real_t old = x;                                                                          \
    x = c * old + s * y;                                                                           \
    y = c * y - s * old;
#define TURN_COMPLEX                                                                               \
    const real_t old = x;                                                                          \
    const real_t turned = stn_c_multiply(stn_c_conj(s), old);                                      \
    x = stn_c_add(stn_c_of(c.re * old.re, c.re * old.im), stn_c_multiply(s, y));                   \
    y = stn_c_add(stn_c_of(c.re * y.re, c.re * y.im), stn_c_of(-turned.re, -turned.im));
#define TURN_MODIFIED                                                                              \
    const real_t old = x;                                                                          \
    x = (flag == 0 ? old : h11 * old) + (flag == 1 ? y : h12 * y);                                 \
    y = (flag == 1 ? -old : h21 * old) + (flag == 0 ? y : h22 * y);

MAP(rot, (real(c), real(s), inout(x), inout(y)), TURN)
MAP_COMPLEX(rot_complex, (real(c), real(s), inout(x), inout(y)), TURN_COMPLEX)
MAP(rotm, (index(flag), real(h11), real(h21), real(h12), real(h22), inout(x), inout(y)), TURN_MODIFIED)

#define NUMBER(T, name, k) const real_t name = STN_STRIDED_NUMBER(T, k);
#define STRIDED(T, BODY) STN_STRIDED(strided_rot, T, NUMBER(T, c, 0) NUMBER(T, s, 1), XY, BODY)
#define STRIDED_MODIFIED(T)                                                                        \
    STN_STRIDED(strided_rotm, T,                                                                   \
        const int flag = (int)job->numbers[0].re; NUMBER(T, h11, 1) NUMBER(T, h21, 2)              \
        NUMBER(T, h12, 3) NUMBER(T, h22, 4), XY, TURN_MODIFIED)
STRIDED(f64, TURN)
STRIDED(f32, TURN)
STRIDED(c128, TURN_COMPLEX)
STRIDED(c64, TURN_COMPLEX)
STRIDED_MODIFIED(f64)
STRIDED_MODIFIED(f32)
stn_strided_loops stn_strided_rot = {strided_rot_f64, strided_rot_f32, strided_rot_c128,
                                     strided_rot_c64};
static stn_strided_loops strided_rotm = {strided_rotm_f64, strided_rotm_f32, NULL, NULL};
/* clang-format on */

/* Checks the operands, unless *way says that they are valid. */
static stn_status check(const stn_blas_call *call, int kinds, const stn_view *x, const stn_view *y,
                        stn_values_way *way)
{
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(x, 1, STN_BLAS_WRITTEN),
                                         STN_BLAS_OPERAND(y, 1, STN_BLAS_WRITTEN)};
    *way = stn_blas_has(call, kinds) ? stn_values_find(call, x, y, 1) : STN_VALUES_UNKNOWN;
    if (*way != STN_VALUES_UNKNOWN)
        return STN_OK;
    STN_TRY(stn_blas_check(call, kinds, 2, operands));
    return stn_blas_expect_pair(call, x, y);
}

static stn_status turn(const stn_blas_call *call, int kinds, const stn_view *x, const stn_view *y,
                       double c, stn_c128 s)
{
    stn_values_way way;
    STN_TRY(check(call, kinds, x, y, &way));
    if (way == STN_VALUES_STRIDED) {
        stn_strided_run(call, stn_strided_rot, x, y, (const stn_c128[]){stn_blas_real(c), s}, 2);
        return STN_OK;
    }
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
    stn_values_way way;
    STN_TRY(check(call, STN_BLAS_REAL, x, y, &way));
    if (!h)
        return stn_fail(STN_ERR_ARGUMENT, "%s: parameter is NULL", call->name);
    if (h[0] != -2.0 && h[0] != -1.0 && h[0] != 0.0 && h[0] != 1.0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: parameter[0] is %g; it must be -2, -1, 0 or 1",
                        call->name, h[0]);
    if (h[0] == -2.0)
        return STN_OK;
    if (way == STN_VALUES_STRIDED) {
        stn_c128 numbers[5];
        for (int k = 0; k < 5; k++)
            numbers[k] = stn_blas_real(h[k]);
        stn_strided_run(call, strided_rotm, x, y, numbers, 5);
        return STN_OK;
    }
    return rotm_run(call->exec, call->arithmetic, (int64_t)h[0], h[1], h[2], h[3], h[4], x, y);
}

stn_status stn_rotm(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                    const stn_view *y, const double *parameter)
{
    const stn_blas_call call = {"stn_rotm", exec, arithmetic};
    STN_RETURN_IN_MODES(turn_modified(&call, x, y, parameter));
}
