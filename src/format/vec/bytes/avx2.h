/* Floats of 24, 40 and 48 bits in AVX2: bytes are moved by shuffles within 128 bits. No byte
 * outside the piece is read or written. */
#ifndef STENO_FORMAT_VEC_BYTES_AVX2_H
#define STENO_FORMAT_VEC_BYTES_AVX2_H

/* 16 bytes from p + low and from p + high. */
STN_FN __m256i v_load_two(const void *p, int low, int high)
{
    const char *const bytes = p;
    return _mm256_set_m128i(_mm_loadu_si128((const void *)(bytes + high)),
                            _mm_loadu_si128((const void *)(bytes + low)));
}
STN_FN void v_store_16_bytes(void *p, int at, __m128i x)
{
    _mm_storeu_si128((void *)((char *)p + at), x);
}
/* The first 8 + `more` bytes, where `more` is 2 or 4. */
STN_FN void v_store_last_bytes(void *p, int at, __m128i x, size_t more)
{
    const int rest = _mm_extract_epi32(x, 2);
    _mm_storel_epi64((void *)((char *)p + at), x);
    memcpy((char *)p + at + 8, &rest, more);
}

/* ---- 24 bits: the upper three bytes of a float ---- */

STN_FN vf32 v_load_f24(const void *p)
{
    const __m256i byte = _mm256_setr_epi8(-1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1,
                                          4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15);
    return _mm256_castsi256_ps(_mm256_shuffle_epi8(v_load_two(p, 0, 8), byte));
}
STN_FN vf64x2 v_load_f24_f64(const void *p)
{
    return v_widen(v_load_f24(p));
}
/* Rounded to nearest even; NaN is canonical. */
STN_FN void v_store_f24(void *p, vf32 x)
{
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i last = _mm256_and_si256(_mm256_srli_epi32(bits, 8), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(bits, _mm256_add_epi32(last, _mm256_set1_epi32(0x7f)));
    const __m256i byte = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, -1, -1, -1, -1));
    const __m256i codes = _mm256_shuffle_epi8(up, byte);
    v_store_16_bytes(p, 0, _mm256_castsi256_si128(codes));
    v_store_last_bytes(p, 12, _mm256_extracti128_si256(codes, 1), 4);
}
/* Rounds to odd: nearest results that were rounded away from zero, including to infinity, are
 * decremented (the mask is -1); then the last bit is set if bits are lost. Also for subnormals. */
STN_FN vf32 v_narrow_odd_f32(vf64x2 x)
{
    const vf32 nearest = v_narrow(x);
    const vf64x2 back = v_widen(nearest);
    const vf64 sign = _mm256_set1_pd(-0.0);
    const vf64 away_low =
        _mm256_cmp_pd(_mm256_andnot_pd(sign, back.low), _mm256_andnot_pd(sign, x.low), _CMP_GT_OQ);
    const vf64 away_high = _mm256_cmp_pd(_mm256_andnot_pd(sign, back.high),
                                         _mm256_andnot_pd(sign, x.high), _CMP_GT_OQ);
    const vf64 lost_low = _mm256_cmp_pd(back.low, x.low, _CMP_NEQ_OQ);
    const vf64 lost_high = _mm256_cmp_pd(back.high, x.high, _CMP_NEQ_OQ);
    const __m256 away = _mm256_shuffle_ps(_mm256_castpd_ps(away_low), _mm256_castpd_ps(away_high),
                                          _MM_SHUFFLE(2, 0, 2, 0));
    const __m256 lost = _mm256_shuffle_ps(_mm256_castpd_ps(lost_low), _mm256_castpd_ps(lost_high),
                                          _MM_SHUFFLE(2, 0, 2, 0));
    const __m256i down = _mm256_permute4x64_epi64(_mm256_castps_si256(away), 0xd8);
    const __m256i odd = _mm256_permute4x64_epi64(_mm256_castps_si256(lost), 0xd8);
    const __m256i cut = _mm256_add_epi32(_mm256_castps_si256(nearest), down);
    return _mm256_castsi256_ps(_mm256_or_si256(cut, _mm256_srli_epi32(odd, 31)));
}

/* ---- 40 and 48 bits: the upper bytes of a double ---- */

STN_FN vf64x2 v_load_f40(const void *p)
{
    const __m256i byte = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-1, -1, -1, 0, 1, 2, 3, 4, -1, -1, -1, 5, 6, 7, 8, 9));
    const __m256i last = _mm256_setr_epi8(-1, -1, -1, 0, 1, 2, 3, 4, -1, -1, -1, 5, 6, 7, 8, 9, -1,
                                          -1, -1, 6, 7, 8, 9, 10, -1, -1, -1, 11, 12, 13, 14, 15);
    return (vf64x2){_mm256_castsi256_pd(_mm256_shuffle_epi8(v_load_two(p, 0, 10), byte)),
                    _mm256_castsi256_pd(_mm256_shuffle_epi8(v_load_two(p, 20, 24), last))};
}
STN_FN vf64x2 v_load_f48(const void *p)
{
    const __m256i byte = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-1, -1, 0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11));
    const __m256i last = _mm256_setr_epi8(-1, -1, 0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1,
                                          -1, 4, 5, 6, 7, 8, 9, -1, -1, 10, 11, 12, 13, 14, 15);
    return (vf64x2){_mm256_castsi256_pd(_mm256_shuffle_epi8(v_load_two(p, 0, 12), byte)),
                    _mm256_castsi256_pd(_mm256_shuffle_epi8(v_load_two(p, 24, 32), last))};
}
/* Rounds to nearest even at bit `cut`; NaN is canonical. */
STN_FN __m256i v_round_bits_f64(vf64 x, int cut)
{
    const __m256i bits = _mm256_castpd_si256(x);
    const __m256i last =
        _mm256_and_si256(_mm256_srlv_epi64(bits, _mm256_set1_epi64x(cut)), _mm256_set1_epi64x(1));
    const __m256i half = _mm256_set1_epi64x((1ll << (cut - 1)) - 1);
    return _mm256_add_epi64(bits, _mm256_add_epi64(last, half));
}
/* Stores are wider than two codes, and the next ones overwrite their ends. */
STN_FN void v_store_f40(void *p, vf64x2 x)
{
    const __m256i byte = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(3, 4, 5, 6, 7, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1));
    const __m256i low = _mm256_shuffle_epi8(v_round_bits_f64(x.low, 24), byte);
    const __m256i high = _mm256_shuffle_epi8(v_round_bits_f64(x.high, 24), byte);
    v_store_16_bytes(p, 0, _mm256_castsi256_si128(low));
    v_store_16_bytes(p, 10, _mm256_extracti128_si256(low, 1));
    v_store_16_bytes(p, 20, _mm256_castsi256_si128(high));
    v_store_last_bytes(p, 30, _mm256_extracti128_si256(high, 1), 2);
}
STN_FN void v_store_f48(void *p, vf64x2 x)
{
    const __m256i byte = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1));
    const __m256i low = _mm256_shuffle_epi8(v_round_bits_f64(x.low, 16), byte);
    const __m256i high = _mm256_shuffle_epi8(v_round_bits_f64(x.high, 16), byte);
    v_store_16_bytes(p, 0, _mm256_castsi256_si128(low));
    v_store_16_bytes(p, 12, _mm256_extracti128_si256(low, 1));
    v_store_16_bytes(p, 24, _mm256_castsi256_si128(high));
    v_store_last_bytes(p, 36, _mm256_extracti128_si256(high, 1), 4);
}

#endif
