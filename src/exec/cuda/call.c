/* Calls of the driver. */
#include "exec/cuda/call.h"

#include "core/status.h"
#include "exec/cuda/load.h"

/* Mode of the calling thread between stn_cuda_push and stn_cuda_pop. */
static _Thread_local int mode_before;

int stn_cuda_push(const stn_cuda_device *device)
{
    const stn_cuda_driver *const driver = device->driver;
    void *popped;
    int error = driver->context_push(device->context);
    if (error != 0)
        return error;
    mode_before = STN_CUDA_CAPTURE_RELAXED;
    error = driver->capture_mode(&mode_before);
    if (error != 0)
        (void)driver->context_pop(&popped);
    return error;
}

void stn_cuda_pop(const stn_cuda_device *device)
{
    void *popped;
    (void)device->driver->capture_mode(&mode_before);
    (void)device->driver->context_pop(&popped);
}

/* Waiting for a captured stream, or querying it, ends the capture. Other libraries do not know the
 * library's own streams. */
int stn_cuda_is_captured(const stn_cuda_device *device)
{
    int status = 0;
    if (!device->device.is_adopted)
        return 0;
    const int error = device->driver->stream_captures(device->queue, &status);
    return error == STN_CUDA_CAPTURE_IMPLICIT || (error == 0 && status != 0);
}

stn_status stn_cuda_refuse(const stn_cuda_device *device, const char *what, int error)
{
    char description[160];
    return stn_fail(error == STN_CUDA_OUT_OF_MEMORY ? STN_ERR_MEMORY : STN_ERR_DEVICE, "%s: %s: %s",
                    device->device.resource, what,
                    stn_cuda_error_text(device->driver, error, description, sizeof description));
}

/* Errors after which every call in the context fails, as documented for CUresult and hipError_t,
 * which use the same numbers. */
static int is_final(int error)
{
    switch (error) {
    case 214: /* uncorrectable ECC error */
    case 220: /* uncorrectable NVLink error */
    case 226: /* contained memory error */
    case 700: /* illegal address */
    case 702: /* launch timeout */
    case 709: /* context destroyed */
    case 710: /* assertion */
    case 714: /* stack error */
    case 715: /* illegal instruction */
    case 716: /* misaligned address */
    case 717: /* invalid address space */
    case 718: /* invalid program counter */
    case 719: /* launch failure */
    case 721: /* tensor memory leak */
    case 810: /* MPS client terminated */
    case 911: /* external device */
        return 1;
    default:
        return 0;
    }
}

stn_status stn_cuda_enter(stn_device *device)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    STN_TRY(stn_device_check(device));
    const int error = stn_cuda_push(d);
    return error ? stn_cuda_refuse(d, "its context cannot be used", error) : STN_OK;
}

static stn_status refuse_failed(stn_device *device, const char *what, int error)
{
    const char *const kernel = atomic_load_explicit(&device->newest, memory_order_relaxed);
    char description[160];
    atomic_store_explicit(&device->failed, 1, memory_order_release);
    return stn_fail(
        STN_ERR_DEVICE,
        "%s: %s: %s; the most recently launched kernel is %s. This process can no "
        "longer use the device",
        device->resource, what,
        stn_cuda_error_text(stn_cuda_of(device)->driver, error, description, sizeof description),
        kernel ? kernel : "none");
}

/* Work queued before the failed call may use memory that the caller frees next. */
static int wait_after(const stn_cuda_device *d, int error)
{
    const int later =
        is_final(error) || stn_cuda_is_captured(d) ? 0 : d->driver->stream_wait(d->queue);
    return is_final(later) ? later : error;
}

stn_status stn_cuda_leave(stn_device *device, const char *what, int error)
{
    const stn_cuda_device *const d = stn_cuda_of(device);
    const int first = error ? wait_after(d, error) : 0;
    const stn_status status = first == 0        ? STN_OK
                              : is_final(first) ? refuse_failed(device, what, first)
                                                : stn_cuda_refuse(d, what, first);
    stn_cuda_pop(d);
    return status;
}
