/** @file
 * Events: allocations, copies, fills, kernels and compilations of the library, reported to a hook
 * of the program and to tool libraries.
 *
 * Tool libraries implement the Kokkos Tools interface (functions kokkosp_...). The environment
 * variable STENO_TOOLS_LIBS contains up to four, separated by colons, as dlopen finds them. They
 * are loaded at the first event or the first stn_exec_create(), called for the events that the
 * interface has functions for, and finalized when the process exits. If one of them cannot be
 * loaded, the next stn_exec_create() fails once with STN_ERR_IO; later calls ignore that library.
 */
#ifndef STENO_EVENT_H
#define STENO_EVENT_H

#include "steno/detail/macro_check.h"
#include "steno/status.h"

STN_BEGIN_DECLS

/** Kind of an event. Values are only appended. */
typedef enum stn_event_kind {
    STN_EVENT_ALLOCATE = 0,     /**< memory of a view was allocated */
    STN_EVENT_FREE = 1,         /**< memory of a view is released */
    STN_EVENT_COPY_BEGIN = 2,   /**< a copy begins */
    STN_EVENT_COPY_END = 3,     /**< a copy has ended */
    STN_EVENT_KERNEL_BEGIN = 4, /**< a kernel, reduction, scan, fill, BLAS or sparse call begins */
    STN_EVENT_KERNEL_END = 5,   /**< the call has ended */
    STN_EVENT_RESIZE_BEGIN = 6, /**< a view is resized */
    STN_EVENT_RESIZE_END = 7,   /**< the view has been resized */
    STN_EVENT_COMPILE = 8,      /**< a kernel is compiled for the executor named by `space` */
    STN_EVENT_NOTE = 9          /**< `note` states why an operation takes more time than usual */
} stn_event_kind;

/** Event. Strings are valid during the call of the hook. `size` is that of the library: members
 * beyond it must not be read. */
typedef struct stn_event {
    size_t size;            /**< size of this struct in the library */
    stn_event_kind kind;    /**< kind of event */
    const char *label;      /**< label of the view or of the target of a copy; name of the kernel */
    const char *space;      /**< memory space, such as "host" */
    const void *data;       /**< address of the data */
    uint64_t bytes;         /**< number of bytes */
    const char *from_label; /**< copy: label of the source */
    const char *from_space; /**< copy: memory space of the source */
    const void *from_data;  /**< copy: address of the source */
    uint64_t id;            /**< kernel: identifies its begin and end; never 0 */
    const char *output;     /**< kernel: label of the result, which `data` and `bytes` refer to */
    const char *note;       /**< sentence, or "" */
} stn_event;

/** Function that receives an `event`, and the `context` given to stn_event_set_hook(). It must not
 * call the functions whose events it receives. */
typedef void stn_event_hook(const stn_event *event, void *context);

/** Sets the `hook` that receives all subsequent events, in the thread in which they occur, with
 * `context` as its second argument. NULL disables events.
 *
 * The previous hook may still run in another thread when the function returns, and it does not
 * receive the ends of operations whose begins it received. */
STN_API void stn_event_set_hook(stn_event_hook *hook, void *context);

STN_END_DECLS

#endif
