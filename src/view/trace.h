/* Events of views and of the kernels that write them. */
#ifndef STENO_VIEW_TRACE_H
#define STENO_VIEW_TRACE_H

#include "core/event.h"
#include "view/view.h"

/* Label, space, and bytes of the elements; data is the view's. */
stn_event_data stn_view_trace(const stn_view *view);

/* Slow paths of the functions below, used when an event callback is set; not inlined into kernels.
 */
uint64_t stn_trace_begin_now(const char *kernel, const stn_view *output);
void stn_trace_end_now(const char *kernel, const stn_view *output, uint64_t id);

/* Beginning of a kernel that writes `output`. Returns the id for stn_trace_end; 0 if no callback
 * is set. */
static inline uint64_t stn_trace_begin(const char *kernel, const stn_view *output)
{
    return stn_event_is_traced() ? stn_trace_begin_now(kernel, output) : 0;
}

static inline void stn_trace_end(const char *kernel, const stn_view *output, uint64_t id)
{
    if (id)
        stn_trace_end_now(kernel, output, id);
}

#endif
