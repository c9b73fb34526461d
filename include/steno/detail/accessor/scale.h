/* Access to the scales of an accessor, and scales that fit values. */
#ifndef STENO_ACCESSOR_SCALE_H
#define STENO_ACCESSOR_SCALE_H

#include "steno/detail/accessor/element.h"
#include "steno/detail/accessor/fit.h"
#include "steno/detail/accessor/parts.h"

#define STN_DEFINE_SCALES(name, rank_, real, scale_type, scale_format)                             \
    STN_FN stn_size name##_stn_scale_offset(name stn_x STN_EACH_##rank_(STN_PARAMETER, name))      \
    {                                                                                              \
        (void)stn_x;                                                                               \
        return 0 STN_EACH_##rank_(STN_ADD_SCALE_OFFSET, name);                                     \
    }                                                                                              \
    STN_FN stn_##real name##_scale(name stn_x STN_EACH_##rank_(STN_PARAMETER, name))               \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        return stn_read_##real##_##scale_format(stn_x.stn_factors[name##_stn_scale_offset(         \
            stn_x STN_EACH_##rank_(STN_ARGUMENT, name))]);                                         \
    }                                                                                              \
    STN_FN stn_size name##_scale_stride(name stn_x, int stn_d)                                     \
    {                                                                                              \
        return stn_d >= 0 && stn_d < rank_ ? stn_x.stn_scale_stride[stn_d] : 0;                    \
    }                                                                                              \
    STN_FN STN_MEM scale_type *name##_scales(name stn_x) { return stn_x.stn_factors; }             \
    STN_FN stn_size name##_scale_count(name stn_x)                                                 \
    {                                                                                              \
        return stn_count_scales(rank_, name##_scale_mask, name##_scale_block, stn_x.stn_phase,     \
                                stn_x.stn_extent);                                                 \
    }                                                                                              \
    STN_FN stn_size name##_stn_direct_offset(name stn_x, const stn_size *stn_indices)              \
    {                                                                                              \
        stn_size stn_offset = 0; /* STN_SPAN_END without scale */                                  \
        for (int stn_d = 0; stn_d < rank_; stn_d++)                                                \
            if (name##_scale_mask >> (rank_ - 1 - stn_d) & 1) {                                    \
                const stn_size stn_extent =                                                        \
                    stn_scale_extent(stn_d == name##_scale_dimension ? name##_scale_block : 1,     \
                                     stn_d == name##_scale_dimension ? stn_x.stn_phase : 0,        \
                                     stn_x.stn_extent[stn_d]);                                     \
                if (!STN_HOLDS(*stn_indices >= 0 && *stn_indices < stn_extent, #name,              \
                               "scale index", stn_d, *stn_indices, stn_extent))                    \
                    return STN_SPAN_END;                                                           \
                stn_offset += *stn_indices++ * stn_x.stn_scale_stride[stn_d];                      \
            }                                                                                      \
        return stn_offset;                                                                         \
    }                                                                                              \
    STN_FN stn_##real name##_scale_direct(name stn_x, const stn_size *stn_indices)                 \
    {                                                                                              \
        const stn_size stn_offset = name##_stn_direct_offset(stn_x, stn_indices);                  \
        return stn_offset == STN_SPAN_END                                                          \
                   ? stn_zero_##real()                                                             \
                   : stn_read_##real##_##scale_format(stn_x.stn_factors[stn_offset]);              \
    }

#define STN_DEFINE_SET_SCALES(name, rank_, real, format, scale_format, ZEROS)                      \
    STN_FN stn_##real name##_stn_put_scale(name stn_x, stn_size stn_offset, stn_##real stn_value)  \
    {                                                                                              \
        if (!STN_HOLDS(stn_is_usable_##real(stn_value), #name, "scale number", -1, stn_offset, 0)) \
            return stn_zero_##real();                                                              \
        stn_x.stn_factors[stn_offset] = stn_write_##real##_##scale_format(                         \
            stn_value, STN_ROUND_NEAREST, STN_OVERFLOW_DEFAULT, 0, 0);                             \
        return stn_read_##real##_##scale_format(stn_x.stn_factors[stn_offset]);                    \
    }                                                                                              \
    STN_FN stn_##real name##_set_scale(name stn_x STN_EACH_##rank_(STN_PARAMETER, name),           \
                                       stn_##real stn_value)                                       \
    {                                                                                              \
        if (!(1 STN_EACH_##rank_(STN_AND_INSIDE, name)))                                           \
            return stn_zero_##real();                                                              \
        return name##_stn_put_scale(                                                               \
            stn_x, name##_stn_scale_offset(stn_x STN_EACH_##rank_(STN_ARGUMENT, name)),            \
            stn_value);                                                                            \
    }                                                                                              \
    STN_FN stn_##real name##_set_scale_direct(name stn_x, const stn_size *stn_indices,             \
                                              stn_##real stn_value)                                \
    {                                                                                              \
        const stn_size stn_offset = name##_stn_direct_offset(stn_x, stn_indices);                  \
        return stn_offset == STN_SPAN_END ? stn_zero_##real()                                      \
                                          : name##_stn_put_scale(stn_x, stn_offset, stn_value);    \
    }                                                                                              \
    /* The least scale of the format that is not below `needed`; 0 when there is none. From what   \
     * is nearest, by steps that are not lost in rounding and leave no number out. */              \
    STN_FN_LONG int name##_stn_raise_scale(name stn_x, stn_size stn_place, stn_##real stn_needed)  \
    {                                                                                              \
        const stn_##real stn_relative = stn_step_##real##_##scale_format();                        \
        const stn_##real stn_least = (stn_##real)0.75f * stn_least_##real##_##scale_format();      \
        stn_##real stn_candidate = stn_needed > 0 ? stn_needed : 1, stn_got = stn_candidate;       \
        for (int stn_tries = 0;; stn_tries++) {                                                    \
            stn_x.stn_factors[stn_place] = stn_write_##real##_##scale_format(                      \
                stn_candidate, STN_ROUND_NEAREST, STN_OVERFLOW_SATURATE, 0, 0);                    \
            stn_got = stn_read_##real##_##scale_format(stn_x.stn_factors[stn_place]);              \
            if (stn_got >= stn_needed && stn_got > 0)                                              \
                return 1;                                                                          \
            if (!(stn_got < stn_highest_##real##_##scale_format()))                                \
                return 0;                                                                          \
            stn_candidate = stn_tries == 0 && stn_got > 0 ? stn_got : stn_candidate;               \
            stn_candidate += stn_got == 0 ? stn_candidate                                          \
                             : stn_candidate * stn_relative > stn_least                            \
                                 ? stn_candidate * stn_relative                                    \
                                 : stn_least;                                                      \
        }                                                                                          \
    }                                                                                              \
    STN_FN_LONG stn_size name##_fit_scales(name stn_x, const stn_##real *stn_values,               \
                                           stn_scale_choice stn_choice)                            \
    {                                                                                              \
        stn_scale_slot stn_slot;                                                                   \
        stn_size stn_unfit = 0;                                                                    \
        stn_scale_slot_start(&stn_slot, rank_, name##_scale_mask, name##_scale_block,              \
                             stn_x.stn_phase, stn_x.stn_extent);                                   \
        while (stn_scale_slot_next(&stn_slot, rank_, stn_x.stn_extent)) {                          \
            const stn_size stn_place =                                                             \
                stn_scale_slot_offset(&stn_slot, rank_, stn_x.stn_scale_stride);                   \
            const stn_reach_##real stn_reach =                                                     \
                stn_scale_slot_reach_##real(&stn_slot, rank_, stn_x.stn_extent, stn_values);       \
            const stn_##real stn_zero = STN_ZERO_POINT_##ZEROS(stn_place);                         \
            const stn_##real stn_above_limit = stn_highest_##real##_##format() - stn_zero;         \
            const stn_##real stn_below_limit = stn_zero - stn_lowest_##real##_##format();          \
            const stn_##real stn_above =                                                           \
                stn_fit_##real(stn_reach.stn_above, stn_above_limit, stn_choice);                  \
            const stn_##real stn_below =                                                           \
                stn_fit_##real(stn_reach.stn_below, stn_below_limit, stn_choice);                  \
            const int stn_raised = name##_stn_raise_scale(                                         \
                stn_x, stn_place, stn_above > stn_below ? stn_above : stn_below);                  \
            stn_unfit += !stn_raised || (stn_reach.stn_above > 0 && !(stn_above_limit > 0)) ||     \
                         (stn_reach.stn_below > 0 && !(stn_below_limit > 0));                      \
        }                                                                                          \
        return stn_unfit;                                                                          \
    }
/* clang-format off */
#define STN_DEFINE_NO_SET_SCALES(name, rank_, real)                                                \
    STN_DEFINE_NO_UPDATE(name, rank_, real, set_scale)                                             \
    STN_UNAVAILABLE(stn_##real, name##_set_scale_direct, #name " is read-only", name,              \
                    const stn_size *, stn_##real)                                                  \
    STN_UNAVAILABLE(stn_size, name##_fit_scales, #name " is read-only", name, const stn_##real *,  \
                    stn_scale_choice)
/* clang-format on */
#define STN_ZERO_POINT_1(place) stn_x.stn_zeros[place]
#define STN_ZERO_POINT_0(place) 0

#endif
