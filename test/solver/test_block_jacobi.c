/* Block-Jacobi against elimination in long double: blocks found and given, every format, formats
 * chosen by condition and range; the same bits on every executor; everything that is refused. */
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
#include "steno/block_jacobi.h"
#include "check.h"

enum { ROWS = 240, EDGE = 5, WIDTH = 15 /* entries of a row, at most */ };

static const stn_format f64 = STN_F64;

typedef struct problem {
    double dense[ROWS][ROWS];
    int64_t start[ROWS + 1];
    int32_t column[ROWS * 2 * WIDTH];
    double value[ROWS * 2 * WIDTH];
    stn_matrix *matrix;
} problem;

/* Rows from `dense`: the diagonal blocks of EDGE rows and those beside them. Each entry is two that
 * add up where `is_split`. */
static void make_rows(problem *s, int is_split)
{
    int64_t at = 0;
    for (int i = 0; i < ROWS; i++) {
        s->start[i] = at;
        for (int j = 0; j < ROWS; j++) {
            if (abs(i / EDGE - j / EDGE) > 1)
                continue;
            s->column[at] = j;
            s->value[at++] = is_split ? 0.75 * s->dense[i][j] : s->dense[i][j];
            if (is_split) {
                s->column[at] = j;
                s->value[at++] = 0.25 * s->dense[i][j];
            }
        }
    }
    s->start[ROWS] = at;
    assert_true(at <= ROWS * 2 * WIDTH);
    expect_ok(wrap_csr(&s->matrix, "of blocks", stn_storage_of(STN_F64), ROWS, ROWS, s->start,
                       s->column, s->value));
}

/* Symmetric blocks of this condition, or, where it is 0, of conditions from 1 to 1e9 in turn; and
 * weak neighbours. */
static void make_system(problem *s, double condition, int is_split)
{
    uint64_t state = 17;
    memset(s, 0, sizeof *s);
    for (int b = 0; b < ROWS / EDGE; b++) {
        const double worst = condition > 0 ? condition : pow(10.0, b % 10);
        double v[EDGE], square = 0;
        for (int i = 0; i < EDGE; i++) {
            v[i] = draw(&state);
            square += v[i] * v[i];
        }
        for (int i = 0; i < EDGE; i++)
            for (int j = 0; j < EDGE; j++)
                s->dense[b * EDGE + i][b * EDGE + j] =
                    (i == j) - (1 - 1 / worst) * v[i] * v[j] / square;
    }
    for (int i = 0; i + EDGE < ROWS && condition > 0; i++)
        s->dense[i][i + EDGE] = s->dense[i + EDGE][i] = -0.2 / condition;
    make_rows(s, is_split);
}

/* x = B^-1 x of the block of rows first to end - 1. */
static void eliminate(const problem *s, int64_t first, int64_t end, long double *x)
{
    static long double a[STN_BLOCK_JACOBI_MAX_ROWS][STN_BLOCK_JACOBI_MAX_ROWS + 1];
    const int n = (int)(end - first);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = (long double)s->dense[first + i][first + j];
        a[i][n] = x[i];
    }
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c; i < n; i++)
            pivot = fabsl(a[i][c]) > fabsl(a[pivot][c]) ? i : pivot;
        for (int j = 0; j <= n; j++) {
            const long double old = a[c][j];
            a[c][j] = a[pivot][j];
            a[pivot][j] = old;
        }
        for (int i = 0; i < n; i++) {
            const long double factor = a[i][c] / a[c][c];
            for (int j = c; j <= n && i != c; j++)
                a[i][j] -= factor * a[c][j];
        }
    }
    for (int i = 0; i < n; i++)
        x[i] = a[i][n] / a[i][i];
}

static void apply(const stn_exec *exec, const stn_preconditioner *m, const double *from, double *to)
{
    stn_operator op;
    expect_ok(stn_operator_of_preconditioner(&op, m));
    apply_operator(exec, &op, STN_F64, from, to);
}

/* The largest error of a block's part of M v, over its largest magnitude. */
static double error_of(const problem *s, const stn_preconditioner *m, const int64_t *start,
                       int64_t count)
{
    static double from[ROWS], to[ROWS];
    uint64_t state = 5;
    double worst = 0;
    for (int i = 0; i < ROWS; i++) {
        from[i] = draw(&state);
        to[i] = NAN;
    }
    apply(order_use(0), m, from, to);
    for (int64_t k = 0; k < count; k++) {
        long double x[STN_BLOCK_JACOBI_MAX_ROWS], error = 0, most = 0;
        for (int64_t i = start[k]; i < start[k + 1]; i++)
            x[i - start[k]] = (long double)from[i];
        eliminate(s, start[k], start[k + 1], x);
        for (int64_t i = start[k]; i < start[k + 1]; i++) {
            error = fmaxl(error, fabsl((long double)to[i] - x[i - start[k]]));
            most = fmaxl(most, fabsl(x[i - start[k]]));
        }
        worst = fmax(worst, (double)(error / most));
    }
    return worst;
}

static int64_t even_starts(int64_t *start, int64_t edge)
{
    int64_t count = 0;
    for (int64_t row = 0; row < ROWS; row += edge)
        start[count++] = row;
    start[count] = ROWS;
    return count;
}

/* ---- blocks and formats ---- */

static void test_blocks(void **unused)
{
    static problem s;
    static int64_t start[ROWS + 1];
    static const int64_t uneven[] = {0, 1, 33, 40, 64, 65, 96, 128, 160, 191, 200, 220, 240};
    (void)unused;
    for (int is_split = 0; is_split < 2; is_split++) {
        make_system(&s, 30, is_split);
        for (int64_t most = 0; most <= STN_BLOCK_JACOBI_MAX_ROWS; most++) {
            const stn_block_jacobi_options asked =
                STN_INIT(stn_block_jacobi_options, .max_block_rows = most, .format = &f64);
            const int64_t bound = most ? most : 8;
            stn_preconditioner *m;
            expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &asked));
            /* Five rows have the same columns; smaller blocks part them from the first on. */
            int64_t count = 0, left = 0;
            for (int64_t row = 0; row < ROWS; count++) {
                start[count] = row;
                if (bound >= EDGE) {
                    row += bound / EDGE * EDGE;
                } else {
                    left = EDGE - row % EDGE;
                    row += left < bound ? left : bound;
                }
                row = row < ROWS ? row : ROWS;
            }
            start[count] = ROWS;
            assert_int_equal(info_of(m).blocks, count);
            const double error = error_of(&s, m, start, count);
            if (!(error <= 1e-13))
                fail_msg("blocks of %d rows: error %g", (int)most, error);
            assert_int_equal(info_of(m).format_blocks[2], info_of(m).blocks);
            stn_preconditioner_release(m);
        }
        const stn_block_jacobi_options given = STN_INIT(
            stn_block_jacobi_options, .block_start = uneven, .block_count = 12, .format = &f64);
        stn_preconditioner *m;
        expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &given));
        assert_int_equal(info_of(m).blocks, 12);
        assert_true(error_of(&s, m, uneven, 12) <= 1e-13);
        stn_preconditioner_release(m);
    }
}

/* Of symmetric blocks to the last bit. */
static void test_symmetry(void **unused)
{
    static problem s;
    static double from[ROWS], to[ROWS][ROWS];
    stn_preconditioner *m;
    (void)unused;
    make_system(&s, 1000, 0);
    const stn_block_jacobi_options asked =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = EDGE);
    expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &asked));
    for (int j = 0; j < ROWS; j++) {
        from[j] = 1;
        apply(order_use(0), m, from, to[j]);
        from[j] = 0;
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < i; j++)
            if (to[i][j] != to[j][i])
                fail_msg("%d, %d: %.17g, not %.17g", i, j, to[i][j], to[j][i]);
    stn_preconditioner_release(m);
}

/* Matrices of other kinds have the same blocks. */
static void test_kinds(void **unused)
{
    static problem s;
    static double from[ROWS], first[ROWS], to[ROWS];
    const stn_block_jacobi_options asked =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = EDGE);
    (void)unused;
    make_system(&s, 0, 1);
    for (int i = 0; i < ROWS; i++)
        from[i] = 1.0 / (1 + i % 7);
    for (stn_matrix_kind kind = STN_MATRIX_CSR; kind <= STN_MATRIX_SELL; kind++) {
        const int is_first = kind == STN_MATRIX_CSR;
        stn_preconditioner *m;
        stn_matrix *made;
        expect_ok(stn_sparse_convert(order_use(0), &made, s.matrix, kind, NULL));
        expect_ok(stn_block_jacobi_create(order_use(0), &m, made, &asked));
        stn_matrix_release(made);
        apply(order_use(0), m, from, is_first ? first : to);
        assert_true(is_first || memcmp(first, to, sizeof to) == 0);
        stn_preconditioner_release(m);
    }
}

static void test_formats(void **unused)
{
    static problem s;
    static int64_t start[ROWS + 1];
    int tried = 0;
    (void)unused;
    make_system(&s, 4, 0);
    const int64_t count = even_starts(start, EDGE);
    for (stn_format format = 0; format < STN_BUILTIN_FORMATS; format++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        stn_preconditioner *m;
        expect_ok(stn_format_describe(format, &info));
        const stn_block_jacobi_options asked =
            STN_INIT(stn_block_jacobi_options, .max_block_rows = EDGE, .format = &format);
        const stn_status status = stn_block_jacobi_create(order_use(0), &m, s.matrix, &asked);
        if (info.kind == STN_CLASS_COMPLEX || !info.is_signed) {
            assert_int_equal(status, STN_ERR_UNSUPPORTED);
            continue;
        }
        expect_ok(status);
        const double digits =
            info.kind == STN_CLASS_INTEGER ? 8.0 * (double)info.bytes - 2 : info.fraction_bits + 1;
        const double error = error_of(&s, m, start, count);
        if (!(error <= 20 * pow(2.0, -digits) + 1e-14))
            fail_msg("%s: error %g", info.name, error);
        stn_preconditioner_release(m);
        tried++;
    }
    assert_true(tried >= 9);
}

/* Conditions of 1, 10, 100: f16; to 1e6: f32; the rest: f64. */
static void test_conditions(void **unused)
{
    static problem s;
    static int64_t start[ROWS + 1];
    const stn_block_jacobi_options asked =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = EDGE);
    stn_preconditioner *m;
    (void)unused;
    make_system(&s, 0, 0);
    const int64_t count = even_starts(start, EDGE);
    expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &asked));
    assert_int_equal(info_of(m).blocks, count);
    assert_true(info_of(m).format_blocks[0] >= count * 2 / 10 &&
                info_of(m).format_blocks[0] <= count * 3 / 10 + 1);
    assert_true(info_of(m).format_blocks[2] >= count * 3 / 10 - 1 &&
                info_of(m).format_blocks[2] <= count * 4 / 10 + 1);
    assert_int_equal(info_of(m).format_blocks[0] + info_of(m).format_blocks[1] +
                         info_of(m).format_blocks[2],
                     count);
    assert_true(error_of(&s, m, start, count) <= 0.1);
    assert_true(info_of(m).bytes > 0);
    stn_preconditioner_release(m);
}

/* Blocks of one condition and of many sizes: f16 with a scale for the largest, f32, f64. */
static void test_ranges(void **unused)
{
    static problem s;
    static int64_t start[ROWS + 1];
    static const int exponents[] = {0, 5, 10, 30, -100, 130, 600, -600};
    const stn_block_jacobi_options asked =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = EDGE);
    stn_preconditioner *m;
    (void)unused;
    make_system(&s, 4, 0);
    memset(s.dense, 0, sizeof s.dense);
    for (int i = 0; i < ROWS; i++)
        s.dense[i][i] = ldexp(1.0, exponents[i / EDGE % 8]);
    make_rows(&s, 0);
    const int64_t count = even_starts(start, EDGE);
    expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &asked));
    assert_true(error_of(&s, m, start, count) <= 0x1p-11);
    assert_int_equal(info_of(m).format_blocks[0],
                     count / 8); /* of 2^600 alone: of the others it is too far */
    assert_int_equal(info_of(m).format_blocks[1], count / 8 * 5);
    assert_int_equal(info_of(m).format_blocks[2], count / 8 * 2);
    stn_preconditioner_release(m);
}

/* ---- in a solver ---- */

static int64_t solve(const stn_exec *exec, const problem *s, const stn_preconditioner *m, double *x)
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
    expect_ok(stn_operator_of_preconditioner(&inverse, m));
    const stn_solver_options solver = STN_INIT(stn_solver_options, .preconditioner = &inverse);
    expect_ok(stn_solve(exec, &to, &a, &from, &solver, &solution));
    return solution.iterations;
}

/* As many iterations as with all of it in f64, in half the memory; the same bits everywhere. */
static void test_in_a_solver(void **unused)
{
    static problem s;
    static double x[ROWS], first[ROWS];
    (void)unused;
    make_system(&s, 60, 0);
    const stn_block_jacobi_options asked =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = EDGE);
    const stn_block_jacobi_options full =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = EDGE, .format = &f64);
    stn_preconditioner *m, *wide;
    expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &asked));
    expect_ok(stn_block_jacobi_create(order_use(0), &wide, s.matrix, &full));
    assert_true(2 * info_of(m).bytes <= info_of(wide).bytes);
    const int64_t usual = solve(order_use(0), &s, wide, x), found = solve(order_use(0), &s, m, x);
    assert_true(usual >= 10 && found <= usual + (usual + 19) / 20);
    for (int setting = 0; setting < order_settings(); setting++) {
        if (!order_has_turn(setting, 0))
            continue;
        assert_int_equal(solve(order_use(setting), &s, m, setting ? x : first), found);
        assert_true(setting == 0 || memcmp(x, first, sizeof x) == 0);
    }
    stn_preconditioner_release(m);
    stn_preconditioner_release(wide);
}

static void test_device(void **unused)
{
    static problem s;
    static double from[ROWS], here[ROWS], there[ROWS];
    stn_exec *const device = open_opencl();
    const stn_block_jacobi_options asked =
        STN_INIT(stn_block_jacobi_options, .max_block_rows = EDGE);
    stn_preconditioner *m;
    stn_operator op;
    (void)unused;
    make_system(&s, 0, 0);
    for (int i = 0; i < ROWS; i++)
        from[i] = 1.0 / (1 + i % 7);
    expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &asked));
    apply(order_use(0), m, from, here);
    stn_preconditioner_release(m);
    expect_ok(stn_block_jacobi_create(device, &m, s.matrix, &asked));
    expect_ok(stn_operator_of_preconditioner(&op, m));
    apply_there(device, &op, STN_F64, from, there);
    assert_memory_equal(here, there, sizeof here);
    stn_preconditioner_release(m);
    stn_exec_release(device);
}

/* ---- refusals ---- */

static void refused(const stn_matrix *a, const stn_block_jacobi_options *blocks, stn_status status,
                    const char *words)
{
    stn_preconditioner *m;
    memset(&m, 7, sizeof m);
    const stn_status found = stn_block_jacobi_create(order_use(0), &m, a, blocks);
    if (found != status || !strstr(stn_error(), words))
        fail_msg("%s, not %s with '%s': %s", stn_status_name(found), stn_status_name(status), words,
                 stn_error());
    assert_null(m);
}

static void test_refusals(void **unused)
{
    static problem s;
    static int64_t start[ROWS + 1];
    (void)unused;
    make_system(&s, 4, 0);
    const stn_block_jacobi_options good = STN_BLOCK_JACOBI_OPTIONS_INIT;
    const stn_format unknown = (stn_format)999;
    stn_block_jacobi_options b = good;
    refused(NULL, &good, STN_ERR_ARGUMENT, "NULL");
    assert_int_equal(stn_block_jacobi_create(order_use(0), NULL, s.matrix, &good),
                     STN_ERR_ARGUMENT);
    b.size = 1;
    refused(s.matrix, &b, STN_ERR_ARGUMENT,
            "options: the member size is 1, which no version of stn_block_jacobi_options has");
    b = good, b.max_block_rows = 33;
    refused(s.matrix, &b, STN_ERR_RANGE, "33 rows; at most 32");
    b.max_block_rows = -1;
    refused(s.matrix, &b, STN_ERR_RANGE, "-1 rows");
    b = good, b.format = &unknown;
    refused(s.matrix, &b, STN_ERR_FORMAT, "999");
    b = good, b.block_start = start, b.block_count = even_starts(start, 48);
    refused(s.matrix, &b, STN_ERR_RANGE, "block 0 has 48 rows; at most 32");
    b.block_count = even_starts(start, 12);
    start[3] = start[2];
    refused(s.matrix, &b, STN_ERR_ARGUMENT, "block 2 has 0 rows");
    b.block_count = even_starts(start, 12) - 1;
    refused(s.matrix, &b, STN_ERR_ARGUMENT, "end at 240");
    b.block_count = -1;
    refused(s.matrix, &b, STN_ERR_ARGUMENT, "begin at 0");
    b.block_count = INT64_MAX;
    refused(s.matrix, &b, STN_ERR_ARGUMENT, "blocks of 240 rows");
    for (int64_t k = s.start[7]; k < s.start[8]; k++)
        s.value[k] = 0;
    refused(s.matrix, &good, STN_ERR_ARGUMENT,
            "the block of rows 5 to 9 (from 0) of of blocks is singular");
    s.value[s.start[100] + 3] = NAN;
    s.value[s.start[7] + 3] = 1;
    b = good, b.max_block_rows = 1;
    stn_matrix *oblong;
    expect_ok(wrap_csr(&oblong, "oblong", stn_storage_of(STN_F64), ROWS - 1, ROWS, s.start,
                       s.column, s.value));
    refused(oblong, &good, STN_ERR_SHAPE, "not square");
    stn_operator op;
    assert_int_equal(stn_operator_of_preconditioner(&op, NULL), STN_ERR_ARGUMENT);
    assert_int_equal(stn_operator_of_preconditioner(NULL, NULL), STN_ERR_ARGUMENT);
    stn_preconditioner_release(NULL);
}

static void test_not_finite(void **unused)
{
    static problem s;
    static const double numbers[] = {NAN, INFINITY, -INFINITY};
    const stn_block_jacobi_options good = STN_BLOCK_JACOBI_OPTIONS_INIT;
    (void)unused;
    for (int k = 0; k < 3; k++) {
        make_system(&s, 4, 0);
        for (int64_t at = s.start[238]; at < s.start[239]; at++)
            s.value[at] = s.column[at] == 236 ? numbers[k] : s.value[at];
        refused(s.matrix, &good, STN_ERR_ARGUMENT, "rows 235 to 239 (from 0) of of");
    }
}

static void test_no_memory(void **unused)
{
    static problem s;
    const stn_block_jacobi_options good = STN_BLOCK_JACOBI_OPTIONS_INIT;
    int64_t nth = 1;
    (void)unused;
    make_system(&s, 0, 0);
    for (; nth < 100; nth++) {
        stn_preconditioner *m;
        stn_fail_allocation(nth);
        const stn_status status = stn_block_jacobi_create(order_use(0), &m, s.matrix, &good);
        stn_fail_allocation(0);
        if (status == STN_OK) {
            stn_preconditioner_release(m);
            break;
        }
        assert_int_equal(status, STN_ERR_MEMORY);
        assert_null(m);
    }
    assert_true(nth > 10 && nth < 100);
}

/* No rows: nothing to do. */
static void test_empty(void **unused)
{
    static const int64_t start[] = {0};
    const stn_block_jacobi_options asked = STN_BLOCK_JACOBI_OPTIONS_INIT;
    stn_matrix *none;
    stn_preconditioner *m;
    (void)unused;
    expect_ok(wrap_csr(&none, "none", stn_storage_of(STN_F64), 0, 0, start, NULL, NULL));
    expect_ok(stn_block_jacobi_create(order_use(0), &m, none, &asked));
    assert_true(info_of(m).blocks == 0 && info_of(m).bytes == 0 && info_of(m).rows == 0);
    stn_preconditioner_release(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),     cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_formats),    cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_ranges),     cmocka_unit_test(test_in_a_solver),
        cmocka_unit_test(test_device),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_not_finite), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_empty),      cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests_name("block-Jacobi", tests, NULL, release_executors);
}
