/* Which elements of an output a kernel has assigned: those that no longer hold what they held
 * before. */
#ifndef STENO_LAUNCH_MASK_H
#define STENO_LAUNCH_MASK_H

#include "format/codec.h"

/* Let values hold what no kernel calculates. */
void stn_mask_fill(stn_format arithmetic, void *values, int64_t count);

/* changed[k] = 1 where values[k] has other bits than before[k], or before[0] with `repeats`, else
 * 0, for values of `bytes` bytes: 4, 8 or 16. How many have changed; where that is all, `changed`
 * is left alone. */
int64_t stn_mask_mark(uint8_t *changed, const void *values, const void *before, int repeats,
                      int64_t bytes, int64_t count);

#endif
