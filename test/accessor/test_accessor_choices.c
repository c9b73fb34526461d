/* Accessor types with combined options of accessor_define.h: layouts with scales, scales of other
 * formats than the arithmetic type, zero points of blocks, 32-bit offsets. */
#include "accessor_types.h"

#define STN_NAME        strided
#define STN_RANK        3
#define STN_REAL        float
#define STN_STORAGE     stn_f16
#define STN_LAYOUT      STRIDED
#define STN_SCALE_MASK  0x3
#define STN_SCALE_BLOCK 4
#include "steno/accessor_define.h"
CHECK_SCALED(strided, 3, STRIDED)

#define STN_NAME          scale_bf16
#define STN_RANK          2
#define STN_REAL          double
#define STN_STORAGE       int8_t
#define STN_SCALE_MASK    0x3
#define STN_SCALE_BLOCK   16
#define STN_SCALE_STORAGE stn_bf16
#include "steno/accessor_define.h"
CHECK_TYPE(scale_bf16, 2, RIGHT, CONST, SCALED, YES, STN_BF16, 0)

#define STN_NAME        affine_blocks
#define STN_RANK        2
#define STN_REAL        double
#define STN_STORAGE     uint8_t
#define STN_SCALE_MASK  0x3
#define STN_SCALE_BLOCK 32
#define STN_ZERO_POINTS
#include "steno/accessor_define.h"
CHECK_AFFINE(affine_blocks, 2, RIGHT)

#define STN_NAME       short_left
#define STN_RANK       2
#define STN_REAL       float
#define STN_STORAGE    int32_t
#define STN_LAYOUT     LEFT
#define STN_INDEX_BITS 32
#include "steno/accessor_define.h"
CHECK_PLAIN(short_left, 2, LEFT)

/* X(name, rank, arithmetic type, storage, layout, index bits, mask, block, type of scales, their
 * format, kind, 1 with zero points) */
#define SCALED_LIST(X)                                                                             \
    X(left, 3, double, int16_t, LEFT, 64, 0x6, 1, double, F64, SCALED, 0)                          \
    X(blocks, 3, double, stn_bf16, BLOCK_COL_MAJOR, 64, 0x2, 3, double, F64, SCALED, 0)            \
    X(scale_f32, 2, double, int8_t, RIGHT, 64, 0x1, 1, float, F32, SCALED, 0)                      \
    X(scale_f16, 2, float, uint8_t, RIGHT, 64, 0x2, 1, stn_f16, F16, SCALED, 0)                    \
    X(scale_e5m2, 2, float, stn_e4m3, RIGHT, 64, 0x1, 32, stn_e5m2, E5M2, SCALED, 0)               \
    X(scale_f64, 2, float, int16_t, RIGHT, 64, 0, 1, double, F64, SCALED, 0)                       \
    X(affine_left, 2, float, int8_t, LEFT, 64, 0x1, 1, float, F32, AFFINE, 1)                      \
    X(short_scaled, 2, double, int8_t, RIGHT, 32, 0x3, 8, double, F64, SCALED, 0)
#define SCALED(name, rank, real, storage, layout, bits, mask, block, scale, format, kind, zeros)   \
    CHECK_ACCESSOR_SCALES(name, rank, real, storage, layout, bits, mask, block, scale, zeros)      \
    CHECK_TYPE(name, rank, layout, CONST, kind, YES, STN_##format, zeros)
#define SCALED_TEST(name, ...) CHECK_TEST(name)
SCALED_LIST(SCALED)

#define SHORT(name, rank, real, storage, layout)                                                   \
    CHECK_ACCESSOR_RULES(name, rank, real, storage, layout, 32, STN_ROUND_NEAREST,                 \
                         STN_OVERFLOW_DEFAULT)                                                     \
    CHECK_PLAIN(name, rank, layout)
SHORT(short_right, 3, double, stn_f16, RIGHT)
SHORT(short_strided, 2, double, float, STRIDED)

static void test_indices_of_32_bits(void **state)
{
    (void)state;
    assert_int_equal(sizeof(short_right_index), 4);
    assert_int_equal(sizeof(left_index), 8);
    assert_int_equal(short_right_index_bits, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCALED_LIST(SCALED_TEST) CHECK_TEST(strided) CHECK_TEST(scale_bf16)
            CHECK_TEST(affine_blocks) CHECK_TEST(short_left) CHECK_TEST(short_right)
                CHECK_TEST(short_strided) cmocka_unit_test(test_indices_of_32_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
