/* Available memory. */
#ifndef STENO_CORE_AVAILABLE_H
#define STENO_CORE_AVAILABLE_H

#include "core/status.h"

/* Bytes that a process can allocate before processes are killed: the available memory of the
 * system, or the limit of the control group if it is less. */
STN_PRIVATE_API double stn_available_memory(void);

/* STN_ERR_MEMORY, with both numbers, if an allocation of this size that will be written exceeds
 * the available memory: systems grant it and kill the process later. Small sizes are not
 * checked. */
stn_status stn_memory_expect(const char *what, int64_t bytes);

/* The number after `key` in a file, in units of `unit` bytes; negative if it is missing. An
 * empty key selects the file's first word. */
STN_PRIVATE_API double stn_read_number(const char *path, const char *key, double unit);

/* For tests: pretends this number of available bytes; a negative number turns this off. */
void stn_memory_pretend(double bytes);

#endif
