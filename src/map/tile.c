/* Tiles of a launch: decoding, computation, encoding. */
#include <string.h>

#include "core/memory.h"
#include "core/tune.h"
#include "format/rounding.h"
#include "map/launch.h"
#include "map/mask.h"

/* The buffer for a tile of the view. Buffers are close together, but not a power of two apart, to
 * avoid cache conflicts. */
static char *buffer_of(const stn_launch *launch, stn_tile_buffer *buffer, int at)
{
    return buffer->values + launch->slots[at].buffer_index * (launch->buffer + 64);
}

/* Rows of a tile that are equal. */
static void read_same_rows(const stn_launch *launch, stn_tile_buffer *buffer, int at,
                           int64_t position)
{
    const stn_slot *slot = &launch->slots[at];
    const int64_t bytes = launch->columns * launch->bytes;
    char *values = buffer_of(launch, buffer, at);
    if (buffer->repeated[at] == position)
        return;
    stn_read(&slot->reader, values, position, slot->stride[launch->rank - 1], launch->columns);
    const int64_t tile_bytes = launch->tile * launch->bytes;
    for (int64_t done = bytes, batch; done < tile_bytes; done += batch) {
        batch = tile_bytes - done < done ? tile_bytes - done : done;
        memcpy(values + done, values, (size_t)batch);
    }
    buffer->repeated[at] = position;
}

/* The same element for every tile of the row. */
static void read_repeated(const stn_launch *launch, stn_tile_buffer *buffer, int at,
                          int64_t position)
{
    const int64_t extent = launch->extent[launch->rank - 1];
    const int64_t count = extent < launch->tile ? extent : launch->tile;
    if (buffer->repeated[at] == position)
        return;
    stn_read(&launch->slots[at].reader, buffer_of(launch, buffer, at), position, 0, count);
    buffer->repeated[at] = position;
}

static void read_slot(const stn_launch *launch, stn_tile_buffer *buffer, stn_tile *tile, int at,
                      int64_t offset)
{
    const stn_slot *slot = &launch->slots[at];
    const int64_t stride = slot->stride[launch->rank - 1];
    if (slot->kind == STN_PARAMETER_SHIFTED) {
        tile->values[at] = slot->lines >= 0
                               ? stn_stencil_values(launch, at, tile, buffer->rows)
                               : stn_shift_read(launch, at, tile, buffer_of(launch, buffer, at));
        return;
    }
    tile->values[at] =
        slot->native ? stn_reader_at(&slot->reader, offset) : buffer_of(launch, buffer, at);
    if (slot->panel)
        tile->values[at] = buffer->panel[at] + buffer->panel_row * tile->count * launch->bytes;
    if (slot->native || slot->panel)
        return;
    const int reads = slot->kind != STN_PARAMETER_OUT;
    if (launch->columns && slot->rows == STN_ROWS_REPEAT)
        read_same_rows(launch, buffer, at, offset);
    else if (reads && !stn_launch_rows_follow(launch, slot))
        stn_read_rows(&slot->reader, buffer_of(launch, buffer, at), offset, slot->row_stride,
                      stride, tile->count / launch->columns, launch->columns);
    else if (slot->kind == STN_PARAMETER_IN && stride == 0)
        read_repeated(launch, buffer, at, offset);
    else if (reads)
        stn_read(&slot->reader, buffer_of(launch, buffer, at), offset, stride, tile->count);
}

/* Maximum number of values of a tile, which have at least 4 bytes. */
enum { TILE_VALUES = STN_TILE_BYTES / 4 };

/* Moves the masked codes, branch-free, because branches would be unpredictable. Sizes are constants
 * in each call. */
static inline __attribute__((always_inline)) void move_masked_codes(char *to, const char *codes,
                                                                    const char *mask,
                                                                    int64_t stride, int64_t count,
                                                                    size_t bytes, size_t mask_bytes)
{
    static const char zeros[8];
    uint16_t at[TILE_VALUES];
    int64_t batch = 0;
    for (int64_t k = 0; k < count; k++) {
        at[batch] = (uint16_t)k;
        batch += memcmp(mask + k * (int64_t)mask_bytes, zeros, mask_bytes) != 0;
    }
    for (int64_t k = 0; k < batch; k++)
        memcpy(to + at[k] * stride * (int64_t)bytes, codes + at[k] * (int64_t)bytes, bytes);
}

#define MOVE(bytes)                                                                                \
    case bytes:                                                                                    \
        if (is_wide)                                                                               \
            move_masked_codes(to, codes, mask, stride, count, bytes, 8);                           \
        else                                                                                       \
            move_masked_codes(to, codes, mask, stride, count, bytes, 4);                           \
        return 1;

/* Encodes all elements and stores the masked ones; 0 if elements must be encoded individually. To
 * count the events of masked elements only, the others become 0, which has none. */
static int move_masked(const stn_launch *launch, const stn_slot *slot, const char *values,
                       const char *mask, int64_t offset, int64_t stride, int64_t first,
                       int64_t count)
{
    const stn_run *run = &slot->reader.run;
    const int64_t mask_bytes = stn_mask_bytes(launch->arithmetic);
    const int is_wide = mask_bytes == 8, owned = slot->kind == STN_PARAMETER_INOUT;
    const stn_rule_loops *const loops = stn_rule_loops_of(is_wide ? STN_F64 : STN_F32);
    const int counts = run->rules.counters != NULL;
    _Alignas(64) char codes[8 * TILE_VALUES], selected[STN_TILE_BYTES];
    if (!slot->reader.plain || run->bytes > 8 || count > TILE_VALUES ||
        (counts && (launch->bytes != mask_bytes || run->affine.zero != 0.0 || run->zero != 0)))
        return 0;
    char *const to = stn_reader_at(&slot->reader, offset);
    if (counts) {
        stn_mask_select(selected, values, mask, mask_bytes, count);
        values = selected;
    }
    stn_run_encode(run, values, codes, 1, first, count);
    if (stride == 1 && loops && loops->store_masked(to, codes, run->bytes, mask, count, owned))
        return 1;
    switch (run->bytes) {
        MOVE(1)
        MOVE(2)
        MOVE(4)
        MOVE(8)
    default:
        return 0;
    }
}

/* Stores the elements of the mask. */
static void write_masked(const stn_launch *launch, const stn_slot *slot, const char *values,
                         const char *mask, int64_t offset, int64_t stride, int64_t first,
                         int64_t count)
{
    const int64_t bytes = launch->bytes;
    const int64_t mask_bytes = stn_mask_bytes(launch->arithmetic);
    const stn_mask_kind kind = stn_mask_kind_of(mask, mask_bytes, count);
    int64_t begin;
    if (kind == STN_MASK_ALL)
        stn_write(&slot->reader, values, offset, stride, first, count);
    if (kind != STN_MASK_SOME)
        return;
    if (slot->direct && stride == 1 && bytes == mask_bytes) {
        stn_mask_store(stn_reader_at(&slot->reader, offset), values, mask, bytes, count);
        return;
    }
    if (move_masked(launch, slot, values, mask, offset, stride, first, count))
        return;
    for (int64_t k = 0, batch; k < count; k = begin + batch) {
        batch = stn_mask_next(mask, mask_bytes, k, count, &begin);
        if (batch > 0)
            stn_write(&slot->reader, values + begin * bytes, offset + begin * stride, stride,
                      first + begin, batch);
    }
}

/* Can the loop leave elements unchanged whose codes would change when stored? */
static int may_stay(const stn_launch *launch, const stn_slot *slot, const void *values,
                    int64_t count)
{
    const int64_t bytes = stn_mask_bytes(launch->arithmetic);
    return slot->returns == STN_RETURNS_SOME ||
           (slot->returns == STN_RETURNS_FINITE &&
            stn_mask_finds_nonfinite(values, bytes, count * launch->bytes / bytes));
}

void stn_launch_store(const stn_launch *launch, stn_tile_buffer *buffer, const stn_slot *slot,
                      const char *values, const char *mask, int64_t offset, int64_t stride,
                      int64_t first, int64_t count)
{
    _Alignas(64) char changed[STN_TILE_BYTES];
    if (slot->kind == STN_PARAMETER_MASKED) {
        write_masked(launch, slot, values, mask, offset, stride, first, count);
    } else if (may_stay(launch, slot, values, count)) {
        stn_read(&slot->reader, buffer->before, offset, stride, count);
        stn_mask_mark(launch->arithmetic, changed, values, buffer->before, count);
        write_masked(launch, slot, values, changed, offset, stride, first, count);
    } else {
        stn_write(&slot->reader, values, offset, stride, first, count);
    }
}

static void write_slot(const stn_launch *launch, stn_tile_buffer *buffer, int at, int64_t offset,
                       int64_t first, int64_t count)
{
    const stn_slot *slot = &launch->slots[at];
    const int64_t columns = launch->columns, stride = slot->stride[launch->rank - 1];
    const int64_t mask_bytes = stn_mask_bytes(launch->arithmetic);
    const char *values = buffer_of(launch, buffer, at),
               *mask = values + launch->tile * launch->bytes;
    if (slot->streams)
        stn_run_encode_nontemporal(&slot->reader.run, values, stn_reader_at(&slot->reader, offset),
                                   first, count);
    else if (stn_launch_rows_follow(launch, slot))
        stn_launch_store(launch, buffer, slot, values, mask, offset, stride, first, count);
    else if (slot->kind != STN_PARAMETER_MASKED && !may_stay(launch, slot, values, count))
        stn_write_rows(&slot->reader, values, offset, slot->row_stride, stride, first,
                       count / columns, columns);
    else
        for (int64_t row = 0; row < count / columns; row++)
            stn_launch_store(launch, buffer, slot, values + row * columns * launch->bytes,
                             mask + row * columns * mask_bytes, offset + row * slot->row_stride,
                             stride, first + row * columns, columns);
}

/* Positions between the first elements of consecutive parts of a row, or of complete rows if tiles
 * span rows. */
static int64_t step_of(const stn_launch *launch, const stn_slot *slot, int64_t elements)
{
    return launch->columns ? elements / launch->columns * slot->row_stride
                           : elements * slot->stride[launch->rank - 1];
}

static int64_t offset_of(const stn_launch *launch, const stn_slot *slot, const stn_tile *tile)
{
    int64_t offset = 0;
    for (int d = 0; d < launch->rank; d++)
        offset += d == launch->rank - 1 ? step_of(launch, slot, tile->index[d])
                                        : tile->index[d] * slot->stride[d];
    return offset;
}

/* Prefetches data of a later tile. While one view is decoded, others are not read, and hardware
 * prefetching of these stops. */
static void fetch_stencils(const stn_launch *launch, stn_tile_buffer *buffer, int64_t count)
{
    for (int f = 0; f < launch->stencil.views; f++) {
        const int64_t bytes = count * launch->slots[launch->stencil.view_at[f]].reader.run.bytes;
        stn_prefetch(buffer->ahead[f], bytes);
        buffer->ahead[f] += bytes;
    }
}

/* Returns whether hardware follows a view that is one of many: on Intel, prefetching outputs and
 * views that are accessed in place occupies the buffers that loads and stores wait for. A step of
 * D2Q9 takes two thirds of the time without it, and other processors were not measured. */
static int is_followed(const stn_launch *launch, const stn_slot *slot)
{
    return launch->views > STN_MANY_VIEWS && stn_tuned()->prefetch != 0 &&
           (slot->kind == STN_PARAMETER_OUT ||
            (slot->native && slot->kind != STN_PARAMETER_SHIFTED));
}

/* The same for one view, immediately before its tile is decoded, because simultaneous prefetches
 * delay each other. With many views, the next tiles of all of them do not fit into L1. */
static void fetch_slot(const stn_launch *launch, const stn_slot *slot, int64_t offset,
                       int64_t count)
{
    enum { DEFAULT_ELEMENTS = 768 };
    const int32_t own = stn_tuned()->prefetch, ahead = own ? own : DEFAULT_ELEMENTS;
    const stn_run *run = &slot->reader.run;
    if (slot->streams || slot->lines >= 0 || is_followed(launch, slot) || !slot->reader.addressed ||
        slot->stride[launch->rank - 1] != 1 || !stn_launch_rows_follow(launch, slot))
        return;
    const uintptr_t next = (uintptr_t)stn_reader_at(&slot->reader, offset) +
                           ((uintptr_t)slot->shift + (uintptr_t)ahead) * (uintptr_t)run->bytes;
    if (launch->views > STN_MANY_VIEWS)
        stn_prefetch((const void *)next, count * run->bytes);
    else
        stn_prefetch_near((const void *)next, count * run->bytes);
}

/* Short rows that the loop accesses in place. Hardware does not prefetch them early enough. */
static void calculate_in_place(const stn_launch *launch, stn_tile *tile)
{
    enum { BYTES_AHEAD = 1024 };
    const int64_t rows = tile->count / launch->columns, bytes = launch->columns * launch->bytes;
    const int64_t ahead = (BYTES_AHEAD + bytes - 1) / bytes;
    tile->count = launch->columns;
    for (int64_t r = 0; r < rows; r++) {
        launch->loop(tile);
        for (int v = 0; v < launch->views; v++) {
            void **const values = &tile->values[launch->view_at[v]];
            const int64_t step = launch->slots[launch->view_at[v]].row_stride * launch->bytes;
            *values = (char *)*values + step;
            stn_prefetch_near((const void *)((uintptr_t)*values + (uintptr_t)(ahead * step)),
                              bytes);
        }
    }
    tile->count = rows * launch->columns;
}

static void calculate_tile(const stn_launch *launch, stn_tile_buffer *buffer, stn_tile *tile,
                           const int64_t *offsets, int64_t first)
{
    if (launch->fetches)
        fetch_stencils(launch, buffer, tile->count);
    for (int v = 0; v < launch->views; v++) {
        if (launch->fetches)
            fetch_slot(launch, &launch->slots[launch->view_at[v]], offsets[v], tile->count);
        read_slot(launch, buffer, tile, launch->view_at[v], offsets[v]);
    }
    if (launch->rows_in_place)
        calculate_in_place(launch, tile);
    else
        launch->loop(tile);
    for (int v = 0; v < launch->views; v++) {
        const int at = launch->view_at[v];
        const stn_slot *slot = &launch->slots[at];
        if (stn_parameter_is_written(slot->kind) && !slot->native && !slot->panel)
            write_slot(launch, buffer, at, offsets[v], first, tile->count);
    }
}

/* Rows from the one on whose indices `tile` has. Offsets are updated one by one: a copy of the
 * struct would wait for preceding stores. */
static void calculate_rows(const stn_launch *launch, stn_tile_buffer *buffer, stn_tile *tile,
                           int64_t row, int64_t rows, int64_t begin, int64_t end)
{
    const int last = launch->rank - 1;
    const int64_t back = rows == 1 ? 0 : (end - begin - 1) / launch->tile * launch->tile;
    int64_t offsets[STN_MAX_PARAMETERS];
    tile->index[last] = begin;
    for (int v = 0; v < launch->views; v++)
        offsets[v] = offset_of(launch, &launch->slots[launch->view_at[v]], tile);
    for (buffer->panel_row = 0; buffer->panel_row < rows; buffer->panel_row++) {
        const int64_t first = (row + buffer->panel_row) * launch->extent[last];
        for (int64_t at = begin; at < end; at += launch->tile) {
            tile->index[last] = at;
            tile->count = end - at < launch->tile ? end - at : launch->tile;
            calculate_tile(launch, buffer, tile, offsets, first + at);
            for (int v = 0; v < launch->views && at + launch->tile < end; v++)
                offsets[v] += step_of(launch, &launch->slots[launch->view_at[v]], launch->tile);
        }
        if (rows == 1)
            return;
        tile->index[last - 1]++;
        for (int v = 0; v < launch->views; v++) {
            const stn_slot *slot = &launch->slots[launch->view_at[v]];
            offsets[v] += slot->stride[last - 1] - step_of(launch, slot, back);
        }
    }
}

void stn_launch_rows(const stn_launch *launch, stn_tile_buffer *buffer, stn_tile *tile, int64_t row,
                     int64_t rows, int64_t begin, int64_t end)
{
    stn_nest_indices(launch->rank - 1, launch->extent, (uint64_t)row, tile->index);
    calculate_rows(launch, buffer, tile, row, rows, begin, end);
}

void stn_launch_row(const stn_launch *launch, stn_tile_buffer *buffer, stn_tile *tile, int64_t row,
                    const int64_t *index, int64_t begin, int64_t end)
{
    for (int d = 0; d < launch->rank - 1; d++)
        tile->index[d] = index[d];
    calculate_rows(launch, buffer, tile, row, 1, begin, end);
}

void stn_launch_begin(const stn_launch *launch, stn_workspace *workspace, stn_tile_buffer *buffer,
                      stn_tile *tile)
{
    tile->buffer = workspace->loop;
    for (int at = 0; at < launch->kernel->count; at++)
        buffer->repeated[at] = STN_NO_POSITION;
    memset(tile->index, 0, sizeof tile->index);
    memset(tile->step, 0, sizeof tile->step);
    memcpy(tile->numbers, launch->numbers, (size_t)launch->kernel->count * sizeof *tile->numbers);
    tile->step[launch->rank - 1] = 1;
    tile->kernel = launch->kernel;
    tile->flags = (int *)(uintptr_t)launch->unassigned;
    for (int v = 0; v < launch->views && launch->masks > 0; v++)
        tile->numbers[launch->view_at[v]].mask =
            buffer_of(launch, buffer, launch->view_at[v]) + launch->tile * launch->bytes;
}

_Static_assert(sizeof(stn_tile_buffer) <= STN_TILES_BYTES,
               "the tiles of a launch fit into the workspace");

void stn_launch_tiles(const stn_launch *launch, stn_workspace *workspace, int64_t begin,
                      int64_t end)
{
    const int64_t per_row = launch->tiles_per_row, extent = launch->extent[launch->rank - 1];
    stn_tile_buffer *buffer = (stn_tile_buffer *)(void *)workspace->tiles;
    stn_tile tile;
    stn_launch_begin(launch, workspace, buffer, &tile);
    for (int64_t row = begin ? begin / per_row : 0; begin < end; row++) {
        const int64_t stop = (row + 1) * per_row < end ? (row + 1) * per_row : end;
        const int64_t limit = (stop - row * per_row) * launch->tile;
        stn_launch_rows(launch, buffer, &tile, row, 1, (begin - row * per_row) * launch->tile,
                        limit < extent ? limit : extent);
        begin = stop;
    }
}
