/* Layouts and values of the headers, and results of the C library, for the Fortran tests. */
#include "steno/event.h"
#include "steno/kernel_text.h"
#include "steno/market.h"
#include "steno/steno.h"

/* Sizes of structs and offsets of their last members, in the order of test/fortran/layout.f90. */
void reference_layout(int64_t *values)
{
    const size_t found[] = {sizeof(stn_c128),
                            sizeof(stn_storage),
                            sizeof(stn_view),
                            sizeof(stn_layout),
                            sizeof(stn_view_spec),
                            sizeof(stn_scales),
                            sizeof(stn_slice),
                            sizeof(stn_format_info),
                            sizeof(stn_matrix_views),
                            sizeof(stn_matrix_info),
                            sizeof(stn_preconditioner_info),
                            sizeof(stn_ilu_options),
                            sizeof(stn_block_jacobi_options),
                            sizeof(stn_operator),
                            sizeof(stn_solver_progress),
                            sizeof(stn_solver_options),
                            sizeof(stn_solver_report),
                            sizeof(stn_argument),
                            offsetof(stn_view, stride),
                            offsetof(stn_view_spec, const_data),
                            offsetof(stn_layout, context),
                            offsetof(stn_matrix_views, height),
                            offsetof(stn_solver_options, checkpoint),
                            offsetof(stn_solver_report, column_reports),
                            offsetof(stn_operator, context),
                            sizeof(stn_triangular_info),
                            sizeof(stn_optimize_options),
                            sizeof(stn_optimize_report),
                            sizeof(stn_format_codec),
                            sizeof(stn_event),
                            sizeof(stn_market_matrix),
                            offsetof(stn_triangular_info, bytes),
                            offsetof(stn_optimize_options, max_bytes),
                            offsetof(stn_optimize_report, reason),
                            offsetof(stn_format_codec, device_text),
                            offsetof(stn_event, note),
                            offsetof(stn_market_matrix, deviations)};
    for (size_t k = 0; k < sizeof found / sizeof *found; k++)
        values[k] = (int64_t)found[k];
}

static stn_view vector(const void *data, stn_format format, int64_t count)
{
    stn_view view;
    stn_view_wrap_const(&view, "", stn_storage_of(format), data, 1, &count);
    return view;
}

/* The dot product of f16 codes, in f32. */
double reference_dot(const int16_t *x, const int16_t *y, int64_t count)
{
    stn_exec *exec = NULL;
    double result = 0;
    const stn_view a = vector(x, STN_F16, count), b = vector(y, STN_F16, count);
    stn_exec_create(&exec, "reference");
    stn_dot(exec, STN_F32, &result, &a, &b);
    stn_exec_release(exec);
    return result;
}

/* Solves with a CSR matrix in C: the number of iterations, and x. */
int64_t reference_solve(int64_t rows, const int32_t *row_start, const int32_t *column,
                        const double *values, const double *b, double *x)
{
    stn_exec *exec = NULL;
    stn_matrix *matrix = NULL;
    stn_operator a;
    stn_solver_report report = STN_SOLVER_REPORT_INIT;
    const stn_view from = vector(b, STN_F64, rows);
    stn_view to;
    stn_view_wrap(&to, "", stn_storage_of(STN_F64), x, 1, &rows);
    stn_exec_create(&exec, "reference");
    stn_matrix_wrap_csr_i32(&matrix, rows, rows, row_start, column, stn_storage_of(STN_F64),
                            values);
    stn_operator_of_matrix(&a, matrix);
    stn_solve(exec, &to, &a, &from, NULL, &report);
    stn_matrix_release(matrix);
    stn_exec_release(exec);
    return report.iterations;
}
