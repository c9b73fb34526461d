/* Internal functions of views: checks, reach, overlap, and messages. */
#ifndef STENO_VIEW_VIEW_H
#define STENO_VIEW_VIEW_H

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "format/registry.h"
#include "steno/view.h"
#include "view/extra.h"

typedef enum stn_owned {
    STN_OWNS_NOTHING,   /* except the mapping */
    STN_OWNS_INSIDE,    /* after the label, in the same allocation */
    STN_OWNS_ALLOCATED, /* from stn_allocate */
    STN_OWNS_DEVICE,    /* from a device: in its memory, or pinned or managed by it */
    STN_OWNS_ADOPTED    /* released by free_data */
} stn_owned;

/* Owners are reused and never freed, so that handles of a previous life can be recognized. */
struct stn_owner {
    _Atomic uint64_t state; /* upper half: life; lower half: number of handles */
    stn_owned owned;
    stn_space space;
    char *label; /* separate allocation */
    void *data;  /* first byte of the memory; not necessarily element (0, ..., 0) */
    int64_t bytes;
    _Atomic(stn_view_extra *) extra; /* a list, freed with the owner */
    void (*free_data)(void *data, void *context);
    void *context;
    struct stn_device *device;          /* device that the memory belongs to, or NULL */
    struct stn_device_scratch *scratch; /* the memory, which the device keeps for reuse, or NULL */
    uint32_t number;                    /* among all owners */
    _Atomic uint32_t next;              /* number of the next free owner; 0: none */
};

/* Returns whether the view is a plain copy of a handle that has been released since. */
static inline int stn_view_is_stale(const stn_view *view)
{
    return view->owner &&
           (uint32_t)(atomic_load_explicit(&view->owner->state, memory_order_relaxed) >> 32) !=
               view->life;
}

/* A few comparisons that every valid operand passes, except views without data. */
static inline int stn_view_is_sound(const stn_view *view)
{
    return view && view->size == sizeof *view && view->data &&
           (uint32_t)view->rank <= STN_MAX_RANK &&
           ((uint32_t)view->storage.format < STN_BUILTIN_FORMATS ||
            stn_format_entry_of(view->storage.format)) &&
           !stn_view_is_stale(view);
}

/* STN_ERR_ARGUMENT naming a view whose handle has been released. */
stn_status stn_view_refuse_released(const char *call, const stn_view *view);

/* Slow path: checks a view and describes what is wrong. `argument` is its expression; messages use
 * its last member. */
stn_status stn_view_diagnose(const char *call, const char *argument, const stn_view *view);

/* STN_ERR_ARGUMENT if a view is NULL, not initialized, a released handle, of an invalid rank, or
 * has elements but no data; STN_ERR_FORMAT if its format is unknown. Empty views pass. */
static inline stn_status stn_view_check_argument(const char *call, const char *argument,
                                                 const stn_view *view)
{
    return stn_view_is_sound(view) ? STN_OK : stn_view_diagnose(call, argument, view);
}

/* The same for a parameter, whose name is used in messages. */
#define stn_view_check(call, view) stn_view_check_argument(call, #view, view)

/* STN_ERR_RANGE for an element outside the band of a matrix, which must not be written. */
stn_status stn_view_expect_stored(const char *call, const stn_view *view, const int64_t *indices);

/* STN_ERR_SHAPE unless the view has this rank; the errors of stn_view_check; and STN_ERR_ARGUMENT
 * for an all-zero view. */
stn_status stn_view_expect_argument(const char *call, const char *argument, const stn_view *view,
                                    int rank);
#define stn_view_expect(call, view, rank) stn_view_expect_argument(call, #view, view, rank)

/* STN_ERR_UNSUPPORTED for an atomic view, and for memory that the executor (NULL: the calling
 * thread) cannot access. */
stn_status stn_view_expect_usable(const char *call, const stn_exec *exec, const stn_view *view);

/* The same, and the view must be strided; the second function also requires a single scale. */
stn_status stn_view_expect_strided(const char *call, const stn_exec *exec, const stn_view *view);
stn_status stn_view_expect_plain(const char *call, const stn_exec *exec, const stn_view *view);

/* STN_ERR_UNSUPPORTED if the executor (NULL: the calling thread) cannot access the memory. Waits
 * until the host may access it (stn_view_settle). Every host operation calls this function before
 * it reads or writes elements. */
stn_status stn_view_expect_reached(const char *call, const stn_exec *exec, const stn_view *view);

/* Waits for queued work of devices that uses what the host reads or writes in an operation of this
 * executor: elements, unless the executor is a device, and scales. STN_ERR_DEVICE if that work
 * failed. STN_ERR_UNSUPPORTED for managed memory that the host may not access while a device
 * works, and while that work is being captured. */
stn_status stn_view_settle(const char *call, const stn_exec *exec, const stn_view *view);

/* STN_ERR_ARGUMENT if the view may not be written. */
stn_status stn_view_writable(const char *call, const stn_view *view);

/* The checks of stn_view_offset. */
stn_status stn_view_expect_indices(const char *call, const stn_view *view, int count,
                                   const int64_t *indices);

/* The address of an element that the host may access. Errors of stn_view_address. */
stn_status stn_view_locate(const char *call, const stn_view *view, int count,
                           const int64_t *indices, void **address);

static inline int stn_view_is_empty(const stn_view *view)
{
    return view->size == 0;
}

/* Description of an empty view in messages. */
#define STN_EMPTY_VIEW "an empty view (not created, or released)"

/* Returns whether the struct has another size than an initialized or all-zero view. */
static inline int stn_view_is_uninitialized(const stn_view *view)
{
    return view->size != sizeof *view && (view->size != 0 || view->rank != 0);
}

/* STN_ERR_ARGUMENT for a view that is not initialized. */
stn_status stn_view_expect_initialized(const char *call, const char *argument,
                                       const stn_view *view);

/* Copying and clearing in parts lets compilers use plain stores instead of a string instruction,
 * whose startup takes longer. */
enum { STN_VIEW_PART = sizeof(stn_view) / 4 };

/* *to becomes *from, for another handle or a part. */
static inline void stn_view_copy_handle(stn_view *to, const stn_view *from)
{
    for (size_t at = 0; at < 4 * STN_VIEW_PART; at += STN_VIEW_PART)
        memcpy((char *)to + at, (const char *)from + at, STN_VIEW_PART);
}

/* Makes the view an all-zero view. */
static inline void stn_view_clear(stn_view *view)
{
    for (size_t at = 0; at < 4 * STN_VIEW_PART; at += STN_VIEW_PART)
        memset((char *)view + at, 0, STN_VIEW_PART);
}

/* The status of a call that derives *result from *view: after an error, *result is an empty view,
 * unless it is the operand, which is unchanged. */
static inline stn_status stn_view_derived(stn_status status, stn_view *result, const stn_view *view)
{
    if (status != STN_OK && result && result != view)
        stn_view_clear(result);
    return status;
}

static inline int stn_view_is_read_only(const stn_view *view)
{
    return view->read_only || (view->traits & STN_TRAIT_RANDOM_ACCESS);
}

/* Returns whether the address of the first element is a multiple of 64 bytes. */
int stn_view_is_aligned(const stn_view *view);

/* Lowest and highest offset of an element of a strided view. Returns 0 on overflow. */
int stn_view_reach(const stn_view *view, int64_t *lowest, int64_t *highest);

/* Returns whether all elements have different locations. Exact, except that strides which need
 * more than a million steps count as repeating. */
int stn_strides_are_unique(int rank, const int64_t *extents, const int64_t *strides);

/* Prefixes the current error message with the call and the view. */
stn_status stn_view_error_prefix(const char *call, const stn_view *view, stn_status status);

/* "x (f16, 3 x 4)", or "x (f16, 3 x 4, device)" if it is not on the host, for messages. The text
 * is valid until the fourth subsequent call on this thread. */
const char *stn_view_text(const stn_view *view);

#endif
