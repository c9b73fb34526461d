/* Solves that stop and continue from a checkpoint have the bits of uninterrupted ones: every
 * method, basis and limit, by bytes and by files, real and complex; and refused checkpoints. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "linear_system.h"
#include "matrix.h"
#include "order_oracle.h"

enum { MOST_PARTS = 1000 };

static linear_system s;
static outcome whole, o;

/* ---- parts ---- */

/* What ends a part. */
typedef enum way { BY_ITERATIONS, BY_MONITOR, BY_TIME, WAYS } way;

static int stop(void *context, const stn_solver_progress *progress)
{
    return progress->iteration >= *(const int64_t *)context;
}

/* Another object with the same bytes. */
static void renew(stn_checkpoint **checkpoint)
{
    stn_checkpoint *copy;
    const void *bytes;
    int64_t count;
    expect_ok(stn_checkpoint_bytes(*checkpoint, &bytes, &count));
    expect_ok(stn_checkpoint_create(&copy));
    expect_ok(stn_checkpoint_assign(copy, bytes, count));
    stn_checkpoint_release(*checkpoint);
    *checkpoint = copy;
}

static int is_empty(const stn_checkpoint *checkpoint)
{
    const void *bytes;
    int64_t count;
    expect_ok(stn_checkpoint_bytes(checkpoint, &bytes, &count));
    assert_true((bytes == NULL) == (count == 0));
    return count == 0;
}

/* From the checkpoint, which contains x, or from zeros. */
static stn_status solve_part(const stn_exec *exec, const stn_solver_options *solver)
{
    for (int i = 0; i < s.rows && !is_empty(solver->checkpoint); i++)
        o.x[i] = (1e9 + i) * (s.is_complex ? 1.0 + I : 1.0);
    system_continue(exec, solver, &s, &o);
    return o.status;
}

/* In parts of `length` iterations, each on another executor, with another object. */
static int solve_parts(const stn_solver_options *options, int64_t length, way end)
{
    int64_t at = 0;
    stn_solver_options solver = *options;
    int parts = 0;
    memset(&o, 0, sizeof o);
    expect_ok(stn_checkpoint_create(&solver.checkpoint));
    do {
        at += length;
        if (end == BY_ITERATIONS)
            solver.max_iterations = at;
        else if (end == BY_MONITOR)
            solver.monitor = stop, solver.monitor_context = &at;
        else
            solver.max_seconds = 1e-9;
        renew(&solver.checkpoint);
        const stn_status status = solve_part(order_use(parts % order_settings()), &solver);
        assert_true(++parts < MOST_PARTS);
        if (status != STN_OK && status != STN_ERR_CONVERGENCE)
            fail_msg("%s", stn_error());
    } while (!is_empty(solver.checkpoint));
    stn_checkpoint_release(solver.checkpoint);
    return parts;
}

static void expect_same(const char *what)
{
    if (o.status != whole.status || o.solution.reason != whole.solution.reason)
        fail_msg("%s: %s, not %s", what, stn_stop_reason_name(o.solution.reason),
                 stn_stop_reason_name(whole.solution.reason));
    assert_int_equal(o.solution.restarts, whole.solution.restarts);
    assert_int_equal(o.solution.inner_iterations, whole.solution.inner_iterations);
    assert_int_equal(o.solution.history_count, whole.solution.history_count);
    assert_memory_equal(&o.solution.residual, &whole.solution.residual, sizeof(double));
    expect_same_bits(&whole, &o, what);
}

/* Real systems: by each way in parts of two lengths, of which thinned out tests take turns. */
static void compare(const stn_solver_options *solver, const char *name)
{
    static const int64_t lengths[] = {1, 3, 7};
    static int turn;
    char what[80];
    turn++;
    system_solve(order_use(0), solver, &s, &whole);
    assert_true(whole.solution.history_count < MOST_HISTORY - 100);
    for (int k = s.is_complex ? WAYS : 0; k < (s.is_complex ? WAYS + 1 : 2 * WAYS); k++) {
        const way end = (way)(k % WAYS);
        if (oracle_quick() && !s.is_complex && (k + turn) % (2 * WAYS) > 1)
            continue;
        snprintf(what, sizeof what, "%s, by %d in parts of %d", name, (int)end,
                 (int)lengths[k / 2]);
        const int parts = solve_parts(solver, lengths[k / 2], end);
        assert_true(parts > 1 || whole.solution.iterations <= lengths[k / 2]);
        expect_same(what);
    }
}

/* ---- methods ---- */

UNIT_TEST(test_methods)
{
    for (int k = 0; k < METHODS * 12; k++) {
        const int method = k / 12, is_complex = k / 6 % 2, side = k / 2 % 3, is_narrow = k % 2;
        if ((method == STN_SOLVER_REFINEMENT && (side || is_narrow)) ||
            (side == 2 && !traits[method].has_left))
            continue;
        const stn_format wide_type = is_complex ? STN_C128 : STN_F64;
        system_make(&s, traits[method].is_symmetric ? POSITIVE : GENERAL, is_complex);
        const stn_operator m = system_inverse(&s, 1);
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                     .arithmetic = is_narrow ? narrow_inner[is_complex].arithmetic : wide_type,
                     .relative_tolerance = is_narrow ? 1e-5 : 1e-11, .restart = 10,
                     .preconditioner = side ? &m : NULL,
                     .side = side == 2 ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT,
                     .inner = &narrow_inner[is_complex]);
        compare(&solver, traits[method].name);
    }
}

UNIT_TEST(test_bases)
{
    for (int k = 0; k < 2 * STN_BUILTIN_FORMATS; k++) {
        const stn_format format = (stn_format)(k / 2);
        const int is_complex = k % 2;
        stn_format_info info = STN_FORMAT_INFO_INIT;
        expect_ok(stn_format_describe(format, &info));
        if (info.kind == STN_CLASS_COMPLEX ? !is_complex : !info.is_signed || is_complex)
            continue;
        system_make(&s, GENERAL, is_complex);
        const stn_operator m = system_inverse(&s, 1);
        stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = format % 2 ? STN_SOLVER_FGMRES : STN_SOLVER_GMRES,
            .arithmetic = is_complex ? STN_C128 : STN_F64, .preconditioner = &m, .restart = 12,
            .basis = stn_storage_of(format));
        compare(&solver, info.name);
        solver.basis_block = 32;
        if (info.kind == STN_CLASS_INTEGER)
            compare(&solver, info.name);
    }
}

UNIT_TEST(test_orthogonalizations)
{
    for (int k = 1; k < 4 * ORTHOGONALIZATIONS; k++) {
        const int kind = k / 4, is_complex = k / 2 % 2, is_narrow = k % 2;
        system_make(&s, GENERAL, is_complex);
        const stn_operator m = system_inverse(&s, 1);
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = is_narrow ? STN_SOLVER_FGMRES : STN_SOLVER_GMRES,
                     .arithmetic = is_complex ? STN_C128 : STN_F64, .preconditioner = &m,
                     .restart = 12, .basis = stn_storage_of(is_narrow ? STN_I16 : STN_F64),
                     .orthogonalization = (stn_orthogonalization)kind);
        compare(&solver, "orthogonalization");
    }
}

/* Solves that do not converge: recurrences that restart. */
UNIT_TEST(test_not_converged)
{
    system_make(&s, POSITIVE, 0);
    for (int method = 0; method < METHODS; method++) {
        const stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .arithmetic = STN_F32,
                     .relative_tolerance = 1e-12, .restart = 10, .inner = &narrow_inner[0]);
        compare(&solver, traits[method].name);
    }
}

typedef struct counter {
    int calls, every;
} counter;

static int stop_sometimes(void *context, const stn_solver_progress *progress)
{
    counter *const c = context;
    (void)progress;
    return ++c->calls % c->every == 0;
}

/* Stops after corrections, and inside the inner solver, which may be refinement again. */
UNIT_TEST(test_refinement)
{
    system_make(&s, POSITIVE, 0);
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
        compare(&solver, is_nested ? "refinement of refinement" : "refinement of GMRES");
        for (int every = 2; every < 30; every += 9) {
            counter count = {0, every};
            stn_solver_options parts = solver;
            int stops = 0;
            innermost.monitor = stop_sometimes;
            innermost.monitor_context = &count;
            memset(&o, 0, sizeof o);
            expect_ok(stn_checkpoint_create(&parts.checkpoint));
            do {
                renew(&parts.checkpoint);
                (void)solve_part(order_use(0), &parts);
                assert_true(++stops < MOST_PARTS);
            } while (!is_empty(parts.checkpoint));
            innermost.monitor = NULL;
            stn_checkpoint_release(parts.checkpoint);
            assert_true(stops > 1);
            expect_same("an inner solver in parts");
        }
    }
}

/* ---- files and bytes ---- */

static const stn_solver_options gmres = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES,
                                                 .restart = 8, .basis = {.format = STN_F16});

/* A checkpoint of s after that many iterations. */
static stn_checkpoint *make(const stn_solver_options *solver, int64_t iterations)
{
    stn_solver_options part = *solver;
    part.max_iterations = iterations;
    expect_ok(stn_checkpoint_create(&part.checkpoint));
    memset(&o, 0, sizeof o);
    assert_int_equal(solve_part(order_use(0), &part), STN_ERR_CONVERGENCE);
    assert_int_equal(o.solution.reason, STN_STOP_MAX_ITERATIONS);
    assert_false(is_empty(part.checkpoint));
    return part.checkpoint;
}

UNIT_TEST(test_files)
{
    char path[] = "/tmp/steno-test-XXXXXX";
    const int descriptor = mkstemp(path);
    stn_solver_options solver = gmres;
    assert_true(descriptor >= 0);
    close(descriptor);
    system_make(&s, GENERAL, 0);
    system_solve(order_use(0), &solver, &s, &whole);
    solver.checkpoint = make(&gmres, 11);
    expect_ok(stn_checkpoint_save(solver.checkpoint, path));
    stn_checkpoint_release(solver.checkpoint);
    expect_ok(stn_checkpoint_create(&solver.checkpoint));
    expect_ok(stn_checkpoint_load(solver.checkpoint, path));
    (void)solve_part(order_use(0), &solver);
    expect_same("a file");
    expect_error(stn_checkpoint_save(solver.checkpoint, path), STN_ERR_ARGUMENT, "empty");
    for (int length = 100; length >= 0; length -= 100) {
        assert_int_equal(truncate(path, length), 0);
        expect_error(stn_checkpoint_load(solver.checkpoint, path), STN_ERR_PARSE, NULL);
    }
    assert_int_equal(unlink(path), 0);
    expect_error(stn_checkpoint_load(solver.checkpoint, path), STN_ERR_IO, path);
    assert_true(is_empty(solver.checkpoint));
    stn_checkpoint_release(solver.checkpoint);
    solver.checkpoint = make(&gmres, 3);
    expect_error(stn_checkpoint_save(solver.checkpoint, "/tmp/absent/file"), STN_ERR_IO, NULL);
    expect_error(stn_checkpoint_save(solver.checkpoint, "/tmp"), STN_ERR_IO, NULL);
    stn_checkpoint_release(solver.checkpoint);
}

/* Truncated after each byte, and with each bit of some bytes flipped. */
UNIT_TEST(test_bytes)
{
    const void *bytes;
    int64_t count;
    stn_checkpoint *copy;
    system_make(&s, GENERAL, 0);
    stn_checkpoint *const checkpoint = make(&gmres, 5);
    expect_ok(stn_checkpoint_create(&copy));
    expect_ok(stn_checkpoint_bytes(checkpoint, &bytes, &count));
    unsigned char *const altered = calloc((size_t)count + 8, 1);
    assert_non_null(altered);
    memcpy(altered, bytes, (size_t)count);
    for (int64_t length = 1; length < count; length += length < 300 ? 1 : 97)
        assert_int_equal(stn_checkpoint_assign(copy, altered, length), STN_ERR_PARSE);
    assert_int_equal(stn_checkpoint_assign(copy, altered, count + 8), STN_ERR_PARSE);
    for (int64_t at = 0; at < count; at += at < 200 ? 1 : 61)
        for (int bit = 0; bit < 8; bit++) {
            altered[at] = (unsigned char)(altered[at] ^ 1 << bit);
            if (stn_checkpoint_assign(copy, altered, count) != STN_ERR_PARSE)
                fail_msg("bit %d of byte %d does not matter", bit, (int)at);
            altered[at] = (unsigned char)(altered[at] ^ 1 << bit);
        }
    assert_true(is_empty(copy));
    expect_ok(stn_checkpoint_assign(copy, altered, count));
    assert_false(is_empty(copy));
    expect_ok(stn_checkpoint_assign(copy, NULL, 0));
    assert_true(is_empty(copy));
    expect_error(stn_checkpoint_assign(copy, NULL, 3), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_checkpoint_assign(copy, altered, -1), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_checkpoint_assign(NULL, altered, count), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_checkpoint_bytes(NULL, &bytes, &count), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_checkpoint_bytes(copy, NULL, &count), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_checkpoint_bytes(copy, &bytes, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_checkpoint_create(NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_checkpoint_save(NULL, "x"), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_checkpoint_save(checkpoint, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_checkpoint_load(NULL, "x"), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_checkpoint_load(checkpoint, NULL), STN_ERR_ARGUMENT, NULL);
    stn_checkpoint_release(NULL);
    free(altered);
    stn_checkpoint_release(copy);
    stn_checkpoint_release(checkpoint);
}

/* ---- other solves ---- */

/* The solve of s is refused; x and the checkpoint are unchanged. */
static void refused(const stn_solver_options *solver, stn_checkpoint *checkpoint, const char *text)
{
    stn_solver_options options = *solver;
    const void *bytes;
    int64_t before, after;
    options.checkpoint = checkpoint;
    expect_ok(stn_checkpoint_bytes(checkpoint, &bytes, &before));
    system_solve(order_use(0), &options, &s, &o);
    expect_error(o.status, STN_ERR_ARGUMENT, text);
    for (int i = 0; i < s.rows; i++)
        assert_true(o.x[i] == 0);
    expect_ok(stn_checkpoint_bytes(checkpoint, &bytes, &after));
    assert_int_equal(before, after);
}

UNIT_TEST(test_other_options)
{
    system_make(&s, GENERAL, 0);
    const stn_operator m = system_inverse(&s, 1);
    stn_checkpoint *const checkpoint = make(&gmres, 5);
    stn_solver_options other = gmres;
    other.method = STN_SOLVER_BICGSTAB, other.basis = (stn_storage){0};
    refused(&other, checkpoint, "belongs to method GMRES, but the method is BiCGStab");
    other = gmres, other.arithmetic = STN_F32;
    refused(&other, checkpoint, "the checkpoint has arithmetic");
    other = gmres, other.restart = 9;
    refused(&other, checkpoint, "has restart 8, but the solve has 9");
    other = gmres, other.basis = stn_storage_of(STN_BF16);
    refused(&other, checkpoint, "a basis of format");
    other = gmres, other.orthogonalization = STN_ORTHOGONALIZATION_ONCE;
    refused(&other, checkpoint, "has orthogonalization 0, but the solve has 1");
    other = gmres, other.preconditioner = &m;
    refused(&other, checkpoint,
            "has no preconditioner, but the solve has a preconditioner on the ri");
    stn_checkpoint_release(checkpoint);
}

/* Also with the same norm: -b, one sign, two elements exchanged. */
UNIT_TEST(test_other_b)
{
    number kept[MOST_ROWS];
    system_make(&s, GENERAL, 0);
    stn_checkpoint *const checkpoint = make(&gmres, 5);
    memcpy(kept, s.b, sizeof kept);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < s.rows && k == 0; i++)
            s.b[i] = -s.b[i];
        if (k == 1)
            s.b[7] = -s.b[7];
        if (k == 2)
            s.b[1] = kept[0], s.b[0] = kept[1];
        if (k == 3)
            s.b[3] += 1e-13;
        refused(&gmres, checkpoint, "another b");
        memcpy(s.b, kept, sizeof kept);
    }
    stn_checkpoint_release(checkpoint);
}

/* A checkpoint of real arithmetic in complex arithmetic, and one of c128 in c64. */
UNIT_TEST(test_other_arithmetic)
{
    static const stn_format others[] = {STN_C128, STN_C64};
    stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .max_iterations = 3);
    system_make(&s, GENERAL, 0);
    solver.checkpoint = make(&solver, 3);
    for (int k = 0; k < 2; k++) {
        solver.arithmetic = others[k];
        s.is_complex = 1;
        refused(&solver, solver.checkpoint, "the checkpoint has arithmetic");
        expect_ok(stn_checkpoint_assign(solver.checkpoint, NULL, 0));
        solver.arithmetic = STN_C128;
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.solution.reason, STN_STOP_MAX_ITERATIONS);
    }
    stn_checkpoint_release(solver.checkpoint);
}

/* Fewer rows, and several columns. */
UNIT_TEST(test_other_shapes)
{
    static double b[150], x[150];
    static const int64_t two[] = {75, 2};
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_solver_options solver = gmres;
    stn_view b_view, x_view;
    system_make(&s, GENERAL, 0);
    solver.checkpoint = make(&gmres, 5);
    system_clear(&s, 75, 0);
    for (int i = 0; i < 75; i++)
        system_store(&s, i, i, s.b[i] = 1);
    system_wrap(&s);
    refused(&gmres, solver.checkpoint, "has rows 150, but the solve has 75");
    expect_ok(stn_view_wrap(&b_view, "b", f64, b, 2, two));
    expect_ok(stn_view_wrap(&x_view, "x", f64, x, 2, two));
    expect_error(stn_solve(order_use(0), &x_view, &s.a, &b_view, &solver, NULL),
                 STN_ERR_UNSUPPORTED, "b has 2 columns; a checkpoint supports one");
    stn_checkpoint_release(solver.checkpoint);
}

/* With the same limit as before, x is that of the last iteration. */
UNIT_TEST(test_limit_already_reached)
{
    system_make(&s, POSITIVE, 0);
    for (int method = 0; method < METHODS; method++) {
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .max_iterations = 3,
                     .restart = 20, .inner = &narrow_inner[0]);
        system_solve(order_use(0), &solver, &s, &whole);
        solver.checkpoint = make(&solver, 3);
        memset(&o, 0, sizeof o);
        assert_int_equal(solve_part(order_use(0), &solver), STN_ERR_CONVERGENCE);
        assert_int_equal(o.solution.reason, STN_STOP_MAX_ITERATIONS);
        assert_int_equal(o.solution.iterations, 3);
        assert_int_equal(o.solution.history_count, 0);
        assert_memory_equal(o.x, whole.x, sizeof o.x);
        assert_false(is_empty(solver.checkpoint));
        stn_checkpoint_release(solver.checkpoint);
    }
}

/* A call that fails leaves the checkpoint unchanged. */
UNIT_TEST(test_no_memory)
{
    stn_solver_options solver = gmres;
    int failures = 0;
    system_make(&s, GENERAL, 0);
    system_solve(order_use(0), &gmres, &s, &whole);
    solver.checkpoint = make(&gmres, 5);
    solver.max_iterations = 6;
    for (int64_t nth = 1; nth < 100; nth++) {
        stn_fail_allocation(nth);
        memset(&o, 0, sizeof o);
        const stn_status status = solve_part(order_use(0), &solver);
        stn_fail_allocation(0);
        if (status == STN_ERR_CONVERGENCE)
            break;
        assert_int_equal(status, STN_ERR_MEMORY);
        failures++;
    }
    assert_true(failures > 8);
    assert_int_equal(o.solution.iterations, 6);
    solver.max_iterations = 0;
    expect_ok(solve_part(order_use(0), &solver));
    assert_memory_equal(o.x, whole.x, sizeof o.x);
    stn_checkpoint_release(solver.checkpoint);
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
