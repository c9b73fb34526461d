/* OpenCL devices: found among the platforms, opened and closed. */
#include "exec/opencl/device.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/dialect.h"

enum { MAX_DEVICES = 64 };

/* ---- finding ---- */

/* The devices of all platforms in order. */
static int list_devices(const stn_opencl *cl, void **devices)
{
    void *platforms[MAX_DEVICES];
    uint32_t platform_count = 0, count = 0;
    if (cl->platforms(MAX_DEVICES, platforms, &platform_count) != 0)
        return 0;
    for (uint32_t k = 0; k < platform_count && k < MAX_DEVICES && count < MAX_DEVICES; k++) {
        const uint32_t capacity = MAX_DEVICES - count;
        uint32_t found = 0;
        if (cl->devices(platforms[k], STN_CL_ALL_KINDS, capacity, devices + count, &found) == 0)
            count += found < capacity ? found : capacity;
    }
    return (int)count;
}

static int count_devices(const stn_device_calls *calls)
{
    (void)calls;
    const stn_opencl *cl;
    void *devices[MAX_DEVICES];
    if (stn_opencl_get(&cl) != STN_OK)
        return 0;
    const int count = list_devices(cl, devices);
    if (count == 0)
        (void)stn_fail(STN_ERR_DEVICE, "the OpenCL loader found no device");
    return count;
}

static stn_status find_device(const stn_opencl *cl, int number, void **id)
{
    void *devices[MAX_DEVICES];
    const int count = list_devices(cl, devices);
    if (count == 0)
        return stn_fail(STN_ERR_DEVICE, "the OpenCL loader found no device");
    if (number >= count)
        return stn_fail(STN_ERR_RANGE,
                        "device opencl:%d does not exist; the last device is opencl:%d", number,
                        count - 1);
    *id = devices[number];
    return STN_OK;
}

/* ---- opening ---- */

/* Queries a property; long texts are truncated. */
static int32_t query(const stn_opencl_device *d, uint32_t what, void *value, size_t bytes)
{
    char text[1024];
    size_t found = 0;
    memset(value, 0, bytes);
    const int32_t error = d->cl->device_info(d->id, what, sizeof text, text, &found);
    if (error == 0)
        memcpy(value, text, found < bytes ? found : bytes);
    return error;
}

/* Returns the first error. */
static int32_t describe(stn_opencl_device *d)
{
    const uint64_t exact = STN_CL_SUBNORMALS | STN_CL_INFINITIES | STN_CL_NEAREST | STN_CL_DIVIDES;
    stn_device *const base = &d->device;
    uint64_t rules = 0, wide_rules = 0, bytes = 0, maximum = 0;
    uint32_t processors = 0;
    const struct {
        uint32_t what;
        void *value;
        size_t bytes;
    } questions[] = {{STN_CL_NAME, base->name, sizeof base->name - 1},
                     {STN_CL_VERSION, base->version, sizeof base->version - 1},
                     {STN_CL_PROCESSORS, &processors, sizeof processors},
                     {STN_CL_BYTES, &bytes, sizeof bytes},
                     {STN_CL_MAX_BYTES, &maximum, sizeof maximum},
                     {STN_CL_GROUP, &d->group, sizeof d->group},
                     {STN_CL_F32_RULES, &rules, sizeof rules},
                     {STN_CL_F64_RULES, &wide_rules, sizeof wide_rules}};
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++) {
        const int32_t error = query(d, questions[k].what, questions[k].value, questions[k].bytes);
        if (error != 0)
            return error;
    }
    base->processors = (int)processors;
    base->bytes = (size_t)bytes;
    d->max_bytes = (size_t)maximum;
    base->has_f64 = wide_rules != 0;
    d->divides = (rules & STN_CL_DIVIDES) != 0;
    if ((rules & exact) != exact)
        base->inexact = rules & STN_CL_SUBNORMALS ? "does not round divisions correctly"
                                                  : "does not support subnormal numbers";
    return 0;
}

static stn_status start(stn_opencl_device *d)
{
    int32_t error = describe(d);
    if (error != 0)
        return stn_opencl_refuse(&d->device, "its properties cannot be queried", error);
    d->context = d->cl->context_make(NULL, 1, &d->id, NULL, NULL, &error);
    if (d->context)
        d->queue = d->cl->queue_make(d->context, d->id, 0, &error);
    return d->queue ? STN_OK
                    : stn_opencl_refuse(&d->device, "the device cannot be initialized", error);
}

static void abandon(stn_opencl_device *d)
{
    if (stn_device_is_current(&d->device)) {
        if (d->queue)
            (void)d->cl->queue_release(d->queue);
        if (d->context)
            (void)d->cl->context_release(d->context);
    }
    stn_free(d->ranges);
    (void)pthread_mutex_destroy(&d->lock);
    stn_device_destroy(&d->device);
}

/* Executors of one device share its context, which owns the buffers, and its queue. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static stn_opencl_device *opened;

/* Shares an open device, unless its last user is closing it. */
static stn_opencl_device *share_opened(int number)
{
    for (stn_opencl_device *d = opened; d; d = d->next) {
        int users = atomic_load(&d->device.users);
        if (d->device.number != number || !stn_device_is_current(&d->device))
            continue;
        while (users > 0 && !atomic_compare_exchange_weak(&d->device.users, &users, users + 1))
            continue;
        if (users > 0)
            return d;
    }
    return NULL;
}

static stn_status open_new(const stn_opencl *cl, void *id, int number, stn_device **device)
{
    STN_TRY(stn_device_create(&stn_opencl_calls, number, sizeof(stn_opencl_device), device));
    stn_opencl_device *const d = stn_opencl_of(*device);
    d->cl = cl;
    d->id = id;
    (void)pthread_mutex_init(&d->lock, NULL);
    const stn_status status = start(d);
    if (status != STN_OK) {
        abandon(d);
        *device = NULL;
        return status;
    }
    d->next = opened;
    opened = d;
    return STN_OK;
}

static stn_status open_device(const stn_device_calls *calls, int number, stn_device **device)
{
    (void)calls;
    const stn_opencl *cl;
    void *id;
    STN_TRY(stn_opencl_get(&cl));
    STN_TRY(find_device(cl, number, &id));
    (void)pthread_mutex_lock(&opening);
    stn_opencl_device *const d = share_opened(number);
    *device = d ? &d->device : NULL;
    const stn_status status = d ? STN_OK : open_new(cl, id, number, device);
    (void)pthread_mutex_unlock(&opening);
    return status;
}

static void leave_opened(stn_opencl_device *d)
{
    (void)pthread_mutex_lock(&opening);
    stn_opencl_device **link = &opened;
    while (*link != d)
        link = &(*link)->next;
    *link = d->next;
    (void)pthread_mutex_unlock(&opening);
}

/* In a forked process nothing is open any more (stn_opencl_get), and locks of other threads remain
 * locked. */
static void close_device(stn_device *device)
{
    stn_opencl_device *const d = stn_opencl_of(device);
    if (stn_device_is_current(device)) {
        leave_opened(d);
        (void)d->cl->queue_wait(d->queue);
    }
    abandon(d);
}

/* ---- the queue ---- */

stn_status stn_opencl_refuse(stn_device *device, const char *what, int32_t error)
{
    const int is_memory =
        error == STN_CL_NO_MEMORY || error == STN_CL_NO_RESOURCES || error == STN_CL_NO_HOST_MEMORY;
    return stn_fail(is_memory ? STN_ERR_MEMORY : STN_ERR_DEVICE, "%s: %s: OpenCL error %d%s",
                    device->resource, what, (int)error, is_memory ? " (out of memory)" : "");
}

/* Queued work is lost, and it is unknown which. */
static stn_status refuse_failed(stn_device *device, const char *what, int32_t error)
{
    const char *const kernel = atomic_load_explicit(&device->newest, memory_order_relaxed);
    atomic_store_explicit(&device->failed, 1, memory_order_release);
    return stn_fail(STN_ERR_DEVICE,
                    "%s: %s: OpenCL error %d; the most recently launched kernel is %s. The device "
                    "can be used again after all of its executors and views are released",
                    device->resource, what, (int)error, kernel ? kernel : "none");
}

/* After an error, no queued work accesses memory that the caller releases. */
stn_status stn_opencl_send(stn_device *device, const char *what, int32_t error)
{
    const stn_opencl_device *const d = stn_opencl_of(device);
    error = error ? error : d->cl->queue_send(d->queue);
    if (error == 0)
        return STN_OK;
    return d->cl->queue_wait(d->queue) == 0 ? stn_opencl_refuse(device, what, error)
                                            : refuse_failed(device, what, error);
}

static stn_status wait_for_all(stn_device *device)
{
    const stn_opencl_device *const d = stn_opencl_of(device);
    STN_TRY(stn_device_check(device));
    const int32_t error = d->cl->queue_wait(d->queue);
    return error ? refuse_failed(device, "queued work failed", error) : STN_OK;
}

const stn_device_calls stn_opencl_calls = {.kind = "opencl",
                                           .dialect = STN_OPENCL_DIALECT,
                                           .count = count_devices,
                                           .open = open_device,
                                           .close = close_device,
                                           .allocate = stn_opencl_allocate,
                                           .free = stn_opencl_free,
                                           .expect = stn_opencl_expect,
                                           .fill = stn_opencl_fill,
                                           .copy = stn_opencl_copy,
                                           .copy_box = stn_opencl_copy_box,
                                           .wait = wait_for_all,
                                           .compile = stn_opencl_compile,
                                           .load = stn_opencl_load,
                                           .identify = stn_opencl_identify,
                                           .unload = stn_opencl_unload,
                                           .function = stn_opencl_function,
                                           .locate = stn_opencl_locate,
                                           .launch = stn_opencl_launch};
