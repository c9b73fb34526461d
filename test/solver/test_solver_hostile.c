/* Solvers in hostile conditions: solvers within themselves, solutions at the ends of the range,
 * uninitialized memory, callbacks that change the rounding mode, checkpoints with valid checksums
 * and invalid contents. */
#define _POSIX_C_SOURCE 200809L
#include <fenv.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "linear_system.h"
#include "order_oracle.h"
#include "solver/image.h"
#include "steno/event.h"

static linear_system s;
static outcome o;

static const stn_solver_options cg = STN_SOLVER_OPTIONS_INIT;

static stn_solver_options of(int method)
{
    return (stn_solver_options)STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                                        .inner = &cg);
}

static void set_b(double first, double second, double third)
{
    s.b[0] = first;
    s.b[1] = second;
    s.b[2] = third;
}

/* ---- solvers within each other ---- */

UNIT_TEST(test_within_itself)
{
    static const double dense[] = {2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0};
    stn_solver_options ring[3], chain[5];
    system_of(&s, 3, dense);
    set_b(1.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++)
        ring[k] = of(STN_SOLVER_REFINEMENT);
    for (int length = 1; length <= 3; length++) {
        for (int k = 0; k < length; k++)
            ring[k].inner = &ring[(k + 1) % length];
        system_solve(order_use(0), &ring[0], &s, &o);
        assert_int_equal(o.status, STN_ERR_ARGUMENT);
        assert_true(o.x[0] == 0.0);
    }
    for (int k = 0; k < 5; k++) {
        chain[k] = of(k < 4 ? STN_SOLVER_REFINEMENT : STN_SOLVER_CG);
        chain[k].inner = k < 4 ? &chain[k + 1] : NULL;
    }
    system_solve(order_use(0), &chain[0], &s, &o);
    expect_ok(o.status);
    assert_true(o.x[0] == 0.5);
}

/* ---- elements at the ends of the range ---- */

/* The solution exceeds the range of f64. */
UNIT_TEST(test_infinite_solution)
{
    static const double dense[] = {1e-300, 0.0, 0.0, 2e-300};
    const stn_solver_options inner = of(STN_SOLVER_GMRES);
    system_of(&s, 2, dense);
    set_b(1e10, 1e10, 0.0);
    for (int k = 0; k < 2 * METHODS; k++) {
        stn_solver_options solver = of(k % METHODS);
        solver.max_iterations = 1 + k / METHODS;
        solver.inner = &inner;
        memset(&o, 0, sizeof o);
        o.x[0] = 5.0;
        o.x[1] = -7.0;
        system_continue(order_use(0), &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        if (!isfinite(creal(o.x[0])) || !isfinite(creal(o.x[1])) ||
            (!isfinite(o.solution.residual) && o.solution.reason != STN_STOP_NOT_FINITE))
            fail_msg("%s, case %d: x is %g, %g: %s with a residual of %g",
                     traits[solver.method].name, k, creal(o.x[0]), creal(o.x[1]),
                     stn_stop_reason_name(o.solution.reason), o.solution.residual);
    }
}

/* Multiplies by the diagonal (1, 3, 0); the fourth product is infinite. */
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
 * infinite, so is the residual, and no iteration starts. */
UNIT_TEST(test_residual_of_x)
{
    static const double dense[] = {1.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0};
    const stn_solver_options solver = of(STN_SOLVER_BICGSTAB);
    system_of(&s, 3, dense);
    set_b(1.0, 1.0, 1.0);
    for (int is_infinite = 0; is_infinite < 2; is_infinite++) {
        int calls = 0;
        expect_ok(stn_operator_create(&s.a, "breaks down", 3, break_down, &calls));
        memset(&o, 0, sizeof o);
        o.x[2] = is_infinite ? INFINITY : 5.0;
        system_continue(order_use(0), &solver, &s, &o);
        assert_int_equal(o.status, STN_ERR_CONVERGENCE);
        assert_int_equal(o.solution.reason, STN_STOP_NOT_FINITE);
        assert_int_equal(o.solution.iterations, is_infinite ? 0 : 1);
        const double x[] = {creal(o.x[0]), creal(o.x[1]), creal(o.x[2])};
        if (is_infinite) {
            assert_true(isinf(o.solution.residual) && isinf(x[2]) && x[0] == 0.0 && x[1] == 0.0);
        } else {
            const double left = hypot(hypot(1.0 - x[0], 1.0 - 3.0 * x[1]), 1.0);
            assert_true(fabs(o.solution.residual * sqrt(3.0) - left) < 1e-14);
            assert_true(o.solution.residual < 1.0 && isfinite(x[2]));
        }
    }
}

/* ---- uninitialized memory ---- */

/* Allocated memory is NaN. */
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

/* With the inverse as preconditioner, BiCGStab converges in the first half of an iteration: vectors
 * that were never computed are not read. */
UNIT_TEST(test_spoiled_memory)
{
    static const double dense[] = {2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 8.0};
    static double diagonal[] = {2.0, 4.0, 8.0};
    stn_operator m;
    expect_ok(stn_operator_create(&m, "the inverse", 3, divide, diagonal));
    system_of(&s, 3, dense);
    set_b(2.0, 8.0, 24.0);
    for (int k = 0; k < 2 * METHODS; k++) {
        const int method = k / 2;
        stn_solver_options solver = of(method);
        solver.preconditioner = method == STN_SOLVER_REFINEMENT ? NULL : &m;
        solver.side =
            k % 2 && traits[method].has_left ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT;
        stn_event_set_hook(spoil, NULL);
        system_solve(order_use(0), &solver, &s, &o);
        stn_event_set_hook(NULL, NULL);
        expect_ok_for(o.status, traits[method].name);
        assert_true(cabs(o.x[0] - 1) + cabs(o.x[1] - 2) + cabs(o.x[2] - 3) <= 1e-9);
    }
}

/* ---- floating-point modes ---- */

static stn_status change_modes(void *context, const stn_exec *exec, stn_format arithmetic,
                               const stn_view *x, const stn_view *y)
{
    const stn_status status = system_diagonal(context, exec, arithmetic, x, y);
    (void)fesetround(FE_UPWARD);
    return status;
}

static int change_modes_too(void *context, const stn_solver_progress *progress)
{
    (void)context, (void)progress;
    return fesetround(FE_DOWNWARD);
}

/* A callback that changes the rounding mode changes neither the solve nor the mode of the caller.
 */
UNIT_TEST(test_modes)
{
    static outcome plain;
    const stn_solver_options inner = STN_INIT(stn_solver_options, .relative_tolerance = 1e-3);
    number factor = 0.25;
    stn_operator m, changing;
    system_make(&s, POSITIVE, 0);
    expect_ok(stn_operator_create(&m, "a quarter", s.rows, system_diagonal, &factor));
    expect_ok(stn_operator_create(&changing, "a quarter", s.rows, change_modes, &factor));
    for (int method = 0; method < METHODS; method++) {
        stn_solver_options solver = of(method);
        solver.inner = &inner;
        solver.preconditioner = method == STN_SOLVER_REFINEMENT ? NULL : &m;
        system_solve(order_use(0), &solver, &s, &plain);
        solver.preconditioner = method == STN_SOLVER_REFINEMENT ? NULL : &changing;
        solver.monitor = change_modes_too;
        system_solve(order_use(0), &solver, &s, &o);
        const int mode = fegetround();
        (void)fesetround(FE_TONEAREST);
        assert_int_equal(mode, FE_TONEAREST);
        assert_memory_equal(o.x, plain.x, sizeof o.x);
    }
}

/* ---- checkpoints ---- */

static void set_tridiagonal(void)
{
    static const double dense[] = {2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 4.0};
    system_of(&s, 3, dense);
    set_b(1.0, 1e3, 1e3);
}

/* Continues from a checkpoint after one iteration in which word `word` after the header, or from
 * the end, is replaced, with a valid checksum. */
static stn_status go_on(int method, int64_t word, int64_t value)
{
    enum { HEADER = 32 };
    static const stn_solver_options inner = STN_INIT(stn_solver_options, .max_iterations = 1);
    stn_solver_options solver = of(method);
    const void *bytes;
    int64_t count;
    solver.max_iterations = 1;
    solver.restart = 2;
    solver.inner = &inner;
    expect_ok(stn_checkpoint_create(&solver.checkpoint));
    system_solve(order_use(0), &solver, &s, &o);
    assert_int_equal(o.status, STN_ERR_CONVERGENCE);
    expect_ok(stn_checkpoint_bytes(solver.checkpoint, &bytes, &count));
    word = word < 0 ? (count - HEADER) / 8 + word : word;
    assert_true(count > HEADER + 8 * word);
    unsigned char *const copy = malloc((size_t)count);
    assert_non_null(copy);
    memcpy(copy, bytes, (size_t)count);
    memcpy(copy + HEADER + 8 * word, &value, sizeof value);
    stn_image image = {.bytes = copy, .count = count, .capacity = count};
    stn_image_complete(&image);
    expect_ok(stn_checkpoint_assign(solver.checkpoint, copy, count));
    free(copy);
    solver.max_iterations = 30;
    system_continue(order_use(0), &solver, &s, &o);
    stn_checkpoint_release(solver.checkpoint);
    return o.status;
}

/* Twelve words describe the solve. Then follow iterations, restarts and inner iterations. */
UNIT_TEST(test_counts)
{
    static const int64_t values[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX - 1};
    set_tridiagonal();
    for (int k = 0; k < 3 * METHODS; k++) {
        const int method = k / 3, word = 12 + k % 3;
        assert_int_equal(go_on(method, word, 1), STN_OK);
        for (int v = 0; v < 4; v++)
            assert_int_equal(go_on(method, word, values[v]), STN_ERR_PARSE);
    }
}

/* The last word of refinement is the number of bytes of the checkpoint of its inner solver. */
UNIT_TEST(test_inner_bytes)
{
    static const int64_t values[] = {1, 32, INT64_MAX / 2, INT64_MAX - 7, INT64_MAX - 6, INT64_MAX};
    set_tridiagonal();
    assert_int_equal(go_on(STN_SOLVER_REFINEMENT, -1, 0), STN_OK);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        expect_error(go_on(STN_SOLVER_REFINEMENT, -1, values[k]), STN_ERR_PARSE, "is too short");
}

/* A checkpoint after one iteration, in memory that malloc fills with a byte. */
static stn_checkpoint *keep(int method, stn_format arithmetic, int filling)
{
    const int64_t rows = 3;
    const stn_solver_options inner =
        STN_INIT(stn_solver_options, .arithmetic = arithmetic, .max_iterations = 1);
    stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .arithmetic = arithmetic,
                 .max_iterations = 1, .restart = 3, .inner = &inner);
    double b[] = {1.0, 2.0, 1e3, 4.0, 1e3, 6.0}, x[6] = {0.0};
    stn_view b_view, x_view;
    expect_ok(stn_checkpoint_create(&solver.checkpoint));
    expect_ok(stn_view_wrap(&b_view, "b", stn_storage_of(arithmetic), b, 1, &rows));
    expect_ok(stn_view_wrap(&x_view, "x", stn_storage_of(arithmetic), x, 1, &rows));
    (void)mallopt(M_PERTURB, filling);
    const stn_status status = stn_solve(order_use(0), &x_view, &s.a, &b_view, &solver, NULL);
    (void)mallopt(M_PERTURB, 0);
    assert_int_equal(status, STN_ERR_CONVERGENCE);
    return solver.checkpoint;
}

/* Checkpoints contain no other memory of the process. */
UNIT_TEST(test_bytes)
{
    set_tridiagonal();
    for (int k = 0; k < 2 * METHODS; k++) {
        stn_checkpoint *checkpoints[2];
        const void *bytes[2];
        int64_t count[2];
        for (int c = 0; c < 2; c++) {
            checkpoints[c] = keep(k / 2, k % 2 ? STN_C128 : STN_F64, c ? 0x33 : 0x5a);
            expect_ok(stn_checkpoint_bytes(checkpoints[c], &bytes[c], &count[c]));
        }
        assert_true(count[0] > 0 && count[0] == count[1]);
        if (memcmp(bytes[0], bytes[1], (size_t)count[0]) != 0)
            fail_msg("%s: other bytes in other memory", traits[k / 2].name);
        stn_checkpoint_release(checkpoints[0]);
        stn_checkpoint_release(checkpoints[1]);
    }
}

/* A solve that converges in its last iteration leaves an empty checkpoint. */
UNIT_TEST(test_converged_last)
{
    static const double dense[] = {1.0, 0.0, 0.0, 2.0};
    system_of(&s, 2, dense);
    set_b(1.0, 1.0, 0.0);
    for (int method = 0; method < METHODS; method++) {
        stn_solver_options solver = of(method);
        const void *bytes;
        int64_t count;
        system_solve(order_use(0), &solver, &s, &o);
        expect_ok(o.status);
        solver.max_iterations = o.solution.iterations;
        expect_ok(stn_checkpoint_create(&solver.checkpoint));
        system_solve(order_use(0), &solver, &s, &o);
        expect_ok(o.status);
        expect_ok(stn_checkpoint_bytes(solver.checkpoint, &bytes, &count));
        if (count != 0)
            fail_msg("%s: a checkpoint after convergence", traits[method].name);
        stn_checkpoint_release(solver.checkpoint);
    }
}

/* A large file that is no checkpoint is read in parts, with memory for one part. */
UNIT_TEST(test_large_file)
{
    char path[] = "/tmp/steno_hostile_XXXXXX";
    stn_checkpoint *checkpoint;
    const int file = mkstemp(path);
    assert_true(file >= 0 && ftruncate(file, (off_t)1 << 26) == 0);
    expect_ok(stn_checkpoint_create(&checkpoint));
    stn_fail_allocation(2);
    const stn_status status = stn_checkpoint_load(checkpoint, path);
    stn_fail_allocation(0);
    stn_checkpoint_release(checkpoint);
    (void)close(file);
    (void)unlink(path);
    assert_int_equal(status, STN_ERR_PARSE);
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
