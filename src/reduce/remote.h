/* Reductions and scans on devices. */
#ifndef STENO_REDUCE_REMOTE_H
#define STENO_REDUCE_REMOTE_H

#include "expr/source_reduce.h"
#include "map/describe.h"
#include "reduce/job.h"

/* Runs a planned reduction on the executor's device. Results in host memory, and values, are
 * complete on return; results in device memory are queued. STN_ERR_UNSUPPORTED for features that
 * devices lack, STN_ERR_DEVICE, STN_ERR_MEMORY. */
stn_status stn_reduce_remote(stn_reduce_job *job);

/* A range of elements of each output, as states folded with a norm's scale, or, if it is 0, as
 * mapped elements, at a distance of STN_MAPPED_BYTES. */
typedef struct stn_remote_range {
    int64_t begin, count;
    double scale;
    void *to; /* destination of the first output */
} stn_remote_range;

/* Computes `count` ranges of all outputs, whose destinations are `step` bytes apart. */
stn_status stn_reduce_remote_ranges(stn_reduce_job *job, const stn_remote_range *range, int count,
                                    int64_t step);

/* A planned scan: results along a line have a stride of `step` positions; totals NULL: not
 * stored. */
typedef struct stn_remote_scan {
    int exclusive, dimension;
    int64_t step;
    const stn_reader *totals;
    const int64_t *total_stride; /* per kept axis */
} stn_remote_scan;
stn_status stn_scan_remote(stn_reduce_job *job, const stn_remote_scan *scan);

/* ---- internal parts ---- */

typedef struct stn_remote {
    stn_reduce_job *job;
    stn_device *device;
    stn_description description;
    stn_source_reduction text;    /* all its bytes are part of a key */
    int from[STN_MAX_RANK];       /* original dimension of each dimension */
    stn_slot result, totals;      /* if these are accessible to the device */
    int64_t tiles, block, blocks; /* per output */
    int states_at;                /* index of the argument with the memory of states */
    stn_device_function function;
} stn_remote;

/* Begins the description: the space, the parameters and the memory of states. */
stn_status stn_remote_begin(stn_remote *r, stn_reduce_job *job);

/* Adds a view for results along the first `rank` dimensions, with strides in positions; `own`
 * are its dimensions. */
stn_status stn_remote_add_result(stn_remote *r, stn_slot *slot, const stn_reader *writer, int rank,
                                 const int64_t *stride, const int *own, stn_source_stored *stored);

/* Ends the description, and finds the kernel. */
stn_status stn_remote_find(stn_remote *r);

/* Sets the constants of the job's range, in blocks. */
void stn_remote_set_range(stn_remote *r);
static inline void stn_remote_set(stn_remote *r, stn_source_range which, int64_t number)
{
    r->description.numbers[r->text.number + (int)which] = number;
}

/* Queues the kernel with a suitable number of threads or groups. */
stn_status stn_remote_queue(stn_remote *r, stn_source_task task, int64_t threads, int64_t groups);

/* Computes the states of the blocks of a range with a norm's scale. */
stn_status stn_remote_queue_blocks(stn_remote *r, stn_source_task task, double scale);

/* Memory for states and elements, which must be released. */
stn_status stn_remote_acquire_memory(stn_remote *r, int64_t bytes, stn_device_scratch **memory);

#endif
