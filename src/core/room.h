/* How much memory there is to allocate. */
#ifndef STENO_CORE_ROOM_H
#define STENO_CORE_ROOM_H

#include "core/status.h"

/* Bytes that a process can have before others, or it, are stopped: what the system calls available,
 * or the limit of its group where that is less. */
STN_PRIVATE_API double stn_room(void);

/* For tests: as if there were so many; a negative number turns this off. */
void stn_pretend_room(double bytes);

#endif
