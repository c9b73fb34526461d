/* Conversion of narrow floats and integers by instructions of NVIDIA GPUs, with the bits of the
 * integer code in value.h except for the payload of a NaN that is read. */
#ifndef STENO_ACCESSOR_MACHINE_H
#define STENO_ACCESSOR_MACHINE_H

#include "steno/codec.h"

#if defined(__CUDA_ARCH__)
#    if __CUDA_ARCH__ >= 800
#        define STN_MACHINE_CONVERTS 1
#    endif
#endif

#if defined(__CUDA_ARCH__)
#    define STN_MACHINE_ROUNDS 1

STN_FN int stn_machine_clamped(int value_, int bits_, int is_signed_)
{
    const int highest_ = (int)(~0u >> (32 - bits_ + is_signed_));
    const int lowest_ = is_signed_ ? -highest_ - 1 : 0;
    const int low_ = value_ < lowest_ ? lowest_ : value_;
    return low_ > highest_ ? highest_ : low_;
}
STN_FN double stn_machine_f64_of(int code_)
{
    double value_;
    asm("cvt.rn.f64.s32 %0, %1;" : "=d"(value_) : "r"(code_));
    return value_;
}
STN_FN float stn_machine_f32_of(int code_) { return (float)code_; }

/* Integers of up to 32 bits, rounded to nearest. Conversion to 32 bits saturates; it returns 0 for
 * a NaN of f32. */
STN_FN stn_u32 stn_machine_integer_f32(float value_, int bits_, int is_signed_)
{
    if (bits_ == 32 && !is_signed_)
        return __float2uint_rn(value_);
    return (stn_u32)stn_machine_clamped(__float2int_rn(value_), bits_, is_signed_);
}
STN_FN stn_u32 stn_machine_integer_f64(double value_, int bits_, int is_signed_)
{
    const stn_u32 code_ =
        bits_ == 32 && !is_signed_
            ? __double2uint_rn(value_)
            : (stn_u32)stn_machine_clamped(__double2int_rn(value_), bits_, is_signed_);
    return value_ == value_ ? code_ : 0;
}
#endif

#ifdef STN_MACHINE_CONVERTS

/* Conversions to 8-bit formats require compute capability 8.9. */
#    if __CUDA_ARCH__ >= 890
#        define STN_MACHINE_HAS_8_BITS 1
#    else
#        define STN_MACHINE_HAS_8_BITS 0
#    endif

STN_FN float stn_machine_half(stn_u32 bits_)
{
    float value_;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value_) : "h"((stn_u16)bits_));
    return value_;
}

STN_FN float stn_machine_e4m3(stn_u32 code_)
{
#    if STN_MACHINE_HAS_8_BITS
    stn_u32 halves_;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves_) : "h"((stn_u16)code_));
    return stn_machine_half(halves_);
#    else
    /* As a half, whose bias is larger by 8; the last code is NaN. */
    const float value_ = stn_machine_half((code_ & 0x80u) << 8 | (code_ & 0x7fu) << 7) * 256.0f;
    return (code_ & 0x7fu) == 0x7fu ? stn_f32_of_bits(0x7fc00000u) : value_;
#    endif
}

/* Are there instructions that read codes of this kind? */
STN_FN int stn_machine_reads(stn_float_kind kind_)
{
    const int all_ = 1 + kind_.exponent_bits + kind_.fraction_bits;
    return (all_ == 16 && (kind_.exponent_bits == 8 || kind_.exponent_bits == 5)) ||
           (all_ == 8 && kind_.exponent_bits == (kind_.finite_only ? 4 : 5));
}

STN_FN float stn_machine_read(stn_u32 code_, stn_float_kind kind_)
{
    if (kind_.exponent_bits == 8)
        return stn_f32_of_bits(code_ << 16);
    if (kind_.exponent_bits == 4)
        return stn_machine_e4m3(code_);
    return stn_machine_half(kind_.fraction_bits == 10 ? code_ : code_ << 8);
}

/* Are there instructions that store values of this kind by these rules? */
STN_FN int stn_machine_writes(stn_float_kind kind_, stn_rounding rounding_, stn_overflow overflow_)
{
    const int wide_ = kind_.exponent_bits + kind_.fraction_bits == 15;
    const stn_overflow rule_ = overflow_ == STN_OVERFLOW_DEFAULT ? kind_.overflow : overflow_;
    return stn_machine_reads(kind_) && rounding_ == STN_ROUND_NEAREST &&
           (wide_ || STN_MACHINE_HAS_8_BITS) &&
           rule_ == (wide_ ? STN_OVERFLOW_INFINITY : STN_OVERFLOW_SATURATE);
}

/* The code of a number; unspecified for NaN. */
STN_FN stn_u32 stn_machine_number_f32(float value_, stn_float_kind kind_)
{
    stn_u16 code_ = 0;
    if (kind_.exponent_bits == 8)
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(code_) : "f"(value_));
    else if (kind_.fraction_bits == 10)
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(code_) : "f"(value_));
#    if STN_MACHINE_HAS_8_BITS
    else if (kind_.exponent_bits == 4)
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(code_) : "f"(0.0f), "f"(value_));
    else
        asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(code_) : "f"(0.0f), "f"(value_));
#    endif
    return code_ & ((1u << (1 + kind_.exponent_bits + kind_.fraction_bits)) - 1);
}

STN_FN stn_u32 stn_machine_nan(stn_float_kind kind_)
{
    const stn_u32 all_ = (1u << (kind_.exponent_bits + kind_.fraction_bits)) - 1;
    return kind_.finite_only ? all_ : all_ ^ ((1u << (kind_.fraction_bits - 1)) - 1);
}

STN_FN stn_u32 stn_machine_write_f32(float value_, stn_float_kind kind_)
{
    const stn_u32 code_ = stn_machine_number_f32(value_, kind_);
    return value_ == value_ ? code_ : stn_machine_nan(kind_);
}

/* Rounding to odd: the truncated double, with the last bit set if bits were lost. A second rounding
 * to the narrow format then gives the correctly rounded result. */
STN_FN float stn_machine_odd(double value_)
{
    const float cut_ = __double2float_rz(value_);
    return stn_f32_of_bits(stn_bits_of_f32(cut_) | ((double)cut_ != value_));
}

/* The same for formats of 8 bits. They store values below the smallest normal float as zero, so
 * that only the bits that a normal float lacks matter. */
STN_FN float stn_machine_odd_8(double value_)
{
    const stn_u32 lost_ = (stn_u32)stn_bits_of_f64(value_) & 0x1fffffffu;
    return stn_f32_of_bits(stn_bits_of_f32(__double2float_rz(value_)) | (lost_ != 0));
}

STN_FN stn_u32 stn_machine_write_f64(double value_, stn_float_kind kind_)
{
    stn_u32 code_;
    if (kind_.exponent_bits + kind_.fraction_bits == 7) {
        code_ = stn_machine_number_f32(stn_machine_odd_8(value_), kind_);
    } else if (kind_.fraction_bits == 10) {
        stn_u16 number_;
        asm("cvt.rn.f16.f64 %0, %1;" : "=h"(number_) : "d"(value_));
        code_ = number_;
    } else {
        code_ = stn_machine_number_f32(stn_machine_odd(value_), kind_);
    }
    return value_ == value_ ? code_ : stn_machine_nan(kind_);
}

#endif
#endif
