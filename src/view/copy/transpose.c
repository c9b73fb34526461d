/* Transposing blocks of codes in registers of 16 bytes. */
#include <string.h>

#include "core/shuffle.h"
#include "view/copy/block.h"

/* Element by element: remainders of blocks, and other widths. */
#define ELEMENTS(bytes)                                                                            \
    static void elements_##bytes(char *restrict to, int64_t to_step, const char *restrict from,    \
                                 int64_t from_step, int64_t rows, int64_t columns)                 \
    {                                                                                              \
        for (int64_t r = 0; r < rows; r++)                                                         \
            for (int64_t c = 0; c < columns; c++)                                                  \
                memcpy(to + c * to_step + r * (bytes), from + r * from_step + c * (bytes), bytes); \
    }

ELEMENTS(1)
ELEMENTS(2)
ELEMENTS(4)
ELEMENTS(8)
ELEMENTS(16)

typedef uint8_t bytes_1 __attribute__((vector_size(16)));
typedef uint16_t bytes_2 __attribute__((vector_size(16)));
typedef uint32_t bytes_4 __attribute__((vector_size(16)));
typedef uint64_t bytes_8 __attribute__((vector_size(16)));

/* clang-format off */
#define LOW_1(a, b)  STN_SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_1(a, b) STN_SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW_2(a, b)  STN_SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_2(a, b) STN_SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_4(a, b)  STN_SHUFFLE(a, b, 0, 4, 1, 5)
#define HIGH_4(a, b) STN_SHUFFLE(a, b, 2, 6, 3, 7)
#define LOW_8(a, b)  STN_SHUFFLE(a, b, 0, 2)
#define HIGH_8(a, b) STN_SHUFFLE(a, b, 1, 3)
/* clang-format on */

/* Interleaving the upper half of the rows with the lower one rotates the bits of (row, column) by
 * one position. Repeated once per bit of a row index, it exchanges rows and columns. */
#define BLOCKS(bytes, lanes)                                                                       \
    static inline void transpose_##bytes(bytes_##bytes *restrict to,                               \
                                         const bytes_##bytes *restrict from)                       \
    {                                                                                              \
        for (int k = 0; k < (lanes) / 2; k++) {                                                    \
            to[2 * k] = LOW_##bytes(from[k], from[k + (lanes) / 2]);                               \
            to[2 * k + 1] = HIGH_##bytes(from[k], from[k + (lanes) / 2]);                          \
        }                                                                                          \
    }                                                                                              \
    static inline void block_##bytes(char *restrict to, int64_t to_step,                           \
                                     const char *restrict from, int64_t from_step)                 \
    {                                                                                              \
        bytes_##bytes a[lanes], b[lanes];                                                          \
        for (int k = 0; k < (lanes); k++)                                                          \
            memcpy(&a[k], from + k * from_step, sizeof a[k]);                                      \
        transpose_##bytes(b, a);                                                                   \
        if ((lanes) > 2) {                                                                         \
            transpose_##bytes(a, b);                                                               \
            if ((lanes) > 4) {                                                                     \
                transpose_##bytes(b, a);                                                           \
                if ((lanes) > 8)                                                                   \
                    transpose_##bytes(a, b);                                                       \
            }                                                                                      \
        }                                                                                          \
        const bytes_##bytes *stored = (lanes) == 4 || (lanes) == 16 ? a : b;                       \
        for (int k = 0; k < (lanes); k++)                                                          \
            memcpy(to + k * to_step, &stored[k], sizeof stored[k]);                                \
    }                                                                                              \
    static void blocks_##bytes(char *restrict to, int64_t to_step, const char *restrict from,      \
                               int64_t from_step, int64_t rows, int64_t columns)                   \
    {                                                                                              \
        const int64_t whole_rows = rows / (lanes) * (lanes);                                       \
        const int64_t whole_columns = columns / (lanes) * (lanes);                                 \
        for (int64_t r = 0; r < whole_rows; r += (lanes))                                          \
            for (int64_t c = 0; c < whole_columns; c += (lanes))                                   \
                block_##bytes(to + c * to_step + r * (bytes), to_step,                             \
                              from + r * from_step + c * (bytes), from_step);                      \
        elements_##bytes(to + whole_columns * to_step, to_step, from + whole_columns * (bytes),    \
                         from_step, whole_rows, columns - whole_columns);                          \
        elements_##bytes(to + whole_rows * (bytes), to_step, from + whole_rows * from_step,        \
                         from_step, rows - whole_rows, columns);                                   \
    }

BLOCKS(1, 16)
BLOCKS(2, 8)
BLOCKS(4, 4)
BLOCKS(8, 2)

void stn_transpose(int64_t bytes, char *restrict to, int64_t to_step, const char *restrict from,
                   int64_t from_step, int64_t rows, int64_t columns)
{
    if (bytes == 1)
        blocks_1(to, to_step, from, from_step, rows, columns);
    else if (bytes == 2)
        blocks_2(to, to_step, from, from_step, rows, columns);
    else if (bytes == 4)
        blocks_4(to, to_step, from, from_step, rows, columns);
    else if (bytes == 16)
        elements_16(to, to_step, from, from_step, rows, columns);
    else
        blocks_8(to, to_step, from, from_step, rows, columns);
}
