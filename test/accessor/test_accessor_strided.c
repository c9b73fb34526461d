/* A stride in every dimension: transposed, thinned out, reversed, repeated and backwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR_STRIDED(free2, 2, double, float)
STN_ACCESSOR_STRIDED(free3, 3, int64_t, int16_t)
STN_ACCESSOR_STRIDED(free1, 1, double, stn_f16)

/* Element k of memory is k. */
static float *numbers(void)
{
    static float memory[120];
    for (int k = 0; k < 120; k++)
        memory[k] = (float)k;
    return memory;
}

static void test_last_stride(void **state)
{
    const free2 x = free2_make(numbers(), (const stn_size[]){3, 4}, (const stn_size[]){20, 3});
    double values[12];
    (void)state;
    free2_load(x, 0, 0, 12, values);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            assert_true(free2_get(x, i, j) == 20 * i + 3 * j);
            assert_true(values[4 * i + j] == 20 * i + 3 * j);
        }
}

static void test_transpose(void **state)
{
    const free2 x = free2_dense(numbers(), 3, 4), y = free2_transpose(x, 0, 1);
    (void)state;
    assert_int_equal(free2_length(y, 0), 4);
    assert_int_equal(free2_length(y, 1), 3);
    assert_int_equal(free2_stride(y, 0), 1);
    assert_int_equal(free2_stride(y, 1), 4);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            assert_true(free2_get(y, j, i) == free2_get(x, i, j));
    free2_set(y, 3, 1, -1.0);
    assert_true(free2_get(x, 1, 3) == -1.0);
    assert_true(free2_get(free2_transpose(x, 1, 1), 1, 3) == -1.0); /* nothing changes places */
}

static void test_transpose_of_rank_3(void **state)
{
    int16_t memory[24];
    const free3 x = free3_dense(memory, 2, 3, 4), y = free3_transpose(x, 2, 0);
    (void)state;
    for (int k = 0; k < 24; k++)
        memory[k] = (int16_t)k;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                assert_int_equal(free3_get(y, k, j, i), 12 * i + 4 * j + k);
    assert_int_equal(free3_length(y, 0), 4);
    assert_int_equal(free3_length(y, 1), 3);
    assert_int_equal(free3_length(y, 2), 2);
}

static void test_every(void **state)
{
    const free2 x = free2_dense(numbers(), 7, 10);
    const free2 y = free2_every(free2_every(x, 0, 3), 1, 4);
    (void)state;
    assert_int_equal(free2_length(y, 0), 3);
    assert_int_equal(free2_length(y, 1), 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_true(free2_get(y, i, j) == 30 * i + 4 * j);
    assert_int_equal(free2_length(free2_every(x, 0, 7), 0), 1);
    assert_int_equal(free2_length(free2_every(x, 0, 100), 0), 1);
    assert_int_equal(free2_length(free2_every(x, 0, 1), 0), 7);
    const free2 none = free2_sub(x, stn_span_of(4, 4), stn_all());
    assert_int_equal(free2_length(free2_every(none, 0, 2), 0), 0);
}

static void test_reverse(void **state)
{
    const free2 x = free2_dense(numbers(), 3, 4);
    const free2 y = free2_reverse(x, 1), both = free2_reverse(y, 0);
    double values[12];
    (void)state;
    assert_int_equal(free2_stride(y, 1), -1);
    free2_load(both, 0, 0, 12, values);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            assert_true(free2_get(y, i, j) == 4 * i + 3 - j);
            assert_true(free2_get(both, i, j) == 11 - 4 * i - j);
            assert_true(values[4 * i + j] == 11 - 4 * i - j);
        }
    const free2 none = free2_sub(x, stn_all(), stn_span_of(0, 0));
    assert_int_equal(free2_count(free2_reverse(none, 1)), 0);
}

static void test_sub_of_reversed(void **state)
{
    const free2 x = free2_reverse(free2_dense(numbers(), 5, 6), 0);
    const free2 part = free2_sub(x, stn_span_of(1, 3), stn_span_of(2, 6));
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            assert_true(free2_get(part, i, j) == 6 * (4 - (1 + i)) + 2 + j);
    assert_true(free2_get(free2_reverse(free2_transpose(part, 0, 1), 0), 3, 1) == 14.0);
}

/* Stride 0: one element for all indices of the dimension. */
static void test_repeat(void **state)
{
    const free2 x = free2_make(numbers(), (const stn_size[]){3, 4}, (const stn_size[]){0, 1});
    const free2 one =
        free2_make(numbers() + 7, (const stn_size[]){50, 2}, (const stn_size[]){0, 0});
    double values[100];
    (void)state;
    free2_load(x, 0, 0, 12, values);
    for (int k = 0; k < 12; k++) {
        assert_true(free2_get(x, k / 4, k % 4) == k % 4);
        assert_true(values[k] == k % 4);
    }
    free2_load(one, 0, 0, 100, values);
    for (int k = 0; k < 100; k++)
        assert_true(values[k] == 7.0);
    free2_set(x, 2, 1, -3.0);
    assert_true(free2_get(x, 0, 1) == -3.0);
    assert_int_equal(free2_count(one), 100);
}

static void test_backwards(void **state)
{
    const free2 x =
        free2_make(numbers() + 60, (const stn_size[]){4, 3}, (const stn_size[]){-20, -2});
    double values[12] = {0};
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_true(free2_get(x, i, 2) == 60 - 20 * i - 4);
    for (int k = 0; k < 12; k++)
        values[k] = 1000 + k;
    free2_store(x, 0, 0, 8, values);
    for (int k = 0; k < 8; k++)
        assert_true(free2_data(x)[-20 * (k / 3) - 2 * (k % 3)] == (float)(1000 + k));
    assert_true(free2_data(x)[-1] == 59.0f && free2_data(x)[-20 * 2 - 4] == 16.0f);
}

/* A diagonal is a row of its own. */
static void test_diagonal(void **state)
{
    stn_f16 memory[25] = {{0}};
    const free1 diagonal = free1_make(memory, (const stn_size[]){5}, (const stn_size[]){6});
    const double ones[] = {1, 1, 1, 1, 1};
    (void)state;
    free1_store(diagonal, 0, 5, ones);
    for (int k = 0; k < 25; k++)
        assert_int_equal(memory[k].bits, k % 6 == 0 ? 0x3c00 : 0);
}

static void test_const_companion(void **state)
{
    const free2_const x = free2_const_dense(numbers(), 3, 4);
    (void)state;
    assert_true(free2_const_get(free2_const_transpose(x, 0, 1), 3, 2) == 11.0);
    assert_true(free2_const_get(free2_const_reverse(x, 0), 0, 0) == 8.0);
    assert_true(free2_const_get(free2_const_every(x, 1, 3), 0, 1) == 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_stride),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_transpose_of_rank_3),
        cmocka_unit_test(test_every),
        cmocka_unit_test(test_reverse),
        cmocka_unit_test(test_sub_of_reversed),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_backwards),
        cmocka_unit_test(test_diagonal),
        cmocka_unit_test(test_const_companion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
