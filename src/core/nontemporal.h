/* Non-temporal stores, for results that are not read again soon. They avoid reading each line
 * before it is written. */
#ifndef STENO_CORE_NONTEMPORAL_H
#define STENO_CORE_NONTEMPORAL_H

#include <stdint.h>
#include <string.h>

#include "core/memory.h"

#if defined(__x86_64__)
#    include <emmintrin.h>
#endif

/* Copies whole cache lines to an aligned address. */
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

/* The same to any address: partial lines are stored normally. */
static inline void stn_copy_stream(char *to, const char *from, int64_t bytes)
{
    const int64_t to_line = (int64_t)(-(uintptr_t)to % STN_LINE);
    const int64_t head = to_line < bytes ? to_line : bytes;
    const int64_t lines = (bytes - head) / STN_LINE * STN_LINE;
    memcpy(to, from, (size_t)head);
    stn_copy_nontemporal(to + head, from + head, lines);
    memcpy(to + head + lines, from + head + lines, (size_t)(bytes - head - lines));
}

/* Required after the last copy, before other threads may read. */
static inline void stn_nontemporal_fence(void)
{
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

#endif
