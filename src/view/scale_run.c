/* Scales of elements. */
#include "view/scale_run.h"

#include <math.h>

#include "core/status.h"

int64_t stn_scale_run(const stn_view *view, const int64_t *indices, int dimension, int64_t count,
                      stn_run *run)
{
    const stn_scales *scales = &view->scales;
    const stn_storage storage = {.scale = stn_scale_at(view, indices), .zero = view->storage.zero};
    run->affine = stn_affine_of(&storage, run->arithmetic);
    if (dimension < 0 || scales->stride[dimension] == 0)
        return count;
    if (scales->dimension != dimension)
        return 1;
    const int64_t left = scales->block - (scales->phase + indices[dimension]) % scales->block;
    return left < count ? left : count;
}

/* From blocks, the first of which has `left` elements still. */
static void repeat_scales(const stn_scales *scales, const void *first, int64_t step, int64_t left,
                          int64_t count, double *values)
{
    for (int64_t k = 0, number = 0; k < count; number++, left = scales->block) {
        const double scale = scales->format == STN_F32
                                 ? (double)((const float *)first)[number * step]
                                 : ((const double *)first)[number * step];
        for (int64_t end = k + left < count ? k + left : count; k < end; k++)
            values[k] = scale;
    }
}

static void take_scales(const stn_scales *scales, const void *first, int64_t step, int64_t count,
                        double *values)
{
    for (int64_t k = 0; k < count; k++)
        values[k] = scales->format == STN_F32 ? (double)((const float *)first)[k * step]
                                              : ((const double *)first)[k * step];
}

const double *stn_scale_values(const stn_view *view, const int64_t *indices, int dimension,
                               int64_t count, stn_format arithmetic, double *room)
{
    const stn_scales *scales = &view->scales;
    const int in_blocks = dimension >= 0 && scales->dimension == dimension;
    const int64_t step = dimension < 0 ? 0 : scales->stride[dimension];
    const void *first = stn_scale_address(view, indices);
    if (!in_blocks && step == 1 && scales->format == STN_F64 && arithmetic != STN_F32)
        return first;
    if (in_blocks)
        repeat_scales(scales, first, step,
                      scales->block - (scales->phase + indices[dimension]) % scales->block, count,
                      room);
    else
        take_scales(scales, first, step, count, room);
    for (int64_t k = 0; k < count && arithmetic == STN_F32; k++)
        room[k] = (double)(float)room[k];
    return room;
}

int64_t stn_view_scale_extent(const stn_view *view, int dimension)
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

int64_t stn_view_scale_begin(const stn_view *view, int dimension, int64_t k)
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

static stn_status check_scale(const char *call, stn_format arithmetic, const stn_view *view,
                              double scale)
{
    const int narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    const double used = narrow ? (double)(float)scale : scale;
    if (arithmetic == STN_I64 && scale != 1.0)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has a scale of %g: i64 arithmetic knows no scale but 1", call,
                        stn_view_words(view), scale);
    if (!isfinite(scale) || scale == 0.0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s has a scale of %g: it must be finite, not 0",
                        call, stn_view_words(view), scale);
    if (!isfinite(used) || used == 0.0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: %s has a scale of %g, which does not fit into f32 arithmetic", call,
                        stn_view_words(view), scale);
    return STN_OK;
}

stn_status stn_scales_check(const char *call, stn_format arithmetic, const stn_view *view)
{
    int64_t extents[STN_MAX_RANK], numbers[STN_MAX_RANK] = {0}, indices[STN_MAX_RANK];
    if (!stn_view_has_scales(view) || stn_view_count(view) == 0)
        return STN_OK;
    for (int d = 0; d < view->rank; d++)
        extents[d] = stn_view_scale_extent(view, d);
    do {
        for (int d = 0; d < view->rank; d++)
            indices[d] = stn_view_scale_begin(view, d, numbers[d]);
        STN_TRY(check_scale(call, arithmetic, view, stn_scale_at(view, indices)));
    } while (stn_next_indices(view->rank, extents, numbers));
    return STN_OK;
}
