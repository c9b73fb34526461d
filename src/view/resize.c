/* Resized views: new memory of the same kind, with or without the previous elements. */
#include <stdlib.h>
#include <string.h>

#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "view/copy/copy.h"
#include "view/create.h"
#include "view/initialize.h"
#include "view/layout/mapping.h"
#include "view/owner.h"
#include "view/scale_run.h"
#include "view/layout/shape.h"
#include "view/trace.h"
#include "view/store.h"

/* Larger elements are zeroed one by one. */
enum { ZERO_BYTES = 64 };

/* ---- checks ---- */

static stn_status check_memory(const char *call, const stn_view *view, unsigned flags)
{
    if (!stn_view_owns_memory(view))
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s does not own its memory", call,
                        stn_view_text(view));
    STN_TRY(stn_view_expect_memory(call, view));
    STN_TRY(stn_view_writable(call, view));
    if (flags & ~(unsigned)(STN_CREATE_UNINITIALIZED | STN_CREATE_PADDED))
        return stn_fail(
            STN_ERR_ARGUMENT,
            "%s: flags is 0x%x; only STN_CREATE_UNINITIALIZED and STN_CREATE_PADDED are allowed",
            call, flags);
    return STN_OK;
}

static stn_status check_extents(const char *call, const stn_view *view, int rank,
                                const int64_t *extents)
{
    if (rank != view->rank)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has rank %d, but rank is %d", call,
                        stn_view_text(view), view->rank, rank);
    if (rank > 0 && !extents)
        return stn_fail(STN_ERR_ARGUMENT, "%s: extents is NULL", call);
    for (int d = 0; d < rank; d++)
        if ((view->fixed >> d & 1) && extents[d] != view->extent[d])
            return stn_fail(STN_ERR_SHAPE, "%s: extent %d of %s is fixed: it cannot become %lld",
                            call, d, stn_view_text(view), (long long)extents[d]);
    return STN_OK;
}

static int same_extents(const stn_view *view, const int64_t *extents)
{
    return view->rank == 0 ||
           memcmp(view->extent, extents, (size_t)view->rank * sizeof *extents) == 0;
}

static stn_status check(const char *call, const stn_exec *exec, const stn_view *view, int rank,
                        const int64_t *extents, unsigned flags)
{
    STN_TRY(check_memory(call, view, flags));
    STN_TRY(check_extents(call, view, rank, extents));
    STN_TRY(stn_exec_check(call, exec));
    if (view->space != STN_SPACE_HOST && !stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is in %s memory, which %s cannot allocate",
                        call, stn_view_text(view), stn_space_name((stn_space)view->space),
                        exec ? stn_exec_name(exec) : "the calling thread");
    if (stn_view_has_scales(view) && !same_extents(view, extents))
        return stn_fail(
            STN_ERR_UNSUPPORTED,
            "%s: %s has scales that differ between elements, which are given for its extents only",
            call, stn_view_text(view));
    return STN_OK;
}

/* ---- the same layout with other extents ---- */

/* Contiguous strides with the order and signs of the view's strides. */
static stn_layout packed(const stn_view *view, const int64_t *extents)
{
    int64_t strides[STN_MAX_RANK], step = 1, sorted[STN_MAX_RANK], extent[STN_MAX_RANK];
    int order[STN_MAX_RANK];
    int64_t *const steps[] = {sorted};
    stn_nest nest = {view->rank, extent, order, 1, steps};
    for (int k = 0; k < view->rank; k++) { /* of equal strides, the first one is the innermost */
        order[k] = view->rank - 1 - k;
        sorted[k] = view->stride[order[k]];
        extent[k] = extents[order[k]];
    }
    stn_nest_sort(&nest, stn_nest_by_step, sorted);
    for (int k = view->rank - 1; k >= 0; k--) {
        const int d = order[k];
        strides[d] = sorted[k] < 0 ? -step : step;
        if (extent[k] > 0 && __builtin_mul_overflow(step, extent[k], &step))
            step = INT64_MAX; /* refused when the view is created */
    }
    return stn_layout_strided(view->rank, strides);
}

/* For layout queries, the strides of dimensions with one index count, too. */
static int has_strides_of(const stn_view *view, stn_layout_kind kind)
{
    uint64_t step = 1; /* wraps if there are no elements */
    for (int position = 0; position < view->rank; position++) {
        const int d = stn_layout_dimension(kind, view->rank, position);
        if ((uint64_t)view->stride[d] != step)
            return 0;
        step *= view->extent[d] ? (uint64_t)view->extent[d] : 1;
    }
    return 1;
}

static stn_layout_kind kind_of(const stn_view *view)
{
    static const stn_layout_kind kinds[] = {STN_LAYOUT_RIGHT, STN_LAYOUT_LEFT,
                                            STN_LAYOUT_BLOCK_COL_MAJOR};
    for (int k = 0; k < 3; k++)
        if (has_strides_of(view, kinds[k]))
            return kinds[k];
    return stn_view_layout(view);
}

/* Returns whether each dimension d corresponds to axis d of the mapping. */
static int keeps_axes(const stn_view *view)
{
    if (view->rank != stn_view_mapping(view)->rank)
        return 0;
    for (int d = 0; d < view->rank; d++)
        if (view->axis[d] != d || view->stride[d] == 0)
            return 0;
    return 1;
}

/* A block on the main diagonal of a packed or banded matrix has the layout of the matrix. */
static int is_diagonal_block(const stn_view *view)
{
    int64_t base[STN_MAX_RANK];
    stn_view_base(view, base);
    return keeps_axes(view) && base[0] == base[1] && view->stride[0] == 1 && view->stride[1] == 1 &&
           (stn_view_mapping(view)->layout.kind == STN_LAYOUT_BANDED ||
            view->extent[0] == view->extent[1]);
}

/* A part of a tiled view keeps the extents of the tiles in its own dimensions. Parts that are not
 * described by packed, banded and custom layouts get layout right. */
static stn_layout layout_of_mapped(const stn_view *view)
{
    const stn_layout *const whole = &stn_view_mapping(view)->layout;
    int64_t tile[STN_MAX_RANK];
    if (whole->kind == STN_LAYOUT_TILED) {
        for (int d = 0; d < view->rank; d++)
            tile[d] = view->stride[d] == 0 ? 1 : whole->tile[view->axis[d]];
        return stn_layout_tiled(view->rank, tile, whole->inner);
    }
    const int is_described =
        whole->kind == STN_LAYOUT_MORTON ||
        (whole->kind == STN_LAYOUT_CUSTOM ? keeps_axes(view) : is_diagonal_block(view));
    return is_described ? *whole : stn_layout_of(STN_LAYOUT_RIGHT);
}

static stn_layout layout_over(const stn_view *view, const int64_t *extents)
{
    if (stn_view_mapping(view))
        return layout_of_mapped(view);
    const stn_layout_kind kind = kind_of(view);
    return kind == STN_LAYOUT_STRIDED ? packed(view, extents) : stn_layout_of(kind);
}

static int is_padded(const stn_view *view)
{
    return !stn_view_mapping(view) && stn_view_layout(view) != STN_LAYOUT_STRIDED &&
           stn_view_count(view) > 0 && !stn_view_is_contiguous(view);
}

static stn_status create(const char *call, stn_view *result, const stn_exec *exec,
                         const stn_view *view, const int64_t *extents, unsigned flags)
{
    const stn_layout layout = layout_over(view, extents);
    STN_TRY(stn_view_create_in(call, result, exec, (stn_space)view->space, view->label,
                               view->storage, &layout, view->rank, extents,
                               is_padded(view) ? flags | STN_CREATE_PADDED : flags));
    result->fixed = view->fixed;
    result->traits = view->traits;
    if ((uintptr_t)result->data % 64 != 0)
        result->traits &= (uint16_t)~STN_TRAIT_ALIGNED;
    return STN_OK;
}

/* ---- zeros ---- */

static void zero_wide(const stn_view *view, int64_t bytes)
{
    int64_t indices[STN_MAX_RANK] = {0};
    do
        memset((char *)view->data + stn_view_element_offset(view, indices) * bytes, 0,
               (size_t)bytes);
    while (stn_nest_next(view->rank, view->extent, indices));
}

static stn_status zero(const char *call, const stn_exec *exec, const stn_view *view)
{
    static const _Alignas(ZERO_BYTES) char zeros[ZERO_BYTES];
    const int64_t bytes = stn_format_entry_of(view->storage.format)->info.bytes;
    if (stn_view_count(view) == 0)
        return STN_OK;
    if (bytes <= ZERO_BYTES || view->space == STN_SPACE_DEVICE)
        return stn_fill_codes(call, exec, view, zeros);
    STN_TRY(stn_view_settle(call, NULL, view));
    zero_wide(view, bytes);
    return STN_OK;
}

/* Zeroes the elements of `result` outside the box of `kept` extents: one slab per dimension. */
static stn_status zero_around(const stn_exec *exec, const stn_view *result, const int64_t *kept)
{
    stn_slice slices[STN_MAX_RANK];
    stn_view slab;
    for (int d = 0; d < result->rank; d++)
        slices[d] = stn_slice_all();
    for (int d = 0; d < result->rank; d++) {
        slices[d] = stn_slice_range(kept[d], result->extent[d]);
        STN_TRY(stn_view_slice(&slab, result, result->rank, slices));
        STN_TRY(zero("stn_view_resize", exec, &slab));
        slices[d] = stn_slice_range(0, kept[d]);
    }
    return STN_OK;
}

/* ---- resize ---- */

/* The elements of one diagonal of a box, `above` the main one, as a vector. Within a band, their
 * offsets have a constant stride. */
static stn_view diagonal_of(const stn_view *view, int64_t above, int64_t count)
{
    int64_t first[STN_MAX_RANK];
    stn_view_base(view, first);
    first[0] += above < 0 ? -above : 0;
    first[1] += above > 0 ? above : 0;
    stn_view vector = *view;
    vector.rank = 1;
    vector.extent[0] = count;
    vector.stride[0] = stn_view_mapping(view)->within[0] + stn_view_mapping(view)->within[1];
    vector.data = (char *)view->data + stn_mapping_offset(stn_view_mapping(view), first) *
                                           stn_format_entry_of(view->storage.format)->info.bytes;
    vector.extra = NULL;
    vector.first = 0;
    vector.fixed = 0;
    return vector;
}

/* Elements outside the band share the memory of others and must not be written. */
static stn_status keep_band(const stn_exec *exec, const stn_view *to, const stn_view *from)
{
    const int64_t *const band = stn_view_mapping(to)->layout.tile, *const box = to->extent;
    const int64_t below = band[0] < box[0] ? band[0] : box[0] - 1;
    for (int64_t above = -below; above <= band[1] && above < box[1]; above++) {
        const int64_t rows = above < 0 ? box[0] + above : box[0];
        const int64_t columns = above > 0 ? box[1] - above : box[1];
        const int64_t count = rows < columns ? rows : columns;
        if (count <= 0)
            continue;
        const stn_view vector = diagonal_of(to, above, count);
        const stn_view old = diagonal_of(from, above, count);
        STN_TRY(stn_copy_elements("stn_view_resize", exec, &vector, &old));
    }
    return STN_OK;
}

static stn_status keep(const stn_exec *exec, const stn_view *result, const stn_view *view,
                       const int64_t *kept)
{
    stn_slice slices[STN_MAX_RANK];
    stn_view to, from;
    for (int d = 0; d < view->rank; d++)
        slices[d] = stn_slice_range(0, kept[d]);
    STN_TRY(stn_view_slice(&to, result, result->rank, slices));
    STN_TRY(stn_view_slice(&from, view, view->rank, slices));
    if (stn_view_mapping(result) && stn_view_mapping(result)->layout.kind == STN_LAYOUT_BANDED)
        STN_RETURN_IN_MODES(keep_band(exec, &to, &from));
    STN_RETURN_IN_MODES(stn_copy_elements("stn_view_resize", exec, &to, &from));
}

/* Zeroes new memory where nothing is copied to it; all of it if it has gaps or is a device's. */
static stn_status resize(stn_view *result, const stn_exec *exec, const stn_view *view,
                         const int64_t *extents, unsigned flags)
{
    int64_t kept[STN_MAX_RANK];
    const int has_gaps = stn_view_mapping(view) || is_padded(view) || (flags & STN_CREATE_PADDED) ||
                         view->space != STN_SPACE_HOST;
    const int is_zeroed = !(flags & STN_CREATE_UNINITIALIZED);
    for (int d = 0; d < view->rank; d++)
        kept[d] = view->extent[d] < extents[d] ? view->extent[d] : extents[d];
    STN_TRY(create("stn_view_resize", result, exec, view, extents,
                   has_gaps ? flags : flags | STN_CREATE_UNINITIALIZED));
    stn_status status = is_zeroed && !has_gaps ? zero_around(exec, result, kept) : STN_OK;
    if (status == STN_OK)
        status = keep(exec, result, view, kept);
    if (status != STN_OK)
        stn_view_release(result);
    return status;
}

stn_status stn_view_resize(const stn_exec *exec, stn_view *view, int rank, const int64_t *extents,
                           unsigned flags)
{
    stn_view result;
    STN_TRY(stn_view_check("stn_view_resize", view));
    STN_TRY(check("stn_view_resize", exec, view, rank, extents, flags));
    if (same_extents(view, extents))
        return STN_OK;
    const int is_traced = stn_event_is_traced();
    if (is_traced)
        stn_event_resize_begins(stn_view_trace(view));
    const stn_status status = resize(&result, exec, view, extents, flags);
    if (status == STN_OK) {
        stn_view_release(view);
        *view = result;
    }
    if (is_traced)
        stn_event_resize_ends(stn_view_trace(view));
    return status;
}

/* ---- reallocate ---- */

/* Frees the old memory before writing the new one, because host memory takes up space only when it
 * is written. */
static stn_status replace(stn_view *view, const stn_exec *exec, const int64_t *extents,
                          unsigned flags)
{
    const int is_host = view->space == STN_SPACE_HOST;
    stn_view result;
    STN_TRY(create("stn_view_reallocate", &result, exec, view, extents,
                   is_host ? flags | STN_CREATE_UNINITIALIZED : flags));
    stn_view_release(view);
    *view = result;
    if (!is_host || (flags & STN_CREATE_UNINITIALIZED))
        return STN_OK;
    return stn_initialize(exec, view, view->owner->data, view->owner->bytes);
}

stn_status stn_view_reallocate(const stn_exec *exec, stn_view *view, int rank,
                               const int64_t *extents, unsigned flags)
{
    static const char call[] = "stn_view_reallocate";
    STN_TRY(stn_view_check(call, view));
    STN_TRY(check(call, exec, view, rank, extents, flags));
    if (!same_extents(view, extents))
        return replace(view, exec, extents, flags);
    return flags & STN_CREATE_UNINITIALIZED ? STN_OK : zero(call, exec, view);
}
