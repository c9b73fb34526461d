/* Several right-hand sides: columns are solved sequentially in the same vectors; one report and one
 * message summarize them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/grow.h"
#include "solver/solver.h"

enum { MESSAGE_BYTES = 512, MAX_NAMED = 8 /* columns in a message */ };

/* Result of the columns solved so far. */
typedef struct outcome {
    stn_status status;
    char message[MESSAGE_BYTES]; /* of the column that has the status */
    char names[MAX_NAMED * 24];
} outcome;

int64_t stn_solver_columns_of(const stn_view *b)
{
    return b->rank == 2 ? b->extent[1] : 1;
}

static stn_status column_of(const stn_view *view, int64_t c, stn_view *column)
{
    const stn_slice slices[] = {stn_slice_all(), stn_slice_index(c)};
    if (view->rank == 2)
        return stn_view_slice(column, view, 2, slices);
    *column = *view;
    return STN_OK;
}

static void add_failure(outcome *total, const stn_solver_report *report, int64_t c,
                        stn_status status)
{
    const size_t length = strlen(total->names);
    if (status == STN_OK)
        return;
    if (report->unsolved_columns <= MAX_NAMED)
        snprintf(total->names + length, sizeof total->names - length, "%s%lld", length ? ", " : "",
                 (long long)c);
    if (total->status != STN_OK &&
        (total->status != STN_ERR_CONVERGENCE || status == total->status))
        return;
    total->status = status;
    snprintf(total->message, sizeof total->message, "%s", stn_error());
}

static double larger(double a, double b)
{
    return !isnan(a) && !(b <= a) ? b : a;
}

/* Adds a column to the report of all columns. */
static void add(stn_solver_report *total, const stn_solver_report *one)
{
    total->iterations += one->iterations;
    total->restarts += one->restarts;
    total->inner_iterations += one->inner_iterations;
    if (total->unsolved_columns == 0)
        total->reason = one->reason;
    total->residual = larger(total->residual, one->residual);
    total->stored_residual = larger(total->stored_residual, one->stored_residual);
    total->saturated += one->saturated;
    total->rounding_error = larger(total->rounding_error, one->rounding_error);
    total->backward_error = larger(total->backward_error, one->backward_error);
    total->seconds_products += one->seconds_products;
    total->seconds_preconditioner += one->seconds_preconditioner;
    total->seconds_orthogonalization += one->seconds_orthogonalization;
    total->seconds_verification += one->seconds_verification;
    total->bytes = one->bytes > total->bytes ? one->bytes : total->bytes;
    total->unsolved_columns += one->unsolved_columns;
    total->columns++;
}

static stn_status solve_column(stn_solver_state *s, const stn_view *b, const stn_view *x, int64_t c)
{
    stn_view b_column, x_column;
    s->column = c;
    stn_solver_clear(s->report);
    STN_TRY(column_of(b, c, &b_column));
    STN_TRY(column_of(x, c, &x_column));
    return stn_solver_run(s, &b_column, &x_column);
}

static stn_status fail(const outcome *total, const stn_solver_report *report)
{
    if (total->status == STN_OK)
        return STN_OK;
    return stn_fail(total->status, "stn_solve: %lld of %lld columns are not solved: %s%s; %s",
                    (long long)report->unsolved_columns, (long long)report->columns, total->names,
                    report->unsolved_columns > MAX_NAMED ? " and others" : "",
                    total->message + (strncmp(total->message, "stn_solve: ", 11) == 0 ? 11 : 0));
}

stn_solver_report *stn_solver_column_report(const stn_solver_report *total, size_t size, int64_t c)
{
    unsigned char *const first = (void *)total->column_reports;
    return (void *)(first + (size_t)c * size);
}

/* The report of the column is `one`; *theirs, if it is not NULL, is that of the caller. */
static stn_status report_column(stn_solver_state *s, const stn_view *b, const stn_view *x,
                                int64_t c, stn_solver_report *one, stn_solver_report *theirs)
{
    if (theirs)
        STN_TRY(STN_STRUCT_READ(one, theirs, stn_solver_report, iterations, "stn_solve: report"));
    s->report = one;
    const stn_status status = solve_column(s, b, x, c);
    one->columns = 1;
    one->unsolved_columns = status != STN_OK;
    if (theirs)
        STN_STRUCT_WRITE(theirs, one, stn_solver_report);
    return status;
}

stn_status stn_solver_columns(stn_solver_state *s, const stn_view *b, const stn_view *x,
                              stn_solver_report *report)
{
    outcome reports = {.status = STN_OK};
    const int64_t columns = stn_solver_columns_of(b);
    if (columns == 1 && !report->column_reports)
        return report_column(s, b, x, 0, report, NULL);
    report->rounding_error = report->backward_error = 0.0;
    for (int64_t c = 0; c < columns; c++) {
        stn_solver_report one = STN_SOLVER_REPORT_INIT;
        const stn_status status = report_column(
            s, b, x, c, &one,
            report->column_reports ? stn_solver_column_report(report, s->report_size, c) : NULL);
        add(report, &one);
        add_failure(&reports, report, c, status);
    }
    report->seconds = stn_seconds_now() - s->begin;
    if (report->columns == 0)
        report->reason = STN_STOP_CONVERGED;
    return fail(&reports, report);
}
