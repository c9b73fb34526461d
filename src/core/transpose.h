/* Transposition of blocks of words. */
#ifndef STENO_CORE_TRANSPOSE_H
#define STENO_CORE_TRANSPOSE_H

#include <stdint.h>

/* to[c][r] = from[r][c] for words of 16, 8, 4, 2 or 1 bytes. Rows are to_step and step words apart,
 * and words may have any alignment. */
void stn_transpose_words(char *to, int64_t to_step, const char *from, int64_t step, int64_t rows,
                         int64_t columns, int64_t bytes);

#endif
