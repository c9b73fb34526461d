/* A solve in several parts: after each part, its state is saved to a file. The residuals and x have
 * the same bits as those of an uninterrupted solve. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "steno/steno.h"

enum { ROWS = 10000, MOST = 4000 };

static int32_t row_start[ROWS + 1];
static int32_t column[3 * ROWS];
static double value[3 * ROWS], b_of[ROWS], whole[ROWS], found[ROWS];
static double residuals[2][MOST];

static int fail(void)
{
    fprintf(stderr, "resume: %s\n", stn_error());
    return 1;
}

/* A rod that loses heat to the air: warm at one end. */
static void make_rows(void)
{
    int32_t entries = 0;
    for (int i = 0; i < ROWS; i++) {
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < ROWS) {
                column[entries] = j;
                value[entries++] = i == j ? 2.0001 : -1.0;
            }
        row_start[i + 1] = entries;
    }
    b_of[0] = 1.0;
}

static stn_status solve(const stn_exec *exec, const stn_view *x, const stn_operator *a,
                        const stn_view *b, const stn_solver_options *options, double *history,
                        stn_solver_report *report)
{
    report->history = history;
    report->history_capacity = MOST;
    return stn_solve(exec, x, a, b, options, report);
}

int main(void)
{
    char path[] = "/tmp/resume-XXXXXX";
    const int file = mkstemp(path);
    const int64_t rows = ROWS;
    stn_exec *exec;
    stn_matrix *matrix;
    stn_operator a;
    stn_view b, x;
    stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    stn_status status;
    int64_t entries = 0;
    if (file < 0 || close(file))
        return 1;
    make_rows();
    options.method = STN_SOLVER_MINRES;
    if (stn_exec_create(&exec, "threads") ||
        stn_matrix_wrap_csr_i32(&matrix, ROWS, ROWS, row_start, column, stn_storage_of(STN_F64),
                                value) ||
        stn_operator_of_matrix(&a, matrix) ||
        stn_view_wrap(&b, "b", stn_storage_of(STN_F64), b_of, 1, &rows) ||
        stn_view_wrap(&x, "x", stn_storage_of(STN_F64), whole, 1, &rows) ||
        solve(exec, &x, &a, &b, &options, residuals[0], &report))
        return fail();
    printf("at once: %d iterations\n", (int)report.iterations);

    if (stn_view_wrap(&x, "x", stn_storage_of(STN_F64), found, 1, &rows))
        return fail();
    do {
        if (stn_checkpoint_create(&options.checkpoint))
            return fail();
        if (entries > 0 && stn_checkpoint_load(options.checkpoint, path))
            return fail();
        options.max_iterations += 400; /* of all parts */
        status = solve(exec, &x, &a, &b, &options, residuals[1] + entries, &report);
        entries += report.history_count;
        if (status == STN_ERR_CONVERGENCE && stn_checkpoint_save(options.checkpoint, path))
            return fail(); /* the file is complete, or unchanged */
        stn_checkpoint_release(options.checkpoint);
    } while (status == STN_ERR_CONVERGENCE);
    if (status)
        return fail();
    printf("in parts: %d iterations, x %s, residuals %s\n", (int)report.iterations,
           memcmp(found, whole, sizeof found) == 0 ? "the same" : "another",
           memcmp(residuals[0], residuals[1], sizeof residuals[0]) == 0 ? "the same" : "others");
    stn_matrix_release(matrix);
    stn_exec_release(exec);
    return unlink(path) != 0;
}
