/* The matrix for the inner solver of refinement. */
#include "narrow.h"

#include "core/status.h"
#include "steno/sparse_operations.h"

enum { MAX_DOUBLINGS = 8 };

/* Scale from the largest magnitude, of the parts of complex numbers. */
static stn_status fit(stn_storage *storage, const stn_format_info *part, const stn_matrix *matrix)
{
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    stn_storage of_parts = stn_storage_of(part->format);
    const int64_t parts = storage->format == part->format ? 1 : 2;
    if (part->kind != STN_CLASS_INTEGER && part->exponent_bits >= 8)
        return STN_OK;
    STN_TRY(stn_matrix_get_views(matrix, &views));
    STN_TRY(stn_storage_fit_scale(&of_parts, STN_F64, views.values.data,
                                  parts * views.values.extent[0], STN_SCALE_POWER_OF_TWO));
    storage->scale = of_parts.scale;
    return STN_OK;
}

stn_status narrow_create(const stn_exec *exec, stn_matrix **result, const stn_matrix *matrix,
                         stn_format format)
{
    stn_storage storage = stn_storage_of(format);
    stn_format_info info = STN_FORMAT_INFO_INIT, part = STN_FORMAT_INFO_INIT;
    stn_matrix *rounded;
    stn_status status;
    STN_TRY(stn_format_describe(format, &info));
    STN_TRY(stn_format_describe(info.component, &part));
    STN_TRY(fit(&storage, &part, matrix));
    if (info.bytes > 2)
        return stn_sparse_convert(exec, result, matrix, STN_MATRIX_AUTO, &storage);
    /* A diagonal that compensates the rounding errors of its row may exceed the largest value. */
    for (int k = 0;
         (status = stn_sparse_compensate(exec, &rounded, matrix, &storage)) == STN_ERR_RANGE &&
         k < MAX_DOUBLINGS;
         k++)
        storage.scale *= 2.0;
    STN_TRY(status);
    status = stn_sparse_convert(exec, result, rounded, STN_MATRIX_AUTO, NULL);
    stn_matrix_release(rounded);
    return status;
}
