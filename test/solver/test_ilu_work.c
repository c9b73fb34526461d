/* Incomplete factors of matrices with long rows: the work of the elimination is in proportion to
 * the shorter of the rows it combines, and factors have the bits of a plain elimination. Of badly
 * scaled matrices: factors are applied with the bits of those of the matrix without its scales. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "preconditioner.h"
#include "solver/ilu_factor.h"
#include "matrix.h"
#include "steno/ilu.h"
#include "check.h"

/* ---- work ---- */

enum { ARROW = 20000 };

/* Row and column `hub` are dense, and the diagonal. */
static void make_arrow(stn_matrix **a, int32_t hub)
{
    static int64_t start[ARROW + 1];
    static int32_t column[4 * ARROW];
    static double value[4 * ARROW];
    int64_t at = 0;
    for (int32_t r = 0; r < ARROW; r++) {
        const int32_t few[] = {r < hub ? r : hub, r < hub ? hub : r};
        start[r] = at;
        for (int32_t k = 0; k < (r == hub ? ARROW : 2); k++) {
            column[at] = r == hub ? k : few[k];
            value[at] = column[at] == r ? ARROW : 1.0;
            at++;
        }
    }
    start[ARROW] = at;
    assert_int_equal(at, 3 * ARROW - 2);
    expect_ok(wrap_csr(a, "an arrow", stn_storage_of(STN_F64), ARROW, ARROW, start, column, value));
}

static void test_arrows(void **context)
{
    static const int32_t hubs[] = {0, 1, ARROW / 2, ARROW - 1};
    (void)context;
    for (size_t k = 0; k < sizeof hubs / sizeof *hubs; k++)
        for (int kind = 0; kind < 2; kind++) {
            stn_matrix *a;
            stn_factors factors;
            make_arrow(&a, hubs[k]);
            expect_ok(stn_ilu_factor("test", NULL, a, kind ? STN_IC0 : STN_ILU0, &factors));
            assert_in_range(factors.steps, 1, 20 * 3 * ARROW); /* log2(ARROW) is 14.3 */
            stn_factors_release(&factors);
        }
}

/* ---- factors ---- */

enum { ROWS = 60 };

typedef struct problem {
    double dense[ROWS][ROWS];
    int in[ROWS][ROWS];
    int64_t start[ROWS + 1];
    int32_t column[ROWS * ROWS];
    double value[ROWS * ROWS];
    stn_matrix *matrix;
} problem;

/* Some rows are long, some short; so are columns. */
static void make_problem(problem *s, int is_symmetric, uint64_t *state)
{
    int64_t at = 0;
    int is_long[ROWS];
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ROWS; i++)
        is_long[i] = order_next(state) % 6 == 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j <= i; j++) {
            const uint64_t bits = order_next(state);
            const int dense = is_long[i] || is_long[j];
            s->in[i][j] = i == j || bits % 32 < (dense ? 24u : 2u);
            s->in[j][i] =
                i == j || (is_symmetric ? s->in[i][j] : bits / 32 % 32 < (dense ? 24u : 2u));
            s->dense[i][j] = i == j ? 30.0 + draw(state) : draw(state);
            s->dense[j][i] = is_symmetric || i == j ? s->dense[i][j] : draw(state);
        }
    for (int i = 0; i < ROWS; i++) {
        s->start[i] = at;
        for (int j = 0; j < ROWS; j++)
            if (s->in[i][j]) {
                s->column[at] = j;
                s->value[at++] = s->dense[i][j];
            }
    }
    s->start[ROWS] = at;
    expect_ok(wrap_csr(&s->matrix, "long rows", stn_storage_of(STN_F64), ROWS, ROWS, s->start,
                       s->column, s->value));
}

/* Row by row, each multiple in the order of its column. */
static void eliminate(problem *s)
{
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < r; k++) {
            if (!s->in[r][k])
                continue;
            s->dense[r][k] /= s->dense[k][k];
            for (int j = k + 1; j < ROWS; j++)
                if (s->in[k][j] && s->in[r][j])
                    s->dense[r][j] -= s->dense[r][k] * s->dense[k][j];
        }
}

static void check_triangle(const problem *s, const stn_compressed *factor, int is_upper)
{
    int64_t k = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = is_upper ? i + 1 : 0; j < (is_upper ? ROWS : i); j++)
            if (s->in[i][j]) {
                const double wanted = is_upper ? s->dense[i][j] / s->dense[i][i] : s->dense[i][j];
                assert_true(factor->column[k] == j);
                assert_true(((const double *)(const void *)factor->codes)[k++] == wanted);
            }
    assert_int_equal(k, factor->entries);
}

static void test_long_rows(void **context)
{
    static problem s;
    uint64_t state = 3;
    (void)context;
    for (int round = 0; round < 10; round++) {
        stn_factors factors;
        make_problem(&s, 0, &state);
        expect_ok(stn_ilu_factor("test", NULL, s.matrix, STN_ILU0, &factors));
        eliminate(&s);
        check_triangle(&s, &factors.lower, 0);
        check_triangle(&s, &factors.upper, 1);
        for (int i = 0; i < ROWS; i++)
            assert_true(((const double *)factors.pivot)[i] == s.dense[i][i]);
        stn_factors_release(&factors);
        make_problem(&s, 1, &state);
        expect_ok(stn_ilu_factor("test", NULL, s.matrix, STN_IC0, &factors));
        eliminate(&s);
        check_triangle(&s, &factors.lower, 0);
        stn_factors_release(&factors);
    }
}

/* ---- scales ---- */

static void set_scales(problem *s, const int *row, const int *column)
{
    for (int i = 0; i < ROWS; i++)
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
            s->value[k] = ldexp(s->value[k], row[i] + column[s->column[k]]);
}

/* Entries of up to 2^(3 / 2 range), and quotients of up to 2^(2 range). The factors of D B E are
 * applied to D x: E^-1 of those of B to x. */
static void check_scales(problem *s, stn_ilu_kind kind, int range, uint64_t *state)
{
    static const double zero[ROWS];
    const stn_ilu_options options = STN_INIT(stn_ilu_options, .kind = kind);
    double x[ROWS], scaled_x[ROWS], y[ROWS], scaled_y[ROWS];
    stn_c128 complex_x[ROWS], complex_y[ROWS];
    int row[ROWS], column[ROWS];
    stn_preconditioner *made, *scaled;
    stn_operator op;
    make_problem(s, kind == STN_IC0, state);
    expect_ok(stn_ilu_create(order_use(1), &made, s->matrix, &options));
    for (int k = 0; k < ROWS; k++) {
        x[k] = draw(state);
        row[k] = (int)(order_next(state) % (uint64_t)(2 * range + 1)) - range;
        column[k] = (int)(order_next(state) % (uint64_t)(range + 1)) - range / 2;
        column[k] = kind == STN_IC0 ? row[k] : column[k];
        scaled_x[k] = ldexp(x[k], row[k]);
        complex_x[k] = (stn_c128){scaled_x[k], zero[k]};
    }
    set_scales(s, row, column);
    expect_ok(stn_ilu_create(order_use(1), &scaled, s->matrix, &options));
    expect_ok(stn_operator_of_preconditioner(&op, made));
    apply_operator(order_use(1), &op, STN_F64, x, y);
    expect_ok(stn_operator_of_preconditioner(&op, scaled));
    apply_operator(order_use(1), &op, STN_F64, scaled_x, scaled_y);
    apply_operator(order_use(1), &op, STN_C128, complex_x, complex_y);
    for (int k = 0; k < ROWS; k++) {
        assert_true(scaled_y[k] == ldexp(y[k], -column[k]));
        assert_true(complex_y[k].re == scaled_y[k] && complex_y[k].im == 0.0);
    }
    stn_preconditioner_release(made);
    stn_preconditioner_release(scaled);
}

static void test_scales(void **context)
{
    static const int ranges[] = {0, 20, 100, 300, 480, 640};
    static problem s;
    uint64_t state = 7;
    (void)context;
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        for (int kind = 0; kind < 2; kind++)
            for (int round = 0; round < 3 && (kind == 0 || ranges[k] < 500); round++)
                check_scales(&s, kind ? STN_IC0 : STN_ILU0, ranges[k], &state);
}

/* l = 1e-400 is no f64, and takes half of the second pivot. */
static void test_two_rows(void **context)
{
    static const int64_t start[] = {0, 2, 4};
    static const int32_t column[] = {0, 1, 0, 1};
    static const double value[] = {1e200, 1e200, 1e-200, 2e-200}, x[] = {3e200, 5e-200};
    const stn_ilu_options options = STN_ILU_OPTIONS_INIT;
    const int64_t two = 2;
    double y[2];
    float narrow[2] = {1, 1};
    stn_matrix *a;
    stn_preconditioner *made;
    stn_operator op;
    stn_view view;
    (void)context;
    expect_ok(wrap_csr(&a, "mike", stn_storage_of(STN_F64), 2, 2, start, column, value));
    expect_ok(stn_ilu_create(order_use(0), &made, a, &options));
    expect_ok(stn_operator_of_preconditioner(&op, made));
    apply_operator(order_use(0), &op, STN_F64, x, y);
    assert_true(fabs(y[0] - 1) < 1e-14 && fabs(y[1] - 2) < 1e-14);
    expect_ok(stn_view_wrap(&view, "y", stn_storage_of(STN_F32), narrow, 1, &two));
    assert_int_equal(op.apply(op.context, order_use(0), STN_F32, &view, &view),
                     STN_ERR_UNSUPPORTED);
    stn_preconditioner_release(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrows),
        cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_two_rows),
    };
    return cmocka_run_group_tests_name("work of incomplete factors", tests, NULL,
                                       release_executors);
}
