/* Transposing blocks of words, on the instruction set at hand. */
#include "map/transpose.h"

#include <string.h>

#include "core/mix.h"
#include "core/versions.h"

typedef uint64_t four_words __attribute__((vector_size(32), aligned(8), may_alias));

static inline __attribute__((always_inline)) void transpose_4x4(char *to, int64_t to_step,
                                                                const char *from, int64_t step)
{
    enum { BYTES = 8 };
    four_words row[4], low[2], high[2];
    for (int r = 0; r < 4; r++)
        row[r] = *(const four_words *)(const void *)(from + r * step * BYTES);
    for (int h = 0; h < 2; h++) { /* rows 0 and 1, 2 and 3 */
        low[h] = STN_MIX(row[2 * h], row[2 * h + 1], 0, 4, 2, 6);
        high[h] = STN_MIX(row[2 * h], row[2 * h + 1], 1, 5, 3, 7);
    }
    *(four_words *)(void *)to = STN_MIX(low[0], low[1], 0, 1, 4, 5);
    *(four_words *)(void *)(to + to_step * BYTES) = STN_MIX(high[0], high[1], 0, 1, 4, 5);
    *(four_words *)(void *)(to + 2 * to_step * BYTES) = STN_MIX(low[0], low[1], 2, 3, 6, 7);
    *(four_words *)(void *)(to + 3 * to_step * BYTES) = STN_MIX(high[0], high[1], 2, 3, 6, 7);
}

/* to[c][r] = from[r][c] for words of 8 bytes; rows are step and to_step words apart. */
STN_VERSIONS static void transpose_8(char *to, int64_t to_step, const char *from, int64_t step,
                                     int64_t rows, int64_t columns)
{
    enum { BYTES = 8 };
    const int64_t whole_rows = rows & -4, whole_columns = columns & -4;
    for (int64_t r = 0; r < whole_rows; r += 4)
        for (int64_t c = 0; c < whole_columns; c += 4)
            transpose_4x4(to + (c * to_step + r) * BYTES, to_step, from + (r * step + c) * BYTES,
                          step);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = r < whole_rows ? whole_columns : 0; c < columns; c++)
            memcpy(to + (c * to_step + r) * BYTES, from + (r * step + c) * BYTES, BYTES);
}

static void transpose_4(char *to, int64_t to_step, const char *from, int64_t step, int64_t rows,
                        int64_t columns)
{
    enum { BYTES = 4 };
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            memcpy(to + (c * to_step + r) * BYTES, from + (r * step + c) * BYTES, BYTES);
}

static void transpose_16(char *to, int64_t to_step, const char *from, int64_t step, int64_t rows,
                         int64_t columns)
{
    enum { BYTES = 16 };
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            memcpy(to + (c * to_step + r) * BYTES, from + (r * step + c) * BYTES, BYTES);
}

void stn_transpose_words(char *to, int64_t to_step, const char *from, int64_t step, int64_t rows,
                         int64_t columns, int64_t bytes)
{
    (bytes == 16  ? transpose_16
     : bytes == 8 ? transpose_8
                  : transpose_4)(to, to_step, from, step, rows, columns);
}
