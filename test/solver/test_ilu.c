/* ILU(0) and IC(0) against elimination of the dense matrix in long double that skips what is not in
 * the pattern: every format, columns in any order, kinds of matrices; in solvers, with the same
 * bits on every executor; and what is refused. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "preconditioner.h"
#include "matrix.h"
#include "steno/ilu.h"
#include "check.h"

enum { EDGE = 9, ROWS = EDGE * EDGE, MOST = ROWS * ROWS };

typedef struct problem {
    double dense[ROWS][ROWS];
    int in[ROWS][ROWS]; /* the pattern */
    int64_t start[ROWS + 1];
    int32_t column[MOST];
    double value[MOST];
    stn_matrix *matrix;
} problem;

/* Rows from `dense` and its pattern, columns in a random order. */
static void make_rows(problem *s, uint64_t *state)
{
    int64_t at = 0;
    for (int i = 0; i < ROWS; i++) {
        s->start[i] = at;
        for (int j = 0; j < ROWS; j++) {
            if (!s->in[i][j])
                continue;
            assert_true(at < MOST);
            const int64_t place =
                s->start[i] + (int64_t)(order_next(state) % (uint64_t)(at - s->start[i] + 1));
            s->column[at] = s->column[place];
            s->value[at++] = s->value[place];
            s->column[place] = j;
            s->value[place] = s->dense[i][j];
        }
    }
    s->start[ROWS] = at;
    expect_ok(wrap_csr(&s->matrix, "mike", stn_storage_of(STN_F64), ROWS, ROWS, s->start, s->column,
                       s->value));
}

/* A 9-point stencil with entries left out here and there: elimination fills in, and what fills in
 * is dropped. */
static void make_problem(problem *s, int is_symmetric)
{
    uint64_t state = 11;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            const int far = abs(i % EDGE - j % EDGE) > 1 || abs(i / EDGE - j / EDGE) > 1;
            if (far || (i != j && order_next(&state) % 5 == 0))
                continue;
            s->in[i][j] = 1;
            s->dense[i][j] = i == j ? 4.5 + draw(&state) : -0.5 + 0.9 * draw(&state);
        }
    for (int i = 0; i < ROWS && is_symmetric; i++)
        for (int j = 0; j < i; j++) {
            s->in[j][i] = s->in[i][j];
            s->dense[j][i] = s->dense[i][j];
        }
    make_rows(s, &state);
}

/* L below the diagonal, U from it on. */
static long double factors[ROWS][ROWS];

static void eliminate(const problem *s)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            factors[i][j] = (long double)s->dense[i][j];
    for (int k = 0; k < ROWS; k++)
        for (int i = k + 1; i < ROWS; i++) {
            if (!s->in[i][k])
                continue;
            factors[i][k] /= factors[k][k];
            for (int j = k + 1; j < ROWS; j++)
                if (s->in[i][j] && s->in[k][j])
                    factors[i][j] -= factors[i][k] * factors[k][j];
        }
}

static void substitute(long double *x)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < i; j++)
            x[i] -= factors[i][j] * x[j];
    for (int i = ROWS - 1; i >= 0; i--) {
        for (int j = i + 1; j < ROWS; j++)
            x[i] -= factors[i][j] * x[j];
        x[i] /= factors[i][i];
    }
}

static void apply(const stn_exec *exec, const stn_preconditioner *m, const double *from, double *to)
{
    stn_operator op;
    expect_ok(stn_operator_of_preconditioner(&op, m));
    assert_true(op.rows == ROWS);
    apply_operator(exec, &op, STN_F64, from, to);
}

static double error_of(const stn_exec *exec, const stn_preconditioner *m)
{
    double from[ROWS], to[ROWS], worst = 0, most = 0;
    long double x[ROWS];
    uint64_t state = 5;
    for (int i = 0; i < ROWS; i++)
        x[i] = (long double)(from[i] = draw(&state));
    apply(exec, m, from, to);
    substitute(x);
    for (int i = 0; i < ROWS; i++) {
        worst = fmax(worst, (double)fabsl((long double)to[i] - x[i]));
        most = fmax(most, (double)fabsl(x[i]));
    }
    return worst / most;
}

/* ---- factors ---- */

static void test_factors(void **unused)
{
    static problem s;
    (void)unused;
    for (int kind = 0; kind < 2; kind++) {
        make_problem(&s, kind == STN_IC0);
        eliminate(&s);
        for (int sliced = 0; sliced < 2; sliced++) {
            const stn_ilu_options asked = STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)kind);
            stn_matrix *other;
            stn_preconditioner *m;
            expect_ok(stn_sparse_convert(NULL, &other, s.matrix, STN_MATRIX_SLICED, NULL));
            expect_ok(stn_ilu_create(order_use(1), &m, sliced ? other : s.matrix, &asked));
            const double error = error_of(order_use(1), m);
            if (!(error < 1e-14))
                fail_msg("kind %d, sliced %d: error %g", kind, sliced, error);
            stn_preconditioner_release(m);
            stn_matrix_release(other);
        }
    }
}

/* What is above the diagonal is not looked at. */
static void test_lower_triangle(void **unused)
{
    static problem s;
    const stn_ilu_options asked = STN_INIT(stn_ilu_options, .kind = STN_IC0);
    stn_preconditioner *m;
    uint64_t state = 3;
    (void)unused;
    make_problem(&s, 1);
    eliminate(&s);
    for (int i = 0; i < ROWS; i++)
        for (int j = i + 1; j < ROWS; j++)
            s.in[i][j] = (i + j) % 3 == 0;
    make_rows(&s, &state);
    expect_ok(stn_ilu_create(order_use(1), &m, s.matrix, &asked));
    assert_true(error_of(order_use(1), m) < 1e-14);
    stn_preconditioner_release(m);
}

static void test_formats(void **unused)
{
    static problem s;
    int tried = 0;
    int64_t wide = 0;
    (void)unused;
    make_problem(&s, 0);
    eliminate(&s);
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        const stn_ilu_options asked = STN_INIT(stn_ilu_options, .format = &format);
        stn_format_info info = STN_FORMAT_INFO_INIT;
        stn_preconditioner *m;
        expect_ok(stn_format_describe(format, &info));
        const stn_status status = stn_ilu_create(order_use(1), &m, s.matrix, &asked);
        if (info.kind == STN_CLASS_COMPLEX || !info.is_signed) {
            assert_int_equal(status, STN_ERR_UNSUPPORTED);
            continue;
        }
        expect_ok(status);
        const double digits =
            info.kind == STN_CLASS_INTEGER ? 8.0 * (double)info.bytes - 2 : info.fraction_bits + 1;
        const double error = error_of(order_use(1), m), least = pow(2.0, -digits) / 200;
        if (!(error <= 4 * pow(2.0, -digits) + 1e-14) || (digits < 40 && error < least))
            fail_msg("%s: error %g", info.name, error);
        wide = format == STN_F64 ? info_of(m).bytes : wide;
        assert_true(info.bytes == 8 || info_of(m).bytes < wide);
        stn_preconditioner_release(m);
        tried++;
    }
    assert_true(tried >= 9);
}

/* Factors that a narrow format has no range for, but with a scale. */
static void test_ranges(void **unused)
{
    static problem s;
    static const stn_format formats[] = {STN_F16, STN_BF16, STN_F32, STN_I16};
    uint64_t state = 3;
    (void)unused;
    make_problem(&s, 0);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            s.dense[i][j] *= pow(2.0, (double)(i % 2) * 130); /* L up to 2^130, U as it was */
    make_rows(&s, &state);
    eliminate(&s);
    for (int k = 0; k < 4; k++) {
        const stn_ilu_options asked = STN_INIT(stn_ilu_options, .format = &formats[k]);
        stn_preconditioner *m;
        expect_ok(stn_ilu_create(order_use(1), &m, s.matrix, &asked));
        assert_true(factors_of(m)->pivots.storage.format == STN_F64);
        assert_true(factors_of(m)->lower.strict.storage.scale > 1.0);
        stn_preconditioner_release(m);
    }
}

/* ---- in solvers ---- */

static int64_t solve(const stn_exec *exec, const problem *s, const stn_preconditioner *m,
                     stn_solver_method method, double *x)
{
    static double b[ROWS];
    const int64_t rows = ROWS;
    stn_operator a, inverse;
    stn_view from, to;
    stn_solver_report solution = STN_SOLVER_REPORT_INIT;
    for (int i = 0; i < ROWS; i++) {
        b[i] = 1 + i % 3;
        x[i] = 0;
    }
    expect_ok(stn_view_wrap(&from, "b", stn_storage_of(STN_F64), b, 1, &rows));
    expect_ok(stn_view_wrap(&to, "x", stn_storage_of(STN_F64), x, 1, &rows));
    expect_ok(stn_operator_of_matrix(&a, s->matrix));
    if (m)
        expect_ok(stn_operator_of_preconditioner(&inverse, m));
    const stn_solver_options solver =
        STN_INIT(stn_solver_options, .method = method, .preconditioner = m ? &inverse : NULL);
    expect_ok(stn_solve(exec, &to, &a, &from, &solver, &solution));
    for (int i = 0; i < ROWS; i++) { /* is it the solution? */
        double rest = b[i];
        for (int j = 0; j < ROWS; j++)
            rest -= s->dense[i][j] * x[j];
        assert_true(fabs(rest) < 1e-7);
    }
    return solution.iterations;
}

static void test_in_solvers(void **unused)
{
    static problem s;
    static double x[ROWS], first[ROWS];
    static const stn_format f16 = STN_F16;
    (void)unused;
    for (int kind = 0; kind < 2; kind++) {
        const stn_solver_method method = kind ? STN_SOLVER_CG : STN_SOLVER_GMRES;
        const stn_ilu_options full = STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)kind);
        const stn_ilu_options half =
            STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)kind, .format = &f16);
        stn_preconditioner *wide, *narrow;
        make_problem(&s, kind);
        expect_ok(stn_ilu_create(order_use(1), &wide, s.matrix, &full));
        expect_ok(stn_ilu_create(order_use(1), &narrow, s.matrix, &half));
        const int64_t without = solve(order_use(0), &s, NULL, method, x);
        const int64_t with = solve(order_use(0), &s, wide, method, x);
        assert_true(2 * with <= without);
        for (int setting = 0; setting < order_settings(); setting++) {
            if (!order_has_turn(setting, 0))
                continue;
            const int64_t found =
                solve(order_use(setting), &s, narrow, method, setting ? x : first);
            assert_true(found <= with + 2);
            assert_true(setting == 0 || memcmp(x, first, sizeof x) == 0);
        }
        stn_preconditioner_release(wide);
        stn_preconditioner_release(narrow);
    }
}

static void test_device(void **unused)
{
    static const stn_format formats[] = {STN_F64, STN_F32, STN_F16, STN_BF16, STN_I16};
    static problem s;
    double from[ROWS], here[ROWS], there[ROWS];
    stn_exec *const device = open_opencl();
    stn_operator op;
    stn_preconditioner *m;
    (void)unused;
    make_problem(&s, 0);
    for (int i = 0; i < ROWS; i++)
        from[i] = 1.0 / (1 + i % 7);
    for (int k = 0; k < 5; k++) { /* narrow factors have narrow pivots */
        const stn_ilu_options asked = STN_INIT(stn_ilu_options, .format = &formats[k]);
        expect_ok(stn_ilu_create(order_use(1), &m, s.matrix, &asked));
        assert_int_equal(factors_of(m)->pivots.storage.format, k == 0 ? STN_F64 : STN_F32);
        apply(order_use(1), m, from, here);
        stn_preconditioner_release(m);
        expect_ok(stn_ilu_create(device, &m, s.matrix, &asked));
        expect_ok(stn_operator_of_preconditioner(&op, m));
        apply_there(device, &op, STN_F64, from, there);
        assert_memory_equal(here, there, sizeof here);
        stn_preconditioner_release(m);
    }
    stn_exec_release(device);
}

/* ---- refusals ---- */

static void refused(const stn_matrix *a, const stn_ilu_options *options, stn_status wanted,
                    const char *word)
{
    stn_preconditioner *m;
    memset(&m, 7, sizeof m);
    const stn_status status = stn_ilu_create(order_use(1), &m, a, options);
    if (status != wanted || !strstr(stn_error(), word))
        fail_msg("%s: '%s' does not say '%s'", stn_status_name(status), stn_error(), word);
    assert_null(m);
}

static void refuse_values(stn_ilu_kind kind, double a, double b, double c, double d,
                          const char *word)
{
    static const int64_t start[] = {0, 2, 4};
    static const int32_t column[] = {1, 0, 0, 1};
    const double values[] = {b, a, c, d};
    const stn_ilu_options asked = STN_INIT(stn_ilu_options, .kind = kind);
    stn_matrix *matrix;
    expect_ok(wrap_csr(&matrix, "mike", stn_storage_of(STN_F64), 2, 2, start, column, values));
    refused(matrix, &asked, STN_ERR_ARGUMENT, word);
}

static void test_refused_matrices(void **unused)
{
    static const int64_t start[] = {0, 2, 4};
    static const int32_t hole[] = {0, 1, 0, 0}, twice[] = {0, 1, 1, 1}, wide[] = {0, 1, 0, 2};
    static const double values[] = {1, 2, 3, 4};
    static const stn_format complex = STN_C64, none = -1;
    stn_ilu_options asked = STN_ILU_OPTIONS_INIT;
    stn_matrix *a;
    (void)unused;
    refuse_values(STN_ILU0, 0, 1, 1, 1, "the pivot of row 0 of mike is 0");
    refuse_values(STN_ILU0, 1, 2, 3, 6, "the pivot of row 1 of mike is 0");
    refuse_values(STN_ILU0, 1e-300, 1e300, 1e300, 1, "the pivot of row 1 of mike is -inf");
    refuse_values(STN_ILU0, 1, 2, NAN, 6, "row 1 of mike has an entry of");
    refuse_values(STN_ILU0, 1, INFINITY, 2, 6, "row 0 of mike has an entry of inf");
    refuse_values(STN_IC0, -1, 0, 0, 1, "the pivot of row 0 of mike is -1, not positive");
    refuse_values(STN_IC0, 1, 2, 2, 1, "the pivot of row 1 of mike is -3, not positive");
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), 2, 2, start, hole, values));
    refused(a, &asked, STN_ERR_ARGUMENT, "two entries in row 1, column 0");
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), 2, 2, start, twice, values));
    refused(a, &asked, STN_ERR_ARGUMENT, "two entries in row 1, column 1");
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), 2, 3, start, wide, values));
    refused(a, &asked, STN_ERR_SHAPE, "mike (2 x 3)");
    static const int64_t short_start[] = {0, 1, 2};
    static const int32_t beside[] = {0, 0};
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), 2, 2, short_start, beside, values));
    refused(a, &asked, STN_ERR_ARGUMENT, "row 1 of mike has no entry on the diagonal");
    refused(NULL, &asked, STN_ERR_ARGUMENT, "NULL");
    asked.format = &complex;
    refused(a, &asked, STN_ERR_UNSUPPORTED, "c64");
    asked.format = &none;
    refused(a, &asked, STN_ERR_FORMAT, "");
    asked.format = NULL;
    asked.kind = (stn_ilu_kind)2;
    refused(a, &asked, STN_ERR_ARGUMENT, "kind is 2");
    asked.size = 1;
    refused(a, &asked, STN_ERR_ARGUMENT, "size");
}

static void test_refused_calls(void **unused)
{
    static problem s;
    const stn_ilu_options asked = STN_ILU_OPTIONS_INIT;
    stn_operator op;
    stn_preconditioner *m = NULL;
    (void)unused;
    make_problem(&s, 0);
    assert_int_equal(stn_ilu_create(NULL, &m, s.matrix, &asked), STN_ERR_ARGUMENT);
    assert_int_equal(stn_ilu_create(order_use(1), NULL, s.matrix, &asked), STN_ERR_ARGUMENT);
    assert_int_equal(stn_operator_of_preconditioner(&op, m), STN_ERR_ARGUMENT);
    assert_int_equal(stn_operator_of_preconditioner(&op, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_operator_of_preconditioner(NULL, m), STN_ERR_ARGUMENT);
    stn_preconditioner_release(NULL);
    stn_preconditioner_release(m);
}

static void test_without_memory(void **unused)
{
    static problem s;
    static const stn_format f16 = STN_F16;
    (void)unused;
    make_problem(&s, 1);
    for (int kind = 0; kind < 2; kind++) {
        const stn_ilu_options asked =
            STN_INIT(stn_ilu_options, .kind = (stn_ilu_kind)kind, .format = &f16);
        int64_t nth = 1;
        for (; nth < 200; nth++) {
            stn_preconditioner *m;
            stn_fail_allocation(nth);
            const stn_status status = stn_ilu_create(order_use(1), &m, s.matrix, &asked);
            stn_fail_allocation(0);
            if (status == STN_OK) {
                stn_preconditioner_release(m);
                break;
            }
            assert_int_equal(status, STN_ERR_MEMORY);
            assert_null(m);
        }
        assert_in_range(nth, 20, 199);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors),          cmocka_unit_test(test_lower_triangle),
        cmocka_unit_test(test_formats),          cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_in_solvers),       cmocka_unit_test(test_device),
        cmocka_unit_test(test_refused_matrices), cmocka_unit_test(test_refused_calls),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests_name("incomplete factors", tests, NULL, release_executors);
}
