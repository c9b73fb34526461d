/* dot: codes of one format are summed directly by the tree; other operands use the reduction of
 * products. */
#include "core/event.h"
#include "core/modes.h"
#include "core/status.h"
#include "blas/values.h"
#include "steno/blas.h"
#include "steno/reduce.h"
#include "order/block_loops.h"
#include "order/schedule.h"
#include "view/blocks.h"
#include "view/segmented.h"

STN_REDUCE(dot, products, (in(x), in(y)), x, y)

typedef struct dot_job {
    stn_code_sum codes;
    const char *x, *y;
    int64_t count;
    double sum;
    int64_t value_bytes;          /* of y, if y is values rather than codes like x; or 0 */
    const stn_block_loops *loops; /* x is blocks, and y, too, or values */
    stn_blocks x_blocks, y_blocks;
    int64_t block_elements;
    double rest; /* the sum of the incomplete tile of blocks */
} dot_job;

static double sum_blocks(const dot_job *job, int64_t first, int64_t count)
{
    const int64_t tiles = count / STN_TILE_ELEMENTS;
    const double *const rest = count % STN_TILE_ELEMENTS ? &job->rest : NULL;
    const int64_t block = first / job->block_elements;
    const stn_blocks x = stn_blocks_from(job->x_blocks, block);
    double sum;
    if (job->value_bytes == 0)
        return job->loops->dot(x, stn_blocks_from(job->y_blocks, block), tiles, rest);
    job->loops->rows(&sum, x, 0, 1, job->y + first * job->value_bytes, tiles, rest);
    return sum;
}

static double sum_from(const dot_job *job, int64_t first, int64_t count)
{
    double sum;
    if (job->loops)
        return sum_blocks(job, first, count);
    if (job->value_bytes > 0) {
        job->codes.fused->rows(&sum, job->x + first * job->codes.bytes, 0, 1, &job->codes.affine[0],
                               job->y + first * job->value_bytes, count);
        return sum;
    }
    return stn_code_sum_fold(&job->codes, job->x + first * job->codes.bytes,
                             job->y + first * job->codes.bytes, count);
}

static const void *fold_tiles(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                              int64_t count, void *buffer)
{
    const dot_job *job = context;
    const int64_t first = tile * STN_TILE_ELEMENTS, left = job->count - first;
    const int64_t batch = count * STN_TILE_ELEMENTS < left ? count * STN_TILE_ELEMENTS : left;
    const double sum = sum_from(job, first, batch);
    (void)workspace, (void)group;
    return memcpy(buffer, &sum, sizeof sum);
}

static void store_sum(void *context, int64_t group, int64_t count, const void *state)
{
    dot_job *job = context;
    (void)group, (void)count;
    memcpy(&job->sum, state, sizeof job->sum);
}

static void sum_tiles(const stn_exec *exec, dot_job *job)
{
    double values[STN_MAX_BLOCKS];
    stn_sums_job sums = {.combine = stn_add_of(job->codes.arithmetic),
                         .bytes = sizeof *values,
                         .width = 1,
                         .groups = 1,
                         .tiles = (job->count - 1) / STN_TILE_ELEMENTS + 1,
                         .chunk = STN_EXACT_TILES,
                         .fetches = stn_code_sum_fetches(&job->codes),
                         .fold = fold_tiles,
                         .store = store_sum,
                         .context = job,
                         .values = values,
                         .value_bytes = sizeof values};
    stn_sums_run(&sums, exec, NULL);
}

/* A chunk is summed by the calling thread. Traced like the reduction. */
static void sum_all(const stn_exec *exec, dot_job *job, const double *result)
{
    const stn_event_data what = {"result", "host", result, sizeof *result};
    const uint64_t trace = stn_event_is_traced() ? stn_event_kernel_begins("dot", what) : 0;
    if (job->count <= STN_EXACT_TILES * STN_TILE_ELEMENTS)
        job->sum = sum_from(job, 0, job->count);
    else
        sum_tiles(exec, job);
    if (trace)
        stn_event_kernel_ends("dot", what, trace);
}

/* Contiguous codes without scales: of one format, or one of them values. */
static void find_plain(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                       const stn_view *y, dot_job *job)
{
    if (!stn_operand_is_plain(exec, arithmetic, x, 1, 0) ||
        !stn_operand_is_plain(exec, arithmetic, y, 1, 0) || x->extent[0] != y->extent[0])
        return;
    const stn_format from = x->storage.format, by = y->storage.format;
    if (from != by && from != arithmetic && by != arithmetic)
        return;
    stn_code_sum_of_products(&job->codes, from == arithmetic ? by : from, arithmetic);
    job->x = from == arithmetic ? y->data : x->data;
    job->y = from == arithmetic ? x->data : y->data;
    job->value_bytes = from == by ? 0 : stn_arithmetic_bytes(arithmetic);
}

/* The sum of the last elements, fewer than a tile. */
static double sum_rest(const stn_operand *x, const stn_operand *y, stn_format arithmetic,
                       int64_t first, int64_t count)
{
    const stn_affine plain = stn_affine_plain();
    double x_values[STN_TILE_ELEMENTS], y_values[STN_TILE_ELEMENTS];
    stn_operand_read(x, first, count, x_values);
    stn_operand_read(y, first, count, y_values);
    return stn_fused_of(arithmetic, arithmetic)->dot(x_values, &plain, y_values, &plain, count);
}

/* Blocks times the same or values. */
static void find_blocks(dot_job *job, stn_format arithmetic, const stn_operand *x,
                        const stn_operand *y)
{
    const stn_view *const a = x->reader.view, *const b = y->reader.view;
    const stn_block_loops *y_loops;
    int64_t row;
    const int has_x = stn_blocks_rows(a, &job->x_blocks, &row);
    const int has_y = stn_blocks_rows(b, &job->y_blocks, &row);
    const int both = has_x && has_y && a->storage.format == b->storage.format;
    if (!both && !(has_x && y->values) && !(has_y && x->values))
        return;
    const stn_format format = (has_x ? a : b)->storage.format;
    const int64_t count = a->extent[0], rest = count % STN_TILE_ELEMENTS;
    if (!has_x)
        job->x_blocks = job->y_blocks;
    job->loops = stn_block_loops_of(format, arithmetic, &job->x_blocks);
    y_loops = both ? stn_block_loops_of(format, arithmetic, &job->y_blocks) : job->loops;
    if (!y_loops)
        job->loops = NULL;
    if (!job->loops)
        return;
    job->block_elements = stn_format_entry_of(format)->info.block_elements;
    job->value_bytes = both ? 0 : stn_arithmetic_bytes(arithmetic);
    job->y = both ? NULL : stn_reader_at(has_x ? &y->reader : &x->reader, 0);
    if (rest > 0)
        job->rest = sum_rest(x, y, arithmetic, count - rest, rest);
}

/* Any views with contiguous elements. */
static stn_status find_codes(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                             const stn_view *y, dot_job *job)
{
    stn_operand a, b;
    STN_TRY(stn_exec_expect("stn_dot", exec));
    STN_TRY(stn_operand_expect("stn_dot", exec, x, 1));
    STN_TRY(stn_operand_expect("stn_dot", exec, y, 1));
    if (x->extent[0] != y->extent[0])
        return stn_fail(STN_ERR_SHAPE, "stn_dot: %s and %s differ in extent", stn_view_text(x),
                        stn_view_text(y));
    STN_TRY(stn_operand_init("stn_dot", exec, arithmetic, x, &a));
    STN_TRY(stn_operand_init("stn_dot", exec, arithmetic, y, &b));
    if (stn_exec_has_loops(exec))
        find_blocks(job, arithmetic, &a, &b);
    if (!job->loops && a.plain_run && b.plain_run) {
        stn_code_sum_find(&job->codes, exec, arithmetic, &a.reader, &b.reader);
        job->x = x->data;
        job->y = y->data;
        job->value_bytes = 0;
    }
    return STN_OK;
}

/* Segmented views of similar depth, or one, and values. */
static void find_planes(const stn_exec *exec, stn_format arithmetic, const stn_view *x,
                        const stn_view *y, dot_job *job)
{
    stn_view x_plane = *x, y_plane = *y;
    stn_affine x_affine, y_affine;
    const int has_x = stn_view_as_planes(x, &x_plane, &x_affine);
    const int has_y = stn_view_as_planes(y, &y_plane, &y_affine);
    if ((!has_x && !has_y) || !stn_operand_is_plain(exec, arithmetic, &x_plane, 1, 0) ||
        !stn_operand_is_plain(exec, arithmetic, &y_plane, 1, 0) ||
        (!has_x && x->storage.format != arithmetic) ||
        (!has_y && y->storage.format != arithmetic) ||
        (has_x && has_y && x_affine.plain != y_affine.plain))
        return;
    stn_code_sum_of_planes(&job->codes, arithmetic, has_x ? &x_affine : &y_affine,
                           has_y ? &y_affine : &x_affine);
    job->x = has_x ? x_plane.data : y_plane.data;
    job->y = has_x ? y_plane.data : x_plane.data;
    job->value_bytes = has_x && has_y ? 0 : stn_arithmetic_bytes(arithmetic);
}

static stn_status dot(const stn_exec *exec, stn_format arithmetic, double *result,
                      const stn_view *x, const stn_view *y)
{
    const stn_blas_call call = {"stn_dot", exec, arithmetic};
    dot_job job;
    stn_values values;
    if (result && !stn_blas_is_complex(arithmetic) && stn_values_read_both(&values, &call, x, y)) {
        *result = stn_values_dot(&values);
        return STN_OK;
    }
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "stn_dot: result is NULL");
    job.codes.fused = NULL;
    job.codes.arithmetic = arithmetic;
    job.codes.bytes = 0;
    job.value_bytes = 0;
    job.loops = NULL;
    find_plain(exec, arithmetic, x, y, &job);
    if (!job.codes.fused) {
        STN_TRY(find_codes(exec, arithmetic, x, y, &job));
        if (!job.codes.fused && !job.loops)
            find_planes(exec, arithmetic, x, y, &job);
    }
    if (!job.codes.fused && !job.loops)
        return dot_reduce(exec, arithmetic, result, x, y);
    job.count = x->extent[0];
    sum_all(exec, &job, result);
    *result = arithmetic == STN_F64 ? job.sum : (double)(float)job.sum;
    return STN_OK;
}

stn_status stn_dot(const stn_exec *exec, stn_format arithmetic, double *result, const stn_view *x,
                   const stn_view *y)
{
    STN_RETURN_IN_MODES(dot(exec, arithmetic, result, x, y));
}
