/* Locations of the elements of a line in each layout: along the bits of a Morton curve, tile by
 * tile, by the runs of a custom layout, and otherwise with a constant stride. */
#include "view/layout/lines.h"

#include "format/run.h"
#include "view/layout/mapping.h"
#include "view/store.h"

typedef struct line_move {
    const stn_view *view;
    const stn_view_line *line;
    int64_t bytes;
    char *codes;
    int stores; /* the direction is into the view */
} line_move;

static void move(const line_move *job, int64_t k, int64_t offset, int64_t stride, int64_t count)
{
    char *address = (char *)job->view->data + offset * job->bytes;
    char *code = job->codes + k * job->bytes;
    const stn_store *const store = stn_view_store(job->view);
    if (store)
        store->move(store->context, offset, stride, count, code, job->stores);
    else if (job->stores)
        stn_move(address, stride * job->bytes, code, job->bytes, job->bytes, count);
    else
        stn_move(code, job->bytes, address, stride * job->bytes, job->bytes, count);
}

/* ---- Morton: incrementing an index carries through the bits of the other dimensions ---- */

/* If the dimension has the lowest bit, indices 2 k and 2 k + 1 are adjacent. Subsequent elements
 * are prefetched, because the hardware prefetcher sees no pattern; from memory that is 1.3 to 2
 * times as fast. Distances in elements: */
enum { AHEAD = 256, TILES_AHEAD = 512, PAIRS = 8 };

static uint64_t add_spread(uint64_t a, uint64_t b, uint64_t mask)
{
    return ((a | ~mask) + b) & mask;
}

/* A line along the bits of `mask`, from index `at` of these bits on. */
typedef struct bit_line {
    char *data; /* of the element with index 0 */
    uint64_t mask, by;
    int is_backward, has_pairs;   /* pairs: indices 2 k and 2 k + 1 are adjacent */
    uint64_t pair[PAIRS], by_all; /* pairs from an index that is a multiple of 16, and the next */
    uint64_t far;                 /* the distance of prefetches */
} bit_line;

static inline __attribute__((always_inline)) void move_code(char *address, char *code, int stores,
                                                            size_t bytes)
{
    memcpy(stores ? address : code, stores ? code : address, bytes);
}

/* Elements from k on; where possible, sixteen at once. `bytes` is a constant in each call. */
static inline __attribute__((always_inline)) void move_along(const bit_line *line, uint64_t at,
                                                             char *codes, int64_t k, int64_t count,
                                                             int stores, int64_t bytes)
{
    char *const data = line->data;
    const uint64_t mask = line->mask, others = ~mask, by = line->by, far = line->far;
    const uint64_t low = line->pair[PAIRS - 1] | by, by_all = line->by_all;
    for (; line->has_pairs && k + 2 * PAIRS <= count && !(at & low);
         k += 2 * PAIRS, at = ((at | others) + by_all) & mask)
        for (int p = 0; p < PAIRS; p++) {
            if (p % 2 == 0)
                __builtin_prefetch(
                    data + (int64_t)((((at | others) + far) & mask) + line->pair[p]) * bytes, 0, 2);
            move_code(data + (int64_t)(at + line->pair[p]) * bytes, codes + (k + 2 * p) * bytes,
                      stores, 2 * (size_t)bytes);
        }
    for (; line->has_pairs && k + 2 <= count; k += 2) {
        __builtin_prefetch(data + (int64_t)(((at | others) + far) & mask) * bytes, 0, 2);
        move_code(data + (int64_t)at * bytes, codes + k * bytes, stores, 2 * (size_t)bytes);
        at = ((at | others | by) + by) & mask;
    }
    for (; k < count; k++) {
        move_code(data + (int64_t)at * bytes, codes + k * bytes, stores, (size_t)bytes);
        at = (line->is_backward ? at - by : (at | others) + by) & mask;
    }
}

static void move_bits(const line_move *job, int64_t offset)
{
    const stn_view *view = job->view;
    const int64_t step = view->stride[job->line->dimension], bytes = job->bytes;
    const int64_t count = job->line->count;
    const uint64_t mask = stn_view_mapping(view)->mask[view->axis[job->line->dimension]];
    bit_line line = {.data = (char *)view->data + (int64_t)((uint64_t)offset & ~mask) * bytes,
                     .mask = mask,
                     .by = stn_mapping_spread(stn_stride_length(step), mask),
                     .is_backward = step < 0,
                     .has_pairs = step == 1 && (mask & 1)};
    uint64_t at = (uint64_t)offset & mask;
    int64_t k = 0;
    if (line.has_pairs && (at & 1)) {
        move(job, 0, offset, 1, 1);
        at = add_spread(at, line.by, mask);
        k = 1;
    }
    for (int p = 0; p < PAIRS && line.has_pairs; p++) {
        line.pair[p] = line.by_all;
        line.by_all = add_spread(line.by_all, add_spread(line.by, line.by, mask), mask);
    }
    line.far = line.by_all;
    for (int ahead = 2 * PAIRS; ahead < AHEAD; ahead *= 2)
        line.far = add_spread(line.far, line.far, mask);
    switch (bytes) {
    case 1:
        move_along(&line, at, job->codes, k, count, job->stores, 1);
        break;
    case 2:
        move_along(&line, at, job->codes, k, count, job->stores, 2);
        break;
    case 4:
        move_along(&line, at, job->codes, k, count, job->stores, 4);
        break;
    case 8:
        move_along(&line, at, job->codes, k, count, job->stores, 8);
        break;
    default:
        line.has_pairs = 0;
        move_along(&line, at, job->codes, k, count, job->stores, bytes);
    }
}

/* ---- tiles: the part of a line in each tile has a constant stride ---- */

/* Moves `count` tiles whose rows are contiguous. Subsequent tiles are prefetched. */
static void move_whole_tiles(const line_move *job, int64_t k, int64_t offset, int64_t tile_step,
                             int64_t tile, int64_t count)
{
    const int64_t row = tile * job->bytes, step = tile_step * job->bytes;
    const int64_t ahead = (TILES_AHEAD + tile - 1) / tile * step;
    char *address = (char *)job->view->data + offset * job->bytes;
    char *code = job->codes + k * job->bytes;
#define MOVE_ROWS(size)                                                                            \
    for (; count > 0; count--, address += step, code += row) {                                     \
        __builtin_prefetch(address + ahead, 0, 2);                                                 \
        move_code(address, code, job->stores, size);                                               \
    }
    switch (row) {
    case 16:
        MOVE_ROWS(16)
        break;
    case 32:
        MOVE_ROWS(32)
        break;
    case 64:
        MOVE_ROWS(64)
        break;
    default:
        MOVE_ROWS((size_t)row)
    }
#undef MOVE_ROWS
}

static void move_tiles(const line_move *job, int64_t offset, int64_t index)
{
    const stn_mapping *mapping = stn_view_mapping(job->view);
    const int d = job->line->dimension, axis = job->view->axis[d];
    const int64_t tile = mapping->layout.tile[axis], within = mapping->within[axis];
    const int64_t tile_step = mapping->tile_stride[axis], step = job->view->stride[d];
    const int64_t rest = offset - index / tile * tile_step - index % tile * within;
    const int64_t size = step < 0 ? -step : step, count = job->line->count;
    if (step == 1 && tile == tile_step && mapping->store && mapping->store->moves_runs) {
        move(job, 0, offset, within, count);
        return;
    }
    if (step == 1) {
        int64_t run = tile - index % tile;
        run = run < count ? run : count;
        move(job, 0, offset, within, run);
        offset = rest + (index / tile + 1) * tile_step;
        const int64_t whole = within == 1 && !mapping->store ? (count - run) / tile : 0;
        move_whole_tiles(job, run, offset, tile_step, tile, whole);
        offset += whole * tile_step;
        run += whole * tile;
        for (int64_t k = run; k < count; k += run, offset += tile_step) {
            run = tile < count - k ? tile : count - k;
            move(job, k, offset, within, run);
        }
        return;
    }
    for (int64_t k = 0, run; k < count; k += run, index += run * step) {
        const int64_t at = index % tile, left = (step < 0 ? at : tile - 1 - at) / size + 1;
        run = left < count - k ? left : count - k;
        move(job, k, rest + index / tile * tile_step + at * within, step * within, run);
    }
}

/* ---- custom: one call per run of the layout ---- */

static void move_custom(const line_move *job, const int64_t *first)
{
    const stn_mapping *mapping = stn_view_mapping(job->view);
    const int d = job->line->dimension, axis = job->view->axis[d];
    const int64_t step = job->view->stride[d];
    int64_t whole[STN_MAX_RANK];
    memcpy(whole, first, sizeof whole);
    for (int64_t k = 0, run; k < job->line->count; k += run, whole[axis] += run * step) {
        const int64_t maximum = step > 0 ? (job->line->count - k - 1) * step + 1 : 1;
        int64_t offset, stride;
        run = stn_mapping_run(mapping, whole, axis, maximum, &offset, &stride);
        run = step > 0 ? (run - 1) / step + 1 : 1;
        move(job, k, offset, step * stride, run);
    }
}

/* ---- any layout ---- */

static void move_line(const line_move *job)
{
    const stn_view *view = job->view;
    const stn_view_line *line = job->line;
    int64_t whole[STN_MAX_RANK];
    stn_view_whole_indices(view, line->index, whole);
    const int64_t offset = stn_mapping_offset(stn_view_mapping(view), whole);
    const int d = line->dimension;
    if (d < 0 || line->count == 1)
        move(job, 0, offset, 1, 1);
    else if (view->stride[d] == 0)
        move(job, 0, offset, 0, line->count);
    else if (stn_view_mapping(view)->layout.kind == STN_LAYOUT_MORTON)
        move_bits(job, offset);
    else if (stn_view_mapping(view)->layout.kind == STN_LAYOUT_TILED)
        move_tiles(job, offset, whole[view->axis[d]]);
    else
        move_custom(job, whole);
}

void stn_view_line_gather(const stn_view *view, const stn_view_line *line, int64_t bytes,
                          void *codes)
{
    const line_move job = {view, line, bytes, codes, 0};
    if (stn_view_mapping(view))
        move_line(&job);
    else
        move(&job, 0, stn_view_element_offset(view, line->index),
             line->dimension < 0 ? 1 : view->stride[line->dimension], line->count);
}

void stn_view_line_scatter(const stn_view *view, const stn_view_line *line, int64_t bytes,
                           const void *codes)
{
    const line_move job = {view, line, bytes, (char *)(uintptr_t)codes, 1};
    if (stn_view_mapping(view))
        move_line(&job);
    else
        move(&job, 0, stn_view_element_offset(view, line->index),
             line->dimension < 0 ? 1 : view->stride[line->dimension], line->count);
}

char *stn_view_line_at(const stn_view *view, const stn_view_line *line, int64_t k, int64_t bytes)
{
    int64_t index[STN_MAX_RANK];
    memcpy(index, line->index, sizeof index);
    if (line->dimension >= 0)
        index[line->dimension] += k;
    return (char *)view->data + stn_view_element_offset(view, index) * bytes;
}
