/* Types: arguments and results of functions, constants, the const companion, and i64 arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)
STN_ACCESSOR(halves, 1, float, stn_f16)
STN_ACCESSOR(counts, 1, int64_t, uint8_t)
STN_ACCESSOR(whole_i64, 1, int64_t, int64_t)
STN_ACCESSOR(whole_u64, 1, int64_t, uint64_t)
STN_ACCESSOR_SCALED(scaled, 2, float, int8_t, 0x2)
STN_ACCESSOR_BLOCK_SCALED(blocked, 1, double, int8_t, 0x1, 4)
STN_ACCESSOR_AFFINE(affine, 1, double, uint8_t, 0x0)

STN_SAME_REAL(xrange, blocked);
STN_SAME_REAL(scaled, halves);
STN_SAME_REAL(xrange, xrange_const);

#define EXPECT_TYPE(type, expression)                                                              \
    _Static_assert(_Generic((expression), type : 1, default : 0), #expression)

static void test_types_of_results(void **state)
{
    (void)state;
    EXPECT_TYPE(double, xrange_get((xrange){0}, 0, 0));
    EXPECT_TYPE(double, xrange_set((xrange){0}, 0, 0, 1.0));
    EXPECT_TYPE(double, xrange_add((xrange){0}, 0, 0, 1.0));
    EXPECT_TYPE(double, xrange_const_get((xrange_const){0}, 0, 0));
    EXPECT_TYPE(float, halves_get((halves){0}, 0));
    EXPECT_TYPE(int64_t, counts_get((counts){0}, 0));
    EXPECT_TYPE(double, (xrange_real)0);
    EXPECT_TYPE(double, (xrange_const_real)0);
    EXPECT_TYPE(float, (halves_real)0);
    EXPECT_TYPE(float *, xrange_data((xrange){0}));
    EXPECT_TYPE(float *, xrange_address((xrange){0}, 0, 0));
    EXPECT_TYPE(const float *, xrange_const_data((xrange_const){0}));
    EXPECT_TYPE(const float *, xrange_const_address((xrange_const){0}, 0, 0));
    EXPECT_TYPE(const float *, scaled_const_scales((scaled_const){0}));
}

static void test_constants(void **state)
{
    static const struct {
        int64_t found, expected;
    } constants[] = {{xrange_rank, 2},
                     {xrange_arithmetic, STN_F64},
                     {xrange_format, STN_F32},
                     {xrange_is_const, 0},
                     {xrange_const_is_const, 1},
                     {xrange_const_rank, 2},
                     {xrange_const_format, STN_F32},
                     {xrange_extent_0, STN_DYNAMIC},
                     {xrange_stride_0, STN_DYNAMIC},
                     {xrange_stride_1, 1},
                     {counts_arithmetic, STN_I64},
                     {counts_format, STN_U8},
                     {scaled_scale_rank, 1}};
    (void)state;
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++)
        assert_int_equal(constants[k].found, constants[k].expected);
}

/* Const companions of const memory, created directly. */
static void test_const_memory(void **state)
{
    static const float memory[] = {0, 1, 2, 3, 4, 5};
    static const uint8_t codes[2] = {7, 250};
    static const double scale = 0.5, zero = 10.0;
    const xrange_const x = xrange_const_dense(memory, 2, 3);
    const xrange_const y =
        xrange_const_make(memory, (const stn_size[]){2, 2}, (const stn_size[]){3});
    const affine_const z = affine_const_dense(codes, 2, &scale, &zero);
    double values[6];
    (void)state;
    assert_true(xrange_const_get(x, 1, 2) == 5.0 && xrange_const_get(y, 1, 1) == 4.0);
    assert_int_equal(xrange_const_length(y, 1), 2);
    assert_int_equal(xrange_const_stride(y, 0), 3);
    assert_int_equal(xrange_const_count(x), 6);
    assert_int_equal(xrange_const_offset(x, 1, 2), 5);
    assert_ptr_equal(xrange_const_data(x), memory);
    assert_ptr_equal(xrange_const_address(x, 0, 1), memory + 1);
    xrange_const_load(y, 0, 1, 3, values);
    assert_true(values[0] == 1.0 && values[1] == 3.0 && values[2] == 4.0);
    assert_true(affine_const_get(z, 0) == -1.5 && affine_const_get(z, 1) == 120.0);
}

static void test_parts(void **state)
{
    float memory[12];
    int8_t codes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float by_row[2] = {2.0f, 3.0f};
    double by_block[2] = {10.0, 100.0};
    const xrange x = xrange_dense(memory, 3, 4);
    const xrange_const part =
        xrange_const_sub(xrange_to_const(x), stn_span_of(1, 3), stn_span_of(2, 4));
    const scaled_const y = scaled_to_const(scaled_dense(codes, 2, 4, by_row));
    const blocked_const z =
        blocked_to_const(blocked_sub(blocked_dense(codes, 8, by_block), stn_span_of(3, 8)));
    (void)state;
    for (int k = 0; k < 12; k++)
        memory[k] = (float)k;
    assert_true(xrange_const_get(part, 0, 0) == 6.0 && xrange_const_get(part, 1, 1) == 11.0);
    xrange_set(x, 1, 2, 60.0); /* the accessor is const, not the memory */
    assert_true(xrange_const_get(part, 0, 0) == 60.0);
    assert_true(scaled_const_get(y, 1, 1) == 18.0f && scaled_const_scale(y, 1, 1) == 3.0f);
    assert_true(scaled_const_scale_direct(y, (const stn_size[]){0}) == 2.0f);
    assert_int_equal(scaled_const_scale_count(y), 2);
    assert_true(blocked_const_get(z, 0) == 40.0 && blocked_const_get(z, 1) == 500.0);
    assert_true(blocked_const_get(blocked_const_sub(z, stn_at(1)), 0) == 500.0);
}

/* i64 arithmetic wraps, and does not convert to f64, which 2^53 + 1 is not. */
static void test_i64_arithmetic(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_of_results), cmocka_unit_test(test_constants),
        cmocka_unit_test(test_const_memory), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_i64_arithmetic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
