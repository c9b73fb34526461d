/* Operations for exact sums in AVX2: integers in a full register. */
#ifndef STENO_FORMAT_VEC_EXACT_AVX2_H
#define STENO_FORMAT_VEC_EXACT_AVX2_H

enum { V_BYTES = 32 };
typedef __m256i vb; /* 32 integers of 8 bits, 16 of 16, 8 of 32 or 4 of 64 */

STN_FN vb v_load_b(const void *p)
{
    return _mm256_loadu_si256(p);
}
STN_FN vb v_zero_b(void)
{
    return _mm256_setzero_si256();
}
STN_FN vb v_flip_b(vb x, int8_t bits)
{
    return _mm256_xor_si256(x, _mm256_set1_epi8(bits));
}
STN_FN vb v_flip_sign_i16(vb x)
{
    return _mm256_xor_si256(x, _mm256_set1_epi16(INT16_MIN));
}
/* Half a register of 8 bits as 16. */
STN_FN vb v_load_i8_i16(const void *p)
{
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(p));
}
STN_FN vb v_load_u8_i16(const void *p)
{
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(p));
}
STN_FN vb v_add_i32(vb a, vb b)
{
    return _mm256_add_epi32(a, b);
}
STN_FN vb v_add_i64(vb a, vb b)
{
    return _mm256_add_epi64(a, b);
}
STN_FN vb v_set_i16(int16_t x)
{
    return _mm256_set1_epi16(x);
}
STN_FN vb v_set_i32(int32_t x)
{
    return _mm256_set1_epi32(x);
}
/* Sums of 8 unsigned bytes, in 64 bits. */
STN_FN vb v_eights_u8(vb x)
{
    return _mm256_sad_epu8(x, _mm256_setzero_si256());
}
/* Sums of two adjacent 16-bit products, in 32 bits. */
STN_FN vb v_pairs_i16(vb a, vb b)
{
    return _mm256_madd_epi16(a, b);
}
/* Products of bytes, both signed or both unsigned, four neighbors added to each 32-bit sum, if
 * stn_isa_dots; the sums are 128 times x too large, or too small for unsigned bytes. */
STN_FN vb v_dots_b(vb sums, vb codes, vb x, int are_signed)
{
    const vb flipped = v_flip_b(codes, INT8_MIN);
    __asm__("%{vex%} vpdpbusd %2, %1, %0"
            : "+x"(sums)
            : "x"(are_signed ? flipped : x), "x"(are_signed ? x : flipped));
    return sums;
}
STN_FN int64_t v_total_i64(vb x)
{
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}
STN_FN int64_t v_total_i32(vb x)
{
    const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    const __m128i two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 1)));
}
/* Adds the 32-bit integers to the same number of doubles. */
STN_FN void v_add_i32_f64(vf64 *sums, vb x)
{
    sums[0] = v_add_f64(sums[0], _mm256_cvtepi32_pd(_mm256_castsi256_si128(x)));
    sums[1] = v_add_f64(sums[1], _mm256_cvtepi32_pd(_mm256_extracti128_si256(x, 1)));
}

/* ---- 8-bit codes in parts of 4 bits ---- */
#define V_LOOKUP_B
/* table[x & 15]; x is below 128. */
STN_FN vb v_lookup_b(const int8_t table[16], vb x)
{
    const __m128i row = _mm_loadu_si128((const __m128i *)table);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(row), x);
}
STN_FN vb v_and_b(vb x, int8_t bits)
{
    return _mm256_and_si256(x, _mm256_set1_epi8(bits));
}
STN_FN vb v_or_b(vb a, vb b)
{
    return _mm256_or_si256(a, b);
}
/* Bits 3 to 6 of each byte. */
STN_FN vb v_exponents_e4m3(vb x)
{
    return v_and_b(_mm256_srli_epi16(x, 3), 15);
}
/* Negates `x` where `sign` is negative. */
STN_FN vb v_negative_b(vb x, vb sign)
{
    return _mm256_sign_epi8(x, v_or_b(sign, _mm256_set1_epi8(1)));
}
/* Sums of two adjacent products of unsigned and signed bytes, in 16 bits. */
STN_FN vb v_pairs_b(vb unsigned_bytes, vb signed_bytes)
{
    return _mm256_maddubs_epi16(unsigned_bytes, signed_bytes);
}
/* All bits set where a byte is `x`. */
STN_FN vb v_equal_b(vb bytes, int8_t x)
{
    return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(x));
}
STN_FN int v_any_b(vb x)
{
    return !_mm256_testz_si256(x, x);
}

#endif
