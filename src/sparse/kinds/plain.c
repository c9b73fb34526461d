/* Conversion of any matrix on the host to plain compressed rows. */
#include "sparse/kinds/plain.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "format/registry.h"
#include "sparse/kinds/indices.h"
#include "sparse/kinds/duplicates.h"
#include "sparse/kinds/packed.h"
#include "sparse/kinds/slice.h"

/* The arrays of the source: entry e of a row is at first + e * step. */
typedef struct extraction {
    const stn_matrix *from;
    int64_t *starts, *positions, *indices; /* contiguous 64-bit numbers, or NULL */
    const char *codes;                     /* contiguous; each has `code` bytes */
    int64_t code;
    stn_view copied; /* owner of the codes, unless they are those of the matrix */
    int64_t *order;  /* COO: entries sorted by rows */
    int64_t *start;
    int32_t *column; /* arrays of the result */
    char *values;
} extraction;

/* ---- arrays as they are needed ---- */

/* Copies the indices of a view of rank 1 or 2, row by row. */
static stn_status read_indices(const char *call, const stn_matrix *from, const stn_view *view,
                               int64_t *numbers)
{
    stn_indices indices;
    STN_TRY(stn_indices_init(&indices, call, stn_matrix_name(from), "indices", view, view->rank));
    const int64_t lines = view->rank == 2 ? view->extent[0] : 1;
    const int64_t count = view->extent[view->rank - 1], step = indices.reader.steps[view->rank - 1];
    for (int64_t line = 0; line < lines; line++)
        stn_read(&indices.reader, numbers + line * count, line * indices.reader.steps[0], step,
                 count);
    return STN_OK;
}

static stn_status copy_indices(const char *call, const stn_matrix *from, const stn_view *view,
                               int64_t **numbers)
{
    if (stn_view_is_empty(view))
        return STN_OK;
    STN_TRY(stn_allocate(numbers, stn_view_count(view), sizeof **numbers, "indices of a matrix"));
    return read_indices(call, from, view, *numbers);
}

static int is_run(const stn_view *view)
{
    int64_t next = 1;
    for (int d = view->rank - 1; d >= 0; d--) {
        if (view->extent[d] > 1 && view->stride[d] != next)
            return 0;
        next *= view->extent[d];
    }
    return !stn_view_mapping(view) && !stn_view_has_scales(view);
}

/* Copies the codes row by row; they have one scale. */
static stn_status copy_codes(const stn_exec *exec, extraction *job, const stn_view *view,
                             stn_storage *storage)
{
    job->codes = view->data;
    if (is_run(view))
        return STN_OK;
    if (stn_view_has_scales(view))
        *storage = stn_storage_of(stn_matrix_is_complex(job->from) ? STN_C128 : STN_F64);
    storage->counters = NULL;
    STN_TRY(stn_view_create_spec(NULL, &job->copied,
                                 &STN_VIEW_SPEC(.label = "values of a matrix", .storage = *storage,
                                                .rank = view->rank, .extents = view->extent,
                                                .flags = STN_CREATE_UNINITIALIZED)));
    job->codes = job->copied.data;
    return stn_view_copy(exec, &job->copied, view);
}

/* ---- where entries are ---- */

typedef struct span {
    int64_t first, step, count;
} span;

static int64_t count_present(const extraction *job, span most)
{
    int64_t count = 0;
    while (count < most.count && job->indices[most.first + count * most.step] >= 0)
        count++;
    return count;
}

static span span_of(const extraction *job, int64_t row)
{
    const stn_matrix *const from = job->from;
    span found = {0, 1, 0};
    if (from->kind == STN_MATRIX_ELL) {
        found.count = from->indices.extent[1];
        found.first = row * found.count;
    } else if (from->kind == STN_MATRIX_SELL) {
        const int64_t p = job->positions ? job->positions[row] : row, slice = p / from->height;
        found.first = job->starts[slice] + p % from->height;
        found.step = from->height;
        found.count = (job->starts[slice + 1] - job->starts[slice]) / from->height;
    } else {
        const int64_t *const start = job->starts ? job->starts : from->row_start;
        return (span){start[row], 1, start[row + 1] - start[row]};
    }
    found.count = count_present(job, found);
    return found;
}

/* Sorts entries by rows; entries of one row keep their order. */
static stn_status sort_entries(extraction *job)
{
    const stn_matrix *const from = job->from;
    STN_TRY(stn_allocate(&job->order, from->entries, sizeof *job->order, "entries of a matrix"));
    memset(job->start, 0, (size_t)(from->rows + 1) * sizeof *job->start);
    for (int64_t k = 0; k < from->entries; k++)
        job->start[job->positions[k] + 1]++;
    for (int64_t row = 0; row < from->rows; row++)
        job->start[row + 1] += job->start[row];
    for (int64_t k = 0; k < from->entries; k++)
        job->order[job->start[job->positions[k]]++] = k;
    memmove(job->start + 1, job->start, (size_t)from->rows * sizeof *job->start);
    job->start[0] = 0;
    return STN_OK;
}

static stn_status find_rows(extraction *job)
{
    const stn_matrix *const from = job->from;
    if (from->kind == STN_MATRIX_COO)
        return sort_entries(job);
    job->start[0] = 0;
    for (int64_t row = 0; row < from->rows; row++) {
        const int64_t count = stn_matrix_has_slices(from) ? stn_slice_row_of(from, row).count
                                                          : span_of(job, row).count;
        job->start[row + 1] = job->start[row] + count;
    }
    return STN_OK;
}

/* ---- moving entries ---- */

static void put_entry(const extraction *job, int64_t at, int64_t column, int64_t position)
{
    job->column[at] = (int32_t)column;
    if (!job->values)
        return;
    if (job->from->kind == STN_MATRIX_PACKED)
        position = stn_packed_index(job->from, position);
    memcpy(job->values + at * job->code, job->codes + position * job->code, (size_t)job->code);
}

static void move_row(const extraction *job, int64_t row)
{
    const stn_matrix *const from = job->from;
    const int64_t begin = job->start[row];
    if (stn_matrix_has_slices(from)) {
        const stn_slice_row line = stn_slice_row_of(from, row);
        for (int64_t e = 0; e < line.count; e++)
            put_entry(job, begin + e, stn_slice_column(&line, e), line.first + e * line.step);
        return;
    }
    const int is_sorted = from->kind == STN_MATRIX_COO;
    const span entries_of_row =
        is_sorted ? (span){0, 1, job->start[row + 1] - begin} : span_of(job, row);
    for (int64_t e = 0; e < entries_of_row.count; e++) {
        const int64_t position =
            is_sorted ? job->order[begin + e] : entries_of_row.first + e * entries_of_row.step;
        put_entry(job, begin + e, job->indices ? job->indices[position] : from->column[position],
                  position);
    }
}

static void move_share(void *context, int part, int parts)
{
    const extraction *const job = context;
    int64_t begin, end;
    stn_share(job->from->rows, part, parts, &begin, &end);
    for (int64_t row = begin; row < end; row++)
        move_row(job, row);
}

/* ---- all of it ---- */

static int64_t code_bytes(stn_format format)
{
    return stn_format_entry_of(format)->info.bytes;
}

/* A COO matrix may have more rows than there is memory for row starts. */
static stn_status expect_starts(const stn_matrix *csr)
{
    if (csr->rows < PTRDIFF_MAX / (2 * (int64_t)sizeof *csr->row_start))
        return STN_OK;
    return stn_fail(STN_ERR_RANGE, "%s: starts of %lld rows exceed the address space",
                    stn_matrix_name(csr), (long long)csr->rows);
}

/* Also allocates the wide sums of repeated entries. */
static stn_status allocate(extraction *job, int is_whole, stn_matrix *result)
{
    void *data[STN_ARRAYS];
    const int64_t wide =
        job->from->kind == STN_MATRIX_COO && job->from->duplicates == STN_DUPLICATES_SUM
            ? code_bytes(stn_duplicates_wide_format(&result->storage))
            : 0;
    const int64_t code = wide > job->code ? wide : job->code;
    const int64_t bytes[STN_ARRAYS] = {(result->rows + 1) * (int64_t)sizeof *job->start,
                                       result->entries * (int64_t)sizeof *job->column,
                                       is_whole ? result->entries * code : 0};
    STN_TRY(stn_matrix_allocate(NULL, stn_matrix_name(result), bytes, &result->memory, data));
    result->row_start = job->start = data[STN_ARRAY_STARTS];
    result->column = job->column = data[STN_ARRAY_INDICES];
    result->values = job->values = is_whole ? data[STN_ARRAY_VALUES] : NULL;
    return STN_OK;
}

static stn_status extract(const char *call, const stn_exec *exec, extraction *job, int is_whole,
                          const stn_storage *wanted, stn_matrix *result)
{
    const stn_matrix *const from = job->from;
    stn_view views[STN_ARRAYS];
    STN_TRY(stn_matrix_list_arrays(from, views));
    if (!stn_matrix_has_slices(from)) {
        STN_TRY(copy_indices(call, from, &from->starts, &job->starts));
        STN_TRY(copy_indices(call, from, &from->positions, &job->positions));
        STN_TRY(copy_indices(call, from, &from->indices, &job->indices));
    }
    if (is_whole)
        STN_TRY(copy_codes(
            exec, job,
            &views[from->kind == STN_MATRIX_PACKED ? STN_ARRAY_DICTIONARY : STN_ARRAY_VALUES],
            &result->storage));
    job->code = code_bytes(result->storage.format);
    STN_TRY(expect_starts(result));
    STN_TRY(allocate(job, is_whole, result));
    STN_TRY(find_rows(job));
    stn_exec_run_sized(exec, 16.0 * (double)from->entries, move_share, job);
    if (from->kind != STN_MATRIX_COO || from->duplicates == STN_DUPLICATES_KEEP || !is_whole)
        return STN_OK;
    if (from->duplicates == STN_DUPLICATES_REFUSE)
        return stn_duplicates_refuse(call, result, job->order);
    const int is_pattern = !from->values && from->codes.stride[0] == 0;
    return stn_duplicates_sum(call, exec, result, is_pattern && result->storage.format == STN_U8,
                              wanted);
}

/* Compressed rows of which only the row starts have another format. The other arrays are shared,
 * unless they are in memory that is released before the result. */
static int has_other_starts(const stn_matrix *from, int is_whole)
{
    return from->kind == STN_MATRIX_CSR && stn_view_is_empty(&from->memory) &&
           stn_view_is_empty(&from->indices) && (!is_whole || stn_view_is_empty(&from->codes));
}

static stn_status convert_starts(const char *call, const stn_matrix *from, stn_matrix *result)
{
    const int64_t bytes[STN_ARRAYS] = {(from->rows + 1) * (int64_t)sizeof *result->row_start};
    void *data[STN_ARRAYS];
    STN_TRY(stn_matrix_allocate(NULL, stn_matrix_name(from), bytes, &result->memory, data));
    result->row_start = data[STN_ARRAY_STARTS];
    result->starts = (stn_view){0};
    return read_indices(call, from, &from->starts, data[STN_ARRAY_STARTS]);
}

stn_status stn_plain_create(const char *call, const stn_exec *exec, const stn_matrix *from,
                            int is_whole, const stn_storage *wanted, stn_matrix *result)
{
    static const stn_view nothing;
    extraction job = {.from = from};
    *result = *from;
    result->memory = nothing;
    result->optimized = result->transposed = NULL;
    if (from->kind == STN_MATRIX_CSR && stn_view_is_empty(&from->starts) &&
        stn_view_is_empty(&from->indices) && (!is_whole || stn_view_is_empty(&from->codes)))
        return STN_OK;
    if (!has_other_starts(from, is_whole)) {
        result->kind = STN_MATRIX_CSR;
        result->starts = result->positions = result->indices = result->codes = nothing;
        result->slots = result->words = result->height = result->sigma = 0;
        result->slice_start = NULL;
        result->slice_word = NULL;
        result->dictionary = NULL;
        result->distinct = result->bits = 0;
        result->duplicates = STN_DUPLICATES_REFUSE;
        result->ascends = 0;
    }
    const stn_status status = has_other_starts(from, is_whole)
                                  ? convert_starts(call, from, result)
                                  : extract(call, exec, &job, is_whole, wanted, result);
    stn_free(job.starts);
    stn_free(job.positions);
    stn_free(job.indices);
    stn_free(job.order);
    (void)stn_view_release(&job.copied);
    if (status != STN_OK) {
        (void)stn_view_release(&result->memory);
        memset(result, 0, sizeof *result);
    }
    return status;
}
