/* Compressed rows that operations read and write, for matrices of every kind. */
#include "sparse/compressed.h"

#include <string.h>

#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "sparse/plain.h"
#include "view/view.h"

/* Converts values with scales per row, or per part of a row, to f64 or c128. */
static stn_status convert(const char *call, const stn_exec *exec, const stn_matrix *from,
                          stn_matrix *made)
{
    const stn_storage wide = stn_storage_of(stn_matrix_is_complex(from) ? STN_C128 : STN_F64);
    const stn_status status = stn_view_is_nothing(&from->scales)
                                  ? stn_plain_make(call, exec, from, 1, NULL, made)
                                  : stn_matrix_convert(exec, made, from, STN_MATRIX_CSR, &wide);
    return status == STN_OK || strstr(stn_error(), call) ? status
                                                         : stn_error_prefix(status, "%s", call);
}

stn_status stn_compressed_open(const char *call, const stn_exec *exec, const stn_matrix *from,
                               stn_compressed *plain)
{
    stn_matrix rows, here;
    memset(plain, 0, sizeof *plain);
    if (exec)
        STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(stn_matrix_to_host(call, from, &here));
    const stn_status status = convert(call, stn_exec_on_host(exec), &here, &rows);
    if (status == STN_OK && stn_view_is_nothing(&rows.memory)) {
        rows.memory = here.memory; /* owner of the arrays */
        stn_compressed_take(plain, &rows);
        return STN_OK;
    }
    if (status == STN_OK)
        stn_compressed_take(plain, &rows);
    (void)stn_view_release(&here.memory);
    return status;
}

void stn_compressed_take(stn_compressed *plain, stn_matrix *made)
{
    *plain = (stn_compressed){.rows = made->rows,
                              .columns = made->columns,
                              .entries = made->entries,
                              .start = made->row_start,
                              .column = made->column,
                              .codes = made->values,
                              .code = stn_format_entry_of(made->storage.format)->info.bytes,
                              .storage = made->storage,
                              .memory = made->memory};
    memset(made, 0, sizeof *made);
}

void stn_compressed_close(stn_compressed *plain)
{
    (void)stn_view_release(&plain->memory);
}

stn_status stn_compressed_make(const char *call, const char *label, const stn_storage *storage,
                               int64_t rows, int64_t columns, int64_t entries, stn_matrix *csr,
                               stn_compressed_made *made)
{
    const int64_t code = stn_format_entry_of(storage->format)->info.bytes;
    const int64_t bytes[STN_ARRAYS] = {(rows + 1) * (int64_t)sizeof *made->start,
                                       entries * (int64_t)sizeof *made->column, entries * code};
    void *data[STN_ARRAYS];
    if (columns > INT32_MAX)
        return stn_fail(STN_ERR_SHAPE, "%s: %s would have %lld columns; at most 2147483647", call,
                        label ? label : "a matrix", (long long)columns);
    stn_matrix now = {.size = sizeof now,
                      .label = label,
                      .rows = rows,
                      .columns = columns,
                      .entries = entries,
                      .storage = *storage,
                      .kind = STN_MATRIX_CSR};
    const stn_status status =
        stn_matrix_allocate(NULL, stn_matrix_name(&now), bytes, &now.memory, data);
    if (status != STN_OK)
        return stn_error_prefix(status, "%s", call);
    now.row_start = data[STN_ARRAY_STARTS];
    now.column = data[STN_ARRAY_INDICES];
    now.values = data[STN_ARRAY_VALUES];
    *made = (stn_compressed_made){data[STN_ARRAY_STARTS], data[STN_ARRAY_INDICES],
                                  data[STN_ARRAY_VALUES]};
    *csr = now;
    return STN_OK;
}
