/* See resource.h. */
#include "exec/resource.h"

#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "core/tune.h"
#include "exec/device.h"
#include "exec/host/host.h"

enum { MAX_DEVICES = 1024 };

/* ---- options of host executors ---- */

/* The value of "WORD=N", up to a comma; 0 for another option, -1 if it is not from 1 to `maximum`.
 */
static int parse_option(const char *option, const char *word, int maximum)
{
    const size_t length = strlen(word);
    if (strncmp(option, word, length) != 0)
        return 0;
    const char *digits = option + length;
    char *end;
    const long number = strtol(digits, &end, 10);
    const int good = *digits >= '0' && *digits <= '9' && (*end == '\0' || *end == ',') &&
                     number >= 1 && number <= maximum;
    return good ? (int)number : -1;
}

stn_status stn_exec_parse_options(const char *resource, const char *options, stn_exec *result)
{
    int compiles = 0, streams = 0, good = 1;
    stn_tune tune;
    STN_TRY(stn_tune_get(&tune));
    result->threads = 0;
    while (options && good) {
        const size_t length = strcspn(options, ",");
        const int threads = parse_option(options, "threads=", STN_EXEC_MAX_THREADS);
        const int walks = parse_option(options, "streams=", STN_MAX_STREAMS);
        if (length == strlen("jit") && strncmp(options, "jit", length) == 0)
            good = ++compiles == 1;
        else
            good = (threads > 0 && result->threads == 0) || (walks > 0 && streams == 0);
        result->threads = threads > 0 ? threads : result->threads;
        streams = walks > 0 ? walks : streams;
        options = options[length] ? options + length + 1 : NULL;
    }
    if (!good)
        return stn_fail(
            STN_ERR_ARGUMENT,
            "executor '%s': the valid options are threads=N (1 to %d), streams=N (1 to %d) and jit",
            resource, STN_EXEC_MAX_THREADS, STN_MAX_STREAMS);
    result->streams = streams ? streams : tune.streams;
    return compiles ? stn_host_open(&result->compiler) : STN_OK;
}

/* ---- devices ---- */

static const char inexact_option[] = ":inexact=allow";

/* The number after a kind and a colon, or -1; without a number, the first device. */
static int parse_number(const char *digits, int *allows)
{
    char *end;
    const long number = strtol(digits, &end, 10);
    *allows = strcmp(end, inexact_option) == 0;
    const int good = *digits >= '0' && *digits <= '9' && (*end == '\0' || *allows);
    return good && number < MAX_DEVICES ? (int)number : -1;
}

/* Devices that round differently require an explicit option. */
static stn_status refuse_inexact(stn_device *device)
{
    const stn_status status = stn_fail(
        STN_ERR_UNSUPPORTED, "%s (%s) does not compute f32 exactly: it %s; '%s%s' accepts this",
        device->resource, device->name, device->inexact, device->resource, inexact_option);
    stn_device_release(device);
    return status;
}

static stn_status parse_device(const char *resource, const char *kind, const char *colon,
                               stn_exec *result)
{
    int allows = 0;
    const int number = colon ? parse_number(colon + 1, &allows) : 0;
    result->calls = &stn_device_exec_calls;
    if (number < 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "executor '%s': a device is %s:N, with N from 0 to %d; %s:N%s accepts a "
                        "device that rounds differently",
                        resource, kind, MAX_DEVICES - 1, kind, inexact_option);
    STN_TRY(stn_device_open(kind, number, &result->device));
    return result->device->inexact && !allows ? refuse_inexact(result->device) : STN_OK;
}

/* ---- kinds ---- */

stn_status stn_exec_refuse_unknown(const char *resource)
{
    return stn_fail(STN_ERR_ARGUMENT,
                    "unknown executor '%s' (known: reference, threads, openmp, cuda, hip, opencl)",
                    resource);
}

static const stn_exec_calls *const hosts[] = {&stn_reference_calls, &stn_threads_calls,
                                              &stn_openmp_calls};

/* Is it the text before the colon? */
static int is_kind(const char *kind, const char *resource, const char *colon)
{
    const size_t length = colon ? (size_t)(colon - resource) : strlen(resource);
    return length == strlen(kind) && strncmp(resource, kind, length) == 0;
}

stn_status stn_exec_parse(const char *resource, stn_exec *result)
{
    const char *const colon = strchr(resource, ':');
    for (size_t k = 0; k < sizeof hosts / sizeof *hosts; k++)
        if (is_kind(hosts[k]->kind, resource, colon)) {
            result->calls = hosts[k];
            result->has_loops = hosts[k]->has_loops;
            return hosts[k]->open(resource, colon ? colon + 1 : NULL, result);
        }
    for (int k = 0; stn_device_kind(k); k++)
        if (is_kind(stn_device_kind(k), resource, colon))
            return parse_device(resource, stn_device_kind(k), colon, result);
    return stn_exec_refuse_unknown(resource);
}
