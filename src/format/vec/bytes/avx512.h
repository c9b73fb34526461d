/* Floats of 24, 40 and 48 bits in AVX-512: bytes are moved by permutations of words and by shuffles
 * within 128 bits. No byte outside the piece is read or written. */
#ifndef STENO_FORMAT_VEC_BYTES_AVX512_H
#define STENO_FORMAT_VEC_BYTES_AVX512_H

/* The same 16 bytes in each 128 bits. */
STN_FN __m512i v_shuffle_all(__m512i x, __m128i bytes)
{
    return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(bytes));
}

/* ---- 24 bits: the upper three bytes of a float ---- */

/* Words 0 to 11 have the codes; each 128 bits receive those of four. */
STN_FN vf32 v_load_f24(const void *p)
{
    const __m512i codes = _mm512_maskz_loadu_epi32(0xfff, p);
    const __m512i word = _mm512_setr_epi32(0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11);
    const __m128i byte = _mm_setr_epi8(-1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11);
    return _mm512_castsi512_ps(v_shuffle_all(_mm512_permutexvar_epi32(word, codes), byte));
}
/* Half a piece, which is in words `at` to at + 5 of these. */
STN_FN vf64 v_f24_half_f64(__m256i codes, int at)
{
    const __m256i first = _mm256_setr_epi32(0, 1, 2, 2, 3, 4, 5, 5);
    const __m256i byte = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11));
    const __m256i word = _mm256_add_epi32(first, _mm256_set1_epi32(at));
    const __m256i four = _mm256_permutevar8x32_epi32(codes, word);
    return _mm512_cvtps_pd(_mm256_castsi256_ps(_mm256_shuffle_epi8(four, byte)));
}
STN_FN vf64x2 v_load_f24_f64(const void *p)
{
    return (vf64x2){v_f24_half_f64(_mm256_loadu_si256(p), 0),
                    v_f24_half_f64(_mm256_loadu_si256((const void *)((const char *)p + 16)), 2)};
}
/* Rounded to nearest even; NaN is canonical. */
STN_FN void v_store_f24(void *p, vf32 x)
{
    const __m512i bits = _mm512_castps_si512(x);
    const __m512i last = _mm512_and_si512(_mm512_srli_epi32(bits, 8), _mm512_set1_epi32(1));
    const __m512i up = _mm512_add_epi32(bits, _mm512_add_epi32(last, _mm512_set1_epi32(0x7f)));
    const __m128i byte = _mm_setr_epi8(1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, -1, -1, -1, -1);
    const __m512i word = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 3, 3, 3);
    const __m512i codes = _mm512_permutexvar_epi32(word, v_shuffle_all(up, byte));
    _mm256_storeu_si256(p, _mm512_castsi512_si256(codes));
    _mm_storeu_si128((void *)((char *)p + 32), _mm512_extracti32x4_epi32(codes, 2));
}
/* Rounds to odd: truncated, with the last bit set if bits are lost. Also for subnormals. */
STN_FN __m256 v_odd_half(vf64 x)
{
    const __m256 cut = _mm512_cvt_roundpd_ps(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    const __mmask8 lost = _mm512_cmp_pd_mask(_mm512_cvtps_pd(cut), x, _CMP_NEQ_OQ);
    const __m256i bits = _mm256_castps_si256(cut), one = _mm256_set1_epi32(1);
    return _mm256_castsi256_ps(_mm256_mask_or_epi32(bits, lost, bits, one));
}
STN_FN vf32 v_narrow_odd_f32(vf64x2 x)
{
    return v_join_f32(v_odd_half(x.low), v_odd_half(x.high));
}

/* ---- 40 and 48 bits: the upper bytes of a double ---- */

/* 32-bit words `at` to at + 9 have the codes of half a piece, each 128 bits two of them, from byte
 * 0 or 2 on. Permutations of words of 16 bits take two operations on Intel. */
STN_FN vf64 v_f40_half(__m512i codes, int at)
{
    const __m512i first = _mm512_setr_epi32(0, 1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 7, 7, 8, 9, 9);
    const __m128i even = _mm_setr_epi8(-1, -1, -1, 0, 1, 2, 3, 4, -1, -1, -1, 5, 6, 7, 8, 9);
    const __m128i odd = _mm_setr_epi8(-1, -1, -1, 2, 3, 4, 5, 6, -1, -1, -1, 7, 8, 9, 10, 11);
    const __m512i byte = _mm512_broadcast_i64x4(_mm256_set_m128i(odd, even));
    const __m512i word = _mm512_add_epi32(first, _mm512_set1_epi32(at));
    return _mm512_castsi512_pd(_mm512_shuffle_epi8(_mm512_permutexvar_epi32(word, codes), byte));
}
STN_FN vf64x2 v_load_f40(const void *p)
{
    return (vf64x2){v_f40_half(_mm512_loadu_si512(p), 0),
                    v_f40_half(_mm512_loadu_si512((const char *)p + 16), 6)};
}
STN_FN vf64 v_f48_half(__m512i codes, int at)
{
    const __m512i first = _mm512_set_epi16(23, 22, 21, 0, 20, 19, 18, 0, 17, 16, 15, 0, 14, 13, 12,
                                           0, 11, 10, 9, 0, 8, 7, 6, 0, 5, 4, 3, 0, 2, 1, 0, 0);
    const __m512i word = _mm512_add_epi16(first, _mm512_set1_epi16((short)at));
    return _mm512_castsi512_pd(_mm512_maskz_permutexvar_epi16(0xeeeeeeeeu, word, codes));
}
STN_FN vf64x2 v_load_f48(const void *p)
{
    return (vf64x2){v_f48_half(_mm512_loadu_si512(p), 0),
                    v_f48_half(_mm512_loadu_si512((const char *)p + 32), 8)};
}
/* Rounds to nearest even at bit `cut`; NaN is canonical. */
STN_FN __m512i v_round_bits_f64(vf64 x, int cut)
{
    const __m512i bits = _mm512_castpd_si512(x);
    const __m512i last =
        _mm512_and_si512(_mm512_srlv_epi64(bits, _mm512_set1_epi64(cut)), _mm512_set1_epi64(1));
    const __m512i half = _mm512_set1_epi64((1ll << (cut - 1)) - 1);
    return _mm512_add_epi64(bits, _mm512_add_epi64(last, half));
}
/* Codes of half a piece in the first 40 bytes. */
STN_FN __m512i v_f40_codes(vf64 x)
{
    const __m128i byte = _mm_setr_epi8(3, 4, 5, 6, 7, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1);
    const __m512i word = _mm512_set_epi16(5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 28, 27, 26, 25, 24,
                                          20, 19, 18, 17, 16, 12, 11, 10, 9, 8, 4, 3, 2, 1, 0);
    return _mm512_permutexvar_epi16(word, v_shuffle_all(v_round_bits_f64(x, 24), byte));
}
/* The first store is wider than half a piece, and the others overwrite its end. */
STN_FN void v_store_f40(void *p, vf64x2 x)
{
    const __m512i high = v_f40_codes(x.high);
    _mm512_storeu_si512(p, v_f40_codes(x.low));
    _mm256_storeu_si256((void *)((char *)p + 40), _mm512_castsi512_si256(high));
    _mm_storel_epi64((void *)((char *)p + 72), _mm512_extracti32x4_epi32(high, 2));
}
/* Codes of half a piece in the first 48 bytes. */
STN_FN __m512i v_f48_codes(vf64 x)
{
    const __m512i word = _mm512_set_epi16(0, 0, 0, 0, 0, 0, 0, 0, 31, 30, 29, 27, 26, 25, 23, 22,
                                          21, 19, 18, 17, 15, 14, 13, 11, 10, 9, 7, 6, 5, 3, 2, 1);
    return _mm512_permutexvar_epi16(word, v_round_bits_f64(x, 16));
}
STN_FN void v_store_f48(void *p, vf64x2 x)
{
    const __m512i high = v_f48_codes(x.high);
    _mm512_storeu_si512(p, v_f48_codes(x.low));
    _mm256_storeu_si256((void *)((char *)p + 48), _mm512_castsi512_si256(high));
    _mm_storeu_si128((void *)((char *)p + 80), _mm512_extracti32x4_epi32(high, 2));
}

#endif
