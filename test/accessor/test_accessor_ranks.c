/* Accessors of every rank in every layout, whole and in parts; strides written out. */
#include "accessor_types.h"

/* Types of odd rank store f16, those of even rank i8. */
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

static void test_strides(void **state)
{
    static const stn_size extents[] = {2, 3, 1, 2, 2, 1, 2, 3};
    static const stn_size right[] = {72, 24, 24, 12, 6, 6, 3, 1};
    static const stn_size left[] = {1, 2, 6, 6, 12, 24, 24, 48};
    static const stn_size blocks[] = {12, 1, 3};
    static int8_t data[144];
    static stn_f16 codes[24];
    const RIGHT_8 x = RIGHT_8_make(data, extents, NULL);
    const LEFT_8 y = LEFT_8_make(data, extents, NULL);
    const BLOCK_COL_MAJOR_3 z = BLOCK_COL_MAJOR_3_dense(codes, 2, 3, 4);
    (void)state;
    for (int d = 0; d < 8; d++) {
        assert_int_equal(RIGHT_8_stride(x, d), right[d]);
        assert_int_equal(LEFT_8_stride(y, d), left[d]);
    }
    for (int d = 0; d < 3; d++)
        assert_int_equal(BLOCK_COL_MAJOR_3_stride(z, d), blocks[d]);
    assert_int_equal(RIGHT_8_offset(x, 1, 2, 0, 1, 0, 0, 1, 2), 72 + 48 + 12 + 3 + 2);
    assert_int_equal(LEFT_8_offset(y, 1, 2, 0, 1, 0, 0, 1, 2), 1 + 4 + 6 + 24 + 96);
    assert_int_equal(BLOCK_COL_MAJOR_3_offset(z, 1, 2, 3), 12 + 2 + 9);
}

#define TESTS_FROM_2(layout)                                                                       \
    CHECK_TEST(layout##_2)                                                                         \
    CHECK_TEST(layout##_3)                                                                         \
    CHECK_TEST(layout##_4)                                                                         \
    CHECK_TEST(layout##_5) CHECK_TEST(layout##_6) CHECK_TEST(layout##_7) CHECK_TEST(layout##_8)

int main(void)
{
    const struct CMUnitTest tests[] = {CHECK_TEST(RIGHT_1) CHECK_TEST(LEFT_1) CHECK_TEST(STRIDED_1)
                                           TESTS_FROM_2(RIGHT) TESTS_FROM_2(LEFT)
                                               TESTS_FROM_2(STRIDED) TESTS_FROM_2(BLOCK_COL_MAJOR)
                                                   cmocka_unit_test(test_strides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
