/* Scalar codecs: every float and integer format encoded and decoded in integer code, so that the
 * same bits come out on every target, whatever its flush-to-zero mode. The text is C11, C++11, CUDA
 * C++, HIP and OpenCL C 1.2 alike and needs no library.
 *
 * Encoding rounds once, straight from the arithmetic type: the error is at most half a unit in the
 * last place (to nearest), below one unit otherwise. Decoding is exact wherever the value fits. */
#ifndef STENO_CODEC_H
#define STENO_CODEC_H

#include "steno/detail/accessor/macro_check.h"
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

STN_FN stn_u32 stn_bits_of_f32(float value_)
{
#if defined(STN_OPENCL)
    return as_uint(value_);
#elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
    return __float_as_uint(value_);
#else
    stn_u32 bits_;
    memcpy(&bits_, &value_, sizeof bits_);
    return bits_;
#endif
}

STN_FN float stn_f32_of_bits(stn_u32 bits_)
{
#if defined(STN_OPENCL)
    return as_float(bits_);
#elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
    return __uint_as_float(bits_);
#else
    float value_;
    memcpy(&value_, &bits_, sizeof value_);
    return value_;
#endif
}

#ifdef STN_HAVE_DOUBLE
STN_FN stn_u64 stn_bits_of_f64(double value_)
{
#    if defined(STN_OPENCL)
    return as_ulong(value_);
#    elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
    return (stn_u64)__double_as_longlong(value_);
#    else
    stn_u64 bits_;
    memcpy(&bits_, &value_, sizeof bits_);
    return bits_;
#    endif
}

STN_FN double stn_f64_of_bits(stn_u64 bits_)
{
#    if defined(STN_OPENCL)
    return as_double(bits_);
#    elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
    return __longlong_as_double((long long)bits_);
#    else
    double value_;
    memcpy(&value_, &bits_, sizeof value_);
    return value_;
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
STN_FN stn_u64 stn_hash_bits(stn_u64 z_)
{
    z_ = (z_ ^ (z_ >> 30)) * 0xbf58476d1ce4e5b9u;
    z_ = (z_ ^ (z_ >> 27)) * 0x94d049bb133111ebu;
    return z_ ^ (z_ >> 31);
}

STN_FN stn_u64 stn_random_bits(stn_u64 seed_, stn_u64 index_)
{
    return stn_hash_bits(stn_hash_bits(seed_ + 0x9e3779b97f4a7c15u) + index_ * 0x9e3779b97f4a7c15u);
}

/* ---- codecs by parameters ---- */

/* The parameters of a float format; `finite_only` is the FN kind of format_table.h. */
typedef struct stn_float_kind {
    int exponent_bits, fraction_bits, finite_only;
    stn_overflow overflow;
} stn_float_kind;

/* 1 when `whole` + `fraction` / 2^64 rounds up to the next integer. */
STN_FN stn_u64 stn_rounds_up(stn_u64 whole_, stn_u64 fraction_, stn_rounding rounding_,
                             stn_u64 random_)
{
    const stn_u64 middle_ = (stn_u64)1 << 63;
    if (rounding_ == STN_ROUND_NEAREST)
        return fraction_ > middle_ || (fraction_ == middle_ && (whole_ & 1));
    return rounding_ == STN_ROUND_STOCHASTIC && random_ < fraction_;
}

/* The 64 bits that `significand` loses when it is shifted right by `shift` >= 0, as a fraction. A
 * significand has 53 bits, so what is cut off below them is less than 2^-64 and never reaches half.
 */
STN_FN stn_u64 stn_cut_fraction(stn_u64 significand_, int shift_)
{
    if (shift_ == 0 || shift_ >= 128)
        return 0;
    return shift_ <= 64 ? significand_ << (64 - shift_) : significand_ >> (shift_ - 64);
}

/* Code of the binary64 with bits `value`. `random` is read for stochastic rounding only; what
 * happened is or-ed into *events. */
STN_FN stn_u64 stn_float_encode(stn_u64 value_, stn_float_kind kind_, stn_rounding rounding_,
                                stn_overflow overflow_, stn_u64 random_, unsigned *events_)
{
    const int fraction_bits_ = kind_.fraction_bits;
    const stn_u64 sign_ = (value_ >> 63) << (kind_.exponent_bits + fraction_bits_);
    const stn_u64 magnitude_ = value_ & 0x7fffffffffffffffu;
    const stn_u64 all_ = ((stn_u64)1 << (kind_.exponent_bits + fraction_bits_)) - 1;
    const stn_u64 infinity_ = all_ >> fraction_bits_ << fraction_bits_;
    const stn_u64 nan = kind_.finite_only ? all_ : infinity_ | ((stn_u64)1 << (fraction_bits_ - 1));
    const stn_u64 largest_ = kind_.finite_only ? nan - 1 : infinity_ - 1;
    stn_u64 whole_, code_;
    int exponent_, shift_;

    if (magnitude_ > 0x7ff0000000000000u) {
        *events_ |= STN_EVENT_NAN;
        return nan;
    }
    if (overflow_ == STN_OVERFLOW_DEFAULT)
        overflow_ = kind_.overflow;
    if (magnitude_ == 0x7ff0000000000000u) {
        if (overflow_ == STN_OVERFLOW_INFINITY && !kind_.finite_only)
            return sign_ | infinity_;
        *events_ |= STN_EVENT_SATURATED;
        return overflow_ == STN_OVERFLOW_SATURATE ? sign_ | largest_ : nan;
    }

    exponent_ = (int)(magnitude_ >> 52);
    whole_ = magnitude_ & 0xfffffffffffffu;
    if (exponent_)
        whole_ |= (stn_u64)1 << 52;
    else
        exponent_ = 1;
    exponent_ += (1 << (kind_.exponent_bits - 1)) - 1 - 1023; /* biased as in the target */
    shift_ = 52 - fraction_bits_;
    if (exponent_ < 1) {
        shift_ += 1 - exponent_;
        exponent_ = 1;
    }
    code_ = shift_ < 64 ? whole_ >> shift_ : 0;
    code_ += stn_rounds_up(code_, stn_cut_fraction(whole_, shift_), rounding_, random_);
    code_ += (stn_u64)(exponent_ - 1)
             << fraction_bits_; /* a carry moves into the exponent, as it should */

    if (code_ > largest_) {
        *events_ |= STN_EVENT_SATURATED;
        if (overflow_ == STN_OVERFLOW_SATURATE ||
            (overflow_ == STN_OVERFLOW_INFINITY && rounding_ == STN_ROUND_TOWARD_ZERO))
            return sign_ | largest_;
        return overflow_ == STN_OVERFLOW_NAN || kind_.finite_only ? nan : sign_ | infinity_;
    }
    if (code_ == 0 && magnitude_ != 0)
        *events_ |= STN_EVENT_UNDERFLOWED;
    return sign_ | code_;
}

/* Bits of the binary64 that a code of up to 64 bits stands for: exact. NaN comes back positive and
 * quiet. */
STN_FN stn_u64 stn_float_decode(stn_u64 code_, stn_float_kind kind_)
{
    const int fraction_bits_ = kind_.fraction_bits;
    const stn_u64 all_ = ((stn_u64)1 << (kind_.exponent_bits + fraction_bits_)) - 1;
    const stn_u64 infinity_ = all_ >> fraction_bits_ << fraction_bits_;
    const stn_u64 magnitude_ = code_ & all_;
    const stn_u64 sign_ = (code_ & (all_ + 1)) << (63 - kind_.exponent_bits - fraction_bits_);
    const int bias_ = 1023 - ((1 << (kind_.exponent_bits - 1)) - 1);
    int exponent_ = (int)(magnitude_ >> fraction_bits_);
    stn_u64 fraction_ = magnitude_ & (((stn_u64)1 << fraction_bits_) - 1);

    if (kind_.finite_only ? magnitude_ == all_ : magnitude_ > infinity_)
        return 0x7ff8000000000000u;
    if (!kind_.finite_only && magnitude_ == infinity_)
        return sign_ | 0x7ff0000000000000u;
    if (kind_.exponent_bits == 11)
        return sign_ | magnitude_ << (52 - fraction_bits_);
    if (exponent_ == 0) {
        if (fraction_ == 0)
            return sign_;
        exponent_ = 1;
        while (!(fraction_ >> fraction_bits_)) {
            fraction_ <<= 1;
            exponent_--;
        }
        fraction_ &= ((stn_u64)1 << fraction_bits_) - 1;
    }
    return sign_ | (stn_u64)(exponent_ + bias_) << 52 | fraction_ << (52 - fraction_bits_);
}

/* Code, as a two's complement number of `bits` bits, of the binary64 with bits `value`: saturating.
 * NaN gives code 0, which decodes to -scale * zero in a storage with a zero point. */
STN_FN stn_u64 stn_integer_encode(stn_u64 value_, int bits_, int is_signed_, stn_rounding rounding_,
                                  stn_u64 random_, unsigned *events_)
{
    const int negative_ = (int)(value_ >> 63);
    const stn_u64 magnitude_ = value_ & 0x7fffffffffffffffu;
    const int exponent_ = (int)(magnitude_ >> 52) - 1075; /* of the significand's last bit */
    const stn_u64 significand_ = (magnitude_ & 0xfffffffffffffu) | (stn_u64)1 << 52;
    const stn_u64 highest_ =
        is_signed_ ? ((stn_u64)1 << (bits_ - 1)) - 1 : ~(stn_u64)0 >> (64 - bits_);
    const stn_u64 limit_ = !negative_ ? highest_ : is_signed_ ? highest_ + 1 : 0;
    stn_u64 whole_;

    if (magnitude_ > 0x7ff0000000000000u) {
        *events_ |= STN_EVENT_NAN;
        return 0;
    }
    if (magnitude_ < 0x0010000000000000u) { /* zero or subnormal: below any fraction that counts */
        whole_ = 0;
    } else if (exponent_ > 11) { /* at least 2^64 */
        *events_ |= STN_EVENT_SATURATED;
        return (negative_ ? (stn_u64)0 - limit_ : limit_) & (~(stn_u64)0 >> (64 - bits_));
    } else if (exponent_ >= 0) {
        whole_ = significand_ << exponent_;
    } else {
        whole_ = exponent_ > -64 ? significand_ >> -exponent_ : 0;
        whole_ +=
            stn_rounds_up(whole_, stn_cut_fraction(significand_, -exponent_), rounding_, random_);
    }
    if (whole_ > limit_) {
        *events_ |= STN_EVENT_SATURATED;
        whole_ = limit_;
    } else if (whole_ == 0 && magnitude_ != 0) {
        *events_ |= STN_EVENT_UNDERFLOWED;
    }
    return (negative_ ? (stn_u64)0 - whole_ : whole_) & (~(stn_u64)0 >> (64 - bits_));
}

/* Value of a two's complement code of `bits` bits; codes of u64 above 2^63 - 1 need stn_u64
 * instead. */
STN_FN stn_i64 stn_integer_decode(stn_u64 code_, int bits_, int is_signed_)
{
    const stn_u64 sign_ = (stn_u64)1 << (bits_ - 1);
    return (stn_i64)(is_signed_ ? (code_ ^ sign_) - sign_ : code_);
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
    STN_FN float stn_##name##_to_f32(stn_##name code_)                                             \
    {                                                                                              \
        unsigned events_ = 0;                                                                      \
        return stn_f32_of_bits((stn_u32)stn_float_encode(                                          \
            stn_float_decode(code_.bits, stn_##name##_kind()), stn_f32_kind(), STN_ROUND_NEAREST,  \
            STN_OVERFLOW_INFINITY, 0, &events_));                                                  \
    }                                                                                              \
    STN_FN stn_##name stn_##name##_from_f32(float value_)                                          \
    {                                                                                              \
        unsigned events_ = 0;                                                                      \
        stn_##name code_;                                                                          \
        code_.bits = (uint)stn_float_encode(                                                       \
            stn_float_decode(stn_bits_of_f32(value_), stn_f32_kind()), stn_##name##_kind(),        \
            STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, &events_);                                 \
        return code_;                                                                              \
    }                                                                                              \
    STN_NARROW_CODEC_F64(name, uint)
#ifdef STN_HAVE_DOUBLE
#    define STN_NARROW_CODEC_F64(name, uint)                                                       \
        STN_FN double stn_##name##_to_f64(stn_##name code_)                                        \
        {                                                                                          \
            return stn_f64_of_bits(stn_float_decode(code_.bits, stn_##name##_kind()));             \
        }                                                                                          \
        STN_FN stn_##name stn_##name##_from_f64(double value_)                                     \
        {                                                                                          \
            unsigned events_ = 0;                                                                  \
            stn_##name code_;                                                                      \
            code_.bits =                                                                           \
                (uint)stn_float_encode(stn_bits_of_f64(value_), stn_##name##_kind(),               \
                                       STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, &events_);      \
            return code_;                                                                          \
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
        stn_float_kind kind_;                                                                      \
        kind_.exponent_bits = exponent;                                                            \
        kind_.fraction_bits = fraction;                                                            \
        kind_.finite_only = STN_FINITE_ONLY_##specials;                                            \
        kind_.overflow = overflow_rule;                                                            \
        return kind_;                                                                              \
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

#endif
