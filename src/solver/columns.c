/* Several right-hand sides: column after column, in the same vectors, and what is said of all. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solver/solver.h"

enum { SENTENCE = 512, MOST_NAMED = 8 /* columns in a message */ };

/* What became of all columns so far. */
typedef struct outcome {
    stn_status status;
    char words[SENTENCE]; /* of the column that has the status */
    char names[MOST_NAMED * 24];
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

static void note(outcome *all, const stn_solver_report *solution, int64_t c, stn_status status)
{
    const size_t length = strlen(all->names);
    if (status == STN_OK)
        return;
    if (solution->unsolved <= MOST_NAMED)
        snprintf(all->names + length, sizeof all->names - length, "%s%lld", length ? ", " : "",
                 (long long)c);
    if (all->status != STN_OK && (all->status != STN_ERR_CONVERGENCE || status == all->status))
        return;
    all->status = status;
    snprintf(all->words, sizeof all->words, "%s", stn_error());
}

static double larger(double a, double b)
{
    return !isnan(a) && !(b <= a) ? b : a;
}

/* Of all columns: what a column adds. */
static void add(stn_solver_report *all, const stn_solver_report *one)
{
    all->iterations += one->iterations;
    all->restarts += one->restarts;
    all->inner_iterations += one->inner_iterations;
    if (all->unsolved == 0)
        all->reason = one->reason;
    all->residual = larger(all->residual, one->residual);
    all->stored_residual = larger(all->stored_residual, one->stored_residual);
    all->saturated += one->saturated;
    all->unsolved += one->unsolved;
    all->columns++;
}

static stn_status solve_column(stn_solving *s, const stn_view *b, const stn_view *x, int64_t c)
{
    stn_view b_column, x_column;
    s->column = c;
    stn_solver_clear(s->solution);
    STN_TRY(column_of(b, c, &b_column));
    STN_TRY(column_of(x, c, &x_column));
    return stn_solver_run(s, &b_column, &x_column);
}

static stn_status say(const outcome *all, const stn_solver_report *solution)
{
    if (all->status == STN_OK)
        return STN_OK;
    return stn_fail(all->status, "stn_solve: %lld of %lld columns are not solved: %s%s; %s",
                    (long long)solution->unsolved, (long long)solution->columns, all->names,
                    solution->unsolved > MOST_NAMED ? " and others" : "",
                    strncmp(all->words, "stn_solve: ", 11) == 0 ? all->words + 11 : all->words);
}

stn_status stn_solver_columns(stn_solving *s, const stn_view *b, const stn_view *x,
                              stn_solver_report *solution)
{
    outcome all = {.status = STN_OK};
    const int is_single = stn_solver_columns_of(b) == 1 && !solution->each;
    stn_solver_report own = {.size = sizeof own};
    for (int64_t c = 0; c < stn_solver_columns_of(b); c++) {
        s->solution = is_single ? solution : solution->each ? &solution->each[c] : &own;
        const stn_status status = solve_column(s, b, x, c);
        s->solution->columns = 1;
        s->solution->unsolved = status != STN_OK;
        if (is_single)
            return status;
        add(solution, s->solution);
        note(&all, solution, c, status);
    }
    solution->seconds = stn_solver_now() - s->begin;
    if (solution->columns == 0)
        solution->reason = STN_STOP_CONVERGED;
    return say(&all, solution);
}
