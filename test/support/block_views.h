/* Operands in block formats, and the operations that tests apply to them on each executor. */
#ifndef STENO_TEST_BLOCK_VIEWS_H
#define STENO_TEST_BLOCK_VIEWS_H

#include "check.h"

#include <math.h>

#include "make_view.h"
#include "steno/array_functions.h"
#include "steno/blas.h"
#include "steno/block_format.h"
#include "steno/kernel.h"

enum { N = 53, VIEWS = 6 };

/* ---- operands: three matrices, of which b has layout left, and three vectors ---- */

typedef struct operands {
    stn_view a, b, c, x, y, z;
} operands;

static stn_view *view_at(operands *all, int k)
{
    stn_view *const views[VIEWS] = {&all->a, &all->b, &all->c, &all->x, &all->y, &all->z};
    return views[k];
}

static double value_of(int view, int64_t k)
{
    const double values = sin(0.7 * (double)(k + 11 * view) + 1.0);
    return ldexp(values, (int)(k / 29 % 5)) + (view == 0 && k % (N + 1) == 0 ? 40.0 : 0.0);
}

static operands create_operands(const stn_exec *exec, stn_format format)
{
    const stn_layout left = {.kind = STN_LAYOUT_LEFT};
    operands all;
    for (int k = 0; k < VIEWS; k++)
        *view_at(&all, k) =
            create_view(exec, "operand", stn_storage_of(format), k == 1 ? &left : NULL,
                        k < 3 ? 2 : 1, (const int64_t[]){N, N}, 0);
    return all;
}

static void release_operands(operands *all)
{
    for (int k = 0; k < VIEWS; k++)
        expect_ok(stn_view_release(view_at(all, k)));
}

static void fill_operands(operands *blocks, operands *plain)
{
    static double values[N * N];
    for (int k = 0; k < VIEWS; k++) {
        for (int64_t e = 0; e < N * N; e++)
            values[e] = value_of(k, e);
        const stn_view from =
            wrap_view("values", f64(), values, k < 3 ? 2 : 1, (const int64_t[]){N, N});
        expect_ok(stn_view_copy(NULL, view_at(blocks, k), &from));
        expect_ok(stn_view_copy(NULL, view_at(plain, k), view_at(blocks, k)));
    }
}

/* ---- operations ---- */

/* clang-format off */
STN_MAP(combine, (real(alpha), in(x), inout(y)), y = alpha * x + y;)
STN_MAP(square, (in(x), out(y)), y = x * x;)
STN_MAP(keep_some, (in(x), masked(y)), if (x > 0) STN_STORE(y, 3 * x);)
STN_MAP(five, (at(i, j), stencil(u, inside, 1, 1), out(v)),
        v = STN_AT(u, i - 1, j) + STN_AT(u, i, j - 1) + STN_AT(u, i, j + 1) + STN_AT(u, i + 1, j);)
STN_MAP(move_back, (shifted(u, zero, 0, -3), out(v)), v = u;)
STN_MAP(transpose, (at(i, j), gather(u, 2), out(v)), v = STN_AT(u, j, i);)
STN_MAP(spread, (at(i), in(x), scatter(u, 1)), STN_PUT(u, x + 1, (i * 7) % 53);)
/* clang-format on */

typedef stn_status operation(const stn_exec *exec, operands *o);

static const double rotation[] = {-1, 0.75, -0.5, 0.25, 1.25};

#define OPERATION(name, ...)                                                                       \
    static stn_status run_##name(const stn_exec *exec, operands *o)                                \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
OPERATION(copy, stn_view_copy(exec, &o->c, &o->a))
OPERATION(copy_left, stn_view_copy(exec, &o->c, &o->b))
OPERATION(copy_to_left, stn_view_copy(exec, &o->b, &o->a))
OPERATION(fill, stn_view_fill(exec, &o->c, 0.3))
OPERATION(combine, combine_run(exec, STN_F64, 1.5, &o->a, &o->c))
OPERATION(combine_mixed, combine_run(exec, STN_F64, 1.5, &o->b, &o->c))
OPERATION(combine_left, combine_run(exec, STN_F64, 1.5, &o->a, &o->b))
OPERATION(combine_rows, combine_run(exec, STN_F64, 1.5, &o->x, &o->c))
OPERATION(square_f32, square_run(exec, STN_F32, &o->a, &o->c))
OPERATION(keep_some, keep_some_run(exec, STN_F64, &o->a, &o->c))
OPERATION(keep_some_left, keep_some_run(exec, STN_F64, &o->a, &o->b))
OPERATION(five, five_run(exec, STN_F64, &o->a, &o->c))
OPERATION(five_left, five_run(exec, STN_F64, &o->b, &o->c))
OPERATION(move_back, move_back_run(exec, STN_F64, &o->a, &o->c))
OPERATION(transpose, transpose_run(exec, STN_F64, &o->a, &o->c))
OPERATION(spread, spread_run(exec, STN_F64, &o->x, &o->y))
OPERATION(axpy, stn_axpy(exec, STN_F64, 0.25, &o->x, &o->y))
OPERATION(axpby, stn_axpby(exec, STN_F64, 0.25, &o->x, -1.5, &o->y))
OPERATION(scal, stn_scal(exec, STN_F64, 1.25, &o->x))
OPERATION(swap, stn_swap(exec, STN_F64, &o->x, &o->y))
OPERATION(rot, stn_rot(exec, STN_F64, &o->x, &o->y, 0.6, 0.8))
OPERATION(gemv, stn_gemv(exec, STN_F64, 1.5, &o->a, &o->x, 0.5, &o->y))
OPERATION(gemv_left, stn_gemv(exec, STN_F64, 1.5, &o->b, &o->x, 0.0, &o->y))
OPERATION(gemv_f32, stn_gemv(exec, STN_F32, 1.5, &o->a, &o->x, 0.5, &o->y))
OPERATION(symv, stn_symv(exec, STN_F64, STN_LOWER, 1.5, &o->a, &o->x, 0.5, &o->y))
OPERATION(trmv,
          stn_trmv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &o->a, &o->x))
OPERATION(trsv,
          stn_trsv(exec, STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &o->a, &o->x))
OPERATION(trsv_upper,
          stn_trsv(exec, STN_F64, STN_UPPER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &o->a, &o->x))
OPERATION(ger, stn_ger(exec, STN_F64, 0.5, &o->x, &o->y, &o->c))
OPERATION(ger_left, stn_ger(exec, STN_F64, 0.5, &o->x, &o->y, &o->b))
OPERATION(syr, stn_syr(exec, STN_F64, STN_UPPER, 0.5, &o->x, &o->c))
OPERATION(gemm, stn_gemm(exec, STN_F64, 0.5, &o->a, &o->b, 0.25, &o->c))
OPERATION(gemm_left, stn_gemm(exec, STN_F32, 0.5, &o->a, &o->c, 0.0, &o->b))
OPERATION(syrk, stn_syrk(exec, STN_F64, STN_LOWER, 0.5, &o->a, 0.25, &o->c))
OPERATION(trsm, stn_trsm(exec, STN_F64, STN_SIDE_LEFT, STN_LOWER, STN_DIAGONAL_NON_UNIT,
                         STN_NO_CONJUGATE, 0.5, &o->a, &o->c))
OPERATION(cumsum, stn_cumsum(exec, STN_F64, &o->c, &o->a, 1))
OPERATION(cumsum_down, stn_cumsum(exec, STN_F64, &o->c, &o->a, 0))
OPERATION(row_sums, stn_sum_into(exec, STN_F64, &o->y, &o->a, 1u << 1))
OPERATION(column_sums, stn_sum_into(exec, STN_F64, &o->y, &o->a, 1u << 0))
OPERATION(combine_f32, combine_run(exec, STN_F32, 1.5, &o->b, &o->c))
OPERATION(rotm, stn_rotm(exec, STN_F64, &o->x, &o->y, rotation))
OPERATION(syr2, stn_syr2(exec, STN_F64, STN_LOWER, 0.5, &o->x, &o->y, &o->c))
OPERATION(syr2_left, stn_syr2(exec, STN_F64, STN_UPPER, 0.5, &o->x, &o->y, &o->b))
OPERATION(symm, stn_symm(exec, STN_F64, STN_SIDE_LEFT, STN_LOWER, 0.5, &o->a, &o->b, 0.25, &o->c))
OPERATION(syr2k, stn_syr2k(exec, STN_F64, STN_UPPER, 0.5, &o->a, &o->b, 0.25, &o->c))
OPERATION(trmm, stn_trmm(exec, STN_F64, STN_SIDE_RIGHT, STN_LOWER, STN_DIAGONAL_NON_UNIT, 0.5,
                         STN_NO_CONJUGATE, &o->a, &o->c))
OPERATION(cumsum_f32, stn_cumsum(exec, STN_F32, &o->b, &o->a, 1))
OPERATION(row_means, stn_mean_into(exec, STN_F64, &o->y, &o->a, 1u << 1))
OPERATION(row_variances, stn_variance_into(exec, STN_F64, &o->y, &o->b, 1u << 1, 1))
OPERATION(column_minima, stn_min_into(exec, STN_F64, &o->y, &o->a, 1u << 0))
OPERATION(row_maxima, stn_max_into(exec, STN_F32, &o->y, &o->b, 1u << 1))
OPERATION(row_norms, stn_norm_into(exec, STN_F64, &o->y, &o->a, 1u << 1))

#define ROW(name)                                                                                  \
    {                                                                                              \
#        name, run_##name                                                                          \
    }
static const struct {
    const char *name;
    operation *run;
} operations[] = {ROW(copy),
                  ROW(copy_left),
                  ROW(copy_to_left),
                  ROW(fill),
                  ROW(combine),
                  ROW(combine_mixed),
                  ROW(combine_left),
                  ROW(combine_rows),
                  ROW(square_f32),
                  ROW(keep_some),
                  ROW(keep_some_left),
                  ROW(five),
                  ROW(five_left),
                  ROW(move_back),
                  ROW(transpose),
                  ROW(spread),
                  ROW(axpy),
                  ROW(axpby),
                  ROW(scal),
                  ROW(swap),
                  ROW(rot),
                  ROW(gemv),
                  ROW(gemv_left),
                  ROW(gemv_f32),
                  ROW(symv),
                  ROW(trmv),
                  ROW(trsv),
                  ROW(trsv_upper),
                  ROW(ger),
                  ROW(ger_left),
                  ROW(syr),
                  ROW(gemm),
                  ROW(gemm_left),
                  ROW(syrk),
                  ROW(trsm),
                  ROW(cumsum),
                  ROW(cumsum_down),
                  ROW(row_sums),
                  ROW(column_sums),
                  ROW(combine_f32),
                  ROW(rotm),
                  ROW(syr2),
                  ROW(syr2_left),
                  ROW(symm),
                  ROW(syr2k),
                  ROW(trmm),
                  ROW(cumsum_f32),
                  ROW(row_means),
                  ROW(row_variances),
                  ROW(column_minima),
                  ROW(row_maxima),
                  ROW(row_norms)};

typedef stn_status query(const stn_exec *exec, double *result, operands *o);

#define QUERY(name, ...)                                                                           \
    static stn_status ask_##name(const stn_exec *exec, double *result, operands *o)                \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
QUERY(sum, stn_sum(exec, STN_F64, result, &o->a))
QUERY(sum_left, stn_sum(exec, STN_F32, result, &o->b))
QUERY(max, stn_max(exec, STN_F64, result, &o->a))
QUERY(variance, stn_variance(exec, STN_F64, result, &o->a, 1))
QUERY(norm, stn_norm(exec, STN_F64, result, &o->b))
QUERY(dot, stn_dot(exec, STN_F64, result, &o->x, &o->y))
QUERY(dot_f32, stn_dot(exec, STN_F32, result, &o->x, &o->y))
QUERY(nrm2, stn_nrm2(exec, STN_F64, result, &o->x))
QUERY(asum, stn_asum(exec, STN_F64, result, &o->x))
QUERY(mean, stn_mean(exec, STN_F32, result, &o->a))
QUERY(min, stn_min(exec, STN_F64, result, &o->b))

/* Indices as numbers. */
#define INDEX_QUERY(name, ...)                                                                     \
    static stn_status ask_##name(const stn_exec *exec, double *result, operands *o)                \
    {                                                                                              \
        int64_t index = -1;                                                                        \
        const stn_status status = __VA_ARGS__;                                                     \
        *result = (double)index;                                                                   \
        return status;                                                                             \
    }
INDEX_QUERY(argmax, stn_argmax(exec, STN_F64, &index, &o->a))
INDEX_QUERY(argmin, stn_argmin(exec, STN_F64, &index, &o->b))
INDEX_QUERY(iamax, stn_iamax(exec, STN_F64, &index, &o->x))

static query *const queries[] = {ask_sum, ask_sum_left, ask_max,    ask_variance, ask_norm,
                                 ask_dot, ask_dot_f32,  ask_nrm2,   ask_asum,     ask_mean,
                                 ask_min, ask_argmax,   ask_argmin, ask_iamax};

#endif
