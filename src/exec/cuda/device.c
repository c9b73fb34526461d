/* Devices: opening one, its memory and its queue. */
#include "exec/cuda/device.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/cuda/call.h"
#include "exec/cuda/kernel.h"
#include "exec/cuda/load.h"
#include "exec/forks.h"

/* ---- opening ---- */

int stn_device_count(void)
{
    const stn_cuda_driver *driver;
    int count = 0;
    if (stn_cuda_driver_get(&driver) != STN_OK || driver->device_count(&count) != 0)
        return 0;
    return count;
}

static stn_status check_number(const stn_cuda_driver *driver, int number)
{
    int count = 0;
    if (driver->device_count(&count) != 0 || number < count)
        return STN_OK;
    return stn_fail(STN_ERR_RANGE, "there is no device cuda:%d: the last one is cuda:%d", number,
                    count - 1);
}

/* What the driver says about it. */
static int describe(stn_device *d)
{
    const stn_cuda_driver *const driver = d->driver;
    int error = driver->device(&d->id, d->number);
    error = error ? error : driver->device_name(d->name, sizeof d->name, d->id);
    error = error ? error : driver->device_bytes(&d->bytes, d->id);
    error = error ? error : driver->attribute(&d->major, STN_CUDA_MAJOR, d->id);
    error = error ? error : driver->attribute(&d->minor, STN_CUDA_MINOR, d->id);
    return error ? error : driver->attribute(&d->processors, STN_CUDA_PROCESSORS, d->id);
}

static int start(stn_device *d)
{
    const int error = d->driver->context_retain(&d->context, d->id);
    if (error != 0)
        return error;
    int made = d->driver->context_push(d->context);
    if (made == 0) {
        void *popped;
        made = d->driver->stream_make(&d->queue, STN_CUDA_NON_BLOCKING);
        (void)d->driver->context_pop(&popped);
    }
    if (made != 0)
        (void)d->driver->context_release(d->id);
    return made;
}

/* Which device the context is of. */
static int find_number(stn_device *d)
{
    void *popped;
    int id = -1, other = -1, count = 0;
    int error = d->driver->context_push(d->context);
    if (error != 0)
        return error;
    error = d->driver->context_device(&id);
    (void)d->driver->context_pop(&popped);
    error = error ? error : d->driver->device_count(&count);
    for (int k = 0; k < count && error == 0 && other != id; k++) {
        d->number = k;
        error = d->driver->device(&other, k);
    }
    return error;
}

static int start_or_adopt(stn_device *d)
{
    int error = d->is_adopted ? find_number(d) : 0;
    snprintf(d->resource, sizeof d->resource, "cuda:%d", d->number);
    error = error ? error : describe(d);
    return error || d->is_adopted ? error : start(d);
}

static stn_status make(const stn_device *wanted, stn_device **device)
{
    stn_device *d;
    if (stn_allocate(&d, 1, sizeof *d, "cuda"))
        return stn_fail(STN_ERR_MEMORY, "executor 'cuda:%d': no memory for it", wanted->number);
    *d = *wanted;
    d->process_age = stn_forks();
    atomic_init(&d->users, 1);
    (void)pthread_mutex_init(&d->compiling, NULL);
    const int error = start_or_adopt(d);
    if (error != 0) {
        const stn_status status = stn_device_refuse(d, "it does not start", error);
        (void)pthread_mutex_destroy(&d->compiling);
        stn_free(d);
        return status;
    }
    *device = d;
    return STN_OK;
}

stn_status stn_device_open(int number, stn_device **device)
{
    stn_device wanted = {.number = number};
    *device = NULL;
    STN_TRY(stn_cuda_driver_get(&wanted.driver));
    STN_TRY(check_number(wanted.driver, number));
    return make(&wanted, device);
}

stn_status stn_device_adopt(void *context, void *stream, stn_device **device)
{
    stn_device wanted = {.context = context, .queue = stream, .is_adopted = 1};
    *device = NULL;
    STN_TRY(stn_cuda_driver_get(&wanted.driver));
    return make(&wanted, device);
}

void stn_device_share(stn_device *device)
{
    atomic_fetch_add_explicit(&device->users, 1, memory_order_relaxed);
}

/* In a forked process the driver is not there: nothing is given back to it. */
void stn_device_release(stn_device *device)
{
    if (!device || atomic_fetch_sub_explicit(&device->users, 1, memory_order_acq_rel) != 1)
        return;
    stn_device_drop_kernels(device);
    if (stn_device_is_here(device)) {
        void *popped;
        if (device->driver->context_push(device->context) == 0) {
            (void)device->driver->stream_wait(device->queue);
            if (!device->is_adopted)
                (void)device->driver->stream_end(device->queue);
            (void)device->driver->context_pop(&popped);
        }
        if (!device->is_adopted)
            (void)device->driver->context_release(device->id);
    }
    (void)pthread_mutex_destroy(&device->compiling);
    stn_free(device);
}

/* ---- memory ---- */

static int take(const stn_cuda_driver *driver, stn_space space, size_t bytes, void **memory)
{
    switch (space) {
    case STN_SPACE_PINNED:
        return driver->pinned_take(memory, bytes, STN_CUDA_PORTABLE);
    case STN_SPACE_MANAGED:
        return driver->managed_take(memory, bytes, STN_CUDA_ATTACH_GLOBAL);
    default:
        return driver->memory_take(memory, bytes);
    }
}

/* Managed memory beyond the card's can stop the card. */
static int is_beyond(stn_space space, size_t bytes, size_t unused)
{
    return space == STN_SPACE_MANAGED && bytes > unused;
}

stn_status stn_device_allocate(stn_device *device, const char *label, stn_space space,
                               int64_t bytes, void **memory)
{
    size_t unused = 0, all = 0;
    *memory = NULL;
    STN_TRY(stn_device_enter(device));
    int error = device->driver->memory_info(&unused, &all);
    if (error == 0)
        error = is_beyond(space, (size_t)bytes, unused)
                    ? STN_CUDA_OUT_OF_MEMORY
                    : take(device->driver, space, (size_t)bytes, memory);
    if (error != STN_CUDA_OUT_OF_MEMORY)
        return stn_device_leave(device, "memory cannot be allocated", error);
    (void)stn_device_leave(device, "", 0);
    return stn_fail(STN_ERR_MEMORY,
                    "%s: %s has no %" PRId64 " bytes of %s memory: %zu of %zu are free", label,
                    device->resource, bytes, stn_space_name(space), unused, all);
}

void stn_device_free(stn_device *device, stn_space space, void *memory)
{
    if (!memory || stn_device_enter(device) != STN_OK)
        return;
    int error = device->driver->context_wait();
    if (space == STN_SPACE_PINNED)
        error = device->driver->pinned_give(memory);
    else
        error = device->driver->memory_give(memory);
    (void)stn_device_leave(device, "memory cannot be given back", error);
}

stn_status stn_device_expect(stn_device *device, const char *call, const char *words,
                             const void *memory)
{
    int kind = 0, number = -1;
    STN_TRY(stn_device_enter(device));
    int error = device->driver->pointer(&kind, STN_CUDA_POINTER_KIND, memory);
    if (error == 0)
        error = device->driver->pointer(&number, STN_CUDA_POINTER_DEVICE, memory);
    const int is_unknown = error == STN_CUDA_INVALID;
    STN_TRY(stn_device_leave(device, "memory cannot be asked about", is_unknown ? 0 : error));
    if (is_unknown || kind != STN_CUDA_KIND_DEVICE)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is at %p, which is no memory of a CUDA device",
                        call, words, (void *)(uintptr_t)memory);
    return number == device->number
               ? STN_OK
               : stn_fail(STN_ERR_UNSUPPORTED,
                          "%s: %s is in the memory of cuda:%d, out of reach of %s", call, words,
                          number, device->resource);
}

stn_status stn_device_fill(stn_device *device, void *memory, unsigned char value, size_t bytes)
{
    STN_TRY(stn_device_enter(device));
    const int error = device->driver->fill(memory, value, bytes, device->queue);
    return stn_device_leave(device, "memory cannot be filled", error);
}

stn_status stn_device_copy(stn_device *device, void *to, const void *from, size_t bytes)
{
    STN_TRY(stn_device_enter(device));
    const int error = device->driver->copy(to, from, bytes, device->queue);
    return stn_device_leave(device, "memory cannot be copied", error);
}

stn_status stn_device_copy_box(stn_device *device, const stn_device_box *box)
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
    STN_TRY(stn_device_enter(device));
    const int error = device->driver->copy_boxes(&copy, device->queue);
    return stn_device_leave(device, "memory cannot be copied", error);
}

stn_status stn_device_wait(stn_device *device)
{
    STN_TRY(stn_device_enter(device));
    const int error = device->driver->stream_wait(device->queue);
    return stn_device_leave(device, "work that was queued fails", error);
}
