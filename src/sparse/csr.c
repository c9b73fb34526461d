/* Describing arrays as a sparse matrix, with every index checked. */
#include "blas/call.h"
#include "core/status.h"
#include "exec/uses.h"
#include "format/registry.h"
#include "sparse/csr.h"
#include "sparse/wrap.h"
#include "view/view.h"

const char *stn_csr_name(const stn_matrix *csr)
{
    return csr->label ? csr->label : "a matrix";
}

stn_status stn_csr_expect_format(const char *name, stn_format format)
{
    const stn_format_entry *entry = stn_format_entry_of(format);
    if (!entry)
        return STN_ERR_FORMAT;
    if (entry->info.kind == STN_CLASS_OPAQUE)
        return stn_fail(STN_ERR_FORMAT, "matrix %s: values of format %s are not numbers", name,
                        entry->info.name);
    return STN_OK;
}

/* Arrays of a matrix on the host may be pinned memory, which queued work uses. */
static stn_status settle(const char *call, const stn_matrix *csr)
{
    stn_view arrays[STN_CSR_ARRAYS];
    if (csr->memory.space != STN_SPACE_HOST)
        return STN_OK;
    STN_TRY(stn_csr_views(csr, arrays));
    for (int k = 0; k < STN_CSR_ARRAYS; k++)
        if (!stn_view_is_nothing(&arrays[k]))
            STN_TRY(stn_view_settle(call, NULL, &arrays[k]));
    return STN_OK;
}

stn_status stn_csr_expect(const char *call, const stn_matrix *csr)
{
    if (!csr || csr->size != sizeof *csr)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the matrix %s", call,
                        csr ? "was not made by stn_matrix_wrap_csr_arrays" : "is NULL");
    const stn_status status = stn_csr_expect_format(stn_csr_name(csr), csr->storage.format);
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    STN_TRY(stn_view_check(call, &csr->memory));
    return stn_uses_any() ? settle(call, csr) : STN_OK;
}

int stn_csr_is_complex(const stn_matrix *csr)
{
    return stn_format_entry_of(csr->storage.format)->info.kind == STN_CLASS_COMPLEX;
}

stn_status stn_csr_expect_arithmetic(const char *call, stn_format arithmetic, const stn_matrix *csr)
{
    const int is_complex = stn_blas_is_complex(arithmetic);
    STN_TRY(stn_csr_expect(call, csr));
    if (!is_complex && arithmetic != STN_F64 && arithmetic != STN_F32)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: arithmetic is %s; it must be f64, f32, c128 or c64", call,
                        stn_format_text(arithmetic));
    if (is_complex != stn_csr_is_complex(csr))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: values of %s are %s numbers", call,
                        stn_csr_name(csr), is_complex ? "real" : "complex");
    return STN_OK;
}

stn_status stn_csr_expect_real(const char *name, stn_format format)
{
    STN_TRY(stn_csr_expect_format(name, format));
    const stn_format_info *const info = &stn_format_entry_of(format)->info;
    if (info->kind == STN_CLASS_COMPLEX)
        return stn_fail(STN_ERR_FORMAT, "matrix %s: values of format %s are not real numbers", name,
                        info->name);
    return STN_OK;
}

int stn_csr_is_plain(const stn_matrix *csr)
{
    return csr->kind == STN_MATRIX_CSR && stn_view_is_nothing(&csr->starts) &&
           stn_view_is_nothing(&csr->indices) && stn_view_is_nothing(&csr->codes) &&
           stn_view_is_nothing(&csr->scales);
}

stn_status stn_csr_expect_plain(const char *call, const stn_matrix *csr)
{
    STN_TRY(stn_csr_expect(call, csr));
    if (csr->memory.space != STN_SPACE_HOST)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is in device memory", call, stn_csr_name(csr));
    if (!stn_csr_is_plain(csr))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s is not in compressed rows with row starts of i64, columns of i32 "
                        "and one scale, which stn_sparse_convert makes",
                        call, stn_csr_name(csr));
    return stn_csr_expect_real(stn_csr_name(csr), csr->storage.format);
}

static stn_status check_columns(const stn_matrix *csr, const char *name, int64_t row)
{
    for (int64_t k = csr->row_start[row]; k < csr->row_start[row + 1]; k++)
        if (csr->column[k] < 0 || csr->column[k] >= csr->columns)
            return stn_fail(STN_ERR_RANGE,
                            "stn_matrix_wrap_csr_arrays: matrix %s: column index %d in row %lld; "
                            "there are %lld columns",
                            name, csr->column[k], (long long)row, (long long)csr->columns);
    return STN_OK;
}

static stn_status check_rows(const stn_matrix *csr, const char *name)
{
    if (csr->row_start[0] != 0)
        return stn_fail(STN_ERR_RANGE,
                        "stn_matrix_wrap_csr_arrays: matrix %s: row_start begins with %lld, not 0",
                        name, (long long)csr->row_start[0]);
    for (int64_t row = 0; row < csr->rows; row++)
        if (csr->row_start[row + 1] < csr->row_start[row])
            return stn_fail(
                STN_ERR_RANGE,
                "stn_matrix_wrap_csr_arrays: matrix %s: row_start descends after row %lld", name,
                (long long)row);
    return STN_OK;
}

static stn_status check(const stn_matrix *csr, const char *name)
{
    STN_TRY(stn_wrap_expect_size("stn_matrix_wrap_csr_arrays", name, csr->rows, csr->columns));
    STN_TRY(stn_csr_expect_format(name, csr->storage.format));
    const stn_format_entry *entry = stn_format_entry_of(csr->storage.format);
    if (!csr->row_start)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_matrix_wrap_csr_arrays: matrix %s: row_start is NULL", name);
    STN_TRY(check_rows(csr, name));
    if (csr->row_start[csr->rows] > 0 && (!csr->column || !csr->values))
        return stn_fail(STN_ERR_ARGUMENT, "stn_matrix_wrap_csr_arrays: matrix %s: %s is NULL", name,
                        csr->column ? "values" : "column");
    if ((uintptr_t)csr->values % (uintptr_t)entry->info.alignment)
        return stn_fail(
            STN_ERR_ARGUMENT,
            "stn_matrix_wrap_csr_arrays: matrix %s: values are not aligned to %lld bytes", name,
            (long long)entry->info.alignment);
    for (int64_t row = 0; row < csr->rows; row++)
        STN_TRY(check_columns(csr, name, row));
    return STN_OK;
}

stn_status stn_matrix_wrap_csr_arrays(stn_matrix *csr, const char *label, stn_storage storage,
                                      int64_t rows, int64_t columns, const int64_t *row_start,
                                      const int32_t *column, const void *values)
{
    if (!csr)
        return stn_fail(STN_ERR_ARGUMENT, "stn_matrix_wrap_csr_arrays: csr is NULL");
    *csr = (stn_matrix){0};
    stn_matrix made = {.size = sizeof made,
                       .label = label,
                       .rows = rows,
                       .columns = columns,
                       .row_start = row_start,
                       .column = column,
                       .storage = storage,
                       .values = values,
                       .kind = STN_MATRIX_CSR};
    STN_TRY(check(&made, label ? label : "without a label"));
    made.entries = row_start[rows];
    *csr = made;
    return STN_OK;
}
