/* Concurrent sums of adjacent columns of codes, with each row multiplied by its own value. Included
 * after order/fold.h.
 *
 * Rows e, e + 8, e + 16, ... of a tile are a panel: four lanes, which fold in registers while four
 * rows of memory are read. Panels are processed in the order in which the tree combines them, so
 * that each column has at most three pending sums. */
#ifndef STENO_ORDER_COLUMNS_H
#define STENO_ORDER_COLUMNS_H

#include "format/vec.h"
#include "format/vec/affine.h"
#include "order/fold.h"
#include "order/take.h"

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

#define T    f64
#define REAL double
#include "order/column_loops.h"

#ifndef ONLY_F64
#    define T    f32
#    define REAL float
#    include "order/column_loops.h"
#endif

#endif
