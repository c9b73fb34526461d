/* The scalar codec with all rounding and overflow rules, element by element. */
#ifndef STENO_FORMAT_PORTABLE_H
#define STENO_FORMAT_PORTABLE_H

#include "format/codec.h"

/* Rules of a storage that vector codecs do not support. */
typedef struct stn_rules {
    stn_rounding rounding;
    stn_overflow overflow;
    uint64_t seed;
    uint64_t first;      /* element k has random number first + k * step; part p of complex ones */
    int64_t step, parts; /* twice that + p */
    stn_counters *counters;
} stn_rules;

typedef void stn_store_run(void *restrict codes, const void *restrict values, int64_t count,
                           const stn_affine *affine, const stn_rules *rules);

typedef struct stn_portable_codec {
    stn_codec codec;
    stn_store_run *store_f64, *store_f32; /* with any rules */
} stn_portable_codec;

const stn_portable_codec *stn_portable_codec_of(stn_format format);

/* Code k of a whole number of bytes, at most 8, unaligned. `bits` is a constant in calls. */
STN_FN stn_u64 stn_code_get(const void *codes, int64_t k, int bits)
{
    const uint8_t *const byte = (const uint8_t *)codes + k * (bits / 8);
    uint64_t code64 = 0;
    uint32_t code32;
    uint16_t code16;
    switch (bits) {
    case 8:
        return ((const uint8_t *)codes)[k];
    case 16:
        memcpy(&code16, (const char *)codes + k * 2, sizeof code16);
        return code16;
    case 32:
        memcpy(&code32, (const char *)codes + k * 4, sizeof code32);
        return code32;
    case 64:
        memcpy(&code64, (const char *)codes + k * 8, sizeof code64);
        return code64;
    default:
        for (int at = 0; at < bits / 8; at++)
            code64 |= (uint64_t)byte[at] << 8 * at;
        return code64;
    }
}

STN_FN void stn_code_put(void *codes, int64_t k, int bits, stn_u64 code)
{
    const uint32_t code32 = (uint32_t)code;
    const uint16_t code16 = (uint16_t)code;
    uint8_t *const byte = (uint8_t *)codes + k * (bits / 8);
    switch (bits) {
    case 8:
        ((uint8_t *)codes)[k] = (uint8_t)code;
        break;
    case 16:
        memcpy((char *)codes + k * 2, &code16, sizeof code16);
        break;
    case 32:
        memcpy((char *)codes + k * 4, &code32, sizeof code32);
        break;
    case 64:
        memcpy((char *)codes + k * 8, &code, sizeof code);
        break;
    default:
        for (int at = 0; at < bits / 8; at++)
            byte[at] = (uint8_t)(code >> 8 * at);
    }
}

/* Rounded to f32 in integer code. */
STN_FN float stn_f32_of_f64_bits(stn_u64 bits)
{
    unsigned events = 0;
    return stn_f32_of_bits((stn_u32)stn_float_encode(bits, stn_f32_kind(), STN_ROUND_NEAREST,
                                                     STN_OVERFLOW_INFINITY, 0, &events));
}

/* The value that is rounded to a code, as bits of an f64. */
STN_FN stn_u64 stn_quotient_f64(double x, const stn_affine *affine)
{
    if (!affine->plain) {
        x /= affine->scale;
        if (affine->zero != 0.0)
            x += affine->zero;
    }
    return stn_bits_of_f64(x);
}

STN_FN stn_u64 stn_quotient_f32(float x, const stn_affine *affine)
{
    if (!affine->plain) {
        x /= (float)affine->scale;
        if (affine->zero != 0.0)
            x += (float)affine->zero;
    }
    return stn_float_decode(stn_bits_of_f32(x), stn_f32_kind());
}

STN_FN stn_u64 stn_rules_random(const stn_rules *rules, int64_t k)
{
    if (rules->rounding != STN_ROUND_STOCHASTIC)
        return 0;
    const stn_u64 element = (stn_u64)(rules->parts == 2 ? k >> 1 : k);
    const stn_u64 drawn = rules->first + element * (stn_u64)rules->step;
    return stn_rounding_bits(rules->seed, rules->parts == 2 ? 2 * drawn + ((stn_u64)k & 1) : drawn);
}

/* Adds the events of one value to the counters, which must not be NULL. */
void stn_rules_count(const stn_rules *rules, unsigned events);

/* The same for numbers of events. */
void stn_rules_add(const stn_rules *rules, int64_t saturated, int64_t underflowed, int64_t nan);

#endif
