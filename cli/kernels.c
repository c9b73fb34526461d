/* The kernels of `steno bench`, and their operands in one format. */
#include "kernels.h"

#include <math.h>
#include <string.h>

#include "core/status.h"
#include "executor.h"
#include "steno/blas.h"

static const double alpha = 1.5;

/* ---- the table ---- */

static stn_status run_axpy(const stn_exec *exec, stn_format arithmetic, const kernel_operands *all,
                           void *result)
{
    (void)result; /* written through its view */
    return stn_axpy(exec, arithmetic, alpha, &all->x_view, &all->result_view);
}

static stn_status run_dot(const stn_exec *exec, stn_format arithmetic, const kernel_operands *all,
                          void *result)
{
    double sum = 0.0;
    const stn_status status = stn_dot(exec, arithmetic, &sum, &all->x_view, &all->y_view);
    if (arithmetic == STN_F64)
        *(double *)result = sum;
    else
        *(float *)result = (float)sum;
    return status;
}

static stn_status run_gemv(const stn_exec *exec, stn_format arithmetic, const kernel_operands *all,
                           void *result)
{
    (void)result;
    return stn_gemv(exec, arithmetic, 1.0, &all->a_view, &all->x_view, 0.0, &all->result_view);
}

static stn_status run_spmv(const stn_exec *exec, stn_format arithmetic, const kernel_operands *all,
                           void *result)
{
    (void)result;
    return stn_spmv(exec, arithmetic, 1.0, all->matrix, &all->x_view, 0.0, &all->result_view);
}

static stn_status error_axpy(const kernel_operands *all, stn_format arithmetic, const void *result,
                             double *error)
{
    return reference_axpy_error(alpha, &all->x, &all->y, arithmetic, result, error);
}

static stn_status error_dot(const kernel_operands *all, stn_format arithmetic, const void *result,
                            double *error)
{
    return reference_dot_error(&all->x, &all->y, arithmetic, result, error);
}

static stn_status error_product(const kernel_operands *all, stn_format arithmetic,
                                const void *result, double *error)
{
    return reference_product_error(&all->problem->pattern, &all->a, &all->x, arithmetic, result,
                                   error);
}

static const bench_kernel kernels[] = {
    {"axpy", ABSENT, NARROW, WIDE, UPDATED, 0, run_axpy, error_axpy},
    {"dot", ABSENT, NARROW, NARROW, SCALAR, 0, run_dot, error_dot},
    {"gemv", NARROW, NARROW, ABSENT, WRITTEN, 0, run_gemv, error_product},
    {"spmv", NARROW, WIDE, ABSENT, WRITTEN, STN_MATRIX_CSR, run_spmv, error_product},
    {"sliced", NARROW, WIDE, ABSENT, WRITTEN, STN_MATRIX_SLICED, run_spmv, error_product},
};

stn_status kernel_find(const char *name, const bench_kernel **found)
{
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (strcmp(kernels[k].name, name) == 0) {
            *found = &kernels[k];
            return STN_OK;
        }
    return stn_fail(STN_ERR_ARGUMENT, "unknown kernel '%s' (known: axpy, dot, gemv, spmv, sliced)",
                    name);
}

/* ---- operands ---- */

stn_status operands_borrow(const bench_kernel *kernel, const bench_problem *problem,
                           kernel_operands *all)
{
    *all = (kernel_operands){.problem = problem};
    if (kernel->a != ABSENT)
        STN_TRY(stored_borrow(&all->a, problem->a, problem->n));
    STN_TRY(stored_borrow(&all->x, problem->x, problem->vector));
    return kernel->y == ABSENT ? STN_OK : stored_borrow(&all->y, problem->y, problem->vector);
}

static stn_status store(operand_role role, stn_format format, stn_format arithmetic,
                        const double *values, int rank, const int64_t *extents, stored *array)
{
    const int64_t count = rank == 1 ? extents[0] : extents[0] * extents[1];
    if (role == ABSENT)
        return STN_OK;
    if (role == NARROW && stored_is_blocks(format))
        return stored_create_blocks(array, format, arithmetic, values, rank, extents);
    return stored_create(array, role == NARROW ? format : arithmetic, arithmetic, values, count);
}

/* A view that has to be released. */
static stn_status wrap(const char *label, const stored *array, int rank, const int64_t *extents,
                       stn_view *view)
{
    const stn_slice all[] = {stn_slice_all(), stn_slice_all()};
    if (array->row > 0)
        return stn_view_slice(view, &array->blocks, rank, all);
    return array->count == 0
               ? STN_OK
               : stn_view_wrap_const(view, label, array->storage, array->codes, rank, extents);
}

static stn_status wrap_vector(const char *label, const stored *array, stn_view *view)
{
    return wrap(label, array, 1, &array->count, view);
}

/* Compressed rows whose values are blocks. */
static stn_status wrap_sparse_blocks(const kernel_operands *all, stn_matrix **rows)
{
    const matrix_pattern *pattern = &all->problem->pattern;
    const int64_t starts = pattern->rows + 1;
    stn_matrix_views views =
        STN_INIT(stn_matrix_views, .label = "A", .kind = STN_MATRIX_CSR, .rows = pattern->rows,
                 .columns = pattern->columns, .values = all->a.blocks);
    STN_TRY(stn_view_wrap_const(&views.row_start, "row starts", stn_storage_of(STN_I64),
                                pattern->row_start, 1, &starts));
    STN_TRY(stn_view_wrap_const(&views.column, "columns", stn_storage_of(STN_I32), pattern->column,
                                1, &all->a.count));
    return stn_matrix_wrap_views(rows, &views);
}

static stn_status wrap_sparse(stn_matrix_kind kind, kernel_operands *all)
{
    const matrix_pattern *pattern = &all->problem->pattern;
    const stn_csr_arrays arrays = {.size = sizeof arrays,
                                   .label = "A",
                                   .rows = pattern->rows,
                                   .columns = pattern->columns,
                                   .row_start = pattern->row_start,
                                   .row_start_format = STN_I64,
                                   .column = pattern->column,
                                   .column_format = STN_I32,
                                   .values = all->a.codes,
                                   .storage = all->a.storage};
    stn_matrix *rows;
    stn_matrix_info info = STN_MATRIX_INFO_INIT;
    STN_TRY(all->a.row > 0 ? wrap_sparse_blocks(all, &rows) : stn_matrix_wrap_csr(&rows, &arrays));
    if (kind == STN_MATRIX_CSR) {
        all->matrix = rows;
    } else {
        const stn_status status = stn_sparse_convert(NULL, &all->matrix, rows, kind, NULL);
        stn_matrix_release(rows);
        STN_TRY(status);
    }
    STN_TRY(stn_matrix_describe(all->matrix, &info));
    all->matrix_bytes = (double)info.bytes;
    return STN_OK;
}

/* ---- memory of a device ---- */

static stn_status move_view(const stn_exec *exec, stn_view *view)
{
    stn_view here = *view;
    return !view->data
               ? STN_OK
               : stn_view_mirror_view(exec, view, &here, stn_exec_space(exec), STN_MIRROR_COPY);
}

static stn_status move_matrix(const stn_exec *exec, stn_matrix **matrix)
{
    stn_matrix *const here = *matrix;
    if (!here)
        return STN_OK;
    const stn_status status = stn_matrix_mirror(exec, matrix, here);
    if (status == STN_OK)
        stn_matrix_release(here);
    return status;
}

static stn_status move(const stn_exec *exec, kernel_operands *all)
{
    if (!executor_is_device(exec))
        return STN_OK;
    STN_TRY(move_view(exec, &all->a_view));
    STN_TRY(move_view(exec, &all->x_view));
    STN_TRY(move_view(exec, &all->y_view));
    STN_TRY(move_view(exec, &all->result_view));
    return move_matrix(exec, &all->matrix);
}

/* ---- creation ---- */

static stn_status wrap_matrix(const bench_kernel *kernel, stn_matrix_kind kind,
                              kernel_operands *all)
{
    const matrix_pattern *pattern = &all->problem->pattern;
    const int64_t extents[] = {pattern->rows, pattern->columns};
    if (kernel->a == ABSENT)
        return STN_OK;
    if (kernel->sparse)
        return wrap_sparse(kind, all);
    return wrap("A", &all->a, 2, extents, &all->a_view);
}

stn_status operands_create(const bench_kernel *kernel, const bench_problem *problem,
                           const stn_exec *exec, stn_matrix_kind kind, stn_format format,
                           stn_format arithmetic, void *result, kernel_operands *all)
{
    *all = (kernel_operands){.problem = problem};
    const int64_t matrix[] = {problem->pattern.rows, problem->pattern.columns};
    STN_TRY(store(kernel->a, format, arithmetic, problem->a, kernel->sparse ? 1 : 2,
                  kernel->sparse ? &problem->n : matrix, &all->a));
    STN_TRY(store(kernel->x, format, arithmetic, problem->x, 1, &problem->vector, &all->x));
    STN_TRY(store(kernel->y, format, arithmetic, problem->y, 1, &problem->vector, &all->y));
    STN_TRY(wrap_matrix(kernel, kind, all));
    STN_TRY(wrap_vector("x", &all->x, &all->x_view));
    STN_TRY(wrap_vector("y", &all->y, &all->y_view));
    STN_TRY(stn_view_wrap(&all->result_here, "result", stn_storage_of(arithmetic), result, 1,
                          &problem->results));
    all->result_view = all->result_here;
    return move(exec, all);
}

stn_status operands_run(const bench_kernel *kernel, const stn_exec *exec, stn_format arithmetic,
                        kernel_operands *all, void *result)
{
    const int is_elsewhere = executor_is_device(exec) && kernel->outcome != SCALAR;
    if (kernel->outcome == UPDATED) {
        memcpy(result, all->y.codes, (size_t)(all->y.count * all->y.info.bytes));
        if (is_elsewhere)
            STN_TRY(stn_view_copy(exec, &all->result_view, &all->result_here));
    }
    STN_TRY(kernel->run(exec, arithmetic, all, result));
    return is_elsewhere ? stn_view_copy(exec, &all->result_here, &all->result_view) : STN_OK;
}

void operands_release(kernel_operands *all)
{
    stored_release(&all->a);
    stored_release(&all->x);
    stored_release(&all->y);
    (void)stn_view_release(&all->a_view);
    (void)stn_view_release(&all->x_view);
    (void)stn_view_release(&all->y_view);
    (void)stn_view_release(&all->result_view);
    stn_matrix_release(all->matrix);
}

/* ---- traffic ---- */

/* Bytes that are only read, and bytes of the result. */
static double bytes_read(const bench_kernel *kernel, const kernel_operands *all)
{
    const double matrix = kernel->sparse ? all->matrix_bytes : stored_bytes(&all->a);
    const double y = kernel->outcome == SCALAR ? stored_bytes(&all->y) : 0.0;
    return matrix + stored_bytes(&all->x) + y;
}

static int width_of(stn_format arithmetic)
{
    return arithmetic == STN_F64 ? 8 : 4;
}

static double bytes_of_result(const bench_kernel *kernel, const kernel_operands *all,
                              stn_format arithmetic)
{
    if (kernel->outcome == SCALAR)
        return 0.0; /* the result stays in a register */
    return (double)all->problem->results * width_of(arithmetic);
}

double operands_bytes(const bench_kernel *kernel, const kernel_operands *all, stn_format arithmetic)
{
    const int times = kernel->outcome == UPDATED ? 2 : 1;
    return bytes_read(kernel, all) + times * bytes_of_result(kernel, all, arithmetic);
}

/* Results of less than 1/32 of the traffic are ignored: the mix is reading only. */
measure_mix operands_mix(const bench_kernel *kernel, const kernel_operands *all,
                         stn_format arithmetic)
{
    const double read = bytes_read(kernel, all), out = bytes_of_result(kernel, all, arithmetic);
    const int width = width_of(arithmetic);
    if (out < read / 32.0)
        return (measure_mix){.read = 8};
    const int each = (int)lround(read / out * width);
    return kernel->outcome == UPDATED ? (measure_mix){.read = each, .update = width}
                                      : (measure_mix){.read = each, .write = width};
}
