/* Elements by functions of the user's. */
#ifndef STENO_ACCESSOR_CUSTOM_H
#define STENO_ACCESSOR_CUSTOM_H

#include "steno/detail/accessor/element.h"
#include "steno/detail/accessor/transfer.h"

#define STN_DEFINE_CUSTOM_READS(name, element, rank_, real, load)                                  \
    STN_FN stn_##real name##_get(name x STN_EACH_##rank_(STN_PARAMETER, name))                     \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        return load(x.data, x.origin + name##_offset(x STN_EACH_##rank_(STN_ARGUMENT, name)),      \
                    x.context);                                                                    \
    }                                                                                              \
    STN_FN_LONG void name##_load(name x STN_EACH_##rank_(STN_PARAMETER, name), stn_size count,     \
                                 stn_##real *STN_NO_ALIAS values)                                  \
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
                                  const stn_##real *STN_NO_ALIAS values)                           \
    {                                                                                              \
        STN_WALK_START(name, rank_)                                                                \
        while (stn_walk_next(&walk, rank_, x.extent, x.stride, 0)) {                               \
            const stn_size first = x.origin + walk.offset, stride = walk.stride;                   \
            for (stn_size k = 0; k < walk.length; k++)                                             \
                store(x.data, first + k * stride, values[k], x.context);                           \
            values += walk.length;                                                                 \
        }                                                                                          \
    }

#endif
