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
    stn_cuda_compilers *const all = platform->compilers;
    stn_cuda_compiler *const next = &all->opened[all->count];
    while (stn_cuda_open_next(&all->library, next))
        if (!platform->start_compiler ||
            platform->start_compiler(next, all->library.failure, sizeof all->library.failure)) {
            all->count++;
            return next;
        }
    return NULL;
}

static const stn_cuda_compiler *choose(const stn_cuda_platform *platform, int capability)
{
    const stn_cuda_compilers *const all = platform->compilers;
    const stn_cuda_compiler *best = NULL;
    int least = STN_CUDA_UNABLE;
    for (int k = 0; least > 0; k++) {
        const stn_cuda_compiler *const next =
            k < all->count ? &all->opened[k] : open_next(platform);
        if (!next)
            break;
        const int rank = platform->rank_compiler && capability > 0
                             ? platform->rank_compiler(next, capability)
                             : 0;
        if (rank < least) {
            least = rank;
            best = next;
        }
    }
    return best;
}

static stn_status refuse(const stn_cuda_compilers *all, int capability)
{
    const stn_cuda_compiler *oldest = &all->opened[0];
    if (all->count == 0)
        return stn_fail(STN_ERR_DEVICE, "%s", all->library.failure);
    for (int k = 1; k < all->count; k++)
        if (all->opened[k].version < oldest->version)
            oldest = &all->opened[k];
    return stn_fail(STN_ERR_DEVICE,
                    "no installed %s compiles for compute capability %d.%d: %s %d.%d compiles for "
                    "%d.%d and later%s",
                    all->library.name, capability / 10, capability % 10, all->library.name,
                    oldest->version / 1000, oldest->version % 1000 / 10,
                    oldest->architecture[0] / 10, oldest->architecture[0] % 10, all->library.use);
}

stn_status stn_cuda_compiler_get(const stn_cuda_platform *platform, int capability,
                                 const stn_cuda_compiler **compiler)
{
    stn_cuda_compilers *const all = platform->compilers;
    (void)pthread_mutex_lock(&all->library.lock);
    *compiler = choose(platform, capability);
    const stn_status status = *compiler ? STN_OK : refuse(all, capability);
    (void)pthread_mutex_unlock(&all->library.lock);
    return status;
}
