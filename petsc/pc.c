/* Preconditioners of type shell: incomplete factors, block-Jacobi, or a solver, of the block of
 * rows and columns of each rank. */
#include "petsc/adapter.h"

#include "core/grow.h"
#include "core/memory.h"

typedef enum pc_kind { PC_OF_ILU, PC_OF_BLOCKS, PC_OF_SOLVER } pc_kind;

/* The context of a shell. Options point to `format`, which is a copy. */
typedef struct narrow_pc {
    const stn_exec *exec;
    pc_kind kind;
    stn_format format;
    stn_ilu_options ilu;
    stn_block_jacobi_options blocks;
    stn_storage storage; /* of the solver's matrix */
    stn_solver_options solver;
    stn_preconditioner *preconditioner; /* or NULL */
    stn_matrix *matrix;                 /* of the solver, or NULL */
    stn_operator operator;              /* of the preconditioner or the matrix */
} narrow_pc;

/* ---- set-up ---- */

static void clear(narrow_pc *pc)
{
    stn_preconditioner_release(pc->preconditioner);
    stn_matrix_release(pc->matrix);
    pc->preconditioner = NULL;
    pc->matrix = NULL;
}

static stn_status create_preconditioner(narrow_pc *pc, const stn_matrix *block)
{
    STN_TRY(pc->kind == PC_OF_ILU
                ? stn_ilu_create(pc->exec, &pc->preconditioner, block, &pc->ilu)
                : stn_block_jacobi_create(pc->exec, &pc->preconditioner, block, &pc->blocks));
    return stn_operator_of_preconditioner(&pc->operator, pc->preconditioner);
}

/* From a block in f64 of PETSc's arrays, or of a shell with a block in any format. */
static stn_status create_from(const char *call, narrow_pc *pc, Mat mat)
{
    const stn_matrix *const narrow = stn_petsc_diagonal_of(mat);
    const stn_storage f64 = stn_storage_of(STN_F64);
    const int is_solver = pc->kind == PC_OF_SOLVER;
    stn_petsc_parts parts;
    stn_matrix *copy = NULL;
    if (narrow && !is_solver)
        return create_preconditioner(pc, narrow);
    if (narrow)
        STN_TRY(stn_sparse_convert(pc->exec, &pc->matrix, narrow, STN_MATRIX_AUTO, &pc->storage));
    else {
        STN_TRY(stn_petsc_parts_of(call, mat, &parts));
        STN_TRY(stn_petsc_convert(call, pc->exec, is_solver ? &pc->matrix : &copy, parts.diagonal,
                                  is_solver ? STN_MATRIX_AUTO : STN_MATRIX_CSR,
                                  is_solver ? &pc->storage : &f64));
    }
    if (is_solver)
        return stn_operator_of_matrix(&pc->operator, pc->matrix);
    const stn_status status = create_preconditioner(pc, copy);
    stn_matrix_release(copy);
    return status;
}

static PetscErrorCode set_up(PC shell)
{
    narrow_pc *pc;
    Mat mat;
    PetscCall(PCShellGetContext(shell, &pc));
    PetscCall(PCGetOperators(shell, NULL, &mat));
    clear(pc);
    return stn_petsc_raise(stn_petsc_agree("PCSetUp", PetscObjectComm((PetscObject)shell),
                                           create_from("PCSetUp", pc, mat)));
}

/* ---- application ---- */

static stn_status solve(const narrow_pc *pc, const stn_view *x, const stn_view *y)
{
    STN_TRY(stn_view_fill(pc->exec, y, 0.0));
    const stn_status status = stn_solve(pc->exec, y, &pc->operator, x, &pc->solver, NULL);
    return status == STN_ERR_CONVERGENCE ? STN_OK : status; /* y has the best approximation */
}

static PetscErrorCode apply(PC shell, Vec x, Vec y)
{
    narrow_pc *pc;
    stn_view from, to;
    PetscCall(PCShellGetContext(shell, &pc));
    PetscCall(stn_petsc_borrow(x, y, &from, &to));
    PetscCall(stn_petsc_raise(
        pc->kind == PC_OF_SOLVER
            ? solve(pc, &from, &to)
            : pc->operator.apply(pc->operator.context, pc->exec, STN_F64, &from, &to)));
    return stn_petsc_return(x, y, &from, &to);
}

static PetscErrorCode destroy(PC shell)
{
    narrow_pc *pc;
    PetscCall(PCShellGetContext(shell, &pc));
    clear(pc);
    stn_free(pc);
    return 0;
}

/* For -ksp_view. */
static PetscErrorCode view(PC shell, PetscViewer viewer)
{
    static const char *const names[] = {"ILU", "block-Jacobi", "solver"};
    narrow_pc *pc;
    long long bytes = 0;
    PetscCall(PCShellGetContext(shell, &pc));
    if (pc->preconditioner) {
        stn_preconditioner_info info = STN_PRECONDITIONER_INFO_INIT;
        PetscCall(stn_petsc_raise(stn_preconditioner_describe(pc->preconditioner, &info)));
        bytes = info.bytes;
    } else if (pc->matrix) {
        stn_matrix_info info = STN_MATRIX_INFO_INIT;
        PetscCall(stn_petsc_raise(stn_matrix_describe(pc->matrix, &info)));
        bytes = info.bytes;
    }
    PetscCall(PetscViewerASCIIPrintf(viewer, "  Steno: %s, %lld bytes on the first rank\n",
                                     names[pc->kind], bytes));
    return 0;
}

/* ---- creation ---- */

static PetscErrorCode set_shell(PC shell, narrow_pc *pc, const char *name)
{
    /* An earlier shell is destroyed with its context. */
    PetscCall(PCSetType(shell, PCNONE));
    PetscCall(PCSetType(shell, PCSHELL));
    PetscCall(PCShellSetContext(shell, pc));
    PetscCall(PCShellSetName(shell, name));
    PetscCall(PCShellSetSetUp(shell, set_up));
    PetscCall(PCShellSetApply(shell, apply));
    PetscCall(PCShellSetView(shell, view));
    PetscCall(PCShellSetDestroy(shell, destroy));
    return 0;
}

/* Checks the arguments that all kinds share, and allocates the context. */
static stn_status begin(const char *call, const stn_exec *exec, PC shell, pc_kind kind,
                        narrow_pc **made)
{
    if (!shell)
        return stn_fail(STN_ERR_ARGUMENT, "%s: pc is NULL", call);
    STN_TRY(stn_petsc_check_exec(call, exec));
    STN_TRY(stn_allocate(made, 1, sizeof **made, "preconditioner"));
    **made = (narrow_pc){.exec = exec, .kind = kind};
    return STN_OK;
}

static stn_status end(const char *call, stn_status status, PC shell, narrow_pc *pc,
                      const char *name)
{
    if (status == STN_OK)
        return stn_petsc_status(call, set_shell(shell, pc, name));
    stn_free(pc);
    return status;
}

static void copy_format(narrow_pc *pc, const stn_format **format)
{
    if (!*format)
        return;
    pc->format = **format;
    *format = &pc->format;
}

stn_status stn_petsc_pc_set_ilu(const stn_exec *exec, PC shell, const stn_ilu_options *options)
{
    static const char call[] = "stn_petsc_pc_set_ilu";
    const stn_ilu_options defaults = STN_ILU_OPTIONS_INIT;
    narrow_pc *pc;
    STN_TRY(begin(call, exec, shell, PC_OF_ILU, &pc));
    const stn_status status =
        STN_STRUCT_READ(&pc->ilu, options ? options : &defaults, stn_ilu_options, kind, "options");
    copy_format(pc, &pc->ilu.format);
    return end(call, status, shell, pc, "incomplete factors of Steno");
}

stn_status stn_petsc_pc_set_block_jacobi(const stn_exec *exec, PC shell,
                                         const stn_block_jacobi_options *options)
{
    static const char call[] = "stn_petsc_pc_set_block_jacobi";
    const stn_block_jacobi_options defaults = STN_BLOCK_JACOBI_OPTIONS_INIT;
    narrow_pc *pc;
    STN_TRY(begin(call, exec, shell, PC_OF_BLOCKS, &pc));
    const stn_status status = STN_STRUCT_READ(&pc->blocks, options ? options : &defaults,
                                              stn_block_jacobi_options, max_block_rows, "options");
    copy_format(pc, &pc->blocks.format);
    return end(call, status, shell, pc, "block-Jacobi of Steno");
}

static stn_status read_solver(const char *call, narrow_pc *pc, const stn_solver_options *options)
{
    enum { ITERATIONS = 20 };
    const stn_solver_options defaults =
        STN_INIT(stn_solver_options, .method = STN_SOLVER_GMRES, .arithmetic = STN_F32,
                 .relative_tolerance = 0.01, .max_iterations = ITERATIONS, .restart = ITERATIONS,
                 .basis = stn_storage_of(STN_F16));
    STN_TRY(STN_STRUCT_READ(&pc->solver, options ? options : &defaults, stn_solver_options,
                            arithmetic, "options"));
    if (pc->solver.checkpoint)
        return stn_fail(STN_ERR_ARGUMENT, "%s: a preconditioner cannot have a checkpoint", call);
    if (pc->solver.arithmetic != STN_F64 && pc->solver.arithmetic != STN_F32)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: the arithmetic type must be f64 or f32", call);
    return STN_OK;
}

stn_status stn_petsc_pc_set_solver(const stn_exec *exec, PC shell, const stn_storage *storage,
                                   const stn_solver_options *options)
{
    static const char call[] = "stn_petsc_pc_set_solver";
    narrow_pc *pc;
    STN_TRY(begin(call, exec, shell, PC_OF_SOLVER, &pc));
    pc->storage = storage ? *storage : stn_storage_of(STN_F32);
    return end(call, read_solver(call, pc, options), shell, pc, "solver of Steno");
}
