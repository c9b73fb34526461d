/* Solvers and preconditioners on what is made to do harm: solvers within themselves, numbers at the
 * ends of the range, checkpoints whose sums are right and whose numbers are not. */
#define _POSIX_C_SOURCE 200809L
#include <fenv.h>
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/memory.h"
#include "order_oracle.h"
#include "solver/image.h"
#include "solver_problem.h"
#include "matrix.h"
#include "steno/sparse_operations.h"
#include "steno/block_jacobi.h"
#include "steno/event.h"
#include "steno/ilu.h"

enum { ROWS = 3 };

/* A matrix of three rows at most. */
typedef struct tiny {
    double value[ROWS * ROWS], b[ROWS], x[ROWS];
    int64_t start[ROWS + 1], rows;
    int32_t column[ROWS * ROWS];
    stn_matrix *matrix;
    stn_operator a;
    stn_solver_report solution;
} tiny;

static void set(tiny *t, int64_t rows, const double *dense)
{
    int64_t at = 0;
    *t = (tiny){.rows = rows};
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < rows; j++) {
            if (dense[i * rows + j] == 0.0)
                continue;
            t->value[at] = dense[i * rows + j];
            t->column[at++] = (int32_t)j;
        }
        t->start[i + 1] = at;
    }
    solver_must(wrap_csr(&t->matrix, "a tiny matrix", stn_storage_of(STN_F64), rows, rows, t->start,
                         t->column, t->value));
    solver_must(stn_operator_of_matrix(&t->a, t->matrix));
}

static stn_status solve(tiny *t, const stn_solver_options *solver)
{
    stn_view b, x;
    t->solution = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    solver_must(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), t->b, 1, &t->rows));
    solver_must(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), t->x, 1, &t->rows));
    return stn_solve(order_use(0), &x, &t->a, &b, solver, &t->solution);
}

/* y = the operator times ones. */
static void apply_to_ones(const stn_operator *a, double *y)
{
    double ones[ROWS] = {1.0, 1.0, 1.0};
    stn_view x, to;
    solver_must(stn_view_wrap(&x, "ones", stn_storage_of(STN_F64), ones, 1, &a->rows));
    solver_must(stn_view_wrap(&to, "y", stn_storage_of(STN_F64), y, 1, &a->rows));
    solver_must(a->apply(a->context, order_use(0), STN_F64, &x, &to));
}

/* ---- solvers within each other ---- */

static void test_within_itself(void **state)
{
    static const double dense[] = {2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0};
    stn_solver_options ring[3], chain[5];
    tiny t;
    (void)state;
    set(&t, 3, dense);
    t.b[0] = 1.0;
    for (int k = 0; k < 3; k++)
        ring[k] = (stn_solver_options)STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT);
    for (int length = 1; length <= 3; length++) {
        for (int k = 0; k < length; k++)
            ring[k].inner = &ring[(k + 1) % length];
        assert_int_equal(solve(&t, &ring[0]), STN_ERR_ARGUMENT);
        assert_true(t.x[0] == 0.0);
    }
    for (int k = 0; k < 5; k++)
        chain[k] = (stn_solver_options)STN_INIT(
            stn_solver_options, .method = k < 4 ? STN_SOLVER_REFINEMENT : STN_SOLVER_CG,
            .inner = k < 4 ? &chain[k + 1] : NULL);
    assert_int_equal(solve(&t, &chain[0]), STN_OK);
    assert_true(t.x[0] == 0.5);
}

/* ---- numbers at the ends of the range ---- */

/* The solution is beyond the range of f64, whatever the method. */
static void test_infinite_solution(void **state)
{
    static const double dense[] = {1e-300, 0.0, 0.0, 2e-300};
    static const stn_solver_options inner =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES);
    tiny t;
    (void)state;
    for (int method = 0; method < METHODS; method++)
        for (int64_t most = 1; most <= 2; most++) {
            const stn_solver_options solver =
                STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                         .max_iterations = most, .inner = &inner);
            set(&t, 2, dense);
            t.b[0] = t.b[1] = 1e10;
            t.x[0] = 5.0;
            t.x[1] = -7.0;
            assert_int_equal(solve(&t, &solver), STN_ERR_CONVERGENCE);
            if (!isfinite(t.x[0]) || !isfinite(t.x[1]))
                fail_msg("%s, %d: x is %g, %g", traits[method].name, (int)most, t.x[0], t.x[1]);
            if (!isfinite(t.solution.residual) && t.solution.reason != STN_STOP_NOT_FINITE)
                fail_msg("%s, %d: %s with a residual of %g", traits[method].name, (int)most,
                         stn_stop_reason_name(t.solution.reason), t.solution.residual);
        }
}

/* Of (1, 3, 0) on a diagonal, whose fourth product is infinite. */
static stn_status break_down(void *context, const stn_exec *exec, stn_format arithmetic,
                             const stn_view *x, const stn_view *y)
{
    const double *const from = x->data;
    double *const to = y->data;
    int *const calls = context;
    (void)exec, (void)arithmetic;
    to[0] = ++*calls == 4 ? INFINITY : from[0];
    to[1] = 3.0 * from[1];
    to[2] = 0.0;
    return STN_OK;
}

/* A does not read x[2], and its fourth product is infinite: the residual is that of x. If x[2] is
 * infinite, so is the residual, and no iteration begins. */
static void test_residual_of_x(void **state)
{
    static const double dense[] = {1.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0};
    const stn_solver_options solver = STN_INIT(stn_solver_options, .method = STN_SOLVER_BICGSTAB);
    tiny t;
    (void)state;
    for (int is_infinite = 0; is_infinite < 2; is_infinite++) {
        int calls = 0;
        set(&t, 3, dense);
        solver_must(stn_operator_create(&t.a, "breaks down", 3, break_down, &calls));
        t.b[0] = t.b[1] = t.b[2] = 1.0;
        t.x[2] = is_infinite ? INFINITY : 5.0;
        assert_int_equal(solve(&t, &solver), STN_ERR_CONVERGENCE);
        assert_int_equal(t.solution.reason, STN_STOP_NOT_FINITE);
        assert_int_equal(t.solution.iterations, is_infinite ? 0 : 1);
        if (is_infinite) {
            assert_true(isinf(t.solution.residual) && isinf(t.x[2]));
            assert_true(t.x[0] == 0.0 && t.x[1] == 0.0);
        } else {
            const double left = hypot(hypot(1.0 - t.x[0], 1.0 - 3.0 * t.x[1]), 1.0);
            assert_true(fabs(t.solution.residual * sqrt(3.0) - left) < 1e-14);
            assert_true(t.solution.residual < 1.0 && isfinite(t.x[2]));
        }
    }
}

/* An entry of U, or of L, would be 1e600: the matrix is scaled, and its inverse is applied exactly.
 */
static void test_factors_beyond_the_range(void **state)
{
    static const double dense[2][4] = {{1e-300, 1e300, 0.0, 1.0}, {1e-300, 0.0, 1e300, 1.0}};
    static const double b[2][2] = {{1.0, 0.0}, {0.0, 1.0}}, solution[2] = {1e300, 1.0};
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_I16};
    const int64_t rows = 2;
    tiny t;
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < 4; f++) {
            const stn_ilu_options options = STN_INIT(stn_ilu_options, .format = &formats[f]);
            double x[2] = {7.0, 7.0};
            stn_preconditioner *made;
            stn_operator inverse;
            stn_view from, to;
            set(&t, rows, dense[k]);
            solver_must(stn_ilu_create(order_use(0), &made, t.matrix, &options));
            solver_must(stn_operator_of_preconditioner(&inverse, made));
            solver_must(stn_view_wrap_spec(&from, &STN_VIEW_SPEC(.label = "b",
                                                                 .storage = stn_storage_of(STN_F64),
                                                                 .const_data = b[k], .rank = 1,
                                                                 .extents = &rows, .strides = 0)));
            solver_must(stn_view_wrap(&to, "x", stn_storage_of(STN_F64), x, 1, &rows));
            solver_must(inverse.apply(inverse.context, order_use(0), STN_F64, &from, &to));
            assert_true(fabs(x[k] / solution[k] - 1.0) < 1e-15 && x[1 - k] == 0.0);
            stn_preconditioner_release(made);
        }
}

/* Inverses that are beyond the range of f32, or so small that scales are. */
static void test_block_ranges(void **state)
{
    static const double entries[] = {1e-300, 1e30, 1e308};
    static const stn_format formats[] = {STN_F64, STN_F32, STN_BF16, STN_F16, STN_I16, STN_I64};
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int f = 0; f < 6; f++) {
            const double a = entries[k], dense[] = {a, 0.0, 0.0, a};
            const stn_block_jacobi_options blocks =
                STN_INIT(stn_block_jacobi_options, .format = &formats[f]);
            stn_preconditioner *made;
            stn_operator inverse;
            double y[ROWS];
            tiny t;
            set(&t, 2, dense);
            solver_must(stn_block_jacobi_create(order_use(0), &made, t.matrix, &blocks));
            solver_must(stn_operator_of_preconditioner(&inverse, made));
            apply_to_ones(&inverse, y);
            for (int i = 0; i < 2; i++)
                if (!(fabs(y[i] * a - 1.0) <= 0x1p-8))
                    fail_msg("%g, format %d: %g", a, (int)formats[f], y[i]);
            stn_preconditioner_release(made);
        }
}

/* Entries so far apart that the condition number is infinite, and the inverse is not. */
static void test_infinite_condition(void **state)
{
    static const double dense[] = {1e200, 0.0, 0.0, 1e-200};
    const stn_block_jacobi_options blocks = STN_BLOCK_JACOBI_OPTIONS_INIT;
    stn_preconditioner *made;
    stn_operator inverse;
    double y[ROWS];
    tiny t;
    (void)state;
    set(&t, 2, dense);
    solver_must(stn_block_jacobi_create(order_use(0), &made, t.matrix, &blocks));
    solver_must(stn_operator_of_preconditioner(&inverse, made));
    apply_to_ones(&inverse, y);
    assert_true(fabs(y[0] * 1e200 - 1.0) < 1e-15 && fabs(y[1] * 1e-200 - 1.0) < 1e-15);
    stn_preconditioner_release(made);
}

/* Of no rows: what sanitizers look at is that nothing is done with NULL. */
static void test_nothing(void **state)
{
    static const double nothing[1];
    tiny t;
    stn_matrix *made;
    stn_preconditioner *factors;
    (void)state;
    set(&t, 0, nothing);
    solver_must(stn_sparse_transpose(order_use(0), &made, t.matrix));
    assert_true(made->rows == 0 && made->entries == 0);
    stn_matrix_release(made);
    for (int kind = STN_ILU0; kind <= STN_IC0; kind++) {
        const stn_ilu_options options = STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)kind);
        solver_must(stn_ilu_create(order_use(0), &factors, t.matrix, &options));
        assert_non_null(factors);
        stn_preconditioner_release(factors);
    }
}

/* ---- memory as it comes ---- */

/* What is allocated is NaN. */
static void spoil(const stn_event *event, void *context)
{
    (void)context;
    if (event->kind == STN_EVENT_ALLOCATE)
        memset((void *)(uintptr_t)event->data, 0xff, (size_t)event->bytes);
}

static stn_status divide(void *context, const stn_exec *exec, stn_format arithmetic,
                         const stn_view *x, const stn_view *y)
{
    const double *const diagonal = context, *const from = x->data;
    double *const to = y->data;
    (void)exec, (void)arithmetic;
    for (int64_t i = 0; i < x->extent[0]; i++)
        to[i] = from[i] / diagonal[i];
    return STN_OK;
}

/* With the inverse as the preconditioner all is done in the half of the first iteration of
 * BiCGStab, which has no second step; what is not calculated is not read, either. */
static void test_spoiled_memory(void **state)
{
    static const double dense[] = {2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 8.0};
    static double diagonal[] = {2.0, 4.0, 8.0};
    static const stn_solver_options inner = STN_SOLVER_OPTIONS_INIT;
    stn_operator m;
    tiny t;
    (void)state;
    solver_must(stn_operator_create(&m, "the inverse", 3, divide, diagonal));
    set(&t, 3, dense);
    for (int method = 0; method < METHODS; method++)
        for (int left = 0; left < 2; left++) {
            const int is_either = method != STN_SOLVER_CG && method != STN_SOLVER_MINRES;
            const stn_solver_options solver =
                STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .inner = &inner,
                         .preconditioner = method == STN_SOLVER_REFINEMENT ? NULL : &m,
                         .side = is_either && method != STN_SOLVER_REFINEMENT && left
                                     ? STN_PRECONDITIONER_LEFT
                                     : STN_PRECONDITIONER_RIGHT);
            for (int i = 0; i < 3; i++)
                t.b[i] = (i + 1) * diagonal[i], t.x[i] = 0.0;
            stn_event_set_hook(spoil, NULL);
            const stn_status status = solve(&t, &solver);
            stn_event_set_hook(NULL, NULL);
            if (status != STN_OK || fabs(t.x[0] - 1) + fabs(t.x[1] - 2) + fabs(t.x[2] - 3) > 1e-9)
                fail_msg("%s: %g %g %g, %s", traits[method].name, t.x[0], t.x[1], t.x[2],
                         status ? stn_error() : "solved");
        }
}

/* ---- floating-point modes ---- */

static stn_status change_modes(void *context, const stn_exec *exec, stn_format arithmetic,
                               const stn_view *x, const stn_view *y)
{
    const stn_status status = problem_diagonal(context, exec, arithmetic, x, y);
    (void)fesetround(FE_UPWARD);
    return status;
}

static int change_modes_too(void *context, const stn_solver_progress *progress)
{
    (void)context, (void)progress;
    return fesetround(FE_DOWNWARD);
}

/* A callback that changes the rounding mode changes neither the solve nor the caller's mode. */
static void test_modes(void **state)
{
    static problem p;
    static outcome plain, o;
    double factor = 0.25;
    stn_operator m, changing;
    (void)state;
    problem_set(&p, 0.0, 0.0);
    solver_must(stn_operator_create(&m, "a quarter", N, problem_diagonal, &factor));
    solver_must(stn_operator_create(&changing, "a quarter", N, change_modes, &factor));
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options inner = STN_INIT(stn_solver_options, .relative_tolerance = 1e-3);
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .inner = &inner);
        solver.preconditioner = method == STN_SOLVER_REFINEMENT ? NULL : &m;
        problem_solve(order_use(0), &solver, &p, &plain);
        solver.preconditioner = method == STN_SOLVER_REFINEMENT ? NULL : &changing;
        solver.monitor = change_modes_too;
        problem_solve(order_use(0), &solver, &p, &o);
        const int mode = fegetround();
        (void)fesetround(FE_TONEAREST);
        assert_int_equal(mode, FE_TONEAREST);
        assert_memory_equal(o.x, plain.x, sizeof o.x);
    }
}

/* ---- checkpoints ---- */

/* One of a solve that its iterations end, with word `word` behind the header made `number`, and a
 * sum that is right. */
static stn_status go_on(tiny *t, int method, int64_t word, int64_t number)
{
    enum { HEADER = 32 };
    static const stn_solver_options inner = STN_INIT(stn_solver_options, .max_iterations = 1);
    stn_solver_options solver = STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                                         .max_iterations = 1, .restart = 2, .inner = &inner);
    const void *bytes;
    int64_t count;
    solver_must(stn_checkpoint_create(&solver.checkpoint));
    memset(t->x, 0, sizeof t->x);
    assert_int_equal(solve(t, &solver), STN_ERR_CONVERGENCE);
    solver_must(stn_checkpoint_bytes(solver.checkpoint, &bytes, &count));
    word = word < 0 ? (count - HEADER) / 8 + word : word; /* from the end */
    assert_true(count > HEADER + 8 * word);
    unsigned char *const copy = malloc((size_t)count);
    assert_non_null(copy);
    memcpy(copy, bytes, (size_t)count);
    memcpy(copy + HEADER + 8 * word, &number, sizeof number);
    stn_image image = {.bytes = copy, .count = count, .room = count};
    stn_image_complete(&image);
    solver_must(stn_checkpoint_assign(solver.checkpoint, copy, count));
    free(copy);
    solver.max_iterations = 30;
    const stn_status status = solve(t, &solver);
    stn_checkpoint_release(solver.checkpoint);
    return status;
}

/* Nine words describe the solve; then follow iterations, restarts and inner iterations. */
static void test_counts(void **state)
{
    static const double dense[] = {2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 4.0};
    static const int64_t numbers[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX - 1};
    tiny t;
    (void)state;
    set(&t, 3, dense);
    t.b[0] = 1.0;
    t.b[1] = t.b[2] = 1e3;
    for (int method = 0; method < METHODS; method++)
        for (int64_t word = 9; word < 12; word++) {
            assert_int_equal(go_on(&t, method, word, 1), STN_OK);
            for (int k = 0; k < 4; k++)
                assert_int_equal(go_on(&t, method, word, numbers[k]), STN_ERR_PARSE);
        }
}

/* A checkpoint of a solve that its iterations end, in memory that is full of `filling`, or of what
 * malloc makes of it. */
static stn_checkpoint *keep(tiny *t, int method, stn_format arithmetic, int filling)
{
    const stn_solver_options inner =
        STN_INIT(stn_solver_options, .arithmetic = arithmetic, .max_iterations = 1);
    stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .arithmetic = arithmetic,
                 .max_iterations = 1, .restart = 3, .inner = &inner);
    double b[2 * ROWS] = {1.0, 2.0, 1e3, 4.0, 1e3, 6.0}, x[2 * ROWS] = {0.0};
    stn_view bv, xv;
    solver_must(stn_checkpoint_create(&solver.checkpoint));
    solver_must(stn_view_wrap(&bv, "b", stn_storage_of(arithmetic), b, 1, &t->rows));
    solver_must(stn_view_wrap(&xv, "x", stn_storage_of(arithmetic), x, 1, &t->rows));
    (void)mallopt(M_PERTURB, filling);
    assert_int_equal(stn_solve(order_use(0), &xv, &t->a, &bv, &solver, NULL), STN_ERR_CONVERGENCE);
    (void)mallopt(M_PERTURB, 0);
    return solver.checkpoint;
}

/* Nothing of the process's memory gets into files: the bytes are those of the solve. */
static void test_bytes(void **state)
{
    static const double dense[] = {2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 4.0};
    static const stn_format arithmetics[] = {STN_F64, STN_C128};
    tiny t;
    (void)state;
    set(&t, 3, dense);
    for (int method = 0; method < METHODS; method++)
        for (int a = 0; a < 2; a++) {
            const void *bytes[2];
            int64_t count[2];
            stn_checkpoint *const one = keep(&t, method, arithmetics[a], 0x5a);
            stn_checkpoint *const two = keep(&t, method, arithmetics[a], 0x33);
            solver_must(stn_checkpoint_bytes(one, &bytes[0], &count[0]));
            solver_must(stn_checkpoint_bytes(two, &bytes[1], &count[1]));
            assert_true(count[0] > 0 && count[0] == count[1]);
            if (memcmp(bytes[0], bytes[1], (size_t)count[0]) != 0)
                fail_msg("%s: other bytes in other memory", traits[method].name);
            stn_checkpoint_release(one);
            stn_checkpoint_release(two);
        }
}

/* The last word of refinement is how many bytes its inner solver's checkpoint has. */
static void test_inner_bytes(void **state)
{
    static const double dense[] = {2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 4.0};
    static const int64_t numbers[] = {1,        32, INT64_MAX / 2, INT64_MAX - 7, INT64_MAX - 6,
                                      INT64_MAX};
    tiny t;
    (void)state;
    set(&t, 3, dense);
    t.b[0] = 1.0;
    t.b[1] = t.b[2] = 1e3;
    assert_int_equal(go_on(&t, STN_SOLVER_REFINEMENT, -1, 0), STN_OK);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        assert_int_equal(go_on(&t, STN_SOLVER_REFINEMENT, -1, numbers[k]), STN_ERR_PARSE);
        if (!strstr(stn_error(), "has too few bytes"))
            fail_msg("%lld bytes: %s", (long long)numbers[k], stn_error());
    }
}

/* A solve that converges in its last iteration leaves none. */
static void test_converged_last(void **state)
{
    static const double dense[] = {1.0, 0.0, 0.0, 2.0};
    tiny t;
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        static const stn_solver_options inner = STN_SOLVER_OPTIONS_INIT;
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .inner = &inner);
        const void *bytes;
        int64_t count;
        set(&t, 2, dense);
        t.b[0] = t.b[1] = 1.0;
        solver_must(solve(&t, &solver));
        solver.max_iterations = t.solution.iterations;
        memset(t.x, 0, sizeof t.x);
        solver_must(stn_checkpoint_create(&solver.checkpoint));
        solver_must(solve(&t, &solver));
        solver_must(stn_checkpoint_bytes(solver.checkpoint, &bytes, &count));
        if (count != 0)
            fail_msg("%s: a checkpoint of what is solved", traits[method].name);
        stn_checkpoint_release(solver.checkpoint);
    }
}

/* Of a large file that is no checkpoint one part is read, and room for one part made. */
static void test_large_file(void **state)
{
    char path[] = "/tmp/steno_hostile_XXXXXX";
    stn_checkpoint *checkpoint;
    const int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0 && ftruncate(file, (off_t)1 << 26) == 0);
    solver_must(stn_checkpoint_create(&checkpoint));
    stn_fail_allocation(2);
    const stn_status status = stn_checkpoint_load(checkpoint, path);
    stn_fail_allocation(0);
    stn_checkpoint_release(checkpoint);
    (void)close(file);
    (void)unlink(path);
    assert_int_equal(status, STN_ERR_PARSE);
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
        cmocka_unit_test(test_residual_of_x),
        cmocka_unit_test(test_within_itself),
        cmocka_unit_test(test_infinite_solution),
        cmocka_unit_test(test_factors_beyond_the_range),
        cmocka_unit_test(test_block_ranges),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_converged_last),
        cmocka_unit_test(test_large_file),
        cmocka_unit_test(test_infinite_condition),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_spoiled_memory),
        cmocka_unit_test(test_inner_bytes),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_modes),
    };
    return cmocka_run_group_tests_name("hostile solves", tests, NULL, release);
}
