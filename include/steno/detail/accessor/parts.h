/* Building blocks of accessor macros: conditions, one item per dimension, errors at compile time.
 */
#ifndef STENO_ACCESSOR_PARTS_H
#define STENO_ACCESSOR_PARTS_H

#include "steno/detail/accessor/rank.h"
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

#endif
