/* Views of other sizes: new memory of the same kind, with or without what was there. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/exec.h"
#include "view/create.h"
#include "view/copy/copy.h"
#include "view/layout/mapping.h"
#include "view/owner.h"
#include "view/scale_run.h"
#include "view/layout/shape.h"
#include "view/trace.h"

/* Elements of more bytes are zeroed one by one. */
enum { ZERO_BYTES = 64 };

/* ---- checks ---- */

static stn_status check_memory(const char *call, const stn_view *view, unsigned flags)
{
    if (!stn_view_owns_memory(view))
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s does not own its memory", call,
                        stn_view_words(view));
    STN_TRY(stn_view_writable(call, view));
    if (flags & ~(unsigned)(STN_UNINITIALISED | STN_PADDED))
        return stn_fail(STN_ERR_ARGUMENT, "%s: flags 0x%x are not known", call, flags);
    return STN_OK;
}

static stn_status check_extents(const char *call, const stn_view *view, int rank,
                                const int64_t *extents)
{
    if (rank != view->rank)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has rank %d, not %d", call, stn_view_words(view),
                        view->rank, rank);
    if (rank > 0 && !extents)
        return stn_fail(STN_ERR_ARGUMENT, "%s: extents is NULL", call);
    for (int d = 0; d < rank; d++)
        if ((view->fixed >> d & 1) && extents[d] != view->extent[d])
            return stn_fail(STN_ERR_SHAPE, "%s: extent %d of %s is fixed: it cannot become %lld",
                            call, d, stn_view_words(view), (long long)extents[d]);
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
    if (view->space != STN_SPACE_HOST && !stn_exec_device(exec))
        return stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is in a device's memory, and %s makes none",
                        call, stn_view_words(view),
                        exec ? stn_exec_name(exec) : "the calling thread");
    if (stn_view_has_scales(view) && !same_extents(view, extents))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has scales of its elements, which are for its extents only", call,
                        stn_view_words(view));
    return STN_OK;
}

/* ---- the same layout over other extents ---- */

/* Strides without gaps, in the order of the view's own and with their signs. */
static stn_layout packed(const stn_view *view, const int64_t *extents)
{
    int64_t strides[STN_MAX_RANK], step = 1;
    int order[STN_MAX_RANK];
    for (int d = 0; d < view->rank; d++) {
        int at = d;
        for (; at > 0 && llabs(view->stride[order[at - 1]]) <= llabs(view->stride[d]); at--)
            order[at] = order[at - 1];
        order[at] = d;
    }
    for (int k = view->rank - 1; k >= 0; k--) {
        const int d = order[k];
        strides[d] = view->stride[d] < 0 ? -step : step;
        if (extents[d] > 0 && __builtin_mul_overflow(step, extents[d], &step))
            step = INT64_MAX; /* refused by what makes the view */
    }
    return stn_layout_strided(view->rank, strides);
}

/* Strides tell the layout even of dimensions with one index. */
static int has_strides_of(const stn_view *view, stn_layout_kind kind)
{
    uint64_t step = 1; /* wraps where there are no elements */
    for (int place = 0; place < view->rank; place++) {
        const int d = stn_layout_dimension(kind, view->rank, place);
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

static stn_layout layout_over(const stn_view *view, const int64_t *extents)
{
    if (view->mapping)
        return view->mapping->layout;
    const stn_layout_kind kind = kind_of(view);
    return kind == STN_LAYOUT_STRIDED ? packed(view, extents) : stn_layout_of(kind);
}

static int is_padded(const stn_view *view)
{
    return !view->mapping && stn_view_layout(view) != STN_LAYOUT_STRIDED &&
           stn_view_count(view) > 0 && !stn_view_is_contiguous(view);
}

/* What the new view takes over from the old one. */
typedef struct heritage {
    stn_view view; /* without owner, mapping and label */
    const char *label;
    stn_layout layout;
    unsigned flags;
} heritage;

static heritage heritage_of(const stn_view *view, const int64_t *extents, unsigned flags)
{
    heritage from = {.view = *view, .label = view->label, .layout = layout_over(view, extents)};
    from.flags = is_padded(view) ? flags | STN_PADDED : flags;
    from.view.owner = NULL;
    from.view.mapping = NULL;
    from.view.label = NULL;
    return from;
}

static stn_status make(stn_view *made, const stn_exec *exec, const heritage *from,
                       const int64_t *extents)
{
    const stn_view *view = &from->view;
    STN_TRY(stn_view_create_in(made, exec, (stn_space)view->space, from->label, view->storage,
                               &from->layout, view->rank, extents, from->flags));
    made->fixed = view->fixed;
    made->traits = view->traits;
    if ((uintptr_t)made->data % 64 != 0)
        made->traits &= ~(uint32_t)STN_ALIGNED;
    return STN_OK;
}

/* ---- zeros ---- */

static void zero_wide(const stn_view *view, int64_t bytes)
{
    int64_t indices[STN_MAX_RANK] = {0};
    do
        memset((char *)view->data + stn_view_place(view, indices) * bytes, 0, (size_t)bytes);
    while (stn_next_indices(view->rank, view->extent, indices));
}

static stn_status zero(const char *call, const stn_exec *exec, const stn_view *view)
{
    static const _Alignas(ZERO_BYTES) char zeros[ZERO_BYTES];
    const int64_t bytes = stn_format_entry_of(view->storage.format)->info.bytes;
    if (stn_view_count(view) == 0)
        return STN_OK;
    if (bytes <= ZERO_BYTES || view->space == STN_SPACE_DEVICE)
        return stn_fill_codes(call, exec, view, zeros);
    zero_wide(view, bytes);
    return STN_OK;
}

/* What `made` has and the box of `kept` extents has not: a slab behind it in each dimension. */
static stn_status zero_around(const stn_exec *exec, const stn_view *made, const int64_t *kept)
{
    stn_slice slices[STN_MAX_RANK];
    stn_view slab;
    for (int d = 0; d < made->rank; d++)
        slices[d] = stn_slice_all();
    for (int d = 0; d < made->rank; d++) {
        slices[d] = stn_slice_range(kept[d], made->extent[d]);
        STN_TRY(stn_view_slice(&slab, made, made->rank, slices));
        STN_TRY(zero("stn_view_resize", exec, &slab));
        slices[d] = stn_slice_range(0, kept[d]);
    }
    return STN_OK;
}

/* ---- resize ---- */

static stn_status keep(const stn_exec *exec, const stn_view *made, const stn_view *view,
                       const int64_t *kept)
{
    stn_slice slices[STN_MAX_RANK];
    stn_view to, from;
    for (int d = 0; d < view->rank; d++)
        slices[d] = stn_slice_range(0, kept[d]);
    STN_TRY(stn_view_slice(&to, made, made->rank, slices));
    STN_TRY(stn_view_slice(&from, view, view->rank, slices));
    STN_RETURN_IN_MODES(stn_copy_elements("stn_view_resize", exec, &to, &from));
}

/* New memory is zeroed where nothing is copied to, all of it where it has gaps or is a device's. */
static stn_status resize(stn_view *made, const stn_exec *exec, const stn_view *view,
                         const int64_t *extents, unsigned flags)
{
    int64_t kept[STN_MAX_RANK];
    const int has_gaps =
        view->mapping || is_padded(view) || (flags & STN_PADDED) || view->space != STN_SPACE_HOST;
    const int is_zeroed = !(flags & STN_UNINITIALISED);
    for (int d = 0; d < view->rank; d++)
        kept[d] = view->extent[d] < extents[d] ? view->extent[d] : extents[d];
    const heritage from = heritage_of(view, extents, has_gaps ? flags : flags | STN_UNINITIALISED);
    STN_TRY(make(made, exec, &from, extents));
    stn_status status = is_zeroed && !has_gaps ? zero_around(exec, made, kept) : STN_OK;
    if (status == STN_OK)
        status = keep(exec, made, view, kept);
    if (status != STN_OK)
        stn_view_release(made);
    return status;
}

stn_status stn_view_resize(const stn_exec *exec, stn_view *view, int rank, const int64_t *extents,
                           unsigned flags)
{
    stn_view made;
    STN_TRY(stn_view_check("stn_view_resize", view));
    STN_TRY(check("stn_view_resize", exec, view, rank, extents, flags));
    if (same_extents(view, extents))
        return STN_OK;
    const int is_traced = stn_event_is_traced();
    if (is_traced)
        stn_event_resize_begins(stn_view_trace(view));
    const stn_status status = resize(&made, exec, view, extents, flags);
    if (status == STN_OK) {
        stn_view_release(view);
        *view = made;
    }
    if (is_traced)
        stn_event_resize_ends(stn_view_trace(view));
    return status;
}

/* ---- reallocate ---- */

/* The old memory goes first, and its label with it. */
static stn_status replace(stn_view *view, const stn_exec *exec, const int64_t *extents,
                          unsigned flags)
{
    heritage from = heritage_of(view, extents, flags);
    const char *label = view->label ? view->label : "";
    const int64_t length = (int64_t)strlen(label) + 1;
    char *text;
    STN_TRY(stn_allocate(&text, length, 1, "label of a view"));
    memcpy(text, label, (size_t)length);
    from.label = text;
    stn_view_release(view);
    const stn_status status = make(view, exec, &from, extents);
    stn_free(text);
    return status;
}

static stn_status reallocate(stn_view *view, const stn_exec *exec, int rank, const int64_t *extents,
                             unsigned flags)
{
    STN_TRY(check("stn_view_reallocate", exec, view, rank, extents, flags));
    if (!same_extents(view, extents))
        return replace(view, exec, extents, flags);
    return flags & STN_UNINITIALISED ? STN_OK : zero("stn_view_reallocate", exec, view);
}

stn_status stn_view_reallocate(const stn_exec *exec, stn_view *view, int rank,
                               const int64_t *extents, unsigned flags)
{
    STN_TRY(stn_view_check("stn_view_reallocate", view));
    const stn_status status = reallocate(view, exec, rank, extents, flags);
    if (status != STN_OK)
        stn_view_release(view);
    return status;
}
