/* Divides views into boxes: along each dimension, the rest of the first tile, whole tiles, and the
 * beginning of the last tile. */
#include "view/copy/boxes.h"

#include "view/layout/mapping.h"
#include "view/store.h"

enum { MAX_CUTS = 3 };

typedef struct cut {
    int64_t begin, count;
    int is_tiles; /* whole tiles */
} cut;

/* The extent of a tile along a dimension of the view; 0 if the view is strided. */
static int64_t tile_of(const stn_view *view, int d)
{
    return stn_view_mapping(view) ? stn_view_mapping(view)->layout.tile[view->axis[d]] : 0;
}

static int64_t past_tile(const stn_view *view, int d)
{
    int64_t base[STN_MAX_RANK];
    stn_view_base(view, base);
    return base[view->axis[d]] % tile_of(view, d);
}

static int has_boxes(const stn_view *view)
{
    if (!stn_view_mapping(view))
        return 1;
    if (stn_view_mapping(view)->layout.kind != STN_LAYOUT_TILED || stn_view_store(view))
        return 0;
    for (int d = 0; d < view->rank; d++)
        if (view->stride[d] != 1)
            return 0;
    return 1;
}

int stn_copy_has_boxes(const stn_view *to, const stn_view *from)
{
    if (!has_boxes(to) || !has_boxes(from))
        return 0;
    if (!stn_view_mapping(to) || !stn_view_mapping(from))
        return 1;
    for (int d = 0; d < to->rank; d++)
        if (tile_of(to, d) != tile_of(from, d) || past_tile(to, d) != past_tile(from, d))
            return 0;
    return 1;
}

static int add_cut(cut *cuts, int number, int64_t begin, int64_t count, int is_tiles)
{
    if (count == 0)
        return number;
    cuts[number] = (cut){begin, count, is_tiles};
    return number + 1;
}

static int cuts_of(const stn_view *view, int d, cut *cuts)
{
    const int64_t extent = view->extent[d], tile = tile_of(view, d);
    if (tile == 0)
        return add_cut(cuts, 0, 0, extent, 0);
    int64_t first = (tile - past_tile(view, d)) % tile;
    if (first > extent)
        first = extent;
    const int64_t tiles = (extent - first) / tile * tile;
    int number = add_cut(cuts, 0, 0, first, 0);
    number = add_cut(cuts, number, first, tiles, 1);
    return add_cut(cuts, number, first + tiles, extent - first - tiles, 0);
}

/* Stride within a tile, and stride of tiles, in elements. */
static int64_t within(const stn_view *view, int d)
{
    return stn_view_mapping(view) ? stn_view_mapping(view)->within[view->axis[d]] : view->stride[d];
}

static int64_t step_between_tiles(const stn_view *view, int d, int64_t tile)
{
    return stn_view_mapping(view) ? stn_view_mapping(view)->tile_stride[view->axis[d]]
                                  : view->stride[d] * tile;
}

static void add_dimension(stn_copy_plan *plan, const stn_view *to, const stn_view *from, int d,
                          const cut *part)
{
    const int64_t tile = stn_view_mapping(to) ? tile_of(to, d) : tile_of(from, d);
    int64_t count = part->count;
    if (part->is_tiles) {
        stn_copy_plan_add(plan, count / tile, step_between_tiles(to, d, tile) * plan->to_bytes,
                          step_between_tiles(from, d, tile) * plan->from_bytes);
        count = tile;
    }
    stn_copy_plan_add(plan, count, within(to, d) * plan->to_bytes,
                      within(from, d) * plan->from_bytes);
}

void stn_copy_boxes(const stn_view *to, const stn_view *from, const stn_copy_plan *start,
                    void (*run)(void *context, const stn_copy_plan *plan), void *context)
{
    cut cuts[STN_MAX_RANK][MAX_CUTS];
    int64_t numbers[STN_MAX_RANK], at[STN_MAX_RANK] = {0};
    for (int d = 0; d < to->rank; d++)
        numbers[d] = cuts_of(stn_view_mapping(to) ? to : from, d, cuts[d]);
    do {
        stn_copy_plan plan = *start;
        int64_t indices[STN_MAX_RANK];
        for (int d = 0; d < to->rank; d++)
            indices[d] = cuts[d][at[d]].begin;
        plan.to = (char *)to->data + stn_view_element_offset(to, indices) * plan.to_bytes;
        plan.from =
            (const char *)from->data + stn_view_element_offset(from, indices) * plan.from_bytes;
        for (int d = 0; d < to->rank; d++)
            add_dimension(&plan, to, from, d, &cuts[d][at[d]]);
        stn_copy_plan_finish(&plan);
        run(context, &plan);
    } while (stn_nest_next(to->rank, numbers, at));
}
