/* Promises of a view: traits, fixed extents, and the space of its memory. */
#include "core/memory.h"
#include "core/status.h"
#include "format/registry.h"
#include "view/layout/mapping.h"
#include "view/owner.h"
#include "view/view.h"

/* A view without elements counts as aligned. */
int stn_view_is_aligned(const stn_view *view)
{
    static const int64_t zeros[STN_MAX_RANK];
    if (stn_view_count(view) == 0)
        return 1;
    const int64_t each = stn_format_entry_of(view->storage.format)->info.bytes;
    const int64_t offset = stn_view_mapping(view) ? stn_view_element_offset(view, zeros) * each : 0;
    return ((uintptr_t)view->data + (uintptr_t)offset) % STN_LINE == 0;
}

stn_status stn_view_set_traits(stn_view *view, unsigned traits)
{
    static const char call[] = "stn_view_set_traits";
    const unsigned all = STN_TRAIT_ATOMIC | STN_TRAIT_RANDOM_ACCESS | STN_TRAIT_RESTRICT |
                         STN_TRAIT_ALIGNED | STN_TRAIT_STREAMING;
    STN_TRY(stn_view_check(call, view));
    if (traits & ~all)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s: traits 0x%x are unknown", call,
                        stn_view_text(view), traits & ~all);
    if ((traits & STN_TRAIT_ALIGNED) && !stn_view_is_aligned(view))
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s: data at %p is not aligned to %d bytes", call,
                        stn_view_text(view), view->data, (int)STN_LINE);
    view->traits = (uint16_t)traits;
    if (traits & STN_TRAIT_RANDOM_ACCESS)
        view->read_only = 1;
    return STN_OK;
}

stn_status stn_view_fix_extents(stn_view *view, unsigned dimensions)
{
    static const char call[] = "stn_view_fix_extents";
    STN_TRY(stn_view_check(call, view));
    if (dimensions >> view->rank)
        return stn_fail(STN_ERR_ARGUMENT, "%s: dimensions is 0x%x, but %s has rank %d", call,
                        dimensions, stn_view_text(view), view->rank);
    view->fixed = (uint8_t)dimensions;
    return STN_OK;
}

stn_status stn_view_set_space(stn_view *view, stn_space space)
{
    static const char call[] = "stn_view_set_space";
    STN_TRY(stn_view_check(call, view));
    if ((unsigned)space > STN_SPACE_DEVICE)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s: space %d is unknown (0 to %d)", call,
                        stn_view_text(view), (int)space, STN_SPACE_DEVICE);
    if (view->owner && view->owner->owned != STN_OWNS_NOTHING &&
        view->owner->owned != STN_OWNS_ADOPTED)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: %s owns memory that the library allocated, whose space is %s", call,
                        stn_view_text(view), stn_space_name((stn_space)view->space));
    view->space = (uint8_t)space;
    return STN_OK;
}
