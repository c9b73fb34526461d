/* Mirrors: views of the same shape in memory that another executor can access. */
#include <string.h>

#include "core/status.h"
#include "exec/exec.h"
#include "view/create.h"
#include "view/layout/mapping.h"
#include "view/number.h"
#include "view/scales.h"
#include "view/segmented.h"

static stn_status check(const char *call, const stn_view *mirror, const stn_view *view,
                        stn_space space)
{
    if (!mirror)
        return stn_fail(STN_ERR_ARGUMENT, "%s: mirror is NULL", call);
    STN_TRY(stn_view_check(call, view));
    if ((unsigned)space > STN_SPACE_DEVICE)
        return stn_fail(STN_ERR_ARGUMENT, "%s: space %d is unknown (0 to %d)", call, (int)space,
                        STN_SPACE_DEVICE);
    return STN_OK;
}

/* A part of a packed or banded matrix that repeats elements cannot be written, so its mirror has
 * layout right. */
static int keeps_mapping(const stn_view *view)
{
    return stn_view_mapping(view) && (stn_view_is_unique(view) || stn_view_is_whole_matrix(view));
}

/* The view's own layout and strides. Mirrors of views that repeat elements have layout right. */
static stn_layout layout_of(const stn_view *view)
{
    if (keeps_mapping(view))
        return stn_view_mapping(view)->layout;
    if (!stn_view_is_unique(view))
        return stn_layout_of(STN_LAYOUT_RIGHT);
    return stn_view_is_contiguous(view) && stn_view_layout(view) != STN_LAYOUT_STRIDED
               ? stn_layout_of(stn_view_layout(view))
               : stn_layout_strided(view->rank, view->stride);
}

/* Part of a mapped view: the mirror contains the whole array of the mapping, and is the same part
 * of it. */
static void set_part(stn_view *mirror, const stn_view *view)
{
    mirror->rank = view->rank;
    memcpy(mirror->extent, view->extent, sizeof mirror->extent);
    memcpy(mirror->stride, view->stride, sizeof mirror->stride);
    mirror->first = view->first;
    memcpy(mirror->axis, view->axis, sizeof mirror->axis);
}

/* The mirror gets the view's scales, and its elements draw by the same numbers. */
static stn_status set_whole(const char *call, stn_view *mirror, const stn_view *view)
{
    stn_whole whole;
    const int is_stochastic = view->storage.rounding == STN_ROUND_STOCHASTIC;
    if (!stn_view_has_scales(view) &&
        (!is_stochastic || stn_view_mapping(view) || stn_view_draws_in_order(view)))
        return STN_OK;
    stn_whole_of(mirror, &whole);
    whole.scales = stn_scales_of(view);
    whole.draw_first = stn_view_draw_first(view);
    stn_view_draw_steps(view, whole.draw_step);
    return stn_view_set_whole(call, mirror, &whole);
}

static stn_status create_mirror(const stn_exec *exec, stn_view *mirror, const stn_view *view,
                                stn_space space)
{
    static const char call[] = "stn_view_mirror";
    stn_view result;
    STN_TRY(check(call, mirror, view, space));
    if (space != STN_SPACE_HOST && !stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s memory for a mirror of %s needs the executor of a device, not %s",
                        call, stn_space_name(space), stn_view_text(view),
                        exec ? stn_exec_name(exec) : "the calling thread");
    if (stn_view_is_empty(view)) {
        memset(mirror, 0, sizeof *mirror);
        return STN_OK;
    }
    const stn_layout layout = layout_of(view);
    const int is_mapped = keeps_mapping(view);
    STN_TRY(stn_view_create_in(call, &result, exec, space, view->label, view->storage, &layout,
                               is_mapped ? stn_view_mapping(view)->rank : view->rank,
                               is_mapped ? stn_view_mapping(view)->extent : view->extent,
                               STN_CREATE_UNINITIALIZED));
    stn_status status = STN_OK;
    if (stn_view_planes_of(view))
        status = stn_planes_create(result.owner, &result);
    if (is_mapped)
        set_part(&result, view);
    result.fixed = view->fixed;
    if (!is_mapped)
        status = set_whole(call, &result, view);
    if (status != STN_OK) {
        stn_view_release(&result);
        return status;
    }
    *mirror = result;
    return STN_OK;
}

stn_status stn_view_mirror(const stn_exec *exec, stn_view *mirror, const stn_view *view,
                           stn_space space)
{
    return stn_view_derived(create_mirror(exec, mirror, view, space), mirror, view);
}

/* Returns whether memory in one space can replace memory in `space`. A device's own memory is
 * faster than host memory that it can read. */
static int is_like(const stn_exec *exec, stn_space of_view, stn_space space)
{
    if (!stn_exec_device(exec))
        return stn_space_accessible(exec, of_view) == stn_space_accessible(exec, space);
    return of_view == space || (space == STN_SPACE_HOST && of_view != STN_SPACE_DEVICE) ||
           (space == STN_SPACE_DEVICE && of_view == STN_SPACE_MANAGED);
}

static stn_status mirror_or_share(const stn_exec *exec, stn_view *mirror, const stn_view *view,
                                  stn_space space, stn_mirror_contents contents)
{
    STN_TRY(check("stn_view_mirror_view", mirror, view, space));
    if (is_like(exec, (stn_space)view->space, space)) {
        if (contents == STN_MIRROR_COPY && space == STN_SPACE_HOST)
            STN_TRY(stn_view_settle("stn_view_mirror_view", NULL, view));
        return stn_view_share(mirror, view);
    }
    STN_TRY(stn_view_mirror(exec, mirror, view, space));
    if (contents != STN_MIRROR_COPY)
        return STN_OK;
    stn_status status = stn_view_copy(exec, mirror, view);
    if (status == STN_OK && stn_view_planes_of(view))
        status = stn_view_planes(mirror, mirror, stn_view_plane_count(view));
    if (status != STN_OK)
        stn_view_release(mirror);
    return status;
}

stn_status stn_view_mirror_view(const stn_exec *exec, stn_view *mirror, const stn_view *view,
                                stn_space space, stn_mirror_contents contents)
{
    return stn_view_derived(mirror_or_share(exec, mirror, view, space, contents), mirror, view);
}
