/* Interleaving of the tiles of a scan: elements become rows, and rows become elements. */
#include "reduce/interleave.h"

#include "core/shuffle.h"
#include "core/versions.h"
#include "steno/scan.h"

#define INLINE static inline __attribute__((always_inline))

/* Transposes rows of 4 words of 8 bytes, or of 8 words of 4. */
typedef uint64_t words_8 __attribute__((vector_size(32), aligned(8), may_alias));
typedef uint32_t words_4 __attribute__((vector_size(32), aligned(4), may_alias));

INLINE void transpose_block_8(words_8 *row)
{
    words_8 low[2], high[2];
    for (int h = 0; h < 2; h++) { /* rows 0 and 1, 2 and 3 */
        low[h] = STN_SHUFFLE(row[2 * h], row[2 * h + 1], 0, 4, 2, 6);
        high[h] = STN_SHUFFLE(row[2 * h], row[2 * h + 1], 1, 5, 3, 7);
    }
    row[0] = STN_SHUFFLE(low[0], low[1], 0, 1, 4, 5);
    row[1] = STN_SHUFFLE(high[0], high[1], 0, 1, 4, 5);
    row[2] = STN_SHUFFLE(low[0], low[1], 2, 3, 6, 7);
    row[3] = STN_SHUFFLE(high[0], high[1], 2, 3, 6, 7);
}

INLINE void transpose_block_4(words_4 *row)
{
    words_4 low[4], high[4];
    for (int h = 0; h < 4; h++) { /* halves of rows 0 and 4, 1 and 5, 2 and 6, 3 and 7 */
        low[h] = STN_SHUFFLE(row[h], row[h + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        high[h] = STN_SHUFFLE(row[h], row[h + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (int h = 0; h < 2; h++) {
        words_4 *const half = h ? high : low, even[2], odd[2];
        for (int p = 0; p < 2; p++) { /* rows 0 and 2, 1 and 3 */
            even[p] = STN_SHUFFLE(half[p], half[p + 2], 0, 8, 1, 9, 4, 12, 5, 13);
            odd[p] = STN_SHUFFLE(half[p], half[p + 2], 2, 10, 3, 11, 6, 14, 7, 15);
        }
        row[4 * h] = STN_SHUFFLE(even[0], even[1], 0, 8, 1, 9, 4, 12, 5, 13);
        row[4 * h + 1] = STN_SHUFFLE(even[0], even[1], 2, 10, 3, 11, 6, 14, 7, 15);
        row[4 * h + 2] = STN_SHUFFLE(odd[0], odd[1], 0, 8, 1, 9, 4, 12, 5, 13);
        row[4 * h + 3] = STN_SHUFFLE(odd[0], odd[1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
}

/* Rows are `step` and `to_step` words apart; missing rows repeat the last one. */
#define DEFINE_TRANSPOSE(bytes, word, side)                                                        \
    INLINE void transpose_##bytes(word *to, int64_t to_step, int64_t to_last, const word *from,    \
                                  int64_t step, int64_t last, int64_t rows, int64_t columns)       \
    {                                                                                              \
        for (int64_t r = 0; r < rows; r += side)                                                   \
            for (int64_t c = 0; c < columns; c += side) {                                          \
                words_##bytes row[side];                                                           \
                for (int64_t s = 0; s < side; s++)                                                 \
                    row[s] =                                                                       \
                        *(const words_##bytes *)(from + (r + s < last ? r + s : last) * step + c); \
                transpose_block_##bytes(row);                                                      \
                for (int64_t s = 0; s < side; s++)                                                 \
                    *(words_##bytes *)(to + (c + s < to_last ? c + s : to_last) * to_step + r) =   \
                        row[s];                                                                    \
            }                                                                                      \
    }                                                                                              \
    STN_VERSIONS static void interleave_##bytes(word *rows, const word *values, int64_t last)      \
    {                                                                                              \
        transpose_##bytes(rows, STN_SCAN_COLUMNS, STN_INTERLEAVED, values, STN_TILE_ELEMENTS,      \
                          last, STN_SCAN_COLUMNS, STN_INTERLEAVED);                                \
    }                                                                                              \
    STN_VERSIONS static void deinterleave_##bytes(word *values, const word *rows, int64_t last)    \
    {                                                                                              \
        transpose_##bytes(values, STN_TILE_ELEMENTS, last, rows, STN_SCAN_COLUMNS,                 \
                          STN_INTERLEAVED, STN_INTERLEAVED, STN_SCAN_COLUMNS);                     \
    }
DEFINE_TRANSPOSE(8, uint64_t, 4)
DEFINE_TRANSPOSE(4, uint32_t, 8)

void stn_interleave(void *rows, const void *values, int64_t tiles, int64_t bytes)
{
    if (bytes == 8)
        interleave_8(rows, values, tiles - 1);
    else
        interleave_4(rows, values, tiles - 1);
}

void stn_deinterleave(void *values, const void *rows, int64_t tiles, int64_t bytes)
{
    if (bytes == 8)
        deinterleave_8(values, rows, tiles - 1);
    else
        deinterleave_4(values, rows, tiles - 1);
}
