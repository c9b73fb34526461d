/* Blocks of rows and columns. If the columns of a view are far apart in memory and its rows are
 * adjacent, a block of it is read column by column and transposed; results are stored in the same
 * way. */
#include "map/panel.h"

#include <string.h>

#include "core/memory.h"
#include "core/nontemporal.h"
#include "core/transpose.h"

typedef struct panel_workspace {
    stn_tile_buffer tiles;
    _Alignas(64) char transposed[STN_PANEL_BYTES];
    _Alignas(64) char panel[STN_MAX_PANELS][STN_PANEL_BYTES];
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
    return launch->rows / (launch->extent[last - 1] ? launch->extent[last - 1] : 1) *
           parts_of(launch->extent[last], launch->block_columns) *
           parts_of(launch->extent[last - 1], launch->block_rows);
}

static int64_t position_of(const stn_launch *launch, const stn_slot *slot,
                           const launch_block *block)
{
    return stn_nest_offset(launch->rank, slot->stride, block->index);
}

/* Are the view's rows adjacent, so that codes can be transposed before they are decoded? */
static int has_neighbors(const stn_launch *launch, const stn_slot *slot)
{
    const int64_t bytes = slot->reader.run.bytes;
    return slot->transposed && slot->reader.plain && slot->stride[launch->rank - 2] == 1 &&
           bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

static void read_panel(const stn_launch *launch, const stn_slot *slot, const launch_block *block,
                       char *transposed, char *panel)
{
    const int64_t column_step = slot->stride[launch->rank - 1],
                  row_step = slot->stride[launch->rank - 2];
    const int64_t position = position_of(launch, slot, block), bytes = launch->bytes;
    const int64_t rows = block->rows, columns = block->columns;
    const int as_it_is = stn_launch_is_plain(launch, slot);
    if (!slot->transposed) {
        stn_read_rows(&slot->reader, panel, position, row_step, column_step, rows, columns);
    } else if (has_neighbors(launch, slot)) {
        stn_transpose_words(as_it_is ? panel : transposed, columns,
                            stn_reader_at(&slot->reader, position), column_step, columns, rows,
                            slot->reader.run.bytes);
        if (!as_it_is)
            stn_run_decode(&slot->reader.run, panel, transposed, 1, rows * columns);
    } else {
        for (int64_t c = 0; c < columns; c++)
            stn_read(&slot->reader, transposed + c * rows * bytes, position + c * column_step,
                     row_step, rows);
        stn_transpose_words(panel, columns, transposed, rows, columns, rows, bytes);
    }
}

/* Rows of a result that is not read again soon: reading each line before it is stored would take a
 * third of the time. */
static void stream_panel(const stn_launch *launch, const stn_slot *slot, const launch_block *block,
                         const char *panel)
{
    const int64_t row_bytes = block->columns * launch->bytes;
    const int is_plain = stn_launch_is_plain(launch, slot);
    char *to = stn_reader_at(&slot->reader, position_of(launch, slot, block));
    for (int64_t r = 0; r < block->rows; r++) {
        if (is_plain)
            stn_copy_stream(to, panel + r * row_bytes, row_bytes);
        else
            stn_run_encode_nontemporal(&slot->reader.run, panel + r * row_bytes, to, 0,
                                       block->columns);
        to += slot->stride[launch->rank - 2] * slot->reader.run.bytes;
    }
}

static void write_panel(const stn_launch *launch, panel_workspace *buffer, int at,
                        const launch_block *block)
{
    const stn_slot *slot = &launch->slots[at];
    char *const transposed = buffer->transposed, *const panel = buffer->tiles.panel[at];
    const int64_t column_step = slot->stride[launch->rank - 1],
                  row_step = slot->stride[launch->rank - 2];
    const int64_t position = position_of(launch, slot, block), bytes = launch->bytes;
    const int64_t rows = block->rows, columns = block->columns;
    const int as_it_is = stn_launch_is_plain(launch, slot);
    const int restores_all = as_it_is || slot->returns == STN_RETURNS_ALL;
    if (slot->streams) {
        stream_panel(launch, slot, block, panel);
    } else if (restores_all && !slot->transposed) {
        stn_write_rows(&slot->reader, panel, position, row_step, column_step, 0, rows, columns);
    } else if (restores_all && has_neighbors(launch, slot)) {
        if (!as_it_is)
            stn_run_encode(&slot->reader.run, panel, transposed, 1, 0, rows * columns);
        stn_transpose_words(stn_reader_at(&slot->reader, position), column_step,
                            as_it_is ? panel : transposed, columns, rows, columns,
                            slot->reader.run.bytes);
    } else if (slot->transposed) {
        stn_transpose_words(transposed, rows, panel, columns, rows, columns, bytes);
        for (int64_t c = 0; c < columns; c++)
            stn_launch_store(launch, &buffer->tiles, slot, transposed + c * rows * bytes, NULL,
                             position + c * column_step, row_step, 0, rows);
    } else {
        for (int64_t r = 0; r < rows; r++)
            stn_launch_store(launch, &buffer->tiles, slot, panel + r * columns * bytes, NULL,
                             position + r * row_step, column_step, 0, columns);
    }
}

/* Prefetches the next block, whose pieces are too short for hardware prefetching: contiguous rows
 * or columns. */
static void fetch_panel(const stn_launch *launch, const stn_slot *slot, const launch_block *block)
{
    const int last = launch->rank - 1, along = slot->transposed ? last - 1 : last;
    const int across = slot->transposed ? last : last - 1;
    const int64_t length = slot->transposed ? block->rows : block->columns;
    const int64_t count = slot->transposed ? block->columns : block->rows;
    const int64_t position = position_of(launch, slot, block) + block->columns * slot->stride[last];
    if (slot->streams || !slot->reader.plain || slot->stride[along] != 1 ||
        block->column + 2 * block->columns > launch->extent[last])
        return;
    for (int64_t k = 0; k < count; k++)
        stn_prefetch(stn_reader_at(&slot->reader, position + k * slot->stride[across]),
                     length * slot->reader.run.bytes);
}

/* All views have panels, which the loop processes as one tile. */
static void calculate_at_once(const stn_launch *launch, panel_workspace *buffer, stn_tile *tile,
                              const launch_block *block)
{
    for (int v = 0; v < launch->views; v++)
        tile->values[launch->view_at[v]] = buffer->tiles.panel[launch->view_at[v]];
    tile->count = block->rows * block->columns;
    launch->loop(tile);
}

static void calculate_block(const stn_launch *launch, panel_workspace *buffer, stn_tile *tile,
                            const launch_block *block)
{
    int panels = 0;
    for (int v = 0; v < launch->views; v++) {
        const int at = launch->view_at[v];
        const stn_slot *slot = &launch->slots[at];
        if (!slot->panel)
            continue;
        buffer->tiles.panel[at] = buffer->panel[panels++];
        if (slot->kind != STN_PARAMETER_OUT)
            read_panel(launch, slot, block, buffer->transposed, buffer->tiles.panel[at]);
        fetch_panel(launch, slot, block);
    }
    if (launch->whole_blocks)
        calculate_at_once(launch, buffer, tile, block);
    else
        stn_launch_rows(launch, &buffer->tiles, tile, block->row, block->rows, block->column,
                        block->column + block->columns);
    for (int v = 0; v < launch->views; v++) {
        const int at = launch->view_at[v];
        if (launch->slots[at].panel && launch->slots[at].written)
            write_panel(launch, buffer, at, block);
    }
}

void stn_panel_pieces(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                      int64_t end)
{
    panel_workspace *buffer = (panel_workspace *)(void *)workspace->tiles;
    stn_tile tile;
    stn_launch_begin(launch, workspace, &buffer->tiles, &tile);
    for (int64_t number = begin; number < end; number++) {
        const launch_block block = find_block(launch, number);
        calculate_block(launch, buffer, &tile, &block);
    }
}
