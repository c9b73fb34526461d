/* Scans: rows are gone through in stretches of up to 16 tiles, whose values are leaves of the tree
 * that carries them on. Where there are few rows, threads take blocks of stretches in order: each
 * folds its block, waits for what comes before it, hands that on, and scans the block, which its
 * caches still hold. */
#include "launch/reduce_row.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "core/modes.h"
#include "core/past_caches.h"
#include "core/status.h"
#include "steno/scan.h"
#include "view/told.h"

enum {
    BLOCK_ELEMENTS = 1 << 15, /* of a block, at most: half of a cache of 512 KiB */
    BLOCKS_EACH = 4,          /* of a thread, where there are enough elements */
    DECODED_ELEMENTS = STN_ABREAST * STN_TILE_ELEMENTS, /* at once, of few views */
    FEW_VIEWS = 4,
    ALONE_ELEMENTS = 1 << 14, /* scanned by one thread sooner than by several */
    PAST_CACHES = 16 << 20    /* bytes of results that are not read again soon */
};

typedef struct scan_job {
    stn_reduce_job reduce;
    stn_scan_loop *loop;
    int exclusive;
    int past_caches;   /* results are stored past the caches */
    int plain;         /* and are stored as they are */
    int64_t along;     /* the stride of the result along a row, in elements */
    int64_t inner;     /* elements of the space between neighbours of a row, in C order */
    int64_t length;    /* elements of a row */
    int64_t block;     /* elements of a block, a power of two of stretches */
    int64_t blocks;    /* of a row */
    stn_states before; /* of the blocks of a row before the one whose turn it is */
    _Alignas(64) _Atomic int64_t taken; /* blocks of all rows, in order */
    _Alignas(64) _Atomic int64_t turn;  /* of the block with this number */
} scan_job;

typedef struct scan_room {
    stn_row_room row;
    _Alignas(64) char values[FEW_VIEWS][DECODED_ELEMENTS * 8];
    _Alignas(64) char results[STN_ALONG_ELEMENTS * 8 + 8]; /* one more than is stored */
} scan_room;

_Static_assert(sizeof(scan_room) <= STN_TILES_BYTES, "a scan has room");

/* The room of rows is its beginning. */
static scan_room *begin_room(const stn_reduce_job *job, stn_workspace *workspace)
{
    return (scan_room *)(void *)stn_row_begin(job, workspace);
}

/* ---- a stretch ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* In whole lines; the last store of a part is followed by stn_past_caches_done. */
static void store_past_caches(const scan_job *job, char *results, char *code, int64_t first,
                              int64_t count)
{
    enum { BATCH_BYTES = 4096 };
    const stn_run *run = &job->reduce.writer.run;
    const int64_t bytes = run->bytes, value_bytes = stn_arithmetic_bytes(run->arithmetic);
    const int64_t batch = BATCH_BYTES / bytes;
    int64_t k = least((int64_t)(-(uintptr_t)code % STN_LINE) / bytes, count);
    _Alignas(64) char codes[BATCH_BYTES];
    stn_run_encode(run, results, code, 1, first, k);
    if (job->plain) {
        const int64_t whole = (count - k) * bytes / STN_LINE * STN_LINE / bytes;
        stn_copy_past_caches(code + k * bytes, results + k * bytes, whole * bytes);
        k += whole;
    }
    for (; count - k >= batch; k += batch) {
        stn_run_encode(run, results + k * value_bytes, codes, 1, first + k, batch);
        stn_copy_past_caches(code + k * bytes, codes, BATCH_BYTES);
    }
    stn_run_encode(run, results + k * value_bytes, code + k * bytes, 1, first + k, count - k);
}

/* Results of a row from its element e on. An element has its number in C order of the space. */
static void store_stretch(const scan_job *job, const stn_row_place *row, int64_t e, char *results,
                          int64_t count)
{
    const stn_reduce_job *reduce = &job->reduce;
    const stn_reader *writer = &reduce->writer;
    const int64_t offset = e * job->along + stn_axes_offset(&reduce->kept, reduce->result_stride,
                                                            reduce->kept.count, row->output);
    const int64_t outer = row->output / job->inner, rest = row->output % job->inner;
    const int64_t first = (outer * job->length + e) * job->inner + rest;
    stn_reduce_widen(reduce, results, count);
    if (job->past_caches &&
        (uintptr_t)stn_reader_at(writer, offset) % (uintptr_t)writer->run.bytes == 0)
        store_past_caches(job, results, stn_reader_at(writer, offset), first, count);
    else if (job->inner == 1 || writer->run.rules.rounding != STN_ROUND_STOCHASTIC)
        stn_write(writer, results, offset, job->along, first, count);
    else
        for (int64_t k = 0; k < count; k++)
            stn_write(writer, results + k * reduce->loops->result_bytes, offset + k * job->along, 1,
                      first + k * job->inner, 1);
}

/* As many elements as go abreast are decoded at once, which is more than rows have room for. */
static void decode_stretch(const stn_reduce_job *reduce, scan_room *room, const stn_row_place *row,
                           int64_t e, int64_t count)
{
    const int last = reduce->reduced.count - 1;
    stn_tile *tile = &room->row.stretch.tile;
    for (int v = 0; v < reduce->launch.views; v++) {
        const int at = reduce->launch.view_at[v];
        const int64_t stride = reduce->reduced.stride[at][last];
        const stn_reader *reader = &reduce->launch.slots[at].reader;
        const int64_t position = row->base[at] + e * stride;
        tile->values[at] = room->values[v];
        if (reduce->plain[at] && stride == 1)
            tile->values[at] = stn_reader_at(reader, position);
        else
            stn_read(reader, room->values[v], position, stride, count);
    }
    if (reduce->indexed)
        stn_row_find_indices(reduce, &room->row, row, 0, e);
    tile->count = count;
}

static void read_stretch(const scan_job *job, scan_room *room, const stn_row_place *row, int64_t e,
                         int64_t count)
{
    if (job->reduce.chunk == DECODED_ELEMENTS)
        decode_stretch(&job->reduce, room, row, e, count);
    else
        stn_row_read(&job->reduce, &room->row, row, 0, e, count);
    room->row.stretch.number = e;
}

/* What comes before: `base`, unless that is NULL, and then the states from the largest to the
 * smallest. */
static const void *carry_on(const stn_reduction_loops *loops, const void *base,
                            const stn_states *states, void *carry)
{
    const size_t bytes = (size_t)loops->state_bytes;
    int begun = base != NULL;
    if (begun)
        stn_state_copy(carry, base, bytes);
    for (int k = 63 - __builtin_clzll(states->count | 1); k >= 0; k--)
        if (states->count >> k & 1) {
            if (begun)
                loops->combine(carry, states->level[k], 1);
            else
                stn_state_copy(carry, states->level[k], bytes);
            begun = 1;
        }
    return begun ? carry : NULL;
}

/* What is read soon comes into the caches while something else is scanned. */
static void fetch_stretch(const scan_job *job, const stn_row_place *row, int64_t e)
{
    const stn_reduce_job *reduce = &job->reduce;
    const int last = reduce->reduced.count - 1;
    const int64_t count = least(job->length - e, reduce->chunk);
    for (int v = 0; v < reduce->launch.views; v++) {
        const int at = reduce->launch.view_at[v];
        if (reduce->reduced.stride[at][last] != 1 || !reduce->launch.slots[at].reader.plain)
            continue;
        const char *code = stn_code_at(reduce, at, row->base[at] + e);
        for (int64_t b = 0; b < count * reduce->launch.slots[at].reader.run.bytes; b += STN_LINE)
            __builtin_prefetch(code + b, 0, 2);
    }
}

/* Elements begin to end - 1 of a row, stretch by stretch, with what comes before them. `ahead`:
 * what so many elements further on is read soon, or 0. */
static void scan_stretches(const scan_job *job, scan_room *room, const stn_row_place *row,
                           int64_t begin, int64_t end, const void *base, int64_t ahead)
{
    const stn_reduction_loops *loops = job->reduce.loops;
    stn_states states;
    states.count = 0;
    for (int64_t e = begin; e < end; e += job->reduce.chunk) {
        _Alignas(16) char carry[STN_STATE_BYTES], state[STN_STATE_BYTES];
        const int64_t count = least(end - e, job->reduce.chunk);
        read_stretch(job, room, row, e, count);
        if (ahead && e + ahead < job->length)
            fetch_stretch(job, row, e + ahead);
        job->loop(&room->row.stretch, carry_on(loops, base, &states, carry), job->exclusive,
                  room->results, state);
        store_stretch(job, row, e, room->results, count);
        stn_states_push(loops, &states, state);
    }
}

/* ---- many rows: each by one thread ---- */

static void scan_rows(void *context, stn_workspace *workspace, int part, int parts)
{
    const scan_job *job = context;
    int64_t begin, end;
    stn_share(job->reduce.outputs, part, parts, &begin, &end);
    if (begin == end)
        return;
    scan_room *room = begin_room(&job->reduce, workspace);
    for (int64_t r = begin; r < end; r++) {
        stn_row_place row;
        stn_row_find(&job->reduce, r, &row);
        scan_stretches(job, room, &row, 0, job->length, NULL, 0);
    }
    stn_past_caches_done();
}

/* ---- few rows: threads take blocks in order ----
 *
 * Only a thread that runs takes a block, and it is done with it before it takes another one. So
 * whatever a thread waits for is on its way, on however few threads the parts run. */

static void wait_for_turn(const scan_job *job, int64_t number)
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

/* The value of a whole block. */
static void fold_block(const scan_job *job, scan_room *room, const stn_row_place *row,
                       int64_t begin, void *value)
{
    const stn_reduction_loops *loops = job->reduce.loops;
    stn_states states;
    states.count = 0;
    for (int64_t e = begin; e < begin + job->block; e += job->reduce.chunk) {
        _Alignas(16) char state[STN_STATE_BYTES];
        read_stretch(job, room, row, e, job->reduce.chunk);
        loops->fold(&room->row.stretch, state);
        stn_states_push(loops, &states, state);
    }
    stn_state_copy(value, stn_states_fold(loops, &states), (size_t)loops->state_bytes);
}

/* The last block of a row may be shorter, and nothing comes after it. */
static void scan_block(scan_job *job, scan_room *room, int64_t number)
{
    const int64_t block = number % job->blocks, begin = block * job->block;
    const int is_last = block == job->blocks - 1;
    _Alignas(16) char value[STN_STATE_BYTES], carry[STN_STATE_BYTES];
    stn_row_place row;
    stn_row_find(&job->reduce, number / job->blocks, &row);
    if (!is_last)
        fold_block(job, room, &row, begin, value);
    wait_for_turn(job, number);
    const void *base = carry_on(job->reduce.loops, NULL, &job->before, carry);
    if (is_last)
        job->before.count = 0;
    else
        stn_states_push(job->reduce.loops, &job->before, value);
    atomic_store_explicit(&job->turn, number + 1, memory_order_release);
    scan_stretches(job, room, &row, begin, is_last ? job->length : begin + job->block, base,
                   job->reduce.launch.exec->threads * job->block);
}

static void scan_blocks(void *context, stn_workspace *workspace, int part, int parts)
{
    scan_job *job = context;
    const int64_t numbers = job->reduce.outputs * job->blocks;
    (void)part, (void)parts;
    scan_room *room = begin_room(&job->reduce, workspace);
    for (;;) {
        const int64_t number = atomic_fetch_add_explicit(&job->taken, 1, memory_order_relaxed);
        if (number >= numbers)
            break;
        scan_block(job, room, number);
    }
    stn_past_caches_done();
}

static void take_blocks(scan_job *job, int64_t threads)
{
    const int64_t each = job->reduce.outputs * job->length / (BLOCKS_EACH * threads);
    job->block = BLOCK_ELEMENTS;
    while (job->block > job->reduce.chunk && job->block > each)
        job->block /= 2;
    job->blocks = (job->length + job->block - 1) / job->block;
    job->before.count = 0;
    atomic_init(&job->taken, 0);
    atomic_init(&job->turn, 0);
}

static void scan_all(scan_job *job)
{
    const stn_reduce_job *reduce = &job->reduce;
    const int64_t threads = reduce->launch.exec->threads;
    if (reduce->outputs == 0 || job->length == 0)
        return;
    if (reduce->outputs * job->length < ALONE_ELEMENTS) {
        stn_workspaces_run(reduce->launch.workspaces, 1, scan_rows, job);
    } else if (threads == 1 || reduce->outputs >= 4 * threads) {
        stn_workspaces_run(reduce->launch.workspaces, (int)threads, scan_rows, job);
    } else {
        take_blocks(job, threads);
        stn_workspaces_run(reduce->launch.workspaces, (int)threads, scan_blocks, job);
    }
}

/* ---- the plan ---- */

/* Elements of a stretch. A view that repeats an element is not decoded again and again. */
static int64_t stretch_of(const stn_reduce_job *reduce)
{
    const stn_launch *launch = &reduce->launch;
    int repeats = 0;
    for (int v = 0; v < launch->views; v++)
        repeats |= reduce->reduced.stride[launch->view_at[v]][reduce->reduced.count - 1] == 0;
    return stn_row_in_place(reduce)                 ? STN_ALONG_ELEMENTS
           : launch->views <= FEW_VIEWS && !repeats ? DECODED_ELEMENTS
                                                    : STN_DECODED_ELEMENTS;
}

static __attribute__((noinline)) stn_status plan(scan_job *job, stn_scan *scan, int exclusive,
                                                 int dimension, const stn_view *result,
                                                 const stn_argument *arguments)
{
    stn_reduce_job *reduce = &job->reduce;
    const stn_launch *launch = &reduce->launch;
    STN_TRY(stn_launch_find(&reduce->launch, -1, NULL, arguments));
    stn_reduce_take_loops(reduce);
    STN_TRY(stn_reduce_take_result(reduce, 0, result));
    if (dimension < 0)
        dimension = launch->rank - 1;
    if (dimension >= STN_MAX_RANK || launch->rank == 0) /* a negative one was given, or the last */
        return stn_fail(STN_ERR_ARGUMENT,
                        "kernel %s: there is no such dimension to scan along: views have %d here",
                        launch->kernel->name, launch->rank);
    if (dimension >= launch->rank)
        return stn_fail(STN_ERR_ARGUMENT,
                        "kernel %s: there is no dimension %d to scan along: views have %d here",
                        launch->kernel->name, dimension, launch->rank);
    int64_t steps[STN_MAX_RANK], rest[STN_MAX_RANK]; /* rest: without the dimension scanned */
    stn_reader_steps(&reduce->writer, steps);
    for (int d = 0, kept = 0; d < launch->rank; d++)
        if (d != dimension)
            rest[kept++] = steps[d];
    stn_reduce_lay_out(reduce, 1u << dimension, rest);
    job->loop = launch->arithmetic == STN_F64   ? scan->f64
                : launch->arithmetic == STN_F32 ? scan->f32
                                                : scan->i64;
    job->exclusive = exclusive != 0;
    job->along = steps[dimension];
    job->length = reduce->elements;
    job->inner = 1;
    for (int d = dimension + 1; d < launch->rank && stn_view_count(result) > 0; d++)
        job->inner *= result->extent[d];
    reduce->chunk = stretch_of(reduce);
    job->past_caches = reduce->writer.plain && job->along == 1 &&
                       job->length >= STN_TILE_ELEMENTS &&
                       STN_LINE % reduce->writer.run.bytes == 0 &&
                       ((result->traits & STN_STREAMING) ||
                        stn_view_count(result) > PAST_CACHES / reduce->writer.run.bytes);
    job->plain = result->storage.format == reduce->writer.run.arithmetic &&
                 reduce->writer.run.affine.plain && !reduce->writer.run.portable;
    return STN_OK;
}

static stn_status run(const stn_exec *exec, stn_scan *scan, stn_format arithmetic, int exclusive,
                      int dimension, const stn_view *result, const stn_argument *arguments)
{
    scan_job job; /* large: only what is used is set */
    STN_TRY(
        stn_reduce_begin(&job.reduce, exec, scan ? &scan->reduction : NULL, arithmetic, arguments));
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: result is NULL", scan->reduction.kernel.name);
    STN_TRY(plan(&job, scan, exclusive, dimension, result, arguments));
    STN_TRY(stn_reduce_take_workspaces(&job.reduce));
    const uint64_t told = stn_told_begins(scan->reduction.kernel.name, result);
    scan_all(&job);
    stn_workspaces_give_back(job.reduce.launch.workspaces);
    stn_told_ends(scan->reduction.kernel.name, result, told);
    return stn_launch_tell(&job.reduce.launch);
}

stn_status stn_scan_run(const stn_exec *exec, stn_scan *scan, stn_format arithmetic, int exclusive,
                        int dimension, const stn_view *result, const stn_argument *arguments)
{
    const stn_modes modes = stn_modes_enter();
    const stn_status status = run(exec, scan, arithmetic, exclusive, dimension, result, arguments);
    stn_modes_leave(modes);
    return status;
}
