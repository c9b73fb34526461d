/* Rows of results as JSON and as comma-separated values. */
#define _POSIX_C_SOURCE 200809L
#include "columns.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

static const void *cell(const void *row, const column_spec *at)
{
    return (const char *)row + at->offset;
}

static const char *text_of(const void *row, const column_spec *at)
{
    return *(const char *const *)cell(row, at);
}

static int is_available(const void *row, const column_spec *at)
{
    return at->kind != COLUMN_TEXT || text_of(row, at) != NULL;
}

/* ---- JSON ---- */

static json_t *json_cell(const void *row, const column_spec *at)
{
    if (at->kind == COLUMN_TEXT)
        return json_string(text_of(row, at));
    if (at->kind == COLUMN_INTEGER)
        return json_integer(*(const int64_t *)cell(row, at));
    const double value = *(const double *)cell(row, at);
    if (!isfinite(value))
        return json_null();
    return at->kind == COLUMN_WHOLE ? json_integer((json_int_t)value) : json_real(value);
}

static stn_status json_row(FILE *out, const column_list *all, const void *row)
{
    json_t *object = json_object();
    for (int k = 0; k < all->count; k++)
        if (is_available(row, &all->list[k]))
            json_object_set_new(object, all->list[k].name, json_cell(row, &all->list[k]));
    const int failed = json_dumpf(object, out, JSON_REAL_PRECISION(9)) != 0;
    json_decref(object);
    fputc('\n', out);
    return failed ? stn_fail(STN_ERR_MEMORY, "no memory for the JSON text") : STN_OK;
}

static stn_status write_json(FILE *out, const column_list *all, const void *rows, int count)
{
    for (int k = 0; k < count; k++)
        STN_TRY(json_row(out, all, (const char *)rows + (size_t)k * all->row_bytes));
    return STN_OK;
}

/* ---- CSV ---- */

/* Quoted if necessary, with quotes doubled. */
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

static void csv_row(FILE *out, const column_list *all, const void *row)
{
    const char *separator = "";
    for (int k = 0; k < all->count; k++) {
        const column_spec *at = &all->list[k];
        if (!is_available(row, at))
            continue;
        fputs(separator, out);
        separator = ",";
        if (at->kind == COLUMN_TEXT)
            write_text(out, text_of(row, at));
        else if (at->kind == COLUMN_INTEGER)
            fprintf(out, "%" PRId64, *(const int64_t *)cell(row, at));
        else
            fprintf(out, "%.9g", *(const double *)cell(row, at));
    }
    fputc('\n', out);
}

static stn_status write_csv(FILE *out, const column_list *all, const void *rows, int count)
{
    const char *separator = "";
    for (int k = 0; k < all->count; k++)
        if (is_available(rows, &all->list[k])) {
            fprintf(out, "%s%s", separator, all->list[k].name);
            separator = ",";
        }
    fputc('\n', out);
    for (int k = 0; k < count; k++)
        csv_row(out, all, (const char *)rows + (size_t)k * all->row_bytes);
    return STN_OK;
}

/* ---- files ---- */

typedef stn_status writer(FILE *out, const column_list *all, const void *rows, int count);

static stn_status write_file(writer *write, const column_list *all, const void *rows, int count,
                             const char *path)
{
    char *text = NULL;
    size_t length = 0;
    if (!path)
        return STN_OK;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return stn_fail(STN_ERR_MEMORY, "no memory for the text of %s", path);
    stn_status status = write(out, all, rows, count);
    if (fclose(out) != 0 && status == STN_OK)
        status = stn_fail(STN_ERR_MEMORY, "no memory for the text of %s", path);
    if (status == STN_OK)
        status = output_write(path, text, length);
    free(text);
    return status;
}

static int is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

stn_status columns_check_files(const columns_files *files)
{
    if (files->json && files->csv && strcmp(files->json, files->csv) == 0)
        return stn_fail(STN_ERR_ARGUMENT, "JSON and CSV cannot both be written to %s",
                        is_stdout(files->json) ? "the standard output" : files->json);
    return STN_OK;
}

int columns_replace_table(const columns_files *files)
{
    return is_stdout(files->json) || is_stdout(files->csv);
}

stn_status columns_write_files(const column_list *all, const void *rows, int count,
                               const columns_files *files)
{
    STN_TRY(write_file(write_json, all, rows, count, files->json));
    return write_file(write_csv, all, rows, count, files->csv);
}
