/* Images of checkpoints: a header with a version, a length and a sum, and what a method keeps. */
#include "solver/image.h"

#include <stddef.h>
#include <string.h>

#include "core/memory.h"

enum { STEP = 8, MIN_CAPACITY = 4096, VERSION = 5 };

typedef struct header {
    char name[8];
    uint32_t version, order; /* byte order: 0x01020304 */
    int64_t length;          /* number of bytes including this header */
    uint64_t sum;            /* checksum of the bytes after `length` and this member */
} header;

static const char name[8] = "StenoChk";

void stn_image_release(stn_image *image)
{
    stn_free(image->bytes);
    *image = (stn_image){0};
}

static stn_status grow(stn_image *image, int64_t count)
{
    unsigned char *bytes;
    const int64_t twice = 2 * image->capacity, capacity = count > twice ? count : twice;
    STN_TRY(
        stn_allocate(&bytes, capacity > MIN_CAPACITY ? capacity : MIN_CAPACITY, 1, "a checkpoint"));
    if (image->count > 0)
        memcpy(bytes, image->bytes, (size_t)image->count);
    stn_free(image->bytes);
    image->bytes = bytes;
    image->capacity = capacity > MIN_CAPACITY ? capacity : MIN_CAPACITY;
    return STN_OK;
}

stn_status stn_image_extend(stn_image *image, int64_t bytes, void **buffer)
{
    const int64_t full = (bytes + STEP - 1) / STEP * STEP;
    if (bytes < 0 || bytes > INT64_MAX / 4 || image->count > INT64_MAX / 4)
        return stn_fail(STN_ERR_RANGE, "the checkpoint exceeds the address space");
    if (image->count + full > image->capacity)
        STN_TRY(grow(image, image->count + full));
    *buffer = image->bytes + image->count;
    if (full > bytes)
        memset(image->bytes + image->count + full - STEP, 0, STEP);
    image->count += full;
    return STN_OK;
}

stn_status stn_image_put(stn_image *image, const void *data, int64_t bytes)
{
    void *buffer = NULL;
    STN_TRY(stn_image_extend(image, bytes, &buffer));
    if (bytes > 0)
        memcpy(buffer, data, (size_t)bytes);
    return STN_OK;
}

stn_status stn_image_get(stn_image *image, void *data, int64_t bytes)
{
    if (bytes > image->count - image->at) /* both are multiples of the word size */
        return stn_fail(STN_ERR_PARSE, "stn_solve: the checkpoint is too short");
    const int64_t full = (bytes + STEP - 1) / STEP * STEP;
    if (data && bytes > 0)
        memcpy(data, image->bytes + image->at, (size_t)bytes);
    image->at += full;
    return STN_OK;
}

/* A change of one word changes the sum, since each step is a bijection of both operands. */
static uint64_t sum_of(const unsigned char *bytes, int64_t count)
{
    uint64_t sum = 0x9e3779b97f4a7c15U, word;
    for (int64_t k = 0; k + STEP <= count; k += STEP) {
        memcpy(&word, bytes + k, sizeof word);
        sum ^= word;
        sum = ((sum << 29) | (sum >> 35)) * 0xd6e8feb86659fd93U;
    }
    return sum;
}

uint64_t stn_image_sum(const stn_image *image)
{
    return sum_of(image->bytes, image->count);
}

stn_status stn_image_begin(stn_image *image)
{
    const header first = {{0}, VERSION, 0x01020304, 0, 0};
    STN_TRY(stn_image_put(image, &first, sizeof first));
    memcpy(image->bytes, name, sizeof name);
    return STN_OK;
}

void stn_image_complete(stn_image *image)
{
    header first;
    memcpy(&first, image->bytes, sizeof first);
    first.length = image->count;
    first.sum = sum_of(image->bytes + sizeof first, image->count - (int64_t)sizeof first);
    memcpy(image->bytes, &first, sizeof first);
}

static stn_status refuse(const char *call, const char *reason)
{
    return stn_fail(STN_ERR_PARSE, "%s: %s", call, reason);
}

stn_status stn_image_expect_head(const char *call, const void *bytes, int64_t count,
                                 int64_t *length)
{
    const int64_t least = (int64_t)sizeof(header);
    header first;
    if (count < least || memcmp(bytes, name, sizeof name) != 0)
        return refuse(call, "the bytes are not a checkpoint");
    memcpy(&first, bytes, sizeof first);
    if (first.order != 0x01020304)
        return refuse(call, "the checkpoint has another byte order");
    if (first.version != VERSION)
        return stn_fail(STN_ERR_PARSE,
                        "%s: the checkpoint has version %u; this library reads version %d", call,
                        first.version, VERSION);
    *length = first.length;
    return STN_OK;
}

stn_status stn_image_expect(const char *call, const void *bytes, int64_t count)
{
    const int64_t least = (int64_t)sizeof(header);
    header first;
    int64_t length;
    STN_TRY(stn_image_expect_head(call, bytes, count, &length));
    memcpy(&first, bytes, sizeof first);
    if (first.length != count || count % STEP != 0)
        return stn_fail(STN_ERR_PARSE, "%s: the checkpoint has %lld bytes, not %lld", call,
                        (long long)count, (long long)first.length);
    if (first.sum != sum_of((const unsigned char *)bytes + least, count - least))
        return refuse(call, "the checkpoint is damaged: its checksum is wrong");
    return STN_OK;
}

void stn_image_rewind(stn_image *image)
{
    image->at = (int64_t)sizeof(header);
}
