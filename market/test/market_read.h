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

/* b is a, after writing and reading it, bit for bit. */
static inline void market_assert_equal(const stn_market_matrix *a, const stn_market_matrix *b)
{
    assert_int_equal(a->field, b->field);
    assert_int_equal(b->symmetry, STN_MARKET_GENERAL);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->entries, b->entries);
    assert_int_equal(b->entries, b->stored);
    const size_t bytes = a->field == STN_MARKET_COMPLEX ? 16 : 8;
    if (a->entries > 0)
        assert_memory_equal(a->values, b->values, bytes * (size_t)a->entries);
    if (a->storage == STN_MARKET_DENSE)
        return;
    assert_memory_equal(a->row_start, b->row_start, sizeof(int64_t) * (size_t)(a->rows + 1));
    if (a->entries > 0)
        assert_memory_equal(a->column, b->column, sizeof(int32_t) * (size_t)a->entries);
}

#endif
