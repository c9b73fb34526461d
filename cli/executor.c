/* Executors of commands. */
#include "executor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exec/device.h"
#include "exec/exec.h"

enum { MAX_RESOURCE = 256 };

/* ---- creation ---- */

static int is_kind(const char *resource, const char *kind)
{
    const size_t length = strlen(kind);
    return strncmp(resource, kind, length) == 0 && (!resource[length] || resource[length] == ':');
}

static int has_threads(const char *resource)
{
    return is_kind(resource, "threads") || is_kind(resource, "openmp");
}

stn_status executor_create(stn_exec **exec, const char *resource, int64_t threads)
{
    char text[MAX_RESOURCE];
    const char *const name = resource ? resource : "threads";
    if (!threads || (threads == 1 && !has_threads(name)))
        return stn_exec_create(exec, name);
    if (!has_threads(name)) {
        STN_TRY(stn_exec_create(exec, name)); /* an unknown name is the first error */
        stn_exec_release(*exec);
        *exec = NULL;
        return stn_fail(STN_ERR_ARGUMENT, "executor '%s' has one thread, not %" PRId64, name,
                        threads);
    }
    if (strstr(name, "threads="))
        return stn_fail(STN_ERR_ARGUMENT,
                        "--threads and executor '%s' both set the number of threads", name);
    const int length = snprintf(text, sizeof text, "%s%cthreads=%" PRId64, name,
                                strchr(name, ':') ? ',' : ':', threads);
    return stn_exec_create(exec, length < (int)sizeof text ? text : name);
}

/* ---- description ---- */

int executor_is_device(const stn_exec *exec)
{
    return stn_exec_device(exec) != NULL;
}

const char *executor_name(const stn_exec *exec)
{
    return executor_is_device(exec) ? exec->device->resource : stn_exec_name(exec);
}

const char *executor_device(const stn_exec *exec)
{
    static char text[sizeof exec->device->name + sizeof exec->device->version + 2];
    if (!executor_is_device(exec))
        return NULL;
    snprintf(text, sizeof text, "%s, %s", exec->device->name, exec->device->version);
    return text;
}

const char *executor_description(const stn_exec *exec)
{
    static char text[MAX_RESOURCE];
    const int threads = stn_exec_threads(exec);
    if (executor_is_device(exec))
        snprintf(text, sizeof text, "%s (%s)", executor_name(exec), executor_device(exec));
    else
        snprintf(text, sizeof text, "%s with %d thread%s", executor_name(exec), threads,
                 threads == 1 ? "" : "s");
    return text;
}

/* ---- limits of devices ---- */

stn_status executor_expect_f64(const stn_exec *exec, const char *what)
{
    if (!executor_is_device(exec) || exec->device->has_f64)
        return STN_OK;
    return stn_fail(STN_ERR_UNSUPPORTED, "%s (%s) has no f64, which is needed for %s",
                    executor_name(exec), exec->device->name, what);
}

stn_status executor_expect_memory(const stn_exec *exec, double bytes, const char *what)
{
    if (!executor_is_device(exec) || bytes <= (double)exec->device->bytes)
        return STN_OK;
    return stn_fail(STN_ERR_MEMORY, "%s needs %.3g GiB of memory, and %s has %.3g GiB", what,
                    bytes * 0x1p-30, executor_name(exec), (double)exec->device->bytes * 0x1p-30);
}
