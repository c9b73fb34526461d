/* Every allocation of the library goes through here, so that a test can fail the n-th one. */
#ifndef STENO_CORE_MEMORY_H
#define STENO_CORE_MEMORY_H

#include "core/status.h"

enum { STN_LINE = 64 }; /* bytes of a cache line */

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
