/* Compressed rows that operations read and write, for matrices of every kind. */
#include "sparse/kinds/compressed.h"

#include <string.h>

#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "sparse/kinds/plain.h"
#include "view/view.h"

/* Converts values with scales per row, or per part of a row, to f64 or c128. */
static stn_status convert(const char *call, const stn_exec *exec, const stn_matrix *from,
                          stn_matrix *result)
{
    const stn_storage wide = stn_storage_of(stn_matrix_is_complex(from) ? STN_C128 : STN_F64);
    const stn_status status = stn_view_is_empty(&from->scales)
                                  ? stn_plain_create(call, exec, from, 1, NULL, result)
                                  : stn_matrix_convert(exec, result, from, STN_MATRIX_CSR, &wide);
    return status == STN_OK || strstr(stn_error(), call) ? status
                                                         : stn_error_prefix(status, "%s", call);
}

stn_status stn_compressed_open(const char *call, const stn_exec *exec, const stn_matrix *from,
                               stn_compressed *plain)
{
    stn_matrix rows, host;
    memset(plain, 0, sizeof *plain);
    if (exec)
        STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(stn_matrix_to_host(call, from, &host));
    const stn_status status = convert(call, stn_exec_on_host(exec), &host, &rows);
    if (status == STN_OK && stn_view_is_empty(&rows.memory)) {
        rows.memory = host.memory; /* owner of the arrays */
        stn_compressed_move(plain, &rows);
        return STN_OK;
    }
    if (status == STN_OK)
        stn_compressed_move(plain, &rows);
    (void)stn_view_release(&host.memory);
    return status;
}

void stn_compressed_move(stn_compressed *plain, stn_matrix *result)
{
    *plain = (stn_compressed){.rows = result->rows,
                              .columns = result->columns,
                              .entries = result->entries,
                              .start = result->row_start,
                              .column = result->column,
                              .codes = result->values,
                              .code = stn_format_entry_of(result->storage.format)->info.bytes,
                              .storage = result->storage,
                              .memory = result->memory};
    memset(result, 0, sizeof *result);
}

void stn_compressed_close(stn_compressed *plain)
{
    (void)stn_view_release(&plain->memory);
}

stn_status stn_compressed_create(const char *call, const char *label, const stn_storage *storage,
                                 int64_t rows, int64_t columns, int64_t entries, stn_matrix *csr,
                                 stn_compressed_matrix *result)
{
    const int64_t code = stn_format_entry_of(storage->format)->info.bytes;
    const int64_t bytes[STN_ARRAYS] = {(rows + 1) * (int64_t)sizeof *result->start,
                                       entries * (int64_t)sizeof *result->column, entries * code};
    void *data[STN_ARRAYS];
    if (columns > INT32_MAX)
        return stn_fail(STN_ERR_SHAPE, "%s: %s would have %lld columns; the maximum is 2147483647",
                        call, label ? label : "a matrix", (long long)columns);
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
    *result = (stn_compressed_matrix){data[STN_ARRAY_STARTS], data[STN_ARRAY_INDICES],
                                      data[STN_ARRAY_VALUES]};
    *csr = now;
    return STN_OK;
}
