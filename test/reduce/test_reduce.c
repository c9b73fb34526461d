/* Reductions: corner cases of each operation, the order, results in views, and the same bits for
 * any number of threads. */
#define STN_KERNEL_ONE_VERSION /* all of them are in test_reduce_matrix and test_scan_matrix */
#include <stdio.h>

#include "measure/openmp.h"
#include "check.h"
#include "order_oracle.h"
#include "reduce_check.h"
#include "steno/reduce.h"

/* clang-format off */
STN_REDUCE(total, sum, (in(x)), x)
STN_REDUCE(product_of, product, (in(x)), x)
STN_REDUCE(dot, products, (in(x), in(y)), x, y)
STN_REDUCE(least, min, (in(x)), x)
STN_REDUCE(most, max, (in(x)), x)
STN_REDUCE(least_at, argmin, (in(x)), x)
STN_REDUCE(most_at, argmax, (in(x)), x)
STN_REDUCE(nonzeros, count, (in(x)), x != 0)
STN_REDUCE(some_negative, any, (in(x)), x < 0)
STN_REDUCE(all_positive, all, (in(x)), x > 0)
STN_REDUCE(norm_1, norm1, (in(x)), x)
STN_REDUCE(norm_2, norm2, (in(x)), x)
STN_REDUCE(norm_max, norm_inf, (in(x)), x)
STN_REDUCE(places, sum, (at(i, j, k), real(a), index(n), bits(m), in(x)), a * x * (real_t)(100 * i + 10 * j + k + n + (int64_t)m))
STN_REDUCE(traced, sum, (at(i), gather(u, 2)), STN_AT(u, i, i))
STN_REDUCE_BY(largest_square, (in(x)), x * x, a > b ? a : b, sqrt(a) + STN_R(1), 3)
STN_REDUCE_INTEGER(sum_of_integers, sum, (in(x)), x)
STN_REDUCE_INTEGER(product_of_integers, product, (in(x)), x)
STN_REDUCE_INTEGER(least_integer, min, (in(x)), x)
STN_REDUCE_INTEGER(most_integer, max, (in(x)), x)
STN_REDUCE_INTEGER(least_integer_at, argmin, (in(x)), x)
STN_REDUCE_INTEGER(norm_of_integers, norm1, (in(x)), x)
STN_REDUCE_INTEGER(norm_max_of_integers, norm_inf, (in(x)), x)
STN_REDUCE_INTEGER_BY(common_divisor, (in(x)), x, a < b ? a : b, 2 * a, 7)
/* clang-format on */

enum { MOST = 40000 };

/* ---- values ---- */

/* name_reduce of doubles on every executor, in f64 and f32. */
#define EXPECT(name, expected, ...)                                                                \
    do {                                                                                           \
        const double values[] = {__VA_ARGS__, 0.0};                                                \
        const int64_t given = (int64_t)(sizeof values / sizeof *values) - 1;                       \
        const stn_view x = check_line(STN_F64, values, given);                                     \
        for (int e = 0; e < CHECK_EXECS; e++) {                                                    \
            double result = -77.0;                                                                 \
            double narrow = -77.0;                                                                 \
            expect_ok(name##_reduce(check_execs[e], STN_F64, &result, &x));                        \
            expect_ok(name##_reduce(check_execs[e], STN_F32, &narrow, &x));                        \
            if (check_bits(result) != check_bits(expected) ||                                      \
                check_bits(narrow) != check_bits((double)(float)(expected)))                       \
                fail_msg(#name " of " #__VA_ARGS__ ": %a and %a, not %a", result, narrow,          \
                         (double)(expected));                                                      \
        }                                                                                          \
    } while (0)
#define EXPECT_NUMBER(name, expected, ...)                                                         \
    do {                                                                                           \
        const double values[] = {__VA_ARGS__, 0.0};                                                \
        const int64_t given = (int64_t)(sizeof values / sizeof *values) - 1;                       \
        const stn_view x = check_line(STN_F64, values, given);                                     \
        for (int e = 0; e < CHECK_EXECS; e++)                                                      \
            for (int narrow = 0; narrow < 2; narrow++) {                                           \
                int64_t result = -77;                                                              \
                expect_ok(name##_reduce(check_execs[e], narrow ? STN_F32 : STN_F64, &result, &x)); \
                if (result != (expected))                                                          \
                    fail_msg(#name " of " #__VA_ARGS__ ": %lld", (long long)result);               \
            }                                                                                      \
    } while (0)

static const double infinity = (double)INFINITY, nan_value = (double)NAN;

UNIT_TEST(test_extremes)
{
    EXPECT(least, -0.0, 0.0, -0.0, 1.0);
    EXPECT(least, -0.0, -0.0, 0.0);
    EXPECT(most, 0.0, -0.0, 0.0, -1.0);
    EXPECT(most, 0.0, 0.0, -0.0);
    EXPECT(most, -3.0, -5.0, -3.0, -4.0);
    EXPECT(least, nan_value, 1.0, nan_value, -infinity);
    EXPECT(most, nan_value, nan_value, 1.0);
    EXPECT(most, infinity, 1.0, infinity);
    EXPECT(norm_max, 4.0, 1.0, -4.0, 3.0);
    EXPECT(norm_max, 0.0, -0.0);
    EXPECT(norm_max, nan_value, -infinity, nan_value);
    EXPECT_NUMBER(least_at, 1, 0.0, -0.0, 0.0);
    EXPECT_NUMBER(most_at, 1, -0.0, 0.0, 0.0);
    EXPECT_NUMBER(most_at, 2, 1.0, 2.0, 5.0, 5.0, 3.0);
    EXPECT_NUMBER(least_at, 1, 1.0, -infinity, -infinity);
    EXPECT_NUMBER(least_at, 2, -infinity, 1.0, nan_value, nan_value);
    EXPECT_NUMBER(most_at, 1, infinity, -nan_value, nan_value);
}

UNIT_TEST(test_sums)
{
    EXPECT(total, 6.0, 1.0, 2.0, 3.0);
    EXPECT(total, -0.0, -0.0, -0.0);
    EXPECT(total, 0.0, -0.0, 0.0);
    EXPECT(product_of, -24.0, 1.0, 2.0, 3.0, -4.0);
    EXPECT(norm_1, 10.0, 1.0, -2.0, 3.0, -4.0);
    EXPECT(largest_square, 5.0, 1.0, -4.0, 3.0);
    EXPECT_NUMBER(nonzeros, 2, 0.0, -0.0, nan_value, 1.0);
    EXPECT_NUMBER(some_negative, 0, 0.0, -0.0, 1.0);
    EXPECT_NUMBER(some_negative, 1, 0.0, -1.0, 1.0);
    EXPECT_NUMBER(all_positive, 0, 1.0, 0.0);
    EXPECT_NUMBER(all_positive, 1, 1.0, 2.0);
}

UNIT_TEST(test_norms_out_of_range)
{
    EXPECT(norm_2, 5.0, 3.0, -4.0);
    EXPECT(norm_2, infinity, 1.0, -infinity);
    EXPECT(norm_2, nan_value, infinity, nan_value);
    EXPECT(norm_2, 0.0, 0.0, -0.0);
    static double values[2][2] = {{0x1.8p1000, 0x1p1001}, {0x1.8p-1000, -0x1p-999}};
    static float narrow[2][2] = {{0x1.8p120f, 0x1p121f}, {0x1.8p-140f, -0x1p-139f}};
    static const double expected[] = {0x1.4p1001, 0x1.4p-999};
    static const float narrow_expected[] = {0x1.4p121f, 0x1.4p-139f};
    for (int e = 0; e < CHECK_EXECS; e++)
        for (int which = 0; which < 2; which++) {
            const int64_t extents[] = {2, 2}, one = 2;
            double result, narrow_result, both[2];
            const stn_view x = check_line(STN_F64, values[which], 2);
            const stn_view y = check_line(STN_F32, narrow[which], 2);
            const stn_view rows = check_view("x", STN_F64, values, 2, extents, NULL);
            const stn_view out = check_view("result", STN_F64, both, 1, &one, NULL);
            expect_ok(norm_2_reduce(check_execs[e], STN_F64, &result, &x));
            expect_ok(norm_2_reduce(check_execs[e], STN_F32, &narrow_result, &y));
            assert_true(result == expected[which]);
            assert_true(narrow_result == (double)narrow_expected[which]);
            expect_ok(norm_2_reduce_into(check_execs[e], STN_F64, 2, &out, &rows));
            assert_true(both[0] == expected[0] && both[1] == expected[1]);
        }
}

UNIT_TEST(test_empty)
{
    const double nothing = 0.0;
    const stn_view x = check_line(STN_F64, &nothing, 0), none = check_line(STN_I64, &nothing, 0);
    for (int e = 0; e < CHECK_EXECS; e++) {
        double result;
        int64_t number;
#define EMPTY(name, expected)                                                                      \
    expect_ok(name##_reduce(check_execs[e], STN_F64, &result, &x));                                \
    assert_true(check_bits(result) == check_bits(expected))
        EMPTY(total, 0.0);
        EMPTY(product_of, 1.0);
        EMPTY(least, infinity);
        EMPTY(most, -infinity);
        EMPTY(norm_1, 0.0);
        EMPTY(norm_2, 0.0);
        EMPTY(norm_max, 0.0);
        EMPTY(largest_square, sqrt(3.0) + 1.0);
        expect_ok(dot_reduce(check_execs[e], STN_F64, &result, &x, &x));
        assert_true(check_bits(result) == 0);
#define EMPTY_NUMBER(name, arithmetic, view, expected)                                             \
    expect_ok(name##_reduce(check_execs[e], arithmetic, &number, view));                           \
    assert_true(number == (expected))
        EMPTY_NUMBER(least_at, STN_F64, &x, -1);
        EMPTY_NUMBER(most_at, STN_F32, &x, -1);
        EMPTY_NUMBER(nonzeros, STN_F64, &x, 0);
        EMPTY_NUMBER(some_negative, STN_F64, &x, 0);
        EMPTY_NUMBER(all_positive, STN_F64, &x, 1);
        EMPTY_NUMBER(least_integer, STN_I64, &none, INT64_MAX);
        EMPTY_NUMBER(most_integer, STN_I64, &none, INT64_MIN);
        EMPTY_NUMBER(sum_of_integers, STN_I64, &none, 0);
        EMPTY_NUMBER(product_of_integers, STN_I64, &none, 1);
        EMPTY_NUMBER(least_integer_at, STN_I64, &none, -1);
        EMPTY_NUMBER(common_divisor, STN_I64, &none, 14);
    }
}

UNIT_TEST(test_integers)
{
    static const int64_t large[] = {INT64_MAX, 1, -5, INT64_MIN, 7, INT64_MIN};
    const int64_t exact = (INT64_C(1) << 53) + 1;
    const int64_t steps[] = {INT64_C(1) << 53, 1};
    const stn_view x = check_line(STN_I64, large, 6), two = check_line(STN_I64, large, 2);
    const stn_view lowest = check_line(STN_I64, large + 3, 1), past = check_line(STN_I64, steps, 2);
    for (int e = 0; e < CHECK_EXECS; e++) {
        int64_t number;
        EMPTY_NUMBER(sum_of_integers, STN_I64, &past, exact);
        EMPTY_NUMBER(sum_of_integers, STN_I64, &two, INT64_MIN);
        EMPTY_NUMBER(product_of_integers, STN_I64, &two, INT64_MAX);
        EMPTY_NUMBER(least_integer, STN_I64, &x, INT64_MIN);
        EMPTY_NUMBER(most_integer, STN_I64, &x, INT64_MAX);
        EMPTY_NUMBER(least_integer_at, STN_I64, &x, 3);
        EMPTY_NUMBER(norm_of_integers, STN_I64, &lowest, INT64_MIN);
        EMPTY_NUMBER(norm_max_of_integers, STN_I64, &x, INT64_MIN);
        EMPTY_NUMBER(common_divisor, STN_I64, &two, 2);
    }
}

/* ---- the order ---- */

static double x_values[MOST], y_values[MOST], ones[MOST];

static void fill(void)
{
    uint64_t state = 5;
    for (int64_t k = 0; k < MOST; k++) {
        x_values[k] = (double)(int64_t)(order_next(&state) >> 40) / 77.0 - 100000.0;
        y_values[k] = (double)(int64_t)(order_next(&state) >> 50) / 3.0;
        ones[k] = 1.0;
    }
}

static const int64_t sizes[] = {1, 2, 31, 32, 33, 100, 127, 128, 129, 500, 2048, 2049, 16500, MOST};

UNIT_TEST(test_order)
{
    fill();
    for (int s = 0; s < COUNT_OF(sizes); s++) {
        const stn_view x = check_line(STN_F64, x_values, sizes[s]);
        const stn_view y = check_line(STN_F64, y_values, sizes[s]);
        for (int e = 0; e < CHECK_EXECS; e++) {
            double sum, product;
            expect_ok(total_reduce(check_execs[e], STN_F64, &sum, &x));
            expect_ok(dot_reduce(check_execs[e], STN_F64, &product, &x, &y));
            assert_true(check_bits(sum) ==
                        check_bits(order_dot(STN_F64, x_values, ones, sizes[s])));
            assert_true(check_bits(product) ==
                        check_bits(order_dot(STN_F64, x_values, y_values, sizes[s])));
        }
    }
}

/* Rows, columns, planes, and any set of dimensions: each output is the sum of its elements. */
static void check_set(const int64_t *extents, int rank, unsigned reduced, stn_exec *exec)
{
    static double out[MOST], gathered[MOST];
    int64_t kept[4], outputs = 1, elements = 1;
    int count = 0;
    for (int d = 0; d < rank; d++)
        if (reduced >> d & 1) {
            elements *= extents[d];
        } else {
            kept[count++] = extents[d];
            outputs *= extents[d];
        }
    const stn_view x = check_view("x", STN_F64, x_values, rank, extents, NULL);
    const stn_view result = check_view("result", STN_F64, out, count, kept, NULL);
    expect_ok(total_reduce_into(exec, STN_F64, reduced, &result, &x));
    for (int64_t o = 0; o < outputs; o++) {
        for (int64_t e = 0; e < elements; e++) {
            int64_t at = 0, step = 1, from_o = o, from_e = e;
            for (int d = rank - 1; d >= 0; d--) {
                int64_t *from = reduced >> d & 1 ? &from_e : &from_o;
                at += *from % extents[d] * step;
                *from /= extents[d];
                step *= extents[d];
            }
            gathered[e] = x_values[at];
        }
        if (check_bits(out[o]) != check_bits(order_dot(STN_F64, gathered, ones, elements)))
            fail_msg("output %d of set %x of %d x %d x %d", (int)o, reduced, (int)extents[0],
                     (int)extents[1], rank > 2 ? (int)extents[2] : 1);
    }
}

UNIT_TEST(test_sets)
{
    static const int64_t shapes[][3] = {{3, 1000, 1}, {1000, 3, 1}, {130, 300, 1}, {300, 130, 1},
                                        {5, 140, 50}, {1, 129, 9},  {64, 8, 70},   {40, 40, 25}};
    fill();
    for (int s = 0; s < COUNT_OF(shapes); s++)
        for (int rank = 2; rank <= 3; rank++)
            for (unsigned reduced = 0; reduced < 1u << rank; reduced++)
                for (int e = 1; e < CHECK_EXECS; e++)
                    check_set(shapes[s], rank, reduced, check_execs[e]);
    for (unsigned reduced = 0; reduced < 8; reduced++)
        check_set(shapes[4], 3, reduced, check_execs[0]);
}

UNIT_TEST(test_threads)
{
    const int64_t extents[] = {200, 200}, count = 200;
    double columns[200], expected[200], sum, whole;
    const stn_view x = check_line(STN_F64, x_values, MOST);
    const stn_view square = check_view("x", STN_F64, x_values, 2, extents, NULL);
    const stn_view into = check_view("result", STN_F64, columns, 1, &count, NULL);
    fill();
    expect_ok(total_reduce(check_execs[0], STN_F64, &whole, &x));
    expect_ok(total_reduce_into(check_execs[0], STN_F64, 1, &into, &square));
    memcpy(expected, columns, sizeof columns);
    for (int threads = 1; threads <= 64; threads++) {
        char resource[32];
        stn_exec *exec;
        snprintf(resource, sizeof resource, "%s:threads=%d", threads % 2 ? OPENMP : "threads",
                 threads);
        expect_ok(stn_exec_create(&exec, resource));
        expect_ok(total_reduce(exec, STN_F64, &sum, &x));
        assert_true(check_bits(sum) == check_bits(whole));
        expect_ok(total_reduce_into(exec, STN_F64, 1, &into, &square));
        assert_memory_equal(columns, expected, sizeof columns);
        /* fewer threads than asked for: inside a parallel region */
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0 && total_reduce(exec, STN_F64, &sum, &x) != STN_OK)
            sum = 0.0;
        assert_true(check_bits(sum) == check_bits(whole));
        stn_exec_release(exec);
    }
}

UNIT_TEST(test_parameters)
{
    const int64_t extents[] = {3, 4, 5}, matrix[] = {6, 7}, six[] = {6};
    double values[60], result, expected = 0.0;
    for (int k = 0; k < 60; k++) {
        values[k] = k;
        expected += 0.5 * k * (100 * (k / 20) + 10 * (k / 5 % 4) + k % 5 + 7 + 9);
    }
    const stn_view x = check_view("x", STN_F64, values, 3, extents, NULL);
    const stn_view u = check_view("u", STN_F64, values, 2, matrix, NULL);
    for (int e = 0; e < CHECK_EXECS; e++) {
        expect_ok(places_reduce(check_execs[e], STN_F64, &result, 0.5, 7, 9, &x));
        assert_true(result == expected);
        expect_ok(traced_reduce_over(check_execs[e], STN_F64, 1, six, &result, &u));
        assert_true(result == 0 + 8 + 16 + 24 + 32 + 40);
    }
}

/* ---- results in views ---- */

UNIT_TEST(test_formats_of_results)
{
    const double values[2][2] = {{3.0, 0.1}, {-300.0, 0.0}};
    const int64_t extents[] = {2, 2}, two = 2;
    const stn_view x = check_view("x", STN_F64, values, 2, extents, NULL);
    for (int e = 0; e < CHECK_EXECS; e++) {
        int8_t codes[2] = {0};
        stn_f16 halves[2] = {{0}};
        float floats[2] = {0};
        stn_view result = check_view("result", STN_I8, codes, 1, &two, NULL);
        expect_ok(total_reduce_into(check_execs[e], STN_F64, 2, &result, &x));
        assert_true(codes[0] == 3 && codes[1] == -128);
        result.storage.scale = -4.0;
        expect_ok(total_reduce_into(check_execs[e], STN_F64, 2, &result, &x));
        assert_true(codes[0] == -1 && codes[1] == 75);
        result = check_view("result", STN_F16, halves, 1, &two, NULL);
        expect_ok(total_reduce_into(check_execs[e], STN_F64, 2, &result, &x));
        assert_true(halves[0].bits == stn_f16_from_f64(3.1).bits);
        result = check_view("result", STN_F32, floats, 1, &two, NULL);
        expect_ok(nonzeros_reduce_into(check_execs[e], STN_F64, 2, &result, &x));
        assert_true(floats[0] == 2.0f && floats[1] == 1.0f);
        result = check_view("result", STN_I8, codes, 1, &two, NULL);
        expect_ok(nonzeros_reduce_into(check_execs[e], STN_F64, 1, &result, &x));
        assert_true(codes[0] == 2 && codes[1] == 1);
    }
}

/* Integers beyond 53 bits are exact as integers, and rounded once to floats. */
UNIT_TEST(test_large_integers_in_views)
{
    const int64_t value = (INT64_C(1) << 62) + (INT64_C(1) << 38) + 1;
    const int64_t below = -(INT64_C(1) << 53) - 1;
    const stn_view x = check_line(STN_I64, &value, 1), y = check_line(STN_I64, &below, 1);
    for (int e = 0; e < CHECK_EXECS; e++) {
        int64_t whole = 0;
        float narrow = 0.0f;
        double wide = 0.0;
        const stn_view in_whole = check_view("result", STN_I64, &whole, 0, NULL, NULL);
        const stn_view in_narrow = check_view("result", STN_F32, &narrow, 0, NULL, NULL);
        stn_view in_wide = check_view("result", STN_F64, &wide, 0, NULL, NULL);
        expect_ok(sum_of_integers_reduce_into(check_execs[e], STN_I64, 1, &in_whole, &x));
        assert_true(whole == value);
        expect_ok(sum_of_integers_reduce_into(check_execs[e], STN_I64, 1, &in_narrow, &x));
        assert_true(narrow == 0x1.000002p62f); /* twice rounded it is 2^62 */
        expect_ok(sum_of_integers_reduce_into(check_execs[e], STN_I64, 1, &in_wide, &y));
        assert_true(wide == -0x1p53);
        in_wide.storage.rounding = STN_ROUND_TOWARD_ZERO;
        expect_ok(sum_of_integers_reduce_into(check_execs[e], STN_I64, 1, &in_wide, &y));
        assert_true(wide == -0x1p53);
    }
}

RUN_UNIT_TESTS(check_make_execs, check_release_execs)
