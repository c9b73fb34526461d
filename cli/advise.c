/* steno advise: selects storage for an array, or a method and its formats for a linear system. */
#include "advise.h"

#include <math.h>
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
    "file) for a given error, or the method and its formats for a linear system (a sparse Matrix\n"
    "Market file). FILE.json is a certificate, which is checked.\n\n"
    "Arrays: the table shows bytes, errors and read speed of all formats, scales and codecs that "
    "no\n"
    "other one surpasses; JSON and CSV contain all of them.\n\n"
    "  --target NORM=E     largest error; NORM is max, rms, relative-max or relative-rms "
    "(relative\n"
    "                      to the same norm of the values; default: max=0)\n"
    "  --prefer WHAT       bytes (default) or speed\n"
    "  --codec TEXT        codec to compare with, as of steno pack; may be repeated (default:\n"
    "                      several codecs that meet the target)\n\n"
    "Linear systems: the table shows the methods with the shortest predicted times.\n\n"
    "  --target E          relative residual (default 1e-10)\n"
    "  --rhs FILE          right-hand side, .npy or .mtx (default: the product of the matrix with\n"
    "                      ones)\n"
    "  --memory BYTES      limit of the bytes of vectors, preconditioner and narrow copies\n"
    "  --verify            solve, and compare with the prediction\n"
    "  --condition         with --verify or --certificate: estimate the condition number and the\n"
    "                      forward error\n\n"
    "Products: --product selects the formats of a sparse matrix and a vector with the fewest "
    "bytes\n"
    "whose product has a componentwise error bound that meets the target.\n\n"
    "  --target NORM=E     largest error bound; NORM is max or relative-max (relative to the "
    "largest\n"
    "                      element; default: relative-max=1e-6)\n"
    "  --vector FILE       vector, .npy or .mtx (default: ones)\n"
    "  --verify            multiply, and compare each error with its bound\n\n"
    "All:\n\n"
    "  --sum               add repeated entries of Matrix Market files\n"
    "  --lenient           accept common deviations from the specification in these files\n"
    "  --certificate FILE  write a certificate of the advice as JSON\n"
    "  --exec NAME         executor (default threads)\n"
    "  --json FILE         write one JSON object per row, which steno-plot draws; - is the "
    "standard\n"
    "                      output\n"
    "  --csv FILE          write comma-separated values; - is the standard output\n";

/* ---- options ---- */

enum {
    TARGET = FIRST_LONG_OPTION,
    PREFER,
    CODEC,
    RHS,
    MEMORY,
    VERIFY,
    CONDITION,
    PRODUCT,
    VECTOR,
    SUM,
    LENIENT,
    CERTIFICATE,
    EXEC,
    JSON,
    CSV
};

static const struct option listed[] = {{"help", no_argument, NULL, 'h'},
                                       {"target", required_argument, NULL, TARGET},
                                       {"prefer", required_argument, NULL, PREFER},
                                       {"codec", required_argument, NULL, CODEC},
                                       {"rhs", required_argument, NULL, RHS},
                                       {"memory", required_argument, NULL, MEMORY},
                                       {"verify", no_argument, NULL, VERIFY},
                                       {"condition", no_argument, NULL, CONDITION},
                                       {"product", no_argument, NULL, PRODUCT},
                                       {"vector", required_argument, NULL, VECTOR},
                                       {"sum", no_argument, NULL, SUM},
                                       {"lenient", no_argument, NULL, LENIENT},
                                       {"certificate", required_argument, NULL, CERTIFICATE},
                                       {"exec", required_argument, NULL, EXEC},
                                       {"json", required_argument, NULL, JSON},
                                       {"csv", required_argument, NULL, CSV},
                                       {NULL, 0, NULL, 0}};

/* ---- options that apply to a kind of file ---- */

enum { ARRAY = 1, SYSTEM = 2, PRODUCTS = 4, CHECK = 8, COMPUTED = ARRAY | SYSTEM | PRODUCTS };

static const struct {
    int kind;
    const char *name;
} kinds[] = {{ARRAY, "arrays"},
             {SYSTEM, "linear systems"},
             {PRODUCTS, "products (--product)"},
             {CHECK, "certificates"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* In the order of `listed`, without --help. */
static const int applies_to[] = {[TARGET - FIRST_LONG_OPTION] = COMPUTED,
                                 [PREFER - FIRST_LONG_OPTION] = ARRAY,
                                 [CODEC - FIRST_LONG_OPTION] = ARRAY,
                                 [RHS - FIRST_LONG_OPTION] = SYSTEM,
                                 [MEMORY - FIRST_LONG_OPTION] = SYSTEM,
                                 [VERIFY - FIRST_LONG_OPTION] = SYSTEM | PRODUCTS | CHECK,
                                 [CONDITION - FIRST_LONG_OPTION] = SYSTEM,
                                 [PRODUCT - FIRST_LONG_OPTION] = PRODUCTS,
                                 [VECTOR - FIRST_LONG_OPTION] = PRODUCTS,
                                 [SUM - FIRST_LONG_OPTION] = COMPUTED,
                                 [LENIENT - FIRST_LONG_OPTION] = COMPUTED,
                                 [CERTIFICATE - FIRST_LONG_OPTION] = COMPUTED,
                                 [EXEC - FIRST_LONG_OPTION] = COMPUTED | CHECK,
                                 [JSON - FIRST_LONG_OPTION] = COMPUTED,
                                 [CSV - FIRST_LONG_OPTION] = COMPUTED};
enum { OPTIONS = sizeof applies_to / sizeof *applies_to };

static stn_status misplaced(const advise_job *job, int option, int kind)
{
    char text[120] = "";
    const char *other = "";
    for (int k = 0; k < KINDS; k++) {
        if (kinds[k].kind == kind)
            other = kinds[k].name;
        if (applies_to[option] & kinds[k].kind)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? ", " : "",
                     kinds[k].name);
    }
    return stn_fail(STN_ERR_ARGUMENT, "%s: --%s applies to %s, not to %s", job->path,
                    listed[option + 1].name, text, other);
}

static stn_status expect_options(const advise_job *job, int kind)
{
    for (int k = 0; k < OPTIONS; k++)
        if (job->given >> k & 1 && !(applies_to[k] & kind))
            return misplaced(job, k, kind);
    return STN_OK;
}

/* ---- targets ---- */

stn_status advise_parse_target(advise_job *job)
{
    static const struct {
        const char *name;
        stn_error_norm norm;
        int is_relative;
    } norms[] = {{"max=", STN_ERROR_MAX, 0},
                 {"rms=", STN_ERROR_RMS, 0},
                 {"relative-max=", STN_ERROR_MAX, 1},
                 {"relative-rms=", STN_ERROR_RMS, 1}};
    const char *const text = job->target_text;
    for (int k = 0; text && k < 4; k++) {
        const size_t length = strlen(norms[k].name);
        char *end;
        if (strncmp(text, norms[k].name, length) != 0)
            continue;
        job->target.target = strtod(text + length, &end);
        job->target.norm = norms[k].norm;
        job->target.is_relative = norms[k].is_relative;
        if (end != text + length && !*end && job->target.target >= 0.0 &&
            isfinite(job->target.target))
            return STN_OK;
    }
    return !text ? STN_OK
                 : stn_fail(STN_ERR_ARGUMENT,
                            "target '%s' must be max=E, rms=E, relative-max=E or relative-rms=E "
                            "with E >= 0",
                            text);
}

static stn_status parse_solve_target(advise_job *job)
{
    char *end;
    if (!job->target_text)
        return STN_OK;
    job->solve.target = strtod(job->target_text, &end);
    return end != job->target_text && !*end && job->solve.target > 0.0 && job->solve.target < 1.0
               ? STN_OK
               : stn_fail(STN_ERR_ARGUMENT,
                          "target '%s' must be a relative residual between 0 and 1",
                          job->target_text);
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
    if (option >= FIRST_LONG_OPTION)
        job->given |= 1U << (option - FIRST_LONG_OPTION);
    switch (option) {
    case TARGET:
        job->target_text = value;
        return STN_OK;
    case PREFER:
        return parse_goal(value, job);
    case CODEC:
        return add_codec(value, job);
    case RHS:
        job->rhs = value;
        return STN_OK;
    case MEMORY:
        return parse_count("number of bytes", value, INT64_MAX / 2, &job->solve.max_bytes);
    case VERIFY:
        job->verifies = 1;
        return STN_OK;
    case CONDITION:
        job->is_condition = 1;
        return STN_OK;
    case PRODUCT:
        job->is_product = 1;
        return STN_OK;
    case VECTOR:
        job->vector = value;
        return STN_OK;
    case SUM:
        job->market |= STN_MARKET_SUM;
        return STN_OK;
    case LENIENT:
        job->market |= STN_MARKET_LENIENT;
        return STN_OK;
    case CERTIFICATE:
        return output_take(&job->certificate, value);
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

typedef stn_status array_use(advise_job *job, const stn_view *view, advise_stored *figures);

static stn_status with_dense(advise_job *job, const char *path, const stn_market_matrix *matrix,
                             array_use *use, advise_stored *figures)
{
    const int64_t extents[] = {matrix->rows, matrix->columns};
    stn_view view;
    if (matrix->storage != STN_MARKET_DENSE)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s is a sparse matrix, not an array", path);
    STN_TRY(stn_view_wrap_const(&view, path, stn_storage_of(matrix->value_format), matrix->values,
                                2, extents));
    return use(job, &view, figures);
}

static stn_status with_market(advise_job *job, const char *path, array_use *use,
                              advise_stored *figures)
{
    stn_market_matrix matrix = STN_MARKET_MATRIX_INIT;
    STN_TRY(market_read(path, job->market, &matrix));
    const stn_status status = with_dense(job, path, &matrix, use, figures);
    stn_market_release(&matrix);
    return status;
}

#if STN_HAVE_CODEC
static stn_status with_archive(advise_job *job, const char *path, array_use *use,
                               advise_stored *figures)
{
    stn_archive *archive;
    stn_view view;
    STN_TRY(stn_archive_open(&archive, path));
    stn_status status = stn_archive_view(&view, archive);
    if (status == STN_OK) {
        status = use(job, &view, figures);
        (void)stn_view_release(&view);
    }
    stn_archive_release(archive);
    return status;
}

static stn_status with_npy(advise_job *job, const char *path, array_use *use,
                           advise_stored *figures)
{
    npy_file file;
    stn_view view;
    STN_TRY(npy_open(path, &file));
    stn_status status = npy_view(&file, path, &view);
    if (status == STN_OK)
        status = use(job, &view, figures);
    npy_close(&file);
    return status;
}
#endif

stn_status advise_with_array(advise_job *job, const char *path, array_use *use,
                             advise_stored *figures)
{
#if STN_HAVE_CODEC
    if (ends_with(path, ".npy"))
        return with_npy(job, path, use, figures);
    if (ends_with(path, ".sta"))
        return with_archive(job, path, use, figures);
#endif
    return with_market(job, path, use, figures);
}

static stn_status advise_array_file(advise_job *job)
{
    advise_stored best;
    STN_TRY(expect_options(job, ARRAY));
    STN_TRY(advise_parse_target(job));
    STN_TRY(advise_with_array(job, job->path, advise_array, &best));
    return job->certificate ? certificate_write_array(job, &best) : STN_OK;
}

stn_status advise_expect_system(advise_job *job)
{
    STN_TRY(expect_options(job, SYSTEM));
    if (job->is_condition && !job->verifies && !job->certificate)
        return stn_fail(STN_ERR_ARGUMENT, "--condition requires --verify or --certificate");
    return parse_solve_target(job);
}

static stn_status advise_system(advise_job *job, int *is_dense)
{
    advise_solve_job s = {.job = job, .file = STN_MARKET_MATRIX_INIT};
    stn_status status = advise_solve_open(&s);
    *is_dense = status == STN_OK && !s.advice;
    if (status == STN_OK && s.advice)
        status = advise_solve_run(&s);
    advise_solve_close(&s);
    return status;
}

static stn_status advise_file(advise_job *job)
{
    int is_dense = 0;
    if (ends_with(job->path, ".json")) {
        STN_TRY(expect_options(job, CHECK));
        return certificate_check(job);
    }
    if (job->is_product) {
        STN_TRY(expect_options(job, PRODUCTS));
        return advise_product_file(job);
    }
    if (ends_with(job->path, ".npy") || ends_with(job->path, ".sta"))
        return advise_array_file(job);
    STN_TRY(advise_system(job, &is_dense));
    return is_dense ? advise_array_file(job) : STN_OK;
}

stn_status command_advise(int argc, char **argv)
{
    advise_job job = {.target = STN_ARRAY_ADVICE_OPTIONS_INIT,
                      .solve = STN_INIT(stn_solve_advice_options, .target = 1e-10),
                      .exec_name = "threads"};
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
