/* Sparse matrices over the arrays of files. */
#include "core/grow.h"
#include "core/status.h"
#include "steno/market.h"

stn_status stn_market_wrap(stn_matrix **made, const stn_market_matrix *matrix, const char *label)
{
    static const char call[] = "stn_market_wrap";
    stn_market_matrix known;
    if (!made)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the address of the new matrix is NULL", call);
    *made = NULL;
    STN_TRY(STN_STRUCT_READ(&known, matrix, stn_market_matrix, values, "stn_market_wrap: matrix"));
    if (known.storage == STN_MARKET_DENSE)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: the matrix is dense, not sparse", call);
    if (known.storage != STN_MARKET_CSR)
        return stn_fail(STN_ERR_ARGUMENT, "%s: storage is %d, which is not a stn_market_storage",
                        call, (int)known.storage);
    if (known.row_start && known.rows >= 0 && known.row_start[known.rows] != known.entries)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: entries is %lld, but the last element of row_start is %lld", call,
                        (long long)known.entries, (long long)known.row_start[known.rows]);
    const stn_csr_arrays arrays = {.size = sizeof arrays,
                                   .label = label,
                                   .rows = known.rows,
                                   .columns = known.columns,
                                   .row_start = known.row_start,
                                   .row_start_format = STN_I64,
                                   .column = known.column,
                                   .column_format = STN_I32,
                                   .values = known.values,
                                   .storage = stn_storage_of(known.value_format)};
    return stn_matrix_wrap_csr(made, &arrays);
}
