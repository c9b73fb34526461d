/* Access to runs of elements: NAME_load, NAME_store, NAME_load_vector, NAME_store_vector and their
 * _streaming versions. */
#ifndef STENO_ACCESSOR_TRANSFER_H
#define STENO_ACCESSOR_TRANSFER_H

#include "steno/detail/accessor/fit.h"
#include "steno/detail/accessor/parts.h"
#include "steno/detail/accessor/run.h"

#define STN_WALK_START(name, rank_)                                                                \
    const stn_size stn_first_index[rank_] = {STN_EACH_##rank_(STN_LIST_INDEX, name)};              \
    stn_walk stn_stretch;                                                                          \
    if (!(STN_HOLDS(stn_count >= 0, #name, "run", rank_ - 1, stn_count, 0) &&                      \
          (stn_count == 0 || (1 STN_EACH_##rank_(STN_AND_INSIDE, name))) &&                        \
          STN_HOLDS(stn_count <= stn_count_left(rank_, stn_x.stn_extent, stn_first_index), #name,  \
                    "run", rank_ - 1, stn_count,                                                   \
                    stn_count_left(rank_, stn_x.stn_extent, stn_first_index))))                    \
        return;                                                                                    \
    stn_walk_start(&stn_stretch, rank_, stn_first_index, stn_count);
#define STN_SCALING_1(name)                                                                        \
    stn_scaling stn_selected;                                                                      \
    const stn_scaling *const stn_by = &stn_selected;                                               \
    stn_selected.stn_dimension = name##_scale_dimension;                                           \
    stn_selected.stn_block = name##_scale_block;                                                   \
    stn_selected.stn_phase = stn_x.stn_phase;                                                      \
    stn_selected.stn_stride = stn_x.stn_scale_stride;
#define STN_SCALING_0(name) const stn_scaling *const stn_by = 0;

/* Scale and zero point, or neutral constants; -0 is neutral in a sum. */
#define STN_SCALE_1(real, scale_format, place) stn_read_##real##_##scale_format(stn_factors[place])
#define STN_SCALE_0(real, scale_format, place) stn_one_##real()
#define STN_ZERO_READ_1(real, place)           stn_zeros[place]
#define STN_ZERO_READ_0(real, place)           stn_zero_##real()
#define STN_ZERO_WRITE_1(real, place)          stn_zeros[place]
#define STN_ZERO_WRITE_0(real, place)          stn_##real##_negate(stn_zero_##real())

/* On devices, elements that are read as a whole are read so in runs, too; CPUs use vectors. */
#define STN_BY_RUN_0
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(STN_OPENCL)
#    define STN_BY_RUN_1 &&0
#else
#    define STN_BY_RUN_1
#endif

/* clang-format off */
/* A piece of a run with a constant stride and one scale or scales with a constant stride. */
#define STN_DEFINE_DECODE(name, real, format, scale_format, SCALES, ZEROS, ALIGNED)                \
    STN_FN_LONG void name##_stn_decode(stn_##real *STN_NO_ALIAS stn_values,                        \
                                   const STN_MEM stn_##format *STN_NO_ALIAS stn_codes,             \
                                   stn_size stn_stride, stn_size stn_count                         \
                                   STN_IF_##SCALES(, const STN_MEM stn_##scale_format *stn_factors)\
                                   STN_IF_##ZEROS(, const STN_MEM stn_##real *stn_zeros)           \
                                   STN_IF_##SCALES(, stn_size stn_scale_stride))                   \
    {                                                                                              \
        if (stn_stride == 1 STN_IF_##SCALES(&& stn_scale_stride == 0) STN_BY_RUN_##ALIGNED) {      \
            stn_read_run_##real##_##format(stn_values, stn_codes, stn_count,                       \
                                           STN_ZERO_READ_##ZEROS(real, 0),                         \
                                           STN_SCALE_##SCALES(real, scale_format, 0));             \
            return;                                                                                \
        }                                                                                          \
        for (stn_size stn_k = 0; stn_k < stn_count; stn_k++) {                                     \
            const stn_##real stn_zero = STN_ZERO_READ_##ZEROS(real, stn_k * stn_scale_stride);     \
            const stn_##real stn_scale = STN_SCALE_##SCALES(real, scale_format,                    \
                                                            stn_k * stn_scale_stride);             \
            (void)stn_zero, (void)stn_scale;                                                       \
            stn_values[stn_k] =                                                                    \
                STN_SCALE_READ_##real(stn_read_##real##_##format(                                  \
                    STN_FETCH_##ALIGNED(name, stn_codes + stn_k * stn_stride)));                   \
        }                                                                                          \
    }
#define STN_DEFINE_LOAD(name, base, rank_, real, SCALES, ZEROS)                                    \
    STN_FN_LONG void name##_load(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),                 \
                                 stn_size stn_count,                                               \
                                 stn_##real *STN_NO_ALIAS stn_values)                              \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        STN_SCALING_##SCALES(name)                                                                 \
        while (stn_walk_next(&stn_stretch, rank_, stn_x.stn_extent, stn_x.stn_stride, stn_by)) {   \
            base##_stn_decode(stn_values, stn_x.stn_data + stn_stretch.stn_offset,                 \
                              stn_stretch.stn_stride, stn_stretch.stn_length                       \
                              STN_IF_##SCALES(, stn_x.stn_factors + stn_stretch.stn_scale_offset)  \
                              STN_IF_##ZEROS(, stn_x.stn_zeros + stn_stretch.stn_scale_offset)     \
                              STN_IF_##SCALES(, stn_stretch.stn_scale_stride));                    \
            stn_values += stn_stretch.stn_length;                                                  \
        }                                                                                          \
    }

#define STN_RULES_OF(name) (stn_rounding)name##_rounding, (stn_overflow)name##_overflow
#define STN_DEFINE_ENCODE(name, real, format, scale_format, SCALES, ZEROS, SEED, ALIGNED)          \
    STN_FN_LONG void name##_stn_encode(const stn_##real *STN_NO_ALIAS stn_values,                  \
                               STN_MEM stn_##format *STN_NO_ALIAS stn_codes,                       \
                               stn_size stn_stride, stn_size stn_count                             \
                               STN_IF_##SEED(, stn_u64 stn_seed, stn_size stn_first)               \
                               STN_IF_##SCALES(, const STN_MEM stn_##scale_format *stn_factors)    \
                               STN_IF_##ZEROS(, const STN_MEM stn_##real *stn_zeros)               \
                               STN_IF_##SCALES(, stn_size stn_scale_stride))                       \
    {                                                                                              \
        if (stn_stride == 1 STN_IF_##SCALES(&& stn_scale_stride == 0) STN_BY_RUN_##ALIGNED) {      \
            stn_write_run_##real##_##format(stn_codes, stn_values, stn_count,                      \
                                            STN_ZERO_WRITE_##ZEROS(real, 0),                       \
                                            STN_SCALE_##SCALES(real, scale_format, 0),             \
                                            STN_RULES_OF(name), STN_RUN_SEED_##SEED(0));           \
            return;                                                                                \
        }                                                                                          \
        for (stn_size stn_k = 0; stn_k < stn_count; stn_k++) {                                     \
            const stn_##real stn_zero = STN_ZERO_WRITE_##ZEROS(real, stn_k * stn_scale_stride);    \
            const stn_##real stn_scale = STN_SCALE_##SCALES(real, scale_format,                    \
                                                            stn_k * stn_scale_stride);             \
            (void)stn_zero, (void)stn_scale;                                                       \
            STN_PUT_##ALIGNED(name, stn_codes + stn_k * stn_stride,                                \
                              stn_write_##real##_##format(                                         \
                                  STN_SCALE_WRITE_##real(stn_values[stn_k]), STN_RULES_OF(name),   \
                                  STN_RUN_SEED_##SEED(stn_k * stn_stride)));                       \
        }                                                                                          \
    }
#define STN_RUN_SEED_1(place) stn_seed, (stn_u64)(stn_first + (place))
#define STN_RUN_SEED_0(place)  0, 0
/* In checked mode, a run is not stored if one of its scales is unusable. */
#ifdef STN_CHECKED
#    define STN_LOOK_AHEAD_1(name, rank_, real, scale_format)                                      \
        {                                                                                          \
            stn_walk stn_ahead = stn_stretch;                                                      \
            while (stn_walk_next(&stn_ahead, rank_, stn_x.stn_extent, stn_x.stn_stride, stn_by))   \
                for (stn_size stn_k = 0;                                                           \
                     stn_k < (stn_ahead.stn_scale_stride == 0 ? 1 : stn_ahead.stn_length);         \
                     stn_k++) {                                                                    \
                    const stn_size stn_place =                                                     \
                        stn_ahead.stn_scale_offset + stn_k * stn_ahead.stn_scale_stride;           \
                    if (!STN_HOLDS(                                                                \
                            stn_is_usable_##real(stn_read_##real##_##scale_format(                 \
                                stn_x.stn_factors[stn_place])),                                    \
                            #name, "scale number", -1, stn_place, 0))                              \
                        return;                                                                    \
                }                                                                                  \
        }
#else
#    define STN_LOOK_AHEAD_1(name, rank_, real, scale_format)
#endif
#define STN_LOOK_AHEAD_0(name, rank_, real, scale_format)
#define STN_DEFINE_STORE(name, rank_, real, scale_format, SCALES, ZEROS, SEED)                     \
    STN_FN_LONG void name##_store(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),                \
                                  stn_size stn_count,                                              \
                                  const stn_##real *STN_NO_ALIAS stn_values)                       \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        STN_SCALING_##SCALES(name)                                                                 \
        STN_LOOK_AHEAD_##SCALES(name, rank_, real, scale_format)                                   \
        while (stn_walk_next(&stn_stretch, rank_, stn_x.stn_extent, stn_x.stn_stride, stn_by)) {   \
            name##_stn_encode(stn_values, stn_x.stn_data + stn_stretch.stn_offset,                 \
                              stn_stretch.stn_stride, stn_stretch.stn_length                       \
                              STN_IF_##SEED(, stn_x.stn_seed)                                      \
                              STN_IF_##SEED(, stn_x.stn_origin + stn_stretch.stn_offset)           \
                              STN_IF_##SCALES(, stn_x.stn_factors + stn_stretch.stn_scale_offset)  \
                              STN_IF_##ZEROS(, stn_x.stn_zeros + stn_stretch.stn_scale_offset)     \
                              STN_IF_##SCALES(, stn_stretch.stn_scale_stride));                    \
            stn_values += stn_stretch.stn_length;                                                  \
        }                                                                                          \
    }
/* clang-format on */

/* One access to 16 bytes at a multiple of 16. Compilers for GPUs do not merge accesses to elements
 * of 16 bits and less. */
#if defined(STN_OPENCL)
#    define STN_LOAD_16(to, from)  (*(uint4 *)(to) = *(const STN_MEM uint4 *)(from))
#    define STN_STORE_16(to, from) (*(STN_MEM uint4 *)(to) = *(const uint4 *)(from))
#    define STN_ALIGN_16           __attribute__((__aligned__(16)))
#elif defined(__GNUC__) || defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
#    define STN_LOAD_16(to, from)  memcpy(to, __builtin_assume_aligned(from, 16), 16)
#    define STN_STORE_16(to, from) memcpy(__builtin_assume_aligned((void *)(to), 16), from, 16)
#    define STN_ALIGN_16           __attribute__((__aligned__(16)))
#else
#    define STN_LOAD_16(to, from)  memcpy(to, from, 16)
#    define STN_STORE_16(to, from) memcpy(to, from, 16)
#    define STN_ALIGN_16
#endif
/* The same for memory that is not used again soon, as a hint if the language has one. */
#if defined(__CUDA_ARCH__)
#    define STN_LOAD_16_STREAMING(to, from)  (*(uint4 *)(to) = __ldcs((const uint4 *)(from)))
#    define STN_STORE_16_STREAMING(to, from) __stcs((uint4 *)(to), *(const uint4 *)(from))
#elif defined(__clang__) && !defined(STN_OPENCL)
typedef int stn_16_bytes __attribute__((__vector_size__(16), __may_alias__));
#    define STN_LOAD_16_STREAMING(to, from)                                                        \
        (*(stn_16_bytes *)(to) = __builtin_nontemporal_load((const stn_16_bytes *)(from)))
#    define STN_STORE_16_STREAMING(to, from)                                                       \
        __builtin_nontemporal_store(*(const stn_16_bytes *)(from), (stn_16_bytes *)(to))
#elif defined(__GNUC__) && defined(__SSE2__) && !defined(STN_OPENCL)
typedef long long stn_16_bytes __attribute__((__vector_size__(16), __may_alias__));
#    define STN_LOAD_16_STREAMING(to, from) STN_LOAD_16(to, from)
#    define STN_STORE_16_STREAMING(to, from)                                                       \
        __builtin_ia32_movntdq((stn_16_bytes *)(to), *(const stn_16_bytes *)(from))
#else
#    define STN_LOAD_16_STREAMING(to, from)  STN_LOAD_16(to, from)
#    define STN_STORE_16_STREAMING(to, from) STN_STORE_16(to, from)
#endif
/* The elements from (i0, ...) on form a vector inside the accessor; otherwise the function returns.
 */
#define STN_VECTOR_OFFSET(name, rank_)                                                             \
    const stn_size stn_first_index[rank_] = {STN_EACH_##rank_(STN_LIST_INDEX, name)};              \
    const stn_size stn_offset = name##_offset(stn_x STN_EACH_##rank_(STN_ARGUMENT, name));         \
    (void)stn_first_index;                                                                         \
    if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)) ||                                             \
        !STN_HOLDS(name##_vector <= stn_count_left(rank_, stn_x.stn_extent, stn_first_index),      \
                   #name, "vector", rank_ - 1, name##_vector, stn_x.stn_extent[rank_ - 1]) ||      \
        !STN_HOLDS(((size_t)(stn_x.stn_data + stn_offset) & 15) == 0, #name, "alignment",          \
                   rank_ - 1, stn_offset, 16))                                                     \
        return;
/* clang-format off */
#define STN_DEFINE_LOAD_VECTOR(name, rank_, real, format, scale_format, SCALES, ZEROS)             \
    enum {                                                                                         \
        name##_vector = 16 / (sizeof(stn_##format) & (0 - sizeof(stn_##format))),                  \
        name##_stn_accesses = name##_vector * sizeof(stn_##format) / 16                                \
    };                                                                                             \
    STN_DEFINE_LOAD_BY(name##_load_vector, STN_LOAD_16, name, rank_, real, format, scale_format,   \
                       SCALES, ZEROS)                                                              \
    STN_DEFINE_LOAD_BY(name##_load_vector_streaming, STN_LOAD_16_STREAMING, name, rank_, real,     \
                       format, scale_format, SCALES, ZEROS)
#define STN_DEFINE_LOAD_BY(function, LOAD, name, rank_, real, format, scale_format, SCALES, ZEROS) \
    STN_FN void function(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),                         \
                         stn_##real *STN_NO_ALIAS stn_values)                                      \
    {                                                                                              \
        STN_VECTOR_OFFSET(name, rank_)                                                             \
        {                                                                                          \
            STN_ALIGN_16 stn_##format stn_codes[name##_vector];                                    \
            STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                           \
            for (int stn_k = 0; stn_k < name##_stn_accesses; stn_k++)                                  \
                LOAD((char *)stn_codes + 16 * stn_k,                                               \
                     (const STN_MEM char *)(stn_x.stn_data + stn_offset) + 16 * stn_k);            \
            for (int stn_k = 0; stn_k < name##_vector; stn_k++)                                    \
                stn_values[stn_k] = STN_FROM_CODE(stn_codes[stn_k], real, format, SCALES, ZEROS);  \
        }                                                                                          \
    }
#define STN_DEFINE_STORE_VECTOR(name, rank_, real, format, scale_format, SCALES, ZEROS, SEED)      \
    STN_DEFINE_STORE_BY(name##_store_vector, STN_STORE_16, name, rank_, real, format,              \
                        scale_format, SCALES, ZEROS, SEED)                                         \
    STN_DEFINE_STORE_BY(name##_store_vector_streaming, STN_STORE_16_STREAMING, name, rank_, real,  \
                        format, scale_format, SCALES, ZEROS, SEED)
#define STN_DEFINE_STORE_BY(function, STORE, name, rank_, real, format, scale_format, SCALES,      \
                            ZEROS, SEED)                                                           \
    STN_FN void function(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),                         \
                         const stn_##real *STN_NO_ALIAS stn_values)                                \
    {                                                                                              \
        STN_VECTOR_OFFSET(name, rank_)                                                             \
        {                                                                                          \
            STN_ALIGN_16 stn_##format stn_codes[name##_vector];                                    \
            STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                           \
            STN_IF_##SCALES(if (!STN_HOLDS(stn_is_usable_##real(stn_scale), #name, "scale number", \
                                           -1, stn_place, 0)) return;)                             \
            for (int stn_k = 0; stn_k < name##_vector; stn_k++)                                    \
                stn_codes[stn_k] = STN_TO_CODE(name, stn_values[stn_k], real, format,              \
                                               STN_SEED_##SEED(stn_offset + stn_k), SCALES, ZEROS);\
            for (int stn_k = 0; stn_k < name##_stn_accesses; stn_k++)                                  \
                STORE((STN_MEM char *)(stn_x.stn_data + stn_offset) + 16 * stn_k,                  \
                      (const char *)stn_codes + 16 * stn_k);                                       \
        }                                                                                          \
    }
/* clang-format on */

#endif
