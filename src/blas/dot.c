/* dot: codes of one format go straight into the tree; all else is the reduction of products. */
#include "core/event.h"
#include "core/modes.h"
#include "core/status.h"
#include "blas/operand.h"
#include "steno/blas.h"
#include "steno/reduce.h"
#include "sum/schedule.h"

STN_REDUCE(dot, products, (in(x), in(y)), x, y)

typedef struct dot_job {
    stn_operand x, y;
    stn_code_sum codes;
    double sum;
} dot_job;

static const void *fold_tiles(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                              int64_t count, void *room)
{
    const dot_job *job = context;
    const int64_t first = tile * STN_TILE_ELEMENTS, left = job->x.count - first;
    const int64_t some = count * STN_TILE_ELEMENTS < left ? count * STN_TILE_ELEMENTS : left;
    const double sum = stn_code_sum_fold(&job->codes, stn_reader_at(&job->x.reader, first),
                                         stn_reader_at(&job->y.reader, first), some);
    (void)workspace, (void)group;
    return memcpy(room, &sum, sizeof sum);
}

static void store_sum(void *context, int64_t group, int64_t count, const void *state)
{
    dot_job *job = context;
    (void)group, (void)count;
    memcpy(&job->sum, state, sizeof job->sum);
}

static void sum_tiles(const stn_exec *exec, dot_job *job)
{
    enum { CHUNK = 8 };
    double values[STN_MOST_BLOCKS];
    if (job->x.count <= CHUNK * STN_TILE_ELEMENTS) { /* a chunk, for the calling thread */
        job->sum = stn_code_sum_fold(&job->codes, stn_reader_at(&job->x.reader, 0),
                                     stn_reader_at(&job->y.reader, 0), job->x.count);
        return;
    }
    stn_sums_job sums = {.combine = stn_add_of(job->codes.arithmetic),
                         .bytes = sizeof *values,
                         .width = 1,
                         .groups = 1,
                         .tiles = job->x.count / STN_TILE_ELEMENTS +
                                  (job->x.count % STN_TILE_ELEMENTS != 0),
                         .chunk = job->codes.is_exact ? STN_EXACT_TILES : CHUNK,
                         .fold = fold_tiles,
                         .store = store_sum,
                         .context = job,
                         .values = values,
                         .value_bytes = sizeof values};
    stn_sums_run(&sums, exec, NULL);
}

/* Traced as the reduction is. */
static void sum_traced(const stn_exec *exec, dot_job *job, const double *result)
{
    const stn_event_data what = {"result", "host", result, sizeof *result};
    const uint64_t trace = stn_event_is_traced() ? stn_event_kernel_begins("dot", what) : 0;
    sum_tiles(exec, job);
    if (trace)
        stn_event_kernel_ends("dot", what, trace);
}

static stn_status dot(const stn_exec *exec, stn_format arithmetic, double *result,
                      const stn_view *x, const stn_view *y)
{
    dot_job job;
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
    job.codes.fused = NULL;
    if (job.x.plain_run && job.y.plain_run)
        stn_code_sum_find(&job.codes, exec, arithmetic, &job.x.reader, &job.y.reader);
    if (!job.codes.fused)
        return dot_reduce(exec, arithmetic, result, x, y);
    job.sum = 0.0;
    sum_traced(exec, &job, result);
    *result = arithmetic == STN_F64 ? job.sum : (double)(float)job.sum;
    return STN_OK;
}

stn_status stn_dot(const stn_exec *exec, stn_format arithmetic, double *result, const stn_view *x,
                   const stn_view *y)
{
    STN_RETURN_IN_MODES(dot(exec, arithmetic, result, x, y));
}
