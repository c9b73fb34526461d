/* The scale of b and of x does not matter: solves with b times a power of two have the bits of the
 * solve without it, also where squares of b overflow or vanish; and what a storage cannot represent
 * of x is reported. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "order_oracle.h"
#include "solver_problem.h"
#include "matrix.h"

static const stn_solver_options inner =
    STN_INIT(stn_solver_options, .arithmetic = STN_F32, .relative_tolerance = 1e-3);
static const stn_solver_options inner_f64 =
    STN_INIT(stn_solver_options, .relative_tolerance = 1e-3);

static stn_solver_options of(int method, stn_format arithmetic)
{
    return (stn_solver_options)STN_INIT(
        stn_solver_options, .method = (stn_solver_method)method, .arithmetic = arithmetic,
        .relative_tolerance = arithmetic == STN_F32 ? 1e-5 : 1e-10, .restart = 12, .inner = &inner);
}

/* ---- b ---- */

/* From a guess that is not 0, with b, the guess and the absolute goal times 2^exponent. */
static void solve_scaled(stn_solver_options solver, const problem *p, int exponent, outcome *o)
{
    static problem scaled;
    stn_view b, x;
    scaled = *p;
    solver_must(stn_operator_of_matrix(&scaled.a, p->matrix));
    memset(o, 0, sizeof *o);
    for (int i = 0; i < N; i++) {
        scaled.b[i] = ldexp(p->b[i], exponent);
        o->x[i] = ldexp(0.25 + i % 3, exponent);
    }
    solver.absolute_tolerance = ldexp(solver.absolute_tolerance, exponent);
    o->solution = (stn_solver_report)STN_INIT(stn_solver_report, .history = o->history,
                                              .history_capacity = 1000);
    problem_wrap(&b, "b", scaled.b);
    problem_wrap(&x, "x", o->x);
    o->status = stn_solve(order_use(0), &x, &scaled.a, &b, &solver, &o->solution);
}

static void expect_same(const outcome *plain, const outcome *o, int exponent, const char *what)
{
    if (o->status != plain->status || o->solution.iterations != plain->solution.iterations ||
        o->solution.residual != plain->solution.residual ||
        memcmp(o->history, plain->history, sizeof o->history) != 0)
        fail_msg("%s: %s, %d iterations, residual %g; unscaled %d, %g", what,
                 o->status ? stn_error() : "solved", (int)o->solution.iterations,
                 o->solution.residual, (int)plain->solution.iterations, plain->solution.residual);
    for (int i = 0; i < N; i++)
        if (o->x[i] != ldexp(plain->x[i], exponent))
            fail_msg("%s: x[%d] is %a, not %a", what, i, o->x[i], ldexp(plain->x[i], exponent));
}

static void test_bits(void **state)
{
    static const int exponents[] = {3, -3, 15, -15, 60, -60, 130, -130, 500, -500, 950, -950};
    static problem p;
    static outcome plain, o;
    (void)state;
    for (int k = 0; k < 3 * METHODS; k++) {
        const int method = k % METHODS;
        stn_solver_options solver = of(method, k / METHODS == 1 ? STN_F32 : STN_F64);
        if (k / METHODS == 2) /* the absolute goal decides */
            solver.absolute_tolerance = 1e-3, solver.relative_tolerance = 1e-14;
        problem_set(&p, traits[method].is_symmetric ? 0.0 : 0.7, 0.0);
        solve_scaled(solver, &p, 0, &plain);
        solver_must(plain.status);
        for (int e = 0; e < (int)(sizeof exponents / sizeof *exponents); e++) {
            char what[80];
            snprintf(what, sizeof what, "%s, way %d, b times 2^%d", traits[method].name,
                     k / METHODS, exponents[e]);
            solve_scaled(solver, &p, exponents[e], &o);
            expect_same(&plain, &o, exponents[e], what);
        }
    }
}

/* At the ends of the range: subnormal b and x, whose roundings miss the goal, and |b| that is
 * infinite. */
static void test_ends(void **state)
{
    static const int exponents[] = {-1060, 1020};
    static problem p;
    static outcome plain, o;
    (void)state;
    for (int k = 0; k < 2 * METHODS; k++) {
        const int method = k % METHODS, exponent = exponents[k / METHODS];
        const stn_solver_options solver = of(method, STN_F64);
        problem_set(&p, traits[method].is_symmetric ? 0.0 : 0.7, 0.0);
        solve_scaled(solver, &p, 0, &plain);
        solve_scaled(solver, &p, exponent, &o);
        const int is_rounded = exponent < 0;
        if (o.solution.reason != (is_rounded ? STN_STOP_NOT_REPRESENTABLE : STN_STOP_CONVERGED))
            fail_msg("%s, 2^%d: %s", traits[method].name, exponent, stn_error());
        assert_true(o.solution.residual <= 1e-10);
        assert_true((o.solution.stored_residual > 1e-10) == is_rounded);
        for (int i = 0; i < N; i++)
            assert_true(fabs(ldexp(o.x[i], -exponent) - plain.x[i]) <= 1e-3);
    }
}

/* ---- A ---- */

static void multiply_matrix(problem *p, int exponent)
{
    for (int k = 0; k < 5 * N; k++)
        p->value[k] = ldexp(p->value[k], exponent);
}

/* With A times a power of two in every kind of basis x is divided by it. */
static void test_bases(void **state)
{
    static const struct {
        stn_format format;
        int64_t block;
    } bases[] = {{STN_F64, 0}, {STN_F16, 0}, {STN_E4M3, 0}, {STN_I8, 0},
                 {STN_I16, 0}, {STN_I8, 32}, {STN_I32, 32}};
    static problem p;
    static outcome plain, o;
    (void)state;
    for (int k = 0; k < 4 * 7; k++) {
        const int is_f32 = k / 7 % 2, exponent = is_f32 ? 60 : 900, sign = k / 14 ? 1 : -1;
        stn_solver_options solver =
            of(k % 2 ? STN_SOLVER_FGMRES : STN_SOLVER_GMRES, is_f32 ? STN_F32 : STN_F64);
        solver.basis = stn_storage_of(bases[k % 7].format);
        solver.basis_block = bases[k % 7].block;
        problem_set(&p, 0.7, 0.0);
        problem_solve(order_use(0), &solver, &p, &plain);
        solver_must(plain.status);
        multiply_matrix(&p, sign * exponent);
        problem_solve(order_use(0), &solver, &p, &o);
        expect_same(&plain, &o, -sign * exponent, "a basis");
    }
}

/* A of subnormal numbers: x is infinite, or at the end of the range; no inner call fails. */
static void test_subnormal_matrix(void **state)
{
    static problem p;
    static outcome o;
    (void)state;
    for (int k = 0; k < 8; k++) {
        stn_solver_options solver = of(k % 2 ? STN_SOLVER_FGMRES : STN_SOLVER_GMRES, STN_F64);
        solver.basis = stn_storage_of(k / 2 % 2 ? STN_I16 : STN_F16);
        solver.basis_block = k / 2 % 2 ? 32 : 0;
        problem_set(&p, 0.7, 0.0);
        multiply_matrix(&p, k / 4 ? -1032 : -1024);
        problem_solve(order_use(0), &solver, &p, &o);
        if (o.status != STN_OK && o.status != STN_ERR_CONVERGENCE)
            fail_msg("%s", stn_error());
    }
}

/* ---- diagonals: x is 2 b ---- */

enum { ROWS = 8 };

typedef struct diagonal {
    int64_t start[ROWS + 1];
    int32_t column[ROWS];
    double value[ROWS], b[ROWS];
    stn_matrix *matrix;
    stn_operator a;
    stn_view b_view;
} diagonal;

static void make(diagonal *d, double b)
{
    static const int64_t rows = ROWS;
    for (int i = 0; i < ROWS; i++) {
        d->start[i] = d->column[i] = i;
        d->value[i] = 0.5;
        d->b[i] = b;
    }
    d->start[ROWS] = ROWS;
    solver_must(wrap_csr(&d->matrix, "halves", stn_storage_of(STN_F64), ROWS, ROWS, d->start,
                         d->column, d->value));
    solver_must(stn_operator_of_matrix(&d->a, d->matrix));
    solver_must(stn_view_wrap(&d->b_view, "b", stn_storage_of(STN_F64), d->b, 1, &rows));
}

/* x in this storage, from zeros. */
static stn_status solve(const diagonal *d, const stn_solver_options *solver, stn_storage storage,
                        void *codes, stn_solver_report *solution)
{
    static const int64_t rows = ROWS;
    stn_view x;
    *solution = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    solver_must(stn_view_wrap(&x, "x", storage, codes, 1, &rows));
    return stn_solve(order_use(0), &x, &d->a, &d->b_view, solver, solution);
}

/* f32 has neither b nor x, and the guess is 1e50 times larger. */
static void test_beyond_arithmetic(void **state)
{
    static const double scales[] = {1e-50, 1e-300, 1e50, 1e300};
    diagonal d;
    (void)state;
    for (int k = 0; k < 4 * METHODS; k++) {
        const stn_solver_options solver = of(k % METHODS, STN_F32);
        double x[ROWS];
        stn_solver_report solution = STN_SOLVER_REPORT_INIT;
        make(&d, scales[k / METHODS]);
        for (int i = 0; i < ROWS; i++)
            x[i] = 7.0;
        if (solve(&d, &solver, stn_storage_of(STN_F64), x, &solution) != STN_OK)
            fail_msg("%s, %g: %s", traits[k % METHODS].name, scales[k / METHODS], stn_error());
        for (int i = 0; i < ROWS; i++)
            assert_true(fabs(x[i] / scales[k / METHODS] - 2.0) < 1e-5);
    }
}

/* A guess that squares of the arithmetic type cannot hold next to b is replaced by 0. */
static void test_large_guess(void **state)
{
    diagonal d;
    (void)state;
    for (int k = 0; k < 4 * METHODS; k++) {
        const int is_f32 = k / METHODS % 2, is_large = k / METHODS / 2;
        const stn_solver_options solver = of(k % METHODS, is_f32 ? STN_F32 : STN_F64);
        const double b = is_f32 ? 1e-36 : 1e-305;
        double x[ROWS];
        stn_solver_report solution = STN_SOLVER_REPORT_INIT;
        make(&d, b);
        for (int i = 0; i < ROWS; i++) {
            d.value[i] = is_large ? 100.0 : 1.0;
            x[i] = 300.0 + i;
        }
        if (solve(&d, &solver, stn_storage_of(STN_F64), x, &solution) != STN_OK)
            fail_msg("%s, A %g, b %g: %s", traits[k % METHODS].name, d.value[0], b, stn_error());
        for (int i = 0; i < ROWS; i++)
            assert_true(fabs(x[i] / b * d.value[i] - 1.0) < 1e-5);
        x[3] = INFINITY;
        assert_int_equal(solve(&d, &solver, stn_storage_of(STN_F64), x, &solution),
                         STN_ERR_CONVERGENCE);
        assert_int_equal(solution.reason, STN_STOP_NOT_FINITE);
        assert_true(isinf(x[3]));
    }
}

static void test_saturated(void **state)
{
    static const double values[] = {1000.0, -1000.0};
    diagonal d;
    (void)state;
    for (int method = 0; method < METHODS; method++)
        for (int k = 0; k < 2; k++) {
            const stn_solver_options solver = of(method, STN_F64);
            stn_storage storage = stn_storage_of(STN_I8);
            stn_counters counters = {5, 0, 0};
            int8_t x[ROWS] = {0};
            stn_solver_report solution = STN_SOLVER_REPORT_INIT;
            make(&d, 10.0);
            d.b[3] = values[k];
            storage.counters = &counters;
            assert_int_equal(solve(&d, &solver, storage, x, &solution), STN_ERR_CONVERGENCE);
            if (!strstr(stn_error(), "1 elements are out of range"))
                fail_msg("%s", stn_error());
            assert_int_equal(solution.reason, STN_STOP_NOT_REPRESENTABLE);
            assert_int_equal(solution.saturated, 1);
            assert_int_equal(counters.saturated, 6);
            assert_int_equal(x[3], k ? -128 : 127);
            assert_int_equal(x[4], 20);
            const double left = fabs(values[k] - 0.5 * x[3]);
            assert_true(solution.residual < 1e-10);
            assert_true(fabs(solution.stored_residual * sqrt(7e2 + 1e6) - left) < 1e-9);
        }
}

/* Rounding to the storage is reported, not refused; unless nothing is left. */
static void test_rounded(void **state)
{
    diagonal d;
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options solver = of(method, STN_F64);
        stn_f16 x[ROWS];
        double exact[ROWS] = {0}, error = 0.0;
        stn_solver_report solution = STN_SOLVER_REPORT_INIT;
        memset(x, 0, sizeof x);
        make(&d, 0.05);
        solver_must(solve(&d, &solver, stn_storage_of(STN_F16), x, &solution));
        for (int i = 0; i < ROWS; i++)
            error = hypot(error, 0.05 - 0.5 * (double)stn_f16_to_f32(x[i]));
        assert_true(solution.residual < 1e-10 && solution.saturated == 0);
        assert_true(solution.stored_residual > 1e-5);
        assert_true(fabs(solution.stored_residual * 0.05 * sqrt(ROWS) - error) < 1e-15);
        solver_must(solve(&d, &solver, stn_storage_of(STN_F64), exact, &solution));
        assert_true(solution.stored_residual == solution.residual);
        make(&d, 1e-30);
        memset(x, 0, sizeof x);
        assert_int_equal(solve(&d, &solver, stn_storage_of(STN_F16), x, &solution),
                         STN_ERR_CONVERGENCE);
        assert_int_equal(solution.reason, STN_STOP_NOT_REPRESENTABLE);
        assert_true(solution.stored_residual == 1.0 && solution.residual < 1e-10);
    }
}

/* ---- x that the storage cannot represent ---- */

static void divide_diagonal(diagonal *d, double by)
{
    for (int i = 0; i < ROWS; i++)
        d->value[i] /= by;
}

/* The magnitude of x is 1e313, in the vectors of the solve 1e60: x keeps its values. Half of b is
 * smaller, so that half of x is representable. */
static void test_overflow(void **state)
{
    diagonal d;
    (void)state;
    for (int k = 0; k < 2 * METHODS; k++) {
        stn_solver_options solver = of(k % METHODS, k / METHODS ? STN_F32 : STN_F64);
        const double b = k / METHODS ? 1e25 : 1e253, by = k / METHODS ? 1e15 : 1e60;
        const stn_storage storage = stn_storage_of(solver.arithmetic);
        double f64[ROWS];
        float f32[ROWS];
        stn_solver_report solution = STN_SOLVER_REPORT_INIT;
        solver.inner = &inner_f64;
        make(&d, b);
        divide_diagonal(&d, by);
        for (int i = 0; i < ROWS; i++) {
            d.b[i] = i % 2 ? b : b / 1e8;
            f64[i] = f32[i] = 1.0F;
        }
        assert_int_equal(solve(&d, &solver, storage, k / METHODS ? (void *)f32 : f64, &solution),
                         STN_ERR_CONVERGENCE);
        if (solution.reason != STN_STOP_NOT_REPRESENTABLE || solution.saturated != ROWS / 2)
            fail_msg("%s: %s", traits[k % METHODS].name, stn_error());
        assert_true(solution.residual < 1e-5 && solution.stored_residual == 1.0);
        for (int i = 0; i < ROWS; i++)
            assert_true(k / METHODS ? f32[i] == 1.0F : f64[i] == 1.0);
    }
}

static void test_complex_overflow(void **state)
{
    diagonal d;
    static const int64_t rows = ROWS;
    stn_c128 b[ROWS], x[ROWS];
    stn_view b_view, x_view;
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options inner_c128 =
            STN_INIT(stn_solver_options, .arithmetic = STN_C128, .relative_tolerance = 1e-3);
        stn_solver_options solver = of(method, STN_C128);
        stn_solver_report solution = STN_SOLVER_REPORT_INIT;
        solver.inner = &inner_c128;
        make(&d, 0.0);
        divide_diagonal(&d, 1e60);
        for (int i = 0; i < ROWS; i++) {
            b[i] = stn_c128_of(i == 3 ? 1e253 : 1e200, -1e220);
            x[i] = stn_c128_of(0.0, 0.0);
        }
        solver_must(stn_view_wrap(&b_view, "b", stn_storage_of(STN_C128), b, 1, &rows));
        solver_must(stn_view_wrap(&x_view, "x", stn_storage_of(STN_C128), x, 1, &rows));
        assert_int_equal(stn_solve(order_use(0), &x_view, &d.a, &b_view, &solver, &solution),
                         STN_ERR_CONVERGENCE);
        if (solution.reason != STN_STOP_NOT_REPRESENTABLE || solution.saturated != 1)
            fail_msg("%s: %s", traits[method].name, stn_error());
        assert_true(x[3].re == 0.0 && x[4].im == 0.0);
    }
}

/* x is subnormal in the arithmetic type, and misses the goal. */
static void test_underflow(void **state)
{
    diagonal d;
    (void)state;
    for (int k = 0; k < 2 * METHODS; k++) {
        const stn_solver_options solver = of(k % METHODS, k / METHODS ? STN_F32 : STN_F64);
        const double least = k / METHODS ? 0x1p-149 : 0x1p-1074;
        double f64[ROWS] = {0}, error = 0.0;
        float f32[ROWS] = {0};
        stn_solver_report solution = STN_SOLVER_REPORT_INIT;
        make(&d, 1.0);
        d.value[0] = 0.75; /* x[0] is rounded from 4/3 to 1 */
        for (int i = 0; i < ROWS; i++)
            d.b[i] = i ? 2.0 * least : least;
        const stn_storage storage = stn_storage_of(solver.arithmetic);
        assert_int_equal(solve(&d, &solver, storage, k / METHODS ? (void *)f32 : f64, &solution),
                         STN_ERR_CONVERGENCE);
        if (solution.reason != STN_STOP_NOT_REPRESENTABLE)
            fail_msg("%s: %s", traits[k % METHODS].name, stn_error());
        for (int i = 0; i < ROWS; i++) {
            const double x = (k / METHODS ? (double)f32[i] : f64[i]) / least;
            assert_true(x == (i ? 4.0 : 1.0));
            error = hypot(error, d.b[i] / least - d.value[i] * x);
        }
        error /= sqrt(4.0 * (ROWS - 1) + 1.0);
        assert_true(fabs(solution.stored_residual - error) < 1e-6 && solution.residual < 1e-5);
    }
}

/* A correction in f32 that overflows ends refinement as one that brings nothing. */
static void test_inner_overflow(void **state)
{
    stn_solver_options solver = of(STN_SOLVER_REFINEMENT, STN_F32);
    diagonal d;
    float x[ROWS] = {0};
    stn_solver_report solution;
    (void)state;
    solver.inner = &inner_f64;
    make(&d, 1.0);
    divide_diagonal(&d, 1e40);
    assert_int_equal(solve(&d, &solver, stn_storage_of(STN_F32), x, &solution),
                     STN_ERR_CONVERGENCE);
    assert_int_equal(solution.reason, STN_STOP_STAGNATED);
    assert_true(x[3] == 0.0F && solution.residual == 1.0);
}

/* ---- x is never worse than the guess ---- */

/* The matrix [1 1; 1 1 + 2^-12]: rounding the solution makes it worse than the guess. */
static void test_guess_is_kept(void **state)
{
    static const int64_t start[] = {0, 2, 4}, rows = 2;
    static const int32_t column[] = {0, 1, 0, 1};
    static const double value[] = {1.0, 1.0, 1.0, 1.0 + 0x1p-12}, b[] = {2.0, 2.0 + 0x1p-9};
    stn_matrix *matrix;
    stn_operator a;
    stn_view b_view, x_view;
    (void)state;
    solver_must(
        wrap_csr(&matrix, "almost singular", stn_storage_of(STN_F64), 2, 2, start, column, value));
    solver_must(stn_operator_of_matrix(&a, matrix));
    solver_must(
        stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), (void *)(uintptr_t)b, 1, &rows));
    for (int method = 0; method < METHODS; method++) {
        /* the solution is (-6, 8); steps of 3 make it (-6, 9), with a residual of 1.4 */
        stn_solver_options solver = of(method, STN_F64);
        stn_storage storage = stn_storage_of(STN_I8);
        int8_t x[] = {1, 0}; /* 3, 0: a residual of 1.4 */
        stn_solver_report solution = STN_SOLVER_REPORT_INIT;
        storage.scale = 3.0;
        solver_must(stn_view_wrap(&x_view, "x", storage, x, 1, &rows));
        const stn_status status = stn_solve(order_use(0), &x_view, &a, &b_view, &solver, &solution);
        if (status != STN_OK)
            fail_msg("%s: %s", traits[method].name, stn_error());
        const double first = hypot(2.0 - 3.0, 2.0 + 0x1p-9 - 3.0) / hypot(b[0], b[1]);
        assert_true(fabs(solution.stored_residual - first) < 1e-12 && solution.residual < 1e-10);
        assert_true(x[0] == 1 && x[1] == 0);
    }
}

static int release(void **state)
{
    (void)state;
    order_release_executors();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_bases),
        cmocka_unit_test(test_subnormal_matrix),
        cmocka_unit_test(test_saturated),
        cmocka_unit_test(test_beyond_arithmetic),
        cmocka_unit_test(test_rounded),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_complex_overflow),
        cmocka_unit_test(test_underflow),
        cmocka_unit_test(test_inner_overflow),
        cmocka_unit_test(test_guess_is_kept),
        cmocka_unit_test(test_large_guess),
    };
    return cmocka_run_group_tests_name("scales", tests, NULL, release);
}
