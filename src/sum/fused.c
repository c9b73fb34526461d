/* The fused loops of STN_FORMAT on STN_ISA. */
#include "sum/fused.h"

#include "format/vec.h"
#include "format/vec/affine.h"
#include "sum/columns.h"
#include "sum/exact.h"
#include "sum/some.h"

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

/* Number of rows processed together, limited by registers: shared operands are loaded once. */
enum { SIDE = V_PIECE * 2 >= STN_LANES ? 4 : 1 };

/* Complete tiles, and the remainder. */
enum { STN_LEAVES = STN_EXACT_TILES + 1 };

/* Rows of values have their own loops. */
#define STN_VALUES_f64 1
#define STN_VALUES_f32 1
#if STN_JOIN3(STN, VALUES, STN_FORMAT)
#    include "sum/vector.h"
#    include "sum/value_rows.h"
#else
#    define sum_value_rows(sums, codes, row_bytes, rows, y, count)
#endif

#define STN_UNROLL(count) _Pragma(STN_QUOTE(GCC unroll count))

/* Are codes values of the arithmetic type? */
#define STN_IS_VALUE(type) __builtin_types_compatible_p(code, type)

/* The last row of lanes with `count` elements; the others are 0. */
#define STN_TAKE(type, padded, x, count)                                                           \
    _Alignas(64) type padded[STN_LANES];                                                           \
    v_take((char *)padded, sizeof padded, (const char *)(x), (count) * (int64_t)sizeof(type),      \
           sizeof(type))

/* Loops over tiles and runs in arithmetic T. An incomplete row of lanes leaves the other lanes
 * unchanged. */
#define STN_LOOPS(T, type)                                                                         \
    STN_FN void keep_##T(v##T *lanes, const v##T *old, int64_t count)                              \
    {                                                                                              \
        STN_UNROLL(16)                                                                             \
        for (int r = 0; r < PIECES * WIDE_##T; r++)                                                \
            lanes[r] = v_first_##T(lanes[r], old[r], count - r * (V_PIECE / WIDE_##T));            \
    }                                                                                              \
    /* The last elements of values: absent products are -0, which changes no sum. */               \
    STN_FN void dot_some_##T(v##T *lanes, const type *x, const type *y, int64_t count)             \
    {                                                                                              \
        STN_UNROLL(16)                                                                             \
        for (int p = 0; p < PIECES; p++)                                                           \
            if (p * V_PIECE < count)                                                               \
                add_product_##T(lanes + p * WIDE_##T,                                              \
                                v_some_##T(x + p * V_PIECE, count - p * V_PIECE, -(type)0),        \
                                v_some_##T(y + p * V_PIECE, count - p * V_PIECE, 0));              \
    }                                                                                              \
    STN_FN void dot_lanes_##T(v##T *lanes, const code *x, const affine_##T *x_affine,              \
                              const code *y, const affine_##T *y_affine, int plain)                \
    {                                                                                              \
        STN_UNROLL(16)                                                                             \
        for (int p = 0; p < PIECES; p++)                                                           \
            add_codes_##T(lanes + p * WIDE_##T, x + p * V_PIECE, x_affine, y + p * V_PIECE,        \
                          y_affine, plain);                                                        \
    }                                                                                              \
    STN_FN double dot_tile_##T(const code *x, const affine_##T *x_affine, const code *y,           \
                               const affine_##T *y_affine, int plain)                              \
    {                                                                                              \
        v##T lanes[PIECES * WIDE_##T];                                                             \
        clear_##T(lanes);                                                                          \
        for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES) {                                   \
            if (STN_FETCHES_##T) {                                                                 \
                fetch(x + e, STN_LANES * sizeof *x);                                               \
                fetch(y + e, STN_LANES * sizeof *y);                                               \
            }                                                                                      \
            dot_lanes_##T(lanes, x + e, x_affine, y + e, y_affine, plain);                         \
        }                                                                                          \
        return fold_##T(lanes);                                                                    \
    }                                                                                              \
    STN_REST double dot_rest_##T(const code *x, const affine_##T *x_affine, const code *y,         \
                                 const affine_##T *y_affine, int64_t count, int plain)             \
    {                                                                                              \
        v##T lanes[PIECES * WIDE_##T], old[PIECES * WIDE_##T];                                     \
        clear_##T(lanes);                                                                          \
        for (; count >= STN_LANES; count -= STN_LANES, x += STN_LANES, y += STN_LANES)             \
            dot_lanes_##T(lanes, x, x_affine, y, y_affine, plain);                                 \
        if (count > 0 && plain && STN_IS_VALUE(type)) {                                            \
            dot_some_##T(lanes, (const void *)x, (const void *)y, count);                          \
        } else if (count > 0) {                                                                    \
            STN_TAKE(code, some_x, x, count);                                                      \
            STN_TAKE(code, some_y, y, count);                                                      \
            STN_UNROLL(16)                                                                         \
            for (int r = 0; r < PIECES * WIDE_##T; r++)                                            \
                old[r] = lanes[r];                                                                 \
            dot_lanes_##T(lanes, some_x, x_affine, some_y, y_affine, plain);                       \
            keep_##T(lanes, old, count);                                                           \
        }                                                                                          \
        return fold_##T(lanes);                                                                    \
    }                                                                                              \
    STN_FN double dot_run_##T(const code *x, const affine_##T *x_affine, const code *y,            \
                              const affine_##T *y_affine, int64_t count, int plain)                \
    {                                                                                              \
        const int64_t tiles = count / STN_TILE_ELEMENTS, rest = count % STN_TILE_ELEMENTS;         \
        type leaves[STN_LEAVES];                                                                   \
        for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS, y += STN_TILE_ELEMENTS)        \
            leaves[t] = (type)dot_tile_##T(x, x_affine, y, y_affine, plain);                       \
        if (rest > 0)                                                                              \
            leaves[tiles] = (type)dot_rest_##T(x, x_affine, y, y_affine, rest, plain);             \
        return (double)fold_leaves_##T(leaves, tiles + (rest > 0));                                \
    }                                                                                              \
    static double dot_##T(const void *x, const stn_affine *x_affine, const void *y,                \
                          const stn_affine *y_affine, int64_t count)                               \
    {                                                                                              \
        if (x_affine->plain && y_affine->plain)                                                    \
            return dot_run_##T(x, NULL, y, NULL, count, 1);                                        \
        const affine_##T x_own = take_affine_##T(x_affine), y_own = take_affine_##T(y_affine);     \
        return dot_run_##T(x, &x_own, y, &y_own, count, 0);                                        \
    }                                                                                              \
    STN_FN void sum_lanes_##T(v##T *lanes, const code *x, const affine_##T *affine, int plain)     \
    {                                                                                              \
        STN_UNROLL(16)                                                                             \
        for (int p = 0; p < PIECES; p++)                                                           \
            add_##T(lanes + p * WIDE_##T, read_##T(x + p * V_PIECE, affine, plain));               \
    }                                                                                              \
    STN_FN double sum_tile_##T(const code *x, const affine_##T *affine, int plain)                 \
    {                                                                                              \
        v##T lanes[PIECES * WIDE_##T];                                                             \
        clear_##T(lanes);                                                                          \
        for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES) {                                   \
            if (STN_FETCHES_##T)                                                                   \
                fetch(x + e, STN_LANES * sizeof *x);                                               \
            sum_lanes_##T(lanes, x + e, affine, plain);                                            \
        }                                                                                          \
        return fold_##T(lanes);                                                                    \
    }                                                                                              \
    STN_REST double sum_rest_##T(const code *x, const affine_##T *affine, int64_t count,           \
                                 int plain)                                                        \
    {                                                                                              \
        v##T lanes[PIECES * WIDE_##T], old[PIECES * WIDE_##T];                                     \
        clear_##T(lanes);                                                                          \
        for (; count >= STN_LANES; count -= STN_LANES, x += STN_LANES)                             \
            sum_lanes_##T(lanes, x, affine, plain);                                                \
        if (count > 0) {                                                                           \
            STN_TAKE(code, padded_codes, x, count);                                                \
            STN_UNROLL(16)                                                                         \
            for (int r = 0; r < PIECES * WIDE_##T; r++)                                            \
                old[r] = lanes[r];                                                                 \
            sum_lanes_##T(lanes, padded_codes, affine, plain);                                     \
            keep_##T(lanes, old, count);                                                           \
        }                                                                                          \
        return fold_##T(lanes);                                                                    \
    }                                                                                              \
    STN_FN double sum_run_##T(const code *x, const affine_##T *affine, int64_t count, int plain)   \
    {                                                                                              \
        const int64_t tiles = count / STN_TILE_ELEMENTS, rest = count % STN_TILE_ELEMENTS;         \
        type leaves[STN_LEAVES];                                                                   \
        for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS)                                \
            leaves[t] = (type)(plain ? SUM_TILE_##T(x, affine) : sum_tile_##T(x, affine, 0));      \
        if (rest > 0)                                                                              \
            leaves[tiles] = (type)sum_rest_##T(x, affine, rest, plain);                            \
        return (double)fold_leaves_##T(leaves, tiles + (rest > 0));                                \
    }                                                                                              \
    static double sum_##T(const void *x, const stn_affine *affine, int64_t count)                  \
    {                                                                                              \
        if (affine->plain)                                                                         \
            return sum_run_##T(x, NULL, count, 1);                                                 \
        const affine_##T own = take_affine_##T(affine);                                            \
        return sum_run_##T(x, &own, count, 0);                                                     \
    }                                                                                              \
    /* Sums of magnitudes; absent elements are +0. */                                              \
    STN_FN double magnitudes_tile_##T(const type *x, int64_t count)                                \
    {                                                                                              \
        v##T lanes[PIECES * WIDE_##T];                                                             \
        clear_##T(lanes);                                                                          \
        for (; count >= STN_LANES; count -= STN_LANES, x += STN_LANES) {                           \
            STN_UNROLL(16)                                                                         \
            for (int p = 0; p < PIECES; p++)                                                       \
                add_##T(lanes + p * WIDE_##T, magnitude_##T(v_load_##T(x + p * V_PIECE)));         \
        }                                                                                          \
        STN_UNROLL(16)                                                                             \
        for (int p = 0; p < PIECES; p++)                                                           \
            if (p * V_PIECE < count)                                                               \
                add_##T(lanes + p * WIDE_##T,                                                      \
                        magnitude_##T(v_some_##T(x + p * V_PIECE, count - p * V_PIECE, 0)));       \
        return fold_##T(lanes);                                                                    \
    }                                                                                              \
    STN_OPTIONAL double magnitudes_##T(const void *values, int64_t count)                          \
    {                                                                                              \
        const type *x = values;                                                                    \
        const int64_t tiles = count / STN_TILE_ELEMENTS, rest = count % STN_TILE_ELEMENTS;         \
        type leaves[STN_LEAVES];                                                                   \
        for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS)                                \
            leaves[t] = (type)magnitudes_tile_##T(x, STN_TILE_ELEMENTS);                           \
        if (rest > 0)                                                                              \
            leaves[tiles] = (type)magnitudes_tile_##T(x, rest);                                    \
        return (double)fold_leaves_##T(leaves, tiles + (rest > 0));                                \
    }                                                                                              \
    /* Elements of row r after the last complete row of lanes. */                                  \
    STN_FN void add_rest_##T(v##T *lanes, const code *x, const affine_##T *affine, const type *y,  \
                             int64_t count, int plain)                                             \
    {                                                                                              \
        v##T old[PIECES * WIDE_##T];                                                               \
        STN_TAKE(code, padded_codes, x, count);                                                    \
        STN_UNROLL(16)                                                                             \
        for (int r = 0; r < PIECES * WIDE_##T; r++)                                                \
            old[r] = lanes[r];                                                                     \
        STN_UNROLL(16)                                                                             \
        for (int p = 0; p < PIECES; p++)                                                           \
            add_product_##T(lanes + p * WIDE_##T,                                                  \
                            read_##T(padded_codes + p * V_PIECE, affine, plain),                   \
                            v_load_##T(y + p * V_PIECE));                                          \
        keep_##T(lanes, old, count);                                                               \
    }                                                                                              \
    /* Leaves of several rows, up to a tile of each; y_rest: elements of y after the last complete \
     * row of lanes. */                                                                            \
    STN_FN void rows_tile_##T(type *leaves, int step, const char *codes, int64_t row_bytes,        \
                              int rows, const affine_##T *affine, const type *y,                   \
                              const type *y_rest, int64_t count, int plain)                        \
    {                                                                                              \
        const int64_t rest = count % STN_LANES, full = count - rest;                               \
        v##T lanes[SIDE][PIECES * WIDE_##T];                                                       \
        STN_UNROLL(4)                                                                              \
        for (int r = 0; r < rows; r++)                                                             \
            clear_##T(lanes[r]);                                                                   \
        for (int64_t e = 0; e < full; e += STN_LANES) {                                            \
            STN_UNROLL(4)                                                                          \
            for (int r = 0; STN_FETCHES_##T && r < rows; r++)                                      \
                fetch((const code *)(codes + r * row_bytes) + e, STN_LANES * sizeof(code));        \
            STN_UNROLL(16)                                                                         \
            for (int p = 0; p < PIECES; p++) {                                                     \
                const int64_t at = e + p * V_PIECE;                                                \
                const piece_##T shared = v_load_##T(y + at);                                       \
                STN_UNROLL(4)                                                                      \
                for (int r = 0; r < rows; r++)                                                     \
                    add_product_##T(                                                               \
                        lanes[r] + p * WIDE_##T,                                                   \
                        read_##T((const code *)(codes + r * row_bytes) + at, affine, plain),       \
                        shared);                                                                   \
            }                                                                                      \
        }                                                                                          \
        STN_UNROLL(4)                                                                              \
        for (int r = 0; rest > 0 && r < rows; r++)                                                 \
            add_rest_##T(lanes[r], (const code *)(codes + r * row_bytes) + full, affine, y_rest,   \
                         rest, plain);                                                             \
        STN_UNROLL(4)                                                                              \
        for (int r = 0; r < rows; r++)                                                             \
            leaves[r * step] = (type)fold_##T(lanes[r]);                                           \
    }                                                                                              \
    STN_REST void rows_rest_##T(type *leaves, const char *codes, int64_t row_bytes, int rows,      \
                                const affine_##T *affine, const type *y, int64_t count, int plain) \
    {                                                                                              \
        STN_TAKE(type, padded_codes, y + count - count % STN_LANES, count % STN_LANES);            \
        if (rows == SIDE)                                                                          \
            rows_tile_##T(leaves, STN_LEAVES, codes, row_bytes, SIDE, affine, y, padded_codes,     \
                          count, plain);                                                           \
        else                                                                                       \
            rows_tile_##T(leaves, STN_LEAVES, codes, row_bytes, 1, affine, y, padded_codes, count, \
                          plain);                                                                  \
    }                                                                                              \
    /* Rows shorter than a tile. */                                                                \
    STN_FN void rows_less_##T(double *sums, const char *codes, int64_t row_bytes, int64_t rows,    \
                              const affine_##T *affine, const type *y, const type *y_rest,         \
                              int64_t count, int plain)                                            \
    {                                                                                              \
        type leaves[SIDE];                                                                         \
        int64_t r = 0;                                                                             \
        for (; r + SIDE <= rows; r += SIDE) {                                                      \
            rows_tile_##T(leaves, 1, codes + r * row_bytes, row_bytes, SIDE, affine, y, y_rest,    \
                          count, plain);                                                           \
            for (int k = 0; k < SIDE; k++)                                                         \
                sums[r + k] = (double)leaves[k];                                                   \
        }                                                                                          \
        for (; r < rows; r++) {                                                                    \
            rows_tile_##T(leaves, 1, codes + r * row_bytes, row_bytes, 1, affine, y, y_rest,       \
                          count, plain);                                                           \
            sums[r] = (double)leaves[0];                                                           \
        }                                                                                          \
    }                                                                                              \
    /* Rows shorter than a tile. */                                                                \
    STN_REST void rows_few_##T(double *sums, const char *codes, int64_t row_bytes, int64_t rows,   \
                               const affine_##T *affine, const type *y, int64_t count, int plain)  \
    {                                                                                              \
        if (count % STN_LANES == 0 && plain) {                                                     \
            rows_less_##T(sums, codes, row_bytes, rows, affine, y, NULL,                           \
                          count / STN_LANES * STN_LANES, 1);                                       \
        } else {                                                                                   \
            STN_TAKE(type, padded_codes, y + count - count % STN_LANES, count % STN_LANES);        \
            rows_less_##T(sums, codes, row_bytes, rows, affine, y, padded_codes, count, plain);    \
        }                                                                                          \
    }                                                                                              \
    /* Processes rows concurrently. */                                                             \
    STN_FN void rows_side_##T(double *sums, const char *codes, int64_t row_bytes, int rows,        \
                              const affine_##T *affine, const type *y, int64_t count, int plain)   \
    {                                                                                              \
        type leaves[SIDE][STN_LEAVES];                                                             \
        int64_t tiles = 0;                                                                         \
        for (; count >= STN_TILE_ELEMENTS; count -= STN_TILE_ELEMENTS, tiles++) {                  \
            rows_tile_##T(leaves[0] + tiles, STN_LEAVES, codes, row_bytes, rows, affine, y, y,     \
                          STN_TILE_ELEMENTS, plain);                                               \
            codes += STN_TILE_ELEMENTS * sizeof(code);                                             \
            y += STN_TILE_ELEMENTS;                                                                \
        }                                                                                          \
        if (count > 0 && plain != STN_BY_BLOCKS)                                                   \
            rows_rest_##T(leaves[0] + tiles++, codes, row_bytes, rows, affine, y, count, plain);   \
        for (int r = 0; r < rows; r++)                                                             \
            sums[r] = (double)fold_leaves_##T(leaves[r], tiles);                                   \
    }                                                                                              \
    STN_FN void rows_run_##T(double *sums, const char *codes, int64_t row_bytes, int64_t rows,     \
                             const affine_##T *affine, const type *y, int64_t count, int plain)    \
    {                                                                                              \
        int64_t r = 0;                                                                             \
        for (; r + SIDE <= rows; r += SIDE)                                                        \
            rows_side_##T(sums + r, codes + r * row_bytes, row_bytes, SIDE, affine, y, count,      \
                          plain);                                                                  \
        for (; r < rows; r++)                                                                      \
            rows_side_##T(sums + r, codes + r * row_bytes, row_bytes, 1, affine, y, count, plain); \
    }                                                                                              \
    static void rows_##T(double *sums, const void *codes, int64_t row_bytes, int64_t rows,         \
                         const stn_affine *affine, const void *y, int64_t count)                   \
    {                                                                                              \
        if (STN_IS_VALUE(type) && affine->plain && count > 0) {                                    \
            sum_value_rows(sums, codes, row_bytes, rows, y, count);                                \
            return;                                                                                \
        }                                                                                          \
        const affine_##T own = take_affine_##T(affine);                                            \
        if (0 < count && count < STN_TILE_ELEMENTS)                                                \
            rows_few_##T(sums, codes, row_bytes, rows, &own, y, count, affine->plain);             \
        else                                                                                       \
            STN_BY_PLAIN(affine->plain, rows_run_##T, sums, codes, row_bytes, rows, &own, y,       \
                         count);                                                                   \
    }                                                                                              \
    STN_OPTIONAL void block_rows_##T(double *sums, const void *codes, int64_t row_bytes,           \
                                     int64_t rows, const stn_affine *affine, const void *y,        \
                                     int64_t count)                                                \
    {                                                                                              \
        const affine_##T own = take_affine_##T(affine);                                            \
        rows_run_##T(sums, codes, row_bytes, rows, &own, y, count, STN_BY_BLOCKS);                 \
    }                                                                                              \
    STN_FN void axpy_lanes_##T(type *restrict y, const code *restrict x, const affine_##T *affine, \
                               double alpha, int plain)                                            \
    {                                                                                              \
        for (int p = 0; p < STN_LANES; p += V_PIECE)                                               \
            v_store_##T(y + p,                                                                     \
                        axpy_piece_##T(read_##T(x + p, affine, plain), v_load_##T(y + p), alpha)); \
    }                                                                                              \
    STN_FN void axpy_run_##T(type *restrict y, const code *restrict x, const affine_##T *affine,   \
                             double alpha, int64_t count, int plain)                               \
    {                                                                                              \
        int64_t k = 0;                                                                             \
        for (; k + STN_LANES <= count; k += STN_LANES)                                             \
            axpy_lanes_##T(y + k, x + k, affine, alpha, plain);                                    \
        if (plain && STN_IS_VALUE(type)) {                                                         \
            const type factor = (type)alpha;                                                       \
            const type *restrict const values = (const void *)x;                                   \
            for (; k < count; k++)                                                                 \
                y[k] = factor * values[k] + y[k];                                                  \
        } else if (k < count) {                                                                    \
            const size_t rest = (size_t)(count - k);                                               \
            code padded_codes[STN_LANES] = {0};                                                    \
            type sums[STN_LANES] = {0};                                                            \
            memcpy(padded_codes, x + k, rest * sizeof *padded_codes);                              \
            memcpy(sums, y + k, rest * sizeof *sums);                                              \
            axpy_lanes_##T(sums, padded_codes, affine, alpha, plain);                              \
            memcpy(y + k, sums, rest * sizeof *sums);                                              \
        }                                                                                          \
    }                                                                                              \
    static void axpy_##T(void *restrict y, const void *restrict x, const stn_affine *affine,       \
                         double alpha, int64_t count)                                              \
    {                                                                                              \
        if (affine->plain) {                                                                       \
            axpy_run_##T(y, x, NULL, alpha, count, 1);                                             \
            return;                                                                                \
        }                                                                                          \
        const affine_##T own = take_affine_##T(affine);                                            \
        axpy_run_##T(y, x, &own, alpha, count, 0);                                                 \
    }                                                                                              \
    STN_FN void update_lanes_##T(code *restrict y, const code *restrict x, double alpha)           \
    {                                                                                              \
        for (int p = 0; p < STN_LANES; p += V_PIECE)                                               \
            store_##T(y + p, axpy_piece_##T(load_##T(x + p), load_##T(y + p), alpha));             \
    }                                                                                              \
    static void update_##T(void *restrict to, const void *restrict from, double alpha,             \
                           int64_t count)                                                          \
    {                                                                                              \
        const code *restrict x = from;                                                             \
        code *restrict y = to;                                                                     \
        for (; count >= STN_LANES; count -= STN_LANES, x += STN_LANES, y += STN_LANES)             \
            update_lanes_##T(y, x, alpha);                                                         \
        if (count > 0) {                                                                           \
            STN_TAKE(code, padded_codes, x, count);                                                \
            STN_TAKE(code, sums, y, count);                                                        \
            update_lanes_##T(sums, padded_codes, alpha);                                           \
            memcpy(y, sums, (size_t)count * sizeof *y);                                            \
        }                                                                                          \
    }

#ifndef SUM_TILE_f64
#    define SUM_TILE_f64(x, affine) sum_tile_f64(x, affine, 1)
#endif
#define SUM_TILE_f32(x, affine) sum_tile_f32(x, affine, 1)
STN_LOOPS(f64, double)
STN_LOOPS(f32, float)

#include "sum/integer.h"

#ifndef EXACT_SUM
#    define EXACT_SUM NULL
#endif
#ifndef EXACT_DOT
#    define EXACT_DOT NULL
#endif
/* Blocks of narrow codes have loops. */
#define IF_NARROW(loop)       (sizeof(code) < sizeof(float) ? loop : NULL)
#define IF_VALUES(loop, type) (STN_IS_VALUE(type) ? loop : NULL)
extern const stn_fused_pair STN_INSTANCE(stn_fused);
const stn_fused_pair STN_INSTANCE(stn_fused) = {
    {dot_f64, rows_f64, columns_f64, IF_NARROW(block_rows_f64), IF_NARROW(block_columns_f64),
     axpy_f64, update_f64, sum_f64, IF_VALUES(magnitudes_f64, double), EXACT_SUM, EXACT_DOT,
     INTEGER_ROWS, convert_to_integers},
    {dot_f32, rows_f32, columns_f32, IF_NARROW(block_rows_f32), IF_NARROW(block_columns_f32),
     axpy_f32, update_f32, sum_f32, IF_VALUES(magnitudes_f32, float), NULL, NULL, NULL, NULL}};
