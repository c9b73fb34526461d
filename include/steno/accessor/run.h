/* Runs of contiguous elements: stn_read_run_f64_f16 and stn_write_run_f64_f16 for every pair that
 * value.h has, with the same bits, and with scale and zero point on the way.
 *
 * Where the compiler may use AVX2 and F16C, narrow floats are read by way of the hardware's
 * conversion of f16. */
#ifndef STENO_ACCESSOR_RUN_H
#define STENO_ACCESSOR_RUN_H

#include "steno/accessor/index.h"
#include "steno/accessor/value.h"

#if defined(__F16C__) && defined(__AVX2__) && !defined(STN_OPENCL) && !defined(__CUDACC__) &&      \
    !defined(__HIPCC__) && !defined(__HIP__) && !defined(__SYCL_DEVICE_ONLY__)
#    include <immintrin.h>
#    define STN_HAVE_F16C 1
#endif

/* The statement for `at` from k up to count. gcc -O2 makes vectors of loops whose number of steps
 * it knows; clang makes them of any, and is confused by loops in loops. */
#if defined(__GNUC__) && !defined(__clang__)
#    define STN_FOR_EACH(...)                                                                      \
        for (; count - k >= 32; k += 32)                                                           \
            for (int j = 0; j < 32; j++) {                                                         \
                const stn_size at = k + j;                                                         \
                __VA_ARGS__                                                                        \
            }                                                                                      \
        for (; k < count; k++) {                                                                   \
            const stn_size at = k;                                                                 \
            __VA_ARGS__                                                                            \
        }
#else
#    define STN_FOR_EACH(...)                                                                      \
        for (; k < count; k++) {                                                                   \
            const stn_size at = k;                                                                 \
            __VA_ARGS__                                                                            \
        }
#endif

/* Scales and zero points are for floating-point arithmetic. Where there are none they are constants
 * that change no bit, not even that of -0, and no code is made for them. */
#define STN_SCALE_READ_f64(v)   (((v)-zero) * scale)
#define STN_SCALE_READ_f32(v)   (((v)-zero) * scale)
#define STN_SCALE_READ_i64(v)   (v)
#define STN_SCALE_READ_c128(v)  (v)
#define STN_SCALE_READ_c64(v)   (v)
#define STN_SCALE_WRITE_f64(v)  ((v) / scale + zero)
#define STN_SCALE_WRITE_f32(v)  ((v) / scale + zero)
#define STN_SCALE_WRITE_i64(v)  (v)
#define STN_SCALE_WRITE_c128(v) (v)
#define STN_SCALE_WRITE_c64(v)  (v)

#define STN_READ_RUN(real, format)                                                                 \
    STN_FN void stn_read_run_##real##_##format(stn_##real *STN_RESTRICT values,                    \
                                               const STN_MEM stn_##format *STN_RESTRICT codes,     \
                                               stn_size count, stn_##real zero, stn_##real scale)  \
    {                                                                                              \
        stn_size k = 0;                                                                            \
        (void)zero, (void)scale;                                                                   \
        STN_FOR_EACH(values[at] = STN_SCALE_READ_##real(stn_read_##real##_##format(codes[at]));)   \
    }
#define STN_WRITE_RUN(real, format)                                                                \
    STN_FN void stn_write_run_##real##_##format(                                                   \
        STN_MEM stn_##format *STN_RESTRICT codes, const stn_##real *STN_RESTRICT values,           \
        stn_size count, stn_##real zero, stn_##real scale, STN_RULES)                              \
    {                                                                                              \
        stn_size k = 0;                                                                            \
        (void)zero, (void)scale;                                                                   \
        STN_FOR_EACH(codes[at] =                                                                   \
                         stn_write_##real##_##format(STN_SCALE_WRITE_##real(values[at]), rounding, \
                                                     overflow, seed, index + (stn_u64)at);)        \
    }

#ifdef STN_HAVE_F16C
/* Sixteen codes of a narrow float as bits of f16, or of bf16 when it has as many exponent bits; NaN
 * positive and quiet. Exponents of less than 5 bits are biased by less than f16 says. */
STN_FN __m256i stn_sixteen_halves(const void *codes, int width, stn_float_kind kind)
{
    const int e = kind.exponent_bits, f = kind.fraction_bits;
    const int all = (1 << (e + f)) - 1, infinity = all >> f << f;
    const __m256i wide = width == 16
                             ? _mm256_loadu_si256((const __m256i *)codes)
                             : _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)codes));
    const __m256i magnitude = _mm256_and_si256(wide, _mm256_set1_epi16((short)all));
    const __m256i sign = _mm256_slli_epi16(_mm256_xor_si256(wide, magnitude), 15 - e - f);
    const __m256i is_nan = _mm256_cmpgt_epi16(
        magnitude, _mm256_set1_epi16((short)(kind.finite_only ? all - 1 : infinity)));
    __m256i half = _mm256_or_si256(sign, _mm256_slli_epi16(magnitude, e == 8 ? 0 : 10 - f));

    if (e < 5 && !kind.finite_only)
        half = _mm256_or_si256(
            half,
            _mm256_and_si256(_mm256_cmpeq_epi16(magnitude, _mm256_set1_epi16((short)infinity)),
                             _mm256_set1_epi16(0x7c00)));
    return _mm256_blendv_epi8(half, _mm256_set1_epi16(e == 8 ? 0x7fc0 : 0x7e00), is_nan);
}

/* The values of eight of them. */
STN_FN __m256 stn_eight_values(__m128i halves, int e)
{
    if (e == 8)
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
    if (e == 5)
        return _mm256_cvtph_ps(halves);
    return _mm256_mul_ps(_mm256_cvtph_ps(halves),
                         _mm256_set1_ps((float)(1 << (16 - (1 << (e - 1))))));
}
STN_FN void stn_put_eight_f32(float *values, __m256 x, float zero, float scale)
{
    _mm256_storeu_ps(values,
                     _mm256_mul_ps(_mm256_sub_ps(x, _mm256_set1_ps(zero)), _mm256_set1_ps(scale)));
}
#    ifdef __AVX512F__
STN_FN void stn_put_eight_f64(double *values, __m256 x, double zero, double scale)
{
    _mm512_storeu_pd(values, _mm512_mul_pd(_mm512_sub_pd(_mm512_cvtps_pd(x), _mm512_set1_pd(zero)),
                                           _mm512_set1_pd(scale)));
}
#    else
STN_FN void stn_put_four_f64(double *values, __m128 x, double zero, double scale)
{
    _mm256_storeu_pd(values, _mm256_mul_pd(_mm256_sub_pd(_mm256_cvtps_pd(x), _mm256_set1_pd(zero)),
                                           _mm256_set1_pd(scale)));
}
STN_FN void stn_put_eight_f64(double *values, __m256 x, double zero, double scale)
{
    stn_put_four_f64(values, _mm256_castps256_ps128(x), zero, scale);
    stn_put_four_f64(values + 4, _mm256_extractf128_ps(x, 1), zero, scale);
}
#    endif
#    define STN_READ_RUN_NARROW(real, format, width)                                               \
        STN_FN void stn_read_run_##real##_##format(                                                \
            stn_##real *STN_RESTRICT values, const stn_##format *STN_RESTRICT codes,               \
            stn_size count, stn_##real zero, stn_##real scale)                                     \
        {                                                                                          \
            stn_size k = 0;                                                                        \
            for (; count - k >= 16; k += 16) {                                                     \
                const int e = stn_##format##_kind().exponent_bits;                                 \
                const __m256i halves =                                                             \
                    stn_sixteen_halves(codes + k, width, stn_##format##_kind());                   \
                stn_put_eight_##real(                                                              \
                    values + k, stn_eight_values(_mm256_castsi256_si128(halves), e), zero, scale); \
                stn_put_eight_##real(values + k + 8,                                               \
                                     stn_eight_values(_mm256_extracti128_si256(halves, 1), e),     \
                                     zero, scale);                                                 \
            }                                                                                      \
            for (; k < count; k++)                                                                 \
                values[k] = STN_SCALE_READ_##real(stn_read_##real##_##format(codes[k]));           \
        }
#else
#    define STN_READ_RUN_NARROW(real, format, width) STN_READ_RUN(real, format)
#endif

#define STN_RUNS(real, format) STN_READ_RUN(real, format) STN_WRITE_RUN(real, format)
#define STN_RUNS_NARROW(real, format, width)                                                       \
    STN_READ_RUN_NARROW(real, format, width) STN_WRITE_RUN(real, format)
#define STN_RUNS_64(name) STN_IF_DOUBLE(STN_RUNS(f32, name) STN_RUNS(f64, name))
#define STN_RUNS_32(name) STN_RUNS(f32, name) STN_IF_DOUBLE(STN_RUNS(f64, name))
#define STN_RUNS_16(name)                                                                          \
    STN_RUNS_NARROW(f32, name, 16) STN_IF_DOUBLE(STN_RUNS_NARROW(f64, name, 16))
#define STN_RUNS_8(name)   STN_RUNS_NARROW(f32, name, 8) STN_IF_DOUBLE(STN_RUNS_NARROW(f64, name, 8))
#define STN_RUNS_F64(name) STN_IF_DOUBLE(STN_RUNS(c64, name) STN_RUNS(c128, name))
#define STN_RUNS_F32(name) STN_RUNS(c64, name) STN_IF_DOUBLE(STN_RUNS(c128, name))
#define STN_RUNS_F16(name) STN_RUNS_F32(name)

#define STN_RUN_FLOAT_ROW(id, NAME, name, bits, ...)         STN_RUNS_##bits(name)
#define STN_RUN_COMPLEX_ROW(id, NAME, name, COMPONENT)       STN_RUNS_##COMPONENT(name)
#define STN_RUN_INTEGER_ROW(id, NAME, name, bits, is_signed) STN_RUNS(i64, name) STN_RUNS_32(name)

STN_FORMAT_TABLE(STN_RUN_FLOAT_ROW, STN_RUN_INTEGER_ROW, STN_RUN_COMPLEX_ROW)

#endif
