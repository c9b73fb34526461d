/* Results that overlap themselves: every function of blas.h, sparse.h, sparse_operations.h and
 * solver.h refuses a view whose elements share memory, before it writes any of it. */

#include "order_oracle.h"
#include "steno/solver.h"
#include "matrix.h"
#include "steno/blas.h"
#include "steno/sparse_operations.h"
#include "check.h"

enum { ROWS = 4, MEMORY = 64 };

/* Vectors and matrices of ROWS, and views to write that overlap themselves. */
typedef struct operands {
    const stn_exec *exec;
    stn_matrix *matrix, *lower;
    stn_triangular *triangle;
    stn_view vector, more, square, other; /* to read: rank 1, rank 1, rank 2, rank 2 */
    stn_view to, to_square;               /* rank 1 and 2 */
} operands;

typedef stn_status (*call)(const operands *o);

/* ---- results of rank 1 ---- */

#define CALL(name, ...)                                                                            \
    static stn_status name(const operands *o)                                                      \
    {                                                                                              \
        return stn_##name(__VA_ARGS__);                                                            \
    }

CALL(swap, o->exec, STN_F64, &o->to, &o->vector)
CALL(scal, o->exec, STN_F64, 2.0, &o->to)
CALL(axpy, o->exec, STN_F64, 2.0, &o->vector, &o->to)
CALL(axpby, o->exec, STN_F64, 2.0, &o->vector, 3.0, &o->to)
CALL(rot, o->exec, STN_F64, &o->vector, &o->to, 0.6, 0.8)
CALL(gemv, o->exec, STN_F64, 1.0, &o->square, &o->vector, 0.0, &o->to)
CALL(gemvt, o->exec, STN_F64, 1.0, &o->square, &o->vector, 0.0, &o->to, &o->more)
CALL(symv, o->exec, STN_F64, STN_LOWER, 1.0, &o->square, &o->vector, 0.0, &o->to)
CALL(trmv, o->exec, STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &o->square, &o->to)
CALL(trsv, o->exec, STN_F64, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, &o->square, &o->to)
CALL(spmv, o->exec, STN_F64, 1.0, o->matrix, &o->vector, 0.0, &o->to)
CALL(spmv_transposed, o->exec, STN_F64, 1.0, o->matrix, &o->vector, 0.0, &o->to)
CALL(sparse_residual, o->exec, STN_F64, &o->to, &o->more, o->matrix, &o->vector)
CALL(triangular_solve, o->exec, STN_F64, &o->to, o->triangle, &o->vector)
CALL(sparse_diagonal, o->exec, STN_F64, &o->to, o->matrix)
CALL(sparse_row_norms, o->exec, STN_F64, &o->to, o->matrix, STN_SPARSE_NORM_1)
CALL(sparse_column_norms, o->exec, STN_F64, &o->to, o->matrix, STN_SPARSE_NORM_1)

static stn_status gemvt_z(const operands *o)
{
    return stn_gemvt(o->exec, STN_F64, 1.0, &o->square, &o->vector, 0.0, &o->more, &o->to);
}

static stn_status solve_by(const operands *o, const stn_view *b, const stn_view *x)
{
    const stn_solver_options solver = STN_SOLVER_OPTIONS_INIT;
    stn_operator a;
    expect_ok(stn_operator_of_matrix(&a, o->matrix));
    return stn_solve(o->exec, x, &a, b, &solver, NULL);
}

static stn_status solve(const operands *o)
{
    return solve_by(o, &o->vector, &o->to);
}

/* ---- results of rank 2 ---- */

CALL(ger, o->exec, STN_F64, 1.0, &o->vector, &o->more, &o->to_square)
CALL(syr, o->exec, STN_F64, STN_LOWER, 1.0, &o->vector, &o->to_square)
CALL(gemm, o->exec, STN_F64, 1.0, &o->square, &o->other, 0.0, &o->to_square)
CALL(symm, o->exec, STN_F64, STN_SIDE_LEFT, STN_LOWER, 1.0, &o->square, &o->other, 0.0,
     &o->to_square)
CALL(syrk, o->exec, STN_F64, STN_LOWER, 1.0, &o->square, 0.0, &o->to_square)
CALL(trmm, o->exec, STN_F64, STN_SIDE_LEFT, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, 1.0,
     &o->square, &o->to_square)
CALL(trsm, o->exec, STN_F64, STN_SIDE_LEFT, STN_LOWER, STN_DIAGONAL_NON_UNIT, STN_NO_CONJUGATE, 1.0,
     &o->square, &o->to_square)

static stn_status spmv_columns(const operands *o)
{
    return stn_spmv(o->exec, STN_F64, 1.0, o->matrix, &o->square, 0.0, &o->to_square);
}

static stn_status spmv_transposed_columns(const operands *o)
{
    return stn_spmv_transposed(o->exec, STN_F64, 1.0, o->matrix, &o->square, 0.0, &o->to_square);
}

static stn_status residual_columns(const operands *o)
{
    return stn_sparse_residual(o->exec, STN_F64, &o->to_square, &o->other, o->matrix, &o->square);
}

static stn_status solve_columns(const operands *o)
{
    return solve_by(o, &o->square, &o->to_square);
}

static const struct {
    const char *name;
    call run;
    int rank;
} calls[] = {{"swap", swap, 1},
             {"scal", scal, 1},
             {"axpy", axpy, 1},
             {"axpby", axpby, 1},
             {"rot", rot, 1},
             {"gemv", gemv, 1},
             {"gemvt", gemvt, 1},
             {"gemvt, z", gemvt_z, 1},
             {"symv", symv, 1},
             {"trmv", trmv, 1},
             {"trsv", trsv, 1},
             {"spmv", spmv, 1},
             {"spmv_transposed", spmv_transposed, 1},
             {"sparse_residual", sparse_residual, 1},
             {"triangular_solve", triangular_solve, 1},
             {"sparse_diagonal", sparse_diagonal, 1},
             {"sparse_row_norms", sparse_row_norms, 1},
             {"sparse_column_norms", sparse_column_norms, 1},
             {"solve", solve, 1},
             {"ger", ger, 2},
             {"syr", syr, 2},
             {"gemm", gemm, 2},
             {"symm", symm, 2},
             {"syrk", syrk, 2},
             {"trmm", trmm, 2},
             {"trsm", trsm, 2},
             {"spmv, columns", spmv_columns, 2},
             {"spmv_transposed, columns", spmv_transposed_columns, 2},
             {"sparse_residual, columns", residual_columns, 2},
             {"solve, columns", solve_columns, 2}};

/* ---- tests ---- */

static void wrap(stn_view *view, double *data, int rank, const int64_t *strides)
{
    static const int64_t extents[] = {ROWS, ROWS};
    expect_ok(stn_view_wrap_spec(
        view, &STN_VIEW_SPEC(.label = "an operand", .storage = stn_storage_of(STN_F64),
                             .data = data, .rank = rank, .extents = extents, .strides = strides)));
}

static void make(operands *o, double *to)
{
    static int64_t start[ROWS + 1], lower_start[ROWS + 1];
    static int32_t column[ROWS * ROWS];
    static double value[ROWS * ROWS], lower_value[ROWS], data[4][ROWS * ROWS];
    static int32_t lower_column[ROWS];
    o->exec = order_use(0);
    for (int i = 0; i < ROWS * ROWS; i++) {
        column[i] = i % ROWS;
        value[i] = data[0][i] = data[1][i] = data[2][i] = data[3][i] =
            i % (ROWS + 1) == 0 ? 4.0 : 0.5;
    }
    for (int i = 0; i < ROWS; i++) {
        start[i + 1] = (i + 1) * ROWS;
        lower_start[i + 1] = i + 1;
        lower_column[i] = i;
        lower_value[i] = 2.0;
    }
    expect_ok(wrap_csr(&o->matrix, "A", stn_storage_of(STN_F64), ROWS, ROWS, start, column, value));
    expect_ok(wrap_csr(&o->lower, "L", stn_storage_of(STN_F64), ROWS, ROWS, lower_start,
                       lower_column, lower_value));
    expect_ok(
        stn_triangular_create(o->exec, &o->triangle, o->lower, STN_LOWER, STN_DIAGONAL_NON_UNIT));
    wrap(&o->vector, data[0], 1, NULL);
    wrap(&o->more, data[1], 1, NULL);
    wrap(&o->square, data[2], 2, NULL);
    wrap(&o->other, data[3], 2, NULL);
    wrap(&o->to, to, 1, NULL);
    wrap(&o->to_square, to, 2, NULL);
}

UNIT_TEST(test_refused)
{
    static const int64_t strides[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {1, 1}, {3, 2}, {0, 0}};
    static const int64_t column_strides[] = {1, ROWS};
    double to[MEMORY], before[MEMORY];
    operands o;
    memset(to, 0, sizeof to);
    make(&o, to);
    for (int k = 0; k < COUNT_OF(calls); k++) {
        wrap(&o.to, to, 1, NULL);
        wrap(&o.to_square, to, 2, column_strides);
        for (int i = 0; i < MEMORY; i++)
            to[i] = 1.0 + i;
        if (calls[k].run(&o) != STN_OK)
            fail_msg("%s: %s", calls[k].name, stn_error());
        for (int i = 0; i < MEMORY; i++)
            before[i] = to[i] = 1.0 + i;
        for (size_t s = 0; s < (calls[k].rank == 1 ? 1 : sizeof strides / sizeof *strides); s++) {
            wrap(&o.to, to, 1, strides[s]);
            wrap(&o.to_square, to, 2, strides[s]);
            const stn_status status = calls[k].run(&o);
            if (status != STN_ERR_ALIAS || memcmp(to, before, sizeof to) != 0)
                fail_msg("%s, strides %d and %d: %s%s", calls[k].name, (int)strides[s][0],
                         (int)strides[s][1], stn_status_name(status),
                         status == STN_ERR_ALIAS ? ", and it has written" : "");
        }
    }
    stn_triangular_release(o.triangle);
}

static int release(void **state)
{
    (void)state;
    order_release_executors();
    return 0;
}

RUN_UNIT_TESTS(NULL, release)
