/* steno solve: solves a linear system with each storage format to the same residual. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "core/memory.h"
#include "equilibrate.h"
#include "executor.h"
#include "market.h"
#include "measure/stream.h"
#include "narrow.h"
#include "pde.h"
#include "problem.h"
#include "progress.h"
#include "solve.h"
#include "steno/blas.h"
#include "symmetry.h"
#include "vectors.h"

enum { DEFAULT_EDGE = 48, EXPECTED_PRODUCTS = 1000 };

/* ---- results ---- */

typedef struct solve_row {
    const char *matrix, *solver, *arithmetic, *basis, *precond, *reason, *exec;
    const char *device, *same_bits_as; /* NULL: omitted */
    int64_t rows, threads, columns, iterations, restarts;
    double megabytes, seconds, speedup, residual, rounding_error, backward_error, residual_given;
    double seconds_products, seconds_preconditioner, seconds_orthogonalization,
        seconds_verification; /* of the last round */
} solve_row;

static const column_spec row_list[] = {COLUMN(solve_row, TEXT, matrix),
                                       COLUMN(solve_row, TEXT, solver),
                                       COLUMN(solve_row, TEXT, arithmetic),
                                       COLUMN(solve_row, TEXT, basis),
                                       COLUMN(solve_row, TEXT, precond),
                                       COLUMN(solve_row, TEXT, reason),
                                       COLUMN(solve_row, INTEGER, rows),
                                       COLUMN(solve_row, INTEGER, threads),
                                       COLUMN(solve_row, INTEGER, columns),
                                       COLUMN(solve_row, INTEGER, iterations),
                                       COLUMN(solve_row, INTEGER, restarts),
                                       COLUMN(solve_row, REAL, megabytes),
                                       COLUMN(solve_row, REAL, seconds),
                                       COLUMN(solve_row, REAL, speedup),
                                       COLUMN(solve_row, REAL, residual),
                                       COLUMN(solve_row, REAL, rounding_error),
                                       COLUMN(solve_row, REAL, backward_error),
                                       COLUMN(solve_row, REAL, residual_given),
                                       COLUMN(solve_row, REAL, seconds_products),
                                       COLUMN(solve_row, REAL, seconds_preconditioner),
                                       COLUMN(solve_row, REAL, seconds_orthogonalization),
                                       COLUMN(solve_row, REAL, seconds_verification),
                                       COLUMN(solve_row, TEXT, exec),
                                       COLUMN(solve_row, TEXT, device),
                                       COLUMN(solve_row, TEXT, same_bits_as)};
static const column_list row_columns = {row_list, sizeof row_list / sizeof *row_list,
                                        sizeof(solve_row)};

typedef struct point {
    const char *basis;
    int64_t iteration;
    double residual;
} point;

static const column_spec point_list[] = {
    COLUMN(point, TEXT, basis), COLUMN(point, INTEGER, iteration), COLUMN(point, REAL, residual)};
static const column_list point_columns = {point_list, sizeof point_list / sizeof *point_list,
                                          sizeof(point)};

/* ---- the system ---- */

static stn_status read_matrix(solve_job *job)
{
    const pde_kind *pde;
    if (!job->file && !strpbrk(job->source, "./")) {
        if (job->market)
            return stn_fail(STN_ERR_ARGUMENT, "%s applies to files, not to %s",
                            market_option(job->market), job->source);
        STN_TRY(pde_find(job->source, &pde));
        return pde_create(pde, job->n ? job->n : DEFAULT_EDGE, &job->matrix);
    }
    if (job->n)
        return stn_fail(STN_ERR_ARGUMENT, "--size applies to equations, not to the file %s",
                        job->source);
    STN_TRY(market_read(job->source, job->market, &job->matrix));
    if (job->matrix.storage == STN_MARKET_DENSE)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s is a dense matrix; solve requires a sparse matrix",
                        job->source);
    if (job->matrix.rows != job->matrix.columns)
        return stn_fail(STN_ERR_SHAPE, "%s is not square: %" PRId64 " x %" PRId64, job->source,
                        job->matrix.rows, job->matrix.columns);
    return STN_OK;
}

/* b, and x as large as b. */
static stn_status create_vectors(solve_job *job)
{
    const int64_t rows = job->matrix.rows;
    if (job->rhs)
        STN_TRY(vectors_read(job->exec, job->rhs, job->market, job->numbers, rows, &job->b));
    else
        STN_TRY(vectors_create(job->exec, "b", job->numbers, rows, 1, &job->b));
    job->columns = job->b.rank == 2 ? job->b.extent[1] : 1;
    if (job->columns > 1 && job->history)
        return stn_fail(STN_ERR_ARGUMENT,
                        "--history applies to one right-hand side; %s has %" PRId64, job->rhs,
                        job->columns);
    STN_TRY(vectors_create(job->exec, "x", job->numbers, rows, job->columns, &job->x));
    if (job->rhs)
        return STN_OK;
    STN_TRY(job->given ? equilibrate_ones(job) : stn_view_fill(job->exec, &job->x, 1.0));
    return stn_spmv(job->exec, job->numbers, 1.0, job->there, &job->x, 0.0, &job->b);
}

/* A in planes and slices. */
static stn_status segment(const solve_job *job, solve_format *one)
{
    stn_matrix *f64;
    STN_TRY(stn_sparse_convert(job->exec, &f64, job->csr, STN_MATRIX_SLICED, NULL));
    const stn_status status = stn_matrix_segment(job->exec, &one->narrow, f64);
    stn_matrix_release(f64);
    STN_TRY(status);
    for (int k = 0; k < 3; k++) {
        STN_TRY(stn_matrix_planes(&one->depth_matrices[k], one->narrow, k + 1));
        STN_TRY(stn_operator_of_matrix(&one->depths[k], one->depth_matrices[k]));
    }
    return STN_OK;
}

/* A as read by the inner solver of refinement. In the format of the arithmetic there is nothing to
 * refine. A real matrix is stored in the format of the parts of a complex one. */
static stn_status narrow(solve_job *job, solve_format *one)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    stn_format format = one->format;
    STN_TRY(stn_format_describe(format, &info));
    if (job->matrix.field != STN_MARKET_COMPLEX)
        format = info.component;
    one->is_refined = one->is_segmented ||
                      (job->kind->stored_object == STORED_MATRIX && one->format != job->numbers);
    if (!one->is_refined)
        return STN_OK;
    if (one->is_segmented)
        return segment(job, one);
    STN_TRY(narrow_create(job->exec, &one->narrow, job->csr, format));
    STN_TRY(stn_matrix_set_label(one->narrow, one->name));
    return stn_operator_of_matrix(&one->inner_operator, one->narrow);
}

/* The host has stored the matrix before. */
static stn_status expect_operands(const solve_job *job)
{
    const double width = job->is_complex ? 16.0 : 8.0;
    const double vectors =
        job->kind->stored_object == STORED_BASIS ? (double)job->restart + 8.0 : 12.0;
    const double bytes = width * vectors * (double)job->matrix.rows;
    const double matrix = (4.0 + width) * (double)job->matrix.entries;
    return executor_is_device(job->exec)
               ? executor_expect_memory(job->exec, matrix + bytes, job->source)
               : expect_memory(bytes, "the vectors");
}

/* A, its preconditioner and the vectors in the memory of the executor. */
static stn_status prepare_operands(solve_job *job)
{
    job->there = job->csr;
    STN_TRY(expect_operands(job));
    if (executor_is_device(job->exec))
        STN_TRY(stn_matrix_mirror(job->exec, &job->there, job->csr));
    job->storage = (stn_optimize_report)STN_OPTIMIZE_REPORT_INIT;
    STN_TRY(stn_matrix_optimize(job->exec, job->numbers, job->there, EXPECTED_PRODUCTS, NULL,
                                &job->storage));
    STN_TRY(stn_operator_of_matrix(&job->a, job->there));
    STN_TRY(precond_create(&job->precond, job->exec, job->there, job->block));
    STN_TRY(create_vectors(job));
    for (int k = 0; k < job->count; k++) {
        STN_TRY(stn_allocate(&job->list[k].history, MAX_HISTORY, sizeof(double), "residuals"));
        STN_TRY(narrow(job, &job->list[k]));
    }
    return STN_OK;
}

static stn_status prepare(solve_job *job)
{
    STN_TRY(executor_create(&job->exec, job->resource, job->threads));
    STN_TRY(executor_expect_f64(job->exec, "the matrix"));
    job->threads = stn_exec_threads(job->exec);
    if (executor_is_device(job->exec))
        snprintf(job->device, sizeof job->device, "%s", executor_device(job->exec));
    STN_TRY(read_matrix(job));
    STN_TRY(solve_use_defaults(job));
    if (job->matrix.field != STN_MARKET_COMPLEX)
        problem_widen(&job->matrix);
    STN_TRY(stn_market_wrap(&job->csr, &job->matrix, job->source));
    if (job->equilibrate)
        STN_TRY(equilibrate_matrix(job));
    return prepare_operands(job);
}

static void release_operands(solve_job *job)
{
    for (int k = 0; k < job->count; k++) {
        stn_free(job->list[k].history);
        stn_free(job->list[k].solution);
        stn_matrix_release(job->list[k].narrow);
        for (int d = 0; d < 3; d++)
            stn_matrix_release(job->list[k].depth_matrices[d]);
    }
    (void)stn_view_release(&job->b);
    (void)stn_view_release(&job->x);
    precond_release(&job->precond);
    if (job->there != job->csr)
        stn_matrix_release(job->there);
}

static void release(solve_job *job)
{
    release_operands(job);
    stn_matrix_release(job->csr);
    equilibrate_release(job);
    stn_market_release(&job->matrix);
    stn_exec_release(job->exec);
}

/* ---- rounds ---- */

static int show_progress(void *context, const stn_solver_progress *now)
{
    const solve_job *const job = context;
    progress("%s: iteration %" PRId64 ", residual %.2e, %.1f s", job->running, now->iteration,
             now->residual, now->seconds);
    return 0;
}

static int64_t width_of(const solve_job *job)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    (void)stn_format_describe(job->numbers, &info); /* cannot fail: an arithmetic type */
    return info.bytes;
}

/* Copies x to the host. */
static stn_status keep_solution(const solve_job *job, solve_format *one)
{
    const int64_t rows = job->matrix.rows, strides[] = {1, rows};
    stn_view here;
    if (!one->solution)
        STN_TRY(
            stn_allocate(&one->solution, rows * job->columns, (size_t)width_of(job), "solution"));
    STN_TRY(stn_view_wrap_spec(&here,
                               &STN_VIEW_SPEC(.label = "x", .storage = stn_storage_of(job->numbers),
                                              .data = one->solution, .rank = job->x.rank,
                                              .extents = job->x.extent, .strides = strides)));
    return stn_view_copy(job->exec, &here, &job->x);
}

static stn_status solve_once(solve_job *job, solve_format *one, int round)
{
    const stn_operator *const inverse = job->precond.inverse.size ? &job->precond.inverse : NULL;
    const stn_solver_options inner =
        STN_INIT(stn_solver_options, .arithmetic = job->is_complex ? STN_C64 : STN_F32,
                 .relative_tolerance = 1e-3, .max_iterations = 10000, .preconditioner = inverse);
    const stn_solver_options solver = STN_INIT(
        stn_solver_options,
        .method = one->is_refined || job->kind->stored_object != STORED_MATRIX ? job->kind->method
                                                                               : STN_SOLVER_CG,
        .arithmetic = job->numbers, .relative_tolerance = job->tolerance,
        .max_iterations = job->iterations, .restart = job->restart,
        .basis = job->kind->stored_object == STORED_BASIS ? stn_storage_of(one->format)
                                                          : (stn_storage){0},
        .basis_block = one->block, .orthogonalization = job->orthogonalization,
        .preconditioner = one->is_refined ? NULL : inverse,
        .inner = one->is_refined ? &inner : NULL,
        .inner_operator = one->is_refined && !one->is_segmented ? &one->inner_operator : NULL,
        .inner_operators = one->is_segmented ? one->depths : NULL,
        .inner_operator_count = one->is_segmented ? 3 : 0, .monitor = show_progress,
        .monitor_context = job);
    one->report = (stn_solver_report)STN_INIT(stn_solver_report, .history = one->history,
                                              .history_capacity = MAX_HISTORY);
    job->running = one->name;
    STN_TRY(stn_view_fill(job->exec, &job->x, 0.0));
    const stn_status status =
        stn_solve(job->exec, &job->x, one->is_segmented ? &one->depths[2] : &job->a, &job->b,
                  &solver, &one->report);
    one->seconds[round] = one->report.seconds;
    one->residual_given = (double)NAN;
    if (job->given && (status == STN_OK || status == STN_ERR_CONVERGENCE))
        STN_TRY(equilibrate_residual(job, &one->residual_given));
    if (status != STN_OK && status != STN_ERR_CONVERGENCE) /* the table reports the latter */
        return status;
    return round == 0 && job->same_bits ? keep_solution(job, one) : STN_OK;
}

static stn_status solve_round(solve_job *job, int round)
{
    for (int k = 0; k < job->count; k++)
        STN_TRY(solve_once(job, &job->list[k], round));
    return STN_OK;
}

/* ---- comparison with another executor ---- */

/* Solves with each format on the other executor. */
static stn_status solve_again(const solve_job *job, solve_job *other)
{
    *other = *job;
    other->exec = NULL;
    other->b = other->x = (stn_view){0};
    other->precond.handle = NULL;
    other->precond.inverse = (stn_operator){0};
    other->there = other->csr;
    for (int k = 0; k < job->count; k++) {
        other->list[k].history = other->list[k].solution = NULL;
        other->list[k].narrow = NULL;
        memset(other->list[k].depth_matrices, 0, sizeof other->list[k].depth_matrices);
    }
    STN_TRY(stn_exec_create(&other->exec, job->same_bits));
    STN_TRY(prepare_operands(other));
    return solve_round(other, 0);
}

static stn_status compare(const solve_job *job, const solve_format *here, const solve_format *there,
                          const char *other)
{
    const int64_t width = width_of(job), elements = job->matrix.rows * job->columns;
    const char *const x = here->solution, *const y = there->solution;
    int64_t differing = 0;
    for (int64_t k = 0; k < elements; k++)
        differing += memcmp(x + k * width, y + k * width, (size_t)width) != 0;
    if (differing == 0 && here->report.iterations == there->report.iterations)
        return STN_OK;
    return stn_fail(STN_ERR_DEVICE,
                    "%s: %" PRId64 " of %" PRId64
                    " elements of the solution on %s have other bits than on %s, after %" PRId64
                    " and %" PRId64 " iterations",
                    here->name, differing, elements, executor_name(job->exec), other,
                    here->report.iterations, there->report.iterations);
}

static stn_status compare_all(const solve_job *job)
{
    static solve_job other;
    if (!job->same_bits)
        return STN_OK;
    stn_status status = solve_again(job, &other);
    for (int k = 0; status == STN_OK && k < job->count; k++)
        status = compare(job, &job->list[k], &other.list[k], executor_name(other.exec));
    release_operands(&other);
    stn_exec_release(other.exec);
    return status;
}

/* Bytes of the basis, or of the matrix inside refinement. */
static double bytes_of(const solve_job *job, const solve_format *one)
{
    stn_matrix_info matrix_info = STN_MATRIX_INFO_INIT;
    if (job->kind->stored_object == STORED_BASIS)
        return (double)one->report.bytes;
    if (!one->is_refined && job->storage.bytes > 0)
        return (double)job->storage.bytes;
    (void)stn_matrix_describe(one->is_refined ? one->narrow : job->there, &matrix_info);
    return (double)matrix_info.bytes;
}

static void fill_row(const solve_job *job, solve_format *one, const solve_row *first,
                     solve_row *row)
{
    *row = (solve_row){.matrix = job->source,
                       .solver = job->kind->name,
                       .arithmetic = job->arithmetic,
                       .basis = one->name,
                       .precond = job->precond.name,
                       .reason = stn_stop_reason_name(one->report.reason),
                       .rows = job->matrix.rows,
                       .threads = job->threads,
                       .columns = job->columns,
                       .iterations =
                           one->is_refined ? one->report.inner_iterations : one->report.iterations,
                       .restarts = one->report.restarts,
                       .megabytes = bytes_of(job, one) / 1e6,
                       .seconds = measure_median(one->seconds, (int)job->repeat),
                       .residual = one->report.residual,
                       .rounding_error = one->report.rounding_error,
                       .backward_error = one->report.backward_error,
                       .residual_given = one->residual_given,
                       .seconds_products = one->report.seconds_products,
                       .seconds_preconditioner = one->report.seconds_preconditioner,
                       .seconds_orthogonalization = one->report.seconds_orthogonalization,
                       .seconds_verification = one->report.seconds_verification,
                       .exec = executor_name(job->exec),
                       .device = job->device[0] ? job->device : NULL,
                       .same_bits_as = job->same_bits};
    row->speedup = first->seconds > 0.0 ? first->seconds / row->seconds : 1.0;
}

/* ---- output ---- */

/* Percentages of the time of the last round. */
static void print_phases(const solve_row *row, const stn_solver_report *report)
{
    const double one_percent = 0.01 * report->seconds;
    const double phases[] = {row->seconds_products, row->seconds_preconditioner,
                             row->seconds_orthogonalization, row->seconds_verification};
    for (int k = 0; k < 4; k++)
        printf(" %8.1f", one_percent > 0.0 ? phases[k] / one_percent : 0.0);
}

static void print_rows(const solve_job *job, const solve_row *rows)
{
    const char *const what = job->kind->stored_object == STORED_MATRIX ? "matrix" : "basis";
    printf("%s: %" PRId64 " rows, %" PRId64 " entries; %s%s%s, %s\n", job->source, job->matrix.rows,
           job->matrix.entries, job->kind->name,
           strcmp(job->precond.name, "none") == 0 ? "" : " with ",
           strcmp(job->precond.name, "none") == 0 ? "" : job->precond.name,
           executor_description(job->exec));
    if (job->columns > 1)
        printf("%" PRId64 " right-hand sides; iterations are those of all, residuals the largest\n",
               job->columns);
    if (job->given)
        printf("rows and columns scaled by powers of two; residuals are those of the scaled "
               "system, and of the system as given\n");
    if (job->same_bits)
        printf("all solutions have the bits of %s\n", job->same_bits);
    printf("storage of products: %s\n\n", job->storage.reason);
    precond_print(&job->precond);
    printf("%-8s %10s %10s %9s %10s %9s %12s %9s %8s %8s %8s %8s\n", what, "MB", "iterations",
           "restarts", "seconds", "speed-up", "residual", "backward", "A x, %", "M x, %",
           "basis, %", "check, %");
    for (int k = 0; k < job->count; k++) {
        printf("%-8s %10.1f %10" PRId64 " %9" PRId64 " %10.3f %9.2f %12.2e %9.1e", rows[k].basis,
               rows[k].megabytes, rows[k].iterations, rows[k].restarts, rows[k].seconds,
               rows[k].speedup, rows[k].residual, rows[k].backward_error);
        print_phases(&rows[k], &job->list[k].report);
        if (job->given)
            printf("  as given: %.2e", rows[k].residual_given);
        printf("%s%s\n", job->list[k].report.reason == STN_STOP_CONVERGED ? "" : "  ",
               job->list[k].report.reason == STN_STOP_CONVERGED ? "" : rows[k].reason);
    }
}

static stn_status write_history(const solve_job *job)
{
    int64_t count = 0, at = 0;
    point *points;
    if (!job->history)
        return STN_OK;
    for (int k = 0; k < job->count; k++)
        count += job->list[k].report.history_count;
    if (count > INT32_MAX)
        return stn_fail(STN_ERR_RANGE, "too many residuals to write: %" PRId64, count);
    STN_TRY(stn_allocate(&points, count + 1, sizeof *points, "residuals"));
    points[0] =
        (point){job->list[0].name, 0, 0.0}; /* the header accesses it even without residuals */
    for (int k = 0; k < job->count; k++)
        for (int64_t i = 0; i < job->list[k].report.history_count; i++)
            points[at++] = (point){job->list[k].name, i + 1, job->list[k].history[i]};
    const stn_status status = columns_write_files(&point_columns, points, (int)count,
                                                  &(columns_files){.csv = job->history});
    stn_free(points);
    return status;
}

/* At least one format must reach the tolerance. */
static stn_status expect_convergence(const solve_job *job)
{
    for (int k = 0; k < job->count; k++)
        if (job->list[k].report.reason == STN_STOP_CONVERGED)
            return STN_OK;
    return stn_fail(STN_ERR_CONVERGENCE, "%s with %s: %s at a residual of %.3g, not %.3g",
                    job->source, job->list[0].name,
                    stn_stop_reason_name(job->list[0].report.reason), job->list[0].report.residual,
                    job->tolerance);
}

static stn_status run(solve_job *job)
{
    static solve_row rows[MAX_BASES];
    STN_TRY(prepare(job));
    STN_TRY(symmetry_check(job));
    if (executor_is_device(job->exec)) /* compiles the kernels, and is measured again */
        STN_TRY(solve_round(job, 0));
    for (int round = 0; round < job->repeat; round++)
        STN_TRY(solve_round(job, round));
    progress_end();
    STN_TRY(compare_all(job));
    for (int k = 0; k < job->count; k++)
        fill_row(job, &job->list[k], &rows[0], &rows[k]);
    if (!columns_replace_table(&job->files))
        print_rows(job, rows);
    STN_TRY(columns_write_files(&row_columns, rows, job->count, &job->files));
    STN_TRY(write_history(job));
    return expect_convergence(job);
}

stn_status command_solve(int argc, char **argv)
{
    static solve_job job = {.precond = {.name = "none"},
                            .restart = 100,
                            .iterations = MAX_HISTORY,
                            .repeat = 3,
                            .tolerance = 1e-10};
    STN_TRY(solve_parse(argc, argv, &job));
    if (job.help) {
        fputs(solve_help, stdout);
        return STN_OK;
    }
    const stn_status status = run(&job);
    release(&job);
    return status;
}
