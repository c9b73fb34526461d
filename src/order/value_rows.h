/* Sums of the products of rows of values with values, for the formats f64 and f32. Included after
 * order/fold.h and order/vector.h. */
#ifndef STENO_ORDER_VALUE_ROWS_H
#define STENO_ORDER_VALUE_ROWS_H

#include "core/shuffle.h"

enum {
    ROW_REGISTERS = STN_LANES / STN_WIDTH, /* of the lanes of a row */
    /* Rows summed together, as registers permit. */
    VALUE_ROWS = (sizeof(vector) == 32 ? 8 : 16) / ROW_REGISTERS
};

/* Adds lanes l + h to lanes l, for h = half the lanes, ..., 1, of all rows at once: each step joins
 * the results of two vectors. */
#if STN_WIDTH == 8 && defined(__AVX512F__)
STN_FN void fold_rows(value *sums, const vector *rows)
{
#    define JOIN(a, b, ...) STN_SHUFFLE_TO(a, b, __VA_ARGS__)
    vector two[2];
    for (int k = 0; k < 2; k++)
        two[k] = JOIN(rows[2 * k], rows[2 * k + 1], 0, 1, 2, 3, 8, 9, 10, 11) +
                 JOIN(rows[2 * k], rows[2 * k + 1], 4, 5, 6, 7, 12, 13, 14, 15);
    const vector four = JOIN(two[0], two[1], 0, 1, 4, 5, 8, 9, 12, 13) +
                        JOIN(two[0], two[1], 2, 3, 6, 7, 10, 11, 14, 15);
    const vector all = four + JOIN(four, four, 1, 0, 3, 2, 5, 4, 7, 6);
    for (int r = 0; r < VALUE_ROWS; r++)
        sums[r] = all[2 * r];
}
#elif STN_WIDTH == 16
STN_FN void fold_rows(value *sums, const vector *rows)
{
#    define JOIN(a, b, ...) STN_SHUFFLE_TO(a, b, __VA_ARGS__)
    vector two[4], four[2];
    for (int k = 0; k < 4; k++)
        two[k] = JOIN(rows[2 * k], rows[2 * k + 1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21,
                      22, 23) +
                 JOIN(rows[2 * k], rows[2 * k + 1], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27,
                      28, 29, 30, 31);
    for (int k = 0; k < 2; k++)
        four[k] = JOIN(two[2 * k], two[2 * k + 1], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25,
                       26, 27) +
                  JOIN(two[2 * k], two[2 * k + 1], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28,
                       29, 30, 31);
    const vector eight =
        JOIN(four[0], four[1], 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29) +
        JOIN(four[0], four[1], 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31);
    const vector all =
        eight + JOIN(eight, eight, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    for (int r = 0; r < VALUE_ROWS; r++)
        sums[r] = all[2 * r];
}
#else
STN_FN void fold_rows(value *sums, const vector *rows)
{
    for (int r = 0; r < VALUE_ROWS; r++)
        sums[r] = (value)STN_OF(v_sum)(rows[r]);
}
#endif

STN_FN vector row_at(const char *a, int64_t row_bytes, int row, int64_t element)
{
    return load((const value *)(const void *)(a + row * row_bytes) + element);
}

/* Elements of the last, incomplete round of lanes; other lanes are unchanged. */
STN_FN void add_last(vector (*lanes)[ROW_REGISTERS], const char *a, int64_t row_bytes, int rows,
                     const value *x, int64_t first, int64_t count)
{
#pragma GCC unroll 16
    for (int p = 0; p < ROW_REGISTERS; p++) {
        const int64_t at = first + p * STN_WIDTH, left = count - at;
        if (left > 0) {
            const vector shared = load_first(x + at, left);
#pragma GCC unroll 8
            for (int r = 0; r < rows; r++)
                lanes[r][p] = STN_OF(v_first)(
                    STN_OF(v_fma)(
                        load_first((const value *)(const void *)(a + r * row_bytes) + at, left),
                        shared, lanes[r][p]),
                    lanes[r][p], left);
        }
    }
}

/* The sums of up to a tile of some rows. */
STN_FN void sum_value_tile(value *sums, const char *a, int64_t row_bytes, int rows, const value *x,
                           int64_t count)
{
    vector lanes[VALUE_ROWS][ROW_REGISTERS];
    int64_t e = 0;
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 16
        for (int p = 0; p < ROW_REGISTERS; p++)
            lanes[r][p] = STN_OF(v_set)((value)-0.0);
    }
    for (; e + STN_LANES <= count; e += STN_LANES) {
#pragma GCC unroll 16
        for (int p = 0; p < ROW_REGISTERS; p++) {
            const int64_t at = e + p * STN_WIDTH;
            const vector shared = load_once(x + at);
#pragma GCC unroll 8
            for (int r = 0; r < rows; r++)
                lanes[r][p] = STN_OF(v_fma)(row_at(a, row_bytes, r, at), shared, lanes[r][p]);
        }
    }
    if (e < count)
        add_last(lanes, a, row_bytes, rows, x, e, count);
    vector folded[VALUE_ROWS];
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
        add_registers(lanes[r], ROW_REGISTERS);
        folded[r] = lanes[r][0];
    }
    if (rows == VALUE_ROWS)
        fold_rows(sums, folded);
    else
        sums[0] = (value)STN_OF(v_sum)(folded[0]);
}

STN_FN void sum_value_side(double *sums, const char *a, int64_t row_bytes, int rows, const value *x,
                           int64_t count)
{
    value leaves[STN_LEAVES][VALUE_ROWS], row[STN_LEAVES];
    int64_t tiles = 0;
    for (; count > STN_TILE_ELEMENTS; count -= STN_TILE_ELEMENTS) {
        sum_value_tile(leaves[tiles++], a, row_bytes, rows, x, STN_TILE_ELEMENTS);
        a += STN_TILE_ELEMENTS * sizeof(value);
        x += STN_TILE_ELEMENTS;
    }
    sum_value_tile(leaves[tiles++], a, row_bytes, rows, x, count);
    for (int r = 0; r < rows; r++) {
        for (int64_t t = 0; t < tiles; t++)
            row[t] = leaves[t][r];
        sums[r] = (double)(tiles == 1 ? row[0] : STN_OF(fold_leaves)(row, tiles));
    }
}

STN_REST void sum_value_rows(double *sums, const void *codes, int64_t row_bytes, int64_t rows,
                             const void *x, int64_t count)
{
    const char *const a = codes;
    int64_t r = 0;
    for (; VALUE_ROWS > 1 && r + VALUE_ROWS <= rows; r += VALUE_ROWS)
        sum_value_side(sums + r, a + r * row_bytes, row_bytes, VALUE_ROWS, x, count);
    for (; r < rows; r++)
        sum_value_side(sums + r, a + r * row_bytes, row_bytes, 1, x, count);
}

#endif
