/* Adjacent outputs along the last kept axis: columns, and rows so short that many are read at
 * once. */
#include "core/memory.h"
#include "core/transpose.h"
#include "reduce/job.h"

enum {
    VALUE_BYTES = 128 << 10, /* of all views */
    MAPPED_BYTES = 32 << 10,
    LANE_BYTES = 96 << 10,
    LEVEL_BYTES = 80 << 10,
    LANE_ROWS = 6,      /* rows of states that a tree of 32 lanes needs */
    MAX_SHORT = 1024,   /* elements of short rows read at once */
    MIN_SHORT = 32,     /* or this number of rows */
    MAX_COLUMNS = 64,   /* number of columns that is few */
    MIN_WIDTH = 256,    /* minimum width of the parts for threads */
    FETCHED_BYTES = 256 /* bytes of rows in place; hardware prefetches the rest */
};

typedef struct strided_workspace {
    _Alignas(64) char values[VALUE_BYTES];
    _Alignas(64) char mapped[MAPPED_BYTES];
    _Alignas(64) char lanes[LANE_BYTES];
    _Alignas(64) char level[LEVEL_BYTES]; /* of the tree; for short rows, transposed elements */
    int64_t group, first, wide; /* current outputs along the last kept axis, and their number */
    int64_t padded;             /* of a row of states */
    int64_t each;               /* bytes of values per view */
    int64_t position[STN_MAX_PARAMETERS]; /* of the first output's first element */
    int64_t index[STN_MAX_RANK];
    stn_panel panel;
} strided_workspace;
_Static_assert(sizeof(strided_workspace) <= STN_TILES_BYTES,
               "adjacent outputs fit into the workspace");

static int last_kept(const stn_reduce_job *job)
{
    return job->kept.count - 1;
}

static void begin(void *context, stn_workspace *workspace)
{
    const stn_reduce_job *job = context;
    const stn_launch *launch = &job->launch;
    strided_workspace *buffer = (strided_workspace *)(void *)workspace->tiles;
    stn_tile *const elements = &buffer->panel.elements;
    buffer->group = -1;
    buffer->each = launch->views ? VALUE_BYTES / launch->views & -64 : 0;
    buffer->panel.scale = job->scale;
    memcpy(elements->numbers, launch->numbers,
           (size_t)launch->kernel->count * sizeof *launch->numbers);
}

/* The outputs of a group, counted over all rows of the last kept axis: index of the first one, its
 * position in the row, and their number. */
static int64_t outputs_of(const stn_reduce_job *job, int64_t group, int64_t *first, int64_t *wide)
{
    const int64_t extent = job->kept.extent[last_kept(job)], row = group / job->groups;
    *first = group % job->groups * job->width;
    *wide = extent - *first < job->width ? extent - *first : job->width;
    return row * extent + *first;
}

static void find_group(const stn_reduce_job *job, strided_workspace *buffer, int64_t group)
{
    if (buffer->group == group)
        return;
    buffer->group = group;
    stn_find_output(job, outputs_of(job, group, &buffer->first, &buffer->wide), buffer->position);
    buffer->padded = (buffer->wide + STN_PANEL_COLUMNS - 1) & -STN_PANEL_COLUMNS;
    memset(buffer->index, 0, sizeof buffer->index);
    stn_axes_index(&job->kept, last_kept(job), group / job->groups, buffer->index);
    if (job->kept.at[last_kept(job)] >= 0)
        buffer->index[job->kept.at[last_kept(job)]] = buffer->first;
}

/* ---- rows: elements with the same index ---- */

static int64_t position_of(const stn_reduce_job *job, const strided_workspace *buffer, int at,
                           int64_t e)
{
    return buffer->position[at] +
           stn_axes_offset(&job->reduced, job->reduced.stride[at], job->reduced.count, e);
}

/* Is a row of the view, over the outputs, unscaled values? */
static int is_in_place(const stn_reduce_job *job, int at)
{
    return job->plain[at] && job->kept.stride[at][last_kept(job)] == 1;
}

static void read_row(const stn_reduce_job *job, const strided_workspace *buffer, int at, int64_t e,
                     char *values)
{
    stn_read_view(job, at, values, position_of(job, buffer, at, e),
                  job->kept.stride[at][last_kept(job)], buffer->wide);
}

/* The mapped elements of a row; into `to`, or in place. */
static const void *map_row(const stn_reduce_job *job, strided_workspace *buffer, int64_t e,
                           void *to)
{
    stn_tile *const elements = &buffer->panel.elements;
    const int at_last = job->kept.at[last_kept(job)];
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        char *const values = buffer->values + v * buffer->each;
        elements->values[at] = values;
        if (is_in_place(job, at))
            elements->values[at] = stn_code_at(job, at, position_of(job, buffer, at, e));
        else
            read_row(job, buffer, at, e, values);
    }
    if (job->bare >= 0)
        return elements->values[job->bare];
    if (job->indexed) {
        memcpy(elements->index, buffer->index, sizeof buffer->index);
        stn_axes_index(&job->reduced, job->reduced.count, e, elements->index);
        memset(elements->step, 0, sizeof elements->step);
        if (at_last >= 0)
            elements->step[at_last] = 1;
    }
    elements->count = buffer->wide;
    elements->buffer = to;
    job->launch.loop(elements);
    return to;
}

/* ---- every eighth row of a tile, as a panel ---- */

/* Prefetches into L2, because L1 would have to wait. */
static void fetch_row(const stn_reduce_job *job, const strided_workspace *buffer, int at, int64_t e)
{
    const int64_t bytes = buffer->wide * job->launch.slots[at].reader.run.bytes;
    const int64_t batch = is_in_place(job, at) && bytes > FETCHED_BYTES ? FETCHED_BYTES : bytes;
    const char *code = stn_code_at(job, at, position_of(job, buffer, at, e));
    stn_prefetch(code, batch);
}

/* Prefetches what is folded next, from element e on. */
static void fetch_panel(const stn_reduce_job *job, const strided_workspace *buffer, int at,
                        int64_t e)
{
    if (job->kept.stride[at][last_kept(job)] != 1 || !job->launch.slots[at].reader.plain)
        return;
    const int64_t end = job->begin + job->count;
    for (int64_t j = 0; j < STN_PANEL_ROWS && e + STN_PANEL_COLUMNS * j < end; j++)
        fetch_row(job, buffer, at, e + STN_PANEL_COLUMNS * j);
}

static void read_panel(const stn_reduce_job *job, strided_workspace *buffer, int64_t e,
                       int64_t lane)
{
    static const int16_t next[] = {4, 5, 6, 7, 2, 3, 1, STN_TILE_ELEMENTS};
    stn_panel *const panel = &buffer->panel;
    const int64_t bytes = job->launch.bytes;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        char *const values = buffer->values + v * buffer->each;
        panel->tile[at] = STN_PANEL_COLUMNS;
        panel->row[at] = buffer->padded;
        panel->elements.values[at] = values;
        if (is_in_place(job, at) && buffer->wide >= STN_PANEL_COLUMNS && job->reduced.count == 1) {
            panel->elements.values[at] =
                stn_code_at(job, at, position_of(job, buffer, at, e + lane));
            panel->row[at] = STN_PANEL_COLUMNS * job->reduced.stride[at][0];
        } else {
            if (buffer->wide <
                STN_PANEL_COLUMNS) /* the other columns are folded, too, but not used */
                memset(values, 0, (size_t)(STN_PANEL_ROWS * STN_PANEL_COLUMNS * bytes));
            for (int64_t j = 0; j < STN_PANEL_ROWS; j++)
                read_row(job, buffer, at, e + lane + STN_PANEL_COLUMNS * j,
                         values + j * buffer->padded * bytes);
        }
        fetch_panel(job, buffer, at, e + next[lane]);
    }
}

static void find_locations(const stn_reduce_job *job, strided_workspace *buffer, int64_t e)
{
    const int at = job->reduced.at[0], at_last = job->kept.at[last_kept(job)];
    stn_panel_place *const place = buffer->panel.place;
    place[STN_MAX_RANK] = (stn_panel_place){job->first + e, 0, STN_PANEL_COLUMNS, 0};
    for (int d = 0; d < STN_MAX_RANK && job->indexed; d++)
        place[d] = (stn_panel_place){buffer->index[d], 0, 0, 0};
    if (job->indexed && at >= 0)
        place[at] = (stn_panel_place){e, 0, STN_PANEL_COLUMNS, 0};
    if (job->indexed && at_last >= 0)
        place[at_last] = (stn_panel_place){buffer->first, STN_PANEL_COLUMNS, 0, 1};
}

/* An incomplete last panel is folded together with preceding columns. */
static void fold_panel(const stn_reduce_job *job, strided_workspace *buffer, int64_t e,
                       int64_t lane, char *states)
{
    stn_tile *const elements = &buffer->panel.elements;
    const int64_t whole = buffer->wide / STN_PANEL_COLUMNS, back = buffer->wide - STN_PANEL_COLUMNS;
    read_panel(job, buffer, e, lane);
    if (job->indexed || job->numbered)
        find_locations(job, buffer, e + lane);
    elements->count = whole ? whole : 1;
    job->monoid.fold(&buffer->panel, states);
    if (back <= 0 || buffer->wide % STN_PANEL_COLUMNS == 0)
        return;
    for (int v = 0; v < job->launch.views; v++) {
        void **values = &elements->values[job->launch.view_at[v]];
        *values = (char *)*values + back * job->launch.bytes;
    }
    if (job->indexed && job->kept.at[last_kept(job)] >= 0)
        buffer->panel.place[job->kept.at[last_kept(job)]].first += back;
    elements->count = 1;
    job->monoid.fold(&buffer->panel, states + back * job->monoid.state_bytes);
}

/* A lane of up to four rows. Elements of a row may serve as states, unless there are less than the
 * width, which are copied. */
static const void *fold_lane(const stn_reduce_job *job, strided_workspace *buffer, int64_t e,
                             int64_t count, int64_t lane, void *states)
{
    const stn_monoid *const monoid = &job->monoid;
    const int stays = job->bare < 0 || (is_in_place(job, job->bare) && buffer->wide == job->width);
    if (monoid->copies && stays && lane + STN_LANES >= count)
        return map_row(job, buffer, e + lane, states);
    for (int64_t row = lane; row < count; row += STN_LANES)
        stn_accumulate(monoid, map_row(job, buffer, e + row, buffer->mapped), buffer->wide,
                       job->first + e + row, job->scale, row == lane, states);
    return states;
}

/* Lanes `lane`, lane + step, lane + 2 step, ... of a tile, in the order in which they combine, so
 * that few consecutive rows of states are needed. */
static const void *fold_lanes(const stn_reduce_job *job, strided_workspace *buffer, int64_t e,
                              int64_t count, int64_t lane, int64_t step, char *states)
{
    const stn_monoid *const monoid = &job->monoid;
    char *const others = states + buffer->padded * monoid->state_bytes;
    const int linear = job->reduced.count == 1 || !job->indexed;
    if (step == STN_PANEL_COLUMNS && count == STN_TILE_ELEMENTS && linear) {
        fold_panel(job, buffer, e, lane, states);
        return states;
    }
    if (step == STN_LANES)
        return fold_lane(job, buffer, e, count, lane, states);
    const void *left = fold_lanes(job, buffer, e, count, lane, 2 * step, states);
    if (lane + step >= count)
        return left;
    const void *right = fold_lanes(job, buffer, e, count, lane + step, 2 * step, others);
    monoid->combine(states, left, right, buffer->wide, 1);
    return states;
}

/* ---- narrow: a tile of a few columns is one array ---- */

/* `count` consecutive rows from element e on. */
static void read_tile(const stn_reduce_job *job, strided_workspace *buffer, int64_t e,
                      int64_t count)
{
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        char *const values = buffer->values + v * buffer->each;
        const int follow = job->reduced.count == 1 && job->kept.stride[at][last_kept(job)] == 1 &&
                           job->reduced.stride[at][0] == buffer->wide;
        buffer->panel.elements.values[at] = values;
        if (follow && job->plain[at])
            buffer->panel.elements.values[at] =
                stn_code_at(job, at, position_of(job, buffer, at, e));
        else if (follow)
            stn_read_view(job, at, values, position_of(job, buffer, at, e), 1,
                          count * buffer->wide);
        else
            for (int64_t r = 0; r < count; r++)
                read_row(job, buffer, at, e + r, values + r * buffer->wide * job->launch.bytes);
        buffer->panel.tile[at] = STN_PANEL_COLUMNS;
        buffer->panel.row[at] = STN_PANEL_COLUMNS * buffer->wide;
    }
}

static void fold_tile(const stn_reduce_job *job, strided_workspace *buffer, int64_t e,
                      int64_t count)
{
    const stn_monoid *const monoid = &job->monoid;
    const int64_t wide = buffer->wide, row = wide * monoid->state_bytes;
    stn_tile *const elements = &buffer->panel.elements;
    if (count == STN_TILE_ELEMENTS) {
        read_tile(job, buffer, e, count);
        elements->count = wide;
        job->monoid.fold(&buffer->panel, buffer->lanes);
        for (int64_t half = STN_PANEL_COLUMNS / 2; half > 0; half /= 2)
            monoid->combine(buffer->lanes, buffer->lanes, buffer->lanes + half * row, half * wide,
                            1);
        return;
    }
    for (int64_t r = 0; r < count; r += STN_LANES) {
        const int64_t batch = count - r < STN_LANES ? count - r : STN_LANES;
        read_tile(job, buffer, e + r, batch);
        elements->count = batch * wide;
        elements->buffer = buffer->mapped;
        job->launch.loop(elements);
        stn_accumulate(monoid, buffer->mapped, batch * wide, 0, job->scale, r == 0, buffer->lanes);
    }
    stn_fold_lanes(monoid, wide, count < STN_LANES ? count : STN_LANES, buffer->lanes);
}

/* ---- short rows ---- */

static void read_short(const stn_reduce_job *job, strided_workspace *buffer, int v, int64_t count)
{
    const int at = job->launch.view_at[v], last = job->reduced.count - 1;
    const int64_t *const stride = job->reduced.stride[at], extent = job->reduced.extent[last];
    const int64_t step = job->kept.stride[at][last_kept(job)];
    char *values = buffer->values + v * buffer->each;
    const int follow = last == 0 && stride[0] == 1 && step == count;
    buffer->panel.elements.values[at] = values;
    if (follow && job->plain[at])
        buffer->panel.elements.values[at] = stn_code_at(job, at, buffer->position[at]);
    else if (follow)
        stn_read_view(job, at, values, buffer->position[at], 1, buffer->wide * count);
    else
        for (int64_t o = 0; o < buffer->wide; o++)
            for (int64_t e = 0; e < count; e += extent, values += extent * job->launch.bytes)
                stn_read_view(job, at, values, position_of(job, buffer, at, e) + o * step,
                              stride[last], extent);
}

/* Mapped elements of several outputs: transposed so that elements with the same index are
 * adjacent. */
static const char *transpose(const stn_reduce_job *job, strided_workspace *buffer,
                             const char *mapped, int64_t count)
{
    const int64_t bytes = job->monoid.mapped_bytes;
    if (bytes <= 8) {
        stn_transpose_words(buffer->level, buffer->wide, mapped, count, buffer->wide, count, bytes);
        return buffer->level;
    }
    for (int64_t o = 0; o < buffer->wide; o++)
        for (int64_t e = 0; e < count; e++)
            memcpy(buffer->level + (e * buffer->wide + o) * bytes, mapped + (o * count + e) * bytes,
                   (size_t)bytes);
    return buffer->level;
}

static void fold_transposed(const stn_reduce_job *job, strided_workspace *buffer,
                            const char *mapped, int64_t count)
{
    const stn_monoid *const monoid = &job->monoid;
    const int64_t wide = buffer->wide, step = job->numbered ? 1 : STN_LANES;
    mapped = transpose(job, buffer, mapped, count);
    for (int64_t e = 0; e < count; e += step) {
        const int64_t batch = count - e < step ? count - e : step;
        stn_accumulate(monoid, mapped + e * wide * monoid->mapped_bytes, batch * wide,
                       job->first + e, job->scale, e < STN_LANES,
                       buffer->lanes + e % STN_LANES * wide * monoid->state_bytes);
    }
    stn_fold_lanes(monoid, wide, count < STN_LANES ? count : STN_LANES, buffer->lanes);
}

/* If rows have a power of two elements, at most one per lane, their halves are combined in
 * place. */
static void fold_short(const stn_reduce_job *job, strided_workspace *buffer, int64_t count)
{
    const stn_monoid *const monoid = &job->monoid;
    const int64_t total = buffer->wide * count;
    const char *mapped = buffer->mapped;
    for (int v = 0; v < job->launch.views; v++)
        read_short(job, buffer, v, count);
    buffer->panel.elements.count = total;
    buffer->panel.elements.buffer = buffer->mapped;
    if (job->bare >= 0)
        mapped = buffer->panel.elements.values[job->bare];
    else
        job->launch.loop(&buffer->panel.elements);
    if (job->numbered || count > STN_LANES || (count & (count - 1))) {
        fold_transposed(job, buffer, mapped, count);
        return;
    }
    if (count == 1 || !monoid->copies) {
        stn_accumulate(monoid, mapped, total, 0, job->scale, 1, buffer->lanes);
        mapped = buffer->lanes;
    }
    for (int64_t half = count / 2; half > 0; half /= 2, mapped = buffer->lanes)
        monoid->combine(buffer->lanes, mapped, mapped + half * monoid->state_bytes, half,
                        buffer->wide);
}

/* ---- rows of codes multiplied by a value each ---- */

static int has_columns(const stn_reduce_job *job, int codes, int values)
{
    const stn_reader *const reader = &job->launch.slots[codes].reader;
    const int last = last_kept(job);
    return stn_codes_have_loops(reader) && job->kept.stride[codes][last] == 1 &&
           job->kept.stride[values][last] == 0;
}

/* Products of two views, one of which is repeated. */
static void find_columns(stn_reduce_job *job)
{
    const int x = job->x, y = job->y;
    job->columns.fused = NULL;
    if (job->reduction->operation != STN_REDUCE_WITH_products || x < 0 || y < 0 ||
        job->reduced.count > 1 || job->direction == STN_SHORT ||
        !stn_exec_has_loops(job->launch.exec))
        return;
    const int is_x = has_columns(job, x, y);
    if (!is_x && !has_columns(job, y, x))
        return;
    job->columns.codes = is_x ? x : y;
    job->columns.values = is_x ? y : x;
    job->columns.fused =
        stn_fused_of(job->launch.slots[job->columns.codes].reader.run.real, job->launch.arithmetic);
}

static const void *fold_columns(const stn_reduce_job *job, strided_workspace *buffer, int64_t e,
                                int64_t count)
{
    const int codes = job->columns.codes, values = job->columns.values;
    const stn_run *const run = &job->launch.slots[codes].reader.run;
    stn_read_view(job, values, buffer->values, position_of(job, buffer, values, e),
                  job->reduced.stride[values][0], count);
    job->columns.fused->columns(buffer->lanes,
                                stn_code_at(job, codes, position_of(job, buffer, codes, e)),
                                job->reduced.stride[codes][0] * run->bytes, count, &run->affine,
                                buffer->values, buffer->wide);
    return buffer->lanes;
}

/* ---- entry point ---- */

static const void *fold(void *context, stn_workspace *workspace, int64_t group, int64_t tile,
                        int64_t tiles, void *side)
{
    const stn_reduce_job *job = context;
    strided_workspace *buffer = (strided_workspace *)(void *)workspace->tiles;
    const int64_t done = tile * STN_TILE_ELEMENTS, left = job->count - done, e = job->begin + done;
    const int64_t count = left < STN_TILE_ELEMENTS ? left : STN_TILE_ELEMENTS;
    (void)tiles, (void)side;
    find_group(job, buffer, group);
    if (job->columns.fused)
        return fold_columns(job, buffer, e, count);
    if (job->direction == STN_STRIDED)
        return fold_lanes(job, buffer, e, count, 0, 1, buffer->lanes);
    if (job->direction == STN_NARROW)
        fold_tile(job, buffer, e, count);
    else
        fold_short(job, buffer, count);
    return buffer->lanes;
}

static void store(void *context, int64_t group, int64_t count, const void *states)
{
    const stn_reduce_job *job = context;
    int64_t first, wide;
    const int64_t output = outputs_of(job, group, &first, &wide);
    (void)count;
    stn_reduce_store(job, output, states, wide);
}

static int64_t min_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Short rows that are read at once, limited by the capacity in values of each view. */
static int64_t choose_short(const stn_reduce_job *job, int64_t buffer)
{
    const int64_t maximum = min_of(buffer, MAPPED_BYTES / job->monoid.mapped_bytes) / job->elements;
    const int64_t rows = MAX_SHORT / job->elements;
    return min_of(job->kept.extent[last_kept(job)],
                  min_of(maximum, rows < MIN_SHORT ? MIN_SHORT : rows));
}

/* As wide as the workspace allows, with several groups per thread. */
static int64_t choose_width(const stn_reduce_job *job, int64_t tiles)
{
    const int64_t state = job->monoid.state_bytes, extent = job->kept.extent[last_kept(job)];
    const int64_t views = job->launch.views ? job->launch.views : 1, bytes = job->launch.bytes;
    const int64_t levels = 64 - __builtin_clzll((uint64_t)tiles);
    if (job->direction == STN_SHORT)
        return choose_short(job, VALUE_BYTES / (views * bytes));
    if (job->direction == STN_NARROW)
        return extent;
    int64_t copied = job->columns.fused ? 0 : extent % STN_PANEL_COLUMNS,
            width = min_of(LANE_BYTES / LANE_ROWS, LEVEL_BYTES / levels) / state;
    for (int v = 0; v < job->launch.views && !job->columns.fused; v++)
        copied |= !is_in_place(job, job->launch.view_at[v]) || job->reduced.count > 1;
    width = min_of(width, MAPPED_BYTES / job->monoid.mapped_bytes);
    width = min_of(width, VALUE_BYTES / ((copied ? STN_PANEL_ROWS : 1) * views * bytes)) & -8;
    if (width < extent) {
        const int64_t threads = job->launch.exec->threads;
        int64_t groups = (extent - 1) / width + 1;
        if (extent / threads >= MIN_WIDTH)
            groups = (groups + threads - 1) / threads * threads;
        width = ((extent - 1) / groups + STN_PANEL_COLUMNS) & -STN_PANEL_COLUMNS;
    }
    return min_of(width, extent);
}

void stn_reduce_strided(stn_reduce_job *job)
{
    const int64_t extent = job->kept.extent[last_kept(job)];
    const int64_t tiles = (job->count - 1) / STN_TILE_ELEMENTS + 1;
    find_columns(job);
    job->width = choose_width(job, tiles);
    job->groups = (extent - 1) / job->width + 1;
    stn_sums_job sums = {.combine = job->monoid.combine,
                         .bytes = job->monoid.state_bytes,
                         .width = job->width,
                         .groups = job->outputs / extent * job->groups,
                         .tiles = tiles,
                         .chunk = 1,
                         .begin = begin,
                         .fold = fold,
                         .store = store,
                         .context = job,
                         .levels = offsetof(strided_workspace, level),
                         .values = stn_workspaces_shared(job->launch.workspaces),
                         .value_bytes = STN_SHARED_BYTES};
    stn_sums_run(&sums, job->launch.exec, job->launch.workspaces);
}

/* ---- choice of the direction ---- */

/* Are elements contiguous along the last kept axis, or along the reduced one? Decided by the
 * majority of bytes. */
static double count_votes(const stn_reduce_job *job)
{
    const int kept = last_kept(job), reduced = job->reduced.count - 1;
    double votes = 0.0;
    for (int v = 0; v < job->launch.views; v++) {
        const int at = job->launch.view_at[v];
        const uint64_t step = stn_stride_length(job->kept.stride[at][kept]);
        const uint64_t other = stn_stride_length(job->reduced.stride[at][reduced]);
        const double bytes = (double)stn_view_count(job->launch.slots[at].view) *
                             (double)job->launch.slots[at].reader.run.bytes;
        votes += step < other ? bytes : step > other ? -bytes : 0.0;
    }
    return votes;
}

static int is_narrow(const stn_reduce_job *job)
{
    const int64_t extent = job->kept.extent[last_kept(job)], views = job->launch.views;
    return !job->indexed && !job->numbered && extent <= MAX_COLUMNS &&
           extent * STN_TILE_ELEMENTS * views * job->launch.bytes <= VALUE_BYTES &&
           extent * STN_LANES * job->monoid.mapped_bytes <= MAPPED_BYTES;
}

stn_direction stn_reduce_choose_direction(const stn_reduce_job *job)
{
    const int kept = last_kept(job);
    if (kept < 0 || job->kept.extent[kept] < 2 || job->elements == 0)
        return STN_CONTIGUOUS;
    if (count_votes(job) > 0.0)
        return is_narrow(job) ? STN_NARROW : STN_STRIDED;
    return job->elements < STN_TILE_ELEMENTS && !job->indexed ? STN_SHORT : STN_CONTIGUOUS;
}
