/* Layouts by numbers written out: row-major of rank 2 and 3, blocks by column, column-major, and
 * two accessors over the same memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR(row2, 2, int64_t, int32_t)
STN_ACCESSOR(row3, 3, int64_t, int32_t)
STN_ACCESSOR_BLOCK_COL_MAJOR(block3, 3, int64_t, int32_t)
STN_ACCESSOR_LEFT(left3, 3, int64_t, int32_t)
STN_ACCESSOR(bytes1, 1, int64_t, uint8_t)

enum { MEMORY = 64 };

/* Element k of memory is 100 + k. */
static int32_t *numbered(void)
{
    static int32_t memory[MEMORY];
    for (int k = 0; k < MEMORY; k++)
        memory[k] = 100 + k;
    return memory;
}

/* Memory is still numbered, but for element `changed`. */
static void check_untouched(const int32_t *memory, stn_size changed)
{
    for (int k = 0; k < MEMORY; k++)
        if (k != changed)
            assert_int_equal(memory[k], 100 + k);
}

/* ---- row-major, rank 2 ---- */

static void test_row2_dense(void **state)
{
    const row2 x = row2_dense(numbered(), 3, 4);
    (void)state;
    assert_int_equal(row2_length(x, 0), 3);
    assert_int_equal(row2_length(x, 1), 4);
    assert_int_equal(row2_stride(x, 0), 4);
    assert_int_equal(row2_stride(x, 1), 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            assert_int_equal(row2_get(x, i, j), 100 + 4 * i + j);
}

static void test_row2_padded(void **state)
{
    const row2 x = row2_make(numbered(), (const stn_size[]){3, 4}, (const stn_size[]){7});
    (void)state;
    assert_int_equal(row2_stride(x, 0), 7);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            assert_int_equal(row2_get(x, i, j), 100 + 7 * i + j);
}

static void test_row2_write(void **state)
{
    int32_t *const memory = numbered();
    const row2 x = row2_make(memory, (const stn_size[]){3, 4}, (const stn_size[]){7});
    (void)state;
    assert_int_equal(row2_set(x, 1, 2, -5), -5);
    assert_int_equal(memory[9], -5);
    assert_int_equal(row2_get(x, 1, 2), -5);
    check_untouched(memory, 9);
}

static void test_row2_sub(void **state)
{
    const row2 x = row2_make(numbered(), (const stn_size[]){3, 4}, (const stn_size[]){7});
    const row2 part = row2_sub(x, stn_span_of(1, 3), stn_span_of(0, 2));
    (void)state;
    assert_int_equal(row2_length(part, 0), 2);
    assert_int_equal(row2_length(part, 1), 2);
    assert_int_equal(row2_stride(part, 0), 7);
    assert_int_equal(row2_get(part, 0, 0), 107);
    assert_int_equal(row2_get(part, 0, 1), 108);
    assert_int_equal(row2_get(part, 1, 0), 114);
    assert_int_equal(row2_get(part, 1, 1), 115);
}

static void test_row2_row_vector(void **state)
{
    const row2 x = row2_dense(numbered(), 3, 4);
    const row2 row = row2_sub(x, stn_at(2), stn_span_of(1, 4));
    (void)state;
    assert_int_equal(row2_length(row, 0), 1);
    assert_int_equal(row2_length(row, 1), 3);
    for (int j = 0; j < 3; j++)
        assert_int_equal(row2_get(row, 0, j), 109 + j);
}

static void test_row2_column_vector(void **state)
{
    const row2 x = row2_dense(numbered(), 3, 4);
    const row2 column = row2_sub(x, stn_all(), stn_at(0));
    (void)state;
    assert_int_equal(row2_length(column, 0), 3);
    assert_int_equal(row2_length(column, 1), 1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(row2_get(column, i, 0), 100 + 4 * i);
}

static void test_row2_element_to_element(void **state)
{
    int32_t *const memory = numbered();
    const row2 x = row2_dense(memory, 3, 4);
    (void)state;
    row2_set(x, 0, 1, row2_get(x, 2, 3));
    assert_int_equal(memory[1], 111);
    assert_int_equal(memory[11], 111);
    check_untouched(memory, 1);
}

/* ---- row-major, rank 3 ---- */

static row3 padded_row3(int32_t *memory)
{
    return row3_make(memory, (const stn_size[]){2, 2, 3}, (const stn_size[]){12, 4});
}

static void test_row3_dense(void **state)
{
    const row3 x = row3_dense(numbered(), 2, 3, 4);
    (void)state;
    assert_int_equal(row3_stride(x, 0), 12);
    assert_int_equal(row3_stride(x, 1), 4);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                assert_int_equal(row3_get(x, i, j, k), 100 + 12 * i + 4 * j + k);
}

static void test_row3_padded(void **state)
{
    const row3 x = padded_row3(numbered());
    (void)state;
    assert_int_equal(row3_count(x), 12);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++)
                assert_int_equal(row3_get(x, i, j, k), 100 + 12 * i + 4 * j + k);
}

static void test_row3_write(void **state)
{
    int32_t *const memory = numbered();
    (void)state;
    row3_set(padded_row3(memory), 1, 1, 2, 7);
    assert_int_equal(memory[18], 7);
    check_untouched(memory, 18);
}

static void test_row3_sub(void **state)
{
    const row3 x = padded_row3(numbered());
    const row3 part = row3_sub(x, stn_at(1), stn_span_of(0, 2), stn_span_of(1, 3));
    (void)state;
    assert_int_equal(row3_length(part, 0), 1);
    assert_int_equal(row3_length(part, 1), 2);
    assert_int_equal(row3_length(part, 2), 2);
    assert_int_equal(row3_get(part, 0, 0, 0), 113);
    assert_int_equal(row3_get(part, 0, 1, 1), 118);
}

static void test_row3_vectors(void **state)
{
    const row3 x = padded_row3(numbered());
    const row3 row = row3_sub(x, stn_at(1), stn_at(1), stn_all());
    const row3 column = row3_sub(x, stn_at(0), stn_all(), stn_at(2));
    (void)state;
    for (int k = 0; k < 3; k++)
        assert_int_equal(row3_get(row, 0, 0, k), 116 + k);
    assert_int_equal(row3_length(column, 1), 2);
    assert_int_equal(row3_get(column, 0, 0, 0), 102);
    assert_int_equal(row3_get(column, 0, 1, 0), 106);
}

static void test_row3_element_to_element(void **state)
{
    int32_t *const memory = numbered();
    const row3 x = padded_row3(memory);
    (void)state;
    row3_set(x, 0, 0, 1, row3_get(x, 1, 1, 0));
    assert_int_equal(memory[1], 116);
    assert_int_equal(memory[16], 116);
    check_untouched(memory, 1);
}

/* ---- blocks by column, rank 3 ---- */

static void test_block3_strides(void **state)
{
    const block3 x = block3_dense(numbered(), 2, 3, 4);
    (void)state;
    assert_int_equal(block3_stride(x, 0), 12);
    assert_int_equal(block3_stride(x, 1), 1);
    assert_int_equal(block3_stride(x, 2), 3);
}

static void test_block3_mapping(void **state)
{
    const block3 x = block3_dense(numbered(), 2, 3, 4);
    const block3 y =
        block3_make(numbered(), (const stn_size[]){2, 3, 4}, (const stn_size[]){25, 5});
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++) {
                assert_int_equal(block3_get(x, i, j, k), 100 + 12 * i + j + 3 * k);
                assert_int_equal(block3_get(y, i, j, k), 100 + 25 * i + j + 5 * k);
            }
}

static void test_block3_write(void **state)
{
    int32_t *const memory = numbered();
    const block3 x = block3_dense(memory, 2, 3, 4);
    (void)state;
    block3_set(x, 1, 2, 3, 42);
    assert_int_equal(memory[23], 42);
    check_untouched(memory, 23);
    block3_set(x, 1, 2, 3, block3_get(x, 0, 1, 2));
    assert_int_equal(memory[23], 107);
    check_untouched(memory, 23);
}

static void test_block3_sub(void **state)
{
    const block3 x = block3_dense(numbered(), 2, 3, 4);
    const block3 part = block3_sub(x, stn_span_of(1, 2), stn_span_of(1, 3), stn_span_of(2, 4));
    (void)state;
    assert_int_equal(block3_length(part, 0), 1);
    assert_int_equal(block3_length(part, 1), 2);
    assert_int_equal(block3_length(part, 2), 2);
    for (int j = 0; j < 2; j++)
        for (int k = 0; k < 2; k++)
            assert_int_equal(block3_get(part, 0, j, k), 112 + (1 + j) + 3 * (2 + k));
}

static void test_block3_row_vector(void **state)
{
    const block3 row =
        block3_sub(block3_dense(numbered(), 2, 3, 4), stn_at(1), stn_at(2), stn_span_of(0, 3));
    (void)state;
    for (int k = 0; k < 3; k++)
        assert_int_equal(block3_get(row, 0, 0, k), 114 + 3 * k);
}

static void test_block3_column_vector(void **state)
{
    const block3 column =
        block3_sub(block3_dense(numbered(), 2, 3, 4), stn_at(0), stn_span_of(1, 3), stn_at(3));
    (void)state;
    assert_int_equal(block3_get(column, 0, 0, 0), 110);
    assert_int_equal(block3_get(column, 0, 1, 0), 111);
}

/* ---- column-major ---- */

static void test_left3(void **state)
{
    const left3 x = left3_dense(numbered(), 2, 3, 4);
    const left3 y = left3_make(numbered(), (const stn_size[]){2, 3, 4}, (const stn_size[]){3, 10});
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++) {
                assert_int_equal(left3_get(x, i, j, k), 100 + i + 2 * j + 6 * k);
                assert_int_equal(left3_get(y, i, j, k), 100 + i + 3 * j + 10 * k);
            }
}

/* ---- the same memory twice ---- */

static void test_overlapping_accessors(void **state)
{
    int32_t *const memory = numbered();
    const row2 all = row2_dense(memory, 4, 4), part = row2_sub(all, stn_span_of(1, 3), stn_all());
    const left3 other = left3_dense(memory, 4, 4, 1);
    (void)state;
    row2_set(all, 1, 2, 5);
    assert_int_equal(row2_get(part, 0, 2), 5);
    assert_int_equal(left3_get(other, 2, 1, 0), 5);
    left3_set(other, 3, 2, 0, 6);
    assert_int_equal(row2_get(all, 2, 3), 6);
    assert_int_equal(row2_add(part, 1, 3, row2_get(all, 2, 3)), 12);
    for (int k = 0; k < 3; k++) /* each element from the one that the last step has written */
        row2_set(part, 0, k + 1, row2_get(all, 1, k));
    assert_int_equal(memory[7], 104);
}

/* An assignment makes one accessor out of another, as often as wanted. */
static void test_accessors_are_values(void **state)
{
    row2 x = row2_dense(numbered(), 3, 4);
    const row2 y = x;
    (void)state;
    x = row2_sub(y, stn_at(1), stn_all());
    assert_int_equal(row2_get(x, 0, 0), 104);
    x = y;
    assert_int_equal(row2_get(x, 0, 0), 100);
    assert_ptr_equal(row2_data(x), row2_data(y));
}

/* ---- a vector register's worth ---- */

static void test_load_vector(void **state)
{
    _Alignas(16) static uint8_t memory[48];
    const bytes1 x = bytes1_dense(memory, 48);
    int64_t values[bytes1_vector + 1];
    (void)state;
    assert_int_equal(bytes1_vector, 16);
    assert_int_equal(row2_vector, 4);
    for (int k = 0; k < 48; k++)
        memory[k] = (uint8_t)(200 + k);
    for (int at = 0; at < 48; at += 16) {
        values[16] = -1;
        bytes1_load_vector(x, at, values);
        for (int k = 0; k < 16; k++)
            assert_int_equal(values[k], 200 + at + k);
        assert_int_equal(values[16], -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row2_dense),
        cmocka_unit_test(test_row2_padded),
        cmocka_unit_test(test_row2_write),
        cmocka_unit_test(test_row2_sub),
        cmocka_unit_test(test_row2_row_vector),
        cmocka_unit_test(test_row2_column_vector),
        cmocka_unit_test(test_row2_element_to_element),
        cmocka_unit_test(test_row3_dense),
        cmocka_unit_test(test_row3_padded),
        cmocka_unit_test(test_row3_write),
        cmocka_unit_test(test_row3_sub),
        cmocka_unit_test(test_row3_vectors),
        cmocka_unit_test(test_row3_element_to_element),
        cmocka_unit_test(test_block3_strides),
        cmocka_unit_test(test_block3_mapping),
        cmocka_unit_test(test_block3_write),
        cmocka_unit_test(test_block3_sub),
        cmocka_unit_test(test_block3_row_vector),
        cmocka_unit_test(test_block3_column_vector),
        cmocka_unit_test(test_left3),
        cmocka_unit_test(test_overlapping_accessors),
        cmocka_unit_test(test_accessors_are_values),
        cmocka_unit_test(test_load_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
