/* The Matrix Market reader: banner, size line and body of a file. */
#define _POSIX_C_SOURCE 200809L
#include "market/market.h"
#include "market/modes.h"
#include "market/scan.h"

#include "core/grow.h"
#include "core/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* In the order of stn_market_storage, stn_market_field and stn_market_symmetry. */
static const char *const form_words[] = {"coordinate", "array", NULL};
const char *const stn_market_fields[5] = {"real", "integer", "complex", "pattern", NULL};
static const char *const symmetry_words[] = {"general", "symmetric", "skew-symmetric", "hermitian",
                                             NULL};

const stn_market_value stn_market_values[4] = {
    [STN_MARKET_REAL] = {STN_F64, sizeof(double)},
    [STN_MARKET_INTEGER] = {STN_I64, sizeof(int64_t)},
    [STN_MARKET_COMPLEX] = {STN_C128, sizeof(stn_c128)},
    [STN_MARKET_PATTERN] = {STN_F64, sizeof(double)},
};

/* The next word of the banner as its index in `names`; `what` and `known` are for the message. */
static stn_status read_choice(stn_text *text, char **at, const char *what, const char *known,
                              const char *const *names, int *choice)
{
    char word[32];
    *at = stn_text_word(stn_skip_blanks(*at), word, sizeof word);
    if (!word[0])
        return stn_text_fail(text, STN_ERR_PARSE, "the banner ends before the %s", what);
    for (*choice = 0; names[*choice]; ++*choice)
        if (strcmp(word, names[*choice]) == 0)
            return STN_OK;
    return stn_text_fail(text, STN_ERR_PARSE, "the %s is '%s', not %s", what, word, known);
}

static stn_status check_banner(stn_text *text, stn_market_matrix *matrix)
{
    if (matrix->symmetry == STN_MARKET_HERMITIAN && matrix->field != STN_MARKET_COMPLEX &&
        stn_text_accepts(text, STN_MARKET_REAL_HERMITIAN))
        matrix->symmetry = STN_MARKET_SYMMETRIC;
    const int pattern = matrix->field == STN_MARKET_PATTERN;
    if (pattern && matrix->storage == STN_MARKET_DENSE)
        return stn_text_fail(text, STN_ERR_PARSE, "an array of field pattern has no values");
    if (matrix->symmetry == STN_MARKET_HERMITIAN && matrix->field != STN_MARKET_COMPLEX)
        return stn_text_fail(
            text, STN_ERR_PARSE,
            "a hermitian matrix must be complex, not %s; STN_MARKET_LENIENT reads it "
            "as symmetric",
            stn_market_fields[matrix->field]);
    if (pattern && matrix->symmetry > STN_MARKET_SYMMETRIC)
        return stn_text_fail(text, STN_ERR_PARSE, "a pattern cannot be %s",
                             symmetry_words[matrix->symmetry]);
    return STN_OK;
}

/* The banner line, or NULL if the file is empty. A lenient reader skips a byte-order mark and white
 * space before it. */
static stn_status find_banner(stn_text *text, char **at)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    STN_TRY(stn_text_line(text, at));
    if (!*at)
        return STN_OK;
    if (memcmp(*at, mark, 1) == 0 && memcmp(*at, mark, sizeof mark) == 0 &&
        stn_text_accepts(text, STN_MARKET_BYTE_ORDER_MARK))
        *at += sizeof mark;
    if ((!stn_is_blank(**at) && **at != '\n') || !stn_text_accepts(text, STN_MARKET_LEADING_BLANKS))
        return STN_OK;
    while (*(*at = stn_skip_blanks(*at)) == '\n') {
        text->cursor = *at + 1;
        STN_TRY(stn_text_line(text, at));
        if (!*at)
            return STN_OK;
    }
    return STN_OK;
}

static stn_status read_banner(stn_text *text, stn_market_matrix *matrix)
{
    char *at, word[32];
    int form, field, symmetry;
    STN_TRY(find_banner(text, &at));
    if (!at)
        return stn_fail(STN_ERR_PARSE, "%s: the file is empty", text->name);
    const int is_marked = *at == '\xef' || stn_is_blank(*at) || *at == '\n';
    at = stn_text_word(at, word, sizeof word);
    if (strcmp(word, "%%matrixmarket") != 0)
        return stn_text_fail(text, STN_ERR_PARSE,
                             "not a Matrix Market file: it does not begin with %%%%MatrixMarket%s",
                             is_marked ? "; STN_MARKET_LENIENT accepts a byte-order mark and "
                                         "white space before it"
                                       : "");
    at = stn_text_word(stn_skip_blanks(at), word, sizeof word);
    if (strcmp(word, "matrix") != 0)
        return stn_text_fail(text, STN_ERR_PARSE, "the object is '%s', not matrix", word);
    STN_TRY(read_choice(text, &at, "form", "coordinate or array", form_words, &form));
    STN_TRY(read_choice(text, &at, "field", "real, integer, complex or pattern", stn_market_fields,
                        &field));
    STN_TRY(read_choice(text, &at, "symmetry", "general, symmetric, skew-symmetric or hermitian",
                        symmetry_words, &symmetry));
    matrix->storage = form ? STN_MARKET_DENSE : STN_MARKET_CSR;
    matrix->field = (stn_market_field)field;
    matrix->symmetry = (stn_market_symmetry)symmetry;
    matrix->value_format = stn_market_values[field].format;
    STN_TRY(check_banner(text, matrix));
    return stn_text_finish(text, at, "banner");
}

/* Does a number end at a word boundary? With a lenient reader, also at a comment. */
static int ends_word(const stn_text *text, const char *at)
{
    return stn_is_blank(*at) || *at == '\n' || (*at == '%' && text->lenient);
}

static stn_status read_count(stn_text *text, char **at, const char *what, int64_t minimum,
                             int64_t *count)
{
    char *const begin = *at = stn_skip_blanks(*at), word[32];
    stn_text_word(begin, word, sizeof word);
    if (!word[0])
        return stn_text_fail(text, STN_ERR_PARSE, "no number of %s in the size line", what);
    const stn_scan result = stn_scan_integer(at, count);
    if ((result != STN_SCAN_OK && result != STN_SCAN_RANGE) || !ends_word(text, *at))
        return stn_text_fail(text, STN_ERR_PARSE, "'%s' is not a number of %s", word, what);
    if (result == STN_SCAN_RANGE)
        return stn_text_fail(text, STN_ERR_RANGE, "the number of %s, %s, is beyond 64 bits", what,
                             word);
    if (*count < minimum)
        return stn_text_fail(text, STN_ERR_RANGE,
                             "the number of %s is %" PRId64 ", less than %" PRId64, what, *count,
                             minimum);
    return STN_OK;
}

/* Number of entries of a complete file of this size and symmetry. */
static int64_t full_count(const stn_market_matrix *matrix)
{
    const int64_t n = matrix->rows;
    switch (matrix->symmetry) {
    case STN_MARKET_SYMMETRIC:
    case STN_MARKET_HERMITIAN:
        return n * (n + 1) / 2;
    case STN_MARKET_SKEW:
        return n * (n - 1) / 2;
    default:
        return n * matrix->columns;
    }
}

/* Checks the size line before memory is allocated for it. */
static stn_status check_size(const stn_text *text, const stn_market_matrix *matrix)
{
    const int64_t rows = matrix->rows, columns = matrix->columns;
    if (rows > INT32_MAX || columns > INT32_MAX)
        return stn_text_fail(text, STN_ERR_UNSUPPORTED,
                             "%" PRId64 " rows and %" PRId64 " columns: more than %" PRId32
                             " are not supported",
                             rows, columns, INT32_MAX);
    if (matrix->symmetry != STN_MARKET_GENERAL && rows != columns)
        return stn_text_fail(text, STN_ERR_PARSE, "%" PRId64 " x %" PRId64 " cannot be %s", rows,
                             columns, symmetry_words[matrix->symmetry]);
    if (matrix->storage == STN_MARKET_CSR &&
        (rows - STN_FREE_ROWS + STN_ROWS_PER_ENTRY - 1) / STN_ROWS_PER_ENTRY > matrix->stored)
        return stn_text_fail(
            text, STN_ERR_UNSUPPORTED,
            "%" PRId64 " rows with %" PRId64
            " entries: beyond %d rows, a matrix must have one entry for every %d additional rows",
            rows, matrix->stored, STN_FREE_ROWS, STN_ROWS_PER_ENTRY);
    return STN_OK;
}

static stn_status read_size(stn_text *text, stn_market_matrix *matrix)
{
    char *at;
    STN_TRY(stn_text_content(text, &at));
    if (!at)
        return stn_text_fail(text, STN_ERR_PARSE, "the file ends before the size line");
    STN_TRY(read_count(text, &at, "rows", 1, &matrix->rows));
    STN_TRY(read_count(text, &at, "columns", 1, &matrix->columns));
    if (matrix->storage == STN_MARKET_CSR)
        STN_TRY(read_count(text, &at, "entries", 0, &matrix->stored));
    STN_TRY(check_size(text, matrix));
    if (matrix->storage == STN_MARKET_DENSE)
        matrix->stored = full_count(matrix);
    return stn_text_finish(text, at, "size line");
}

/* The error for the number from `begin` to `end`, given the result of its scanner. */
static stn_status bad_value(const stn_text *text, char *begin, const char *end, const char *what,
                            stn_scan result, stn_market_field field)
{
    const int whole = field == STN_MARKET_INTEGER;
    char word[32];
    stn_text_word(begin, word, sizeof word);
    if (!word[0])
        return stn_text_fail(text, STN_ERR_PARSE, "the line ends before the %s", what);
    if (result == STN_SCAN_NONFINITE && ends_word(text, end))
        return stn_text_fail(text, STN_ERR_RANGE, "the %s %s is not finite%s", what, word,
                             whole ? "" : "; STN_MARKET_LENIENT accepts it");
    if (result == STN_SCAN_RANGE && ends_word(text, end))
        return stn_text_fail(text, STN_ERR_RANGE, "the %s %s is beyond the range of %s", what, word,
                             whole ? "64-bit integers"
                                   : "double; STN_MARKET_LENIENT reads it as infinity");
    return stn_text_fail(text, STN_ERR_PARSE, "the %s '%s' is not %s", what, word,
                         whole ? "an integer" : "a number");
}

static stn_status read_integer(const stn_text *text, char **at, int64_t *value)
{
    char *const begin = *at = stn_skip_blanks(*at);
    const stn_scan result = stn_scan_integer(at, value);
    if (result == STN_SCAN_OK && ends_word(text, *at))
        return STN_OK;
    return bad_value(text, begin, *at, "value", result, STN_MARKET_INTEGER);
}

/* Does a lenient reader accept a number that a scanner rejected? */
static int accepts_number(stn_text *text, stn_scan result)
{
    return (result == STN_SCAN_NONFINITE && stn_text_accepts(text, STN_MARKET_NONFINITE)) ||
           (result == STN_SCAN_RANGE && stn_text_accepts(text, STN_MARKET_OVERFLOW));
}

static stn_status read_real(stn_text *text, char **at, const char *what, double *value)
{
    char *const begin = *at = stn_skip_blanks(*at);
    const stn_scan result = stn_scan_real(at, text->plain, value);
    if (ends_word(text, *at) && (result == STN_SCAN_OK || accepts_number(text, result)))
        return STN_OK;
    return bad_value(text, begin, *at, what, result, STN_MARKET_REAL);
}

/* Skips one number, or two, as in complex files, after the position of a pattern's entry. */
static stn_status skip_values(stn_text *text, char **at, int64_t *unused)
{
    stn_market_number number;
    for (int part = 0; part < 2; part++, ++*unused) {
        *at = stn_skip_blanks(*at);
        if (**at == '\n' || **at == '%')
            break;
        STN_TRY(read_real(text, at, "value", &number.real));
    }
    return STN_OK;
}

static stn_status read_value(stn_text *text, char **at, stn_market_matrix *matrix,
                             stn_market_number *number)
{
    const stn_market_field field = matrix->field;
    switch (field) {
    case STN_MARKET_REAL:
        return read_real(text, at, "value", &number->real);
    case STN_MARKET_INTEGER:
        return read_integer(text, at, &number->integer);
    case STN_MARKET_COMPLEX:
        STN_TRY(read_real(text, at, "real part", &number->parts.re));
        return read_real(text, at, "imaginary part", &number->parts.im);
    case STN_MARKET_PATTERN:
        return skip_values(text, at, &matrix->unused_values);
    }
    return STN_OK;
}

/* The error for the index at `begin`. */
static stn_status bad_index(const stn_text *text, char *begin, const char *what, int64_t limit)
{
    char word[32], *end = begin;
    int64_t index;
    stn_text_word(begin, word, sizeof word);
    if (!word[0])
        return stn_text_fail(text, STN_ERR_PARSE, "the line ends before the %s index", what);
    const stn_scan result = stn_scan_integer(&end, &index);
    const int number = (result == STN_SCAN_OK || result == STN_SCAN_RANGE) && ends_word(text, end);
    if (number && (word[0] == '-' || index == 0))
        return stn_text_fail(text, STN_ERR_RANGE, "%s index %s: indices begin at 1", what, word);
    if (number && (result == STN_SCAN_RANGE || index > limit))
        return stn_text_fail(text, STN_ERR_RANGE,
                             "%s index %s exceeds the %" PRId64 " %ss of the size line", what, word,
                             limit, what);
    return stn_text_fail(text, STN_ERR_PARSE, "'%s' is not a %s index", word, what);
}

static stn_status read_index(const stn_text *text, char **at, const char *what, int64_t limit,
                             int32_t *index)
{
    char *const begin = *at = stn_skip_blanks(*at);
    int64_t number;
    if (!stn_scan_index(at, &number)) {
        *at = begin; /* a sign, or many leading zeros */
        if (stn_scan_integer(at, &number) != STN_SCAN_OK)
            return bad_index(text, begin, what, limit);
    }
    if (number < 1 || number > limit || !ends_word(text, *at))
        return bad_index(text, begin, what, limit);
    *index = (int32_t)(number - 1);
    return STN_OK;
}

/* Position of the next entry of an array file, which is ordered by columns, of the lower triangle
 * for symmetric matrices. Begins with (-1, 0). */
static void next_position(const stn_market_matrix *matrix, int32_t *row, int32_t *column)
{
    if (++*row == matrix->rows) {
        ++*column;
        *row = 0;
    }
    if (matrix->symmetry != STN_MARKET_GENERAL && *row < *column)
        *row = *column;
    if (matrix->symmetry == STN_MARKET_SKEW && *row == *column)
        ++*row;
}

static int is_zero(stn_market_field field, const stn_market_number *number)
{
    if (field == STN_MARKET_INTEGER)
        return number->integer == 0;
    return number->real == 0.0 && (field != STN_MARKET_COMPLEX || number->parts.im == 0.0);
}

/* Rejects values that a skew-symmetric or Hermitian matrix cannot have. */
static stn_status check_symmetry(stn_text *text, const stn_market_matrix *matrix, int diagonal,
                                 const stn_market_number *number)
{
    if (matrix->symmetry == STN_MARKET_HERMITIAN && diagonal && number->parts.im != 0.0)
        return stn_text_fail(text, STN_ERR_PARSE,
                             "a diagonal entry of a hermitian matrix has imaginary part %g",
                             number->parts.im);
    if (matrix->symmetry != STN_MARKET_SKEW)
        return STN_OK;
    if (diagonal &&
        !(is_zero(matrix->field, number) && stn_text_accepts(text, STN_MARKET_ZERO_DIAGONAL)))
        return stn_text_fail(
            text, STN_ERR_PARSE, "a skew-symmetric matrix has no diagonal entries%s",
            is_zero(matrix->field, number) ? "; STN_MARKET_LENIENT accepts explicit zeros" : "");
    if (matrix->field == STN_MARKET_INTEGER && number->integer == INT64_MIN)
        return stn_text_fail(text, STN_ERR_RANGE, "%" PRId64 " cannot be negated in 64 bits",
                             INT64_MIN);
    return STN_OK;
}

/* Moves *array with its `count` elements to memory for `capacity` elements. */
static stn_status enlarge(void *array, int64_t count, int64_t capacity, size_t bytes)
{
    void *old, *larger;
    memcpy(&old, array, sizeof old);
    STN_TRY(stn_allocate(&larger, capacity, bytes, "entries of a Matrix Market file"));
    if (count > 0)
        memcpy(larger, old, (size_t)count * bytes);
    stn_free(old);
    memcpy(array, &larger, sizeof larger);
    return STN_OK;
}

stn_status stn_market_enlarge(stn_entries *entries, const stn_market_matrix *matrix,
                              int64_t capacity)
{
    const int64_t count = entries->count;
    if (matrix->storage == STN_MARKET_CSR) {
        STN_TRY(enlarge(&entries->row, count, capacity, sizeof *entries->row));
        STN_TRY(enlarge(&entries->column, count, capacity, sizeof *entries->column));
    }
    if (matrix->field != STN_MARKET_PATTERN)
        STN_TRY(enlarge(&entries->value, count, capacity, stn_market_values[matrix->field].bytes));
    entries->capacity = capacity;
    return STN_OK;
}

/* Twice the entries, but no more than the header announces. */
static int64_t next_capacity(const stn_entries *entries, const stn_market_matrix *matrix)
{
    const int64_t first = 8192, next = entries->count > 0 ? 2 * entries->count : first;
    return next < matrix->stored ? next : matrix->stored;
}

static void store_value(stn_entries *entries, stn_market_field field,
                        const stn_market_number *number)
{
    if (field == STN_MARKET_COMPLEX)
        memcpy(entries->value + entries->count * 16, number, 16);
    else if (field != STN_MARKET_PATTERN)
        memcpy(entries->value + entries->count * 8, number, 8);
}

/* The next entry is in `line`: extends the current run of lines or begins a new one. */
static stn_status note_line(stn_entries *entries, int64_t line)
{
    const int64_t runs = entries->run_count;
    const stn_line_run *const last = runs > 0 ? &entries->runs[runs - 1] : NULL;
    if (last && line - last->line == entries->count - last->entry)
        return STN_OK;
    if (runs == entries->run_capacity) {
        const int64_t capacity = runs > 0 ? 2 * runs : 16;
        STN_TRY(enlarge(&entries->runs, runs, capacity, sizeof *entries->runs));
        entries->run_capacity = capacity;
    }
    entries->runs[entries->run_count++] = (stn_line_run){entries->count, line};
    return STN_OK;
}

static stn_status expect_all(const stn_text *text, const stn_market_matrix *matrix, int64_t read)
{
    if (read == matrix->stored)
        return STN_OK;
    return stn_text_fail(
        text, STN_ERR_PARSE, "the file ends after %" PRId64 " of %" PRId64 " entries%s", read,
        matrix->stored,
        matrix->stored > full_count(matrix) ? ", which are more than the matrix has positions"
                                            : "");
}

/* The position of the next entry. */
static stn_status read_position(stn_text *text, char **at, const stn_market_matrix *matrix,
                                int32_t *row, int32_t *column)
{
    if (matrix->storage == STN_MARKET_DENSE) {
        next_position(matrix, row, column);
        return STN_OK;
    }
    STN_TRY(read_index(text, at, "row", matrix->rows, row));
    return read_index(text, at, "column", matrix->columns, column);
}

static stn_status store_entry(stn_entries *entries, const stn_market_matrix *matrix, int32_t row,
                              int32_t column, const stn_market_number *number, int64_t line)
{
    if (matrix->storage == STN_MARKET_CSR) {
        STN_TRY(note_line(entries, line));
        entries->row[entries->count] = row;
        entries->column[entries->count] = column;
    }
    store_value(entries, matrix->field, number);
    entries->count++;
    return STN_OK;
}

stn_status stn_market_read_body(stn_text *text, stn_market_matrix *matrix, stn_entries *entries,
                                int64_t end, int64_t most, int *has_ended)
{
    int32_t row = -1, column = 0;
    *has_ended = 0;
    for (char *at; entries->count < most;) {
        stn_market_number number;
        STN_TRY(stn_text_content(text, &at));
        *has_ended = !at || stn_text_offset(text) >= end;
        if (*has_ended)
            return STN_OK;
        if (entries->count == matrix->stored)
            return stn_text_fail(text, STN_ERR_PARSE,
                                 "more entries than the %" PRId64 " of the size line",
                                 matrix->stored);
        if (entries->count == entries->capacity)
            STN_TRY(stn_market_enlarge(entries, matrix, next_capacity(entries, matrix)));
        STN_TRY(read_position(text, &at, matrix, &row, &column));
        STN_TRY(read_value(text, &at, matrix, &number));
        STN_TRY(check_symmetry(text, matrix, row == column, &number));
        STN_TRY(store_entry(entries, matrix, row, column, &number, text->line));
        STN_TRY(stn_text_finish(text, at, "entry"));
    }
    return STN_OK;
}

stn_status stn_market_read_head(stn_text *text, stn_market_matrix *matrix)
{
    STN_TRY(read_banner(text, matrix));
    return read_size(text, matrix);
}

stn_status stn_market_assemble(stn_text *text, const stn_entries *entries, unsigned flags,
                               stn_market_matrix *matrix)
{
    STN_TRY(stn_market_assemble_rows(entries, matrix));
    STN_TRY(stn_market_sort_rows(matrix));
    return stn_market_merge_duplicates(text, entries, flags, matrix);
}

static stn_status read_and_assemble(stn_text *text, unsigned flags, stn_entries *entries,
                                    stn_market_matrix *matrix)
{
    int has_ended;
    STN_TRY(stn_market_read_head(text, matrix));
    STN_TRY(stn_market_read_body(text, matrix, entries, INT64_MAX, INT64_MAX, &has_ended));
    STN_TRY(expect_all(text, matrix, entries->count));
    return matrix->storage == STN_MARKET_DENSE ? stn_market_assemble_dense(entries, matrix)
                                               : stn_market_assemble(text, entries, flags, matrix);
}

void stn_market_release_entries(stn_entries *entries)
{
    stn_free(entries->row);
    stn_free(entries->column);
    stn_free(entries->value);
    stn_free(entries->runs);
}

/* Reads all, or the banner and the size line. */
static stn_status read_text(stn_text *text, unsigned flags, int is_all, stn_market_matrix *matrix)
{
    stn_entries entries = {.end = INT64_MAX};
    *matrix = (stn_market_matrix)STN_MARKET_MATRIX_INIT;
    text->lenient = (flags & STN_MARKET_LENIENT) != 0;
    const stn_decimal_modes modes =
        stn_decimal_modes_enter(); /* long decimals and sums are rounded */
    const stn_status status = is_all ? read_and_assemble(text, flags, &entries, matrix)
                                     : stn_market_read_head(text, matrix);
    stn_decimal_modes_leave(modes);
    stn_market_release_entries(&entries);
    memcpy(matrix->deviations, text->deviations, sizeof matrix->deviations);
    if (status != STN_OK)
        stn_market_release(matrix);
    return status;
}

stn_status stn_market_read(stn_text *text, unsigned flags, stn_market_matrix *matrix)
{
    return read_text(text, flags, 1, matrix);
}

stn_status stn_market_expect(const char *argument, stn_market_matrix *matrix, const char *path,
                             unsigned flags)
{
    static const stn_market_matrix empty = STN_MARKET_MATRIX_INIT;
    STN_TRY(STN_STRUCT_CHECK(matrix, stn_market_matrix, values, argument));
    STN_STRUCT_WRITE(matrix, &empty, stn_market_matrix);
    if (!path)
        return stn_fail(STN_ERR_ARGUMENT, "%.*s: path is NULL", (int)strcspn(argument, ":"),
                        argument);
    if (flags & ~(unsigned)(STN_MARKET_SUM | STN_MARKET_LENIENT))
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: flags 0x%x: only STN_MARKET_SUM and STN_MARKET_LENIENT are defined",
                        path, flags);
    return STN_OK;
}

static stn_status read_path(const char *argument, stn_market_matrix *matrix, const char *path,
                            unsigned flags, int is_all)
{
    stn_market_matrix found;
    stn_text text;
    STN_TRY(stn_market_expect(argument, matrix, path, flags));
    STN_TRY(stn_text_open(&text, path));
    const stn_status status = read_text(&text, flags, is_all, &found);
    stn_text_close(&text);
    STN_STRUCT_WRITE(matrix, &found, stn_market_matrix);
    return status;
}

stn_status stn_market_read_file(stn_market_matrix *matrix, const char *path, unsigned flags)
{
    return read_path("stn_market_read_file: matrix", matrix, path, flags, 1);
}

stn_status stn_market_read_header(stn_market_matrix *matrix, const char *path, unsigned flags)
{
    return read_path("stn_market_read_header: matrix", matrix, path, flags, 0);
}

void stn_market_release(stn_market_matrix *matrix)
{
    static const stn_market_matrix empty = STN_MARKET_MATRIX_INIT;
    if (!matrix || matrix->size < STN_SIZE_TO(stn_market_matrix, values) ||
        matrix->size > STN_STRUCT_MAX || matrix->size % sizeof(size_t))
        return; /* stn_error() is unchanged */
    stn_free(matrix->row_start);
    stn_free(matrix->column);
    stn_free(matrix->values);
    STN_STRUCT_WRITE(matrix, &empty, stn_market_matrix);
}
