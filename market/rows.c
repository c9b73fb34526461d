/* Sorts the rows of a Matrix Market matrix, with each position once. */
#define _POSIX_C_SOURCE 200809L
#include "market/market.h"

#include "core/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Parallel arrays of entries: those of a row, or a buffer of the same capacity. */
typedef struct piece {
    int32_t *column;
    unsigned char *value;
} piece;

static piece piece_at(const stn_market_matrix *matrix, int64_t at)
{
    const size_t bytes = stn_market_values[matrix->field].bytes;
    return (piece){matrix->column + at, (unsigned char *)matrix->values + (size_t)at * bytes};
}

static void move(piece to, int64_t at, piece from, int64_t k, int64_t count, size_t bytes)
{
    memmove(to.column + at, from.column + k, (size_t)count * sizeof *to.column);
    memmove(to.value + (size_t)at * bytes, from.value + (size_t)k * bytes, (size_t)count * bytes);
}

/* Merges the sorted ranges [begin, middle) and [middle, end) of `from`; stable, so that entries of
 * one position stay in file order. */
static void merge(piece from, int64_t begin, int64_t middle, int64_t end, piece to, size_t bytes)
{
    int64_t left = begin, right = middle;
    for (int64_t at = begin; at < end; at++) {
        const int take_left =
            right == end || (left < middle && from.column[left] <= from.column[right]);
        move(to, at, from, take_left ? left++ : right++, 1, bytes);
    }
}

/* Merge sort: n log n for every order of a file. */
static void sort_row(piece row, int64_t count, piece capacity, size_t bytes)
{
    piece from = row, to = capacity;
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t begin = 0; begin < count; begin += 2 * width) {
            const int64_t middle = begin + width < count ? begin + width : count;
            const int64_t end = middle + width < count ? middle + width : count;
            merge(from, begin, middle, end, to, bytes);
        }
        const piece sorted = to;
        to = from;
        from = sorted;
    }
    if (from.column != row.column)
        move(row, 0, from, 0, count, bytes);
}

static int is_sorted(const int32_t *column, int64_t count)
{
    for (int64_t k = 1; k < count; k++)
        if (column[k - 1] > column[k])
            return 0;
    return 1;
}

/* Number of entries of row `row` if it must be sorted, else 0. */
static int64_t unsorted_count(const stn_market_matrix *matrix, int64_t row)
{
    const int64_t begin = matrix->row_start[row], count = matrix->row_start[row + 1] - begin;
    return count > 1 && !is_sorted(matrix->column + begin, count) ? count : 0;
}

/* Files sorted by rows or columns need no sorting and no buffer. */
stn_status stn_market_sort_rows(stn_market_matrix *matrix)
{
    const size_t bytes = stn_market_values[matrix->field].bytes;
    int64_t longest = 0;
    for (int64_t row = 0; row < matrix->rows; row++) {
        const int64_t count = unsorted_count(matrix, row);
        longest = count > longest ? count : longest;
    }
    piece capacity = {0};
    STN_TRY(stn_allocate(&capacity.column, longest, sizeof *capacity.column, "sorting a row"));
    stn_status status = stn_allocate(&capacity.value, longest, bytes, "sorting a row");
    for (int64_t row = 0; status == STN_OK && longest > 0 && row < matrix->rows; row++) {
        const int64_t count = unsorted_count(matrix, row);
        if (count > 0)
            sort_row(piece_at(matrix, matrix->row_start[row]), count, capacity, bytes);
    }
    stn_free(capacity.column);
    stn_free(capacity.value);
    return status;
}

/* ---- repeated positions ---- */

/* The first entry from `k` on with this position, or with the mirrored one. */
static int64_t find_entry(const stn_entries *entries, int64_t k, int mirrored, int64_t row,
                          int32_t column)
{
    for (; k < entries->count; k++) {
        if (entries->row[k] == row && entries->column[k] == column)
            break;
        if (mirrored && entries->row[k] == column && entries->column[k] == row)
            break;
    }
    return k;
}

static int64_t line_of(const stn_entries *entries, int64_t k)
{
    int64_t run = 0, end = entries->run_count;
    while (end - run > 1) {
        const int64_t middle = run + (end - run) / 2;
        if (entries->runs[middle].entry <= k)
            run = middle;
        else
            end = middle;
    }
    return entries->runs[run].line + (k - entries->runs[run].entry);
}

static stn_status refuse_duplicate(const char *name, const stn_entries *entries,
                                   const stn_market_matrix *matrix, int64_t row, int32_t column)
{
    const int mirrored = matrix->symmetry != STN_MARKET_GENERAL;
    const int64_t first = find_entry(entries, 0, mirrored, row, column);
    const int64_t second = find_entry(entries, first + 1, mirrored, row, column);
    const int across = entries->row[first] != entries->row[second];
    if (!entries->runs)
        return stn_fail(STN_ERR_PARSE,
                        "%s: row %" PRId64 ", column %" PRId64
                        " is repeated; STN_MARKET_SUM adds repeated entries",
                        name, (int64_t)entries->row[second] + 1,
                        (int64_t)entries->column[second] + 1);
    return stn_fail(STN_ERR_PARSE,
                    "%s:%" PRId64 ": row %" PRId64 ", column %" PRId64 " is repeated: line %" PRId64
                    " has %s; STN_MARKET_SUM adds repeated entries",
                    name, line_of(entries, second), (int64_t)entries->row[second] + 1,
                    (int64_t)entries->column[second] + 1, line_of(entries, first),
                    across ? "the mirrored position" : "the same position");
}

/* The sum of `count` values from `at` on. 0 if it overflows. */
static int sum_integers(const int64_t *values, int64_t count, int64_t *sum)
{
    int64_t wraps = 0;
    *sum = values[0];
    for (int64_t k = 1; k < count; k++)
        if (__builtin_add_overflow(*sum, values[k], sum))
            wraps += values[k] < 0 ? -1 : 1;
    return wraps == 0;
}

static int sum_parts(const double *values, int64_t count, int parts, double *sum)
{
    *sum = values[0];
    for (int64_t k = 1; k < count; k++)
        *sum += values[k * parts];
    return isfinite(*sum);
}

static int sum_values(const stn_market_matrix *matrix, int64_t at, int64_t count,
                      stn_market_number *sum)
{
    const double *const reals = matrix->values;
    switch (matrix->field) {
    case STN_MARKET_INTEGER:
        return sum_integers((const int64_t *)matrix->values + at, count, &sum->integer);
    case STN_MARKET_REAL:
        return sum_parts(reals + at, count, 1, &sum->real);
    case STN_MARKET_COMPLEX:
        return sum_parts(reals + 2 * at, count, 2, &sum->parts.re) &
               sum_parts(reals + 2 * at + 1, count, 2, &sum->parts.im);
    case STN_MARKET_PATTERN:
        sum->real = 1.0;
        break;
    }
    return 1;
}

/* Does a lenient reader accept a sum that is not finite? Sums of finite values are overflows;
 * values that are not finite have been counted before. */
static int accepts_sum(stn_text *text, const stn_market_matrix *matrix, int64_t at, int64_t count)
{
    const int parts = matrix->field == STN_MARKET_COMPLEX ? 2 : 1;
    const double *const values = (const double *)matrix->values + parts * at;
    for (int64_t k = 0; k < parts * count; k++)
        if (!isfinite(values[k]))
            return text->lenient;
    return stn_text_accepts(text, STN_MARKET_OVERFLOW);
}

static int64_t count_duplicates(const int32_t *column, int64_t count)
{
    int64_t repeats = 1;
    while (repeats < count && column[repeats] == column[0])
        repeats++;
    return repeats;
}

/* Merges entries of equal positions of a row into *to and the following ones; `row` is that of the
 * file. Entries and their mirror images are added on both sides of the diagonal, and counted below
 * it. */
static stn_status sum_row(stn_text *text, stn_market_matrix *matrix, int64_t row, int64_t begin,
                          int64_t end, int64_t *to)
{
    const int mirrored = matrix->symmetry != STN_MARKET_GENERAL;
    for (int64_t k = begin; k < end; ++*to) {
        const int32_t column = matrix->column[k];
        const int64_t repeats = count_duplicates(matrix->column + k, end - k);
        stn_market_number sum;
        if (!sum_values(matrix, k, repeats, &sum) &&
            (matrix->field == STN_MARKET_INTEGER || !accepts_sum(text, matrix, k, repeats)))
            return stn_fail(
                STN_ERR_RANGE,
                "%s: the sum of the entries of row %" PRId64 ", column %" PRId64
                " exceeds the range of %s%s",
                text->name, row + 1, (int64_t)column + 1,
                matrix->field == STN_MARKET_INTEGER ? "64-bit integers" : "doubles",
                matrix->field == STN_MARKET_INTEGER ? "" : "; STN_MARKET_LENIENT reads infinity");
        if (!mirrored || column <= row)
            matrix->summed += repeats - 1;
        matrix->column[*to] = column;
        stn_market_store(matrix->field, matrix->values, *to, sum);
        k += repeats;
    }
    return STN_OK;
}

static stn_status refuse_any(const char *name, const stn_entries *entries,
                             const stn_market_matrix *matrix)
{
    for (int64_t row = 0; row < matrix->rows; row++)
        for (int64_t k = matrix->row_start[row] + 1; k < matrix->row_start[row + 1]; k++)
            if (matrix->column[k - 1] == matrix->column[k])
                return refuse_duplicate(name, entries, matrix, entries->first + row,
                                        matrix->column[k]);
    return STN_OK;
}

stn_status stn_market_merge_duplicates(stn_text *text, const stn_entries *entries, unsigned flags,
                                       stn_market_matrix *matrix)
{
    if (!(flags & STN_MARKET_SUM))
        return refuse_any(text->name, entries, matrix);
    int64_t to = 0;
    for (int64_t row = 0, begin = 0; row < matrix->rows; row++) {
        const int64_t end = matrix->row_start[row + 1];
        STN_TRY(sum_row(text, matrix, entries->first + row, begin, end, &to));
        matrix->row_start[row + 1] = to;
        begin = end;
    }
    matrix->entries = to;
    return STN_OK;
}
