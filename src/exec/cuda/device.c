/* Devices: opening, memory and queue. */
#include "exec/cuda/device.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "core/status.h"
#include "exec/cuda/call.h"
#include "exec/cuda/load.h"
#include "exec/dialect.h"

/* ---- opening ---- */

static int count_devices(const stn_device_calls *calls)
{
    const stn_cuda_platform *const platform = calls->platform;
    int count = 0;
    if (stn_cuda_driver_get(platform) != STN_OK || platform->driver->device_count(&count) != 0)
        return 0;
    return count;
}

static stn_status check_number(const stn_device_calls *calls, int number)
{
    const stn_cuda_platform *const platform = calls->platform;
    int count = 0;
    if (platform->driver->device_count(&count) != 0 || number < count)
        return STN_OK;
    return stn_fail(STN_ERR_RANGE, "device %s:%d does not exist; the last device is %s:%d",
                    calls->kind, number, calls->kind, count - 1);
}

/* Queries the properties. */
static int describe(stn_cuda_device *d)
{
    const stn_cuda_driver *const driver = d->driver;
    stn_device *const base = &d->device;
    int concurrent = 1;
    int error = driver->device(&d->id, base->number);
    error = error ? error : driver->device_name(base->name, sizeof base->name, d->id);
    error = error ? error : driver->device_bytes(&base->bytes, d->id);
    error = error ? error : driver->attribute(&base->processors, d->platform->processors, d->id);
    error = error ? error : driver->attribute(&concurrent, d->platform->concurrent, d->id);
    error = error ? error : d->platform->find_architecture(d);
    base->has_f64 = 1;
    base->is_exclusive = !concurrent;
    return error;
}

static int start(stn_cuda_device *d)
{
    const int error = d->driver->context_retain(&d->context, d->id);
    if (error != 0)
        return error;
    int result = stn_cuda_push(d);
    if (result == 0) {
        result = d->driver->stream_make(&d->queue, STN_CUDA_NON_BLOCKING);
        stn_cuda_pop(d);
    }
    if (result != 0)
        (void)d->driver->context_release(d->id);
    return result;
}

/* The device of a context. */
static int find_number(stn_cuda_device *d)
{
    int id = -1, other = -1, count = 0;
    int error = stn_cuda_push(d);
    if (error != 0)
        return error;
    error = d->driver->context_device(&id);
    stn_cuda_pop(d);
    error = error ? error : d->driver->device_count(&count);
    for (int k = 0; k < count && error == 0 && other != id; k++) {
        d->device.number = k;
        error = d->driver->device(&other, k);
    }
    return error;
}

static int start_or_adopt(stn_cuda_device *d)
{
    stn_device *const base = &d->device;
    int error = base->is_adopted ? find_number(d) : 0;
    snprintf(base->resource, sizeof base->resource, "%s:%d", base->calls->kind, base->number);
    error = error ? error : describe(d);
    return error || base->is_adopted ? error : start(d);
}

static stn_status create(const stn_device_calls *calls, const stn_cuda_device *wanted,
                         stn_device **device)
{
    STN_TRY(stn_device_create(calls, wanted->device.number, sizeof *wanted, device));
    stn_cuda_device *const d = stn_cuda_of(*device);
    d->platform = calls->platform;
    d->driver = d->platform->driver;
    d->context = wanted->context;
    d->queue = wanted->queue;
    d->device.is_adopted = wanted->context != NULL;
    const int error = start_or_adopt(d);
    if (error == 0)
        return STN_OK;
    const stn_status status = stn_cuda_refuse(d, "the device cannot be initialized", error);
    stn_device_destroy(*device);
    *device = NULL;
    return status;
}

static stn_status open_device(const stn_device_calls *calls, int number, stn_device **device)
{
    const stn_cuda_device wanted = {.device = {.number = number}};
    STN_TRY(stn_cuda_driver_get(calls->platform));
    STN_TRY(check_number(calls, number));
    return create(calls, &wanted, device);
}

stn_status stn_cuda_adopt(const stn_device_calls *calls, void *context, void *stream,
                          stn_device **device)
{
    const stn_cuda_device wanted = {.context = context, .queue = stream};
    *device = NULL;
    STN_TRY(stn_cuda_driver_get(calls->platform));
    return create(calls, &wanted, device);
}

/* The driver does not work in a forked process: nothing is released. */
static void close_device(stn_device *device)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    if (stn_device_is_current(device)) {
        if (stn_cuda_push(d) == 0) {
            if (!stn_cuda_is_captured(d))
                (void)d->driver->stream_wait(d->queue);
            if (!device->is_adopted)
                (void)d->driver->stream_end(d->queue);
            stn_cuda_pop(d);
        }
        if (!device->is_adopted)
            (void)d->driver->context_release(d->id);
    }
    stn_device_destroy(device);
}

/* ---- memory ---- */

static int take(const stn_cuda_driver *driver, stn_space space, size_t bytes, void **memory)
{
    switch (space) {
    case STN_SPACE_PINNED:
        return driver->pinned_allocate(memory, bytes, STN_CUDA_PORTABLE);
    case STN_SPACE_MANAGED:
        return driver->managed_allocate(memory, bytes, STN_CUDA_ATTACH_GLOBAL);
    default:
        return driver->memory_allocate(memory, bytes);
    }
}

/* More managed memory than the card has can stop the card. */
static int is_beyond(stn_space space, size_t bytes, size_t unused)
{
    return space == STN_SPACE_MANAGED && bytes > unused;
}

static stn_status allocate_memory(stn_device *device, const char *label, stn_space space,
                                  int64_t bytes, void **memory)
{
    size_t unused = 0, total = 0;
    const stn_cuda_driver *const driver = stn_cuda_of(device)->driver;
    STN_TRY(stn_cuda_enter(device));
    int error = space == STN_SPACE_MANAGED ? driver->memory_info(&unused, &total) : 0;
    if (error == 0)
        error = is_beyond(space, (size_t)bytes, unused)
                    ? STN_CUDA_OUT_OF_MEMORY
                    : take(driver, space, (size_t)bytes, memory);
    if (error != STN_CUDA_OUT_OF_MEMORY)
        return stn_cuda_leave(device, "memory cannot be allocated", error);
    error = driver->memory_info(&unused, &total);
    STN_TRY(stn_cuda_leave(device, "memory cannot be allocated", error));
    return stn_fail(STN_ERR_MEMORY,
                    "%s: %s cannot allocate %" PRId64
                    " bytes of %s memory: %zu of %zu bytes are free",
                    label, device->resource, bytes, stn_space_name(space), unused, total);
}

static void free_memory(stn_device *device, stn_space space, void *memory)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    if (stn_cuda_enter(device) != STN_OK)
        return;
    if (!stn_cuda_is_captured(d))
        (void)d->driver->stream_wait(d->queue);
    const int error = space == STN_SPACE_PINNED ? d->driver->pinned_release(memory)
                                                : d->driver->memory_release(memory);
    (void)stn_cuda_leave(device, "memory cannot be released", error);
}

static stn_status expect_memory(stn_device *device, const char *call, const char *description,
                                const void *memory)
{
    int kind = 0, number = -1;
    STN_TRY(stn_cuda_enter(device));
    int error = stn_cuda_of(device)->driver->pointer(&kind, STN_CUDA_POINTER_KIND, memory);
    if (error == 0)
        error = stn_cuda_of(device)->driver->pointer(&number, STN_CUDA_POINTER_DEVICE, memory);
    const int is_unknown = error == STN_CUDA_INVALID;
    STN_TRY(stn_cuda_leave(device, "the memory of a pointer cannot be queried",
                           is_unknown ? 0 : error));
    if (is_unknown || kind != STN_CUDA_KIND_DEVICE)
        return stn_fail(
            STN_ERR_UNSUPPORTED, "%s: %s is at %p, which is not in the memory of a %s device", call,
            description, (void *)(uintptr_t)memory, stn_cuda_of(device)->platform->name);
    return number == device->number
               ? STN_OK
               : stn_fail(STN_ERR_UNSUPPORTED,
                          "%s: %s is in the memory of %s:%d, which %s cannot access", call,
                          description, device->calls->kind, number, device->resource);
}

/* Kernels receive addresses. */
static stn_status locate(stn_device *device, const void *memory, void **handle, int64_t *offset)
{
    (void)device;
    *handle = (void *)(uintptr_t)memory;
    *offset = 0;
    return STN_OK;
}

static stn_status fill_memory(stn_device *device, void *memory, unsigned char value, size_t bytes)
{
    STN_TRY(stn_cuda_enter(device));
    const int error =
        stn_cuda_of(device)->driver->fill(memory, value, bytes, stn_cuda_of(device)->queue);
    return stn_cuda_leave(device, "memory cannot be filled", error);
}

static stn_status copy_run(stn_device *device, void *to, const void *from, size_t bytes)
{
    STN_TRY(stn_cuda_enter(device));
    const int error =
        stn_cuda_of(device)->driver->copy(to, from, bytes, stn_cuda_of(device)->queue);
    return stn_cuda_leave(device, "memory cannot be copied", error);
}

static stn_status copy_box(stn_device *device, const stn_device_box *box)
{
    const stn_cuda_copy copy = {.from_kind = STN_CUDA_KIND_UNIFIED,
                                .from = box->from,
                                .from_pitch = box->from_pitch,
                                .from_height = box->from_height,
                                .to_kind = STN_CUDA_KIND_UNIFIED,
                                .to = box->to,
                                .to_pitch = box->to_pitch,
                                .to_height = box->to_height,
                                .width = box->width,
                                .height = box->height,
                                .depth = box->depth};
    STN_TRY(stn_cuda_enter(device));
    const int error = stn_cuda_of(device)->driver->copy_boxes(&copy, stn_cuda_of(device)->queue);
    return stn_cuda_leave(device, "memory cannot be copied", error);
}

static stn_status refuse_captured(const stn_device *device)
{
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "%s: its stream is being captured into a graph; operations that wait for the "
                    "device or need workspace are possible only after the capture",
                    device->resource);
}

static stn_status expect_uncaptured(stn_device *device)
{
    if (!device->is_adopted)
        return STN_OK;
    STN_TRY(stn_cuda_enter(device));
    const int is_captured = stn_cuda_is_captured(stn_cuda_of(device));
    STN_TRY(stn_cuda_leave(device, "", 0));
    return is_captured ? refuse_captured(device) : STN_OK;
}

static stn_status wait_for_all(stn_device *device)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    STN_TRY(stn_cuda_enter(device));
    const int is_captured = stn_cuda_is_captured(d);
    const int error = is_captured ? 0 : d->driver->stream_wait(d->queue);
    STN_TRY(stn_cuda_leave(device, "queued work failed", error));
    return is_captured ? refuse_captured(device) : STN_OK;
}

/* Captured work does not run. */
static stn_status query_idle(stn_device *device, int *is_idle)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    STN_TRY(stn_cuda_enter(device));
    const int error = stn_cuda_is_captured(d) ? 0 : d->driver->stream_query(d->queue);
    *is_idle = error != STN_CUDA_NOT_READY;
    return stn_cuda_leave(device, "the state of its stream cannot be queried",
                          *is_idle ? error : 0);
}

#define CALLS(kind_, dialect_, platform_)                                                          \
    {                                                                                              \
        .kind = kind_, .dialect = dialect_, .platform = platform_, .frees_at_once = 1,             \
        .count = count_devices, .open = open_device, .close = close_device,                        \
        .allocate = allocate_memory, .free = free_memory, .expect = expect_memory,                 \
        .fill = fill_memory, .copy = copy_run, .copy_box = copy_box,                               \
        .expect_uncaptured = expect_uncaptured, .wait = wait_for_all, .query_idle = query_idle,    \
        .compile = stn_cuda_compile, .load = stn_cuda_load, .identify = stn_cuda_identify,         \
        .unload = stn_cuda_unload, .function = stn_cuda_function, .locate = locate,                \
        .launch = stn_cuda_launch                                                                  \
    }

const stn_device_calls stn_cuda_calls = CALLS("cuda", STN_CUDA_DIALECT, &stn_cuda_platform_nvidia);
const stn_device_calls stn_hip_calls = CALLS("hip", STN_HIP_DIALECT, &stn_cuda_platform_amd);
