/* Transposition of blocks of words for the instruction set in use. */
#include "map/transpose.h"

#include <string.h>

#include "core/shuffle.h"
#include "core/versions.h"

/* to[c][r] = from[r][c] for words of one size, four by four in vectors; rows are step and to_step
 * words apart. Processes `batch` columns at a time, measured on 64 x 64 words. */
#define DEFINE_TRANSPOSE(bytes, word, batch)                                                       \
    typedef word words_##bytes                                                                     \
        __attribute__((vector_size(4 * (bytes)), aligned(bytes), may_alias));                      \
    static inline __attribute__((always_inline)) void transpose_4x4_##bytes(                       \
        char *to, int64_t to_step, const char *from, int64_t step)                                 \
    {                                                                                              \
        words_##bytes row[4], low[2], high[2];                                                     \
        for (int r = 0; r < 4; r++)                                                                \
            row[r] = *(const words_##bytes *)(const void *)(from + r * step * (bytes));            \
        for (int h = 0; h < 2; h++) { /* rows 0 and 1, 2 and 3 */                                  \
            low[h] = STN_SHUFFLE(row[2 * h], row[2 * h + 1], 0, 4, 2, 6);                          \
            high[h] = STN_SHUFFLE(row[2 * h], row[2 * h + 1], 1, 5, 3, 7);                         \
        }                                                                                          \
        *(words_##bytes *)(void *)to = STN_SHUFFLE(low[0], low[1], 0, 1, 4, 5);                    \
        *(words_##bytes *)(void *)(to + to_step * (bytes)) =                                       \
            STN_SHUFFLE(high[0], high[1], 0, 1, 4, 5);                                             \
        *(words_##bytes *)(void *)(to + 2 * to_step * (bytes)) =                                   \
            STN_SHUFFLE(low[0], low[1], 2, 3, 6, 7);                                               \
        *(words_##bytes *)(void *)(to + 3 * to_step * (bytes)) =                                   \
            STN_SHUFFLE(high[0], high[1], 2, 3, 6, 7);                                             \
    }                                                                                              \
    STN_VERSIONS static void transpose_##bytes(char *to, int64_t to_step, const char *from,        \
                                               int64_t step, int64_t rows, int64_t columns)        \
    {                                                                                              \
        const int64_t whole_rows = rows & -4, whole_columns = columns & -4;                        \
        for (int64_t some = 0; some < whole_columns; some += (batch))                              \
            for (int64_t r = 0; r < whole_rows; r += 4)                                            \
                for (int64_t c = some; c < whole_columns && c < some + (batch); c += 4)            \
                    transpose_4x4_##bytes(to + (c * to_step + r) * (bytes), to_step,               \
                                          from + (r * step + c) * (bytes), step);                  \
        for (int64_t r = whole_columns < columns ? 0 : whole_rows; r < rows; r++)                  \
            for (int64_t c = r < whole_rows ? whole_columns : 0; c < columns; c++)                 \
                memcpy(to + (c * to_step + r) * (bytes), from + (r * step + c) * (bytes), bytes);  \
    }
DEFINE_TRANSPOSE(8, uint64_t, 64)
DEFINE_TRANSPOSE(4, uint32_t, 16)
DEFINE_TRANSPOSE(2, uint16_t, 16)

#define DEFINE_PLAIN_TRANSPOSE(bytes)                                                              \
    static void transpose_##bytes(char *to, int64_t to_step, const char *from, int64_t step,       \
                                  int64_t rows, int64_t columns)                                   \
    {                                                                                              \
        for (int64_t r = 0; r < rows; r++)                                                         \
            for (int64_t c = 0; c < columns; c++)                                                  \
                memcpy(to + (c * to_step + r) * (bytes), from + (r * step + c) * (bytes), bytes);  \
    }
DEFINE_PLAIN_TRANSPOSE(16)
DEFINE_PLAIN_TRANSPOSE(1)

void stn_transpose_words(char *to, int64_t to_step, const char *from, int64_t step, int64_t rows,
                         int64_t columns, int64_t bytes)
{
    (bytes == 16  ? transpose_16
     : bytes == 8 ? transpose_8
     : bytes == 4 ? transpose_4
     : bytes == 2 ? transpose_2
                  : transpose_1)(to, to_step, from, step, rows, columns);
}
