/* Sparse matrices described by views; every index is checked. */
#include "core/grow.h"
#include "core/modes.h"
#include "core/status.h"
#include "format/registry.h"
#include "sparse/kinds/wrap.h"

/* ---- indices ---- */

stn_status stn_wrap_expect_size(const char *call, const char *label, int64_t rows, int64_t columns)
{
    if (rows >= 0 && columns >= 0 && columns <= INT32_MAX)
        return STN_OK;
    return stn_fail(STN_ERR_SHAPE, "%s: matrix %s: %s is %lld; it must %s", call,
                    stn_wrap_name(label), rows < 0 ? "rows" : "columns",
                    (long long)(rows < 0 ? rows : columns),
                    rows < 0 || columns < 0 ? "not be negative" : "be at most 2147483647");
}

stn_status stn_wrap_expect_rows(const char *call, const stn_matrix *result, int64_t rows)
{
    if (rows == 0 || rows == result->rows)
        return STN_OK;
    return stn_fail(STN_ERR_SHAPE, "%s: matrix %s: rows is %lld, but the arrays have %lld rows",
                    call, stn_wrap_name(result->label), (long long)rows, (long long)result->rows);
}

/* The array must ascend from 0; *last is its last element. */
stn_status stn_wrap_expect_ascending(const stn_indices *starts, const char *of_what, int64_t *last)
{
    int64_t numbers[STN_INDICES], before = 0;
    for (int64_t k = 0; k < starts->count; k += STN_INDICES) {
        const int64_t left = starts->count - k, chunk = left < STN_INDICES ? left : STN_INDICES;
        stn_indices_read(starts, numbers, k, 1, chunk);
        if (k == 0 && numbers[0] != 0)
            return stn_fail(STN_ERR_RANGE, "%s: matrix %s: %s begins with %lld, not 0",
                            starts->call, starts->matrix, starts->what, (long long)numbers[0]);
        for (int64_t n = 0; n < chunk; before = numbers[n++])
            if (numbers[n] < before)
                return stn_fail(STN_ERR_RANGE, "%s: matrix %s: %s descends after %s %lld, to %lld",
                                starts->call, starts->matrix, starts->what, of_what,
                                (long long)(k + n - 1), (long long)numbers[n]);
    }
    *last = before;
    return STN_OK;
}

/* The position of the first of `count` numbers that is not in 0 to limit - 1; `count` if there is
 * none. */
int64_t stn_wrap_first_outside(const stn_indices *indices, int64_t limit, int64_t *number)
{
    int64_t numbers[STN_INDICES];
    for (int64_t k = 0; k < indices->count; k += STN_INDICES) {
        const int64_t left = indices->count - k, chunk = left < STN_INDICES ? left : STN_INDICES;
        stn_indices_read(indices, numbers, k, 1, chunk);
        for (int64_t n = 0; n < chunk; n++)
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

/* A pattern is a repeated 1. */
stn_status stn_wrap_values(stn_matrix *result, const char *call, const stn_view *values)
{
    static const int64_t still[STN_MAX_RANK];
    const stn_view *const columns = &result->indices;
    if (stn_view_is_empty(values)) {
        result->storage = stn_storage_of(STN_U8);
        result->read_only = 1;
        return stn_view_wrap_spec(&result->codes,
                                  &STN_VIEW_SPEC(.label = "ones", .storage = result->storage,
                                                 .const_data = &one, .rank = columns->rank,
                                                 .extents = columns->extent, .strides = still));
    }
    STN_TRY(stn_view_expect(call, values, columns->rank));
    STN_TRY(stn_view_expect_usable(call, NULL, values));
    const int is_block = stn_format_block(values->storage.format) != NULL;
    if (!is_block)
        STN_TRY(stn_matrix_expect_format(stn_wrap_name(result->label), values->storage.format));
    for (int d = 0; d < columns->rank; d++)
        if (values->extent[d] != columns->extent[d])
            return stn_fail(
                STN_ERR_SHAPE, "%s: matrix %s: values %s and column %s have different extents",
                call, stn_wrap_name(result->label), stn_view_text(values), stn_view_text(columns));
    if (stn_view_mapping(values) &&
        stn_format_entry_of(values->storage.format)->info.kind == STN_CLASS_COMPLEX)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: matrix %s: complex values %s have no strides",
                        call, stn_wrap_name(result->label), stn_view_text(values));
    result->storage = values->storage;
    if (is_block)
        result->storage.format = STN_F64; /* as they are decoded */
    result->codes = *values;
    result->read_only = stn_view_is_read_only(values);
    return STN_OK;
}

/* Contiguous arrays are stored as addresses. */
static int is_plain(const stn_view *view, stn_format format)
{
    return view->rank == 1 && !stn_view_mapping(view) && !stn_view_has_scales(view) &&
           view->storage.format == format && (view->stride[0] == 1 || view->extent[0] <= 1);
}

static void keep_plain(stn_matrix *result)
{
    static const stn_view nothing;
    if (is_plain(&result->starts, STN_I64)) {
        result->row_start = result->starts.data;
        result->starts = nothing;
    }
    if (is_plain(&result->indices, STN_I32)) {
        result->column = result->indices.data;
        result->indices = nothing;
    }
    if (is_plain(&result->codes, result->storage.format) && result->codes.data != &one) {
        result->values = result->codes.data;
        result->codes = nothing;
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

static stn_status wrap_rows(stn_matrix *result, const char *call, const stn_matrix_views *views)
{
    const char *const name = stn_wrap_name(views->label);
    stn_indices starts, indices;
    int64_t number;
    STN_TRY(stn_indices_init(&starts, call, name, "row_start", &views->row_start, 1));
    STN_TRY(stn_indices_init(&indices, call, name, "column", &views->column, 1));
    result->rows = starts.count - 1;
    result->starts = views->row_start;
    STN_TRY(stn_wrap_expect_size(call, views->label, result->rows, result->columns));
    STN_TRY(stn_wrap_expect_rows(call, result, views->rows));
    STN_TRY(stn_wrap_expect_ascending(&starts, "row", &result->entries));
    if (result->entries != indices.count)
        return stn_fail(STN_ERR_SHAPE, "%s: matrix %s: row_start ends with %lld, and %s is column",
                        call, name, (long long)result->entries, stn_view_text(&views->column));
    STN_TRY(stn_wrap_values(result, call, &views->values));
    const int64_t entry = stn_wrap_first_outside(&indices, result->columns, &number);
    if (entry < indices.count)
        return stn_wrap_refuse_column(&indices, row_of(&starts, entry), entry, number,
                                      result->columns);
    keep_plain(result);
    return STN_OK;
}

/* ---- scales of rows ---- */

static stn_status check_scales(const char *call, const stn_matrix *matrix, const stn_view *scales)
{
    double numbers[STN_TILE_ELEMENTS];
    stn_reader reader;
    STN_TRY(stn_matrix_expect(call, matrix));
    if (!scales)
        return STN_OK;
    STN_TRY(stn_view_expect(call, scales, 1));
    STN_TRY(stn_view_expect_usable(call, NULL, scales));
    if (stn_matrix_has_slices(matrix) || matrix->memory.space != STN_SPACE_HOST)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is %s", call, stn_matrix_name(matrix),
                        stn_matrix_has_slices(matrix) ? "in slices" : "in device memory");
    if (scales->extent[0] != matrix->rows)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has %lld rows, and scales are %s", call,
                        stn_matrix_name(matrix), (long long)matrix->rows, stn_view_text(scales));
    STN_TRY(stn_matrix_expect_real(stn_matrix_name(matrix), scales->storage.format));
    STN_TRY(stn_reader_init(&reader, call, NULL, STN_F64, scales));
    for (int64_t k = 0; k < matrix->rows; k += STN_TILE_ELEMENTS) {
        const int64_t left = matrix->rows - k;
        const int64_t chunk = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
        stn_read(&reader, numbers, k * reader.steps[0], reader.steps[0], chunk);
        for (int64_t n = 0; n < chunk; n++)
            if (!(numbers[n] - numbers[n] == 0.0))
                return stn_fail(STN_ERR_RANGE, "%s: %s: the scale of row %lld is %g", call,
                                stn_matrix_name(matrix), (long long)(k + n), numbers[n]);
    }
    return STN_OK;
}

static stn_status set_scales(const char *call, stn_matrix *matrix, const stn_view *scales)
{
    STN_TRY(check_scales(call, matrix, scales));
    stn_matrix_discard_copies(matrix);
    matrix->scales = scales ? *scales : (stn_view){0};
    return STN_OK;
}

stn_status stn_matrix_set_row_scales(stn_matrix *a, const stn_view *scales)
{
    STN_RETURN_IN_MODES(set_scales("stn_matrix_set_row_scales", a, scales));
}

/* ---- entries with their rows ---- */

static int does_ascend(const stn_indices *indices)
{
    int64_t numbers[STN_INDICES], before = 0;
    for (int64_t k = 0; k < indices->count; k += STN_INDICES) {
        const int64_t left = indices->count - k, chunk = left < STN_INDICES ? left : STN_INDICES;
        stn_indices_read(indices, numbers, k, 1, chunk);
        for (int64_t n = 0; n < chunk; before = numbers[n++])
            if (numbers[n] < before)
                return 0;
    }
    return 1;
}

static stn_status check_entries(const stn_indices *rows, const stn_indices *columns,
                                const stn_matrix *result)
{
    int64_t number;
    const int64_t wrong = stn_wrap_first_outside(rows, result->rows, &number);
    if (wrong < rows->count)
        return stn_fail(
            STN_ERR_RANGE, "%s: matrix %s: row index %lld at entry %lld; there are %lld rows",
            rows->call, rows->matrix, (long long)number, (long long)wrong, (long long)result->rows);
    const int64_t entry = stn_wrap_first_outside(columns, result->columns, &number);
    if (entry < columns->count)
        return stn_wrap_refuse_column(columns, stn_index_at(rows, entry), entry, number,
                                      result->columns);
    return STN_OK;
}

static stn_status wrap_entries(stn_matrix *result, const char *call, const stn_matrix_views *views)
{
    const char *const name = stn_wrap_name(views->label);
    stn_indices positions, indices;
    if (result->duplicates < STN_DUPLICATES_REFUSE || result->duplicates > STN_DUPLICATES_KEEP)
        return stn_fail(STN_ERR_ARGUMENT, "%s: matrix %s: invalid value %d of duplicates", call,
                        name, (int)result->duplicates);
    STN_TRY(stn_indices_init(&positions, call, name, "row", &views->row, 1));
    STN_TRY(stn_indices_init(&indices, call, name, "column", &views->column, 1));
    result->entries = positions.count;
    result->positions = views->row;
    if (positions.count != indices.count)
        return stn_fail(STN_ERR_SHAPE, "%s: matrix %s: row %s and column %s have different extents",
                        call, name, stn_view_text(&views->row), stn_view_text(&views->column));
    STN_TRY(stn_wrap_values(result, call, &views->values));
    STN_TRY(check_entries(&positions, &indices, result));
    result->ascends = does_ascend(&positions);
    return STN_OK;
}

/* ---- calls ---- */

static stn_status wrap(stn_matrix *result, const char *call, const stn_matrix_views *views)
{
    *result = (stn_matrix){.size = sizeof *result,
                           .label = views->label,
                           .rows = views->rows,
                           .columns = views->columns,
                           .kind = views->kind == STN_MATRIX_AUTO ? STN_MATRIX_CSR : views->kind,
                           .height = views->height,
                           .duplicates = views->duplicates,
                           .indices = views->column};
    STN_TRY(stn_wrap_expect_size(call, views->label, views->rows, views->columns));
    switch (result->kind) {
    case STN_MATRIX_CSR:
        return wrap_rows(result, call, views);
    case STN_MATRIX_COO:
        return wrap_entries(result, call, views);
    case STN_MATRIX_ELL:
        return stn_wrap_ell(result, call, views);
    case STN_MATRIX_SELL:
        return stn_wrap_sell(result, call, views);
    default:
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: matrix %s: kind is %d; it must be STN_MATRIX_CSR, STN_MATRIX_COO, "
                        "STN_MATRIX_ELL or STN_MATRIX_SELL",
                        call, stn_wrap_name(views->label), (int)views->kind);
    }
}

static stn_status wrap_views(stn_matrix *result, const char *call, const stn_matrix_views *views)
{
    stn_matrix_views full;
    const stn_status status = STN_STRUCT_READ(&full, views, stn_matrix_views, duplicates, "views");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    STN_TRY(wrap(result, call, &full));
    return stn_view_is_empty(&full.row_scales) ? STN_OK
                                               : set_scales(call, result, &full.row_scales);
}

stn_status stn_matrix_wrap_views(stn_matrix **result, const stn_matrix_views *views)
{
    static const char call[] = "stn_matrix_wrap_views";
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, result, matrix, wrap_views(matrix, call, views)));
}

static stn_status add_context(const char *call, const stn_csr_arrays *arrays, stn_status status)
{
    return status == STN_OK
               ? STN_OK
               : stn_error_prefix(status, "%s: matrix %s", call, stn_wrap_name(arrays->label));
}

/* An index array; its format must be one of the two that the descriptor allows. */
static stn_status view_indices(stn_view *view, const char *call, const stn_csr_arrays *arrays,
                               const char *what, stn_format format, const void *data, int64_t count)
{
    if (format != STN_I32 && format != STN_I64)
        return stn_fail(STN_ERR_FORMAT, "%s: matrix %s: %s_format is %s; it must be i32 or i64",
                        call, stn_wrap_name(arrays->label), what, stn_format_text(format));
    if (!data && count > 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: matrix %s: %s is NULL", call,
                        stn_wrap_name(arrays->label), what);
    return add_context(call, arrays,
                       stn_view_wrap_const(view, what, stn_storage_of(format), data, 1, &count));
}

/* The last row start is negative, so at least one of them is less than its predecessor. */
static stn_status refuse_starts(const char *call, const stn_csr_arrays *arrays,
                                const stn_view *row_start)
{
    stn_indices starts;
    int64_t last;
    STN_TRY(
        stn_indices_init(&starts, call, stn_wrap_name(arrays->label), "row_start", row_start, 1));
    return stn_wrap_expect_ascending(&starts, "row", &last);
}

static stn_status view_arrays(stn_matrix_views *views, const char *call,
                              const stn_csr_arrays *arrays)
{
    STN_TRY(stn_wrap_expect_size(call, arrays->label, arrays->rows, arrays->columns));
    const int64_t starts = arrays->rows < INT64_MAX ? arrays->rows + 1 : arrays->rows;
    STN_TRY(view_indices(&views->row_start, call, arrays, "row_start", arrays->row_start_format,
                         arrays->row_start, starts));
    const int64_t entries = arrays->row_start_format == STN_I64
                                ? ((const int64_t *)arrays->row_start)[arrays->rows]
                                : ((const int32_t *)arrays->row_start)[arrays->rows];
    if (entries < 0)
        return refuse_starts(call, arrays, &views->row_start);
    STN_TRY(view_indices(&views->column, call, arrays, "column", arrays->column_format,
                         arrays->column, entries));
    if (!arrays->values && entries > 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: matrix %s: values is NULL", call,
                        stn_wrap_name(arrays->label));
    return add_context(call, arrays,
                       stn_view_wrap_const(&views->values, "values", arrays->storage,
                                           arrays->values, 1, &entries));
}

static int is_all_zeros(const stn_storage *storage)
{
    return storage->format == 0 && storage->rounding == 0 && storage->overflow == 0 &&
           storage->scale == 0 && storage->zero == 0 && storage->seed == 0 && !storage->counters;
}

static stn_status wrap_arrays(stn_matrix *result, const char *call, const stn_csr_arrays *arrays)
{
    stn_csr_arrays full;
    const stn_status status = STN_STRUCT_READ(&full, arrays, stn_csr_arrays, storage, "arrays");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    if (is_all_zeros(&full.storage))
        full.storage = stn_storage_of(STN_F64);
    stn_matrix_views views =
        STN_INIT(stn_matrix_views, .label = full.label, .rows = full.rows, .columns = full.columns);
    STN_TRY(view_arrays(&views, call, &full));
    return wrap(result, call, &views);
}

static stn_status wrap_csr(const char *call, stn_matrix **result, const stn_csr_arrays *arrays)
{
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, result, matrix, wrap_arrays(matrix, call, arrays)));
}

stn_status stn_matrix_wrap_csr(stn_matrix **result, const stn_csr_arrays *arrays)
{
    return wrap_csr("stn_matrix_wrap_csr", result, arrays);
}

stn_status stn_matrix_wrap_csr_i32(stn_matrix **result, int64_t rows, int64_t columns,
                                   const int32_t *row_start, const int32_t *column,
                                   stn_storage storage, const void *values)
{
    const stn_csr_arrays arrays = {.size = sizeof arrays,
                                   .rows = rows,
                                   .columns = columns,
                                   .row_start = row_start,
                                   .row_start_format = STN_I32,
                                   .column = column,
                                   .column_format = STN_I32,
                                   .values = values,
                                   .storage = storage};
    return wrap_csr("stn_matrix_wrap_csr_i32", result, &arrays);
}
