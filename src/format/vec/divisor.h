/* A scale by which values of the arithmetic type T are divided (format/vec/quotient.h), and a zero
 * point. */
#include "format/of.h"

typedef struct of(divisor)
{
    REAL scale, zero;
    REAL inverse;     /* the reciprocal of the scale, rounded to nearest */
    REAL lower, rest; /* their sum is the reciprocal; both have its sign */
    int is_exact;     /* the inverse is, and any value may be multiplied by it */
    int divides;      /* the scale is beyond the limits */
}
of(divisor);

#ifdef __AVX512F__
STN_FN of(divisor) of(divisor_of)(REAL scale)
{
    const REAL size = scale < 0 ? -scale : scale, inverse = 1 / scale;
    const int is_above = of(FMA)(-scale, inverse, 1) < 0;
    const REAL lower = of(OF_BITS)(of(BITS)(inverse) - (unsigned)is_above);
    return (of(divisor)){.scale = scale,
                         .inverse = inverse,
                         .lower = lower,
                         .rest = of(FMA)(-scale, lower, 1) * inverse,
                         .divides = !(size >= of(LEAST_SCALE) && size <= 1 / of(LEAST_SCALE))};
}
#else
STN_FN of(divisor) of(divisor_of)(REAL scale) /* values are divided */
{
    return (of(divisor)){.scale = scale};
}
#endif

STN_FN of(divisor) of(take_divisor)(const stn_affine *affine)
{
    of(divisor) divisor = {.scale = 1, .inverse = 1, .is_exact = 1};
    if (affine->inverse == 0.0)
        divisor = of(divisor_of)((REAL)affine->scale);
    else
        divisor.inverse = (REAL)affine->inverse;
    divisor.zero = (REAL)affine->zero;
    return divisor;
}

#undef T
#undef REAL
