/* Resource strings of executors. */
#ifndef STENO_EXEC_RESOURCE_H
#define STENO_EXEC_RESOURCE_H

#include "exec/exec.h"

enum { STN_EXEC_MAX_THREADS = 1024 }; /* of an executor */

/* Finds the kind in its table and lets it open the executor. */
stn_status stn_exec_parse(const char *resource, stn_exec *result);

/* Options of executors with threads, each at most once, separated by commas: threads=N, streams=N
 * and jit. The number of threads is 0 without the first. `options` may be NULL. */
stn_status stn_exec_parse_options(const char *resource, const char *options, stn_exec *result);

stn_status stn_exec_refuse_unknown(const char *resource);

#endif
