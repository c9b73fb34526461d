/* Transposition of blocks of words for the instruction set in use. */
#include "core/transpose.h"

#include <string.h>

#include "core/shuffle.h"
#include "core/versions.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- word by word ---- */

/* `bytes` is a constant in each call. */
INLINE void transpose_words(char *restrict to, int64_t to_step, const char *restrict from,
                            int64_t step, int64_t rows, int64_t columns, int64_t bytes)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            memcpy(to + (c * to_step + r) * bytes, from + (r * step + c) * bytes, (size_t)bytes);
}

#define DEFINE_WORDS(bytes)                                                                        \
    static void transpose_##bytes(char *restrict to, int64_t to_step, const char *restrict from,   \
                                  int64_t step, int64_t rows, int64_t columns)                     \
    {                                                                                              \
        transpose_words(to, to_step, from, step, rows, columns, bytes);                            \
    }
DEFINE_WORDS(1)
DEFINE_WORDS(2)
DEFINE_WORDS(4)
DEFINE_WORDS(8)
DEFINE_WORDS(16)

/* ---- squares in registers ---- */

typedef uint8_t words_1x16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint16_t words_2x4 __attribute__((vector_size(8), aligned(1), may_alias));
typedef uint16_t words_2x8 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint32_t words_4x4 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint32_t words_4x8 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint64_t words_8x4 __attribute__((vector_size(32), aligned(1), may_alias));

/* Interleaving the upper half of the rows with the lower one rotates the bits of (row, column) by
 * one position. Repeated once per bit of a row index, it exchanges rows and columns. */
INLINE void turn_1x16(words_1x16 *row)
{
    for (int round = 0; round < 4; round++) {
        words_1x16 next[16];
        for (int k = 0; k < 8; k++) {
            next[2 * k] = STN_SHUFFLE(row[k], row[k + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21,
                                      6, 22, 7, 23);
            next[2 * k + 1] = STN_SHUFFLE(row[k], row[k + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                          13, 29, 14, 30, 15, 31);
        }
        memcpy(row, next, sizeof next);
    }
}

INLINE void turn_2x8(words_2x8 *row)
{
    for (int round = 0; round < 3; round++) {
        words_2x8 next[8];
        for (int k = 0; k < 4; k++) {
            next[2 * k] = STN_SHUFFLE(row[k], row[k + 4], 0, 8, 1, 9, 2, 10, 3, 11);
            next[2 * k + 1] = STN_SHUFFLE(row[k], row[k + 4], 4, 12, 5, 13, 6, 14, 7, 15);
        }
        memcpy(row, next, sizeof next);
    }
}

/* With registers of 32 bytes, most shuffles stay within halves of 16 bytes. */
INLINE void turn_4x8(words_4x8 *row)
{
    words_4x8 low[4], high[4];
    for (int h = 0; h < 4; h++) { /* halves of rows 0 and 4, 1 and 5, 2 and 6, 3 and 7 */
        low[h] = STN_SHUFFLE(row[h], row[h + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        high[h] = STN_SHUFFLE(row[h], row[h + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (int h = 0; h < 2; h++) {
        words_4x8 *const half = h ? high : low, even[2], odd[2];
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

/* Rows 0 and 1, and rows 2 and 3, become columns of two. */
#define DEFINE_TURN(words, turn)                                                                   \
    INLINE void turn(words *row)                                                                   \
    {                                                                                              \
        words low[2], high[2];                                                                     \
        for (int h = 0; h < 2; h++) {                                                              \
            low[h] = STN_SHUFFLE(row[2 * h], row[2 * h + 1], 0, 4, 2, 6);                          \
            high[h] = STN_SHUFFLE(row[2 * h], row[2 * h + 1], 1, 5, 3, 7);                         \
        }                                                                                          \
        row[0] = STN_SHUFFLE(low[0], low[1], 0, 1, 4, 5);                                          \
        row[1] = STN_SHUFFLE(high[0], high[1], 0, 1, 4, 5);                                        \
        row[2] = STN_SHUFFLE(low[0], low[1], 2, 3, 6, 7);                                          \
        row[3] = STN_SHUFFLE(high[0], high[1], 2, 3, 6, 7);                                        \
    }
DEFINE_TURN(words_2x4, turn_2x4)
DEFINE_TURN(words_4x4, turn_4x4)
DEFINE_TURN(words_8x4, turn_8x4)

/* ---- blocks of squares ---- */

#define WORDS   1x16
#define COLUMNS 16
#define NARROW  transpose_1
#include "core/transpose_block.h"

#define WORDS   2x4
#define COLUMNS 16
#define NARROW  transpose_2
#include "core/transpose_block.h"

#define WORDS   2x8
#define COLUMNS (to_step % 128 ? columns : 16) /* few cache sets for distant rows */
#define NARROW  transpose_2x4
#include "core/transpose_block.h"

#define WORDS   4x4
#define COLUMNS 16
#define NARROW  transpose_4
#include "core/transpose_block.h"

#define WORDS   4x8
#define COLUMNS 16
#define NARROW  transpose_4x4
#include "core/transpose_block.h"

#define WORDS   8x4
#define COLUMNS 64
#define NARROW  transpose_8
#include "core/transpose_block.h"

void stn_transpose_words(char *to, int64_t to_step, const char *from, int64_t step, int64_t rows,
                         int64_t columns, int64_t bytes)
{
    (bytes == 16  ? transpose_16
     : bytes == 8 ? transpose_8x4
     : bytes == 4 ? transpose_4x8
     : bytes == 2 ? transpose_2x8
                  : transpose_1x16)(to, to_step, from, step, rows, columns);
}
