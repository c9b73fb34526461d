/* Stop reasons: limits, breakdowns, singular matrices, infinities, and tolerances out of
 * reach, of real and complex systems. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "linear_system.h"
#include "matrix.h"
#include "order_oracle.h"

static linear_system s;
static outcome o, other;

static stn_solver_options of(int method, int is_complex)
{
    return (stn_solver_options)STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                                        .arithmetic = is_complex ? STN_C128 : STN_F64,
                                        .inner = &narrow_inner[is_complex]);
}

/* The solve of s has this reason, a finite x and the right residual. -1: any iterations. */
static void expect_reason(const stn_solver_options *solver, stn_stop_reason reason, int iterations)
{
    const stn_status status = reason == STN_STOP_CONVERGED ? STN_OK : STN_ERR_CONVERGENCE;
    const char *const name = stn_stop_reason_name(reason);
    system_solve(order_use(0), solver, &s, &o);
    if (o.solution.reason != reason || o.status != status ||
        (status && (!strstr(stn_error(), name) || !strstr(stn_error(), "a matrix"))))
        fail_msg("%s: %s, not %s, residual %g: %s", traits[solver->method].name,
                 stn_stop_reason_name(o.solution.reason), name, o.solution.residual,
                 o.status ? stn_error() : "");
    if (iterations >= 0)
        assert_int_equal(o.solution.iterations, iterations);
    for (int i = 0; i < s.rows; i++)
        assert_true(isfinite(creal(o.x[i])) && isfinite(cimag(o.x[i])));
    const double residual = reason == STN_STOP_NOT_FINITE ? NAN : system_residual(&s, o.x);
    if (fabs(o.solution.residual - residual) > 1e-9 * o.solution.residual + 1e-14)
        fail_msg("%s, %s: residual %g, reported %g", traits[solver->method].name, name, residual,
                 o.solution.residual);
}

/* ---- small matrices, all of whose entries are stored ---- */

enum { SMALL = 20 };

typedef enum shape {
    ONES,
    FIRST,         /* element 0 only */
    BALANCED,      /* a vector of sum 0: in the range of CHAIN */
    CHAIN,         /* singular: loose at both ends */
    HOLE,          /* a diagonal with a zero */
    SHIFT,         /* cyclic */
    MIXED,         /* a diagonal with both signs */
    SKEW,          /* skew-symmetric */
    ZERO_DIAGONAL, /* symmetric and not singular */
    GRADED,        /* symmetric positive definite, of condition 400 */
    DOMINANT,      /* of condition 9 */
    HILBERT
} shape;

static double element(shape which, int i, int j)
{
    const int distance = abs(i - j);
    switch (which) {
    case ONES:
        return 1.0;
    case FIRST:
        return i == 0 && j == 0;
    case BALANCED:
        return i < SMALL / 2 ? 1.0 + i : -1.0 - (SMALL - 1 - i);
    case CHAIN:
        return distance == 0 ? (i == 0 || i == SMALL - 1 ? 1.0 : 2.0) : distance == 1 ? -1.0 : 0.0;
    case HOLE:
        return i == j && i != 7 ? 1.0 + i % 3 : 0.0;
    case SHIFT:
        return (i + 1) % SMALL == j;
    case MIXED:
        return i == j ? (i % 2 ? -1.0 - i : 1.0 + i) : 0.0;
    case SKEW:
        return distance == 1 ? i - j : 0.0;
    case ZERO_DIAGONAL:
        return i != j && i / 2 == j / 2 ? 3.0 : 0.0;
    case GRADED:
        return i == j ? 1.0 + i * i : distance == 1 ? 0.25 * (i + j) : 0.0;
    case DOMINANT:
        return i == j ? 2.5 : distance == 1 ? -1.0 : 0.0;
    case HILBERT:
    default:
        return 1.0 / (i + j + 1);
    }
}

static void set(linear_system *target, shape matrix, shape b)
{
    system_clear(target, SMALL, 0);
    for (int i = 0; i < SMALL; i++) {
        target->b[i] = element(b, i, 0);
        for (int j = 0; j < SMALL; j++)
            system_store(target, i, j, element(matrix, i, j));
    }
    system_wrap(target);
}

/* ---- limits and entries that are not finite ---- */

static int stop_at_three(void *context, const stn_solver_progress *progress)
{
    (void)context;
    assert_true(progress->residual > 0 && progress->seconds >= 0);
    return progress->iteration == 3;
}

UNIT_TEST(test_limits)
{
    for (int k = 0; k < 2 * METHODS; k++) {
        const int is_complex = k / METHODS;
        const double numbers[] = {NAN, INFINITY};
        stn_solver_options solver = of(k % METHODS, is_complex);
        solver.restart = 20;
        system_make(&s, POSITIVE, is_complex);
        solver.max_iterations = 2;
        expect_reason(&solver, STN_STOP_MAX_ITERATIONS, 2);
        solver.max_iterations = 0;
        solver.monitor = stop_at_three;
        expect_reason(&solver, STN_STOP_INTERRUPTED, 3);
        solver.monitor = NULL;
        solver.max_seconds = 1e-9;
        expect_reason(&solver, STN_STOP_MAX_SECONDS, 1);
        solver.max_seconds = 0;
        for (int n = 0; n < 2; n++) {
            s.b[7] = is_complex ? 1.0 + numbers[n] * I : numbers[n];
            expect_reason(&solver, STN_STOP_NOT_FINITE, 0);
        }
        s.b[7] = 1;
        s.dense[6][7] = is_complex ? 1.0 + (double)INFINITY * I : INFINITY;
        system_wrap(&s);
        expect_reason(&solver, STN_STOP_NOT_FINITE, 0);
    }
}

static stn_status poison(void *context, const stn_exec *exec, stn_format arithmetic,
                         const stn_view *x, const stn_view *y)
{
    (void)arithmetic;
    stn_status status = stn_view_copy(exec, y, x);
    if (status == STN_OK && --*(int *)context == 0)
        ((double *)y->data)[3] = INFINITY;
    return status;
}

/* An infinity or NaN in A, and one that a preconditioner computes at its third call. */
UNIT_TEST(test_not_finite)
{
    for (int k = 0; k < 3 * METHODS; k++) {
        stn_solver_options solver = of(k % METHODS, 0);
        int calls = k / METHODS == 2 ? 3 : 1000000;
        stn_operator m;
        if (solver.method == STN_SOLVER_REFINEMENT)
            continue;
        expect_ok(stn_operator_create(&m, "infinity", SMALL, poison, &calls));
        solver.preconditioner = &m;
        set(&s, CHAIN, BALANCED);
        if (k / METHODS < 2)
            s.dense[3][4] = s.dense[4][3] = k / METHODS ? NAN : -INFINITY;
        system_wrap(&s);
        expect_reason(&solver, STN_STOP_NOT_FINITE, -1);
    }
}

static stn_status slowly(void *context, const stn_exec *exec, stn_format arithmetic,
                         const stn_view *x, const stn_view *y)
{
    const struct timespec time = {0, 5000000};
    nanosleep(&time, NULL);
    return stn_spmv(exec, arithmetic, 1.0, context, x, 0.0, y);
}

UNIT_TEST(test_time)
{
    stn_solver_options cg = of(STN_SOLVER_CG, 0);
    set(&s, HILBERT, ONES);
    expect_ok(stn_operator_create(&s.a, "a matrix, slowly", SMALL, slowly, s.matrix));
    cg.relative_tolerance = 1e-15;
    cg.max_seconds = 0.03;
    expect_reason(&cg, STN_STOP_MAX_SECONDS, -1);
    assert_in_range(o.solution.iterations, 1, 6);
    assert_true(o.solution.seconds >= 0.03);
}

static int stop_at(void *context, const stn_solver_progress *progress)
{
    return progress->iteration == *(int *)context;
}

/* If the monitor stops the solve, x is that of a solve limited to the same iterations. */
UNIT_TEST(test_interrupted)
{
    system_make(&s, POSITIVE, 0);
    for (int k = 0; k < METHODS * 3; k++) {
        int at = 1 + k / METHODS * 3;
        const stn_solver_options inner = STN_INIT(stn_solver_options, .relative_tolerance = 0.1);
        stn_solver_options solver = of(k % METHODS, 0);
        solver.restart = 4;
        solver.inner = &inner;
        solver.monitor = stop_at;
        solver.monitor_context = &at;
        expect_reason(&solver, STN_STOP_INTERRUPTED, at);
        other = o;
        solver.monitor = NULL;
        solver.max_iterations = at;
        expect_reason(&solver, STN_STOP_MAX_ITERATIONS, at);
        expect_same_bits(&other, &o, traits[solver.method].name);
        assert_true(system_residual(&s, o.x) < 3.0);
    }
}

/* A solve has converged at the absolute or at the relative tolerance. */
UNIT_TEST(test_absolute)
{
    stn_solver_options gmres = of(STN_SOLVER_GMRES, 0);
    set(&s, HOLE, ONES); /* the least residual is 1 */
    gmres.absolute_tolerance = 1.0 + 1e-12;
    expect_reason(&gmres, STN_STOP_CONVERGED, -1);
    gmres.absolute_tolerance = 0.9;
    expect_reason(&gmres, STN_STOP_BREAKDOWN, -1);
    gmres.relative_tolerance = 0.5;
    expect_reason(&gmres, STN_STOP_CONVERGED, -1);
}

/* ---- breakdowns ---- */

UNIT_TEST(test_not_positive)
{
    const stn_solver_options cg = of(STN_SOLVER_CG, 0), minres = of(STN_SOLVER_MINRES, 0);
    for (int k = 0; k < 2; k++) {
        set(&s, k ? ZERO_DIAGONAL : MIXED, k ? FIRST : ONES);
        expect_reason(&cg, STN_STOP_NOT_POSITIVE_DEFINITE, -1);
        expect_reason(&minres, STN_STOP_CONVERGED, -1);
    }
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        const stn_solver_options solver = of(STN_SOLVER_CG, is_complex);
        system_make(&s, POSITIVE, is_complex);
        for (int i = 0; i < s.rows; i++)
            s.dense[i][i] -= 9.0; /* negative definite */
        system_wrap(&s);
        expect_reason(&solver, STN_STOP_NOT_POSITIVE_DEFINITE, 0);
    }
}

/* A negative and a zero preconditioner. */
UNIT_TEST(test_preconditioners)
{
    for (int k = 0; k < 4 * METHODS; k++) {
        const int method = k / 4, is_left = k / 2 % 2, is_complex = k % 2;
        number negative = -1.0, zero = 0.0;
        stn_solver_options solver = of(method, is_complex);
        stn_operator m;
        if (method == STN_SOLVER_REFINEMENT || is_left > traits[method].has_left)
            continue;
        system_make(&s, POSITIVE, is_complex);
        solver.preconditioner = &m;
        solver.side = is_left ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT;
        expect_ok(stn_operator_create(&m, "zero", s.rows, system_diagonal, &zero));
        expect_reason(&solver, STN_STOP_BREAKDOWN, method == STN_SOLVER_GMRES && !is_left);
        expect_ok(stn_operator_create(&m, "minus", s.rows, system_diagonal, &negative));
        if (traits[method].is_symmetric)
            expect_reason(&solver, STN_STOP_NOT_POSITIVE_DEFINITE, 0);
    }
}

/* A rotation by 90 degrees: BiCGStab finds no first step. A permutation: its second step has length
 * zero. */
UNIT_TEST(test_turns)
{
    static const double turned[] = {0, 1, -1, 0}, swapped[] = {0, 1, 1, 0};
    for (int k = 0; k < 2 * METHODS; k++) {
        const int method = k / 2, is_swap = k % 2;
        const stn_solver_options solver = of(method, 0);
        if (traits[method].is_definite || (traits[method].is_symmetric && !is_swap))
            continue;
        system_of(&s, 2, is_swap ? swapped : turned);
        s.b[0] = 1;
        const int breaks = method == STN_SOLVER_BICGSTAB;
        expect_reason(&solver, breaks ? STN_STOP_BREAKDOWN : STN_STOP_CONVERGED, -1);
        assert_true(breaks || cabs(o.x[0]) + cabs(o.x[1] - 1) <= 2e-15);
    }
}

UNIT_TEST(test_bicgstab_breaks_down)
{
    const stn_solver_options bicgstab = of(STN_SOLVER_BICGSTAB, 0), gmres = of(STN_SOLVER_GMRES, 0);
    set(&s, SKEW, FIRST); /* r' A r is 0 */
    expect_reason(&bicgstab, STN_STOP_BREAKDOWN, 0);
    expect_reason(&gmres, STN_STOP_CONVERGED, -1);
}

/* If b is in the range of A, each method finds an x. Otherwise none does, and reports it. */
UNIT_TEST(test_singular)
{
    const double least = 1 / sqrt(SMALL);
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options solver = of(method, 0);
        if (method == STN_SOLVER_REFINEMENT)
            continue;
        set(&s, CHAIN, BALANCED);
        expect_reason(&solver, STN_STOP_CONVERGED, -1);
        set(&s, HOLE, ONES);
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        if (method == STN_SOLVER_BICGSTAB) /* its x may grow until it is not finite */
            continue;
        const stn_stop_reason reason = o.solution.reason;
        const double residual = system_residual(&s, o.x);
        if (reason != STN_STOP_BREAKDOWN && reason != STN_STOP_NOT_POSITIVE_DEFINITE &&
            reason != STN_STOP_STAGNATED && reason != STN_STOP_MAX_ITERATIONS)
            fail_msg("%s: %s", traits[method].name, stn_stop_reason_name(reason));
        if (method != STN_SOLVER_CG && /* whose x may grow */
            (!(residual >= least * (1 - 1e-12) && residual <= 1.0) ||
             fabs(residual - o.solution.residual) > 1e-14))
            fail_msg("%s: %s, residual %g, reported %g", traits[method].name,
                     stn_stop_reason_name(reason), residual, o.solution.residual);
        if (method == STN_SOLVER_GMRES)
            assert_true(reason == STN_STOP_BREAKDOWN && fabs(residual - least) <= 1e-12);
    }
}

/* A matrix of zeros, a row of zeros, and Hermitian methods on a matrix that is not. */
UNIT_TEST(test_no_solution)
{
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        stn_solver_options solver = of(STN_SOLVER_GMRES, is_complex);
        for (int rows = 1; rows >= 0; rows--) {
            system_make(&s, GENERAL, is_complex);
            for (int i = rows ? 40 : 0; i < (rows ? 41 : s.rows); i++)
                memset(s.dense[i], 0, sizeof s.dense[i]);
            system_wrap(&s);
            system_solve(order_use(0), &solver, &s, &o);
            assert_int_equal(o.status, STN_ERR_CONVERGENCE);
            assert_true(o.solution.reason == STN_STOP_BREAKDOWN ||
                        o.solution.reason == STN_STOP_STAGNATED);
        }
        expect_reason(&solver, STN_STOP_BREAKDOWN, 1);
    }
    system_make(&s, HELMHOLTZ, 1);
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options solver = of(method, 1);
        if (!traits[method].is_symmetric || method == STN_SOLVER_REFINEMENT)
            continue;
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        assert_true(o.solution.residual > 1e-3);
    }
}

/* ---- stagnation ---- */

/* A cyclic shift needs a basis of all rows: its residual is constant before. */
UNIT_TEST(test_stagnation_of_gmres)
{
    static const struct {
        int64_t restart;
        stn_stop_reason reason;
    } cases[] = {{SMALL - 1, STN_STOP_STAGNATED},
                 {SMALL, STN_STOP_CONVERGED},
                 {1 << 20, STN_STOP_CONVERGED}}; /* more than there are rows */
    set(&s, SHIFT, FIRST);
    for (int k = 0; k < 6; k++) {
        stn_solver_options solver = of(k % 2 ? STN_SOLVER_FGMRES : STN_SOLVER_GMRES, 0);
        solver.restart = cases[k / 2].restart;
        expect_reason(&solver, cases[k / 2].reason, k / 2 ? SMALL : -1);
        assert_int_equal(o.solution.restarts, 0);
    }
}

/* Tolerances that the arithmetic type does not reach. */
UNIT_TEST(test_goals_out_of_reach)
{
    static const double goals[] = {1e-17, 1e-20, 1e-100, 1e-300};
    const stn_solver_options inner = STN_INIT(stn_solver_options, .relative_tolerance = 1e-4);
    set(&s, DOMINANT, HILBERT);
    for (int k = 0; k < 4 * METHODS; k++) {
        stn_solver_options solver = of(k % METHODS, 0);
        solver.relative_tolerance = goals[k / METHODS];
        solver.inner = &inner;
        expect_reason(&solver, STN_STOP_STAGNATED, -1);
        assert_true(o.solution.residual < 4e-15);
    }
    for (int k = 0; k < 2 * METHODS; k++) {
        stn_solver_options solver = of(k % METHODS, k / METHODS);
        if (solver.method == STN_SOLVER_REFINEMENT)
            continue;
        system_make(&s, POSITIVE, k / METHODS);
        solver.arithmetic = k / METHODS ? STN_C64 : STN_F32;
        solver.relative_tolerance = 1e-12;
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        assert_int_equal(o.solution.reason, STN_STOP_STAGNATED);
        assert_true(system_residual(&s, o.x) <= 1e-5);
    }
}

/* The recurrence of CG reaches the tolerance and x does not: the residual is that of x. */
UNIT_TEST(test_true_residual)
{
    stn_solver_options cg = of(STN_SOLVER_CG, 0);
    double least = INFINITY;
    set(&s, HILBERT, ONES);
    cg.relative_tolerance = 1e-13;
    cg.max_iterations = 1000;
    system_solve(order_use(0), &cg, &s, &o);
    assert_int_equal(o.status, STN_ERR_CONVERGENCE);
    for (int64_t i = 0; i < o.solution.history_count; i++)
        least = fmin(least, o.history[i]);
    assert_true(o.solution.reason != STN_STOP_STAGNATED || least <= 1e-13);
    assert_true(o.solution.residual > 1e-13);
    assert_true(fabs(system_residual(&s, o.x) - o.solution.residual) <= 1e-6 * o.solution.residual);
}

/* An inner solver of another matrix improves nothing and leaves x. Two inner iterations of CG
 * reduce the error in the norm of A and increase the residual; refinement converges nevertheless.
 */
UNIT_TEST(test_refinement)
{
    static linear_system negative;
    const stn_solver_options minres = of(STN_SOLVER_MINRES, 0);
    const stn_solver_options two = STN_INIT(stn_solver_options, .max_iterations = 2);
    stn_solver_options solver = of(STN_SOLVER_REFINEMENT, 0);
    set(&s, MIXED, ONES);
    set(&negative, MIXED, ONES);
    for (int i = 0; i < SMALL; i++)
        negative.dense[i][i] = -negative.dense[i][i];
    system_wrap(&negative);
    solver.inner = &minres;
    solver.inner_operator = &negative.a;
    expect_reason(&solver, STN_STOP_STAGNATED, -1);
    for (int i = 0; i < SMALL; i++)
        assert_true(o.x[i] == 0);
    system_release(&negative);
    set(&s, GRADED, FIRST);
    solver.inner = &two;
    solver.inner_operator = NULL;
    solver.relative_tolerance = 1e-3;
    expect_reason(&solver, STN_STOP_CONVERGED, -1);
}

/* ---- small systems ---- */

/* b = 0; no unknowns; one unknown: 4 x = 8, or 4 i x = 8. */
UNIT_TEST(test_small)
{
    for (int k = 0; k < 2 * METHODS; k++) {
        const int is_complex = k / METHODS, method = k % METHODS;
        const stn_solver_options solver = of(method, is_complex);
        const number four = is_complex && !traits[method].is_symmetric ? 4.0 * I : 4.0;
        system_make(&s, POSITIVE, is_complex);
        memset(s.b, 0, sizeof s.b);
        memset(&o, 0, sizeof o);
        for (int i = 0; i < s.rows; i++)
            o.x[i] = 5;
        system_continue(order_use(0), &solver, &s, &o);
        expect_ok(o.status);
        for (int i = 0; i < s.rows; i++)
            assert_true(o.x[i] == 0);
        assert_true(o.solution.iterations == 0 && o.solution.residual == 0);
        for (int rows = 0; rows < 2; rows++) {
            system_clear(&s, rows, is_complex);
            if (rows)
                system_store(&s, 0, 0, four);
            system_wrap(&s);
            s.b[0] = 8.0;
            system_solve(order_use(0), &solver, &s, &o);
            expect_ok(o.status);
            assert_true(cabs(o.x[0] - (rows ? 8.0 / four : 0.0)) <= (is_complex ? 1e-15 : 0.0));
        }
    }
}

/* A real matrix in complex arithmetic. */
UNIT_TEST(test_real_matrix)
{
    stn_matrix *real;
    system_make(&s, POSITIVE, 1);
    for (int i = 0; i < s.rows; i++)
        for (int j = 0; j < s.rows; j++)
            s.dense[i][j] = creal(s.dense[i][j]);
    system_wrap(&s);
    expect_ok(wrap_csr(&real, "real", stn_storage_of(STN_F64), s.rows, s.rows, s.start, s.column,
                       s.value));
    expect_ok(stn_operator_of_matrix(&s.a, real));
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options solver = of(method, 1);
        system_solve(order_use(0), &solver, &s, &o);
        expect_ok(o.status);
        assert_true(system_residual(&s, o.x) <= 1.01e-10);
    }
    stn_matrix_release(real);
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
