/* Outputs side by side, row by row: a row is the elements of one number. Up to sixteen rows go
 * through registers at once, some columns at a time, so that memory is read in as many streams, and
 * what is written is one row of states. Rows of a tile are visited lane by lane in bit-reversed
 * order: lanes combine as they come.
 *
 * Rows stand where they are, or are decoded; elements that are neighbours along the reduced
 * dimension are transposed first, a whole tile of them. */
#include "launch/reduce_across.h"
#include "launch/transpose.h"

enum {
    WIDE_BYTES = 16384,  /* of a row of states */
    FETCHED_BYTES = 256, /* of rows in place: what follows, the machine finds by itself */
    LINE = 64,
    SHORT_VALUES = 512, /* transposed at once, but for a tile of STN_COLUMNS outputs */
};

/* ---- groups of lanes ---- */

static int64_t reversed(int64_t lane)
{
    return (lane & 1) << 4 | (lane & 2) << 2 | (lane & 4) | (lane & 8) >> 2 | (lane & 16) >> 4;
}

/* The lanes `lane`, lane + step, lane + 2 step, ... of a tile of so many elements. */
static void plan_lanes(stn_lane_group *group, int64_t elements, int64_t lane, int64_t step)
{
    if (step < STN_LANES) {
        plan_lanes(group, elements, lane, 2 * step);
        if (lane + step < elements) {
            plan_lanes(group, elements, lane + step, 2 * step);
            group->plan[group->lanes - 1].combines++;
        }
        return;
    }
    group->plan[group->lanes] = (stn_lane){0, 0};
    for (int64_t row = lane; row < elements; row += STN_LANES) {
        group->row[group->rows++] = row;
        group->plan[group->lanes].rows++;
    }
    group->lanes++;
}

static void plan_groups(stn_lane_groups *groups, int64_t elements)
{
    if (groups->elements == elements)
        return;
    groups->elements = elements;
    groups->count = elements <= 16 ? 1 : elements <= 32 ? 2 : elements <= 64 ? 4 : 8;
    for (int64_t g = 0; g < groups->count; g++) {
        groups->group[g].rows = groups->group[g].lanes = 0;
        plan_lanes(&groups->group[g], elements, reversed(g) * groups->count / STN_LANES,
                   groups->count);
    }
}

/* ---- rows where they stand ---- */

static int64_t offset_of(const stn_across *now, int at, int64_t e)
{
    const stn_axes *axes = &now->job->reduced;
    return now->base[at] + stn_axes_offset(axes, axes->stride[at], axes->count, e);
}

static void decode_row(const stn_across *now, int at, int64_t e, char *room)
{
    const stn_reduce_job *job = now->job;
    stn_read(&job->launch.slots[at].reader, room, offset_of(now, at, e),
             job->kept.stride[at][stn_last_kept(job)], now->wide);
}

/* Into the second level of caches: the first one would have to wait. */
static void fetch_row(const stn_across *now, int at, int64_t e, int64_t further)
{
    const stn_reduce_job *job = now->job;
    const int64_t bytes = now->wide * job->launch.slots[at].reader.run.bytes;
    const int64_t some = stn_is_in_place(job, at) && bytes > FETCHED_BYTES ? FETCHED_BYTES : bytes;
    const char *code = stn_code_at(job, at, offset_of(now, at, e) + further);
    for (int64_t line = 0; line < some; line += LINE)
        __builtin_prefetch(code + line, 0, 2);
}

/* Row r of what is folded next: the next group, the next tile, or the outputs behind these. */
static void fetch_next(const stn_across *now, int64_t e, int64_t g, int64_t r)
{
    const stn_reduce_job *job = now->job;
    const int last = stn_last_kept(job);
    const stn_lane_group *next = &now->groups.group[g + 1 < now->groups.count ? g + 1 : 0];
    int64_t further = 0;
    if (r >= next->rows)
        return;
    if (g + 1 == now->groups.count)
        e += STN_TILE_ELEMENTS;
    e += next->row[r];
    if (e >= job->elements) {
        e = next->row[r];
        further = now->wide;
        if (now->first + 2 * now->wide > job->kept.extent[last])
            return;
    }
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        if (job->kept.stride[at][last] == 1 && job->launch.slots[at].reader.plain)
            fetch_row(now, at, e, further);
    }
}

static void read_rows(stn_across *now, int64_t e, int64_t g)
{
    const stn_reduce_job *job = now->job;
    const stn_lane_group *group = &now->groups.group[g];
    for (int64_t r = 0; r < group->rows; r++) {
        char *room = now->values + r * now->wide * job->launch.bytes;
        for (int v = 0; v < job->launch.views; v++) {
            const int at = job->launch.view_at[v];
            void **values = &now->rows[r].tile.values[at];
            *values = room;
            if (stn_is_in_place(job, at)) {
                *values = stn_code_at(job, at, offset_of(now, at, e + group->row[r]));
            } else {
                decode_row(now, at, e + group->row[r], room);
                room += now->room_each;
            }
        }
        fetch_next(now, e, g, r);
    }
}

/* ---- short rows ---- */

/* Those of the last dimension: transposed, or decoded and transposed. */
void stn_transpose_short_rows(stn_across *now, int at, char *room, int64_t e, int64_t count)
{
    const stn_reduce_job *job = now->job;
    const stn_reader *reader = &job->launch.slots[at].reader;
    const int64_t along = job->reduced.stride[at][0], bytes = job->launch.bytes;
    const int64_t across = job->kept.stride[at][stn_last_kept(job)];
    const int64_t most = STN_RAW_VALUES / count;
    const int64_t from = now->base[at] + e * along;
    if (job->plain[at] && along == 1) {
        stn_transpose_words(room, now->wide, stn_reader_at(reader, from), across, now->wide, count,
                            bytes);
        return;
    }
    for (int64_t done = 0; done < now->wide; done += most) {
        const int64_t some = now->wide - done < most ? now->wide - done : most;
        const int64_t row = from + done * across;
        if (along == 1 && across == count)
            stn_read(reader, now->raw, row, 1, some * count);
        else
            for (int64_t o = 0; o < some; o++)
                stn_read(reader, now->raw + o * count * bytes, row + o * across, along, count);
        stn_transpose_words(room + done * bytes, now->wide, now->raw, count, some, count, bytes);
    }
}

static void read_short_rows(stn_across *now, int64_t e, int64_t count)
{
    const stn_reduce_job *job = now->job;
    char *room = now->values;
    for (int v = 0; v < job->launch.views; v++, room += now->room_each) {
        const int at = job->launch.view_at[v];
        now->matrix[at] = room;
        now->matrix_step[at] = now->wide * job->launch.bytes;
        if (stn_is_along(job, at)) {
            stn_transpose_short_rows(now, at, room, e, count);
        } else if (job->reduced.count == 1 && stn_is_in_place(job, at)) {
            now->matrix[at] = stn_code_at(job, at, offset_of(now, at, e));
            now->matrix_step[at] = job->reduced.stride[at][0] * job->launch.bytes;
        } else {
            for (int64_t r = 0; r < count; r++)
                decode_row(now, at, e + r, room + r * now->matrix_step[at]);
        }
    }
}

static void find_short_rows(stn_across *now, int64_t g)
{
    const stn_reduce_job *job = now->job;
    const stn_lane_group *group = &now->groups.group[g];
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        for (int64_t r = 0; r < group->rows; r++)
            now->rows[r].tile.values[at] =
                (void *)(now->matrix[at] + group->row[r] * now->matrix_step[at]);
    }
}

/* ---- a tile ---- */

static void number_rows(stn_across *now, int64_t e, int64_t g)
{
    const stn_reduce_job *job = now->job;
    const stn_axes *axes = &job->reduced;
    const stn_lane_group *group = &now->groups.group[g];
    for (int64_t r = 0; r < group->rows; r++) {
        stn_tile *tile = &now->rows[r].tile;
        now->rows[r].number = job->first + e + group->row[r];
        tile->count = now->wide;
        if (job->indexed) {
            memcpy(tile->index, now->stretch.tile.index, sizeof tile->index);
            memcpy(tile->step, now->stretch.tile.step, sizeof tile->step);
            stn_axes_index(axes, axes->count, e + group->row[r], tile->index);
        }
    }
}

/* Too few columns for the loop over lanes: one row after the other onto states. */
static void fold_group_slowly(const stn_across *now, const stn_lane_group *group, char *states)
{
    const stn_reduction_loops *loops = now->job->loops;
    const int64_t bytes = now->wide * loops->state_bytes;
    const stn_stretch *row = now->rows;
    for (int64_t lane = 0; lane < group->lanes; lane++) {
        for (int64_t r = 0; r < group->plan[lane].rows; r++, row++)
            loops->accumulate(row, states, r == 0);
        for (int32_t k = group->plan[lane].combines; k > 0; k--, states -= bytes)
            loops->combine(states - bytes, states, now->wide);
        states += bytes;
    }
}

void stn_fold_rows(stn_across *now, int64_t e, int64_t count)
{
    const stn_reduce_job *job = now->job;
    const int64_t bytes = now->wide * job->loops->state_bytes;
    char *states = now->lanes; /* of the group at hand; those before it wait for their others */
    plan_groups(&now->groups, count);
    if (job->side_by_side == STN_ACROSS_SHORT)
        read_short_rows(now, e, count);
    for (int64_t g = 0; g < now->groups.count; g++, states += bytes) {
        const stn_lane_group *group = &now->groups.group[g];
        if (job->side_by_side == STN_ACROSS_SHORT)
            find_short_rows(now, g);
        else
            read_rows(now, e, g);
        number_rows(now, e, g);
        if (now->wide >= STN_COLUMNS)
            job->loops->lanes(now->rows, group->plan, group->lanes, states);
        else
            fold_group_slowly(now, group, states);
        for (int64_t before = g; before & 1; before >>= 1, states -= bytes)
            job->loops->combine(states - bytes, states, now->wide);
    }
}

/* ---- room ---- */

static int64_t rows_with_room(const stn_reduce_job *job, int side_by_side)
{
    if (side_by_side == STN_ACROSS_ROWS)
        return STN_ROWS_AT_ONCE;
    return job->elements < STN_TILE_ELEMENTS ? job->elements : STN_TILE_ELEMENTS;
}

int64_t stn_fold_rows_room(const stn_reduce_job *job)
{
    return rows_with_room(job, job->side_by_side) * job->width * job->launch.bytes;
}

int64_t stn_fold_rows_width(const stn_reduce_job *job, int side_by_side)
{
    const int64_t state = job->loops->state_bytes, rows = rows_with_room(job, side_by_side);
    int64_t views = 0, width = WIDE_BYTES / (state < 8 ? 8 : state);
    if (side_by_side == STN_ACROSS_SHORT) {
        width = SHORT_VALUES / rows & -8;
        width = width < STN_COLUMNS ? STN_COLUMNS : width;
    }
    for (int v = 0; v < job->launch.views; v++)
        views += side_by_side == STN_ACROSS_SHORT || !stn_is_in_place(job, job->launch.view_at[v]);
    const int64_t room = STN_VALUES_BYTES / (rows * job->launch.bytes * (views ? views : 1)) & -8;
    width = width < room ? width : room;
    return side_by_side == STN_ACROSS_SHORT && width < STN_COLUMNS ? 0 : width;
}
