/* Conversion of plain compressed rows to COO, ELL and SELL-C-sigma. */
#include "sparse/kinds/layout.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"

/* The layout of a matrix of `positions` codes and columns. Entry e of row r is at first + e * step.
 */
typedef struct layout {
    const stn_matrix *rows;
    stn_matrix_kind kind;
    int64_t code, positions, width; /* width: ELL */
    int64_t height, slices;         /* SELL */
    int64_t *start, *sorted;        /* SELL: start of each slice; position of each row */
    int64_t index;                  /* bytes of a row index */
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

static void sort_window(const layout *result, length *lengths, int64_t begin, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        lengths[k] = (length){length_of(result->rows, begin + k), begin + k};
    qsort(lengths, (size_t)count, sizeof *lengths, compare);
    for (int64_t k = 0; k < count; k++)
        result->sorted[lengths[k].row] = begin + k;
}

static stn_status sort_rows(layout *result, int64_t sigma)
{
    length *lengths = NULL;
    const int64_t rows = result->rows->rows, window = sigma < rows ? sigma : rows;
    STN_TRY(stn_allocate(&result->sorted, rows, sizeof *result->sorted, "sorted rows of a matrix"));
    STN_TRY(stn_allocate(&lengths, window, sizeof *lengths, "sorted rows of a matrix"));
    for (int64_t begin = 0; begin < rows; begin += window)
        sort_window(result, lengths, begin, rows - begin < window ? rows - begin : window);
    stn_free(lengths);
    return STN_OK;
}

/* ---- slices ---- */

static stn_status lay_out_slices(const char *call, layout *result, int64_t sigma)
{
    const int64_t rows = result->rows->rows;
    result->slices = rows / result->height + (rows % result->height != 0);
    STN_TRY(stn_allocate(&result->start, result->slices + 1, sizeof *result->start,
                         "slices of a matrix"));
    if (sigma > 1 && rows > 0)
        STN_TRY(sort_rows(result, sigma));
    memset(result->start, 0, (size_t)(result->slices + 1) * sizeof *result->start);
    for (int64_t row = 0; row < rows; row++) {
        int64_t *const width =
            &result->start[(result->sorted ? result->sorted[row] : row) / result->height];
        const int64_t count = length_of(result->rows, row);
        *width = count > *width ? count : *width;
    }
    for (int64_t slice = 0; slice <= result->slices; slice++) {
        int64_t positions;
        const int64_t begin = result->positions;
        if (__builtin_mul_overflow(result->start[slice], result->height, &positions) ||
            __builtin_add_overflow(result->positions, positions, &result->positions))
            return stn_fail(STN_ERR_RANGE, "%s: %s needs too many positions in slices of %lld rows",
                            call, stn_matrix_name(result->rows), (long long)result->height);
        result->start[slice] = begin;
    }
    return STN_OK;
}

static stn_status lay_out_ell(const char *call, layout *result)
{
    for (int64_t row = 0; row < result->rows->rows; row++) {
        const int64_t count = length_of(result->rows, row);
        result->width = count > result->width ? count : result->width;
    }
    if (__builtin_mul_overflow(result->width, result->rows->rows, &result->positions))
        return stn_fail(STN_ERR_RANGE, "%s: %s needs too many positions in rows of %lld", call,
                        stn_matrix_name(result->rows), (long long)result->width);
    return STN_OK;
}

/* Release with release_layout(). */
static stn_status lay_out(const char *call, layout *result, int64_t sigma)
{
    result->positions = 0;
    result->index = result->rows->rows > INT32_MAX ? 8 : 4;
    if (result->kind == STN_MATRIX_ELL)
        return lay_out_ell(call, result);
    if (result->kind == STN_MATRIX_SELL)
        return lay_out_slices(call, result, sigma);
    result->positions = result->rows->entries;
    return STN_OK;
}

static void release_layout(layout *result)
{
    stn_free(result->start);
    stn_free(result->sorted);
}

/* ---- bytes ---- */

static stn_status set_bytes(const char *call, const layout *result, int64_t *bytes)
{
    const int64_t rows = result->rows->rows;
    memset(bytes, 0, STN_ARRAYS * sizeof *bytes);
    if (result->kind == STN_MATRIX_CSR)
        bytes[STN_ARRAY_STARTS] = (rows + 1) * (int64_t)sizeof(int64_t);
    else if (result->kind == STN_MATRIX_SELL)
        bytes[STN_ARRAY_STARTS] = (result->slices + 1) * (int64_t)sizeof(int64_t);
    if (result->kind == STN_MATRIX_COO)
        bytes[STN_ARRAY_POSITIONS] = result->positions * result->index;
    else if (result->sorted)
        bytes[STN_ARRAY_POSITIONS] = rows * result->index;
    if (__builtin_mul_overflow(result->positions, (int64_t)sizeof(int32_t),
                               &bytes[STN_ARRAY_INDICES]) ||
        __builtin_mul_overflow(result->positions, result->code, &bytes[STN_ARRAY_VALUES]) ||
        bytes[STN_ARRAY_VALUES] > INT64_MAX / 4 || bytes[STN_ARRAY_INDICES] > INT64_MAX / 4)
        return stn_fail(STN_ERR_RANGE, "%s: %s would have %lld positions", call,
                        stn_matrix_name(result->rows), (long long)result->positions);
    return STN_OK;
}

stn_status stn_layout_measure(const char *call, const stn_matrix *rows, int64_t code,
                              stn_matrix_kind kind, int64_t height, int64_t sigma, int64_t *bytes)
{
    layout result = {.rows = rows, .kind = kind, .code = code, .height = height};
    int64_t each[STN_ARRAYS];
    stn_status status = lay_out(call, &result, sigma);
    if (status == STN_OK)
        status = set_bytes(call, &result, each);
    release_layout(&result);
    *bytes = 0;
    for (int k = 0; status == STN_OK && k < STN_ARRAYS; k++)
        *bytes += each[k];
    return status;
}

/* ---- filling ---- */

typedef struct filling {
    const layout *result;
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
    const layout *const result = job->result;
    const stn_matrix *const rows = result->rows;
    const int64_t count = length_of(rows, row);
    const int64_t p = result->sorted ? result->sorted[row] : row;
    int64_t first = rows->row_start[row], step = 1, width = count;
    if (result->kind == STN_MATRIX_ELL) {
        first = row;
        step = rows->rows;
        width = result->width;
    } else if (result->kind == STN_MATRIX_SELL) {
        const int64_t slice = p / result->height, begin = result->start[slice];
        first = begin + p % result->height;
        step = result->height;
        width = (result->start[slice + 1] - begin) / result->height;
    }
    for (int64_t e = 0; e < width; e++) {
        const int64_t position = first + e * step, at = rows->row_start[row] + e;
        job->column[position] = e < count ? rows->column[at] : -1;
        if (e < count)
            memcpy(job->values + position * result->code,
                   (const char *)rows->values + at * result->code, (size_t)result->code);
        else
            memset(job->values + position * result->code, 0, (size_t)result->code);
        if (job->rows && result->kind == STN_MATRIX_COO)
            put_number(job->rows, result->index, position, row);
    }
    if (job->rows && result->kind == STN_MATRIX_SELL)
        put_number(job->rows, result->index, row, p);
}

static void fill_share(void *context, int part, int parts)
{
    const filling *const job = context;
    int64_t begin, end;
    stn_share(job->result->rows->rows, part, parts, &begin, &end);
    for (int64_t row = begin; row < end; row++)
        fill_row(job, row);
}

/* Fills the missing rows of the last slice. */
static void fill_padding(const filling *job)
{
    const layout *const result = job->result;
    const int64_t last = result->slices - 1;
    if (result->kind != STN_MATRIX_SELL || last < 0)
        return;
    for (int64_t position = result->start[last]; position < result->positions; position++)
        if (last * result->height + (position - result->start[last]) % result->height >=
            result->rows->rows) {
            job->column[position] = -1;
            memset(job->values + position * result->code, 0, (size_t)result->code);
        }
}

/* ---- views of it ---- */

static stn_status wrap_numbers(stn_view *view, const char *name, const void *data, int64_t bytes,
                               int64_t count)
{
    return stn_view_wrap_const(view, name, stn_storage_of(bytes == 8 ? STN_I64 : STN_I32), data, 1,
                               &count);
}

static stn_status set_views(const layout *result, void *const *data, stn_matrix *csr)
{
    const int is_ell = result->kind == STN_MATRIX_ELL;
    const int64_t extents[2] = {is_ell ? result->rows->rows : result->positions, result->width};
    const int64_t strides[2] = {1, result->rows->rows};
    const int rank = is_ell ? 2 : 1;
    STN_TRY(stn_view_wrap_spec(&csr->indices,
                               &STN_VIEW_SPEC(.label = "column", .storage = stn_storage_of(STN_I32),
                                              .const_data = data[STN_ARRAY_INDICES], .rank = rank,
                                              .extents = extents, .strides = strides)));
    STN_TRY(stn_view_wrap_spec(&csr->codes,
                               &STN_VIEW_SPEC(.label = "values", .storage = csr->storage,
                                              .const_data = data[STN_ARRAY_VALUES], .rank = rank,
                                              .extents = extents, .strides = strides)));
    if (result->kind == STN_MATRIX_SELL)
        STN_TRY(wrap_numbers(&csr->starts, "slice_start", data[STN_ARRAY_STARTS], 8,
                             result->slices + 1));
    if (result->kind == STN_MATRIX_COO)
        return wrap_numbers(&csr->positions, "row", data[STN_ARRAY_POSITIONS], result->index,
                            result->positions);
    return result->sorted ? wrap_numbers(&csr->positions, "sorted", data[STN_ARRAY_POSITIONS],
                                         result->index, result->rows->rows)
                          : STN_OK;
}

static stn_status create(const stn_exec *exec, const layout *result, int64_t sigma, stn_matrix *csr)
{
    int64_t bytes[STN_ARRAYS];
    void *data[STN_ARRAYS];
    STN_TRY(set_bytes("stn_sparse_convert", result, bytes));
    STN_TRY(stn_matrix_allocate(NULL, stn_matrix_name(result->rows), bytes, &csr->memory, data));
    filling job = {result, data[STN_ARRAY_INDICES], data[STN_ARRAY_VALUES],
                   bytes[STN_ARRAY_POSITIONS] ? data[STN_ARRAY_POSITIONS] : NULL};
    if (result->kind == STN_MATRIX_SELL) {
        memcpy(data[STN_ARRAY_STARTS], result->start, (size_t)bytes[STN_ARRAY_STARTS]);
        csr->height = result->height;
        csr->sigma = sigma;
    }
    stn_exec_run_sized(exec, 16.0 * (double)result->positions, fill_share, &job);
    fill_padding(&job);
    return set_views(result, data, csr);
}

stn_status stn_layout_create(const stn_exec *exec, const stn_matrix *rows, stn_matrix_kind kind,
                             int64_t height, int64_t sigma, stn_matrix *csr)
{
    layout result = {.rows = rows,
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
    csr->duplicates = kind == STN_MATRIX_COO ? STN_DUPLICATES_KEEP : STN_DUPLICATES_REFUSE;
    csr->ascends = kind == STN_MATRIX_COO;
    stn_status status = lay_out("stn_sparse_convert", &result, sigma);
    if (status == STN_OK)
        status = create(exec, &result, sigma, csr);
    release_layout(&result);
    if (status != STN_OK)
        (void)stn_view_release(&csr->memory);
    return status;
}
