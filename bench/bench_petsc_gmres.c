/* GMRES with narrow bases compared with PETSc's default GMRES (classical Gram-Schmidt once): one
 * process with one thread solves with PETSc, then with Steno, for each basis in each round.
 *
 *   bench_petsc_gmres [-edge N] [-ilu FORMAT] [-bases NAME,NAME,...] [-orthogonalization NAME]
 *                     [-rounds N] [-iterations N]
 *
 * The system is that of `steno solve convection`: convection and diffusion on N^3 points, b = A
 * times ones, restart 100, relative residual 1e-10. -ilu: ILU(0) on the right in both libraries,
 * with the factors of Steno in FORMAT. -bases: formats, such as i16:32 for blocks of 32.
 * -iterations limits the iterations, for timings only.
 *
 * Seconds of processor time: the medians of the rounds. Quotients: the medians of those of each
 * round. The matrix is stored and the factors are computed before. The residual is recomputed from
 * x by PETSc for both libraries. */
#define _POSIX_C_SOURCE 200809L
#include <petscksp.h>
#include <time.h>

#include "../cli/pde.h"
#include "steno/market.h"
#include "steno/petsc.h"
#include "steno/sparse_optimize.h"
#include "steno/steno.h"

enum { MAX_ROUNDS = 32, MAX_BASES = 16, RESTART = 100, NAME_LENGTH = 32 };

static const double tolerance = 1e-10;

#define STN_CALL(call)                                                                             \
    PetscCheck((call) == STN_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", stn_error())

typedef struct system_job {
    PetscInt edge, rounds, iterations;
    char factors[NAME_LENGTH]; /* empty: no preconditioner */
    stn_exec *exec;
    stn_market_matrix arrays;
    stn_matrix *matrix;
    stn_operator op, inverse;
    stn_preconditioner *ilu;
    stn_solver_options options;
    Mat a;
    Vec b, x, r;
} system_job;

typedef struct outcome {
    double seconds[MAX_ROUNDS], residual;
    PetscInt iterations;
} outcome;

static double processor_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* |b - A x| / |b| */
static PetscErrorCode residual_of(const system_job *job, double *residual)
{
    PetscReal norm, of_b;
    PetscCall(MatMult(job->a, job->x, job->r));
    PetscCall(VecAYPX(job->r, -1.0, job->b));
    PetscCall(VecNorm(job->r, NORM_2, &norm));
    PetscCall(VecNorm(job->b, NORM_2, &of_b));
    *residual = norm / of_b;
    return 0;
}

/* Each solve allocates its basis, in both libraries. */
static PetscErrorCode solve_by_petsc(const system_job *job, PetscInt round, outcome *result)
{
    KSP ksp;
    PC pc;
    PetscCall(KSPCreate(PETSC_COMM_SELF, &ksp));
    PetscCall(KSPSetType(ksp, KSPGMRES));
    PetscCall(KSPGMRESSetRestart(ksp, RESTART));
    PetscCall(KSPSetPCSide(ksp, PC_RIGHT));
    PetscCall(KSPSetOperators(ksp, job->a, job->a));
    PetscCall(KSPSetTolerances(ksp, tolerance, 0.0, PETSC_DEFAULT, (PetscInt)job->iterations));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, job->factors[0] ? PCILU : PCNONE));
    PetscCall(PCSetUp(pc));
    PetscCall(VecSet(job->x, 0.0));
    const double begin = processor_seconds();
    PetscCall(KSPSolve(ksp, job->b, job->x));
    result->seconds[round] = processor_seconds() - begin;
    PetscCall(KSPGetIterationNumber(ksp, &result->iterations));
    PetscCall(KSPDestroy(&ksp));
    return residual_of(job, &result->residual);
}

static PetscErrorCode solve_by_steno(const system_job *job, PetscInt round, outcome *result)
{
    const int64_t rows = job->arrays.rows;
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    const PetscScalar *b_data;
    PetscScalar *x_data;
    stn_view b, x;
    PetscCall(VecSet(job->x, 0.0));
    PetscCall(VecGetArrayRead(job->b, &b_data));
    PetscCall(VecGetArray(job->x, &x_data));
    STN_CALL(stn_view_wrap_const(&b, "b", f64, b_data, 1, &rows));
    STN_CALL(stn_view_wrap(&x, "x", f64, x_data, 1, &rows));
    const double begin = processor_seconds();
    const stn_status status = stn_solve(job->exec, &x, &job->op, &b, &job->options, &report);
    result->seconds[round] = processor_seconds() - begin;
    PetscCheck(status == STN_OK || report.reason == STN_STOP_MAX_ITERATIONS, PETSC_COMM_SELF,
               PETSC_ERR_LIB, "%s", stn_error());
    PetscCall(VecRestoreArrayRead(job->b, &b_data));
    PetscCall(VecRestoreArray(job->x, &x_data));
    result->iterations = (PetscInt)report.iterations;
    return residual_of(job, &result->residual);
}

static PetscErrorCode median_of(const double *values, PetscInt count, double *median)
{
    PetscReal sorted[MAX_ROUNDS];
    PetscCall(PetscArraycpy(sorted, values, count));
    PetscCall(PetscSortReal(count, sorted));
    *median = sorted[count / 2];
    return 0;
}

static PetscErrorCode print(const char *system, const char *solver, const outcome *result,
                            PetscInt rounds, const double *quotient)
{
    char quotients[NAME_LENGTH] = "";
    double seconds;
    PetscCall(median_of(result->seconds, rounds, &seconds));
    if (quotient)
        PetscCall(PetscSNPrintf(quotients, sizeof quotients, "%.2f", *quotient));
    return PetscPrintf(PETSC_COMM_SELF, "| %s | %s | %d | %.2f | %.1f | %s | %.1e |\n", system,
                       solver, (int)result->iterations, seconds,
                       seconds * 1e3 / (double)result->iterations, quotients, result->residual);
}

static const char *const orthogonalizations[] = {"default", "once",    "if_needed",
                                                 "twice",   "delayed", "sketched"};

static PetscErrorCode describe(const system_job *job, char *text, size_t size)
{
    const char *const kind = orthogonalizations[job->options.orthogonalization];
    return PetscSNPrintf(text, size, "%d^3, %s%s, %s", (int)job->edge,
                         job->factors[0] ? "ILU(0) in " : "no preconditioner", job->factors, kind);
}

/* A name such as f16 or i16:32. */
static PetscErrorCode select_basis(system_job *job, char *name)
{
    stn_format format;
    char *const block = strchr(name, ':');
    job->options.basis_block = block ? strtoll(block + 1, NULL, 10) : 0;
    if (block)
        *block = '\0';
    STN_CALL(stn_format_find(name, &format));
    if (block)
        *block = ':';
    job->options.basis = stn_storage_of(format);
    return 0;
}

static PetscErrorCode compare(system_job *job, char **bases, PetscInt count)
{
    static outcome petsc[MAX_BASES], steno[MAX_BASES];
    double quotients[MAX_ROUNDS], quotient;
    char system[3 * NAME_LENGTH];
    for (PetscInt round = 0; round < job->rounds; round++)
        for (PetscInt k = 0; k < count; k++) {
            PetscCall(select_basis(job, bases[k]));
            PetscCall(solve_by_petsc(job, round, &petsc[k]));
            PetscCall(solve_by_steno(job, round, &steno[k]));
        }
    PetscCall(describe(job, system, sizeof system));
    PetscCall(PetscPrintf(PETSC_COMM_SELF,
                          "| system | solver | iterations | seconds | ms per iteration | PETSc / "
                          "Steno | residual |\n|---|---|---|---|---|---|---|\n"));
    PetscCall(print(system, "PETSc", &petsc[0], job->rounds, NULL));
    for (PetscInt k = 0; k < count; k++) {
        for (PetscInt round = 0; round < job->rounds; round++)
            quotients[round] = petsc[k].seconds[round] / steno[k].seconds[round];
        PetscCall(median_of(quotients, job->rounds, &quotient));
        PetscCall(print("", bases[k], &steno[k], job->rounds, &quotient));
    }
    return 0;
}

/* The same arrays for both libraries; b = A times ones. */
static PetscErrorCode assemble(system_job *job)
{
    const pde_kind *pde;
    PetscInt *starts;
    stn_format format;
    stn_ilu_options ilu = STN_ILU_OPTIONS_INIT;
    STN_CALL(pde_find("convection", &pde));
    STN_CALL(pde_create(pde, job->edge, &job->arrays));
    stn_market_matrix *const m = &job->arrays;
    const PetscInt rows = (PetscInt)m->rows;
    PetscCall(PetscMalloc1((size_t)rows + 1, &starts));
    for (PetscInt row = 0; row <= rows; row++)
        starts[row] = (PetscInt)m->row_start[row];
    PetscCall(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, rows, rows, starts, m->column, m->values,
                                        &job->a));
    PetscCall(MatCreateVecs(job->a, &job->x, &job->b));
    PetscCall(VecDuplicate(job->b, &job->r));
    PetscCall(VecSet(job->x, 1.0));
    PetscCall(MatMult(job->a, job->x, job->b));
    STN_CALL(stn_matrix_wrap_csr_i32(&job->matrix, rows, rows, starts, m->column,
                                     stn_storage_of(STN_F64), m->values));
    STN_CALL(stn_matrix_optimize(job->exec, STN_F64, job->matrix, 1000, NULL, NULL));
    STN_CALL(stn_operator_of_matrix(&job->op, job->matrix));
    if (!job->factors[0])
        return 0;
    STN_CALL(stn_format_find(job->factors, &format));
    ilu.format = &format;
    STN_CALL(stn_ilu_create(job->exec, &job->ilu, job->matrix, &ilu));
    STN_CALL(stn_operator_of_preconditioner(&job->inverse, job->ilu));
    job->options.preconditioner = &job->inverse;
    return 0;
}

static PetscErrorCode orthogonalization_of(stn_orthogonalization *kind)
{
    PetscInt index = 0;
    PetscCall(PetscOptionsGetEList(
        NULL, NULL, "-orthogonalization", orthogonalizations,
        (PetscInt)(sizeof orthogonalizations / sizeof *orthogonalizations), &index, NULL));
    *kind = (stn_orthogonalization)index;
    return 0;
}

static PetscErrorCode read_options(system_job *job, char **bases, PetscInt *count)
{
    PetscBool is_set;
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-edge", &job->edge, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-rounds", &job->rounds, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-iterations", &job->iterations, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-ilu", job->factors, NAME_LENGTH, NULL));
    PetscCheck(job->rounds > 0 && job->rounds <= MAX_ROUNDS && job->edge > 1 &&
                   job->edge <= MAX_EDGE && job->iterations > 0,
               PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "-edge, -rounds or -iterations");
    PetscCall(PetscOptionsGetStringArray(NULL, NULL, "-bases", bases, count, &is_set));
    if (!is_set) {
        static const char *const defaults[] = {"f64", "f32", "f16", "i16", "i16:32"};
        *count = (PetscInt)(sizeof defaults / sizeof *defaults);
        for (PetscInt k = 0; k < *count; k++)
            PetscCall(PetscStrallocpy(defaults[k], &bases[k]));
    }
    return orthogonalization_of(&job->options.orthogonalization);
}

int main(int argc, char **argv)
{
    static system_job job = {.edge = 48, .rounds = 3, .iterations = 100000};
    char *bases[MAX_BASES];
    PetscInt count = MAX_BASES;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    job.options = (stn_solver_options)STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES,
                                               .relative_tolerance = tolerance, .restart = RESTART);
    PetscCall(read_options(&job, bases, &count));
    job.options.max_iterations = job.iterations;
    STN_CALL(stn_exec_create(&job.exec, "threads:threads=1"));
    PetscCall(assemble(&job));
    PetscCall(compare(&job, bases, count));
    stn_preconditioner_release(job.ilu);
    stn_matrix_release(job.matrix);
    stn_exec_release(job.exec);
    PetscCall(MatDestroy(&job.a));
    PetscCall(VecDestroy(&job.b));
    PetscCall(VecDestroy(&job.x));
    PetscCall(VecDestroy(&job.r));
    return PetscFinalize();
}
