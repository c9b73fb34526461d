/* Loops over tiles and runs in arithmetic T, of order/fused.c. An incomplete row of lanes leaves
 * the other lanes unchanged. */
#include "format/of.h"

STN_FN void of(keep)(V *lanes, const V *old, int64_t count)
{
    STN_UNROLL(16)
    for (int r = 0; r < PIECES * of(WIDE); r++)
        lanes[r] = of(v_first)(lanes[r], old[r], count - r * (V_PIECE / of(WIDE)));
}

/* The last elements of values: absent products are -0, which changes no sum. */
STN_FN void of(dot_some)(V *lanes, const REAL *x, const REAL *y, int64_t count)
{
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        if (p * V_PIECE < count)
            of(add_product)(lanes + p * of(WIDE),
                            of(v_some)(x + p * V_PIECE, count - p * V_PIECE, -(REAL)0),
                            of(v_some)(y + p * V_PIECE, count - p * V_PIECE, 0));
}

STN_FN void of(dot_lanes)(V *lanes, const code *x, const AFFINE *x_affine, const code *y,
                          const AFFINE *y_affine, int plain)
{
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        of(add_codes)(lanes + p * of(WIDE), x + p * V_PIECE, x_affine, y + p * V_PIECE, y_affine,
                      plain);
}

STN_FN double of(dot_tile)(const code *x, const AFFINE *x_affine, const code *y,
                           const AFFINE *y_affine, int plain)
{
    V lanes[PIECES * of(WIDE)];
    of(clear)(lanes);
    for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES) {
        if (of(STN_FETCHES)) {
            fetch(x + e, STN_LANES * sizeof *x);
            fetch(y + e, STN_LANES * sizeof *y);
        }
        of(dot_lanes)(lanes, x + e, x_affine, y + e, y_affine, plain);
    }
    return of(fold)(lanes);
}

STN_REST double of(dot_rest)(const code *x, const AFFINE *x_affine, const code *y,
                             const AFFINE *y_affine, int64_t count, int plain)
{
    V lanes[PIECES * of(WIDE)], old[PIECES * of(WIDE)];
    of(clear)(lanes);
    for (; count >= STN_LANES; count -= STN_LANES, x += STN_LANES, y += STN_LANES)
        of(dot_lanes)(lanes, x, x_affine, y, y_affine, plain);
    if (count > 0 && plain && STN_IS_VALUE(REAL)) {
        of(dot_some)(lanes, (const void *)x, (const void *)y, count);
    } else if (count > 0) {
        STN_TAKE_CODES(some_x, x, x_affine, count, plain);
        STN_TAKE_CODES(some_y, y, y_affine, count, plain);
        STN_UNROLL(16)
        for (int r = 0; r < PIECES * of(WIDE); r++)
            old[r] = lanes[r];
        of(dot_lanes)(lanes, some_x, some_x_affine, some_y, some_y_affine, plain);
        of(keep)(lanes, old, count);
    }
    return of(fold)(lanes);
}

STN_FN double of(dot_run)(const code *x, const AFFINE *x_affine, const code *y,
                          const AFFINE *y_affine, int64_t count, int plain)
{
    const int64_t tiles = count / STN_TILE_ELEMENTS, rest = count % STN_TILE_ELEMENTS;
    REAL leaves[STN_LEAVES];
    for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS, y += STN_TILE_ELEMENTS)
        leaves[t] = (REAL)of(dot_tile)(x, x_affine, y, y_affine, plain);
    if (rest > 0)
        leaves[tiles] = (REAL)of(dot_rest)(x, x_affine, y, y_affine, rest, plain);
    return (double)of(fold_leaves)(leaves, tiles + (rest > 0));
}

static double of(dot)(const void *x, const stn_affine *x_affine, const void *y,
                      const stn_affine *y_affine, int64_t count)
{
    if (x_affine->plain && y_affine->plain)
        return of(dot_run)(x, NULL, y, NULL, count, 1);
    const AFFINE x_own = of(take_affine)(x_affine), y_own = of(take_affine)(y_affine);
    return of(dot_run)(x, &x_own, y, &y_own, count, 0);
}

/* Of a run with itself, whose codes are decoded once. */
static double of(squares)(const void *x, const stn_affine *affine, int64_t count)
{
    if (affine->plain)
        return of(dot_run)(x, NULL, x, NULL, count, 1);
    const AFFINE own = of(take_affine)(affine);
    return of(dot_run)(x, &own, x, &own, count, 0);
}

STN_FN void of(sum_lanes)(V *lanes, const code *x, const AFFINE *affine, int plain)
{
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        of(add)(lanes + p * of(WIDE), of(read)(x + p * V_PIECE, affine, plain));
}

STN_FN double of(sum_tile)(const code *x, const AFFINE *affine, int plain)
{
    V lanes[PIECES * of(WIDE)];
    of(clear)(lanes);
    for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES) {
        if (of(STN_FETCHES))
            fetch(x + e, STN_LANES * sizeof *x);
        of(sum_lanes)(lanes, x + e, affine, plain);
    }
    return of(fold)(lanes);
}

STN_REST double of(sum_rest)(const code *x, const AFFINE *affine, int64_t count, int plain)
{
    V lanes[PIECES * of(WIDE)], old[PIECES * of(WIDE)];
    of(clear)(lanes);
    for (; count >= STN_LANES; count -= STN_LANES, x += STN_LANES)
        of(sum_lanes)(lanes, x, affine, plain);
    if (count > 0) {
        STN_TAKE_CODES(padded, x, affine, count, plain);
        STN_UNROLL(16)
        for (int r = 0; r < PIECES * of(WIDE); r++)
            old[r] = lanes[r];
        of(sum_lanes)(lanes, padded, padded_affine, plain);
        of(keep)(lanes, old, count);
    }
    return of(fold)(lanes);
}

STN_FN double of(sum_run)(const code *x, const AFFINE *affine, int64_t count, int plain)
{
    const int64_t tiles = count / STN_TILE_ELEMENTS, rest = count % STN_TILE_ELEMENTS;
    REAL leaves[STN_LEAVES];
    for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS)
        leaves[t] = (REAL)(plain ? of(SUM_TILE)(x, affine) : of(sum_tile)(x, affine, 0));
    if (rest > 0)
        leaves[tiles] = (REAL)of(sum_rest)(x, affine, rest, plain);
    return (double)of(fold_leaves)(leaves, tiles + (rest > 0));
}

static double of(sum)(const void *x, const stn_affine *affine, int64_t count)
{
    if (affine->plain)
        return of(sum_run)(x, NULL, count, 1);
    const AFFINE own = of(take_affine)(affine);
    return of(sum_run)(x, &own, count, 0);
}

/* Elements of row r after the last complete row of lanes. */
STN_FN void of(add_rest)(V *lanes, const code *x, const AFFINE *affine, const REAL *y,
                         int64_t count, int plain)
{
    V old[PIECES * of(WIDE)];
    STN_TAKE_CODES(padded, x, affine, count, plain);
    STN_UNROLL(16)
    for (int r = 0; r < PIECES * of(WIDE); r++)
        old[r] = lanes[r];
    STN_UNROLL(16)
    for (int p = 0; p < PIECES; p++)
        of(add_product)(lanes + p * of(WIDE), of(read)(padded + p * V_PIECE, padded_affine, plain),
                        of(v_load)(y + p * V_PIECE));
    of(keep)(lanes, old, count);
}

/* Leaves of several rows, up to a tile of each; y_rest: elements of y after the last complete
 * row of lanes. Codes are prefetched `ahead` bytes ahead. */
STN_FN void of(rows_tile)(REAL *leaves, int step, const char *codes, int64_t row_bytes, int rows,
                          const AFFINE *affine, const REAL *y, const REAL *y_rest, int64_t count,
                          int64_t ahead, int plain)
{
    const int64_t rest = count % STN_LANES, full = count - rest;
    V lanes[SIDE][PIECES * of(WIDE)];
    STN_UNROLL(4)
    for (int r = 0; r < rows; r++)
        of(clear)(lanes[r]);
    for (int64_t e = 0; e < full; e += STN_LANES) {
        STN_UNROLL(4)
        for (int r = 0; of(STN_FETCHES) && r < rows; r++)
            fetch_at((const code *)(codes + r * row_bytes) + e, STN_LANES * sizeof(code), ahead);
        STN_UNROLL(16)
        for (int p = 0; p < PIECES; p++) {
            const int64_t at = e + p * V_PIECE;
            const of(piece) shared = of(v_load)(y + at);
            STN_UNROLL(4)
            for (int r = 0; r < rows; r++)
                of(add_product)(lanes[r] + p * of(WIDE),
                                of(read)((const code *)(codes + r * row_bytes) + at, affine, plain),
                                shared);
        }
    }
    STN_UNROLL(4)
    for (int r = 0; rest > 0 && r < rows; r++)
        of(add_rest)(lanes[r], (const code *)(codes + r * row_bytes) + full, affine, y_rest, rest,
                     plain);
    STN_UNROLL(4)
    for (int r = 0; r < rows; r++)
        leaves[r * step] = (REAL)of(fold)(lanes[r]);
}

STN_REST void of(rows_rest)(REAL *leaves, const char *codes, int64_t row_bytes, int rows,
                            const AFFINE *affine, const REAL *y, int64_t count, int64_t ahead,
                            int plain)
{
    STN_TAKE(REAL, padded_codes, y + count - count % STN_LANES, count % STN_LANES);
    if (rows == SIDE)
        of(rows_tile)(leaves, STN_LEAVES, codes, row_bytes, SIDE, affine, y, padded_codes, count,
                      ahead, plain);
    else
        of(rows_tile)(leaves, STN_LEAVES, codes, row_bytes, 1, affine, y, padded_codes, count,
                      ahead, plain);
}

/* Rows shorter than a tile. */
STN_FN void of(rows_less)(double *sums, const char *codes, int64_t row_bytes, int64_t rows,
                          const AFFINE *affine, const REAL *y, const REAL *y_rest, int64_t count,
                          int plain)
{
    const int64_t bytes = count * (int64_t)sizeof(code);
    const int64_t ahead = row_distance(bytes, row_bytes - bytes, SIDE, row_bytes);
    REAL leaves[SIDE];
    int64_t r = 0;
    for (; r + SIDE <= rows; r += SIDE) {
        of(rows_tile)(leaves, 1, codes + r * row_bytes, row_bytes, SIDE, affine, y, y_rest, count,
                      ahead, plain);
        for (int k = 0; k < SIDE; k++)
            sums[r + k] = (double)leaves[k];
    }
    for (; r < rows; r++) {
        of(rows_tile)(leaves, 1, codes + r * row_bytes, row_bytes, 1, affine, y, y_rest, count,
                      stn_tuned_ahead, plain);
        sums[r] = (double)leaves[0];
    }
}

/* Rows shorter than a tile. */
STN_REST void of(rows_few)(double *sums, const char *codes, int64_t row_bytes, int64_t rows,
                           const AFFINE *affine, const REAL *y, int64_t count, int plain)
{
    if (count % STN_LANES == 0 && plain) {
        of(rows_less)(sums, codes, row_bytes, rows, affine, y, NULL, count / STN_LANES * STN_LANES,
                      1);
    } else {
        STN_TAKE(REAL, padded_codes, y + count - count % STN_LANES, count % STN_LANES);
        of(rows_less)(sums, codes, row_bytes, rows, affine, y, padded_codes, count, plain);
    }
}

/* Processes rows concurrently. */
STN_FN void of(rows_side)(double *sums, const char *codes, int64_t row_bytes, int rows,
                          const AFFINE *affine, const REAL *y, int64_t count, int plain)
{
    const int64_t width = sizeof(code), gap = row_bytes - count * width;
    REAL leaves[SIDE][STN_LEAVES];
    int64_t tiles = 0;
    for (; count >= STN_TILE_ELEMENTS; count -= STN_TILE_ELEMENTS, tiles++) {
        of(rows_tile)(leaves[0] + tiles, STN_LEAVES, codes, row_bytes, rows, affine, y, y,
                      STN_TILE_ELEMENTS, row_distance(count * width, gap, rows, row_bytes), plain);
        codes += STN_TILE_ELEMENTS * sizeof(code);
        y += STN_TILE_ELEMENTS;
    }
    if (count > 0 && plain != STN_BLOCK_SCALES)
        of(rows_rest)(leaves[0] + tiles++, codes, row_bytes, rows, affine, y, count,
                      row_distance(count * width, gap, rows, row_bytes), plain);
    for (int r = 0; r < rows; r++)
        sums[r] = (double)of(fold_leaves)(leaves[r], tiles);
}

STN_FN void of(rows_run)(double *sums, const char *codes, int64_t row_bytes, int64_t rows,
                         const AFFINE *affine, const REAL *y, int64_t count, int plain)
{
    int64_t r = 0;
    for (; r + SIDE <= rows; r += SIDE)
        of(rows_side)(sums + r, codes + r * row_bytes, row_bytes, SIDE, affine, y, count, plain);
    for (; r < rows; r++)
        of(rows_side)(sums + r, codes + r * row_bytes, row_bytes, 1, affine, y, count, plain);
}

static void of(rows)(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                     const stn_affine *affine, const void *y, int64_t count)
{
    if (STN_IS_VALUE(REAL) && affine->plain && count > 0) {
        sum_value_rows(sums, codes, row_bytes, rows, y, count);
        return;
    }
    const AFFINE own = of(take_affine)(affine);
    if (0 < count && count < STN_TILE_ELEMENTS)
        of(rows_few)(sums, codes, row_bytes, rows, &own, y, count, affine->plain);
    else
        STN_BY_PLAIN(affine->plain, of(rows_run), sums, codes, row_bytes, rows, &own, y, count);
}

STN_OPTIONAL void of(block_rows)(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                                 const stn_affine *affine, const void *y, int64_t count)
{
    const AFFINE own = of(take_affine)(affine);
    of(rows_run)(sums, codes, row_bytes, rows, &own, y, count, STN_BLOCK_SCALES);
}

STN_FN void of(axpy_lanes)(REAL *restrict y, const code *restrict x, const AFFINE *affine,
                           double alpha, int plain)
{
    for (int p = 0; p < STN_LANES; p += V_PIECE)
        of(v_store)(y + p,
                    of(axpy_piece)(of(read)(x + p, affine, plain), of(v_load)(y + p), alpha));
}

STN_FN void of(axpy_run)(REAL *restrict y, const code *restrict x, const AFFINE *affine,
                         double alpha, int64_t count, int plain)
{
    int64_t k = 0;
    for (; k + STN_LANES <= count; k += STN_LANES)
        of(axpy_lanes)(y + k, x + k, affine, alpha, plain);
    if (plain && STN_IS_VALUE(REAL)) {
        const REAL factor = (REAL)alpha;
        const REAL *restrict const values = (const void *)x;
        for (; k < count; k++)
            y[k] = factor * values[k] + y[k];
    } else if (k < count) {
        STN_TAKE_CODES(padded, x + k, affine, count - k, plain);
        STN_TAKE(REAL, sums, y + k, count - k);
        of(axpy_lanes)(sums, padded, padded_affine, alpha, plain);
        memcpy(y + k, sums, (size_t)(count - k) * sizeof *sums);
    }
}

static void of(axpy)(void *restrict y, const void *restrict x, const stn_affine *affine,
                     double alpha, int64_t count)
{
    if (affine->plain) {
        of(axpy_run)(y, x, NULL, alpha, count, 1);
        return;
    }
    const AFFINE own = of(take_affine)(affine);
    of(axpy_run)(y, x, &own, alpha, count, 0);
}

#ifndef SEGMENTED_CODES
STN_FN void of(update_lanes)(code *restrict y, const code *restrict x, double alpha)
{
    for (int p = 0; p < STN_LANES; p += V_PIECE)
        of(store)(y + p, of(axpy_piece)(of(load)(x + p), of(load)(y + p), alpha));
}

static void of(update)(void *restrict to, const void *restrict from, double alpha, int64_t count)
{
    const code *restrict x = from;
    code *restrict y = to;
    for (; count >= STN_LANES; count -= STN_LANES, x += STN_LANES, y += STN_LANES)
        of(update_lanes)(y, x, alpha);
    if (count > 0) {
        STN_TAKE(code, padded_codes, x, count);
        STN_TAKE(code, sums, y, count);
        of(update_lanes)(sums, padded_codes, alpha);
        memcpy(y, sums, (size_t)count * sizeof *y);
    }
}
#endif

#undef T
#undef REAL
