/* How solves end on matrices that are made for it: singular ones, those that a method stands still
 * or breaks down on, infinities, limits; and memory that is not there. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/memory.h"
#include "core/available.h"
#include "order_oracle.h"
#include "solver_problem.h"
#include "matrix.h"

enum { SMALL = 20 };

/* A small matrix, all of whose entries are stored. */
typedef struct small {
    double value[SMALL * SMALL], b[SMALL], x[SMALL];
    int64_t start[SMALL + 1];
    int32_t column[SMALL * SMALL];
    stn_matrix *matrix;
    stn_operator a;
    stn_solver_report solution;
    stn_status status;
} small;

typedef double (*entry)(int i, int j);

static void set(small *s, entry entry_of, entry b_of)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < SMALL; i++) {
        s->start[i + 1] = (i + 1) * SMALL;
        s->b[i] = b_of(i, 0);
        for (int j = 0; j < SMALL; j++) {
            s->column[i * SMALL + j] = j;
            s->value[i * SMALL + j] = entry_of(i, j);
        }
    }
    solver_must(wrap_csr(&s->matrix, "a small matrix", stn_storage_of(STN_F64), SMALL, SMALL,
                         s->start, s->column, s->value));
    solver_must(stn_operator_of_matrix(&s->a, s->matrix));
}

static double residual(const small *s)
{
    long double all = 0, norm = 0;
    for (int i = 0; i < SMALL; i++) {
        long double r = s->b[i];
        for (int j = 0; j < SMALL; j++)
            r -= (long double)s->value[i * SMALL + j] * (long double)s->x[j];
        all += r * r;
        norm += (long double)s->b[i] * (long double)s->b[i];
    }
    return (double)sqrtl(all / norm);
}

static void solve(small *s, const stn_solver_options *solver)
{
    static const int64_t n = SMALL;
    stn_view b, x;
    memset(s->x, 0, sizeof s->x);
    s->solution = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    solver_must(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), s->b, 1, &n));
    solver_must(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), s->x, 1, &n));
    s->status = stn_solve(order_use(0), &x, &s->a, &b, solver, &s->solution);
}

static void expect(small *s, const stn_solver_options *solver, stn_stop_reason reason)
{
    solve(s, solver);
    if (s->solution.reason != reason ||
        s->status != (reason == STN_STOP_CONVERGED ? STN_OK : STN_ERR_CONVERGENCE))
        fail_msg("%s: %s, not %s, residual %g: %s", traits[solver->method].name,
                 stn_stop_reason_name(s->solution.reason), stn_stop_reason_name(reason),
                 s->solution.residual, s->status ? stn_error() : "");
    for (int i = 0; i < SMALL; i++)
        assert_true(isfinite(s->x[i]));
    if (reason != STN_STOP_NOT_FINITE && fabs(residual(s) - s->solution.residual) > 1e-14)
        fail_msg("%s: residual %g, told %g", traits[solver->method].name, residual(s),
                 s->solution.residual);
}

static stn_solver_options of(stn_solver_method method)
{
    return (stn_solver_options)STN_INIT(stn_solver_options, .method = method);
}

/* ---- matrices ---- */

static double ones(int i, int j)
{
    (void)i, (void)j;
    return 1.0;
}

static double first(int i, int j)
{
    return i == 0 && j == 0;
}

/* Of sum 0, so that a chain that is loose at both ends can be pulled by it. */
static double balanced(int i, int j)
{
    (void)j;
    return i < SMALL / 2 ? 1.0 + i : -1.0 - (SMALL - 1 - i);
}

static double chain(int i, int j)
{
    const double ends = i == 0 || i == SMALL - 1 ? 1.0 : 2.0;
    return i == j ? ends : i - j == 1 || j - i == 1 ? -1.0 : 0.0;
}

static double hole(int i, int j) /* a diagonal with a zero */
{
    return i == j && i != 7 ? 1.0 + i % 3 : 0.0;
}

static double shift(int i, int j)
{
    return (i + 1) % SMALL == j;
}

static double mixed(int i, int j) /* eigenvalues of both signs */
{
    return i == j ? (i % 2 ? -1.0 - i : 1.0 + i) : 0.0;
}

static double skew(int i, int j)
{
    return i == j + 1 ? 1.0 : j == i + 1 ? -1.0 : 0.0;
}

static double zero_diagonal(int i, int j) /* symmetric, and not singular */
{
    return i == j ? 0.0 : i / 2 == j / 2 ? 3.0 : 0.0;
}

static double graded(int i, int j) /* symmetric positive definite, of condition 400 */
{
    return i == j ? 1.0 + i * i : i - j == 1 || j - i == 1 ? 0.5 * (i + j) / 2 : 0.0;
}

static double dominant(int i, int j)
{
    return i == j ? 2.5 : i - j == 1 || j - i == 1 ? -1.0 : 0.0;
}

static double hilbert(int i, int j)
{
    return 1.0 / (i + j + 1);
}

/* ---- singular ---- */

static const stn_solver_method general[] = {STN_SOLVER_GMRES, STN_SOLVER_FGMRES,
                                            STN_SOLVER_BICGSTAB, STN_SOLVER_MINRES, STN_SOLVER_CG};

/* With a b that it can make, each finds an x; with another none does, and says so. */
static void test_singular(void **state)
{
    static small s;
    (void)state;
    for (int k = 0; k < 5; k++) {
        const stn_solver_options solver = of(general[k]);
        set(&s, chain, balanced);
        expect(&s, &solver, STN_STOP_CONVERGED);
        set(&s, hole, ones);
        solve(&s, &solver);
        assert_int_equal(s.status, STN_ERR_CONVERGENCE);
        const stn_stop_reason reason = s.solution.reason;
        if (general[k] == STN_SOLVER_BICGSTAB) /* whose x may grow until it is not finite */
            continue;
        if (reason != STN_STOP_BREAKDOWN && reason != STN_STOP_NOT_POSITIVE_DEFINITE &&
            reason != STN_STOP_STAGNATED && reason != STN_STOP_MAX_ITERATIONS)
            fail_msg("%s: %s", traits[general[k]].name, stn_stop_reason_name(reason));
        if (general[k] == STN_SOLVER_CG) /* x may grow as it likes */
            continue;
        if (!(residual(&s) >= 1 / sqrt(SMALL) * (1 - 1e-12) && residual(&s) <= 1.0) ||
            fabs(residual(&s) - s.solution.residual) > 1e-14)
            fail_msg("%s: %s, residual %g, told %g", traits[general[k]].name,
                     stn_stop_reason_name(reason), residual(&s), s.solution.residual);
    }
    const stn_solver_options gmres = of(STN_SOLVER_GMRES);
    set(&s, hole, ones);
    expect(&s, &gmres, STN_STOP_BREAKDOWN);
    assert_true(fabs(residual(&s) - 1 / sqrt(SMALL)) <= 1e-12);
}

/* ---- told apart ---- */

static void test_not_positive(void **state)
{
    static small s;
    (void)state;
    const stn_solver_options cg = of(STN_SOLVER_CG), minres = of(STN_SOLVER_MINRES);
    set(&s, mixed, ones);
    expect(&s, &cg, STN_STOP_NOT_POSITIVE_DEFINITE);
    expect(&s, &minres, STN_STOP_CONVERGED);
    set(&s, zero_diagonal, first);
    expect(&s, &cg, STN_STOP_NOT_POSITIVE_DEFINITE);
    expect(&s, &minres, STN_STOP_CONVERGED);
}

/* A shift by one finds nothing before it has gone round; one vector more is enough. */
static void test_stands_still(void **state)
{
    static small s;
    (void)state;
    for (int flexible = 0; flexible < 2; flexible++) {
        stn_solver_options solver = of(flexible ? STN_SOLVER_FGMRES : STN_SOLVER_GMRES);
        set(&s, shift, first);
        solver.restart = SMALL - 1;
        expect(&s, &solver, STN_STOP_STAGNATED);
        assert_int_equal(s.solution.restarts, 0);
        solver.restart = SMALL;
        expect(&s, &solver, STN_STOP_CONVERGED);
        assert_int_equal(s.solution.iterations, SMALL);
        solver.restart = 1 << 20; /* more than there are rows */
        expect(&s, &solver, STN_STOP_CONVERGED);
        assert_int_equal(s.solution.iterations, SMALL);
    }
}

static void test_breaks_down(void **state)
{
    static small s;
    (void)state;
    const stn_solver_options bicgstab = of(STN_SOLVER_BICGSTAB), gmres = of(STN_SOLVER_GMRES);
    set(&s, skew, first); /* r' A r is 0 */
    expect(&s, &bicgstab, STN_STOP_BREAKDOWN);
    assert_int_equal(s.solution.iterations, 0);
    expect(&s, &gmres, STN_STOP_CONVERGED);
}

/* The recurrence of CG goes below what is asked for, x does not: what counts is b - A x. */
static void test_true_residual(void **state)
{
    static small s;
    static double history[1000];
    static const int64_t n = SMALL;
    stn_view b, x;
    (void)state;
    set(&s, hilbert, ones);
    stn_solver_options cg = of(STN_SOLVER_CG);
    cg.relative_tolerance = 1e-13;
    cg.max_iterations = 1000;
    stn_solver_report solution =
        STN_INIT(stn_solver_report, .history = history, .history_capacity = 1000);
    solver_must(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), s.b, 1, &n));
    solver_must(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), s.x, 1, &n));
    assert_int_equal(stn_solve(order_use(0), &x, &s.a, &b, &cg, &solution), STN_ERR_CONVERGENCE);
    double least = INFINITY;
    for (int64_t i = 0; i < solution.history_count; i++)
        least = fmin(least, history[i]);
    if (solution.reason == STN_STOP_STAGNATED)
        assert_true(least <= 1e-13);
    assert_true(solution.residual > 1e-13);
    assert_true(fabs(residual(&s) - solution.residual) <= 1e-6 * solution.residual);
}

/* Goals that the arithmetic cannot reach, on a matrix of condition 9: every method stagnates. */
static void test_goals_out_of_reach(void **state)
{
    static const double goals[] = {1e-17, 1e-20, 1e-100, 1e-300};
    static small s;
    (void)state;
    set(&s, dominant, hilbert);
    for (int k = 0; k < 4 * METHODS; k++) {
        const stn_solver_options inner = STN_INIT(stn_solver_options, .relative_tolerance = 1e-4);
        stn_solver_options solver = of((stn_solver_method)(k % METHODS));
        solver.relative_tolerance = goals[k / METHODS];
        solver.inner = &inner;
        expect(&s, &solver, STN_STOP_STAGNATED);
        assert_true(s.solution.residual < 4e-15);
    }
}

/* Refinement of another matrix makes nothing better, and leaves x. */
static void test_refinement(void **state)
{
    static small s, other;
    (void)state;
    const stn_solver_options inner = of(STN_SOLVER_MINRES);
    stn_solver_options solver = of(STN_SOLVER_REFINEMENT);
    set(&s, mixed, ones);
    set(&other, mixed, ones);
    for (int i = 0; i < SMALL * SMALL; i++)
        other.value[i] = -other.value[i];
    solver.inner = &inner;
    solver.inner_operator = &other.a;
    expect(&s, &solver, STN_STOP_STAGNATED);
    for (int i = 0; i < SMALL; i++)
        assert_true(s.x[i] == 0);
}

/* Two iterations of CG bring x closer in the norm of A, and leave a larger residual. */
static void test_few_inner_iterations(void **state)
{
    static small s;
    (void)state;
    const stn_solver_options inner = STN_INIT(stn_solver_options, .max_iterations = 2);
    stn_solver_options solver = of(STN_SOLVER_REFINEMENT);
    set(&s, graded, first);
    solver.inner = &inner;
    solver.relative_tolerance = 1e-3;
    expect(&s, &solver, STN_STOP_CONVERGED);
}

/* ---- not finite ---- */

static stn_status poison(void *context, const stn_exec *exec, stn_format arithmetic,
                         const stn_view *x, const stn_view *y)
{
    (void)arithmetic;
    stn_status status = stn_view_copy(exec, y, x);
    if (status == STN_OK && --*(int *)context == 0)
        ((double *)y->data)[3] = INFINITY;
    return status;
}

/* An infinity or NaN in A, in x to begin with, and out of a preconditioner at its third call. */
static void test_not_finite(void **state)
{
    static small s;
    (void)state;
    for (int k = 0; k < 5; k++) {
        for (int what = 0; what < 3; what++) {
            stn_solver_options solver = of(general[k]);
            int calls = what == 2 ? 3 : 1000000;
            stn_operator m;
            solver_must(stn_operator_create(&m, "infinity", SMALL, poison, &calls));
            solver.preconditioner = &m;
            set(&s, chain, balanced);
            if (what < 2)
                s.value[3 * SMALL + 4] = s.value[4 * SMALL + 3] = what ? NAN : -INFINITY;
            expect(&s, &solver, STN_STOP_NOT_FINITE);
        }
    }
}

/* Function `calls` of a program that has no sentence of its own, or one of a call that failed. */
static stn_status fails_at(void *context, const stn_exec *exec, stn_format arithmetic,
                           const stn_view *x, const stn_view *y)
{
    (void)arithmetic;
    if (--*(int *)context == 0)
        return STN_ERR_IO;
    if (*(int *)context == -100)
        return stn_view_fill(exec, NULL, 0.0);
    return stn_view_copy(exec, y, x);
}

static void fail_at(const stn_solver_options *solver, const stn_operator *failing, int *calls,
                    int at)
{
    static small s;
    set(&s, chain, balanced);
    if (!solver->preconditioner)
        s.a = *failing;
    assert_int_equal(stn_matrix_set_label(NULL, ""), STN_ERR_ARGUMENT); /* a failure long ago */
    *calls = at;
    solve(&s, solver);
    assert_int_equal(s.solution.reason, STN_STOP_CALL_FAILED);
}

/* Whose status it is, and not the sentence of a failure long ago; a sentence of its own stays. */
static void test_says_who_failed(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++) {
        int calls;
        stn_operator failing;
        stn_solver_options solver = of(general[k / 2]);
        solver_must(stn_operator_create(&failing, "the pump", SMALL, fails_at, &calls));
        solver.preconditioner = k % 2 ? &failing : NULL;
        fail_at(&solver, &failing, &calls, 1);
        if (!strstr(stn_error(), "the pump returned status 6 (STN_ERR_IO)"))
            fail_msg("%s", stn_error());
        fail_at(&solver, &failing, &calls, -99);
        if (!strstr(stn_error(), "stn_view_fill: "))
            fail_msg("%s", stn_error());
    }
}

/* ---- limits ---- */

static stn_status slowly(void *context, const stn_exec *exec, stn_format arithmetic,
                         const stn_view *x, const stn_view *y)
{
    const struct timespec time = {0, 5000000};
    nanosleep(&time, NULL);
    return stn_spmv(exec, arithmetic, 1.0, context, x, 0.0, y);
}

static void test_time(void **state)
{
    static small s;
    (void)state;
    set(&s, hilbert, ones);
    solver_must(stn_operator_create(&s.a, "slowly", SMALL, slowly, s.matrix));
    stn_solver_options cg = of(STN_SOLVER_CG);
    cg.relative_tolerance = 1e-15;
    cg.max_seconds = 0.03;
    expect(&s, &cg, STN_STOP_MAX_SECONDS);
    assert_true(s.solution.iterations >= 1 && s.solution.iterations <= 6);
    assert_true(s.solution.seconds >= 0.03);
}

static int stop_at(void *context, const stn_solver_progress *progress)
{
    return progress->iteration == *(int *)context;
}

/* x of a solve that the monitor ends is that of one with so many iterations. */
static void test_interrupted(void **state)
{
    static problem p;
    static outcome o, fewer;
    (void)state;
    problem_set(&p, 0.0, 0.0);
    for (int k = 0; k < METHODS * 3; k++) {
        int at = 1 + k / METHODS * 3;
        const stn_solver_options inner = STN_INIT(stn_solver_options, .relative_tolerance = 0.1);
        stn_solver_options solver = of((stn_solver_method)(k % METHODS));
        solver.restart = 4;
        solver.inner = &inner;
        solver.monitor = stop_at;
        solver.monitor_context = &at;
        problem_solve(order_use(0), &solver, &p, &o);
        assert_int_equal(o.solution.reason, STN_STOP_INTERRUPTED);
        solver.monitor = NULL;
        solver.max_iterations = at;
        problem_solve(order_use(0), &solver, &p, &fewer);
        assert_int_equal(fewer.solution.reason, STN_STOP_MAX_ITERATIONS);
        assert_memory_equal(o.x, fewer.x, sizeof o.x);
        assert_true(problem_residual(&p, o.x) < 3.0);
    }
}

/* Done at an absolute residual, or a relative one, whichever is met first. */
static void test_absolute(void **state)
{
    static small s;
    (void)state;
    set(&s, hole, ones); /* the residual ends at 1 */
    stn_solver_options gmres = of(STN_SOLVER_GMRES);
    gmres.absolute_tolerance = 1.0 + 1e-12;
    expect(&s, &gmres, STN_STOP_CONVERGED);
    gmres.absolute_tolerance = 0.9;
    expect(&s, &gmres, STN_STOP_BREAKDOWN);
    gmres.relative_tolerance = 0.5;
    expect(&s, &gmres, STN_STOP_CONVERGED);
}

/* ---- memory ---- */

/* Nothing is computed nor allocated; the message has the bytes. */
static stn_status never_called(void *context, const stn_exec *exec, stn_format arithmetic,
                               const stn_view *x, const stn_view *y)
{
    (void)context, (void)exec, (void)arithmetic, (void)x, (void)y;
    fail_msg("A is called");
    return STN_ERR_IO;
}

static void test_room(void **state)
{
    static double number;
    static const int64_t rows = 50000000, zero = 0;
    stn_operator a;
    stn_view b, x;
    stn_solver_report solution = STN_SOLVER_REPORT_INIT;
    (void)state;
    solver_must(stn_operator_create(&a, "large", rows, never_called, NULL));
    solver_must(stn_view_wrap_spec(
        &b, &STN_VIEW_SPEC(.label = "b", .storage = stn_storage_of(STN_F64), .data = &number,
                           .rank = 1, .extents = &rows, .strides = &zero)));
    assert_true(stn_available_memory() > 1e6 && stn_available_memory() < 0x1p60);
    stn_solver_options solver = of(STN_SOLVER_GMRES);
    solver.restart = 100;
    solver.basis = stn_storage_of(STN_F16);
    solver_must(stn_view_create_spec(order_use(0), &x,
                                     &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_U8),
                                                    .rank = 1, .extents = &rows,
                                                    .flags = STN_CREATE_UNINITIALIZED)));
    stn_memory_pretend(11e9);
    stn_fail_allocation(1); /* would be another sentence */
    const stn_status status = stn_solve(order_use(0), &x, &a, &b, &solver, &solution);
    stn_fail_allocation(0);
    stn_memory_pretend(-1.0);
    assert_int_equal(status, STN_ERR_MEMORY);
    assert_int_equal(solution.reason, STN_STOP_CALL_FAILED);
    /* 4 vectors of 4e8 bytes, 101 of 1e8, 174400 for the small matrices */
    if (!strstr(stn_error(), "GMRES needs 1.17e+10 bytes, 1.01e+10 of them for a basis of 101 "
                             "vectors of 50000000 elements; 1.1e+10 are free"))
        fail_msg("%s", stn_error());
    solver_must(stn_view_release(&x));
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
        cmocka_unit_test(test_singular),           cmocka_unit_test(test_not_positive),
        cmocka_unit_test(test_stands_still),       cmocka_unit_test(test_breaks_down),
        cmocka_unit_test(test_true_residual),      cmocka_unit_test(test_refinement),
        cmocka_unit_test(test_goals_out_of_reach), cmocka_unit_test(test_few_inner_iterations),
        cmocka_unit_test(test_not_finite),         cmocka_unit_test(test_time),
        cmocka_unit_test(test_interrupted),        cmocka_unit_test(test_absolute),
        cmocka_unit_test(test_says_who_failed),    cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests_name("reasons", tests, NULL, release);
}
