/* A sparse system in the arrays of SciPy, PETSc or MKL (compressed rows, 32-bit indices, f64
 * values), solved by GMRES with a basis stored in 16 bits, without and with a preconditioner. The
 * arrays are not copied. */
#include <stdio.h>

#include "steno/steno.h"

enum { EDGE = 40, ROWS = EDGE * EDGE };

static int32_t indptr[ROWS + 1], indices[5 * ROWS];
static double data[5 * ROWS], b[ROWS], x[ROWS];

/* Convection and diffusion on a square of EDGE x EDGE points. */
static void assemble(void)
{
    static const int steps[] = {-EDGE, -1, 0, 1, EDGE};
    static const double values[] = {-1.0, -1.4, 4.4, -0.6, -1.0};
    for (int row = 0, entry = 0; row < ROWS; row++) {
        for (int k = 0; k < 5; k++) {
            const int column = row + steps[k];
            const int same_line = column / EDGE == row / EDGE;
            if (column >= 0 && column < ROWS && (same_line || k == 0 || k == 4)) {
                indices[entry] = column;
                data[entry++] = values[k];
            }
        }
        indptr[row + 1] = entry;
        b[row] = 1.0;
    }
}

static int fail(void)
{
    fprintf(stderr, "solve_csr: %s\n", stn_error());
    return 1;
}

/* Solves with ILU(0) of the matrix as the preconditioner. Its factors are stored in f16. */
static stn_status solve_with_ilu(const stn_exec *exec, const stn_matrix *matrix,
                                 const stn_operator *a, const stn_view *right, stn_view *solution,
                                 stn_solver_report *report)
{
    const stn_format f16 = STN_F16;
    stn_ilu_options factors = STN_ILU_OPTIONS_INIT;
    stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
    stn_preconditioner *ilu = NULL;
    stn_operator inverse;
    factors.format = &f16;
    stn_status status = stn_ilu_create(exec, &ilu, matrix, &factors);
    if (status == STN_OK)
        status = stn_operator_of_preconditioner(&inverse, ilu);
    if (status == STN_OK) {
        options.method = STN_SOLVER_GMRES;
        options.relative_tolerance = 1e-10;
        options.basis = stn_storage_of(STN_I16);
        options.restart = 20;
        options.preconditioner = &inverse;
        status = stn_solve(exec, solution, a, right, &options, report);
    }
    stn_preconditioner_release(ilu); /* after the last use of `inverse` */
    return status;
}

int main(void)
{
    const int64_t n = ROWS;
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_exec *exec;
    stn_matrix *matrix;
    stn_operator a;
    stn_view right, solution;
    assemble();
    if (stn_exec_create(&exec, "threads") ||
        stn_matrix_wrap_csr_i32(&matrix, ROWS, ROWS, indptr, indices, f64, data) ||
        stn_operator_of_matrix(&a, matrix) || stn_view_wrap(&right, "b", f64, b, 1, &n) ||
        stn_view_wrap(&solution, "x", f64, x, 1, &n)) /* zeros: the initial guess */
        return fail();

    stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    options.method = STN_SOLVER_GMRES;
    options.relative_tolerance = 1e-10;
    options.basis = stn_storage_of(STN_I16); /* each vector is stored in 16 bits with a scale */
    if (stn_solve(exec, &solution, &a, &right, &options, &report))
        return fail();
    printf("%s after %d iterations, |b - A x| is %.1e of |b|\n",
           stn_stop_reason_name(report.reason), (int)report.iterations, report.residual);

    if (stn_view_fill(exec, &solution, 0.0) ||
        solve_with_ilu(exec, matrix, &a, &right, &solution, &report))
        return fail();
    printf("with ILU(0): %d iterations, |b - A x| is %.1e of |b|\n", (int)report.iterations,
           report.residual);
    stn_matrix_release(matrix);
    stn_exec_release(exec);
    return 0;
}
