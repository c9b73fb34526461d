/* Outputs side by side, along the last kept axis: columns, and rows so short that many of them are
 * read at once. Tiles are folded by reduce_rows.c and reduce_few.c; here is the tree over them, and
 * how the work is shared. */
#include "launch/reduce_across.h"

enum {
    FEW_OUTPUTS = 32,    /* fewer than these are few */
    FEW_NEIGHBOURS = 64, /* not more than these, if rows follow each other */
    SHORT_ROW = 128,     /* longer ones are not transposed */
    LEAST_WIDTH = 256,   /* that outputs are split into for the threads */
    MOST_BLOCKS_BYTES = STN_SHARED_BYTES,
    ALONE = 16384
};

static int64_t states_bytes(const stn_across *now)
{
    return now->wide * now->job->loops->state_bytes;
}

/* ---- the tree over tiles, of as many states as there are outputs ---- */

static void push(stn_across *now, int64_t tile)
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

static char *fold_levels(stn_across *now, int64_t tiles)
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
static char *fold_elements(stn_across *now, int64_t begin, int64_t end)
{
    const int64_t tiles = count_tiles(end - begin);
    for (int64_t tile = 0; tile < tiles; tile++) {
        const int64_t e = begin + tile * STN_TILE_ELEMENTS;
        const int64_t count = end - e < STN_TILE_ELEMENTS ? end - e : STN_TILE_ELEMENTS;
        if (now->job->side_by_side == STN_ACROSS_FEW)
            stn_fold_lanes(now, e, count);
        else
            stn_fold_rows(now, e, count);
        if (tiles == 1)
            return now->lanes;
        push(now, tile);
    }
    return fold_levels(now, tiles);
}

/* The outputs of a group, counted over all rows of the last kept axis; returns the first one's
 * number. */
static int64_t find_group(stn_across *now, int64_t group)
{
    const stn_reduce_job *job = now->job;
    const int last = stn_last_kept(job), at_last = job->kept.at[last];
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

/* Loops over rows need STN_COLUMNS outputs: where the last ones are fewer, some before them are
 * folded again. Returns how many. */
static int64_t step_back(stn_across *now)
{
    const stn_reduce_job *job = now->job;
    const int last = stn_last_kept(job), at_last = job->kept.at[last];
    const int64_t back = STN_COLUMNS - now->wide;
    if (job->side_by_side == STN_ACROSS_FEW || back <= 0 || now->first < back)
        return 0;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        now->base[at] -= back * job->kept.stride[at][last];
    }
    if (at_last >= 0)
        now->stretch.tile.index[at_last] -= back;
    now->first -= back;
    now->wide += back;
    return back;
}

static int64_t count_groups(const stn_reduce_job *job)
{
    return job->outputs / job->kept.extent[stn_last_kept(job)] * job->groups;
}

_Static_assert(sizeof(stn_across) <= STN_TILES_BYTES, "outputs side by side have room");

static stn_across *begin(const stn_reduce_job *job, stn_workspace *workspace)
{
    stn_across *now = (stn_across *)(void *)workspace->tiles;
    now->job = job;
    now->groups.elements = 0;
    now->room_each =
        job->side_by_side == STN_ACROSS_FEW ? stn_fold_lanes_room(job) : stn_fold_rows_room(job);
    stn_stretch_begin(job, workspace, &now->stretch);
    return now;
}

static void fold_items(void *context, stn_workspace *workspace, int part, int parts)
{
    const stn_reduce_job *job = context;
    const int64_t bytes = job->loops->state_bytes;
    int64_t item, end;
    stn_share(count_groups(job) * job->blocks, part, parts, &item, &end);
    if (item == end)
        return;
    stn_across *now = begin(job, workspace);
    for (int r = 0; r < STN_ROWS_AT_ONCE; r++)
        stn_stretch_begin(job, workspace, &now->rows[r]);
    for (; item < end; item++) {
        const int64_t output = find_group(now, item / job->blocks);
        const int64_t from = item % job->blocks * job->block;
        const int64_t to = from + job->block < job->elements ? from + job->block : job->elements;
        const int64_t wide = now->wide, again = step_back(now);
        const char *states = fold_elements(now, from, to) + again * bytes;
        if (job->values)
            memcpy(job->values + item * job->width * bytes, states, (size_t)(wide * bytes));
        else
            stn_reduce_store(job, output, states, wide);
    }
}

/* ---- blocks of the same outputs become one ---- */

static void store_blocks(stn_reduce_job *job)
{
    const int64_t bytes = job->width * job->loops->state_bytes;
    stn_across *now = begin(job, stn_workspaces_first(job->launch.workspaces));
    for (int64_t group = 0; group < count_groups(job); group++) {
        const int64_t output = find_group(now, group);
        for (int64_t block = 0; block < job->blocks; block++) {
            memcpy(now->lanes, job->values + (group * job->blocks + block) * bytes,
                   (size_t)states_bytes(now));
            push(now, block);
        }
        stn_reduce_store(job, output, fold_levels(now, job->blocks), now->wide);
    }
}

/* ---- the plan ---- */

static int count_levels(int64_t tiles)
{
    return 64 - __builtin_clzll((uint64_t)tiles);
}

/* As wide as there is room for, and as many groups for each thread. */
static void choose_width(stn_reduce_job *job)
{
    const int64_t bytes = job->loops->state_bytes, extent = job->kept.extent[stn_last_kept(job)];
    const int64_t threads = job->launch.exec->threads;
    int64_t width = job->side_by_side == STN_ACROSS_FEW
                        ? stn_fold_lanes_width(job)
                        : stn_fold_rows_width(job, job->side_by_side);
    while (width > STN_COLUMNS &&
           width * bytes * count_levels(count_tiles(job->elements)) > STN_LEVELS_BYTES)
        width /= 2;
    if (job->side_by_side == STN_ACROSS_ROWS && width < extent) {
        int64_t groups = (extent - 1) / width + 1;
        if (extent / threads >= LEAST_WIDTH)
            groups = (groups + threads - 1) / threads * threads;
        width = ((extent - 1) / groups + 8) & -8;
    }
    width = width > STN_COLUMNS || job->side_by_side == STN_ACROSS_FEW ? width : STN_COLUMNS;
    job->width = width < extent ? width : extent;
    job->groups = (extent - 1) / job->width + 1;
}

/* Several blocks of each output where there are too few groups for the threads. */
static void choose_blocks(stn_reduce_job *job)
{
    const int64_t threads = job->launch.exec->threads, groups = count_groups(job);
    const int64_t bytes = groups * job->width * job->loops->state_bytes;
    int64_t most = groups >= 4 * threads ? 1 : MOST_BLOCKS_BYTES / bytes;
    most = most < 16 * threads ? most : 16 * threads;
    most = most < 1 ? 1 : most;
    job->block = STN_TILE_ELEMENTS;
    while ((job->elements - 1) / job->block + 1 > most)
        job->block *= 2;
    job->blocks = (job->elements - 1) / job->block + 1;
}

void stn_reduce_across(stn_reduce_job *job)
{
    const int few =
        job->outputs < ALONE && job->elements < ALONE && job->outputs * job->elements < ALONE;
    choose_width(job);
    choose_blocks(job);
    job->values = job->blocks > 1 ? stn_workspaces_shared(job->launch.workspaces) : NULL;
    stn_workspaces_run(job->launch.workspaces, few ? 1 : job->launch.exec->threads, fold_items,
                       job);
    if (job->values)
        store_blocks(job);
}

/* Neighbours along the last kept axis, or along the reduced one? As most bytes are. */
static double count_votes(const stn_reduce_job *job)
{
    const int kept = stn_last_kept(job), reduced = job->reduced.count - 1;
    double votes = 0.0;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        const int64_t step = stn_distance(job->kept.stride[at][kept]);
        const int64_t along = stn_distance(job->reduced.stride[at][reduced]);
        const double bytes = (double)stn_view_count(job->launch.slots[at].view) *
                             (double)job->launch.slots[at].reader.run.bytes;
        votes += step < along ? bytes : step > along ? -bytes : 0.0;
    }
    return votes;
}

/* Are rows so narrow that a tile is read faster in the order of memory? Where they follow each
 * other there may be more of them. */
static int are_few(const stn_reduce_job *job)
{
    const int kept = stn_last_kept(job);
    const int64_t extent = job->kept.extent[kept];
    int follow = extent <= FEW_NEIGHBOURS && job->reduced.count == 1;
    for (int v = 0; v < job->launch.views && follow; v++) {
        const int at = job->launch.view_at[v];
        follow = job->kept.stride[at][kept] == 1 && job->reduced.stride[at][0] == extent;
    }
    return follow || extent < FEW_OUTPUTS;
}

int stn_reduce_goes_across(const stn_reduce_job *job)
{
    const int alone = job->indexed || (job->reduction->traits & STN_OPERATION_NUMBERED) != 0;
    const int kept = stn_last_kept(job);
    if (kept < 0 || job->kept.extent[kept] < 2 || job->elements == 0)
        return 0;
    if (count_votes(job) > 0.0)
        return are_few(job) && !alone ? STN_ACROSS_FEW : STN_ACROSS_ROWS;
    if (job->elements >= SHORT_ROW || (alone && job->reduced.count > 1))
        return 0;
    if (!are_few(job) && stn_fold_rows_width(job, STN_ACROSS_SHORT))
        return STN_ACROSS_SHORT;
    return alone ? 0 : STN_ACROSS_FEW;
}
