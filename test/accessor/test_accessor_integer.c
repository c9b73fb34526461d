/* Integers: in i64 arithmetic, which saturates when it stores and wraps when it computes, and from
 * floating-point values, which are rounded. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR(whole_i8, 1, int64_t, int8_t)
STN_ACCESSOR(whole_u8, 1, int64_t, uint8_t)
STN_ACCESSOR(whole_i16, 1, int64_t, int16_t)
STN_ACCESSOR(whole_u32, 1, int64_t, uint32_t)
STN_ACCESSOR(whole_i64, 1, int64_t, int64_t)
STN_ACCESSOR(whole_u64, 1, int64_t, uint64_t)
STN_ACCESSOR(real_i8, 1, double, int8_t)
STN_ACCESSOR(real_u8, 1, double, uint8_t)
STN_ACCESSOR(real_i32, 1, double, int32_t)
STN_ACCESSOR(real_i64, 1, double, int64_t)
STN_ACCESSOR(real_u64, 1, double, uint64_t)
STN_ACCESSOR(single_i32, 1, float, int32_t)
STN_ACCESSOR(single_u16, 1, float, uint16_t)

/* ---- i64 arithmetic ---- */

static void test_stores_saturate(void **state)
{
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint32_t u32;
    (void)state;
    assert_int_equal(whole_i8_set(whole_i8_dense(&i8, 1), 0, 128), 127);
    assert_int_equal(whole_i8_set(whole_i8_dense(&i8, 1), 0, INT64_MIN), -128);
    assert_int_equal(whole_u8_set(whole_u8_dense(&u8, 1), 0, 256), 255);
    assert_int_equal(whole_u8_set(whole_u8_dense(&u8, 1), 0, -1), 0);
    assert_int_equal(whole_i16_set(whole_i16_dense(&i16, 1), 0, INT64_MAX), 32767);
    assert_int_equal(whole_u32_set(whole_u32_dense(&u32, 1), 0, INT64_MAX), UINT32_MAX);
    assert_int_equal(u32, UINT32_MAX);
    assert_int_equal(whole_u32_set(whole_u32_dense(&u32, 1), 0, -5), 0);
}

static void test_64_bits(void **state)
{
    int64_t i64 = INT64_MIN;
    uint64_t u64 = UINT64_MAX;
    const whole_i64 x = whole_i64_dense(&i64, 1);
    const whole_u64 y = whole_u64_dense(&u64, 1);
    (void)state;
    assert_int_equal(whole_i64_get(x, 0), INT64_MIN);
    assert_int_equal(whole_i64_set(x, 0, INT64_MAX), INT64_MAX);
    assert_int_equal(whole_u64_get(y, 0), -1); /* modulo 2^64 */
    assert_int_equal(whole_u64_set(y, 0, INT64_MAX), INT64_MAX);
    assert_true(u64 == (uint64_t)INT64_MAX);
    assert_int_equal(whole_u64_add(y, 0, 1), INT64_MIN);
    assert_true(u64 == (uint64_t)INT64_MAX + 1);
    assert_int_equal(whole_u64_set(y, 0, -1), -1);
    assert_true(u64 == UINT64_MAX);
}

/* No detour through a float: 2^53 + 1 is not one. */
static void test_no_float_on_the_way(void **state)
{
    int64_t memory[2] = {((int64_t)1 << 53) + 1, 0};
    const whole_i64 x = whole_i64_dense(memory, 2);
    (void)state;
    whole_i64_set(x, 1, whole_i64_get(x, 0));
    assert_int_equal(memory[1], 9007199254740993);
    assert_int_equal(whole_i64_add(x, 1, 2), 9007199254740995);
}

static void test_arithmetic_wraps(void **state)
{
    int64_t memory[1] = {INT64_MAX};
    const whole_i64 x = whole_i64_dense(memory, 1);
    const volatile int64_t minus_one = -1; /* unknown to the compiler: the machine may trap */
    (void)state;
    assert_int_equal(whole_i64_add(x, 0, 1), INT64_MIN);
    assert_int_equal(whole_i64_subtract(x, 0, 1), INT64_MAX);
    assert_int_equal(whole_i64_multiply(x, 0, 2), -2);
    whole_i64_set(x, 0, INT64_MIN);
    assert_int_equal(whole_i64_divide(x, 0, minus_one), INT64_MIN);
}

static void test_arithmetic(void **state)
{
    int8_t memory[2] = {100, 7};
    const whole_i8 x = whole_i8_dense(memory, 2);
    (void)state;
    assert_int_equal(whole_i8_add(x, 0, whole_i8_get(x, 1)), 107);
    assert_int_equal(whole_i8_add(x, 0, 100), 127);
    assert_int_equal(whole_i8_divide(x, 0, -2), -63);
    assert_int_equal(whole_i8_multiply(x, 0, 3), -128);
    assert_int_equal(whole_i8_subtract(x, 1, 8), -1);
    assert_int_equal(memory[0], -128);
}

/* ---- from floating point ---- */

static void test_rounding_to_nearest_even(void **state)
{
    static const struct {
        double value, stored;
    } cases[] = {{19.1, 19},     {19.6, 20},     {0.5, 0},     {1.5, 2},      {2.5, 2},
                 {-0.5, 0},      {-1.5, -2},     {-2.5, -2},   {126.5, 126},  {127.5, 127},
                 {-128.5, -128}, {-129.0, -128}, {1e300, 127}, {-1e300, -128}};
    int8_t memory;
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double stored = real_i8_set(real_i8_dense(&memory, 1), 0, cases[k].value);
        if (stored != cases[k].stored)
            fail_msg("%g is stored as %g", cases[k].value, stored);
        assert_int_equal(memory, (int)stored);
    }
}

static void test_not_a_number_is_0(void **state)
{
    int8_t i8 = 5;
    int32_t i32 = 5;
    uint16_t u16 = 5;
    int64_t i64 = 5;
    (void)state;
    assert_true(real_i8_set(real_i8_dense(&i8, 1), 0, (double)NAN) == 0.0);
    assert_true(real_i64_set(real_i64_dense(&i64, 1), 0, (double)NAN) == 0.0);
    assert_true(single_i32_set(single_i32_dense(&i32, 1), 0, NAN) == 0.0f);
    assert_true(single_u16_set(single_u16_dense(&u16, 1), 0, -NAN) == 0.0f);
    assert_true(i8 == 0 && i32 == 0 && u16 == 0 && i64 == 0);
}

static void test_infinities_saturate(void **state)
{
    uint8_t u8;
    int32_t i32;
    uint64_t u64;
    int64_t i64;
    (void)state;
    assert_true(real_u8_set(real_u8_dense(&u8, 1), 0, (double)INFINITY) == 255.0);
    assert_true(real_u8_set(real_u8_dense(&u8, 1), 0, -(double)INFINITY) == 0.0);
    assert_true(real_i32_set(real_i32_dense(&i32, 1), 0, -(double)INFINITY) == -0x1p31);
    real_u64_set(real_u64_dense(&u64, 1), 0, (double)INFINITY);
    assert_true(u64 == UINT64_MAX);
    real_i64_set(real_i64_dense(&i64, 1), 0, 0x1p63);
    assert_true(i64 == INT64_MAX);
    real_i64_set(real_i64_dense(&i64, 1), 0, -0x1p63);
    assert_true(i64 == INT64_MIN);
}

/* 2^31 - 1 is no float; what is stored for more than that is. */
static void test_saturation_between_floats(void **state)
{
    int32_t memory;
    const single_i32 x = single_i32_dense(&memory, 1);
    (void)state;
    assert_true(single_i32_set(x, 0, 0x1.fffffep30f) == 0x1.fffffep30f);
    assert_true(single_i32_set(x, 0, 0x1p31f) == 0x1p31f); /* 2^31 - 1, read to nearest */
    assert_int_equal(memory, INT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stores_saturate),
        cmocka_unit_test(test_64_bits),
        cmocka_unit_test(test_no_float_on_the_way),
        cmocka_unit_test(test_arithmetic_wraps),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_rounding_to_nearest_even),
        cmocka_unit_test(test_not_a_number_is_0),
        cmocka_unit_test(test_infinities_saturate),
        cmocka_unit_test(test_saturation_between_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
