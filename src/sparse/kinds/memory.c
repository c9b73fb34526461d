/* Memory of sparse matrices: lists of their arrays, copies in other memory, and release. */
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/available.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "sparse/matrix.h"
#include "sparse/kinds/packed.h"
#include "sparse/kinds/slice.h"
#include "view/blocks.h"
#include "view/layout/mapping.h"
#include "view/scales.h"
#include "view/segmented.h"
#include "view/view.h"
#include "view/owner.h"

/* ---- lists ---- */

/* The array at an address, or, if there is none, the view that replaces it. */
static stn_status put_array(stn_view *result, const char *name, stn_storage storage,
                            const void *data, int64_t count, const stn_view *instead)
{
    if (!stn_view_is_empty(instead)) {
        *result = *instead;
        return STN_OK;
    }
    return stn_view_wrap_const(result, name, storage, data, 1, &count);
}

static stn_status list_packed(const stn_matrix *matrix, stn_view *views)
{
    static const stn_view nothing;
    STN_TRY(put_array(&views[STN_ARRAY_VALUES], "indices of values", stn_storage_of(STN_U8),
                      matrix->values, stn_packed_bytes(matrix->slots, matrix->bits), &nothing));
    return put_array(&views[STN_ARRAY_DICTIONARY], "values", matrix->storage, matrix->dictionary,
                     matrix->distinct, &nothing);
}

static stn_status list(const stn_matrix *matrix, stn_view *views)
{
    static const stn_view nothing;
    const stn_storage i64 = stn_storage_of(STN_I64), i32 = stn_storage_of(STN_I32);
    views[STN_ARRAY_STARTS] = matrix->starts;
    views[STN_ARRAY_INDICES] = matrix->indices;
    views[STN_ARRAY_POSITIONS] = matrix->positions;
    views[STN_ARRAY_SCALES] = matrix->scales;
    views[STN_ARRAY_DICTIONARY] = nothing;
    if (stn_matrix_has_slices(matrix)) {
        const int64_t starts = 2 * (stn_slices_of(matrix->rows) + 1);
        STN_TRY(put_array(&views[STN_ARRAY_STARTS], "slice_start", i64, matrix->slice_start, starts,
                          &nothing));
        STN_TRY(put_array(&views[STN_ARRAY_INDICES], "slice_word", i32, matrix->slice_word,
                          matrix->words, &nothing));
        if (matrix->kind == STN_MATRIX_PACKED)
            return list_packed(matrix, views);
        return put_array(&views[STN_ARRAY_VALUES], "values", matrix->storage, matrix->values,
                         matrix->slots, &matrix->codes);
    }
    if (matrix->kind == STN_MATRIX_CSR) {
        STN_TRY(put_array(&views[STN_ARRAY_STARTS], "row_start", i64, matrix->row_start,
                          matrix->rows + 1, &matrix->starts));
        STN_TRY(put_array(&views[STN_ARRAY_INDICES], "column", i32, matrix->column, matrix->entries,
                          &matrix->indices));
    }
    return put_array(&views[STN_ARRAY_VALUES], "values", matrix->storage, matrix->values,
                     matrix->entries, &matrix->codes);
}

stn_status stn_matrix_list_arrays(const stn_matrix *matrix, stn_view *views)
{
    STN_TRY(list(matrix, views));
    for (int k = 0; k < STN_ARRAYS; k++)
        if (matrix->memory.space != STN_SPACE_HOST && !stn_view_is_empty(&views[k]))
            views[k].space = matrix->memory.space;
    return STN_OK;
}

static int is_plain(const stn_view *view, stn_format format)
{
    return view->rank == 1 && !stn_view_mapping(view) && !stn_view_has_scales(view) &&
           view->storage.format == format && (view->stride[0] == 1 || view->extent[0] == 0);
}

void stn_matrix_set_arrays(stn_matrix *matrix, const stn_view *views)
{
    static const stn_view nothing;
    const stn_view *const starts = &views[STN_ARRAY_STARTS], *const indices =
                                                                 &views[STN_ARRAY_INDICES];
    const stn_view *const codes = &views[STN_ARRAY_VALUES];
    const int sliced = stn_matrix_has_slices(matrix), rows = matrix->kind == STN_MATRIX_CSR;
    const int plain_starts = rows && is_plain(starts, STN_I64);
    const int plain_indices = rows && is_plain(indices, STN_I32);
    const int has_places = matrix->kind == STN_MATRIX_SELL; /* one more than the number of slices */
    const int plain_codes =
        sliced ? !stn_view_mapping(codes) : !has_places && is_plain(codes, matrix->storage.format);
    matrix->row_start = plain_starts ? starts->data : NULL;
    matrix->column = plain_indices ? indices->data : NULL;
    matrix->slice_start = sliced ? starts->data : NULL;
    matrix->slice_word = sliced ? indices->data : NULL;
    matrix->values = plain_codes ? codes->data : NULL;
    matrix->dictionary = views[STN_ARRAY_DICTIONARY].data;
    matrix->starts = sliced || plain_starts ? nothing : *starts;
    matrix->indices = sliced || plain_indices ? nothing : *indices;
    matrix->codes = plain_codes ? nothing : *codes;
    matrix->positions = views[STN_ARRAY_POSITIONS];
    matrix->scales = views[STN_ARRAY_SCALES];
}

/* ---- memory ---- */

stn_status stn_matrix_allocate(const stn_exec *exec, const char *label, const int64_t *bytes,
                               stn_view *memory, void **data)
{
    int64_t begin[STN_ARRAYS], all = 0;
    for (int k = 0; k < STN_ARRAYS; k++) {
        const int64_t lines = bytes[k] / STN_LINE + (bytes[k] % STN_LINE != 0);
        begin[k] = all;
        if (lines > (INT64_MAX - all) / STN_LINE)
            return stn_fail(STN_ERR_MEMORY, "%s: 2^63 bytes of memory or more are needed", label);
        all += lines * STN_LINE;
    }
    if (!stn_exec_device(exec))
        STN_TRY(stn_memory_expect(label, all));
    STN_TRY(stn_view_create_spec(exec, memory,
                                 &STN_VIEW_SPEC(.label = label, .storage = stn_storage_of(STN_U8),
                                                .rank = 1, .extents = &all,
                                                .flags = STN_CREATE_UNINITIALIZED)));
    for (int k = 0; k < STN_ARRAYS; k++)
        data[k] = (char *)memory->data + begin[k];
    return STN_OK;
}

/* ---- mirrors ---- */

/* Returns whether the view is contiguous, including its first element. */
static int is_run(const stn_view *view)
{
    for (int d = 0; d < view->rank; d++)
        if (view->stride[d] < 0)
            return 0;
    return !stn_view_mapping(view) && stn_view_is_contiguous(view);
}

/* On the host, values in blocks and planes are decoded, which is exact. */
static stn_format format_of_copy(const stn_view *view)
{
    return stn_format_block(view->storage.format) ? STN_F64 : view->storage.format;
}

/* Elements that are not units in memory: their bytes; otherwise 0. Registered block formats, and
 * blocks with gaps, are decoded. */
static int64_t stored_bytes(const stn_view *view, const void **first)
{
    size_t bytes = 0;
    *first = view->data;
    if (stn_view_is_empty(view) || stn_view_count(view) == 0)
        return 0;
    if (stn_view_planes_of(view))
        return stn_view_mapping(view)->span * (int64_t)sizeof(double);
    if (stn_format_block(view->storage.format) && stn_format_is_on_devices(view->storage.format) &&
        stn_blocks_are_dense(view))
        *first = stn_blocks_range(view, &bytes);
    return (int64_t)bytes;
}

stn_status stn_matrix_move_values(const stn_view *memory, void *to, stn_view *values)
{
    values->space = memory->space;
    values->owner = NULL;
    values->life = 0;
    values->traits = 0;
    return stn_view_planes_of(values) ? stn_planes_move(memory->owner, values, to)
                                      : stn_blocks_move(memory->owner, values, to);
}

/* Describes the copy of an array's codes at an address: contiguous with the same strides, or else
 * row by row. Repeated elements remain repeated. Scales are shared with the original. */
static stn_view codes_of_copy(const stn_view *view, const stn_view *memory, void *data)
{
    stn_view copy = *view;
    int64_t next = 1;
    copy.data = data;
    copy.space = memory->space;
    copy.owner = NULL;
    copy.life = 0;
    copy.read_only = 1;
    copy.traits = 0;
    copy.extra = NULL;
    copy.first = 0;
    copy.storage.format = format_of_copy(view);
    if (is_run(view))
        return copy;
    for (int d = view->rank - 1; d >= 0; d--) {
        copy.stride[d] = view->stride[d] == 0 ? 0 : next;
        if (copy.stride[d] != 0)
            next *= view->extent[d];
    }
    return copy;
}

static stn_status copy_of(const stn_view *view, const stn_view *memory, void *data, stn_view *copy)
{
    const stn_view from = *view;
    stn_whole whole;
    *copy = codes_of_copy(&from, memory, data);
    if (!stn_view_has_scales(&from))
        return STN_OK;
    stn_whole_of(copy, &whole);
    whole.scales = stn_scales_of(&from);
    return stn_owner_set_whole(memory->owner, copy, &whole);
}

int64_t stn_matrix_array_bytes(const stn_view *view)
{
    const int64_t code =
        stn_view_is_empty(view) ? 0 : stn_format_entry_of(view->storage.format)->info.bytes;
    int64_t count = 1;
    for (int d = 0; d < view->rank; d++)
        count *= view->extent[d] > 1 && view->stride[d] == 0 ? 1 : view->extent[d];
    return count * code;
}

/* The codes without scales, each element once. */
static stn_view bare(const stn_view *view)
{
    stn_view codes = *view;
    codes.storage = stn_storage_of(view->storage.format);
    stn_view_drop_scales(&codes);
    codes.label = "array of a matrix";
    for (int d = 0; d < codes.rank; d++)
        if (codes.stride[d] == 0 && codes.extent[d] > 1)
            codes.extent[d] = codes.stride[d] = 1;
    return codes;
}

static stn_status copy_run(const stn_exec *exec, const stn_view *memory, const void *to,
                           const void *from, int64_t bytes)
{
    stn_view part, array;
    const int64_t begin = (const char *)to - (const char *)memory->data;
    const stn_slice slice = stn_slice_range(begin, begin + bytes);
    STN_TRY(
        stn_view_wrap_const(&array, "array of a matrix", stn_storage_of(STN_U8), from, 1, &bytes));
    STN_TRY(stn_view_slice(&part, memory, 1, &slice));
    return stn_view_copy(exec, &part, &array);
}

/* Arrays that are not contiguous are packed first. */
static stn_status copy_array(const stn_exec *exec, const stn_view *memory, const void *to,
                             const stn_view *from)
{
    const int64_t bytes = stn_view_is_empty(from) ? 0 : stn_matrix_array_bytes(from);
    if (bytes == 0)
        return STN_OK;
    const stn_view codes = bare(from);
    if (is_run(&codes))
        return copy_run(exec, memory, to, codes.data, bytes);
    stn_view run;
    STN_TRY(stn_view_create_spec(NULL, &run,
                                 &STN_VIEW_SPEC(.label = "array of a matrix", .rank = codes.rank,
                                                .storage = stn_storage_of(format_of_copy(&codes)),
                                                .extents = codes.extent,
                                                .flags = STN_CREATE_UNINITIALIZED)));
    stn_status status = stn_view_copy(NULL, &run, &codes);
    if (status == STN_OK)
        status = copy_run(exec, memory, to, run.data, bytes);
    (void)stn_view_release(&run);
    return status;
}

/* Planes, or blocks. */
static stn_status copy_stored(const stn_exec *exec, const stn_view *memory, void *to,
                              stn_view *values)
{
    const void *first;
    const int64_t bytes = stored_bytes(values, &first);
    STN_TRY(stn_view_settle("stn_matrix_mirror", NULL, values));
    STN_TRY(copy_run(exec, memory, to, first, bytes));
    return stn_matrix_move_values(memory, to, values);
}

static stn_status create_mirror(const stn_exec *exec, const stn_matrix *matrix, stn_matrix *mirror)
{
    stn_view from[STN_ARRAYS], memory;
    int64_t bytes[STN_ARRAYS];
    void *data[STN_ARRAYS];
    const void *first;
    STN_TRY(stn_matrix_list_arrays(matrix, from));
    const int64_t stored =
        stn_exec_device(exec) ? stored_bytes(&from[STN_ARRAY_VALUES], &first) : 0;
    for (int k = 0; k < STN_ARRAYS; k++)
        bytes[k] = stn_matrix_array_bytes(&from[k]);
    if (stored > 0)
        bytes[STN_ARRAY_VALUES] = stored;
    STN_TRY(stn_matrix_allocate(exec, stn_matrix_name(matrix), bytes, &memory, data));
    for (int k = 0; k < STN_ARRAYS; k++) {
        const int is_stored = stored > 0 && k == STN_ARRAY_VALUES;
        stn_status status = is_stored ? copy_stored(exec, &memory, data[k], &from[k])
                                      : copy_array(exec, &memory, data[k], &from[k]);
        if (status == STN_OK && !stn_view_is_empty(&from[k]) && !is_stored)
            status = copy_of(&from[k], &memory, data[k], &from[k]);
        if (status != STN_OK) {
            (void)stn_view_release(&memory);
            return status;
        }
    }
    from[STN_ARRAY_VALUES].read_only &= stored > 0;
    *mirror = *matrix;
    stn_matrix_set_arrays(mirror, from);
    mirror->memory = memory;
    mirror->read_only = from[STN_ARRAY_VALUES].read_only;
    return STN_OK;
}

/* A matrix on another device is copied to the host first. */
static stn_status mirror_any(const stn_exec *exec, const stn_matrix *matrix, stn_matrix *mirror)
{
    stn_matrix host;
    if (matrix->kind == STN_MATRIX_PACKED && stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "stn_matrix_mirror: %s is of kind STN_MATRIX_PACKED, which exists in host "
                        "memory only; stn_sparse_convert converts it to STN_MATRIX_SLICED",
                        stn_matrix_name(matrix));
    STN_TRY(stn_matrix_to_host("stn_matrix_mirror", matrix, &host));
    if (!stn_view_is_empty(&host.memory) && !stn_exec_device(exec)) {
        *mirror = host;
        return STN_OK;
    }
    const stn_status status = create_mirror(exec, &host, mirror);
    (void)stn_view_release(&host.memory);
    return status;
}

stn_status stn_matrix_copy(const stn_exec *exec, stn_matrix *result, const stn_matrix *matrix)
{
    memset(result, 0, sizeof *result);
    STN_TRY(stn_matrix_expect("stn_matrix_mirror", matrix));
    return mirror_any(exec, matrix, result);
}

stn_status stn_matrix_mirror(const stn_exec *exec, stn_matrix **result, const stn_matrix *a)
{
    stn_matrix *mirror;
    STN_TRY(stn_matrix_begin("stn_matrix_mirror", result, &mirror));
    STN_RETURN_IN_MODES(
        stn_matrix_end("stn_matrix_mirror", result, mirror, stn_matrix_copy(exec, mirror, a)));
}
