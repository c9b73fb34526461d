/* Selection among the installed versions of a compiler. */
#include <stdio.h>

#include "core/status.h"
#include "exec/cuda/load.h"

int stn_cuda_target(const stn_cuda_compiler *compiler, int capability)
{
    int target = 0;
    for (int k = 0; k < compiler->architectures; k++)
        if (compiler->architecture[k] <= capability && compiler->architecture[k] > target)
            target = compiler->architecture[k];
    return target;
}

/* The next usable version, or NULL. */
static const stn_cuda_compiler *open_next(const stn_cuda_platform *platform)
{
    stn_cuda_compilers *const list = platform->compilers;
    stn_cuda_compiler *const next = &list->opened[list->count];
    while (stn_cuda_open_next(&list->library, next))
        if (!platform->start_compiler ||
            platform->start_compiler(next, list->library.failure, sizeof list->library.failure)) {
            list->count++;
            return next;
        }
    return NULL;
}

static const stn_cuda_compiler *choose(const stn_cuda_platform *platform, int capability)
{
    const stn_cuda_compilers *const list = platform->compilers;
    const stn_cuda_compiler *best = NULL;
    int minimum = STN_CUDA_UNABLE;
    for (int k = 0; minimum > 0; k++) {
        const stn_cuda_compiler *const next =
            k < list->count ? &list->opened[k] : open_next(platform);
        if (!next)
            break;
        const int rank = platform->rank_compiler && capability > 0
                             ? platform->rank_compiler(next, capability)
                             : 0;
        if (rank < minimum) {
            minimum = rank;
            best = next;
        }
    }
    return best;
}

static stn_status refuse(const stn_cuda_compilers *list, int capability)
{
    const stn_cuda_compiler *oldest = &list->opened[0];
    if (list->count == 0)
        return stn_fail(STN_ERR_DEVICE, "%s", list->library.failure);
    for (int k = 1; k < list->count; k++)
        if (list->opened[k].version < oldest->version)
            oldest = &list->opened[k];
    return stn_fail(STN_ERR_DEVICE,
                    "no installed %s compiles for compute capability %d.%d: %s %d.%d compiles for "
                    "%d.%d and later%s",
                    list->library.name, capability / 10, capability % 10, list->library.name,
                    oldest->version / 1000, oldest->version % 1000 / 10,
                    oldest->architecture[0] / 10, oldest->architecture[0] % 10, list->library.use);
}

stn_status stn_cuda_compiler_get(const stn_cuda_platform *platform, int capability,
                                 const stn_cuda_compiler **compiler)
{
    stn_cuda_compilers *const list = platform->compilers;
    (void)pthread_mutex_lock(&list->library.lock);
    *compiler = choose(platform, capability);
    const stn_status status = *compiler ? STN_OK : refuse(list, capability);
    (void)pthread_mutex_unlock(&list->library.lock);
    return status;
}
