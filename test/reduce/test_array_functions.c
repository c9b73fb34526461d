/* Functions of array_functions.h on small arrays with known results: special values, empty arrays,
 * dimensions, formats of results, and arguments that are refused. */
#include <fenv.h>
#include <math.h>

#include "reduce_check.h"
#include "steno/array_functions.h"

static const stn_exec *const *const execs = (const stn_exec *const *)check_execs;

/* ---- values ---- */

UNIT_TEST(test_matrix)
{
    static const double numbers[2][3] = {{3, -1, 5}, {2, 8, -4}};
    const int64_t extents[] = {2, 3}, two = 2, three = 3;
    const stn_view x = check_view("x", STN_F64, numbers, 2, extents, NULL);
    for (int e = 0; e < CHECK_EXECS; e++) {
        double sum, least, most, norm, rows[2], columns[3];
        int64_t where, which[3];
        const stn_view by_row = check_line(STN_F64, rows, two);
        const stn_view by_column = check_line(STN_F64, columns, three);
        const stn_view indices = check_line(STN_I64, which, three);
        expect_ok(stn_sum(execs[e], STN_F64, &sum, &x));
        expect_ok(stn_min(execs[e], STN_F64, &least, &x));
        expect_ok(stn_max(execs[e], STN_F32, &most, &x));
        expect_ok(stn_norm(execs[e], STN_F64, &norm, &x));
        assert_true(sum == 13 && least == -4 && most == 8 && norm == sqrt(119));
        expect_ok(stn_argmin(execs[e], STN_F64, &where, &x));
        assert_int_equal(where, 5);
        expect_ok(stn_argmax(execs[e], STN_F64, &where, &x));
        assert_int_equal(where, 4);
        expect_ok(stn_sum_into(execs[e], STN_F64, &by_row, &x, 1u << 1));
        assert_true(rows[0] == 7 && rows[1] == 6);
        expect_ok(stn_max_into(execs[e], STN_F64, &by_column, &x, 1u << 0));
        assert_true(columns[0] == 3 && columns[1] == 8 && columns[2] == 5);
        expect_ok(stn_argmin_into(execs[e], STN_F64, &indices, &x, 1u << 0));
        assert_true(which[0] == 1 && which[1] == 0 && which[2] == 1);
    }
}

UNIT_TEST(test_special_values)
{
    const double with_nan[] = {1, NAN, -2, NAN}, zeros[] = {0.0, -0.0, 0.0}, equal[] = {2, 1, 1, 2};
    const double infinite[] = {INFINITY, 1, -INFINITY}, huge[] = {3e300, 4e300};
    const stn_view n = check_line(STN_F64, with_nan, 4), z = check_line(STN_F64, zeros, 3);
    const stn_view s = check_line(STN_F64, equal, 4), i = check_line(STN_F64, infinite, 3);
    const stn_view h = check_line(STN_F64, huge, 2);
    for (int e = 0; e < CHECK_EXECS; e++) {
        double value;
        int64_t where;
        expect_ok(stn_sum(execs[e], STN_F64, &value, &n));
        assert_true(isnan(value));
        expect_ok(stn_min(execs[e], STN_F64, &value, &n));
        assert_true(isnan(value));
        expect_ok(stn_max(execs[e], STN_F64, &value, &n));
        assert_true(isnan(value));
        expect_ok(stn_argmin(execs[e], STN_F64, &where, &n));
        assert_int_equal(where, 1);
        expect_ok(stn_argmax(execs[e], STN_F64, &where, &n));
        assert_int_equal(where, 1);
        expect_ok(stn_argmin(execs[e], STN_F64, &where, &s));
        assert_int_equal(where, 1);
        expect_ok(stn_argmax(execs[e], STN_F64, &where, &s));
        assert_int_equal(where, 0);
        expect_ok(stn_min(execs[e], STN_F64, &value, &z));
        assert_true(value == 0 && signbit(value));
        expect_ok(stn_argmin(execs[e], STN_F64, &where, &z));
        assert_int_equal(where, 1);
        expect_ok(stn_sum(execs[e], STN_F64, &value, &i));
        assert_true(isnan(value));
        expect_ok(stn_max(execs[e], STN_F64, &value, &i));
        assert_true(isinf(value) && value > 0);
        expect_ok(stn_norm(execs[e], STN_F64, &value, &h));
        assert_true(value == 5e300);
    }
}

UNIT_TEST(test_means_in_modes_of_the_caller)
{
    static const double numbers[] = {1, 1, 0};
    static const stn_c128 complex_numbers[] = {{1, 2}, {1, 2}, {0, 0}};
    const int64_t three = 3;
    const stn_view x = check_view("x", STN_F64, numbers, 1, &three, NULL);
    const stn_view z = check_view("z", STN_C128, complex_numbers, 1, &three, NULL);
    for (int e = 0; e < CHECK_EXECS; e++) {
        double mean = 0;
        stn_c128 complex_mean = {0, 0};
        assert_int_equal(fesetround(FE_UPWARD), 0);
        const stn_status status = stn_mean(execs[e], STN_F64, &mean, &x);
        const stn_status complex_status = stn_mean_complex(execs[e], STN_C128, &complex_mean, &z);
        assert_int_equal(fegetround(), FE_UPWARD);
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        expect_ok(status);
        expect_ok(complex_status);
        assert_true(mean == 0x1.5555555555555p-1);
        assert_true(complex_mean.re == mean && complex_mean.im == 2 * mean);
    }
}

UNIT_TEST(test_integers)
{
    const int64_t most[] = {INT64_MAX, 2, INT64_MIN, INT64_MIN};
    const int8_t narrow[] = {100, 100, 100, -128};
    const stn_view x = check_line(STN_I64, most, 4), y = check_line(STN_I8, narrow, 4);
    const stn_view first_two = check_line(STN_I64, most, 2);
    for (int e = 0; e < CHECK_EXECS; e++) {
        int64_t value, running[4];
        const stn_view sums = check_line(STN_I64, running, 4);
        expect_ok(stn_sum_integer(execs[e], STN_I64, &value, &first_two));
        assert_true(value == INT64_MIN + 1); /* modulo 2^64 */
        expect_ok(stn_sum_integer(execs[e], STN_I64, &value, &y));
        assert_int_equal(value, 172);
        expect_ok(stn_min_integer(execs[e], STN_I64, &value, &x));
        assert_true(value == INT64_MIN);
        expect_ok(stn_max_integer(execs[e], STN_I64, &value, &x));
        assert_true(value == INT64_MAX);
        expect_ok(stn_argmin(execs[e], STN_I64, &value, &x));
        assert_int_equal(value, 2);
        expect_ok(stn_argmax(execs[e], STN_I64, &value, &x));
        assert_int_equal(value, 0);
        expect_ok(stn_cumsum(execs[e], STN_I64, &sums, &y, 0));
        assert_true(running[0] == 100 && running[2] == 300 && running[3] == 172);
    }
}

UNIT_TEST(test_complex)
{
    const stn_c128 numbers[] = {{3, 4}, {-1, 2}};
    const stn_view x = check_line(STN_C128, numbers, 2);
    for (int e = 0; e < CHECK_EXECS; e++) {
        stn_c128 sum, stored;
        double norm;
        const stn_view result = check_view("result", STN_C128, &stored, 0, NULL, NULL);
        expect_ok(stn_sum_complex(execs[e], STN_C128, &sum, &x));
        expect_ok(stn_sum_into(execs[e], STN_C128, &result, &x, 1));
        assert_true(sum.re == 2 && sum.im == 6 && stored.re == 2 && stored.im == 6);
        expect_ok(stn_norm(execs[e], STN_C128, &norm, &x));
        assert_true(norm == sqrt(30));
    }
}

UNIT_TEST(test_result_in_narrow_format)
{
    static const double numbers[2][3] = {{100, 50, 25}, {1, 2, 4}};
    const int64_t extents[] = {2, 3}, gaps[] = {2}, two = 2;
    const stn_view x = check_view("x", STN_F64, numbers, 2, extents, NULL);
    float sums[4] = {-1, -1, -1, -1};
    int8_t where[2];
    const stn_view spread = check_view("sums", STN_F32, sums, 1, &two, gaps);
    const stn_view indices = check_line(STN_I8, where, 2);
    expect_ok(stn_sum_into(execs[1], STN_F64, &spread, &x, 1u << 1));
    assert_true(sums[0] == 175 && sums[1] == -1 && sums[2] == 7 && sums[3] == -1);
    expect_ok(stn_argmax_into(execs[1], STN_F64, &indices, &x, 1u << 1));
    assert_true(where[0] == 0 && where[1] == 2);
}

/* ---- no elements ---- */

UNIT_TEST(test_empty)
{
    const int64_t extents[] = {3, 0};
    double value = -1, rows[3] = {5, 5, 5}, columns[1] = {-1};
    int64_t where = -7;
    const stn_view x = check_view("x", STN_F64, rows, 2, extents, NULL);
    const stn_view by_row = check_line(STN_F64, rows, 3),
                   by_column = check_line(STN_F64, columns, 0);
    const stn_exec *const exec = execs[1];
    expect_ok(stn_sum(exec, STN_F64, &value, &x));
    assert_true(value == 0 && !signbit(value));
    value = -1;
    expect_ok(stn_norm(exec, STN_F64, &value, &x));
    assert_true(value == 0);
    expect_ok(stn_sum_into(exec, STN_F64, &by_row, &x, 1u << 1));
    assert_true(rows[0] == 0 && rows[2] == 0);
    expect_error(stn_min(exec, STN_F64, &value, &x), STN_ERR_SHAPE,
                 "stn_min: x has no elements along the reduced dimensions");
    expect_error(stn_max(exec, STN_F64, &value, &x), STN_ERR_SHAPE, "stn_max: x has no elements");
    expect_error(stn_argmin(exec, STN_F64, &where, &x), STN_ERR_SHAPE, "stn_argmin: x has no");
    expect_error(stn_argmax_into(exec, STN_F64, &by_row, &x, 1u << 1), STN_ERR_SHAPE,
                 "stn_argmax_into: x has no elements");
    assert_true(value == 0 && where == -7);
    expect_ok(stn_min_into(exec, STN_F64, &by_column, &x, 1u << 0)); /* no outputs */
    assert_true(columns[0] == -1);
    expect_ok(stn_cumsum(exec, STN_F64, &x, &x, 0));
}

/* ---- refused arguments ---- */

UNIT_TEST(test_refused)
{
    double numbers[6] = {0}, value = 0, other[3];
    int64_t integer = 0;
    stn_c128 complex;
    const int64_t extents[] = {2, 3};
    const stn_exec *const exec = execs[1];
    const stn_view x = check_view("x", STN_F64, numbers, 2, extents, NULL);
    const stn_view wrong = check_line(STN_F64, other, 2), right = check_line(STN_F64, other, 3);
    const stn_view inside = check_line(STN_F64, numbers, 3);
    static const stn_view none; /* empty */
    expect_error(stn_sum(NULL, STN_F64, &value, &x), STN_ERR_ARGUMENT, "exec is NULL");
    expect_error(stn_sum(exec, STN_F64, NULL, &x), STN_ERR_ARGUMENT, "result is NULL");
    expect_error(stn_sum(exec, STN_F64, &value, NULL), STN_ERR_ARGUMENT, "x is NULL");
    expect_error(stn_min(exec, STN_F64, &value, NULL), STN_ERR_ARGUMENT, "x is NULL");
    expect_error(stn_max(exec, STN_F64, &value, &none), STN_ERR_ARGUMENT, "x");
    expect_error(stn_sum(exec, STN_I64, &value, &x), STN_ERR_ARGUMENT, "it must be f64 or f32");
    expect_error(stn_sum_integer(exec, STN_F64, &integer, &x), STN_ERR_ARGUMENT, "must be i64");
    expect_error(stn_sum_complex(exec, STN_F64, &complex, &x), STN_ERR_ARGUMENT, "must be c128");
    expect_error(stn_min_into(exec, STN_C128, &right, &x, 1), STN_ERR_ARGUMENT,
                 "stn_min_into: arithmetic is c128; it must be f64, f32 or i64");
    expect_error(stn_norm_into(exec, STN_I64, &right, &x, 1), STN_ERR_ARGUMENT,
                 "stn_norm_into: arithmetic is i64; it must be f64, f32, c128 or c64");
    expect_error(stn_sum_into(exec, STN_F16, &right, &x, 1), STN_ERR_ARGUMENT, "arithmetic is f16");
    expect_error(stn_sum_into(exec, STN_F64, NULL, &x, 1), STN_ERR_ARGUMENT, "result is NULL");
    expect_error(stn_sum_into(exec, STN_F64, &wrong, &x, 1), STN_ERR_SHAPE, "must have");
    expect_error(stn_sum_into(exec, STN_F64, &right, &x, 3), STN_ERR_SHAPE, "must have");
    expect_error(stn_sum_into(exec, STN_F64, &right, &x, 4), STN_ERR_ARGUMENT, "reduced is 0x4");
    expect_error(stn_max_into(exec, STN_F64, &right, &x, ~0u), STN_ERR_ARGUMENT, "reduced is");
    expect_error(stn_sum_into(exec, STN_F64, &inside, &x, 1), STN_ERR_ALIAS, "overlaps x");
    expect_error(stn_cumsum(exec, STN_F64, &x, &x, 0), STN_ERR_ALIAS, "overlaps x");
    expect_error(stn_cumsum(exec, STN_F64, &right, &x, 0), STN_ERR_SHAPE, "must have");
    expect_error(stn_cumsum(exec, STN_C128, &right, &right, 0), STN_ERR_ARGUMENT, "must be");
    expect_error(stn_cumsum(exec, STN_F64, &right, &inside, 1), STN_ERR_ARGUMENT, "out of range");
    expect_error(stn_cumsum(exec, STN_F64, &right, &inside, -1), STN_ERR_ARGUMENT, "out of range");
}

RUN_UNIT_TESTS(check_make_execs, check_release_execs)
