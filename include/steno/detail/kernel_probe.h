/* Detects flags of the compiler that change the bits of kernels: operations that are compiled in
 * the same file by the rules of kernels. Launches run them once per file. */
#ifndef STENO_KERNEL_PROBE_H
#define STENO_KERNEL_PROBE_H

#include "steno/detail/kernel_parts.h"

/* The caller hides the arguments from the compiler. The result is 0 if the rules hold. */
/* clang-format off */
#define STN_DEFINE_PROBES(T)                                                                       \
    /* (1 + e)^2 - (1 + 2 e), where the rounded product does not contain e^2. */                   \
    STN_KERNEL_INLINE int stn_probe_fused_##T(const stn_##T e_)                                    \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        const stn_##T near_one_ = (stn_##T)1 + e_, rounded_ = near_one_ + e_;                      \
        return near_one_ * near_one_ - rounded_ != 0;                                              \
    }                                                                                              \
    STN_KERNEL_INLINE int stn_probe_reordered_##T(const stn_##T e_)                                \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        const stn_##T much_ = (stn_##T)1 / (e_ * e_ * e_);                                         \
        return (e_ + much_) - much_ != 0;                                                          \
    }                                                                                              \
    /* 5 / 3 is not 5 * (1 / 3). */                                                                \
    STN_KERNEL_INLINE int stn_probe_inverted_##T(const stn_##T five_, const stn_##T quotient_)     \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        return five_ / (stn_##T)3 != quotient_;                                                    \
    }                                                                                              \
    /* -0 + 0 is +0. */                                                                            \
    STN_KERNEL_INLINE int stn_probe_unsigned_##T(const stn_##T minus_zero_)                        \
    {                                                                                              \
        STN_KERNEL_NO_FUSING                                                                       \
        return stn_bits_of_##T(minus_zero_ + (stn_##T)0) != 0;                                     \
    }
/* clang-format on */

STN_KERNEL_BEGIN
STN_DEFINE_PROBES(f64)
STN_DEFINE_PROBES(f32)

static inline __attribute__((__unused__)) STN_KERNEL_EXACT uint32_t stn_probe_all(void)
{
    static const stn_f64 wide_[] = {1.0 / (1 << 27), 5, 1.6666666666666667, -0.0};
    static const stn_f32 small_[] = {1.0f / (1 << 12), 5, 1.6666666667f, -0.0f};
    const volatile stn_f64 *const x_ = wide_; /* volatile: the compiler knows no values */
    const volatile stn_f32 *const y_ = small_;
    const int fused_ = stn_probe_fused_f64(x_[0]) | stn_probe_fused_f32(y_[0]);
    const int reordered_ = stn_probe_reordered_f64(x_[0]) | stn_probe_reordered_f32(y_[0]);
    const int inverted_ =
        stn_probe_inverted_f64(x_[1], x_[2]) | stn_probe_inverted_f32(y_[1], y_[2]);
    const int without_signs_ = stn_probe_unsigned_f64(x_[3]) | stn_probe_unsigned_f32(y_[3]);
    return (uint32_t)(fused_ * STN_BREAKS_FUSED | reordered_ * STN_BREAKS_REORDERED |
                      inverted_ * STN_BREAKS_INVERTED | without_signs_ * STN_BREAKS_UNSIGNED);
}
STN_KERNEL_END

static inline __attribute__((__unused__)) uint32_t stn_kernel_probe(void)
{
    enum { known_ = 1 << 16 };
    static uint32_t kept_; /* result and the bit `known`; any thread may write it */
    uint32_t found_ = __atomic_load_n(&kept_, __ATOMIC_RELAXED);
    if (found_ == 0) {
        found_ = stn_probe_all() | known_;
        __atomic_store_n(&kept_, found_, __ATOMIC_RELAXED);
    }
    return found_ - known_;
}

#endif
