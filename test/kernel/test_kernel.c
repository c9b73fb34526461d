/* Kernels: what parameters and indices are inside, outputs left alone, fields, explicit extents,
 * what may be the same view, and how many threads there are. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/openmp.h"
#include "fewer_threads.h"
#include "core/cpu.h"
#include "core/memory.h"
#include "kernel_oracle.h"
#include "steno/kernel.h"

#define STN_KERNEL_NAME       clamp
#define STN_KERNEL_PARAMETERS (index(n), inout(x))
#define STN_KERNEL_FILE       "kernel/clamp.k"
#define STN_KERNEL_ARITHMETIC INTEGER
#include "steno/kernel_file.h"

#define STN_KERNEL_NAME       conjugate
#define STN_KERNEL_PARAMETERS (in(x), out(y))
#define STN_KERNEL_FILE       "kernel/conjugate.k"
#define STN_KERNEL_ARITHMETIC COMPLEX
#include "steno/kernel_file.h"
#include "make_view.h"

#if defined(STN_KERNEL_NAME) || defined(STN_KERNEL_ARITHMETIC) || defined(STN_KERNEL_CHOICE)
#    error "names are left over"
#endif

#define PLACE       (real_t)(10 * i + j)
#define WHERE_ABOVE if (x > 4)

/* clang-format off */
STN_MAP(axpy, (real(alpha), in(x), inout(y)),
    y = alpha * x + y;
)
STN_MAP(sum, (in(x), in(y), out(z)),
    z = x + y;
)
STN_MAP(by_row, (in(v), in(x), inout(y), out(z)),
    z = y - v * x;
    y = v + y;
)
STN_MAP(some, (in(x), inout(u), masked(v)),
    if (x > 100)
        return;
    if (x < 0)
        u = 100;
    else
        STN_STORE(v, x);
)
STN_MAP(named_place, (at(i, j), out(y)),
    y = PLACE;
)
STN_MAP(named_branch, (in(x), masked(y)),
    WHERE_ABOVE STN_STORE(y, x);
)
STN_MAP(never, (in(x), masked(y)),
    const real_t unused = x + y;
    (void)unused;
)
STN_MAP(unassigned, (in(x), out(y)),
    if (x > 4)
        y = x;
)
STN_MAP_INTEGER(unassigned_integer, (in(x), out(y)),
    if (x > 4)
        y = x;
)
STN_MAP(gather, (at(i), gather(u, 1), gather(places, 1), out(y)),
    y = STN_AT(u, STN_INDEX_AT(places, i));
)
STN_MAP(scatter, (at(i), in(x), gather(places, 1), scatter(u, 1)),
    STN_PUT(u, x, STN_INDEX_AT(places, i));
)
STN_MAP(csr, (at(i), gather(begins, 1), gather(columns, 1), gather(values, 1), gather(x, 1), out(y)),
    real_t total = 0;
    for (int64_t e = STN_INDEX_AT(begins, i); e < STN_INDEX_AT(begins, i + 1); e++)
        total += STN_AT(values, e) * STN_AT(x, STN_INDEX_AT(columns, e));
    y = total;
)
STN_MAP(corner, (at(i, j, k, l), gather(u, 4), out(y)),
    y = STN_AT(u, i, j, k, l) + STN_R(1000) * (real_t)STN_EXTENT_OF(u, 1);
)
STN_MAP_COMPLEX(swap, (at(i), gather(u, 1), out(y)),
    const real_t z = STN_AT(u, i);
    y.re = z.im;
    y.im = z.re;
)
STN_MAP_INTEGER(whole, (real(a), index(n), bits(m), out(y)),
    y = a + n + (int64_t)m;
)
/* As many as there can be. */
STN_MAP(most, (in(a), in(b), in(c), in(d), in(e), in(f), in(g), in(h), in(p), in(q), in(r), in(s),
               in(t), in(u), in(v), in(w), in(x), in(y), index(m), bits(n), real(o), at(place),
               gather(z, 1), real(o1), real(o2), real(o3), real(o4), real(o5), real(o6), real(o7),
               real(o8), real(o9), real(oa), real(ob), real(oc), real(od), real(oe), real(of),
               real(og), real(oh), real(oi), real(oj), real(ok), real(ol), real(om),
               shifted(neighbor, zero, 1), inout(sum), out(last)),
    sum = sum + a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * p + 10 * q + 11 * r
        + 12 * s + 13 * t + 14 * u + 15 * v + 16 * w + 17 * x + 18 * y + o * (real_t)m + (real_t)n;
    sum = sum + o1 + o2 + o3 + o4 + o5 + o6 + o7 + o8 + o9 + oa + ob + oc + od + oe + of + og + oh
        + oi + oj + ok + ol + om;
    last = STN_AT(z, place) + neighbor;
)
/* clang-format on */

static stn_view wrap(stn_storage storage, void *data, int rank, const int64_t *extent)
{
    const stn_view view = wrap_view("view", storage, data, rank, extent);
    return view;
}

static stn_view line(stn_format format, void *data, int64_t count)
{
    return wrap(stn_storage_of(format), data, 1, &count);
}

/* Codes that round differently when stored again: towards zero, 0.3 c / 0.3 is below c for some. */
UNIT_TEST(test_left_alone)
{
    enum { N = 256 };
    double x[N];
    int8_t u[N], v[N];
    stn_storage storage = stn_storage_of(STN_I8);
    storage.scale = 0.3;
    storage.rounding = STN_ROUND_TOWARD_ZERO;
    for (int k = 0; k < N; k++)
        x[k] = k % 3 == 0 ? 101 : k % 3 == 1 ? -1 : 2;
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *exec = order_use(setting);
        for (int k = 0; k < N; k++)
            u[k] = v[k] = (int8_t)(k - 128);
        const stn_view vx = line(STN_F64, x, N), vu = wrap(storage, u, 1, &vx.extent[0]),
                       vv = wrap(storage, v, 1, &vx.extent[0]);
        expect_ok(some_run(exec, STN_F64, &vx, &vu, &vv));
        for (int k = 0; k < N; k++) {
            assert_int_equal(u[k], k % 3 == 1 ? 127 : k - 128);
            assert_int_equal(v[k], k % 3 == 2 ? 6 : k - 128);
        }
        expect_ok(never_run(exec, STN_F32, &vx, &vv));
        assert_int_equal(v[0], -128);
    }
}

/* An output begins as NaN, an integer as 0, and is stored. */
UNIT_TEST(test_unassigned)
{
    enum { N = 300 };
    double x[N], y[N];
    stn_f16 narrow[N];
    int64_t whole[N];
    for (int k = 0; k < N; k++)
        x[k] = k % 9;
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *exec = order_use(setting);
        const stn_view vx = line(STN_F64, x, N), vy = line(STN_F64, y, N),
                       vn = line(STN_F16, narrow, N), vw = line(STN_I64, whole, N);
        memset(y, 1, sizeof y);
        memset(narrow, 1, sizeof narrow);
        expect_ok(unassigned_run(exec, STN_F64, &vx, &vy));
        expect_ok(unassigned_run(exec, STN_F32, &vx, &vn));
        for (int k = 0; k < N; k++)
            whole[k] = k % 9;
        expect_ok(unassigned_integer_run(exec, STN_I64, &vw, &vw));
        for (int k = 0; k < N; k++) {
            const int is = k % 9 > 4;
            assert_true(is ? y[k] == x[k] : isnan(y[k]));
            assert_true(is ? stn_f16_to_f64(narrow[k]) == x[k] : narrow[k].bits == 0x7e00);
            assert_true(whole[k] == (is ? k % 9 : 0));
        }
    }
}

/* A NaN is a value like others, also one of the same bits again and again. */
UNIT_TEST(test_nan_is_stored)
{
    double x[] = {NAN, 5, NAN, 3};
    float y[4];
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_view vx = line(STN_F64, x, 4), vy = line(STN_F32, y, 4), vz = line(STN_F64, x, 4);
        for (int k = 0; k < 4; k++)
            y[k] = 7;
        expect_ok(sum_run(order_use(setting), STN_F64, &vx, &vz, &vy));
        assert_true(isnan(y[0]) && isnan(y[2]) && y[1] == 10 && y[3] == 6);
    }
}

/* What stands behind a name cannot be seen in the text. */
UNIT_TEST(test_macros_without_arguments)
{
    const int64_t extent[] = {3, 4};
    for (int setting = 0; setting < order_settings(); setting++) {
        float y[12] = {0}, kept[3] = {-1, -1, -1};
        double x[] = {5, 3, 6};
        const stn_view vy = wrap(stn_storage_of(STN_F32), y, 2, extent);
        const stn_view vx = line(STN_F64, x, 3), vkept = line(STN_F32, kept, 3);
        expect_ok(named_place_run(order_use(setting), STN_F64, &vy));
        for (int k = 0; k < 12; k++)
            assert_true(y[k] == (float)(k / 4 * 10 + k % 4));
        expect_ok(named_branch_run(order_use(setting), STN_F64, &vx, &vkept));
        assert_true(kept[0] == 5 && kept[1] == -1 && kept[2] == 6);
    }
}

UNIT_TEST(test_gather_and_scatter)
{
    enum { N = 300 };
    stn_f16 u[N];
    int16_t at[N];
    double y[N];
    uint8_t to[N];
    for (int k = 0; k < N; k++) {
        u[k] = stn_f16_from_f64(k);
        at[k] = (int16_t)(k * 7 % N);
    }
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *exec = order_use(setting);
        const stn_view vu = line(STN_F16, u, N), vat = line(STN_I16, at, N),
                       vy = line(STN_F64, y, N), vto = line(STN_U8, to, N);
        memset(to, 0, sizeof to);
        expect_ok(gather_run(exec, STN_F32, &vu, &vat, &vy));
        for (int k = 0; k < N; k++)
            assert_true(y[k] == k * 7 % N);
        expect_ok(scatter_run(exec, STN_F64, &vu, &vat, &vto));
        for (int k = 0; k < N; k++)
            assert_int_equal(to[k * 7 % N], k > 255 ? 255 : k);
    }
}

/* By the element's place in the memory of the field. */
UNIT_TEST(test_stochastic_rounding_of_fields)
{
    enum { N = 300 };
    const int64_t count = N;
    int16_t at[N];
    double x[N];
    int8_t to[N], expected[N];
    stn_storage storage = stn_storage_of(STN_I8);
    storage.rounding = STN_ROUND_STOCHASTIC;
    storage.seed = 7;
    for (int k = 0; k < N; k++) {
        at[k] = (int16_t)(k * 7 % N);
        x[k] = k / 3.0;
        expect_ok(stn_encode(STN_F64, &storage, &expected[at[k]], 1, at[k], &x[k], 1));
    }
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_view vx = line(STN_F64, x, N), vat = line(STN_I16, at, N),
                       vto = wrap(storage, to, 1, &count);
        memset(to, 0, sizeof to);
        expect_ok(scatter_run(order_use(setting), STN_F64, &vx, &vat, &vto));
        assert_memory_equal(to, expected, sizeof to);
    }
}

UNIT_TEST(test_files)
{
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *exec = order_use(setting);
        uint16_t x[] = {1, 500, 65535};
        const stn_c64 z[] = {{1, 2}, {-3, -4}};
        stn_c128 y[2];
        stn_c64 kept[2];
        memcpy(kept, z, sizeof z);
        const stn_view vx = line(STN_U16, x, 3), vz = line(STN_C64, kept, 2),
                       vy = line(STN_C128, y, 2);
        expect_ok(clamp_run(exec, STN_I64, 400, &vx));
        assert_true(x[0] == 1 && x[1] == 400 && x[2] == 400);
        expect_ok(conjugate_run(exec, STN_C64, &vz, &vy));
        assert_true(y[0].re == 1 && y[0].im == -2 && y[1].re == -3 && y[1].im == 4);
    }
}

static kernel_array indices(stn_format format, int64_t count, int64_t stride, uint64_t *state)
{
    return kernel_make(stn_storage_of(format), 1, &count, &stride, state);
}

static void set_index(kernel_array *array, int64_t at, int64_t value)
{
    kernel_put(STN_I64, array, 1, &at, (kernel_value){.i64 = value}, 0);
}

static void check_csr(stn_format arithmetic, stn_format format, int setting, uint64_t *state)
{
    enum { ROWS = 200, COLUMNS = 50 };
    static const stn_format counting[] = {STN_I32, STN_U16, STN_I64, STN_U32, STN_I16};
    const int64_t rows = ROWS, columns = COLUMNS, back = -2, one = 1;
    int64_t count = 0;
    kernel_array begins =
        indices(counting[order_next(state) % 5], ROWS + 1, order_next(state) % 2 ? 1 : -1, state);
    for (int64_t r = 0; r <= ROWS; r++) {
        set_index(&begins, r, count);
        count += r < ROWS ? (int64_t)(order_next(state) % 9) : 0;
    }
    kernel_array places = indices(counting[order_next(state) % 5], count, 3, state);
    for (int64_t e = 0; e < count; e++)
        set_index(&places, e, (int64_t)(order_next(state) % COLUMNS));
    kernel_array values =
        kernel_make(order_storage(arithmetic, format, state), 1, &count, &one, state);
    kernel_array x = kernel_make(stn_storage_of(order_next(state) % 2 ? arithmetic : format), 1,
                                 &columns, &back, state);
    kernel_array y = kernel_make(order_target(arithmetic, format, state), 1, &rows, &one, state);
    const stn_view views[] = {kernel_view(&begins, "begins"), kernel_view(&places, "columns"),
                              kernel_view(&values, "values"), kernel_view(&x, "x"),
                              kernel_view(&y, "y")};
    expect_ok(csr_run(order_use(setting), arithmetic, &views[0], &views[1], &views[2], &views[3],
                      &views[4]));
    uint8_t *const found = kernel_copy(&y);
    kernel_expect_csr(arithmetic, &begins, &places, &values, &x, &y);
    uint8_t *const expected = kernel_copy(&y);
    memcpy(y.memory, found, (size_t)y.bytes);
    kernel_check(&y, expected, oracle_formats[format].name);
    free(found);
    free(expected);
    kernel_drop(&begins);
    kernel_drop(&places);
    kernel_drop(&values);
    kernel_drop(&x);
    kernel_drop(&y);
}

UNIT_TEST(test_csr)
{
    uint64_t state = 5;
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++)
        for (int setting = 0; setting < order_settings() && order_is_real(format); setting++)
            check_csr(setting % 2 ? STN_F32 : STN_F64, format, setting, &state);
}

UNIT_TEST(test_fields_of_rank_4)
{
    const int64_t extent[] = {2, 3, 2, 4}, strides[] = {1, 2, 6, 12};
    int16_t u[48];
    float y[48];
    for (int k = 0; k < 48; k++)
        u[k] = (int16_t)k;
    for (int setting = 0; setting < order_settings(); setting++) {
        stn_view vu, vy = wrap(stn_storage_of(STN_F32), y, 4, extent);
        vu = wrap_strided("u", stn_storage_of(STN_I16), u, 4, extent, strides);
        expect_ok(corner_run(order_use(setting), STN_F32, &vu, &vy));
        for (int k = 0; k < 48; k++) {
            const int i = k / 24, j = k / 8 % 3, m = k / 4 % 2, n = k % 4;
            assert_true(y[k] == (float)(3000 + i + 2 * j + 6 * m + 12 * n));
        }
    }
}

UNIT_TEST(test_complex_fields)
{
    stn_c64 u[] = {{1, 2}, {3, 4}, {5, 6}};
    stn_c128 y[3];
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_view vu = line(STN_C64, u, 3), vy = line(STN_C128, y, 3);
        for (int which = 0; which < 2; which++) {
            expect_ok(swap_run(order_use(setting), which ? STN_C64 : STN_C128, &vu, &vy));
            for (int k = 0; k < 3; k++)
                assert_true(y[k].re == (double)u[k].im && y[k].im == (double)u[k].re);
        }
    }
}

/* 2^53 + 1 and its like come through whole. */
UNIT_TEST(test_integers_never_pass_a_float)
{
    const int64_t odd = (INT64_C(1) << 53) + 1;
    int64_t y[3];
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_view vy = line(STN_I64, y, 3);
        expect_ok(whole_run(order_use(setting), STN_I64, odd, odd, (uint64_t)odd << 1, &vy));
        for (int k = 0; k < 3; k++)
            assert_true(y[k] == 4 * odd);
    }
}

/* Without a view that says so, and over rows of a vector. */
UNIT_TEST(test_explicit_extents)
{
    double row[] = {1, 2, 3}, y[6] = {0};
    const int64_t extent[] = {2, 3};
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *exec = order_use(setting);
        const stn_view vrow = line(STN_F64, row, 3),
                       vy = wrap(stn_storage_of(STN_F64), y, 2, extent);
        memset(y, 0, sizeof y);
        expect_ok(axpy_run_over(exec, STN_F64, 2, extent, 2.0, &vrow, &vy));
        for (int k = 0; k < 6; k++)
            assert_true(y[k] == 2.0 * row[k % 3]);
    }
}

UNIT_TEST(test_the_same_view_twice)
{
    enum { N = 500 };
    static const stn_format formats[] = {STN_F64, STN_F32, STN_I16};
    char memory[N * 8];
    for (int setting = 0; setting < order_settings(); setting++)
        for (int f = 0; f < 6; f++) {
            const stn_view v = line(formats[f % 3], memory, N);
            const stn_format arithmetic = f < 3 ? STN_F64 : STN_F32;
            double values[N];
            for (int k = 0; k < N; k++)
                values[k] = k;
            expect_ok(stn_encode(STN_F64, &v.storage, memory, 1, 0, values, N));
            expect_ok(axpy_run(order_use(setting), arithmetic, 2.0, &v, &v));
            expect_ok(sum_run(order_use(setting), arithmetic, &v, &v, &v));
            expect_ok(stn_decode(STN_F64, values, &v.storage, memory, 1, N));
            for (int k = 0; k < N; k++)
                assert_true(values[k] == 6 * k);
        }
}

#define ELEVEN(x)     x, x, x, x, x, x, x, x, x, x, x
#define TWENTY_TWO(x) ELEVEN(x), ELEVEN(x)
/* Each view begins one element further; the numbers are small integers, so that sums are exact. */
UNIT_TEST(test_most_parameters)
{
    enum { N = 700, VIEWS = 18 };
    static stn_f16 y[N];
    static double x[N + VIEWS], last[N];
    assert_int_equal(most_kernel.count, STN_MAX_PARAMETERS);
    for (int k = 0; k < N + VIEWS; k++)
        x[k] = k % 5;
    for (int setting = 0; setting < order_settings(); setting++) {
        stn_view v[VIEWS];
        for (int k = 0; k < VIEWS; k++)
            v[k] = line(STN_F64, x + k, N);
        for (int k = 0; k < N; k++)
            y[k] = stn_f16_from_f64(k % 3);
        const stn_view vy = line(STN_F16, y, N), vlast = line(STN_F64, last, N);
        expect_ok(most_run(order_use(setting), STN_F64, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5],
                           &v[6], &v[7], &v[8], &v[9], &v[10], &v[11], &v[12], &v[13], &v[14],
                           &v[15], &v[16], &v[17], 3, 7, 0.5, &v[1], TWENTY_TWO(0.25), &v[0], &vy,
                           &vlast));
        for (int k = 0; k < N; k++) {
            double sum = k % 3 + 1.5 + 7 + 5.5;
            for (int view = 0; view < VIEWS; view++)
                sum += (view + 1) * x[k + view];
            assert_true(stn_f16_to_f64(y[k]) == sum &&
                        last[k] == x[k + 1] + (k + 1 < N ? x[k + 1] : 0));
        }
    }
}

/* The number of the draw is the element's in C order, whatever the layout. */
UNIT_TEST(test_stochastic_rounding_by_element)
{
    enum { M = 7, N = 300 };
    const int64_t extent[] = {M, N}, strides[] = {1, M};
    static int8_t right[M * N], left[M * N];
    double x[N];
    stn_storage storage = stn_storage_of(STN_I8);
    storage.rounding = STN_ROUND_STOCHASTIC;
    storage.seed = 42;
    for (int k = 0; k < N; k++)
        x[k] = k / 7.0;
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_view vx = line(STN_F64, x, N), vright = wrap(storage, right, 2, extent);
        const stn_view vleft = wrap_strided("left", storage, left, 2, extent, strides);
        expect_ok(sum_run(order_use(setting), STN_F64, &vx, &vx, &vright));
        expect_ok(sum_run(order_use(setting), STN_F64, &vx, &vx, &vleft));
        for (int k = 0; k < M * N; k++) {
            int8_t expected;
            const double value = x[k % N] + x[k % N];
            expect_ok(stn_encode(STN_F64, &storage, &expected, 1, k, &value, 1));
            assert_int_equal(right[k], expected);
            assert_int_equal(left[k / N + k % N * M], expected);
        }
    }
}

UNIT_TEST(test_nothing_is_allocated)
{
    double x[300] = {1}, y[300] = {2};
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *exec = order_use(setting);
        const stn_view vx = line(STN_F64, x, 300), vy = line(STN_F64, y, 300);
        stn_fail_allocation(1);
        const stn_status status = axpy_run(exec, STN_F64, 1.0, &vx, &vy);
        stn_fail_allocation(0);
        assert_int_equal(status, STN_OK);
    }
}

/* ---- threads ---- */

static int is_wrong(const stn_exec *exec)
{
    enum { N = 5000 };
    static const int64_t extent[] = {1, N};
    float x[N], y[N];
    int wrong = 0;
    for (int k = 0; k < N; k++)
        x[k] = y[k] = (float)k;
    stn_view vx, vy;
    if (stn_view_wrap(&vx, "x", stn_storage_of(STN_F32), x, 2, extent) != STN_OK ||
        stn_view_wrap(&vy, "y", stn_storage_of(STN_F32), y, 2, extent) != STN_OK ||
        axpy_run(exec, STN_F64, 2.0, &vx, &vy) != STN_OK)
        return 1;
    for (int k = 0; k < N; k++)
        wrong |= y[k] != 3.0f * (float)k;
    return wrong;
}

UNIT_TEST(test_any_number_of_threads)
{
    const int levels = omp_get_max_active_levels(), threads = omp_get_max_threads();
    for (int setting = 0; setting < order_settings(); setting++) {
        const stn_exec *exec = order_use(setting);
        for (int nested = 1; nested < 3; nested++) {
            int wrong = 0;
            omp_set_max_active_levels(nested);
            omp_set_num_threads(nested);
#pragma omp parallel num_threads(3) reduction(+ : wrong)
            wrong += is_wrong(exec);
            assert_int_equal(wrong, 0);
            assert_int_equal(is_wrong(exec), 0);
        }
    }
    omp_set_max_active_levels(levels);
    omp_set_num_threads(threads);
}

/* Rows with different gaps next to contiguous rows and to one row for all. */
static void check_rows(const stn_exec *exec, stn_format arithmetic, int64_t columns)
{
    enum { ROWS = 40, VIEWS = 4 };
    static const int64_t gaps[VIEWS] = {0, 3, 8, 0};
    const stn_slice part[] = {stn_slice_all(), stn_slice_range(0, columns)};
    stn_view whole[VIEWS], v[VIEWS];
    for (int n = 0; n < VIEWS; n++) {
        const int64_t extents[] = {n ? ROWS : 1, columns + gaps[n]};
        expect_ok(stn_view_create(exec, &whole[n], "v", stn_storage_of(arithmetic), 2, extents));
        for (int64_t k = 0; k < stn_view_count(&whole[n]); k++) {
            const int64_t index[] = {k / extents[1], k % extents[1]};
            expect_ok(stn_view_set(&whole[n], 2, index, (double)((k * 7 + n) % 101)));
        }
        expect_ok(stn_view_slice(&v[n], &whole[n], 2, part));
    }
    expect_ok(by_row_run(exec, arithmetic, &v[0], &v[1], &v[2], &v[3]));
    for (int n = 1; n < VIEWS; n++)
        for (int64_t k = 0; k < stn_view_count(&whole[n]); k++) {
            const int64_t row = k / (columns + gaps[n]), j = k % (columns + gaps[n]);
            const int64_t x = (row * (columns + gaps[1]) + j) * 7 + 1;
            const int64_t y = (row * (columns + gaps[2]) + j) * 7 + 2;
            const double by = (double)(j * 7 % 101), old = (double)(y % 101);
            double is, wanted = (double)((k * 7 + n) % 101);
            if (j < columns)
                wanted = n == 1 ? wanted : n == 2 ? by + old : old - by * (double)(x % 101);
            expect_ok(stn_view_get(&whole[n], 2, (int64_t[]){row, j}, &is));
            assert_true(is == wanted);
        }
    for (int n = 0; n < VIEWS; n++)
        stn_view_release(&whole[n]);
}

UNIT_TEST(test_short_rows)
{
    static const int64_t columns[] = {1, 4, 5, 8, 12, 24, 33, 48, 64, 65, 128, 129};
    for (int setting = 0; setting < order_settings(); setting++)
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            check_rows(order_use(setting), STN_F64, columns[k]);
            check_rows(order_use(setting), STN_F32, columns[k]);
        }
}

static int check_as_child(void)
{
    stn_exec *exec = NULL;
    if (stn_exec_create(&exec, "threads:threads=5") != STN_OK)
        return 2;
    const int wrong = is_wrong(exec);
    stn_exec_release(exec);
    return wrong;
}

UNIT_TEST(test_fewer_threads_than_asked)
{
    fewer_threads_try();
}

int main(int count, char **arguments)
{
    if (fewer_threads_here(count, arguments))
        return check_as_child();
    return run_unit_tests("kernel", NULL, order_teardown);
}
