/* Scales of elements. */
#include "view/scale_run.h"

#include <float.h>
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

static double number_at(const stn_scales *scales, const void *first, int64_t at)
{
    return scales->format == STN_F32 ? (double)((const float *)first)[at]
                                     : ((const double *)first)[at];
}

/* From blocks, the first of which has `left` elements still. */
static void repeat_scales(const stn_scales *scales, const void *first, int64_t step, int64_t left,
                          int64_t count, double *values)
{
    for (int64_t k = 0, number = 0; k < count; number++, left = scales->block) {
        const double scale = number_at(scales, first, number * step);
        for (int64_t end = k + left < count ? k + left : count; k < end; k++)
            values[k] = scale;
    }
}

static void take_scales(const stn_scales *scales, const void *first, int64_t step, int64_t count,
                        double *values)
{
    for (int64_t k = 0; k < count; k++)
        values[k] = number_at(scales, first, k * step);
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

/* Scales may be as many as elements: those that could be wrong are found without a call for each.
 * The number of the first one from k on, or `count`. */
static int64_t find_unusable(const stn_scales *scales, const void *first, int64_t step, int64_t k,
                             int64_t count, stn_format arithmetic)
{
    const int narrow = arithmetic == STN_F32 || arithmetic == STN_C64;
    const double most = narrow ? (double)FLT_MAX : DBL_MAX, least = narrow ? 0x1p-150 : 0.0;
    for (; k < count; k++) {
        const double scale = fabs(number_at(scales, first, k * step));
        if (!(scale > least && scale <= most) || arithmetic == STN_I64)
            return k;
    }
    return count;
}

stn_status stn_scales_check(const char *call, stn_format arithmetic, const stn_view *view)
{
    int64_t extents[STN_MAX_RANK], numbers[STN_MAX_RANK] = {0}, indices[STN_MAX_RANK];
    const int last = view->rank - 1;
    if (!stn_view_has_scales(view) || stn_view_count(view) == 0)
        return STN_OK;
    for (int d = 0; d < view->rank; d++)
        extents[d] = d == last ? 1 : stn_view_scale_extent(view, d);
    const int64_t count = last < 0 ? 1 : stn_view_scale_extent(view, last);
    const int64_t step = last < 0 ? 0 : view->scales.stride[last];
    do {
        for (int d = 0; d < view->rank; d++)
            indices[d] = stn_view_scale_begin(view, d, numbers[d]);
        const void *first = stn_scale_address(view, indices);
        for (int64_t k = 0; k < count; k++) { /* suspects are looked at by themselves */
            k = find_unusable(&view->scales, first, step, k, count, arithmetic);
            if (k < count)
                STN_TRY(
                    check_scale(call, arithmetic, view, number_at(&view->scales, first, k * step)));
        }
    } while (stn_next_indices(view->rank, extents, numbers));
    return STN_OK;
}
