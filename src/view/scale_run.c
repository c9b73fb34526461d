/* Scales of elements. */
#include "view/scale_run.h"

#include <math.h>

#include "core/status.h"

int64_t stn_scale_run(const stn_view *view, const int64_t *indices, int64_t count, stn_run *run)
{
    const stn_scales *scales = &view->scales;
    const int last = view->rank - 1;
    const stn_storage storage = {.scale = stn_scale_at(view, indices), .zero = view->storage.zero};
    run->affine = stn_affine_of(&storage, run->arithmetic);
    if (last < 0 || scales->stride[last] == 0)
        return count;
    if (scales->dimension != last)
        return 1;
    const int64_t left = scales->block - (scales->phase + indices[last]) % scales->block;
    return left < count ? left : count;
}

int64_t stn_scale_extent(const stn_view *view, int dimension)
{
    const int64_t extent = view->extent[dimension];
    if (extent == 0)
        return 0;
    if (view->scales.stride[dimension] == 0)
        return 1;
    if (dimension != view->scales.dimension)
        return extent;
    return (view->scales.phase + extent - 1) / view->scales.block + 1; /* phase is below block */
}

int64_t stn_scale_begin(const stn_view *view, int dimension, int64_t k)
{
    const stn_scales *scales = &view->scales;
    if (k == 0)
        return 0;
    if (scales->stride[dimension] == 0)
        return view->extent[dimension];
    if (dimension != scales->dimension)
        return k;
    const int64_t begin = k * scales->block - scales->phase;
    return begin < view->extent[dimension] ? begin : view->extent[dimension];
}

int stn_next_indices(int rank, const int64_t *extents, int64_t *indices)
{
    for (int d = rank - 1; d >= 0; d--) {
        if (++indices[d] < extents[d])
            return 1;
        indices[d] = 0;
    }
    return 0;
}

stn_status stn_scales_check(const char *call, const stn_view *view)
{
    int64_t extents[STN_MAX_RANK], numbers[STN_MAX_RANK] = {0}, indices[STN_MAX_RANK];
    if (!stn_view_has_scales(view) || stn_view_count(view) == 0)
        return STN_OK;
    for (int d = 0; d < view->rank; d++)
        extents[d] = stn_scale_extent(view, d);
    do {
        for (int d = 0; d < view->rank; d++)
            indices[d] = stn_scale_begin(view, d, numbers[d]);
        const double scale = stn_scale_at(view, indices);
        if (!isfinite(scale) || scale == 0.0)
            return stn_fail(STN_ERR_ARGUMENT, "%s: %s has a scale of %g: it must be finite, not 0",
                            call, stn_view_words(view), scale);
    } while (stn_next_indices(view->rank, extents, numbers));
    return STN_OK;
}
