/* Scratch memory of devices: a list of blocks that no launch uses. */
#include "exec/scratch.h"

#include "core/memory.h"
#include "core/status.h"

enum { GRANULE = 4096 };

/* Block sizes are a quarter of a power of two apart, so that slowly growing requests allocate
 * rarely. */
static int64_t block_bytes(int64_t bytes)
{
    int64_t step = GRANULE;
    while (step < bytes / 8)
        step *= 2;
    return bytes <= step ? step : (bytes + step - 1) / step * step;
}

/* Removes and returns the smallest block of at least these bytes and at most twice as many, or
 * NULL: larger ones are reserved for larger requests. */
static stn_device_scratch *find(stn_device *device, int64_t bytes)
{
    stn_device_scratch **best = NULL;
    for (stn_device_scratch **at = &device->scratch; *at; at = &(*at)->next)
        if ((*at)->bytes >= bytes && (*at)->bytes / 2 <= bytes &&
            (!best || (*at)->bytes < (*best)->bytes))
            best = at;
    stn_device_scratch *const found = best ? *best : NULL;
    if (found)
        *best = found->next;
    return found;
}

/* Removes the blocks of less than this number of bytes. */
static stn_device_scratch *cut(stn_device *device, int64_t bytes)
{
    stn_device_scratch *off = NULL;
    for (stn_device_scratch **at = &device->scratch; *at;) {
        stn_device_scratch *const block = *at;
        if (block->bytes >= bytes) {
            at = &block->next;
            continue;
        }
        *at = block->next;
        block->next = off;
        off = block;
    }
    return off;
}

static void release(stn_device *device, stn_device_scratch *blocks)
{
    while (blocks) {
        stn_device_scratch *const next = blocks->next;
        stn_device_free(device, STN_SPACE_DEVICE, blocks->memory);
        stn_free(blocks);
        blocks = next;
    }
}

static stn_status allocate(stn_device *device, const char *name, int64_t bytes,
                           stn_device_scratch **scratch)
{
    stn_device_scratch *result;
    STN_TRY(stn_allocate(&result, 1, sizeof *result, name));
    *result = (stn_device_scratch){.bytes = bytes};
    const stn_status status =
        stn_device_allocate(device, name, STN_SPACE_DEVICE, result->bytes, &result->memory);
    if (status == STN_OK)
        *scratch = result;
    else
        stn_free(result);
    return status;
}

/* If no free block fits, a new one replaces the smaller ones. */
stn_status stn_device_acquire_scratch(stn_device *device, const char *name, int64_t bytes,
                                      stn_device_scratch **scratch)
{
    STN_TRY(stn_device_check(device));
    STN_TRY(stn_device_expect_uncaptured(device));
    const int64_t size = block_bytes(bytes);
    (void)pthread_mutex_lock(&device->keeping);
    *scratch = find(device, size);
    stn_device_scratch *const smaller = *scratch ? NULL : cut(device, size);
    (void)pthread_mutex_unlock(&device->keeping);
    release(device, smaller);
    return *scratch ? STN_OK : allocate(device, name, size, scratch);
}

void stn_device_return_scratch(stn_device *device, stn_device_scratch *scratch)
{
    if (!scratch)
        return;
    if (!stn_device_is_current(device)) { /* nor is its memory valid */
        stn_free(scratch);
        return;
    }
    (void)pthread_mutex_lock(&device->keeping);
    scratch->next = device->scratch;
    device->scratch = scratch;
    (void)pthread_mutex_unlock(&device->keeping);
}

int stn_device_drop_scratch(stn_device *device)
{
    if (!stn_device_is_current(device))
        return 0;
    (void)pthread_mutex_lock(&device->keeping);
    stn_device_scratch *const off = cut(device, INT64_MAX);
    (void)pthread_mutex_unlock(&device->keeping);
    release(device, off);
    return off != NULL;
}

void stn_device_end_scratch(stn_device *device)
{
    release(device, cut(device, INT64_MAX));
}
