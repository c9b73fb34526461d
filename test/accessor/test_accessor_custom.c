/* Elements read and stored by functions of the program: functions that record their arguments,
 * integers of 12 bits, and floats whose upper and lower halves are in separate arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "steno/accessor.h"

#define SIZES(...) ((const stn_size[]){__VA_ARGS__})

/* ---- recorded calls ---- */

static struct {
    const char *data;
    int context;
    stn_size index;
    double value;
} last;

static double record_load(const char *data, stn_size index, int context)
{
    last.data = data;
    last.context = context;
    last.index = index;
    last.value = 0.0;
    return (double)(10 * index + context);
}

static void record_store(char *data, stn_size index, double value, int context)
{
    (void)record_load(data, index, context);
    last.value = value;
}

STN_ACCESSOR_CUSTOM(recorded, 3, double, char, int, record_load, record_store)

static void expect_call(const char *data, stn_size index, double value)
{
    assert_ptr_equal(last.data, data);
    assert_int_equal(last.context, 7);
    assert_int_equal(last.index, index);
    assert_true(last.value == value);
}

/* The functions have the data and the context of the accessor, and indices of the whole array. */
static void test_calls(void **state)
{
    char memory[1], other[1];
    const recorded x = recorded_make(memory, SIZES(2, 3, 4), SIZES(50, 10), 7);
    const recorded part = recorded_sub(x, stn_at(1), stn_span_of(1, 3), stn_span_of(2, 4));
    const recorded again = recorded_sub(part, stn_all(), stn_at(1), stn_at(1));
    recorded y = recorded_dense(other, 1, 1, 1, 9);
    double values[24];
    (void)state;
    assert_true(recorded_get(x, 1, 2, 3) == 737.0);
    expect_call(memory, 73, 0.0);
    assert_true(recorded_const_get(recorded_to_const(x), 1, 0, 1) == 517.0);
    expect_call(memory, 51, 0.0);
    assert_true(recorded_set(x, 0, 1, 1, 5.0) == 117.0); /* a load after the store */
    recorded_store(x, 1, 1, 1, 1, (const double[]){-2.5});
    expect_call(memory, 61, -2.5);
    recorded_get(part, 0, 0, 0);
    expect_call(memory, 62, 0.0);
    recorded_get(again, 0, 0, 0);
    expect_call(memory, 73, 0.0);
    recorded_store(again, 0, 0, 0, 1, (const double[]){3.0});
    expect_call(memory, 73, 3.0);
    recorded_load(x, 0, 1, 2, 18, values);
    for (int k = 0; k < 18; k++)
        assert_true(values[k] == 10 * ((k + 6) / 12 * 50 + (k + 6) / 4 % 3 * 10 + (k + 6) % 4) + 7);
    y = recorded_dense(memory, 2, 3, 4, 7);
    recorded_get(y, 1, 0, 0);
    expect_call(memory, 12, 0.0);
}

static void test_shape(void **state)
{
    char memory[1];
    const recorded x = recorded_make(memory, SIZES(2, 3, 4), SIZES(50, 10), 7);
    (void)state;
    assert_ptr_equal(recorded_data(x), memory);
    assert_int_equal(recorded_length(x, 1), 3);
    assert_int_equal(recorded_length(x, 3), 1);
    assert_int_equal(recorded_stride(x, 0), 50);
    assert_int_equal(recorded_count(x), 24);
    assert_int_equal(recorded_stride(recorded_dense(memory, 2, 3, 4, 7), 0), 12);
    assert_int_equal(recorded_length(recorded_sub(x, stn_all(), stn_span_of(1, 3), stn_all()), 1),
                     2);
    assert_int_equal(recorded_format, -1);
    assert_int_equal(recorded_arithmetic, STN_F64);
}

/* ---- signed integers of 12 bits, two in three bytes ---- */

typedef struct packing {
    stn_size first; /* of the elements in memory */
} packing;

static int64_t load_12_bits(const uint8_t *data, stn_size index, packing how)
{
    const stn_size at = how.first + index, byte = at / 2 * 3;
    const int code = at % 2 ? data[byte + 1] >> 4 | data[byte + 2] << 4
                            : data[byte] | (data[byte + 1] & 15) << 8;
    return code < 2048 ? code : code - 4096;
}

static void store_12_bits(uint8_t *data, stn_size index, int64_t value, packing how)
{
    const stn_size at = how.first + index, byte = at / 2 * 3;
    const unsigned code = (unsigned)(value < -2048 ? -2048 : value > 2047 ? 2047 : value) & 4095u;
    if (at % 2) {
        data[byte + 1] = (uint8_t)((data[byte + 1] & 15u) | (code & 15u) << 4);
        data[byte + 2] = (uint8_t)(code >> 4);
    } else {
        data[byte] = (uint8_t)code;
        data[byte + 1] = (uint8_t)((data[byte + 1] & 0xf0u) | code >> 8);
    }
}

STN_ACCESSOR_CUSTOM(packed, 2, int64_t, uint8_t, packing, load_12_bits, store_12_bits)

/* 5 x 7 elements after the first three. Element k is 110 k - 2000. */
static void test_packed_integers(void **state)
{
    enum { BYTES = 60 };
    uint8_t memory[BYTES];
    const packed x = packed_dense(memory, 5, 7, (packing){3});
    const packed part = packed_sub(x, stn_span_of(1, 4), stn_span_of(2, 7));
    const packed again = packed_sub(part, stn_at(2), stn_span_of(1, 4));
    int64_t values[35];
    (void)state;
    memset(memory, 0xee, BYTES);
    for (int k = 0; k < 35; k++)
        values[k] = 110 * k - 2000;
    packed_store(x, 0, 0, 35, values);
    for (int k = 0; k < 35; k++)
        assert_int_equal(packed_get(x, k / 7, k % 7), 110 * k - 2000);
    /* the bytes before and after the elements */
    assert_true(memory[0] == 0xee && memory[1] == 0xee && memory[2] == 0xee && memory[3] == 0xee);
    assert_int_equal(memory[4] & 15, 0x0e);
    for (int k = 57; k < BYTES; k++)
        assert_int_equal(memory[k], 0xee);
    packed_load(part, 0, 0, 15, values);
    for (int k = 0; k < 15; k++) {
        assert_int_equal(values[k], 110 * (7 * (1 + k / 5) + 2 + k % 5) - 2000);
        assert_int_equal(packed_get(part, k / 5, k % 5), values[k]);
    }
    packed_store(again, 0, 0, 3, (const int64_t[]){-1, -2, -3});
    for (int k = 0; k < 35; k++)
        assert_int_equal(packed_get(x, k / 7, k % 7), k >= 24 && k < 27 ? 23 - k : 110 * k - 2000);
    assert_int_equal(packed_set(x, 2, 3, 5000), 2047);
    assert_int_equal(packed_set(x, 2, 4, -5000), -2048);
    assert_int_equal(packed_add(x, 0, 0, -100), -2048);
    assert_int_equal(packed_get(x, 0, 1), -1890);
    assert_int_equal(packed_multiply(x, 2, 5, -1), -90);
    assert_int_equal(packed_get(x, 2, 6), 200);
}

/* ---- floats in two arrays of 16 bits; without the lower one they are bf16 ---- */

typedef struct planes {
    uint16_t *lower; /* may be NULL */
} planes;

static double load_planes(const uint16_t *upper, stn_size index, planes with)
{
    const uint32_t low = with.lower ? with.lower[index] : 0;
    return (double)stn_f32_of_bits((uint32_t)upper[index] << 16 | low);
}

static void store_planes(uint16_t *upper, stn_size index, double value, planes with)
{
    const uint32_t bits = stn_bits_of_f32((float)value);
    upper[index] = (uint16_t)(bits >> 16);
    if (with.lower)
        with.lower[index] = (uint16_t)bits;
}

#define STN_NAME    split
#define STN_RANK    2
#define STN_REAL    double
#define STN_STORAGE uint16_t
#define STN_LAYOUT  LEFT
#define STN_CONTEXT planes
#define STN_LOAD    load_planes
#define STN_STORE   store_planes
#include "steno/accessor_define.h"

static void test_planes(void **state)
{
    uint16_t upper[24], lower[24];
    const split x = split_dense(upper, 4, 6, (planes){lower});
    const split coarse = split_dense(upper, 4, 6, (planes){NULL});
    const split part =
        split_sub(split_sub(x, stn_all(), stn_span_of(1, 6)), stn_span_of(1, 4), stn_span_of(1, 4));
    double values[9], back[9];
    (void)state;
    for (int k = 0; k < 24; k++) {
        const int i = k % 4, j = k / 4;
        const double value = (double)(1.0f / (float)(1 + i + j));
        assert_true(split_set(x, i, j, 1.0 / (1 + i + j)) == value);
        const double cut = split_get(coarse, i, j);
        assert_true(cut <= value && value - cut <= value * 0x1p-7);
    }
    assert_true(split_get(coarse, 0, 2) != split_get(x, 0, 2));
    assert_int_equal(split_stride(part, 0), 1);
    assert_true(split_get(part, 1, 2) == (double)(1.0f / 7.0f));
    for (int k = 0; k < 24; k++)
        split_set(x, k % 4, k / 4, 0.0);
    for (int k = 0; k < 9; k++)
        values[k] = k + 0x1p-20;
    split_store(part, 0, 0, 9, values);
    split_load(part, 0, 0, 9, back);
    assert_memory_equal(values, back, sizeof values);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++) {
            const int inside = i >= 1 && j >= 2 && j < 5;
            assert_true(split_get(x, i, j) == (inside ? 3 * (i - 1) + j - 2 + 0x1p-20 : 0.0));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls), cmocka_unit_test(test_shape),
                                       cmocka_unit_test(test_packed_integers),
                                       cmocka_unit_test(test_planes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
