/* Vectors of values of type STN_FORMAT, f64 or f32, for STN_ISA. Included after format/vec.h. */
#ifndef STENO_ORDER_VECTOR_H
#define STENO_ORDER_VECTOR_H

#include "core/shuffle.h"

typedef code value;

#define STN_PASTE_TYPE_(name, T) name##_##T
#define STN_PASTE_TYPE(name, T)  STN_PASTE_TYPE_(name, T)
#define STN_OF(name)             STN_PASTE_TYPE(name, STN_FORMAT)
#define STN_VECTOR_OF_(T)        v##T
#define STN_VECTOR_OF(T)         STN_VECTOR_OF_(T)
typedef STN_VECTOR_OF(STN_FORMAT) vector;

/* Values of a vector, for the preprocessor. */
#define STN_VALUE_BYTES_f64 8
#define STN_VALUE_BYTES_f32 4
#if defined(__AVX512F__)
#    define STN_WIDTH (64 / STN_OF(STN_VALUE_BYTES))
#elif defined(__AVX2__)
#    define STN_WIDTH (32 / STN_OF(STN_VALUE_BYTES))
#else
#    define STN_WIDTH (16 / STN_OF(STN_VALUE_BYTES))
#endif
_Static_assert(sizeof(vector) == STN_WIDTH * sizeof(value), "the width of a vector");

STN_FN vector load(const value *p)
{
    vector x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* In a register: gcc would load a memory operand again for each use. */
STN_FN vector once(vector x)
{
#if defined(__x86_64__)
    __asm__("" : "+v"(x));
#elif defined(__aarch64__)
    __asm__("" : "+w"(x));
#endif
    return x;
}
STN_FN vector load_once(const value *p)
{
    return once(load(p));
}

/* The first `count` values, followed by zeros: other memory is not read. */
STN_FN vector load_some(const value *p, int64_t count)
{
#if defined(__AVX512F__) && STN_WIDTH == 8
    return _mm512_maskz_loadu_pd((__mmask8)((1u << count) - 1), p);
#elif defined(__AVX512F__)
    return _mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), p);
#elif defined(__AVX2__) && STN_WIDTH == 4
    const __m256i lane = _mm256_setr_epi64x(0, 1, 2, 3);
    return _mm256_maskload_pd(p, _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), lane));
#elif defined(__AVX2__)
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_maskload_ps(p, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), lane));
#else
    value values[STN_WIDTH] = {0};
    for (int64_t k = 0; k < count; k++)
        values[k] = p[k];
    return load(values);
#endif
}

/* The same for any count; all of a complete vector. */
STN_FN vector load_first(const value *p, int64_t count)
{
#if defined(__AVX512F__)
    return load_some(p, count < STN_WIDTH ? count : STN_WIDTH);
#else
    return count < STN_WIDTH ? load_some(p, count) : load(p);
#endif
}

/* |x|. */
typedef int64_t stn_bits_of_vf64 __attribute__((vector_size(sizeof(vf64))));
typedef int32_t stn_bits_of_vf32 __attribute__((vector_size(sizeof(vf32))));
#define STN_ABSOLUTE_f64(x) ((vf64)((stn_bits_of_vf64)(x)&INT64_MAX))
#define STN_ABSOLUTE_f32(x) ((vf32)((stn_bits_of_vf32)(x)&INT32_MAX))
#define STN_ABSOLUTE(x)     STN_OF(STN_ABSOLUTE)(x)

/* x with changed signs where `sign` is negative. */
#define STN_NEGATIVE_IF_f64(x, sign)                                                               \
    ((vf64)((stn_bits_of_vf64)(x) ^ ((stn_bits_of_vf64)(sign)&INT64_MIN)))
#define STN_NEGATIVE_IF_f32(x, sign)                                                               \
    ((vf32)((stn_bits_of_vf32)(x) ^ ((stn_bits_of_vf32)(sign)&INT32_MIN)))
#define STN_NEGATIVE_IF(x, sign) STN_OF(STN_NEGATIVE_IF)(x, sign)

/* Register r + h is added to register r for h = half the count, up to 32, ..., 1. Without loops of
 * variable length, gcc keeps them in registers. */
STN_FN void add_half(vector *lanes, int half, int count)
{
#pragma GCC unroll 16
    for (int r = 0; r < half; r++)
        if (r + half < count)
            lanes[r] = STN_OF(v_add)(lanes[r], lanes[r + half]);
}
STN_FN void add_registers(vector *lanes, int count)
{
    add_half(lanes, 16, count);
    add_half(lanes, 8, count);
    add_half(lanes, 4, count);
    add_half(lanes, 2, count);
    add_half(lanes, 1, count);
}

/* Repeats of two numbers. */
STN_FN vector repeat_pair(value one, value other)
{
#if STN_WIDTH == 2
    return (vector){one, other};
#elif STN_WIDTH == 4
    return (vector){one, other, one, other};
#elif STN_WIDTH == 8
    return (vector){one, other, one, other, one, other, one, other};
#else
    return (vector){one, other, one, other, one, other, one, other,
                    one, other, one, other, one, other, one, other};
#endif
}

/* The same of two consecutive numbers. */
STN_FN vector load_pair(const value *p)
{
#if defined(__AVX512F__) && STN_WIDTH == 8
    return _mm512_broadcast_f64x2(_mm_loadu_pd(p));
#elif defined(__AVX512F__)
    double both;
    memcpy(&both, p, sizeof both);
    return _mm512_castpd_ps(_mm512_set1_pd(both));
#else
    return repeat_pair(p[0], p[1]);
#endif
}

/* Pairs of numbers with two copies of the first or the second one, or exchanged. */
#if STN_WIDTH == 2
#    define STN_PAIRS(x, a, b) STN_SHUFFLE_TO(x, x, a, b)
#elif STN_WIDTH == 4
#    define STN_PAIRS(x, a, b) STN_SHUFFLE_TO(x, x, a, b, 2 + a, 2 + b)
#elif STN_WIDTH == 8
#    define STN_PAIRS(x, a, b) STN_SHUFFLE_TO(x, x, a, b, 2 + a, 2 + b, 4 + a, 4 + b, 6 + a, 6 + b)
#else
#    define STN_PAIRS(x, a, b)                                                                     \
        STN_SHUFFLE_TO(x, x, a, b, 2 + a, 2 + b, 4 + a, 4 + b, 6 + a, 6 + b, 8 + a, 8 + b, 10 + a, \
                       10 + b, 12 + a, 12 + b, 14 + a, 14 + b)
#endif

/* The sum of the pairs: halves are added until one pair is left. */
typedef value stn_one_pair __attribute__((vector_size(2 * sizeof(value))));
STN_FN stn_one_pair sum_pairs(vector x)
{
#if STN_WIDTH == 2
    return x;
#elif STN_WIDTH == 4
    return STN_SHUFFLE_TO(x, x, 0, 1) + STN_SHUFFLE_TO(x, x, 2, 3);
#elif STN_WIDTH == 8
    typedef value four __attribute__((vector_size(4 * sizeof(value))));
    const four half = STN_SHUFFLE_TO(x, x, 0, 1, 2, 3) + STN_SHUFFLE_TO(x, x, 4, 5, 6, 7);
    return STN_SHUFFLE_TO(half, half, 0, 1) + STN_SHUFFLE_TO(half, half, 2, 3);
#else
    typedef value eight __attribute__((vector_size(8 * sizeof(value))));
    typedef value four __attribute__((vector_size(4 * sizeof(value))));
    const eight all = STN_SHUFFLE_TO(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
                      STN_SHUFFLE_TO(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
    const four half = STN_SHUFFLE_TO(all, all, 0, 1, 2, 3) + STN_SHUFFLE_TO(all, all, 4, 5, 6, 7);
    return STN_SHUFFLE_TO(half, half, 0, 1) + STN_SHUFFLE_TO(half, half, 2, 3);
#endif
}

#endif
