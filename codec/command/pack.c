/* steno pack and unpack: NPY files to and from archives, and a comparison of codecs. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/command/npy.h"
#include "columns.h"
#include "command.h"
#include "measure/stream.h"
#include "core/memory.h"
#include "output.h"
#include "parse.h"
#include "progress.h"
#include "steno/archive.h"

enum { MAX_CODECS = 32, MAX_PATH = 4096, REPEATS = 5 };

/* Measurements are repeated until they took this long, at most REPEATS times. */
static const double ENOUGH_SECONDS = 0.2;

static void print_pack_help(void)
{
    printf(
        "usage: steno pack FILE.npy [OPTION]...\n\n"
        "Compresses a NumPy array into an archive, or compares codecs: with several --codec\n"
        "nothing is written, and a table shows ratio, largest error, and speed in GB of array per\n"
        "second.\n\n"
        "  --codec TEXT     codec, such as zstd, shuffle+zstd:level=9, zfp:accuracy=1e-6 or\n"
        "                   sz:error=1e-4; may be repeated; steno info lists codecs (default: %s)\n"
        "  -o FILE          file to write (default: FILE.sta)\n"
        "  --block N[xN]... extents of a block\n"
        "  --exec NAME      executor (default threads)\n"
        "  --json FILE      write one JSON object per codec, which steno-plot draws; - is the\n"
        "                   standard output\n"
        "  --csv FILE       write comma-separated values; - is the standard output\n",
        "shuffle+zstd");
}

static const char unpack_help[] = "usage: steno unpack FILE.sta [OPTION]...\n\n"
                                  "Decompresses an archive into a NumPy array, in C order.\n\n"
                                  "  -o FILE       file to write (default: FILE.npy)\n"
                                  "  --exec NAME   executor (default threads)\n";

typedef struct pack_options {
    const char *codecs[MAX_CODECS];
    int codec_count;
    const char *output, *block_text, *exec_name;
    int64_t block[STN_MAX_RANK];
    columns_files files;
} pack_options;

typedef struct pack_row {
    const char *file, *codec, *format;
    int64_t array_bytes, bytes, threads;
    double compression_ratio, error, encode_gbps, decode_gbps;
} pack_row;

static const column_spec row_list[] = {COLUMN(pack_row, TEXT, file),
                                       COLUMN(pack_row, TEXT, codec),
                                       COLUMN(pack_row, TEXT, format),
                                       COLUMN(pack_row, INTEGER, threads),
                                       COLUMN(pack_row, INTEGER, array_bytes),
                                       COLUMN(pack_row, INTEGER, bytes),
                                       COLUMN(pack_row, REAL, compression_ratio),
                                       COLUMN(pack_row, REAL, error),
                                       COLUMN(pack_row, REAL, encode_gbps),
                                       COLUMN(pack_row, REAL, decode_gbps)};
static const column_list row_columns = {row_list, sizeof row_list / sizeof *row_list,
                                        sizeof(pack_row)};

/* ---- slabs: parts of the array along its first dimension, between which progress is shown ---- */

typedef stn_status slab_work(const stn_exec *exec, stn_archive *archive, const stn_view *slab,
                             const int64_t *first);

static stn_status read_slab(const stn_exec *exec, stn_archive *archive, const stn_view *slab,
                            const int64_t *first)
{
    return stn_archive_read(exec, slab, archive, first);
}

static stn_status for_slabs(const stn_exec *exec, stn_archive *archive, const stn_view *view,
                            slab_work *work, const char *what)
{
    enum { SLAB_BYTES = 32 << 20 };
    stn_archive_info info = STN_ARCHIVE_INFO_INIT;
    int64_t first[STN_MAX_RANK] = {0};
    STN_TRY(stn_archive_describe(archive, &info));
    if (view->rank == 0 || info.array_bytes <= SLAB_BYTES)
        return work(exec, archive, view, first);
    const int64_t row = info.array_bytes / view->extent[0];
    int64_t rows = SLAB_BYTES / row / info.block[0] * info.block[0];
    rows = rows > 0 ? rows : info.block[0];
    for (; first[0] < view->extent[0]; first[0] += rows) {
        stn_slice slices[STN_MAX_RANK];
        stn_view slab;
        const int64_t left = view->extent[0] - first[0], end = left < rows ? left : rows;
        for (int d = 0; d < view->rank; d++)
            slices[d] = d == 0 ? stn_slice_range(first[0], first[0] + end) : stn_slice_all();
        progress("%s: %.0f %%", what, 100.0 * (double)first[0] / (double)view->extent[0]);
        STN_TRY(stn_view_slice(&slab, view, view->rank, slices));
        STN_TRY(work(exec, archive, &slab, first));
    }
    progress_end();
    return STN_OK;
}

/* ---- one codec ---- */

static stn_status create(const pack_options *options, const char *codec, const npy_file *file,
                         stn_archive **archive)
{
    const stn_archive_options given = STN_INIT(
        stn_archive_options, .codec = codec, .block = options->block_text ? options->block : NULL);
    return stn_archive_create(archive, file->format, file->rank, file->extent, &given);
}

/* The largest difference of finite values; infinity if NaN or infinity is not restored. */
static double error_of(const double *a, const double *b, int64_t count)
{
    double largest = 0.0;
    for (int64_t k = 0; k < count; k++) {
        if (a[k] == b[k] || (isnan(a[k]) && isnan(b[k])))
            continue;
        const double error = fabs(a[k] - b[k]);
        largest = error > largest ? error : isnan(error) ? (double)INFINITY : largest;
    }
    return largest;
}

/* Values of any format in parts as double, or as pairs of them. */
static stn_status compare(const npy_file *file, const char *decoded, int64_t bytes, double *error)
{
    enum { PART = 256 };
    stn_format_info info = STN_FORMAT_INFO_INIT;
    double a[2 * PART], b[2 * PART];
    *error = 0.0;
    if (bytes == 0 || memcmp(file->data, decoded, (size_t)bytes) == 0)
        return STN_OK;
    STN_TRY(stn_format_describe(file->format, &info));
    const int parts = info.kind == STN_CLASS_COMPLEX ? 2 : 1;
    const stn_storage storage = stn_storage_of(info.component);
    const int64_t total = bytes / info.bytes * parts, each = info.bytes / parts;
    for (int64_t k = 0; k < total; k += 2 * PART) {
        const int64_t count = total - k < 2 * PART ? total - k : 2 * PART;
        STN_TRY(stn_decode(STN_F64, a, &storage, (const char *)file->data + k * each, 1, count));
        STN_TRY(stn_decode(STN_F64, b, &storage, decoded + k * each, 1, count));
        const double found = error_of(a, b, count);
        *error = found > *error ? found : *error;
    }
    return STN_OK;
}

/* Elements are in the order of the file, so that they can be compared. */
static stn_status measure_decoding(const stn_exec *exec, stn_archive *archive, const npy_file *file,
                                   int repeats, pack_row *row)
{
    npy_file other = *file;
    char *decoded;
    stn_view view;
    double best = (double)INFINITY, total = 0.0;
    STN_TRY(expect_memory((double)file->data_bytes, row->codec));
    STN_TRY(stn_allocate(&decoded, file->data_bytes + 1, 1, "decoded array"));
    other.data = decoded;
    stn_status status = npy_view(&other, "decoded", &view);
    view.read_only = 0;
    for (int k = 0; status == STN_OK && k < repeats && total < ENOUGH_SECONDS; k++) {
        const double begin = measure_now();
        status = for_slabs(exec, archive, &view, read_slab, row->codec);
        const double seconds = measure_now() - begin;
        total += seconds;
        best = seconds < best ? seconds : best;
    }
    row->decode_gbps = (double)file->data_bytes / best * 1e-9;
    if (status == STN_OK)
        status = compare(file, decoded, file->data_bytes, &row->error);
    stn_free(decoded);
    return status;
}

static stn_status encode_once(const stn_exec *exec, const pack_options *options, const char *codec,
                              const npy_file *file, stn_archive **archive, double *seconds)
{
    stn_view view;
    STN_TRY(npy_view(file, "array", &view));
    STN_TRY(create(options, codec, file, archive));
    const double begin = measure_now();
    const stn_status status = for_slabs(exec, *archive, &view, stn_archive_write, codec);
    *seconds = measure_now() - begin;
    if (status != STN_OK) {
        stn_archive_release(*archive);
        *archive = NULL;
    }
    return status;
}

/* `archive` is that of the last repetition. */
static stn_status measure_encoding(const stn_exec *exec, const pack_options *options,
                                   const npy_file *file, int repeats, stn_archive **archive,
                                   pack_row *row)
{
    double best = (double)INFINITY, total = 0.0, seconds;
    *archive = NULL;
    for (int k = 0; k < repeats && total < ENOUGH_SECONDS; k++) {
        stn_archive_release(*archive);
        STN_TRY(encode_once(exec, options, row->codec, file, archive, &seconds));
        total += seconds;
        best = seconds < best ? seconds : best;
    }
    row->encode_gbps = (double)file->data_bytes / best * 1e-9;
    return STN_OK;
}

static stn_status try_codec(const stn_exec *exec, const pack_options *options, const npy_file *file,
                            const char *output, pack_row *row)
{
    stn_archive_info info = STN_ARCHIVE_INFO_INIT;
    stn_archive *archive;
    STN_TRY(measure_encoding(exec, options, file, output ? 1 : REPEATS, &archive, row));
    stn_status status = stn_archive_describe(archive, &info);
    if (status == STN_OK)
        status = measure_decoding(exec, archive, file, output ? 1 : REPEATS, row);
    if (status == STN_OK && output)
        status = stn_archive_save(archive, output);
    stn_archive_release(archive);
    row->array_bytes = info.array_bytes;
    row->bytes = info.bytes;
    row->compression_ratio = info.ratio;
    return status;
}

/* ---- output ---- */

static void print_rows(const npy_file *file, const pack_row *rows, int count)
{
    int width = 5;
    for (int k = 0; k < count; k++)
        width = (int)strlen(rows[k].codec) > width ? (int)strlen(rows[k].codec) : width;
    printf("%s: %s", rows[0].file, rows[0].format);
    for (int d = 0; d < file->rank; d++)
        printf("%s%" PRId64, d ? " x " : ", ", file->extent[d]);
    printf(", %" PRId64 " bytes, %" PRId64 " thread%s\n\n", rows[0].array_bytes, rows[0].threads,
           rows[0].threads == 1 ? "" : "s");
    printf("%-*s %14s %8s %11s %11s %11s\n", width, "codec", "bytes", "ratio", "max. error",
           "encode GB/s", "decode GB/s");
    for (int k = 0; k < count; k++)
        printf("%-*s %14" PRId64 " %8.2f %11.3g %11.3g %11.3g\n", width, rows[k].codec,
               rows[k].bytes, rows[k].compression_ratio, rows[k].error, rows[k].encode_gbps,
               rows[k].decode_gbps);
}

/* "a.npy" becomes "a.sta"; other names get the ending in addition. */
static stn_status default_output(const char *input, const char *ending, const char *replaced,
                                 char path[MAX_PATH])
{
    size_t length = strlen(input);
    const size_t tail = strlen(replaced);
    if (length > tail && strcmp(input + length - tail, replaced) == 0)
        length -= tail;
    if (length + strlen(ending) >= MAX_PATH)
        return stn_fail(STN_ERR_ARGUMENT, "the name of the file is too long");
    snprintf(path, MAX_PATH, "%.*s%s", (int)length, input, ending);
    return STN_OK;
}

/* ---- steno pack ---- */

enum { CODEC = FIRST_LONG_OPTION, BLOCK, EXEC, JSON, CSV };

static const struct option pack_listed[] = {
    {"help", no_argument, NULL, 'h'},          {"output", required_argument, NULL, 'o'},
    {"codec", required_argument, NULL, CODEC}, {"block", required_argument, NULL, BLOCK},
    {"exec", required_argument, NULL, EXEC},   {"json", required_argument, NULL, JSON},
    {"csv", required_argument, NULL, CSV},     {NULL, 0, NULL, 0}};

static stn_status add_codec(pack_options *options, const char *codec)
{
    if (options->codec_count == MAX_CODECS)
        return stn_fail(STN_ERR_ARGUMENT, "--codec is given more than %d times", MAX_CODECS);
    options->codecs[options->codec_count++] = codec;
    return STN_OK;
}

static stn_status parse_pack(int argc, char **argv, pack_options *options, int *helps)
{
    for (int option; !*helps && (option = next_option(argc, argv, pack_listed)) != -1;) {
        if (option == 'h')
            *helps = 1;
        else if (option == 'o')
            STN_TRY(output_take(&options->output, optarg));
        else if (option == CODEC)
            STN_TRY(add_codec(options, optarg));
        else if (option == BLOCK)
            options->block_text = optarg;
        else if (option == EXEC)
            options->exec_name = optarg;
        else if (option == JSON)
            STN_TRY(output_take(&options->files.json, optarg));
        else if (option == CSV)
            STN_TRY(output_take(&options->files.csv, optarg));
        else
            return STN_ERR_ARGUMENT;
    }
    return STN_OK;
}

static stn_status parse_block(pack_options *options, int rank)
{
    const char *at = options->block_text;
    int d = 0;
    for (; at && d < STN_MAX_RANK && *at; d++) {
        char word[32] = "";
        const size_t length = strcspn(at, "x");
        memcpy(word, at, length < sizeof word ? length : sizeof word - 1);
        STN_TRY(parse_count("extent of a block", word, MAX_SIZE, &options->block[d]));
        at += length + (at[length] == 'x');
    }
    return !at || (d == rank && !*at)
               ? STN_OK
               : stn_fail(STN_ERR_ARGUMENT,
                          "--block %s does not have %d extents, one per dimension",
                          options->block_text, rank);
}

static stn_status only_argument(int argc, char **argv, const char *kind, const char **path)
{
    if (optind == argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s requires a file (%s)", argv[0], kind);
    if (optind + 1 < argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno %s: unexpected argument '%s'", argv[0],
                        argv[optind + 1]);
    *path = argv[optind];
    return STN_OK;
}

static stn_status run_rows(const stn_exec *exec, const pack_options *options, const npy_file *file,
                           const char *path, const char *output, pack_row *rows)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    STN_TRY(stn_format_describe(file->format, &info));
    for (int k = 0; k < options->codec_count; k++) {
        rows[k] = (pack_row){.file = path,
                             .codec = options->codecs[k],
                             .format = info.name,
                             .threads = stn_exec_threads(exec)};
        STN_TRY(try_codec(exec, options, file, output, &rows[k]));
    }
    STN_TRY(columns_write_files(&row_columns, rows, options->codec_count, &options->files));
    if (!columns_replace_table(&options->files))
        print_rows(file, rows, options->codec_count);
    return STN_OK;
}

static stn_status run_codecs(const stn_exec *exec, const pack_options *options,
                             const npy_file *file, const char *path, const char *output)
{
    pack_row *rows;
    STN_TRY(stn_allocate(&rows, options->codec_count, sizeof *rows, "rows of the table"));
    const stn_status status = run_rows(exec, options, file, path, output, rows);
    stn_free(rows);
    return status;
}

static stn_status pack_file(pack_options *options, const char *path)
{
    char output[MAX_PATH];
    npy_file file;
    stn_exec *exec;
    const int compares = options->codec_count > 1;
    if (compares && options->output)
        return stn_fail(STN_ERR_ARGUMENT, "-o requires a single --codec");
    if (options->codec_count == 0)
        STN_TRY(add_codec(options, "shuffle+zstd"));
    if (!options->output)
        STN_TRY(default_output(path, ".sta", ".npy", output));
    STN_TRY(columns_check_files(&options->files));
    STN_TRY(npy_open(path, &file));
    stn_status status = parse_block(options, file.rank);
    if (status == STN_OK)
        status = stn_exec_create(&exec, options->exec_name);
    if (status == STN_OK) {
        status = run_codecs(exec, options, &file, path,
                            compares          ? NULL
                            : options->output ? options->output
                                              : output);
        stn_exec_release(exec);
    }
    npy_close(&file);
    return status;
}

stn_status command_pack(int argc, char **argv)
{
    pack_options options = {.exec_name = "threads"};
    const char *path = NULL;
    int helps = 0;
    STN_TRY(parse_pack(argc, argv, &options, &helps));
    if (helps) {
        print_pack_help();
        return STN_OK;
    }
    STN_TRY(only_argument(argc, argv, "FILE.npy", &path));
    return pack_file(&options, path);
}

/* ---- steno unpack ---- */

static stn_status unpack_archive(const stn_exec *exec, stn_archive *archive, const char *output)
{
    stn_archive_info info = STN_ARCHIVE_INFO_INIT;
    stn_format_info format = STN_FORMAT_INFO_INIT;
    char header[NPY_HEADER_BYTES], *text;
    stn_view view;
    STN_TRY(stn_archive_describe(archive, &info));
    STN_TRY(stn_format_describe(info.format, &format));
    const int begin = npy_write_header(info.format, info.rank, info.extent, header);
    if (begin == 0)
        return stn_fail(STN_ERR_UNSUPPORTED, "NumPy has no type for format %s", format.name);
    STN_TRY(expect_memory((double)info.array_bytes, output));
    STN_TRY(stn_allocate(&text, begin + info.array_bytes, 1, "array"));
    memcpy(text, header, (size_t)begin);
    stn_status status = stn_view_wrap(&view, "array", stn_storage_of(info.format), text + begin,
                                      info.rank, info.extent);
    if (status == STN_OK)
        status = for_slabs(exec, archive, &view, read_slab, output);
    if (status == STN_OK)
        status = output_write(output, text, (size_t)(begin + info.array_bytes));
    stn_free(text);
    return status;
}

static stn_status unpack_file(const char *path, const char *given, const char *exec_name)
{
    char output[MAX_PATH];
    stn_archive *archive;
    stn_exec *exec;
    if (!given)
        STN_TRY(default_output(path, ".npy", ".sta", output));
    STN_TRY(stn_archive_open(&archive, path));
    stn_status status = stn_exec_create(&exec, exec_name);
    if (status == STN_OK) {
        status = unpack_archive(exec, archive, given ? given : output);
        stn_exec_release(exec);
    }
    stn_archive_release(archive);
    return status;
}

stn_status command_unpack(int argc, char **argv)
{
    static const struct option listed[] = {{"help", no_argument, NULL, 'h'},
                                           {"output", required_argument, NULL, 'o'},
                                           {"exec", required_argument, NULL, EXEC},
                                           {NULL, 0, NULL, 0}};
    const char *path = NULL, *output = NULL, *exec_name = "threads";
    for (int option; (option = next_option(argc, argv, listed)) != -1;) {
        if (option == 'h') {
            fputs(unpack_help, stdout);
            return STN_OK;
        }
        if (option == 'o')
            STN_TRY(output_take(&output, optarg));
        else if (option == EXEC)
            exec_name = optarg;
        else
            return STN_ERR_ARGUMENT;
    }
    STN_TRY(only_argument(argc, argv, "FILE.sta", &path));
    return unpack_file(path, output, exec_name);
}
