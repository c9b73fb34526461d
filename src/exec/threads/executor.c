/* Executors that use the threads of the library's own pool. */
#include "core/status.h"
#include "exec/processors.h"
#include "exec/resource.h"
#include "exec/threads/pool.h"

static stn_status open_threads(const char *resource, const char *options, stn_exec *exec)
{
    STN_TRY(stn_exec_parse_options(resource, options, exec));
    if (!exec->threads)
        STN_TRY(stn_processors_default(resource, &exec->threads));
    stn_pool_reserve(exec->threads - 1);
    return STN_OK;
}

static void close_threads(const stn_exec *exec)
{
    stn_pool_reserve(1 - exec->threads);
}

const stn_exec_calls stn_threads_calls = {.kind = "threads",
                                          .has_loops = 1,
                                          .open = open_threads,
                                          .close = close_threads,
                                          .launch = stn_pool_launch,
                                          .launch_together = stn_pool_launch_together};
