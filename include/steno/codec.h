/** @file
 * Scalar codecs: every float and integer format, encoded and decoded by integer code.
 *
 * The results have the same bits on every target, whatever its flush-to-zero mode is. The header is
 * valid C11, C++11, CUDA C++, HIP and OpenCL C 1.2, and needs no library.
 *
 * Encoding rounds once from the arithmetic type. The error is at most half a unit in the last place
 * if rounding to nearest, otherwise less than one unit. Decoding is exact if the arithmetic type
 * can represent the value.
 *
 * @code
 * stn_f16 code = stn_f16_from_f64(0.1);
 * double value = stn_f16_to_f64(code); // 0.0999755859375
 * @endcode
 */
#ifndef STENO_CODEC_H
#define STENO_CODEC_H

#include "steno/detail/accessor/macro_check.h"
#include "steno/detail/format_table.h"

/** @def STN_FN
 * Qualifiers of an inline function in every supported language. */
/** @def STN_HAVE_DOUBLE
 * Defined if the language has double. OpenCL devices may lack it; functions that use double are not
 * declared then. */

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
typedef uint8_t stn_u8;   /**< Unsigned integer of 8 bits. */
typedef uint16_t stn_u16; /**< Unsigned integer of 16 bits. */
typedef uint32_t stn_u32; /**< Unsigned integer of 32 bits. */
typedef uint64_t stn_u64; /**< Unsigned integer of 64 bits. */
typedef int8_t stn_i8;    /**< Signed integer of 8 bits. */
typedef int16_t stn_i16;  /**< Signed integer of 16 bits. */
typedef int32_t stn_i32;  /**< Signed integer of 32 bits. */
typedef int64_t stn_i64;  /**< Signed integer of 64 bits. */
#    if defined(__CUDACC__) || defined(__HIPCC__) || defined(__HIP__)
#        define STN_FN static __host__ __device__ inline __attribute__((__unused__))
#    elif defined(__GNUC__)
#        define STN_FN static inline __attribute__((__unused__, __always_inline__))
#    else
#        define STN_FN static inline
#    endif
#endif

#if !defined(STN_OPENCL) || defined(cl_khr_fp64) || defined(__opencl_c_fp64)
#    define STN_HAVE_DOUBLE 1
typedef double stn_f64; /**< 64-bit float. */
#endif
typedef float stn_f32; /**< 32-bit float. */

#if defined(STN_OPENCL)
STN_FN stn_u32 stn_bits_of_f32(float value_) { return as_uint(value_); }
STN_FN float stn_f32_of_bits(stn_u32 bits_) { return as_float(bits_); }
#    ifdef STN_HAVE_DOUBLE
STN_FN stn_u64 stn_bits_of_f64(double value_) { return as_ulong(value_); }
STN_FN double stn_f64_of_bits(stn_u64 bits_) { return as_double(bits_); }
#    endif
#elif defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
STN_FN stn_u32 stn_bits_of_f32(float value_) { return __float_as_uint(value_); }
STN_FN float stn_f32_of_bits(stn_u32 bits_) { return __uint_as_float(bits_); }
STN_FN stn_u64 stn_bits_of_f64(double value_) { return (stn_u64)__double_as_longlong(value_); }
STN_FN double stn_f64_of_bits(stn_u64 bits_) { return __longlong_as_double((long long)bits_); }
#else
/** Returns the bits of a float, `value`. */
STN_FN stn_u32 stn_bits_of_f32(float value_)
{
    stn_u32 bits_;
    memcpy(&bits_, &value_, sizeof bits_);
    return bits_;
}
/** Returns the float with the given `bits`. */
STN_FN float stn_f32_of_bits(stn_u32 bits_)
{
    float value_;
    memcpy(&value_, &bits_, sizeof value_);
    return value_;
}
/** Returns the bits of a double, `value`. */
STN_FN stn_u64 stn_bits_of_f64(double value_)
{
    stn_u64 bits_;
    memcpy(&bits_, &value_, sizeof bits_);
    return bits_;
}
/** Returns the double with the given `bits`. */
STN_FN double stn_f64_of_bits(stn_u64 bits_)
{
    double value_;
    memcpy(&value_, &bits_, sizeof value_);
    return value_;
}
#endif

/* ---- rules of storing ---- */

/** Rounding of a value between two codes. */
typedef enum stn_rounding {
    STN_ROUND_NEAREST = 0,     /**< To the nearest code; of two, to the even one. */
    STN_ROUND_TOWARD_ZERO = 1, /**< Toward zero, as a C conversion to an integer. */
    STN_ROUND_STOCHASTIC = 2   /**< Up, with a probability equal to the truncated fraction. */
} stn_rounding;

/** Result for a value beyond the largest finite value of a float format. Integers saturate. */
typedef enum stn_overflow {
    STN_OVERFLOW_DEFAULT = 0,  /**< The rule of the format (doc/formats.md). */
    STN_OVERFLOW_INFINITY = 1, /**< Infinity, or NaN if the format has no infinity. Finite values
                                * that are rounded toward zero become the largest finite value. */
    STN_OVERFLOW_SATURATE = 2, /**< The largest finite value, also for infinities. */
    STN_OVERFLOW_NAN = 3       /**< NaN, also for infinities. */
} stn_overflow;

/** Kind of a fitted scale. */
typedef enum stn_scale_choice {
    STN_SCALE_POWER_OF_TWO = 0, /**< the smallest power of two that suffices, which is exact to
                                 * multiply by */
    STN_SCALE_EXACT = 1         /**< the quotient of the largest magnitude and that of the format;
                                 * integers are then not stored exactly */
} stn_scale_choice;

/** Event: the value was beyond the largest finite value. An infinity that is stored as such is not
 * an event. Events of one conversion are combined with |. */
#define STN_EVENT_SATURATED 1u
/** Event: a nonzero value was stored as zero, which is code 0 of an integer format. */
#define STN_EVENT_UNDERFLOWED 2u
/** Event: the value was NaN. */
#define STN_EVENT_NAN 4u

/** Mixes 64 bits: each bit of the result depends on all bits of `z`. It is the finalizer of
 * SplitMix64: Steele, Lea and Flood, OOPSLA 2014. */
STN_FN stn_u64 stn_hash_bits(stn_u64 z_)
{
    z_ = (z_ ^ (z_ >> 30)) * 0xbf58476d1ce4e5b9u;
    z_ = (z_ ^ (z_ >> 27)) * 0x94d049bb133111ebu;
    return z_ ^ (z_ >> 31);
}
/** Returns 64 random bits from a `seed` and a counter, `index`, the same on every target:
 * stn_hash_bits() applied twice. */
STN_FN stn_u64 stn_random_bits(stn_u64 seed_, stn_u64 index_)
{
    return stn_hash_bits(stn_hash_bits(seed_ + 0x9e3779b97f4a7c15u) + index_ * 0x9e3779b97f4a7c15u);
}

/** Mixes the lower 32 bits of an `index` with a `key`: a permutation of the indices. It is the
 * 32-bit hash 16-21f0aaad-15-d35a2d97-15 of hash-prospector (C. Wellons), to which half of the key
 * is added after the first multiplication. */
STN_FN stn_u32 stn_rounding_hash(stn_u32 index_, stn_u64 key_)
{
    index_ ^= (stn_u32)key_;
    index_ = (index_ ^ (index_ >> 16)) * 0x21f0aaadu + (stn_u32)(key_ >> 32);
    index_ = (index_ ^ (index_ >> 15)) * 0xd35a2d97u;
    return index_ ^ (index_ >> 15);
}
/** Returns the random bits of stochastic rounding from a `seed` and the `index` of an element, the
 * same on every target: 31 random bits followed by ones, so that stn_rounds_up() rounds up with the
 * probability of the fraction, rounded down to a multiple of 2^-31. The random bits are the
 * complement of the upper bits of stn_rounding_hash(), whose key is stn_random_bits() of the seed
 * and the upper half of the index. */
STN_FN stn_u64 stn_rounding_bits(stn_u64 seed_, stn_u64 index_)
{
    const stn_u32 hash_ = stn_rounding_hash((stn_u32)index_, stn_random_bits(seed_, index_ >> 32));
    return ~((stn_u64)(hash_ >> 1) << 33);
}

/* ---- codecs by parameters ---- */

/** Parameters of a float format. */
typedef struct stn_float_kind {
    int exponent_bits;     /**< Bits of the exponent. */
    int fraction_bits;     /**< Bits of the fraction. */
    int finite_only;       /**< 1: no infinities, and one NaN code per sign, as e4m3. */
    stn_overflow overflow; /**< Rule for STN_OVERFLOW_DEFAULT. */
} stn_float_kind;

/** Returns 1 if a number is rounded up to the next integer, otherwise 0.
 * @param whole_     integer part
 * @param fraction_  fraction in units of 2^-64
 * @param rounding_  rounding
 * @param random_    random bits, used by stochastic rounding only */
STN_FN stn_u64 stn_rounds_up(stn_u64 whole_, stn_u64 fraction_, stn_rounding rounding_,
                             stn_u64 random_)
{
    const stn_u64 middle_ = (stn_u64)1 << 63;
    if (rounding_ == STN_ROUND_NEAREST)
        return fraction_ > middle_ || (fraction_ == middle_ && (whole_ & 1));
    return rounding_ == STN_ROUND_STOCHASTIC && random_ < fraction_;
}

/** Returns the bits that a right `shift` of a `significand`, of at least 0, truncates, as a
 * fraction in units of 2^-64. A significand has 53 bits, so the part below 2^-64 that is omitted
 * never reaches one half. */
STN_FN stn_u64 stn_cut_fraction(stn_u64 significand_, int shift_)
{
    if (shift_ == 0 || shift_ >= 128)
        return 0;
    return shift_ <= 64 ? significand_ << (64 - shift_) : significand_ >> (shift_ - 64);
}

/** Encodes a value in a float format.
 * @param value_           bits of the value, a binary64
 * @param kind_            parameters of the format
 * @param rounding_        rounding
 * @param overflow_        rule for overflow
 * @param random_          random bits, used by stochastic rounding only
 * @param[in,out] events_  events of this conversion are added with |
 * @return the code */
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

/** Decodes a `code` of up to 64 bits of the float format `kind`, exactly. Returns the bits of the
 * value, a binary64; NaN is positive and quiet. */
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

/** Encodes a value in an integer format. Values out of range saturate.
 *
 * NaN becomes code 0, which is decoded to -scale * zero if the storage has a zero point.
 *
 * @param value_           bits of the value, a binary64
 * @param bits_            bits of the format, 1 to 64
 * @param is_signed_       1: two's complement, 0: unsigned
 * @param rounding_        rounding
 * @param random_          random bits, used by stochastic rounding only
 * @param[in,out] events_  events of this conversion are added with |
 * @return the code */
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

/** Decodes a `code` of an integer format of 1 to 64 `bits`, two's complement if `is_signed` is 1.
 * Unsigned codes above 2^63 - 1 are returned modulo 2^64. */
STN_FN stn_i64 stn_integer_decode(stn_u64 code_, int bits_, int is_signed_)
{
    const stn_u64 sign_ = (stn_u64)1 << (bits_ - 1);
    return (stn_i64)(is_signed_ ? (code_ ^ sign_) - sign_ : code_);
}

/* ---- codecs by name ---- */

#ifdef STN_DOXYGEN
/** A code of f16, in a struct because C has no such type. stn_bf16, stn_e4m3 and stn_e5m2 are
 * defined in the same way. */
typedef struct stn_f16 {
    stn_u16 bits; /**< The code. */
} stn_f16;
/** A code of f24: an f32 rounded to three bytes. stn_f40 and stn_f48, an f64 rounded to five and
 * six bytes, are defined in the same way. */
typedef struct stn_f24 {
    stn_u8 bytes[3]; /**< The code, the least significant byte first. */
} stn_f24;
/** Returns the bits of a `code` of f24. The same function exists for every float format. */
stn_u64 stn_bits_of_f24(stn_f24 code);
/** Returns the code of f24 with the given `bits`. The same function exists for every float format.
 */
stn_f24 stn_f24_of_bits(stn_u64 bits);
/** Decodes a `code` of f16, to f32 exactly. The same function exists for bf16, e4m3, e5m2, f24, f40
 * and f48: stn_bf16_to_f32, ...; codes of f40 and f48 are rounded to nearest. */
float stn_f16_to_f32(stn_f16 code);
/** Version of stn_f16_to_f32 for double: exact for every format. */
double stn_f16_to_f64(stn_f16 code);
/** Encodes a `value` in f16, rounded to nearest, with the overflow rule of the format. The same
 * function exists for bf16, e4m3, e5m2, f24, f40 and f48: stn_bf16_from_f32, ... */
stn_f16 stn_f16_from_f32(float value);
/** Version of stn_f16_from_f32 for double. */
stn_f16 stn_f16_from_f64(double value);
/** Returns the parameters of f16. The same function exists for every float format. */
stn_float_kind stn_f16_kind(void);
#endif

/** @cond INTERNAL */

/* Compilers and vendors have types of 16 bits, such as _Float16. Their elements may be accessed as
 * these structs. */
#if defined(__GNUC__) && !defined(STN_OPENCL)
#    define STN_MAY_ALIAS __attribute__((__may_alias__))
#else
#    define STN_MAY_ALIAS
#endif
/* clang-format off */
#define STN_BITS_TYPE_8(name)  typedef struct stn_##name { stn_u8 bits; } stn_##name;
#define STN_BITS_TYPE_16(name) typedef struct STN_MAY_ALIAS stn_##name { stn_u16 bits; } stn_##name;
#define STN_BITS_TYPE_24(name) typedef struct stn_##name { stn_u8 bytes[3]; } stn_##name;
#define STN_BITS_TYPE_40(name) typedef struct stn_##name { stn_u8 bytes[5]; } stn_##name;
#define STN_BITS_TYPE_48(name) typedef struct stn_##name { stn_u8 bytes[6]; } stn_##name;
/* clang-format on */
#define STN_BITS_TYPE_32(name)
#define STN_BITS_TYPE_64(name)

/* The bits of a code, and back. */
#define STN_BITS_OF_WORD(name, uint)                                                               \
    STN_FN uint stn_bits_of_##name(stn_##name code_) { return code_.bits; }                        \
    STN_FN stn_##name stn_##name##_of_bits(stn_u64 bits_)                                          \
    {                                                                                              \
        stn_##name code_;                                                                          \
        code_.bits = (uint)bits_;                                                                  \
        return code_;                                                                              \
    }
#define STN_BITS_OF_BYTES(name, uint, size)                                                        \
    STN_FN uint stn_bits_of_##name(stn_##name code_)                                               \
    {                                                                                              \
        uint bits_ = 0;                                                                            \
        for (int k_ = 0; k_ < size; k_++)                                                          \
            bits_ |= (uint)code_.bytes[k_] << 8 * k_;                                              \
        return bits_;                                                                              \
    }                                                                                              \
    STN_FN stn_##name stn_##name##_of_bits(stn_u64 bits_)                                          \
    {                                                                                              \
        stn_##name code_;                                                                          \
        for (int k_ = 0; k_ < size; k_++)                                                          \
            code_.bytes[k_] = (stn_u8)(bits_ >> 8 * k_);                                           \
        return code_;                                                                              \
    }
#define STN_BITS_OF_8(name)  STN_BITS_OF_WORD(name, stn_u8)
#define STN_BITS_OF_16(name) STN_BITS_OF_WORD(name, stn_u16)
#define STN_BITS_OF_24(name) STN_BITS_OF_BYTES(name, stn_u32, 3)
#define STN_BITS_OF_40(name) STN_BITS_OF_BYTES(name, stn_u64, 5)
#define STN_BITS_OF_48(name) STN_BITS_OF_BYTES(name, stn_u64, 6)
#define STN_BITS_OF_32(name)
#define STN_BITS_OF_64(name)

#define STN_FINITE_ONLY_IEEE 0
#define STN_FINITE_ONLY_FN   1

#define STN_NARROW_CODEC(name)                                                                     \
    STN_FN float stn_##name##_to_f32(stn_##name code_)                                             \
    {                                                                                              \
        unsigned events_ = 0;                                                                      \
        return stn_f32_of_bits((stn_u32)stn_float_encode(                                          \
            stn_float_decode(stn_bits_of_##name(code_), stn_##name##_kind()), stn_f32_kind(),      \
            STN_ROUND_NEAREST, STN_OVERFLOW_INFINITY, 0, &events_));                               \
    }                                                                                              \
    STN_FN stn_##name stn_##name##_from_f32(float value_)                                          \
    {                                                                                              \
        unsigned events_ = 0;                                                                      \
        return stn_##name##_of_bits(stn_float_encode(                                              \
            stn_float_decode(stn_bits_of_f32(value_), stn_f32_kind()), stn_##name##_kind(),        \
            STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, &events_));                                \
    }                                                                                              \
    STN_NARROW_CODEC_F64(name)
#ifdef STN_HAVE_DOUBLE
#    define STN_NARROW_CODEC_F64(name)                                                             \
        STN_FN double stn_##name##_to_f64(stn_##name code_)                                        \
        {                                                                                          \
            return stn_f64_of_bits(                                                                \
                stn_float_decode(stn_bits_of_##name(code_), stn_##name##_kind()));                 \
        }                                                                                          \
        STN_FN stn_##name stn_##name##_from_f64(double value_)                                     \
        {                                                                                          \
            unsigned events_ = 0;                                                                  \
            return stn_##name##_of_bits(stn_float_encode(stn_bits_of_f64(value_),                  \
                                                         stn_##name##_kind(), STN_ROUND_NEAREST,   \
                                                         STN_OVERFLOW_DEFAULT, 0, &events_));      \
        }
#else
#    define STN_NARROW_CODEC_F64(name)
#endif
#define STN_NARROW_CODEC_8(name)  STN_NARROW_CODEC(name)
#define STN_NARROW_CODEC_16(name) STN_NARROW_CODEC(name)
#define STN_NARROW_CODEC_24(name) STN_NARROW_CODEC(name)
#define STN_NARROW_CODEC_32(name)
#define STN_NARROW_CODEC_40(name) STN_NARROW_CODEC(name)
#define STN_NARROW_CODEC_48(name) STN_NARROW_CODEC(name)
#define STN_NARROW_CODEC_64(name)

#define STN_FLOAT_ROW(id, NAME, name, bits, exponent, fraction, specials, overflow_rule)           \
    STN_BITS_TYPE_##bits(name) STN_BITS_OF_##bits(name)                                            \
        STN_FN stn_float_kind stn_##name##_kind(void)                                              \
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

STN_FORMAT_TABLE(STN_FLOAT_ROW, STN_NO_ROW, STN_NO_ROW)
STN_FORMAT_TABLE(STN_FLOAT_CODEC_ROW, STN_NO_ROW, STN_NO_ROW)

/** @endcond */

#endif
