/* Conversion to a narrow storage that preserves row sums: the rounding errors of a row are added
 * to its diagonal element. Based on the diagonally compensated reduction of O. Axelsson, L.
 * Kolotilina, Numer. Linear Algebra Appl. 1 (1994). */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/fit.h"
#include "format/registry.h"
#include "sparse/kinds/compressed.h"
#include "steno/sparse_operations.h"

enum { DIAGONAL_BITS = 22, MAX_PARTS = 4 };
static const char call[] = "stn_sparse_compensate";

typedef struct compensation {
    const stn_matrix *matrix;
    stn_compressed from;
    const stn_storage *storage;
    int64_t code;   /* bytes per code */
    int parts;      /* number of entries that a diagonal element is split into */
    double *value;  /* per entry of the matrix; 0 on the diagonal */
    double *whole;  /* per row: the diagonal element that preserves the row sum, less the parts
                     * already stored */
    double *stored; /* entries, or parts of the diagonal, after rounding */
    char *codes;    /* codes of the entries, or of one part of each row */
    stn_compressed_matrix to;
} compensation;

/* Parts together have at least 22 bits. One part is enough for integers, which are multiples of
 * the scale. */
static int count_parts(const stn_format_info *info)
{
    const int bits = info->kind == STN_CLASS_INTEGER ? DIAGONAL_BITS : 1 - ilogb(info->epsilon);
    const int parts = (DIAGONAL_BITS + bits - 1) / bits;
    return parts < MAX_PARTS ? parts : MAX_PARTS;
}

static stn_status expect_operands(const compensation *job)
{
    const stn_matrix *const matrix = job->matrix;
    if (!job->storage)
        return stn_fail(STN_ERR_ARGUMENT, "%s: storage is NULL", call);
    const stn_format_entry *const entry = stn_format_entry_of(job->storage->format);
    if (!entry)
        return stn_error_prefix(STN_ERR_FORMAT, "%s", call);
    if (stn_matrix_is_complex(matrix) || entry->info.kind == STN_CLASS_COMPLEX ||
        entry->info.kind == STN_CLASS_OPAQUE)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s cannot be stored in %s; only real numbers are supported", call,
                        stn_matrix_name(matrix), entry->info.name);
    if (entry->info.kind == STN_CLASS_REGISTERED)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s cannot be stored in %s, whose range is unknown", call,
                        stn_matrix_name(matrix), entry->info.name);
    if (matrix->rows != matrix->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s is not square: %lld x %lld", call,
                        stn_matrix_name(matrix), (long long)matrix->rows,
                        (long long)matrix->columns);
    return STN_OK;
}

static stn_status allocate(compensation *job)
{
    const int64_t entries = job->from.entries, rows = job->from.rows;
    const int64_t most = entries > rows ? entries : rows;
    const stn_format_info *const info = &stn_format_entry_of(job->storage->format)->info;
    job->code = info->bytes;
    job->parts = count_parts(info);
    STN_TRY(stn_allocate(&job->value, entries, sizeof(double), "values"));
    STN_TRY(stn_allocate(&job->stored, most, sizeof(double), "stored values"));
    STN_TRY(stn_allocate(&job->whole, rows, sizeof(double), "a diagonal"));
    return stn_allocate(&job->codes, most, (size_t)job->code, "narrow values");
}

static stn_status refuse_sum(const compensation *job, int64_t row)
{
    return stn_fail(STN_ERR_ARGUMENT, "%s: row %lld of %s has no finite sum", call, (long long)row,
                    stn_matrix_name(job->matrix));
}

static int64_t row_of(const stn_compressed *from, int64_t entry)
{
    int64_t row = 0;
    while (from->start[row + 1] <= entry)
        row++;
    return row;
}

/* Moves the diagonal from `value` to `whole`. */
static stn_status read_diagonal(compensation *job)
{
    const stn_compressed *const from = &job->from;
    for (int64_t r = 0; r < from->rows; r++) {
        job->whole[r] = 0.0;
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++) {
            if (!isfinite(job->value[k]))
                return refuse_sum(job, r);
            if (from->column[k] != r)
                continue;
            job->whole[r] += job->value[k];
            job->value[k] = 0.0;
        }
    }
    return STN_OK;
}

/* Adds the rounding errors of the other entries of each row to its diagonal element. */
static stn_status sum_rows(compensation *job)
{
    const stn_compressed *const from = &job->from;
    int64_t outside;
    STN_TRY(stn_decode(STN_F64, job->value, &from->storage, from->codes, 1, from->entries));
    STN_TRY(read_diagonal(job));
    STN_TRY(stn_encode_within(STN_F64, job->storage, job->codes, 0, job->value, from->entries,
                              job->stored, &outside));
    if (outside < from->entries)
        return stn_fail(STN_ERR_RANGE,
                        "%s: %g in row %lld, column %d of %s is out of range of %s with scale %g",
                        call, job->value[outside], (long long)row_of(from, outside),
                        from->column[outside], stn_matrix_name(job->matrix),
                        stn_format_entry_of(job->storage->format)->info.name, job->storage->scale);
    for (int64_t r = 0; r < from->rows; r++) {
        double lost = 0.0;
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++)
            lost += job->value[k] - job->stored[k];
        job->whole[r] += lost;
        if (!isfinite(job->whole[r]))
            return refuse_sum(job, r);
    }
    return STN_OK;
}

/* ---- new entries: those of the row, followed by the parts of its diagonal element ---- */

static int64_t count_others(const compensation *job, int64_t r)
{
    int64_t count = 0;
    for (int64_t k = job->from.start[r]; k < job->from.start[r + 1]; k++)
        count += job->from.column[k] != r;
    return count;
}

static stn_status create(compensation *job, stn_matrix *result)
{
    const int64_t rows = job->from.rows;
    int64_t entries = rows * job->parts;
    for (int64_t r = 0; r < rows; r++)
        entries += count_others(job, r);
    STN_TRY(stn_compressed_create(call, job->matrix->label, job->storage, rows, rows, entries,
                                  result, &job->to));
    job->to.start[0] = 0;
    for (int64_t r = 0; r < rows; r++)
        job->to.start[r + 1] = job->to.start[r] + count_others(job, r) + job->parts;
    return STN_OK;
}

static void move_others(const compensation *job)
{
    const stn_compressed *const from = &job->from;
    for (int64_t r = 0; r < from->rows; r++) {
        int64_t at = job->to.start[r];
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++) {
            if (from->column[k] == r)
                continue;
            job->to.column[at] = from->column[k];
            memcpy(job->to.codes + at++ * job->code, job->codes + k * job->code, (size_t)job->code);
        }
    }
}

/* Each part is the rounded remainder of the preceding parts. */
static stn_status store_diagonal(const compensation *job)
{
    const int64_t rows = job->from.rows;
    int64_t outside;
    for (int part = 0; part < job->parts; part++) {
        STN_TRY(stn_encode_within(STN_F64, job->storage, job->codes, 0, job->whole, rows,
                                  job->stored, &outside));
        if (outside < rows)
            return stn_fail(
                STN_ERR_RANGE,
                "%s: the diagonal of row %lld of %s becomes %g, out of the range of %s with scale "
                "%g",
                call, (long long)outside, stn_matrix_name(job->matrix), job->whole[outside],
                stn_format_entry_of(job->storage->format)->info.name, job->storage->scale);
        for (int64_t r = 0; r < rows; r++) {
            const int64_t at = job->to.start[r + 1] - job->parts + part;
            job->to.column[at] = (int32_t)r;
            memcpy(job->to.codes + at * job->code, job->codes + r * job->code, (size_t)job->code);
            job->whole[r] -= job->stored[r];
        }
    }
    return STN_OK;
}

static stn_status run(compensation *job, stn_matrix *result)
{
    STN_TRY(allocate(job));
    STN_TRY(sum_rows(job));
    STN_TRY(create(job, result));
    move_others(job);
    return store_diagonal(job);
}

static stn_status compensate(const stn_exec *exec, stn_matrix *result, const stn_matrix *matrix,
                             const stn_storage *storage)
{
    compensation job = {.matrix = matrix, .storage = storage};
    STN_TRY(stn_compressed_open(call, exec, matrix, &job.from));
    stn_status status = expect_operands(&job);
    if (status == STN_OK)
        status = run(&job, result);
    if (status != STN_OK)
        stn_matrix_clear(result);
    stn_compressed_close(&job.from);
    stn_free(job.value);
    stn_free(job.stored);
    stn_free(job.whole);
    stn_free(job.codes);
    return stn_matrix_send(call, exec, status, result);
}

stn_status stn_sparse_compensate(const stn_exec *exec, stn_matrix **result, const stn_matrix *a,
                                 const stn_storage *storage)
{
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, result, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, result, matrix, compensate(exec, matrix, a, storage)));
}
