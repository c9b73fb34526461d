/* What stn_rotg, stn_rotg_complex and stn_rotmg give is off by no more than blas.h states, in
 * double-double: of numbers alike and apart by many binades, large, small and subnormal. */
#include <stdio.h>

#include "accuracy.h"
#include "steno/blas.h"
#include "check.h"

typedef struct setting {
    stn_format arithmetic;
    double u, tiny;
    int base; /* binary exponent of the numbers, about */
} setting;

static double rounded(const setting *s, double x)
{
    return s->u == 0x1p-24 ? (double)(float)x : x;
}

/* Up to `gap` binades below 2^base. */
static double draw(const setting *s, uint64_t *state, int gap)
{
    const int below = (int)(order_next(state) % (uint64_t)(gap + 1));
    return rounded(s, ldexp((double)(float)any(state), s->base - below));
}

/* Found is `exact` times 2^exponent, but for `many` times u of `size`, which is exact's at least.
 */
static void within(const setting *s, const char *what, double found, pair exact, double size,
                   int exponent, double many)
{
    const double error = error_of(ldexp(found, -exponent), exact);
    if (!(fabs(error) <= many * s->u * size + ldexp(s->tiny, -exponent)))
        fail_msg("%s in %s near 2^%d: %a is off by %g u of %g", what,
                 oracle_formats[s->arithmetic].name, s->base, found, error / s->u, size);
}

static void check_rotg(const setting *s, uint64_t *state, int gap)
{
    const double a = draw(s, state, gap), b = draw(s, state, gap);
    double r = a, z = b, c, sine;
    expect_ok(stn_rotg(s->arithmetic, &r, &z, &c, &sine));
    if (a == 0 || b == 0)
        return; /* exact: test_levels_accuracy.c */
    const pair x = {ldexp(a, -s->base), 0}, y = {ldexp(b, -s->base), 0};
    const int is_flat = fabs(a) > fabs(b);
    pair h = root(plus_pair(times_pair(x, x), times_pair(y, y)));
    if ((is_flat ? a : b) < 0)
        h = negated(h);
    const pair cosine = over(x, h), other = over(y, h),
               back = is_flat ? other : over((pair){1, 0}, cosine);
    within(s, "r", r, h, fabs(h.high), s->base, 4);
    within(s, "c", c, cosine, fabs(cosine.high), 0, 4);
    within(s, "s", sine, other, fabs(other.high), 0, 4);
    within(s, "z", z, back, fabs(back.high), 0, 4);
}

static void check_rotg_complex(const setting *s, uint64_t *state, int gap)
{
    const stn_c128 a = {draw(s, state, gap), draw(s, state, gap)},
                   b = {draw(s, state, gap), draw(s, state, gap)};
    stn_c128 r = a, sine;
    double c;
    expect_ok(stn_rotg_complex(s->arithmetic, &r, &b, &c, &sine));
    if ((a.re == 0 && a.im == 0) || (b.re == 0 && b.im == 0))
        return;
    const int e = -s->base;
    const pair ar = {ldexp(a.re, e), 0}, ai = {ldexp(a.im, e), 0}, br = {ldexp(b.re, e), 0},
               bi = {ldexp(b.im, e), 0};
    const pair a2 = plus_pair(times_pair(ar, ar), times_pair(ai, ai)),
               b2 = plus_pair(times_pair(br, br), times_pair(bi, bi));
    const pair size = root(a2), h = root(plus_pair(a2, b2)), by = times_pair(size, h);
    const pair sine_re = over(plus_pair(times_pair(ar, br), times_pair(ai, bi)), by),
               sine_im = over(plus_pair(times_pair(ai, br), negated(times_pair(ar, bi))), by);
    const pair cosine = over(size, h);
    const double of_sine = value_of(over(root(b2), h));
    within(s, "c", c, cosine, cosine.high, 0, 8);
    within(s, "Re s", sine.re, sine_re, of_sine, 0, 8);
    within(s, "Im s", sine.im, sine_im, of_sine, 0, 8);
    within(s, "Re r", r.re, over(times_pair(ar, h), size), h.high, s->base, 8);
    within(s, "Im r", r.im, over(times_pair(ai, h), size), h.high, s->base, 8);
}

/* But for powers of 2^step, which are exact. */
static void within_scaled(const setting *s, const char *what, double found, pair exact, int step)
{
    const double powers = log2(fabs(found / exact.high)) / step;
    const int exponent = step * (int)lrint(powers);
    within(s, what, found, exact, fabs(exact.high), exponent, 7);
}

static void check_rotmg(const setting *s, uint64_t *state, int gap)
{
    const double d1 = fabs(draw(s, state, gap)), d2 = fabs(draw(s, state, gap)),
                 x = draw(s, state, gap), y = draw(s, state, gap);
    double f1 = d1, f2 = d2, moved = x, p[5];
    if (d1 == 0 || d2 == 0 || x == 0 || y == 0)
        return;
    expect_ok(stn_rotmg(s->arithmetic, &f1, &f2, &moved, y, p));
    const pair p1 = times((pair){d1, 0}, x), p2 = times((pair){d2, 0}, y), one = {1, 0};
    const int is_first = fabs(value_of(times(p1, x))) > fabs(value_of(times(p2, y)));
    const pair across = is_first ? over(p2, p1) : over(p1, p2),
               ratio =
                   is_first ? over((pair){y, 0}, (pair){x, 0}) : over((pair){x, 0}, (pair){y, 0});
    const pair u = plus_pair(one, times_pair(across, ratio));
    within_scaled(s, "d1", f1, over((pair){is_first ? d1 : d2, 0}, u), 24);
    within_scaled(s, "d2", f2, over((pair){is_first ? d2 : d1, 0}, u), 24);
    within_scaled(s, "x1", moved, times(u, is_first ? x : y), 12);
    if (is_first) {
        within_scaled(s, "h12", p[3], across, 12);
        within_scaled(s, "h21", p[2], negated(ratio), 12);
    } else {
        within_scaled(s, "h11", p[1], across, 12);
        within_scaled(s, "h22", p[4], ratio, 12);
    }
}

static void each(stn_format wide, stn_format narrow, const int *bases, int count,
                 void (*check)(const setting *s, uint64_t *state, int gap))
{
    static const int gaps[] = {0, 4, 30};
    uint64_t state = 7;
    for (int k = 0; k < 2 * 3 * 200 * count; k++) {
        const int is_narrow = k & 1;
        const setting s = {.arithmetic = is_narrow ? narrow : wide,
                           .u = is_narrow ? 0x1p-24 : 0x1p-53,
                           .tiny = is_narrow ? 0x1p-149 : 0x1p-1074,
                           .base = bases[k / 1200] / (is_narrow ? 8 : 1)};
        check(&s, &state, gaps[k / 2 % 3]);
    }
}

TEST_CASE(test_rotg)
{
    static const int bases[] = {0, 1000, -600, -1060};
    each(STN_F64, STN_F32, bases, 4, check_rotg);
    each(STN_C128, STN_C64, bases, 4, check_rotg_complex);
}

TEST_CASE(test_rotmg)
{
    static const int bases[] = {0, 40, -40};
    each(STN_F64, STN_F32, bases, 3, check_rotmg);
}

RUN_TESTS(NULL, NULL, UNIT(test_rotg), UNIT(test_rotmg))
