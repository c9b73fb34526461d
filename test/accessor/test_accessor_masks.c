/* Which elements share a scale: every mask of ranks 1 to 3, some of rank 8, and blocks of a
 * dimension; whole arrays and parts, which may begin inside a block. */
#include "accessor_types.h"

/* X(rank, mask) and X(rank, mask, block) */
/* clang-format off */
#define MASKS(X)                                                                                   \
    X(1, 0) X(1, 1) X(2, 0) X(2, 1) X(2, 2) X(2, 3) X(3, 0) X(3, 1) X(3, 2) X(3, 3) X(3, 4)        \
    X(3, 5) X(3, 6) X(3, 7) X(8, 0) X(8, 0xa4) X(8, 0xff)
/* clang-format on */
#define BLOCKS(X) X(1, 1, 32) X(2, 1, 32) X(2, 2, 2) X(2, 3, 32) X(3, 5, 7) X(3, 6, 3) X(3, 7, 4)

#define MASK(rank, mask)                                                                           \
    STN_ACCESSOR_SCALED(mask_##rank##_##mask, rank, double, int8_t, mask)                          \
    CHECK_SCALED(mask_##rank##_##mask, rank, RIGHT)
#define BLOCK(rank, mask, block)                                                                   \
    STN_ACCESSOR_BLOCK_SCALED(block_##rank##_##mask##_##block, rank, float, stn_e4m3, mask, block) \
    CHECK_SCALED(block_##rank##_##mask##_##block, rank, RIGHT)
#define MASK_TEST(rank, mask)         CHECK_TEST(mask_##rank##_##mask)
#define BLOCK_TEST(rank, mask, block) CHECK_TEST(block_##rank##_##mask##_##block)

MASKS(MASK)
BLOCKS(BLOCK)

/* Parts of every offset and length along the dimension of the blocks. */
static void test_parts_from_inside_a_block(void **state)
{
    check_array whole = check_open(&block_2_3_32_type, (const stn_size[]){2, 101}, NULL, NULL, 9);
    (void)state;
    for (stn_size begin = 0; begin <= 101; begin += 4)
        for (stn_size end = begin; end <= 101; end += 9) {
            const stn_span cut[] = {stn_at(1), stn_span_of(begin, end)};
            const check_array part = check_part(&whole, cut);
            check_shape(&part);
            check_sets(&part, (uint64_t)(begin + end));
            check_gets(&part);
            check_loads(&part, 0, end - begin);
            check_stores(&part, 0, end - begin, (uint64_t)begin);
            check_scales(&part);
        }
    check_close(&whole);
}

static void test_parts_of_parts_inside_blocks(void **state)
{
    check_array whole = check_open(&block_2_1_32_type, (const stn_size[]){3, 150}, NULL, NULL, 10);
    check_array part = whole;
    (void)state;
    for (stn_size left = 150; left > 20; left -= 19) {
        const stn_span cut[] = {stn_all(), stn_span_of(13, left - 6)};
        part = check_part(&part, cut);
        check_all(&part, (uint64_t)left);
    }
    check_gets(&whole);
    check_close(&whole);
}

static void test_counts_of_blocks(void **state)
{
    float scales[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    stn_e4m3 codes[128] = {{0x38}};
    const block_1_1_32 x = block_1_1_32_dense(codes, 128, scales);
    const block_1_1_32 part = block_1_1_32_sub(x, stn_span_of(31, 65));
    (void)state;
    assert_int_equal(block_1_1_32_scale_count(x), 4);
    assert_int_equal(block_1_1_32_scale_count(block_1_1_32_dense(codes, 97, scales)), 4);
    assert_int_equal(block_1_1_32_scale_count(block_1_1_32_dense(codes, 96, scales)), 3);
    assert_int_equal(block_1_1_32_scale_count(block_1_1_32_dense(codes, 0, scales)), 0);
    assert_int_equal(block_1_1_32_scale_count(part), 3);
    assert_ptr_equal(block_1_1_32_scales(part), scales);
    assert_true(block_1_1_32_scale(part, 0) == 1.0f && block_1_1_32_scale(part, 1) == 2.0f);
    assert_true(block_1_1_32_scale(part, 33) == 3.0f);
    assert_true(block_1_1_32_scale_direct(part, (const stn_size[]){2}) == 3.0f);
    assert_ptr_equal(block_1_1_32_scales(block_1_1_32_sub(x, stn_span_of(32, 33))), scales + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {MASKS(MASK_TEST) BLOCKS(BLOCK_TEST)
                                           cmocka_unit_test(test_parts_from_inside_a_block),
                                       cmocka_unit_test(test_parts_of_parts_inside_blocks),
                                       cmocka_unit_test(test_counts_of_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
