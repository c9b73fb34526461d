/* Where the arrays of sparse matrices are: lists of them, copies elsewhere, and their release. */
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/available.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "sparse/csr.h"
#include "sparse/slice.h"
#include "view/view.h"
#include "view/scales.h"
#include "view/owner.h"

/* ---- lists ---- */

/* The array at an address, or the view that is there in its place. */
static stn_status put_array(stn_view *made, const char *name, stn_storage storage, const void *data,
                            int64_t count, const stn_view *instead)
{
    if (!stn_view_is_nothing(instead)) {
        *made = *instead;
        return STN_OK;
    }
    return stn_view_wrap_const(made, name, storage, data, 1, &count, NULL);
}

static stn_status list(const stn_matrix *csr, stn_view *views)
{
    static const stn_view nothing;
    const stn_storage i64 = stn_storage_of(STN_I64), i32 = stn_storage_of(STN_I32);
    views[STN_CSR_STARTS] = csr->starts;
    views[STN_CSR_INDICES] = csr->indices;
    views[STN_CSR_PLACES] = csr->places;
    views[STN_CSR_SCALES] = csr->scales;
    if (csr->kind == STN_MATRIX_SLICED) {
        const int64_t starts = 2 * (stn_slices_of(csr->rows) + 1);
        STN_TRY(put_array(&views[STN_CSR_STARTS], "slice_start", i64, csr->slice_start, starts,
                          &nothing));
        STN_TRY(put_array(&views[STN_CSR_INDICES], "slice_word", i32, csr->slice_word, csr->words,
                          &nothing));
        return put_array(&views[STN_CSR_VALUES], "values", csr->storage, csr->values, csr->slots,
                         &nothing);
    }
    if (csr->kind == STN_MATRIX_CSR) {
        STN_TRY(put_array(&views[STN_CSR_STARTS], "row_start", i64, csr->row_start, csr->rows + 1,
                          &csr->starts));
        STN_TRY(put_array(&views[STN_CSR_INDICES], "column", i32, csr->column, csr->entries,
                          &csr->indices));
    }
    return put_array(&views[STN_CSR_VALUES], "values", csr->storage, csr->values, csr->entries,
                     &csr->codes);
}

stn_status stn_csr_views(const stn_matrix *csr, stn_view *views)
{
    STN_TRY(list(csr, views));
    for (int k = 0; k < STN_CSR_ARRAYS; k++)
        if (csr->memory.space != STN_SPACE_HOST && !stn_view_is_nothing(&views[k]))
            views[k].space = csr->memory.space;
    return STN_OK;
}

static int is_plain(const stn_view *view, stn_format format)
{
    return view->rank == 1 && !stn_view_mapping(view) && !stn_view_has_scales(view) &&
           view->storage.format == format && (view->stride[0] == 1 || view->extent[0] == 0);
}

void stn_csr_set(stn_matrix *csr, const stn_view *views)
{
    static const stn_view nothing;
    const stn_view *const starts = &views[STN_CSR_STARTS], *const indices = &views[STN_CSR_INDICES];
    const stn_view *const codes = &views[STN_CSR_VALUES];
    const int sliced = csr->kind == STN_MATRIX_SLICED, rows = csr->kind == STN_MATRIX_CSR;
    const int plain_starts = rows && is_plain(starts, STN_I64);
    const int plain_indices = rows && is_plain(indices, STN_I32);
    const int has_places = csr->kind == STN_MATRIX_SELL; /* more of them than entries */
    const int plain_codes = sliced || (!has_places && is_plain(codes, csr->storage.format));
    csr->row_start = plain_starts ? starts->data : NULL;
    csr->column = plain_indices ? indices->data : NULL;
    csr->slice_start = sliced ? starts->data : NULL;
    csr->slice_word = sliced ? indices->data : NULL;
    csr->values = plain_codes ? codes->data : NULL;
    csr->starts = sliced || plain_starts ? nothing : *starts;
    csr->indices = sliced || plain_indices ? nothing : *indices;
    csr->codes = plain_codes ? nothing : *codes;
    csr->places = views[STN_CSR_PLACES];
    csr->scales = views[STN_CSR_SCALES];
}

/* ---- memory ---- */

stn_status stn_csr_allocate(const stn_exec *exec, const char *label, const int64_t *bytes,
                            stn_view *memory, void **data)
{
    int64_t begin[STN_CSR_ARRAYS], all = 0;
    for (int k = 0; k < STN_CSR_ARRAYS; k++) {
        const int64_t lines = bytes[k] / STN_LINE + (bytes[k] % STN_LINE != 0);
        begin[k] = all;
        if (lines > (INT64_MAX - all) / STN_LINE)
            return stn_fail(STN_ERR_MEMORY, "%s: 2^63 bytes of memory or more are needed", label);
        all += lines * STN_LINE;
    }
    if (!stn_exec_device(exec))
        STN_TRY(stn_memory_expect(label, all));
    STN_TRY(stn_view_create(exec, memory, label, stn_storage_of(STN_U8), NULL, 1, &all,
                            STN_CREATE_UNINITIALIZED));
    for (int k = 0; k < STN_CSR_ARRAYS; k++)
        data[k] = (char *)memory->data + begin[k];
    return STN_OK;
}

/* ---- mirrors ---- */

/* Memory is one run of codes, from the first element on. */
static int is_run(const stn_view *view)
{
    for (int d = 0; d < view->rank; d++)
        if (view->stride[d] < 0)
            return 0;
    return !stn_view_mapping(view) && stn_view_is_contiguous(view);
}

/* What a copy of the array's codes is, at an address: one run of the same strides, or else row by
 * row; what is repeated stays repeated. Scales stay where they are. */
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
    return stn_owner_keep_whole(memory->owner, copy, &whole);
}

static int64_t bytes_of(const stn_view *view)
{
    const int64_t code =
        stn_view_is_nothing(view) ? 0 : stn_format_entry_of(view->storage.format)->info.bytes;
    int64_t count = 1;
    for (int d = 0; d < view->rank; d++)
        count *= view->extent[d] > 1 && view->stride[d] == 0 ? 1 : view->extent[d];
    return count * code;
}

/* The codes alone, each once. */
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
    STN_TRY(stn_view_wrap_const(&array, "array of a matrix", stn_storage_of(STN_U8), from, 1,
                                &bytes, NULL));
    STN_TRY(stn_view_slice(&part, memory, 1, &slice));
    return stn_view_copy(exec, &part, &array);
}

/* What is no run becomes one first. */
static stn_status copy_array(const stn_exec *exec, const stn_view *memory, const void *to,
                             const stn_view *from)
{
    const int64_t bytes = stn_view_is_nothing(from) ? 0 : bytes_of(from);
    if (bytes == 0)
        return STN_OK;
    const stn_view codes = bare(from);
    if (is_run(&codes))
        return copy_run(exec, memory, to, codes.data, bytes);
    stn_view run;
    STN_TRY(stn_view_create(NULL, &run, "array of a matrix", codes.storage, NULL, codes.rank,
                            codes.extent, STN_CREATE_UNINITIALIZED));
    stn_status status = stn_view_copy(NULL, &run, &codes);
    if (status == STN_OK)
        status = copy_run(exec, memory, to, run.data, bytes);
    (void)stn_view_release(&run);
    return status;
}

static stn_status make_mirror(const stn_exec *exec, const stn_matrix *csr, stn_matrix *mirror)
{
    stn_view from[STN_CSR_ARRAYS], memory;
    int64_t bytes[STN_CSR_ARRAYS];
    void *data[STN_CSR_ARRAYS];
    STN_TRY(stn_csr_views(csr, from));
    for (int k = 0; k < STN_CSR_ARRAYS; k++)
        bytes[k] = bytes_of(&from[k]);
    STN_TRY(stn_csr_allocate(exec, stn_csr_name(csr), bytes, &memory, data));
    for (int k = 0; k < STN_CSR_ARRAYS; k++) {
        stn_status status = copy_array(exec, &memory, data[k], &from[k]);
        if (status == STN_OK && !stn_view_is_nothing(&from[k]))
            status = copy_of(&from[k], &memory, data[k], &from[k]);
        if (status != STN_OK) {
            (void)stn_view_release(&memory);
            return status;
        }
    }
    from[STN_CSR_VALUES].read_only = 0;
    *mirror = *csr;
    stn_csr_set(mirror, from);
    mirror->memory = memory;
    mirror->read_only = 0;
    return STN_OK;
}

/* What a device has comes to the host first. */
static stn_status mirror_any(const stn_exec *exec, const stn_matrix *csr, stn_matrix *mirror)
{
    stn_matrix here;
    STN_TRY(stn_matrix_to_host("stn_matrix_mirror", csr, &here));
    if (!stn_view_is_nothing(&here.memory) && !stn_exec_device(exec)) {
        *mirror = here;
        return STN_OK;
    }
    const stn_status status = make_mirror(exec, &here, mirror);
    (void)stn_view_release(&here.memory);
    return status;
}

stn_status stn_matrix_mirror(const stn_exec *exec, stn_matrix *mirror, const stn_matrix *csr)
{
    if (mirror && mirror != csr)
        memset(mirror, 0, sizeof *mirror);
    if (!mirror || !csr || mirror == csr)
        return stn_fail(STN_ERR_ARGUMENT, "stn_matrix_mirror: %s",
                        !mirror ? "mirror is NULL"
                        : !csr  ? "the matrix is NULL"
                                : "the mirror is the matrix itself");
    STN_TRY(stn_csr_expect("stn_matrix_mirror", csr));
    STN_RETURN_IN_MODES(mirror_any(exec, csr, mirror));
}

stn_status stn_matrix_release(stn_matrix *csr)
{
    if (!csr)
        return stn_fail(STN_ERR_ARGUMENT, "stn_matrix_release: csr is NULL");
    if (csr->size == 0)
        return STN_OK;
    STN_TRY(stn_csr_expect("stn_matrix_release", csr));
    STN_TRY(stn_view_release(&csr->memory));
    memset(csr, 0, sizeof *csr);
    return STN_OK;
}
