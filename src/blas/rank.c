/* ger, syr, her, syr2, her2: maps. */
#include "blas/call.h"
#include "core/modes.h"
#include "core/status.h"
#include "steno/kernel.h"

/* clang-format off */
STN_MAP(ger, (real(alpha), in(x), in(y), inout(a)),
    a = alpha == 0 ? a : x * (alpha * y) + a;
)
STN_MAP_COMPLEX(ger_complex, (index(conjugated), real(alpha), in(x), in(y), inout(a)),
    if (alpha.re != 0 || alpha.im != 0)
        a = stn_c_add(stn_c_multiply(x, stn_c_multiply(alpha, conjugated ? stn_c_conj(y) : y)), a);
)
STN_MAP(syr, (at(i, j), index(upper), real(alpha), in(x), in(row), masked(a)),
    if (alpha != 0 && (upper ? j >= i : j <= i))
        STN_STORE(a, x * (alpha * row) + a);
)
STN_MAP_COMPLEX(syr_complex, (at(i, j), index(upper), index(hermitian), real(alpha), in(x), in(row),
                              masked(a)),
    if ((alpha.re == 0 && alpha.im == 0) || (upper ? j < i : j > i))
        return;
    const real_t other = hermitian ? stn_c_of(alpha.re * row.re, -(alpha.re * row.im)) : stn_c_multiply(alpha, row);
    const real_t sum = stn_c_add(stn_c_multiply(x, other), a);
    STN_STORE(a, hermitian && i == j ? stn_c_of(sum.re, 0) : sum);
)
STN_MAP(syr2, (at(i, j), index(upper), real(alpha), in(x), in(y), in(x_row), in(y_row), masked(a)),
    if (alpha != 0 && (upper ? j >= i : j <= i))
        STN_STORE(a, y * (alpha * x_row) + (x * (alpha * y_row) + a));
)
STN_MAP_COMPLEX(syr2_complex, (at(i, j), index(upper), index(hermitian), real(alpha), in(x), in(y),
                               in(x_row), in(y_row), masked(a)),
    if ((alpha.re == 0 && alpha.im == 0) || (upper ? j < i : j > i))
        return;
    const real_t by_x = stn_c_multiply(alpha, hermitian ? stn_c_conj(y_row) : y_row);
    const real_t product = stn_c_multiply(alpha, x_row);
    const real_t by_y = hermitian ? stn_c_conj(product) : product;
    const real_t sum = stn_c_add(stn_c_multiply(y, by_y), stn_c_add(stn_c_multiply(x, by_x), a));
    STN_STORE(a, hermitian && i == j ? stn_c_of(sum.re, 0) : sum);
)
/* clang-format on */

/* ---- general ---- */

static stn_status update(const stn_blas_call *call, int kinds, int conjugated, stn_c128 alpha,
                         const stn_view *x, const stn_view *y, const stn_view *a)
{
    const stn_blas_operand operands[] = {
        {x, 1, STN_BLAS_READ}, {y, 1, STN_BLAS_READ}, {a, 2, STN_BLAS_WRITTEN}};
    stn_view column;
    STN_TRY(stn_blas_check(call, kinds, 3, operands));
    STN_TRY(stn_blas_expect_product(call, a, y, x));
    STN_TRY(stn_blas_column(&column, x));
    return stn_blas_is_complex(call->arithmetic)
               ? ger_complex_run(call->exec, call->arithmetic, conjugated, alpha, &column, y, a)
               : ger_run(call->exec, call->arithmetic, alpha.re, &column, y, a);
}

stn_status stn_ger(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *x,
                   const stn_view *y, const stn_view *a)
{
    const stn_blas_call call = {"stn_ger", exec, arithmetic};
    STN_RETURN_IN_MODES(update(&call, STN_BLAS_ANY, 0, stn_blas_real(alpha), x, y, a));
}

stn_status stn_geru(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha, const stn_view *x,
                    const stn_view *y, const stn_view *a)
{
    const stn_blas_call call = {"stn_geru", exec, arithmetic};
    STN_RETURN_IN_MODES(update(&call, STN_BLAS_COMPLEX, 0, alpha, x, y, a));
}

stn_status stn_gerc(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha, const stn_view *x,
                    const stn_view *y, const stn_view *a)
{
    const stn_blas_call call = {"stn_gerc", exec, arithmetic};
    STN_RETURN_IN_MODES(update(&call, STN_BLAS_COMPLEX, 1, alpha, x, y, a));
}

/* ---- of one vector, in one triangle ---- */

static stn_status square(const stn_blas_call *call, int kinds, int hermitian, stn_triangle triangle,
                         double alpha, const stn_view *x, const stn_view *a)
{
    const stn_blas_operand operands[] = {{x, 1, STN_BLAS_READ}, {a, 2, STN_BLAS_WRITTEN}};
    stn_view column;
    STN_TRY(stn_blas_check(call, kinds, 2, operands));
    STN_TRY(stn_blas_expect_choice(call, "triangle", (int)triangle));
    STN_TRY(stn_blas_expect_square(call, a, x));
    STN_TRY(stn_blas_column(&column, x));
    return stn_blas_is_complex(call->arithmetic)
               ? syr_complex_run(call->exec, call->arithmetic, triangle, hermitian,
                                 stn_blas_real(alpha), &column, x, a)
               : syr_run(call->exec, call->arithmetic, triangle, alpha, &column, x, a);
}

stn_status stn_syr(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle, double alpha,
                   const stn_view *x, const stn_view *a)
{
    const stn_blas_call call = {"stn_syr", exec, arithmetic};
    STN_RETURN_IN_MODES(square(&call, STN_BLAS_ANY, 0, triangle, alpha, x, a));
}

stn_status stn_her(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle, double alpha,
                   const stn_view *x, const stn_view *a)
{
    const stn_blas_call call = {"stn_her", exec, arithmetic};
    STN_RETURN_IN_MODES(square(&call, STN_BLAS_COMPLEX, 1, triangle, alpha, x, a));
}

/* ---- of two vectors, in one triangle ---- */

static stn_status square_both(const stn_blas_call *call, int kinds, int hermitian,
                              stn_triangle triangle, stn_c128 alpha, const stn_view *x,
                              const stn_view *y, const stn_view *a)
{
    const stn_blas_operand operands[] = {
        {x, 1, STN_BLAS_READ}, {y, 1, STN_BLAS_READ}, {a, 2, STN_BLAS_WRITTEN}};
    stn_view x_column, y_column;
    STN_TRY(stn_blas_check(call, kinds, 3, operands));
    STN_TRY(stn_blas_expect_choice(call, "triangle", (int)triangle));
    STN_TRY(stn_blas_expect_square(call, a, x));
    STN_TRY(stn_blas_expect_pair(call, x, y));
    STN_TRY(stn_blas_column(&x_column, x));
    STN_TRY(stn_blas_column(&y_column, y));
    return stn_blas_is_complex(call->arithmetic)
               ? syr2_complex_run(call->exec, call->arithmetic, triangle, hermitian, alpha,
                                  &x_column, &y_column, x, y, a)
               : syr2_run(call->exec, call->arithmetic, triangle, alpha.re, &x_column, &y_column, x,
                          y, a);
}

stn_status stn_syr2(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    double alpha, const stn_view *x, const stn_view *y, const stn_view *a)
{
    const stn_blas_call call = {"stn_syr2", exec, arithmetic};
    STN_RETURN_IN_MODES(
        square_both(&call, STN_BLAS_ANY, 0, triangle, stn_blas_real(alpha), x, y, a));
}

stn_status stn_her2(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    stn_c128 alpha, const stn_view *x, const stn_view *y, const stn_view *a)
{
    const stn_blas_call call = {"stn_her2", exec, arithmetic};
    STN_RETURN_IN_MODES(square_both(&call, STN_BLAS_COMPLEX, 1, triangle, alpha, x, y, a));
}
