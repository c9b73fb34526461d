/* Checks of views, and their description in messages. */
#include "view/view.h"

#include <stdio.h>

#include "core/status.h"
#include "exec/exec.h"
#include "exec/uses.h"
#include "format/registry.h"
#include "view/layout/mapping.h"
#include "view/layout/shape.h"
#include "view/scales.h"
#include "view/blocks.h"
#include "view/store.h"

/* ---- reach ---- */

int stn_view_reach(const stn_view *view, int64_t *lowest, int64_t *highest)
{
    *lowest = *highest = 0;
    for (int d = 0; d < view->rank; d++) {
        int64_t reach, *end;
        if (view->extent[d] == 0)
            continue;
        if (__builtin_mul_overflow(view->extent[d] - 1, view->stride[d], &reach))
            return 0;
        end = reach < 0 ? lowest : highest;
        if (__builtin_add_overflow(*end, reach, end))
            return 0;
    }
    return 1;
}

/* ---- words ---- */

const char *stn_view_text(const stn_view *view)
{
    enum { TEXTS = 4, LENGTH = 512, LABEL = 150 };
    static _Thread_local char texts[TEXTS][LENGTH];
    static _Thread_local unsigned next;
    char *text = texts[next++ % TEXTS];
    const stn_format_entry *entry = stn_format_entry_of(view->storage.format);
    const char *label = stn_view_is_stale(view) ? "released view" /* its label has been released,
                                                                   * too */
                        : view->label ? view->label
                                      : "unnamed view";
    int at =
        snprintf(text, LENGTH, "%.*s (%s", LABEL, label, entry ? entry->info.name : "no format");
    for (int d = 0; d < view->rank && d < STN_MAX_RANK && at < LENGTH; d++)
        at += snprintf(text + at, (size_t)(LENGTH - at), "%s%lld", d ? " x " : ", ",
                       (long long)view->extent[d]);
    if (view->space != STN_SPACE_HOST && at < LENGTH)
        at += snprintf(text + at, (size_t)(LENGTH - at), ", %s",
                       stn_space_name((stn_space)view->space));
    if (at < LENGTH)
        snprintf(text + at, (size_t)(LENGTH - at), ")");
    return text;
}

stn_status stn_view_error_prefix(const char *call, const stn_view *view, stn_status status)
{
    return stn_error_prefix(status, "%s: %s", call, stn_view_text(view));
}

/* ---- checks ---- */

stn_status stn_view_refuse_released(const char *call, const stn_view *view)
{
    return stn_fail(STN_ERR_ARGUMENT,
                    "%s: %s: its memory was released through a plain copy of this handle", call,
                    stn_view_text(view));
}

/* "y" for "p->y", "&s->y" and "y". */
static const char *name_of(const char *argument)
{
    for (const char *at = argument; *at; at++)
        if (*at == '.' || *at == '>' || *at == '&')
            argument = at + 1;
    return argument;
}

/* Checks the members of an initialized view. */
static stn_status check_members(const char *call, const stn_view *view)
{
    if (stn_view_is_stale(view))
        return stn_view_refuse_released(call, view);
    if (view->rank < 0 || view->rank > STN_MAX_RANK)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s: rank %d is out of range (0 to %d)", call,
                        stn_view_text(view), view->rank, STN_MAX_RANK);
    if (!stn_format_entry_of(view->storage.format))
        return stn_fail(STN_ERR_FORMAT, "%s: %s: format %d is unknown", call, stn_view_text(view),
                        view->storage.format);
    if (!view->data && stn_view_count(view) > 0)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s: data is NULL", call, stn_view_text(view));
    return STN_OK;
}

stn_status stn_view_expect_initialized(const char *call, const char *argument, const stn_view *view)
{
    return !stn_view_is_uninitialized(view)
               ? STN_OK
               : stn_fail(STN_ERR_ARGUMENT,
                          "%s: %s is not an initialized view: its member size is %u, not %zu", call,
                          name_of(argument), view->size, sizeof *view);
}

stn_status stn_view_diagnose(const char *call, const char *argument, const stn_view *view)
{
    char where[200];
    const char *const name = name_of(argument);
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is NULL", call, name);
    STN_TRY(stn_view_expect_initialized(call, name, view));
    if (stn_view_is_empty(view))
        return STN_OK;
    (void)snprintf(where, sizeof where, "%s: %s", call, name);
    return check_members(where, view);
}

stn_status stn_view_expect_argument(const char *call, const char *argument, const stn_view *view,
                                    int rank)
{
    STN_TRY(stn_view_check_argument(call, argument, view));
    if (stn_view_is_empty(view))
        return stn_fail(STN_ERR_ARGUMENT, "%s: %s is " STN_EMPTY_VIEW, call, name_of(argument));
    if (view->rank != rank)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has rank %d, not %d", call, stn_view_text(view),
                        view->rank, rank);
    return STN_OK;
}

/* Waits for queued work that uses the elements' memory. */
static stn_status settle_elements(const char *call, const stn_view *view)
{
    int64_t first, bytes;
    if (view->space == STN_SPACE_MANAGED)
        STN_TRY(stn_uses_expect_idle(call, stn_view_text(view)));
    if (!stn_uses_any() || stn_view_count(view) == 0)
        return STN_OK;
    if (stn_format_block(view->storage.format)) {
        size_t all;
        void *const blocks = stn_blocks_range(view, &all);
        return stn_uses_wait(blocks, all);
    }
    STN_TRY(stn_view_bytes(view, &first, &bytes));
    return stn_uses_wait((char *)view->data + first, (size_t)bytes);
}

static stn_status settle(const char *call, const stn_exec *exec, const stn_view *view)
{
    stn_status status = stn_scales_settle(view);
    if (status == STN_OK && !stn_exec_device(exec) &&
        (view->space != STN_SPACE_HOST || !stn_view_store(view)))
        status = settle_elements(call, view);
    return status == STN_OK || status == STN_ERR_UNSUPPORTED
               ? status
               : stn_view_error_prefix(call, view, status);
}

stn_status stn_view_settle(const char *call, const stn_exec *exec, const stn_view *view)
{
    const stn_store *const store = stn_view_store(view);
    stn_status status = STN_OK;
    if (stn_uses_any() || view->space == STN_SPACE_MANAGED)
        status = settle(call, exec, view);
    return status == STN_OK && store ? store->prepare(store->context, call, exec) : status;
}

stn_status stn_view_expect_reached(const char *call, const stn_exec *exec, const stn_view *view)
{
    STN_TRY(stn_exec_check(call, exec));
    const stn_space space = (stn_space)view->space;
    return stn_space_accessible(exec, space)
               ? stn_view_settle(call, exec, view)
               : stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is in %s memory, which %s cannot access",
                          call, stn_view_text(view), stn_space_name(space),
                          exec ? stn_exec_name(exec) : "the host");
}

stn_status stn_view_expect_strided(const char *call, const stn_exec *exec, const stn_view *view)
{
    if (stn_view_mapping(view))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has layout %s; this operation requires a strided view", call,
                        stn_view_text(view), stn_layout_name(stn_view_mapping(view)->layout.kind));
    return stn_view_expect_usable(call, exec, view);
}

stn_status stn_view_expect_plain(const char *call, const stn_exec *exec, const stn_view *view)
{
    if (stn_view_has_scales(view) && !stn_scales_are_one(view))
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has scales that differ between elements; this operation requires "
                        "one scale",
                        call, stn_view_text(view));
    return stn_view_expect_strided(call, exec, view);
}

stn_status stn_view_expect_usable(const char *call, const stn_exec *exec, const stn_view *view)
{
    if (view->traits & STN_TRAIT_ATOMIC)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s is atomic; this operation does not access elements atomically",
                        call, stn_view_text(view));
    return stn_view_expect_reached(call, exec, view);
}

stn_status stn_view_expect_stored(const char *call, const stn_view *view, const int64_t *indices)
{
    return stn_view_stores(view, indices)
               ? STN_OK
               : stn_fail(STN_ERR_RANGE, "%s: %s does not store elements outside its band", call,
                          stn_view_text(view));
}

stn_status stn_view_writable(const char *call, const stn_view *view)
{
    return stn_view_is_read_only(view)
               ? stn_fail(STN_ERR_ARGUMENT, "%s: %s is read-only", call, stn_view_text(view))
               : STN_OK;
}
