/* Constants of launches in addition to arguments. The device keeps them, and only new ones are
 * sent. */
#include "exec/constant.h"

#include <stdint.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/scratch.h"

enum { MAX_BYTES = 32 << 20, MAX_ENTRIES = 256 };

struct stn_device_constant {
    stn_device_constant *next; /* used less recently */
    int users;                 /* launches that are about to be queued */
    size_t size;
    stn_device_scratch *memory;
    char bytes[]; /* contents */
};

static stn_device_constant *find(stn_device *device, const void *bytes, size_t size)
{
    for (stn_device_constant **at = &device->constant; *at; at = &(*at)->next) {
        stn_device_constant *const it = *at;
        if (it->size != size || memcmp(it->bytes, bytes, size) != 0)
            continue;
        *at = it->next;
        return it;
    }
    return NULL;
}

static void add(stn_device *device, stn_device_constant *constant)
{
    constant->users++;
    constant->next = device->constant;
    device->constant = constant;
}

/* Removes unused entries after the first `maximum` entries or this number of bytes. */
static stn_device_constant *cut(stn_device *device, int maximum, size_t max_bytes)
{
    stn_device_constant *off = NULL;
    size_t bytes = 0;
    int count = 0;
    for (stn_device_constant **at = &device->constant; *at;) {
        stn_device_constant *const it = *at;
        bytes += it->size;
        count++;
        if (it->users > 0 || (count <= maximum && bytes <= max_bytes)) {
            at = &it->next;
            continue;
        }
        *at = it->next;
        it->next = off;
        off = it;
    }
    return off;
}

static void release(stn_device *device, stn_device_constant *off)
{
    while (off) {
        stn_device_constant *const next = off->next;
        stn_device_return_scratch(device, off->memory);
        stn_free(off);
        off = next;
    }
}

static stn_status send(stn_device *device, const char *name, const void *bytes, size_t size,
                       stn_device_constant **constant)
{
    stn_device_constant *it;
    STN_TRY(stn_allocate(&it, 1, sizeof *it + size, name));
    *it = (stn_device_constant){.size = size};
    memcpy(it->bytes, bytes, size);
    stn_status status = stn_device_acquire_scratch(device, name, (int64_t)size, &it->memory);
    if (status == STN_OK)
        status = stn_device_copy(device, it->memory->memory, it->bytes, size);
    if (status == STN_OK)
        status = stn_device_wait(device); /* until it has been read */
    if (status == STN_OK)
        *constant = it;
    else
        release(device, it);
    return status;
}

stn_status stn_device_constant_get(stn_device *device, const char *name, const void *bytes,
                                   size_t size, stn_device_constant **constant, void **memory)
{
    STN_TRY(stn_device_check(device));
    STN_TRY(
        stn_device_expect_uncaptured(device)); /* a captured graph would use it after the launch */
    (void)pthread_mutex_lock(&device->keeping);
    *constant = find(device, bytes, size);
    if (*constant)
        add(device, *constant);
    (void)pthread_mutex_unlock(&device->keeping);
    if (!*constant) {
        STN_TRY(send(device, name, bytes, size, constant));
        (void)pthread_mutex_lock(&device->keeping);
        add(device, *constant);
        (void)pthread_mutex_unlock(&device->keeping);
    }
    *memory = (*constant)->memory->memory;
    return STN_OK;
}

void stn_device_constant_release(stn_device *device, stn_device_constant *constant)
{
    if (!constant || !stn_device_is_current(device))
        return;
    (void)pthread_mutex_lock(&device->keeping);
    constant->users--;
    stn_device_constant *const off = cut(device, MAX_ENTRIES, MAX_BYTES);
    (void)pthread_mutex_unlock(&device->keeping);
    release(device, off);
}

int stn_device_constants_drop(stn_device *device)
{
    if (!stn_device_is_current(device))
        return 0;
    (void)pthread_mutex_lock(&device->keeping);
    stn_device_constant *const off = cut(device, 0, 0);
    (void)pthread_mutex_unlock(&device->keeping);
    release(device, off);
    return off != NULL;
}

void stn_device_constants_end(stn_device *device)
{
    release(device, cut(device, 0, 0));
}
