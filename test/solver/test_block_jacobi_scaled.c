/* Block-Jacobi of badly scaled blocks: accurate inverses whatever the magnitudes of rows and
 * columns are, against elimination with complete pivoting in long double. */
#include <stdlib.h>

#include "preconditioner.h"
#include "precondition/invert.h"
#include "steno/block_jacobi.h"

enum { MOST = STN_BLOCK_JACOBI_MAX_ROWS };

static linear_system s;

/* The inverse of n rows by columns. */
static void invert_exactly(int n, const double *b, long double *inverse)
{
    static long double a[MOST][2 * MOST];
    int order[MOST]; /* the column that row r solves for */
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

/* Rows and columns times powers of two that no scaling of rows alone removes. Complex blocks are
 * (1 + i) B. */
static void check_scaled(int n, int kind, int is_complex, int range, uint64_t *state)
{
    static double b[MOST * MOST], block[4 * MOST * MOST], inverse[2 * MOST * MOST];
    static long double expected[MOST * MOST];
    int row[MOST], column[MOST];
    const int parts = is_complex ? 2 : 1;
    double condition;
    for (int k = 0; k < n; k++) {
        row[k] = (int)(order_next(state) % (uint64_t)(2 * range + 1)) - range;
        column[k] = (int)(order_next(state) % (uint64_t)(2 * range + 1)) - range;
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            b[j * n + i] = draw_element(state, i, j, kind);
    invert_exactly(n, b, expected);
    const long double bound = 0x1p-52L * 256 * n * condition_of(n, b, expected);
    long double most = 0, error = 0;
    for (int k = 0; k < n * n * parts; k++) {
        const int at = k / parts;
        block[k] = ldexp(b[at], row[at % n] + column[at / n]);
    }
    assert_true(stn_invert(block, n, is_complex, inverse, &condition));
    for (int k = 0; k < n * n * parts; k++) {
        const int at = k / parts;
        const long double exact = expected[at] * (is_complex ? k % 2 ? -0.5L : 0.5L : 1.0L);
        const long double is = ldexpl((long double)inverse[k], column[at % n] + row[at / n]);
        most = fmaxl(most, fabsl(exact));
        error = fmaxl(error, fabsl(is - exact));
    }
    if (!(error <= bound * most) && bound < 0x1p-10L)
        fail_msg("%d rows, kind %d, scales to 2^%d: error %Lg, bound %Lg", n, kind, range,
                 error / most, bound);
}

UNIT_TEST(test_badly_scaled)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 8, 16, 32}, ranges[] = {0, 3, 40, 240};
    const int rounds = getenv("STENO_TEST_QUICK") ? 4 : 20;
    uint64_t state = 31;
    for (int size = 0; size < COUNT_OF(sizes); size++)
        for (int r = 0; r < COUNT_OF(ranges); r++)
            for (int kind = 0; kind < 3; kind++)
                for (int round = 0; round < (sizes[size] > 8 ? 2 : rounds); round++)
                    check_scaled(sizes[size], kind, round % 2, ranges[r], &state);
}

/* Blocks of two rows at the ends of the range of f64, and their inverses. Those of f64 and -1 are
 * exact; others are stored in every format. */
UNIT_TEST(test_ends_of_range)
{
    static const struct {
        double block[4], inverse[4];
    } cases[] = {
        {{1e-200, 1e-201, 1e199, 1e200},
         {1 / 0.99 * 1e200, -1e-201 / 0.99, -1e199 / 0.99, 1e-200 / 0.99}},
        {{1e-200, 1e199, 1e-201, 1e200},
         {1 / 0.99 * 1e200, -1e199 / 0.99, -1e-201 / 0.99, 1e-200 / 0.99}},
        {{1e308, 1.5e308, -1e308, 1.7e308},
         {1.7e-308 / 3.2, -1.5e-308 / 3.2, 1e-308 / 3.2, 1e-308 / 3.2}},
        {{0, 1e-300, 1e300, 1e-300}, {-1e-300, 1e-300, 1e300, 0}},
        {{0x1p-1060, 0, 0x1p-1060, 1e300}, {NAN, NAN, NAN, NAN}}, /* the inverse has no f64 */
        {{1e200, 0, 0, 1e-200}, {1e-200, 0, 0, 1e200}}};          /* an infinite condition number */
    static const int64_t blocks_of[] = {0, 2};
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const double *const inverse = cases[k].inverse;
        const stn_block_jacobi_options options =
            STN_INIT(stn_block_jacobi_options, .block_start = blocks_of, .block_count = 1);
        stn_preconditioner *m;
        system_of(&s, 2, cases[k].block);
        const stn_status status =
            stn_block_jacobi_create(order_use(0), &m, s.matrix, k == 5 ? NULL : &options);
        assert_int_equal(status, isnan(inverse[0]) ? STN_ERR_ARGUMENT : STN_OK);
        for (int j = 0; j < 2 && !isnan(inverse[0]); j++) {
            const double unit[2] = {j == 0, j == 1};
            double x[2];
            const stn_operator op = operator_of(m);
            apply_operator(order_use(0), &op, STN_F64, unit, x);
            for (int i = 0; i < 2; i++)
                assert_true(fabs(x[i] - inverse[2 * i + j]) <=
                            1e-14 * fabs(inverse[2 * i + j]) + 0x1p-1074);
        }
        stn_preconditioner_release(m);
    }
}

/* Inverses out of the range of f32, or so small that their scales are. */
UNIT_TEST(test_formats)
{
    static const double entries[] = {1e-300, 1e30, 1e308};
    static const stn_format formats[] = {STN_F64, STN_F32, STN_BF16, STN_F16, STN_I16, STN_I64};
    for (int k = 0; k < COUNT_OF(entries) * COUNT_OF(formats); k++) {
        const double a = entries[k / COUNT_OF(formats)], dense[] = {a, 0.0, 0.0, a};
        const stn_block_jacobi_options options =
            STN_INIT(stn_block_jacobi_options, .format = &formats[k % COUNT_OF(formats)]);
        const double ones[] = {1.0, 1.0};
        double y[2];
        stn_preconditioner *m;
        system_of(&s, 2, dense);
        expect_ok(stn_block_jacobi_create(order_use(0), &m, s.matrix, &options));
        const stn_operator op = operator_of(m);
        apply_operator(order_use(0), &op, STN_F64, ones, y);
        for (int i = 0; i < 2; i++)
            if (!(fabs(y[i] * a - 1.0) <= 0x1p-8))
                fail_msg("%g, format %d: %g", a, (int)*options.format, y[i]);
        stn_preconditioner_release(m);
    }
}

static int tear_down(void **unused)
{
    system_release(&s);
    return release_executors(unused);
}

RUN_UNIT_TESTS(NULL, tear_down)
