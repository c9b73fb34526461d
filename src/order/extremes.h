/* Extremes of contiguous codes of up to 32 bits, compared as integers: decoding is monotonic. */
#ifndef STENO_ORDER_EXTREMES_H
#define STENO_ORDER_EXTREMES_H

#include "view/reader.h"

/* The key of a code is an integer of its width: (code ^ offset), where the bits of `flip` are
 * inverted if it is negative. Keys have the order of the values; -0 precedes +0. */
typedef struct stn_extremes {
    int64_t bytes;           /* of a code; 0: the codes are not supported */
    int32_t offset, flip;    /* unsigned integers; floats */
    int32_t lowest, highest; /* keys of numbers; other keys are those of NaN */
    int is_descending;       /* the scale is negative: least keys are those of greatest values */
    int is_injective;        /* different codes have different values */
} stn_extremes;

/* Elements of contiguous codes. */
void stn_extremes_find(stn_extremes *extremes, const stn_reader *reader);

/* An extreme of several elements. */
typedef struct stn_extreme {
    int32_t key;
    int is_nan;
    int64_t rank;      /* smaller for extremes that precede others */
    int64_t inside[2]; /* keys of all other elements, from the least to the greatest one */
} stn_extreme;

/* The smallest value, or the greatest one, of `count` elements, at least 1; NaN if there is one. */
stn_extreme stn_extremes_fold(const stn_extremes *extremes, const void *codes, int64_t count,
                              int is_greatest);

/* Its code; and the index of the first element with this code, or of the first NaN. */
void stn_extremes_code(const stn_extremes *extremes, const stn_extreme *extreme, void *code);
int64_t stn_extremes_index(const stn_extremes *extremes, const stn_extreme *extreme,
                           const void *codes, int64_t count);

#endif
