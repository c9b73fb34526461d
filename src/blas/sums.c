/* The sums of STN_FORMAT on STN_ISA. */
#include "blas/sums.h"

#include "blas/exact.h"
#include "format/vec/affine.h"

/* ---- tile by tile ---- */

STN_FN double sum_tile_f64(const code *x, const affine_f64 *affine, int plain)
{
    vf64 lanes[HALVES];
    clear_f64(lanes);
    for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES)
#pragma GCC unroll 16
        for (int p = 0; p < PIECES; p++) {
            const vf64x2 values = read_f64(x + e + p * V_PIECE, affine, plain);
            lanes[2 * p] = v_add_f64(lanes[2 * p], values.low);
            lanes[2 * p + 1] = v_add_f64(lanes[2 * p + 1], values.high);
        }
    return fold_f64(lanes);
}

STN_FN double sum_tile_f32(const code *x, const affine_f32 *affine, int plain)
{
    vf32 lanes[PIECES];
    clear_f32(lanes);
    for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES)
#pragma GCC unroll 16
        for (int p = 0; p < PIECES; p++)
            lanes[p] = v_add_f32(lanes[p], read_f32(x + e + p * V_PIECE, affine, plain));
    return fold_f32(lanes);
}

#define STN_RUN static __attribute__((unused)) void

STN_RUN tiles_f64(double *sums, const void *codes, const stn_affine *affine, int64_t tiles)
{
    const affine_f64 own = take_affine_f64(affine);
    const code *x = codes;
    if (affine->plain)
        for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS)
            sums[t] = sum_tile_f64(x, &own, 1);
    else
        for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS)
            sums[t] = sum_tile_f64(x, &own, 0);
}

#ifdef V_PLACED
/* The same bits: multiplying by a power of two is exact, before values are added. */
STN_FN double sum_placed_bf16(const code *x)
{
    const affine_f64 plain = {.scale = 1.0, .inverse = 1.0, .plain = 1};
    vf64 lanes[HALVES];
    vb special = v_zero_b();
    clear_f64(lanes);
#    pragma GCC unroll 4
    for (int e = 0; e < STN_TILE_ELEMENTS; e += STN_LANES) {
        const vb words = v_load_b(x + e);
        const v_placed placed = v_place_bf16(words);
        special = v_or_b(special, v_special_h(words, 0x7f80));
#    pragma GCC unroll 4
        for (int r = 0; r < HALVES; r++)
            lanes[r] = v_fma_f64(v_placed_f64(placed, r), v_set_f64(0x1p896), lanes[r]);
    }
    return v_any_b(special) ? sum_tile_f64(x, &plain, 1) : fold_f64(lanes);
}

STN_RUN tiles_bf16(double *sums, const void *codes, const stn_affine *affine, int64_t tiles)
{
    const code *x = codes;
    if (affine->plain)
        for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS)
            sums[t] = sum_placed_bf16(x);
    else
        tiles_f64(sums, codes, affine, tiles);
}
#else
#    define tiles_bf16 tiles_f64
#endif

static void tiles_f32(double *sums, const void *codes, const stn_affine *affine, int64_t tiles)
{
    const affine_f32 own = take_affine_f32(affine);
    const code *x = codes;
    if (affine->plain)
        for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS)
            sums[t] = sum_tile_f32(x, &own, 1);
    else
        for (int64_t t = 0; t < tiles; t++, x += STN_TILE_ELEMENTS)
            sums[t] = sum_tile_f32(x, &own, 0);
}

/* ---- which there are of each format ---- */

#define SUMS_f64  tiles_f64, NULL, NULL
#define SUMS_f32  tiles_f64, NULL, NULL
#define SUMS_f16  tiles_f64, exact_sum_placed, NULL
#define SUMS_bf16 tiles_bf16, NULL, NULL
#define SUMS_e4m3 tiles_f64, exact_sum_e4m3, exact_dot_e4m3
#define SUMS_e5m2 tiles_f64, exact_sum_placed, NULL
#define SUMS_i8   tiles_f64, exact_sum_i8, exact_dot_8
#define SUMS_u8   tiles_f64, exact_sum_u8, exact_dot_8
#define SUMS_i16  tiles_f64, exact_sum_i16, exact_dot_i16
#define SUMS_u16  tiles_f64, exact_sum_u16, exact_dot_any
#define SUMS_i32  tiles_f64, NULL, NULL
#define SUMS_u32  tiles_f64, NULL, NULL
#define SUMS_i64  tiles_f64, NULL, NULL
#define SUMS_u64  tiles_f64, NULL, NULL

#define SUMS_ROW_(format) SUMS_##format
#define SUMS_ROW(format)  SUMS_ROW_(format)
extern const stn_sums STN_INSTANCE(stn_sums);
const stn_sums STN_INSTANCE(stn_sums) = {tiles_f32, SUMS_ROW(STN_FORMAT)};
