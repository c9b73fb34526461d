/* Partial results on devices: all blocks and edges are queued, and read at once. */
#include "core/memory.h"
#include "core/status.h"
#include "reduce/remote.h"
#include "sum/tree.h"

typedef struct ranges {
    const stn_remote_range *range;
    int count;
    int64_t step;  /* bytes between outputs */
    int64_t bytes; /* total bytes of states and elements */
} ranges;

/* Offset in bytes of the states of a range. */
typedef struct placed {
    const stn_remote_range *range;
    int64_t begin, end, blocks;
} placed;

/* Places a range after the previous one, aligned to its elements, and sets its constants. */
static placed place(stn_remote *r, const stn_remote_range *range, int64_t end)
{
    const stn_monoid *const monoid = &r->job->monoid;
    const int is_map = range->scale == 0.0;
    const int64_t each = is_map ? monoid->mapped_bytes : monoid->state_bytes;
    const int64_t first = (end + each - 1) / each;
    r->job->begin = range->begin;
    r->job->count = range->count;
    stn_remote_set_range(r);
    stn_remote_set(r, STN_RANGE_PLACE, first);
    const int64_t count = r->job->outputs * (is_map ? range->count : r->blocks);
    return (placed){range, first * each, (first + count) * each, r->blocks};
}

static int64_t count_bytes(stn_remote *r, const ranges *all)
{
    int64_t end = 0;
    for (int k = 0; k < all->count; k++)
        end = place(r, &all->range[k], end).end;
    return end;
}

static stn_status queue_range(stn_remote *r, const placed *at)
{
    return at->range->scale == 0.0
               ? stn_remote_queue(r, STN_TASK_MAP, r->job->outputs * at->range->count, 0)
               : stn_remote_queue_blocks(r, STN_TASK_STATES, at->range->scale);
}

static stn_status queue_and_read(stn_remote *r, const ranges *all, const void *memory, char *here)
{
    placed at = {.end = 0};
    for (int k = 0; k < all->count; k++) {
        at = place(r, &all->range[k], at.end);
        STN_TRY(queue_range(r, &at));
    }
    STN_TRY(stn_device_copy(r->device, here, memory, (size_t)all->bytes));
    return stn_device_wait(r->device);
}

static void take_states(const stn_reduce_job *job, const placed *at, char *states, int64_t step)
{
    const int64_t bytes = job->monoid.state_bytes;
    stn_fold_leaves(job->monoid.combine, bytes, states, job->outputs, at->blocks);
    for (int64_t output = 0; output < job->outputs; output++)
        memcpy((char *)at->range->to + output * step, states + output * bytes, (size_t)bytes);
}

static void take_elements(const stn_reduce_job *job, const placed *at, const char *elements,
                          int64_t step)
{
    const int64_t bytes = job->monoid.mapped_bytes, count = at->range->count;
    for (int64_t output = 0; output < job->outputs; output++)
        for (int64_t k = 0; k < count; k++)
            memcpy((char *)at->range->to + output * step + k * STN_MAPPED_BYTES,
                   elements + (output * count + k) * bytes, (size_t)bytes);
}

static void take(stn_remote *r, const ranges *all, char *here)
{
    placed at = {.end = 0};
    for (int k = 0; k < all->count; k++) {
        at = place(r, &all->range[k], at.end);
        if (at.range->scale == 0.0)
            take_elements(r->job, &at, here + at.begin, all->step);
        else
            take_states(r->job, &at, here + at.begin, all->step);
    }
}

static stn_status calculate(stn_remote *r, const ranges *all)
{
    char *here;
    stn_device_scratch *memory;
    STN_TRY(stn_allocate(&here, all->bytes, 1, r->job->launch.kernel->name));
    stn_status status = stn_remote_acquire_memory(r, all->bytes, &memory);
    if (status == STN_OK) {
        status = queue_and_read(r, all, memory->memory, here);
        stn_device_return_scratch(r->device, memory);
    }
    if (status == STN_OK)
        take(r, all, here);
    stn_free(here);
    return status;
}

static stn_status run(stn_remote *r, stn_reduce_job *job, ranges *all)
{
    STN_TRY(stn_remote_begin(r, job));
    for (int k = 0; k < all->count; k++)
        r->text.maps |= all->range[k].scale == 0.0;
    STN_TRY(stn_remote_find(r));
    all->bytes = count_bytes(r, all);
    return all->count > 0 ? calculate(r, all) : STN_OK;
}

stn_status stn_reduce_remote_ranges(stn_reduce_job *job, const stn_remote_range *range, int count,
                                    int64_t step)
{
    ranges all = {range, count, step, 0};
    stn_remote r;
    const stn_status status = run(&r, job, &all);
    stn_describe_release(&r.description);
    return status;
}
