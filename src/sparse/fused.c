/* Fused loops over the slices of sparse matrices for STN_FORMAT on STN_ISA. */
#include "sparse/fused.h"

#include "format/vec.h"
#include "format/vec/affine.h"
#include "sparse/slice.h"
#include "sum/fold.h"
#include "sum/tree.h"

/* Entries of a row. `count` entries belong to the row, `readable` entries may be read. Columns are
 * in `narrow` if is_narrow is set (a constant in each caller), else in `column`. One piece after
 * the last element of `narrow` is readable, too. */
typedef struct entries {
    const code *codes;
    const int32_t *column;
    const uint16_t *narrow;
    int64_t count, readable;
    int is_narrow;
} entries;

/* Prefetches subsequent codes: more of them than the hardware prefetcher requests. */
STN_FN void fetch_codes(const code *codes, int64_t count)
{
    const uintptr_t from = (uintptr_t)codes + (uintptr_t)stn_tuned_sparse;
    for (int64_t at = 0; at < count * (int64_t)sizeof(code); at += STN_LINE)
        __builtin_prefetch((const void *)(from + (uintptr_t)at), 0, 3);
}

/* The entries from entry k on. */
STN_FN entries entries_from(entries part, int64_t k)
{
    part.codes += k;
    part.count -= k;
    part.readable -= k;
    if (part.is_narrow)
        part.narrow += k;
    else
        part.column += k;
    return part;
}

/* A copy of the last entries, padded so that a whole piece can be read. */
typedef struct last_piece {
    code codes[V_PIECE];
    int32_t column[V_PIECE];
} last_piece;

STN_FN entries copy_last(last_piece *last, entries from)
{
    const size_t count = (size_t)(from.count < V_PIECE ? from.count : V_PIECE);
    memset(last, 0, sizeof *last);
    memcpy(last->codes, from.codes, count * sizeof *last->codes);
    if (!from.is_narrow)
        memcpy(last->column, from.column, count * sizeof *last->column);
    return (entries){last->codes, last->column, from.narrow, from.count, V_PIECE, from.is_narrow};
}

STN_FN vf64 gather_half(const double *x, const entries *part, int from)
{
    return part->is_narrow ? v_gather_half_f64_u16(x, part->narrow + from)
                           : v_gather_half_f64(x, part->column + from);
}

/* Adds the products of one piece to its lanes. Lanes from `count` on are unchanged. */
STN_FN void add_piece_f64(vf64 *lanes, entries part, const affine_f64 *affine, const double *x,
                          int plain)
{
    const vf64x2 values = read_f64(part.codes, affine, plain);
    const vf64 low = v_fma_f64(values.low, gather_half(x, &part, 0), lanes[0]);
    lanes[0] = v_first_f64(low, lanes[0], part.count);
    if (part.count > V_PIECE / 2) {
        const vf64 others = gather_half(x, &part, V_PIECE / 2);
        const vf64 high = v_fma_f64(values.high, others, lanes[1]);
        lanes[1] = v_first_f64(high, lanes[1], part.count - V_PIECE / 2);
    }
}

STN_FN void add_piece_f32(vf32 *lanes, entries part, const affine_f32 *affine, const float *x,
                          int plain)
{
    const vf32 others = part.is_narrow ? v_gather_f32_u16(x, part.narrow)
                                       : v_gather_f32(x, part.column, part.count);
    const vf32 sum = v_fma_f32(read_f32(part.codes, affine, plain), others, lanes[0]);
    lanes[0] = v_first_f32(sum, lanes[0], part.count);
}

/* Sums the lanes of a row of one piece. Absent lanes are skipped. */
STN_FN double sum_piece_f64(const vf64 *lanes, int64_t count)
{
    return v_sum_f64(count > V_PIECE / 2 ? v_add_f64(lanes[0], lanes[1]) : lanes[0]);
}

STN_FN double sum_piece_f32(const vf32 *lanes, int64_t count)
{
    (void)count;
    return (double)v_sum_f32(lanes[0]);
}

/* Sums of rows that a slice stores consecutively, in arithmetic T. */
#define STN_ROWS(T, type)                                                                          \
    STN_FN double tile_##T(entries part, const affine_##T *affine, const type *x, int plain)       \
    {                                                                                              \
        v##T lanes[PIECES * WIDE_##T];                                                             \
        clear_##T(lanes);                                                                          \
        for (int p = 0; part.count > 0; p = (p + 1) % PIECES) {                                    \
            last_piece last;                                                                       \
            const entries piece = part.readable < V_PIECE ? copy_last(&last, part) : part;         \
            add_piece_##T(lanes + p * WIDE_##T, piece, affine, x, plain);                          \
            part = entries_from(part, V_PIECE);                                                    \
        }                                                                                          \
        return fold_##T(lanes);                                                                    \
    }                                                                                              \
    STN_FN double short_row_##T(entries row, const affine_##T *affine, const type *x, int plain)   \
    {                                                                                              \
        v##T lanes[WIDE_##T];                                                                      \
        for (int r = 0; r < WIDE_##T; r++)                                                         \
            lanes[r] = v_set_##T((type)-0.0);                                                      \
        add_piece_##T(lanes, row, affine, x, plain);                                               \
        return sum_piece_##T(lanes, row.count);                                                    \
    }                                                                                              \
    STN_FN double long_row_##T(entries row, const affine_##T *affine, const type *x, int plain)    \
    {                                                                                              \
        double levels[STN_TREE_LEVELS];                                                            \
        stn_tree tree;                                                                             \
        stn_tree_begin(&tree, sizeof(type) == 8 ? stn_add_f64 : stn_add_f32, 8, 1, levels, 0);     \
        for (int64_t k = 0; k < row.count; k += STN_TILE_ELEMENTS) {                               \
            entries part = entries_from(row, k);                                                   \
            if (part.count > STN_TILE_ELEMENTS)                                                    \
                part.count = STN_TILE_ELEMENTS;                                                    \
            const double sum = tile_##T(part, affine, x, plain);                                   \
            if (row.count <= STN_TILE_ELEMENTS)                                                    \
                return sum;                                                                        \
            stn_tree_push(&tree, &sum, 0);                                                         \
        }                                                                                          \
        return *(double *)stn_tree_fold(&tree);                                                    \
    }                                                                                              \
    STN_FN double row_##T(entries row, const affine_##T *affine, const type *x, int plain)         \
    {                                                                                              \
        if (row.count == 0)                                                                        \
            return 0.0;                                                                            \
        return row.count <= V_PIECE && row.readable >= V_PIECE                                     \
                   ? short_row_##T(row, affine, x, plain)                                          \
                   : long_row_##T(row, affine, x, plain);                                          \
    }

STN_ROWS(f64, double)
STN_ROWS(f32, float)

#include "sparse/slices.h"

extern const stn_sparse_fused STN_INSTANCE(stn_sparse_fused);
const stn_sparse_fused STN_INSTANCE(stn_sparse_fused) = {slices_f64, slices_f32};
