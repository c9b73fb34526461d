/* Which elements share a scale: every mask of ranks 1 to 3, some of rank 8, and blocks of a
 * dimension; whole arrays and parts, which may begin inside a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accessor_types.h"

/* ---- the types ---- */

#define MASK(rank, mask)                                                                           \
    STN_ACCESSOR_SCALED(mask_##rank##_##mask, rank, double, int8_t, mask)                          \
    CHECK_SCALED(mask_##rank##_##mask, rank, RIGHT)
#define MASK_ENTRY(rank, mask) &mask_##rank##_##mask##_type,
#define MASKS(ITEM)                                                                                \
    ITEM(1, 0)                                                                                     \
    ITEM(1, 1)                                                                                     \
    ITEM(2, 0)                                                                                     \
    ITEM(2, 1)                                                                                     \
    ITEM(2, 2)                                                                                     \
    ITEM(2, 3)                                                                                     \
    ITEM(3, 0)                                                                                     \
    ITEM(3, 1)                                                                                     \
    ITEM(3, 2)                                                                                     \
    ITEM(3, 3)                                                                                     \
    ITEM(3, 4)                                                                                     \
    ITEM(3, 5)                                                                                     \
    ITEM(3, 6)                                                                                     \
    ITEM(3, 7)                                                                                     \
    ITEM(8, 0)                                                                                     \
    ITEM(8, 0xa4)                                                                                  \
    ITEM(8, 0xff)

MASKS(MASK)
static const check_type *const mask_types[] = {MASKS(MASK_ENTRY)};

#define BLOCK(rank, mask, block)                                                                   \
    STN_ACCESSOR_BLOCK_SCALED(block_##rank##_##mask##_##block, rank, float, stn_e4m3, mask, block) \
    CHECK_SCALED(block_##rank##_##mask##_##block, rank, RIGHT)
#define BLOCK_ENTRY(rank, mask, block) &block_##rank##_##mask##_##block##_type,
#define BLOCKS(ITEM)                                                                               \
    ITEM(1, 1, 32)                                                                                 \
    ITEM(2, 1, 32)                                                                                 \
    ITEM(2, 2, 2)                                                                                  \
    ITEM(2, 3, 32)                                                                                 \
    ITEM(3, 5, 7)                                                                                  \
    ITEM(3, 6, 3)                                                                                  \
    ITEM(3, 7, 4)

BLOCKS(BLOCK)
static const check_type *const block_types[] = {BLOCKS(BLOCK_ENTRY)};

enum {
    MASK_TYPES = sizeof mask_types / sizeof *mask_types,
    BLOCK_TYPES = sizeof block_types / sizeof *block_types
};

/* ---- masks ---- */

static const stn_size shapes[][8] = {
    {1, 2, 1, 2, 1, 2, 3, 5}, {2, 1, 1, 1, 2, 4, 1, 3},  {1, 1, 1, 1, 1, 1, 1, 1},
    {1, 1, 2, 1, 1, 3, 5, 1}, {1, 1, 1, 1, 1, 40, 1, 1}, {1, 1, 1, 1, 1, 2, 3, 67},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Strides of scales with two unused ones between those of each dimension. */
static void gap_strides(const check_type *type, const stn_size *extent, stn_size *stride)
{
    const int last = check_last_selected(type);
    stn_size next = 1;
    for (int d = type->rank - 1; d >= 0; d--) {
        stride[d] = check_selects(type, d) ? next : 0;
        if (check_selects(type, d))
            next = next * (d == last ? (extent[d] + type->block - 1) / type->block : extent[d]) + 2;
    }
}

static void check_shapes(const check_type *type)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int gap = 0; gap < 3; gap++) {
            const stn_size *const extent = shapes[shape] + 8 - type->rank;
            stn_size stride[8], scale_stride[8];
            check_strides(CHECK_RIGHT, type->rank, extent, gap, stride);
            gap_strides(type, extent, scale_stride);
            check_scene scene = check_open(type, extent, gap ? stride : NULL,
                                           gap == 2 ? scale_stride : NULL, (uint64_t)shape);
            check_all(&scene, (uint64_t)(shape + gap));
            check_scales(&scene);
            check_parts(&scene);
            check_close(&scene);
        }
}

static void test_masks(void **state)
{
    (void)state;
    for (int k = 0; k < MASK_TYPES; k++)
        check_shapes(mask_types[k]);
}

/* ---- blocks ---- */

static void test_blocks(void **state)
{
    (void)state;
    for (int k = 0; k < BLOCK_TYPES; k++)
        check_shapes(block_types[k]);
}

/* Every beginning and length of a part along the blocked dimension. */
static void test_parts_from_inside_a_block(void **state)
{
    const check_type *const type = &block_2_3_32_type;
    check_scene scene = check_open(type, (const stn_size[]){2, 101}, NULL, NULL, 9);
    (void)state;
    for (stn_size begin = 0; begin <= 101; begin += 4)
        for (stn_size end = begin; end <= 101; end += 9) {
            const stn_span cut[] = {stn_at(1), stn_span_of(begin, end)};
            const check_scene part = check_part(&scene, cut);
            check_shape(&part);
            check_sets(&part, (uint64_t)(begin + end));
            check_gets(&part);
            check_loads(&part, 0, end - begin);
            check_stores(&part, 0, end - begin, (uint64_t)begin);
            check_scales(&part);
        }
    check_close(&scene);
}

static void test_parts_of_parts_inside_blocks(void **state)
{
    const check_type *const type = &block_2_1_32_type;
    check_scene scene = check_open(type, (const stn_size[]){3, 150}, NULL, NULL, 10);
    check_scene part = scene;
    (void)state;
    for (stn_size left = 150; left > 20; left -= 19) {
        const stn_span cut[] = {stn_all(), stn_span_of(13, left - 6)};
        part = check_part(&part, cut);
        check_all(&part, (uint64_t)left);
        check_scales(&part);
    }
    check_gets(&scene);
    check_close(&scene);
}

static void test_counts_of_blocks(void **state)
{
    float scales[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    stn_e4m3 codes[128] = {{0x38}};
    const block_1_1_32 x = block_1_1_32_dense(codes, 128, scales);
    (void)state;
    assert_int_equal(block_1_1_32_scale_count(x), 4);
    assert_int_equal(block_1_1_32_scale_count(block_1_1_32_dense(codes, 97, scales)), 4);
    assert_int_equal(block_1_1_32_scale_count(block_1_1_32_dense(codes, 96, scales)), 3);
    assert_int_equal(block_1_1_32_scale_count(block_1_1_32_dense(codes, 0, scales)), 0);
    const block_1_1_32 part = block_1_1_32_sub(x, stn_span_of(31, 65));
    assert_int_equal(block_1_1_32_scale_count(part), 3);
    assert_ptr_equal(block_1_1_32_scales(part), scales);
    assert_true(block_1_1_32_scale(part, 0) == 1.0f);
    assert_true(block_1_1_32_scale(part, 1) == 2.0f);
    assert_true(block_1_1_32_scale(part, 33) == 3.0f);
    assert_true(block_1_1_32_scale_direct(part, (const stn_size[]){2}) == 3.0f);
    assert_ptr_equal(block_1_1_32_scales(block_1_1_32_sub(x, stn_span_of(32, 33))), scales + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_parts_from_inside_a_block),
        cmocka_unit_test(test_parts_of_parts_inside_blocks),
        cmocka_unit_test(test_counts_of_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
