/* Scales by numbers written out: which element has which, what writes and changes of them do, and
 * the scale 0. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR_SCALED(vector, 1, double, int16_t, 0x1)
STN_ACCESSOR_SCALED(columns, 2, double, int8_t, 0x1)
STN_ACCESSOR_SCALED(rows, 2, double, int8_t, 0x2)
STN_ACCESSOR_SCALED(each, 2, double, int32_t, 0x3)
STN_ACCESSOR_SCALED(cube, 3, double, int64_t, 0x5)
STN_ACCESSOR_SCALED(global, 1, double, uint8_t, 0x0)
STN_ACCESSOR_SCALED(real, 1, double, stn_f16, 0x0)
STN_ACCESSOR_AFFINE(affine, 2, float, uint8_t, 0x2)
STN_ACCESSOR_BLOCK_SCALED(blocked, 2, double, int8_t, 0x3, 4)

static void test_vector(void **state)
{
    int16_t codes[3] = {1, 2, 3};
    double scales[3] = {2.0, 0.5, -3.0};
    const vector x = vector_dense(codes, 3, scales);
    (void)state;
    assert_true(vector_get(x, 0) == 2.0 && vector_get(x, 1) == 1.0 && vector_get(x, 2) == -9.0);
    assert_true(vector_set(x, 2, 31.0) == 30.0); /* 31 / -3 is nearest to -10 */
    assert_true(codes[0] == 1 && codes[1] == 2 && codes[2] == -10);
    assert_true(scales[0] == 2.0 && scales[1] == 0.5 && scales[2] == -3.0);
}

static void test_columns_and_rows(void **state)
{
    int8_t codes[6] = {1, 2, 3, 4, 5, 6};
    double scales[3] = {1.0, 10.0, 100.0};
    const columns x = columns_dense(codes, 2, 3, scales);
    const rows y = rows_dense(codes, 2, 3, scales);
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            assert_true(columns_get(x, i, j) == codes[3 * i + j] * scales[j]);
            assert_true(rows_get(y, i, j) == codes[3 * i + j] * scales[i]);
        }
    assert_int_equal(columns_scale_rank, 1);
    assert_int_equal(columns_scale_stride(x, 1), 1);
    assert_int_equal(columns_scale_stride(x, 0), 0);
    assert_int_equal(rows_scale_stride(y, 0), 1);
    assert_int_equal(rows_scale_count(y), 2);
}

static void test_one_per_element(void **state)
{
    int32_t codes[6] = {1, 2, 3, 4, 5, 6};
    double scales[6] = {1, 2, 3, 4, 5, 6};
    const each x = each_dense(codes, 2, 3, scales);
    (void)state;
    assert_true(each_set(x, 1, 1, 25.0) == 25.0);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(codes[k], k + 1);
        assert_true(scales[k] == k + 1);
        assert_true(each_get(x, k / 3, k % 3) == (k + 1) * (k + 1));
    }
}

static void test_cube_with_strides(void **state)
{
    int64_t codes[64];
    double scales[32];
    (void)state;
    for (int k = 0; k < 64; k++)
        codes[k] = k;
    for (int k = 0; k < 32; k++)
        scales[k] = 100 + k;
    const cube x = cube_make(codes, (const stn_size[]){2, 2, 3}, (const stn_size[]){12, 4}, scales,
                             (const stn_size[]){9});
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++) {
                assert_true(cube_scale(x, i, j, k) == 100 + 9 * i + k);
                assert_true(cube_get(x, i, j, k) == (12 * i + 4 * j + k) * (100 + 9 * i + k));
            }
    const cube part = cube_sub(x, stn_at(1), stn_all(), stn_span_of(1, 3));
    assert_ptr_equal(cube_scales(part), scales + 10);
    assert_true(cube_scale(part, 0, 1, 1) == 111.0);
    assert_true(cube_get(part, 0, 1, 1) == 18.0 * 111.0);
    const cube again = cube_sub(part, stn_all(), stn_at(1), stn_at(1));
    assert_true(cube_scale(again, 0, 0, 0) == 111.0);
    assert_true(cube_get(again, 0, 0, 0) == 18.0 * 111.0);
}

/* The scales of the first index lie behind those of the next. */
static void test_scales_backwards(void **state)
{
    int64_t codes[4] = {1, 1, 1, 1};
    double scales[4] = {3.0, 4.0, 1.0, 2.0};
    const cube x =
        cube_make(codes, (const stn_size[]){2, 1, 2}, NULL, scales + 2, (const stn_size[]){-2});
    (void)state;
    assert_true(cube_get(x, 0, 0, 0) == 1.0 && cube_get(x, 1, 0, 1) == 4.0);
    assert_true(cube_scale_direct(x, (const stn_size[]){0, 1}) == 2.0);
    assert_true(cube_scale_direct(x, (const stn_size[]){1, 0}) == 3.0);
    assert_true(cube_set_scale_direct(x, (const stn_size[]){1, 1}, 8.0) == 8.0);
    assert_true(scales[1] == 8.0);
}

/* A change shows in every element that has the scale, in no other, and in no code. */
static void test_changes(void **state)
{
    int64_t codes[24];
    double scales[8];
    const cube x = cube_dense(codes, 2, 3, 4, scales);
    (void)state;
    for (int k = 0; k < 24; k++)
        codes[k] = k;
    for (int k = 0; k < 8; k++)
        scales[k] = 1.0;
    assert_true(cube_set_scale(x, 1, 2, 3, -2.0) == -2.0);
    assert_true(cube_set_scale_direct(x, (const stn_size[]){0, 1}, 5.0) == 5.0);
    assert_true(cube_scale_direct(x, (const stn_size[]){1, 3}) == -2.0);
    assert_true(cube_scale(x, 0, 0, 1) == 5.0);
    for (int k = 0; k < 24; k++) {
        const double wanted = k % 4 == 3 && k >= 12 ? -2.0 : k % 4 == 1 && k < 12 ? 5.0 : 1.0;
        assert_int_equal(codes[k], k);
        assert_true(cube_get(x, k / 12, k / 4 % 3, k % 4) == k * wanted);
    }
}

static void test_stores_divide(void **state)
{
    uint8_t codes[4] = {0};
    double scale = 1.0 / 127.0;
    const global x = global_dense(codes, 4, &scale);
    (void)state;
    global_set(x, 0, 0.5); /* 63.5: a tie, to even */
    global_set(x, 1, 0.999999);
    global_set(x, 2, 3.0); /* beyond 255 * scale */
    global_set(x, 3, -1.0);
    assert_int_equal(codes[0], 64);
    assert_int_equal(codes[1], 127);
    assert_int_equal(codes[2], 255);
    assert_int_equal(codes[3], 0);
}

/* The product with a reciprocal differs at ties. */
static void test_stores_do_not_multiply(void **state)
{
    int16_t codes[1000];
    double values[1000], scales[1000];
    const vector x = vector_dense(codes, 1000, scales);
    int differ = 0;
    (void)state;
    for (int k = 0; k < 1000; k++) {
        scales[k] = 1.0 / (k + 3);
        values[k] = scales[k] * (k + 0.5);
    }
    vector_store(x, 0, 1000, values);
    for (int k = 0; k < 1000; k++) {
        assert_int_equal(codes[k], (int)nearbyint(values[k] / scales[k]));
        differ += codes[k] != (int)nearbyint(values[k] * (1.0 / scales[k]));
    }
    assert_true(differ > 0);
}

static void test_zero_points(void **state)
{
    uint8_t codes[4] = {10, 0, 128, 255};
    float scales[2] = {0.5f, -2.0f}, zeros[2] = {10.0f, 127.5f};
    const affine x = affine_dense(codes, 2, 2, scales, zeros);
    (void)state;
    assert_true(affine_get(x, 0, 0) == 0.0f && affine_get(x, 0, 1) == -5.0f);
    assert_true(affine_get(x, 1, 0) == -1.0f && affine_get(x, 1, 1) == -255.0f);
    assert_true(affine_set(x, 0, 0, 2.0f) == 2.0f);
    assert_int_equal(codes[0], 14);
    assert_true(affine_set(x, 0, 0, -100.0f) == -5.0f);
    assert_int_equal(codes[0], 0);
    assert_true(affine_set(x, 1, 1, 255.0f) == 255.0f);
    assert_int_equal(codes[3], 0);
    assert_true(zeros[0] == 10.0f && zeros[1] == 127.5f);
}

static void test_blocks(void **state)
{
    int8_t codes[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    double scales[4] = {1.0, 2.0, 3.0, 4.0};
    const blocked x = blocked_dense(codes, 2, 6, scales);
    const blocked part = blocked_sub(x, stn_at(1), stn_span_of(3, 6));
    (void)state;
    for (int k = 0; k < 12; k++)
        assert_true(blocked_get(x, k / 6, k % 6) == (k / 6 ? 3.0 : 1.0) + (k % 6 >= 4));
    assert_true(blocked_get(part, 0, 0) == 3.0);
    assert_true(blocked_get(part, 0, 1) == 4.0 && blocked_get(part, 0, 2) == 4.0);
    assert_true(blocked_get(blocked_sub(part, stn_all(), stn_at(1)), 0, 0) == 4.0);
    blocked_set_scale(part, 0, 0, 8.0);
    assert_true(scales[2] == 8.0);
    assert_true(blocked_get(x, 1, 0) == 8.0 && blocked_get(x, 1, 4) == 4.0);
}

/* Nothing is checked here: a quotient by 0 is what IEEE 754 says, stored as any other value. */
static void test_scale_0(void **state)
{
    int16_t code = 5;
    stn_f16 half = {0x3c00};
    double zero = 0.0;
    const vector x = vector_dense(&code, 1, &zero);
    const real y = real_dense(&half, 1, &zero);
    (void)state;
    assert_true(vector_get(x, 0) == 0.0);
    assert_true(vector_set(x, 0, 1.0) == 0.0);
    assert_int_equal(code, 32767);
    vector_set(x, 0, -1.0);
    assert_int_equal(code, -32768);
    vector_set(x, 0, 0.0); /* NaN */
    assert_int_equal(code, 0);
    assert_true(isnan(real_set(y, 0, -1.0)));
    assert_int_equal(half.bits, 0xfc00);
    real_set(y, 0, 0.0);
    assert_int_equal(half.bits, 0x7e00);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector),           cmocka_unit_test(test_columns_and_rows),
        cmocka_unit_test(test_one_per_element),  cmocka_unit_test(test_cube_with_strides),
        cmocka_unit_test(test_scales_backwards), cmocka_unit_test(test_changes),
        cmocka_unit_test(test_stores_divide),    cmocka_unit_test(test_stores_do_not_multiply),
        cmocka_unit_test(test_zero_points),      cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_scale_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
