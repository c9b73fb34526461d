/* 8- and 16-bit elements by eight and sixteen, where the compiler may use AVX2 and F16C (or
 * AVX-512): the same bits as value.h. Compilers make vectors of value.h's code too, but of more
 * instructions. */
#ifndef STENO_ACCESSOR_VECTORS_H
#define STENO_ACCESSOR_VECTORS_H

#include "steno/detail/accessor/e4m3_table.h"
#include "steno/detail/accessor/value.h"

#if defined(__F16C__) && defined(__AVX2__) && !defined(STN_OPENCL) && !defined(__CUDACC__) &&      \
    !defined(__HIPCC__) && !defined(__HIP__) && !defined(__SYCL_DEVICE_ONLY__)
#    define STN_HAVE_VECTORS 1
#    include <immintrin.h>

/* gcc 12 warns of what its own headers leave unset, and without optimisation of masks that these
 * pass on as signed numbers. */
#    if defined(__GNUC__) && !defined(__clang__)
#        pragma GCC diagnostic push
#        pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#        pragma GCC diagnostic ignored "-Woverflow"
#        pragma GCC diagnostic ignored "-Wsign-conversion"
#    endif

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

/* From f64 to 16 bits by an f32 that a second rounding, to 10 bits of fraction or fewer, takes to
 * what one rounding from the start would have given: a bit of the double is set when one below it
 * is (adding ones there carries into it when it is not set anyway), and those below are cut off. */
#    define STN_ODD_BIT ((stn_i64)1 << 40)

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
STN_FN __m512d stn_get_doubles(const double *values, double zero, double scale)
{
    return _mm512_add_pd(_mm512_div_pd(_mm512_loadu_pd(values), _mm512_set1_pd(scale)),
                         _mm512_set1_pd(zero));
}
STN_FN __m256 stn_get_eight_f64(const double *values, double zero, double scale)
{
    const __m512i x = _mm512_castpd_si512(stn_get_doubles(values, zero, scale));
    const __m512i last = _mm512_set1_epi64(STN_ODD_BIT);
    const __m512i carried = _mm512_add_epi64(x, _mm512_set1_epi64(STN_ODD_BIT - 1));
    const __m512i odd = _mm512_ternarylogic_epi64(x, carried, last, 0xf8); /* a | (b & c) */
    return _mm512_maskz_cvt_roundpd_ps(STN_EIGHT, _mm512_castsi512_pd(odd),
                                       _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
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
STN_FN __m128 stn_get_four_f64(const double *values, double zero, double scale)
{
    const __m256i x = _mm256_castpd_si256(_mm256_add_pd(
        _mm256_div_pd(_mm256_loadu_pd(values), _mm256_set1_pd(scale)), _mm256_set1_pd(zero)));
    const __m256i last = _mm256_set1_epi64x(STN_ODD_BIT);
    const __m256i below = _mm256_set1_epi64x(STN_ODD_BIT - 1);
    const __m256i carried = _mm256_and_si256(_mm256_add_epi64(x, below), last);
    const __m256i odd = _mm256_andnot_si256(below, _mm256_or_si256(x, carried));
    return _mm256_cvtpd_ps(_mm256_castsi256_pd(odd));
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
    static const stn_u16 e4m3[128] = STN_E4M3_TABLE_F64;
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

/* ---- writing sixteen, to the nearest and beyond the largest to infinity ---- */

#    ifdef __AVX512F__
STN_FN stn_sixteen stn_get_sixteen_f32(const float *values, float zero, float scale)
{
    return _mm512_add_ps(_mm512_div_ps(_mm512_loadu_ps(values), _mm512_set1_ps(scale)),
                         _mm512_set1_ps(zero));
}
/* The table has a digit for each class of numbers: 0, the first operand, for quiet and signalling
 * NaN; 1, the second, for all others. */
STN_FN __m512 stn_quiet(__m512 x)
{
    const __m512 nan = _mm512_set1_ps(stn_f32_of_bits(0x7fc00000u));
    return _mm512_fixupimm_ps(nan, x, _mm512_set1_epi32(0x11111100), 0);
}
STN_FN void stn_write_sixteen_f16(void *codes, stn_sixteen values)
{
    _mm256_storeu_si256((__m256i *)codes,
                        _mm512_maskz_cvtps_ph(STN_SIXTEEN, stn_quiet(values),
                                              _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
STN_FN void stn_write_sixteen_bf16(void *codes, stn_sixteen values)
{
    const __m512i bits = _mm512_castps_si512(stn_quiet(values));
    const __m512i upper = _mm512_maskz_srli_epi32(STN_SIXTEEN, bits, 16);
    const __m512i last = _mm512_and_si512(upper, _mm512_set1_epi32(1));
    const __m512i up = _mm512_add_epi32(bits, _mm512_add_epi32(last, _mm512_set1_epi32(0x7fff)));
    _mm256_storeu_si256(
        (__m256i *)codes,
        _mm512_maskz_cvtepi32_epi16(STN_SIXTEEN, _mm512_maskz_srli_epi32(STN_SIXTEEN, up, 16)));
}
#    else
STN_FN stn_sixteen stn_get_sixteen_f32(const float *values, float zero, float scale)
{
    return stn_join_sixteen(stn_get_eight_f32(values, zero, scale),
                            stn_get_eight_f32(values + 8, zero, scale));
}
STN_FN __m256 stn_quiet(__m256 x)
{
    return _mm256_blendv_ps(x, _mm256_set1_ps(stn_f32_of_bits(0x7fc00000u)),
                            _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}
STN_FN void stn_write_sixteen_f16(void *codes, stn_sixteen values)
{
    _mm_storeu_si128((__m128i *)codes,
                     _mm256_cvtps_ph(stn_quiet(values.low), _MM_FROUND_TO_NEAREST_INT));
    _mm_storeu_si128((__m128i *)codes + 1,
                     _mm256_cvtps_ph(stn_quiet(values.high), _MM_FROUND_TO_NEAREST_INT));
}
/* The upper 16 bits of eight floats, rounded, in 32 bits each. */
STN_FN __m256i stn_round_to_upper(__m256 x)
{
    const __m256i bits = _mm256_castps_si256(stn_quiet(x));
    const __m256i last = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(bits, _mm256_add_epi32(last, _mm256_set1_epi32(0x7fff)));
    return _mm256_srli_epi32(up, 16);
}
STN_FN void stn_write_sixteen_bf16(void *codes, stn_sixteen values)
{
    const __m256i both =
        _mm256_packus_epi32(stn_round_to_upper(values.low), stn_round_to_upper(values.high));
    _mm256_storeu_si256((__m256i *)codes, _mm256_permute4x64_epi64(both, 0xd8));
}
#    endif
STN_FN stn_sixteen stn_get_sixteen_f64(const double *values, double zero, double scale)
{
    return stn_join_sixteen(stn_get_eight_f64(values, zero, scale),
                            stn_get_eight_f64(values + 8, zero, scale));
}
/* 16-bit floats, by the functions above: f16 and, with 8 bits of exponent, bf16. */
STN_FN int stn_can_write_sixteen(stn_float_kind kind, stn_rounding rounding, stn_overflow overflow)
{
    return kind.exponent_bits + kind.fraction_bits == 15 && rounding == STN_ROUND_NEAREST &&
           overflow <= STN_OVERFLOW_INFINITY;
}
STN_FN void stn_write_sixteen(void *codes, stn_sixteen values, stn_float_kind kind)
{
    if (kind.exponent_bits == 8)
        stn_write_sixteen_bf16(codes, values);
    else
        stn_write_sixteen_f16(codes, values);
}

#    if defined(__GNUC__) && !defined(__clang__)
#        pragma GCC diagnostic pop
#    endif
#endif
#endif
