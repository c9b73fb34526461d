/* Zeroing new memory. On NUMA machines, pages are allocated in the memory of the processor that
 * writes them first. */
#include "view/initialize.h"

#include <string.h>

#include "core/event.h"
#include "core/status.h"
#include "exec/device.h"
#include "format/registry.h"
#include "steno/detail/tile.h"

enum { MAX_SERIAL_BYTES = 64 << 10 }; /* bytes */

typedef struct zeroing {
    char *data;
    int64_t bytes, tile_bytes;
} zeroing;

static void zero_share(void *context, int part, int parts)
{
    const zeroing *job = context;
    const int64_t tiles = job->bytes / job->tile_bytes + (job->bytes % job->tile_bytes != 0);
    int64_t begin, end;
    stn_share(tiles, part, parts, &begin, &end);
    begin *= job->tile_bytes;
    end = end == tiles ? job->bytes : end * job->tile_bytes;
    if (begin < end)
        memset(job->data + begin, 0, (size_t)(end - begin));
}

static stn_status zero_on(stn_device *device, void *data, int64_t bytes)
{
    STN_TRY(stn_device_expect_uncaptured(device));
    STN_TRY(stn_device_fill(device, data, 0, (size_t)bytes));
    return stn_device_wait(device);
}

static stn_status zero(const stn_exec *exec, const stn_view *view, void *data, int64_t bytes)
{
    if (bytes == 0)
        return STN_OK;
    if (view->space != STN_SPACE_HOST)
        return zero_on(exec->device, data, bytes);
    if (!exec || bytes <= MAX_SERIAL_BYTES) {
        memset(data, 0, (size_t)bytes);
        return STN_OK;
    }
    const int64_t each = stn_format_entry_of(view->storage.format)->info.bytes;
    zeroing job = {data, bytes,
                   each <= INT64_MAX / STN_TILE_ELEMENTS ? each * STN_TILE_ELEMENTS : INT64_MAX};
    stn_exec_run(exec, zero_share, &job);
    return STN_OK;
}

stn_status stn_initialize(const stn_exec *exec, const stn_view *view, void *data, int64_t bytes)
{
    static const char name[] = "initialise";
    if (!stn_event_is_traced())
        return zero(exec, view, data, bytes);
    const stn_event_data what = {.label = view->label,
                                 .space = stn_space_name((stn_space)view->space),
                                 .data = data,
                                 .bytes = (uint64_t)bytes};
    const uint64_t id = stn_event_kernel_begins(name, what);
    const stn_status status = zero(exec, view, data, bytes);
    stn_event_kernel_ends(name, what, id);
    return status;
}
