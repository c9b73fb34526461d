/* Decompression of LZ4 and zstd. */
#include "contract/image/unpack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* ---- LZ4 ---- */

typedef struct lz4 {
    const unsigned char *from, *end;
    unsigned char *to;
    size_t result, capacity;
} lz4;

/* The rest of a length whose first part was 15: bytes up to one that is not 255; 0 at the end. */
static int read_length(lz4 *l, size_t *length)
{
    enum { MORE = 15, FULL = 255 };
    unsigned char byte = FULL;
    if (*length != MORE)
        return 1;
    while (byte == FULL) {
        if (l->from == l->end)
            return 0;
        byte = *l->from++;
        *length += byte;
    }
    return 1;
}

static int copy_plain(lz4 *l, size_t length)
{
    if (!read_length(l, &length) || length > (size_t)(l->end - l->from) ||
        length > l->capacity - l->result)
        return 0;
    memcpy(l->to + l->result, l->from, length);
    l->from += length;
    l->result += length;
    return 1;
}

/* Byte by byte, because source and destination may overlap. */
static int copy_again(lz4 *l, size_t length)
{
    enum { SHORTEST = 4 };
    if (l->end - l->from < 2)
        return 0;
    const size_t back = l->from[0] | (size_t)l->from[1] << 8;
    l->from += 2;
    if (!read_length(l, &length) || back == 0 || back > l->result)
        return 0;
    length += SHORTEST;
    if (length > l->capacity - l->result)
        return 0;
    for (const size_t end = l->result + length; l->result < end; l->result++)
        l->to[l->result] = l->to[l->result - back];
    return 1;
}

int stn_unpack_lz4(const unsigned char *from, size_t size, unsigned char *to, size_t capacity)
{
    lz4 l = {from, from + size, to, 0, capacity};
    while (l.from < l.end) {
        const unsigned char lengths = *l.from++;
        if (!copy_plain(&l, lengths >> 4))
            return 0;
        if (l.from == l.end) /* the last sequence has no copy */
            return l.result == capacity;
        if (!copy_again(&l, lengths & 15))
            return 0;
    }
    return 0;
}

/* ---- zstd ---- */

typedef size_t unpack_function(void *to, size_t capacity, const void *from, size_t size);
static unpack_function *zstd; /* NULL: not available */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    void *const library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    void *const found = library ? dlsym(library, "ZSTD_decompress") : NULL;
    memcpy(&zstd, &found, sizeof zstd);
}

/* Errors are sizes larger than any buffer. */
int stn_unpack_zstd(const unsigned char *from, size_t size, unsigned char *to, size_t capacity)
{
    (void)pthread_once(&once, load);
    return zstd ? zstd(to, capacity, from, size) == capacity : -1;
}
