/* Scales that let values fit a format, one for each slot: the elements that share a scale. */
#ifndef STENO_ACCESSOR_FIT_H
#define STENO_ACCESSOR_FIT_H

#include "steno/detail/accessor/index.h"
#include "steno/detail/accessor/value.h"

/* ---- slots ---- */

/* The box of elements that share one scale, and that scale's index per dimension. */
typedef struct stn_scale_slot {
    stn_size place[8], begin[8], end[8];
    stn_size block[8], phase[8], count[8]; /* elements per scale, where index 0 is, scales */
    int started;
} stn_scale_slot;

/* Scales along a selected dimension of this extent. */
STN_FN stn_size stn_scale_extent(stn_size block, stn_size phase, stn_size extent)
{
    return extent > 0 ? (phase + extent + block - 1) / block : 0;
}

STN_FN_LONG void stn_scale_slot_start(stn_scale_slot *slot, int rank, unsigned mask, stn_size block,
                                      stn_size phase, const stn_size *extent)
{
    int seen = 0;
    for (int d = rank - 1; d >= 0; d--) {
        const int selects = (int)(mask >> (rank - 1 - d) & 1);
        slot->block[d] = !selects ? (extent[d] > 0 ? extent[d] : 1) : seen ? 1 : block;
        slot->phase[d] = selects && !seen ? phase : 0;
        slot->count[d] = stn_scale_extent(slot->block[d], slot->phase[d], extent[d]);
        slot->place[d] = 0;
        seen |= selects;
    }
    slot->started = 0;
}

/* Make the next slot in C order the current one; 0 when none is left. */
STN_FN_LONG int stn_scale_slot_next(stn_scale_slot *slot, int rank, const stn_size *extent)
{
    if (!slot->started) {
        slot->started = 1;
        for (int d = 0; d < rank; d++)
            if (slot->count[d] == 0)
                return 0;
    } else {
        int d = rank - 1;
        while (d >= 0 && ++slot->place[d] == slot->count[d])
            slot->place[d--] = 0;
        if (d < 0)
            return 0;
    }
    for (int d = 0; d < rank; d++) {
        const stn_size begin = slot->place[d] * slot->block[d] - slot->phase[d];
        slot->begin[d] = begin > 0 ? begin : 0;
        slot->end[d] = begin + slot->block[d] < extent[d] ? begin + slot->block[d] : extent[d];
    }
    return 1;
}

STN_FN_LONG stn_size stn_scale_slot_offset(const stn_scale_slot *slot, int rank,
                                           const stn_size *scale_stride)
{
    stn_size offset = 0;
    for (int d = 0; d < rank; d++)
        offset += slot->place[d] * scale_stride[d];
    return offset;
}

STN_FN stn_size stn_count_scales(int rank, unsigned mask, stn_size block, stn_size phase,
                                 const stn_size *extent)
{
    stn_scale_slot slot;
    stn_scale_slot_start(&slot, rank, mask, block, phase, extent);
    return stn_count_elements(rank, slot.count);
}

/* ---- scales, in f64 and f32 ---- */

/* stn_scale_slot_reach_f64: the largest magnitudes above and below zero among a slot's elements of
 * `values`, a dense array of all of them in C order; NaN and infinities are passed over.
 * stn_fit_f64: the least scale with which a magnitude does not exceed `limit`, a power of two
 * unless `exact`; 0 for 0 and where no scale does, and never below the smallest normal number. */
#define STN_FIT(real, uint, one, fraction_bits, infinity, least)                                   \
    typedef struct stn_reach_##real {                                                              \
        stn_##real stn_above, stn_below;                                                           \
    } stn_reach_##real;                                                                            \
    STN_FN_LONG stn_reach_##real stn_scale_slot_reach_##real(                                      \
        const stn_scale_slot *slot, int rank, const stn_size *extent, const stn_##real *values)    \
    {                                                                                              \
        stn_reach_##real found;                                                                    \
        stn_size at[8];                                                                            \
        int d;                                                                                     \
        found.stn_above = found.stn_below = 0;                                                     \
        for (d = 0; d < rank; d++)                                                                 \
            at[d] = slot->begin[d];                                                                \
        do {                                                                                       \
            stn_size first = 0;                                                                    \
            for (d = 0; d < rank; d++)                                                             \
                first = first * extent[d] + at[d];                                                 \
            for (stn_size k = 0; k < slot->end[rank - 1] - at[rank - 1]; k++) {                    \
                const stn_##real value = values[first + k];                                        \
                if ((stn_bits_of_##real(value) & ~(one << (sizeof(uint) * 8 - 1))) >= infinity)    \
                    continue;                                                                      \
                found.stn_above = value > found.stn_above ? value : found.stn_above;               \
                found.stn_below = -value > found.stn_below ? -value : found.stn_below;             \
            }                                                                                      \
            for (d = rank - 2; d >= 0 && ++at[d] == slot->end[d]; d--)                             \
                at[d] = slot->begin[d];                                                            \
        } while (d >= 0);                                                                          \
        return found;                                                                              \
    }                                                                                              \
    STN_FN stn_##real stn_power_above_##real(stn_##real x)                                         \
    {                                                                                              \
        const uint bits = stn_bits_of_##real(x), cut = bits >> fraction_bits << fraction_bits;     \
        return stn_##real##_of_bits(bits == cut ? bits : cut + (one << fraction_bits));            \
    }                                                                                              \
    STN_FN_LONG stn_##real stn_fit_##real(stn_##real magnitude, stn_##real limit, int exact)       \
    {                                                                                              \
        stn_##real scale = magnitude / limit;                                                      \
        if (magnitude == 0 || !(limit > 0))                                                        \
            return 0;                                                                              \
        if (!(scale >= stn_##real##_of_bits(least)))                                               \
            scale = stn_##real##_of_bits(least);                                                   \
        if (!exact)                                                                                \
            scale = stn_power_above_##real(scale);                                                 \
        while (magnitude / scale > limit)                                                          \
            scale = exact ? stn_##real##_of_bits(stn_bits_of_##real(scale) + 1) : 2 * scale;       \
        return scale;                                                                              \
    }                                                                                              \
    STN_FN int stn_is_usable_##real(stn_##real scale)                                              \
    {                                                                                              \
        const uint magnitude = stn_bits_of_##real(scale) & ~(one << (sizeof(uint) * 8 - 1));       \
        return magnitude != 0 && magnitude < infinity;                                             \
    }

STN_FIT(f32, stn_u32, (stn_u32)1, 23, 0x7f800000u, 0x00800000u)
STN_IF_DOUBLE(STN_FIT(f64, stn_u64, (stn_u64)1, 52, 0x7ff0000000000000u, 0x0010000000000000u))

/* ---- the range of a format, as far as the arithmetic's numbers reach ---- */

#define STN_RANGE_FLOAT(real, name)                                                                \
    STN_FN stn_##real stn_highest_##real##_##name(void)                                            \
    {                                                                                              \
        const stn_float_kind kind = stn_##name##_kind(), top = stn_##real##_kind();                \
        const stn_u64 all = ((stn_u64)1 << (kind.exponent_bits + kind.fraction_bits)) - 1;         \
        const stn_u64 largest =                                                                    \
            kind.finite_only ? all - 1 : (all >> kind.fraction_bits << kind.fraction_bits) - 1;    \
        unsigned events = 0;                                                                       \
        return stn_##real##_of_code(stn_float_encode(stn_float_decode(largest, kind), top,         \
                                                     STN_ROUND_NEAREST, STN_OVERFLOW_SATURATE, 0,  \
                                                     &events));                                    \
    }                                                                                              \
    STN_FN stn_##real stn_step_##real##_##name(void) /* of numbers from 1 on, but for a quarter */ \
    {                                                                                              \
        return (stn_##real)0.75f / (stn_##real)((stn_u64)1 << stn_##name##_kind().fraction_bits);  \
    }                                                                                              \
    STN_FN stn_##real stn_lowest_##real##_##name(void)                                             \
    {                                                                                              \
        return -stn_highest_##real##_##name();                                                     \
    }                                                                                              \
    STN_FN stn_##real stn_least_##real##_##name(void)                                              \
    {                                                                                              \
        unsigned events = 0;                                                                       \
        return stn_##real##_of_code(stn_float_encode(stn_float_decode(1, stn_##name##_kind()),     \
                                                     stn_##real##_kind(), STN_ROUND_NEAREST,       \
                                                     STN_OVERFLOW_SATURATE, 0, &events));          \
    }
#define STN_RANGE_INTEGER(real, name, bits, is_signed)                                             \
    STN_FN stn_##real stn_highest_##real##_##name(void)                                            \
    {                                                                                              \
        const int size = bits - is_signed, digits = stn_##real##_kind().fraction_bits + 1;         \
        const stn_u64 all = ~(stn_u64)0 >> (64 - size);                                            \
        return (stn_##real)(size <= digits ? all : all >> (size - digits) << (size - digits));     \
    }                                                                                              \
    STN_FN stn_##real stn_lowest_##real##_##name(void)                                             \
    {                                                                                              \
        return is_signed ? -(stn_##real)((stn_u64)1 << (bits - 1)) : 0;                            \
    }
#define STN_RANGE_FLOAT_ROW(id, NAME, name, ...)                                                   \
    STN_RANGE_FLOAT(f32, name) STN_IF_DOUBLE(STN_RANGE_FLOAT(f64, name))
#define STN_RANGE_INTEGER_ROW(id, NAME, name, bits, is_signed)                                     \
    STN_RANGE_INTEGER(f32, name, bits, is_signed)                                                  \
    STN_IF_DOUBLE(STN_RANGE_INTEGER(f64, name, bits, is_signed))

STN_FN float stn_f32_of_code(stn_u64 code)
{
    return stn_f32_of_bits((stn_u32)code);
}
#ifdef STN_HAVE_DOUBLE
STN_FN double stn_f64_of_code(stn_u64 code)
{
    return stn_f64_of_bits(code);
}
#endif

STN_FORMAT_TABLE(STN_RANGE_FLOAT_ROW, STN_RANGE_INTEGER_ROW, STN_NO_VALUE)

#endif
