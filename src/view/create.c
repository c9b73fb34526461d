/* Creating views: with new memory, with the caller's memory, or with memory whose ownership is
 * transferred. */
#include <string.h>

#include "core/grow.h"
#include "core/memory.h"
#include "core/status.h"
#include "exec/exec.h"
#include "format/registry.h"
#include "view/blocks.h"
#include "view/create.h"
#include "view/initialize.h"
#include "view/owner.h"
#include "view/layout/shape.h"

/* ---- new memory ---- */

/* In addition to the flags of stn_view_create. */
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

static stn_status create_owner(const stn_exec *exec, const stn_view *view, int64_t bytes,
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
    STN_TRY(create_owner(exec, view, *bytes, flags, &owner));
    stn_owner_attach(view, owner);
    view->data = (char *)owner->data - first;
    return STN_OK;
}

static stn_status create(stn_view *view, const stn_exec *exec, const stn_layout *layout,
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
        stn_owner_add_extra(view->owner, extra);
    if (flags & STN_CREATE_UNINITIALIZED)
        return STN_OK;
    const stn_status zeroed = stn_initialize(exec, view, view->owner->data, bytes);
    if (zeroed != STN_OK)
        (void)stn_view_release(view);
    return zeroed;
}

static stn_status create_in(stn_view *view, const stn_exec *exec, stn_space space,
                            const char *label, stn_storage storage, const stn_layout *layout,
                            int rank, const int64_t *extents, unsigned flags)
{
    stn_view_extra *extra;
    if (stn_format_block(storage.format))
        return stn_blocks_create(exec, space, view,
                                 &STN_VIEW_SPEC(.label = label ? label : "", .storage = storage,
                                                .layout = layout, .rank = rank, .extents = extents,
                                                .flags = flags));
    STN_TRY(stn_view_shape(view, label ? label : "", storage, layout, rank, extents,
                           (flags & STN_CREATE_PADDED) != 0, &extra));
    view->space = (uint8_t)space;
    if (space == STN_SPACE_HOST || stn_exec_device(exec))
        return create(view, exec, layout, extra, flags);
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
    memset(view, 0, sizeof *view);
    STN_TRY(stn_exec_check(call, exec));
    return prefixed(call,
                    create_in(view, exec, space, label, storage, layout, rank, extents, flags));
}

static stn_space space_of(const stn_exec *exec, unsigned flags)
{
    return flags & STN_CREATE_PINNED    ? STN_SPACE_PINNED
           : flags & STN_CREATE_MANAGED ? STN_SPACE_MANAGED
                                        : stn_exec_space(exec);
}

static stn_status check_flags(const char *call, const char *label, unsigned flags)
{
    const unsigned all =
        STN_CREATE_UNINITIALIZED | STN_CREATE_PADDED | STN_CREATE_PINNED | STN_CREATE_MANAGED;
    const unsigned both = STN_CREATE_PINNED | STN_CREATE_MANAGED;
    if (flags & ~all)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view %s: flags 0x%x has unknown bits", call,
                        label ? label : "", flags);
    if ((flags & both) == both)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: view %s: flags 0x%x has both STN_CREATE_PINNED and STN_CREATE_MANAGED",
                        call, label ? label : "", flags);
    return STN_OK;
}

stn_status stn_view_create(const stn_exec *exec, stn_view *view, const char *label,
                           stn_storage storage, int rank, const int64_t *extents)
{
    static const char call[] = "stn_view_create";
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is NULL", call);
    return stn_view_create_in(call, view, exec, stn_exec_space(exec), label, storage, NULL, rank,
                              extents, 0);
}

/* Reads a description of a view. *strided has its strides if there are any. */
static stn_status read_spec(const char *call, stn_view *view, const stn_view_spec *given,
                            stn_view_spec *spec, stn_layout *strided)
{
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view is NULL", call);
    memset(view, 0, sizeof *view);
    STN_TRY(prefixed(call, STN_STRUCT_READ(spec, given, stn_view_spec, context, "spec")));
    if (!spec->strides)
        return STN_OK;
    if (spec->layout)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view %s: spec has both a layout and strides", call,
                        spec->label ? spec->label : "");
    const int is_rank = spec->rank >= 0 && spec->rank <= STN_MAX_RANK;
    *strided = stn_layout_strided(is_rank ? spec->rank : 0, spec->strides);
    spec->layout = strided;
    return STN_OK;
}

stn_status stn_view_create_spec(const stn_exec *exec, stn_view *view, const stn_view_spec *given)
{
    static const char call[] = "stn_view_create_spec";
    stn_view_spec spec;
    stn_layout strided;
    STN_TRY(read_spec(call, view, given, &spec, &strided));
    if (spec.data || spec.const_data || spec.free_data)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: view %s: spec has %s, but the memory is to be created", call,
                        spec.label ? spec.label : "", spec.free_data ? "free_data" : "data");
    STN_TRY(check_flags(call, spec.label, spec.flags));
    return stn_view_create_in(call, view, exec, space_of(exec, spec.flags), spec.label,
                              spec.storage, spec.layout, spec.rank, spec.extents, spec.flags);
}

stn_status stn_view_create_scratch(const stn_exec *exec, stn_view *view, const char *label,
                                   stn_storage storage, int rank, const int64_t *extents)
{
    return create_in(view, exec, stn_exec_space(exec), label, storage, NULL, rank, extents,
                     STN_CREATE_UNINITIALIZED | SCRATCH);
}

/* ---- existing memory ---- */

/* Checks that the view can refer to its data. */
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

/* Describes a view without an owner. The caller passes its extra state to an owner. */
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

/* Gives a described view an owner, at least for its extra state. */
static stn_status set_owner(const char *call, stn_view *view, stn_view_extra *extra,
                            stn_owner **owner)
{
    const stn_status status = stn_owner_create(view->label ? view->label : "", owner);
    if (status != STN_OK) {
        (void)stn_fail(status, "%s: view %s: no memory for its owner", call, stn_view_text(view));
        stn_free(extra);
        memset(view, 0, sizeof *view);
        return status;
    }
    if (extra)
        stn_owner_add_extra(*owner, extra);
    stn_owner_attach(view, *owner);
    return STN_OK;
}

static stn_status wrap(stn_view *view, const char *call, const stn_view_spec *spec)
{
    stn_view_extra *extra;
    stn_owner *owner;
    STN_TRY(stn_blocks_refuse_wrap(call, spec->label, spec->storage.format));
    STN_TRY(describe(view, call, spec->label, spec->storage, spec->data, spec->layout, spec->rank,
                     spec->extents, &extra));
    return extra ? set_owner(call, view, extra, &owner) : STN_OK;
}

stn_status stn_view_wrap(stn_view *view, const char *label, stn_storage storage, void *data,
                         int rank, const int64_t *extents)
{
    const stn_view_spec spec = {
        .label = label, .storage = storage, .data = data, .rank = rank, .extents = extents};
    return wrap(view, "stn_view_wrap", &spec);
}

stn_status stn_view_wrap_const(stn_view *view, const char *label, stn_storage storage,
                               const void *data, int rank, const int64_t *extents)
{
    const stn_view_spec spec = {.label = label,
                                .storage = storage,
                                .data = (void *)(uintptr_t)data,
                                .rank = rank,
                                .extents = extents};
    STN_TRY(wrap(view, "stn_view_wrap_const", &spec));
    view->read_only = 1;
    return STN_OK;
}

/* Reads the description of a view of existing memory. */
static stn_status read_data_spec(const char *call, stn_view *view, const stn_view_spec *given,
                                 stn_view_spec *spec, stn_layout *strided)
{
    STN_TRY(read_spec(call, view, given, spec, strided));
    const char *const label = spec->label ? spec->label : "";
    if (spec->flags)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: view %s: flags is 0x%x; it must be 0 for memory of the caller", call,
                        label, spec->flags);
    if (spec->data && spec->const_data)
        return stn_fail(STN_ERR_ARGUMENT, "%s: view %s: spec has both data and const_data", call,
                        label);
    if (spec->const_data)
        spec->data = (void *)(uintptr_t)spec->const_data;
    return STN_OK;
}

stn_status stn_view_wrap_spec(stn_view *view, const stn_view_spec *given)
{
    static const char call[] = "stn_view_wrap_spec";
    stn_view_spec spec;
    stn_layout strided;
    STN_TRY(read_data_spec(call, view, given, &spec, &strided));
    if (spec.free_data)
        return stn_fail(STN_ERR_ARGUMENT,
                        "%s: view %s: free_data is not NULL; stn_view_adopt calls it", call,
                        spec.label ? spec.label : "");
    STN_TRY(wrap(view, call, &spec));
    view->read_only = spec.const_data != NULL;
    return STN_OK;
}

stn_status stn_view_adopt_any(const char *call, stn_view *view, const stn_view_spec *spec)
{
    stn_view_extra *extra;
    stn_owner *owner;
    STN_TRY(describe(view, call, spec->label, spec->storage, spec->data, spec->layout, spec->rank,
                     spec->extents, &extra));
    STN_TRY(set_owner(call, view, extra, &owner));
    owner->owned = STN_OWNS_ADOPTED;
    owner->data = spec->data;
    owner->free_data = spec->free_data;
    owner->context = spec->context;
    return STN_OK;
}

stn_status stn_view_adopt(stn_view *view, const stn_view_spec *given)
{
    static const char call[] = "stn_view_adopt";
    stn_view_spec spec;
    stn_layout strided;
    STN_TRY(read_data_spec(call, view, given, &spec, &strided));
    if (!spec.free_data)
        return stn_fail(STN_ERR_ARGUMENT, "%s: free_data is NULL", call);
    STN_TRY(stn_blocks_refuse_wrap(call, spec.label, spec.storage.format));
    STN_TRY(stn_view_adopt_any(call, view, &spec));
    view->read_only = spec.const_data != NULL;
    return STN_OK;
}
