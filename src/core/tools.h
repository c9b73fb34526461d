/* Tool libraries of the Kokkos Tools interface, named by the environment's STENO_TOOLS_LIBS. */
#ifndef STENO_CORE_TOOLS_H
#define STENO_CORE_TOOLS_H

#include "core/status.h"
#include "steno/event.h"

/* Load them, once in the life of the process; returns how many there are. */
int stn_tools_load(void);

/* STN_ERR_IO, once, when a library could not be loaded; from then on it is as if it had not been
 * named. */
stn_status stn_tools_check(void);

/* The events that the interface has a function for. */
void stn_tools_event(const stn_event *event);

#endif
