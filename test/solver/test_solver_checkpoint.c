/* Solves that end early and go on have the bits of those that do not: every method, basis and way
 * to end, through bytes and files; and every checkpoint that is refused. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/memory.h"
#include "order_oracle.h"
#include "solver_problem.h"
#include "matrix.h"

enum { MOST_PARTS = 1000 };

/* ---- parts ---- */

/* How a part ends: behind so many iterations of its own. */
typedef enum way { BY_ITERATIONS, BY_MONITOR, BY_TIME, WAYS } way;

typedef struct stopper {
    int64_t at;
} stopper;

static int stop(void *context, const stn_solver_progress *progress)
{
    const stopper *const s = context;
    return progress->iteration >= s->at;
}

/* Another object with the same bytes. */
static void renew(stn_checkpoint **checkpoint)
{
    stn_checkpoint *other;
    const void *bytes;
    int64_t count;
    solver_must(stn_checkpoint_bytes(*checkpoint, &bytes, &count));
    solver_must(stn_checkpoint_create(&other));
    solver_must(stn_checkpoint_assign(other, bytes, count));
    stn_checkpoint_release(*checkpoint);
    *checkpoint = other;
}

static int is_empty(const stn_checkpoint *checkpoint)
{
    const void *bytes;
    int64_t count;
    solver_must(stn_checkpoint_bytes(checkpoint, &bytes, &count));
    assert_true((bytes == NULL) == (count == 0));
    return count == 0;
}

static stn_status solve_part(const stn_exec *exec, const stn_solver_options *solver, problem *p,
                             outcome *o)
{
    stn_view b, x;
    const int64_t entries = o->solution.history_count;
    stn_solver_report part = STN_INIT(stn_solver_report, .history = o->history + entries,
                                      .history_capacity = 1000 - entries);
    for (int i = 0; i < N && !is_empty(solver->checkpoint); i++)
        o->x[i] = 1e9 + i; /* x is in the checkpoint */
    problem_wrap(&b, "b", p->b);
    problem_wrap(&x, "x", o->x);
    const stn_status status = stn_solve(exec, &x, &p->a, &b, solver, &part);
    o->solution = part;
    o->solution.history_count = entries + part.history_count;
    return status;
}

/* In parts of `length` iterations, each on another executor, with another object. */
static int solve_parts(const stn_solver_options *whole, problem *p, int64_t length, way end,
                       outcome *o)
{
    stopper at = {0};
    stn_solver_options solver = *whole;
    int parts = 0;
    memset(o, 0, sizeof *o);
    solver_must(stn_checkpoint_create(&solver.checkpoint));
    do {
        const stn_exec *const exec = order_use(parts % order_settings());
        at.at += length;
        if (end == BY_ITERATIONS)
            solver.max_iterations = at.at;
        else if (end == BY_MONITOR)
            solver.monitor = stop, solver.monitor_context = &at;
        else
            solver.max_seconds = 1e-9;
        renew(&solver.checkpoint);
        o->status = solve_part(exec, &solver, p, o);
        assert_true(++parts < MOST_PARTS);
        assert_true(o->status == STN_OK || o->status == STN_ERR_CONVERGENCE);
    } while (!is_empty(solver.checkpoint));
    stn_checkpoint_release(solver.checkpoint);
    return parts;
}

static void expect_same(const outcome *whole, const outcome *o, const char *what)
{
    if (o->status != whole->status || o->solution.reason != whole->solution.reason)
        fail_msg("%s: %s, not %s", what, stn_stop_reason_name(o->solution.reason),
                 stn_stop_reason_name(whole->solution.reason));
    assert_int_equal(o->solution.iterations, whole->solution.iterations);
    assert_int_equal(o->solution.restarts, whole->solution.restarts);
    assert_int_equal(o->solution.inner_iterations, whole->solution.inner_iterations);
    assert_int_equal(o->solution.history_count, whole->solution.history_count);
    if (memcmp(o->history, whole->history, sizeof o->history) != 0 ||
        memcmp(o->x, whole->x, sizeof o->x) != 0 ||
        memcmp(&o->solution.residual, &whole->solution.residual, sizeof(double)) != 0)
        fail_msg("%s: other bits", what);
}

static void compare(const stn_solver_options *solver, problem *p, const char *name)
{
    static outcome whole, o;
    static const int64_t lengths[] = {1, 3, 7};
    char what[80];
    problem_solve(order_use(0), solver, p, &whole);
    assert_true(whole.solution.history_count < 900);
    for (int k = 0; k < 2 * WAYS; k++) {
        const way end = (way)(k % WAYS);
        snprintf(what, sizeof what, "%s, by %d in parts of %d", name, (int)end,
                 (int)lengths[k / 2]);
        const int parts = solve_parts(solver, p, lengths[k / 2], end, &o);
        assert_true(parts > 1 || whole.solution.iterations <= lengths[k / 2]);
        expect_same(&whole, &o, what);
    }
}

/* ---- methods ---- */

static void test_methods(void **state)
{
    static problem p;
    double factor = 0.25;
    stn_operator m;
    (void)state;
    solver_must(stn_operator_create(&m, "a quarter", N, problem_diagonal, &factor));
    for (int k = 0; k < METHODS * 6; k++) {
        const int method = k / 6, is_f32 = k % 2, side = k / 2 % 3;
        if (method == STN_SOLVER_REFINEMENT || (side == 2 && !traits[method].has_left))
            continue;
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = (stn_solver_method)method,
            .arithmetic = is_f32 ? STN_F32 : STN_F64, .relative_tolerance = is_f32 ? 1e-5 : 1e-11,
            .restart = 10, .preconditioner = side ? &m : NULL,
            .side = side == 2 ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT);
        problem_set(&p, traits[method].is_symmetric ? 0.0 : 0.7, 0.0);
        compare(&solver, &p, traits[method].name);
    }
}

static void test_bases(void **state)
{
    static problem p;
    double factor = 0.25;
    stn_operator m;
    (void)state;
    solver_must(stn_operator_create(&m, "a quarter", N, problem_diagonal, &factor));
    problem_set(&p, 0.7, 0.0);
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        solver_must(stn_format_describe(format, &info));
        if (info.kind == STN_CLASS_COMPLEX || !info.is_signed)
            continue;
        stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = format % 2 ? STN_SOLVER_FGMRES : STN_SOLVER_GMRES,
            .preconditioner = &m, .restart = 12, .basis = stn_storage_of(format));
        compare(&solver, &p, info.name);
        solver.basis_block = 32;
        if (info.kind == STN_CLASS_INTEGER)
            compare(&solver, &p, info.name);
    }
}

/* Recurrences that begin anew, and the same end where none converges. */
static void test_bad_endings(void **state)
{
    static problem p;
    (void)state;
    problem_set(&p, 0.0, 0.0);
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options inner =
            STN_INIT(stn_solver_options, .arithmetic = STN_F32, .relative_tolerance = 1e-3);
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .arithmetic = STN_F32,
                     .relative_tolerance = 1e-12, .restart = 10, .inner = &inner);
        compare(&solver, &p, traits[method].name);
    }
}

/* ---- refinement ---- */

typedef struct counter {
    int calls, every;
} counter;

static int stop_sometimes(void *context, const stn_solver_progress *progress)
{
    counter *const c = context;
    (void)progress;
    return ++c->calls % c->every == 0;
}

/* Behind outer iterations, and inside the inner solver, of which one is refinement again. */
static void test_refinement(void **state)
{
    static problem p;
    static outcome whole, o;
    (void)state;
    problem_set(&p, 0.0, 0.0);
    for (int is_nested = 0; is_nested < 2; is_nested++) {
        stn_solver_options innermost = STN_INIT(
            stn_solver_options, .method = is_nested ? STN_SOLVER_CG : STN_SOLVER_GMRES,
            .arithmetic = STN_F32, .relative_tolerance = 1e-3, .max_iterations = 11, .restart = 5);
        innermost.basis = basis_of(innermost.method, STN_F16);
        const stn_solver_options middle =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT,
                     .relative_tolerance = 1e-6, .inner = &innermost);
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT,
                     .relative_tolerance = 1e-12, .inner = is_nested ? &middle : &innermost);
        compare(&solver, &p, is_nested ? "refinement of refinement" : "refinement of GMRES");
        problem_solve(order_use(0), &solver, &p, &whole);
        for (int every = 2; every < 30; every += 9) {
            counter count = {0, every};
            stn_solver_options parts = solver;
            int stops = 0;
            innermost.monitor = stop_sometimes;
            innermost.monitor_context = &count;
            memset(&o, 0, sizeof o);
            solver_must(stn_checkpoint_create(&parts.checkpoint));
            do {
                renew(&parts.checkpoint);
                o.status = solve_part(order_use(0), &parts, &p, &o);
                assert_true(++stops < MOST_PARTS);
            } while (!is_empty(parts.checkpoint));
            innermost.monitor = NULL;
            stn_checkpoint_release(parts.checkpoint);
            assert_true(stops > 1);
            expect_same(&whole, &o, "an inner solver in parts");
        }
    }
}

/* ---- files and bytes ---- */

static stn_checkpoint *make(const stn_solver_options *solver, problem *p, int64_t iterations)
{
    static outcome o;
    stn_solver_options part = *solver;
    part.max_iterations = iterations;
    solver_must(stn_checkpoint_create(&part.checkpoint));
    memset(&o, 0, sizeof o);
    assert_int_equal(solve_part(order_use(0), &part, p, &o), STN_ERR_CONVERGENCE);
    assert_int_equal(o.solution.reason, STN_STOP_MAX_ITERATIONS);
    assert_false(is_empty(part.checkpoint));
    return part.checkpoint;
}

static const stn_solver_options gmres = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES,
                                                 .restart = 8, .basis = {.format = STN_F16});

static void test_files(void **state)
{
    static problem p;
    static outcome whole, o;
    char path[] = "/tmp/steno-test-XXXXXX";
    (void)state;
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    stn_solver_options solver = gmres;
    problem_set(&p, 0.7, 0.0);
    problem_solve(order_use(0), &solver, &p, &whole);
    memset(&o, 0, sizeof o);
    solver_must(stn_checkpoint_create(&solver.checkpoint));
    solver.max_iterations = 11;
    assert_int_equal(solve_part(order_use(0), &solver, &p, &o), STN_ERR_CONVERGENCE);
    solver_must(stn_checkpoint_save(solver.checkpoint, path));
    stn_checkpoint_release(solver.checkpoint);
    solver_must(stn_checkpoint_create(&solver.checkpoint));
    solver_must(stn_checkpoint_load(solver.checkpoint, path));
    solver.max_iterations = 0;
    o.status = solve_part(order_use(0), &solver, &p, &o);
    expect_same(&whole, &o, "a file");
    assert_int_equal(stn_checkpoint_save(solver.checkpoint, path), STN_ERR_ARGUMENT);
    assert_non_null(strstr(stn_error(), "empty"));
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(stn_checkpoint_load(solver.checkpoint, path), STN_ERR_PARSE);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(stn_checkpoint_load(solver.checkpoint, path), STN_ERR_PARSE);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(stn_checkpoint_load(solver.checkpoint, path), STN_ERR_IO);
    assert_non_null(strstr(stn_error(), path));
    assert_true(is_empty(solver.checkpoint));
    stn_checkpoint_release(solver.checkpoint);
    solver.checkpoint = make(&gmres, &p, 3);
    assert_int_equal(stn_checkpoint_save(solver.checkpoint, "/tmp/absent/file"), STN_ERR_IO);
    assert_int_equal(stn_checkpoint_save(solver.checkpoint, "/tmp"), STN_ERR_IO);
    stn_checkpoint_release(solver.checkpoint);
}

/* Cut off behind each byte, and with each bit of some bytes altered. */
static void test_bytes(void **state)
{
    static problem p;
    const void *bytes;
    int64_t count;
    stn_checkpoint *other;
    (void)state;
    problem_set(&p, 0.7, 0.0);
    stn_checkpoint *const checkpoint = make(&gmres, &p, 5);
    solver_must(stn_checkpoint_create(&other));
    solver_must(stn_checkpoint_bytes(checkpoint, &bytes, &count));
    unsigned char *const altered = malloc((size_t)count + 8);
    assert_non_null(altered);
    memset(altered, 0, (size_t)count + 8);
    memcpy(altered, bytes, (size_t)count);
    for (int64_t length = 1; length < count; length += length < 300 ? 1 : 97)
        assert_int_equal(stn_checkpoint_assign(other, altered, length), STN_ERR_PARSE);
    assert_int_equal(stn_checkpoint_assign(other, altered, count + 8), STN_ERR_PARSE);
    for (int64_t at = 0; at < count; at += at < 200 ? 1 : 61)
        for (int bit = 0; bit < 8; bit++) {
            altered[at] = (unsigned char)(altered[at] ^ 1 << bit);
            if (stn_checkpoint_assign(other, altered, count) != STN_ERR_PARSE)
                fail_msg("bit %d of byte %d is as good", bit, (int)at);
            altered[at] = (unsigned char)(altered[at] ^ 1 << bit);
        }
    assert_true(is_empty(other));
    solver_must(stn_checkpoint_assign(other, altered, count));
    assert_false(is_empty(other));
    solver_must(stn_checkpoint_assign(other, NULL, 0));
    assert_true(is_empty(other));
    assert_int_equal(stn_checkpoint_assign(other, NULL, 3), STN_ERR_ARGUMENT);
    assert_int_equal(stn_checkpoint_assign(other, altered, -1), STN_ERR_ARGUMENT);
    assert_int_equal(stn_checkpoint_assign(NULL, altered, count), STN_ERR_ARGUMENT);
    assert_int_equal(stn_checkpoint_bytes(NULL, &bytes, &count), STN_ERR_ARGUMENT);
    assert_int_equal(stn_checkpoint_bytes(other, NULL, &count), STN_ERR_ARGUMENT);
    assert_int_equal(stn_checkpoint_bytes(other, &bytes, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_checkpoint_create(NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_checkpoint_save(NULL, "x"), STN_ERR_ARGUMENT);
    assert_int_equal(stn_checkpoint_save(checkpoint, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_checkpoint_load(NULL, "x"), STN_ERR_ARGUMENT);
    assert_int_equal(stn_checkpoint_load(checkpoint, NULL), STN_ERR_ARGUMENT);
    stn_checkpoint_release(NULL);
    free(altered);
    stn_checkpoint_release(other);
    stn_checkpoint_release(checkpoint);
}

/* ---- other solves ---- */

static void refused(const stn_solver_options *solver, problem *p, stn_checkpoint *checkpoint,
                    stn_status status, const char *words)
{
    double x[N] = {0};
    stn_view b, x_view;
    stn_solver_options s = *solver;
    const void *bytes;
    int64_t before, behind;
    s.checkpoint = checkpoint;
    solver_must(stn_checkpoint_bytes(checkpoint, &bytes, &before));
    problem_wrap(&b, "b", p->b);
    problem_wrap(&x_view, "x", x);
    const stn_status found = stn_solve(order_use(0), &x_view, &p->a, &b, &s, NULL);
    if (found != status || !strstr(stn_error(), words))
        fail_msg("%s, not %s: %s", stn_status_name(found), words, stn_error());
    for (int i = 0; i < N; i++)
        assert_true(x[i] == 0);
    solver_must(stn_checkpoint_bytes(checkpoint, &bytes, &behind));
    assert_int_equal(before, behind);
}

/* With the same norm: -b, one sign, two elements exchanged. */
static void expect_other_b_refused(problem *p, stn_checkpoint *checkpoint)
{
    static problem same;
    same = *p;
    for (int i = 0; i < N; i++)
        p->b[i] = -p->b[i];
    refused(&gmres, p, checkpoint, STN_ERR_ARGUMENT, "another b");
    *p = same;
    p->b[7] = -p->b[7];
    refused(&gmres, p, checkpoint, STN_ERR_ARGUMENT, "another b");
    *p = same;
    p->b[1] = same.b[0];
    p->b[0] = same.b[1];
    refused(&gmres, p, checkpoint, STN_ERR_ARGUMENT, "another b");
    *p = same;
}

static void test_other_solves(void **state)
{
    static problem p;
    (void)state;
    double factor = 0.25;
    stn_operator m;
    solver_must(stn_operator_create(&m, "a quarter", N, problem_diagonal, &factor));
    problem_set(&p, 0.7, 0.0);
    stn_checkpoint *const checkpoint = make(&gmres, &p, 5);
    stn_solver_options s = gmres;
    s.method = STN_SOLVER_BICGSTAB, s.basis = (stn_storage){0};
    refused(&s, &p, checkpoint, STN_ERR_ARGUMENT, "is of GMRES, not of BiCGStab");
    s = gmres, s.arithmetic = STN_F32;
    refused(&s, &p, checkpoint, STN_ERR_ARGUMENT, "arithmetic");
    s = gmres, s.restart = 9;
    refused(&s, &p, checkpoint, STN_ERR_ARGUMENT, "has restart 8, the solver 9");
    s = gmres, s.basis = stn_storage_of(STN_BF16);
    refused(&s, &p, checkpoint, STN_ERR_ARGUMENT, "a basis of format");
    s = gmres, s.preconditioner = &m;
    refused(&s, &p, checkpoint, STN_ERR_ARGUMENT, "a preconditioner nowhere, the solver on the ri");
    p.b[3] += 1e-13;
    refused(&gmres, &p, checkpoint, STN_ERR_ARGUMENT, "another b");
    p.b[3] -= 1e-13;
    expect_other_b_refused(&p, checkpoint);
    stn_checkpoint_release(checkpoint);
}

/* Fewer rows; and several columns. */
static void test_other_shapes(void **state)
{
    static problem p;
    static double b[N], x[N];
    static const int64_t half = N / 2, two[] = {N / 2, 2};
    stn_matrix *matrix;
    stn_operator a;
    stn_view b_view, x_view;
    (void)state;
    problem_set(&p, 0.7, 0.0);
    stn_solver_options solver = gmres;
    solver.checkpoint = make(&gmres, &p, 5);
    static int64_t start[N / 2 + 1];
    static int32_t column[N / 2];
    static double value[N / 2];
    for (int i = 0; i < half; i++)
        start[i + 1] = i + 1, column[i] = i, value[i] = b[i] = 1;
    solver_must(
        wrap_csr(&matrix, "half", stn_storage_of(STN_F64), half, half, start, column, value));
    solver_must(stn_operator_of_matrix(&a, matrix));
    solver_must(stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), b, 1, &half));
    solver_must(stn_view_wrap(&x_view, "x", stn_storage_of(STN_F64), x, 1, &half));
    assert_int_equal(stn_solve(order_use(0), &x_view, &a, &b_view, &solver, NULL),
                     STN_ERR_ARGUMENT);
    assert_non_null(strstr(stn_error(), "has rows 150, the solver 75"));
    solver_must(stn_view_wrap(&b_view, "b", stn_storage_of(STN_F64), b, 2, two));
    solver_must(stn_view_wrap(&x_view, "x", stn_storage_of(STN_F64), x, 2, two));
    assert_int_equal(stn_solve(order_use(0), &x_view, &a, &b_view, &solver, NULL),
                     STN_ERR_UNSUPPORTED);
    assert_non_null(strstr(stn_error(), "b has 2 columns; a checkpoint supports one"));
    stn_checkpoint_release(solver.checkpoint);
}

/* With the same limit as before there is nothing to do: x is that of the last iteration. */
static void test_spent(void **state)
{
    static problem p;
    static outcome first, o;
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options inner =
            STN_INIT(stn_solver_options, .arithmetic = STN_F32, .relative_tolerance = 1e-3);
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .max_iterations = 3,
                     .restart = 20, .inner = &inner);
        problem_set(&p, 0.0, 0.0);
        problem_solve(order_use(0), &solver, &p, &first);
        solver.checkpoint = make(&solver, &p, 3);
        memset(&o, 0, sizeof o);
        assert_int_equal(solve_part(order_use(0), &solver, &p, &o), STN_ERR_CONVERGENCE);
        assert_int_equal(o.solution.reason, STN_STOP_MAX_ITERATIONS);
        assert_int_equal(o.solution.iterations, 3);
        assert_int_equal(o.solution.history_count, 0);
        assert_memory_equal(o.x, first.x, sizeof o.x);
        assert_false(is_empty(solver.checkpoint));
        stn_checkpoint_release(solver.checkpoint);
    }
}

/* The checkpoint stays as it was when a call fails. */
static void test_no_memory(void **state)
{
    static problem p;
    static outcome whole, o;
    int failures = 0;
    (void)state;
    problem_set(&p, 0.7, 0.0);
    problem_solve(order_use(0), &gmres, &p, &whole);
    stn_solver_options solver = gmres;
    solver.max_iterations = 6;
    solver.checkpoint = make(&gmres, &p, 5);
    for (int64_t nth = 1; nth < 100; nth++) {
        stn_fail_allocation(nth);
        memset(&o, 0, sizeof o);
        const stn_status status = solve_part(order_use(0), &solver, &p, &o);
        stn_fail_allocation(0);
        if (status == STN_ERR_CONVERGENCE)
            break;
        assert_int_equal(status, STN_ERR_MEMORY);
        failures++;
    }
    assert_true(failures > 8);
    assert_int_equal(o.solution.iterations, 6);
    solver.max_iterations = 0;
    o.solution.history_count = 6;
    assert_int_equal(solve_part(order_use(0), &solver, &p, &o), STN_OK);
    assert_memory_equal(o.x, whole.x, sizeof o.x);
    stn_checkpoint_release(solver.checkpoint);
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
        cmocka_unit_test(test_methods),      cmocka_unit_test(test_bases),
        cmocka_unit_test(test_bad_endings),  cmocka_unit_test(test_refinement),
        cmocka_unit_test(test_files),        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_other_solves), cmocka_unit_test(test_other_shapes),
        cmocka_unit_test(test_spent),        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("checkpoints", tests, NULL, release);
}
