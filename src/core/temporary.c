/* See temporary.h. */
#define _GNU_SOURCE
#include "core/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

enum { ATTEMPTS = 100, NAME = 64 };

const char *stn_tail_of(const char *path)
{
    const size_t length = strlen(path), kept = 255;
    return length > kept ? path + length - kept : path;
}

static stn_status failed(const stn_temporary *file, const char *what)
{
    return stn_fail(STN_ERR_IO, "%s: %s: %s", stn_tail_of(file->target), what, strerror(errno));
}

/* ---- names ---- */

static size_t folder_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

static stn_status set_names(stn_temporary *file, const char *path)
{
    const size_t length = strlen(path) + 1, folder = folder_of(path);
    STN_TRY(stn_allocate(&file->target, (int64_t)length, 1, "path of a file"));
    memcpy(file->target, path, length);
    STN_TRY(stn_allocate(&file->name, (int64_t)folder + NAME, 1, "name of a temporary file"));
    memcpy(file->name, path, folder);
    return STN_OK;
}

static void next_name(stn_temporary *file)
{
    static atomic_uint serial;
    snprintf(file->name + folder_of(file->target), NAME, ".steno-%ld-%u.part", (long)getpid(),
             atomic_fetch_add(&serial, 1));
}

/* ---- opening ---- */

/* A file without a name gets one by a link to its descriptor in /proc. */
static int open_without_name(stn_temporary *file)
{
#ifdef O_TMPFILE
    const size_t folder = folder_of(file->target);
    memcpy(file->name + folder, ".", 2);
    if (access("/proc/self/fd", X_OK) == 0)
        file->descriptor = open(file->name, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
#endif
    return file->descriptor >= 0;
}

static stn_status open_named(stn_temporary *file)
{
    for (int attempt = 0; attempt < ATTEMPTS && file->descriptor < 0; attempt++) {
        next_name(file);
        file->descriptor = open(file->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->descriptor < 0 && errno != EEXIST)
            break;
    }
    file->has_name = file->descriptor >= 0;
    return file->has_name ? STN_OK : failed(file, "cannot be created");
}

stn_status stn_temporary_begin(stn_temporary *file, const char *path)
{
    struct stat about;
    *file = (stn_temporary){.descriptor = -1};
    const int exists = stat(path, &about) == 0;
    if (exists && !S_ISREG(about.st_mode))
        return stn_fail(STN_ERR_ARGUMENT, "%s: exists and is not a regular file",
                        stn_tail_of(path));
    char *const resolved = exists ? realpath(path, NULL) : NULL;
    const stn_status status = set_names(file, resolved ? resolved : path);
    free(resolved);
    STN_TRY(status);
    if (!open_without_name(file))
        STN_TRY(open_named(file));
    if (exists && fchmod(file->descriptor, about.st_mode & 0777) != 0)
        return failed(file, "cannot copy the permissions of the existing file");
    return STN_OK;
}

/* ---- writing ---- */

stn_status stn_temporary_write(stn_temporary *file, const void *bytes, size_t count)
{
    const char *at = bytes;
    while (count > 0) {
        const ssize_t written = write(file->descriptor, at, count);
        if (written < 0 && errno != EINTR)
            return failed(file, "cannot be written");
        if (written > 0) {
            at += written;
            count -= (size_t)written;
        }
    }
    return STN_OK;
}

/* Links do not replace files, so the file gets a temporary name first. */
static int give_name(stn_temporary *file)
{
    char descriptor[NAME];
    snprintf(descriptor, sizeof descriptor, "/proc/self/fd/%d", file->descriptor);
    for (int attempt = 0; attempt < ATTEMPTS && !file->has_name; attempt++) {
        next_name(file);
        file->has_name = linkat(AT_FDCWD, descriptor, AT_FDCWD, file->name, AT_SYMLINK_FOLLOW) == 0;
        if (!file->has_name && errno != EEXIST)
            break;
    }
    return file->has_name;
}

stn_status stn_temporary_commit(stn_temporary *file)
{
    if (fsync(file->descriptor) != 0)
        return failed(file, "cannot be written");
    if ((!file->has_name && !give_name(file)) || rename(file->name, file->target) != 0)
        return failed(file, "cannot be renamed");
    file->has_name = 0;
    const int closed = close(file->descriptor);
    file->descriptor = -1;
    return closed == 0 ? STN_OK : failed(file, "cannot be written");
}

void stn_temporary_discard(stn_temporary *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->has_name)
        unlink(file->name);
    stn_free(file->target);
    stn_free(file->name);
    *file = (stn_temporary){.descriptor = -1};
}
