/* Tiles that a scan goes through side by side: their elements become rows, and rows elements again.
 */
#include "reduce/interleave.h"

#include <string.h>

#include "core/cpu.h"
#include "core/shuffle.h"
#include "steno/scan.h"

enum {
    TILE = STN_TILE_ELEMENTS,
    COLUMNS = STN_SCAN_COLUMNS,
    ROWS = STN_INTERLEAVED,
    HALF = 16 /* bytes of half an eight_halves */
};

typedef uint64_t two_words __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint64_t four_words __attribute__((vector_size(32), aligned(8), may_alias));
typedef uint32_t four_halves __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint32_t eight_halves __attribute__((vector_size(32), aligned(4), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* What a loop goes on by in elements: along a tile, and from one tile to the next. */
INLINE int64_t tile_at(int64_t tile, int64_t tiles)
{
    return (tile < tiles ? tile : tiles - 1) * TILE;
}

/* ---- words: squares of two, and of four ---- */

INLINE void transpose_2(uint64_t *const *to, const uint64_t *const *from)
{
    const two_words a = *(const two_words *)from[0], b = *(const two_words *)from[1];
    *(two_words *)to[0] = STN_SHUFFLE(a, b, 0, 2);
    *(two_words *)to[1] = STN_SHUFFLE(a, b, 1, 3);
}

INLINE void transpose_4(uint64_t *const *to, const uint64_t *const *from)
{
    four_words row[4], low[2], high[2];
    for (int r = 0; r < 4; r++)
        row[r] = *(const four_words *)from[r];
    for (int h = 0; h < 2; h++) { /* rows 0 and 1, 2 and 3 */
        low[h] = STN_SHUFFLE(row[2 * h], row[2 * h + 1], 0, 4, 2, 6);
        high[h] = STN_SHUFFLE(row[2 * h], row[2 * h + 1], 1, 5, 3, 7);
    }
    *(four_words *)to[0] = STN_SHUFFLE(low[0], low[1], 0, 1, 4, 5);
    *(four_words *)to[1] = STN_SHUFFLE(high[0], high[1], 0, 1, 4, 5);
    *(four_words *)to[2] = STN_SHUFFLE(low[0], low[1], 2, 3, 6, 7);
    *(four_words *)to[3] = STN_SHUFFLE(high[0], high[1], 2, 3, 6, 7);
}

INLINE void interleave_words(uint64_t *rows, const uint64_t *values, int64_t tiles, const int side)
{
    for (int64_t k = 0; k < ROWS; k += side)
        for (int64_t t = 0; t < COLUMNS; t += side) {
            const uint64_t *from[4];
            uint64_t *to[4];
            for (int64_t s = 0; s < side; s++) {
                from[s] = values + tile_at(t + s, tiles) + k;
                to[s] = rows + (k + s) * COLUMNS + t;
            }
            (side == 4 ? transpose_4 : transpose_2)(to, from);
        }
}

INLINE void deinterleave_words(uint64_t *values, const uint64_t *rows, int64_t tiles,
                               const int side)
{
    for (int64_t k = 0; k < ROWS; k += side)
        for (int64_t t = 0; t < COLUMNS; t += side) {
            const uint64_t *from[4];
            uint64_t *to[4];
            for (int64_t s = 0; s < side; s++) {
                from[s] = rows + (k + s) * COLUMNS + t;
                to[s] = values + tile_at(t + s, tiles) + k;
            }
            (side == 4 ? transpose_4 : transpose_2)(to, from);
        }
}

/* ---- half words: squares of four; a wide one is two, of tiles that are four apart ---- */

INLINE void transpose_halves(uint32_t *const *to, const uint32_t *const *from)
{
    four_halves row[4], low[2], high[2];
    for (int r = 0; r < 4; r++)
        row[r] = *(const four_halves *)from[r];
    for (int h = 0; h < 2; h++) { /* rows 0 and 2, 1 and 3 */
        low[h] = STN_SHUFFLE(row[h], row[h + 2], 0, 4, 1, 5);
        high[h] = STN_SHUFFLE(row[h], row[h + 2], 2, 6, 3, 7);
    }
    *(four_halves *)to[0] = STN_SHUFFLE(low[0], low[1], 0, 4, 1, 5);
    *(four_halves *)to[1] = STN_SHUFFLE(low[0], low[1], 2, 6, 3, 7);
    *(four_halves *)to[2] = STN_SHUFFLE(high[0], high[1], 0, 4, 1, 5);
    *(four_halves *)to[3] = STN_SHUFFLE(high[0], high[1], 2, 6, 3, 7);
}

/* Rows become columns in both halves. */
INLINE void transpose_both(eight_halves *row)
{
    eight_halves low[2], high[2];
    for (int h = 0; h < 2; h++) { /* rows 0 and 2, 1 and 3 */
        low[h] = STN_SHUFFLE(row[h], row[h + 2], 0, 8, 1, 9, 4, 12, 5, 13);
        high[h] = STN_SHUFFLE(row[h], row[h + 2], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    row[0] = STN_SHUFFLE(low[0], low[1], 0, 8, 1, 9, 4, 12, 5, 13);
    row[1] = STN_SHUFFLE(low[0], low[1], 2, 10, 3, 11, 6, 14, 7, 15);
    row[2] = STN_SHUFFLE(high[0], high[1], 0, 8, 1, 9, 4, 12, 5, 13);
    row[3] = STN_SHUFFLE(high[0], high[1], 2, 10, 3, 11, 6, 14, 7, 15);
}

INLINE void interleave_wide_halves(uint32_t *rows, const uint32_t *values, int64_t tiles)
{
    for (int64_t k = 0; k < ROWS; k += 4) {
        eight_halves row[4];
        for (int64_t r = 0; r < 4; r++) {
            const four_halves low = *(const four_halves *)(values + tile_at(r, tiles) + k);
            const four_halves high = *(const four_halves *)(values + tile_at(r + 4, tiles) + k);
            row[r] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
        }
        transpose_both(row);
        for (int64_t r = 0; r < 4; r++)
            *(eight_halves *)(rows + (k + r) * COLUMNS) = row[r];
    }
}

INLINE void deinterleave_wide_halves(uint32_t *values, const uint32_t *rows, int64_t tiles)
{
    for (int64_t k = 0; k < ROWS; k += 4) {
        eight_halves row[4];
        for (int64_t r = 0; r < 4; r++)
            row[r] = *(const eight_halves *)(rows + (k + r) * COLUMNS);
        transpose_both(row);
        for (int64_t r = 0; r < 4; r++) {
            memcpy(values + tile_at(r, tiles) + k, &row[r], HALF);
            memcpy(values + tile_at(r + 4, tiles) + k, (const char *)&row[r] + HALF, HALF);
        }
    }
}

INLINE void interleave_halves(uint32_t *rows, const uint32_t *values, int64_t tiles)
{
    for (int64_t t = 0; t < COLUMNS; t += 4)
        for (int64_t k = 0; k < ROWS; k += 4) {
            const uint32_t *from[4];
            uint32_t *to[4];
            for (int64_t s = 0; s < 4; s++) {
                from[s] = values + tile_at(t + s, tiles) + k;
                to[s] = rows + (k + s) * COLUMNS + t;
            }
            transpose_halves(to, from);
        }
}

INLINE void deinterleave_halves(uint32_t *values, const uint32_t *rows, int64_t tiles)
{
    for (int64_t t = 0; t < COLUMNS; t += 4)
        for (int64_t k = 0; k < ROWS; k += 4) {
            const uint32_t *from[4];
            uint32_t *to[4];
            for (int64_t s = 0; s < 4; s++) {
                from[s] = rows + (k + s) * COLUMNS + t;
                to[s] = values + tile_at(t + s, tiles) + k;
            }
            transpose_halves(to, from);
        }
}

/* ---- by instruction set ---- */

#ifdef STN_HAVE_ISA_AVX2
#    define WIDE __attribute__((target("avx2")))

WIDE static void interleave_wide(void *rows, const void *values, int64_t tiles, int64_t bytes)
{
    if (bytes == 8)
        interleave_words(rows, values, tiles, 4);
    else
        interleave_wide_halves(rows, values, tiles);
}

WIDE static void deinterleave_wide(void *values, const void *rows, int64_t tiles, int64_t bytes)
{
    if (bytes == 8)
        deinterleave_words(values, rows, tiles, 4);
    else
        deinterleave_wide_halves(values, rows, tiles);
}
#endif

void stn_interleave(void *rows, const void *values, int64_t tiles, int64_t bytes)
{
#ifdef STN_HAVE_ISA_AVX2
    if (stn_isa_chosen() >= STN_ISA_AVX2) {
        interleave_wide(rows, values, tiles, bytes);
        return;
    }
#endif
    if (bytes == 8)
        interleave_words(rows, values, tiles, 2);
    else
        interleave_halves(rows, values, tiles);
}

void stn_deinterleave(void *values, const void *rows, int64_t tiles, int64_t bytes)
{
#ifdef STN_HAVE_ISA_AVX2
    if (stn_isa_chosen() >= STN_ISA_AVX2) {
        deinterleave_wide(values, rows, tiles, bytes);
        return;
    }
#endif
    if (bytes == 8)
        deinterleave_words(values, rows, tiles, 2);
    else
        deinterleave_halves(values, rows, tiles);
}
