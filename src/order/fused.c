/* The fused loops of STN_FORMAT on STN_ISA. */
#include "order/fused.h"

#include "format/vec.h"
#include "format/vec/affine.h"
#include "order/columns.h"
#include "order/side.h"
#include "order/some.h"
#include "order/take.h"
#ifndef PACKED_CODES
#    include "order/exact.h"
#endif

/* Adds x * y of one piece to its lanes. If products of the format are exact in f32, they are
 * computed there and converted once: the same bits as two conversions and an fma. */
STN_FN void add_codes_f64(vf64 *lanes, const code *x, const affine_f64 *x_affine, const code *y,
                          const affine_f64 *y_affine, int plain)
{
#ifdef PRODUCTS_EXACT_IN_F32
    if (plain) {
        add_f64(lanes, v_widen(v_mul_f32(load_f32(x), load_f32(y))));
        return;
    }
#endif
    add_product_f64(lanes, read_f64(x, x_affine, plain), read_f64(y, y_affine, plain));
}

STN_FN void add_codes_f32(vf32 *lanes, const code *x, const affine_f32 *x_affine, const code *y,
                          const affine_f32 *y_affine, int plain)
{
    add_product_f32(lanes, read_f32(x, x_affine, plain), read_f32(y, y_affine, plain));
}

STN_FN vf64x2 axpy_piece_f64(vf64x2 x, vf64x2 y, double alpha)
{
    const vf64 factor = v_set_f64(alpha);
    y.low = v_add_f64(v_mul_f64(factor, x.low), y.low);
    y.high = v_add_f64(v_mul_f64(factor, x.high), y.high);
    return y;
}

STN_FN vf32 axpy_piece_f32(vf32 x, vf32 y, double alpha)
{
    return v_add_f32(v_mul_f32(v_set_f32((float)alpha), x), y);
}

/* Rows of values have their own loops. */
#define STN_VALUES_f64 1
#define STN_VALUES_f32 1
#if STN_JOIN3(STN, VALUES, STN_FORMAT)
#    include "order/vector.h"
#    include "order/value_rows.h"
#else
#    define sum_value_rows(sums, codes, row_bytes, rows, y, count)
#endif

#define STN_UNROLL(count) _Pragma(STN_QUOTE(GCC unroll count))

STN_FN void fetch_at(const void *x, int64_t bytes, int64_t ahead)
{
    for (int64_t at = 0; at < bytes; at += STN_LINE)
        __builtin_prefetch((const void *)((uintptr_t)x + (uintptr_t)(ahead + at)), 0, 3);
}

/* The prefetch distance in rows that are multiplied together, `left` bytes before their end; `gap`
 * bytes follow each row. Beyond a short gap is the next row, which is already being read:
 * prefetches skip the other rows, of `row_bytes` bytes each. */
STN_FN int64_t row_distance(int64_t left, int64_t gap, int rows, int64_t row_bytes)
{
    const int is_end = left <= stn_tuned_ahead && 0 <= gap && gap < stn_tuned_ahead;
    return stn_tuned_ahead + (is_end ? gap + (rows - 1) * row_bytes : 0);
}

/* Are codes values of the arithmetic type? */
#define STN_IS_VALUE(type) __builtin_types_compatible_p(code, type)

#ifndef SUM_TILE_f64
#    define SUM_TILE_f64(x, affine) sum_tile_f64(x, affine, 1)
#endif
#define SUM_TILE_f32(x, affine) sum_tile_f32(x, affine, 1)
#define T                       f64
#define REAL                    double
#include "order/loops.h"
#define T    f64
#define REAL double
#include "order/moments.h"

#ifndef ONLY_F64
#    define T    f32
#    define REAL float
#    include "order/loops.h"
#    define T    f32
#    define REAL float
#    include "order/moments.h"
#endif

#include "order/integer.h"

#ifndef EXACT_SUM
#    define EXACT_SUM NULL
#endif
#ifndef EXACT_DOT
#    define EXACT_DOT NULL
#endif
#ifdef SEGMENTED_CODES
#    define UPDATE NULL
#else
#    define UPDATE update_f64
#endif
/* Blocks of narrow codes have loops. */
#define IF_NARROW(loop) (sizeof(code) <= 2 ? loop : NULL)
extern const stn_fused_pair STN_INSTANCE(stn_fused);
const stn_fused_pair STN_INSTANCE(stn_fused) = {
    {dot_f64, squares_f64, rows_f64, columns_f64, IF_NARROW(block_rows_f64),
     IF_NARROW(block_columns_f64), axpy_f64, UPDATE, sum_f64, moments_f64, EXACT_SUM, EXACT_DOT,
     INTEGER_ROWS, convert_to_integers},
#ifndef ONLY_F64
    {dot_f32, squares_f32, rows_f32, columns_f32, IF_NARROW(block_rows_f32),
     IF_NARROW(block_columns_f32), axpy_f32, update_f32, sum_f32, moments_f32, NULL, NULL, NULL,
     NULL},
#else
    {0}
#endif
};
