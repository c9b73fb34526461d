/* What STN_ACCESSOR and its kin are made of: each macro here defines one group of an accessor
 * type's functions, which are documented in accessor.h.
 *
 * The arguments that come again and again: `name` of the type, its `rank` (a literal), `real`, the
 * arithmetic type's name as a format (f64), `format` of the storage (f16). SCALES, ZEROS and SEED
 * are YES or NO. Constants of the type are enumerators, and what depends on them is compiled away.
 */
#ifndef STENO_ACCESSOR_DEFINE_H
#define STENO_ACCESSOR_DEFINE_H

#include "steno/accessor/cxx.h"
#include "steno/accessor/fit.h"
#include "steno/accessor/index.h"
#include "steno/accessor/run.h"
#include "steno/accessor/value.h"

#define STN_IF_YES(...) __VA_ARGS__
#define STN_IF_NO(...)

/* Ids by the formats' lower-case names. */
#define STN_LOWER_ID(id, NAME, name, ...) stn_id_##name = id,
enum { STN_FORMAT_TABLE(STN_LOWER_ID, STN_LOWER_ID, STN_LOWER_ID) stn_id_custom = -1 };

#if defined(__cplusplus)
#    define STN_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#    define STN_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* Functions that a type lacks: to call one is an error with a sentence in it. */
#if defined(__cplusplus)
#    define STN_UNAVAILABLE(type, function, text, ...) type function(__VA_ARGS__) = delete;
#elif defined(__has_attribute)
#    if __has_attribute(unavailable)
#        define STN_UNAVAILABLE(type, function, text, ...)                                         \
            type function(__VA_ARGS__) __attribute__((unavailable(text)));
#    elif __has_attribute(error)
#        define STN_UNAVAILABLE(type, function, text, ...)                                         \
            type function(__VA_ARGS__) __attribute__((error(text)));
#    endif
#endif
#ifndef STN_UNAVAILABLE
#    define STN_UNAVAILABLE(type, function, text, ...)
#endif

/* ---- items: one per dimension ---- */

#define STN_PARAMETER(name, k)  , name##_index i##k
#define STN_ARGUMENT(name, k)   , i##k
#define STN_SIZE(name, k)       , stn_size n##k
#define STN_SPAN(name, k)       , stn_span s##k
#define STN_LIST_INDEX(name, k) i##k,
#define STN_LIST_SIZE(name, k)  n##k,

/* Strides and extents as the type knows them. */
#define STN_STRIDE(name, k)                                                                        \
    (name##_stride_##k == STN_DYNAMIC ? (name##_index)x.stride[k] : (name##_index)name##_stride_##k)
#define STN_EXTENT(name, k)                                                                        \
    (name##_extent_##k == STN_DYNAMIC ? x.extent[k] : (stn_size)name##_extent_##k)
#define STN_ADD_OFFSET(name, k) +i##k *STN_STRIDE(name, k)
#define STN_AND_INSIDE(name, k)                                                                    \
    &&STN_HOLDS(i##k >= 0 && i##k < STN_EXTENT(name, k), #name, "index", k, i##k,                  \
                STN_EXTENT(name, k))
#define STN_RETURN_LENGTH(name, k)                                                                 \
    if (d == k)                                                                                    \
        return STN_EXTENT(name, k);
#define STN_RETURN_STRIDE(name, k)                                                                 \
    if (d == k)                                                                                    \
        return STN_STRIDE(name, k);

/* Which scale an element has. */
#define STN_SELECTS(name, k) (name##_scale_mask >> (name##_rank - 1 - k) & 1)
#define STN_ADD_SCALE_OFFSET(name, k)                                                              \
    +(!STN_SELECTS(name, k)         ? 0                                                            \
      : k != name##_scale_dimension ? i##k * x.scale_stride[k]                                     \
      : name##_scale_block == 1     ? (stn_size)i##k                                               \
                                    : (stn_size)((stn_u64)(x.phase + i##k) / name##_scale_block))

/* ---- the type ---- */

/* Lists of constants take `knowledge`, a list in parentheses: name, rank, extents, layout, strides.
 */
#define STN_KNOWN_CONSTANTS(knowledge, k) STN_KNOWN_CONSTANTS_(k, STN_UNPACK knowledge)
#define STN_KNOWN_CONSTANTS_(...)         STN_KNOWN_CONSTANTS__(__VA_ARGS__)
#define STN_KNOWN_CONSTANTS__(k, name, rank, extents, layout, strides)                             \
    name##_extent_##k = STN_PICK(k, extents),                                                      \
    name##_stride_##k = STN_STRIDE_##layout(rank, k, strides),                                     \
    name##_fastest_##k = STN_FASTEST_##layout(rank, k),
#define STN_FILL_SHAPE(name, k)                                                                    \
    shape.extent[k] = name##_extent_##k;                                                           \
    shape.stride[k] = name##_stride_##k;                                                           \
    shape.fastest[k] = name##_fastest_##k;

#define STN_DEFINE_CONSTANTS(name, rank_, real, format_, extents, layout, strides, bits)           \
    typedef stn_##real name##_real;                                                                \
    typedef stn_i##bits name##_index;                                                              \
    enum {                                                                                         \
        name##_rank = rank_,                                                                       \
        name##_arithmetic = stn_id_##real,                                                         \
        name##_format = stn_id_##format_,                                                          \
        name##_index_bits = bits,                                                                  \
        STN_EACH_##rank_(STN_KNOWN_CONSTANTS, (name, rank_, extents, layout, strides))             \
            name##_is_accessor = 1                                                                 \
    };                                                                                             \
    STN_FN stn_shape name##_shape(void)                                                            \
    {                                                                                              \
        stn_shape shape;                                                                           \
        shape.rank = name##_rank;                                                                  \
        shape.index_bits = name##_index_bits;                                                      \
        STN_EACH_##rank_(STN_FILL_SHAPE, name) return shape;                                       \
    }

#define STN_DEFINE_RULES(name, rounding_, overflow_, is_const_, is_plain_)                         \
    enum {                                                                                         \
        name##_rounding = rounding_,                                                               \
        name##_overflow = overflow_,                                                               \
        name##_is_const = is_const_,                                                               \
        name##_is_plain = is_plain_ /* nothing but data, extents and strides */                    \
    };

/* Scales, if there are any; the last dimension that selects one, -1 without; number of selecting
 * ones. */
#define STN_FLAG_YES 1
#define STN_FLAG_NO  0
#define STN_LOWEST_BIT(m)                                                                          \
    ((m)&1 ? 0 : (m)&2 ? 1 : (m)&4 ? 2 : (m)&8 ? 3 : (m)&16 ? 4 : (m)&32 ? 5 : (m)&64 ? 6 : 7)
#define STN_COUNT_BITS(m)                                                                          \
    (((m)&1) + ((m) >> 1 & 1) + ((m) >> 2 & 1) + ((m) >> 3 & 1) + ((m) >> 4 & 1) +                 \
     ((m) >> 5 & 1) + ((m) >> 6 & 1) + ((m) >> 7 & 1))
#define STN_DEFINE_SCALING(name, rank, SCALES, mask, block, format, ZEROS)                         \
    STN_STATIC_ASSERT((mask) >> (rank) == 0,                                                       \
                      #name ": the scale mask selects dimensions beyond the rank");                \
    STN_STATIC_ASSERT((block) >= 1, #name ": a block of scales has at least one element");         \
    enum {                                                                                         \
        name##_has_scales = STN_FLAG_##SCALES,                                                     \
        name##_has_zeros = STN_FLAG_##ZEROS,                                                       \
        name##_scale_format = stn_id_##format,                                                     \
        name##_scale_mask = mask,                                                                  \
        name##_scale_block = block,                                                                \
        name##_scale_rank = STN_COUNT_BITS(mask),                                                  \
        name##_scale_dimension = (mask) ? rank - 1 - STN_LOWEST_BIT(mask) : -1                     \
    };

#define STN_DEFINE_TYPE(name, element, rank_, real, SCALES, scale_type, ZEROS, SEED, CONTEXT,      \
                        context_type, MEMBERS)                                                     \
    typedef struct name {                                                                          \
        STN_MEM element *data;                                                                     \
        stn_size extent[rank_], stride[rank_];                                                     \
        STN_IF_##SCALES(STN_MEM scale_type *scales; stn_size scale_stride[rank_], phase;) STN_IF_  \
            ##ZEROS(const STN_MEM stn_##real *zeros;) STN_IF_                                      \
            ##SEED(stn_u64 seed; stn_size origin;) STN_IF_                                         \
            ##CONTEXT(context_type context; stn_size origin;) MEMBERS(name, rank_, real)           \
    } name;

#define STN_DEFINE_MAKE(name, element, rank_, real, SCALES, scale_type, ZEROS, SEED, CONTEXT,      \
                        context_type)                                                              \
    STN_FN name name##_make(STN_MEM element *data, const stn_size *extents,                        \
                            const stn_size *strides STN_IF_##SCALES(, STN_MEM scale_type *scales,  \
                                                                    const stn_size *scale_strides) \
                                STN_IF_##ZEROS(, const STN_MEM stn_##real *zeros)                  \
                                    STN_IF_##SEED(, stn_u64 seed)                                  \
                                        STN_IF_##CONTEXT(, context_type context))                  \
    {                                                                                              \
        const stn_shape shape = name##_shape();                                                    \
        name x;                                                                                    \
        const int fits = stn_shape_fill(&shape, #name, extents, strides, x.extent, x.stride);      \
        x.data = data;                                                                             \
        STN_IF_##SCALES(stn_scale_strides(rank_, name##_scale_mask, name##_scale_block, x.extent,  \
                                          scale_strides, x.scale_stride);                          \
                        x.scales = scales; x.phase = 0;) STN_IF_##ZEROS(x.zeros = zeros;)          \
            STN_IF_##SEED(x.seed = seed; x.origin = 0;) STN_IF_##CONTEXT(                          \
                x.context = context; x.origin = 0;) for (int d = 0; d < rank_ && !fits; d++)       \
                x.extent[d] = 0;                                                                   \
        return x;                                                                                  \
    }                                                                                              \
    STN_FN name name##_dense(STN_MEM element *data STN_EACH_##rank_(STN_SIZE, name)                \
                                 STN_IF_##SCALES(, STN_MEM scale_type *scales)                     \
                                     STN_IF_##ZEROS(, const STN_MEM stn_##real *zeros)             \
                                         STN_IF_##SEED(, stn_u64 seed)                             \
                                             STN_IF_##CONTEXT(, context_type context))             \
    {                                                                                              \
        const stn_size extents[rank_] = {STN_EACH_##rank_(STN_LIST_SIZE, name)};                   \
        return name##_make(data, extents,                                                          \
                           0 STN_IF_##SCALES(, scales, 0) STN_IF_##ZEROS(, zeros)                  \
                               STN_IF_##SEED(, seed) STN_IF_##CONTEXT(, context));                 \
    }

/* What accessor_view.h fills in besides data and shape: one global scale, and so on. */
#define STN_DEFINE_ATTACH(name, rank_, real, SCALES, scale_type, ZEROS, SEED)                      \
    STN_FN void name##_attach(name *x, STN_MEM void *scales, const STN_MEM void *zeros,            \
                              stn_u64 seed)                                                        \
    {                                                                                              \
        (void)x, (void)scales, (void)zeros, (void)seed;                                            \
        STN_IF_##SCALES(x->scales = (STN_MEM scale_type *)scales; x->phase = 0;                    \
                        for (int d = 0; d < rank_; d++) x->scale_stride[d] = 0;)                   \
            STN_IF_##ZEROS(x->zeros = (const STN_MEM stn_##real *)zeros;)                          \
                STN_IF_##SEED(x->seed = seed; x->origin = 0;)                                      \
    }

/* ---- what it is ---- */

#define STN_DEFINE_QUERIES(name, element, rank_)                                                   \
    STN_FN stn_size name##_length(name x, int d)                                                   \
    {                                                                                              \
        (void)x;                                                                                   \
        STN_EACH_##rank_(STN_RETURN_LENGTH, name) return 1;                                        \
    }                                                                                              \
    STN_FN stn_size name##_stride(name x, int d)                                                   \
    {                                                                                              \
        (void)x;                                                                                   \
        STN_EACH_##rank_(STN_RETURN_STRIDE, name) return 0;                                        \
    }                                                                                              \
    STN_FN stn_size name##_count(name x)                                                           \
    {                                                                                              \
        return stn_count_elements(rank_, x.extent);                                                \
    }                                                                                              \
    STN_FN STN_MEM element *name##_data(name x)                                                    \
    {                                                                                              \
        return x.data;                                                                             \
    }                                                                                              \
    STN_FN stn_size name##_offset(name x STN_EACH_##rank_(STN_PARAMETER, name))                    \
    {                                                                                              \
        (void)x;                                                                                   \
        return (name##_index)(0 STN_EACH_##rank_(STN_ADD_OFFSET, name));                           \
    }

/* ---- sub-ranges ---- */

#define STN_CUT(name, k)                                                                           \
    if (!(STN_HOLDS(s##k.begin >= 0 && s##k.begin <= stn_span_end(s##k, x.extent[k]), #name,       \
                    "beginning", k, s##k.begin, x.extent[k]) &&                                    \
          STN_HOLDS(stn_span_end(s##k, x.extent[k]) <= x.extent[k], #name, "end", k, s##k.end,     \
                    x.extent[k])))                                                                 \
        return name##_empty(x);                                                                    \
    moved += s##k.begin * STN_STRIDE(name, k);                                                     \
    x.extent[k] = stn_span_end(s##k, x.extent[k]) - s##k.begin;
#define STN_CUT_SCALES(name, k)                                                                    \
    if (k == name##_scale_dimension) {                                                             \
        scales_moved += (x.phase + s##k.begin) / name##_scale_block;                               \
        x.phase = (x.phase + s##k.begin) % name##_scale_block;                                     \
    } else if (STN_SELECTS(name, k)) {                                                             \
        scales_moved += s##k.begin * x.scale_stride[k];                                            \
    }
#define STN_DEFINE_SUB_FREE(name, rank_, SCALES, ZEROS, SEED, CONTEXT)                             \
    STN_FN name name##_empty(name x)                                                               \
    {                                                                                              \
        for (int d = 0; d < rank_; d++)                                                            \
            x.extent[d] = 0;                                                                       \
        return x;                                                                                  \
    }                                                                                              \
    STN_FN name name##_sub(name x STN_EACH_##rank_(STN_SPAN, name))                                \
    {                                                                                              \
        stn_size moved = 0;                                                                        \
        STN_IF_##SCALES(stn_size scales_moved = 0;) STN_EACH_##rank_(STN_CUT, name)                \
            STN_IF_##SCALES(STN_EACH_##rank_(STN_CUT_SCALES, name) x.scales += scales_moved;)      \
                STN_IF_##ZEROS(x.zeros += scales_moved;) STN_IF_##SEED(x.origin += moved;)         \
                    STN_IF_##CONTEXT(x.origin += moved; moved = 0;) x.data += moved;               \
        return x;                                                                                  \
    }

#define STN_DEFINE_SUB_FIXED(name, rank_, SCALES, ZEROS, SEED, CONTEXT)                            \
    STN_UNAVAILABLE(name, name##_sub,                                                              \
                    "extents of " #name " are part of its type: cut it by STN_ACCESSOR_SLICE",     \
                    name STN_EACH_##rank_(STN_SPAN, name))

#define STN_COPY_SHAPE(name, k)                                                                    \
    to.extent[k] = x.extent[k];                                                                    \
    to.stride[k] = x.stride[k];
#define STN_COPY_SCALES(name, k) to.scale_stride[k] = x.scale_stride[k];
#define STN_DEFINE_TO_CONST(name, rank_, SCALES, ZEROS, SEED, CONTEXT)                             \
    STN_FN name##_const name##_to_const(name x)                                                    \
    {                                                                                              \
        name##_const to;                                                                           \
        to.data = x.data;                                                                          \
        STN_EACH_##rank_(STN_COPY_SHAPE, name) STN_IF_##SCALES(                                    \
            to.scales = x.scales; to.phase = x.phase; STN_EACH_##rank_(STN_COPY_SCALES, name))     \
            STN_IF_##ZEROS(to.zeros = x.zeros;)                                                    \
                STN_IF_##SEED(to.seed = x.seed; to.origin = x.origin;)                             \
                    STN_IF_##CONTEXT(to.context = x.context; to.origin = x.origin;) return to;     \
    }

/* ---- one element ---- */

/* What a code stands for, and the code of a value, with the `scale` and the `zero` at hand. */
#define STN_FROM_CODE(code, real, format, SCALES, ZEROS)                                           \
    ((stn_read_##real##_##format(code) STN_IF_##ZEROS(-zero))STN_IF_##SCALES(*scale))
#define STN_TO_CODE(name, value, real, format, SEED_AND_INDEX, SCALES, ZEROS)                      \
    stn_write_##real##_##format((value)STN_IF_##SCALES(/ scale) STN_IF_##ZEROS(+zero),             \
                                (stn_rounding)name##_rounding, (stn_overflow)name##_overflow,      \
                                SEED_AND_INDEX)
#define STN_SEED_YES(place) x.seed, (stn_u64)(x.origin + (place))
#define STN_SEED_NO(place)  0, 0

/* Scale and zero point of element (i0, ...). */
#define STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                               \
    STN_IF_##SCALES(const stn_size place =                                                         \
                        name##_scale_offset(x STN_EACH_##rank_(STN_ARGUMENT, name));               \
                    const stn_##real scale = stn_read_##real##_##scale_format(x.scales[place]);)   \
        STN_IF_##ZEROS(const stn_##real zero = x.zeros[place];)

#define STN_DEFINE_GET(name, rank_, real, format, scale_format, SCALES, ZEROS)                     \
    STN_FN stn_##real name##_get(name x STN_EACH_##rank_(STN_PARAMETER, name))                     \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        {                                                                                          \
            STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                           \
            return STN_FROM_CODE(x.data[name##_offset(x STN_EACH_##rank_(STN_ARGUMENT, name))],    \
                                 real, format, SCALES, ZEROS);                                     \
        }                                                                                          \
    }

#define STN_DEFINE_SET(name, rank_, real, format, scale_format, SCALES, ZEROS, SEED)               \
    STN_FN stn_##real name##_set(name x STN_EACH_##rank_(STN_PARAMETER, name), stn_##real value)   \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        {                                                                                          \
            const stn_size offset = name##_offset(x STN_EACH_##rank_(STN_ARGUMENT, name));         \
            STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                           \
            const stn_##format code =                                                              \
                STN_TO_CODE(name, value, real, format, STN_SEED_##SEED(offset), SCALES, ZEROS);    \
            STN_IF_##SCALES(if (!STN_HOLDS(stn_is_usable_##real(scale), #name, "unusable scale",   \
                                           name##_scale_dimension, place, 0)) return 0;)           \
                x.data[offset] = code;                                                             \
            return STN_FROM_CODE(code, real, format, SCALES, ZEROS);                               \
        }                                                                                          \
    }                                                                                              \
    STN_DEFINE_UPDATES(name, rank_, real)
#define STN_DEFINE_UPDATES(name, rank_, real)                                                      \
    STN_DEFINE_UPDATE(name, rank_, real, add)                                                      \
    STN_DEFINE_UPDATE(name, rank_, real, subtract)                                                 \
    STN_DEFINE_UPDATE(name, rank_, real, multiply)                                                 \
    STN_DEFINE_UPDATE(name, rank_, real, divide)
#define STN_DEFINE_UPDATE(name, rank_, real, operation)                                            \
    STN_FN stn_##real name##_##operation(name x STN_EACH_##rank_(STN_PARAMETER, name),             \
                                         stn_##real value)                                         \
    {                                                                                              \
        return name##_set(                                                                         \
            x STN_EACH_##rank_(STN_ARGUMENT, name),                                                \
            stn_##real##_##operation(name##_get(x STN_EACH_##rank_(STN_ARGUMENT, name)), value));  \
    }

#define STN_DEFINE_ADDRESS(name, element, rank_)                                                   \
    STN_FN STN_MEM element *name##_address(name x STN_EACH_##rank_(STN_PARAMETER, name))           \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return 0;                                                                              \
        return x.data + name##_offset(x STN_EACH_##rank_(STN_ARGUMENT, name));                     \
    }

#define STN_DEFINE_NO_SET(name, rank_, real)                                                       \
    STN_UNAVAILABLE(stn_##real, name##_set, #name " is read-only",                                 \
                    name STN_EACH_##rank_(STN_PARAMETER, name), stn_##real)                        \
    STN_UNAVAILABLE(void, name##_store, #name " is read-only",                                     \
                    name STN_EACH_##rank_(STN_PARAMETER, name), stn_size, const stn_##real *)

/* ---- runs ---- */

#define STN_WALK_START(name, rank_)                                                                \
    const stn_size index[rank_] = {STN_EACH_##rank_(STN_LIST_INDEX, name)};                        \
    stn_walk walk;                                                                                 \
    if (!(STN_HOLDS(count >= 0, #name, "run", rank_ - 1, count, 0) &&                              \
          (count == 0 || (1 STN_EACH_##rank_(STN_AND_INSIDE, name))) &&                            \
          STN_HOLDS(count <= stn_count_left(rank_, x.extent, index), #name, "run", rank_ - 1,      \
                    count, stn_count_left(rank_, x.extent, index))))                               \
        return;                                                                                    \
    stn_walk_start(&walk, rank_, index, count);
#define STN_SCALING_YES(name)                                                                      \
    stn_scaling scaling;                                                                           \
    const stn_scaling *const by = &scaling;                                                        \
    scaling.dimension = name##_scale_dimension;                                                    \
    scaling.block = name##_scale_block;                                                            \
    scaling.phase = x.phase;                                                                       \
    scaling.stride = x.scale_stride;
#define STN_SCALING_NO(name) const stn_scaling *const by = 0;

/* Scale and zero point at hand, or what changes nothing: in a sum that is -0. */
#define STN_SCALE_YES(real, scale_format, place) stn_read_##real##_##scale_format(scales[place])
#define STN_SCALE_NO(real, scale_format, place)  stn_one_##real()
#define STN_ZERO_READ_YES(real, place)           zeros[place]
#define STN_ZERO_READ_NO(real, place)            stn_zero_##real()
#define STN_ZERO_WRITE_YES(real, place)          zeros[place]
#define STN_ZERO_WRITE_NO(real, place)           stn_##real##_negate(stn_zero_##real())

/* A piece of a run, at one stride and with one scale or scales of equal stride. */
#define STN_DEFINE_DECODE(name, real, format, scale_format, SCALES, ZEROS)                         \
    STN_FN_LONG void name##_decode(                                                                \
        stn_##real *STN_RESTRICT values, const STN_MEM stn_##format *STN_RESTRICT codes,           \
        stn_size stride,                                                                           \
        stn_size count STN_IF_##SCALES(, const STN_MEM stn_##scale_format *scales)                 \
            STN_IF_##ZEROS(, const STN_MEM stn_##real *zeros)                                      \
                STN_IF_##SCALES(, stn_size scale_stride))                                          \
    {                                                                                              \
        if (stride == 1 STN_IF_##SCALES(&&scale_stride == 0)) {                                    \
            stn_read_run_##real##_##format(values, codes, count, STN_ZERO_READ_##ZEROS(real, 0),   \
                                           STN_SCALE_##SCALES(real, scale_format, 0));             \
            return;                                                                                \
        }                                                                                          \
        for (stn_size k = 0; k < count; k++) {                                                     \
            const stn_##real zero = STN_ZERO_READ_##ZEROS(real, k * scale_stride);                 \
            const stn_##real scale = STN_SCALE_##SCALES(real, scale_format, k * scale_stride);     \
            (void)zero, (void)scale;                                                               \
            values[k] = STN_SCALE_READ_##real(stn_read_##real##_##format(codes[k * stride]));      \
        }                                                                                          \
    }
#define STN_DEFINE_LOAD(name, base, rank_, real, SCALES, ZEROS)                                    \
    STN_FN_LONG void name##_load(name x STN_EACH_##rank_(STN_PARAMETER, name), stn_size count,     \
                                 stn_##real *STN_RESTRICT values)                                  \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        STN_SCALING_##SCALES(name);                                                                \
        while (stn_walk_next(&walk, rank_, x.extent, x.stride, by)) {                              \
            base##_decode(values, x.data + walk.offset, walk.stride,                               \
                          walk.length STN_IF_##SCALES(, x.scales + walk.scale_offset)              \
                              STN_IF_##ZEROS(, x.zeros + walk.scale_offset)                        \
                                  STN_IF_##SCALES(, walk.scale_stride));                           \
            values += walk.length;                                                                 \
        }                                                                                          \
    }

#define STN_RULES_OF(name) (stn_rounding) name##_rounding, (stn_overflow)name##_overflow
#define STN_DEFINE_ENCODE(name, real, format, scale_format, SCALES, ZEROS, SEED)                   \
    STN_FN_LONG void name##_encode(const stn_##real *STN_RESTRICT values,                          \
                                   STN_MEM stn_##format *STN_RESTRICT codes, stn_size stride,      \
                                   stn_size count STN_IF_##SEED(, stn_u64 seed, stn_size first)    \
                                       STN_IF_##SCALES(, const STN_MEM stn_##scale_format *scales) \
                                           STN_IF_##ZEROS(, const STN_MEM stn_##real *zeros)       \
                                               STN_IF_##SCALES(, stn_size scale_stride))           \
    {                                                                                              \
        if (stride == 1 STN_IF_##SCALES(&&scale_stride == 0)) {                                    \
            stn_write_run_##real##_##format(codes, values, count, STN_ZERO_WRITE_##ZEROS(real, 0), \
                                            STN_SCALE_##SCALES(real, scale_format, 0),             \
                                            STN_RULES_OF(name), STN_RUN_SEED_##SEED(0));           \
            return;                                                                                \
        }                                                                                          \
        for (stn_size k = 0; k < count; k++) {                                                     \
            const stn_##real zero = STN_ZERO_WRITE_##ZEROS(real, k * scale_stride);                \
            const stn_##real scale = STN_SCALE_##SCALES(real, scale_format, k * scale_stride);     \
            (void)zero, (void)scale;                                                               \
            codes[k * stride] =                                                                    \
                stn_write_##real##_##format(STN_SCALE_WRITE_##real(values[k]), STN_RULES_OF(name), \
                                            STN_RUN_SEED_##SEED(k * stride));                      \
        }                                                                                          \
    }
#define STN_RUN_SEED_YES(place) seed, (stn_u64)(first + (place))
#define STN_RUN_SEED_NO(place)  0, 0
#define STN_DEFINE_STORE(name, rank_, real, SCALES, ZEROS, SEED)                                   \
    STN_FN_LONG void name##_store(name x STN_EACH_##rank_(STN_PARAMETER, name), stn_size count,    \
                                  const stn_##real *STN_RESTRICT values)                           \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        STN_SCALING_##SCALES(name);                                                                \
        while (stn_walk_next(&walk, rank_, x.extent, x.stride, by)) {                              \
            name##_encode(values, x.data + walk.offset, walk.stride,                               \
                          walk.length STN_IF_##SEED(, x.seed, x.origin + walk.offset)              \
                              STN_IF_##SCALES(, x.scales + walk.scale_offset)                      \
                                  STN_IF_##ZEROS(, x.zeros + walk.scale_offset)                    \
                                      STN_IF_##SCALES(, walk.scale_stride));                       \
            values += walk.length;                                                                 \
        }                                                                                          \
    }

/* 16 bytes at an address that is a multiple of 16: one load of a GPU's thread. */
#if defined(__GNUC__) || defined(__CUDACC__)
#    define STN_ALIGNED_16(type, address) ((type)__builtin_assume_aligned(address, 16))
#else
#    define STN_ALIGNED_16(type, address) (address)
#endif
#define STN_DEFINE_LOAD_VECTOR(name, rank_, real, format, scale_format, SCALES, ZEROS)             \
    enum { name##_vector = 16 / sizeof(stn_##format) };                                            \
    STN_FN void name##_load_vector(name x STN_EACH_##rank_(STN_PARAMETER, name),                   \
                                   stn_##real *STN_RESTRICT values)                                \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return;                                                                                \
        {                                                                                          \
            const STN_MEM stn_##format *const codes =                                              \
                STN_ALIGNED_16(const STN_MEM stn_##format *,                                       \
                               x.data + name##_offset(x STN_EACH_##rank_(STN_ARGUMENT, name)));    \
            STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                           \
            for (int k = 0; k < name##_vector; k++)                                                \
                values[k] = STN_FROM_CODE(codes[k], real, format, SCALES, ZEROS);                  \
        }                                                                                          \
    }

/* ---- scales ---- */

#define STN_DEFINE_SCALES(name, rank_, real, scale_type, scale_format)                             \
    STN_FN stn_size name##_scale_offset(name x STN_EACH_##rank_(STN_PARAMETER, name))              \
    {                                                                                              \
        (void)x;                                                                                   \
        return 0 STN_EACH_##rank_(STN_ADD_SCALE_OFFSET, name);                                     \
    }                                                                                              \
    STN_FN stn_##real name##_scale(name x STN_EACH_##rank_(STN_PARAMETER, name))                   \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        return stn_read_##real##_##scale_format(                                                   \
            x.scales[name##_scale_offset(x STN_EACH_##rank_(STN_ARGUMENT, name))]);                \
    }                                                                                              \
    STN_FN stn_size name##_scale_stride(name x, int d)                                             \
    {                                                                                              \
        return d >= 0 && d < rank_ ? x.scale_stride[d] : 0;                                        \
    }                                                                                              \
    STN_FN STN_MEM scale_type *name##_scales(name x)                                               \
    {                                                                                              \
        return x.scales;                                                                           \
    }                                                                                              \
    STN_FN stn_size name##_scale_count(name x)                                                     \
    {                                                                                              \
        return stn_count_scales(rank_, name##_scale_mask, name##_scale_block, x.phase, x.extent);  \
    }                                                                                              \
    STN_FN stn_size name##_direct_offset(name x, const stn_size *indices)                          \
    {                                                                                              \
        stn_size offset = 0;                                                                       \
        for (int d = 0; d < rank_; d++)                                                            \
            if (name##_scale_mask >> (rank_ - 1 - d) & 1) {                                        \
                const stn_size extent =                                                            \
                    stn_scale_extent(d == name##_scale_dimension ? name##_scale_block : 1,         \
                                     d == name##_scale_dimension ? x.phase : 0, x.extent[d]);      \
                if (!STN_HOLDS(*indices >= 0 && *indices < extent, #name, "scale index", d,        \
                               *indices, extent))                                                  \
                    return -1;                                                                     \
                offset += *indices++ * x.scale_stride[d];                                          \
            }                                                                                      \
        return offset;                                                                             \
    }                                                                                              \
    STN_FN stn_##real name##_scale_direct(name x, const stn_size *indices)                         \
    {                                                                                              \
        const stn_size offset = name##_direct_offset(x, indices);                                  \
        return offset < 0 ? stn_zero_##real()                                                      \
                          : stn_read_##real##_##scale_format(x.scales[offset]);                    \
    }

#define STN_DEFINE_SET_SCALES(name, rank_, real, format, scale_format, ZEROS)                      \
    STN_FN stn_##real name##_put_scale(name x, stn_size offset, stn_##real value)                  \
    {                                                                                              \
        if (!STN_HOLDS(stn_is_usable_##real(value), #name, "unusable scale",                       \
                       name##_scale_dimension, offset, 0))                                         \
            return stn_zero_##real();                                                              \
        x.scales[offset] = stn_write_##real##_##scale_format(value, STN_ROUND_NEAREST,             \
                                                             STN_OVERFLOW_DEFAULT, 0, 0);          \
        return stn_read_##real##_##scale_format(x.scales[offset]);                                 \
    }                                                                                              \
    STN_FN stn_##real name##_set_scale(name x STN_EACH_##rank_(STN_PARAMETER, name),               \
                                       stn_##real value)                                           \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        return name##_put_scale(x, name##_scale_offset(x STN_EACH_##rank_(STN_ARGUMENT, name)),    \
                                value);                                                            \
    }                                                                                              \
    STN_FN stn_##real name##_set_scale_direct(name x, const stn_size *indices, stn_##real value)   \
    {                                                                                              \
        const stn_size offset = name##_direct_offset(x, indices);                                  \
        return offset < 0 ? stn_zero_##real() : name##_put_scale(x, offset, value);                \
    }                                                                                              \
    /* The least scale of the format that is not below `needed`; 0 when there is none. */          \
    STN_FN_LONG int name##_raise_scale(name x, stn_size place, stn_##real needed)                  \
    {                                                                                              \
        const stn_##real step =                                                                    \
            1 / (stn_##real)((stn_u64)1 << stn_##scale_format##_kind().fraction_bits);             \
        stn_##real wish = needed > 0 ? needed : 1, got;                                            \
        do {                                                                                       \
            x.scales[place] = stn_write_##real##_##scale_format(wish, STN_ROUND_NEAREST,           \
                                                                STN_OVERFLOW_SATURATE, 0, 0);      \
            got = stn_read_##real##_##scale_format(x.scales[place]);                               \
            if (got >= needed && got > 0)                                                          \
                return 1;                                                                          \
            wish += got > 0 ? wish * step : wish;                                                  \
        } while (got < stn_highest_##real##_##scale_format());                                     \
        return 0;                                                                                  \
    }                                                                                              \
    STN_FN_LONG stn_size name##_fit_scales(name x, const stn_##real *values, int exact)            \
    {                                                                                              \
        stn_slot slot;                                                                             \
        stn_size unfit = 0;                                                                        \
        stn_slot_start(&slot, rank_, name##_scale_mask, name##_scale_block, x.phase, x.extent);    \
        while (stn_slot_next(&slot, rank_, x.extent)) {                                            \
            const stn_size place = stn_slot_offset(&slot, rank_, x.scale_stride);                  \
            const stn_reach_##real reach = stn_slot_reach_##real(&slot, rank_, x.extent, values);  \
            const stn_##real zero = STN_ZERO_POINT_##ZEROS(place);                                 \
            const stn_##real above_limit = stn_highest_##real##_##format() - zero;                 \
            const stn_##real below_limit = zero - stn_lowest_##real##_##format();                  \
            const stn_##real above = stn_fit_##real(reach.above, above_limit, exact);              \
            const stn_##real below = stn_fit_##real(reach.below, below_limit, exact);              \
            const int raised = name##_raise_scale(x, place, above > below ? above : below);        \
            unfit += !raised || (reach.above > 0 && !(above_limit > 0)) ||                         \
                     (reach.below > 0 && !(below_limit > 0));                                      \
        }                                                                                          \
        return unfit;                                                                              \
    }
#define STN_ZERO_POINT_YES(place) x.zeros[place]
#define STN_ZERO_POINT_NO(place)  0

/* ---- arrangements, for accessors all of whose strides are given at run time ---- */

#define STN_DEFINE_REARRANGE_RIGHT(name, rank_)
#define STN_DEFINE_REARRANGE_LEFT(name, rank_)
#define STN_DEFINE_REARRANGE_BLOCK_COL_MAJOR(name, rank_)
#define STN_DEFINE_REARRANGE_STATIC(name, rank_)
#define STN_DEFINE_REARRANGE_STRIDED(name, rank_)                                                  \
    STN_FN name name##_transpose(name x, int a, int b)                                             \
    {                                                                                              \
        name to = x;                                                                               \
        if (!(STN_HOLDS(a >= 0 && a < rank_, #name, "dimension", a, a, rank_) &&                   \
              STN_HOLDS(b >= 0 && b < rank_, #name, "dimension", b, b, rank_)))                    \
            return name##_empty(x);                                                                \
        to.extent[a] = x.extent[b];                                                                \
        to.extent[b] = x.extent[a];                                                                \
        to.stride[a] = x.stride[b];                                                                \
        to.stride[b] = x.stride[a];                                                                \
        return to;                                                                                 \
    }                                                                                              \
    STN_FN name name##_every(name x, int d, stn_size step)                                         \
    {                                                                                              \
        if (!(STN_HOLDS(d >= 0 && d < rank_, #name, "dimension", d, d, rank_) &&                   \
              STN_HOLDS(step > 0, #name, "step", d, step, x.extent[d])))                           \
            return name##_empty(x);                                                                \
        x.extent[d] = (x.extent[d] + step - 1) / step;                                             \
        x.stride[d] *= step;                                                                       \
        return x;                                                                                  \
    }                                                                                              \
    STN_FN name name##_reverse(name x, int d)                                                      \
    {                                                                                              \
        if (!STN_HOLDS(d >= 0 && d < rank_, #name, "dimension", d, d, rank_))                      \
            return name##_empty(x);                                                                \
        x.data += x.extent[d] > 0 ? (x.extent[d] - 1) * x.stride[d] : 0;                           \
        x.stride[d] = -x.stride[d];                                                                \
        return x;                                                                                  \
    }

/* One dimension of STN_ACCESSOR_SLICE; `arguments` are from, rank, function, mask. */
#define STN_SLICE_DIMENSION(arguments, k) STN_SLICE_DIMENSION_(k, STN_UNPACK arguments)
#define STN_SLICE_DIMENSION_(...)         STN_SLICE_DIMENSION__(__VA_ARGS__)
#define STN_SLICE_DIMENSION__(k, from, rank, function, mask)                                       \
    {                                                                                              \
        const stn_size begin = s##k.begin, end = stn_span_end(s##k, x.extent[k]);                  \
        fits = fits &&                                                                             \
               STN_HOLDS(begin >= 0 && begin <= end, #function, "beginning", k, begin,             \
                         x.extent[k]) &&                                                           \
               STN_HOLDS(end <= x.extent[k], #function, "end", k, end, x.extent[k]);               \
        moved += begin * STN_STRIDE(from, k);                                                      \
        if ((mask) >> (rank - 1 - k) & 1) {                                                        \
            y.extent[d] = end - begin;                                                             \
            y.stride[d] = STN_STRIDE(from, k);                                                     \
            fits = stn_shape_knows(&shape, #function, d, y.extent[d], y.stride[d]) && fits;        \
            d++;                                                                                   \
        } else {                                                                                   \
            fits =                                                                                 \
                fits && STN_HOLDS(begin < x.extent[k], #function, "index", k, begin, x.extent[k]); \
        }                                                                                          \
    }

/* ---- elements by functions of the user's ---- */

#define STN_DEFINE_CUSTOM_READS(name, element, rank_, real, load)                                  \
    STN_FN stn_##real name##_get(name x STN_EACH_##rank_(STN_PARAMETER, name))                     \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        return load(x.data, x.origin + name##_offset(x STN_EACH_##rank_(STN_ARGUMENT, name)),      \
                    x.context);                                                                    \
    }                                                                                              \
    STN_FN_LONG void name##_load(name x STN_EACH_##rank_(STN_PARAMETER, name), stn_size count,     \
                                 stn_##real *STN_RESTRICT values)                                  \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        while (stn_walk_next(&walk, rank_, x.extent, x.stride, 0)) {                               \
            const stn_size first = x.origin + walk.offset, stride = walk.stride;                   \
            for (stn_size k = 0; k < walk.length; k++)                                             \
                values[k] = load(x.data, first + k * stride, x.context);                           \
            values += walk.length;                                                                 \
        }                                                                                          \
    }
#define STN_DEFINE_CUSTOM_WRITES(name, rank_, real, load, store)                                   \
    STN_FN stn_##real name##_set(name x STN_EACH_##rank_(STN_PARAMETER, name), stn_##real value)   \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        {                                                                                          \
            const stn_size offset =                                                                \
                x.origin + name##_offset(x STN_EACH_##rank_(STN_ARGUMENT, name));                  \
            store(x.data, offset, value, x.context);                                               \
            return load(x.data, offset, x.context);                                                \
        }                                                                                          \
    }                                                                                              \
    STN_DEFINE_UPDATES(name, rank_, real)                                                          \
    STN_FN_LONG void name##_store(name x STN_EACH_##rank_(STN_PARAMETER, name), stn_size count,    \
                                  const stn_##real *STN_RESTRICT values)                           \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        while (stn_walk_next(&walk, rank_, x.extent, x.stride, 0)) {                               \
            const stn_size first = x.origin + walk.offset, stride = walk.stride;                   \
            for (stn_size k = 0; k < walk.length; k++)                                             \
                store(x.data, first + k * stride, values[k], x.context);                           \
            values += walk.length;                                                                 \
        }                                                                                          \
    }

/* ---- whole accessors ---- */

/* CUTS is FREE, or FIXED when extents are part of the type. */
#define STN_DEFINE_READS(name, base, element, rank_, real, format, CUTS, scale_type, scale_format, \
                         SCALES, ZEROS, SEED, MEMBERS)                                             \
    STN_DEFINE_TYPE(name, element, rank_, real, SCALES, scale_type, ZEROS, SEED, NO, , MEMBERS)    \
    STN_DEFINE_MAKE(name, element, rank_, real, SCALES, scale_type, ZEROS, SEED, NO, )             \
    STN_DEFINE_ATTACH(name, rank_, real, SCALES, scale_type, ZEROS, SEED)                          \
    STN_DEFINE_QUERIES(name, element, rank_)                                                       \
    STN_DEFINE_SUB_##CUTS(name, rank_, SCALES, ZEROS, SEED, NO)                                    \
        STN_IF_##SCALES(STN_DEFINE_SCALES(name, rank_, real, scale_type, scale_format))            \
            STN_DEFINE_GET(name, rank_, real, format, scale_format, SCALES, ZEROS)                 \
                STN_DEFINE_ADDRESS(name, element, rank_) STN_DEFINE_LOAD(name, base, rank_, real,  \
                                                                         SCALES, ZEROS)            \
                    STN_DEFINE_LOAD_VECTOR(name, rank_, real, format, scale_format, SCALES, ZEROS)

/* An accessor and its const companion. */
#define STN_DEFINE_ACCESSOR(name, rank, real, format, extents, CUTS, layout, strides, bits,        \
                            rounding, SEED, overflow, SCALES, mask, block, scale_format, ZEROS)    \
    STN_DEFINE_CONSTANTS(name, rank, real, format, extents, layout, strides, bits)                 \
    STN_DEFINE_CONSTANTS(name##_const, rank, real, format, extents, layout, strides, bits)         \
    STN_DEFINE_RULES(name, rounding, overflow, 0, STN_IS_PLAIN_##SCALES##_##SEED)                  \
    STN_DEFINE_RULES(name##_const, rounding, overflow, 1, STN_IS_PLAIN_##SCALES##_##SEED)          \
    STN_DEFINE_SCALING(name, rank, SCALES, mask, block, scale_format, ZEROS)                       \
    STN_DEFINE_SCALING(name##_const, rank, SCALES, mask, block, scale_format, ZEROS)               \
    STN_DEFINE_DECODE(name, real, format, scale_format, SCALES, ZEROS)                             \
    STN_DEFINE_READS(name, name, stn_##format, rank, real, format, CUTS, stn_##scale_format,       \
                     scale_format, SCALES, ZEROS, SEED, STN_CXX_WRITE)                             \
    STN_DEFINE_READS(name##_const, name, const stn_##format, rank, real, format, CUTS,             \
                     const stn_##scale_format, scale_format, SCALES, ZEROS, SEED, STN_CXX_READ)    \
    STN_DEFINE_TO_CONST(name, rank, SCALES, ZEROS, SEED, NO)                                       \
    STN_DEFINE_SET(name, rank, real, format, scale_format, SCALES, ZEROS, SEED)                    \
    STN_DEFINE_ENCODE(name, real, format, scale_format, SCALES, ZEROS, SEED)                       \
    STN_DEFINE_STORE(name, rank, real, SCALES, ZEROS, SEED)                                        \
    STN_IF_##SCALES(STN_DEFINE_SET_SCALES(name, rank, real, format, scale_format, ZEROS))          \
        STN_DEFINE_NO_SET(name##_const, rank, real) STN_DEFINE_REARRANGE_##layout(name, rank)      \
            STN_DEFINE_REARRANGE_##layout(name##_const, rank) STN_CXX_DEFINE(name, rank, real)
#define STN_IS_PLAIN_NO_NO   1
#define STN_IS_PLAIN_NO_YES  0
#define STN_IS_PLAIN_YES_NO  0
#define STN_IS_PLAIN_YES_YES 0

/* The same with elements by functions of the user's. */
#define STN_DEFINE_CUSTOM_TYPE(name, element, rank_, real, CUTS, context_type, load, MEMBERS)      \
    STN_DEFINE_TYPE(name, element, rank_, real, NO, , NO, NO, YES, context_type, MEMBERS)          \
    STN_DEFINE_MAKE(name, element, rank_, real, NO, , NO, NO, YES, context_type)                   \
    STN_DEFINE_QUERIES(name, element, rank_)                                                       \
    STN_DEFINE_SUB_##CUTS(name, rank_, NO, NO, NO, YES)                                            \
        STN_DEFINE_CUSTOM_READS(name, element, rank_, real, load)
#define STN_DEFINE_CUSTOM(name, rank, real, element, extents, CUTS, layout, strides, bits,         \
                          context_type, load, store)                                               \
    STN_DEFINE_CONSTANTS(name, rank, real, custom, extents, layout, strides, bits)                 \
    STN_DEFINE_CONSTANTS(name##_const, rank, real, custom, extents, layout, strides, bits)         \
    STN_DEFINE_RULES(name, STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, 0)                          \
    STN_DEFINE_RULES(name##_const, STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 1, 0)                  \
    STN_DEFINE_CUSTOM_TYPE(name, element, rank, real, CUTS, context_type, load, STN_CXX_WRITE)     \
    STN_DEFINE_CUSTOM_TYPE(name##_const, const element, rank, real, CUTS, context_type, load,      \
                           STN_CXX_READ)                                                           \
    STN_DEFINE_TO_CONST(name, rank, NO, NO, NO, YES)                                               \
    STN_DEFINE_CUSTOM_WRITES(name, rank, real, load, store)                                        \
    STN_DEFINE_NO_SET(name##_const, rank, real)                                                    \
    STN_CXX_DEFINE(name, rank, real)

#endif
