/* ger, syr, her, syr2, her2. Unless outer.c supports the operands, maps; for a packed matrix, one
 * map per row. */
#include "blas/call.h"
#include "blas/outer.h"
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
STN_MAP(syr, (at(i, j), index(above), index(upper), real(alpha), in(x), in(row), masked(a)),
    if (alpha != 0 && (upper ? j + above >= i : j + above <= i))
        STN_STORE(a, x * (alpha * row) + a);
)
STN_MAP_COMPLEX(syr_complex, (at(i, j), index(above), index(upper), index(hermitian), real(alpha),
                              in(x), in(row), masked(a)),
    if ((alpha.re == 0 && alpha.im == 0) || (upper ? j + above < i : j + above > i))
        return;
    const real_t other = hermitian ? stn_c_of(alpha.re * row.re, -(alpha.re * row.im)) : stn_c_multiply(alpha, row);
    const real_t sum = stn_c_add(stn_c_multiply(x, other), a);
    STN_STORE(a, hermitian && i == j + above ? stn_c_of(sum.re, 0) : sum);
)
STN_MAP(syr2, (at(i, j), index(above), index(upper), real(alpha), in(x), in(y), in(x_row), in(y_row),
               masked(a)),
    if (alpha != 0 && (upper ? j + above >= i : j + above <= i))
        STN_STORE(a, y * (alpha * x_row) + (x * (alpha * y_row) + a));
)
STN_MAP_COMPLEX(syr2_complex, (at(i, j), index(above), index(upper), index(hermitian), real(alpha),
                               in(x), in(y), in(x_row), in(y_row), masked(a)),
    if ((alpha.re == 0 && alpha.im == 0) || (upper ? j + above < i : j + above > i))
        return;
    const real_t by_x = stn_c_multiply(alpha, hermitian ? stn_c_conj(y_row) : y_row);
    const real_t product = stn_c_multiply(alpha, x_row);
    const real_t by_y = hermitian ? stn_c_conj(product) : product;
    const real_t sum = stn_c_add(stn_c_multiply(y, by_y), stn_c_add(stn_c_multiply(x, by_x), a));
    STN_STORE(a, hermitian && i == j + above ? stn_c_of(sum.re, 0) : sum);
)
/* clang-format on */

/* ---- general ---- */

static stn_status update(const stn_blas_call *call, int kinds, int conjugated, stn_c128 alpha,
                         const stn_view *x, const stn_view *y, const stn_view *a)
{
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(x, 1, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(y, 1, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(a, 2, STN_BLAS_WRITTEN)};
    const stn_outer outer = {
        .a = a, .columns = {x}, .rows = {y}, .alpha = alpha, .is_conjugated = conjugated};
    stn_view column;
    int is_done;
    if (stn_blas_has(call, kinds) && x && y && stn_outer_add_plain(call, &outer))
        return STN_OK;
    STN_TRY(stn_blas_check(call, kinds, 3, operands));
    STN_TRY(stn_blas_expect_outer(call, x, y, a));
    STN_TRY(stn_outer_add(call, &outer, &is_done));
    if (is_done)
        return STN_OK;
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

/* ---- in one triangle ---- */

/* Of one vector (y NULL), or of two. */
typedef struct square {
    const stn_view *x, *y;
    stn_c128 alpha;
    stn_triangle triangle;
    int hermitian;
} square;

/* A box of the matrix, whose first element is `above` the diagonal. */
static stn_status update_box(const stn_blas_call *call, const square *s, const stn_slice *rows,
                             const stn_slice *columns, const stn_view *a)
{
    const int64_t above = columns->begin - rows->begin;
    const int is_complex = stn_blas_is_complex(call->arithmetic);
    stn_view x, y, x_row, y_row;
    STN_TRY(stn_view_slice(&x, s->x, 1, rows));
    STN_TRY(stn_blas_column(&x, &x));
    STN_TRY(stn_view_slice(&x_row, s->x, 1, columns));
    if (!s->y)
        return is_complex ? syr_complex_run(call->exec, call->arithmetic, above, s->triangle,
                                            s->hermitian, s->alpha, &x, &x_row, a)
                          : syr_run(call->exec, call->arithmetic, above, s->triangle, s->alpha.re,
                                    &x, &x_row, a);
    STN_TRY(stn_view_slice(&y, s->y, 1, rows));
    STN_TRY(stn_blas_column(&y, &y));
    STN_TRY(stn_view_slice(&y_row, s->y, 1, columns));
    return is_complex ? syr2_complex_run(call->exec, call->arithmetic, above, s->triangle,
                                         s->hermitian, s->alpha, &x, &y, &x_row, &y_row, a)
                      : syr2_run(call->exec, call->arithmetic, above, s->triangle, s->alpha.re, &x,
                                 &y, &x_row, &y_row, a);
}

/* Rows of a triangle are disjoint from their mirror images, which is not true of a packed matrix as
 * a whole. */
static stn_status update_triangle(const stn_blas_call *call, const square *s, const stn_view *a)
{
    const int64_t n = a->extent[0];
    const stn_slice all = stn_slice_range(0, n);
    if (!stn_blas_is_packed(a))
        return update_box(call, s, &all, &all, a);
    for (int64_t i = 0; i < n; i++) {
        const stn_slice row = stn_slice_range(i, i + 1);
        const stn_slice columns =
            s->triangle == STN_UPPER ? stn_slice_range(i, n) : stn_slice_range(0, i + 1);
        stn_view part;
        STN_TRY(stn_view_slice(&part, a, 2, (const stn_slice[]){row, columns}));
        STN_TRY(update_box(call, s, &row, &columns, &part));
    }
    return STN_OK;
}

/* `vectors`: one or two. */
static stn_status update_square(const stn_blas_call *call, int kinds, int vectors, const square *s,
                                const stn_view *a)
{
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(a, 2, STN_BLAS_TRIANGLE),
                                         STN_BLAS_OPERAND(s->x, 1, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(s->y, 1, STN_BLAS_READ)};
    const stn_outer outer = {.a = a,
                             .columns = {s->x, s->y},
                             .rows = {s->y ? s->y : s->x, s->y ? s->x : NULL},
                             .alpha = s->alpha,
                             .is_triangle = 1,
                             .is_hermitian = s->hermitian,
                             .triangle = s->triangle};
    int is_done;
    if (stn_blas_has(call, kinds) && s->x && (s->y || vectors == 1) &&
        stn_outer_add_plain(call, &outer))
        return STN_OK;
    STN_TRY(stn_blas_check(call, kinds, 1 + vectors, operands));
    STN_TRY(stn_blas_expect_choice(call, "triangle", (int)s->triangle));
    STN_TRY(stn_blas_expect_square(call, a, s->x));
    if (vectors == 2)
        STN_TRY(stn_blas_expect_pair(call, s->x, s->y));
    STN_TRY(stn_outer_add(call, &outer, &is_done));
    if (is_done)
        return STN_OK;
    return update_triangle(call, s, a);
}

stn_status stn_syr(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle, double alpha,
                   const stn_view *x, const stn_view *a)
{
    const stn_blas_call call = {"stn_syr", exec, arithmetic};
    const square s = {x, NULL, stn_blas_real(alpha), triangle, 0};
    STN_RETURN_IN_MODES(update_square(&call, STN_BLAS_ANY, 1, &s, a));
}

stn_status stn_her(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle, double alpha,
                   const stn_view *x, const stn_view *a)
{
    const stn_blas_call call = {"stn_her", exec, arithmetic};
    const square s = {x, NULL, stn_blas_real(alpha), triangle, 1};
    STN_RETURN_IN_MODES(update_square(&call, STN_BLAS_COMPLEX, 1, &s, a));
}

stn_status stn_syr2(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    double alpha, const stn_view *x, const stn_view *y, const stn_view *a)
{
    const stn_blas_call call = {"stn_syr2", exec, arithmetic};
    const square s = {x, y, stn_blas_real(alpha), triangle, 0};
    STN_RETURN_IN_MODES(update_square(&call, STN_BLAS_ANY, 2, &s, a));
}

stn_status stn_her2(const stn_exec *exec, stn_format arithmetic, stn_triangle triangle,
                    stn_c128 alpha, const stn_view *x, const stn_view *y, const stn_view *a)
{
    const stn_blas_call call = {"stn_her2", exec, arithmetic};
    const square s = {x, y, alpha, triangle, 1};
    STN_RETURN_IN_MODES(update_square(&call, STN_BLAS_COMPLEX, 2, &s, a));
}
