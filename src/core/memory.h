/* Every allocation of the library goes through here, so that a test can fail the n-th one. */
#ifndef STENO_CORE_MEMORY_H
#define STENO_CORE_MEMORY_H

#include <stdint.h>

#include "core/status.h"

enum { STN_LINE = 64 }; /* bytes of a cache line */

/* Ask for memory that will be read, into the first level of caches or the second. gcc 12 takes a
 * function that does nothing else for one that has no effect, and leaves out its calls: the empty
 * statement of assembly is one. */
static inline void stn_prefetch_near(const void *place, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += STN_LINE)
        __builtin_prefetch((const void *)((uintptr_t)place + (uintptr_t)at), 0, 3);
    __asm__ volatile("");
}

static inline void stn_prefetch(const void *place, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += STN_LINE)
        __builtin_prefetch((const void *)((uintptr_t)place + (uintptr_t)at), 0, 2);
    __asm__ volatile("");
}

/* Allocate `count` elements of `bytes` each, uninitialised, aligned to 64 bytes (to 2 MiB, with
 * huge pages asked for, from 4 MiB on), into *memory; release with stn_free. A count of 0 gives
 * NULL. STN_ERR_RANGE when the product overflows or count is negative, STN_ERR_MEMORY when there is
 * none; `what` names the thing in the message. */
STN_PRIVATE_API stn_status stn_allocate(void *memory, int64_t count, size_t bytes,
                                        const char *what);

STN_PRIVATE_API void stn_free(void *memory);

/* For tests: let the n-th allocation from now on fail (1 is the next one); 0 turns this off. */
void stn_fail_allocation(int64_t nth);

#endif
