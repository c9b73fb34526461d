/* Refinement whose inner solver reads more planes of one stored matrix as it converges. */
#include "check.h"

#include <math.h>

#include "make_view.h"
#include "steno/solver.h"
#include "steno/sparse.h"

enum { N = 600, ENTRIES = 3 * N - 2, EXECS = 3 };

static stn_exec *execs[EXECS];
static int32_t start[N + 1], column[ENTRIES];
static double value[ENTRIES], b[N], x[N], expected[N];
static stn_matrix *full, *planes[3];
static const int64_t n = N;

/* -(c u')' with coefficients that need more bits than one plane. */
static int setup(void **state)
{
    static const char *const names[] = {"reference", "threads:threads=1", "threads:threads=3"};
    stn_matrix *a;
    (void)state;
    for (int e = 0; e < EXECS; e++)
        if (stn_exec_create(&execs[e], names[e]) != STN_OK)
            return -1;
    for (int32_t i = 0, k = 0; i < N; i++, start[i] = k) {
        const double left = 1.0 + 0.9 * sin(3.7 * i), right = 1.0 + 0.9 * sin(3.7 * (i + 1));
        for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++, k++) {
            column[k] = j;
            value[k] = j == i ? left + right : j < i ? -left : -right;
        }
        b[i] = cos(0.01 * i);
    }
    if (stn_matrix_wrap_csr_i32(&a, N, N, start, column, f64(), value) != STN_OK ||
        stn_matrix_segment(execs[1], &full, a) != STN_OK)
        return -1;
    stn_matrix_release(a);
    for (int k = 0; k < 3; k++)
        if (stn_matrix_planes(&planes[k], full, k + 1) != STN_OK)
            return -1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        stn_matrix_release(planes[k]);
    stn_matrix_release(full);
    for (int e = 0; e < EXECS; e++)
        stn_exec_release(execs[e]);
    return 0;
}

/* Operators that count their products. */
typedef struct counted {
    const stn_matrix *matrix;
    double factor;
    int64_t products;
} counted;

static stn_status multiply(void *context, const stn_exec *exec, stn_format arithmetic,
                           const stn_view *from, const stn_view *to)
{
    counted *const c = context;
    c->products++;
    return stn_spmv(exec, arithmetic, c->factor, c->matrix, from, 0.0, to);
}

typedef struct problem {
    counted counts[3];
    stn_operator a, inner[3];
    stn_solver_options inner_options, options;
    stn_solver_report report;
} problem;

static problem make_problem(void)
{
    problem p = {.report = STN_SOLVER_REPORT_INIT};
    p.inner_options = (stn_solver_options)STN_INIT(stn_solver_options, .relative_tolerance = 1e-4,
                                                   .max_iterations = 20000);
    p.options = (stn_solver_options)STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT,
                                             .relative_tolerance = 5e-11);
    for (int k = 0; k < 3; k++)
        p.counts[k] = (counted){planes[k], 1.0, 0};
    return p;
}

static stn_status solve(problem *p, const stn_exec *exec)
{
    const stn_view to = wrap_view("x", f64(), x, 1, &n), from = wrap_view("b", f64(), b, 1, &n);
    expect_ok(stn_operator_of_matrix(&p->a, full));
    for (int k = 0; k < 3; k++)
        expect_ok(stn_operator_create(&p->inner[k], "planes", N, multiply, &p->counts[k]));
    p->options.inner = &p->inner_options;
    p->options.inner_operators = p->inner;
    p->options.inner_operator_count = 3;
    return stn_solve(exec, &to, &p->a, &from, &p->options, &p->report);
}

/* The first operator is 2 A, so that each correction halves the residual. */
UNIT_TEST(more_planes_are_read_when_corrections_are_inaccurate)
{
    for (int e = 0; e < EXECS; e++) {
        problem p = make_problem();
        p.counts[0].factor = 2.0;
        memset(x, 0, sizeof x);
        expect_ok(solve(&p, execs[e]));
        assert_int_equal(p.report.reason, STN_STOP_CONVERGED);
        assert_true(p.report.residual <= 5e-11);
        assert_true(p.counts[0].products > 0 && p.counts[1].products > 0);
        assert_int_equal(p.counts[2].products, 0);
        if (e == 0)
            memcpy(expected, x, sizeof x);
        assert_memory_equal(x, expected, sizeof x);
    }
}

UNIT_TEST(one_plane_suffices_while_corrections_are_accurate)
{
    problem p = make_problem();
    memset(x, 0, sizeof x);
    expect_ok(solve(&p, execs[1]));
    assert_true(p.counts[0].products > 0);
    assert_int_equal(p.counts[1].products + p.counts[2].products, 0);
}

/* The first operator is -A, with which CG stops at once. */
UNIT_TEST(a_useless_operator_is_replaced_by_the_next)
{
    problem p = make_problem();
    p.counts[0].factor = -1.0;
    memset(x, 0, sizeof x);
    expect_ok(solve(&p, execs[1]));
    assert_true(p.counts[0].products > 0 && p.counts[1].products > 0);
    p.counts[1].factor = p.counts[2].factor = -1.0;
    memset(x, 0, sizeof x);
    expect_error(solve(&p, execs[1]), STN_ERR_CONVERGENCE, "");
    assert_int_equal(p.report.reason, STN_STOP_NOT_POSITIVE_DEFINITE);
}

UNIT_TEST(checkpoints_contain_the_current_operator)
{
    problem p = make_problem();
    p.counts[0].factor = 2.0;
    memset(x, 0, sizeof x);
    expect_ok(solve(&p, execs[1]));
    const int64_t corrections = p.report.iterations;
    memcpy(expected, x, sizeof x);
    expect_ok(stn_checkpoint_create(&p.options.checkpoint));
    memset(x, 0, sizeof x);
    for (int64_t k = 1; k <= corrections; k++) {
        p.options.max_iterations = k;
        const stn_status status = solve(&p, execs[1]);
        assert_int_equal(status, k < corrections ? STN_ERR_CONVERGENCE : STN_OK);
    }
    assert_memory_equal(x, expected, sizeof x);
    p.options.max_iterations = corrections - 1;
    memset(x, 0, sizeof x);
    expect_error(solve(&p, execs[1]), STN_ERR_CONVERGENCE, "");
    p.options.inner_operators = NULL;
    p.options.inner_operator_count = 0;
    p.options.max_iterations = 0;
    const stn_view to = wrap_view("x", f64(), x, 1, &n), from = wrap_view("b", f64(), b, 1, &n);
    expect_error(stn_solve(execs[1], &to, &p.a, &from, &p.options, NULL), STN_ERR_PARSE,
                 "the checkpoint continues with inner operator 1 of 1");
    stn_checkpoint_release(p.options.checkpoint);
}

UNIT_TEST(invalid_inner_operators_are_refused)
{
    const stn_view to = wrap_view("x", f64(), x, 1, &n), from = wrap_view("b", f64(), b, 1, &n);
    problem p = make_problem();
    memset(x, 0, sizeof x);
    expect_ok(solve(&p, execs[1]));
    stn_operator few[2] = {p.inner[0], {0}};
    p.options.inner_operators = few;
    p.options.inner_operator_count = 2;
    expect_error(stn_solve(NULL, &to, &p.a, &from, &p.options, NULL), STN_ERR_ARGUMENT, "");
    expect_error(stn_solve(execs[1], &to, &p.a, &from, &p.options, NULL), STN_ERR_ARGUMENT,
                 "an inner operator is no operator");
    expect_ok(stn_operator_create(&few[1], "few", N - 1, multiply, &p.counts[0]));
    expect_error(stn_solve(execs[1], &to, &p.a, &from, &p.options, NULL), STN_ERR_SHAPE,
                 "an inner operator has 599 rows, not 600");
    p.options.inner_operator_count = -1;
    expect_error(stn_solve(execs[1], &to, &p.a, &from, &p.options, NULL), STN_ERR_ARGUMENT,
                 "inner_operator_count is -1, and inner_operators is not NULL");
    p.options.inner_operator_count = 1;
    p.options.inner_operator = &p.inner[1];
    expect_error(stn_solve(execs[1], &to, &p.a, &from, &p.options, NULL), STN_ERR_ARGUMENT,
                 "inner_operator NULL");
    p.options.inner_operator = NULL;
    p.options.method = STN_SOLVER_CG;
    expect_error(stn_solve(execs[1], &to, &p.a, &from, &p.options, NULL), STN_ERR_ARGUMENT,
                 "requires the method STN_SOLVER_REFINEMENT");
    p.options.inner_operators = NULL;
    expect_error(stn_solve(execs[1], &to, &p.a, &from, &p.options, NULL), STN_ERR_ARGUMENT,
                 "inner_operator_count is 1, and inner_operators is NULL");
}

RUN_UNIT_TESTS(setup, teardown)
