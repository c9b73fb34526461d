/* Calling the driver. */
#include "exec/cuda/call.h"

#include "core/status.h"
#include "exec/cuda/load.h"
#include "exec/forks.h"

int stn_device_is_here(const stn_device *device)
{
    return device->process_age == stn_forks();
}

stn_status stn_device_refuse(const stn_device *device, const char *what, int error)
{
    char words[160];
    return stn_fail(error == STN_CUDA_OUT_OF_MEMORY ? STN_ERR_MEMORY : STN_ERR_DEVICE, "%s: %s: %s",
                    device->resource, what,
                    stn_cuda_words(device->driver, error, words, sizeof words));
}

stn_status stn_device_enter(stn_device *device)
{
    if (!stn_device_is_here(device))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s was opened before this process was forked, which cannot use it",
                        device->resource);
    if (atomic_load_explicit(&device->failed, memory_order_acquire))
        return stn_fail(STN_ERR_DEVICE, "%s has failed before and cannot be used any more",
                        device->resource);
    const int error = device->driver->context_push(device->context);
    return error ? stn_device_refuse(device, "its context cannot be used", error) : STN_OK;
}

/* A context whose kernel failed says so ever after. */
static stn_status leave_failed(stn_device *device, const char *what, int error)
{
    char words[160];
    const char *const kernel = atomic_load_explicit(&device->newest, memory_order_relaxed);
    if (device->driver->context_wait() == 0 || error == STN_CUDA_OUT_OF_MEMORY)
        return stn_device_refuse(device, what, error);
    atomic_store_explicit(&device->failed, 1, memory_order_release);
    return stn_fail(STN_ERR_DEVICE,
                    "%s: %s: %s; the kernel launched last is %s. The device cannot "
                    "be used any more by this process",
                    device->resource, what,
                    stn_cuda_words(device->driver, error, words, sizeof words),
                    kernel ? kernel : "none");
}

stn_status stn_device_leave(stn_device *device, const char *what, int error)
{
    void *popped;
    const stn_status status = error ? leave_failed(device, what, error) : STN_OK;
    (void)device->driver->context_pop(&popped);
    return status;
}
