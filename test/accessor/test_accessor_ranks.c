/* Accessors of every rank in every layout, whole and in parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accessor_types.h"

/* ---- the types ---- */

/* Odd ranks are of f16, even ones of i8. */
#define ODD(rank, layout, accessor)                                                                \
    accessor(layout##_##rank, rank, double, stn_f16) CHECK_PLAIN(layout##_##rank, rank, layout)
#define EVEN(rank, layout, accessor)                                                               \
    accessor(layout##_##rank, rank, float, int8_t) CHECK_PLAIN(layout##_##rank, rank, layout)
#define RANKS_FROM_2(layout, accessor)                                                             \
    EVEN(2, layout, accessor)                                                                      \
    ODD(3, layout, accessor)                                                                       \
    EVEN(4, layout, accessor)                                                                      \
    ODD(5, layout, accessor)                                                                       \
    EVEN(6, layout, accessor)                                                                      \
    ODD(7, layout, accessor)                                                                       \
    EVEN(8, layout, accessor)

ODD(1, RIGHT, STN_ACCESSOR)
ODD(1, LEFT, STN_ACCESSOR_LEFT)
ODD(1, STRIDED, STN_ACCESSOR_STRIDED)
RANKS_FROM_2(RIGHT, STN_ACCESSOR)
RANKS_FROM_2(LEFT, STN_ACCESSOR_LEFT)
RANKS_FROM_2(STRIDED, STN_ACCESSOR_STRIDED)
RANKS_FROM_2(BLOCK_COL_MAJOR, STN_ACCESSOR_BLOCK_COL_MAJOR)

/* ---- the test ---- */

static const stn_size shapes[][8] = {
    {2, 1, 3, 2, 2, 1, 3, 2}, {1, 2, 1, 1, 4, 1, 1, 37}, {1, 1, 2, 1, 3, 5, 4, 1},
    {3, 1, 1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2, 2, 3},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void test_rank(void **state)
{
    const check_type *const type = *state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int gap = 0; gap < 2; gap++) {
            const stn_size *const extent = shapes[shape] + 8 - type->rank;
            stn_size stride[8];
            check_strides(type->layout, type->rank, extent, gap, stride);
            check_scene whole =
                check_open(type, extent, gap ? stride : NULL, NULL, (uint64_t)(2 * shape + gap));
            check_all(&whole, (uint64_t)shape);
            check_parts(&whole);
            check_close(&whole);
        }
}

/* Row-major strides by _make with NULL for them, and by hand. */
static void test_strides_of_rank_8(void **state)
{
    static const stn_size extents[] = {2, 3, 1, 2, 2, 1, 2, 3};
    static const stn_size wanted[] = {72, 24, 24, 12, 6, 6, 3, 1};
    static int8_t data[144];
    const RIGHT_8 x = RIGHT_8_make(data, extents, NULL);
    (void)state;
    for (int d = 0; d < 8; d++)
        assert_int_equal(RIGHT_8_stride(x, d), wanted[d]);
    assert_int_equal(RIGHT_8_offset(x, 1, 2, 0, 1, 0, 0, 1, 2), 72 + 48 + 12 + 3 + 2);
    const LEFT_8 y = LEFT_8_make(data, extents, NULL);
    static const stn_size left[] = {1, 2, 6, 6, 12, 24, 24, 48};
    for (int d = 0; d < 8; d++)
        assert_int_equal(LEFT_8_stride(y, d), left[d]);
}

#define RANK_TEST(rank, layout)                                                                    \
    {#layout " " #rank, test_rank, NULL, NULL, (void *)(uintptr_t)&layout##_##rank##_type},
/* clang-format off */
#define RANK_TESTS_FROM_2(layout)                                                                  \
    RANK_TEST(2, layout) RANK_TEST(3, layout) RANK_TEST(4, layout) RANK_TEST(5, layout)            \
    RANK_TEST(6, layout) RANK_TEST(7, layout) RANK_TEST(8, layout)
/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        RANK_TEST(1, RIGHT) RANK_TEST(1, LEFT) RANK_TEST(1, STRIDED) RANK_TESTS_FROM_2(RIGHT)
            RANK_TESTS_FROM_2(LEFT) RANK_TESTS_FROM_2(STRIDED) RANK_TESTS_FROM_2(BLOCK_COL_MAJOR)
                cmocka_unit_test(test_strides_of_rank_8)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
