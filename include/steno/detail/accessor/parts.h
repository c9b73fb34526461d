/* Building blocks of accessor macros: conditions, one item per dimension, errors at compile time.
 */
#ifndef STENO_ACCESSOR_PARTS_H
#define STENO_ACCESSOR_PARTS_H

#include "steno/detail/accessor/index.h"

#define STN_IF_1(...) __VA_ARGS__
#define STN_IF_0(...)

/* Format ids by lower-case names. */
#define STN_LOWER_ID(id, NAME, name, ...) stn_id_##name = id,
enum { STN_FORMAT_TABLE(STN_LOWER_ID, STN_LOWER_ID, STN_LOWER_ID) stn_id_custom = -1 };

#if defined(__cplusplus)
#    define STN_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#    define STN_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* Functions that a type does not have: calling one is an error with this text. */
#if defined(__cplusplus)
#    define STN_UNAVAILABLE(type, function, text, ...) STN_FN type function(__VA_ARGS__) = delete;
#elif defined(__has_attribute)
#    if __has_attribute(__unavailable__)
#        define STN_UNAVAILABLE(type, function, text, ...)                                         \
            type function(__VA_ARGS__) __attribute__((__unavailable__(text)));
#    elif __has_attribute(__error__)
#        define STN_UNAVAILABLE(type, function, text, ...)                                         \
            type function(__VA_ARGS__) __attribute__((__error__(text)));
#    endif
#endif
#ifndef STN_UNAVAILABLE
#    define STN_UNAVAILABLE(type, function, text, ...)
#endif

/* ---- items: one per dimension ---- */

#define STN_PARAMETER(name, k)  , name##_index stn_i_##k
#define STN_ARGUMENT(name, k)   , stn_i_##k
#define STN_SIZE(name, k)       , stn_size stn_n_##k
#define STN_SPAN(name, k)       , stn_span stn_s_##k
#define STN_LIST_INDEX(name, k) stn_i_##k,
#define STN_LIST_SIZE(name, k)  stn_n_##k,

/* Strides and extents: constants of the type or members. */
#define STN_STRIDE(name, k)                                                                        \
    (name##_stride_##k == STN_DYNAMIC ? (name##_index)stn_x.stn_stride[k]                          \
                                      : (name##_index)name##_stride_##k)
#define STN_EXTENT(name, k)                                                                        \
    (name##_extent_##k == STN_DYNAMIC ? stn_x.stn_extent[k] : (stn_size)name##_extent_##k)
#define STN_ADD_OFFSET(name, k) +stn_i_##k *STN_STRIDE(name, k)
#define STN_AND_INSIDE(name, k)                                                                    \
    &&STN_HOLDS(stn_i_##k >= 0 && stn_i_##k < STN_EXTENT(name, k), #name, "index", k, stn_i_##k,   \
                STN_EXTENT(name, k))
#define STN_RETURN_LENGTH(name, k)                                                                 \
    if (stn_d == k)                                                                                \
        return STN_EXTENT(name, k);
#define STN_RETURN_STRIDE(name, k)                                                                 \
    if (stn_d == k)                                                                                \
        return STN_STRIDE(name, k);

/* Index of the scale of an element. */
#define STN_SELECTS(name, k) (name##_scale_mask >> (name##_rank - 1 - k) & 1)
#define STN_ADD_SCALE_OFFSET(name, k)                                                              \
    +(!STN_SELECTS(name, k)         ? 0                                                            \
      : k != name##_scale_dimension ? stn_i_##k * stn_x.stn_scale_stride[k]                        \
      : name##_scale_block == 1                                                                    \
          ? (stn_size)stn_i_##k                                                                    \
          : (stn_size)((stn_u64)(stn_x.stn_phase + stn_i_##k) / name##_scale_block))

/* ---- checks of the arguments of accessor macros ----
 *
 * By the preprocessor: an invalid argument is one error, and nothing is defined. */

/* STN_IS(x) is 1 if the macro x is defined as `~, 1`, otherwise 0. */
#define STN_IS(...)              STN_IS_SECOND(__VA_ARGS__, 0, ~)
#define STN_IS_SECOND(a, b, ...) b

#define STN_RANK_1 ~, 1
#define STN_RANK_2 ~, 1
#define STN_RANK_3 ~, 1
#define STN_RANK_4 ~, 1
#define STN_RANK_5 ~, 1
#define STN_RANK_6 ~, 1
#define STN_RANK_7 ~, 1
#define STN_RANK_8 ~, 1

#define STN_ARITHMETIC_f64  ~, 1
#define STN_ARITHMETIC_f32  ~, 1
#define STN_ARITHMETIC_i64  ~, 1
#define STN_ARITHMETIC_c128 ~, 1
#define STN_ARITHMETIC_c64  ~, 1

/* Valid pairs of arithmetic and storage, and arithmetic types with scales. */
#define STN_PAIR_stn_floats_stn_floats       ~, 1
#define STN_PAIR_stn_floats_stn_integers     ~, 1
#define STN_PAIR_stn_integers_stn_integers   ~, 1
#define STN_PAIR_stn_complexes_stn_complexes ~, 1
#define STN_SCALED_0_stn_floats              ~, 1
#define STN_SCALED_0_stn_integers            ~, 1
#define STN_SCALED_0_stn_complexes           ~, 1
#define STN_SCALED_1_stn_floats              ~, 1

#define STN_PAIR(...)                   STN_PAIR_(__VA_ARGS__)
#define STN_PAIR_(arithmetic, storage)  STN_PAIR_##arithmetic##_##storage
#define STN_SCALED(...)                 STN_SCALED_(__VA_ARGS__)
#define STN_SCALED_(SCALES, arithmetic) STN_SCALED_##SCALES##_##arithmetic

/* clang-format off */
/* DEFINE(name, rank, real, ...) if its arguments are valid. */
#define STN_UNNAMED_ ~, 1
#define STN_DEMAND_NAME(DEFINE, name, ...)                                                         \
    STN_DEMAND_NAME_(STN_IS(STN_UNNAMED_##name), DEFINE, name, __VA_ARGS__)
#define STN_DEMAND_NAME_(...)                       STN_DEMAND_NAME__(__VA_ARGS__)
#define STN_DEMAND_NAME__(is, ...)                  STN_DEMAND_NAME_##is(__VA_ARGS__)
#define STN_DEMAND_NAME_0(...)                      STN_DEMAND_RANK(__VA_ARGS__)
#define STN_DEMAND_NAME_1(...)                                                                     \
    STN_STATIC_ASSERT(0, "the first argument, the name of the accessor type, is empty");

#define STN_DEMAND_RANK(DEFINE, name, rank, real, ...)                                             \
    STN_DEMAND_RANK_(STN_IS(STN_RANK_##rank), DEFINE, name, rank, real, __VA_ARGS__)
#define STN_DEMAND_RANK_(...)                       STN_DEMAND_RANK__(__VA_ARGS__)
#define STN_DEMAND_RANK__(is, ...)                  STN_DEMAND_RANK_##is(__VA_ARGS__)
#define STN_DEMAND_RANK_1(...)                    STN_DEMAND_REAL(__VA_ARGS__)
#define STN_DEMAND_RANK_0(DEFINE, name, rank, ...)                                                 \
    STN_STATIC_ASSERT(0, #name ": the rank is a literal from 1 to 8, not " #rank);

#define STN_DEMAND_REAL(DEFINE, name, rank, real, ...)                                             \
    STN_DEMAND_REAL_(STN_IS(STN_ARITHMETIC_##real), DEFINE, name, rank, real, __VA_ARGS__)
#define STN_DEMAND_REAL_(...)                       STN_DEMAND_REAL__(__VA_ARGS__)
#define STN_DEMAND_REAL__(is, DEFINE, ...)          STN_DEMAND_REAL_##is(DEFINE, __VA_ARGS__)
#define STN_DEMAND_REAL_1(DEFINE, ...)            DEFINE(__VA_ARGS__)
#define STN_DEMAND_REAL_0(DEFINE, name, rank, real, ...)                                           \
    STN_STATIC_ASSERT(0, #name ": no arithmetic type: " #real                                      \
                      " (there are double, float, int64_t, stn_c128, stn_c64)");

#define STN_DEMAND_STORAGE(DEFINE, SCALES, name, rank, real, format, ...)                          \
    STN_DEMAND_STORAGE_(STN_IS(STN_PAIR(STN_CLASS_##real, STN_CLASS_##format)), DEFINE, SCALES,    \
                        name, rank, real, format, __VA_ARGS__)
#define STN_DEMAND_STORAGE_(...)                    STN_DEMAND_STORAGE__(__VA_ARGS__)
#define STN_DEMAND_STORAGE__(is, ...)               STN_DEMAND_STORAGE_##is(__VA_ARGS__)
#define STN_DEMAND_STORAGE_1(...)                 STN_DEMAND_SCALES(__VA_ARGS__)
#define STN_DEMAND_STORAGE_0(DEFINE, SCALES, name, rank, real, format, ...)                        \
    STN_STATIC_ASSERT(0, #name ": storage that " #real " arithmetic cannot read: " #format);

#define STN_DEMAND_SCALES(DEFINE, SCALES, name, rank, real, ...)                                   \
    STN_DEMAND_SCALES_(STN_IS(STN_SCALED(SCALES, STN_CLASS_##real)), DEFINE, name, rank, real,     \
                       __VA_ARGS__)
#define STN_DEMAND_SCALES_(...)                     STN_DEMAND_SCALES__(__VA_ARGS__)
#define STN_DEMAND_SCALES__(is, ...)                STN_DEMAND_SCALES_##is(__VA_ARGS__)
#define STN_DEMAND_SCALES_1(DEFINE, ...)          DEFINE(__VA_ARGS__)
#define STN_DEMAND_SCALES_0(DEFINE, name, rank, real, ...)                                         \
    STN_STATIC_ASSERT(0, #name ": scales are for f64 and f32 arithmetic, not " #real);
/* clang-format on */

#endif
