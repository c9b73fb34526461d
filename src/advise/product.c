/* Componentwise bound of the error of a product with rounded operands, in one pass. */
#include <math.h>

#include "blas/call.h"
#include "core/grow.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/run.h"
#include "sparse/kinds/compressed.h"
#include "steno/advise.h"
#include "view/view.h"

static const char call[] = "stn_spmv_error_bound";

typedef struct bound_job {
    const stn_compressed *from;
    stn_run run;
    stn_product_rounding rounding;
    const double *x; /* magnitudes */
    double *bound;
} bound_job;

/* Unit roundoff of f64. */
static const double UNIT = 0x1p-53;

/* gamma_n = n u / (1 - n u). The last factor exceeds the rounding errors of the bound. */
static double bound_of_row(const bound_job *job, int64_t r)
{
    const stn_compressed *const from = job->from;
    const int64_t first = from->start[r], count = from->start[r + 1] - first;
    const double n = (double)count + 2.0, gamma = n * UNIT / (1.0 - n * UNIT);
    const stn_product_rounding *const by = &job->rounding;
    const double relative =
        by->matrix_relative + by->vector_relative + by->matrix_relative * by->vector_relative;
    double values[STN_TILE_ELEMENTS], products = 0.0, x_sum = 0.0, a_sum = 0.0;
    for (int64_t k = 0; k < count; k += STN_TILE_ELEMENTS) {
        const int64_t held = count - k < STN_TILE_ELEMENTS ? count - k : STN_TILE_ELEMENTS;
        stn_run_decode(&job->run, values, from->codes + (first + k) * from->code, 1, held);
        for (int64_t e = 0; e < held; e++) {
            const double size = fabs(values[e]), x = job->x[from->column[first + k + e]];
            products += size * x;
            x_sum += x;
            a_sum += size;
        }
    }
    const double absolute = by->matrix_absolute * (x_sum * (1.0 + by->vector_relative) +
                                                   (double)count * by->vector_absolute) +
                            by->vector_absolute * a_sum * (1.0 + by->matrix_relative);
    const double bound =
        relative * products + absolute + gamma * ((1.0 + relative) * products + absolute);
    return bound * (1.0 + 4.0 * n * UNIT);
}

static void bound_share(void *context, int part, int parts)
{
    const bound_job *const job = context;
    int64_t begin, end;
    stn_share(job->from->rows, part, parts, &begin, &end);
    for (int64_t r = begin; r < end; r++)
        job->bound[r] = bound_of_row(job, r);
}

static stn_status read_magnitudes(const stn_exec *exec, const stn_view *x, int64_t count,
                                  double **values)
{
    stn_view inside;
    STN_TRY(stn_allocate(values, count, sizeof **values, "magnitudes"));
    if (count == 0)
        return STN_OK;
    STN_TRY(stn_view_wrap(&inside, "x", stn_storage_of(STN_F64), *values, 1, &count));
    STN_TRY(stn_view_copy(exec, &inside, x));
    for (int64_t k = 0; k < count; k++)
        (*values)[k] = fabs((*values)[k]);
    return STN_OK;
}

static stn_status store(const stn_exec *exec, const stn_view *bound, bound_job *job)
{
    const stn_blas_call blas = {call, exec, STN_F64};
    stn_view inside;
    STN_TRY(stn_allocate(&job->bound, job->from->rows, sizeof *job->bound, "bounds"));
    if (job->from->rows == 0)
        return STN_OK;
    stn_exec_run_sized(exec, 12.0 * (double)job->from->entries, bound_share, job);
    STN_TRY(
        stn_view_wrap(&inside, "bounds", stn_storage_of(STN_F64), job->bound, 1, &job->from->rows));
    return stn_blas_store_from_host(&blas, bound, &inside);
}

static stn_status expect(const stn_exec *exec, const stn_view *bound, const stn_matrix *a,
                         const stn_view *x, const stn_product_rounding *rounding)
{
    const stn_blas_call blas = {call, exec, STN_F64};
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(bound, 1, STN_BLAS_WRITTEN),
                                         STN_BLAS_OPERAND(x, 1, STN_BLAS_READ)};
    STN_TRY(stn_exec_expect(call, exec));
    STN_TRY(stn_matrix_expect(call, a));
    if (stn_exec_device(exec) || stn_matrix_is_complex(a))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s must be a real matrix on the host", call,
                        stn_matrix_name(a));
    STN_TRY(stn_blas_check(&blas, STN_BLAS_REAL, 2, operands));
    STN_TRY(stn_matrix_expect_disjoint(call, a, bound));
    if (bound->extent[0] != a->rows || x->extent[0] != a->columns)
        return stn_fail(STN_ERR_SHAPE, "%s: %s and %s do not match %s (%lld x %lld)", call,
                        stn_view_text(bound), stn_view_text(x), stn_matrix_name(a),
                        (long long)a->rows, (long long)a->columns);
    if (!(rounding->matrix_relative >= 0.0 && rounding->matrix_absolute >= 0.0 &&
          rounding->vector_relative >= 0.0 && rounding->vector_absolute >= 0.0))
        return stn_fail(STN_ERR_ARGUMENT, "%s: an error in rounding is negative or NaN", call);
    return STN_OK;
}

static stn_status run(const stn_exec *exec, const stn_view *bound, const stn_matrix *a,
                      const stn_view *x, const stn_product_rounding *rounding)
{
    stn_compressed from;
    bound_job job = {.from = &from};
    double *magnitudes = NULL;
    STN_TRY(STN_STRUCT_READ(&job.rounding, rounding, stn_product_rounding, vector_absolute,
                            "stn_spmv_error_bound: rounding"));
    STN_TRY(expect(exec, bound, a, x, &job.rounding));
    STN_TRY(stn_compressed_open(call, exec, a, &from));
    stn_status status = stn_run_init(&job.run, STN_F64, &from.storage);
    if (status == STN_OK)
        status = read_magnitudes(exec, x, a->columns, &magnitudes);
    job.x = magnitudes;
    if (status == STN_OK)
        status = store(exec, bound, &job);
    stn_free(magnitudes);
    stn_free(job.bound);
    stn_compressed_close(&from);
    return status;
}

stn_status stn_spmv_error_bound(const stn_exec *exec, const stn_view *bound, const stn_matrix *a,
                                const stn_view *x, const stn_product_rounding *rounding)
{
    STN_RETURN_IN_MODES(run(exec, bound, a, x, rounding));
}

stn_status stn_rounding_of(const stn_storage *storage, double *relative, double *absolute)
{
    static const char name[] = "stn_rounding_of";
    stn_format_info info = STN_FORMAT_INFO_INIT;
    if (!storage || !relative || !absolute)
        return stn_fail(STN_ERR_ARGUMENT, "%s: an argument is NULL", name);
    STN_TRY(stn_format_describe(storage->format, &info));
    const double scale = fabs(storage->scale);
    if (info.kind == STN_CLASS_FLOAT) {
        *relative = info.epsilon / 2.0;
        *absolute = info.smallest * scale / 2.0;
    } else if (info.kind == STN_CLASS_INTEGER) {
        *relative = 0.0;
        *absolute = scale / 2.0;
    } else {
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: the rounding of format %s has no such bound",
                        name, info.name);
    }
    if (storage->rounding != STN_ROUND_NEAREST) {
        *relative *= 2.0;
        *absolute *= 2.0;
    }
    int exponent;
    if (frexp(scale, &exponent) != 0.5) /* the product with the scale is rounded */
        *relative += 2.0 * UNIT;
    return STN_OK;
}
