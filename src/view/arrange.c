/* Views with permuted dimensions, and with an additional one. Only handles are created. */
#include "core/status.h"
#include "view/view.h"

/* Dimension d of *to becomes dimension from[d] of the view; -1 is a new dimension of extent 1. */
static void arrange(stn_view *to, const stn_view *view, int count, const int *from)
{
    stn_view result = *view;
    const stn_view old = *view;
    const int is_mapped = stn_view_mapping(view) != NULL;
    if (to != view)
        result.owner = NULL;
    result.rank = (int8_t)count;
    result.fixed = 0;
    for (int d = count - 1; d >= 0; d--) {
        const int is_new = from[d] < 0, f = is_new ? 0 : from[d];
        /* As in layout right: the stride of a dimension with one index is arbitrary. */
        const uint64_t row =
            d + 1 < count ? (uint64_t)result.stride[d + 1] * (uint64_t)result.extent[d + 1] : 1;
        result.extent[d] = is_new ? 1 : old.extent[f];
        result.stride[d] = !is_new ? old.stride[f] : is_mapped ? 0 : (int64_t)row;
        result.axis[d] = !is_new ? old.axis[f] : is_mapped ? 0 : -1;
        if (!is_new)
            result.fixed |= (uint8_t)((old.fixed >> f & 1) << d);
    }
    *to = result;
}

static stn_status check_order(const stn_view *view, int count, const int *order)
{
    unsigned seen = 0;
    if (count != view->rank)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_permute: %s has rank %d, but count is %d",
                        stn_view_text(view), view->rank, count);
    for (int d = 0; d < count; d++) {
        if (order[d] < 0 || order[d] >= count || seen >> order[d] & 1)
            return stn_fail(
                STN_ERR_ARGUMENT,
                "stn_view_permute: order[%d] is %d; order must have each of 0 to %d once: %s", d,
                order[d], count - 1, stn_view_text(view));
        seen |= 1u << order[d];
    }
    return STN_OK;
}

static stn_status permute(stn_view *permuted, const stn_view *view, int count, const int *order)
{
    STN_TRY(stn_view_check("stn_view_permute", view));
    if (!permuted || (count > 0 && !order))
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_permute: %s is NULL",
                        permuted ? "order" : "permuted");
    STN_TRY(check_order(view, count, order));
    arrange(permuted, view, count, order);
    return STN_OK;
}

stn_status stn_view_permute(stn_view *permuted, const stn_view *view, int count, const int *order)
{
    return stn_view_derived(permute(permuted, view, count, order), permuted, view);
}

static stn_status insert_axis(stn_view *wider, const stn_view *view, int dimension)
{
    static const char call[] = "stn_view_insert_axis";
    int from[STN_MAX_RANK];
    STN_TRY(stn_view_check(call, view));
    if (!wider)
        return stn_fail(STN_ERR_ARGUMENT, "%s: wider is NULL", call);
    if (stn_view_is_empty(view))
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is " STN_EMPTY_VIEW, call);
    if (view->rank == STN_MAX_RANK)
        return stn_fail(STN_ERR_RANGE, "%s: %s has rank %d, which is the maximum", call,
                        stn_view_text(view), STN_MAX_RANK);
    if (dimension < 0 || dimension > view->rank)
        return stn_fail(STN_ERR_RANGE,
                        "%s: dimension %d is out of range for a new dimension of %s (0 to %d)",
                        call, dimension, stn_view_text(view), view->rank);
    for (int d = 0; d <= view->rank; d++)
        from[d] = d < dimension ? d : d == dimension ? -1 : d - 1;
    arrange(wider, view, view->rank + 1, from);
    return STN_OK;
}

stn_status stn_view_insert_axis(stn_view *wider, const stn_view *view, int dimension)
{
    return stn_view_derived(insert_axis(wider, view, dimension), wider, view);
}
