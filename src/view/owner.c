/* Owners: allocated with their memory and label, shared by handles, and reused after the last
 * handle has been released. */
#include "view/owner.h"

#include <pthread.h>
#include <string.h>

#include "core/event.h"
#include "core/memory.h"
#include "core/modes.h"
#include "core/status.h"
#include "exec/scratch.h"

enum { INSIDE = 4096 }; /* bytes; larger memory is allocated separately */

/* ---- lives ---- */

/* Owners are allocated for the lifetime of the process, in chunks that double in size. Free owners
 * form a lock-free stack. The lower half of its head is the number of the first owner, counted
 * from 1; the upper half counts changes of the head. */
enum { FIRST_CHUNK = 64, MAX_CHUNKS = 26 };

static _Atomic(stn_owner *) chunks[MAX_CHUNKS];
static _Atomic uint64_t free_owners;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static uint32_t life_of(uint64_t state)
{
    return (uint32_t)(state >> 32);
}

static uint32_t handles_of(uint64_t state)
{
    return (uint32_t)state;
}

static uint32_t first_of_chunk(int chunk)
{
    return FIRST_CHUNK * ((1u << chunk) - 1) + 1;
}

static stn_owner *owner_of(uint32_t number)
{
    const int chunk = 31 - __builtin_clz((number - 1) / FIRST_CHUNK + 1);
    return atomic_load_explicit(&chunks[chunk], memory_order_acquire) + number -
           first_of_chunk(chunk);
}

static uint64_t next_head(uint64_t head, uint32_t number)
{
    return ((head >> 32) + 1) << 32 | number;
}

static void push_owner(stn_owner *owner)
{
    uint64_t head = atomic_load_explicit(&free_owners, memory_order_relaxed);
    do
        atomic_store_explicit(&owner->next, (uint32_t)head, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&free_owners, &head,
                                                  next_head(head, owner->number),
                                                  memory_order_release, memory_order_relaxed));
}

/* NULL if the stack is empty. */
static stn_owner *pop_owner(void)
{
    uint64_t head = atomic_load_explicit(&free_owners, memory_order_acquire);
    while ((uint32_t)head) {
        stn_owner *const owner = owner_of((uint32_t)head);
        const uint32_t next = atomic_load_explicit(&owner->next, memory_order_relaxed);
        if (atomic_compare_exchange_weak_explicit(&free_owners, &head, next_head(head, next),
                                                  memory_order_acquire, memory_order_acquire))
            return owner;
    }
    return NULL;
}

/* The caller holds the lock. */
static stn_status add_chunk(void)
{
    stn_owner *more;
    int chunk = 0;
    while (chunk < MAX_CHUNKS && atomic_load(&chunks[chunk]))
        chunk++;
    if (chunk == MAX_CHUNKS)
        return stn_fail(STN_ERR_MEMORY, "more views own memory than the library can count");
    const uint32_t count = (uint32_t)FIRST_CHUNK << chunk;
    STN_TRY(stn_allocate(&more, count, sizeof *more, "owners of views"));
    memset(more, 0, count * sizeof *more);
    atomic_store_explicit(&chunks[chunk], more, memory_order_release);
    for (uint32_t k = 0; k < count; k++) {
        more[k].number = first_of_chunk(chunk) + k;
        push_owner(&more[k]);
    }
    return STN_OK;
}

/* Each thread keeps the owner that it released last, until it ends, to avoid the stack. */
static pthread_key_t spare;
static _Atomic int has_spare;

static void end_thread(void *owner)
{
    push_owner(owner);
}

__attribute__((constructor)) static void create_spare_key(void)
{
    atomic_store(&has_spare, pthread_key_create(&spare, end_thread) == 0);
}

__attribute__((destructor)) static void return_spare(void)
{
    if (atomic_exchange(&has_spare, 0))
        (void)pthread_key_delete(spare);
}

static int has_spare_key(void)
{
    return atomic_load_explicit(&has_spare, memory_order_relaxed);
}

static void return_owner(stn_owner *owner)
{
    if (!has_spare_key() || pthread_getspecific(spare) || pthread_setspecific(spare, owner) != 0)
        push_owner(owner);
}

static stn_owner *find_owner(void)
{
    stn_owner *const kept = has_spare_key() ? pthread_getspecific(spare) : NULL;
    if (!kept)
        return pop_owner();
    (void)pthread_setspecific(spare, NULL);
    return kept;
}

/* Takes a free owner, with one handle and without memory. */
static stn_status acquire_owner(stn_owner **owner)
{
    stn_status status = STN_OK;
    while (status == STN_OK && !(*owner = find_owner())) {
        pthread_mutex_lock(&adding);
        if (!(uint32_t)atomic_load(&free_owners))
            status = add_chunk();
        pthread_mutex_unlock(&adding);
    }
    if (status != STN_OK)
        return status;
    /* No other thread modifies the state: existing handles are of another life. */
    const uint64_t state = atomic_load_explicit(&(*owner)->state, memory_order_relaxed);
    atomic_store_explicit(&(*owner)->state, state + 1, memory_order_relaxed);
    return STN_OK;
}

/* Adds or removes a handle; returns 0 if the last one has already been released. Removing the last
 * handle ends the life of the owner, sets *is_last, and synchronizes with the release of all
 * others. */
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

/* ---- creation ---- */

/* Allocates the label of an owner, followed by `extra` bytes of memory. */
static stn_status allocate_label(const char *label, int64_t extra, stn_owner **owner)
{
    const size_t length = strlen(label) + 1;
    const int64_t head = (int64_t)((length + STN_LINE - 1) / STN_LINE * STN_LINE);
    char *text;
    STN_TRY(stn_allocate(&text, head + extra, 1, "label of a view"));
    const stn_status status = acquire_owner(owner);
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
    atomic_store_explicit(&(*owner)->extra, NULL, memory_order_relaxed);
    (*owner)->device = NULL;
    (*owner)->scratch = NULL;
    return STN_OK;
}

/* Frees everything that belongs to an owner except its memory and itself. */
static void free_label(stn_owner *owner)
{
    for (stn_view_extra *extra = atomic_load(&owner->extra), *next; extra; extra = next) {
        next = extra->next;
        stn_free(extra);
    }
    stn_free(owner->label);
    return_owner(owner);
}

stn_status stn_owner_create(const char *label, stn_owner **owner)
{
    STN_TRY(allocate_label(label, 0, owner));
    (*owner)->data = NULL;
    return STN_OK;
}

/* Returns an owner without memory and handles to the stack. */
static void abandon(stn_owner **owner)
{
    atomic_fetch_sub_explicit(&(*owner)->state, 1, memory_order_relaxed);
    free_label(*owner);
    *owner = NULL;
}

static void notify_allocated(const stn_owner *owner)
{
    if (stn_event_is_traced())
        stn_event_allocated((stn_event_data){.label = owner->label,
                                             .space = stn_space_name(owner->space),
                                             .data = owner->data,
                                             .bytes = (uint64_t)owner->bytes});
}

stn_status stn_owner_allocate(const char *label, int64_t bytes, stn_owner **owner)
{
    const int is_inside = bytes <= INSIDE;
    /* Memory of 0 bytes also has an address: that of the last line. */
    STN_TRY(allocate_label(label, is_inside ? (bytes ? bytes : STN_LINE) : 0, owner));
    if (!is_inside) {
        const stn_status status = stn_allocate(&(*owner)->data, bytes, 1, label);
        if (status != STN_OK) {
            abandon(owner);
            return status;
        }
    }
    (*owner)->owned = is_inside ? STN_OWNS_INSIDE : STN_OWNS_ALLOCATED;
    (*owner)->bytes = bytes;
    notify_allocated(*owner);
    return STN_OK;
}

static stn_status allocate_on(stn_device *device, const char *label, int64_t bytes, int is_scratch,
                              stn_owner *owner)
{
    const int64_t least = bytes ? bytes : STN_LINE;
    if (!is_scratch)
        return stn_device_allocate(device, label, owner->space, least, &owner->data);
    STN_TRY(stn_device_acquire_scratch(device, label, least, &owner->scratch));
    owner->data = owner->scratch->memory;
    return STN_OK;
}

stn_status stn_owner_allocate_on(stn_device *device, stn_space space, const char *label,
                                 int64_t bytes, int is_scratch, stn_owner **owner)
{
    STN_TRY(allocate_label(label, 0, owner));
    (*owner)->space = space;
    const stn_status status = allocate_on(device, label, bytes, is_scratch, *owner);
    if (status != STN_OK) {
        abandon(owner);
        return status;
    }
    stn_device_share(device);
    (*owner)->device = device;
    (*owner)->owned = STN_OWNS_DEVICE;
    (*owner)->bytes = bytes;
    notify_allocated(*owner);
    return STN_OK;
}

void stn_owner_attach(stn_view *view, stn_owner *owner)
{
    view->owner = owner;
    view->life = life_of(atomic_load_explicit(&owner->state, memory_order_relaxed));
    view->label = owner->label;
}

void stn_owner_add_extra(stn_owner *owner, stn_view_extra *extra)
{
    extra->next = atomic_load_explicit(&owner->extra, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&owner->extra, &extra->next, extra,
                                                  memory_order_release, memory_order_relaxed))
        ;
}

/* Calls the program's function, which may change the floating-point modes. */
static void free_adopted(const stn_owner *owner)
{
    const stn_modes_guarded modes = stn_modes_guard();
    owner->free_data(owner->data, owner->context);
    stn_modes_again(modes);
}

static void free_owner(stn_owner *owner)
{
    const int is_ours = owner->owned == STN_OWNS_INSIDE || owner->owned == STN_OWNS_ALLOCATED ||
                        owner->owned == STN_OWNS_DEVICE;
    if (is_ours && stn_event_is_traced())
        stn_event_freed((stn_event_data){.label = owner->label,
                                         .space = stn_space_name(owner->space),
                                         .data = owner->data,
                                         .bytes = (uint64_t)owner->bytes});
    if (owner->owned == STN_OWNS_ALLOCATED)
        stn_free(owner->data);
    else if (owner->scratch)
        stn_device_return_scratch(owner->device, owner->scratch);
    else if (owner->owned == STN_OWNS_DEVICE)
        stn_device_free(owner->device, owner->space, owner->data);
    else if (owner->owned == STN_OWNS_ADOPTED)
        free_adopted(owner);
    stn_device_release(owner->device);
    free_label(owner);
}

/* ---- handles ---- */

int stn_owner_share(const stn_view *view)
{
    int is_last;
    return view->owner && count_handle(view, 1, &is_last);
}

static stn_status share(stn_view *copy, const stn_view *view)
{
    STN_TRY(stn_view_check("stn_view_share", view));
    if (!copy)
        return stn_fail(STN_ERR_ARGUMENT, "stn_view_share: copy is NULL");
    if (copy == view)
        return STN_OK;
    if (view->owner && !stn_owner_share(view))
        return stn_view_refuse_released("stn_view_share", view);
    stn_view_copy_handle(copy, view);
    return STN_OK;
}

stn_status stn_view_share(stn_view *copy, const stn_view *view)
{
    return stn_view_derived(share(copy, view), copy, view);
}

stn_status stn_view_release(stn_view *view)
{
    int is_last = 0;
    if (!view)
        return STN_OK;
    STN_TRY(stn_view_expect_initialized("stn_view_release", "view", view));
    stn_status status = STN_OK;
    if (view->owner && !count_handle(view, 0, &is_last))
        status = stn_view_refuse_released("stn_view_release", view);
    else if (is_last) {
        if (view->space != STN_SPACE_HOST && stn_view_owns_memory(view) && !view->owner->scratch)
            stn_device_wait_for_users(view->owner->device, (stn_space)view->space);
        free_owner(view->owner);
    }
    stn_view_clear(view);
    return status;
}

int64_t stn_view_use_count(const stn_view *view)
{
    if (!view || view->size != sizeof *view || !view->owner || stn_view_is_stale(view))
        return 0;
    return handles_of(atomic_load_explicit(&view->owner->state, memory_order_relaxed));
}

int stn_view_owns_memory(const stn_view *view)
{
    return view->owner && view->owner->owned != STN_OWNS_NOTHING;
}
