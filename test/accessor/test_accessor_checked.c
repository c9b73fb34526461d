/* Checked mode: what is reported, with which numbers, and that nothing is touched then. */
#include "accessor_report.h"

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

#define STN_NAME       near
#define STN_RANK       2
#define STN_REAL       double
#define STN_STORAGE    int8_t
#define STN_INDEX_BITS 32
#include "steno/accessor_define.h"

/* ---- memory that should stay as it is ---- */

static float memory[24]; /* twice as many as are used */

static xrange rows(void)
{
    for (int k = 0; k < 12; k++)
        memory[k] = (float)(k + 1);
    return xrange_dense(memory, 3, 4);
}

static void untouched(void)
{
    for (int k = 0; k < 12; k++)
        assert_true(memory[k] == (float)(k + 1));
}

/* ---- indices ---- */

static void test_get(void **state)
{
    const xrange x = rows();
    (void)state;
    assert_true(xrange_get(x, -1, 0) == 0.0);
    reported("xrange", "index", 0, -1, 3);
    assert_true(xrange_get(x, 3, 0) == 0.0);
    reported("xrange", "index", 0, 3, 3);
    assert_true(xrange_get(x, 2, -5) == 0.0);
    reported("xrange", "index", 1, -5, 4);
    assert_true(xrange_get(x, 0, 4) == 0.0);
    reported("xrange", "index", 1, 4, 4);
    assert_true(xrange_const_get(xrange_to_const(x), 0, INT64_MAX) == 0.0);
    reported("xrange_const", "index", 1, INT64_MAX, 4);
    assert_true(xrange_get(x, 2, 3) == 12.0);
    nothing_reported();
}

static void test_set_and_updates(void **state)
{
    const xrange x = rows();
    (void)state;
    assert_true(xrange_set(x, 3, 0, 5.0) == 0.0);
    reported("xrange", "index", 0, 3, 3);
    assert_true(xrange_set(x, 0, -1, 5.0) == 0.0);
    reported("xrange", "index", 1, -1, 4);
    assert_true(xrange_add(x, 0, 4, 5.0) == 0.0);
    reported("xrange", "index", 1, 4, 4);
    assert_true(xrange_subtract(x, -1, 0, 5.0) == 0.0);
    reported("xrange", "index", 0, -1, 3);
    assert_true(xrange_multiply(x, 3, 0, 5.0) == 0.0);
    reported("xrange", "index", 0, 3, 3);
    assert_true(xrange_divide(x, 2, 7, 5.0) == 0.0);
    reported("xrange", "index", 1, 7, 4);
    untouched();
}

static void test_address(void **state)
{
    const xrange x = rows();
    (void)state;
    assert_null(xrange_address(x, 1, 4));
    reported("xrange", "index", 1, 4, 4);
    assert_ptr_equal(xrange_address(x, 1, 3), memory + 7);
    nothing_reported();
}

static void test_complex_reads_give_0(void **state)
{
    stn_c64 z[6] = {{1.0f, 2.0f}};
    const left x = left_dense(z, 1, 2, 3);
    (void)state;
    const stn_c128 value = left_get(x, 0, 1, 3);
    assert_true(value.re == 0.0 && value.im == 0.0);
    reported("left", "index", 2, 3, 3);
}

static void test_indices_of_32_bits(void **state)
{
    int8_t bytes[6] = {0};
    const near x = near_dense(bytes, 2, 3);
    (void)state;
    near_set(x, 1, -1, 1.0);
    reported("near", "index", 1, -1, 3);
    assert_int_equal(bytes[2], 0);
}

/* ---- sub-ranges ---- */

static void empty(xrange x)
{
    assert_int_equal(xrange_length(x, 0), 0);
    assert_int_equal(xrange_length(x, 1), 0);
    assert_int_equal(xrange_count(x), 0);
}

static void test_spans(void **state)
{
    const xrange x = rows();
    (void)state;
    empty(xrange_sub(x, stn_span_of(-1, 2), stn_all()));
    reported("xrange", "beginning", 0, -1, 3);
    empty(xrange_sub(x, stn_all(), stn_span_of(3, 2)));
    reported("xrange", "beginning", 1, 3, 4);
    empty(xrange_sub(x, stn_span_of(4, STN_SPAN_END), stn_all()));
    reported("xrange", "beginning", 0, 4, 3);
    empty(xrange_sub(x, stn_all(), stn_span_of(0, 5)));
    reported("xrange", "end", 1, 5, 4);
    empty(xrange_sub(x, stn_at(3), stn_all()));
    reported("xrange", "end", 0, 4, 3);
    empty(xrange_sub(x, stn_span_of(1, -1), stn_all()));
    reported("xrange", "beginning", 0, 1, 3);
}

static void test_empty_spans_are_legal(void **state)
{
    const xrange x = rows();
    const xrange none = xrange_sub(x, stn_span_of(3, 3), stn_span_of(2, 2));
    double value = 1.0;
    (void)state;
    empty(none);
    empty(xrange_sub(none, stn_all(), stn_span_of(0, 0)));
    xrange_load(none, 0, 0, 0, &value);
    xrange_store(none, 0, 0, 0, &value);
    nothing_reported();
    assert_true(xrange_get(none, 0, 0) == 0.0);
    reported("xrange", "index", 0, 0, 0);
    untouched();
}

/* The part's extents count, not those of the whole. */
static void test_parts(void **state)
{
    const xrange part = xrange_sub(rows(), stn_span_of(1, 3), stn_span_of(1, 3));
    (void)state;
    assert_true(xrange_get(part, 1, 1) == 11.0);
    nothing_reported();
    assert_true(xrange_get(part, 1, 2) == 0.0);
    reported("xrange", "index", 1, 2, 2);
    empty(xrange_sub(part, stn_span_of(0, 3), stn_all()));
    reported("xrange", "end", 0, 3, 2);
}

/* ---- runs ---- */

static void test_runs(void **state)
{
    const xrange x = rows();
    double values[13] = {-1, -1, -1};
    (void)state;
    xrange_load(x, 0, 0, 13, values);
    reported("xrange", "run", 1, 13, 12);
    xrange_load(x, 2, 1, 4, values);
    reported("xrange", "run", 1, 4, 3);
    xrange_load(x, 0, 0, -1, values);
    reported("xrange", "run", 1, -1, 0);
    xrange_load(x, 0, 4, 1, values);
    reported("xrange", "index", 1, 4, 4);
    assert_true(values[0] == -1.0);
    xrange_store(x, 2, 3, 2, values);
    reported("xrange", "run", 1, 2, 1);
    xrange_store(x, -1, 0, 2, values);
    reported("xrange", "index", 0, -1, 3);
    untouched();
    xrange_load(x, 2, 1, 3, values);
    xrange_load(x, 2, 3, 0, values);
    nothing_reported();
    assert_true(values[2] == 12.0);
}

/* ---- making one ---- */

static void test_extents(void **state)
{
    (void)state;
    empty(xrange_dense(memory, -1, 4));
    reported("xrange", "extent", 0, -1, 0);
    empty(xrange_make(memory, (const stn_size[]){3, -7}, (const stn_size[]){4}));
    reported("xrange", "extent", 1, -7, 0);
}

static void test_extents_of_the_type(void **state)
{
    rows();
    (void)state;
    assert_int_equal(tile_count(tile_make(memory, NULL, NULL)), 6);
    assert_int_equal(tile_count(tile_dense(memory, 2, 3)), 6);
    nothing_reported();
    assert_int_equal(tile_count(tile_dense(memory, 2, 4)), 0);
    reported("tile", "extent", 1, 4, 3);
    assert_int_equal(tile_count(tile_make(memory, (const stn_size[]){1, 3}, NULL)), 0);
    reported("tile", "extent", 0, 1, 2);
    assert_true(tile_get(tile_make(memory, NULL, NULL), 2, 0) == 0.0);
    reported("tile", "index", 0, 2, 2);
}

/* Offsets of 32 bits reach elements 0 to 2^31 - 1. */
static void test_spans_for_32_bits(void **state)
{
    const stn_size two_31 = (stn_size)1 << 31;
    int8_t byte = 0;
    (void)state;
    assert_int_equal(near_count(near_dense(&byte, 1, two_31 - 1)), two_31 - 1);
    assert_int_equal(
        near_count(near_make(&byte, (const stn_size[]){2, 1}, &(stn_size){two_31 - 1})), 2);
    nothing_reported();
    assert_int_equal(near_count(near_dense(&byte, 1, two_31 + 1)), 0);
    reported("near", "span, for 32-bit indices,", 0, two_31, two_31 - 1);
    assert_int_equal(
        near_count(near_make(&byte, (const stn_size[]){2, 2}, &(stn_size){two_31 - 1})), 0);
    reported("near", "span, for 32-bit indices,", 0, two_31, two_31 - 1);
    assert_int_equal(near_count(near_make(&byte, (const stn_size[]){3, 2}, &(stn_size){-two_31})),
                     0);
    reported("near", "span, for 32-bit indices,", 0, 2 * two_31 + 1, two_31 - 1);
}

/* Products that no int64 holds are no small spans. */
static void test_spans_beyond_64_bits(void **state)
{
    const stn_size two_40 = (stn_size)1 << 40;
    int8_t byte = 0;
    (void)state;
    assert_int_equal(near_count(near_dense(&byte, two_40, two_40)), 0);
    assert_true(report.count > 0);
    memset(&report, 0, sizeof report);
    empty(xrange_make(memory, (const stn_size[]){two_40, two_40}, (const stn_size[]){0}));
    reported("xrange", "number of elements", 0, INT64_MAX, INT64_MAX - 1);
    empty(xrange_make(memory, (const stn_size[]){3, 4}, (const stn_size[]){two_40 << 22}));
    reported("xrange", "span", 0, INT64_MAX, INT64_MAX - 1);
    empty(xrange_make(memory, (const stn_size[]){3, 4}, (const stn_size[]){INT64_MIN}));
    reported("xrange", "span", 0, INT64_MAX, INT64_MAX - 1);
}

/* ---- arrangements ---- */

static void test_arrangements(void **state)
{
    const turning x = turning_dense(xrange_data(rows()), 3, 4);
    (void)state;
    assert_int_equal(turning_count(turning_transpose(x, 2, 0)), 0);
    reported("turning", "dimension", 2, 2, 2);
    assert_int_equal(turning_count(turning_transpose(x, 0, -1)), 0);
    reported("turning", "dimension", -1, -1, 2);
    assert_int_equal(turning_count(turning_every(x, 2, 1)), 0);
    reported("turning", "dimension", 2, 2, 2);
    assert_int_equal(turning_count(turning_every(x, 1, 0)), 0);
    reported("turning", "step", 1, 0, 4);
    assert_int_equal(turning_count(turning_every(x, 0, -2)), 0);
    reported("turning", "step", 0, -2, 3);
    assert_int_equal(turning_count(turning_reverse(x, 7)), 0);
    reported("turning", "dimension", 7, 7, 2);
    assert_true(turning_get(turning_reverse(turning_transpose(x, 0, 1), 0), 0, 2) == 12.0);
    nothing_reported();
}

/* ---- slices ---- */

static void test_slices(void **state)
{
    const xrange x = rows();
    (void)state;
    assert_int_equal(row_count(row_of(x, stn_at(3), stn_all())), 0);
    reported("row_of", "end", 0, 4, 3);
    assert_int_equal(row_count(row_of(x, stn_span_of(3, 3), stn_all())), 0);
    reported("row_of", "index", 0, 3, 3);
    assert_int_equal(row_count(row_of(x, stn_at(0), stn_span_of(-2, 3))), 0);
    reported("row_of", "beginning", 1, -2, 4);
    assert_int_equal(row_count(row_of(x, stn_at(0), stn_span_of(0, 5))), 0);
    reported("row_of", "end", 1, 5, 4);
    assert_int_equal(row_count(row_of(x, stn_at(2), stn_span_of(1, 4))), 3);
    nothing_reported();
}

static void test_alignment(void **state)
{
    union {
        double parts[8];
        stn_f64 aligned __attribute__((aligned(16)));
    } kept = {{1, 2, 3, 4, 5, 6, 7, 8}};
    (void)state;
    assert_int_equal(turned_count(turned_dense((stn_c128 *)(void *)(kept.parts + 1), 3)), 0);
    reported("turned", "address modulo the alignment", 0, 8, 16);
    const turned x = turned_dense((stn_c128 *)(void *)(kept.parts + 2), 3);
    const turned y = turned_sub(x, stn_span_of(1, 3));
    assert_true(turned_get(part_of(y, stn_span_of(1, 2)), 0).re == 7);
    turned_store(y, 0, 2, (const stn_c128[]){{1, -1}, {2, -2}});
    assert_true(turned_set(x, 0, (stn_c128){9, 10}).im == 10);
    assert_true(kept.parts[2] == 9 && kept.parts[5] == -1 && kept.parts[6] == 2);
    nothing_reported();
}

static void test_slices_that_do_not_fit(void **state)
{
    const row x = row_dense(xrange_data(rows()), 12);
    (void)state;
    assert_int_equal(three_count(three_of(x, stn_span_of(0, 4))), 0);
    reported("three_of", "extent", 0, 4, 3);
    assert_int_equal(twos_count(twos_of(x, stn_span_of(0, 4))), 0);
    reported("twos_of", "stride", 0, 1, 2);
    assert_int_equal(three_count(three_of(x, stn_span_of(5, 8))), 3);
    nothing_reported();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_get),
        cmocka_unit_test(test_set_and_updates),
        cmocka_unit_test(test_address),
        cmocka_unit_test(test_complex_reads_give_0),
        cmocka_unit_test(test_indices_of_32_bits),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_empty_spans_are_legal),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_extents),
        cmocka_unit_test(test_extents_of_the_type),
        cmocka_unit_test(test_spans_for_32_bits),
        cmocka_unit_test(test_spans_beyond_64_bits),
        cmocka_unit_test(test_arrangements),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_slices_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
