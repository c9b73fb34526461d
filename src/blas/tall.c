/* Tiles of columns are decoded to values for several rows at a time; their sums are leaves of the
 * tree, as in products of values. */
#include "blas/tall.h"

#include "core/memory.h"
#include "core/status.h"
#include "order/block_loops.h"
#include "order/schedule.h"
#include "view/blocks.h"
#include "view/layout/mapping.h"
#include "view/store.h"
#include "view/trace.h"

enum { MOST_ROWS = STN_TILE_ELEMENTS }; /* of A, of which a tile of columns is decoded */

typedef struct tall_job {
    const stn_tall *of;
    stn_operand from;             /* A', whose rows consist of blocks */
    const stn_fused *values;      /* loops */
    const stn_block_loops *loops; /* of blocks, or NULL */
    stn_blocks blocks;
    const char *x; /* values */
    int64_t block_elements, column_blocks, rows, columns, value_bytes;
    int64_t width; /* rows of a group */
} tall_job;

typedef struct tall_workspace {
    double sums[MOST_ROWS], levels[STN_TREE_LEVELS * MOST_ROWS];
    float narrow[MOST_ROWS];
    _Alignas(64) double panel[STN_TILE_ELEMENTS * MOST_ROWS];
} tall_workspace;
_Static_assert(sizeof(tall_workspace) <= STN_TILES_BYTES, "decoded tiles");

/* The sums over up to a tile of columns, of `count` rows. */
static void sum_tile(const tall_job *job, tall_workspace *buffer, int64_t row, int64_t count,
                     int64_t column, int64_t columns)
{
    const stn_reader *const from = &job->from.reader;
    const stn_affine plain = stn_affine_plain();
    const int is_wide = job->of->arithmetic == STN_F64;
    void *const sums = is_wide ? (void *)buffer->sums : buffer->narrow;
    const void *const x = job->x + column * job->value_bytes;
    const int64_t bytes = count * job->value_bytes;
    if (job->loops && count % STN_LANES == 0) {
        const int64_t block = column * job->column_blocks + row / job->block_elements;
        job->loops->columns(sums, stn_blocks_from(job->blocks, block), job->column_blocks, columns,
                            x, count);
    } else {
        for (int64_t c = 0; c < columns; c++)
            stn_read(from, (char *)buffer->panel + c * bytes,
                     (column + c) * from->steps[0] + row * from->steps[1], from->steps[1], count);
        job->values->columns(sums, buffer->panel, bytes, columns, &plain, x, count);
    }
    for (int64_t r = 0; !is_wide && r < count; r++)
        buffer->sums[r] = (double)buffer->narrow[r];
}

static int64_t rows_of(const tall_job *job, int64_t group)
{
    const int64_t left = job->rows - group * job->width;
    return left < job->width ? left : job->width;
}

static const void *fold(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                        int64_t tiles, void *side)
{
    const tall_job *const job = context;
    tall_workspace *const buffer = (tall_workspace *)(void *)workspace->tiles;
    const int64_t first = tile * STN_TILE_ELEMENTS, left = job->columns - first;
    const int64_t count = rows_of(job, group);
    (void)tiles, (void)side; /* one tile */
    for (int64_t r = count; r < job->width; r++)
        buffer->sums[r] = 0.0;
    sum_tile(job, buffer, group * job->width, count, first,
             left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS);
    return buffer->sums;
}

static void store(void *context, int64_t group, int64_t groups, const void *states)
{
    const tall_job *const job = context;
    const stn_tall *const of = job->of;
    const double *const sums = states;
    const int64_t first = group * job->width, count = rows_of(job, group);
    (void)groups; /* one, as sums have workspaces */
    stn_operand_update(of->y, of->arithmetic, first, count, of->alpha, sums, of->beta);
}

static void find_blocks(tall_job *job, const stn_view *columns)
{
    const stn_format format = columns->storage.format;
    job->block_elements = stn_format_entry_of(format)->info.block_elements;
    job->loops = NULL;
    if (stn_blocks_rows(columns, &job->blocks, &job->column_blocks))
        job->loops = stn_block_loops_of(format, job->of->arithmetic, &job->blocks);
}

int stn_tall_support(const stn_exec *exec, const stn_view *a)
{
    const stn_mapping *const mapping = stn_view_mapping(a);
    return stn_exec_has_loops(exec) && mapping && mapping->store && mapping->store->moves_runs &&
           a->axis[0] == mapping->rank - 1 && a->stride[0] == 1 && a->extent[0] > 1 &&
           a->extent[1] > 0 && stn_fused_of(STN_F64, STN_F64) != NULL;
}

stn_status stn_tall_run(const stn_exec *exec, const stn_tall *of)
{
    static const int turned[] = {1, 0};
    const stn_view *const a = of->a;
    stn_view columns;
    tall_job job = {.of = of,
                    .values = stn_fused_of(of->arithmetic, of->arithmetic),
                    .rows = a->extent[0],
                    .columns = a->extent[1],
                    .value_bytes = stn_arithmetic_bytes(of->arithmetic)};
    STN_TRY(stn_view_permute(&columns, a, 2, turned));
    STN_TRY(stn_operand_init("stn_gemv", exec, of->arithmetic, &columns, &job.from));
    find_blocks(&job, &columns);
    stn_workspaces *workspaces;
    stn_vector x;
    STN_TRY(stn_vector_init(of->x, 1.0, "stn_gemv: x decoded", &x));
    const stn_status status = stn_workspaces_acquire(exec, &workspaces);
    if (status != STN_OK) {
        stn_free(x.owned);
        return status;
    }
    job.x = x.values;
    job.width = job.rows < MOST_ROWS ? job.rows : MOST_ROWS;
    stn_sums_job sums = {.combine = stn_add_of(of->arithmetic),
                         .bytes = sizeof(double),
                         .width = job.width,
                         .groups = (job.rows - 1) / job.width + 1,
                         .tiles = (job.columns - 1) / STN_TILE_ELEMENTS + 1,
                         .chunk = 1,
                         .fetches = 1,
                         .fold = fold,
                         .store = store,
                         .context = &job,
                         .levels = offsetof(tall_workspace, levels),
                         .values = stn_workspaces_shared(workspaces),
                         .value_bytes = STN_SHARED_BYTES};
    const uint64_t trace = stn_trace_begin("gemv", of->y->reader.view);
    stn_sums_run(&sums, exec, workspaces);
    stn_trace_end("gemv", of->y->reader.view, trace);
    stn_workspaces_return(workspaces);
    stn_free(x.owned);
    return STN_OK;
}
