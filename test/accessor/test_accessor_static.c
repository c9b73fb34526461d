/* Extents and strides that are part of the type. What does not fit them is refused: see
 * test_accessor_checked.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR_STATIC(tile, 2, double, float, (4, 6), (6, 1))
STN_ACCESSOR_STATIC(columns, 2, double, float, (STN_DYNAMIC, 3), (1, STN_DYNAMIC))
STN_ACCESSOR_STATIC(every_other, 1, double, float, (STN_DYNAMIC), (2))
STN_ACCESSOR_STATIC(deep, 3, double, float, (STN_DYNAMIC, STN_DYNAMIC, 4), (STN_DYNAMIC, 8, 1))
STN_ACCESSOR_STATIC(backwards, 1, double, float, (5), (-1))

#define STN_NAME       quantised
#define STN_RANK       2
#define STN_REAL       double
#define STN_STORAGE    int8_t
#define STN_EXTENTS    (STN_DYNAMIC, 4)
#define STN_SCALE_MASK 0x2
#include "steno/accessor_define.h"

STN_STATIC_ASSERT(tile_extent_0 == 4 && tile_extent_1 == 6, "known at compile time");
STN_STATIC_ASSERT(tile_stride_0 == 6 && tile_stride_1 == 1, "known at compile time");
STN_STATIC_ASSERT(columns_extent_0 == STN_DYNAMIC && columns_stride_1 == STN_DYNAMIC, "given");
STN_STATIC_ASSERT(tile_const_extent_1 == 6, "known of the const companion too");

static float *numbers(void)
{
    static float memory[200];
    for (int k = 0; k < 200; k++)
        memory[k] = (float)k;
    return memory;
}

/* Nothing is left to give. */
static void test_all_known(void **state)
{
    const tile x = tile_make(numbers(), NULL, NULL);
    double values[24];
    (void)state;
    assert_int_equal(tile_length(x, 0), 4);
    assert_int_equal(tile_length(x, 1), 6);
    assert_int_equal(tile_length(x, 2), 1);
    assert_int_equal(tile_stride(x, 0), 6);
    assert_int_equal(tile_count(x), 24);
    tile_load(x, 0, 0, 24, values);
    for (int k = 0; k < 24; k++) {
        assert_true(tile_get(x, k / 6, k % 6) == k);
        assert_true(values[k] == k);
    }
    assert_true(tile_const_get(tile_to_const(x), 3, 5) == 23.0);
}

static void test_all_known_and_given_again(void **state)
{
    const tile x = tile_make(numbers(), (const stn_size[]){4, 6}, NULL);
    const tile y = tile_dense(numbers(), 4, 6);
    (void)state;
    assert_int_equal(tile_count(x), 24);
    assert_true(tile_get(x, 1, 1) == 7.0 && tile_get(y, 2, 3) == 15.0);
}

static void test_set(void **state)
{
    float *const memory = numbers();
    const tile x = tile_make(memory, NULL, NULL);
    (void)state;
    assert_true(tile_set(x, 2, 5, -1.5) == -1.5);
    assert_true(tile_add(x, 2, 5, 0.25) == -1.25);
    for (int k = 0; k < 200; k++)
        assert_true(memory[k] == (k == 17 ? -1.25f : (float)k));
}

/* Of extents, all are given, and must be those of the type; of strides, only the unknown ones. */
static void test_some_known(void **state)
{
    const columns x = columns_make(numbers(), (const stn_size[]){5, 3}, (const stn_size[]){20});
    const columns dense = columns_make(numbers(), (const stn_size[]){5, 3}, NULL);
    (void)state;
    assert_int_equal(columns_length(x, 0), 5);
    assert_int_equal(columns_stride(x, 0), 1);
    assert_int_equal(columns_stride(x, 1), 20);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 3; j++)
            assert_true(columns_get(x, i, j) == i + 20 * j);
    assert_int_equal(columns_length(dense, 1), 3);
}

static void test_stride_of_one_dimension(void **state)
{
    const every_other x = every_other_dense(numbers(), 40);
    double values[40];
    (void)state;
    every_other_load(x, 3, 37, values);
    for (int k = 0; k < 37; k++)
        assert_true(values[k] == 2 * (3 + k));
    assert_true(every_other_get(x, 39) == 78.0);
}

/* A dense array lies behind what the known strides span. */
static void test_padded_rows(void **state)
{
    const deep x = deep_make(numbers(), (const stn_size[]){2, 3, 4}, NULL);
    (void)state;
    assert_int_equal(deep_stride(x, 0), 24);
    assert_int_equal(deep_stride(x, 1), 8);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                assert_true(deep_get(x, i, j, k) == 24 * i + 8 * j + k);
}

static void test_backwards(void **state)
{
    const backwards x = backwards_make(numbers() + 10, NULL, NULL);
    const double values[] = {0, 1, 2, 3, 4};
    (void)state;
    assert_true(backwards_get(x, 4) == 6.0);
    backwards_store(x, 0, 5, values);
    for (int k = 0; k < 5; k++)
        assert_true(backwards_data(x)[-k] == (float)k);
}

static void test_with_scales(void **state)
{
    int8_t codes[12];
    double scales[3] = {1.0, 10.0, 100.0}, values[12];
    const quantised x = quantised_dense(codes, 3, 4, scales);
    (void)state;
    for (int k = 0; k < 12; k++)
        codes[k] = (int8_t)k;
    quantised_load(x, 0, 0, 12, values);
    for (int k = 0; k < 12; k++) {
        assert_true(quantised_get(x, k / 4, k % 4) == k * scales[k / 4]);
        assert_true(values[k] == k * scales[k / 4]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_known),
        cmocka_unit_test(test_all_known_and_given_again),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_some_known),
        cmocka_unit_test(test_stride_of_one_dimension),
        cmocka_unit_test(test_padded_rows),
        cmocka_unit_test(test_backwards),
        cmocka_unit_test(test_with_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
