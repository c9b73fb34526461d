/* Complex numbers as kernels store them and pass them on. Where gcc (12 and others) sees a
 * difference of products stored beside a sum of them, as the parts of a product are, it fuses both,
 * with contraction off too. It does not see it where one of them goes through another operation
 * first: exclusive or with a variable that is 0, which assembly might change for all that it knows.
 * Nothing does: the variable is among those that a program cannot write once it runs. */
#ifndef STENO_KERNEL_APART_H
#define STENO_KERNEL_APART_H

#ifndef STENO_HEADERS_WARN
#    pragma GCC system_header
#endif

#include "steno/complex.h"
#include "steno/detail/kernel_compiler.h"

#if defined(__clang__) || !defined(__OPTIMIZE__)
#    define STN_DEFINE_APART(C, T, bits)                                                           \
        STN_KERNEL_INLINE stn_##C stn_apart_##C(const stn_##C value_)                              \
        {                                                                                          \
            return value_;                                                                         \
        }
#else
#    ifdef __ELF__
static uint64_t stn_no_bits __attribute__((__used__, __section__(".data.rel.ro.stn"))) = 0;
#    else
static uint64_t stn_no_bits __attribute__((__used__));
#    endif
#    define STN_DEFINE_APART(C, T, bits)                                                           \
        STN_KERNEL_INLINE stn_##C stn_apart_##C(stn_##C value_)                                    \
        {                                                                                          \
            value_.im = stn_##T##_of_bits(stn_bits_of_##T(value_.im) ^ (bits)stn_no_bits);         \
            return value_;                                                                         \
        }
#endif
STN_DEFINE_APART(c128, f64, uint64_t)
STN_DEFINE_APART(c64, f32, uint32_t)
#define STN_APART_f64(value)  (value)
#define STN_APART_f32(value)  (value)
#define STN_APART_i64(value)  (value)
#define STN_APART_c128(value) stn_apart_c128(value)
#define STN_APART_c64(value)  stn_apart_c64(value)

#endif
