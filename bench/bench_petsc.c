/* Products and preconditioners of libsteno_petsc compared with PETSc's own, through PETSc's calls
 * MatMult and PCApply, in alternating rounds with one rank and one thread: 7-point matrices of 48^3
 * and 96^3 rows.
 *
 * Microseconds: the median of the rounds. */
#include <petscksp.h>

#include "measure/stream.h"
#include "steno/petsc.h"
#include "steno/steno.h"

enum { ROUNDS = 41, POINTS = 7, MAX_CASES = 4 };

#define STN_CALL(call)                                                                             \
    PetscCheck((call) == STN_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", stn_error())

static stn_exec *exec;

/* Convection and diffusion: nonsymmetric, with different rows. */
static PetscErrorCode assemble(PetscInt edge, Mat *made)
{
    const PetscInt rows = edge * edge * edge, area = edge * edge;
    const PetscInt step[POINTS] = {-area, -edge, -1, 0, 1, edge, area};
    PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, rows, rows, POINTS, NULL, made));
    for (PetscInt r = 0; r < rows; r++) {
        const PetscInt x = r % edge, y = r / edge % edge, z = r / area;
        const int is_there[POINTS] = {z > 0,        y > 0,        x > 0,       1,
                                      x < edge - 1, y < edge - 1, z < edge - 1};
        for (int k = 0; k < POINTS; k++)
            if (is_there[k])
                PetscCall(MatSetValue(
                    *made, r, r + step[k],
                    step[k] ? -1.0 - 0.001 * (double)((r * POINTS + k) % 13) : 6.5, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(*made, MAT_FINAL_ASSEMBLY));
    return MatAssemblyEnd(*made, MAT_FINAL_ASSEMBLY);
}

static PetscErrorCode median_of(double *seconds, double *median)
{
    PetscCall(PetscSortReal(ROUNDS, seconds));
    *median = seconds[ROUNDS / 2];
    return 0;
}

static PetscErrorCode print(const char *what, PetscInt edge, const char *storage, double seconds,
                            double reference)
{
    return PetscPrintf(PETSC_COMM_SELF, "| %s | %d^3 | %s | %.0f | %.2f |\n", what, (int)edge,
                       storage, seconds * 1e6, seconds / reference);
}

static PetscErrorCode compare_products(Mat a, PetscInt edge)
{
    static const char *const names[] = {"PETSc, f64", "Steno, f64", "Steno, f32", "Steno, f16"};
    static const stn_format formats[] = {0, STN_F64, STN_F32, STN_F16};
    double seconds[MAX_CASES][ROUNDS], median[MAX_CASES];
    Mat mats[MAX_CASES] = {a};
    Vec x, y;
    PetscCall(MatCreateVecs(a, &x, &y));
    PetscCall(VecSet(x, 1.0));
    for (int k = 1; k < MAX_CASES; k++) {
        const stn_storage storage = stn_storage_of(formats[k]);
        STN_CALL(stn_petsc_mat_create(exec, &mats[k], a, STN_MATRIX_AUTO, &storage));
    }
    for (int round = -1; round < ROUNDS; round++)
        for (int k = 0; k < MAX_CASES; k++) {
            const double begin = measure_now();
            PetscCall(MatMult(mats[k], x, y));
            seconds[k][round < 0 ? 0 : round] = measure_now() - begin;
        }
    for (int k = 0; k < MAX_CASES; k++) {
        PetscCall(median_of(seconds[k], &median[k]));
        PetscCall(print("product", edge, names[k], median[k], median[0]));
        if (k)
            PetscCall(MatDestroy(&mats[k]));
    }
    PetscCall(VecDestroy(&x));
    return VecDestroy(&y);
}

static PetscErrorCode compare_factors(Mat a, PetscInt edge)
{
    static const char *const names[] = {"PETSc, f64", "Steno, f64", "Steno, f32", "Steno, f16"};
    static const stn_format formats[] = {0, STN_F64, STN_F32, STN_F16};
    double seconds[MAX_CASES][ROUNDS], median[MAX_CASES];
    PC pcs[MAX_CASES];
    Vec x, y;
    PetscCall(MatCreateVecs(a, &x, &y));
    PetscCall(VecSet(x, 1.0));
    for (int k = 0; k < MAX_CASES; k++) {
        const stn_ilu_options options = STN_INIT(stn_ilu_options, .format = &formats[k]);
        PetscCall(PCCreate(PETSC_COMM_SELF, &pcs[k]));
        PetscCall(PCSetOperators(pcs[k], a, a));
        PetscCall(PCSetType(pcs[k], PCILU));
        if (k)
            STN_CALL(stn_petsc_pc_set_ilu(exec, pcs[k], &options));
        PetscCall(PCSetUp(pcs[k]));
    }
    for (int round = -1; round < ROUNDS; round++)
        for (int k = 0; k < MAX_CASES; k++) {
            const double begin = measure_now();
            PetscCall(PCApply(pcs[k], x, y));
            seconds[k][round < 0 ? 0 : round] = measure_now() - begin;
        }
    for (int k = 0; k < MAX_CASES; k++) {
        PetscCall(median_of(seconds[k], &median[k]));
        PetscCall(print("ILU(0)", edge, names[k], median[k], median[0]));
        PetscCall(PCDestroy(&pcs[k]));
    }
    PetscCall(VecDestroy(&x));
    return VecDestroy(&y);
}

int main(int argc, char **argv)
{
    static const PetscInt edges[] = {24, 48, 96, 160};
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    STN_CALL(stn_exec_create(&exec, "threads:threads=1"));
    PetscCall(PetscPrintf(PETSC_COMM_SELF, "| | rows | storage | us | of PETSc |\n"
                                           "|---|---|---|---|---|\n"));
    for (int k = 0; k < (int)(sizeof edges / sizeof *edges); k++) {
        Mat a;
        PetscCall(assemble(edges[k], &a));
        PetscCall(compare_products(a, edges[k]));
        PetscCall(compare_factors(a, edges[k]));
        PetscCall(MatDestroy(&a));
    }
    stn_exec_release(exec);
    return PetscFinalize();
}
