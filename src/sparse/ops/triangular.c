/* Triangles of sparse matrices, with rows in the order of levels. If that adds few empty rows,
 * levels begin at multiples of 16 rows, so that slices can be used. */
#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "core/modes.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "sparse/kinds/compressed.h"
#include "sparse/kinds/slice.h"
#include "sparse/ops/triangular.h"
#include "view/view.h"

static const char call[] = "stn_triangular_create";

typedef struct ordering {
    const stn_exec *exec;
    const stn_matrix *a;
    stn_compressed from;
    stn_triangle triangle;
    const stn_levels *given;          /* NULL: computed */
    int has_diagonal, is_even;        /* is_even: levels begin at multiples of 16 */
    int64_t levels, ordered, entries; /* ordered: rows including padding; entries: off-diagonal */
    int32_t *level;                   /* of each row; later its position: that of `result` */
    int64_t *diagonal;                /* index of each row's diagonal entry */
    int64_t *first;                   /* for each level and the end: number of rows, then the first
                                       * position */
    stn_triangular *result;
} ordering;

static int is_off_diagonal(const ordering *job, int64_t row, int32_t column)
{
    return job->triangle == STN_LOWER ? column < row : column > row;
}

/* ---- levels ---- */

static stn_status find_row_level(ordering *job, int64_t row)
{
    const stn_compressed *const from = &job->from;
    int32_t level = 0;
    int64_t diagonal = -1;
    for (int64_t k = from->start[row]; k < from->start[row + 1]; k++) {
        const int32_t column = from->column[k];
        if (is_off_diagonal(job, row, column)) {
            level = job->level[column] >= level ? job->level[column] + 1 : level;
            job->entries++;
        } else if (column == row && job->has_diagonal) {
            if (diagonal >= 0)
                return stn_fail(STN_ERR_ARGUMENT,
                                "%s: row %lld of %s has two entries on the diagonal", call,
                                (long long)row, stn_matrix_name(job->a));
            diagonal = k;
        }
    }
    if (job->has_diagonal && diagonal < 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: row %lld of %s has no entry on the diagonal", call,
                        (long long)row, stn_matrix_name(job->a));
    if (job->has_diagonal)
        job->diagonal[row] = diagonal;
    if (job->given)
        level = job->given->of[row];
    job->level[row] = level;
    job->levels = level >= job->levels ? (int64_t)level + 1 : job->levels;
    return STN_OK;
}

static stn_status find_levels(ordering *job)
{
    const int64_t rows = job->from.rows;
    STN_TRY(stn_view_create_spec(
        NULL, &job->result->position,
        &STN_VIEW_SPEC(.label = "positions of rows", .storage = stn_storage_of(STN_I32), .rank = 1,
                       .extents = &rows, .flags = STN_CREATE_UNINITIALIZED)));
    job->level = job->result->position.data;
    if (job->has_diagonal)
        STN_TRY(stn_allocate(&job->diagonal, rows, sizeof *job->diagonal, "a diagonal"));
    for (int64_t r = 0; r < rows; r++)
        STN_TRY(find_row_level(job, job->triangle == STN_LOWER ? r : rows - 1 - r));
    return STN_OK;
}

static int64_t padded(int64_t rows)
{
    return stn_slices_of(rows) * STN_SLICE_ROWS;
}

/* Reverses the levels: with given levels, an upper triangle is solved from the last one on. */
static void turn_pairs(int64_t *pair, int64_t levels)
{
    for (int64_t k = 0, last = levels - 1; k < last; k++, last--)
        for (int j = 0; j < 2; j++) {
            const int64_t number = pair[2 * k + j];
            pair[2 * k + j] = pair[2 * last + j];
            pair[2 * last + j] = number;
        }
}

/* Creates the pairs of each level and the positions of the rows. */
static stn_status order_rows(ordering *job)
{
    const int64_t rows = job->from.rows, numbers = 2 * job->levels;
    int64_t even = 0;
    STN_TRY(stn_allocate(&job->first, job->levels + 1, sizeof *job->first, "levels"));
    STN_TRY(
        stn_view_create(NULL, &job->result->level, "levels", stn_storage_of(STN_I64), 1, &numbers));
    int64_t *const pair = job->result->level.data;
    for (int64_t r = 0; r < rows; r++)
        pair[2 * job->level[r] + 1]++;
    for (int64_t k = 0; k < job->levels; k++)
        even += padded(pair[2 * k + 1]);
    job->is_even = even <= rows + rows / 4 && even <= INT32_MAX &&
                   !stn_matrix_is_complex(job->a); /* slices are not used */
    for (int64_t k = 0, at = 0; k < job->levels; k++) {
        pair[2 * k] = job->first[k] = at;
        at += job->is_even ? padded(pair[2 * k + 1]) : pair[2 * k + 1];
    }
    job->ordered = job->is_even ? even : rows;
    for (int64_t r = 0; r < rows; r++)
        job->level[r] = (int32_t)job->first[job->level[r]]++;
    if (job->given && job->triangle == STN_UPPER)
        turn_pairs(pair, job->levels);
    return STN_OK;
}

/* ---- arrays in that order ---- */

static void fill_row(const ordering *job, int64_t row, const stn_compressed_matrix *to, int64_t *at)
{
    const stn_compressed *const from = &job->from;
    for (int64_t k = from->start[row]; k < from->start[row + 1]; k++) {
        if (!is_off_diagonal(job, row, from->column[k]))
            continue;
        to->column[*at] = job->level[from->column[k]];
        memcpy(to->codes + *at * from->code, from->codes + k * from->code, (size_t)from->code);
        ++*at;
    }
}

static stn_status create_strict(ordering *job, const int32_t *order, stn_matrix *strict)
{
    stn_compressed_matrix to;
    int64_t at = 0;
    STN_TRY(stn_compressed_create(call, job->a->label, &job->from.storage, job->ordered,
                                  job->ordered, job->entries, strict, &to));
    for (int64_t k = 0; k < job->ordered; k++) {
        to.start[k] = at;
        if (order[k] >= 0)
            fill_row(job, order[k], &to, &at);
    }
    to.start[job->ordered] = at;
    return STN_OK;
}

/* Padding rows, which are never read, are zero. */
static stn_status create_diagonal(ordering *job, const int32_t *order, stn_view *diagonal)
{
    const stn_compressed *const from = &job->from;
    const int is_complex = stn_matrix_is_complex(job->a);
    STN_TRY(stn_view_create(NULL, diagonal, "a diagonal", from->storage, 1, &job->ordered));
    for (int64_t k = 0; k < job->ordered; k++) {
        stn_c128 value = {0.0, 0.0};
        if (order[k] < 0)
            continue;
        const char *const code = from->codes + job->diagonal[order[k]] * from->code;
        memcpy((char *)diagonal->data + k * from->code, code, (size_t)from->code);
        STN_TRY(stn_decode(is_complex ? STN_C128 : STN_F64, is_complex ? (void *)&value : &value.re,
                           &from->storage, code, 1, 1));
        if (value.re == 0.0 && value.im == 0.0)
            return stn_fail(STN_ERR_ARGUMENT, "%s: the diagonal of %s is 0 in row %d", call,
                            stn_matrix_name(job->a), order[k]);
    }
    return STN_OK;
}

static stn_status create_order(ordering *job, stn_view *order)
{
    STN_TRY(stn_view_create_spec(
        NULL, order,
        &STN_VIEW_SPEC(.label = "ordered rows", .storage = stn_storage_of(STN_I32), .rank = 1,
                       .extents = &job->ordered, .flags = STN_CREATE_UNINITIALIZED)));
    int32_t *const number = order->data;
    for (int64_t k = 0; k < job->ordered; k++)
        number[k] = -1;
    for (int64_t r = 0; r < job->from.rows; r++)
        number[job->level[r]] = (int32_t)r;
    return STN_OK;
}

/* ---- where the executor is ---- */

/* Moves a view on the host to the memory of the executor. */
static stn_status move_view(const stn_exec *exec, stn_view *view)
{
    stn_view there;
    if (stn_view_is_empty(view) || stn_exec_device(exec) == NULL)
        return STN_OK;
    STN_TRY(stn_view_create_spec(exec, &there,
                                 &STN_VIEW_SPEC(.label = view->label, .storage = view->storage,
                                                .rank = 1, .extents = view->extent,
                                                .flags = STN_CREATE_UNINITIALIZED)));
    const stn_status status = stn_view_copy(exec, &there, view);
    (void)stn_view_release(status == STN_OK ? view : &there);
    if (status == STN_OK)
        *view = there;
    return status;
}

static stn_status move_strict(const stn_exec *exec, stn_matrix *strict)
{
    stn_matrix there;
    if (stn_exec_device(exec) == NULL)
        return STN_OK;
    STN_TRY(stn_matrix_copy(exec, &there, strict));
    stn_matrix_clear(strict);
    *strict = there;
    return STN_OK;
}

/* Converts to slices if these take fewer bytes. */
static stn_status slice(const ordering *job, stn_matrix *strict)
{
    const stn_format format = strict->storage.format;
    int64_t row_bytes, slice_bytes;
    stn_matrix sliced;
    STN_TRY(stn_sparse_bytes(strict, STN_MATRIX_CSR, format, &row_bytes));
    STN_TRY(stn_sparse_bytes(strict, STN_MATRIX_SLICED, format, &slice_bytes));
    if (row_bytes <= slice_bytes)
        return STN_OK;
    STN_TRY(
        stn_matrix_convert(stn_exec_on_host(job->exec), &sliced, strict, STN_MATRIX_SLICED, NULL));
    stn_matrix_clear(strict);
    *strict = sliced;
    return STN_OK;
}

static stn_status create_arrays(ordering *job)
{
    stn_triangular *const result = job->result;
    STN_TRY(create_order(job, &result->order));
    const int32_t *const order = result->order.data;
    if (job->has_diagonal)
        STN_TRY(create_diagonal(job, order, &result->diagonal));
    STN_TRY(create_strict(job, order, &result->strict));
    return job->is_even ? slice(job, &result->strict) : STN_OK;
}

static stn_status count_bytes(stn_triangular *result)
{
    const stn_format format = result->strict.storage.format;
    const int64_t rows = result->strict.rows;
    STN_TRY(stn_sparse_bytes(&result->strict, result->strict.kind, format, &result->bytes));
    result->bytes += rows * (int64_t)sizeof(int32_t);
    if (!stn_view_is_empty(&result->diagonal))
        result->bytes += rows * stn_format_entry_of(format)->info.bytes;
    return STN_OK;
}

static stn_status create(ordering *job)
{
    stn_triangular *const result = job->result;
    STN_TRY(find_levels(job));
    STN_TRY(order_rows(job));
    STN_TRY(create_arrays(job));
    STN_TRY(count_bytes(result));
    const stn_format wide = stn_matrix_is_complex(job->a) ? STN_C128 : STN_F64;
    STN_TRY(stn_view_create(job->exec, &result->work, "a solution", stn_storage_of(wide), 1,
                            &job->ordered));
    STN_TRY(move_view(job->exec, &result->order));
    STN_TRY(move_view(job->exec, &result->position));
    STN_TRY(move_view(job->exec, &result->diagonal));
    STN_TRY(move_strict(job->exec, &result->strict));
    result->label = job->a->label;
    result->rows = job->from.rows;
    result->levels = job->levels;
    return STN_OK;
}

/* ---- calls ---- */

static stn_status expect(const stn_exec *exec, const stn_matrix *a, stn_triangle triangle,
                         stn_diagonal diagonal)
{
    STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(stn_matrix_expect(call, a));
    if ((triangle != STN_LOWER && triangle != STN_UPPER) ||
        (diagonal != STN_DIAGONAL_NON_UNIT && diagonal != STN_DIAGONAL_UNIT))
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: triangle is %d and diagonal is %d; they must be values of "
                        "stn_triangle and stn_diagonal",
                        call, (int)triangle, (int)diagonal);
    if (a->rows != a->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s (%lld x %lld) is not square", call,
                        stn_matrix_name(a), (long long)a->rows, (long long)a->columns);
    return STN_OK;
}

stn_status stn_triangular_create_in(const stn_exec *exec, stn_triangular *result,
                                    const stn_matrix *a, stn_triangle triangle,
                                    stn_diagonal diagonal, const stn_levels *levels)
{
    ordering job = {.exec = exec,
                    .a = a,
                    .triangle = triangle,
                    .given = levels,
                    .has_diagonal = diagonal == STN_DIAGONAL_NON_UNIT,
                    .result = result};
    STN_TRY(stn_compressed_open(call, NULL, a, &job.from));
    const stn_status status = create(&job);
    stn_free(job.diagonal);
    stn_free(job.first);
    stn_compressed_close(&job.from);
    if (status == STN_OK)
        return STN_OK;
    stn_triangular_clear(result);
    return status;
}

static stn_status create_checked(const stn_exec *exec, stn_triangular *result, const stn_matrix *a,
                                 stn_triangle triangle, stn_diagonal diagonal)
{
    STN_TRY(expect(exec, a, triangle, diagonal));
    STN_TRY(stn_triangular_create_in(exec, result, a, triangle, diagonal, NULL));
    const stn_status status = stn_label_copy(&result->own_label, result->label);
    result->label = result->strict.label = result->own_label;
    if (status == STN_OK)
        return STN_OK;
    stn_triangular_clear(result);
    return stn_error_prefix(status, "%s", call);
}

stn_status stn_triangular_create(const stn_exec *exec, stn_triangular **result, const stn_matrix *a,
                                 stn_triangle triangle, stn_diagonal diagonal)
{
    stn_triangular *t;
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the address of the new triangle is NULL", call);
    *result = NULL;
    stn_status status = stn_allocate(&t, 1, sizeof *t, "a triangle");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    memset(t, 0, sizeof *t);
    const stn_modes modes = stn_modes_enter();
    status = create_checked(exec, t, a, triangle, diagonal);
    stn_modes_leave(modes);
    if (status == STN_OK)
        *result = t;
    else
        stn_free(t);
    return status;
}

void stn_triangular_clear(stn_triangular *t)
{
    stn_view *const views[] = {&t->diagonal, &t->order, &t->position, &t->level, &t->work};
    stn_matrix_clear(&t->strict);
    for (int k = 0; k < 5; k++)
        (void)stn_view_release(views[k]);
    memset(t, 0, sizeof *t);
}

void stn_triangular_release(stn_triangular *t)
{
    if (!t)
        return;
    stn_free(t->own_label);
    stn_triangular_clear(t);
    stn_free(t);
}

stn_status stn_triangular_describe(const stn_triangular *t, stn_triangular_info *info)
{
    static const char name[] = "stn_triangular_describe";
    if (!t)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the triangle is NULL", name);
    const stn_status status = STN_STRUCT_CHECK(info, stn_triangular_info, bytes, "info");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", name);
    const stn_triangular_info job =
        STN_INIT(stn_triangular_info, .label = t->label, .rows = t->rows, .levels = t->levels,
                 .bytes = t->bytes);
    STN_STRUCT_WRITE(info, &job, stn_triangular_info);
    return STN_OK;
}
