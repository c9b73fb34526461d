/* Atomic reads and replacements of elements of up to 64 bytes. */
#ifndef STENO_CORE_ATOMIC_H
#define STENO_CORE_ATOMIC_H

#include <stdint.h>

enum { STN_ATOMIC_MAX_BYTES = 64 };

/* Both functions use relaxed memory order. `bytes` is from 1 to STN_ATOMIC_MAX_BYTES and must
 * always be the same for one address. Address and size determine the method. */
void stn_atomic_read(const void *element, int64_t bytes, void *value);

/* Replaces the element if it equals `expected`; otherwise copies the element to `expected`.
 * Returns whether the element was replaced. May fail spuriously. */
int stn_atomic_replace(void *element, int64_t bytes, void *expected, const void *desired);

#endif
