/* Interleaved tiles: row k has the elements k of STN_SCAN_COLUMNS consecutive
 * tiles. */
#ifndef STENO_REDUCE_INTERLEAVE_H
#define STENO_REDUCE_INTERLEAVE_H

#include <stdint.h>

enum { STN_INTERLEAVED = 32 }; /* rows at a time */

/* Missing tiles are replaced by the last one. Elements have 4 or 8
 * bytes. */
void stn_interleave(void *rows, const void *values, int64_t tiles, int64_t bytes);
void stn_deinterleave(void *values, const void *rows, int64_t tiles, int64_t bytes);

#endif
