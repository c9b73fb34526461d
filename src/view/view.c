/* What operations check about views, and the words of their messages. */
#include "view/view.h"

#include <stdio.h>

#include "core/status.h"
#include "format/registry.h"

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

static void bytes_of(const stn_view *view, uintptr_t *begin, uintptr_t *end)
{
    int64_t lowest = 0, highest = 0;
    const int64_t bytes = stn_format_entry_of(view->storage.format)->info.bytes;
    if (view->mapping)
        highest = view->mapping->span - 1;
    else
        (void)stn_view_reach(view, &lowest, &highest);
    *begin = (uintptr_t)view->data + (uintptr_t)(lowest * bytes);
    *end = (uintptr_t)view->data + (uintptr_t)((highest + 1) * bytes);
}

int stn_view_overlaps(const stn_view *a, const stn_view *b)
{
    uintptr_t a_begin, a_end, b_begin, b_end;
    if (stn_view_count(a) == 0 || stn_view_count(b) == 0)
        return 0;
    bytes_of(a, &a_begin, &a_end);
    bytes_of(b, &b_begin, &b_end);
    return a_begin < b_end && b_begin < a_end;
}

/* ---- words ---- */

const char *stn_view_words(const stn_view *view)
{
    enum { TEXTS = 4, LENGTH = 512, LABEL = 150 };
    static _Thread_local char texts[TEXTS][LENGTH];
    static _Thread_local unsigned next;
    char *text = texts[next++ % TEXTS];
    const stn_format_entry *entry = stn_format_entry_of(view->storage.format);
    int at = snprintf(text, LENGTH, "%.*s (%s", LABEL, view->label ? view->label : "unnamed view",
                      entry ? entry->info.name : "no format");
    for (int d = 0; d < view->rank && at < LENGTH; d++)
        at += snprintf(text + at, (size_t)(LENGTH - at), "%s%lld", d ? " x " : ", ",
                       (long long)view->extent[d]);
    if (view->space != STN_SPACE_HOST && at < LENGTH)
        at += snprintf(text + at, (size_t)(LENGTH - at), ", %s",
                       stn_space_name((stn_space)view->space));
    if (at < LENGTH)
        snprintf(text + at, (size_t)(LENGTH - at), ")");
    return text;
}

/* ---- checks ---- */

stn_status stn_view_refuse_unknown(const char *call, const stn_view *view)
{
    return stn_fail(STN_ERR_ARGUMENT,
                    view ? "%s: a view was not made by this library" : "%s: a view is NULL", call);
}

stn_status stn_view_expect(const char *call, const stn_view *view, int rank)
{
    STN_TRY(stn_view_known(call, view));
    if (stn_view_is_nothing(view))
        return stn_fail(STN_ERR_ARGUMENT, "%s: a view is one of nothing", call);
    if (view->rank != rank)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has rank %d, not %d", call, stn_view_words(view),
                        view->rank, rank);
    return STN_OK;
}

stn_status stn_view_expect_reached(const char *call, const stn_exec *exec, const stn_view *view)
{
    const stn_space space = (stn_space)view->space;
    return stn_space_accessible(exec, space)
               ? STN_OK
               : stn_fail(STN_ERR_UNSUPPORTED, "%s: %s is in %s memory, out of reach of %s", call,
                          stn_view_words(view), stn_space_name(space),
                          exec ? stn_exec_name(exec) : "the host");
}

stn_status stn_view_expect_plain(const char *call, const stn_exec *exec, const stn_view *view)
{
    if (view->mapping)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has layout %s, and this operation takes strides only", call,
                        stn_view_words(view), stn_layout_name(view->mapping->layout.kind));
    if (view->scales.data)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s has scales that differ between elements, and this operation takes "
                        "one for all",
                        call, stn_view_words(view));
    if (view->traits & STN_ATOMIC)
        return stn_fail(STN_ERR_UNSUPPORTED,
                        "%s: %s is atomic, and this operation does not access elements so", call,
                        stn_view_words(view));
    return stn_view_expect_reached(call, exec, view);
}

stn_status stn_view_writable(const char *call, const stn_view *view)
{
    return stn_view_is_read_only(view)
               ? stn_fail(STN_ERR_ARGUMENT, "%s: %s is read-only", call, stn_view_words(view))
               : STN_OK;
}
