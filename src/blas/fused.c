/* The fused loops of STN_FORMAT on STN_ISA. */
#include "blas/fused.h"

#include "format/vec.h"
#include "format/vec/affine.h"
#include "sum/fold.h"

/* x * y of one piece onto its lanes. Where products of the format are exact in f32 they are taken
 * there and converted once: the same bits as two conversions and an fma. */
STN_FN void add_codes_f64(vf64 *lanes, const code *x, const affine_f64 *x_affine, const code *y,
                          const affine_f64 *y_affine, int plain)
{
#ifdef PRODUCTS_EXACT_IN_F32
    if (plain) {
        const vf64x2 product = v_widen(v_mul_f32(load_f32(x), load_f32(y)));
        lanes[0] = v_add_f64(lanes[0], product.low);
        lanes[1] = v_add_f64(lanes[1], product.high);
        return;
    }
#endif
    add_product_f64(lanes, read_f64(x, x_affine, plain), read_f64(y, y_affine, plain));
}

STN_FN double dot_codes_tile_f64(const code *x, const affine_f64 *x_affine, const code *y,
                                 const affine_f64 *y_affine, int plain)
{
    vf64 lanes[HALVES];
    clear_f64(lanes);
    for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES) {
#pragma GCC unroll 16
        for (int p = 0; p < PIECES; p++)
            add_codes_f64(lanes + 2 * p, x + e + p * V_PIECE, x_affine, y + e + p * V_PIECE,
                          y_affine, plain);
    }
    return fold_f64(lanes);
}

STN_FN double dot_codes_tile_f32(const code *x, const affine_f32 *x_affine, const code *y,
                                 const affine_f32 *y_affine, int plain)
{
    vf32 lanes[PIECES];
    clear_f32(lanes);
    for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES) {
#pragma GCC unroll 16
        for (int p = 0; p < PIECES; p++)
            lanes[p] = v_fma_f32(read_f32(x + e + p * V_PIECE, x_affine, plain),
                                 read_f32(y + e + p * V_PIECE, y_affine, plain), lanes[p]);
    }
    return fold_f32(lanes);
}

/* Rows that go side by side, as many as the registers hold: what they share is loaded once. */
enum { SIDE = V_PIECE * 2 >= STN_LANES ? 4 : 1 };

STN_FN void rows_tile_f64(double *sums, const char *codes, int64_t row_bytes, int rows,
                          const affine_f64 *affine, const double *y, int plain)
{
    vf64 lanes[SIDE][HALVES];
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++)
        clear_f64(lanes[r]);
    for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES)
#pragma GCC unroll 16
        for (int p = 0; p < PIECES; p++) {
            const int at = e + p * V_PIECE;
            const vf64x2 shared = v_load_f64(y + at);
#pragma GCC unroll 4
            for (int r = 0; r < rows; r++)
                add_product_f64(lanes[r] + 2 * p,
                                read_f64((const code *)(codes + r * row_bytes) + at, affine, plain),
                                shared);
        }
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++)
        sums[r] = fold_f64(lanes[r]);
}

STN_FN void rows_tile_f32(double *sums, const char *codes, int64_t row_bytes, int rows,
                          const affine_f32 *affine, const float *y, int plain)
{
    vf32 lanes[SIDE][PIECES];
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++)
        clear_f32(lanes[r]);
    for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES)
#pragma GCC unroll 16
        for (int p = 0; p < PIECES; p++) {
            const int at = e + p * V_PIECE;
            const vf32 shared = v_load_f32(y + at);
#pragma GCC unroll 4
            for (int r = 0; r < rows; r++)
                lanes[r][p] =
                    v_fma_f32(read_f32((const code *)(codes + r * row_bytes) + at, affine, plain),
                              shared, lanes[r][p]);
        }
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++)
        sums[r] = fold_f32(lanes[r]);
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

/* The loops over tiles and runs in arithmetic T, each for plain storage and for any. */
#define STN_LOOPS(T, type)                                                                         \
    STN_FN void dot_run_##T(double *sums, const code *x, const affine_##T *x_affine,               \
                            const code *y, const affine_##T *y_affine, int64_t tiles, int plain)   \
    {                                                                                              \
        for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS, y += STN_TILE_ELEMENTS)        \
            sums[t] = dot_codes_tile_##T(x, x_affine, y, y_affine, plain);                         \
    }                                                                                              \
    static void dot_##T(double *sums, const void *x, const stn_affine *x_affine, const void *y,    \
                        const stn_affine *y_affine, int64_t tiles)                                 \
    {                                                                                              \
        const affine_##T x_own = take_affine_##T(x_affine), y_own = take_affine_##T(y_affine);     \
        if (x_affine->plain && y_affine->plain)                                                    \
            dot_run_##T(sums, x, &x_own, y, &y_own, tiles, 1);                                     \
        else                                                                                       \
            dot_run_##T(sums, x, &x_own, y, &y_own, tiles, 0);                                     \
    }                                                                                              \
    STN_FN void rows_run_##T(double *sums, const char *codes, int64_t row_bytes, int64_t rows,     \
                             const affine_##T *affine, const type *y, int plain)                   \
    {                                                                                              \
        int64_t r = 0;                                                                             \
        for (; r + SIDE <= rows; r += SIDE)                                                        \
            rows_tile_##T(sums + r, codes + r * row_bytes, row_bytes, SIDE, affine, y, plain);     \
        for (; r < rows; r++)                                                                      \
            rows_tile_##T(sums + r, codes + r * row_bytes, row_bytes, 1, affine, y, plain);        \
    }                                                                                              \
    static void rows_##T(double *sums, const void *codes, int64_t row_bytes, int64_t rows,         \
                         const stn_affine *affine, const void *y)                                  \
    {                                                                                              \
        const affine_##T own = take_affine_##T(affine);                                            \
        if (affine->plain)                                                                         \
            rows_run_##T(sums, codes, row_bytes, rows, &own, y, 1);                                \
        else                                                                                       \
            rows_run_##T(sums, codes, row_bytes, rows, &own, y, 0);                                \
    }                                                                                              \
    STN_FN void axpy_run_##T(type *restrict y, const code *restrict x, const affine_##T *affine,   \
                             double alpha, int64_t count, int plain)                               \
    {                                                                                              \
        int64_t k = 0;                                                                             \
        for (; k + STN_LANES <= count; k += STN_LANES) {                                           \
            for (int p = 0; p < STN_LANES; p += V_PIECE)                                           \
                v_store_##T(y + k + p, axpy_piece_##T(read_##T(x + k + p, affine, plain),          \
                                                      v_load_##T(y + k + p), alpha));              \
        }                                                                                          \
        if (k < count) {                                                                           \
            const size_t rest = (size_t)(count - k);                                               \
            code some[STN_LANES] = {0};                                                            \
            type sums[STN_LANES] = {0};                                                            \
            memcpy(some, x + k, rest * sizeof *some);                                              \
            memcpy(sums, y + k, rest * sizeof *sums);                                              \
            for (int p = 0; p < STN_LANES; p += V_PIECE)                                           \
                v_store_##T(sums + p, axpy_piece_##T(read_##T(some + p, affine, plain),            \
                                                     v_load_##T(sums + p), alpha));                \
            memcpy(y + k, sums, rest * sizeof *sums);                                              \
        }                                                                                          \
    }                                                                                              \
    static void axpy_##T(void *restrict y, const void *restrict x, const stn_affine *affine,       \
                         double alpha, int64_t count)                                              \
    {                                                                                              \
        const affine_##T own = take_affine_##T(affine);                                            \
        if (affine->plain)                                                                         \
            axpy_run_##T(y, x, &own, alpha, count, 1);                                             \
        else                                                                                       \
            axpy_run_##T(y, x, &own, alpha, count, 0);                                             \
    }

STN_LOOPS(f64, double)
STN_LOOPS(f32, float)

extern const stn_fused STN_INSTANCE(stn_fused);
const stn_fused STN_INSTANCE(stn_fused) = {dot_f64,  dot_f32,  rows_f64,
                                           rows_f32, axpy_f64, axpy_f32};
