/* stn_rotg, stn_rotg_complex and stn_rotmg stay within the errors that blas.h states, in
 * double-double: of numbers alike and many binades apart, large, small and subnormal; and fulfill
 * their identities. */
#include <float.h>
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
        return; /* exact: test_rotg_identities */
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

UNIT_TEST(test_rotg)
{
    static const int bases[] = {0, 1000, -600, -1060};
    each(STN_F64, STN_F32, bases, 4, check_rotg);
    each(STN_C128, STN_C64, bases, 4, check_rotg_complex);
}

UNIT_TEST(test_rotmg)
{
    static const int bases[] = {0, 40, -40};
    each(STN_F64, STN_F32, bases, 3, check_rotmg);
}

/* ---- identities: of zeros, and of numbers that are far apart ---- */

static const double sizes[] = {0.0,         1.0,      -3.5,    0x1p-1074, 0x1.8p-1060, 0x1p1023,
                               -0x1.fp1000, 0x1p-600, 0x1p600, -0.7,      0x1p-20};
enum { SIZES = (int)(sizeof sizes / sizeof *sizes) };

UNIT_TEST(test_rotg_identities)
{
    for (int k = 0; k < SIZES * SIZES; k++) {
        const double a = sizes[k / SIZES], b = sizes[k % SIZES];
        double r = a, z = b, c, s;
        expect_ok(stn_rotg(STN_F64, &r, &z, &c, &s));
        /* c a + s b = r and c b - s a = 0, by the size of both; c^2 + s^2 = 1. */
        const int e = a == 0 && b == 0 ? 0 : -ilogb(fabs(a) > fabs(b) ? a : b);
        const double x = ldexp(a, e), y = ldexp(b, e);
        assert_true(fabs(c * c + s * s - 1) <= 8 * DBL_EPSILON);
        assert_true(fabs(c * x + s * y - ldexp(r, e)) <= 8 * DBL_EPSILON + ldexp(0x1p-1074, e));
        assert_true(fabs(c * y - s * x) <= 8 * DBL_EPSILON);
        assert_true(isfinite(r) && (a != 0 || b == 0 || (c == 0 && s == 1 && r == b && z == 1)));
        if (b == 0)
            assert_true(c == 1 && s == 0 && r == a && z == 0);
        else if (fabs(a) > fabs(b))
            assert_true(z == s && c > 0);
        else if (c != 0)
            assert_true(z == 1 / c);
    }
    double a = 3, b = 4, c, s;
    expect_ok(stn_rotg(STN_F32, &a, &b, &c, &s));
    assert_true(a == 5 && c == (double)0.6f && s == (double)0.8f && b == (double)(float)(1 / 0.6));
}

UNIT_TEST(test_rotg_complex_identities)
{
    for (int k = 0; k < SIZES * SIZES * SIZES; k++) {
        const stn_c128 a = {sizes[k / SIZES % SIZES], sizes[k / SIZES / SIZES]},
                       b = {sizes[k % SIZES], -sizes[k / SIZES % SIZES] / 2};
        stn_c128 r = a, s;
        double c;
        expect_ok(stn_rotg_complex(STN_C128, &r, &b, &c, &s));
        const double most = fmax(fmax(fabs(a.re), fabs(a.im)), fmax(fabs(b.re), fabs(b.im)));
        const int e = most == 0 ? 0 : -ilogb(most);
        const stn_c128 x = {ldexp(a.re, e), ldexp(a.im, e)}, y = {ldexp(b.re, e), ldexp(b.im, e)};
        const stn_c128 turned =
            stn_c128_add(stn_c128_of(c * x.re, c * x.im), stn_c128_multiply(s, y));
        const stn_c128 gone = stn_c128_subtract(stn_c128_of(c * y.re, c * y.im),
                                                stn_c128_multiply(stn_c128_conj(s), x));
        assert_true(fabs(c * c + s.re * s.re + s.im * s.im - 1) <= 16 * DBL_EPSILON);
        assert_true(most >= 0x1p1023 ||
                    fabs(turned.re - ldexp(r.re, e)) + fabs(turned.im - ldexp(r.im, e)) <=
                        32 * DBL_EPSILON + ldexp(0x1p-1073, e));
        assert_true(fabs(gone.re) + fabs(gone.im) <= 32 * DBL_EPSILON);
        if (b.re == 0 && b.im == 0)
            assert_true(c == 1 && s.re == 0 && s.im == 0 && r.re == a.re && r.im == a.im);
        else if (a.re == 0 && a.im == 0)
            assert_true(c == 0 && r.im == 0 && r.re > 0);
    }
}

/* The matrix makes sqrt(d2) y zero and keeps the length, and the factors are of moderate size. */
static void check_rotmg_identities(double d1, double d2, double x, double y)
{
    double p[5] = {9, 0, 0, 0, 0}, f1 = d1, f2 = d2, moved = x;
    expect_ok(stn_rotmg(STN_F64, &f1, &f2, &moved, y, p));
    const double length = d1 * x * x + d2 * y * y, flag = p[0];
    if (d2 * y == 0) {
        assert_true(flag == -2 && f1 == d1 && f2 == d2 && moved == x);
        return;
    }
    const double h11 = flag == 0 ? 1 : p[1], h21 = flag == 1 ? -1 : p[2],
                 h12 = flag == 1 ? 1 : p[3], h22 = flag == 0 ? 1 : p[4];
    assert_true(fabs(h11 * x + h12 * y - moved) <=
                16 * DBL_EPSILON * (fabs(h11 * x) + fabs(h12 * y)));
    assert_true(fabs(h21 * x + h22 * y) <= 16 * DBL_EPSILON * (fabs(h21 * x) + fabs(h22 * y)));
    assert_true(fabs(f1 * moved * moved - length) <= 64 * DBL_EPSILON * length);
    assert_true(f1 == 0 || (f1 > 0x1p-24 && f1 < 0x1p24));
    assert_true(f2 == 0 || (f2 > 0x1p-24 && f2 < 0x1p24));
}

UNIT_TEST(test_rotmg_identities)
{
    static const double factors[] = {1, 0.25, 0x1p-60, 3, 0x1p70, 0};
    static const double numbers[] = {1, -2, 0.1, 1000, 0x1p-15, 0};
    double p[5], d1 = -1, d2 = 1, x = 1;
    for (int k = 0; k < 6 * 6 * 6 * 6; k++)
        check_rotmg_identities(factors[k % 6], factors[k / 6 % 6], numbers[k / 36 % 6],
                               numbers[k / 216]);
    expect_ok(stn_rotmg(STN_F64, &d1, &d2, &x, 1, p));
    assert_true(p[0] == -1 && p[1] == 0 && p[4] == 0 && d1 == 0 && d2 == 0 && x == 0);
}

RUN_UNIT_TESTS(NULL, NULL)
