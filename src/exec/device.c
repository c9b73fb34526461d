/* Devices of every kind: found by name, reference-counted, and called through the table of their
 * kind. */
#include "exec/device.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/cuda/device.h"
#include "exec/forks.h"
#include "exec/constant.h"
#include "exec/kernel.h"
#include "exec/opened.h"
#include "exec/scratch.h"
#include "exec/uses.h"
#include "exec/opencl/device.h"

static const stn_device_calls *const kinds[] = {&stn_cuda_calls, &stn_hip_calls, &stn_opencl_calls};
enum { KINDS = sizeof kinds / sizeof *kinds, COMPILER_STACK = 16 << 20 };

static const stn_device_calls *find(const char *kind)
{
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kinds[k]->kind, kind) == 0)
            return kinds[k];
    return NULL;
}

const char *stn_device_kind(int at)
{
    return at < KINDS ? kinds[at]->kind : NULL;
}

int stn_device_count(const char *kind)
{
    const stn_device_calls *const calls = find(kind);
    return calls ? calls->count(calls) : 0;
}

stn_status stn_device_open(const char *kind, int number, stn_device **device)
{
    const stn_device_calls *const calls = find(kind);
    *device = NULL;
    if (!calls)
        return stn_fail(STN_ERR_ARGUMENT, "unknown kind of device '%s'", kind);
    STN_TRY(calls->open(calls, number, device));
    stn_device_add_opened(*device);
    return STN_OK;
}

/* ---- lifetime ---- */

stn_status stn_device_create(const stn_device_calls *calls, int number, size_t bytes,
                             stn_device **device)
{
    if (stn_allocate(device, 1, bytes, calls->kind))
        return stn_fail(STN_ERR_MEMORY, "executor '%s:%d': out of memory", calls->kind, number);
    stn_device *const d = *device;
    memset(d, 0, bytes);
    d->calls = calls;
    d->number = number;
    d->process_age = stn_forks();
    snprintf(d->resource, sizeof d->resource, "%s:%d", calls->kind, number);
    atomic_init(&d->users, 1);
    (void)pthread_mutex_init(&d->compiling, NULL);
    (void)pthread_mutex_init(&d->keeping, NULL);
    (void)pthread_mutex_init(&d->using, NULL);
    return STN_OK;
}

void stn_device_destroy(stn_device *device)
{
    (void)pthread_mutex_destroy(&device->compiling);
    (void)pthread_mutex_destroy(&device->keeping);
    (void)pthread_mutex_destroy(&device->using);
    stn_free(device);
}

int stn_device_is_current(const stn_device *device)
{
    return device->process_age == stn_forks();
}

stn_status stn_device_check(const stn_device *device)
{
    if (!stn_device_is_current(device))
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "%s was opened before this process was forked; a forked process cannot use it",
            device->resource);
    if (atomic_load_explicit(&device->failed, memory_order_acquire))
        return stn_fail(STN_ERR_DEVICE, "%s failed earlier and can no longer be used",
                        device->resource);
    return STN_OK;
}

void stn_device_share(stn_device *device)
{
    atomic_fetch_add_explicit(&device->users, 1, memory_order_relaxed);
}

void stn_device_release(stn_device *device)
{
    if (!device || atomic_fetch_sub_explicit(&device->users, 1, memory_order_acq_rel) != 1)
        return;
    stn_device_remove_opened(device);
    stn_uses_drop(device);
    stn_device_constants_end(device);
    stn_device_end_scratch(device);
    stn_device_drop_kernels(device);
    device->calls->close(device);
}

/* ---- compilers ---- */

typedef struct work_separately {
    stn_status (*work)(void *context);
    void *context;
    stn_status status;
    char failure[1024]; /* message of the compiling thread */
} work_separately;

static void *work_on_thread(void *context)
{
    work_separately *const separately = context;
    separately->status = separately->work(separately->context);
    if (separately->status != STN_OK)
        snprintf(separately->failure, sizeof separately->failure, "%s", stn_error());
    return NULL;
}

stn_status stn_device_is_separate(const char *name, stn_status (*work)(void *context),
                                  void *context)
{
    work_separately separately = {.work = work, .context = context};
    pthread_attr_t attributes;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        (void)pthread_attr_setstacksize(&attributes, COMPILER_STACK);
        error = pthread_create(&thread, &attributes, work_on_thread, &separately);
        (void)pthread_attr_destroy(&attributes);
    }
    if (error != 0)
        return stn_fail(STN_ERR_MEMORY, "%s: no thread could be started to compile it", name);
    (void)pthread_join(thread, NULL);
    return separately.status == STN_OK ? STN_OK
                                       : stn_fail(separately.status, "%s", separately.failure);
}

/* ---- calls ---- */

/* Releases what all executors on the device keep for later launches. */
static int drop_caches(const stn_device *device)
{
    int dropped = 0;
    for (stn_device *d = NULL; (d = stn_device_next_opened(d));)
        if (d->calls == device->calls && d->number == device->number) {
            dropped |= stn_device_constants_drop(d);
            dropped |= stn_device_drop_scratch(d);
        }
    return dropped;
}

stn_status stn_device_allocate(stn_device *device, const char *label, stn_space space,
                               int64_t bytes, void **memory)
{
    *memory = NULL;
    stn_status status = device->calls->allocate(device, label, space, bytes, memory);
    if (status == STN_ERR_MEMORY && drop_caches(device))
        status = device->calls->allocate(device, label, space, bytes, memory);
    return status;
}

void stn_device_free(stn_device *device, stn_space space, void *memory)
{
    if (memory)
        device->calls->free(device, space, memory);
}

stn_status stn_device_expect(stn_device *device, const char *call, const char *description,
                             const void *memory)
{
    return device->calls->expect(device, call, description, memory);
}

stn_status stn_device_expect_format(const stn_device *device, const char *description,
                                    stn_format format)
{
    const int is_wide = format == STN_F64 || format == STN_C128 || format == STN_F40 ||
                        format == STN_F48 || format >= STN_BUILTIN_FORMATS;
    return device->has_f64 || !is_wide
               ? STN_OK
               : stn_fail(STN_ERR_UNSUPPORTED, "%s does not support double, which %s requires",
                          device->resource, description);
}

stn_status stn_device_fill(stn_device *device, void *memory, unsigned char value, size_t bytes)
{
    return device->calls->fill(device, memory, value, bytes);
}

stn_status stn_device_copy(stn_device *device, void *to, const void *from, size_t bytes)
{
    return device->calls->copy(device, to, from, bytes);
}

stn_status stn_device_copy_box(stn_device *device, const stn_device_box *box)
{
    return device->calls->copy_box(device, box);
}

stn_status stn_device_expect_uncaptured(stn_device *device)
{
    return device->calls->expect_uncaptured ? device->calls->expect_uncaptured(device) : STN_OK;
}

stn_status stn_device_wait(stn_device *device)
{
    STN_TRY(stn_device_check(device));
    const uint64_t queued = stn_uses_queued(device);
    STN_TRY(device->calls->wait(device));
    stn_uses_end(device, queued);
    return STN_OK;
}

/* Any device of its kind may use pinned and managed memory. */
static int may_use(const stn_device *user, const stn_device *owner, stn_space space)
{
    return user->calls->frees_at_once &&
           (!owner || (user->calls == owner->calls &&
                       (space != STN_SPACE_DEVICE || user->number == owner->number)));
}

void stn_device_wait_for_users(const stn_device *device, stn_space space)
{
    for (stn_device *d = NULL; (d = stn_device_next_opened(d));)
        if (may_use(d, device, space))
            (void)stn_device_wait(d);
}

stn_status stn_device_compile(stn_device *device, const stn_device_text *text, void **module)
{
    *module = NULL;
    return device->calls->compile(device, text, module, NULL);
}

void stn_device_unload(stn_device *device, void *module)
{
    if (module)
        device->calls->unload(device, module, NULL);
}

stn_status stn_device_find(stn_device *device, void *module, const char *name, void **function)
{
    *function = NULL;
    return device->calls->function(device, module, name, function);
}

stn_status stn_device_locate(stn_device *device, const void *memory, void **handle, int64_t *offset)
{
    return device->calls->locate(device, memory, handle, offset);
}

stn_status stn_device_launch(stn_device *device, const char *name, void *function, unsigned blocks,
                             unsigned threads, const stn_device_argument *arguments, int count)
{
    STN_TRY(device->calls->launch(device, name, function, blocks, threads, arguments, count));
    stn_uses_add(device, arguments, count);
    return STN_OK;
}
