/* Blocks of rows and columns. If the columns of a view are far apart in memory and its rows are
 * adjacent, its part of a block is a panel: groups of columns are read sequentially and transposed;
 * results are stored in the same way. The other views are accessed in bands, which are a few rows
 * of the block. */
#include "map/panel.h"

#include "core/memory.h"
#include "core/nontemporal.h"
#include "core/transpose.h"

typedef struct panel_workspace {
    stn_tile_buffer tiles;
    _Alignas(64) char converted[STN_BAND_BYTES]; /* codes of a band, columns of a panel */
    _Alignas(64) char band[STN_MAX_PANELS][STN_BAND_BYTES];
    _Alignas(64) char panels[STN_PANELS_BYTES + STN_MAX_PANELS * STN_LINE];
} panel_workspace;

_Static_assert(sizeof(panel_workspace) <= STN_TILES_BYTES, "panels fit into the workspace");

/* A block: rows of the second-to-last dimension, from the row with this number on. */
typedef struct launch_block {
    int64_t row, rows, column, columns;
    int64_t index[STN_MAX_RANK]; /* of its first element */
} launch_block;

static int64_t min_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t parts_of(int64_t extent, int64_t size)
{
    return (extent + size - 1) / size;
}

static launch_block find_block(const stn_launch *launch, int64_t number)
{
    const int last = launch->rank - 1;
    const int64_t extent = launch->extent[last], rows = launch->extent[last - 1];
    const int64_t blocks_per_row = parts_of(extent, launch->block_columns);
    const int64_t blocks_per_column = parts_of(rows, launch->block_rows);
    launch_block block;
    const int64_t outer = number / blocks_per_row / blocks_per_column;
    block.index[last] = block.column = number % blocks_per_row * launch->block_columns;
    block.index[last - 1] = number / blocks_per_row % blocks_per_column * launch->block_rows;
    block.row = outer * rows + block.index[last - 1];
    block.columns = min_of(extent - block.column, launch->block_columns);
    block.rows = min_of(rows - block.index[last - 1], launch->block_rows);
    stn_nest_indices(last - 1, launch->extent, (uint64_t)outer, block.index);
    return block;
}

int64_t stn_panel_count(const stn_launch *launch)
{
    const int last = launch->rank - 1;
    int64_t count = parts_of(launch->extent[last], launch->block_columns) *
                    parts_of(launch->extent[last - 1], launch->block_rows);
    for (int d = 0; d < last - 1; d++)
        count *= launch->extent[d];
    return count;
}

/* The part of a view in a block, and its rows in the current band. */
typedef struct panel_part {
    const stn_slot *slot;
    char *panel;      /* transposed views: their elements, row by row */
    int64_t position; /* of the block's first element */
    int64_t row_step, column_step;
    int64_t bytes;     /* of an element of the panel */
    int is_plain;      /* codes are values */
    int has_neighbors; /* transposed, and rows are adjacent: the panel contains codes */
    int in_place;      /* the loop accesses the rows of the view */
    char *values;      /* of the band */
} panel_part;

typedef struct panel_job {
    const stn_launch *launch;
    panel_workspace *buffer;
    stn_tile *tile;
    launch_block block;
    int64_t band_row, band_rows;
    int count;
    panel_part part[STN_MAX_PANELS];
} panel_job;

static panel_part part_of(const panel_job *job, const stn_slot *slot)
{
    const stn_launch *const launch = job->launch;
    const int64_t bytes = slot->reader.run.bytes;
    panel_part part = {.slot = slot,
                       .position = stn_nest_offset(launch->rank, slot->stride, job->block.index),
                       .row_step = slot->stride[launch->rank - 2],
                       .column_step = slot->stride[launch->rank - 1],
                       .is_plain = stn_launch_is_plain(launch, slot)};
    part.has_neighbors = slot->transposed && slot->reader.plain && part.row_step == 1 &&
                         bytes <= 16 && (bytes & (bytes - 1)) == 0 &&
                         (part.is_plain || slot->returns == STN_RETURNS_ALL);
    part.in_place = !slot->transposed && slot->native && !slot->streams;
    part.bytes = part.has_neighbors ? bytes : launch->bytes;
    return part;
}

/* ---- panels ---- */

/* Columns of other views are converted, a few of them at once, from row r on. */
enum { CONVERTED_COLUMNS = 8 };

static int64_t converted_rows(const panel_job *job, int64_t r)
{
    const int64_t fit = STN_BAND_BYTES / CONVERTED_COLUMNS / job->launch->bytes;
    return min_of(job->block.rows - r, fit < STN_BLOCK_COLUMNS / 2 ? fit : STN_BLOCK_COLUMNS / 2);
}

static void read_columns(const panel_job *job, const panel_part *part, int64_t c, int64_t count)
{
    const int64_t columns = job->block.columns, bytes = part->bytes;
    char *const values = job->buffer->converted;
    for (int64_t r = 0, rows; r < job->block.rows; r += rows) {
        const int64_t position = part->position + c * part->column_step + r * part->row_step;
        rows = converted_rows(job, r);
        for (int64_t k = 0; k < count; k++)
            stn_read(&part->slot->reader, values + k * rows * bytes,
                     position + k * part->column_step, part->row_step, rows);
        stn_transpose_words(part->panel + (r * columns + c) * bytes, columns, values, rows, count,
                            rows, bytes);
    }
}

static void write_columns(const panel_job *job, const panel_part *part, int64_t c, int64_t count)
{
    const int64_t columns = job->block.columns, bytes = part->bytes;
    char *const values = job->buffer->converted;
    for (int64_t r = 0, rows; r < job->block.rows; r += rows) {
        const int64_t position = part->position + c * part->column_step + r * part->row_step;
        rows = converted_rows(job, r);
        stn_transpose_words(values, rows, part->panel + (r * columns + c) * bytes, columns, rows,
                            count, bytes);
        for (int64_t k = 0; k < count; k++)
            stn_launch_store(job->launch, &job->buffer->tiles, part->slot,
                             values + k * rows * bytes, NULL, position + k * part->column_step,
                             part->row_step, 0, rows);
    }
}

/* Columns that are accessed together: few enough for hardware to follow each of them, and a cache
 * line of the panel's rows. */
static int64_t group_of(const panel_part *part)
{
    enum { MAX_GROUP = 16 };
    return part->has_neighbors ? min_of(STN_LINE / part->bytes, MAX_GROUP) : CONVERTED_COLUMNS;
}

static void read_panel(const panel_job *job, const panel_part *part)
{
    const int64_t columns = job->block.columns, group = group_of(part);
    for (int64_t c = 0, count; c < columns; c += count) {
        count = min_of(columns - c, group);
        if (!part->has_neighbors)
            read_columns(job, part, c, count);
        else
            stn_transpose_words(
                part->panel + c * part->bytes, columns,
                stn_reader_at(&part->slot->reader, part->position + c * part->column_step),
                part->column_step, count, job->block.rows, part->bytes);
    }
}

static void write_panel(const panel_job *job, const panel_part *part)
{
    const int64_t columns = job->block.columns, group = group_of(part);
    for (int64_t c = 0, count; c < columns; c += count) {
        count = min_of(columns - c, group);
        if (!part->has_neighbors)
            write_columns(job, part, c, count);
        else
            stn_transpose_words(
                stn_reader_at(&part->slot->reader, part->position + c * part->column_step),
                part->column_step, part->panel + c * part->bytes, columns, job->block.rows, count,
                part->bytes);
    }
}

/* ---- bands ---- */

/* Prefetches a later band of contiguous rows, which are too short for hardware to do so. */
static void fetch_band(const panel_job *job, const panel_part *part)
{
    enum { ROWS_AHEAD = 4 };
    const int64_t begin = job->band_row + (job->band_rows == 1 ? ROWS_AHEAD : job->band_rows);
    const int64_t end = min_of(begin + job->band_rows, job->block.rows);
    if (part->slot->streams || !part->slot->reader.plain || part->column_step != 1)
        return;
    for (int64_t r = begin; r < end; r++)
        stn_prefetch(stn_reader_at(&part->slot->reader, part->position + r * part->row_step),
                     job->block.columns * part->slot->reader.run.bytes);
}

static void read_band(const panel_job *job, panel_part *part, char *values)
{
    const int64_t columns = job->block.columns, count = job->band_rows * columns;
    const int reads = part->slot->kind != STN_PARAMETER_OUT;
    part->values = values;
    if (!part->slot->transposed) {
        fetch_band(job, part);
        if (part->in_place)
            part->values =
                stn_reader_at(&part->slot->reader, part->position + job->band_row * part->row_step);
        else if (reads)
            stn_read_rows(&part->slot->reader, values,
                          part->position + job->band_row * part->row_step, part->row_step,
                          part->column_step, job->band_rows, columns);
        return;
    }
    char *const elements = part->panel + job->band_row * columns * part->bytes;
    if (!part->has_neighbors || part->is_plain)
        part->values = elements;
    else if (reads)
        stn_run_decode(&part->slot->reader.run, values, elements, 1, count);
}

/* Rows of a result that is not read again soon: reading each line before it is stored would take a
 * third of the time. */
static void stream_band(const panel_job *job, const panel_part *part)
{
    const stn_run *const run = &part->slot->reader.run;
    const int64_t columns = job->block.columns, row = columns * run->bytes;
    const char *codes = part->values;
    char *to = stn_reader_at(&part->slot->reader, part->position + job->band_row * part->row_step);
    if (!part->is_plain) {
        stn_run_encode(run, part->values, job->buffer->converted, 1, 0, job->band_rows * columns);
        codes = job->buffer->converted;
    }
    for (int64_t r = 0; r < job->band_rows; r++)
        stn_copy_stream(to + r * part->row_step * run->bytes, codes + r * row, row);
}

static void write_band(const panel_job *job, const panel_part *part)
{
    const stn_slot *const slot = part->slot;
    const int64_t columns = job->block.columns, count = job->band_rows * columns;
    const int64_t position = part->position + job->band_row * part->row_step;
    if (part->in_place)
        return;
    if (slot->transposed) {
        if (part->has_neighbors && !part->is_plain)
            stn_run_encode(&slot->reader.run, part->values,
                           part->panel + job->band_row * columns * part->bytes, 1, 0, count);
    } else if (slot->streams) {
        stream_band(job, part);
    } else if (part->is_plain || slot->returns == STN_RETURNS_ALL) {
        stn_write_rows(&slot->reader, part->values, position, part->row_step, part->column_step, 0,
                       job->band_rows, columns);
    } else {
        for (int64_t r = 0; r < job->band_rows; r++)
            stn_launch_store(job->launch, &job->buffer->tiles, slot,
                             part->values + r * columns * job->launch->bytes, NULL,
                             position + r * part->row_step, part->column_step, 0, columns);
    }
}

static void calculate_band(panel_job *job)
{
    const stn_launch *const launch = job->launch;
    stn_tile *const tile = job->tile;
    for (int p = 0; p < job->count; p++) {
        panel_part *const part = &job->part[p];
        read_band(job, part, job->buffer->band[p]);
        job->buffer->tiles.panel[part->slot - launch->slots] = part->values;
        tile->values[part->slot - launch->slots] = part->values;
    }
    if (launch->whole_blocks) {
        tile->count = job->band_rows * job->block.columns;
        launch->loop(tile);
    } else {
        stn_launch_rows(launch, &job->buffer->tiles, tile, job->block.row + job->band_row,
                        job->band_rows, job->block.column, job->block.column + job->block.columns);
    }
    for (int p = 0; p < job->count; p++)
        if (job->part[p].slot->written)
            write_band(job, &job->part[p]);
}

/* ---- blocks ---- */

static void calculate_block(panel_job *job)
{
    const stn_launch *const launch = job->launch;
    char *panel = job->buffer->panels;
    int in_place = 0;
    job->count = 0;
    for (int v = 0; v < launch->views; v++) {
        const stn_slot *const slot = &launch->slots[launch->view_at[v]];
        if (!slot->panel)
            continue;
        panel_part *const part = &job->part[job->count++];
        *part = part_of(job, slot);
        part->panel = panel;
        in_place |= part->in_place;
        if (!slot->transposed)
            continue;
        panel += (job->block.rows * job->block.columns * part->bytes + STN_LINE - 1) & -STN_LINE;
        if (slot->kind != STN_PARAMETER_OUT)
            read_panel(job, part);
    }
    for (job->band_row = 0; job->band_row < job->block.rows; job->band_row += job->band_rows) {
        job->band_rows = min_of(in_place ? 1 : launch->band_rows, job->block.rows - job->band_row);
        calculate_band(job);
    }
    for (int p = 0; p < job->count; p++)
        if (job->part[p].slot->transposed && job->part[p].slot->written)
            write_panel(job, &job->part[p]);
}

void stn_panel_pieces(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                      int64_t end)
{
    panel_workspace *const buffer = (panel_workspace *)(void *)workspace->tiles;
    stn_tile tile;
    panel_job job = {.launch = launch, .buffer = buffer, .tile = &tile};
    stn_launch_begin(launch, workspace, &buffer->tiles, &tile);
    for (int64_t number = begin; number < end; number++) {
        job.block = find_block(launch, number);
        calculate_block(&job);
    }
}
