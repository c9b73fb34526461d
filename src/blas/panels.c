/* Chunks of a matrix's columns: contiguous codes in place, otherwise values that are read into a
 * panel. */
#include "blas/panels.h"

#include "core/memory.h"
#include "core/status.h"
#include "core/tune.h"
#include "order/block_loops.h"
#include "order/schedule.h"
#include "view/blocks.h"
#include "view/trace.h"
#include "view/scales.h"

enum {
    CHUNK_BYTES = 224 << 10, /* bytes of A: for an L2 cache of at least 512 KiB */
    MAX_SUMS = 2 * STN_TILE_ELEMENTS,
    MAX_COLUMNS = 16 * STN_TILE_ELEMENTS,
    SIDE = 4 /* rows whose next columns are prefetched during multiplication */
};

/* Codes in place with one scale, or, in complete tiles, with one per 32 codes, or of a block
 * format; else values. */
typedef enum way { BY_ONE, BY_BLOCKS, BY_BLOCK_FORMAT, BY_VALUES } way;

typedef struct panels_job {
    const stn_panels *of;
    const stn_fused *codes, *values; /* loops */
    stn_operand a;
    stn_affine affine; /* of codes */
    way way;
    int64_t rows, columns, row_bytes, a_bytes, value_bytes;
    const stn_block_loops *block_loops; /* of a block format */
    stn_blocks blocks;
    int64_t row_blocks, block_elements, block_bytes;
} panels_job;

/* Workspace of a thread; `columns`: sums of columns, and y rotated by 90 degrees; `rests`: sums of
 * rows of the incomplete tile. */
typedef struct panels_workspace {
    double columns[MAX_COLUMNS], sums[MAX_SUMS], rests[MAX_SUMS];
    double levels[STN_TREE_LEVELS * MAX_SUMS];
    _Alignas(64) char panel[CHUNK_BYTES];
} panels_workspace;
_Static_assert(sizeof(panels_workspace) <= STN_TILES_BYTES, "panel buffers");

/* Columns first to first + count - 1 of all rows. */
typedef struct panel {
    way way;
    const char *codes;
    int64_t row_bytes, first, count;
    stn_blocks blocks;
} panel;

static panel read_panel(const panels_job *job, char *buffer, int64_t first, int64_t count)
{
    const stn_reader *const from = &job->a.reader;
    const int64_t row_bytes = count * job->value_bytes;
    if (job->way == BY_BLOCK_FORMAT && count % STN_TILE_ELEMENTS == 0)
        return (panel){.way = BY_BLOCK_FORMAT,
                       .first = first,
                       .count = count,
                       .blocks = stn_blocks_from(job->blocks, first / job->block_elements)};
    if (job->way == BY_ONE || (job->way == BY_BLOCKS && count % STN_TILE_ELEMENTS == 0))
        return (panel){.way = job->way,
                       .codes = (const char *)job->of->a->data + first * job->a_bytes,
                       .row_bytes = job->row_bytes,
                       .first = first,
                       .count = count};
    for (int64_t row = 0; row < job->rows; row++)
        stn_read(from, buffer + row * row_bytes, row * from->steps[0] + first * from->steps[1],
                 from->steps[1], count);
    return (panel){
        .way = BY_VALUES, .codes = buffer, .row_bytes = row_bytes, .first = first, .count = count};
}

/* ---- columns ---- */

static void sum_codes(const panels_job *job, int part, void *sums, const panel *current)
{
    const stn_affine plain = stn_affine_plain();
    const void *const x = job->of->x[part];
    if (current->way == BY_BLOCK_FORMAT)
        job->block_loops->columns(sums, current->blocks, job->row_blocks, job->rows, x,
                                  current->count);
    else if (current->way == BY_VALUES)
        job->values->columns(sums, current->codes, current->row_bytes, job->rows, &plain, x,
                             current->count);
    else
        (current->way == BY_ONE ? job->codes->columns : job->codes->block_columns)(
            sums, current->codes, current->row_bytes, job->rows, &job->affine, x, current->count);
}

static void sum_columns(const panels_job *job, int part, double *sums, const panel *current)
{
    float narrow[MAX_COLUMNS];
    const int is_wide = job->of->arithmetic == STN_F64;
    sum_codes(job, part, is_wide ? (void *)sums : narrow, current);
    for (int64_t c = 0; !is_wide && c < current->count; c++)
        sums[c] = (double)narrow[c];
}

/* y = y + alpha i sums, as in the kernel of pairs.c. */
static void add_rotated(void *values, stn_format arithmetic, int64_t count, double alpha,
                        const double *sums)
{
    double *const wide = values;
    float *const narrow = values;
    for (int64_t c = 0; arithmetic == STN_F64 && c < count; c += 2) {
        wide[c] -= alpha * sums[c + 1];
        wide[c + 1] += alpha * sums[c];
    }
    for (int64_t c = 0; arithmetic == STN_F32 && c < count; c += 2) {
        narrow[c] -= (float)alpha * (float)sums[c + 1];
        narrow[c + 1] += (float)alpha * (float)sums[c];
    }
}

static void update_columns(const panels_job *job, double *sums, const panel *current)
{
    const stn_panels *const of = job->of;
    char *const y = (char *)of->y + current->first * job->value_bytes;
    sum_columns(job, 0, sums, current);
    stn_update_values(y, of->arithmetic, current->count, of->alpha, sums, of->beta);
    if (of->parts == 1)
        return;
    sum_columns(job, 1, sums, current);
    add_rotated(y, of->arithmetic, current->count, of->alpha, sums);
}

/* ---- rows ---- */

static void sum_rows(const panels_job *job, double *sums, const panel *current, const void *y,
                     int64_t row, int64_t rows, const double *rests)
{
    const stn_affine plain = stn_affine_plain();
    const char *const codes = current->codes ? current->codes + row * current->row_bytes : NULL;
    if (current->way == BY_BLOCK_FORMAT)
        job->block_loops->rows(sums + row, stn_blocks_from(current->blocks, row * job->row_blocks),
                               job->row_blocks, rows, y, current->count / STN_TILE_ELEMENTS,
                               rests ? rests + row : NULL);
    else if (current->way == BY_VALUES)
        job->values->rows(sums + row, codes, current->row_bytes, rows, &plain, y, current->count);
    else
        (current->way == BY_ONE ? job->codes->rows : job->codes->block_rows)(
            sums + row, codes, current->row_bytes, rows, &job->affine, y, current->count);
}

/* -i y. */
static const void *rotate_back(stn_format arithmetic, void *buffer, const void *y, int64_t count)
{
    const double *const wide = y;
    const float *const narrow = y;
    for (int64_t c = 0; arithmetic == STN_F64 && c < count; c += 2) {
        ((double *)buffer)[c] = wide[c + 1];
        ((double *)buffer)[c + 1] = -wide[c];
    }
    for (int64_t c = 0; arithmetic == STN_F32 && c < count; c += 2) {
        ((float *)buffer)[c] = narrow[c + 1];
        ((float *)buffer)[c + 1] = -narrow[c];
    }
    return buffer;
}

/* Prefetches the columns after these in a number of rows, with their scales. Loops over blocks of a
 * block format prefetch automatically. */
static void fetch_rows(const panels_job *job, const panel *current, int64_t row, int64_t rows)
{
    const int64_t after = job->columns - current->first - current->count;
    const int64_t next = after < current->count ? after : current->count;
    const int64_t element = current->first + current->count, stride = job->of->a->stride[0];
    const int64_t bytes = current->count * job->a_bytes;
    if (current->way == BY_VALUES || current->way == BY_BLOCK_FORMAT)
        return;
    for (int64_t r = row; r < row + rows; r++) {
        stn_prefetch(current->codes + bytes + r * current->row_bytes,
                     bytes * next / current->count);
        if (current->way == BY_BLOCKS)
            stn_prefetch(job->affine.blocks + (r * stride + element) / STN_BLOCK,
                         next / STN_BLOCK * (int64_t)sizeof(float));
    }
}

/* `rests`: sums of the incomplete tile that follows the panel, or NULL. */
static void multiply_rows(const panels_job *job, panels_workspace *buffer, double *sums,
                          const panel *current, const double *rests)
{
    const stn_panels *const of = job->of;
    const char *const y = (const char *)of->y + current->first * job->value_bytes;
    const void *const turned =
        of->parts == 2 ? rotate_back(of->arithmetic, buffer->columns, y, current->count) : NULL;
    for (int64_t row = 0; row < job->rows; row += SIDE) {
        const int64_t rows = job->rows - row < SIDE ? job->rows - row : SIDE;
        fetch_rows(job, current, row, rows);
        sum_rows(job, sums, current, y, row, rows, rests);
        if (turned)
            sum_rows(job, sums + job->rows, current, turned, row, rows,
                     rests ? rests + job->rows : NULL);
    }
}

/* ---- chunks ---- */

/* Columns and rows of a panel. */
static void multiply_panel(const panels_job *job, panels_workspace *buffer, double *sums,
                           int64_t first, int64_t count, const double *rests)
{
    const panel current = read_panel(job, buffer->panel, first, count);
    if (job->of->x[0])
        update_columns(job, buffer->columns, &current);
    multiply_rows(job, buffer, sums, &current, rests);
}

/* Of a block format, an incomplete tile is a panel of values. */
static const void *fold(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                        int64_t tiles, void *side)
{
    const panels_job *const job = context;
    panels_workspace *const buffer = (panels_workspace *)(void *)workspace->tiles;
    const int64_t first = tile * STN_TILE_ELEMENTS, left = job->columns - first;
    const int64_t count = left < tiles * STN_TILE_ELEMENTS ? left : tiles * STN_TILE_ELEMENTS;
    const int64_t rest = job->way == BY_BLOCK_FORMAT ? count % STN_TILE_ELEMENTS : 0;
    double *const rests = rest > 0 && rest < count ? buffer->rests : buffer->sums;
    (void)group, (void)side;
    if (rest > 0)
        multiply_panel(job, buffer, rests, first + count - rest, rest, NULL);
    if (rest < count)
        multiply_panel(job, buffer, buffer->sums, first, count - rest, rest > 0 ? rests : NULL);
    return buffer->sums;
}

static void store(void *context, int64_t group, int64_t count, const void *states)
{
    const panels_job *const job = context;
    const stn_panels *const of = job->of;
    const double *const sums = states;
    (void)group, (void)count;
    for (int part = 0; part < of->parts; part++)
        stn_operand_update(of->z[part], of->arithmetic, 0, job->rows, of->factor,
                           sums + part * job->rows, of->z_beta);
}

/* Tiles of a chunk: codes that are read in place once need no limit, nor do loops over columns
 * only, which prefetch by themselves. The chunk of an incomplete tile with scales per 32 codes is
 * read as values. */
static int64_t choose_chunk(const panels_job *job)
{
    const int has_values = job->way == BY_VALUES || (job->way == BY_BLOCKS && job->of->z[0] &&
                                                     job->columns % STN_TILE_ELEMENTS != 0);
    const int64_t bytes = job->way == BY_ONE ? job->a_bytes
                          : job->way == BY_BLOCK_FORMAT
                              ? (job->block_bytes - 1) / job->block_elements + 1
                              : job->value_bytes;
    int64_t tiles = MAX_COLUMNS / STN_TILE_ELEMENTS;
    if (!has_values && (!job->of->z[0] || !job->of->x[0]))
        return tiles;
    while (tiles > 1 && tiles * STN_TILE_ELEMENTS * job->rows * bytes > CHUNK_BYTES)
        tiles /= 2;
    return tiles;
}

static void multiply(const stn_exec *exec, panels_job *job, stn_workspaces *workspaces)
{
    stn_sums_job sums = {.combine = stn_add_of(job->of->arithmetic),
                         .bytes = sizeof(double),
                         .width = job->of->parts * job->rows,
                         .groups = 1,
                         .tiles = (job->columns - 1) / STN_TILE_ELEMENTS + 1,
                         .chunk = choose_chunk(job),
                         .fetches = 1,
                         .fold = fold,
                         .store = store,
                         .context = job,
                         .levels = offsetof(panels_workspace, levels),
                         .values = stn_workspaces_shared(workspaces),
                         .value_bytes = STN_SHARED_BYTES};
    stn_sums_run(&sums, exec, workspaces);
}

/* ---- columns only: threads process chunks, and the incomplete tile separately ---- */

static void update_chunk(const panels_job *job, panels_workspace *buffer, int64_t first,
                         int64_t count)
{
    const int has_blocks = job->way == BY_BLOCKS || job->way == BY_BLOCK_FORMAT;
    const int64_t rest = has_blocks ? count % STN_TILE_ELEMENTS : 0;
    const panel full = read_panel(job, buffer->panel, first, count - rest);
    update_columns(job, buffer->columns, &full);
    if (rest > 0) {
        const panel last = read_panel(job, buffer->panel, first + count - rest, rest);
        update_columns(job, buffer->columns, &last);
    }
}

static void update_share(void *context, stn_workspace *workspace, int part, int parts)
{
    const panels_job *const job = context;
    panels_workspace *const buffer = (panels_workspace *)(void *)workspace->tiles;
    const int64_t maximum = choose_chunk(job) * STN_TILE_ELEMENTS;
    int64_t begin, end;
    stn_share((job->columns - 1) / STN_TILE_ELEMENTS + 1, part, parts, &begin, &end);
    begin *= STN_TILE_ELEMENTS;
    end = end * STN_TILE_ELEMENTS < job->columns ? end * STN_TILE_ELEMENTS : job->columns;
    for (int64_t c = begin; c < end; c += maximum)
        update_chunk(job, buffer, c, end - c < maximum ? end - c : maximum);
}

static void update(const stn_exec *exec, panels_job *job, stn_workspaces *workspaces)
{
    const double bytes = (double)job->rows * (double)job->columns * (double)job->value_bytes;
    stn_workspaces_run(workspaces, stn_is_for_one_thread(bytes) ? 1 : exec->threads, update_share,
                       job);
}

/* ---- selection ---- */

/* Are scales arranged like codes, one per 32 codes? */
static int has_scales(const stn_view *a, const stn_scales *scales)
{
    return scales->data && a->stride[1] == 1 && scales->format == STN_F32 &&
           scales->dimension == 1 && scales->block == STN_BLOCK && scales->phase == 0 &&
           scales->stride[1] == 1 && scales->stride[0] * STN_BLOCK == a->stride[0] &&
           a->storage.zero == 0.0;
}

static int find_blocks(panels_job *job)
{
    const stn_view *const a = job->of->a;
    const stn_format_info *const info = &stn_format_entry_of(a->storage.format)->info;
    if (!stn_blocks_rows(a, &job->blocks, &job->row_blocks))
        return 0;
    job->block_elements = info->block_elements;
    job->block_bytes = info->block_bytes;
    job->block_loops = stn_block_loops_of(a->storage.format, job->of->arithmetic, &job->blocks);
    return job->block_loops != NULL;
}

static void choose_method(panels_job *job)
{
    const stn_view *const a = job->of->a;
    const stn_format arithmetic = job->of->arithmetic;
    const stn_run *const run = &job->a.reader.run;
    job->values = stn_fused_of(arithmetic, arithmetic);
    job->codes = run->codec && !run->portable ? stn_fused_of(run->real, arithmetic) : NULL;
    job->affine = run->affine;
    job->way = job->codes && job->a.plain_run ? BY_ONE : BY_VALUES;
    if (find_blocks(job)) {
        job->way = BY_BLOCK_FORMAT;
        return;
    }
    const stn_scales scales = stn_scales_of(a);
    if (job->way == BY_ONE || !job->codes || !job->codes->block_rows || !has_scales(a, &scales))
        return;
    job->affine.codes = a->data;
    job->affine.blocks = scales.data;
    job->way = BY_BLOCKS;
}

static void set_job(panels_job *job)
{
    const stn_view *const a = job->of->a;
    choose_method(job);
    job->rows = a->extent[0];
    job->columns = a->extent[1];
    job->value_bytes = stn_arithmetic_bytes(job->of->arithmetic);
    job->a_bytes = job->a.reader.run.bytes;
    job->row_bytes = a->stride[0] * job->a_bytes;
}

int stn_panels_support(const stn_exec *exec, const stn_view *a)
{
    return stn_exec_has_loops(exec) && a->extent[0] > 0 && a->extent[0] <= STN_TILE_ELEMENTS &&
           a->extent[1] > STN_TILE_ELEMENTS && stn_fused_of(STN_F64, STN_F64) != NULL;
}

stn_status stn_panels_run(const char *call, const stn_exec *exec, const stn_panels *of,
                          const stn_view *output)
{
    const char *const name = of->x[0] && of->z[0] ? "gemvt" : "gemv";
    panels_job job = {.of = of};
    stn_workspaces *workspaces;
    STN_TRY(stn_operand_init(call, exec, of->arithmetic, of->a, &job.a));
    STN_TRY(stn_workspaces_acquire(exec, &workspaces));
    set_job(&job);
    const uint64_t trace = stn_trace_begin(name, output);
    (of->z[0] ? multiply : update)(exec, &job, workspaces);
    stn_trace_end(name, output, trace);
    stn_workspaces_return(workspaces);
    return STN_OK;
}
