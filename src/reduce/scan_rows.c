/* Scans of adjacent lines: their elements with the same index are a row of memory, and rows are
 * combined. */
#include "reduce/contiguous.h"
#include "reduce/scan_job.h"

enum {
    WIDE = 64,
    MIN_WIDE = 8,
    ROWS = 16,
    SHORT = 16, /* shorter lines are faster in rows for any strides */
    VALUE_BYTES = sizeof(int64_t)
};

typedef struct rows_workspace {
    stn_contiguous line;
    int64_t first, wide;    /* lines */
    int64_t offset, number; /* of their first elements: in the result, and in C order */
    _Alignas(64) char mapped[ROWS * WIDE * VALUE_BYTES];
    _Alignas(64) char chains[WIDE * VALUE_BYTES]; /* folds of the current tile */
    _Alignas(64) char carries[WIDE * VALUE_BYTES];
    _Alignas(64) char results[WIDE * VALUE_BYTES];
    _Alignas(
        64) char before[WIDE * VALUE_BYTES]; /* results of the previous row, for exclusive scans */
    _Alignas(64) char lanes[STN_LANES * WIDE * VALUE_BYTES];
    _Alignas(64) char levels[STN_TREE_LEVELS * WIDE * VALUE_BYTES];
} rows_workspace;
_Static_assert(sizeof(rows_workspace) <= STN_TILES_BYTES, "rows fit into the workspace");

static int64_t min_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- groups of lines: adjacent along the last kept axis ---- */

static int64_t lines_of(const stn_scan_job *job)
{
    const stn_axes *kept = &job->reduce.kept;
    return kept->count ? kept->extent[kept->count - 1] : 1;
}

static int64_t width_of(const stn_scan_job *job, int64_t threads)
{
    const int64_t lines = lines_of(job);
    int64_t wide = WIDE;
    while (wide > MIN_WIDE && job->reduce.outputs / lines * ((lines - 1) / wide + 1) < threads)
        wide /= 2;
    return wide;
}

int stn_scan_traverses_rows(const stn_scan_job *job, int64_t threads)
{
    const stn_reduce_job *reduce = &job->reduce;
    const int last = reduce->kept.count - 1;
    const int draws = reduce->writer.run.rules.rounding == STN_ROUND_STOCHASTIC;
    const int64_t lines = lines_of(job);
    if (last < 0 || reduce->indexed || reduce->numbered || lines < MIN_WIDE || job->length < 2)
        return 0;
    if (!stn_exec_has_loops(reduce->launch.exec) || (draws && job->inner < lines))
        return 0;
    return (stn_stride_length(reduce->result_stride[last]) < stn_stride_length(job->step) ||
            job->length <= SHORT) &&
           reduce->outputs / lines * ((lines - 1) / MIN_WIDE + 1) >= threads;
}

/* ---- rows ---- */

static int64_t position_of(const stn_scan_job *job, const rows_workspace *buffer, int at, int64_t e)
{
    return buffer->line.position[at] + e * job->reduce.reduced.stride[at][0];
}

static const char *read_row(const stn_scan_job *job, const rows_workspace *buffer, int at,
                            int64_t e, char *values)
{
    const stn_axes *kept = &job->reduce.kept;
    const int64_t stride = kept->stride[at][kept->count - 1];
    const int64_t position = position_of(job, buffer, at, e);
    if (job->reduce.plain[at] && stride == 1)
        return stn_code_at(&job->reduce, at, position);
    stn_read_view(&job->reduce, at, values, position, stride, buffer->wide);
    return values;
}

/* Rows e to e + count - 1, mapped, consecutively. */
static void map_rows(const stn_scan_job *job, rows_workspace *buffer, int64_t e, int64_t count)
{
    const stn_launch *launch = &job->reduce.launch;
    const int64_t row = buffer->wide * launch->bytes;
    stn_tile *elements = &buffer->line.panel.elements;
    for (int v = 0; v < launch->views; v++) {
        const int at = launch->view_at[v];
        char *values = buffer->line.values + v * buffer->line.each;
        for (int64_t k = 0; k < count; k++) {
            const char *read = read_row(job, buffer, at, e + k, values + k * row);
            if (read != values + k * row)
                memcpy(values + k * row, read, (size_t)row);
        }
        elements->values[at] = values;
    }
    elements->count = count * buffer->wide;
    elements->buffer = buffer->mapped;
    launch->loop(elements);
}

static void store_row(const stn_scan_job *job, rows_workspace *buffer, int64_t e,
                      const void *results)
{
    const stn_reduce_job *reduce = &job->reduce;
    memmove(buffer->results, results, (size_t)(buffer->wide * reduce->monoid.state_bytes));
    stn_reduce_widen(&reduce->monoid, &reduce->writer, buffer->results, buffer->wide);
    stn_write(&reduce->writer, buffer->results, buffer->offset + e * job->step,
              reduce->result_stride[reduce->kept.count - 1], buffer->number + e * job->inner,
              buffer->wide);
}

/* Row `e` of the lines: combines it with the chains, after the carry of the tile or NULL, and with
 * the lanes. */
static void scan_row(const stn_scan_job *job, rows_workspace *buffer, int64_t e, const char *row,
                     const void *carries)
{
    const stn_monoid *monoid = &job->reduce.monoid;
    const int64_t bytes = buffer->wide * monoid->state_bytes, k = e % STN_TILE_ELEMENTS;
    const void *inclusive = buffer->chains;
    if (k == 0)
        memcpy(buffer->chains, row, (size_t)bytes);
    else
        monoid->combine(buffer->chains, buffer->chains, row, buffer->wide, 1);
    if (carries) {
        monoid->combine(buffer->results, carries, buffer->chains, buffer->wide, 1);
        inclusive = buffer->results;
    }
    if (job->exclusive) {
        char kept[WIDE * VALUE_BYTES];
        memcpy(kept, inclusive, (size_t)bytes);
        store_row(job, buffer, e, buffer->before);
        memcpy(buffer->before, kept, (size_t)bytes);
    } else {
        store_row(job, buffer, e, inclusive);
    }
    stn_accumulate(monoid, row, buffer->wide, 0, 1.0, k < STN_LANES,
                   buffer->lanes + k % STN_LANES * bytes);
}

/* First results of an exclusive scan in a tile. */
static void begin_exclusive(const stn_scan_job *job, rows_workspace *buffer, const void *carries)
{
    const int64_t bytes = job->reduce.monoid.state_bytes;
    if (carries) {
        memcpy(buffer->before, carries, (size_t)(buffer->wide * bytes));
        return;
    }
    job->reduce.monoid.identity(buffer->before);
    stn_repeat(buffer->before, bytes, buffer->wide);
}

static void scan_tile(const stn_scan_job *job, rows_workspace *buffer, int64_t rows, int64_t e,
                      int64_t count, stn_tree *tree)
{
    const stn_reduce_job *reduce = &job->reduce;
    const int64_t bytes = buffer->wide * reduce->monoid.state_bytes;
    const void *carries = stn_tree_carry(tree, NULL, buffer->carries);
    if (job->exclusive)
        begin_exclusive(job, buffer, carries);
    for (int64_t k = 0, batch; k < count; k += batch) {
        batch = min_of(count - k, rows);
        if (reduce->bare < 0)
            map_rows(job, buffer, e + k, batch);
        for (int64_t r = 0; r < batch; r++) {
            char *mapped = buffer->mapped + r * bytes;
            scan_row(job, buffer, e + k + r,
                     reduce->bare < 0 ? mapped
                                      : read_row(job, buffer, reduce->bare, e + k + r, mapped),
                     carries);
        }
    }
    stn_fold_lanes(&reduce->monoid, buffer->wide, min_of(count, STN_LANES), buffer->lanes);
    stn_tree_push(tree, buffer->lanes, 0);
}

static void scan_group(const stn_scan_job *job, rows_workspace *buffer, int64_t rows)
{
    const int64_t bytes = job->reduce.monoid.state_bytes;
    const stn_axes *kept = &job->reduce.kept;
    const int64_t outer = buffer->first / job->inner, rest = buffer->first % job->inner;
    stn_tree tree;
    buffer->offset = stn_axes_offset(kept, job->reduce.result_stride, kept->count, buffer->first);
    buffer->number = outer * job->length * job->inner + rest;
    stn_scan_begin_tree(job, buffer->wide, &tree, buffer->levels);
    stn_contiguous_find(&job->reduce, &buffer->line, buffer->first);
    for (int64_t e = 0; e < job->length; e += STN_TILE_ELEMENTS)
        scan_tile(job, buffer, rows, e, min_of(job->length - e, STN_TILE_ELEMENTS), &tree);
    if (!job->totals)
        return;
    char *totals = stn_tree_fold(&tree);
    for (int64_t l = 0; l < buffer->wide; l++)
        stn_scan_store_total(job, buffer->first + l, totals + l * bytes);
}

void stn_scan_rows(void *context, stn_workspace *workspace, int part, int parts)
{
    const stn_scan_job *job = context;
    const int64_t lines = lines_of(job), wide = width_of(job, parts), each = (lines - 1) / wide + 1;
    int64_t begin, end, rows = ROWS;
    stn_share(job->reduce.outputs / lines * each, part, parts, &begin, &end);
    if (begin == end)
        return;
    rows_workspace *buffer =
        (rows_workspace *)(void *)stn_contiguous_begin(&job->reduce, workspace);
    while (rows > 1 && rows * wide * job->reduce.launch.bytes > buffer->line.each)
        rows /= 2;
    for (int64_t group = begin; group < end; group++) {
        const int64_t at = group % each * wide;
        buffer->first = group / each * lines + at;
        buffer->wide = min_of(lines - at, wide);
        scan_group(job, buffer, rows);
    }
}
