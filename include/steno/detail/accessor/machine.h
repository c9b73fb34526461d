/* Narrow floats converted by the instructions of NVIDIA's GPUs: the same bits as value.h's integer
 * code, but for the payload of a NaN that is read. Elsewhere there is nothing. */
#ifndef STENO_ACCESSOR_MACHINE_H
#define STENO_ACCESSOR_MACHINE_H

#include "steno/codec.h"

#if defined(__CUDA_ARCH__)
#    if __CUDA_ARCH__ >= 800
#        define STN_MACHINE_CONVERTS 1
#    endif
#endif

#ifdef STN_MACHINE_CONVERTS

/* What the conversions to a format of 8 bits need is there from 8.9 on. */
#    if __CUDA_ARCH__ >= 890
#        define STN_MACHINE_HAS_8_BITS 1
#    else
#        define STN_MACHINE_HAS_8_BITS 0
#    endif

STN_FN float stn_machine_half(stn_u32 bits)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"((stn_u16)bits));
    return value;
}

STN_FN float stn_machine_e4m3(stn_u32 code)
{
#    if STN_MACHINE_HAS_8_BITS
    stn_u32 halves;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"((stn_u16)code));
    return stn_machine_half(halves);
#    else
    /* As a half, whose exponent is biased by 8 more; the last code is NaN. */
    const float value = stn_machine_half((code & 0x80u) << 8 | (code & 0x7fu) << 7) * 256.0f;
    return (code & 0x7fu) == 0x7fu ? stn_f32_of_bits(0x7fc00000u) : value;
#    endif
}

/* Are codes of this kind read by instructions? */
STN_FN int stn_machine_reads(stn_float_kind kind)
{
    const int all = 1 + kind.exponent_bits + kind.fraction_bits;
    return (all == 16 && (kind.exponent_bits == 8 || kind.exponent_bits == 5)) ||
           (all == 8 && kind.exponent_bits == (kind.finite_only ? 4 : 5));
}

STN_FN float stn_machine_read(stn_u32 code, stn_float_kind kind)
{
    if (kind.exponent_bits == 8)
        return stn_f32_of_bits(code << 16);
    if (kind.exponent_bits == 4)
        return stn_machine_e4m3(code);
    return stn_machine_half(kind.fraction_bits == 10 ? code : code << 8);
}

/* Are values of this kind stored by instructions? To nearest, and beyond the largest as they do. */
STN_FN int stn_machine_writes(stn_float_kind kind, stn_rounding rounding, stn_overflow overflow)
{
    const int wide = kind.exponent_bits + kind.fraction_bits == 15;
    const stn_overflow rule = overflow == STN_OVERFLOW_DEFAULT ? kind.overflow : overflow;
    return stn_machine_reads(kind) && rounding == STN_ROUND_NEAREST &&
           (wide || STN_MACHINE_HAS_8_BITS) &&
           rule == (wide ? STN_OVERFLOW_INFINITY : STN_OVERFLOW_SATURATE);
}

/* The code of a number; of NaN, any. */
STN_FN stn_u32 stn_machine_number_f32(float value, stn_float_kind kind)
{
    stn_u16 code = 0;
    if (kind.exponent_bits == 8)
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(code) : "f"(value));
    else if (kind.fraction_bits == 10)
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(code) : "f"(value));
#    if STN_MACHINE_HAS_8_BITS
    else if (kind.exponent_bits == 4)
        asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(code) : "f"(0.0f), "f"(value));
    else
        asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(code) : "f"(0.0f), "f"(value));
#    endif
    return code & ((1u << (1 + kind.exponent_bits + kind.fraction_bits)) - 1);
}

STN_FN stn_u32 stn_machine_nan(stn_float_kind kind)
{
    const stn_u32 all = (1u << (kind.exponent_bits + kind.fraction_bits)) - 1;
    return kind.finite_only ? all : all ^ ((1u << (kind.fraction_bits - 1)) - 1);
}

STN_FN stn_u32 stn_machine_write_f32(float value, stn_float_kind kind)
{
    const stn_u32 code = stn_machine_number_f32(value, kind);
    return value == value ? code : stn_machine_nan(kind);
}

/* A float between the double's neighbours in the narrow format, and a tie only where the double is
 * one: cut off, with the last bit set where anything was lost. */
STN_FN float stn_machine_odd(double value)
{
    const float cut = __double2float_rz(value);
    return stn_f32_of_bits(stn_bits_of_f32(cut) | ((double)cut != value));
}

STN_FN stn_u32 stn_machine_write_f64(double value, stn_float_kind kind)
{
    stn_u32 code;
    if (kind.fraction_bits == 10) {
        stn_u16 number;
        asm("cvt.rn.f16.f64 %0, %1;" : "=h"(number) : "d"(value));
        code = number;
    } else {
        code = stn_machine_number_f32(stn_machine_odd(value), kind);
    }
    return value == value ? code : stn_machine_nan(kind);
}

#endif
#endif
