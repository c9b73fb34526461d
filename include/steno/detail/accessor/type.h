/* An accessor type: constants, the struct, construction, queries and conversion to the const type.
 */
#ifndef STENO_ACCESSOR_TYPE_H
#define STENO_ACCESSOR_TYPE_H

#include "steno/detail/accessor/cxx.h"
#include "steno/detail/accessor/parts.h"

/* `knowledge` of lists of constants is (name, rank, extents, layout, strides). */
#define STN_KNOWN_CONSTANTS(knowledge, k) STN_KNOWN_CONSTANTS_(k, STN_UNPACK knowledge)
#define STN_KNOWN_CONSTANTS_(...)         STN_KNOWN_CONSTANTS__(__VA_ARGS__)
#define STN_KNOWN_CONSTANTS__(k, name, rank, extents, layout, strides)                             \
    name##_extent_##k = STN_PICK(k, extents),                                                      \
    name##_stride_##k = STN_STRIDE_##layout(rank, k, strides),                                     \
    name##_fastest_##k = STN_FASTEST_##layout(rank, k),
#define STN_FILL_SHAPE(name, k)                                                                    \
    stn_known.stn_extent[k] = name##_extent_##k;                                                   \
    stn_known.stn_stride[k] = name##_stride_##k;                                                   \
    stn_known.stn_fastest[k] = name##_fastest_##k;

#define STN_DEFINE_CONSTANTS(name, rank_, real, format_, extents, layout, strides, bits, bytes)    \
    typedef stn_##real name##_real;                                                                \
    typedef stn_i##bits name##_index;                                                              \
    enum {                                                                                         \
        name##_rank = rank_,                                                                       \
        name##_arithmetic = stn_id_##real,                                                         \
        name##_format = stn_id_##format_,                                                          \
        name##_index_bits = bits,                                                                  \
        name##_alignment = bytes,                                                                  \
        STN_EACH_##rank_(STN_KNOWN_CONSTANTS, (name, rank_, extents, layout, strides))             \
            name##_is_accessor = 1                                                                 \
    };                                                                                             \
    STN_FN stn_shape name##_stn_shape(void)                                                        \
    {                                                                                              \
        stn_shape stn_known;                                                                       \
        stn_known.stn_rank = name##_rank;                                                          \
        stn_known.stn_index_bits = name##_index_bits;                                              \
        STN_EACH_##rank_(STN_FILL_SHAPE, name) return stn_known;                                   \
    }

#define STN_DEFINE_RULES(name, rounding_, overflow_, is_const_, is_plain_)                         \
    enum {                                                                                         \
        name##_rounding = rounding_,                                                               \
        name##_overflow = overflow_,                                                               \
        name##_is_const = is_const_,                                                               \
        name##_is_plain = is_plain_ /* only data, extents and strides */                           \
    };

/* Scales, if any; last selecting dimension or -1; number of selecting dimensions. */
#define STN_FLAG_1 1
#define STN_FLAG_0 0
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
    typedef struct name##_stn name; /* in C++, a member may have the name of the type */           \
    struct name##_stn STN_CXX_BASE(name, rank_, real) {                                            \
        STN_MEM element *stn_data;                                                                 \
        stn_size stn_extent[rank_], stn_stride[rank_];                                             \
        STN_IF_##SCALES(STN_MEM scale_type *stn_factors;)                                          \
        STN_IF_##SCALES(stn_size stn_scale_stride[rank_];)                                         \
        STN_IF_##SCALES(stn_size stn_phase; /* offset of index 0 in its block */)                  \
        STN_IF_##ZEROS(const STN_MEM stn_##real *stn_zeros;)                                       \
        STN_IF_##SEED(stn_u64 stn_seed; stn_size stn_origin; /* offset of data in the whole array */)\
        STN_IF_##CONTEXT(context_type stn_context; stn_size stn_origin;)                           \
        MEMBERS(name, rank_, real)                                                                 \
    };                                                                                             \
    STN_FN name name##_stn_empty(name stn_x)                                                       \
    {                                                                                              \
        STN_EACH_##rank_(STN_CLEAR_EXTENT, name)                                                   \
        return stn_x;                                                                              \
    }
/* clang-format on */
#define STN_CLEAR_EXTENT(name, k) stn_x.stn_extent[k] = 0;

/* The statements of NAME_make, one per dimension with constant indices, so that compilers evaluate
 * them if the arguments are constants. */
#define STN_FILL_EXTENT(name, k)                                                                   \
    stn_x.stn_extent[k] =                                                                          \
        name##_extent_##k == STN_DYNAMIC ? stn_extents[k] : (stn_size)name##_extent_##k;           \
    stn_fits = stn_fits &&                                                                         \
               STN_HOLDS(stn_x.stn_extent[k] >= 0, #name, "extent", k, stn_x.stn_extent[k], 0) &&  \
               STN_HOLDS(!stn_extents || stn_extents[k] == stn_x.stn_extent[k], #name, "extent",   \
                         k, stn_extents ? stn_extents[k] : 0, stn_x.stn_extent[k]);
#define STN_FILL_STRIDE(name, k)                                                                   \
    stn_x.stn_stride[k] =                                                                          \
        name##_stride_##k == STN_DYNAMIC ? *stn_strides++ : (stn_size)name##_stride_##k;
#define STN_FILL_DENSE(name, k)                                                                    \
    stn_x.stn_stride[name##_fastest_##k] = stn_known.stn_stride[name##_fastest_##k] == STN_DYNAMIC \
                                               ? stn_spanned                                       \
                                               : stn_known.stn_stride[name##_fastest_##k];         \
    stn_spanned = (stn_size)((stn_u64)stn_x.stn_stride[name##_fastest_##k] *                       \
                             (stn_u64)(stn_x.stn_extent[name##_fastest_##k] > 1                    \
                                           ? stn_x.stn_extent[name##_fastest_##k]                  \
                                           : 1));
/* From the last dimension (bit 0 of the mask) to the first one. */
#define STN_FILL_DENSE_SCALES(name, k)                                                             \
    stn_x.stn_scale_stride[name##_rank - 1 - k] = name##_scale_mask >> k & 1 ? stn_spanned : 0;    \
    if (name##_scale_mask >> k & 1)                                                                \
        stn_spanned *= name##_rank - 1 - k == name##_scale_dimension                               \
                           ? (stn_x.stn_extent[name##_rank - 1 - k] + name##_scale_block - 1) /    \
                                 name##_scale_block                                                \
                           : stn_x.stn_extent[name##_rank - 1 - k];
#define STN_FILL_SCALE_STRIDE(name, k)                                                             \
    if (stn_scale_strides && STN_SELECTS(name, k) && k != name##_scale_dimension)                  \
        stn_x.stn_scale_stride[k] = *stn_scale_strides++;
#ifdef STN_CHECKED
#    define STN_FITS_INDEX(name)                                                                   \
        (stn_count_at_most(name##_rank, stn_x.stn_extent) == 0 ||                                  \
         (STN_HOLDS(stn_count_at_most(name##_rank, stn_x.stn_extent) < STN_SPAN_END, #name,        \
                    "number of elements", 0, STN_SPAN_END, STN_SPAN_END - 1) &&                    \
          STN_HOLDS(stn_furthest(name##_rank, stn_x.stn_extent, stn_x.stn_stride) <=               \
                        (name##_index_bits == 64 ? STN_SPAN_END - 1 : 0x7fffffff),                 \
                    #name, name##_index_bits == 64 ? "span" : "span, for 32-bit indices,", 0,      \
                    stn_furthest(name##_rank, stn_x.stn_extent, stn_x.stn_stride),                 \
                    name##_index_bits == 64 ? STN_SPAN_END - 1 : 0x7fffffff)))
#else
#    define STN_FITS_INDEX(name) 1
#endif

/* Optional parameters and arguments. */
/* clang-format off */
#define STN_EXTRA_PARAMETERS(real, ZEROS, SEED, CONTEXT, context_type)                             \
    STN_IF_##ZEROS(, const STN_MEM stn_##real *stn_zeros)                                          \
    STN_IF_##SEED(, stn_u64 stn_seed)                                                              \
    STN_IF_##CONTEXT(, context_type stn_context)
#define STN_EXTRA_ARGUMENTS(ZEROS, SEED, CONTEXT)                                                  \
    STN_IF_##ZEROS(, stn_zeros) STN_IF_##SEED(, stn_seed) STN_IF_##CONTEXT(, stn_context)

#define STN_DEFINE_MAKE(name, element, rank_, real, SCALES, scale_type, ZEROS, SEED, CONTEXT,      \
                        context_type)                                                              \
    STN_FN name name##_make(STN_MEM element *stn_data, const stn_size *stn_extents,                \
                            const stn_size *stn_strides                                            \
                            STN_IF_##SCALES(, STN_MEM scale_type *stn_factors)                     \
                            STN_IF_##SCALES(, const stn_size *stn_scale_strides)                   \
                            STN_EXTRA_PARAMETERS(real, ZEROS, SEED, CONTEXT, context_type))        \
    {                                                                                              \
        const stn_shape stn_known = name##_stn_shape();                                            \
        stn_size stn_spanned = 1;                                                                  \
        int stn_fits = 1;                                                                          \
        name stn_x;                                                                                \
        STN_EACH_##rank_(STN_FILL_EXTENT, name)                                                    \
        if (stn_strides) {                                                                         \
            STN_EACH_##rank_(STN_FILL_STRIDE, name)                                                \
        } else {                                                                                   \
            STN_EACH_##rank_(STN_FILL_DENSE, name)                                                 \
        }                                                                                          \
        (void)stn_known, (void)stn_spanned;                                                        \
        stn_fits = stn_fits && STN_FITS_INDEX(name) &&                                             \
                   STN_HOLDS(((size_t)stn_data & (name##_alignment - 1)) == 0, #name,              \
                             "address modulo the alignment", 0,                                    \
                             (stn_size)((size_t)stn_data & (name##_alignment - 1)),                \
                             name##_alignment);                                                    \
        stn_x.stn_data = stn_data;                                                                 \
        STN_IF_##SCALES(stn_x.stn_factors = stn_factors; stn_x.stn_phase = 0; stn_spanned = 1;)    \
        STN_IF_##SCALES(STN_EACH_##rank_(STN_FILL_DENSE_SCALES, name))                             \
        STN_IF_##SCALES(STN_EACH_##rank_(STN_FILL_SCALE_STRIDE, name))                             \
        STN_IF_##ZEROS(stn_x.stn_zeros = stn_zeros;)                                               \
        STN_IF_##SEED(stn_x.stn_seed = stn_seed; stn_x.stn_origin = 0;)                            \
        STN_IF_##CONTEXT(stn_x.stn_context = stn_context; stn_x.stn_origin = 0;)                   \
        return stn_fits ? stn_x : name##_stn_empty(stn_x);                                         \
    }                                                                                              \
    STN_FN name name##_dense(STN_MEM element *stn_data STN_EACH_##rank_(STN_SIZE, name)            \
                             STN_IF_##SCALES(, STN_MEM scale_type *stn_factors)                    \
                             STN_EXTRA_PARAMETERS(real, ZEROS, SEED, CONTEXT, context_type))       \
    {                                                                                              \
        const stn_size stn_extents[rank_] = {STN_EACH_##rank_(STN_LIST_SIZE, name)};               \
        return name##_make(stn_data, stn_extents, 0 STN_IF_##SCALES(, stn_factors, 0)              \
                           STN_EXTRA_ARGUMENTS(ZEROS, SEED, CONTEXT));                             \
    }

/* Members that accessor_view.h sets in addition to data and shape. */
#define STN_DEFINE_ATTACH(name, rank_, real, SCALES, scale_type, ZEROS, SEED)                      \
    STN_FN void name##_stn_attach(name *stn_x, STN_MEM void *stn_factors,                          \
                                  const stn_i64 *stn_scale_strides, stn_i64 stn_phase,             \
                                  const STN_MEM void *stn_zeros, stn_u64 stn_seed,                 \
                                  stn_u64 stn_first)                                               \
    {                                                                                              \
        (void)stn_x, (void)stn_factors, (void)stn_scale_strides, (void)stn_phase, (void)stn_zeros; \
        (void)stn_seed, (void)stn_first;                                                           \
        STN_IF_##SCALES(stn_x->stn_factors = (STN_MEM scale_type *)stn_factors;)                   \
        STN_IF_##SCALES(stn_x->stn_phase = (stn_size)stn_phase;)                                   \
        STN_IF_##SCALES(for (int stn_d = 0; stn_d < rank_; stn_d++)                                \
                            stn_x->stn_scale_stride[stn_d] =                                       \
                                name##_scale_mask >> (rank_ - 1 - stn_d) & 1                       \
                                    ? (stn_size)stn_scale_strides[stn_d]                           \
                                    : 0;)                                                          \
        STN_IF_##ZEROS(stn_x->stn_zeros = (const STN_MEM stn_##real *)stn_zeros;)                  \
        STN_IF_##SEED(stn_x->stn_seed = stn_seed; stn_x->stn_origin = (stn_size)stn_first;)        \
    }

#define STN_COPY_SHAPE(name, k)                                                                    \
    stn_to.stn_extent[k] = stn_x.stn_extent[k];                                                    \
    stn_to.stn_stride[k] = stn_x.stn_stride[k];
#define STN_COPY_SCALE(name, k) stn_to.stn_scale_stride[k] = stn_x.stn_scale_stride[k];
#define STN_DEFINE_TO_CONST(name, rank_, SCALES, ZEROS, SEED, CONTEXT)                             \
    STN_FN name##_const name##_to_const(name stn_x)                                                \
    {                                                                                              \
        name##_const stn_to;                                                                       \
        stn_to.stn_data = stn_x.stn_data;                                                          \
        STN_EACH_##rank_(STN_COPY_SHAPE, name)                                                     \
        STN_IF_##SCALES(stn_to.stn_factors = stn_x.stn_factors;)                                   \
        STN_IF_##SCALES(stn_to.stn_phase = stn_x.stn_phase;)                                       \
        STN_IF_##SCALES(STN_EACH_##rank_(STN_COPY_SCALE, name))                                    \
        STN_IF_##ZEROS(stn_to.stn_zeros = stn_x.stn_zeros;)                                        \
        STN_IF_##SEED(stn_to.stn_seed = stn_x.stn_seed; stn_to.stn_origin = stn_x.stn_origin;)     \
        STN_IF_##CONTEXT(stn_to.stn_context = stn_x.stn_context;)                                  \
        STN_IF_##CONTEXT(stn_to.stn_origin = stn_x.stn_origin;)                                    \
        return stn_to;                                                                             \
    }
/* clang-format on */

/* ---- queries ---- */

#define STN_DEFINE_QUERIES(name, element, rank_)                                                   \
    STN_FN stn_size name##_length(name stn_x, int stn_d)                                           \
    {                                                                                              \
        (void)stn_x;                                                                               \
        STN_EACH_##rank_(STN_RETURN_LENGTH, name) return 1;                                        \
    }                                                                                              \
    STN_FN stn_size name##_stride(name stn_x, int stn_d)                                           \
    {                                                                                              \
        (void)stn_x;                                                                               \
        STN_EACH_##rank_(STN_RETURN_STRIDE, name) return 0;                                        \
    }                                                                                              \
    STN_FN stn_size name##_count(name stn_x)                                                       \
    {                                                                                              \
        return stn_count_elements(rank_, stn_x.stn_extent);                                        \
    }                                                                                              \
    STN_FN STN_MEM element *name##_data(name stn_x) { return stn_x.stn_data; }                     \
    STN_FN stn_size name##_offset(name stn_x STN_EACH_##rank_(STN_PARAMETER, name))                \
    {                                                                                              \
        (void)stn_x;                                                                               \
        return (name##_index)(0 STN_EACH_##rank_(STN_ADD_OFFSET, name));                           \
    }

#endif
