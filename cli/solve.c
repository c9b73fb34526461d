/* steno solve: solves a linear system with each storage format to the same residual. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "command.h"
#include "core/memory.h"
#include "market.h"
#include "measure/stream.h"
#include "narrow.h"
#include "output.h"
#include "pde.h"
#include "precond.h"
#include "problem.h"
#include "progress.h"
#include "solve_plot.h"
#include "steno/blas.h"
#include "steno/solver.h"
#include "words.h"

enum { MAX_BASES = 16, MAX_ROUNDS = 41, DEFAULT_EDGE = 48, MAX_HISTORY = 100000, MAX_PLOTS = 4 };

static const char help[] =
    "usage: steno solve [convection|poisson3d|FILE.mtx[.gz]] [OPTION]...\n"
    "       steno solve --matrix FILE [OPTION]...\n\n"
    "Solves A x = b by a Krylov method or iterative refinement in f64 arithmetic (c128 for "
    "complex\n"
    "matrices), once for each storage format of the basis of GMRES or of the matrix inside\n"
    "refinement. b is A times a vector of ones. Rounds alternate between the formats; times are\n"
    "medians.\n\n"
    "  --matrix FILE     a Matrix Market file of any name\n"
    "  --solver NAME     gmres; fgmres (flexible); refinement: CG in f32 with the matrix in each\n"
    "                    format, corrected in f64, compared with CG in f64; and, in f64 only: cg\n"
    "                    (symmetric positive definite matrices), minres (symmetric matrices),\n"
    "                    bicgstab (default gmres)\n"
    "  --basis LIST      formats; the others are compared with the first. GMRES also supports\n"
    "                    i16:32, integers with a factor for each block of 32 (default\n"
    "                    f64,f32,f16,i16; for complex matrices c128,c64,c32)\n"
    "  --arithmetic NAME f64, f32, c128 or c64 (default f64, for complex matrices c128)\n"
    "  --size N          points per edge of the cube of an equation (default 48)\n"
    "  --restart N       vectors of the basis (default 100)\n"
    "  --tolerance X     bound on |b - A x| / |b| (default 1e-10)\n"
    "  --iterations N    maximum (default 100000); the exit status is 1 if no format converges\n"
    "  --precond NAME    none; jacobi: inverse of the diagonal; bjacobi: inverses of diagonal\n"
    "                    blocks, each in f16, f32 or f64 as its condition allows; ilu and ic:\n"
    "                    factors without fill-in, with ilu:f16 in that format (default none)\n"
    "  --block N         rows of a block, at most 32 (default 8)\n"
    "  --threads N       number of threads (default the number of processors)\n"
    "  --repeat N        number of rounds, at most 41 (default 3)\n"
    "  --sum             add repeated entries of FILE\n"
    "  --lenient         accept common deviations from the specification in FILE\n"
    "  --json FILE       write one JSON object per format; - is the standard output\n"
    "  --csv FILE        write comma-separated values; - is the standard output\n"
    "  --history FILE    write the residual after each iteration as comma-separated values\n"
    "  --plot FILE.svg   plot the residuals; FILE.png requires gnuplot; may be repeated\n";

enum {
    MATRIX = FIRST_LONG_OPTION,
    SOLVER,
    BASIS,
    ARITHMETIC,
    SIZE,
    RESTART,
    TOLERANCE,
    ITERATIONS,
    PRECOND,
    BLOCK,
    THREADS,
    REPEAT,
    SUM,
    LENIENT,
    JSON,
    CSV,
    HISTORY,
    PLOT
};

/* ---- results ---- */

typedef struct solve_row {
    const char *matrix, *solver, *arithmetic, *basis, *precond, *reason;
    int64_t rows, threads, iterations, restarts;
    double megabytes, seconds, speedup, residual;
} solve_row;

static const column row_list[] = {
    COLUMN(solve_row, TEXT, matrix),        COLUMN(solve_row, TEXT, solver),
    COLUMN(solve_row, TEXT, arithmetic),    COLUMN(solve_row, TEXT, basis),
    COLUMN(solve_row, TEXT, precond),       COLUMN(solve_row, TEXT, reason),
    COLUMN(solve_row, INTEGER, rows),       COLUMN(solve_row, INTEGER, threads),
    COLUMN(solve_row, INTEGER, iterations), COLUMN(solve_row, INTEGER, restarts),
    COLUMN(solve_row, REAL, megabytes),     COLUMN(solve_row, REAL, seconds),
    COLUMN(solve_row, REAL, speedup),       COLUMN(solve_row, REAL, residual)};
static const columns row_columns = {row_list, sizeof row_list / sizeof *row_list,
                                    sizeof(solve_row)};

typedef struct point {
    const char *basis;
    int64_t iteration;
    double residual;
} point;

static const column point_list[] = {COLUMN(point, TEXT, basis), COLUMN(point, INTEGER, iteration),
                                    COLUMN(point, REAL, residual)};
static const columns point_columns = {point_list, sizeof point_list / sizeof *point_list,
                                      sizeof(point)};

/* ---- settings and state ---- */

/* A storage format and its results. */
typedef struct contender {
    stn_format format;
    int64_t block; /* of the basis */
    char name[24];
    stn_matrix *narrow; /* matrix of refinement */
    stn_operator about;
    int is_refined; /* by refinement; in f64 the first solver alone */
    double *history;
    int64_t entries;
    double seconds[MAX_ROUNDS];
    stn_solver_report solution;
} contender;

/* The object that is stored in each format. */
typedef enum varied { NOTHING, THE_BASIS, THE_MATRIX } varied;

typedef struct solver_kind {
    const char *name;
    stn_solver_method method;
    varied varied;
    const char *default_choice; /* default equation */
} solver_kind;

static const solver_kind kinds[] = {{"gmres", STN_SOLVER_GMRES, THE_BASIS, "convection"},
                                    {"fgmres", STN_SOLVER_FGMRES, THE_BASIS, "convection"},
                                    {"refinement", STN_SOLVER_REFINEMENT, THE_MATRIX, "poisson3d"},
                                    {"cg", STN_SOLVER_CG, NOTHING, "poisson3d"},
                                    {"minres", STN_SOLVER_MINRES, NOTHING, "poisson3d"},
                                    {"bicgstab", STN_SOLVER_BICGSTAB, NOTHING, "convection"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct solving {
    const solver_kind *kind;
    const char *source, *file, *json, *csv, *history, *plot[MAX_PLOTS];
    int plots;
    const char *arithmetic; /* NULL: that of the matrix */
    stn_format numbers;     /* the same as a format */
    int is_complex;
    contender list[MAX_BASES];
    int count, help;
    unsigned market; /* stn_market_flags of the file */
    int64_t n, block, restart, iterations, threads, repeat;
    double tolerance;
    stn_exec *exec;
    stn_market_matrix matrix;
    stn_matrix *csr, *quick; /* A as read, and in the kind with fewer bytes */
    stn_operator a;
    precond precond;
    stn_view b, x;
    const char *running; /* the format being measured */
} solving;

static stn_status take_basis(const char *word, void *context)
{
    solving *all = context;
    if (all->count == MAX_BASES)
        return stn_fail(STN_ERR_RANGE, "more than %d formats", MAX_BASES);
    contender *one = &all->list[all->count++];
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

static stn_status take_solver(const char *word, solving *all)
{
    char names[80] = "";
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(kinds[k].name, word) == 0) {
            all->kind = &kinds[k];
            return STN_OK;
        }
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? ", " : "",
                 kinds[k].name);
    }
    return stn_fail(STN_ERR_ARGUMENT, "unknown solver '%s' (known: %s)", word, names);
}

static stn_status take_arithmetic(const char *word, solving *all)
{
    static const char *const names[] = {"f64", "f32", "c128", "c64"};
    for (int k = 0; k < 4; k++)
        if (strcmp(names[k], word) == 0)
            all->arithmetic = names[k];
    if (all->arithmetic)
        return STN_OK;
    return stn_fail(STN_ERR_ARGUMENT, "arithmetic '%s' must be f64, f32, c128 or c64", word);
}

static stn_status take_tolerance(const char *word, double *tolerance)
{
    char *end;
    *tolerance = strtod(word, &end);
    if (*end || !(*tolerance > 0.0 && *tolerance < 1.0))
        return stn_fail(STN_ERR_ARGUMENT, "tolerance '%s' must be between 0 and 1", word);
    return STN_OK;
}

static stn_status take_file(const char **file, const char *path)
{
    *file = path;
    return output_check(path);
}

static stn_status take_plot(const char *path, solving *all)
{
    if (all->plots == MAX_PLOTS)
        return stn_fail(STN_ERR_RANGE, "more than %d plots", MAX_PLOTS);
    all->plot[all->plots++] = path;
    return solve_plot_check(path);
}

static stn_status take_option(int option, const char *value, solving *all)
{
    switch (option) {
    case MATRIX:
        all->file = value;
        return STN_OK;
    case SOLVER:
        return take_solver(value, all);
    case BASIS:
        return parse_list("format", value, take_basis, all);
    case ARITHMETIC:
        return take_arithmetic(value, all);
    case SIZE:
        return parse_count("size", value, MAX_EDGE, &all->n);
    case RESTART:
        return parse_count("restart", value, 10000, &all->restart);
    case TOLERANCE:
        return take_tolerance(value, &all->tolerance);
    case ITERATIONS:
        return parse_count("number of iterations", value, MAX_HISTORY, &all->iterations);
    case PRECOND:
        return precond_take(&all->precond, value);
    case BLOCK:
        return parse_count("block", value, STN_BLOCK_JACOBI_MAX_ROWS, &all->block);
    case THREADS:
        return parse_count("number of threads", value, 1024, &all->threads);
    case REPEAT:
        return parse_count("number of repeats", value, MAX_ROUNDS, &all->repeat);
    case SUM:
        all->market |= STN_MARKET_SUM;
        return STN_OK;
    case LENIENT:
        all->market |= STN_MARKET_LENIENT;
        return STN_OK;
    case JSON:
        return take_file(&all->json, value);
    case CSV:
        return take_file(&all->csv, value);
    case HISTORY:
        return take_file(&all->history, value);
    case PLOT:
        return take_plot(value, all);
    case 'h':
        all->help = 1;
        return STN_OK;
    default:
        return STN_ERR_ARGUMENT; /* next_option has recorded the message */
    }
}

/* Default arithmetic and formats of the matrix that was read. */
static stn_status use_defaults(solving *all)
{
    const solver_kind *const kind = all->kind;
    const int is_alone = kind->varied == NOTHING;
    const int has_complex = all->matrix.field == STN_MARKET_COMPLEX;
    if (!all->arithmetic)
        all->arithmetic = has_complex ? "c128" : "f64";
    STN_TRY(stn_format_find(all->arithmetic, &all->numbers));
    all->is_complex = all->numbers == STN_C128 || all->numbers == STN_C64;
    if (has_complex && !all->is_complex)
        return stn_fail(STN_ERR_ARGUMENT, "%s is a complex matrix, but the arithmetic is %s",
                        all->source, all->arithmetic);
    if (all->count == 0)
        STN_TRY(parse_list("format",
                           is_alone          ? all->arithmetic
                           : all->is_complex ? "c128,c64,c32"
                                             : "f64,f32,f16,i16",
                           take_basis, all));
    if (is_alone && (all->count > 1 || all->list[0].format != all->numbers))
        return stn_fail(STN_ERR_ARGUMENT, "%s has no basis: omit the formats, or use refinement",
                        kind->name);
    return STN_OK;
}

/* Refinement corrects in the widest arithmetic. */
static stn_status expect_options(solving *all)
{
    const int is_refined = all->kind->varied == THE_MATRIX;
    if (is_refined && all->arithmetic && strchr("fc", all->arithmetic[0]) &&
        strcmp(all->arithmetic + 1, all->arithmetic[0] == 'f' ? "64" : "128") != 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "the arithmetic of refinement must be f64 or c128, not %s",
                        all->arithmetic);
    for (int k = 0; k < all->count; k++)
        if (all->list[k].block && all->kind->varied != THE_BASIS)
            return stn_fail(STN_ERR_ARGUMENT, "%s does not support a basis in blocks: %s",
                            all->kind->name, all->list[k].name);
    if (!all->source)
        all->source = all->kind->default_choice;
    return STN_OK;
}

static stn_status parse(int argc, char **argv, solving *all)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"matrix", required_argument, NULL, MATRIX},
                                            {"solver", required_argument, NULL, SOLVER},
                                            {"basis", required_argument, NULL, BASIS},
                                            {"arithmetic", required_argument, NULL, ARITHMETIC},
                                            {"size", required_argument, NULL, SIZE},
                                            {"restart", required_argument, NULL, RESTART},
                                            {"tolerance", required_argument, NULL, TOLERANCE},
                                            {"iterations", required_argument, NULL, ITERATIONS},
                                            {"precond", required_argument, NULL, PRECOND},
                                            {"block", required_argument, NULL, BLOCK},
                                            {"threads", required_argument, NULL, THREADS},
                                            {"repeat", required_argument, NULL, REPEAT},
                                            {"sum", no_argument, NULL, SUM},
                                            {"lenient", no_argument, NULL, LENIENT},
                                            {"json", required_argument, NULL, JSON},
                                            {"csv", required_argument, NULL, CSV},
                                            {"history", required_argument, NULL, HISTORY},
                                            {"plot", required_argument, NULL, PLOT},
                                            {NULL, 0, NULL, 0}};
    for (int option; !all->help && (option = next_option(argc, argv, options)) != -1;)
        STN_TRY(take_option(option, optarg, all));
    if (all->help)
        return STN_OK;
    all->source = all->file;
    if (optind < argc && !all->source)
        all->source = argv[optind++];
    if (optind < argc)
        return stn_fail(STN_ERR_ARGUMENT, "steno solve: unexpected argument '%s'", argv[optind]);
    return expect_options(all);
}

/* ---- the system ---- */

static stn_status read_matrix(solving *all)
{
    const pde_kind *pde;
    if (!all->file && !strpbrk(all->source, "./")) {
        if (all->market)
            return stn_fail(STN_ERR_ARGUMENT, "%s applies to files, not to %s",
                            market_option(all->market), all->source);
        STN_TRY(pde_find(all->source, &pde));
        return pde_make(pde, all->n ? all->n : DEFAULT_EDGE, &all->matrix);
    }
    if (all->n)
        return stn_fail(STN_ERR_ARGUMENT, "--size applies to equations, not to the file %s",
                        all->source);
    STN_TRY(market_read(all->source, all->market, &all->matrix));
    if (all->matrix.storage == STN_MARKET_DENSE)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s is a dense matrix; solve requires a sparse matrix",
                        all->source);
    if (all->matrix.rows != all->matrix.columns)
        return stn_fail(STN_ERR_SHAPE, "%s is not square: %" PRId64 " x %" PRId64, all->source,
                        all->matrix.rows, all->matrix.columns);
    return STN_OK;
}

static stn_status make_vector(const solving *all, stn_view *view, const char *label)
{
    return stn_view_create(all->exec, view, label, stn_storage_of(all->numbers), 1,
                           &all->matrix.rows);
}

/* A as read by the inner solver of refinement. In the format of the arithmetic there is nothing to
 * refine. */
static stn_status narrow(solving *all, contender *one)
{
    one->is_refined = all->kind->varied == THE_MATRIX && one->format != all->numbers;
    if (!one->is_refined)
        return STN_OK;
    STN_TRY(narrow_make(all->exec, &one->narrow, all->csr, one->format));
    STN_TRY(stn_matrix_set_label(one->narrow, one->name));
    return stn_operator_of_matrix(&one->about, one->narrow);
}

static stn_status prepare(solving *all)
{
    char resource[64] = "openmp";
    if (all->threads)
        snprintf(resource, sizeof resource, "openmp:threads=%" PRId64, all->threads);
    STN_TRY(stn_exec_create(&all->exec, resource));
    all->threads = stn_exec_threads(all->exec);
    STN_TRY(read_matrix(all));
    STN_TRY(use_defaults(all));
    if (all->matrix.field != STN_MARKET_COMPLEX)
        problem_widen(&all->matrix);
    STN_TRY(stn_market_wrap(&all->csr, &all->matrix, all->source));
    STN_TRY(stn_sparse_convert(all->exec, &all->quick, all->csr, STN_MATRIX_AUTO, NULL));
    STN_TRY(stn_operator_of_matrix(&all->a, all->quick));
    STN_TRY(precond_make(&all->precond, all->exec, all->csr, all->block));
    const double vectors = all->kind->varied == THE_BASIS ? (double)all->restart + 8.0 : 12.0;
    STN_TRY(expect_memory((all->is_complex ? 16.0 : 8.0) * vectors * (double)all->matrix.rows,
                          "the vectors"));
    STN_TRY(make_vector(all, &all->b, "b"));
    STN_TRY(make_vector(all, &all->x, "x"));
    STN_TRY(stn_view_fill(all->exec, &all->x, 1.0));
    STN_TRY(stn_spmv(all->exec, all->numbers, 1.0, all->quick, &all->x, 0.0, &all->b));
    for (int k = 0; k < all->count; k++) {
        STN_TRY(stn_allocate(&all->list[k].history, MAX_HISTORY, sizeof(double), "residuals"));
        STN_TRY(narrow(all, &all->list[k]));
    }
    return STN_OK;
}

static void release(solving *all)
{
    for (int k = 0; k < all->count; k++) {
        stn_free(all->list[k].history);
        stn_matrix_release(all->list[k].narrow);
    }
    (void)stn_view_release(&all->b);
    (void)stn_view_release(&all->x);
    precond_release(&all->precond);
    stn_matrix_release(all->quick);
    stn_matrix_release(all->csr);
    stn_market_release(&all->matrix);
    stn_exec_release(all->exec);
}

/* ---- rounds ---- */

static int report(void *context, const stn_solver_progress *now)
{
    const solving *const all = context;
    progress("%s: iteration %" PRId64 ", residual %.2e, %.1f s", all->running, now->iteration,
             now->residual, now->seconds);
    return 0;
}

static stn_status solve_once(solving *all, contender *one, int round)
{
    const stn_operator *const inverse = all->precond.inverse.size ? &all->precond.inverse : NULL;
    const stn_solver_options inner =
        STN_INIT(stn_solver_options, .arithmetic = all->is_complex ? STN_C64 : STN_F32,
                 .relative_tolerance = 1e-3, .max_iterations = 10000, .preconditioner = inverse);
    const stn_solver_options solver = STN_INIT(
        stn_solver_options,
        .method =
            one->is_refined || all->kind->varied != THE_MATRIX ? all->kind->method : STN_SOLVER_CG,
        .arithmetic = all->numbers, .relative_tolerance = all->tolerance,
        .max_iterations = all->iterations, .restart = all->restart,
        .basis = all->kind->varied == THE_BASIS ? stn_storage_of(one->format) : (stn_storage){0},
        .basis_block = one->block, .preconditioner = one->is_refined ? NULL : inverse,
        .inner = one->is_refined ? &inner : NULL,
        .inner_operator = one->is_refined ? &one->about : NULL, .monitor = report,
        .monitor_context = all);
    one->solution = (stn_solver_report)STN_INIT(stn_solver_report, .history = one->history,
                                                .history_capacity = MAX_HISTORY);
    all->running = one->name;
    STN_TRY(stn_view_fill(all->exec, &all->x, 0.0));
    const stn_status status =
        stn_solve(all->exec, &all->x, &all->a, &all->b, &solver, &one->solution);
    one->seconds[round] = one->solution.seconds;
    return status == STN_ERR_CONVERGENCE ? STN_OK : status; /* the table reports it */
}

/* Bytes of the basis, or of the matrix inside refinement. */
static double bytes_of(const solving *all, const contender *one)
{
    const stn_matrix *const matrix = one->is_refined ? one->narrow : all->quick;
    stn_matrix_info matrix_info = STN_MATRIX_INFO_INIT;
    stn_format_info info = STN_FORMAT_INFO_INIT;
    (void)stn_format_describe(one->format, &info);
    const double vectors =
        (double)(all->restart < all->matrix.rows ? all->restart : all->matrix.rows) + 1.0;
    const double parts = all->is_complex && info.kind != STN_CLASS_COMPLEX ? 2.0 : 1.0;
    const double bases =
        all->kind->method == STN_SOLVER_FGMRES && all->precond.inverse.size ? 2.0 : 1.0;
    const double scale = one->block ? (double)sizeof(float) / (double)one->block : 0.0;
    if (all->kind->varied == THE_BASIS)
        return ((double)info.bytes + scale) * parts * bases * vectors * (double)all->matrix.rows;
    (void)stn_matrix_describe(matrix, &matrix_info);
    return (double)matrix_info.bytes;
}

static void fill_row(const solving *all, contender *one, const solve_row *first, solve_row *row)
{
    *row = (solve_row){.matrix = all->source,
                       .solver = all->kind->name,
                       .arithmetic = all->arithmetic,
                       .basis = one->name,
                       .precond = all->precond.name,
                       .reason = stn_stop_reason_name(one->solution.reason),
                       .rows = all->matrix.rows,
                       .threads = all->threads,
                       .iterations = one->is_refined ? one->solution.inner_iterations
                                                     : one->solution.iterations,
                       .restarts = one->solution.restarts,
                       .megabytes = bytes_of(all, one) / 1e6,
                       .seconds = measure_median(one->seconds, (int)all->repeat),
                       .residual = one->solution.residual};
    row->speedup = first->seconds > 0.0 ? first->seconds / row->seconds : 1.0;
}

/* ---- output ---- */

static int is_silent(const solving *all)
{
    return (all->json && strcmp(all->json, "-") == 0) || (all->csv && strcmp(all->csv, "-") == 0);
}

static void print_rows(const solving *all, const solve_row *rows)
{
    const char *const what = all->kind->varied == THE_MATRIX ? "matrix" : "basis";
    printf("%s: %" PRId64 " rows, %" PRId64 " entries; %s%s%s, %" PRId64 " thread%s\n\n",
           all->source, all->matrix.rows, all->matrix.entries, all->kind->name,
           strcmp(all->precond.name, "none") == 0 ? "" : " with ",
           strcmp(all->precond.name, "none") == 0 ? "" : all->precond.name, all->threads,
           all->threads == 1 ? "" : "s");
    precond_print(&all->precond);
    printf("%-8s %10s %10s %9s %10s %9s %12s\n", what, "MB", "iterations", "restarts", "seconds",
           "speed-up", "residual");
    for (int k = 0; k < all->count; k++) {
        printf("%-8s %10.1f %10" PRId64 " %9" PRId64 " %10.3f %9.2f %12.2e", rows[k].basis,
               rows[k].megabytes, rows[k].iterations, rows[k].restarts, rows[k].seconds,
               rows[k].speedup, rows[k].residual);
        printf("%s%s\n", all->list[k].solution.reason == STN_STOP_CONVERGED ? "" : "  ",
               all->list[k].solution.reason == STN_STOP_CONVERGED ? "" : rows[k].reason);
    }
}

static stn_status write_history(const solving *all)
{
    int64_t count = 0, at = 0;
    point *points;
    if (!all->history)
        return STN_OK;
    for (int k = 0; k < all->count; k++)
        count += all->list[k].solution.history_count;
    if (count > INT32_MAX)
        return stn_fail(STN_ERR_RANGE, "too many residuals to write: %" PRId64, count);
    STN_TRY(stn_allocate(&points, count + 1, sizeof *points, "residuals"));
    points[0] =
        (point){all->list[0].name, 0, 0.0}; /* the header accesses it even without residuals */
    for (int k = 0; k < all->count; k++)
        for (int64_t i = 0; i < all->list[k].solution.history_count; i++)
            points[at++] = (point){all->list[k].name, i + 1, all->list[k].history[i]};
    const stn_status status =
        columns_write(columns_csv, &point_columns, points, (int)count, all->history);
    stn_free(points);
    return status;
}

static stn_status draw(const solving *all)
{
    residual_line lines[MAX_BASES];
    for (int k = 0; k < all->count; k++)
        lines[k] = (residual_line){all->list[k].name, all->list[k].history,
                                   all->list[k].solution.history_count};
    for (int k = 0; k < all->plots; k++)
        STN_TRY(solve_plot(all->plot[k], all->source, lines, all->count));
    return STN_OK;
}

/* At least one format must reach the tolerance. */
static stn_status expect_convergence(const solving *all)
{
    for (int k = 0; k < all->count; k++)
        if (all->list[k].solution.reason == STN_STOP_CONVERGED)
            return STN_OK;
    return stn_fail(STN_ERR_CONVERGENCE, "%s with %s: %s at a residual of %.3g, not %.3g",
                    all->source, all->list[0].name,
                    stn_stop_reason_name(all->list[0].solution.reason),
                    all->list[0].solution.residual, all->tolerance);
}

static stn_status run(solving *all)
{
    static solve_row rows[MAX_BASES];
    STN_TRY(prepare(all));
    for (int round = 0; round < all->repeat; round++)
        for (int k = 0; k < all->count; k++)
            STN_TRY(solve_once(all, &all->list[k], round));
    progress_end();
    for (int k = 0; k < all->count; k++)
        fill_row(all, &all->list[k], &rows[0], &rows[k]);
    if (!is_silent(all))
        print_rows(all, rows);
    STN_TRY(columns_write(columns_json, &row_columns, rows, all->count, all->json));
    STN_TRY(columns_write(columns_csv, &row_columns, rows, all->count, all->csv));
    STN_TRY(write_history(all));
    STN_TRY(draw(all));
    return expect_convergence(all);
}

stn_status command_solve(int argc, char **argv)
{
    static solving all = {.kind = kinds,
                          .precond = {.name = "none"},
                          .restart = 100,
                          .iterations = MAX_HISTORY,
                          .repeat = 3,
                          .tolerance = 1e-10};
    STN_TRY(parse(argc, argv, &all));
    if (all.help) {
        fputs(help, stdout);
        return STN_OK;
    }
    const stn_status status = run(&all);
    release(&all);
    return status;
}
