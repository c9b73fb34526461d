/* hypre's conjugate gradients with Steno's preconditioner, through hypre's function table: IC(0) of
 * the block of rows of each rank, with factors in f16.
 *
 *     mpiexec -n 4 hypre */
#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <_hypre_parcsr_mv.h>
#include <stdio.h>
#include <stdlib.h>

#include "steno/steno.h"

#if defined(HYPRE_COMPLEX) || defined(HYPRE_SINGLE) || defined(HYPRE_LONG_DOUBLE) ||               \
    defined(HYPRE_BIGINT)
#    error "this program needs a hypre with real numbers of 64 bits and indices of 32 bits"
#endif

enum { EDGE = 40, ROWS = EDGE * EDGE };

/* ---- the preconditioner ---- */

/* hypre passes the context as if it were a HYPRE_Solver. */
typedef struct context {
    stn_exec *exec;
    stn_preconditioner *factors;
    stn_operator inverse;
} context;

/* Raises an error of hypre with the message. */
static HYPRE_Int fail(const char *message)
{
    hypre_error_w_msg(HYPRE_ERROR_GENERIC, message);
    return HYPRE_ERROR_GENERIC;
}

/* The block of rows and columns of this rank is in compressed rows already. */
static HYPRE_Int set_up(HYPRE_Solver solver, HYPRE_Matrix matrix, HYPRE_Vector b, HYPRE_Vector x)
{
    context *const c = (context *)solver;
    hypre_ParCSRMatrix *const a = (hypre_ParCSRMatrix *)matrix;
    hypre_CSRMatrix *const block = hypre_ParCSRMatrixDiag(a);
    const stn_format f16 = STN_F16;
    const stn_ilu_options options = STN_INIT(stn_ilu_options, .kind = STN_IC0, .format = &f16);
    stn_matrix *wrapped;
    (void)b;
    (void)x;
    if (stn_matrix_wrap_csr_i32(&wrapped, hypre_CSRMatrixNumRows(block),
                                hypre_CSRMatrixNumCols(block), hypre_CSRMatrixI(block),
                                hypre_CSRMatrixJ(block), stn_storage_of(STN_F64),
                                hypre_CSRMatrixData(block)))
        return fail(stn_error());
    stn_preconditioner_release(c->factors);
    stn_status status = stn_ilu_create(c->exec, &c->factors, wrapped, &options);
    if (status == STN_OK)
        status = stn_operator_of_preconditioner(&c->inverse, c->factors);
    stn_matrix_release(wrapped);
    return status == STN_OK ? 0 : fail(stn_error());
}

/* The elements of a vector on this rank. */
static stn_status wrap(stn_view *view, const char *label, HYPRE_Vector vector)
{
    hypre_Vector *const elements = hypre_ParVectorLocalVector((hypre_ParVector *)vector);
    const int64_t count = hypre_VectorSize(elements);
    return stn_view_wrap(view, label, stn_storage_of(STN_F64), hypre_VectorData(elements), 1,
                         &count);
}

/* x = M b */
static HYPRE_Int apply(HYPRE_Solver solver, HYPRE_Matrix matrix, HYPRE_Vector b, HYPRE_Vector x)
{
    context *const c = (context *)solver;
    stn_view from, to;
    (void)matrix;
    if (!c->factors)
        return fail("the preconditioner has not been set up");
    if (wrap(&from, "b", b) || wrap(&to, "x", x))
        return fail(stn_error());
    if (from.extent[0] != c->inverse.rows || to.extent[0] != c->inverse.rows)
        return fail("the vectors do not have the rows of the preconditioner");
    return c->inverse.apply(c->inverse.context, c->exec, STN_F64, &from, &to) ? fail(stn_error())
                                                                              : 0;
}

/* ---- the system ---- */

/* The 5-point operator on a square; each rank has `rows` rows from `begin`. */
static HYPRE_IJMatrix assemble(HYPRE_Int begin, HYPRE_Int rows)
{
    static const int steps[] = {-EDGE, -1, 0, 1, EDGE};
    HYPRE_IJMatrix made;
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, begin, begin + rows - 1, begin, begin + rows - 1, &made);
    HYPRE_IJMatrixSetObjectType(made, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(made);
    for (HYPRE_Int row = begin; row < begin + rows; row++) {
        HYPRE_Int count = 0, columns[5];
        double values[5];
        for (int k = 0; k < 5; k++) {
            const HYPRE_Int column = row + steps[k];
            const int same_line = column / EDGE == row / EDGE;
            if (column >= 0 && column < ROWS && (same_line || k == 0 || k == 4)) {
                columns[count] = column;
                values[count++] = k == 2 ? 4.0 : -1.0;
            }
        }
        HYPRE_IJMatrixSetValues(made, 1, &count, &row, columns, values);
    }
    HYPRE_IJMatrixAssemble(made);
    return made;
}

static HYPRE_IJVector make_vector(HYPRE_Int begin, HYPRE_Int rows, double value)
{
    HYPRE_IJVector made;
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, begin, begin + rows - 1, &made);
    HYPRE_IJVectorSetObjectType(made, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(made);
    for (HYPRE_Int row = begin; row < begin + rows; row++)
        HYPRE_IJVectorSetValues(made, 1, &row, &value);
    HYPRE_IJVectorAssemble(made);
    return made;
}

/* Solves with right-hand side 1 and returns the number of iterations. */
static HYPRE_Int solve(HYPRE_Int begin, HYPRE_Int rows, HYPRE_IJMatrix matrix, context *c)
{
    HYPRE_IJVector b = make_vector(begin, rows, 1.0), x = make_vector(begin, rows, 0.0);
    HYPRE_Int iterations = 0;
    HYPRE_Solver solver;
    void *a, *right, *solution;
    HYPRE_IJMatrixGetObject(matrix, &a);
    HYPRE_IJVectorGetObject(b, &right);
    HYPRE_IJVectorGetObject(x, &solution);
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &solver);
    HYPRE_PCGSetTol(solver, 1e-8);
    HYPRE_PCGSetMaxIter(solver, 1000);
    if (c)
        HYPRE_PCGSetPrecond(solver, apply, set_up, (HYPRE_Solver)c);
    HYPRE_ParCSRPCGSetup(solver, a, right, solution);
    HYPRE_ParCSRPCGSolve(solver, a, right, solution);
    HYPRE_PCGGetNumIterations(solver, &iterations);
    HYPRE_ParCSRPCGDestroy(solver);
    HYPRE_IJVectorDestroy(b);
    HYPRE_IJVectorDestroy(x);
    return iterations;
}

int main(int argc, char **argv)
{
    context c = {NULL, NULL, {0}};
    int rank, ranks;
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (stn_exec_create(&c.exec, "threads:threads=1"))
        MPI_Abort(MPI_COMM_WORLD, 1);
    const HYPRE_Int begin = ROWS * rank / ranks, rows = ROWS * (rank + 1) / ranks - begin;
    HYPRE_IJMatrix a = assemble(begin, rows);
    const HYPRE_Int plain = solve(begin, rows, a, NULL), faster = solve(begin, rows, a, &c);
    if (rank == 0)
        printf("conjugate gradients of hypre: %d iterations\n"
               "with IC(0) of Steno in f16:   %d iterations\n",
               plain, faster);
    const HYPRE_Int error = HYPRE_GetError();
    stn_preconditioner_release(c.factors);
    stn_exec_release(c.exec);
    HYPRE_IJMatrixDestroy(a);
    HYPRE_Finalize();
    MPI_Finalize();
    return error || faster >= plain;
}
