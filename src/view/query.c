/* Queries of views: sizes, strides, layout, and locations of elements. */
#include <string.h>

#include "core/status.h"
#include "format/registry.h"
#include "view/layout/mapping.h"
#include "view/layout/shape.h"
#include "view/scales.h"
#include "view/store.h"

/* ---- sizes ---- */

int64_t stn_view_count(const stn_view *view)
{
    int64_t count = 1;
    if (!view || view->size != sizeof *view)
        return 0;
    for (int d = 0; d < view->rank; d++)
        if (view->extent[d] == 0)
            return 0;
    for (int d = 0; d < view->rank; d++)
        count *= view->extent[d]; /* cannot overflow: checked when the view was created */
    return count;
}

int64_t stn_view_span(const stn_view *view)
{
    int64_t lowest, highest;
    if (stn_view_count(view) == 0)
        return 0;
    if (stn_view_mapping(view))
        return stn_view_mapping(view)->span;
    (void)stn_view_reach(view, &lowest, &highest);
    return highest - lowest + 1;
}

int stn_view_is_unique(const stn_view *view)
{
    if (!view)
        return 1;
    if (stn_view_is_uninitialized(view))
        return 0;
    if (stn_view_mapping(view))
        return !stn_mapping_is_partial(stn_view_mapping(view)) || stn_view_is_within(view);
    return stn_strides_are_unique(view->rank, view->extent, view->stride);
}

int stn_view_is_contiguous(const stn_view *view)
{
    return stn_view_count(view) == stn_view_span(view) && stn_view_is_unique(view) &&
           !stn_view_store(view);
}

/* ---- layout ---- */

/* Returns whether strides are those of a layout, possibly with padding or as a part of a larger
 * array: the distance between rows may exceed the row. */
int stn_view_is_laid(const stn_view *view, stn_layout_kind kind)
{
    int64_t expected = 1;
    int is_row = 1;
    for (int position = 0; position < view->rank; position++) {
        const int d = stn_layout_dimension(kind, view->rank, position);
        const int64_t extent = view->extent[d], stride = view->stride[d];
        if (extent <= 1)
            continue;
        const int may_be_larger = position > 0 && is_row;
        if (may_be_larger ? stride < expected : stride != expected)
            return 0;
        is_row = position == 0;
        if (__builtin_mul_overflow(stride, extent, &expected))
            expected = INT64_MAX; /* no further stride is that large */
    }
    return 1;
}

stn_layout_kind stn_view_layout(const stn_view *view)
{
    static const stn_layout_kind kinds[] = {STN_LAYOUT_RIGHT, STN_LAYOUT_LEFT,
                                            STN_LAYOUT_BLOCK_COL_MAJOR};
    if (!view)
        return STN_LAYOUT_RIGHT;
    if (stn_view_is_uninitialized(view))
        return STN_LAYOUT_STRIDED;
    if (stn_view_mapping(view))
        return stn_view_mapping(view)->layout.kind;
    if (stn_view_count(view) == 0)
        return STN_LAYOUT_RIGHT;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (stn_view_is_laid(view, kinds[k]))
            return kinds[k];
    return STN_LAYOUT_STRIDED;
}

/* ---- dimensions ---- */

static stn_status check_dimension(const char *call, const stn_view *view, int dimension,
                                  const char *name, const void *result)
{
    STN_TRY(stn_view_check(call, view));
    if (!result)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, name);
    if (dimension < 0 || dimension >= view->rank)
        return stn_fail(STN_ERR_RANGE, "%s: dimension %d is out of range for %s", call, dimension,
                        stn_view_text(view));
    return STN_OK;
}

static stn_status check_strided(const char *call, const stn_view *view)
{
    return stn_view_mapping(view)
               ? stn_fail(STN_ERR_UNSUPPORTED, "%s: %s has layout %s, which has no strides", call,
                          stn_view_text(view), stn_layout_name(stn_view_mapping(view)->layout.kind))
               : STN_OK;
}

stn_status stn_view_extent(const stn_view *view, int dimension, int64_t *extent)
{
    STN_TRY(check_dimension("stn_view_extent", view, dimension, "extent", extent));
    *extent = view->extent[dimension];
    return STN_OK;
}

stn_status stn_view_stride(const stn_view *view, int dimension, int64_t *stride)
{
    STN_TRY(check_dimension("stn_view_stride", view, dimension, "stride", stride));
    STN_TRY(check_strided("stn_view_stride", view));
    *stride = view->stride[dimension];
    return STN_OK;
}

stn_status stn_view_strides(const stn_view *view, int64_t *strides, int capacity)
{
    STN_TRY(stn_view_check("stn_view_strides", view));
    if (view->rank > capacity)
        return stn_fail(STN_ERR_RANGE, "stn_view_strides: %s has %d strides, but capacity is %d",
                        stn_view_text(view), view->rank, capacity);
    if (view->rank > 0 && !strides)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_strides: strides is NULL");
    STN_TRY(check_strided("stn_view_strides", view));
    if (view->rank > 0)
        memcpy(strides, view->stride, (size_t)view->rank * sizeof *strides);
    return STN_OK;
}

/* The leading dimension if `fast` is the contiguous one of two dimensions, or 0 if it is not. */
static int64_t leading_of(const stn_view *view, int fast)
{
    const int slow = 1 - fast;
    const int64_t row = view->extent[fast] > 1 ? view->extent[fast] : 1;
    if (stn_view_count(view) == 0)
        return row;
    if (view->extent[fast] > 1 && view->stride[fast] != 1)
        return 0;
    if (view->extent[slow] > 1)
        return view->stride[slow] >= row ? view->stride[slow] : 0;
    return view->stride[slow] > row ? view->stride[slow] : row;
}

stn_status stn_view_leading_dimension(const stn_view *view, int64_t *leading, int *is_row_major)
{
    static const char call[] = "stn_view_leading_dimension";
    STN_TRY(stn_view_expect(call, view, 2));
    if (!leading || !is_row_major)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call,
                        leading ? "is_row_major" : "leading");
    STN_TRY(check_strided(call, view));
    const int64_t of_rows = leading_of(view, 1), of_columns = of_rows ? 0 : leading_of(view, 0);
    if (!of_rows && !of_columns)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s with strides %lld and %lld is neither row- nor column-major", call,
                        stn_view_text(view), (long long)view->stride[0],
                        (long long)view->stride[1]);
    *is_row_major = of_rows != 0;
    *leading = of_rows ? of_rows : of_columns;
    return STN_OK;
}

/* ---- elements ---- */

stn_status stn_view_expect_indices(const char *call, const stn_view *view, int count,
                                   const int64_t *indices)
{
    STN_TRY(stn_view_check(call, view));
    if (stn_view_is_empty(view))
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is " STN_EMPTY_VIEW, call);
    if (count != view->rank)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has rank %d, but there are %d indices", call,
                        stn_view_text(view), view->rank, count);
    if (count > 0 && !indices)
        return stn_fail(STN_ERR_ARGUMENT, "%s: indices is NULL", call);
    for (int d = 0; d < count; d++)
        if (indices[d] < 0 || indices[d] >= view->extent[d])
            return stn_fail(
                STN_ERR_RANGE, "%s: %s: index %lld of dimension %d is outside its extent %lld",
                call, stn_view_text(view), (long long)indices[d], d, (long long)view->extent[d]);
    return STN_OK;
}

/* The offsets of custom layouts are checked here. */
static stn_status offset_of(const char *call, const stn_view *view, int count,
                            const int64_t *indices, int64_t *offset)
{
    STN_TRY(stn_view_expect_indices(call, view, count, indices));
    const int64_t position = stn_view_element_offset(view, indices);
    if (stn_view_mapping(view) && (position < 0 || position >= stn_view_mapping(view)->span))
        return stn_fail(STN_ERR_RANGE,
                        "%s: %s: its custom layout gives offset %lld, outside its span of %lld",
                        call, stn_view_text(view), (long long)position,
                        (long long)stn_view_mapping(view)->span);
    *offset = position;
    return STN_OK;
}

stn_status stn_view_offset(const stn_view *view, int count, const int64_t *indices, int64_t *offset)
{
    if (!offset)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_offset: offset is NULL");
    return offset_of("stn_view_offset", view, count, indices, offset);
}

stn_status stn_view_locate(const char *call, const stn_view *view, int count,
                           const int64_t *indices, void **address)
{
    int64_t offset = 0;
    STN_TRY(offset_of(call, view, count, indices, &offset));
    STN_TRY(stn_view_expect_reached(call, NULL, view));
    if (view->traits & STN_TRAIT_ATOMIC)
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is atomic: its elements have no address", call,
                        stn_view_text(view));
    *address = (char *)view->data + offset * stn_format_entry_of(view->storage.format)->info.bytes;
    return STN_OK;
}

stn_status stn_view_address(const stn_view *view, int count, const int64_t *indices, void **address)
{
    if (!address)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_address: address is NULL");
    STN_TRY(stn_view_locate("stn_view_address", view, count, indices, address));
    return stn_view_expect_memory("stn_view_address", view);
}

int stn_view_is_lvalue(const stn_view *view)
{
    return view && view->size == sizeof *view && view->storage.scale == 1.0 &&
           view->storage.zero == 0.0 && !stn_view_has_scales(view) &&
           !(view->traits & STN_TRAIT_ATOMIC) && !stn_view_store(view) &&
           stn_space_accessible(NULL, (stn_space)view->space);
}

/* ---- equality ---- */

static int same_storage(const stn_view *a, const stn_view *b)
{
    const stn_storage *x = &a->storage, *y = &b->storage;
    return x->format == y->format && x->scale == y->scale && x->zero == y->zero &&
           x->rounding == y->rounding && x->overflow == y->overflow && x->seed == y->seed;
}

static int same_scales(const stn_view *a, const stn_view *b)
{
    if (!stn_view_has_scales(a) || !stn_view_has_scales(b))
        return stn_view_has_scales(a) == stn_view_has_scales(b);
    const stn_scales x = stn_scales_of(a), y = stn_scales_of(b);
    return x.data == y.data && x.format == y.format && x.dimension == y.dimension &&
           (x.dimension < 0 || (x.block == y.block && x.phase == y.phase)) &&
           memcmp(x.stride, y.stride, (size_t)a->rank * sizeof x.stride[0]) == 0;
}

int stn_layout_is_same(const stn_layout *a, const stn_layout *b)
{
    return a->kind == b->kind && a->inner == b->inner && a->offset == b->offset &&
           a->span == b->span && a->context == b->context &&
           memcmp(a->tile, b->tile, sizeof a->tile) == 0;
}

static int same_mapping(const stn_view *a, const stn_view *b)
{
    const stn_mapping *x = stn_view_mapping(a), *y = stn_view_mapping(b);
    if (!x || !y)
        return x == y;
    return x->rank == y->rank && stn_view_plane_count(a) == stn_view_plane_count(b) &&
           stn_layout_is_same(&x->layout, &y->layout) &&
           memcmp(x->extent, y->extent, sizeof x->extent) == 0 && a->first == b->first &&
           memcmp(a->axis, b->axis, (size_t)a->rank * sizeof a->axis[0]) == 0;
}

static int same_strides(const stn_view *a, const stn_view *b)
{
    if (stn_view_count(a) == 0)
        return 1;
    for (int d = 0; d < a->rank; d++)
        if (a->extent[d] > 1 && a->stride[d] != b->stride[d])
            return 0;
    return 1;
}

int stn_view_equal(const stn_view *a, const stn_view *b)
{
    if (!a || !b || stn_view_is_uninitialized(a) || stn_view_is_uninitialized(b))
        return 0;
    if (stn_view_is_empty(a) || stn_view_is_empty(b))
        return stn_view_is_empty(a) && stn_view_is_empty(b);
    return a->data == b->data && a->space == b->space && a->rank == b->rank &&
           memcmp(a->extent, b->extent, (size_t)a->rank * sizeof a->extent[0]) == 0 &&
           same_storage(a, b) && same_scales(a, b) && same_mapping(a, b) && same_strides(a, b);
}
