/* Tiles of a launch: decoded, calculated, encoded. */
#include <string.h>

#include "launch/launch.h"

/* Room for a tile of each view, and what an inout was before. */
typedef struct tile_room {
    _Alignas(64) char values[STN_MOST_PARAMETERS][STN_TILE_ELEMENTS * sizeof(stn_c128)];
    _Alignas(64) char before[STN_TILE_ELEMENTS * sizeof(stn_c128)];
    const void *repeated[STN_MOST_PARAMETERS]; /* the code that a repeated element was read from */
} tile_room;

/* What no kernel calculates: a NaN with a payload that no operation makes. */
static const uint64_t unassigned_f64 = 0x7ff453544e4f5554u;
static const uint32_t unassigned_f32 = 0x7fa5544eu;

static int is_f32(stn_format arithmetic)
{
    return arithmetic == STN_F32 || arithmetic == STN_C64;
}

static void fill_unassigned(const stn_launch *launch, void *values, int64_t count)
{
    const int64_t bytes = count * launch->bytes;
    if (is_f32(launch->arithmetic))
        for (int64_t k = 0; k < bytes / 4; k++)
            memcpy((char *)values + 4 * k, &unassigned_f32, 4);
    else
        for (int64_t k = 0; k < bytes / 8; k++)
            memcpy((char *)values + 8 * k, &unassigned_f64, 8);
}

static char *code_at(const stn_slot *slot, int64_t offset)
{
    return (char *)slot->view->data + offset * slot->run.bytes;
}

/* The same element for the whole tile. */
static void read_repeated(const stn_launch *launch, tile_room *room, int at, const char *code,
                          int64_t count)
{
    char *values = room->values[at];
    (void)count;
    if (room->repeated[at] == code)
        return;
    stn_run_decode(&launch->slots[at].run, values, code, 1, 1);
    for (int64_t k = 1; k < STN_TILE_ELEMENTS; k++)
        memcpy(values + k * launch->bytes, values, (size_t)launch->bytes);
    room->repeated[at] = code;
}

/* Whether outputs are compared with what they were, or with what nothing is. */
static int is_compared_with_before(const stn_launch *launch, const stn_slot *slot)
{
    return slot->kind == STN_PARAMETER_INOUT || launch->arithmetic == STN_I64;
}

static void read_slot(const stn_launch *launch, tile_room *room, stn_tile *tile, int at,
                      int64_t offset)
{
    const stn_slot *slot = &launch->slots[at];
    const int64_t stride = slot->stride[launch->rank - 1];
    char *code = code_at(slot, offset);
    tile->values[at] = slot->native ? (void *)code : room->values[at];
    if (slot->native)
        return;
    if (slot->kind == STN_PARAMETER_IN && stride == 0)
        read_repeated(launch, room, at, code, tile->count);
    else if (slot->kind != STN_PARAMETER_OUT ||
             (slot->masked && is_compared_with_before(launch, slot)))
        stn_run_decode(&slot->run, room->values[at], code, stride, tile->count);
    else if (slot->masked)
        fill_unassigned(launch, room->values[at], tile->count);
}

/* Store those of the elements that differ from what `before` has at `step` bytes. */
static void write_changed(const stn_launch *launch, const stn_slot *slot, const char *values,
                          const char *before, int64_t step, char *code, int64_t first,
                          int64_t count)
{
    const int64_t bytes = launch->bytes, stride = slot->stride[launch->rank - 1];
    for (int64_t k = 0; k < count;) {
        int64_t end = k;
        while (end < count && memcmp(values + end * bytes, before + end * step, (size_t)bytes) != 0)
            end++;
        if (end > k)
            stn_run_encode(&slot->run, values + k * bytes, code + k * stride * slot->run.bytes,
                           stride, first + k, end - k);
        k = end + 1;
    }
}

static void write_slot(const stn_launch *launch, tile_room *room, int at, int64_t offset,
                       int64_t first, int64_t count)
{
    const stn_slot *slot = &launch->slots[at];
    const int64_t stride = slot->stride[launch->rank - 1];
    char *code = code_at(slot, offset);
    if (!slot->masked) {
        stn_run_encode(&slot->run, room->values[at], code, stride, first, count);
    } else if (is_compared_with_before(launch, slot)) {
        stn_run_decode(&slot->run, room->before, code, stride, count);
        write_changed(launch, slot, room->values[at], room->before, launch->bytes, code, first,
                      count);
    } else {
        fill_unassigned(launch, room->before, 1);
        write_changed(launch, slot, room->values[at], room->before, 0, code, first, count);
    }
}

/* Indices of the first element of a tile, and its number in C order. */
static int64_t find_tile(const stn_launch *launch, int64_t number, stn_tile *tile)
{
    const int last = launch->rank - 1;
    int64_t row = number / launch->tiles_per_row;
    const int64_t begin = number % launch->tiles_per_row * launch->tile;
    const int64_t left = launch->extent[last] - begin;
    const int64_t first = row * launch->extent[last] + begin;
    tile->index[last] = begin;
    tile->count = left < launch->tile ? left : launch->tile;
    for (int d = last - 1; d >= 0; d--) {
        tile->index[d] = row % launch->extent[d];
        row /= launch->extent[d];
    }
    return first;
}

static int64_t offset_of(const stn_launch *launch, const stn_slot *slot, const stn_tile *tile)
{
    int64_t offset = 0;
    for (int d = 0; d < launch->rank; d++)
        offset += tile->index[d] * slot->stride[d];
    return offset;
}

static void calculate_tile(const stn_launch *launch, tile_room *room, stn_tile *tile,
                           int64_t number)
{
    const int64_t first = find_tile(launch, number, tile);
    int64_t offsets[STN_MOST_PARAMETERS];
    for (int at = 0; at < launch->kernel->count; at++)
        if (launch->slots[at].view && launch->slots[at].kind != STN_PARAMETER_FIELD) {
            offsets[at] = offset_of(launch, &launch->slots[at], tile);
            read_slot(launch, room, tile, at, offsets[at]);
        }
    launch->loop(tile);
    for (int at = 0; at < launch->kernel->count; at++)
        if (stn_parameter_is_written(launch->slots[at].kind) && !launch->slots[at].native)
            write_slot(launch, room, at, offsets[at], first, tile->count);
}

void stn_launch_tiles(const stn_launch *launch, int64_t begin, int64_t end)
{
    tile_room room;
    stn_tile tile = {.count = 0};
    memset(room.repeated, 0, sizeof room.repeated);
    memcpy(tile.numbers, launch->numbers, sizeof tile.numbers);
    tile.step[launch->rank - 1] = 1;
    for (int64_t number = begin; number < end; number++)
        calculate_tile(launch, &room, &tile, number);
}
