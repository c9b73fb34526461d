/* Copies that a device carries out: between views in its reach, by a kernel that is compiled for
 * the two formats, and of codes as they are between its memory and the host's. */
#ifndef STENO_VIEW_REMOTE_H
#define STENO_VIEW_REMOTE_H

#include "exec/device.h"
#include "view/copy/copy.h"

/* STN_ERR_UNSUPPORTED unless the device of `exec` can copy between these spaces. */
stn_status stn_remote_expect(const char *call, const stn_exec *exec, const stn_view *to,
                             const stn_view *from);

/* STN_ERR_UNSUPPORTED unless a view in device memory is in that of this device: as its owner says,
 * or the driver where it has none. */
stn_status stn_remote_expect_here(const char *call, stn_device *device, const stn_view *view);

/* As stn_copy_elements, for views that have been checked; conversion NULL: codes are moved. Waits
 * for the copy unless both are in the device's memory. STN_ERR_UNSUPPORTED for what a device cannot
 * do, before anything is written, and STN_ERR_DEVICE. */
stn_status stn_remote_copy(const char *call, const stn_exec *exec, const stn_view *to,
                           const stn_view *from, const stn_conversion *conversion);

/* Add three numbers of 64 bits that a device has counted: saturated, underflowed, NaN. */
void stn_remote_count(stn_counters *counters, const void *numbers);

/* ---- parts of it ---- */

/* What the kernel does with each element. */
typedef struct stn_remote_task {
    const stn_exec *exec;
    stn_device *device; /* its */
    const stn_view *to, *from;
    const stn_conversion *conversion;
    int is_constant; /* every element of `from` is the first one, which the host reads */
} stn_remote_task;

/* Queue the elements of a plan, whose steps may have any sign; `draws` are the numbers of elements
 * (stn_view_draw_steps), or NULL. */
stn_status stn_remote_kernel(const stn_remote_task *task, const stn_copy_plan *plan,
                             const int64_t *draws, uint64_t draw_first);

/* Queue all elements, under scales that differ, or in layouts that are no strides; one of the
 * library's own kernels. STN_ERR_UNSUPPORTED for lengths and integers that no kernel keeps. */
stn_status stn_remote_map(const char *call, const stn_remote_task *task);

/* Queue the elements of a finished plan, one of whose sides is on the host, as they are. */
stn_status stn_remote_boxes(stn_device *device, const stn_copy_plan *plan);

#endif
