/* Complex systems: every method against elimination in long double, every format of a basis, the
 * same bits on every executor, in parts and by columns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "complex_system.h"
#include "order_oracle.h"
#include "matrix.h"

static void expect_solved(const complex_system *s, const complex_outcome *o, double relative,
                          const char *what)
{
    if (o->status != STN_OK)
        fail_msg("%s: %s", what, stn_error());
    const double residual = system_residual(s, o->x), error = system_error(s, o->x);
    if (!(residual <= 1.01 * relative && error <= 100.0 * relative))
        fail_msg("%s: residual %g, error %g", what, residual, error);
    assert_int_equal(o->solution.reason, STN_STOP_CONVERGED);
    assert_true(fabs(o->solution.residual - residual) <= 0.02 * relative);
    assert_true(o->solution.iterations > 0);
    assert_int_equal(o->solution.history_count, o->solution.iterations);
}

static void test_methods(void **state)
{
    static complex_system s;
    static complex_outcome o;
    int solved = 0;
    (void)state;
    for (int kind = 0; kind < SYSTEMS; kind++) {
        system_make(&s, (system_kind)kind);
        for (int way = 0; way < METHODS * 6; way++) {
            const int method = way / 6, is_narrow = way % 2, side = way / 2 % 3;
            const stn_operator m = system_inverse(system_traits[method].is_hermitian);
            if (method == STN_SOLVER_REFINEMENT ||
                (kind == SHIFTED && method == STN_SOLVER_BICGSTAB) ||
                (kind >= HELMHOLTZ && system_traits[method].is_hermitian) ||
                (kind == SHIFTED && (system_traits[method].is_definite || is_narrow)) ||
                (side == 2 && !system_traits[method].has_left))
                continue;
            const double relative = is_narrow ? 1e-5 : 1e-11;
            const stn_solver_options solver = STN_INIT(
                stn_solver_options, .method = (stn_solver_method)method,
                .arithmetic = is_narrow ? STN_C64 : STN_C128, .relative_tolerance = relative,
                .restart = ROWS, .preconditioner = side ? &m : NULL,
                .side = side == 2 ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT);
            system_solve(order_use(order_settings() - 1), &solver, &s, &o);
            char what[80];
            snprintf(what, sizeof what, "matrix %d, %s, c64 %d, preconditioner %d", kind,
                     system_traits[method].name, is_narrow, side);
            expect_solved(&s, &o, relative, what);
            solved++;
        }
    }
    assert_true(solved >= 60);
}

/* Formats of few digits take more restarts, not another x; pairs of a format are its elements. */
static void test_bases(void **state)
{
    static complex_system s;
    static complex_outcome o, pairs;
    static const stn_format of[][2] = {{STN_F64, STN_C128}, {STN_F32, STN_C64}, {STN_F16, STN_C32}};
    int solved = 0;
    (void)state;
    system_make(&s, WINDY);
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        system_must(stn_format_describe(format, &info));
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .arithmetic = STN_C128,
                     .restart = 12, .basis = stn_storage_of(format));
        system_solve(order_use(order_settings() - 1), &solver, &s, &o);
        if (info.kind != STN_CLASS_COMPLEX && !info.is_signed) {
            assert_int_equal(o.status, STN_ERR_UNSUPPORTED);
            continue;
        }
        expect_solved(&s, &o, 1e-10, info.name);
        solved++;
    }
    assert_true(solved >= 12);
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 2; side++) {
            stn_solver_options solver =
                STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .arithmetic = STN_C128,
                         .basis = stn_storage_of(of[k][side]));
            system_solve(order_use(0), &solver, &s, side ? &pairs : &o);
            if (side)
                assert_memory_equal(o.x, pairs.x, sizeof o.x);
        }
}

/* Factors of blocks, which are of 16 numbers: fewer iterations by 8 bits, and the same bits in one
 * pass and in several. */
static void test_blocks(void **state)
{
    static complex_system s;
    static complex_outcome o[2], other;
    (void)state;
    system_make(&s, HELMHOLTZ);
    for (int side = 0; side < 2; side++) {
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .arithmetic = STN_C128,
                     .restart = 20, .basis = stn_storage_of(STN_I8), .basis_block = side ? 32 : 0);
        system_solve(order_use(0), &solver, &s, &o[side]);
        expect_solved(&s, &o[side], 1e-10, "blocks of i8");
        for (int setting = 1; setting < order_settings(); setting++) {
            if (!order_has_turn(setting, side))
                continue;
            system_solve(order_use(setting), &solver, &s, &other);
            if (memcmp(o[side].x, other.x, sizeof other.x) != 0 ||
                memcmp(o[side].history, other.history, sizeof other.history) != 0)
                fail_msg("blocks %d: other bits on %s", side, order_setting_name(setting));
        }
    }
    if (!(o[1].solution.iterations < o[0].solution.iterations))
        fail_msg("%d iterations with blocks, %d without", (int)o[1].solution.iterations,
                 (int)o[0].solution.iterations);
}

static stn_status vary(void *context, const stn_exec *exec, stn_format arithmetic,
                       const stn_view *x, const stn_view *y)
{
    int *const calls = context;
    return ++*calls % 2 ? system_turned(NULL, exec, arithmetic, x, y)
                        : system_positive(NULL, exec, arithmetic, x, y);
}

/* One cycle is enough, since its recurrence tells the residual; that of GMRES does not. */
static void test_flexible(void **state)
{
    static complex_system s;
    static complex_outcome o;
    static const stn_format bases[] = {STN_C128, STN_C64, STN_I16};
    int calls = 0;
    stn_operator m;
    (void)state;
    system_make(&s, WINDY);
    system_must(stn_operator_create(&m, "it varies", ROWS, vary, &calls));
    for (int k = 0; k < 3; k++) {
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_FGMRES, .arithmetic = STN_C128,
                     .relative_tolerance = k == 2 ? 1e-4 : 1e-6, .basis = stn_storage_of(bases[k]),
                     .preconditioner = &m);
        calls = 0;
        system_solve(order_use(0), &solver, &s, &o);
        expect_solved(&s, &o, solver.relative_tolerance, "flexible GMRES");
        assert_int_equal(o.solution.restarts, 0);
        solver.method = STN_SOLVER_GMRES;
        system_solve(order_use(0), &solver, &s, &o);
        assert_true(o.status == STN_ERR_CONVERGENCE || o.solution.restarts > 0);
    }
}

/* The matrix in pairs of f16 and c64 arithmetic inside, c128 outside. */
static void test_refinement(void **state)
{
    static complex_system s;
    static complex_outcome o;
    static stn_f16 codes[10 * ROWS];
    static const stn_solver_method methods[] = {STN_SOLVER_CG, STN_SOLVER_GMRES};
    stn_matrix *narrow;
    stn_operator about;
    (void)state;
    for (int k = 0; k < 2; k++) {
        system_make(&s, k ? HELMHOLTZ : MAGNETIC);
        const stn_storage f16 = stn_storage_of(STN_F16);
        system_must(stn_encode(STN_F64, &f16, codes, 1, 0, s.value, 2 * s.start[ROWS]));
        system_must(wrap_csr(&narrow, "narrow", stn_storage_of(STN_C32), ROWS, ROWS, s.start,
                             s.column, codes));
        system_must(stn_operator_of_matrix(&about, narrow));
        const stn_solver_options inner =
            STN_INIT(stn_solver_options, .method = methods[k], .arithmetic = STN_C64,
                     .relative_tolerance = 1e-3, .basis = basis_of(methods[k], STN_C32));
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT, .arithmetic = STN_C128,
                     .relative_tolerance = 1e-13, .inner = &inner, .inner_operator = &about);
        system_solve(order_use(0), &solver, &s, &o);
        expect_solved(&s, &o, 1e-13, "refinement");
        assert_true(o.solution.inner_iterations > o.solution.iterations);
    }
}

/* ---- bits ---- */

/* Solver k of those whose bits are compared. */
enum { SOLVERS = 12 };
static stn_solver_options solver_of(int k, const stn_operator *m, const stn_solver_options *inner)
{
    static const stn_format bases[] = {STN_C128, STN_C64, STN_C32, STN_I16, STN_I8, STN_BF16};
    static const stn_solver_method others[] = {STN_SOLVER_CG,       STN_SOLVER_REFINEMENT,
                                               STN_SOLVER_BICGSTAB, STN_SOLVER_MINRES,
                                               STN_SOLVER_FGMRES,   STN_SOLVER_BICGSTAB};
    const stn_solver_method method = k < 6 ? STN_SOLVER_GMRES : others[k - 6];
    const stn_solver_options solver = STN_INIT(
        stn_solver_options, .method = method, .arithmetic = k % 4 == 3 ? STN_C64 : STN_C128,
        .relative_tolerance = k % 4 == 3 ? 1e-5 : 1e-10, .preconditioner = k < 8 ? NULL : m,
        .side = k == 11 ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT, .restart = 20,
        .basis = basis_of(method, bases[k % 6]), .inner = inner);
    return solver;
}

static void test_same_bits(void **state)
{
    static complex_system s;
    static complex_outcome first, o;
    (void)state;
    for (int k = 0; k < SOLVERS; k++) {
        const stn_operator m = system_inverse(1);
        const stn_solver_options solver = solver_of(k, &m, &system_inner);
        system_make(&s, system_traits[solver.method].is_hermitian ? MAGNETIC : WINDY);
        for (int setting = 0; setting < order_settings(); setting++) {
            if (setting && !order_has_turn(setting, k))
                continue;
            system_solve(order_use(setting), &solver, &s, setting ? &o : &first);
            system_must(setting ? o.status : first.status);
            if (setting && (memcmp(o.x, first.x, sizeof o.x) != 0 ||
                            memcmp(o.history, first.history, sizeof o.history) != 0))
                fail_msg("solver %d: other bits on %s", k, order_setting_name(setting));
        }
    }
}

/* Each part by a checkpoint's bytes in a new object, and another executor. */
static void solve_in_parts(const stn_solver_options *whole, const complex_system *s,
                           complex_outcome *o)
{
    stn_solver_options solver = *whole;
    static number b_data[ROWS];
    stn_view b, x;
    int64_t entries = 0;
    memset(o, 0, sizeof *o);
    memcpy(b_data, s->b, sizeof b_data);
    system_vector(&b, "b", b_data);
    system_vector(&x, "x", o->x);
    system_must(stn_checkpoint_create(&solver.checkpoint));
    for (int part = 0;; part++) {
        const void *bytes;
        int64_t count;
        stn_checkpoint *next;
        assert_true(part < 400);
        o->solution =
            (stn_solver_report)STN_INIT(stn_solver_report, .history = o->history + entries,
                                        .history_capacity = MOST_HISTORY - entries);
        solver.max_iterations += 7;
        o->status =
            stn_solve(order_use(part % order_settings()), &x, &s->a, &b, &solver, &o->solution);
        entries += o->solution.history_count;
        system_must(stn_checkpoint_bytes(solver.checkpoint, &bytes, &count));
        if (count == 0)
            break;
        system_must(stn_checkpoint_create(&next));
        system_must(stn_checkpoint_assign(next, bytes, count));
        stn_checkpoint_release(solver.checkpoint);
        solver.checkpoint = next;
        for (int i = 0; i < ROWS; i++)
            o->x[i] = 1e9 * I; /* x is in the checkpoint */
    }
    stn_checkpoint_release(solver.checkpoint);
}

static void test_parts(void **state)
{
    static complex_system s;
    static complex_outcome whole, o;
    (void)state;
    for (int k = 0; k < SOLVERS; k++) {
        const stn_operator m = system_inverse(1);
        stn_solver_options solver = solver_of(k, &m, &system_inner);
        system_make(&s, system_traits[solver.method].is_hermitian ? MAGNETIC : WINDY);
        system_solve(order_use(0), &solver, &s, &whole);
        solve_in_parts(&solver, &s, &o);
        system_must(o.status);
        assert_int_equal(o.solution.iterations, whole.solution.iterations);
        if (memcmp(o.x, whole.x, sizeof o.x) != 0 ||
            memcmp(o.history, whole.history, sizeof o.history) != 0)
            fail_msg("solver %d: other bits in parts", k);
    }
}

/* A checkpoint of real arithmetic is none of complex arithmetic, nor one of c128 of c64. */
static void test_other_checkpoint(void **state)
{
    static complex_system s;
    static double values[5 * ROWS], b[ROWS], x[ROWS];
    static complex_outcome o;
    const int64_t n = ROWS;
    stn_matrix *real;
    stn_view b_view, x_view;
    (void)state;
    stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .max_iterations = 3);
    system_make(&s, HELMHOLTZ);
    for (int64_t k = 0; k < s.start[ROWS]; k++)
        values[k] = creal(s.value[k]);
    for (int i = 0; i < ROWS; i++)
        s.b[i] = b[i] = 1.0 + i % 3;
    system_must(
        wrap_csr(&real, "real", stn_storage_of(STN_F64), ROWS, ROWS, s.start, s.column, values));
    system_must(stn_operator_of_matrix(&s.a, real));
    system_must(stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), b, 1, &n));
    system_must(stn_view_wrap(&x_view, "x", stn_storage_of(STN_F64), x, 1, &n));
    system_must(stn_checkpoint_create(&solver.checkpoint));
    assert_int_equal(stn_solve(order_use(0), &x_view, &s.a, &b_view, &solver, NULL),
                     STN_ERR_CONVERGENCE);
    for (int k = 0; k < 2; k++) {
        solver.arithmetic = k ? STN_C64 : STN_C128;
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_ARGUMENT);
        assert_non_null(strstr(stn_error(), "the checkpoint has arithmetic"));
        system_must(stn_checkpoint_assign(solver.checkpoint, NULL, 0));
        solver.arithmetic = STN_C128;
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.solution.reason, STN_STOP_MAX_ITERATIONS);
    }
    stn_checkpoint_release(solver.checkpoint);
}

/* Columns of other formats and layouts than vectors have: each as it is alone. */
static void test_columns(void **state)
{
    enum { COLUMNS = 3 };
    static complex_system s;
    static complex_outcome o;
    static number b[ROWS][COLUMNS], x[COLUMNS][ROWS];
    static const int64_t extents[] = {ROWS, COLUMNS}, strides[] = {1, ROWS};
    stn_view b_view, x_view;
    (void)state;
    system_make(&s, WINDY);
    for (int i = 0; i < ROWS; i++)
        for (int c = 0; c < COLUMNS; c++)
            b[i][c] = s.b[(i + 31 * c) % ROWS] * cexp(I * (double)c);
    system_must(stn_view_wrap(&b_view, "b", stn_storage_of(STN_C128), b, 2, extents));
    system_must(stn_view_wrap_spec(
        &x_view, &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_C128), .data = x,
                                .rank = 2, .extents = extents, .strides = strides)));
    for (int method = 0; method < METHODS; method++) {
        if (system_traits[method].is_hermitian)
            continue;
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = (stn_solver_method)method, .arithmetic = STN_C128);
        memset(x, 0, sizeof x);
        system_must(stn_solve(order_use(0), &x_view, &s.a, &b_view, &solver, NULL));
        for (int c = 0; c < COLUMNS; c++) {
            complex_system *const alone = &s;
            number kept[ROWS];
            memcpy(kept, s.b, sizeof kept);
            for (int i = 0; i < ROWS; i++)
                alone->b[i] = b[i][c];
            system_solve(order_use(0), &solver, alone, &o);
            assert_memory_equal(o.x, x[c], sizeof o.x);
            memcpy(s.b, kept, sizeof kept);
        }
    }
}

/* b in pairs of f16 with a scale, x in pairs of f32 with a stride. */
static void test_any_views(void **state)
{
    static complex_system s;
    static float x[ROWS][3][2];
    static stn_f16 codes[2 * ROWS];
    static number found[ROWS];
    const int64_t n = ROWS, three = 3;
    stn_view from, to;
    (void)state;
    system_make(&s, WINDY);
    stn_storage storage = stn_storage_of(STN_C32);
    const stn_storage f16 = stn_storage_of(STN_F16);
    storage.scale = 0.25;
    for (int i = 0; i < ROWS; i++)
        s.b[i] = (double)(i % 9) - (double)(i % 5) * I;
    system_must(stn_encode(STN_F64, &f16, codes, 1, 0, s.b, 2 * ROWS));
    for (int i = 0; i < ROWS; i++)
        s.b[i] *= storage.scale;
    system_must(stn_view_wrap(&from, "b", storage, codes, 1, &n));
    system_must(stn_view_wrap_spec(
        &to, &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(STN_C64), .data = x, .rank = 1,
                            .extents = &n, .strides = &three)));
    const stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .arithmetic = STN_C128);
    system_must(stn_solve(order_use(0), &to, &s.a, &from, &solver, NULL));
    for (int i = 0; i < ROWS; i++) {
        found[i] = (double)x[i][0][0] + (double)x[i][0][1] * I;
        assert_true(x[i][1][0] == 0 && x[i][2][1] == 0);
    }
    assert_true(system_residual(&s, found) <= 1e-6);
}

/* On a device, where vectors are a device's, with a mirror of the matrix. */
static void test_device(void **state)
{
    static complex_system s;
    static complex_outcome here, there;
    stn_exec *device;
    stn_matrix *mirror;
    (void)state;
    if (stn_exec_create(&device, "opencl") != STN_OK) {
        print_message("skipped: %s\n", stn_error());
        skip();
    }
    for (int turn = 0; turn < 8; turn++) {
        static const stn_solver_method methods[] = {STN_SOLVER_CG, STN_SOLVER_BICGSTAB,
                                                    STN_SOLVER_GMRES, STN_SOLVER_MINRES};
        const int k = turn % 4;
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = methods[k], .arithmetic = turn < 4 ? STN_C128 : STN_C64,
            .max_iterations = 12, .restart = 5, .basis = basis_of(methods[k], STN_C32));
        system_make(&s, k % 3 ? WINDY : MAGNETIC);
        if (k == 3)
            system_make(&s, SHIFTED);
        system_solve(order_use(0), &solver, &s, &here);
        system_must(stn_matrix_mirror(device, &mirror, s.matrix));
        system_must(stn_operator_of_matrix(&s.a, mirror));
        system_solve(device, &solver, &s, &there);
        assert_int_equal(here.status, there.status);
        assert_int_equal(here.solution.history_count, 12);
        assert_memory_equal(here.history, there.history, sizeof here.history);
        assert_memory_equal(here.x, there.x, sizeof here.x);
        stn_matrix_release(mirror);
    }
    stn_exec_release(device);
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
        cmocka_unit_test(test_methods),    cmocka_unit_test(test_bases),
        cmocka_unit_test(test_blocks),     cmocka_unit_test(test_flexible),
        cmocka_unit_test(test_refinement), cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_parts),      cmocka_unit_test(test_other_checkpoint),
        cmocka_unit_test(test_columns),    cmocka_unit_test(test_any_views),
        cmocka_unit_test(test_device),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
