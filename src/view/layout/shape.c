/* From a layout and extents to strides or a mapping. */
#include "view/layout/shape.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "format/run.h"
#include "view/layout/mapping.h"
#include "view/number.h"

static stn_status check_extents(const char *label, int rank, const int64_t *extents)
{
    if (rank < 0 || rank > STN_MAX_RANK)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: rank %d is out of range (0 to %d)", label, rank,
                        STN_MAX_RANK);
    if (rank > 0 && !extents)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: extents is NULL", label);
    for (int d = 0; d < rank; d++)
        if (extents[d] < 0)
            return stn_fail(STN_ERR_SHAPE, "view %s: extent %lld of dimension %d is negative",
                            label, (long long)extents[d], d);
    return STN_OK;
}

static stn_status refuse_size(const stn_view *view)
{
    return stn_fail(STN_ERR_RANGE, "view %s exceeds the address space", stn_view_text(view));
}

/* ---- strides ---- */

int stn_layout_dimension(stn_layout_kind kind, int rank, int position)
{
    if (kind == STN_LAYOUT_LEFT)
        return position;
    if (kind == STN_LAYOUT_BLOCK_COL_MAJOR && rank >= 2 && position < 2)
        return rank - 2 + position;
    return rank - 1 - position;
}

/* The distance between rows: rows longer than a cache line are padded to begin at one. */
static int64_t padded(int64_t row, int64_t bytes)
{
    const int64_t line = bytes <= STN_LINE && STN_LINE % bytes == 0 ? STN_LINE / bytes : 0;
    if (!line || row <= line || row > INT64_MAX - line)
        return row;
    return (row + line - 1) / line * line;
}

static int is_empty(const stn_view *view)
{
    for (int d = 0; d < view->rank; d++)
        if (view->extent[d] == 0)
            return 1;
    return 0;
}

/* Returns 0 on overflow; without elements, the strides are arbitrary then. */
static int lay_out_strides(stn_view *view, stn_layout_kind kind, int64_t bytes, int is_padded)
{
    int64_t stride = 1;
    const int counts = !is_empty(view);
    for (int position = 0; position < view->rank; position++) {
        const int d = stn_layout_dimension(kind, view->rank, position);
        const int64_t extent = view->extent[d] ? view->extent[d] : 1;
        view->stride[d] = stride;
        if (position + 1 < view->rank &&
            __builtin_mul_overflow(
                stride, position == 0 && is_padded ? padded(extent, bytes) : extent, &stride)) {
            if (counts)
                return 0;
            for (int e = 0; e < view->rank; e++)
                view->stride[e] = 1;
            return 1;
        }
    }
    return 1;
}

/* Strides of dimensions with an extent of 1, or in an empty view, are never used. There, strides
 * outside the address space become 0, so that later code need not check for overflow. */
#define FURTHEST ((int64_t)1 << 47)

static stn_status set_strides(stn_view *view, const stn_layout *layout)
{
    if (layout->rank != view->rank)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: its layout has %d strides, but its rank is %d",
                        stn_view_text(view), layout->rank, view->rank);
    const int counts = !is_empty(view);
    for (int d = 0; d < view->rank; d++) {
        const int64_t stride = layout->stride[d];
        const int is_any = !counts || view->extent[d] == 1;
        view->stride[d] = is_any && (stride > FURTHEST || stride < -FURTHEST) ? 0 : stride;
    }
    return STN_OK;
}

/* ---- sizes ---- */

static int count_overflows(const stn_view *view)
{
    int64_t count = 1;
    for (int d = 0; d < view->rank; d++)
        if (__builtin_mul_overflow(count, view->extent[d], &count))
            return 1;
    return 0;
}

stn_status stn_view_bytes(const stn_view *view, int64_t *first, int64_t *bytes)
{
    const int64_t each = stn_format_entry_of(view->storage.format)->info.bytes;
    int64_t lowest = 0, highest = 0, span;
    *first = *bytes = 0;
    if (is_empty(view))
        return STN_OK;
    if (count_overflows(view))
        return refuse_size(view);
    if (stn_view_mapping(view))
        span = stn_view_mapping(view)->span;
    else if (!stn_view_reach(view, &lowest, &highest) ||
             __builtin_sub_overflow(highest, lowest, &span) ||
             __builtin_add_overflow(span, 1, &span))
        return refuse_size(view);
    if (__builtin_mul_overflow(lowest, each, first) || __builtin_mul_overflow(span, each, bytes))
        return refuse_size(view);
    return STN_OK;
}

/* ---- all of it ---- */

static stn_status set_mapping(stn_view *view, const stn_layout *layout, const char *name,
                              stn_view_extra **extra)
{
    STN_TRY(stn_mapping_create(layout, view->rank, view->extent, name, extra));
    stn_extra_set(view, *extra);
    for (int d = 0; d < view->rank; d++)
        view->stride[d] = 1;
    return STN_OK;
}

/* Elements draw by their numbers in C order, whatever the strides are. If these numbers are not
 * the offsets, parts of the view need the extents of the whole. */
static stn_status set_draws(stn_view *view, const char *name, stn_view_extra **extra)
{
    stn_whole whole;
    if (view->storage.rounding != STN_ROUND_STOCHASTIC || is_empty(view) ||
        stn_view_draws_in_order(view))
        return STN_OK;
    stn_whole_of(view, &whole);
    stn_view_order_steps(view, whole.draw_step);
    if (stn_extra_of_whole(&whole, extra) != STN_OK)
        return stn_fail(STN_ERR_MEMORY, "view %s: there is no memory for its extents", name);
    stn_extra_set(view, *extra);
    return STN_OK;
}

static stn_status lay_out(stn_view *view, const stn_layout *layout, const char *name, int is_padded,
                          stn_view_extra **extra)
{
    const stn_layout_kind kind = layout ? layout->kind : STN_LAYOUT_RIGHT;
    const stn_format_entry *entry = stn_format_entry_of(view->storage.format);
    int64_t lowest = 0, highest = 0;
    if ((unsigned)kind > STN_LAYOUT_BANDED)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: layout kind %d is unknown (0 to %d)",
                        stn_view_text(view), (int)kind, STN_LAYOUT_BANDED);
    if (is_padded && (kind == STN_LAYOUT_STRIDED || kind >= STN_LAYOUT_TILED))
        return stn_fail(STN_ERR_ARGUMENT, "view %s: layout %s cannot be padded",
                        stn_view_text(view), stn_layout_name(kind));
    if (kind >= STN_LAYOUT_TILED)
        return set_mapping(view, layout, name, extra);
    if (kind == STN_LAYOUT_STRIDED)
        STN_TRY(set_strides(view, layout));
    else if (!lay_out_strides(view, kind, entry->info.bytes, is_padded))
        return refuse_size(view);
    if (!is_empty(view) && !stn_view_reach(view, &lowest, &highest))
        return refuse_size(view);
    return set_draws(view, name, extra);
}

static stn_status check_storage(const char *label, const stn_storage *storage)
{
    const stn_status status =
        stn_format_entry_of(storage->format) ? stn_storage_check(storage) : STN_ERR_FORMAT;
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "view %s", label);
}

static const char *name_of(const char *label)
{
    return label ? label : "without a label";
}

stn_status stn_view_shape_check(const char *label, const stn_storage *storage, int rank,
                                const int64_t *extents)
{
    STN_TRY(check_extents(name_of(label), rank, extents));
    return check_storage(name_of(label), storage);
}

stn_status stn_view_shape(stn_view *view, const char *label, stn_storage storage,
                          const stn_layout *layout, int rank, const int64_t *extents, int is_padded,
                          stn_view_extra **extra)
{
    *extra = NULL;
    memset(view, 0, sizeof *view);
    STN_TRY(stn_view_shape_check(label, &storage, rank, extents));
    view->size = sizeof *view;
    view->label = label;
    view->storage = storage;
    view->rank = (int8_t)rank;
    for (int d = 0; d < rank; d++)
        view->extent[d] = extents[d];
    const stn_status status = lay_out(view, layout, name_of(label), is_padded, extra);
    if (status != STN_OK)
        memset(view, 0, sizeof *view);
    return status;
}
