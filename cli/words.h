/* Words of the command line: numbers, lists, options. */
#ifndef STENO_CLI_WORDS_H
#define STENO_CLI_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* Sizes end here: arrays of 8 bytes each stay within the address space by far. */
#define MOST_SIZE ((int64_t)1 << 50)

/* A whole number from 1 to `most`, such as 1000, 1e7 or 64M (K, M, G: 2^10, 2^20, 2^30); `what`
 * names it in the sentence of a failure. */
stn_status parse_count(const char *what, const char *text, int64_t most, int64_t *count);

/* A number of elements, or ROWSxCOLUMNS, whose product is then the number. Without an x, rows and
 * columns are 0. */
stn_status parse_size(const char *text, int64_t *count, int64_t *rows, int64_t *columns);

/* Call `take` with every word of a list that commas separate; empty words are failures. */
stn_status parse_list(const char *what, const char *text,
                      stn_status (*take)(const char *word, void *context), void *context);

#endif
