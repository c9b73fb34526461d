/* New matrices with entries of existing ones: reordered, or a subset; and diagonal matrices. */
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "sparse/compressed.h"
#include "sparse/row_order.h"
#include "sparse/transpose.h"
#include "steno/sparse_operations.h"
#include "view/view.h"

/* ---- sorted ---- */

static stn_status sort_by_transposes(const char *call, const stn_exec *exec, const char *label,
                                     const stn_compressed *from, stn_matrix *made)
{
    stn_matrix transposed;
    stn_compressed back;
    STN_TRY(stn_transpose_compressed(call, exec, label, from, &transposed));
    stn_compressed_take(&back, &transposed);
    const stn_status status = stn_transpose_compressed(call, exec, label, &back, made);
    stn_compressed_close(&back);
    return status;
}

static void copy_sorted(const stn_row_order *order, const stn_compressed *from,
                        const stn_compressed_made *to)
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
                               stn_matrix *made)
{
    stn_row_order order;
    stn_compressed_made to;
    stn_status status = stn_row_order_make(&order, from->start, from->rows);
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    status = stn_compressed_make(call, label, &from->storage, from->rows, from->columns,
                                 from->entries, made, &to);
    if (status == STN_OK)
        copy_sorted(&order, from, &to);
    stn_row_order_drop(&order);
    return status;
}

/* A transpose takes memory and time in proportion to the number of columns. */
stn_status stn_sort_compressed(const char *call, const stn_exec *exec, const char *label,
                               const stn_compressed *from, stn_matrix *made)
{
    return from->columns > from->entries ? sort_by_rows(call, label, from, made)
                                         : sort_by_transposes(call, exec, label, from, made);
}

static stn_status sort(const stn_exec *exec, stn_matrix *made, const stn_matrix *matrix)
{
    static const char call[] = "stn_sparse_sort";
    stn_compressed from;
    STN_TRY(stn_compressed_open(call, exec, matrix, &from));
    const stn_status status = stn_sort_compressed(call, exec, matrix->label, &from, made);
    stn_compressed_close(&from);
    return stn_matrix_send(call, exec, status, made);
}

stn_status stn_sparse_sort(const stn_exec *exec, stn_matrix **made, const stn_matrix *a)
{
    static const char call[] = "stn_sparse_sort";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, made, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, made, matrix, sort(exec, matrix, a)));
}

/* ---- selection: rows by index, columns by their new index ---- */

typedef struct choosing {
    const char *call;
    const stn_exec *exec;
    const stn_matrix *matrix;
    stn_compressed from;
    int64_t rows, columns; /* of the result */
    const int64_t *row;    /* index of each row of the result; NULL: consecutive from first_row on
                            */
    int64_t first_row;
    const int64_t *place; /* new index of each column; NULL: column - first_column, if that is in
                           * range */
    int64_t first_column;
    stn_compressed_made to;
} choosing;

static int64_t row_of(const choosing *all, int64_t r)
{
    return all->row ? all->row[r] : all->first_row + r;
}

static int64_t place_of(const choosing *all, int32_t column)
{
    return all->place ? all->place[column] : column - all->first_column;
}

static int is_chosen(const choosing *all, int32_t column)
{
    const int64_t place = place_of(all, column);
    return place >= 0 && place < all->columns;
}

static int64_t count_row(const choosing *all, int64_t row)
{
    int64_t count = 0;
    for (int64_t k = all->from.start[row]; k < all->from.start[row + 1]; k++)
        count += is_chosen(all, all->from.column[k]);
    return count;
}

static void move_row(const choosing *all, int64_t r)
{
    const stn_compressed *const from = &all->from;
    const int64_t row = row_of(all, r);
    int64_t at = all->to.start[r];
    for (int64_t k = from->start[row]; k < from->start[row + 1]; k++) {
        if (!is_chosen(all, from->column[k]))
            continue;
        all->to.column[at] = (int32_t)place_of(all, from->column[k]);
        memcpy(all->to.codes + at * from->code, from->codes + k * from->code, (size_t)from->code);
        at++;
    }
}

static void move_share(void *context, int part, int parts)
{
    const choosing *const all = context;
    int64_t begin, end;
    stn_share(all->rows, part, parts, &begin, &end);
    for (int64_t r = begin; r < end; r++)
        move_row(all, r);
}

static stn_status choose(choosing *all, stn_matrix *made)
{
    int64_t entries = 0;
    for (int64_t r = 0; r < all->rows; r++)
        entries += count_row(all, row_of(all, r));
    STN_TRY(stn_compressed_make(all->call, all->matrix->label, &all->from.storage, all->rows,
                                all->columns, entries, made, &all->to));
    all->to.start[0] = 0;
    for (int64_t r = 0; r < all->rows; r++)
        all->to.start[r + 1] = all->to.start[r] + count_row(all, row_of(all, r));
    stn_exec_run_sized(all->exec, 16.0 * (double)entries, move_share, all);
    return STN_OK;
}

/* ---- permutations ---- */

/* The inverse of a permutation; NULL if `order` is empty. */
static stn_status invert(const char *call, const char *what, const int64_t *order, int64_t count,
                         int64_t **place)
{
    *place = NULL;
    if (!order)
        return STN_OK;
    const stn_status status = stn_allocate(place, count, sizeof **place, "an order");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    for (int64_t k = 0; k < count; k++)
        (*place)[k] = -1;
    for (int64_t k = 0; k < count; k++) {
        if (order[k] < 0 || order[k] >= count)
            return stn_fail(STN_ERR_RANGE, "%s: %s number %lld is %lld; there are %lld", call, what,
                            (long long)k, (long long)order[k], (long long)count);
        if ((*place)[order[k]] >= 0)
            return stn_fail(STN_ERR_RANGE, "%s: %s %lld occurs twice", call, what,
                            (long long)order[k]);
        (*place)[order[k]] = k;
    }
    return STN_OK;
}

static stn_status permute_opened(choosing *all, stn_matrix *made, const int64_t *row_order,
                                 const int64_t *column_order)
{
    int64_t *row_place = NULL, *place = NULL;
    stn_status status = invert(all->call, "row", row_order, all->from.rows, &row_place);
    if (status == STN_OK)
        status = invert(all->call, "column", column_order, all->from.columns, &place);
    all->row = row_order;
    all->place = place;
    if (status == STN_OK)
        status = choose(all, made);
    stn_free(row_place);
    stn_free(place);
    return status;
}

static stn_status permute(const stn_exec *exec, stn_matrix *made, const stn_matrix *matrix,
                          const int64_t *row_order, const int64_t *column_order)
{
    choosing all = {.call = "stn_sparse_permute", .exec = exec, .matrix = matrix};
    STN_TRY(stn_compressed_open(all.call, exec, matrix, &all.from));
    all.rows = all.from.rows;
    all.columns = all.from.columns;
    const stn_status status = permute_opened(&all, made, row_order, column_order);
    stn_compressed_close(&all.from);
    return stn_matrix_send(all.call, exec, status, made);
}

stn_status stn_sparse_permute(const stn_exec *exec, stn_matrix **made, const stn_matrix *a,
                              const int64_t *row_order, const int64_t *column_order)
{
    static const char call[] = "stn_sparse_permute";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, made, &matrix));
    STN_RETURN_IN_MODES(
        stn_matrix_end(call, made, matrix, permute(exec, matrix, a, row_order, column_order)));
}

/* ---- blocks ---- */

static stn_status expect_range(const char *call, const char *what, int64_t first, int64_t count,
                               int64_t all)
{
    if (first < 0 || count < 0 || first > all || count > all - first)
        return stn_fail(STN_ERR_RANGE, "%s: %lld %s from %lld on are out of range; there are %lld",
                        call, (long long)count, what, (long long)first, (long long)all);
    return STN_OK;
}

static stn_status extract(const stn_exec *exec, stn_matrix *made, const stn_matrix *matrix,
                          int64_t first_row, int64_t rows, int64_t first_column, int64_t columns)
{
    choosing all = {.call = "stn_sparse_extract",
                    .exec = exec,
                    .matrix = matrix,
                    .rows = rows,
                    .columns = columns,
                    .first_row = first_row,
                    .first_column = first_column};
    STN_TRY(stn_matrix_expect(all.call, matrix));
    STN_TRY(expect_range(all.call, "rows", first_row, rows, matrix->rows));
    STN_TRY(expect_range(all.call, "columns", first_column, columns, matrix->columns));
    STN_TRY(stn_compressed_open(all.call, exec, matrix, &all.from));
    const stn_status status = choose(&all, made);
    stn_compressed_close(&all.from);
    return stn_matrix_send(all.call, exec, status, made);
}

stn_status stn_sparse_extract(const stn_exec *exec, stn_matrix **made, const stn_matrix *a,
                              int64_t first_row, int64_t rows, int64_t first_column,
                              int64_t columns)
{
    static const char call[] = "stn_sparse_extract";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, made, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(
        call, made, matrix, extract(exec, matrix, a, first_row, rows, first_column, columns)));
}

/* ---- diagonal ones ---- */

static stn_status from_diagonal(const char *call, const stn_exec *exec, stn_matrix *made,
                                const char *label, const stn_storage *storage,
                                const stn_view *diagonal)
{
    stn_compressed_made to;
    stn_view values, here = {.size = 0};
    if (exec)
        STN_TRY(stn_exec_expect(call, exec));
    if (!storage)
        return stn_fail(STN_ERR_ARGUMENT, "%s: storage is NULL", call);
    STN_TRY(stn_view_expect(call, diagonal, 1));
    const int64_t rows = diagonal->extent[0];
    STN_TRY(stn_matrix_expect_format(label ? label : "a matrix", storage->format));
    STN_TRY(stn_compressed_make(call, label, storage, rows, rows, rows, made, &to));
    for (int64_t r = 0; r < rows; r++) {
        to.start[r] = r;
        to.column[r] = (int32_t)r;
    }
    to.start[rows] = rows;
    stn_status status = stn_view_wrap(&values, "values", *storage, to.codes, 1, &rows);
    if (status == STN_OK)
        status = stn_view_mirror_view(exec, &here, diagonal, STN_SPACE_HOST, STN_MIRROR_COPY);
    if (status == STN_OK && rows > 0)
        status = stn_view_copy(stn_exec_on_host(exec), &values, &here);
    (void)stn_view_release(&here);
    if (status == STN_OK)
        return stn_matrix_send(call, exec, status, made);
    stn_matrix_clear(made);
    return stn_error_prefix(status, "%s", call);
}

stn_status stn_sparse_from_diagonal(const stn_exec *exec, stn_matrix **made, const char *label,
                                    const stn_storage *storage, const stn_view *diagonal)
{
    static const char call[] = "stn_sparse_from_diagonal";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, made, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(
        call, made, matrix, from_diagonal(call, exec, matrix, label, storage, diagonal)));
}

static stn_status identity(const char *call, const stn_exec *exec, stn_matrix *made,
                           const char *label, const stn_storage *storage, int64_t rows)
{
    static const stn_f64 real = 1.0;
    static const stn_c128 complex = {1.0, 0.0};
    static const int64_t repeated = 0;
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
                       .extents = &rows, .strides = &repeated)));
    return from_diagonal(call, exec, made, label, storage, &ones);
}

stn_status stn_sparse_identity(const stn_exec *exec, stn_matrix **made, const char *label,
                               const stn_storage *storage, int64_t rows)
{
    static const char call[] = "stn_sparse_identity";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, made, &matrix));
    STN_RETURN_IN_MODES(
        stn_matrix_end(call, made, matrix, identity(call, exec, matrix, label, storage, rows)));
}
