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

/* Rows `first` to first + rows - 1. */
typedef stn_status slab_work(void *context, int64_t first, int64_t rows);

/* Rows of a slab, a multiple of those of a block if it is a part of the array. */
static int64_t slab_rows(const stn_archive_info *info)
{
    enum { SLAB_BYTES = 32 << 20 };
    if (info->rank == 0 || info->array_bytes <= SLAB_BYTES)
        return info->rank == 0 ? 1 : info->extent[0];
    const int64_t rows =
        SLAB_BYTES / (info->array_bytes / info->extent[0]) / info->block[0] * info->block[0];
    return rows > 0 ? rows : info->block[0];
}

static stn_status for_slabs(stn_archive *archive, slab_work *work, void *context, const char *what)
{
    stn_archive_info info = STN_ARCHIVE_INFO_INIT;
    STN_TRY(stn_archive_describe(archive, &info));
    const int64_t all = info.rank == 0 ? 1 : info.extent[0], rows = slab_rows(&info);
    stn_status status = all == 0 ? work(context, 0, 0) : STN_OK;
    for (int64_t first = 0; status == STN_OK && first < all; first += rows) {
        if (rows < all)
            progress("%s: %.0f %%", what, 100.0 * (double)first / (double)all);
        status = work(context, first, all - first < rows ? all - first : rows);
    }
    progress_end();
    return status;
}

static int64_t slab_bytes(const stn_archive_info *info, int64_t rows)
{
    const int64_t all = info->rank == 0 ? 1 : info->extent[0];
    return all > 0 ? info->array_bytes / all * rows : 0;
}

/* A slab in memory, in C order. */
static stn_status wrap_slab(const stn_archive_info *info, int64_t rows, void *memory,
                            stn_view *slab)
{
    int64_t extent[STN_MAX_RANK];
    memcpy(extent, info->extent, sizeof extent);
    extent[0] = rows;
    return stn_view_wrap(slab, "slab", stn_storage_of(info->format), memory, info->rank, extent);
}

static stn_status slice_rows(const stn_view *array, int64_t first, int64_t rows, stn_view *slab)
{
    stn_slice slices[STN_MAX_RANK];
    *slab = *array;
    for (int d = 0; d < array->rank; d++)
        slices[d] = d == 0 ? stn_slice_range(first, first + rows) : stn_slice_all();
    return array->rank == 0 ? STN_OK : stn_view_slice(slab, array, array->rank, slices);
}

/* An array in memory. */
typedef struct array_slabs {
    const stn_exec *exec;
    stn_archive *archive;
    const stn_view *array;
} array_slabs;

static stn_status write_slab(void *context, int64_t first, int64_t rows)
{
    const array_slabs *const s = context;
    const int64_t begin[STN_MAX_RANK] = {first};
    stn_view slab;
    STN_TRY(slice_rows(s->array, first, rows, &slab));
    return stn_archive_write(s->exec, s->archive, &slab, begin);
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
static stn_status compare(stn_format format, const char *array, const char *decoded, int64_t bytes,
                          double *error)
{
    enum { PART = 256 };
    stn_format_info info = STN_FORMAT_INFO_INIT;
    double a[2 * PART], b[2 * PART];
    if (bytes == 0 || memcmp(array, decoded, (size_t)bytes) == 0)
        return STN_OK;
    STN_TRY(stn_format_describe(format, &info));
    const int parts = info.kind == STN_CLASS_COMPLEX ? 2 : 1;
    const stn_storage storage = stn_storage_of(info.component);
    const int64_t total = bytes / info.bytes * parts, each = info.bytes / parts;
    for (int64_t k = 0; k < total; k += 2 * PART) {
        const int64_t count = total - k < 2 * PART ? total - k : 2 * PART;
        STN_TRY(stn_decode(STN_F64, a, &storage, array + k * each, 1, count));
        STN_TRY(stn_decode(STN_F64, b, &storage, decoded + k * each, 1, count));
        const double found = error_of(a, b, count);
        *error = found > *error ? found : *error;
    }
    return STN_OK;
}

/* Slabs are decoded into a buffer and compared with those of the file. */
typedef struct compared_slabs {
    array_slabs file; /* as a view */
    stn_archive_info info;
    char *decoded, *original; /* in C order */
    double seconds, error;
} compared_slabs;

static stn_status compare_slab(void *context, int64_t first, int64_t rows)
{
    compared_slabs *const s = context;
    const int64_t begin[STN_MAX_RANK] = {first};
    const int64_t bytes = slab_bytes(&s->info, rows);
    stn_view from, to;
    STN_TRY(wrap_slab(&s->info, rows, s->decoded, &to));
    const double start = measure_now();
    STN_TRY(stn_archive_read(s->file.exec, &to, s->file.archive, begin));
    s->seconds += measure_now() - start;
    STN_TRY(wrap_slab(&s->info, rows, s->original, &to));
    STN_TRY(slice_rows(s->file.array, first, rows, &from));
    STN_TRY(stn_view_copy(s->file.exec, &to, &from));
    return compare(s->info.format, s->original, s->decoded, bytes, &s->error);
}

static stn_status measure_slabs(compared_slabs *s, int repeats, pack_row *row)
{
    double best = (double)INFINITY, total = 0.0;
    for (int k = 0; k < repeats && total < ENOUGH_SECONDS; k++, total += s->seconds) {
        s->seconds = 0.0;
        STN_TRY(for_slabs(s->file.archive, compare_slab, s, row->codec));
        best = s->seconds < best ? s->seconds : best;
    }
    row->decode_gbps = (double)s->info.array_bytes / best * 1e-9;
    row->error = s->error;
    return STN_OK;
}

static stn_status measure_decoding(const stn_exec *exec, stn_archive *archive, const npy_file *file,
                                   int repeats, pack_row *row)
{
    stn_view view;
    compared_slabs slabs = {{exec, archive, &view}, STN_ARCHIVE_INFO_INIT, NULL, NULL, 0, 0};
    STN_TRY(npy_view(file, "array", &view));
    STN_TRY(stn_archive_describe(archive, &slabs.info));
    const int64_t bytes = slab_bytes(&slabs.info, slab_rows(&slabs.info)) + 1;
    STN_TRY(expect_memory(2.0 * (double)bytes, row->codec));
    STN_TRY(stn_allocate(&slabs.decoded, bytes, 1, "decoded array"));
    stn_status status = stn_allocate(&slabs.original, bytes, 1, "array in C order");
    if (status == STN_OK)
        status = measure_slabs(&slabs, repeats, row);
    stn_free(slabs.decoded);
    stn_free(slabs.original);
    return status;
}

static stn_status encode_once(const stn_exec *exec, const pack_options *options, const char *codec,
                              const npy_file *file, stn_archive **archive, double *seconds)
{
    stn_view view;
    STN_TRY(npy_view(file, "array", &view));
    STN_TRY(create(options, codec, file, archive));
    const double begin = measure_now();
    const stn_status status =
        for_slabs(*archive, write_slab, &(array_slabs){exec, *archive, &view}, codec);
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

/* Slabs are read into a buffer and appended to a file. */
typedef struct file_slabs {
    const stn_exec *exec;
    stn_archive *archive;
    stn_archive_info info;
    char *buffer;
    output_file output;
} file_slabs;

static stn_status unpack_slab(void *context, int64_t first, int64_t rows)
{
    file_slabs *const s = context;
    const int64_t begin[STN_MAX_RANK] = {first};
    stn_view view;
    STN_TRY(wrap_slab(&s->info, rows, s->buffer, &view));
    STN_TRY(stn_archive_read(s->exec, &view, s->archive, begin));
    return output_append(&s->output, s->buffer, (size_t)slab_bytes(&s->info, rows));
}

static stn_status unpack_archive(const stn_exec *exec, stn_archive *archive, const char *output)
{
    file_slabs slabs = {exec, archive, STN_ARCHIVE_INFO_INIT, NULL, {0}};
    stn_archive_info *const info = &slabs.info;
    stn_format_info format = STN_FORMAT_INFO_INIT;
    char header[NPY_HEADER_BYTES];
    STN_TRY(stn_archive_describe(archive, info));
    STN_TRY(stn_format_describe(info->format, &format));
    const int begin = npy_write_header(info->format, info->rank, info->extent, header);
    if (begin == 0)
        return stn_fail(STN_ERR_UNSUPPORTED, "NumPy has no type for format %s", format.name);
    const int64_t bytes = slab_bytes(info, slab_rows(info)) + 1;
    STN_TRY(expect_memory((double)bytes, output));
    STN_TRY(stn_allocate(&slabs.buffer, bytes, 1, "part of the array"));
    stn_status status = output_begin(&slabs.output, output);
    if (status == STN_OK)
        status = output_append(&slabs.output, header, (size_t)begin);
    if (status == STN_OK)
        status = for_slabs(archive, unpack_slab, &slabs, output);
    status = output_end(&slabs.output, status);
    stn_free(slabs.buffer);
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
