/* Files that appear at their path completely or not at all: they are written under a temporary name
 * in the same folder and renamed. */
#ifndef STENO_CORE_TEMPORARY_H
#define STENO_CORE_TEMPORARY_H

#include "core/status.h"

/* The tail of a path, short enough for a message. */
STN_PRIVATE_API const char *stn_tail_of(const char *path);

/* Creates and opens a file with an unused name in the folder of `path`. *name is its path, to be
 * released with stn_free; NULL on error. STN_ERR_IO, STN_ERR_MEMORY. */
STN_PRIVATE_API stn_status stn_temporary_create(const char *path, char **name, int *descriptor);

#endif
