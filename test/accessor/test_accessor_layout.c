/* Elements of an array of numbers, by accessors of every layout, with known extents and strides,
 * transformed, and sliced: the offsets are written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "steno/accessor.h"

STN_ACCESSOR(row, 1, double, float)
STN_ACCESSOR(plane, 2, double, float)
STN_ACCESSOR(cube, 3, double, float)
STN_ACCESSOR(bytes, 1, int64_t, uint8_t)
STN_ACCESSOR_LEFT(left_plane, 2, double, float)
STN_ACCESSOR_LEFT(left_cube, 3, double, float)
STN_ACCESSOR_BLOCK_COL_MAJOR(blocks, 3, double, float)
STN_ACCESSOR_STRIDED(free_row, 1, double, float)
STN_ACCESSOR_STRIDED(free_plane, 2, double, float)
STN_ACCESSOR_STRIDED(free_cube, 3, double, float)

/* Extents and strides that are part of the type. */
STN_ACCESSOR_STATIC(tile, 2, double, float, (2, 3), (STN_DYNAMIC, 1))
STN_ACCESSOR_STATIC(fixed, 2, double, float, (4, 6), (6, 1))
STN_ACCESSOR_STATIC(columns, 2, double, float, (STN_DYNAMIC, 3), (1, STN_DYNAMIC))
STN_ACCESSOR_STATIC(three, 1, double, float, (3), (STN_DYNAMIC))
STN_ACCESSOR_STATIC(twos, 1, double, float, (STN_DYNAMIC), (2))
STN_ACCESSOR_STATIC(deep, 3, double, float, (STN_DYNAMIC, STN_DYNAMIC, 4), (STN_DYNAMIC, 8, 1))
STN_ACCESSOR_STATIC(backwards, 1, double, float, (5), (-1))

#define STN_NAME    pairs
#define STN_RANK    2
#define STN_REAL    double
#define STN_STORAGE float
#define STN_STRIDES (STN_DYNAMIC, 2)
#include "steno/accessor_define.h"

#define STN_NAME       quantized
#define STN_RANK       2
#define STN_REAL       double
#define STN_STORAGE    int8_t
#define STN_EXTENTS    (STN_DYNAMIC, 4)
#define STN_SCALE_MASK 0x2
#include "steno/accessor_define.h"

STN_STATIC_ASSERT(fixed_extent_0 == 4 && fixed_extent_1 == 6, "known at compile time");
STN_STATIC_ASSERT(fixed_stride_0 == 6 && fixed_stride_1 == 1, "known at compile time");
STN_STATIC_ASSERT(columns_extent_0 == STN_DYNAMIC && columns_stride_1 == STN_DYNAMIC, "dynamic");
STN_STATIC_ASSERT(fixed_const_extent_1 == 6, "of the const companion too");

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

enum { MEMORY = 240 };
static float memory[MEMORY];

static int number_elements(void **state)
{
    (void)state;
    for (int k = 0; k < MEMORY; k++)
        memory[k] = (float)k;
    return 0;
}

static void expect_numbers(const float *expected)
{
    for (int k = 0; k < MEMORY; k++)
        assert_true(memory[k] == expected[k]);
}

#define SIZES(...) ((const stn_size[]){__VA_ARGS__})

/* The accessor has these extents, and element (i, j, k) is `number`, read and loaded. */
#define EXPECT(type, rank, accessor, n0, n1, n2, number, ...)                                      \
    {                                                                                              \
        const type checked = accessor;                                                             \
        static const stn_size extents[] = {n0, n1, n2};                                            \
        double loaded[MEMORY];                                                                     \
        for (int d = 0; d < (rank); d++)                                                           \
            assert_int_equal(type##_length(checked, d), extents[d]);                               \
        assert_int_equal(type##_count(checked), (n0) * (n1) * (n2));                               \
        if ((n0) * (n1) * (n2) > 0)                                                                \
            type##_load(checked, FIRST_##rank, (n0) * (n1) * (n2), loaded);                        \
        for (int i = 0, at = 0; i < (n0); i++)                                                     \
            for (int j = 0; j < (n1); j++)                                                         \
                for (int k = 0; k < (n2); k++, at++) {                                             \
                    assert_true(type##_get(checked, __VA_ARGS__) == (number));                     \
                    assert_true(loaded[at] == (number));                                           \
                }                                                                                  \
    }
#define FIRST_1                                  0
#define FIRST_2                                  0, 0
#define FIRST_3                                  0, 0, 0
#define EXPECT_1(type, accessor, n0, number)     EXPECT(type, 1, accessor, n0, 1, 1, number, i)
#define EXPECT_2(type, accessor, n0, n1, number) EXPECT(type, 2, accessor, n0, n1, 1, number, i, j)
#define EXPECT_3(type, accessor, n0, n1, n2, number)                                               \
    EXPECT(type, 3, accessor, n0, n1, n2, number, i, j, k)

/* ---- layouts ---- */

static void test_layouts(void **state)
{
    const plane padded = plane_make(memory, SIZES(3, 4), SIZES(7));
    const cube padded_cube = cube_make(memory, SIZES(2, 2, 3), SIZES(12, 4));
    const blocks x = blocks_dense(memory, 2, 3, 4);
    (void)state;
    EXPECT_2(plane, plane_dense(memory, 3, 4), 3, 4, 4 * i + j)
    EXPECT_2(plane, padded, 3, 4, 7 * i + j)
    EXPECT_2(plane, plane_sub(padded, stn_span_of(1, 3), stn_span_of(0, 2)), 2, 2, 7 * i + 7 + j)
    EXPECT_2(plane, plane_sub(padded, stn_at(2), stn_span_of(1, 4)), 1, 3, 15 + j)
    EXPECT_2(plane, plane_sub(padded, stn_all(), stn_at(0)), 3, 1, 7 * i)
    EXPECT_3(cube, cube_dense(memory, 2, 3, 4), 2, 3, 4, 12 * i + 4 * j + k)
    EXPECT_3(cube, padded_cube, 2, 2, 3, 12 * i + 4 * j + k)
    EXPECT_3(cube, cube_sub(padded_cube, stn_at(1), stn_span_of(0, 2), stn_span_of(1, 3)), 1, 2, 2,
             13 + 4 * j + k)
    EXPECT_3(blocks, x, 2, 3, 4, 12 * i + j + 3 * k)
    EXPECT_3(blocks, blocks_make(memory, SIZES(2, 3, 4), SIZES(25, 5)), 2, 3, 4, 25 * i + j + 5 * k)
    EXPECT_3(blocks, blocks_sub(x, stn_span_of(1, 2), stn_span_of(1, 3), stn_span_of(2, 4)), 1, 2,
             2, 19 + j + 3 * k)
    EXPECT_3(left_cube, left_cube_dense(memory, 2, 3, 4), 2, 3, 4, i + 2 * j + 6 * k)
    EXPECT_3(left_cube, left_cube_make(memory, SIZES(2, 3, 4), SIZES(3, 10)), 2, 3, 4,
             i + 3 * j + 10 * k)
}

static void test_strides(void **state)
{
    (void)state;
    EXPECT_2(free_plane, free_plane_make(memory, SIZES(3, 4), SIZES(20, 3)), 3, 4, 20 * i + 3 * j)
    EXPECT_2(free_plane, free_plane_make(memory, SIZES(3, 4), SIZES(0, 1)), 3, 4, j)
    EXPECT_2(free_plane, free_plane_make(memory + 7, SIZES(50, 2), SIZES(0, 0)), 50, 2, 7)
    EXPECT_2(free_plane, free_plane_make(memory + 90, SIZES(4, 3), SIZES(-20, -2)), 4, 3,
             90 - 20 * i - 2 * j)
    EXPECT_1(free_row, free_row_make(memory, SIZES(5), SIZES(6)), 5, 6 * i) /* a diagonal */
}

/* Each accessor sees what the others have stored. */
static void test_overlapping_accessors(void **state)
{
    const plane all = plane_dense(memory, 4, 4),
                part = plane_sub(all, stn_span_of(1, 3), stn_all());
    const left_plane other = left_plane_dense(memory, 4, 4);
    const free_plane repeated = free_plane_make(memory, SIZES(3, 4), SIZES(0, 1));
    plane copy = part;
    (void)state;
    plane_set(all, 1, 2, 5);
    assert_true(plane_get(part, 0, 2) == 5 && left_plane_get(other, 2, 1) == 5);
    left_plane_set(other, 3, 2, 6);
    assert_true(plane_get(all, 2, 3) == 6);
    assert_true(plane_add(part, 1, 3, plane_get(all, 2, 3)) == 12);
    for (int k = 0; k < 3; k++) /* each element from the one stored before */
        plane_set(part, 0, k + 1, plane_get(all, 1, k));
    assert_true(memory[7] == 4);
    free_plane_set(repeated, 2, 1, -3);
    assert_true(free_plane_get(repeated, 0, 1) == -3);
    copy = all; /* accessors are values */
    assert_ptr_equal(plane_data(copy), plane_data(all));
    assert_true(plane_get(copy, 0, 1) == -3);
}

/* ---- transformations ---- */

static void test_transformations(void **state)
{
    const free_plane x = free_plane_dense(memory, 3, 4), wide = free_plane_dense(memory, 7, 10);
    const free_plane none = free_plane_sub(wide, stn_span_of(4, 4), stn_all());
    const free_plane back = free_plane_reverse(x, 1);
    const free_plane part = free_plane_sub(free_plane_reverse(free_plane_dense(memory, 5, 6), 0),
                                           stn_span_of(1, 3), stn_span_of(2, 6));
    const free_plane_const constant = free_plane_const_dense(memory, 3, 4);
    (void)state;
    EXPECT_2(free_plane, free_plane_transpose(x, 0, 1), 4, 3, 4 * j + i)
    EXPECT_2(free_plane, free_plane_transpose(x, 1, 1), 3, 4, 4 * i + j)
    EXPECT_3(free_cube, free_cube_transpose(free_cube_dense(memory, 2, 3, 4), 2, 0), 4, 3, 2,
             12 * k + 4 * j + i)
    EXPECT_2(free_plane, free_plane_every(free_plane_every(wide, 0, 3), 1, 4), 3, 3, 30 * i + 4 * j)
    EXPECT_2(free_plane, free_plane_every(wide, 0, 7), 1, 10, j)
    EXPECT_2(free_plane, free_plane_every(wide, 0, 100), 1, 10, j)
    EXPECT_2(free_plane, free_plane_every(wide, 0, 1), 7, 10, 10 * i + j)
    EXPECT_2(free_plane, free_plane_every(none, 0, 2), 0, 10, 0)
    assert_int_equal(free_plane_stride(back, 1), -1);
    EXPECT_2(free_plane, back, 3, 4, 4 * i + 3 - j)
    EXPECT_2(free_plane, free_plane_reverse(back, 0), 3, 4, 11 - 4 * i - j)
    EXPECT_2(free_plane, free_plane_reverse(none, 0), 0, 10, 0)
    EXPECT_2(free_plane, part, 2, 4, 6 * (3 - i) + 2 + j)
    EXPECT_2(free_plane, free_plane_reverse(free_plane_transpose(part, 0, 1), 0), 4, 2,
             6 * (3 - j) + 5 - i)
    EXPECT_2(free_plane_const, free_plane_const_transpose(constant, 0, 1), 4, 3, 4 * j + i)
    EXPECT_2(free_plane_const, free_plane_const_reverse(constant, 0), 3, 4, 4 * (2 - i) + j)
    EXPECT_2(free_plane_const, free_plane_const_every(constant, 1, 3), 3, 2, 4 * i + 3 * j)
}

/* ---- known extents and strides ---- */

/* All extents are given, and must be those of the type; of strides, the unknown ones. */
static void test_known_extents_and_strides(void **state)
{
    (void)state;
    EXPECT_2(fixed, fixed_make(memory, NULL, NULL), 4, 6, 6 * i + j)
    EXPECT_2(fixed, fixed_make(memory, SIZES(4, 6), NULL), 4, 6, 6 * i + j)
    EXPECT_2(fixed, fixed_dense(memory, 4, 6), 4, 6, 6 * i + j)
    EXPECT_2(fixed_const, fixed_to_const(fixed_dense(memory, 4, 6)), 4, 6, 6 * i + j)
    assert_int_equal(fixed_length(fixed_dense(memory, 4, 6), 2), 1);
    EXPECT_2(columns, columns_make(memory, SIZES(5, 3), SIZES(20)), 5, 3, i + 20 * j)
    assert_int_equal(columns_length(columns_make(memory, SIZES(5, 3), NULL), 1), 3);
    EXPECT_1(twos, twos_dense(memory, 40), 40, 2 * i)
    EXPECT_2(pairs, pairs_make(memory, SIZES(2, 3), SIZES(12)), 2, 3, 12 * i + 2 * j)
    EXPECT_2(pairs, pairs_make(memory, SIZES(2, 3), NULL), 2, 3, 6 * i + 2 * j)
    EXPECT_2(pairs, pairs_sub(pairs_dense(memory, 2, 3), stn_at(1), stn_span_of(1, 3)), 1, 2,
             8 + 2 * j)
    EXPECT_3(deep, deep_make(memory, SIZES(2, 3, 4), NULL), 2, 3, 4, 24 * i + 8 * j + k)
    EXPECT_1(backwards, backwards_make(memory + 10, NULL, NULL), 5, 10 - i)
}

static void test_stores(void **state)
{
    const fixed x = fixed_make(memory, NULL, NULL);
    const double values[] = {1, 2, 3, 4, 5, 6};
    float expected[MEMORY];
    (void)state;
    for (int k = 0; k < MEMORY; k++)
        expected[k] = (float)k;
    assert_true(fixed_set(x, 2, 5, -1.5) == -1.5);
    assert_true(fixed_add(x, 2, 5, 0.25) == -1.25);
    expected[17] = -1.25f;
    backwards_store(backwards_make(memory + 40, NULL, NULL), 0, 5, values);
    free_plane_store(free_plane_make(memory + 90, SIZES(4, 3), SIZES(-10, -2)), 0, 0, 6, values);
    plane_store(plane_of(cube_make(memory + 100, SIZES(2, 3, 4), SIZES(20, 5)), stn_at(1),
                         stn_span_of(1, 3), stn_span_of(1, 3)),
                0, 0, 4, values);
    tile_store(tile_of(plane_dense(memory + 200, 4, 5), stn_span_of(2, 4), stn_span_of(2, 5)), 0, 0,
               6, values);
    for (int k = 0; k < 6; k++) {
        if (k < 5)
            expected[40 - k] = (float)values[k];
        expected[90 - 10 * (k / 3) - 2 * (k % 3)] = (float)values[k];
        if (k < 4)
            expected[126 + 5 * (k / 2) + k % 2] = (float)values[k];
        expected[212 + 5 * (k / 3) + k % 3] = (float)values[k];
    }
    expect_numbers(expected);
}

static void test_known_extents_with_scales(void **state)
{
    int8_t codes[12];
    double scales[3] = {1.0, 10.0, 100.0};
    (void)state;
    for (int k = 0; k < 12; k++)
        codes[k] = (int8_t)k;
    EXPECT_2(quantized, quantized_dense(codes, 3, 4, scales), 3, 4, (4 * i + j) * scales[i])
}

/* ---- slices ---- */

static void test_slices(void **state)
{
    const cube x = cube_make(memory, SIZES(2, 3, 4), SIZES(20, 5));
    const plane side = plane_of(x, stn_at(1), stn_all(), stn_all());
    const tile y = tile_of(side, stn_span_of(1, 3), stn_span_of(1, 4));
    const free_plane loose =
        freed(plane_of(x, stn_at(0), stn_all(), stn_all()), stn_all(), stn_span_of(1, 3));
    const plane thin = plane_make(memory, SIZES(3, 1), SIZES(1));
    const blocks b = blocks_dense(memory, 5, 3, 4);
    (void)state;
    EXPECT_1(row, row_of(x, stn_at(1), stn_at(2), stn_span_of(1, 4)), 3, 31 + i)
    EXPECT_1(row_const, row_of_const(cube_to_const(x), stn_at(1), stn_at(0), stn_span_of(3, 4)), 1,
             23)
    EXPECT_1(free_row, column_of(x, stn_at(1), stn_all(), stn_at(2)), 3, 22 + 5 * i)
    EXPECT_1(free_row, pillar_of(x, stn_all(), stn_at(1), stn_at(3)), 2, 8 + 20 * i)
    EXPECT_2(plane, plane_of(x, stn_at(1), stn_span_of(1, 3), stn_all()), 2, 4, 25 + 5 * i + j)
    EXPECT_2(plane, side_of(x, stn_all(), stn_at(2), stn_span_of(0, 2)), 2, 2, 10 + 20 * i + j)
    EXPECT_2(free_plane, top_of(x, stn_all(), stn_all(), stn_at(3)), 2, 3, 3 + 20 * i + 5 * j)
    /* the first index of a dropped dimension's span counts */
    EXPECT_1(row, row_of(x, stn_span_of(1, 2), stn_span_of(1, 3), stn_all()), 4, 25 + i)
    EXPECT_1(row, row_of(x, stn_at(0), stn_at(0), stn_span_of(2, 2)), 0, 0)
    EXPECT_2(tile, y, 2, 3, 26 + 5 * i + j)
    EXPECT_2(plane, plane_of_tile(y, stn_all(), stn_span_of(0, 2)), 2, 2, 26 + 5 * i + j)
    EXPECT_2(free_plane, loose, 3, 2, 1 + 5 * i + j)
    EXPECT_2(free_plane, free_plane_transpose(loose, 0, 1), 2, 3, 1 + 5 * j + i)
    EXPECT_2(left_plane, left_of(thin, stn_all(), stn_all()), 3, 1, i)
    EXPECT_2(left_plane, block_of(b, stn_at(2), stn_all(), stn_span_of(1, 4)), 3, 3, 27 + i + 3 * j)
}

/* A slice that does not match the extents and strides of its type is empty. */
static void test_slices_that_do_not_match(void **state)
{
    const free_row x = free_row_dense(memory, 10);
    const free_row by_2 = free_row_make(memory, SIZES(5), SIZES(2));
    const free_row by_3 = free_row_make(memory, SIZES(5), SIZES(3));
    const cube y = cube_make(memory, SIZES(2, 3, 4), SIZES(20, 5));
    const plane z = plane_of(y, stn_at(0), stn_all(), stn_all());
    (void)state;
    EXPECT_1(three, three_of(x, stn_span_of(2, 5)), 3, 2 + i)
    assert_int_equal(three_count(three_of(x, stn_span_of(2, 6))), 0);
    assert_int_equal(three_count(three_of(x, stn_span_of(2, 4))), 0);
    assert_int_equal(tile_count(tile_of(plane_dense(memory, 3, 3), stn_all(), stn_all())), 0);
    EXPECT_1(twos, twos_of(by_2, stn_span_of(1, 4)), 3, 2 + 2 * i)
    assert_int_equal(twos_count(twos_of(by_3, stn_span_of(1, 4))), 0);
    assert_int_equal(row_count(cube_row(y, stn_all(), stn_at(0), stn_at(0))), 0);
    assert_int_equal(left_plane_count(left_of(z, stn_all(), stn_all())), 0);
}

/* 16 bytes at once */
static void test_load_vector(void **state)
{
    _Alignas(16) static uint8_t codes[48];
    const bytes x = bytes_dense(codes, 48);
    int64_t values[bytes_vector + 1];
    (void)state;
    assert_int_equal(bytes_vector, 16);
    assert_int_equal(plane_vector, 4);
    for (int k = 0; k < 48; k++)
        codes[k] = (uint8_t)(200 + k);
    for (int first = 0; first < 48; first += 16) {
        values[16] = -1;
        bytes_load_vector(x, first, values);
        for (int k = 0; k < 16; k++)
            assert_int_equal(values[k], 200 + first + k);
        assert_int_equal(values[16], -1);
    }
}

#define TEST(test) cmocka_unit_test_setup(test, number_elements)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_layouts),
        TEST(test_strides),
        TEST(test_overlapping_accessors),
        TEST(test_transformations),
        TEST(test_known_extents_and_strides),
        TEST(test_stores),
        TEST(test_known_extents_with_scales),
        TEST(test_slices),
        TEST(test_slices_that_do_not_match),
        cmocka_unit_test(test_load_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
