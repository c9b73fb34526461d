/* Uses of host-accessible memory: each device has a list of address ranges. */
#include "exec/uses.h"

#include "core/status.h"
#include "exec/opened.h"

/* Number of uses on all devices, a hint that saves the host a search. */
static atomic_int uses;

int stn_uses_any(void)
{
    return atomic_load_explicit(&uses, memory_order_acquire) > 0;
}

/* ---- lists ---- */

static stn_device_use *find(stn_device *device, uintptr_t begin, uintptr_t end)
{
    for (int k = 0; k < device->use_count; k++)
        if (device->uses[k].begin == begin && device->uses[k].end == end)
            return &device->uses[k];
    return NULL;
}

/* A full list merges the new range with the last one and everything in between. */
static stn_device_use *append(stn_device *device, uintptr_t begin, uintptr_t end)
{
    if (device->use_count < STN_DEVICE_USES) {
        stn_device_use *const use = &device->uses[device->use_count++];
        *use = (stn_device_use){begin, end, 0};
        atomic_fetch_add_explicit(&uses, 1, memory_order_release);
        return use;
    }
    stn_device_use *const last = &device->uses[STN_DEVICE_USES - 1];
    last->begin = begin < last->begin ? begin : last->begin;
    last->end = end > last->end ? end : last->end;
    return last;
}

void stn_uses_add(stn_device *device, const stn_device_argument *arguments, int count)
{
    int is_shared = 0;
    for (int k = 0; k < count; k++)
        is_shared |= arguments[k].shared_bytes > 0;
    if (!is_shared)
        return;
    (void)pthread_mutex_lock(&device->using);
    device->queued++;
    for (int k = 0; k < count; k++) {
        const uintptr_t begin = (uintptr_t)arguments[k].shared;
        const uintptr_t end = begin + arguments[k].shared_bytes;
        if (begin == end)
            continue;
        stn_device_use *const use = find(device, begin, end);
        (use ? use : append(device, begin, end))->queued = device->queued;
    }
    (void)pthread_mutex_unlock(&device->using);
}

uint64_t stn_uses_queued(stn_device *device)
{
    (void)pthread_mutex_lock(&device->using);
    const uint64_t queued = device->queued;
    (void)pthread_mutex_unlock(&device->using);
    return queued;
}

void stn_uses_end(stn_device *device, uint64_t queued)
{
    int kept = 0;
    (void)pthread_mutex_lock(&device->using);
    for (int k = 0; k < device->use_count; k++)
        if (device->uses[k].queued > queued)
            device->uses[kept++] = device->uses[k];
    atomic_fetch_sub_explicit(&uses, device->use_count - kept, memory_order_relaxed);
    device->use_count = kept;
    (void)pthread_mutex_unlock(&device->using);
}

void stn_uses_drop(stn_device *device)
{
    atomic_fetch_sub_explicit(&uses, device->use_count, memory_order_relaxed);
    device->use_count = 0;
}

/* ---- the host ---- */

static int is_used(stn_device *device, uintptr_t begin, uintptr_t end)
{
    int is = 0;
    (void)pthread_mutex_lock(&device->using);
    for (int k = 0; k < device->use_count && !is; k++)
        is = begin < device->uses[k].end && device->uses[k].begin < end;
    (void)pthread_mutex_unlock(&device->using);
    return is;
}

/* Work that other threads queue meanwhile is not ordered with this call. */
stn_status stn_uses_wait(const void *begin, size_t bytes)
{
    const uintptr_t first = (uintptr_t)begin;
    stn_status status = STN_OK;
    if (!stn_uses_any())
        return STN_OK;
    for (stn_device *d = NULL; (d = stn_device_next_opened(d));)
        if (status == STN_OK && is_used(d, first, first + bytes))
            status = stn_device_wait(d);
    return status;
}

/* ---- devices without concurrent access to managed memory ---- */

static stn_status expect_idle(const char *call, const char *description, stn_device *device)
{
    int is_idle = 1;
    if (!device->is_exclusive)
        return STN_OK;
    STN_TRY(device->calls->query_idle(device, &is_idle));
    return is_idle ? STN_OK
                   : stn_fail(STN_ERR_UNSUPPORTED,
                              "%s: %s is in managed memory, which the host cannot access while %s "
                              "is busy; call stn_exec_wait first",
                              call, description, device->resource);
}

stn_status stn_uses_expect_idle(const char *call, const char *description)
{
    stn_status status = STN_OK;
    if (!stn_device_has_exclusive())
        return STN_OK;
    for (stn_device *d = NULL; (d = stn_device_next_opened(d));)
        if (status == STN_OK)
            status = expect_idle(call, description, d);
    return status;
}
