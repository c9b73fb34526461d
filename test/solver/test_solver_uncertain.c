/* Residuals whose rounding errors exceed the tolerance, and backward errors, against sums in
 * __float128; members of the report that measure a solve. */
#include <math.h>

#include "check.h"
#include "linear_system.h"
#include "order_oracle.h"

typedef __float128 quad;

static linear_system s;
static outcome o;

/* b - A x in __float128: its norm relative to |b|, and the backward error with maximum norms. */
static double exact_residual(const linear_system *system, const number *x, double *backward)
{
    quad square = 0, b_square = 0;
    double most_r = 0, most_a = 0, most_x = 0, most_b = 0;
    for (int i = 0; i < system->rows; i++) {
        quad re = creal(system->b[i]), im = cimag(system->b[i]);
        double sum = 0;
        for (int j = 0; j < system->rows; j++) {
            const quad a = creal(system->dense[i][j]), c = cimag(system->dense[i][j]);
            re -= a * (quad)creal(x[j]) - c * (quad)cimag(x[j]);
            im -= a * (quad)cimag(x[j]) + c * (quad)creal(x[j]);
            sum += fabs((double)a) + fabs((double)c);
        }
        square += re * re + im * im;
        b_square += (quad)creal(system->b[i]) * creal(system->b[i]) +
                    (quad)cimag(system->b[i]) * cimag(system->b[i]);
        most_r = fmax(most_r, fmax(fabs((double)re), fabs((double)im)));
        most_a = fmax(most_a, sum);
        most_x = fmax(most_x, fmax(fabs(creal(x[i])), fabs(cimag(x[i]))));
        most_b = fmax(most_b, fmax(fabs(creal(system->b[i])), fabs(cimag(system->b[i]))));
    }
    *backward = most_r / (most_a * most_x + most_b);
    return sqrt((double)square / (double)b_square);
}

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g, not %.17g", value, expected);
}

/* The report has the exact residual and backward error, with the same bits on every executor. */
static void expect_uncertain(const stn_solver_options *options)
{
    stn_solver_report first = STN_SOLVER_REPORT_INIT;
    double backward;
    for (int k = 0; k < order_settings(); k++) {
        system_solve(order_use(k), options, &s, &o);
        assert_int_equal(o.solution.reason, STN_STOP_RESIDUAL_UNCERTAIN);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        assert_non_null(strstr(stn_error(), "residual uncertain: rounding errors of about"));
        expect_near(o.solution.residual, exact_residual(&s, o.x, &backward), 1e-12);
        expect_near(o.solution.backward_error, backward, 1e-12);
        assert_true(o.solution.residual > options->relative_tolerance);
        assert_true(o.solution.rounding_error > options->relative_tolerance);
        if (k == 0)
            first = o.solution;
        assert_memory_equal(&o.solution.residual, &first.residual, sizeof first.residual);
        assert_memory_equal(&o.solution.rounding_error, &first.rounding_error,
                            sizeof first.rounding_error);
        assert_memory_equal(&o.solution.backward_error, &first.backward_error,
                            sizeof first.backward_error);
    }
}

/* ---- nearly singular matrices ---- */

static void make_nearly_singular(void)
{
    static const double dense[] = {1, 1, 1, 1 + 1e-12};
    system_of(&s, 2, dense);
    s.b[0] = 1;
    s.b[1] = -1;
}

/* GMRES computes a residual of 0 for an x whose residual is 8.5e-5. */
UNIT_TEST(nearly_singular_matrix_of_two_rows)
{
    const stn_solver_options options =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .relative_tolerance = 1e-8);
    make_nearly_singular();
    expect_uncertain(&options);
    assert_true(o.solution.residual > 1e-5);
}

/* Two blocks of two rows, each of rank 1 except for 6e-12 on the diagonal: BiCGStab computes a
 * residual below 1e-8 for an x whose residual is 1.1e-5. */
UNIT_TEST(nearly_singular_complex_matrix_of_four_rows)
{
    static const number left[] = {0, -2 - I, -1 - 2 * I, -2 + I},
                        right[] = {-I, -1 - 2 * I, I, -1 + I}, b[] = {1, -I, -1, I};
    const stn_solver_options options = STN_INIT(stn_solver_options, .method = STN_SOLVER_BICGSTAB,
                                                .arithmetic = STN_C128, .relative_tolerance = 1e-8);
    system_clear(&s, 4, 1);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            system_store(&s, i, j, (i / 2 == j / 2) * left[i] * right[j] + (i == j ? 6e-12 : 0.0));
        s.b[i] = b[i];
    }
    system_wrap(&s);
    expect_uncertain(&options);
    assert_true(o.solution.residual > 1e-6);
}

/* The complex matrix with four rows of SciPy issue 9100: rows 0 and 3 have a sum of about 1e-15, so
 * only an x of about 1e15 solves the system, and rounding errors of its residual exceed 1e-8. With
 * any limit of iterations, a method that reports convergence has converged, and no residual is
 * larger than that of the initial guess. */
UNIT_TEST(singular_complex_matrix_of_a_scipy_issue)
{
    static const number left = -0.13627952880333782, turn = 6.283185307179586 * I;
    static const number dense[4][4] = {{-0.1112795288033378, 0, 0, 0.16127952880333685},
                                       {0, left + turn, 0, 0},
                                       {0, 0, left - turn, 0},
                                       {0.1112795288033368, 0, 0, -0.16127952880333785}};
    static const stn_solver_method methods[] = {STN_SOLVER_BICGSTAB, STN_SOLVER_GMRES,
                                                STN_SOLVER_FGMRES};
    double backward;
    system_clear(&s, 4, 1);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            if (dense[i][j] != 0.0)
                system_store(&s, i, j, dense[i][j]);
        s.b[i] = 1;
    }
    system_wrap(&s);
    for (int m = 0; m < 3; m++)
        for (int most = 1; most < 20; most++) {
            const stn_solver_options options =
                STN_INIT(stn_solver_options, .method = methods[m], .arithmetic = STN_C128,
                         .relative_tolerance = 1e-8, .max_iterations = most);
            system_solve(order_use(0), &options, &s, &o);
            const double exact = exact_residual(&s, o.x, &backward);
            assert_true(exact <= 1.0 + 1e-15);
            assert_true(o.status == STN_ERR_CONVERGENCE || exact <= 1e-8);
            if (o.status == STN_ERR_CONVERGENCE)
                assert_true(o.solution.reason != STN_STOP_CONVERGED);
        }
}

/* ---- what a check of the residual can know ---- */

static stn_status multiply(void *context, const stn_exec *exec, stn_format arithmetic,
                           const stn_view *x, const stn_view *y)
{
    return stn_spmv(exec, arithmetic, 1.0, context, x, 0.0, y);
}

/* Rounding errors of the residual exceed the tolerance, but x is the exact solution. */
static void solve_from_exact_x(const stn_operator *a, stn_solver_report *report)
{
    const stn_solver_options options = STN_INIT(stn_solver_options, .relative_tolerance = 1e-8);
    double numbers[] = {0x1p40, -0x1p40};
    const int64_t two = 2;
    stn_view x, b;
    system_vector(&s, &b, "b", s.b);
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), numbers, 1, &two));
    *report = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    (void)stn_solve(order_use(0), &x, a, &b, &options, report);
    assert_true(numbers[0] == 0x1p40 && numbers[1] == -0x1p40);
}

UNIT_TEST(functions_cannot_be_verified_and_matrices_can)
{
    static const double dense[] = {1, 1, 1, 1 + 0x1p-40};
    stn_solver_report report;
    stn_operator function;
    system_of(&s, 2, dense);
    s.b[0] = 0;
    s.b[1] = -1;
    solve_from_exact_x(&s.a, &report);
    assert_int_equal(report.reason, STN_STOP_CONVERGED);
    assert_true(report.residual == 0.0 && report.rounding_error > 1e-5);
    assert_true(report.backward_error == 0.0);
    expect_ok(stn_operator_create(&function, "a function", 2, multiply, s.matrix));
    solve_from_exact_x(&function, &report);
    assert_int_equal(report.reason, STN_STOP_RESIDUAL_UNCERTAIN);
    assert_non_null(strstr(stn_error(), "a function: residual uncertain"));
}

UNIT_TEST(rounding_errors_of_ordinary_systems_are_small)
{
    for (int kind = POSITIVE; kind <= GENERAL; kind++)
        for (int is_complex = 0; is_complex < 2; is_complex++) {
            const stn_solver_options options =
                STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .restart = MOST_ROWS,
                         .arithmetic = is_complex ? STN_C128 : STN_F64);
            double backward;
            system_make(&s, (system_kind)kind, is_complex);
            system_solve(order_use(0), &options, &s, &o);
            assert_int_equal(o.solution.reason, STN_STOP_CONVERGED);
            (void)exact_residual(&s, o.x, &backward);
            expect_near(o.solution.backward_error, backward, 1e-4);
            assert_true(o.solution.rounding_error > 1e-17 && o.solution.rounding_error < 1e-13);
        }
}

/* The values of the matrix are decoded before their products are accumulated; vectors in f32 are
 * converted. */
UNIT_TEST(narrow_values_and_vectors)
{
    static const int8_t codes[] = {1, 1, 1, 2};
    static const int64_t start[] = {0, 2, 4};
    static const int32_t column[] = {0, 1, 0, 1};
    const stn_solver_options options =
        STN_INIT(stn_solver_options, .arithmetic = STN_F32, .relative_tolerance = 0.125);
    const stn_storage storage = {.format = STN_I8, .scale = 0.5};
    float x_numbers[] = {0x1p24f, -0x1p23f}, b_numbers[] = {0x1p22f, 1.0f};
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    stn_csr_arrays arrays = STN_INIT(stn_csr_arrays, .rows = 2, .columns = 2, .row_start = start,
                                     .column = column, .values = codes, .row_start_format = STN_I64,
                                     .column_format = STN_I32, .storage = storage);
    const int64_t two = 2;
    stn_matrix *matrix;
    stn_operator a;
    stn_view x, b;
    expect_ok(stn_matrix_wrap_csr(&matrix, &arrays));
    expect_ok(stn_operator_of_matrix(&a, matrix));
    expect_ok(stn_view_wrap(&x, "x", stn_storage_of(STN_F32), x_numbers, 1, &two));
    expect_ok(stn_view_wrap(&b, "b", stn_storage_of(STN_F32), b_numbers, 1, &two));
    expect_ok(stn_solve(order_use(0), &x, &a, &b, &options, &report));
    expect_near(report.residual, 1.0 / hypot(0x1p22, 1.0), 1e-6); /* of (0, 1) */
    stn_matrix_release(matrix);
}

static void make_one_row(double a, double b, int is_complex)
{
    system_clear(&s, 1, is_complex);
    system_store(&s, 0, 0, a);
    system_wrap(&s);
    s.b[0] = b;
}

/* 0.1 is not representable in f32: the residual of its f32 value is 1.5e-8, not 0. */
UNIT_TEST(narrow_arithmetic_reads_b_as_it_is_stored)
{
    static const stn_solver_method methods[] = {STN_SOLVER_CG, STN_SOLVER_GMRES,
                                                STN_SOLVER_BICGSTAB, STN_SOLVER_MINRES};
    for (int k = 0; k < 8; k++) {
        const stn_solver_options options =
            STN_INIT(stn_solver_options, .method = methods[k / 2],
                     .arithmetic = k % 2 ? STN_C64 : STN_F32, .relative_tolerance = 1e-12);
        double backward;
        make_one_row(1.0, 0.1, k % 2);
        system_solve(order_use(0), &options, &s, &o);
        assert_int_equal(o.solution.reason, STN_STOP_RESIDUAL_UNCERTAIN);
        const double residual = exact_residual(&s, o.x, &backward);
        assert_true(residual > 1e-8);
        expect_near(o.solution.residual, residual, 1e-6); /* relative to |b| in f32 */
        expect_near(o.solution.stored_residual, residual, 1e-6);
        expect_near(o.solution.backward_error, backward, 1e-6);
    }
}

/* The guess exceeds f32 after the division by the scale of b, and A underflows in f32. */
UNIT_TEST(narrow_arithmetic_keeps_a_better_guess)
{
    const stn_solver_options options = STN_INIT(stn_solver_options, .arithmetic = STN_F32);
    make_one_row(1e-60, 1e-20, 0);
    o.x[0] = 1.001e40;
    system_continue(order_use(0), &options, &s, &o);
    assert_int_equal(o.status, STN_ERR_CONVERGENCE);
    assert_true(creal(o.x[0]) == 1.001e40);
    expect_near(o.solution.residual, 1.0, 1e-6);
    expect_near(o.solution.stored_residual, 1e-3, 1e-6);
}

/* The sums of the rows of A overflow. A power of two changes neither x nor the backward error. */
UNIT_TEST(backward_error_of_a_matrix_near_overflow)
{
    static const double dense[] = {1.5e308, 1.2e308, 1.2e308, 1.5e308};
    const stn_solver_options options =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .max_iterations = 1);
    double backward;
    system_of(&s, 2, dense);
    s.b[0] = 1e308;
    s.b[1] = 3e307;
    o.x[0] = 0.25;
    o.x[1] = 0.0;
    system_continue(order_use(0), &options, &s, &o);
    assert_int_equal(o.solution.reason, STN_STOP_MAX_ITERATIONS);
    for (int i = 0; i < 2; i++) {
        s.b[i] *= 0x1p-900;
        for (int j = 0; j < 2; j++)
            s.dense[i][j] *= 0x1p-900;
    }
    expect_near(o.solution.residual, exact_residual(&s, o.x, &backward), 1e-12);
    expect_near(o.solution.backward_error, backward, 1e-12);
}

/* The last iterate, of magnitude 1e75, has the residual of the guess, 0, which is returned. */
UNIT_TEST(reports_describe_the_returned_x)
{
    static const double dense[] = {2, 1, 2, 1};
    const stn_solver_options options = STN_INIT(stn_solver_options, .method = STN_SOLVER_BICGSTAB);
    double backward;
    system_of(&s, 2, dense);
    s.b[0] = 1.3375601443475973e+58;
    s.b[1] = -1.3192429637356311e+58;
    system_solve(order_use(0), &options, &s, &o);
    assert_int_equal(o.solution.reason, STN_STOP_BREAKDOWN);
    expect_near(o.solution.residual, exact_residual(&s, o.x, &backward), 1e-12);
    expect_near(o.solution.backward_error, backward, 1e-12);
    assert_true(o.solution.rounding_error < 1e-15);
}

/* ---- measurements ---- */

UNIT_TEST(a_solve_in_one_cycle_has_no_restart)
{
    stn_solver_options options =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .restart = 60);
    system_make(&s, POSITIVE, 0);
    system_solve(order_use(0), &options, &s, &o);
    assert_int_equal(o.solution.reason, STN_STOP_CONVERGED);
    assert_in_range(o.solution.iterations, 5, 60);
    assert_int_equal(o.solution.restarts, 0);
    options.restart = 4;
    system_solve(order_use(0), &options, &s, &o);
    assert_int_equal(o.solution.reason, STN_STOP_CONVERGED);
    assert_int_equal(o.solution.restarts, (o.solution.iterations - 1) / 4);
}

UNIT_TEST(times_of_phases_are_parts_of_the_whole)
{
    const stn_solver_options inner = STN_INIT(stn_solver_options, .arithmetic = STN_F32);
    const stn_solver_options options[] = {
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .preconditioner = &s.a),
        STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT, .inner = &inner)};
    system_make(&s, POSITIVE, 0);
    for (int k = 0; k < 2; k++) {
        system_solve(order_use(0), &options[k], &s, &o);
        const stn_solver_report *const r = &o.solution;
        const double sum = r->seconds_products + r->seconds_preconditioner +
                           r->seconds_orthogonalization + r->seconds_verification;
        assert_true(r->seconds_products > 0.0 && r->seconds_verification > 0.0);
        assert_true((r->seconds_orthogonalization > 0.0) == (k == 0));
        assert_true(sum <= r->seconds * (1.0 + 1e-12));
    }
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
