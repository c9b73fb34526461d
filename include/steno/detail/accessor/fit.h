/* Scales for which values fit in a format, one per slot. A slot is the elements that share a scale.
 */
#ifndef STENO_ACCESSOR_FIT_H
#define STENO_ACCESSOR_FIT_H

#include "steno/detail/accessor/index.h"
#include "steno/detail/accessor/value.h"

/* ---- slots ---- */

/* The range of elements that share one scale, and the index of the scale per dimension. */
typedef struct stn_scale_slot {
    stn_size place_[8], begin_[8], end_[8];
    stn_size block_[8], phase_[8],
        count_[8]; /* elements per scale, offset of index 0, number of scales */
    int started_;
} stn_scale_slot;

/* Number of scales along a selected dimension with this extent. */
STN_FN stn_size stn_scale_extent(stn_size block_, stn_size phase_, stn_size extent_)
{
    return extent_ > 0 ? (phase_ + extent_ + block_ - 1) / block_ : 0;
}

STN_FN_LONG void stn_scale_slot_start(stn_scale_slot *slot_, int rank_, unsigned mask_,
                                      stn_size block_, stn_size phase_, const stn_size *extent_)
{
    int seen_ = 0;
    for (int d_ = rank_ - 1; d_ >= 0; d_--) {
        const int selects_ = (int)(mask_ >> (rank_ - 1 - d_) & 1);
        slot_->block_[d_] = !selects_ ? (extent_[d_] > 0 ? extent_[d_] : 1) : seen_ ? 1 : block_;
        slot_->phase_[d_] = selects_ && !seen_ ? phase_ : 0;
        slot_->count_[d_] = stn_scale_extent(slot_->block_[d_], slot_->phase_[d_], extent_[d_]);
        slot_->place_[d_] = 0;
        seen_ |= selects_;
    }
    slot_->started_ = 0;
}

/* Moves to the next slot in C order. Returns 0 after the last one. */
STN_FN_LONG int stn_scale_slot_next(stn_scale_slot *slot_, int rank_, const stn_size *extent_)
{
    if (!slot_->started_) {
        slot_->started_ = 1;
        for (int d_ = 0; d_ < rank_; d_++)
            if (slot_->count_[d_] == 0)
                return 0;
    } else {
        int d_ = rank_ - 1;
        while (d_ >= 0 && ++slot_->place_[d_] == slot_->count_[d_])
            slot_->place_[d_--] = 0;
        if (d_ < 0)
            return 0;
    }
    for (int d_ = 0; d_ < rank_; d_++) {
        const stn_size begin_ = slot_->place_[d_] * slot_->block_[d_] - slot_->phase_[d_];
        slot_->begin_[d_] = begin_ > 0 ? begin_ : 0;
        slot_->end_[d_] =
            begin_ + slot_->block_[d_] < extent_[d_] ? begin_ + slot_->block_[d_] : extent_[d_];
    }
    return 1;
}

STN_FN_LONG stn_size stn_scale_slot_offset(const stn_scale_slot *slot_, int rank_,
                                           const stn_size *scale_stride_)
{
    stn_size offset_ = 0;
    for (int d_ = 0; d_ < rank_; d_++)
        offset_ += slot_->place_[d_] * scale_stride_[d_];
    return offset_;
}

STN_FN stn_size stn_count_scales(int rank_, unsigned mask_, stn_size block_, stn_size phase_,
                                 const stn_size *extent_)
{
    stn_scale_slot slot_;
    stn_scale_slot_start(&slot_, rank_, mask_, block_, phase_, extent_);
    return stn_count_elements(rank_, slot_.count_);
}

/* ---- scales, in f64 and f32 ---- */

/* stn_scale_slot_reach_f64: the largest magnitudes above and below zero among the elements of a
 * slot in `values`, a dense array in C order. NaN and infinities are ignored. stn_fit_f64: the
 * smallest scale of the chosen kind with which a magnitude does not exceed `limit`. It
 * is not less than the smallest normal number, and 0 for magnitude 0 or if no scale exists. */
#define STN_FIT(real, R, uint, one, fraction_bits, infinity, least)                                \
    typedef struct stn_reach_##real {                                                              \
        R stn_above, stn_below;                                                                    \
    } stn_reach_##real;                                                                            \
    STN_FN_LONG stn_reach_##real stn_scale_slot_reach_##real(                                      \
        const stn_scale_slot *slot_, int rank_, const stn_size *extent_, const R *values_)         \
    {                                                                                              \
        stn_reach_##real found_;                                                                   \
        stn_size at_[8];                                                                           \
        int d_;                                                                                    \
        found_.stn_above = found_.stn_below = 0;                                                   \
        for (d_ = 0; d_ < rank_; d_++)                                                             \
            at_[d_] = slot_->begin_[d_];                                                           \
        do {                                                                                       \
            stn_size first_ = 0;                                                                   \
            for (d_ = 0; d_ < rank_; d_++)                                                         \
                first_ = first_ * extent_[d_] + at_[d_];                                           \
            for (stn_size k_ = 0; k_ < slot_->end_[rank_ - 1] - at_[rank_ - 1]; k_++) {            \
                const R value_ = values_[first_ + k_];                                             \
                if ((stn_bits_of_##real(value_) & ~(one << (sizeof(uint) * 8 - 1))) >= infinity)   \
                    continue;                                                                      \
                found_.stn_above = value_ > found_.stn_above ? value_ : found_.stn_above;          \
                found_.stn_below = -value_ > found_.stn_below ? -value_ : found_.stn_below;        \
            }                                                                                      \
            for (d_ = rank_ - 2; d_ >= 0 && ++at_[d_] == slot_->end_[d_]; d_--)                    \
                at_[d_] = slot_->begin_[d_];                                                       \
        } while (d_ >= 0);                                                                         \
        return found_;                                                                             \
    }                                                                                              \
    STN_FN R stn_power_above_##real(R x_)                                                          \
    {                                                                                              \
        const uint bits_ = stn_bits_of_##real(x_), cut_ = bits_ >> fraction_bits << fraction_bits; \
        return R##_of_bits(bits_ == cut_ ? bits_ : cut_ + (one << fraction_bits));                 \
    }                                                                                              \
    STN_FN_LONG R stn_fit_##real(R magnitude_, R limit_, stn_scale_choice choice_)                 \
    {                                                                                              \
        R scale_ = magnitude_ / limit_;                                                            \
        if (magnitude_ == 0 || !(limit_ > 0))                                                      \
            return 0;                                                                              \
        if (!(scale_ >= R##_of_bits(least)))                                                       \
            scale_ = R##_of_bits(least);                                                           \
        if (choice_ == STN_SCALE_POWER_OF_TWO)                                                     \
            scale_ = stn_power_above_##real(scale_);                                               \
        while (magnitude_ / scale_ > limit_)                                                       \
            scale_ = choice_ == STN_SCALE_EXACT ? R##_of_bits(stn_bits_of_##real(scale_) + 1)      \
                                                : 2 * scale_;                                      \
        return scale_;                                                                             \
    }                                                                                              \
    STN_FN int stn_is_usable_##real(R scale_)                                                      \
    {                                                                                              \
        const uint magnitude_ = stn_bits_of_##real(scale_) & ~(one << (sizeof(uint) * 8 - 1));     \
        return magnitude_ != 0 && magnitude_ < infinity;                                           \
    }

STN_FIT(f32, stn_f32, stn_u32, (stn_u32)1, 23, 0x7f800000u, 0x00800000u)
STN_IF_DOUBLE(STN_FIT(f64, stn_f64, stn_u64, (stn_u64)1, 52, 0x7ff0000000000000u,
                      0x0010000000000000u))

/* ---- the range of a format within the range of the arithmetic type ---- */

STN_FN stn_u64 stn_largest_code(stn_float_kind kind_)
{
    const stn_u64 all_ = ((stn_u64)1 << (kind_.exponent_bits + kind_.fraction_bits)) - 1;
    return (kind_.finite_only ? all_ : all_ >> kind_.fraction_bits << kind_.fraction_bits) - 1;
}
/* The value of a code of one format, as a code of another one. */
STN_FN stn_u64 stn_code_in(stn_u64 code_, stn_float_kind kind_, stn_float_kind to_)
{
    unsigned events_ = 0;
    return stn_float_encode(stn_float_decode(code_, kind_), to_, STN_ROUND_NEAREST,
                            STN_OVERFLOW_SATURATE, 0, &events_);
}
/* The step is 3/4 of the distance of numbers from 1 on. */
#define STN_RANGE_FLOAT(real, R, name)                                                             \
    STN_FN R stn_highest_##real##_##name(void)                                                     \
    {                                                                                              \
        const stn_float_kind kind_ = stn_##name##_kind();                                          \
        return R##_of_code(stn_code_in(stn_largest_code(kind_), kind_, R##_kind()));               \
    }                                                                                              \
    STN_FN R stn_step_##real##_##name(void)                                                        \
    {                                                                                              \
        return (R)0.75f / (R)((stn_u64)1 << stn_##name##_kind().fraction_bits);                    \
    }                                                                                              \
    STN_FN R stn_lowest_##real##_##name(void) { return -stn_highest_##real##_##name(); }           \
    STN_FN R stn_least_##real##_##name(void)                                                       \
    {                                                                                              \
        return R##_of_code(stn_code_in(1, stn_##name##_kind(), R##_kind()));                       \
    }
#define STN_RANGE_INTEGER(real, R, name, bits, is_signed)                                          \
    STN_FN R stn_highest_##real##_##name(void)                                                     \
    {                                                                                              \
        const int size_ = bits - is_signed, digits_ = R##_kind().fraction_bits + 1;                \
        const stn_u64 all_ = ~(stn_u64)0 >> (64 - size_);                                          \
        return (R)(size_ <= digits_ ? all_ : all_ >> (size_ - digits_) << (size_ - digits_));      \
    }                                                                                              \
    STN_FN R stn_lowest_##real##_##name(void)                                                      \
    {                                                                                              \
        return is_signed ? -(R)((stn_u64)1 << (bits - 1)) : 0;                                     \
    }
#define STN_RANGE_FLOAT_ROW(id, NAME, name, ...)                                                   \
    STN_RANGE_FLOAT(f32, stn_f32, name) STN_IF_DOUBLE(STN_RANGE_FLOAT(f64, stn_f64, name))
#define STN_RANGE_INTEGER_ROW(id, NAME, name, bits, is_signed)                                     \
    STN_RANGE_INTEGER(f32, stn_f32, name, bits, is_signed)                                         \
    STN_IF_DOUBLE(STN_RANGE_INTEGER(f64, stn_f64, name, bits, is_signed))

STN_FN float stn_f32_of_code(stn_u64 code_) { return stn_f32_of_bits((stn_u32)code_); }
#ifdef STN_HAVE_DOUBLE
STN_FN double stn_f64_of_code(stn_u64 code_) { return stn_f64_of_bits(code_); }
#endif

STN_FORMAT_TABLE(STN_RANGE_FLOAT_ROW, STN_RANGE_INTEGER_ROW, STN_NO_ROW)

#endif
