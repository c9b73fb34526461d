/* Files that are written completely or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "output.h"

#include <errno.h>
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

static int is_standard(const output_file *output)
{
    return strcmp(output->path, "-") == 0;
}

static stn_status prefixed(stn_status status)
{
    enum { TEXT = 512 };
    char text[TEXT];
    if (status == STN_OK)
        return STN_OK;
    snprintf(text, sizeof text, "%s", stn_error());
    return stn_fail(status, "cannot write %s", text);
}

stn_status output_begin(output_file *output, const char *path)
{
    *output = (output_file){.path = path, .file.descriptor = -1};
    return is_standard(output) ? STN_OK : prefixed(stn_temporary_begin(&output->file, path));
}

stn_status output_append(output_file *output, const void *bytes, size_t count)
{
    if (!is_standard(output))
        return prefixed(stn_temporary_write(&output->file, bytes, count));
    fwrite(bytes, 1, count, stdout); /* main checks for errors */
    return STN_OK;
}

stn_status output_end(output_file *output, stn_status status)
{
    if (status == STN_OK && !is_standard(output))
        status = prefixed(stn_temporary_commit(&output->file));
    stn_temporary_discard(&output->file);
    return status;
}

stn_status output_write(const char *path, const char *text, size_t length)
{
    output_file output;
    stn_status status = output_begin(&output, path);
    if (status == STN_OK)
        status = output_append(&output, text, length);
    return output_end(&output, status);
}
