/* Describing memory as a view, and what operations check about views. */
#include "view/view.h"

#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "format/registry.h"

int64_t stn_view_count(const stn_view *view)
{
    int64_t count = 1;
    for (int d = 0; d < view->rank; d++)
        if (view->extent[d] == 0)
            return 0;
    for (int d = 0; d < view->rank; d++)
        count *= view->extent[d]; /* no overflow: stn_view_wrap has looked */
    return count;
}

/* Lowest and highest element offsets; wraps nothing. */
static int reach_of(const stn_view *view, int64_t *lowest, int64_t *highest)
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
    int64_t lowest, highest;
    const int64_t bytes = stn_format_entry_of(view->storage.format)->info.bytes;
    (void)reach_of(view, &lowest, &highest);
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

const char *stn_view_words(const stn_view *view)
{
    enum { TEXTS = 4, LENGTH = 160 };
    static _Thread_local char texts[TEXTS][LENGTH];
    static _Thread_local unsigned next;
    char *text = texts[next++ % TEXTS];
    const stn_format_entry *entry = stn_format_entry_of(view->storage.format);
    int at = snprintf(text, LENGTH, "%s (%s", view->label ? view->label : "unnamed view",
                      entry ? entry->info.name : "no format");
    for (int d = 0; d < view->rank && at < LENGTH; d++)
        at += snprintf(text + at, (size_t)(LENGTH - at), "%s%lld", d ? " x " : ", ",
                       (long long)view->extent[d]);
    if (at < LENGTH)
        snprintf(text + at, (size_t)(LENGTH - at), ")");
    return text;
}

stn_status stn_view_expect(const char *call, const stn_view *view, int rank)
{
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: a view is NULL", call);
    if (view->size != sizeof *view)
        return stn_fail(STN_ERR_ARGUMENT, "%s: a view was not made by stn_view_wrap", call);
    if (view->rank != rank)
        return stn_fail(STN_ERR_SHAPE, "%s: %s has rank %d, not %d", call, stn_view_words(view),
                        view->rank, rank);
    return STN_OK;
}

static stn_status check_extents(const char *label, int rank, const int64_t *extents)
{
    if (rank < 0 || rank > STN_MAX_RANK)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: rank %d; 0 to %d can be", label, rank,
                        STN_MAX_RANK);
    if (rank > 0 && !extents)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: extents is NULL", label);
    for (int d = 0; d < rank; d++)
        if (extents[d] < 0)
            return stn_fail(STN_ERR_SHAPE, "view %s: extent %lld of dimension %d is negative",
                            label, (long long)extents[d], d);
    return STN_OK;
}

/* Strides of layout right; 0 when the elements cannot be counted. */
static int right_strides(stn_view *view)
{
    int64_t stride = 1;
    for (int d = view->rank - 1; d >= 0; d--) {
        view->stride[d] = stride;
        if (d > 0 && __builtin_mul_overflow(stride, view->extent[d] ? view->extent[d] : 1, &stride))
            return 0;
    }
    return 1;
}

/* Does every byte of the view have an address? */
static int fits_memory(const stn_view *view, int64_t bytes)
{
    int64_t count = 1, lowest, highest;
    for (int d = 0; d < view->rank; d++)
        if (view->extent[d] == 0)
            return 1;
    for (int d = 0; d < view->rank; d++)
        if (__builtin_mul_overflow(count, view->extent[d], &count))
            return 0;
    if (!reach_of(view, &lowest, &highest) || __builtin_add_overflow(highest, 1, &highest) ||
        __builtin_mul_overflow(lowest, bytes, &lowest) ||
        __builtin_mul_overflow(highest, bytes, &highest))
        return 0;
    const uintptr_t at = (uintptr_t)view->data;
    return at >= (uintptr_t)0 - (uintptr_t)lowest && (uintptr_t)highest <= UINTPTR_MAX - at;
}

stn_status stn_view_wrap(stn_view *view, const char *label, stn_storage storage, void *data,
                         int rank, const int64_t *extents, const int64_t *strides)
{
    const char *name = label ? label : "without a label";
    if (!view)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_wrap: view is NULL");
    memset(view, 0, sizeof *view);
    STN_TRY(check_extents(name, rank, extents));
    const stn_format_entry *entry = stn_format_entry_of(storage.format);
    if (!entry)
        return STN_ERR_FORMAT;
    stn_view made = {
        .size = sizeof made, .label = label, .storage = storage, .data = data, .rank = rank};
    for (int d = 0; d < rank; d++)
        made.extent[d] = extents[d];
    if (strides)
        memcpy(made.stride, strides, (size_t)rank * sizeof *strides);
    if ((!strides && !right_strides(&made)) || !fits_memory(&made, entry->info.bytes))
        return stn_fail(STN_ERR_RANGE, "view %s exceeds the address space", stn_view_words(&made));
    if (!data && stn_view_count(&made) > 0)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: data is NULL", stn_view_words(&made));
    if ((uintptr_t)data % (uintptr_t)entry->info.alignment)
        return stn_fail(STN_ERR_ARGUMENT, "view %s: data at %p is not aligned to %lld bytes",
                        stn_view_words(&made), data, (long long)entry->info.alignment);
    *view = made;
    return STN_OK;
}

stn_status stn_view_wrap_const(stn_view *view, const char *label, stn_storage storage,
                               const void *data, int rank, const int64_t *extents,
                               const int64_t *strides)
{
    STN_TRY(stn_view_wrap(view, label, storage, (void *)(uintptr_t)data, rank, extents, strides));
    view->read_only = 1;
    return STN_OK;
}
