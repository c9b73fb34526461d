/* Bytes that are read and replaced at one moment, of any size up to 64. */
#ifndef STENO_CORE_ATOMIC_H
#define STENO_CORE_ATOMIC_H

#include <stdint.h>

enum { STN_ATOMIC_MOST = 64 };

/* In relaxed order. `bytes` is from 1 to STN_ATOMIC_MOST and always the same for one address;
 * which way is taken depends on both alone. */
void stn_atomic_read(const void *element, int64_t bytes, void *value);

/* Replace the element if it has the bytes of `expected`, which else become the element's; returns
 * whether it was replaced. May fail without a reason. */
int stn_atomic_replace(void *element, int64_t bytes, void *expected, const void *desired);

#endif
