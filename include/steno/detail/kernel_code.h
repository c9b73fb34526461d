/* Values of single elements of real formats, decoded in the loop of a kernel: a call per element
 * takes longer than the rest of such loops. */
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
        return (value_ - (stn_##T)form_->zero) * (stn_##T)form_->scale;                            \
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
/* Complex elements are read by calls. */
#define STN_DEFINE_NO_VALUE_OF_CODE(T)                                                             \
    STN_KERNEL_INLINE stn_##T stn_value_of_code_##T(const stn_code_form *form_, const void *code_) \
    {                                                                                              \
        const stn_##T none_ = {0, 0};                                                              \
        (void)form_, (void)code_;                                                                  \
        return none_;                                                                              \
    }
STN_DEFINE_NO_VALUE_OF_CODE(c128)
STN_DEFINE_NO_VALUE_OF_CODE(c64)

/* clang-format on */

#endif
