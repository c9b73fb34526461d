/* Describing views as a sparse matrix, with every index checked. */
#include "core/modes.h"
#include "core/status.h"
#include "format/registry.h"
#include "sparse/wrap.h"

/* ---- indices ---- */

stn_status stn_wrap_expect_size(const char *call, const char *label, int64_t rows, int64_t columns)
{
    if (rows >= 0 && columns >= 0 && columns <= INT32_MAX)
        return STN_OK;
    return stn_fail(STN_ERR_SHAPE, "%s: matrix %s: %s is %lld; 0 to %lld are allowed", call,
                    stn_wrap_name(label), rows < 0 ? "rows" : "columns",
                    (long long)(rows < 0 ? rows : columns),
                    rows < 0 ? (long long)INT64_MAX : (long long)INT32_MAX);
}

/* An ascending array from 0 on; *last is its last number. */
stn_status stn_wrap_expect_ascending(const stn_indices *starts, const char *of_what, int64_t *last)
{
    int64_t numbers[STN_INDICES], before = 0;
    for (int64_t k = 0; k < starts->count; k += STN_INDICES) {
        const int64_t left = starts->count - k, some = left < STN_INDICES ? left : STN_INDICES;
        stn_indices_read(starts, numbers, k, 1, some);
        if (k == 0 && numbers[0] != 0)
            return stn_fail(STN_ERR_RANGE, "%s: matrix %s: %s begins with %lld, not 0",
                            starts->call, starts->matrix, starts->what, (long long)numbers[0]);
        for (int64_t n = 0; n < some; before = numbers[n++])
            if (numbers[n] < before)
                return stn_fail(STN_ERR_RANGE, "%s: matrix %s: %s descends after %s %lld, to %lld",
                                starts->call, starts->matrix, starts->what, of_what,
                                (long long)(k + n - 1), (long long)numbers[n]);
    }
    *last = before;
    return STN_OK;
}

/* The first of `count` numbers that is not from 0 to limit - 1; count: all are. */
int64_t stn_wrap_first_outside(const stn_indices *indices, int64_t limit, int64_t *number)
{
    int64_t numbers[STN_INDICES];
    for (int64_t k = 0; k < indices->count; k += STN_INDICES) {
        const int64_t left = indices->count - k, some = left < STN_INDICES ? left : STN_INDICES;
        stn_indices_read(indices, numbers, k, 1, some);
        for (int64_t n = 0; n < some; n++)
            if (numbers[n] < 0 || numbers[n] >= limit) {
                *number = numbers[n];
                return k + n;
            }
    }
    return indices->count;
}

stn_status stn_wrap_refuse_column(const stn_indices *columns, int64_t row, int64_t entry,
                                  int64_t number, int64_t limit)
{
    return stn_fail(STN_ERR_RANGE,
                    "%s: matrix %s: column index %lld in row %lld, at entry %lld; there are %lld "
                    "columns",
                    columns->call, columns->matrix, (long long)number, (long long)row,
                    (long long)entry, (long long)limit);
}

/* ---- values ---- */

static const uint8_t one = 1;

/* A pattern is 1 again and again. */
stn_status stn_wrap_values(stn_matrix *made, const char *call, const stn_view *values,
                           const stn_view *columns)
{
    static const int64_t still[STN_MAX_RANK];
    if (!values) {
        made->storage = stn_storage_of(STN_U8);
        made->read_only = 1;
        return stn_view_wrap_const(&made->codes, "ones", made->storage, &one, columns->rank,
                                   columns->extent, still);
    }
    STN_TRY(stn_view_expect(call, values, columns->rank));
    STN_TRY(stn_view_expect_usable(call, NULL, values));
    STN_TRY(stn_csr_expect_format(stn_wrap_name(made->label), values->storage.format));
    for (int d = 0; d < columns->rank; d++)
        if (values->extent[d] != columns->extent[d])
            return stn_fail(
                STN_ERR_SHAPE, "%s: matrix %s: as many values as columns, not %s and %s", call,
                stn_wrap_name(made->label), stn_view_text(values), stn_view_text(columns));
    if (stn_view_mapping(values) &&
        stn_format_entry_of(values->storage.format)->info.kind == STN_CLASS_COMPLEX)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: matrix %s: complex values %s have no strides",
                        call, stn_wrap_name(made->label), stn_view_text(values));
    made->storage = values->storage;
    made->codes = *values;
    made->read_only = stn_view_is_read_only(values);
    return STN_OK;
}

/* Arrays without gaps are kept by their addresses. */
static int is_plain(const stn_view *view, stn_format format)
{
    return view->rank == 1 && !stn_view_mapping(view) && !stn_view_has_scales(view) &&
           view->storage.format == format && (view->stride[0] == 1 || view->extent[0] <= 1);
}

static void keep_plain(stn_matrix *made)
{
    static const stn_view nothing;
    if (is_plain(&made->starts, STN_I64)) {
        made->row_start = made->starts.data;
        made->starts = nothing;
    }
    if (is_plain(&made->indices, STN_I32)) {
        made->column = made->indices.data;
        made->indices = nothing;
    }
    if (is_plain(&made->codes, made->storage.format) && made->codes.data != &one) {
        made->values = made->codes.data;
        made->codes = nothing;
    }
}

/* ---- compressed rows ---- */

static int64_t row_of(const stn_indices *starts, int64_t entry)
{
    int64_t low = 0, high = starts->count - 1; /* starts[low] <= entry < starts[high] */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (stn_index_at(starts, middle) <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static stn_status make_rows(stn_matrix *made, const char *label, int64_t columns,
                            const stn_view *row_start, const stn_view *column,
                            const stn_view *values)
{
    static const char call[] = "stn_matrix_wrap_csr";
    stn_indices starts, indices;
    int64_t number;
    STN_TRY(stn_indices_make(&starts, call, stn_wrap_name(label), "row_start", row_start, 1));
    STN_TRY(stn_indices_make(&indices, call, stn_wrap_name(label), "column", column, 1));
    STN_TRY(stn_wrap_expect_size(call, label, starts.count - 1, columns));
    *made = (stn_matrix){.size = sizeof *made,
                         .label = label,
                         .rows = starts.count - 1,
                         .columns = columns,
                         .kind = STN_MATRIX_CSR,
                         .starts = *row_start,
                         .indices = *column};
    STN_TRY(stn_wrap_expect_ascending(&starts, "row", &made->entries));
    if (made->entries != indices.count)
        return stn_fail(STN_ERR_SHAPE, "%s: matrix %s: row_start ends with %lld, and %s is column",
                        call, stn_wrap_name(label), (long long)made->entries,
                        stn_view_text(column));
    STN_TRY(stn_wrap_values(made, call, values, column));
    const int64_t entry = stn_wrap_first_outside(&indices, columns, &number);
    if (entry < indices.count)
        return stn_wrap_refuse_column(&indices, row_of(&starts, entry), entry, number, columns);
    keep_plain(made);
    return STN_OK;
}

stn_status stn_wrap_end(stn_matrix *csr, const stn_matrix *made, stn_status status)
{
    if (status == STN_OK)
        *csr = *made;
    return status;
}

stn_status stn_wrap_begin(const char *call, stn_matrix *csr)
{
    if (!csr)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the matrix to be made is NULL", call);
    *csr = (stn_matrix){0};
    return STN_OK;
}

stn_status stn_matrix_wrap_csr(stn_matrix *csr, const char *label, int64_t columns,
                               const stn_view *row_start, const stn_view *column,
                               const stn_view *values)
{
    stn_matrix made;
    STN_TRY(stn_wrap_begin("stn_matrix_wrap_csr", csr));
    STN_RETURN_IN_MODES(
        stn_wrap_end(csr, &made, make_rows(&made, label, columns, row_start, column, values)));
}

/* ---- scales of rows ---- */

static stn_status check_scales(const stn_matrix *csr, const stn_view *scales)
{
    static const char call[] = "stn_matrix_set_row_scales";
    double numbers[STN_TILE_ELEMENTS];
    stn_reader reader;
    STN_TRY(stn_csr_expect(call, csr));
    if (!scales)
        return STN_OK;
    STN_TRY(stn_view_expect(call, scales, 1));
    STN_TRY(stn_view_expect_usable(call, NULL, scales));
    if (csr->kind == STN_MATRIX_SLICED || csr->memory.space != STN_SPACE_HOST)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is %s", call, stn_csr_name(csr),
                        csr->kind == STN_MATRIX_SLICED ? "in slices" : "in device memory");
    if (scales->extent[0] != csr->rows)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has %lld rows, and scales are %s", call,
                        stn_csr_name(csr), (long long)csr->rows, stn_view_text(scales));
    STN_TRY(stn_csr_expect_real(stn_csr_name(csr), scales->storage.format));
    STN_TRY(stn_reader_make(&reader, call, NULL, STN_F64, scales));
    for (int64_t k = 0; k < csr->rows; k += STN_TILE_ELEMENTS) {
        const int64_t left = csr->rows - k;
        const int64_t some = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
        stn_read(&reader, numbers, k * reader.steps[0], reader.steps[0], some);
        for (int64_t n = 0; n < some; n++)
            if (!(numbers[n] - numbers[n] == 0.0))
                return stn_fail(STN_ERR_RANGE, "%s: %s: the scale of row %lld is %g", call,
                                stn_csr_name(csr), (long long)(k + n), numbers[n]);
    }
    return STN_OK;
}

static stn_status set_scales(stn_matrix *csr, const stn_view *scales)
{
    STN_TRY(check_scales(csr, scales));
    csr->scales = scales ? *scales : (stn_view){0};
    return STN_OK;
}

stn_status stn_matrix_set_row_scales(stn_matrix *csr, const stn_view *scales)
{
    STN_RETURN_IN_MODES(set_scales(csr, scales));
}

/* ---- entries with their rows ---- */

static int does_ascend(const stn_indices *indices)
{
    int64_t numbers[STN_INDICES], before = 0;
    for (int64_t k = 0; k < indices->count; k += STN_INDICES) {
        const int64_t left = indices->count - k, some = left < STN_INDICES ? left : STN_INDICES;
        stn_indices_read(indices, numbers, k, 1, some);
        for (int64_t n = 0; n < some; before = numbers[n++])
            if (numbers[n] < before)
                return 0;
    }
    return 1;
}

static stn_status check_entries(const stn_indices *rows, const stn_indices *columns,
                                const stn_matrix *made)
{
    int64_t number;
    const int64_t wrong = stn_wrap_first_outside(rows, made->rows, &number);
    if (wrong < rows->count)
        return stn_fail(
            STN_ERR_RANGE, "%s: matrix %s: row index %lld at entry %lld; there are %lld rows",
            rows->call, rows->matrix, (long long)number, (long long)wrong, (long long)made->rows);
    const int64_t entry = stn_wrap_first_outside(columns, made->columns, &number);
    if (entry < columns->count)
        return stn_wrap_refuse_column(columns, stn_index_at(rows, entry), entry, number,
                                      made->columns);
    return STN_OK;
}

static stn_status make_coo(stn_matrix *made, const char *label, int64_t rows, int64_t columns,
                           const stn_view *row, const stn_view *column, const stn_view *values,
                           stn_matrix_duplicates repeated)
{
    static const char call[] = "stn_matrix_wrap_coo";
    stn_indices places, indices;
    if (repeated < STN_DUPLICATES_REFUSE || repeated > STN_DUPLICATES_KEEP)
        return stn_fail(STN_ERR_ARGUMENT, "%s: repeated entries cannot become %d", call,
                        (int)repeated);
    STN_TRY(stn_indices_make(&places, call, stn_wrap_name(label), "row", row, 1));
    STN_TRY(stn_indices_make(&indices, call, stn_wrap_name(label), "column", column, 1));
    STN_TRY(stn_wrap_expect_size(call, label, rows, columns));
    *made = (stn_matrix){.size = sizeof *made,
                         .label = label,
                         .rows = rows,
                         .columns = columns,
                         .entries = places.count,
                         .kind = STN_MATRIX_COO,
                         .places = *row,
                         .indices = *column,
                         .repeated = repeated};
    if (places.count != indices.count)
        return stn_fail(STN_ERR_SHAPE, "%s: matrix %s: as many rows as columns, not %s and %s",
                        call, stn_wrap_name(label), stn_view_text(row), stn_view_text(column));
    STN_TRY(stn_wrap_values(made, call, values, column));
    STN_TRY(check_entries(&places, &indices, made));
    made->ascends = does_ascend(&places);
    return STN_OK;
}

stn_status stn_matrix_wrap_coo(stn_matrix *coo, const char *label, int64_t rows, int64_t columns,
                               const stn_view *row, const stn_view *column, const stn_view *values,
                               stn_matrix_duplicates repeated)
{
    stn_matrix made;
    STN_TRY(stn_wrap_begin("stn_matrix_wrap_coo", coo));
    STN_RETURN_IN_MODES(stn_wrap_end(
        coo, &made, make_coo(&made, label, rows, columns, row, column, values, repeated)));
}
