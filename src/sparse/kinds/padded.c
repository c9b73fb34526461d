/* Matrices whose rows are padded to the width of the matrix (ELL) or of a slice (SELL), described
 * by views. */
#include "core/memory.h"
#include "core/status.h"
#include "sparse/kinds/wrap.h"

/* ---- a row: columns, then -1 ---- */

/* Checks a row and adds its entries to *entries. Its elements are at first, first + step, ... */
static stn_status check_row(const stn_indices *columns, int64_t row, int64_t first, int64_t step,
                            int64_t width, int64_t limit, int64_t *entries)
{
    int64_t numbers[STN_INDICES];
    int has_ended = 0;
    for (int64_t e = 0; e < width; e += STN_INDICES) {
        const int64_t left = width - e, some = left < STN_INDICES ? left : STN_INDICES;
        stn_read(&columns->reader, numbers, first + e * step, step, some);
        for (int64_t n = 0; n < some; n++) {
            if (has_ended && numbers[n] != -1)
                return stn_fail(
                    STN_ERR_RANGE,
                    "%s: matrix %s: column index %lld in row %lld at position %lld, after "
                    "the end of the row",
                    columns->call, columns->matrix, (long long)numbers[n], (long long)row,
                    (long long)(e + n));
            has_ended = numbers[n] == -1;
            if (numbers[n] < -1 || numbers[n] >= limit)
                return stn_wrap_refuse_column(columns, row, e + n, numbers[n], limit);
            *entries += !has_ended;
        }
    }
    return STN_OK;
}

/* ---- one width ---- */

stn_status stn_wrap_ell(stn_matrix *result, const char *call, const stn_matrix_views *views)
{
    const stn_view *const column = &views->column;
    stn_indices indices;
    STN_TRY(stn_indices_init(&indices, call, stn_wrap_name(views->label), "column", column, 2));
    result->rows = indices.count;
    STN_TRY(stn_wrap_expect_rows(call, result, views->rows));
    STN_TRY(stn_wrap_values(result, call, &views->values));
    const int64_t *const steps = indices.reader.steps;
    for (int64_t row = 0; column->extent[1] > 0 && row < result->rows; row++)
        STN_TRY(check_row(&indices, row, row * steps[0], steps[1], column->extent[1],
                          result->columns, &result->entries));
    return STN_OK;
}

/* ---- slices ---- */

static stn_status expect_slices(const char *call, const stn_matrix *result,
                                const stn_indices *starts)
{
    const int64_t slices = result->rows / result->height + (result->rows % result->height != 0);
    if (starts->count - 1 != slices)
        return stn_fail(STN_ERR_SHAPE,
                        "%s: matrix %s: slice_start is %s, which does not match %lld slices", call,
                        starts->matrix, stn_view_text(&result->starts), (long long)slices);
    for (int64_t slice = 1; slice < starts->count; slice++) {
        const int64_t start = stn_index_at(starts, slice);
        if (start % result->height != 0)
            return stn_fail(
                STN_ERR_RANGE,
                "%s: matrix %s: slice_start of slice %lld is %lld, not a multiple of %lld",
                starts->call, starts->matrix, (long long)slice, (long long)start,
                (long long)result->height);
    }
    return STN_OK;
}

/* Inverts the permutation; every row must occur once. */
static stn_status invert(const stn_indices *sorted, int64_t rows, int64_t *row_of)
{
    for (int64_t row = 0; row < rows; row++)
        row_of[row] = -1;
    for (int64_t row = 0; row < rows; row++) {
        const int64_t position = stn_index_at(sorted, row);
        if (position < 0 || position >= rows || row_of[position] >= 0)
            return stn_fail(STN_ERR_RANGE, "%s: matrix %s: row_position %lld of row %lld is %s",
                            sorted->call, sorted->matrix, (long long)position, (long long)row,
                            position < 0 || position >= rows ? "out of range"
                                                             : "also that of another row");
        row_of[position] = row;
    }
    return STN_OK;
}

static stn_status check_slices(stn_matrix *result, const stn_indices *starts,
                               const stn_indices *columns, const int64_t *row_of)
{
    const int64_t one = columns->reader.steps[0], height = result->height;
    for (int64_t slice = 0; slice < starts->count - 1; slice++) {
        const int64_t start = stn_index_at(starts, slice);
        const int64_t width = (stn_index_at(starts, slice + 1) - start) / height;
        for (int64_t r = 0; width > 0 && r < height; r++) {
            const int64_t p = slice * height + r;
            const int64_t row = p < result->rows && row_of ? row_of[p] : p;
            const int64_t limit = p < result->rows ? result->columns : 0; /* padding rows have no
                                                                           * entries */
            STN_TRY(check_row(columns, row, (start + r) * one, height * one, width, limit,
                              &result->entries));
        }
    }
    return STN_OK;
}

static stn_status check_sorted(stn_matrix *result, const char *call, const stn_indices *starts,
                               const stn_indices *columns)
{
    stn_indices sorted;
    int64_t *row_of = NULL;
    if (stn_view_is_empty(&result->positions))
        return check_slices(result, starts, columns, NULL);
    STN_TRY(stn_indices_init(&sorted, call, starts->matrix, "row_position", &result->positions, 1));
    if (sorted.count != result->rows)
        return stn_fail(STN_ERR_SHAPE,
                        "%s: matrix %s: row_position is %s; it must have %lld elements", call,
                        starts->matrix, stn_view_text(&result->positions), (long long)result->rows);
    STN_TRY(stn_allocate(&row_of, result->rows, sizeof *row_of, "sorted rows of a matrix"));
    stn_status status = invert(&sorted, result->rows, row_of);
    if (status == STN_OK)
        status = check_slices(result, starts, columns, row_of);
    stn_free(row_of);
    return status;
}

static stn_status expect_height(const char *call, const char *label, int64_t height)
{
    if (height >= 1 && height <= INT32_MAX)
        return STN_OK;
    return stn_fail(STN_ERR_ARGUMENT, "%s: matrix %s: height is %lld; it must be from 1 to %d",
                    call, stn_wrap_name(label), (long long)height, INT32_MAX);
}

stn_status stn_wrap_sell(stn_matrix *result, const char *call, const stn_matrix_views *views)
{
    const char *const name = stn_wrap_name(views->label);
    stn_indices starts, indices;
    int64_t last;
    STN_TRY(expect_height(call, views->label, result->height));
    STN_TRY(stn_indices_init(&starts, call, name, "slice_start", &views->slice_start, 1));
    STN_TRY(stn_indices_init(&indices, call, name, "column", &views->column, 1));
    result->starts = views->slice_start;
    result->positions = views->row_position;
    STN_TRY(stn_wrap_values(result, call, &views->values));
    STN_TRY(stn_wrap_expect_ascending(&starts, "slice", &last));
    STN_TRY(expect_slices(call, result, &starts));
    if (last != indices.count)
        return stn_fail(STN_ERR_SHAPE,
                        "%s: matrix %s: slice_start ends with %lld, but column is %s", call, name,
                        (long long)last, stn_view_text(&views->column));
    return check_sorted(result, call, &starts, &indices);
}
