/* Events: what the library allocates, frees, copies, fills and runs, told to a hook. */
#ifndef STENO_EVENT_H
#define STENO_EVENT_H

#include "steno/status.h"

STN_BEGIN_DECLS

typedef enum stn_event_kind {
    STN_EVENT_ALLOCATE = 0,
    STN_EVENT_FREE = 1,
    STN_EVENT_COPY_BEGIN = 2,
    STN_EVENT_COPY_END = 3,
    STN_EVENT_KERNEL_BEGIN = 4, /* also what fills and initialises */
    STN_EVENT_KERNEL_END = 5,
    STN_EVENT_RESIZE_BEGIN = 6,
    STN_EVENT_RESIZE_END = 7
} stn_event_kind;

/* One event. Texts last as long as the call of the hook. */
typedef struct stn_event {
    size_t size; /* of this struct */
    stn_event_kind kind;
    const char *label; /* of the view, of the copy's target, or the name of the kernel */
    const char *space; /* such as "host" */
    const void *data;
    uint64_t bytes;
    const char *from_label, *from_space; /* of a copy */
    const void *from_data;
    uint64_t id; /* of a kernel: the same at its begin and end */
} stn_event;

typedef void stn_event_hook(const stn_event *event, void *context);

/* Tell `hook` of every event from now on, on the thread where it happens; NULL for nobody. The hook
 * must not call what it is told of. */
STN_API void stn_event_set_hook(stn_event_hook *hook, void *context);

STN_END_DECLS

#endif
