/* Solvers: against elimination in long double, with every format of a basis; the same bits on every
 * executor and number of threads; every reason. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "order_oracle.h"
#include "solver_problem.h"
#include "matrix.h"

static void expect_solved(const problem *p, const outcome *o, double relative, const char *what)
{
    if (o->status != STN_OK)
        fail_msg("%s: %s", what, stn_error());
    const double residual = problem_residual(p, o->x), error = problem_error(p, o->x);
    if (!(residual <= relative * 1.01 && error <= 30.0 * relative))
        fail_msg("%s: residual %g, error %g", what, residual, error);
    assert_int_equal(o->solution.reason, STN_STOP_CONVERGED);
    assert_true(fabs(o->solution.residual - residual) <= 0.01 * relative);
    assert_true(o->solution.iterations > 0);
    assert_int_equal(o->solution.history_count, o->solution.iterations);
    const double told = o->history[o->solution.history_count - 1];
    if (!(told >= 0.5 * residual && told <= 1.01 * relative))
        fail_msg("%s: residual %g, told %g", what, residual, told);
}

static void test_methods(void **state)
{
    static problem p;
    static outcome o;
    static const struct {
        double wind, shift;
    } kinds[] = {{0.0, 0.0}, {0.7, 0.0}, {0.0, 3.1}};
    (void)state;
    double factor = 0.25;
    stn_operator m;
    solver_must(stn_operator_create(&m, "a quarter", N, problem_diagonal, &factor));
    for (int kind = 0; kind < 3; kind++) {
        problem_make(&p, kinds[kind].wind, kinds[kind].shift);
        for (int way = 0; way < METHODS * 6; way++) {
            const int method = way / 6, is_f32 = way % 2, side = way / 2 % 3;
            if ((kind == 1 && traits[method].is_symmetric) || method == STN_SOLVER_REFINEMENT ||
                (kind == 2 && (traits[method].is_definite || is_f32)) ||
                (side == 2 && !traits[method].has_left))
                continue;
            const double relative = is_f32 ? 1e-5 : kind == 2 ? 1e-12 : 1e-11;
            const stn_solver_options solver =
                STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                         .arithmetic = is_f32 ? STN_F32 : STN_F64, .relative_tolerance = relative,
                         .restart = 150, .preconditioner = side ? &m : NULL,
                         .side = side == 2 ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT);
            problem_solve(order_use(0), &solver, &p, &o);
            char what[80];
            snprintf(what, sizeof what, "matrix %d, %s, f32 %d, preconditioner %d", kind,
                     traits[method].name, is_f32, side);
            expect_solved(&p, &o, relative, what);
        }
    }
}

/* Another diagonal at each call. */
static stn_status vary(void *context, const stn_exec *exec, stn_format arithmetic,
                       const stn_view *x, const stn_view *y)
{
    int *const calls = context;
    double factor = 0.2 + 0.1 * (++*calls % 3);
    return problem_diagonal(&factor, exec, arithmetic, x, y);
}

/* One cycle is enough, since its recurrence tells the residual; that of GMRES does not. */
static void test_flexible(void **state)
{
    static problem p;
    static outcome o;
    static const stn_format bases[] = {STN_F64, STN_F32, STN_I16};
    int calls = 0;
    stn_operator m;
    (void)state;
    problem_make(&p, 0.7, 0.0);
    solver_must(stn_operator_create(&m, "it varies", N, vary, &calls));
    for (int k = 0; k < 3; k++) {
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_FGMRES,
                     .relative_tolerance = k == 2 ? 1e-4 : 1e-6, .basis = stn_storage_of(bases[k]),
                     .preconditioner = &m);
        calls = 0;
        problem_solve(order_use(0), &solver, &p, &o);
        expect_solved(&p, &o, solver.relative_tolerance, "flexible GMRES");
        assert_int_equal(o.solution.restarts, 0);
        solver.method = STN_SOLVER_GMRES;
        problem_solve(order_use(0), &solver, &p, &o);
        assert_true(o.status == STN_ERR_CONVERGENCE || o.solution.restarts > 0);
    }
}

/* Formats of few digits take more restarts, not another x. */
static void test_bases(void **state)
{
    static problem p;
    static outcome o;
    int solved = 0;
    (void)state;
    problem_make(&p, 0.7, 0.0);
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        solver_must(stn_format_describe(format, &info));
        const stn_solver_options solver = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES,
                                                   .restart = 12, .basis = stn_storage_of(format));
        problem_solve(order_use(order_settings() - 1), &solver, &p, &o);
        if (info.kind == STN_CLASS_COMPLEX || !info.is_signed) {
            assert_int_equal(o.status, STN_ERR_UNSUPPORTED);
            continue;
        }
        expect_solved(&p, &o, 1e-10, info.name);
        solved++;
        stn_solver_options blocks = solver;
        blocks.basis_block = 32;
        problem_solve(order_use(order_settings() - 1), &blocks, &p, &o);
        if (info.kind == STN_CLASS_INTEGER)
            expect_solved(&p, &o, 1e-10, info.name);
        else
            assert_int_equal(o.status, STN_ERR_UNSUPPORTED);
        blocks.basis_block = 16;
        problem_solve(order_use(0), &blocks, &p, &o);
        assert_int_equal(o.status, STN_ERR_ARGUMENT);
    }
    assert_true(solved >= 9);
}

static stn_solver_options inner_of(const stn_format arithmetic)
{
    const stn_solver_options inner = STN_INIT(stn_solver_options, .arithmetic = arithmetic,
                                              .relative_tolerance = 1e-3, .max_iterations = 60);
    return inner;
}

/* A matrix in f16 and f32 arithmetic inside, f64 outside. */
static void test_refinement(void **state)
{
    static problem p;
    static outcome o;
    static stn_f16 codes[5 * N];
    (void)state;
    problem_make(&p, 0.0, 0.0);
    const stn_storage f16 = stn_storage_of(STN_F16);
    solver_must(stn_encode(STN_F64, &f16, codes, 1, 0, p.value, p.start[N]));
    stn_matrix *narrow;
    stn_operator about;
    solver_must(wrap_csr(&narrow, "narrow", f16, N, N, p.start, p.column, codes));
    solver_must(stn_operator_of_matrix(&about, narrow));
    const stn_solver_options inner = inner_of(STN_F32);
    const stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT, .relative_tolerance = 1e-13,
                 .inner = &inner, .inner_operator = &about);
    problem_solve(order_use(0), &solver, &p, &o);
    expect_solved(&p, &o, 1e-13, "refinement");
    assert_true(o.solution.inner_iterations > o.solution.iterations);
    assert_int_equal(o.solution.restarts, o.solution.iterations);
}

static void test_same_bits(void **state)
{
    static problem p;
    static outcome first, o;
    static const stn_format bases[] = {STN_F64, STN_F32, STN_F16, STN_I16, STN_I8};
    static const stn_format of_blocks[] = {STN_I8, STN_I16, STN_I32};
    (void)state;
    const stn_solver_options inner = inner_of(STN_F32);
    static const stn_solver_method others[] = {STN_SOLVER_CG, STN_SOLVER_REFINEMENT,
                                               STN_SOLVER_BICGSTAB, STN_SOLVER_MINRES,
                                               STN_SOLVER_FGMRES};
    double factor = 0.25;
    stn_operator m;
    solver_must(stn_operator_create(&m, "a quarter", N, problem_diagonal, &factor));
    for (int k = 0; k < 14; k++) {
        const stn_solver_method method =
            k < 5 || (k > 9 && k < 13) ? STN_SOLVER_GMRES : others[k < 10 ? k - 5 : 4];
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = method, .preconditioner = k < 7 ? NULL : &m,
            .restart = 25, .basis = basis_of(method, k < 10 ? bases[k % 5] : of_blocks[k % 3]),
            .basis_block = k < 10 ? 0 : 32, .inner = &inner);
        problem_make(&p, traits[method].is_symmetric ? 0.0 : 0.7, 0.0);
        for (int setting = 0; setting < order_settings(); setting++) {
            if (!order_has_turn(setting, k))
                continue;
            problem_solve(order_use(setting), &solver, &p, setting ? &o : &first);
            if (setting == 0)
                continue;
            solver_must(o.status);
            assert_int_equal(o.solution.iterations, first.solution.iterations);
            if (memcmp(o.x, first.x, sizeof o.x) != 0 ||
                memcmp(o.history, first.history, sizeof o.history) != 0)
                fail_msg("solver %d: other bits on %s", k, order_setting_name(setting));
        }
    }
}

/* What is small in a block beside large ones keeps its digits: fewer iterations do. */
static void test_blocks_are_finer(void **state)
{
    static problem p;
    static outcome whole, blocks;
    (void)state;
    problem_set(&p, 0.7, 0.0);
    for (int i = 0; i < N; i++)
        p.b[i] = i < 20 ? 1.0 : 1e-6 * i;
    problem_eliminate(&p);
    stn_solver_options solver = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES,
                                         .restart = 20, .basis = stn_storage_of(STN_I8));
    problem_solve(order_use(0), &solver, &p, &whole);
    solver.basis_block = 32;
    problem_solve(order_use(0), &solver, &p, &blocks);
    expect_solved(&p, &whole, 1e-10, "a factor for each vector");
    expect_solved(&p, &blocks, 1e-10, "blocks");
    assert_true(whole.solution.iterations > blocks.solution.iterations);
}

/* x and b as views of other formats, with strides and scales. */
static void test_any_views(void **state)
{
    static problem p;
    static float x[3 * N];
    static int16_t b[N];
    static double wide[N];
    const int64_t n = N, three = 3;
    stn_view from, to;
    (void)state;
    problem_make(&p, 0.7, 0.0);
    stn_storage codes = stn_storage_of(STN_I16);
    codes.scale = 1.0 / 7.0;
    for (int i = 0; i < N; i++) {
        b[i] = (int16_t)(7 + (i * 37) % 11);
        p.b[i] = (double)b[i] * codes.scale;
    }
    problem_eliminate(&p);
    solver_must(stn_view_wrap(&from, "b", codes, b, 1, &n));
    solver_must(stn_view_wrap_spec(
        &to, &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_F32), .data = x, .rank = 1,
                            .extents = &n, .strides = &three)));
    const stn_solver_options solver = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES);
    solver_must(stn_solve(order_use(0), &to, &p.a, &from, &solver, NULL));
    for (int i = 0; i < N; i++) {
        wide[i] = (double)x[3 * i];
        assert_true(x[3 * i + 1] == 0 && x[3 * i + 2] == 0);
    }
    assert_true(problem_error(&p, wide) <= 1e-7);
}

/* ---- reasons ---- */

static int stop_at_three(void *context, const stn_solver_progress *progress)
{
    (void)context;
    assert_true(progress->residual > 0 && progress->seconds >= 0);
    return progress->iteration == 3;
}

static void expect_reason(const stn_solver_options *solver, problem *p, stn_stop_reason reason,
                          int64_t iterations)
{
    static outcome o;
    problem_solve(order_use(0), solver, p, &o);
    if (o.status != STN_ERR_CONVERGENCE || o.solution.reason != reason)
        fail_msg("method %d: %s, not %s: %s", (int)solver->method,
                 stn_stop_reason_name(o.solution.reason), stn_stop_reason_name(reason),
                 stn_error());
    assert_non_null(strstr(stn_error(), stn_stop_reason_name(reason)));
    assert_non_null(strstr(stn_error(), "five diagonals"));
    if (iterations >= 0)
        assert_int_equal(o.solution.iterations, iterations);
    for (int i = 0; i < N; i++)
        assert_true(isfinite(o.x[i]));
    if (reason != STN_STOP_NOT_FINITE && !(fabs(o.solution.residual - problem_residual(p, o.x)) <=
                                           1e-10 * o.solution.residual + 1e-15))
        fail_msg("method %d, %s: residual %g, not %g", (int)solver->method,
                 stn_stop_reason_name(reason), o.solution.residual, problem_residual(p, o.x));
}

static void test_endings(void **state)
{
    static problem p;
    const stn_solver_options inner = inner_of(STN_F32);
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .inner = &inner,
                     .restart = 20);
        problem_make(&p, 0.0, 0.0);
        solver.max_iterations = 2;
        expect_reason(&solver, &p, STN_STOP_MAX_ITERATIONS, 2);
        solver.max_iterations = 0;
        solver.monitor = stop_at_three;
        expect_reason(&solver, &p, STN_STOP_INTERRUPTED, 3);
        solver.monitor = NULL;
        solver.max_seconds = 1e-9;
        expect_reason(&solver, &p, STN_STOP_MAX_SECONDS, 1);
        solver.max_seconds = 0;
        p.b[7] = NAN;
        expect_reason(&solver, &p, STN_STOP_NOT_FINITE, 0);
        p.b[7] = INFINITY;
        expect_reason(&solver, &p, STN_STOP_NOT_FINITE, 0);
        p.b[7] = 1;
        p.value[30] = INFINITY;
        expect_reason(&solver, &p, STN_STOP_NOT_FINITE, 0);
    }
    stn_solver_options cg = STN_SOLVER_OPTIONS_INIT;
    problem_set(&p, 0.0, 9.0); /* negative definite */
    expect_reason(&cg, &p, STN_STOP_NOT_POSITIVE_DEFINITE, 0);
    double negative = -1.0, zero = 0.0;
    stn_operator m;
    problem_set(&p, 0.0, 0.0);
    solver_must(stn_operator_create(&m, "minus", N, problem_diagonal, &negative));
    cg.preconditioner = &m;
    expect_reason(&cg, &p, STN_STOP_NOT_POSITIVE_DEFINITE, 0);
    stn_solver_options minres = cg;
    minres.method = STN_SOLVER_MINRES;
    expect_reason(&minres, &p, STN_STOP_NOT_POSITIVE_DEFINITE, 0);
    solver_must(stn_operator_create(&m, "nothing", N, problem_diagonal, &zero));
    for (int method = 0; method < METHODS; method++)
        for (int on_left = 0; on_left <= traits[method].has_left; on_left++) {
            stn_solver_options solver = cg;
            solver.method = (stn_solver_method)method;
            solver.side = on_left ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT;
            if (method != STN_SOLVER_REFINEMENT)
                expect_reason(&solver, &p, STN_STOP_BREAKDOWN,
                              method == STN_SOLVER_GMRES && !on_left);
        }
}

/* A turn by 90 degrees, of which BiCGStab finds no first step; and a symmetric one, of which the
 * second has no length. */
static void test_turns(void **state)
{
    static const int64_t start[] = {0, 1, 2}, two = 2;
    static const int32_t columns[] = {1, 0};
    static const double turned[] = {1, -1}, swapped[] = {1, 1};
    double b[] = {1, 0}, x[] = {0, 0};
    stn_matrix *matrix;
    stn_operator a;
    stn_view from, to;
    (void)state;
    solver_must(stn_view_wrap(&from, "b", stn_storage_of(STN_F64), b, 1, &two));
    solver_must(stn_view_wrap(&to, "x", stn_storage_of(STN_F64), x, 1, &two));
    for (int method = 0; method < METHODS; method++)
        for (int is_swap = 0; is_swap < 2; is_swap++) {
            if (traits[method].is_definite || (traits[method].is_symmetric && !is_swap))
                continue;
            stn_solver_report solution = STN_SOLVER_REPORT_INIT;
            const stn_solver_options solver =
                STN_INIT(stn_solver_options, .method = (stn_solver_method)method);
            solver_must(wrap_csr(&matrix, "turn", stn_storage_of(STN_F64), 2, 2, start, columns,
                                 is_swap ? swapped : turned));
            solver_must(stn_operator_of_matrix(&a, matrix));
            x[0] = x[1] = 0.0;
            const stn_status status = stn_solve(order_use(0), &to, &a, &from, &solver, &solution);
            if (method == STN_SOLVER_BICGSTAB) {
                assert_int_equal(status, STN_ERR_CONVERGENCE);
                assert_int_equal(solution.reason, STN_STOP_BREAKDOWN);
                continue;
            }
            solver_must(status);
            assert_true(fabs(x[0]) <= 1e-15 && fabs(x[1] - 1) <= 1e-15);
        }
}

/* The zero matrix; a row of zeros where b is not; a tolerance that f32 does not reach. */
static void test_no_solution(void **state)
{
    static problem p;
    static outcome o;
    (void)state;
    stn_solver_options gmres = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES);
    problem_set(&p, 0.3, 0.0);
    memset(p.value, 0, sizeof p.value);
    memset(p.dense, 0, sizeof p.dense);
    expect_reason(&gmres, &p, STN_STOP_BREAKDOWN, 1);
    problem_set(&p, 0.3, 0.0);
    for (int64_t k = p.start[40]; k < p.start[41]; k++)
        p.value[k] = p.dense[40][p.column[k]] = 0;
    problem_solve(order_use(0), &gmres, &p, &o);
    assert_int_equal(o.status, STN_ERR_CONVERGENCE);
    assert_true(o.solution.reason == STN_STOP_BREAKDOWN || o.solution.reason == STN_STOP_STAGNATED);
    for (int method = 0; method < METHODS; method++) {
        if (method == STN_SOLVER_REFINEMENT)
            continue;
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .arithmetic = STN_F32,
                     .relative_tolerance = 1e-12);
        problem_make(&p, 0.0, 0.0);
        problem_solve(order_use(0), &solver, &p, &o);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        assert_int_equal(o.solution.reason, STN_STOP_STAGNATED);
        assert_true(problem_residual(&p, o.x) <= 1e-5);
    }
}

/* Nothing to do: b = 0, x solves it already, no unknowns, one. */
static void test_small(void **state)
{
    static problem p;
    static outcome o;
    (void)state;
    const stn_solver_options inner = inner_of(STN_F32);
    for (int method = 0; method < METHODS; method++) {
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .inner = &inner);
        problem_make(&p, 0.0, 0.0);
        stn_view b, x;
        stn_solver_report solution = STN_SOLVER_REPORT_INIT;
        memset(p.b, 0, sizeof p.b);
        problem_wrap(&b, "b", p.b);
        problem_wrap(&x, "x", o.x);
        for (int i = 0; i < N; i++)
            o.x[i] = 5;
        solver_must(stn_solve(order_use(0), &x, &p.a, &b, &solver, &solution));
        for (int i = 0; i < N; i++)
            assert_true(o.x[i] == 0);
        assert_true(solution.iterations == 0 && solution.residual == 0);
        for (int64_t n = 0; n < 2; n++) {
            double four = 4.0, eight = 8.0, found = 0.0;
            const int64_t start[] = {0, 1};
            const int32_t column = 0;
            stn_matrix *matrix;
            stn_operator a;
            solver_must(
                wrap_csr(&matrix, "one", stn_storage_of(STN_F64), n, n, start, &column, &four));
            solver_must(stn_operator_of_matrix(&a, matrix));
            solver_must(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), &eight, 1, &n));
            solver_must(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), &found, 1, &n));
            solver_must(stn_solve(order_use(0), &x, &a, &b, &solver, NULL));
            assert_true(found == (n ? 2.0 : 0.0));
        }
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
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_bases),
        cmocka_unit_test(test_flexible),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_blocks_are_finer),
        cmocka_unit_test(test_refinement),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_any_views),
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_small),
    };
    return cmocka_run_group_tests_name("solvers", tests, NULL, release);
}
