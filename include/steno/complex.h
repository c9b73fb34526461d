/** @file
 * Complex numbers as plain structs, with arithmetic and functions in every language of codec.h.
 *
 * The memory layout is that of C's _Complex, C++'s std::complex and CUDA's double2. In C++,
 * operators are defined as well, also with real operands and with elements of accessors. C++
 * programs convert with stn_c128_of_cxx(z) and stn_c128_to_cxx<std::complex<double>>(z).
 *
 * Each function stn_c128_NAME has a version stn_c64_NAME with stn_c64 and float. Bounds are stated
 * in u, half an epsilon, and epsilon of the type; below the normal numbers, results have an
 * additional error of a few units of the smallest number.
 *
 * Arithmetic has the same bits on every target. The functions from stn_c128_arg() on use the real
 * functions of the C library or of the device, so their bits may differ. Their bounds hold if the
 * errors of the real functions are at most one unit in the last place. Special values and branch
 * cuts are those of Annex G of C11; the sign of a zero selects the side of a cut.
 */
#ifndef STENO_COMPLEX_H
#define STENO_COMPLEX_H

#include "steno/detail/accessor/macro_check.h"
#include "steno/detail/accessor/complex.h"

#ifdef STN_DOXYGEN
/** A complex number of two doubles. */
typedef struct stn_c128 {
    double re; /**< Real part. */
    double im; /**< Imaginary part. */
} stn_c128;

/** A complex number of two floats. */
typedef struct stn_c64 {
    float re; /**< Real part. */
    float im; /**< Imaginary part. */
} stn_c64;

/** A complex number of two f16, for storage only. */
typedef struct stn_c32 {
    stn_f16 re; /**< Real part. */
    stn_f16 im; /**< Imaginary part. */
} stn_c32;

/** Returns the number `re` + i `im`. */
stn_c128 stn_c128_of(double re, double im);
/** Returns `a` + `b`, each part rounded once. */
stn_c128 stn_c128_add(stn_c128 a, stn_c128 b);
/** Returns `a` - `b`, each part rounded once. */
stn_c128 stn_c128_subtract(stn_c128 a, stn_c128 b);
/** Returns `a` `b`. Products with infinite operands are those of Annex G. The error is at most
 * sqrt(8) u |a| |b| without overflow and underflow. */
stn_c128 stn_c128_multiply(stn_c128 a, stn_c128 b);
/** Faster version of stn_c128_multiply: products of `a` and `b` may be NaN if one is infinite. */
stn_c128 stn_c128_multiply_fast(stn_c128 a, stn_c128 b);

/** Returns `a` / `b`.
 *
 * The operands are scaled by powers of two, so only the quotient itself can overflow or underflow.
 * Quotients with infinite operands are those of Annex G.
 * @par Error bound
 * Of each part: 1.5 epsilon of that part, and below the normal numbers 1.5 units of the smallest
 * number. Unless the divisor is real or imaginary, a part that is 2^900 (c64: 2^90) times as small
 * as the other may have larger errors, and one that is 2^1070 (c64: 2^140) times as small may
 * become 0. */
stn_c128 stn_c128_divide(stn_c128 a, stn_c128 b);
/** Faster version of stn_c128_divide: `a` conj(`b`) / |b|^2. The error is at most 3 epsilon |a / b|
 * if |b| is between 2^-500 and 2^500 (c64: 2^-60 and 2^60) and |a| |b| is in the range. */
stn_c128 stn_c128_divide_fast(stn_c128 a, stn_c128 b);
stn_c128 stn_c128_negate(stn_c128 z);     /**< Returns -`z`. */
stn_c128 stn_c128_conj(stn_c128 z);       /**< Returns the conjugate of `z`. */
double stn_c128_real(stn_c128 z);         /**< Returns the real part of `z`. */
double stn_c128_imag(stn_c128 z);         /**< Returns the imaginary part of `z`. */
double stn_c128_norm(stn_c128 z);         /**< Returns |`z`|^2. */
double stn_c128_squared_norm(stn_c128 z); /**< Returns |`z`|^2, the same as stn_c128_norm. */
/** Returns |`z`| with an error of less than one unit in the last place. */
double stn_c128_abs(stn_c128 z);
/** Returns 1 if both parts of `a` and `b` are equal, otherwise 0. */
int stn_c128_equal(stn_c128 a, stn_c128 b);
double stn_c128_arg(stn_c128 z); /**< Returns the angle of `z` in radians, in (-pi, pi]. */
/** Returns the number with magnitude `r` and an `angle` in radians, with an error of at most 2
 * epsilon. */
stn_c128 stn_c128_polar(double r, double angle);

/** Computes e^`z`.
 * @par Error bound
 * Of each part, in epsilon of that part: 2 for sqrt (the same bits on every target) and exp; 3 for
 * log, sin, cos, sinh and cosh; 4 for log10, asin, acos, atan, asinh, acosh and atanh; 5 for tan
 * and tanh. */
stn_c128 stn_c128_exp(stn_c128 z);
/** Projects infinities to the one of C11 7.3.9.5; other numbers are unchanged. See stn_c128_exp. */
stn_c128 stn_c128_proj(stn_c128 z);
stn_c128 stn_c128_sqrt(stn_c128 z);  /**< Computes the square root. See stn_c128_exp. */
stn_c128 stn_c128_log(stn_c128 z);   /**< Computes the natural logarithm. See stn_c128_exp. */
stn_c128 stn_c128_log10(stn_c128 z); /**< Computes the logarithm to base 10. See stn_c128_exp. */
stn_c128 stn_c128_sin(stn_c128 z);   /**< Computes the sine. See stn_c128_exp. */
stn_c128 stn_c128_cos(stn_c128 z);   /**< Computes the cosine. See stn_c128_exp. */
stn_c128 stn_c128_tan(stn_c128 z);   /**< Computes the tangent. See stn_c128_exp. */
stn_c128 stn_c128_asin(stn_c128 z);  /**< Computes the inverse sine. See stn_c128_exp. */
stn_c128 stn_c128_acos(stn_c128 z);  /**< Computes the inverse cosine. See stn_c128_exp. */
stn_c128 stn_c128_atan(stn_c128 z);  /**< Computes the inverse tangent. See stn_c128_exp. */
stn_c128 stn_c128_sinh(stn_c128 z);  /**< Computes the hyperbolic sine. See stn_c128_exp. */
stn_c128 stn_c128_cosh(stn_c128 z);  /**< Computes the hyperbolic cosine. See stn_c128_exp. */
stn_c128 stn_c128_tanh(stn_c128 z);  /**< Computes the hyperbolic tangent. See stn_c128_exp. */
stn_c128 stn_c128_asinh(stn_c128 z); /**< Computes the inverse hyperbolic sine. See stn_c128_exp. */
/** Computes the inverse hyperbolic cosine. See stn_c128_exp. */
stn_c128 stn_c128_acosh(stn_c128 z);
/** Computes the inverse hyperbolic tangent. See stn_c128_exp. */
stn_c128 stn_c128_atanh(stn_c128 z);

/** Computes `z`^`w`.
 *
 * stn_c128_pow(0, 0) is 1, as for real numbers; Annex G permits NaN. The error is at most (4 + 3 |w
 * log z|) epsilon |z^w|, if w log z is in the range. */
stn_c128 stn_c128_pow(stn_c128 z, stn_c128 w);
#endif

/** @cond INTERNAL */
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

/** @endcond */

#if !defined(__cplusplus) && !defined(STN_OPENCL) && !defined(__STDC_NO_COMPLEX__)
/** Converts a complex number of C, `z`. */
STN_FN stn_c128 stn_c128_of_c(double _Complex z_)
{
    stn_c128 same_;
    memcpy(&same_, &z_, sizeof same_);
    return same_;
}
/** Converts `z` to a complex number of C. */
STN_FN double _Complex stn_c128_to_c(stn_c128 z_)
{
    double _Complex same_;
    memcpy(&same_, &z_, sizeof same_);
    return same_;
}
/** Float version of stn_c128_of_c, of `z`. */
STN_FN stn_c64 stn_c64_of_c(float _Complex z_)
{
    stn_c64 same_;
    memcpy(&same_, &z_, sizeof same_);
    return same_;
}
/** Float version of stn_c128_to_c, of `z`. */
STN_FN float _Complex stn_c64_to_c(stn_c64 z_)
{
    float _Complex same_;
    memcpy(&same_, &z_, sizeof same_);
    return same_;
}
#endif

#ifdef __cplusplus
/* Operators, and conversions from and to std::complex and Kokkos::complex. */
#    if defined(__NVCC__) /* whose warnings take std::complex for the host's only */
#        define STN_ANY_SIDE _Pragma("nv_exec_check_disable")
#    else
#        define STN_ANY_SIDE
#    endif
/* clang-format off */
#    define STN_COMPLEX_OPERATOR(C, part, sign, function)                                          \
        STN_FN C operator sign(C a_, C b_) { return C##_##function(a_, b_); }                      \
        STN_FN C &operator sign##=(C &a_, C b_) { return a_ = C##_##function(a_, b_); }            \
        STN_FN C operator sign(C a_, part b_) { return C##_##function##_real(a_, b_); }            \
        STN_FN C &operator sign##=(C &a_, part b_) { return a_ = C##_##function##_real(a_, b_); }  \
        template <typename element_>                                                               \
        STN_FN typename element_::C##_element operator sign##=(const element_ &a_, part b_)        \
        {                                                                                          \
            return a_ = C##_##function##_real(a_, b_);                                             \
        }
#    define STN_COMPLEX_OPERATORS(C, part, fused)                                                  \
        STN_FN C C##_add_real(C a_, part b_) { return C##_of(a_.re + b_, a_.im); }                 \
        STN_FN C C##_subtract_real(C a_, part b_) { return C##_of(a_.re - b_, a_.im); }            \
        STN_FN C C##_multiply_real(C a_, part b_)                                                  \
        {                                                                                          \
            STN_NO_FUSING                                                                          \
            const part re_ = STN_PRODUCT(a_.re, b_, fused), im_ = STN_PRODUCT(a_.im, b_, fused);   \
            return C##_of(re_, im_);                                                               \
        }                                                                                          \
        STN_FN C C##_divide_real(C a_, part b_) { return C##_of(a_.re / b_, a_.im / b_); }         \
        STN_COMPLEX_OPERATOR(C, part, +, add)                                                      \
        STN_COMPLEX_OPERATOR(C, part, -, subtract)                                                 \
        STN_COMPLEX_OPERATOR(C, part, *, multiply)                                                 \
        STN_COMPLEX_OPERATOR(C, part, /, divide)                                                   \
        STN_FN C operator+(part a_, C b_) { return C##_of(a_ + b_.re, b_.im); }                    \
        STN_FN C operator-(part a_, C b_) { return C##_of(a_ - b_.re, -b_.im); }                   \
        STN_FN C operator*(part a_, C b_) { return C##_multiply_real(b_, a_); }                    \
        STN_FN C operator/(part a_, C b_) { return C##_divide(C##_of(a_, 0), b_); }                \
        STN_FN C operator+(C z_) { return z_; }                                                    \
        STN_FN C operator-(C z_) { return C##_negate(z_); }                                        \
        STN_FN bool operator==(C a_, C b_) { return C##_equal(a_, b_) != 0; }                      \
        STN_FN bool operator!=(C a_, C b_) { return C##_equal(a_, b_) == 0; }                      \
        STN_FN bool operator==(C a_, part b_) { return a_.re == b_ && a_.im == 0; }                \
        STN_FN bool operator!=(C a_, part b_) { return a_.re != b_ || a_.im != 0; }                \
        STN_FN bool operator==(part a_, C b_) { return b_.re == a_ && b_.im == 0; }                \
        STN_FN bool operator!=(part a_, C b_) { return b_.re != a_ || b_.im != 0; }                \
        STN_ANY_SIDE                                                                               \
        template <typename other_> STN_FN C C##_of_cxx(const other_ &z_)                           \
        {                                                                                          \
            return C##_of(z_.real(), z_.imag());                                                   \
        }                                                                                          \
        STN_ANY_SIDE                                                                               \
        template <typename other_> STN_FN other_ C##_to_cxx(C z_) { return other_(z_.re, z_.im); }
/* clang-format on */
STN_COMPLEX_OPERATORS(stn_c64, float, fmaf)
#    ifdef STN_HAVE_DOUBLE
STN_COMPLEX_OPERATORS(stn_c128, double, fma)
#    endif
#endif

#endif
