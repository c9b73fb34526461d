/* Files that are written completely or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static stn_status cannot_write(const char *path, const char *why)
{
    return stn_fail(STN_ERR_IO, "cannot write %s: %s", path, why);
}

/* Renaming a temporary file requires permission for the folder, not for the file. */
static stn_status check_folder(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        return stn_fail(STN_ERR_MEMORY, "no memory for a path");
    const int failed = access(dirname(copy), W_OK | X_OK) != 0;
    const int error = errno;
    free(copy);
    return failed ? cannot_write(path, strerror(error)) : STN_OK;
}

stn_status output_check(const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0)
        return STN_OK;
    if (*path == '\0')
        return stn_fail(STN_ERR_ARGUMENT, "the name of an output file is empty");
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return cannot_write(path, "it is not a regular file");
    return check_folder(path);
}

stn_status output_take(const char **file, const char *path)
{
    *file = path;
    return output_check(path);
}

static stn_status write_all(int file, const char *path, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return cannot_write(path, strerror(errno));
        text += written;
        length -= (size_t)written;
    }
    return fsync(file) == 0 ? STN_OK : cannot_write(path, strerror(errno));
}

static stn_status write_and_rename(const char *path, const char *temporary, const char *text,
                                   size_t length)
{
    const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return cannot_write(path, strerror(errno));
    stn_status status = write_all(file, path, text, length);
    if (close(file) != 0 && status == STN_OK)
        status = cannot_write(path, strerror(errno));
    if (status == STN_OK && rename(temporary, path) != 0)
        status = cannot_write(path, strerror(errno));
    if (status != STN_OK)
        unlink(temporary);
    return status;
}

stn_status output_write(const char *path, const char *text, size_t length)
{
    if (strcmp(path, "-") == 0) {
        fwrite(text, 1, length, stdout); /* main checks for errors */
        return STN_OK;
    }
    const size_t capacity = strlen(path) + 32;
    char *temporary = malloc(capacity);
    if (!temporary)
        return stn_fail(STN_ERR_MEMORY, "no memory for a path");
    snprintf(temporary, capacity, "%s.%ld.part", path, (long)getpid());
    const stn_status status = write_and_rename(path, temporary, text, length);
    free(temporary);
    return status;
}
