/* Checked mode of accessors with scales, and of custom ones. */
#include "accessor_report.h"

#include <math.h>

STN_ACCESSOR_SCALED(scaled, 2, double, int8_t, 0x2)
STN_ACCESSOR_SCALED(global, 1, float, stn_f16, 0x0)
STN_ACCESSOR_BLOCK_SCALED(blocks, 2, double, int8_t, 0x3, 4)
STN_ACCESSOR(bytes, 2, double, uint8_t)

static int8_t codes[12];
static double scales[4];

static scaled rows(void)
{
    for (int k = 0; k < 12; k++)
        codes[k] = (int8_t)(k + 1);
    for (int k = 0; k < 4; k++)
        scales[k] = k + 2.0;
    return scaled_dense(codes, 3, 4, scales);
}

static void untouched(void)
{
    for (int k = 0; k < 12; k++)
        assert_int_equal(codes[k], k + 1);
}

/* ---- scales that nothing can be divided by ---- */

static void test_set_under_an_unusable_scale(void **state)
{
    static const double unusable[] = {0.0, -0.0, (double)NAN, (double)INFINITY, -(double)INFINITY};
    const scaled x = rows();
    (void)state;
    for (int k = 0; k < 5; k++) {
        scales[1] = unusable[k];
        assert_true(scaled_set(x, 1, 2, 5.0) == 0.0);
        reported("scaled", "scale number", -1, 1, 0);
        assert_true(scaled_add(x, 1, 2, 5.0) == 0.0);
        reported("scaled", "scale number", -1, 1, 0);
    }
    untouched();
    scales[1] = 0x1p-1074;
    scaled_set(x, 1, 2, 0x1p-1074);
    nothing_reported();
    assert_int_equal(codes[6], 1);
}

/* The row has one scale: nothing of it is stored. */
static void test_store_under_an_unusable_scale(void **state)
{
    const scaled x = rows();
    const double values[] = {50.0, 50.0, 50.0, 50.0};
    stn_f16 half = {0x3c00};
    float zero = 0.0f;
    (void)state;
    scales[1] = 0.0;
    scaled_store(x, 1, 1, 3, values);
    reported("scaled", "scale number", -1, 1, 0);
    untouched();
    global_store(global_dense(&half, 1, &zero), 0, 1, (const float[]){1.0f});
    reported("global", "scale number", -1, 0, 0);
    assert_int_equal(half.bits, 0x3c00);
    scaled_store(x, 2, 0, 4, values);
    nothing_reported();
    assert_int_equal(codes[8], 12);
}

static void test_set_scale(void **state)
{
    const scaled x = rows();
    (void)state;
    assert_true(scaled_set_scale(x, 2, 0, 0.0) == 0.0);
    reported("scaled", "scale number", -1, 2, 0);
    assert_true(scaled_set_scale_direct(x, (const stn_size[]){1}, (double)NAN) == 0.0);
    reported("scaled", "scale number", -1, 1, 0);
    assert_true(scales[1] == 3.0 && scales[2] == 4.0);
    assert_true(scaled_set_scale(x, 2, 0, -8.0) == -8.0);
    nothing_reported();
}

/* ---- indices of scales ---- */

static void test_scale_of_an_element(void **state)
{
    const scaled x = rows();
    (void)state;
    assert_true(scaled_scale(x, 3, 0) == 0.0);
    reported("scaled", "index", 0, 3, 3);
    assert_true(scaled_scale(x, 0, 4) == 0.0); /* though it selects no scale */
    reported("scaled", "index", 1, 4, 4);
    assert_true(scaled_set_scale(x, -1, 0, 5.0) == 0.0);
    reported("scaled", "index", 0, -1, 3);
    assert_true(scales[0] == 2.0 && scales[3] == 5.0);
    assert_true(scaled_scale(x, 2, 3) == 4.0);
    nothing_reported();
}

static void test_scale_direct(void **state)
{
    const scaled x = rows();
    (void)state;
    assert_true(scaled_scale_direct(x, (const stn_size[]){3}) == 0.0);
    reported("scaled", "scale index", 0, 3, 3);
    assert_true(scaled_scale_direct(x, (const stn_size[]){-1}) == 0.0);
    reported("scaled", "scale index", 0, -1, 3);
    assert_true(scaled_set_scale_direct(x, (const stn_size[]){3}, 7.0) == 0.0);
    reported("scaled", "scale index", 0, 3, 3);
    assert_true(scales[3] == 5.0);
}

/* Of a part that begins in the middle of a block, blocks are counted from that one. */
static void test_blocks(void **state)
{
    double many[6] = {1, 2, 3, 4, 5, 6};
    int8_t memory[20] = {0};
    const blocks x = blocks_dense(memory, 2, 10, many);
    const blocks part = blocks_sub(x, stn_at(1), stn_span_of(3, 9));
    (void)state;
    assert_true(blocks_scale_direct(part, (const stn_size[]){0, 2}) == 6.0);
    nothing_reported();
    assert_true(blocks_scale_direct(part, (const stn_size[]){0, 3}) == 0.0);
    reported("blocks", "scale index", 1, 3, 3);
    assert_true(blocks_scale_direct(part, (const stn_size[]){1, 0}) == 0.0);
    reported("blocks", "scale index", 0, 1, 1);
    many[4] = 0.0;
    assert_true(blocks_set(part, 0, 1, 1.0) == 0.0);
    reported("blocks", "scale number", -1, 1, 0);
}

static void test_elements(void **state)
{
    const scaled x = rows();
    double values[2] = {-1.0, -1.0};
    (void)state;
    assert_true(scaled_get(x, 1, 4) == 0.0);
    reported("scaled", "index", 1, 4, 4);
    assert_true(scaled_set(x, 3, 0, 1.0) == 0.0);
    reported("scaled", "index", 0, 3, 3);
    scaled_load(x, 2, 3, 2, values);
    reported("scaled", "run", 1, 2, 1);
    scaled_store(x, 2, 3, 2, values);
    reported("scaled", "run", 1, 2, 1);
    assert_int_equal(scaled_count(scaled_sub(x, stn_all(), stn_span_of(2, 5))), 0);
    reported("scaled", "end", 1, 5, 4);
    untouched();
    assert_true(values[0] == -1.0 && values[1] == -1.0);
}

/* ---- 16 bytes at once ---- */

static void test_load_vector(void **state)
{
    _Alignas(16) static uint8_t memory[64];
    const bytes x = bytes_dense(memory, 2, 32);
    double values[16] = {-1.0};
    (void)state;
    bytes_load_vector(x, 2, 0, values);
    reported("bytes", "index", 0, 2, 2);
    bytes_load_vector(x, 1, -16, values);
    reported("bytes", "index", 1, -16, 32);
    bytes_load_vector(x, 1, 17, values); /* 15 are left */
    reported("bytes", "vector", 1, 16, 32);
    bytes_load_vector(x, 0, 1, values);
    reported("bytes", "alignment", 1, 1, 16);
    assert_true(values[0] == -1.0);
    bytes_load_vector(x, 1, 16, values);
    nothing_reported();
    assert_true(values[0] == 0.0);
}

/* ---- functions of the user's are not called ---- */

static int calls;

static double count_load(const char *data, stn_size index, int context)
{
    (void)data, (void)index;
    calls++;
    return context;
}

static void count_store(char *data, stn_size index, double value, int context)
{
    (void)data, (void)index, (void)value, (void)context;
    calls++;
}

STN_ACCESSOR_CUSTOM(custom, 2, double, char, int, count_load, count_store)

static void test_custom(void **state)
{
    char memory[1];
    const custom x = custom_dense(memory, 2, 3, 9);
    double values[7] = {0};
    (void)state;
    assert_true(custom_get(x, 0, 3) == 0.0);
    reported("custom", "index", 1, 3, 3);
    assert_true(custom_set(x, -1, 0, 1.0) == 0.0);
    reported("custom", "index", 0, -1, 2);
    custom_load(x, 0, 0, 7, values);
    reported("custom", "run", 1, 7, 6);
    custom_store(x, 0, 1, 6, values);
    reported("custom", "run", 1, 6, 5);
    assert_int_equal(custom_count(custom_sub(x, stn_span_of(0, 3), stn_all())), 0);
    reported("custom", "end", 0, 3, 2);
    assert_int_equal(calls, 0);
    assert_true(custom_get(x, 1, 2) == 9.0);
    assert_int_equal(calls, 1);
    nothing_reported();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_under_an_unusable_scale),
        cmocka_unit_test(test_store_under_an_unusable_scale),
        cmocka_unit_test(test_set_scale),
        cmocka_unit_test(test_scale_of_an_element),
        cmocka_unit_test(test_scale_direct),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_load_vector),
        cmocka_unit_test(test_custom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
