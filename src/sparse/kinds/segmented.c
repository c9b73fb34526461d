/* Matrices whose values are divided into planes, of which products read one, two or three. */
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "format/run.h"
#include "sparse/matrix.h"
#include "view/segmented.h"
#include "view/view.h"

/* ---- creation ---- */

static stn_status expect_values(const char *call, const stn_matrix *a)
{
    const char *const name = stn_matrix_name(a);
    if (a->kind == STN_MATRIX_PACKED)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: values of %s are indices of a dictionary", call,
                        name);
    if (a->storage.format != STN_F64)
        return stn_fail(STN_ERR_FORMAT, "%s: values of %s are %s; they must be f64", call, name,
                        stn_format_text(a->storage.format));
    if (!stn_storage_is_plain(&a->storage) || stn_view_has_scales(&a->codes))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: values of %s have a scale", call, name);
    for (int d = 0; d < a->codes.rank; d++)
        if (a->codes.extent[d] > 1 && a->codes.stride[d] == 0)
            return stn_fail(STN_ERR_UNSUPPORTED, "%s: values of %s are repeated (stride 0)", call,
                            name);
    return STN_OK;
}

/* Describes the memory of contiguous values as planes in the same order of elements. */
static stn_status describe_planes(const stn_view *values, const stn_view *memory, stn_view *planes)
{
    const int is_by_columns = values->rank == 2 && values->stride[0] == 1 && values->extent[1] > 1;
    const int64_t turned[2] = {values->extent[values->rank - 1], values->extent[0]};
    stn_view wrapped;
    STN_TRY(stn_view_wrap_segmented(&wrapped, "values", values->data, values->rank,
                                    is_by_columns ? turned : values->extent));
    *planes = wrapped;
    planes->owner = NULL;
    planes->label = "values";
    stn_status status = stn_planes_create(memory->owner, planes);
    if (status == STN_OK && is_by_columns)
        status = stn_view_permute(planes, planes, 2, (const int[]){1, 0});
    (void)stn_view_release(&wrapped);
    return status;
}

/* Divides the values of a matrix that owns its arrays, in their memory. */
static stn_status divide(const stn_exec *exec, stn_matrix *matrix)
{
    stn_view arrays[STN_ARRAYS], copy;
    STN_TRY(stn_matrix_list_arrays(matrix, arrays));
    const stn_view *const values = &arrays[STN_ARRAY_VALUES];
    STN_TRY(describe_planes(values, &matrix->memory, &matrix->codes));
    STN_TRY(stn_view_create_spec(NULL, &copy,
                                 &STN_VIEW_SPEC(.label = "values", .storage = matrix->storage,
                                                .rank = values->rank, .extents = values->extent,
                                                .flags = STN_CREATE_UNINITIALIZED)));
    stn_status status = stn_view_copy(exec, &copy, values);
    if (status == STN_OK)
        status = stn_view_copy(exec, &matrix->codes, &copy);
    (void)stn_view_release(&copy);
    matrix->values = NULL;
    return status;
}

static stn_status segment(const stn_exec *exec, stn_matrix *result, const stn_matrix *a)
{
    static const char call[] = "stn_matrix_segment";
    if (exec)
        STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(stn_matrix_expect(call, a));
    if (stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: segmented matrices are in host memory, which %s cannot access", call,
                        stn_exec_name(exec));
    STN_TRY(expect_values(call, a));
    STN_TRY(stn_matrix_copy(exec, result, a));
    const stn_status status = divide(exec, result);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

stn_status stn_matrix_segment(const stn_exec *exec, stn_matrix **result, const stn_matrix *a)
{
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin("stn_matrix_segment", result, &matrix));
    STN_RETURN_IN_MODES(
        stn_matrix_end("stn_matrix_segment", result, matrix, segment(exec, matrix, a)));
}

/* ---- derived matrices ---- */

/* The memory of the matrix, or the segmented view of a matrix that owns none, is kept. */
static stn_status derive(stn_matrix *result, const stn_matrix *a, int planes)
{
    static const char call[] = "stn_matrix_planes";
    STN_TRY(stn_matrix_expect(call, a));
    if (!stn_view_planes_of(&a->codes))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: values of %s are not segmented; stn_matrix_segment divides them", call,
                        stn_matrix_name(a));
    if (planes < 1 || planes > STN_MAX_PLANES)
        return stn_fail(STN_ERR_RANGE, "%s: planes is %d; it must be 1, 2 or 3", call, planes);
    const stn_view *const kept = stn_view_is_empty(&a->memory) ? &a->codes : &a->memory;
    if (!kept->owner)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: values of %s are a part without a handle; create it with "
                        "stn_view_share_slice",
                        call, stn_matrix_name(a));
    stn_view memory;
    STN_TRY(stn_view_share(&memory, kept));
    *result = *a;
    result->memory = memory;
    STN_TRY(stn_planes_select(memory.owner, &result->codes, planes));
    result->read_only = result->codes.read_only;
    return STN_OK;
}

stn_status stn_matrix_planes(stn_matrix **result, const stn_matrix *a, int planes)
{
    stn_matrix *matrix;
    STN_TRY(stn_matrix_begin("stn_matrix_planes", result, &matrix));
    STN_RETURN_IN_MODES(
        stn_matrix_end("stn_matrix_planes", result, matrix, derive(matrix, a, planes)));
}
