/* Values of sparse matrices: diagonals, scaling, and sums of two matrices. */
#include <stdlib.h>
#include <string.h>

#include "blas/call.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/run.h"
#include "sparse/kinds/compressed.h"
#include "sparse/kinds/plain.h"
#include "sparse/kinds/slice.h"
#include "sparse/ops/transpose.h"
#include "steno/sparse_operations.h"
#include "view/overlap.h"

/* Values in an arithmetic type, with one or two parts per element. */
typedef struct numbers {
    stn_format arithmetic;
    int is_narrow; /* parts are f32 */
    int parts;
    int64_t bytes; /* of an element */
    void *values;
} numbers;

static numbers allocate_numbers(stn_format arithmetic)
{
    const int parts = stn_blas_is_complex(arithmetic) ? 2 : 1;
    const int is_narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    return (numbers){arithmetic, is_narrow, parts, parts * (is_narrow ? 4 : 8), NULL};
}

static stn_status init_numbers(const char *call, stn_format arithmetic, int64_t count,
                               numbers *result)
{
    *result = allocate_numbers(arithmetic);
    const stn_status status = stn_allocate(&result->values, count, (size_t)result->bytes, "values");
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

/* Copies between a view of codes and numbers, by the rules of the view's storage. */
static stn_status move_view(const char *call, const stn_exec *exec, const numbers *array,
                            const stn_view *outside, int is_stored)
{
    stn_view inside;
    STN_TRY(stn_view_wrap(&inside, "values", stn_storage_of(array->arithmetic), array->values, 1,
                          outside->extent));
    const stn_status status =
        is_stored ? stn_view_copy(exec, outside, &inside) : stn_view_copy(exec, &inside, outside);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

static stn_status move_numbers(const char *call, const stn_exec *exec, const numbers *array,
                               const stn_storage *storage, const void *codes, int64_t count,
                               int is_stored)
{
    stn_view outside;
    if (count == 0)
        return STN_OK;
    STN_TRY(stn_view_wrap(&outside, "values", *storage, (void *)(uintptr_t)codes, 1, &count));
    return move_view(call, exec, array, &outside, is_stored);
}

/* to = factor * from, rounded, for all parts. */
static void multiply_into(const numbers *to, int64_t at, const numbers *from, int64_t k,
                          double factor)
{
    for (int part = 0; part < to->parts; part++)
        if (to->is_narrow)
            ((float *)to->values)[at * to->parts + part] =
                (float)factor * ((const float *)from->values)[k * to->parts + part];
        else
            ((double *)to->values)[at * to->parts + part] =
                factor * ((const double *)from->values)[k * to->parts + part];
}

/* to = to + factor * from; product and sum are rounded. */
static void add_into(const numbers *to, int64_t at, const numbers *from, int64_t k, double factor)
{
    for (int part = 0; part < to->parts; part++)
        if (to->is_narrow)
            ((float *)to->values)[at * to->parts + part] +=
                (float)factor * ((const float *)from->values)[k * to->parts + part];
        else
            ((double *)to->values)[at * to->parts + part] +=
                factor * ((const double *)from->values)[k * to->parts + part];
}

/* ---- diagonals ---- */

static stn_status read_diagonal(const char *call, const stn_matrix *matrix,
                                const stn_compressed *from, int64_t count, const numbers *array)
{
    memset(array->values, 0, (size_t)(count * array->bytes));
    for (int64_t r = 0; r < count; r++) {
        int found = 0;
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++) {
            if (from->column[k] != r)
                continue;
            if (found++)
                return stn_fail(STN_ERR_ARGUMENT, "%s: row %lld of %s has two on the diagonal",
                                call, (long long)r, stn_matrix_name(matrix));
            STN_TRY(stn_decode(array->arithmetic, (char *)array->values + r * array->bytes,
                               &from->storage, from->codes + k * from->code, 1, 1));
        }
    }
    return STN_OK;
}

static stn_status diagonal(const stn_exec *exec, stn_format arithmetic, const stn_matrix *matrix,
                           const stn_view *d)
{
    const stn_blas_call call = {"stn_sparse_diagonal", exec, arithmetic};
    const stn_blas_operand operand = STN_BLAS_OPERAND(d, 1, STN_BLAS_WRITTEN);
    stn_compressed from;
    stn_view view;
    numbers array = {.values = NULL};
    STN_TRY(stn_exec_expect(call.name, exec));
    STN_TRY(stn_matrix_expect_arithmetic(call.name, arithmetic, matrix));
    STN_TRY(stn_blas_check(&call, STN_BLAS_ANY, 1, &operand));
    STN_TRY(stn_matrix_expect_disjoint(call.name, matrix, d));
    const int64_t count = matrix->rows < matrix->columns ? matrix->rows : matrix->columns;
    if (d->extent[0] != count)
        return stn_fail(STN_ERR_SHAPE, "%s: %s (%lld x %lld) has a diagonal of %lld, not %s",
                        call.name, stn_matrix_name(matrix), (long long)matrix->rows,
                        (long long)matrix->columns, (long long)count, stn_view_text(d));
    if (count == 0)
        return STN_OK;
    STN_TRY(stn_compressed_open(call.name, exec, matrix, &from));
    stn_status status = init_numbers(call.name, arithmetic, count, &array);
    if (status == STN_OK)
        status = read_diagonal(call.name, matrix, &from, count, &array);
    if (status == STN_OK)
        status =
            stn_view_wrap(&view, "a diagonal", stn_storage_of(arithmetic), array.values, 1, &count);
    if (status == STN_OK)
        status = stn_blas_store_from_host(&call, d, &view);
    stn_free(array.values);
    stn_compressed_close(&from);
    return status;
}

stn_status stn_sparse_diagonal(const stn_exec *exec, stn_format arithmetic, const stn_view *d,
                               const stn_matrix *a)
{
    STN_RETURN_IN_MODES(diagonal(exec, arithmetic, a, d));
}

/* ---- scaling in place ---- */

typedef struct scaling {
    const stn_matrix *matrix;          /* on the host: slices, or plain compressed rows */
    numbers values, by_row, by_column; /* factors have one part per element */
} scaling;

static void scale_value(const scaling *job, int64_t at, int64_t row, int64_t column)
{
    const numbers *const by[] = {&job->by_row, &job->by_column};
    const int64_t index[] = {row, column};
    for (int k = 0; k < 2; k++)
        if (by[k]->values)
            multiply_into(&job->values, at, &job->values, at,
                          by[k]->is_narrow ? (double)((const float *)by[k]->values)[index[k]]
                                           : ((const double *)by[k]->values)[index[k]]);
}

static void scale_share(void *context, int part, int parts)
{
    const scaling *const job = context;
    const stn_matrix *const a = job->matrix;
    int64_t begin, end;
    stn_share(a->rows, part, parts, &begin, &end);
    for (int64_t r = begin; r < end; r++) {
        if (a->kind == STN_MATRIX_SLICED) {
            const stn_slice_row row = stn_slice_row_of(a, r);
            for (int64_t e = 0; e < row.count; e++)
                scale_value(job, row.first + e * row.step, r, stn_slice_column(&row, e));
            continue;
        }
        for (int64_t k = a->row_start[r]; k < a->row_start[r + 1]; k++)
            scale_value(job, k, r, a->column[k]);
    }
}

/* Decodes factors into real arithmetic. */
static stn_status read_factors(const char *call, const stn_exec *exec, const stn_matrix *a,
                               stn_format arithmetic, const stn_view *by, int64_t count,
                               numbers *result)
{
    const stn_format real = allocate_numbers(arithmetic).is_narrow ? STN_F32 : STN_F64;
    stn_view inside, on_host;
    *result = allocate_numbers(real);
    if (!by)
        return STN_OK;
    const stn_blas_call check = {call, exec, real};
    const stn_blas_operand operand = STN_BLAS_OPERAND(by, 1, STN_BLAS_READ);
    STN_TRY(stn_blas_check(&check, STN_BLAS_REAL, 1, &operand));
    if (by->extent[0] != count)
        return stn_fail(STN_ERR_SHAPE, "%s: %s must have the %lld factors of %s", call,
                        stn_view_text(by), (long long)count, stn_matrix_name(a));
    STN_TRY(stn_matrix_expect_disjoint(call, a, by));
    STN_TRY(init_numbers(call, real, count, result));
    STN_TRY(stn_view_wrap(&inside, "factors", stn_storage_of(real), result->values, 1, &count));
    STN_TRY(stn_view_mirror_view(exec, &on_host, by, STN_SPACE_HOST, STN_MIRROR_COPY));
    const stn_status status =
        count > 0 ? stn_view_copy(stn_exec_on_host(exec), &inside, &on_host) : STN_OK;
    (void)stn_view_release(&on_host);
    return status;
}

static stn_status expect_scalable(const char *call, const stn_exec *exec, const stn_matrix *a)
{
    const char *const name = stn_matrix_name(a);
    STN_TRY(stn_exec_expect(call, exec));
    if (a->kind != STN_MATRIX_CSR && !stn_matrix_has_slices(a))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s is of kind %d; only the values of STN_MATRIX_CSR (1), "
                        "STN_MATRIX_SLICED (2) and STN_MATRIX_PACKED (6) are scaled in place",
                        call, name, (int)a->kind);
    if (!stn_view_is_empty(&a->scales))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has scales of rows; stn_sparse_convert with a storage multiplies "
                        "values by them",
                        call, name);
    if (a->read_only)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the values of %s are read-only", call, name);
    if (a->memory.space != STN_SPACE_HOST && !stn_view_is_empty(&a->codes))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: the values of %s are in device memory under several scales", call,
                        name);
    return STN_OK;
}

static stn_status scale_numbers(const char *call, const stn_exec *exec, scaling *job,
                                const stn_matrix *a)
{
    const int64_t count = a->kind == STN_MATRIX_SLICED ? a->slots : a->entries;
    stn_view values = a->codes;
    if (count == 0)
        return STN_OK;
    if (stn_view_is_empty(&a->codes))
        STN_TRY(stn_view_wrap(&values, stn_matrix_name(a), a->storage, (void *)(uintptr_t)a->values,
                              1, &count));
    STN_TRY(init_numbers(call, job->values.arithmetic, count, &job->values));
    STN_TRY(move_view(call, exec, &job->values, &values, 0));
    stn_exec_run_sized(exec, 16.0 * (double)count, scale_share, job);
    return move_view(call, exec, &job->values, &values, 1);
}

/* Values on a device are copied to the host and back. */
static stn_status scale_on_host(const char *call, const stn_exec *exec, const stn_matrix *matrix,
                                scaling *job)
{
    const stn_exec *const host = stn_exec_on_host(exec);
    stn_matrix on_host, rows = {.size = 0};
    STN_TRY(stn_matrix_to_host(call, matrix, &on_host));
    stn_status status = STN_OK;
    job->matrix = &on_host;
    if (on_host.kind == STN_MATRIX_CSR) {
        status = stn_plain_create(call, host, &on_host, 0, NULL, &rows);
        job->matrix = &rows;
    }
    if (status == STN_OK)
        status = scale_numbers(call, host, job, &on_host);
    if (status == STN_OK)
        status = stn_matrix_send_values(call, matrix, &on_host);
    (void)stn_view_release(&rows.memory);
    (void)stn_view_release(&on_host.memory);
    return status;
}

/* Packed slices become slices, since scaled values are distinct in general. */
static stn_status unpack(stn_matrix *matrix)
{
    stn_matrix sliced;
    if (matrix->kind != STN_MATRIX_PACKED)
        return STN_OK;
    STN_TRY(stn_matrix_convert(NULL, &sliced, matrix, STN_MATRIX_SLICED, NULL));
    sliced.label = matrix->label;
    sliced.own_label = matrix->own_label;
    stn_matrix_discard_copies(matrix);
    (void)stn_view_release(&matrix->memory);
    *matrix = sliced;
    return STN_OK;
}

static stn_status scale(const stn_exec *exec, stn_format arithmetic, stn_matrix *matrix,
                        const stn_view *by_row, const stn_view *by_column)
{
    static const char call[] = "stn_sparse_scale";
    scaling job = {.values = allocate_numbers(arithmetic)};
    STN_TRY(stn_matrix_expect_arithmetic(call, arithmetic, matrix));
    STN_TRY(expect_scalable(call, exec, matrix));
    stn_status status =
        read_factors(call, exec, matrix, arithmetic, by_row, matrix->rows, &job.by_row);
    if (status == STN_OK)
        status = read_factors(call, exec, matrix, arithmetic, by_column, matrix->columns,
                              &job.by_column);
    if (status == STN_OK)
        status = unpack(matrix);
    if (status == STN_OK)
        status = scale_on_host(call, exec, matrix, &job);
    if (status == STN_OK)
        stn_matrix_discard_copies(matrix);
    stn_free(job.values.values);
    stn_free(job.by_row.values);
    stn_free(job.by_column.values);
    return status;
}

stn_status stn_sparse_scale(const stn_exec *exec, stn_format arithmetic, stn_matrix *a,
                            const stn_view *by_row, const stn_view *by_column)
{
    STN_RETURN_IN_MODES(scale(exec, arithmetic, a, by_row, by_column));
}

/* ---- sums ---- */

typedef struct addition {
    const char *call;
    const stn_exec *exec;
    double factor[2];
    stn_compressed from[2];
    numbers values[2], sums;
    stn_compressed_matrix to;
} addition;

/* The next column of row r in either matrix, from the entries `at` on; INT64_MAX at the end of the
 * row. */
static int64_t next_column(const addition *job, int64_t r, const int64_t *at)
{
    int64_t column = INT64_MAX;
    for (int k = 0; k < 2; k++)
        if (at[k] < job->from[k].start[r + 1] && job->from[k].column[at[k]] < column)
            column = job->from[k].column[at[k]];
    return column;
}

/* Adds the entries of this column to element `entry`; place is negative if only columns are
 * counted. */
static void add_column(const addition *job, int64_t r, int64_t column, int64_t *at, int64_t entry)
{
    int is_first = 1;
    for (int k = 0; k < 2; k++)
        for (; at[k] < job->from[k].start[r + 1] && job->from[k].column[at[k]] == column; at[k]++) {
            if (entry >= 0)
                (is_first ? multiply_into : add_into)(&job->sums, entry, &job->values[k], at[k],
                                                      job->factor[k]);
            is_first = 0;
        }
}

static int64_t count_columns(const addition *job, int64_t r)
{
    int64_t at[] = {job->from[0].start[r], job->from[1].start[r]}, count = 0;
    for (int64_t column; (column = next_column(job, r, at)) != INT64_MAX; count++)
        add_column(job, r, column, at, -1);
    return count;
}

static void add_share(void *context, int part, int parts)
{
    const addition *const job = context;
    int64_t begin, end;
    stn_share(job->from[0].rows, part, parts, &begin, &end);
    for (int64_t r = begin; r < end; r++) {
        int64_t at[] = {job->from[0].start[r], job->from[1].start[r]}, entry = job->to.start[r];
        for (int64_t column; (column = next_column(job, r, at)) != INT64_MAX; entry++) {
            job->to.column[entry] = (int32_t)column;
            add_column(job, r, column, at, entry);
        }
    }
}

static stn_status add_rows(addition *job, stn_format arithmetic, const char *label,
                           const stn_storage *storage, stn_matrix *result)
{
    const int64_t rows = job->from[0].rows;
    int64_t entries = 0;
    for (int k = 0; k < 2; k++) {
        const stn_compressed *const from = &job->from[k];
        STN_TRY(init_numbers(job->call, arithmetic, from->entries, &job->values[k]));
        STN_TRY(move_numbers(job->call, job->exec, &job->values[k], &from->storage, from->codes,
                             from->entries, 0));
    }
    for (int64_t r = 0; r < rows; r++)
        entries += count_columns(job, r);
    STN_TRY(init_numbers(job->call, arithmetic, entries, &job->sums));
    STN_TRY(stn_compressed_create(job->call, label, storage, rows, job->from[0].columns, entries,
                                  result, &job->to));
    job->to.start[0] = 0;
    for (int64_t r = 0; r < rows; r++)
        job->to.start[r + 1] = job->to.start[r] + count_columns(job, r);
    stn_exec_run_sized(job->exec, 32.0 * (double)entries, add_share, job);
    const stn_status status =
        move_numbers(job->call, job->exec, &job->sums, storage, job->to.codes, entries, 1);
    if (status != STN_OK)
        stn_matrix_clear(result);
    return status;
}

static stn_status open_sorted(addition *job, int k, const stn_matrix *matrix)
{
    stn_compressed from;
    stn_matrix sorted;
    STN_TRY(stn_compressed_open(job->call, job->exec, matrix, &from));
    const stn_status status =
        stn_sort_compressed(job->call, job->exec, matrix->label, &from, &sorted);
    stn_compressed_close(&from);
    if (status == STN_OK)
        stn_compressed_move(&job->from[k], &sorted);
    return status;
}

static stn_status expect_summands(const char *call, const stn_exec *exec, stn_format arithmetic,
                                  const stn_matrix *a, const stn_matrix *b,
                                  const stn_storage *storage)
{
    STN_TRY(stn_exec_expect(call, exec));
    if (!storage)
        return stn_fail(STN_ERR_ARGUMENT, "%s: storage is NULL", call);
    STN_TRY(stn_matrix_expect_arithmetic(call, arithmetic, a));
    STN_TRY(stn_matrix_expect_arithmetic(call, arithmetic, b));
    STN_TRY(stn_matrix_expect_format(stn_matrix_name(a), storage->format));
    if (a->rows != b->rows || a->columns != b->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s (%lld x %lld) and %s (%lld x %lld)", call,
                        stn_matrix_name(a), (long long)a->rows, (long long)a->columns,
                        stn_matrix_name(b), (long long)b->rows, (long long)b->columns);
    return STN_OK;
}

static stn_status add(const stn_exec *exec, stn_format arithmetic, stn_matrix *result, double alpha,
                      const stn_matrix *a, double beta, const stn_matrix *b,
                      const stn_storage *storage)
{
    addition job = {
        .call = "stn_sparse_add", .exec = stn_exec_on_host(exec), .factor = {alpha, beta}};
    STN_TRY(expect_summands(job.call, exec, arithmetic, a, b, storage));
    stn_status status = open_sorted(&job, 0, a);
    if (status == STN_OK)
        status = open_sorted(&job, 1, b);
    if (status == STN_OK)
        status = add_rows(&job, arithmetic, a->label, storage, result);
    for (int k = 0; k < 2; k++) {
        stn_compressed_close(&job.from[k]);
        stn_free(job.values[k].values);
    }
    stn_free(job.sums.values);
    return stn_matrix_send(job.call, exec, status, result);
}

stn_status stn_sparse_add(const stn_exec *exec, stn_format arithmetic, stn_matrix **result,
                          double alpha, const stn_matrix *a, double beta, const stn_matrix *b,
                          const stn_storage *storage)
{
    static const char call[] = "stn_sparse_add";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, result, matrix,
                                       add(exec, arithmetic, matrix, alpha, a, beta, b, storage)));
}
