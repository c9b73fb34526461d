/* Reductions on devices: a kernel folds blocks of tiles, and the remaining states are folded by the
 * host, or by the same kernel if results stay in device memory. */
#include "reduce/remote.h"

#include <stdio.h>

#include "core/memory.h"
#include "core/status.h"

enum {
    MAX_GROUPS = 0x7fffffff,
    MIN_GROUPS = 8192,     /* several times as many as run at once */
    MIN_THREADS = 65536,   /* the same if each thread has a block */
    GROUP_TILES = 32,      /* least number of tiles of a block that a group folds */
    GROUP_BYTES = 16384,   /* limit on the states of lanes of the tiles that it folds at once; their
                            * number gives lanes to each thread */
    MAX_STATES_BYTES = 64, /* of adjacent outputs, of which a thread has up to six */
    SCALES = 3             /* scales of norms */
};

/* ---- the space: dimensions of outputs, followed by the reduced ones ---- */

static void add_axes(stn_remote *r, const stn_axes *axes, int64_t (*stride)[STN_MAX_RANK],
                     int *rank)
{
    stn_launch *const launch = &r->job->launch;
    for (int a = 0; a < axes->count; a++) {
        if (axes->at[a] < 0)
            continue;
        launch->extent[*rank] = axes->extent[a];
        for (int v = 0; v < launch->views; v++)
            stride[v][*rank] = axes->stride[launch->view_at[v]][a];
        r->from[(*rank)++] = axes->at[a];
    }
}

/* Merged axes are dimensions whose indices are not used. */
static void set_space(stn_remote *r)
{
    stn_launch *const launch = &r->job->launch;
    int64_t stride[STN_MAX_PARAMETERS][STN_MAX_RANK] = {{0}};
    int rank = 0;
    add_axes(r, &r->job->kept, stride, &rank);
    r->text.kept = rank;
    add_axes(r, &r->job->reduced, stride, &rank);
    for (int v = 0; v < launch->views; v++)
        memcpy(launch->slots[launch->view_at[v]].stride, stride[v], sizeof stride[v]);
    r->description.from = r->from;
    r->description.views_rank = launch->rank;
    launch->rank = rank;
}

/* ---- the text ---- */

/* Conversion of 64-bit integers to values that are rounded to a float (stn_widen_integers). */
static int widens(const stn_reduce_job *job, const stn_reader *writer)
{
    const stn_storage *const storage = &writer->view->storage;
    if (job->monoid.result != STN_I64 || writer->run.arithmetic != STN_F64)
        return 0;
    return storage->format != STN_F64 ? 3 : storage->rounding == STN_ROUND_TOWARD_ZERO ? 2 : 1;
}

stn_status stn_remote_add_result(stn_remote *r, stn_slot *slot, const stn_reader *writer, int rank,
                                 const int64_t *stride, const int *own, stn_source_stored *stored)
{
    const stn_format of = r->job->monoid.result;
    const int is_complex = of == STN_C128 || of == STN_C64;
    *slot = (stn_slot){
        .kind = STN_PARAMETER_OUT, .view = writer->view, .reader = *writer, .written = 1};
    memcpy(slot->stride, stride, (size_t)rank * sizeof *stride);
    stored->from = is_complex ? of : writer->run.arithmetic;
    stored->widens = widens(r->job, writer);
    return stn_describe_view(&r->description, slot, "result", rank, own, &stored->view);
}

stn_status stn_remote_begin(stn_remote *r, stn_reduce_job *job)
{
    memset(r, 0, sizeof *r); /* including padding, because it becomes part of a key */
    r->job = job;
    r->description.source = &r->text.source;
    r->device = job->launch.exec->device;
    r->text.scans = job->direction == STN_SCANNED;
    set_space(r);
    r->text.operation = job->reduction->operation;
    r->text.results = job->monoid.results;
    r->text.by_groups = job->direction == STN_CONTIGUOUS;
    if (r->text.operation == STN_REDUCE_WITH_own &&
        !stn_source_find_expressions(&r->text, job->reduction->words))
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "kernel %s: its operation contains a semicolon, which devices do not support",
            job->launch.kernel->name);
    STN_TRY(stn_describe(&r->description, &job->launch));
    r->states_at = r->description.count;
    return stn_describe_memory(&r->description, NULL);
}

/* ---- launches ---- */

static stn_status find_function(stn_remote *r)
{
    const char *const words = r->job->reduction->words;
    char name[256];
    char *text;
    stn_device_key key = {.name = name};
    snprintf(name, sizeof name, "steno_%s", r->job->launch.kernel->name);
    stn_describe_part(&key, (const char *)&r->text + sizeof r->text.source,
                      sizeof r->text - sizeof r->text.source);
    stn_describe_part(&key, words, strlen(words));
    stn_describe_key(&r->description, &key);
    if (stn_device_has_kernel(r->device, &key, &r->function))
        return STN_OK;
    STN_TRY(stn_source_write_reduction(&r->text, words, &text));
    const stn_status status = stn_device_create_kernel(r->device, &key, text, "", &r->function);
    stn_free(text);
    return status;
}

/* Adjacent lanes per thread, if groups fold tiles; not across the ends of rows. */
static int neighboring_lanes(const stn_remote *r)
{
    const int rank = r->text.source.rank, reduced = rank - r->text.kept;
    const int wide = reduced > 0 ? stn_describe_neighbors(&r->description, rank - 1) : 1;
    return reduced > 1 && r->job->launch.extent[rank - 1] % wide != 0 ? 1 : wide;
}

/* Adjacent outputs per thread: as many as keep their states in registers. */
static int neighboring_outputs(const stn_remote *r)
{
    const int last = r->text.kept - 1;
    const int64_t tiles = r->job->elements / STN_TILE_ELEMENTS;
    int wide = stn_describe_neighbors(&r->description, last);
    if (r->text.scans || tiles >= (int64_t)1 << (STN_ACROSS_LEVELS - 1) || last < 0 ||
        !stn_describe_is_long(r->job->launch.extent[last], wide))
        return 1;
    while (wide > 1 && wide * r->job->monoid.state_bytes > MAX_STATES_BYTES)
        wide /= 2;
    return wide;
}

static void choose_neighbors(stn_remote *r)
{
    stn_source *const s = &r->text.source;
    s->wide = r->text.by_groups ? neighboring_lanes(r) : neighboring_outputs(r);
    s->along = r->text.by_groups ? s->rank - 1 : r->text.kept - 1;
    r->text.tiles_at_once = s->wide * STN_REDUCE_THREADS / STN_LANES;
    if (r->text.tiles_at_once < GROUP_TILES)
        r->text.tiles_at_once = GROUP_TILES;
    while (r->text.tiles_at_once * STN_LANES * r->job->monoid.state_bytes > GROUP_BYTES)
        r->text.tiles_at_once /= 2;
}

stn_status stn_remote_find(stn_remote *r)
{
    stn_description *const d = &r->description;
    choose_neighbors(r);
    r->text.number = d->source->numbers;
    for (int k = 0; k < STN_RANGE_NUMBERS; k++)
        (void)stn_describe_number(d, 0);
    STN_TRY(stn_describe_end(d));
    return find_function(r);
}

/* Blocks are as large as possible while there are enough of them to keep the device busy. */
static void choose_blocks(stn_remote *r)
{
    const stn_reduce_job *const job = r->job;
    const int64_t enough =
        r->text.by_groups ? MIN_GROUPS : (int64_t)MIN_THREADS * r->text.source.wide;
    r->tiles = job->count / STN_TILE_ELEMENTS + (job->count % STN_TILE_ELEMENTS != 0);
    r->block = r->text.by_groups ? GROUP_TILES : 1;
    while (r->block < r->tiles && r->tiles / r->block >= enough / job->outputs && !r->text.scans)
        r->block *= 2;
    r->blocks = r->tiles / r->block + (r->tiles % r->block != 0);
    if (r->tiles == 0)
        r->blocks = 1; /* no elements */
}

void stn_remote_set_range(stn_remote *r)
{
    choose_blocks(r);
    stn_remote_set(r, STN_RANGE_OUTPUTS, r->job->outputs);
    stn_remote_set(r, STN_RANGE_ELEMENTS, r->job->count);
    stn_remote_set(r, STN_RANGE_BEGIN, r->job->begin);
    stn_remote_set(r, STN_RANGE_NUMBER, r->job->first);
    stn_remote_set(r, STN_RANGE_BLOCK, r->block);
    stn_remote_set(r, STN_RANGE_BLOCKS, r->blocks);
}

stn_status stn_remote_queue(stn_remote *r, stn_source_task task, int64_t threads, int64_t groups)
{
    const int64_t group_count =
        groups ? groups : (threads + STN_REDUCE_THREADS - 1) / STN_REDUCE_THREADS;
    stn_remote_set(r, STN_RANGE_TASK, task);
    return stn_device_launch(r->device, r->function.name, r->function.function,
                             group_count < MAX_GROUPS ? (unsigned)group_count : MAX_GROUPS,
                             STN_REDUCE_THREADS, r->description.arguments, r->description.count);
}

stn_status stn_remote_queue_blocks(stn_remote *r, stn_source_task task, double scale)
{
    const int64_t blocks = r->job->outputs * r->blocks;
    int64_t bits;
    memcpy(&bits, &scale, sizeof bits);
    stn_remote_set(r, STN_RANGE_SCALE, bits);
    if (r->text.by_groups)
        return stn_remote_queue(r, task, 0, blocks);
    return stn_remote_queue(r, task, blocks / r->text.source.wide + 1, 0);
}

static stn_status queue_finish(stn_remote *r)
{
    return stn_remote_queue(r, STN_TASK_FINISH, r->job->outputs,
                            r->text.by_groups ? r->job->outputs : 0);
}

stn_status stn_remote_acquire_memory(stn_remote *r, int64_t bytes, stn_device_scratch **memory)
{
    int64_t offset;
    STN_TRY(stn_device_acquire_scratch(r->device, r->job->launch.kernel->name, bytes, memory));
    const stn_status status = stn_device_locate(r->device, (*memory)->memory,
                                                &r->description.handles[r->states_at], &offset);
    if (status != STN_OK)
        stn_device_return_scratch(r->device, *memory);
    return status;
}

/* ---- results on the device ---- */

static stn_status queue_both(stn_remote *r)
{
    STN_TRY(stn_remote_queue_blocks(r, STN_TASK_STATES, 1.0));
    return queue_finish(r);
}

/* Outputs without elements: the host computes their states. */
static stn_status queue_empty(stn_remote *r, void *memory)
{
    const stn_monoid *const monoid = &r->job->monoid;
    const size_t bytes = (size_t)monoid->state_bytes;
    char *states;
    STN_TRY(stn_allocate(&states, r->job->outputs, bytes, r->job->launch.kernel->name));
    for (int64_t output = 0; output < r->job->outputs; output++)
        monoid->identity(states + (size_t)output * bytes);
    stn_status status = stn_device_copy(r->device, memory, states, (size_t)r->job->outputs * bytes);
    if (status == STN_OK)
        status = queue_finish(r);
    if (status == STN_OK)
        status = stn_device_wait(r->device);
    stn_free(states);
    return status;
}

static stn_status store_on_device(stn_remote *r)
{
    stn_device_scratch *memory;
    if (r->blocks == 1 && r->job->elements > 0)
        return stn_remote_queue_blocks(r, STN_TASK_STORE, 1.0);
    STN_TRY(stn_remote_acquire_memory(r, r->job->outputs * r->blocks * r->job->monoid.state_bytes,
                                      &memory));
    const stn_status status = r->job->elements > 0 ? queue_both(r) : queue_empty(r, memory->memory);
    stn_device_return_scratch(r->device, memory);
    return status;
}

/* ---- results on the host ---- */

/* Does a norm need this scale? */
static int needs(const stn_reduce_job *job, const char *states, int which)
{
    if (which > 0 && job->reduction->operation != STN_REDUCE_WITH_norm2)
        return 0;
    for (int64_t output = 0; which > 0 && output < job->outputs; output++)
        if (stn_norm_range(job->launch.arithmetic, states + output * job->monoid.state_bytes) ==
            which)
            return 1;
    return which == 0;
}

/* The states of all outputs in all required scales, which must be released. */
static stn_status fold_scales(stn_reduce_job *job, char *states[SCALES])
{
    const int64_t bytes = job->monoid.state_bytes, elements = job->elements;
    for (int which = 0; which < SCALES; which++) {
        if (!needs(job, states[0], which))
            continue;
        STN_TRY(
            stn_allocate(&states[which], job->outputs, (size_t)bytes, job->launch.kernel->name));
        const double scale = which ? stn_norm_scale_of(job->launch.arithmetic, which) : 1.0;
        const stn_remote_range range = {0, elements, scale, states[which]};
        STN_TRY(stn_reduce_remote_ranges(job, &range, 1, bytes));
        job->rescaled[which] = states[which];
    }
    return STN_OK;
}

static stn_status store_on_host(stn_reduce_job *job)
{
    char *states[SCALES] = {NULL};
    const stn_status status = fold_scales(job, states);
    if (status == STN_OK)
        stn_reduce_store(job, 0, states[0], job->outputs);
    for (int which = 0; which < SCALES; which++)
        stn_free(states[which]);
    return status;
}

/* ---- entry point ---- */

/* Several results of an output are the last dimension of the result. The space does not have this
 * dimension; its extent replaces that of a reduced one while the result is described. */
static stn_status add_result(stn_remote *r)
{
    stn_reduce_job *const job = r->job;
    const int kept = r->text.kept, has_results = job->monoid.results > 1;
    int own[STN_MAX_RANK];
    int64_t stride[STN_MAX_RANK], extent = 0;
    for (int d = 0; d < kept; d++) {
        own[d] = d;
        stride[d] = job->result_stride[d];
    }
    if (has_results) {
        own[kept] = job->result->rank - 1;
        stride[kept] = job->result_step;
        extent = job->launch.extent[kept];
        job->launch.extent[kept] = job->monoid.results;
    }
    r->text.stores = 1;
    const stn_status status = stn_remote_add_result(r, &r->result, &job->writer, kept + has_results,
                                                    stride, own, &r->text.result);
    if (has_results)
        job->launch.extent[kept] = extent;
    return status;
}

/* Not inlined: its variables and the description together exceed the limit of a stack frame. */
static __attribute__((noinline)) stn_status store(stn_remote *r, stn_reduce_job *job)
{
    STN_TRY(stn_remote_begin(r, job));
    STN_TRY(add_result(r));
    STN_TRY(stn_remote_find(r));
    job->begin = 0;
    job->count = job->elements;
    stn_remote_set_range(r);
    return store_on_device(r);
}

stn_status stn_reduce_remote(stn_reduce_job *job)
{
    stn_remote r;
    const int is_there = job->result && job->result->space != STN_SPACE_HOST;
    if (!is_there && job->elements > 0)
        return store_on_host(job);
    if (!is_there) {
        stn_reduce_store_empty(job);
        return STN_OK;
    }
    stn_status status = store(&r, job);
    if (status == STN_OK)
        status = stn_describe_encode(&r.description);
    if (status == STN_OK)
        status = stn_describe_declared(&r.description, NULL);
    stn_describe_release(&r.description);
    return status;
}
