/* Products of compressed rows or of sorted entries with several right-hand sides. If the matrix is
 * complex, two right-hand sides are the parts of one complex vector. */
#include "sparse/product/columns.h"

#include "core/memory.h"
#include "core/status.h"
#include "sparse/product/source.h"
#include "sparse/product/vectors.h"
#include "view/trace.h"

int stn_columns_support(const stn_exec *exec, const stn_matrix *a)
{
    return !stn_matrix_has_slices(a) && stn_source_is_supported(exec, a);
}

typedef struct columns_job {
    stn_row_source source;
    stn_right right;
    stn_vectors vectors;
} columns_job;

static void write_rows(const columns_job *job, int64_t row, int64_t count)
{
    double sums[STN_ROW_BATCH * STN_TILE_MAX_WIDTH];
    stn_source_sum(&job->source, &job->right, sums, row, count);
    stn_vectors_write(&job->vectors, row, count, sums);
}

static void multiply_share(void *context, int part, int parts)
{
    const columns_job *const job = context;
    const int64_t end = stn_source_share(&job->source, part + 1, parts);
    for (int64_t row = stn_source_share(&job->source, part, parts); row < end; row += STN_ROW_BATCH)
        write_rows(job, row, end - row < STN_ROW_BATCH ? end - row : STN_ROW_BATCH);
}

/* ---- the call ---- */

static stn_status open_source(const stn_exec *exec, columns_job *job, const stn_matrix *a)
{
    const stn_format arithmetic = job->vectors.arithmetic;
    const stn_format complex = arithmetic == STN_F64 ? STN_C128 : STN_C64;
    stn_run run;
    STN_TRY(
        stn_run_init_in_modes(&run, stn_matrix_is_complex(a) ? complex : arithmetic, &a->storage));
    return stn_source_open(&job->source, "stn_spmv", exec, arithmetic, &run, a);
}

/* Multiplies up to 16 columns at once. */
static stn_status multiply(const stn_exec *exec, columns_job *job, const stn_matrix *a,
                           const stn_view *y)
{
    const stn_vectors *const vectors = &job->vectors;
    const stn_sparse_tiles *const tiles = stn_sparse_tiles_of(vectors->arithmetic);
    STN_TRY(open_source(exec, job, a));
    const uint64_t trace = stn_trace_begin("spmv", y);
    stn_status status = STN_OK;
    for (int64_t first = 0; first < vectors->columns; first += vectors->count) {
        status = stn_vectors_select(exec, &job->vectors, first);
        if (status != STN_OK)
            break;
        const int loop = stn_vectors_loop(vectors->width);
        const int is_complex = job->source.entries.parts == 2;
        job->right =
            (stn_right){vectors->x, vectors->width,
                        is_complex ? tiles->complex[loop] : tiles->real[loop], vectors->steps};
        stn_exec_run_sized(exec, 16.0 * (double)a->entries, multiply_share, job);
    }
    stn_trace_end("spmv", y, trace);
    return status;
}

stn_status stn_columns_multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                                const stn_matrix *a, const stn_view *x, double beta,
                                const stn_view *y)
{
    columns_job *job = NULL;
    STN_TRY(stn_allocate(&job, 1, sizeof *job, "stn_spmv: several right-hand sides"));
    stn_status status =
        stn_vectors_init(&job->vectors, arithmetic, alpha, x, beta, y, stn_matrix_is_plain(a));
    if (status == STN_OK)
        status = multiply(exec, job, a, y);
    stn_vectors_release(&job->vectors);
    stn_free(job);
    return status;
}
