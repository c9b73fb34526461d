/* Scans on devices: values of tiles, then of aligned blocks of two, four, ... tiles, from which
 * each tile computes its carry. */
#include "core/status.h"
#include "reduce/remote.h"

static stn_status add_views(stn_remote *r, const stn_remote_scan *scan)
{
    const stn_reduce_job *const job = r->job;
    int64_t stride[STN_MAX_RANK];
    int own[STN_MAX_RANK];
    const int rank = job->launch.rank, kept = r->text.kept;
    for (int d = 0; d < rank; d++) {
        stride[d] = d < kept ? job->result_stride[d] : scan->step;
        own[d] = r->from[d];
    }
    STN_TRY(stn_remote_add_result(r, &r->result, &job->writer, rank, stride, own, &r->text.result));
    if (!scan->totals)
        return STN_OK;
    for (int d = 0; d < kept; d++)
        own[d] = r->from[d] - (r->from[d] > scan->dimension);
    return stn_remote_add_result(r, &r->totals, scan->totals, kept, scan->total_stride, own,
                                 &r->text.totals);
}

/* Values of tiles, and of blocks if a line has several tiles. */
static stn_status queue_blocks(stn_remote *r)
{
    const int64_t lines = r->job->outputs;
    STN_TRY(stn_remote_queue(r, STN_TASK_STATES, lines * r->tiles, 0));
    for (int64_t block = 1; 2 * block <= r->tiles; block *= 2) {
        stn_remote_set(r, STN_RANGE_BLOCK, block);
        STN_TRY(stn_remote_queue(r, STN_TASK_PAIRS, lines * (r->tiles / (2 * block)), 0));
    }
    return STN_OK;
}

static stn_status queue_all(stn_remote *r, int has_totals)
{
    if (r->tiles > 1 || (r->tiles > 0 && has_totals))
        STN_TRY(queue_blocks(r));
    if (r->tiles > 0)
        STN_TRY(stn_remote_queue(r, STN_TASK_SCAN, r->job->outputs * r->tiles, 0));
    return has_totals ? stn_remote_queue(r, STN_TASK_TOTALS, r->job->outputs, 0) : STN_OK;
}

static stn_status calculate(stn_remote *r, int has_totals)
{
    const stn_monoid *const monoid = &r->job->monoid;
    stn_device_scratch *memory = NULL;
    int64_t identity = 0;
    monoid->identity(&identity);
    stn_remote_set_range(r);
    stn_remote_set(r, STN_RANGE_IDENTITY, identity);
    if (r->tiles > 0)
        STN_TRY(stn_remote_acquire_memory(r, r->job->outputs * r->tiles * monoid->state_bytes,
                                          &memory));
    const stn_status status = queue_all(r, has_totals);
    stn_device_return_scratch(r->device, memory);
    return status;
}

static stn_status run(stn_remote *r, stn_reduce_job *job, const stn_remote_scan *scan)
{
    job->direction = STN_SCANNED;
    STN_TRY(stn_remote_begin(r, job));
    r->text.stores = 1;
    r->text.is_exclusive = scan->exclusive;
    r->text.has_totals = scan->totals != NULL;
    STN_TRY(add_views(r, scan));
    STN_TRY(stn_remote_find(r));
    job->begin = 0;
    job->count = job->elements;
    return calculate(r, scan->totals != NULL);
}

stn_status stn_scan_remote(stn_reduce_job *job, const stn_remote_scan *scan)
{
    stn_remote r;
    stn_status status = run(&r, job, scan);
    if (status == STN_OK)
        status = stn_describe_encode(&r.description);
    if (status == STN_OK)
        status = stn_describe_declared(&r.description, NULL);
    stn_describe_release(&r.description);
    return status;
}
