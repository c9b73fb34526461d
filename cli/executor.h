/* Executors of commands. */
#ifndef STENO_CLI_EXECUTOR_H
#define STENO_CLI_EXECUTOR_H

#include <stdint.h>

#include "core/status.h"
#include "steno/exec.h"

/* Creates the executor of a resource string (NULL: "threads"), with this number of threads (0: the
 * default). STN_ERR_ARGUMENT if the resource string sets it, too, or if the executor has only one
 * thread. */
stn_status executor_create(stn_exec **exec, const char *resource, int64_t threads);

int executor_is_device(const stn_exec *exec);

/* "threads", or the device, such as "opencl:0". */
const char *executor_name(const stn_exec *exec);

/* The name of the device and the version of its driver; NULL on the host. Valid until the next
 * call. */
const char *executor_device(const stn_exec *exec);

/* "threads with 2 threads", or the device with its name and the version of its driver. Valid until
 * the next call. */
const char *executor_description(const stn_exec *exec);

/* STN_ERR_UNSUPPORTED if the executor is a device without f64, which `what` needs. */
stn_status executor_expect_f64(const stn_exec *exec, const char *what);

/* STN_ERR_MEMORY if the executor is a device with less than about `bytes` of memory, which `what`
 * needs. */
stn_status executor_expect_memory(const stn_exec *exec, double bytes, const char *what);

#endif
