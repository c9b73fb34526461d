/* Copies that a device performs: between views that it can access, by launches; and unconverted
 * codes between its memory and the host's. */
#ifndef STENO_VIEW_REMOTE_H
#define STENO_VIEW_REMOTE_H

#include "exec/device.h"
#include "view/copy/copy.h"

/* STN_ERR_UNSUPPORTED unless the device of `exec` can copy between these spaces. */
stn_status stn_remote_expect(const char *call, const stn_exec *exec, const stn_view *to,
                             const stn_view *from);

/* STN_ERR_UNSUPPORTED if a view in device memory is on another device, as reported by its owner,
 * or by the driver if it has none. */
stn_status stn_remote_expect_here(const char *call, stn_device *device, const stn_view *view);

/* As stn_copy_elements, for checked views. conversion NULL: codes are moved. Waits for the copy
 * unless both views are in the device's memory. STN_ERR_UNSUPPORTED for copies that a device
 * cannot perform, before anything is written, and STN_ERR_DEVICE. */
stn_status stn_remote_copy(const char *call, const stn_exec *exec, const stn_view *to,
                           const stn_view *from, const stn_conversion *conversion);

/* Adds three 64-bit counts from a device: saturated, underflowed, NaN. */
void stn_remote_count(stn_counters *counters, const void *numbers);

/* ---- parts of it ---- */

typedef struct stn_remote_task {
    const stn_exec *exec;
    stn_device *device; /* device of `exec` */
    const stn_view *to, *from;
    const stn_conversion *conversion; /* NULL: codes are moved */
    int is_constant; /* all elements of `from` are the first one, which the host reads */
} stn_remote_task;

/* Queues a launch that copies the elements of views that the device can access (map/copy.c). */
stn_status stn_remote_map(const char *call, const stn_remote_task *task);

/* Queues a launch that encodes blocks: elements whose code in `from` is all ones are kept. */
stn_status stn_remote_encode(const stn_exec *exec, const stn_view *to, const stn_view *from);

/* The same for unconverted views in block formats, one of which may be on the host. */
stn_status stn_remote_move_blocks(const char *call, const stn_remote_task *task);

/* The same if one of the views, or both, are segmented. */
stn_status stn_remote_move_planes(const char *call, const stn_remote_task *task);

/* Is one of the views on the host? Not if a launch receives its element as an argument. */
int stn_remote_is_on_host(const stn_remote_task *task);

/* Queues the elements of a finished plan, one of whose sides is on the host, without conversion. */
stn_status stn_remote_boxes(stn_device *device, const stn_copy_plan *plan);

#endif
