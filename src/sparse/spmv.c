/* spmv: rows of a sparse matrix times a vector, each row summed by the tree over its entries. */
#include "blas/operand.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "sparse/csr.h"
#include "sparse/fused.h"
#include "sparse/slice.h"
#include "view/overlap.h"
#include "view/remote.h"
#include "view/trace.h"

#define STN_TEMPLATE      stn_sparse_fused
#define STN_TEMPLATE_TYPE stn_sparse_fused
#include "format/instance_table.h"

enum { BATCH = 4 * STN_SLICE_ROWS }; /* rows whose sums are stored together */

typedef struct spmv_job {
    const stn_csr *a;
    stn_rows rows;
    stn_operand y;
    stn_sum_rows *fused; /* of the values' format */
    const void *x;       /* in the arithmetic type */
    stn_format arithmetic;
    double alpha, beta;
} spmv_job;

static void write_rows(const spmv_job *job, int64_t first, int64_t count)
{
    double sums[BATCH];
    job->fused(sums, &job->rows, first, count, job->x);
    stn_operand_update(&job->y, job->arithmetic, first, count, job->alpha, sums, job->beta);
}

/* Rows, or slices, before `unit`, and what lies before them: entries, words of columns, rows. */
static int64_t work_before(const stn_csr *a, int64_t unit)
{
    if (a->kind != STN_SPARSE_SLICED)
        return a->row_start[unit] + unit;
    return a->slice_start[2 * unit] + a->slice_start[2 * unit + 1] + unit * STN_SLICE_ROWS;
}

/* The first unit that begins at or behind the share's first part of the work, of which shares have
 * even amounts. */
static int64_t first_unit(const stn_csr *a, int64_t units, int64_t part, int64_t parts)
{
    const int64_t work = work_before(a, units);
    const int64_t goal = work / parts * part + work % parts * part / parts;
    int64_t low = 0, high = units;
    while (low < high) {
        const int64_t unit = low + (high - low) / 2;
        if (work_before(a, unit) < goal)
            low = unit + 1;
        else
            high = unit;
    }
    return part == parts ? units : low;
}

static void spmv_share(void *context, int part, int parts)
{
    const spmv_job *job = context;
    const int is_sliced = job->a->kind == STN_SPARSE_SLICED;
    const int64_t rows = job->a->rows, each = is_sliced ? STN_SLICE_ROWS : 1;
    const int64_t units = is_sliced ? stn_slices_of(rows) : rows;
    const int64_t last = first_unit(job->a, units, part + 1, parts) * each;
    const int64_t end = last < rows ? last : rows;
    for (int64_t row = first_unit(job->a, units, part, parts) * each; row < end; row += BATCH)
        write_rows(job, row, end - row < BATCH ? end - row : BATCH);
}

/* A matrix in host memory would have to be brought to the device in each call. */
static stn_status check_space(const stn_exec *exec, const stn_csr *a)
{
    const int is_there = a->memory.space != STN_SPACE_HOST;
    stn_device *const device = stn_exec_device(exec);
    if (is_there && device)
        return stn_remote_expect_here("stn_spmv", device, &a->memory);
    if (!is_there && !device)
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED, "stn_spmv: %s is in %s memory%s", stn_csr_name(a),
                    stn_space_name((stn_space)a->memory.space),
                    is_there ? ", out of the host's reach"
                             : ": stn_csr_mirror copies it to the device");
}

static stn_status check_operands(const stn_exec *exec, const stn_csr *a, const stn_view *x,
                                 const stn_view *y)
{
    STN_TRY(stn_exec_expect("stn_spmv", exec));
    STN_TRY(stn_csr_expect("stn_spmv", a));
    STN_TRY(check_space(exec, a));
    STN_TRY(stn_operand_expect("stn_spmv", exec, x, 1));
    STN_TRY(stn_operand_expect("stn_spmv", exec, y, 1));
    STN_TRY(stn_view_writable("stn_spmv", y));
    if (a->columns != x->extent[0] || a->rows != y->extent[0])
        return stn_fail(STN_ERR_SHAPE, "stn_spmv: %s (%lld x %lld) times %s does not give %s",
                        stn_csr_name(a), (long long)a->rows, (long long)a->columns,
                        stn_view_words(x), stn_view_words(y));
    if (!stn_view_is_unique(y))
        return stn_fail(STN_ERR_ALIAS, "stn_spmv: %s repeats one element", stn_view_words(y));
    if (stn_view_may_share(y, x))
        return stn_fail(STN_ERR_ALIAS, "stn_spmv: %s overlaps %s", stn_view_words(y),
                        stn_view_words(x));
    stn_csr_array arrays[STN_CSR_ARRAYS];
    stn_csr_list(a, arrays);
    for (int k = 0; k < STN_CSR_ARRAYS; k++) {
        stn_view array;
        STN_TRY(stn_view_wrap_const(&array, arrays[k].name, arrays[k].storage, arrays[k].data, 1,
                                    &arrays[k].count, NULL));
        if (stn_view_may_share(y, &array))
            return stn_fail(STN_ERR_ALIAS, "stn_spmv: %s overlaps the %s of %s", stn_view_words(y),
                            k == STN_CSR_VALUES ? "values" : "indices", stn_csr_name(a));
    }
    return STN_OK;
}

static stn_status spmv(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_csr *a,
                       const stn_view *x, double beta, const stn_view *y)
{
    spmv_job job = {.a = a, .arithmetic = arithmetic, .alpha = alpha, .beta = beta};
    stn_operand operand;
    stn_vector vector;
    stn_run run; /* of the values */
    STN_TRY(check_operands(exec, a, x, y));
    STN_TRY(stn_operand_make("stn_spmv", exec, arithmetic, y, &job.y));
    STN_TRY(stn_operand_make("stn_spmv", exec, arithmetic, x, &operand));
    const stn_status made = stn_run_make(&run, arithmetic, &a->storage);
    if (made != STN_OK)
        return stn_blame(made, "stn_spmv: values of %s", stn_csr_name(a));
    const stn_sparse_fused *const fused =
        exec->kind == STN_EXEC_OPENMP && run.codec ? instances[stn_isa_chosen()][run.real] : NULL;
    if (!fused)
        return stn_spmv_rows(exec, arithmetic, alpha, a, x, beta, y);
    if (a->kind == STN_SPARSE_SLICED)
        job.fused = arithmetic == STN_F64 ? fused->slices_f64 : fused->slices_f32;
    else
        job.fused = arithmetic == STN_F64 ? fused->rows_f64 : fused->rows_f32;
    STN_TRY(stn_vector_make(&operand, 1.0, "stn_spmv: x decoded", &vector));
    job.x = vector.values;
    stn_csr_array arrays[STN_CSR_ARRAYS];
    stn_csr_list(a, arrays);
    job.rows = (stn_rows){arrays[STN_CSR_STARTS].data, arrays[STN_CSR_INDICES].data, a->values,
                          run.affine, arrays[STN_CSR_VALUES].count};
    const uint64_t trace = stn_trace_begin("spmv", y);
    stn_exec_run_worth(exec, 16.0 * (double)a->entries, spmv_share, &job);
    stn_trace_end("spmv", y, trace);
    stn_free(vector.owned);
    return STN_OK;
}

stn_status stn_spmv(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_csr *a,
                    const stn_view *x, double beta, const stn_view *y)
{
    STN_RETURN_IN_MODES(spmv(exec, arithmetic, alpha, a, x, beta, y));
}
