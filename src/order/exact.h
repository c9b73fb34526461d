/* Sums that are exact in f64: with at most STN_EXACT_TILES tiles of elements, no partial sum needs
 * more than 53 bits in any order. So any order, and integer arithmetic, yields the same bits as the
 * tree. Included after format/vec.h.
 *
 *     i8 u8 i16 u16   products have up to 32 bits, and their number has 13
 *     e4m3            multiples of 2^-9 below 2^9; products have 36 bits
 *     f16 e5m2        multiples of 2^-24 (e5m2: 2^-16) below 2^16 */
#ifndef STENO_ORDER_EXACT_H
#define STENO_ORDER_EXACT_H

#include "format/vec.h"
#include "format/vec/affine.h"
#include "order/fold.h"
#include "steno/detail/accessor/e4m3_table.h"
/* clang-format off */
#include STN_HEADER(format/vec/exact, STN_ISA)
/* clang-format on */

#define STN_SUM   static __attribute__((unused))
#define IS_SIGNED ((code)-1 < (code)1)

/* ---- any format: lanes over all tiles ---- */

STN_SUM double exact_sum_any(const void *codes, int64_t tiles)
{
    const code *x = codes;
    const int64_t count = tiles * STN_TILE_ELEMENTS;
    vf64 lanes[HALVES];
    clear_f64(lanes);
    for (int64_t e = 0; e < count; e += STN_LANES) {
        fetch(x + e, STN_LANES * sizeof *x);
#pragma GCC unroll 16
        for (int p = 0; p < PIECES; p++)
            add_f64(lanes + 2 * p, load_f64(x + e + p * V_PIECE));
    }
    return fold_f64(lanes);
}

STN_SUM double exact_dot_any(const void *x_codes, const void *y_codes, int64_t tiles)
{
    const code *x = x_codes, *y = y_codes;
    const int64_t count = tiles * STN_TILE_ELEMENTS;
    vf64 lanes[HALVES];
    clear_f64(lanes);
    for (int64_t e = 0; e < count; e += STN_LANES) {
        fetch(x + e, STN_LANES * sizeof *x);
        fetch(y + e, STN_LANES * sizeof *y);
#pragma GCC unroll 16
        for (int p = 0; p < PIECES; p++)
            add_product_f64(lanes + 2 * p, load_f64(x + e + p * V_PIECE),
                            load_f64(y + e + p * V_PIECE));
    }
    return fold_f64(lanes);
}

/* ---- integers: zeros are never negative, but products with one may be ---- */

/* Signed 8-bit integers as x + 128, unsigned 16-bit integers as x - 32768. */
STN_SUM double exact_sum_8(const void *codes, int64_t tiles)
{
    const code *x = codes;
    const int64_t count = tiles * STN_TILE_ELEMENTS;
    vb sums = v_zero_b();
    for (int64_t e = 0; e < count; e += V_BYTES)
        sums = v_add_i64(sums, v_eights_u8(v_flip_b(v_load_b(x + e), IS_SIGNED ? INT8_MIN : 0)));
    return (double)(v_total_i64(sums) - (IS_SIGNED ? 128 * count : 0));
}

STN_SUM double exact_sum_16(const void *codes, int64_t tiles)
{
    const code *x = codes;
    const int64_t count = tiles * STN_TILE_ELEMENTS;
    vb sums = v_zero_b();
    for (int64_t e = 0; e < count; e += V_BYTES / 2) {
        fetch(x + e, V_BYTES / 2 * sizeof *x);
        const vb words = IS_SIGNED ? v_load_b(x + e) : v_flip_sign_i16(v_load_b(x + e));
        sums = v_add_i32(sums, v_pairs_i16(words, v_set_i16(1)));
    }
    return (double)(v_total_i32(sums) + (IS_SIGNED ? 0 : 32768 * count));
}

STN_SUM double exact_dot_8(const void *x_codes, const void *y_codes, int64_t tiles)
{
    const code *x = x_codes, *y = y_codes;
    const int64_t count = tiles * STN_TILE_ELEMENTS;
    vb sums = v_zero_b();
    for (int64_t e = 0; e < count; e += V_BYTES / 2) {
        fetch(x + e, V_BYTES / 2 * sizeof *x);
        fetch(y + e, V_BYTES / 2 * sizeof *y);
        const vb a = IS_SIGNED ? v_load_i8_i16(x + e) : v_load_u8_i16(x + e);
        const vb b = IS_SIGNED ? v_load_i8_i16(y + e) : v_load_u8_i16(y + e);
        sums = v_add_i32(sums, v_pairs_i16(a, b));
    }
    const int64_t total = v_total_i32(sums);
    return IS_SIGNED && total == 0 ? exact_dot_any(x, y, tiles) : (double)total;
}

/* Two products sum to between -2^31 + 2^17 and 2^31; minus 1, the sum fits into 32 bits. */
STN_SUM double exact_dot_i16(const void *x_codes, const void *y_codes, int64_t tiles)
{
    const code *x = x_codes, *y = y_codes;
    const int64_t count = tiles * STN_TILE_ELEMENTS;
    vf64 sums[2] = {v_set_f64(0.0), v_set_f64(0.0)};
    for (int64_t e = 0; e < count; e += V_BYTES / 2) {
        fetch(x + e, V_BYTES);
        fetch(y + e, V_BYTES);
        v_add_i32_f64(sums,
                      v_add_i32(v_pairs_i16(v_load_b(x + e), v_load_b(y + e)), v_set_i32(-1)));
    }
    const double sum = v_sum_f64(v_add_f64(sums[0], sums[1])) + (double)(count / 2);
    return sum == 0.0 ? exact_dot_any(x, y, tiles) : sum;
}

/* ---- e4m3: 4-bit significands times powers of two, separately for small and large ones ---- */

#ifdef V_LOOKUP_B
STN_SUM double exact_sum_e4m3(const void *x, int64_t tiles)
{
    const int64_t count = tiles * STN_TILE_ELEMENTS;
    /* By exponent: the implicit bit of the significand; the weight of its last bit times 2^9 if
     * that is below 2^8, otherwise divided by 2^8. */
    static const int8_t leading[16] = {0, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
    static const int8_t small[16] = {1, 1, 2, 4, 8, 16, 32, 64, -128};
    static const int8_t large[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64};
    vb low = v_zero_b(), high = v_zero_b(), nan = v_zero_b();
    for (int64_t e = 0; e < count; e += V_BYTES) {
        fetch((const code *)x + e, V_BYTES);
        const vb codes = v_load_b((const char *)x + e), exponents = v_exponents_e4m3(codes);
        const vb fraction = v_or_b(v_and_b(codes, 7), v_lookup_b(leading, exponents));
        const vb signed_fraction = v_negative_b(fraction, codes);
        nan = v_or_b(nan, v_equal_b(v_and_b(codes, 0x7f), 0x7f));
        low = v_add_i32(low, v_pairs_i16(v_pairs_b(v_lookup_b(small, exponents), signed_fraction),
                                         v_set_i16(1)));
        high = v_add_i32(high, v_pairs_i16(v_pairs_b(v_lookup_b(large, exponents), signed_fraction),
                                           v_set_i16(1)));
    }
    const int64_t sum = v_total_i32(low) + 256 * v_total_i32(high);
    if (v_any_b(nan) || sum == 0) /* a zero sum may be negative */
        return exact_sum_any(x, tiles);
    return (double)sum * 0x1p-9;
}
#else
#    define exact_sum_e4m3 exact_sum_any
#endif

/* Products of two values are multiples of 2^-18 below 2^18. Split into a multiple of 1 and an
 * exact remainder, 64 of either kind have an exact sum in f32. */
#ifdef V_LOOKUP_F32
STN_FN void add_split_product(vf32 *whole, vf32 *rest, vf32 x, vf32 y)
{
    const vf32 shift = v_set_f32(0x1.8p23f);
    const vf32 rounded = v_sub_f32(v_fma_f32(x, y, shift), shift);
    *whole = v_add_f32(*whole, rounded);
    *rest = v_add_f32(*rest, v_fma_f32(x, y, v_sub_f32(v_set_f32(-0.0f), rounded)));
}

STN_FN vf64 sum_of_four_f64(vf32 a, vf32 b, vf32 c, vf32 d)
{
    const vf64x2 e = v_widen(a), f = v_widen(b), g = v_widen(c), h = v_widen(d);
    return v_add_f64(v_add_f64(v_add_f64(e.low, e.high), v_add_f64(f.low, f.high)),
                     v_add_f64(v_add_f64(g.low, g.high), v_add_f64(h.low, h.high)));
}

STN_SUM double exact_dot_e4m3(const void *x, const void *y, int64_t tiles)
{
    enum { BATCH = 64 * STN_LANES };
    static const uint16_t table[128] = STN_E4M3_TABLE_F32;
    const int64_t count = tiles * STN_TILE_ELEMENTS;
    vf64 sums = v_set_f64(0.0);
    for (int64_t first = 0; first < count; first += BATCH) {
        const int64_t end = first + BATCH < count ? first + BATCH : count;
        vf32 even = v_set_f32(0.0f), odd = even, even_rest = even, odd_rest = even;
        for (int64_t e = first; e < end; e += STN_LANES) {
            const v_floats a = v_load_lookup_f32(table, (const char *)x + e);
            const v_floats b = v_load_lookup_f32(table, (const char *)y + e);
            add_split_product(&even, &even_rest, a.even, b.even);
            add_split_product(&odd, &odd_rest, a.odd, b.odd);
        }
        sums = v_add_f64(sums, sum_of_four_f64(even, odd, even_rest, odd_rest));
    }
    const double sum = v_sum_f64(sums);
    return sum == 0.0 ? exact_dot_any(x, y, tiles) : sum; /* a zero sum may be negative */
}
#else
#    define exact_dot_e4m3 exact_dot_any
#endif

/* ---- 16-bit floats: their bits at the positions of a double's bits ---- */

#ifdef V_PLACED
STN_SUM double exact_sum_placed(const void *codes, int64_t tiles)
{
    const code *x = codes;
    const int64_t count = tiles * STN_TILE_ELEMENTS;
    vf64 lanes[HALVES];
    vb special = v_zero_b();
    clear_f64(lanes);
    for (int64_t e = 0; e < count; e += STN_LANES) {
        fetch(x + e, STN_LANES * sizeof *x);
        const vb words = sizeof *x == 1 ? v_load_u8_upper(x + e) : v_load_b(x + e);
        const v_placed placed = v_place_f16(words);
        special = v_or_b(special, v_special_h(words, 0x7c00));
#    pragma GCC unroll 4
        for (int r = 0; r < HALVES; r++)
            lanes[r] = v_fma_f64(v_placed_f64(placed, r), v_set_f64(0x1p1008), lanes[r]);
    }
    return v_any_b(special) ? exact_sum_any(x, tiles) : fold_f64(lanes);
}

/* A tile of bf16, whose sum need not be exact: the values are multiplied by a power of two before
 * they are added. */
STN_FN double sum_tile_f64(const code *x, const affine_f64 *affine, int plain);
STN_SUM double sum_placed_bf16(const code *x, const affine_f64 *affine)
{
    vf64 lanes[HALVES];
    vb special = v_zero_b();
    clear_f64(lanes);
#    pragma GCC unroll 4
    for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES) {
        fetch(x + e, STN_LANES * sizeof *x);
        const vb words = v_load_b(x + e);
        const v_placed placed = v_place_bf16(words);
        special = v_or_b(special, v_special_h(words, 0x7f80));
#    pragma GCC unroll 4
        for (int r = 0; r < HALVES; r++)
            lanes[r] = v_fma_f64(v_placed_f64(placed, r), v_set_f64(0x1p896), lanes[r]);
    }
    return v_any_b(special) ? sum_tile_f64(x, affine, 1) : fold_f64(lanes);
}
#else
#    define exact_sum_placed           exact_sum_any
#    define sum_placed_bf16(x, affine) sum_tile_f64(x, affine, 1)
#endif

#endif
