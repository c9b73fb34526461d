/* Conversion of eight and sixteen 8- and 16-bit elements with AVX2 and F16C or AVX-512, with the
 * bits of value.h. Compilers vectorize the code of value.h, too, but with more instructions. */
#ifndef STENO_ACCESSOR_VECTORS_H
#define STENO_ACCESSOR_VECTORS_H

#include "steno/detail/accessor/e4m3_table.h"
#include "steno/detail/accessor/value.h"

#if defined(__F16C__) && defined(__AVX2__) && !defined(STN_OPENCL) && !defined(__CUDACC__) &&      \
    !defined(__HIPCC__) && !defined(__HIP__) && !defined(__SYCL_DEVICE_ONLY__)
#    define STN_HAVE_VECTORS 1
#    include <immintrin.h>

/* gcc 12 warns about uninitialized variables and, without optimization, signed masks in its own
 * headers. */
#    if defined(__GNUC__) && !defined(__clang__)
#        pragma GCC diagnostic push
#        pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#        pragma GCC diagnostic ignored "-Woverflow"
#        pragma GCC diagnostic ignored "-Wsign-conversion"
#    endif

/* ---- values in f32, also as an intermediate step of f64 arithmetic ---- */

STN_FN void stn_put_eight_f32(float *values_, __m256 x_, float zero_, float scale_)
{
    _mm256_storeu_ps(
        values_, _mm256_mul_ps(_mm256_sub_ps(x_, _mm256_set1_ps(zero_)), _mm256_set1_ps(scale_)));
}
STN_FN __m256 stn_get_eight_f32(const float *values_, float zero_, float scale_)
{
    return _mm256_add_ps(_mm256_div_ps(_mm256_loadu_ps(values_), _mm256_set1_ps(scale_)),
                         _mm256_set1_ps(zero_));
}

/* From f64 to 16 bits through f32 rounded to odd, so that the second rounding gives the correctly
 * rounded result: STN_ODD_BIT is set if a lower bit is set (adding ones to the lower bits carries
 * into it), and the lower bits are truncated. */
#    define STN_ODD_BIT ((stn_i64)1 << 40)

#    ifdef __AVX512F__
/* Lanes of masked operations, which avoid warnings of gcc 12 about its own headers. */
#        define STN_EIGHT   0xff
#        define STN_SIXTEEN 0xffff
STN_FN void stn_put_doubles(double *values_, __m512d x_, double zero_, double scale_)
{
    _mm512_storeu_pd(
        values_, _mm512_mul_pd(_mm512_sub_pd(x_, _mm512_set1_pd(zero_)), _mm512_set1_pd(scale_)));
}
STN_FN void stn_put_eight_f64(double *values_, __m256 x_, double zero_, double scale_)
{
    stn_put_doubles(values_, _mm512_maskz_cvtps_pd(STN_EIGHT, x_), zero_, scale_);
}
STN_FN __m512d stn_get_doubles(const double *values_, double zero_, double scale_)
{
    return _mm512_add_pd(_mm512_div_pd(_mm512_loadu_pd(values_), _mm512_set1_pd(scale_)),
                         _mm512_set1_pd(zero_));
}
STN_FN __m256 stn_get_eight_f64(const double *values_, double zero_, double scale_)
{
    const __m512i x_ = _mm512_castpd_si512(stn_get_doubles(values_, zero_, scale_));
    const __m512i last_ = _mm512_set1_epi64(STN_ODD_BIT);
    const __m512i carried_ = _mm512_add_epi64(x_, _mm512_set1_epi64(STN_ODD_BIT - 1));
    const __m512i odd_ = _mm512_ternarylogic_epi64(x_, carried_, last_, 0xf8); /* a | (b & c) */
    return _mm512_maskz_cvt_roundpd_ps(STN_EIGHT, _mm512_castsi512_pd(odd_),
                                       _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
STN_FN void stn_put_eight_u32(double *values_, const void *codes_, double zero_, double scale_)
{
    const __m256i x_ = _mm256_loadu_si256((const __m256i *)codes_);
    stn_put_doubles(values_, _mm512_maskz_cvtepu32_pd(STN_EIGHT, x_), zero_, scale_);
}
#    else
STN_FN void stn_put_doubles(double *values_, __m256d x_, double zero_, double scale_)
{
    _mm256_storeu_pd(
        values_, _mm256_mul_pd(_mm256_sub_pd(x_, _mm256_set1_pd(zero_)), _mm256_set1_pd(scale_)));
}
STN_FN void stn_put_eight_f64(double *values_, __m256 x_, double zero_, double scale_)
{
    stn_put_doubles(values_, _mm256_cvtps_pd(_mm256_castps256_ps128(x_)), zero_, scale_);
    stn_put_doubles(values_ + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(x_, 1)), zero_, scale_);
}
STN_FN __m128 stn_get_four_f64(const double *values_, double zero_, double scale_)
{
    const __m256i x_ = _mm256_castpd_si256(_mm256_add_pd(
        _mm256_div_pd(_mm256_loadu_pd(values_), _mm256_set1_pd(scale_)), _mm256_set1_pd(zero_)));
    const __m256i last_ = _mm256_set1_epi64x(STN_ODD_BIT);
    const __m256i below_ = _mm256_set1_epi64x(STN_ODD_BIT - 1);
    const __m256i carried_ = _mm256_and_si256(_mm256_add_epi64(x_, below_), last_);
    const __m256i odd_ = _mm256_andnot_si256(below_, _mm256_or_si256(x_, carried_));
    return _mm256_cvtpd_ps(_mm256_castsi256_pd(odd_));
}
STN_FN __m256 stn_get_eight_f64(const double *values_, double zero_, double scale_)
{
    return _mm256_set_m128(stn_get_four_f64(values_ + 4, zero_, scale_),
                           stn_get_four_f64(values_, zero_, scale_));
}
#    endif

/* ---- sixteen values in f32 ---- */

#    ifdef __AVX512F__
typedef __m512 stn_sixteen;
STN_FN stn_sixteen stn_join_sixteen(__m256 low_, __m256 high_)
{
    return _mm512_castpd_ps(_mm512_maskz_insertf64x4(
        STN_EIGHT, _mm512_castps_pd(_mm512_castps256_ps512(low_)), _mm256_castps_pd(high_), 1));
}
STN_FN void stn_put_sixteen_f32(float *values_, stn_sixteen x_, float zero_, float scale_)
{
    _mm512_storeu_ps(
        values_, _mm512_mul_ps(_mm512_sub_ps(x_, _mm512_set1_ps(zero_)), _mm512_set1_ps(scale_)));
}
STN_FN stn_sixteen stn_multiply_sixteen(stn_sixteen x_, float factor_)
{
    return _mm512_mul_ps(x_, _mm512_set1_ps(factor_));
}
#    else
typedef struct stn_sixteen {
    __m256 low, high;
} stn_sixteen;
STN_FN stn_sixteen stn_join_sixteen(__m256 low_, __m256 high_)
{
    const stn_sixteen x_ = {low_, high_};
    return x_;
}
STN_FN void stn_put_sixteen_f32(float *values_, stn_sixteen x_, float zero_, float scale_)
{
    stn_put_eight_f32(values_, x_.low, zero_, scale_);
    stn_put_eight_f32(values_ + 8, x_.high, zero_, scale_);
}
STN_FN stn_sixteen stn_multiply_sixteen(stn_sixteen x_, float factor_)
{
    return stn_join_sixteen(_mm256_mul_ps(x_.low, _mm256_set1_ps(factor_)),
                            _mm256_mul_ps(x_.high, _mm256_set1_ps(factor_)));
}
#    endif

/* ---- reading sixteen integers of 8 or 16 bits ---- */

STN_FN __m256i stn_read_eight_integers(const void *codes_, int width_, int is_signed_)
{
    if (width_ == 16)
        return is_signed_ ? _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)codes_))
                          : _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)codes_));
    return is_signed_ ? _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)codes_))
                      : _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)codes_));
}
STN_FN void stn_put_integers_f32(float *values_, const void *codes_, int width_, int is_signed_,
                                 float zero_, float scale_)
{
    const __m256i low_ = stn_read_eight_integers(codes_, width_, is_signed_);
    const __m256i high_ =
        stn_read_eight_integers((const char *)codes_ + width_, width_, is_signed_);
    stn_put_sixteen_f32(values_,
                        stn_join_sixteen(_mm256_cvtepi32_ps(low_), _mm256_cvtepi32_ps(high_)),
                        zero_, scale_);
}
STN_FN void stn_put_eight_i32(double *values_, __m256i x_, double zero_, double scale_)
{
#    ifdef __AVX512F__
    stn_put_doubles(values_, _mm512_maskz_cvtepi32_pd(STN_EIGHT, x_), zero_, scale_);
#    else
    stn_put_doubles(values_, _mm256_cvtepi32_pd(_mm256_castsi256_si128(x_)), zero_, scale_);
    stn_put_doubles(values_ + 4, _mm256_cvtepi32_pd(_mm256_extracti128_si256(x_, 1)), zero_,
                    scale_);
#    endif
}
STN_FN void stn_put_integers_f64(double *values_, const void *codes_, int width_, int is_signed_,
                                 double zero_, double scale_)
{
    stn_put_eight_i32(values_, stn_read_eight_integers(codes_, width_, is_signed_), zero_, scale_);
    stn_put_eight_i32(values_ + 8,
                      stn_read_eight_integers((const char *)codes_ + width_, width_, is_signed_),
                      zero_, scale_);
}

/* ---- reading sixteen floats of 8 or 16 bits ---- */

/* Halves have 16 bits with the exponent of f16 or, with 8 exponent bits, of bf16. */
STN_FN __m256 stn_eight_of_halves(__m128i halves_, int exponent_bits_)
{
    if (exponent_bits_ == 8)
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves_), 16));
    return _mm256_cvtph_ps(halves_);
}
STN_FN stn_sixteen stn_sixteen_of_halves(__m256i halves_, int exponent_bits_)
{
#    ifdef __AVX512F__
    if (exponent_bits_ == 8)
        return _mm512_castsi512_ps(_mm512_maskz_slli_epi32(
            STN_SIXTEEN, _mm512_maskz_cvtepu16_epi32(STN_SIXTEEN, halves_), 16));
    return _mm512_maskz_cvtph_ps(STN_SIXTEEN, halves_);
#    else
    return stn_join_sixteen(
        stn_eight_of_halves(_mm256_castsi256_si128(halves_), exponent_bits_),
        stn_eight_of_halves(_mm256_extracti128_si256(halves_, 1), exponent_bits_));
#    endif
}
/* Sixteen codes as halves. Exponents of less than 5 bits have a smaller bias than f16, which a
 * factor corrects. Codes that are not finite become infinities or NaN of f16. The sign is extended.
 */
STN_FN __m256i stn_read_halves(const void *codes_, int width_, stn_float_kind kind_)
{
    const int e_ = kind_.exponent_bits, f_ = kind_.fraction_bits;
    const int all_ = (1 << (e_ + f_)) - 1, infinity_ = all_ >> f_ << f_;
    const __m256i wide_ = width_ == 16
                              ? _mm256_loadu_si256((const __m256i *)codes_)
                              : _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)codes_));
    __m256i halves_ = e_ == 8 ? wide_ : _mm256_slli_epi16(wide_, 10 - f_);
    if (e_ < 5) {
        const __m256i magnitude_ = _mm256_and_si256(wide_, _mm256_set1_epi16((short)all_));
        const __m256i largest_ =
            _mm256_set1_epi16((short)((kind_.finite_only ? all_ : infinity_) - 1));
        halves_ = _mm256_and_si256(halves_, _mm256_set1_epi16((short)(0x8000 | all_ << (10 - f_))));
        halves_ =
            _mm256_or_si256(halves_, _mm256_and_si256(_mm256_cmpgt_epi16(magnitude_, largest_),
                                                      _mm256_set1_epi16(0x7c00)));
    }
    return halves_;
}
STN_FN float stn_factor_of_halves(stn_float_kind kind_)
{
    return kind_.exponent_bits < 5 ? (float)(1 << (16 - (1 << (kind_.exponent_bits - 1)))) : 1.0f;
}
STN_FN void stn_put_floats_f32(float *values_, const void *codes_, int width_, stn_float_kind kind_,
                               float zero_, float scale_)
{
    const stn_sixteen x_ =
        stn_sixteen_of_halves(stn_read_halves(codes_, width_, kind_), kind_.exponent_bits);
    stn_put_sixteen_f32(values_, stn_multiply_sixteen(x_, stn_factor_of_halves(kind_)), zero_,
                        scale_);
}
#    if defined(__AVX512BW__) && defined(__AVX512VL__)
/* Table lookup of the upper 16 bits of doubles for sixteen 8-bit codes. */
STN_FN void stn_put_upper_f64(double *values_, const void *codes_, const stn_u16 *table_,
                              double zero_, double scale_)
{
    const __m256i code_ = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)codes_));
    const __m512i index_ = _mm512_zextsi256_si512(code_);
    const __m512i below_ = _mm512_permutex2var_epi16(_mm512_loadu_si512(table_), index_,
                                                     _mm512_loadu_si512(table_ + 32));
    const __m512i above_ = _mm512_permutex2var_epi16(_mm512_loadu_si512(table_ + 64), index_,
                                                     _mm512_loadu_si512(table_ + 96));
    const __m256i magnitude_ = _mm256_mask_mov_epi16(
        _mm512_castsi512_si256(below_), _mm256_test_epi16_mask(code_, _mm256_set1_epi16(64)),
        _mm512_castsi512_si256(above_));
    const __m512i words_ = _mm512_zextsi256_si512(
        _mm256_or_si256(magnitude_, _mm256_and_si256(code_, _mm256_set1_epi16((short)0x8000))));
    const __m512i low_ = _mm512_set_epi16(7, 0, 0, 0, 6, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0,
                                          0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    const __m512i high_ = _mm512_add_epi16(low_, _mm512_set1_epi16(8));
    const __mmask32 top_ = 0x88888888u;
    stn_put_doubles(values_,
                    _mm512_castsi512_pd(_mm512_maskz_permutexvar_epi16(top_, low_, words_)), zero_,
                    scale_);
    stn_put_doubles(values_ + 8,
                    _mm512_castsi512_pd(_mm512_maskz_permutexvar_epi16(top_, high_, words_)), zero_,
                    scale_);
}
#    endif
STN_FN void stn_put_floats_f64(double *values_, const void *codes_, int width_,
                               stn_float_kind kind_, double zero_, double scale_)
{
    const __m256 factor_ = _mm256_set1_ps(stn_factor_of_halves(kind_));
    __m128i low_, high_;
#    if defined(__AVX512BW__) && defined(__AVX512VL__)
    static const stn_u16 e4m3[128] = STN_E4M3_TABLE_F64;
    if (width_ == 8 && kind_.exponent_bits == 4 && kind_.finite_only) {
        stn_put_upper_f64(values_, codes_, e4m3, zero_, scale_);
        return;
    }
#    endif
    if (width_ == 16) {
        low_ = _mm_loadu_si128((const __m128i *)codes_);
        high_ = _mm_loadu_si128((const __m128i *)codes_ + 1);
    } else if (kind_.exponent_bits == 5) {
        const __m128i bytes_ = _mm_loadu_si128((const __m128i *)codes_);
        low_ = _mm_unpacklo_epi8(_mm_setzero_si128(), bytes_);
        high_ = _mm_unpackhi_epi8(_mm_setzero_si128(), bytes_);
    } else {
        const __m256i halves_ = stn_read_halves(codes_, width_, kind_);
        low_ = _mm256_castsi256_si128(halves_);
        high_ = _mm256_extracti128_si256(halves_, 1);
    }
    stn_put_eight_f64(values_,
                      _mm256_mul_ps(stn_eight_of_halves(low_, kind_.exponent_bits), factor_), zero_,
                      scale_);
    stn_put_eight_f64(values_ + 8,
                      _mm256_mul_ps(stn_eight_of_halves(high_, kind_.exponent_bits), factor_),
                      zero_, scale_);
}

/* ---- writing sixteen values, rounded to nearest, with overflow to infinity ---- */

#    ifdef __AVX512F__
STN_FN stn_sixteen stn_get_sixteen_f32(const float *values_, float zero_, float scale_)
{
    return _mm512_add_ps(_mm512_div_ps(_mm512_loadu_ps(values_), _mm512_set1_ps(scale_)),
                         _mm512_set1_ps(zero_));
}
/* The table has a digit per class of numbers: 0 (first operand) for quiet and signaling NaN, 1
 * (second operand) for all others. */
STN_FN __m512 stn_quiet(__m512 x_)
{
    const __m512 nan = _mm512_set1_ps(stn_f32_of_bits(0x7fc00000u));
    return _mm512_fixupimm_ps(nan, x_, _mm512_set1_epi32(0x11111100), 0);
}
STN_FN void stn_write_sixteen_f16(void *codes_, stn_sixteen values_)
{
    _mm256_storeu_si256((__m256i *)codes_,
                        _mm512_maskz_cvtps_ph(STN_SIXTEEN, stn_quiet(values_),
                                              _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
STN_FN void stn_write_sixteen_bf16(void *codes_, stn_sixteen values_)
{
    const __m512i bits_ = _mm512_castps_si512(stn_quiet(values_));
    const __m512i upper_ = _mm512_maskz_srli_epi32(STN_SIXTEEN, bits_, 16);
    const __m512i last_ = _mm512_and_si512(upper_, _mm512_set1_epi32(1));
    const __m512i up_ = _mm512_add_epi32(bits_, _mm512_add_epi32(last_, _mm512_set1_epi32(0x7fff)));
    _mm256_storeu_si256(
        (__m256i *)codes_,
        _mm512_maskz_cvtepi32_epi16(STN_SIXTEEN, _mm512_maskz_srli_epi32(STN_SIXTEEN, up_, 16)));
}
#    else
STN_FN stn_sixteen stn_get_sixteen_f32(const float *values_, float zero_, float scale_)
{
    return stn_join_sixteen(stn_get_eight_f32(values_, zero_, scale_),
                            stn_get_eight_f32(values_ + 8, zero_, scale_));
}
STN_FN __m256 stn_quiet(__m256 x_)
{
    return _mm256_blendv_ps(x_, _mm256_set1_ps(stn_f32_of_bits(0x7fc00000u)),
                            _mm256_cmp_ps(x_, x_, _CMP_UNORD_Q));
}
STN_FN void stn_write_sixteen_f16(void *codes_, stn_sixteen values_)
{
    _mm_storeu_si128((__m128i *)codes_,
                     _mm256_cvtps_ph(stn_quiet(values_.low), _MM_FROUND_TO_NEAREST_INT));
    _mm_storeu_si128((__m128i *)codes_ + 1,
                     _mm256_cvtps_ph(stn_quiet(values_.high), _MM_FROUND_TO_NEAREST_INT));
}
/* The upper 16 bits of eight floats, rounded, in 32 bits each. */
STN_FN __m256i stn_round_to_upper(__m256 x_)
{
    const __m256i bits_ = _mm256_castps_si256(stn_quiet(x_));
    const __m256i last_ = _mm256_and_si256(_mm256_srli_epi32(bits_, 16), _mm256_set1_epi32(1));
    const __m256i up_ = _mm256_add_epi32(bits_, _mm256_add_epi32(last_, _mm256_set1_epi32(0x7fff)));
    return _mm256_srli_epi32(up_, 16);
}
STN_FN void stn_write_sixteen_bf16(void *codes_, stn_sixteen values_)
{
    const __m256i both_ =
        _mm256_packus_epi32(stn_round_to_upper(values_.low), stn_round_to_upper(values_.high));
    _mm256_storeu_si256((__m256i *)codes_, _mm256_permute4x64_epi64(both_, 0xd8));
}
#    endif
STN_FN stn_sixteen stn_get_sixteen_f64(const double *values_, double zero_, double scale_)
{
    return stn_join_sixteen(stn_get_eight_f64(values_, zero_, scale_),
                            stn_get_eight_f64(values_ + 8, zero_, scale_));
}
/* 16-bit floats, by the functions above: f16 and, with 8 bits of exponent, bf16. */
STN_FN int stn_can_write_sixteen(stn_float_kind kind_, stn_rounding rounding_,
                                 stn_overflow overflow_)
{
    return kind_.exponent_bits + kind_.fraction_bits == 15 && rounding_ == STN_ROUND_NEAREST &&
           overflow_ <= STN_OVERFLOW_INFINITY;
}
STN_FN void stn_write_sixteen(void *codes_, stn_sixteen values_, stn_float_kind kind_)
{
    if (kind_.exponent_bits == 8)
        stn_write_sixteen_bf16(codes_, values_);
    else
        stn_write_sixteen_f16(codes_, values_);
}

#    if defined(__GNUC__) && !defined(__clang__)
#        pragma GCC diagnostic pop
#    endif
#endif
#endif
