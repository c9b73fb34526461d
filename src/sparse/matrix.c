/* Handles of sparse matrices, what they report, and the checks that operations share. */
#include <string.h>

#include "blas/call.h"
#include "core/grow.h"
#include "core/memory.h"
#include "core/status.h"
#include "exec/uses.h"
#include "format/registry.h"
#include "sparse/matrix.h"
#include "sparse/kinds/wrap.h"
#include "view/blocks.h"
#include "view/view.h"

/* ---- handles ---- */

stn_status stn_matrix_begin(const char *call, stn_matrix **result, stn_matrix **matrix)
{
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the address of the new matrix is NULL", call);
    *result = NULL;
    const stn_status status = stn_allocate(matrix, 1, sizeof **matrix, "a matrix");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    memset(*matrix, 0, sizeof **matrix);
    return STN_OK;
}

stn_status stn_label_copy(char **copy, const char *label)
{
    *copy = NULL;
    if (!label)
        return STN_OK;
    const size_t bytes = strlen(label) + 1;
    STN_TRY(stn_allocate(copy, (int64_t)bytes, 1, "a label"));
    memcpy(*copy, label, bytes);
    return STN_OK;
}

stn_status stn_matrix_end(const char *call, stn_matrix **result, stn_matrix *matrix,
                          stn_status status)
{
    if (status == STN_OK) {
        status = stn_label_copy(&matrix->own_label, matrix->label);
        matrix->label = matrix->own_label;
        matrix->optimized = matrix->transposed = NULL;
        if (status == STN_OK) {
            *result = matrix;
            return STN_OK;
        }
        (void)stn_error_prefix(status, "%s", call);
        stn_matrix_clear(matrix);
    }
    stn_free(matrix);
    return status;
}

stn_status stn_matrix_set_label(stn_matrix *a, const char *label)
{
    char *copy;
    if (!a)
        return stn_fail(STN_ERR_ARGUMENT, "stn_matrix_set_label: the matrix is NULL");
    const stn_status status = stn_label_copy(&copy, label);
    if (status != STN_OK)
        return stn_error_prefix(status, "stn_matrix_set_label");
    stn_free(a->own_label);
    a->label = a->own_label = copy;
    if (a->optimized)
        a->optimized->label = copy;
    if (a->transposed)
        a->transposed->label = copy;
    return STN_OK;
}

void stn_matrix_clear(stn_matrix *matrix)
{
    (void)stn_view_release(&matrix->memory);
    memset(matrix, 0, sizeof *matrix);
}

void stn_matrix_release(stn_matrix *a)
{
    if (!a)
        return;
    stn_matrix_discard_copies(a);
    stn_free(a->own_label);
    stn_matrix_clear(a);
    stn_free(a);
}

stn_matrix stn_matrix_of_rows(const char *label, stn_storage storage, int64_t rows, int64_t columns,
                              const int64_t *row_start, const int32_t *column, const void *values)
{
    return (stn_matrix){.size = sizeof(stn_matrix),
                        .label = label,
                        .rows = rows,
                        .columns = columns,
                        .entries = row_start[rows],
                        .row_start = row_start,
                        .column = column,
                        .storage = storage,
                        .values = values,
                        .kind = STN_MATRIX_CSR};
}

/* ---- checks ---- */

const char *stn_matrix_name(const stn_matrix *matrix)
{
    return matrix->label ? matrix->label : "a matrix";
}

stn_status stn_matrix_expect_format(const char *name, stn_format format)
{
    const stn_format_entry *entry = stn_format_entry_of(format);
    if (!entry)
        return STN_ERR_FORMAT;
    if (entry->info.kind == STN_CLASS_OPAQUE)
        return stn_fail(STN_ERR_FORMAT, "matrix %s: values of format %s are not numbers", name,
                        entry->info.name);
    if (entry->block)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "matrix %s: arrays of values cannot have block format %s; "
                        "stn_matrix_wrap_views accepts views in this format",
                        name, entry->info.name);
    return STN_OK;
}

/* Arrays of a matrix on the host may be pinned memory, which queued work uses. */
static stn_status settle(const char *call, const stn_matrix *matrix)
{
    stn_view arrays[STN_ARRAYS];
    if (matrix->memory.space != STN_SPACE_HOST)
        return STN_OK;
    STN_TRY(stn_matrix_list_arrays(matrix, arrays));
    for (int k = 0; k < STN_ARRAYS; k++)
        if (!stn_view_is_empty(&arrays[k]))
            STN_TRY(stn_view_settle(call, NULL, &arrays[k]));
    return STN_OK;
}

stn_status stn_matrix_expect(const char *call, const stn_matrix *matrix)
{
    if (!matrix)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the matrix is NULL", call);
    return stn_uses_any() ? settle(call, matrix) : STN_OK;
}

int stn_matrix_is_complex(const stn_matrix *matrix)
{
    return stn_format_entry_of(matrix->storage.format)->info.kind == STN_CLASS_COMPLEX;
}

stn_status stn_matrix_expect_arithmetic(const char *call, stn_format arithmetic,
                                        const stn_matrix *matrix)
{
    const int is_complex = stn_blas_is_complex(arithmetic);
    STN_TRY(stn_matrix_expect(call, matrix));
    if (!is_complex && arithmetic != STN_F64 && arithmetic != STN_F32)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: arithmetic is %s; it must be f64, f32, c128 or c64", call,
                        stn_format_text(arithmetic));
    if (is_complex != stn_matrix_is_complex(matrix))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: values of %s are %s numbers", call,
                        stn_matrix_name(matrix), is_complex ? "real" : "complex");
    return STN_OK;
}

stn_status stn_matrix_expect_real(const char *name, stn_format format)
{
    STN_TRY(stn_matrix_expect_format(name, format));
    const stn_format_info *const info = &stn_format_entry_of(format)->info;
    if (info->kind == STN_CLASS_COMPLEX)
        return stn_fail(STN_ERR_FORMAT, "matrix %s: values of format %s are not real numbers", name,
                        info->name);
    return STN_OK;
}

int stn_matrix_is_plain(const stn_matrix *matrix)
{
    return matrix->kind == STN_MATRIX_CSR && stn_view_is_empty(&matrix->starts) &&
           stn_view_is_empty(&matrix->indices) && stn_view_is_empty(&matrix->codes) &&
           stn_view_is_empty(&matrix->scales);
}

/* ---- queries ---- */

/* The bytes of an array, of its blocks, or of the planes of it that are read. */
static int64_t bytes_read(const stn_view *array)
{
    const int planes = stn_view_plane_count(array);
    size_t bytes;
    if (!stn_view_is_empty(array) && stn_format_block(array->storage.format)) {
        (void)stn_blocks_range(array, &bytes);
        return (int64_t)bytes;
    }
    return planes ? stn_view_count(array) * (2 + 2 * planes) : stn_matrix_array_bytes(array);
}

stn_status stn_matrix_describe(const stn_matrix *a, stn_matrix_info *info)
{
    static const char call[] = "stn_matrix_describe";
    stn_view arrays[STN_ARRAYS];
    stn_matrix_info full = STN_MATRIX_INFO_INIT;
    if (!a)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the matrix is NULL", call);
    const stn_status status = STN_STRUCT_CHECK(info, stn_matrix_info, duplicates, "info");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    STN_TRY(stn_matrix_list_arrays(a, arrays));
    full.label = a->label;
    full.kind = a->kind;
    full.rows = a->rows;
    full.columns = a->columns;
    full.entries = a->entries;
    for (int k = 0; k < STN_ARRAYS; k++)
        if (!stn_view_is_empty(&arrays[k]))
            full.bytes += bytes_read(&arrays[k]);
    full.storage = a->storage;
    full.space = (stn_space)a->memory.space;
    full.height = a->height;
    full.sigma = a->sigma;
    full.duplicates = a->duplicates;
    STN_STRUCT_WRITE(info, &full, stn_matrix_info);
    return STN_OK;
}

static void fill_views(const stn_matrix *a, const stn_view *arrays, stn_matrix_views *views)
{
    views->label = a->label;
    views->kind = a->kind;
    views->rows = a->rows;
    views->columns = a->columns;
    views->values = arrays[a->kind == STN_MATRIX_PACKED ? STN_ARRAY_DICTIONARY : STN_ARRAY_VALUES];
    views->row_scales = arrays[STN_ARRAY_SCALES];
    views->height = a->height;
    views->duplicates = a->duplicates;
    if (stn_matrix_has_slices(a))
        return;
    views->column = arrays[STN_ARRAY_INDICES];
    *(a->kind == STN_MATRIX_CSR ? &views->row_start : &views->slice_start) =
        arrays[STN_ARRAY_STARTS];
    *(a->kind == STN_MATRIX_COO ? &views->row : &views->row_position) = arrays[STN_ARRAY_POSITIONS];
}

stn_status stn_matrix_get_views(const stn_matrix *a, stn_matrix_views *views)
{
    static const char call[] = "stn_matrix_get_views";
    stn_view arrays[STN_ARRAYS];
    stn_matrix_views full = STN_MATRIX_VIEWS_INIT;
    if (!a)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the matrix is NULL", call);
    const stn_status status = STN_STRUCT_CHECK(views, stn_matrix_views, duplicates, "views");
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    STN_TRY(stn_matrix_list_arrays(a, arrays));
    for (int k = 0; k < STN_ARRAYS; k++)
        if (!stn_view_is_empty(&arrays[k])) {
            arrays[k].read_only = 1;
            arrays[k].owner = NULL;
            arrays[k].life = 0;
        }
    fill_views(a, arrays, &full);
    STN_STRUCT_WRITE(views, &full, stn_matrix_views);
    return STN_OK;
}
