/* What hooks and tools are told of views and of the kernels that write them. */
#ifndef STENO_VIEW_TOLD_H
#define STENO_VIEW_TOLD_H

#include "core/event.h"
#include "view/view.h"

/* Label, space and bytes of the elements; data is the view's. */
stn_event_data stn_view_told(const stn_view *view);

/* The two below when somebody listens: out of the way of kernels that nobody hears. */
uint64_t stn_told_begins_heard(const char *kernel, const stn_view *output);
void stn_told_ends_heard(const char *kernel, const stn_view *output, uint64_t id);

/* A kernel that writes `output` begins; returns the id for its end, 0 when nobody listens. */
static inline uint64_t stn_told_begins(const char *kernel, const stn_view *output)
{
    return stn_event_heard() ? stn_told_begins_heard(kernel, output) : 0;
}

static inline void stn_told_ends(const char *kernel, const stn_view *output, uint64_t id)
{
    if (id)
        stn_told_ends_heard(kernel, output, id);
}

#endif
