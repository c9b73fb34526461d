/* Values of sparse matrices: diagonals, scaling, and sums of two matrices. */
#include <stdlib.h>
#include <string.h>

#include "blas/call.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/run.h"
#include "sparse/compressed.h"
#include "sparse/plain.h"
#include "sparse/slice.h"
#include "sparse/transpose.h"
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

static numbers numbers_in(stn_format arithmetic)
{
    const int parts = stn_blas_is_complex(arithmetic) ? 2 : 1;
    const int is_narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    return (numbers){arithmetic, is_narrow, parts, parts * (is_narrow ? 4 : 8), NULL};
}

static stn_status make_numbers(const char *call, stn_format arithmetic, int64_t count,
                               numbers *made)
{
    *made = numbers_in(arithmetic);
    const stn_status status = stn_allocate(&made->values, count, (size_t)made->bytes, "values");
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

/* Copies between a view of codes and numbers, by the rules of the view's storage. */
static stn_status move_view(const char *call, const stn_exec *exec, const numbers *all,
                            const stn_view *outside, int is_stored)
{
    stn_view inside;
    STN_TRY(stn_view_wrap(&inside, "values", stn_storage_of(all->arithmetic), all->values, 1,
                          outside->extent));
    const stn_status status =
        is_stored ? stn_view_copy(exec, outside, &inside) : stn_view_copy(exec, &inside, outside);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

static stn_status move_numbers(const char *call, const stn_exec *exec, const numbers *all,
                               const stn_storage *storage, const void *codes, int64_t count,
                               int is_stored)
{
    stn_view outside;
    if (count == 0)
        return STN_OK;
    STN_TRY(stn_view_wrap(&outside, "values", *storage, (void *)(uintptr_t)codes, 1, &count));
    return move_view(call, exec, all, &outside, is_stored);
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

static stn_status take_diagonal(const char *call, const stn_matrix *matrix,
                                const stn_compressed *from, int64_t count, const numbers *all)
{
    memset(all->values, 0, (size_t)(count * all->bytes));
    for (int64_t r = 0; r < count; r++) {
        int found = 0;
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++) {
            if (from->column[k] != r)
                continue;
            if (found++)
                return stn_fail(STN_ERR_ARGUMENT, "%s: row %lld of %s has two on the diagonal",
                                call, (long long)r, stn_matrix_name(matrix));
            STN_TRY(stn_decode(all->arithmetic, (char *)all->values + r * all->bytes,
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
    numbers all = {.values = NULL};
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
    stn_status status = make_numbers(call.name, arithmetic, count, &all);
    if (status == STN_OK)
        status = take_diagonal(call.name, matrix, &from, count, &all);
    if (status == STN_OK)
        status =
            stn_view_wrap(&view, "a diagonal", stn_storage_of(arithmetic), all.values, 1, &count);
    if (status == STN_OK)
        status = stn_blas_store_from_host(&call, d, &view);
    stn_free(all.values);
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

static void scale_value(const scaling *all, int64_t at, int64_t row, int64_t column)
{
    const numbers *const by[] = {&all->by_row, &all->by_column};
    const int64_t index[] = {row, column};
    for (int k = 0; k < 2; k++)
        if (by[k]->values)
            multiply_into(&all->values, at, &all->values, at,
                          by[k]->is_narrow ? (double)((const float *)by[k]->values)[index[k]]
                                           : ((const double *)by[k]->values)[index[k]]);
}

static void scale_share(void *context, int part, int parts)
{
    const scaling *const all = context;
    const stn_matrix *const a = all->matrix;
    int64_t begin, end;
    stn_share(a->rows, part, parts, &begin, &end);
    for (int64_t r = begin; r < end; r++) {
        if (a->kind == STN_MATRIX_SLICED) {
            const stn_slice_row row = stn_slice_row_of(a, r);
            for (int64_t e = 0; e < row.count; e++)
                scale_value(all, row.first + e * row.step, r, stn_slice_column(&row, e));
            continue;
        }
        for (int64_t k = a->row_start[r]; k < a->row_start[r + 1]; k++)
            scale_value(all, k, r, a->column[k]);
    }
}

/* Decodes factors into real arithmetic. */
static stn_status take_factors(const char *call, const stn_exec *exec, const stn_matrix *a,
                               stn_format arithmetic, const stn_view *by, int64_t count,
                               numbers *made)
{
    const stn_format real = numbers_in(arithmetic).is_narrow ? STN_F32 : STN_F64;
    stn_view inside, here;
    *made = numbers_in(real);
    if (!by)
        return STN_OK;
    const stn_blas_call check = {call, exec, real};
    const stn_blas_operand operand = STN_BLAS_OPERAND(by, 1, STN_BLAS_READ);
    STN_TRY(stn_blas_check(&check, STN_BLAS_REAL, 1, &operand));
    if (by->extent[0] != count)
        return stn_fail(STN_ERR_SHAPE, "%s: %s must have the %lld factors of %s", call,
                        stn_view_text(by), (long long)count, stn_matrix_name(a));
    STN_TRY(stn_matrix_expect_disjoint(call, a, by));
    STN_TRY(make_numbers(call, real, count, made));
    STN_TRY(stn_view_wrap(&inside, "factors", stn_storage_of(real), made->values, 1, &count));
    STN_TRY(stn_view_mirror_view(exec, &here, by, STN_SPACE_HOST, STN_MIRROR_COPY));
    const stn_status status =
        count > 0 ? stn_view_copy(stn_exec_on_host(exec), &inside, &here) : STN_OK;
    (void)stn_view_release(&here);
    return status;
}

static stn_status expect_scalable(const char *call, const stn_exec *exec, const stn_matrix *a)
{
    const char *const name = stn_matrix_name(a);
    STN_TRY(stn_exec_expect(call, exec));
    if (a->kind != STN_MATRIX_CSR && a->kind != STN_MATRIX_SLICED)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s is of kind %d; only the values of STN_MATRIX_CSR (1) and "
                        "STN_MATRIX_SLICED (2) are scaled in place",
                        call, name, (int)a->kind);
    if (!stn_view_is_nothing(&a->scales))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has scales of rows; stn_sparse_convert with a storage multiplies "
                        "values by them",
                        call, name);
    if (a->read_only)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the values of %s are read-only", call, name);
    if (a->memory.space != STN_SPACE_HOST && !stn_view_is_nothing(&a->codes))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: the values of %s are in device memory under several scales", call,
                        name);
    return STN_OK;
}

static stn_status scale_numbers(const char *call, const stn_exec *exec, scaling *all,
                                const stn_matrix *a)
{
    const int64_t count = a->kind == STN_MATRIX_SLICED ? a->slots : a->entries;
    stn_view values = a->codes;
    if (count == 0)
        return STN_OK;
    if (stn_view_is_nothing(&a->codes))
        STN_TRY(stn_view_wrap(&values, stn_matrix_name(a), a->storage, (void *)(uintptr_t)a->values,
                              1, &count));
    STN_TRY(make_numbers(call, all->values.arithmetic, count, &all->values));
    STN_TRY(move_view(call, exec, &all->values, &values, 0));
    stn_exec_run_sized(exec, 16.0 * (double)count, scale_share, all);
    return move_view(call, exec, &all->values, &values, 1);
}

/* Values on a device are copied to the host and back. */
static stn_status scale_brought(const char *call, const stn_exec *exec, const stn_matrix *matrix,
                                scaling *all)
{
    const stn_exec *const host = stn_exec_on_host(exec);
    stn_matrix here, rows = {.size = 0};
    STN_TRY(stn_matrix_to_host(call, matrix, &here));
    stn_status status = STN_OK;
    all->matrix = &here;
    if (here.kind == STN_MATRIX_CSR) {
        status = stn_plain_make(call, host, &here, 0, NULL, &rows);
        all->matrix = &rows;
    }
    if (status == STN_OK)
        status = scale_numbers(call, host, all, &here);
    if (status == STN_OK)
        status = stn_matrix_send_values(call, matrix, &here);
    (void)stn_view_release(&rows.memory);
    (void)stn_view_release(&here.memory);
    return status;
}

static stn_status scale(const stn_exec *exec, stn_format arithmetic, const stn_matrix *matrix,
                        const stn_view *by_row, const stn_view *by_column)
{
    static const char call[] = "stn_sparse_scale";
    scaling all = {.values = numbers_in(arithmetic)};
    STN_TRY(stn_matrix_expect_arithmetic(call, arithmetic, matrix));
    STN_TRY(expect_scalable(call, exec, matrix));
    stn_status status =
        take_factors(call, exec, matrix, arithmetic, by_row, matrix->rows, &all.by_row);
    if (status == STN_OK)
        status = take_factors(call, exec, matrix, arithmetic, by_column, matrix->columns,
                              &all.by_column);
    if (status == STN_OK)
        status = scale_brought(call, exec, matrix, &all);
    stn_free(all.values.values);
    stn_free(all.by_row.values);
    stn_free(all.by_column.values);
    return status;
}

stn_status stn_sparse_scale(const stn_exec *exec, stn_format arithmetic, stn_matrix *a,
                            const stn_view *by_row, const stn_view *by_column)
{
    STN_RETURN_IN_MODES(scale(exec, arithmetic, a, by_row, by_column));
}

/* ---- sums ---- */

typedef struct adding {
    const char *call;
    const stn_exec *exec;
    double factor[2];
    stn_compressed from[2];
    numbers values[2], sums;
    stn_compressed_made to;
} adding;

/* The next column of row r in either matrix, from the entries `at` on; INT64_MAX at the end of the
 * row. */
static int64_t next_column(const adding *all, int64_t r, const int64_t *at)
{
    int64_t column = INT64_MAX;
    for (int k = 0; k < 2; k++)
        if (at[k] < all->from[k].start[r + 1] && all->from[k].column[at[k]] < column)
            column = all->from[k].column[at[k]];
    return column;
}

/* Adds the entries of this column to element `place`; place is negative if only columns are
 * counted. */
static void add_column(const adding *all, int64_t r, int64_t column, int64_t *at, int64_t place)
{
    int is_first = 1;
    for (int k = 0; k < 2; k++)
        for (; at[k] < all->from[k].start[r + 1] && all->from[k].column[at[k]] == column; at[k]++) {
            if (place >= 0)
                (is_first ? multiply_into : add_into)(&all->sums, place, &all->values[k], at[k],
                                                      all->factor[k]);
            is_first = 0;
        }
}

static int64_t count_columns(const adding *all, int64_t r)
{
    int64_t at[] = {all->from[0].start[r], all->from[1].start[r]}, count = 0;
    for (int64_t column; (column = next_column(all, r, at)) != INT64_MAX; count++)
        add_column(all, r, column, at, -1);
    return count;
}

static void add_share(void *context, int part, int parts)
{
    const adding *const all = context;
    int64_t begin, end;
    stn_share(all->from[0].rows, part, parts, &begin, &end);
    for (int64_t r = begin; r < end; r++) {
        int64_t at[] = {all->from[0].start[r], all->from[1].start[r]}, place = all->to.start[r];
        for (int64_t column; (column = next_column(all, r, at)) != INT64_MAX; place++) {
            all->to.column[place] = (int32_t)column;
            add_column(all, r, column, at, place);
        }
    }
}

static stn_status add_rows(adding *all, stn_format arithmetic, const char *label,
                           const stn_storage *storage, stn_matrix *made)
{
    const int64_t rows = all->from[0].rows;
    int64_t entries = 0;
    for (int k = 0; k < 2; k++) {
        const stn_compressed *const from = &all->from[k];
        STN_TRY(make_numbers(all->call, arithmetic, from->entries, &all->values[k]));
        STN_TRY(move_numbers(all->call, all->exec, &all->values[k], &from->storage, from->codes,
                             from->entries, 0));
    }
    for (int64_t r = 0; r < rows; r++)
        entries += count_columns(all, r);
    STN_TRY(make_numbers(all->call, arithmetic, entries, &all->sums));
    STN_TRY(stn_compressed_make(all->call, label, storage, rows, all->from[0].columns, entries,
                                made, &all->to));
    all->to.start[0] = 0;
    for (int64_t r = 0; r < rows; r++)
        all->to.start[r + 1] = all->to.start[r] + count_columns(all, r);
    stn_exec_run_sized(all->exec, 32.0 * (double)entries, add_share, all);
    const stn_status status =
        move_numbers(all->call, all->exec, &all->sums, storage, all->to.codes, entries, 1);
    if (status != STN_OK)
        stn_matrix_clear(made);
    return status;
}

static stn_status open_sorted(adding *all, int k, const stn_matrix *matrix)
{
    stn_compressed from;
    stn_matrix sorted;
    STN_TRY(stn_compressed_open(all->call, all->exec, matrix, &from));
    const stn_status status =
        stn_sort_compressed(all->call, all->exec, matrix->label, &from, &sorted);
    stn_compressed_close(&from);
    if (status == STN_OK)
        stn_compressed_take(&all->from[k], &sorted);
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

static stn_status add(const stn_exec *exec, stn_format arithmetic, stn_matrix *made, double alpha,
                      const stn_matrix *a, double beta, const stn_matrix *b,
                      const stn_storage *storage)
{
    adding all = {
        .call = "stn_sparse_add", .exec = stn_exec_on_host(exec), .factor = {alpha, beta}};
    STN_TRY(expect_summands(all.call, exec, arithmetic, a, b, storage));
    stn_status status = open_sorted(&all, 0, a);
    if (status == STN_OK)
        status = open_sorted(&all, 1, b);
    if (status == STN_OK)
        status = add_rows(&all, arithmetic, a->label, storage, made);
    for (int k = 0; k < 2; k++) {
        stn_compressed_close(&all.from[k]);
        stn_free(all.values[k].values);
    }
    stn_free(all.sums.values);
    return stn_matrix_send(all.call, exec, status, made);
}

stn_status stn_sparse_add(const stn_exec *exec, stn_format arithmetic, stn_matrix **made,
                          double alpha, const stn_matrix *a, double beta, const stn_matrix *b,
                          const stn_storage *storage)
{
    static const char call[] = "stn_sparse_add";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, made, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, made, matrix,
                                       add(exec, arithmetic, matrix, alpha, a, beta, b, storage)));
}
