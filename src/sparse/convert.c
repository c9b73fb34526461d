/* Sparse matrices of one kind made from those of another. */
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "sparse/csr.h"
#include "sparse/slice.h"

static int64_t code_bytes(stn_format format)
{
    return stn_format_entry_of(format)->info.bytes;
}

/* ---- bytes ---- */

static int64_t bytes_of_rows(const stn_csr *csr, int64_t code)
{
    return (csr->rows + 1) * (int64_t)sizeof(int64_t) +
           csr->entries * (code + (int64_t)sizeof(int32_t));
}

static int64_t bytes_of_starts(const stn_csr *csr)
{
    return 2 * (stn_slices_of(csr->rows) + 1) * (int64_t)sizeof(int64_t);
}

static int64_t bytes_of_slices(const stn_csr *csr, int64_t code)
{
    int64_t bytes = bytes_of_starts(csr), slots = csr->slots, words = csr->words;
    if (csr->kind == STN_SPARSE_SLICED)
        return bytes + slots * code + words * (int64_t)sizeof(int32_t);
    for (int64_t slice = 0; slice < stn_slices_of(csr->rows); slice++) {
        stn_slice_measure(csr, slice, code, &slots, &words);
        bytes += slots * code + words * (int64_t)sizeof(int32_t);
    }
    return bytes;
}

/* Ends of rows have 32 bits in a slice. */
static stn_status expect_slices(const char *call, const stn_csr *csr)
{
    for (int64_t slice = 0; slice < stn_slices_of(csr->rows); slice++) {
        const int64_t row = slice * STN_SLICE_ROWS, left = csr->rows - row;
        const int64_t end = row + (left < STN_SLICE_ROWS ? left : STN_SLICE_ROWS);
        if (csr->row_start[end] - csr->row_start[row] > INT32_MAX)
            return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s has 2^31 entries or more in 16 rows", call,
                            stn_csr_name(csr));
    }
    return STN_OK;
}

static stn_status measure(const char *call, const stn_csr *csr, stn_format format,
                          stn_sparse_kind *kind, int64_t *bytes)
{
    STN_TRY(stn_csr_expect(call, csr));
    STN_TRY(stn_csr_expect_format(stn_csr_name(csr), format));
    const int64_t code = code_bytes(format);
    if (csr->memory.space != STN_SPACE_HOST)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is in device memory", call, stn_csr_name(csr));
    if (*kind < STN_SPARSE_AUTO || *kind > STN_SPARSE_SLICED)
        return stn_fail(STN_ERR_ARGUMENT, "%s: there is no kind %d of matrices", call, (int)*kind);
    const int64_t of_rows = bytes_of_rows(csr, code);
    if (csr->kind == STN_SPARSE_CSR && *kind != STN_SPARSE_CSR)
        STN_TRY(expect_slices(call, csr));
    const int64_t of_slices = *kind == STN_SPARSE_CSR ? 0 : bytes_of_slices(csr, code);
    if (*kind == STN_SPARSE_AUTO)
        *kind = of_slices < of_rows ? STN_SPARSE_SLICED : STN_SPARSE_CSR;
    *bytes = *kind == STN_SPARSE_CSR ? of_rows : of_slices;
    return STN_OK;
}

stn_status stn_sparse_bytes(const stn_csr *csr, stn_format format, stn_sparse_kind *kind,
                            int64_t *bytes)
{
    if (!kind || !bytes)
        return stn_fail(STN_ERR_ARGUMENT, "stn_sparse_bytes: %s is NULL", kind ? "bytes" : "kind");
    return measure("stn_sparse_bytes", csr, format, kind, bytes);
}

/* ---- from rows to slices and back ---- */

typedef struct conversion {
    const stn_csr *from;
    const char *codes; /* in the new format */
    int64_t code;      /* bytes of one */
    int64_t *start;
    int32_t *index;
    char *values;
} conversion;

/* What each slice takes, behind where it will begin. */
static void measure_share(void *context, int part, int parts)
{
    const conversion *const job = context;
    int64_t begin, end;
    stn_share(stn_slices_of(job->from->rows), part, parts, &begin, &end);
    for (int64_t slice = begin; slice < end; slice++)
        stn_slice_measure(job->from, slice, job->code, &job->start[2 * slice + 2],
                          &job->start[2 * slice + 3]);
}

static void fill_share(void *context, int part, int parts)
{
    const conversion *const job = context;
    int64_t begin, end;
    stn_share(stn_slices_of(job->from->rows), part, parts, &begin, &end);
    for (int64_t slice = begin; slice < end; slice++)
        stn_slice_fill(job->from, slice, job->code, job->codes,
                       job->values + job->start[2 * slice] * job->code,
                       job->index + job->start[2 * slice + 1]);
}

static void unfold_share(void *context, int part, int parts)
{
    const conversion *const job = context;
    int64_t begin, end;
    stn_share(job->from->rows, part, parts, &begin, &end);
    for (int64_t r = begin; r < end; r++) {
        const stn_slice_row row = stn_slice_row_of(job->from, r);
        int64_t at = job->start[r];
        for (int64_t e = 0; e < row.count; e++, at++) {
            job->index[at] = stn_slice_column(&row, e);
            memcpy(job->values + at * job->code,
                   job->codes + (row.first + e * row.step) * job->code, (size_t)job->code);
        }
    }
}

static stn_status allocate(conversion *job, const stn_exec *exec, stn_csr *made, int64_t starts)
{
    const int sliced = made->kind == STN_SPARSE_SLICED;
    const int64_t bytes[] = {starts * (int64_t)sizeof *job->start,
                             (sliced ? made->words : made->entries) * (int64_t)sizeof *job->index,
                             (sliced ? made->slots : made->entries) * job->code};
    void *data[STN_CSR_ARRAYS];
    STN_TRY(stn_csr_allocate(exec, stn_csr_name(made), bytes, &made->memory, data));
    memcpy(data[STN_CSR_STARTS], job->start, (size_t)bytes[STN_CSR_STARTS]);
    job->index = data[STN_CSR_INDICES];
    job->values = data[STN_CSR_VALUES];
    stn_csr_set(made, (const void *const *)data);
    return STN_OK;
}

static stn_status fold(conversion *job, const stn_exec *exec, stn_csr *made)
{
    const int64_t slices = stn_slices_of(made->rows);
    const double bytes = 12.0 * (double)made->entries;
    STN_TRY(stn_allocate(&job->start, 2 * (slices + 1), sizeof *job->start, "slices of a matrix"));
    job->start[0] = job->start[1] = 0;
    stn_exec_run_worth(exec, bytes, measure_share, job);
    for (int64_t k = 2; k < 2 * (slices + 1); k++)
        job->start[k] += job->start[k - 2];
    made->slots = job->start[2 * slices];
    made->words = job->start[2 * slices + 1];
    const stn_status status = allocate(job, exec, made, 2 * (slices + 1));
    if (status == STN_OK)
        stn_exec_run_worth(exec, bytes, fill_share, job);
    stn_free(job->start);
    return status;
}

static stn_status unfold(conversion *job, const stn_exec *exec, stn_csr *made)
{
    STN_TRY(stn_allocate(&job->start, made->rows + 1, sizeof *job->start, "rows of a matrix"));
    job->start[0] = 0;
    for (int64_t r = 0; r < made->rows; r++)
        job->start[r + 1] = job->start[r] + stn_slice_row_of(job->from, r).count;
    const stn_status status = allocate(job, exec, made, made->rows + 1);
    if (status == STN_OK)
        stn_exec_run_worth(exec, 12.0 * (double)made->entries, unfold_share, job);
    stn_free(job->start);
    return status;
}

/* ---- values ---- */

/* The codes of a matrix in another storage, in memory of their own. */
static stn_status convert_values(const stn_exec *exec, const stn_csr *from,
                                 const stn_storage *storage, void **codes)
{
    const int64_t count = from->kind == STN_SPARSE_SLICED ? from->slots : from->entries;
    stn_view old, converted;
    STN_TRY(stn_allocate(codes, count, (size_t)code_bytes(storage->format), "values of a matrix"));
    stn_status status =
        stn_view_wrap_const(&old, stn_csr_name(from), from->storage, from->values, 1, &count, NULL);
    if (status == STN_OK)
        status = stn_view_wrap(&converted, stn_csr_name(from), *storage, *codes, 1, &count, NULL);
    if (status == STN_OK && count > 0)
        status = stn_view_copy(exec, &converted, &old);
    if (status != STN_OK)
        stn_free(*codes);
    return status;
}

/* A matrix that stays of its kind is a mirror with other values. */
static stn_status rearrange(const stn_exec *exec, const stn_csr *from, stn_sparse_kind kind,
                            stn_csr *made)
{
    conversion job = {
        .from = from, .codes = from->values, .code = code_bytes(from->storage.format)};
    if (kind == from->kind)
        return stn_csr_mirror(exec, made, from);
    *made = *from;
    made->kind = kind;
    made->slots = made->words = 0;
    return kind == STN_SPARSE_SLICED ? fold(&job, exec, made) : unfold(&job, exec, made);
}

static stn_status convert(const stn_exec *exec, stn_csr *made, const stn_csr *from,
                          stn_sparse_kind kind, const stn_storage *storage)
{
    int64_t bytes;
    stn_csr stored;
    void *codes = NULL;
    if (exec)
        STN_TRY(stn_exec_expect("stn_sparse_convert", exec));
    if (stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED, "stn_sparse_convert: convert on the host, then "
                                             "stn_csr_mirror");
    STN_TRY(measure("stn_sparse_convert", from, storage ? storage->format : from->storage.format,
                    &kind, &bytes));
    stored = *from;
    if (storage) {
        STN_TRY(convert_values(exec, from, storage, &codes));
        stored.storage = *storage;
        stored.values = codes;
    }
    const stn_status status = rearrange(exec, &stored, kind, made);
    stn_free(codes);
    if (status != STN_OK)
        memset(made, 0, sizeof *made);
    return status;
}

stn_status stn_sparse_convert(const stn_exec *exec, stn_csr *made, const stn_csr *matrix,
                              stn_sparse_kind kind, const stn_storage *storage)
{
    if (!made || made == matrix)
        return stn_fail(STN_ERR_ARGUMENT, "stn_sparse_convert: made is %s",
                        made ? "the matrix itself" : "NULL");
    memset(made, 0, sizeof *made);
    if (!matrix)
        return stn_fail(STN_ERR_ARGUMENT, "stn_sparse_convert: the matrix is NULL");
    STN_RETURN_IN_MODES(convert(exec, made, matrix, kind, storage));
}
