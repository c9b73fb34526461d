/* Conversion of pointers to types of compilers and vendors to types of the library with the same
 * bits. */
#ifndef STENO_ACCESSOR_POINTER_H
#define STENO_ACCESSOR_POINTER_H

#include "steno/detail/accessor/parts.h"
#include "steno/detail/accessor/value.h"

#if defined(__FLT16_MANT_DIG__) && !defined(__CUDACC__) && !defined(STN_OPENCL)
__extension__ typedef _Float16 stn_float16;
#endif

#if defined(__cplusplus)
struct __half; /* CUDA's and HIP's headers may be included before, after or not at all */
struct __nv_bfloat16;
struct __hip_bfloat16;
template <class number_> struct stn_like;
#    define STN_NUMBER(number, name)                                                               \
        template <> struct stn_like<number> {                                                      \
            typedef stn_##name stn_type;                                                           \
            enum { stn_is_format = stn_id_##name };                                                \
        };
#    define STN_NUMBER_ROW(id, NAME, name, ...) STN_NUMBER(stn_##name, name)
STN_FORMAT_TABLE(STN_NUMBER_ROW, STN_NUMBER_ROW, STN_NUMBER_ROW)
STN_NUMBER(__half, f16)
STN_NUMBER(__nv_bfloat16, bf16)
STN_NUMBER(__hip_bfloat16, bf16)
#    if defined(__FLT16_MANT_DIG__) && !defined(__CUDACC__)
STN_NUMBER(stn_float16, f16)
#    endif
template <class number_> STN_FN typename stn_like<number_>::stn_type *stn_codes_of(number_ *p_)
{
    return reinterpret_cast<typename stn_like<number_>::stn_type *>(p_);
}
template <class number_>
STN_FN const typename stn_like<number_>::stn_type *stn_codes_of(const number_ *p_)
{
    return reinterpret_cast<const typename stn_like<number_>::stn_type *>(p_);
}
template <class pointer_> struct stn_points_to;
template <class number_> struct stn_points_to<number_ *> : stn_like<number_> {
};
template <class number_> struct stn_points_to<const number_ *> : stn_like<number_> {
};
#    define STN_CODES_OF(p)  stn_codes_of(p)
#    define STN_FORMAT_OF(p) ((int)stn_points_to<decltype(&*(p))>::stn_is_format)
#    undef STN_NUMBER_ROW
#    undef STN_NUMBER

#elif !defined(STN_OPENCL)
#    define STN_NUMBER_ROW(id, NAME, name, ...)                                                    \
        STN_FN stn_##name *stn_codes_of_##name(void *p_) { return (stn_##name *)p_; }              \
        STN_FN const stn_##name *stn_codes_of_const_##name(const void *p_)                         \
        {                                                                                          \
            return (const stn_##name *)p_;                                                         \
        }
STN_FORMAT_TABLE(STN_NUMBER_ROW, STN_NUMBER_ROW, STN_NUMBER_ROW)
#    undef STN_NUMBER_ROW
#    define STN_CODES_BY(number, name)                                                             \
        , number * : stn_codes_of_##name, const number * : stn_codes_of_const_##name

#    define STN_ID_BY(type, name) , type * : stn_id_##name, const type * : stn_id_##name

#    define STN_CODES_ROW(id, NAME, name, ...) STN_CODES_BY(stn_##name, name)
#    define STN_ID_ROW(id, NAME, name, ...)    STN_ID_BY(stn_##name, name)
#    if defined(__FLT16_MANT_DIG__)
#        define STN_FLOAT16_BY(BY) BY(stn_float16, f16)
#    else
#        define STN_FLOAT16_BY(BY)
#    endif
#    define STN_CODES_OF(p)                                                                        \
        _Generic((p)STN_FORMAT_TABLE(STN_CODES_ROW, STN_CODES_ROW, STN_CODES_ROW)                  \
                     STN_FLOAT16_BY(STN_CODES_BY))(p)
#    define STN_FORMAT_OF(p)                                                                       \
        ((int)_Generic((p)STN_FORMAT_TABLE(STN_ID_ROW, STN_ID_ROW, STN_ID_ROW)                     \
                           STN_FLOAT16_BY(STN_ID_BY)))
#endif

#endif
