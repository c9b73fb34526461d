/* Copies of segmented views that a device performs: between memories, plane by plane. */
#include "core/status.h"
#include "view/remote.h"
#include "view/segmented.h"

/* Bits that `from` does not read are zero in `to`. */
static stn_status copy_plane(const char *call, const stn_remote_task *task, int number)
{
    const stn_view to = stn_view_plane(task->to, number);
    if (number >= stn_view_planes_of(task->from)->count)
        return stn_view_fill(to.space == STN_SPACE_HOST ? NULL : task->exec, &to, 0.0);
    const stn_view from = stn_view_plane(task->from, number);
    return stn_remote_copy(call, task->exec, &to, &from, NULL);
}

stn_status stn_remote_move_planes(const char *call, const stn_remote_task *task)
{
    if (!stn_remote_is_on_host(task))
        return stn_remote_map(call, task);
    if (!stn_view_planes_of(task->to) || !stn_view_planes_of(task->from))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: one of %s and %s is segmented, and they are in different memories: "
                        "copy by a mirror of one of them (stn_view_mirror)",
                        call, stn_view_text(task->to), stn_view_text(task->from));
    for (int number = 0; number < STN_MAX_PLANES; number++)
        STN_TRY(copy_plane(call, task, number));
    return STN_OK;
}
