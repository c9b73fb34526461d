/* The loops of block_loops.h for blocks of STN_FORMAT on STN_ISA. The file format/STN_FORMAT.h
 * defines
 *
 *   ELEMENTS, CODE_BYTES, SCALE_BYTES  of a block
 *   load_exact(codes, piece)           a piece of a block, in units of 2^SHIFT
 *   load_narrow(codes, piece)          the same in f32, rounded, in units of 2^NARROW_SHIFT, unless
 *                                      HAS_NIBBLES and V_PICK
 *   exponent_of(scale)                 of the scale, a power of two; INT16_MAX: NaN
 *   read_scale(scale)                  with ANY_SCALES: its value
 *
 * and may define
 *
 *   INLINE_SCALES                      scales precede codes, at constant distances
 *   product_of                         exact products of two pieces, in units of 2^PRODUCT_SHIFT
 *   IS_NARROW                          load_narrow is exact, and is used in f64, too
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

#ifdef INLINE_SCALES
#    define STEP_BYTES BLOCK_BYTES /* from the codes of a block to those of the next one */
#else
#    define STEP_BYTES CODE_BYTES
#endif

#define STN_NOT_INLINE    static __attribute__((noinline))
#define STN_UNROLL(count) _Pragma(STN_QUOTE(GCC unroll count))

/* Blocks at distances that the compiler knows. */
STN_FN stn_blocks known(stn_blocks b)
{
#ifdef INLINE_SCALES
    return (stn_blocks){b.scales + SCALE_BYTES, b.scales, STEP_BYTES, STEP_BYTES};
#else
    return (stn_blocks){b.codes, b.scales, STEP_BYTES, SCALE_BYTES};
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

/* Prefetches the codes of a tile at a distance. */
STN_FN void fetch_tile(stn_blocks tile, int64_t ahead)
{
    STN_UNROLL(16)
    for (int at = 0; at < TILE_BLOCKS * STEP_BYTES; at += STN_LINE)
        __builtin_prefetch((const void *)((uintptr_t)tile.codes + (uintptr_t)(ahead + at)), 0, 3);
}

/* ---- scales of the blocks of a tile ---- */

#ifndef ANY_SCALES
/* As stored: exponents, increased by SCALE_OF_1. Products of scales are exact if the exponents are
 * from -EXACT_MIDDLE to EXACT_MIDDLE - 1. */
typedef uint64_t tile_scales __attribute__((vector_size(TILE_BLOCKS * sizeof(uint64_t))));

STN_FN int are_below(tile_scales x, uint64_t limit)
{
#    ifdef __AVX2__
    return _mm256_testz_si256((__m256i)x, _mm256_set1_epi64x((long long)~(limit - 1)));
#    else
    return (x[0] | x[1] | x[2] | x[3]) < limit;
#    endif
}

#    ifdef BYTE_SCALES
enum { SCALE_OF_1 = 127, EXACT_MIDDLE = 128, MIDDLE_f64 = 128 };

STN_FN tile_scales load_scales(stn_blocks tile)
{
    uint32_t bytes;
    memcpy(&bytes, tile.scales, sizeof bytes);
#        ifdef __AVX2__
    return (tile_scales)_mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int)bytes));
#        else
    return (tile_scales){bytes & 0xff, bytes >> 8 & 0xff, bytes >> 16 & 0xff, bytes >> 24};
#        endif
}
#    else
enum { SCALE_OF_1 = 0, EXACT_MIDDLE = 256, MIDDLE_f64 = 512 };

STN_FN tile_scales load_scales(stn_blocks tile)
{
    int16_t exponents __attribute__((vector_size(TILE_BLOCKS * sizeof(int16_t))));
    STN_UNROLL(16)
    for (int b = 0; b < TILE_BLOCKS; b++)
        exponents[b] = (int16_t)exponent_of(tile.scales + b * tile.scale_step);
#        ifdef __AVX2__
    return (tile_scales)_mm256_cvtepi16_epi64(_mm_cvtsi64_si128((int64_t)exponents));
#        else
    typedef int64_t wide __attribute__((vector_size(sizeof(tile_scales))));
    return (tile_scales) __builtin_convertvector(exponents, wide);
#        endif
}
#    endif

enum { NEAR = 8 };

STN_FN int multiply_scales(double *factors, stn_blocks x, stn_blocks y, int unit, int *are_near)
{
    const tile_scales u = load_scales(x), v = load_scales(y), sum = u + v;
    const tile_scales bits = (sum + (uint64_t)(1023 - 2 * SCALE_OF_1 + unit)) << 52;
    const uint64_t offset = EXACT_MIDDLE - SCALE_OF_1;
    memcpy(factors, &bits, sizeof bits);
    *are_near = are_below(sum - sum[0] + NEAR, 2 * NEAR);
    return are_below((u + offset) | (v + offset), 2 * EXACT_MIDDLE);
}

/* Factors in f64 or f32. Usual ones are powers of two from 2^-MIDDLE to 2^(MIDDLE - 1): products
 * with them are exact. `seen` collects scales, increased so that unusual ones have bits from
 * 2 MIDDLE on; MIDDLE is a power of two. */
typedef tile_scales seen_scales;
enum { MIDDLE_f32 = 64 };

STN_FN tile_scales factor_bits(stn_blocks tile, seen_scales *seen, int middle, int exponent_0,
                               int exponent_at)
{
    const tile_scales scales = load_scales(tile);
    *seen |= scales + (uint64_t)(middle - SCALE_OF_1);
    return (scales + (uint64_t)(exponent_0 - SCALE_OF_1)) << exponent_at;
}

STN_FN void find_factors_f64(double *factors, stn_blocks tile, seen_scales *seen)
{
    const tile_scales bits = factor_bits(tile, seen, MIDDLE_f64, 1023 + SHIFT, 52);
    memcpy(factors, &bits, sizeof bits);
}

STN_FN void find_factors_f32(float *factors, stn_blocks tile, seen_scales *seen)
{
    typedef uint32_t narrow_bits __attribute__((vector_size(TILE_BLOCKS * sizeof(uint32_t))));
    const tile_scales bits = factor_bits(tile, seen, MIDDLE_f32, 127 + NARROW_SHIFT, 23);
    const narrow_bits narrow = __builtin_convertvector(bits, narrow_bits);
    memcpy(factors, &narrow, sizeof narrow);
}

#    define are_usual(seen, middle) are_below(seen, 2 * (middle))
#else
typedef int seen_scales;

STN_FN void find_factors_f64(double *factors, stn_blocks tile, seen_scales *seen)
{
    (void)seen;
    STN_UNROLL(16)
    for (int b = 0; b < TILE_BLOCKS; b++)
        factors[b] = scale_of(tile.scales + b * tile.scale_step);
}

STN_FN void find_factors_f32(float *factors, stn_blocks tile, seen_scales *seen)
{
    (void)seen;
    STN_UNROLL(16)
    for (int b = 0; b < TILE_BLOCKS; b++)
        factors[b] = (float)scale_of(tile.scales + b * tile.scale_step);
}

#    define are_usual(seen, middle) ((void)(seen), 1)
#endif

/* ---- pieces of blocks, times factors ---- */

#if defined(HAS_NIBBLES) && defined(V_PICK)
STN_FN vf64x2 load_piece_f64(const unsigned char *codes, int piece, const double *factor)
{
    const scaled_codes table = scale_codes(v_set_f64(*factor));
    return load_scaled(&table, codes, piece);
}

STN_FN vf32 load_piece_f32(const unsigned char *codes, int piece, const float *factor)
{
    return load_scaled_f32(codes, piece, v_set_f32(*factor));
}
#else
STN_FN vf32 load_piece_f32(const unsigned char *codes, int piece, const float *factor)
{
    return v_mul_f32(load_narrow(codes, piece), v_set_f32(*factor));
}

#    ifndef IS_NARROW
STN_FN vf64x2 load_piece_f64(const unsigned char *codes, int piece, const double *factor)
{
    return times(load_exact(codes, piece), v_set_f64(*factor));
}
#    endif
#endif

/* In f64, exact pieces in f32 are widened. */
#ifdef IS_NARROW
typedef float factor_f64;
#    define find_factors_f64                     find_factors_f32
#    define load_piece_f64(codes, piece, factor) v_widen(load_piece_f32(codes, piece, factor))
#    define MIDDLE_f64                           MIDDLE_f32
#else
typedef double factor_f64;
#endif
typedef float factor_f32;

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

/* ---- loops ---- */

/* A piece in f64, in arithmetic T. */
STN_FN vf64x2 round_f64(vf64x2 x)
{
    return x;
}

STN_FN vf32 round_f32(vf64x2 x)
{
    return v_narrow(x);
}

/* A piece without scale, in units of 2^SHIFT. */
STN_FN vf64x2 load_code_f64(const unsigned char *codes, int piece)
{
    return load_exact(codes, piece);
}

STN_FN vf32 load_code_f32(const unsigned char *codes, int piece)
{
#if defined(HAS_NAN_CODES) || defined(HAS_NIBBLES)
    return v_narrow(load_exact(codes, piece));
#else
    return load_narrow(codes, piece);
#endif
}

typedef uint64_t bits_f64;
typedef uint32_t bits_f32;
enum { EXPONENT_0_f64 = 1023, EXPONENT_AT_f64 = 52, EXPONENT_0_f32 = 127, EXPONENT_AT_f32 = 23 };

enum {
    COLUMN_PANELS = 8,
    PENDING_LEVELS = 3, /* levels of sums of panels */
    GROUP_ROWS = 8 /* rows of lanes whose pending sums stay in L1, while the next are fetched */
};

STN_FN void fetch_next_row(stn_blocks row)
{
    const uintptr_t next = (uintptr_t)row.codes + GROUP_ROWS * ROW_BLOCKS * STEP_BYTES;
    STN_UNROLL(4)
    for (int at = 0; at < ROW_BLOCKS * STEP_BYTES; at += STN_LINE)
        __builtin_prefetch((const void *)(next + (uintptr_t)at), 0, 3);
}

/* The prefetch distance at tile `t`: at the end of the rows, to the beginning of the next ones, and
 * at the end of a chunk of longer rows, to the next chunk. */
STN_FN int64_t choose_distance(stn_blocks blocks, int64_t row_blocks, int rows, int64_t t,
                               int64_t tiles)
{
    const int64_t left = (tiles - t) * TILE_BLOCKS * blocks.code_step;
    const int64_t gap = (row_blocks - tiles * TILE_BLOCKS) * blocks.code_step;
    const int64_t jump = gap + (rows - 1) * row_blocks * blocks.code_step;
    const int is_row = row_blocks > 0 && (tiles < STN_EXACT_TILES || gap < stn_tuned_ahead);
    return stn_tuned_ahead + (is_row && left <= stn_tuned_ahead ? jump : 0);
}

#define T    f64
#define REAL double
#include "order/block_rows.h"

#define T    f32
#define REAL float
#include "order/block_rows.h"

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
    fetch_tile(x, stn_tuned_ahead);
    fetch_tile(y, stn_tuned_ahead);
    for (int b = 0; b < TILE_BLOCKS; b++) {
        const unsigned char *const u = stn_blocks_from(x, b).codes;
        const unsigned char *const v = stn_blocks_from(y, b).codes;
        const vf64 scale = v_set_f64(factors[b]);
        look_for_nan(&seen, u);
        look_for_nan(&seen, v);
        STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++)
            add_product_f64(lanes + 2 * p, product_of(u, v, p), (vf64x2){scale, scale});
    }
    const double sum = fold_f64(lanes);
    const int is_usual = is_exact && !has_found_nan(seen) && isfinite(sum);
    return __builtin_expect(is_usual && sum != 0.0, 1) ? sum : dot_values_f64(x, y);
}
#else
#    define dot_products dot_values_f64
#endif

#include "order/block_exact.h"

static double dot_f64(stn_blocks x_given, stn_blocks y_given, int64_t tiles, const double *rest)
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

/* Both factors are usual in nearly all tiles. */
STN_FN double dot_tile_f32(stn_blocks x, stn_blocks y)
{
    vf32 lanes[PIECES];
    float x_factors[TILE_BLOCKS], y_factors[TILE_BLOCKS];
    codes_seen seen = {0};
    seen_scales scales = {0};
    clear_f32(lanes);
    find_factors_f32(x_factors, x, &scales);
    find_factors_f32(y_factors, y, &scales);
    fetch_tile(x, stn_tuned_ahead);
    fetch_tile(y, stn_tuned_ahead);
    for (int b = 0; b < TILE_BLOCKS; b += ROW_BLOCKS) {
        const stn_blocks u = stn_blocks_from(x, b), v = stn_blocks_from(y, b);
        look_for_nan(&seen, u.codes);
        look_for_nan(&seen, v.codes);
        STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++) {
            const int block = p / BLOCK_PIECES, piece = p % BLOCK_PIECES;
            add_product_f32(lanes + p, load_piece_f32(codes_at(u, p), piece, x_factors + b + block),
                            load_piece_f32(codes_at(v, p), piece, y_factors + b + block));
        }
    }
    const int is_usual = are_usual(scales, MIDDLE_f32) && !has_found_nan(seen);
    return __builtin_expect(is_usual, 1) ? fold_f32(lanes) : dot_values_f32(x, y);
}

static double dot_f32(stn_blocks x_given, stn_blocks y_given, int64_t tiles, const double *rest)
{
    const stn_blocks x = known(x_given), y = known(y_given);
    float leaves[STN_LEAVES];
    for (int64_t t = 0; t < tiles; t++)
        leaves[t] = (float)dot_tile_f32(stn_blocks_from(x, t * TILE_BLOCKS),
                                        stn_blocks_from(y, t * TILE_BLOCKS));
    if (rest)
        leaves[tiles] = (float)*rest;
    return (double)fold_leaves_f32(leaves, tiles + (rest != NULL));
}

extern const stn_block_pair STN_INSTANCE(stn_block_sums);
const stn_block_pair STN_INSTANCE(stn_block_sums) = {{dot_f64, rows_f64, columns_f64},
                                                     {dot_f32, rows_f32, columns_f32}};
