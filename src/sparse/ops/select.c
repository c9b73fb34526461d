/* New matrices with entries of existing ones: reordered, or a subset; and diagonal matrices. */
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "sparse/kinds/compressed.h"
#include "sparse/kinds/row_order.h"
#include "sparse/ops/transpose.h"
#include "steno/sparse_operations.h"
#include "view/view.h"

/* ---- sorted ---- */

static stn_status sort_by_transposes(const char *call, const stn_exec *exec, const char *label,
                                     const stn_compressed *from, stn_matrix *result)
{
    stn_matrix transposed;
    stn_compressed back;
    STN_TRY(stn_transpose_compressed(call, exec, label, from, &transposed));
    stn_compressed_move(&back, &transposed);
    const stn_status status = stn_transpose_compressed(call, exec, label, &back, result);
    stn_compressed_close(&back);
    return status;
}

static void copy_sorted(const stn_row_order *order, const stn_compressed *from,
                        const stn_compressed_matrix *to)
{
    for (int64_t r = 0; r < from->rows; r++) {
        const int64_t count = stn_row_order_sort(order, from->start, from->column, r);
        to->start[r] = from->start[r];
        for (int64_t e = 0; e < count; e++) {
            const int64_t at = from->start[r] + e;
            to->column[at] = order->entry[e].column;
            memcpy(to->codes + at * from->code, from->codes + order->entry[e].at * from->code,
                   (size_t)from->code);
        }
    }
    to->start[from->rows] = from->entries;
}

static stn_status sort_by_rows(const char *call, const char *label, const stn_compressed *from,
                               stn_matrix *result)
{
    stn_row_order order;
    stn_compressed_matrix to;
    stn_status status = stn_row_order_init(&order, from->start, from->rows);
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    status = stn_compressed_create(call, label, &from->storage, from->rows, from->columns,
                                   from->entries, result, &to);
    if (status == STN_OK)
        copy_sorted(&order, from, &to);
    stn_row_order_release(&order);
    return status;
}

/* A transpose takes memory and time in proportion to the number of columns. */
stn_status stn_sort_compressed(const char *call, const stn_exec *exec, const char *label,
                               const stn_compressed *from, stn_matrix *result)
{
    return from->columns > from->entries ? sort_by_rows(call, label, from, result)
                                         : sort_by_transposes(call, exec, label, from, result);
}

static stn_status sort(const stn_exec *exec, stn_matrix *result, const stn_matrix *matrix)
{
    static const char call[] = "stn_sparse_sort";
    stn_compressed from;
    STN_TRY(stn_compressed_open(call, exec, matrix, &from));
    const stn_status status = stn_sort_compressed(call, exec, matrix->label, &from, result);
    stn_compressed_close(&from);
    return stn_matrix_send(call, exec, status, result);
}

stn_status stn_sparse_sort(const stn_exec *exec, stn_matrix **result, const stn_matrix *a)
{
    static const char call[] = "stn_sparse_sort";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, result, matrix, sort(exec, matrix, a)));
}

/* ---- selection: rows by index, columns by their new index ---- */

typedef struct selection {
    const char *call;
    const stn_exec *exec;
    const stn_matrix *matrix;
    stn_compressed from;
    int64_t rows, columns; /* of the result */
    const int64_t *row;    /* index of each row of the result; NULL: consecutive from first_row on
                            */
    int64_t first_row;
    const int64_t *new_index; /* new index of each column; NULL: column - first_column, if that is
                               * in range */
    int64_t first_column;
    stn_compressed_matrix to;
} selection;

static int64_t row_of(const selection *job, int64_t r)
{
    return job->row ? job->row[r] : job->first_row + r;
}

static int64_t new_column_of(const selection *job, int32_t column)
{
    return job->new_index ? job->new_index[column] : column - job->first_column;
}

static int is_chosen(const selection *job, int32_t column)
{
    const int64_t new_index = new_column_of(job, column);
    return new_index >= 0 && new_index < job->columns;
}

static int64_t count_row(const selection *job, int64_t row)
{
    int64_t count = 0;
    for (int64_t k = job->from.start[row]; k < job->from.start[row + 1]; k++)
        count += is_chosen(job, job->from.column[k]);
    return count;
}

static void move_row(const selection *job, int64_t r)
{
    const stn_compressed *const from = &job->from;
    const int64_t row = row_of(job, r);
    int64_t at = job->to.start[r];
    for (int64_t k = from->start[row]; k < from->start[row + 1]; k++) {
        if (!is_chosen(job, from->column[k]))
            continue;
        job->to.column[at] = (int32_t)new_column_of(job, from->column[k]);
        memcpy(job->to.codes + at * from->code, from->codes + k * from->code, (size_t)from->code);
        at++;
    }
}

static void move_share(void *context, int part, int parts)
{
    const selection *const job = context;
    int64_t begin, end;
    stn_share(job->rows, part, parts, &begin, &end);
    for (int64_t r = begin; r < end; r++)
        move_row(job, r);
}

static stn_status choose(selection *job, stn_matrix *result)
{
    int64_t entries = 0;
    for (int64_t r = 0; r < job->rows; r++)
        entries += count_row(job, row_of(job, r));
    STN_TRY(stn_compressed_create(job->call, job->matrix->label, &job->from.storage, job->rows,
                                  job->columns, entries, result, &job->to));
    job->to.start[0] = 0;
    for (int64_t r = 0; r < job->rows; r++)
        job->to.start[r + 1] = job->to.start[r] + count_row(job, row_of(job, r));
    stn_exec_run_sized(job->exec, 16.0 * (double)entries, move_share, job);
    return STN_OK;
}

/* ---- permutations ---- */

/* The inverse of a permutation; NULL if `order` is empty. */
static stn_status invert(const char *call, const char *what, const int64_t *order, int64_t count,
                         int64_t **new_index)
{
    *new_index = NULL;
    if (!order)
        return STN_OK;
    const stn_status status = stn_allocate(new_index, count, sizeof **new_index, "an order");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    for (int64_t k = 0; k < count; k++)
        (*new_index)[k] = -1;
    for (int64_t k = 0; k < count; k++) {
        if (order[k] < 0 || order[k] >= count)
            return stn_fail(STN_ERR_RANGE, "%s: %s number %lld is %lld; it must be from 0 to %lld",
                            call, what, (long long)k, (long long)order[k], (long long)(count - 1));
        if ((*new_index)[order[k]] >= 0)
            return stn_fail(STN_ERR_RANGE, "%s: %s %lld occurs twice", call, what,
                            (long long)order[k]);
        (*new_index)[order[k]] = k;
    }
    return STN_OK;
}

static stn_status permute_opened(selection *job, stn_matrix *result, const int64_t *row_order,
                                 const int64_t *column_order)
{
    int64_t *new_row = NULL, *new_index = NULL;
    stn_status status = invert(job->call, "row", row_order, job->from.rows, &new_row);
    if (status == STN_OK)
        status = invert(job->call, "column", column_order, job->from.columns, &new_index);
    job->row = row_order;
    job->new_index = new_index;
    if (status == STN_OK)
        status = choose(job, result);
    stn_free(new_row);
    stn_free(new_index);
    return status;
}

static stn_status permute(const stn_exec *exec, stn_matrix *result, const stn_matrix *matrix,
                          const int64_t *row_order, const int64_t *column_order)
{
    selection job = {.call = "stn_sparse_permute", .exec = exec, .matrix = matrix};
    STN_TRY(stn_compressed_open(job.call, exec, matrix, &job.from));
    job.rows = job.from.rows;
    job.columns = job.from.columns;
    const stn_status status = permute_opened(&job, result, row_order, column_order);
    stn_compressed_close(&job.from);
    return stn_matrix_send(job.call, exec, status, result);
}

stn_status stn_sparse_permute(const stn_exec *exec, stn_matrix **result, const stn_matrix *a,
                              const int64_t *row_order, const int64_t *column_order)
{
    static const char call[] = "stn_sparse_permute";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(
        stn_matrix_end(call, result, matrix, permute(exec, matrix, a, row_order, column_order)));
}

/* ---- blocks ---- */

static stn_status expect_range(const char *call, const char *what, int64_t first, int64_t count,
                               int64_t total)
{
    if (first < 0 || count < 0 || first > total || count > total - first)
        return stn_fail(STN_ERR_RANGE, "%s: %lld %s from %lld on are out of range; there are %lld",
                        call, (long long)count, what, (long long)first, (long long)total);
    return STN_OK;
}

static stn_status extract(const stn_exec *exec, stn_matrix *result, const stn_matrix *matrix,
                          int64_t first_row, int64_t rows, int64_t first_column, int64_t columns)
{
    selection job = {.call = "stn_sparse_extract",
                     .exec = exec,
                     .matrix = matrix,
                     .rows = rows,
                     .columns = columns,
                     .first_row = first_row,
                     .first_column = first_column};
    STN_TRY(stn_matrix_expect(job.call, matrix));
    STN_TRY(expect_range(job.call, "rows", first_row, rows, matrix->rows));
    STN_TRY(expect_range(job.call, "columns", first_column, columns, matrix->columns));
    STN_TRY(stn_compressed_open(job.call, exec, matrix, &job.from));
    const stn_status status = choose(&job, result);
    stn_compressed_close(&job.from);
    return stn_matrix_send(job.call, exec, status, result);
}

stn_status stn_sparse_extract(const stn_exec *exec, stn_matrix **result, const stn_matrix *a,
                              int64_t first_row, int64_t rows, int64_t first_column,
                              int64_t columns)
{
    static const char call[] = "stn_sparse_extract";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(
        call, result, matrix, extract(exec, matrix, a, first_row, rows, first_column, columns)));
}

/* ---- diagonal ones ---- */

static stn_status from_diagonal(const char *call, const stn_exec *exec, stn_matrix *result,
                                const char *label, const stn_storage *storage,
                                const stn_view *diagonal)
{
    stn_compressed_matrix to;
    stn_view values, host = {.size = 0};
    if (exec)
        STN_TRY(stn_exec_expect(call, exec));
    if (!storage)
        return stn_fail(STN_ERR_ARGUMENT, "%s: storage is NULL", call);
    STN_TRY(stn_view_expect(call, diagonal, 1));
    const int64_t rows = diagonal->extent[0];
    STN_TRY(stn_matrix_expect_format(label ? label : "a matrix", storage->format));
    STN_TRY(stn_compressed_create(call, label, storage, rows, rows, rows, result, &to));
    for (int64_t r = 0; r < rows; r++) {
        to.start[r] = r;
        to.column[r] = (int32_t)r;
    }
    to.start[rows] = rows;
    stn_status status = stn_view_wrap(&values, "values", *storage, to.codes, 1, &rows);
    if (status == STN_OK)
        status = stn_view_mirror_view(exec, &host, diagonal, STN_SPACE_HOST, STN_MIRROR_COPY);
    if (status == STN_OK && rows > 0)
        status = stn_view_copy(stn_exec_on_host(exec), &values, &host);
    (void)stn_view_release(&host);
    if (status == STN_OK)
        return stn_matrix_send(call, exec, status, result);
    stn_matrix_clear(result);
    return stn_error_prefix(status, "%s", call);
}

stn_status stn_sparse_from_diagonal(const stn_exec *exec, stn_matrix **result, const char *label,
                                    const stn_storage *storage, const stn_view *diagonal)
{
    static const char call[] = "stn_sparse_from_diagonal";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(
        call, result, matrix, from_diagonal(call, exec, matrix, label, storage, diagonal)));
}

static stn_status identity(const char *call, const stn_exec *exec, stn_matrix *result,
                           const char *label, const stn_storage *storage, int64_t rows)
{
    static const stn_f64 real = 1.0;
    static const stn_c128 complex = {1.0, 0.0};
    static const int64_t zero_stride = 0;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    stn_view ones;
    if (!storage)
        return stn_fail(STN_ERR_ARGUMENT, "%s: storage is NULL", call);
    if (rows < 0)
        return stn_fail(STN_ERR_SHAPE, "%s: rows is %lld; it must be at least 0", call,
                        (long long)rows);
    STN_TRY(stn_format_describe(storage->format, &info));
    const int is_complex = info.kind == STN_CLASS_COMPLEX;
    STN_TRY(stn_view_wrap_spec(
        &ones,
        &STN_VIEW_SPEC(.label = "one", .storage = stn_storage_of(is_complex ? STN_C128 : STN_F64),
                       .const_data = is_complex ? (const void *)&complex : &real, .rank = 1,
                       .extents = &rows, .strides = &zero_stride)));
    return from_diagonal(call, exec, result, label, storage, &ones);
}

stn_status stn_sparse_identity(const stn_exec *exec, stn_matrix **result, const char *label,
                               const stn_storage *storage, int64_t rows)
{
    static const char call[] = "stn_sparse_identity";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(
        stn_matrix_end(call, result, matrix, identity(call, exec, matrix, label, storage, rows)));
}
