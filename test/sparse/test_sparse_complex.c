/* Products of sparse matrices in complex arithmetic: of complex values the order of doc/order.md by
 * parts, of real ones two real products. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "order_complex.h"
#include "matrix.h"
#include "steno/blas.h"
#include "steno/sparse.h"
#include "check.h"

enum { MOST = 20000, COLUMNS = 60, WIDTH = 3 };

/* ---- a matrix, and vectors ---- */

typedef struct problem {
    int is_wide, is_complex;
    int64_t rows, start[101];
    int64_t column[MOST];
    stn_c128 value[MOST];
    double stored[2 * MOST], row_scale[100]; /* stored: room for codes */
    stn_c128 x[COLUMNS * WIDTH], y[100 * WIDTH];
    stn_storage storage;
} problem;

static double any(uint64_t *state)
{
    return (double)(int64_t)(order_next(state) % 2001 - 1000) / 700;
}

static stn_c128 narrow(int is_wide, stn_c128 z)
{
    return is_wide ? z : stn_c128_of((double)(float)z.re, (double)(float)z.im);
}

static problem *make_problem(int k, uint64_t *state)
{
    static const stn_format complexes[] = {STN_C128, STN_C64, STN_C32};
    static const stn_format reals[] = {STN_F64, STN_F16, STN_I8};
    problem *const p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->is_wide = k % 2;
    p->is_complex = k / 2 % 3 > 0;
    p->storage = stn_storage_of(p->is_complex ? complexes[k / 6 % 3] : reals[k / 6 % 3]);
    p->storage.scale = k / 18 % 2 ? 0.25 : 1.0;
    p->rows = 1 + (int64_t)(order_next(state) % 60);
    for (int64_t row = 0; row < p->rows; row++) {
        const uint64_t random = order_next(state);
        const int64_t length = row == 7 && k % 5 == 0 ? 10001
                               : random % 4 == 0      ? 0
                                                 : (int64_t)(random / 4 % (random % 3 ? 9 : 290));
        p->start[row + 1] = p->start[row] + (p->start[row] + length < MOST ? length : 0);
        p->row_scale[row] = any(state);
    }
    for (int64_t e = 0; e < p->start[p->rows]; e++) {
        p->column[e] = (int64_t)(order_next(state) % COLUMNS);
        p->value[e] = stn_c128_of(any(state), p->is_complex ? any(state) : 0.0);
    }
    for (int64_t e = 0; e < COLUMNS * WIDTH; e++)
        p->x[e] = narrow(p->is_wide, stn_c128_of(any(state), any(state)));
    for (int64_t e = 0; e < p->rows * WIDTH; e++)
        p->y[e] = narrow(p->is_wide, stn_c128_of(any(state), any(state)));
    return p;
}

/* Values as they are decoded. */
static void store(problem *p)
{
    const int64_t count = p->start[p->rows];
    const stn_format arithmetic = p->is_wide ? STN_C128 : STN_C64;
    stn_format real = p->is_wide ? STN_F64 : STN_F32;
    double parts[2];
    float narrow_parts[2];
    stn_format_info info = STN_FORMAT_INFO_INIT;
    expect_ok(stn_format_describe(p->storage.format, &info));
    for (int64_t e = 0; e < count; e++) {
        char *const code = (char *)p->stored + e * info.bytes;
        expect_ok(stn_encode(p->is_complex ? STN_C128 : STN_F64, &p->storage, code, 1, 0,
                             &p->value[e], 1));
        expect_ok(stn_decode(p->is_complex ? arithmetic : real,
                             p->is_wide ? (void *)parts : narrow_parts, &p->storage, code, 1, 1));
        p->value[e].re = p->is_wide ? parts[0] : (double)narrow_parts[0];
        p->value[e].im = !p->is_complex ? 0 : p->is_wide ? parts[1] : (double)narrow_parts[1];
    }
}

static stn_c128 expected(const problem *p, int64_t row, int64_t j, stn_c128 alpha, stn_c128 beta,
                         int is_scaled)
{
    static stn_c128 a[MOST], x[MOST];
    static double re[MOST], im[MOST], real[MOST];
    const stn_format arithmetic = p->is_wide ? STN_F64 : STN_F32;
    const int64_t begin = p->start[row], count = p->start[row + 1] - begin;
    const double scale = is_scaled ? order_round(arithmetic, p->row_scale[row]) : 1.0;
    for (int64_t e = 0; e < count; e++) {
        x[e] = p->x[p->column[begin + e] * WIDTH + j];
        a[e] = stn_c128_of(order_multiply(arithmetic, scale, p->value[begin + e].re),
                           order_multiply(arithmetic, scale, p->value[begin + e].im));
        real[e] = a[e].re;
        re[e] = x[e].re;
        im[e] = x[e].im;
    }
    stn_c128 sum = p->is_complex ? row_sum(p->is_wide, a, x, count)
                                 : stn_c128_of(order_dot(arithmetic, real, re, count),
                                               order_dot(arithmetic, real, im, count));
    const int is_left_out = alpha.re == 0 && alpha.im == 0;
    if (is_left_out)
        sum = stn_c128_of(0, 0);
    else if (alpha.re != 1 || alpha.im != 0)
        sum = times(p->is_wide, narrow(p->is_wide, alpha), sum);
    if (beta.re == 0 && beta.im == 0)
        return sum;
    const stn_c128 y = p->y[row * WIDTH + j];
    const stn_c128 old =
        beta.re == 1 && beta.im == 0 ? y : times(p->is_wide, narrow(p->is_wide, beta), y);
    return is_left_out ? old : plus(p->is_wide, sum, old);
}

static void wrap(problem *p, stn_matrix **made, int is_scaled)
{
    const int64_t starts = p->rows + 1, count = p->start[p->rows];
    static stn_view start, column, values, scales;
    expect_ok(stn_view_wrap_const(&start, "start", stn_storage_of(STN_I64), p->start, 1, &starts));
    expect_ok(
        stn_view_wrap_const(&column, "column", stn_storage_of(STN_I64), p->column, 1, &count));
    expect_ok(stn_view_wrap_const(&values, "values", p->storage, p->stored, 1, &count));
    expect_ok(
        stn_view_wrap_const(&scales, "scales", stn_storage_of(STN_F64), p->row_scale, 1, &p->rows));
    expect_ok(wrap_csr_views(made, "mike", COLUMNS, &start, &column, &values));
    if (is_scaled)
        expect_ok(stn_matrix_set_row_scales(*made, &scales));
}

/* Vectors of the arithmetic type, or of c128 in c64 arithmetic; one of them, or columns of three.
 */
static void check(problem *p, const stn_matrix *a, int is_scaled, int k)
{
    static const stn_c128 alphas[] = {{1, 0}, {0.5, -0.7}, {0, 0}, {0, 1}};
    static const stn_c128 betas[] = {{0, 0}, {1, 0}, {-0.3, 0.2}, {0, 0}};
    const stn_c128 alpha = alphas[k % 4], beta = betas[k / 2 % 4];
    const int rank = 1 + k % 3 % 2;
    const int64_t extents[2] = {COLUMNS, WIDTH}, results[2] = {p->rows, WIDTH};
    static const int64_t strides[2] = {WIDTH, 1};
    static stn_c128 y[100 * WIDTH];
    const stn_storage c128 = stn_storage_of(STN_C128);
    stn_view xv, yv;
    expect_ok(stn_view_wrap_spec(&xv, &STN_VIEW_SPEC(.label = "xray", .storage = c128, .data = p->x,
                                                     .rank = rank, .extents = extents,
                                                     .strides = strides)));
    expect_ok(stn_view_wrap_spec(&yv, &STN_VIEW_SPEC(.label = "yankee", .storage = c128, .data = y,
                                                     .rank = rank, .extents = results,
                                                     .strides = strides)));
    const stn_c128 first = p->x[0];
    if (alpha.re == 0 && alpha.im == 0) /* x is not read */
        p->x[0].re = NAN;
    for (int setting = 0; setting < order_settings(); setting++) {
        memcpy(y, p->y, sizeof y);
        expect_ok(stn_spmv_complex(order_use(setting), p->is_wide ? STN_C128 : STN_C64, alpha, a,
                                   &xv, beta, &yv));
        for (int64_t row = 0; row < p->rows; row++)
            for (int64_t j = 0; j < WIDTH; j++) {
                const stn_c128 is = y[row * WIDTH + j];
                const stn_c128 wanted = rank == 2 || j == 0
                                            ? expected(p, row, j, alpha, beta, is_scaled)
                                            : p->y[row * WIDTH + j];
                if (is.re != wanted.re || is.im != wanted.im)
                    fail_msg("kind %d, case %d on %s: row %d, column %d: %a %a, not %a %a",
                             (int)a->kind, k, order_setting_name(setting), (int)row, (int)j, is.re,
                             is.im, wanted.re, wanted.im);
            }
    }
    p->x[0] = first;
}

TEST_CASE(test_products)
{
    uint64_t state = 1;
    for (int k = 0; k < oracle_count(36, 72, 720); k++) {
        problem *const p = make_problem(k, &state);
        const int is_scaled = k / 3 % 3 == 0;
        stn_matrix *a;
        store(p);
        wrap(p, &a, is_scaled);
        check(p, a, is_scaled, k);
        for (stn_matrix_kind kind = STN_MATRIX_AUTO; kind <= STN_MATRIX_SELL; kind++) {
            stn_matrix *made;
            if (kind == STN_MATRIX_SLICED && is_scaled)
                continue;
            expect_ok(stn_sparse_convert(NULL, &made, a, kind, NULL));
            check(p, made, is_scaled, k);
            stn_matrix_release(made);
        }
        free(p);
    }
}

/* Diagonals side by side are slices, up to 32 of them. */
TEST_CASE(test_chosen_kind)
{
    enum { HEIGHT = 64, WIDEST = 40 };
    static int64_t start[HEIGHT + 1];
    static int32_t column[HEIGHT * WIDEST];
    static stn_c128 value[HEIGHT * WIDEST];
    for (int diagonals = 1; diagonals <= WIDEST; diagonals++) {
        stn_matrix *a, *made;
        int64_t entries = 0;
        for (int row = 0; row < HEIGHT; row++, start[row] = entries)
            for (int k = 0; k < diagonals; k++)
                column[entries++] = row + k;
        expect_ok(wrap_csr(&a, "diagonals", stn_storage_of(STN_C128), HEIGHT, HEIGHT + WIDEST,
                           start, column, value));
        expect_ok(stn_sparse_convert(NULL, &made, a, STN_MATRIX_AUTO, NULL));
        assert_int_equal(made->kind, diagonals <= 32 ? STN_MATRIX_SLICED : STN_MATRIX_CSR);
        stn_matrix_release(made);
        stn_matrix_release(a);
    }
}

/* stn_spmv takes complex arithmetic as stn_gemv does; x by parts that do not lie together. */
TEST_CASE(test_factors_and_strides)
{
    uint64_t state = 2;
    problem *const p = make_problem(5, &state);
    static stn_c128 wide[2 * COLUMNS * WIDTH], y[100 * WIDTH], again[100 * WIDTH];
    const int64_t extents[2] = {COLUMNS, WIDTH}, strides[2] = {1, 2 * COLUMNS};
    const int64_t results[2] = {p->rows, WIDTH};
    stn_view xv, turned, yv, zv;
    stn_matrix *a;
    store(p);
    wrap(p, &a, 0);
    for (int64_t i = 0; i < COLUMNS; i++)
        for (int64_t j = 0; j < WIDTH; j++)
            wide[i + 2 * COLUMNS * j] = p->x[i * WIDTH + j];
    const stn_storage c128 = stn_storage_of(STN_C128);
    expect_ok(stn_view_wrap(&xv, "xray", c128, p->x, 2, extents));
    expect_ok(stn_view_wrap_spec(&turned, &STN_VIEW_SPEC(.label = "xray", .storage = c128,
                                                         .data = wide, .rank = 2,
                                                         .extents = extents, .strides = strides)));
    expect_ok(stn_view_wrap(&yv, "yankee", c128, y, 2, results));
    expect_ok(stn_view_wrap(&zv, "zulu", c128, again, 2, results));
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *const exec = order_use(setting);
        expect_ok(
            stn_spmv_complex(exec, STN_C128, stn_c128_of(0.7, 0), a, &xv, stn_c128_of(0, 0), &yv));
        expect_ok(stn_spmv(exec, STN_C128, 0.7, a, &turned, 0.0, &zv));
        assert_memory_equal(y, again, (size_t)(p->rows * WIDTH) * sizeof *y);
    }
    free(p);
}

TEST_CASE(test_refused)
{
    uint64_t state = 3;
    problem *const p = make_problem(5, &state);
    const stn_exec *const exec = order_use(0);
    const stn_c128 one = stn_c128_of(1, 0), none = stn_c128_of(0, 0);
    const int64_t columns = COLUMNS;
    static double real[100];
    const stn_storage c128 = stn_storage_of(STN_C128), f64 = stn_storage_of(STN_F64);
    stn_view x, y, real_x, real_y;
    stn_matrix *a, *made;
    store(p);
    wrap(p, &a, 0);
    expect_ok(stn_view_wrap(&x, "xray", c128, p->x, 1, &columns));
    expect_ok(stn_view_wrap(&y, "yankee", c128, p->y, 1, &p->rows));
    expect_ok(stn_view_wrap(&real_x, "xray", f64, real, 1, &columns));
    expect_ok(stn_view_wrap(&real_y, "yankee", f64, real + 1, 1, &p->rows));
    expect_error(stn_spmv(exec, STN_F64, 1, a, &real_x, 0, &real_y), STN_ERR_ALIAS, "overlaps");
    real_x.traits = STN_TRAIT_RESTRICT;
    expect_error(stn_spmv(exec, STN_F64, 1, a, &real_x, 0, &real_y), STN_ERR_UNSUPPORTED, "mike");
    expect_error(stn_spmv_complex(exec, STN_F64, one, a, &x, none, &y), STN_ERR_UNSUPPORTED,
                 "c128");
    expect_error(stn_spmv_complex(exec, STN_C128, one, a, &real_x, none, &y), STN_ERR_UNSUPPORTED,
                 "xray");
    expect_error(stn_spmv_complex(exec, STN_C128, one, a, &x, none, NULL), STN_ERR_ARGUMENT,
                 "NULL");
    expect_error(stn_spmv_complex(exec, STN_C128, one, NULL, &x, none, &y), STN_ERR_ARGUMENT,
                 "NULL");
    expect_error(stn_spmv_complex(NULL, STN_C128, one, a, &x, none, &y), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_spmv_complex(exec, STN_C128, one, a, &y, none, &x), STN_ERR_SHAPE, "mike");
    expect_error(stn_sparse_convert(NULL, &made, a, STN_MATRIX_CSR, &f64), STN_ERR_FORMAT,
                 "complex");
    free(p);
}

RUN_TESTS(NULL, release_executors, UNIT(test_products), UNIT(test_chosen_kind),
          UNIT(test_factors_and_strides), UNIT(test_refused))
