/* Packed floats of 4 and 6 bits, for the codecs of blocks and for sums of their products. Floats
 * are decoded as f16, which contains them. */
#ifndef STENO_FORMAT_SMALL_FLOAT_H
#define STENO_FORMAT_SMALL_FLOAT_H

#include <stdint.h>
#include <string.h>

#include "core/shuffle.h"
#include "steno/codec.h"

/* Floats without infinity and NaN: bits of a code and of its fraction. The largest power of two is
 * 2^top, the spacing of the subnormal numbers 2^lowest (OCP MX 1.0, 5.3). */
typedef struct small_float {
    int bits, fraction, lowest, top;
} small_float;

static const small_float e3m2 = {6, 2, -4, 4}, e2m3 = {6, 3, -3, 2}, e2m1 = {4, 1, -1, 2};

/* Of 16 codes of 6 bits, the bytes of each; 4 codes have 3 bytes. The first code of packed ones has
 * the lowest bits. */
/* clang-format off */
#define SIX_BITS(a) a, a + 1, a, a + 1, a + 1, a + 2, a + 2, a + 2
#define ALL_SIX(a)  SIX_BITS(a), SIX_BITS(a + 3), SIX_BITS(a + 6), SIX_BITS(a + 9)
/* clang-format on */
typedef unsigned char packed_codes __attribute__((vector_size(16)));
typedef unsigned char spread_codes __attribute__((vector_size(32)));
typedef uint16_t wide_codes __attribute__((vector_size(32)));
typedef int16_t signed_codes __attribute__((vector_size(32)));
enum { F16_LOWEST = -24, F16_FRACTION = 10 };

/* Codes in the upper bits of words become f16 by a shift and a mask. Their values are a power of
 * two times those of the codes. */
typedef struct f16_rule {
    int down;
    int16_t mask;
} f16_rule;

STN_FN f16_rule f16_rule_of(small_float f)
{
    enum { SIGN = -0x8000 };
    const int magnitudes = ((1 << (f.bits - 1)) - 1) << (F16_FRACTION - f.fraction);
    return (f16_rule){f.fraction + 6 - f.bits, (int16_t)(magnitudes | SIGN)};
}

/* The exponent of this power of two. */
STN_FN int f16_shift(small_float f)
{
    return f.lowest - (F16_LOWEST + F16_FRACTION - f.fraction);
}

/* 32 codes of 6 bits in the upper bits of words. */
STN_FN void spread_6_bits(wide_codes both[2], const unsigned char *packed)
{
    static const wide_codes left = {1 << 10, 1 << 4, 1 << 6,  1 << 8, 1 << 10, 1 << 4,
                                    1 << 6,  1 << 8, 1 << 10, 1 << 4, 1 << 6,  1 << 8,
                                    1 << 10, 1 << 4, 1 << 6,  1 << 8};
    packed_codes first, second; /* bytes 0 to 15, and 8 to 23 */
    memcpy(&first, packed, sizeof first);
    memcpy(&second, packed + 8, sizeof second);
    const spread_codes low = STN_SHUFFLE_TO(first, first, ALL_SIX(0));
    const spread_codes high = STN_SHUFFLE_TO(second, second, ALL_SIX(4));
    both[0] = (wide_codes)low * left;
    both[1] = (wide_codes)high * left;
}

STN_FN void convert_6_bits(uint16_t *halves, const unsigned char *packed, f16_rule rule)
{
    wide_codes both[2];
    spread_6_bits(both, packed);
    for (int k = 0; k < 2; k++) {
        const signed_codes converted = (signed_codes)both[k] >> rule.down & rule.mask;
        memcpy(halves + 16 * k, &converted, sizeof converted);
    }
}

STN_FN void convert_4_bits(uint16_t *halves, const unsigned char *packed, int64_t count,
                           f16_rule rule)
{
    for (int64_t k = 0; k < count / 2; k++) {
        const int16_t low = (int16_t)(packed[k] << 12), high = (int16_t)((packed[k] & 0xf0) << 8);
        halves[2 * k] = (uint16_t)(low >> rule.down & rule.mask);
        halves[2 * k + 1] = (uint16_t)(high >> rule.down & rule.mask);
    }
}

#endif
