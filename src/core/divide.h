/* Quotients of sizes and indices. */
#ifndef STENO_CORE_DIVIDE_H
#define STENO_CORE_DIVIDE_H

#include <stdint.h>

/* a / b of numbers that are not negative, b not 0. Up to Skylake and Cascade Lake, a division of 64
 * bits takes 40 to 90 cycles, one of 32 bits 26. */
static inline int64_t stn_divide(int64_t a, int64_t b)
{
    return ((uint64_t)a | (uint64_t)b) >> 32 ? a / b : (int64_t)((uint32_t)a / (uint32_t)b);
}

#endif
