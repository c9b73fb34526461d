/* Reductions and scans on devices. */
#ifndef STENO_REDUCE_REMOTE_H
#define STENO_REDUCE_REMOTE_H

#include "expr/source_reduce.h"
#include "map/describe.h"
#include "reduce/job.h"

/* The planned reduction by the executor's device. A result in host memory, and a value, is there
 * when this returns; one in the device's memory is queued. STN_ERR_UNSUPPORTED for what no device
 * does, STN_ERR_DEVICE, STN_ERR_MEMORY. */
stn_status stn_reduce_remote(stn_reduce_job *job);

/* Elements of each output, as states that are folded under a norm's scale, or, where that is 0, as
 * they are mapped: each at STN_MAPPED_BYTES from the last. */
typedef struct stn_remote_range {
    int64_t begin, count;
    double scale;
    void *to; /* of the first output */
} stn_remote_range;

/* The same outputs' `count` ranges, `step` bytes from one output to the next. */
stn_status stn_reduce_remote_ranges(stn_reduce_job *job, const stn_remote_range *range, int count,
                                    int64_t step);

/* A planned scan: along a line its results go on by `step` positions; totals NULL: none are stored.
 */
typedef struct stn_remote_scan {
    int exclusive, dimension;
    int64_t step;
    const stn_reader *totals;
    const int64_t *total_stride; /* per kept axis */
} stn_remote_scan;
stn_status stn_scan_remote(stn_reduce_job *job, const stn_remote_scan *scan);

/* ---- parts of it ---- */

typedef struct stn_remote {
    stn_reduce_job *job;
    stn_device *device;
    stn_description description;
    stn_source_reduction text;    /* all its bytes are part of a key */
    int from[STN_MAX_RANK];       /* of each dimension, which one of the space it was */
    stn_slot result, totals;      /* where these are in the device's reach */
    int64_t tiles, block, blocks; /* of an output */
    int states_at;                /* the argument that is memory of states */
    stn_device_function function;
} stn_remote;

/* Begin the description: the space, the parameters and the memory of states. */
stn_status stn_remote_begin(stn_remote *r, stn_reduce_job *job);

/* Add a view for results along the first `rank` dimensions, by strides in positions; `own`: its
 * dimensions. */
stn_status stn_remote_add_result(stn_remote *r, stn_slot *slot, const stn_reader *writer, int rank,
                                 const int64_t *stride, const int *own, stn_source_stored *stored);

/* End the description, and find the kernel. */
stn_status stn_remote_find(stn_remote *r);

/* The numbers of a range, which the job has, in blocks. */
void stn_remote_set_range(stn_remote *r);
static inline void stn_remote_set(stn_remote *r, stn_source_range which, int64_t number)
{
    r->description.numbers[r->text.number + (int)which] = number;
}

/* By as many threads, or groups of them, as there is work for. */
stn_status stn_remote_queue(stn_remote *r, stn_source_task task, int64_t threads, int64_t groups);

/* The states of the blocks of a range, under a norm's scale. */
stn_status stn_remote_queue_blocks(stn_remote *r, stn_source_task task, double scale);

/* Memory for states and elements, to be given back. */
stn_status stn_remote_take_memory(stn_remote *r, int64_t bytes, stn_device_scratch **memory);

#endif
