/* Block-Jacobi of badly scaled blocks against elimination in long double: accurate inverses
 * whatever the magnitudes of rows and columns are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "preconditioner.h"
#include "solver/invert.h"
#include "matrix.h"
#include "steno/block_jacobi.h"
#include "check.h"

/* The inverse of n rows by columns, by elimination with complete pivoting. */
static void invert_exactly(int n, const double *b, long double *inverse)
{
    static long double a[STN_BLOCK_JACOBI_MAX_ROWS][2 * STN_BLOCK_JACOBI_MAX_ROWS];
    int order[STN_BLOCK_JACOBI_MAX_ROWS]; /* the column that row r solves for */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++)
            a[i][j] = j < n ? (long double)b[j * n + i] : (long double)(j - n == i);
    for (int c = 0; c < n; c++) {
        int row = c, column = 0;
        long double most = 0;
        for (int i = c; i < n; i++)
            for (int j = 0; j < n; j++)
                if (fabsl(a[i][j]) > most) {
                    most = fabsl(a[i][j]);
                    row = i;
                    column = j;
                }
        assert_true(most > 0);
        order[c] = column;
        for (int j = 0; j < 2 * n; j++) {
            const long double old = a[c][j];
            a[c][j] = a[row][j];
            a[row][j] = old;
        }
        for (int i = 0; i < n; i++) {
            const long double factor = a[i][column] / a[c][column];
            for (int j = 0; j < 2 * n && i != c; j++)
                a[i][j] -= j == column ? a[i][j] : factor * a[c][j];
        }
    }
    for (int c = 0; c < n; c++)
        for (int j = 0; j < n; j++)
            inverse[j * n + order[c]] = a[c][n + j] / a[c][order[c]];
}

/* Of 1-norms. */
static long double condition_of(int n, const double *b, const long double *inverse)
{
    long double norms[2] = {0, 0};
    for (int j = 0; j < n; j++) {
        long double sums[2] = {0, 0};
        for (int i = 0; i < n; i++) {
            sums[0] += fabsl((long double)b[j * n + i]);
            sums[1] += fabsl(inverse[j * n + i]);
        }
        norms[0] = fmaxl(norms[0], sums[0]);
        norms[1] = fmaxl(norms[1], sums[1]);
    }
    return norms[0] * norms[1];
}

static double draw_element(uint64_t *state, int i, int j, int kind)
{
    const double x = draw(state);
    if (kind == 1) /* tridiagonal */
        return i == j ? 2.5 + x : abs(i - j) == 1 ? x : 0.0;
    if (kind == 2) /* sparse, with a diagonal somewhere */
        return i == j || order_next(state) % 4 == 0 ? x + (i == j) : 0.0;
    return x;
}

/* Rows and columns times powers of two that no scaling of rows alone removes. */
static void check_scaled(int n, int kind, int is_complex, int range, uint64_t *state)
{
    static double b[STN_BLOCK_JACOBI_MAX_ROWS * STN_BLOCK_JACOBI_MAX_ROWS],
        block[4 * STN_BLOCK_JACOBI_MAX_ROWS * STN_BLOCK_JACOBI_MAX_ROWS],
        inverse[2 * STN_BLOCK_JACOBI_MAX_ROWS * STN_BLOCK_JACOBI_MAX_ROWS];
    static long double wanted[STN_BLOCK_JACOBI_MAX_ROWS * STN_BLOCK_JACOBI_MAX_ROWS];
    int row[STN_BLOCK_JACOBI_MAX_ROWS], column[STN_BLOCK_JACOBI_MAX_ROWS];
    const int parts = is_complex ? 2 : 1;
    double condition;
    for (int k = 0; k < n; k++) {
        row[k] = (int)(order_next(state) % (uint64_t)(2 * range + 1)) - range;
        column[k] = (int)(order_next(state) % (uint64_t)(2 * range + 1)) - range;
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            b[j * n + i] = draw_element(state, i, j, kind);
    invert_exactly(n, b, wanted);
    const long double bound = 0x1p-52L * 256 * n * condition_of(n, b, wanted);
    long double most = 0, error = 0;
    for (int k = 0; k < n * n; k++) { /* of complex blocks (1 + i) B */
        const double x = ldexp(b[k], row[k % n] + column[k / n]);
        for (int p = 0; p < parts; p++)
            block[k * parts + p] = x;
    }
    assert_true(stn_invert(block, n, is_complex, inverse, &condition));
    for (int k = 0; k < n * n; k++)
        for (int p = 0; p < parts; p++) {
            const long double exact = wanted[k] * (is_complex ? p ? -0.5L : 0.5L : 1.0L);
            const long double is =
                ldexpl((long double)inverse[k * parts + p], column[k % n] + row[k / n]);
            most = fmaxl(most, fabsl(exact));
            error = fmaxl(error, fabsl(is - exact));
        }
    if (!(error <= bound * most) && bound < 0x1p-10L)
        fail_msg("%d rows, kind %d, scales to 2^%d: error %Lg, bound %Lg", n, kind, range,
                 error / most, bound);
}

static void test_badly_scaled(void **unused)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 8, 16, 32}, ranges[] = {0, 3, 40, 240};
    const int rounds = getenv("STENO_TEST_QUICK") ? 4 : 20;
    uint64_t state = 31;
    (void)unused;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
            for (int kind = 0; kind < 3; kind++)
                for (int round = 0; round < (sizes[s] > 8 ? 2 : rounds); round++)
                    check_scaled(sizes[s], kind, round % 2, ranges[r], &state);
}

/* Rows, columns or both at the ends of the range of f64, by the public call. */
static void test_ends_of_range(void **unused)
{
    static const double blocks[][4] = {{1e-200, 1e-201, 1e199, 1e200},
                                       {1e-200, 1e199, 1e-201, 1e200},
                                       {1e308, 1.5e308, -1e308, 1.7e308},
                                       {0, 1e-300, 1e300, 1e-300},
                                       {0x1p-1060, 0, 0x1p-1060, 1e300}};
    static const double inverses[][4] = {
        {1 / 0.99 * 1e200, -1e-201 / 0.99, -1e199 / 0.99, 1e-200 / 0.99},
        {1 / 0.99 * 1e200, -1e199 / 0.99, -1e-201 / 0.99, 1e-200 / 0.99},
        {1.7e-308 / 3.2, -1.5e-308 / 3.2, 1e-308 / 3.2, 1e-308 / 3.2},
        {-1e-300, 1e-300, 1e300, 0},
        {NAN, NAN, NAN, NAN}};
    static const int64_t start[] = {0, 2, 4}, blocks_of[] = {0, 2};
    static const int32_t column[] = {0, 1, 0, 1};
    const stn_block_jacobi_options options =
        STN_INIT(stn_block_jacobi_options, .block_start = blocks_of, .block_count = 1);
    (void)unused;
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        const int is_refused = isnan(inverses[k][0]); /* the inverse has no f64 */
        stn_preconditioner *made;
        stn_matrix *a;
        expect_ok(
            wrap_csr(&a, "of one block", stn_storage_of(STN_F64), 2, 2, start, column, blocks[k]));
        const stn_status status = stn_block_jacobi_create(order_use(0), &made, a, &options);
        assert_int_equal(status, is_refused ? STN_ERR_ARGUMENT : STN_OK);
        for (int j = 0; j < 2 && !is_refused; j++) {
            const double unit[2] = {j == 0, j == 1};
            double x[2];
            stn_operator op;
            expect_ok(stn_operator_of_preconditioner(&op, made));
            apply_operator(order_use(0), &op, STN_F64, unit, x);
            for (int i = 0; i < 2; i++)
                assert_true(fabs(x[i] - inverses[k][2 * i + j]) <=
                            1e-14 * fabs(inverses[k][2 * i + j]) + 0x1p-1074);
        }
        stn_preconditioner_release(made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_badly_scaled),
        cmocka_unit_test(test_ends_of_range),
    };
    return cmocka_run_group_tests_name("badly scaled blocks", tests, NULL, release_executors);
}
