/* Incomplete pieces of values: loads of the first elements, followed by a fill value. A load of the
 * elements alone reads no other memory. Included after format/vec.h. */
#ifndef STENO_ORDER_SOME_H
#define STENO_ORDER_SOME_H

#include <string.h>

#if defined(__AVX512F__)
STN_FN unsigned some_bits(int64_t count, int lanes)
{
    return count >= lanes ? (1u << lanes) - 1 : (1u << count) - 1;
}
STN_FN vf64x2 v_some_f64(const double *p, int64_t count, double fill)
{
    const unsigned bits = some_bits(count, 16);
    const vf64 rest = v_set_f64(fill);
    return (vf64x2){_mm512_mask_loadu_pd(rest, (__mmask8)bits, p),
                    _mm512_mask_loadu_pd(rest, (__mmask8)(bits >> 8), p + 8)};
}
STN_FN vf32 v_some_f32(const float *p, int64_t count, float fill)
{
    return _mm512_mask_loadu_ps(v_set_f32(fill), (__mmask16)some_bits(count, 16), p);
}
#elif defined(__AVX2__)
STN_FN vf64 v_some_half_f64(const double *p, int64_t count, double fill)
{
    const __m256i lane = _mm256_setr_epi64x(0, 1, 2, 3);
    const __m256i chosen = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), lane);
    return _mm256_blendv_pd(v_set_f64(fill), _mm256_maskload_pd(p, chosen),
                            _mm256_castsi256_pd(chosen));
}
STN_FN vf64x2 v_some_f64(const double *p, int64_t count, double fill)
{
    return (vf64x2){v_some_half_f64(p, count, fill), v_some_half_f64(p + 4, count - 4, fill)};
}
STN_FN vf32 v_some_f32(const float *p, int64_t count, float fill)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i chosen = _mm256_cmpgt_epi32(_mm256_set1_epi32(count < 8 ? (int)count : 8), lane);
    return _mm256_blendv_ps(v_set_f32(fill), _mm256_maskload_ps(p, chosen),
                            _mm256_castsi256_ps(chosen));
}
#else
STN_FN vf64x2 v_some_f64(const double *p, int64_t count, double fill)
{
    double values[V_PIECE];
    for (int k = 0; k < V_PIECE; k++)
        values[k] = fill;
    for (int64_t k = 0; k < V_PIECE && k < count; k++)
        values[k] = p[k];
    return v_load_f64(values);
}
STN_FN vf32 v_some_f32(const float *p, int64_t count, float fill)
{
    float values[V_PIECE];
    for (int k = 0; k < V_PIECE; k++)
        values[k] = fill;
    for (int64_t k = 0; k < V_PIECE && k < count; k++)
        values[k] = p[k];
    return v_load_f32(values);
}
#endif

#endif
