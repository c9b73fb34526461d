/* Reading rows: in place, decoded, or one element that is repeated. */
#include "launch/reduce_row.h"

void stn_row_find(const stn_reduce_job *job, int64_t output, stn_row_place *found)
{
    const stn_axes *kept = &job->kept;
    found->output = output;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        found->base[at] = stn_axes_offset(kept, kept->stride[at], kept->count, output);
    }
}

static void fetch(const stn_slot *slot, const char *code, int64_t elements)
{
    enum { LINE = 64, AHEAD = 2 };
    const int64_t bytes = elements * slot->reader.run.bytes;
    for (int64_t at = 0; at < bytes; at += LINE)
        __builtin_prefetch(code + AHEAD * bytes + at, 0, 1);
}

static void read_repeated(const stn_reduce_job *job, stn_row_room *room, int at, int64_t position)
{
    char *values = room->values[at];
    const int64_t bytes = job->launch.bytes;
    if (room->repeated[at] == position)
        return;
    stn_read(&job->launch.slots[at].reader, values, position, 1, 1);
    for (int64_t k = 1; k < STN_DECODED_ELEMENTS; k++)
        memcpy(values + k * bytes, values, (size_t)bytes);
    room->repeated[at] = position;
}

/* Elements of one row, from its element j on, into the rooms from element `to` on. */
void stn_row_decode(const stn_reduce_job *job, stn_row_room *room, const stn_row_place *output,
                    int64_t row, int64_t j, int64_t to, int64_t count)
{
    const stn_axes *axes = &job->reduced;
    const int last = axes->count - 1;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        const int64_t *stride = axes->stride[at];
        const int64_t offset =
            output->base[at] + stn_axes_offset(axes, stride, last, row) + j * stride[last];
        room->repeated[at] = STN_NO_POSITION;
        stn_read(&job->launch.slots[at].reader, room->values[at] + to * job->launch.bytes, offset,
                 stride[last], count);
        room->stretch.tile.values[at] = room->values[at];
    }
}

/* Elements of one row, from its element j on, in place where they can be. */
static void read_views(const stn_reduce_job *job, stn_row_room *room, const stn_row_place *output,
                       int64_t row, int64_t j, int64_t count)
{
    const stn_axes *axes = &job->reduced;
    const int last = axes->count - 1;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        const stn_slot *slot = &job->launch.slots[at];
        const int64_t stride = axes->stride[at][last];
        const int64_t offset =
            output->base[at] + stn_axes_offset(axes, axes->stride[at], last, row) + j * stride;
        room->stretch.tile.values[at] = room->values[at];
        if (job->fused || (job->plain[at] && (stride == 1 || count == 1))) {
            room->stretch.tile.values[at] = stn_reader_at(&slot->reader, offset);
        } else if (stride == 0) {
            read_repeated(job, room, at, offset);
        } else {
            if (stride == 1 && slot->reader.plain)
                fetch(slot, stn_reader_at(&slot->reader, offset), count);
            room->repeated[at] = STN_NO_POSITION;
            stn_read(&slot->reader, room->values[at], offset, stride, count);
        }
    }
}

void stn_row_find_indices(const stn_reduce_job *job, stn_row_room *room,
                          const stn_row_place *output, int64_t row, int64_t j)
{
    const int last = job->reduced.count - 1, at = job->reduced.at[last];
    int64_t *index = room->stretch.tile.index;
    stn_axes_index(&job->kept, job->kept.count, output->output, index);
    stn_axes_index(&job->reduced, last, row, index);
    if (at >= 0) {
        index[at] = j;
        room->stretch.tile.step[at] = 1;
    }
}

_Static_assert(sizeof(stn_row_room) <= STN_TILES_BYTES, "rows have room");

stn_row_room *stn_row_begin(const stn_reduce_job *job, stn_workspace *workspace)
{
    stn_row_room *room = (stn_row_room *)(void *)workspace->tiles;
    stn_stretch_begin(job, workspace, &room->stretch);
    for (int v = 0; v < job->launch.views; v++)
        room->repeated[job->launch.view_at[v]] = STN_NO_POSITION;
    return room;
}

void stn_row_read(const stn_reduce_job *job, stn_row_room *room, const stn_row_place *output,
                  int64_t row, int64_t j, int64_t count)
{
    read_views(job, room, output, row, j, count);
    if (job->indexed)
        stn_row_find_indices(job, room, output, row, j);
    room->stretch.tile.count = count;
}

int stn_row_in_place(const stn_reduce_job *job)
{
    const int last = job->reduced.count - 1;
    int in_place = 1;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        in_place &= job->plain[at] && job->reduced.stride[at][last] == 1;
    }
    return (in_place || job->fused) && job->reduced.count == 1;
}
