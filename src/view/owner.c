/* Owners: made with their memory and label, shared, and free for others after the last handle. */
#include "view/owner.h"

#include <pthread.h>
#include <string.h>

#include "core/event.h"
#include "core/memory.h"
#include "core/status.h"

enum { LINE = 64, INSIDE = 4096 }; /* bytes; larger memory is an allocation of its own */

/* ---- lives ---- */

/* Owners are allocated so many at a time, for the life of the process. */
enum { IN_CHUNK = 63 };

typedef struct chunk {
    struct chunk *next;
    stn_owner owners[IN_CHUNK];
} chunk;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static chunk *chunks; /* both under the lock */
static stn_owner *free_owners;

static uint32_t life_of(uint64_t state)
{
    return (uint32_t)(state >> 32);
}

static uint32_t handles_of(uint64_t state)
{
    return (uint32_t)state;
}

static stn_status add_chunk(void)
{
    chunk *more;
    STN_TRY(stn_allocate(&more, 1, sizeof *more, "owners of views"));
    memset(more, 0, sizeof *more);
    more->next = chunks;
    chunks = more;
    for (int k = 0; k < IN_CHUNK; k++) {
        atomic_init(&more->owners[k].state, 0);
        more->owners[k].next = free_owners;
        free_owners = &more->owners[k];
    }
    return STN_OK;
}

/* An owner of nothing yet, with one handle. */
static stn_status take_free(stn_owner **owner)
{
    pthread_mutex_lock(&lock);
    const stn_status status = free_owners ? STN_OK : add_chunk();
    if (status == STN_OK) {
        *owner = free_owners;
        free_owners = free_owners->next;
    }
    pthread_mutex_unlock(&lock);
    if (status == STN_OK)
        atomic_fetch_add_explicit(&(*owner)->state, 1, memory_order_relaxed);
    return status;
}

static void give_free(stn_owner *owner)
{
    pthread_mutex_lock(&lock);
    owner->next = free_owners;
    free_owners = owner;
    pthread_mutex_unlock(&lock);
}

/* One handle more or less, unless the last one has been given back: then 0. Less: the last one ends
 * the life, and sees all that was done through the others; *is_last then. */
static int count_handle(const stn_view *view, int more, int *is_last)
{
    stn_owner *const owner = view->owner;
    uint64_t state = atomic_load_explicit(&owner->state, memory_order_relaxed), next;
    do {
        if (life_of(state) != view->life)
            return 0;
        *is_last = !more && handles_of(state) == 1;
        next = more ? state + 1 : *is_last ? (uint64_t)(life_of(state) + 1u) << 32 : state - 1;
    } while (!atomic_compare_exchange_weak_explicit(
        &owner->state, &state, next, more ? memory_order_relaxed : memory_order_acq_rel,
        memory_order_relaxed));
    return 1;
}

/* ---- making ---- */

/* The label of an owner that is taken, with `extra` bytes of memory behind it. */
static stn_status allocate_label(const char *label, int64_t extra, stn_owner **owner)
{
    const size_t length = strlen(label) + 1;
    const int64_t head = (int64_t)((length + LINE - 1) / LINE * LINE);
    char *text;
    STN_TRY(stn_allocate(&text, head + extra, 1, "label of a view"));
    const stn_status status = take_free(owner);
    if (status != STN_OK) {
        stn_free(text);
        return status;
    }
    memcpy(text, label, length);
    (*owner)->label = text;
    (*owner)->owned = STN_OWNS_NOTHING;
    (*owner)->space = STN_SPACE_HOST;
    (*owner)->data = text + head;
    (*owner)->bytes = 0;
    (*owner)->mapping = NULL;
    return STN_OK;
}

/* What an owner has, but the memory, and itself. */
static void free_label(stn_owner *owner)
{
    stn_free(owner->mapping);
    stn_free(owner->label);
    give_free(owner);
}

stn_status stn_owner_make(const char *label, stn_owner **owner)
{
    STN_TRY(allocate_label(label, 0, owner));
    (*owner)->data = NULL;
    return STN_OK;
}

stn_status stn_owner_allocate(const char *label, int64_t bytes, stn_owner **owner)
{
    const int is_inside = bytes <= INSIDE;
    /* Memory without bytes has an address, too: that of the last line. */
    STN_TRY(allocate_label(label, is_inside ? (bytes ? bytes : LINE) : 0, owner));
    if (!is_inside) {
        const stn_status status = stn_allocate(&(*owner)->data, bytes, 1, label);
        if (status != STN_OK) {
            atomic_fetch_sub_explicit(&(*owner)->state, 1, memory_order_relaxed);
            free_label(*owner);
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

void stn_owner_take(stn_view *view, stn_owner *owner)
{
    view->owner = owner;
    view->life = life_of(atomic_load_explicit(&owner->state, memory_order_relaxed));
    view->label = owner->label;
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
    free_label(owner);
}

/* ---- handles ---- */

int stn_owner_share(const stn_view *view)
{
    int is_last;
    return view->owner && count_handle(view, 1, &is_last);
}

stn_status stn_view_share(stn_view *copy, const stn_view *view)
{
    STN_TRY(stn_view_known("stn_view_share", view));
    if (!copy)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_share: copy is NULL");
    if (copy == view)
        return STN_OK;
    if (view->owner && !stn_owner_share(view))
        return stn_view_refuse_unknown("stn_view_share", view);
    stn_view_copy_handle(copy, view);
    return STN_OK;
}

stn_status stn_view_release(stn_view *view)
{
    int is_last = 0;
    if (!view)
        return STN_OK;
    stn_status status = STN_OK;
    if (view->owner && !count_handle(view, 0, &is_last))
        status = stn_view_refuse_unknown("stn_view_release", view);
    else if (is_last)
        free_owner(view->owner);
    stn_view_clear(view);
    return status;
}

int64_t stn_view_use_count(const stn_view *view)
{
    if (!view || !view->owner || stn_view_is_stale(view))
        return 0;
    return handles_of(atomic_load_explicit(&view->owner->state, memory_order_relaxed));
}

int stn_view_owns_memory(const stn_view *view)
{
    return view->owner && view->owner->owned != STN_OWNS_NOTHING;
}
