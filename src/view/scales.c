/* Scales that differ from element to element: given to a view, read, and cut with it. */
#include "view/scales.h"

#include "core/status.h"
#include "exec/uses.h"

static int64_t bytes_of(stn_format format)
{
    return format == STN_F32 ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

/* The index of dimension d, or the block that it is in. */
static int64_t number_of(const stn_scales *scales, int d, int64_t index)
{
    return d == scales->dimension ? (scales->phase + index) / scales->block : index;
}

void *stn_scale_address(const stn_view *view, const int64_t *indices)
{
    const stn_scales *scales = &view->scales;
    int64_t at = 0;
    for (int d = 0; d < view->rank; d++)
        at += number_of(scales, d, indices[d]) * scales->stride[d];
    return (char *)scales->data + at * bytes_of(scales->format);
}

void stn_scales_reach(const stn_view *view, int64_t *lowest, int64_t *highest)
{
    *lowest = *highest = 0;
    for (int d = 0; d < view->rank; d++) {
        const int64_t reach =
            number_of(&view->scales, d, view->extent[d] - 1) * view->scales.stride[d];
        *lowest += reach < 0 ? reach : 0;
        *highest += reach > 0 ? reach : 0;
    }
}

stn_status stn_scales_settle(const stn_view *view)
{
    const int64_t bytes = bytes_of(view->scales.format);
    int64_t lowest, highest;
    if (!view->scales.data || !stn_uses_any() || stn_view_count(view) == 0)
        return STN_OK;
    stn_scales_reach(view, &lowest, &highest);
    return stn_uses_wait((char *)view->scales.data + lowest * bytes,
                         (size_t)((highest - lowest + 1) * bytes));
}

int stn_scales_are_one(const stn_view *view)
{
    const stn_scales *scales = &view->scales;
    int differ = 0;
    for (int d = 0; d < view->rank; d++) {
        if (view->extent[d] == 0)
            return 1;
        differ |= view->extent[d] > 1 && scales->stride[d] != 0 &&
                  (d != scales->dimension || scales->phase + view->extent[d] > scales->block);
    }
    return !differ;
}

double stn_scale_at(const stn_view *view, const int64_t *indices)
{
    if (!view->scales.data)
        return view->storage.scale;
    const void *scale = stn_scale_address(view, indices);
    return view->scales.format == STN_F32 ? (double)*(const float *)scale : *(const double *)scale;
}

const stn_view *stn_view_with_one_scale(const stn_view *view, stn_view *room)
{
    static const int64_t zeros[STN_MAX_RANK];
    if (!view->scales.data || stn_view_count(view) == 0 || !stn_scales_are_one(view))
        return view;
    *room = *view;
    room->storage.scale = stn_scale_at(view, zeros);
    room->scales.data = NULL;
    return room;
}

/* ---- giving ---- */

static stn_status check(const stn_view *view, const stn_scales *scales)
{
    const int d = scales->dimension;
    if (scales->format != STN_F64 && scales->format != STN_F32)
        return stn_fail(STN_ERR_FORMAT,
                        "stn_view_set_scales: %s: scales->format is %s; it must be f64 or f32",
                        stn_view_text(view), stn_format_text(scales->format));
    if ((uintptr_t)scales->data % (uintptr_t)bytes_of(scales->format))
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_view_set_scales: %s: scales->data at %p is not aligned to %lld bytes",
                        stn_view_text(view), scales->data, (long long)bytes_of(scales->format));
    if (d < -1 || d >= view->rank)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_view_set_scales: scales->dimension is %d, but %s has rank %d", d,
                        stn_view_text(view), view->rank);
    if (d >= 0 && (scales->block < 1 || scales->phase < 0 || scales->phase >= scales->block))
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_view_set_scales: %s: scales->block is %lld and scales->phase %lld; "
                        "phase must be in 0 to block - 1",
                        stn_view_text(view), (long long)scales->block, (long long)scales->phase);
    return STN_OK;
}

/* The furthest scale must be within the address space. */
static stn_status check_reach(const stn_view *view, const stn_scales *scales)
{
    stn_view grid = {.rank = view->rank};
    int64_t lowest, highest, last;
    if (stn_view_count(view) == 0)
        return STN_OK;
    for (int d = 0; d < view->rank; d++) {
        last = view->extent[d] - 1;
        if (d == scales->dimension && __builtin_add_overflow(last, scales->phase, &last))
            last = INT64_MAX - 1;
        if (d == scales->dimension && view->extent[d])
            last /= scales->block;
        grid.extent[d] = view->extent[d] ? last + 1 : 0;
        grid.stride[d] = scales->stride[d];
    }
    if (!stn_view_reach(&grid, &lowest, &highest) || highest > INT64_MAX / 16 ||
        lowest < -(INT64_MAX / 16))
        return stn_fail(STN_ERR_RANGE,
                        "stn_view_set_scales: %s: its scales exceed the address space",
                        stn_view_text(view));
    return STN_OK;
}

stn_status stn_view_set_scales(stn_view *view, const stn_scales *scales)
{
    STN_TRY(stn_view_check("stn_view_set_scales", view));
    if (!scales)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_set_scales: scales is NULL");
    if (scales->data && view->mapping)
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "stn_view_set_scales: %s has layout %s; only strided views take scales that differ",
            stn_view_text(view), stn_layout_name(view->mapping->layout.kind));
    if (scales->data) {
        STN_TRY(check(view, scales));
        STN_TRY(check_reach(view, scales));
    }
    view->scales = scales->data ? *scales : (stn_scales){.data = NULL};
    return STN_OK;
}

/* ---- cutting ---- */

/* Blocks along a sliced dimension, for more than one index: going backward, they are counted from
 * their other end. Steps divide the block, or go over whole ones. 0 when neither is so. */
static int cut_blocks(stn_scales *part, int64_t *stride, const stn_slice *slice)
{
    int64_t step = slice->step;
    if (step < 0) {
        part->phase = part->block - 1 - part->phase;
        *stride = -*stride;
        step = -step;
    }
    if (part->block % step == 0) {
        part->phase /= step;
        part->block /= step;
    } else if (step % part->block == 0) {
        *stride *= step / part->block;
        part->phase = 0;
        part->block = 1;
    } else {
        return 0;
    }
    return 1;
}

static int slice_dimension(stn_scales *part, int64_t *stride, int is_blocked,
                           const stn_slice *slice)
{
    if (!is_blocked) {
        if (slice->count > 1)
            *stride *= slice->step;
        return 1;
    }
    part->phase = (part->phase + slice->begin) % part->block;
    return slice->count <= 1 || cut_blocks(part, stride, slice);
}

stn_status stn_scales_slice(stn_scales *part, const char *call, const stn_view *view,
                            const stn_slice *slices)
{
    const stn_scales *scales = &view->scales;
    int64_t offset = 0;
    int kept = 0;
    *part = *scales;
    part->dimension = -1;
    for (int d = 0; d < view->rank; d++) {
        int64_t stride = scales->stride[d];
        const int is_blocked = d == scales->dimension;
        const stn_slice slice =
            slices[d].all ? stn_slice_strided(0, view->extent[d], 1) : slices[d];
        offset += number_of(scales, d, slice.begin) * stride;
        if (slice.drops)
            continue;
        if (!slice_dimension(part, &stride, is_blocked, &slice))
            return stn_fail(
                STN_ERR_UNSUPPORTED,
                "%s: %s: a step of %lld divides blocks of %lld elements with one scale unevenly",
                call, stn_view_text(view), (long long)slice.step, (long long)scales->block);
        if (is_blocked)
            part->dimension = kept;
        part->stride[kept++] = stride;
    }
    for (int d = kept; d < view->rank; d++)
        part->stride[d] = 0;
    part->data = (void *)((uintptr_t)scales->data + (uintptr_t)(offset * bytes_of(scales->format)));
    return STN_OK;
}
