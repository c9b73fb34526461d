/* Shared by the reader and the writer of gzip: zlib's memory comes from the library's
 * allocator. */
#ifndef STENO_MARKET_GZIP_H
#define STENO_MARKET_GZIP_H

#include "core/memory.h"

#include <zlib.h>

enum { STN_GZIP_WINDOW = MAX_WBITS + 16 }; /* 16: with gzip's header and checksum */

static inline void *stn_gzip_allocate(void *unused, unsigned count, unsigned bytes)
{
    (void)unused;
    void *memory;
    return stn_allocate(&memory, count, bytes, "zlib") == STN_OK ? memory : Z_NULL;
}

static inline void stn_gzip_free(void *unused, void *memory)
{
    (void)unused;
    stn_free(memory);
}

#endif
