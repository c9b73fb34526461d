/* stn_unfused_T prevents gcc (12 and others) from fusing complex products in spite of
 * -ffp-contract=off. It fuses a difference of products that is stored next to a sum of products, as
 * the parts of a complex product are. Exclusive or of one part with a variable that is 0, and that
 * gcc does not know to be constant, prevents this. The variable is in a read-only section. */
#ifndef STENO_KERNEL_APART_H
#define STENO_KERNEL_APART_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/complex.h"
#include "steno/detail/kernel_compiler.h"

#if defined(__clang__) || !defined(__OPTIMIZE__)
#    define STN_DEFINE_UNFUSED(C, T, bits)                                                         \
        STN_KERNEL_INLINE stn_##C stn_unfused_##C(const stn_##C value_)                            \
        {                                                                                          \
            return value_;                                                                         \
        }
#else
#    ifdef __ELF__
static uint64_t stn_zero_bits __attribute__((__used__, __section__(".data.rel.ro.stn"))) = 0;
#    else
static uint64_t stn_zero_bits __attribute__((__used__));
#    endif
#    define STN_DEFINE_UNFUSED(C, T, bits)                                                         \
        STN_KERNEL_INLINE stn_##C stn_unfused_##C(stn_##C value_)                                  \
        {                                                                                          \
            value_.im = stn_##T##_of_bits(stn_bits_of_##T(value_.im) ^ (bits)stn_zero_bits);       \
            return value_;                                                                         \
        }
#endif
STN_DEFINE_UNFUSED(c128, f64, uint64_t)
STN_DEFINE_UNFUSED(c64, f32, uint32_t)
#define STN_UNFUSED_f64(value)  (value)
#define STN_UNFUSED_f32(value)  (value)
#define STN_UNFUSED_i64(value)  (value)
#define STN_UNFUSED_c128(value) stn_unfused_c128(value)
#define STN_UNFUSED_c64(value)  stn_unfused_c64(value)

#endif
