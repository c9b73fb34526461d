/* Matrix Market texts in memory. */
#ifndef STENO_TEST_MARKET_READ_H
#define STENO_TEST_MARKET_READ_H

#include "check.h"
#include "market/market.h"
#include "market_check.h"

#define BANNER(words) "%%MatrixMarket matrix " words "\n"
#define REAL          BANNER("coordinate real general")
#define INTEGER       BANNER("coordinate integer general")

/* Reads a.mtx with these bytes. The matrix satisfies all invariants, or is empty after an error. */
static inline stn_status market_read_memory(const char *text, size_t size, unsigned flags,
                                            stn_market_matrix *matrix)
{
    stn_text source;
    STN_TRY(stn_text_open_memory(&source, "a.mtx", text, size));
    memset(matrix, 0x5a, sizeof *matrix);
    const stn_status status = stn_market_read(&source, flags, matrix);
    stn_text_close(&source);
    const char *fault = status == STN_OK ? market_fault(matrix) : NULL;
    if (fault)
        fail_msg("%s", fault);
    assert_true(status == STN_OK || market_is_empty(matrix));
    return status;
}

/* The index of an element among the values; -1: it is not stored. */
static inline int64_t market_find(const stn_market_matrix *matrix, int64_t row, int64_t column)
{
    if (matrix->storage == STN_MARKET_DENSE)
        return row * matrix->columns + column;
    for (int64_t k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
        if (matrix->column[k] == column)
            return k;
    return -1;
}

#endif
