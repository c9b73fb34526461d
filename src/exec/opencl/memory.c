/* Memory of an OpenCL device: buffers, the addresses that represent them, and transfers. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/opencl/device.h"

/* ---- addresses ---- */

/* The first range that ends after this address. */
static int64_t find(const stn_opencl_device *d, const char *memory)
{
    int64_t low = 0, high = d->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (d->ranges[middle].begin + d->ranges[middle].bytes > memory)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int is_inside(const stn_opencl_device *d, int64_t at, const char *memory)
{
    return at < d->count && memory >= d->ranges[at].begin;
}

/* The range that contains the address; its handle is NULL if there is none. */
static stn_opencl_range look_up(stn_opencl_device *d, const void *memory)
{
    stn_opencl_range range = {NULL, 0, NULL};
    (void)pthread_mutex_lock(&d->lock);
    const int64_t at = find(d, memory);
    if (is_inside(d, at, memory))
        range = d->ranges[at];
    (void)pthread_mutex_unlock(&d->lock);
    return range;
}

static stn_status grow_ranges(stn_opencl_device *d)
{
    stn_opencl_range *more;
    if (d->count < d->capacity)
        return STN_OK;
    const int64_t capacity = d->capacity ? 2 * d->capacity : 64;
    STN_TRY(stn_allocate(&more, capacity, sizeof *more, "opencl"));
    stn_opencl_range *const before = d->ranges;
    if (d->count > 0)
        memcpy(more, before, (size_t)d->count * sizeof *more);
    d->ranges = more;
    d->capacity = capacity;
    stn_free(before); /* a process forked here does not release it again */
    return STN_OK;
}

static stn_status add(stn_opencl_device *d, stn_opencl_range range)
{
    (void)pthread_mutex_lock(&d->lock);
    const stn_status status = grow_ranges(d);
    if (status == STN_OK) {
        const int64_t at = find(d, range.begin);
        memmove(d->ranges + at + 1, d->ranges + at, (size_t)(d->count - at) * sizeof *d->ranges);
        d->ranges[at] = range;
        d->count++;
    }
    (void)pthread_mutex_unlock(&d->lock);
    return status;
}

static stn_opencl_range remove_range(stn_opencl_device *d, const void *memory)
{
    stn_opencl_range range = {NULL, 0, NULL};
    (void)pthread_mutex_lock(&d->lock);
    const int64_t at = find(d, memory);
    if (is_inside(d, at, memory)) {
        range = d->ranges[at];
        d->count--;
        memmove(d->ranges + at, d->ranges + at + 1, (size_t)(d->count - at) * sizeof *d->ranges);
        d->used -= range.bytes;
    }
    (void)pthread_mutex_unlock(&d->lock);
    return range;
}

/* ---- allocation and release ---- */

static stn_status is_missing(const stn_opencl_device *d, const char *label, size_t bytes,
                             size_t unused)
{
    return stn_fail(STN_ERR_MEMORY,
                    "%s: %s cannot allocate %zu bytes: %zu of %zu bytes are free, and one "
                    "allocation has at most %zu bytes",
                    label, d->device.resource, bytes, unused, d->device.bytes, d->max_bytes);
}

/* Limited to the reported memory size, because implementations may overcommit. */
static stn_status reserve(stn_opencl_device *d, const char *label, size_t bytes, size_t *unused)
{
    (void)pthread_mutex_lock(&d->lock);
    *unused = d->device.bytes - d->used;
    const int fits = bytes <= *unused && bytes <= d->max_bytes;
    d->used += fits ? bytes : 0;
    (void)pthread_mutex_unlock(&d->lock);
    return fits ? STN_OK : is_missing(d, label, bytes, *unused);
}

static void release_range(stn_opencl_device *d, size_t bytes)
{
    (void)pthread_mutex_lock(&d->lock);
    d->used -= bytes;
    (void)pthread_mutex_unlock(&d->lock);
}

static stn_status create_range(stn_opencl_device *d, const char *label, size_t unused,
                               stn_opencl_range *range)
{
    int32_t error = 0;
    range->begin =
        mmap(NULL, range->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range->begin == MAP_FAILED)
        return stn_fail(STN_ERR_MEMORY, "%s: no address range for %zu bytes", label, range->bytes);
    range->handle = d->cl->memory_make(d->context, STN_CL_READ_WRITE, range->bytes, NULL, &error);
    const stn_status status =
        range->handle ? add(d, *range) : is_missing(d, label, range->bytes, unused);
    if (status != STN_OK) {
        if (range->handle)
            (void)d->cl->memory_release(range->handle);
        (void)munmap(range->begin, range->bytes);
    }
    return status;
}

stn_status stn_opencl_allocate(stn_device *device, const char *label, stn_space space,
                               int64_t bytes, void **memory)
{
    stn_opencl_device *const d = stn_opencl_of(device);
    stn_opencl_range range = {NULL, (size_t)bytes, NULL};
    size_t unused = 0;
    STN_TRY(stn_device_check(device));
    if (space != STN_SPACE_DEVICE)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s does not support %s memory", label,
                        device->resource, stn_space_name(space));
    STN_TRY(reserve(d, label, range.bytes, &unused));
    const stn_status status = create_range(d, label, unused, &range);
    if (status == STN_OK)
        *memory = range.begin;
    else
        release_range(d, range.bytes);
    return status;
}

/* Queued work retains the buffer. After a fork, the ranges may be locked forever, and their memory
 * does not exist. */
void stn_opencl_free(stn_device *device, stn_space space, void *memory)
{
    stn_opencl_device *const d = stn_opencl_of(device);
    (void)space;
    if (!stn_device_is_current(device))
        return;
    const stn_opencl_range range = remove_range(d, memory);
    if (!range.handle)
        return;
    (void)d->cl->memory_release(range.handle);
    (void)munmap(range.begin, range.bytes);
}

stn_status stn_opencl_expect(stn_device *device, const char *call, const char *description,
                             const void *memory)
{
    STN_TRY(stn_device_check(device));
    return look_up(stn_opencl_of(device), memory).handle
               ? STN_OK
               : stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is at %p, which is not in the memory of %s",
                          call, description, (void *)(uintptr_t)memory, device->resource);
}

stn_status stn_opencl_locate(stn_device *device, const void *memory, void **handle, int64_t *offset)
{
    STN_TRY(stn_opencl_expect(device, "a kernel", "memory", memory));
    const stn_opencl_range range = look_up(stn_opencl_of(device), memory);
    *handle = range.handle;
    *offset = (const char *)memory - range.begin;
    return STN_OK;
}

/* ---- transfers ---- */

/* A position in a buffer or on the host. */
typedef struct memory_position {
    void *handle; /* NULL: on the host */
    size_t offset;
} memory_position;

static memory_position find_position(stn_opencl_device *d, const void *memory)
{
    const stn_opencl_range range = look_up(d, memory);
    return (memory_position){range.handle,
                             range.handle ? (size_t)((const char *)memory - range.begin) : 0};
}

stn_status stn_opencl_fill(stn_device *device, void *memory, unsigned char value, size_t bytes)
{
    stn_opencl_device *const d = stn_opencl_of(device);
    STN_TRY(stn_device_check(device));
    const memory_position to = find_position(d, memory);
    if (bytes == 0)
        return STN_OK;
    return stn_opencl_send(
        device, "memory cannot be filled",
        d->cl->fill(d->queue, to.handle, &value, 1, to.offset, bytes, 0, NULL, NULL));
}

stn_status stn_opencl_copy(stn_device *device, void *to, const void *from, size_t bytes)
{
    stn_opencl_device *const d = stn_opencl_of(device);
    STN_TRY(stn_device_check(device));
    const memory_position target = find_position(d, to), source = find_position(d, from);
    if (bytes == 0)
        return STN_OK;
    const int32_t error =
        target.handle && source.handle
            ? d->cl->copy(d->queue, source.handle, target.handle, source.offset, target.offset,
                          bytes, 0, NULL, NULL)
        : target.handle
            ? d->cl->write(d->queue, target.handle, 0, target.offset, bytes, from, 0, NULL, NULL)
            : d->cl->read(d->queue, source.handle, 0, source.offset, bytes, to, 0, NULL, NULL);
    return stn_opencl_send(device, "memory cannot be copied", error);
}

stn_status stn_opencl_copy_box(stn_device *device, const stn_device_box *box)
{
    static const size_t origin[3] = {0, 0, 0};
    stn_opencl_device *const d = stn_opencl_of(device);
    STN_TRY(stn_device_check(device));
    const memory_position target = find_position(d, box->to), source = find_position(d, box->from);
    const size_t region[3] = {box->width, box->height, box->depth};
    const size_t begin[3] = {target.handle ? target.offset : source.offset, 0, 0};
    const size_t to_plane = box->to_pitch * box->to_height;
    const size_t from_plane = box->from_pitch * box->from_height;
    const int32_t error =
        target.handle
            ? d->cl->write_box(d->queue, target.handle, 0, begin, origin, region, box->to_pitch,
                               to_plane, box->from_pitch, from_plane, box->from, 0, NULL, NULL)
            : d->cl->read_box(d->queue, source.handle, 0, begin, origin, region, box->from_pitch,
                              from_plane, box->to_pitch, to_plane, box->to, 0, NULL, NULL);
    return stn_opencl_send(device, "memory cannot be copied", error);
}
