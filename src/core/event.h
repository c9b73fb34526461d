/* Events inside the library, for the program's hook and the tool library, if there are any. */
#ifndef STENO_CORE_EVENT_H
#define STENO_CORE_EVENT_H

#include <stdatomic.h>

#include "core/status.h"
#include "steno/event.h"

/* What a view is to a hook. */
typedef struct stn_event_data {
    const char *label, *space;
    const void *data;
    uint64_t bytes;
} stn_event_data;

/* Who listens, as bits. Not 0 until the environment has been asked. */
extern _Atomic unsigned stn_event_listeners;

/* The same when it has been. */
int stn_event_ask(void);

/* Is anybody listening? A load and a branch. */
static inline int stn_event_is_traced(void)
{
    return atomic_load_explicit(&stn_event_listeners, memory_order_relaxed) != 0 && stn_event_ask();
}

/* STN_ERR_IO, once, when a tool library that the environment names cannot be used. */
stn_status stn_event_check_tools(void);

void stn_event_allocated(stn_event_data what);
void stn_event_freed(stn_event_data what);
void stn_event_copy_begins(stn_event_data to, stn_event_data from);
void stn_event_copy_ends(stn_event_data to, stn_event_data from);
void stn_event_resize_begins(stn_event_data what);
void stn_event_resize_ends(stn_event_data what);

/* A kernel is compiled, for the executor of this name. */
void stn_event_compiles(const char *kernel, const char *executor);

/* Something takes more time than it could, and changes no result (printf rules). */
__attribute__((format(printf, 2, 3))) void stn_event_note(const char *kernel, const char *words,
                                                          ...);

/* The id that belongs to stn_event_kernel_ends. */
uint64_t stn_event_kernel_begins(const char *name, stn_event_data what);
void stn_event_kernel_ends(const char *name, stn_event_data what, uint64_t id);

#endif
