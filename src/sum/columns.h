/* Concurrent sums of adjacent columns of codes, with each row multiplied by its own value. Included
 * after sum/fold.h.
 *
 * Rows e, e + 8, e + 16, ... of a tile are a panel: four lanes, which fold in registers while four
 * rows of memory are read. Panels are processed in the order in which the tree combines them, so
 * that each column has at most three pending sums. */
#ifndef STENO_SUM_COLUMNS_H
#define STENO_SUM_COLUMNS_H

#include "format/vec.h"
#include "format/vec/affine.h"
#include "sum/fold.h"

enum {
    STN_PANELS = 8,
    STN_WAITING = 3,           /* levels of sums of panels */
    STN_COLUMN_REGISTERS = 4,  /* of the sums of a block */
    STN_COLUMNS_AT_ONCE = 256, /* columns whose pending sums stay in L1 */
    STN_COLUMNS_WIDE = STN_COLUMNS_AT_ONCE + V_PIECE
};

#define STN_OPTIONAL static __attribute__((unused))

static const int8_t panel_order[STN_PANELS] = {0, 4, 2, 6, 1, 5, 3, 7};

/* The same rows of the next columns, which are prefetched meanwhile, because rows are too short
 * for hardware prefetching. 50 rows of f16 from memory take 3.5 ms with prefetching and 6.2 ms
 * without (Zen 5, two threads); prefetching the next panel would be too late. Prefetches proceed
 * row by row rather than block by block: rows whose distance is close to a power of two may all be
 * in one bank of memory, which has only one open row at a time. */
typedef struct fetched {
    const char *row;
    int64_t at, width, step; /* bytes */
} fetched;

STN_FN fetched next_columns(int k, const char *codes, int64_t row_bytes, int64_t columns)
{
    return (fetched){codes + panel_order[k] * row_bytes, 0, columns * (int64_t)sizeof(code),
                     STN_PANELS * row_bytes};
}

/* Rows with equal positions in L1 stay in L2: no slower than prefetching into L2, and up to a
 * tenth faster otherwise (Zen 5). */
STN_FN void fetch_next(fetched *next, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += STN_LINE)
        __builtin_prefetch((const void *)((uintptr_t)next->row + (uintptr_t)(next->at + at)), 0, 3);
    next->at += bytes;
    if (next->at >= next->width) {
        next->at = 0;
        next->row = (const char *)((uintptr_t)next->row + (uintptr_t)next->step);
    }
}

/* Loops in arithmetic T. A block is a number of pieces of columns, or the first `partial` of one.
 */
#define STN_COLUMN_LOOPS(T, type)                                                                  \
    STN_FN void add_row_##T(v##T *sums, const code *row, fetched *next, const affine_##T *affine,  \
                            type y, int pieces, int64_t partial, int plain)                        \
    {                                                                                              \
        if (STN_FETCHES_##T && next->width > 0)                                                    \
            fetch_next(next, pieces *V_PIECE *(int64_t)sizeof(code));                              \
        const piece_##T shared = repeat_##T(y);                                                    \
        _Alignas(64) code padded[V_PIECE];                                                         \
        if (partial > 0) {                                                                         \
            memset(padded, 0, sizeof padded);                                                      \
            memcpy(padded, row, (size_t)partial * sizeof *row);                                    \
            row = padded;                                                                          \
        }                                                                                          \
        for (int p = 0; p < pieces; p++)                                                           \
            add_product_##T(sums + p * WIDE_##T, read_##T(row + p * V_PIECE, affine, plain),       \
                            shared);                                                               \
    }                                                                                              \
    STN_FN void add_block_##T(v##T *sums, const v##T *others, int pieces)                          \
    {                                                                                              \
        for (int r = 0; r < pieces * WIDE_##T; r++)                                                \
            sums[r] = v_add_##T(sums[r], others[r]);                                               \
    }                                                                                              \
    STN_FN void sum_lane_##T(v##T *sums, const char *codes, int64_t row_bytes, fetched *next,      \
                             int64_t rows, const affine_##T *affine, const type *y, int pieces,    \
                             int64_t partial, int plain)                                           \
    {                                                                                              \
        for (int r = 0; r < pieces * WIDE_##T; r++)                                                \
            sums[r] = v_set_##T((type)-0.0);                                                       \
        for (int64_t e = 0; e < rows; e += STN_LANES)                                              \
            add_row_##T(sums, (const code *)(codes + e * row_bytes), next, affine, y[e], pieces,   \
                        partial, plain);                                                           \
    }                                                                                              \
    /* Sums rows 0, 8, 16, ... below `rows`. */                                                    \
    STN_FN void sum_panel_##T(v##T *sums, const char *codes, int64_t row_bytes, fetched *next,     \
                              int64_t rows, const affine_##T *affine, const type *y, int pieces,   \
                              int64_t partial, int plain)                                          \
    {                                                                                              \
        v##T others[STN_COLUMN_REGISTERS], odd[STN_COLUMN_REGISTERS];                              \
        sum_lane_##T(sums, codes, row_bytes, next, rows, affine, y, pieces, partial, plain);       \
        sum_lane_##T(others, codes + 16 * row_bytes, row_bytes, next, rows - 16, affine, y + 16,   \
                     pieces, partial, plain);                                                      \
        add_block_##T(sums, others, pieces);                                                       \
        sum_lane_##T(odd, codes + 8 * row_bytes, row_bytes, next, rows - 8, affine, y + 8, pieces, \
                     partial, plain);                                                              \
        sum_lane_##T(others, codes + 24 * row_bytes, row_bytes, next, rows - 24, affine, y + 24,   \
                     pieces, partial, plain);                                                      \
        add_block_##T(odd, others, pieces);                                                        \
        add_block_##T(sums, odd, pieces);                                                          \
    }                                                                                              \
    /* Folds the k-th panel in order, with the pending panels before it, of columns c, ... */      \
    STN_FN void fold_block_##T(type *sums, type *waiting, int k, const char *codes,                \
                               int64_t row_bytes, fetched *next, int64_t rows,                     \
                               const affine_##T *affine, const type *y, int pieces,                \
                               int64_t partial, int plain)                                         \
    {                                                                                              \
        v##T block[STN_COLUMN_REGISTERS];                                                          \
        _Alignas(64) type padded[V_PIECE];                                                         \
        sum_panel_##T(block, codes, row_bytes, next, rows, affine, y, pieces, partial, plain);     \
        for (; k & 1; k >>= 1, waiting += STN_COLUMNS_WIDE)                                        \
            for (int p = 0; p < pieces; p++)                                                       \
                add_##T(block + p * WIDE_##T, v_load_##T(waiting + p * V_PIECE));                  \
        type *const to = !sums ? waiting : partial > 0 ? padded : sums;                            \
        for (int p = 0; p < pieces; p++)                                                           \
            v_store_##T(to + p * V_PIECE, piece_of_##T(block + p * WIDE_##T));                     \
        if (to == padded)                                                                          \
            memcpy(sums, padded, (size_t)partial * sizeof *sums);                                  \
    }                                                                                              \
    /* An incomplete block. */                                                                     \
    STN_REST void fold_few_##T##_columns(                                                          \
        type *sums, type *waiting, int k, const char *codes, int64_t row_bytes, fetched *next,     \
        int64_t rows, const affine_##T *affine, const type *y, int64_t columns, int plain)         \
    {                                                                                              \
        for (; columns >= V_PIECE; columns -= V_PIECE) {                                           \
            fold_block_##T(sums, waiting, k, codes, row_bytes, next, rows, affine, y, 1, 0,        \
                           plain);                                                                 \
            sums = sums ? sums + V_PIECE : NULL;                                                   \
            waiting += V_PIECE;                                                                    \
            codes += V_PIECE * sizeof(code);                                                       \
        }                                                                                          \
        if (columns > 0)                                                                           \
            fold_block_##T(sums, waiting, k, codes, row_bytes, next, rows, affine, y, 1, columns,  \
                           plain);                                                                 \
    }                                                                                              \
    STN_FN void fold_columns_##T(                                                                  \
        type *sums, type *waiting, int k, const char *codes, int64_t row_bytes, fetched *next,     \
        int64_t rows, const affine_##T *affine, const type *y, int64_t columns, int plain)         \
    {                                                                                              \
        enum { SIDES = STN_COLUMN_REGISTERS / WIDE_##T, BLOCK = SIDES * V_PIECE };                 \
        int64_t c = 0;                                                                             \
        for (; c + BLOCK <= columns; c += BLOCK)                                                   \
            fold_block_##T(sums ? sums + c : NULL, waiting + c, k,                                 \
                           codes + c * (int64_t)sizeof(code), row_bytes, next, rows, affine, y,    \
                           SIDES, 0, plain);                                                       \
        if (c < columns && plain != STN_BY_BLOCKS)                                                 \
            fold_few_##T##_columns(sums ? sums + c : NULL, waiting + c, k,                         \
                                   codes + c * (int64_t)sizeof(code), row_bytes, next, rows,       \
                                   affine, y, columns - c, plain);                                 \
    }                                                                                              \
    STN_FN void columns_run_##T(type *sums, const char *codes, int64_t row_bytes, int64_t rows,    \
                                const affine_##T *affine, const type *y, int64_t columns,          \
                                int plain)                                                         \
    {                                                                                              \
        type waiting[STN_WAITING * STN_COLUMNS_WIDE];                                              \
        for (int64_t c = 0; c < columns; c += STN_COLUMNS_AT_ONCE) {                               \
            const int64_t left = columns - c;                                                      \
            const int64_t partial = left < STN_COLUMNS_AT_ONCE ? left : STN_COLUMNS_AT_ONCE;       \
            const char *const group = codes + c * (int64_t)sizeof(code);                           \
            for (int k = 0; k < STN_PANELS; k++) {                                                 \
                const int first = panel_order[k];                                                  \
                fetched next = next_columns(                                                       \
                    k, group + partial * (int64_t)sizeof(code), row_bytes,                         \
                    left - partial < STN_COLUMNS_AT_ONCE ? left - partial : STN_COLUMNS_AT_ONCE);  \
                fold_columns_##T(k == STN_PANELS - 1 ? sums + c : NULL, waiting, k,                \
                                 group + first * row_bytes, row_bytes, &next, rows - first,        \
                                 affine, y + first, partial, plain);                               \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void columns_##T(void *sums, const void *codes, int64_t row_bytes, int64_t rows,        \
                            const stn_affine *affine, const void *y, int64_t columns)              \
    {                                                                                              \
        const affine_##T own = take_affine_##T(affine);                                            \
        STN_BY_PLAIN(affine->plain, columns_run_##T, sums, codes, row_bytes, rows, &own, y,        \
                     columns);                                                                     \
    }                                                                                              \
    STN_OPTIONAL void block_columns_##T(void *sums, const void *codes, int64_t row_bytes,          \
                                        int64_t rows, const stn_affine *affine, const void *y,     \
                                        int64_t columns)                                           \
    {                                                                                              \
        const affine_##T own = take_affine_##T(affine);                                            \
        columns_run_##T(sums, codes, row_bytes, rows, &own, y, columns, STN_BY_BLOCKS);            \
    }
STN_COLUMN_LOOPS(f64, double)
STN_COLUMN_LOOPS(f32, float)

#endif
