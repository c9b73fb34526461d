/* Numbers by which elements draw random bits, and runs of views. */
#include "view/number.h"

#include <stdlib.h>

#include "view/scales.h"

/* ---- numbers ---- */

void stn_view_order_steps(const stn_view *view, int64_t *steps)
{
    uint64_t step = 1;
    for (int d = view->rank - 1; d >= 0; d--) {
        steps[d] = (int64_t)step;
        step *= (uint64_t)view->extent[d];
    }
}

void stn_view_draw_steps(const stn_view *view, int64_t *steps)
{
    const stn_whole *const whole = stn_view_whole(view);
    if (!whole)
        stn_view_linear_steps(view, steps);
    for (int d = 0; whole && d < view->rank; d++)
        steps[d] = view->axis[d] < 0 ? 0
                                     : (int64_t)((uint64_t)whole->draw_step[view->axis[d]] *
                                                 (uint64_t)stn_view_step(view, whole, d));
}

uint64_t stn_view_draw_first(const stn_view *view)
{
    const stn_whole *const whole = stn_view_whole(view);
    int64_t base[STN_MAX_RANK];
    if (!whole)
        return view->first;
    uint64_t number = whole->draw_first;
    stn_view_base(view, base);
    for (int d = 0; d < whole->rank; d++)
        number += (uint64_t)base[d] * (uint64_t)whole->draw_step[d];
    return number;
}

uint64_t stn_view_number(const stn_view *view, const int64_t *indices)
{
    int64_t steps[STN_MAX_RANK];
    uint64_t number = stn_view_draw_first(view);
    stn_view_draw_steps(view, steps);
    for (int d = 0; d < view->rank; d++)
        number += (uint64_t)indices[d] * (uint64_t)steps[d];
    return number;
}

/* ---- runs ---- */

int stn_view_draws_in_order(const stn_view *view)
{
    int64_t steps[STN_MAX_RANK];
    uint64_t step = 1;
    if (stn_view_count(view) == 0)
        return 1;
    stn_view_draw_steps(view, steps);
    for (int d = view->rank - 1; d >= 0; d--) {
        if (view->extent[d] > 1 && (uint64_t)steps[d] != step)
            return 0;
        step *= (uint64_t)view->extent[d];
    }
    return stn_view_draw_first(view) == 0;
}

/* The numbers of elements of the run from n on. Along the last dimension they have a constant
 * step. */
static uint64_t draws_of(const void *numbered, uint64_t n, int64_t *count, int64_t *step)
{
    const stn_view *view = numbered;
    const int last = view->rank - 1;
    int64_t indices[STN_MAX_RANK] = {0};
    *step = 1;
    stn_nest_indices(view->rank, view->extent, n, indices);
    const uint64_t number = stn_view_number(view, indices);
    if (last < 0)
        return number;
    const int64_t left = view->extent[last] - indices[last];
    *count = left < *count ? left : *count;
    if (left > 1) {
        indices[last]++;
        *step = (int64_t)(stn_view_number(view, indices) - number);
    }
    return number;
}

void stn_view_number_run(stn_run *run, const stn_view *view)
{
    if (run->rules.rounding != STN_ROUND_STOCHASTIC || stn_view_draws_in_order(view))
        return;
    run->draws_of = draws_of;
    run->numbered = view;
}

stn_storage stn_view_storage(const stn_view *view)
{
    static const int64_t zeros[STN_MAX_RANK];
    stn_storage storage = view->storage;
    if (stn_view_has_scales(view) && stn_view_count(view) > 0)
        storage.scale = stn_scale_at(view, zeros);
    return storage;
}

stn_status stn_view_run_init_in_modes(stn_run *run, const char *call, stn_format arithmetic,
                                      const stn_view *view)
{
    stn_status status;
    if (stn_view_has_scales(view)) {
        const stn_storage storage = stn_view_storage(view);
        status = stn_run_init_in_modes(run, arithmetic, &storage);
    } else {
        status = stn_run_init_in_modes(run, arithmetic, &view->storage);
    }
    if (status != STN_OK)
        return stn_view_error_prefix(call, view, status);
    stn_view_number_run(run, view);
    return STN_OK;
}

/* ---- from offsets back ---- */

/* Finds the indices of the dimensions order[at], order[at + 1], ... whose offset is `rest`.
 * Strides usually nest, which leaves one or two indices to try. */
static int find_indices(const stn_view *view, const int *order, int at, int64_t rest,
                        int64_t *indices)
{
    int64_t lowest = 0, highest = 0;
    if (at == view->rank)
        return rest == 0;
    for (int k = at + 1; k < view->rank; k++) {
        const int64_t reach = (view->extent[order[k]] - 1) * view->stride[order[k]];
        *(reach < 0 ? &lowest : &highest) += reach;
    }
    const int d = order[at];
    const int64_t stride = view->stride[d], size = llabs(stride);
    if (size == 0) {
        indices[d] = 0;
        return find_indices(view, order, at + 1, rest, indices);
    }
    /* rest - k * stride must be between lowest and highest */
    int64_t k = stride > 0 ? (rest - highest + size - 1) / size : (lowest - rest + size - 1) / size;
    for (k = k < 0 ? 0 : k; k < view->extent[d]; k++) {
        const int64_t left = rest - k * stride;
        if (stride > 0 ? left < lowest : left > highest)
            return 0;
        indices[d] = k;
        if (find_indices(view, order, at + 1, left, indices))
            return 1;
    }
    return 0;
}

int64_t stn_view_order_at(const stn_view *view, int64_t offset)
{
    int64_t indices[STN_MAX_RANK] = {0}, number = 0, stride[STN_MAX_RANK], extent[STN_MAX_RANK];
    int order[STN_MAX_RANK] = {0, 1, 2, 3, 4, 5, 6, 7};
    int64_t *const steps[] = {stride};
    stn_nest nest = {view->rank, extent, order, 1, steps};
    memcpy(stride, view->stride, sizeof stride);
    memcpy(extent, view->extent, sizeof extent);
    stn_nest_sort(&nest, stn_nest_by_step, stride);
    (void)find_indices(view, order, 0, offset, indices); /* cannot fail for the offset of an
                                                          * element */
    for (int d = 0; d < view->rank; d++)
        number = number * view->extent[d] + indices[d];
    return number;
}
