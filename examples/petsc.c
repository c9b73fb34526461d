/* A system of PETSc, distributed over the ranks of MPI, solved by PETSc's GMRES: with PETSc's
 * storage, and with Steno's: values of the matrix in f32, factors of the preconditioner in f16.
 *
 *     mpiexec -n 4 petsc -rows 1000 */
#include <petscksp.h>

#include "steno/petsc.h"
#include "steno/steno.h"

/* Raises an error of Steno as an error of PETSc. */
#define STN_CALL(call)                                                                             \
    PetscCheck((call) == STN_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", stn_error())

static stn_exec *exec; /* one thread per rank */

/* Convection and diffusion on a square of edge x edge points. PETSc distributes the rows. */
static PetscErrorCode assemble(PetscInt edge, Mat *made)
{
    static const double values[] = {-1.0, -1.4, 4.4, -0.6, -1.0};
    const PetscInt rows = edge * edge, steps[] = {-edge, -1, 0, 1, edge};
    PetscInt begin, end;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, rows, rows, 5, NULL, 5,
                           NULL, made));
    PetscCall(MatGetOwnershipRange(*made, &begin, &end));
    for (PetscInt row = begin; row < end; row++)
        for (int k = 0; k < 5; k++) {
            const PetscInt column = row + steps[k];
            const int same_line = column / edge == row / edge;
            if (column >= 0 && column < rows && (same_line || k == 0 || k == 4))
                PetscCall(MatSetValue(*made, row, column, values[k], INSERT_VALUES));
        }
    PetscCall(MatAssemblyBegin(*made, MAT_FINAL_ASSEMBLY));
    return MatAssemblyEnd(*made, MAT_FINAL_ASSEMBLY);
}

/* Solves A x = b with right-hand side 1, and prints |b - A x| / |b| with the matrix of PETSc. */
static PetscErrorCode solve(const char *name, KSP ksp, Mat a)
{
    Vec x, b, residual;
    PetscInt iterations;
    PetscReal norm, rest;
    PetscCall(MatCreateVecs(a, &x, &b));
    PetscCall(VecDuplicate(b, &residual));
    PetscCall(VecSet(b, 1.0));
    PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 1000));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    PetscCall(MatMult(a, x, residual));
    PetscCall(VecAYPX(residual, -1.0, b));
    PetscCall(VecNorm(residual, NORM_2, &rest));
    PetscCall(VecNorm(b, NORM_2, &norm));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%-38s %3d iterations, |b - A x| is %s of |b|\n", name,
                          (int)iterations, rest <= 1e-6 * norm ? "less than 1e-6" : "too much"));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    return VecDestroy(&residual);
}

/* The preconditioner of PETSc: ILU(0) of the rows of each rank in f64. */
static PetscErrorCode solve_with_petsc(Mat a)
{
    KSP ksp;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, a, a));
    PetscCall(solve("PETSc, f64", ksp, a));
    return KSPDestroy(&ksp);
}

/* The same preconditioner with factors in f16, and the matrix with values in f32. */
static PetscErrorCode solve_with_steno(Mat a)
{
    const stn_format f16 = STN_F16;
    const stn_storage f32 = stn_storage_of(STN_F32);
    const stn_ilu_options factors = STN_INIT(stn_ilu_options, .format = &f16);
    KSP ksp;
    PC pc;
    Mat narrow;
    STN_CALL(stn_petsc_mat_create(exec, &narrow, a, STN_MATRIX_AUTO, &f32));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, narrow, a)); /* the factors are those of a */
    PetscCall(KSPGetPC(ksp, &pc));
    STN_CALL(stn_petsc_pc_set_ilu(exec, pc, &factors));
    PetscCall(solve("Steno, matrix in f32, factors in f16", ksp, a));
    PetscCall(MatDestroy(&narrow));
    return KSPDestroy(&ksp);
}

/* An inner GMRES in f32 on each rank, whose basis is stored in f16, inside flexible GMRES. */
static PetscErrorCode solve_with_solver(Mat a)
{
    KSP ksp;
    PC pc;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, a, a));
    PetscCall(KSPSetType(ksp, KSPFGMRES));
    PetscCall(KSPGetPC(ksp, &pc));
    STN_CALL(stn_petsc_pc_set_solver(exec, pc, NULL, NULL));
    PetscCall(solve("Steno, inner solver in f32", ksp, a));
    return KSPDestroy(&ksp);
}

/* The sum of a vector of PETSc by a function of Steno, in place. */
static PetscErrorCode sum_in_place(Mat a)
{
    Vec x;
    stn_view view;
    double sum;
    PetscInt count;
    PetscCall(MatCreateVecs(a, &x, NULL));
    PetscCall(VecGetLocalSize(x, &count));
    PetscCall(VecSet(x, 0.5));
    STN_CALL(stn_petsc_vec_wrap_const(&view, x));
    STN_CALL(stn_sum(exec, STN_F64, &sum, &view));
    STN_CALL(stn_view_release(&view));
    PetscCheck(sum == 0.5 * count, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the sum is %g", sum);
    return VecDestroy(&x);
}

int main(int argc, char **argv)
{
    PetscInt edge = 60;
    Mat a;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    STN_CALL(stn_exec_create(&exec, "threads:threads=1"));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-rows", &edge, NULL));
    PetscCall(assemble(edge, &a));
    PetscCall(solve_with_petsc(a));
    PetscCall(solve_with_steno(a));
    PetscCall(solve_with_solver(a));
    PetscCall(sum_in_place(a));
    PetscCall(MatDestroy(&a));
    stn_exec_release(exec);
    return PetscFinalize();
}
