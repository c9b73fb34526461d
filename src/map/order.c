/* Order of memory accesses of a launch: dimensions sorted by strides and merged, tiles that span
 * short rows, and blocks if views have different orders. The order never affects results: kernels
 * that use indices, and outputs that draw random bits by element number, keep their dimensions. */
#include "map/panel.h"

#include <string.h>

#include "core/tune.h"
#include "expr/program.h"
#include "view/layout/mapping.h"
#include "view/store.h"

/* Does an output draw random bits by element number? */
static int draws(const stn_slot *slot)
{
    return slot->written && slot->reader.run.rules.rounding == STN_ROUND_STOCHASTIC;
}

/* ---- views with the same mapping: memory order ---- */

static int is_whole(const stn_view *view)
{
    if (!stn_view_mapping(view) || view->rank != stn_view_mapping(view)->rank ||
        stn_mapping_is_partial(stn_view_mapping(view)) || stn_view_store(view))
        return 0;
    for (int d = 0; d < view->rank; d++)
        if (view->axis[d] != d || view->stride[d] != 1 ||
            view->extent[d] != stn_view_mapping(view)->extent[d])
            return 0;
    return view->first == 0 && stn_view_mapping(view)->span == stn_view_count(view);
}

static int same_extents(int rank, const int64_t *a, const int64_t *b)
{
    return memcmp(a, b, (size_t)rank * sizeof *a) == 0;
}

static int same_mapping(const stn_mapping *a, const stn_mapping *b)
{
    const stn_layout *x = &a->layout, *y = &b->layout;
    if (a->rank != b->rank || x->kind != y->kind || !same_extents(a->rank, a->extent, b->extent))
        return 0;
    if (x->kind == STN_LAYOUT_TILED)
        return x->inner == y->inner && same_extents(a->rank, x->tile, y->tile);
    return x->kind != STN_LAYOUT_CUSTOM || (x->offset == y->offset && x->context == y->context);
}

static int any_draws(const stn_launch *launch)
{
    int any = 0;
    for (int v = 0; v < launch->views; v++)
        any |= draws(&launch->slots[launch->view_at[v]]);
    return any;
}

int stn_launch_is_flat(const stn_launch *launch)
{
    const stn_view *first = launch->views ? launch->slots[launch->view_at[0]].view : NULL;
    for (int v = 0; v < launch->views; v++) {
        const stn_view *view = launch->slots[launch->view_at[v]].view;
        if (!is_whole(view) || !same_mapping(stn_view_mapping(view), stn_view_mapping(first)) ||
            view->rank != launch->rank || !same_extents(view->rank, view->extent, launch->extent))
            return 0;
    }
    return launch->views > 0 && !any_draws(launch) && !launch->indexed && !launch->shifted;
}

static void flatten(stn_launch *launch)
{
    for (int v = 0; v < launch->views; v++) {
        stn_slot *slot = &launch->slots[launch->view_at[v]];
        slot->reader.plain = slot->reader.addressed = 1;
        slot->stride[0] = 1;
        launch->extent[0] = stn_view_mapping(slot->view)->span;
    }
    launch->rank = 1;
}

/* ---- dimensions ---- */

/* Should dimension `outer` be inside of `inner`? Views that vary in both vote, written views
 * twice. */
static int must_swap(const void *context, int outer, int inner)
{
    const stn_launch *const launch = context;
    int votes = launch->extent[outer] == 1;
    for (int v = 0; v < launch->views && launch->extent[outer] != 1; v++) {
        const stn_slot *slot = &launch->slots[launch->view_at[v]];
        const uint64_t a = stn_stride_length(slot->stride[outer]),
                       b = stn_stride_length(slot->stride[inner]);
        const int weight = slot->written ? 2 : 1;
        if (a && b)
            votes += a < b ? weight : a > b ? -weight : 0;
    }
    return votes > 0;
}

static void order_dimensions(stn_launch *launch, int sorts, int joins)
{
    int64_t *stride[STN_MAX_PARAMETERS];
    stn_nest nest = {launch->rank, launch->extent, launch->axis, launch->views, stride};
    for (int v = 0; v < launch->views; v++)
        stride[v] = launch->slots[launch->view_at[v]].stride;
    if (sorts)
        stn_nest_sort(&nest, must_swap, launch);
    if (joins)
        stn_nest_join(&nest);
    launch->rank = nest.rank;
}

/* ---- short rows ---- */

/* Rows of a view that belong to one tile: contiguous, repeated or separate. */
static stn_rows_way way_of(const stn_launch *launch, const stn_slot *slot)
{
    const int last = launch->rank - 1;
    const int64_t row = slot->stride[last - 1], column = slot->stride[last];
    return row == column * launch->extent[last] ? STN_ROWS_FOLLOW
           : row == 0                           ? STN_ROWS_REPEAT
                                                : STN_ROWS_APART;
}

/* Are the rows of shifted views contiguous like those of the space? */
static int are_shifted_rows(const stn_launch *launch)
{
    const int last = launch->rank - 1;
    for (int v = 0; v < launch->views; v++) {
        const stn_slot *slot = &launch->slots[launch->view_at[v]];
        if (slot->kind == STN_PARAMETER_SHIFTED &&
            (stn_launch_extent(launch, launch->view_at[v], last) != launch->extent[last] ||
             way_of(launch, slot) != STN_ROWS_FOLLOW))
            return 0;
    }
    return 1;
}

/* Maximum row length of which a tile holds two rows. */
static int64_t max_columns(const stn_launch *launch)
{
    return launch->shifted && launch->masks == 0 && !stn_program_is_loop(launch->loop)
               ? STN_MIN_BYTES / launch->bytes / 2
               : STN_TILE_ELEMENTS / 2;
}

/* Is a call of the loop per row faster than copying rows to tiles? The time of a call is that of
 * copying 32 to 40 bytes per view in the caches, and of less from memory, where copies do not
 * overlap with prefetching. In rows that are no whole vectors, the loop computes the last elements
 * separately. */
static int are_rows_for_calls(const stn_launch *launch, int64_t columns)
{
    enum { VECTOR = 32, LEAST = 64, LONG = 192, LONGEST = 1024 };
    const int64_t row = columns * launch->bytes;
    const int is_large = stn_passes_caches(launch->views * launch->extent[launch->rank - 2] * row);
    return row <= LONGEST && (row >= LONG || (row % VECTOR == 0 && (row >= LEAST || is_large)));
}

/* Can the loop access the rows of all views in place? They are values, and not contiguous in all
 * views. */
static int has_rows_in_place(const stn_launch *launch)
{
    const int last = launch->rank - 1;
    int any = 0, all = !stn_program_is_loop(launch->loop) &&
                       are_rows_for_calls(launch, launch->extent[last]);
    for (int v = 0; v < launch->views && all; v++) {
        const stn_slot *slot = &launch->slots[launch->view_at[v]];
        any |= way_of(launch, slot) == STN_ROWS_APART;
        all &= slot->stride[last] == 1 && stn_launch_is_plain(launch, slot) &&
               slot->kind <= STN_PARAMETER_OUT && !slot->shared;
    }
    return any && all;
}

/* Merges two dimensions into one of complete rows, as many per tile as fit. */
static void span_rows(stn_launch *launch)
{
    const int last = launch->rank - 1;
    launch->rows_in_place = last > 0 && has_rows_in_place(launch);
    if (last < 1 || launch->extent[last] == 0 || !are_shifted_rows(launch) ||
        (launch->extent[last] > max_columns(launch) && !launch->rows_in_place))
        return;
    launch->columns = launch->extent[last];
    for (int v = 0; v < launch->views; v++) {
        stn_slot *slot = &launch->slots[launch->view_at[v]];
        slot->rows = way_of(launch, slot);
        slot->row_stride = slot->stride[last - 1];
        slot->stride[last - 1] = slot->stride[last];
    }
    launch->extent[last - 1] *= launch->columns;
    launch->rank--;
}

/* ---- blocks ---- */

/* Are the rows of a view closer in memory than its columns? */
static int is_transposed(const stn_launch *launch, const stn_slot *slot)
{
    const int last = launch->rank - 1;
    const uint64_t row = stn_stride_length(slot->stride[last - 1]),
                   column = stn_stride_length(slot->stride[last]);
    return slot->reader.plain && row != 0 && row < column;
}

/* Can the loop process a block as one tile? */
static int may_be_whole(const stn_launch *launch)
{
    int may =
        !launch->indexed && launch->views <= STN_MAX_PANELS && !stn_program_is_loop(launch->loop);
    for (int v = 0; v < launch->views; v++) {
        const stn_slot *slot = &launch->slots[launch->view_at[v]];
        may &= slot->kind <= STN_PARAMETER_OUT && !draws(slot);
    }
    return may;
}

/* The extents of a block with panels; `widest` is the size of the widest code in bytes, and `bytes`
 * is the maximum size of all transposed elements at one position. Threads share blocks. */
static void choose_panels(stn_launch *launch, int64_t widest, int64_t bytes)
{
    const int64_t value = widest > launch->bytes ? widest : launch->bytes;
    const int64_t most = launch->whole_blocks ? STN_PANEL_WIDTH : STN_TILE_ELEMENTS / 2;
    const int64_t columns = STN_PANEL_ROW_BYTES / widest,
                  blocks = 4 * (int64_t)launch->exec->threads;
    launch->block_columns = columns < 1 ? 1 : columns > most ? most : columns;
    launch->block_rows = STN_PANELS_BYTES / (bytes * launch->block_columns) & -8;
    if (launch->block_rows > STN_PANEL_HEIGHT)
        launch->block_rows = STN_PANEL_HEIGHT;
    while (launch->block_rows > STN_PANEL_LEAST_HEIGHT && stn_panel_count(launch) < blocks)
        launch->block_rows /= 2;
    launch->band_rows = STN_TILE_BYTES / (launch->block_columns * value);
    if (launch->band_rows < 1)
        launch->band_rows = 1;
}

static void choose_blocks(stn_launch *launch)
{
    int panels = 0;
    int64_t widest = 1, bytes = 0;
    for (int v = 0; v < launch->views; v++) {
        stn_slot *slot = &launch->slots[launch->view_at[v]];
        const int64_t code = slot->reader.run.bytes;
        slot->transposed =
            launch->rank > 1 && launch->extent[launch->rank - 1] > 1 && is_transposed(launch, slot);
        launch->blocks |= launch->rank > 1 && (slot->transposed || stn_view_mapping(slot->view));
        slot->panel = slot->transposed && panels < STN_MAX_PANELS && !draws(slot) &&
                      slot->kind <= STN_PARAMETER_OUT;
        panels += slot->panel;
        widest = code > widest ? code : widest;
        if (slot->panel)
            bytes += code > launch->bytes ? code : launch->bytes;
    }
    launch->whole_blocks = panels > 0 && may_be_whole(launch);
    for (int v = 0; v < launch->views && launch->whole_blocks; v++)
        launch->slots[launch->view_at[v]].panel = 1;
    launch->block_rows = launch->band_rows = STN_BLOCK_ROWS; /* without panels */
    launch->block_columns = STN_BLOCK_COLUMNS;
    if (panels > 0)
        choose_panels(launch, widest, bytes);
}

/* ---- the whole ---- */

void stn_launch_order(stn_launch *launch)
{
    const int may_span = !launch->indexed && !launch->stencil.views && !launch->stencil.bounded;
    const int free = may_span && !launch->shifted;
    const int may_sort = free || (may_span && launch->has_tiles);
    launch->columns = 0;
    launch->rows_in_place = 0;
    launch->blocks = 0;
    for (int d = 0; d < STN_MAX_RANK; d++)
        launch->axis[d] = d;
    const int sorts = may_sort && !any_draws(launch);
    if (sorts && stn_launch_is_flat(launch))
        flatten(launch);
    if (launch->rank > 1)
        order_dimensions(launch, sorts, free);
    if (launch->rank == 0) {
        launch->extent[0] = 1;
        launch->rank = 1;
        for (int v = 0; v < launch->views; v++)
            launch->slots[launch->view_at[v]].stride[0] = 0;
    }
    if (may_span && launch->has_tiles)
        span_rows(launch);
    for (int v = 0; v < launch->views; v++)
        launch->slots[launch->view_at[v]].panel = 0;
    if (!launch->stencil.views && !launch->stencil.bounded && !launch->columns && launch->has_tiles)
        choose_blocks(launch);
}
