/* Sparse matrices over the arrays of files. */
#include "core/status.h"
#include "steno/market.h"

stn_status stn_market_wrap(stn_matrix **made, const stn_market_matrix *matrix, const char *label)
{
    static const char call[] = "stn_market_wrap";
    if (!made)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the address of the new matrix is NULL", call);
    *made = NULL;
    if (!matrix)
        return stn_fail(STN_ERR_ARGUMENT, "%s: the matrix is NULL", call);
    if (matrix->storage == STN_MARKET_DENSE)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: the matrix is dense, not sparse", call);
    const stn_csr_arrays arrays = {.size = sizeof arrays,
                                   .label = label,
                                   .rows = matrix->rows,
                                   .columns = matrix->columns,
                                   .row_start = matrix->row_start,
                                   .row_start_format = STN_I64,
                                   .column = matrix->column,
                                   .column_format = STN_I32,
                                   .values = matrix->values,
                                   .storage = stn_storage_of(matrix->value_format)};
    return stn_matrix_wrap_csr(made, &arrays);
}
