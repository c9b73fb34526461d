/* steno bench report: time and error of dot, gemv and trsv over size, in every precision. */
#include "bench_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "core/cpu.h"
#include "core/memory.h"
#include "figures.h"
#include "output.h"
#include "progress.h"
#include "settings.h"
#include "parse.h"

static const char help[] =
    "usage: steno bench report [OPERATION,...] [OPTION]...\n\n"
    "Measures time and error over problem size for each storage format, next to OpenBLAS and BLIS\n"
    "if these are installed (the figures of the accessor-BLAS paper), and prints a table of the\n"
    "largest sizes. steno-plot draws the file of --json or --csv.\n\n"
    "  dot      x . y\n"
    "  gemv     y = A x        gemv-t   y = A' x; A is n x n, row-major\n"
    "  trsv     A y = x with the lower triangle of A (default: all)\n\n"
    "  --full            more and larger sizes: ten minutes instead of one or two\n"
    "  --format LIST     storage formats (default f64,f32,f16,bf16,e4m3)\n"
    "  --arith LIST      arithmetic types of Steno (default f64,f32)\n"
    "  --size LIST       elements of a vector, or rows of the matrix (default 1024 to 2^22 in "
    "steps\n"
    "                    of 4, 64 to 4096 in steps of 2)\n"
    "  --threads N       number of threads (default: STENO_NUM_THREADS, see steno/exec.h)\n"
    "  --blas FILE       another library with the C interface of BLAS; may be repeated\n"
    "  --alone           only the libraries given by --blas\n"
    "  --repeat N        number of rounds, at most 41; the median counts (default at least 5, as\n"
    "                    time allows)\n"
    "  --json FILE       write one JSON object per point; - is the standard output\n"
    "  --csv FILE        write comma-separated values; - is the standard output\n";

enum { FULL = FIRST_LONG_OPTION, FORMAT, ARITH, SIZE, THREADS, BLAS, ALONE, REPEAT, JSON, CSV };
enum { MAX_SIZES = 32, MAX_OPERATIONS = 4, MIN_ROUNDS = 5 };

typedef struct report {
    bench_settings settings; /* formats, threads, repeat, json, csv */
    const versus_operation *operations[MAX_OPERATIONS];
    int64_t sizes[MAX_SIZES];
    int operation_count, size_count, full, alone, file_count, wide, narrow;
    const char *files[MAX_PEERS];
    peers peers;
    figures_line lines[MAX_LINES];
    figures_setup setup;
    figures_row *rows;
    int row_count;
} report;

/* ---- options ---- */

static stn_status take_operation(const char *word, void *context)
{
    report *all = context;
    const versus_operation *found;
    STN_TRY(figures_find(word, &found));
    for (int k = 0; k < all->operation_count; k++)
        if (all->operations[k] == found)
            return STN_OK;
    all->operations[all->operation_count++] = found;
    return STN_OK;
}

static stn_status take_size(const char *word, void *context)
{
    report *all = context;
    if (all->size_count == MAX_SIZES)
        return stn_fail(STN_ERR_RANGE, "more than %d sizes", MAX_SIZES);
    int64_t *own = &all->sizes[all->size_count];
    STN_TRY(parse_count("size", word, INT32_MAX, own));
    if (all->size_count > 0 && own[0] <= own[-1])
        return stn_fail(STN_ERR_ARGUMENT, "sizes must increase: %s follows %" PRId64, word,
                        own[-1]);
    all->size_count++;
    return STN_OK;
}

static stn_status take_arithmetic(const char *word, void *context)
{
    report *all = context;
    const int is_f64 = strcmp(word, "f64") == 0;
    if (!is_f64 && strcmp(word, "f32") != 0)
        return stn_fail(STN_ERR_UNSUPPORTED, "the arithmetic type must be f64 or f32, not %s",
                        word);
    *(is_f64 ? &all->wide : &all->narrow) = 1;
    return STN_OK;
}

static stn_status take_option(int option, const char *value, report *all)
{
    switch (option) {
    case FULL:
        all->full = 1;
        return STN_OK;
    case FORMAT:
        return parse_list("format", value, settings_take_format, &all->settings);
    case ARITH:
        return parse_list("arithmetic type", value, take_arithmetic, all);
    case SIZE:
        return parse_list("size", value, take_size, all);
    case THREADS:
        return parse_count("number of threads", value, MAX_THREADS, &all->settings.threads);
    case BLAS:
        if (all->file_count == MAX_PEERS)
            return stn_fail(STN_ERR_RANGE, "more than %d libraries of BLAS", MAX_PEERS);
        all->files[all->file_count++] = value;
        return STN_OK;
    case ALONE:
        all->alone = 1;
        return STN_OK;
    case REPEAT:
        return parse_count("number of repeats", value, MAX_ROUNDS, &all->settings.repeat);
    case JSON:
        return output_take(&all->settings.files.json, value);
    case CSV:
        return output_take(&all->settings.files.csv, value);
    case 'h':
        all->settings.help = 1;
        return STN_OK;
    default:
        return STN_ERR_ARGUMENT; /* next_option has recorded the message */
    }
}

static stn_status use_defaults(report *all)
{
    if (all->operation_count == 0)
        STN_TRY(parse_list("operation", "dot,gemv,gemv-t,trsv", take_operation, all));
    if (all->settings.format_count == 0)
        STN_TRY(
            parse_list("format", "f64,f32,f16,bf16,e4m3", settings_take_format, &all->settings));
    if (!all->wide && !all->narrow)
        all->wide = all->narrow = 1;
    return STN_OK;
}

static stn_status parse(int argc, char **argv, report *all)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"full", no_argument, NULL, FULL},
                                            {"format", required_argument, NULL, FORMAT},
                                            {"arith", required_argument, NULL, ARITH},
                                            {"size", required_argument, NULL, SIZE},
                                            {"threads", required_argument, NULL, THREADS},
                                            {"blas", required_argument, NULL, BLAS},
                                            {"alone", no_argument, NULL, ALONE},
                                            {"repeat", required_argument, NULL, REPEAT},
                                            {"json", required_argument, NULL, JSON},
                                            {"csv", required_argument, NULL, CSV},
                                            {NULL, 0, NULL, 0}};
    for (int option; !all->settings.help && (option = next_option(argc, argv, options)) != -1;)
        STN_TRY(take_option(option, optarg, all));
    if (all->settings.help)
        return STN_OK;
    for (; optind < argc; optind++)
        STN_TRY(parse_list("operation", argv[optind], take_operation, all));
    STN_TRY(use_defaults(all));
    return columns_check_files(&all->settings.files);
}

/* ---- lines ---- */

static stn_status add_line(report *all, stn_format format, stn_format arithmetic, const peer *by)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    if (all->setup.line_count == MAX_LINES)
        return stn_fail(STN_ERR_RANGE, "more than %d lines in a figure", MAX_LINES);
    figures_line *line = &all->lines[all->setup.line_count++];
    STN_TRY(stn_format_describe(format, &info));
    *line = (figures_line){.format = format, .arithmetic = arithmetic, .by = by};
    if (by)
        snprintf(line->label, sizeof line->label, "%s %s", by->name, info.name);
    else
        snprintf(line->label, sizeof line->label, "%s/%s", info.name,
                 arithmetic == STN_F64 ? "f64" : "f32");
    return STN_OK;
}

/* Storage wider than the arithmetic is skipped. */
static stn_status add_lines(report *all)
{
    const bench_settings *settings = &all->settings;
    for (int k = 0; k < settings->format_count; k++) {
        stn_format_info info = STN_FORMAT_INFO_INIT;
        STN_TRY(stn_format_describe(settings->formats[k], &info));
        if (all->wide)
            STN_TRY(add_line(all, settings->formats[k], STN_F64, NULL));
        if (all->narrow && info.bits <= 32)
            STN_TRY(add_line(all, settings->formats[k], STN_F32, NULL));
    }
    for (int k = 0; k < all->peers.count; k++) {
        STN_TRY(add_line(all, STN_F64, STN_F64, &all->peers.list[k]));
        STN_TRY(add_line(all, STN_F32, STN_F32, &all->peers.list[k]));
    }
    return all->setup.line_count
               ? STN_OK
               : stn_fail(STN_ERR_ARGUMENT,
                          "nothing to measure: f32 arithmetic does not support 64-bit integers");
}

/* ---- sizes ---- */

/* Size k of the list or of the defaults; 0 after the last one. --full: every power of two for
 * vectors; for matrices also sizes between two powers. */
static int64_t size_at(const report *all, const versus_operation *operation, int k)
{
    if (all->size_count)
        return k < all->size_count ? all->sizes[k] : 0;
    const int is_matrix = operation->is_matrix;
    const int64_t maximum = all->full   ? is_matrix ? 8192 : (int64_t)1 << 25
                            : is_matrix ? 4096
                                        : (int64_t)1 << 22;
    const int64_t n = !is_matrix  ? (int64_t)1024 << (all->full ? k : 2 * k)
                      : all->full ? (k % 2 ? (int64_t)96 : (int64_t)64) << k / 2
                                  : (int64_t)64 << k;
    return n <= maximum ? n : 0;
}

/* Estimated cost of a point, relative to the others: rounds count equally, errors by their
 * elements. */
static double weight_of(const versus_operation *operation, int64_t n)
{
    const double entries = operation->is_matrix ? (double)n * (double)n : 10.0 * (double)n;
    return 1.0 + entries / 5e6;
}

static int count_points(const report *all, double *weight)
{
    int count = 0;
    *weight = 0.0;
    for (int o = 0; o < all->operation_count; o++)
        for (int k = 0; size_at(all, all->operations[o], k) != 0; k++, count++)
            *weight += weight_of(all->operations[o], size_at(all, all->operations[o], k));
    return count;
}

static stn_status expect_all(const report *all)
{
    for (int o = 0; o < all->operation_count; o++)
        for (int k = 0; size_at(all, all->operations[o], k) != 0; k++)
            STN_TRY(expect_memory(figures_memory(all->operations[o],
                                                 size_at(all, all->operations[o], k), &all->setup),
                                  all->operations[o]->name));
    return STN_OK;
}

/* ---- measuring ---- */

static void report_progress(int point, int points, const char *operation, int64_t n, double seconds)
{
    if (point == 0)
        progress("1 of %d: %s of %" PRId64, points, operation, n);
    else if (seconds < 90.0)
        progress("%d of %d: %s of %" PRId64 ", about %.0f s left", point + 1, points, operation, n,
                 seconds);
    else
        progress("%d of %d: %s of %" PRId64 ", about %.0f min left", point + 1, points, operation,
                 n, seconds / 60.0);
}

static stn_status run_points(report *all)
{
    const double start = measure_now();
    double weight, done = 0.0;
    const int points = count_points(all, &weight);
    STN_TRY(stn_allocate(&all->rows, (int64_t)points * all->setup.line_count, sizeof *all->rows,
                         "rows"));
    for (int o = 0, point = 0; o < all->operation_count; o++) {
        const versus_operation *operation = all->operations[o];
        int64_t n;
        for (int k = 0; (n = size_at(all, operation, k)) != 0; k++, point++) {
            const double left = (measure_now() - start) * (weight - done) / fmax(done, 1.0);
            report_progress(point, points, operation->name, n, left);
            STN_TRY(figures_measure(operation, n, &all->setup, all->rows + all->row_count));
            all->row_count += all->setup.line_count;
            done += weight_of(operation, n);
        }
    }
    progress_end();
    return STN_OK;
}

/* ---- results ---- */

/* The table of the largest size of an operation. */
static void print_operation(const report *all, const figures_row *rows)
{
    printf("\n%s, n = %" PRId64 "\n%-14s %11s %9s %9s %9s %10s %10s\n", rows->operation, rows->n,
           "storage/arith", "us", "Gflop/s", "GB/s", "fraction", "error", "as stored");
    for (int k = 0; k < all->setup.line_count; k++) {
        printf("%-14s %11.3f %9.2f %9.2f ", all->lines[k].label, 1e6 * rows[k].seconds,
               rows[k].gflops, rows[k].gbps);
        if (isfinite(rows[k].fraction))
            printf("%9.2f", rows[k].fraction);
        else
            printf("%9s", "-");
        printf(" %10.1e %10.1e\n", rows[k].error, rows[k].error_stored);
    }
}

static void print_tables(const report *all)
{
    const int lines = all->setup.line_count;
    printf("steno %s, %s with %d thread%s, %s\n", stn_version(), stn_exec_name(all->setup.exec),
           all->setup.limits.threads, all->setup.limits.threads == 1 ? "" : "s",
           stn_isa_name(stn_isa_chosen()));
    for (int k = 0; k < all->row_count; k += lines) {
        const int is_last = k + lines == all->row_count ||
                            strcmp(all->rows[k].operation, all->rows[k + lines].operation) != 0;
        if (is_last)
            print_operation(all, &all->rows[k]);
    }
}

static stn_status run(report *all, stn_exec **exec)
{
    if (!all->alone)
        peers_find(&all->peers);
    for (int k = 0; k < all->file_count; k++)
        STN_TRY(peers_open(&all->peers, all->files[k]));
    STN_TRY(settings_make_exec(&all->settings, exec));
    const int threads = stn_exec_threads(*exec);
    for (int k = 0; k < all->peers.count; k++)
        (void)peer_set_threads(&all->peers.list[k], threads);
    all->setup.lines = all->lines;
    all->setup.exec = *exec;
    all->setup.limits =
        (contender_rounds){all->settings.repeat, MIN_ROUNDS, all->full ? 4.0 : 1.0, threads};
    STN_TRY(add_lines(all));
    STN_TRY(expect_all(all));
    return run_points(all);
}

stn_status bench_report(int argc, char **argv)
{
    static report all;
    stn_exec *exec = NULL;
    STN_TRY(parse(argc, argv, &all));
    if (all.settings.help) {
        fputs(help, stdout);
        return STN_OK;
    }
    stn_status status = run(&all, &exec);
    if (status == STN_OK)
        status =
            columns_write_files(&figures_columns, all.rows, all.row_count, &all.settings.files);
    if (status == STN_OK && !columns_replace_table(&all.settings.files))
        print_tables(&all);
    stn_exec_release(exec);
    stn_free(all.rows);
    return status;
}
