/* Operators by functions, and by sparse matrices. */
#include "core/status.h"
#include "distribute/matrix.h"
#include "solver/solver.h"
#include "sparse/matrix.h"
#include "steno/solver.h"

stn_status stn_operator_create(stn_operator *result, const char *label, int64_t rows,
                               stn_operator_apply apply, void *context)
{
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "stn_operator_create: op is NULL");
    *result = (stn_operator){0};
    if (!apply)
        return stn_fail(STN_ERR_ARGUMENT, "stn_operator_create: apply is NULL");
    if (rows < 0)
        return stn_fail(STN_ERR_SHAPE, "stn_operator_create: rows is %lld; it must be at least 0",
                        (long long)rows);
    *result = (stn_operator){
        .size = sizeof *result, .label = label, .rows = rows, .apply = apply, .context = context};
    return STN_OK;
}

static stn_status multiply(void *context, const stn_exec *exec, stn_format arithmetic,
                           const stn_view *x, const stn_view *y)
{
    return stn_spmv(exec, arithmetic, 1.0, context, x, 0.0, y);
}

const stn_matrix *stn_operator_matrix(const stn_operator *a)
{
    return a->apply == multiply ? a->context : NULL;
}

stn_status stn_operator_of_matrix(stn_operator *result, const stn_matrix *matrix)
{
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "stn_operator_of_matrix: op is NULL");
    *result = (stn_operator){0};
    STN_TRY(stn_matrix_expect("stn_operator_of_matrix", matrix));
    if (matrix->rows != matrix->columns)
        return stn_fail(STN_ERR_SHAPE, "stn_operator_of_matrix: %s (%lld x %lld) is not square",
                        stn_matrix_name(matrix), (long long)matrix->rows,
                        (long long)matrix->columns);
    return stn_operator_create(result, matrix->label, matrix->rows, multiply,
                               (void *)(uintptr_t)matrix);
}

static stn_status multiply_distributed(void *context, const stn_exec *exec, stn_format arithmetic,
                                       const stn_view *x, const stn_view *y)
{
    return stn_distributed_spmv(exec, arithmetic, 1.0, context, x, 0.0, y);
}

const stn_distributed_matrix *stn_operator_distributed_matrix(const stn_operator *a)
{
    return a->apply == multiply_distributed ? a->context : NULL;
}

stn_status stn_operator_of_distributed_matrix(stn_operator *result,
                                              const stn_distributed_matrix *matrix)
{
    static const char call[] = "stn_operator_of_distributed_matrix";
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "%s: op is NULL", call);
    *result = (stn_operator){0};
    if (!matrix)
        return stn_fail(STN_ERR_ARGUMENT, "%s: matrix is NULL", call);
    return stn_operator_create(result, matrix->label, stn_partition_count(matrix->partition),
                               multiply_distributed, (void *)(uintptr_t)matrix);
}
