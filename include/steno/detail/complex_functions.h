/* The functions of complex.h for one type. complex.h includes this file once per type: STN_Z is the
 * type, STN_P the type of its parts, STN_Z_(name) and STN_P_(name) are names of their functions,
 * and STN_MATH(name) is a real function of <math.h>. */

/* 2^power, normal. */
STN_FN STN_P STN_Z_(two_to)(int power_) { return STN_MATH(ldexp)((STN_P)1, power_); }

/* a b; a zero if one of them is zero, even if the other is infinite or NaN. */
STN_FN STN_P STN_Z_(times)(STN_P a_, STN_P b_)
{
    const STN_P of_a_ = a_ == a_ ? STN_MATH(copysign)((STN_P)1, a_) : 1;
    const STN_P of_b_ = b_ == b_ ? STN_MATH(copysign)((STN_P)1, b_) : 1;
    return a_ == 0 || b_ == 0 ? STN_MATH(copysign)((STN_P)0, of_a_ * of_b_) : a_ * b_;
}
STN_FN int STN_Z_(is_finite_part)(STN_P a_) { return a_ - a_ == 0; }
STN_FN STN_Z STN_Z_(turn)(STN_Z z_) /* i z */ { return STN_Z_(of)(-z_.im, z_.re); }
STN_FN STN_Z STN_Z_(turn_back)(STN_Z z_) /* -i z */ { return STN_Z_(of)(z_.im, -z_.re); }
STN_FN STN_P STN_Z_(larger_part)(STN_Z z_)
{
    const STN_P re_ = STN_MATH(fabs)(z_.re), im_ = STN_MATH(fabs)(z_.im);
    return re_ > im_ || re_ != re_ ? re_ : im_;
}
STN_FN STN_P STN_Z_(arg)(STN_Z z_) { return STN_MATH(atan2)(z_.im, z_.re); }

/* factor e^x (re, im), where e^x alone may overflow. The factor is applied while the numbers are
 * not subnormal. */
STN_FN STN_Z STN_Z_(times_exp)(STN_P factor_, STN_P x_, STN_P re_, STN_P im_)
{
    const STN_P most_ = STN_MOST_EXP;
    for (int k_ = 0; k_ < 2 && x_ > most_; k_++) {
        const STN_P step_ = STN_MATH(exp)(most_);
        x_ -= most_;
        re_ = re_ * step_ * factor_;
        im_ = im_ * step_ * factor_;
        factor_ = 1;
    }
    x_ = STN_MATH(exp)(x_) * factor_;
    return STN_Z_(of)(re_ == 0 ? re_ : x_ * re_, im_ == 0 ? im_ : x_ * im_);
}

STN_FN STN_Z STN_Z_(polar)(STN_P r_, STN_P angle_)
{
    if (angle_ == 0)
        return STN_Z_(of)(r_, STN_Z_(times)(r_, angle_));
    return STN_Z_(of)(r_ * STN_MATH(cos)(angle_), r_ * STN_MATH(sin)(angle_));
}

/* The larger part of the root is sqrt((|x| + |z|) / 2), the other one follows from 2 Re Im = y. */
STN_FN STN_Z STN_Z_(sqrt)(STN_Z z_)
{
    const STN_P infinity_ = STN_P_(infinity)();
    STN_P root_, other_;
    if (STN_P_(is_infinite)(z_.im))
        return STN_Z_(of)(infinity_, z_.im);
    if (STN_P_(is_infinite)(z_.re)) {
        other_ = STN_MATH(copysign)(z_.im == z_.im ? (STN_P)0 : z_.im, z_.im);
        return z_.re > 0 ? STN_Z_(of)(z_.re, other_)
                         : STN_Z_(of)(z_.im == z_.im ? (STN_P)0 : z_.im,
                                      STN_MATH(copysign)(infinity_, z_.im));
    }
    if (z_.re == 0 && z_.im == 0)
        return STN_Z_(of)(0, z_.im);
    {
        const STN_P scale_ = STN_P_(half_scale)(STN_P_(half_exponent)(z_.re, z_.im)),
                    re_ = z_.re * scale_ * scale_, im_ = z_.im * scale_ * scale_;
        root_ =
            STN_MATH(sqrt)((STN_MATH(fabs)(re_) + STN_Z_(abs)(STN_Z_(of)(re_, im_))) / 2) / scale_;
    }
    other_ = STN_MATH(fabs)(z_.im) / (2 * root_);
    return z_.re < 0 ? STN_Z_(of)(other_, STN_MATH(copysign)(root_, z_.im))
                     : STN_Z_(of)(root_, STN_MATH(copysign)(other_, z_.im));
}

STN_FN STN_Z STN_Z_(exp)(STN_Z z_)
{
    if (z_.im == 0)
        return STN_Z_(of)(STN_MATH(exp)(z_.re), z_.im);
    if (STN_P_(is_infinite)(z_.re) && !STN_Z_(is_finite_part)(z_.im))
        return z_.re > 0 ? STN_Z_(of)(z_.re, z_.im - z_.im) : STN_Z_(of)(0, 0);
    return STN_Z_(times_exp)(1, z_.re, STN_MATH(cos)(z_.im), STN_MATH(sin)(z_.im));
}

/* |z|^2 - 1 for |z| from 1/2 to 2: squares with their rounding errors, so that the result is
 * accurate near zero. */
STN_FN STN_P STN_Z_(norm_less_one)(STN_P larger_, STN_P smaller_)
{
    STN_NO_FUSING
    const STN_P a_ = STN_PRODUCT(larger_, larger_, STN_MATH(fma)),
                b_ = STN_PRODUCT(smaller_, smaller_, STN_MATH(fma));
    const STN_P of_a_ = -STN_P_(product_error)(a_, larger_, larger_),
                of_b_ = smaller_ < STN_Z_(two_to)(-STN_DIGITS)
                            ? (STN_P)0
                            : -STN_P_(product_error)(b_, smaller_, smaller_);
    const STN_P rest_ = a_ - 1, sum_ = rest_ + b_, of_rest_ = sum_ - b_;
    const STN_P of_one_ = a_ - (rest_ + 1); /* the rounding error of a - 1 if a < 1/2 */
    const STN_P lost_ = (rest_ - of_rest_) + (b_ - (sum_ - of_rest_)) + of_one_;
    const STN_P errors_ = of_a_ + of_b_, of_of_a_ = errors_ - of_b_;
    const STN_P lost_errors_ = (of_a_ - of_of_a_) + (of_b_ - (errors_ - of_of_a_));
    return (sum_ + errors_) + (lost_ + lost_errors_);
}

STN_FN STN_P STN_Z_(log_abs)(STN_Z z_)
{
    const STN_P larger_ = STN_Z_(larger_part)(z_);
    const int power_ = STN_EXPONENT / 2;
    if (larger_ > STN_Z_(two_to)(STN_EXPONENT - 1) && !STN_Z_(is_infinite)(z_)) {
        const STN_P scale_ = STN_Z_(two_to)(-power_);
        return STN_MATH(log)(STN_Z_(abs)(STN_Z_(of)(z_.re * scale_, z_.im * scale_))) +
               (STN_P)power_ * STN_LN_2;
    }
    if (larger_ > 0 && larger_ < STN_Z_(two_to)(-power_)) {
        const STN_P scale_ = STN_Z_(two_to)(power_);
        return STN_MATH(log)(STN_Z_(abs)(STN_Z_(of)(z_.re * scale_, z_.im * scale_))) -
               (STN_P)power_ * STN_LN_2;
    }
    {
        const STN_P r_ = STN_Z_(abs)(z_), re_ = STN_MATH(fabs)(z_.re), im_ = STN_MATH(fabs)(z_.im);
        if (r_ > 0.5f && r_ < 2)
            return STN_MATH(log1p)(STN_Z_(norm_less_one)(larger_, re_ > im_ ? im_ : re_)) / 2;
        return STN_MATH(log)(r_);
    }
}
STN_FN STN_Z STN_Z_(log)(STN_Z z_) { return STN_Z_(of)(STN_Z_(log_abs)(z_), STN_Z_(arg)(z_)); }
STN_FN STN_Z STN_Z_(log10)(STN_Z z_)
{
    const STN_P of_e_ = STN_LOG10_E;
    return STN_Z_(of)(STN_Z_(log_abs)(z_) * of_e_, STN_Z_(arg)(z_) * of_e_);
}

/* Every infinity becomes one (C11 7.3.9.5), even if the other part is NaN. */
STN_FN STN_Z STN_Z_(proj)(STN_Z z_)
{
    if (!STN_Z_(is_infinite)(z_))
        return z_;
    return STN_Z_(of)(STN_P_(infinity)(), STN_MATH(copysign)((STN_P)0, z_.im));
}

/* z^0 is 1 for every z, as for real numbers. */
STN_FN STN_Z STN_Z_(pow)(STN_Z z_, STN_Z w_)
{
    if (w_.re == 0 && w_.im == 0)
        return STN_Z_(of)(1, 0);
    if (z_.re == 0 && z_.im == 0 && w_.re > 0)
        return STN_Z_(of)(0, 0);
    return STN_Z_(exp)(STN_Z_(multiply)(w_, STN_Z_(log)(z_)));
}

/* (cosh x cos y, sinh x sin y), or with sinh and cosh exchanged. */
STN_FN STN_Z STN_Z_(hyperbolic)(STN_Z z_, int is_sine_)
{
    const STN_P cosine_ = STN_MATH(cos)(z_.im), sine_ = STN_MATH(sin)(z_.im);
    if (STN_P_(is_infinite)(z_.re) && !STN_Z_(is_finite_part)(z_.im))
        return STN_Z_(of)(is_sine_ ? z_.re : STN_MATH(fabs)(z_.re), z_.im - z_.im);
    if (STN_MATH(fabs)(z_.re) > STN_MOST_EXP && !STN_P_(is_infinite)(z_.re)) {
        const STN_P sign_ = STN_MATH(copysign)((STN_P)1, z_.re);
        return STN_Z_(times_exp)((STN_P)0.5f, STN_MATH(fabs)(z_.re),
                                 is_sine_ ? sign_ * cosine_ : cosine_,
                                 is_sine_ ? sine_ : sign_ * sine_);
    }
    {
        const STN_P even_ = STN_MATH(cosh)(z_.re), odd_ = STN_MATH(sinh)(z_.re);
        return STN_Z_(of)(STN_Z_(times)(is_sine_ ? odd_ : even_, cosine_),
                          STN_Z_(times)(is_sine_ ? even_ : odd_, sine_));
    }
}
STN_FN STN_Z STN_Z_(sinh)(STN_Z z_) { return STN_Z_(hyperbolic)(z_, 1); }
STN_FN STN_Z STN_Z_(cosh)(STN_Z z_) { return STN_Z_(hyperbolic)(z_, 0); }
STN_FN STN_Z STN_Z_(tanh)(STN_Z z_)
{
    const STN_P x_ = STN_MATH(fabs)(z_.re), cosine_ = STN_MATH(cos)(z_.im),
                sine_ = STN_MATH(sin)(z_.im);
    if (STN_P_(is_infinite)(z_.re))
        return STN_Z_(of)(
            STN_MATH(copysign)((STN_P)1, z_.re),
            STN_MATH(copysign)((STN_P)0, STN_Z_(is_finite_part)(z_.im) ? sine_ * cosine_ : z_.im));
    if (!STN_Z_(is_finite_part)(z_.im) && z_.re != 0)
        return STN_Z_(of)(z_.im - z_.im, z_.im - z_.im);
    if (z_.im == 0)
        return STN_Z_(of)(STN_MATH(tanh)(z_.re), z_.im);
    if (z_.re == 0)
        return STN_Z_(of)(z_.re, STN_MATH(tan)(z_.im));
    if (x_ > STN_DIGITS) {
        const STN_P decay_ = STN_MATH(exp)(-x_);
        return STN_Z_(of)(STN_MATH(copysign)((STN_P)1, z_.re),
                          4 * sine_ * cosine_ * decay_ * decay_);
    }
    {
        const STN_P odd_ = STN_MATH(sinh)(z_.re), even_ = STN_MATH(cosh)(z_.re);
        const STN_P below_ = odd_ * odd_ + cosine_ * cosine_;
        return STN_Z_(of)(odd_ * even_ / below_, sine_ * cosine_ / below_);
    }
}

/* Arguments for which the functions below equal their first term, or the logarithm of 2 z. */
STN_FN int STN_Z_(is_small)(STN_Z z_)
{
    return STN_Z_(larger_part)(z_) < STN_Z_(two_to)(-STN_DIGITS / 2 - 3);
}

STN_FN int STN_Z_(is_large)(STN_Z z_)
{
    return STN_Z_(is_infinite)(z_) || STN_Z_(larger_part)(z_) > STN_Z_(two_to)(STN_DIGITS / 2 + 3);
}

/* The roots of 1 - z and 1 + z: sums of products of their parts do not cancel (Kahan). */
STN_FN STN_Z STN_Z_(asin)(STN_Z z_)
{
    if (z_.re == 0 && z_.im != z_.im)
        return z_;
    if (STN_Z_(is_small)(z_))
        return z_;
    if (STN_Z_(is_large)(z_))
        return STN_Z_(of)(STN_MATH(atan2)(z_.re, STN_MATH(fabs)(z_.im)),
                          STN_MATH(copysign)(STN_Z_(log_abs)(z_) + STN_LN_2, z_.im));
    {
        const STN_Z less_ = STN_Z_(sqrt)(STN_Z_(of)(1 - z_.re, -z_.im));
        const STN_Z more_ = STN_Z_(sqrt)(STN_Z_(of)(1 + z_.re, z_.im));
        return STN_Z_(of)(STN_MATH(atan2)(z_.re, less_.re * more_.re - less_.im * more_.im),
                          STN_MATH(asinh)(less_.re * more_.im - less_.im * more_.re));
    }
}

STN_FN STN_Z STN_Z_(acos)(STN_Z z_)
{
    if (z_.re == 0 && z_.im != z_.im)
        return STN_Z_(of)(STN_PI / 2, z_.im);
    if (STN_Z_(is_small)(z_))
        return STN_Z_(of)(STN_PI / 2 - z_.re, -z_.im);
    if (STN_Z_(is_large)(z_))
        return STN_Z_(of)(STN_MATH(atan2)(STN_MATH(fabs)(z_.im), z_.re),
                          -STN_MATH(copysign)(STN_Z_(log_abs)(z_) + STN_LN_2, z_.im));
    {
        const STN_Z less_ = STN_Z_(sqrt)(STN_Z_(of)(1 - z_.re, -z_.im));
        const STN_Z more_ = STN_Z_(sqrt)(STN_Z_(of)(1 + z_.re, z_.im));
        return STN_Z_(of)(2 * STN_MATH(atan2)(less_.re, more_.re),
                          STN_MATH(asinh)(more_.re * less_.im - more_.im * less_.re));
    }
}

STN_FN STN_Z STN_Z_(acosh)(STN_Z z_)
{
    const STN_Z w_ = STN_Z_(acos)(z_);
    return STN_Z_(of)(STN_MATH(fabs)(w_.im), STN_MATH(copysign)(w_.re, z_.im));
}
STN_FN STN_Z STN_Z_(asinh)(STN_Z z_) { return STN_Z_(turn_back)(STN_Z_(asin)(STN_Z_(turn)(z_))); }

/* Half of the logarithm of |1 + z| / |1 - z|, for x >= 0. */
STN_FN STN_P STN_Z_(half_log_ratio)(STN_P x_, STN_P y_)
{
    const STN_P less_ = 1 - x_;
    y_ = STN_MATH(fabs)(y_);
    if (less_ == 0 && y_ < STN_Z_(two_to)(-STN_DIGITS))
        return (STN_LN_2 - STN_MATH(log)(y_)) / 2;
    return STN_MATH(log1p)(4 * x_ / (less_ * less_ + y_ * y_)) / 4;
}

STN_FN STN_Z STN_Z_(atanh)(STN_Z z_)
{
    const STN_P x_ = STN_MATH(fabs)(z_.re), y_ = z_.im;
    if (z_.re == 0 && y_ != y_)
        return z_;
    if (STN_Z_(is_small)(z_))
        return z_;
    if (STN_Z_(is_infinite)(z_))
        return STN_Z_(of)(STN_MATH(copysign)((STN_P)0, z_.re),
                          y_ == y_ ? STN_MATH(copysign)(STN_PI / 2, y_) : y_);
    if (STN_Z_(is_large)(z_)) { /* i pi / 2 + 1 / z */
        const STN_P radius_ = STN_Z_(abs)(STN_Z_(of)(x_ / 2, y_ / 2));
        const STN_P im_ = STN_PI / 2 - STN_MATH(fabs)(y_) / radius_ / 4 / radius_;
        return STN_Z_(of)(STN_MATH(copysign)(x_ / radius_ / 4 / radius_, z_.re),
                          STN_MATH(copysign)(im_, y_));
    }
    return STN_Z_(of)(STN_MATH(copysign)(STN_Z_(half_log_ratio)(x_, y_), z_.re),
                      STN_MATH(atan2)(2 * y_, (1 - x_) * (1 + x_) - y_ * y_) / 2);
}
STN_FN STN_Z STN_Z_(sin)(STN_Z z_) { return STN_Z_(turn_back)(STN_Z_(sinh)(STN_Z_(turn)(z_))); }
STN_FN STN_Z STN_Z_(cos)(STN_Z z_) { return STN_Z_(cosh)(STN_Z_(turn)(z_)); }
STN_FN STN_Z STN_Z_(tan)(STN_Z z_) { return STN_Z_(turn_back)(STN_Z_(tanh)(STN_Z_(turn)(z_))); }
STN_FN STN_Z STN_Z_(atan)(STN_Z z_) { return STN_Z_(turn_back)(STN_Z_(atanh)(STN_Z_(turn)(z_))); }

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
