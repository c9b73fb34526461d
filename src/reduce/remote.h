/* Reductions on devices. */
#ifndef STENO_REDUCE_REMOTE_H
#define STENO_REDUCE_REMOTE_H

#include "reduce/job.h"

/* The planned reduction by the executor's device. A result in host memory, and a value, is there
 * when this returns; one in the device's memory is queued. STN_ERR_UNSUPPORTED for what no device
 * does, STN_ERR_DEVICE, STN_ERR_MEMORY. */
stn_status stn_reduce_remote(stn_reduce_job *job);

#endif
