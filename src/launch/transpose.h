/* Transposing blocks of words: what rows have becomes columns. */
#ifndef STENO_LAUNCH_TRANSPOSE_H
#define STENO_LAUNCH_TRANSPOSE_H

#include <stdint.h>
#include <string.h>

typedef uint64_t stn_word_pair __attribute__((vector_size(16), aligned(8), may_alias));

/* to[c][r] = from[r][c] for words of 8 bytes; rows of `from` are `step` words apart, to's are
 * `rows`. */
static inline void stn_transpose_8(char *to, const char *from, int64_t step, int64_t rows,
                                   int64_t columns)
{
    enum { BYTES = 8 };
    int64_t r = 0;
    for (; r + 2 <= rows; r += 2) {
        const char *row = from + r * step * BYTES;
        int64_t c = 0;
        for (; c + 2 <= columns; c += 2) {
            const stn_word_pair a = *(const stn_word_pair *)(const void *)(row + c * BYTES);
            const stn_word_pair b =
                *(const stn_word_pair *)(const void *)(row + (step + c) * BYTES);
            char *out = to + (c * rows + r) * BYTES;
            *(stn_word_pair *)(void *)out = (stn_word_pair){a[0], b[0]};
            *(stn_word_pair *)(void *)(out + rows * BYTES) = (stn_word_pair){a[1], b[1]};
        }
        if (c < columns) {
            memcpy(to + (c * rows + r) * BYTES, row + c * BYTES, BYTES);
            memcpy(to + (c * rows + r + 1) * BYTES, row + (step + c) * BYTES, BYTES);
        }
    }
    for (int64_t c = 0; r < rows && c < columns; c++)
        memcpy(to + (c * rows + r) * BYTES, from + (r * step + c) * BYTES, BYTES);
}

static inline void stn_transpose_4(char *to, const char *from, int64_t step, int64_t rows,
                                   int64_t columns)
{
    enum { BYTES = 4 };
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            memcpy(to + (c * rows + r) * BYTES, from + (r * step + c) * BYTES, BYTES);
}

/* Words of 8 or 4 bytes. */
static inline void stn_transpose_words(char *to, const char *from, int64_t step, int64_t rows,
                                       int64_t columns, int64_t bytes)
{
    (bytes == 8 ? stn_transpose_8 : stn_transpose_4)(to, from, step, rows, columns);
}

#endif
