/* Scales that differ from element to element: setting, reading and slicing. */
#include "view/scales.h"

#include <string.h>

#include "core/divide.h"
#include "core/status.h"
#include "exec/uses.h"
#include "view/owner.h"

static int64_t bytes_of(stn_format format)
{
    return format == STN_F32 ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

/* The index of dimension d, or the number of its block. */
static int64_t number_of(const stn_scales *scales, int d, int64_t index)
{
    return d == scales->dimension ? stn_divide(scales->phase + index, scales->block) : index;
}

void *stn_scales_at(const stn_scales *scales, int rank, const int64_t *indices)
{
    int64_t at = 0;
    for (int d = 0; d < rank; d++)
        at += number_of(scales, d, indices[d]) * scales->stride[d];
    return (char *)scales->data + at * bytes_of(scales->format);
}

void *stn_scale_address(const stn_view *view, const int64_t *indices)
{
    const stn_whole *const whole = stn_view_whole(view);
    int64_t index[STN_MAX_RANK];
    stn_view_base(view, index);
    for (int d = 0; d < view->rank; d++)
        if (view->axis[d] >= 0)
            index[view->axis[d]] += indices[d] * stn_view_step(view, whole, d);
    return stn_scales_at(&whole->scales, whole->rank, index);
}

void stn_scales_reach(const stn_view *view, const stn_scales *scales, int64_t *lowest,
                      int64_t *highest)
{
    *lowest = *highest = 0;
    for (int d = 0; d < view->rank; d++) {
        const int64_t reach = number_of(scales, d, view->extent[d] - 1) * scales->stride[d];
        *lowest += reach < 0 ? reach : 0;
        *highest += reach > 0 ? reach : 0;
    }
}

stn_status stn_scales_settle(const stn_view *view)
{
    int64_t lowest, highest;
    if (!stn_view_has_scales(view) || !stn_uses_any() || stn_view_count(view) == 0)
        return STN_OK;
    const stn_scales scales = stn_scales_of(view);
    const int64_t bytes = bytes_of(scales.format);
    stn_scales_reach(view, &scales, &lowest, &highest);
    return stn_uses_wait((char *)scales.data + lowest * bytes,
                         (size_t)((highest - lowest + 1) * bytes));
}

int stn_scales_to_single(const stn_view *view, const stn_scales *scales)
{
    int differ = 0;
    for (int d = 0; d < view->rank; d++) {
        if (view->extent[d] == 0)
            return 1;
        differ |= view->extent[d] > 1 && scales->stride[d] != 0 &&
                  (d != scales->dimension || scales->phase + view->extent[d] > scales->block);
    }
    return !differ;
}

int stn_scales_are_one(const stn_view *view)
{
    const stn_scales scales = stn_scales_of(view);
    return stn_scales_to_single(view, &scales);
}

static double read_scale(stn_format format, const void *scale)
{
    return format == STN_F32 ? (double)*(const float *)scale : *(const double *)scale;
}

double stn_scale_at(const stn_view *view, const int64_t *indices)
{
    return stn_view_has_scales(view)
               ? read_scale(stn_view_whole(view)->scales.format, stn_scale_address(view, indices))
               : view->storage.scale;
}

const stn_view *stn_view_with_one_scale(const stn_view *view, stn_unscaled *copy)
{
    if (!stn_view_has_scales(view) || stn_view_count(view) == 0)
        return view;
    const stn_scales scales = stn_scales_of(view);
    if (!stn_scales_to_single(view, &scales))
        return view;
    copy->view = *view;
    copy->view.storage.scale = read_scale(scales.format, scales.data);
    copy->whole = *stn_view_whole(view);
    copy->whole.scales.data = NULL;
    copy->extra = (stn_view_extra){.whole = &copy->whole};
    copy->view.extra = &copy->extra;
    return &copy->view;
}

static int is_all(const stn_view *view, const stn_whole *whole)
{
    if (view->first != 0 || view->rank != whole->rank)
        return 0;
    for (int d = 0; d < view->rank; d++)
        if (view->axis[d] != d || view->stride[d] != whole->stride[d])
            return 0;
    return 1;
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
    if (d < STN_NO_DIMENSION || d >= view->rank)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_view_set_scales: scales->dimension is %d, but %s has rank %d", d,
                        stn_view_text(view), view->rank);
    if (d >= 0 && scales->block < 1)
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_view_set_scales: %s: scales->dimension is %d, but scales->block is "
                        "%lld; it must be at least 1, or the dimension STN_NO_DIMENSION",
                        stn_view_text(view), d, (long long)scales->block);
    if (d >= 0 && (scales->phase < 0 || scales->phase >= scales->block))
        return stn_fail(STN_ERR_ARGUMENT,
                        "stn_view_set_scales: %s: scales->block is %lld and scales->phase %lld; "
                        "phase must be in 0 to block - 1",
                        stn_view_text(view), (long long)scales->block, (long long)scales->phase);
    return STN_OK;
}

/* The most distant scale must be within the address space. */
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

/* Returns whether the view is all of an array that already has these scales. */
static int has_same_scales(const stn_view *view, const stn_scales *scales)
{
    const stn_whole *const whole = stn_view_whole(view);
    return is_all(view, whole) && memcmp(&whole->scales, scales, sizeof *scales) == 0;
}

stn_status stn_owner_set_whole(stn_owner *owner, stn_view *view, const stn_whole *whole)
{
    stn_view_extra *extra;
    STN_TRY(stn_extra_of_whole(whole, &extra));
    stn_owner_add_extra(owner, extra);
    stn_extra_set(view, extra);
    return STN_OK;
}

static stn_status keep_whole(stn_view *view, const stn_whole *whole)
{
    stn_view result = *view;
    stn_owner *owner;
    if (view->owner)
        return stn_owner_set_whole(view->owner, view, whole);
    STN_TRY(stn_owner_create(view->label ? view->label : "", &owner));
    stn_owner_attach(&result, owner);
    const stn_status status = stn_owner_set_whole(owner, &result, whole);
    if (status != STN_OK)
        (void)stn_view_release(&result);
    else
        *view = result;
    return status;
}

stn_status stn_view_set_whole(const char *call, stn_view *view, const stn_whole *whole)
{
    const stn_status status = keep_whole(view, whole);
    return status == STN_OK ? STN_OK
                            : stn_fail(status, "%s: %s: there is no memory for its scales", call,
                                       stn_view_text(view));
}

stn_status stn_view_set_scales(stn_view *view, const stn_scales *scales)
{
    static const char call[] = "stn_view_set_scales";
    stn_whole whole;
    STN_TRY(stn_view_check(call, view));
    if (!scales)
        return stn_fail(STN_ERR_ARGUMENT, "%s: scales is NULL", call);
    if (scales->data && stn_view_mapping(view))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has layout %s; only strided views take scales that differ", call,
                        stn_view_text(view), stn_layout_name(stn_view_mapping(view)->layout.kind));
    if (stn_view_has_scales(view) ? has_same_scales(view, scales) : !scales->data)
        return STN_OK;
    if (!scales->data && view->storage.rounding != STN_ROUND_STOCHASTIC) {
        stn_view_drop_scales(view);
        return STN_OK;
    }
    if (scales->data) {
        STN_TRY(check(view, scales));
        STN_TRY(check_reach(view, scales));
    }
    stn_whole_of(view, &whole);
    if (scales->data)
        whole.scales = *scales;
    return stn_view_set_whole(call, view, &whole);
}

stn_status stn_view_scales(const stn_view *view, stn_scales *scales)
{
    STN_TRY(stn_view_check("stn_view_scales", view));
    if (!scales)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_scales: scales is NULL");
    *scales = stn_scales_of(view);
    return STN_OK;
}

/* ---- parts ---- */

/* Blocks along a sliced dimension with more than one index. With a negative step, they are counted
 * from their other end. Steps must divide the block, or be multiples of it; otherwise 0 is
 * returned. */
static int cut_blocks(stn_scales *part, int64_t *stride, int64_t step)
{
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

/* The scales along a dimension of a part that begins at an index of the whole array. */
static int cut_dimension(stn_scales *part, const stn_view *view, const stn_whole *whole, int d,
                         int64_t begin)
{
    const int m = view->axis[d];
    const int64_t step = stn_view_step(view, whole, d);
    part->stride[d] = whole->scales.stride[m];
    if (m != whole->scales.dimension) {
        part->stride[d] *= step;
        return 1;
    }
    part->dimension = d;
    part->phase = (part->phase + begin) % part->block;
    return view->extent[d] < 2 || cut_blocks(part, &part->stride[d], step);
}

int stn_scales_find(const stn_view *view, stn_scales *scales)
{
    const stn_whole *const whole = stn_view_whole(view);
    int64_t base[STN_MAX_RANK];
    int is_even = 1;
    if (!whole || !whole->scales.data) {
        *scales = (stn_scales){.dimension = STN_NO_DIMENSION, .block = 1};
        return 1;
    }
    *scales = whole->scales;
    if (is_all(view, whole))
        return 1;
    scales->dimension = STN_NO_DIMENSION;
    memset(scales->stride, 0, sizeof scales->stride);
    stn_view_base(view, base);
    scales->data = stn_scales_at(&whole->scales, whole->rank, base);
    for (int d = 0; d < view->rank; d++)
        if (view->axis[d] >= 0)
            is_even &= cut_dimension(scales, view, whole, d, base[view->axis[d]]);
    return is_even;
}
