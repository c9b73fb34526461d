/* Outputs side by side, along the last kept axis: columns, and rows so short that many of them are
 * read at once.
 *
 * Wide: each element of the outputs at hand goes onto states of theirs. Rows are visited lane by
 * lane in bit-reversed order, so that the lanes combine as they come and six arrays of states are
 * enough. Narrow: the elements of 32 lanes are so few values that they go onto as many states at
 * once, for which they must stand one behind the other: in place, decoded, or transposed. */
#include "launch/reduce.h"
#include "launch/transpose.h"

enum {
    WIDE_BYTES = 4096,    /* of the states of one array, and of a row of decoded values */
    DEPTH = 6,            /* arrays of states that a tile takes */
    LANE_ROWS = 4,        /* elements of a lane of a whole tile */
    NARROW_VALUES = 1024, /* elements of 32 lanes, at most */
    LEVELS_BYTES = 65536,
    VALUES_BYTES = 65536,
    FEW_OUTPUTS = 32, /* fewer than these side by side are narrow */
    SHORT_ROW = 256,
    MOST_BLOCKS_BYTES = 65536,
    ALONE = 16384
};

typedef struct across {
    const stn_reduce_job *job;
    stn_stretch stretch, four[LANE_ROWS];
    int64_t first, wide;               /* the outputs at hand along the last kept axis */
    int64_t base[STN_MOST_PARAMETERS]; /* offsets of the first one's first element */
    int64_t begin, end;                /* their elements */
    int64_t room_each;                 /* bytes of values for a view */
    int takes_lanes;                   /* four rows at once have room */
    _Alignas(64) char values[VALUES_BYTES];
    _Alignas(64) char raw[NARROW_VALUES * 8];
    _Alignas(64) char lanes[DEPTH * WIDE_BYTES]; /* wide: DEPTH arrays; narrow: 32 lanes */
    _Alignas(64) char level[LEVELS_BYTES];
} across;

static int last_kept(const stn_reduce_job *job)
{
    return job->kept.count - 1;
}

static int64_t states_bytes(const across *now)
{
    return now->wide * now->job->loops->state_bytes;
}

/* ---- wide ---- */

static void read_wide(across *now, int64_t e, stn_stretch *stretch, char *rooms)
{
    const stn_reduce_job *job = now->job;
    const stn_axes *axes = &job->reduced;
    const int last = last_kept(job);
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        const int64_t stride = job->kept.stride[at][last];
        const int64_t offset =
            now->base[at] + stn_axes_offset(axes, axes->stride[at], axes->count, e);
        char *code = stn_code_at(job, at, offset), *room = rooms + v * now->room_each;
        if (job->plain[at] && (stride == 1 || now->wide == 1)) {
            stretch->tile.values[at] = code;
        } else {
            stn_run_decode(&job->launch.slots[at].run, room, code, stride, now->wide);
            stretch->tile.values[at] = room;
        }
    }
    if (job->indexed)
        stn_axes_index(axes, axes->count, e, stretch->tile.index);
    stretch->number = job->first + e;
}

/* What is read next, while the machine does not know: rows are far apart. */
static void fetch(const across *now, int64_t e, int64_t further)
{
    enum { LINE = 64 };
    const stn_reduce_job *job = now->job;
    const stn_axes *axes = &job->reduced;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        const int64_t step = job->kept.stride[at][last_kept(job)];
        const int64_t offset = now->base[at] + further * step +
                               stn_axes_offset(axes, axes->stride[at], axes->count, e);
        const int64_t bytes = now->wide * job->launch.slots[at].run.bytes;
        const char *code = stn_code_at(job, at, offset);
        if (step == 1)
            for (int64_t line = 0; line < bytes; line += LINE)
                __builtin_prefetch(code + line, 0, 3);
    }
}

static int64_t reversed(int64_t lane)
{
    return (lane & 1) << 4 | (lane & 2) << 2 | (lane & 4) | (lane & 8) >> 2 | (lane & 16) >> 4;
}

/* The lane that is visited after this one, or STN_LANES. */
static int64_t lane_after(int64_t lane, int64_t count)
{
    for (int64_t place = reversed(lane) + 1; place < STN_LANES; place++)
        if (reversed(place) < count)
            return reversed(place);
    return STN_LANES;
}

static void fetch_after(const across *now, int64_t e, int64_t count, int64_t row)
{
    const int64_t lane = row % STN_LANES;
    const int64_t next = row + STN_LANES < count ? row + STN_LANES : lane_after(lane, count);
    if (row + STN_LANES < count || next < STN_LANES)
        fetch(now, e + next, 0);
    else if (e + STN_TILE_ELEMENTS < now->end)
        fetch(now, e + STN_TILE_ELEMENTS, 0);
    else if (now->first + 2 * now->wide <= now->job->kept.extent[last_kept(now->job)])
        fetch(now, now->begin, now->wide);
}

/* The four rows of a lane at once: their states are written once. */
static void fold_whole_lane(across *now, int64_t e, int64_t count, int64_t lane, char *states)
{
    for (int k = 0; k < LANE_ROWS; k++) {
        stn_stretch *stretch = &now->four[k];
        const int64_t row = lane + k * STN_LANES, next = lane_after(lane, count);
        memcpy(stretch->tile.index, now->stretch.tile.index, sizeof stretch->tile.index);
        memcpy(stretch->tile.step, now->stretch.tile.step, sizeof stretch->tile.step);
        stretch->tile.count = now->wide;
        read_wide(now, e + row, stretch, now->values + k * (VALUES_BYTES / LANE_ROWS & -64));
        if (next < STN_LANES)
            fetch(now, e + next + k * STN_LANES, 0);
        else
            fetch_after(now, e, count, row);
    }
    now->job->loops->lane(now->four, states);
}

static void fold_lane(across *now, int64_t e, int64_t count, int64_t lane, char *states)
{
    if (count == STN_TILE_ELEMENTS && now->takes_lanes) {
        fold_whole_lane(now, e, count, lane, states);
        return;
    }
    for (int64_t r = lane; r < count; r += STN_LANES) {
        read_wide(now, e + r, &now->stretch, now->values);
        fetch_after(now, e, count, r);
        now->job->loops->accumulate(&now->stretch, states, r == lane);
    }
}

/* The lanes `lane`, lane + step, lane + 2 step, ... of the tile at e, into the array of this depth.
 */
static void fold_lanes(across *now, int64_t e, int64_t count, int64_t lane, int64_t step, int depth)
{
    char *states = now->lanes + depth * states_bytes(now);
    if (step == STN_LANES) {
        fold_lane(now, e, count, lane, states);
        return;
    }
    fold_lanes(now, e, count, lane, 2 * step, depth);
    if (lane + step < count) {
        fold_lanes(now, e, count, lane + step, 2 * step, depth + 1);
        now->job->loops->combine(states, states + states_bytes(now), now->wide);
    }
}

static void fold_wide(across *now, int64_t e, int64_t count)
{
    now->stretch.tile.count = now->wide;
    fold_lanes(now, e, count, 0, 1, 0);
}

/* ---- narrow ---- */

/* Rows that stand one behind the other in memory, or as many outputs' elements: transposed. */
static void *read_short_rows(across *now, int at, const char *code, char *room, int64_t count)
{
    const stn_reduce_job *job = now->job;
    const stn_run *run = &job->launch.slots[at].run;
    const int64_t along = job->reduced.stride[at][0], bytes = job->launch.bytes;
    const int64_t across_step = job->kept.stride[at][last_kept(job)];
    if (job->plain[at] && along == 1) {
        stn_transpose_words(room, code, across_step, now->wide, count, bytes);
        return room;
    }
    if (along == 1 && across_step == count)
        stn_run_decode(run, now->raw, code, 1, now->wide * count);
    else
        for (int64_t o = 0; o < now->wide; o++)
            stn_run_decode(run, now->raw + o * count * bytes, code + o * across_step * run->bytes,
                           along, count);
    stn_transpose_words(room, now->raw, count, now->wide, count, bytes);
    return room;
}

static int64_t distance(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Elements e to e + count - 1, up to 32, of the outputs at hand: those of the same number together.
 */
static void *read_narrow_view(across *now, int at, char *room, int64_t e, int64_t count)
{
    const stn_reduce_job *job = now->job;
    const stn_axes *axes = &job->reduced;
    const stn_run *run = &job->launch.slots[at].run;
    const int64_t stride = job->kept.stride[at][last_kept(job)], one_axis = axes->count == 1;
    if (one_axis) {
        const int64_t along = axes->stride[at][0];
        char *code = stn_code_at(job, at, now->base[at] + e * along);
        if (stride == 1 && along == now->wide) {
            if (job->plain[at])
                return code;
            stn_run_decode(run, room, code, 1, count * now->wide);
            return room;
        }
        if (distance(along) < distance(stride))
            return read_short_rows(now, at, code, room, count);
    }
    for (int64_t r = 0; r < count; r++)
        stn_run_decode(run, room + r * now->wide * job->launch.bytes,
                       stn_code_at(job, at,
                                   now->base[at] +
                                       stn_axes_offset(axes, axes->stride[at], axes->count, e + r)),
                       stride, now->wide);
    return room;
}

static void fold_narrow(across *now, int64_t e, int64_t count)
{
    const stn_reduce_job *job = now->job;
    const stn_reduction_loops *loops = job->loops;
    const int64_t bytes = states_bytes(now);
    for (int64_t r = 0; r < count; r += STN_LANES) {
        const int64_t some = count - r < STN_LANES ? count - r : STN_LANES;
        for (int v = 0; v < job->launch.views; v++) {
            const int at = job->launch.view_at[v];
            now->stretch.tile.values[at] =
                read_narrow_view(now, at, now->values + v * now->room_each, e + r, some);
        }
        now->stretch.tile.count = some * now->wide;
        loops->accumulate(&now->stretch, now->lanes, r == 0);
    }
    for (int64_t half = STN_LANES / 2; half; half /= 2) {
        const int64_t other = count - half < half ? count - half : half;
        if (other > 0)
            loops->combine(now->lanes, now->lanes + half * bytes, other * now->wide);
    }
}

/* ---- the tree over tiles, of as many states as there are outputs ---- */

static void push(across *now, int64_t tile)
{
    const int64_t bytes = states_bytes(now);
    const stn_reduction_loops *loops = now->job->loops;
    char *states = now->lanes, *level = now->level;
    for (; tile & 1; tile >>= 1, level += bytes) {
        loops->combine(level, states, now->wide);
        states = level;
    }
    if (states != level)
        memcpy(level, states, (size_t)bytes);
}

static char *fold_levels(across *now, int64_t tiles)
{
    const int64_t bytes = states_bytes(now);
    int k = __builtin_ctzll((uint64_t)tiles);
    char *states = now->level + k * bytes;
    for (uint64_t rest = (uint64_t)tiles >> k >> 1; rest; rest >>= 1) {
        k++;
        if (rest & 1) {
            now->job->loops->combine(now->level + k * bytes, states, now->wide);
            states = now->level + k * bytes;
        }
    }
    return states;
}

/* ---- items ---- */

static int64_t count_tiles(int64_t elements)
{
    return (elements - 1) / STN_TILE_ELEMENTS + 1;
}

/* Elements begin to end - 1 of the outputs at hand. */
static char *fold_elements(across *now, int64_t begin, int64_t end)
{
    const int64_t tiles = count_tiles(end - begin);
    now->begin = begin;
    now->end = end;
    for (int64_t tile = 0; tile < tiles; tile++) {
        const int64_t e = begin + tile * STN_TILE_ELEMENTS;
        const int64_t count = end - e < STN_TILE_ELEMENTS ? end - e : STN_TILE_ELEMENTS;
        if (now->job->side_by_side == STN_ACROSS_WIDE)
            fold_wide(now, e, count);
        else
            fold_narrow(now, e, count);
        if (tiles == 1)
            return now->lanes;
        push(now, tile);
    }
    return fold_levels(now, tiles);
}

/* The outputs of a group, counted over all rows of the last kept axis; returns the first one's
 * number. */
static int64_t find_group(across *now, int64_t group)
{
    const stn_reduce_job *job = now->job;
    const int last = last_kept(job), at_last = job->kept.at[last];
    const int64_t extent = job->kept.extent[last], row = group / job->groups;
    now->first = group % job->groups * job->width;
    now->wide = extent - now->first < job->width ? extent - now->first : job->width;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        const int64_t *stride = job->kept.stride[at];
        now->base[at] = stn_axes_offset(&job->kept, stride, last, row) + now->first * stride[last];
    }
    stn_axes_index(&job->kept, last, row, now->stretch.tile.index);
    if (at_last >= 0) {
        now->stretch.tile.index[at_last] = now->first;
        now->stretch.tile.step[at_last] = 1;
    }
    return row * extent + now->first;
}

static void fold_items(void *context, int part, int parts)
{
    const stn_reduce_job *job = context;
    const int64_t row_groups = job->outputs / job->kept.extent[last_kept(job)] * job->groups;
    across now;
    int64_t begin, end;
    stn_share(row_groups * job->blocks, part, parts, &begin, &end);
    if (begin == end)
        return;
    now.job = job;
    now.room_each = VALUES_BYTES / (job->launch.views ? job->launch.views : 1) & -64;
    stn_stretch_begin(job, &now.stretch);
    now.takes_lanes =
        job->side_by_side == STN_ACROSS_WIDE &&
        job->launch.views * job->width * job->launch.bytes <= VALUES_BYTES / LANE_ROWS;
    if (now.takes_lanes) {
        now.room_each = job->width * job->launch.bytes;
        for (int k = 0; k < LANE_ROWS; k++)
            stn_stretch_begin(job, &now.four[k]);
    }
    for (int64_t item = begin; item < end; item++) {
        const int64_t output = find_group(&now, item / job->blocks);
        const int64_t from = item % job->blocks * job->block;
        const int64_t to = from + job->block < job->elements ? from + job->block : job->elements;
        const char *states = fold_elements(&now, from, to);
        if (job->values)
            memcpy(job->values + item * job->width * job->loops->state_bytes, states,
                   (size_t)states_bytes(&now));
        else
            stn_reduce_store(job, output, states, now.wide);
    }
}

/* ---- blocks of the same outputs become one ---- */

static void store_blocks(stn_reduce_job *job)
{
    const int64_t row_groups = job->outputs / job->kept.extent[last_kept(job)] * job->groups;
    const int64_t bytes = job->width * job->loops->state_bytes;
    across now;
    now.job = job;
    stn_stretch_begin(job, &now.stretch);
    for (int64_t group = 0; group < row_groups; group++) {
        const int64_t output = find_group(&now, group);
        for (int64_t block = 0; block < job->blocks; block++) {
            memcpy(now.lanes, job->values + (group * job->blocks + block) * bytes,
                   (size_t)states_bytes(&now));
            push(&now, block);
        }
        stn_reduce_store(job, output, fold_levels(&now, job->blocks), now.wide);
    }
}

/* ---- the plan ---- */

static int count_levels(int64_t tiles)
{
    return 64 - __builtin_clzll((uint64_t)tiles);
}

static void choose_width(stn_reduce_job *job)
{
    const int64_t bytes = job->loops->state_bytes, extent = job->kept.extent[last_kept(job)];
    const int64_t views = job->launch.views ? job->launch.views : 1;
    int64_t width;
    if (job->side_by_side == STN_ACROSS_WIDE) {
        const int64_t room = VALUES_BYTES / views / job->launch.bytes & -8;
        width = WIDE_BYTES / (bytes < 8 ? 8 : bytes);
        width = width < room ? width : room;
    } else {
        const int64_t lanes = job->elements < STN_LANES ? job->elements : STN_LANES;
        const int64_t room = VALUES_BYTES / 8 / views;
        width = (room < NARROW_VALUES ? room & -8 : NARROW_VALUES) / lanes;
    }
    while (width > 1 && width * bytes * count_levels(count_tiles(job->elements)) > LEVELS_BYTES)
        width /= 2;
    job->width = width < extent ? width : extent;
    job->groups = (extent - 1) / job->width + 1;
}

/* Several blocks of each output where there are too few groups for the threads. */
static void choose_blocks(stn_reduce_job *job)
{
    const int64_t threads = job->launch.exec->threads;
    const int64_t row_groups = job->outputs / job->kept.extent[last_kept(job)] * job->groups;
    const int64_t bytes = row_groups * job->width * job->loops->state_bytes;
    int64_t most = row_groups >= 4 * threads ? 1 : MOST_BLOCKS_BYTES / bytes;
    most = most < 16 * threads ? most : 16 * threads;
    most = most < 1 ? 1 : most;
    job->block = STN_TILE_ELEMENTS;
    while ((job->elements - 1) / job->block + 1 > most)
        job->block *= 2;
    job->blocks = (job->elements - 1) / job->block + 1;
}

void stn_reduce_across(stn_reduce_job *job)
{
    _Alignas(16) char values[MOST_BLOCKS_BYTES];
    const stn_exec alone = {STN_EXEC_REFERENCE, 1};
    const int few =
        job->outputs < ALONE && job->elements < ALONE && job->outputs * job->elements < ALONE;
    choose_width(job);
    choose_blocks(job);
    job->values = job->blocks > 1 ? values : NULL;
    stn_exec_run(few ? &alone : job->launch.exec, fold_items, job);
    if (job->values)
        store_blocks(job);
}

/* The way in which most bytes are neighbours. */
int stn_reduce_goes_across(const stn_reduce_job *job)
{
    const int numbered = (job->reduction->traits & STN_OPERATION_NUMBERED) != 0;
    const int kept = last_kept(job), reduced = job->reduced.count - 1;
    double votes = 0.0; /* bytes for going across, less those for going along */
    if (kept < 0 || job->kept.extent[kept] < 2)
        return 0;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        const int64_t step = distance(job->kept.stride[at][kept]);
        const int64_t along = distance(job->reduced.stride[at][reduced]);
        const double bytes = (double)stn_view_count(job->launch.slots[at].view) *
                             (double)job->launch.slots[at].run.bytes;
        votes += step < along ? bytes : step > along ? -bytes : 0.0;
    }
    if (votes > 0.0)
        return job->indexed || numbered || job->kept.extent[kept] >= FEW_OUTPUTS
                   ? STN_ACROSS_WIDE
                   : STN_ACROSS_NARROW;
    return job->elements < SHORT_ROW && !job->indexed && !numbered ? STN_ACROSS_NARROW : 0;
}
