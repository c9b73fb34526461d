/* Which elements of an output are stored. */
#ifndef STENO_LAUNCH_MASK_H
#define STENO_LAUNCH_MASK_H

#include "format/codec.h"

/* Of an element of a mask, which is 0 or has all bits set: as wide as a real of the arithmetic. */
static inline int64_t stn_mask_bytes(stn_format arithmetic)
{
    return arithmetic == STN_F32 || arithmetic == STN_C64 ? 4 : 8;
}

/* The first elements from k on that are to be stored: how many, and *begin which; 0 at the end. */
int64_t stn_mask_next(const void *mask, int64_t bytes, int64_t k, int64_t count, int64_t *begin);

/* mask[k] becomes all bits where values[k] is another value than before[k], else 0. Zeros of other
 * signs are, any two NaN are not. */
void stn_mask_mark(stn_format arithmetic, void *mask, const void *values, const void *before,
                   int64_t count);

/* Is one of these reals, of 4 or 8 bytes, infinite or NaN? */
int stn_mask_finds_odd(const void *values, int64_t bytes, int64_t count);

/* values[k] to to[k] where the mask is set, for values of 4 or 8 bytes. */
void stn_mask_store(void *to, const void *values, const void *mask, int64_t bytes, int64_t count);

#endif
