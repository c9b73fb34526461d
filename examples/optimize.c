/* A matrix that selects the storage of its products: the five-point matrix of a square of points.
 */
#include <stdio.h>
#include <stdlib.h>

#include "steno/sparse_optimize.h"

enum { EDGE = 300, ROWS = EDGE * EDGE };

static int32_t row_start[ROWS + 1], column[5 * ROWS];
static double value[5 * ROWS], x[ROWS], y[ROWS];

static void must(stn_status status)
{
    if (status != STN_OK) {
        fprintf(stderr, "%s\n", stn_error());
        exit(1);
    }
}

static void fill_row(int32_t row)
{
    const int32_t i = row / EDGE, j = row % EDGE;
    const int32_t near[5] = {i > 0 ? -EDGE : 0, j > 0 ? -1 : 0, 0, j < EDGE - 1 ? 1 : 0,
                             i < EDGE - 1 ? EDGE : 0};
    int32_t at = row_start[row];
    for (int k = 0; k < 5; k++)
        if (near[k] != 0 || k == 2) {
            column[at] = row + near[k];
            value[at++] = k == 2 ? 4.0 : -1.0;
        }
    row_start[row + 1] = at;
}

int main(void)
{
    const int64_t rows = ROWS;
    stn_exec *exec;
    stn_matrix *a;
    stn_view xs, ys;
    for (int32_t row = 0; row < ROWS; row++) {
        fill_row(row);
        x[row] = 1.0;
    }
    must(stn_exec_create(&exec, "threads"));
    must(stn_view_wrap_const(&xs, "x", stn_storage_of(STN_F64), x, 1, &rows));
    must(stn_view_wrap(&ys, "y", stn_storage_of(STN_F64), y, 1, &rows));
    must(
        stn_matrix_wrap_csr_i32(&a, ROWS, ROWS, row_start, column, stn_storage_of(STN_F64), value));
    stn_optimize_report report = STN_OPTIMIZE_REPORT_INIT;
    must(stn_matrix_optimize(exec, STN_F64, a, 1000, NULL, &report));
    puts(report.reason);
    for (int step = 0; step < 1000; step++)
        must(stn_spmv(exec, STN_F64, 1.0, a, &xs, 0.0, &ys));
    printf("corner %g, edge %g, interior %g\n", y[0], y[1], y[EDGE + 1]);
    stn_matrix_release(a);
    stn_exec_release(exec);
    return 0;
}
