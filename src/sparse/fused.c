/* The fused loops of sparse rows for STN_FORMAT on STN_ISA. */
#include "sparse/fused.h"

#include "format/vec.h"
#include "format/vec/affine.h"
#include "kernel/fold.h"

/* The last entries of the arrays, with room behind them to read a whole piece. */
typedef struct last_piece {
    code codes[V_PIECE];
    int32_t column[V_PIECE];
} last_piece;

STN_FN void copy_last(last_piece *last, const code *codes, const int32_t *column, int64_t count)
{
    memset(last, 0, sizeof *last);
    memcpy(last->codes, codes, (size_t)count * sizeof *codes);
    memcpy(last->column, column, (size_t)count * sizeof *column);
}

/* One piece of products onto its lanes; those behind `count` stay as they are. */
STN_FN void add_piece_f64(vf64 *lanes, const code *codes, const stn_affine *affine,
                          const int32_t *column, int64_t count, int64_t readable, const double *x,
                          int plain)
{
    last_piece end;
    if (readable < V_PIECE) {
        copy_last(&end, codes, column, count);
        codes = end.codes;
        column = end.column;
    }
    const vf64x2 values = read_f64(codes, affine, plain), others = v_gather_f64(x, column);
    const vf64 low = v_fma_f64(values.low, others.low, lanes[0]);
    const vf64 high = v_fma_f64(values.high, others.high, lanes[1]);
    lanes[0] = v_first_f64(low, lanes[0], count);
    lanes[1] = v_first_f64(high, lanes[1], count - V_PIECE / 2);
}

STN_FN void add_piece_f32(vf32 *lanes, const code *codes, const stn_affine *affine,
                          const int32_t *column, int64_t count, int64_t readable, const float *x,
                          int plain)
{
    last_piece end;
    if (readable < V_PIECE) {
        copy_last(&end, codes, column, count);
        codes = end.codes;
        column = end.column;
    }
    const vf32 sum = v_fma_f32(read_f32(codes, affine, plain), v_gather_f32(x, column), lanes[0]);
    lanes[0] = v_first_f32(sum, lanes[0], count);
}

/* Sums in arithmetic T; `wide` registers of a piece. A row of one piece needs no other lanes:
 * absent ones are skipped. */
#define STN_ROW(T, type, wide, last)                                                               \
    STN_FN double sum_##T(const code *codes, const stn_affine *affine, const int32_t *column,      \
                          int64_t count, int64_t readable, const type *x, int plain)               \
    {                                                                                              \
        v##T lanes[PIECES * wide];                                                                 \
        if (count <= V_PIECE) {                                                                    \
            for (int r = 0; r < wide; r++)                                                         \
                lanes[r] = v_set_##T((type)-0.0);                                                  \
            add_piece_##T(lanes, codes, affine, column, count, readable, x, plain);                \
            return (double)last;                                                                   \
        }                                                                                          \
        clear_##T(lanes);                                                                          \
        for (int64_t e = 0; e < count; e += LANES) {                                               \
            for (int p = 0; p < PIECES && e + p * V_PIECE < count; p++) {                          \
                const int64_t at = e + p * V_PIECE;                                                \
                add_piece_##T(lanes + p * wide, codes + at, affine, column + at, count - at,       \
                              readable - at, x, plain);                                            \
            }                                                                                      \
        }                                                                                          \
        return fold_##T(lanes);                                                                    \
    }                                                                                              \
    static double row_##T(const void *codes, const stn_affine *affine, const int32_t *column,      \
                          int64_t count, int64_t readable, const void *x)                          \
    {                                                                                              \
        return affine->plain ? sum_##T(codes, affine, column, count, readable, x, 1)               \
                             : sum_##T(codes, affine, column, count, readable, x, 0);              \
    }

STN_ROW(f64, double, 2, v_sum_f64(v_add_f64(lanes[0], lanes[1])))
STN_ROW(f32, float, 1, v_sum_f32(lanes[0]))

extern const stn_sparse_fused STN_INSTANCE(stn_sparse_fused);
const stn_sparse_fused STN_INSTANCE(stn_sparse_fused) = {row_f64, row_f32};
