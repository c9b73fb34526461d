/* Distribution of blocks of tiles, whose states are leaves of the tree, over the threads of an
 * executor. */
#include "order/schedule.h"

#include <string.h>

#include "core/tune.h"

/* A running sequence of items, which are blocks of groups. */
typedef struct sum_walk {
    int64_t item, end; /* current item, and end */
    int64_t tile, stop;
    int64_t stored; /* sums before the current item that must be stored */
    stn_tree tree;
    _Alignas(64) char levels[STN_TREE_LEVELS * STN_SIDE_BYTES];
    _Alignas(16) char sums[STN_STORED_SUMS * 16];
} sum_walk;

static void begin_item(const stn_sums_job *job, sum_walk *walk)
{
    const int64_t stop = (walk->item % job->blocks + 1) * job->block;
    walk->tile = walk->item % job->blocks * job->block;
    walk->stop = stop < job->tiles ? stop : job->tiles;
    walk->tree.blocks = 0;
    walk->tree.leaf = 0;
}

static void store_sums(const stn_sums_job *job, sum_walk *walk)
{
    if (walk->stored)
        job->store(job->context, walk->item - walk->stored, walk->stored, walk->sums);
    walk->stored = 0;
}

static void end_item(const stn_sums_job *job, sum_walk *walk, const void *states)
{
    const int64_t row = job->width * job->bytes;
    const int64_t item = walk->item++;
    if (job->blocks > 1)
        memcpy((char *)job->values + item * row, states, (size_t)row);
    else if (job->levels)
        job->store(job->context, item, 1, states);
    else
        memcpy(walk->sums + walk->stored++ * row, states, (size_t)row);
    if ((walk->stored + 1) * job->width > STN_STORED_SUMS ||
        (walk->stored + 1) * row > (int64_t)sizeof walk->sums || walk->item == walk->end)
        store_sums(job, walk);
    if (walk->item < walk->end)
        begin_item(job, walk);
}

/* The next tiles, up to a chunk and to the end of the block. */
static void advance(const stn_sums_job *job, stn_workspace *workspace, sum_walk *walk)
{
    const int64_t left = walk->stop - walk->tile, count = left < job->chunk ? left : job->chunk;
    _Alignas(64) char buffer[STN_SIDE_BYTES];
    const void *states =
        job->fold(job->context, workspace, walk->item / job->blocks, walk->tile, count, buffer);
    walk->tile += count;
    if (walk->tile < walk->stop) {
        stn_tree_push(&walk->tree, states, 0);
    } else if (walk->tree.blocks == 0) {
        end_item(job, walk, states);
    } else {
        stn_tree_push(&walk->tree, states, 0);
        end_item(job, walk, stn_tree_fold(&walk->tree));
    }
}

static void fold_items(void *context, stn_workspace *workspace, int part, int parts)
{
    const stn_sums_job *job = context;
    sum_walk walks[STN_MAX_STREAMS];
    const int streams = job->levels ? 1 : job->streams;
    int64_t begin, end, busy = 0;
    stn_share(job->groups * job->blocks, part, parts, &begin, &end);
    if (job->begin)
        job->begin(job->context, workspace);
    for (int s = 0; s < streams; s++) {
        sum_walk *const one = &walks[s];
        stn_share(end - begin, s, streams, &one->item, &one->end);
        one->item += begin;
        one->end += begin;
        one->stored = 0;
        stn_tree_begin(&one->tree, job->combine, job->bytes, job->width,
                       job->levels ? workspace->tiles + job->levels : one->levels, 0);
        if (one->item < one->end)
            begin_item(job, one);
        busy += one->end - one->item;
    }
    while (busy > 0)
        for (int s = 0; s < streams; s++)
            if (walks[s].item < walks[s].end) {
                const int64_t item = walks[s].item;
                advance(job, workspace, &walks[s]);
                busy -= walks[s].item - item;
            }
}

static void fold_items_alone(void *context, int part, int parts)
{
    fold_items(context, NULL, part, parts);
}

/* Enough blocks to keep the threads busy if there are few sums. */
static void choose_blocks(stn_sums_job *job)
{
    const int64_t row = job->groups * job->width * job->bytes;
    const int64_t buffer = job->value_bytes / row < STN_MAX_BLOCKS / job->groups
                               ? job->value_bytes / row
                               : STN_MAX_BLOCKS / job->groups;
    const int64_t walks = (int64_t)job->threads * job->streams;
    const int64_t maximum = walks == 1 || job->groups >= 8 * walks ? 1 : buffer;
    job->block = job->chunk;
    while ((job->tiles - 1) / job->block + 1 > (maximum > 1 ? maximum : 1))
        job->block *= 2;
    job->blocks = (job->tiles - 1) / job->block + 1;
}

/* Combines the states of a group's blocks in the position of the first. */
static void store_blocks(const stn_sums_job *job)
{
    const int64_t row = job->width * job->bytes;
    for (int64_t group = 0; group < job->groups; group++) {
        char *states = (char *)job->values + group * job->blocks * row;
        stn_fold_leaves(job->combine, job->bytes, states, job->width, job->blocks);
        job->store(job->context, group, 1, states);
    }
}

/* One chunk on the calling thread. */
static void fold_at_once(stn_sums_job *job, const stn_workspaces *workspaces)
{
    stn_workspace *const workspace = workspaces ? stn_workspaces_first(workspaces) : NULL;
    _Alignas(64) char buffer[STN_SIDE_BYTES];
    if (job->begin)
        job->begin(job->context, workspace);
    job->store(job->context, 0, 1, job->fold(job->context, workspace, 0, 0, job->tiles, buffer));
}

void stn_sums_run(stn_sums_job *job, const stn_exec *exec, const stn_workspaces *workspaces)
{
    const double tiles = (double)job->groups * (double)job->width * (double)job->tiles;
    const double bytes = tiles * STN_TILE_ELEMENTS * (double)sizeof(double);
    job->threads = stn_is_for_one_thread(bytes) ? 1 : exec->threads;
    job->streams = exec->streams > 0 ? exec->streams : 1; /* executors for inner use have none */
    if (job->fetches && stn_tuned_ahead > 0)
        job->streams = 1;
    if (job->groups == 0 || job->tiles == 0)
        return;
    if (job->groups == 1 && job->tiles <= job->chunk) {
        fold_at_once(job, workspaces);
        return;
    }
    choose_blocks(job);
    if (workspaces)
        stn_workspaces_run(workspaces, job->threads, fold_items, job);
    else
        stn_exec_run_parts(exec, job->threads, fold_items_alone, job);
    if (job->blocks > 1)
        store_blocks(job);
}
