/* rotg and rotmg: scalars, computed in f64. */
#include <math.h>

#include "blas/call.h"
#include "core/modes.h"
#include "core/status.h"
#include "format/registry.h"

static stn_status expect_arithmetic(const char *call, stn_format arithmetic, stn_format wide,
                                    stn_format narrow, const char *allowed)
{
    if (arithmetic == wide || arithmetic == narrow)
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED, "%s: arithmetic is %s; it must be %s", call,
                    stn_format_text(arithmetic), allowed);
}

static double rounded(stn_format arithmetic, double x)
{
    return arithmetic == STN_F32 || arithmetic == STN_C64 ? (double)(float)x : x;
}

/* The power of two that scales a nonzero number to [1, 2). */
static int exponent(double x)
{
    return x == 0.0 || !isfinite(x) ? 0 : ilogb(x);
}

static int larger_exponent(double a, double b)
{
    return exponent(fabs(a) > fabs(b) ? a : b);
}

static double length(double a, double b)
{
    const int e = larger_exponent(a, b);
    const double x = scalbn(a, -e), y = scalbn(b, -e);
    return scalbn(sqrt(fma(x, x, y * y)), e);
}

/* ---- rotg ---- */

typedef struct rotation {
    double c, s, r, z;
} rotation;

static rotation rotate(double a, double b)
{
    if (b == 0.0)
        return (rotation){1.0, 0.0, a, 0.0};
    if (a == 0.0)
        return (rotation){0.0, 1.0, b, 1.0};
    const int e = larger_exponent(a, b), is_steep = !(fabs(a) > fabs(b));
    const double x = scalbn(a, -e), y = scalbn(b, -e);
    const double r = copysign(sqrt(fma(x, x, y * y)), is_steep ? b : a), c = x / r, s = y / r;
    return (rotation){c, s, scalbn(r, e), !is_steep ? s : c != 0.0 ? 1.0 / c : 1.0};
}

static stn_status compute_rotation(stn_format arithmetic, double *a, double *b, double *c,
                                   double *s)
{
    STN_TRY(expect_arithmetic("stn_rotg", arithmetic, STN_F64, STN_F32, "f64 or f32"));
    if (!a || !b || !c || !s)
        return stn_fail(STN_ERR_ARGUMENT, "stn_rotg: %s is NULL",
                        !a   ? "a"
                        : !b ? "b"
                        : !c ? "c"
                             : "s");
    const rotation made = rotate(rounded(arithmetic, *a), rounded(arithmetic, *b));
    *a = rounded(arithmetic, made.r);
    *b = rounded(arithmetic, made.z);
    *c = rounded(arithmetic, made.c);
    *s = rounded(arithmetic, made.s);
    return STN_OK;
}

stn_status stn_rotg(stn_format arithmetic, double *a, double *b, double *c, double *s)
{
    STN_RETURN_IN_MODES(compute_rotation(arithmetic, a, b, c, s));
}

static stn_c128 scaled(stn_c128 z, int e)
{
    return stn_c128_of(scalbn(z.re, e), scalbn(z.im, e));
}

static stn_c128 times(double x, stn_c128 z)
{
    return stn_c128_of(x * z.re, x * z.im);
}

/* a and b are nonzero. With a = |a| phase: c = |a| / h, s = phase conj(b) / h and r = phase h,
 * where h is the length of both; all are scaled to about 1, and a separately as well. */
static void rotate_complex(stn_c128 *a, stn_c128 b, double *c, stn_c128 *s)
{
    const int ea = larger_exponent(a->re, a->im), eb = larger_exponent(b.re, b.im);
    const int e = ea > eb ? ea : eb;
    const stn_c128 own = scaled(*a, -ea), other = scaled(b, -e);
    const double size = length(own.re, own.im), min_of = scalbn(size, ea - e);
    const double h = length(min_of, length(other.re, other.im));
    const stn_c128 phase = stn_c128_of(own.re / size, own.im / size);
    *c = min_of / h;
    *s = times(1.0 / h, stn_c128_multiply_fast(phase, stn_c128_conj(other)));
    *a = scaled(times(h, phase), e);
}

static stn_status compute_rotation_complex(stn_format arithmetic, stn_c128 *a, const stn_c128 *b,
                                           double *c, stn_c128 *s)
{
    STN_TRY(expect_arithmetic("stn_rotg_complex", arithmetic, STN_C128, STN_C64, "c128 or c64"));
    if (!a || !b || !c || !s)
        return stn_fail(STN_ERR_ARGUMENT, "stn_rotg_complex: %s is NULL",
                        !a   ? "a"
                        : !b ? "b"
                        : !c ? "c"
                             : "s");
    stn_c128 r = stn_c128_of(rounded(arithmetic, a->re), rounded(arithmetic, a->im)), sine;
    const stn_c128 other = stn_c128_of(rounded(arithmetic, b->re), rounded(arithmetic, b->im));
    double cosine;
    if (other.re == 0.0 && other.im == 0.0) {
        cosine = 1.0;
        sine = stn_c128_of(0.0, 0.0);
    } else if (r.re == 0.0 && r.im == 0.0) {
        const int e = larger_exponent(other.re, other.im);
        const stn_c128 near = scaled(other, -e);
        const double size = length(near.re, near.im);
        cosine = 0.0;
        sine = stn_c128_of(near.re / size, -near.im / size);
        r = stn_c128_of(scalbn(size, e), 0.0);
    } else
        rotate_complex(&r, other, &cosine, &sine);
    *a = stn_c128_of(rounded(arithmetic, r.re), rounded(arithmetic, r.im));
    *c = rounded(arithmetic, cosine);
    *s = stn_c128_of(rounded(arithmetic, sine.re), rounded(arithmetic, sine.im));
    return STN_OK;
}

stn_status stn_rotg_complex(stn_format arithmetic, stn_c128 *a, const stn_c128 *b, double *c,
                            stn_c128 *s)
{
    STN_RETURN_IN_MODES(compute_rotation_complex(arithmetic, a, b, c, s));
}

/* ---- rotmg ---- */

typedef struct modified {
    double flag, h11, h21, h12, h22, d1, d2, x1;
} modified;

/* No zero can be produced in f64, or the first factor is negative: all results are 0. */
static const modified all_zero = {.flag = -1.0};

/* All four elements of the matrix are used from now on. */
static void complete_matrix(modified *m)
{
    if (m->flag == 0.0)
        m->h11 = m->h22 = 1.0;
    if (m->flag == 1.0) {
        m->h12 = 1.0;
        m->h21 = -1.0;
    }
    m->flag = -1.0;
}

/* Scales the factor d of a row of the matrix to between 2^-24 and 2^24. */
static void rescale(modified *m, double *d, double *left, double *right, double *x)
{
    const double limit = 0x1p24, step = 0x1p12;
    while (*d != 0.0 && isfinite(*d) && (fabs(*d) <= 1.0 / limit || fabs(*d) >= limit)) {
        const double factor = fabs(*d) >= limit ? step : 1.0 / step;
        complete_matrix(m);
        *d /= factor * factor;
        *left *= factor;
        *right *= factor;
        if (x)
            *x *= factor;
    }
}

static modified modify(double d1, double d2, double x1, double y1)
{
    const double p1 = d1 * x1, p2 = d2 * y1, q1 = p1 * x1, q2 = p2 * y1;
    modified m = {.d1 = d1, .d2 = d2, .x1 = x1};
    if (d1 < 0.0)
        return all_zero;
    if (p2 == 0.0) {
        m.flag = -2.0;
        return m;
    }
    if (fabs(q1) > fabs(q2)) {
        m.h21 = -y1 / x1;
        m.h12 = p2 / p1;
        const double u = 1.0 - m.h12 * m.h21;
        if (!(u > 0.0))
            return all_zero;
        m.d1 = d1 / u;
        m.d2 = d2 / u;
        m.x1 = x1 * u;
    } else {
        if (q2 < 0.0)
            return all_zero;
        m.flag = 1.0;
        m.h11 = p1 / p2;
        m.h22 = x1 / y1;
        const double u = 1.0 + m.h11 * m.h22;
        m.d1 = d2 / u;
        m.d2 = d1 / u;
        m.x1 = y1 * u;
    }
    rescale(&m, &m.d1, &m.h11, &m.h12, &m.x1);
    rescale(&m, &m.d2, &m.h21, &m.h22, NULL);
    return m;
}

static stn_status compute_modified(stn_format arithmetic, double *d1, double *d2, double *x1,
                                   double y1, double *parameter)
{
    STN_TRY(expect_arithmetic("stn_rotmg", arithmetic, STN_F64, STN_F32, "f64 or f32"));
    if (!d1 || !d2 || !x1 || !parameter)
        return stn_fail(STN_ERR_ARGUMENT, "stn_rotmg: %s is NULL",
                        !d1   ? "d1"
                        : !d2 ? "d2"
                        : !x1 ? "x1"
                              : "parameter");
    const modified m = modify(rounded(arithmetic, *d1), rounded(arithmetic, *d2),
                              rounded(arithmetic, *x1), rounded(arithmetic, y1));
    const double h[5] = {m.flag, m.h11, m.h21, m.h12, m.h22};
    for (int k = 0; k < 5; k++)
        parameter[k] = rounded(arithmetic, h[k]);
    *d1 = rounded(arithmetic, m.d1);
    *d2 = rounded(arithmetic, m.d2);
    *x1 = rounded(arithmetic, m.x1);
    return STN_OK;
}

stn_status stn_rotmg(stn_format arithmetic, double *d1, double *d2, double *x1, double y1,
                     double *parameter)
{
    STN_RETURN_IN_MODES(compute_modified(arithmetic, d1, d2, x1, y1, parameter));
}
