/* Arrays of doubles stored in a format, and read back for the reference results. */
#ifndef STENO_CLI_STORED_H
#define STENO_CLI_STORED_H

#include "steno/block_format.h"
#include "steno/format.h"

typedef struct stored {
    stn_format_info info;
    stn_storage storage;
    int64_t count;
    void *codes;
    int borrowed;    /* the codes are not owned */
    double *decoded; /* value of every code, for formats of up to 16 bits; else NULL */
    int64_t row;     /* block formats: elements of a row, each of which begins with a block */
    stn_view blocks; /* these rows, or empty */
    stn_block_arrays arrays;
} stored;

/* Uses `values` themselves as codes; they are not copied. */
stn_status stored_borrow(stored *array, const double *values, int64_t count);

/* Encodes `values` with all threads, which touch their share first. Integers and 8-bit floats get
 * the power of two that fits best as scale; other formats get one only if the largest magnitude is
 * outside their normal range. Unsigned formats store negative values with a zero point in the
 * middle. */
stn_status stored_create(stored *array, stn_format format, stn_format arithmetic,
                         const double *values, int64_t count);

/* The same in a block format, as a vector (rank 1) or a matrix. A scale is used only if the largest
 * magnitude is outside the range of the format. */
stn_status stored_create_blocks(stored *array, stn_format format, stn_format arithmetic,
                                const double *values, int rank, const int64_t *extents);

/* Is the format a block format? */
int stored_is_blocks(stn_format format);

void stored_release(stored *array);

/* The exact values first ... first + count - 1 as high + low. Independent of the codecs of the
 * library, because results are compared with them. */
void stored_read(const stored *array, int64_t first, int64_t count, double *high, double *low);

/* Bytes of the codes. */
double stored_bytes(const stored *array);

#endif
