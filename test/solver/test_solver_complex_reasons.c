/* Complex systems: every reason and refusal that complex numbers bring, real matrices, and what
 * happens without memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "complex_system.h"
#include "core/memory.h"
#include "core/available.h"
#include "order_oracle.h"
#include "matrix.h"

static void expect_reason(const stn_solver_options *solver, const complex_system *s,
                          stn_stop_reason reason)
{
    static complex_outcome o;
    system_solve(order_use(0), solver, s, &o);
    if (o.status != STN_ERR_CONVERGENCE || o.solution.reason != reason)
        fail_msg("method %d: %s, not %s: %s", (int)solver->method,
                 stn_stop_reason_name(o.solution.reason), stn_stop_reason_name(reason),
                 stn_error());
    for (int i = 0; i < ROWS; i++)
        assert_true(isfinite(creal(o.x[i])) && isfinite(cimag(o.x[i])));
    if (reason != STN_STOP_NOT_FINITE &&
        !(fabs(o.solution.residual - system_residual(s, o.x)) <= 1e-9 * o.solution.residual))
        fail_msg("method %d, %s: residual %g, not %g", (int)solver->method,
                 stn_stop_reason_name(reason), o.solution.residual, system_residual(s, o.x));
}

static void test_endings(void **state)
{
    static complex_system s;
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                     .arithmetic = STN_C128, .inner = &system_inner);
        system_make(&s, MAGNETIC);
        solver.max_iterations = 2;
        expect_reason(&solver, &s, STN_STOP_MAX_ITERATIONS);
        solver.max_iterations = 0;
        s.b[7] = 1.0 + (double)NAN * I;
        expect_reason(&solver, &s, STN_STOP_NOT_FINITE);
        s.b[7] = 1.0;
        s.value[30] = 1.0 + (double)INFINITY * I;
        expect_reason(&solver, &s, STN_STOP_NOT_FINITE);
    }
    system_make(&s, MAGNETIC);
    for (int i = 0; i < ROWS; i++)
        s.dense[i][i] -= 9.0; /* negative definite */
    system_wrap(&s);
    const stn_solver_options cg = STN_INIT(stn_solver_options, .arithmetic = STN_C128);
    expect_reason(&cg, &s, STN_STOP_NOT_POSITIVE_DEFINITE);
}

/* No solution: zeros, a row of zeros; a tolerance that c64 does not reach; CG and MINRES of a
 * matrix that is not Hermitian, of which the residual tells. */
static void test_no_solution(void **state)
{
    static complex_system s;
    static complex_outcome o;
    (void)state;
    stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .arithmetic = STN_C128);
    system_make(&s, WINDY);
    memset(s.value, 0, sizeof s.value);
    memset(s.dense, 0, sizeof s.dense);
    expect_reason(&solver, &s, STN_STOP_BREAKDOWN);
    system_make(&s, WINDY);
    memset(s.dense[40], 0, sizeof s.dense[40]);
    system_wrap(&s);
    system_solve(order_use(0), &solver, &s, &o);
    assert_int_equal(o.status, STN_ERR_CONVERGENCE);
    assert_true(o.solution.reason == STN_STOP_BREAKDOWN || o.solution.reason == STN_STOP_STAGNATED);
    for (int method = 0; method < METHODS; method++) {
        if (method == STN_SOLVER_REFINEMENT)
            continue;
        solver =
            (stn_solver_options)STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                                         .arithmetic = STN_C64, .relative_tolerance = 1e-12);
        system_make(&s, MAGNETIC);
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        assert_int_equal(o.solution.reason, STN_STOP_STAGNATED);
        assert_true(system_residual(&s, o.x) <= 1e-5);
        if (!system_traits[method].is_hermitian)
            continue;
        solver.arithmetic = STN_C128;
        system_make(&s, HELMHOLTZ);
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        assert_true(o.solution.residual > 1e-3);
    }
}

/* Nothing to do, and one unknown: 4i x = 8. */
static void test_small(void **state)
{
    (void)state;
    for (int method = 0; method < METHODS; method++)
        for (int64_t n = 0; n < 2; n++) {
            const stn_solver_options solver =
                STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                         .arithmetic = STN_C128, .inner = &system_inner);
            number four = system_traits[method].is_hermitian ? 4.0 : 4.0 * I, eight = 8.0,
                   found = 0.0;
            const int64_t start[] = {0, 1};
            const int32_t column = 0;
            stn_matrix *matrix;
            stn_operator a;
            stn_view b, x;
            system_must(
                wrap_csr(&matrix, "one", stn_storage_of(STN_C128), n, n, start, &column, &four));
            system_must(stn_operator_of_matrix(&a, matrix));
            system_must(stn_view_wrap(&b, "b", stn_storage_of(STN_C128), &eight, 1, &n));
            system_must(stn_view_wrap(&x, "x", stn_storage_of(STN_C128), &found, 1, &n));
            system_must(stn_solve(order_use(0), &x, &a, &b, &solver, NULL));
            assert_true(cabs(found - (n ? eight / four : 0.0)) <= 1e-15);
        }
}

/* A real matrix in complex arithmetic: both parts are solved. */
static void test_real_matrix(void **state)
{
    static complex_system s;
    static complex_outcome o;
    static double values[5 * ROWS];
    stn_matrix *real;
    (void)state;
    system_make(&s, MAGNETIC);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            s.dense[i][j] = creal(s.dense[i][j]);
    system_wrap(&s);
    for (int64_t k = 0; k < s.start[ROWS]; k++)
        values[k] = creal(s.value[k]);
    system_must(
        wrap_csr(&real, "real", stn_storage_of(STN_F64), ROWS, ROWS, s.start, s.column, values));
    system_must(stn_operator_of_matrix(&s.a, real));
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                     .arithmetic = STN_C128, .inner = &system_inner);
        system_solve(order_use(0), &solver, &s, &o);
        system_must(o.status);
        assert_true(system_residual(&s, o.x) <= 1.01e-10);
    }
}

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
    static complex_system s;
    static complex_outcome o;
    static double real_x[ROWS], real_b[ROWS];
    const int64_t n = ROWS;
    stn_view b, x, b_real, x_real;
    (void)state;
    system_make(&s, WINDY);
    system_vector(&b, "b", s.b);
    system_vector(&x, "x", o.x);
    real_b[3] = 1.0;
    system_must(stn_view_wrap(&b_real, "b", stn_storage_of(STN_F64), real_b, 1, &n));
    system_must(stn_view_wrap(&x_real, "x", stn_storage_of(STN_F64), real_x, 1, &n));
    stn_solver_options real = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES),
                       complex_one = real;
    complex_one.arithmetic = STN_C128;
    refused(&real, &s.a, &b, &x, STN_ERR_FORMAT, "complex numbers, and the arithmetic is real");
    refused(&complex_one, &s.a, &b_real, &x, STN_ERR_FORMAT, "b (f64, 121) has real numbers");
    refused(&complex_one, &s.a, &b, &x_real, STN_ERR_FORMAT, "x (f64, 121) has real numbers");
    refused(&real, &s.a, &b_real, &x_real, STN_ERR_UNSUPPORTED, "complex entries");
    complex_one.basis = stn_storage_of(STN_U8);
    refused(&complex_one, &s.a, &b, &x, STN_ERR_UNSUPPORTED, "the basis is unsigned");
    real.basis = stn_storage_of(STN_C64);
    refused(&real, &s.a, &b_real, &x_real, STN_ERR_UNSUPPORTED, "is not a real format");
    const stn_solver_options refined =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT, .arithmetic = STN_C128,
                 .inner = &(stn_solver_options)STN_SOLVER_OPTIONS_INIT);
    refused(&refined, &s.a, &b, &x, STN_ERR_FORMAT, "complex numbers, and the arithmetic is real");
    for (int i = 0; i < ROWS; i++)
        assert_true(o.x[i] == 0 && real_x[i] == 0);
}

/* Memory that there is not is told before any is taken: 5 vectors of 8e8 bytes, 101 of 2e8. */
static void test_room(void **state)
{
    static number one;
    static const int64_t rows = 50000000, zero = 0;
    stn_operator a;
    stn_view b, x;
    (void)state;
    system_must(stn_operator_create(&a, "large", rows, system_turned, NULL));
    system_must(stn_view_wrap_spec(
        &b, &STN_VIEW_SPEC(.label = "b", .storage = stn_storage_of(STN_C128), .data = &one,
                           .rank = 1, .extents = &rows, .strides = &zero)));
    system_must(stn_view_create_spec(
        order_use(0), &x,
        &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_C32), .rank = 1,
                       .extents = &rows, .flags = STN_CREATE_UNINITIALIZED)));
    const stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .arithmetic = STN_C128,
                 .restart = 100, .basis = stn_storage_of(STN_C32));
    stn_memory_pretend(24e9);
    refused(&solver, &a, &b, &x, STN_ERR_MEMORY,
            "GMRES needs 2.42e+10 bytes, 2.02e+10 of them for a basis of 101 vectors of 50000000 "
            "elements; 2.4e+10 are free");
    stn_memory_pretend(-1.0);
    system_must(stn_view_release(&x));
}

/* Every allocation fails once. */
static void test_no_memory(void **state)
{
    static complex_system s;
    static complex_outcome o;
    (void)state;
    const stn_operator m = system_inverse(1);
    system_make(&s, MAGNETIC);
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = (stn_solver_method)method, .arithmetic = STN_C128,
            .restart = 10, .preconditioner = method == STN_SOLVER_REFINEMENT ? NULL : &m,
            .inner = &system_inner);
        int failures = 0;
        for (int64_t nth = 1; nth < 60; nth++) {
            stn_fail_allocation(nth);
            system_solve(order_use(0), &solver, &s, &o);
            stn_fail_allocation(0);
            if (o.status == STN_OK)
                break;
            assert_int_equal(o.status, STN_ERR_MEMORY);
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
        cmocka_unit_test(test_endings),  cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_small),    cmocka_unit_test(test_real_matrix),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
