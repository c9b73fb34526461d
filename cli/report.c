/* Rows of results, as a table, as JSON and as comma-separated values. */
#include "report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/cpu.h"

/* ---- the columns of JSON and CSV ---- */

typedef enum kind { TEXT, INTEGER, REAL } kind;

typedef struct report_column {
    const char *name;
    kind kind;
    size_t offset;
} report_column;

#define COLUMN(kind, name)                                                                         \
    {                                                                                              \
#        name, kind, offsetof(report_row, name)                                                    \
    }
static const report_column columns[] = {
    COLUMN(TEXT, kernel),      COLUMN(TEXT, exec),         COLUMN(TEXT, format),
    COLUMN(TEXT, arith),       COLUMN(INTEGER, n),         COLUMN(INTEGER, threads),
    COLUMN(REAL, seconds),     COLUMN(REAL, bytes),        COLUMN(REAL, gbps),
    COLUMN(REAL, stream_gbps), COLUMN(REAL, fraction),     COLUMN(REAL, speedup_vs_f64),
    COLUMN(REAL, error),       COLUMN(REAL, error_stored), COLUMN(TEXT, isa),
    COLUMN(TEXT, matrix),      COLUMN(TEXT, result_bits),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const void *cell(const report_row *row, const report_column *column)
{
    return (const char *)row + column->offset;
}

static const char *text_of(const report_row *row, const report_column *column)
{
    return *(const char *const *)cell(row, column);
}

/* Text that was not asked for has no column. */
static int is_there(const report_row *row, const report_column *column)
{
    return column->kind != TEXT || text_of(row, column) != NULL;
}

/* What is not a number in JSON is null. */
static json_t *json_cell(const report_row *row, const report_column *column)
{
    if (column->kind == TEXT)
        return json_string(text_of(row, column));
    if (column->kind == INTEGER)
        return json_integer(*(const int64_t *)cell(row, column));
    const double value = *(const double *)cell(row, column);
    if (!isfinite(value))
        return json_null();
    return column->offset == offsetof(struct report_row, bytes) ? json_integer((json_int_t)value)
                                                                : json_real(value);
}

static stn_status write_json(FILE *out, const report_row *row)
{
    json_t *object = json_object();
    for (int k = 0; k < COLUMNS; k++)
        if (is_there(row, &columns[k]))
            json_object_set_new(object, columns[k].name, json_cell(row, &columns[k]));
    const int failed = json_dumpf(object, out, JSON_REAL_PRECISION(9)) != 0;
    json_decref(object);
    fputc('\n', out);
    return failed ? stn_fail(STN_ERR_MEMORY, "no memory for the JSON text") : STN_OK;
}

stn_status report_json(FILE *out, const report_row *rows, int count)
{
    for (int k = 0; k < count; k++)
        STN_TRY(write_json(out, &rows[k]));
    return STN_OK;
}

/* In quotes where it needs them, with quotes doubled. */
static void write_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_csv(FILE *out, const report_row *row)
{
    const char *separator = "";
    for (int k = 0; k < COLUMNS; k++) {
        if (!is_there(row, &columns[k]))
            continue;
        fputs(separator, out);
        separator = ",";
        if (columns[k].kind == TEXT)
            write_text(out, text_of(row, &columns[k]));
        else if (columns[k].kind == INTEGER)
            fprintf(out, "%" PRId64, *(const int64_t *)cell(row, &columns[k]));
        else
            fprintf(out, "%.9g", *(const double *)cell(row, &columns[k]));
    }
    fputc('\n', out);
}

stn_status report_csv(FILE *out, const report_row *rows, int count)
{
    const char *separator = "";
    for (int k = 0; k < COLUMNS; k++)
        if (is_there(&rows[0], &columns[k])) {
            fprintf(out, "%s%s", separator, columns[k].name);
            separator = ",";
        }
    fputc('\n', out);
    for (int k = 0; k < count; k++)
        write_csv(out, &rows[k]);
    return STN_OK;
}

/* ---- rows ---- */

void report_fill_row(const measurement *all, const variant *own, report_row *row)
{
    const bench_settings *settings = all->settings;
    const bench_kernel *kernel = all->kernel;
    stn_format_info info = {.size = sizeof info};
    (void)stn_format_describe(own->format, &info); /* it has been measured, so it is there */
    *row = (struct report_row){.kernel = kernel->name,
                               .exec = stn_exec_name(all->exec),
                               .format = info.name,
                               .arith = settings->arithmetic == STN_F64 ? "f64" : "f32",
                               .n = all->problem.n,
                               .threads = stn_exec_threads(all->exec),
                               .seconds = own->seconds,
                               .bytes = own->bytes,
                               .gbps = 1e-9 * own->bytes / own->seconds,
                               .stream_gbps = 1e-9 * own->bytes / own->stream_seconds,
                               .fraction = own->stream_seconds / own->seconds,
                               .speedup_vs_f64 = all->variants[0].seconds / own->seconds,
                               .error = own->error,
                               .error_stored = own->error_stored,
                               .isa = settings->isa,
                               .matrix = kernel->a == ABSENT ? NULL : settings->matrix};
    if (settings->matrix && !row->matrix)
        row->matrix = ""; /* one set of columns for all rows */
    if (settings->bits) {
        snprintf(row->bits, sizeof row->bits, "%016" PRIx64, own->bits);
        row->result_bits = row->bits;
    }
}

/* ---- the table ---- */

void report_head(const bench_settings *settings, const stn_exec *exec)
{
    printf("steno %s, %s with %d thread%s, %s, arithmetic %s\n", stn_version(), stn_exec_name(exec),
           stn_exec_threads(exec), stn_exec_threads(exec) == 1 ? "" : "s",
           stn_isa_name(stn_isa_chosen()), settings->arithmetic == STN_F64 ? "f64" : "f32");
}

static void print_shape(const measurement *all)
{
    const bench_problem *problem = &all->problem;
    if (all->kernel->a == ABSENT)
        printf("%" PRId64 " elements", problem->n);
    else
        printf("%" PRId64 " x %" PRId64, problem->pattern.rows, problem->pattern.columns);
    if (all->kernel->sparse)
        printf(", %" PRId64 " entries", problem->n);
    if (all->kernel->a != ABSENT && all->settings->matrix)
        printf(", %s", all->settings->matrix);
}

void report_table(const measurement *all, const report_row *rows, int count)
{
    printf("\n%s: ", all->kernel->name);
    print_shape(all);
    printf("; median of %d round%s\n", all->rounds, all->rounds == 1 ? "" : "s");
    printf("%-7s %11s %8s %8s %9s %9s %10s %10s\n", "format", "seconds", "GB/s", "stream",
           "fraction", "speed-up", "error", "as stored");
    for (int k = 0; k < count; k++)
        printf("%-7s %11.3e %8.2f %8.2f %9.2f %9.2f %10.1e %10.1e\n", rows[k].format,
               rows[k].seconds, rows[k].gbps, rows[k].stream_gbps, rows[k].fraction,
               rows[k].speedup_vs_f64, rows[k].error, rows[k].error_stored);
    fflush(stdout);
}
