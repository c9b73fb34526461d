/* Selection of fused loops that were compiled for these views. */
#include "map/launch.h"

/* Elements per call of a fused loop, which needs no workspace. */
enum { FUSED_TILE = 16384 };

int stn_launch_scale_is_free(const stn_launch *launch, const stn_slot *slot)
{
    const stn_affine *affine = &slot->reader.run.affine;
    const int real = launch->arithmetic == STN_F64 || launch->arithmetic == STN_F32;
    return affine->plain ||
           (real && slot->view->storage.format != launch->arithmetic && affine->zero == 0.0 &&
            affine->inverse != 0.0 && slot->reader.run.codec != NULL);
}

static int matches(const stn_launch *launch, const stn_slot *slot, stn_format format)
{
    const int last = launch->rank - 1;
    return slot->reader.plain && slot->view->storage.format == format &&
           slot->returns != STN_RETURNS_SOME && stn_launch_scale_is_free(launch, slot) &&
           !slot->reader.run.portable && (slot->stride[last] == 1 || launch->extent[last] == 1);
}

static int fits(const stn_launch *launch, const stn_fused_loop *fused)
{
    if (fused->arithmetic != launch->arithmetic)
        return 0;
    for (int v = 0; v < launch->views; v++) {
        const int at = launch->view_at[v];
        if (!matches(launch, &launch->slots[at], fused->formats[at]))
            return 0;
    }
    return 1;
}

void stn_launch_fuse(stn_launch *launch)
{
    if (launch->shares || launch->columns || stn_exec_is_reference(launch->exec))
        return;
    const stn_kernel *const kernel = launch->kernel;
    for (const stn_fused_loop *const *at = kernel->fused; at != kernel->fused_end; at++)
        if ((*at)->parameters == kernel->parameters && fits(launch, *at)) {
            launch->loop = (*at)->loop;
            launch->tile = FUSED_TILE;
            for (int v = 0; v < launch->views; v++)
                launch->slots[launch->view_at[v]].native = 1;
            return;
        }
}
