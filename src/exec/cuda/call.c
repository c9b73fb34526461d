/* Calling the driver. */
#include "exec/cuda/call.h"

#include "core/status.h"
#include "exec/cuda/load.h"

stn_status stn_cuda_refuse(const stn_cuda_device *device, const char *what, int error)
{
    char words[160];
    return stn_fail(error == STN_CUDA_OUT_OF_MEMORY ? STN_ERR_MEMORY : STN_ERR_DEVICE, "%s: %s: %s",
                    device->device.resource, what,
                    stn_cuda_words(device->driver, error, words, sizeof words));
}

stn_status stn_cuda_enter(stn_device *device)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    STN_TRY(stn_device_check(device));
    const int error = d->driver->context_push(d->context);
    return error ? stn_cuda_refuse(d, "its context cannot be used", error) : STN_OK;
}

/* A context whose kernel failed says so ever after. */
static stn_status leave_failed(stn_device *device, const char *what, int error)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    char words[160];
    const char *const kernel = atomic_load_explicit(&device->newest, memory_order_relaxed);
    if (d->driver->context_wait() == 0 || error == STN_CUDA_OUT_OF_MEMORY)
        return stn_cuda_refuse(d, what, error);
    atomic_store_explicit(&device->failed, 1, memory_order_release);
    return stn_fail(STN_ERR_DEVICE,
                    "%s: %s: %s; the kernel launched last is %s. The device cannot "
                    "be used any more by this process",
                    device->resource, what, stn_cuda_words(d->driver, error, words, sizeof words),
                    kernel ? kernel : "none");
}

stn_status stn_cuda_leave(stn_device *device, const char *what, int error)
{
    void *popped;
    const stn_status status = error ? leave_failed(device, what, error) : STN_OK;
    (void)stn_cuda_of(device)->driver->context_pop(&popped);
    return status;
}
