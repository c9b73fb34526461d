/* What the tests of accessors from views share: accessor types and views. */
#ifndef STENO_TEST_ACCESSOR_VIEW_TYPES_H
#define STENO_TEST_ACCESSOR_VIEW_TYPES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "steno/accessor_view.h"

/* ---- types and their companions; they stand first, or -Wshadow would mind the names below ---- */

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
TYPE(STN_ACCESSOR_SCALED, scaled_f32, 2, float, int8_t, 0x0)

#define STN_NAME          wide_scale
#define STN_RANK          2
#define STN_REAL          float
#define STN_STORAGE       int8_t
#define STN_SCALE_MASK    0x0
#define STN_SCALE_STORAGE double
#include "steno/accessor_define.h"
BOTH(wide_scale)

#define STN_NAME          wide_affine
#define STN_RANK          2
#define STN_REAL          float
#define STN_STORAGE       int8_t
#define STN_SCALE_MASK    0x0
#define STN_SCALE_STORAGE double
#define STN_ZERO_POINTS
#include "steno/accessor_define.h"
BOTH(wide_affine)

#define STN_NAME       near
#define STN_RANK       2
#define STN_REAL       double
#define STN_STORAGE    float
#define STN_LAYOUT     STRIDED
#define STN_INDEX_BITS 32
#include "steno/accessor_define.h"
BOTH(near)

#define STN_NAME     chance
#define STN_RANK     2
#define STN_REAL     double
#define STN_STORAGE  stn_f16
#define STN_ROUNDING STN_ROUND_STOCHASTIC
#include "steno/accessor_define.h"
BOTH(chance)

#define STN_NAME     cut
#define STN_RANK     2
#define STN_REAL     double
#define STN_STORAGE  stn_f16
#define STN_ROUNDING STN_ROUND_TOWARD_ZERO
#define STN_OVERFLOW STN_OVERFLOW_SATURATE
#include "steno/accessor_define.h"
BOTH(cut)

#define STN_NAME     saturating
#define STN_RANK     2
#define STN_REAL     double
#define STN_STORAGE  stn_e4m3
#define STN_OVERFLOW STN_OVERFLOW_SATURATE
#include "steno/accessor_define.h"
BOTH(saturating)

#define STN_NAME     integers
#define STN_RANK     2
#define STN_REAL     double
#define STN_STORAGE  int8_t
#define STN_OVERFLOW STN_OVERFLOW_NAN
#include "steno/accessor_define.h"
BOTH(integers)

/* ---- views of `codes` ---- */

enum { ROWS = 5, COLUMNS = 3 };

static stn_u64 codes[64];
static const int64_t shape[] = {ROWS, COLUMNS};

static inline stn_view view_of(stn_storage storage, int rank, const int64_t *extents,
                               const int64_t *strides)
{
    stn_view view;
    if (stn_view_wrap_spec(&view, &STN_VIEW_SPEC(.label = "golf", .storage = storage, .data = codes,
                                                 .rank = rank, .extents = extents,
                                                 .strides = strides)) != STN_OK)
        fail_msg("%s", stn_error());
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
