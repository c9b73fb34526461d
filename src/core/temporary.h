/* Files that appear at their path completely or not at all: they are written without a name, or
 * under a temporary name in the same folder where the file system requires one, and renamed. */
#ifndef STENO_CORE_TEMPORARY_H
#define STENO_CORE_TEMPORARY_H

#include <stddef.h>

#include "core/status.h"

/* The tail of a path, short enough for a message. */
STN_PRIVATE_API const char *stn_tail_of(const char *path);

typedef struct stn_temporary {
    char *target;   /* the path; of a symbolic link, the file it refers to */
    char *name;     /* in the folder of the target */
    int has_name;   /* else the file vanishes when it is closed, even by a signal */
    int descriptor; /* -1: none */
} stn_temporary;

/* Begins a file. The path must not exist or be a regular file, whose permissions are kept, or a
 * symbolic link to one. End with stn_temporary_discard, even after an error. STN_ERR_ARGUMENT,
 * STN_ERR_IO, STN_ERR_MEMORY. */
STN_PRIVATE_API stn_status stn_temporary_begin(stn_temporary *file, const char *path);

/* Appends bytes. STN_ERR_IO. */
STN_PRIVATE_API stn_status stn_temporary_write(stn_temporary *file, const void *bytes,
                                               size_t count);

/* Replaces the target once the bytes are on the disk. STN_ERR_IO. */
STN_PRIVATE_API stn_status stn_temporary_commit(stn_temporary *file);

/* Releases everything. Without a commit, the target is unchanged and no other file remains. */
STN_PRIVATE_API void stn_temporary_discard(stn_temporary *file);

#endif
