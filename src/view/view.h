/* Views inside the library: checks, reach, overlap and the words of error messages. */
#ifndef STENO_VIEW_VIEW_H
#define STENO_VIEW_VIEW_H

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "format/registry.h"
#include "steno/view.h"
#include "view/extra.h"

typedef enum stn_owned {
    STN_OWNS_NOTHING,   /* but the mapping */
    STN_OWNS_INSIDE,    /* behind the label, in the same allocation */
    STN_OWNS_ALLOCATED, /* from stn_allocate */
    STN_OWNS_DEVICE,    /* from a device, in its memory or pinned or managed by it */
    STN_OWNS_ADOPTED    /* given back by free_data */
} stn_owned;

/* Owners are used again and never freed, so that a handle of one that is gone is known: it is of
 * another life. */
struct stn_owner {
    _Atomic uint64_t state; /* the life in the upper half, handles in the lower one */
    stn_owned owned;
    stn_space space;
    char *label; /* an allocation of its own */
    void *data;  /* the first byte of the memory, not of element (0, ..., 0) */
    int64_t bytes;
    _Atomic(stn_view_extra *) extra; /* a list, freed with the owner */
    void (*free_data)(void *data, void *context);
    void *context;
    struct stn_device *device;          /* NULL, or that the memory is from */
    struct stn_device_scratch *scratch; /* NULL, or the memory, which the device keeps */
    uint32_t number;                    /* of all there are */
    _Atomic uint32_t next;              /* of those that are free, the number; 0: none */
};

/* Is the view a plain copy of a handle that has been given back since? */
static inline int stn_view_is_stale(const stn_view *view)
{
    return view->owner &&
           (uint32_t)(atomic_load_explicit(&view->owner->state, memory_order_relaxed) >> 32) !=
               view->life;
}

/* A few comparisons, which all that operations take passes, but views without data. */
static inline int stn_view_is_sound(const stn_view *view)
{
    return view && view->size == sizeof *view && view->data &&
           (uint32_t)view->rank <= STN_MAX_RANK &&
           ((uint32_t)view->storage.format < STN_BUILTIN_FORMATS ||
            stn_format_entry_of(view->storage.format)) &&
           !stn_view_is_stale(view);
}

/* STN_ERR_ARGUMENT naming a view whose handle has been given back. */
stn_status stn_view_refuse_released(const char *call, const stn_view *view);

/* The same question about any other view, and what is wrong with it. `argument` is its name, of
 * which messages have the last member. */
stn_status stn_view_look(const char *call, const char *argument, const stn_view *view);

/* STN_ERR_ARGUMENT if a view is NULL, not initialized, a handle that has been released, of an
 * invalid rank, or has elements but no data; STN_ERR_FORMAT if its format is unknown. A view of
 * nothing passes. */
static inline stn_status stn_view_check_argument(const char *call, const char *argument,
                                                 const stn_view *view)
{
    return stn_view_is_sound(view) ? STN_OK : stn_view_look(call, argument, view);
}

/* The same of a parameter, whose name messages have. */
#define stn_view_check(call, view) stn_view_check_argument(call, #view, view)

/* STN_ERR_RANGE for an element outside of the band of a matrix, which is not to be written. */
stn_status stn_view_expect_stored(const char *call, const stn_view *view, const int64_t *indices);

/* STN_ERR_SHAPE unless the view has this rank; the errors of stn_view_check, and STN_ERR_ARGUMENT
 * for a view of nothing. */
stn_status stn_view_expect_argument(const char *call, const char *argument, const stn_view *view,
                                    int rank);
#define stn_view_expect(call, view, rank) stn_view_expect_argument(call, #view, view, rank)

/* STN_ERR_UNSUPPORTED for an atomic view, and for memory that the executor (NULL: the calling
 * thread) does not reach. */
stn_status stn_view_expect_usable(const char *call, const stn_exec *exec, const stn_view *view);

/* The same, and unless the view is strided; and unless it is under one scale, too. */
stn_status stn_view_expect_strided(const char *call, const stn_exec *exec, const stn_view *view);
stn_status stn_view_expect_plain(const char *call, const stn_exec *exec, const stn_view *view);

/* STN_ERR_UNSUPPORTED when the executor (NULL: the calling thread) cannot reach the memory. Waits
 * until the host may access it (stn_view_settle): every operation of the host calls this function
 * before it reads or writes elements. */
stn_status stn_view_expect_reached(const char *call, const stn_exec *exec, const stn_view *view);

/* Wait for queued work of devices that uses what the host reads or writes in an operation of this
 * executor: elements, unless it is a device, and scales. STN_ERR_DEVICE when the work has failed;
 * STN_ERR_UNSUPPORTED for managed memory while a device works that does not permit access to it,
 * and while that work is being captured. */
stn_status stn_view_settle(const char *call, const stn_exec *exec, const stn_view *view);

/* STN_ERR_ARGUMENT when the view may not be written. */
stn_status stn_view_writable(const char *call, const stn_view *view);

/* The checks of stn_view_offset. */
stn_status stn_view_expect_indices(const char *call, const stn_view *view, int count,
                                   const int64_t *indices);

/* The address of an element that the host may access: errors of stn_view_address. */
stn_status stn_view_locate(const char *call, const stn_view *view, int count,
                           const int64_t *indices, void **address);

/* How long a stride is. Where there are no elements to go to it may be any, also the least number
 * there is. */
static inline uint64_t stn_stride_length(int64_t stride)
{
    return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
}

static inline int stn_view_is_nothing(const stn_view *view)
{
    return view->size == 0;
}

/* Copying and clearing in parts lets compilers use straight stores instead of a string
 * instruction, which takes longer to start than to run. */
enum { STN_VIEW_PART = sizeof(stn_view) / 4 };

/* *to becomes *from, for another handle or a part. */
static inline void stn_view_copy_handle(stn_view *to, const stn_view *from)
{
    for (size_t at = 0; at < 4 * STN_VIEW_PART; at += STN_VIEW_PART)
        memcpy((char *)to + at, (const char *)from + at, STN_VIEW_PART);
}

/* *view becomes a view of nothing. */
static inline void stn_view_clear(stn_view *view)
{
    for (size_t at = 0; at < 4 * STN_VIEW_PART; at += STN_VIEW_PART)
        memset((char *)view + at, 0, STN_VIEW_PART);
}

static inline int stn_view_is_read_only(const stn_view *view)
{
    return view->read_only || (view->traits & STN_TRAIT_RANDOM_ACCESS);
}

/* Is the first element at a multiple of 64 bytes? */
int stn_view_is_aligned(const stn_view *view);

/* Lowest and highest offset of an element of a strided view. 0 when 64 bits do not hold them. */
int stn_view_reach(const stn_view *view, int64_t *lowest, int64_t *highest);

/* Has every element of these strides a place of its own? Exact, but for strides that take more than
 * a million steps to tell: those are said to repeat. */
int stn_strides_are_unique(int rank, const int64_t *extents, const int64_t *strides);

/* Put the call and the view before the error at hand. */
stn_status stn_view_error_prefix(const char *call, const stn_view *view, stn_status status);

/* "x (f16, 3 x 4)" for messages, "x (f16, 3 x 4, device)" where it is not on the host. The text
 * lasts until the fourth next call on this thread. */
const char *stn_view_text(const stn_view *view);

#endif
