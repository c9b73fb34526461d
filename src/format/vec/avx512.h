/* Vector operations in AVX-512 (F, BW, DQ, VL): a piece is 16 elements. */
#ifndef STENO_FORMAT_VEC_AVX512_H
#define STENO_FORMAT_VEC_AVX512_H

#include <immintrin.h>

#include "steno/codec.h"

enum { V_PIECE = 16 };

typedef __m512 vf32;  /* 16 floats */
typedef __m512i vi32; /* 16 integers of 32 bits */
typedef __m512d vf64; /* half a piece: 8 doubles */
typedef struct vf64x2 {
    vf64 low, high;
} vf64x2; /* 16 doubles */
typedef struct vi64x2 {
    __m512i low, high;
} vi64x2;           /* 16 integers of 64 bits */
typedef __m256i vh; /* 16 integers of 16 bits */

/* ---- memory ---- */
/* `bytes` bytes, less than a full register and a multiple of `unit`, followed by zeros. */
#define V_TAKE
STN_FN void v_take(char *buffer, int64_t buffer_bytes, const char *p, int64_t bytes, int64_t unit)
{
    (void)unit;
    for (int64_t at = 0; at < buffer_bytes; at += 64) {
        const int64_t left = bytes - at;
        const uint64_t there = left >= 64 ? ~0ull : left <= 0 ? 0 : (1ull << left) - 1;
        if (buffer_bytes - at >= 64)
            _mm512_storeu_si512(buffer + at, _mm512_maskz_loadu_epi8(there, p + at));
        else
            _mm256_storeu_si256((void *)(buffer + at),
                                _mm256_maskz_loadu_epi8((__mmask32)there, p + at));
    }
}
STN_FN vf32 v_load_f32(const void *p)
{
    return _mm512_loadu_ps(p);
}
STN_FN void v_store_f32(void *p, vf32 x)
{
    _mm512_storeu_ps(p, x);
}
STN_FN vf64x2 v_load_f64(const void *p)
{
    return (vf64x2){_mm512_loadu_pd(p), _mm512_loadu_pd((const double *)p + 8)};
}
STN_FN void v_store_f64(void *p, vf64x2 x)
{
    _mm512_storeu_pd(p, x.low);
    _mm512_storeu_pd((double *)p + 8, x.high);
}
STN_FN vh v_load_h(const void *p)
{
    return _mm256_loadu_si256(p);
}
STN_FN void v_store_h(void *p, vh x)
{
    _mm256_storeu_si256(p, x);
}
STN_FN vh v_load_i8_h(const void *p)
{
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(p));
}
STN_FN void v_store_u8_h(void *p, vh x)
{
    _mm_storeu_si128(p, _mm256_cvtepi16_epi8(x));
}
STN_FN vi32 v_load_i8(const void *p)
{
    return _mm512_cvtepi8_epi32(_mm_loadu_si128(p));
}
STN_FN vi32 v_load_u8(const void *p)
{
    return _mm512_cvtepu8_epi32(_mm_loadu_si128(p));
}
STN_FN vi32 v_load_i16(const void *p)
{
    return _mm512_cvtepi16_epi32(_mm256_loadu_si256(p));
}
STN_FN vi32 v_load_u16(const void *p)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256(p));
}
STN_FN vi32 v_load_i32(const void *p)
{
    return _mm512_loadu_si512(p);
}
STN_FN vi64x2 v_load_i64(const void *p)
{
    return (vi64x2){_mm512_loadu_si512(p), _mm512_loadu_si512((const int64_t *)p + 8)};
}
STN_FN void v_store_i8(void *p, vi32 x)
{
    _mm_storeu_si128(p, _mm512_cvtepi32_epi8(x));
}
STN_FN void v_store_i16(void *p, vi32 x)
{
    _mm256_storeu_si256(p, _mm512_cvtepi32_epi16(x));
}
STN_FN void v_store_i32(void *p, vi32 x)
{
    _mm512_storeu_si512(p, x);
}
STN_FN void v_store_i64(void *p, vi64x2 x)
{
    _mm512_storeu_si512(p, x.low);
    _mm512_storeu_si512((int64_t *)p + 8, x.high);
}

/* ---- arithmetic ---- */
STN_FN vf32 v_set_f32(float x)
{
    return _mm512_set1_ps(x);
}
STN_FN vf64 v_set_f64(double x)
{
    return _mm512_set1_pd(x);
}
STN_FN vf32 v_add_f32(vf32 a, vf32 b)
{
    return _mm512_add_ps(a, b);
}
STN_FN vf32 v_sub_f32(vf32 a, vf32 b)
{
    return _mm512_sub_ps(a, b);
}
STN_FN vf32 v_mul_f32(vf32 a, vf32 b)
{
    return _mm512_mul_ps(a, b);
}
STN_FN vf32 v_div_f32(vf32 a, vf32 b)
{
    return _mm512_div_ps(a, b);
}
STN_FN vf32 v_fma_f32(vf32 a, vf32 b, vf32 c)
{
    return _mm512_fmadd_ps(a, b, c);
}
STN_FN vf64 v_add_f64(vf64 a, vf64 b)
{
    return _mm512_add_pd(a, b);
}
STN_FN vf64 v_sub_f64(vf64 a, vf64 b)
{
    return _mm512_sub_pd(a, b);
}
STN_FN vf64 v_mul_f64(vf64 a, vf64 b)
{
    return _mm512_mul_pd(a, b);
}
STN_FN vf64 v_div_f64(vf64 a, vf64 b)
{
    return _mm512_div_pd(a, b);
}
STN_FN vf64 v_fma_f64(vf64 a, vf64 b, vf64 c)
{
    return _mm512_fmadd_pd(a, b, c);
}

/* ---- x[index[k]] of half a piece or a whole one, and the first lanes of a register ----
 * Sequential loads: gather instructions are slower on the processors measured. */
STN_FN __m256d v_gather_4_f64(const double *x, const int32_t *index)
{
    const __m128d low = _mm_loadh_pd(_mm_load_sd(x + index[0]), x + index[1]);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(low),
                                _mm_loadh_pd(_mm_load_sd(x + index[2]), x + index[3]), 1);
}
STN_FN vf64 v_gather_half_f64(const double *x, const int32_t *index)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(v_gather_4_f64(x, index)),
                              v_gather_4_f64(x, index + 4), 1);
}
STN_FN __m256 v_gather_half_f32(const float *x, const int32_t *index)
{
    return _mm256_setr_ps(x[index[0]], x[index[1]], x[index[2]], x[index[3]], x[index[4]],
                          x[index[5]], x[index[6]], x[index[7]]);
}
STN_FN vf64 v_gather_half_f64_u16(const double *x, const uint16_t *index)
{
    return _mm512_setr_pd(x[index[0]], x[index[1]], x[index[2]], x[index[3]], x[index[4]],
                          x[index[5]], x[index[6]], x[index[7]]);
}
STN_FN vf32 v_gather_f32_u16(const float *x, const uint16_t *index)
{
    return _mm512_setr_ps(x[index[0]], x[index[1]], x[index[2]], x[index[3]], x[index[4]],
                          x[index[5]], x[index[6]], x[index[7]], x[index[8]], x[index[9]],
                          x[index[10]], x[index[11]], x[index[12]], x[index[13]], x[index[14]],
                          x[index[15]]);
}
/* Lanes from `count` on are undefined. */
STN_FN vf32 v_gather_f32(const float *x, const int32_t *index, int64_t count)
{
    const __m512 low = _mm512_castps256_ps512(v_gather_half_f32(x, index));
    return count > 8 ? _mm512_insertf32x8(low, v_gather_half_f32(x, index + 8), 1) : low;
}
/* A whole register, by gather instructions. */
STN_FN vf64 v_gather_far_f64(const double *x, const int32_t *index)
{
    return _mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)(const void *)index), x, 8);
}
STN_FN vf32 v_gather_far_f32(const float *x, const int32_t *index)
{
    return _mm512_i32gather_ps(_mm512_loadu_si512(index), x, 4);
}
/* Lanes below `count` from `some`, the others from `rest`. */
STN_FN vf64 v_first_f64(vf64 some, vf64 rest, int64_t count)
{
    const unsigned lanes = count <= 0 ? 0 : count >= 8 ? 0xff : (1u << count) - 1;
    return _mm512_mask_mov_pd(rest, (__mmask8)lanes, some);
}
STN_FN vf32 v_first_f32(vf32 some, vf32 rest, int64_t count)
{
    const unsigned lanes = count <= 0 ? 0 : count >= 16 ? 0xffff : (1u << count) - 1;
    return _mm512_mask_mov_ps(rest, (__mmask16)lanes, some);
}

/* Lanes whose bit is set from `yes`, the others from `no`. */
STN_FN vf64 v_choose_half_f64(vf64 yes, vf64 no, unsigned mask)
{
    return _mm512_mask_mov_pd(no, (__mmask8)mask, yes);
}
STN_FN vf32 v_choose_f32(vf32 yes, vf32 no, unsigned mask)
{
    return _mm512_mask_mov_ps(no, (__mmask16)mask, yes);
}

/* Sums in tree order: lane l + h is added to lane l for h = half the lanes, ..., 1. */
STN_FN double v_sum_f64(vf64 x)
{
    const __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(x), _mm512_extractf64x4_pd(x, 1));
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}
STN_FN float v_sum_f32(vf32 x)
{
    const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps(x, 1));
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/* ---- straight to f64: by halves of a piece, which costs no extraction ---- */
#define V_STRAIGHT /* the defaults of pair.h are not needed */
STN_FN __m128i v_load_8_bytes(const void *p)
{
    return _mm_loadl_epi64(p);
}
STN_FN __m128i v_load_16_bytes(const void *p)
{
    return _mm_loadu_si128(p);
}
STN_FN vf64x2 v_load_f32_f64(const void *p)
{
    return (vf64x2){_mm512_cvtps_pd(_mm256_loadu_ps(p)),
                    _mm512_cvtps_pd(_mm256_loadu_ps((const float *)p + 8))};
}
STN_FN vf64 v_f16_half_f64(__m128i x)
{
    return _mm512_cvtps_pd(_mm256_cvtph_ps(x));
}
STN_FN vf64x2 v_load_f16_f64(const void *p)
{
    return (vf64x2){v_f16_half_f64(_mm_loadu_si128(p)),
                    v_f16_half_f64(_mm_loadu_si128((const __m128i *)p + 1))};
}
STN_FN vf64x2 v_f16_to_f64(vh x)
{
    return (vf64x2){v_f16_half_f64(_mm256_castsi256_si128(x)),
                    v_f16_half_f64(_mm256_extracti128_si256(x, 1))};
}
/* Bytes as the upper halves of f16 values. */
STN_FN vf64x2 v_load_upper_f16_f64(const void *p)
{
    const __m128i zero = _mm_setzero_si128(), bytes = _mm_loadu_si128(p);
    return (vf64x2){v_f16_half_f64(_mm_unpacklo_epi8(zero, bytes)),
                    v_f16_half_f64(_mm_unpackhi_epi8(zero, bytes))};
}
/* One permutation; clang splits it in two, and then runs out of registers. */
STN_FN vf64 v_bf16_half_f64(__m128i x)
{
#ifdef __clang__
    const __m256i upper = _mm256_slli_epi32(_mm256_cvtepu16_epi32(x), 16);
#else
    const __m256i word = _mm256_set_epi16(7, 0, 6, 0, 5, 0, 4, 0, 3, 0, 2, 0, 1, 0, 0, 0);
    const __m256i upper = _mm256_maskz_permutexvar_epi16(0xaaaa, word, _mm256_castsi128_si256(x));
#endif
    return _mm512_cvtps_pd(_mm256_castsi256_ps(upper));
}
STN_FN vf64x2 v_load_bf16_f64(const void *p)
{
    return (vf64x2){v_bf16_half_f64(_mm_loadu_si128(p)),
                    v_bf16_half_f64(_mm_loadu_si128((const __m128i *)p + 1))};
}
/* Widened to 64 bits first: from there, the conversion is one operation, from 32 bits it is
 * two. */
#define STN_STRAIGHT(name, load, step, widen)                                                      \
    STN_FN vf64x2 name(const void *p)                                                              \
    {                                                                                              \
        return (vf64x2){_mm512_cvtepi64_pd(widen(load(p))),                                        \
                        _mm512_cvtepi64_pd(widen(load((const char *)p + step)))};                  \
    }
STN_STRAIGHT(v_load_i8_f64, v_load_8_bytes, 8, _mm512_cvtepi8_epi64)
STN_STRAIGHT(v_load_u8_f64, v_load_8_bytes, 8, _mm512_cvtepu8_epi64)
STN_STRAIGHT(v_load_i16_f64, v_load_16_bytes, 16, _mm512_cvtepi16_epi64)
STN_STRAIGHT(v_load_u16_f64, v_load_16_bytes, 16, _mm512_cvtepu16_epi64)
#undef STN_STRAIGHT

/* ---- lookup: 7-bit codes to the upper 16 bits of a float ---- */
#define V_LOOKUP
/* table[x & 127] with the sign of x, whose bits from 7 on are its code's sign. */
STN_FN vh v_lookup_h(const uint16_t *table, vh x)
{
    const __m512i index = _mm512_castsi256_si512(x);
    const __m512i low =
        _mm512_permutex2var_epi16(_mm512_loadu_si512(table), index, _mm512_loadu_si512(table + 32));
    const __m512i high = _mm512_permutex2var_epi16(_mm512_loadu_si512(table + 64), index,
                                                   _mm512_loadu_si512(table + 96));
    const __mmask16 upper = _mm256_test_epi16_mask(x, _mm256_set1_epi16(64));
    const vh found =
        _mm256_mask_mov_epi16(_mm512_castsi512_si256(low), upper, _mm512_castsi512_si256(high));
    const vh sign = _mm256_and_si256(x, _mm256_set1_epi16((short)0x8000));
    return _mm256_or_si256(found, sign);
}
/* Each 16 bits as the upper bits of a double or a float. */
STN_FN vf64x2 v_upper_f64(vh x)
{
    const __m512i words = _mm512_castsi256_si512(x);
    const __m512i low = _mm512_set_epi16(7, 0, 0, 0, 6, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0,
                                         2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    const __m512i high = _mm512_add_epi16(low, _mm512_set1_epi16(8));
    const __mmask32 top = 0x88888888u;
    return (vf64x2){_mm512_castsi512_pd(_mm512_maskz_permutexvar_epi16(top, low, words)),
                    _mm512_castsi512_pd(_mm512_maskz_permutexvar_epi16(top, high, words))};
}

/* ---- dictionaries: table[i] for V_PIECE indices i of `bits` bits, 2 or 4 (a constant) ----
 * A table has 16 values; with 2 bits, it contains 4 values repeatedly, so that indices need no
 * masks. */
#define V_PICK
STN_FN vf64x2 v_pick_f64(const double *table, uint64_t indices, int bits)
{
    const __m512i all = _mm512_set1_epi64((long long)indices);
    const __m512i at =
        _mm512_setr_epi64(0, bits, 2 * bits, 3 * bits, 4 * bits, 5 * bits, 6 * bits, 7 * bits);
    const __m512i low = _mm512_srlv_epi64(all, at);
    const __m512i high =
        _mm512_srlv_epi64(all, _mm512_add_epi64(at, _mm512_set1_epi64(8 * (long long)bits)));
    const __m512d first = _mm512_loadu_pd(table), second = _mm512_loadu_pd(table + 8);
    if (bits == 2)
        return (vf64x2){_mm512_permutexvar_pd(low, first), _mm512_permutexvar_pd(high, first)};
    return (vf64x2){_mm512_permutex2var_pd(first, low, second),
                    _mm512_permutex2var_pd(first, high, second)};
}
STN_FN vf32 v_pick_f32(const float *table, uint64_t indices, int bits)
{
    const int low = (int)(uint32_t)indices, high = (int)(uint32_t)(indices >> 32);
    const __m512i two =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i four =
        _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
    const __m512i all = bits == 2 ? _mm512_set1_epi32(low)
                                  : _mm512_mask_set1_epi32(_mm512_set1_epi32(low), 0xff00, high);
    const __m512i at = _mm512_srlv_epi32(all, bits == 2 ? two : four);
    return _mm512_permutexvar_ps(at, _mm512_loadu_ps(table));
}

/* ---- NaN and limits: a NaN passes a clamp unchanged ---- */
STN_FN vf32 v_clamp_f32(vf32 x, float low, float high)
{
    return _mm512_max_ps(_mm512_set1_ps(low), _mm512_min_ps(_mm512_set1_ps(high), x));
}
STN_FN vf64 v_clamp_half_f64(vf64 x, double low, double high)
{
    return _mm512_max_pd(_mm512_set1_pd(low), _mm512_min_pd(_mm512_set1_pd(high), x));
}
STN_FN vf32 v_zero_nan_f32(vf32 x)
{
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), x);
}
STN_FN vf64 v_zero_nan_half_f64(vf64 x)
{
    return _mm512_maskz_mov_pd(_mm512_cmp_pd_mask(x, x, _CMP_ORD_Q), x);
}
/* The table has a digit for each class of numbers: 0, the first operand, for quiet and signalling
 * NaN; 1, the second, for all others. */
STN_FN vf32 v_canonical_f32(vf32 x)
{
    const vf32 nan = _mm512_set1_ps(stn_f32_of_bits(0x7fc00000u));
    return _mm512_fixupimm_ps(nan, x, _mm512_set1_epi32(0x11111100), 0);
}
STN_FN vf64 v_canonical_half_f64(vf64 x)
{
    const __mmask8 nan = _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q);
    return _mm512_mask_mov_pd(x, nan, _mm512_set1_pd(stn_f64_of_bits(0x7ff8000000000000u)));
}

/* ---- between f64 and f32 ---- */
STN_FN __m512 v_join_f32(__m256 low, __m256 high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}
STN_FN vf64x2 v_widen(vf32 x)
{
    return (vf64x2){_mm512_cvtps_pd(_mm512_castps512_ps256(x)),
                    _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1))};
}
STN_FN vf32 v_narrow(vf64x2 x)
{
    return v_join_f32(_mm512_cvtpd_ps(x.low), _mm512_cvtpd_ps(x.high));
}
/* Rounds to odd at bit 40 of a double: that bit is set if any bit below it is set (adding ones
 * there carries into it unless it is set already), and the conversion truncates. The remaining
 * significand has 12 fraction bits. Rounding it to 10 or fewer bits then equals a single rounding.
 * This includes subnormals of f32, down to half of the smallest bf16, for which f32 ends at bit
 * 37. */
STN_FN __m256 v_narrow_odd_half(vf64 x)
{
    const __m512i bits = _mm512_castpd_si512(x), last = _mm512_set1_epi64((int64_t)1 << 40);
    const __m512i carried = _mm512_add_epi64(bits, _mm512_set1_epi64(((int64_t)1 << 40) - 1));
    const __m512i odd = _mm512_ternarylogic_epi64(bits, carried, last, 0xf8); /* a | (b & c) */
    return _mm512_cvt_roundpd_ps(_mm512_castsi512_pd(odd), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
STN_FN vf32 v_narrow_odd(vf64x2 x)
{
    return v_join_f32(v_narrow_odd_half(x.low), v_narrow_odd_half(x.high));
}

/* ---- 16-bit floats ---- */
STN_FN vf32 v_f16_to_f32(vh x)
{
    return _mm512_cvtph_ps(x);
}
STN_FN vh v_f32_to_f16(vf32 x)
{
    return _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
}
STN_FN vh v_f32_to_f16_odd(vf32 x)
{
    const vh cut = _mm512_cvtps_ph(x, _MM_FROUND_TO_ZERO);
    const __mmask16 inexact = _mm512_cmp_ps_mask(_mm512_cvtph_ps(cut), x, _CMP_NEQ_OQ);
    return _mm256_or_si256(cut, _mm256_maskz_set1_epi16(inexact, 1));
}
STN_FN vf32 v_bf16_to_f32(vh x)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16));
}
/* The upper halves, after the addition of 0x7fff or, if the last bit that remains is set, 0x8000.
 */
STN_FN vh v_f32_to_bf16(vf32 x)
{
    const __m512i bits = _mm512_castps_si512(x);
    const __mmask16 is_odd = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0x10000));
    const __m512i half =
        _mm512_mask_blend_epi32(is_odd, _mm512_set1_epi32(0x7fff), _mm512_set1_epi32(0x8000));
    const __m512i upper =
        _mm512_set_epi16(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1, 31, 29, 27, 25,
                         23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    return _mm512_castsi512_si256(_mm512_permutexvar_epi16(upper, _mm512_add_epi32(bits, half)));
}

/* ---- 16-bit integers ---- */
STN_FN vh v_set_h(int x)
{
    return _mm256_set1_epi16((short)x);
}
STN_FN vh v_add_h(vh a, vh b)
{
    return _mm256_add_epi16(a, b);
}
/* All bits set where a == b. */
STN_FN vh v_equal_h(vh a, vh b)
{
    return _mm256_cmpeq_epi16(a, b);
}
STN_FN vh v_and_h(vh a, vh b)
{
    return _mm256_and_si256(a, b);
}
STN_FN vh v_or_h(vh a, vh b)
{
    return _mm256_or_si256(a, b);
}
#define v_shl_h(x, n) _mm256_slli_epi16(x, n)
#define v_shr_h(x, n) _mm256_srli_epi16(x, n)
/* `yes` where x is NaN, else `no`. */
STN_FN vh v_if_nan_h(vf32 x, vh yes, vh no)
{
    return _mm256_mask_mov_epi16(no, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), yes);
}

/* ---- integers; converted values are in range and not NaN ---- */
STN_FN vf32 v_i32_to_f32(vi32 x)
{
    return _mm512_cvtepi32_ps(x);
}
STN_FN vf32 v_u32_to_f32(vi32 x)
{
    return _mm512_cvtepu32_ps(x);
}
STN_FN vf64x2 v_i32_to_f64(vi32 x)
{
    return (vf64x2){_mm512_cvtepi32_pd(_mm512_castsi512_si256(x)),
                    _mm512_cvtepi32_pd(_mm512_extracti32x8_epi32(x, 1))};
}
STN_FN vf64x2 v_u32_to_f64(vi32 x)
{
    return (vf64x2){_mm512_cvtepu32_pd(_mm512_castsi512_si256(x)),
                    _mm512_cvtepu32_pd(_mm512_extracti32x8_epi32(x, 1))};
}
STN_FN vi32 v_f32_to_i32(vf32 x)
{
    return _mm512_cvtps_epi32(x);
}
STN_FN vi32 v_f64_to_i32(vf64x2 x)
{
    return _mm512_inserti32x8(_mm512_castsi256_si512(_mm512_cvtpd_epi32(x.low)),
                              _mm512_cvtpd_epi32(x.high), 1);
}
STN_FN vi32 v_f64_to_u32(vf64x2 x)
{
    return _mm512_inserti32x8(_mm512_castsi256_si512(_mm512_cvtpd_epu32(x.low)),
                              _mm512_cvtpd_epu32(x.high), 1);
}
STN_FN vf64x2 v_i64_to_f64(vi64x2 x)
{
    return (vf64x2){_mm512_cvtepi64_pd(x.low), _mm512_cvtepi64_pd(x.high)};
}
STN_FN vf64x2 v_u64_to_f64(vi64x2 x)
{
    return (vf64x2){_mm512_cvtepu64_pd(x.low), _mm512_cvtepu64_pd(x.high)};
}
STN_FN vf32 v_i64_to_f32(vi64x2 x)
{
    return v_join_f32(_mm512_cvtepi64_ps(x.low), _mm512_cvtepi64_ps(x.high));
}
STN_FN vf32 v_u64_to_f32(vi64x2 x)
{
    return v_join_f32(_mm512_cvtepu64_ps(x.low), _mm512_cvtepu64_ps(x.high));
}
/* Saturating; the instruction yields all ones for values out of range above, and the lowest
 * value below. */
STN_FN __m512i v_f64_to_i64_half(vf64 x)
{
    const __mmask8 above = _mm512_cmp_pd_mask(x, _mm512_set1_pd(0x1p63), _CMP_GE_OQ);
    return _mm512_mask_mov_epi64(_mm512_cvtpd_epi64(x), above, _mm512_set1_epi64(INT64_MAX));
}
STN_FN vi64x2 v_f64_to_i64(vf64x2 x)
{
    return (vi64x2){v_f64_to_i64_half(x.low), v_f64_to_i64_half(x.high)};
}
/* Saturating: the instruction yields all ones from 2^64 on, and negative values are clamped. */
STN_FN vi64x2 v_f64_to_u64(vf64x2 x)
{
    const vf64 zero = _mm512_setzero_pd();
    return (vi64x2){_mm512_cvtpd_epu64(_mm512_max_pd(x.low, zero)),
                    _mm512_cvtpd_epu64(_mm512_max_pd(x.high, zero))};
}

#endif
