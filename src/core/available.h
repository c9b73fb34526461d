/* How much memory there is to allocate. */
#ifndef STENO_CORE_AVAILABLE_H
#define STENO_CORE_AVAILABLE_H

#include "core/status.h"

/* Bytes that a process can have before others, or it, are stopped: what the system calls available,
 * or the limit of its group where that is less. */
STN_PRIVATE_API double stn_available_memory(void);

/* STN_ERR_MEMORY, with both numbers, if an allocation of so many bytes, all of which will be
 * written, exceeds that: the system grants it, and stops the process later. Small ones are not
 * checked. */
stn_status stn_memory_expect(const char *what, int64_t bytes);

/* The number behind `key` in a file of numbers, in units of `unit` bytes; a negative number when
 * there is none. An empty key means the file's first word. */
STN_PRIVATE_API double stn_read_number(const char *path, const char *key, double unit);

/* For tests: as if there were so many; a negative number turns this off. */
void stn_memory_pretend(double bytes);

#endif
