/* Copies of sparse matrices between the memory of a device and the host. Matrices are constructed
 * on the host: operands in device memory are copied to the host, and results are copied to the
 * memory of the executor. */
#include <string.h>

#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "sparse/matrix.h"
#include "view/store.h"
#include "view/view.h"

/* An executor of the device that owns the matrix's memory; copies need nothing else. */
static stn_status find_device(const char *call, const stn_matrix *from, stn_exec *device_exec)
{
    const stn_owner *const owner = from->memory.owner;
    if (!owner || !owner->device)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is in %s memory of an unknown device", call,
                        stn_matrix_name(from), stn_space_name((stn_space)from->memory.space));
    *device_exec = (stn_exec)STN_EXEC_OF_DEVICE(owner->device);
    return STN_OK;
}

/* The array at the same offset in a copy of its memory. */
static stn_status move_array(stn_view *array, const stn_view *from, const stn_view *to)
{
    if (stn_view_is_empty(array))
        return STN_OK;
    void *data = array->data;
    if (data && from->data)
        data = (char *)to->data + ((char *)data - (char *)from->data);
    if (stn_view_store(array))
        return stn_matrix_move_values(to, data, array);
    array->data = data;
    array->space = to->space;
    return STN_OK;
}

static stn_status copy_memory(const char *call, const stn_matrix *from, stn_view *memory)
{
    const stn_view *const source = &from->memory;
    stn_exec device;
    STN_TRY(find_device(call, from, &device));
    STN_TRY(stn_view_create_spec(
        NULL, memory,
        &STN_VIEW_SPEC(.label = stn_matrix_name(from), .storage = source->storage, .rank = 1,
                       .extents = source->extent, .flags = STN_CREATE_UNINITIALIZED)));
    const stn_status status =
        source->extent[0] > 0 ? stn_view_copy(&device, memory, source) : STN_OK;
    if (status != STN_OK)
        (void)stn_view_release(memory);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

stn_status stn_matrix_to_host(const char *call, const stn_matrix *from, stn_matrix *host)
{
    static const stn_view nothing;
    stn_view arrays[STN_ARRAYS], memory;
    STN_TRY(stn_matrix_expect(call, from));
    *host = *from;
    host->memory = nothing;
    host->optimized = host->transposed = NULL;
    if (from->memory.space == STN_SPACE_HOST)
        return STN_OK;
    STN_TRY(stn_matrix_list_arrays(from, arrays));
    STN_TRY(copy_memory(call, from, &memory));
    for (int k = 0; k < STN_ARRAYS; k++) {
        const stn_status status = move_array(&arrays[k], &from->memory, &memory);
        if (status != STN_OK) {
            (void)stn_view_release(&memory);
            return status;
        }
    }
    stn_matrix_set_arrays(host, arrays);
    host->memory = memory;
    return STN_OK;
}

stn_status stn_matrix_send(const char *call, const stn_exec *exec, stn_status status,
                           stn_matrix *result)
{
    stn_matrix host;
    if (status != STN_OK)
        memset(result, 0, sizeof *result);
    if (status != STN_OK || !stn_exec_device(exec))
        return status;
    host = *result;
    status = stn_matrix_copy(exec, result, &host);
    stn_matrix_clear(&host);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

stn_status stn_matrix_send_values(const char *call, const stn_matrix *matrix,
                                  const stn_matrix *host)
{
    const int64_t code = stn_format_entry_of(host->storage.format)->info.bytes;
    const int64_t count = host->kind == STN_MATRIX_SLICED ? host->slots : host->entries;
    const int64_t bytes = count * code;
    const int64_t begin = (const char *)matrix->values - (const char *)matrix->memory.data;
    const stn_slice values = stn_slice_range(begin, begin + bytes);
    stn_exec device;
    stn_view to, from;
    if (matrix->memory.space == STN_SPACE_HOST || bytes == 0)
        return STN_OK;
    STN_TRY(find_device(call, matrix, &device));
    STN_TRY(stn_view_slice(&to, &matrix->memory, 1, &values));
    STN_TRY(stn_view_wrap_const(&from, "values", to.storage, host->values, 1, &bytes));
    const stn_status status = stn_view_copy(&device, &to, &from);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}
