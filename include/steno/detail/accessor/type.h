/* An accessor's type: its constants, the struct, and how one is made, asked and turned into a const
 * one. */
#ifndef STENO_ACCESSOR_TYPE_H
#define STENO_ACCESSOR_TYPE_H

#include "steno/detail/accessor/cxx.h"
#include "steno/detail/accessor/parts.h"

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
    enum {                                                                                         \
        name##_has_scales = STN_FLAG_##SCALES,                                                     \
        name##_has_zeros = STN_FLAG_##ZEROS,                                                       \
        name##_scale_format = stn_id_##format,                                                     \
        name##_scale_mask = mask,                                                                  \
        name##_scale_block = (block) < 1 ? 1 : (block),                                            \
        name##_scale_rank = STN_COUNT_BITS(mask),                                                  \
        name##_scale_dimension = (mask) ? rank - 1 - STN_LOWEST_BIT(mask) : -1                     \
    };

/* clang-format off */
#define STN_DEFINE_TYPE(name, element, rank_, real, SCALES, scale_type, ZEROS, SEED, CONTEXT,      \
                        context_type, MEMBERS)                                                     \
    typedef struct name {                                                                          \
        STN_MEM element *data;                                                                     \
        stn_size extent[rank_], stride[rank_];                                                     \
        STN_IF_##SCALES(STN_MEM scale_type *scales;)                                               \
        STN_IF_##SCALES(stn_size scale_stride[rank_], phase; /* of index 0 in its block */)        \
        STN_IF_##ZEROS(const STN_MEM stn_##real *zeros;)                                           \
        STN_IF_##SEED(stn_u64 seed; stn_size origin; /* of data in the whole array */)             \
        STN_IF_##CONTEXT(context_type context; stn_size origin;)                                   \
        MEMBERS(name, rank_, real)                                                                 \
    } name;                                                                                        \
    STN_FN name name##_empty(name x)                                                               \
    {                                                                                              \
        STN_EACH_##rank_(STN_CLEAR_EXTENT, name)                                                   \
        return x;                                                                                  \
    }
/* clang-format on */
#define STN_CLEAR_EXTENT(name, k) x.extent[k] = 0;

/* The statements of NAME_make, one per dimension: with constant indices, so that all of it is
 * computed by the compiler where the arguments are known. */
#define STN_FILL_EXTENT(name, k)                                                                   \
    x.extent[k] = name##_extent_##k == STN_DYNAMIC ? extents[k] : (stn_size)name##_extent_##k;     \
    fits = fits && STN_HOLDS(x.extent[k] >= 0, #name, "extent", k, x.extent[k], 0) &&              \
           STN_HOLDS(!extents || extents[k] == x.extent[k], #name, "extent", k,                    \
                     extents ? extents[k] : 0, x.extent[k]);
#define STN_FILL_STRIDE(name, k)                                                                   \
    x.stride[k] = name##_stride_##k == STN_DYNAMIC ? *strides++ : (stn_size)name##_stride_##k;
#define STN_FILL_DENSE(name, k)                                                                    \
    x.stride[name##_fastest_##k] =                                                                 \
        shape.stride[name##_fastest_##k] == STN_DYNAMIC ? span : shape.stride[name##_fastest_##k]; \
    span = (stn_size)((stn_u64)x.stride[name##_fastest_##k] *                                      \
                      (stn_u64)(x.extent[name##_fastest_##k] > 1 ? x.extent[name##_fastest_##k]    \
                                                                 : 1));
/* Dimensions from the last to the first, which are bits of the mask from bit 0 upward. */
#define STN_FILL_DENSE_SCALES(name, k)                                                             \
    x.scale_stride[name##_rank - 1 - k] = name##_scale_mask >> k & 1 ? span : 0;                   \
    if (name##_scale_mask >> k & 1)                                                                \
        span *=                                                                                    \
            name##_rank - 1 - k == name##_scale_dimension                                          \
                ? (x.extent[name##_rank - 1 - k] + name##_scale_block - 1) / name##_scale_block    \
                : x.extent[name##_rank - 1 - k];
#define STN_FILL_SCALE_STRIDE(name, k)                                                             \
    if (scale_strides && STN_SELECTS(name, k) && k != name##_scale_dimension)                      \
        x.scale_stride[k] = *scale_strides++;
#ifdef STN_CHECKED
#    define STN_FITS_INDEX(name)                                                                   \
        (stn_count_at_most(name##_rank, x.extent) == 0 ||                                          \
         (STN_HOLDS(stn_count_at_most(name##_rank, x.extent) < STN_SPAN_END, #name,                \
                    "number of elements", 0, STN_SPAN_END, STN_SPAN_END - 1) &&                    \
          STN_HOLDS(stn_furthest(name##_rank, x.extent, x.stride) <=                               \
                        (name##_index_bits == 64 ? STN_SPAN_END - 1 : 0x7fffffff),                 \
                    #name, name##_index_bits == 64 ? "span" : "span, for 32-bit indices,", 0,      \
                    stn_furthest(name##_rank, x.extent, x.stride),                                 \
                    name##_index_bits == 64 ? STN_SPAN_END - 1 : 0x7fffffff)))
#else
#    define STN_FITS_INDEX(name) 1
#endif

/* Parameters and arguments that some kinds have. */
/* clang-format off */
#define STN_EXTRA_PARAMETERS(real, ZEROS, SEED, CONTEXT, context_type)                             \
    STN_IF_##ZEROS(, const STN_MEM stn_##real *zeros)                                              \
    STN_IF_##SEED(, stn_u64 seed)                                                                  \
    STN_IF_##CONTEXT(, context_type context)
#define STN_EXTRA_ARGUMENTS(ZEROS, SEED, CONTEXT)                                                  \
    STN_IF_##ZEROS(, zeros) STN_IF_##SEED(, seed) STN_IF_##CONTEXT(, context)

#define STN_DEFINE_MAKE(name, element, rank_, real, SCALES, scale_type, ZEROS, SEED, CONTEXT,      \
                        context_type)                                                              \
    STN_FN name name##_make(STN_MEM element *data, const stn_size *extents,                        \
                            const stn_size *strides                                                \
                            STN_IF_##SCALES(, STN_MEM scale_type *scales)                          \
                            STN_IF_##SCALES(, const stn_size *scale_strides)                       \
                            STN_EXTRA_PARAMETERS(real, ZEROS, SEED, CONTEXT, context_type))        \
    {                                                                                              \
        const stn_shape shape = name##_shape();                                                    \
        stn_size span = 1;                                                                         \
        int fits = 1;                                                                              \
        name x;                                                                                    \
        STN_EACH_##rank_(STN_FILL_EXTENT, name)                                                    \
        if (strides) {                                                                             \
            STN_EACH_##rank_(STN_FILL_STRIDE, name)                                                \
        } else {                                                                                   \
            STN_EACH_##rank_(STN_FILL_DENSE, name)                                                 \
        }                                                                                          \
        (void)shape, (void)span;                                                                   \
        fits = fits && STN_FITS_INDEX(name);                                                       \
        x.data = data;                                                                             \
        STN_IF_##SCALES(x.scales = scales; x.phase = 0; span = 1;)                                 \
        STN_IF_##SCALES(STN_EACH_##rank_(STN_FILL_DENSE_SCALES, name))                             \
        STN_IF_##SCALES(STN_EACH_##rank_(STN_FILL_SCALE_STRIDE, name))                             \
        STN_IF_##ZEROS(x.zeros = zeros;)                                                           \
        STN_IF_##SEED(x.seed = seed; x.origin = 0;)                                                \
        STN_IF_##CONTEXT(x.context = context; x.origin = 0;)                                       \
        return fits ? x : name##_empty(x);                                                         \
    }                                                                                              \
    STN_FN name name##_dense(STN_MEM element *data STN_EACH_##rank_(STN_SIZE, name)                \
                             STN_IF_##SCALES(, STN_MEM scale_type *scales)                         \
                             STN_EXTRA_PARAMETERS(real, ZEROS, SEED, CONTEXT, context_type))       \
    {                                                                                              \
        const stn_size extents[rank_] = {STN_EACH_##rank_(STN_LIST_SIZE, name)};                   \
        return name##_make(data, extents, 0 STN_IF_##SCALES(, scales, 0)                           \
                           STN_EXTRA_ARGUMENTS(ZEROS, SEED, CONTEXT));                             \
    }

/* What accessor_view.h fills in besides data and shape: one global scale, and so on. */
#define STN_DEFINE_ATTACH(name, rank_, real, SCALES, scale_type, ZEROS, SEED)                      \
    STN_FN void name##_attach(name *x, STN_MEM void *scales, const stn_i64 *scale_strides,         \
                              stn_i64 phase, const STN_MEM void *zeros, stn_u64 seed,              \
                              stn_u64 first)                                                       \
    {                                                                                              \
        (void)x, (void)scales, (void)scale_strides, (void)phase, (void)zeros;                      \
        (void)seed, (void)first;                                                                   \
        STN_IF_##SCALES(x->scales = (STN_MEM scale_type *)scales; x->phase = (stn_size)phase;)     \
        STN_IF_##SCALES(for (int d = 0; d < rank_; d++) x->scale_stride[d] =                       \
                            name##_scale_mask >> (rank_ - 1 - d) & 1                               \
                                ? (stn_size)scale_strides[d]                                       \
                                : 0;)                                                              \
        STN_IF_##ZEROS(x->zeros = (const STN_MEM stn_##real *)zeros;)                              \
        STN_IF_##SEED(x->seed = seed; x->origin = (stn_size)first;)                                \
    }

#define STN_COPY_SHAPE(name, k)                                                                    \
    to.extent[k] = x.extent[k];                                                                    \
    to.stride[k] = x.stride[k];
#define STN_COPY_SCALE(name, k) to.scale_stride[k] = x.scale_stride[k];
#define STN_DEFINE_TO_CONST(name, rank_, SCALES, ZEROS, SEED, CONTEXT)                             \
    STN_FN name##_const name##_to_const(name x)                                                    \
    {                                                                                              \
        name##_const to;                                                                           \
        to.data = x.data;                                                                          \
        STN_EACH_##rank_(STN_COPY_SHAPE, name)                                                     \
        STN_IF_##SCALES(to.scales = x.scales; to.phase = x.phase;)                                 \
        STN_IF_##SCALES(STN_EACH_##rank_(STN_COPY_SCALE, name))                                    \
        STN_IF_##ZEROS(to.zeros = x.zeros;)                                                        \
        STN_IF_##SEED(to.seed = x.seed; to.origin = x.origin;)                                     \
        STN_IF_##CONTEXT(to.context = x.context; to.origin = x.origin;)                            \
        return to;                                                                                 \
    }
/* clang-format on */

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

#endif
