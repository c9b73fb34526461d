/* What solvers refuse, and calls that fail on their way: operators of the caller, and memory. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "order_oracle.h"
#include "solver_problem.h"
#include "matrix.h"

static void refused(const stn_solver_options *solver, const stn_operator *a, const stn_view *b,
                    const stn_view *x, stn_status status, const char *words)
{
    const stn_status found = stn_solve(order_use(0), x, a, b, solver, NULL);
    if (found != status || !strstr(stn_error(), words))
        fail_msg("%s, not %s with '%s': %s", stn_status_name(found), stn_status_name(status), words,
                 stn_error());
}

static void test_refusals(void **state)
{
    static problem p;
    static outcome o;
    stn_view b, x;
    (void)state;
    problem_make(&p, 0.0, 0.0);
    problem_wrap(&b, "b", p.b);
    problem_wrap(&x, "x", o.x);
    const stn_solver_options good = STN_SOLVER_OPTIONS_INIT;
    stn_solver_options s = good;
    stn_operator none = {0};
    refused(&good, NULL, &b, &x, STN_ERR_ARGUMENT, "A is NULL");
    refused(&good, &none, &b, &x, STN_ERR_ARGUMENT, "A is no operator");
    refused(&good, &p.a, NULL, &x, STN_ERR_ARGUMENT, "NULL");
    refused(&good, &p.a, &b, NULL, STN_ERR_ARGUMENT, "NULL");
    refused(&good, &p.a, &b, &b, STN_ERR_ALIAS, "overlaps");
    s.size = 3;
    refused(&s, &p.a, &b, &x, STN_ERR_ARGUMENT,
            "options: the member size is 3, which no version of stn_solver_options has");
    s = good, s.method = (stn_solver_method)9;
    refused(&s, &p.a, &b, &x, STN_ERR_ARGUMENT, "method is 9");
    s = good, s.arithmetic = STN_C128;
    refused(&s, &p.a, &b, &x, STN_ERR_FORMAT, "real numbers, and the arithmetic is complex");
    s = good, s.arithmetic = STN_C32;
    refused(&s, &p.a, &b, &x, STN_ERR_UNSUPPORTED, "f64, f32, c128 or c64");
    s = good, s.relative_tolerance = -1;
    refused(&s, &p.a, &b, &x, STN_ERR_ARGUMENT, "relative_tolerance is -1");
    s = good, s.absolute_tolerance = NAN;
    refused(&s, &p.a, &b, &x, STN_ERR_ARGUMENT, "absolute_tolerance is");
    s = good, s.restart = -4;
    refused(&s, &p.a, &b, &x, STN_ERR_ARGUMENT, "restart is -4");
    s = good, s.restart = INT64_MAX;
    refused(&s, &p.a, &b, &x, STN_ERR_RANGE,
            "restart is 9223372036854775807; it must be at most 1048576");
    s = good, s.method = STN_SOLVER_REFINEMENT;
    refused(&s, &p.a, &b, &x, STN_ERR_ARGUMENT, "inner options of a refinement is NULL");
    s.inner = &good, s.preconditioner = &p.a;
    refused(&s, &p.a, &b, &x, STN_ERR_UNSUPPORTED, "set that of its inner solver");
    s = good, s.side = (stn_preconditioner_side)2;
    refused(&s, &p.a, &b, &x, STN_ERR_ARGUMENT, "side is 2");
    s = good, s.side = STN_PRECONDITIONER_LEFT;
    refused(&s, &p.a, &b, &x, STN_ERR_UNSUPPORTED,
            "CG does not support a preconditioner on the left");
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_method without = (stn_solver_method)method;
        if (without == STN_SOLVER_GMRES || without == STN_SOLVER_FGMRES)
            continue;
        char text[80];
        snprintf(text, sizeof text, "%s has no basis; basis and basis_block", traits[method].name);
        s = good, s.method = without, s.inner = &good, s.basis = stn_storage_of(STN_F64);
        refused(&s, &p.a, &b, &x, STN_ERR_ARGUMENT, text);
        s.basis = good.basis, s.basis_block = 32;
        refused(&s, &p.a, &b, &x, STN_ERR_ARGUMENT, text);
    }
    stn_operator other;
    solver_must(stn_operator_create(&other, "other", N + 1, problem_diagonal, NULL));
    s = good, s.preconditioner = &other;
    refused(&s, &p.a, &b, &x, STN_ERR_SHAPE, "151 rows, not 150");
    refused(&good, &other, &b, &x, STN_ERR_SHAPE, "not vectors of 151");
    for (int i = 0; i < N; i++)
        assert_true(o.x[i] == 0);
    s = good, s.method = STN_SOLVER_GMRES, s.relative_tolerance = 1e-30;
    p.b[3] = 1e3;
    assert_int_equal(stn_operator_create(NULL, "", 1, problem_diagonal, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_operator_create(&other, "", 1, NULL, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(other.size, 0);
    assert_int_equal(stn_operator_create(&other, "", -1, problem_diagonal, NULL), STN_ERR_SHAPE);
    assert_int_equal(stn_operator_of_matrix(&other, NULL), STN_ERR_ARGUMENT);
    stn_matrix *oblong;
    solver_must(
        wrap_csr(&oblong, "oblong", stn_storage_of(STN_F64), N - 1, N, p.start, p.column, p.value));
    assert_int_equal(stn_operator_of_matrix(&other, oblong), STN_ERR_SHAPE);
    assert_string_equal(stn_stop_reason_name((stn_stop_reason)99), "unknown stop reason");
}

typedef struct failing {
    const problem *p; /* the matrix; NULL: a diagonal */
    int calls, at, ever;
} failing;

static stn_status fail_at(void *context, const stn_exec *exec, stn_format arithmetic,
                          const stn_view *x, const stn_view *y)
{
    failing *const f = context;
    double factor = 0.25;
    if (++f->calls == f->at || (f->ever && f->calls > f->at))
        return STN_ERR_IO;
    return f->p ? stn_spmv(exec, arithmetic, 1.0, f->p->matrix, x, 0.0, y)
                : problem_diagonal(&factor, exec, arithmetic, x, y);
}

/* Its status is the solver's, and x as of the iterations that are told: as a solver that is given
 * no more of them leaves it. */
static void expect_rescued(stn_solver_options solver, problem *p, const stn_operator *a, failing *f)
{
    static outcome o, fewer;
    stn_view b, x;
    memset(&o, 0, sizeof o);
    o.solution = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    problem_wrap(&b, "b", p->b);
    problem_wrap(&x, "x", o.x);
    f->calls = 0;
    assert_int_equal(stn_solve(order_use(0), &x, a, &b, &solver, &o.solution), STN_ERR_IO);
    assert_int_equal(o.solution.reason, STN_STOP_CALL_FAILED);
    f->calls = INT_MIN;
    memset(&fewer, 0, sizeof fewer);
    solver.max_iterations = o.solution.iterations;
    if (solver.max_iterations > 0)
        problem_solve(order_use(0), &solver, p, &fewer);
    if (memcmp(o.x, fewer.x, sizeof o.x) != 0)
        fail_msg("%s, call %d of %s: x is not of %d iterations", traits[solver.method].name, f->at,
                 f->p ? "A" : "M", (int)solver.max_iterations);
}

static void test_operator_fails(void **state)
{
    static problem p;
    (void)state;
    problem_set(&p, 0.0, 0.0);
    for (int k = 0; k < METHODS * 3 * 25; k++) {
        const int method = k / 75, side = k / 25 % 3, at = k % 25 + 1;
        if ((side == 2 && !traits[method].has_left) ||
            (method == STN_SOLVER_REFINEMENT && side > 0))
            continue;
        const stn_solver_options inner = STN_INIT(stn_solver_options, .relative_tolerance = 0.03);
        for (int way = 0; way < (side ? 4 : 2); way++) {
            failing fa = {&p, 0, way < 2 ? at : INT_MAX, way % 2};
            failing fm = {NULL, 0, way < 2 ? INT_MAX : at, way % 2};
            stn_operator a, m;
            solver_must(stn_operator_create(&a, "A fails", N, fail_at, &fa));
            solver_must(stn_operator_create(&m, "M fails", N, fail_at, &fm));
            const stn_solver_options solver =
                STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                         .preconditioner = side ? &m : NULL,
                         .side = side == 2 ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT,
                         .restart = 5, .inner = &inner);
            fm.calls = INT_MIN;
            expect_rescued(solver, &p, &a, way < 2 ? &fa : &fm);
        }
    }
}

static void test_no_memory(void **state)
{
    static problem p;
    static outcome o;
    const stn_solver_options inner =
        STN_INIT(stn_solver_options, .arithmetic = STN_F32, .relative_tolerance = 1e-3);
    (void)state;
    problem_make(&p, 0.0, 0.0);
    double factor = 0.25;
    stn_operator m;
    solver_must(stn_operator_create(&m, "a quarter", N, problem_diagonal, &factor));
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .inner = &inner,
                     .preconditioner = method == STN_SOLVER_REFINEMENT ? NULL : &m,
                     .side = method == STN_SOLVER_BICGSTAB ? STN_PRECONDITIONER_LEFT
                                                           : STN_PRECONDITIONER_RIGHT,
                     .restart = 50, .basis = basis_of((stn_solver_method)method, STN_I16));
        int failures = 0;
        for (int64_t nth = 1; nth < 60; nth++) {
            stn_fail_allocation(nth);
            problem_solve(order_use(0), &solver, &p, &o);
            stn_fail_allocation(0);
            if (o.status == STN_OK)
                break;
            assert_int_equal(o.status, STN_ERR_MEMORY);
            for (int i = 0; i < N; i++)
                assert_true(o.solution.iterations ? isfinite(o.x[i]) : o.x[i] == 0);
            failures++;
        }
        assert_true(failures >= 5);
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
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_operator_fails),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("refusals of solvers", tests, NULL, release);
}
