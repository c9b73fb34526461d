/* Scratch memory of devices: a list of blocks that no launch holds. */
#include "exec/scratch.h"

#include "core/memory.h"
#include "core/status.h"

enum { GRANULE = 4096 }; /* bytes that block sizes are multiples of */

/* The smallest block that is large enough, removed from the list, or NULL. */
static stn_device_scratch *find(stn_device *device, int64_t bytes)
{
    stn_device_scratch **best = NULL;
    for (stn_device_scratch **at = &device->scratch; *at; at = &(*at)->next)
        if ((*at)->bytes >= bytes && (!best || (*at)->bytes < (*best)->bytes))
            best = at;
    stn_device_scratch *const found = best ? *best : NULL;
    if (found)
        *best = found->next;
    return found;
}

static stn_device_scratch *empty(stn_device *device)
{
    stn_device_scratch *const all = device->scratch;
    device->scratch = NULL;
    return all;
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
    stn_device_scratch *made;
    STN_TRY(stn_allocate(&made, 1, sizeof *made, name));
    *made = (stn_device_scratch){.bytes = (bytes / GRANULE + 1) * GRANULE};
    const stn_status status =
        stn_device_allocate(device, name, STN_SPACE_DEVICE, made->bytes, &made->memory);
    if (status == STN_OK)
        *scratch = made;
    else
        stn_free(made);
    return status;
}

/* Where no block is large enough, a larger one replaces those that are free. */
stn_status stn_device_take_scratch(stn_device *device, const char *name, int64_t bytes,
                                   stn_device_scratch **scratch)
{
    STN_TRY(stn_device_check(device));
    STN_TRY(stn_device_expect_uncaptured(device));
    (void)pthread_mutex_lock(&device->keeping);
    *scratch = find(device, bytes);
    stn_device_scratch *const smaller = *scratch ? NULL : empty(device);
    (void)pthread_mutex_unlock(&device->keeping);
    release(device, smaller);
    return *scratch ? STN_OK : allocate(device, name, bytes, scratch);
}

void stn_device_return_scratch(stn_device *device, stn_device_scratch *scratch)
{
    if (!scratch || !stn_device_is_here(device))
        return;
    (void)pthread_mutex_lock(&device->keeping);
    scratch->next = device->scratch;
    device->scratch = scratch;
    (void)pthread_mutex_unlock(&device->keeping);
}

int stn_device_drop_scratch(stn_device *device)
{
    if (!stn_device_is_here(device))
        return 0;
    (void)pthread_mutex_lock(&device->keeping);
    stn_device_scratch *const off = empty(device);
    (void)pthread_mutex_unlock(&device->keeping);
    release(device, off);
    return off != NULL;
}

void stn_device_end_scratch(stn_device *device)
{
    release(device, empty(device));
}
