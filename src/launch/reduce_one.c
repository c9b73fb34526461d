/* The order of a reduction as it is defined: one output, element by element, into lanes. The
 * reference executor's way, and that of single outputs that are calculated again. */
#include "launch/reduce.h"

typedef struct one_walk {
    const stn_reduce_job *job;
    stn_stretch stretch;
    int64_t base[STN_MOST_PARAMETERS]; /* offsets of the output's first element */
    _Alignas(16) char value[STN_MOST_PARAMETERS][8];
} one_walk;

/* The tile holds element e, decoded. */
static void read_element(one_walk *walk, int64_t e)
{
    const stn_reduce_job *job = walk->job;
    const stn_axes *axes = &job->reduced;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        const int64_t offset = stn_axes_offset(axes, axes->stride[at], axes->count, e);
        stn_read(&job->launch.slots[at].reader, walk->value[at], walk->base[at] + offset, 1, 1);
    }
    stn_axes_index(axes, axes->count, e, walk->stretch.tile.index);
    walk->stretch.number = job->first + e;
}

static void fold_tile(one_walk *walk, int64_t first, int64_t count, void *state)
{
    const stn_reduction_loops *loops = walk->job->loops;
    const int64_t bytes = loops->state_bytes;
    _Alignas(16) char lanes[STN_LANES * STN_STATE_BYTES];
    for (int64_t e = 0; e < count; e++) {
        read_element(walk, first + e);
        loops->accumulate(&walk->stretch, lanes + e % STN_LANES * bytes, e < STN_LANES);
    }
    for (int64_t half = STN_LANES / 2; half; half /= 2)
        for (int64_t l = 0; l < half && l + half < count; l++)
            loops->combine(lanes + l * bytes, lanes + (l + half) * bytes, 1);
    stn_state_copy(state, lanes, (size_t)bytes);
}

void stn_reduce_one(const stn_reduce_job *job, int64_t output, double scale, void *state)
{
    const stn_axes *kept = &job->kept;
    one_walk walk = {.job = job};
    stn_states states;
    states.count = 0;
    stn_stretch_begin(job, NULL, &walk.stretch);
    walk.stretch.scale = scale;
    walk.stretch.tile.count = 1;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        walk.base[at] =
            kept->count ? stn_axes_offset(kept, kept->stride[at], kept->count, output) : 0;
        walk.stretch.tile.values[at] = walk.value[at];
    }
    stn_axes_index(kept, kept->count, output, walk.stretch.tile.index);
    for (int64_t e = 0; e < job->elements; e += STN_TILE_ELEMENTS) {
        const int64_t left = job->elements - e;
        _Alignas(16) char tile[STN_STATE_BYTES];
        fold_tile(&walk, e, left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS, tile);
        stn_states_push(job->loops, &states, tile);
    }
    stn_state_copy(state, stn_states_fold(job->loops, &states), (size_t)job->loops->state_bytes);
}
