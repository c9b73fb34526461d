/* solve_file [FILE.mtx]: a matrix from a file and two right-hand sides at once, by GMRES with a
 * basis in 16 bits; without a file it writes one first. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "steno/market.h"
#include "steno/steno.h"

static int fail(void)
{
    fprintf(stderr, "solve_file: %s\n", stn_error());
    return 1;
}

/* 400 rows: 4 on the diagonal, -1 before it, -2 after it. */
static int write_one(const char *path)
{
    enum { ROWS = 400 };
    FILE *const file = fopen(path, "w");
    if (!file)
        return 1;
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", ROWS, ROWS,
            3 * ROWS - 2);
    for (int i = 1; i <= ROWS; i++)
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 1 && j <= ROWS)
                fprintf(file, "%d %d %d\n", i, j, i == j ? 4 : j < i ? -1 : -2);
    return fclose(file);
}

/* b is A times 1, 1, ... and A times 1, 2, ..., which are the expected x. */
static stn_status make_b(const stn_exec *exec, const stn_matrix *a, const stn_view *x,
                         const stn_view *b)
{
    double *const numbers = x->data;
    for (int64_t i = 0; i < x->extent[0]; i++) {
        numbers[2 * i] = 1.0;
        numbers[2 * i + 1] = (double)(i + 1);
    }
    for (int64_t c = 0; c < 2; c++) {
        const stn_slice column[] = {stn_slice_all(), stn_slice_index(c)};
        stn_view from, to;
        if (stn_view_slice(&from, x, 2, column) || stn_view_slice(&to, b, 2, column) ||
            stn_spmv(exec, STN_F64, 1.0, a, &from, 0.0, &to))
            return STN_ERR_ARGUMENT;
    }
    return stn_view_fill(exec, x, 0.0);
}

static int solve(const stn_exec *exec, const stn_matrix *a, const stn_view *b, const stn_view *x)
{
    stn_operator matrix, inverse;
    stn_preconditioner *m;
    stn_solver_options options = STN_SOLVER_OPTIONS_INIT;
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    stn_solver_report columns[2] = {STN_SOLVER_REPORT_INIT, STN_SOLVER_REPORT_INIT};
    options.method = STN_SOLVER_GMRES;
    options.basis = stn_storage_of(STN_F16);
    options.preconditioner = &inverse;
    report.column_reports = columns; /* one report per column of b */
    report.column_capacity = 2;
    if (stn_block_jacobi_create(exec, &m, a, NULL) || stn_operator_of_preconditioner(&inverse, m) ||
        stn_operator_of_matrix(&matrix, a))
        return fail();
    const stn_status status = stn_solve(exec, x, &matrix, b, &options, &report);
    for (int c = 0; c < 2; c++)
        printf("column %d: %s, %d iterations, |b - A x| below 1e-10 of |b|: %s\n", c,
               stn_stop_reason_name(columns[c].reason), (int)columns[c].iterations,
               columns[c].residual <= 1e-10 ? "yes" : "no");
    stn_preconditioner_release(m);
    return status ? fail() : 0;
}

int main(int count, char **words)
{
    char own[] = "/tmp/solve-XXXXXX";
    stn_exec *exec;
    stn_market_matrix read = STN_MARKET_MATRIX_INIT;
    stn_matrix *a;
    stn_view b, x;
    const int file = count < 2 ? mkstemp(own) : -1;
    if (count < 2 && (file < 0 || close(file) || write_one(own)))
        return 1;
    if (stn_exec_create(&exec, "threads") ||
        stn_market_read_file(&read, count < 2 ? own : words[1], 0))
        return fail();
    const int64_t extents[] = {read.rows, 2};
    if (read.storage == STN_MARKET_DENSE || read.value_format == STN_C128) {
        fprintf(stderr, "solve_file: the matrix must be real and sparse\n");
        return 1;
    }
    if (stn_market_wrap(&a, &read, "the file's") ||
        stn_view_create(exec, &b, "b", stn_storage_of(STN_F64), 2, extents) ||
        stn_view_create(exec, &x, "x", stn_storage_of(STN_F64), 2, extents) ||
        make_b(exec, a, &x, &b))
        return fail();
    const int failed = solve(exec, a, &b, &x);
    (void)stn_view_release(&b);
    (void)stn_view_release(&x);
    stn_matrix_release(a);
    stn_market_release(&read);
    stn_exec_release(exec);
    return failed || (count < 2 && unlink(own) != 0);
}
