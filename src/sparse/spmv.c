/* spmv: rows of a sparse matrix times vectors. Each row is summed by the tree over its entries. */
#include "blas/call.h"
#include "blas/operand.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "sparse/columns.h"
#include "sparse/matrix.h"
#include "sparse/loops.h"
#include "sparse/interleaved.h"
#include "sparse/slice.h"
#include "sparse/starts.h"
#include "view/overlap.h"
#include "view/remote.h"
#include "view/trace.h"

#define STN_TEMPLATE      stn_sparse_fused
#define STN_TEMPLATE_TYPE stn_sparse_fused
#define STN_TEMPLATE_FUSED
#include "format/instance_table.h"

typedef struct spmv_job {
    const stn_matrix *a;
    stn_rows rows;
    stn_starts starts;   /* compressed rows */
    stn_reader scales;   /* scales of rows, if any */
    stn_operand from, y; /* from: the operand that beta multiplies */
    stn_sum_rows *fused; /* for the values' format */
    const void *x;       /* in the arithmetic type */
    stn_format arithmetic;
    double alpha, beta;
} spmv_job;

/* ---- loops of the values' format ---- */

/* Decodes scales of rows into the arithmetic type. */
static void read_scales(const spmv_job *job, double *scales, int64_t row, int64_t count)
{
    float narrow[STN_ROW_BATCH];
    const int64_t step = job->scales.steps[0];
    if (job->arithmetic == STN_F64) {
        stn_read(&job->scales, scales, row * step, step, count);
        return;
    }
    stn_read(&job->scales, narrow, row * step, step, count);
    for (int64_t r = 0; r < count; r++)
        scales[r] = (double)narrow[r];
}

/* Row starts are converted to 64 bits. */
static void sum_rows(const spmv_job *job, double *sums, int64_t first, int64_t count)
{
    int64_t buffer[STN_ROW_BATCH + 1];
    double scales[STN_ROW_BATCH];
    stn_rows rows = job->rows;
    if (job->a->kind == STN_MATRIX_SLICED) {
        job->fused(sums, &rows, first, count, job->x);
        return;
    }
    rows.start = stn_starts_read(&job->starts, buffer, first, count + 1);
    if (!stn_view_is_empty(&job->a->scales)) {
        read_scales(job, scales, first, count);
        rows.scale = scales;
    }
    job->fused(sums, &rows, 0, count, job->x);
}

/* Returns whether sums can be stored directly in y. Slices store the sums of all their rows. */
static int is_in_place(const spmv_job *job, int64_t count)
{
    return job->y.values && job->arithmetic == STN_F64 && job->alpha == 1.0 && job->beta == 0.0 &&
           (job->a->kind != STN_MATRIX_SLICED || count % STN_SLICE_ROWS == 0);
}

static void write_rows(const spmv_job *job, int64_t first, int64_t count)
{
    double sums[STN_ROW_BATCH];
    if (is_in_place(job, count)) {
        sum_rows(job, (double *)stn_reader_at(&job->y.reader, first), first, count);
        return;
    }
    sum_rows(job, sums, first, count);
    double values[STN_ROW_BATCH];
    const int reads = job->arithmetic == STN_F64 ? job->beta != 0 : (float)job->beta != 0;
    if (reads)
        stn_operand_read(&job->from, first, count, values);
    stn_update_values(values, job->arithmetic, count, job->alpha, sums, job->beta);
    stn_operand_write(&job->y, first, count, values);
}

static int64_t first_row(const spmv_job *job, int64_t part, int64_t parts)
{
    if (job->a->kind != STN_MATRIX_SLICED)
        return stn_starts_share(&job->starts, part, parts);
    return stn_slices_share(job->a, part, parts);
}

static void spmv_share(void *context, int part, int parts)
{
    const spmv_job *job = context;
    const int64_t end = first_row(job, part + 1, parts);
    for (int64_t row = first_row(job, part, parts); row < end; row += STN_ROW_BATCH)
        write_rows(job, row, end - row < STN_ROW_BATCH ? end - row : STN_ROW_BATCH);
}

int stn_spmv_is_fusible(const stn_matrix *a)
{
    const int is_scaled = !stn_view_is_empty(&a->scales);
    const stn_view *const starts = &a->starts;
    if (a->kind == STN_MATRIX_SLICED)
        return 1;
    return a->kind == STN_MATRIX_CSR && stn_view_is_empty(&a->indices) &&
           stn_view_is_empty(&a->codes) && (!is_scaled || a->storage.scale == 1.0) &&
           (stn_view_is_empty(starts) || (starts->storage.format == STN_I32 &&
                                          !stn_view_mapping(starts) && starts->stride[0] == 1));
}

stn_sum_rows *stn_sum_rows_of(const stn_exec *exec, stn_matrix_kind kind, const stn_run *run)
{
    const stn_sparse_fused *const fused =
        stn_exec_has_loops(exec) && run->codec ? instances[stn_isa_chosen()][run->real] : NULL;
    if (!fused)
        return NULL;
    if (kind != STN_MATRIX_SLICED)
        return stn_sum_compressed_rows;
    return run->arithmetic == STN_F64 ? fused->slices_f64 : fused->slices_f32;
}

static void set_rows(spmv_job *job, const stn_run *run)
{
    const stn_matrix *const a = job->a;
    const int is_sliced = a->kind == STN_MATRIX_SLICED;
    job->rows = (stn_rows){.start = is_sliced ? a->slice_start : NULL,
                           .index = is_sliced ? a->slice_word : a->column,
                           .codes = a->values,
                           .run = run,
                           .entries = is_sliced ? a->slots : a->entries,
                           .x_bytes = a->columns * stn_arithmetic_bytes(job->arithmetic)};
}

static stn_status set_matrix(const stn_exec *exec, spmv_job *job, const stn_run *run)
{
    const stn_matrix *const a = job->a;
    set_rows(job, run);
    if (a->kind == STN_MATRIX_CSR) {
        STN_TRY(stn_starts_init(&job->starts, "stn_spmv", a));
        job->rows.are_irregular = stn_starts_are_irregular(&job->starts);
    }
    return stn_view_is_empty(&a->scales)
               ? STN_OK
               : stn_reader_init(&job->scales, "stn_spmv", exec, job->arithmetic, &a->scales);
}

/* One right-hand side: x and y have rank 1. *vector is empty, or contains the previous column. */
static stn_status multiply_vector(const stn_exec *exec, spmv_job *job, stn_vector *vector,
                                  const stn_view *x, const stn_view *from, const stn_view *y)
{
    stn_operand operand;
    STN_TRY(stn_operand_init("stn_spmv", exec, job->arithmetic, from, &job->from));
    STN_TRY(stn_operand_init("stn_spmv", exec, job->arithmetic, y, &job->y));
    STN_TRY(stn_operand_init("stn_spmv", exec, job->arithmetic, x, &operand));
    if (!vector->owned)
        STN_TRY(stn_vector_init(&operand, 1.0, "stn_spmv: x decoded", vector));
    else
        stn_operand_read(&operand, 0, operand.count, vector->owned);
    job->x = vector->values;
    const uint64_t trace = stn_trace_begin("spmv", y);
    stn_exec_run_sized(exec, 16.0 * (double)job->a->entries, spmv_share, job);
    stn_trace_end("spmv", y, trace);
    return STN_OK;
}

/* Column by column. */
static stn_status multiply_columns(const stn_exec *exec, spmv_job *job, stn_vector *vector,
                                   const stn_view *x, const stn_view *from, const stn_view *y)
{
    stn_view one, old, updated;
    for (int64_t j = 0; j < x->extent[1]; j++) {
        const stn_slice slices[2] = {stn_slice_all(), stn_slice_index(j)};
        STN_TRY(stn_view_slice(&one, x, 2, slices));
        STN_TRY(stn_view_slice(&old, from, 2, slices));
        STN_TRY(stn_view_slice(&updated, y, 2, slices));
        STN_TRY(multiply_vector(exec, job, vector, &one, &old, &updated));
    }
    return STN_OK;
}

static stn_status multiply_fused(const stn_exec *exec, spmv_job *job, const stn_view *x,
                                 const stn_view *from, const stn_view *y)
{
    stn_vector vector;
    vector.owned = NULL;
    const stn_status status = x->rank == 1 ? multiply_vector(exec, job, &vector, x, from, y)
                                           : multiply_columns(exec, job, &vector, x, from, y);
    stn_free(vector.owned);
    return status;
}

/* ---- which loops ---- */

/* A vector becomes a matrix of one column. */
static stn_status put_columns(stn_view *columns, const stn_view *x)
{
    if (x->rank == 1)
        return stn_view_insert_axis(columns, x, 1);
    *columns = *x;
    return STN_OK;
}

/* Returns whether there are loops for all columns at once. */
static int has_loops(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a)
{
    return stn_columns_support(exec, arithmetic, a) || stn_interleaved_support(exec, arithmetic, a);
}

static stn_status multiply_by_loops(const stn_exec *exec, const spmv_job *job, const stn_view *x,
                                    const stn_view *y)
{
    return (stn_columns_support(exec, job->arithmetic, job->a) ? stn_columns_multiply
                                                               : stn_interleaved_multiply)(
        exec, job->arithmetic, job->alpha, job->a, x, job->beta, y);
}

static stn_status multiply_views(const stn_exec *exec, const spmv_job *job, const stn_view *x,
                                 const stn_view *from, const stn_view *y)
{
    stn_view columns, old, updated;
    STN_TRY(put_columns(&columns, x));
    STN_TRY(put_columns(&old, from));
    STN_TRY(put_columns(&updated, y));
    if (from == y && has_loops(exec, job->arithmetic, job->a))
        return multiply_by_loops(exec, job, &columns, &updated);
    return stn_spmv_rows(exec, job->arithmetic, job->alpha, job->a, &columns, job->beta,
                         from == y ? &updated : &old, &updated);
}

/* Slices are faster column by column, unless columns are strided. */
static int are_columns(const stn_matrix *a, const stn_view *x, const stn_view *y)
{
    return a->kind == STN_MATRIX_SLICED && x->stride[0] == 1 && y->stride[0] == 1;
}

/* y = alpha A x + beta from, where `from` may be y. x and y have rank 1, or rank 2 with any number
 * of columns. */
static stn_status multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_matrix *a, const stn_view *x, double beta,
                           const stn_view *from, const stn_view *y)
{
    spmv_job job = {.a = a, .arithmetic = arithmetic, .alpha = alpha, .beta = beta};
    stn_run run; /* of the values */
    if (stn_matrix_is_complex(a))
        return multiply_views(exec, &job, x, from, y);
    const stn_status result = stn_run_init(&run, arithmetic, &a->storage);
    if (result != STN_OK)
        return stn_error_prefix(result, "stn_spmv: values of %s", stn_matrix_name(a));
    const int is_single = from != y || x->rank == 1 || x->extent[1] == 1;
    job.fused = stn_spmv_is_fusible(a) ? stn_sum_rows_of(exec, a->kind, &run) : NULL;
    const int are_fused = is_single || are_columns(a, x, y);
    if (!job.fused || (!are_fused && has_loops(exec, arithmetic, a)))
        return multiply_views(exec, &job, x, from, y);
    STN_TRY(set_matrix(exec, &job, &run));
    return multiply_fused(exec, &job, x, from, y);
}

/* ---- checks ---- */

/* A matrix in host memory would have to be copied to the device in each call. */
static stn_status check_space(const stn_exec *exec, const stn_matrix *a)
{
    const int is_there = a->memory.space != STN_SPACE_HOST;
    stn_device *const device = stn_exec_device(exec);
    if (is_there && device)
        return stn_remote_expect_here("stn_spmv", device, &a->memory);
    if (!is_there && !device)
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED, "stn_spmv: %s is in %s memory%s", stn_matrix_name(a),
                    stn_space_name((stn_space)a->memory.space),
                    is_there ? ", out of the host's reach"
                             : ": stn_matrix_mirror copies it to the device");
}

stn_status stn_spmv_expect_matrix(const stn_exec *exec, const stn_matrix *a)
{
    STN_TRY(stn_matrix_expect("stn_spmv", a));
    STN_TRY(check_space(exec, a));
    if (a->kind == STN_MATRIX_COO && !a->ascends)
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "stn_spmv: the entries of %s are not sorted by row; stn_sparse_convert converts "
            "them to compressed rows",
            stn_matrix_name(a));
    return STN_OK;
}

stn_status stn_matrix_expect_disjoint(const char *call, const stn_matrix *a, const stn_view *y)
{
    stn_view arrays[STN_ARRAYS];
    STN_TRY(stn_matrix_list_arrays(a, arrays));
    for (int k = 0; k < STN_ARRAYS; k++)
        if (!stn_view_is_empty(&arrays[k]) && stn_view_may_share(y, &arrays[k]))
            return stn_fail(STN_ERR_ALIAS, "%s: %s overlaps the %s of %s", call, stn_view_text(y),
                            k == STN_ARRAY_VALUES   ? "values"
                            : k == STN_ARRAY_SCALES ? "scales"
                                                    : "indices",
                            stn_matrix_name(a));
    return STN_OK;
}

static stn_status check_shapes(const stn_matrix *a, const stn_view *x, const stn_view *y)
{
    const int is_x = a->columns != x->extent[0];
    if (is_x || a->rows != y->extent[0])
        return stn_fail(STN_ERR_SHAPE,
                        "stn_spmv: %s must have %lld %s, one per %s of %s (%lld x %lld)",
                        stn_view_text(is_x ? x : y), (long long)(is_x ? a->columns : a->rows),
                        x->rank == 1 ? "elements" : "rows", is_x ? "column" : "row",
                        stn_matrix_name(a), (long long)a->rows, (long long)a->columns);
    if (x->rank == 2 && x->extent[1] != y->extent[1])
        return stn_fail(STN_ERR_SHAPE, "stn_spmv: %s and %s have different numbers of columns",
                        stn_view_text(x), stn_view_text(y));
    return STN_OK;
}

static stn_status check_operands(const stn_exec *exec, const stn_matrix *a, const stn_view *x,
                                 const stn_view *y)
{
    const int rank = y && y->size == sizeof *y && y->rank == 2 ? 2 : 1;
    STN_TRY(stn_exec_expect("stn_spmv", exec));
    STN_TRY(stn_spmv_expect_matrix(exec, a));
    STN_TRY(stn_operand_expect("stn_spmv", exec, x, rank));
    STN_TRY(stn_operand_expect("stn_spmv", exec, y, rank));
    STN_TRY(stn_view_writable("stn_spmv", y));
    STN_TRY(check_shapes(a, x, y));
    if (!stn_view_is_unique(y))
        return stn_fail(STN_ERR_ALIAS, "stn_spmv: %s repeats one element", stn_view_text(y));
    if (stn_view_may_share(y, x))
        return stn_fail(STN_ERR_ALIAS, "stn_spmv: %s overlaps %s", stn_view_text(y),
                        stn_view_text(x));
    return stn_matrix_expect_disjoint("stn_spmv", a, y);
}

/* ---- real ---- */

static stn_status check_real(const stn_exec *exec, stn_format arithmetic, const stn_matrix *a,
                             const stn_view *x, const stn_view *y)
{
    stn_operand operand;
    stn_run run;
    STN_TRY(stn_operand_init("stn_spmv", exec, arithmetic, y, &operand));
    STN_TRY(stn_operand_init("stn_spmv", exec, arithmetic, x, &operand));
    const stn_status result = stn_run_init(&run, arithmetic, &a->storage);
    return result == STN_OK
               ? STN_OK
               : stn_error_prefix(result, "stn_spmv: values of %s", stn_matrix_name(a));
}

static stn_status spmv(const stn_exec *exec, stn_format arithmetic, double alpha,
                       const stn_matrix *a, const stn_view *x, double beta, const stn_view *y)
{
    STN_TRY(check_operands(exec, a, x, y));
    STN_TRY(check_real(exec, arithmetic, a, x, y));
    if (stn_blas_is(arithmetic, stn_blas_real(alpha), 0.0))
        return stn_blas_scale(&(stn_blas_call){"stn_spmv", exec, arithmetic}, stn_blas_real(beta),
                              y);
    return multiply(exec, arithmetic, alpha, stn_matrix_of_products(a), x, beta, y, y);
}

stn_status stn_spmv(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_matrix *a,
                    const stn_view *x, double beta, const stn_view *y)
{
    if (stn_blas_is_complex(arithmetic))
        return stn_spmv_complex(exec, arithmetic, stn_blas_real(alpha), a, x, stn_blas_real(beta),
                                y);
    STN_RETURN_IN_MODES(spmv(exec, arithmetic, alpha, a, x, beta, y));
}

/* b minus the sum, rounded once: -1 times the sum plus 1 times b. */
stn_status stn_residual_real(const stn_exec *exec, stn_format arithmetic, const stn_view *b,
                             const stn_matrix *a, const stn_view *x, const stn_view *r)
{
    stn_operand operand;
    STN_TRY(check_operands(exec, a, x, r));
    STN_TRY(check_real(exec, arithmetic, a, x, r));
    STN_TRY(stn_operand_expect("stn_spmv", exec, b, r->rank));
    STN_TRY(stn_operand_init("stn_spmv", exec, arithmetic, b, &operand));
    return multiply(exec, arithmetic, -1.0, stn_matrix_of_products(a), x, 1.0, b, r);
}

/* ---- complex: parts of vectors as columns ---- */

/* Returns whether both parts of all columns are contiguous. */
static int are_joined(const stn_view *x)
{
    return x->rank == 1 || x->stride[1] == 1 || x->extent[1] == 1;
}

/* Both parts of all columns as columns of real numbers. */
static stn_status put_parts(stn_view *parts, const stn_view *x)
{
    stn_view numbers;
    STN_TRY(stn_parts_of(&numbers, x));
    if (x->rank == 1) {
        *parts = numbers;
        return STN_OK;
    }
    const stn_slice slices[3] = {stn_slice_all(), stn_slice_all(), stn_slice_index(0)};
    STN_TRY(stn_view_slice(parts, &numbers, 3, slices));
    parts->extent[1] *= 2;
    parts->stride[1] = 1;
    return STN_OK;
}

static stn_format real_of(const stn_blas_call *call)
{
    return call->arithmetic == STN_C128 ? STN_F64 : STN_F32;
}

/* Otherwise the parts are a separate dimension, which the loops support. */
static int has_parts(const stn_blas_call *call, const stn_matrix *a, const stn_view *x)
{
    return !stn_view_mapping(x) && !stn_view_has_scales(x) &&
           (are_joined(x) || has_loops(call->exec, real_of(call), a));
}

static stn_status sum_parts(const stn_blas_call *call, const stn_matrix *a, const stn_view *x,
                            const stn_view *sums)
{
    const spmv_job job = {.a = a, .arithmetic = real_of(call), .alpha = 1.0};
    stn_view from, to;
    if (!are_joined(x) || !are_joined(sums)) {
        STN_TRY(stn_parts_of(&from, x));
        STN_TRY(stn_parts_of(&to, sums));
        return multiply_by_loops(call->exec, &job, &from, &to);
    }
    STN_TRY(put_parts(&from, x));
    STN_TRY(put_parts(&to, sums));
    return multiply(call->exec, job.arithmetic, 1.0, a, &from, 0.0, &to, &to);
}

static stn_status sum_complex(const stn_blas_call *call, const stn_matrix *a, const stn_view *x,
                              const stn_view *sums)
{
    stn_view buffer;
    if (has_parts(call, a, x))
        return sum_parts(call, a, x, sums);
    STN_TRY(stn_blas_workspace(call, "x decoded", x->rank, x->extent, &buffer));
    stn_status status = stn_blas_store(call, &buffer, x);
    if (status == STN_OK)
        status = sum_parts(call, a, &buffer, sums);
    (void)stn_view_release(&buffer);
    return status;
}

static stn_status check_complex(const stn_blas_call *call, const stn_matrix *a, const stn_view *x,
                                const stn_view *y)
{
    const int rank = y && y->size == sizeof *y && y->rank == 2 ? 2 : 1;
    const stn_blas_operand operands[] = {STN_BLAS_OPERAND(x, rank, STN_BLAS_READ),
                                         STN_BLAS_OPERAND(y, rank, STN_BLAS_WRITTEN)};
    stn_run run;
    STN_TRY(stn_exec_expect(call->name, call->exec));
    STN_TRY(stn_spmv_expect_matrix(call->exec, a));
    STN_TRY(stn_blas_check(call, STN_BLAS_COMPLEX, 2, operands));
    STN_TRY(check_shapes(a, x, y));
    STN_TRY(stn_matrix_expect_disjoint("stn_spmv", a, y));
    const stn_status result = stn_run_init(
        &run, stn_matrix_is_complex(a) ? call->arithmetic : real_of(call), &a->storage);
    return result == STN_OK
               ? STN_OK
               : stn_error_prefix(result, "stn_spmv: values of %s", stn_matrix_name(a));
}

/* Initialized to zero, since the kernel reads unused elements. */
static stn_status create_sums(const stn_blas_call *call, const stn_view *y, stn_view *sums)
{
    STN_TRY(stn_blas_workspace(call, "sums of rows", y->rank, y->extent, sums));
    const stn_status status = stn_view_fill(call->exec, sums, 0.0);
    if (status != STN_OK)
        (void)stn_view_release(sums);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call->name);
}

/* Returns whether sums can be stored directly in y. */
static int stores_sums_directly(const stn_blas_call *call, const stn_matrix *a, const stn_view *y)
{
    return stn_exec_has_loops(call->exec) && has_parts(call, a, y) &&
           y->storage.format == call->arithmetic && stn_view_has_plain_elements(y) &&
           !(y->traits & STN_TRAIT_ATOMIC);
}

static stn_status spmv_complex(const stn_blas_call *call, stn_c128 alpha, const stn_matrix *a,
                               const stn_view *x, stn_c128 beta, const stn_view *y)
{
    stn_view sums;
    STN_TRY(check_complex(call, a, x, y));
    if (stn_blas_is(call->arithmetic, alpha, 0.0))
        return stn_blas_scale(call, beta, y);
    a = stn_matrix_of_products(a);
    if (stn_blas_is(call->arithmetic, alpha, 1.0) && stn_blas_is(call->arithmetic, beta, 0.0) &&
        stores_sums_directly(call, a, y))
        return sum_complex(call, a, x, y);
    STN_TRY(create_sums(call, y, &sums));
    stn_status status = sum_complex(call, a, x, &sums);
    if (status == STN_OK)
        status = stn_blas_combine(call, alpha, &sums, beta, y);
    (void)stn_view_release(&sums);
    return status;
}

stn_status stn_spmv_complex(const stn_exec *exec, stn_format arithmetic, stn_c128 alpha,
                            const stn_matrix *a, const stn_view *x, stn_c128 beta,
                            const stn_view *y)
{
    const stn_blas_call call = {"stn_spmv", exec, arithmetic};
    STN_RETURN_IN_MODES(spmv_complex(&call, alpha, a, x, beta, y));
}
