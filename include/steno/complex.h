/* Complex numbers as plain structs: the same layout as C's _Complex, C++'s std::complex and CUDA's.
 * Arithmetic in every language of codec.h; C++ has the operators too.
 *
 * Sums, differences and products are those of the parts, each operation rounded once, so that a
 * product has an error of at most sqrt(8) u |a| |b| (u: half an epsilon), absent over- and
 * underflow. Infinite operands get no special treatment, as with -fcx-limited-range. */
#ifndef STENO_COMPLEX_H
#define STENO_COMPLEX_H

#include "steno/detail/names/hide.h"
#include "steno/codec.h"

#if !defined(STN_OPENCL) && !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)
#    include <math.h>
#endif

#ifdef STN_HAVE_DOUBLE
typedef struct stn_c128 {
    double re, im;
} stn_c128;
#endif

typedef struct stn_c64 {
    float re, im;
} stn_c64;

/* Two binary16 parts: a storage format only. */
typedef struct stn_c32 {
    stn_f16 re, im;
} stn_c32;

/* Each operation is rounded by itself: clang is asked, and from gcc, whose default is to fuse in
 * GNU C and which (12 and others) makes one operation of neighbours even with -ffp-contract=off, an
 * asm hides that a number is a product. */
#if defined(__clang__) && !defined(STN_OPENCL)
#    define STN_NO_FUSING _Pragma("STDC FP_CONTRACT OFF")
#else
#    define STN_NO_FUSING
#endif
#if !defined(__CUDA_ARCH__) && defined(__GNUC__) && !defined(__clang__) && defined(__FMA__)
#    define STN_ROUND_PRODUCT(product) __asm__("" : "+x"(product))
#elif !defined(__CUDA_ARCH__) && defined(__GNUC__) && !defined(__clang__) && defined(__aarch64__)
#    define STN_ROUND_PRODUCT(product) __asm__("" : "+w"(product))
#else
#    define STN_ROUND_PRODUCT(product) ((void)0)
#endif

/* stn_c128_of(re, im), _add, _subtract, _multiply, _divide, _negate, _conj, _real, _imag,
 * _squared_norm and _abs; the same for c64.
 *
 * The quotient is scaled by the divisor's larger part (Smith, CACM 5, 1962): no overflow in
 * between, an error of a few u |a / b| except where parts cancel. _abs is the C library's or the
 * device's hypot. */
#define STN_COMPLEX_ARITHMETIC(complex, real, absolute, hypotenuse)                                \
    STN_FN stn_##complex stn_##complex##_of(real re, real im)                                      \
    {                                                                                              \
        stn_##complex z;                                                                           \
        z.re = re;                                                                                 \
        z.im = im;                                                                                 \
        return z;                                                                                  \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_add(stn_##complex a, stn_##complex b)                     \
    {                                                                                              \
        return stn_##complex##_of(a.re + b.re, a.im + b.im);                                       \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_subtract(stn_##complex a, stn_##complex b)                \
    {                                                                                              \
        return stn_##complex##_of(a.re - b.re, a.im - b.im);                                       \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_multiply(stn_##complex a, stn_##complex b)                \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        real re_re = a.re * b.re, im_im = a.im * b.im, re_im = a.re * b.im, im_re = a.im * b.re;   \
        STN_ROUND_PRODUCT(re_re);                                                                  \
        STN_ROUND_PRODUCT(im_im);                                                                  \
        STN_ROUND_PRODUCT(re_im);                                                                  \
        STN_ROUND_PRODUCT(im_re);                                                                  \
        return stn_##complex##_of(re_re - im_im, re_im + im_re);                                   \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_divide(stn_##complex a, stn_##complex b)                  \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        const int tall = absolute(b.im) > absolute(b.re);                                          \
        const real major = tall ? b.im : b.re, minor = tall ? b.re : b.im;                         \
        const real ratio = minor / major;                                                          \
        real lesser = minor * ratio, re_part = (tall ? a.re : a.im) * ratio,                       \
             im_part = (tall ? a.im : a.re) * ratio;                                               \
        STN_ROUND_PRODUCT(lesser);                                                                 \
        STN_ROUND_PRODUCT(re_part);                                                                \
        STN_ROUND_PRODUCT(im_part);                                                                \
        const real divisor = major + lesser;                                                       \
        return tall ? stn_##complex##_of((re_part + a.im) / divisor, (im_part - a.re) / divisor)   \
                    : stn_##complex##_of((a.re + re_part) / divisor, (a.im - im_part) / divisor);  \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_negate(stn_##complex z)                                   \
    {                                                                                              \
        return stn_##complex##_of(-z.re, -z.im);                                                   \
    }                                                                                              \
    STN_FN stn_##complex stn_##complex##_conj(stn_##complex z)                                     \
    {                                                                                              \
        return stn_##complex##_of(z.re, -z.im);                                                    \
    }                                                                                              \
    STN_FN real stn_##complex##_real(stn_##complex z)                                              \
    {                                                                                              \
        return z.re;                                                                               \
    }                                                                                              \
    STN_FN real stn_##complex##_imag(stn_##complex z)                                              \
    {                                                                                              \
        return z.im;                                                                               \
    }                                                                                              \
    STN_FN real stn_##complex##_squared_norm(stn_##complex z)                                      \
    {                                                                                              \
        STN_NO_FUSING                                                                              \
        real re_re = z.re * z.re, im_im = z.im * z.im;                                             \
        STN_ROUND_PRODUCT(re_re);                                                                  \
        STN_ROUND_PRODUCT(im_im);                                                                  \
        return re_re + im_im;                                                                      \
    }                                                                                              \
    STN_FN real stn_##complex##_abs(stn_##complex z)                                               \
    {                                                                                              \
        return hypotenuse(z.re, z.im);                                                             \
    }
#ifdef __cplusplus
#    define STN_COMPLEX_OPERATORS(complex)                                                         \
        STN_FN stn_##complex operator+(stn_##complex a, stn_##complex b)                           \
        {                                                                                          \
            return stn_##complex##_add(a, b);                                                      \
        }                                                                                          \
        STN_FN stn_##complex operator-(stn_##complex a, stn_##complex b)                           \
        {                                                                                          \
            return stn_##complex##_subtract(a, b);                                                 \
        }                                                                                          \
        STN_FN stn_##complex operator*(stn_##complex a, stn_##complex b)                           \
        {                                                                                          \
            return stn_##complex##_multiply(a, b);                                                 \
        }                                                                                          \
        STN_FN stn_##complex operator/(stn_##complex a, stn_##complex b)                           \
        {                                                                                          \
            return stn_##complex##_divide(a, b);                                                   \
        }                                                                                          \
        STN_FN stn_##complex operator-(stn_##complex z)                                            \
        {                                                                                          \
            return stn_##complex##_negate(z);                                                      \
        }
#else
#    define STN_COMPLEX_OPERATORS(complex)
#endif

#if defined(STN_OPENCL)
STN_COMPLEX_ARITHMETIC(c64, float, fabs, hypot)
#    ifdef STN_HAVE_DOUBLE
STN_COMPLEX_ARITHMETIC(c128, double, fabs, hypot)
#    endif
#else
STN_COMPLEX_ARITHMETIC(c64, float, fabsf, hypotf)
STN_COMPLEX_ARITHMETIC(c128, double, fabs, hypot)
#endif
STN_COMPLEX_OPERATORS(c64)
#ifdef STN_HAVE_DOUBLE
STN_COMPLEX_OPERATORS(c128)
#endif

#undef STN_COMPLEX_ARITHMETIC
#undef STN_COMPLEX_OPERATORS

#include "steno/detail/names/show.h"

#endif
