/* Errors, blocks of matrices, and vectors in functions that PETSc calls. */
#include "petsc/adapter.h"

#include "steno/exec.h"
#include "steno/sparse_optimize.h"

/* ---- errors ---- */

stn_status stn_petsc_status(const char *call, PetscErrorCode code)
{
    const char *text = NULL;
    if (!code)
        return STN_OK;
    (void)PetscErrorMessage(code, &text, NULL);
    return stn_fail(code == PETSC_ERR_MEM ? STN_ERR_MEMORY : STN_ERR_ARGUMENT,
                    "%s: PETSc reports error %d: %s", call, (int)code, text ? text : "unknown");
}

stn_status stn_petsc_agree(const char *call, MPI_Comm comm, stn_status status)
{
    int here = (int)status, highest = 0;
    if (MPI_Allreduce(&here, &highest, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS)
        return stn_fail(STN_ERR_ARGUMENT, "%s: MPI_Allreduce failed", call);
    if (status == STN_OK && highest != 0)
        return stn_fail((stn_status)highest, "%s: the call failed on another rank", call);
    return status;
}

PetscErrorCode stn_petsc_raise(stn_status status)
{
    if (status == STN_OK)
        return 0;
    SETERRQ(PETSC_COMM_SELF, status == STN_ERR_MEMORY ? PETSC_ERR_MEM : PETSC_ERR_LIB, "%s: %s",
            stn_status_name(status), stn_error());
}

stn_status stn_petsc_check_exec(const char *call, const stn_exec *exec)
{
    if (!exec)
        return stn_fail(STN_ERR_ARGUMENT, "%s: exec is NULL", call);
    if (stn_exec_space(exec) != STN_SPACE_HOST)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: the executor %s is not one of host memory", call,
                        stn_exec_name(exec));
    return STN_OK;
}

/* ---- matrices of PETSc ---- */

stn_status stn_petsc_parts_of(const char *call, Mat a, stn_petsc_parts *parts)
{
    PetscBool is_sequential = PETSC_FALSE, is_parallel = PETSC_FALSE, is_assembled = PETSC_FALSE;
    MatType type = NULL;
    *parts = (stn_petsc_parts){a, NULL, NULL};
    STN_PETSC_TRY(call, MatGetType(a, &type));
    STN_PETSC_TRY(call, PetscObjectBaseTypeCompare((PetscObject)a, MATSEQAIJ, &is_sequential));
    STN_PETSC_TRY(call, PetscObjectBaseTypeCompare((PetscObject)a, MATMPIAIJ, &is_parallel));
    if (!is_sequential && !is_parallel)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: the matrix has type %s; it must have type seqaij or mpiaij", call,
                        type ? type : "none");
    STN_PETSC_TRY(call, MatAssembled(a, &is_assembled));
    if (!is_assembled)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the matrix is not assembled", call);
    if (is_parallel)
        STN_PETSC_TRY(call, MatMPIAIJGetSeqAIJ(a, &parts->diagonal, &parts->others, &parts->ghost));
    return STN_OK;
}

/* Does the format need a scale, as that of incomplete factors? */
static int is_narrow_range(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    return stn_format_describe(format, &info) == STN_OK &&
           ((info.kind == STN_CLASS_INTEGER && info.is_signed) ||
            (info.kind == STN_CLASS_FLOAT && info.exponent_bits < 8));
}

/* Replaces compressed rows by the kind of storage with the fastest products. */
static stn_status choose_kind(const stn_exec *exec, stn_matrix **made)
{
    enum { PRODUCTS = 1000 };
    stn_optimize_report report = STN_OPTIMIZE_REPORT_INIT;
    stn_matrix *other;
    stn_status status = stn_matrix_optimize(exec, STN_F64, *made, PRODUCTS, NULL, &report);
    if (status == STN_OK && report.kind == STN_MATRIX_CSR)
        return STN_OK;
    if (status == STN_OK)
        status = stn_sparse_convert(exec, &other, *made, report.kind, NULL);
    stn_matrix_release(*made);
    *made = status == STN_OK ? other : NULL;
    return status;
}

static stn_status convert_arrays(const stn_exec *exec, stn_matrix **made,
                                 const stn_csr_arrays *arrays, stn_matrix_kind kind,
                                 const stn_storage *storage)
{
    const int32_t *const start = arrays->row_start;
    stn_storage fitted = *storage;
    stn_matrix *wrapped;
    if (fitted.scale == 1.0 && fitted.zero == 0.0 && is_narrow_range(fitted.format))
        STN_TRY(stn_storage_fit_scale(&fitted, STN_F64, arrays->values, start[arrays->rows],
                                      STN_SCALE_POWER_OF_TWO));
    STN_TRY(stn_matrix_wrap_csr(&wrapped, arrays));
    stn_status status = stn_sparse_convert(
        exec, made, wrapped, kind == STN_MATRIX_AUTO ? STN_MATRIX_CSR : kind, &fitted);
    stn_matrix_release(wrapped);
    if (status == STN_OK && kind == STN_MATRIX_AUTO)
        status = choose_kind(exec, made);
    return status;
}

stn_status stn_petsc_convert(const char *call, const stn_exec *exec, stn_matrix **made, Mat block,
                             stn_matrix_kind kind, const stn_storage *storage)
{
    stn_csr_arrays arrays = STN_CSR_ARRAYS_INIT;
    PetscBool done = PETSC_FALSE;
    PetscInt rows = 0, columns = 0;
    const PetscInt *start = NULL, *column = NULL;
    const PetscScalar *values = NULL;
    STN_PETSC_TRY(call, MatGetSize(block, NULL, &columns));
    STN_PETSC_TRY(call, MatSeqAIJGetArrayRead(block, &values));
    stn_status status = stn_petsc_status(
        call, MatGetRowIJ(block, 0, PETSC_FALSE, PETSC_FALSE, &rows, &start, &column, &done));
    if (status == STN_OK) {
        arrays.label = "a";
        arrays.rows = rows;
        arrays.columns = columns;
        arrays.row_start = start;
        arrays.column = column;
        arrays.values = values;
        arrays.row_start_format = arrays.column_format = STN_I32;
        arrays.storage = stn_storage_of(STN_F64);
        status = convert_arrays(exec, made, &arrays, kind, storage);
        (void)MatRestoreRowIJ(block, 0, PETSC_FALSE, PETSC_FALSE, &rows, &start, &column, &done);
    }
    (void)MatSeqAIJRestoreArrayRead(block, &values);
    return status;
}

/* ---- vectors in functions that PETSc calls ---- */

PetscErrorCode stn_petsc_borrow(Vec x, Vec y, stn_view *from, stn_view *to)
{
    const PetscScalar *source;
    PetscScalar *target;
    PetscInt from_count, to_count;
    PetscCall(VecGetLocalSize(x, &from_count));
    PetscCall(VecGetLocalSize(y, &to_count));
    PetscCall(VecGetArrayRead(x, &source));
    PetscCall(VecGetArray(y, &target));
    const int64_t from_extent = from_count, to_extent = to_count;
    const stn_storage f64 = stn_storage_of(STN_F64);
    PetscCall(stn_petsc_raise(stn_view_wrap_const(from, "x", f64, source, 1, &from_extent)));
    PetscCall(stn_petsc_raise(stn_view_wrap(to, "y", f64, target, 1, &to_extent)));
    return 0;
}

PetscErrorCode stn_petsc_return(Vec x, Vec y, stn_view *from, stn_view *to)
{
    const PetscScalar *source = from->data;
    PetscScalar *target = to->data;
    PetscCall(VecRestoreArrayRead(x, &source));
    PetscCall(VecRestoreArray(y, &target));
    return 0;
}
