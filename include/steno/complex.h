/* Complex numbers as plain structs: the same layout as C's _Complex, C++'s std::complex and CUDA's.
 * Arithmetic and functions in every language of codec.h; C++ has the operators too.
 *
 * stn_c128_of(re, im), _add, _subtract, _multiply, _divide, _negate, _conj, _real, _imag, _norm and
 * _squared_norm (both |z|^2), _abs, _equal; the same for c64. They give the same bits everywhere.
 *
 * Sums, differences and products are those of the parts, each operation rounded once, so that a
 * product has an error of at most sqrt(8) u |a| |b| (u: half an epsilon), absent over- and
 * underflow. Products and quotients of infinite operands are what C11's Annex G says.
 * _multiply_fast leaves that out, as -fcx-limited-range does: an infinite operand may give NaN.
 *
 * A quotient is scaled by powers of two and its products are summed with their errors, so that each
 * part is off by at most 1.5 epsilon of itself and, below the normal numbers, by 1.5 of the least
 * one; a part that is 2^900 (c64: 2^90) times as small as the other may lose digits, and 2^1070
 * (c64: 2^140) times as small be lost, unless the divisor is real or imaginary. Nothing else over-
 * or underflows but the quotient itself.
 * _divide_fast is a conj(b) / |b|^2 as it stands: off by up to 3 epsilon |a / b|, with |b| within
 * 2^-500 and 2^500 (c64: 2^-60 and 2^60), and |a| |b| in the range. _abs is off by less than one
 * unit in the last place.
 *
 * stn_c128_arg, _proj, _polar(r, angle), _sqrt, _exp, _log, _log10, _pow, _sin, _cos, _tan, _asin,
 * _acos, _atan, _sinh, _cosh, _tanh, _asinh, _acosh, _atanh; the same for c64. Special values are
 * Annex G's, with branch cuts on the side that a zero's sign says. pow(0, 0) is 1, as C's real
 * function has it and a polynomial's constant term needs it; Annex G lets pow be exp(w log z),
 * which gives NaN. The real functions are the C library's or the device's, so their bits may
 * differ; with a library's that are off by one unit in the last place, each part is off by at most
 *
 *     sqrt                   2 epsilon of itself, the same bits everywhere
 *     polar, exp             2
 *     log, sin, cos,         3
 *     sinh, cosh
 *     log10, asin, acos,     4
 *     atan, asinh, acosh,
 *     atanh
 *     tan, tanh              5
 *     pow                    4 + 3 |w log z| epsilon |z^w|, while w log z is in the range
 *
 * and, below the normal numbers, by a few of the least one. */
#ifndef STENO_COMPLEX_H
#define STENO_COMPLEX_H

#include "steno/detail/accessor/macro_check.h"
#include "steno/detail/accessor/complex.h"

#define STN_Z        stn_c64
#define STN_Z_(name) stn_c64_##name
#define STN_P        float
#define STN_P_(name) stn_f32_##name
#define STN_EXPONENT 127
#define STN_DIGITS   24
#define STN_PI       3.14159265f
#define STN_LN_2     0.693147181f
#define STN_LOG10_E  0.434294482f
#define STN_MOST_EXP 88.0f
#if defined(STN_OPENCL)
#    define STN_MATH(name) name
#else
#    define STN_MATH(name) name##f
#endif
#include "steno/detail/complex_functions.h"
#ifdef STN_HAVE_DOUBLE
#    define STN_Z          stn_c128
#    define STN_Z_(name)   stn_c128_##name
#    define STN_P          double
#    define STN_P_(name)   stn_f64_##name
#    define STN_EXPONENT   1023
#    define STN_DIGITS     53
#    define STN_PI         3.14159265358979323846
#    define STN_LN_2       0.693147180559945309417
#    define STN_LOG10_E    0.434294481903251827651
#    define STN_MOST_EXP   709.0
#    define STN_MATH(name) name
#    include "steno/detail/complex_functions.h"
#endif

/* C's own complex numbers. */
#if !defined(__cplusplus) && !defined(STN_OPENCL) && !defined(__STDC_NO_COMPLEX__)
STN_FN stn_c128 stn_c128_of_c(double _Complex z_)
{
    stn_c128 same_;
    memcpy(&same_, &z_, sizeof same_);
    return same_;
}
STN_FN double _Complex stn_c128_to_c(stn_c128 z_)
{
    double _Complex same_;
    memcpy(&same_, &z_, sizeof same_);
    return same_;
}
STN_FN stn_c64 stn_c64_of_c(float _Complex z_)
{
    stn_c64 same_;
    memcpy(&same_, &z_, sizeof same_);
    return same_;
}
STN_FN float _Complex stn_c64_to_c(stn_c64 z_)
{
    float _Complex same_;
    memcpy(&same_, &z_, sizeof same_);
    return same_;
}
#endif

#ifdef __cplusplus
/* Operators, also with real numbers and on elements of accessors; and complex numbers of C++, of
 * std:: or Kokkos::, as stn_c128_of_cxx(z) and stn_c128_to_cxx<std::complex<double>>(z). */
#    if defined(__NVCC__) /* whose warnings take std::complex for the host's only */
#        define STN_ANY_SIDE _Pragma("nv_exec_check_disable")
#    else
#        define STN_ANY_SIDE
#    endif
#    define STN_COMPLEX_OPERATOR(complex, number, sign, function)                                  \
        STN_FN stn_##complex operator sign(stn_##complex a_, stn_##complex b_)                     \
        {                                                                                          \
            return stn_##complex##_##function(a_, b_);                                             \
        }                                                                                          \
        STN_FN stn_##complex &operator sign##=(stn_##complex &a_, stn_##complex b_)                \
        {                                                                                          \
            return a_ = stn_##complex##_##function(a_, b_);                                        \
        }                                                                                          \
        STN_FN stn_##complex operator sign(stn_##complex a_, number b_)                            \
        {                                                                                          \
            return stn_##complex##_##function##_real(a_, b_);                                      \
        }                                                                                          \
        STN_FN stn_##complex &operator sign##=(stn_##complex &a_, number b_)                       \
        {                                                                                          \
            return a_ = stn_##complex##_##function##_real(a_, b_);                                 \
        }                                                                                          \
        template <typename element_>                                                               \
        STN_FN typename element_::stn_##complex##_element operator sign##=(const element_ &a_,     \
                                                                           number b_)              \
        {                                                                                          \
            return a_ = stn_##complex##_##function##_real(a_, b_);                                 \
        }
#    define STN_COMPLEX_OPERATORS(complex, number, fused)                                          \
        STN_FN stn_##complex stn_##complex##_add_real(stn_##complex a_, number b_)                 \
        {                                                                                          \
            return stn_##complex##_of(a_.re + b_, a_.im);                                          \
        }                                                                                          \
        STN_FN stn_##complex stn_##complex##_subtract_real(stn_##complex a_, number b_)            \
        {                                                                                          \
            return stn_##complex##_of(a_.re - b_, a_.im);                                          \
        }                                                                                          \
        STN_FN stn_##complex stn_##complex##_multiply_real(stn_##complex a_, number b_)            \
        {                                                                                          \
            STN_NO_FUSING                                                                          \
            const number re_ = STN_PRODUCT(a_.re, b_, fused), im_ = STN_PRODUCT(a_.im, b_, fused); \
            return stn_##complex##_of(re_, im_);                                                   \
        }                                                                                          \
        STN_FN stn_##complex stn_##complex##_divide_real(stn_##complex a_, number b_)              \
        {                                                                                          \
            return stn_##complex##_of(a_.re / b_, a_.im / b_);                                     \
        }                                                                                          \
        STN_COMPLEX_OPERATOR(complex, number, +, add)                                              \
        STN_COMPLEX_OPERATOR(complex, number, -, subtract)                                         \
        STN_COMPLEX_OPERATOR(complex, number, *, multiply)                                         \
        STN_COMPLEX_OPERATOR(complex, number, /, divide)                                           \
        STN_FN stn_##complex operator+(number a_, stn_##complex b_)                                \
        {                                                                                          \
            return stn_##complex##_of(a_ + b_.re, b_.im);                                          \
        }                                                                                          \
        STN_FN stn_##complex operator-(number a_, stn_##complex b_)                                \
        {                                                                                          \
            return stn_##complex##_of(a_ - b_.re, -b_.im);                                         \
        }                                                                                          \
        STN_FN stn_##complex operator*(number a_, stn_##complex b_)                                \
        {                                                                                          \
            return stn_##complex##_multiply_real(b_, a_);                                          \
        }                                                                                          \
        STN_FN stn_##complex operator/(number a_, stn_##complex b_)                                \
        {                                                                                          \
            return stn_##complex##_divide(stn_##complex##_of(a_, 0), b_);                          \
        }                                                                                          \
        STN_FN stn_##complex operator+(stn_##complex z_)                                           \
        {                                                                                          \
            return z_;                                                                             \
        }                                                                                          \
        STN_FN stn_##complex operator-(stn_##complex z_)                                           \
        {                                                                                          \
            return stn_##complex##_negate(z_);                                                     \
        }                                                                                          \
        STN_FN bool operator==(stn_##complex a_, stn_##complex b_)                                 \
        {                                                                                          \
            return stn_##complex##_equal(a_, b_) != 0;                                             \
        }                                                                                          \
        STN_FN bool operator!=(stn_##complex a_, stn_##complex b_)                                 \
        {                                                                                          \
            return stn_##complex##_equal(a_, b_) == 0;                                             \
        }                                                                                          \
        STN_FN bool operator==(stn_##complex a_, number b_)                                        \
        {                                                                                          \
            return a_.re == b_ && a_.im == 0;                                                      \
        }                                                                                          \
        STN_FN bool operator!=(stn_##complex a_, number b_)                                        \
        {                                                                                          \
            return a_.re != b_ || a_.im != 0;                                                      \
        }                                                                                          \
        STN_FN bool operator==(number a_, stn_##complex b_)                                        \
        {                                                                                          \
            return b_.re == a_ && b_.im == 0;                                                      \
        }                                                                                          \
        STN_FN bool operator!=(number a_, stn_##complex b_)                                        \
        {                                                                                          \
            return b_.re != a_ || b_.im != 0;                                                      \
        }                                                                                          \
        STN_ANY_SIDE                                                                               \
        template <typename other_> STN_FN stn_##complex stn_##complex##_of_cxx(const other_ &z_)   \
        {                                                                                          \
            return stn_##complex##_of(z_.real(), z_.imag());                                       \
        }                                                                                          \
        STN_ANY_SIDE                                                                               \
        template <typename other_> STN_FN other_ stn_##complex##_to_cxx(stn_##complex z_)          \
        {                                                                                          \
            return other_(z_.re, z_.im);                                                           \
        }
STN_COMPLEX_OPERATORS(c64, float, fmaf)
#    ifdef STN_HAVE_DOUBLE
STN_COMPLEX_OPERATORS(c128, double, fma)
#    endif
#    undef STN_COMPLEX_OPERATORS
#    undef STN_COMPLEX_OPERATOR
#    undef STN_ANY_SIDE
#endif

#endif
