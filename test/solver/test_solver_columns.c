/* Several right-hand sides: each column has the bits of a separate solve, in every format and
 * layout, whether other columns converge or not; real and complex. */
#include <math.h>
#include <stdio.h>

#include "linear_system.h"
#include "order_oracle.h"

enum { COLUMNS = 5, MOST = 400 };

static linear_system s;
static outcome alone;

typedef struct columns {
    number b[MOST_ROWS * COLUMNS], x[MOST_ROWS * COLUMNS]; /* of real systems half of each */
    double history[COLUMNS][MOST];
    stn_solver_report all, reports[COLUMNS];
    int64_t b_strides[2], x_strides[2];
    stn_view b_view, x_view;
} columns;

static columns c;

static number *element(const int64_t *strides, number *data, int64_t i, int64_t column)
{
    double *const first = (double *)(void *)data;
    return (number *)(void *)(first + (1 + s.is_complex) * (i * strides[0] + column * strides[1]));
}

static number get_x(int64_t i, int64_t column)
{
    const number *const at = element(c.x_strides, c.x, i, column);
    double parts[2] = {0, 0};
    memcpy(parts, at, (size_t)(1 + s.is_complex) * sizeof(double));
    return parts[0] + parts[1] * I;
}

/* Column 3 is 0. */
static number b_of(int i, int column)
{
    const double re = 1.0 + (double)((i * 37 + column * 11) % (7 + column)) / 7.0;
    return column == 3 ? 0.0 : s.is_complex ? re * cexp(I * (double)(column + i % 5)) : re;
}

/* b by rows or by columns, and x the other way, with a history for each. */
static void set_columns(int is_by_columns)
{
    const int64_t extents[] = {s.rows, COLUMNS}, rows[] = {COLUMNS, 1}, by_columns[] = {1, s.rows};
    const stn_storage storage = stn_storage_of(s.is_complex ? STN_C128 : STN_F64);
    memset(&c, 0, sizeof c);
    memcpy(c.b_strides, is_by_columns ? by_columns : rows, sizeof rows);
    memcpy(c.x_strides, is_by_columns ? rows : by_columns, sizeof rows);
    for (int k = 0; k < COLUMNS; k++) {
        for (int i = 0; i < s.rows; i++) {
            const number b = b_of(i, k);
            memcpy(element(c.b_strides, c.b, i, k), &b,
                   (size_t)(1 + s.is_complex) * sizeof(double));
        }
        c.reports[k] = (stn_solver_report)STN_INIT(stn_solver_report, .history = c.history[k],
                                                   .history_capacity = MOST);
    }
    c.all = (stn_solver_report)STN_INIT(stn_solver_report, .column_reports = c.reports,
                                        .column_capacity = COLUMNS);
    expect_ok(stn_view_wrap_spec(
        &c.b_view, &STN_VIEW_SPEC(.label = "b", .storage = storage, .data = c.b, .rank = 2,
                                  .extents = extents, .strides = c.b_strides)));
    expect_ok(stn_view_wrap_spec(
        &c.x_view, &STN_VIEW_SPEC(.label = "x", .storage = storage, .data = c.x, .rank = 2,
                                  .extents = extents, .strides = c.x_strides)));
}

static stn_solver_options of(int method)
{
    return (stn_solver_options)STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                                        .arithmetic = s.is_complex ? STN_C128 : STN_F64,
                                        .restart = 20,
                                        .basis = basis_of((stn_solver_method)method, STN_F16),
                                        .inner = &narrow_inner[s.is_complex]);
}

static void solve_alone(const stn_solver_options *solver, int column)
{
    for (int i = 0; i < s.rows; i++)
        s.b[i] = b_of(i, column);
    system_solve(order_use(0), solver, &s, &alone);
}

/* Column k of x has the bits of a separate solve. */
static void expect_column(const stn_solver_options *solver, int k)
{
    solve_alone(solver, k);
    for (int i = 0; i < s.rows; i++) {
        const number x = get_x(i, k);
        if (memcmp(&x, &alone.x[i], sizeof x) != 0)
            fail_msg("%s: other bits in row %d of column %d", traits[solver->method].name, i, k);
    }
}

UNIT_TEST(test_bits)
{
    for (int k = 0; k < 4 * METHODS; k++) {
        const int method = k / 4, is_complex = k / 2 % 2;
        int64_t iterations = 0;
        system_make(&s, traits[method].is_symmetric ? POSITIVE : GENERAL, is_complex);
        const stn_solver_options solver = of(method);
        set_columns(k % 2);
        expect_ok(stn_solve(order_use(k % order_settings()), &c.x_view, &s.a, &c.b_view, &solver,
                            &c.all));
        for (int column = 0; column < COLUMNS; column++) {
            expect_column(&solver, column);
            assert_int_equal(c.reports[column].iterations, alone.solution.iterations);
            assert_int_equal(c.reports[column].history_count, alone.solution.history_count);
            assert_memory_equal(c.history[column], alone.history,
                                (size_t)alone.solution.history_count * sizeof(double));
            iterations += alone.solution.iterations;
        }
        assert_true(c.reports[3].iterations == 0 && c.reports[0].iterations > 0);
        assert_int_equal(c.all.iterations, iterations);
        assert_int_equal(c.all.columns, COLUMNS);
        assert_int_equal(c.all.unsolved_columns, 0);
        assert_int_equal(c.all.reason, STN_STOP_CONVERGED);
        assert_true(c.all.residual > 0 && c.all.residual <= 1e-10);
    }
}

/* x in f16 with a scale per column. */
UNIT_TEST(test_scaled)
{
    static double scale_of[COLUMNS] = {0.5, 0.25, 2.0, 1.0, 4.0};
    static stn_f16 codes[MOST_ROWS * COLUMNS];
    const stn_scales scales = {
        .data = scale_of, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {0, 1}};
    system_make(&s, GENERAL, 0);
    const stn_solver_options solver = of(STN_SOLVER_BICGSTAB);
    const int64_t extents[] = {s.rows, COLUMNS};
    set_columns(0);
    expect_ok(stn_view_wrap(&c.x_view, "x", stn_storage_of(STN_F16), codes, 2, extents));
    expect_ok(stn_view_set_scales(&c.x_view, &scales));
    expect_ok(stn_solve(order_use(0), &c.x_view, &s.a, &c.b_view, &solver, NULL));
    expect_ok(stn_view_release(&c.x_view));
    for (int k = 0; k < COLUMNS; k++) {
        stn_storage storage = stn_storage_of(STN_F16);
        storage.scale = scale_of[k];
        solve_alone(&solver, k);
        for (int i = 0; i < s.rows; i++) {
            stn_f16 code;
            const double x = creal(alone.x[i]);
            expect_ok(stn_encode(STN_F64, &storage, &code, 1, 0, &x, 1));
            assert_int_equal(codes[i * COLUMNS + k].bits, code.bits);
        }
    }
}

/* ---- columns that do not converge ---- */

/* Stops column 1 after its second iteration. */
static int stop_one(void *context, const stn_solver_progress *progress)
{
    int *const seen = context;
    *seen |= 1 << progress->column;
    return progress->column == 1 && progress->iteration == 2;
}

/* One column is interrupted, one has a NaN; the others are solved. */
UNIT_TEST(test_others_go_on)
{
    system_make(&s, POSITIVE, 0);
    for (int k = 0; k < 2 * METHODS; k++) {
        const int method = k / 2;
        int seen = 0;
        stn_solver_options solver = of(method);
        solver.restart = 0;
        solver.monitor = stop_one;
        solver.monitor_context = &seen;
        set_columns(0);
        *(double *)(void *)element(c.b_strides, c.b, 2, 2) = NAN;
        expect_error(
            stn_solve(order_use(k % order_settings()), &c.x_view, &s.a, &c.b_view, &solver, &c.all),
            STN_ERR_CONVERGENCE, "2 of 5 columns are not solved: 1, 2; ");
        assert_non_null(strstr(stn_error(), "interrupted by the monitor, after 2 iterations"));
        assert_int_equal(seen, 1 | 2 | 16);
        assert_int_equal(c.reports[1].reason, STN_STOP_INTERRUPTED);
        assert_int_equal(c.reports[2].reason, STN_STOP_NOT_FINITE);
        assert_int_equal(c.all.reason, STN_STOP_INTERRUPTED);
        assert_int_equal(c.all.unsolved_columns, 2);
        assert_true(isnan(c.all.residual));
        solver.monitor = NULL;
        for (int column = 0; column < COLUMNS; column += column == 0 ? 3 : 1) {
            assert_int_equal(c.reports[column].reason, STN_STOP_CONVERGED);
            expect_column(&solver, column);
        }
    }
}

static stn_status fail_once(void *context, const stn_exec *exec, stn_format arithmetic,
                            const stn_view *x, const stn_view *y)
{
    int *const calls = context;
    number factor = 0.25;
    return ++*calls == 4 ? STN_ERR_IO : system_diagonal(&factor, exec, arithmetic, x, y);
}

/* The status of an operator is that of the call, though an earlier column did not converge. */
UNIT_TEST(test_operator_fails)
{
    int calls = 0;
    stn_operator m;
    system_make(&s, POSITIVE, 0);
    set_columns(0);
    c.b[0] = NAN;
    expect_ok(stn_operator_create(&m, "it fails once", s.rows, fail_once, &calls));
    const stn_solver_options solver = STN_INIT(stn_solver_options, .preconditioner = &m);
    expect_error(stn_solve(order_use(0), &c.x_view, &s.a, &c.b_view, &solver, &c.all), STN_ERR_IO,
                 "2 of 5 columns are not solved: 0, 1; ");
    assert_int_equal(c.reports[0].reason, STN_STOP_NOT_FINITE);
    assert_int_equal(c.reports[1].reason, STN_STOP_CALL_FAILED);
    assert_int_equal(c.reports[4].reason, STN_STOP_CONVERGED);
}

/* ---- columns that are solved together ---- */

enum { WIDEST = 9 };

static int setting; /* executor */

/* A solve of the first `count` columns, and of each alone, in every kind of storage. */
static void compare_together(const stn_solver_options *solver, const stn_operator *a, int64_t count,
                             const char *what)
{
    static double b[MOST_ROWS * WIDEST], x[MOST_ROWS * WIDEST], one[MOST_ROWS];
    static stn_solver_report reports[WIDEST], all, report;
    const int64_t n = s.rows, extents[] = {n, count}, strides[] = {1, n};
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_view b_view, x_view;
    for (int64_t k = 0; k < count; k++) {
        for (int64_t i = 0; i < n; i++)
            b[k * n + i] = creal(b_of((int)i, (int)k));
        reports[k] = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    }
    memset(x, 0, sizeof x);
    all = (stn_solver_report)STN_INIT(stn_solver_report, .column_reports = reports,
                                      .column_capacity = WIDEST);
    expect_ok(stn_view_wrap_spec(&b_view,
                                 &STN_VIEW_SPEC(.label = "b", .storage = f64, .data = b, .rank = 2,
                                                .extents = extents, .strides = strides)));
    expect_ok(stn_view_wrap_spec(&x_view,
                                 &STN_VIEW_SPEC(.label = "x", .storage = f64, .data = x, .rank = 2,
                                                .extents = extents, .strides = strides)));
    expect_ok(stn_solve(order_use(setting), &x_view, a, &b_view, solver, &all));
    for (int64_t k = 0; k < count; k++) {
        memset(one, 0, sizeof one);
        report = (stn_solver_report)STN_SOLVER_REPORT_INIT;
        expect_ok(stn_view_wrap(&b_view, "b", f64, b + k * n, 1, &n));
        expect_ok(stn_view_wrap(&x_view, "x", f64, one, 1, &n));
        expect_ok(stn_solve(order_use(setting), &x_view, a, &b_view, solver, &report));
        if (memcmp(one, x + k * n, (size_t)n * sizeof *one) != 0 ||
            report.iterations != reports[k].iterations || report.residual != reports[k].residual)
            fail_msg("%s, %s: column %d of %d differs", traits[solver->method].name, what, (int)k,
                     (int)count);
    }
}

UNIT_TEST(test_together)
{
    static const stn_solver_method methods[] = {STN_SOLVER_CG, STN_SOLVER_MINRES,
                                                STN_SOLVER_BICGSTAB};
    static const stn_matrix_kind kinds[] = {STN_MATRIX_CSR, STN_MATRIX_COO,  STN_MATRIX_SLICED,
                                            STN_MATRIX_ELL, STN_MATRIX_SELL, STN_MATRIX_PACKED};
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_I16};
    number factor = 0.25;
    int64_t count = 0;
    stn_operator m;
    for (int k = 0; k < 6 * 4 * 3; k++) {
        const stn_storage storage = stn_storage_of(formats[k / 3 % 4]);
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = methods[k % 3],
                     .arithmetic = k % 7 == 0 ? STN_F32 : STN_F64, .relative_tolerance = 1e-5);
        stn_matrix *a;
        stn_operator of;
        setting = k % order_settings();
        system_make(&s, k % 3 == 2 ? GENERAL : POSITIVE, 0);
        expect_ok(stn_operator_create(&m, "a diagonal", s.rows, system_diagonal, &factor));
        if (k % 5 == 1)
            solver.preconditioner = &m;
        if (k % 3 == 2 && k % 2)
            solver.side = STN_PRECONDITIONER_LEFT;
        expect_ok(stn_sparse_convert(order_use(setting), &a, s.matrix, kinds[k / 12],
                                     kinds[k / 12] == STN_MATRIX_PACKED ? NULL : &storage));
        expect_ok(stn_operator_of_matrix(&of, a));
        count = count % WIDEST + 1;
        compare_together(&solver, &of, count, "in another kind of storage");
        stn_matrix_release(a);
    }
}

/* ---- systems of several chunks of sums ---- */

enum { CHUNKED = 2300, DIAGONALS = 5, PASSED = 3 /* columns */ };

/* Five diagonals, in slices; definite, and symmetric unless it has a wind. */
static stn_matrix *make_diagonals(double wind)
{
    static int64_t start[CHUNKED + 1];
    static int32_t column[CHUNKED * DIAGONALS];
    static double value[CHUNKED * DIAGONALS];
    int64_t k = 0;
    stn_matrix *rows, *slices;
    for (int i = 0; i < CHUNKED; i++) {
        for (int d = -2; d <= 2; d++)
            if (i + d >= 0 && i + d < CHUNKED) {
                column[k] = i + d;
                value[k++] = d == 0 ? 4.1 + (i % 7) : d > 0 ? -1.0 - wind : -1.0;
            }
        start[i + 1] = k;
    }
    expect_ok(wrap_csr(&rows, "diagonals", stn_storage_of(STN_F64), CHUNKED, CHUNKED, start, column,
                       value));
    expect_ok(stn_sparse_convert(NULL, &slices, rows, STN_MATRIX_SLICED, NULL));
    stn_matrix_release(rows);
    return slices;
}

typedef struct chunked {
    double b[PASSED * CHUNKED], x[PASSED * CHUNKED], history[MOST_HISTORY];
    stn_solver_report report; /* of column 0 */
} chunked;

static void solve_chunked(int used, const stn_solver_options *solver, const stn_operator *a,
                          int64_t count, chunked *to)
{
    const int64_t extents[] = {CHUNKED, count}, strides[] = {1, CHUNKED};
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_solver_report reports[PASSED] = {
        STN_INIT(stn_solver_report, .history = to->history, .history_capacity = MOST_HISTORY),
        STN_SOLVER_REPORT_INIT, STN_SOLVER_REPORT_INIT};
    stn_solver_report all =
        STN_INIT(stn_solver_report, .column_reports = reports, .column_capacity = PASSED);
    stn_view b, x;
    for (int k = 0; k < PASSED * CHUNKED; k++) {
        to->b[k] = 1.0 + (double)(k * 37 % 101) / 7.0;
        to->x[k] = 0.0;
    }
    expect_ok(
        stn_view_wrap_spec(&b, &STN_VIEW_SPEC(.label = "b", .storage = f64, .data = to->b,
                                              .rank = 2, .extents = extents, .strides = strides)));
    expect_ok(
        stn_view_wrap_spec(&x, &STN_VIEW_SPEC(.label = "x", .storage = f64, .data = to->x,
                                              .rank = 2, .extents = extents, .strides = strides)));
    expect_ok(stn_solve(order_use(used), &x, a, &b, solver, &all));
    to->report = reports[0];
}

/* Updates that also compute norms, and products that also compute inner products, have the bits of
 * separate operations, which portable C executes. */
UNIT_TEST(test_passes)
{
    static const stn_solver_method methods[] = {STN_SOLVER_CG, STN_SOLVER_MINRES,
                                                STN_SOLVER_BICGSTAB};
    static chunked expected, one;
    for (int k = 0; k < 6; k++) {
        stn_matrix *const matrix = make_diagonals(k % 3 == 2 ? 0.3 : 0.0);
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = methods[k % 3],
                     .arithmetic = k < 3 ? STN_F64 : STN_F32, .relative_tolerance = 1e-5);
        stn_operator a;
        expect_ok(stn_operator_of_matrix(&a, matrix));
        solve_chunked(0, &solver, &a, 1, &expected);
        for (int used = 1; used < order_settings(); used++) {
            solve_chunked(used, &solver, &a, used % 2 ? PASSED : 1, &one);
            const int64_t count = expected.report.history_count;
            if (one.report.history_count != count ||
                memcmp(one.history, expected.history, (size_t)count * sizeof(double)) != 0 ||
                memcmp(one.x, expected.x, CHUNKED * sizeof(double)) != 0)
                fail_msg("%s: other bits on %s", traits[solver.method].name,
                         order_setting_name(used));
        }
        stn_matrix_release(matrix);
    }
}

/* A column whose recurrence breaks down does not disturb the others: the matrix is indefinite for
 * the first column only. */
UNIT_TEST(test_breakdown_of_one)
{
    static const int64_t n = 40, extents[] = {40, 4};
    static double dense[40 * 40], b[40 * 4], x[40 * 4];
    stn_solver_report all = STN_SOLVER_REPORT_INIT;
    stn_view b_view, x_view;
    setting = order_settings() - 1;
    memset(dense, 0, sizeof dense);
    for (int i = 0; i < n; i++) {
        dense[i * n + i] = i == 0 ? -1.0 : 2.0 + i;
        for (int k = 0; k < 4; k++) {
            b[i * 4 + k] = (k == 0) == (i == 0) ? 1.0 + k : 0.0;
            x[i * 4 + k] = 0.0;
        }
    }
    system_of(&s, (int)n, dense);
    const stn_solver_options solver = STN_SOLVER_OPTIONS_INIT;
    expect_ok(stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), b, 2, extents));
    expect_ok(stn_view_wrap(&x_view, "x", stn_storage_of(STN_F64), x, 2, extents));
    expect_error(stn_solve(order_use(setting), &x_view, &s.a, &b_view, &solver, &all),
                 STN_ERR_CONVERGENCE, "1 of 4 columns are not solved: 0; ");
    assert_int_equal(all.reason, STN_STOP_NOT_POSITIVE_DEFINITE);
    for (int i = 0; i < n; i++)
        for (int k = 1; k < 4; k++)
            assert_true(fabs(x[i * 4 + k] * dense[i * n + i] - b[i * 4 + k]) <= 1e-8);
}

/* One column, and none. */
UNIT_TEST(test_few)
{
    const stn_solver_options solver = STN_SOLVER_OPTIONS_INIT;
    double b[MOST_ROWS], x[MOST_ROWS] = {0}, history[MOST_HISTORY] = {0};
    system_make(&s, POSITIVE, 0);
    system_solve(order_use(0), &solver, &s, &alone);
    for (int i = 0; i < s.rows; i++)
        b[i] = creal(s.b[i]);
    for (int64_t count = 0; count < 2; count++) {
        const int64_t extents[] = {s.rows, count};
        stn_view b_view, x_view;
        stn_solver_report report =
            STN_INIT(stn_solver_report, .history = history, .history_capacity = MOST_HISTORY);
        expect_ok(stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), b, 2, extents));
        expect_ok(stn_view_wrap(&x_view, "x", stn_storage_of(STN_F64), x, 2, extents));
        expect_ok(stn_solve(order_use(0), &x_view, &s.a, &b_view, &solver, &report));
        assert_int_equal(report.columns, count);
        assert_int_equal(report.reason, STN_STOP_CONVERGED);
        assert_int_equal(report.history_count, count ? alone.solution.history_count : 0);
    }
    for (int i = 0; i < s.rows; i++)
        assert_true(x[i] == creal(alone.x[i]));
    assert_memory_equal(history, alone.history, sizeof history);
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
