/* Equilibration of the system of `steno solve`, and residuals of the system as given. */
#include "equilibrate.h"

#include <math.h>

#include "core/memory.h"
#include "steno/sparse_operations.h"

/* In the arithmetic f64 or c128, on the host. */
static stn_format wide_of(const solve_job *job)
{
    return job->is_complex ? STN_C128 : STN_F64;
}

static stn_status scale(solve_job *job, const stn_exec *exec)
{
    const stn_storage f64 = stn_storage_of(STN_F64);
    stn_view by_row, by_column;
    stn_matrix *scaled;
    double *unused;
    STN_TRY(stn_allocate(&unused, job->matrix.rows, sizeof(double), "scales of rows"));
    stn_status status =
        stn_allocate(&job->column_scale, job->matrix.rows, sizeof(double), "scales of columns");
    if (status == STN_OK)
        status = stn_view_wrap(&by_row, "scales", f64, unused, 1, &job->matrix.rows);
    if (status == STN_OK)
        status = stn_view_wrap(&by_column, "scales", f64, job->column_scale, 1, &job->matrix.rows);
    if (status == STN_OK)
        status = stn_sparse_equilibrate(exec, &scaled, &by_row, &by_column, job->csr,
                                        STN_EQUILIBRATE_BOTH);
    stn_free(unused);
    STN_TRY(status);
    job->given = job->csr;
    job->csr = scaled;
    return stn_matrix_set_label(scaled, job->source);
}

stn_status equilibrate_matrix(solve_job *job)
{
    stn_exec *exec;
    STN_TRY(stn_exec_create(&exec, "threads"));
    const stn_status status = scale(job, exec);
    stn_exec_release(exec);
    return status;
}

void equilibrate_release(solve_job *job)
{
    stn_matrix_release(job->given);
    stn_free(job->column_scale);
}

/* x of the job, copied to or from an array of wide numbers. */
static stn_status transfer(const solve_job *job, double *values, int is_from_x)
{
    stn_view wide;
    STN_TRY(stn_view_wrap(&wide, "x", stn_storage_of(wide_of(job)), values, 1, &job->matrix.rows));
    return is_from_x ? stn_view_copy(job->exec, &wide, &job->x)
                     : stn_view_copy(job->exec, &job->x, &wide);
}

stn_status equilibrate_ones(const solve_job *job)
{
    const int64_t parts = job->is_complex ? 2 : 1, rows = job->matrix.rows;
    double *values;
    STN_TRY(stn_allocate(&values, parts * rows, sizeof *values, "ones"));
    for (int64_t k = 0; k < parts * rows; k++)
        values[k] = k % parts ? 0.0 : 1.0 / job->column_scale[k / parts];
    const stn_status status = transfer(job, values, 0);
    stn_free(values);
    return status;
}

/* The squares of b - A x = A (1 - x) and of b = A 1, in long double. */
static double relative_residual(const solve_job *job, const double *x)
{
    const stn_market_matrix *const a = &job->matrix;
    const int64_t x_parts = job->is_complex ? 2 : 1,
                  a_parts = a->field == STN_MARKET_COMPLEX ? 2 : 1;
    const double *const values = a->values;
    long double residual = 0.0L, norm = 0.0L;
    for (int64_t r = 0; r < a->rows; r++) {
        long double sums[4] = {0.0L}; /* of b, and of b - A x: real and imaginary parts */
        for (int64_t k = a->row_start[r]; k < a->row_start[r + 1]; k++) {
            const double *const z = x + x_parts * a->column[k];
            const long double re = values[a_parts * k],
                              im = a_parts == 2 ? values[a_parts * k + 1] : 0.0;
            const long double left = 1.0L - z[0], right = x_parts == 2 ? -z[1] : 0.0;
            sums[0] += re;
            sums[1] += im;
            sums[2] += re * left - im * right;
            sums[3] += re * right + im * left;
        }
        norm += sums[0] * sums[0] + sums[1] * sums[1];
        residual += sums[2] * sums[2] + sums[3] * sums[3];
    }
    return (double)sqrtl(norm > 0.0L ? residual / norm : residual);
}

stn_status equilibrate_residual(const solve_job *job, double *residual)
{
    const int64_t parts = job->is_complex ? 2 : 1, rows = job->matrix.rows;
    double *values;
    STN_TRY(stn_allocate(&values, parts * rows, sizeof *values, "the solution"));
    const stn_status status = transfer(job, values, 1);
    for (int64_t k = 0; status == STN_OK && k < parts * rows; k++)
        values[k] *= job->column_scale[k / parts];
    if (status == STN_OK)
        *residual = relative_residual(job, values);
    stn_free(values);
    return status;
}
