/* The Matrix Market writer: checks, decimals, and a temporary file that is renamed at the end. */
#define _POSIX_C_SOURCE 200809L
#include "core/grow.h"
#include "market/market.h"
#include "market/modes.h"
#include "market/scan.h"
#include "market/sink.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Records "path: message" and returns the status. */
static stn_status refuse(const char *path, stn_status status, const char *message, ...)
    __attribute__((format(printf, 3, 4)));

static stn_status refuse(const char *path, stn_status status, const char *message, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(sentence, sizeof sentence, message, arguments);
    va_end(arguments);
    return stn_fail(status, "%s: %s", stn_tail_of(path), sentence);
}

static const char *name_of(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    return stn_format_describe(format, &info) == STN_OK ? info.name : "no format";
}

/* Checks everything except positions and values, before any of them is read. */
static stn_status check_struct(const char *path, const stn_market_matrix *matrix)
{
    if ((unsigned)matrix->field > STN_MARKET_PATTERN)
        return refuse(path, STN_ERR_ARGUMENT,
                      "field is %d; it must be STN_MARKET_REAL (0) to STN_MARKET_PATTERN (3)",
                      (int)matrix->field);
    if ((unsigned)matrix->storage > STN_MARKET_DENSE)
        return refuse(path, STN_ERR_ARGUMENT,
                      "storage is %d; it must be STN_MARKET_CSR (0) or STN_MARKET_DENSE (1)",
                      (int)matrix->storage);
    if (matrix->value_format != stn_market_values[matrix->field].format)
        return refuse(path, STN_ERR_FORMAT, "value_format is %s; values of field %s are %s",
                      name_of(matrix->value_format), stn_market_fields[matrix->field],
                      name_of(stn_market_values[matrix->field].format));
    if (matrix->rows < 1 || matrix->rows > INT32_MAX || matrix->columns < 1 ||
        matrix->columns > INT32_MAX)
        return refuse(path, STN_ERR_ARGUMENT,
                      "a matrix of %" PRId64 " x %" PRId64
                      " cannot be written: both must be from 1 to %" PRId32,
                      matrix->rows, matrix->columns, INT32_MAX);
    if (matrix->storage == STN_MARKET_DENSE && matrix->field == STN_MARKET_PATTERN)
        return refuse(path, STN_ERR_ARGUMENT, "a dense matrix cannot have field pattern");
    if (matrix->storage == STN_MARKET_DENSE && matrix->entries != matrix->rows * matrix->columns)
        return refuse(path, STN_ERR_ARGUMENT,
                      "a dense matrix of %" PRId64 " x %" PRId64 " cannot have %" PRId64 " entries",
                      matrix->rows, matrix->columns, matrix->entries);
    if (matrix->storage == STN_MARKET_CSR && !matrix->row_start)
        return refuse(path, STN_ERR_ARGUMENT, "row_start is NULL");
    if (matrix->entries < 0)
        return refuse(path, STN_ERR_ARGUMENT, "entries is %" PRId64, matrix->entries);
    if (matrix->entries > 0 &&
        ((matrix->storage == STN_MARKET_CSR && !matrix->column) || !matrix->values))
        return refuse(path, STN_ERR_ARGUMENT, "%s is NULL, with %" PRId64 " entries",
                      matrix->values ? "column" : "values", matrix->entries);
    return STN_OK;
}

static stn_status check_row(const char *path, const stn_market_matrix *matrix, int64_t row)
{
    const int64_t begin = matrix->row_start[row], end = matrix->row_start[row + 1];
    for (int64_t k = begin; k < end; k++) {
        const int32_t column = matrix->column[k];
        if (column < 0 || column >= matrix->columns)
            return refuse(path, STN_ERR_ARGUMENT,
                          "column %" PRId32 " in row %" PRId64 " of a matrix of %" PRId64
                          " columns",
                          column, row, matrix->columns);
        if (k > begin && column <= matrix->column[k - 1])
            return refuse(path, STN_ERR_ARGUMENT,
                          "the columns of row %" PRId64 " do not ascend: %" PRId32
                          " after %" PRId32,
                          row, column, matrix->column[k - 1]);
    }
    return STN_OK;
}

static stn_status check_positions(const char *path, const stn_market_matrix *matrix)
{
    if (matrix->row_start[0] != 0 || matrix->row_start[matrix->rows] != matrix->entries)
        return refuse(path, STN_ERR_ARGUMENT,
                      "row_start goes from %" PRId64 " to %" PRId64 ", not from 0 to %" PRId64,
                      matrix->row_start[0], matrix->row_start[matrix->rows], matrix->entries);
    for (int64_t row = 0; row < matrix->rows; row++)
        if (matrix->row_start[row] > matrix->row_start[row + 1])
            return refuse(path, STN_ERR_ARGUMENT,
                          "row_start descends from %" PRId64 " to %" PRId64 " at row %" PRId64,
                          matrix->row_start[row], matrix->row_start[row + 1], row);
    for (int64_t row = 0; row < matrix->rows; row++)
        STN_TRY(check_row(path, matrix, row));
    return STN_OK;
}

/* The row of entry k of compressed rows, or of a row-major matrix. */
static int64_t row_of(const stn_market_matrix *matrix, int64_t k)
{
    int64_t row = 0;
    if (matrix->storage == STN_MARKET_DENSE)
        return k / matrix->columns;
    while (matrix->row_start[row + 1] <= k)
        row++;
    return row;
}

/* Rejects infinities and NaN, and values of a pattern other than 1. */
static stn_status check_values(const char *path, const stn_market_matrix *matrix)
{
    if (matrix->field == STN_MARKET_INTEGER)
        return STN_OK;
    const double *const values = matrix->values;
    const int parts = matrix->field == STN_MARKET_COMPLEX ? 2 : 1;
    for (int64_t k = 0; k < parts * matrix->entries; k++) {
        if (!isfinite(values[k]))
            return refuse(path, STN_ERR_ARGUMENT,
                          "row %" PRId64 ", column %" PRId64
                          ": the value is %s, which Matrix Market files do not represent",
                          row_of(matrix, k / parts) + 1,
                          (matrix->storage == STN_MARKET_DENSE
                               ? k / parts % matrix->columns
                               : (int64_t)matrix->column[k / parts]) +
                              1,
                          isnan(values[k]) ? "NaN" : "infinite");
        if (matrix->field == STN_MARKET_PATTERN && values[k] != 1.0)
            return refuse(path, STN_ERR_ARGUMENT,
                          "values[%" PRId64 "] of a pattern is %g; it must be 1", k, values[k]);
    }
    return STN_OK;
}

/* A text being written: its destination, and the locale "C" in which its decimals are read back. */
typedef struct writer {
    stn_sink sink;
    locale_t plain;
    const stn_market_matrix *matrix;
} writer;

static stn_status write_format(writer *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static stn_status write_format(writer *to, const char *format, ...)
{
    char line[128];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return stn_sink_write(&to->sink, line, (size_t)length);
}

/* The shortest of 15 to 17 digits that reads back as the same bits. */
static stn_status write_real(writer *to, double value)
{
    char number[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g\n", digits, value);
        char *at = number;
        double back;
        if (stn_scan_real(&at, to->plain, &back) == STN_SCAN_OK &&
            memcmp(&back, &value, sizeof value) == 0)
            break;
    }
    return stn_sink_write(&to->sink, number, strcspn(number, "\n"));
}

static stn_status write_value(writer *to, int64_t at)
{
    const void *const values = to->matrix->values;
    switch (to->matrix->field) {
    case STN_MARKET_REAL:
        return write_real(to, ((const double *)values)[at]);
    case STN_MARKET_INTEGER:
        return write_format(to, "%" PRId64, ((const int64_t *)values)[at]);
    case STN_MARKET_COMPLEX:
        STN_TRY(write_real(to, ((const stn_c128 *)values)[at].re));
        STN_TRY(write_format(to, " "));
        return write_real(to, ((const stn_c128 *)values)[at].im);
    case STN_MARKET_PATTERN:
        break;
    }
    return STN_OK;
}

static stn_status write_rows(writer *to)
{
    const stn_market_matrix *const matrix = to->matrix;
    const char *const blank = matrix->field == STN_MARKET_PATTERN ? "" : " ";
    STN_TRY(write_format(to, "%" PRId64 " %" PRId64 " %" PRId64 "\n", matrix->rows, matrix->columns,
                         matrix->entries));
    for (int64_t row = 0; row < matrix->rows; row++)
        for (int64_t k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++) {
            STN_TRY(write_format(to, "%" PRId64 " %" PRId64 "%s", row + 1,
                                 (int64_t)matrix->column[k] + 1, blank));
            STN_TRY(write_value(to, k));
            STN_TRY(write_format(to, "\n"));
        }
    return STN_OK;
}

/* Column by column, as in the array form. */
static stn_status write_dense(writer *to)
{
    const stn_market_matrix *const matrix = to->matrix;
    STN_TRY(write_format(to, "%" PRId64 " %" PRId64 "\n", matrix->rows, matrix->columns));
    for (int64_t column = 0; column < matrix->columns; column++)
        for (int64_t row = 0; row < matrix->rows; row++) {
            STN_TRY(write_value(to, row * matrix->columns + column));
            STN_TRY(write_format(to, "\n"));
        }
    return STN_OK;
}

static stn_status write_text(writer *to, const char *path)
{
    const stn_market_matrix *const matrix = to->matrix;
    STN_TRY(stn_sink_open(&to->sink, path));
    STN_TRY(write_format(to, "%%%%MatrixMarket matrix %s %s general\n",
                         matrix->storage == STN_MARKET_DENSE ? "array" : "coordinate",
                         stn_market_fields[matrix->field]));
    STN_TRY(matrix->storage == STN_MARKET_DENSE ? write_dense(to) : write_rows(to));
    return stn_sink_commit(&to->sink);
}

static stn_status write_file(const stn_market_matrix *matrix, const char *path)
{
    STN_TRY(check_struct(path, matrix));
    if (matrix->storage == STN_MARKET_CSR)
        STN_TRY(check_positions(path, matrix));
    STN_TRY(check_values(path, matrix));
    writer to = {.matrix = matrix, .plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (!to.plain)
        return refuse(path, STN_ERR_MEMORY, "no memory to write it");
    const locale_t before = uselocale(to.plain); /* of this thread: decimal points are periods */
    const stn_decimal_modes modes =
        stn_decimal_modes_enter(); /* and decimals are rounded to nearest */
    const stn_status status = write_text(&to, path);
    stn_sink_discard(&to.sink);
    stn_decimal_modes_leave(modes);
    uselocale(before);
    freelocale(to.plain);
    return status;
}

stn_status stn_market_write_file(const stn_market_matrix *matrix, const char *path)
{
    stn_market_matrix known = STN_MARKET_MATRIX_INIT;
    STN_TRY(STN_STRUCT_READ(&known, matrix, stn_market_matrix, values,
                            "stn_market_write_file: matrix"));
    if (!path)
        return stn_fail(STN_ERR_ARGUMENT, "stn_market_write_file: path is NULL");
    return write_file(&known, path);
}
