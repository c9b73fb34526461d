/* Outputs computed sequentially, each along the last reduced axis: in place, or decoded. */
#include "reduce/contiguous.h"

#include "core/memory.h"

_Static_assert(sizeof(stn_contiguous) <= STN_TILES_BYTES, "rows fit into the workspace");

stn_contiguous *stn_contiguous_begin(const stn_reduce_job *job, stn_workspace *workspace)
{
    const stn_launch *launch = &job->launch;
    stn_contiguous *buffer = (stn_contiguous *)(void *)workspace->tiles;
    const int64_t extent = job->reduced.extent[job->reduced.count - 1];
    buffer->output = -1;
    buffer->filled = extent < STN_TILE_ELEMENTS ? extent : STN_TILE_ELEMENTS;
    buffer->each = launch->views ? STN_CONTIGUOUS_BYTES / launch->views & -64 : 0;
    buffer->panel.scale = job->scale;
    memcpy(buffer->panel.elements.numbers, launch->numbers,
           (size_t)launch->kernel->count * sizeof *launch->numbers);
    for (int v = 0; v < launch->views; v++)
        buffer->repeated[launch->view_at[v]] = STN_NO_POSITION;
    return buffer;
}

static void begin(void *context, stn_workspace *workspace)
{
    (void)stn_contiguous_begin(context, workspace);
}

void stn_contiguous_find(const stn_reduce_job *job, stn_contiguous *buffer, int64_t output)
{
    if (buffer->output == output)
        return;
    buffer->output = output;
    buffer->rank = INT64_MAX;
    stn_find_output(job, output, buffer->position);
}

/* ---- elements e to e + count - 1 of an output ---- */

static int is_one_row(const stn_reduce_job *job, int64_t e, int64_t count)
{
    const int64_t extent = job->reduced.extent[job->reduced.count - 1];
    return job->reduced.count == 1 || e % extent + count <= extent;
}

static void fetch(const stn_run *run, const char *code, int64_t elements)
{
    enum { AHEAD = 2 };
    const int64_t bytes = elements * run->bytes;
    for (int64_t at = 0; at < bytes; at += STN_LINE)
        __builtin_prefetch(code + AHEAD * bytes + at, 0, 1);
}

static void repeat(const stn_reduce_job *job, stn_contiguous *buffer, int at, char *values,
                   int64_t position)
{
    if (buffer->repeated[at] == position)
        return;
    stn_read_view(job, at, values, position, 0, buffer->filled);
    buffer->repeated[at] = position;
}

static int64_t position_of(const stn_reduce_job *job, const stn_contiguous *buffer, int at,
                           int64_t e)
{
    return buffer->position[at] +
           stn_axes_offset(&job->reduced, job->reduced.stride[at], job->reduced.count, e);
}

/* Within one row: in place if possible. */
static void read_row(const stn_reduce_job *job, stn_contiguous *buffer, int v, int64_t e,
                     int64_t count)
{
    const int at = job->launch.view_at[v];
    const int64_t stride = job->reduced.stride[at][job->reduced.count - 1];
    const int64_t position = position_of(job, buffer, at, e);
    char *values = buffer->values + v * buffer->each;
    buffer->panel.elements.values[at] = values;
    buffer->panel.row[at] = STN_PANEL_COLUMNS;
    buffer->panel.tile[at] = stride ? STN_TILE_ELEMENTS : 0;
    if (job->plain[at] && stride == 1) {
        buffer->panel.elements.values[at] = stn_code_at(job, at, position);
    } else if (stride == 0) {
        repeat(job, buffer, at, values, position);
    } else {
        buffer->repeated[at] = STN_NO_POSITION;
        if (stride == 1 && job->launch.slots[at].reader.plain)
            fetch(&job->launch.slots[at].reader.run, stn_code_at(job, at, position), count);
        stn_read_view(job, at, values, position, stride, count);
    }
}

/* From several rows, consecutively. */
static void read_rows(const stn_reduce_job *job, stn_contiguous *buffer, int v, int64_t e,
                      int64_t count)
{
    const int at = job->launch.view_at[v], last = job->reduced.count - 1;
    const int64_t extent = job->reduced.extent[last];
    char *const values = buffer->values + v * buffer->each;
    for (int64_t done = 0; done < count;) {
        const int64_t left = extent - (e + done) % extent;
        const int64_t batch = count - done < left ? count - done : left;
        stn_read_view(job, at, values + done * job->launch.bytes,
                      position_of(job, buffer, at, e + done), job->reduced.stride[at][last], batch);
        done += batch;
    }
    buffer->repeated[at] = STN_NO_POSITION;
    buffer->panel.elements.values[at] = values;
    buffer->panel.row[at] = STN_PANEL_COLUMNS;
    buffer->panel.tile[at] = STN_TILE_ELEMENTS;
}

static void find_locations(const stn_reduce_job *job, stn_contiguous *buffer, int64_t e)
{
    const int last = job->reduced.count - 1, at = job->reduced.at[last];
    const int64_t extent = job->reduced.extent[last];
    stn_panel_place *const place = buffer->panel.place;
    int64_t index[STN_MAX_RANK] = {0};
    place[STN_MAX_RANK] =
        (stn_panel_place){job->first + e, STN_TILE_ELEMENTS, STN_PANEL_COLUMNS, 1};
    if (!job->indexed)
        return;
    stn_axes_index(&job->kept, job->kept.count, buffer->output, index);
    stn_axes_index(&job->reduced, last, e / extent, index);
    for (int d = 0; d < STN_MAX_RANK; d++)
        place[d] = (stn_panel_place){index[d], 0, 0, 0};
    if (at >= 0)
        place[at] = (stn_panel_place){e % extent, STN_TILE_ELEMENTS, STN_PANEL_COLUMNS, 1};
}

static void read_elements(const stn_reduce_job *job, stn_contiguous *buffer, int64_t e,
                          int64_t count)
{
    const int one = is_one_row(job, e, count);
    for (int v = 0; v < job->launch.views; v++)
        if (one)
            read_row(job, buffer, v, e, count);
        else
            read_rows(job, buffer, v, e, count);
    if (job->indexed || job->numbered)
        find_locations(job, buffer, e);
}

/* Maps the values that were read, from a tile on: into `mapped`, or in place. */
static const void *map_read(const stn_reduce_job *job, stn_contiguous *buffer, int64_t tile,
                            int64_t count, void *mapped)
{
    stn_tile *const elements = &buffer->panel.elements;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        elements->values[at] =
            (char *)elements->values[at] + tile * buffer->panel.tile[at] * job->launch.bytes;
    }
    if (job->bare >= 0)
        return elements->values[job->bare];
    for (int d = 0; d < STN_MAX_RANK && job->indexed; d++) {
        const stn_panel_place *const place = &buffer->panel.place[d];
        elements->index[d] = place->first + tile * place->tile;
        elements->step[d] = place->element;
    }
    elements->count = count;
    elements->buffer = mapped;
    job->launch.loop(elements);
    return mapped;
}

/* Row by row, because indices change with rows. */
const void *stn_contiguous_map(const stn_reduce_job *job, stn_contiguous *buffer, int64_t e,
                               int64_t count, void *mapped)
{
    const int64_t extent = job->reduced.extent[job->reduced.count - 1];
    const int64_t bytes = job->monoid.mapped_bytes;
    if (is_one_row(job, e, count)) {
        read_elements(job, buffer, e, count);
        return map_read(job, buffer, 0, count, mapped);
    }
    for (int64_t done = 0; done < count;) {
        const int64_t left = extent - (e + done) % extent;
        const int64_t batch = count - done < left ? count - done : left;
        char *const to = (char *)mapped + done * bytes;
        read_elements(job, buffer, e + done, batch);
        const void *from = map_read(job, buffer, 0, batch, to);
        if (from != to)
            memcpy(to, from, (size_t)(batch * bytes));
        done += batch;
    }
    return mapped;
}

/* ---- folds ---- */

/* Tile by tile, each of which is mapped first. */
static void fold_rows(const stn_reduce_job *job, stn_contiguous *buffer, int64_t e, int64_t count)
{
    const stn_monoid *const monoid = &job->monoid;
    for (int64_t t = 0; t * STN_TILE_ELEMENTS < count; t++) {
        const int64_t at = t * STN_TILE_ELEMENTS, left = count - at;
        const int64_t batch = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
        stn_fold_mapped(monoid, stn_contiguous_map(job, buffer, e + at, batch, buffer->mapped),
                        batch, job->first + e + at, job->scale,
                        buffer->states + t * monoid->state_bytes);
    }
}

static void fold_row(const stn_reduce_job *job, stn_contiguous *buffer, int64_t e, int64_t count)
{
    const stn_monoid *const monoid = &job->monoid;
    const int64_t full = count / STN_TILE_ELEMENTS, rest = count % STN_TILE_ELEMENTS;
    read_elements(job, buffer, e, count);
    buffer->panel.elements.count = full;
    if (full > 0 && monoid->rows) {
        monoid->rows(&buffer->panel, buffer->states);
    } else if (full > 0) {
        monoid->fold(&buffer->panel, buffer->states);
        stn_fold_columns(monoid, full, buffer->states);
    }
    if (rest > 0)
        stn_fold_mapped(monoid, map_read(job, buffer, full, rest, buffer->mapped), rest,
                        job->first + e + full * STN_TILE_ELEMENTS, job->scale,
                        buffer->states + full * monoid->state_bytes);
}

/* ---- folds of codes ---- */

/* Up to STN_STATE_VALUES values of the arithmetic type, in a state. */
static void set_values(const stn_reduce_job *job, void *state, const double *values, int count)
{
    float narrow[STN_STATE_VALUES];
    for (int k = 0; k < count; k++)
        narrow[k] = (float)values[k];
    if (job->launch.arithmetic == STN_F32)
        memcpy(state, narrow, (size_t)count * sizeof *narrow);
    else
        memcpy(state, values, (size_t)count * sizeof *values);
}

/* A state whose last value is the first parameter. */
static void *begin_state(const stn_reduce_job *job, stn_contiguous *buffer)
{
    const int64_t bytes = job->launch.bytes;
    memcpy(buffer->states + job->monoid.state_bytes - bytes, &job->launch.numbers[0],
           (size_t)bytes);
    return buffer->states;
}

/* Contiguous codes of a row: in place, or in a half of the buffer of values. */
static const char *codes_of(const stn_reduce_job *job, stn_contiguous *buffer, int at, int64_t e,
                            int64_t count)
{
    const int64_t bytes = job->launch.slots[at].reader.run.bytes;
    const int64_t step = bytes * job->reduced.stride[at][job->reduced.count - 1];
    const char *const codes = stn_code_at(job, at, position_of(job, buffer, at, e));
    char *const own = buffer->values + (at == job->x ? 0 : STN_CONTIGUOUS_BYTES / 2);
    if (step == bytes)
        return codes;
    stn_move(own, bytes, codes, step, bytes, count);
    return own;
}

static const void *fold_sums(const stn_reduce_job *job, stn_contiguous *buffer, const char *x,
                             int64_t e, int64_t count)
{
    const void *y = x;
    if (job->y >= 0)
        y = codes_of(job, buffer, job->y, e, count);
    else if (job->reduction->operation != STN_REDUCE_WITH_norm2)
        y = NULL;
    const double sum = stn_code_sum_fold(&job->codes, x, y, count);
    if (job->monoid.own)
        (void)begin_state(job, buffer);
    set_values(job, buffer->states, &sum, 1);
    return buffer->states;
}

/* Blocks of a power of two of tiles, and the incomplete tile. */
static const void *fold_moments(const stn_reduce_job *job, stn_contiguous *buffer, const char *x,
                                int64_t e, int64_t count)
{
    const stn_monoid *const monoid = &job->monoid;
    const int64_t tiles = count / STN_TILE_ELEMENTS, rest = count % STN_TILE_ELEMENTS;
    char *const state = begin_state(job, buffer);
    stn_tree tree;
    stn_tree_begin(&tree, monoid->combine, monoid->state_bytes, 1, state + monoid->state_bytes, 0);
    for (int scale = STN_EXACT_SCALE; scale >= 0; scale--) {
        double values[3] = {(double)((int64_t)STN_TILE_ELEMENTS << scale)};
        if (!(tiles >> scale & 1))
            continue;
        job->codes.fused->moments(values + 1, x + tree.leaf * STN_TILE_ELEMENTS * job->codes.bytes,
                                  &job->codes.affine[0], (int64_t)1 << scale);
        set_values(job, state, values, 3);
        stn_tree_push(&tree, state, scale);
    }
    if (rest > 0) {
        stn_fold_mapped(
            monoid,
            stn_contiguous_map(job, buffer, e + tiles * STN_TILE_ELEMENTS, rest, buffer->mapped),
            rest, job->first + e + tiles * STN_TILE_ELEMENTS, job->scale, state);
        stn_tree_push(&tree, state, 0);
    }
    return stn_tree_fold(&tree);
}

/* If all elements of an output become one state, the index of an extreme matters only if it may be
 * the result: not if an element that was folded before is better, or precedes it and is equal. */
static int may_be_result(const stn_reduce_job *job, const stn_contiguous *buffer,
                         const stn_extreme *extreme, int64_t e)
{
    return job->count < job->elements || extreme->rank < buffer->rank ||
           (extreme->rank == buffer->rank && e < buffer->ranked_at);
}

static int64_t find_index(const stn_reduce_job *job, stn_contiguous *buffer,
                          const stn_extreme *extreme, const char *x, int64_t e, int64_t count)
{
    if (!job->numbered || !may_be_result(job, buffer, extreme, e))
        return 0;
    buffer->rank = extreme->rank;
    buffer->ranked_at = e;
    return stn_extremes_index(&job->extremes, extreme, x, count);
}

static const void *fold_extremes(const stn_reduce_job *job, stn_contiguous *buffer, const char *x,
                                 int64_t e, int64_t count)
{
    const stn_reduction_kind operation = job->reduction->operation;
    const int is_greatest = operation == STN_REDUCE_WITH_max || operation == STN_REDUCE_WITH_argmax;
    const stn_extreme extreme = stn_extremes_fold(&job->extremes, x, count, is_greatest);
    const int64_t at = find_index(job, buffer, &extreme, x, e, count);
    char code[sizeof(int32_t)];
    _Alignas(8) char value[sizeof(double)];
    stn_extremes_code(&job->extremes, &extreme, code);
    stn_run_decode(&job->launch.slots[job->x].reader.run, value, code, 1, 1);
    stn_fold_mapped(&job->monoid, value, 1, job->first + e + at, 1.0, buffer->states);
    return buffer->states;
}

static const void *fold_codes(const stn_reduce_job *job, stn_contiguous *buffer, int64_t e,
                              int64_t count)
{
    const char *const x = codes_of(job, buffer, job->x, e, count);
    return job->loops == STN_LOOPS_OF_SUMS      ? fold_sums(job, buffer, x, e, count)
           : job->loops == STN_LOOPS_OF_MOMENTS ? fold_moments(job, buffer, x, e, count)
                                                : fold_extremes(job, buffer, x, e, count);
}

/* Norms whose elements are scaled have no loops. */
static int has_loops(const stn_reduce_job *job)
{
    return job->loops != STN_NO_LOOPS && job->scale == 1.0;
}

/* ---- chunks of tiles ---- */

static const void *fold(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                        int64_t tiles, void *side)
{
    const stn_reduce_job *job = context;
    stn_contiguous *buffer = (stn_contiguous *)(void *)workspace->tiles;
    const int64_t left = job->count - tile * STN_TILE_ELEMENTS;
    const int64_t count = left < tiles * STN_TILE_ELEMENTS ? left : tiles * STN_TILE_ELEMENTS;
    const int64_t e = job->begin + tile * STN_TILE_ELEMENTS;
    (void)side;
    stn_contiguous_find(job, buffer, group);
    if (has_loops(job) && is_one_row(job, e, count))
        return fold_codes(job, buffer, e, count);
    if (job->indexed && !is_one_row(job, e, count))
        fold_rows(job, buffer, e, count);
    else
        fold_row(job, buffer, e, count);
    stn_fold_leaves(job->monoid.combine, job->monoid.state_bytes, buffer->states, 1, tiles);
    return buffer->states;
}

static void store(void *context, int64_t group, int64_t count, const void *states)
{
    stn_reduce_store(context, group, states, count);
}

/* Are all views read in place? */
static int is_in_place(const stn_reduce_job *job)
{
    const int last = job->reduced.count - 1;
    int in_place = job->reduced.count == 1;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        in_place &= (job->plain[at] && job->reduced.stride[at][last] == 1) ||
                    job->reduced.stride[at][last] == 0;
    }
    return in_place;
}

static int64_t choose_chunk(const stn_reduce_job *job)
{
    const int64_t each = job->launch.views * STN_TILE_ELEMENTS * job->launch.bytes;
    int64_t tiles = STN_DECODED_TILES;
    if (has_loops(job) && job->reduced.count == 1)
        return STN_EXACT_TILES;
    if (is_in_place(job))
        return STN_PANEL_TILES;
    while (tiles * each > STN_CONTIGUOUS_BYTES / 2)
        tiles /= 2;
    return tiles;
}

void stn_reduce_contiguous(stn_reduce_job *job)
{
    stn_sums_job sums = {
        .combine = job->monoid.combine,
        .bytes = job->monoid.state_bytes,
        .width = 1,
        .groups = job->outputs,
        .tiles = (job->count - 1) / STN_TILE_ELEMENTS + 1,
        .chunk = choose_chunk(job),
        .fetches = (job->loops == STN_LOOPS_OF_SUMS || job->loops == STN_LOOPS_OF_MOMENTS) &&
                   stn_code_sum_fetches(&job->codes),
        .begin = begin,
        .fold = fold,
        .store = store,
        .context = job,
        .values = stn_workspaces_shared(job->launch.workspaces),
        .value_bytes = STN_SHARED_BYTES};
    stn_sums_run(&sums, job->launch.exec, job->launch.workspaces);
}

const void *stn_reduce_map(const stn_reduce_job *job, int64_t output, int64_t begin_at,
                           int64_t count, void *mapped)
{
    stn_contiguous *buffer =
        stn_contiguous_begin(job, stn_workspaces_first(job->launch.workspaces));
    stn_contiguous_find(job, buffer, output);
    return stn_contiguous_map(job, buffer, begin_at, count, mapped ? mapped : buffer->mapped);
}
