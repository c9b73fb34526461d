/* Scans: lines are processed in chunks of up to 8 tiles, whose values are leaves of the tree
 * that yields carries. With few lines, threads process blocks of chunks in order: each folds its
 * block, waits for the carry, passes on the next carry, and scans the block, which is still in
 * its caches. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "core/modes.h"
#include "core/nontemporal.h"
#include "core/status.h"
#include "core/transpose.h"
#include "core/tune.h"
#include "reduce/contiguous.h"
#include "reduce/remote.h"
#include "reduce/scan_job.h"
#include "steno/scan.h"
#include "view/overlap.h"
#include "view/trace.h"

enum {
    TILES = STN_SCAN_COLUMNS,
    CHUNK = TILES * STN_TILE_ELEMENTS, /* elements scanned at once */
    STORED = 2 * CHUNK,                /* elements stored at once */
    BLOCK_ELEMENTS = 1 << 15,          /* maximum block size: half of a cache of 512 KiB */
    BLOCKS_EACH = 4,                   /* blocks per thread, if there are enough elements */
    MIN_TILES = 3,                     /* from this number on, tiles are interleaved */
    INTERLEAVED = 32                   /* rows at a time */
};

/* States are values of at most 8 bytes. */
typedef struct scan_workspace {
    stn_contiguous line;
    const char *value; /* mapped elements, in place or in the workspace */
    _Alignas(64) char mapped[CHUNK * sizeof(int64_t)];
    _Alignas(64) char results[(STORED + 1) * sizeof(int64_t)]; /* one more than is stored */
    _Alignas(64) char states[TILES * STN_PANEL_COLUMNS * sizeof(int64_t)];
} scan_workspace;
_Static_assert(sizeof(scan_workspace) <= STN_TILES_BYTES, "a scan fits into the workspace");

static scan_workspace *begin_workspace(const stn_scan_job *job, stn_workspace *workspace)
{
    stn_contiguous *buffer = stn_contiguous_begin(&job->reduce, workspace);
    buffer->filled = job->chunk;
    return (scan_workspace *)(void *)buffer;
}

static int64_t min_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- results ---- */

/* Results of a row from element e on. Elements are numbered in C order of the space. */
static void store_chunk(const stn_scan_job *job, int64_t line, int64_t e, char *results,
                        int64_t count)
{
    const stn_reduce_job *reduce = &job->reduce;
    const stn_reader *writer = &reduce->writer;
    const int64_t offset = e * job->step + stn_axes_offset(&reduce->kept, reduce->result_stride,
                                                           reduce->kept.count, line);
    const int64_t outer = line / job->inner, rest = line % job->inner;
    const int64_t first = (outer * job->length + e) * job->inner + rest;
    stn_reduce_widen(&reduce->monoid, writer, results, count);
    if (job->nontemporal && job->plain)
        stn_copy_stream(stn_reader_at(writer, offset), results, count * writer->run.bytes);
    else if (job->nontemporal)
        stn_run_encode_nontemporal(&writer->run, results, stn_reader_at(writer, offset), first,
                                   count);
    else if (!job->jumps)
        stn_write(writer, results, offset, job->step, first, count);
    else
        for (int64_t k = 0; k < count; k++)
            stn_write(writer, results + k * reduce->monoid.result_bytes, offset + k * job->step, 1,
                      first + k * job->inner, 1);
}

void stn_scan_store_total(const stn_scan_job *job, int64_t line, void *state)
{
    const stn_axes *kept = &job->reduce.kept;
    const int64_t offset = stn_axes_offset(kept, job->total_stride, kept->count, line);
    stn_reduce_widen(&job->reduce.monoid, &job->total_writer, state, 1);
    stn_write(&job->total_writer, state, offset, 1, line, 1);
}

/* ---- a chunk ---- */

static void map_chunk(const stn_scan_job *job, scan_workspace *buffer, int64_t line, int64_t e,
                      int64_t count)
{
    stn_contiguous_find(&job->reduce, &buffer->line, line);
    buffer->value = stn_contiguous_map(&job->reduce, &buffer->line, e, count, buffer->mapped);
}

/* The values of the mapped tiles. */
static void fold_tiles(const stn_scan_job *job, scan_workspace *buffer, int64_t count)
{
    const stn_monoid *monoid = &job->reduce.monoid;
    const int64_t bytes = monoid->state_bytes, tile = STN_TILE_ELEMENTS * bytes;
    const int64_t full = monoid->panel ? count / STN_TILE_ELEMENTS : 0;
    if (full > 0) {
        stn_panel *panel = &buffer->line.panel;
        panel->elements.values[0] = (void *)(uintptr_t)buffer->value;
        panel->elements.count = full;
        panel->row[0] = STN_PANEL_COLUMNS;
        panel->tile[0] = STN_TILE_ELEMENTS;
        monoid->panel(panel, buffer->states);
        stn_fold_columns(monoid, full, buffer->states);
    }
    for (int64_t t = full; t * STN_TILE_ELEMENTS < count; t++) {
        const int64_t batch = min_of(count - t * STN_TILE_ELEMENTS, STN_TILE_ELEMENTS);
        stn_fold_mapped(monoid, buffer->value + t * tile, batch, 0, 1.0,
                        buffer->states + t * bytes);
    }
}

/* Combines them into one value, which is pushed onto the tree. */
static void push_chunk(scan_workspace *buffer, int64_t count, stn_tree *tree)
{
    stn_fold_leaves(tree->combine, tree->bytes, buffer->states, 1,
                    (count - 1) / STN_TILE_ELEMENTS + 1);
    stn_tree_push(tree, buffer->states, 0);
}

/* Carries of the tiles of a chunk, whose values are `states`: aligned blocks of 4, 2 and 1 tiles,
 * from the left, combined with the carry of the chunk, `base`, if any. */
static void find_carries(const stn_scan_job *job, const char *states, const void *base,
                         int64_t tiles, char *carries)
{
    const stn_monoid *monoid = &job->reduce.monoid;
    const int64_t bytes = monoid->state_bytes;
    _Alignas(16) char pairs[TILES / 2 * sizeof(int64_t)], quads[TILES / 4 * sizeof(int64_t)];
    if (base)
        memcpy(carries, base, (size_t)bytes);
    monoid->combine(pairs, states, states + bytes, 1, tiles / 2);
    monoid->combine(quads, pairs, pairs + bytes, 1, tiles / 4);
    for (int64_t t = 1; t < tiles; t++) {
        const int64_t block = t & -t, before = t - block;
        const char *const last = block == 1   ? states + before * bytes
                                 : block == 2 ? pairs + before / 2 * bytes
                                              : quads + before / 4 * bytes;
        if (before > 0 || base)
            monoid->combine(carries + t * bytes, carries + before * bytes, last, 1, 1);
        else
            memcpy(carries + t * bytes, last, (size_t)bytes);
    }
}

/* Row k has the elements k of all tiles. Missing tiles are replaced by the last one. */
static void interleave(char *rows, const char *values, int64_t tiles, int64_t bytes)
{
    stn_transpose_words(rows, TILES, values, STN_TILE_ELEMENTS, tiles, INTERLEAVED, bytes);
    for (int64_t k = 0; k < INTERLEAVED && tiles < TILES; k++)
        for (int64_t t = tiles; t < TILES; t++)
            memcpy(rows + (k * TILES + t) * bytes, rows + (k * TILES + tiles - 1) * bytes,
                   (size_t)bytes);
}

/* Interleaved tiles, a few rows at a time: each element is a chain of dependent operations down its
 * column. */
static void scan_side_by_side(const stn_scan_job *job, const scan_workspace *buffer, int64_t first,
                              int64_t tiles, char *carries, char *to)
{
    const stn_monoid *monoid = &job->reduce.monoid;
    const int64_t bytes = monoid->state_bytes;
    const char *const mapped = buffer->value + first * STN_TILE_ELEMENTS * bytes;
    _Alignas(64) char rows[INTERLEAVED * TILES * sizeof(int64_t)];
    _Alignas(64) char results[INTERLEAVED * TILES * sizeof(int64_t)];
    _Alignas(64) char chains[TILES * sizeof(int64_t)];
    for (int64_t t = tiles; t < TILES; t++)
        memcpy(carries + t * bytes, carries + (tiles - 1) * bytes, (size_t)bytes);
    for (int64_t k = 0; k < STN_TILE_ELEMENTS; k += INTERLEAVED) {
        interleave(rows, mapped + k * bytes, tiles, bytes);
        monoid->scan(rows, INTERLEAVED, TILES, k ? chains : NULL, carries, results, chains);
        stn_transpose_words(to + k * bytes, STN_TILE_ELEMENTS, results, TILES, INTERLEAVED, tiles,
                            bytes);
    }
}

/* Exclusive results are the inclusive ones shifted by one element. */
static void scan_chunk(const stn_scan_job *job, const scan_workspace *buffer, int64_t count,
                       const void *base, char *results)
{
    const stn_monoid *monoid = &job->reduce.monoid;
    const int64_t bytes = monoid->state_bytes, tile = STN_TILE_ELEMENTS * bytes;
    const int64_t tiles = (count - 1) / STN_TILE_ELEMENTS + 1;
    const int whole = count == tiles * STN_TILE_ELEMENTS;
    _Alignas(64) char carries[2 * TILES * sizeof(int64_t)];
    int64_t first = 0;
    find_carries(job, buffer->states, base, tiles, carries);
    if (!base) {
        monoid->identity(carries);
        monoid->scan(buffer->value, min_of(count, STN_TILE_ELEMENTS), 1, NULL, NULL,
                     results + job->exclusive * bytes, NULL);
        first = 1;
    }
    if (whole && tiles - first >= MIN_TILES)
        scan_side_by_side(job, buffer, first, tiles - first, carries + first * bytes,
                          results + first * tile + job->exclusive * bytes);
    else
        for (int64_t t = first; t < tiles; t++)
            monoid->scan(buffer->value + t * tile,
                         min_of(count - t * STN_TILE_ELEMENTS, STN_TILE_ELEMENTS), 1, NULL,
                         carries + t * bytes, results + t * tile + job->exclusive * bytes, NULL);
    for (int64_t t = 0; job->exclusive && t < tiles; t++)
        memcpy(results + t * tile, carries + t * bytes, (size_t)bytes);
}

/* Prefetches data that is read next, while another chunk is scanned. */
static void fetch_chunk(const stn_scan_job *job, const scan_workspace *buffer, int64_t e)
{
    const stn_reduce_job *reduce = &job->reduce;
    const int last = reduce->reduced.count - 1;
    const int64_t count = min_of(job->length - e, job->chunk);
    for (int v = 0; v < reduce->launch.views; v++) {
        const int at = reduce->launch.view_at[v];
        if (reduce->reduced.stride[at][last] != 1 || !reduce->launch.slots[at].reader.plain)
            continue;
        const char *code = stn_code_at(reduce, at, buffer->line.position[at] + e);
        stn_prefetch(code, count * reduce->launch.slots[at].reader.run.bytes);
    }
}

/* Scans elements begin to end - 1 of a line, chunk by chunk, with their carry, or NULL, and pushes
 * their values onto the tree. `ahead`: prefetch distance in elements, or 0. */
static void scan_line(const stn_scan_job *job, scan_workspace *buffer, int64_t line, int64_t begin,
                      int64_t end, const void *base, int64_t ahead, stn_tree *tree)
{
    const stn_monoid *monoid = &job->reduce.monoid;
    for (int64_t e = begin, kept = 0; e < end; e += job->chunk) {
        const int64_t count = min_of(end - e, job->chunk);
        _Alignas(16) char carry[sizeof(int64_t)];
        map_chunk(job, buffer, line, e, count);
        if (ahead && e + ahead < job->length)
            fetch_chunk(job, buffer, e + ahead);
        fold_tiles(job, buffer, count);
        scan_chunk(job, buffer, count, stn_tree_carry(tree, base, carry),
                   buffer->results + kept * monoid->state_bytes);
        kept += count;
        if (kept == STORED || e + count == end) {
            store_chunk(job, line, e + count - kept, buffer->results, kept);
            kept = 0;
        }
        push_chunk(buffer, count, tree);
    }
}

/* ---- many lines: one thread per line ---- */

static void scan_lines(void *context, stn_workspace *workspace, int part, int parts)
{
    const stn_scan_job *job = context;
    _Alignas(16) char levels[STN_TREE_LEVELS * sizeof(int64_t)];
    int64_t begin, end;
    stn_share(job->reduce.outputs, part, parts, &begin, &end);
    if (begin == end)
        return;
    scan_workspace *buffer = begin_workspace(job, workspace);
    for (int64_t line = begin; line < end; line++) {
        stn_tree tree;
        stn_scan_begin_tree(job, 1, &tree, levels);
        scan_line(job, buffer, line, 0, job->length, NULL, 0, &tree);
        if (job->totals)
            stn_scan_store_total(job, line, stn_tree_fold(&tree));
    }
    stn_nontemporal_fence();
}

/* ---- few lines: threads take blocks in order ----
 *
 * A thread finishes its block before it takes another one. So the block that a thread waits for is
 * always being processed by a running thread, for any number of threads. */

static void wait_for_carry(const stn_scan_job *job, int64_t number)
{
    enum { PATIENCE = 200 };
    for (int k = 0; atomic_load_explicit(&job->turn, memory_order_acquire) != number; k++) {
#if defined(__x86_64__)
        if (k < PATIENCE)
            _mm_pause();
        else
#endif
            (void)sched_yield();
    }
}

/* The value of a block. */
static void fold_block(const stn_scan_job *job, scan_workspace *buffer, int64_t line, int64_t begin,
                       int64_t end, void *value)
{
    _Alignas(16) char levels[STN_TREE_LEVELS * sizeof(int64_t)];
    stn_tree tree;
    stn_scan_begin_tree(job, 1, &tree, levels);
    for (int64_t e = begin; e < end; e += job->chunk) {
        const int64_t count = min_of(end - e, job->chunk);
        map_chunk(job, buffer, line, e, count);
        fold_tiles(job, buffer, count);
        push_chunk(buffer, count, &tree);
    }
    memcpy(value, stn_tree_fold(&tree), (size_t)tree.bytes);
}

/* The last block of a line may be shorter, and has no successor. */
static void scan_block(stn_scan_job *job, scan_workspace *buffer, int64_t number)
{
    const int64_t line = number / job->blocks, block = number % job->blocks;
    const int64_t begin = block * job->block, end = min_of(begin + job->block, job->length);
    const int is_last = block == job->blocks - 1;
    _Alignas(16) char value[sizeof(int64_t)], carry[sizeof(int64_t)];
    _Alignas(16) char levels[STN_TREE_LEVELS * sizeof(int64_t)];
    stn_tree tree;
    if (!is_last || job->totals)
        fold_block(job, buffer, line, begin, end, value);
    wait_for_carry(job, number);
    const void *const base = stn_tree_carry(&job->before, NULL, carry);
    if (!is_last || job->totals)
        stn_tree_push(&job->before, value, 0);
    if (is_last && job->totals)
        stn_scan_store_total(job, line, stn_tree_fold(&job->before));
    if (is_last)
        stn_scan_begin_tree(job, 1, &job->before, job->before_states);
    atomic_store_explicit(&job->turn, number + 1, memory_order_release);
    stn_scan_begin_tree(job, 1, &tree, levels);
    scan_line(job, buffer, line, begin, end, base, job->reduce.launch.exec->threads * job->block,
              &tree);
}

static void scan_blocks(void *context, stn_workspace *workspace, int part, int parts)
{
    stn_scan_job *job = context;
    const int64_t numbers = job->reduce.outputs * job->blocks;
    (void)part, (void)parts;
    scan_workspace *buffer = begin_workspace(job, workspace);
    for (;;) {
        const int64_t number = atomic_fetch_add_explicit(&job->started, 1, memory_order_relaxed);
        if (number >= numbers)
            break;
        scan_block(job, buffer, number);
    }
    stn_nontemporal_fence();
}

static void take_blocks(stn_scan_job *job, int64_t threads)
{
    const int64_t each = job->reduce.outputs * job->length / (BLOCKS_EACH * threads);
    job->block = BLOCK_ELEMENTS;
    while (job->block > job->chunk && job->block > each)
        job->block /= 2;
    job->blocks = (job->length + job->block - 1) / job->block;
    stn_scan_begin_tree(job, 1, &job->before, job->before_states);
    atomic_init(&job->started, 0);
    atomic_init(&job->turn, 0);
}

static void store_empty(const stn_scan_job *job)
{
    for (int64_t line = 0; job->totals && line < job->reduce.outputs; line++) {
        _Alignas(16) char state[sizeof(int64_t)];
        job->reduce.monoid.identity(state);
        stn_scan_store_total(job, line, state);
    }
}

static void scan_all(stn_scan_job *job)
{
    const stn_reduce_job *reduce = &job->reduce;
    const double bytes = 8.0 * (double)reduce->outputs * (double)job->length;
    const int64_t threads = stn_is_for_one_thread(bytes) ? 1 : reduce->launch.exec->threads;
    if (reduce->outputs == 0 || job->length == 0) {
        store_empty(job);
    } else if (stn_scan_traverses_rows(job, threads)) {
        stn_workspaces_run(reduce->launch.workspaces, (int)threads, stn_scan_rows, job);
    } else if (threads == 1 || reduce->outputs >= 4 * threads) {
        stn_workspaces_run(reduce->launch.workspaces, (int)threads, scan_lines, job);
    } else {
        take_blocks(job, threads);
        stn_workspaces_run(reduce->launch.workspaces, (int)threads, scan_blocks, job);
    }
}

/* ---- the plan ---- */

/* As many elements as can be decoded at once. */
static int64_t choose_chunk(const stn_launch *launch)
{
    int64_t chunk = CHUNK;
    while (chunk * launch->views * launch->bytes > STN_CONTIGUOUS_BYTES)
        chunk /= 2;
    return chunk;
}

static stn_status find_dimension(const stn_launch *launch, int *dimension)
{
    if (*dimension < 0)
        *dimension = launch->rank - 1;
    if (*dimension >= STN_MAX_RANK || launch->rank == 0) /* negative, or the last */
        return stn_fail(
            STN_ERR_ARGUMENT,
            "kernel %s: the dimension to scan along is out of range: the views have rank %d",
            launch->kernel->name, launch->rank);
    if (*dimension >= launch->rank)
        return stn_fail(STN_ERR_ARGUMENT,
                        "kernel %s: dimension %d is out of range: the views have rank %d",
                        launch->kernel->name, *dimension, launch->rank);
    return STN_OK;
}

static __attribute__((noinline)) stn_status set_totals(stn_scan_job *job, int dimension,
                                                       const stn_view *result)
{
    stn_reduce_job *reduce = &job->reduce;
    if (!job->totals)
        return STN_OK;
    const stn_reader writer = reduce->writer;
    STN_TRY(stn_reduce_set_result(reduce, "totals", 1u << dimension, job->totals));
    job->total_writer = reduce->writer;
    reduce->writer = writer;
    reduce->result = result;
    if (stn_view_shares(result, job->totals))
        return stn_fail(STN_ERR_ALIAS, "kernel %s: totals overlaps result: %s and %s",
                        reduce->launch.kernel->name, stn_view_text(job->totals),
                        stn_view_text(result));
    return STN_OK;
}

static __attribute__((noinline)) stn_status plan(stn_scan_job *job, int rank,
                                                 const int64_t *extents, stn_scan_kind kind,
                                                 int dimension, const stn_view *result,
                                                 const stn_argument *arguments)
{
    stn_reduce_job *reduce = &job->reduce;
    const stn_launch *launch = &reduce->launch;
    STN_TRY(stn_launch_find(&reduce->launch, rank, extents, arguments));
    if (kind != STN_SCAN_INCLUSIVE && kind != STN_SCAN_EXCLUSIVE)
        return stn_fail(STN_ERR_ARGUMENT,
                        "kernel %s: kind is %d, not STN_SCAN_INCLUSIVE or STN_SCAN_EXCLUSIVE",
                        launch->kernel->name, (int)kind);
    stn_reduce_set_operation(reduce);
    STN_TRY(stn_reduce_set_result(reduce, "result", 0, result));
    STN_TRY(find_dimension(launch, &dimension));
    STN_TRY(set_totals(job, dimension, result));
    int64_t rest[STN_MAX_RANK]; /* of the lines */
    for (int d = 0, kept = 0; d < launch->rank; d++)
        if (d != dimension)
            rest[kept++] = reduce->writer.steps[d];
    stn_reduce_lay_out(reduce, 1u << dimension, rest, job->totals ? job->total_writer.steps : NULL,
                       job->total_stride);
    job->exclusive = kind == STN_SCAN_EXCLUSIVE;
    job->dimension = dimension;
    job->step = reduce->writer.steps[dimension];
    job->length = reduce->elements;
    job->inner = 1;
    for (int d = dimension + 1; d < launch->rank && stn_view_count(result) > 0; d++)
        job->inner *= result->extent[d];
    job->chunk = choose_chunk(launch);
    job->jumps = job->inner > 1 && reduce->writer.run.rules.rounding == STN_ROUND_STOCHASTIC;
    job->nontemporal = reduce->writer.plain && job->step == 1 && !job->jumps &&
                       job->length >= STN_TILE_ELEMENTS &&
                       ((result->traits & STN_TRAIT_STREAMING) ||
                        stn_passes_caches(stn_view_count(result) * reduce->writer.run.bytes));
    job->plain = result->storage.format == reduce->writer.run.arithmetic &&
                 reduce->writer.run.affine.plain && !reduce->writer.run.portable;
    return STN_OK;
}

static stn_status scan_on_host(stn_scan_job *job)
{
    STN_TRY(stn_reduce_acquire_workspaces(&job->reduce));
    scan_all(job);
    stn_workspaces_return(job->reduce.launch.workspaces);
    return STN_OK;
}

static stn_status expect_on_device(const stn_scan_job *job, const char *what, const stn_view *view)
{
    return stn_launch_error_prefix(&job->reduce.launch,
                                   stn_view_expect_reached(what, job->reduce.launch.exec, view));
}

/* On a device that can access the results. */
static stn_status scan_on_device(stn_scan_job *job)
{
    const stn_remote_scan scan = {.exclusive = job->exclusive,
                                  .dimension = job->dimension,
                                  .step = job->step,
                                  .totals = job->totals ? &job->total_writer : NULL,
                                  .total_stride = job->total_stride};
    STN_TRY(expect_on_device(job, "result", job->reduce.result));
    if (job->totals)
        STN_TRY(expect_on_device(job, "totals", job->totals));
    return job->reduce.outputs > 0 ? stn_scan_remote(&job->reduce, &scan) : STN_OK;
}

static stn_status run(const stn_exec *exec, const stn_reduction *scan, stn_format arithmetic,
                      int rank, const int64_t *extents, stn_scan_kind kind, int dimension,
                      const stn_view *result, const stn_view *totals, const stn_argument *arguments)
{
    stn_scan_job job; /* large: only used members are set */
    STN_TRY(stn_reduce_begin(&job.reduce, exec, scan, arithmetic, arguments));
    stn_slot slots[scan->kernel.count + 1];
    job.reduce.launch.slots = slots;
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: result is NULL", scan->kernel.name);
    job.totals = totals;
    STN_TRY(plan(&job, rank, extents, kind, dimension, result, arguments));
    const uint64_t trace = stn_trace_begin(scan->kernel.name, result);
    const stn_status status = (stn_exec_device(exec) ? scan_on_device : scan_on_host)(&job);
    stn_trace_end(scan->kernel.name, result, trace);
    return status ? status : stn_launch_report(&job.reduce.launch);
}

stn_status stn_scan_run(const stn_exec *exec, const stn_reduction *scan, stn_format arithmetic,
                        int rank, const int64_t *extents, stn_scan_kind kind, int dimension,
                        const stn_view *result, const stn_view *totals,
                        const stn_argument *arguments)
{
    STN_RETURN_IN_MODES(
        run(exec, scan, arithmetic, rank, extents, kind, dimension, result, totals, arguments));
}
