/* Making views: over new memory, the caller's, or memory that is handed over. */
#include <string.h>

#include "core/memory.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "view/create.h"
#include "view/initialise.h"
#include "view/owner.h"
#include "view/layout/shape.h"

/* ---- new memory ---- */

/* Beside the flags of stn_view_create. */
enum { SCRATCH = 1 << 30 };

static stn_status check_request(const stn_view *shape, const stn_layout *layout)
{
    if (layout && layout->kind == STN_LAYOUT_STRIDED &&
        !stn_strides_are_unique(shape->rank, shape->extent, shape->stride))
        return stn_fail(STN_ERR_ARGUMENT,
                        "view %s: its strides give two elements the same position",
                        stn_view_text(shape));
    return STN_OK;
}

static stn_status make_owner(const stn_exec *exec, const stn_view *view, int64_t bytes,
                             unsigned flags, stn_owner **owner)
{
    if (view->space != STN_SPACE_HOST)
        return stn_owner_allocate_on(exec->device, (stn_space)view->space, view->label, bytes,
                                     (flags & SCRATCH) != 0, owner);
    const stn_status status = stn_owner_allocate(view->label, bytes, owner);
    if (status == STN_ERR_RANGE)
        return stn_fail(status, "view %s exceeds the address space", stn_view_text(view));
    if (status != STN_OK)
        return stn_fail(status, "view %s: %lld bytes of host memory are not available",
                        stn_view_text(view), (long long)bytes);
    return STN_OK;
}

static stn_status allocate(stn_view *view, const stn_exec *exec, const stn_layout *layout,
                           unsigned flags, int64_t *bytes)
{
    int64_t first;
    stn_owner *owner;
    STN_TRY(stn_view_bytes(view, &first, bytes));
    STN_TRY(check_request(view, layout));
    STN_TRY(make_owner(exec, view, *bytes, flags, &owner));
    stn_owner_take(view, owner);
    view->data = (char *)owner->data - first;
    return STN_OK;
}

static stn_status make(stn_view *view, const stn_exec *exec, const stn_layout *layout,
                       stn_view_extra *extra, unsigned flags)
{
    int64_t bytes;
    const stn_status status = allocate(view, exec, layout, flags, &bytes);
    if (status != STN_OK) {
        stn_free(extra);
        memset(view, 0, sizeof *view);
        return status;
    }
    if (extra)
        stn_owner_keep(view->owner, extra);
    if (flags & STN_CREATE_UNINITIALIZED)
        return STN_OK;
    const stn_status zeroed = stn_initialise(exec, view, view->owner->data, bytes);
    if (zeroed != STN_OK)
        (void)stn_view_release(view);
    return zeroed;
}

static stn_status create_in(stn_view *view, const stn_exec *exec, stn_space space,
                            const char *label, stn_storage storage, const stn_layout *layout,
                            int rank, const int64_t *extents, unsigned flags)
{
    stn_view_extra *extra;
    STN_TRY(stn_view_shape(view, label ? label : "", storage, layout, rank, extents,
                           (flags & STN_CREATE_PADDED) != 0, &extra));
    view->space = (uint8_t)space;
    if (space == STN_SPACE_HOST || stn_exec_device(exec))
        return make(view, exec, layout, extra, flags);
    const stn_status status =
        stn_fail(STN_ERR_UNSUPPORTED, "view %s: %s memory needs the executor of a device, not %s",
                 stn_view_text(view), stn_space_name(space),
                 exec ? stn_exec_name(exec) : "the calling thread");
    stn_free(extra);
    memset(view, 0, sizeof *view);
    return status;
}

static stn_status prefixed(const char *call, stn_status status)
{
    return status == STN_OK ? STN_OK : stn_error_prefix(status, "%s", call);
}

stn_status stn_view_create_in(const char *call, stn_view *view, const stn_exec *exec,
                              stn_space space, const char *label, stn_storage storage,
                              const stn_layout *layout, int rank, const int64_t *extents,
                              unsigned flags)
{
    return prefixed(call,
                    create_in(view, exec, space, label, storage, layout, rank, extents, flags));
}

static stn_space space_of(const stn_exec *exec, unsigned flags)
{
    return flags & STN_CREATE_PINNED    ? STN_SPACE_PINNED
           : flags & STN_CREATE_MANAGED ? STN_SPACE_MANAGED
                                        : stn_exec_space(exec);
}

stn_status stn_view_create(const stn_exec *exec, stn_view *view, const char *label,
                           stn_storage storage, const stn_layout *layout, int rank,
                           const int64_t *extents, unsigned flags)
{
    const unsigned all =
        STN_CREATE_UNINITIALIZED | STN_CREATE_PADDED | STN_CREATE_PINNED | STN_CREATE_MANAGED;
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_create: view is NULL");
    if ((flags & ~all) || (flags & (STN_CREATE_PINNED | STN_CREATE_MANAGED)) ==
                              (STN_CREATE_PINNED | STN_CREATE_MANAGED)) {
        memset(view, 0, sizeof *view);
        return stn_fail(STN_ERR_ARGUMENT,
                        flags & ~all ? "stn_view_create: view %s: flags 0x%x has unknown bits"
                                     : "stn_view_create: view %s: flags 0x%x has both "
                                       "STN_CREATE_PINNED and STN_CREATE_MANAGED",
                        label ? label : "", flags);
    }
    return stn_view_create_in("stn_view_create", view, exec, space_of(exec, flags), label, storage,
                              layout, rank, extents, flags);
}

stn_status stn_view_create_scratch(const stn_exec *exec, stn_view *view, const char *label,
                                   stn_storage storage, int rank, const int64_t *extents)
{
    return create_in(view, exec, stn_exec_space(exec), label, storage, NULL, rank, extents,
                     STN_CREATE_UNINITIALIZED | SCRATCH);
}

/* ---- memory that is there ---- */

/* Is data what such a view may be over? */
static stn_status check_data(const stn_view *view)
{
    const int64_t alignment = stn_format_entry_of(view->storage.format)->info.alignment;
    const uintptr_t at = (uintptr_t)view->data;
    int64_t first, bytes;
    STN_TRY(stn_view_bytes(view, &first, &bytes));
    const uintptr_t before = (uintptr_t)0 - (uintptr_t)first;
    if (bytes > 0 && (at < before || (uintptr_t)bytes > UINTPTR_MAX - (at - before)))
        return stn_fail(STN_ERR_RANGE, "view %s exceeds the address space", stn_view_text(view));
    if (!view->data && bytes > 0)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: data is NULL", stn_view_text(view));
    if (at % (uintptr_t)alignment)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: data at %p is not aligned to %lld bytes",
                        stn_view_text(view), view->data, (long long)alignment);
    return STN_OK;
}

/* A view without an owner; its extra state is yet to be given to one. */
static stn_status describe(stn_view *view, const char *call, const char *label, stn_storage storage,
                           void *data, const stn_layout *layout, int rank, const int64_t *extents,
                           stn_view_extra **extra)
{
    *extra = NULL;
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is NULL", call);
    STN_TRY(prefixed(call, stn_view_shape(view, label, storage, layout, rank, extents, 0, extra)));
    view->data = data;
    const stn_status status = check_data(view);
    if (status != STN_OK) {
        stn_free(*extra);
        memset(view, 0, sizeof *view);
    }
    return prefixed(call, status);
}

/* Give a described view an owner, of its extra state at least. */
static stn_status take_owner(const char *call, stn_view *view, stn_view_extra *extra,
                             stn_owner **owner)
{
    const stn_status status = stn_owner_make(view->label ? view->label : "", owner);
    if (status != STN_OK) {
        (void)stn_fail(status, "%s: view %s: no memory for its owner", call, stn_view_text(view));
        stn_free(extra);
        memset(view, 0, sizeof *view);
        return status;
    }
    if (extra)
        stn_owner_keep(*owner, extra);
    stn_owner_take(view, *owner);
    return STN_OK;
}

static stn_status wrap_layout(stn_view *view, const char *call, const char *label,
                              stn_storage storage, void *data, const stn_layout *layout, int rank,
                              const int64_t *extents)
{
    stn_view_extra *extra;
    stn_owner *owner;
    STN_TRY(describe(view, call, label, storage, data, layout, rank, extents, &extra));
    return extra ? take_owner(call, view, extra, &owner) : STN_OK;
}

static stn_status wrap(stn_view *view, const char *call, const char *label, stn_storage storage,
                       void *data, int rank, const int64_t *extents, const int64_t *strides)
{
    if (!strides)
        return wrap_layout(view, call, label, storage, data, NULL, rank, extents);
    const int known = rank >= 0 && rank <= STN_MAX_RANK;
    const stn_layout layout = stn_layout_strided(known ? rank : 0, strides);
    return wrap_layout(view, call, label, storage, data, &layout, rank, extents);
}

stn_status stn_view_wrap(stn_view *view, const char *label, stn_storage storage, void *data,
                         int rank, const int64_t *extents, const int64_t *strides)
{
    return wrap(view, "stn_view_wrap", label, storage, data, rank, extents, strides);
}

stn_status stn_view_wrap_const(stn_view *view, const char *label, stn_storage storage,
                               const void *data, int rank, const int64_t *extents,
                               const int64_t *strides)
{
    STN_TRY(wrap(view, "stn_view_wrap_const", label, storage, (void *)(uintptr_t)data, rank,
                 extents, strides));
    view->read_only = 1;
    return STN_OK;
}

stn_status stn_view_wrap_layout(stn_view *view, const char *label, stn_storage storage, void *data,
                                const stn_layout *layout, int rank, const int64_t *extents)
{
    return wrap_layout(view, "stn_view_wrap_layout", label, storage, data, layout, rank, extents);
}

stn_status stn_view_adopt(stn_view *view, const char *label, stn_storage storage, void *data,
                          const stn_layout *layout, int rank, const int64_t *extents,
                          void (*free_data)(void *data, void *context), void *context)
{
    stn_view_extra *extra;
    stn_owner *owner;
    if (view && !free_data) {
        memset(view, 0, sizeof *view);
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_adopt: free_data is NULL");
    }
    STN_TRY(describe(view, "stn_view_adopt", label, storage, data, layout, rank, extents, &extra));
    STN_TRY(take_owner("stn_view_adopt", view, extra, &owner));
    owner->owned = STN_OWNS_ADOPTED;
    owner->data = data;
    owner->free_data = free_data;
    owner->context = context;
    return STN_OK;
}
