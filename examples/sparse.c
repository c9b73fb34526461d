/* Sparse matrices over arrays of the program: entries in any order, 32-bit row starts, 8-bit values
 * with one scale per row, and products with two vectors at once. */
#include <stdio.h>
#include <stdlib.h>

#include "steno/sparse.h"

static void must(stn_status status)
{
    if (status != STN_OK) {
        fprintf(stderr, "%s\n", stn_error());
        exit(1);
    }
}

static void wrap(stn_view *view, const char *label, stn_format format, const void *data,
                 int64_t count)
{
    must(stn_view_wrap_const(view, label, stn_storage_of(format), data, 1, &count));
}

/* Entries of a finite-element program: (1, 1) occurs twice. */
static void assemble(stn_matrix **made)
{
    static const int32_t row[] = {1, 0, 2, 1, 1}, column[] = {1, 0, 2, 0, 1};
    static const double value[] = {2, 1, 5, 3, 0.5};
    stn_matrix *entries;
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    views.kind = STN_MATRIX_COO;
    views.rows = views.columns = 3;
    views.duplicates = STN_DUPLICATES_SUM;
    wrap(&views.row, "row", STN_I32, row, 5);
    wrap(&views.column, "column", STN_I32, column, 5);
    wrap(&views.values, "value", STN_F64, value, 5);
    must(stn_matrix_wrap_views(&entries, &views));
    must(stn_sparse_convert(NULL, made, entries, STN_MATRIX_CSR, NULL));
    stn_matrix_release(entries);
}

int main(void)
{
    static const int32_t start[] = {0, 1, 3, 4}, column[] = {0, 0, 1, 2};
    static const int8_t code[] = {127, 127, 106, 127};
    static const double scale[] = {1 / 127.0, 3 / 127.0, 5 / 127.0};
    static const double x[3][2] = {{1, 10}, {2, 20}, {3, 30}};
    const int64_t extents[] = {3, 2};
    double y[3][2];
    stn_view xs, ys;
    stn_exec *exec;
    stn_matrix *wide, *narrow;
    must(stn_exec_create(&exec, "threads"));
    must(stn_view_wrap_const(&xs, "x", stn_storage_of(STN_F64), x, 2, extents));
    must(stn_view_wrap(&ys, "y", stn_storage_of(STN_F64), y, 2, extents));
    assemble(&wide);
    must(stn_spmv(exec, STN_F64, 1.0, wide, &xs, 0.0, &ys));
    stn_matrix_views arrays = STN_MATRIX_VIEWS_INIT;
    must(stn_matrix_get_views(wide, &arrays));
    const int64_t *const row_start = arrays.row_start.data;
    for (int i = 0; i < 3; i++)
        printf("row %d: %d entries, %g %g\n", i, (int)(row_start[i + 1] - row_start[i]), y[i][0],
               y[i][1]);
    stn_matrix_views views = STN_MATRIX_VIEWS_INIT;
    views.kind = STN_MATRIX_CSR;
    views.columns = 3;
    wrap(&views.row_start, "start", STN_I32, start, 4);
    wrap(&views.column, "column", STN_I32, column, 4);
    wrap(&views.values, "code", STN_I8, code, 4);
    wrap(&views.row_scales, "scale", STN_F64, scale, 3);
    must(stn_matrix_wrap_views(&narrow, &views));
    must(stn_spmv(exec, STN_F64, 1.0, narrow, &xs, 0.0, &ys));
    printf("in 8 bits row 1 is %.3f %.3f\n", y[1][0], y[1][1]);
    stn_matrix_release(narrow);
    stn_matrix_release(wide);
    stn_exec_release(exec);
    return 0;
}
