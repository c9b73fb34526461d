/* Loops over columns in arithmetic T, of order/columns.h. A block is a number of pieces of columns,
 * or the first `partial` of one. */
#include "format/of.h"

STN_FN void of(add_row)(V *sums, const code *row, fetched *next, const AFFINE *affine, REAL y,
                        int pieces, int64_t partial, int plain)
{
    if (of(STN_FETCHES) && next->width > 0)
        fetch_next(next, pieces * V_PIECE * (int64_t)sizeof(code));
    const of(piece) shared = of(repeat)(y);
    if (partial > 0) {
        STN_TAKE_CODES(padded, row, affine, partial, plain);
        of(add_product)(sums, of(read)(padded, padded_affine, plain), shared);
        return;
    }
    for (int p = 0; p < pieces; p++)
        of(add_product)(sums + p * of(WIDE), of(read)(row + p * V_PIECE, affine, plain), shared);
}

STN_FN void of(add_block)(V *sums, const V *others, int pieces)
{
    for (int r = 0; r < pieces * of(WIDE); r++)
        sums[r] = of(v_add)(sums[r], others[r]);
}

STN_FN void of(sum_lane)(V *sums, const char *codes, int64_t row_bytes, fetched *next, int64_t rows,
                         const AFFINE *affine, const REAL *y, int pieces, int64_t partial,
                         int plain)
{
    for (int r = 0; r < pieces * of(WIDE); r++)
        sums[r] = of(v_set)((REAL)-0.0);
    for (int64_t e = 0; e < rows; e += STN_LANES)
        of(add_row)(sums, (const code *)(codes + e * row_bytes), next, affine, y[e], pieces,
                    partial, plain);
}

/* Sums rows 0, 8, 16, ... below `rows`. */
STN_FN void of(sum_panel)(V *sums, const char *codes, int64_t row_bytes, fetched *next,
                          int64_t rows, const AFFINE *affine, const REAL *y, int pieces,
                          int64_t partial, int plain)
{
    V others[STN_COLUMN_REGISTERS], odd[STN_COLUMN_REGISTERS];
    of(sum_lane)(sums, codes, row_bytes, next, rows, affine, y, pieces, partial, plain);
    of(sum_lane)(others, codes + 16 * row_bytes, row_bytes, next, rows - 16, affine, y + 16, pieces,
                 partial, plain);
    of(add_block)(sums, others, pieces);
    of(sum_lane)(odd, codes + 8 * row_bytes, row_bytes, next, rows - 8, affine, y + 8, pieces,
                 partial, plain);
    of(sum_lane)(others, codes + 24 * row_bytes, row_bytes, next, rows - 24, affine, y + 24, pieces,
                 partial, plain);
    of(add_block)(odd, others, pieces);
    of(add_block)(sums, odd, pieces);
}

/* Folds the k-th panel in order, with the pending panels before it, of columns c, ... */
STN_FN void of(fold_block)(REAL *sums, REAL *waiting, int k, const char *codes, int64_t row_bytes,
                           fetched *next, int64_t rows, const AFFINE *affine, const REAL *y,
                           int pieces, int64_t partial, int plain)
{
    V block[STN_COLUMN_REGISTERS];
    _Alignas(64) REAL padded[V_PIECE];
    of(sum_panel)(block, codes, row_bytes, next, rows, affine, y, pieces, partial, plain);
    for (; k & 1; k >>= 1, waiting += STN_COLUMNS_WIDE)
        for (int p = 0; p < pieces; p++)
            of(add)(block + p * of(WIDE), of(v_load)(waiting + p * V_PIECE));
    REAL *const to = !sums ? waiting : partial > 0 ? padded : sums;
    for (int p = 0; p < pieces; p++)
        of(v_store)(to + p * V_PIECE, of(piece_of)(block + p * of(WIDE)));
    if (to == padded)
        memcpy(sums, padded, (size_t)partial * sizeof *sums);
}

/* An incomplete block. */
STN_REST void of(fold_few_columns)(REAL *sums, REAL *waiting, int k, const char *codes,
                                   int64_t row_bytes, fetched *next, int64_t rows,
                                   const AFFINE *affine, const REAL *y, int64_t columns, int plain)
{
    for (; columns >= V_PIECE; columns -= V_PIECE) {
        of(fold_block)(sums, waiting, k, codes, row_bytes, next, rows, affine, y, 1, 0, plain);
        sums = sums ? sums + V_PIECE : NULL;
        waiting += V_PIECE;
        codes += V_PIECE * sizeof(code);
    }
    if (columns > 0)
        of(fold_block)(sums, waiting, k, codes, row_bytes, next, rows, affine, y, 1, columns,
                       plain);
}

STN_FN void of(fold_columns)(REAL *sums, REAL *waiting, int k, const char *codes, int64_t row_bytes,
                             fetched *next, int64_t rows, const AFFINE *affine, const REAL *y,
                             int64_t columns, int plain)
{
    enum { SIDES = STN_COLUMN_REGISTERS / of(WIDE), BLOCK = SIDES * V_PIECE };
    int64_t c = 0;
    for (; c + BLOCK <= columns; c += BLOCK)
        of(fold_block)(sums ? sums + c : NULL, waiting + c, k, codes + c * (int64_t)sizeof(code),
                       row_bytes, next, rows, affine, y, SIDES, 0, plain);
    if (c < columns && plain != STN_BLOCK_SCALES)
        of(fold_few_columns)(sums ? sums + c : NULL, waiting + c, k,
                             codes + c * (int64_t)sizeof(code), row_bytes, next, rows, affine, y,
                             columns - c, plain);
}

STN_FN void of(columns_run)(REAL *sums, const char *codes, int64_t row_bytes, int64_t rows,
                            const AFFINE *affine, const REAL *y, int64_t columns, int plain)
{
    REAL waiting[STN_WAITING * STN_COLUMNS_WIDE];
    for (int64_t c = 0; c < columns; c += STN_COLUMNS_AT_ONCE) {
        const int64_t left = columns - c;
        const int64_t partial = left < STN_COLUMNS_AT_ONCE ? left : STN_COLUMNS_AT_ONCE;
        const char *const group = codes + c * (int64_t)sizeof(code);
        for (int k = 0; k < STN_PANELS; k++) {
            const int first = panel_order[k];
            fetched next = next_columns(k, group + partial * (int64_t)sizeof(code), row_bytes,
                                        left - partial < STN_COLUMNS_AT_ONCE ? left - partial
                                                                             : STN_COLUMNS_AT_ONCE);
            of(fold_columns)(k == STN_PANELS - 1 ? sums + c : NULL, waiting, k,
                             group + first * row_bytes, row_bytes, &next, rows - first, affine,
                             y + first, partial, plain);
        }
    }
}

static void of(columns)(void *sums, const void *codes, int64_t row_bytes, int64_t rows,
                        const stn_affine *affine, const void *y, int64_t columns)
{
    const AFFINE own = of(take_affine)(affine);
    STN_BY_PLAIN(affine->plain, of(columns_run), sums, codes, row_bytes, rows, &own, y, columns);
}

STN_OPTIONAL void of(block_columns)(void *sums, const void *codes, int64_t row_bytes, int64_t rows,
                                    const stn_affine *affine, const void *y, int64_t columns)
{
    const AFFINE own = of(take_affine)(affine);
    of(columns_run)(sums, codes, row_bytes, rows, &own, y, columns, STN_BLOCK_SCALES);
}

#undef T
#undef REAL
