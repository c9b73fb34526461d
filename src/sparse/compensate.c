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
#include "sparse/compressed.h"
#include "steno/sparse_operations.h"

enum { DIAGONAL_BITS = 22, MOST_PARTS = 4 };
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
    stn_compressed_made to;
} compensation;

/* Parts together have at least 22 bits. One part is enough for integers, which are multiples of
 * the scale. */
static int count_parts(const stn_format_info *info)
{
    const int bits = info->kind == STN_CLASS_INTEGER ? DIAGONAL_BITS : 1 - ilogb(info->epsilon);
    const int parts = (DIAGONAL_BITS + bits - 1) / bits;
    return parts < MOST_PARTS ? parts : MOST_PARTS;
}

static stn_status expect_operands(const compensation *all)
{
    const stn_matrix *const matrix = all->matrix;
    if (!all->storage)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the storage is NULL", call);
    const stn_format_entry *const entry = stn_format_entry_of(all->storage->format);
    if (!entry)
        return stn_error_prefix(STN_ERR_FORMAT, "%s", call);
    if (stn_matrix_is_complex(matrix) || entry->info.kind == STN_CLASS_COMPLEX ||
        entry->info.kind == STN_CLASS_OPAQUE)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s in %s: real values only", call,
                        stn_matrix_name(matrix), entry->info.name);
    if (entry->info.kind == STN_CLASS_REGISTERED)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s in %s: the range of the format is unknown",
                        call, stn_matrix_name(matrix), entry->info.name);
    if (matrix->rows != matrix->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s is not square: %lld x %lld", call,
                        stn_matrix_name(matrix), (long long)matrix->rows,
                        (long long)matrix->columns);
    return STN_OK;
}

static stn_status allocate(compensation *all)
{
    const int64_t entries = all->from.entries, rows = all->from.rows;
    const int64_t most = entries > rows ? entries : rows;
    const stn_format_info *const info = &stn_format_entry_of(all->storage->format)->info;
    all->code = info->bytes;
    all->parts = count_parts(info);
    STN_TRY(stn_allocate(&all->value, entries, sizeof(double), "values"));
    STN_TRY(stn_allocate(&all->stored, most, sizeof(double), "stored values"));
    STN_TRY(stn_allocate(&all->whole, rows, sizeof(double), "a diagonal"));
    return stn_allocate(&all->codes, most, (size_t)all->code, "narrow values");
}

static stn_status refuse_sum(const compensation *all, int64_t row)
{
    return stn_fail(STN_ERR_ARGUMENT, "%s: row %lld of %s has no finite sum", call, (long long)row,
                    stn_matrix_name(all->matrix));
}

static int64_t row_of(const stn_compressed *from, int64_t entry)
{
    int64_t row = 0;
    while (from->start[row + 1] <= entry)
        row++;
    return row;
}

/* Moves the diagonal from `value` to `whole`. */
static stn_status take_diagonal(compensation *all)
{
    const stn_compressed *const from = &all->from;
    for (int64_t r = 0; r < from->rows; r++) {
        all->whole[r] = 0.0;
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++) {
            if (!isfinite(all->value[k]))
                return refuse_sum(all, r);
            if (from->column[k] != r)
                continue;
            all->whole[r] += all->value[k];
            all->value[k] = 0.0;
        }
    }
    return STN_OK;
}

/* Adds the rounding errors of the other entries of each row to its diagonal element. */
static stn_status sum_rows(compensation *all)
{
    const stn_compressed *const from = &all->from;
    int64_t outside;
    STN_TRY(stn_decode(STN_F64, all->value, &from->storage, from->codes, 1, from->entries));
    STN_TRY(take_diagonal(all));
    STN_TRY(stn_encode_within(STN_F64, all->storage, all->codes, 0, all->value, from->entries,
                              all->stored, &outside));
    if (outside < from->entries)
        return stn_fail(
            STN_ERR_RANGE,
            "%s: %g in row %lld, column %d of %s is out of the range of %s with scale %g", call,
            all->value[outside], (long long)row_of(from, outside), from->column[outside],
            stn_matrix_name(all->matrix), stn_format_entry_of(all->storage->format)->info.name,
            all->storage->scale);
    for (int64_t r = 0; r < from->rows; r++) {
        double lost = 0.0;
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++)
            lost += all->value[k] - all->stored[k];
        all->whole[r] += lost;
        if (!isfinite(all->whole[r]))
            return refuse_sum(all, r);
    }
    return STN_OK;
}

/* ---- new entries: those of the row, followed by the parts of its diagonal element ---- */

static int64_t count_others(const compensation *all, int64_t r)
{
    int64_t count = 0;
    for (int64_t k = all->from.start[r]; k < all->from.start[r + 1]; k++)
        count += all->from.column[k] != r;
    return count;
}

static stn_status make(compensation *all, stn_matrix *made)
{
    const int64_t rows = all->from.rows;
    int64_t entries = rows * all->parts;
    for (int64_t r = 0; r < rows; r++)
        entries += count_others(all, r);
    STN_TRY(stn_compressed_make(call, all->matrix->label, all->storage, rows, rows, entries, made,
                                &all->to));
    all->to.start[0] = 0;
    for (int64_t r = 0; r < rows; r++)
        all->to.start[r + 1] = all->to.start[r] + count_others(all, r) + all->parts;
    return STN_OK;
}

static void move_others(const compensation *all)
{
    const stn_compressed *const from = &all->from;
    for (int64_t r = 0; r < from->rows; r++) {
        int64_t at = all->to.start[r];
        for (int64_t k = from->start[r]; k < from->start[r + 1]; k++) {
            if (from->column[k] == r)
                continue;
            all->to.column[at] = from->column[k];
            memcpy(all->to.codes + at++ * all->code, all->codes + k * all->code, (size_t)all->code);
        }
    }
}

/* Each part is the rounded remainder of the preceding parts. */
static stn_status store_diagonal(const compensation *all)
{
    const int64_t rows = all->from.rows;
    int64_t outside;
    for (int part = 0; part < all->parts; part++) {
        STN_TRY(stn_encode_within(STN_F64, all->storage, all->codes, 0, all->whole, rows,
                                  all->stored, &outside));
        if (outside < rows)
            return stn_fail(
                STN_ERR_RANGE,
                "%s: the diagonal of row %lld of %s becomes %g, out of the range of %s with scale "
                "%g",
                call, (long long)outside, stn_matrix_name(all->matrix), all->whole[outside],
                stn_format_entry_of(all->storage->format)->info.name, all->storage->scale);
        for (int64_t r = 0; r < rows; r++) {
            const int64_t at = all->to.start[r + 1] - all->parts + part;
            all->to.column[at] = (int32_t)r;
            memcpy(all->to.codes + at * all->code, all->codes + r * all->code, (size_t)all->code);
            all->whole[r] -= all->stored[r];
        }
    }
    return STN_OK;
}

static stn_status run(compensation *all, stn_matrix *made)
{
    STN_TRY(allocate(all));
    STN_TRY(sum_rows(all));
    STN_TRY(make(all, made));
    move_others(all);
    return store_diagonal(all);
}

static stn_status compensate(const stn_exec *exec, stn_matrix *made, const stn_matrix *matrix,
                             const stn_storage *storage)
{
    compensation all = {.matrix = matrix, .storage = storage};
    STN_TRY(stn_compressed_open(call, exec, matrix, &all.from));
    stn_status status = expect_operands(&all);
    if (status == STN_OK)
        status = run(&all, made);
    if (status != STN_OK)
        stn_matrix_clear(made);
    stn_compressed_close(&all.from);
    stn_free(all.value);
    stn_free(all.stored);
    stn_free(all.whole);
    stn_free(all.codes);
    return stn_matrix_send(call, exec, status, made);
}

stn_status stn_sparse_compensate(const stn_exec *exec, stn_matrix **made, const stn_matrix *a,
                                 const stn_storage *storage)
{
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin(call, made, &matrix));
    STN_RETURN_IN_MODES(stn_matrix_end(call, made, matrix, compensate(exec, matrix, a, storage)));
}
