/* Slices: fewer dimensions, another layout, extents and strides that become part of the type. A
 * slice that does not fit its type is empty. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR(cube, 3, double, float)
STN_ACCESSOR(plane, 2, double, float)
STN_ACCESSOR(row, 1, double, float)
STN_ACCESSOR_LEFT(left_plane, 2, double, float)
STN_ACCESSOR_STRIDED(free_cube, 3, double, float)
STN_ACCESSOR_STRIDED(free_plane, 2, double, float)
STN_ACCESSOR_STRIDED(free_row, 1, double, float)
STN_ACCESSOR_BLOCK_COL_MAJOR(blocks, 3, double, float)
STN_ACCESSOR_STATIC(tile, 2, double, float, (2, 3), (STN_DYNAMIC, 1))
STN_ACCESSOR_STATIC(three, 1, double, float, (3), (STN_DYNAMIC))
STN_ACCESSOR_STATIC(twos, 1, double, float, (STN_DYNAMIC), (2))

STN_ACCESSOR_SLICE(row_of, cube, 3, row, 0x1)
STN_ACCESSOR_SLICE(plane_of, cube, 3, plane, 0x3)
STN_ACCESSOR_SLICE(top_of, cube, 3, free_plane, 0x6)
STN_ACCESSOR_SLICE(side_of, cube, 3, plane, 0x5)
STN_ACCESSOR_SLICE(column_of, cube, 3, free_row, 0x2)
STN_ACCESSOR_SLICE(pillar_of, cube, 3, free_row, 0x4)
STN_ACCESSOR_SLICE(cube_row, cube, 3, row, 0x4)
STN_ACCESSOR_SLICE(tile_of, plane, 2, tile, 0x3)
STN_ACCESSOR_SLICE(plane_of_tile, tile, 2, plane, 0x3)
STN_ACCESSOR_SLICE(three_of, free_row, 1, three, 0x1)
STN_ACCESSOR_SLICE(twos_of, free_row, 1, twos, 0x1)
STN_ACCESSOR_SLICE(left_of, plane, 2, left_plane, 0x3)
STN_ACCESSOR_SLICE(freed, plane, 2, free_plane, 0x3)
STN_ACCESSOR_SLICE(block_of, blocks, 3, left_plane, 0x3)
STN_ACCESSOR_SLICE(row_of_const, cube_const, 3, row_const, 0x1)

static float memory[240];

/* 2 x 3 x 4, with 20 and 5 elements from one index to the next; element k of memory is k. */
static cube numbers(void)
{
    for (int k = 0; k < 240; k++)
        memory[k] = (float)k;
    return cube_make(memory, (const stn_size[]){2, 3, 4}, (const stn_size[]){20, 5});
}

static void test_row(void **state)
{
    const row x = row_of(numbers(), stn_at(1), stn_at(2), stn_span_of(1, 4));
    (void)state;
    assert_int_equal(row_length(x, 0), 3);
    assert_int_equal(row_stride(x, 0), 1);
    for (int k = 0; k < 3; k++)
        assert_true(row_get(x, k) == 31 + k);
    row_set(x, 0, -1.0);
    assert_true(memory[31] == -1.0f);
}

static void test_column_and_pillar(void **state)
{
    const free_row column = column_of(numbers(), stn_at(1), stn_all(), stn_at(2));
    const free_row pillar = pillar_of(numbers(), stn_all(), stn_at(1), stn_at(3));
    (void)state;
    assert_int_equal(free_row_length(column, 0), 3);
    assert_int_equal(free_row_stride(column, 0), 5);
    for (int k = 0; k < 3; k++)
        assert_true(free_row_get(column, k) == 22 + 5 * k);
    assert_int_equal(free_row_length(pillar, 0), 2);
    assert_true(free_row_get(pillar, 0) == 8.0 && free_row_get(pillar, 1) == 28.0);
}

static void test_planes(void **state)
{
    const plane x = plane_of(numbers(), stn_at(1), stn_span_of(1, 3), stn_all());
    const plane side = side_of(numbers(), stn_all(), stn_at(2), stn_span_of(0, 2));
    const free_plane top = top_of(numbers(), stn_all(), stn_all(), stn_at(3));
    (void)state;
    assert_int_equal(plane_length(x, 0), 2);
    assert_int_equal(plane_stride(x, 0), 5);
    assert_true(plane_get(x, 1, 3) == 33.0);
    assert_int_equal(plane_stride(side, 0), 20);
    assert_true(plane_get(side, 1, 1) == 31.0);
    assert_int_equal(free_plane_stride(top, 1), 5);
    assert_true(free_plane_get(top, 1, 2) == 33.0);
}

/* Of a dimension that is dropped, the first index of its span counts. */
static void test_dropped_span(void **state)
{
    const row x = row_of(numbers(), stn_span_of(1, 2), stn_span_of(1, 3), stn_all());
    (void)state;
    assert_true(row_get(x, 0) == 25.0);
}

static void test_empty_slice(void **state)
{
    const row x = row_of(numbers(), stn_at(0), stn_at(0), stn_span_of(2, 2));
    (void)state;
    assert_int_equal(row_length(x, 0), 0);
    assert_int_equal(row_count(x), 0);
}

/* ---- known extents and strides ---- */

static void test_known_extents(void **state)
{
    const plane x = plane_of(numbers(), stn_at(1), stn_all(), stn_all());
    const tile y = tile_of(x, stn_span_of(1, 3), stn_span_of(1, 4));
    const plane back = plane_of_tile(y, stn_all(), stn_span_of(0, 2));
    (void)state;
    assert_int_equal(tile_count(y), 6);
    assert_int_equal(tile_stride(y, 0), 5);
    assert_true(tile_get(y, 1, 2) == 33.0);
    assert_int_equal(plane_length(back, 0), 2);
    assert_int_equal(plane_length(back, 1), 2);
    assert_true(plane_get(back, 1, 1) == 32.0);
}

static void test_wrong_extent(void **state)
{
    const free_row x = free_row_dense(memory, 10);
    (void)state;
    assert_int_equal(three_count(three_of(x, stn_span_of(2, 5))), 3);
    assert_int_equal(three_count(three_of(x, stn_span_of(2, 6))), 0);
    assert_int_equal(three_count(three_of(x, stn_span_of(2, 4))), 0);
    assert_int_equal(tile_count(tile_of(plane_dense(memory, 3, 3), stn_all(), stn_all())), 0);
}

static void test_wrong_stride(void **state)
{
    const free_row twice = free_row_make(memory, (const stn_size[]){5}, (const stn_size[]){2});
    const free_row thrice = free_row_make(memory, (const stn_size[]){5}, (const stn_size[]){3});
    (void)state;
    assert_int_equal(twos_count(twos_of(twice, stn_span_of(1, 4))), 3);
    assert_int_equal(twos_count(twos_of(thrice, stn_span_of(1, 4))), 0);
    assert_int_equal(row_count(cube_row(numbers(), stn_all(), stn_at(0), stn_at(0))), 0);
}

/* ---- from layout to layout ---- */

static void test_layouts(void **state)
{
    const plane x = plane_of(numbers(), stn_at(0), stn_all(), stn_all());
    const free_plane y = freed(x, stn_all(), stn_span_of(1, 3));
    const plane columns = plane_make(memory, (const stn_size[]){3, 1}, (const stn_size[]){1});
    const left_plane z = left_of(columns, stn_all(), stn_all());
    (void)state;
    assert_int_equal(free_plane_length(y, 1), 2);
    assert_true(free_plane_get(free_plane_transpose(y, 0, 1), 1, 2) == 12.0);
    assert_int_equal(left_plane_count(z), 3);
    assert_true(left_plane_get(z, 2, 0) == 2.0);
    assert_int_equal(left_plane_count(left_of(x, stn_all(), stn_all())), 0);
}

static void test_block(void **state)
{
    const blocks x = blocks_dense(cube_data(numbers()), 5, 3, 4);
    const left_plane y = block_of(x, stn_at(2), stn_all(), stn_span_of(1, 4));
    (void)state;
    assert_int_equal(left_plane_stride(y, 1), 3);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            assert_true(left_plane_get(y, j, k) == 24 + j + 3 * (k + 1));
}

static void test_const_companion(void **state)
{
    const row_const x =
        row_of_const(cube_to_const(numbers()), stn_at(1), stn_at(0), stn_span_of(3, 4));
    (void)state;
    assert_int_equal(row_const_length(x, 0), 1);
    assert_true(row_const_get(x, 0) == 23.0);
}

/* A slice of a slice, and stores through it. */
static void test_store(void **state)
{
    const plane x = plane_of(numbers(), stn_at(1), stn_span_of(1, 3), stn_span_of(1, 3));
    const tile y = tile_of(plane_dense(memory + 100, 4, 5), stn_span_of(2, 4), stn_span_of(2, 5));
    double values[] = {1, 2, 3, 4, 5, 6};
    (void)state;
    plane_store(x, 0, 0, 4, values);
    tile_store(y, 0, 0, 6, values);
    for (int k = 0; k < 240; k++) {
        const int row_ = (k - 100) / 5, column = (k - 100) % 5;
        const double wanted = k == 26   ? 1
                              : k == 27 ? 2
                              : k == 31 ? 3
                              : k == 32 ? 4
                              : k >= 100 && row_ >= 2 && row_ < 4 && column >= 2
                                  ? 3 * (row_ - 2) + column - 1
                                  : k;
        assert_true(memory[k] == (float)wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row),
        cmocka_unit_test(test_column_and_pillar),
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_dropped_span),
        cmocka_unit_test(test_empty_slice),
        cmocka_unit_test(test_known_extents),
        cmocka_unit_test(test_wrong_extent),
        cmocka_unit_test(test_wrong_stride),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_const_companion),
        cmocka_unit_test(test_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
