/* Operations on real and complex numbers by the same names, for code that is compiled for both. */
#ifndef STENO_PRECONDITION_NUMBER_H
#define STENO_PRECONDITION_NUMBER_H

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "steno/complex.h"

/* For messages. */
typedef struct stn_number_text {
    char text[64];
} stn_number_text;

static inline stn_number_text stn_number_text_f64(double a)
{
    stn_number_text result;
    snprintf(result.text, sizeof result.text, "%g", a);
    return result;
}

static inline stn_number_text stn_number_text_c128(stn_c128 a)
{
    stn_number_text result;
    snprintf(result.text, sizeof result.text, "%g %+g i", a.re, a.im);
    return result;
}

static inline int stn_number_is_positive_f64(double a)
{
    return a > 0.0;
}

static inline int stn_number_is_positive_c128(stn_c128 a)
{
    return a.re > 0.0;
}

static inline double stn_number_size_f64(double a)
{
    return fabs(a);
}

static inline int stn_number_is_finite_f64(double a)
{
    return isfinite(a);
}

/* Exponent of the larger part; the smallest integer for 0. */
static inline int stn_number_exponent_f64(double a)
{
    return a == 0.0 ? INT_MIN : ilogb(a);
}

static inline double stn_number_shift_f64(double a, int exponent)
{
    return ldexp(a, exponent);
}

static inline double stn_number_conj_f64(double a)
{
    return a;
}

static inline double stn_number_real_f64(double a)
{
    return a;
}

static inline int stn_number_equal_f64(double a, double b)
{
    return a == b;
}

/* a - b c, with product and difference rounded; complex: each part. */
static inline double stn_number_less_f64(double a, double b, double c)
{
    return a - b * c;
}

static inline double stn_number_divide_f64(double a, double b)
{
    return a / b;
}

static inline double stn_number_mean_f64(double a, double b)
{
    return 0.5 * a + 0.5 * b;
}

static inline double stn_number_size_c128(stn_c128 a)
{
    return stn_c128_abs(a);
}

static inline int stn_number_is_finite_c128(stn_c128 a)
{
    return isfinite(a.re) && isfinite(a.im);
}

static inline int stn_number_exponent_c128(stn_c128 a)
{
    return stn_number_exponent_f64(fmax(fabs(a.re), fabs(a.im)));
}

static inline stn_c128 stn_number_shift_c128(stn_c128 a, int exponent)
{
    return stn_c128_of(ldexp(a.re, exponent), ldexp(a.im, exponent));
}

static inline stn_c128 stn_number_conj_c128(stn_c128 a)
{
    return stn_c128_conj(a);
}

static inline stn_c128 stn_number_real_c128(stn_c128 a)
{
    return stn_c128_of(a.re, 0.0);
}

static inline int stn_number_equal_c128(stn_c128 a, stn_c128 b)
{
    return a.re == b.re && a.im == b.im;
}

static inline stn_c128 stn_number_less_c128(stn_c128 a, stn_c128 b, stn_c128 c)
{
    return stn_c128_subtract(a, stn_c128_multiply_fast(b, c));
}

static inline stn_c128 stn_number_divide_c128(stn_c128 a, stn_c128 b)
{
    return stn_c128_divide(a, b);
}

static inline stn_c128 stn_number_mean_c128(stn_c128 a, stn_c128 b)
{
    return stn_c128_of(stn_number_mean_f64(a.re, b.re), stn_number_mean_f64(a.im, b.im));
}

#endif
