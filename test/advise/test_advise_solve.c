/* stn_sparse_traits, stn_advise_solve and stn_solve_advised: traits of small matrices, advice
 * within limits, targets are met for symmetric, indefinite, nonsymmetric, badly scaled and complex
 * systems by every method of the list, the guard changes methods that fail and formats that lose
 * values, within limits of memory, keeps the best x and judges it as stored; estimates of condition
 * numbers; refusals. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "advise/attempt.h"
#include "check.h"
#include "matrix.h"
#include "steno/advise.h"
#include "steno/blas.h"

enum { EDGE = 16, ROWS = EDGE * EDGE, MOST = 5 * ROWS };

static stn_exec *exec;

typedef struct grid {
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    double value[2 * MOST]; /* complex: pairs */
    stn_matrix *matrix;
    stn_format format;
} grid;

static int begin(void **unused)
{
    (void)unused;
    expect_ok(stn_exec_create(&exec, "threads:threads=2"));
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    stn_exec_release(exec);
    return 0;
}

/* Differences on a square with upwind convection; rows are multiplied by 2^(r % spread). */
static void create_grid(grid *g, double convection, double shift, int spread, double imaginary)
{
    static const int64_t steps[] = {-EDGE, -1, 0, 1, EDGE};
    const int parts = imaginary != 0.0 ? 2 : 1;
    int64_t at = 0;
    for (int64_t r = 0; r < ROWS; r++) {
        const double factor = spread ? ldexp(1.0, (int)(r * 7 % spread)) : 1.0;
        g->start[r] = at;
        for (int s = 0; s < 5; s++) {
            const int64_t to = r + steps[s];
            const int is_side = s == 1 || s == 3;
            if (to < 0 || to >= ROWS || (is_side && to / EDGE != r / EDGE))
                continue;
            const double value =
                s == 2 ? 4.0 + 2.0 * convection - shift : -1.0 - (s < 2 ? convection : 0.0);
            g->column[at] = (int32_t)to;
            if (parts == 2)
                g->value[2 * at + 1] = s == 2 ? imaginary : 0.0;
            g->value[parts * at++] = factor * value;
        }
    }
    g->start[ROWS] = at;
    g->format = parts == 2 ? STN_C128 : STN_F64;
    expect_ok(wrap_csr(&g->matrix, "a", stn_storage_of(g->format), ROWS, ROWS, g->start, g->column,
                       g->value));
}

static stn_matrix_traits traits_of(const stn_matrix *a)
{
    stn_matrix_traits traits = STN_MATRIX_TRAITS_INIT;
    expect_ok(stn_sparse_traits(exec, a, &traits));
    return traits;
}

UNIT_TEST(traits_of_grids)
{
    grid g;
    create_grid(&g, 0.0, 0.0, 0, 0.0);
    stn_matrix_traits traits = traits_of(g.matrix);
    assert_true(traits.is_symmetric && traits.has_diagonal && traits.is_positive);
    assert_true(traits.largest == 4.0 && traits.dominance == 1.0 && traits.norm == 8.0);
    assert_true(traits.bandwidth == EDGE && traits.similarity == 1.0);
    g.value[1] = -1.0 - 0x1p-52;
    assert_false(traits_of(g.matrix).is_symmetric);
    g.value[1] = NAN;
    assert_true(traits_of(g.matrix).has_nonfinite);
    stn_matrix_release(g.matrix);
    create_grid(&g, 1.0, 0.0, 30, 0.0);
    traits = traits_of(g.matrix);
    assert_true(!traits.is_symmetric && traits.row_spread == 0x1p29 && traits.similarity < 0.6);
    stn_matrix_release(g.matrix);
    create_grid(&g, 0.0, 0.0, 0, 0.5);
    assert_false(traits_of(g.matrix).is_symmetric); /* not Hermitian: a complex diagonal */
    stn_matrix_release(g.matrix);
}

/* Explicit zeros and missing or repeated diagonal entries. */
UNIT_TEST(traits_of_small_matrices)
{
    static const int64_t start[] = {0, 3, 4, 4};
    static const int32_t column[] = {0, 1, 2, 0};
    double value[] = {2.0, 3.0, 0.0, 3.0};
    stn_matrix *a;
    expect_ok(wrap_csr(&a, "a", stn_storage_of(STN_F64), 3, 3, start, column, value));
    stn_matrix_traits traits = traits_of(a);
    assert_true(traits.is_symmetric && !traits.has_diagonal && !traits.is_positive);
    assert_true(isinf(traits.dominance) && traits.bandwidth == 1);
    value[2] = 1.0;
    assert_false(traits_of(a).is_symmetric);
    stn_matrix_release(a);
}

/* Every method of the list, or the first `most` ones, meets the target. */
static void check_methods(const grid *g, int most, double target)
{
    static const int64_t rows = ROWS;
    const stn_solve_advice_options options = STN_INIT(stn_solve_advice_options, .target = target);
    stn_solve_advice *advice;
    stn_view x, b, r;
    double norm, residual;
    stn_view *const views[] = {&x, &b, &r};
    for (int k = 0; k < 3; k++)
        expect_ok(stn_view_create(exec, views[k], "v", stn_storage_of(g->format), 1, &rows));
    expect_ok(stn_view_fill(exec, &x, 1.0));
    expect_ok(stn_spmv(exec, g->format, 1.0, g->matrix, &x, 0.0, &b));
    expect_ok(stn_nrm2(exec, g->format, &norm, &b));
    expect_ok(stn_advise_solve(exec, &advice, g->matrix, &options));
    for (int k = 0; k < stn_solve_advice_count(advice) && k < most; k++) {
        stn_solve_choice choice = STN_SOLVE_CHOICE_INIT, used = STN_SOLVE_CHOICE_INIT;
        stn_guard_report report = STN_INIT(stn_guard_report, .used = &used);
        expect_ok(stn_solve_advice_describe(advice, k, &choice));
        expect_ok(stn_view_fill(exec, &x, 0.0));
        expect_ok_for(stn_solve_advised(exec, &x, advice, k, &b, &report), choice.text);
        expect_ok(stn_sparse_residual(exec, g->format, &r, &b, g->matrix, &x));
        expect_ok(stn_nrm2(exec, g->format, &residual, &r));
        assert_true(report.converged && report.residual <= target);
        assert_true(fabs(residual / norm - report.residual) <= 1e-14);
        assert_true(report.backward_error > 0.0 && report.backward_error <= report.residual * 10);
        assert_true((report.promotions > 0) == (report.reason[0] != '\0'));
        assert_true(report.promotions > 0 || strcmp(used.text, choice.text) == 0);
    }
    stn_solve_advice_release(advice);
    for (int k = 0; k < 3; k++)
        expect_ok(stn_view_release(views[k]));
}

UNIT_TEST(every_method_meets_the_target)
{
    static const struct {
        double convection, shift;
        int spread;
        double imaginary;
    } cases[] = {{0, 0, 0, 0}, {2, 0, 0, 0}, {0, 0.3, 0, 0}, {1, 0, 40, 0}, {1, 0, 0, 0.7}};
    for (int k = 0; k < 5; k++) {
        grid g;
        create_grid(&g, cases[k].convection, cases[k].shift, cases[k].spread, cases[k].imaginary);
        check_methods(&g, 100, 1e-9);
        stn_matrix_release(g.matrix);
    }
}

/* CG with a negative eigenvalue, and a limit of bytes. */
UNIT_TEST(the_guard_changes_methods_that_fail)
{
    static const int64_t start[] = {0, 2, 4}, rows = 2;
    static const int32_t column[] = {0, 1, 0, 1};
    static const double value[] = {1.0, 2.0, 2.0, 1.0};
    double x_values[] = {0.0, 0.0}, b_values[] = {1.0, -1.0};
    stn_solve_advice *advice;
    stn_matrix *a;
    stn_view x, b;
    int promotions = 0;
    expect_ok(wrap_csr(&a, "a", stn_storage_of(STN_F64), 2, 2, start, column, value));
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), x_values, 1, &rows));
    expect_ok(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), b_values, 1, &rows));
    expect_ok(stn_advise_solve(exec, &advice, a, NULL));
    for (int k = 0; k < stn_solve_advice_count(advice); k++) {
        stn_guard_report report = STN_GUARD_REPORT_INIT;
        x_values[0] = x_values[1] = 0.0;
        expect_ok(stn_solve_advised(exec, &x, advice, k, &b, &report));
        assert_true(fabs(x_values[0] + 1.0) < 1e-9 && fabs(x_values[1] - 1.0) < 1e-9);
        promotions += report.promotions;
    }
    assert_true(promotions > 0);
    stn_solve_advice_release(advice);
    stn_matrix_release(a);
}

/* Number of iterations until the guard ends a solve whose residual after iteration k is k^-power,
 * from iteration `last` on constant; `most` if it does not. */
static int64_t stagnation_of(double power, int64_t last, int64_t most)
{
    stn_watch watch = {1e-10, INFINITY, INFINITY, 0, STN_WATCH_WINDOW};
    for (int64_t k = 1; k <= most; k++)
        if (stn_watch_stagnates(&watch, k, pow((double)(k < last ? k : last), -power)))
            return k;
    return most;
}

/* Slow convergence whose rate decreases with the iterations is no stagnation. */
UNIT_TEST(the_guard_recognizes_stagnation)
{
    assert_int_equal(stagnation_of(1.5, INT64_MAX, 200000), 200000);
    assert_int_equal(stagnation_of(0.1, INT64_MAX, 200000), 2000);
    assert_in_range(stagnation_of(1.5, 1, 200000), 1000, 2000);
    assert_in_range(stagnation_of(1.5, 50000, 200000), 50000, 50000 * 1.6);
}

/* Factors in f16 of rows whose magnitudes differ by 2^199 lose values, which are counted before any
 * iteration. Each promotion stays within the limit of bytes. */
UNIT_TEST(formats_that_lose_values_are_promoted)
{
    static const int64_t rows = ROWS;
    stn_solve_advice_options options = STN_INIT(stn_solve_advice_options, .max_bytes = 100000);
    stn_solve_advice *advice;
    int64_t lost = 0;
    grid g;
    stn_view x, b;
    create_grid(&g, 1.0, 0.0, 200, 0.0);
    expect_ok(stn_view_create(exec, &x, "x", stn_storage_of(STN_F64), 1, &rows));
    expect_ok(stn_view_create(exec, &b, "b", stn_storage_of(STN_F64), 1, &rows));
    expect_ok(stn_view_fill(exec, &x, 1.0));
    expect_ok(stn_spmv(exec, STN_F64, 1.0, g.matrix, &x, 0.0, &b));
    expect_ok(stn_advise_solve(exec, &advice, g.matrix, &options));
    for (int k = 0; k < stn_solve_advice_count(advice); k++) {
        stn_solve_choice choice = STN_SOLVE_CHOICE_INIT, used = STN_SOLVE_CHOICE_INIT;
        stn_guard_report report = STN_INIT(stn_guard_report, .used = &used);
        expect_ok(stn_solve_advice_describe(advice, k, &choice));
        expect_ok(stn_view_fill(exec, &x, 0.0));
        (void)stn_solve_advised(exec, &x, advice, k, &b, &report);
        assert_true(used.bytes <= options.max_bytes);
        lost += report.underflowed;
        if (report.underflowed > 5 * ROWS / 16) {
            assert_true(report.promotions > 0 && strstr(report.reason, "underflowed"));
            assert_true(choice.preconditioner_format != used.preconditioner_format);
        }
    }
    assert_true(lost > 5 * ROWS / 16);
    stn_solve_advice_release(advice);
    expect_ok(stn_view_release(&x));
    expect_ok(stn_view_release(&b));
    stn_matrix_release(g.matrix);
}

/* ---- condition numbers ---- */

/* The norm of the inverse by elimination with complex numbers. */
static double exact_condition(const grid *g)
{
    static double complex a[ROWS][2 * ROWS];
    const int parts = g->format == STN_C128 ? 2 : 1;
    double norm = 0.0, inverse = 0.0;
    memset(a, 0, sizeof a);
    for (int r = 0; r < ROWS; r++) {
        double sum = 0.0;
        for (int64_t k = g->start[r]; k < g->start[r + 1]; k++) {
            const double *const value = g->value + parts * k;
            a[r][g->column[k]] = value[0] + (parts == 2 ? value[1] * I : 0.0);
            sum += cabs(a[r][g->column[k]]);
        }
        a[r][ROWS + r] = 1.0;
        norm = fmax(norm, sum);
    }
    for (int p = 0; p < ROWS; p++) /* the matrices are dominant: no pivoting */
        for (int r = 0; r < ROWS; r++) {
            const double complex factor = r == p ? 1.0 - 1.0 / a[p][p] : a[r][p] / a[p][p];
            for (int c = p; c < 2 * ROWS && factor != 0.0; c++)
                a[r][c] -= factor * a[p][c];
        }
    for (int r = 0; r < ROWS; r++) {
        double sum = 0.0;
        for (int c = ROWS; c < 2 * ROWS; c++)
            sum += cabs(a[r][c]);
        inverse = fmax(inverse, sum);
    }
    return norm * inverse;
}

UNIT_TEST(condition_numbers)
{
    static const struct {
        double convection, imaginary;
        int spread;
    } cases[] = {{0, 0, 0}, {3, 0, 0}, {1, 0, 20}, {1, 0.7, 0}};
    for (int k = 0; k < 4; k++) {
        stn_solve_advice *advice;
        double condition = 0.0;
        grid g;
        create_grid(&g, cases[k].convection, 0.0, cases[k].spread, cases[k].imaginary);
        expect_ok(stn_advise_solve(exec, &advice, g.matrix, NULL));
        expect_ok(stn_estimate_condition(exec, advice, &condition));
        const double exact = exact_condition(&g);
        if (!(condition <= 1.5 * exact && condition >= exact / 3.0))
            fail_msg("case %d: %g instead of %g", k, condition, exact);
        stn_solve_advice_release(advice);
        stn_matrix_release(g.matrix);
    }
}

UNIT_TEST(condition_number_of_a_singular_matrix)
{
    static const int64_t start[] = {0, 2, 4};
    static const int32_t column[] = {0, 1, 0, 1};
    static const double value[] = {1.0, 2.0, 2.0, 4.0};
    stn_solve_advice *advice;
    stn_matrix *a;
    double condition = 0.0;
    expect_ok(wrap_csr(&a, "a", stn_storage_of(STN_F64), 2, 2, start, column, value));
    expect_ok(stn_advise_solve(exec, &advice, a, NULL));
    expect_error(stn_estimate_condition(exec, advice, &condition), STN_ERR_CONVERGENCE,
                 "stn_estimate_condition: a is singular or nearly so");
    expect_error(stn_estimate_condition(exec, advice, NULL), STN_ERR_ARGUMENT, "value");
    expect_error(stn_estimate_condition(exec, NULL, &condition), STN_ERR_ARGUMENT, "advice");
    expect_error(stn_estimate_condition(NULL, advice, &condition), STN_ERR_ARGUMENT, "exec");
    stn_solve_advice_release(advice);
    stn_matrix_release(a);
}

UNIT_TEST(limits)
{
    int reduced = 0;
    stn_solve_advice_options options = STN_SOLVE_ADVICE_OPTIONS_INIT;
    stn_solve_advice *advice;
    grid g;
    create_grid(&g, 1.0, 0.0, 0, 0.0);
    options.max_bytes = 60000;
    expect_ok(stn_advise_solve(exec, &advice, g.matrix, &options));
    for (int k = 0; k < stn_solve_advice_count(advice); k++) {
        stn_solve_choice choice = STN_SOLVE_CHOICE_INIT;
        expect_ok(stn_solve_advice_describe(advice, k, &choice));
        assert_true(choice.bytes > 0 && choice.bytes <= options.max_bytes);
        if (choice.restart > 10 && choice.restart < 100) { /* the largest one that fits */
            choice.restart++;
            stn_advise_predict(advice, &choice);
            assert_true(choice.bytes > options.max_bytes);
            reduced++;
        }
    }
    assert_true(reduced > 0);
    stn_solve_advice_release(advice);
    options.max_bytes = 100;
    expect_error(stn_advise_solve(exec, &advice, g.matrix, &options), STN_ERR_RANGE,
                 "more than 100 bytes; the least number is ");
    assert_null(advice);
    stn_matrix_release(g.matrix);
}

/* Stops after the iterations that the context counts down. */
static int stop(void *context, const stn_solver_progress *progress)
{
    assert_true(progress->residual >= 0.0);
    return --*(int *)context <= 0;
}

/* A monitor ends the call: no other method is tried, and no further iteration starts. */
UNIT_TEST(monitors)
{
    const int64_t rows = ROWS;
    stn_solve_advice_options options = STN_SOLVE_ADVICE_OPTIONS_INIT;
    stn_solve_advice *advice;
    grid g;
    double values[2][ROWS];
    stn_view x, b;
    int left = 0;
    create_grid(&g, 1.0, 0.0, 0, 0.0);
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), values[0], 1, &rows));
    expect_ok(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), values[1], 1, &rows));
    expect_ok(stn_view_fill(exec, &b, 1.0));
    options.monitor = stop;
    options.monitor_context = &left;
    expect_ok(stn_advise_solve(exec, &advice, g.matrix, &options));
    for (int k = 0; k < stn_solve_advice_count(advice); k++) {
        stn_guard_report report = STN_GUARD_REPORT_INIT;
        left = 2;
        expect_ok(stn_view_fill(exec, &x, 0.0));
        expect_error(stn_solve_advised(exec, &x, advice, k, &b, &report), STN_ERR_CONVERGENCE,
                     "interrupted");
        assert_int_equal(left, 0);
        assert_int_equal(report.promotions, 0);
        assert_false(report.converged);
    }
    stn_solve_advice_release(advice);
    stn_matrix_release(g.matrix);
}

/* A system of two rows whose method is advised. */
typedef struct small {
    double value[4], x[2], b[2];
    stn_view x_view, b_view;
    stn_matrix *matrix;
    stn_solve_advice *advice;
} small;

static void create_small(small *s)
{
    static const int64_t start[] = {0, 2, 4}, rows = 2;
    static const int32_t column[] = {0, 1, 0, 1};
    const stn_solve_advice_options options = STN_INIT(stn_solve_advice_options, .target = 1e-12);
    expect_ok(wrap_csr(&s->matrix, "a", stn_storage_of(STN_F64), 2, 2, start, column, s->value));
    expect_ok(stn_view_wrap(&s->x_view, "x", stn_storage_of(STN_F64), s->x, 1, &rows));
    expect_ok(stn_view_wrap(&s->b_view, "b", stn_storage_of(STN_F64), s->b, 1, &rows));
    expect_ok(stn_advise_solve(exec, &s->advice, s->matrix, &options));
}

static void release_small(small *s)
{
    stn_solve_advice_release(s->advice);
    stn_matrix_release(s->matrix);
}

/* The report judges x as stored: 1/3 has no exact code in f16. An x that overflows in its storage
 * leaves the initial guess. */
UNIT_TEST(narrow_results_are_judged_as_stored)
{
    static const int64_t rows = 2;
    small s = {.value = {3, 0, 0, 1}, .b = {1, 1}};
    stn_guard_report report = STN_GUARD_REPORT_INIT;
    uint16_t codes[] = {0x3000, 0};
    stn_view narrow;
    create_small(&s);
    expect_ok(stn_view_wrap(&narrow, "x", stn_storage_of(STN_F16), codes, 1, &rows));
    expect_error(stn_solve_advised(exec, &narrow, s.advice, 0, &s.b_view, &report),
                 STN_ERR_CONVERGENCE, "rounded to its storage");
    assert_true(codes[0] == 0x3555 && codes[1] == 0x3c00 && !report.converged); /* f16(1/3), 1 */
    assert_true(fabs(report.residual - 3.0 * fabs(0x555p-12 - 1.0 / 3.0) / sqrt(2.0)) < 1e-9);
    s.b[1] = 1e9;
    codes[0] = 0x3000;
    codes[1] = 0x3800;
    expect_error(stn_solve_advised(exec, &narrow, s.advice, 0, &s.b_view, &report),
                 STN_ERR_CONVERGENCE, "rounded to its storage");
    assert_true(codes[0] == 0x3000 && codes[1] == 0x3800 && fabs(report.residual - 1.0) < 1e-8);
    release_small(&s);
}

/* An element of x that no entry references is checked, too. */
UNIT_TEST(vectors_must_be_finite)
{
    small s = {.value = {2, 0, 2, 0}, .x = {0.95, NAN}, .b = {1.9, 1.9}};
    create_small(&s);
    expect_error(stn_solve_advised(exec, &s.x_view, s.advice, 0, &s.b_view, NULL), STN_ERR_ARGUMENT,
                 "x (f64, 2) has infinite or NaN elements");
    s.x[1] = 0.0;
    expect_ok(stn_solve_advised(exec, &s.x_view, s.advice, 0, &s.b_view, NULL));
    s.b[1] = INFINITY;
    expect_error(stn_solve_advised(exec, &s.x_view, s.advice, 0, &s.b_view, NULL), STN_ERR_ARGUMENT,
                 "b (f64, 2) has infinite or NaN elements");
    release_small(&s);
}

/* A matrix beyond the range of f32 has no corrections in f32: refinement is promoted. */
UNIT_TEST(attempts_beyond_the_range_of_f32_are_promoted)
{
    small s = {.value = {0x1p490, 0x1p488, -0x1p489, 0x1p490}, .b = {0x1p490, 0x1p490}};
    int refined = 0;
    create_small(&s);
    for (int k = 0; k < stn_solve_advice_count(s.advice); k++) {
        stn_solve_choice choice = STN_SOLVE_CHOICE_INIT;
        stn_guard_report report = STN_GUARD_REPORT_INIT;
        expect_ok(stn_solve_advice_describe(s.advice, k, &choice));
        s.x[0] = s.x[1] = 0.0;
        expect_ok_for(stn_solve_advised(exec, &s.x_view, s.advice, k, &s.b_view, &report),
                      choice.text);
        refined += choice.method == STN_SOLVER_REFINEMENT && report.promotions > 0;
    }
    assert_true(refined > 0);
    release_small(&s);
}

UNIT_TEST(vectors_must_be_disjoint)
{
    static const int64_t rows = 2;
    small s = {.value = {3, 0, 1, 2}, .b = {1, 1}};
    double values[] = {1.0, 1.0, 1.0};
    stn_view x, b;
    create_small(&s);
    expect_error(stn_solve_advised(exec, &s.b_view, s.advice, 0, &s.b_view, NULL), STN_ERR_ALIAS,
                 "overlaps");
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), values + 1, 1, &rows));
    expect_ok(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), values, 1, &rows));
    expect_error(stn_solve_advised(exec, &x, s.advice, 0, &b, NULL), STN_ERR_ALIAS, "overlaps");
    for (int k = 0; k < 3; k++)
        assert_true(values[k] == 1.0);
    expect_ok(stn_view_wrap_const(&x, "x", stn_storage_of(STN_F64), s.x, 1, &rows));
    expect_error(stn_solve_advised(exec, &x, s.advice, 0, &s.b_view, NULL), STN_ERR_ARGUMENT, "x");
    release_small(&s);
}

/* Rounding errors of A x in f64 hide residuals larger than that of the initial guess. */
UNIT_TEST(failures_keep_the_best_x)
{
    small s = {.value = {7.1932293272345764e-143, 1.0474313783390376e-142, 1.1815117483788697e-20,
                         2.9412189720341231e-21},
               .b = {-1, 1}};
    create_small(&s);
    for (int k = 0; k < stn_solve_advice_count(s.advice); k++) {
        stn_guard_report report = STN_GUARD_REPORT_INIT;
        s.x[0] = s.x[1] = 0.0;
        expect_error(stn_solve_advised(exec, &s.x_view, s.advice, k, &s.b_view, &report),
                     STN_ERR_CONVERGENCE, "residual");
        assert_true(report.residual <= 1.0 && isfinite(s.x[0]) && isfinite(s.x[1]));
    }
    release_small(&s);
}

/* |b| exceeds the range of f64, its elements do not. */
UNIT_TEST(right_hand_sides_near_the_largest_value)
{
    small s = {.value = {4, 1, 2, 4}, .b = {0x1.9p1023, 0x1.9p1023}};
    stn_guard_report report = STN_GUARD_REPORT_INIT;
    create_small(&s);
    expect_ok(stn_solve_advised(exec, &s.x_view, s.advice, 0, &s.b_view, &report));
    assert_true(report.residual > 0.0 && report.residual <= 1e-12); /* b / 7 is rounded */
    assert_true(report.backward_error <= 1e-12);
    assert_true(fabs(s.x[0] / (s.b[0] / 14.0) - 3.0) < 1e-11);
    assert_true(fabs(s.x[1] / (s.b[1] / 7.0) - 1.0) < 1e-11);
    release_small(&s);
}

UNIT_TEST(refusals)
{
    static const int64_t start[] = {0, 1, 2};
    static const int32_t column[] = {0, 1};
    double value[] = {1.0, NAN};
    stn_solve_advice_options options = STN_SOLVE_ADVICE_OPTIONS_INIT;
    stn_solve_choice choice = STN_SOLVE_CHOICE_INIT;
    stn_solve_advice *advice;
    stn_matrix *a, *wide;
    expect_ok(wrap_csr(&a, "a", stn_storage_of(STN_F64), 2, 2, start, column, value));
    expect_ok(wrap_csr(&wide, "wide", stn_storage_of(STN_F64), 2, 3, start, column, value));
    expect_error(stn_advise_solve(exec, &advice, a, NULL), STN_ERR_ARGUMENT, "infinite or NaN");
    expect_error(stn_advise_solve(exec, &advice, wide, NULL), STN_ERR_SHAPE, "not square");
    expect_error(stn_advise_solve(NULL, &advice, a, NULL), STN_ERR_ARGUMENT, "exec");
    expect_error(stn_advise_solve(exec, NULL, a, NULL), STN_ERR_ARGUMENT, "advice");
    expect_error(stn_advise_solve(exec, &advice, NULL, NULL), STN_ERR_ARGUMENT, NULL);
    options.target = 1.0;
    expect_error(stn_advise_solve(exec, &advice, a, &options), STN_ERR_ARGUMENT, "target is 1");
    options.target = 0.0;
    options.max_bytes = -1;
    expect_error(stn_advise_solve(exec, &advice, a, &options), STN_ERR_ARGUMENT, "max_bytes");
    options.max_bytes = 0;
    options.max_seconds = -1.0;
    expect_error(stn_advise_solve(exec, &advice, a, &options), STN_ERR_ARGUMENT, "max_seconds");
    value[1] = 1.0;
    expect_ok(stn_advise_solve(exec, &advice, a, NULL));
    expect_error(stn_solve_advice_describe(advice, 1000, &choice), STN_ERR_RANGE, "index is 1000");
    expect_error(stn_solve_advised(exec, NULL, advice, 0, NULL, NULL), STN_ERR_ARGUMENT, "x");
    stn_solve_advice_release(advice);
    stn_matrix_release(wide);
    stn_matrix_release(a);
}

RUN_UNIT_TESTS(begin, end)
