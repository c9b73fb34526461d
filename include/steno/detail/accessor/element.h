/* Access to one element: NAME_get, NAME_set, NAME_add and so on. */
#ifndef STENO_ACCESSOR_ELEMENT_H
#define STENO_ACCESSOR_ELEMENT_H

#include "steno/detail/accessor/parts.h"
#include "steno/detail/accessor/value.h"

/* The value of a code and the code of a value, with scale and zero point. */
#define STN_FROM_CODE(code, real, format, SCALES, ZEROS)                                           \
    ((stn_read_##real##_##format(code) STN_IF_##ZEROS(-stn_zero))STN_IF_##SCALES(*stn_scale))
#define STN_TO_CODE(name, value, real, format, SEED_AND_INDEX, SCALES, ZEROS)                      \
    stn_write_##real##_##format((value)STN_IF_##SCALES(/ stn_scale) STN_IF_##ZEROS(+stn_zero),     \
                                (stn_rounding)name##_rounding, (stn_overflow)name##_overflow,      \
                                SEED_AND_INDEX)
#define STN_SEED_1(place) stn_x.stn_seed, (stn_u64)(stn_x.stn_origin + (place))
#define STN_SEED_0(place) 0, 0

/* Elements with a larger alignment than their parts are read and stored as a whole. nvcc would read
 * members of a struct separately. */
#if defined(STN_OPENCL) || defined(__GNUC__) || defined(__CUDACC__) || defined(__CUDACC_RTC__) ||  \
    defined(__HIPCC_RTC__)
#    define STN_ALIGN_TO(bytes) __attribute__((__aligned__(bytes)))
#else
#    define STN_ALIGN_TO(bytes)
#endif
#define STN_DEFINE_WHOLE(name, format, bytes)                                                      \
    typedef struct STN_ALIGN_TO(bytes) name##_stn_whole {                                          \
        stn_##format stn_code;                                                                     \
    } name##_stn_whole;                                                                            \
    STN_FN stn_##format name##_stn_fetch(const STN_MEM stn_##format *stn_from)                     \
    {                                                                                              \
        const name##_stn_whole stn_x = *(const STN_MEM name##_stn_whole *)stn_from;                \
        return stn_x.stn_code;                                                                     \
    }                                                                                              \
    STN_FN void name##_stn_put(STN_MEM stn_##format *stn_to, stn_##format stn_code)                \
    {                                                                                              \
        name##_stn_whole stn_x;                                                                    \
        stn_x.stn_code = stn_code;                                                                 \
        *(STN_MEM name##_stn_whole *)stn_to = stn_x;                                               \
    }
#define STN_FETCH_0(name, from)     (*(from))
#define STN_FETCH_1(name, from)     name##_stn_fetch(from)
#define STN_PUT_0(name, to, stored) (*(to) = (stored))
#define STN_PUT_1(name, to, stored) name##_stn_put(to, stored)

/* clang-format off */
/* Scale and zero point of element (i0, ...). */
#define STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                               \
    STN_IF_##SCALES(const stn_size stn_place =                                                     \
                        name##_stn_scale_offset(stn_x STN_EACH_##rank_(STN_ARGUMENT, name));       \
                    const stn_##real stn_scale =                                                   \
                        stn_read_##real##_##scale_format(stn_x.stn_factors[stn_place]);)           \
    STN_IF_##ZEROS(const stn_##real stn_zero = stn_x.stn_zeros[stn_place];)

#define STN_DEFINE_GET(name, base, rank_, real, format, scale_format, SCALES, ZEROS, ALIGNED)      \
    STN_FN stn_##real name##_get(name stn_x STN_EACH_##rank_(STN_PARAMETER, name))                 \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        {                                                                                          \
            STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                           \
            const stn_size stn_offset = name##_offset(stn_x STN_EACH_##rank_(STN_ARGUMENT, name)); \
            return STN_FROM_CODE(STN_FETCH_##ALIGNED(base, stn_x.stn_data + stn_offset), real,     \
                                 format, SCALES, ZEROS);                                           \
        }                                                                                          \
    }

#define STN_DEFINE_SET(name, rank_, real, format, scale_format, SCALES, ZEROS, SEED, ALIGNED)      \
    STN_FN stn_##real name##_set(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),                 \
                                 stn_##real stn_value)                                             \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        {                                                                                          \
            const stn_size stn_offset = name##_offset(stn_x STN_EACH_##rank_(STN_ARGUMENT, name)); \
            STN_SCALE_OF(name, rank_, real, scale_format, SCALES, ZEROS)                           \
            const stn_##format stn_code =                                                          \
                STN_TO_CODE(name, stn_value, real, format, STN_SEED_##SEED(stn_offset), SCALES,    \
                            ZEROS);                                                                \
            STN_IF_##SCALES(if (!STN_HOLDS(stn_is_usable_##real(stn_scale), #name, "scale number", \
                                           -1, stn_place, 0)) return 0;)                           \
            STN_PUT_##ALIGNED(name, stn_x.stn_data + stn_offset,                                   \
                              stn_storing_##real##_##format(stn_code));                            \
            return STN_FROM_CODE(stn_stored_##real##_##format(stn_code), real, format, SCALES,     \
                                 ZEROS);                                                           \
        }                                                                                          \
    }                                                                                              \
    STN_DEFINE_UPDATES(name, rank_, real)
/* clang-format on */

#define STN_DEFINE_UPDATES(name, rank_, real)                                                      \
    STN_DEFINE_UPDATE(name, rank_, real, add)                                                      \
    STN_DEFINE_UPDATE(name, rank_, real, subtract)                                                 \
    STN_DEFINE_UPDATE(name, rank_, real, multiply)                                                 \
    STN_DEFINE_UPDATE(name, rank_, real, divide)
#define STN_DEFINE_UPDATE(name, rank_, real, operation)                                            \
    STN_FN stn_##real name##_##operation(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),         \
                                         stn_##real stn_value)                                     \
    {                                                                                              \
        return name##_set(stn_x STN_EACH_##rank_(STN_ARGUMENT, name),                              \
                          stn_##real##_##operation(                                                \
                              name##_get(stn_x STN_EACH_##rank_(STN_ARGUMENT, name)), stn_value)); \
    }

#define STN_DEFINE_ADDRESS(name, element, rank_)                                                   \
    STN_FN STN_MEM element *name##_address(name stn_x STN_EACH_##rank_(STN_PARAMETER, name))       \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return 0;                                                                              \
        return stn_x.stn_data + name##_offset(stn_x STN_EACH_##rank_(STN_ARGUMENT, name));         \
    }

/* clang-format off */
#define STN_DEFINE_NO_SET(name, rank_, real)                                                       \
    STN_DEFINE_NO_UPDATE(name, rank_, real, set)                                                   \
    STN_DEFINE_NO_UPDATE(name, rank_, real, add)                                                   \
    STN_DEFINE_NO_UPDATE(name, rank_, real, subtract)                                              \
    STN_DEFINE_NO_UPDATE(name, rank_, real, multiply)                                              \
    STN_DEFINE_NO_UPDATE(name, rank_, real, divide)                                                \
    STN_UNAVAILABLE(void, name##_store, #name " is read-only",                                     \
                    name STN_EACH_##rank_(STN_PARAMETER, name), stn_size, const stn_##real *)      \
    STN_UNAVAILABLE(void, name##_store_vector, #name " is read-only",                              \
                    name STN_EACH_##rank_(STN_PARAMETER, name), const stn_##real *)                \
    STN_UNAVAILABLE(void, name##_store_vector_streaming, #name " is read-only",                    \
                    name STN_EACH_##rank_(STN_PARAMETER, name), const stn_##real *)
#define STN_DEFINE_NO_UPDATE(name, rank_, real, operation)                                         \
    STN_UNAVAILABLE(stn_##real, name##_##operation, #name " is read-only",                         \
                    name STN_EACH_##rank_(STN_PARAMETER, name), stn_##real)
/* clang-format on */

#endif
