/* Conversion of plain compressed rows to COO, ELL and SELL-C-sigma. */
#include "sparse/layout.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"

/* The layout of a matrix of `places` codes and columns. Entry e of row r is at first + e * step. */
typedef struct layout {
    const stn_matrix *rows;
    stn_matrix_kind kind;
    int64_t code, places, width; /* width: ELL */
    int64_t height, slices;      /* SELL */
    int64_t *start, *sorted;     /* SELL: start of each slice; position of each row */
    int64_t index;               /* bytes of a row index */
} layout;

static int64_t length_of(const stn_matrix *rows, int64_t row)
{
    return rows->row_start[row + 1] - rows->row_start[row];
}

/* ---- rows by their lengths ---- */

typedef struct length {
    int64_t count, row;
} length;

/* Sorts by descending length; rows of equal length keep their order. */
static int compare(const void *left, const void *right)
{
    const length *const a = left, *const b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static void sort_window(const layout *made, length *lengths, int64_t begin, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        lengths[k] = (length){length_of(made->rows, begin + k), begin + k};
    qsort(lengths, (size_t)count, sizeof *lengths, compare);
    for (int64_t k = 0; k < count; k++)
        made->sorted[lengths[k].row] = begin + k;
}

static stn_status sort_rows(layout *made, int64_t sigma)
{
    length *lengths = NULL;
    const int64_t rows = made->rows->rows, window = sigma < rows ? sigma : rows;
    STN_TRY(stn_allocate(&made->sorted, rows, sizeof *made->sorted, "sorted rows of a matrix"));
    STN_TRY(stn_allocate(&lengths, window, sizeof *lengths, "sorted rows of a matrix"));
    for (int64_t begin = 0; begin < rows; begin += window)
        sort_window(made, lengths, begin, rows - begin < window ? rows - begin : window);
    stn_free(lengths);
    return STN_OK;
}

/* ---- slices ---- */

static stn_status lay_slices(const char *call, layout *made, int64_t sigma)
{
    const int64_t rows = made->rows->rows;
    made->slices = rows / made->height + (rows % made->height != 0);
    STN_TRY(
        stn_allocate(&made->start, made->slices + 1, sizeof *made->start, "slices of a matrix"));
    if (sigma > 1 && rows > 0)
        STN_TRY(sort_rows(made, sigma));
    memset(made->start, 0, (size_t)(made->slices + 1) * sizeof *made->start);
    for (int64_t row = 0; row < rows; row++) {
        int64_t *const width =
            &made->start[(made->sorted ? made->sorted[row] : row) / made->height];
        const int64_t count = length_of(made->rows, row);
        *width = count > *width ? count : *width;
    }
    for (int64_t slice = 0; slice <= made->slices; slice++) {
        int64_t places;
        const int64_t begin = made->places;
        if (__builtin_mul_overflow(made->start[slice], made->height, &places) ||
            __builtin_add_overflow(made->places, places, &made->places))
            return stn_fail(STN_ERR_RANGE, "%s: %s needs too many positions in slices of %lld rows",
                            call, stn_matrix_name(made->rows), (long long)made->height);
        made->start[slice] = begin;
    }
    return STN_OK;
}

static stn_status lay_ell(const char *call, layout *made)
{
    for (int64_t row = 0; row < made->rows->rows; row++) {
        const int64_t count = length_of(made->rows, row);
        made->width = count > made->width ? count : made->width;
    }
    if (__builtin_mul_overflow(made->width, made->rows->rows, &made->places))
        return stn_fail(STN_ERR_RANGE, "%s: %s needs too many positions in rows of %lld", call,
                        stn_matrix_name(made->rows), (long long)made->width);
    return STN_OK;
}

/* Release with drop(). */
static stn_status lay(const char *call, layout *made, int64_t sigma)
{
    made->places = 0;
    made->index = made->rows->rows > INT32_MAX ? 8 : 4;
    if (made->kind == STN_MATRIX_ELL)
        return lay_ell(call, made);
    if (made->kind == STN_MATRIX_SELL)
        return lay_slices(call, made, sigma);
    made->places = made->rows->entries;
    return STN_OK;
}

static void drop(layout *made)
{
    stn_free(made->start);
    stn_free(made->sorted);
}

/* ---- bytes ---- */

static stn_status set_bytes(const char *call, const layout *made, int64_t *bytes)
{
    const int64_t rows = made->rows->rows;
    memset(bytes, 0, STN_ARRAYS * sizeof *bytes);
    if (made->kind == STN_MATRIX_CSR)
        bytes[STN_ARRAY_STARTS] = (rows + 1) * (int64_t)sizeof(int64_t);
    else if (made->kind == STN_MATRIX_SELL)
        bytes[STN_ARRAY_STARTS] = (made->slices + 1) * (int64_t)sizeof(int64_t);
    if (made->kind == STN_MATRIX_COO)
        bytes[STN_ARRAY_PLACES] = made->places * made->index;
    else if (made->sorted)
        bytes[STN_ARRAY_PLACES] = rows * made->index;
    if (__builtin_mul_overflow(made->places, (int64_t)sizeof(int32_t), &bytes[STN_ARRAY_INDICES]) ||
        __builtin_mul_overflow(made->places, made->code, &bytes[STN_ARRAY_VALUES]) ||
        bytes[STN_ARRAY_VALUES] > INT64_MAX / 4 || bytes[STN_ARRAY_INDICES] > INT64_MAX / 4)
        return stn_fail(STN_ERR_RANGE, "%s: %s would have %lld positions", call,
                        stn_matrix_name(made->rows), (long long)made->places);
    return STN_OK;
}

stn_status stn_layout_measure(const char *call, const stn_matrix *rows, int64_t code,
                              stn_matrix_kind kind, int64_t height, int64_t sigma, int64_t *bytes)
{
    layout made = {.rows = rows, .kind = kind, .code = code, .height = height};
    int64_t each[STN_ARRAYS];
    stn_status status = lay(call, &made, sigma);
    if (status == STN_OK)
        status = set_bytes(call, &made, each);
    drop(&made);
    *bytes = 0;
    for (int k = 0; status == STN_OK && k < STN_ARRAYS; k++)
        *bytes += each[k];
    return status;
}

/* ---- filling ---- */

typedef struct filling {
    const layout *made;
    int32_t *column;
    char *values, *rows; /* rows: row indices */
} filling;

static void put_number(char *numbers, int64_t bytes, int64_t k, int64_t number)
{
    if (bytes == 8)
        ((int64_t *)(void *)numbers)[k] = number;
    else
        ((int32_t *)(void *)numbers)[k] = (int32_t)number;
}

static void fill_row(const filling *job, int64_t row)
{
    const layout *const made = job->made;
    const stn_matrix *const rows = made->rows;
    const int64_t count = length_of(rows, row);
    const int64_t p = made->sorted ? made->sorted[row] : row;
    int64_t first = rows->row_start[row], step = 1, width = count;
    if (made->kind == STN_MATRIX_ELL) {
        first = row;
        step = rows->rows;
        width = made->width;
    } else if (made->kind == STN_MATRIX_SELL) {
        const int64_t slice = p / made->height, begin = made->start[slice];
        first = begin + p % made->height;
        step = made->height;
        width = (made->start[slice + 1] - begin) / made->height;
    }
    for (int64_t e = 0; e < width; e++) {
        const int64_t place = first + e * step, at = rows->row_start[row] + e;
        job->column[place] = e < count ? rows->column[at] : -1;
        if (e < count)
            memcpy(job->values + place * made->code, (const char *)rows->values + at * made->code,
                   (size_t)made->code);
        else
            memset(job->values + place * made->code, 0, (size_t)made->code);
        if (job->rows && made->kind == STN_MATRIX_COO)
            put_number(job->rows, made->index, place, row);
    }
    if (job->rows && made->kind == STN_MATRIX_SELL)
        put_number(job->rows, made->index, row, p);
}

static void fill_share(void *context, int part, int parts)
{
    const filling *const job = context;
    int64_t begin, end;
    stn_share(job->made->rows->rows, part, parts, &begin, &end);
    for (int64_t row = begin; row < end; row++)
        fill_row(job, row);
}

/* Fills the missing rows of the last slice. */
static void fill_behind(const filling *job)
{
    const layout *const made = job->made;
    const int64_t last = made->slices - 1;
    if (made->kind != STN_MATRIX_SELL || last < 0)
        return;
    for (int64_t place = made->start[last]; place < made->places; place++)
        if (last * made->height + (place - made->start[last]) % made->height >= made->rows->rows) {
            job->column[place] = -1;
            memset(job->values + place * made->code, 0, (size_t)made->code);
        }
}

/* ---- views of it ---- */

static stn_status wrap_numbers(stn_view *view, const char *name, const void *data, int64_t bytes,
                               int64_t count)
{
    return stn_view_wrap_const(view, name, stn_storage_of(bytes == 8 ? STN_I64 : STN_I32), data, 1,
                               &count);
}

static stn_status set_views(const layout *made, void *const *data, stn_matrix *csr)
{
    const int is_ell = made->kind == STN_MATRIX_ELL;
    const int64_t extents[2] = {is_ell ? made->rows->rows : made->places, made->width};
    const int64_t strides[2] = {1, made->rows->rows};
    const int rank = is_ell ? 2 : 1;
    STN_TRY(stn_view_wrap_spec(&csr->indices,
                               &STN_VIEW_SPEC(.label = "column", .storage = stn_storage_of(STN_I32),
                                              .const_data = data[STN_ARRAY_INDICES], .rank = rank,
                                              .extents = extents, .strides = strides)));
    STN_TRY(stn_view_wrap_spec(&csr->codes,
                               &STN_VIEW_SPEC(.label = "values", .storage = csr->storage,
                                              .const_data = data[STN_ARRAY_VALUES], .rank = rank,
                                              .extents = extents, .strides = strides)));
    if (made->kind == STN_MATRIX_SELL)
        STN_TRY(
            wrap_numbers(&csr->starts, "slice_start", data[STN_ARRAY_STARTS], 8, made->slices + 1));
    if (made->kind == STN_MATRIX_COO)
        return wrap_numbers(&csr->places, "row", data[STN_ARRAY_PLACES], made->index, made->places);
    return made->sorted ? wrap_numbers(&csr->places, "sorted", data[STN_ARRAY_PLACES], made->index,
                                       made->rows->rows)
                        : STN_OK;
}

static stn_status make(const stn_exec *exec, const layout *made, int64_t sigma, stn_matrix *csr)
{
    int64_t bytes[STN_ARRAYS];
    void *data[STN_ARRAYS];
    STN_TRY(set_bytes("stn_sparse_convert", made, bytes));
    STN_TRY(stn_matrix_allocate(NULL, stn_matrix_name(made->rows), bytes, &csr->memory, data));
    filling job = {made, data[STN_ARRAY_INDICES], data[STN_ARRAY_VALUES],
                   bytes[STN_ARRAY_PLACES] ? data[STN_ARRAY_PLACES] : NULL};
    if (made->kind == STN_MATRIX_SELL) {
        memcpy(data[STN_ARRAY_STARTS], made->start, (size_t)bytes[STN_ARRAY_STARTS]);
        csr->height = made->height;
        csr->sigma = sigma;
    }
    stn_exec_run_sized(exec, 16.0 * (double)made->places, fill_share, &job);
    fill_behind(&job);
    return set_views(made, data, csr);
}

stn_status stn_layout_make(const stn_exec *exec, const stn_matrix *rows, stn_matrix_kind kind,
                           int64_t height, int64_t sigma, stn_matrix *csr)
{
    layout made = {.rows = rows,
                   .kind = kind,
                   .code = stn_format_entry_of(rows->storage.format)->info.bytes,
                   .height = height};
    *csr = *rows;
    csr->memory = (stn_view){0};
    csr->read_only = 0;
    csr->kind = kind;
    csr->row_start = NULL;
    csr->column = NULL;
    csr->values = NULL;
    csr->repeated = kind == STN_MATRIX_COO ? STN_DUPLICATES_KEEP : STN_DUPLICATES_REFUSE;
    csr->ascends = kind == STN_MATRIX_COO;
    stn_status status = lay("stn_sparse_convert", &made, sigma);
    if (status == STN_OK)
        status = make(exec, &made, sigma, csr);
    drop(&made);
    if (status != STN_OK)
        (void)stn_view_release(&csr->memory);
    return status;
}
