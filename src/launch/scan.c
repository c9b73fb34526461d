/* Scans: rows are gone through in blocks of 16 tiles, whose values are leaves of the tree that
 * carries them on. Where there are few rows, all threads first fold the blocks of a piece of one
 * that caches hold, and then scan it. */
#include "launch/reduce_row.h"

#include <stdio.h>

#include "core/modes.h"
#include "core/status.h"
#include "steno/scan.h"
#include "view/told.h"

enum {
    PIECE_BLOCKS = 1024,      /* of a piece, at most */
    PIECE_ELEMENTS = 1 << 19, /* which stay in the caches */
    PAST_CACHES = 16 << 20    /* bytes of results that are not read again soon */
};

typedef struct scan_job {
    stn_reduce_job reduce;
    stn_scan_loop *loop;
    int exclusive;
    int past_caches; /* results are stored past the caches */
    int64_t along;   /* the stride of the result along a row, in elements */
    int64_t inner;   /* elements of the space between neighbours of a row, in C order */
    int64_t length;  /* elements of a row */
    int64_t blocks;  /* of a row */
    /* of the piece at hand: */
    stn_row_place row;
    int64_t first, count; /* blocks */
    int64_t piece;        /* blocks of a piece */
    _Alignas(16) char carry[PIECE_BLOCKS][STN_STATE_BYTES];
    int carried; /* the first block has a carry */
    _Alignas(16) char state[PIECE_BLOCKS][STN_STATE_BYTES];
} scan_job;

typedef struct scan_room {
    stn_row_room row;
    _Alignas(64) char results[STN_ALONG_ELEMENTS * 8];
} scan_room;

/* ---- a block ---- */

static int64_t count_of_block(const scan_job *job, int64_t block)
{
    const int64_t left = job->length - block * job->reduce.chunk;
    return left < job->reduce.chunk ? left : job->reduce.chunk;
}

/* Results of a row from its element e on. An element has its number in C order of the space. */
static void store_block(const scan_job *job, const stn_row_place *row, int64_t e, char *results,
                        int64_t count)
{
    const stn_reduce_job *reduce = &job->reduce;
    const stn_run *run = &reduce->run;
    const int64_t offset =
        stn_axes_offset(&reduce->kept, reduce->result_stride, reduce->kept.count, row->output);
    char *code = (char *)reduce->result->data + (offset + e * job->along) * run->bytes;
    const int64_t outer = row->output / job->inner, rest = row->output % job->inner;
    const int64_t first = (outer * job->length + e) * job->inner + rest;
    stn_reduce_widen(reduce, results, count);
    if (job->past_caches)
        stn_run_encode_past_caches(run, results, code, first, count);
    else if (job->inner == 1 || run->rules.rounding != STN_ROUND_STOCHASTIC)
        stn_run_encode(run, results, code, job->along, first, count);
    else
        for (int64_t k = 0; k < count; k++)
            stn_run_encode(run, results + k * reduce->loops->result_bytes,
                           code + k * job->along * run->bytes, 1, first + k * job->inner, 1);
}

static void scan_block(const scan_job *job, scan_room *room, const stn_row_place *row,
                       int64_t block, const void *carry, void *state)
{
    const stn_reduce_job *reduce = &job->reduce;
    const int64_t e = block * reduce->chunk, count = count_of_block(job, block);
    stn_row_read(reduce, &room->row, row, 0, e, count);
    room->row.stretch.number = e;
    job->loop(&room->row.stretch, carry, job->exclusive, room->results, state);
    store_block(job, row, e, room->results, count);
}

/* The values of all blocks so far, from the largest to the smallest. */
static const void *carry_on(const stn_reduction_loops *loops, const stn_states *states, void *carry)
{
    const size_t bytes = (size_t)loops->state_bytes;
    int begun = 0;
    if (states->count == 0)
        return NULL;
    for (int k = 63; k >= 0; k--)
        if (states->count >> k & 1) {
            if (begun)
                loops->combine(carry, states->level[k], 1);
            else
                stn_state_copy(carry, states->level[k], bytes);
            begun = 1;
        }
    return carry;
}

/* ---- many rows: each by one thread ---- */

static void scan_row(const scan_job *job, scan_room *room, const stn_row_place *row)
{
    stn_states states;
    states.count = 0;
    for (int64_t block = 0; block < job->blocks; block++) {
        _Alignas(16) char carry[STN_STATE_BYTES], state[STN_STATE_BYTES];
        scan_block(job, room, row, block, carry_on(job->reduce.loops, &states, carry), state);
        stn_states_push(job->reduce.loops, &states, state);
    }
}

static void scan_rows(void *context, int part, int parts)
{
    const scan_job *job = context;
    scan_room room;
    int64_t begin, end;
    stn_share(job->reduce.outputs, part, parts, &begin, &end);
    if (begin == end)
        return;
    stn_row_begin(&job->reduce, &room.row);
    for (int64_t r = begin; r < end; r++) {
        stn_row_place row;
        stn_row_find(&job->reduce, r, &row);
        scan_row(job, &room, &row);
    }
}

/* ---- few rows: pieces by all threads ---- */

static void fold_piece(void *context, int part, int parts)
{
    scan_job *job = context;
    stn_row_room room;
    int64_t begin, end;
    stn_share(job->count, part, parts, &begin, &end);
    if (begin == end)
        return;
    stn_row_begin(&job->reduce, &room);
    for (int64_t b = begin; b < end; b++) {
        const int64_t block = job->first + b;
        stn_row_read(&job->reduce, &room, &job->row, 0, block * job->reduce.chunk,
                     count_of_block(job, block));
        room.stretch.number = block * job->reduce.chunk;
        job->reduce.loops->fold(&room.stretch, job->state[b]);
    }
}

static void scan_piece(void *context, int part, int parts)
{
    scan_job *job = context;
    scan_room room;
    int64_t begin, end;
    stn_share(job->count, part, parts, &begin, &end);
    if (begin == end)
        return;
    stn_row_begin(&job->reduce, &room.row);
    for (int64_t b = begin; b < end; b++) {
        _Alignas(16) char state[STN_STATE_BYTES];
        scan_block(job, &room, &job->row, job->first + b,
                   b > 0 || job->carried ? job->carry[b] : NULL, state);
    }
}

static void scan_row_in_pieces(scan_job *job, int64_t row)
{
    const stn_exec *exec = job->reduce.launch.exec;
    stn_states states;
    states.count = 0;
    stn_row_find(&job->reduce, row, &job->row);
    for (job->first = 0; job->first < job->blocks; job->first += job->piece) {
        const int64_t left = job->blocks - job->first;
        job->count = left < job->piece ? left : job->piece;
        job->carried = job->first > 0;
        stn_exec_run(exec, fold_piece, job);
        for (int64_t b = 0; b < job->count; b++) {
            (void)carry_on(job->reduce.loops, &states, job->carry[b]);
            stn_states_push(job->reduce.loops, &states, job->state[b]);
        }
        stn_exec_run(exec, scan_piece, job);
    }
}

static void scan_all(scan_job *job)
{
    enum { ALONE_BLOCKS = 8 };
    const int64_t threads = job->reduce.launch.exec->threads;
    const stn_exec alone = {STN_EXEC_REFERENCE, 1};
    if (job->reduce.outputs == 0 || job->length == 0)
        return;
    if (threads == 1 || job->reduce.outputs >= 4 * threads)
        stn_exec_run(job->reduce.launch.exec, scan_rows, job);
    else if (job->blocks < ALONE_BLOCKS)
        stn_exec_run(&alone, scan_rows, job);
    else
        for (int64_t row = 0; row < job->reduce.outputs; row++)
            scan_row_in_pieces(job, row);
}

/* ---- the plan ---- */

/* A view of the result without the dimension that is scanned. */
static stn_view without(const stn_view *view, int dimension)
{
    stn_view rest = *view;
    rest.rank = view->rank - 1;
    for (int d = dimension; d < rest.rank; d++) {
        rest.extent[d] = view->extent[d + 1];
        rest.stride[d] = view->stride[d + 1];
    }
    return rest;
}

static stn_status plan(scan_job *job, stn_scan *scan, int exclusive, int dimension,
                       const stn_view *result, const stn_argument *arguments)
{
    stn_reduce_job *reduce = &job->reduce;
    const stn_launch *launch = &reduce->launch;
    STN_TRY(stn_launch_find(&reduce->launch, -1, NULL, arguments));
    stn_reduce_take_loops(reduce);
    STN_TRY(stn_reduce_take_result(reduce, 0, result));
    if (dimension < 0)
        dimension = launch->rank - 1;
    if (dimension < 0 || dimension >= launch->rank)
        return stn_fail(STN_ERR_ARGUMENT, "kernel %s: there is no dimension %d to scan along",
                        launch->kernel->name, dimension);
    const stn_view rest = without(result, dimension);
    stn_reduce_lay_out(reduce, 1u << dimension, &rest);
    job->loop = launch->arithmetic == STN_F64   ? scan->f64
                : launch->arithmetic == STN_F32 ? scan->f32
                                                : scan->i64;
    job->exclusive = exclusive != 0;
    job->along = result->stride[dimension];
    job->length = reduce->elements;
    job->inner = 1;
    for (int d = dimension + 1; d < launch->rank; d++)
        job->inner *= result->extent[d];
    reduce->chunk = stn_row_in_place(reduce) ? STN_ALONG_ELEMENTS : STN_DECODED_ELEMENTS;
    job->blocks = (job->length + reduce->chunk - 1) / reduce->chunk;
    job->piece = PIECE_ELEMENTS / reduce->chunk;
    job->past_caches = job->along == 1 && job->length >= STN_TILE_ELEMENTS &&
                       ((result->traits & STN_STREAMING) ||
                        stn_view_count(result) > PAST_CACHES / reduce->run.bytes);
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
    const uint64_t told = stn_told_begins(scan->reduction.kernel.name, result);
    scan_all(&job);
    stn_told_ends(scan->reduction.kernel.name, result, told);
    return STN_OK;
}

stn_status stn_scan_run(const stn_exec *exec, stn_scan *scan, stn_format arithmetic, int exclusive,
                        int dimension, const stn_view *result, const stn_argument *arguments)
{
    const stn_modes modes = stn_modes_enter();
    const stn_status status = run(exec, scan, arithmetic, exclusive, dimension, result, arguments);
    stn_modes_leave(modes);
    return status;
}
