/* Accessor types and views for tests of accessors from views. */
#ifndef STENO_TEST_ACCESSOR_VIEW_TYPES_H
#define STENO_TEST_ACCESSOR_VIEW_TYPES_H

#include "accessor_types.h"
#include "check.h"
#include "steno/accessor_view.h"

/* ---- types and their companions; before the names below, which -Wshadow would report ---- */

#define BOTH(name)             STN_ACCESSOR_FROM_VIEW(name) STN_ACCESSOR_FROM_VIEW(name##_const)
#define TYPE(MACRO, name, ...) MACRO(name, __VA_ARGS__) BOTH(name)

TYPE(STN_ACCESSOR, right, 2, double, float)
TYPE(STN_ACCESSOR_LEFT, left, 2, double, stn_f16)
TYPE(STN_ACCESSOR_STRIDED, strided, 2, float, int16_t)
TYPE(STN_ACCESSOR_BLOCK_COL_MAJOR, blocked, 3, double, stn_bf16)
TYPE(STN_ACCESSOR_STATIC, fixed, 2, double, double, (STN_DYNAMIC, 3), (4, 1))
TYPE(STN_ACCESSOR, whole, 2, int64_t, uint16_t)
TYPE(STN_ACCESSOR, pairs, 2, stn_c128, stn_c32)
TYPE(STN_ACCESSOR_ALIGNED, aligned, 1, stn_c128, stn_c128, 16)
TYPE(STN_ACCESSOR, small, 2, double, stn_e4m3)
TYPE(STN_ACCESSOR_SCALED, scaled, 2, double, int8_t, 0x0)
TYPE(STN_ACCESSOR_AFFINE, affine, 2, double, uint8_t, 0x0)
TYPE(STN_ACCESSOR_SCALED, by_row, 2, double, int8_t, 0x2)
TYPE(STN_ACCESSOR_SCALED, by_column, 2, double, int8_t, 0x1)
TYPE(STN_ACCESSOR_SCALED, by_element, 2, double, int8_t, 0x3)
TYPE(STN_ACCESSOR_BLOCK_SCALED, by_block, 2, double, int8_t, 0x3, 4)
TYPE(STN_ACCESSOR_AFFINE, affine_by_row, 2, double, int8_t, 0x2)
TYPE(STN_ACCESSOR_SCALED, scaled_f32, 2, float, int8_t, 0x0)

CHECK_ACCESSOR_SCALES(wide_scale, 2, float, int8_t, RIGHT, 64, 0, 1, double, 0)
BOTH(wide_scale)
CHECK_ACCESSOR_SCALES(wide_affine, 2, float, int8_t, RIGHT, 64, 0, 1, double, 1)
BOTH(wide_affine)

/* With index bits, rounding and overflow rule. */
#define RULES(name, storage, layout, bits, rounding, overflow)                                     \
    CHECK_ACCESSOR_RULES(name, 2, double, storage, layout, bits, STN_ROUND_##rounding,             \
                         STN_OVERFLOW_##overflow)                                                  \
    BOTH(name)
RULES(near, float, STRIDED, 32, NEAREST, DEFAULT)
RULES(chance, stn_f16, RIGHT, 64, STOCHASTIC, DEFAULT)
RULES(cut, stn_f16, RIGHT, 64, TOWARD_ZERO, SATURATE)
RULES(saturating, stn_e4m3, RIGHT, 64, NEAREST, SATURATE)
RULES(integers, int8_t, RIGHT, 64, NEAREST, NAN)

/* ---- views of `codes` ---- */

enum { ROWS = 5, COLUMNS = 3 };

static stn_u64 codes[64]; /* no view of a test reaches beyond them */
static const int64_t shape[] = {ROWS, COLUMNS};

static inline stn_view view_of(stn_storage storage, int rank, const int64_t *extents,
                               const int64_t *strides)
{
    stn_view view;
    expect_ok(stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = "golf", .storage = storage,
                                                       .data = codes, .rank = rank,
                                                       .extents = extents, .strides = strides)));
    return view;
}

static inline stn_view matrix(stn_storage storage)
{
    return view_of(storage, 2, shape, NULL);
}

static inline stn_view strided_matrix(stn_format format, int64_t stride0, int64_t stride1)
{
    return view_of(stn_storage_of(format), 2, shape, (const int64_t[]){stride0, stride1});
}

#endif
