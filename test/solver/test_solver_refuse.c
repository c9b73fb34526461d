/* Calls of stn_solve that are refused, and calls that fail: operators of the caller, memory. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "core/available.h"
#include "core/memory.h"
#include "linear_system.h"
#include "matrix.h"
#include "order_oracle.h"

static linear_system s;
static outcome o;

/* ---- refusals ---- */

/* The calls refused below, in real and in complex arithmetic. */
static stn_view b, x, real_b, real_x;
static number b_data[MOST_ROWS], x_data[MOST_ROWS];
static double real_data[2][MOST_ROWS];

static void set_up(int is_complex)
{
    system_make(&s, POSITIVE, is_complex);
    const int64_t rows = s.rows;
    system_vector(&s, &b, "b", b_data);
    system_vector(&s, &x, "x", x_data);
    expect_ok(stn_view_wrap(&real_b, "b", stn_storage_of(STN_F64), real_data[0], 1, &rows));
    expect_ok(stn_view_wrap(&real_x, "x", stn_storage_of(STN_F64), real_data[1], 1, &rows));
    memset(x_data, 0, sizeof x_data);
}

static void expect_x_unchanged(void)
{
    for (int i = 0; i < s.rows; i++)
        assert_true(x_data[i] == 0 && real_data[1][i] == 0);
}

/* Default options with one member set. */
#define REFUSED(status, text, ...)                                                                 \
    {                                                                                              \
        STN_INIT(stn_solver_options, __VA_ARGS__), status, text                                    \
    }

static const stn_solver_options good = STN_SOLVER_OPTIONS_INIT;

UNIT_TEST(test_options)
{
    const struct {
        stn_solver_options options;
        stn_status status;
        const char *text;
    } cases[] = {
        REFUSED(STN_ERR_ARGUMENT, "method is 9; it must be STN_SOLVER_CG (0) to",
                .method = (stn_solver_method)9),
        REFUSED(STN_ERR_FORMAT, "real numbers, and the arithmetic is complex",
                .arithmetic = STN_C128),
        REFUSED(STN_ERR_UNSUPPORTED, "f64, f32, c128 or c64", .arithmetic = STN_C32),
        REFUSED(STN_ERR_ARGUMENT, "relative_tolerance is -1", .relative_tolerance = -1),
        REFUSED(STN_ERR_ARGUMENT, "absolute_tolerance is", .absolute_tolerance = NAN),
        REFUSED(STN_ERR_ARGUMENT, "restart is -4", .restart = -4),
        REFUSED(STN_ERR_RANGE, "restart is 9223372036854775807; it must be at most 1048576",
                .restart = INT64_MAX),
        REFUSED(STN_ERR_ARGUMENT, "options.inner is NULL; set it to",
                .method = STN_SOLVER_REFINEMENT),
        REFUSED(STN_ERR_UNSUPPORTED, "set that of its inner solver",
                .method = STN_SOLVER_REFINEMENT, .inner = &good, .preconditioner = &s.a),
        REFUSED(STN_ERR_ARGUMENT, "side is 2; it must be STN_PRECONDITIONER_RIGHT (0) or",
                .side = (stn_preconditioner_side)2),
        REFUSED(STN_ERR_ARGUMENT, "orthogonalization is 9; it must be", .method = STN_SOLVER_GMRES,
                .orthogonalization = (stn_orthogonalization)9),
        REFUSED(STN_ERR_ARGUMENT, "orthogonalization is -1; it must be",
                .method = STN_SOLVER_FGMRES, .orthogonalization = (stn_orthogonalization)-1),
        REFUSED(STN_ERR_ARGUMENT, "BiCGStab has no basis; orthogonalization must be",
                .method = STN_SOLVER_BICGSTAB, .orthogonalization = STN_ORTHOGONALIZATION_ONCE),
        REFUSED(STN_ERR_UNSUPPORTED, "CG does not support a preconditioner on the left",
                .side = STN_PRECONDITIONER_LEFT),
        REFUSED(STN_ERR_ARGUMENT, "stn_solve: basis has scale 0.5 and zero point 0",
                .method = STN_SOLVER_GMRES, .basis = {.format = STN_F16, .scale = 0.5}),
        REFUSED(STN_ERR_ARGUMENT, "stn_solve: basis has scale 1 and zero point 3",
                .method = STN_SOLVER_GMRES, .basis = {.scale = 1.0, .zero = 3.0}),
        REFUSED(STN_ERR_FORMAT, "stn_solve: basis.format is 99", .method = STN_SOLVER_GMRES,
                .basis = {.format = (stn_format)99, .scale = 1.0}),
        REFUSED(STN_ERR_ARGUMENT, "stn_solve: basis: rounding 99 is unknown",
                .method = STN_SOLVER_GMRES, .basis = {.rounding = (stn_rounding)99}),
        REFUSED(STN_ERR_UNSUPPORTED, "is not a real format", .method = STN_SOLVER_GMRES,
                .basis = stn_storage_of(STN_C64))};
    set_up(0);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect_error(stn_solve(order_use(0), &x, &s.a, &b, &cases[k].options, NULL),
                     cases[k].status, cases[k].text);
    stn_solver_options sized = good;
    sized.size = 3;
    expect_error(stn_solve(order_use(0), &x, &s.a, &b, &sized, NULL), STN_ERR_ARGUMENT,
                 "options: the member size is 3, which no version of stn_solver_options has");
    for (int method = 0; method < METHODS; method++) {
        stn_solver_options options =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)method, .inner = &good,
                     .basis = stn_storage_of(STN_F64));
        char text[80];
        if (traits[method].has_basis)
            continue;
        snprintf(text, sizeof text, "%s has no basis; basis and basis_block", traits[method].name);
        expect_error(stn_solve(order_use(0), &x, &s.a, &b, &options, NULL), STN_ERR_ARGUMENT, text);
        options.basis = good.basis;
        options.basis_block = 32;
        expect_error(stn_solve(order_use(0), &x, &s.a, &b, &options, NULL), STN_ERR_ARGUMENT, text);
    }
    expect_x_unchanged();
}

UNIT_TEST(test_complex_options)
{
    const stn_solver_options real = STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES),
                             plain = STN_INIT(stn_solver_options, .arithmetic = STN_C128),
                             is_unsigned =
                                 STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES,
                                          .arithmetic = STN_C128, .basis = stn_storage_of(STN_U8)),
                             refined = STN_INIT(stn_solver_options, .method = STN_SOLVER_REFINEMENT,
                                                .arithmetic = STN_C128, .inner = &good);
    set_up(1);
    b_data[0] = real_data[0][3] = 1.0;
    const struct {
        const stn_solver_options *options;
        const stn_view *b, *x;
        stn_status status;
        const char *text;
    } cases[] = {{&real, &b, &x, STN_ERR_FORMAT, "complex numbers, and the arithmetic is real"},
                 {&plain, &real_b, &x, STN_ERR_FORMAT, "b (f64, 121) has real numbers"},
                 {&plain, &b, &real_x, STN_ERR_FORMAT, "x (f64, 121) has real numbers"},
                 {&real, &real_b, &real_x, STN_ERR_UNSUPPORTED,
                  "format c128 cannot be used with arithmetic f64"},
                 {&is_unsigned, &b, &x, STN_ERR_UNSUPPORTED, "the basis is unsigned"},
                 {&refined, &b, &x, STN_ERR_FORMAT, "complex numbers, and the arithmetic is real"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect_error(stn_solve(order_use(0), cases[k].x, &s.a, cases[k].b, cases[k].options, NULL),
                     cases[k].status, cases[k].text);
    expect_x_unchanged();
}

UNIT_TEST(test_operands)
{
    const stn_exec *const exec = order_use(0);
    stn_operator none = {0}, larger;
    stn_solver_report report = STN_INIT(stn_solver_report, .residual = 1, .stored_residual = 1);
    stn_view values;
    set_up(0);
    expect_ok(stn_operator_create(&larger, "larger", s.rows + 1, system_diagonal, NULL));
    const stn_solver_options inverted = STN_INIT(stn_solver_options, .preconditioner = &larger);
    expect_error(stn_solve(exec, &x, NULL, &b, &good, NULL), STN_ERR_ARGUMENT, "A is NULL");
    expect_error(stn_solve(exec, &x, &none, &b, &good, NULL), STN_ERR_ARGUMENT, "A is no operator");
    expect_error(stn_solve(exec, &x, &s.a, NULL, &good, NULL), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_solve(exec, NULL, &s.a, &b, &good, NULL), STN_ERR_ARGUMENT, "NULL");
    expect_error(stn_solve(exec, &b, &s.a, &b, &good, NULL), STN_ERR_ALIAS, "overlaps");
    expect_ok(stn_view_wrap(&values, "x", stn_storage_of(STN_F64), s.value, 1, &b.extent[0]));
    expect_error(stn_solve(exec, &values, &s.a, &b, &good, &report), STN_ERR_ALIAS,
                 "overlaps the values of");
    assert_true(isnan(report.residual) && isnan(report.stored_residual));
    expect_error(stn_solve(exec, &x, &s.a, &b, &inverted, NULL), STN_ERR_SHAPE,
                 "151 rows, not 150");
    expect_error(stn_solve(exec, &x, &larger, &b, &good, NULL), STN_ERR_SHAPE,
                 "not vectors of 151");
    expect_x_unchanged();
    assert_string_equal(stn_stop_reason_name((stn_stop_reason)99), "unknown stop reason");
}

UNIT_TEST(test_operators)
{
    stn_operator op;
    stn_matrix *oblong;
    set_up(0);
    expect_error(stn_operator_create(NULL, "", 1, system_diagonal, NULL), STN_ERR_ARGUMENT, NULL);
    expect_error(stn_operator_create(&op, "", 1, NULL, NULL), STN_ERR_ARGUMENT, NULL);
    assert_int_equal(op.size, 0);
    expect_error(stn_operator_create(&op, "", -1, system_diagonal, NULL), STN_ERR_SHAPE, NULL);
    expect_error(stn_operator_of_matrix(&op, NULL), STN_ERR_ARGUMENT, NULL);
    expect_ok(wrap_csr(&oblong, "oblong", stn_storage_of(STN_F64), s.rows - 1, s.rows, s.start,
                       s.column, s.value));
    expect_error(stn_operator_of_matrix(&op, oblong), STN_ERR_SHAPE, NULL);
    stn_matrix_release(oblong);
}

/* Shapes of several columns and of their reports. */
UNIT_TEST(test_columns)
{
    enum { COLUMNS = 5 };
    static double data[2][MOST_ROWS * COLUMNS];
    static stn_solver_report columns[COLUMNS];
    const stn_storage f64 = stn_storage_of(STN_F64);
    const int64_t extents[] = {150, COLUMNS}, fewer[] = {150, COLUMNS - 1};
    stn_view many_b, many_x;
    set_up(0);
    expect_ok(stn_view_wrap(&many_b, "b", f64, data[0], 2, extents));
    expect_ok(stn_view_wrap(&many_x, "x", f64, data[1], 2, extents));
    stn_solver_report report =
        STN_INIT(stn_solver_report, .column_reports = columns, .column_capacity = COLUMNS - 1);
    for (int c = 0; c < COLUMNS; c++)
        columns[c] = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    expect_error(stn_solve(order_use(0), &many_x, &s.a, &many_b, &good, &report), STN_ERR_SHAPE,
                 "column_capacity is 4; b has 5 columns");
    report.column_capacity = COLUMNS;
    columns[4].size = 0;
    expect_error(stn_solve(order_use(0), &many_x, &s.a, &many_b, &good, &report), STN_ERR_ARGUMENT,
                 "column_reports[4].size is 0; it must be that of the report, ");
    expect_ok(stn_view_wrap(&many_b, "b", f64, data[0], 2, fewer));
    expect_error(stn_solve(order_use(0), &many_x, &s.a, &many_b, &good, NULL), STN_ERR_SHAPE,
                 "numbers of columns");
    expect_error(stn_solve(order_use(0), &many_x, &s.a, &b, &good, NULL), STN_ERR_SHAPE,
                 "not vectors of 150");
    for (int i = 0; i < 150 * COLUMNS; i++)
        assert_true(data[1][i] == 0);
}

/* ---- failing operators ---- */

typedef struct failing {
    const linear_system *system; /* multiplies by its matrix; NULL: by a diagonal */
    int calls, at, ever;
} failing;

static stn_status fail_at(void *context, const stn_exec *exec, stn_format arithmetic,
                          const stn_view *from, const stn_view *to)
{
    failing *const f = context;
    number factor = 0.25;
    if (++f->calls == f->at || (f->ever && f->calls > f->at))
        return STN_ERR_IO;
    return f->system ? stn_spmv(exec, arithmetic, 1.0, f->system->matrix, from, 0.0, to)
                     : system_diagonal(&factor, exec, arithmetic, from, to);
}

/* The status of the operator is that of the solve, and x that of a solve limited to the reported
 * iterations. */
static void expect_rescued(stn_solver_options solver, failing *f)
{
    static outcome fewer;
    f->calls = 0;
    system_solve(order_use(0), &solver, &s, &o);
    assert_int_equal(o.status, STN_ERR_IO);
    assert_int_equal(o.solution.reason, STN_STOP_CALL_FAILED);
    f->calls = INT_MIN;
    memset(&fewer, 0, sizeof fewer);
    solver.max_iterations = o.solution.iterations;
    if (solver.max_iterations > 0)
        system_solve(order_use(0), &solver, &s, &fewer);
    if (memcmp(o.x, fewer.x, sizeof o.x) != 0)
        fail_msg("%s, call %d of %s: x is not of %d iterations", traits[solver.method].name, f->at,
                 f->system ? "A" : "M", (int)solver.max_iterations);
}

UNIT_TEST(test_operator_fails)
{
    static linear_system plain;
    const stn_solver_options inner = STN_INIT(stn_solver_options, .relative_tolerance = 0.03);
    system_make(&plain, POSITIVE, 0);
    system_make(&s, POSITIVE, 0);
    for (int k = 0; k < METHODS * 3 * 25; k++) {
        const int method = k / 75, side = k / 25 % 3, at = k % 25 + 1;
        if (side && (method == STN_SOLVER_REFINEMENT || side > 1 + traits[method].has_left))
            continue;
        for (int way = 0; way < (side ? 4 : 2); way++) {
            failing fa = {&plain, 0, way < 2 ? at : INT_MAX, way % 2};
            failing fm = {NULL, INT_MIN, way < 2 ? INT_MAX : at, way % 2};
            stn_operator m;
            expect_ok(stn_operator_create(&s.a, "A fails", s.rows, fail_at, &fa));
            expect_ok(stn_operator_create(&m, "M fails", s.rows, fail_at, &fm));
            const stn_solver_options solver =
                STN_INIT(stn_solver_options, .method = (stn_solver_method)method,
                         .preconditioner = side ? &m : NULL,
                         .side = side == 2 ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT,
                         .restart = 5, .inner = &inner);
            expect_rescued(solver, way < 2 ? &fa : &fm);
        }
    }
    system_release(&plain);
}

/* Fails at one call without a message; with calls of -99 the first call fails in the library. */
static stn_status pump(void *context, const stn_exec *exec, stn_format arithmetic,
                       const stn_view *from, const stn_view *to)
{
    (void)arithmetic;
    if (--*(int *)context == 0)
        return STN_ERR_IO;
    if (*(int *)context == -100)
        return stn_view_fill(exec, NULL, 0.0);
    return stn_view_copy(exec, to, from);
}

/* The message names the operator, and is not that of an earlier failure; a message recorded by the
 * operator is kept. */
UNIT_TEST(test_names_failed_operator)
{
    static const struct {
        int at;
        const char *text;
    } cases[] = {{1, "the pump returned status 6 (STN_ERR_IO)"}, {-99, "stn_view_fill: "}};
    for (int k = 0; k < 4 * METHODS; k++) {
        const int is_preconditioner = k % 2, which = k / 2 % 2;
        int calls = cases[which].at;
        stn_operator failing_one;
        stn_solver_options solver =
            STN_INIT(stn_solver_options, .method = (stn_solver_method)(k / 4));
        if (solver.method == STN_SOLVER_REFINEMENT)
            continue;
        system_make(&s, POSITIVE, 0);
        expect_ok(stn_operator_create(&failing_one, "the pump", s.rows, pump, &calls));
        if (is_preconditioner)
            solver.preconditioner = &failing_one;
        else
            s.a = failing_one;
        expect_error(stn_matrix_set_label(NULL, ""), STN_ERR_ARGUMENT, NULL);
        system_solve(order_use(0), &solver, &s, &o);
        assert_int_equal(o.solution.reason, STN_STOP_CALL_FAILED);
        expect_error(o.status, which ? STN_ERR_ARGUMENT : STN_ERR_IO, cases[which].text);
    }
}

/* ---- memory ---- */

static stn_status never_called(void *context, const stn_exec *exec, stn_format arithmetic,
                               const stn_view *from, const stn_view *to)
{
    (void)context, (void)exec, (void)arithmetic, (void)from, (void)to;
    fail_msg("A is called");
    return STN_ERR_IO;
}

/* A solve that needs more memory than there is computes and allocates nothing. */
UNIT_TEST(test_available_memory)
{
    static const struct {
        stn_format arithmetic, x, basis;
        double available;
        const char *text;
    } cases[] = {
        /* 4 vectors of 4e8 bytes, 101 of 1e8, 174400 bytes for the small matrices */
        {STN_F64, STN_U8, STN_F16, 11e9,
         "GMRES needs 1.17e+10 bytes, 1.01e+10 of them for a basis of 101 vectors of 50000000 "
         "elements; 1.1e+10 are free"},
        /* 5 vectors of 8e8 bytes, 101 of 2e8 */
        {STN_C128, STN_C32, STN_C32, 24e9,
         "GMRES needs 2.42e+10 bytes, 2.02e+10 of them for a basis of 101 vectors of 50000000 "
         "elements; 2.4e+10 are free"}};
    static number element;
    static const int64_t rows = 50000000, zero = 0;
    stn_operator a;
    assert_true(stn_available_memory() > 1e6 && stn_available_memory() < 0x1p60);
    expect_ok(stn_operator_create(&a, "large", rows, never_called, NULL));
    for (int k = 0; k < 2; k++) {
        stn_solver_report report = STN_SOLVER_REPORT_INIT;
        stn_view large_b, large_x;
        expect_ok(stn_view_wrap_spec(
            &large_b,
            &STN_VIEW_SPEC(.label = "b", .storage = stn_storage_of(cases[k].arithmetic),
                           .data = &element, .rank = 1, .extents = &rows, .strides = &zero)));
        expect_ok(stn_view_create_spec(
            order_use(0), &large_x,
            &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(cases[k].x), .rank = 1,
                           .extents = &rows, .flags = STN_CREATE_UNINITIALIZED)));
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = STN_SOLVER_GMRES, .arithmetic = cases[k].arithmetic,
            .restart = 100, .basis = stn_storage_of(cases[k].basis));
        stn_memory_pretend(cases[k].available);
        stn_fail_allocation(1); /* would have another message */
        const stn_status status = stn_solve(order_use(0), &large_x, &a, &large_b, &solver, &report);
        stn_fail_allocation(0);
        stn_memory_pretend(-1.0);
        expect_error(status, STN_ERR_MEMORY, cases[k].text);
        assert_int_equal(report.reason, STN_STOP_CALL_FAILED);
        expect_ok(stn_view_release(&large_x));
    }
}

/* Each allocation fails once. */
UNIT_TEST(test_no_memory)
{
    for (int k = 0; k < 2 * METHODS; k++) {
        const int is_complex = k / METHODS, method = k % METHODS;
        int failures = 0;
        system_make(&s, POSITIVE, is_complex);
        const stn_operator m = system_inverse(&s, 1);
        const stn_solver_options solver = STN_INIT(
            stn_solver_options, .method = (stn_solver_method)method,
            .arithmetic = is_complex ? STN_C128 : STN_F64, .inner = &narrow_inner[is_complex],
            .preconditioner = method == STN_SOLVER_REFINEMENT ? NULL : &m,
            .side =
                method == STN_SOLVER_BICGSTAB ? STN_PRECONDITIONER_LEFT : STN_PRECONDITIONER_RIGHT,
            .restart = is_complex ? 10 : 50, .basis = basis_of((stn_solver_method)method, STN_I16));
        for (int64_t nth = 1; nth < 60; nth++) {
            stn_fail_allocation(nth);
            system_solve(order_use(0), &solver, &s, &o);
            stn_fail_allocation(0);
            if (o.status == STN_OK)
                break;
            assert_int_equal(o.status, STN_ERR_MEMORY);
            for (int i = 0; i < s.rows; i++)
                assert_true(o.solution.iterations ? isfinite(creal(o.x[i])) : o.x[i] == 0);
            failures++;
        }
        assert_true(failures >= 5);
    }
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
