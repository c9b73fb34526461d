/* Outputs one after the other, each along the last reduced axis. Tiles are folded in aligned
 * blocks, a power of two each, whose states are again leaves of the tree; a thread takes
 * neighbouring items, blocks or whole outputs. */
#include "launch/reduce_row.h"

enum { GATHERED = 64 }; /* states that are stored at once */

/* ---- a chunk: elements e to e + count - 1 of an output, as one state or mapped ---- */

/* Rows as they come, each mapped by itself. */
static void map_rows(const stn_reduce_job *job, stn_row_room *room, const stn_row_place *output,
                     int64_t e, int64_t count, char *mapped)
{
    const int64_t extent = job->reduced.extent[job->reduced.count - 1];
    for (int64_t done = 0; done < count;) {
        const int64_t row = (e + done) / extent, j = (e + done) % extent;
        int64_t some = count - done < extent - j ? count - done : extent - j;
        some = some < STN_DECODED_ELEMENTS ? some : STN_DECODED_ELEMENTS;
        stn_row_decode(job, room, output, row, j, 0, some);
        if (job->indexed)
            stn_row_find_indices(job, room, output, row, j);
        room->stretch.tile.count = some;
        room->stretch.tile.values[job->launch.kernel->count] =
            mapped + done * job->loops->mapped_bytes;
        job->loops->map(&room->stretch.tile);
        done += some;
    }
}

/* Rows whose indices are used: mapped, then folded tile by tile. */
static void fold_mapped_rows(const stn_reduce_job *job, stn_row_room *room,
                             const stn_row_place *output, int64_t e, int64_t count, void *state)
{
    const stn_reduction_loops *loops = job->loops;
    stn_states states;
    states.count = 0;
    map_rows(job, room, output, e, count, room->mapped);
    for (int64_t at = 0; at < count; at += STN_TILE_ELEMENTS) {
        const int64_t some = count - at < STN_TILE_ELEMENTS ? count - at : STN_TILE_ELEMENTS;
        _Alignas(16) char tile[STN_STATE_BYTES];
        loops->fold_mapped(room->mapped + at * loops->mapped_bytes, some, job->first + e + at,
                           job->scale, tile);
        stn_states_push(loops, &states, tile);
    }
    stn_state_copy(state, stn_states_fold(loops, &states), (size_t)loops->state_bytes);
}

static void gather_rows(const stn_reduce_job *job, stn_row_room *room, const stn_row_place *output,
                        int64_t e, int64_t count)
{
    const int64_t extent = job->reduced.extent[job->reduced.count - 1];
    for (int64_t done = 0; done < count;) {
        const int64_t row = (e + done) / extent, j = (e + done) % extent;
        const int64_t some = count - done < extent - j ? count - done : extent - j;
        stn_row_decode(job, room, output, row, j, done, some);
        done += some;
    }
}

static void fold_row(const stn_reduce_job *job, stn_row_room *room, const stn_row_place *output,
                     int64_t e, int64_t row, int64_t j, int64_t count, void *state)
{
    stn_row_read(job, room, output, row, j, count);
    room->stretch.number = job->first + e;
    if (job->known.is)
        stn_reduce_fold_known(job, &room->stretch, state);
    else
        job->fold(&room->stretch, state);
}

static void fold_several_rows(const stn_reduce_job *job, stn_row_room *room,
                              const stn_row_place *output, int64_t e, int64_t count, void *state)
{
    if (job->indexed) {
        fold_mapped_rows(job, room, output, e, count, state);
        return;
    }
    gather_rows(job, room, output, e, count);
    room->stretch.tile.count = count;
    room->stretch.number = job->first + e;
    job->loops->fold(&room->stretch, state);
}

/* Chunks that are not in one row have no more elements than the room; those that are may have. */
static void fold_chunk(const stn_reduce_job *job, stn_row_room *room, const stn_row_place *output,
                       int64_t e, int64_t count, void *state)
{
    const int one_row = job->reduced.count == 1;
    const int64_t extent = job->reduced.extent[job->reduced.count - 1];
    const int64_t row = one_row ? 0 : e / extent, j = one_row ? e : e % extent;
    if (j + count <= extent)
        fold_row(job, room, output, e, row, j, count, state);
    else
        fold_several_rows(job, room, output, e, count, state);
}

/* ---- items: blocks of outputs ---- */

/* Measured on Zen 4, sums of f64 in place: one walk of a thread 25 GB/s of one core's 31, two side
 * by side 18. */
typedef struct along_walk {
    int64_t item, end; /* the item at hand, and the one behind the last */
    int64_t e, stop;   /* the next element of the item, and the one behind its last */
    stn_row_place output;
    stn_states states;
    int64_t gathered; /* states of outputs before the one at hand, not stored yet */
    _Alignas(16) char gather[GATHERED * STN_STATE_BYTES];
} along_walk;

static void begin_item(const stn_reduce_job *job, along_walk *walk)
{
    const int64_t output = walk->item / job->blocks, block = walk->item % job->blocks;
    const int64_t stop = (block + 1) * job->block;
    walk->e = job->begin + block * job->block;
    walk->stop = job->begin + (stop < job->count ? stop : job->count);
    walk->states.count = 0;
    if (walk->output.output != output)
        stn_row_find(job, output, &walk->output);
}

static void store_gathered(const stn_reduce_job *job, along_walk *walk)
{
    if (walk->gathered)
        stn_reduce_store(job, walk->item - walk->gathered, walk->gather, walk->gathered);
    walk->gathered = 0;
}

static void end_item(const stn_reduce_job *job, along_walk *walk, const void *state)
{
    const size_t bytes = (size_t)job->loops->state_bytes;
    if (job->values) {
        stn_state_copy(job->values + (size_t)walk->item * bytes, state, bytes);
        walk->item++;
    } else {
        stn_state_copy(walk->gather + (size_t)walk->gathered++ * bytes, state, bytes);
        walk->item++;
        if (walk->gathered == GATHERED)
            store_gathered(job, walk);
    }
    if (walk->item < walk->end)
        begin_item(job, walk);
    else
        store_gathered(job, walk);
}

static void advance(const stn_reduce_job *job, stn_row_room *room, along_walk *walk)
{
    const int64_t left = walk->stop - walk->e;
    const int64_t count = left < job->chunk ? left : job->chunk;
    _Alignas(16) char state[STN_STATE_BYTES];
    fold_chunk(job, room, &walk->output, walk->e, count, state);
    walk->e += count;
    if (walk->e < walk->stop) {
        stn_states_push(job->loops, &walk->states, state);
    } else if (walk->states.count == 0) {
        end_item(job, walk, state);
    } else {
        stn_states_push(job->loops, &walk->states, state);
        end_item(job, walk, stn_states_fold(job->loops, &walk->states));
    }
}

static void fold_items(void *context, stn_workspace *workspace, int part, int parts)
{
    const stn_reduce_job *job = context;
    along_walk walk = {.output.output = -1};
    stn_share(job->outputs * job->blocks, part, parts, &walk.item, &walk.end);
    if (walk.item == walk.end)
        return;
    stn_row_room *room = stn_row_begin(job, workspace);
    begin_item(job, &walk);
    while (walk.item < walk.end)
        advance(job, room, &walk);
}

/* ---- the whole ---- */

enum { MOST_BLOCKS = 1024, ALONE = 16384 };
_Static_assert(MOST_BLOCKS *STN_STATE_BYTES <= STN_SHARED_BYTES, "states of blocks have room");

/* As many blocks as keep the threads busy, when there are few outputs. */
static void choose_blocks(stn_reduce_job *job)
{
    const int64_t threads = job->launch.exec->threads;
    const int64_t most = job->outputs >= 8 * threads ? 1 : MOST_BLOCKS / job->outputs;
    job->chunk = !stn_row_in_place(job) ? STN_DECODED_ELEMENTS
                 : job->known.is        ? STN_KNOWN_ELEMENTS
                                        : STN_ALONG_ELEMENTS;
    job->block = job->chunk;
    while ((job->count - 1) / job->block + 1 > (most > 1 ? most : 1))
        job->block *= 2;
    job->blocks = (job->count - 1) / job->block + 1;
}

static void run_items(stn_reduce_job *job)
{
    const int few = job->outputs < ALONE && job->count < ALONE && job->outputs * job->count < ALONE;
    stn_workspaces_run(job->launch.workspaces, few ? 1 : job->launch.exec->threads, fold_items,
                       job);
}

/* States of an output's blocks become one, in place of the first. */
static char *fold_blocks(const stn_reduce_job *job, int64_t output)
{
    const stn_reduction_loops *loops = job->loops;
    char *block = job->values + output * job->blocks * loops->state_bytes;
    stn_states states;
    if (job->blocks == 1)
        return block;
    states.count = 0;
    for (int64_t b = 0; b < job->blocks; b++)
        stn_states_push(loops, &states, block + b * loops->state_bytes);
    stn_state_copy(block, stn_states_fold(loops, &states), (size_t)loops->state_bytes);
    return block;
}

void stn_reduce_along(stn_reduce_job *job)
{
    job->begin = 0;
    job->count = job->elements;
    choose_blocks(job);
    job->values = job->blocks > 1 ? stn_workspaces_shared(job->launch.workspaces) : NULL;
    run_items(job);
    if (job->values)
        for (int64_t output = 0; output < job->outputs; output++)
            stn_reduce_store(job, output, fold_blocks(job, output), 1);
}

/* So few elements that they are folded at once. */
static void fold_range_at_once(const stn_reduce_job *job, void *state)
{
    stn_row_room *room = stn_row_begin(job, stn_workspaces_first(job->launch.workspaces));
    stn_row_place output;
    stn_row_find(job, 0, &output);
    fold_chunk(job, room, &output, job->begin, job->count, state);
}

void stn_reduce_range(stn_reduce_job *job, int64_t begin, int64_t count, void *state)
{
    job->begin = begin;
    job->count = count;
    choose_blocks(job);
    if (count <= job->chunk) {
        fold_range_at_once(job, state);
        return;
    }
    job->values = stn_workspaces_shared(job->launch.workspaces);
    run_items(job);
    stn_state_copy(state, fold_blocks(job, 0), (size_t)job->loops->state_bytes);
}

void stn_reduce_map(const stn_reduce_job *job, int64_t begin, int64_t count, void *mapped)
{
    stn_row_room *room = stn_row_begin(job, stn_workspaces_first(job->launch.workspaces));
    stn_row_place output;
    stn_row_find(job, 0, &output);
    map_rows(job, room, &output, begin, count, mapped);
}
