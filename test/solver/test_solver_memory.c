/* Memory of a narrow basis of GMRES: vectors that are stored in the arithmetic type use the memory
 * of the codes while they fit there. */
#include <string.h>

#include "check.h"
#include "matrix.h"
#include "order_oracle.h"
#include "steno/solver.h"

enum { ROWS = 72000, RESTART = 30 }; /* a basis of more than 16 MB in f64 */

static double b[ROWS], x[ROWS];
static stn_solver_report report;

/* A has `context` on its diagonal, and -1 next to it. */
static stn_status multiply(void *context, const stn_exec *exec, stn_format arithmetic,
                           const stn_view *from, const stn_view *to)
{
    const double *const v = from->data, diagonal = *(const double *)context;
    double *const w = to->data;
    (void)exec;
    (void)arithmetic;
    for (int i = 0; i < ROWS; i++)
        w[i] = diagonal * v[i] - (i > 0 ? v[i - 1] : 0.0) - (i < ROWS - 1 ? v[i + 1] : 0.0);
    return STN_OK;
}

/* Returns the number of iterations. */
static int64_t solve(double diagonal, stn_storage basis, int64_t block, stn_solver_method method,
                     double tolerance)
{
    const int64_t n = ROWS;
    const stn_solver_options options = STN_INIT(
        stn_solver_options, .method = method, .relative_tolerance = tolerance, .restart = RESTART,
        .max_iterations = tolerance > 0.0 ? 0 : 9, .basis = basis, .basis_block = block);
    uint64_t state = 5;
    stn_operator a;
    stn_view bv, xv;
    report = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    for (int i = 0; i < ROWS; i++)
        b[i] = (double)(order_next(&state) % 2001) / 1000.0 - 1.0;
    memset(x, 0, sizeof x);
    expect_ok(stn_operator_create(&a, "tango", n, multiply, &diagonal));
    expect_ok(stn_view_wrap(&bv, "b", stn_storage_of(STN_F64), b, 1, &n));
    expect_ok(stn_view_wrap(&xv, "x", stn_storage_of(STN_F64), x, 1, &n));
    const stn_status status = stn_solve(order_use(1), &xv, &a, &bv, &options, &report);
    if (tolerance > 0.0)
        expect_ok(status);
    return report.iterations;
}

/* Rows are padded to multiples of 64 elements, and 320 more. */
static int64_t bytes_of(int64_t width, int64_t vectors)
{
    return ((vectors - 1) * ((ROWS + 63) / 64 * 64 + 320) + ROWS) * width;
}

/* Cycles that narrow vectors do not limit take the memory of the codes. */
UNIT_TEST(test_slow_convergence)
{
    const stn_storage wide = stn_storage_of(STN_F64);
    const int64_t iterations = solve(2.01, wide, 0, STN_SOLVER_GMRES, 1e-3);
    assert_int_equal(report.bytes, bytes_of(8, RESTART + 1));
    assert_true(report.restarts > 1);
    static const stn_format narrow[] = {STN_F16, STN_I16, STN_F32};
    for (int k = 0; k < oracle_count(1, 3, 3); k++) {
        const int64_t more = solve(2.01, stn_storage_of(narrow[k]), 0, STN_SOLVER_GMRES, 1e-3);
        if ((double)more > 1.1 * (double)iterations)
            fail_msg("format %d: %d iterations, not %d", (int)narrow[k], (int)more,
                     (int)iterations);
        assert_int_equal(report.bytes, bytes_of(k == 2 ? 4 : 2, RESTART + 1));
    }
    solve(2.002, stn_storage_of(STN_I16), 32, STN_SOLVER_GMRES, 0);
    assert_true(report.bytes > bytes_of(2, RESTART + 1) &&
                report.bytes < bytes_of(2, RESTART + 1) * 34 / 32 + 4096);
}

/* Rows of blocks are at a distance of complete blocks, 640 bytes or more from multiples of 2048. */
UNIT_TEST(test_blocks)
{
    static const struct {
        stn_format format;
        int64_t blocks, bytes; /* of a row, and of a block */
    } rows[] = {{STN_BFP16, 2250, 66}, {STN_BFP32, 2258, 130}};
    for (int k = 0; k < COUNT_OF(rows); k++) {
        solve(2.002, stn_storage_of(rows[k].format), 0, STN_SOLVER_GMRES, 0);
        assert_int_equal(report.bytes, (RESTART + 1) * rows[k].blocks * rows[k].bytes);
    }
    const int64_t bytes = (int64_t)(RESTART + 1) * 2260 * 33; /* separate scales: not reused */
    solve(2.002, stn_storage_of(STN_MXINT8), 0, STN_SOLVER_GMRES, 0);
    assert_true(report.bytes > bytes && report.bytes <= bytes + bytes_of(8, RESTART + 1));
}

/* A cycle that narrow vectors would limit has separate memory for its first vectors. */
UNIT_TEST(test_fast_convergence)
{
    const int64_t iterations = solve(3.0, stn_storage_of(STN_F64), 0, STN_SOLVER_GMRES, 1e-10);
    const int64_t more = solve(3.0, stn_storage_of(STN_F16), 0, STN_SOLVER_GMRES, 1e-10);
    assert_true(iterations < RESTART && (double)more <= 1.1 * (double)iterations);
    assert_true(report.bytes > bytes_of(2, RESTART + 1) &&
                report.bytes <= bytes_of(2, RESTART + 1) + bytes_of(8, RESTART + 1));
}

/* Methods without a basis report 0. */
UNIT_TEST(test_no_basis)
{
    solve(2.3, (stn_storage){0}, 0, STN_SOLVER_CG, 1e-4);
    assert_int_equal(report.bytes, 0);
}

RUN_UNIT_TESTS(NULL, release_executors)
