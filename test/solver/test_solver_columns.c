/* Several right-hand sides at once: each column has the bits that it has alone, whatever its
 * format and layout and however the others end. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "order_oracle.h"
#include "solver_problem.h"

enum { COLUMNS = 5, MOST = 400 };

typedef struct columns {
    double b[N * COLUMNS], x[N * COLUMNS];
    double history[COLUMNS][MOST];
    stn_solver_report all, column_reports[COLUMNS];
    stn_view b_view, x_view;
} columns;

/* Column c of b, which is 0 where c is 3. */
static void set_b(double *b, int c)
{
    for (int i = 0; i < N; i++)
        b[i] = c == 3 ? 0.0 : 1.0 + (double)((i * 37 + c * 11) % (7 + c)) / 7.0;
}

static void set_columns(columns *all, const int64_t *strides, stn_storage x_storage)
{
    const int64_t extents[] = {N, COLUMNS};
    double column[N];
    memset(all, 0, sizeof *all);
    for (int c = 0; c < COLUMNS; c++) {
        set_b(column, c);
        for (int i = 0; i < N; i++)
            all->b[i * strides[0] + c * strides[1]] = column[i];
        all->column_reports[c] = (stn_solver_report)STN_INIT(
            stn_solver_report, .history = all->history[c], .history_capacity = MOST);
    }
    all->all = (stn_solver_report)STN_INIT(stn_solver_report, .column_reports = all->column_reports,
                                           .column_capacity = COLUMNS);
    solver_must(stn_view_wrap_spec(&all->b_view,
                                   &STN_VIEW_SPEC(.label = "b", .storage = stn_storage_of(STN_F64),
                                                  .data = all->b, .rank = 2, .extents = extents,
                                                  .strides = strides)));
    solver_must(stn_view_wrap(&all->x_view, "x", x_storage, all->x, 2, extents));
}

static void solve_alone(const stn_solver_options *solver, problem *p, int c, outcome *o)
{
    set_b(p->b, c);
    problem_solve(order_use(0), solver, p, o);
}

/* In rows of an array and in columns of one. */
static void test_bits(void **state)
{
    static problem p;
    static columns all;
    static outcome alone;
    static const int64_t strides[2][2] = {{COLUMNS, 1}, {1, N}};
    (void)state;
    const stn_solver_options inner =
        STN_INIT(stn_solver_options, .arithmetic = STN_F32, .relative_tolerance = 1e-3);
    for (int k = 0; k < 2 * METHODS; k++) {
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)(k % METHODS), .restart = 20,
                     .basis = basis_of((stn_solver_method)(k % METHODS), STN_F16), .inner = &inner);
        problem_set(&p, traits[k % METHODS].is_symmetric ? 0.0 : 0.7, 0.0);
        set_columns(&all, strides[k / METHODS], stn_storage_of(STN_F64));
        solver_must(stn_solve(order_use(k % order_settings()), &all.x_view, &p.a, &all.b_view,
                              &solver, &all.all));
        int64_t iterations = 0;
        for (int c = 0; c < COLUMNS; c++) {
            solve_alone(&solver, &p, c, &alone);
            for (int i = 0; i < N; i++)
                if (memcmp(&all.x[i * COLUMNS + c], &alone.x[i], sizeof(double)) != 0)
                    fail_msg("%s: other bits in row %d of column %d", traits[k % METHODS].name, i,
                             c);
            assert_int_equal(all.column_reports[c].iterations, alone.solution.iterations);
            assert_int_equal(all.column_reports[c].history_count, alone.solution.history_count);
            assert_memory_equal(all.history[c], alone.history,
                                (size_t)alone.solution.history_count * sizeof(double));
            iterations += alone.solution.iterations;
        }
        assert_true(all.column_reports[3].iterations == 0 && all.column_reports[0].iterations > 0);
        assert_int_equal(all.all.iterations, iterations);
        assert_int_equal(all.all.columns, COLUMNS);
        assert_int_equal(all.all.unsolved_columns, 0);
        assert_int_equal(all.all.reason, STN_STOP_CONVERGED);
        assert_true(all.all.residual > 0 && all.all.residual <= 1e-10);
    }
}

/* x in f16 with a scale per column. */
static void test_scaled(void **state)
{
    static problem p;
    static columns all;
    static outcome alone;
    static const int64_t strides[] = {COLUMNS, 1};
    static double scale_of[COLUMNS] = {0.5, 0.25, 2.0, 1.0, 4.0};
    static stn_f16 codes[N * COLUMNS];
    const int64_t extents[] = {N, COLUMNS};
    (void)state;
    const stn_solver_options solver = STN_INIT(stn_solver_options, .method = STN_SOLVER_BICGSTAB);
    problem_set(&p, 0.7, 0.0);
    set_columns(&all, strides, stn_storage_of(STN_F64));
    solver_must(stn_view_wrap(&all.x_view, "x", stn_storage_of(STN_F16), codes, 2, extents));
    const stn_scales scales = {
        .data = scale_of, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {0, 1}};
    solver_must(stn_view_set_scales(&all.x_view, &scales));
    solver_must(stn_solve(order_use(0), &all.x_view, &p.a, &all.b_view, &solver, NULL));
    for (int c = 0; c < COLUMNS; c++) {
        solve_alone(&solver, &p, c, &alone);
        for (int i = 0; i < N; i++) {
            stn_storage storage = stn_storage_of(STN_F16);
            stn_f16 code;
            storage.scale = scale_of[c];
            solver_must(stn_encode(STN_F64, &storage, &code, 1, 0, &alone.x[i], 1));
            assert_int_equal(codes[i * COLUMNS + c].bits, code.bits);
        }
    }
}

/* Ends column 1 behind its second iteration. */
static int stop_one(void *context, const stn_solver_progress *progress)
{
    int *const seen = context;
    *seen |= 1 << progress->column;
    return progress->column == 1 && progress->iteration == 2;
}

/* One is interrupted, one has a NaN in it: the others are solved. */
static void test_others_go_on(void **state)
{
    static problem p;
    static columns all;
    static outcome alone;
    static const int64_t strides[] = {COLUMNS, 1};
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options inner =
            STN_INIT(stn_solver_options, .arithmetic = STN_F32, .relative_tolerance = 1e-3);
        int seen = 0;
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .inner = &inner,
                     .monitor = stop_one, .monitor_context = &seen);
        problem_set(&p, 0.0, 0.0);
        set_columns(&all, strides, stn_storage_of(STN_F64));
        all.b[2 * COLUMNS + 2] = NAN;
        const stn_status status =
            stn_solve(order_use(0), &all.x_view, &p.a, &all.b_view, &solver, &all.all);
        assert_int_equal(status, STN_ERR_CONVERGENCE);
        if (!strstr(stn_error(), "2 of 5 columns are not solved: 1, 2; ") ||
            !strstr(stn_error(), "interrupted by the monitor, after 2 iterations"))
            fail_msg("%s", stn_error());
        assert_int_equal(seen, 1 | 2 | 16);
        assert_int_equal(all.column_reports[1].reason, STN_STOP_INTERRUPTED);
        assert_int_equal(all.column_reports[2].reason, STN_STOP_NOT_FINITE);
        assert_int_equal(all.all.reason, STN_STOP_INTERRUPTED);
        assert_int_equal(all.all.unsolved_columns, 2);
        assert_true(isnan(all.all.residual));
        solver.monitor = NULL;
        for (int c = 0; c < COLUMNS; c += c == 0 ? 3 : 1) {
            assert_int_equal(all.column_reports[c].reason, STN_STOP_CONVERGED);
            solve_alone(&solver, &p, c, &alone);
            for (int i = 0; i < N; i++)
                assert_memory_equal(&all.x[i * COLUMNS + c], &alone.x[i], sizeof(double));
        }
    }
}

static stn_status fail_once(void *context, const stn_exec *exec, stn_format arithmetic,
                            const stn_view *x, const stn_view *y)
{
    int *const calls = context;
    const double factor = 0.25;
    if (++*calls == 4)
        return STN_ERR_IO;
    return problem_diagonal((void *)(uintptr_t)&factor, exec, arithmetic, x, y);
}

/* A status of an operator is that of the call, though another column did not converge before. */
static void test_operator_fails(void **state)
{
    static problem p;
    static columns all;
    static const int64_t strides[] = {COLUMNS, 1};
    int calls = 0;
    stn_operator m;
    (void)state;
    problem_set(&p, 0.0, 0.0);
    set_columns(&all, strides, stn_storage_of(STN_F64));
    all.b[0] = NAN;
    solver_must(stn_operator_create(&m, "it fails once", N, fail_once, &calls));
    const stn_solver_options solver = STN_INIT(stn_solver_options, .preconditioner = &m);
    assert_int_equal(stn_solve(order_use(0), &all.x_view, &p.a, &all.b_view, &solver, &all.all),
                     STN_ERR_IO);
    assert_non_null(strstr(stn_error(), "2 of 5 columns are not solved: 0, 1; "));
    assert_int_equal(all.column_reports[0].reason, STN_STOP_NOT_FINITE);
    assert_int_equal(all.column_reports[1].reason, STN_STOP_CALL_FAILED);
    assert_int_equal(all.column_reports[4].reason, STN_STOP_CONVERGED);
}

static void refused(const problem *p, const columns *all, stn_solver_report *solution,
                    stn_status status, const char *words)
{
    const stn_solver_options solver = STN_SOLVER_OPTIONS_INIT;
    const stn_status found =
        stn_solve(order_use(0), &all->x_view, &p->a, &all->b_view, &solver, solution);
    if (found != status || !strstr(stn_error(), words))
        fail_msg("%s: %s", stn_status_name(found), stn_error());
    for (int i = 0; i < N * COLUMNS; i++)
        assert_true(all->x[i] == 0);
}

static void test_refusals(void **state)
{
    static problem p;
    static columns all;
    static const int64_t strides[] = {COLUMNS, 1}, fewer[] = {N, COLUMNS - 1}, one = N;
    static double b[N * COLUMNS];
    (void)state;
    problem_set(&p, 0.0, 0.0);
    set_columns(&all, strides, stn_storage_of(STN_F64));
    all.all.column_capacity = COLUMNS - 1;
    refused(&p, &all, &all.all, STN_ERR_SHAPE, "column_capacity is 4; b has 5 columns");
    all.all.column_capacity = COLUMNS;
    all.column_reports[4].size = 0;
    refused(&p, &all, &all.all, STN_ERR_ARGUMENT,
            "column_reports[4].size is 0; it must be that of the report, ");
    solver_must(stn_view_wrap(&all.b_view, "b", stn_storage_of(STN_F64), b, 2, fewer));
    refused(&p, &all, NULL, STN_ERR_SHAPE, "numbers of columns");
    solver_must(stn_view_wrap(&all.b_view, "b", stn_storage_of(STN_F64), b, 1, &one));
    refused(&p, &all, NULL, STN_ERR_SHAPE, "not vectors of 150");
}

/* One column, and none. */
static void test_few(void **state)
{
    static problem p;
    static outcome alone, o;
    (void)state;
    problem_set(&p, 0.0, 0.0);
    const stn_solver_options solver = STN_SOLVER_OPTIONS_INIT;
    problem_solve(order_use(0), &solver, &p, &alone);
    for (int64_t count = 0; count < 2; count++) {
        const int64_t extents[] = {N, count};
        stn_view b, x;
        stn_solver_report solution =
            STN_INIT(stn_solver_report, .history = o.history, .history_capacity = 1000);
        solver_must(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), p.b, 2, extents));
        solver_must(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), o.x, 2, extents));
        solver_must(stn_solve(order_use(0), &x, &p.a, &b, &solver, &solution));
        assert_int_equal(solution.columns, count);
        assert_int_equal(solution.reason, STN_STOP_CONVERGED);
        assert_int_equal(solution.history_count, count ? alone.solution.history_count : 0);
    }
    assert_memory_equal(o.x, alone.x, sizeof o.x);
    assert_memory_equal(o.history, alone.history, sizeof o.history);
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
        cmocka_unit_test(test_bits),         cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_others_go_on), cmocka_unit_test(test_operator_fails),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_few),
    };
    return cmocka_run_group_tests_name("columns", tests, NULL, release);
}
