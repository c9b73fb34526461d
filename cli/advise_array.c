/* steno advise for arrays: formats, scales and codecs, with bytes, errors and read speed. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advise.h"
#include "command.h"
#include "core/memory.h"
#include "measure/stream.h"
#include "progress.h"
#if STN_HAVE_CODEC
#    include "steno/archive.h"
#endif

enum { MAX_ROWS = 400, REPEATS = 3, TEXT_BYTES = ADVISE_STORAGE_BYTES };

typedef struct advise_row {
    const char *file, *storage, *format;
    int64_t bytes;
    double bits_per_element, max_error, rms_error, max_relative, rms_relative, read_gbps;
    int64_t meets_target, is_efficient, is_best;
    char text[TEXT_BYTES];
    double error; /* in the norm of the target */
} advise_row;

static const column_spec row_list[] = {COLUMN(advise_row, TEXT, file),
                                       COLUMN(advise_row, TEXT, storage),
                                       COLUMN(advise_row, TEXT, format),
                                       COLUMN(advise_row, INTEGER, bytes),
                                       COLUMN(advise_row, REAL, bits_per_element),
                                       COLUMN(advise_row, REAL, max_error),
                                       COLUMN(advise_row, REAL, rms_error),
                                       COLUMN(advise_row, REAL, max_relative),
                                       COLUMN(advise_row, REAL, rms_relative),
                                       COLUMN(advise_row, REAL, read_gbps),
                                       COLUMN(advise_row, INTEGER, meets_target),
                                       COLUMN(advise_row, INTEGER, is_efficient),
                                       COLUMN(advise_row, INTEGER, is_best)};
static const column_list row_columns = {row_list, sizeof row_list / sizeof *row_list,
                                        sizeof(advise_row)};

typedef struct table {
    advise_job *job;
    const stn_view *view;
    advise_row *rows;
    int count;
    double *values, *decoded; /* in f64 or c128 */
    int64_t elements, parts;  /* parts per element */
    double largest, root;     /* of the finite values */
} table;

/* ---- formats and scales ---- */

static double error_of(const table *t, const advise_row *row)
{
    const stn_array_advice_options *const target = &t->job->target;
    if (target->is_relative)
        return target->norm == STN_ERROR_RMS ? row->rms_relative : row->max_relative;
    return target->norm == STN_ERROR_RMS ? row->rms_error : row->max_error;
}

static advise_row *add_row(table *t, const char *text, stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    advise_row *const row = &t->rows[t->count++];
    (void)stn_format_describe(format, &info); /* cannot fail: the format is listed */
    *row = (advise_row){.file = t->job->path, .format = info.name};
    snprintf(row->text, sizeof row->text, "%s", text);
    return row;
}

/* GB of f64 values per second, so that storages of different sizes can be compared. */
static double speed_of(const table *t, double seconds_per_element)
{
    return (double)t->parts * 8.0 / seconds_per_element * 1e-9;
}

static void add_choice(table *t, const stn_array_choice *choice)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    char text[TEXT_BYTES];
    (void)stn_format_describe(choice->format, &info);
    if (choice->scales == STN_ADVISE_FITTED)
        snprintf(text, sizeof text, "%s * 2^%d", info.name, ilogb(choice->scale));
    else
        snprintf(text, sizeof text, "%s%s", info.name,
                 choice->scales == STN_ADVISE_BLOCKS ? ":32" : "");
    advise_row *const row = add_row(t, text, choice->format);
    row->bytes = choice->bytes;
    row->max_error = choice->max_error;
    row->rms_error = choice->rms_error;
    row->max_relative = choice->max_relative;
    row->rms_relative = choice->rms_relative;
    row->read_gbps = speed_of(t, choice->read_seconds);
}

static stn_status add_formats(table *t)
{
    stn_array_advice *advice;
    STN_TRY(stn_advise_array(t->job->exec, &advice, t->view, &t->job->target));
    for (int k = 0; k < stn_array_advice_count(advice) && t->count < MAX_ROWS; k++) {
        stn_array_choice choice = STN_ARRAY_CHOICE_INIT;
        (void)stn_array_advice_describe(advice, k, &choice);
        add_choice(t, &choice);
    }
    stn_array_advice_release(advice);
    return STN_OK;
}

/* ---- codecs ---- */

#if STN_HAVE_CODEC
static void compare(const table *t, advise_row *row)
{
    const int64_t count = t->elements * t->parts;
    double most = 0.0, sum = 0.0;
    for (int64_t k = 0; k < count; k++) {
        const double a = t->values[k], b = t->decoded[k];
        const double error = a == b || (isnan(a) && isnan(b)) ? 0.0 : fabs(a - b);
        most = error > most || isnan(error) ? error : most;
        sum += error * error;
    }
    row->max_error = isnan(most) ? (double)INFINITY : most;
    row->rms_error = sqrt(sum / (double)count);
    row->max_relative = t->largest > 0.0 ? row->max_error / t->largest : row->max_error;
    row->rms_relative = t->root > 0.0 ? row->rms_error / t->root : row->max_error;
}

static stn_status read_archive(table *t, stn_archive *archive, advise_row *row)
{
    static const int64_t first[STN_MAX_RANK] = {0};
    stn_archive_info info = STN_ARCHIVE_INFO_INIT;
    double best = (double)INFINITY;
    stn_view view;
    STN_TRY(stn_archive_describe(archive, &info));
    STN_TRY(stn_view_wrap(&view, "decoded", stn_storage_of(t->parts == 2 ? STN_C128 : STN_F64),
                          t->decoded, t->view->rank, t->view->extent));
    for (int k = 0; k < REPEATS; k++) {
        const double begin = measure_now();
        STN_TRY(stn_archive_read(t->job->exec, &view, archive, first));
        best = fmin(best, measure_now() - begin);
    }
    row->bytes = info.bytes;
    row->read_gbps = speed_of(t, best / (double)t->elements);
    compare(t, row);
    return STN_OK;
}

/* Codecs that do not support the format are omitted, unless they were requested. */
static stn_status add_codec(table *t, const char *codec, stn_format format, int is_requested)
{
    const stn_archive_options options = STN_INIT(stn_archive_options, .codec = codec);
    stn_format_info info = STN_FORMAT_INFO_INIT;
    char text[TEXT_BYTES];
    stn_archive *archive;
    if (t->count == MAX_ROWS)
        return STN_OK;
    progress("%s", codec);
    STN_TRY(stn_format_describe(format, &info));
    const stn_status made = stn_archive_pack(t->job->exec, &archive, format, t->view, &options);
    if (made == STN_ERR_UNSUPPORTED && !is_requested)
        return STN_OK;
    STN_TRY(made);
    if (format == t->view->storage.format)
        snprintf(text, sizeof text, "%s", codec);
    else
        snprintf(text, sizeof text, "%s of %s", codec, info.name);
    const stn_status status = read_archive(t, archive, add_row(t, text, format));
    stn_archive_release(archive);
    return status;
}

/* The narrowest format of archives, without a scale, that meets the target. */
static stn_format narrowest(const table *t)
{
    stn_format found = t->view->storage.format, format;
    int64_t bytes = INT64_MAX;
    for (int k = 0; k < t->count; k++) {
        const advise_row *const row = &t->rows[k];
        if (row->bytes < bytes && strcmp(row->text, row->format) == 0 &&
            error_of(t, row) <= t->job->target.target &&
            stn_format_find(row->format, &format) == STN_OK && format < STN_BUILTIN_FORMATS) {
            bytes = row->bytes;
            found = format;
        }
    }
    return found;
}

/* Largest absolute error with which the target is met. */
static double bound_of(const table *t)
{
    const stn_array_advice_options *const target = &t->job->target;
    const double unit = !target->is_relative            ? 1.0
                        : target->norm == STN_ERROR_RMS ? t->root
                                                        : t->largest;
    return target->target * unit;
}

static stn_status add_default_codecs(table *t)
{
    const stn_format own = t->view->storage.format, narrow = narrowest(t);
    const double bound = bound_of(t);
    char codec[TEXT_BYTES];
    STN_TRY(add_codec(t, "shuffle+zstd", own, 0));
    STN_TRY(add_codec(t, "shuffle+lzw", own, 0));
    STN_TRY(add_codec(t, "zfp", own, 0));
    if (narrow != own)
        STN_TRY(add_codec(t, "shuffle+zstd", narrow, 0));
    if (bound > 0.0 && isfinite(bound)) {
        snprintf(codec, sizeof codec, "zfp:accuracy=%.6g", bound);
        STN_TRY(add_codec(t, codec, own, 0));
        snprintf(codec, sizeof codec, "sz:error=%.6g", bound);
        STN_TRY(add_codec(t, codec, own, 0));
    }
    return STN_OK;
}

static stn_status read_values(table *t)
{
    stn_view all;
    double sum = 0.0;
    const int64_t count = t->elements * t->parts;
    STN_TRY(expect_memory(16.0 * (double)count, "the array"));
    STN_TRY(stn_allocate(&t->values, count, sizeof(double), "values"));
    STN_TRY(stn_allocate(&t->decoded, count, sizeof(double), "values"));
    STN_TRY(stn_view_wrap(&all, "values", stn_storage_of(t->parts == 2 ? STN_C128 : STN_F64),
                          t->values, t->view->rank, t->view->extent));
    STN_TRY(stn_view_copy(t->job->exec, &all, t->view));
    for (int64_t k = 0; k < count; k++) {
        const double size = isfinite(t->values[k]) ? fabs(t->values[k]) : 0.0;
        t->largest = fmax(t->largest, size);
        sum += size * size;
    }
    t->root = sqrt(sum / (double)count);
    return STN_OK;
}

/* Archives store built-in formats without scales. */
static stn_status add_codecs(table *t)
{
    const stn_storage *const storage = &t->view->storage;
    if (storage->scale != 1.0 || storage->zero != 0.0 || storage->format >= STN_BUILTIN_FORMATS)
        return STN_OK;
    STN_TRY(read_values(t));
    for (int k = 0; k < t->job->codec_count; k++)
        STN_TRY(add_codec(t, t->job->codecs[k], storage->format, 1));
    if (t->job->codec_count == 0)
        STN_TRY(add_default_codecs(t));
    progress_end();
    return STN_OK;
}
#else
static stn_status add_codecs(table *t)
{
    return t->job->codec_count ? stn_fail(STN_ERR_UNSUPPORTED, "this command was built without "
                                                               "libsteno_codec")
                               : STN_OK;
}
#endif

/* ---- selection ---- */

/* As in stn_advise_array: speeds within 10 % are equal, and of equal rows the first one dominates.
 */
static int is_faster(const advise_row *a, const advise_row *b)
{
    return 0.9 * a->read_gbps > b->read_gbps;
}

static int dominates(const advise_row *a, const advise_row *b)
{
    if (a->bytes > b->bytes || a->error > b->error || is_faster(b, a))
        return 0;
    return a->bytes < b->bytes || a->error < b->error || is_faster(a, b) || a < b;
}

static int is_better(const table *t, const advise_row *a, const advise_row *b)
{
    if (t->job->target.goal == STN_ADVISE_SPEED && (is_faster(a, b) || is_faster(b, a)))
        return is_faster(a, b);
    return a->bytes != b->bytes ? a->bytes < b->bytes : is_faster(a, b);
}

static void sort_by_bytes(table *t)
{
    for (int k = 1; k < t->count; k++)
        for (int at = k; at > 0 && t->rows[at].bytes < t->rows[at - 1].bytes; at--) {
            const advise_row row = t->rows[at];
            t->rows[at] = t->rows[at - 1];
            t->rows[at - 1] = row;
        }
}

static const advise_row *select_best(table *t)
{
    advise_row *best = NULL;
    sort_by_bytes(t);
    for (int k = 0; k < t->count; k++) {
        t->rows[k].error = error_of(t, &t->rows[k]);
        t->rows[k].meets_target = t->rows[k].error <= t->job->target.target;
        t->rows[k].storage = t->rows[k].text;
        t->rows[k].bits_per_element = 8.0 * (double)t->rows[k].bytes / (double)t->elements;
    }
    for (int k = 0; k < t->count; k++) {
        advise_row *const row = &t->rows[k];
        row->is_efficient = 1;
        for (int other = 0; other < t->count; other++)
            row->is_efficient &= other == k || !dominates(&t->rows[other], row);
        if (row->meets_target && (!best || is_better(t, row, best)))
            best = row;
    }
    if (best)
        best->is_best = 1;
    return best;
}

/* ---- output ---- */

/* The efficient storages, which form the curve, and the best one. */
static void print_table(const table *t, const advise_row *best)
{
    int width = 7;
    for (int k = 0; k < t->count; k++)
        if (t->rows[k].is_efficient && (int)strlen(t->rows[k].text) > width)
            width = (int)strlen(t->rows[k].text);
    printf("%s: %" PRId64 " elements; storages that no other one surpasses in bytes, error and "
           "speed\n\n  %-*s %14s %9s %11s %11s %11s\n",
           t->job->path, t->elements, width, "storage", "bytes", "bits", "max. error", "rms error",
           "read GB/s");
    for (int k = 0; k < t->count; k++) {
        const advise_row *const row = &t->rows[k];
        const int is_relative = t->job->target.is_relative;
        if (row->is_efficient || row == best)
            printf("%c %-*s %14" PRId64 " %9.2f %11.3g %11.3g %11.3g\n",
                   row == best         ? '*'
                   : row->meets_target ? '+'
                                       : ' ',
                   width, row->text, row->bytes, row->bits_per_element,
                   is_relative ? row->max_relative : row->max_error,
                   is_relative ? row->rms_relative : row->rms_error, row->read_gbps);
    }
    printf("\n%serrors; read GB/s: of f64 values; +: meets the target, *: advice\n",
           t->job->target.is_relative ? "relative " : "absolute ");
    if (best)
        printf("\nadvice: %s, %.2f bits per element, error %.3g\n", best->text,
               best->bits_per_element, best->error);
    else
        printf("\nno storage meets the target\n");
}

static void keep(const table *t, const advise_row *row, advise_stored *stored)
{
    snprintf(stored->storage, sizeof stored->storage, "%s", row->text);
    stored->bytes = row->bytes;
    stored->elements = t->elements;
    stored->max_error = row->max_error;
    stored->rms_error = row->rms_error;
    stored->meets_target = error_of(t, row) <= t->job->target.target;
}

static stn_status evaluate(table *t)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    STN_TRY(stn_format_describe(t->view->storage.format, &info));
    t->parts = info.kind == STN_CLASS_COMPLEX ? 2 : 1;
    t->elements = stn_view_count(t->view);
    STN_TRY(expect_memory(16.0 * (double)(t->elements * t->parts), "the array"));
    STN_TRY(stn_allocate(&t->rows, MAX_ROWS, sizeof *t->rows, "rows of the table"));
    STN_TRY(add_formats(t));
    return add_codecs(t);
}

static stn_status print(table *t, advise_stored *best)
{
    const advise_row *const row = select_best(t);
    STN_TRY(columns_write_files(&row_columns, t->rows, t->count, &t->job->files));
    if (!columns_replace_table(&t->job->files))
        print_table(t, row);
    if (row)
        keep(t, row, best);
    return STN_OK;
}

static const advise_row *row_of(const table *t, const char *storage)
{
    for (int k = 0; k < t->count; k++)
        if (strcmp(t->rows[k].text, storage) == 0)
            return &t->rows[k];
    return NULL;
}

/* A codec that is not in the table was requested by --codec. */
static stn_status find(table *t, advise_stored *stored)
{
    const advise_row *row = row_of(t, stored->storage);
#if STN_HAVE_CODEC
    if (!row) {
        STN_TRY(add_codec(t, stored->storage, t->view->storage.format, 1));
        row = row_of(t, stored->storage);
    }
#endif
    if (!row)
        return stn_fail(STN_ERR_PARSE, "no storage of %s is called '%s'", t->job->path,
                        stored->storage);
    keep(t, row, stored);
    return STN_OK;
}

static stn_status run(advise_job *job, const stn_view *view, advise_stored *stored, int prints)
{
    table t = {.job = job, .view = view};
    stn_status status = evaluate(&t);
    if (status == STN_OK)
        status = prints ? print(&t, stored) : find(&t, stored);
    stn_free(t.rows);
    stn_free(t.values);
    stn_free(t.decoded);
    return status;
}

stn_status advise_array(advise_job *job, const stn_view *view, advise_stored *best)
{
    *best = (advise_stored){.bytes = 0};
    return run(job, view, best, 1);
}

stn_status advise_array_again(advise_job *job, const stn_view *view, advise_stored *stored)
{
    return run(job, view, stored, 0);
}
