/* From the entries of a Matrix Market file to CSR or a row-major matrix, symmetry expanded. */
#define _POSIX_C_SOURCE 200809L
#include "sparse/market.h"

#include "core/memory.h"

#include <inttypes.h>
#include <string.h>

/* Value number `at` of an array of the field's values. */
static stn_market_number load(stn_market_field field, const void *values, int64_t at)
{
    stn_market_number number = {.real = 1.0};
    if (field == STN_MARKET_COMPLEX)
        memcpy(&number, (const unsigned char *)values + at * 16, 16);
    else if (field != STN_MARKET_PATTERN)
        memcpy(&number, (const unsigned char *)values + at * 8, 8);
    return number;
}

static void store(stn_market_field field, void *values, int64_t at, stn_market_number number)
{
    if (field == STN_MARKET_COMPLEX)
        ((stn_c128 *)values)[at] = number.parts;
    else if (field == STN_MARKET_INTEGER)
        ((int64_t *)values)[at] = number.integer;
    else
        ((double *)values)[at] = number.real;
}

/* The value across the diagonal. */
static stn_market_number mirror(const stn_matrix *matrix, stn_market_number number)
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

/* Turn the numbers of entries per row in next[0 ... rows-1] into the rows' first places. */
static int64_t places_of_rows(int64_t *next, int64_t rows)
{
    int64_t total = 0;
    for (int64_t row = 0; row < rows; row++) {
        const int64_t count = next[row];
        next[row] = total;
        total += count;
    }
    return total;
}

static void count_rows(const stn_entries *entries, int mirrored, int64_t *next)
{
    for (int64_t k = 0; k < entries->count; k++) {
        next[entries->row[k]]++;
        if (mirrored && entries->row[k] != entries->column[k])
            next[entries->column[k]]++;
    }
}

/* Put every entry, and its mirror image, at the next place of its row. */
static void scatter(const stn_entries *entries, int64_t *next, stn_matrix *matrix)
{
    const int mirrored = matrix->symmetry != STN_MARKET_GENERAL;
    for (int64_t k = 0; k < entries->count; k++) {
        const int32_t row = entries->row[k], column = entries->column[k];
        const stn_market_number number = load(matrix->field, entries->value, k);
        const int64_t at = next[row]++;
        matrix->column[at] = column;
        store(matrix->field, matrix->values, at, number);
        if (mirrored && row != column) {
            const int64_t across = next[column]++;
            matrix->column[across] = row;
            store(matrix->field, matrix->values, across, mirror(matrix, number));
        }
    }
}

static void swap(stn_matrix *matrix, int64_t a, int64_t b)
{
    const int32_t column = matrix->column[a];
    matrix->column[a] = matrix->column[b];
    matrix->column[b] = column;
    const stn_market_number number = load(matrix->field, matrix->values, a);
    store(matrix->field, matrix->values, a, load(matrix->field, matrix->values, b));
    store(matrix->field, matrix->values, b, number);
}

/* Let the entry at `root` of a heap of `count` entries from `begin` sink to its place. */
static void sink(stn_matrix *matrix, int64_t begin, int64_t root, int64_t count)
{
    const int32_t *column = matrix->column + begin;
    for (int64_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && column[child + 1] > column[child])
            child++;
        if (column[root] >= column[child])
            return;
        swap(matrix, begin + root, begin + child);
    }
}

/* Heap sort: in place, and n log n for every order a file may have. */
static void sort_row(stn_matrix *matrix, int64_t begin, int64_t count)
{
    for (int64_t root = count / 2; root-- > 0;)
        sink(matrix, begin, root, count);
    for (int64_t last = count; --last > 0;) {
        swap(matrix, begin, begin + last);
        sink(matrix, begin, 0, last);
    }
}

static int is_ascending(const int32_t *column, int64_t count)
{
    for (int64_t k = 1; k < count; k++)
        if (column[k - 1] >= column[k])
            return 0;
    return 1;
}

static stn_status check_distinct(const char *name, const stn_matrix *matrix, int64_t row,
                                 const int32_t *column, int64_t count)
{
    for (int64_t k = 1; k < count; k++)
        if (column[k - 1] == column[k])
            return stn_fail(
                STN_ERR_PARSE, "%s: two entries for row %" PRId64 ", column %" PRId32 "%s", name,
                row + 1, column[k] + 1,
                matrix->symmetry == STN_MARKET_GENERAL ? "" : ", counting mirrored ones");
    return STN_OK;
}

/* Sort the rows that are not; files in order of rows or columns need no sorting. */
static stn_status sort_rows(const char *name, stn_matrix *matrix)
{
    for (int64_t row = 0; row < matrix->rows; row++) {
        const int64_t begin = matrix->row_start[row], count = matrix->row_start[row + 1] - begin;
        if (count < 2 || is_ascending(matrix->column + begin, count))
            continue;
        sort_row(matrix, begin, count);
        STN_TRY(check_distinct(name, matrix, row, matrix->column + begin, count));
    }
    return STN_OK;
}

stn_status stn_market_assemble_rows(const char *name, const stn_entries *entries,
                                    stn_matrix *matrix)
{
    const int64_t rows = matrix->rows;
    STN_TRY(stn_allocate(&matrix->row_start, rows + 1, sizeof *matrix->row_start, "row starts"));
    memset(matrix->row_start, 0, (size_t)(rows + 1) * sizeof *matrix->row_start);
    /* Counted one place further on, the starts of the rows become their ends, which are the starts
     * of the next ones, while the entries are put in place. */
    int64_t *const next = matrix->row_start + 1;
    count_rows(entries, matrix->symmetry != STN_MARKET_GENERAL, next);
    matrix->entries = places_of_rows(next, rows);
    STN_TRY(
        stn_allocate(&matrix->column, matrix->entries, sizeof *matrix->column, "column indices"));
    STN_TRY(stn_allocate(&matrix->values, matrix->entries, stn_market_values[matrix->field].bytes,
                         "matrix values"));
    scatter(entries, next, matrix);
    return sort_rows(name, matrix);
}

stn_status stn_market_assemble_dense(const stn_entries *entries, stn_matrix *matrix)
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
            const stn_market_number number = load(field, entries->value, k);
            store(field, matrix->values, row * columns + column, number);
            if (matrix->symmetry != STN_MARKET_GENERAL && row != column)
                store(field, matrix->values, column * columns + row, mirror(matrix, number));
        }
    }
    return STN_OK;
}
