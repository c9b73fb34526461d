/* Describing arrays as a sparse matrix, with every index checked; and copies of it elsewhere. */
#include <string.h>

#include "core/status.h"
#include "format/registry.h"
#include "sparse/csr.h"
#include "view/view.h"

const char *stn_csr_name(const stn_csr *csr)
{
    return csr->label ? csr->label : "a matrix";
}

stn_status stn_csr_expect(const char *call, const stn_csr *csr)
{
    if (!csr || csr->size != sizeof *csr)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the matrix %s", call,
                        csr ? "was not made by stn_csr_wrap" : "is NULL");
    return stn_view_check(call, &csr->memory);
}

static stn_status check_columns(const stn_csr *csr, const char *name, int64_t row)
{
    for (int64_t k = csr->row_start[row]; k < csr->row_start[row + 1]; k++)
        if (csr->column[k] < 0 || csr->column[k] >= csr->columns)
            return stn_fail(STN_ERR_RANGE,
                            "matrix %s: column index %d in row %lld; there are %lld columns", name,
                            csr->column[k], (long long)row, (long long)csr->columns);
    return STN_OK;
}

static stn_status check_rows(const stn_csr *csr, const char *name)
{
    if (csr->row_start[0] != 0)
        return stn_fail(STN_ERR_RANGE, "matrix %s: row_start begins with %lld, not 0", name,
                        (long long)csr->row_start[0]);
    for (int64_t row = 0; row < csr->rows; row++)
        if (csr->row_start[row + 1] < csr->row_start[row])
            return stn_fail(STN_ERR_RANGE, "matrix %s: row_start descends behind row %lld", name,
                            (long long)row);
    return STN_OK;
}

static stn_status check(const stn_csr *csr, const char *name)
{
    if (csr->rows < 0 || csr->columns < 0 || csr->columns > INT32_MAX)
        return stn_fail(STN_ERR_SHAPE, "matrix %s: %lld x %lld; columns can be 0 to 2147483647",
                        name, (long long)csr->rows, (long long)csr->columns);
    const stn_format_entry *entry = stn_format_entry_of(csr->storage.format);
    if (!entry)
        return STN_ERR_FORMAT;
    if (entry->info.kind == STN_CLASS_COMPLEX || entry->info.kind == STN_CLASS_OPAQUE)
        return stn_fail(STN_ERR_FORMAT, "matrix %s: values of format %s are not real numbers", name,
                        entry->info.name);
    if (!csr->row_start)
        return stn_fail(STN_ERR_ARGUMENT, "matrix %s: row_start is NULL", name);
    STN_TRY(check_rows(csr, name));
    if (csr->row_start[csr->rows] > 0 && (!csr->column || !csr->values))
        return stn_fail(STN_ERR_ARGUMENT, "matrix %s: %s is NULL", name,
                        csr->column ? "values" : "column");
    if ((uintptr_t)csr->values % (uintptr_t)entry->info.alignment)
        return stn_fail(STN_ERR_ARGUMENT, "matrix %s: values are not aligned to %lld bytes", name,
                        (long long)entry->info.alignment);
    for (int64_t row = 0; row < csr->rows; row++)
        STN_TRY(check_columns(csr, name, row));
    return STN_OK;
}

stn_status stn_csr_wrap(stn_csr *csr, const char *label, stn_storage storage, int64_t rows,
                        int64_t columns, const int64_t *row_start, const int32_t *column,
                        const void *values)
{
    if (!csr)
        return stn_fail(STN_ERR_ARGUMENT, "stn_csr_wrap: csr is NULL");
    *csr = (stn_csr){0};
    stn_csr made = {.size = sizeof made,
                    .label = label,
                    .rows = rows,
                    .columns = columns,
                    .row_start = row_start,
                    .column = column,
                    .storage = storage,
                    .values = values};
    STN_TRY(check(&made, label ? label : "without a label"));
    made.entries = row_start[rows];
    *csr = made;
    return STN_OK;
}

/* ---- mirrors ---- */

enum { LINE = 64 }; /* at which each array begins */

/* The bytes of the three arrays, and where each one begins behind the first. */
typedef struct arrays {
    int64_t bytes[3], begin[3], all;
} arrays;

/* No sum overflows: the host has memory for all of it. */
static arrays arrays_of(const stn_csr *csr)
{
    const int64_t code = stn_format_entry_of(csr->storage.format)->info.bytes;
    arrays a = {{(csr->rows + 1) * (int64_t)sizeof *csr->row_start,
                 csr->entries * (int64_t)sizeof *csr->column, csr->entries * code},
                {0},
                0};
    for (int k = 0; k < 3; k++) {
        a.begin[k] = a.all;
        a.all += (a.bytes[k] + LINE - 1) / LINE * LINE;
    }
    return a;
}

static stn_status copy_array(const stn_exec *exec, const stn_view *memory, const void *from,
                             int64_t begin, int64_t bytes)
{
    stn_view part, array;
    const stn_slice slice = stn_slice_range(begin, begin + bytes);
    STN_TRY(stn_view_wrap_const(&array, "array of a matrix", stn_storage_of(STN_U8), from, 1,
                                &bytes, NULL));
    STN_TRY(stn_view_slice(&part, memory, 1, &slice));
    return stn_view_copy(exec, &part, &array);
}

static stn_status copy_arrays(const stn_exec *exec, const stn_csr *csr, const arrays *a,
                              const stn_view *memory)
{
    const void *const from[3] = {csr->row_start, csr->column, csr->values};
    for (int k = 0; k < 3; k++)
        if (a->bytes[k] > 0)
            STN_TRY(copy_array(exec, memory, from[k], a->begin[k], a->bytes[k]));
    return STN_OK;
}

stn_status stn_csr_mirror(const stn_exec *exec, stn_csr *mirror, const stn_csr *csr)
{
    stn_view memory;
    if (mirror && mirror != csr)
        memset(mirror, 0, sizeof *mirror);
    if (!mirror || !csr || mirror == csr)
        return stn_fail(STN_ERR_ARGUMENT, "stn_csr_mirror: %s",
                        !mirror ? "mirror is NULL"
                        : !csr  ? "the matrix is NULL"
                                : "the mirror is the matrix itself");
    STN_TRY(stn_csr_expect("stn_csr_mirror", csr));
    if (csr->memory.space != STN_SPACE_HOST)
        return stn_fail(STN_ERR_UNSUPPORTED, "stn_csr_mirror: %s is in device memory already",
                        stn_csr_name(csr));
    const arrays a = arrays_of(csr);
    STN_TRY(stn_view_create(exec, &memory, stn_csr_name(csr), stn_storage_of(STN_U8), NULL, 1,
                            &a.all, STN_UNINITIALISED));
    const stn_status status = copy_arrays(exec, csr, &a, &memory);
    if (status != STN_OK) {
        (void)stn_view_release(&memory);
        return status;
    }
    const char *const bytes = memory.data;
    *mirror = *csr;
    mirror->row_start = (const int64_t *)(const void *)(bytes + a.begin[0]);
    mirror->column = (const int32_t *)(const void *)(bytes + a.begin[1]);
    mirror->values = bytes + a.begin[2];
    mirror->memory = memory;
    return STN_OK;
}

stn_status stn_csr_release(stn_csr *csr)
{
    if (!csr)
        return stn_fail(STN_ERR_ARGUMENT, "stn_csr_release: csr is NULL");
    if (csr->size == 0)
        return STN_OK;
    STN_TRY(stn_csr_expect("stn_csr_release", csr));
    STN_TRY(stn_view_release(&csr->memory));
    memset(csr, 0, sizeof *csr);
    return STN_OK;
}
