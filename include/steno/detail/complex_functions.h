/* The functions of complex.h for one type, which includes this for each: STN_Z is the type, STN_P
 * that of its parts, STN_Z_(name) and STN_P_(name) are names of functions of theirs, STN_MATH(name)
 * is a real function of <math.h>. No guard: it is meant to be included again. */

/* 2^power, normal. */
STN_FN STN_P STN_Z_(two_to)(int power)
{
    return STN_MATH(ldexp)((STN_P)1, power);
}

/* a b, but a zero where one of them is, whatever the other. */
STN_FN STN_P STN_Z_(times)(STN_P a, STN_P b)
{
    const STN_P of_a = a == a ? STN_MATH(copysign)((STN_P)1, a) : 1;
    const STN_P of_b = b == b ? STN_MATH(copysign)((STN_P)1, b) : 1;
    return a == 0 || b == 0 ? STN_MATH(copysign)((STN_P)0, of_a * of_b) : a * b;
}

STN_FN int STN_Z_(is_finite_part)(STN_P a)
{
    return a - a == 0;
}

STN_FN STN_Z STN_Z_(turn)(STN_Z z) /* i z */
{
    return STN_Z_(of)(-z.im, z.re);
}

STN_FN STN_Z STN_Z_(turn_back)(STN_Z z) /* -i z */
{
    return STN_Z_(of)(z.im, -z.re);
}

STN_FN STN_P STN_Z_(larger_part)(STN_Z z)
{
    const STN_P re = STN_MATH(fabs)(z.re), im = STN_MATH(fabs)(z.im);
    return re > im || re != re ? re : im;
}

STN_FN STN_P STN_Z_(arg)(STN_Z z)
{
    return STN_MATH(atan2)(z.im, z.re);
}

/* factor e^x (re, im), where e^x alone may be beyond the range; the factor is multiplied where the
 * numbers are no longer subnormal. */
STN_FN STN_Z STN_Z_(times_exp)(STN_P factor, STN_P x, STN_P re, STN_P im)
{
    const STN_P most = STN_MOST_EXP;
    for (int k = 0; k < 2 && x > most; k++) {
        const STN_P step = STN_MATH(exp)(most);
        x -= most;
        re = re * step * factor;
        im = im * step * factor;
        factor = 1;
    }
    x = STN_MATH(exp)(x) * factor;
    return STN_Z_(of)(re == 0 ? re : x * re, im == 0 ? im : x * im);
}

STN_FN STN_Z STN_Z_(polar)(STN_P r, STN_P angle)
{
    if (angle == 0)
        return STN_Z_(of)(r, STN_Z_(times)(r, angle));
    return STN_Z_(of)(r * STN_MATH(cos)(angle), r * STN_MATH(sin)(angle));
}

/* The larger part of the root is sqrt((|x| + |z|) / 2), the other one follows from 2 Re Im = y. */
STN_FN STN_Z STN_Z_(sqrt)(STN_Z z)
{
    const STN_P infinity = STN_P_(infinity)();
    STN_P root, other;
    if (STN_P_(is_infinite)(z.im))
        return STN_Z_(of)(infinity, z.im);
    if (STN_P_(is_infinite)(z.re)) {
        other = STN_MATH(copysign)(z.im == z.im ? (STN_P)0 : z.im, z.im);
        return z.re > 0
                   ? STN_Z_(of)(z.re, other)
                   : STN_Z_(of)(z.im == z.im ? (STN_P)0 : z.im, STN_MATH(copysign)(infinity, z.im));
    }
    if (z.re == 0 && z.im == 0)
        return STN_Z_(of)(0, z.im);
    {
        const STN_P scale = STN_P_(half_scale)(STN_P_(half_exponent)(z.re, z.im)),
                    re = z.re * scale * scale, im = z.im * scale * scale;
        root = STN_MATH(sqrt)((STN_MATH(fabs)(re) + STN_Z_(abs)(STN_Z_(of)(re, im))) / 2) / scale;
    }
    other = STN_MATH(fabs)(z.im) / (2 * root);
    return z.re < 0 ? STN_Z_(of)(other, STN_MATH(copysign)(root, z.im))
                    : STN_Z_(of)(root, STN_MATH(copysign)(other, z.im));
}

STN_FN STN_Z STN_Z_(exp)(STN_Z z)
{
    if (z.im == 0)
        return STN_Z_(of)(STN_MATH(exp)(z.re), z.im);
    if (STN_P_(is_infinite)(z.re) && !STN_Z_(is_finite_part)(z.im))
        return z.re > 0 ? STN_Z_(of)(z.re, z.im - z.im) : STN_Z_(of)(0, 0);
    return STN_Z_(times_exp)(1, z.re, STN_MATH(cos)(z.im), STN_MATH(sin)(z.im));
}

/* |z|^2 - 1 for |z| from 1/2 to 2: squares with their errors, so that nothing is lost where it
 * vanishes. */
STN_FN STN_P STN_Z_(norm_less_one)(STN_P larger, STN_P smaller)
{
    STN_NO_FUSING
    const STN_P a = STN_PRODUCT(larger, larger, STN_MATH(fma)),
                b = STN_PRODUCT(smaller, smaller, STN_MATH(fma));
    const STN_P of_a = -STN_P_(product_error)(a, larger, larger),
                of_b = smaller < STN_Z_(two_to)(-STN_DIGITS)
                           ? (STN_P)0
                           : -STN_P_(product_error)(b, smaller, smaller);
    const STN_P rest = a - 1, sum = rest + b, of_rest = sum - b;
    const STN_P of_one = a - (rest + 1); /* what a - 1 loses where a is less than a half */
    const STN_P lost = (rest - of_rest) + (b - (sum - of_rest)) + of_one;
    const STN_P errors = of_a + of_b, of_of_a = errors - of_b;
    const STN_P lost_errors = (of_a - of_of_a) + (of_b - (errors - of_of_a));
    return (sum + errors) + (lost + lost_errors);
}

STN_FN STN_P STN_Z_(log_abs)(STN_Z z)
{
    const STN_P larger = STN_Z_(larger_part)(z);
    const int power = STN_EXPONENT / 2;
    if (larger > STN_Z_(two_to)(STN_EXPONENT - 1) && !STN_Z_(is_infinite)(z)) {
        const STN_P scale = STN_Z_(two_to)(-power);
        return STN_MATH(log)(STN_Z_(abs)(STN_Z_(of)(z.re * scale, z.im * scale))) +
               (STN_P)power * STN_LN_2;
    }
    if (larger > 0 && larger < STN_Z_(two_to)(-power)) {
        const STN_P scale = STN_Z_(two_to)(power);
        return STN_MATH(log)(STN_Z_(abs)(STN_Z_(of)(z.re * scale, z.im * scale))) -
               (STN_P)power * STN_LN_2;
    }
    {
        const STN_P r = STN_Z_(abs)(z), re = STN_MATH(fabs)(z.re), im = STN_MATH(fabs)(z.im);
        if (r > 0.5f && r < 2)
            return STN_MATH(log1p)(STN_Z_(norm_less_one)(larger, re > im ? im : re)) / 2;
        return STN_MATH(log)(r);
    }
}

STN_FN STN_Z STN_Z_(log)(STN_Z z)
{
    return STN_Z_(of)(STN_Z_(log_abs)(z), STN_Z_(arg)(z));
}

STN_FN STN_Z STN_Z_(log10)(STN_Z z)
{
    const STN_P of_e = STN_LOG10_E;
    return STN_Z_(of)(STN_Z_(log_abs)(z) * of_e, STN_Z_(arg)(z) * of_e);
}

/* Infinities are one: of C11 7.3.9.5, also beside a NaN. */
STN_FN STN_Z STN_Z_(proj)(STN_Z z)
{
    if (!STN_Z_(is_infinite)(z))
        return z;
    return STN_Z_(of)(STN_P_(infinity)(), STN_MATH(copysign)((STN_P)0, z.im));
}

/* z^0 is 1 whatever z is, as it is of real numbers. */
STN_FN STN_Z STN_Z_(pow)(STN_Z z, STN_Z w)
{
    if (w.re == 0 && w.im == 0)
        return STN_Z_(of)(1, 0);
    if (z.re == 0 && z.im == 0 && w.re > 0)
        return STN_Z_(of)(0, 0);
    return STN_Z_(exp)(STN_Z_(multiply)(w, STN_Z_(log)(z)));
}

/* (cosh x cos y, sinh x sin y), or with sinh and cosh exchanged. */
STN_FN STN_Z STN_Z_(hyperbolic)(STN_Z z, int is_sine)
{
    const STN_P cosine = STN_MATH(cos)(z.im), sine = STN_MATH(sin)(z.im);
    if (STN_P_(is_infinite)(z.re) && !STN_Z_(is_finite_part)(z.im))
        return STN_Z_(of)(is_sine ? z.re : STN_MATH(fabs)(z.re), z.im - z.im);
    if (STN_MATH(fabs)(z.re) > STN_MOST_EXP && !STN_P_(is_infinite)(z.re)) {
        const STN_P sign = STN_MATH(copysign)((STN_P)1, z.re);
        return STN_Z_(times_exp)((STN_P)0.5f, STN_MATH(fabs)(z.re),
                                 is_sine ? sign * cosine : cosine, is_sine ? sine : sign * sine);
    }
    {
        const STN_P even = STN_MATH(cosh)(z.re), odd = STN_MATH(sinh)(z.re);
        return STN_Z_(of)(STN_Z_(times)(is_sine ? odd : even, cosine),
                          STN_Z_(times)(is_sine ? even : odd, sine));
    }
}

STN_FN STN_Z STN_Z_(sinh)(STN_Z z)
{
    return STN_Z_(hyperbolic)(z, 1);
}

STN_FN STN_Z STN_Z_(cosh)(STN_Z z)
{
    return STN_Z_(hyperbolic)(z, 0);
}

STN_FN STN_Z STN_Z_(tanh)(STN_Z z)
{
    const STN_P x = STN_MATH(fabs)(z.re), cosine = STN_MATH(cos)(z.im), sine = STN_MATH(sin)(z.im);
    if (STN_P_(is_infinite)(z.re))
        return STN_Z_(of)(
            STN_MATH(copysign)((STN_P)1, z.re),
            STN_MATH(copysign)((STN_P)0, STN_Z_(is_finite_part)(z.im) ? sine * cosine : z.im));
    if (!STN_Z_(is_finite_part)(z.im) && z.re != 0)
        return STN_Z_(of)(z.im - z.im, z.im - z.im);
    if (z.im == 0)
        return STN_Z_(of)(STN_MATH(tanh)(z.re), z.im);
    if (z.re == 0)
        return STN_Z_(of)(z.re, STN_MATH(tan)(z.im));
    if (x > STN_DIGITS) {
        const STN_P decay = STN_MATH(exp)(-x);
        return STN_Z_(of)(STN_MATH(copysign)((STN_P)1, z.re), 4 * sine * cosine * decay * decay);
    }
    {
        const STN_P odd = STN_MATH(sinh)(z.re), even = STN_MATH(cosh)(z.re);
        const STN_P below = odd * odd + cosine * cosine;
        return STN_Z_(of)(odd * even / below, sine * cosine / below);
    }
}

/* Where the functions below are their first term, or the logarithm of 2 z. */
STN_FN int STN_Z_(is_small)(STN_Z z)
{
    return STN_Z_(larger_part)(z) < STN_Z_(two_to)(-STN_DIGITS / 2 - 3);
}

STN_FN int STN_Z_(is_large)(STN_Z z)
{
    return STN_Z_(is_infinite)(z) || STN_Z_(larger_part)(z) > STN_Z_(two_to)(STN_DIGITS / 2 + 3);
}

/* The roots of 1 - z and 1 + z: sums of their parts' products cancel nowhere (Kahan). */
STN_FN STN_Z STN_Z_(asin)(STN_Z z)
{
    if (z.re == 0 && z.im != z.im)
        return z;
    if (STN_Z_(is_small)(z))
        return z;
    if (STN_Z_(is_large)(z))
        return STN_Z_(of)(STN_MATH(atan2)(z.re, STN_MATH(fabs)(z.im)),
                          STN_MATH(copysign)(STN_Z_(log_abs)(z) + STN_LN_2, z.im));
    {
        const STN_Z less = STN_Z_(sqrt)(STN_Z_(of)(1 - z.re, -z.im));
        const STN_Z more = STN_Z_(sqrt)(STN_Z_(of)(1 + z.re, z.im));
        return STN_Z_(of)(STN_MATH(atan2)(z.re, less.re * more.re - less.im * more.im),
                          STN_MATH(asinh)(less.re * more.im - less.im * more.re));
    }
}

STN_FN STN_Z STN_Z_(acos)(STN_Z z)
{
    if (z.re == 0 && z.im != z.im)
        return STN_Z_(of)(STN_PI / 2, z.im);
    if (STN_Z_(is_small)(z))
        return STN_Z_(of)(STN_PI / 2 - z.re, -z.im);
    if (STN_Z_(is_large)(z))
        return STN_Z_(of)(STN_MATH(atan2)(STN_MATH(fabs)(z.im), z.re),
                          -STN_MATH(copysign)(STN_Z_(log_abs)(z) + STN_LN_2, z.im));
    {
        const STN_Z less = STN_Z_(sqrt)(STN_Z_(of)(1 - z.re, -z.im));
        const STN_Z more = STN_Z_(sqrt)(STN_Z_(of)(1 + z.re, z.im));
        return STN_Z_(of)(2 * STN_MATH(atan2)(less.re, more.re),
                          STN_MATH(asinh)(more.re * less.im - more.im * less.re));
    }
}

STN_FN STN_Z STN_Z_(acosh)(STN_Z z)
{
    const STN_Z w = STN_Z_(acos)(z);
    return STN_Z_(of)(STN_MATH(fabs)(w.im), STN_MATH(copysign)(w.re, z.im));
}

STN_FN STN_Z STN_Z_(asinh)(STN_Z z)
{
    return STN_Z_(turn_back)(STN_Z_(asin)(STN_Z_(turn)(z)));
}

/* Half of the logarithm of |1 + z| / |1 - z|, for x >= 0. */
STN_FN STN_P STN_Z_(half_log_ratio)(STN_P x, STN_P y)
{
    const STN_P less = 1 - x;
    y = STN_MATH(fabs)(y);
    if (less == 0 && y < STN_Z_(two_to)(-STN_DIGITS))
        return (STN_LN_2 - STN_MATH(log)(y)) / 2;
    return STN_MATH(log1p)(4 * x / (less * less + y * y)) / 4;
}

STN_FN STN_Z STN_Z_(atanh)(STN_Z z)
{
    const STN_P x = STN_MATH(fabs)(z.re), y = z.im;
    if (z.re == 0 && y != y)
        return z;
    if (STN_Z_(is_small)(z))
        return z;
    if (STN_Z_(is_infinite)(z))
        return STN_Z_(of)(STN_MATH(copysign)((STN_P)0, z.re),
                          y == y ? STN_MATH(copysign)(STN_PI / 2, y) : y);
    if (STN_Z_(is_large)(z)) { /* i pi / 2 + 1 / z */
        const STN_P radius = STN_Z_(abs)(STN_Z_(of)(x / 2, y / 2));
        const STN_P im = STN_PI / 2 - STN_MATH(fabs)(y) / radius / 4 / radius;
        return STN_Z_(of)(STN_MATH(copysign)(x / radius / 4 / radius, z.re),
                          STN_MATH(copysign)(im, y));
    }
    return STN_Z_(of)(STN_MATH(copysign)(STN_Z_(half_log_ratio)(x, y), z.re),
                      STN_MATH(atan2)(2 * y, (1 - x) * (1 + x) - y * y) / 2);
}

STN_FN STN_Z STN_Z_(sin)(STN_Z z)
{
    return STN_Z_(turn_back)(STN_Z_(sinh)(STN_Z_(turn)(z)));
}

STN_FN STN_Z STN_Z_(cos)(STN_Z z)
{
    return STN_Z_(cosh)(STN_Z_(turn)(z));
}

STN_FN STN_Z STN_Z_(tan)(STN_Z z)
{
    return STN_Z_(turn_back)(STN_Z_(tanh)(STN_Z_(turn)(z)));
}

STN_FN STN_Z STN_Z_(atan)(STN_Z z)
{
    return STN_Z_(turn_back)(STN_Z_(atanh)(STN_Z_(turn)(z)));
}

#undef STN_Z
#undef STN_Z_
#undef STN_P
#undef STN_P_
#undef STN_EXPONENT
#undef STN_DIGITS
#undef STN_PI
#undef STN_LN_2
#undef STN_LOG10_E
#undef STN_MOST_EXP
#undef STN_MATH
