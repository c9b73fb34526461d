/* Checked mode: every report with its numbers; elements, scales and functions of the program are
 * left alone, and reads give 0. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void record(const char *accessor, const char *problem, int dimension, int64_t value,
                   int64_t extent);

#define STN_CHECKED
#define STN_CHECK_FAILED record
#include "steno/accessor_block.h"

STN_ACCESSOR(xrange, 2, double, float)
STN_ACCESSOR_STRIDED(turning, 2, double, float)
STN_ACCESSOR_LEFT(left, 3, stn_c128, stn_c64)
STN_ACCESSOR_STATIC(tile, 2, double, float, (2, 3), (3, 1))
STN_ACCESSOR_STATIC(three, 1, double, float, (3), (1))
STN_ACCESSOR_STATIC(twos, 1, double, float, (STN_DYNAMIC), (2))
STN_ACCESSOR(row, 1, double, float)
STN_ACCESSOR_ALIGNED(turned, 1, stn_c128, stn_c128, 16)
STN_ACCESSOR_SLICE(part_of, turned, 1, turned, 0x1)
STN_ACCESSOR_SLICE(row_of, xrange, 2, row, 0x1)
STN_ACCESSOR_SLICE(three_of, row, 1, three, 0x1)
STN_ACCESSOR_SLICE(twos_of, row, 1, twos, 0x1)
STN_ACCESSOR_SCALED(scaled, 2, double, int8_t, 0x2)
STN_ACCESSOR_SCALED(global, 1, float, stn_f16, 0x0)
STN_ACCESSOR_BLOCK_SCALED(blocks, 2, double, int8_t, 0x3, 4)
STN_ACCESSOR(bytes, 2, double, uint8_t)
STN_ACCESSOR_BLOCKS(packed, 2, double, STN_BFP16)

#define STN_NAME       near
#define STN_RANK       2
#define STN_REAL       double
#define STN_STORAGE    int8_t
#define STN_INDEX_BITS 32
#include "steno/accessor_define.h"

/* ---- reports ---- */

/* The first report since the last check, and their number. */
static struct {
    int count;
    const char *accessor, *problem;
    int dimension;
    int64_t value, extent;
} report;

static void record(const char *accessor, const char *problem, int dimension, int64_t value,
                   int64_t extent)
{
    if (report.count++ == 0) {
        report.accessor = accessor;
        report.problem = problem;
        report.dimension = dimension;
        report.value = value;
        report.extent = extent;
    }
}

static void reported(const char *accessor, const char *problem, int dimension, int64_t value,
                     int64_t extent)
{
    assert_true(report.count > 0);
    assert_string_equal(report.accessor, accessor);
    assert_string_equal(report.problem, problem);
    assert_int_equal(report.dimension, dimension);
    assert_int_equal(report.value, value);
    assert_int_equal(report.extent, extent);
    memset(&report, 0, sizeof report);
}

/* The call is reported; and its result is 0, NULL or an accessor without elements. */
#define REPORTS(call, ...)                                                                         \
    {                                                                                              \
        call;                                                                                      \
        reported(__VA_ARGS__);                                                                     \
    }
#define GIVES_0(call, ...)      REPORTS(assert_true((call) == 0), __VA_ARGS__)
#define EMPTY(type, array, ...) GIVES_0(type##_count(array), __VA_ARGS__)

static void nothing_reported(void)
{
    if (report.count > 0)
        fail_msg("%s: %s", report.accessor, report.problem);
}

/* ---- arrays that should not change ---- */

static float memory[24]; /* twice the number of elements */
static int8_t codes[12];
static double scales[4];

static xrange x;
static scaled q;

static int fill(void **state)
{
    (void)state;
    memset(&report, 0, sizeof report);
    for (int k = 0; k < 12; k++) {
        memory[k] = (float)(k + 1);
        codes[k] = (int8_t)(k + 1);
    }
    for (int k = 0; k < 4; k++)
        scales[k] = k + 2.0;
    x = xrange_dense(memory, 3, 4);
    q = scaled_dense(codes, 3, 4, scales);
    return 0;
}

static void untouched(void)
{
    for (int k = 0; k < 12; k++)
        assert_true(memory[k] == (float)(k + 1) && codes[k] == k + 1);
}

/* ---- elements ---- */

static void test_elements(void **state)
{
    stn_c64 z[6] = {{1.0f, 2.0f}};
    int8_t few[6] = {0};
    (void)state;
    GIVES_0(xrange_get(x, -1, 0), "xrange", "index", 0, -1, 3)
    GIVES_0(xrange_get(x, 3, 0), "xrange", "index", 0, 3, 3)
    GIVES_0(xrange_get(x, 2, -5), "xrange", "index", 1, -5, 4)
    GIVES_0(xrange_get(x, 0, 4), "xrange", "index", 1, 4, 4)
    GIVES_0(xrange_const_get(xrange_to_const(x), 0, INT64_MAX), "xrange_const", "index", 1,
            INT64_MAX, 4)
    GIVES_0(xrange_set(x, 3, 0, 5.0), "xrange", "index", 0, 3, 3)
    GIVES_0(xrange_set(x, 0, -1, 5.0), "xrange", "index", 1, -1, 4)
    GIVES_0(xrange_add(x, 0, 4, 5.0), "xrange", "index", 1, 4, 4)
    GIVES_0(xrange_subtract(x, -1, 0, 5.0), "xrange", "index", 0, -1, 3)
    GIVES_0(xrange_multiply(x, 3, 0, 5.0), "xrange", "index", 0, 3, 3)
    GIVES_0(xrange_divide(x, 2, 7, 5.0), "xrange", "index", 1, 7, 4)
    GIVES_0(xrange_address(x, 1, 4), "xrange", "index", 1, 4, 4)
    GIVES_0(left_get(left_dense(z, 1, 2, 3), 0, 1, 3).re, "left", "index", 2, 3, 3)
    GIVES_0(left_get(left_dense(z, 1, 2, 3), 0, 1, 3).im, "left", "index", 2, 3, 3)
    GIVES_0(near_set(near_dense(few, 2, 3), 1, -1, 1.0), "near", "index", 1, -1, 3)
    assert_int_equal(few[2], 0);
    GIVES_0(scaled_get(q, 1, 4), "scaled", "index", 1, 4, 4)
    GIVES_0(scaled_set(q, 3, 0, 1.0), "scaled", "index", 0, 3, 3)
    untouched();
    assert_true(xrange_get(x, 2, 3) == 12.0);
    assert_ptr_equal(xrange_address(x, 1, 3), memory + 7);
    nothing_reported();
}

static void test_runs(void **state)
{
    double values[13] = {-1, -1, -1};
    (void)state;
    REPORTS(xrange_load(x, 0, 0, 13, values), "xrange", "run", 1, 13, 12)
    REPORTS(xrange_load(x, 2, 1, 4, values), "xrange", "run", 1, 4, 3)
    REPORTS(xrange_load(x, 0, 0, -1, values), "xrange", "run", 1, -1, 0)
    REPORTS(xrange_load(x, 0, 4, 1, values), "xrange", "index", 1, 4, 4)
    REPORTS(scaled_load(q, 2, 3, 2, values), "scaled", "run", 1, 2, 1)
    assert_true(values[0] == -1.0 && values[1] == -1.0);
    REPORTS(xrange_store(x, 2, 3, 2, values), "xrange", "run", 1, 2, 1)
    REPORTS(xrange_store(x, -1, 0, 2, values), "xrange", "index", 0, -1, 3)
    REPORTS(scaled_store(q, 2, 3, 2, values), "scaled", "run", 1, 2, 1)
    untouched();
    xrange_load(x, 2, 1, 3, values);
    xrange_load(x, 2, 3, 0, values);
    nothing_reported();
    assert_true(values[2] == 12.0);
}

/* 16 bytes at once */
static void test_load_vector(void **state)
{
    _Alignas(16) static uint8_t many[64];
    const bytes y = bytes_dense(many, 2, 32);
    double values[16] = {-1.0};
    (void)state;
    REPORTS(bytes_load_vector(y, 2, 0, values), "bytes", "index", 0, 2, 2)
    REPORTS(bytes_load_vector(y, 1, -16, values), "bytes", "index", 1, -16, 32)
    REPORTS(bytes_load_vector(y, 1, 17, values), "bytes", "vector", 1, 16, 32) /* 15 are left */
    REPORTS(bytes_load_vector(y, 0, 1, values), "bytes", "alignment", 1, 1, 16)
    assert_true(values[0] == -1.0);
    bytes_load_vector(y, 1, 16, values);
    nothing_reported();
    assert_true(values[0] == 0.0);
}

/* ---- parts, slices and transformations ---- */

/* Both lengths and the count are 0. */
static stn_size size_of(xrange y)
{
    return xrange_length(y, 0) + xrange_length(y, 1) + xrange_count(y);
}

static void test_spans(void **state)
{
    const stn_span all = stn_all(), beyond = stn_span_of(4, STN_SPAN_END);
    const xrange none = xrange_sub(x, stn_span_of(3, 3), stn_span_of(2, 2));
    const xrange part = xrange_sub(x, stn_span_of(1, 3), stn_span_of(1, 3));
    double value = 1.0;
    (void)state;
    GIVES_0(size_of(xrange_sub(x, stn_span_of(-1, 2), all)), "xrange", "beginning", 0, -1, 3)
    GIVES_0(size_of(xrange_sub(x, all, stn_span_of(3, 2))), "xrange", "beginning", 1, 3, 4)
    GIVES_0(size_of(xrange_sub(x, beyond, all)), "xrange", "beginning", 0, 4, 3)
    GIVES_0(size_of(xrange_sub(x, all, stn_span_of(0, 5))), "xrange", "end", 1, 5, 4)
    GIVES_0(size_of(xrange_sub(x, stn_at(3), all)), "xrange", "end", 0, 4, 3)
    GIVES_0(size_of(xrange_sub(x, stn_span_of(1, -1), all)), "xrange", "beginning", 0, 1, 3)
    EMPTY(scaled, scaled_sub(q, all, stn_span_of(2, 5)), "scaled", "end", 1, 5, 4)
    /* empty spans are valid */
    assert_int_equal(size_of(none) + size_of(xrange_sub(none, all, stn_span_of(0, 0))), 0);
    xrange_load(none, 0, 0, 0, &value);
    xrange_store(none, 0, 0, 0, &value);
    nothing_reported();
    GIVES_0(xrange_get(none, 0, 0), "xrange", "index", 0, 0, 0)
    /* a part has its own extents */
    assert_true(xrange_get(part, 1, 1) == 11.0);
    nothing_reported();
    GIVES_0(xrange_get(part, 1, 2), "xrange", "index", 1, 2, 2)
    GIVES_0(size_of(xrange_sub(part, stn_span_of(0, 3), all)), "xrange", "end", 0, 3, 2)
    untouched();
}

static void test_transformations(void **state)
{
    const turning y = turning_dense(memory, 3, 4);
    (void)state;
    EMPTY(turning, turning_transpose(y, 2, 0), "turning", "dimension", 2, 2, 2)
    EMPTY(turning, turning_transpose(y, 0, -1), "turning", "dimension", -1, -1, 2)
    EMPTY(turning, turning_every(y, 2, 1), "turning", "dimension", 2, 2, 2)
    EMPTY(turning, turning_every(y, 1, 0), "turning", "step", 1, 0, 4)
    EMPTY(turning, turning_every(y, 0, -2), "turning", "step", 0, -2, 3)
    EMPTY(turning, turning_reverse(y, 7), "turning", "dimension", 7, 7, 2)
    assert_true(turning_get(turning_reverse(turning_transpose(y, 0, 1), 0), 0, 2) == 12.0);
    nothing_reported();
}

static void test_slices(void **state)
{
    const row y = row_dense(memory, 12);
    const stn_span four = stn_span_of(0, 4);
    (void)state;
    EMPTY(row, row_of(x, stn_at(3), stn_all()), "row_of", "end", 0, 4, 3)
    EMPTY(row, row_of(x, stn_span_of(3, 3), stn_all()), "row_of", "index", 0, 3, 3)
    EMPTY(row, row_of(x, stn_at(0), stn_span_of(-2, 3)), "row_of", "beginning", 1, -2, 4)
    EMPTY(row, row_of(x, stn_at(0), stn_span_of(0, 5)), "row_of", "end", 1, 5, 4)
    EMPTY(three, three_of(y, four), "three_of", "extent", 0, 4, 3)
    EMPTY(twos, twos_of(y, four), "twos_of", "stride", 0, 1, 2)
    assert_int_equal(row_count(row_of(x, stn_at(2), stn_span_of(1, 4))), 3);
    assert_int_equal(three_count(three_of(y, stn_span_of(5, 8))), 3);
    nothing_reported();
}

/* ---- extents, strides and alignment ---- */

#define SIZES(...) ((const stn_size[]){__VA_ARGS__})

static void test_extents(void **state)
{
    (void)state;
    GIVES_0(size_of(xrange_dense(memory, -1, 4)), "xrange", "extent", 0, -1, 0)
    GIVES_0(size_of(xrange_make(memory, SIZES(3, -7), SIZES(4))), "xrange", "extent", 1, -7, 0)
    EMPTY(tile, tile_dense(memory, 2, 4), "tile", "extent", 1, 4, 3)
    EMPTY(tile, tile_make(memory, SIZES(1, 3), NULL), "tile", "extent", 0, 1, 2)
    GIVES_0(tile_get(tile_make(memory, NULL, NULL), 2, 0), "tile", "index", 0, 2, 2)
    assert_int_equal(tile_count(tile_make(memory, NULL, NULL)), 6);
    assert_int_equal(tile_count(tile_dense(memory, 2, 3)), 6);
    nothing_reported();
}

/* Offsets of 32 bits are less than 2^31; those of 64 bits and the number of elements are int64. */
static void test_ranges_of_offsets(void **state)
{
    static const char *const span_32 = "span, for 32-bit indices,";
    const stn_size two_31 = (stn_size)1 << 31, most = two_31 - 1, two_40 = (stn_size)1 << 40;
    int8_t byte = 0;
    (void)state;
    EMPTY(near, near_dense(&byte, 1, two_31 + 1), "near", span_32, 0, two_31, most)
    EMPTY(near, near_make(&byte, SIZES(2, 2), SIZES(most)), "near", span_32, 0, two_31, most)
    EMPTY(near, near_make(&byte, SIZES(3, 2), SIZES(-two_31)), "near", span_32, 0, 2 * two_31 + 1,
          most)
    assert_int_equal(near_count(near_dense(&byte, 1, most)), most);
    assert_int_equal(near_count(near_make(&byte, SIZES(2, 1), SIZES(most))), 2);
    nothing_reported();
    assert_int_equal(near_count(near_dense(&byte, two_40, two_40)), 0);
    assert_true(report.count > 0);
    memset(&report, 0, sizeof report);
    GIVES_0(size_of(xrange_make(memory, SIZES(two_40, two_40), SIZES(0))), "xrange",
            "number of elements", 0, INT64_MAX, INT64_MAX - 1)
    GIVES_0(size_of(xrange_make(memory, SIZES(3, 4), SIZES(two_40 << 22))), "xrange", "span", 0,
            INT64_MAX, INT64_MAX - 1)
    GIVES_0(size_of(xrange_make(memory, SIZES(3, 4), SIZES(INT64_MIN))), "xrange", "span", 0,
            INT64_MAX, INT64_MAX - 1)
}

static void test_alignment(void **state)
{
    static _Alignas(16) double parts[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    stn_c128 *const odd = (stn_c128 *)(void *)(parts + 1);
    const turned y = turned_dense((stn_c128 *)(void *)(parts + 2), 3);
    const turned part = turned_sub(y, stn_span_of(1, 3));
    (void)state;
    EMPTY(turned, turned_dense(odd, 3), "turned", "address modulo the alignment", 0, 8, 16)
    assert_true(turned_get(part_of(part, stn_span_of(1, 2)), 0).re == 7);
    turned_store(part, 0, 2, (const stn_c128[]){{1, -1}, {2, -2}});
    assert_true(turned_set(y, 0, (stn_c128){9, 10}).im == 10);
    assert_true(parts[2] == 9 && parts[5] == -1 && parts[6] == 2);
    nothing_reported();
}

/* ---- scales ---- */

/* Scales that no value can be divided by. */
static void test_invalid_scales(void **state)
{
    static const double invalid[] = {0.0, -0.0, (double)NAN, (double)INFINITY, -(double)INFINITY};
    const double values[] = {50.0, 50.0, 50.0, 50.0};
    stn_f16 half = {0x3c00};
    float zero = 0.0f;
    (void)state;
    for (int k = 0; k < 5; k++) {
        scales[1] = invalid[k];
        GIVES_0(scaled_set(q, 1, 2, 5.0), "scaled", "scale number", -1, 1, 0)
        GIVES_0(scaled_add(q, 1, 2, 5.0), "scaled", "scale number", -1, 1, 0)
        REPORTS(scaled_store(q, 1, 1, 3, values), "scaled", "scale number", -1, 1, 0)
    }
    REPORTS(global_store(global_dense(&half, 1, &zero), 0, 1, (const float[]){1.0f}), "global",
            "scale number", -1, 0, 0)
    assert_int_equal(half.bits, 0x3c00);
    untouched();
    scales[1] = 3.0;
    GIVES_0(scaled_set_scale(q, 2, 0, 0.0), "scaled", "scale number", -1, 2, 0)
    GIVES_0(scaled_set_scale_direct(q, SIZES(1), (double)NAN), "scaled", "scale number", -1, 1, 0)
    assert_true(scales[1] == 3.0 && scales[2] == 4.0);
    scales[1] = 0x1p-1074;
    scaled_set(q, 1, 2, 0x1p-1074);
    assert_int_equal(codes[6], 1);
    scaled_store(q, 2, 0, 4, values);
    assert_int_equal(codes[8], 12);
    assert_true(scaled_set_scale(q, 2, 0, -8.0) == -8.0);
    nothing_reported();
}

/* Blocks of a part that begins inside a block are counted from that one. */
static void test_indices_of_scales(void **state)
{
    double many[6] = {1, 2, 3, 4, 5, 6};
    int8_t few[20] = {0};
    const blocks part = blocks_sub(blocks_dense(few, 2, 10, many), stn_at(1), stn_span_of(3, 9));
    (void)state;
    GIVES_0(scaled_scale(q, 3, 0), "scaled", "index", 0, 3, 3)
    GIVES_0(scaled_scale(q, 0, 4), "scaled", "index", 1, 4, 4) /* though it selects no scale */
    GIVES_0(scaled_set_scale(q, -1, 0, 5.0), "scaled", "index", 0, -1, 3)
    GIVES_0(scaled_scale_direct(q, SIZES(3)), "scaled", "scale index", 0, 3, 3)
    GIVES_0(scaled_scale_direct(q, SIZES(-1)), "scaled", "scale index", 0, -1, 3)
    GIVES_0(scaled_set_scale_direct(q, SIZES(3), 7.0), "scaled", "scale index", 0, 3, 3)
    assert_true(scales[0] == 2.0 && scales[3] == 5.0);
    GIVES_0(blocks_scale_direct(part, SIZES(0, 3)), "blocks", "scale index", 1, 3, 3)
    GIVES_0(blocks_scale_direct(part, SIZES(1, 0)), "blocks", "scale index", 0, 1, 1)
    assert_true(scaled_scale(q, 2, 3) == 4.0);
    assert_true(blocks_scale_direct(part, SIZES(0, 2)) == 6.0);
    nothing_reported();
    many[4] = 0.0;
    GIVES_0(blocks_set(part, 0, 1, 1.0), "blocks", "scale number", -1, 1, 0)
}

/* ---- functions of the program are not called ---- */

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
    char data[1];
    const custom y = custom_dense(data, 2, 3, 9);
    double values[7] = {0};
    (void)state;
    GIVES_0(custom_get(y, 0, 3), "custom", "index", 1, 3, 3)
    GIVES_0(custom_set(y, -1, 0, 1.0), "custom", "index", 0, -1, 2)
    REPORTS(custom_load(y, 0, 0, 7, values), "custom", "run", 1, 7, 6)
    REPORTS(custom_store(y, 0, 1, 6, values), "custom", "run", 1, 6, 5)
    EMPTY(custom, custom_sub(y, stn_span_of(0, 3), stn_all()), "custom", "end", 0, 3, 2)
    assert_int_equal(calls, 0);
    assert_true(custom_get(y, 1, 2) == 9.0);
    assert_int_equal(calls, 1);
    nothing_reported();
}

/* Blocks are left alone, and values of a block are not set. */
static void test_blocks(void **state)
{
    stn_u8 bytes_of[6 * 66] = {0};
    double values[packed_block];
    const packed y = packed_dense(bytes_of, NULL, 3, 40);
    (void)state;
    for (int k = 0; k < packed_block; k++)
        values[k] = k + 1.0;
    GIVES_0(packed_get(y, 3, 0), "packed", "index", 0, 3, 3)
    GIVES_0(packed_get(y, 0, 40), "packed", "index", 1, 40, 40)
    REPORTS(packed_store_block(y, 2, 2, values), "packed", "index", 1, 2, 2)
    REPORTS(packed_store_block(y, -1, 0, values), "packed", "index", 0, -1, 3)
    REPORTS(packed_load_block(y, 0, -1, values), "packed", "index", 1, -1, 2)
    REPORTS(packed_const_load_block(packed_to_const(y), 3, 0, values), "packed_const", "index", 0,
            3, 3)
    for (int k = 0; k < 6 * 66; k++)
        assert_true(bytes_of[k] == 0);
    assert_true(values[31] == 32.0);
    packed_store_block(y, 2, 1, values);
    packed_load_block(y, 2, 1, values);
    assert_true(packed_get(y, 2, 39) == 8.0 && values[7] == 8.0 && values[8] == 0.0);
    nothing_reported();
}

#define TEST(test) cmocka_unit_test_setup(test, fill)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_elements),
        TEST(test_runs),
        TEST(test_load_vector),
        TEST(test_spans),
        TEST(test_transformations),
        TEST(test_slices),
        TEST(test_extents),
        TEST(test_ranges_of_offsets),
        TEST(test_alignment),
        TEST(test_invalid_scales),
        TEST(test_indices_of_scales),
        TEST(test_custom),
        TEST(test_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
