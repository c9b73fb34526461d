/* Tiled, Morton and custom layouts applied to extents; offsets of elements of all views. */
#include "view/layout/mapping.h"

#include <stdio.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"

/* ---- creation ---- */

static stn_status refuse_span(const char *label, stn_layout_kind kind)
{
    return stn_fail(STN_ERR_RANGE, "view %s: its elements in layout %s exceed the address space",
                    label, stn_layout_name(kind));
}

static stn_status check_tiles(const stn_layout *layout, int rank, const char *label)
{
    if (layout->rank != rank)
        return stn_fail(STN_ERR_ARGUMENT,
                        "view %s: its layout has tiles of rank %d, but its rank is %d", label,
                        layout->rank, rank);
    if (layout->inner != STN_LAYOUT_RIGHT && layout->inner != STN_LAYOUT_LEFT)
        return stn_fail(STN_ERR_ARGUMENT,
                        "view %s: the layout within tiles is %s; it must be right or left", label,
                        stn_layout_name(layout->inner));
    for (int d = 0; d < rank; d++)
        if (layout->tile[d] < 1)
            return stn_fail(STN_ERR_ARGUMENT,
                            "view %s: tile extent %lld in dimension %d; it must be at least 1",
                            label, (long long)layout->tile[d], d);
    return STN_OK;
}

/* Computes the strides within tiles and of tiles. Returns 0 on overflow. */
static int lay_out_tiles(stn_mapping *mapping)
{
    const int is_left = mapping->layout.inner == STN_LAYOUT_LEFT;
    int64_t step = 1;
    for (int k = 0; k < mapping->rank; k++) {
        const int d = is_left ? k : mapping->rank - 1 - k;
        mapping->within[d] = step;
        if (__builtin_mul_overflow(step, mapping->layout.tile[d], &step))
            return 0;
    }
    for (int d = mapping->rank - 1; d >= 0; d--) {
        const int64_t tile = mapping->layout.tile[d], extent = mapping->extent[d];
        mapping->tile_stride[d] = step;
        if (__builtin_mul_overflow(step, extent / tile + (extent % tile != 0), &step))
            return 0;
    }
    mapping->span = step;
    return 1;
}

/* Distributes the bits of the indices, from the lowest on: one bit of each dimension in turn, the
 * last dimension first, skipping dimensions that have no bits left. */
static int lay_out_bits(stn_mapping *mapping)
{
    int next = 0;
    for (int d = 0; d < mapping->rank; d++)
        while (mapping->bits[d] < 63 && (mapping->extent[d] - 1) >> mapping->bits[d])
            mapping->bits[d]++;
    for (int bit = 0; bit < 63; bit++)
        for (int d = mapping->rank - 1; d >= 0; d--)
            if (bit < mapping->bits[d]) {
                if (next == 63)
                    return 0;
                mapping->mask[d] |= (uint64_t)1 << next++;
            }
    return 1;
}

static stn_status span_of_bits(stn_mapping *mapping, const char *label)
{
    int64_t last[STN_MAX_RANK];
    if (!lay_out_bits(mapping))
        return refuse_span(label, STN_LAYOUT_MORTON);
    for (int d = 0; d < mapping->rank; d++)
        last[d] = mapping->extent[d] - 1;
    const int64_t highest = stn_mapping_offset(mapping, last);
    if (highest == INT64_MAX)
        return refuse_span(label, STN_LAYOUT_MORTON);
    mapping->span = highest + 1;
    return STN_OK;
}

/* Calls the offset function of a custom layout for the corners of the array, where mistakes are
 * most likely to be visible. */
static stn_status check_corners(const stn_mapping *mapping, const char *label)
{
    for (unsigned corner = 0; corner < 1u << mapping->rank; corner++) {
        int64_t indices[STN_MAX_RANK] = {0};
        for (int d = 0; d < mapping->rank; d++)
            indices[d] = corner >> d & 1 ? mapping->extent[d] - 1 : 0;
        const int64_t offset = stn_mapping_offset(mapping, indices);
        if (offset < 0 || offset >= mapping->span)
            return stn_fail(STN_ERR_ARGUMENT,
                            "view %s: its custom layout puts a corner at offset %lld, outside its "
                            "span of %lld elements",
                            label, (long long)offset, (long long)mapping->span);
    }
    return STN_OK;
}

/* Checks the run lengths that the layout reports against its offsets, along each dimension from
 * the first element on. */
static stn_status check_runs(const stn_mapping *mapping, const char *label)
{
    for (int d = 0; d < mapping->rank; d++) {
        int64_t indices[STN_MAX_RANK] = {0}, first, stride;
        const int64_t length =
            stn_mapping_run(mapping, indices, d, mapping->extent[d], &first, &stride);
        const int begins = stn_mapping_offset(mapping, indices) == first;
        indices[d] = length - 1;
        if (!begins || stn_mapping_offset(mapping, indices) != first + (length - 1) * stride)
            return stn_fail(STN_ERR_ARGUMENT,
                            "view %s: its custom layout gives a run of %lld elements along "
                            "dimension %d that differs from its offsets",
                            label, (long long)length, d);
    }
    return STN_OK;
}

static stn_status refuse_extents(const stn_mapping *mapping, const char *label)
{
    char text[20 * STN_MAX_RANK + 1] = "";
    for (int d = 0, at = 0; d < mapping->rank; d++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%lld", d ? " x " : "",
                       (long long)mapping->extent[d]);
    return stn_fail(STN_ERR_RANGE,
                    "view %s: the span function of its custom layout rejects extents %s", label,
                    text);
}

static stn_status span_of_custom(stn_mapping *mapping, int64_t count, const char *label)
{
    const stn_layout *layout = &mapping->layout;
    if (!layout->offset || !layout->span)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: the %s function of its custom layout is NULL",
                        label, layout->offset ? "span" : "offset");
    const stn_modes_guarded modes = stn_modes_guard();
    mapping->span = count ? layout->span(layout->context, mapping->rank, mapping->extent) : 0;
    stn_modes_again(modes);
    if (mapping->span < 0)
        return refuse_extents(mapping, label);
    if (mapping->span < count)
        return stn_fail(STN_ERR_ARGUMENT,
                        "view %s: its custom layout has a span of %lld for %lld elements", label,
                        (long long)mapping->span, (long long)count);
    if (count == 0)
        return STN_OK;
    STN_TRY(check_corners(mapping, label));
    return check_runs(mapping, label);
}

/* ---- matrices stored in part ---- */

static stn_status check_matrix(const stn_layout *layout, int rank, const char *label)
{
    const char *const name = stn_layout_name(layout->kind);
    if (rank != 2)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: layout %s requires rank 2, not %d", label, name,
                        rank);
    if (layout->inner != STN_LAYOUT_RIGHT && layout->inner != STN_LAYOUT_LEFT)
        return stn_fail(STN_ERR_ARGUMENT,
                        "view %s: the order of layout %s is %s; it must be right or left", label,
                        name, stn_layout_name(layout->inner));
    return STN_OK;
}

static stn_status lay_out_packed(stn_mapping *mapping, const char *label)
{
    const int64_t n = mapping->extent[0];
    STN_TRY(check_matrix(&mapping->layout, mapping->rank, label));
    if (n != mapping->extent[1])
        return stn_fail(STN_ERR_SHAPE,
                        "view %s: layout packed requires a square matrix, not %lld x %lld", label,
                        (long long)n, (long long)mapping->extent[1]);
    if (mapping->layout.tile[0] != STN_LOWER && mapping->layout.tile[0] != STN_UPPER)
        return stn_fail(STN_ERR_ARGUMENT,
                        "view %s: triangle is %lld; it must be STN_LOWER (0) or STN_UPPER (1)",
                        label, (long long)mapping->layout.tile[0]);
    mapping->span = (n + 1) / 2 * (n % 2 ? n : n + 1); /* cannot overflow, since the count does not
                                                        */
    return STN_OK;
}

/* Within the band, an element's offset is linear in its indices. */
static stn_status lay_out_band(stn_mapping *mapping, const char *label)
{
    const int64_t *const band = mapping->layout.tile;
    const int by_row = mapping->layout.inner == STN_LAYOUT_RIGHT;
    int64_t minimum;
    STN_TRY(check_matrix(&mapping->layout, mapping->rank, label));
    if (band[0] < 0 || band[1] < 0)
        return stn_fail(STN_ERR_ARGUMENT,
                        "view %s: a banded layout has %lld diagonals below and %lld above; neither "
                        "can be negative",
                        label, (long long)band[0], (long long)band[1]);
    if (__builtin_add_overflow(band[0], band[1], &minimum) || band[2] <= minimum)
        return stn_fail(STN_ERR_ARGUMENT,
                        "view %s: its leading dimension is %lld; it must be more than the %lld "
                        "diagonals below and %lld above together",
                        label, (long long)band[2], (long long)band[0], (long long)band[1]);
    if (__builtin_mul_overflow(band[2], mapping->extent[by_row ? 0 : 1], &mapping->span))
        return refuse_span(label, STN_LAYOUT_BANDED);
    mapping->within[0] = by_row ? band[2] - 1 : 1;
    mapping->within[1] = by_row ? 1 : band[2] - 1;
    return STN_OK;
}

int stn_mapping_grows(const stn_mapping *mapping)
{
    return (mapping->layout.tile[0] == STN_UPPER) == (mapping->layout.inner == STN_LAYOUT_LEFT);
}

static int64_t offset_in_triangle(const stn_mapping *mapping, int64_t i, int64_t j)
{
    const int64_t less = i < j ? i : j, more = i < j ? j : i, n = mapping->extent[0];
    if (stn_mapping_grows(mapping))
        return less + (more % 2 ? (more + 1) / 2 * more : more / 2 * (more + 1));
    return more + (less % 2 ? less * ((2 * n - 1 - less) / 2) : less / 2 * (2 * n - 1 - less));
}

/* The result is not clamped. */
static int64_t offset_in_band(const stn_mapping *mapping, int64_t i, int64_t j)
{
    const int64_t *const band = mapping->layout.tile;
    return band[mapping->layout.inner == STN_LAYOUT_RIGHT ? 0 : 1] + i * mapping->within[0] +
           j * mapping->within[1];
}

static int64_t clamped(const stn_mapping *mapping, int64_t offset)
{
    return offset < 0 ? 0 : offset < mapping->span ? offset : mapping->span - 1;
}

/* The number of adjacent elements along a dimension with a constant stride. In a triangle, these
 * end at the diagonal or begin there. */
static int64_t run_in_triangle(const stn_mapping *mapping, const int64_t *indices, int dimension)
{
    const int64_t moves = indices[dimension], stays = indices[1 - dimension];
    if (stn_mapping_grows(mapping))
        return moves <= stays ? stays - moves + 1 : 1;
    return moves >= stays ? mapping->extent[0] - moves : 1;
}

static int64_t run_in_band(const stn_mapping *mapping, const int64_t *indices, int dimension,
                           int64_t count)
{
    const int64_t offset = offset_in_band(mapping, indices[0], indices[1]);
    const int64_t stride = mapping->within[dimension];
    if (offset < 0 || offset >= mapping->span)
        return 1;
    return stride == 0 ? count : (mapping->span - 1 - offset) / stride + 1;
}

int stn_mapping_is_partial(const stn_mapping *mapping)
{
    return mapping && mapping->layout.kind >= STN_LAYOUT_PACKED;
}

/* Returns whether the diagonal that is `above` the main one is stored. */
static int is_stored_above(const stn_mapping *mapping, int64_t above)
{
    const int64_t *const band = mapping->layout.tile;
    return mapping->layout.kind == STN_LAYOUT_BANDED ? above <= band[1] && -above <= band[0] : 1;
}

int stn_view_stores(const stn_view *view, const int64_t *indices)
{
    int64_t whole[STN_MAX_RANK];
    if (!stn_mapping_is_partial(stn_view_mapping(view)))
        return 1;
    stn_view_whole_indices(view, indices, whole);
    return is_stored_above(stn_view_mapping(view), whole[1] - whole[0]);
}

int stn_view_is_whole_matrix(const stn_view *view)
{
    if (!stn_mapping_is_partial(stn_view_mapping(view)) || view->rank != 2)
        return 0;
    for (int d = 0; d < 2; d++)
        if (view->axis[d] != d || view->stride[d] != 1 ||
            view->extent[d] != stn_view_mapping(view)->extent[d])
            return 0;
    return view->first == 0;
}

static stn_view memory_of(const stn_view *view)
{
    stn_view memory = *view;
    memory.rank = 1;
    memory.extent[0] = stn_view_mapping(view)->span;
    memory.stride[0] = 1;
    memory.extra = NULL;
    memory.first = 0;
    memory.fixed = 0;
    return memory;
}

int stn_view_as_memory(const stn_view *view, const stn_view *other, stn_view *memory,
                       stn_view *other_memory)
{
    if (!stn_view_is_whole_matrix(view) || !stn_view_is_whole_matrix(other) ||
        stn_view_has_scales(view) || stn_view_has_scales(other) ||
        view->storage.rounding == STN_ROUND_STOCHASTIC)
        return 0;
    const stn_layout *const a = &stn_view_mapping(view)->layout, *const b = &stn_view_mapping(other)
                                                                                 ->layout;
    if (a->kind != b->kind || a->inner != b->inner ||
        memcmp(a->tile, b->tile, 3 * sizeof *a->tile) != 0 ||
        memcmp(view->extent, other->extent, 2 * sizeof *view->extent) != 0)
        return 0;
    *memory = memory_of(view);
    *other_memory = memory_of(other);
    return 1;
}

/* The range of indices of the whole array that the view has in dimension `axis`. */
static void range_of(const stn_view *view, int axis, int64_t *minimum, int64_t *maximum)
{
    int64_t base[STN_MAX_RANK];
    stn_view_base(view, base);
    *minimum = *maximum = base[axis];
    for (int d = 0; d < view->rank; d++) {
        const int64_t reach = (view->extent[d] - 1) * view->stride[d];
        if (view->axis[d] == axis)
            *(reach < 0 ? minimum : maximum) += reach;
    }
}

int stn_view_is_within(const stn_view *view)
{
    int64_t minimum[2], maximum[2];
    for (int d = 0; d < view->rank; d++)
        if (view->extent[d] == 0)
            return 1;
    for (int d = 0; d < view->rank; d++)
        if (view->stride[d] == 0 && view->extent[d] > 1)
            return 0;
    for (int axis = 0; axis < 2; axis++)
        range_of(view, axis, &minimum[axis], &maximum[axis]);
    if (stn_view_mapping(view)->layout.kind == STN_LAYOUT_BANDED)
        return is_stored_above(stn_view_mapping(view), minimum[1] - maximum[0]) &&
               is_stored_above(stn_view_mapping(view), maximum[1] - minimum[0]);
    /* (i, j) and (j, i) are both in the view if rows and columns have two indices in common. */
    const int64_t first = minimum[0] > minimum[1] ? minimum[0] : minimum[1];
    return (maximum[0] < maximum[1] ? maximum[0] : maximum[1]) <= first;
}

static stn_status lay_out(stn_mapping *mapping, const char *label)
{
    int64_t count = 1;
    for (int d = 0; d < mapping->rank && count; d++)
        count = mapping->extent[d] != 0;
    for (int d = 0; d < mapping->rank && count; d++)
        if (__builtin_mul_overflow(count, mapping->extent[d], &count))
            return refuse_span(label, mapping->layout.kind);
    if (mapping->layout.kind == STN_LAYOUT_CUSTOM)
        return span_of_custom(mapping, count, label);
    if (mapping->layout.kind == STN_LAYOUT_TILED)
        STN_TRY(check_tiles(&mapping->layout, mapping->rank, label));
    if (mapping->layout.kind == STN_LAYOUT_PACKED)
        return lay_out_packed(mapping, label);
    if (mapping->layout.kind == STN_LAYOUT_BANDED)
        return lay_out_band(mapping, label);
    if (count == 0)
        return STN_OK;
    if (mapping->layout.kind == STN_LAYOUT_MORTON)
        return span_of_bits(mapping, label);
    return lay_out_tiles(mapping) ? STN_OK : refuse_span(label, STN_LAYOUT_TILED);
}

stn_status stn_mapping_create(const stn_layout *layout, int rank, const int64_t *extents,
                              const char *label, stn_view_extra **extra)
{
    stn_mapping result = {.layout = *layout, .rank = rank};
    *extra = NULL;
    for (int d = 0; d < rank; d++)
        result.extent[d] = extents[d];
    STN_TRY(lay_out(&result, label));
    if (stn_extra_of_mapping(&result, extra) != STN_OK)
        return stn_fail(STN_ERR_MEMORY, "view %s: no memory for its mapping", label);
    return STN_OK;
}

/* ---- offsets ---- */

uint64_t stn_mapping_spread(uint64_t index, uint64_t mask)
{
    uint64_t offset = 0;
    for (; mask && index; mask &= mask - 1, index >>= 1)
        if (index & 1)
            offset |= mask & (0 - mask);
    return offset;
}

static int64_t offset_of_custom(const stn_mapping *mapping, const int64_t *indices)
{
    const stn_layout *layout = &mapping->layout;
    const stn_modes_guarded modes = stn_modes_guard();
    const int64_t offset = layout->offset(layout->context, mapping->rank, mapping->extent, indices);
    stn_modes_again(modes);
    return offset;
}

int64_t stn_mapping_offset(const stn_mapping *mapping, const int64_t *indices)
{
    const stn_layout *layout = &mapping->layout;
    uint64_t bits = 0;
    int64_t offset = 0;
    if (layout->kind == STN_LAYOUT_CUSTOM)
        return offset_of_custom(mapping, indices);
    if (layout->kind == STN_LAYOUT_MORTON) {
        for (int d = 0; d < mapping->rank; d++)
            bits |= stn_mapping_spread((uint64_t)indices[d], mapping->mask[d]);
        return (int64_t)bits;
    }
    if (layout->kind == STN_LAYOUT_PACKED)
        return offset_in_triangle(mapping, indices[0], indices[1]);
    if (layout->kind == STN_LAYOUT_BANDED)
        return clamped(mapping, offset_in_band(mapping, indices[0], indices[1]));
    for (int d = 0; d < mapping->rank; d++)
        offset += indices[d] / layout->tile[d] * mapping->tile_stride[d] +
                  indices[d] % layout->tile[d] * mapping->within[d];
    return offset;
}

void stn_view_whole_indices(const stn_view *view, const int64_t *indices, int64_t *whole)
{
    stn_view_base(view, whole);
    for (int d = 0; d < view->rank; d++)
        whole[view->axis[d]] += indices[d] * view->stride[d];
}

int64_t stn_view_element_offset(const stn_view *view, const int64_t *indices)
{
    int64_t whole[STN_MAX_RANK], offset = 0;
    if (stn_view_mapping(view)) {
        stn_view_whole_indices(view, indices, whole);
        return stn_mapping_offset(stn_view_mapping(view), whole);
    }
    for (int d = 0; d < view->rank; d++)
        offset += indices[d] * view->stride[d];
    return offset;
}

/* ---- runs of custom layouts ---- */

int64_t stn_mapping_run(const stn_mapping *mapping, const int64_t *indices, int dimension,
                        int64_t count, int64_t *offset, int64_t *stride)
{
    const stn_layout *layout = &mapping->layout;
    *stride = 1;
    if (stn_mapping_is_partial(mapping)) {
        const int is_packed = layout->kind == STN_LAYOUT_PACKED;
        const int64_t run_length = is_packed ? run_in_triangle(mapping, indices, dimension)
                                             : run_in_band(mapping, indices, dimension, count);
        *offset = stn_mapping_offset(mapping, indices);
        *stride = is_packed ? 1 : mapping->within[dimension];
        return run_length < count ? run_length : count;
    }
    if (!layout->run || count <= 1) {
        *offset = offset_of_custom(mapping, indices);
        return 1;
    }
    const stn_modes_guarded modes = stn_modes_guard();
    const int64_t length = layout->run(layout->context, mapping->rank, mapping->extent, indices,
                                       dimension, offset, stride);
    stn_modes_again(modes);
    return length < 1 ? 1 : length < count ? length : count;
}
