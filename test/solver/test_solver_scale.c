/* The magnitude of b, x and A: solves with b or A times a power of two have the bits of the
 * unscaled solve, also if squares of b overflow or underflow; and elements of x that its storage
 * cannot represent. */
#include <math.h>
#include <stdio.h>

#include "linear_system.h"
#include "order_oracle.h"

static linear_system s;
static outcome plain, o;

static const stn_solver_options inner_f64 =
    STN_INIT(stn_solver_options, .relative_tolerance = 1e-3);

static stn_solver_options of(int method, int is_f32)
{
    return (stn_solver_options)STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                                        .arithmetic = is_f32 ? STN_F32 : STN_F64,
                                        .relative_tolerance = is_f32 ? 1e-5 : 1e-10, .restart = 12,
                                        .inner = &narrow_inner[0]);
}

/* ---- b ---- */

/* From a nonzero guess, with b, the guess and the absolute tolerance times 2^exponent. */
static void solve_scaled(stn_solver_options solver, int exponent, outcome *found)
{
    number kept[MOST_ROWS];
    memset(found, 0, sizeof *found);
    memcpy(kept, s.b, sizeof kept);
    for (int i = 0; i < s.rows; i++) {
        s.b[i] = ldexp(creal(kept[i]), exponent);
        found->x[i] = ldexp(0.25 + i % 3, exponent);
    }
    solver.absolute_tolerance = ldexp(solver.absolute_tolerance, exponent);
    system_continue(order_use(0), &solver, &s, found);
    memcpy(s.b, kept, sizeof kept);
}

/* o has the bits of `plain`, with x times 2^exponent. */
static void expect_scaled(int exponent, const char *what)
{
    if (o.status != plain.status || o.solution.iterations != plain.solution.iterations ||
        o.solution.residual != plain.solution.residual ||
        memcmp(o.history, plain.history, sizeof o.history) != 0)
        fail_msg("%s: %s, %d iterations, residual %g; unscaled %d, %g", what,
                 o.status ? stn_error() : "solved", (int)o.solution.iterations, o.solution.residual,
                 (int)plain.solution.iterations, plain.solution.residual);
    for (int i = 0; i < s.rows; i++)
        if (o.x[i] != ldexp(creal(plain.x[i]), exponent))
            fail_msg("%s: x[%d] is %a, not %a times 2^%d", what, i, creal(o.x[i]),
                     creal(plain.x[i]), exponent);
}

UNIT_TEST(test_bits)
{
    static const int exponents[] = {3, -3, 15, -15, 60, -60, 130, -130, 500, -500, 950, -950};
    for (int k = 0; k < 3 * METHODS; k++) {
        const int method = k % METHODS, way = k / METHODS;
        stn_solver_options solver = of(method, way == 1);
        if (way == 2) /* the absolute tolerance decides */
            solver.absolute_tolerance = 1e-3, solver.relative_tolerance = 1e-14;
        system_make(&s, traits[method].is_symmetric ? POSITIVE : GENERAL, 0);
        solve_scaled(solver, 0, &plain);
        expect_ok(plain.status);
        for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
            char what[80];
            snprintf(what, sizeof what, "%s, way %d, b times 2^%d", traits[method].name, way,
                     exponents[e]);
            solve_scaled(solver, exponents[e], &o);
            expect_scaled(exponents[e], what);
        }
    }
}

/* Subnormal b and x, which miss the tolerance by rounding, and an infinite |b|. */
UNIT_TEST(test_ends)
{
    static const int exponents[] = {-1060, 1020};
    for (int k = 0; k < 2 * METHODS; k++) {
        const int method = k % METHODS, exponent = exponents[k / METHODS];
        const int is_rounded = exponent < 0;
        const stn_solver_options solver = of(method, 0);
        system_make(&s, traits[method].is_symmetric ? POSITIVE : GENERAL, 0);
        solve_scaled(solver, 0, &plain);
        solve_scaled(solver, exponent, &o);
        if (o.solution.reason != (is_rounded ? STN_STOP_NOT_REPRESENTABLE : STN_STOP_CONVERGED))
            fail_msg("%s, 2^%d: %s", traits[method].name, exponent, stn_error());
        assert_true(o.solution.residual <= 1e-10);
        assert_true((o.solution.stored_residual > 1e-10) == is_rounded);
        for (int i = 0; i < s.rows; i++)
            assert_true(fabs(ldexp(creal(o.x[i]), -exponent) - creal(plain.x[i])) <= 1e-3);
    }
}

/* ---- A ---- */

static void multiply_matrix(int exponent)
{
    for (int i = 0; i < s.rows; i++)
        for (int j = 0; j < s.rows; j++)
            s.dense[i][j] = ldexp(creal(s.dense[i][j]), exponent);
    system_wrap(&s);
}

/* A times a power of two divides x by it, with every kind of basis. */
UNIT_TEST(test_bases)
{
    static const struct {
        stn_format format;
        int64_t block;
    } bases[] = {{STN_F64, 0}, {STN_F16, 0}, {STN_E4M3, 0}, {STN_I8, 0},
                 {STN_I16, 0}, {STN_I8, 32}, {STN_I32, 32}};
    for (int k = 0; k < 4 * 7; k++) {
        const int is_f32 = k / 7 % 2, exponent = (is_f32 ? 60 : 900) * (k / 14 ? 1 : -1);
        stn_solver_options solver = of(k % 2 ? STN_SOLVER_FGMRES : STN_SOLVER_GMRES, is_f32);
        solver.basis = stn_storage_of(bases[k % 7].format);
        solver.basis_block = bases[k % 7].block;
        system_make(&s, GENERAL, 0);
        system_solve(order_use(0), &solver, &s, &plain);
        expect_ok(plain.status);
        multiply_matrix(exponent);
        system_solve(order_use(0), &solver, &s, &o);
        expect_scaled(-exponent, "a basis");
    }
}

/* A is subnormal: x is infinite, or at the end of the range. No call inside the solver fails. */
UNIT_TEST(test_subnormal_matrix)
{
    for (int k = 0; k < 8; k++) {
        const int has_blocks = k / 2 % 2;
        stn_solver_options solver = of(k % 2 ? STN_SOLVER_FGMRES : STN_SOLVER_GMRES, 0);
        solver.basis = stn_storage_of(has_blocks ? STN_I16 : STN_F16);
        solver.basis_block = has_blocks ? 32 : 0;
        system_make(&s, GENERAL, 0);
        multiply_matrix(k / 4 ? -1032 : -1024);
        system_solve(order_use(0), &solver, &s, &o);
        if (o.status != STN_ERR_CONVERGENCE)
            expect_ok(o.status);
    }
}

/* ---- diagonal matrices: x is b / a ---- */

enum { ROWS = 8 };

static double b[ROWS];

static void make(double a, double b_element)
{
    system_clear(&s, ROWS, 0);
    for (int i = 0; i < ROWS; i++) {
        system_store(&s, i, i, a);
        b[i] = b_element;
    }
    system_wrap(&s);
}

/* x in this storage, from its elements. */
static stn_status solve(const stn_solver_options *solver, stn_storage storage, void *codes,
                        stn_solver_report *report)
{
    static const int64_t rows = ROWS;
    stn_view x_view, b_view;
    *report = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    expect_ok(stn_view_wrap(&x_view, "x", storage, codes, 1, &rows));
    expect_ok(stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), b, 1, &rows));
    return stn_solve(order_use(0), &x_view, &s.a, &b_view, solver, report);
}

/* Magnitudes of b and x beyond the range of f32, with a guess that is 1e50 times larger. */
UNIT_TEST(test_beyond_arithmetic)
{
    static const double scales[] = {1e-50, 1e-300, 1e50, 1e300};
    for (int k = 0; k < 4 * METHODS; k++) {
        const stn_solver_options solver = of(k % METHODS, 1);
        const double scale = scales[k / METHODS];
        double x[ROWS];
        stn_solver_report report;
        make(0.5, scale);
        for (int i = 0; i < ROWS; i++)
            x[i] = 7.0;
        expect_ok_for(solve(&solver, stn_storage_of(STN_F64), x, &report),
                      traits[k % METHODS].name);
        for (int i = 0; i < ROWS; i++)
            assert_true(fabs(x[i] / scale - 2.0) < 1e-5);
    }
}

/* A guess that is too large compared with b for squares in the arithmetic type is replaced by 0. */
UNIT_TEST(test_large_guess)
{
    for (int k = 0; k < 4 * METHODS; k++) {
        const int is_f32 = k / METHODS % 2;
        const stn_solver_options solver = of(k % METHODS, is_f32);
        const double a = k / METHODS / 2 ? 100.0 : 1.0, small = is_f32 ? 1e-36 : 1e-305;
        double x[ROWS];
        stn_solver_report report;
        make(a, small);
        for (int i = 0; i < ROWS; i++)
            x[i] = 300.0 + i;
        expect_ok_for(solve(&solver, stn_storage_of(STN_F64), x, &report),
                      traits[k % METHODS].name);
        for (int i = 0; i < ROWS; i++)
            assert_true(fabs(x[i] / small * a - 1.0) < 1e-5);
        x[3] = INFINITY;
        expect_error(solve(&solver, stn_storage_of(STN_F64), x, &report), STN_ERR_CONVERGENCE,
                     NULL);
        assert_int_equal(report.reason, STN_STOP_NOT_FINITE);
        assert_true(isinf(x[3]));
    }
}

UNIT_TEST(test_saturated)
{
    for (int k = 0; k < 2 * METHODS; k++) {
        const int is_negative = k / METHODS;
        const double large = is_negative ? -1000.0 : 1000.0;
        const stn_solver_options solver = of(k % METHODS, 0);
        stn_storage storage = stn_storage_of(STN_I8);
        stn_counters counters = {5, 0, 0};
        int8_t x[ROWS] = {0};
        stn_solver_report report;
        make(0.5, 10.0);
        b[3] = large;
        storage.counters = &counters;
        expect_error(solve(&solver, storage, x, &report), STN_ERR_CONVERGENCE,
                     "1 elements are out of range");
        assert_int_equal(report.reason, STN_STOP_NOT_REPRESENTABLE);
        assert_int_equal(report.saturated, 1);
        assert_int_equal(counters.saturated, 6);
        assert_int_equal(x[3], is_negative ? -128 : 127);
        assert_int_equal(x[4], 20);
        assert_true(report.residual < 1e-10);
        assert_true(fabs(report.stored_residual * sqrt(7e2 + 1e6) - fabs(large - 0.5 * x[3])) <
                    1e-9);
    }
}

/* Rounding to the storage is reported, not refused, unless all elements become 0. */
UNIT_TEST(test_rounded)
{
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options solver = of(method, 0);
        const stn_storage f16 = stn_storage_of(STN_F16);
        stn_f16 x[ROWS];
        double exact[ROWS] = {0}, error = 0.0;
        stn_solver_report report;
        memset(x, 0, sizeof x);
        make(0.5, 0.05);
        expect_ok(solve(&solver, f16, x, &report));
        for (int i = 0; i < ROWS; i++)
            error = hypot(error, 0.05 - 0.5 * (double)stn_f16_to_f32(x[i]));
        assert_true(report.residual < 1e-10 && report.saturated == 0);
        assert_true(report.stored_residual > 1e-5);
        assert_true(fabs(report.stored_residual * 0.05 * sqrt(ROWS) - error) < 1e-15);
        expect_ok(solve(&solver, stn_storage_of(STN_F64), exact, &report));
        assert_true(report.stored_residual == report.residual);
        make(0.5, 1e-30);
        memset(x, 0, sizeof x);
        expect_error(solve(&solver, f16, x, &report), STN_ERR_CONVERGENCE, NULL);
        assert_int_equal(report.reason, STN_STOP_NOT_REPRESENTABLE);
        assert_true(report.stored_residual == 1.0 && report.residual < 1e-10);
    }
}

/* ---- x out of the range of its storage ---- */

/* A vector in f64 or f32. */
typedef struct either {
    double f64[ROWS];
    float f32[ROWS];
} either;

static void *data_of(either *x, int is_f32)
{
    return is_f32 ? (void *)x->f32 : (void *)x->f64;
}

/* The magnitude of x is 1e313, in the vectors of the solve 1e60: x keeps its values. Half of b is
 * smaller, so that half of x is representable. */
UNIT_TEST(test_overflow)
{
    for (int k = 0; k < 2 * METHODS; k++) {
        const int is_f32 = k / METHODS;
        stn_solver_options solver = of(k % METHODS, is_f32);
        const double large = is_f32 ? 1e25 : 1e253;
        either x;
        stn_solver_report report;
        solver.inner = &inner_f64;
        make(0.5 / (is_f32 ? 1e15 : 1e60), large);
        for (int i = 0; i < ROWS; i++) {
            b[i] = i % 2 ? large : large / 1e8;
            x.f64[i] = x.f32[i] = 1.0F;
        }
        expect_error(
            solve(&solver, stn_storage_of(solver.arithmetic), data_of(&x, is_f32), &report),
            STN_ERR_CONVERGENCE, NULL);
        if (report.reason != STN_STOP_NOT_REPRESENTABLE || report.saturated != ROWS / 2)
            fail_msg("%s: %s", traits[k % METHODS].name, stn_error());
        assert_true(report.residual < 1e-5 && report.stored_residual == 1.0);
        for (int i = 0; i < ROWS; i++)
            assert_true(x.f64[i] == 1.0 && x.f32[i] == 1.0F);
    }
}

UNIT_TEST(test_complex_overflow)
{
    static const stn_solver_options inner =
        STN_INIT(stn_solver_options, .arithmetic = STN_C128, .relative_tolerance = 1e-3);
    make(0.5 / 1e60, 0.0);
    s.is_complex = 1; /* the vectors; the matrix is real */
    for (int i = 0; i < ROWS; i++)
        s.b[i] = (i == 3 ? 1e253 : 1e200) - 1e220 * I;
    for (int method = 0; method < METHODS; method++) {
        stn_solver_options solver = of(method, 0);
        solver.arithmetic = STN_C128;
        solver.inner = &inner;
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        if (o.solution.reason != STN_STOP_NOT_REPRESENTABLE || o.solution.saturated != 1)
            fail_msg("%s: %s", traits[method].name, stn_error());
        assert_true(creal(o.x[3]) == 0.0 && cimag(o.x[4]) == 0.0);
    }
}

/* x is subnormal in the arithmetic type and misses the tolerance. */
UNIT_TEST(test_underflow)
{
    for (int k = 0; k < 2 * METHODS; k++) {
        const int is_f32 = k / METHODS;
        const stn_solver_options solver = of(k % METHODS, is_f32);
        const double least = is_f32 ? 0x1p-149 : 0x1p-1074;
        either x = {{0}, {0}};
        double error = 0.0;
        stn_solver_report report;
        make(0.5, 2.0 * least);
        system_store(&s, 0, 0, 0.75); /* x[0] is rounded from 4/3 to 1 */
        system_wrap(&s);
        b[0] = least;
        expect_error(
            solve(&solver, stn_storage_of(solver.arithmetic), data_of(&x, is_f32), &report),
            STN_ERR_CONVERGENCE, NULL);
        if (report.reason != STN_STOP_NOT_REPRESENTABLE)
            fail_msg("%s: %s", traits[k % METHODS].name, stn_error());
        for (int i = 0; i < ROWS; i++) {
            const double found = (is_f32 ? (double)x.f32[i] : x.f64[i]) / least;
            assert_true(found == (i ? 4.0 : 1.0));
            error = hypot(error, b[i] / least - (i ? 0.5 : 0.75) * found);
        }
        error /= sqrt(4.0 * (ROWS - 1) + 1.0);
        assert_true(fabs(report.stored_residual - error) < 1e-6 && report.residual < 1e-5);
    }
}

/* A correction in f32 that overflows ends refinement: it improves nothing. */
UNIT_TEST(test_inner_overflow)
{
    stn_solver_options solver = of(STN_SOLVER_REFINEMENT, 1);
    float x[ROWS] = {0};
    stn_solver_report report;
    solver.inner = &inner_f64;
    make(0.5 / 1e40, 1.0);
    expect_error(solve(&solver, stn_storage_of(STN_F32), x, &report), STN_ERR_CONVERGENCE, NULL);
    assert_int_equal(report.reason, STN_STOP_STAGNATED);
    assert_true(x[3] == 0.0F && report.residual == 1.0);
}

/* ---- x is never worse than the guess ---- */

/* The solution is (-6, 8). Steps of 3 round it to (-6, 9) with a residual of 1.4, which is that of
 * the guess (3, 0). */
UNIT_TEST(test_guess_is_kept)
{
    static const double dense[] = {1.0, 1.0, 1.0, 1.0 + 0x1p-12};
    static const int64_t rows = 2;
    stn_storage storage = stn_storage_of(STN_I8);
    system_of(&s, 2, dense);
    storage.scale = 3.0;
    b[0] = 2.0;
    b[1] = 2.0 + 0x1p-9;
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options solver = of(method, 0);
        int8_t x[] = {1, 0};
        stn_view b_view, x_view;
        stn_solver_report report = STN_SOLVER_REPORT_INIT;
        expect_ok(stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), b, 1, &rows));
        expect_ok(stn_view_wrap(&x_view, "x", storage, x, 1, &rows));
        expect_ok_for(stn_solve(order_use(0), &x_view, &s.a, &b_view, &solver, &report),
                      traits[method].name);
        const double first = hypot(b[0] - 3.0, b[1] - 3.0) / hypot(b[0], b[1]);
        assert_true(fabs(report.stored_residual - first) < 1e-12 && report.residual < 1e-10);
        assert_true(x[0] == 1 && x[1] == 0);
    }
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
