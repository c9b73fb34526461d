/* Invariants of all matrices that the Matrix Market reader returns, for its tests and fuzzer. */
#ifndef STENO_TEST_MARKET_CHECK_H
#define STENO_TEST_MARKET_CHECK_H

#include "steno/market.h"

#include <math.h>
#include <string.h>

static inline stn_format market_format(stn_market_field field)
{
    if (field == STN_MARKET_INTEGER)
        return STN_I64;
    return field == STN_MARKET_COMPLEX ? STN_C128 : STN_F64;
}

static inline const char *market_row_fault(const stn_market_matrix *matrix, int64_t row)
{
    for (int64_t k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++) {
        if (matrix->column[k] < 0 || matrix->column[k] >= matrix->columns)
            return "a column is out of range";
        if (k > matrix->row_start[row] && matrix->column[k - 1] >= matrix->column[k])
            return "columns do not ascend";
    }
    return NULL;
}

static inline const char *market_rows_fault(const stn_market_matrix *matrix)
{
    if (!matrix->row_start || matrix->row_start[0] != 0 ||
        matrix->row_start[matrix->rows] != matrix->entries)
        return "row_start does not span the entries";
    const int64_t distinct = matrix->stored - matrix->summed;
    if (matrix->summed < 0 || matrix->entries < distinct || matrix->entries > 2 * distinct)
        return "the number of entries cannot come from the stored ones";
    if (matrix->unused_values < 0 || matrix->unused_values > 2 * matrix->stored)
        return "the number of unused values cannot come from the stored entries";
    for (int64_t row = 0; row < matrix->rows; row++) {
        if (matrix->row_start[row] > matrix->row_start[row + 1])
            return "row_start descends";
        const char *fault = market_row_fault(matrix, row);
        if (fault)
            return fault;
    }
    return NULL;
}

static inline int market_may_be_infinite(const stn_market_matrix *matrix)
{
    return matrix->deviations[STN_MARKET_NONFINITE] > 0 ||
           matrix->deviations[STN_MARKET_OVERFLOW] > 0;
}

static inline const char *market_values_fault(const stn_market_matrix *matrix)
{
    if (matrix->field == STN_MARKET_INTEGER)
        return NULL;
    const double *values = matrix->values;
    const int64_t parts = matrix->field == STN_MARKET_COMPLEX ? 2 : 1;
    for (int64_t k = 0; k < parts * matrix->entries; k++)
        if ((!isfinite(values[k]) && !market_may_be_infinite(matrix)) ||
            (matrix->field == STN_MARKET_PATTERN && values[k] != 1.0))
            return "a value cannot have been in the file";
    return NULL;
}

/* The violated invariant of a matrix that was read; NULL: none. */
static inline const char *market_fault(const stn_market_matrix *matrix)
{
    if (matrix->size != sizeof *matrix || matrix->value_format != market_format(matrix->field))
        return "the struct is not filled in";
    if (matrix->rows < 1 || matrix->columns < 1)
        return "the matrix is empty";
    if ((matrix->entries > 0) != (matrix->values != NULL))
        return "there are values without entries or entries without values";
    if (matrix->storage == STN_MARKET_DENSE &&
        (matrix->entries != matrix->rows * matrix->columns || matrix->column || matrix->row_start))
        return "the dense matrix has other than its elements";
    const char *fault = matrix->storage == STN_MARKET_DENSE ? NULL : market_rows_fault(matrix);
    return fault ? fault : market_values_fault(matrix);
}

static inline int market_is_empty(const stn_market_matrix *matrix)
{
    for (int k = 0; k < 8; k++)
        if (matrix->deviations[k] != 0)
            return 0;
    return matrix->size == sizeof *matrix && matrix->rows == 0 && matrix->columns == 0 &&
           matrix->stored == 0 && matrix->summed == 0 && matrix->unused_values == 0 &&
           matrix->entries == 0 && matrix->storage == STN_MARKET_CSR && matrix->field == 0 &&
           matrix->symmetry == 0 && matrix->value_format == 0 && !matrix->row_start &&
           !matrix->column && !matrix->values;
}

#endif
