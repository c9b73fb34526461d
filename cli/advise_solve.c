/* steno advise for linear systems: methods and formats ranked by predicted times; --verify solves.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advise.h"
#include "command.h"
#include "core/memory.h"
#include "market.h"
#include "measure/stream.h"
#include "problem.h"
#include "solve.h"
#include "steno/sparse_optimize.h"
#include "vectors.h"

enum { EXPECTED_PRODUCTS = 1000, SHOWN = 8 };

typedef struct solve_row {
    const char *file, *method, *matrix_format, *basis_format, *orthogonalization;
    const char *preconditioner_format;
    int64_t rows, entries, restart, bytes, threads;
    double target, predicted_iterations, predicted_seconds, predicted_error;
    int64_t iterations, promotions;
    double seconds, residual, backward_error;          /* measured; NaN unless verified */
    double condition_estimate, forward_error_estimate; /* NaN unless requested */
} solve_row;

static const column_spec row_list[] = {COLUMN(solve_row, TEXT, file),
                                       COLUMN(solve_row, TEXT, method),
                                       COLUMN(solve_row, TEXT, matrix_format),
                                       COLUMN(solve_row, TEXT, basis_format),
                                       COLUMN(solve_row, TEXT, orthogonalization),
                                       COLUMN(solve_row, TEXT, preconditioner_format),
                                       COLUMN(solve_row, INTEGER, rows),
                                       COLUMN(solve_row, INTEGER, entries),
                                       COLUMN(solve_row, INTEGER, restart),
                                       COLUMN(solve_row, INTEGER, bytes),
                                       COLUMN(solve_row, INTEGER, threads),
                                       COLUMN(solve_row, REAL, target),
                                       COLUMN(solve_row, REAL, predicted_iterations),
                                       COLUMN(solve_row, REAL, predicted_seconds),
                                       COLUMN(solve_row, REAL, predicted_error),
                                       COLUMN(solve_row, INTEGER, iterations),
                                       COLUMN(solve_row, INTEGER, promotions),
                                       COLUMN(solve_row, REAL, seconds),
                                       COLUMN(solve_row, REAL, residual),
                                       COLUMN(solve_row, REAL, backward_error),
                                       COLUMN(solve_row, REAL, condition_estimate),
                                       COLUMN(solve_row, REAL, forward_error_estimate)};
static const column_list row_columns = {row_list, sizeof row_list / sizeof *row_list,
                                        sizeof(solve_row)};

/* ---- vectors ---- */

stn_status advise_read_vector(const advise_job *job, const char *path, const stn_view *to)
{
    stn_view read = {0};
    stn_status status =
        vectors_read(job->exec, path, job->market, to->storage.format, to->extent[0], &read);
    if (status == STN_OK && read.rank == 2)
        status =
            stn_fail(STN_ERR_SHAPE, "%s has %" PRId64 " columns, not one", path, read.extent[1]);
    if (status == STN_OK)
        status = stn_view_copy(job->exec, to, &read);
    (void)stn_view_release(&read);
    return status;
}

/* Without --rhs, b = A x with x = 1. */
static stn_status create_vectors(advise_solve_job *s)
{
    const stn_storage storage = stn_storage_of(s->arithmetic);
    STN_TRY(stn_view_create(s->job->exec, &s->x, "x", storage, 1, &s->file.rows));
    STN_TRY(stn_view_create(s->job->exec, &s->b, "b", storage, 1, &s->file.rows));
    if (s->job->rhs)
        return advise_read_vector(s->job, s->job->rhs, &s->b);
    STN_TRY(stn_view_fill(s->job->exec, &s->x, 1.0));
    STN_TRY(stn_spmv(s->job->exec, s->arithmetic, 1.0, s->matrix, &s->x, 0.0, &s->b));
    return stn_view_fill(s->job->exec, &s->x, 0.0);
}

/* ---- output ---- */

const char *advise_format_name(stn_format format)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    return stn_format_describe(format, &info) == STN_OK ? info.name : "?";
}

const char *advise_orthogonalization(const stn_solve_choice *choice)
{
    return choice->restart ? orthogonalization_name(choice->orthogonalization) : "none";
}

static void fill_row(const advise_solve_job *s, const stn_solve_choice *choice, solve_row *row)
{
    *row = (solve_row){.file = s->job->path,
                       .method = choice->text,
                       .matrix_format = advise_format_name(choice->matrix_format),
                       .basis_format = advise_format_name(choice->basis_format),
                       .orthogonalization = advise_orthogonalization(choice),
                       .preconditioner_format = advise_format_name(choice->preconditioner_format),
                       .rows = s->file.rows,
                       .entries = s->file.entries,
                       .restart = choice->restart,
                       .bytes = choice->bytes,
                       .threads = stn_exec_threads(s->job->exec),
                       .target = s->job->solve.target,
                       .predicted_iterations = choice->iterations,
                       .predicted_seconds = choice->seconds,
                       .predicted_error = choice->error,
                       .seconds = (double)NAN,
                       .residual = (double)NAN,
                       .backward_error = (double)NAN,
                       .condition_estimate = (double)NAN,
                       .forward_error_estimate = (double)NAN};
}

static int solves(const advise_job *job)
{
    return job->verifies || job->certificate;
}

static void print_list(const advise_solve_job *s, const solve_row *rows, int count)
{
    int width = 6;
    const int shown = count < SHOWN ? count : SHOWN;
    for (int k = 0; k < shown; k++)
        width = (int)strlen(rows[k].method) > width ? (int)strlen(rows[k].method) : width;
    printf("%s: %" PRId64 " rows, %" PRId64 " entries, %s; target %.3g\n\n", s->job->path,
           s->file.rows, s->file.entries,
           s->traits.is_symmetric
               ? s->traits.is_positive ? "symmetric with a positive diagonal" : "symmetric"
               : "not symmetric",
           s->job->solve.target);
    printf("%-*s %17s %10s %12s %12s\n", width, "method", "orthogonalization", "MB", "iterations",
           "seconds");
    for (int k = 0; k < shown; k++)
        printf("%-*s %17s %10.1f %12.0f %12.3g\n", width, rows[k].method, rows[k].orthogonalization,
               1e-6 * (double)rows[k].bytes, rows[k].predicted_iterations,
               rows[k].predicted_seconds);
    if (count > shown)
        printf("and %d more\n", count - shown);
    printf("\npredicted in %.2g s%s\n\nadvice: %s\n", s->advice_seconds,
           solves(s->job) ? "" : "; --verify solves", rows[0].method);
}

static void print_verified(const advise_solve_job *s, const solve_row *row,
                           const stn_guard_report *report)
{
    printf("\n%10s %12s %12s %12s %16s\n", "", "iterations", "seconds", "residual",
           "backward error");
    printf("%10s %12.0f %12.3g %12.2e\n", "predicted", row->predicted_iterations,
           row->predicted_seconds, row->predicted_error);
    printf("%10s %12" PRId64 " %12.3g %12.2e %16.2e\n", "measured", row->iterations, row->seconds,
           row->residual, row->backward_error);
    if (isfinite(row->condition_estimate))
        printf("\nestimated: condition number %.3g, forward error %.2g\n", row->condition_estimate,
               row->forward_error_estimate);
    if (report->promotions)
        printf("\nthe guard changed the method to %s: %s\n", s->used.text, report->reason);
}

/* ---- the command ---- */

static stn_status list_methods(advise_solve_job *s, solve_row **rows, stn_solve_choice **choices)
{
    const int count = stn_solve_advice_count(s->advice);
    STN_TRY(stn_allocate(rows, count, sizeof **rows, "rows of the table"));
    STN_TRY(stn_allocate(choices, count, sizeof **choices, "methods"));
    for (int k = 0; k < count; k++) {
        (*choices)[k] = (stn_solve_choice)STN_SOLVE_CHOICE_INIT;
        STN_TRY(stn_solve_advice_describe(s->advice, k, &(*choices)[k]));
        fill_row(s, &(*choices)[k], &(*rows)[k]);
    }
    return STN_OK;
}

stn_status advise_solve_once(advise_solve_job *s, int index, stn_guard_report *report)
{
    static const char call[] = "stn_solve_advised: ";
    s->used = (stn_solve_choice)STN_SOLVE_CHOICE_INIT;
    s->failure[0] = '\0';
    report->used = &s->used;
    STN_TRY(stn_view_fill(s->job->exec, &s->x, 0.0));
    const stn_status status =
        stn_solve_advised(s->job->exec, &s->x, s->advice, index, &s->b, report);
    if (status != STN_ERR_CONVERGENCE)
        return status;
    const char *const text = stn_error();
    const size_t skipped = strncmp(text, call, strlen(call)) == 0 ? strlen(call) : 0;
    snprintf(s->failure, sizeof s->failure, "%s", text + skipped);
    return STN_OK;
}

static stn_status verify(advise_solve_job *s, solve_row *row, stn_guard_report *report)
{
    STN_TRY(advise_solve_once(s, 0, report));
    row->seconds = report->seconds;
    row->iterations = report->iterations;
    row->promotions = report->promotions;
    row->residual = report->residual;
    row->backward_error = report->backward_error;
    return STN_OK;
}

double advise_forward_error(const stn_guard_report *report, double condition)
{
    const double quotient = report->backward_error * condition;
    return quotient < 1.0 ? 2.0 * quotient / (1.0 - quotient) : (double)INFINITY;
}

stn_status advise_estimate_error(advise_solve_job *s, const stn_guard_report *report)
{
    STN_TRY(stn_estimate_condition(s->job->exec, s->advice, &s->condition));
    s->forward_error = advise_forward_error(report, s->condition);
    return STN_OK;
}

/* The estimates of the first row, unless the matrix is singular. */
static stn_status estimate(advise_solve_job *s, solve_row *row, const stn_guard_report *report)
{
    STN_TRY(advise_estimate_error(s, report));
    row->condition_estimate = s->condition;
    row->forward_error_estimate = s->forward_error;
    return STN_OK;
}

static stn_status failed_solve(const advise_solve_job *s)
{
    char limit[80] = "";
    if (s->job->solve.max_bytes)
        snprintf(limit, sizeof limit, "; --memory limits all methods to %" PRId64 " bytes",
                 s->job->solve.max_bytes);
    return stn_fail(STN_ERR_CONVERGENCE, "%s: %s%s", s->job->path, s->failure, limit);
}

/* Solves, and writes the figures. The table is complete also if the estimate or the solve fails. */
static stn_status print_solve(advise_solve_job *s, solve_row *rows, int is_table)
{
    const int count = stn_solve_advice_count(s->advice);
    stn_guard_report report = STN_GUARD_REPORT_INIT;
    char singular[512] = "";
    STN_TRY(verify(s, &rows[0], &report));
    const stn_status estimated = s->job->is_condition ? estimate(s, &rows[0], &report) : STN_OK;
    if (estimated == STN_ERR_CONVERGENCE)
        snprintf(singular, sizeof singular, "%s", stn_error());
    else
        STN_TRY(estimated);
    STN_TRY(columns_write_files(&row_columns, rows, count, &s->job->files));
    if (is_table)
        print_verified(s, &rows[0], &report);
    if (singular[0])
        return stn_fail(STN_ERR_CONVERGENCE, "%s", singular);
    if (!report.converged)
        return failed_solve(s);
    return s->job->certificate ? certificate_write_solve(s, &report) : STN_OK;
}

static stn_status print(advise_solve_job *s, solve_row *rows)
{
    const int count = stn_solve_advice_count(s->advice);
    const int is_table = !columns_replace_table(&s->job->files);
    if (is_table)
        print_list(s, rows, count);
    fflush(stdout);
    return solves(s->job) ? print_solve(s, rows, is_table)
                          : columns_write_files(&row_columns, rows, count, &s->job->files);
}

stn_status advise_solve_open(advise_solve_job *s)
{
    const char *const path = s->job->path;
    STN_TRY(market_read(path, s->job->market, &s->file));
    if (s->file.storage == STN_MARKET_DENSE)
        return STN_OK;
    STN_TRY(advise_expect_system(s->job));
    if (s->file.rows != s->file.columns)
        return stn_fail(STN_ERR_SHAPE, "%s is not square: %" PRId64 " x %" PRId64, path,
                        s->file.rows, s->file.columns);
    if (s->file.field != STN_MARKET_COMPLEX)
        problem_widen(&s->file);
    s->arithmetic = s->file.field == STN_MARKET_COMPLEX ? STN_C128 : STN_F64;
    STN_TRY(stn_market_wrap(&s->matrix, &s->file, path));
    STN_TRY(
        stn_matrix_optimize(s->job->exec, s->arithmetic, s->matrix, EXPECTED_PRODUCTS, NULL, NULL));
    STN_TRY(create_vectors(s));
    s->traits = (stn_matrix_traits)STN_MATRIX_TRAITS_INIT;
    STN_TRY(stn_sparse_traits(s->job->exec, s->matrix, &s->traits));
    const double begin = measure_now();
    STN_TRY(stn_advise_solve(s->job->exec, &s->advice, s->matrix, &s->job->solve));
    s->advice_seconds = measure_now() - begin;
    return STN_OK;
}

void advise_solve_close(advise_solve_job *s)
{
    stn_solve_advice_release(s->advice);
    (void)stn_view_release(&s->x);
    (void)stn_view_release(&s->b);
    stn_matrix_release(s->matrix);
    stn_market_release(&s->file);
}

stn_status advise_solve_run(advise_solve_job *s)
{
    solve_row *rows = NULL;
    stn_solve_choice *choices = NULL;
    stn_status status = list_methods(s, &rows, &choices);
    if (status == STN_OK)
        status = print(s, rows);
    stn_free(rows);
    stn_free(choices);
    return status;
}
