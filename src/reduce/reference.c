/* The order of a reduction as defined: one output, element by element. Used by the reference
 * executor, and for single outputs that are recomputed. */
#include "reduce/job.h"

typedef struct reference_walk {
    const stn_reduce_job *job;
    stn_tile tile;
    int64_t position[STN_MAX_PARAMETERS]; /* of the output's first element */
    _Alignas(16) char value[STN_MAX_PARAMETERS][sizeof(stn_c128)];
} reference_walk;

static void map_element(reference_walk *walk, int64_t e, void *mapped)
{
    const stn_reduce_job *job = walk->job;
    const stn_axes *axes = &job->reduced;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        stn_read_view(job, at, walk->value[at],
                      walk->position[at] + stn_axes_offset(axes, axes->stride[at], axes->count, e),
                      1, 1);
    }
    stn_axes_index(axes, axes->count, e, walk->tile.index);
    walk->tile.buffer = mapped;
    job->launch.loop(&walk->tile);
}

static void begin_walk(reference_walk *walk, int64_t output)
{
    const stn_launch *launch = &walk->job->launch;
    const stn_axes *kept = &walk->job->kept;
    memset(walk->tile.index, 0, sizeof walk->tile.index);
    memset(walk->tile.step, 0, sizeof walk->tile.step);
    walk->tile.count = 1;
    memcpy(walk->tile.numbers, launch->numbers,
           (size_t)launch->kernel->count * sizeof *launch->numbers);
    for (int v = 0; v < launch->views; v++)
        walk->tile.values[launch->view_at[v]] = walk->value[launch->view_at[v]];
    stn_find_output(walk->job, output, walk->position);
    stn_axes_index(kept, kept->count, output, walk->tile.index);
}

void stn_reduce_reference(const stn_reduce_job *job, int64_t output, double scale, void *state)
{
    const stn_monoid *monoid = &job->monoid;
    _Alignas(16) char mapped[STN_TILE_ELEMENTS * STN_MAPPED_BYTES];
    _Alignas(16) char leaf[STN_STATE_BYTES];
    _Alignas(16) char levels[STN_TREE_LEVELS * STN_STATE_BYTES];
    reference_walk walk;
    stn_tree tree;
    walk.job = job;
    begin_walk(&walk, output);
    stn_tree_begin(&tree, monoid->combine, monoid->state_bytes, 1, levels, 0);
    for (int64_t e = 0; e < job->elements; e += STN_TILE_ELEMENTS) {
        const int64_t left = job->elements - e;
        const int64_t count = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
        for (int64_t k = 0; k < count; k++)
            map_element(&walk, e + k, mapped + k * monoid->mapped_bytes);
        stn_fold_mapped(monoid, mapped, count, job->first + e, scale, leaf);
        stn_tree_push(&tree, leaf, 0);
    }
    memcpy(state, stn_tree_fold(&tree), (size_t)monoid->state_bytes);
}
