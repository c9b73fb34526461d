/* symm, hemm, syrk, herk, syr2k, her2k, trmm and trsm of oblong matrices that are longer than a
 * panel, by the library's own products and the system's: within the errors that blas.h states, in
 * long double, and nothing written outside of the triangle. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "accuracy.h"
#include "blas/level3/system.h"
#include "levels.h"
#include "make_view.h"

typedef struct wide {
    long double re, im;
} wide;

/* Rows follow each other; the view is of it in the arithmetic type, or by columns. */
typedef struct matrix {
    int64_t rows, columns;
    stn_c128 *at;
    stn_view view;
} matrix;

typedef struct shape {
    stn_format arithmetic;
    int is_left, is_conjugated, has_units;
    stn_triangle triangle;
    stn_c128 alpha, beta;
    double u, tiny; /* tiny: the least number, of subnormal data, else 0 */
    data_kind kind;
} shape;

static int is_complex(const shape *s)
{
    return s->arithmetic == STN_C128 || s->arithmetic == STN_C64;
}

static void store(const matrix *m)
{
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < m->columns; j++) {
            const int64_t place[] = {i, j};
            const stn_c128 z = m->at[i * m->columns + j];
            expect_ok(oracle_formats[m->view.storage.format].kind == ORACLE_COMPLEX
                          ? stn_view_set_complex(&m->view, 2, place, z)
                          : stn_view_set(&m->view, 2, place, z.re));
        }
}

static stn_c128 *load(const matrix *m)
{
    stn_c128 *const at = calloc((size_t)(m->rows * m->columns) + 1, sizeof *at);
    assert_non_null(at);
    for (int64_t k = 0; k < m->rows * m->columns; k++) {
        const int64_t place[] = {k / m->columns, k % m->columns};
        expect_ok(oracle_formats[m->view.storage.format].kind == ORACLE_COMPLEX
                      ? stn_view_get_complex(&m->view, 2, place, &at[k])
                      : stn_view_get(&m->view, 2, place, &at[k].re));
    }
    return at;
}

/* As f32 holds it. Rows of one parity times columns of the other cancel, where they are to. */
static double element(const shape *s, int64_t i, int64_t j, int64_t columns, uint64_t *state)
{
    double x = any(state);
    if (s->kind == GRADED)
        x = ldexp(x, -(int)(j * 40 / columns));
    if (s->kind == CANCELLING)
        x = (i * j % 2 ? -1 : 1) * (1 + 0x1p-12 * x);
    return (double)(float)x;
}

static int is_narrow(const shape *s)
{
    return s->u == 0x1p-24;
}

/* Of numbers times 2^-down, where they are to be subnormal. */
static matrix make_small(const shape *s, int64_t rows, int64_t columns, double part,
                         uint64_t *state)
{
    matrix m = {.rows = rows, .columns = columns};
    const int64_t extents[] = {rows, columns};
    const double down = s->kind == SUBNORMAL ? part * (is_narrow(s) ? 136 : 1040) : 0;
    const stn_layout layout =
        stn_layout_of(order_next(state) % 2 ? STN_LAYOUT_LEFT : STN_LAYOUT_RIGHT);
    expect_ok(
        stn_view_create_spec(NULL, &m.view,
                             &STN_VIEW_SPEC(.label = "m", .storage = stn_storage_of(s->arithmetic),
                                            .layout = &layout, .rank = 2, .extents = extents)));
    m.at = calloc((size_t)(rows * columns) + 1, sizeof *m.at);
    assert_non_null(m.at);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            const double re = ldexp(element(s, i, j, columns, state), -(int)down),
                         im = ldexp(element(s, i, j, columns, state), -(int)down);
            m.at[i * columns + j] = stn_c128_of(re, is_complex(s) ? im : 0);
        }
    store(&m);
    free(m.at);
    m.at = load(&m);
    return m;
}

static matrix make(const shape *s, int64_t rows, int64_t columns, uint64_t *state)
{
    return make_small(s, rows, columns, 0, state);
}

static void drop(matrix *m)
{
    free(m->at);
    expect_ok(stn_view_release(&m->view));
}

/* ---- arithmetic ---- */

static double size(stn_c128 z)
{
    return fabs(z.re) + fabs(z.im);
}

static stn_c128 conjugate(stn_c128 z, int turns)
{
    return stn_c128_of(z.re, turns ? -z.im : z.im);
}

/* sum + x * y, and the magnitude of the product. */
static void add(wide *sum, stn_c128 x, stn_c128 y, long double *most)
{
    sum->re += (long double)x.re * y.re - (long double)x.im * y.im;
    sum->im += (long double)x.re * y.im + (long double)x.im * y.re;
    *most += (long double)size(x) * size(y);
}

static void add_times(wide *all, stn_c128 factor, wide sum)
{
    all->re += factor.re * sum.re - factor.im * sum.im;
    all->im += factor.re * sum.im + factor.im * sum.re;
}

/* Of sums of `count` products, as blas.h states it, and 2 more for their factor. */
static long double of_sums(const shape *s, int64_t count)
{
    return is_complex(s) ? 2 * (long double)count + 4 : (long double)count + 3;
}

/* The system's product may add `count` products onto beta times what was there, one by one. */
static int adds_onto;

/* Of what is multiplied by beta, and of what becomes of all. */
static long double of_rest(const shape *s, int64_t count, stn_c128 old, stn_c128 is)
{
    const long double times = (is_complex(s) ? 2 : 1) * (adds_onto ? (long double)count + 1 : 1);
    return times * size(s->beta) * size(old) + size(is);
}

static void within(const char *what, const shape *s, stn_c128 is, wide should, long double bound,
                   int64_t i, int64_t j)
{
    if (!(fabsl(is.re - should.re) <= bound) || !(fabsl(is.im - should.im) <= bound))
        fail_msg("%s in %s%s of %s numbers at %d, %d: (%a, %a), not (%a, %a) within %g", what,
                 oracle_formats[s->arithmetic].name, s->is_left ? " left" : "", data_names[s->kind],
                 (int)i, (int)j, is.re, is.im, (double)should.re, (double)should.im, (double)bound);
}

/* ---- elements of A ---- */

static int is_in(const shape *s, int64_t i, int64_t j)
{
    return s->triangle == STN_UPPER ? j >= i : j <= i;
}

static stn_c128 mirrored(const shape *s, const matrix *a, int hermitian, int64_t i, int64_t j)
{
    const int is_own = is_in(s, i, j);
    const stn_c128 z = a->at[is_own ? i * a->columns + j : j * a->columns + i];
    return stn_c128_of(z.re, !hermitian ? z.im : i == j ? 0 : is_own ? z.im : -z.im);
}

static stn_c128 triangular(const shape *s, const matrix *a, int64_t i, int64_t j)
{
    if (i == j && s->has_units)
        return stn_c128_of(1, 0);
    return is_in(s, i, j) ? conjugate(a->at[i * a->columns + j], s->is_conjugated)
                          : stn_c128_of(0, 0);
}

/* ---- gemm, symm and hemm ---- */

typedef enum product { GEMM, SYMM, HEMM } product;

static stn_status multiply(const shape *s, const stn_exec *exec, product which, const stn_view *a,
                           const stn_view *b, const stn_view *c)
{
    const stn_format t = s->arithmetic;
    const stn_side side = s->is_left ? STN_SIDE_LEFT : STN_SIDE_RIGHT;
    if (which == GEMM && is_complex(s))
        return stn_gemm_complex(exec, t, s->alpha, (stn_conjugate)s->is_conjugated, a,
                                (stn_conjugate)(s->is_conjugated && s->is_left), b, s->beta, c);
    if (which == GEMM)
        return stn_gemm(exec, t, s->alpha.re, a, b, s->beta.re, c);
    if (which == HEMM)
        return stn_hemm(exec, t, side, s->triangle, s->alpha, a, b, s->beta, c);
    return is_complex(s) ? stn_symm_complex(exec, t, side, s->triangle, s->alpha, a, b, s->beta, c)
                         : stn_symm(exec, t, side, s->triangle, s->alpha.re, a, b, s->beta.re, c);
}

/* Element i, j of the left factor, or the right one. */
static stn_c128 factor_at(const shape *s, product which, const matrix *a, const matrix *b,
                          int is_right, int64_t i, int64_t j)
{
    const matrix *const general = which == GEMM && !is_right ? a : b;
    if (which != GEMM && s->is_left != is_right)
        return mirrored(s, a, which == HEMM, i, j);
    return conjugate(general->at[i * general->columns + j],
                     which == GEMM && s->is_conjugated && (!is_right || s->is_left));
}

/* `terms` is the inner extent of gemm. */
static void check_product(const shape *s, const stn_exec *exec, product which, int64_t m, int64_t n,
                          int64_t terms, uint64_t *state)
{
    const int64_t order = s->is_left ? m : n, k = which == GEMM ? terms : order;
    matrix a = which == GEMM ? make(s, m, k, state) : make(s, order, order, state),
           b = make_small(s, which == GEMM ? k : m, n, 1, state), c = make_small(s, m, n, 1, state);
    expect_ok(multiply(s, exec, which, &a.view, &b.view, &c.view));
    stn_c128 *const is = load(&c);
    for (int64_t i = 0; i < m; i += 1 + m / 40)
        for (int64_t j = 0; j < n; j += 1 + n / 40) {
            const stn_c128 old = c.at[i * n + j];
            wide sum = {0, 0}, all = {0, 0};
            long double most = 0;
            for (int64_t l = 0; l < k; l++)
                add(&sum, factor_at(s, which, &a, &b, 0, i, l),
                    factor_at(s, which, &a, &b, 1, l, j), &most);
            add_times(&all, s->alpha, sum);
            add_times(&all, s->beta, (wide){old.re, old.im});
            within(
                which == GEMM ? "gemm" : "symm", s, is[i * n + j], all,
                s->u * (of_sums(s, k) * size(s->alpha) * most + of_rest(s, k, old, is[i * n + j])) +
                    s->tiny * (4 * (double)k + 16),
                i, j);
        }
    free(is);
    drop(&a);
    drop(&b);
    drop(&c);
}

/* ---- rank k and 2k ---- */

static stn_status update_square(const shape *s, const stn_exec *exec, int hermitian, int has_two,
                                const stn_view *a, const stn_view *b, const stn_view *c)
{
    const stn_format t = s->arithmetic;
    const stn_conjugate conj = (stn_conjugate)s->is_conjugated;
    if (hermitian)
        return has_two ? stn_her2k(exec, t, s->triangle, s->alpha, conj, a, b, s->beta.re, c)
                       : stn_herk(exec, t, s->triangle, s->alpha.re, conj, a, s->beta.re, c);
    if (is_complex(s))
        return has_two ? stn_syr2k_complex(exec, t, s->triangle, s->alpha, a, b, s->beta, c)
                       : stn_syrk_complex(exec, t, s->triangle, s->alpha, a, s->beta, c);
    return has_two ? stn_syr2k(exec, t, s->triangle, s->alpha.re, a, b, s->beta.re, c)
                   : stn_syrk(exec, t, s->triangle, s->alpha.re, a, s->beta.re, c);
}

static void check_square(const shape *given, const stn_exec *exec, int hermitian, int has_two,
                         int64_t n, int64_t k, uint64_t *state)
{
    shape s = *given;
    matrix a = make_small(&s, n, k, 0.5, state), b = make_small(&s, n, k, 0.5, state),
           c = make_small(&s, n, n, 1, state);
    if (hermitian)
        s.beta.im = 0;
    if (hermitian && !has_two)
        s.alpha.im = 0;
    expect_ok(update_square(&s, exec, hermitian, has_two, &a.view, &b.view, &c.view));
    stn_c128 *const is = load(&c);
    const int turns = hermitian && s.is_conjugated;
    for (int64_t e = 0; e < n * n; e++) {
        const int64_t i = e / n, j = e % n;
        if (!is_in(&s, i, j)) {
            assert_memory_equal(&is[e], &c.at[e], sizeof *is);
            continue;
        }
        if (n > 100 && i % 61 && j % 67 && i != j)
            continue;
        wide left = {0, 0}, right = {0, 0}, all = {0, 0};
        long double most = 0;
        for (int64_t l = 0; l < k; l++) {
            const matrix *const other = has_two ? &b : &a;
            add(&left, conjugate(a.at[i * k + l], turns),
                conjugate(other->at[j * k + l], hermitian && !turns), &most);
            if (has_two)
                add(&right, conjugate(b.at[i * k + l], turns),
                    conjugate(a.at[j * k + l], hermitian && !turns), &most);
        }
        add_times(&all, s.alpha, left);
        add_times(&all, conjugate(s.alpha, hermitian), right);
        add_times(&all, s.beta, (wide){c.at[e].re, c.at[e].im});
        if (hermitian && i == j) {
            assert_true(is[e].im == 0);
            add_times(&all, s.beta, (wide){0, -(long double)c.at[e].im});
            all.im = 0;
        }
        within("rank k", &s, is[e], all,
               s.u * ((of_sums(&s, k) + has_two) * size(s.alpha) * most +
                      of_rest(&s, 2 * k, c.at[e], is[e])) +
                   s.tiny * (8 * (double)k + 16),
               i, j);
    }
    free(is);
    drop(&a);
    drop(&b);
    drop(&c);
}

/* ---- triangles ---- */

/* Row i of the triangle's product with column j, of what stands in `x`; from the left, or right. */
static wide product_at(const shape *s, const matrix *a, const stn_c128 *x, int64_t n, int64_t i,
                       int64_t j, long double *most)
{
    wide sum = {0, 0};
    for (int64_t k = 0; k < a->rows; k++)
        if (s->is_left)
            add(&sum, triangular(s, a, i, k), x[k * n + j], most);
        else
            add(&sum, x[i * n + k], triangular(s, a, k, j), most);
    return sum;
}

static void check_triangle(const shape *s, const stn_exec *exec, int solves, int64_t m, int64_t n,
                           uint64_t *state)
{
    const int64_t order = s->is_left ? m : n;
    const stn_side side = s->is_left ? STN_SIDE_LEFT : STN_SIDE_RIGHT;
    const stn_diagonal diagonal = s->has_units ? STN_DIAGONAL_UNIT : STN_DIAGONAL_NON_UNIT;
    const stn_conjugate conj = (stn_conjugate)s->is_conjugated;
    matrix a = make(s, order, order, state), b = make_small(s, m, n, 1, state);
    for (int64_t i = 0; i < order; i++)
        for (int64_t j = 0; j < order; j++) {
            stn_c128 *const z = &a.at[i * order + j];
            *z = !is_in(s, i, j) ? stn_c128_of((double)NAN, is_complex(s) ? (double)NAN : 0)
                 : i == j        ? stn_c128_of(2 + z->re, z->im)
                                 : stn_c128_of((double)(float)(z->re / (double)order),
                                               (double)(float)(z->im / (double)order));
        }
    store(&a);
    if (is_complex(s))
        expect_ok((solves ? stn_trsm_complex : stn_trmm_complex)(
            exec, s->arithmetic, side, s->triangle, diagonal, s->alpha, conj, &a.view, &b.view));
    else
        expect_ok((solves ? stn_trsm : stn_trmm)(exec, s->arithmetic, side, s->triangle, diagonal,
                                                 s->alpha.re, conj, &a.view, &b.view));
    stn_c128 *const is = load(&b);
    const double tiny = s->tiny * (4 * (double)order + 16);
    for (int64_t i = 0; i < m; i += 1 + m / 40)
        for (int64_t j = 0; j < n; j += 1 + n / 40) {
            wide times = {0, 0};
            long double most = 0;
            const stn_c128 old = b.at[i * n + j];
            const wide sum = product_at(s, &a, solves ? is : b.at, n, i, j, &most);
            if (!solves) {
                add_times(&times, s->alpha, sum);
                within("trmm", s, is[i * n + j], times,
                       s->u * (long double)(is_complex(s) ? 2 * order + 8 : order + 3) *
                               size(s->alpha) * most +
                           tiny,
                       i, j);
                continue;
            }
            add_times(&times, s->alpha, (wide){old.re, old.im});
            within("trsm", s, stn_c128_of((double)(sum.re - times.re), (double)(sum.im - times.im)),
                   (wide){0, 0},
                   s->u * (long double)(is_complex(s) ? 2 * order + 16 : order + 5) *
                           (most + size(s->alpha) * size(old)) +
                       tiny,
                   i, j);
        }
    free(is);
    drop(&a);
    drop(&b);
}

/* ---- all ---- */

static shape any_shape(int k, uint64_t *state)
{
    static const stn_format all[] = {STN_F64, STN_C64, STN_F32, STN_C128};
    static const stn_c128 factors[] = {{1, 0}, {-0.5, 0.25}, {2, 0}, {0, 0}, {0.75, -1}};
    const uint64_t bits = order_next(state);
    shape s = {.arithmetic = all[k % 4],
               .is_left = bits & 1,
               .is_conjugated = bits >> 1 & 1,
               .has_units = bits >> 2 & 1,
               .triangle = bits >> 3 & 1 ? STN_UPPER : STN_LOWER,
               .alpha = factors[(bits >> 8) % 3],
               .beta = factors[(bits >> 16) % 5]};
    s.u = s.arithmetic == STN_F64 || s.arithmetic == STN_C128 ? 0x1p-53 : 0x1p-24;
    s.kind = (data_kind)(bits >> 24 & 3);
    if (s.kind == SUBNORMAL)
        s.tiny = is_narrow(&s) ? 0x1p-149 : 0x1p-1074;
    if (!is_complex(&s)) {
        s.alpha.im = s.beta.im = 0;
        s.is_conjugated = 0;
    }
    return s;
}

static void check_all(int way, int64_t m, int64_t n, int count, uint64_t *state)
{
    stn_system_gemm_use(way);
    for (int k = 0; k < count; k++) {
        const stn_exec *const exec = order_use(order_settings() - 4 + (int)(order_next(state) % 4));
        shape s = any_shape(k, state);
        if (s.kind == SUBNORMAL && m + n > 200) /* which is slow */
            s.kind = GRADED;
        const int hermitian = is_complex(&s) && order_next(state) % 2;
        check_product(&s, exec, GEMM, m, n, (m + n) / 2, state);
        check_product(&s, exec, hermitian ? HEMM : SYMM, m, n, 0, state);
        check_square(&s, exec, hermitian, 0, m, n, state);
        check_square(&s, exec, hermitian, 1, n, m, state);
        check_triangle(&s, exec, 0, m, n, state);
        check_triangle(&s, exec, 1, m, n, state);
    }
    stn_system_gemm_use(-1);
}

static void check_way(int way, uint64_t seed)
{
    uint64_t state = seed;
    check_all(way, 5, 7, oracle_count(8, 16, 64), &state);
    check_all(way, 65, 33, oracle_count(4, 8, 32), &state);
    check_all(way, 1, 130, oracle_count(4, 4, 32), &state);
    check_all(way, 131, 30, oracle_count(4, 4, 32), &state);
    check_all(way, 530, 9, oracle_count(0, 4, 16), &state);
    check_all(way, 17, 600, oracle_count(0, 2, 16), &state);
}

UNIT_TEST(test_own)
{
    adds_onto = 0;
    check_way(0, 1);
}

UNIT_TEST(test_system)
{
    int has_system = 0;
    adds_onto = 1;
    stn_system_gemm_use(1);
    expect_ok(stn_system_gemm_find("test", &has_system));
    if (!has_system)
        skip();
    check_way(1, 2);
}

/* Panels on either side of the diagonal, as stored and mirrored. */
UNIT_TEST(test_panels)
{
    uint64_t state = 3;
    for (int k = 0; k < 8; k++) {
        if (oracle_quick() && (k ^ k >> 1 ^ k >> 2) & 1) /* the others contain all pairs */
            continue;
        const shape s = {.arithmetic = k & 4 ? STN_C64 : STN_C128,
                         .is_left = k & 1,
                         .triangle = k & 2 ? STN_UPPER : STN_LOWER,
                         .alpha = {1, 0},
                         .beta = {0.5, 0},
                         .u = k & 4 ? 0x1p-24 : 0x1p-53};
        stn_system_gemm_use(k >> 2);
        check_product(&s, order_use(order_settings() - 1), HEMM, s.is_left ? 1030 : 3,
                      s.is_left ? 3 : 1030, 0, &state);
    }
    stn_system_gemm_use(-1);
}

/* NaN and infinity in a row of B reach what the triangle has of it, and no other row. */
UNIT_TEST(test_nan)
{
    enum { N = 150 };
    static double a[N * N], b[N * 3];
    const int64_t square[] = {N, N}, oblong[] = {N, 3};
    const stn_view av = wrap_view("a", stn_storage_of(STN_F64), a, 2, square);
    const stn_view bv = wrap_view("b", stn_storage_of(STN_F64), b, 2, oblong);
    for (int k = 0; k < 4 * order_settings(); k++) {
        const int is_upper = k & 1, solves = k >> 1 & 1, row = 70;
        for (int e = 0; e < N * N; e++)
            a[e] = e % (N + 1) == 0 ? 2 : 0.01;
        for (int e = 0; e < N * 3; e++)
            b[e] = e / 3 == row ? (e % 3 ? (double)NAN : (double)INFINITY) : 1;
        stn_system_gemm_use(k % 8 < 4);
        expect_ok((solves ? stn_trsm : stn_trmm)(
            order_use(k / 4), STN_F64, STN_SIDE_LEFT, is_upper ? STN_UPPER : STN_LOWER,
            STN_DIAGONAL_NON_UNIT, 1.0, STN_NO_CONJUGATE, &av, &bv));
        for (int e = 0; e < N * 3; e++) {
            const int is_reached = is_upper ? e / 3 <= row : e / 3 >= row;
            if (isfinite(b[e]) ? is_reached : !is_reached)
                fail_msg("%s, %s: row %d is %g", solves ? "trsm" : "trmm",
                         is_upper ? "upper" : "lower", e / 3, b[e]);
        }
    }
    stn_system_gemm_use(-1);
}

/* Packed triangles are read. */
UNIT_TEST(test_layouts)
{
    enum { N = 70 };
    static double packed[N * (N + 1) / 2], full[N * N], b[2][N * N], c[2][N * N];
    const int64_t square[] = {N, N};
    const stn_storage f64 = stn_storage_of(STN_F64);
    const stn_layout of_packed = stn_layout_packed(STN_UPPER, STN_LAYOUT_LEFT);
    stn_view bv[2], cv[2];
    const stn_view p = wrap_layout("p", f64, packed, &of_packed, 2, square);
    const stn_view f = wrap_view("f", f64, full, 2, square);
    for (int64_t e = 0; e < N * N; e++) {
        const int64_t place[] = {e / N, e % N};
        full[e] = (double)((e / N) * (e % N) % 11) + (e / N == e % N ? 30 : 0);
        if (place[1] >= place[0])
            expect_ok(stn_view_set(&p, 2, place, full[e]));
        b[0][e] = b[1][e] = (double)(e * 7 % 13);
    }
    for (int k = 0; k < 2; k++) {
        const stn_exec *const exec = order_use(order_settings() - 1);
        bv[k] = wrap_view("b", f64, b[k], 2, square);
        cv[k] = wrap_view("c", f64, c[k], 2, square);
        expect_ok(stn_symm(exec, STN_F64, STN_SIDE_LEFT, STN_UPPER, 1.0, k ? &p : &f, &bv[k], 0.0,
                           &cv[k]));
        expect_ok(stn_trmm(exec, STN_F64, STN_SIDE_RIGHT, STN_UPPER, STN_DIAGONAL_NON_UNIT, 1.0,
                           STN_NO_CONJUGATE, k ? &p : &f, &bv[k]));
    }
    assert_memory_equal(b[0], b[1], sizeof b[0]);
    assert_memory_equal(c[0], c[1], sizeof c[0]);
}

RUN_UNIT_TESTS(NULL, order_teardown)
