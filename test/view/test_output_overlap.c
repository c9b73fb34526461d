/* Results that overlap themselves: every function of blas.h, sparse.h, sparse_operations.h and
 * solver.h refuses a view whose elements share memory, before it writes any of it. */
#include "matrix.h"
#include "order_oracle.h"
#include "steno/blas.h"
#include "steno/solver.h"
#include "steno/sparse_operations.h"
#include "make_view.h"

enum { ROWS = 4, MEMORY = 64 };

/* Vectors and matrices of ROWS to read, and results of rank 1 and 2. */
static const stn_exec *exec;
static stn_matrix *matrix, *lower;
static stn_triangular *triangle;
static stn_view x, z, a, b, y, c;

static stn_status solve(const stn_view *result, const stn_view *right)
{
    const stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
    stn_operator of_matrix;
    expect_ok(stn_operator_of_matrix(&of_matrix, matrix));
    return stn_solve(exec, result, &of_matrix, right, &options, NULL);
}

#define TRIANGLE STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE
/* Rank of the result and the call: y has rank 1, c rank 2. */
#define CALLS(ROW)                                                                                 \
    ROW(1, stn_swap(exec, STN_F64, &y, &x))                                                        \
    ROW(1, stn_scal(exec, STN_F64, 2.0, &y))                                                       \
    ROW(1, stn_axpy(exec, STN_F64, 2.0, &x, &y))                                                   \
    ROW(1, stn_axpby(exec, STN_F64, 2.0, &x, 3.0, &y))                                             \
    ROW(1, stn_rot(exec, STN_F64, &x, &y, 0.6, 0.8))                                               \
    ROW(1, stn_gemv(exec, STN_F64, 1.0, &a, &x, 0.0, &y))                                          \
    ROW(1, stn_gemvt(exec, STN_F64, 1.0, &a, &x, 0.0, &y, &z))                                     \
    ROW(1, stn_gemvt(exec, STN_F64, 1.0, &a, &x, 0.0, &z, &y))                                     \
    ROW(1, stn_symv(exec, STN_F64, STN_LOWER, 1.0, &a, &x, 0.0, &y))                               \
    ROW(1, stn_trmv(exec, STN_F64, TRIANGLE, &a, &y))                                              \
    ROW(1, stn_trsv(exec, STN_F64, TRIANGLE, &a, &y))                                              \
    ROW(1, stn_spmv(exec, STN_F64, 1.0, matrix, &x, 0.0, &y))                                      \
    ROW(1, stn_spmv_transposed(exec, STN_F64, 1.0, matrix, &x, 0.0, &y))                           \
    ROW(1, stn_sparse_residual(exec, STN_F64, &y, &z, matrix, &x))                                 \
    ROW(1, stn_triangular_solve(exec, STN_F64, &y, triangle, &x))                                  \
    ROW(1, stn_sparse_diagonal(exec, STN_F64, &y, matrix))                                         \
    ROW(1, stn_sparse_row_norms(exec, STN_F64, &y, matrix, STN_SPARSE_NORM_1))                     \
    ROW(1, stn_sparse_column_norms(exec, STN_F64, &y, matrix, STN_SPARSE_NORM_1))                  \
    ROW(1, solve(&y, &x))                                                                          \
    ROW(2, stn_ger(exec, STN_F64, 1.0, &x, &z, &c))                                                \
    ROW(2, stn_syr(exec, STN_F64, STN_LOWER, 1.0, &x, &c))                                         \
    ROW(2, stn_gemm(exec, STN_F64, 1.0, &a, &b, 0.0, &c))                                          \
    ROW(2, stn_symm(exec, STN_F64, STN_SIDE_LEFT, STN_LOWER, 1.0, &a, &b, 0.0, &c))                \
    ROW(2, stn_syrk(exec, STN_F64, STN_LOWER, 1.0, &a, 0.0, &c))                                   \
    ROW(2, stn_trmm(exec, STN_F64, STN_SIDE_LEFT, TRIANGLE, 1.0, &a, &c))                          \
    ROW(2, stn_trsm(exec, STN_F64, STN_SIDE_LEFT, TRIANGLE, 1.0, &a, &c))                          \
    ROW(2, stn_spmv(exec, STN_F64, 1.0, matrix, &a, 0.0, &c))                                      \
    ROW(2, stn_spmv_transposed(exec, STN_F64, 1.0, matrix, &a, 0.0, &c))                           \
    ROW(2, stn_sparse_residual(exec, STN_F64, &c, &b, matrix, &a))                                 \
    ROW(2, solve(&c, &a))

enum {
#define COUNT_CALL(rank, call) +1
    COUNT = 0 CALLS(COUNT_CALL)
};

/* Runs call k; its rank and text. */
static stn_status run(int k, int *rank, const char **text)
{
    int row = 0;
#define RUN_CALL(its_rank, call)                                                                   \
    if (row++ == k) {                                                                              \
        *rank = its_rank;                                                                          \
        *text = #call;                                                                             \
        return call;                                                                               \
    }
    CALLS(RUN_CALL)
    return STN_ERR_ARGUMENT;
}

static stn_view wrap(double *data, int rank, const int64_t *strides)
{
    static const int64_t extents[] = {ROWS, ROWS};
    return wrap_strided("an operand", f64(), data, rank, extents, strides);
}

static void create_operands(void)
{
    static int64_t start[ROWS + 1], lower_start[ROWS + 1];
    static int32_t column[ROWS * ROWS], lower_column[ROWS];
    static double value[ROWS * ROWS], lower_value[ROWS], data[4][ROWS * ROWS];
    exec = order_use(0);
    for (int i = 0; i < ROWS * ROWS; i++) {
        column[i] = i % ROWS;
        value[i] = i % (ROWS + 1) == 0 ? 4.0 : 0.5;
        for (int k = 0; k < 4; k++)
            data[k][i] = value[i];
    }
    for (int i = 0; i < ROWS; i++) {
        start[i + 1] = (i + 1) * ROWS;
        lower_start[i + 1] = i + 1;
        lower_column[i] = i;
        lower_value[i] = 2.0;
    }
    expect_ok(wrap_csr(&matrix, "A", f64(), ROWS, ROWS, start, column, value));
    expect_ok(wrap_csr(&lower, "L", f64(), ROWS, ROWS, lower_start, lower_column, lower_value));
    expect_ok(stn_triangular_create(exec, &triangle, lower, STN_LOWER, STN_DIAGONAL_NON_UNIT));
    x = wrap(data[0], 1, NULL);
    z = wrap(data[1], 1, NULL);
    a = wrap(data[2], 2, NULL);
    b = wrap(data[3], 2, NULL);
}

UNIT_TEST(results_that_overlap_themselves)
{
    static const int64_t strides[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {1, 1}, {3, 2}, {0, 0}};
    static const int64_t columns[] = {1, ROWS};
    double to[MEMORY] = {0}, before[MEMORY];
    create_operands();
    for (int k = 0; k < COUNT; k++) {
        const char *text = "";
        int rank = 0;
        y = wrap(to, 1, NULL);
        c = wrap(to, 2, columns);
        for (int i = 0; i < MEMORY; i++)
            to[i] = before[i] = 1.0 + i;
        expect_ok_for(run(k, &rank, &text), text);
        memcpy(to, before, sizeof to);
        for (int s = 0; s < (rank == 1 ? 1 : COUNT_OF(strides)); s++) {
            y = wrap(to, 1, strides[s]);
            c = wrap(to, 2, strides[s]);
            const stn_status status = run(k, &rank, &text);
            if (status != STN_ERR_ALIAS || memcmp(to, before, sizeof to) != 0)
                fail_msg("%s, strides %d and %d: %s%s", text, (int)strides[s][0],
                         (int)strides[s][1], stn_status_name(status),
                         status == STN_ERR_ALIAS ? ", and it has written" : "");
        }
    }
    stn_triangular_release(triangle);
    stn_matrix_release(matrix);
    stn_matrix_release(lower);
}

RUN_UNIT_TESTS(NULL, release_executors)
