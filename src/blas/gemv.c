/* gemv: every row is a dot product with x decoded once; a thread walks through ROWS rows side by
 * side. */
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "blas/operand.h"
#include "blas/remote.h"
#include "sum/schedule.h"
#include "steno/blas.h"
#include "view/overlap.h"
#include "view/trace.h"

enum { ROWS = 4, CHUNK = 4 };

typedef struct gemv_job {
    stn_operand a, y;        /* a: the last dimension of row 0 */
    int64_t rows, row_step;  /* positions from row to row */
    const stn_fused *fused;  /* the rows are contiguous codes of this format; or NULL */
    const stn_fused *values; /* loops over decoded tiles */
    const char *x_values;    /* x in the arithmetic type */
    stn_format arithmetic;
    int64_t value_bytes;
    double alpha, beta;
} gemv_job;

/* Sum of a tile that is not full, not contiguous, or of a format without loops. */
static double sum_decoded(const gemv_job *job, int64_t row, int64_t tile)
{
    stn_tile_values a, x;
    const int64_t first = tile * STN_TILE_ELEMENTS, rest = job->a.count - first;
    const int64_t count = rest < STN_TILE_ELEMENTS ? rest : STN_TILE_ELEMENTS;
    stn_read(&job->a.reader, &a, row * job->row_step + first * job->a.stride, job->a.stride, count);
    memcpy(&x, job->x_values + first * job->value_bytes, (size_t)(count * job->value_bytes));
    return stn_tile_dot(job->values, job->arithmetic, &a, &x, count);
}

/* The sums of one tile of `rows` rows. */
static void sum_tile(const gemv_job *job, int64_t first, int64_t rows, int64_t tile, double *sums)
{
    if (!job->fused || (tile + 1) * STN_TILE_ELEMENTS > job->a.count) {
        for (int64_t r = 0; r < rows; r++)
            sums[r] = sum_decoded(job, first + r, tile);
        return;
    }
    (job->arithmetic == STN_F64 ? job->fused->rows_f64 : job->fused->rows_f32)(
        sums, stn_reader_at(&job->a.reader, first * job->row_step + tile * STN_TILE_ELEMENTS),
        job->row_step * job->a.reader.run.bytes, rows, &job->a.reader.run.affine,
        job->x_values + tile * STN_TILE_ELEMENTS * job->value_bytes);
}

/* Tiles of ROWS rows side by side; where there are fewer, the last sums mean nothing. */
static const void *fold_tiles(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                              int64_t count, void *room)
{
    const gemv_job *job = context;
    const int64_t first = group * ROWS, left = job->rows - first;
    double sums[CHUNK][ROWS] = {{0}};
    (void)workspace;
    for (int64_t k = 0; k < count; k++)
        sum_tile(job, first, left < ROWS ? left : ROWS, tile + k, sums[k]);
    stn_fold_leaves(stn_add_of(job->arithmetic), sizeof **sums, sums, ROWS, count);
    return memcpy(room, sums, sizeof *sums);
}

static void store_rows(void *context, int64_t group, int64_t count, const void *states)
{
    const gemv_job *job = context;
    const int64_t first = group * ROWS, left = job->rows - first;
    (void)count;
    stn_operand_update(&job->y, job->arithmetic, first, left < ROWS ? left : ROWS, job->alpha,
                       states, job->beta);
}

static void gemv_run(const stn_exec *exec, gemv_job *job)
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

static stn_status gemv(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *a,
                       const stn_view *x, double beta, const stn_view *y)
{
    gemv_job job = {.arithmetic = arithmetic, .alpha = alpha, .beta = beta};
    stn_operand x_operand;
    stn_vector vector;
    STN_TRY(check_shapes(exec, a, x, y));
    STN_TRY(stn_operand_make("stn_gemv", exec, arithmetic, a, &job.a));
    STN_TRY(stn_operand_make("stn_gemv", exec, arithmetic, x, &x_operand));
    STN_TRY(stn_operand_make("stn_gemv", exec, arithmetic, y, &job.y));
    if (stn_exec_device(exec))
        return stn_gemv_remote(exec, arithmetic, alpha, a, x, beta, y);
    job.rows = a->extent[0];
    job.row_step = job.a.reader.steps[0];
    job.value_bytes = stn_arithmetic_bytes(arithmetic);
    job.fused = job.a.plain_run ? stn_fused_of(job.a.reader.run.real) : NULL;
    job.values = stn_exec_values(exec, arithmetic);
    STN_TRY(stn_vector_make(&x_operand, stn_reader_free_scale(&job.a.reader), "stn_gemv: x decoded",
                            &vector));
    if (vector.factored)
        job.a.reader.run.affine = stn_affine_plain();
    job.x_values = vector.values;
    const uint64_t trace = stn_trace_begin("gemv", y);
    gemv_run(exec, &job);
    stn_trace_end("gemv", y, trace);
    stn_free(vector.owned);
    return STN_OK;
}

/* All of it, checks and last roundings too, in the library's own floating-point modes. */
stn_status stn_gemv(const stn_exec *exec, stn_format arithmetic, double alpha, const stn_view *a,
                    const stn_view *x, double beta, const stn_view *y)
{
    const stn_modes modes = stn_modes_enter();
    const stn_status status = gemv(exec, arithmetic, alpha, a, x, beta, y);
    stn_modes_leave(modes);
    return status;
}
