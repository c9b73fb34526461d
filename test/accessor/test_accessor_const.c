/* Types: what functions take and give, and the read-only companion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR(xrange, 2, double, float)
STN_ACCESSOR(halves, 1, float, stn_f16)
STN_ACCESSOR(counts, 1, int64_t, uint8_t)
STN_ACCESSOR_SCALED(scaled, 2, float, int8_t, 0x2)
STN_ACCESSOR_BLOCK_SCALED(blocked, 1, double, int8_t, 0x1, 4)
STN_ACCESSOR_AFFINE(affine, 1, double, uint8_t, 0x0)

#define HAS_TYPE(expression, type) _Generic((expression), type : 1, default : 0)

STN_SAME_REAL(xrange, blocked);
STN_SAME_REAL(scaled, halves);
STN_SAME_REAL(xrange, xrange_const);

static void test_values_have_the_arithmetic_type(void **state)
{
    float f = 1.0f;
    stn_f16 h = {0x3c00};
    uint8_t u = 1;
    const xrange x = xrange_dense(&f, 1, 1);
    (void)state;
    assert_true(HAS_TYPE(xrange_get(x, 0, 0), double));
    assert_true(HAS_TYPE(xrange_set(x, 0, 0, 1.0), double));
    assert_true(HAS_TYPE(xrange_add(x, 0, 0, 1.0), double));
    assert_true(HAS_TYPE(xrange_const_get(xrange_to_const(x), 0, 0), double));
    assert_true(HAS_TYPE(halves_get(halves_dense(&h, 1), 0), float));
    assert_true(HAS_TYPE(counts_get(counts_dense(&u, 1), 0), int64_t));
    assert_true(HAS_TYPE((xrange_real)0, double) && HAS_TYPE((halves_real)0, float));
    assert_true(HAS_TYPE((xrange_const_real)0, double));
}

static void test_data_has_the_storage_type(void **state)
{
    float f[2] = {1.0f, 2.0f};
    const xrange x = xrange_dense(f, 1, 2);
    const xrange_const y = xrange_to_const(x);
    (void)state;
    assert_true(HAS_TYPE(xrange_data(x), float *));
    assert_true(HAS_TYPE(xrange_address(x, 0, 0), float *));
    assert_true(HAS_TYPE(xrange_const_data(y), const float *));
    assert_true(HAS_TYPE(xrange_const_address(y, 0, 0), const float *));
    assert_ptr_equal(xrange_const_data(y), f);
    assert_ptr_equal(xrange_const_address(y, 0, 1), f + 1);
}

static void test_constants(void **state)
{
    (void)state;
    assert_int_equal(xrange_rank, 2);
    assert_int_equal(xrange_arithmetic, STN_F64);
    assert_int_equal(xrange_format, STN_F32);
    assert_int_equal(xrange_is_const, 0);
    assert_int_equal(xrange_const_is_const, 1);
    assert_int_equal(xrange_const_rank, 2);
    assert_int_equal(xrange_const_format, STN_F32);
    assert_int_equal(xrange_extent_0, STN_DYNAMIC);
    assert_int_equal(xrange_stride_0, STN_DYNAMIC);
    assert_int_equal(xrange_stride_1, 1);
    assert_int_equal(counts_arithmetic, STN_I64);
    assert_int_equal(counts_format, STN_U8);
    assert_int_equal(scaled_scale_rank, 1);
}

/* Over const memory, without a detour over a type that could write. */
static void test_made_of_const_memory(void **state)
{
    static const float memory[] = {0, 1, 2, 3, 4, 5};
    const xrange_const x = xrange_const_dense(memory, 2, 3);
    const xrange_const y =
        xrange_const_make(memory, (const stn_size[]){2, 2}, (const stn_size[]){3});
    double values[6];
    (void)state;
    assert_true(xrange_const_get(x, 1, 2) == 5.0);
    assert_true(xrange_const_get(y, 1, 1) == 4.0);
    assert_int_equal(xrange_const_length(y, 1), 2);
    assert_int_equal(xrange_const_stride(y, 0), 3);
    assert_int_equal(xrange_const_count(x), 6);
    assert_int_equal(xrange_const_offset(x, 1, 2), 5);
    xrange_const_load(y, 0, 1, 3, values);
    assert_true(values[0] == 1.0 && values[1] == 3.0 && values[2] == 4.0);
}

static void test_sub(void **state)
{
    float memory[12];
    const xrange x = xrange_dense(memory, 3, 4);
    const xrange_const part =
        xrange_const_sub(xrange_to_const(x), stn_span_of(1, 3), stn_span_of(2, 4));
    (void)state;
    for (int k = 0; k < 12; k++)
        memory[k] = (float)k;
    assert_true(xrange_const_get(part, 0, 0) == 6.0 && xrange_const_get(part, 1, 1) == 11.0);
    xrange_set(x, 1, 2, 60.0); /* read-only is this way in, not the memory */
    assert_true(xrange_const_get(part, 0, 0) == 60.0);
}

static void test_of_scaled(void **state)
{
    int8_t codes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float by_row[2] = {2.0f, 3.0f};
    double by_block[2] = {10.0, 100.0};
    const scaled_const x = scaled_to_const(scaled_dense(codes, 2, 4, by_row));
    const blocked part = blocked_sub(blocked_dense(codes, 8, by_block), stn_span_of(3, 8));
    const blocked_const y = blocked_to_const(part);
    (void)state;
    assert_true(HAS_TYPE(scaled_const_scales(x), const float *));
    assert_true(scaled_const_get(x, 1, 1) == 18.0f);
    assert_true(scaled_const_scale(x, 1, 1) == 3.0f);
    assert_true(scaled_const_scale_direct(x, (const stn_size[]){0}) == 2.0f);
    assert_int_equal(scaled_const_scale_count(x), 2);
    assert_true(blocked_const_get(y, 0) == 40.0 && blocked_const_get(y, 1) == 500.0);
    assert_true(blocked_const_get(blocked_const_sub(y, stn_at(1)), 0) == 500.0);
}

static void test_of_affine(void **state)
{
    static const uint8_t codes[2] = {7, 250};
    static const double scale = 0.5, zero = 10.0;
    const affine_const x = affine_const_dense(codes, 2, &scale, &zero);
    (void)state;
    assert_true(affine_const_get(x, 0) == -1.5 && affine_const_get(x, 1) == 120.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_have_the_arithmetic_type),
        cmocka_unit_test(test_data_has_the_storage_type),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_made_of_const_memory),
        cmocka_unit_test(test_sub),
        cmocka_unit_test(test_of_scaled),
        cmocka_unit_test(test_of_affine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
