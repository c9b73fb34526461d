/* Rarely used state of views, and the position of a part in its whole array. */
#include "view/extra.h"

#include <string.h>

#include "core/memory.h"
#include "view/number.h"

_Static_assert(sizeof(void *) != 8 || sizeof(stn_view) == 256, "the size of stn_view is frozen");

/* ---- creating ---- */

typedef struct mapped_extra {
    stn_view_extra extra;
    stn_mapping mapping;
} mapped_extra;

typedef struct strided_extra {
    stn_view_extra extra;
    stn_whole whole;
} strided_extra;

stn_status stn_extra_of_mapping(const stn_mapping *mapping, stn_view_extra **extra)
{
    mapped_extra *result;
    STN_TRY(stn_allocate(&result, 1, sizeof *result, "mapping of a view"));
    result->mapping = *mapping;
    result->extra = (stn_view_extra){.mapping = &result->mapping};
    *extra = &result->extra;
    return STN_OK;
}

stn_status stn_extra_of_whole(const stn_whole *whole, stn_view_extra **extra)
{
    strided_extra *result;
    STN_TRY(stn_allocate(&result, 1, sizeof *result, "scales of a view"));
    result->whole = *whole;
    result->extra = (stn_view_extra){.whole = &result->whole};
    *extra = &result->extra;
    return STN_OK;
}

void stn_whole_of(const stn_view *view, stn_whole *whole)
{
    *whole = (stn_whole){.rank = view->rank, .draw_first = stn_view_draw_first(view)};
    memcpy(whole->extent, view->extent, sizeof whole->extent);
    memcpy(whole->stride, view->stride, sizeof whole->stride);
    stn_view_draw_steps(view, whole->draw_step);
}

void stn_extra_set(stn_view *view, const stn_view_extra *extra)
{
    view->extra = extra;
    view->first = 0;
    for (int d = 0; d < STN_MAX_RANK; d++)
        view->axis[d] = (int8_t)d;
}

void stn_view_drop_scales(stn_view *view)
{
    if (stn_view_mapping(view))
        return;
    view->extra = NULL;
    view->first = 0;
}

/* ---- where a part is ---- */

void stn_view_base(const stn_view *view, int64_t *base)
{
    const stn_mapping *const mapping = stn_view_mapping(view);
    const int rank = mapping ? mapping->rank : stn_view_whole(view)->rank;
    if (view->first == 0)
        memset(base, 0, STN_MAX_RANK * sizeof *base);
    else
        stn_nest_indices(rank, mapping ? mapping->extent : stn_view_whole(view)->extent,
                         view->first, base);
}

int64_t stn_view_step(const stn_view *view, const stn_whole *whole, int dimension)
{
    const int64_t stride = view->stride[dimension], of_whole = whole->stride[view->axis[dimension]];
    if (stride == of_whole || of_whole == 0 || view->extent[dimension] < 2)
        return 1;
    return of_whole == -1 ? (int64_t)(0 - (uint64_t)stride) : stride / of_whole;
}

void stn_view_linear_steps(const stn_view *view, int64_t *steps)
{
    const stn_mapping *const mapping = stn_view_mapping(view);
    const stn_whole *const whole = stn_view_whole(view);
    uint64_t of_whole[STN_MAX_RANK], step = 1;
    if (!view->extra) {
        memcpy(steps, view->stride, sizeof view->stride);
        return;
    }
    for (int m = (mapping ? mapping->rank : whole->rank) - 1; m >= 0; m--) {
        of_whole[m] = step;
        step *= (uint64_t)(mapping ? mapping->extent : whole->extent)[m];
    }
    for (int d = 0; d < view->rank; d++)
        steps[d] =
            view->axis[d] < 0
                ? 0
                : (int64_t)(of_whole[view->axis[d]] *
                            (uint64_t)(mapping ? view->stride[d] : stn_view_step(view, whole, d)));
}
