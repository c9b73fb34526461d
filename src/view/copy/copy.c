/* Copying views: checks, and selection of the method. */
#include "view/copy/copy.h"

#include <inttypes.h>
#include <string.h>

#include "core/modes.h"
#include "core/status.h"
#include "core/tune.h"
#include "view/copy/boxes.h"
#include "view/copy/coded.h"
#include "view/copy/walk.h"
#include "view/layout/mapping.h"
#include "view/overlap.h"
#include "view/remote.h"
#include "view/scale_run.h"
#include "view/scales.h"
#include "view/trace.h"

/* ---- checks ---- */

stn_status stn_copy_expect(const char *call, const stn_exec *exec, const stn_view *to,
                           const stn_view *from)
{
    STN_TRY(stn_view_check(call, to));
    STN_TRY(stn_view_check(call, from));
    if (stn_view_is_empty(to) != stn_view_is_empty(from))
        return stn_fail(STN_ERR_SHAPE, "%s: %s is " STN_EMPTY_VIEW ", but %s is %s", call,
                        stn_view_is_empty(to) ? "to" : "from",
                        stn_view_is_empty(to) ? "from" : "to",
                        stn_view_text(stn_view_is_empty(to) ? from : to));
    if (stn_view_is_empty(to))
        return STN_OK;
    if (to->rank != from->rank)
        return stn_fail(STN_ERR_SHAPE, "%s: %s and %s differ in rank", call, stn_view_text(to),
                        stn_view_text(from));
    if (memcmp(to->extent, from->extent, (size_t)to->rank * sizeof *to->extent) != 0)
        return stn_fail(STN_ERR_SHAPE, "%s: %s and %s differ in extents", call, stn_view_text(to),
                        stn_view_text(from));
    STN_TRY(stn_view_writable(call, to));
    STN_TRY(stn_exec_check(call, exec));
    if (stn_exec_device(exec))
        return stn_remote_expect(call, exec, to, from);
    STN_TRY(stn_view_expect_usable(call, exec, to));
    return stn_view_expect_usable(call, exec, from);
}

static stn_status refuse_overlap(const stn_view *to, const stn_view *from)
{
    if (!stn_view_is_unique(to))
        return stn_fail(STN_ERR_ALIAS, "stn_view_copy: %s repeats elements", stn_view_text(to));
    if (stn_view_may_share(to, from))
        return stn_fail(STN_ERR_ALIAS, "stn_view_copy: %s and %s overlap", stn_view_text(to),
                        stn_view_text(from));
    return STN_OK;
}

/* ---- ways to copy ---- */

static int64_t bytes_of(const stn_view *view)
{
    return stn_format_entry_of(view->storage.format)->info.bytes;
}

static int is_streaming(const stn_view *to, int64_t bytes)
{
    return stn_passes_caches(bytes) || ((to->traits & STN_TRAIT_STREAMING) && bytes >= 4096);
}

static void run_strides(const stn_exec *exec, const stn_view *to, const stn_view *from,
                        stn_copy_plan *plan)
{
    plan->to = to->data;
    plan->from = from->data;
    for (int d = 0; d < to->rank; d++)
        stn_copy_plan_add(plan, to->extent[d], to->stride[d] * plan->to_bytes,
                          from->stride[d] * plan->from_bytes);
    stn_copy_plan_finish(plan);
    stn_copy_plan_run(exec, plan);
}

/* Elements with different scales, or whose random bits depend on their index, need their indices.
 */
static int needs_indices(const stn_view *to, const stn_view *from, const stn_conversion *conversion)
{
    return conversion && (stn_view_has_scales(to) || stn_view_has_scales(from) ||
                          to->storage.rounding == STN_ROUND_STOCHASTIC);
}

static void run_box(void *exec, const stn_copy_plan *plan)
{
    stn_copy_plan_run(exec, plan);
}

static stn_status copy_by(const char *call, const stn_exec *exec, const stn_view *to,
                          const stn_view *from, const stn_conversion *conversion)
{
    stn_copy_plan plan;
    if (stn_exec_device(exec))
        return stn_remote_copy(call, exec, to, from, conversion);
    if (!conversion && stn_copy_coded(exec, to, from))
        return STN_OK;
    plan.to_bytes = bytes_of(to);
    plan.from_bytes = bytes_of(from);
    plan.conversion = conversion;
    plan.nest.rank = 0;
    plan.streaming = is_streaming(to, stn_view_count(to) * plan.to_bytes);
    if (needs_indices(to, from, conversion) || !stn_copy_has_boxes(to, from))
        stn_copy_walk(exec, to, from, conversion);
    else if (stn_view_mapping(to) || stn_view_mapping(from))
        stn_copy_boxes(to, from, &plan, run_box, (void *)(uintptr_t)exec);
    else
        run_strides(exec, to, from, &plan);
    return STN_OK;
}

/* All checks precede the event. */
static stn_status copy_elements(const char *call, const stn_exec *exec, const stn_view *to,
                                const stn_view *from, int is_traced)
{
    stn_unscaled to_copy, from_copy;
    stn_conversion conversion;
    int moves;
    to = stn_view_with_one_scale(to, &to_copy);
    from = stn_view_with_one_scale(from, &from_copy);
    STN_TRY(stn_conversion_init(&conversion, &moves, call, exec, to, from));
    if (is_traced)
        stn_event_copy_begins(stn_view_trace(to), stn_view_trace(from));
    const stn_status status =
        stn_view_count(to) > 0 ? copy_by(call, exec, to, from, moves ? NULL : &conversion) : STN_OK;
    if (is_traced)
        stn_event_copy_ends(stn_view_trace(to), stn_view_trace(from));
    return status;
}

stn_status stn_copy_elements(const char *call, const stn_exec *exec, const stn_view *to,
                             const stn_view *from)
{
    return copy_elements(call, exec, to, from, 0);
}

stn_view stn_view_repeated(stn_storage storage, const void *code, const stn_view *shape)
{
    stn_view view = {.size = sizeof view,
                     .storage = storage,
                     .data = (void *)(uintptr_t)code,
                     .rank = shape->rank,
                     .read_only = 1};
    memcpy(view.extent, shape->extent, sizeof view.extent);
    return view;
}

stn_status stn_fill_codes(const char *call, const stn_exec *exec, const stn_view *view,
                          const void *code)
{
    const stn_view from = stn_view_repeated(view->storage, code, view);
    return stn_view_count(view) > 0 ? copy_by(call, exec, view, &from, NULL) : STN_OK;
}

/* ---- the public call ---- */

/* Fast path for short contiguous arrays of the same storage, the most frequent copies. */
static int is_short_array(const stn_view *to, const stn_view *from)
{
    return stn_view_is_sound(to) && stn_view_is_sound(from) && to->rank == 1 && from->rank == 1 &&
           to->extent[0] == from->extent[0] && to->extent[0] <= 4096 && to->stride[0] == 1 &&
           from->stride[0] == 1 && !stn_view_mapping(to) && !stn_view_mapping(from) &&
           to->storage.format == from->storage.format && !stn_view_has_scales(to) &&
           !stn_view_has_scales(from) && to->storage.scale == from->storage.scale &&
           to->storage.zero == from->storage.zero && to->space == STN_SPACE_HOST &&
           from->space == STN_SPACE_HOST && !stn_view_is_read_only(to) &&
           !((to->traits | from->traits) & STN_TRAIT_ATOMIC) && !stn_event_is_traced();
}

/* Returns 0 if they overlap. */
static int copy_short_array(const stn_view *to, const stn_view *from)
{
    const int64_t bytes = to->extent[0] * bytes_of(to);
    const uintptr_t a = (uintptr_t)to->data, b = (uintptr_t)from->data;
    if ((a > b ? a - b : b - a) < (uintptr_t)bytes)
        return 0;
    if (bytes > 0)
        memcpy(to->data, from->data, (size_t)bytes);
    return 1;
}

stn_status stn_view_copy(const stn_exec *exec, const stn_view *to, const stn_view *from)
{
    if (is_short_array(to, from) && !stn_exec_device(exec) && copy_short_array(to, from))
        return STN_OK;
    STN_TRY(stn_copy_expect("stn_view_copy", exec, to, from));
    if (stn_view_is_empty(to) || stn_view_is_same(to, from))
        return STN_OK;
    stn_view to_memory, from_memory; /* packed and banded matrices as vectors */
    if (stn_view_as_memory(to, from, &to_memory, &from_memory))
        return stn_view_copy(exec, &to_memory, &from_memory);
    STN_TRY(refuse_overlap(to, from));
    STN_RETURN_IN_MODES(copy_elements("stn_view_copy", exec, to, from, stn_event_is_traced()));
}
