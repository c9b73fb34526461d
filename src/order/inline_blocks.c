/* The loops of block_loops.h for integers of STN_FORMAT on STN_ISA. */
#include <math.h>
#include <string.h>

#include "format/codec.h"
#include "format/vec.h"
#include "order/block_loops.h"
#include "order/fold.h"
#include "order/fused.h"
#include "order/side.h"

enum {
    BLOCK_BYTES = STN_BFP_SCALE_BYTES + STN_BFP_BLOCK * (int)sizeof(code),
    TILE_BLOCKS = STN_TILE_ELEMENTS / STN_BFP_BLOCK
};

#define STN_NOT_INLINE __attribute__((noinline))

/* Scales that are not normal numbers. */
static STN_NOT_INLINE double unusual_scale(int exponent)
{
    return exponent == INT16_MAX ? (double)NAN : ldexp(1.0, exponent);
}

STN_FN int exponent_of(const char *block)
{
    int16_t exponent;
    memcpy(&exponent, block, sizeof exponent);
    return exponent;
}

STN_FN double scale_of(const char *block)
{
    const int exponent = exponent_of(block);
    const uint64_t biased = (uint64_t)(int64_t)(exponent + 1023);
    if (__builtin_expect(biased - 1 >= 2046, 0))
        return unusual_scale(exponent);
    return stn_f64_of_bits(biased << 52);
}

/* A piece of a block, at element `at`. */
STN_FN const code *codes_of(const char *block, int64_t at)
{
    return (const code *)(const void *)(block + STN_BFP_SCALE_BYTES) + at;
}

STN_FN vf64x2 load_piece(const char *block, int64_t at, vf64 scale)
{
    const vf64x2 x = load_f64(codes_of(block, at));
    return (vf64x2){v_mul_f64(x.low, scale), v_mul_f64(x.high, scale)};
}

#define STN_UNROLL(count) _Pragma(STN_QUOTE(GCC unroll count))

/* Prefetches the block at a distance; the next one contains the rest of its last line. */
STN_FN void fetch_block(const char *block, int64_t ahead)
{
    for (int at = 0; at < BLOCK_BYTES - STN_BFP_SCALE_BYTES; at += STN_LINE)
        __builtin_prefetch((const void *)((uintptr_t)block + (uintptr_t)(ahead + at)), 0, 3);
}

/* ---- rows ---- */

/* One tile of `rows` rows with any exponents. */
static STN_NOT_INLINE void unusual_rows_tile(double *leaves, const char *blocks, int64_t row_bytes,
                                             int rows, const double *y)
{
    for (int r = 0; r < rows; r++) {
        const char *block = blocks + r * row_bytes;
        vf64 lanes[HALVES];
        clear_f64(lanes);
        for (int b = 0; b < TILE_BLOCKS; b++, block += BLOCK_BYTES) {
            const vf64 scale = v_set_f64(scale_of(block));
            STN_UNROLL(16)
            for (int p = 0; p < PIECES; p++)
                add_product_f64(lanes + 2 * p, load_piece(block, p * V_PIECE, scale),
                                v_load_f64(y + b * STN_BFP_BLOCK + p * V_PIECE));
        }
        leaves[r * STN_LEAVES] = fold_f64(lanes);
    }
}

/* The same. The exponents are checked at the end. */
STN_FN void rows_tile(double *leaves, const char *blocks, int64_t row_bytes, int rows,
                      const double *y)
{
    enum { MIDDLE = 512 }; /* of usual exponents, increased by this number */
    const char *block = blocks;
    vf64 lanes[SIDE][HALVES], scale[SIDE];
    unsigned all = 0;
    STN_UNROLL(4)
    for (int r = 0; r < rows; r++)
        clear_f64(lanes[r]);
    for (int b = 0; b < TILE_BLOCKS; b++, block += BLOCK_BYTES) {
        STN_UNROLL(4)
        for (int r = 0; r < rows; r++) {
            const unsigned exponent = (unsigned)exponent_of(block + r * row_bytes) + MIDDLE;
            fetch_block(block + r * row_bytes, stn_tuned_ahead);
            all |= exponent;
            scale[r] = v_set_f64(stn_f64_of_bits((uint64_t)(exponent + 1023 - MIDDLE) << 52));
        }
        STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++) {
            const vf64x2 shared = v_load_f64(y + b * STN_BFP_BLOCK + p * V_PIECE);
            STN_UNROLL(4)
            for (int r = 0; r < rows; r++)
                add_product_f64(lanes[r] + 2 * p,
                                load_piece(block + r * row_bytes, p * V_PIECE, scale[r]), shared);
        }
    }
    STN_UNROLL(4)
    for (int r = 0; r < rows; r++)
        leaves[r * STN_LEAVES] = fold_f64(lanes[r]);
    if (__builtin_expect(all >= 2 * MIDDLE, 0))
        unusual_rows_tile(leaves, blocks, row_bytes, rows, y);
}

STN_FN void rows_side(double *sums, const char *blocks, int64_t row_bytes, int rows,
                      const double *y, int64_t tiles, const double *rests)
{
    double leaves[SIDE][STN_LEAVES];
    for (int64_t t = 0; t < tiles; t++)
        rows_tile(leaves[0] + t, blocks + t * TILE_BLOCKS * BLOCK_BYTES, row_bytes, rows,
                  y + t * STN_TILE_ELEMENTS);
    for (int r = 0; r < rows; r++) {
        if (rests)
            leaves[r][tiles] = rests[r];
        sums[r] = fold_leaves_f64(leaves[r], tiles + (rests != NULL));
    }
}

static void rows(double *sums, const void *blocks, int64_t row_bytes, int64_t count,
                 const double *y, int64_t tiles, const double *rests)
{
    const char *const first = (const char *)blocks;
    int64_t r = 0;
    for (; r + SIDE <= count; r += SIDE)
        rows_side(sums + r, first + r * row_bytes, row_bytes, SIDE, y, tiles,
                  rests ? rests + r : NULL);
    for (; r < count; r++)
        rows_side(sums + r, first + r * row_bytes, row_bytes, 1, y, tiles,
                  rests ? rests + r : NULL);
}

/* ---- products of two arrays of blocks ---- */

STN_FN void dot_block(vf64 *lanes, const char *x, const char *y)
{
    const vf64 x_scale = v_set_f64(scale_of(x)), y_scale = v_set_f64(scale_of(y));
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        add_product_f64(lanes + 2 * p, load_piece(x, p * V_PIECE, x_scale),
                        load_piece(y, p * V_PIECE, y_scale));
}

static STN_NOT_INLINE double dot_values(const char *x, const char *y)
{
    vf64 lanes[HALVES];
    clear_f64(lanes);
    for (int b = 0; b < TILE_BLOCKS; b++, x += BLOCK_BYTES, y += BLOCK_BYTES) {
        fetch_block(x, stn_tuned_ahead);
        fetch_block(y, stn_tuned_ahead);
        dot_block(lanes, x, y);
    }
    return fold_f64(lanes);
}

#ifdef load_integers
/* Products of codes of up to 16 bits are exact in 32 bits, and those of two scales are exact unless
 * an exponent is large: each sum of products is the same. */
enum { MOST_EXPONENT = 480 };

STN_FN int is_usual(int exponent)
{
    return (unsigned)(exponent + MOST_EXPONENT) <= 2 * MOST_EXPONENT;
}

STN_FN vf64x2 product_of(const code *x, const code *y)
{
    typedef int32_t words __attribute__((vector_size(sizeof(vi32))));
    return v_i32_to_f64((vi32)((words)load_integers(x) * (words)load_integers(y)));
}

/* The sign of a sum of zeros is that of the products of values. */
STN_FN double dot_tile(const char *x, const char *y)
{
    vf64 lanes[HALVES];
    clear_f64(lanes);
    for (int b = 0; b < TILE_BLOCKS; b++) {
        const char *const u = x + b * BLOCK_BYTES, *const v = y + b * BLOCK_BYTES;
        const int u_exponent = exponent_of(u), v_exponent = exponent_of(v);
        if (!is_usual(u_exponent) || !is_usual(v_exponent))
            return dot_values(x, y);
        const vf64 scale =
            v_set_f64(stn_f64_of_bits((uint64_t)(int64_t)(u_exponent + v_exponent + 1023) << 52));
        fetch_block(u, stn_tuned_ahead);
        fetch_block(v, stn_tuned_ahead);
        STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++)
            add_product_f64(lanes + 2 * p,
                            product_of(codes_of(u, p * V_PIECE), codes_of(v, p * V_PIECE)),
                            (vf64x2){scale, scale});
    }
    const double sum = fold_f64(lanes);
    return sum == 0.0 ? dot_values(x, y) : sum;
}
#else
#    define dot_tile dot_values
#endif

static double dot(const void *x, const void *y, int64_t tiles, const double *rest)
{
    double leaves[STN_LEAVES];
    for (int64_t t = 0; t < tiles; t++)
        leaves[t] = dot_tile((const char *)x + t * TILE_BLOCKS * BLOCK_BYTES,
                             (const char *)y + t * TILE_BLOCKS * BLOCK_BYTES);
    if (rest)
        leaves[tiles] = *rest;
    return fold_leaves_f64(leaves, tiles + (rest != NULL));
}

/* ---- columns ---- */

enum {
    COLUMN_PANELS = 8,
    PENDING_LEVELS = 3, /* levels of sums of panels */
    GROUP_BLOCKS = 8 /* blocks of a row whose pending sums stay in L1, while the next are fetched */
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

STN_FN void add_pieces(vf64 *sums, const char *block, vf64 scale, vf64 y, int is_scaled)
{
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        add_product_f64(sums + 2 * p,
                        is_scaled ? load_piece(block, p * V_PIECE, scale)
                                  : load_f64(codes_of(block, p * V_PIECE)),
                        (vf64x2){y, y});
}

STN_FN void add_row(vf64 *sums, const char *block, factor y)
{
    const int exponent = exponent_of(block);
    const uint64_t product = y.bits + ((uint64_t)(int64_t)exponent << 52);
    fetch_block(block, GROUP_BLOCKS * BLOCK_BYTES);
    if (__builtin_expect((unsigned)(exponent - y.lowest) <= y.range, 1))
        add_pieces(sums, block, v_set_f64(0), v_set_f64(stn_f64_of_bits(product)), 0);
    else
        add_pieces(sums, block, v_set_f64(scale_of(block)), v_set_f64(stn_f64_of_bits(y.bits)), 1);
}

STN_FN void sum_lane(vf64 *sums, const char *blocks, int64_t row_bytes, int64_t rows,
                     const factor *y)
{
    clear_f64(sums);
    for (int64_t e = 0; e < rows; e += STN_LANES)
        add_row(sums, blocks + e * row_bytes, y[e]);
}

STN_FN void add_lanes(vf64 *sums, const vf64 *others)
{
    STN_UNROLL(16)
    for (int r = 0; r < HALVES; r++)
        sums[r] = v_add_f64(sums[r], others[r]);
}

/* Sums rows 0, 8, 16, ... below `rows` of a block of columns. */
STN_FN void sum_panel(vf64 *sums, const char *blocks, int64_t row_bytes, int64_t rows,
                      const factor *y)
{
    vf64 others[HALVES], odd[HALVES];
    sum_lane(sums, blocks, row_bytes, rows, y);
    sum_lane(others, blocks + 16 * row_bytes, row_bytes, rows - 16, y + 16);
    add_lanes(sums, others);
    sum_lane(odd, blocks + 8 * row_bytes, row_bytes, rows - 8, y + 8);
    sum_lane(others, blocks + 24 * row_bytes, row_bytes, rows - 24, y + 24);
    add_lanes(odd, others);
    add_lanes(sums, odd);
}

STN_FN void add_values(vf64 *sums, const double *values)
{
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        add_f64(sums + 2 * p, v_load_f64(values + p * V_PIECE));
}

/* Up to GROUP_BLOCKS blocks of columns; panels in the order of order/columns.h. */
STN_FN void sum_group(double *sums, const char *blocks, int64_t row_bytes, int64_t rows,
                      const factor *y, int64_t count)
{
    static const int8_t order[COLUMN_PANELS] = {0, 4, 2, 6, 1, 5, 3, 7};
    double waiting[PENDING_LEVELS][GROUP_BLOCKS * STN_BFP_BLOCK];
    for (int k = 0; k < COLUMN_PANELS; k++)
        for (int64_t b = 0; b < count; b++) {
            const int64_t at = b * STN_BFP_BLOCK, first = order[k];
            vf64 lanes[HALVES];
            int level = 0;
            sum_panel(lanes, blocks + b * BLOCK_BYTES + first * row_bytes, row_bytes, rows - first,
                      y + first);
            for (; k >> level & 1 && level < PENDING_LEVELS; level++)
                add_values(lanes, waiting[level] + at);
            double *const to = level < PENDING_LEVELS ? waiting[level] : sums;
            for (int p = 0; p < PIECES; p++)
                v_store_f64(to + at + p * V_PIECE, piece_of_f64(lanes + 2 * p));
        }
}

static void columns(double *sums, const void *blocks, int64_t row_bytes, int64_t rows,
                    const double *y, int64_t columns)
{
    const int64_t count = columns / STN_BFP_BLOCK;
    factor factors[STN_TILE_ELEMENTS + STN_LANES]; /* rows after the last one are not read */
    for (int64_t r = 0; r < rows; r++)
        factors[r] = factor_of(y[r]);
    for (int64_t b = 0; b < count; b += GROUP_BLOCKS) {
        const int64_t left = count - b;
        sum_group(sums + b * STN_BFP_BLOCK, (const char *)blocks + b * BLOCK_BYTES, row_bytes, rows,
                  factors, left < GROUP_BLOCKS ? left : GROUP_BLOCKS);
    }
}

extern const stn_block_loops STN_INSTANCE(stn_inline_blocks);
const stn_block_loops STN_INSTANCE(stn_inline_blocks) = {dot, rows, columns};
