/* Scales of an accessor, read, written and fitted. */
#ifndef STENO_ACCESSOR_SCALE_H
#define STENO_ACCESSOR_SCALE_H

#include "steno/detail/accessor/element.h"
#include "steno/detail/accessor/fit.h"
#include "steno/detail/accessor/parts.h"

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
        stn_size offset = 0; /* STN_SPAN_END where there is no scale */                            \
        for (int d = 0; d < rank_; d++)                                                            \
            if (name##_scale_mask >> (rank_ - 1 - d) & 1) {                                        \
                const stn_size extent =                                                            \
                    stn_scale_extent(d == name##_scale_dimension ? name##_scale_block : 1,         \
                                     d == name##_scale_dimension ? x.phase : 0, x.extent[d]);      \
                if (!STN_HOLDS(*indices >= 0 && *indices < extent, #name, "scale index", d,        \
                               *indices, extent))                                                  \
                    return STN_SPAN_END;                                                           \
                offset += *indices++ * x.scale_stride[d];                                          \
            }                                                                                      \
        return offset;                                                                             \
    }                                                                                              \
    STN_FN stn_##real name##_scale_direct(name x, const stn_size *indices)                         \
    {                                                                                              \
        const stn_size offset = name##_direct_offset(x, indices);                                  \
        return offset == STN_SPAN_END ? stn_zero_##real()                                          \
                                      : stn_read_##real##_##scale_format(x.scales[offset]);        \
    }

#define STN_DEFINE_SET_SCALES(name, rank_, real, format, scale_format, ZEROS)                      \
    STN_FN stn_##real name##_put_scale(name x, stn_size offset, stn_##real value)                  \
    {                                                                                              \
        if (!STN_HOLDS(stn_is_usable_##real(value), #name, "scale number", -1, offset, 0))         \
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
        return offset == STN_SPAN_END ? stn_zero_##real() : name##_put_scale(x, offset, value);    \
    }                                                                                              \
    /* The least scale of the format that is not below `needed`; 0 when there is none. From what   \
     * is nearest, by steps that are not lost in rounding and leave no number out. */              \
    STN_FN_LONG int name##_raise_scale(name x, stn_size place, stn_##real needed)                  \
    {                                                                                              \
        const stn_##real relative =                                                                \
            (stn_##real)0.75f /                                                                    \
            (stn_##real)((stn_u64)1 << stn_##scale_format##_kind().fraction_bits);                 \
        const stn_##real least = (stn_##real)0.75f * stn_least_##real##_##scale_format();          \
        stn_##real candidate = needed > 0 ? needed : 1, got = candidate;                           \
        for (int tries = 0;; tries++) {                                                            \
            x.scales[place] = stn_write_##real##_##scale_format(candidate, STN_ROUND_NEAREST,      \
                                                                STN_OVERFLOW_SATURATE, 0, 0);      \
            got = stn_read_##real##_##scale_format(x.scales[place]);                               \
            if (got >= needed && got > 0)                                                          \
                return 1;                                                                          \
            if (!(got < stn_highest_##real##_##scale_format()))                                    \
                return 0;                                                                          \
            candidate = tries == 0 && got > 0 ? got : candidate;                                   \
            candidate += got == 0                       ? candidate                                \
                         : candidate * relative > least ? candidate * relative                     \
                                                        : least;                                   \
        }                                                                                          \
    }                                                                                              \
    STN_FN_LONG stn_size name##_fit_scales(name x, const stn_##real *values, int exact)            \
    {                                                                                              \
        stn_scale_slot slot;                                                                       \
        stn_size unfit = 0;                                                                        \
        stn_scale_slot_start(&slot, rank_, name##_scale_mask, name##_scale_block, x.phase,         \
                             x.extent);                                                            \
        while (stn_scale_slot_next(&slot, rank_, x.extent)) {                                      \
            const stn_size place = stn_scale_slot_offset(&slot, rank_, x.scale_stride);            \
            const stn_reach_##real reach =                                                         \
                stn_scale_slot_reach_##real(&slot, rank_, x.extent, values);                       \
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
/* clang-format off */
#define STN_DEFINE_NO_SET_SCALES(name, rank_, real)                                                \
    STN_DEFINE_NO_UPDATE(name, rank_, real, set_scale)                                             \
    STN_UNAVAILABLE(stn_##real, name##_set_scale_direct, #name " is read-only", name,              \
                    const stn_size *, stn_##real)                                                  \
    STN_UNAVAILABLE(stn_size, name##_fit_scales, #name " is read-only", name, const stn_##real *,  \
                    int)
/* clang-format on */
#define STN_ZERO_POINT_YES(place) x.zeros[place]
#define STN_ZERO_POINT_NO(place)  0

#endif
