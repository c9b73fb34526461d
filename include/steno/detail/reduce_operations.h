/* The operations of reductions: for each and in each arithmetic, what becomes of the first element
 * of a lane, of the next ones, of two neighbours, and of all of them. Texts for devices, which say
 * STN_DEVICE_TEXT, have them from here too, and bring the macros of kernels. */
#ifndef STENO_REDUCE_OPERATIONS_H
#define STENO_REDUCE_OPERATIONS_H

#include "steno/detail/names/hide.h"
#include "steno/detail/accessor/complex.h"
#ifndef STN_DEVICE_TEXT
#    include "steno/detail/accessor/require.h"
#    include "steno/kernel.h"
#    include "steno/detail/reduce_types.h"
#endif

/* clang-format off */

/* STN_OPERATION_name(DEFINE, op, T) is DEFINE(op, T, state, mapped, result, first, step, combine,
 * identity, finish), with types and expressions of stn_a, stn_b: states; stn_m: a
 * mapped element; stn_number: of the element; stn_scale: of norms. */
#define STN_OF_VALUES(DEFINE, op, T, first, step, combine, identity)                               \
    DEFINE(op, T, stn_##T, stn_##T, stn_##T, first, step, combine, identity, stn_a)
#define STN_OPERATION_sum(DEFINE, op, T)                                                           \
    STN_OF_VALUES(DEFINE, op, T, stn_m, stn_plus_##T(stn_a, stn_m), stn_plus_##T(stn_a, stn_b), STN_ZERO_##T)
#define STN_OPERATION_product(DEFINE, op, T)                                                       \
    STN_OF_VALUES(DEFINE, op, T, stn_m, stn_times_##T(stn_a, stn_m), stn_times_##T(stn_a, stn_b), STN_ONE_##T)
#define STN_OPERATION_products(DEFINE, op, T)                                                      \
    DEFINE(op, T, stn_##T, stn_pair_##T, stn_##T, stn_times_##T(stn_pair_left_##T(stn_m), stn_pair_right_##T(stn_m)),\
           stn_fused_##T(stn_pair_left_##T(stn_m), stn_pair_right_##T(stn_m), stn_a), stn_plus_##T(stn_a, stn_b), STN_ZERO_##T, stn_a)
#define STN_OPERATION_min(DEFINE, op, T)                                                           \
    STN_OF_VALUES(DEFINE, op, T, stn_m, stn_least_##T(stn_a, stn_m), stn_least_##T(stn_a, stn_b),  \
                  STN_GREATEST_##T)
#define STN_OPERATION_max(DEFINE, op, T)                                                           \
    STN_OF_VALUES(DEFINE, op, T, stn_m, stn_most_##T(stn_a, stn_m), stn_most_##T(stn_a, stn_b), STN_LOWEST_##T)
#define STN_OF_PLACES(DEFINE, op, T, key)                                                          \
    DEFINE(op, T, stn_found, stn_##T, stn_i64, stn_found_of(key, stn_number),                      \
           stn_found_next(stn_a, key, stn_number), stn_found_first(stn_a, stn_b), stn_found_of(0, -1), stn_found_number(stn_a))
#define STN_OPERATION_argmin(DEFINE, op, T) STN_OF_PLACES(DEFINE, op, T, stn_least_key_##T(stn_m))
#define STN_OPERATION_argmax(DEFINE, op, T) STN_OF_PLACES(DEFINE, op, T, stn_most_key_##T(stn_m))
#define STN_OF_CONDITIONS(DEFINE, op, T, step, combine, identity)                                  \
    DEFINE(op, T, stn_i64, stn_i64, stn_i64, stn_m, step, combine, identity, stn_a)
#define STN_OPERATION_count(DEFINE, op, T) STN_OF_CONDITIONS(DEFINE, op, T, stn_a + stn_m, stn_a + stn_b, 0)
#define STN_OPERATION_any(DEFINE, op, T)   STN_OF_CONDITIONS(DEFINE, op, T, stn_a | stn_m, stn_a | stn_b, 0)
#define STN_OPERATION_all(DEFINE, op, T)   STN_OF_CONDITIONS(DEFINE, op, T, stn_a & stn_m, stn_a & stn_b, 1)
#define STN_OF_SIZES(DEFINE, op, T, first, step, combine, finish)                                  \
    DEFINE(op, T, STN_PART_##T, stn_##T, STN_PART_##T, first, step, combine, 0, finish)
#define STN_OPERATION_norm1(DEFINE, op, T)                                                         \
    STN_OF_SIZES(DEFINE, op, T, stn_size_##T(stn_m), stn_plus_part_##T(stn_a, stn_size_##T(stn_m)),\
                 stn_plus_part_##T(stn_a, stn_b), stn_a)
#define STN_OPERATION_norm_inf(DEFINE, op, T)                                                      \
    STN_OF_SIZES(DEFINE, op, T, stn_size_##T(stn_m), stn_larger_##T(stn_a, stn_size_##T(stn_m)),   \
                 stn_larger_##T(stn_a, stn_b), stn_a)
#define STN_OPERATION_norm2(DEFINE, op, T)                                                         \
    STN_OF_SIZES(DEFINE, op, T, stn_square_##T(stn_m, stn_scale),                                  \
                 stn_onto_square_##T(stn_m, stn_scale, stn_a), stn_plus_part_##T(stn_a, stn_b),    \
                 stn_root_##T(stn_a) / stn_scale)
/* One of a program: what `op` has as functions. */
#define STN_OPERATION_own(DEFINE, op, T)                                                           \
    DEFINE(op, T, stn_##T, stn_##T, stn_##T, stn_m, op##_combined_##T(stn_a, stn_m),               \
           op##_combined_##T(stn_a, stn_b), op##_empty_##T(), op##_finalised_##T(stn_a))

#define STN_ZERO_f64            0.0
#define STN_ZERO_f32            0.0f
#define STN_ZERO_i64            0
#define STN_ZERO_c128           stn_c128_of(0.0, 0.0)
#define STN_ZERO_c64            stn_c64_of(0.0f, 0.0f)
#define STN_ONE_f64             1.0
#define STN_ONE_f32             1.0f
#define STN_ONE_i64             1
#define STN_ONE_c128            stn_c128_of(1.0, 0.0)
#define STN_ONE_c64             stn_c64_of(1.0f, 0.0f)

/* What the expression of a kernel becomes. */
#define STN_MAP_VALUE(T, ...)        return STN_VALUE_##T(__VA_ARGS__);
#define STN_MAP_CONDITION(T, ...)    return (__VA_ARGS__) ? 1 : 0;
#define STN_MAP_PAIR(T, left, right) return stn_pair_of_##T(STN_VALUE_##T(left), STN_VALUE_##T(right));
#define STN_VALUE_f64(...)           (stn_f64)(__VA_ARGS__)
#define STN_VALUE_f32(...)           (stn_f32)(__VA_ARGS__)
#define STN_VALUE_i64(...)           (stn_i64)(__VA_ARGS__)
#ifdef STN_DEVICE_TEXT
#    define STN_VALUE_c128(...)      (__VA_ARGS__) /* structs have no casts */
#    define STN_VALUE_c64(...)       (__VA_ARGS__)
#else
/* Without an asterisk and a call, in words in which macros are no more, there is no product. */
#    define STN_VALUE_c128(...)      (STN_HAS_PRODUCTS(#__VA_ARGS__) ? STN_APART_c128(__VA_ARGS__) : (__VA_ARGS__))
#    define STN_VALUE_c64(...)       (STN_HAS_PRODUCTS(#__VA_ARGS__) ? STN_APART_c64(__VA_ARGS__) : (__VA_ARGS__))
#    define STN_HAS_PRODUCTS(words)  (__builtin_strchr(words, '*') || __builtin_strchr(words, '('))
#endif

/* ---- arithmetic ---- */

STN_KERNEL_BEGIN

#define STN_DEFINE_REAL_SUMS(T, multiply_add, absolute, root)                                      \
    STN_KERNEL_INLINE stn_##T stn_plus_##T(const stn_##T a, const stn_##T b) { STN_KERNEL_NO_FUSING return a + b; }\
    STN_KERNEL_INLINE stn_##T stn_times_##T(const stn_##T a, const stn_##T b) { STN_KERNEL_NO_FUSING return a * b; }\
    STN_KERNEL_INLINE stn_##T stn_fused_##T(const stn_##T x, const stn_##T y, const stn_##T a) { return multiply_add(x, y, a); }\
    STN_KERNEL_INLINE stn_##T stn_plus_part_##T(const stn_##T a, const stn_##T b) { STN_KERNEL_NO_FUSING return a + b; }\
    STN_KERNEL_INLINE stn_##T stn_size_##T(const stn_##T m) { return absolute(m); }                \
    STN_KERNEL_INLINE stn_##T stn_root_##T(const stn_##T m) { return root(m); }                    \
    STN_KERNEL_INLINE stn_##T stn_square_##T(const stn_##T m, const stn_##T scale)                 \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        return (m * scale) * (m * scale);                                                          \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_onto_square_##T(const stn_##T m, const stn_##T scale, const stn_##T a)\
    {                                                                                              \
        return multiply_add(m * scale, m * scale, a);                                              \
    }
#ifdef STN_HAVE_DOUBLE
STN_DEFINE_REAL_SUMS(f64, fma, fabs, sqrt)
#endif
STN_DEFINE_REAL_SUMS(f32, fmaf, fabsf, sqrtf)

/* Modulo 2^64. The magnitude of the lowest integer is 2^63: magnitudes compare as unsigned ones. */
STN_KERNEL_INLINE stn_i64 stn_plus_i64(const stn_i64 a, const stn_i64 b) { return (stn_i64)((stn_u64)a + (stn_u64)b); }
STN_KERNEL_INLINE stn_i64 stn_times_i64(const stn_i64 a, const stn_i64 b) { return (stn_i64)((stn_u64)a * (stn_u64)b); }
STN_KERNEL_INLINE stn_i64 stn_fused_i64(const stn_i64 x, const stn_i64 y, const stn_i64 a) { return stn_plus_i64(stn_times_i64(x, y), a); }
STN_KERNEL_INLINE stn_i64 stn_plus_part_i64(const stn_i64 a, const stn_i64 b) { return stn_plus_i64(a, b); }
STN_KERNEL_INLINE stn_i64 stn_size_i64(const stn_i64 m) { return m < 0 ? (stn_i64)(0 - (stn_u64)m) : m; }
STN_KERNEL_INLINE stn_i64 stn_larger_i64(const stn_i64 a, const stn_i64 b) { return (stn_u64)a < (stn_u64)b ? b : a; }
STN_KERNEL_INLINE stn_i64 stn_least_i64(const stn_i64 a, const stn_i64 b) { return a < b ? a : b; }
STN_KERNEL_INLINE stn_i64 stn_most_i64(const stn_i64 a, const stn_i64 b) { return a > b ? a : b; }

/* -0 < +0, and the first NaN is the result. */
#define STN_DEFINE_EXTREMES(T)                                                                     \
    STN_KERNEL_INLINE stn_##T stn_least_##T(const stn_##T a, const stn_##T b)                      \
    {                                                                                              \
        const stn_##T lesser = a < b ? a : b;                                                      \
        const stn_##T same = stn_##T##_of_bits(stn_bits_of_##T(a) | stn_bits_of_##T(b));           \
        const stn_##T least = a == b ? same : lesser;                                              \
        return a != a ? a : least;                                                                 \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_most_##T(const stn_##T a, const stn_##T b)                       \
    {                                                                                              \
        const stn_##T greater = a > b ? a : b;                                                     \
        const stn_##T same = stn_##T##_of_bits(stn_bits_of_##T(a) & stn_bits_of_##T(b));           \
        const stn_##T most = a == b ? same : greater;                                              \
        return a != a ? a : most;                                                                  \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_larger_##T(const stn_##T a, const stn_##T b) { return stn_most_##T(a, b); }
#ifdef STN_HAVE_DOUBLE
STN_DEFINE_EXTREMES(f64)
#endif
STN_DEFINE_EXTREMES(f32)
#define STN_GREATEST_f64 ((stn_f64)INFINITY)
#define STN_GREATEST_f32 ((stn_f32)INFINITY)
#define STN_GREATEST_i64 INT64_MAX
#define STN_LOWEST_f64   (-(stn_f64)INFINITY)
#define STN_LOWEST_f32   (-(stn_f32)INFINITY)
#define STN_LOWEST_i64   INT64_MIN

/* Complex products are fused as dot is: two operations with one rounding each, of either part. */
#define STN_DEFINE_COMPLEX_SUMS(T, multiply_add)                                                   \
    STN_KERNEL_INLINE stn_##T stn_plus_##T(const stn_##T a, const stn_##T b) { return stn_##T##_add(a, b); }\
    STN_KERNEL_INLINE stn_##T stn_times_##T(const stn_##T a, const stn_##T b) { return STN_VALUE_##T(stn_##T##_multiply_fast(a, b)); }\
    STN_KERNEL_INLINE stn_##T stn_fused_##T(const stn_##T x, const stn_##T y, const stn_##T a)     \
    {                                                                                              \
        return stn_##T##_of(multiply_add(-x.im, y.im, multiply_add(x.re, y.re, a.re)),             \
                            multiply_add(x.im, y.re, multiply_add(x.re, y.im, a.im)));             \
    }                                                                                              \
    STN_KERNEL_INLINE STN_PART_##T stn_onto_square_##T(const stn_##T m, const STN_PART_##T scale,  \
                                                       const STN_PART_##T a)                       \
    {                                                                                              \
        const STN_PART_##T re = m.re * scale, im = m.im * scale;                                   \
        return multiply_add(im, im, multiply_add(re, re, a));                                      \
    }                                                                                              \
    STN_KERNEL_INLINE STN_PART_##T stn_square_##T(const stn_##T m, const STN_PART_##T scale)       \
    {                                                                                              \
        return stn_onto_square_##T(m, scale, 0);                                                   \
    }
STN_DEFINE_COMPLEX_SUMS(c64, fmaf)
STN_KERNEL_INLINE stn_f32 stn_plus_part_c64(const stn_f32 a, const stn_f32 b) { return stn_plus_f32(a, b); }
STN_KERNEL_INLINE stn_f32 stn_larger_c64(const stn_f32 a, const stn_f32 b) { return stn_most_f32(a, b); }
STN_KERNEL_INLINE stn_f32 stn_root_c64(const stn_f32 m) { return sqrtf(m); }
#ifdef STN_HAVE_DOUBLE
STN_DEFINE_COMPLEX_SUMS(c128, fma)
STN_KERNEL_INLINE stn_f64 stn_plus_part_c128(const stn_f64 a, const stn_f64 b) { return stn_plus_f64(a, b); }
STN_KERNEL_INLINE stn_f64 stn_larger_c128(const stn_f64 a, const stn_f64 b) { return stn_most_f64(a, b); }
STN_KERNEL_INLINE stn_f64 stn_root_c128(const stn_f64 m) { return sqrt(m); }
/* The root of the squares' sum, where they leave the range with a power of two taken out: the same
 * bits everywhere, which hypot does not promise. An error of one unit in the last place. */
STN_KERNEL_INLINE stn_f64 stn_size_c128(const stn_c128 m)
{
    const stn_f64 re = fabs(m.re), im = fabs(m.im), large = re > im ? re : im;
    const stn_f64 above = stn_f64_of_bits(0x5f30000000000000u); /* 2^500, 2^-400, 2^600 */
    const stn_f64 below = stn_f64_of_bits(0x26f0000000000000u);
    const stn_f64 much = stn_f64_of_bits(0x6570000000000000u);
    const stn_f64 scale = large > above ? 1.0 / much : large < below ? much : 1.0;
    const stn_f64 x = re * scale, y = im * scale;
    return sqrt(fma(x, x, y * y)) / scale;
}
STN_KERNEL_INLINE stn_f32 stn_size_c64(const stn_c64 m)
{
    const stn_f64 re = m.re, im = m.im;
    return (stn_f32)sqrt(fma(re, re, im * im));
}
#endif

#define STN_PAIR_TYPE(T)                                                                           \
    typedef struct stn_pair_##T { stn_##T x, y; } stn_pair_##T;                                    \
    STN_KERNEL_INLINE stn_pair_##T stn_pair_of_##T(const stn_##T x, const stn_##T y)               \
    {                                                                                              \
        stn_pair_##T pair;                                                                         \
        pair.x = x;                                                                                \
        pair.y = y;                                                                                \
        return pair;                                                                               \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_pair_left_##T(const stn_pair_##T pair) { return pair.x; }        \
    STN_KERNEL_INLINE stn_##T stn_pair_right_##T(const stn_pair_##T pair) { return pair.y; }
STN_PAIR_TYPE(f32)
STN_PAIR_TYPE(i64)
STN_PAIR_TYPE(c64)
#ifdef STN_HAVE_DOUBLE
STN_PAIR_TYPE(f64)
STN_PAIR_TYPE(c128)
#endif

/* Where an extreme is: the value as an integer that is least for what is looked for, and the number
 * of its element; -1 where there is none. */
typedef struct stn_found { stn_i64 key, number; } stn_found;

STN_KERNEL_INLINE stn_found stn_found_of(const stn_i64 key, const stn_i64 number)
{
    stn_found found;
    found.key = key;
    found.number = number;
    return found;
}
STN_KERNEL_INLINE stn_i64 stn_found_number(const stn_found found)
{
    return found.number;
}
STN_KERNEL_INLINE stn_found stn_found_next(const stn_found a, const stn_i64 key, const stn_i64 number)
{
    return stn_found_of(key < a.key ? key : a.key, key < a.key ? number : a.number);
}
STN_KERNEL_INLINE stn_found stn_found_first(const stn_found a, const stn_found b)
{
    const int later = a.number < 0 || b.key < a.key || (b.key == a.key && b.number < a.number);
    return b.number >= 0 && later ? b : a;
}
#ifdef STN_HAVE_DOUBLE
STN_KERNEL_INLINE stn_i64 stn_key_f64(const stn_f64 value)
{
    const stn_i64 bits = (stn_i64)stn_bits_of_f64(value);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}
#endif
STN_KERNEL_INLINE stn_i64 stn_key_f32(const stn_f32 value)
{
    const stn_i64 bits = (int32_t)stn_bits_of_f32(value);
    return bits < 0 ? bits ^ INT32_MAX : bits;
}
#define STN_DEFINE_KEYS(T)                                                                         \
    STN_KERNEL_INLINE stn_i64 stn_least_key_##T(const stn_##T m) { return m != m ? INT64_MIN : stn_key_##T(m); }\
    STN_KERNEL_INLINE stn_i64 stn_most_key_##T(const stn_##T m) { return m != m ? INT64_MIN : ~stn_key_##T(m); }
#ifdef STN_HAVE_DOUBLE
STN_DEFINE_KEYS(f64)
#endif
STN_DEFINE_KEYS(f32)
STN_KERNEL_INLINE stn_i64 stn_least_key_i64(const stn_i64 m) { return m; }
STN_KERNEL_INLINE stn_i64 stn_most_key_i64(const stn_i64 m) { return ~m; }

STN_KERNEL_END
/* clang-format on */

#include "steno/detail/names/show.h"

#endif
