/* Where the arrays of sparse matrices are: lists of them, copies elsewhere, and their release. */
#include <string.h>

#include "core/memory.h"
#include "format/registry.h"
#include "sparse/csr.h"
#include "sparse/slice.h"
#include "view/view.h"

void stn_csr_list(const stn_csr *csr, stn_csr_array *arrays)
{
    const stn_storage i64 = stn_storage_of(STN_I64), i32 = stn_storage_of(STN_I32);
    if (csr->kind == STN_SPARSE_SLICED) {
        const int64_t starts = 2 * (stn_slices_of(csr->rows) + 1);
        arrays[STN_CSR_STARTS] = (stn_csr_array){"slice_start", csr->slice_start, i64, starts};
        arrays[STN_CSR_INDICES] = (stn_csr_array){"slice_word", csr->slice_word, i32, csr->words};
        arrays[STN_CSR_VALUES] = (stn_csr_array){"values", csr->values, csr->storage, csr->slots};
        return;
    }
    arrays[STN_CSR_STARTS] = (stn_csr_array){"row_start", csr->row_start, i64, csr->rows + 1};
    arrays[STN_CSR_INDICES] = (stn_csr_array){"column", csr->column, i32, csr->entries};
    arrays[STN_CSR_VALUES] = (stn_csr_array){"values", csr->values, csr->storage, csr->entries};
}

void stn_csr_set(stn_csr *csr, const void *const *data)
{
    const int sliced = csr->kind == STN_SPARSE_SLICED;
    csr->row_start = sliced ? NULL : data[STN_CSR_STARTS];
    csr->column = sliced ? NULL : data[STN_CSR_INDICES];
    csr->slice_start = sliced ? data[STN_CSR_STARTS] : NULL;
    csr->slice_word = sliced ? data[STN_CSR_INDICES] : NULL;
    csr->values = data[STN_CSR_VALUES];
}

/* No sum overflows: the host has memory for all of it. */
stn_status stn_csr_allocate(const stn_exec *exec, const char *label, const int64_t *bytes,
                            stn_view *memory, void **data)
{
    int64_t begin[STN_CSR_ARRAYS], all = 0;
    for (int k = 0; k < STN_CSR_ARRAYS; k++) {
        begin[k] = all;
        all += (bytes[k] + STN_LINE - 1) / STN_LINE * STN_LINE;
    }
    STN_TRY(stn_view_create(exec, memory, label, stn_storage_of(STN_U8), NULL, 1, &all,
                            STN_UNINITIALISED));
    for (int k = 0; k < STN_CSR_ARRAYS; k++)
        data[k] = (char *)memory->data + begin[k];
    return STN_OK;
}

static int64_t bytes_of(const stn_csr_array *array)
{
    return array->count * stn_format_entry_of(array->storage.format)->info.bytes;
}

static stn_status copy_array(const stn_exec *exec, const stn_view *memory, const void *to,
                             const stn_csr_array *from)
{
    stn_view part, array;
    const int64_t bytes = bytes_of(from), begin = (const char *)to - (const char *)memory->data;
    const stn_slice slice = stn_slice_range(begin, begin + bytes);
    if (bytes == 0)
        return STN_OK;
    STN_TRY(stn_view_wrap_const(&array, "array of a matrix", stn_storage_of(STN_U8), from->data, 1,
                                &bytes, NULL));
    STN_TRY(stn_view_slice(&part, memory, 1, &slice));
    return stn_view_copy(exec, &part, &array);
}

static stn_status make_mirror(const stn_exec *exec, const stn_csr *csr, stn_csr *mirror)
{
    stn_csr_array from[STN_CSR_ARRAYS];
    int64_t bytes[STN_CSR_ARRAYS];
    void *data[STN_CSR_ARRAYS];
    stn_view memory;
    stn_csr_list(csr, from);
    for (int k = 0; k < STN_CSR_ARRAYS; k++)
        bytes[k] = bytes_of(&from[k]);
    STN_TRY(stn_csr_allocate(exec, stn_csr_name(csr), bytes, &memory, data));
    for (int k = 0; k < STN_CSR_ARRAYS; k++) {
        const stn_status status = copy_array(exec, &memory, data[k], &from[k]);
        if (status != STN_OK) {
            (void)stn_view_release(&memory);
            return status;
        }
    }
    *mirror = *csr;
    stn_csr_set(mirror, (const void *const *)data);
    mirror->memory = memory;
    return STN_OK;
}

stn_status stn_csr_mirror(const stn_exec *exec, stn_csr *mirror, const stn_csr *csr)
{
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
    return make_mirror(exec, csr, mirror);
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
