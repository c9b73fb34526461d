/* Partial results on devices: all blocks and edges are queued, and read at once. */
#include "core/memory.h"
#include "core/status.h"
#include "reduce/remote.h"
#include "order/tree.h"

typedef struct ranges {
    const stn_remote_range *range;
    int count;
    int64_t step;  /* bytes between outputs */
    int64_t bytes; /* total bytes of states and elements */
} ranges;

/* Offset in bytes of the states of a range. */
typedef struct range_offset {
    const stn_remote_range *range;
    int64_t begin, end, blocks;
} range_offset;

/* Places a range after the previous one, aligned to its elements, and sets its constants. */
static range_offset assign_offset(stn_remote *r, const stn_remote_range *range, int64_t end)
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
    return (range_offset){range, first * each, (first + count) * each, r->blocks};
}

static int64_t count_bytes(stn_remote *r, const ranges *ranges_job)
{
    int64_t end = 0;
    for (int k = 0; k < ranges_job->count; k++)
        end = assign_offset(r, &ranges_job->range[k], end).end;
    return end;
}

static stn_status queue_range(stn_remote *r, const range_offset *at)
{
    return at->range->scale == 0.0
               ? stn_remote_queue(r, STN_TASK_MAP, r->job->outputs * at->range->count, 0)
               : stn_remote_queue_blocks(r, STN_TASK_STATES, at->range->scale);
}

static stn_status queue_and_read(stn_remote *r, const ranges *ranges_job, const void *memory,
                                 char *host)
{
    range_offset at = {.end = 0};
    for (int k = 0; k < ranges_job->count; k++) {
        at = assign_offset(r, &ranges_job->range[k], at.end);
        STN_TRY(queue_range(r, &at));
    }
    STN_TRY(stn_device_copy(r->device, host, memory, (size_t)ranges_job->bytes));
    return stn_device_wait(r->device);
}

static void copy_states(const stn_reduce_job *job, const range_offset *at, char *states,
                        int64_t step)
{
    const int64_t bytes = job->monoid.state_bytes;
    stn_fold_leaves(job->monoid.combine, bytes, states, job->outputs, at->blocks);
    for (int64_t output = 0; output < job->outputs; output++)
        memcpy((char *)at->range->to + output * step, states + output * bytes, (size_t)bytes);
}

static void copy_elements(const stn_reduce_job *job, const range_offset *at, const char *elements,
                          int64_t step)
{
    const int64_t bytes = job->monoid.mapped_bytes, count = at->range->count;
    for (int64_t output = 0; output < job->outputs; output++)
        for (int64_t k = 0; k < count; k++)
            memcpy((char *)at->range->to + output * step + k * STN_MAPPED_BYTES,
                   elements + (output * count + k) * bytes, (size_t)bytes);
}

static void copy_results(stn_remote *r, const ranges *ranges_job, char *host)
{
    range_offset at = {.end = 0};
    for (int k = 0; k < ranges_job->count; k++) {
        at = assign_offset(r, &ranges_job->range[k], at.end);
        if (at.range->scale == 0.0)
            copy_elements(r->job, &at, host + at.begin, ranges_job->step);
        else
            copy_states(r->job, &at, host + at.begin, ranges_job->step);
    }
}

static stn_status calculate(stn_remote *r, const ranges *ranges_job)
{
    char *host;
    stn_device_scratch *memory;
    STN_TRY(stn_allocate(&host, ranges_job->bytes, 1, r->job->launch.kernel->name));
    stn_status status = stn_remote_acquire_memory(r, ranges_job->bytes, &memory);
    if (status == STN_OK) {
        status = queue_and_read(r, ranges_job, memory->memory, host);
        stn_device_return_scratch(r->device, memory);
    }
    if (status == STN_OK)
        copy_results(r, ranges_job, host);
    stn_free(host);
    return status;
}

static stn_status run(stn_remote *r, stn_reduce_job *job, ranges *ranges_job)
{
    STN_TRY(stn_remote_begin(r, job));
    for (int k = 0; k < ranges_job->count; k++)
        r->text.maps |= ranges_job->range[k].scale == 0.0;
    STN_TRY(stn_remote_find(r));
    ranges_job->bytes = count_bytes(r, ranges_job);
    return ranges_job->count > 0 ? calculate(r, ranges_job) : STN_OK;
}

stn_status stn_reduce_remote_ranges(stn_reduce_job *job, const stn_remote_range *range, int count,
                                    int64_t step)
{
    ranges ranges_job = {range, count, step, 0};
    stn_remote r;
    const stn_status status = run(&r, job, &ranges_job);
    stn_describe_release(&r.description);
    return status;
}
