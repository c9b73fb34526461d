/* Bytes of a checkpoint, written and read sequentially. */
#ifndef STENO_SOLVER_IMAGE_H
#define STENO_SOLVER_IMAGE_H

#include <stdint.h>

#include "core/status.h"

typedef struct stn_image {
    unsigned char *bytes; /* NULL: empty */
    int64_t count, capacity;
    int64_t at; /* offset of the next bytes to read */
} stn_image;

void stn_image_release(stn_image *image); /* empty afterward */

/* Appends `bytes`, padded to a multiple of 8, from `data`; or returns their location, which the
 * caller fills before the next call. STN_ERR_MEMORY, STN_ERR_RANGE. */
stn_status stn_image_put(stn_image *image, const void *data, int64_t bytes);
stn_status stn_image_extend(stn_image *image, int64_t bytes, void **buffer);

/* Reads the next `bytes`, which must have been written with the same length; a NULL `data` skips
 * them. STN_ERR_PARSE. */
stn_status stn_image_get(stn_image *image, void *data, int64_t bytes);

/* Checksum of all bytes, which changes if one 8-byte word changes. */
uint64_t stn_image_sum(const stn_image *image);

/* Starts an image with a header, and completes the header at the end. */
stn_status stn_image_begin(stn_image *image);
void stn_image_complete(stn_image *image);

/* Checks that the bytes are a complete image of this version. STN_ERR_PARSE with the reason. */
stn_status stn_image_expect(const char *call, const void *bytes, int64_t count);

/* Checks the header alone and returns the length of the image. */
stn_status stn_image_expect_head(const char *call, const void *bytes, int64_t count,
                                 int64_t *length);

/* Sets the offset to the end of the header. */
void stn_image_rewind(stn_image *image);

#endif
