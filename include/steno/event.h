/* Events: what the library allocates, frees, copies, fills, runs and compiles, for a hook of the
 * program and to tool libraries.
 *
 * Tool libraries are those of the Kokkos Tools interface (functions kokkosp_...). The environment
 * variable STENO_TOOLS_LIBS names up to four, as dlopen finds them, with colons between. They are
 * loaded at the first event or stn_exec_create, called where the interface has functions, and
 * finalised when the process exits. One that cannot be used makes the next stn_exec_create fail,
 * once, with STN_ERR_IO; from then on it is as if it had not been named. */
#ifndef STENO_EVENT_H
#define STENO_EVENT_H

#include "steno/detail/macro_check.h"
#include "steno/status.h"

STN_BEGIN_DECLS

typedef enum stn_event_kind {
    STN_EVENT_ALLOCATE = 0,
    STN_EVENT_FREE = 1,
    STN_EVENT_COPY_BEGIN = 2,
    STN_EVENT_COPY_END = 3,
    STN_EVENT_KERNEL_BEGIN = 4, /* blas and spmv, kernels, reductions, scans, fills, zeroing */
    STN_EVENT_KERNEL_END = 5,
    STN_EVENT_RESIZE_BEGIN = 6,
    STN_EVENT_RESIZE_END = 7,
    STN_EVENT_COMPILE = 8, /* a kernel, for the executor that `space` names */
    STN_EVENT_NOTE = 9     /* what takes time and changes no result: `note` says it */
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
    uint64_t id; /* of a kernel: the same at its begin and end; never 0 */
    const char
        *output;      /* of a kernel: the label of what it writes, whose data and bytes these are */
    const char *note; /* a sentence, or "" */
} stn_event;

typedef void stn_event_hook(const stn_event *event, void *context);

/* Tell `hook` of every event from now on, on the thread where it happens; NULL for nobody. The hook
 * must not call what it is called for. A hook that is replaced may still be running on another
 * thread when this returns; what began may end with nobody listening. */
STN_API void stn_event_set_hook(stn_event_hook *hook, void *context);

STN_END_DECLS

#endif
