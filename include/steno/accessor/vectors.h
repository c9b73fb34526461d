/* 8- and 16-bit elements by eight and sixteen, where the compiler may use AVX2 and F16C (or
 * AVX-512): the same bits as value.h. Compilers make vectors of value.h's code too, but of more
 * instructions. */
#ifndef STENO_ACCESSOR_VECTORS_H
#define STENO_ACCESSOR_VECTORS_H

#include "steno/accessor/upper.h"
#include "steno/accessor/value.h"

#if defined(__F16C__) && defined(__AVX2__) && !defined(STN_OPENCL) && !defined(__CUDACC__) &&      \
    !defined(__HIPCC__) && !defined(__HIP__) && !defined(__SYCL_DEVICE_ONLY__)
#    define STN_HAVE_VECTORS 1
#    include <immintrin.h>

/* ---- values in f32 or, for f64 arithmetic, on their way to or from it ---- */

STN_FN void stn_put_eight_f32(float *values, __m256 x, float zero, float scale)
{
    _mm256_storeu_ps(values,
                     _mm256_mul_ps(_mm256_sub_ps(x, _mm256_set1_ps(zero)), _mm256_set1_ps(scale)));
}
STN_FN __m256 stn_get_eight_f32(const float *values, float zero, float scale)
{
    return _mm256_add_ps(_mm256_div_ps(_mm256_loadu_ps(values), _mm256_set1_ps(scale)),
                         _mm256_set1_ps(zero));
}

/* From f64 by an f32 that rounds to fewer bits as the f64 does: cut toward zero, and the last bit
 * set when anything was cut off. */
#    ifdef __AVX512F__
/* Lanes of masked operations: for the plain ones gcc 12 warns of what its own headers leave unset.
 */
#        define STN_EIGHT   0xff
#        define STN_SIXTEEN 0xffff
STN_FN void stn_put_doubles(double *values, __m512d x, double zero, double scale)
{
    _mm512_storeu_pd(values,
                     _mm512_mul_pd(_mm512_sub_pd(x, _mm512_set1_pd(zero)), _mm512_set1_pd(scale)));
}
STN_FN void stn_put_eight_f64(double *values, __m256 x, double zero, double scale)
{
    stn_put_doubles(values, _mm512_maskz_cvtps_pd(STN_EIGHT, x), zero, scale);
}
STN_FN __m256 stn_get_eight_f64(const double *values, double zero, double scale)
{
    const __m512d x = _mm512_add_pd(_mm512_div_pd(_mm512_loadu_pd(values), _mm512_set1_pd(scale)),
                                    _mm512_set1_pd(zero));
    const __m256 cut =
        _mm512_maskz_cvt_roundpd_ps(STN_EIGHT, x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    const __m512i inexact = _mm512_maskz_set1_epi64(
        _mm512_cmp_pd_mask(_mm512_maskz_cvtps_pd(STN_EIGHT, cut), x, _CMP_NEQ_UQ), 1);
    return _mm256_or_ps(cut, _mm256_castsi256_ps(_mm512_maskz_cvtepi64_epi32(STN_EIGHT, inexact)));
}
STN_FN void stn_put_eight_u32(double *values, const void *codes, double zero, double scale)
{
    const __m256i x = _mm256_loadu_si256((const __m256i *)codes);
    stn_put_doubles(values, _mm512_maskz_cvtepu32_pd(STN_EIGHT, x), zero, scale);
}
#    else
STN_FN void stn_put_doubles(double *values, __m256d x, double zero, double scale)
{
    _mm256_storeu_pd(values,
                     _mm256_mul_pd(_mm256_sub_pd(x, _mm256_set1_pd(zero)), _mm256_set1_pd(scale)));
}
STN_FN void stn_put_eight_f64(double *values, __m256 x, double zero, double scale)
{
    stn_put_doubles(values, _mm256_cvtps_pd(_mm256_castps256_ps128(x)), zero, scale);
    stn_put_doubles(values + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)), zero, scale);
}
/* A mask of four 64-bit lanes in 32-bit ones. */
STN_FN __m128i stn_narrow_mask(__m256d mask)
{
    const __m256 halves = _mm256_castpd_ps(mask);
    return _mm_castps_si128(
        _mm_shuffle_ps(_mm256_castps256_ps128(halves), _mm256_extractf128_ps(halves, 1), 0x88));
}
STN_FN __m128 stn_get_four_f64(const double *values, double zero, double scale)
{
    const __m256d x = _mm256_add_pd(_mm256_div_pd(_mm256_loadu_pd(values), _mm256_set1_pd(scale)),
                                    _mm256_set1_pd(zero));
    const __m128 nearest = _mm256_cvtpd_ps(x);
    const __m256d back = _mm256_cvtps_pd(nearest), no_sign = _mm256_set1_pd(-0.0);
    const __m256d beyond =
        _mm256_cmp_pd(_mm256_andnot_pd(no_sign, back), _mm256_andnot_pd(no_sign, x), _CMP_GT_OQ);
    const __m128i cut =
        _mm_add_epi32(_mm_castps_si128(nearest), stn_narrow_mask(beyond)); /* or one less */
    const __m128i inexact = stn_narrow_mask(_mm256_cmp_pd(back, x, _CMP_NEQ_UQ));
    return _mm_castsi128_ps(_mm_or_si128(cut, _mm_srli_epi32(inexact, 31)));
}
STN_FN __m256 stn_get_eight_f64(const double *values, double zero, double scale)
{
    return _mm256_set_m128(stn_get_four_f64(values + 4, zero, scale),
                           stn_get_four_f64(values, zero, scale));
}
#    endif

/* ---- sixteen values on their way to f32 ---- */

#    ifdef __AVX512F__
typedef __m512 stn_sixteen;
STN_FN stn_sixteen stn_join_sixteen(__m256 low, __m256 high)
{
    return _mm512_castpd_ps(_mm512_maskz_insertf64x4(
        STN_EIGHT, _mm512_castps_pd(_mm512_castps256_ps512(low)), _mm256_castps_pd(high), 1));
}
STN_FN void stn_put_sixteen_f32(float *values, stn_sixteen x, float zero, float scale)
{
    _mm512_storeu_ps(values,
                     _mm512_mul_ps(_mm512_sub_ps(x, _mm512_set1_ps(zero)), _mm512_set1_ps(scale)));
}
STN_FN stn_sixteen stn_multiply_sixteen(stn_sixteen x, float factor)
{
    return _mm512_mul_ps(x, _mm512_set1_ps(factor));
}
#    else
typedef struct stn_sixteen {
    __m256 low, high;
} stn_sixteen;
STN_FN stn_sixteen stn_join_sixteen(__m256 low, __m256 high)
{
    const stn_sixteen x = {low, high};
    return x;
}
STN_FN void stn_put_sixteen_f32(float *values, stn_sixteen x, float zero, float scale)
{
    stn_put_eight_f32(values, x.low, zero, scale);
    stn_put_eight_f32(values + 8, x.high, zero, scale);
}
STN_FN stn_sixteen stn_multiply_sixteen(stn_sixteen x, float factor)
{
    return stn_join_sixteen(_mm256_mul_ps(x.low, _mm256_set1_ps(factor)),
                            _mm256_mul_ps(x.high, _mm256_set1_ps(factor)));
}
#    endif

/* ---- reading sixteen integers of 8 or 16 bits ---- */

STN_FN __m256i stn_read_eight_integers(const void *codes, int width, int is_signed)
{
    if (width == 16)
        return is_signed ? _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)codes))
                         : _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)codes));
    return is_signed ? _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)codes))
                     : _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)codes));
}
STN_FN void stn_put_integers_f32(float *values, const void *codes, int width, int is_signed,
                                 float zero, float scale)
{
    const __m256i low = stn_read_eight_integers(codes, width, is_signed);
    const __m256i high = stn_read_eight_integers((const char *)codes + width, width, is_signed);
    stn_put_sixteen_f32(values, stn_join_sixteen(_mm256_cvtepi32_ps(low), _mm256_cvtepi32_ps(high)),
                        zero, scale);
}
STN_FN void stn_put_eight_i32(double *values, __m256i x, double zero, double scale)
{
#    ifdef __AVX512F__
    stn_put_doubles(values, _mm512_maskz_cvtepi32_pd(STN_EIGHT, x), zero, scale);
#    else
    stn_put_doubles(values, _mm256_cvtepi32_pd(_mm256_castsi256_si128(x)), zero, scale);
    stn_put_doubles(values + 4, _mm256_cvtepi32_pd(_mm256_extracti128_si256(x, 1)), zero, scale);
#    endif
}
STN_FN void stn_put_integers_f64(double *values, const void *codes, int width, int is_signed,
                                 double zero, double scale)
{
    stn_put_eight_i32(values, stn_read_eight_integers(codes, width, is_signed), zero, scale);
    stn_put_eight_i32(values + 8,
                      stn_read_eight_integers((const char *)codes + width, width, is_signed), zero,
                      scale);
}

/* ---- reading sixteen floats of 8 or 16 bits ---- */

/* Halves are 16 bits whose exponent is biased as that of f16 is, or, with 8 bits of it, bf16. */
STN_FN __m256 stn_eight_of_halves(__m128i halves, int exponent_bits)
{
    if (exponent_bits == 8)
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
    return _mm256_cvtph_ps(halves);
}
STN_FN stn_sixteen stn_sixteen_of_halves(__m256i halves, int exponent_bits)
{
#    ifdef __AVX512F__
    if (exponent_bits == 8)
        return _mm512_castsi512_ps(_mm512_maskz_slli_epi32(
            STN_SIXTEEN, _mm512_maskz_cvtepu16_epi32(STN_SIXTEEN, halves), 16));
    return _mm512_maskz_cvtph_ps(STN_SIXTEEN, halves);
#    else
    return stn_join_sixteen(
        stn_eight_of_halves(_mm256_castsi256_si128(halves), exponent_bits),
        stn_eight_of_halves(_mm256_extracti128_si256(halves, 1), exponent_bits));
#    endif
}
/* Sixteen codes as halves. Exponents of less than 5 bits are biased by less than f16's: a factor
 * makes up for it. What is not finite becomes so in f16; the sign was extended upward. */
STN_FN __m256i stn_read_halves(const void *codes, int width, stn_float_kind kind)
{
    const int e = kind.exponent_bits, f = kind.fraction_bits;
    const int all = (1 << (e + f)) - 1, infinity = all >> f << f;
    const __m256i wide = width == 16
                             ? _mm256_loadu_si256((const __m256i *)codes)
                             : _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)codes));
    __m256i halves = e == 8 ? wide : _mm256_slli_epi16(wide, 10 - f);
    if (e < 5) {
        const __m256i magnitude = _mm256_and_si256(wide, _mm256_set1_epi16((short)all));
        const __m256i largest = _mm256_set1_epi16((short)((kind.finite_only ? all : infinity) - 1));
        halves = _mm256_and_si256(halves, _mm256_set1_epi16((short)(0x8000 | all << (10 - f))));
        halves = _mm256_or_si256(halves, _mm256_and_si256(_mm256_cmpgt_epi16(magnitude, largest),
                                                          _mm256_set1_epi16(0x7c00)));
    }
    return halves;
}
STN_FN float stn_factor_of_halves(stn_float_kind kind)
{
    return kind.exponent_bits < 5 ? (float)(1 << (16 - (1 << (kind.exponent_bits - 1)))) : 1.0f;
}
STN_FN void stn_put_floats_f32(float *values, const void *codes, int width, stn_float_kind kind,
                               float zero, float scale)
{
    const stn_sixteen x =
        stn_sixteen_of_halves(stn_read_halves(codes, width, kind), kind.exponent_bits);
    stn_put_sixteen_f32(values, stn_multiply_sixteen(x, stn_factor_of_halves(kind)), zero, scale);
}
#    if defined(__AVX512BW__) && defined(__AVX512VL__)
/* The sign and 7 bits of sixteen 8-bit codes to the upper 16 bits of doubles. */
STN_FN void stn_put_upper_f64(double *values, const void *codes, const stn_u16 *table, double zero,
                              double scale)
{
    const __m256i code = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)codes));
    const __m512i index = _mm512_zextsi256_si512(code);
    const __m512i below =
        _mm512_permutex2var_epi16(_mm512_loadu_si512(table), index, _mm512_loadu_si512(table + 32));
    const __m512i above = _mm512_permutex2var_epi16(_mm512_loadu_si512(table + 64), index,
                                                    _mm512_loadu_si512(table + 96));
    const __m256i magnitude = _mm256_mask_mov_epi16(
        _mm512_castsi512_si256(below), _mm256_test_epi16_mask(code, _mm256_set1_epi16(64)),
        _mm512_castsi512_si256(above));
    const __m512i words = _mm512_zextsi256_si512(
        _mm256_or_si256(magnitude, _mm256_and_si256(code, _mm256_set1_epi16((short)0x8000))));
    const __m512i low = _mm512_set_epi16(7, 0, 0, 0, 6, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0,
                                         2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    const __m512i high = _mm512_add_epi16(low, _mm512_set1_epi16(8));
    const __mmask32 top = 0x88888888u;
    stn_put_doubles(values, _mm512_castsi512_pd(_mm512_maskz_permutexvar_epi16(top, low, words)),
                    zero, scale);
    stn_put_doubles(values + 8,
                    _mm512_castsi512_pd(_mm512_maskz_permutexvar_epi16(top, high, words)), zero,
                    scale);
}
#    endif
STN_FN void stn_put_floats_f64(double *values, const void *codes, int width, stn_float_kind kind,
                               double zero, double scale)
{
    const __m256 factor = _mm256_set1_ps(stn_factor_of_halves(kind));
    __m128i low, high;
#    if defined(__AVX512BW__) && defined(__AVX512VL__)
    static const stn_u16 e4m3[128] = STN_UPPER_E4M3_F64;
    if (width == 8 && kind.exponent_bits == 4 && kind.finite_only) {
        stn_put_upper_f64(values, codes, e4m3, zero, scale);
        return;
    }
#    endif
    if (width == 16) {
        low = _mm_loadu_si128((const __m128i *)codes);
        high = _mm_loadu_si128((const __m128i *)codes + 1);
    } else if (kind.exponent_bits == 5) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)codes);
        low = _mm_unpacklo_epi8(_mm_setzero_si128(), bytes);
        high = _mm_unpackhi_epi8(_mm_setzero_si128(), bytes);
    } else {
        const __m256i halves = stn_read_halves(codes, width, kind);
        low = _mm256_castsi256_si128(halves);
        high = _mm256_extracti128_si256(halves, 1);
    }
    stn_put_eight_f64(values, _mm256_mul_ps(stn_eight_of_halves(low, kind.exponent_bits), factor),
                      zero, scale);
    stn_put_eight_f64(values + 8,
                      _mm256_mul_ps(stn_eight_of_halves(high, kind.exponent_bits), factor), zero,
                      scale);
}

/* ---- writing eight f16, to the nearest and beyond the largest to infinity ---- */

STN_FN void stn_write_eight_f16(void *codes, __m256 values)
{
    const __m256 is_nan = _mm256_cmp_ps(values, values, _CMP_UNORD_Q);
    const __m256 nan = _mm256_set1_ps(stn_f32_of_bits(0x7fc00000u));
    _mm_storeu_si128((__m128i *)codes,
                     _mm256_cvtps_ph(_mm256_blendv_ps(values, nan, is_nan),
                                     _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

#endif
#endif
