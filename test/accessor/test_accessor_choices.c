/* Accessor types of accessor_define.h that mix its choices: layouts with scales, scales of other
 * formats, zero points of blocks, offsets of 32 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "accessor_types.h"

/* ---- scales in other layouts ---- */

#define STN_NAME       left
#define STN_RANK       3
#define STN_REAL       double
#define STN_STORAGE    int16_t
#define STN_LAYOUT     LEFT
#define STN_SCALE_MASK 0x6
#include "steno/accessor_define.h"
CHECK_SCALED(left, 3, LEFT)

#define STN_NAME        strided
#define STN_RANK        3
#define STN_REAL        float
#define STN_STORAGE     stn_f16
#define STN_LAYOUT      STRIDED
#define STN_SCALE_MASK  0x3
#define STN_SCALE_BLOCK 4
#include "steno/accessor_define.h"
CHECK_SCALED(strided, 3, STRIDED)

#define STN_NAME        blocks
#define STN_RANK        3
#define STN_REAL        double
#define STN_STORAGE     stn_bf16
#define STN_LAYOUT      BLOCK_COL_MAJOR
#define STN_SCALE_MASK  0x2
#define STN_SCALE_BLOCK 3
#include "steno/accessor_define.h"
CHECK_SCALED(blocks, 3, BLOCK_COL_MAJOR)

/* ---- scales of another format than the arithmetic ---- */

#define STN_NAME          scale_f32
#define STN_RANK          2
#define STN_REAL          double
#define STN_STORAGE       int8_t
#define STN_SCALE_MASK    0x1
#define STN_SCALE_STORAGE float
#include "steno/accessor_define.h"
CHECK_TYPE(scale_f32, 2, RIGHT, CONST, SCALED, YES, STN_F32, 0)

#define STN_NAME          scale_bf16
#define STN_RANK          2
#define STN_REAL          double
#define STN_STORAGE       int8_t
#define STN_SCALE_MASK    0x3
#define STN_SCALE_BLOCK   16
#define STN_SCALE_STORAGE stn_bf16
#include "steno/accessor_define.h"
CHECK_TYPE(scale_bf16, 2, RIGHT, CONST, SCALED, YES, STN_BF16, 0)

#define STN_NAME          scale_f16
#define STN_RANK          2
#define STN_REAL          float
#define STN_STORAGE       uint8_t
#define STN_SCALE_MASK    0x2
#define STN_SCALE_STORAGE stn_f16
#include "steno/accessor_define.h"
CHECK_TYPE(scale_f16, 2, RIGHT, CONST, SCALED, YES, STN_F16, 0)

#define STN_NAME          scale_e5m2
#define STN_RANK          2
#define STN_REAL          float
#define STN_STORAGE       stn_e4m3
#define STN_SCALE_MASK    0x1
#define STN_SCALE_BLOCK   32
#define STN_SCALE_STORAGE stn_e5m2
#include "steno/accessor_define.h"
CHECK_TYPE(scale_e5m2, 2, RIGHT, CONST, SCALED, YES, STN_E5M2, 0)

#define STN_NAME          scale_f64
#define STN_RANK          2
#define STN_REAL          float
#define STN_STORAGE       int16_t
#define STN_SCALE_MASK    0
#define STN_SCALE_STORAGE double
#include "steno/accessor_define.h"
CHECK_TYPE(scale_f64, 2, RIGHT, CONST, SCALED, YES, STN_F64, 0)

/* ---- zero points ---- */

#define STN_NAME        affine_blocks
#define STN_RANK        2
#define STN_REAL        double
#define STN_STORAGE     uint8_t
#define STN_SCALE_MASK  0x3
#define STN_SCALE_BLOCK 32
#define STN_ZERO_POINTS
#include "steno/accessor_define.h"
CHECK_AFFINE(affine_blocks, 2, RIGHT)

#define STN_NAME       affine_left
#define STN_RANK       2
#define STN_REAL       float
#define STN_STORAGE    int8_t
#define STN_LAYOUT     LEFT
#define STN_SCALE_MASK 0x1
#define STN_ZERO_POINTS
#include "steno/accessor_define.h"
CHECK_AFFINE(affine_left, 2, LEFT)

/* ---- offsets of 32 bits ---- */

#define STN_NAME       short_right
#define STN_RANK       3
#define STN_REAL       double
#define STN_STORAGE    stn_f16
#define STN_INDEX_BITS 32
#include "steno/accessor_define.h"
CHECK_PLAIN(short_right, 3, RIGHT)

#define STN_NAME       short_left
#define STN_RANK       2
#define STN_REAL       float
#define STN_STORAGE    int32_t
#define STN_LAYOUT     LEFT
#define STN_INDEX_BITS 32
#include "steno/accessor_define.h"
CHECK_PLAIN(short_left, 2, LEFT)

#define STN_NAME       short_strided
#define STN_RANK       2
#define STN_REAL       double
#define STN_STORAGE    float
#define STN_LAYOUT     STRIDED
#define STN_INDEX_BITS 32
#include "steno/accessor_define.h"
CHECK_PLAIN(short_strided, 2, STRIDED)

#define STN_NAME        short_scaled
#define STN_RANK        2
#define STN_REAL        double
#define STN_STORAGE     int8_t
#define STN_SCALE_MASK  0x3
#define STN_SCALE_BLOCK 8
#define STN_INDEX_BITS  32
#include "steno/accessor_define.h"
CHECK_SCALED(short_scaled, 2, RIGHT)

/* ---- a stride of the last dimension that the type knows ---- */

#define STN_NAME    pairs
#define STN_RANK    2
#define STN_REAL    double
#define STN_STORAGE float
#define STN_STRIDES (STN_DYNAMIC, 2)
#include "steno/accessor_define.h"

/* ---- the tests ---- */

static const stn_size shapes[][3] = {{2, 3, 5}, {3, 1, 4}, {1, 4, 1}, {2, 2, 37}, {1, 40, 1}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void test_choice(void **state)
{
    const check_type *const type = *state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (int gap = 0; gap < 2; gap++) {
            const stn_size *const extent = shapes[shape] + 3 - type->rank;
            stn_size stride[8];
            check_strides(type->layout, type->rank, extent, gap, stride);
            check_scene scene =
                check_open(type, extent, gap ? stride : NULL, NULL, (uint64_t)(3 * shape + gap));
            check_all(&scene, (uint64_t)shape);
            check_parts(&scene);
            if (type->has_scales)
                check_scales(&scene);
            check_close(&scene);
        }
}

/* Strides that no layout has: backwards, and interleaved dimensions. */
static void test_odd_strides(void **state)
{
    static const stn_size extents[] = {3, 4, 5},
                          strides[][3] = {
                              {-20, 5, -1}, {1, 3, 12}, {2, -30, 6}, {-1, -3, -12}, {100, -7, 1}};
    const check_type *const type = *state;
    for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
        const int skip = 3 - type->rank;
        check_scene scene = check_open(type, extents + skip, strides[k] + skip, NULL, k);
        check_all(&scene, k);
        check_parts(&scene);
        check_close(&scene);
    }
}

static void test_indices_of_32_bits(void **state)
{
    (void)state;
    assert_int_equal(sizeof(short_right_index), 4);
    assert_int_equal(sizeof(left_index), 8);
    assert_int_equal(short_right_index_bits, 32);
}

static void test_known_last_stride(void **state)
{
    float memory[24];
    double values[6];
    (void)state;
    for (int k = 0; k < 24; k++)
        memory[k] = (float)k;
    const pairs x = pairs_make(memory, (const stn_size[]){2, 3}, (const stn_size[]){12});
    const pairs dense = pairs_make(memory, (const stn_size[]){2, 3}, NULL);
    assert_int_equal(pairs_stride(x, 1), 2);
    assert_int_equal(pairs_stride(dense, 0), 6);
    pairs_load(x, 0, 0, 6, values);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            assert_true(pairs_get(x, i, j) == 12 * i + 2 * j);
            assert_true(values[3 * i + j] == 12 * i + 2 * j);
        }
    assert_true(pairs_get(pairs_sub(x, stn_at(1), stn_span_of(1, 3)), 0, 1) == 16.0);
}

#define CHOICE(test, type)                                                                         \
    {                                                                                              \
#        type " " #        test, test, NULL, NULL, (void *)(uintptr_t)&type##_type                 \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHOICE(test_choice, left),
        CHOICE(test_choice, strided),
        CHOICE(test_choice, blocks),
        CHOICE(test_choice, scale_f32),
        CHOICE(test_choice, scale_bf16),
        CHOICE(test_choice, scale_f16),
        CHOICE(test_choice, scale_e5m2),
        CHOICE(test_choice, scale_f64),
        CHOICE(test_choice, affine_blocks),
        CHOICE(test_choice, affine_left),
        CHOICE(test_choice, short_right),
        CHOICE(test_choice, short_left),
        CHOICE(test_choice, short_strided),
        CHOICE(test_choice, short_scaled),
        CHOICE(test_odd_strides, strided),
        CHOICE(test_odd_strides, short_strided),
        cmocka_unit_test(test_indices_of_32_bits),
        cmocka_unit_test(test_known_last_stride),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
