/* The operations of reductions: for each, what becomes of the first element of a lane, of the next
 * ones, of two neighbours, and of all of them; and the order in which a tile is folded. */
#ifndef STENO_REDUCE_OPERATIONS_H
#define STENO_REDUCE_OPERATIONS_H

#include "steno/names/hide.h"
#include "steno/accessor/demands.h"
#include "steno/kernel.h"
#include "steno/reduce_types.h"

/* clang-format off */

/* The functions of an operation, from expressions of a, b: states; stn_m: a mapped
 * element; stn_number: of the element; stn_scale: of norms. */
#define STN_OPERATION(op, T, state, mapped, result, first, step, combine, identity, finish)        \
    typedef state op##_state_##T;                                                                  \
    typedef mapped op##_mapped_##T;                                                                \
    typedef result op##_result_##T;                                                                \
    STN_KERNEL_BEGIN                                                                               \
    STN_KERNEL_INLINE op##_state_##T op##_first_##T(                                               \
        const op##_mapped_##T stn_m, const int64_t stn_number, const stn_##T stn_scale)            \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        (void)stn_number, (void)stn_scale;                                                         \
        return first;                                                                              \
    }                                                                                              \
    STN_KERNEL_INLINE op##_state_##T op##_step_##T(const op##_state_##T a,                         \
                                                   const op##_mapped_##T stn_m,                    \
                                                   const int64_t stn_number,                       \
                                                   const stn_##T stn_scale)                        \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        (void)stn_number, (void)stn_scale;                                                         \
        return step;                                                                               \
    }                                                                                              \
    STN_KERNEL_INLINE op##_state_##T op##_combine_##T(const op##_state_##T a,                  \
                                                      const op##_state_##T b)                  \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        return combine;                                                                            \
    }                                                                                              \
    STN_KERNEL_INLINE op##_state_##T op##_identity_##T(void)                                       \
    {                                                                                              \
        return identity;                                                                           \
    }                                                                                              \
    STN_KERNEL_INLINE op##_result_##T op##_finish_##T(const op##_state_##T a,                      \
                                                      const stn_##T stn_scale)                     \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        (void)stn_scale;                                                                           \
        return finish;                                                                             \
    }                                                                                              \
    STN_OPERATION_FOLDS(op, T)                                                                     \
    STN_KERNEL_END

/* How a tile is folded: STN_REDUCE_FOLD folds lanes until eight are left. Lanes without an element
 * are skipped. Leaves combine pairwise; one that is left over is a leaf of the next round, which is
 * what a binary counter comes to. */
#define STN_OPERATION_FOLDS(op, T)                                                                 \
    STN_KERNEL_INLINE op##_state_##T op##_of_eight_##T(const op##_state_##T *stn_lane)             \
    {                                                                                              \
        return op##_combine_##T(                                                                   \
            op##_combine_##T(op##_combine_##T(stn_lane[0], stn_lane[4]),                           \
                             op##_combine_##T(stn_lane[2], stn_lane[6])),                          \
            op##_combine_##T(op##_combine_##T(stn_lane[1], stn_lane[5]),                           \
                             op##_combine_##T(stn_lane[3], stn_lane[7])));                         \
    }                                                                                              \
    STN_KERNEL_INLINE op##_state_##T op##_of_some_##T(                                             \
        const op##_mapped_##T *stn_mapped, const int64_t stn_count, const int64_t stn_number,      \
        const stn_##T stn_scale)                                                                   \
    {                                                                                              \
        op##_state_##T stn_lane[STN_LANES];                                                        \
        int64_t stn_lanes = stn_count < STN_LANES ? stn_count : STN_LANES;                         \
        for (int64_t stn_l = 0; stn_l < stn_lanes; stn_l++)                                        \
            stn_lane[stn_l] = op##_first_##T(stn_mapped[stn_l], stn_number + stn_l, stn_scale);    \
        for (int64_t stn_row = STN_LANES; stn_row < stn_count; stn_row += STN_LANES)               \
            for (int64_t stn_l = 0; stn_l < STN_LANES && stn_row + stn_l < stn_count; stn_l++)     \
                stn_lane[stn_l] = op##_step_##T(stn_lane[stn_l], stn_mapped[stn_row + stn_l],      \
                                                stn_number + stn_row + stn_l, stn_scale);          \
        for (int64_t stn_half = STN_LANES / 2; stn_half; stn_half /= 2) {                          \
            for (int64_t stn_l = 0; stn_l + stn_half < stn_lanes; stn_l++)                         \
                stn_lane[stn_l] = op##_combine_##T(stn_lane[stn_l], stn_lane[stn_l + stn_half]);   \
            stn_lanes = stn_lanes < stn_half ? stn_lanes : stn_half;                               \
        }                                                                                          \
        return stn_lane[0];                                                                        \
    }                                                                                              \
    STN_KERNEL_INLINE op##_state_##T op##_of_tiles_##T(op##_state_##T *stn_each,                   \
                                                       int64_t stn_count)                          \
    {                                                                                              \
        for (; stn_count > 1; stn_count = (stn_count + 1) / 2) {                                   \
            for (int64_t stn_t = 0; stn_t < stn_count / 2; stn_t++)                                \
                stn_each[stn_t] = op##_combine_##T(stn_each[2 * stn_t], stn_each[2 * stn_t + 1]);  \
            stn_each[stn_count / 2] = stn_each[stn_count - 1];                                     \
        }                                                                                          \
        return stn_each[0];                                                                        \
    }

/* An operation whose states, mapped elements and results are values of the arithmetic type. */
#define STN_OPERATION_OF_VALUES(op, T, first, step, combine, identity, finish)                     \
    STN_OPERATION(op, T, stn_##T, stn_##T, stn_##T, first, step, combine, identity, finish)

/* ---- sums and products ---- */

#define STN_WRAP_ADD(a, b)      ((stn_i64)((stn_u64)(a) + (stn_u64)(b)))
#define STN_WRAP_MULTIPLY(a, b) ((stn_i64)((stn_u64)(a) * (stn_u64)(b)))

STN_OPERATION_OF_VALUES(stn_op_sum, f64, stn_m, a + stn_m, a + b, 0.0, a)
STN_OPERATION_OF_VALUES(stn_op_sum, f32, stn_m, a + stn_m, a + b, 0.0f, a)
STN_OPERATION_OF_VALUES(stn_op_sum, i64, stn_m, STN_WRAP_ADD(a, stn_m), STN_WRAP_ADD(a, b), 0, a)

STN_OPERATION_OF_VALUES(stn_op_product, f64, stn_m, a * stn_m, a * b, 1.0, a)
STN_OPERATION_OF_VALUES(stn_op_product, f32, stn_m, a * stn_m, a * b, 1.0f, a)
STN_OPERATION_OF_VALUES(stn_op_product, i64, stn_m, STN_WRAP_MULTIPLY(a, stn_m),
                        STN_WRAP_MULTIPLY(a, b), 1, a)

#define STN_PAIR_TYPE(T)                                                                           \
    typedef struct stn_pair_##T { stn_##T x, y; } stn_pair_##T;                                    \
    STN_KERNEL_INLINE stn_pair_##T stn_pair_of_##T(const stn_##T x, const stn_##T y)               \
    {                                                                                              \
        stn_pair_##T pair;                                                                         \
        pair.x = x;                                                                                \
        pair.y = y;                                                                                \
        return pair;                                                                               \
    }
STN_PAIR_TYPE(f64)
STN_PAIR_TYPE(f32)
STN_PAIR_TYPE(i64)
STN_OPERATION(stn_op_products, f64, stn_f64, stn_pair_f64, stn_f64, stn_m.x * stn_m.y,
              fma(stn_m.x, stn_m.y, a), a + b, 0.0, a)
STN_OPERATION(stn_op_products, f32, stn_f32, stn_pair_f32, stn_f32, stn_m.x * stn_m.y,
              fmaf(stn_m.x, stn_m.y, a), a + b, 0.0f, a)
STN_OPERATION(stn_op_products, i64, stn_i64, stn_pair_i64, stn_i64,
              STN_WRAP_MULTIPLY(stn_m.x, stn_m.y),
              STN_WRAP_ADD(a, STN_WRAP_MULTIPLY(stn_m.x, stn_m.y)), STN_WRAP_ADD(a, b), 0, a)

/* ---- extremes: -0 < +0, and the first NaN is the result ---- */

#define STN_DEFINE_EXTREMES(T, U)                                                                  \
    STN_KERNEL_INLINE stn_##T stn_least_##T(const stn_##T a, const stn_##T b)                      \
    {                                                                                              \
        const stn_##T lesser = a < b ? a : b;                                                      \
        const stn_##T same = stn_##T##_of_bits(stn_bits_of_##T(a) | stn_bits_of_##T(b));           \
        const stn_##T known = a == b ? same : lesser;                                              \
        return a != a ? a : known;                                                                 \
    }                                                                                              \
    STN_KERNEL_INLINE stn_##T stn_most_##T(const stn_##T a, const stn_##T b)                       \
    {                                                                                              \
        const stn_##T greater = a > b ? a : b;                                                     \
        const stn_##T same = stn_##T##_of_bits(stn_bits_of_##T(a) & stn_bits_of_##T(b));           \
        const stn_##T known = a == b ? same : greater;                                             \
        return a != a ? a : known;                                                                 \
    }
STN_DEFINE_EXTREMES(f64, u64)
STN_DEFINE_EXTREMES(f32, u32)
STN_KERNEL_INLINE stn_i64 stn_least_i64(const stn_i64 a, const stn_i64 b)
{
    return a < b ? a : b;
}
STN_KERNEL_INLINE stn_i64 stn_most_i64(const stn_i64 a, const stn_i64 b)
{
    return a > b ? a : b;
}

STN_OPERATION_OF_VALUES(stn_op_min, f64, stn_m, stn_least_f64(a, stn_m), stn_least_f64(a, b),
                        (stn_f64)INFINITY, a)
STN_OPERATION_OF_VALUES(stn_op_min, f32, stn_m, stn_least_f32(a, stn_m), stn_least_f32(a, b),
                        (stn_f32)INFINITY, a)
STN_OPERATION_OF_VALUES(stn_op_min, i64, stn_m, stn_least_i64(a, stn_m), stn_least_i64(a, b),
                        INT64_MAX, a)
STN_OPERATION_OF_VALUES(stn_op_max, f64, stn_m, stn_most_f64(a, stn_m), stn_most_f64(a, b),
                        -(stn_f64)INFINITY, a)
STN_OPERATION_OF_VALUES(stn_op_max, f32, stn_m, stn_most_f32(a, stn_m), stn_most_f32(a, b),
                        -(stn_f32)INFINITY, a)
STN_OPERATION_OF_VALUES(stn_op_max, i64, stn_m, stn_most_i64(a, stn_m), stn_most_i64(a, b),
                        INT64_MIN, a)

/* Where an extreme is: the value as an integer that is least for what is looked for, and the number
 * of its element; -1 where there is none. */
typedef struct stn_place {
    stn_i64 key, number;
} stn_place;

STN_KERNEL_INLINE stn_i64 stn_key_f64(const stn_f64 value)
{
    const stn_i64 bits = (stn_i64)stn_bits_of_f64(value);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}
STN_KERNEL_INLINE stn_i64 stn_key_f32(const stn_f32 value)
{
    const stn_i64 bits = (int32_t)stn_bits_of_f32(value);
    return bits < 0 ? bits ^ INT32_MAX : bits;
}
STN_KERNEL_INLINE stn_place stn_place_of(const stn_i64 key, const stn_i64 number)
{
    stn_place place;
    place.key = key;
    place.number = number;
    return place;
}
STN_KERNEL_INLINE stn_place stn_place_next(const stn_place a, const stn_i64 key, const stn_i64 number)
{
    return stn_place_of(key < a.key ? key : a.key, key < a.key ? number : a.number);
}
STN_KERNEL_INLINE stn_place stn_place_first(const stn_place a, const stn_place b)
{
    const int later = a.number < 0 || b.key < a.key || (b.key == a.key && b.number < a.number);
    return b.number >= 0 && later ? b : a;
}
#define STN_LEAST_KEY_f64(m) ((m) != (m) ? INT64_MIN : stn_key_f64(m))
#define STN_LEAST_KEY_f32(m) ((m) != (m) ? INT64_MIN : stn_key_f32(m))
#define STN_LEAST_KEY_i64(m) (m)
#define STN_MOST_KEY_f64(m)  ((m) != (m) ? INT64_MIN : ~stn_key_f64(m))
#define STN_MOST_KEY_f32(m)  ((m) != (m) ? INT64_MIN : ~stn_key_f32(m))
#define STN_MOST_KEY_i64(m)  (~(m))
#define STN_OPERATION_OF_PLACES(op, KEY, T)                                                        \
    STN_OPERATION(op, T, stn_place, stn_##T, stn_i64, stn_place_of(KEY##_##T(stn_m), stn_number),  \
                  stn_place_next(a, KEY##_##T(stn_m), stn_number), stn_place_first(a, b),          \
                  stn_place_of(0, -1), a.number)
STN_OPERATION_OF_PLACES(stn_op_argmin, STN_LEAST_KEY, f64)
STN_OPERATION_OF_PLACES(stn_op_argmin, STN_LEAST_KEY, f32)
STN_OPERATION_OF_PLACES(stn_op_argmin, STN_LEAST_KEY, i64)
STN_OPERATION_OF_PLACES(stn_op_argmax, STN_MOST_KEY, f64)
STN_OPERATION_OF_PLACES(stn_op_argmax, STN_MOST_KEY, f32)
STN_OPERATION_OF_PLACES(stn_op_argmax, STN_MOST_KEY, i64)

/* ---- conditions ---- */

#define STN_OPERATION_OF_CONDITIONS(T)                                                             \
    STN_OPERATION(stn_op_count, T, stn_i64, stn_i64, stn_i64, stn_m, a + stn_m, a + b, 0, a)       \
    STN_OPERATION(stn_op_any, T, stn_i64, stn_i64, stn_i64, stn_m, a | stn_m, a | b, 0, a)         \
    STN_OPERATION(stn_op_all, T, stn_i64, stn_i64, stn_i64, stn_m, a & stn_m, a & b, 1, a)
STN_OPERATION_OF_CONDITIONS(f64)
STN_OPERATION_OF_CONDITIONS(f32)
STN_OPERATION_OF_CONDITIONS(i64)

/* ---- norms ---- */

#define STN_MAGNITUDE(m) ((m) < 0 ? (stn_i64)(0 - (stn_u64)(m)) : (m))

STN_OPERATION_OF_VALUES(stn_op_norm1, f64, fabs(stn_m), a + fabs(stn_m), a + b, 0.0, a)
STN_OPERATION_OF_VALUES(stn_op_norm1, f32, fabsf(stn_m), a + fabsf(stn_m), a + b, 0.0f, a)
STN_OPERATION_OF_VALUES(stn_op_norm1, i64, STN_MAGNITUDE(stn_m),
                        STN_WRAP_ADD(a, STN_MAGNITUDE(stn_m)),
                        STN_WRAP_ADD(a, b), 0, a)

STN_OPERATION_OF_VALUES(stn_op_norm2, f64, (stn_m * stn_scale) * (stn_m * stn_scale),
                        fma(stn_m * stn_scale, stn_m * stn_scale, a),
                        a + b, 0.0, sqrt(a) / stn_scale)
STN_OPERATION_OF_VALUES(stn_op_norm2, f32, (stn_m * stn_scale) * (stn_m * stn_scale),
                        fmaf(stn_m * stn_scale, stn_m * stn_scale, a),
                        a + b, 0.0f, sqrtf(a) / stn_scale)

/* Integers as unsigned ones: the magnitude of the lowest is 2^63. */
#define STN_GREATER_UNSIGNED(a, b) ((stn_u64)(a) < (stn_u64)(b) ? (b) : (a))
STN_OPERATION_OF_VALUES(stn_op_norm_inf, f64, fabs(stn_m), stn_most_f64(a, fabs(stn_m)),
                        stn_most_f64(a, b), 0.0, a)
STN_OPERATION_OF_VALUES(stn_op_norm_inf, f32, fabsf(stn_m), stn_most_f32(a, fabsf(stn_m)),
                        stn_most_f32(a, b), 0.0f, a)
STN_OPERATION_OF_VALUES(stn_op_norm_inf, i64, STN_MAGNITUDE(stn_m),
                        STN_GREATER_UNSIGNED(a, STN_MAGNITUDE(stn_m)),
                        STN_GREATER_UNSIGNED(a, b), 0, a)

/* ---- what the expression of a kernel becomes, and what is special ---- */

#define STN_MAP_VALUE(T, ...)     return (stn_##T)(__VA_ARGS__);
#define STN_MAP_CONDITION(T, ...) return (__VA_ARGS__) ? 1 : 0;
#define STN_MAP_stn_op_sum        STN_MAP_VALUE
#define STN_MAP_stn_op_product    STN_MAP_VALUE
#define STN_MAP_stn_op_min        STN_MAP_VALUE
#define STN_MAP_stn_op_max        STN_MAP_VALUE
#define STN_MAP_stn_op_argmin     STN_MAP_VALUE
#define STN_MAP_stn_op_argmax     STN_MAP_VALUE
#define STN_MAP_stn_op_norm1      STN_MAP_VALUE
#define STN_MAP_stn_op_norm2      STN_MAP_VALUE
#define STN_MAP_stn_op_norm_inf   STN_MAP_VALUE
#define STN_MAP_stn_op_count      STN_MAP_CONDITION
#define STN_MAP_stn_op_any        STN_MAP_CONDITION
#define STN_MAP_stn_op_all        STN_MAP_CONDITION
#define STN_MAP_stn_op_products   STN_MAP_PAIR
#define STN_MAP_PAIR(T, left, right) return stn_pair_of_##T((stn_##T)(left), (stn_##T)(right));

#define STN_TRAITS_stn_op_sum      0
#define STN_TRAITS_stn_op_product  0
#define STN_TRAITS_stn_op_products 0
#define STN_TRAITS_stn_op_min      0
#define STN_TRAITS_stn_op_max      0
#define STN_TRAITS_stn_op_argmin   STN_OPERATION_NUMBERED
#define STN_TRAITS_stn_op_argmax   STN_OPERATION_NUMBERED
#define STN_TRAITS_stn_op_count    STN_OPERATION_COUNTS
#define STN_TRAITS_stn_op_any      STN_OPERATION_DECIDES
#define STN_TRAITS_stn_op_all      STN_OPERATION_DECIDES
#define STN_TRAITS_stn_op_norm1    0
#define STN_TRAITS_stn_op_norm2    STN_OPERATION_SCALED
#define STN_TRAITS_stn_op_norm_inf 0

#define STN_RESULT_VALUE(T)        STN_FORMAT_OF_##T
#define STN_RESULT_NUMBER(T)       STN_I64
#define STN_FORMAT_OF_f64          STN_F64
#define STN_FORMAT_OF_f32          STN_F32
#define STN_FORMAT_OF_i64          STN_I64
#define STN_RESULT_stn_op_sum      STN_RESULT_VALUE
#define STN_RESULT_stn_op_product  STN_RESULT_VALUE
#define STN_RESULT_stn_op_products STN_RESULT_VALUE
#define STN_RESULT_stn_op_min      STN_RESULT_VALUE
#define STN_RESULT_stn_op_max      STN_RESULT_VALUE
#define STN_RESULT_stn_op_argmin   STN_RESULT_NUMBER
#define STN_RESULT_stn_op_argmax   STN_RESULT_NUMBER
#define STN_RESULT_stn_op_count    STN_RESULT_NUMBER
#define STN_RESULT_stn_op_any      STN_RESULT_NUMBER
#define STN_RESULT_stn_op_all      STN_RESULT_NUMBER
#define STN_RESULT_stn_op_norm1    STN_RESULT_VALUE
#define STN_RESULT_stn_op_norm2    STN_RESULT_VALUE
#define STN_RESULT_stn_op_norm_inf STN_RESULT_VALUE
/* clang-format on */

#include "steno/names/show.h"

#endif
