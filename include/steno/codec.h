/* Scalar codecs: every float and integer format encoded and decoded in integer code, so that the
 * same bits come out on every target, whatever its flush-to-zero mode. The text is C11, C++11, CUDA
 * C++, HIP and OpenCL C 1.2 alike and needs no library.
 *
 * Encoding rounds once, straight from the arithmetic type: the error is at most half a unit in the
 * last place (to nearest), below one unit otherwise. Decoding is exact wherever the value fits. */
#ifndef STENO_CODEC_H
#define STENO_CODEC_H

#include "steno/detail/names/hide.h"
#include "steno/detail/format_table.h"

/* ---- dialect: own fixed-width types, one function qualifier, bit casts ---- */

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#    define STN_OPENCL 1
typedef uchar stn_u8;
typedef ushort stn_u16;
typedef uint stn_u32;
typedef ulong stn_u64;
typedef char stn_i8;
typedef short stn_i16;
typedef int stn_i32;
typedef long stn_i64;
#    define STN_FN static inline __attribute__((unused))
#elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
typedef unsigned char stn_u8;
typedef unsigned short stn_u16;
typedef unsigned int stn_u32;
typedef unsigned long long stn_u64;
typedef signed char stn_i8;
typedef short stn_i16;
typedef int stn_i32;
typedef long long stn_i64;
#    define STN_FN static __device__ inline __attribute__((unused))
#else
#    include <stdint.h>
#    include <string.h>
typedef uint8_t stn_u8;
typedef uint16_t stn_u16;
typedef uint32_t stn_u32;
typedef uint64_t stn_u64;
typedef int8_t stn_i8;
typedef int16_t stn_i16;
typedef int32_t stn_i32;
typedef int64_t stn_i64;
#    if defined(__CUDACC__) || defined(__HIPCC__) || defined(__HIP__)
#        define STN_FN static __host__ __device__ inline __attribute__((__unused__))
#    elif defined(__GNUC__)
#        define STN_FN static inline __attribute__((__unused__, __always_inline__))
#    else
#        define STN_FN static inline
#    endif
#endif

/* OpenCL devices may lack double; everything but the functions that name it still works there. */
#if !defined(STN_OPENCL) || defined(cl_khr_fp64) || defined(__opencl_c_fp64)
#    define STN_HAVE_DOUBLE 1
typedef double stn_f64;
#endif
typedef float stn_f32;

STN_FN stn_u32 stn_bits_of_f32(float value)
{
#if defined(STN_OPENCL)
    return as_uint(value);
#elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
    return __float_as_uint(value);
#else
    stn_u32 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
#endif
}

STN_FN float stn_f32_of_bits(stn_u32 bits)
{
#if defined(STN_OPENCL)
    return as_float(bits);
#elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
    return __uint_as_float(bits);
#else
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
#endif
}

#ifdef STN_HAVE_DOUBLE
STN_FN stn_u64 stn_bits_of_f64(double value)
{
#    if defined(STN_OPENCL)
    return as_ulong(value);
#    elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
    return (stn_u64)__double_as_longlong(value);
#    else
    stn_u64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
#    endif
}

STN_FN double stn_f64_of_bits(stn_u64 bits)
{
#    if defined(STN_OPENCL)
    return as_double(bits);
#    elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
    return __longlong_as_double((long long)bits);
#    else
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
#    endif
}
#endif

/* ---- rules of storing ---- */

/* How a value between two codes is rounded. */
typedef enum stn_rounding {
    STN_ROUND_NEAREST = 0,     /* to the nearer code, ties to the even one */
    STN_ROUND_TOWARD_ZERO = 1, /* what a C cast to an integer does */
    STN_ROUND_STOCHASTIC = 2   /* up with a probability equal to the fraction cut off */
} stn_rounding;

/* What becomes of a value beyond the largest finite one. Integers always saturate. */
typedef enum stn_overflow {
    STN_OVERFLOW_DEFAULT = 0,  /* the format's own rule, as format_table.h lists it */
    STN_OVERFLOW_INFINITY = 1, /* an infinity (finite values rounded toward zero stay finite);
                                  NaN where the format has no infinity */
    STN_OVERFLOW_SATURATE = 2, /* the largest finite value, for infinities too */
    STN_OVERFLOW_NAN = 3       /* NaN, for infinities too */
} stn_overflow;

/* What happened while one value was stored: bits to be or-ed together. */
#define STN_EVENT_SATURATED                                                                        \
    1u /* beyond the largest finite value (an infinity stored as such is not) */
#define STN_EVENT_UNDERFLOWED 2u /* nonzero, and stored as zero: code 0 of an integer format */
#define STN_EVENT_NAN         4u /* NaN */

/* 64 random bits from a seed and a counter: the same everywhere, in any order of evaluation.
 * Source: the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), applied twice. */
STN_FN stn_u64 stn_hash_bits(stn_u64 z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

STN_FN stn_u64 stn_random_bits(stn_u64 seed, stn_u64 index)
{
    return stn_hash_bits(stn_hash_bits(seed + 0x9e3779b97f4a7c15u) + index * 0x9e3779b97f4a7c15u);
}

/* ---- codecs by parameters ---- */

/* The parameters of a float format; `finite_only` is the FN kind of format_table.h. */
typedef struct stn_float_kind {
    int exponent_bits, fraction_bits, finite_only;
    stn_overflow overflow;
} stn_float_kind;

/* 1 when `whole` + `fraction` / 2^64 rounds up to the next integer. */
STN_FN stn_u64 stn_rounds_up(stn_u64 whole, stn_u64 fraction, stn_rounding rounding, stn_u64 random)
{
    const stn_u64 middle = (stn_u64)1 << 63;
    if (rounding == STN_ROUND_NEAREST)
        return fraction > middle || (fraction == middle && (whole & 1));
    return rounding == STN_ROUND_STOCHASTIC && random < fraction;
}

/* The 64 bits that `significand` loses when it is shifted right by `shift` >= 0, as a fraction. A
 * significand has 53 bits, so what is cut off below them is less than 2^-64 and never reaches half.
 */
STN_FN stn_u64 stn_cut_fraction(stn_u64 significand, int shift)
{
    if (shift == 0 || shift >= 128)
        return 0;
    return shift <= 64 ? significand << (64 - shift) : significand >> (shift - 64);
}

/* Code of the binary64 with bits `value`. `random` is read for stochastic rounding only; what
 * happened is or-ed into *events. */
STN_FN stn_u64 stn_float_encode(stn_u64 value, stn_float_kind kind, stn_rounding rounding,
                                stn_overflow overflow, stn_u64 random, unsigned *events)
{
    const int fraction_bits = kind.fraction_bits;
    const stn_u64 sign = (value >> 63) << (kind.exponent_bits + fraction_bits);
    const stn_u64 magnitude = value & 0x7fffffffffffffffu;
    const stn_u64 all = ((stn_u64)1 << (kind.exponent_bits + fraction_bits)) - 1;
    const stn_u64 infinity = all >> fraction_bits << fraction_bits;
    const stn_u64 nan = kind.finite_only ? all : infinity | ((stn_u64)1 << (fraction_bits - 1));
    const stn_u64 largest = kind.finite_only ? nan - 1 : infinity - 1;
    stn_u64 whole, code;
    int exponent, shift;

    if (magnitude > 0x7ff0000000000000u) {
        *events |= STN_EVENT_NAN;
        return nan;
    }
    if (overflow == STN_OVERFLOW_DEFAULT)
        overflow = kind.overflow;
    if (magnitude == 0x7ff0000000000000u) {
        if (overflow == STN_OVERFLOW_INFINITY && !kind.finite_only)
            return sign | infinity;
        *events |= STN_EVENT_SATURATED;
        return overflow == STN_OVERFLOW_SATURATE ? sign | largest : nan;
    }

    exponent = (int)(magnitude >> 52);
    whole = magnitude & 0xfffffffffffffu;
    if (exponent)
        whole |= (stn_u64)1 << 52;
    else
        exponent = 1;
    exponent += (1 << (kind.exponent_bits - 1)) - 1 - 1023; /* biased as in the target */
    shift = 52 - fraction_bits;
    if (exponent < 1) {
        shift += 1 - exponent;
        exponent = 1;
    }
    code = shift < 64 ? whole >> shift : 0;
    code += stn_rounds_up(code, stn_cut_fraction(whole, shift), rounding, random);
    code += (stn_u64)(exponent - 1)
            << fraction_bits; /* a carry moves into the exponent, as it should */

    if (code > largest) {
        *events |= STN_EVENT_SATURATED;
        if (overflow == STN_OVERFLOW_SATURATE ||
            (overflow == STN_OVERFLOW_INFINITY && rounding == STN_ROUND_TOWARD_ZERO))
            return sign | largest;
        return overflow == STN_OVERFLOW_NAN || kind.finite_only ? nan : sign | infinity;
    }
    if (code == 0 && magnitude != 0)
        *events |= STN_EVENT_UNDERFLOWED;
    return sign | code;
}

/* Bits of the binary64 that a code of up to 64 bits stands for: exact. NaN comes back positive and
 * quiet. */
STN_FN stn_u64 stn_float_decode(stn_u64 code, stn_float_kind kind)
{
    const int fraction_bits = kind.fraction_bits;
    const stn_u64 all = ((stn_u64)1 << (kind.exponent_bits + fraction_bits)) - 1;
    const stn_u64 infinity = all >> fraction_bits << fraction_bits;
    const stn_u64 magnitude = code & all;
    const stn_u64 sign = (code & (all + 1)) << (63 - kind.exponent_bits - fraction_bits);
    const int bias = 1023 - ((1 << (kind.exponent_bits - 1)) - 1);
    int exponent = (int)(magnitude >> fraction_bits);
    stn_u64 fraction = magnitude & (((stn_u64)1 << fraction_bits) - 1);

    if (kind.finite_only ? magnitude == all : magnitude > infinity)
        return 0x7ff8000000000000u;
    if (!kind.finite_only && magnitude == infinity)
        return sign | 0x7ff0000000000000u;
    if (kind.exponent_bits == 11)
        return sign | magnitude << (52 - fraction_bits);
    if (exponent == 0) {
        if (fraction == 0)
            return sign;
        exponent = 1;
        while (!(fraction >> fraction_bits)) {
            fraction <<= 1;
            exponent--;
        }
        fraction &= ((stn_u64)1 << fraction_bits) - 1;
    }
    return sign | (stn_u64)(exponent + bias) << 52 | fraction << (52 - fraction_bits);
}

/* Code, as a two's complement number of `bits` bits, of the binary64 with bits `value`: saturating.
 * NaN gives code 0, which decodes to -scale * zero in a storage with a zero point. */
STN_FN stn_u64 stn_integer_encode(stn_u64 value, int bits, int is_signed, stn_rounding rounding,
                                  stn_u64 random, unsigned *events)
{
    const int negative = (int)(value >> 63);
    const stn_u64 magnitude = value & 0x7fffffffffffffffu;
    const int exponent = (int)(magnitude >> 52) - 1075; /* of the significand's last bit */
    const stn_u64 significand = (magnitude & 0xfffffffffffffu) | (stn_u64)1 << 52;
    const stn_u64 highest = is_signed ? ((stn_u64)1 << (bits - 1)) - 1 : ~(stn_u64)0 >> (64 - bits);
    const stn_u64 limit = !negative ? highest : is_signed ? highest + 1 : 0;
    stn_u64 whole;

    if (magnitude > 0x7ff0000000000000u) {
        *events |= STN_EVENT_NAN;
        return 0;
    }
    if (magnitude < 0x0010000000000000u) { /* zero or subnormal: below any fraction that counts */
        whole = 0;
    } else if (exponent > 11) { /* at least 2^64 */
        *events |= STN_EVENT_SATURATED;
        return (negative ? (stn_u64)0 - limit : limit) & (~(stn_u64)0 >> (64 - bits));
    } else if (exponent >= 0) {
        whole = significand << exponent;
    } else {
        whole = exponent > -64 ? significand >> -exponent : 0;
        whole += stn_rounds_up(whole, stn_cut_fraction(significand, -exponent), rounding, random);
    }
    if (whole > limit) {
        *events |= STN_EVENT_SATURATED;
        whole = limit;
    } else if (whole == 0 && magnitude != 0) {
        *events |= STN_EVENT_UNDERFLOWED;
    }
    return (negative ? (stn_u64)0 - whole : whole) & (~(stn_u64)0 >> (64 - bits));
}

/* Value of a two's complement code of `bits` bits; codes of u64 above 2^63 - 1 need stn_u64
 * instead. */
STN_FN stn_i64 stn_integer_decode(stn_u64 code, int bits, int is_signed)
{
    const stn_u64 sign = (stn_u64)1 << (bits - 1);
    return (stn_i64)(is_signed ? (code ^ sign) - sign : code);
}

/* ---- codecs by name: stn_NAME_to_f32, _from_f32, _to_f64, _from_f64, and the kind of each ---- */

/* Storage types for the formats C has no type for: bits in a struct.. Elements that
 * compilers and vendors have types of 16 bits for, such as _Float16, are accessed as these. */
#if defined(__GNUC__) && !defined(STN_OPENCL)
#    define STN_MAY_ALIAS __attribute__((__may_alias__))
#else
#    define STN_MAY_ALIAS
#endif
#define STN_BITS_TYPE_8(name)                                                                      \
    typedef struct stn_##name {                                                                    \
        stn_u8 bits;                                                                               \
    } stn_##name;
#define STN_BITS_TYPE_16(name)                                                                     \
    typedef struct STN_MAY_ALIAS stn_##name {                                                      \
        stn_u16 bits;                                                                              \
    } stn_##name;
#define STN_BITS_TYPE_32(name)
#define STN_BITS_TYPE_64(name)

#define STN_FINITE_ONLY_IEEE 0
#define STN_FINITE_ONLY_FN   1

#define STN_NARROW_CODEC(name, uint)                                                               \
    STN_FN float stn_##name##_to_f32(stn_##name code)                                              \
    {                                                                                              \
        unsigned events = 0;                                                                       \
        return stn_f32_of_bits((stn_u32)stn_float_encode(                                          \
            stn_float_decode(code.bits, stn_##name##_kind()), stn_f32_kind(), STN_ROUND_NEAREST,   \
            STN_OVERFLOW_INFINITY, 0, &events));                                                   \
    }                                                                                              \
    STN_FN stn_##name stn_##name##_from_f32(float value)                                           \
    {                                                                                              \
        unsigned events = 0;                                                                       \
        stn_##name code;                                                                           \
        code.bits = (uint)stn_float_encode(                                                        \
            stn_float_decode(stn_bits_of_f32(value), stn_f32_kind()), stn_##name##_kind(),         \
            STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, &events);                                  \
        return code;                                                                               \
    }                                                                                              \
    STN_NARROW_CODEC_F64(name, uint)
#ifdef STN_HAVE_DOUBLE
#    define STN_NARROW_CODEC_F64(name, uint)                                                       \
        STN_FN double stn_##name##_to_f64(stn_##name code)                                         \
        {                                                                                          \
            return stn_f64_of_bits(stn_float_decode(code.bits, stn_##name##_kind()));              \
        }                                                                                          \
        STN_FN stn_##name stn_##name##_from_f64(double value)                                      \
        {                                                                                          \
            unsigned events = 0;                                                                   \
            stn_##name code;                                                                       \
            code.bits =                                                                            \
                (uint)stn_float_encode(stn_bits_of_f64(value), stn_##name##_kind(),                \
                                       STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, &events);       \
            return code;                                                                           \
        }
#else
#    define STN_NARROW_CODEC_F64(name, uint)
#endif
#define STN_NARROW_CODEC_8(name)  STN_NARROW_CODEC(name, stn_u8)
#define STN_NARROW_CODEC_16(name) STN_NARROW_CODEC(name, stn_u16)
#define STN_NARROW_CODEC_32(name)
#define STN_NARROW_CODEC_64(name)

#define STN_FLOAT_ROW(id, NAME, name, bits, exponent, fraction, specials, overflow_rule)           \
    STN_BITS_TYPE_##bits(name) STN_FN stn_float_kind stn_##name##_kind(void)                       \
    {                                                                                              \
        stn_float_kind kind;                                                                       \
        kind.exponent_bits = exponent;                                                             \
        kind.fraction_bits = fraction;                                                             \
        kind.finite_only = STN_FINITE_ONLY_##specials;                                             \
        kind.overflow = overflow_rule;                                                             \
        return kind;                                                                               \
    }
#define STN_FLOAT_CODEC_ROW(id, NAME, name, bits, exponent, fraction, specials, overflow_rule)     \
    STN_NARROW_CODEC_##bits(name)
#define STN_NO_ROW_5(id, NAME, name, bits, is_signed)
#define STN_NO_ROW_4(id, NAME, name, component)

STN_FORMAT_TABLE(STN_FLOAT_ROW, STN_NO_ROW_5, STN_NO_ROW_4)
STN_FORMAT_TABLE(STN_FLOAT_CODEC_ROW, STN_NO_ROW_5, STN_NO_ROW_4)

#undef STN_BITS_TYPE_8
#undef STN_BITS_TYPE_16
#undef STN_BITS_TYPE_32
#undef STN_BITS_TYPE_64
#undef STN_NARROW_CODEC
#undef STN_NARROW_CODEC_F64
#undef STN_NARROW_CODEC_8
#undef STN_NARROW_CODEC_16
#undef STN_NARROW_CODEC_32
#undef STN_NARROW_CODEC_64
#undef STN_FLOAT_ROW
#undef STN_FLOAT_CODEC_ROW
#undef STN_NO_ROW_5
#undef STN_NO_ROW_4

#include "steno/detail/names/show.h"

#endif
