/* gemv: every row is a dot product with x decoded once; a thread walks through ROWS rows of codes
 * side by side. All else is the reduction of products, and a kernel for what becomes of the sums.
 */
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "blas/band.h"
#include "blas/call.h"
#include "blas/operand.h"
#include "steno/blas.h"
#include "steno/reduce.h"
#include "sum/schedule.h"
#include "view/overlap.h"
#include "view/trace.h"

STN_REDUCE(rows, products, (in(a), in(x)), a, x)

enum { ROWS = 4, CHUNK = 4 };

typedef struct gemv_job {
    stn_operand a, y;       /* a: the last dimension of row 0 */
    int64_t rows, row_step; /* positions from row to row */
    const stn_fused *fused; /* the rows are contiguous codes of this format */
    const char *x_values;   /* x in the arithmetic type */
    stn_format arithmetic;
    int64_t value_bytes;
    double alpha, beta;
} gemv_job;

/* The sums of one tile of `rows` rows. */
static void sum_tile(const gemv_job *job, int64_t row, int64_t rows, int64_t tile, double *sums)
{
    const int64_t first = tile * STN_TILE_ELEMENTS, left = job->a.count - first;
    job->fused->rows(sums, stn_reader_at(&job->a.reader, row * job->row_step + first),
                     job->row_step * job->a.reader.run.bytes, rows, &job->a.reader.run.affine,
                     job->x_values + first * job->value_bytes,
                     left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS);
}

/* Tiles of ROWS rows side by side; where there are fewer, the last sums mean nothing. */
static const void *fold_tiles(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                              int64_t count, void *room)
{
    const gemv_job *job = context;
    const int64_t first = group * ROWS, left = job->rows - first;
    double leaves[CHUNK][ROWS], (*sums)[ROWS] = count > 1 ? leaves : room;
    (void)workspace;
    for (int64_t k = 0; k < count; k++) {
        for (int64_t r = left; r < ROWS; r++)
            sums[k][r] = 0.0;
        sum_tile(job, first, left < ROWS ? left : ROWS, tile + k, sums[k]);
    }
    if (count == 1)
        return room;
    stn_fold_leaves(stn_add_of(job->arithmetic), sizeof **sums, sums, ROWS, count);
    return memcpy(room, sums, sizeof *sums);
}

static void store_rows(void *context, int64_t group, int64_t count, const void *states)
{
    const gemv_job *job = context;
    const int64_t first = group * ROWS, left = job->rows - first;
    stn_operand_update(&job->y, job->arithmetic, first, left < count * ROWS ? left : count * ROWS,
                       job->alpha, states, job->beta);
}

/* Rows of a tile, as many as one thread sums. */
static int is_small(const gemv_job *job)
{
    return job->rows > 0 && job->rows <= STN_TILE_ELEMENTS && job->a.count > 0 &&
           job->a.count <= STN_TILE_ELEMENTS;
}

static void gemv_small(const gemv_job *job)
{
    double sums[STN_TILE_ELEMENTS];
    sum_tile(job, 0, job->rows, 0, sums);
    stn_operand_update(&job->y, job->arithmetic, 0, job->rows, job->alpha, sums, job->beta);
}

static void gemv_rows(const stn_exec *exec, gemv_job *job)
{
    double values[STN_MOST_BLOCKS];
    stn_sums_job sums = {.combine = stn_add_of(job->arithmetic),
                         .bytes = sizeof *values,
                         .width = ROWS,
                         .groups = (job->rows + ROWS - 1) / ROWS,
                         .tiles = job->a.count / STN_TILE_ELEMENTS +
                                  (job->a.count % STN_TILE_ELEMENTS != 0),
                         .chunk = CHUNK,
                         .fold = fold_tiles,
                         .store = store_rows,
                         .context = job,
                         .values = values,
                         .value_bytes = sizeof values};
    const double none[ROWS] = {0};
    if (sums.tiles > 0)
        stn_sums_run(&sums, exec, NULL);
    else
        for (int64_t group = 0; group < sums.groups; group++)
            store_rows(job, group, 1, none);
}

static stn_status check_shapes(const stn_exec *exec, const stn_view *a, const stn_view *x,
                               const stn_view *y)
{
    STN_TRY(stn_exec_expect("stn_gemv", exec));
    STN_TRY(stn_operand_expect("stn_gemv", exec, a, 2));
    STN_TRY(stn_operand_expect("stn_gemv", exec, x, 1));
    STN_TRY(stn_operand_expect("stn_gemv", exec, y, 1));
    STN_TRY(stn_view_writable("stn_gemv", y));
    if (a->extent[1] != x->extent[0] || a->extent[0] != y->extent[0])
        return stn_fail(STN_ERR_SHAPE, "stn_gemv: %s times %s does not give %s", stn_view_words(a),
                        stn_view_words(x), stn_view_words(y));
    if (stn_view_may_share(y, a) || stn_view_may_share(y, x))
        return stn_fail(STN_ERR_ALIAS, "stn_gemv: %s overlaps an operand", stn_view_words(y));
    if (!stn_view_is_unique(y))
        return stn_fail(STN_ERR_ALIAS, "stn_gemv: %s repeats one element", stn_view_words(y));
    return STN_OK;
}

static stn_status multiply_rows(const stn_exec *exec, gemv_job *job, const stn_operand *x,
                                const stn_view *y)
{
    stn_vector vector;
    STN_TRY(
        stn_vector_make(x, stn_reader_free_scale(&job->a.reader), "stn_gemv: x decoded", &vector));
    if (vector.factored)
        job->a.reader.run.affine = stn_affine_plain();
    job->x_values = vector.values;
    const uint64_t trace = stn_trace_begin("gemv", y);
    if (is_small(job))
        gemv_small(job);
    else
        gemv_rows(exec, job);
    stn_trace_end("gemv", y, trace);
    stn_free(vector.owned);
    return STN_OK;
}

/* A and x. */
static stn_status sum_any(const stn_blas_call *call, const stn_view *result, const void *context)
{
    const stn_view *const *operands = context;
    return rows_reduce_into(call->exec, call->arithmetic, 2, result, operands[0], operands[1]);
}

static stn_status multiply(const stn_exec *exec, stn_format arithmetic, double alpha,
                           const stn_view *a, const stn_view *x, double beta, const stn_view *y)
{
    gemv_job job; /* large: only what is used is set */
    stn_operand x_operand;
    job.arithmetic = arithmetic;
    job.alpha = alpha;
    job.beta = beta;
    job.fused = NULL;
    STN_TRY(check_shapes(exec, a, x, y));
    STN_TRY(stn_operand_make("stn_gemv", exec, arithmetic, a, &job.a));
    STN_TRY(stn_operand_make("stn_gemv", exec, arithmetic, x, &x_operand));
    STN_TRY(stn_operand_make("stn_gemv", exec, arithmetic, y, &job.y));
    if (job.a.plain_run)
        job.fused = stn_fused_of(job.a.reader.run.real, arithmetic);
    if (!job.fused || stn_blas_is(arithmetic, stn_blas_real(alpha), 0.0)) {
        const stn_blas_call call = {"stn_gemv", exec, arithmetic};
        const stn_view *const operands[] = {a, x};
        if (stn_blas_is_banded(a))
            return stn_blas_update_banded(&call, 0, stn_blas_real(alpha), a, x, stn_blas_real(beta),
                                          y);
        return stn_blas_update(&call, sum_any, operands, stn_blas_real(alpha), stn_blas_real(beta),
                               y);
    }
    job.rows = a->extent[0];
    job.row_step = job.a.reader.steps[0];
    job.value_bytes = stn_arithmetic_bytes(arithmetic);
    return multiply_rows(exec, &job, &x_operand, y);
}

stn_status stn_gemv(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *a,
                    const stn_view *x, double beta, const stn_view *y)
{
    if (stn_blas_is_complex(arithmetic))
        return stn_gemv_complex(exec, arithmetic, stn_blas_real(alpha), STN_AS_STORED, a, x,
                                stn_blas_real(beta), y);
    STN_RETURN_IN_MODES(multiply(exec, arithmetic, alpha, a, x, beta, y));
}
