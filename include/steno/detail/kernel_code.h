/* Single elements of gather and scatter views. Real formats are decoded and encoded in the loop of
 * a kernel: a call per element takes longer than the rest of such loops. */
#ifndef STENO_KERNEL_CODE_H
#define STENO_KERNEL_CODE_H

#include "steno/detail/kernel_compiler.h"
#include "steno/detail/kernel_types.h"

/* clang-format off */

/* A float of up to 32 bits, aligned to the top of 32 bits: with its exponent and fraction moved to those
 * of a binary32, only the bias of the exponent is wrong, also of subnormal numbers. */
STN_KERNEL_INLINE float stn_float_of_code(const stn_code_form *form_, uint32_t top_)
{
    uint32_t magnitude_ = (top_ & 0x7fffffffu) >> form_->shift;
    uint32_t bits_ = magnitude_ | (top_ & 0x80000000u);
    float value_;
    __builtin_memcpy(&value_, &bits_, sizeof value_);
    value_ *= form_->factor;
    if (__builtin_expect(magnitude_ >= form_->special, 0)) {
        bits_ |= 0x7f800000u;
        __builtin_memcpy(&value_, &bits_, sizeof value_);
    }
    return value_;
}
/* `type` has the size of the code, which may be unaligned. */
#define STN_CODE_CASE(format, type, ...)                                                           \
    case format: {                                                                                 \
        type bits_;                                                                                \
        __builtin_memcpy(&bits_, code_, sizeof bits_);                                             \
        value_ = __VA_ARGS__;                                                                      \
        break;                                                                                     \
    }
#define STN_DEFINE_VALUE_OF_CODE(T)                                                                \
    STN_KERNEL_INLINE stn_##T stn_value_of_code_##T(const stn_code_form *form_, const void *code_) \
    {                                                                                              \
        stn_##T value_;                                                                            \
        switch (form_->format) {                                                                   \
            STN_CODE_CASE(STN_F64, double, (stn_##T)bits_)                                         \
            STN_CODE_CASE(STN_F32, float, (stn_##T)bits_)                                          \
            case STN_BF16:                                                                         \
            STN_CODE_CASE(STN_F16, uint16_t, (stn_##T)stn_float_of_code(form_, (uint32_t)bits_ << 16))\
            STN_CODE_CASE(STN_I8, int8_t, (stn_##T)bits_)                                          \
            STN_CODE_CASE(STN_U8, uint8_t, (stn_##T)bits_)                                         \
            STN_CODE_CASE(STN_I16, int16_t, (stn_##T)bits_)                                        \
            STN_CODE_CASE(STN_U16, uint16_t, (stn_##T)bits_)                                       \
            STN_CODE_CASE(STN_I32, int32_t, (stn_##T)bits_)                                        \
            STN_CODE_CASE(STN_U32, uint32_t, (stn_##T)bits_)                                       \
            STN_CODE_CASE(STN_I64, int64_t, (stn_##T)bits_)                                        \
        default:                                                                                   \
            value_ = (stn_##T)stn_float_of_code(form_, (uint32_t) * (const uint8_t *)code_ << 24); \
        }                                                                                          \
        return form_->is_plain ? value_ : (value_ - (stn_##T)form_->zero) * (stn_##T)form_->scale; \
    }
STN_DEFINE_VALUE_OF_CODE(f64)
STN_DEFINE_VALUE_OF_CODE(f32)
STN_KERNEL_INLINE stn_i64 stn_value_of_code_i64(const stn_code_form *form_, const void *code_)
{
    uint64_t value_;
    switch (form_->format) {
        STN_CODE_CASE(STN_I8, int8_t, (uint64_t)bits_)
        STN_CODE_CASE(STN_U8, uint8_t, bits_)
        STN_CODE_CASE(STN_I16, int16_t, (uint64_t)bits_)
        STN_CODE_CASE(STN_U16, uint16_t, bits_)
        STN_CODE_CASE(STN_I32, int32_t, (uint64_t)bits_)
        STN_CODE_CASE(STN_U32, uint32_t, bits_)
    default:
        __builtin_memcpy(&value_, code_, sizeof value_);
    }
    return (stn_i64)(value_ - (uint64_t)form_->whole_zero);
}
/* ---- encoding ---- */

/* A float of up to 16 bits, rounded to nearest. */
STN_KERNEL_INLINE uint32_t stn_narrow_of_value(const stn_code_form *form_, double value_)
{
    const uint64_t bits_ = stn_bits_of_f64(value_), magnitude_ = bits_ & INT64_MAX;
    const uint32_t sign_ = (uint32_t)(bits_ >> 63 << form_->sign_shift);
    uint64_t code_;
    if (magnitude_ < form_->least_normal)
        code_ = stn_bits_of_f64(stn_f64_of_bits(magnitude_) + form_->unit) - stn_bits_of_f64(form_->unit);
    else
        code_ = ((magnitude_ + form_->half + (magnitude_ >> form_->dropped & 1)) >> form_->dropped) - form_->bias;
    if (__builtin_expect(code_ > form_->largest, 0))
        return magnitude_ > 0x7ff0000000000000u || form_->beyond == form_->nan ? form_->nan : form_->beyond | sign_;
    return (uint32_t)code_ | sign_;
}
/* An integer of up to 32 bits, rounded to nearest. The last bits of the sum with 1.5 * 2^52 are the
 * integer. */
STN_KERNEL_INLINE uint32_t stn_integer_of_value(const stn_code_form *form_, double value_)
{
    if (__builtin_expect(!(value_ >= form_->lowest && value_ <= form_->highest), 0))
        value_ = value_ > form_->highest ? form_->highest : value_ < form_->lowest ? form_->lowest : 0.0;
    return (uint32_t)stn_bits_of_f64(value_ + 6755399441055744.0);
}
/* `code` may be unaligned. */
STN_KERNEL_INLINE void stn_store_code(int bytes_, void *code_, uint32_t bits_)
{
    const uint16_t half_ = (uint16_t)bits_;
    if (bytes_ == 2)
        __builtin_memcpy(code_, &half_, sizeof half_);
    else if (bytes_ == 1)
        *(uint8_t *)code_ = (uint8_t)bits_;
    else
        __builtin_memcpy(code_, &bits_, sizeof bits_);
}
#define STN_DEFINE_CODE_OF_VALUE(T)                                                                \
    STN_KERNEL_INLINE void stn_code_of_value_##T(const stn_code_form *form_, void *code_,          \
                                                 stn_##T value_)                                   \
    {                                                                                              \
        if (!form_->is_plain)                                                                      \
            value_ = value_ / (stn_##T)form_->scale + (stn_##T)form_->added;                       \
        if (form_->storing == STN_STORES_NARROW) {                                                 \
            stn_store_code(form_->bytes, code_, stn_narrow_of_value(form_, (double)value_));       \
        } else if (form_->storing == STN_STORES_INTEGER) {                                         \
            stn_store_code(form_->bytes, code_, stn_integer_of_value(form_, (double)value_));      \
        } else if (form_->storing == STN_STORES_F32) {                                             \
            const float single_ = value_ != value_ ? __builtin_nanf("") : (float)value_;           \
            __builtin_memcpy(code_, &single_, sizeof single_);                                     \
        } else {                                                                                   \
            const double wide_ = value_ != value_ ? __builtin_nan("") : (double)value_;            \
            __builtin_memcpy(code_, &wide_, sizeof wide_);                                         \
        }                                                                                          \
    }
STN_DEFINE_CODE_OF_VALUE(f64)
STN_DEFINE_CODE_OF_VALUE(f32)
STN_KERNEL_INLINE void stn_code_of_value_i64(const stn_code_form *form_, void *code_, stn_i64 value_)
{
    if (form_->storing == STN_STORES_INTEGER) {
        value_ = value_ < form_->whole_lowest ? form_->whole_lowest : value_;
        value_ = value_ > form_->whole_highest ? form_->whole_highest : value_;
    }
    const uint64_t bits_ = (uint64_t)value_ + (uint64_t)form_->whole_zero;
    if (form_->storing == STN_STORES_INTEGER)
        stn_store_code(form_->bytes, code_, (uint32_t)bits_);
    else
        __builtin_memcpy(code_, &bits_, sizeof bits_);
}

/* Complex elements are read and stored by calls. */
#define STN_DEFINE_NO_CODE(T)                                                                      \
    STN_KERNEL_INLINE stn_##T stn_value_of_code_##T(const stn_code_form *form_, const void *code_) \
    {                                                                                              \
        const stn_##T none_ = {0, 0};                                                              \
        (void)form_, (void)code_;                                                                  \
        return none_;                                                                              \
    }                                                                                              \
    STN_KERNEL_INLINE void stn_code_of_value_##T(const stn_code_form *form_, void *code_,          \
                                                 stn_##T value_)                                   \
    {                                                                                              \
        (void)form_, (void)code_, (void)value_;                                                    \
    }
STN_DEFINE_NO_CODE(c128)
STN_DEFINE_NO_CODE(c64)

/* ---- elements at an offset in bytes ---- */

#define STN_DEFINE_ACCESS(T)                                                                       \
    STN_KERNEL_INLINE stn_##T stn_element_read_##T(const stn_indexed *indexed_, int64_t offset_)   \
    {                                                                                              \
        stn_##T value_;                                                                            \
        if (indexed_->native)                                                                      \
            return *(const stn_##T *)(const void *)(indexed_->data + offset_);                     \
        if (indexed_->form.format != STN_FORM_NONE)                                                \
            return stn_value_of_code_##T(&indexed_->form, indexed_->data + offset_);               \
        stn_indexed_read(indexed_, offset_, &value_);                                              \
        return value_;                                                                             \
    }                                                                                              \
    STN_KERNEL_INLINE void stn_element_write_##T(const stn_indexed *indexed_, int64_t offset_,     \
                                                 stn_##T value_)                                   \
    {                                                                                              \
        if (indexed_->native)                                                                      \
            *(stn_##T *)(void *)(indexed_->data + offset_) = value_;                               \
        else if (indexed_->form.storing != STN_STORES_BY_CALL)                                     \
            stn_code_of_value_##T(&indexed_->form, indexed_->data + offset_, value_);              \
        else                                                                                       \
            stn_indexed_write(indexed_, offset_, &value_);                                         \
    }
STN_EACH_ARITHMETIC(STN_DEFINE_ACCESS)

/* clang-format on */

#endif
