/* Owners: made with their memory and label, shared, and freed with the last handle. */
#include "view/owner.h"

#include <string.h>

#include "core/event.h"
#include "core/memory.h"

enum { LINE = 64, INSIDE = 4096 }; /* bytes; larger memory is an allocation of its own */

static int64_t to_lines(int64_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

/* Owner and label, with `extra` bytes behind them. */
static stn_status allocate_owner(const char *label, int64_t extra, stn_owner **owner)
{
    const size_t length = strlen(label) + 1;
    const int64_t head = to_lines((int64_t)(sizeof **owner + length));
    STN_TRY(stn_allocate(owner, head + extra, 1, "owner of a view"));
    stn_owner *const made = *owner;
    char *const text = (char *)(made + 1);
    memcpy(text, label, length);
    *made = (stn_owner){.owned = STN_OWNS_NOTHING, .label = text};
    atomic_init(&made->handles, 1);
    made->data = (char *)made + head;
    return STN_OK;
}

stn_status stn_owner_make(const char *label, stn_owner **owner)
{
    STN_TRY(allocate_owner(label, 0, owner));
    (*owner)->data = NULL;
    return STN_OK;
}

stn_status stn_owner_allocate(const char *label, int64_t bytes, stn_owner **owner)
{
    const int is_inside = bytes <= INSIDE;
    /* Memory without bytes has an address, too: that of the last line. */
    STN_TRY(allocate_owner(label, is_inside ? (bytes ? bytes : LINE) : 0, owner));
    if (!is_inside) {
        const stn_status status = stn_allocate(&(*owner)->data, bytes, 1, label);
        if (status != STN_OK) {
            stn_free(*owner);
            *owner = NULL;
            return status;
        }
    }
    (*owner)->owned = is_inside ? STN_OWNS_INSIDE : STN_OWNS_ALLOCATED;
    (*owner)->bytes = bytes;
    if (stn_event_heard())
        stn_event_allocated((stn_event_data){.label = (*owner)->label,
                                             .space = stn_space_name((*owner)->space),
                                             .data = (*owner)->data,
                                             .bytes = (uint64_t)bytes});
    return STN_OK;
}

static void free_owner(stn_owner *owner)
{
    const int is_ours = owner->owned == STN_OWNS_INSIDE || owner->owned == STN_OWNS_ALLOCATED;
    if (is_ours && stn_event_heard())
        stn_event_freed((stn_event_data){.label = owner->label,
                                         .space = stn_space_name(owner->space),
                                         .data = owner->data,
                                         .bytes = (uint64_t)owner->bytes});
    if (owner->owned == STN_OWNS_ALLOCATED)
        stn_free(owner->data);
    else if (owner->owned == STN_OWNS_ADOPTED)
        owner->free_data(owner->data, owner->context);
    stn_free(owner->mapping);
    stn_free(owner);
}

stn_status stn_view_share(stn_view *copy, const stn_view *view)
{
    STN_TRY(stn_view_known("stn_view_share", view));
    if (!copy)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_share: copy is NULL");
    if (copy == view)
        return STN_OK;
    if (view->owner)
        atomic_fetch_add_explicit(&view->owner->handles, 1, memory_order_relaxed);
    stn_view_copy_handle(copy, view);
    return STN_OK;
}

/* The last handle sees all that was done through the others. */
void stn_view_release(stn_view *view)
{
    if (!view)
        return;
    stn_owner *const owner = view->owner;
    if (owner && (atomic_load_explicit(&owner->handles, memory_order_acquire) == 1 ||
                  atomic_fetch_sub_explicit(&owner->handles, 1, memory_order_acq_rel) == 1))
        free_owner(owner);
    stn_view_clear(view);
}

int64_t stn_view_use_count(const stn_view *view)
{
    return view && view->owner ? atomic_load_explicit(&view->owner->handles, memory_order_relaxed)
                               : 0;
}

int stn_view_owns_memory(const stn_view *view)
{
    return view->owner && view->owner->owned != STN_OWNS_NOTHING;
}
