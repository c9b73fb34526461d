/* Blocks of rows and columns. Where the columns of a view are far apart in memory and its rows are
 * neighbours, a whole block of it is read at once, column by column, and transposed; what was
 * calculated goes back in the same way. */
#include "map/panel.h"

#include <string.h>

#include "map/transpose.h"

typedef struct panel_room {
    stn_tile_room tiles;
    _Alignas(64) char transposed[STN_PANEL_BYTES];
    _Alignas(64) char panel[STN_MOST_PANELS][STN_PANEL_BYTES];
} panel_room;

_Static_assert(sizeof(panel_room) <= STN_TILES_BYTES, "panels have room");

/* A block: rows of the last but one dimension, from the row with this number on. */
typedef struct launch_block {
    int64_t row, rows, column, columns;
    int64_t index[STN_MAX_RANK]; /* of its first element */
} launch_block;

static int64_t least(int64_t a, int64_t b)
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
    const int64_t across = parts_of(extent, launch->block_columns);
    const int64_t down = parts_of(rows, launch->block_rows);
    launch_block block;
    int64_t outer = number / across / down;
    block.index[last] = block.column = number % across * launch->block_columns;
    block.index[last - 1] = number / across % down * launch->block_rows;
    block.row = outer * rows + block.index[last - 1];
    block.columns = least(extent - block.column, launch->block_columns);
    block.rows = least(rows - block.index[last - 1], launch->block_rows);
    for (int d = last - 2; d >= 0; d--) {
        block.index[d] = outer % launch->extent[d];
        outer /= launch->extent[d];
    }
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
    int64_t position = 0;
    for (int d = 0; d < launch->rank; d++)
        position += block->index[d] * slot->stride[d];
    return position;
}

/* Values that stand in memory as they are, row by neighbouring row. */
static int is_transposed_in_place(const stn_launch *launch, const stn_slot *slot)
{
    return slot->stride[launch->rank - 2] == 1 && stn_launch_is_plain(launch, slot);
}

static void read_panel(const stn_launch *launch, const stn_slot *slot, const launch_block *block,
                       char *transposed, char *panel)
{
    const int64_t across = slot->stride[launch->rank - 1], down = slot->stride[launch->rank - 2];
    const int64_t position = position_of(launch, slot, block), bytes = launch->bytes;
    if (is_transposed_in_place(launch, slot)) {
        stn_transpose_words(panel, block->columns, stn_reader_at(&slot->reader, position), across,
                            block->columns, block->rows, bytes);
        return;
    }
    for (int64_t c = 0; c < block->columns; c++)
        stn_read(&slot->reader, transposed + c * block->rows * bytes, position + c * across, down,
                 block->rows);
    stn_transpose_words(panel, block->columns, transposed, block->rows, block->columns, block->rows,
                        bytes);
}

static void write_panel(const stn_launch *launch, panel_room *room, int at,
                        const launch_block *block)
{
    const stn_slot *slot = &launch->slots[at];
    char *const transposed = room->transposed, *const panel = room->tiles.panel[at];
    const int64_t across = slot->stride[launch->rank - 1], down = slot->stride[launch->rank - 2];
    const int64_t position = position_of(launch, slot, block), bytes = launch->bytes;
    if (is_transposed_in_place(launch, slot)) {
        stn_transpose_words(stn_reader_at(&slot->reader, position), across, panel, block->columns,
                            block->rows, block->columns, bytes);
        return;
    }
    stn_transpose_words(transposed, block->rows, panel, block->columns, block->rows, block->columns,
                        bytes);
    for (int64_t c = 0; c < block->columns; c++)
        stn_launch_store(launch, &room->tiles, slot, transposed + c * block->rows * bytes, NULL,
                         position + c * across, down, 0, block->rows);
}

/* The next block's memory, which comes in pieces too short for the machine's own prefetching. */
static void fetch_panel(const stn_launch *launch, const stn_slot *slot, const launch_block *block)
{
    enum { LINE = 64 };
    const int last = launch->rank - 1;
    const int64_t bytes = block->rows * slot->reader.run.bytes;
    const int64_t position = position_of(launch, slot, block) + block->columns * slot->stride[last];
    if (slot->stride[last - 1] != 1 || block->column + 2 * block->columns > launch->extent[last])
        return;
    for (int64_t c = 0; c < block->columns; c++) {
        const char *code = stn_reader_at(&slot->reader, position + c * slot->stride[last]);
        for (int64_t at = 0; at < bytes; at += LINE)
            __builtin_prefetch(code + at, 0, 2);
    }
}

static void calculate_block(const stn_launch *launch, panel_room *room, stn_tile *tile,
                            const launch_block *block)
{
    int panels = 0;
    for (int v = 0; v < launch->views; v++) {
        const int at = launch->view_at[v];
        const stn_slot *slot = &launch->slots[at];
        if (!slot->panel)
            continue;
        room->tiles.panel[at] = room->panel[panels++];
        if (slot->kind != STN_PARAMETER_OUT)
            read_panel(launch, slot, block, room->transposed, room->tiles.panel[at]);
        fetch_panel(launch, slot, block);
    }
    for (room->tiles.panel_row = 0; room->tiles.panel_row < block->rows; room->tiles.panel_row++)
        stn_launch_row(launch, &room->tiles, tile, block->row + room->tiles.panel_row,
                       block->column, block->column + block->columns);
    for (int v = 0; v < launch->views; v++) {
        const int at = launch->view_at[v];
        if (launch->slots[at].panel && launch->slots[at].written)
            write_panel(launch, room, at, block);
    }
}

void stn_panel_pieces(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                      int64_t end)
{
    panel_room *room = (panel_room *)(void *)workspace->tiles;
    stn_tile tile;
    stn_launch_begin(launch, workspace, &room->tiles, &tile);
    for (int64_t number = begin; number < end; number++) {
        const launch_block block = find_block(launch, number);
        calculate_block(launch, room, &tile, &block);
    }
}
