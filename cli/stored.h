/* Arrays of doubles stored in a format, and read back for the reference results. */
#ifndef STENO_CLI_STORED_H
#define STENO_CLI_STORED_H

#include "steno/format.h"

typedef struct stored {
    stn_format_info info;
    stn_storage storage;
    int64_t count;
    void *codes;
    int borrowed;    /* the codes are somebody else's */
    double *decoded; /* of every code, for formats of up to 16 bits; else NULL */
} stored;

/* The format's own: `values` are borrowed. */
stn_status stored_borrow(stored *array, const double *values, int64_t count);

/* Encode `values`, by all threads, which touch their share first. Integers and 8-bit floats get the
 * power of two as scale that fits them best; other formats one only when the largest magnitude lies
 * outside their normal numbers. Unsigned formats take negative values by a zero point at the
 * middle. */
stn_status stored_make(stored *array, stn_format format, stn_format arithmetic,
                       const double *values, int64_t count);

void stored_release(stored *array);

/* The exact values first ... first + count - 1, as sums high + low of two doubles. Written apart
 * from the library's codecs: it is what results are compared with. */
void stored_read(const stored *array, int64_t first, int64_t count, double *high, double *low);

/* Bytes of the codes. */
double stored_bytes(const stored *array);

#endif
