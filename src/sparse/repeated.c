/* Several entries for one row and column: refused, or summed. */
#include "sparse/repeated.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "format/registry.h"
#include "view/view.h"

/* An entry of a row: its column, and where it is. */
typedef struct place {
    int64_t column, at;
} place;

static int compare(const void *left, const void *right)
{
    const place *const a = left, *const b = right;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static int64_t sort_row(const stn_csr *rows, int64_t row, place *places)
{
    const int64_t begin = rows->row_start[row], count = rows->row_start[row + 1] - begin;
    for (int64_t e = 0; e < count; e++)
        places[e] = (place){rows->column[begin + e], begin + e};
    qsort(places, (size_t)count, sizeof *places, compare);
    return count;
}

static stn_status allocate_row(const stn_csr *rows, place **places)
{
    int64_t longest = 0;
    for (int64_t row = 0; row < rows->rows; row++) {
        const int64_t count = rows->row_start[row + 1] - rows->row_start[row];
        longest = count > longest ? count : longest;
    }
    return stn_allocate(places, longest, sizeof **places, "entries of a row");
}

stn_status stn_repeated_refuse(const char *call, const stn_csr *rows, const int64_t *order)
{
    place *places = NULL;
    stn_status status = STN_OK;
    STN_TRY(allocate_row(rows, &places));
    for (int64_t row = 0; row < rows->rows && status == STN_OK; row++) {
        const int64_t count = sort_row(rows, row, places);
        for (int64_t e = 1; e < count && status == STN_OK; e++)
            if (places[e].column == places[e - 1].column)
                status = stn_fail(STN_ERR_RANGE,
                                  "%s: %s: entries %lld and %lld are both for row %lld and column "
                                  "%lld; STN_SPARSE_SUM adds them",
                                  call, stn_csr_name(rows), (long long)order[places[e - 1].at],
                                  (long long)order[places[e].at], (long long)row,
                                  (long long)places[e].column);
    }
    stn_free(places);
    return status;
}

/* ---- sums ---- */

/* What values are summed in. */
stn_format stn_repeated_wide(const stn_storage *storage)
{
    const stn_format_class kind = stn_format_entry_of(storage->format)->info.kind;
    if (kind == STN_CLASS_COMPLEX)
        return STN_C128;
    return kind == STN_CLASS_INTEGER && storage->scale == 1.0 && storage->zero == 0.0 ? STN_I64
                                                                                      : STN_F64;
}

static int64_t add_integers(int64_t a, int64_t b)
{
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return b < 0 ? INT64_MIN : INT64_MAX;
}

typedef union number {
    double f64;
    int64_t i64;
    stn_c128 c128;
} number;

static number add(stn_format wide, number sum, const void *values, int64_t k)
{
    if (wide == STN_I64) {
        sum.i64 = add_integers(sum.i64, ((const int64_t *)values)[k]);
    } else if (wide == STN_C128) {
        sum.c128.re += ((const stn_c128 *)values)[k].re;
        sum.c128.im += ((const stn_c128 *)values)[k].im;
    } else {
        sum.f64 += ((const double *)values)[k];
    }
    return sum;
}

/* Sums of the row's places go to `to`, columns to where they belong; how many there are. */
static int64_t sum_row(stn_format wide, const place *places, int64_t count, const char *values,
                       int64_t bytes, char *to, int32_t *column)
{
    int64_t made = 0;
    for (int64_t e = 0; e < count; made++) {
        number sum;
        memcpy(&sum, values + places[e].at * bytes, (size_t)bytes);
        column[made] = (int32_t)places[e].column;
        for (e++; e < count && places[e].column == column[made]; e++)
            sum = add(wide, sum, values, places[e].at);
        memcpy(to + made * bytes, &sum, (size_t)bytes);
    }
    return made;
}

typedef struct summing {
    stn_format wide;
    int64_t bytes;
    place *places;
    stn_view values, sums;
} summing;

static void sum_rows(const summing *job, stn_csr *rows)
{
    int64_t *const start = (int64_t *)(uintptr_t)rows->row_start;
    int32_t *const column = (int32_t *)(uintptr_t)rows->column;
    int64_t at = 0;
    for (int64_t row = 0; row < rows->rows; row++) {
        const int64_t count = sort_row(rows, row, job->places);
        start[row] = at; /* sort_row of the next one begins at start[row + 1] */
        at += sum_row(job->wide, job->places, count, job->values.data, job->bytes,
                      (char *)job->sums.data + at * job->bytes, column + at);
    }
    start[rows->rows] = rows->entries = at;
}

/* The codes of so many entries as a view. */
static stn_status wrap_values(const stn_csr *rows, stn_view *view)
{
    return stn_view_wrap(view, stn_csr_name(rows), rows->storage, (void *)(uintptr_t)rows->values,
                         1, &rows->entries, NULL);
}

static stn_status sum(const stn_exec *exec, summing *job, stn_csr *rows, int stays_wide)
{
    const stn_storage storage = stn_storage_of(job->wide);
    stn_view codes, sums;
    STN_TRY(allocate_row(rows, &job->places));
    STN_TRY(stn_view_create(NULL, &job->values, "values of a matrix", storage, NULL, 1,
                            &rows->entries, STN_UNINITIALISED));
    STN_TRY(stn_view_create(NULL, &job->sums, "sums of a matrix", storage, NULL, 1, &rows->entries,
                            STN_UNINITIALISED));
    STN_TRY(wrap_values(rows, &codes));
    if (rows->entries > 0)
        STN_TRY(stn_view_copy(exec, &job->values, &codes));
    sum_rows(job, rows);
    if (stays_wide)
        rows->storage = storage;
    STN_TRY(wrap_values(rows, &codes));
    const stn_slice all = stn_slice_range(0, rows->entries);
    STN_TRY(stn_view_slice(&sums, &job->sums, 1, &all));
    return rows->entries > 0 ? stn_view_copy(exec, &codes, &sums) : STN_OK;
}

stn_status stn_repeated_sum(const stn_exec *exec, stn_csr *rows, int stays_wide)
{
    summing job = {.wide = stn_repeated_wide(&rows->storage)};
    job.bytes = stn_format_entry_of(job.wide)->info.bytes;
    const stn_status status = sum(exec, &job, rows, stays_wide);
    stn_free(job.places);
    (void)stn_view_release(&job.values);
    (void)stn_view_release(&job.sums);
    return status;
}
