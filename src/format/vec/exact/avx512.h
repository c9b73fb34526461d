/* Operations for exact sums in AVX-512: integers in a full register. */
#ifndef STENO_FORMAT_VEC_EXACT_AVX512_H
#define STENO_FORMAT_VEC_EXACT_AVX512_H

enum { V_BYTES = 64 };
typedef __m512i vb; /* 64 integers of 8 bits, 32 of 16, 16 of 32 or 8 of 64 */

STN_FN vb v_load_b(const void *p)
{
    return _mm512_loadu_si512(p);
}
STN_FN vb v_zero_b(void)
{
    return _mm512_setzero_si512();
}
STN_FN vb v_flip_b(vb x, int8_t bits)
{
    return _mm512_xor_si512(x, _mm512_set1_epi8(bits));
}
STN_FN vb v_flip_sign_i16(vb x)
{
    return _mm512_xor_si512(x, _mm512_set1_epi16(INT16_MIN));
}
/* Half a register of 8 bits as 16. */
STN_FN vb v_load_i8_i16(const void *p)
{
    return _mm512_cvtepi8_epi16(_mm256_loadu_si256(p));
}
STN_FN vb v_load_u8_i16(const void *p)
{
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256(p));
}
STN_FN vb v_add_i32(vb a, vb b)
{
    return _mm512_add_epi32(a, b);
}
STN_FN vb v_add_i64(vb a, vb b)
{
    return _mm512_add_epi64(a, b);
}
STN_FN vb v_set_i16(int16_t x)
{
    return _mm512_set1_epi16(x);
}
STN_FN vb v_set_i32(int32_t x)
{
    return _mm512_set1_epi32(x);
}
/* Sums of 8 unsigned bytes, in 64 bits. */
STN_FN vb v_eights_u8(vb x)
{
    return _mm512_sad_epu8(x, _mm512_setzero_si512());
}
/* Sums of two adjacent 16-bit products, in 32 bits. */
STN_FN vb v_pairs_i16(vb a, vb b)
{
    return _mm512_madd_epi16(a, b);
}
/* Products of bytes, both signed or both unsigned, four neighbors added to each 32-bit sum, if
 * stn_isa_dots; the sums are 128 times x too large, or too small for unsigned bytes. */
STN_FN vb v_dots_b(vb sums, vb codes, vb x, int are_signed)
{
    const vb flipped = v_flip_b(codes, INT8_MIN);
    __asm__("vpdpbusd %2, %1, %0"
            : "+v"(sums)
            : "v"(are_signed ? flipped : x), "v"(are_signed ? x : flipped));
    return sums;
}
STN_FN int64_t v_total_i64(vb x)
{
    return _mm512_reduce_add_epi64(x);
}
STN_FN int64_t v_total_i32(vb x)
{
    return _mm512_reduce_add_epi32(x);
}
/* Adds the 32-bit integers to the same number of doubles. */
STN_FN void v_add_i32_f64(vf64 *sums, vb x)
{
    sums[0] = v_add_f64(sums[0], _mm512_cvtepi32_pd(_mm512_castsi512_si256(x)));
    sums[1] = v_add_f64(sums[1], _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(x, 1)));
}

/* ---- 8-bit codes in parts of 4 bits ---- */
#define V_LOOKUP_B
/* table[x & 15]; x is below 128. */
STN_FN vb v_lookup_b(const int8_t table[16], vb x)
{
    const __m128i row = _mm_loadu_si128((const __m128i *)table);
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(row), x);
}
STN_FN vb v_and_b(vb x, int8_t bits)
{
    return _mm512_and_si512(x, _mm512_set1_epi8(bits));
}
STN_FN vb v_or_b(vb a, vb b)
{
    return _mm512_or_si512(a, b);
}
/* Bits 3 to 6 of each byte. */
STN_FN vb v_exponents_e4m3(vb x)
{
    return v_and_b(_mm512_srli_epi16(x, 3), 15);
}
/* Negates `x` where `sign` is negative. */
STN_FN vb v_negative_b(vb x, vb sign)
{
    return _mm512_mask_sub_epi8(x, _mm512_movepi8_mask(sign), _mm512_setzero_si512(), x);
}
/* Sums of two adjacent products of unsigned and signed bytes, in 16 bits. */
STN_FN vb v_pairs_b(vb unsigned_bytes, vb signed_bytes)
{
    return _mm512_maddubs_epi16(unsigned_bytes, signed_bytes);
}
/* All bits set where a byte is `x`. */
STN_FN vb v_equal_b(vb bytes, int8_t x)
{
    return _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(x)));
}
STN_FN int v_any_b(vb x)
{
    return _mm512_test_epi8_mask(x, x) != 0;
}

/* ---- 8-bit codes as floats, with the upper half from a table of 7-bit indices ---- */
#define V_LOOKUP_F32
typedef struct v_floats {
    vf32 even, odd; /* of 32 */
} v_floats;
STN_FN v_floats v_load_lookup_f32(const uint16_t table[128], const void *p)
{
    const __m512i x = v_load_i8_i16(p);
    const __m512i low =
        _mm512_permutex2var_epi16(_mm512_loadu_si512(table), x, _mm512_loadu_si512(table + 32));
    const __m512i high = _mm512_permutex2var_epi16(_mm512_loadu_si512(table + 64), x,
                                                   _mm512_loadu_si512(table + 96));
    const __mmask32 upper = _mm512_test_epi16_mask(x, v_set_i16(64));
    const __m512i sign = _mm512_and_si512(x, v_set_i16(INT16_MIN));
    const __m512i found = _mm512_or_si512(_mm512_mask_mov_epi16(low, upper, high), sign);
    return (v_floats){_mm512_castsi512_ps(_mm512_slli_epi32(found, 16)),
                      _mm512_castsi512_ps(_mm512_and_si512(found, v_set_i32(-65536)))};
}

/* ---- 16-bit floats: their bits at the positions of a double's bits ----
 * With sign, exponent and fraction moved to the positions in a double, the result is the value
 * times a power of two. Infinities and NaN become numbers. */
#define V_PLACED
typedef struct v_placed {
    vb upper, lower; /* the upper 16 bits of 32 doubles, and the next ones */
} v_placed;

STN_FN vb v_load_u8_upper(const void *p)
{
    return _mm512_slli_epi16(v_load_u8_i16(p), 8);
}
STN_FN v_placed v_place_f16(vb x)
{
    const __m512i upper = _mm512_and_si512(_mm512_srai_epi16(x, 6), v_set_i16((int16_t)0x81ff));
    return (v_placed){upper, _mm512_slli_epi16(x, 10)};
}
STN_FN v_placed v_place_bf16(vb x)
{
    const __m512i upper = _mm512_and_si512(_mm512_srai_epi16(x, 3), v_set_i16((int16_t)0x8fff));
    return (v_placed){upper, _mm512_slli_epi16(x, 13)};
}
/* All bits set where those of `exponent` are. */
STN_FN vb v_special_h(vb x, int16_t exponent)
{
    const __m512i bits = v_set_i16(exponent);
    return _mm512_movm_epi16(_mm512_cmpeq_epi16_mask(_mm512_and_si512(x, bits), bits));
}
/* Doubles 8 r to 8 r + 7. */
STN_FN vf64 v_placed_f64(v_placed x, int r)
{
    const __m512i first = _mm512_set_epi16(7, 39, 0, 0, 6, 38, 0, 0, 5, 37, 0, 0, 4, 36, 0, 0, 3,
                                           35, 0, 0, 2, 34, 0, 0, 1, 33, 0, 0, 0, 32, 0, 0);
    const __m512i index = _mm512_add_epi16(first, _mm512_set1_epi16((short)(8 * r)));
    return _mm512_castsi512_pd(
        _mm512_maskz_permutex2var_epi16(0xccccccccu, x.upper, index, x.lower));
}

#endif
