/* Operations for exact sums in Advanced SIMD: integers in a full register. */
#ifndef STENO_FORMAT_VEC_EXACT_NEON_H
#define STENO_FORMAT_VEC_EXACT_NEON_H

enum { V_BYTES = 16 };
typedef int8x16_t vb; /* 16 integers of 8 bits, 8 of 16, 4 of 32 or 2 of 64 */

STN_FN vb v_load_b(const void *p)
{
    return vld1q_s8(p);
}
STN_FN vb v_zero_b(void)
{
    return vdupq_n_s8(0);
}
STN_FN vb v_flip_b(vb x, int8_t bits)
{
    return veorq_s8(x, vdupq_n_s8(bits));
}
STN_FN vb v_flip_sign_i16(vb x)
{
    return vreinterpretq_s8_s16(veorq_s16(vreinterpretq_s16_s8(x), vdupq_n_s16(INT16_MIN)));
}
/* Half a register of 8 bits as 16. */
STN_FN vb v_load_i8_i16(const void *p)
{
    return vreinterpretq_s8_s16(vmovl_s8(vld1_s8(p)));
}
STN_FN vb v_load_u8_i16(const void *p)
{
    return vreinterpretq_s8_u16(vmovl_u8(vld1_u8(p)));
}
STN_FN vb v_add_i32(vb a, vb b)
{
    return vreinterpretq_s8_s32(vaddq_s32(vreinterpretq_s32_s8(a), vreinterpretq_s32_s8(b)));
}
STN_FN vb v_add_i64(vb a, vb b)
{
    return vreinterpretq_s8_s64(vaddq_s64(vreinterpretq_s64_s8(a), vreinterpretq_s64_s8(b)));
}
STN_FN vb v_set_i16(int16_t x)
{
    return vreinterpretq_s8_s16(vdupq_n_s16(x));
}
STN_FN vb v_set_i32(int32_t x)
{
    return vreinterpretq_s8_s32(vdupq_n_s32(x));
}
/* Sums of 8 unsigned bytes, in 64 bits. */
STN_FN vb v_eights_u8(vb x)
{
    return vreinterpretq_s8_u64(vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(vreinterpretq_u8_s8(x)))));
}
/* Sums of two adjacent 16-bit products, in 32 bits, modulo 2^32. */
STN_FN vb v_pairs_i16(vb a, vb b)
{
    const int16x8_t left = vreinterpretq_s16_s8(a), right = vreinterpretq_s16_s8(b);
    const int32x4_t low = vmull_s16(vget_low_s16(left), vget_low_s16(right));
    return vreinterpretq_s8_s32(vpaddq_s32(low, vmull_high_s16(left, right)));
}
/* Products of bytes, both signed or both unsigned, four neighbors added to each 32-bit sum. Only
 * if stn_isa_dots is true. */
#ifdef __clang__ /* supports these types only in functions for such processors */
#    define V_DOTS(word, code, sums, a, b)                                                         \
        do {                                                                                       \
            register vb v_sums __asm__("v16") = sums;                                              \
            register vb v_a __asm__("v17") = a;                                                    \
            register vb v_b __asm__("v18") = b;                                                    \
            __asm__(".inst " code : "+w"(v_sums) : "w"(v_a), "w"(v_b));                            \
            sums = v_sums;                                                                         \
        } while (0)
#else
#    define V_DOTS(word, code, sums, a, b)                                                         \
        __asm__(".arch armv8.2-a+dotprod\n\t" word " %0.4s, %1.16b, %2.16b"                        \
                : "+w"(sums)                                                                       \
                : "w"(a), "w"(b))
#endif
STN_FN vb v_dots_b(vb sums, vb codes, vb x, int are_signed)
{
    if (are_signed)
        V_DOTS("sdot", "0x4e929630", sums, codes, x);
    else
        V_DOTS("udot", "0x6e929630", sums, codes, x);
    return sums;
}
STN_FN int64_t v_total_i64(vb x)
{
    return vaddvq_s64(vreinterpretq_s64_s8(x));
}
STN_FN int64_t v_total_i32(vb x)
{
    return vaddvq_s32(vreinterpretq_s32_s8(x));
}
/* Adds the 32-bit integers to the same number of doubles. */
STN_FN void v_add_i32_f64(vf64 *sums, vb x)
{
    const int32x4_t four = vreinterpretq_s32_s8(x);
    sums[0] = v_add_f64(sums[0], vcvtq_f64_s64(vmovl_s32(vget_low_s32(four))));
    sums[1] = v_add_f64(sums[1], vcvtq_f64_s64(vmovl_high_s32(four)));
}

#endif
