/* See temporary.h. */
#define _POSIX_C_SOURCE 200809L
#include "core/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"

const char *stn_tail_of(const char *path)
{
    const size_t length = strlen(path), kept = 255;
    return length > kept ? path + length - kept : path;
}

stn_status stn_temporary_create(const char *path, char **name, int *descriptor)
{
    static atomic_uint serial;
    enum { ATTEMPTS = 100, NAME = 64 };
    const char *const slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    STN_TRY(stn_allocate(name, (int64_t)folder + NAME, 1, "name of a temporary file"));
    memcpy(*name, path, folder);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(*name + folder, NAME, ".steno-%ld-%u.part", (long)getpid(),
                 atomic_fetch_add(&serial, 1));
        *descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*descriptor >= 0)
            return STN_OK;
        if (errno != EEXIST)
            break;
    }
    const int error = errno;
    stn_free(*name);
    *name = NULL;
    return stn_fail(STN_ERR_IO, "%s: cannot be created: %s", stn_tail_of(path), strerror(error));
}
