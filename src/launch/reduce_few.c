/* A few outputs side by side: the elements of 32 lanes are so few values that they are a row of as
 * many states, for which they must stand one behind the other: in place, decoded, or transposed. */
#include "launch/reduce_across.h"

/* Elements e to e + count - 1, up to 32, of the outputs at hand: those of the same number together.
 */
static const void *read_lanes(stn_across *now, int at, char *room, int64_t e, int64_t count)
{
    const stn_reduce_job *job = now->job;
    const stn_axes *axes = &job->reduced;
    const stn_reader *reader = &job->launch.slots[at].reader;
    const int64_t *along = axes->stride[at];
    const int64_t stride = job->kept.stride[at][stn_last_kept(job)];
    if (axes->count == 1 && stride == 1 && along[0] == now->wide) {
        const int64_t position = now->base[at] + e * along[0];
        if (job->plain[at])
            return stn_reader_at(reader, position);
        stn_read(reader, room, position, 1, count * now->wide);
    } else if (stn_is_along(job, at)) {
        stn_transpose_short_rows(now, at, room, e, count);
    } else {
        for (int64_t r = 0; r < count; r++)
            stn_read(reader, room + r * now->wide * job->launch.bytes,
                     now->base[at] + stn_axes_offset(axes, along, axes->count, e + r), stride,
                     now->wide);
    }
    return room;
}

/* Each element onto the state of its lane and output, in the order of memory. */
static void fold_lane_rows(stn_across *now, int64_t e, int64_t count)
{
    const stn_launch *launch = &now->job->launch;
    for (int64_t r = 0; r < count; r += STN_LANES) {
        const int64_t some = count - r < STN_LANES ? count - r : STN_LANES;
        for (int v = 0; v < launch->views; v++) {
            const int at = launch->view_at[v];
            now->stretch.tile.values[at] =
                (void *)read_lanes(now, at, now->values + v * now->room_each, e + r, some);
        }
        now->stretch.tile.count = some * now->wide;
        now->job->loops->accumulate(&now->stretch, now->lanes, r == 0);
    }
}

void stn_fold_lanes(stn_across *now, int64_t e, int64_t count)
{
    const stn_reduction_loops *loops = now->job->loops;
    const int64_t bytes = now->wide * loops->state_bytes;
    fold_lane_rows(now, e, count);
    for (int64_t half = STN_LANES / 2; half; half /= 2) {
        const int64_t other = count - half < half ? count - half : half;
        if (other > 0)
            loops->combine(now->lanes, now->lanes + half * bytes, other * now->wide);
    }
}

int64_t stn_fold_lanes_room(const stn_reduce_job *job)
{
    return STN_VALUES_BYTES / (job->launch.views ? job->launch.views : 1) & -64;
}

int64_t stn_fold_lanes_width(const stn_reduce_job *job)
{
    const int64_t lanes = job->elements < STN_LANES ? job->elements : STN_LANES;
    const int64_t room = stn_fold_lanes_room(job) / 8;
    return (room < STN_FEW_VALUES ? room : STN_FEW_VALUES) / lanes;
}
