/* Every allocation of the library is made here, so that a test can let the n-th one fail. */
#ifndef STENO_CORE_MEMORY_H
#define STENO_CORE_MEMORY_H

#include <stdint.h>

#include "core/status.h"

enum { STN_LINE = 64 }; /* bytes of a cache line */

/* Prefetches memory that will be read into the first or second level of caches.
 * The empty asm keeps gcc 12 from removing calls of a function that only
 * prefetches. */
static inline void stn_prefetch_near(const void *address, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += STN_LINE)
        __builtin_prefetch((const void *)((uintptr_t)address + (uintptr_t)at), 0, 3);
    __asm__ volatile("");
}

static inline void stn_prefetch(const void *address, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += STN_LINE)
        __builtin_prefetch((const void *)((uintptr_t)address + (uintptr_t)at), 0, 2);
    __asm__ volatile("");
}

/* Allocates `count` elements of `bytes` each, uninitialized, aligned to 64 bytes (from 4 MiB on
 * to 2 MiB, requesting huge pages), into *memory; release with stn_free. A count of 0 yields
 * NULL. STN_ERR_RANGE if the product overflows or count is negative, STN_ERR_MEMORY if memory is
 * exhausted; `what` is the object's name in the message. */
STN_PRIVATE_API stn_status stn_allocate(void *memory, int64_t count, size_t bytes,
                                        const char *what);

STN_PRIVATE_API void stn_free(void *memory);

/* For tests: lets the n-th allocation from now on fail (1 is the next one); 0 turns this off. */
void stn_fail_allocation(int64_t nth);

#endif
