/* Copies that a device performs: support, and selection of the method. */
#include "view/remote.h"

#include "core/status.h"
#include "view/blocks.h"
#include "view/copy/boxes.h"
#include "view/layout/mapping.h"
#include "view/layout/shape.h"
#include "view/segmented.h"
#include "view/store.h"

/* ---- checks ---- */

static int64_t bytes_of(const stn_view *view)
{
    return stn_format_entry_of(view->storage.format)->info.bytes;
}

/* A single element in host memory is passed as an argument of the kernel. */
static int is_constant(const stn_view *view)
{
    for (int d = 0; d < view->rank; d++)
        if (view->extent[d] > 1 && view->stride[d] != 0)
            return 0;
    return !stn_view_mapping(view) && !stn_view_has_scales(view) && view->space == STN_SPACE_HOST &&
           bytes_of(view) <= 16;
}

static stn_status refuse(const char *call, const stn_view *view, const char *what)
{
    return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s %s", call, stn_view_text(view), what);
}

/* For memory without an owner, the driver determines the device. */
stn_status stn_remote_expect_here(const char *call, stn_device *device, const stn_view *view)
{
    const stn_device *const of = view->owner ? view->owner->device : NULL;
    if (view->space != STN_SPACE_DEVICE ||
        (of && of->calls == device->calls && of->number == device->number))
        return STN_OK;
    const stn_block_format *format;
    stn_blocks memory;
    return stn_device_expect(device, call, stn_view_text(view),
                             stn_blocks_of(view, &format, &memory) ? memory.codes : view->data);
}

/* Views whose codes are in memory, as elements, blocks or planes. */
static stn_status expect_codes(const char *call, const stn_view *view)
{
    return stn_format_block(view->storage.format) || stn_view_planes_of(view)
               ? STN_OK
               : stn_view_expect_memory(call, view);
}

stn_status stn_remote_expect(const char *call, const stn_exec *exec, const stn_view *to,
                             const stn_view *from)
{
    if ((to->traits | from->traits) & STN_TRAIT_ATOMIC)
        return refuse(call, to->traits & STN_TRAIT_ATOMIC ? to : from,
                      "is atomic, and a device does not access elements so");
    if (to->space == STN_SPACE_HOST && from->space == STN_SPACE_HOST)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is in host memory, out of reach of %s", call,
                        stn_view_text(to), exec->device->resource);
    STN_TRY(expect_codes(call, to));
    STN_TRY(expect_codes(call, from));
    if (stn_view_count(to) == 0)
        return STN_OK;
    STN_TRY(stn_remote_expect_here(call, exec->device, to));
    STN_TRY(stn_remote_expect_here(call, exec->device, from));
    STN_TRY(stn_view_settle(call, exec, to));
    return stn_view_settle(call, exec, from);
}

/* For views whose elements are converted. */
static stn_status check_storage(const char *call, const stn_view *view)
{
    if (!stn_format_is_on_devices(view->storage.format))
        return refuse(call, view, "has a registered format without a device text");
    return STN_OK;
}

static stn_status check_double(const char *call, const stn_remote_task *task)
{
    const stn_view *const views[] = {task->to, task->from};
    stn_status status = stn_device_expect_format(
        task->device, "the conversion's arithmetic",
        task->conversion->widens ? STN_F64 : task->conversion->to.arithmetic);
    for (int k = 0; k < 2 && status == STN_OK; k++)
        status = stn_device_expect_format(task->device, stn_view_text(views[k]),
                                          views[k]->storage.format);
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

static stn_status check_conversion(const char *call, const stn_remote_task *task)
{
    STN_TRY(check_storage(call, task->to));
    STN_TRY(check_storage(call, task->from));
    STN_TRY(check_double(call, task));
    if (task->to->space == STN_SPACE_HOST ||
        (task->from->space == STN_SPACE_HOST && !task->is_constant))
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "%s: %s and %s are stored in different ways and in different memories: copy "
            "by a mirror of one of them (stn_view_mirror)",
            call, stn_view_text(task->to), stn_view_text(task->from));
    return STN_OK;
}

/* ---- ways ---- */

int stn_remote_is_on_host(const stn_remote_task *task)
{
    return task->to->space == STN_SPACE_HOST ||
           (task->from->space == STN_SPACE_HOST && !task->is_constant);
}

static stn_copy_plan start(const stn_remote_task *task)
{
    return (stn_copy_plan){.to = task->to->data,
                           .from = task->from->data,
                           .to_bytes = bytes_of(task->to),
                           .from_bytes = bytes_of(task->from)};
}

/* Codes between memories, in boxes. */
typedef struct remote_run {
    stn_device *device;
    stn_status status; /* the first error */
} remote_run;

static void run_box(void *context, const stn_copy_plan *plan)
{
    remote_run *const run = context;
    if (run->status == STN_OK)
        run->status = stn_remote_boxes(run->device, plan);
}

static stn_status move_strided(const char *call, const stn_remote_task *task)
{
    stn_copy_plan plan = start(task);
    const stn_copy_nest *const nest = &plan.nest;
    for (int d = 0; d < task->to->rank; d++)
        stn_copy_plan_add(&plan, task->to->extent[d], task->to->stride[d] * plan.to_bytes,
                          task->from->stride[d] * plan.from_bytes);
    stn_copy_plan_finish(&plan);
    if (nest->rank == 1 && nest->to[0] == plan.to_bytes && nest->from[0] == plan.from_bytes &&
        !task->is_constant)
        return stn_device_copy(task->device, plan.to, plan.from,
                               (size_t)(nest->extent[0] * plan.to_bytes));
    return stn_remote_is_on_host(task) ? stn_remote_boxes(task->device, &plan)
                                       : stn_remote_map(call, task);
}

static int is_whole_mapping(const stn_view *view)
{
    int64_t count = 1;
    for (int d = 0; stn_view_mapping(view) && d < stn_view_mapping(view)->rank; d++)
        count *= stn_view_mapping(view)->extent[d];
    return stn_view_mapping(view) && count == stn_view_count(view);
}

/* Memory in which each element has the same position on both sides. In device memory, there must
 * not be other bytes in between; elements of any layout can be copied there otherwise. */
static int is_same_memory(const stn_view *to, const stn_view *from)
{
    return is_whole_mapping(to) && is_whole_mapping(from) &&
           stn_layout_is_same(&stn_view_mapping(to)->layout, &stn_view_mapping(from)->layout) &&
           memcmp(to->axis, from->axis, sizeof to->axis) == 0 &&
           memcmp(to->stride, from->stride, sizeof to->stride) == 0 && to->first == from->first;
}

static stn_status move_mapped(const char *call, const stn_remote_task *task)
{
    const stn_view *to = task->to, *from = task->from;
    const stn_copy_plan plan = start(task);
    const int is_dense = stn_view_span(to) == stn_view_count(to);
    remote_run run = {task->device, STN_OK};
    if (is_same_memory(to, from) && (is_dense || stn_remote_is_on_host(task)))
        return stn_device_copy(task->device, to->data, from->data,
                               (size_t)(stn_view_span(to) * plan.to_bytes));
    if (!stn_remote_is_on_host(task))
        return stn_remote_map(call, task);
    if (!stn_copy_has_boxes(to, from))
        return refuse(call, stn_view_mapping(to) ? to : from,
                      "is in a layout that is copied between memories only without conversion: "
                      "copy by a mirror of it");
    stn_copy_boxes(to, from, &plan, run_box, &run);
    return run.status;
}

static int has_planes(const stn_remote_task *task)
{
    return stn_view_planes_of(task->to) || stn_view_planes_of(task->from);
}

static stn_status queue(const char *call, const stn_remote_task *task)
{
    return task->conversion                             ? stn_remote_map(call, task)
           : stn_format_block(task->to->storage.format) ? stn_remote_move_blocks(call, task)
           : has_planes(task)                           ? stn_remote_move_planes(call, task)
           : stn_view_mapping(task->to) || stn_view_mapping(task->from) ? move_mapped(call, task)
                                                                        : move_strided(call, task);
}

stn_status stn_remote_copy(const char *call, const stn_exec *exec, const stn_view *to,
                           const stn_view *from, const stn_conversion *conversion)
{
    const stn_remote_task task = {exec, exec->device, to, from, conversion, is_constant(from)};
    const int stays =
        to->space == STN_SPACE_DEVICE && (from->space == STN_SPACE_DEVICE || task.is_constant);
    if (conversion)
        STN_TRY(check_conversion(call, &task));
    if (!stays)
        STN_TRY(stn_device_expect_uncaptured(exec->device));
    STN_TRY(queue(call, &task));
    return stays ? STN_OK : stn_device_wait(exec->device);
}

void stn_remote_count(stn_counters *counters, const void *numbers)
{
    stn_counters events;
    memcpy(&events, numbers, sizeof events);
    stn_counters_add(counters, &events, 1);
}
