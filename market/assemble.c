/* Converts the entries of a Matrix Market file to CSR or a row-major matrix and expands
 * symmetry. */
#define _POSIX_C_SOURCE 200809L
#include "market/market.h"

#include "core/memory.h"

#include <string.h>

stn_market_number stn_market_load(stn_market_field field, const void *values, int64_t at)
{
    stn_market_number number = {.real = 1.0};
    if (field == STN_MARKET_COMPLEX)
        memcpy(&number, (const unsigned char *)values + at * 16, 16);
    else if (field != STN_MARKET_PATTERN)
        memcpy(&number, (const unsigned char *)values + at * 8, 8);
    return number;
}

void stn_market_store(stn_market_field field, void *values, int64_t at, stn_market_number number)
{
    if (field == STN_MARKET_COMPLEX)
        ((stn_c128 *)values)[at] = number.parts;
    else if (field == STN_MARKET_INTEGER)
        ((int64_t *)values)[at] = number.integer;
    else
        ((double *)values)[at] = number.real;
}

/* The value of the mirrored entry. */
static stn_market_number mirror(const stn_market_matrix *matrix, stn_market_number number)
{
    if (matrix->symmetry == STN_MARKET_HERMITIAN) {
        number.parts.im = -number.parts.im;
    } else if (matrix->symmetry == STN_MARKET_SKEW) {
        if (matrix->field == STN_MARKET_INTEGER)
            number.integer = -number.integer;
        else
            number.real = -number.real;
        if (matrix->field == STN_MARKET_COMPLEX)
            number.parts.im = -number.parts.im;
    }
    return number;
}

/* Converts the numbers of entries per row in next[0 ... rows-1] to the rows' start positions. */
static int64_t starts_of_rows(int64_t *next, int64_t rows)
{
    int64_t total = 0;
    for (int64_t row = 0; row < rows; row++) {
        const int64_t count = next[row];
        next[row] = total;
        total += count;
    }
    return total;
}

static int is_read(const stn_entries *entries, int64_t row)
{
    return row >= entries->first && row < entries->end;
}

static void count_rows(const stn_entries *entries, int mirrored, int64_t *next)
{
    for (int64_t k = 0; k < entries->count; k++) {
        const int64_t row = entries->row[k], column = entries->column[k];
        if (is_read(entries, row))
            next[row - entries->first]++;
        if (mirrored && row != column && is_read(entries, column))
            next[column - entries->first]++;
    }
}

/* Stores every entry and its mirror image at the next position of its row. */
static void scatter(const stn_entries *entries, int64_t *next, stn_market_matrix *matrix)
{
    const int mirrored = matrix->symmetry != STN_MARKET_GENERAL;
    for (int64_t k = 0; k < entries->count; k++) {
        const int32_t row = entries->row[k], column = entries->column[k];
        const stn_market_number number = stn_market_load(matrix->field, entries->value, k);
        if (is_read(entries, row)) {
            const int64_t at = next[row - entries->first]++;
            matrix->column[at] = column;
            stn_market_store(matrix->field, matrix->values, at, number);
        }
        if (mirrored && row != column && is_read(entries, column)) {
            const int64_t across = next[column - entries->first]++;
            matrix->column[across] = row;
            stn_market_store(matrix->field, matrix->values, across, mirror(matrix, number));
        }
    }
}

stn_status stn_market_assemble_rows(const stn_entries *entries, stn_market_matrix *matrix)
{
    const int64_t rows = matrix->rows;
    STN_TRY(stn_allocate(&matrix->row_start, rows + 1, sizeof *matrix->row_start, "row starts"));
    memset(matrix->row_start, 0, (size_t)(rows + 1) * sizeof *matrix->row_start);
    /* Shifted by one, the start positions of rows advance to their ends, which are the start
     * positions of the next rows, while entries are stored. */
    int64_t *const next = matrix->row_start + 1;
    count_rows(entries, matrix->symmetry != STN_MARKET_GENERAL, next);
    matrix->entries = starts_of_rows(next, rows);
    STN_TRY(
        stn_allocate(&matrix->column, matrix->entries, sizeof *matrix->column, "column indices"));
    STN_TRY(stn_allocate(&matrix->values, matrix->entries, stn_market_values[matrix->field].bytes,
                         "matrix values"));
    scatter(entries, next, matrix);
    return STN_OK;
}

stn_status stn_market_assemble_dense(const stn_entries *entries, stn_market_matrix *matrix)
{
    const stn_market_field field = matrix->field;
    const size_t bytes = stn_market_values[field].bytes;
    const int64_t rows = matrix->rows, columns = matrix->columns;
    matrix->entries = rows * columns;
    STN_TRY(stn_allocate(&matrix->values, matrix->entries, bytes, "matrix values"));
    if (matrix->symmetry == STN_MARKET_SKEW) /* nothing else sets its diagonal */
        memset(matrix->values, 0, (size_t)matrix->entries * bytes);
    int64_t k = 0;
    for (int64_t column = 0; column < columns; column++) {
        int64_t row = matrix->symmetry == STN_MARKET_GENERAL ? 0 : column;
        if (matrix->symmetry == STN_MARKET_SKEW)
            row++;
        for (; row < rows; row++, k++) {
            const stn_market_number number = stn_market_load(field, entries->value, k);
            stn_market_store(field, matrix->values, row * columns + column, number);
            if (matrix->symmetry != STN_MARKET_GENERAL && row != column)
                stn_market_store(field, matrix->values, column * columns + row,
                                 mirror(matrix, number));
        }
    }
    return STN_OK;
}
