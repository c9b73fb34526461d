/* Levels 1 and 2 in real and complex arithmetic stay within the errors that blas.h
 * states, in double-double: on random, graded, cancelling and subnormal data. */
#include <stdio.h>
#include <stdlib.h>

#include "accuracy.h"
#include "make_view.h"
#include "steno/blas.h"
#include "check.h"

enum { N = 300, SIDE = 130 };

/* ---- exact complex numbers, and how far one may be off ---- */

typedef struct exact {
    pair re, im;
    double re_size, im_size; /* the magnitudes of all products of parts in it */
} exact;

static exact exact_of(stn_c128 z)
{
    return (exact){{z.re, 0}, {z.im, 0}, fabs(z.re), fabs(z.im)};
}

static exact product_of(exact a, stn_c128 b)
{
    return (exact){plus_pair(times(a.re, b.re), times(a.im, -b.im)),
                   plus_pair(times(a.re, b.im), times(a.im, b.re)),
                   a.re_size * fabs(b.re) + a.im_size * fabs(b.im),
                   a.re_size * fabs(b.im) + a.im_size * fabs(b.re)};
}

static void add(exact *sum, exact a)
{
    sum->re = plus_pair(sum->re, a.re);
    sum->im = plus_pair(sum->im, a.im);
    sum->re_size += a.re_size;
    sum->im_size += a.im_size;
}

static stn_c128 conjugate(stn_c128 z, int turns)
{
    return stn_c128_of(z.re, turns ? -z.im : z.im);
}

/* ---- settings ---- */

typedef struct setting {
    stn_format arithmetic;
    data_kind kind;
    int is_complex, down; /* subnormal: data are multiplied by 2^-down, and results by 2^down */
    double u, tiny;       /* tiny: the least number, times 2^down */
    int64_t n;
    double depth; /* ceil(log2 n) */
    uint64_t state;
} setting;

static setting make_setting(stn_format arithmetic, data_kind kind, int64_t n, uint64_t seed)
{
    const int is_narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    setting s = {.arithmetic = arithmetic,
                 .kind = kind,
                 .is_complex = arithmetic == STN_C64 || arithmetic == STN_C128,
                 .down = kind != SUBNORMAL ? 0
                         : is_narrow       ? 136
                                           : 1040,
                 .u = is_narrow ? 0x1p-24 : 0x1p-53,
                 .n = n,
                 .state = seed};
    s.tiny = ldexp(1.0, s.down - (is_narrow ? 149 : 1074));
    while (((int64_t)1 << (int)s.depth) < n)
        s.depth += 1;
    return s;
}

static double rounded(const setting *s, double x)
{
    return s->u == 0x1p-24 ? (double)(float)x : x;
}

/* As f32 holds them, times 2^-down; rounded there once more. */
static void fill(setting *s, int64_t count, stn_c128 *x, int down)
{
    for (int64_t k = 0; k < count; k++) {
        x[k] = stn_c128_of(any(&s->state), s->is_complex ? any(&s->state) : 0);
        if (s->kind == GRADED)
            x[k] = stn_c128_of(ldexp(x[k].re, -(int)(k * 40 / count)),
                               ldexp(x[k].im, -(int)(k * 40 / count)));
        if (s->kind == CANCELLING && k % 2)
            x[k] = stn_c128_of(-x[k - 1].re * (1 + 0x1p-12), -x[k - 1].im * (1 - 0x1p-12));
        x[k] = stn_c128_of((double)(float)x[k].re, (double)(float)x[k].im);
        x[k] = stn_c128_of(rounded(s, ldexp(x[k].re, -down)), rounded(s, ldexp(x[k].im, -down)));
    }
}

/* Neighbors are nearly alike, where products are to cancel. */
static void fill_factors(setting *s, int64_t count, stn_c128 *x)
{
    fill(s, count, x, 0);
    for (int64_t k = 1; k < count && s->kind == CANCELLING; k += 2)
        x[k] = x[k - 1];
}

/* A number, its exponent back. */
static stn_c128 up(const setting *s, stn_c128 z)
{
    return stn_c128_of(ldexp(z.re, s->down), ldexp(z.im, s->down));
}

/* Of the real parts only, in real arithmetic. */
static stn_view view_of(const setting *s, stn_c128 *values, int rank, int64_t rows, int64_t columns)
{
    const int64_t extents[] = {rows, columns}, whole[] = {rank == 2 ? columns : 1, 1},
                  parts[] = {rank == 2 ? 2 * columns : 2, 2};
    const stn_view view = wrap_strided("v", stn_storage_of(s->is_complex ? STN_C128 : STN_F64),
                                       values, rank, extents, s->is_complex ? whole : parts);
    return view;
}

static const stn_exec *some_exec(setting *s)
{
    return order_use((int)(order_next(&s->state) % (uint64_t)order_settings()));
}

/* Found is `sum`, but for `many` times u its magnitudes and `last` times u itself. */
static void within(const setting *s, const char *what, int64_t k, stn_c128 found, exact sum,
                   double many, double last, double operations)
{
    const double re = error_of(found.re, sum.re), im = error_of(found.im, sum.im);
    const double tiny = operations * s->tiny;
    if (!(fabs(re) <= s->u * (many * sum.re_size + last * fabs(found.re)) + tiny) ||
        !(fabs(im) <= s->u * (many * sum.im_size + last * fabs(found.im)) + tiny))
        fail_msg("%s in %s of %d %s elements: number %d errs by (%g, %g) u of (%g, %g)", what,
                 oracle_formats[s->arithmetic].name, (int)s->n, data_names[s->kind], (int)k,
                 re / s->u, im / s->u, sum.re_size, sum.im_size);
}

/* The same, where what is added to the products is none, and so `last` times its own magnitude. */
static void within_both(const setting *s, const char *what, int64_t k, stn_c128 found, exact sum,
                        exact added, double many, double operations)
{
    exact both = sum;
    both.re = plus_pair(both.re, added.re);
    both.im = plus_pair(both.im, added.im);
    within(s, what, k, found, both, many, 1, operations);
}

/* Real factors are exact in both arithmetics. */
static stn_c128 factor(const setting *s, double re, double im)
{
    return stn_c128_of((double)(float)re, s->is_complex ? (double)(float)im : 0);
}

/* ---- level 1 ---- */

static double of_product(const setting *s) /* a product's roundings */
{
    return s->is_complex ? 2 : 1;
}

static void check_scal(setting *s)
{
    stn_c128 x[N], old[N];
    stn_view xv = view_of(s, x, 1, s->n, 0);
    const stn_c128 alpha = factor(s, 0.7, -0.4);
    for (int parts = 0; parts <= s->is_complex; parts++) {
        fill(s, s->n, x, s->down);
        memcpy(old, x, sizeof x);
        expect_ok(parts ? stn_scal_complex(some_exec(s), s->arithmetic, alpha, &xv)
                        : stn_scal(some_exec(s), s->arithmetic, alpha.re, &xv));
        for (int64_t k = 0; k < s->n; k++)
            within(s, "scal", k, up(s, x[k]),
                   product_of(exact_of(up(s, old[k])), parts ? alpha : stn_c128_of(alpha.re, 0)),
                   parts ? 2 : 1, 0, 3);
    }
}

static void check_axpby(setting *s)
{
    stn_c128 x[N], y[N], old[N];
    stn_view xv = view_of(s, x, 1, s->n, 0), yv = view_of(s, y, 1, s->n, 0);
    const stn_c128 alpha = factor(s, 0.7, -0.4), beta = factor(s, -1.1, 0.3);
    for (int has_beta = 0; has_beta < 2; has_beta++) {
        fill(s, s->n, x, s->down);
        fill(s, s->n, y, s->down);
        memcpy(old, y, sizeof y);
        const stn_exec *const exec = some_exec(s);
        if (s->is_complex)
            expect_ok(has_beta ? stn_axpby_complex(exec, s->arithmetic, alpha, &xv, beta, &yv)
                               : stn_axpy_complex(exec, s->arithmetic, alpha, &xv, &yv));
        else
            expect_ok(has_beta ? stn_axpby(exec, s->arithmetic, alpha.re, &xv, beta.re, &yv)
                               : stn_axpy(exec, s->arithmetic, alpha.re, &xv, &yv));
        for (int64_t k = 0; k < s->n; k++) {
            exact sum = product_of(exact_of(up(s, x[k])), alpha), other = exact_of(up(s, old[k]));
            if (has_beta)
                add(&sum, product_of(other, beta));
            within_both(s, has_beta ? "axpby" : "axpy", k, up(s, y[k]), sum,
                        has_beta ? exact_of(stn_c128_of(0, 0)) : other, of_product(s), 4);
        }
    }
}

static void check_rot(setting *s)
{
    stn_c128 x[N], y[N], old_x[N], old_y[N];
    stn_view xv = view_of(s, x, 1, s->n, 0), yv = view_of(s, y, 1, s->n, 0);
    const stn_c128 c = factor(s, 0.8, 0), t = factor(s, s->is_complex ? 0.36 : 0.6, 0.48);
    fill(s, s->n, x, s->down);
    fill(s, s->n, y, s->down);
    memcpy(old_x, x, sizeof x);
    memcpy(old_y, y, sizeof y);
    expect_ok(s->is_complex ? stn_rot_complex(some_exec(s), s->arithmetic, &xv, &yv, c.re, t)
                            : stn_rot(some_exec(s), s->arithmetic, &xv, &yv, c.re, t.re));
    for (int64_t k = 0; k < s->n; k++) {
        const exact a = exact_of(up(s, old_x[k])), b = exact_of(up(s, old_y[k]));
        const stn_c128 turned = conjugate(t, 1);
        exact left = product_of(a, c), right = product_of(b, c);
        add(&left, product_of(b, t));
        add(&right, product_of(a, stn_c128_of(-turned.re, -turned.im)));
        within(s, "rot's x", k, up(s, x[k]), left, s->is_complex ? 3 : 2, 0, 4);
        within(s, "rot's y", k, up(s, y[k]), right, s->is_complex ? 3 : 2, 0, 4);
    }
}

static void check_rotm(setting *s)
{
    stn_c128 x[N], y[N], old_x[N], old_y[N];
    stn_view xv = view_of(s, x, 1, s->n, 0), yv = view_of(s, y, 1, s->n, 0);
    for (int flag = -1; flag <= 1; flag++) {
        const double h[] = {flag, (double)1.3f, (double)-0.7f, (double)0.9f, (double)1.1f};
        const double h11 = flag == 0 ? 1 : h[1], h21 = flag == 1 ? -1 : h[2],
                     h12 = flag == 1 ? 1 : h[3], h22 = flag == 0 ? 1 : h[4];
        fill(s, s->n, x, s->down);
        fill(s, s->n, y, s->down);
        memcpy(old_x, x, sizeof x);
        memcpy(old_y, y, sizeof y);
        expect_ok(stn_rotm(some_exec(s), s->arithmetic, &xv, &yv, h));
        for (int64_t k = 0; k < s->n; k++) {
            const exact a = exact_of(up(s, old_x[k])), b = exact_of(up(s, old_y[k]));
            exact left = product_of(a, stn_c128_of(h11, 0)),
                  right = product_of(a, stn_c128_of(h21, 0));
            add(&left, product_of(b, stn_c128_of(h12, 0)));
            add(&right, product_of(b, stn_c128_of(h22, 0)));
            within(s, "rotm's x", k, up(s, x[k]), left, 2, 0, 3);
            within(s, "rotm's y", k, up(s, y[k]), right, 2, 0, 3);
        }
    }
}

static void check_dot(setting *s)
{
    stn_c128 x[N], y[N];
    stn_view xv = view_of(s, x, 1, s->n, 0), yv = view_of(s, y, 1, s->n, 0);
    for (int conjugated = 0; conjugated <= s->is_complex; conjugated++) {
        stn_c128 found = {0, 0};
        exact sum = exact_of(found);
        fill(s, s->n, x, s->down);
        fill_factors(s, s->n, y);
        if (!s->is_complex)
            expect_ok(stn_dot(some_exec(s), s->arithmetic, &found.re, &xv, &yv));
        else
            expect_ok(
                (conjugated ? stn_dotc : stn_dotu)(some_exec(s), s->arithmetic, &found, &xv, &yv));
        for (int64_t k = 0; k < s->n; k++)
            add(&sum, product_of(exact_of(conjugate(up(s, x[k]), conjugated)), y[k]));
        within(s, conjugated ? "dotc" : "dot", 0, up(s, found), sum, of_product(s) * (s->depth + 2),
               0, 4 * (double)s->n);
    }
}

/* Of real parts and imaginary ones alike. */
static void check_norms(setting *s)
{
    stn_c128 x[N];
    const stn_view xv = view_of(s, x, 1, s->n, 0);
    pair sum = {0, 0}, squares = {0, 0};
    double found;
    fill(s, s->n, x, s->down);
    for (int64_t k = 0; k < s->n * (1 + s->is_complex); k++) {
        const stn_c128 z = up(s, x[k % s->n]);
        const double part = k < s->n ? z.re : z.im;
        sum = plus(sum, fabs(part));
        squares = plus_product(squares, part, part);
    }
    expect_ok(stn_asum(some_exec(s), s->arithmetic, &found, &xv));
    const double asum_error = error_of(ldexp(found, s->down), sum);
    if (!(fabs(asum_error) <= (s->depth + 1 + s->is_complex) * s->u * sum.high))
        fail_msg("asum in %s of %d %s elements errs by %g", oracle_formats[s->arithmetic].name,
                 (int)s->n, data_names[s->kind], asum_error);
    expect_ok(stn_nrm2(some_exec(s), s->arithmetic, &found, &xv));
    const double norm = sqrt(value_of(squares)), up_found = ldexp(found, s->down);
    const double error =
        value_of(plus_product(negated(squares), up_found, up_found)) / (up_found + norm);
    if (!(fabs(error) <= ((s->depth + 2 + s->is_complex) / 2 + 1) * s->u * norm + s->tiny))
        fail_msg("nrm2 in %s of %d %s elements errs by %g", oracle_formats[s->arithmetic].name,
                 (int)s->n, data_names[s->kind], error);
}

/* ---- products of a matrix ---- */

typedef enum shape { GENERAL, SYMMETRIC, HERMITIAN, SHAPES } shape;

/* What stands for element i, j, of which one triangle is looked at. */
static stn_c128 element(const stn_c128 *a, int64_t columns, shape of, stn_triangle triangle,
                        int64_t i, int64_t j)
{
    const int is_own = of == GENERAL || (triangle == STN_UPPER ? j >= i : j <= i);
    const stn_c128 z = is_own ? a[i * columns + j] : a[j * columns + i];
    if (of == HERMITIAN && i == j)
        return stn_c128_of(z.re, 0);
    return conjugate(z, of == HERMITIAN && !is_own);
}

static void check_product(setting *s, shape of)
{
    static stn_c128 a[SIDE * SIDE];
    stn_c128 x[SIDE], y[SIDE], old[SIDE];
    const int64_t n = s->n, m = of == GENERAL ? (n + 1) / 2 : n;
    const stn_c128 alpha = factor(s, 0.7, -0.4), beta = factor(s, -1.1, 0.3);
    const stn_triangle triangle = order_next(&s->state) % 2 ? STN_UPPER : STN_LOWER;
    const int turns = of == GENERAL && s->is_complex && order_next(&s->state) % 2;
    const stn_exec *const exec = some_exec(s);
    for (int64_t i = 0; i < m; i++)
        fill(s, n, a + i * n, 0);
    fill_factors(s, n, x);
    for (int64_t k = 0; k < n; k++)
        x[k] =
            stn_c128_of(rounded(s, ldexp(x[k].re, -s->down)), rounded(s, ldexp(x[k].im, -s->down)));
    fill(s, m, y, s->down);
    memcpy(old, y, sizeof y);
    stn_view av = view_of(s, a, 2, m, n), xv = view_of(s, x, 1, n, 0), yv = view_of(s, y, 1, m, 0);
    if (of == GENERAL)
        expect_ok(s->is_complex ? stn_gemv_complex(exec, s->arithmetic, alpha, (stn_conjugate)turns,
                                                   &av, &xv, beta, &yv)
                                : stn_gemv(exec, s->arithmetic, alpha.re, &av, &xv, beta.re, &yv));
    else
        expect_ok(of == HERMITIAN
                      ? stn_hemv(exec, s->arithmetic, triangle, alpha, &av, &xv, beta, &yv)
                      : stn_symv(exec, s->arithmetic, triangle, alpha.re, &av, &xv, beta.re, &yv));
    const stn_c128 by = of == SYMMETRIC ? stn_c128_of(alpha.re, 0) : alpha,
                   times_old = of == SYMMETRIC ? stn_c128_of(beta.re, 0) : beta;
    for (int64_t i = 0; i < m; i++) {
        exact sum = exact_of(stn_c128_of(0, 0));
        for (int64_t j = 0; j < n; j++)
            add(&sum, product_of(exact_of(conjugate(element(a, n, of, triangle, i, j), turns)),
                                 up(s, x[j])));
        const double many = of_product(s) * (s->depth + 3), own = of_product(s);
        sum = product_of(sum, by);
        const exact more = product_of(exact_of(up(s, old[i])), times_old);
        sum.re_size += own / many * more.re_size;
        sum.im_size += own / many * more.im_size;
        within_both(s,
                    of == HERMITIAN   ? "hemv"
                    : of == SYMMETRIC ? "symv"
                                      : "gemv",
                    i, up(s, y[i]), sum, more, many, 4 * (double)n + 8);
    }
}

/* ---- triangles ---- */

/* Its diagonal outweighs the rest. */
static void fill_triangle(setting *s, stn_triangle triangle, stn_c128 *a)
{
    for (int64_t i = 0; i < s->n; i++) {
        fill(s, s->n, a + i * s->n, 0);
        for (int64_t j = 0; j < s->n; j++)
            if (triangle == STN_UPPER ? j < i : j > i)
                a[i * s->n + j] = stn_c128_of((double)NAN, s->is_complex ? (double)NAN : 0);
        a[i * s->n + i] = factor(s, 16 + any(&s->state), any(&s->state));
    }
}

static exact row_times(const setting *s, stn_triangle triangle, int turns, const stn_c128 *a,
                       const stn_c128 *x, int64_t i)
{
    exact sum = exact_of(stn_c128_of(0, 0));
    for (int64_t j = triangle == STN_UPPER ? i : 0; j < (triangle == STN_UPPER ? s->n : i + 1); j++)
        add(&sum, product_of(exact_of(conjugate(a[i * s->n + j], turns)), up(s, x[j])));
    return sum;
}

static void check_triangle(setting *s)
{
    static stn_c128 a[SIDE * SIDE];
    stn_c128 x[SIDE], old[SIDE];
    const stn_triangle triangle = order_next(&s->state) % 2 ? STN_UPPER : STN_LOWER;
    const int turns = s->is_complex && order_next(&s->state) % 2;
    fill_triangle(s, triangle, a);
    stn_view av = view_of(s, a, 2, s->n, s->n), xv = view_of(s, x, 1, s->n, 0);
    fill(s, s->n, x, s->down);
    memcpy(old, x, sizeof x);
    expect_ok(stn_trmv(some_exec(s), s->arithmetic, triangle, STN_DIAGONAL_NON_UNIT,
                       (stn_conjugate)turns, &av, &xv));
    for (int64_t i = 0; i < s->n; i++)
        within(s, "trmv", i, up(s, x[i]), row_times(s, triangle, turns, a, old, i),
               of_product(s) * (s->depth + 2), 0, 4 * (double)s->n);
    fill(s, s->n, x, s->down);
    memcpy(old, x, sizeof x);
    expect_ok(stn_trsv(some_exec(s), s->arithmetic, triangle, STN_DIAGONAL_NON_UNIT,
                       (stn_conjugate)turns, &av, &xv));
    for (int64_t i = 0; i < s->n; i++) {
        exact sum = row_times(s, triangle, turns, a, x, i);
        const stn_c128 right = up(s, old[i]);
        /* Of both parts: a part of a quotient errs by what the number is. */
        sum.re_size += fabs(right.re) + sum.im_size + fabs(right.im);
        sum.im_size = sum.re_size;
        /* An element's last bit, times the diagonal. */
        within(s, "trsv", i, right, sum, s->is_complex ? 2 * s->depth + 46 : s->depth + 20, 0,
               4 * (double)s->n + 80);
    }
}

/* ---- updates of a matrix ---- */

typedef enum update { GER, GERC, SYR, HER, SYR2, HER2, UPDATES } update;
static const char *const update_names[] = {"ger", "gerc", "syr", "her", "syr2", "her2"};

static int is_hermitian(update which)
{
    return which == HER || which == HER2;
}

static stn_status run_update(setting *s, update which, stn_triangle triangle, stn_c128 alpha,
                             const stn_view *x, const stn_view *y, const stn_view *a)
{
    const stn_exec *const exec = some_exec(s);
    const stn_format t = s->arithmetic;
    switch (which) {
    case GER:
        return s->is_complex ? stn_geru(exec, t, alpha, x, y, a)
                             : stn_ger(exec, t, alpha.re, x, y, a);
    case GERC:
        return stn_gerc(exec, t, alpha, x, y, a);
    case SYR:
        return stn_syr(exec, t, triangle, alpha.re, x, a);
    case HER:
        return stn_her(exec, t, triangle, alpha.re, x, a);
    case SYR2:
        return stn_syr2(exec, t, triangle, alpha.re, x, y, a);
    default:
        return stn_her2(exec, t, triangle, alpha, x, y, a);
    }
}

/* x times 2^-down, and y; of one vector, half of that each. */
static void fill_vectors(setting *s, update which, stn_c128 *x, stn_c128 *y)
{
    const int halves = which >= SYR;
    fill(s, s->n, x, halves ? s->down / 2 : s->down);
    fill(s, s->n, y, halves ? s->down / 2 : 0);
}

static void check_update(setting *s, update which)
{
    enum { MOST = 20 };
    stn_c128 x[MOST], y[MOST], a[MOST * MOST], old[MOST * MOST];
    const int64_t n = s->n;
    const int has_two = which >= SYR2, turns = which == GERC || is_hermitian(which);
    const stn_triangle triangle = order_next(&s->state) % 2 ? STN_UPPER : STN_LOWER;
    stn_c128 alpha = factor(s, 0.7, -0.4);
    stn_view xv = view_of(s, x, 1, n, 0), yv = view_of(s, y, 1, n, 0), av = view_of(s, a, 2, n, n);
    fill_vectors(s, which, x, y);
    fill(s, n * n, a, s->down);
    memcpy(old, a, sizeof a);
    expect_ok(run_update(s, which, triangle, alpha, &xv, &yv, &av));
    if (which >= SYR && which != HER2) /* whose factor is a real one */
        alpha.im = 0;
    const stn_c128 *const other = has_two || which <= GERC ? y : x;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const stn_c128 is = up(s, a[i * n + j]), was = up(s, old[i * n + j]);
            if (which >= SYR && (triangle == STN_UPPER ? j < i : j > i)) {
                assert_memory_equal(&a[i * n + j], &old[i * n + j], sizeof *a);
                continue;
            }
            const int up_x = which >= SYR ? s->down / 2 : s->down, up_y = s->down - up_x;
            const stn_c128 xi = stn_c128_of(ldexp(x[i].re, up_x), ldexp(x[i].im, up_x));
            const stn_c128 oj = stn_c128_of(ldexp(other[j].re, up_y), ldexp(other[j].im, up_y));
            exact sum = product_of(product_of(exact_of(xi), conjugate(oj, turns)), alpha);
            if (has_two) {
                const stn_c128 yi = stn_c128_of(ldexp(y[i].re, up_y), ldexp(y[i].im, up_y));
                const stn_c128 xj = stn_c128_of(ldexp(x[j].re, up_x), ldexp(x[j].im, up_x));
                /* u of the first sum, which is no larger than this. */
                sum.re_size += (fabs(was.re) + sum.re_size) / (s->is_complex ? 4 : 2);
                sum.im_size += (fabs(was.im) + sum.im_size) / (s->is_complex ? 4 : 2);
                add(&sum, product_of(product_of(exact_of(yi), conjugate(xj, turns)),
                                     conjugate(alpha, turns)));
            }
            exact before = exact_of(was);
            if (is_hermitian(which) && i == j) {
                assert_true(is.im == 0);
                sum.im = before.im = (pair){0, 0};
            }
            within_both(s, update_names[which], i * n + j, is, sum, before, s->is_complex ? 4 : 2,
                        4);
        }
}

/* ---- all of them ---- */

static const stn_format arithmetics[] = {STN_F64, STN_F32, STN_C128, STN_C64};
enum { ARITHMETICS = 4 };

static void each_setting(const int64_t *sizes, int count, void (*check)(setting *s))
{
    for (int k = 0; k < ARITHMETICS * DATA * count; k++) {
        setting s = make_setting(arithmetics[k % ARITHMETICS], (data_kind)(k / ARITHMETICS % DATA),
                                 sizes[k / ARITHMETICS / DATA], (uint64_t)k + 1);
        check(&s);
    }
}

static void check_vectors(setting *s)
{
    check_scal(s);
    check_axpby(s);
    check_rot(s);
    check_dot(s);
    check_norms(s);
    if (!s->is_complex)
        check_rotm(s);
}

UNIT_TEST(test_vectors)
{
    static const int64_t sizes[] = {1, 7, 129, N};
    each_setting(sizes, 4, check_vectors);
}

static void check_matrices(setting *s)
{
    for (shape of = GENERAL; of < (s->is_complex ? SHAPES : HERMITIAN); of++)
        check_product(s, of);
    check_triangle(s);
}

UNIT_TEST(test_matrices)
{
    static const int64_t sizes[] = {1, 7, 40, SIDE};
    each_setting(sizes, 4, check_matrices);
}

static void check_updates(setting *s)
{
    for (update which = GER; which < UPDATES; which++)
        if (s->is_complex || which == GER || which == SYR || which == SYR2)
            check_update(s, which);
}

UNIT_TEST(test_updates)
{
    static const int64_t sizes[] = {1, 7, 20};
    each_setting(sizes, 3, check_updates);
}

/* A singular diagonal is no error: a quotient by 0 is infinite, or NaN. */
UNIT_TEST(test_singular)
{
    static const int64_t extents[] = {3, 3};
    double a[] = {0, 0, 0, 5, 0, 0, 1, 1, 1}, x[3];
    const stn_view av = wrap_view("a", f64(), a, 2, extents),
                   xv = wrap_view("x", f64(), x, 1, extents);
    for (int k = 0; k < 2 * order_settings(); k++) {
        memcpy(x, (const double[]){k % 2, 0, 2}, sizeof x);
        expect_ok(stn_trsv(order_use(k / 2), STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT,
                           STN_NO_CONJUGATE, &av, &xv));
        assert_true(k % 2 ? isinf(x[0]) && x[0] > 0 && isinf(x[1]) && x[1] < 0 && isnan(x[2])
                          : isnan(x[0]) && isnan(x[1]) && isnan(x[2]));
    }
}

/* Norms whose squares overflow or underflow. */
UNIT_TEST(test_range)
{
    const int64_t count = 3;
    double x[3], found;
    const stn_view view = wrap_view("x", f64(), x, 1, &count);
    for (int k = 0; k < order_settings(); k++)
        for (int e = -1074; e <= 1020; e += 7) {
            memcpy(x, (const double[]){ldexp(2.0, e), ldexp(3.0, e), ldexp(6.0, e)}, sizeof x);
            expect_ok(stn_nrm2(order_use(k), STN_F64, &found, &view));
            assert_true(found == ldexp(7.0, e));
        }
}

RUN_UNIT_TESTS(NULL, order_teardown)
