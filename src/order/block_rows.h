/* Loops of block_sums.c in arithmetic T. */
#include "format/of.h"

/* ---- any scales and codes: in f64, rounded to T ---- */

STN_FN of(piece) of(load_value)(stn_blocks row, int piece)
{
    const vf64 scale = v_set_f64(scale_of(row.scales + piece / BLOCK_PIECES * row.scale_step));
    return of(round)(times(load_exact(codes_at(row, piece), piece % BLOCK_PIECES), scale));
}

/* One tile of `rows` rows. */
STN_NOT_INLINE void of(unusual_rows_tile)(REAL *leaves, stn_blocks given, int64_t row_blocks,
                                          int rows, const REAL *y)
{
    for (int r = 0; r < rows; r++) {
        const stn_blocks row = stn_blocks_from(known(given), r * row_blocks);
        V lanes[PIECES * of(WIDE)];
        of(clear)(lanes);
        for (int b = 0; b < TILE_BLOCKS; b += ROW_BLOCKS)
            STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++)
            of(add_product)(lanes + p * of(WIDE), of(load_value)(stn_blocks_from(row, b), p),
                            of(v_load)(y + b * ELEMENTS + p * V_PIECE));
        leaves[r * STN_LEAVES] = (REAL)of(fold)(lanes);
    }
}

STN_NOT_INLINE double of(dot_values)(stn_blocks x_given, stn_blocks y_given)
{
    const stn_blocks x = known(x_given), y = known(y_given);
    V lanes[PIECES * of(WIDE)];
    of(clear)(lanes);
    fetch_tile(x, stn_tuned_ahead);
    fetch_tile(y, stn_tuned_ahead);
    for (int b = 0; b < TILE_BLOCKS; b += ROW_BLOCKS)
        STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        of(add_product)(lanes + p * of(WIDE), of(load_value)(stn_blocks_from(x, b), p),
                        of(load_value)(stn_blocks_from(y, b), p));
    return of(fold)(lanes);
}

/* ---- rows ---- */

/* One tile of `rows` rows. Scales and codes are checked at the end. Codes are prefetched `ahead`
 * bytes ahead. */
STN_FN void of(rows_tile)(REAL *leaves, stn_blocks blocks, int64_t row_blocks, int rows,
                          const REAL *y, int64_t ahead)
{
    V lanes[SIDE][PIECES * of(WIDE)];
    of(factor) factors[SIDE][TILE_BLOCKS];
    codes_seen codes = {0};
    seen_scales scales = {0};
    STN_UNROLL(4)
    for (int r = 0; r < rows; r++) {
        of(clear)(lanes[r]);
        of(find_factors)(factors[r], stn_blocks_from(blocks, r * row_blocks), &scales);
    }
    for (int b = 0; b < TILE_BLOCKS; b += ROW_BLOCKS) {
        if (b < rows * ROW_BLOCKS)
            fetch_tile(stn_blocks_from(blocks, b / ROW_BLOCKS * row_blocks), ahead);
        STN_UNROLL(4)
        for (int r = 0; r < rows; r++)
            look_for_nan(&codes, stn_blocks_from(blocks, r * row_blocks + b).codes);
        STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++) {
            const of(piece) shared = of(v_load)(y + b * ELEMENTS + p * V_PIECE);
            STN_UNROLL(4)
            for (int r = 0; r < rows; r++) {
                const stn_blocks row = stn_blocks_from(blocks, r * row_blocks + b);
                of(add_product)(lanes[r] + p * of(WIDE),
                                of(load_piece)(codes_at(row, p), p % BLOCK_PIECES,
                                               &factors[r][b + p / BLOCK_PIECES]),
                                shared);
            }
        }
    }
    STN_UNROLL(4)
    for (int r = 0; r < rows; r++)
        leaves[r * STN_LEAVES] = (REAL)of(fold)(lanes[r]);
    if (__builtin_expect(!are_usual(scales, of(MIDDLE)) || has_found_nan(codes), 0))
        of(unusual_rows_tile)(leaves, blocks, row_blocks, rows, y);
}

STN_FN void of(rows_side)(double *sums, stn_blocks blocks, int64_t row_blocks, int rows,
                          const REAL *y, int64_t tiles, const double *rests)
{
    REAL leaves[SIDE][STN_LEAVES];
    for (int64_t t = 0; t < tiles; t++)
        of(rows_tile)(leaves[0] + t, stn_blocks_from(blocks, t * TILE_BLOCKS), row_blocks, rows,
                      y + t * STN_TILE_ELEMENTS,
                      choose_distance(blocks, row_blocks, rows, t, tiles));
    for (int r = 0; r < rows; r++) {
        if (rests)
            leaves[r][tiles] = (REAL)rests[r];
        sums[r] = (double)of(fold_leaves)(leaves[r], tiles + (rests != NULL));
    }
}

static void of(rows)(double *sums, stn_blocks given, int64_t row_blocks, int64_t count,
                     const void *y, int64_t tiles, const double *rests)
{
    const stn_blocks blocks = known(given);
    int64_t r = 0;
    for (; r + SIDE <= count; r += SIDE)
        of(rows_side)(sums + r, stn_blocks_from(blocks, r * row_blocks), row_blocks, SIDE, y, tiles,
                      rests ? rests + r : NULL);
    for (; r < count; r++)
        of(rows_side)(sums + r, stn_blocks_from(blocks, r * row_blocks), row_blocks, 1, y, tiles,
                      rests ? rests + r : NULL);
}

/* ---- columns ---- */

/* A value y of a row. With an exponent that exceeds `lowest` by up to `range`, products of y and
 * code by 2^exponent are exact: code * (2^exponent * y) has the bits of (code * 2^exponent) * y. */
typedef struct of(row_factor)
{
    of(bits) bits;
    int lowest;
    unsigned range;
}
of(row_factor);

STN_FN of(row_factor) of(row_factor_of)(REAL y)
{
    enum { NO_EXPONENT = 1 << 20, ALL = 2 * of(EXPONENT_0) + 1 };
    enum { LEAST = 1 - of(EXPONENT_0) - of(EXPONENT_AT), MOST = of(EXPONENT_0) + 1 - 32 };
    of(bits) bits;
    memcpy(&bits, &y, sizeof bits);
    const int exponent = (int)(bits >> of(EXPONENT_AT) & ALL);
    const int lowest = 1 - exponent > LEAST ? 1 - exponent : LEAST;
    const int highest = ALL - 1 - exponent < MOST ? ALL - 1 - exponent : MOST;
    if (exponent == 0 || exponent == ALL)
        return (of(row_factor)){bits, NO_EXPONENT, 0};
    return (of(row_factor)){bits, lowest, (unsigned)(highest - lowest)};
}

STN_FN of(piece) of(repeat_bits)(of(bits) bits)
{
    REAL value;
    memcpy(&value, &bits, sizeof value);
    return of(repeat)(value);
}

STN_FN void of(add_scaled_row)(V *sums, stn_blocks row, of(row_factor) y)
{
    const of(piece) by = of(repeat_bits)(y.bits);
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        of(add_product)(sums + p * of(WIDE), of(load_value)(row, p), by);
}

STN_FN void of(add_row)(V *sums, stn_blocks row, of(row_factor) y)
{
    fetch_next_row(row);
#ifndef ANY_SCALES
    const int exponent = exponent_of(row.scales) + SHIFT;
    if (__builtin_expect((unsigned)(exponent - y.lowest) <= y.range, 1)) {
        const of(bits) power = (of(bits))(int64_t)exponent << of(EXPONENT_AT);
        const of(piece) by = of(repeat_bits)(y.bits + power);
        STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++)
            of(add_product)(sums + p * of(WIDE), of(load_code)(row.codes, p), by);
        return;
    }
#endif
    of(add_scaled_row)(sums, row, y);
}

STN_FN void of(sum_lane)(V *sums, stn_blocks first, int64_t row_blocks, int64_t rows,
                         const of(row_factor) * y)
{
    of(clear)(sums);
    for (int64_t e = 0; e < rows; e += STN_LANES)
        of(add_row)(sums, stn_blocks_from(first, e * row_blocks), y[e]);
}

STN_FN void of(add_lanes)(V *sums, const V *others)
{
    STN_UNROLL(16)
    for (int r = 0; r < PIECES * of(WIDE); r++)
        sums[r] = of(v_add)(sums[r], others[r]);
}

/* Sums rows 0, 8, 16, ... below `rows` of a block of columns. */
STN_FN void of(sum_panel)(V *sums, stn_blocks first, int64_t row_blocks, int64_t rows,
                          const of(row_factor) * y)
{
    V others[PIECES * of(WIDE)], odd[PIECES * of(WIDE)];
    of(sum_lane)(sums, first, row_blocks, rows, y);
    of(sum_lane)(others, stn_blocks_from(first, 16 * row_blocks), row_blocks, rows - 16, y + 16);
    of(add_lanes)(sums, others);
    of(sum_lane)(odd, stn_blocks_from(first, 8 * row_blocks), row_blocks, rows - 8, y + 8);
    of(sum_lane)(others, stn_blocks_from(first, 24 * row_blocks), row_blocks, rows - 24, y + 24);
    of(add_lanes)(odd, others);
    of(add_lanes)(sums, odd);
}

STN_FN void of(add_values)(V *sums, const REAL *values)
{
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        of(add)(sums + p * of(WIDE), of(v_load)(values + p * V_PIECE));
}

/* Up to GROUP_ROWS times 32 columns; panels in the order of order/columns.h. */
STN_FN void of(sum_group)(REAL *sums, stn_blocks blocks, int64_t row_blocks, int64_t rows,
                          const of(row_factor) * y, int64_t count)
{
    static const int8_t order[COLUMN_PANELS] = {0, 4, 2, 6, 1, 5, 3, 7};
    REAL waiting[PENDING_LEVELS][GROUP_ROWS * STN_LANES];
    for (int k = 0; k < COLUMN_PANELS; k++)
        for (int64_t b = 0; b < count; b++) {
            const int64_t at = b * STN_LANES, first = order[k];
            V lanes[PIECES * of(WIDE)];
            int level = 0;
            of(sum_panel)(lanes, stn_blocks_from(blocks, b * ROW_BLOCKS + first * row_blocks),
                          row_blocks, rows - first, y + first);
            for (; k >> level & 1 && level < PENDING_LEVELS; level++)
                of(add_values)(lanes, waiting[level] + at);
            REAL *const to = level < PENDING_LEVELS ? waiting[level] : sums;
            for (int p = 0; p < PIECES; p++)
                of(v_store)(to + at + p * V_PIECE, of(piece_of)(lanes + p * of(WIDE)));
        }
}

static void of(columns)(void *sums, stn_blocks given, int64_t row_blocks, int64_t rows,
                        const void *y, int64_t columns)
{
    const stn_blocks blocks = known(given);
    const int64_t count = columns / STN_LANES;
    of(row_factor) factors[STN_TILE_ELEMENTS + STN_LANES]; /* rows after the last are not read */
    for (int64_t r = 0; r < rows; r++)
        factors[r] = of(row_factor_of)(((const REAL *)y)[r]);
    for (int64_t b = 0; b < count; b += GROUP_ROWS) {
        const int64_t left = count - b;
        of(sum_group)((REAL *)sums + b * STN_LANES, stn_blocks_from(blocks, b * ROW_BLOCKS),
                      row_blocks, rows, factors, left < GROUP_ROWS ? left : GROUP_ROWS);
    }
}

#undef T
#undef REAL
