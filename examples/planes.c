/* Refinement with one stored matrix: residuals read 64 bits per value, the inner solver 32 bits. */
#include <stdio.h>

#include "steno/solver.h"

enum { N = 400, ENTRIES = 3 * N - 2 };

static int32_t start[N + 1], column[ENTRIES];
static double value[ENTRIES], right[N], solution[N];

static int failed(stn_status status)
{
    if (status != STN_OK)
        fprintf(stderr, "%s\n", stn_error());
    return status != STN_OK;
}

/* -u'' + u / 3 */
static void fill(void)
{
    for (int32_t i = 0, k = 0; i < N; i++, start[i] = k) {
        right[i] = 1.0;
        for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++, k++) {
            column[k] = j;
            value[k] = i == j ? 2.0 + 1.0 / 3.0 : -1.0;
        }
    }
}

int main(void)
{
    const int64_t n = N;
    stn_exec *exec;
    stn_matrix *a, *full, *planes[3];
    stn_operator operators[3];
    stn_view x, b;
    stn_solver_options inner = STN_SOLVER_OPTIONS_INIT, options = STN_SOLVER_OPTIONS_INIT;
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    fill();
    if (failed(stn_exec_create(&exec, "threads")) ||
        failed(stn_matrix_wrap_csr_i32(&a, N, N, start, column, stn_storage_of(STN_F64), value)) ||
        failed(stn_matrix_segment(exec, &full, a)) ||
        failed(stn_view_wrap(&x, "x", stn_storage_of(STN_F64), solution, 1, &n)) ||
        failed(stn_view_wrap(&b, "b", stn_storage_of(STN_F64), right, 1, &n)))
        return 1;
    for (int k = 0; k < 3; k++)
        if (failed(stn_matrix_planes(&planes[k], full, k + 1)) ||
            failed(stn_operator_of_matrix(&operators[k], planes[k])))
            return 1;
    inner.relative_tolerance = 1e-3;
    options.method = STN_SOLVER_REFINEMENT;
    options.inner = &inner;
    options.inner_operators = operators;
    options.inner_operator_count = 3;
    if (failed(stn_solve(exec, &x, &operators[2], &b, &options, &report)))
        return 1;
    if (report.residual <= 1e-10)
        printf("converged: |b - A x| is at most 1e-10 of |b|\n");
    for (int k = 0; k < 3; k++)
        stn_matrix_release(planes[k]);
    stn_matrix_release(full);
    stn_matrix_release(a);
    stn_exec_release(exec);
    return 0;
}
