/* Parsing of command line arguments: numbers, lists, options. */
#ifndef STENO_CLI_PARSE_H
#define STENO_CLI_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* Upper bound of sizes: arrays of 8 bytes each stay far within the address space. */
#define MAX_SIZE ((int64_t)1 << 50)

/* An integer from 1 to `maximum`, such as 1000, 1e7 or 64M (K, M, G: 2^10, 2^20, 2^30); `what` is
 * its name in messages. */
stn_status parse_count(const char *what, const char *text, int64_t maximum, int64_t *count);

/* A number of elements, or ROWSxCOLUMNS, whose product is the number. Without an x, rows and
 * columns are 0. */
stn_status parse_size(const char *text, int64_t *count, int64_t *rows, int64_t *columns);

/* Calls `take` for each word of a comma-separated list; empty words are errors. */
stn_status parse_list(const char *what, const char *text,
                      stn_status (*take)(const char *word, void *context), void *context);

#endif
