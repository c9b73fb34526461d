/* Vector operations in AVX2 with FMA and F16C: a piece is 8 elements. */
#ifndef STENO_FORMAT_VEC_AVX2_H
#define STENO_FORMAT_VEC_AVX2_H

#include <immintrin.h>

#include "steno/codec.h"

enum { V_PIECE = 8 };

typedef __m256 vf32;  /* 8 floats */
typedef __m256i vi32; /* 8 integers of 32 bits */
typedef __m256d vf64; /* half a piece: 4 doubles */
typedef struct vf64x2 {
    vf64 low, high;
} vf64x2; /* 8 doubles */
typedef struct vi64x2 {
    __m256i low, high;
} vi64x2;           /* 8 integers of 64 bits */
typedef __m128i vh; /* 8 integers of 16 bits */

/* ---- memory ---- */
STN_FN __m128i v_load_8_bytes(const void *p)
{
    return _mm_loadl_epi64(p);
}
/* `bytes` bytes, less than a full register and a multiple of 4, followed by zeros. */
#define V_TAKE_WORDS
STN_FN void v_take_words(char *buffer, int64_t buffer_bytes, const char *p, int64_t bytes)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (int64_t at = 0; at < buffer_bytes; at += 32) {
        const __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(bytes - at) / 4), lane);
        _mm256_storeu_si256((void *)(buffer + at),
                            _mm256_maskload_epi32((const int *)(const void *)(p + at), there));
    }
}
STN_FN vf32 v_load_f32(const void *p)
{
    return _mm256_loadu_ps(p);
}
STN_FN void v_store_f32(void *p, vf32 x)
{
    _mm256_storeu_ps(p, x);
}
STN_FN vf64x2 v_load_f64(const void *p)
{
    return (vf64x2){_mm256_loadu_pd(p), _mm256_loadu_pd((const double *)p + 4)};
}
STN_FN void v_store_f64(void *p, vf64x2 x)
{
    _mm256_storeu_pd(p, x.low);
    _mm256_storeu_pd((double *)p + 4, x.high);
}
STN_FN vh v_load_h(const void *p)
{
    return _mm_loadu_si128(p);
}
STN_FN void v_store_h(void *p, vh x)
{
    _mm_storeu_si128(p, x);
}
STN_FN vh v_load_i8_h(const void *p)
{
    return _mm_cvtepi8_epi16(v_load_8_bytes(p));
}
STN_FN void v_store_u8_h(void *p, vh x)
{
    _mm_storel_epi64(p, _mm_packus_epi16(_mm_and_si128(x, _mm_set1_epi16(0xff)), x));
}
STN_FN vi32 v_load_i8(const void *p)
{
    return _mm256_cvtepi8_epi32(v_load_8_bytes(p));
}
STN_FN vi32 v_load_u8(const void *p)
{
    return _mm256_cvtepu8_epi32(v_load_8_bytes(p));
}
STN_FN vi32 v_load_i16(const void *p)
{
    return _mm256_cvtepi16_epi32(_mm_loadu_si128(p));
}
STN_FN vi32 v_load_u16(const void *p)
{
    return _mm256_cvtepu16_epi32(_mm_loadu_si128(p));
}
STN_FN vi32 v_load_i32(const void *p)
{
    return _mm256_loadu_si256(p);
}
STN_FN vi64x2 v_load_i64(const void *p)
{
    return (vi64x2){_mm256_loadu_si256(p), _mm256_loadu_si256((const __m256i *)p + 1)};
}
/* The low 16 bits of each 32. */
STN_FN vh v_low_h(vi32 x)
{
    const __m256i low = _mm256_and_si256(x, _mm256_set1_epi32(0xffff));
    const __m256i packed = _mm256_packus_epi32(low, low);
    return _mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08));
}
STN_FN void v_store_i16(void *p, vi32 x)
{
    _mm_storeu_si128(p, v_low_h(x));
}
STN_FN void v_store_i8(void *p, vi32 x)
{
    v_store_u8_h(p, v_low_h(x));
}
STN_FN void v_store_i32(void *p, vi32 x)
{
    _mm256_storeu_si256(p, x);
}
STN_FN void v_store_i64(void *p, vi64x2 x)
{
    _mm256_storeu_si256(p, x.low);
    _mm256_storeu_si256((__m256i *)p + 1, x.high);
}

/* ---- arithmetic ---- */
STN_FN vf32 v_set_f32(float x)
{
    return _mm256_set1_ps(x);
}
STN_FN vf64 v_set_f64(double x)
{
    return _mm256_set1_pd(x);
}
STN_FN vf32 v_add_f32(vf32 a, vf32 b)
{
    return _mm256_add_ps(a, b);
}
STN_FN vf32 v_sub_f32(vf32 a, vf32 b)
{
    return _mm256_sub_ps(a, b);
}
STN_FN vf32 v_mul_f32(vf32 a, vf32 b)
{
    return _mm256_mul_ps(a, b);
}
STN_FN vf32 v_div_f32(vf32 a, vf32 b)
{
    return _mm256_div_ps(a, b);
}
STN_FN vf32 v_fma_f32(vf32 a, vf32 b, vf32 c)
{
    return _mm256_fmadd_ps(a, b, c);
}
STN_FN vf64 v_add_f64(vf64 a, vf64 b)
{
    return _mm256_add_pd(a, b);
}
STN_FN vf64 v_sub_f64(vf64 a, vf64 b)
{
    return _mm256_sub_pd(a, b);
}
STN_FN vf64 v_mul_f64(vf64 a, vf64 b)
{
    return _mm256_mul_pd(a, b);
}
STN_FN vf64 v_div_f64(vf64 a, vf64 b)
{
    return _mm256_div_pd(a, b);
}
STN_FN vf64 v_fma_f64(vf64 a, vf64 b, vf64 c)
{
    return _mm256_fmadd_pd(a, b, c);
}

/* ---- x[index[k]] of half a piece or a whole one, and the first lanes of a register ----
 * Sequential loads: gather instructions are slower on the processors measured. */
STN_FN vf64 v_gather_half_f64(const double *x, const int32_t *index)
{
    return _mm256_setr_pd(x[index[0]], x[index[1]], x[index[2]], x[index[3]]);
}
STN_FN __m128 v_gather_half_f32(const float *x, const int32_t *index)
{
    return _mm_setr_ps(x[index[0]], x[index[1]], x[index[2]], x[index[3]]);
}
STN_FN vf64 v_gather_half_f64_u16(const double *x, const uint16_t *index)
{
    return _mm256_setr_pd(x[index[0]], x[index[1]], x[index[2]], x[index[3]]);
}
STN_FN vf32 v_gather_f32_u16(const float *x, const uint16_t *index)
{
    return _mm256_setr_ps(x[index[0]], x[index[1]], x[index[2]], x[index[3]], x[index[4]],
                          x[index[5]], x[index[6]], x[index[7]]);
}
/* Lanes from `count` on are undefined. */
STN_FN vf32 v_gather_f32(const float *x, const int32_t *index, int64_t count)
{
    const __m128 low = v_gather_half_f32(x, index);
    return _mm256_set_m128(count > 4 ? v_gather_half_f32(x, index + 4) : low, low);
}
/* A whole register, by gather instructions. */
STN_FN vf64 v_gather_far_f64(const double *x, const int32_t *index)
{
    return _mm256_i32gather_pd(x, _mm_loadu_si128((const __m128i *)(const void *)index), 8);
}
STN_FN vf32 v_gather_far_f32(const float *x, const int32_t *index)
{
    return _mm256_i32gather_ps(x, _mm256_loadu_si256((const __m256i *)(const void *)index), 4);
}
/* Lanes below `count` from `some`, the others from `rest`. */
STN_FN vf64 v_first_f64(vf64 some, vf64 rest, int64_t count)
{
    const __m256i lane = _mm256_setr_epi64x(0, 1, 2, 3);
    const __m256i chosen = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), lane);
    return _mm256_blendv_pd(rest, some, _mm256_castsi256_pd(chosen));
}
STN_FN vf32 v_first_f32(vf32 some, vf32 rest, int64_t count)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const int limit = count > 8 ? 8 : count < 0 ? 0 : (int)count;
    const __m256i chosen = _mm256_cmpgt_epi32(_mm256_set1_epi32(limit), lane);
    return _mm256_blendv_ps(rest, some, _mm256_castsi256_ps(chosen));
}

/* Lanes whose bit is set from `yes`, the others from `no`. */
STN_FN vf64 v_choose_half_f64(vf64 yes, vf64 no, unsigned mask)
{
    const __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);
    const __m256i own = _mm256_and_si256(_mm256_set1_epi64x((int64_t)mask), bit);
    return _mm256_blendv_pd(no, yes, _mm256_castsi256_pd(_mm256_cmpeq_epi64(own, bit)));
}
STN_FN vf32 v_choose_f32(vf32 yes, vf32 no, unsigned mask)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i own = _mm256_and_si256(_mm256_set1_epi32((int)mask), bit);
    return _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(_mm256_cmpeq_epi32(own, bit)));
}

/* Sums in tree order: lane l + h is added to lane l for h = half the lanes, ..., 1. */
STN_FN double v_sum_f64(vf64 x)
{
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}
STN_FN float v_sum_f32(vf32 x)
{
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/* ---- NaN and limits: a NaN passes a clamp unchanged ---- */
STN_FN vf32 v_clamp_f32(vf32 x, float low, float high)
{
    return _mm256_max_ps(_mm256_set1_ps(low), _mm256_min_ps(_mm256_set1_ps(high), x));
}
STN_FN vf64 v_clamp_half_f64(vf64 x, double low, double high)
{
    return _mm256_max_pd(_mm256_set1_pd(low), _mm256_min_pd(_mm256_set1_pd(high), x));
}
STN_FN vf32 v_zero_nan_f32(vf32 x)
{
    return _mm256_and_ps(x, _mm256_cmp_ps(x, x, _CMP_ORD_Q));
}
STN_FN vf64 v_zero_nan_half_f64(vf64 x)
{
    return _mm256_and_pd(x, _mm256_cmp_pd(x, x, _CMP_ORD_Q));
}
STN_FN vf32 v_canonical_f32(vf32 x)
{
    const vf32 nan = _mm256_set1_ps(stn_f32_of_bits(0x7fc00000u));
    return _mm256_blendv_ps(x, nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}
STN_FN vf64 v_canonical_half_f64(vf64 x)
{
    const vf64 nan = _mm256_set1_pd(stn_f64_of_bits(0x7ff8000000000000u));
    return _mm256_blendv_pd(x, nan, _mm256_cmp_pd(x, x, _CMP_UNORD_Q));
}

/* ---- between f64 and f32 ---- */
STN_FN vf64x2 v_widen(vf32 x)
{
    return (vf64x2){_mm256_cvtps_pd(_mm256_castps256_ps128(x)),
                    _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1))};
}
STN_FN vf32 v_narrow(vf64x2 x)
{
    return _mm256_set_m128(_mm256_cvtpd_ps(x.high), _mm256_cvtpd_ps(x.low));
}
/* The low 32 bits of each 64. */
STN_FN __m128i v_low_words(__m256i x)
{
    const __m256i even = _mm256_shuffle_epi32(x, 0x08);
    return _mm256_castsi256_si128(_mm256_permute4x64_epi64(even, 0x08));
}
/* Rounds to odd at bit 40 of a double: that bit is set if any bit below it is set (adding ones
 * there carries into it unless it is set already), and the bits below are cleared, so that the
 * conversion is exact. The remaining significand has 12 fraction bits. Rounding it to 10 or fewer
 * bits then equals a single rounding. This includes subnormals of f32, down to half of the
 * smallest bf16, for which f32 ends at bit 37. */
STN_FN __m128 v_narrow_odd_half(vf64 x)
{
    const __m256i last = _mm256_set1_epi64x((int64_t)1 << 40);
    const __m256i below = _mm256_set1_epi64x(((int64_t)1 << 40) - 1);
    const __m256i bits = _mm256_castpd_si256(x);
    const __m256i carried = _mm256_and_si256(_mm256_add_epi64(bits, below), last);
    const __m256i odd = _mm256_andnot_si256(below, _mm256_or_si256(bits, carried));
    return _mm256_cvtpd_ps(_mm256_castsi256_pd(odd));
}
STN_FN vf32 v_narrow_odd(vf64x2 x)
{
    return _mm256_set_m128(v_narrow_odd_half(x.high), v_narrow_odd_half(x.low));
}
/* The same in fewer instructions, to odd at bit 31, for formats whose values are normal in f32:
 * the lower word becomes that bit if any of its bits is set, and the conversion of 21 fraction
 * bits is exact. */
#define V_NARROW_NORMAL
STN_FN __m128 v_narrow_normal_half(vf64 x)
{
    const __m256i last = _mm256_set1_epi64x((int64_t)1 << 31);
    const __m256i bits = _mm256_castpd_si256(x);
    const __m256i odd = _mm256_blend_epi32(_mm256_sign_epi32(last, bits), bits, 0xaa);
    return _mm256_cvtpd_ps(_mm256_castsi256_pd(odd));
}
STN_FN vf32 v_narrow_normal(vf64x2 x)
{
    return _mm256_set_m128(v_narrow_normal_half(x.high), v_narrow_normal_half(x.low));
}

/* ---- 16-bit integers ---- */
STN_FN vh v_set_h(int x)
{
    return _mm_set1_epi16((short)x);
}
STN_FN vh v_add_h(vh a, vh b)
{
    return _mm_add_epi16(a, b);
}
/* All bits set where a == b. */
STN_FN vh v_equal_h(vh a, vh b)
{
    return _mm_cmpeq_epi16(a, b);
}
STN_FN vh v_and_h(vh a, vh b)
{
    return _mm_and_si128(a, b);
}
STN_FN vh v_or_h(vh a, vh b)
{
    return _mm_or_si128(a, b);
}
#define v_shl_h(x, n) _mm_slli_epi16(x, n)
#define v_shr_h(x, n) _mm_srli_epi16(x, n)
/* 32-bit masks as 16-bit masks. */
STN_FN vh v_mask_h(vf32 mask)
{
    const __m256i bits = _mm256_castps_si256(mask);
    return _mm_packs_epi32(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
}
/* `yes` where x is NaN, else `no`. */
STN_FN vh v_if_nan_h(vf32 x, vh yes, vh no)
{
    return _mm_blendv_epi8(no, yes, v_mask_h(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)));
}

/* ---- 16-bit floats ---- */
STN_FN vf32 v_f16_to_f32(vh x)
{
    return _mm256_cvtph_ps(x);
}
STN_FN vh v_f32_to_f16(vf32 x)
{
    return _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
}
STN_FN vh v_f32_to_f16_odd(vf32 x)
{
    const vh cut = _mm256_cvtps_ph(x, _MM_FROUND_TO_ZERO);
    const vh inexact = v_mask_h(_mm256_cmp_ps(_mm256_cvtph_ps(cut), x, _CMP_NEQ_OQ));
    return _mm_or_si128(cut, _mm_and_si128(inexact, _mm_set1_epi16(1)));
}
STN_FN vf32 v_bf16_to_f32(vh x)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(x), 16));
}
STN_FN vh v_f32_to_bf16(vf32 x)
{
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i last = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(bits, _mm256_add_epi32(last, _mm256_set1_epi32(0x7fff)));
    return v_low_h(_mm256_srli_epi32(up, 16));
}

/* ---- integers; values converted to at most 32 bits are in range and not NaN ---- */
STN_FN vf32 v_i32_to_f32(vi32 x)
{
    return _mm256_cvtepi32_ps(x);
}
STN_FN vf64x2 v_i32_to_f64(vi32 x)
{
    return (vf64x2){_mm256_cvtepi32_pd(_mm256_castsi256_si128(x)),
                    _mm256_cvtepi32_pd(_mm256_extracti128_si256(x, 1))};
}
/* Both halves as an exact integer minus 2^31, which f64 represents, plus 2^31 in f64. */
STN_FN vf64x2 v_u32_to_f64(vi32 x)
{
    const vf64 back = _mm256_set1_pd(0x1p31);
    const vf64x2 moved = v_i32_to_f64(_mm256_xor_si256(x, _mm256_set1_epi32(INT32_MIN)));
    return (vf64x2){_mm256_add_pd(moved.low, back), _mm256_add_pd(moved.high, back)};
}
STN_FN vf32 v_u32_to_f32(vi32 x)
{
    return v_narrow(v_u32_to_f64(x));
}
STN_FN vi32 v_f32_to_i32(vf32 x)
{
    return _mm256_cvtps_epi32(x);
}
STN_FN vi32 v_f64_to_i32(vf64x2 x)
{
    return _mm256_set_m128i(_mm256_cvtpd_epi32(x.high), _mm256_cvtpd_epi32(x.low));
}
/* Adding 2^52 leaves the rounded integer in the low bits. */
STN_FN vi32 v_f64_to_u32(vf64x2 x)
{
    const vf64 magic = _mm256_set1_pd(0x1p52);
    const __m256i low = _mm256_castpd_si256(_mm256_add_pd(x.low, magic));
    const __m256i high = _mm256_castpd_si256(_mm256_add_pd(x.high, magic));
    return _mm256_set_m128i(v_low_words(high), v_low_words(low));
}

/* 64-bit integers have no packed conversions here: lane by lane, like the scalar
 * codec. */
#define STN_LANE_BY_LANE(name, to, from, vfrom, vto, store, load, expression)                      \
    STN_FN vto name(vfrom x)                                                                       \
    {                                                                                              \
        from in[V_PIECE];                                                                          \
        to out[V_PIECE];                                                                           \
        unsigned events = 0;                                                                       \
        (void)events;                                                                              \
        store(in, x);                                                                              \
        for (int k = 0; k < V_PIECE; k++)                                                          \
            out[k] = expression;                                                                   \
        return load(out);                                                                          \
    }
STN_LANE_BY_LANE(v_i64_to_f64, double, int64_t, vi64x2, vf64x2, v_store_i64, v_load_f64,
                 (double)in[k])
STN_LANE_BY_LANE(v_u64_to_f64, double, uint64_t, vi64x2, vf64x2, v_store_i64, v_load_f64,
                 (double)in[k])
STN_LANE_BY_LANE(v_i64_to_f32, float, int64_t, vi64x2, vf32, v_store_i64, v_load_f32, (float)in[k])
STN_LANE_BY_LANE(v_u64_to_f32, float, uint64_t, vi64x2, vf32, v_store_i64, v_load_f32, (float)in[k])
STN_LANE_BY_LANE(v_f64_to_i64, uint64_t, double, vf64x2, vi64x2, v_store_f64, v_load_i64,
                 stn_integer_encode(stn_bits_of_f64(in[k]), 64, 1, STN_ROUND_NEAREST, 0, &events))
STN_LANE_BY_LANE(v_f64_to_u64, uint64_t, double, vf64x2, vi64x2, v_store_f64, v_load_i64,
                 stn_integer_encode(stn_bits_of_f64(in[k]), 64, 0, STN_ROUND_NEAREST, 0, &events))
#undef STN_LANE_BY_LANE

#endif
