/* Non-temporal stores: for results that nobody reads again soon. They spare the memory
 * the reading of every line that is written. */
#ifndef STENO_CORE_NONTEMPORAL_H
#define STENO_CORE_NONTEMPORAL_H

#include <stdint.h>
#include <string.h>

#include "core/memory.h"

#if defined(__x86_64__)
#    include <emmintrin.h>
#endif

/* From which on results are taken to be too long to stay in the caches. */
enum { STN_NONTEMPORAL_BYTES = 16 << 20 };

/* Copy whole lines to where a line begins. */
static inline void stn_copy_nontemporal(void *restrict to, const void *restrict from, int64_t bytes)
{
#if defined(__x86_64__)
    for (int64_t at = 0; at < bytes; at += 16)
        _mm_stream_si128((__m128i *)(void *)((char *)to + at),
                         _mm_loadu_si128((const __m128i *)(const void *)((const char *)from + at)));
#else
    memcpy(to, from, (size_t)bytes);
#endif
}

/* After the last copy, before anybody else may look. */
static inline void stn_nontemporal_fence(void)
{
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

#endif
