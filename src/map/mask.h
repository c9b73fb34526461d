/* Masks of the elements of an output that are stored. */
#ifndef STENO_LAUNCH_MASK_H
#define STENO_LAUNCH_MASK_H

#include "format/codec.h"

/* Size of a mask element, which is 0 or has all bits set: the size of a real of the arithmetic. */
static inline int64_t stn_mask_bytes(stn_format arithmetic)
{
    return arithmetic == STN_F32 || arithmetic == STN_C64 ? 4 : 8;
}

/* The first run of elements to be stored from k on: its length, and *begin; 0 at the end. */
int64_t stn_mask_next(const void *mask, int64_t bytes, int64_t k, int64_t count, int64_t *begin);

/* Which elements are to be stored? */
typedef enum stn_mask_kind { STN_MASK_NONE, STN_MASK_SOME, STN_MASK_ALL } stn_mask_kind;
stn_mask_kind stn_mask_kind_of(const void *mask, int64_t bytes, int64_t count);

/* to[k] = values[k] where the mask is set, else 0, for values and mask elements of 4 or 8 bytes. */
void stn_mask_select(void *to, const void *values, const void *mask, int64_t bytes, int64_t count);

/* mask[k] gets all bits if values[k] differs from before[k], else 0. Zeros with different signs
 * differ, two NaNs do not. */
void stn_mask_mark(stn_format arithmetic, void *mask, const void *values, const void *before,
                   int64_t count);

/* Is one of these reals of 4 or 8 bytes infinite or NaN? */
int stn_mask_finds_nonfinite(const void *values, int64_t bytes, int64_t count);

/* Copies values[k] to to[k] where the mask is set, for values of 4 or 8 bytes. */
void stn_mask_store(void *to, const void *values, const void *mask, int64_t bytes, int64_t count);

#endif
