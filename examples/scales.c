/* One scale for each row of a matrix, so that the codes of every row use the whole range of i8. A
 * row is a vector with one scale. */
#include <stdio.h>
#include <stdlib.h>

#include "steno/blas.h"

static void must(stn_status status)
{
    if (status != STN_OK) {
        fprintf(stderr, "%s\n", stn_error());
        exit(1);
    }
}

/* Element (i, j) has the scale scales[i]: stride 1 between rows, 0 within a row. */
static void scale_rows(stn_view *matrix, double *scales)
{
    const stn_scales rows = {
        .data = scales, .format = STN_F64, .dimension = STN_NO_DIMENSION, .stride = {1, 0}};
    must(stn_view_set_scales(matrix, &rows));
}

int main(void)
{
    enum { M = 3, N = 4 };
    const int64_t extents[] = {M, N};
    const double values[M][N] = {
        {0.01, 0.02, -0.03, 0.04}, {1.0, 2.0, -3.0, 4.0}, {100.0, 200.0, -300.0, 400.0}};
    double scales[M];
    stn_exec *exec;
    stn_view matrix, from, row;
    must(stn_exec_create(&exec, "reference"));
    must(stn_view_create(NULL, &matrix, "matrix", stn_storage_of(STN_I8), 2, extents));
    must(stn_view_wrap_const(&from, "from", stn_storage_of(STN_F64), values, 2, extents));
    scale_rows(&matrix, scales);
    must(stn_view_fit_scales(NULL, &matrix, &from, STN_SCALE_EXACT)); /* one scale for each row */
    must(stn_view_copy(NULL, &matrix, &from));
    for (int64_t i = 0; i < M; i++) {
        const stn_slice slices[] = {stn_slice_index(i), stn_slice_all()};
        double square;
        must(stn_view_slice(&row, &matrix, 2, slices)); /* a view with one scale */
        must(stn_dot(exec, STN_F64, &square, &row, &row));
        printf("row %d: scale %.3g, its square %.3g\n", (int)i, scales[i], square);
    }
    must(stn_view_release(&matrix));
    stn_exec_release(exec);
    return 0;
}
