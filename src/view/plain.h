/* The one test for plain operands. */
#ifndef STENO_VIEW_PLAIN_H
#define STENO_VIEW_PLAIN_H

#include "exec/exec.h"
#include "format/run.h"
#include "view/view.h"

/* Are the elements of a valid view codes of a built-in format, without scale, zero point, rules of
 * rounding and overflow, and counters? The view may have any layout. */
static inline int stn_view_has_plain_elements(const stn_view *view)
{
    return stn_storage_is_plain(&view->storage) && !view->storage.counters &&
           (uint32_t)view->storage.format < STN_BUILTIN_FORMATS && !stn_view_has_scales(view);
}

/* The same at strides. */
static inline int stn_view_is_plain(const stn_view *view)
{
    return stn_view_has_plain_elements(view) && !stn_view_mapping(view);
}

/* The same for values of the arithmetic type. */
static inline int stn_view_is_of_values(const stn_view *view, stn_format arithmetic)
{
    return view->storage.format == arithmetic && stn_view_is_plain(view);
}

/* Can operations run on this executor's threads on the host without further checks? */
static inline int stn_exec_is_ready(const stn_exec *exec)
{
    return stn_exec_has_loops(exec) && exec->alive == STN_EXEC_ALIVE &&
           !stn_exec_lost_threads(exec);
}

/* Can the calling thread use the memory of any plain view without further checks? */
static inline int stn_view_is_at_hand(const stn_view *view)
{
    return stn_view_is_sound(view) && view->space == STN_SPACE_HOST &&
           !(view->traits & STN_TRAIT_ATOMIC) && stn_view_is_plain(view);
}

/* The memory that the elements of a strided view span; extents are not 0. */
typedef struct stn_memory_span {
    uintptr_t begin, end;
} stn_memory_span;

static inline stn_memory_span stn_view_memory(const stn_view *view)
{
    const int64_t bytes = stn_format_entry_of(view->storage.format)->info.bytes;
    int64_t below = 0, above = 0;
    for (int d = 0; d < view->rank; d++) {
        const int64_t reach = (view->extent[d] - 1) * view->stride[d];
        below += reach < 0 ? reach : 0;
        above += reach > 0 ? reach : 0;
    }
    const uintptr_t first = (uintptr_t)view->data;
    return (stn_memory_span){first + (uintptr_t)(below * bytes),
                             first + (uintptr_t)((above + 1) * bytes)};
}

static inline int stn_memory_is_shared(stn_memory_span one, stn_memory_span other)
{
    return one.begin < other.end && other.begin < one.end;
}

#endif
