/* Internal events for the program's hook and the tool library. */
#ifndef STENO_CORE_EVENT_H
#define STENO_CORE_EVENT_H

#include <stdatomic.h>

#include "core/status.h"
#include "steno/event.h"

/* Description of a view for hooks. */
typedef struct stn_event_data {
    const char *label, *space;
    const void *data;
    uint64_t bytes;
} stn_event_data;

/* Listeners as bits; nonzero until the environment has been read. */
extern _Atomic unsigned stn_event_listeners;

/* The same after it has been read. */
int stn_event_read_environment(void);

/* Are there listeners? A load and a branch. */
static inline int stn_event_is_traced(void)
{
    return atomic_load_explicit(&stn_event_listeners, memory_order_relaxed) != 0 &&
           stn_event_read_environment();
}

/* STN_ERR_IO, once, if a tool library named by the environment cannot be used. */
stn_status stn_event_check_tools(void);

void stn_event_allocated(stn_event_data what);
void stn_event_freed(stn_event_data what);
void stn_event_copy_begins(stn_event_data to, stn_event_data from);
void stn_event_copy_ends(stn_event_data to, stn_event_data from);
void stn_event_resize_begins(stn_event_data what);
void stn_event_resize_ends(stn_event_data what);

/* A kernel is compiled for the executor with this name. */
void stn_event_compiles(const char *kernel, const char *executor);

/* Something is slower than necessary, without changing results (printf rules). */
__attribute__((format(printf, 2, 3))) void stn_event_note(const char *kernel,
                                                          const char *message_format, ...);

/* Returns the id for stn_event_kernel_ends. */
uint64_t stn_event_kernel_begins(const char *name, stn_event_data what);
void stn_event_kernel_ends(const char *name, stn_event_data what, uint64_t id);

#endif
