/* dot: the tree over tiles, fused where both operands have one format. */
#include "core/modes.h"
#include "core/status.h"
#include "blas/operand.h"
#include "blas/remote.h"
#include "blas/sums.h"
#include "sum/schedule.h"
#include "steno/blas.h"
#include "core/event.h"

typedef struct dot_job {
    stn_operand x, y;
    const stn_fused *fused; /* both operands are contiguous codes of this format; or NULL */
    double (*exact_dot)(const void *x, const void *y, int64_t tiles); /* of stn_sums; or NULL */
    const stn_fused *values;                                          /* loops over decoded tiles */
    stn_format arithmetic;
    double factor; /* scales taken out of the tiles' sums */
    double sum;
} dot_job;

/* A tile that is not full, not contiguous, or of two formats. */
static double dot_decoded(const dot_job *job, int64_t tile)
{
    stn_tile_values x, y;
    const int64_t first = tile * STN_TILE_ELEMENTS, rest = job->x.count - first;
    const int64_t count = rest < STN_TILE_ELEMENTS ? rest : STN_TILE_ELEMENTS;
    stn_operand_read(&job->x, first, count, &x);
    stn_operand_read(&job->y, first, count, &y);
    return stn_tile_dot(job->values, job->arithmetic, &x, &y, count);
}

/* Where all sums are exact, one of all tiles stands for each of them: -0 changes no sum. */
static void dot_exactly(const dot_job *job, const void *x, const void *y, int64_t tiles,
                        double *sums)
{
    sums[0] = job->exact_dot(x, y, tiles);
    for (int64_t t = 1; t < tiles; t++)
        sums[t] = -0.0;
}

enum { CHUNK = 8 }; /* tiles */

static void dot_tiles(const dot_job *job, int64_t tile, int64_t count, double *sums)
{
    int64_t done = 0;
    if (job->fused) {
        const int64_t full = job->x.count / STN_TILE_ELEMENTS - tile;
        const void *x = stn_reader_at(&job->x.reader, tile * STN_TILE_ELEMENTS);
        const void *y = stn_reader_at(&job->y.reader, tile * STN_TILE_ELEMENTS);
        done = full < count ? full : count;
        if (done > 0 && job->exact_dot)
            dot_exactly(job, x, y, done, sums);
        else
            (job->arithmetic == STN_F64 ? job->fused->dot_f64 : job->fused->dot_f32)(
                sums, x, &job->x.reader.run.affine, y, &job->y.reader.run.affine, done);
    }
    for (; done < count; done++)
        sums[done] = dot_decoded(job, tile + done);
    if (job->factor != 1.0)
        for (int64_t k = 0; k < count; k++)
            sums[k] *= job->factor;
}

static const void *fold_tiles(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                              int64_t count, void *room)
{
    const dot_job *job = context;
    double sums[CHUNK];
    (void)workspace, (void)group;
    dot_tiles(job, tile, count, sums);
    stn_fold_leaves(stn_add_of(job->arithmetic), sizeof *sums, sums, 1, count);
    return memcpy(room, sums, sizeof *sums);
}

static void store_sum(void *context, int64_t group, int64_t count, const void *state)
{
    dot_job *job = context;
    (void)group, (void)count;
    memcpy(&job->sum, state, sizeof job->sum);
}

/* Scales that may go out of the sums do; a negative one would turn the sign of a sum of +0. */
static void take_scales_out(dot_job *job)
{
    const double x = stn_reader_free_scale(&job->x.reader);
    const double y = stn_reader_free_scale(&job->y.reader);
    job->factor = 1.0;
    if (x <= 0.0 || y <= 0.0)
        return;
    job->factor = x * y;
    job->x.reader.run.affine = job->y.reader.run.affine = stn_affine_plain();
}

static void sum_tiles(const stn_exec *exec, dot_job *job, int64_t tiles)
{
    double values[STN_MOST_BLOCKS];
    stn_sums_job sums = {.combine = stn_add_of(job->arithmetic),
                         .bytes = sizeof *values,
                         .width = 1,
                         .groups = 1,
                         .tiles = tiles,
                         .chunk = CHUNK,
                         .fold = fold_tiles,
                         .store = store_sum,
                         .context = job,
                         .values = values,
                         .value_bytes = sizeof values};
    stn_sums_run(&sums, exec, NULL);
}

/* The sum, traced as a kernel that writes "result". */
static double dot_traced(const stn_exec *exec, dot_job *job, const double *result)
{
    const stn_event_data what = {"result", "host", result, sizeof(double)};
    const int64_t tiles =
        job->x.count / STN_TILE_ELEMENTS + (job->x.count % STN_TILE_ELEMENTS != 0);
    const uint64_t trace = stn_event_is_traced() ? stn_event_kernel_begins("dot", what) : 0;
    sum_tiles(exec, job, tiles);
    if (trace)
        stn_event_kernel_ends("dot", what, trace);
    return job->sum;
}

static stn_status dot(const stn_exec *exec, stn_format arithmetic, double *result,
                      const stn_view *x, const stn_view *y)
{
    dot_job job = {.arithmetic = arithmetic};
    STN_TRY(stn_exec_expect("stn_dot", exec));
    STN_TRY(stn_operand_expect("stn_dot", exec, x, 1));
    STN_TRY(stn_operand_expect("stn_dot", exec, y, 1));
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "stn_dot: result is NULL");
    if (x->extent[0] != y->extent[0])
        return stn_fail(STN_ERR_SHAPE, "stn_dot: %s and %s differ in extent", stn_view_words(x),
                        stn_view_words(y));
    STN_TRY(stn_operand_make("stn_dot", exec, arithmetic, x, &job.x));
    STN_TRY(stn_operand_make("stn_dot", exec, arithmetic, y, &job.y));
    if (stn_exec_device(exec))
        return stn_dot_remote(exec, arithmetic, result, x, y);
    if (job.x.plain_run && job.y.plain_run && job.x.reader.run.real == job.y.reader.run.real)
        job.fused = stn_fused_of(job.x.reader.run.real);
    take_scales_out(&job);
    if (job.fused && arithmetic == STN_F64 && job.x.reader.run.affine.plain &&
        job.y.reader.run.affine.plain)
        job.exact_dot = stn_sums_find(job.x.reader.run.real)->exact_dot;
    job.values = stn_exec_values(exec, arithmetic);
    const double sum = dot_traced(exec, &job, result);
    *result = arithmetic == STN_F64 ? sum : (double)(float)sum;
    return STN_OK;
}

/* All of it, checks and last roundings too, in the library's own floating-point modes. */
stn_status stn_dot(const stn_exec *exec, stn_format arithmetic, double *result, const stn_view *x,
                   const stn_view *y)
{
    const stn_modes modes = stn_modes_enter();
    const stn_status status = dot(exec, arithmetic, result, x, y);
    stn_modes_leave(modes);
    return status;
}
