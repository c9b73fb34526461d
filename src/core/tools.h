/* Tool libraries of the Kokkos Tools interface, named by STENO_TOOLS_LIBS. */
#ifndef STENO_CORE_TOOLS_H
#define STENO_CORE_TOOLS_H

#include "core/status.h"
#include "steno/event.h"

/* Loads them once per process; returns their number. */
int stn_tools_load(void);

/* STN_ERR_IO, once, if a library could not be loaded; later calls ignore
 * it. */
stn_status stn_tools_check(void);

/* Reports the events for which the interface has a function. */
void stn_tools_event(const stn_event *event);

#endif
