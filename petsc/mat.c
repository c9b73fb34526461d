/* Matrices of type shell with the blocks of each rank in Steno's storage. */
#include "petsc/adapter.h"

#include "core/memory.h"
#include "steno/sparse_operations.h"

/* The context of a shell. */
typedef struct narrow {
    const stn_exec *exec;
    stn_matrix_kind kind;
    stn_storage storage;
    stn_matrix *diagonal, *others; /* `others` is NULL with one rank */
    VecScatter scatter;            /* elements of x that other ranks own, to `ghost` */
    Vec ghost;
} narrow;

/* ---- functions that PETSc calls ---- */

/* y = A x with one block, or y += A x. */
static PetscErrorCode add_product(const narrow *a, const stn_matrix *block, Vec x, Vec y,
                                  double beta, int is_transposed)
{
    stn_view from, to;
    PetscCall(stn_petsc_borrow(x, y, &from, &to));
    PetscCall(stn_petsc_raise(
        is_transposed ? stn_spmv_transposed(a->exec, STN_F64, 1.0, block, &from, beta, &to)
                      : stn_spmv(a->exec, STN_F64, 1.0, block, &from, beta, &to)));
    return stn_petsc_return(x, y, &from, &to);
}

static PetscErrorCode multiply(Mat shell, Vec x, Vec y)
{
    narrow *a;
    PetscCall(MatShellGetContext(shell, &a));
    if (a->others)
        PetscCall(VecScatterBegin(a->scatter, x, a->ghost, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(add_product(a, a->diagonal, x, y, 0.0, 0));
    if (a->others) {
        PetscCall(VecScatterEnd(a->scatter, x, a->ghost, INSERT_VALUES, SCATTER_FORWARD));
        PetscCall(add_product(a, a->others, a->ghost, y, 1.0, 0));
    }
    return 0;
}

static PetscErrorCode multiply_transposed(Mat shell, Vec x, Vec y)
{
    narrow *a;
    PetscCall(MatShellGetContext(shell, &a));
    if (a->others)
        PetscCall(add_product(a, a->others, x, a->ghost, 0.0, 1));
    PetscCall(add_product(a, a->diagonal, x, y, 0.0, 1));
    if (a->others) {
        PetscCall(VecScatterBegin(a->scatter, a->ghost, y, ADD_VALUES, SCATTER_REVERSE));
        PetscCall(VecScatterEnd(a->scatter, a->ghost, y, ADD_VALUES, SCATTER_REVERSE));
    }
    return 0;
}

static PetscErrorCode get_diagonal(Mat shell, Vec d)
{
    narrow *a;
    PetscScalar *elements;
    PetscInt count;
    stn_view to;
    PetscCall(MatShellGetContext(shell, &a));
    PetscCall(VecGetLocalSize(d, &count));
    PetscCall(VecGetArray(d, &elements));
    const int64_t extent = count;
    PetscCall(
        stn_petsc_raise(stn_view_wrap(&to, "d", stn_storage_of(STN_F64), elements, 1, &extent)));
    PetscCall(stn_petsc_raise(stn_sparse_diagonal(a->exec, STN_F64, &to, a->diagonal)));
    PetscCall(VecRestoreArray(d, &elements));
    return 0;
}

static PetscErrorCode release(narrow *a)
{
    stn_matrix_release(a->diagonal);
    stn_matrix_release(a->others);
    PetscCall(VecScatterDestroy(&a->scatter));
    PetscCall(VecDestroy(&a->ghost));
    stn_free(a);
    return 0;
}

static PetscErrorCode destroy(Mat shell)
{
    narrow *a;
    PetscCall(MatShellGetContext(shell, &a));
    return release(a);
}

/* ---- creation ---- */

/* The context, if `mat` is a shell of this file. */
static narrow *narrow_of(Mat mat)
{
    PetscBool is_shell = PETSC_FALSE;
    void (*function)(void) = NULL;
    narrow *a = NULL;
    if (PetscObjectTypeCompare((PetscObject)mat, MATSHELL, &is_shell) || !is_shell ||
        MatShellGetOperation(mat, MATOP_MULT, &function) || function != (void (*)(void))multiply ||
        MatShellGetContext(mat, &a))
        return NULL;
    return a;
}

const stn_matrix *stn_petsc_diagonal_of(Mat mat)
{
    const narrow *const a = narrow_of(mat);
    return a ? a->diagonal : NULL;
}

static stn_status convert(const char *call, const narrow *a, const stn_petsc_parts *parts,
                          stn_matrix **diagonal, stn_matrix **others)
{
    STN_TRY(stn_petsc_convert(call, a->exec, diagonal, parts->diagonal, a->kind, &a->storage));
    if (!parts->others)
        return STN_OK;
    return stn_petsc_convert(call, a->exec, others, parts->others, a->kind, &a->storage);
}

/* Prepares the exchange of the elements of x that the rows of this rank refer to. */
static PetscErrorCode create_scatter(Mat mat, const stn_petsc_parts *parts, narrow *a)
{
    PetscInt count;
    Vec x;
    IS from;
    PetscCall(MatGetSize(parts->others, NULL, &count));
    PetscCall(VecCreateSeq(PETSC_COMM_SELF, count, &a->ghost));
    PetscCall(MatCreateVecs(mat, &x, NULL));
    PetscCall(ISCreateGeneral(PetscObjectComm((PetscObject)mat), count, parts->ghost,
                              PETSC_COPY_VALUES, &from));
    PetscCall(VecScatterCreate(x, from, a->ghost, NULL, &a->scatter));
    PetscCall(ISDestroy(&from));
    PetscCall(VecDestroy(&x));
    return 0;
}

static PetscErrorCode create_shell(Mat mat, narrow *a, Mat *made)
{
    PetscInt rows, columns, all_rows, all_columns;
    PetscCall(MatGetLocalSize(mat, &rows, &columns));
    PetscCall(MatGetSize(mat, &all_rows, &all_columns));
    PetscCall(MatCreateShell(PetscObjectComm((PetscObject)mat), rows, columns, all_rows,
                             all_columns, a, made));
    PetscCall(MatShellSetOperation(*made, MATOP_MULT, (void (*)(void))multiply));
    PetscCall(
        MatShellSetOperation(*made, MATOP_MULT_TRANSPOSE, (void (*)(void))multiply_transposed));
    PetscCall(MatShellSetOperation(*made, MATOP_GET_DIAGONAL, (void (*)(void))get_diagonal));
    PetscCall(MatShellSetOperation(*made, MATOP_DESTROY, (void (*)(void))destroy));
    return 0;
}

/* The part of the creation that does not communicate. */
static stn_status prepare(const char *call, const stn_exec *exec, Mat mat, stn_matrix_kind kind,
                          const stn_storage *storage, stn_petsc_parts *parts, narrow **made)
{
    narrow *a;
    STN_TRY(stn_petsc_check_exec(call, exec));
    STN_TRY(stn_petsc_parts_of(call, mat, parts));
    STN_TRY(stn_allocate(made, 1, sizeof *a, "matrix"));
    a = *made;
    *a = (narrow){
        .exec = exec, .kind = kind, .storage = storage ? *storage : stn_storage_of(STN_F64)};
    return convert(call, a, parts, &a->diagonal, &a->others);
}

stn_status stn_petsc_mat_create(const stn_exec *exec, Mat *made, Mat mat, stn_matrix_kind kind,
                                const stn_storage *storage)
{
    static const char call[] = "stn_petsc_mat_create";
    narrow *a = NULL;
    stn_petsc_parts parts;
    if (!made)
        return stn_fail(STN_ERR_ARGUMENT, "%s: made is NULL", call);
    *made = NULL;
    if (!mat)
        return stn_fail(STN_ERR_ARGUMENT, "%s: a is NULL", call);
    stn_status status = prepare(call, exec, mat, kind, storage, &parts, &a);
    status = stn_petsc_agree(call, PetscObjectComm((PetscObject)mat), status);
    if (status == STN_OK && parts.others)
        status = stn_petsc_status(call, create_scatter(mat, &parts, a));
    if (status == STN_OK)
        status = stn_petsc_status(call, create_shell(mat, a, made));
    if (status != STN_OK && a)
        (void)release(a);
    return status;
}

/* ---- update and query ---- */

static stn_status check_layout(const char *call, Mat shell, Mat mat)
{
    PetscInt rows, columns, given_rows, given_columns;
    STN_PETSC_TRY(call, MatGetLocalSize(shell, &rows, &columns));
    STN_PETSC_TRY(call, MatGetLocalSize(mat, &given_rows, &given_columns));
    if (rows != given_rows || columns != given_columns)
        return stn_fail(STN_ERR_SHAPE,
                        "%s: this rank has %d x %d rows and columns of shell, but %d x %d of a",
                        call, (int)rows, (int)columns, (int)given_rows, (int)given_columns);
    return STN_OK;
}

static stn_status prepare_update(const char *call, const narrow *old, Mat shell, Mat mat,
                                 stn_petsc_parts *parts, narrow **made)
{
    if (!old)
        return stn_fail(STN_ERR_ARGUMENT, "%s: shell is no matrix of stn_petsc_mat_create", call);
    STN_TRY(check_layout(call, shell, mat));
    return prepare(call, old->exec, mat, old->kind, &old->storage, parts, made);
}

/* The assembly marks the matrix as changed, so its preconditioners are set up again. */
static PetscErrorCode replace(Mat shell, narrow *a)
{
    PetscCall(MatShellSetContext(shell, a));
    PetscCall(MatAssemblyBegin(shell, MAT_FINAL_ASSEMBLY));
    return MatAssemblyEnd(shell, MAT_FINAL_ASSEMBLY);
}

stn_status stn_petsc_mat_update(Mat shell, Mat mat)
{
    static const char call[] = "stn_petsc_mat_update";
    stn_petsc_parts parts;
    narrow *a = NULL;
    if (!shell || !mat)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, shell ? "a" : "shell");
    narrow *const old = narrow_of(shell);
    stn_status status = prepare_update(call, old, shell, mat, &parts, &a);
    status = stn_petsc_agree(call, PetscObjectComm((PetscObject)shell), status);
    if (status == STN_OK && parts.others)
        status = stn_petsc_status(call, create_scatter(mat, &parts, a));
    if (status == STN_OK)
        status = stn_petsc_status(call, replace(shell, a));
    narrow *const unused = status == STN_OK ? old : a;
    if (unused)
        (void)release(unused);
    return status;
}

stn_status stn_petsc_mat_blocks(Mat shell, const stn_matrix **diagonal, const stn_matrix **others)
{
    const narrow *const a = shell ? narrow_of(shell) : NULL;
    if (!a)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_petsc_mat_blocks: shell is no matrix of stn_petsc_mat_create");
    if (diagonal)
        *diagonal = a->diagonal;
    if (others)
        *others = a->others;
    return STN_OK;
}
