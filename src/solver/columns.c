/* Several right-hand sides: columns are solved sequentially in the same vectors, or several of them
 * together, each in its own; one report and one message summarize them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/grow.h"
#include "core/memory.h"
#include "solver/solver.h"
#include "sparse/product/spmv_run.h"

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

/* `message` is that of the failure. */
static void add_failure(outcome *total, const stn_solver_report *report, int64_t c,
                        stn_status status, const char *message)
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
    snprintf(total->message, sizeof total->message, "%s", message);
}

/* The larger one of both; NaN if one is. `a` is that of all columns before. */
static double larger(const stn_solver_report *total, double a, double b)
{
    return total->columns == 0 || (!isnan(a) && !(b <= a)) ? b : a;
}

/* Adds a column to the report of all columns. */
static void add(stn_solver_report *total, const stn_solver_report *one)
{
    total->iterations += one->iterations;
    total->restarts += one->restarts;
    total->inner_iterations += one->inner_iterations;
    if (total->unsolved_columns == 0)
        total->reason = one->reason;
    total->residual = larger(total, total->residual, one->residual);
    total->stored_residual = larger(total, total->stored_residual, one->stored_residual);
    total->saturated += one->saturated;
    total->rounding_error = larger(total, total->rounding_error, one->rounding_error);
    total->backward_error = larger(total, total->backward_error, one->backward_error);
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

/* ---- columns that are solved together ---- */

/* A column: a solve with its own vectors. */
typedef struct member {
    stn_solver_state s;
    stn_view b, x;
    stn_solver_report report, *theirs;
    stn_status status;
    int reason, has_ended;
    char message[MESSAGE_BYTES]; /* of its failure */
} member;

typedef struct group {
    member *members;
    int64_t count;
} group;

static void end_member(member *one)
{
    one->status = stn_solver_end(&one->s, &one->x, one->status, one->reason);
    if (one->status != STN_OK)
        snprintf(one->message, sizeof one->message, "%s", stn_error());
    one->has_ended = 1;
}

static int is_running(const member *one)
{
    return one->status == STN_OK && one->reason == STN_STOP_NONE;
}

/* Columns that have ended are not multiplied any more. */
static void iterate_together(const group *columns)
{
    for (;;) {
        stn_solver_state *solves[STN_SPMV_TOGETHER];
        stn_status *statuses[STN_SPMV_TOGETHER];
        member *running[STN_SPMV_TOGETHER];
        int64_t count = 0;
        for (int64_t k = 0; k < columns->count; k++) {
            member *const one = &columns->members[k];
            if (is_running(one)) {
                running[count] = one;
                solves[count] = &one->s;
                statuses[count++] = &one->status;
            } else if (!one->has_ended) {
                end_member(one);
            }
        }
        if (count == 0)
            return;
        stn_solver_multiply_together(solves, statuses, count);
        for (int64_t k = 0; k < count; k++)
            if (running[k]->status == STN_OK)
                running[k]->status =
                    stn_solver_functions_of(running[k]->s.options->method)
                        ->step(&running[k]->s, running[k]->s.method_data, &running[k]->reason);
    }
}

static stn_status start_member(member *one, const stn_view *b, const stn_view *x, int64_t c)
{
    one->s.column = c;
    one->s.report = &one->report;
    one->reason = STN_STOP_NONE;
    one->has_ended = one->s.is_started = 0;
    one->report = (stn_solver_report)STN_SOLVER_REPORT_INIT;
    if (one->theirs)
        STN_TRY(STN_STRUCT_READ(&one->report, one->theirs, stn_solver_report, iterations,
                                "stn_solve: report"));
    stn_solver_clear(&one->report);
    STN_TRY(column_of(b, c, &one->b));
    STN_TRY(column_of(x, c, &one->x));
    return stn_solver_start(&one->s, &one->b, &one->x, &one->reason);
}

static void solve_group(const group *columns, const stn_view *b, const stn_view *x, int64_t first,
                        outcome *reports, stn_solver_report *report)
{
    for (int64_t k = 0; k < columns->count; k++) {
        member *const one = &columns->members[k];
        one->theirs = report->column_reports
                          ? stn_solver_column_report(report, one->s.report_size, first + k)
                          : NULL;
        one->status = start_member(one, b, x, first + k);
        if (one->status != STN_OK)
            end_member(one);
    }
    iterate_together(columns);
    for (int64_t k = 0; k < columns->count; k++) {
        member *const one = &columns->members[k];
        one->report.columns = 1;
        one->report.unsolved_columns = one->status != STN_OK;
        if (one->theirs)
            STN_STRUCT_WRITE(one->theirs, &one->report, stn_solver_report);
        add(report, &one->report);
        add_failure(reports, report, first + k, one->status, one->message);
    }
}

/* The first member uses the memory of `s`. */
static stn_status create_group(const stn_solver_state *s, group *columns)
{
    static const stn_view nothing;
    STN_TRY(stn_allocate(&columns->members, s->together, sizeof *columns->members, "columns"));
    for (int64_t k = 0; k < s->together; k++) {
        stn_solver_state *const one = &columns->members[k].s;
        *one = *s;
        columns->count = k + 1;
        if (k == 0)
            continue;
        for (int v = 0; v < STN_SOLVER_VECTORS; v++)
            one->vectors[v] = nothing;
        one->x = one->best = one->between = one->copy = one->guess = nothing;
        one->method_data = NULL;
        STN_TRY(stn_solver_create_memory(one));
    }
    return STN_OK;
}

static void release_group(stn_solver_state *s, group *columns)
{
    for (int64_t k = 1; k < columns->count; k++)
        stn_solver_release(&columns->members[k].s, s->options->method);
    if (columns->count > 0)
        *s = columns->members[0].s; /* vectors may have been exchanged */
    stn_free(columns->members);
}

static stn_status solve_together(stn_solver_state *s, const stn_view *b, const stn_view *x,
                                 outcome *reports, stn_solver_report *report)
{
    const int64_t all = stn_solver_columns_of(b), together = s->together;
    group columns = {0};
    const stn_status status = create_group(s, &columns);
    for (int64_t c = 0; c < all && status == STN_OK; c += columns.count) {
        columns.count = all - c < together ? all - c : together;
        solve_group(&columns, b, x, c, reports, report);
    }
    if (status == STN_OK)
        columns.count = together;
    release_group(s, &columns);
    return status;
}

static void solve_separately(stn_solver_state *s, const stn_view *b, const stn_view *x,
                             outcome *reports, stn_solver_report *report)
{
    for (int64_t c = 0; c < stn_solver_columns_of(b); c++) {
        stn_solver_report one = STN_SOLVER_REPORT_INIT;
        const stn_status status = report_column(
            s, b, x, c, &one,
            report->column_reports ? stn_solver_column_report(report, s->report_size, c) : NULL);
        add(report, &one);
        add_failure(reports, report, c, status, stn_error());
    }
}

stn_status stn_solver_columns(stn_solver_state *s, const stn_view *b, const stn_view *x,
                              stn_solver_report *report)
{
    outcome reports = {.status = STN_OK};
    const int64_t columns = stn_solver_columns_of(b);
    if (columns == 1 && !report->column_reports)
        return report_column(s, b, x, 0, report, NULL);
    if (s->together > 1)
        STN_TRY(solve_together(s, b, x, &reports, report));
    else
        solve_separately(s, b, x, &reports, report);
    report->seconds = stn_seconds_now() - s->begin;
    if (report->columns == 0)
        report->reason = STN_STOP_CONVERGED;
    return fail(&reports, report);
}
