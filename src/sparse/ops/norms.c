/* Norms of rows and columns of sparse matrices, in the order of sums of doc/order.md. */
#include <math.h>

#include "blas/call.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/run.h"
#include "sparse/kinds/compressed.h"
#include "sparse/ops/transpose.h"
#include "steno/reduce.h"
#include "steno/sparse_operations.h"
#include "order/tree.h"
#include "view/view.h"

/* Sums over a tile of values in an arithmetic type: of magnitudes, or of squares of values times a
 * factor. */
typedef struct folds {
    double (*sum)(const void *values, int64_t count, int is_square, double factor);
    double (*most)(const void *values, int64_t count, double most);
} folds;

typedef struct norms_job {
    const stn_compressed *from;
    stn_run run;
    stn_sparse_norm norm;
    folds folds;     /* for the arithmetic type */
    stn_format real; /* format of the parts */
    void *results;   /* per row, in real arithmetic */
} norms_job;

/* ---- one tile, of values of type T ---- */

#define DEFINE_FOLDS(T, type, fused, magnitude)                                                    \
    static double fold_##T(type *lane, int64_t lanes)                                              \
    {                                                                                              \
        for (int64_t half = STN_LANES / 2; half > 0; half /= 2)                                    \
            for (int64_t k = 0; k < half && k + half < lanes; k++)                                 \
                lane[k] = lane[k] + lane[k + half];                                                \
        return (double)lane[0];                                                                    \
    }                                                                                              \
    static double sum_##T(const void *values, int64_t count, int is_square, double factor)         \
    {                                                                                              \
        const type *const v = values;                                                              \
        const int64_t lanes = count < STN_LANES ? count : STN_LANES;                               \
        type lane[STN_LANES];                                                                      \
        for (int64_t e = 0; e < count; e++) {                                                      \
            const type before = e < STN_LANES ? -(type)0 : lane[e % STN_LANES];                    \
            const type x = v[e] * (type)factor;                                                    \
            lane[e % STN_LANES] = is_square ? fused(x, x, before) : before + magnitude(x);         \
        }                                                                                          \
        return fold_##T(lane, lanes);                                                              \
    }                                                                                              \
    static double most_##T(const void *values, int64_t count, double most)                         \
    {                                                                                              \
        const type *const v = values;                                                              \
        for (int64_t e = 0; e < count; e++) {                                                      \
            const double size = fabs((double)v[e]);                                                \
            most = size > most || isnan(size) ? size : most;                                       \
        }                                                                                          \
        return most;                                                                               \
    }
DEFINE_FOLDS(f64, double, fma, fabs)
DEFINE_FOLDS(f32, float, fmaf, fabsf)

#define DEFINE_COMPLEX_FOLDS(Z, T, type, fused)                                                    \
    static double sum_##Z(const void *values, int64_t count, int is_square, double factor)         \
    {                                                                                              \
        const stn_##Z *const v = values;                                                           \
        const int64_t lanes = count < STN_LANES ? count : STN_LANES;                               \
        type lane[STN_LANES];                                                                      \
        for (int64_t e = 0; e < count; e++) {                                                      \
            const type before = e < STN_LANES ? -(type)0 : lane[e % STN_LANES];                    \
            const stn_##Z z = {v[e].re * (type)factor, v[e].im * (type)factor};                    \
            lane[e % STN_LANES] = is_square ? fused(z.im, z.im, fused(z.re, z.re, before))         \
                                            : before + stn_size_##Z(z);                            \
        }                                                                                          \
        return fold_##T(lane, lanes);                                                              \
    }                                                                                              \
    static double most_##Z(const void *values, int64_t count, double most)                         \
    {                                                                                              \
        const stn_##Z *const v = values;                                                           \
        for (int64_t e = 0; e < count; e++) {                                                      \
            const double size = (double)stn_size_##Z(v[e]);                                        \
            most = size > most || isnan(size) ? size : most;                                       \
        }                                                                                          \
        return most;                                                                               \
    }
DEFINE_COMPLEX_FOLDS(c128, f64, double, fma)
DEFINE_COMPLEX_FOLDS(c64, f32, float, fmaf)

static folds folds_of(stn_format arithmetic)
{
    return arithmetic == STN_F64    ? (folds){sum_f64, most_f64}
           : arithmetic == STN_F32  ? (folds){sum_f32, most_f32}
           : arithmetic == STN_C128 ? (folds){sum_c128, most_c128}
                                    : (folds){sum_c64, most_c64};
}

/* ---- one row ---- */

/* Sums magnitudes, or squares of the values times a power of two. */
static double sum_of_row(const norms_job *job, const char *codes, int64_t count, int is_square,
                         double factor)
{
    double levels[STN_TREE_LEVELS], values[2 * STN_TILE_ELEMENTS];
    stn_tree tree;
    if (count == 0)
        return 0.0;
    stn_tree_begin(&tree, stn_add_of(job->real), sizeof *levels, 1, levels, 0);
    for (int64_t k = 0; k < count; k += STN_TILE_ELEMENTS) {
        const int64_t held = count - k < STN_TILE_ELEMENTS ? count - k : STN_TILE_ELEMENTS;
        stn_run_decode(&job->run, values, codes + k * job->run.bytes, 1, held);
        const double sum = job->folds.sum(values, held, is_square, factor);
        stn_tree_push(&tree, &sum, 0);
    }
    return *(double *)stn_tree_fold(&tree);
}

/* If squares overflow or underflow, the values are multiplied by a power of two first. */
static double root_of_row(const norms_job *job, const char *codes, int64_t count)
{
    const int is_wide = job->real == STN_F64;
    const double large = is_wide ? 0x1p600 : 0x1p100, least = is_wide ? 0x1p-900 : 0x1p-80;
    double factor = 1.0, sum = sum_of_row(job, codes, count, 1, 1.0);
    if (isinf(sum) || sum < least) {
        factor = isinf(sum) ? 1.0 / large : large;
        sum = sum_of_row(job, codes, count, 1, factor);
    }
    return is_wide ? sqrt(sum) / factor : (double)(sqrtf((float)sum) / (float)factor);
}

static double max_of_row(const norms_job *job, const char *codes, int64_t count)
{
    double values[2 * STN_TILE_ELEMENTS], most = 0.0;
    for (int64_t k = 0; k < count && !isnan(most); k += STN_TILE_ELEMENTS) {
        const int64_t held = count - k < STN_TILE_ELEMENTS ? count - k : STN_TILE_ELEMENTS;
        stn_run_decode(&job->run, values, codes + k * job->run.bytes, 1, held);
        most = job->folds.most(values, held, most);
    }
    return most;
}

static double norm_of_row(const norms_job *job, int64_t row)
{
    const stn_compressed *const from = job->from;
    const int64_t count = from->start[row + 1] - from->start[row];
    const char *const codes = from->codes + from->start[row] * from->code;
    if (job->norm == STN_SPARSE_NORM_INF)
        return max_of_row(job, codes, count);
    return job->norm == STN_SPARSE_NORM_2 ? root_of_row(job, codes, count)
                                          : sum_of_row(job, codes, count, 0, 1.0);
}

static void norms_share(void *context, int part, int parts)
{
    const norms_job *const job = context;
    int64_t begin, end;
    stn_share(job->from->rows, part, parts, &begin, &end);
    for (int64_t r = begin; r < end; r++) {
        const double norm = norm_of_row(job, r);
        if (job->real == STN_F64)
            ((double *)job->results)[r] = norm;
        else
            ((float *)job->results)[r] = (float)norm;
    }
}

/* ---- calls ---- */

/* The arithmetic of the results: norms of complex values are real. */
static stn_blas_call real_of(const stn_blas_call *call)
{
    const int is_wide = call->arithmetic == STN_C128 || call->arithmetic == STN_F64;
    stn_blas_call real = *call;
    if (stn_blas_is_complex(call->arithmetic))
        real.arithmetic = is_wide ? STN_F64 : STN_F32;
    return real;
}

static stn_status check(const stn_blas_call *call, stn_sparse_norm norm, const stn_matrix *a,
                        int is_by_column, const stn_view *norms)
{
    const stn_blas_operand operand = STN_BLAS_OPERAND(norms, 1, STN_BLAS_WRITTEN);
    const stn_blas_call real = real_of(call);
    STN_TRY(stn_exec_expect(call->name, call->exec));
    STN_TRY(stn_matrix_expect_arithmetic(call->name, call->arithmetic, a));
    if (norm < STN_SPARSE_NORM_1 || norm > STN_SPARSE_NORM_INF)
        return stn_fail(
            STN_ERR_ARGUMENT,
            "%s: norm is %d; it must be STN_SPARSE_NORM_1 (1) to STN_SPARSE_NORM_INF (3)",
            call->name, (int)norm);
    STN_TRY(stn_blas_check(&real, STN_BLAS_REAL, 1, &operand));
    STN_TRY(stn_matrix_expect_disjoint(call->name, a, norms));
    const int64_t count = is_by_column ? a->columns : a->rows;
    if (norms->extent[0] != count)
        return stn_fail(STN_ERR_SHAPE, "%s: %s must have one element for each of the %lld %s of %s",
                        call->name, stn_view_text(norms), (long long)count,
                        is_by_column ? "columns" : "rows", stn_matrix_name(a));
    return STN_OK;
}

static stn_status norms_of(const stn_blas_call *call, stn_sparse_norm norm,
                           const stn_compressed *from, const stn_view *norms)
{
    const stn_blas_call real = real_of(call);
    norms_job job = {
        .from = from, .norm = norm, .folds = folds_of(call->arithmetic), .real = real.arithmetic};
    stn_view view;
    STN_TRY(stn_run_init(&job.run, call->arithmetic, &from->storage));
    STN_TRY(
        stn_allocate(&job.results, from->rows, (size_t)stn_arithmetic_bytes(job.real), "norms"));
    stn_exec_run_sized(call->exec, 16.0 * (double)from->entries, norms_share, &job);
    stn_status status =
        stn_view_wrap(&view, "norms", stn_storage_of(job.real), job.results, 1, &from->rows);
    if (status == STN_OK && from->rows > 0)
        status = stn_blas_store_from_host(&real, norms, &view);
    stn_free(job.results);
    return status;
}

static stn_status column_norms_of(const stn_blas_call *call, stn_sparse_norm norm,
                                  const stn_compressed *from, const stn_view *norms)
{
    stn_matrix transposed;
    stn_compressed columns;
    STN_TRY(stn_transpose_compressed(call->name, call->exec, NULL, from, &transposed));
    stn_compressed_move(&columns, &transposed);
    const stn_status status = norms_of(call, norm, &columns, norms);
    stn_compressed_close(&columns);
    return status;
}

static stn_status find_norms(const stn_blas_call *call, stn_sparse_norm norm, const stn_matrix *a,
                             int is_by_column, const stn_view *norms)
{
    stn_compressed from;
    STN_TRY(check(call, norm, a, is_by_column, norms));
    STN_TRY(stn_compressed_open(call->name, call->exec, a, &from));
    const stn_status status = (is_by_column ? column_norms_of : norms_of)(call, norm, &from, norms);
    stn_compressed_close(&from);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call->name);
}

stn_status stn_sparse_row_norms(const stn_exec *exec, stn_format arithmetic, const stn_view *norms,
                                const stn_matrix *a, stn_sparse_norm norm)
{
    const stn_blas_call call = {"stn_sparse_row_norms", exec, arithmetic};
    STN_RETURN_IN_MODES(find_norms(&call, norm, a, 0, norms));
}

stn_status stn_sparse_column_norms(const stn_exec *exec, stn_format arithmetic,
                                   const stn_view *norms, const stn_matrix *a, stn_sparse_norm norm)
{
    const stn_blas_call call = {"stn_sparse_column_norms", exec, arithmetic};
    STN_RETURN_IN_MODES(find_norms(&call, norm, a, 1, norms));
}
