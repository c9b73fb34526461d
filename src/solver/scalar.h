/* Scalars of methods whose recurrences are complex in complex arithmetic. One text serves both: in
 * real arithmetic there is no imaginary part, and the bits are those of real operations. */
#ifndef STENO_SOLVER_SCALAR_H
#define STENO_SOLVER_SCALAR_H

#include <math.h>

#include "steno/complex.h"

static inline stn_c128 stn_scalar_of(double real)
{
    return stn_c128_of(real, 0.0);
}

static inline int stn_scalar_is_real(stn_c128 a)
{
    return a.im == 0.0;
}

static inline int stn_scalar_is_zero(stn_c128 a)
{
    return a.re == 0.0 && a.im == 0.0;
}

static inline int stn_scalar_is_finite(stn_c128 a)
{
    return isfinite(a.re) && isfinite(a.im);
}

static inline stn_c128 stn_scalar_multiply(stn_c128 a, stn_c128 b)
{
    if (stn_scalar_is_real(a) && stn_scalar_is_real(b))
        return stn_scalar_of(a.re * b.re);
    return stn_c128_multiply(a, b);
}

static inline stn_c128 stn_scalar_divide(stn_c128 a, stn_c128 b)
{
    if (stn_scalar_is_real(a) && stn_scalar_is_real(b))
        return stn_scalar_of(a.re / b.re);
    return stn_c128_divide(a, b);
}

static inline stn_c128 stn_scalar_scale(stn_c128 a, double factor)
{
    return stn_c128_of(a.re * factor, a.im * factor);
}

#endif
