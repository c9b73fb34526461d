/* Conversion of one value: stn_read_f64_f16(code) and stn_write_f64_f16(value, rounding, overflow,
 * random) for every pair of arithmetic type and format.
 *
 * The values are those of codec.h, which is called for rules other than rounding to nearest.
 * Rounding to nearest has no branches, so that compilers vectorize it. f64 and f32 are converted by
 * casts: subnormal numbers of f32 and bf16 follow the flush-to-zero mode of the thread, and the
 * payload of NaN is that of the processor. */
#ifndef STENO_ACCESSOR_VALUE_H
#define STENO_ACCESSOR_VALUE_H

#include "steno/detail/accessor/machine.h"
#include "steno/detail/accessor/complex.h"

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#    error "steno: this target computes float and double in a wider type (use -mfpmath=sse)"
#endif

/* The rules are constants in callers, so that only one branch is compiled. */
/* The random bits of an element depend on seed and index; part p of a complex element has index
 * 2 * index + p. */
#define STN_RULES       stn_rounding rounding_, stn_overflow overflow_, stn_u64 seed_, stn_u64 index_
#define STN_RULES_GIVEN rounding_, overflow_, seed_, index_

/* Bits of the value as binary64, for codecs with parameters. */
STN_FN stn_u64 stn_wide_f32(float value_)
{
    return stn_float_decode(stn_bits_of_f32(value_), stn_f32_kind());
}
#ifdef STN_HAVE_DOUBLE
STN_FN stn_u64 stn_wide_f64(double value_) { return stn_bits_of_f64(value_); }
#endif

/* condition ? a : b without a branch. Compilers could move arithmetic into a branch and then would
 * not vectorize it. */
STN_FN stn_u32 stn_select_u32(int condition_, stn_u32 a_, stn_u32 b_)
{
    return b_ ^ ((a_ ^ b_) & (0u - (stn_u32)condition_));
}
STN_FN stn_u64 stn_select_u64(int condition_, stn_u64 a_, stn_u64 b_)
{
    return b_ ^ ((a_ ^ b_) & (0u - (stn_u64)condition_));
}

/* ---- narrow floats in f32 ---- */

STN_FN float stn_narrow_to_f32(stn_u32 code_, stn_float_kind kind_)
{
    const int e_ = kind_.exponent_bits, f_ = kind_.fraction_bits;
    const stn_u32 all_ = ((stn_u32)1 << (e_ + f_)) - 1, infinity_ = all_ >> f_ << f_;
    const stn_u32 magnitude_ = code_ & all_;
    const stn_u32 sign_ = (code_ & (all_ + 1)) << (31 - e_ - f_);
    const stn_u32 bias_ = 128u - ((stn_u32)1 << (e_ - 1)); /* added to the exponent */
    stn_u32 bits_ = (magnitude_ << (23 - f_)) + (bias_ << 23);

#ifdef STN_MACHINE_CONVERTS
    if (stn_machine_reads(kind_))
        return stn_machine_read(code_, kind_);
#endif
    if (e_ < 8) {
        const stn_u32 least_ = (bias_ + 1) << 23; /* the smallest normal number */
        const float small_ =
            stn_f32_of_bits(magnitude_ << (23 - f_) | least_) - stn_f32_of_bits(least_);
        bits_ = stn_select_u32(magnitude_ >> f_ == 0, stn_bits_of_f32(small_), bits_);
    }
    if (!kind_.finite_only)
        bits_ = stn_select_u32(magnitude_ == infinity_, 0x7f800000u, bits_);
    return stn_f32_of_bits(stn_select_u32(magnitude_ > (kind_.finite_only ? all_ - 1 : infinity_),
                                          0x7fc00000u, bits_ | sign_));
}

/* Applies sign and overflow rule to `code`, a magnitude that was rounded with an unlimited
 * exponent. Integers have the width of the arithmetic type, so that vectors have one width. */
#define STN_NARROW_FINISH(uint)                                                                    \
    STN_FN uint uint##_narrow_finish(uint code_, uint sign_, int is_nan_, stn_float_kind kind_,    \
                                     stn_overflow overflow_)                                       \
    {                                                                                              \
        const uint all_ = ((uint)1 << (kind_.exponent_bits + kind_.fraction_bits)) - 1;            \
        const uint infinity_ = all_ >> kind_.fraction_bits << kind_.fraction_bits;                 \
        const uint nan =                                                                           \
            kind_.finite_only ? all_ : infinity_ | (uint)1 << (kind_.fraction_bits - 1);           \
        const uint largest_ = kind_.finite_only ? all_ - 1 : infinity_ - 1;                        \
        const stn_overflow rule_ = overflow_ == STN_OVERFLOW_DEFAULT ? kind_.overflow : overflow_; \
        const uint beyond_ = rule_ == STN_OVERFLOW_SATURATE                   ? sign_ | largest_   \
                             : rule_ == STN_OVERFLOW_NAN || kind_.finite_only ? nan                \
                                                                              : sign_ | infinity_; \
        code_ = code_ > largest_ ? beyond_ : sign_ | code_;                                        \
        return is_nan_ ? nan : code_;                                                              \
    }
STN_NARROW_FINISH(stn_u32)
STN_NARROW_FINISH(stn_u64)

STN_FN stn_u32 stn_f32_to_narrow(float value_, stn_float_kind kind_, STN_RULES)
{
    const int e_ = kind_.exponent_bits, f_ = kind_.fraction_bits;
    const stn_u32 bits_ = stn_bits_of_f32(value_), magnitude_ = bits_ & 0x7fffffffu;
    const stn_u32 sign_ = bits_ >> 31 << (e_ + f_);
    const stn_u32 bias_ = 128u - ((stn_u32)1 << (e_ - 1));
    stn_u32 code_ =
        ((magnitude_ + (((stn_u32)1 << (22 - f_)) - 1) + (magnitude_ >> (23 - f_) & 1)) >>
         (23 - f_)) -
        (bias_ << f_);

    if (rounding_ != STN_ROUND_NEAREST) {
        unsigned events_ = 0;
        return (stn_u32)stn_float_encode(stn_wide_f32(value_), kind_, rounding_, overflow_,
                                         stn_rounding_bits(seed_, index_), &events_);
    }
#ifdef STN_MACHINE_CONVERTS
    if (stn_machine_writes(kind_, rounding_, overflow_))
        return stn_machine_write_f32(value_, kind_);
#endif
    if (e_ < 8) { /* the last place of `unit` is the smallest code: the sum is rounded to it */
        const stn_u32 unit_ = (bias_ + 24u - (stn_u32)f_) << 23;
        const float rounded_ = stn_f32_of_bits(magnitude_) + stn_f32_of_bits(unit_);
        code_ = stn_select_u32(magnitude_ < (bias_ + 1) << 23, stn_bits_of_f32(rounded_) - unit_,
                               code_);
    }
    return stn_u32_narrow_finish(code_, sign_, magnitude_ > 0x7f800000u, kind_, overflow_);
}

#ifdef STN_HAVE_DOUBLE
STN_FN stn_u64 stn_f64_to_narrow(double value_, stn_float_kind kind_, STN_RULES)
{
    const int e_ = kind_.exponent_bits, f_ = kind_.fraction_bits;
    const stn_u64 bits_ = stn_bits_of_f64(value_), magnitude_ = bits_ & 0x7fffffffffffffffu;
    const stn_u64 sign_ = bits_ >> 63 << (e_ + f_);
    const stn_u64 bias_ = 1024u - ((stn_u64)1 << (e_ - 1));
    const stn_u64 unit_ = (bias_ + 53u - (stn_u64)f_) << 52;
    const double rounded_ = stn_f64_of_bits(magnitude_) + stn_f64_of_bits(unit_);
    stn_u64 code_ =
        ((magnitude_ + (((stn_u64)1 << (51 - f_)) - 1) + (magnitude_ >> (52 - f_) & 1)) >>
         (52 - f_)) -
        (bias_ << f_);

    if (rounding_ != STN_ROUND_NEAREST) {
        unsigned events_ = 0;
        return stn_float_encode(bits_, kind_, rounding_, overflow_,
                                stn_rounding_bits(seed_, index_), &events_);
    }
#    ifdef STN_MACHINE_CONVERTS
    if (stn_machine_writes(kind_, rounding_, overflow_))
        return stn_machine_write_f64(value_, kind_);
#    endif
    if (e_ < 11)
        code_ = stn_select_u64((stn_i64)magnitude_ < (stn_i64)((bias_ + 1) << 52),
                               stn_bits_of_f64(rounded_) - unit_, code_);
    return stn_u64_narrow_finish(code_, sign_, (stn_i64)magnitude_ > 0x7ff0000000000000, kind_,
                                 overflow_);
}
#endif

/* ---- integers ---- */

#ifdef STN_HAVE_DOUBLE
STN_FN stn_u64 stn_f64_to_integer(double value_, int bits_, int is_signed_, STN_RULES)
{
    const double span_ = (double)((stn_u64)1 << (bits_ - 1)); /* half the number of codes */
    const stn_u64 wide_ = stn_bits_of_f64(value_), magnitude_ = wide_ & 0x7fffffffffffffffu;
    const stn_u64 above_ = stn_bits_of_f64(is_signed_ ? span_ - 1.0 : 2.0 * span_ - 1.0);
    const stn_u64 limit_ =
        stn_select_u64((int)(wide_ >> 63), is_signed_ ? stn_bits_of_f64(span_) : 0, above_);
    const stn_u64 kept_ = stn_select_u64((stn_i64)magnitude_ < (stn_i64)limit_, magnitude_, limit_);

    /* the sum with 1.5 * 2^52 (f32: 1.5 * 2^23) has the integer in its last bits */
    const double middle_ = 6755399441055744.0;

    (void)overflow_; /* integers saturate */
#    ifdef STN_MACHINE_ROUNDS
    if (rounding_ == STN_ROUND_NEAREST && bits_ <= 32)
        return stn_machine_integer_f64(value_, bits_, is_signed_);
#    endif
    if (rounding_ == STN_ROUND_NEAREST && bits_ == 64 && magnitude_ < 0x4320000000000000u) {
        const stn_u64 whole_ = stn_bits_of_f64(value_ + middle_) - stn_bits_of_f64(middle_);
        return is_signed_ || !(whole_ >> 63) ? whole_ : 0;
    }
    if (rounding_ != STN_ROUND_NEAREST || bits_ > 32) {
        unsigned events_ = 0;
        return stn_integer_encode(wide_, bits_, is_signed_, rounding_,
                                  stn_rounding_bits(seed_, index_), &events_);
    }
    return stn_select_u64((stn_i64)magnitude_ > 0x7ff0000000000000, 0,
                          stn_bits_of_f64(stn_f64_of_bits(kept_ | (wide_ ^ magnitude_)) + middle_));
}
#endif

STN_FN stn_u64 stn_f32_to_integer(float value_, int bits_, int is_signed_, STN_RULES)
{
    const float span_ = (float)((stn_u64)1 << (bits_ - 1));
    const stn_u32 wide_ = stn_bits_of_f32(value_), magnitude_ = wide_ & 0x7fffffffu;
    const stn_u32 above_ = stn_bits_of_f32(is_signed_ ? span_ - 1.0f : 2.0f * span_ - 1.0f);
    const stn_u32 limit_ =
        stn_select_u32((int)(wide_ >> 31), is_signed_ ? stn_bits_of_f32(span_) : 0, above_);
    const stn_u32 kept_ = stn_select_u32((stn_i32)magnitude_ < (stn_i32)limit_, magnitude_, limit_);

    (void)overflow_;
#ifdef STN_MACHINE_ROUNDS
    if (rounding_ == STN_ROUND_NEAREST && bits_ <= 32)
        return stn_machine_integer_f32(value_, bits_, is_signed_);
#endif
    if (rounding_ == STN_ROUND_NEAREST && bits_ <= 16)
        return stn_select_u32(
            (stn_i32)magnitude_ > 0x7f800000, 0,
            stn_bits_of_f32(stn_f32_of_bits(kept_ | (wide_ ^ magnitude_)) + 12582912.0f));
    if (rounding_ == STN_ROUND_NEAREST) {
#ifdef STN_HAVE_DOUBLE
        return stn_f64_to_integer((double)value_, bits_, is_signed_, STN_RULES_GIVEN);
#endif
    }
    {
        unsigned events_ = 0;
        return stn_integer_encode(stn_wide_f32(value_), bits_, is_signed_, rounding_,
                                  stn_rounding_bits(seed_, index_), &events_);
    }
}

/* u64 is read and written modulo 2^64: storing what was read changes nothing. */
STN_FN stn_u64 stn_i64_to_integer(stn_i64 value_, int bits_, int is_signed_)
{
    const stn_i64 highest_ = (stn_i64)(~(stn_u64)0 >> (bits_ == 64 ? 1 : 64 - bits_ + is_signed_));
    const stn_i64 lowest_ = is_signed_ || bits_ == 64 ? -highest_ - 1 : 0;
    const stn_i64 low_ = value_ < lowest_ ? lowest_ : value_;
    return (stn_u64)(low_ > highest_ ? highest_ : low_);
}

/* ---- by arithmetic type and format ---- */

#ifdef STN_HAVE_DOUBLE
#    define STN_IF_DOUBLE(...) __VA_ARGS__
#else
#    define STN_IF_DOUBLE(...)
#endif

/* A stored value that is read back. gcc (12 and others) omits the rounding of adjacent values that
 * are converted from f64 to f32 and back. The asm hides the origin of the value and has no cost if
 * the value is not read. */
#if defined(__CUDA_ARCH__)
#    define STN_HIDE(x) ((void)0)
#elif defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
#    define STN_HIDE(x) __asm__("" : "+x"(x))
#elif defined(__GNUC__) && !defined(__clang__) && defined(__aarch64__)
#    define STN_HIDE(x) __asm__("" : "+w"(x))
#else
#    define STN_HIDE(x) ((void)0)
#endif
/* Parts of complex numbers are always adjacent, so that their origin is also hidden before the
 * store. */
#define STN_VALUE_STORED(real, name)                                                               \
    STN_FN stn_##name stn_storing_##real##_##name(stn_##name code_) { return code_; }              \
    STN_FN stn_##name stn_stored_##real##_##name(stn_##name code_) { return code_; }

/* f64 and f32: a cast, unless the rules affect the result. */
#define STN_VALUE_WIDE(real, name, uint)                                                           \
    STN_FN stn_##real stn_read_##real##_##name(stn_##name code_) { return (stn_##real)code_; }     \
    STN_FN stn_##name stn_storing_##real##_##name(stn_##name code_) { return code_; }              \
    STN_FN stn_##name stn_stored_##real##_##name(stn_##name code_)                                 \
    {                                                                                              \
        if (sizeof(stn_##real) > sizeof code_)                                                     \
            STN_HIDE(code_);                                                                       \
        return code_;                                                                              \
    }                                                                                              \
    STN_FN stn_##name stn_write_##real##_##name(stn_##real value_, STN_RULES)                      \
    {                                                                                              \
        unsigned events_ = 0;                                                                      \
        if ((rounding_ == STN_ROUND_NEAREST || sizeof(stn_##real) <= sizeof(stn_##name)) &&        \
            overflow_ <= STN_OVERFLOW_INFINITY)                                                    \
            return (stn_##name)value_;                                                             \
        return stn_##name##_of_bits(                                                               \
            (uint)stn_float_encode(stn_wide_##real(value_), stn_##name##_kind(), rounding_,        \
                                   overflow_, stn_rounding_bits(seed_, index_), &events_));        \
    }
#define STN_VALUE_NARROW(real, name)                                                               \
    STN_VALUE_STORED(real, name)                                                                   \
    STN_FN stn_##real stn_read_##real##_##name(stn_##name code_)                                   \
    {                                                                                              \
        return (stn_##real)stn_narrow_to_f32(stn_bits_of_##name(code_), stn_##name##_kind());      \
    }                                                                                              \
    STN_FN stn_##name stn_write_##real##_##name(stn_##real value_, STN_RULES)                      \
    {                                                                                              \
        return stn_##name##_of_bits(                                                               \
            stn_##real##_to_narrow(value_, stn_##name##_kind(), STN_RULES_GIVEN));                 \
    }
/* Floats with the exponent of f64: its upper bits. */
#define STN_VALUE_UPPER(real, name, width)                                                         \
    STN_VALUE_STORED(real, name)                                                                   \
    STN_FN stn_##real stn_read_##real##_##name(stn_##name code_)                                   \
    {                                                                                              \
        return (stn_##real)stn_f64_of_bits(stn_bits_of_##name(code_) << (64 - width));             \
    }                                                                                              \
    STN_FN stn_##name stn_write_##real##_##name(stn_##real value_, STN_RULES)                      \
    {                                                                                              \
        return stn_##name##_of_bits(                                                               \
            stn_f64_to_narrow((double)value_, stn_##name##_kind(), STN_RULES_GIVEN));              \
    }
/* Compilers of NVIDIA's shorten conversions of 8 bits, which takes an additional instruction. */
#ifdef STN_MACHINE_ROUNDS
#    define STN_READ_INTEGER_8(real, code) stn_machine_##real##_of(code)
#else
#    define STN_READ_INTEGER_8(real, code) ((stn_##real)(code))
#endif
#define STN_READ_INTEGER_16(real, code) ((stn_##real)(code))
#define STN_READ_INTEGER_32(real, code) ((stn_##real)(code))
#define STN_READ_INTEGER_64(real, code) ((stn_##real)(code))
#define STN_VALUE_INTEGER(real, name, width, is_signed)                                            \
    STN_VALUE_STORED(real, name)                                                                   \
    STN_FN stn_##real stn_read_##real##_##name(stn_##name code_)                                   \
    {                                                                                              \
        return STN_READ_INTEGER_##width(real, code_);                                              \
    }                                                                                              \
    STN_FN stn_##name stn_write_##real##_##name(stn_##real value_, STN_RULES)                      \
    {                                                                                              \
        return (stn_##name)stn_##real##_to_integer(value_, width, is_signed, STN_RULES_GIVEN);     \
    }
#define STN_VALUE_I64(name, width, is_signed)                                                      \
    STN_VALUE_STORED(i64, name)                                                                    \
    STN_FN stn_i64 stn_read_i64_##name(stn_##name code_) { return (stn_i64)code_; }                \
    STN_FN stn_##name stn_write_i64_##name(stn_i64 value_, STN_RULES)                              \
    {                                                                                              \
        (void)rounding_, (void)overflow_, (void)seed_, (void)index_;                               \
        return (stn_##name)stn_i64_to_integer(value_, width, is_signed);                           \
    }
#define STN_VALUE_COMPLEX(complex, real, name, part)                                               \
    STN_FN stn_##complex stn_read_##complex##_##name(stn_##name code_)                             \
    {                                                                                              \
        stn_##complex value_;                                                                      \
        value_.re = stn_read_##real##_##part(code_.re);                                            \
        value_.im = stn_read_##real##_##part(code_.im);                                            \
        return value_;                                                                             \
    }                                                                                              \
    STN_FN stn_##name stn_stored_##complex##_##name(stn_##name code_)                              \
    {                                                                                              \
        code_.re = stn_stored_##real##_##part(code_.re);                                           \
        code_.im = stn_stored_##real##_##part(code_.im);                                           \
        return code_;                                                                              \
    }                                                                                              \
    STN_FN stn_##name stn_storing_##complex##_##name(stn_##name code_)                             \
    {                                                                                              \
        return stn_stored_##complex##_##name(code_);                                               \
    }                                                                                              \
    STN_FN stn_##name stn_write_##complex##_##name(stn_##complex value_, STN_RULES)                \
    {                                                                                              \
        stn_##name code_;                                                                          \
        code_.re = stn_write_##real##_##part(value_.re, rounding_, overflow_, seed_, 2 * index_);  \
        code_.im =                                                                                 \
            stn_write_##real##_##part(value_.im, rounding_, overflow_, seed_, 2 * index_ + 1);     \
        return code_;                                                                              \
    }

#define STN_VALUES_64(name)                                                                        \
    STN_IF_DOUBLE(STN_VALUE_WIDE(f32, name, stn_u64) STN_VALUE_WIDE(f64, name, stn_u64))
#define STN_VALUES_32(name)                                                                        \
    STN_VALUE_WIDE(f32, name, stn_u32) STN_IF_DOUBLE(STN_VALUE_WIDE(f64, name, stn_u32))
#define STN_VALUES_16(name) STN_VALUE_NARROW(f32, name) STN_IF_DOUBLE(STN_VALUE_NARROW(f64, name))
#define STN_VALUES_8(name)  STN_VALUES_16(name)
#define STN_VALUES_24(name) STN_VALUES_16(name)
#define STN_VALUES_40(name)                                                                        \
    STN_IF_DOUBLE(STN_VALUE_UPPER(f32, name, 40) STN_VALUE_UPPER(f64, name, 40))
#define STN_VALUES_48(name)                                                                        \
    STN_IF_DOUBLE(STN_VALUE_UPPER(f32, name, 48) STN_VALUE_UPPER(f64, name, 48))
#define STN_VALUES_F64(name)        STN_IF_DOUBLE(STN_VALUES_C128(name, f64) STN_VALUES_C64(name, f64))
#define STN_VALUES_F32(name)        STN_VALUES_C64(name, f32) STN_IF_DOUBLE(STN_VALUES_C128(name, f32))
#define STN_VALUES_F16(name)        STN_VALUES_C64(name, f16) STN_IF_DOUBLE(STN_VALUES_C128(name, f16))
#define STN_VALUES_C128(name, part) STN_VALUE_COMPLEX(c128, f64, name, part)
#define STN_VALUES_C64(name, part)  STN_VALUE_COMPLEX(c64, f32, name, part)

#define STN_VALUE_FLOAT_ROW(id, NAME, name, bits, ...)   STN_VALUES_##bits(name)
#define STN_VALUE_COMPLEX_ROW(id, NAME, name, COMPONENT) STN_VALUES_##COMPONENT(name)
#define STN_VALUE_INTEGER_ROW(id, NAME, name, bits, is_signed)                                     \
    STN_VALUE_I64(name, bits, is_signed)                                                           \
    STN_VALUE_INTEGER(f32, name, bits, is_signed)                                                  \
    STN_IF_DOUBLE(STN_VALUE_INTEGER(f64, name, bits, is_signed))

STN_FORMAT_TABLE(STN_VALUE_FLOAT_ROW, STN_VALUE_INTEGER_ROW, STN_NO_ROW)
STN_FORMAT_TABLE(STN_NO_ROW, STN_NO_ROW, STN_VALUE_COMPLEX_ROW)

/* ---- operations of the arithmetic types; those of the complex ones are in complex.h ---- */

/* Integers wrap where they overflow; a quotient by 0 is 0. */
#define STN_OPERATIONS(real, R, wide)                                                              \
    STN_FN R stn_zero_##real(void) { return 0; }                                                   \
    STN_FN R stn_one_##real(void) { return 1; }                                                    \
    STN_FN R R##_negate(R a_) { return -a_; }                                                      \
    STN_FN R R##_add(R a_, R b_) { return (R)((wide)a_ + (wide)b_); }                              \
    STN_FN R R##_subtract(R a_, R b_) { return (R)((wide)a_ - (wide)b_); }                         \
    STN_FN R R##_multiply(R a_, R b_) { return (R)((wide)a_ * (wide)b_); }
#define STN_COMPLEX_UNITS(complex)                                                                 \
    STN_FN stn_##complex stn_zero_##complex(void) { return stn_##complex##_of(0, 0); }             \
    STN_FN stn_##complex stn_one_##complex(void) { return stn_##complex##_of(1, 0); }

STN_OPERATIONS(i64, stn_i64, stn_u64)
STN_OPERATIONS(f32, stn_f32, float)
STN_IF_DOUBLE(STN_OPERATIONS(f64, stn_f64, double))
STN_FN float stn_f32_divide(float a_, float b_) { return a_ / b_; }
STN_IF_DOUBLE(STN_FN double stn_f64_divide(double a_, double b_) { return a_ / b_; })
STN_FN stn_i64 stn_i64_divide(stn_i64 a_, stn_i64 b_)
{
    if (b_ == 0 || b_ == -1)
        return (stn_i64)((0u - (stn_u64)a_) & (stn_u64)b_); /* processors differ or trap */
    return a_ / b_;
}
STN_COMPLEX_UNITS(c64)
STN_IF_DOUBLE(STN_COMPLEX_UNITS(c128))

#endif
