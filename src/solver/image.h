/* The bytes of a checkpoint: written one after the other, read in the same order. */
#ifndef STENO_SOLVER_IMAGE_H
#define STENO_SOLVER_IMAGE_H

#include <stdint.h>

#include "core/status.h"

typedef struct stn_image {
    unsigned char *bytes; /* NULL: empty */
    int64_t count, room;
    int64_t at; /* where the next are read */
} stn_image;

void stn_image_release(stn_image *image); /* it is empty then */

/* `bytes` more, filled up to a multiple of 8; and room for them, which the caller fills before
 * anything else is put. STN_ERR_MEMORY, STN_ERR_RANGE. */
stn_status stn_image_put(stn_image *image, const void *data, int64_t bytes);
stn_status stn_image_extend(stn_image *image, int64_t bytes, void **room);

/* The next `bytes`, which must have been put so; a NULL `data` skips. STN_ERR_PARSE. */
stn_status stn_image_get(stn_image *image, void *data, int64_t bytes);

/* A sum that any change of one 8-byte word changes, over all bytes. */
uint64_t stn_image_sum(const stn_image *image);

/* Begins with a header, which is completed when all is put. */
stn_status stn_image_begin(stn_image *image);
void stn_image_complete(stn_image *image);

/* Are these bytes a whole image of this version? Says why not; STN_ERR_PARSE. */
stn_status stn_image_expect(const char *call, const void *bytes, int64_t count);

/* The same of the header alone, of bytes that begin with it: how many they should be. */
stn_status stn_image_expect_head(const char *call, const void *bytes, int64_t count,
                                 int64_t *length);

/* Back to what is behind the header. */
void stn_image_rewind(stn_image *image);

#endif
