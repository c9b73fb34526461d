/* The options of `steno solve`. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "parse.h"
#include "pde.h"
#include "solve.h"

const char solve_help[] =
    "usage: steno solve [convection|poisson3d|FILE.mtx[.gz]] [OPTION]...\n"
    "       steno solve --matrix FILE [OPTION]...\n\n"
    "Solves A x = b by a Krylov method or iterative refinement in f64 arithmetic (c128 for "
    "complex\n"
    "matrices), once for each storage format of the basis of GMRES or of the matrix inside\n"
    "refinement. Without --rhs, b is A times a vector of ones. Rounds alternate between the\n"
    "formats; times are medians.\n\n"
    "  --matrix FILE     a Matrix Market file of any name\n"
    "  --rhs FILE        right-hand side, .npy or dense Matrix Market; several columns are "
    "several\n"
    "                    systems, which cg, minres and bicgstab solve together\n"
    "  --solver NAME     gmres; fgmres (flexible); refinement: CG in f32 with the matrix in each\n"
    "                    format, corrected in f64, compared with CG in f64; and, in f64 only: cg\n"
    "                    (symmetric positive definite matrices), minres (symmetric matrices),\n"
    "                    bicgstab (default gmres)\n"
    "  --basis LIST      formats; the others are compared with the first. GMRES also supports\n"
    "                    i16:32, integers with a factor for each block of 32 (default\n"
    "                    f64,f32,f16,i16; for complex matrices c128,c64,c32)\n"
    "  --planes          refinement: add a row whose matrix is stored once, in planes of 32, 16 "
    "and\n"
    "                    16 bits: residuals read all of them, the inner CG reads 32 bits per "
    "value,\n"
    "                    and more if its corrections are inaccurate\n"
    "  --equilibrate     scale rows and columns by powers of two before the matrix, the basis or\n"
    "                    factors are stored\n"
    "  --arithmetic NAME f64, f32, c128 or c64 (default f64, for complex matrices c128)\n"
    "  --size N          points per edge of the cube of an equation (default 48)\n"
    "  --restart N       vectors of the basis (default 100)\n"
    "  --orthogonalization NAME  of GMRES: default, once (one projection), if-needed (a second "
    "one\n"
    "                    if the first removes more than half), twice, delayed (one, corrected\n"
    "                    later), sketched (one pass over the basis) (default default)\n"
    "  --tolerance X     bound on |b - A x| / |b| (default 1e-10)\n"
    "  --iterations N    maximum (default 100000); the exit status is 1 if no format converges\n"
    "  --precond NAME    none; jacobi: inverse of the diagonal; bjacobi: inverses of diagonal\n"
    "                    blocks, each in f16, f32 or f64 as its condition allows; ilu and ic:\n"
    "                    factors without fill-in, with ilu:f16 in that format (default none)\n"
    "  --block N         rows of a block, at most 32 (default 8)\n"
    "  --exec NAME       executor, such as threads, reference or a device: cuda:0, hip:0, "
    "opencl:0\n"
    "                    (default threads; see steno info)\n"
    "  --same-bits-as NAME  solve on this executor, too, and fail if a bit of a solution differs\n"
    "  --threads N       number of threads (default: STENO_NUM_THREADS, see steno/exec.h)\n"
    "  --repeat N        number of rounds, at most 41 (default 3)\n"
    "  --sum             add repeated entries of FILE\n"
    "  --lenient         accept common deviations from the specification in FILE\n"
    "  --json FILE       write one JSON object per format; - is the standard output\n"
    "  --csv FILE        write comma-separated values; - is the standard output\n"
    "  --history FILE    write the residual after each iteration as comma-separated values, which\n"
    "                    steno-plot draws\n";

enum {
    MATRIX = FIRST_LONG_OPTION,
    RHS,
    SOLVER,
    BASIS,
    PLANES,
    EQUILIBRATE,
    ARITHMETIC,
    SIZE,
    RESTART,
    ORTHOGONALIZATION,
    TOLERANCE,
    ITERATIONS,
    PRECOND,
    BLOCK,
    THREADS,
    EXEC,
    SAME_BITS,
    REPEAT,
    SUM,
    LENIENT,
    JSON,
    CSV,
    HISTORY
};

static const solver_kind kinds[] = {
    {"gmres", STN_SOLVER_GMRES, STORED_BASIS, "convection"},
    {"fgmres", STN_SOLVER_FGMRES, STORED_BASIS, "convection"},
    {"refinement", STN_SOLVER_REFINEMENT, STORED_MATRIX, "poisson3d"},
    {"cg", STN_SOLVER_CG, STORED_NOTHING, "poisson3d"},
    {"minres", STN_SOLVER_MINRES, STORED_NOTHING, "poisson3d"},
    {"bicgstab", STN_SOLVER_BICGSTAB, STORED_NOTHING, "convection"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static stn_status parse_basis(const char *word, void *context)
{
    solve_job *job = context;
    if (job->count == MAX_BASES)
        return stn_fail(STN_ERR_RANGE, "more than %d formats", MAX_BASES);
    solve_format *one = &job->list[job->count++];
    stn_format_info info = STN_FORMAT_INFO_INIT;
    char format[16];
    const char *const colon = strchr(word, ':');
    const int length = colon ? (int)(colon - word) : (int)strlen(word);
    snprintf(format, sizeof format, "%.*s", length, word);
    if (colon && strcmp(colon, ":32") != 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: blocks are of 32 elements, as in i16:32", word);
    STN_TRY(stn_format_find(format, &one->format));
    STN_TRY(stn_format_describe(one->format, &info));
    one->block = colon ? 32 : 0;
    snprintf(one->name, sizeof one->name, "%s%s", info.name, colon ? ":32" : "");
    return STN_OK;
}

static stn_status parse_solver(const char *word, solve_job *job)
{
    char names[80] = "";
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(kinds[k].name, word) == 0) {
            job->kind = &kinds[k];
            return STN_OK;
        }
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? ", " : "",
                 kinds[k].name);
    }
    return stn_fail(STN_ERR_ARGUMENT, "unknown solver '%s' (known: %s)", word, names);
}

static stn_status parse_arithmetic(const char *word, solve_job *job)
{
    static const char *const names[] = {"f64", "f32", "c128", "c64"};
    for (int k = 0; k < 4; k++)
        if (strcmp(names[k], word) == 0)
            job->arithmetic = names[k];
    if (job->arithmetic)
        return STN_OK;
    return stn_fail(STN_ERR_ARGUMENT, "arithmetic '%s' must be f64, f32, c128 or c64", word);
}

/* In the order of stn_orthogonalization. */
static const char *const orthogonalizations[] = {"default", "once",    "if-needed",
                                                 "twice",   "delayed", "sketched"};

const char *orthogonalization_name(stn_orthogonalization orthogonalization)
{
    return orthogonalizations[orthogonalization];
}

static stn_status parse_orthogonalization(const char *word, solve_job *job)
{
    char known[80] = "";
    for (size_t k = 0; k < sizeof orthogonalizations / sizeof *orthogonalizations; k++) {
        if (strcmp(orthogonalizations[k], word) == 0) {
            job->orthogonalization = (stn_orthogonalization)k;
            return STN_OK;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", k ? ", " : "",
                 orthogonalizations[k]);
    }
    return stn_fail(STN_ERR_ARGUMENT, "unknown orthogonalization '%s' (known: %s)", word, known);
}

static stn_status parse_tolerance(const char *word, double *tolerance)
{
    char *end;
    *tolerance = strtod(word, &end);
    if (*end || !(*tolerance > 0.0 && *tolerance < 1.0))
        return stn_fail(STN_ERR_ARGUMENT, "tolerance '%s' must be between 0 and 1", word);
    return STN_OK;
}

static stn_status parse_option(int option, const char *value, solve_job *job)
{
    switch (option) {
    case MATRIX:
        job->file = value;
        return STN_OK;
    case RHS:
        job->rhs = value;
        return STN_OK;
    case SOLVER:
        return parse_solver(value, job);
    case BASIS:
        return parse_list("format", value, parse_basis, job);
    case PLANES:
        job->planes = 1;
        return STN_OK;
    case EQUILIBRATE:
        job->equilibrate = 1;
        return STN_OK;
    case ARITHMETIC:
        return parse_arithmetic(value, job);
    case SIZE:
        return parse_count("size", value, MAX_EDGE, &job->n);
    case RESTART:
        return parse_count("restart", value, 10000, &job->restart);
    case ORTHOGONALIZATION:
        return parse_orthogonalization(value, job);
    case TOLERANCE:
        return parse_tolerance(value, &job->tolerance);
    case ITERATIONS:
        return parse_count("number of iterations", value, MAX_HISTORY, &job->iterations);
    case PRECOND:
        return precond_parse(&job->precond, value);
    case BLOCK:
        return parse_count("block", value, STN_BLOCK_JACOBI_MAX_ROWS, &job->block);
    case THREADS:
        return parse_count("number of threads", value, 1024, &job->threads);
    case EXEC:
        job->resource = value;
        return STN_OK;
    case SAME_BITS:
        job->same_bits = value;
        return STN_OK;
    case REPEAT:
        return parse_count("number of repeats", value, MAX_ROUNDS, &job->repeat);
    case SUM:
        job->market |= STN_MARKET_SUM;
        return STN_OK;
    case LENIENT:
        job->market |= STN_MARKET_LENIENT;
        return STN_OK;
    case JSON:
        return output_take(&job->files.json, value);
    case CSV:
        return output_take(&job->files.csv, value);
    case HISTORY:
        return output_take(&job->history, value);
    case 'h':
        job->help = 1;
        return STN_OK;
    default:
        return STN_ERR_ARGUMENT; /* next_option has recorded the message */
    }
}

static stn_status add_planes(solve_job *job)
{
    if (job->is_complex)
        return stn_fail(STN_ERR_UNSUPPORTED, "--planes requires a real matrix, unlike %s",
                        job->source);
    STN_TRY(parse_basis("f64", job));
    solve_format *const one = &job->list[job->count - 1];
    one->is_segmented = 1;
    snprintf(one->name, sizeof one->name, "planes");
    return STN_OK;
}

stn_status solve_use_defaults(solve_job *job)
{
    const solver_kind *const kind = job->kind;
    const int is_alone = kind->stored_object == STORED_NOTHING;
    const int has_complex = job->matrix.field == STN_MARKET_COMPLEX;
    if (!job->arithmetic)
        job->arithmetic = has_complex ? "c128" : "f64";
    STN_TRY(stn_format_find(job->arithmetic, &job->numbers));
    job->is_complex = job->numbers == STN_C128 || job->numbers == STN_C64;
    if (has_complex && !job->is_complex)
        return stn_fail(STN_ERR_ARGUMENT, "%s is a complex matrix, but the arithmetic is %s",
                        job->source, job->arithmetic);
    if (job->count == 0)
        STN_TRY(parse_list("format",
                           is_alone          ? job->arithmetic
                           : job->is_complex ? "c128,c64,c32"
                                             : "f64,f32,f16,i16",
                           parse_basis, job));
    STN_TRY(job->planes ? add_planes(job) : STN_OK);
    if (is_alone && (job->count > 1 || job->list[0].format != job->numbers))
        return stn_fail(STN_ERR_ARGUMENT, "%s has no basis: omit the formats, or use refinement",
                        kind->name);
    return STN_OK;
}

/* Refinement corrects in the widest arithmetic. */
static stn_status expect_options(solve_job *job)
{
    const int is_refined = job->kind->stored_object == STORED_MATRIX;
    if (is_refined && job->arithmetic && strchr("fc", job->arithmetic[0]) &&
        strcmp(job->arithmetic + 1, job->arithmetic[0] == 'f' ? "64" : "128") != 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "the arithmetic of refinement must be f64 or c128, not %s",
                        job->arithmetic);
    for (int k = 0; k < job->count; k++)
        if (job->list[k].block && job->kind->stored_object != STORED_BASIS)
            return stn_fail(STN_ERR_ARGUMENT, "%s does not support a basis in blocks: %s",
                            job->kind->name, job->list[k].name);
    if (job->planes && !is_refined)
        return stn_fail(STN_ERR_ARGUMENT, "--planes applies to refinement, not to %s",
                        job->kind->name);
    if (job->orthogonalization && job->kind->stored_object != STORED_BASIS)
        return stn_fail(STN_ERR_ARGUMENT, "%s has no basis: omit --orthogonalization",
                        job->kind->name);
    if (job->rhs && job->equilibrate)
        return stn_fail(STN_ERR_ARGUMENT, "--equilibrate does not scale the right-hand sides of "
                                          "--rhs: omit one of them");
    if (!job->source)
        job->source = job->kind->default_matrix;
    return STN_OK;
}

stn_status solve_parse(int argc, char **argv, solve_job *job)
{
    static const struct option options[] = {
        {"help", no_argument, NULL, 'h'},
        {"matrix", required_argument, NULL, MATRIX},
        {"rhs", required_argument, NULL, RHS},
        {"solver", required_argument, NULL, SOLVER},
        {"basis", required_argument, NULL, BASIS},
        {"planes", no_argument, NULL, PLANES},
        {"equilibrate", no_argument, NULL, EQUILIBRATE},
        {"arithmetic", required_argument, NULL, ARITHMETIC},
        {"size", required_argument, NULL, SIZE},
        {"restart", required_argument, NULL, RESTART},
        {"orthogonalization", required_argument, NULL, ORTHOGONALIZATION},
        {"tolerance", required_argument, NULL, TOLERANCE},
        {"iterations", required_argument, NULL, ITERATIONS},
        {"precond", required_argument, NULL, PRECOND},
        {"block", required_argument, NULL, BLOCK},
        {"threads", required_argument, NULL, THREADS},
        {"exec", required_argument, NULL, EXEC},
        {"same-bits-as", required_argument, NULL, SAME_BITS},
        {"repeat", required_argument, NULL, REPEAT},
        {"sum", no_argument, NULL, SUM},
        {"lenient", no_argument, NULL, LENIENT},
        {"json", required_argument, NULL, JSON},
        {"csv", required_argument, NULL, CSV},
        {"history", required_argument, NULL, HISTORY},
        {NULL, 0, NULL, 0}};
    if (!job->kind)
        job->kind = kinds;
    for (int option; !job->help && (option = next_option(argc, argv, options)) != -1;)
        STN_TRY(parse_option(option, optarg, job));
    if (job->help)
        return STN_OK;
    job->source = job->file;
    if (optind < argc && !job->source)
        job->source = argv[optind++];
    if (optind < argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno solve: unexpected argument '%s'", argv[optind]);
    STN_TRY(columns_check_files(&job->files));
    return expect_options(job);
}
