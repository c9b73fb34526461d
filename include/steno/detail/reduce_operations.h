/* The operations of reductions in each arithmetic type: the first element of a lane, the next
 * elements, the combination of two states, and the result. Texts for devices, which define
 * STN_DEVICE_TEXT and the macros of kernels, include this file as well. */
#ifndef STENO_REDUCE_OPERATIONS_H
#define STENO_REDUCE_OPERATIONS_H

#include "steno/detail/accessor/complex.h"
#ifndef STN_DEVICE_TEXT
#    include "steno/detail/accessor/parts.h"
#    include "steno/kernel.h"
#    include "steno/detail/reduce_types.h"
#endif

/* clang-format off */

/* STN_OPERATION_name(DEFINE, op, T) is DEFINE(op, T, state, mapped, result, first, step, combine,
 * identity, finish): three types and five expressions of the states stn_a and stn_b, the mapped element
 * stn_m, its position stn_number, and the scale of norms stn_scale. */
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
           stn_found_next(stn_a, key, stn_number), stn_found_first(stn_a, stn_b), stn_found_of(INT64_MAX, -1), stn_found_number(stn_a))
#define STN_OPERATION_argmin(DEFINE, op, T) STN_OF_PLACES(DEFINE, op, T, stn_least_key_##T(stn_m))
#define STN_OPERATION_argmax(DEFINE, op, T) STN_OF_PLACES(DEFINE, op, T, stn_most_key_##T(stn_m))
#define STN_OF_CONDITIONS(DEFINE, op, T, step, combine, identity)                                  \
    DEFINE(op, T, stn_i64, stn_i64, stn_i64, stn_m, step, combine, identity, stn_a)
#define STN_OPERATION_count(DEFINE, op, T) STN_OF_CONDITIONS(DEFINE, op, T, stn_plus_i64(stn_a, stn_m), stn_plus_i64(stn_a, stn_b), 0)
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
/* An operation of the program, by functions. */
#define STN_OPERATION_own(DEFINE, op, T)                                                           \
    DEFINE(op, T, stn_##T, stn_##T, stn_##T, stn_m, op##_combined_##T(stn_a, stn_m),               \
           op##_combined_##T(stn_a, stn_b), op##_empty_##T(), op##_finalized_##T(stn_a))

/* A state of several values. */
#define STN_OPERATION_state(DEFINE, op, T)                                                         \
    DEFINE(op, T, op##_values_##T, op##_values_##T, stn_##T, stn_m, op##_combined_##T(stn_a, stn_m),\
           op##_combined_##T(stn_a, stn_b), op##_empty_##T(), op##_finalized_##T(stn_a))

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

/* The statement that returns a mapped element. */
#define STN_MAP_VALUE(T, ...)        return STN_VALUE_##T(__VA_ARGS__);
#define STN_MAP_CONDITION(T, ...)    return (__VA_ARGS__) ? 1 : 0;
#define STN_MAP_PAIR(T, left, right) return stn_pair_of_##T(STN_VALUE_##T(left), STN_VALUE_##T(right));
#define STN_MAP_STATE(T, name, names, values)                                                      \
    name##_values_##T stn_v;                                                                       \
    STN_SET_STATE(T, stn_v, names, values)                                                         \
    return stn_v;
#define STN_VALUE_f64(...)           (stn_f64)(__VA_ARGS__)
#define STN_VALUE_f32(...)           (stn_f32)(__VA_ARGS__)
#define STN_VALUE_i64(...)           (stn_i64)(__VA_ARGS__)
#ifdef STN_DEVICE_TEXT
#    define STN_VALUE_c128(...)      (__VA_ARGS__) /* structs have no casts */
#    define STN_VALUE_c64(...)       (__VA_ARGS__)
#else
/* Text without asterisk and call, after the expansion of macros, contains no product. */
#    define STN_VALUE_c128(...)      (STN_HAS_PRODUCTS(#__VA_ARGS__) ? STN_UNFUSED_c128(__VA_ARGS__) : (__VA_ARGS__))
#    define STN_VALUE_c64(...)       (STN_HAS_PRODUCTS(#__VA_ARGS__) ? STN_UNFUSED_c64(__VA_ARGS__) : (__VA_ARGS__))
#    define STN_HAS_PRODUCTS(words)  (__builtin_strchr(words, '*') || __builtin_strchr(words, '('))
#endif

/* ---- arithmetic ---- */

STN_KERNEL_BEGIN

#define STN_DEFINE_REAL_SUMS(T, multiply_add, absolute, root)                                      \
    STN_KERNEL_INLINE stn_##T stn_plus_##T(const stn_##T a_, const stn_##T b_) { STN_KERNEL_NO_FUSING return a_ + b_; }\
    STN_KERNEL_INLINE stn_##T stn_times_##T(const stn_##T a_, const stn_##T b_) { STN_KERNEL_NO_FUSING return a_ * b_; }\
    STN_KERNEL_INLINE stn_##T stn_fused_##T(const stn_##T x_, const stn_##T y_, const stn_##T a_) { return multiply_add(x_, y_, a_); }\
    STN_KERNEL_INLINE stn_##T stn_plus_part_##T(const stn_##T a_, const stn_##T b_) { STN_KERNEL_NO_FUSING return a_ + b_; }\
    STN_KERNEL_INLINE stn_##T stn_size_##T(const stn_##T m_) { return absolute(m_); }              \
    STN_KERNEL_INLINE stn_##T stn_root_##T(const stn_##T m_) { return root(m_); }                  \
    STN_KERNEL_INLINE stn_##T stn_square_##T(const stn_##T m_, const stn_##T scale_)               \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        return (m_ * scale_) * (m_ * scale_);                                                      \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_onto_square_##T(const stn_##T m_, const stn_##T scale_, const stn_##T a_)\
    {                                                                                              \
        return multiply_add(m_ * scale_, m_ * scale_, a_);                                         \
    }
#ifdef STN_HAVE_DOUBLE
STN_DEFINE_REAL_SUMS(f64, fma, fabs, sqrt)
#endif
STN_DEFINE_REAL_SUMS(f32, fmaf, fabsf, sqrtf)

/* Modulo 2^64. The magnitude of INT64_MIN is 2^63, so magnitudes are compared as unsigned integers. */
STN_KERNEL_INLINE stn_i64 stn_plus_i64(const stn_i64 a_, const stn_i64 b_) { return (stn_i64)((stn_u64)a_ + (stn_u64)b_); }
STN_KERNEL_INLINE stn_i64 stn_times_i64(const stn_i64 a_, const stn_i64 b_) { return (stn_i64)((stn_u64)a_ * (stn_u64)b_); }
STN_KERNEL_INLINE stn_i64 stn_fused_i64(const stn_i64 x_, const stn_i64 y_, const stn_i64 a_) { return stn_plus_i64(stn_times_i64(x_, y_), a_); }
STN_KERNEL_INLINE stn_i64 stn_plus_part_i64(const stn_i64 a_, const stn_i64 b_) { return stn_plus_i64(a_, b_); }
STN_KERNEL_INLINE stn_i64 stn_size_i64(const stn_i64 m_) { return m_ < 0 ? (stn_i64)(0 - (stn_u64)m_) : m_; }
STN_KERNEL_INLINE stn_i64 stn_larger_i64(const stn_i64 a_, const stn_i64 b_) { return (stn_u64)a_ < (stn_u64)b_ ? b_ : a_; }
STN_KERNEL_INLINE stn_i64 stn_least_i64(const stn_i64 a_, const stn_i64 b_) { return a_ < b_ ? a_ : b_; }
STN_KERNEL_INLINE stn_i64 stn_most_i64(const stn_i64 a_, const stn_i64 b_) { return a_ > b_ ? a_ : b_; }

/* -0 < +0. The first NaN is the result. */
#define STN_DEFINE_EXTREMES(T)                                                                     \
    STN_KERNEL_INLINE stn_##T stn_least_##T(const stn_##T a_, const stn_##T b_)                    \
    {                                                                                              \
        const stn_##T lesser_ = a_ < b_ ? a_ : b_;                                                 \
        const stn_##T same_ = stn_##T##_of_bits(stn_bits_of_##T(a_) | stn_bits_of_##T(b_));        \
        const stn_##T least_ = a_ == b_ ? same_ : lesser_;                                         \
        return a_ != a_ ? a_ : least_;                                                             \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_most_##T(const stn_##T a_, const stn_##T b_)                     \
    {                                                                                              \
        const stn_##T greater_ = a_ > b_ ? a_ : b_;                                                \
        const stn_##T same_ = stn_##T##_of_bits(stn_bits_of_##T(a_) & stn_bits_of_##T(b_));        \
        const stn_##T most_ = a_ == b_ ? same_ : greater_;                                         \
        return a_ != a_ ? a_ : most_;                                                              \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_larger_##T(const stn_##T a_, const stn_##T b_) { return stn_most_##T(a_, b_); }
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

/* Complex products are fused: two operations with one rounding each per part. */
#define STN_DEFINE_COMPLEX_SUMS(T, multiply_add)                                                   \
    STN_KERNEL_INLINE stn_##T stn_plus_##T(const stn_##T a_, const stn_##T b_) { return stn_##T##_add(a_, b_); }\
    STN_KERNEL_INLINE stn_##T stn_times_##T(const stn_##T a_, const stn_##T b_) { return STN_VALUE_##T(stn_##T##_multiply_fast(a_, b_)); }\
    STN_KERNEL_INLINE stn_##T stn_fused_##T(const stn_##T x_, const stn_##T y_, const stn_##T a_)  \
    {                                                                                              \
        return stn_##T##_of(multiply_add(-x_.im, y_.im, multiply_add(x_.re, y_.re, a_.re)),        \
                            multiply_add(x_.im, y_.re, multiply_add(x_.re, y_.im, a_.im)));        \
    }                                                                                              \
    STN_KERNEL_INLINE STN_PART_##T stn_onto_square_##T(const stn_##T m_, const STN_PART_##T scale_,\
                                                       const STN_PART_##T a_)                      \
    {                                                                                              \
        const STN_PART_##T re_ = m_.re * scale_, im_ = m_.im * scale_;                             \
        return multiply_add(im_, im_, multiply_add(re_, re_, a_));                                 \
    }                                                                                              \
    STN_KERNEL_INLINE STN_PART_##T stn_square_##T(const stn_##T m_, const STN_PART_##T scale_)     \
    {                                                                                              \
        return stn_onto_square_##T(m_, scale_, 0);                                                 \
    }
STN_DEFINE_COMPLEX_SUMS(c64, fmaf)
STN_KERNEL_INLINE stn_f32 stn_plus_part_c64(const stn_f32 a_, const stn_f32 b_) { return stn_plus_f32(a_, b_); }
STN_KERNEL_INLINE stn_f32 stn_larger_c64(const stn_f32 a_, const stn_f32 b_) { return stn_most_f32(a_, b_); }
STN_KERNEL_INLINE stn_f32 stn_root_c64(const stn_f32 m_) { return sqrtf(m_); }
#ifdef STN_HAVE_DOUBLE
STN_DEFINE_COMPLEX_SUMS(c128, fma)
STN_KERNEL_INLINE stn_f64 stn_plus_part_c128(const stn_f64 a_, const stn_f64 b_) { return stn_plus_f64(a_, b_); }
STN_KERNEL_INLINE stn_f64 stn_larger_c128(const stn_f64 a_, const stn_f64 b_) { return stn_most_f64(a_, b_); }
STN_KERNEL_INLINE stn_f64 stn_root_c128(const stn_f64 m_) { return sqrt(m_); }
/* sqrt(re^2 + im^2), scaled by a power of two to prevent overflow and underflow. The bits are the same
 * everywhere, unlike those of hypot. The error is at most one unit in the last place. */
STN_KERNEL_INLINE stn_f64 stn_size_c128(const stn_c128 m_)
{
    const stn_f64 re_ = fabs(m_.re), im_ = fabs(m_.im), large_ = re_ > im_ ? re_ : im_;
    const stn_f64 above_ = stn_f64_of_bits(0x5f30000000000000u); /* 2^500, 2^-400, 2^600 */
    const stn_f64 below_ = stn_f64_of_bits(0x26f0000000000000u);
    const stn_f64 much_ = stn_f64_of_bits(0x6570000000000000u);
    const stn_f64 scale_ = large_ > above_ ? 1.0 / much_ : large_ < below_ ? much_ : 1.0;
    const stn_f64 x_ = re_ * scale_, y_ = im_ * scale_;
    return sqrt(fma(x_, x_, y_ * y_)) / scale_;
}
STN_KERNEL_INLINE stn_f32 stn_size_c64(const stn_c64 m_)
{
    const stn_f64 re_ = m_.re, im_ = m_.im;
    return (stn_f32)sqrt(fma(re_, re_, im_ * im_));
}
#endif

#define STN_PAIR_TYPE(T)                                                                           \
    typedef struct stn_pair_##T { stn_##T x, y; } stn_pair_##T;                                    \
    STN_KERNEL_INLINE stn_pair_##T stn_pair_of_##T(const stn_##T x_, const stn_##T y_)             \
    {                                                                                              \
        stn_pair_##T pair_;                                                                        \
        pair_.x = x_;                                                                              \
        pair_.y = y_;                                                                              \
        return pair_;                                                                              \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_pair_left_##T(const stn_pair_##T pair_) { return pair_.x; }      \
    STN_KERNEL_INLINE stn_##T stn_pair_right_##T(const stn_pair_##T pair_) { return pair_.y; }
STN_PAIR_TYPE(f32)
STN_PAIR_TYPE(i64)
STN_PAIR_TYPE(c64)
#ifdef STN_HAVE_DOUBLE
STN_PAIR_TYPE(f64)
STN_PAIR_TYPE(c128)
#endif

/* State of argmin and argmax: a key, which is smallest for the extreme value, and the position of its
 * element. Without elements, they are INT64_MAX and -1, the largest unsigned position. */
typedef struct stn_found { stn_i64 key, number; } stn_found;

STN_KERNEL_INLINE stn_found stn_found_of(const stn_i64 key_, const stn_i64 number_)
{
    stn_found found_;
    found_.key = key_;
    found_.number = number_;
    return found_;
}
STN_KERNEL_INLINE stn_i64 stn_found_key(const stn_found found_) { return found_.key; }
STN_KERNEL_INLINE stn_i64 stn_found_number(const stn_found found_) { return found_.number; }
STN_KERNEL_INLINE stn_found stn_found_next(const stn_found a_, const stn_i64 key_, const stn_i64 number_)
{
    return stn_found_of(key_ < a_.key ? key_ : a_.key, key_ < a_.key ? number_ : a_.number);
}
STN_KERNEL_INLINE stn_found stn_found_first(const stn_found a_, const stn_found b_)
{
    const stn_u64 left_ = (stn_u64)a_.number, right_ = (stn_u64)b_.number;
    const stn_u64 first_ = right_ < left_ ? right_ : left_, same_ = b_.key == a_.key ? first_ : left_;
    return stn_found_of(b_.key < a_.key ? b_.key : a_.key, (stn_i64)(b_.key < a_.key ? right_ : same_));
}
#define STN_DEFINE_KEYS(T, integer, least)                                                         \
    STN_KERNEL_INLINE integer stn_key_##T(const stn_##T value_)                                    \
    {                                                                                              \
        const integer bits_ = (integer)stn_bits_of_##T(value_);                                    \
        return bits_ ^ (bits_ >> (8 * sizeof bits_ - 1) & ~least); /* of the sign: all bits */     \
    }                                                                                              \
    STN_KERNEL_INLINE integer stn_least_key_##T(const stn_##T m_) { return m_ != m_ ? least : stn_key_##T(m_); }\
    STN_KERNEL_INLINE integer stn_most_key_##T(const stn_##T m_) { return m_ != m_ ? least : ~stn_key_##T(m_); }
#ifdef STN_HAVE_DOUBLE
STN_DEFINE_KEYS(f64, stn_i64, INT64_MIN)
#endif
STN_DEFINE_KEYS(f32, int32_t, INT32_MIN)
STN_KERNEL_INLINE stn_i64 stn_least_key_i64(const stn_i64 m_) { return m_; }
STN_KERNEL_INLINE stn_i64 stn_most_key_i64(const stn_i64 m_) { return ~m_; }

STN_KERNEL_END
/* clang-format on */

#endif
