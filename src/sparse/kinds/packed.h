/* Slices with a dictionary: the slices of sparse/kinds/slice.h, in which the code of each slot is
 * the index of a value in a dictionary of distinct values.
 *
 * An index has 2, 4, 8 or 16 bits. Index k begins at bit k * bits of the array `values`, the lowest
 * bit of a byte first. Slices begin at multiples of 16 slots, so the 16 indices of entry e of
 * interleaved rows begin at a byte. The array ends with bytes for vector loads. Values are distinct
 * if their codes are, so no bit of any value is lost. */
#ifndef STENO_SPARSE_KINDS_PACKED_H
#define STENO_SPARSE_KINDS_PACKED_H

#include "sparse/matrix.h"

enum {
    STN_PACKED_DISTINCT = 65536, /* maximum number of distinct values */
    STN_PACKED_PADDING = 16      /* bytes after the last index */
};

/* Bits per index into a dictionary of `distinct` values. */
static inline int64_t stn_packed_bits(int64_t distinct)
{
    return distinct <= 4 ? 2 : distinct <= 16 ? 4 : distinct <= 256 ? 8 : 16;
}

/* Bytes of the indices of `slots` slots, a multiple of 16. */
static inline int64_t stn_packed_bytes(int64_t slots, int64_t bits)
{
    return slots / 8 * bits + STN_PACKED_PADDING;
}

static inline int64_t stn_packed_index(const stn_matrix *a, int64_t slot)
{
    const unsigned char *const bytes = a->values;
    const int64_t bit = slot * a->bits;
    if (a->bits == 16)
        return bytes[bit / 8] | bytes[bit / 8 + 1] << 8;
    return bytes[bit / 8] >> bit % 8 & ((1 << a->bits) - 1);
}

/* The number of distinct codes of plain compressed rows; STN_PACKED_DISTINCT + 1 if there are
 * more. STN_ERR_MEMORY. */
stn_status stn_packed_count(const stn_matrix *rows, int64_t *distinct);

/* STN_ERR_UNSUPPORTED: there are more. */
stn_status stn_packed_refuse(const char *call, const stn_matrix *rows);

/* Replaces the codes of plain compressed rows by indices of `bits` / 8 bytes (u8 for fewer bits),
 * in *indices, and creates the dictionary. Both are released with stn_free. STN_ERR_UNSUPPORTED if
 * there are more than STN_PACKED_DISTINCT distinct codes, STN_ERR_MEMORY. */
typedef struct stn_dictionary {
    void *indices, *codes;
    int64_t distinct, bits;
} stn_dictionary;
stn_status stn_dictionary_create(const char *call, const stn_matrix *rows,
                                 stn_dictionary *dictionary);
void stn_dictionary_release(stn_dictionary *dictionary);

/* Stores indices of one or two bytes with `bits` bits each; `slots` is a multiple of 16. */
void stn_packed_store(void *packed, const void *indices, int64_t slots, int64_t bits);

/* ---- products ---- */

/* A dictionary in the arithmetic of a product. Dictionaries of 2 bits are repeated, so that an
 * index is found without a mask. */
typedef struct stn_packed_values {
    const unsigned char *codes;
    void *table;         /* at least 16 values */
    int64_t bits, bytes; /* of an index; of a value */
} stn_packed_values;

/* Decodes the dictionary into an arithmetic type, in the modes of core/modes.h. Release with
 * stn_packed_close. STN_ERR_MEMORY. */
stn_status stn_packed_open(stn_packed_values *opened, const stn_matrix *a, stn_format values_in);
void stn_packed_close(stn_packed_values *opened);

/* Decodes the values of `count` slots from `first` on. */
void stn_packed_decode(const stn_packed_values *opened, void *values, int64_t first, int64_t count);

#endif
