/* Quotients by a scale. A division takes 8 to 16 cycles per vector; with the reciprocal of the
 * scale, four multiplications and additions yield the same bits (P. Markstein, IBM J. Res. Dev. 34,
 * 1990): if q is one of the two numbers next to x / s, and r = x - q s, which is exact, then q + r
 * y rounds to the quotient, where y is 1 / s rounded to nearest. The first q, from a reciprocal of
 * twice the precision, has an error of little more than half a unit in the last place.
 *
 * This holds while neither quotients nor remainders are too large or too small: for scales and
 * values between the limits below. Other values are divided. The sign of a quotient of 0 is that of
 * the product. */
#ifndef STENO_FORMAT_VEC_QUOTIENT_H
#define STENO_FORMAT_VEC_QUOTIENT_H

#include "format/codec.h"

/* Of scales, and of values; f64 has a remainder of at least 2^-606, f32 one of at least 2^-108. */
#define LEAST_SCALE_f64 0x1p-300
#define LEAST_SCALE_f32 0x1p-60f
#define LEAST_VALUE_f64 0x1p-500
#define LEAST_VALUE_f32 0x1p-60f
/* The distance of a value's doubled bits from those of the least one to those of its inverse. */
#define VALUE_RANGE_f64 (INT64_C(1000) << 53)
#define VALUE_RANGE_f32 (120 << 24)

#define FMA_f64     __builtin_fma
#define FMA_f32     __builtin_fmaf
#define BITS_f64    stn_bits_of_f64
#define BITS_f32    stn_bits_of_f32
#define OF_BITS_f64 stn_f64_of_bits
#define OF_BITS_f32 stn_f32_of_bits

#define T    f64
#define REAL double
#include "format/vec/divisor.h"

#define T    f32
#define REAL float
#include "format/vec/divisor.h"

#ifdef __AVX512F__
/* Is a value neither 0 nor between the limits? Doubled bits are those without the sign. */
STN_FN __mmask8 exceeds_f64(vf64 x)
{
    const __m512i bits = _mm512_castpd_si512(x), size = _mm512_add_epi64(bits, bits);
    const __m512i least =
        _mm512_slli_epi64(_mm512_castpd_si512(_mm512_set1_pd(LEAST_VALUE_f64)), 1);
    const __mmask8 others =
        _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(size, least), _mm512_set1_epi64(VALUE_RANGE_f64));
    return _mm512_mask_test_epi64_mask(others, size, size);
}
STN_FN __mmask16 exceeds_f32(vf32 x)
{
    const __m512i bits = _mm512_castps_si512(x), size = _mm512_add_epi32(bits, bits);
    const __m512i least =
        _mm512_slli_epi32(_mm512_castps_si512(_mm512_set1_ps(LEAST_VALUE_f32)), 1);
    const __mmask16 others =
        _mm512_cmpgt_epu32_mask(_mm512_sub_epi32(size, least), _mm512_set1_epi32(VALUE_RANGE_f32));
    return _mm512_mask_test_epi32_mask(others, size, size);
}
STN_FN vf64 multiplied_f64(vf64 x, const divisor_f64 *divisor)
{
    const vf64 inverse = v_set_f64(divisor->inverse);
    const vf64 near =
        _mm512_fmadd_pd(x, v_set_f64(divisor->lower), v_mul_f64(x, v_set_f64(divisor->rest)));
    const vf64 remainder = _mm512_fnmadd_pd(near, v_set_f64(divisor->scale), x);
    const __m512i sign = _mm512_set1_epi64(INT64_MIN);
    return _mm512_castsi512_pd(
        _mm512_ternarylogic_epi64(_mm512_castpd_si512(_mm512_fmadd_pd(remainder, inverse, near)),
                                  _mm512_castpd_si512(near), sign, 0xf8)); /* a | (b & c) */
}
STN_FN vf32 multiplied_f32(vf32 x, const divisor_f32 *divisor)
{
    const vf32 inverse = v_set_f32(divisor->inverse);
    const vf32 near =
        _mm512_fmadd_ps(x, v_set_f32(divisor->lower), v_mul_f32(x, v_set_f32(divisor->rest)));
    const vf32 remainder = _mm512_fnmadd_ps(near, v_set_f32(divisor->scale), x);
    const __m512i sign = _mm512_set1_epi32(INT32_MIN);
    return _mm512_castsi512_ps(
        _mm512_ternarylogic_epi32(_mm512_castps_si512(_mm512_fmadd_ps(remainder, inverse, near)),
                                  _mm512_castps_si512(near), sign, 0xf8));
}
STN_FN vf64x2 divided_f64(vf64x2 x, const divisor_f64 *divisor)
{
    const unsigned exceeds = exceeds_f64(x.low) | exceeds_f64(x.high);
    if (__builtin_expect(divisor->divides || exceeds, 0)) {
        const vf64 scale = v_set_f64(divisor->scale);
        return (vf64x2){v_div_f64(x.low, scale), v_div_f64(x.high, scale)};
    }
    return (vf64x2){multiplied_f64(x.low, divisor), multiplied_f64(x.high, divisor)};
}
STN_FN vf32 divided_f32(vf32 x, const divisor_f32 *divisor)
{
    if (__builtin_expect(divisor->divides || exceeds_f32(x), 0))
        return v_div_f32(x, v_set_f32(divisor->scale));
    return multiplied_f32(x, divisor);
}
#else
STN_FN vf64x2 divided_f64(vf64x2 x, const divisor_f64 *divisor)
{
    const vf64 scale = v_set_f64(divisor->scale);
    return (vf64x2){v_div_f64(x.low, scale), v_div_f64(x.high, scale)};
}
STN_FN vf32 divided_f32(vf32 x, const divisor_f32 *divisor)
{
    return v_div_f32(x, v_set_f32(divisor->scale));
}
#endif

/* The values that are rounded to codes. */
STN_FN vf64x2 quotient_f64(vf64x2 x, const divisor_f64 *divisor)
{
    if (divisor->is_exact) {
        const vf64 inverse = v_set_f64(divisor->inverse);
        x = (vf64x2){v_mul_f64(x.low, inverse), v_mul_f64(x.high, inverse)};
    } else {
        x = divided_f64(x, divisor);
    }
    if (divisor->zero != 0) {
        const vf64 zero = v_set_f64(divisor->zero);
        x = (vf64x2){v_add_f64(x.low, zero), v_add_f64(x.high, zero)};
    }
    return x;
}
STN_FN vf32 quotient_f32(vf32 x, const divisor_f32 *divisor)
{
    x = divisor->is_exact ? v_mul_f32(x, v_set_f32(divisor->inverse)) : divided_f32(x, divisor);
    return divisor->zero != 0 ? v_add_f32(x, v_set_f32(divisor->zero)) : x;
}

#endif
