/* Numbers of methods whose recurrences are complex in complex arithmetic: one text for both, since
 * those of real arithmetic have no imaginary part and the bits of real operations. */
#ifndef STENO_SOLVER_NUMBER_H
#define STENO_SOLVER_NUMBER_H

#include <math.h>

#include "steno/complex.h"

static inline stn_c128 stn_number_of(double real)
{
    return stn_c128_of(real, 0.0);
}

static inline int stn_number_is_real(stn_c128 a)
{
    return a.im == 0.0;
}

static inline int stn_number_is_zero(stn_c128 a)
{
    return a.re == 0.0 && a.im == 0.0;
}

static inline int stn_number_is_finite(stn_c128 a)
{
    return isfinite(a.re) && isfinite(a.im);
}

static inline stn_c128 stn_number_multiply(stn_c128 a, stn_c128 b)
{
    if (stn_number_is_real(a) && stn_number_is_real(b))
        return stn_number_of(a.re * b.re);
    return stn_c128_multiply(a, b);
}

static inline stn_c128 stn_number_divide(stn_c128 a, stn_c128 b)
{
    if (stn_number_is_real(a) && stn_number_is_real(b))
        return stn_number_of(a.re / b.re);
    return stn_c128_divide(a, b);
}

static inline stn_c128 stn_number_scale(stn_c128 a, double factor)
{
    return stn_c128_of(a.re * factor, a.im * factor);
}

#endif
