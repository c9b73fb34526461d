/* The model of views: walks in the order that each layout puts the elements in. */
#include "view_model.h"

#include <stdlib.h>

#include "view/layout/mapping.h"
#include "view/layout/lines.h"
#include "view/view.h"
#include "make_view.h"

static const int64_t tiles[STN_MAX_RANK] = {2, 3, 2, 1, 2, 3, 2, 2};

int64_t model_count(const view_model *model)
{
    int64_t count = 1;
    for (int d = 0; d < model->rank; d++)
        count *= model->extent[d];
    return count;
}

int model_is_strided(model_layout layout)
{
    return layout <= MODEL_BLOCK;
}

static int64_t number_of(int rank, const int64_t *extents, const int64_t *indices)
{
    int64_t number = 0;
    for (int d = 0; d < rank; d++)
        number = number * extents[d] + indices[d];
    return number;
}

int64_t model_at(const view_model *model, const int64_t *indices)
{
    return model->position[number_of(model->rank, model->extent, indices)];
}

/* ---- the layouts for the library ---- */

static int64_t backward(const void *context, int rank, const int64_t *extents,
                        const int64_t *indices)
{
    int64_t last[STN_MAX_RANK];
    (void)context;
    for (int d = 0; d < rank; d++)
        last[d] = extents[d] - 1;
    return 2 * (number_of(rank, extents, last) - number_of(rank, extents, indices)) + 1;
}

static int64_t backward_span(const void *context, int rank, const int64_t *extents)
{
    int64_t count = 2;
    (void)context;
    for (int d = 0; d < rank; d++)
        count *= extents[d];
    return count;
}

/* Dimension d of the strided layout: the first one is the fastest. */
static void gapped_strides(int rank, const int64_t *extents, int64_t *strides)
{
    int64_t step = 2;
    for (int d = 0; d < rank; d++) {
        strides[d] = d % 2 ? -step : step;
        step = step * extents[d] + 1;
    }
}

stn_layout model_layout_of(model_layout layout, int rank, const int64_t *extents)
{
    int64_t strides[STN_MAX_RANK];
    switch (layout) {
    case MODEL_LEFT:
        return stn_layout_of(STN_LAYOUT_LEFT);
    case MODEL_STRIDED:
        gapped_strides(rank, extents, strides);
        return stn_layout_strided(rank, strides);
    case MODEL_BLOCK:
        return stn_layout_of(STN_LAYOUT_BLOCK_COL_MAJOR);
    case MODEL_TILED_RIGHT:
        return stn_layout_tiled(rank, tiles, STN_LAYOUT_RIGHT);
    case MODEL_TILED_LEFT:
        return stn_layout_tiled(rank, tiles, STN_LAYOUT_LEFT);
    case MODEL_MORTON:
        return stn_layout_of(STN_LAYOUT_MORTON);
    case MODEL_CUSTOM:
        return stn_layout_custom(backward, backward_span, NULL);
    case MODEL_RIGHT:
    case MODEL_LAYOUTS:
        break;
    }
    return stn_layout_of(STN_LAYOUT_RIGHT);
}

stn_view model_create(model_layout which, const char *label, stn_storage storage, int rank,
                      const int64_t *extents)
{
    const stn_layout layout = model_layout_of(which, rank, extents);
    return create_view(NULL, label, storage, &layout, rank, extents, 0);
}

const void *model_lowest(const stn_view *view)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    int64_t lowest = 0, highest;
    expect_ok(stn_format_describe(view->storage.format, &info));
    if (!stn_view_mapping(view))
        assert_true(stn_view_reach(view, &lowest, &highest));
    return (const char *)view->data + lowest * info.bytes;
}

/* ---- walks ---- */

static void put(view_model *model, const int64_t *indices, int64_t position)
{
    for (int d = 0; d < model->rank; d++)
        if (indices[d] >= model->extent[d])
            return;
    model->position[number_of(model->rank, model->extent, indices)] = position;
}

/* Loops over dimensions in any order, the last of it the fastest. */
static void walk_order(view_model *model, const int *order)
{
    int64_t extents[STN_MAX_RANK], at[STN_MAX_RANK] = {0}, indices[STN_MAX_RANK];
    int64_t position = 0;
    for (int d = 0; d < model->rank; d++)
        extents[d] = model->extent[order[d]];
    do {
        for (int d = 0; d < model->rank; d++)
            indices[order[d]] = at[d];
        put(model, indices, position++);
    } while (next_indices(model->rank, extents, at));
}

static void walk_plain(view_model *model, model_layout layout)
{
    int order[STN_MAX_RANK];
    const int rank = model->rank;
    for (int d = 0; d < rank; d++)
        order[d] = layout == MODEL_LEFT ? rank - 1 - d : d;
    if (layout == MODEL_BLOCK && rank >= 2) {
        order[rank - 2] = rank - 1;
        order[rank - 1] = rank - 2;
    }
    walk_order(model, order);
}

static void walk_tiles(view_model *model, int is_left)
{
    int64_t grid[STN_MAX_RANK], corner[STN_MAX_RANK] = {0}, turned[STN_MAX_RANK];
    int64_t indices[STN_MAX_RANK], position = 0;
    const int rank = model->rank;
    for (int d = 0; d < rank; d++) {
        for (grid[d] = 0; grid[d] * tiles[d] < model->extent[d];)
            grid[d]++;
        turned[d] = is_left ? tiles[rank - 1 - d] : tiles[d];
    }
    do {
        int64_t at[STN_MAX_RANK] = {0};
        do {
            for (int d = 0; d < rank; d++)
                indices[d] = corner[d] * tiles[d] + (is_left ? at[rank - 1 - d] : at[d]);
            put(model, indices, position++);
        } while (next_indices(rank, turned, at));
    } while (next_indices(rank, grid, corner));
}

/* Halve a box of powers of two along the dimensions in turn, the first one first, but only along
 * those that are at least as long as what the longest would be by now. */
static void walk_halves(view_model *model, const int64_t *begin, const int64_t *sides, int64_t side,
                        int d, int64_t *position)
{
    int64_t half[STN_MAX_RANK], second[STN_MAX_RANK];
    if (side == 1) {
        put(model, begin, (*position)++);
        return;
    }
    if (d == model->rank) {
        walk_halves(model, begin, sides, side / 2, 0, position);
        return;
    }
    if (sides[d] < side) {
        walk_halves(model, begin, sides, side, d + 1, position);
        return;
    }
    memcpy(half, sides, sizeof half);
    memcpy(second, begin, sizeof second);
    half[d] = sides[d] / 2;
    second[d] = begin[d] + half[d];
    walk_halves(model, begin, half, side, d + 1, position);
    walk_halves(model, second, half, side, d + 1, position);
}

static void walk_morton(view_model *model)
{
    const int64_t zeros[STN_MAX_RANK] = {0};
    int64_t sides[STN_MAX_RANK] = {0}, longest = 1, position = 0;
    for (int d = 0; d < model->rank; d++) {
        for (sides[d] = 1; sides[d] < model->extent[d];)
            sides[d] *= 2;
        longest = sides[d] > longest ? sides[d] : longest;
    }
    walk_halves(model, zeros, sides, longest, 0, &position);
}

static void walk_strides(view_model *model)
{
    int64_t strides[STN_MAX_RANK], indices[STN_MAX_RANK] = {0}, lowest = 0;
    gapped_strides(model->rank, model->extent, strides);
    for (int d = 1; d < model->rank; d += 2)
        lowest += (model->extent[d] - 1) * strides[d];
    do {
        int64_t position = -lowest;
        for (int d = 0; d < model->rank; d++)
            position += indices[d] * strides[d];
        put(model, indices, position);
    } while (next_indices(model->rank, model->extent, indices));
}

static void walk_backward(view_model *model)
{
    const int64_t count = model_count(model);
    for (int64_t k = 0; k < count; k++)
        model->position[count - 1 - k] = 2 * k + 1;
}

void model_make(view_model *model, model_layout layout, int rank, const int64_t *extents)
{
    model->rank = rank;
    for (int d = 0; d < rank; d++)
        model->extent[d] = extents[d];
    if (model_count(model) > MODEL_LARGEST)
        fail_msg("too large for the model");
    if (model_count(model) == 0)
        return;
    if (layout == MODEL_STRIDED)
        walk_strides(model);
    else if (layout == MODEL_TILED_RIGHT || layout == MODEL_TILED_LEFT)
        walk_tiles(model, layout == MODEL_TILED_LEFT);
    else if (layout == MODEL_MORTON)
        walk_morton(model);
    else if (layout == MODEL_CUSTOM)
        walk_backward(model);
    else
        walk_plain(model, layout);
}

/* ---- parts ---- */

static int64_t index_in(const stn_slice *slice, int64_t index)
{
    return slice->mode == STN_SLICE_ALL ? index : slice->begin + index * slice->step;
}

void model_slice(view_model *model, const stn_slice *slices)
{
    view_model *part = calloc(1, sizeof *part);
    int64_t indices[STN_MAX_RANK] = {0}, whole[STN_MAX_RANK], k = 0;
    int from[STN_MAX_RANK];
    for (int d = 0; d < model->rank; d++) {
        whole[d] = slices[d].begin;
        if (slices[d].mode == STN_SLICE_INDEX)
            continue;
        from[part->rank] = d;
        part->extent[part->rank++] =
            slices[d].mode == STN_SLICE_ALL ? model->extent[d] : slices[d].count;
    }
    if (model_count(part) > 0)
        do {
            for (int d = 0; d < part->rank; d++)
                whole[from[d]] = index_in(&slices[from[d]], indices[d]);
            part->position[k++] = model_at(model, whole);
        } while (next_indices(part->rank, part->extent, indices));
    *model = *part;
    free(part);
}

void model_permute(view_model *model, const int *order)
{
    view_model *turned = calloc(1, sizeof *turned);
    int64_t indices[STN_MAX_RANK] = {0}, whole[STN_MAX_RANK] = {0}, k = 0;
    turned->rank = model->rank;
    for (int d = 0; d < model->rank; d++)
        turned->extent[d] = model->extent[order[d]];
    if (model_count(turned) > 0)
        do {
            for (int d = 0; d < model->rank; d++)
                whole[order[d]] = indices[d];
            turned->position[k++] = model_at(model, whole);
        } while (next_indices(turned->rank, turned->extent, indices));
    *model = *turned;
    free(turned);
}

/* ---- against the library ---- */

/* What is left of a dimension from `indices` on is gathered from where the model has it. */
static void check_line(const view_model *model, const stn_view *view, const int64_t *indices, int d,
                       int64_t bytes, const void *lowest)
{
    enum { MOST = 64 };
    char codes[MOST * 16];
    int64_t at[STN_MAX_RANK];
    stn_view_line line = {.dimension = d, .count = model->extent[d] - indices[d]};
    if (bytes > 16)
        return;
    if (line.count > MOST)
        line.count = MOST;
    memcpy(line.index, indices, sizeof line.index);
    memcpy(at, indices, sizeof at);
    stn_view_line_gather(view, &line, bytes, codes);
    for (int64_t k = 0; k < line.count; k++, at[d]++)
        assert_memory_equal(codes + k * bytes, (const char *)lowest + model_at(model, at) * bytes,
                            (size_t)bytes);
}

void model_check(const view_model *model, const stn_view *view, const void *lowest)
{
    stn_format_info info = STN_FORMAT_INFO_INIT;
    int64_t indices[STN_MAX_RANK] = {0}, offset;
    assert_int_equal(view->rank, model->rank);
    for (int d = 0; d < model->rank; d++)
        assert_int_equal(view->extent[d], model->extent[d]);
    assert_int_equal(stn_view_count(view), model_count(model));
    if (model_count(model) == 0)
        return;
    expect_ok(stn_format_describe(view->storage.format, &info));
    const int64_t shift = ((const char *)view->data - (const char *)lowest) / info.bytes;
    do {
        void *address;
        const int64_t position = model_at(model, indices);
        expect_ok(stn_view_offset(view, model->rank, indices, &offset));
        assert_int_equal(shift + offset, position);
        assert_int_equal(stn_view_element_offset(view, indices), offset);
        expect_ok(stn_view_address(view, model->rank, indices, &address));
        assert_ptr_equal(address, (const char *)lowest + position * info.bytes);
        for (int d = 0; d < model->rank; d++)
            check_line(model, view, indices, d, info.bytes, lowest);
    } while (next_indices(model->rank, model->extent, indices));
}
