/* Levels 1 and 2 stay within the errors that blas.h states, measured in double-double: on random,
 * graded, cancelling and subnormal data; and the numbers of rotg and rotmg are what they should be.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "accuracy.h"
#include "steno/blas.h"
#include "check.h"

/* ---- data ---- */

enum { N = 700 };

/* As f32 holds them: exact in both arithmetics. Subnormal ones are small in f32, as are products
 * with others in f64. */
static void fill(data kind, int64_t count, double *x, uint64_t *state)
{
    for (int64_t k = 0; k < count; k++) {
        x[k] = any(state);
        if (kind == GRADED)
            x[k] = ldexp(x[k], -(int)(k * 40 / count));
        if (kind == CANCELLING && k % 2)
            x[k] = -x[k - 1] * (1.0 + 0x1p-12);
        if (kind == SUBNORMAL)
            x[k] = ldexp(x[k], -140);
        x[k] = (double)(float)x[k];
    }
}

typedef struct vectors {
    stn_format arithmetic;
    double u, tiny; /* half an epsilon, and the least number */
    int64_t n, depth;
    double x[N], y[N];
} vectors;

static vectors make(stn_format arithmetic, data kind, int64_t n, uint64_t *state)
{
    const int is_f32 = arithmetic == STN_F32 || arithmetic == STN_C64;
    vectors v = {.arithmetic = arithmetic,
                 .u = is_f32 ? 0x1p-24 : 0x1p-53,
                 .tiny = is_f32 ? 0x1p-149 : 0x1p-1074,
                 .n = n};
    while (((int64_t)1 << v.depth) < n)
        v.depth++;
    fill(kind, n, v.x, state);
    fill(kind == CANCELLING ? RANDOM : kind, n, v.y, state);
    if (kind == CANCELLING)
        for (int64_t k = 1; k < n; k += 2)
            v.y[k] = v.y[k - 1];
    return v;
}

/* `many` operations, each of which may err by the least number besides. */
static void within(double error, double bound, double many, const vectors *v, data kind,
                   const char *what)
{
    if (!(fabs(error) <= bound + many * v->tiny))
        fail_msg("%s of %d %s elements in %s errs by %g, more than %g", what, (int)v->n,
                 data_names[kind], v->arithmetic == STN_F64 ? "f64" : "f32", error, bound);
}

static stn_view wrap(double *values, int rank, int64_t n)
{
    const int64_t extents[] = {n, n};
    stn_view view;
    if (stn_view_wrap(&view, "v", stn_storage_of(STN_F64), values, rank, extents) != STN_OK)
        fail_msg("%s", stn_error());
    return view;
}

/* ---- level 1 ---- */

static void check_sums(const vectors *v, data kind)
{
    const stn_exec *exec = order_use(order_settings() - 1);
    double x[N], found, magnitude = 0.0;
    pair sum = {0, 0}, squares = {0, 0};
    memcpy(x, v->x, sizeof x);
    stn_view view = wrap(x, 1, v->n);
    for (int64_t k = 0; k < v->n; k++) {
        sum = plus(sum, fabs(x[k]));
        squares = plus_product(squares, ldexp(x[k], 100), ldexp(x[k], 100));
        magnitude += fabs(x[k]);
    }
    expect_ok(stn_asum(exec, v->arithmetic, &found, &view));
    within((found - sum.high) - sum.low, (double)(v->depth + 1) * v->u * magnitude, 0, v, kind,
           "asum");
    expect_ok(stn_nrm2(exec, v->arithmetic, &found, &view));
    const double norm = ldexp(sqrt(value_of(squares)), -100);
    const pair off = plus_product(squares, -ldexp(found, 100), ldexp(found, 100));
    within(norm == 0.0 ? found
                       : ldexp(value_of(off), -100) / (ldexp(found, 100) + ldexp(norm, 100)),
           ((double)(v->depth + 2) / 2 + 1) * v->u * norm, 1, v, kind, "nrm2");
}

static void check_maps(const vectors *v, data kind)
{
    const stn_exec *exec = order_use(order_settings() - 1);
    const double a = 0.75, b = (double)0.7f, c = (double)0.8f, s = (double)0.6f;
    double x[N], y[N];
    stn_view xv = wrap(x, 1, v->n), yv = wrap(y, 1, v->n);
    memcpy(x, v->x, sizeof x);
    memcpy(y, v->y, sizeof y);
    expect_ok(stn_axpby(exec, v->arithmetic, a, &xv, b, &yv));
    for (int64_t k = 0; k < v->n; k++) {
        const pair exact = plus_product(plus_product((pair){0, 0}, a, v->x[k]), b, v->y[k]);
        within((y[k] - exact.high) - exact.low,
               v->u * (fabs(a * v->x[k]) + fabs(b * v->y[k]) + fabs(y[k])), 3, v, kind, "axpby");
    }
    memcpy(y, v->y, sizeof y);
    expect_ok(stn_rot(exec, v->arithmetic, &xv, &yv, c, s));
    for (int64_t k = 0; k < v->n; k++) {
        const pair left = plus_product(plus_product((pair){0, 0}, c, v->x[k]), s, v->y[k]);
        const pair right = plus_product(plus_product((pair){0, 0}, c, v->y[k]), -s, v->x[k]);
        const double bound = 2 * v->u * (fabs(v->x[k]) + fabs(v->y[k]));
        within((x[k] - left.high) - left.low, bound, 3, v, kind, "rot's x");
        within((y[k] - right.high) - right.low, bound, 3, v, kind, "rot's y");
    }
}

/* Of complex numbers, whose parts are of x and y. */
static void check_complex(const vectors *v, data kind)
{
    const stn_exec *exec = order_use(order_settings() - 1);
    const stn_format arithmetic = v->arithmetic == STN_F32 ? STN_C64 : STN_C128;
    stn_c128 x[N], y[N], found[2];
    stn_view xv, yv;
    double sizes, norm;
    pair parts[2][2] = {{{0, 0}}}, squares = {0, 0}, size = {0, 0};
    double magnitude[2] = {0, 0};
    for (int64_t k = 0; k < v->n; k++) {
        x[k] = (stn_c128){v->x[k], v->y[v->n - 1 - k]};
        y[k] = (stn_c128){v->y[k], -v->x[k]};
        for (int conjugated = 0; conjugated < 2; conjugated++) {
            const double im = conjugated ? -x[k].im : x[k].im;
            pair *const part = parts[conjugated];
            part[0] = plus_product(plus_product(part[0], x[k].re, y[k].re), -im, y[k].im);
            part[1] = plus_product(plus_product(part[1], x[k].re, y[k].im), im, y[k].re);
        }
        magnitude[0] += fabs(x[k].re * y[k].re) + fabs(x[k].im * y[k].im);
        magnitude[1] += fabs(x[k].re * y[k].im) + fabs(x[k].im * y[k].re);
        size = plus(plus(size, fabs(x[k].re)), fabs(x[k].im));
        squares = plus_product(squares, ldexp(x[k].re, 100), ldexp(x[k].re, 100));
        squares = plus_product(squares, ldexp(x[k].im, 100), ldexp(x[k].im, 100));
    }
    expect_ok(stn_view_wrap(&xv, "x", stn_storage_of(STN_C128), x, 1, &v->n));
    expect_ok(stn_view_wrap(&yv, "y", stn_storage_of(STN_C128), y, 1, &v->n));
    expect_ok(stn_dotu(exec, arithmetic, &found[0], &xv, &yv));
    expect_ok(stn_dotc(exec, arithmetic, &found[1], &xv, &yv));
    for (int k = 0; k < 4; k++) {
        const pair exact = parts[k / 2][k % 2];
        const double part = k % 2 ? found[k / 2].im : found[k / 2].re;
        within((part - exact.high) - exact.low,
               2 * (double)(v->depth + 2) * v->u * magnitude[k % 2], 2 * (double)v->n, v, kind,
               k / 2 ? "dotc" : "dotu");
    }
    expect_ok(stn_asum(exec, arithmetic, &sizes, &xv));
    within((sizes - size.high) - size.low, (double)(v->depth + 2) * v->u * sizes, 0, v, kind,
           "complex asum");
    expect_ok(stn_nrm2(exec, arithmetic, &norm, &xv));
    const pair off = plus_product(squares, -ldexp(norm, 100), ldexp(norm, 100));
    within(ldexp(value_of(off), -100) / (2 * ldexp(norm, 100) + 0x1p-900),
           ((double)(v->depth + 3) / 2 + 1) * v->u * norm, 1, v, kind, "complex nrm2");
}

/* a is what it was plus the products alpha x[i] y[j], and alpha y[i] x[j] where there are two. */
static void check_updates(const vectors *v, data kind)
{
    enum { M = 20 };
    const stn_exec *exec = order_use(order_settings() - 1);
    const double alpha = (double)0.7f;
    const int64_t m = v->n < M ? v->n : M;
    double a[M * M], x[N], y[N];
    for (int two = 0; two < 2; two++) {
        memcpy(x, v->x, sizeof x);
        memcpy(y, v->y, sizeof y);
        for (int64_t k = 0; k < m * m; k++)
            a[k] = v->y[k % v->n];
        stn_view matrix = wrap(a, 2, m), xv = wrap(x, 1, m), yv = wrap(y, 1, m);
        expect_ok(two ? stn_syr2(exec, v->arithmetic, STN_LOWER, alpha, &xv, &yv, &matrix)
                      : stn_ger(exec, v->arithmetic, alpha, &xv, &yv, &matrix));
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < (two ? i + 1 : m); j++) {
                const double old = v->y[(i * m + j) % v->n], first = alpha * y[j] * x[i],
                             second = two ? alpha * x[j] * y[i] : 0.0;
                const double exact = old + first + second, is = a[i * m + j];
                const double size = fabs(old) + fabs(first) + fabs(second);
                const double sums = fabs(old + first) + fabs(is);
                /* In f64 the reference itself rounds a few times. */
                const double slack = v->arithmetic == STN_F64 ? 4 * v->u * size : 0.0;
                within(is - exact, 2 * v->u * (fabs(first) + fabs(second)) + v->u * sums + slack, 6,
                       v, kind, two ? "syr2" : "ger");
            }
    }
}

TEST_CASE(test_vectors)
{
    static const int64_t lengths[] = {1, 2, 33, 129, N};
    uint64_t state = 1;
    for (int k = 0; k < 2 * DATA * 5; k++) {
        const data kind = (data)(k / 2 % DATA);
        const vectors v = make(k % 2 ? STN_F32 : STN_F64, kind, lengths[k / 2 / DATA], &state);
        check_sums(&v, kind);
        check_maps(&v, kind);
        check_complex(&v, kind);
        check_updates(&v, kind);
    }
}

/* ---- level 2 ---- */

enum { M = 300 };

typedef struct matrix {
    double a[M][M], before[M];
} matrix;

/* A triangle that is solved without growth: its diagonal outweighs the rest. */
static matrix *make_matrix(data kind, int64_t n, int is_upper, uint64_t *state)
{
    matrix *m = calloc(1, sizeof *m);
    assert_non_null(m);
    for (int64_t i = 0; i < n; i++) {
        fill(kind, n, &m->a[0][0] + i * n, state);
        for (int64_t j = 0; j < n; j++)
            if (is_upper ? j < i : j > i)
                (&m->a[0][0])[i * n + j] = (double)NAN;
        (&m->a[0][0])[i * n + i] = kind == SUBNORMAL ? 0x1p-130 : 16.0 + any(state) / 1024;
        (&m->a[0][0])[i * n + i] = (double)(float)(&m->a[0][0])[i * n + i];
    }
    return m;
}

static double at(const matrix *m, int64_t n, int64_t i, int64_t j)
{
    return (&m->a[0][0])[i * n + j];
}

/* What the row's products with x give, less b; and the magnitudes. */
static double residual(const matrix *m, int64_t n, int64_t i, int is_upper, const double *x,
                       double b, double *magnitude)
{
    pair sum = {-b, 0};
    *magnitude = fabs(b);
    for (int64_t j = is_upper ? i : 0; j < (is_upper ? n : i + 1); j++) {
        sum = plus_product(sum, at(m, n, i, j), x[j]);
        *magnitude += fabs(at(m, n, i, j) * x[j]);
    }
    return value_of(sum);
}

static void check_triangle(stn_format arithmetic, data kind, int64_t n, int is_upper,
                           uint64_t *state)
{
    const stn_exec *exec = order_use(order_settings() - 1);
    vectors v = make(arithmetic, kind == SUBNORMAL ? RANDOM : kind, n, state);
    matrix *m = make_matrix(kind, n, is_upper, state);
    const stn_triangle triangle = is_upper ? STN_UPPER : STN_LOWER;
    double x[N], magnitude;
    stn_view a = wrap(&m->a[0][0], 2, n), xv = wrap(x, 1, n);
    if (kind == SUBNORMAL) /* x, too, that solutions are of usual size */
        for (int64_t k = 0; k < n; k++)
            v.x[k] = ldexp(v.x[k], -130);
    memcpy(x, v.x, sizeof x);
    expect_ok(
        stn_trsv(exec, arithmetic, triangle, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &a, &xv));
    for (int64_t i = 0; i < n; i++) {
        const double error = residual(m, n, i, is_upper, x, v.x[i], &magnitude);
        within(error, (double)(v.depth + 20) * v.u * magnitude, (double)n + 4, &v, kind, "trsv");
    }
    memcpy(x, v.y, sizeof x);
    expect_ok(
        stn_trmv(exec, arithmetic, triangle, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &a, &xv));
    for (int64_t i = 0; i < n; i++) {
        const double error = residual(m, n, i, is_upper, v.y, x[i], &magnitude);
        within(error, (double)(v.depth + 2) * v.u * magnitude, (double)n, &v, kind, "trmv");
    }
    free(m);
}

TEST_CASE(test_triangles)
{
    static const int64_t sizes[] = {1, 7, 128, 130, M};
    uint64_t state = 2;
    for (int k = 0; k < 4 * DATA * 5; k++)
        check_triangle(k % 2 ? STN_F32 : STN_F64, (data)(k / 4 % DATA), sizes[k / 4 / DATA],
                       k / 2 % 2, &state);
}

/* A singular diagonal is no error: what is divided by 0 is infinite, or NaN. */
TEST_CASE(test_singular)
{
    double a[] = {0, 0, 0, 5, 0, 0, 1, 1, 1}, x[] = {1, 0, 2};
    stn_view av = wrap(a, 2, 3), xv = wrap(x, 1, 3);
    for (int setting = 0; setting < order_settings(); setting++) {
        memcpy(x, (const double[]){1, 0, 2}, sizeof x);
        expect_ok(stn_trsv(order_use(setting), STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT,
                           STN_NO_CONJUGATE, &av, &xv));
        assert_true(isinf(x[0]) && x[0] > 0 && isinf(x[1]) && x[1] < 0 && isnan(x[2]));
        memcpy(x, (const double[]){0, 0, 2}, sizeof x);
        expect_ok(stn_trsv(order_use(setting), STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT,
                           STN_NO_CONJUGATE, &av, &xv));
        assert_true(isnan(x[0]) && isnan(x[1]) && isnan(x[2]));
    }
}

/* ---- norms beyond and below what squares hold ---- */

TEST_CASE(test_range)
{
    double x[3], found;
    stn_view view = wrap(x, 1, 3);
    for (int setting = 0; setting < order_settings(); setting++)
        for (int e = -1074; e <= 1020; e += 7) {
            memcpy(x, (const double[]){ldexp(2.0, e), ldexp(3.0, e), ldexp(6.0, e)}, sizeof x);
            expect_ok(stn_nrm2(order_use(setting), STN_F64, &found, &view));
            assert_true(found == ldexp(7.0, e));
        }
}

/* ---- rotations ---- */

static const double sizes[] = {0.0,         1.0,      -3.5,    0x1p-1074, 0x1.8p-1060, 0x1p1023,
                               -0x1.fp1000, 0x1p-600, 0x1p600, -0.7,      0x1p-20};
enum { SIZES = (int)(sizeof sizes / sizeof *sizes) };

TEST_CASE(test_rotg)
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

TEST_CASE(test_rotg_complex)
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
static void check_rotmg(double d1, double d2, double x, double y)
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

TEST_CASE(test_rotmg)
{
    static const double factors[] = {1, 0.25, 0x1p-60, 3, 0x1p70, 0};
    static const double numbers[] = {1, -2, 0.1, 1000, 0x1p-15, 0};
    double p[5], d1 = -1, d2 = 1, x = 1;
    for (int k = 0; k < 6 * 6 * 6 * 6; k++)
        check_rotmg(factors[k % 6], factors[k / 6 % 6], numbers[k / 36 % 6], numbers[k / 216]);
    expect_ok(stn_rotmg(STN_F64, &d1, &d2, &x, 1, p));
    assert_true(p[0] == -1 && p[1] == 0 && p[4] == 0 && d1 == 0 && d2 == 0 && x == 0);
}

RUN_TESTS(NULL, order_teardown, UNIT(test_vectors), UNIT(test_triangles), UNIT(test_singular),
          UNIT(test_range), UNIT(test_rotg), UNIT(test_rotg_complex), UNIT(test_rotmg))
