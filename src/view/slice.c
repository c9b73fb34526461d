/* Parts of views: slices. Only handles are created. */
#include "core/status.h"
#include "format/registry.h"
#include "view/blocks.h"
#include "view/layout/mapping.h"
#include "view/owner.h"
#include "view/scales.h"

/* ---- checks ---- */

/* If the step is 1, the message prints begin and end, which wrap as in stn_slice_range. */
static stn_status refuse_slice(const char *call, const stn_view *view, int d,
                               const stn_slice *slice)
{
    const long long begin = slice->begin, count = slice->count, extent = view->extent[d];
    const long long end = (long long)((uint64_t)slice->begin + (uint64_t)slice->count);
    const char *const text = stn_view_text(view);
    if (slice->mode == STN_SLICE_INDEX)
        return stn_fail(STN_ERR_RANGE,
                        "%s: %s: index %lld of dimension %d is outside its extent %lld", call, text,
                        begin, d, extent);
    if (slice->step != 1)
        return stn_fail(STN_ERR_RANGE,
                        "%s: %s: %lld indices from %lld on, by %lld, leave the extent %lld of "
                        "dimension %d",
                        call, text, count, begin, (long long)slice->step, extent, d);
    if (end < begin)
        return stn_fail(STN_ERR_RANGE,
                        "%s: %s: begin %lld and end %lld of dimension %d are reversed", call, text,
                        begin, end, d);
    return stn_fail(STN_ERR_RANGE,
                    "%s: %s: begin %lld and end %lld leave the extent %lld of dimension %d", call,
                    text, begin, end, extent, d);
}

/* Returns whether the slice selects valid indices, or a valid index. */
static int fits(const stn_slice *slice, int64_t extent)
{
    int64_t reach, last;
    if (slice->mode == STN_SLICE_INDEX)
        return slice->begin >= 0 && slice->begin < extent;
    if (slice->count <= 0)
        return slice->count == 0 && slice->begin >= 0 && slice->begin <= extent;
    return slice->begin >= 0 && slice->begin < extent &&
           !__builtin_mul_overflow(slice->count - 1, slice->step, &reach) &&
           !__builtin_add_overflow(slice->begin, reach, &last) && last >= 0 && last < extent;
}

static stn_status check(const char *call, const stn_view *part, const stn_view *view, int count,
                        const stn_slice *slices)
{
    STN_TRY(stn_view_check(call, view));
    if (!part || (count > 0 && !slices))
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, part ? "slices" : "part");
    if (count != view->rank)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has rank %d, but there are %d slices", call,
                        stn_view_text(view), view->rank, count);
    return STN_OK;
}

static stn_status check_slices(const char *call, const stn_view *view, const stn_slice *slices)
{
    for (int d = 0; d < view->rank; d++) {
        if (slices[d].mode == STN_SLICE_ALL)
            continue;
        if ((unsigned)slices[d].mode > STN_SLICE_ALL)
            return stn_fail(STN_ERR_ARGUMENT,
                            "%s: %s: mode %d of the slice of dimension %d is "
                            "unknown (0 to %d)",
                            call, stn_view_text(view), (int)slices[d].mode, d, STN_SLICE_ALL);
        if (slices[d].reserved != 0)
            return stn_fail(STN_ERR_ARGUMENT,
                            "%s: %s: reserved is %d in the slice of dimension %d; it must be 0",
                            call, stn_view_text(view), (int)slices[d].reserved, d);
        if (slices[d].step == 0)
            return stn_fail(STN_ERR_ARGUMENT, "%s: %s: the step in dimension %d is 0", call,
                            stn_view_text(view), d);
        if (!fits(&slices[d], view->extent[d]))
            return refuse_slice(call, view, d, &slices[d]);
    }
    return STN_OK;
}

/* ---- the part ---- */

/* Moves bit d to bit `to`. */
static uint32_t moved_bit(uint32_t bits, int d, int to)
{
    return (bits >> d & 1) << to;
}

/* The stride of a dimension with fewer than two indices is irrelevant and might overflow. */
static void keep_dimension(stn_view *part, int to, int from, const stn_slice *slice)
{
    const int64_t count = slice->mode == STN_SLICE_ALL ? part->extent[from] : slice->count;
    const int64_t step = slice->mode == STN_SLICE_ALL || count < 2 ? 1 : slice->step;
    part->extent[to] = count;
    part->stride[to] = (int64_t)((uint64_t)part->stride[from] * (uint64_t)step);
    part->axis[to] = part->axis[from];
}

/* Offsets of parts without elements are arbitrary, so they wrap. */
static void narrow(stn_view *part, const stn_slice *slices)
{
    const int rank = part->rank, is_mapped = stn_view_mapping(part) != NULL;
    int64_t steps[STN_MAX_RANK];
    uint64_t offset = 0;
    uint32_t fixed = 0;
    int kept = 0;
    stn_view_linear_steps(part, steps);
    for (int d = 0; d < rank; d++) {
        const stn_slice *slice = &slices[d];
        const uint64_t begin = slice->mode == STN_SLICE_ALL ? 0 : (uint64_t)slice->begin;
        offset += begin * (uint64_t)part->stride[d];
        part->first += begin * (uint64_t)steps[d];
        if (slice->mode == STN_SLICE_INDEX)
            continue;
        if (slice->mode == STN_SLICE_ALL || (slice->count == part->extent[d] && slice->step == 1))
            fixed |= moved_bit(part->fixed, d, kept);
        keep_dimension(part, kept++, d, slice);
    }
    for (int d = kept; d < rank; d++)
        part->extent[d] = part->stride[d] = 0;
    part->rank = (int8_t)kept;
    part->fixed = (uint8_t)fixed;
    if (!is_mapped && offset)
        part->data =
            (void *)((uintptr_t)part->data +
                     offset * (uint64_t)stn_format_entry_of(part->storage.format)->info.bytes);
}

/* ---- scales ---- */

/* The step of a part along a dimension that repeats elements cannot be determined from strides. */
static stn_status check_repeated(const char *call, const stn_view *view, const stn_slice *slices)
{
    const stn_whole *const whole = stn_view_whole(view);
    for (int d = 0; d < view->rank; d++)
        if (slices[d].mode != STN_SLICE_ALL && slices[d].count > 1 && slices[d].step != 1 &&
            view->stride[d] == 0 && view->axis[d] >= 0 && whole->scales.stride[view->axis[d]] != 0)
            return stn_fail(STN_ERR_UNSUPPORTED,
                            "%s: %s: a step of %lld along dimension %d, which repeats elements "
                            "with different scales; the step must be 1",
                            call, stn_view_text(view), (long long)slices[d].step, d);
    return STN_OK;
}

/* Only steps other than 1 can divide blocks unevenly, or repeat elements with different scales. */
static int has_steps(const stn_view *view, const stn_slice *slices)
{
    for (int d = 0; d < view->rank; d++)
        if (slices[d].mode == STN_SLICE_RANGE && slices[d].count > 1 && slices[d].step != 1)
            return 1;
    return 0;
}

static stn_status check_scales(const char *call, const stn_view *view, const stn_slice *slices)
{
    stn_view part = *view;
    stn_scales scales;
    STN_TRY(check_repeated(call, view, slices));
    narrow(&part, slices);
    if (stn_scales_find(&part, &scales))
        return STN_OK;
    (void)stn_scales_find(view, &scales);
    return stn_fail(STN_ERR_UNSUPPORTED,
                    "%s: %s: a step of %lld divides blocks of %lld elements with one scale "
                    "unevenly",
                    call, stn_view_text(view), (long long)slices[scales.dimension].step,
                    (long long)scales.block);
}

static stn_status cut(const char *call, stn_view *part, const stn_view *view, int count,
                      const stn_slice *slices)
{
    STN_TRY(check(call, part, view, count, slices));
    STN_TRY(check_slices(call, view, slices));
    if (stn_view_store(view))
        STN_TRY(stn_blocks_check_slices(call, view, slices));
    if (stn_view_has_scales(view) && has_steps(view, slices))
        STN_TRY(check_scales(call, view, slices));
    if (part != view) {
        stn_view_copy_handle(part, view);
        part->owner = NULL;
    }
    narrow(part, slices);
    if ((part->traits & STN_TRAIT_ALIGNED) && !stn_view_is_aligned(part))
        part->traits &= (uint16_t)~STN_TRAIT_ALIGNED;
    return STN_OK;
}

stn_status stn_view_slice(stn_view *part, const stn_view *view, int count, const stn_slice *slices)
{
    return stn_view_derived(cut("stn_view_slice", part, view, count, slices), part, view);
}

stn_status stn_view_share_slice(stn_view *part, const stn_view *view, int count,
                                const stn_slice *slices)
{
    STN_TRY(stn_view_derived(cut("stn_view_share_slice", part, view, count, slices), part, view));
    if (part != view && stn_owner_share(view)) {
        part->owner = view->owner;
        part->life = view->life;
    }
    return STN_OK;
}
