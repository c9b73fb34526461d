/* Triangular systems in complex arithmetic against substitution row by row in the order of sums, of
 * complex matrices and of real ones by parts: every format, executor and structure of levels gives
 * its bits; long double confirms the bound; and what is refused. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "order_complex.h"
#include "matrix.h"
#include "steno/sparse_operations.h"
#include "check.h"

enum { MOST_ROWS = 400, LONGEST = 301, MOST = MOST_ROWS * LONGEST };

/* ---- matrices ---- */

typedef enum structure { FEW, CHAIN, LONG, HALVES, ALONE, STRUCTURES } structure;

typedef struct system_of {
    int is_wide, is_complex;
    int64_t rows, start[MOST_ROWS + 1];
    int32_t column[MOST];
    double stored[2 * MOST]; /* room for codes */
    stn_c128 value[MOST];    /* as they are decoded in the arithmetic */
    stn_storage storage;
    stn_matrix *csr;
} system_of;

static double draw(uint64_t *state)
{
    return (double)(order_next(state) >> 40) / (double)(1 << 24) - 0.5;
}

/* One column beside the diagonal, or -1. */
static int64_t column_of(structure kind, int64_t i, int64_t e, int64_t rows, uint64_t *state)
{
    const int64_t any = (int64_t)(order_next(state) % (uint64_t)rows);
    const int64_t most = kind == FEW ? 4 : kind == LONG ? LONGEST - 1 : kind == ALONE ? 0 : 1;
    const int64_t column = kind == CHAIN    ? i + (e % 2 ? 1 : -1)
                           : kind == HALVES ? (i + rows / 2) % rows
                                            : any;
    return e >= (kind == CHAIN ? 2 : most) || column < 0 || column >= rows || column == i ? -1
                                                                                          : column;
}

static void put_value(system_of *s, int64_t k, stn_c128 value)
{
    const stn_format arithmetic =
        s->is_complex ? (s->is_wide ? STN_C128 : STN_C64) : (s->is_wide ? STN_F64 : STN_F32);
    stn_format_info info = STN_FORMAT_INFO_INIT;
    double parts[2] = {0};
    float narrow[2] = {0};
    expect_ok(stn_format_describe(s->storage.format, &info));
    char *const code = (char *)s->stored + k * info.bytes;
    expect_ok(stn_encode(s->is_complex ? STN_C128 : STN_F64, &s->storage, code, 1, 0, &value, 1));
    expect_ok(stn_decode(arithmetic, s->is_wide ? (void *)parts : narrow, &s->storage, code, 1, 1));
    s->value[k] = s->is_wide ? stn_c128_of(parts[0], parts[1])
                             : stn_c128_of((double)narrow[0], (double)narrow[1]);
    if (!s->is_complex)
        s->value[k].im = 0.0;
}

static void make_system(system_of *s, structure kind, stn_storage storage, int is_wide,
                        int64_t rows, uint64_t *state)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    int64_t at = 0;
    expect_ok(stn_format_describe(storage.format, &info));
    s->is_complex = info.kind == STN_CLASS_COMPLEX;
    s->is_wide = is_wide;
    s->storage = storage;
    s->rows = rows;
    for (int64_t i = 0; i < rows; i++) {
        s->start[i] = at;
        const int64_t middle = kind == LONG ? 150 : (int64_t)(order_next(state) % 2);
        for (int64_t e = 0; e < LONGEST; e++) {
            const int64_t column = column_of(kind, i, e, rows, state);
            if (e == middle) {
                s->column[at] = (int32_t)i;
                put_value(s, at++, stn_c128_of(3 + 3 * draw(state), 2 + draw(state)));
            }
            if (column < 0)
                continue;
            s->column[at] = (int32_t)column;
            put_value(s, at++, stn_c128_of(draw(state), draw(state)));
        }
    }
    s->start[rows] = at;
    expect_ok(wrap_csr(&s->csr, "mike", storage, rows, rows, s->start, s->column, s->stored));
}

/* ---- one system ---- */

typedef struct task {
    stn_triangle triangle;
    stn_diagonal diagonal;
    stn_c128 b[MOST_ROWS], x[MOST_ROWS];
} task;

static int is_beside(const task *t, int64_t i, int64_t j)
{
    return t->triangle == STN_LOWER ? j < i : j > i;
}

static stn_c128 divide(int is_wide, stn_c128 a, stn_c128 b)
{
    if (is_wide)
        return stn_c128_divide(a, b);
    const stn_c64 q =
        stn_c64_divide(stn_c64_of((float)a.re, (float)a.im), stn_c64_of((float)b.re, (float)b.im));
    return stn_c128_of((double)q.re, (double)q.im);
}

/* Of a real row: both parts are divided. */
static stn_c128 divide_parts(int is_wide, stn_c128 a, double b)
{
    return is_wide
               ? stn_c128_of(a.re / b, a.im / b)
               : stn_c128_of((double)((float)a.re / (float)b), (double)((float)a.im / (float)b));
}

static stn_c128 sum_of(const system_of *s, const stn_c128 *a, const stn_c128 *x, int64_t count)
{
    static double real[LONGEST], re[LONGEST], im[LONGEST];
    const stn_format arithmetic = s->is_wide ? STN_F64 : STN_F32;
    if (s->is_complex)
        return row_sum(s->is_wide, a, x, count);
    for (int64_t e = 0; e < count; e++) {
        real[e] = a[e].re;
        re[e] = x[e].re;
        im[e] = x[e].im;
    }
    return stn_c128_of(order_dot(arithmetic, real, re, count),
                       order_dot(arithmetic, real, im, count));
}

static void substitute(const system_of *s, task *t)
{
    static stn_c128 a[LONGEST], x[LONGEST];
    for (int64_t n = 0; n < s->rows; n++) {
        const int64_t i = t->triangle == STN_LOWER ? n : s->rows - 1 - n;
        stn_c128 diagonal = {1, 0};
        int64_t count = 0;
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
            if (s->column[k] == i)
                diagonal = s->value[k];
            if (!is_beside(t, i, s->column[k]))
                continue;
            a[count] = s->value[k];
            x[count++] = t->x[s->column[k]];
        }
        const stn_c128 sum = sum_of(s, a, x, count);
        const stn_c128 rest = plus(s->is_wide, t->b[i], stn_c128_of(-sum.re, -sum.im));
        t->x[i] = t->diagonal == STN_DIAGONAL_UNIT ? rest
                  : s->is_complex                  ? divide(s->is_wide, rest, diagonal)
                                                   : divide_parts(s->is_wide, rest, diagonal.re);
    }
}

static long double complex wide(stn_c128 z)
{
    return (long double)z.re + (long double)z.im * I;
}

/* |b - T x| <= 2 (d + 4) u (|T| |x| + |b|), part by part and so with a factor of 2. */
static void check_bound(const system_of *s, const task *t)
{
    const long double u = s->is_wide ? 0x1p-53L : 0x1p-24L, d = 9;
    for (int64_t i = 0; i < s->rows; i++) {
        long double complex rest = wide(t->b[i]);
        long double size = cabsl(rest);
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
            const int is_diagonal = s->column[k] == i;
            if (!is_diagonal && !is_beside(t, i, s->column[k]))
                continue;
            const long double complex a =
                is_diagonal && t->diagonal == STN_DIAGONAL_UNIT ? 1 : wide(s->value[k]);
            rest -= a * wide(t->x[s->column[k]]);
            size += cabsl(a) * cabsl(wide(t->x[s->column[k]]));
        }
        if (!(cabsl(rest) <= 2 * (d + 4) * u * size))
            fail_msg("row %d: %Lg of %Lg", (int)i, cabsl(rest), size);
    }
}

/* How vectors lie: values of the arithmetic, or c128 at a stride; in place, or apart. */
typedef struct lying {
    int is_plain, is_in_place;
} lying;

static void solve(const system_of *s, const task *t, const stn_exec *exec, lying how,
                  stn_c128 *found)
{
    static stn_c128 b[3 * MOST_ROWS], x[3 * MOST_ROWS];
    static stn_c64 narrow[MOST_ROWS], solved[MOST_ROWS];
    const stn_format arithmetic = s->is_wide ? STN_C128 : STN_C64;
    const int is_narrow = how.is_plain && !s->is_wide;
    const int64_t stride = how.is_plain ? 1 : 3;
    stn_triangular *made;
    stn_view bv, xv;
    for (int64_t i = 0; i < s->rows; i++) {
        b[i * stride] = t->b[i];
        narrow[i] = stn_c64_of((float)t->b[i].re, (float)t->b[i].im);
    }
    expect_ok(stn_view_wrap_spec(
        &bv,
        &STN_VIEW_SPEC(.label = "bravo", .storage = stn_storage_of(is_narrow ? STN_C64 : STN_C128),
                       .data = is_narrow ? (void *)narrow : b, .rank = 1, .extents = &s->rows,
                       .strides = &stride)));
    expect_ok(stn_view_wrap_spec(
        &xv,
        &STN_VIEW_SPEC(.label = "xray", .storage = stn_storage_of(is_narrow ? STN_C64 : STN_C128),
                       .data = is_narrow ? (void *)solved : x, .rank = 1, .extents = &s->rows,
                       .strides = &stride)));
    if (how.is_in_place)
        xv.data = bv.data;
    expect_ok(stn_triangular_create(exec, &made, s->csr, t->triangle, t->diagonal));
    expect_ok(stn_triangular_solve(exec, arithmetic, &xv, made, &bv));
    stn_triangular_release(made);
    for (int64_t i = 0; i < s->rows; i++) {
        const stn_c64 *const low = xv.data;
        const stn_c128 *const high = xv.data;
        found[i] = is_narrow ? stn_c128_of((double)low[i].re, (double)low[i].im) : high[i * stride];
    }
}

static void try_system(const system_of *s, task *t, int number)
{
    static stn_c128 found[MOST_ROWS];
    uint64_t state = (uint64_t)number + 100;
    for (int64_t i = 0; i < s->rows; i++) {
        const stn_c128 b = {draw(&state), draw(&state)};
        t->b[i] = s->is_wide ? b : stn_c128_of((double)(float)b.re, (double)(float)b.im);
    }
    substitute(s, t);
    check_bound(s, t);
    for (int setting = 0; setting < order_settings(); setting++) {
        const lying how = {number % 2, number / 2 % 2};
        if (!order_has_turn(setting, number))
            continue;
        solve(s, t, order_use(setting), how, found);
        for (int64_t i = 0; i < s->rows; i++)
            if (found[i].re != t->x[i].re || found[i].im != t->x[i].im)
                fail_msg("case %d on %s: row %d is %a %a, not %a %a", number,
                         order_setting_name(setting), (int)i, found[i].re, found[i].im, t->x[i].re,
                         t->x[i].im);
    }
}

TEST_CASE(test_systems)
{
    static const stn_format formats[] = {STN_C128, STN_C64, STN_C32, STN_F64, STN_F16, STN_I8};
    static system_of s;
    static task t;
    uint64_t state = 1;
    int number = 0;
    for (int f = 0; f < 6; f++)
        for (structure kind = FEW; kind < STRUCTURES; kind++)
            for (int k = 0; k < 4; k++, number++) {
                stn_storage storage = stn_storage_of(formats[f]);
                storage.scale = formats[f] == STN_I8 ? 0x1p-4 : kind == CHAIN ? 0.3 : 1.0;
                t.triangle = k % 2 ? STN_UPPER : STN_LOWER;
                t.diagonal = (number + k / 2) % 3 ? STN_DIAGONAL_NON_UNIT : STN_DIAGONAL_UNIT;
                make_system(&s, kind, storage, k / 2, kind == LONG ? 170 : 1 + number * 7 % 110,
                            &state);
                try_system(&s, &t, number);
            }
}

/* Levels that several threads share. */
TEST_CASE(test_many_rows)
{
    enum { ROWS = 30000 };
    static int64_t start[ROWS + 1];
    static int32_t column[2 * ROWS];
    static stn_c128 values[2 * ROWS], b[ROWS], first[ROWS], x[ROWS];
    const int64_t rows = ROWS;
    uint64_t state = 2;
    stn_matrix *csr;
    stn_view bv, xv;
    int64_t at = 0;
    for (int r = 0; r < ROWS; r++) {
        start[r] = at;
        b[r] = stn_c128_of(draw(&state), draw(&state));
        if (r >= ROWS / 2) {
            column[at] = r - ROWS / 2;
            values[at++] = stn_c128_of(draw(&state), draw(&state));
        }
        column[at] = r;
        values[at++] = stn_c128_of(2, draw(&state));
    }
    start[ROWS] = at;
    expect_ok(wrap_csr(&csr, "mike", stn_storage_of(STN_C128), ROWS, ROWS, start, column, values));
    expect_ok(stn_view_wrap(&bv, "bravo", stn_storage_of(STN_C128), b, 1, &rows));
    for (int setting = 0; setting < order_settings(); setting++) {
        stn_triangular *t;
        expect_ok(
            stn_view_wrap(&xv, "xray", stn_storage_of(STN_C128), setting ? x : first, 1, &rows));
        expect_ok(
            stn_triangular_create(order_use(setting), &t, csr, STN_LOWER, STN_DIAGONAL_NON_UNIT));
        assert_int_equal(triangular_info(t).levels, 2);
        expect_ok(stn_triangular_solve(order_use(setting), STN_C128, &xv, t, &bv));
        stn_triangular_release(t);
        if (setting)
            assert_memory_equal(x, first, sizeof x);
    }
}

TEST_CASE(test_device)
{
    static system_of s;
    static task t;
    static stn_c128 there[MOST_ROWS];
    stn_exec *device;
    uint64_t state = 3;
    if (stn_exec_create(&device, "opencl") != STN_OK) {
        print_message("skipped: %s\n", stn_error());
        skip();
    }
    for (int k = 0; k < 6; k++) {
        const int64_t rows = 150;
        stn_triangular *made;
        stn_view here, x;
        make_system(&s, (structure)(k % 4), stn_storage_of(k < 4 ? STN_C64 : STN_F16), 1, rows,
                    &state);
        t.triangle = k % 2 ? STN_UPPER : STN_LOWER;
        t.diagonal = k == 3 ? STN_DIAGONAL_UNIT : STN_DIAGONAL_NON_UNIT;
        for (int64_t i = 0; i < rows; i++)
            t.b[i] = stn_c128_of(draw(&state), draw(&state));
        substitute(&s, &t);
        expect_ok(stn_view_wrap(&here, "b", stn_storage_of(STN_C128), t.b, 1, &rows));
        expect_ok(stn_view_create(device, &x, "x", stn_storage_of(STN_C128), 1, &rows));
        expect_ok(stn_view_copy(device, &x, &here));
        expect_ok(stn_triangular_create(device, &made, s.csr, t.triangle, t.diagonal));
        expect_ok(stn_triangular_solve(device, STN_C128, &x, made, &x));
        expect_ok(stn_view_wrap(&here, "x", stn_storage_of(STN_C128), there, 1, &rows));
        expect_ok(stn_view_copy(device, &here, &x));
        for (int64_t i = 0; i < rows; i++)
            assert_true(there[i].re == t.x[i].re && there[i].im == t.x[i].im);
        stn_triangular_release(made);
        expect_ok(stn_view_release(&x));
    }
    stn_exec_release(device);
}

/* ---- refusals ---- */

TEST_CASE(test_refused)
{
    static const int64_t start[] = {0, 1, 2};
    static const int32_t column[] = {0, 1};
    static const stn_c128 zero[] = {{1, 0}, {0, 0}}, imaginary[] = {{0, 1}, {0, -2}};
    const int64_t rows = 2;
    stn_c128 b[2] = {{1, 1}, {1, 1}};
    double real[2] = {1, 1};
    stn_view bv, rv;
    stn_triangular *t;
    stn_matrix *a;
    expect_ok(stn_view_wrap(&bv, "bravo", stn_storage_of(STN_C128), b, 1, &rows));
    expect_ok(stn_view_wrap(&rv, "romeo", stn_storage_of(STN_F64), real, 1, &rows));
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_C128), 2, 2, start, column, zero));
    expect_error(stn_triangular_create(order_use(1), &t, a, STN_LOWER, STN_DIAGONAL_NON_UNIT),
                 STN_ERR_ARGUMENT, "mike is 0 in row 1");
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_C128), 2, 2, start, column, imaginary));
    expect_ok(stn_triangular_create(order_use(1), &t, a, STN_LOWER, STN_DIAGONAL_NON_UNIT));
    expect_error(stn_triangular_solve(order_use(1), STN_F64, &rv, t, &rv), STN_ERR_UNSUPPORTED,
                 "complex");
    expect_error(stn_triangular_solve(order_use(1), STN_C128, &bv, t, &rv), STN_ERR_UNSUPPORTED,
                 "romeo");
    expect_error(stn_triangular_solve(order_use(1), STN_C128, &rv, t, &bv), STN_ERR_UNSUPPORTED,
                 "romeo");
    expect_ok(stn_triangular_solve(order_use(1), STN_C128, &bv, t, &bv));
    assert_true(b[0].re == 1 && b[0].im == -1 && b[1].re == -0.5 && b[1].im == 0.5);
    bv.stride[0] = 0;
    expect_error(stn_triangular_solve(order_use(1), STN_C128, &bv, t, &bv), STN_ERR_ALIAS,
                 "repeats");
    stn_triangular_release(t);
}

TEST_CASE(test_without_memory)
{
    static system_of s;
    uint64_t state = 4;
    stn_triangular *t;
    stn_c64 x[100] = {{7, 7}};
    const int64_t rows = 100;
    stn_view xv;
    int64_t nth = 1;
    make_system(&s, HALVES, stn_storage_of(STN_C64), 1, rows, &state);
    expect_ok(stn_triangular_create(order_use(1), &t, s.csr, STN_UPPER, STN_DIAGONAL_NON_UNIT));
    expect_ok(stn_view_wrap(&xv, "xray", stn_storage_of(STN_C64), x, 1, &rows));
    for (; nth < 10; nth++) {
        stn_fail_allocation(nth);
        const stn_status status = stn_triangular_solve(order_use(1), STN_C128, &xv, t, &xv);
        stn_fail_allocation(0);
        if (status == STN_OK)
            break;
        expect_error(status, STN_ERR_MEMORY, "");
        assert_true(x[0].re == 7 && x[0].im == 7);
    }
    assert_in_range(nth, 2, 9);
    stn_triangular_release(t);
}

RUN_TESTS(NULL, release_executors, UNIT(test_systems), UNIT(test_many_rows), UNIT(test_device),
          UNIT(test_refused), UNIT(test_without_memory))
