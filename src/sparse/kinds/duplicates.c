/* Several entries with the same row and column: refused or summed. */
#include "sparse/kinds/duplicates.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "format/fit.h"
#include "format/registry.h"
#include "sparse/kinds/row_order.h"
#include "view/view.h"

stn_status stn_duplicates_refuse(const char *call, const stn_matrix *rows, const int64_t *order)
{
    stn_row_order sorter;
    stn_status status = STN_OK;
    STN_TRY(stn_row_order_init(&sorter, rows->row_start, rows->rows));
    for (int64_t row = 0; row < rows->rows && status == STN_OK; row++) {
        const int64_t count = stn_row_order_sort(&sorter, rows->row_start, rows->column, row);
        const stn_row_entry *const positions = sorter.entry;
        for (int64_t e = 1; e < count && status == STN_OK; e++)
            if (positions[e].column == positions[e - 1].column)
                status = stn_fail(
                    STN_ERR_RANGE,
                    "%s: %s: entries %lld and %lld are both for row %lld and column "
                    "%d; STN_DUPLICATES_SUM adds them",
                    call, stn_matrix_name(rows), (long long)order[positions[e - 1].at],
                    (long long)order[positions[e].at], (long long)row, positions[e].column);
    }
    stn_row_order_release(&sorter);
    return status;
}

/* ---- sums ---- */

static int is_exact(const stn_storage *storage)
{
    return stn_format_entry_of(storage->format)->info.kind == STN_CLASS_INTEGER &&
           storage->scale == 1.0 && storage->zero == 0.0;
}

/* Integers without a scale are summed in 128 bits, which cannot overflow. */
stn_format stn_duplicates_wide_format(const stn_storage *storage)
{
    const stn_format_info *const info = &stn_format_entry_of(storage->format)->info;
    if (info->kind == STN_CLASS_COMPLEX)
        return STN_C128;
    return !is_exact(storage) ? STN_F64 : info->is_signed ? STN_I64 : STN_U64;
}

__extension__ typedef __int128 wide_integer;

typedef struct summing {
    const char *call;
    stn_matrix *rows;
    const stn_storage *wanted; /* storage that the sums are converted to; NULL: the storage of the
                                * matrix */
    int is_pattern;
    stn_format wide;      /* format of values and sums */
    stn_storage storage;  /* storage of the result */
    int64_t code, bytes;  /* bytes per element of the matrix and of the result */
    stn_row_order sorter; /* sorts a row */
    int64_t *order;       /* entries sorted by row and column */
    int64_t *first;       /* position in `order` of the first summand of each entry of the result */
    int64_t count;        /* entries of the result */
    stn_view values;      /* all entries, in format `wide` */
    void *sums;           /* in format `wide` */
    char *codes;          /* codes of the result */
} summing;

/* Determines columns, row starts and `first` of the result. */
static void join_positions(summing *job)
{
    stn_matrix *const rows = job->rows;
    int64_t *const start = (int64_t *)(uintptr_t)rows->row_start;
    int32_t *const column = (int32_t *)(uintptr_t)rows->column;
    int64_t begin = 0;
    for (int64_t row = 0; row < rows->rows; row++) {
        const int64_t count = stn_row_order_sort(&job->sorter, start, column, row);
        start[row] = job->count; /* the next row begins at start[row + 1] */
        for (int64_t e = 0; e < count; e++) {
            const stn_row_entry *const entry = &job->sorter.entry[e];
            if (e == 0 || entry->column != entry[-1].column) {
                job->first[job->count] = begin + e;
                column[job->count++] = entry->column;
            }
            job->order[begin + e] = entry->at;
        }
        begin += count;
    }
    start[rows->rows] = job->count;
    job->first[job->count] = begin;
}

static int64_t row_of(const summing *job, int64_t at)
{
    int64_t low = 0, high = job->rows->rows; /* start[low] <= at < start[high] */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (job->rows->row_start[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static stn_status refuse_sum(const summing *job, int64_t at, const stn_storage *storage)
{
    return stn_fail(STN_ERR_RANGE,
                    "%s: %s: the sum of the %lld entries of row %lld, column %d is out of the "
                    "range of %s",
                    job->call, stn_matrix_name(job->rows),
                    (long long)(job->first[at + 1] - job->first[at]), (long long)row_of(job, at),
                    job->rows->column[at], stn_format_entry_of(storage->format)->info.name);
}

static int holds(const stn_storage *storage, wide_integer sum)
{
    const stn_format_info *const info = &stn_format_entry_of(storage->format)->info;
    const wide_integer highest = ((wide_integer)1 << (info->bits - info->is_signed)) - 1;
    return sum <= highest && sum >= (info->is_signed ? -highest - 1 : 0);
}

/* The integer storage that the sums end up in. NULL if it is not integers without a scale, or if a
 * scale of the row is applied before. */
static const stn_storage *last_of(const summing *job)
{
    const stn_storage *const last = job->wanted ? job->wanted : &job->rows->storage;
    const int is_scaled = job->wanted && !stn_view_is_empty(&job->rows->scales);
    return is_exact(last) && !is_scaled && !job->is_pattern ? last : NULL;
}

static stn_status sum_integers(const summing *job, int64_t at)
{
    const stn_storage wide = stn_storage_of(job->wide);
    const stn_storage *const last = last_of(job);
    const int64_t *const values = job->values.data;
    wide_integer sum = 0;
    for (int64_t e = job->first[at]; e < job->first[at + 1]; e++) {
        const int64_t value = values[job->order[e]];
        sum += job->wide == STN_U64 ? (wide_integer)(uint64_t)value : (wide_integer)value;
    }
    ((int64_t *)job->sums)[at] = (int64_t)(uint64_t)sum;
    if (!holds(&wide, sum))
        return refuse_sum(job, at, &wide);
    if (last && job->first[at + 1] - job->first[at] > 1 && !holds(last, sum))
        return refuse_sum(job, at, last);
    return STN_OK;
}

static int is_copied(const summing *job, int64_t at)
{
    return job->first[at + 1] - job->first[at] == 1 && !job->wanted;
}

/* Values whose codes are copied are not encoded, so they cannot be out of range. */
static void sum_reals(const summing *job, int64_t at)
{
    const int parts = job->wide == STN_C128 ? 2 : 1;
    const double *const values = job->values.data;
    for (int p = 0; p < parts; p++) {
        int64_t e = job->first[at];
        double sum = values[job->order[e] * parts + p];
        for (e++; e < job->first[at + 1]; e++)
            sum += values[job->order[e] * parts + p];
        ((double *)job->sums)[at * parts + p] = is_copied(job, at) ? 0.0 : sum;
    }
}

static stn_status sum_all(const summing *job)
{
    const int is_integer = job->wide == STN_I64 || job->wide == STN_U64;
    for (int64_t at = 0; at < job->count; at++)
        if (is_integer)
            STN_TRY(sum_integers(job, at));
        else
            sum_reals(job, at);
    return STN_OK;
}

/* ---- storage of the result ---- */

/* The counts of a pattern are u32 if one of them exceeds u8. */
static stn_storage choose_storage(const summing *job)
{
    if (job->wanted)
        return stn_storage_of(job->wide);
    for (int64_t at = 0; job->is_pattern && at < job->count; at++)
        if (((const uint64_t *)job->sums)[at] > UINT8_MAX)
            return stn_storage_of(STN_U32);
    return job->rows->storage;
}

/* Sums stored in the format of their summands must be in its range. */
static stn_status encode_sums(summing *job)
{
    int64_t outside = 0;
    if (job->wide == STN_F64 || job->wide == STN_C128) {
        STN_TRY(stn_encode_within(job->wide, &job->storage, job->codes, 0, job->sums, job->count,
                                  job->values.data, &outside));
        return outside < job->count ? refuse_sum(job, outside, &job->storage) : STN_OK;
    }
    for (int64_t at = 0; job->storage.format == STN_U32 && job->is_pattern && at < job->count; at++)
        if (((const uint64_t *)job->sums)[at] > UINT32_MAX)
            return refuse_sum(job, at, &job->storage);
    return stn_encode(STN_I64, &job->storage, job->codes, 1, 0, job->sums, job->count);
}

/* A value that is not summed keeps its bits. */
static void copy_singles(const summing *job)
{
    for (int64_t at = 0; at < job->count; at++)
        if (job->first[at + 1] - job->first[at] == 1)
            memcpy(job->codes + at * job->code,
                   (const char *)job->rows->values + job->order[job->first[at]] * job->code,
                   (size_t)job->code);
}

static stn_status decode_values(const stn_exec *exec, summing *job)
{
    stn_view codes;
    const stn_matrix *const rows = job->rows;
    STN_TRY(stn_view_create_spec(
        NULL, &job->values,
        &STN_VIEW_SPEC(.label = "values of a matrix", .storage = stn_storage_of(job->wide),
                       .rank = 1, .extents = &rows->entries, .flags = STN_CREATE_UNINITIALIZED)));
    STN_TRY(stn_view_wrap(&codes, stn_matrix_name(rows), rows->storage,
                          (void *)(uintptr_t)rows->values, 1, &rows->entries));
    return stn_view_copy(exec, &job->values, &codes);
}

static stn_status store_values(const stn_exec *exec, summing *job)
{
    const int64_t wide = stn_format_entry_of(job->wide)->info.bytes;
    const int is_summed = job->count < job->rows->entries;
    job->storage = job->rows->storage;
    if (is_summed) {
        STN_TRY(decode_values(exec, job));
        STN_TRY(stn_allocate(&job->sums, job->count, (size_t)wide, "sums of entries"));
        STN_TRY(sum_all(job));
        job->storage = choose_storage(job);
    }
    job->bytes = stn_format_entry_of(job->storage.format)->info.bytes;
    STN_TRY(stn_allocate(&job->codes, job->count, (size_t)job->bytes, "values of a matrix"));
    if (is_summed)
        STN_TRY(encode_sums(job));
    if (!is_summed || (!job->wanted && job->storage.format == job->rows->storage.format))
        copy_singles(job);
    return STN_OK;
}

static stn_status sum(const stn_exec *exec, summing *job)
{
    stn_matrix *const rows = job->rows;
    if (rows->entries == 0)
        return STN_OK;
    STN_TRY(stn_allocate(&job->order, rows->entries, sizeof *job->order, "entries of a matrix"));
    STN_TRY(
        stn_allocate(&job->first, rows->entries + 1, sizeof *job->first, "entries of a matrix"));
    STN_TRY(stn_row_order_init(&job->sorter, rows->row_start, rows->rows));
    join_positions(job);
    STN_TRY(store_values(exec, job));
    memcpy((void *)(uintptr_t)rows->values, job->codes, (size_t)(job->count * job->bytes));
    rows->entries = job->count;
    rows->storage = job->storage;
    return STN_OK;
}

stn_status stn_duplicates_sum(const char *call, const stn_exec *exec, stn_matrix *rows,
                              int is_pattern, const stn_storage *wanted)
{
    summing job = {.call = call,
                   .rows = rows,
                   .wanted = wanted,
                   .is_pattern = is_pattern && !wanted,
                   .wide = stn_duplicates_wide_format(&rows->storage),
                   .code = stn_format_entry_of(rows->storage.format)->info.bytes};
    const stn_status status = sum(exec, &job);
    stn_row_order_release(&job.sorter);
    stn_free(job.order);
    stn_free(job.first);
    stn_free(job.sums);
    stn_free(job.codes);
    (void)stn_view_release(&job.values);
    return status;
}
