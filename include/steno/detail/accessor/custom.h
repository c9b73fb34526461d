/* Accessors whose elements are read and written by functions of the program. */
#ifndef STENO_ACCESSOR_CUSTOM_H
#define STENO_ACCESSOR_CUSTOM_H

#include "steno/detail/accessor/element.h"
#include "steno/detail/accessor/transfer.h"

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

#endif
