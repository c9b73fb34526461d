/* The loops of block_loops.h for blocks of STN_FORMAT on STN_ISA. The file format/STN_FORMAT.h
 * defines
 *
 *   ELEMENTS, CODE_BYTES, SCALE_BYTES  of a block
 *   load_exact(codes, piece)           a piece of a block; its values are multiples of 2^-SHIFT
 *   exponent_of(scale)                 of the scale, a power of two; INT16_MAX: NaN
 *   read_scale(scale)                  with ANY_SCALES: its value
 *
 * and may define
 *
 *   INLINE_SCALES                      scales precede codes, at constant distances
 *   product_of                         exact products of two pieces, in units of 2^PRODUCT_SHIFT
 *   load_narrow                        a piece in f32, in units of 2^NARROW_SHIFT
 *   HAS_NAN_CODES                      load_narrow and product_of require that look_for_nan finds
 *                                      none
 *   HAS_WORDS, HAS_NIBBLES             (order/block_exact.h) */
#include <math.h>
#include <string.h>

#include "format/codec.h"
#include "format/vec.h"
#include "order/block_loops.h"
#include "order/fold.h"
#include "order/fused.h"
#include "order/side.h"

enum {
    BLOCK_BYTES = SCALE_BYTES + CODE_BYTES,
    ROW_BLOCKS = STN_LANES / ELEMENTS, /* of a row of lanes */
    TILE_BLOCKS = STN_TILE_ELEMENTS / ELEMENTS,
    BLOCK_PIECES = ELEMENTS / V_PIECE
};

#define STN_NOT_INLINE    static __attribute__((noinline))
#define STN_UNROLL(count) _Pragma(STN_QUOTE(GCC unroll count))

/* Blocks at distances that the compiler knows. */
STN_FN stn_blocks known(stn_blocks b)
{
#ifdef INLINE_SCALES
    return (stn_blocks){b.scales + SCALE_BYTES, b.scales, BLOCK_BYTES, BLOCK_BYTES};
#else
    return (stn_blocks){b.codes, b.scales, CODE_BYTES, SCALE_BYTES};
#endif
}

/* The block that contains a piece of a row of lanes, and the number of the piece in the block. */
STN_FN const unsigned char *codes_at(stn_blocks row, int piece)
{
    return row.codes + piece / BLOCK_PIECES * row.code_step;
}

/* ---- scales ---- */

STN_FN double power_of_two(int exponent)
{
    return stn_f64_of_bits((uint64_t)(int64_t)(exponent + 1023) << 52);
}

#ifdef ANY_SCALES
STN_FN double scale_of(const unsigned char *scale)
{
    return read_scale(scale) * power_of_two(SHIFT);
}
#else
/* Scales that are not normal numbers. */
STN_NOT_INLINE double unusual_scale(int exponent)
{
    return exponent == INT16_MAX ? (double)NAN : ldexp(1.0, exponent + SHIFT);
}

STN_FN double scale_of(const unsigned char *scale)
{
    const int exponent = exponent_of(scale);
    if (__builtin_expect((unsigned)(exponent + SHIFT + 1022) >= 2046, 0))
        return unusual_scale(exponent);
    return power_of_two(exponent + SHIFT);
}
#endif

STN_FN vf64x2 times(vf64x2 x, vf64 scale)
{
    return (vf64x2){v_mul_f64(x.low, scale), v_mul_f64(x.high, scale)};
}

/* Prefetches the codes of row of lanes `b` of a tile at a distance, each line once. */
STN_FN void fetch_row(stn_blocks tile, int b, int64_t ahead)
{
    const int first = b * (int)tile.code_step, bytes = ROW_BLOCKS * (int)tile.code_step;
    const uintptr_t codes = (uintptr_t)tile.codes + (uintptr_t)ahead;
    for (int at = (first + STN_LINE - 1) / STN_LINE * STN_LINE; at < first + bytes; at += STN_LINE)
        __builtin_prefetch((const void *)(codes + (uintptr_t)at), 0, 3);
}

/* ---- factors: scales of the blocks of a tile ---- */

/* `real` is the type of factors; the biased exponent of 1, and the position of exponents. Usual
 * exponents are those from -MIDDLE to MIDDLE - 1: products with such factors are exact. */
#ifdef IS_NARROW
typedef float real;

enum { MIDDLE = 64, EXPONENT_AT = 23, EXPONENT_0 = 127 };
#    define UNIT NARROW_SHIFT
#else
typedef double real;

enum { MIDDLE = 512, EXPONENT_AT = 52, EXPONENT_0 = 1023 };
#    define UNIT SHIFT
#endif

#if defined(BYTE_SCALES)
/* Scales of a tile, and bits of those found so far, increased so that unusual ones exceed USUAL. */
typedef uint64_t tile_scales __attribute__((vector_size(TILE_BLOCKS * sizeof(uint64_t))));
typedef tile_scales seen_scales;

STN_FN tile_scales load_scales(const unsigned char *scales)
{
    uint32_t bytes;
    memcpy(&bytes, scales, sizeof bytes);
#    ifdef __AVX2__
    return (tile_scales)_mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int)bytes));
#    else
    return (tile_scales){bytes & 0xff, bytes >> 8 & 0xff, bytes >> 16 & 0xff, bytes >> 24};
#    endif
}

STN_FN int are_below(tile_scales x, uint64_t limit)
{
#    ifdef __AVX2__
    return _mm256_testz_si256((__m256i)x, _mm256_set1_epi64x((long long)~(limit - 1)));
#    else
    return (x[0] | x[1] | x[2] | x[3]) < limit;
#    endif
}

/* NaN is 255; narrow factors have exponents from -64 to 63. */
#    ifdef IS_NARROW
enum { USUAL = 128, SEEN_OFFSET = -63 };
#    else
enum { USUAL = 256, SEEN_OFFSET = 1 };
#    endif

STN_FN void find_factors(real *factors, stn_blocks tile, seen_scales *seen)
{
    const tile_scales scales = load_scales(tile.scales);
    const tile_scales bits = (scales + (uint64_t)(EXPONENT_0 - 127 + UNIT)) << EXPONENT_AT;
    *seen |= scales + (uint64_t)SEEN_OFFSET;
#    ifdef IS_NARROW
    typedef uint32_t narrow_bits __attribute__((vector_size(TILE_BLOCKS * sizeof(uint32_t))));
    const narrow_bits narrow = __builtin_convertvector(bits, narrow_bits);
    memcpy(factors, &narrow, sizeof narrow);
#    else
    memcpy(factors, &bits, sizeof bits);
#    endif
}

STN_FN int are_usual(seen_scales seen)
{
    return are_below(seen, USUAL);
}
#else
typedef unsigned seen_scales;

STN_FN void find_factors(real *factors, stn_blocks tile, seen_scales *seen)
{
    STN_UNROLL(16)
    for (int b = 0; b < TILE_BLOCKS; b++) {
#    ifdef ANY_SCALES
        (void)seen;
        factors[b] = scale_of(tile.scales + b * tile.scale_step);
#    else
        const unsigned exponent =
            (unsigned)(exponent_of(tile.scales + b * tile.scale_step) + MIDDLE);
        *seen |= exponent;
        factors[b] = power_of_two((int)exponent + UNIT - MIDDLE);
#    endif
    }
}

STN_FN int are_usual(seen_scales seen)
{
    return seen < 2 * MIDDLE;
}
#endif

/* ---- rows ---- */

/* A piece of a block, times its factor. */
STN_FN vf64x2 load_piece(const unsigned char *codes, int piece, const real *factor)
{
#if defined(HAS_NIBBLES) && defined(V_PICK)
    const scaled_codes table = scale_codes(v_set_f64(*factor));
    return load_scaled(&table, codes, piece);
#elif defined(IS_NARROW)
    return v_widen(v_mul_f32(load_narrow(codes, piece), v_set_f32(*factor)));
#else
    return times(load_exact(codes, piece), v_set_f64(*factor));
#endif
}

#ifdef HAS_NAN_CODES
STN_FN int has_found_nan(codes_seen seen)
{
    uint64_t words[sizeof seen / sizeof(uint64_t)], all = 0;
    memcpy(words, &seen, sizeof seen);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        all |= words[k];
    return (all & 0x8080808080808080u) != 0;
}
#else
typedef int codes_seen;
#    define look_for_nan(seen, codes) ((void)0)
#    define has_found_nan(seen)       ((void)(seen), 0)
#endif

STN_FN void add_row_exactly(vf64 *lanes, stn_blocks row, const double *y)
{
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++) {
        const vf64 scale = v_set_f64(scale_of(row.scales + p / BLOCK_PIECES * row.scale_step));
        add_product_f64(lanes + 2 * p, times(load_exact(codes_at(row, p), p % BLOCK_PIECES), scale),
                        v_load_f64(y + p * V_PIECE));
    }
}

/* One tile of `rows` rows with any scales and codes. */
STN_NOT_INLINE void unusual_rows_tile(double *leaves, stn_blocks given, int64_t row_blocks,
                                      int rows, const double *y)
{
    for (int r = 0; r < rows; r++) {
        const stn_blocks row = stn_blocks_from(known(given), r * row_blocks);
        vf64 lanes[HALVES];
        clear_f64(lanes);
        for (int b = 0; b < TILE_BLOCKS; b += ROW_BLOCKS)
            add_row_exactly(lanes, stn_blocks_from(row, b), y + b * ELEMENTS);
        leaves[r * STN_LEAVES] = fold_f64(lanes);
    }
}

/* The same. Scales and codes are checked at the end. Codes are prefetched `ahead` bytes ahead. */
STN_FN void rows_tile(double *leaves, stn_blocks blocks, int64_t row_blocks, int rows,
                      const double *y, int64_t ahead)
{
    vf64 lanes[SIDE][HALVES];
    real factors[SIDE][TILE_BLOCKS];
    codes_seen codes = {0};
    seen_scales scales = {0};
    STN_UNROLL(4)
    for (int r = 0; r < rows; r++) {
        clear_f64(lanes[r]);
        find_factors(factors[r], stn_blocks_from(blocks, r * row_blocks), &scales);
    }
    for (int b = 0; b < TILE_BLOCKS; b += ROW_BLOCKS) {
        STN_UNROLL(4)
        for (int r = 0; r < rows; r++) {
            const stn_blocks tile = stn_blocks_from(blocks, r * row_blocks);
            fetch_row(tile, b, ahead);
            look_for_nan(&codes, stn_blocks_from(tile, b).codes);
        }
        STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++) {
            const vf64x2 shared = v_load_f64(y + b * ELEMENTS + p * V_PIECE);
            STN_UNROLL(4)
            for (int r = 0; r < rows; r++) {
                const stn_blocks row = stn_blocks_from(blocks, r * row_blocks + b);
                add_product_f64(lanes[r] + 2 * p,
                                load_piece(codes_at(row, p), p % BLOCK_PIECES,
                                           &factors[r][b + p / BLOCK_PIECES]),
                                shared);
            }
        }
    }
    STN_UNROLL(4)
    for (int r = 0; r < rows; r++)
        leaves[r * STN_LEAVES] = fold_f64(lanes[r]);
    if (__builtin_expect(!are_usual(scales) || has_found_nan(codes), 0))
        unusual_rows_tile(leaves, blocks, row_blocks, rows, y);
}

/* The prefetch distance at tile `t`: at the end of the rows, to the beginning of the next ones. */
STN_FN int64_t choose_distance(stn_blocks blocks, int64_t row_blocks, int rows, int64_t t,
                               int64_t tiles)
{
    const int64_t left = (tiles - t) * TILE_BLOCKS * blocks.code_step;
    const int64_t jump = (rows * row_blocks - tiles * TILE_BLOCKS) * blocks.code_step;
    return stn_tuned_ahead + (row_blocks > 0 && left <= stn_tuned_ahead ? jump : 0);
}

STN_FN void rows_side(double *sums, stn_blocks blocks, int64_t row_blocks, int rows,
                      const double *y, int64_t tiles, const double *rests)
{
    double leaves[SIDE][STN_LEAVES];
    for (int64_t t = 0; t < tiles; t++)
        rows_tile(leaves[0] + t, stn_blocks_from(blocks, t * TILE_BLOCKS), row_blocks, rows,
                  y + t * STN_TILE_ELEMENTS, choose_distance(blocks, row_blocks, rows, t, tiles));
    for (int r = 0; r < rows; r++) {
        if (rests)
            leaves[r][tiles] = rests[r];
        sums[r] = fold_leaves_f64(leaves[r], tiles + (rests != NULL));
    }
}

static void rows(double *sums, stn_blocks given, int64_t row_blocks, int64_t count, const double *y,
                 int64_t tiles, const double *rests)
{
    const stn_blocks blocks = known(given);
    int64_t r = 0;
    for (; r + SIDE <= count; r += SIDE)
        rows_side(sums + r, stn_blocks_from(blocks, r * row_blocks), row_blocks, SIDE, y, tiles,
                  rests ? rests + r : NULL);
    for (; r < count; r++)
        rows_side(sums + r, stn_blocks_from(blocks, r * row_blocks), row_blocks, 1, y, tiles,
                  rests ? rests + r : NULL);
}

/* ---- products of two arrays of blocks ---- */

STN_FN void add_values_of_row(vf64 *lanes, stn_blocks x, stn_blocks y)
{
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++) {
        const int b = p / BLOCK_PIECES;
        const vf64 x_scale = v_set_f64(scale_of(x.scales + b * x.scale_step));
        const vf64 y_scale = v_set_f64(scale_of(y.scales + b * y.scale_step));
        add_product_f64(lanes + 2 * p, times(load_exact(codes_at(x, p), p % BLOCK_PIECES), x_scale),
                        times(load_exact(codes_at(y, p), p % BLOCK_PIECES), y_scale));
    }
}

STN_NOT_INLINE double dot_values(stn_blocks x_given, stn_blocks y_given)
{
    const stn_blocks x = known(x_given), y = known(y_given);
    vf64 lanes[HALVES];
    clear_f64(lanes);
    for (int b = 0; b < TILE_BLOCKS; b += ROW_BLOCKS) {
        fetch_row(x, b, stn_tuned_ahead);
        fetch_row(y, b, stn_tuned_ahead);
        add_values_of_row(lanes, stn_blocks_from(x, b), stn_blocks_from(y, b));
    }
    return fold_f64(lanes);
}

/* Factors of products of blocks in units of 2^unit. Returns 0 if one of them is not exact, and sets
 * `are_near` to whether their exponents differ by less than 16. */
#ifndef ANY_SCALES
enum { NEAR = 8 };
#    ifdef BYTE_SCALES
STN_FN int multiply_scales(double *factors, stn_blocks x, stn_blocks y, int unit, int *are_near)
{
    const tile_scales u = load_scales(x.scales), v = load_scales(y.scales), sum = u + v;
    const tile_scales bits = (sum + (uint64_t)(1023 - 2 * 127 + unit)) << 52;
    memcpy(factors, &bits, sizeof bits);
    *are_near = are_below(sum - sum[0] + NEAR, 2 * NEAR);
    return are_below((u + 1) | (v + 1), 256);
}
#    else
STN_FN int multiply_scales(double *factors, stn_blocks x, stn_blocks y, int unit, int *are_near)
{
    enum { MOST_EXPONENT = 256 };
    int first = 0;
    unsigned all = 0, near = 0;
    STN_UNROLL(16)
    for (int b = 0; b < TILE_BLOCKS; b++) {
        const int u = exponent_of(x.scales + b * x.scale_step);
        const int v = exponent_of(y.scales + b * y.scale_step);
        all |= (unsigned)(u + MOST_EXPONENT) | (unsigned)(v + MOST_EXPONENT);
        first = b == 0 ? u + v : first;
        near |= (unsigned)(u + v - first + NEAR);
        factors[b] = power_of_two(u + v + unit);
    }
    *are_near = near < 2 * NEAR;
    return all < 2 * MOST_EXPONENT;
}
#    endif
#endif

/* Products of codes are exact, and those of two scales, too: each sum of products is the same. The
 * sign of a sum of zeros is that of the products of values. */
#ifdef PRODUCT_SHIFT
#    if defined(HAS_WORDS)
#        define STN_DOT STN_NOT_INLINE
#    else
#        define STN_DOT STN_FN
#    endif
STN_DOT double dot_products(stn_blocks x_given, stn_blocks y_given)
{
    const stn_blocks x = known(x_given), y = known(y_given);
    vf64 lanes[HALVES];
    double factors[TILE_BLOCKS];
    codes_seen seen = {0};
    int are_near;
    const int is_exact = multiply_scales(factors, x, y, PRODUCT_SHIFT, &are_near);
    (void)are_near;
    clear_f64(lanes);
    for (int b = 0; b < TILE_BLOCKS; b++) {
        const unsigned char *const u = stn_blocks_from(x, b).codes;
        const unsigned char *const v = stn_blocks_from(y, b).codes;
        const vf64 scale = v_set_f64(factors[b]);
        fetch_row(x, b, stn_tuned_ahead);
        fetch_row(y, b, stn_tuned_ahead);
        look_for_nan(&seen, u);
        look_for_nan(&seen, v);
        STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++)
            add_product_f64(lanes + 2 * p, product_of(u, v, p), (vf64x2){scale, scale});
    }
    const double sum = fold_f64(lanes);
    const int is_usual = is_exact && !has_found_nan(seen) && isfinite(sum);
    return __builtin_expect(is_usual && sum != 0.0, 1) ? sum : dot_values(x, y);
}
#else
#    define dot_products dot_values
#endif

#include "order/block_exact.h"

static double dot(stn_blocks x_given, stn_blocks y_given, int64_t tiles, const double *rest)
{
    const stn_blocks x = known(x_given), y = known(y_given);
    double leaves[STN_LEAVES];
    for (int64_t t = 0; t < tiles; t++)
        leaves[t] =
            dot_tile(stn_blocks_from(x, t * TILE_BLOCKS), stn_blocks_from(y, t * TILE_BLOCKS));
    if (rest)
        leaves[tiles] = *rest;
    return fold_leaves_f64(leaves, tiles + (rest != NULL));
}

/* ---- columns ---- */

enum {
    COLUMN_PANELS = 8,
    PENDING_LEVELS = 3, /* levels of sums of panels */
    GROUP_ROWS = 8 /* rows of lanes whose pending sums stay in L1, while the next are fetched */
};

/* A value y of a row. With an exponent that exceeds `lowest` by up to `range`, products of y and
 * code by 2^exponent are exact: code * (2^exponent * y) has the bits of (code * 2^exponent) * y. */
typedef struct factor {
    uint64_t bits;
    int lowest;
    unsigned range;
} factor;

STN_FN factor factor_of(double y)
{
    enum { LEAST = -1074, MOST = 1024 - 32, NO_EXPONENT = 1 << 20 };
    const uint64_t bits = stn_bits_of_f64(y);
    const int exponent = (int)(bits >> 52 & 0x7ff);
    const int lowest = 1 - exponent > LEAST ? 1 - exponent : LEAST;
    const int highest = 2046 - exponent < MOST ? 2046 - exponent : MOST;
    if (exponent == 0 || exponent == 2047)
        return (factor){bits, NO_EXPONENT, 0};
    return (factor){bits, lowest, (unsigned)(highest - lowest)};
}

STN_FN void add_scaled_row(vf64 *sums, stn_blocks row, factor y)
{
    const vf64 by = v_set_f64(stn_f64_of_bits(y.bits));
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++) {
        const vf64 scale = v_set_f64(scale_of(row.scales + p / BLOCK_PIECES * row.scale_step));
        add_product_f64(sums + 2 * p, times(load_exact(codes_at(row, p), p % BLOCK_PIECES), scale),
                        (vf64x2){by, by});
    }
}

STN_FN void add_row(vf64 *sums, stn_blocks row, factor y)
{
    fetch_row(row, 0, GROUP_ROWS * ROW_BLOCKS * row.code_step);
#ifndef ANY_SCALES
    const int exponent = exponent_of(row.scales) + SHIFT;
    if (__builtin_expect((unsigned)(exponent - y.lowest) <= y.range, 1)) {
        const uint64_t bits = y.bits + ((uint64_t)(int64_t)exponent << 52);
        const vf64 by = v_set_f64(stn_f64_of_bits(bits));
        STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++)
            add_product_f64(sums + 2 * p, load_exact(row.codes, p), (vf64x2){by, by});
        return;
    }
#endif
    add_scaled_row(sums, row, y);
}

STN_FN void sum_lane(vf64 *sums, stn_blocks first, int64_t row_blocks, int64_t rows,
                     const factor *y)
{
    clear_f64(sums);
    for (int64_t e = 0; e < rows; e += STN_LANES)
        add_row(sums, stn_blocks_from(first, e * row_blocks), y[e]);
}

STN_FN void add_lanes(vf64 *sums, const vf64 *others)
{
    STN_UNROLL(16)
    for (int r = 0; r < HALVES; r++)
        sums[r] = v_add_f64(sums[r], others[r]);
}

/* Sums rows 0, 8, 16, ... below `rows` of a block of columns. */
STN_FN void sum_panel(vf64 *sums, stn_blocks first, int64_t row_blocks, int64_t rows,
                      const factor *y)
{
    vf64 others[HALVES], odd[HALVES];
    sum_lane(sums, first, row_blocks, rows, y);
    sum_lane(others, stn_blocks_from(first, 16 * row_blocks), row_blocks, rows - 16, y + 16);
    add_lanes(sums, others);
    sum_lane(odd, stn_blocks_from(first, 8 * row_blocks), row_blocks, rows - 8, y + 8);
    sum_lane(others, stn_blocks_from(first, 24 * row_blocks), row_blocks, rows - 24, y + 24);
    add_lanes(odd, others);
    add_lanes(sums, odd);
}

STN_FN void add_values(vf64 *sums, const double *values)
{
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        add_f64(sums + 2 * p, v_load_f64(values + p * V_PIECE));
}

/* Up to GROUP_ROWS times 32 columns; panels in the order of order/columns.h. */
STN_FN void sum_group(double *sums, stn_blocks blocks, int64_t row_blocks, int64_t rows,
                      const factor *y, int64_t count)
{
    static const int8_t order[COLUMN_PANELS] = {0, 4, 2, 6, 1, 5, 3, 7};
    double waiting[PENDING_LEVELS][GROUP_ROWS * STN_LANES];
    for (int k = 0; k < COLUMN_PANELS; k++)
        for (int64_t b = 0; b < count; b++) {
            const int64_t at = b * STN_LANES, first = order[k];
            vf64 lanes[HALVES];
            int level = 0;
            sum_panel(lanes, stn_blocks_from(blocks, b * ROW_BLOCKS + first * row_blocks),
                      row_blocks, rows - first, y + first);
            for (; k >> level & 1 && level < PENDING_LEVELS; level++)
                add_values(lanes, waiting[level] + at);
            double *const to = level < PENDING_LEVELS ? waiting[level] : sums;
            for (int p = 0; p < PIECES; p++)
                v_store_f64(to + at + p * V_PIECE, piece_of_f64(lanes + 2 * p));
        }
}

static void columns(double *sums, stn_blocks given, int64_t row_blocks, int64_t rows,
                    const double *y, int64_t columns)
{
    const stn_blocks blocks = known(given);
    const int64_t count = columns / STN_LANES;
    factor factors[STN_TILE_ELEMENTS + STN_LANES]; /* rows after the last one are not read */
    for (int64_t r = 0; r < rows; r++)
        factors[r] = factor_of(y[r]);
    for (int64_t b = 0; b < count; b += GROUP_ROWS) {
        const int64_t left = count - b;
        sum_group(sums + b * STN_LANES, stn_blocks_from(blocks, b * ROW_BLOCKS), row_blocks, rows,
                  factors, left < GROUP_ROWS ? left : GROUP_ROWS);
    }
}

extern const stn_block_loops STN_INSTANCE(stn_block_sums);
const stn_block_loops STN_INSTANCE(stn_block_sums) = {dot, rows, columns};
