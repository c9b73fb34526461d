/* steno advise: selects storage for an array, or a method and its formats for a linear system. */
#include "advise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "market.h"
#include "output.h"
#include "parse.h"
#include "problem.h"
#if STN_HAVE_CODEC
#    include "codec/command/npy.h"
#    include "steno/archive.h"
#endif

static const char help[] =
    "usage: steno advise FILE [OPTION]...\n\n"
    "Selects the storage of an array (a NumPy file .npy, an archive .sta, or a dense Matrix "
    "Market\n"
    "file) for a given error. The table shows bytes, errors and read speed of all formats, scales\n"
    "and codecs that no other one surpasses; JSON and CSV contain all of them.\n\n"
    "  --target NORM=E  largest error; NORM is max, rms, relative-max or relative-rms (relative "
    "to\n"
    "                   the same norm of the values)\n"
    "  --prefer WHAT    bytes (default) or speed\n"
    "  --codec TEXT     codec to compare with, as of steno pack; may be repeated (default: "
    "several\n"
    "                   codecs that meet the target)\n"
    "  --exec NAME      executor (default threads)\n"
    "  --json FILE      write one JSON object per storage, which steno-plot draws; - is the\n"
    "                   standard output\n"
    "  --csv FILE       write comma-separated values; - is the standard output\n";

/* ---- options ---- */

enum { TARGET = FIRST_LONG_OPTION, PREFER, CODEC, EXEC, JSON, CSV };

static const struct option listed[] = {{"help", no_argument, NULL, 'h'},
                                       {"target", required_argument, NULL, TARGET},
                                       {"prefer", required_argument, NULL, PREFER},
                                       {"codec", required_argument, NULL, CODEC},
                                       {"exec", required_argument, NULL, EXEC},
                                       {"json", required_argument, NULL, JSON},
                                       {"csv", required_argument, NULL, CSV},
                                       {NULL, 0, NULL, 0}};

static stn_status parse_target(const char *text, advise_job *job)
{
    static const struct {
        const char *name;
        stn_error_norm norm;
        int is_relative;
    } norms[] = {{"max=", STN_ERROR_MAX, 0},
                 {"rms=", STN_ERROR_RMS, 0},
                 {"relative-max=", STN_ERROR_MAX, 1},
                 {"relative-rms=", STN_ERROR_RMS, 1}};
    for (int k = 0; k < 4; k++) {
        const size_t length = strlen(norms[k].name);
        char *end;
        if (strncmp(text, norms[k].name, length) != 0)
            continue;
        job->target.target = strtod(text + length, &end);
        job->target.norm = norms[k].norm;
        job->target.is_relative = norms[k].is_relative;
        job->has_target = 1;
        if (end != text + length && !*end && job->target.target >= 0.0)
            return STN_OK;
    }
    return stn_fail(
        STN_ERR_ARGUMENT,
        "target '%s' must be max=E, rms=E, relative-max=E or relative-rms=E with E >= 0", text);
}

static stn_status parse_goal(const char *text, advise_job *job)
{
    if (strcmp(text, "bytes") == 0)
        job->target.goal = STN_ADVISE_BYTES;
    else if (strcmp(text, "speed") == 0)
        job->target.goal = STN_ADVISE_SPEED;
    else
        return stn_fail(STN_ERR_ARGUMENT, "--prefer '%s' must be bytes or speed", text);
    return STN_OK;
}

static stn_status add_codec(const char *text, advise_job *job)
{
    if (job->codec_count == ADVISE_MAX_CODECS)
        return stn_fail(STN_ERR_ARGUMENT, "--codec is given more than %d times", ADVISE_MAX_CODECS);
    job->codecs[job->codec_count++] = text;
    return STN_OK;
}

static stn_status take_option(int option, const char *value, advise_job *job)
{
    switch (option) {
    case TARGET:
        return parse_target(value, job);
    case PREFER:
        return parse_goal(value, job);
    case CODEC:
        return add_codec(value, job);
    case EXEC:
        job->exec_name = value;
        return STN_OK;
    case JSON:
        return output_take(&job->files.json, value);
    case CSV:
        return output_take(&job->files.csv, value);
    default:
        return STN_ERR_ARGUMENT; /* next_option has recorded the message */
    }
}

static stn_status parse(int argc, char **argv, advise_job *job, int *helps)
{
    for (int option; (option = next_option(argc, argv, listed)) != -1;) {
        if (option == 'h') {
            *helps = 1;
            return STN_OK;
        }
        STN_TRY(take_option(option, optarg, job));
    }
    if (optind == argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno advise requires a file");
    if (optind + 1 < argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno advise: unexpected argument '%s'",
                        argv[optind + 1]);
    job->path = argv[optind];
    return columns_check_files(&job->files);
}

/* ---- files ---- */

static int ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static stn_status advise_market(advise_job *job)
{
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    stn_view view;
    STN_TRY(market_read(job->path, 0, &matrix));
    const int64_t extents[] = {matrix.rows, matrix.columns};
    stn_status status =
        matrix.storage == STN_MARKET_DENSE
            ? stn_view_wrap_const(&view, job->path, stn_storage_of(matrix.value_format),
                                  matrix.values, 2, extents)
            : stn_fail(STN_ERR_UNSUPPORTED, "%s is a sparse matrix", job->path);
    if (status == STN_OK)
        status = advise_array(job, &view);
    stn_market_release(&matrix);
    return status;
}

#if STN_HAVE_CODEC
static stn_status advise_archive(advise_job *job)
{
    stn_archive *archive;
    stn_view view;
    STN_TRY(stn_archive_open(&archive, job->path));
    stn_status status = stn_archive_view(&view, archive);
    if (status == STN_OK) {
        status = advise_array(job, &view);
        (void)stn_view_release(&view);
    }
    stn_archive_release(archive);
    return status;
}

static stn_status advise_npy(advise_job *job)
{
    npy_file file;
    stn_view view;
    STN_TRY(npy_open(job->path, &file));
    stn_status status = npy_view(&file, job->path, &view);
    if (status == STN_OK)
        status = advise_array(job, &view);
    npy_close(&file);
    return status;
}
#endif

static stn_status advise_file(advise_job *job)
{
#if STN_HAVE_CODEC
    if (ends_with(job->path, ".npy"))
        return advise_npy(job);
    if (ends_with(job->path, ".sta"))
        return advise_archive(job);
#endif
    return advise_market(job);
}

stn_status command_advise(int argc, char **argv)
{
    advise_job job = {.target = STN_ARRAY_ADVICE_OPTIONS_INIT, .exec_name = "threads"};
    int helps = 0;
    STN_TRY(parse(argc, argv, &job, &helps));
    if (helps) {
        fputs(help, stdout);
        return STN_OK;
    }
    STN_TRY(stn_exec_create(&job.exec, job.exec_name));
    const stn_status status = advise_file(&job);
    stn_exec_release(job.exec);
    return status;
}
