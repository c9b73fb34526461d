/* The parts of STN_ACCESSOR. Each macro of the files below defines one group of functions of an
 * accessor type, which accessor.h documents.
 *
 * Common arguments: `name` of the type, its `rank` (a literal), `real` (arithmetic type as a
 * format, such as f64) and `format` of the storage (f16). SCALES, ZEROS and SEED are 1 or 0.
 * Constants of the type are enumerators, so that compilers remove unused code. */
#ifndef STENO_ACCESSOR_DEFINE_H
#define STENO_ACCESSOR_DEFINE_H

#include "steno/detail/accessor/parts.h"
#include "steno/detail/accessor/element.h"
#include "steno/detail/accessor/pointer.h"
#include "steno/detail/accessor/scale.h"
#include "steno/detail/accessor/sub.h"
#include "steno/detail/accessor/transfer.h"
#include "steno/detail/accessor/type.h"

/* Accessors whose elements are read and written by functions of the program. */
#define STN_DEFINE_CUSTOM_READS(name, element, rank_, real, load)                                  \
    STN_FN stn_##real name##_get(name stn_x STN_EACH_##rank_(STN_PARAMETER, name))                 \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        return load(stn_x.stn_data,                                                                \
                    stn_x.stn_origin + name##_offset(stn_x STN_EACH_##rank_(STN_ARGUMENT, name)),  \
                    stn_x.stn_context);                                                            \
    }                                                                                              \
    STN_FN_LONG void name##_load(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),                 \
                                 stn_size stn_count, stn_##real *STN_NO_ALIAS stn_values)          \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        while (stn_walk_next(&stn_stretch, rank_, stn_x.stn_extent, stn_x.stn_stride, 0)) {        \
            const stn_size stn_first = stn_x.stn_origin + stn_stretch.stn_offset,                  \
                           stn_stride = stn_stretch.stn_stride;                                    \
            for (stn_size stn_k = 0; stn_k < stn_stretch.stn_length; stn_k++)                      \
                stn_values[stn_k] =                                                                \
                    load(stn_x.stn_data, stn_first + stn_k * stn_stride, stn_x.stn_context);       \
            stn_values += stn_stretch.stn_length;                                                  \
        }                                                                                          \
    }
#define STN_DEFINE_CUSTOM_WRITES(name, rank_, real, load, store)                                   \
    STN_FN stn_##real name##_set(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),                 \
                                 stn_##real stn_value)                                             \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        {                                                                                          \
            const stn_size stn_offset =                                                            \
                stn_x.stn_origin + name##_offset(stn_x STN_EACH_##rank_(STN_ARGUMENT, name));      \
            store(stn_x.stn_data, stn_offset, stn_value, stn_x.stn_context);                       \
            return load(stn_x.stn_data, stn_offset, stn_x.stn_context);                            \
        }                                                                                          \
    }                                                                                              \
    STN_DEFINE_UPDATES(name, rank_, real)                                                          \
    STN_FN_LONG void name##_store(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),                \
                                  stn_size stn_count, const stn_##real *STN_NO_ALIAS stn_values)   \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        while (stn_walk_next(&stn_stretch, rank_, stn_x.stn_extent, stn_x.stn_stride, 0)) {        \
            const stn_size stn_first = stn_x.stn_origin + stn_stretch.stn_offset,                  \
                           stn_stride = stn_stretch.stn_stride;                                    \
            for (stn_size stn_k = 0; stn_k < stn_stretch.stn_length; stn_k++)                      \
                store(stn_x.stn_data, stn_first + stn_k * stn_stride, stn_values[stn_k],           \
                      stn_x.stn_context);                                                          \
            stn_values += stn_stretch.stn_length;                                                  \
        }                                                                                          \
    }

/* clang-format off */
/* CUTS is stn_fixed if extents are part of the type, otherwise stn_free. */
#define STN_DEFINE_READS(name, base, element, rank_, real, format, CUTS, scale_type, scale_format, \
                         SCALES, ZEROS, SEED, ALIGNED, MEMBERS)                                    \
    STN_DEFINE_TYPE(name, element, rank_, real, SCALES, scale_type, ZEROS, SEED, 0, , MEMBERS)     \
    STN_DEFINE_MAKE(name, element, rank_, real, SCALES, scale_type, ZEROS, SEED, 0, )              \
    STN_DEFINE_ATTACH(name, rank_, real, SCALES, scale_type, ZEROS, SEED)                          \
    STN_DEFINE_QUERIES(name, element, rank_)                                                       \
    STN_DEFINE_SUB_##CUTS(name, rank_, SCALES, ZEROS, SEED, 0)                                     \
    STN_IF_##SCALES(STN_DEFINE_SCALES(name, rank_, real, scale_type, scale_format))                \
    STN_DEFINE_GET(name, base, rank_, real, format, scale_format, SCALES, ZEROS, ALIGNED)          \
    STN_DEFINE_ADDRESS(name, element, rank_)                                                       \
    STN_DEFINE_LOAD(name, base, rank_, real, SCALES, ZEROS)                                        \
    STN_DEFINE_LOAD_VECTOR(name, rank_, real, format, scale_format, SCALES, ZEROS)

/* An accessor and its const companion. */
#define STN_DEFINE_ACCESSOR(...) STN_DEMAND_NAME(STN_DEFINE_OF_RANK, __VA_ARGS__)
#define STN_DEFINE_OF_RANK(name, rank, real, format, extents, CUTS, layout, strides, bits,         \
                           rounding, SEED, overflow, SCALES, ...)                                  \
    STN_DEMAND_STORAGE(STN_DEFINE_FITTING, SCALES, name, rank, real, format, extents, CUTS,        \
                       layout, strides, bits, rounding, SEED, overflow, SCALES, __VA_ARGS__)
#define STN_DEFINE_FITTING(name, rank, real, format, extents, CUTS, layout, strides, bits,         \
                           rounding, SEED, overflow, SCALES, mask, block, scale_format, ZEROS,     \
                           ALIGNED, bytes)                                                         \
    STN_STATIC_ASSERT((bytes) >= 1 && ((bytes) & ((bytes)-1)) == 0 &&                              \
                          sizeof(stn_##format) % (bytes) == 0,                                     \
                      #name ": the alignment is no power of two that divides the size");           \
    STN_STATIC_ASSERT((mask) >> (rank) == 0,                                                       \
                      #name ": the scale mask selects dimensions beyond the rank");                \
    STN_STATIC_ASSERT((block) >= 1, #name ": a block of scales has at least one element");         \
    STN_DEFINE_CONSTANTS(name, rank, real, format, extents, layout, strides, bits, bytes)          \
    STN_DEFINE_CONSTANTS(name##_const, rank, real, format, extents, layout, strides, bits, bytes)  \
    STN_DEFINE_RULES(name, rounding, overflow, 0, STN_IS_PLAIN_##SCALES##_##SEED)                  \
    STN_DEFINE_RULES(name##_const, rounding, overflow, 1, STN_IS_PLAIN_##SCALES##_##SEED)          \
    STN_DEFINE_SCALING(name, rank, SCALES, mask, block, scale_format, ZEROS)                       \
    STN_DEFINE_SCALING(name##_const, rank, SCALES, mask, block, scale_format, ZEROS)               \
    STN_IF_##ALIGNED(STN_DEFINE_WHOLE(name, format, bytes))                                        \
    STN_DEFINE_DECODE(name, real, format, scale_format, SCALES, ZEROS, ALIGNED)                    \
    STN_DEFINE_READS(name, name, stn_##format, rank, real, format, CUTS, stn_##scale_format,       \
                     scale_format, SCALES, ZEROS, SEED, ALIGNED, STN_CXX_WRITE)                    \
    STN_DEFINE_READS(name##_const, name, const stn_##format, rank, real, format, CUTS,             \
                     const stn_##scale_format, scale_format, SCALES, ZEROS, SEED, ALIGNED,         \
                     STN_CXX_READ)                                                                 \
    STN_DEFINE_TO_CONST(name, rank, SCALES, ZEROS, SEED, 0)                                        \
    STN_DEFINE_SET(name, rank, real, format, scale_format, SCALES, ZEROS, SEED, ALIGNED)           \
    STN_DEFINE_ENCODE(name, real, format, scale_format, SCALES, ZEROS, SEED, ALIGNED)              \
    STN_DEFINE_STORE(name, rank, real, scale_format, SCALES, ZEROS, SEED)                          \
    STN_DEFINE_STORE_VECTOR(name, rank, real, format, scale_format, SCALES, ZEROS, SEED)           \
    STN_IF_##SCALES(STN_DEFINE_SET_SCALES(name, rank, real, format, scale_format, ZEROS))          \
    STN_DEFINE_NO_SET(name##_const, rank, real)                                                    \
    STN_IF_##SCALES(STN_DEFINE_NO_SET_SCALES(name##_const, rank, real))                            \
    STN_DEFINE_REARRANGE_##layout(name, rank, CUTS, SCALES, SEED)                                  \
    STN_DEFINE_REARRANGE_##layout(name##_const, rank, CUTS, SCALES, SEED)                          \
    STN_CXX_DEFINE(name, rank, real)
#define STN_IS_PLAIN_0_0   1
#define STN_IS_PLAIN_0_1  0
#define STN_IS_PLAIN_1_0  0
#define STN_IS_PLAIN_1_1 0

/* The same for custom elements. */
#define STN_DEFINE_CUSTOM_TYPE(name, element, rank_, real, CUTS, context_type, load, MEMBERS)      \
    STN_DEFINE_TYPE(name, element, rank_, real, 0, , 0, 0, 1, context_type, MEMBERS)               \
    STN_DEFINE_MAKE(name, element, rank_, real, 0, , 0, 0, 1, context_type)                        \
    STN_DEFINE_QUERIES(name, element, rank_)                                                       \
    STN_DEFINE_SUB_##CUTS(name, rank_, 0, 0, 0, 1)                                                 \
    STN_DEFINE_CUSTOM_READS(name, element, rank_, real, load)
#define STN_DEFINE_CUSTOM(...) STN_DEMAND_NAME(STN_DEFINE_CUSTOM_OF_RANK, __VA_ARGS__)
#define STN_DEFINE_CUSTOM_OF_RANK(name, rank, real, element, extents, CUTS, layout, strides, bits, \
                                  context_type, load, store)                                       \
    STN_DEFINE_CONSTANTS(name, rank, real, custom, extents, layout, strides, bits, 1)              \
    STN_DEFINE_CONSTANTS(name##_const, rank, real, custom, extents, layout, strides, bits, 1)      \
    STN_DEFINE_RULES(name, STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, 0)                          \
    STN_DEFINE_RULES(name##_const, STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 1, 0)                  \
    STN_DEFINE_CUSTOM_TYPE(name, element, rank, real, CUTS, context_type, load, STN_CXX_WRITE)     \
    STN_DEFINE_CUSTOM_TYPE(name##_const, const element, rank, real, CUTS, context_type, load,      \
                           STN_CXX_READ)                                                           \
    STN_DEFINE_TO_CONST(name, rank, 0, 0, 0, 1)                                                    \
    STN_DEFINE_CUSTOM_WRITES(name, rank, real, load, store)                                        \
    STN_DEFINE_NO_SET(name##_const, rank, real)                                                    \
    STN_CXX_DEFINE(name, rank, real)
/* clang-format on */

#endif
