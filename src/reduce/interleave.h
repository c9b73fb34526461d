/* Tiles side by side: row k has the elements k of STN_SCAN_COLUMNS tiles, which follow each other.
 */
#ifndef STENO_REDUCE_INTERLEAVE_H
#define STENO_REDUCE_INTERLEAVE_H

#include <stdint.h>

enum { STN_INTERLEAVED = 32 }; /* rows at a time */

/* Of fewer tiles, the last one stands in for those that there are not. Elements have 4 or 8 bytes.
 */
void stn_interleave(void *rows, const void *values, int64_t tiles, int64_t bytes);
void stn_deinterleave(void *values, const void *rows, int64_t tiles, int64_t bytes);

#endif
