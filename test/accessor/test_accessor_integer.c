/* Integers by numbers written out: i64 arithmetic, which saturates when it stores and wraps when it
 * computes, and rounding of floating-point values. The matrix of types covers all formats. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR(whole_i8, 1, int64_t, int8_t)
STN_ACCESSOR(whole_u32, 1, int64_t, uint32_t)
STN_ACCESSOR(whole_i64, 1, int64_t, int64_t)
STN_ACCESSOR(whole_u64, 1, int64_t, uint64_t)
STN_ACCESSOR(real_i8, 1, double, int8_t)
STN_ACCESSOR(single_i32, 1, float, int32_t)

static void test_stores_saturate(void **state)
{
    int8_t i8[2] = {100, 7};
    uint32_t u32;
    const whole_i8 x = whole_i8_dense(i8, 2);
    const whole_u32 y = whole_u32_dense(&u32, 1);
    (void)state;
    assert_int_equal(whole_u32_set(y, 0, -5), 0);
    assert_int_equal(whole_u32_set(y, 0, INT64_MAX), UINT32_MAX);
    assert_int_equal(u32, UINT32_MAX);
    assert_int_equal(whole_i8_add(x, 0, whole_i8_get(x, 1)), 107);
    assert_int_equal(whole_i8_add(x, 0, 100), 127);
    assert_int_equal(whole_i8_divide(x, 0, -2), -63);
    assert_int_equal(whole_i8_multiply(x, 0, 3), -128);
    assert_int_equal(whole_i8_subtract(x, 1, 8), -1);
    assert_int_equal(i8[0], -128);
}

/* Modulo 2^64; and 2^53 + 1 is not an f64. */
static void test_64_bits(void **state)
{
    int64_t i64[2] = {((int64_t)1 << 53) + 1, 0};
    uint64_t u64 = UINT64_MAX;
    const whole_i64 x = whole_i64_dense(i64, 2);
    const whole_u64 y = whole_u64_dense(&u64, 1);
    const volatile int64_t minus_one = -1; /* unknown to the compiler: the machine may trap */
    (void)state;
    whole_i64_set(x, 1, whole_i64_get(x, 0));
    assert_int_equal(i64[1], 9007199254740993);
    assert_int_equal(whole_i64_add(x, 1, 2), 9007199254740995);
    assert_int_equal(whole_u64_get(y, 0), -1);
    assert_int_equal(whole_u64_set(y, 0, INT64_MAX), INT64_MAX);
    assert_int_equal(whole_u64_add(y, 0, 1), INT64_MIN);
    assert_true(u64 == (uint64_t)INT64_MAX + 1);
    assert_int_equal(whole_u64_set(y, 0, -1), -1);
    assert_true(u64 == UINT64_MAX);
    assert_int_equal(whole_i64_set(x, 0, INT64_MAX), INT64_MAX);
    assert_int_equal(whole_i64_add(x, 0, 1), INT64_MIN);
    assert_int_equal(whole_i64_get(x, 0), INT64_MIN);
    assert_int_equal(whole_i64_divide(x, 0, minus_one), INT64_MIN);
    assert_int_equal(whole_i64_subtract(x, 0, 1), INT64_MAX);
    assert_int_equal(whole_i64_multiply(x, 0, 2), -2);
}

static void test_rounding(void **state)
{
    static const struct {
        double value, stored;
    } cases[] = {{19.1, 19},   {19.6, 20},     {0.5, 0},       {1.5, 2},       {2.5, 2},
                 {-0.5, 0},    {-1.5, -2},     {-2.5, -2},     {126.5, 126},   {127.5, 127},
                 {1e300, 127}, {-1e300, -128}, {-128.5, -128}, {-129.0, -128}, {(double)NAN, 0}};
    int8_t i8 = 5;
    int32_t i32 = 5;
    const single_i32 x = single_i32_dense(&i32, 1);
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double stored = real_i8_set(real_i8_dense(&i8, 1), 0, cases[k].value);
        if (stored != cases[k].stored || i8 != (int)stored)
            fail_msg("%g is stored as %g", cases[k].value, stored);
    }
    /* 2^31 - 1 is not an f32; it is stored for larger values */
    assert_true(single_i32_set(x, 0, 0x1.fffffep30f) == 0x1.fffffep30f);
    assert_true(single_i32_set(x, 0, 0x1p31f) == 0x1p31f); /* 2^31 - 1, read to nearest */
    assert_int_equal(i32, INT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stores_saturate),
                                       cmocka_unit_test(test_64_bits),
                                       cmocka_unit_test(test_rounding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
