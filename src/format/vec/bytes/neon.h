/* Floats of 24, 40 and 48 bits in NEON: bytes are moved by table lookups, which return 0 for
 * indices beyond the table. No byte outside the piece is read or written. */
#ifndef STENO_FORMAT_VEC_BYTES_NEON_H
#define STENO_FORMAT_VEC_BYTES_NEON_H

enum { V_ZERO = 255 }; /* an index beyond the table */

/* The first 8 + `more` bytes, where `more` is 2 or 4. */
STN_FN void v_store_last_bytes(void *p, int at, uint8x16_t x, size_t more)
{
    const uint32_t rest = vgetq_lane_u32(vreinterpretq_u32_u8(x), 2);
    vst1_u8((uint8_t *)p + at, vget_low_u8(x));
    memcpy((char *)p + at + 8, &rest, more);
}

/* ---- 24 bits: the upper three bytes of a float ---- */

STN_FN vf32 v_load_f24(const void *p)
{
    const uint8x16_t byte = {V_ZERO, 0, 1, 2, V_ZERO, 3, 4, 5, V_ZERO, 6, 7, 8, V_ZERO, 9, 10, 11};
    const uint8x16_t codes = vcombine_u8(vld1_u8(p), v_load_4_bytes((const char *)p + 8));
    return vreinterpretq_f32_u8(vqtbl1q_u8(codes, byte));
}
STN_FN vf64x2 v_load_f24_f64(const void *p)
{
    return v_widen(v_load_f24(p));
}
/* Rounded to nearest even; NaN is canonical. */
STN_FN void v_store_f24(void *p, vf32 x)
{
    const uint8x16_t byte = {1,  2,  3,  5,  6,      7,      9,      10,
                             11, 13, 14, 15, V_ZERO, V_ZERO, V_ZERO, V_ZERO};
    const uint32x4_t bits = vreinterpretq_u32_f32(x);
    const uint32x4_t last = vandq_u32(vshrq_n_u32(bits, 8), vdupq_n_u32(1));
    const uint32x4_t up = vaddq_u32(bits, vaddq_u32(last, vdupq_n_u32(0x7f)));
    v_store_last_bytes(p, 0, vqtbl1q_u8(vreinterpretq_u8_u32(up), byte), 4);
}
STN_FN vf32 v_narrow_odd_f32(vf64x2 x)
{
    return v_narrow_odd(x);
}

/* ---- 40 and 48 bits: the upper bytes of a double ---- */

STN_FN vf64 v_look_up_f64(const char *p, uint8x16_t byte)
{
    return vreinterpretq_f64_u8(vqtbl1q_u8(vld1q_u8((const uint8_t *)p), byte));
}
STN_FN vf64x2 v_load_f40(const void *p)
{
    const uint8x16_t byte = {V_ZERO, V_ZERO, V_ZERO, 0, 1, 2, 3, 4,
                             V_ZERO, V_ZERO, V_ZERO, 5, 6, 7, 8, 9};
    const uint8x16_t last = {V_ZERO, V_ZERO, V_ZERO, 6,  7,  8,  9,  10,
                             V_ZERO, V_ZERO, V_ZERO, 11, 12, 13, 14, 15};
    return (vf64x2){v_look_up_f64(p, byte), v_look_up_f64((const char *)p + 4, last)};
}
STN_FN vf64x2 v_load_f48(const void *p)
{
    const uint8x16_t byte = {V_ZERO, V_ZERO, 0, 1, 2, 3, 4, 5, V_ZERO, V_ZERO, 6, 7, 8, 9, 10, 11};
    const uint8x16_t last = {V_ZERO, V_ZERO, 4,  5,  6,  7,  8,  9,
                             V_ZERO, V_ZERO, 10, 11, 12, 13, 14, 15};
    return (vf64x2){v_look_up_f64(p, byte), v_look_up_f64((const char *)p + 8, last)};
}
/* Rounds to nearest even at bit `cut`; NaN is canonical. */
STN_FN uint8x16_t v_round_bits_f64(vf64 x, int cut)
{
    const uint64x2_t bits = vreinterpretq_u64_f64(x);
    const uint64x2_t last = vandq_u64(vshlq_u64(bits, vdupq_n_s64(-cut)), vdupq_n_u64(1));
    const uint64x2_t half = vdupq_n_u64(((uint64_t)1 << (cut - 1)) - 1);
    return vreinterpretq_u8_u64(vaddq_u64(bits, vaddq_u64(last, half)));
}
/* The first store is wider than two codes, and the second one overwrites its end. */
STN_FN void v_store_f40(void *p, vf64x2 x)
{
    const uint8x16_t byte = {3,  4,  5,      6,      7,      11,     12,     13,
                             14, 15, V_ZERO, V_ZERO, V_ZERO, V_ZERO, V_ZERO, V_ZERO};
    vst1q_u8(p, vqtbl1q_u8(v_round_bits_f64(x.low, 24), byte));
    v_store_last_bytes(p, 10, vqtbl1q_u8(v_round_bits_f64(x.high, 24), byte), 2);
}
STN_FN void v_store_f48(void *p, vf64x2 x)
{
    const uint8x16_t byte = {2,  3,  4,  5,  6,      7,      10,     11,
                             12, 13, 14, 15, V_ZERO, V_ZERO, V_ZERO, V_ZERO};
    vst1q_u8(p, vqtbl1q_u8(v_round_bits_f64(x.low, 16), byte));
    v_store_last_bytes(p, 12, vqtbl1q_u8(v_round_bits_f64(x.high, 16), byte), 4);
}

#endif
