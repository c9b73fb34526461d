/* Runs of elements read and written: NAME_load, NAME_store, NAME_load_vector, NAME_store_vector
 * and both _streaming. */
#ifndef STENO_ACCESSOR_TRANSFER_H
#define STENO_ACCESSOR_TRANSFER_H

#include "steno/detail/accessor/fit.h"
#include "steno/detail/accessor/parts.h"
#include "steno/detail/accessor/run.h"

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

/* clang-format off */
/* A piece of a run, at one stride and with one scale or scales of equal stride. */
#define STN_DEFINE_DECODE(name, real, format, scale_format, SCALES, ZEROS)                         \
    STN_FN_LONG void name##_decode(stn_##real *STN_NO_ALIAS values,                                \
                                   const STN_MEM stn_##format *STN_NO_ALIAS codes,                 \
                                   stn_size stride, stn_size count                                 \
                                   STN_IF_##SCALES(, const STN_MEM stn_##scale_format *scales)     \
                                   STN_IF_##ZEROS(, const STN_MEM stn_##real *zeros)               \
                                   STN_IF_##SCALES(, stn_size scale_stride))                       \
    {                                                                                              \
        if (stride == 1 STN_IF_##SCALES(&& scale_stride == 0)) {                                   \
            stn_read_run_##real##_##format(values, codes, count,                                   \
                                           STN_ZERO_READ_##ZEROS(real, 0),                         \
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
                                 stn_##real *STN_NO_ALIAS values)                                  \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        STN_SCALING_##SCALES(name)                                                                 \
        while (stn_walk_next(&walk, rank_, x.extent, x.stride, by)) {                              \
            base##_decode(values, x.data + walk.offset, walk.stride, walk.length                   \
                          STN_IF_##SCALES(, x.scales + walk.scale_offset)                          \
                          STN_IF_##ZEROS(, x.zeros + walk.scale_offset)                            \
                          STN_IF_##SCALES(, walk.scale_stride));                                   \
            values += walk.length;                                                                 \
        }                                                                                          \
    }

#define STN_RULES_OF(name) (stn_rounding)name##_rounding, (stn_overflow)name##_overflow
#define STN_DEFINE_ENCODE(name, real, format, scale_format, SCALES, ZEROS, SEED)                   \
    STN_FN_LONG void name##_encode(const stn_##real *STN_NO_ALIAS values,                          \
                                   STN_MEM stn_##format *STN_NO_ALIAS codes,                       \
                                   stn_size stride, stn_size count                                 \
                                   STN_IF_##SEED(, stn_u64 seed, stn_size first)                   \
                                   STN_IF_##SCALES(, const STN_MEM stn_##scale_format *scales)     \
                                   STN_IF_##ZEROS(, const STN_MEM stn_##real *zeros)               \
                                   STN_IF_##SCALES(, stn_size scale_stride))                       \
    {                                                                                              \
        if (stride == 1 STN_IF_##SCALES(&& scale_stride == 0)) {                                   \
            stn_write_run_##real##_##format(codes, values, count,                                  \
                                            STN_ZERO_WRITE_##ZEROS(real, 0),                       \
                                            STN_SCALE_##SCALES(real, scale_format, 0),             \
                                            STN_RULES_OF(name), STN_RUN_SEED_##SEED(0));           \
            return;                                                                                \
        }                                                                                          \
        for (stn_size k = 0; k < count; k++) {                                                     \
            const stn_##real zero = STN_ZERO_WRITE_##ZEROS(real, k * scale_stride);                \
            const stn_##real scale = STN_SCALE_##SCALES(real, scale_format, k * scale_stride);     \
            (void)zero, (void)scale;                                                               \
            codes[k * stride] = stn_write_##real##_##format(STN_SCALE_WRITE_##real(values[k]),     \
                                                            STN_RULES_OF(name),                    \
                                                            STN_RUN_SEED_##SEED(k * stride));      \
        }                                                                                          \
    }
#define STN_RUN_SEED_YES(place) seed, (stn_u64)(first + (place))
#define STN_RUN_SEED_NO(place)  0, 0
/* In checked mode nothing of a run is stored when one of its scales is unusable. */
#ifdef STN_CHECKED
#    define STN_LOOK_AHEAD_YES(name, rank_, real, scale_format)                                    \
        {                                                                                          \
            stn_walk ahead = walk;                                                                 \
            while (stn_walk_next(&ahead, rank_, x.extent, x.stride, by))                           \
                for (stn_size k = 0; k < (ahead.scale_stride == 0 ? 1 : ahead.length); k++) {      \
                    const stn_size place = ahead.scale_offset + k * ahead.scale_stride;            \
                    if (!STN_HOLDS(                                                                \
                            stn_is_usable_##real(stn_read_##real##_##scale_format(                 \
                                x.scales[place])),                                                 \
                            #name, "scale number", -1, place, 0))                                  \
                        return;                                                                    \
                }                                                                                  \
        }
#else
#    define STN_LOOK_AHEAD_YES(name, rank_, real, scale_format)
#endif
#define STN_LOOK_AHEAD_NO(name, rank_, real, scale_format)
#define STN_DEFINE_STORE(name, rank_, real, scale_format, SCALES, ZEROS, SEED)                     \
    STN_FN_LONG void name##_store(name x STN_EACH_##rank_(STN_PARAMETER, name), stn_size count,    \
                                  const stn_##real *STN_NO_ALIAS values)                           \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        STN_SCALING_##SCALES(name)                                                                 \
        STN_LOOK_AHEAD_##SCALES(name, rank_, real, scale_format)                                   \
        while (stn_walk_next(&walk, rank_, x.extent, x.stride, by)) {                              \
            name##_encode(values, x.data + walk.offset, walk.stride, walk.length                   \
                          STN_IF_##SEED(, x.seed, x.origin + walk.offset)                          \
                          STN_IF_##SCALES(, x.scales + walk.scale_offset)                          \
                          STN_IF_##ZEROS(, x.zeros + walk.scale_offset)                            \
                          STN_IF_##SCALES(, walk.scale_stride));                                   \
            values += walk.length;                                                                 \
        }                                                                                          \
    }
/* clang-format on */

/* 16 bytes at an address that is a multiple of 16, as one: element by element, compilers for GPUs
 * load elements of 16 bits and less one by one. */
#if defined(STN_OPENCL)
#    define STN_LOAD_16(to, from)  (*(uint4 *)(to) = *(const STN_MEM uint4 *)(from))
#    define STN_STORE_16(to, from) (*(STN_MEM uint4 *)(to) = *(const uint4 *)(from))
#    define STN_ALIGN_16           __attribute__((aligned(16)))
#elif defined(__GNUC__) || defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
#    define STN_LOAD_16(to, from)  memcpy(to, __builtin_assume_aligned(from, 16), 16)
#    define STN_STORE_16(to, from) memcpy(__builtin_assume_aligned((void *)(to), 16), from, 16)
#    define STN_ALIGN_16           __attribute__((aligned(16)))
#else
#    define STN_LOAD_16(to, from)  memcpy(to, from, 16)
#    define STN_STORE_16(to, from) memcpy(to, from, 16)
#    define STN_ALIGN_16
#endif
/* The same of memory that is not used again soon: a hint, where the language has one. */
#if defined(__CUDA_ARCH__)
#    define STN_LOAD_16_STREAMING(to, from)  (*(uint4 *)(to) = __ldcs((const uint4 *)(from)))
#    define STN_STORE_16_STREAMING(to, from) __stcs((uint4 *)(to), *(const uint4 *)(from))
#elif defined(__clang__) && !defined(STN_OPENCL)
typedef int stn_16_bytes __attribute__((vector_size(16), may_alias));
#    define STN_LOAD_16_STREAMING(to, from)                                                        \
        (*(stn_16_bytes *)(to) = __builtin_nontemporal_load((const stn_16_bytes *)(from)))
#    define STN_STORE_16_STREAMING(to, from)                                                       \
        __builtin_nontemporal_store(*(const stn_16_bytes *)(from), (stn_16_bytes *)(to))
#elif defined(__GNUC__) && defined(__SSE2__) && !defined(STN_OPENCL)
typedef long long stn_16_bytes __attribute__((vector_size(16), may_alias));
#    define STN_LOAD_16_STREAMING(to, from) STN_LOAD_16(to, from)
#    define STN_STORE_16_STREAMING(to, from)                                                       \
        __builtin_ia32_movntdq((stn_16_bytes *)(to), *(const stn_16_bytes *)(from))
#else
#    define STN_LOAD_16_STREAMING(to, from)  STN_LOAD_16(to, from)
#    define STN_STORE_16_STREAMING(to, from) STN_STORE_16(to, from)
#endif
/* Elements from (i0, ...) on that are a vector inside the accessor, or the function returns. */
#define STN_VECTOR_OFFSET(name, rank_)                                                             \
    const stn_size index[rank_] = {STN_EACH_##rank_(STN_LIST_INDEX, name)};                        \
    const stn_size offset = name##_offset(x STN_EACH_##rank_(STN_ARGUMENT, name));                 \
    (void)index;                                                                                   \
    if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)) ||                                             \
        !STN_HOLDS(name##_vector <= stn_count_left(rank_, x.extent, index), #name, "vector",       \
                   rank_ - 1, name##_vector, x.extent[rank_ - 1]) ||                               \
        !STN_HOLDS(((size_t)(x.data + offset) & 15) == 0, #name, "alignment", rank_ - 1, offset,   \
                   16))                                                                            \
        return;
/* clang-format off */
#define STN_DEFINE_LOAD_VECTOR(name, rank_, real, format, scale_format, SCALES, ZEROS)             \
    enum { name##_vector = 16 / sizeof(stn_##format) };                                            \
    STN_DEFINE_LOAD_BY(name##_load_vector, STN_LOAD_16, name, rank_, real, format, scale_format,   \
                       SCALES, ZEROS)                                                              \
    STN_DEFINE_LOAD_BY(name##_load_vector_streaming, STN_LOAD_16_STREAMING, name, rank_, real,     \
                       format, scale_format, SCALES, ZEROS)
#define STN_DEFINE_LOAD_BY(function, LOAD, name, rank_, real, format, scale_format, SCALES, ZEROS) \
    STN_FN void function(name x STN_EACH_##rank_(STN_PARAMETER, name),                             \
                         stn_##real *STN_NO_ALIAS values)                                          \
    {                                                                                              \
        STN_VECTOR_OFFSET(name, rank_)                                                             \
        {                                                                                          \
            STN_ALIGN_16 stn_##format codes[name##_vector];                                        \
            STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                           \
            LOAD(codes, x.data + offset);                                                          \
            for (int k = 0; k < name##_vector; k++)                                                \
                values[k] = STN_FROM_CODE(codes[k], real, format, SCALES, ZEROS);                  \
        }                                                                                          \
    }
#define STN_DEFINE_STORE_VECTOR(name, rank_, real, format, scale_format, SCALES, ZEROS, SEED)      \
    STN_DEFINE_STORE_BY(name##_store_vector, STN_STORE_16, name, rank_, real, format,              \
                        scale_format, SCALES, ZEROS, SEED)                                         \
    STN_DEFINE_STORE_BY(name##_store_vector_streaming, STN_STORE_16_STREAMING, name, rank_, real,  \
                        format, scale_format, SCALES, ZEROS, SEED)
#define STN_DEFINE_STORE_BY(function, STORE, name, rank_, real, format, scale_format, SCALES,      \
                            ZEROS, SEED)                                                           \
    STN_FN void function(name x STN_EACH_##rank_(STN_PARAMETER, name),                             \
                         const stn_##real *STN_NO_ALIAS values)                                    \
    {                                                                                              \
        STN_VECTOR_OFFSET(name, rank_)                                                             \
        {                                                                                          \
            STN_ALIGN_16 stn_##format codes[name##_vector];                                        \
            STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                           \
            STN_IF_##SCALES(if (!STN_HOLDS(stn_is_usable_##real(scale), #name, "scale number",     \
                                           -1, place, 0)) return;)                                 \
            for (int k = 0; k < name##_vector; k++)                                                \
                codes[k] = STN_TO_CODE(name, values[k], real, format, STN_SEED_##SEED(offset + k), \
                                       SCALES, ZEROS);                                             \
            STORE(x.data + offset, codes);                                                         \
        }                                                                                          \
    }
/* clang-format on */

#endif
