/* Lanes of a tile: 32 partial sums in registers, and their combination. Included after
 * format/vec.h. */
#ifndef STENO_ORDER_FOLD_H
#define STENO_ORDER_FOLD_H

#include "core/memory.h"
#include "core/tune.h"
#include "steno/detail/tile.h"

enum { HALVES = 2 * STN_LANES / V_PIECE, PIECES = STN_LANES / V_PIECE };

/* -0 is the neutral element of sums. */
STN_FN void clear_f64(vf64 *lanes)
{
#pragma GCC unroll 16
    for (int r = 0; r < HALVES; r++)
        lanes[r] = v_set_f64(-0.0);
}

STN_FN void clear_f32(vf32 *lanes)
{
#pragma GCC unroll 16
    for (int r = 0; r < PIECES; r++)
        lanes[r] = v_set_f32(-0.0f);
}

/* Lane l is added to lane l + h for h = 16, 8, 4, 2, 1. Compilers unroll this automatically;
 * with a pragma, clang leaves loops of two iterations, and the lanes on the stack. */
STN_FN double fold_f64(vf64 *lanes)
{
    for (int half = HALVES / 2; half > 0; half /= 2)
        for (int r = 0; r < half; r++)
            lanes[r] = v_add_f64(lanes[r], lanes[r + half]);
    return v_sum_f64(lanes[0]);
}

STN_FN double fold_f32(vf32 *lanes)
{
    for (int half = PIECES / 2; half > 0; half /= 2)
        for (int r = 0; r < half; r++)
            lanes[r] = v_add_f32(lanes[r], lanes[r + half]);
    return (double)v_sum_f32(lanes[0]);
}

#define T    f64
#define REAL double
#include "order/leaves.h"

#define T    f32
#define REAL float
#include "order/leaves.h"

/* A piece in arithmetic T has WIDE_T registers of lanes: adds it, or x * y, to them. */
enum { WIDE_f64 = 2, WIDE_f32 = 1 };
typedef vf64x2 piece_f64;
typedef vf32 piece_f32;

STN_FN piece_f64 repeat_f64(double x)
{
    return (vf64x2){v_set_f64(x), v_set_f64(x)};
}

STN_FN piece_f32 repeat_f32(float x)
{
    return v_set_f32(x);
}

STN_FN piece_f64 piece_of_f64(const vf64 *lanes)
{
    return (vf64x2){lanes[0], lanes[1]};
}

STN_FN piece_f32 piece_of_f32(const vf32 *lanes)
{
    return lanes[0];
}

STN_FN void set_piece_f64(vf64 *lanes, vf64x2 x)
{
    lanes[0] = x.low;
    lanes[1] = x.high;
}

STN_FN void set_piece_f32(vf32 *lanes, vf32 x)
{
    lanes[0] = x;
}

STN_FN void add_f64(vf64 *lanes, vf64x2 x)
{
    lanes[0] = v_add_f64(lanes[0], x.low);
    lanes[1] = v_add_f64(lanes[1], x.high);
}

STN_FN void add_f32(vf32 *lanes, vf32 x)
{
    lanes[0] = v_add_f32(lanes[0], x);
}

STN_FN void add_product_f64(vf64 *lanes, vf64x2 x, vf64x2 y)
{
    lanes[0] = v_fma_f64(x.low, y.low, lanes[0]);
    lanes[1] = v_fma_f64(x.high, y.high, lanes[1]);
}

STN_FN void add_product_f32(vf32 *lanes, vf32 x, vf32 y)
{
    lanes[0] = v_fma_f32(x, y, lanes[0]);
}

/* Prefetch distance of codes whose conversion takes so long that hardware prefetches too late.
 * Without it, f16 and bf16 from memory take 1.4 times as long on Sapphire Rapids. */
enum {
    STN_FETCHES_f64 = sizeof(code) < sizeof(double),
    STN_FETCHES_f32 = sizeof(code) < sizeof(float)
};

STN_FN void fetch(const code *x, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += STN_LINE)
        __builtin_prefetch((const void *)((uintptr_t)x + (uintptr_t)(stn_tuned_ahead + at)), 0, 3);
}

/* Not inlined into the loops over complete tiles, whose registers it would need. */
#define STN_REST static __attribute__((noinline))

/* A run with its last argument, `plain`, as a constant. */
#define STN_BY_PLAIN(plain, run, ...)                                                              \
    do {                                                                                           \
        if (plain)                                                                                 \
            run(__VA_ARGS__, 1);                                                                   \
        else                                                                                       \
            run(__VA_ARGS__, 0);                                                                   \
    } while (0)

#endif
