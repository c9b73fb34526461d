/* Programs that commands run, and their temporary folder. */
#define _GNU_SOURCE
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/memory.h"

extern char **environ;

/* ---- programs ---- */

static int spawn(pid_t *child, const char *const *arguments, const char *output)
{
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error =
            posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&files, 1, 2);
    if (error == 0) /* the prototype predates const; the words are not modified */
        error = posix_spawnp(child, arguments[0], &files, NULL, (char *const *)(uintptr_t)arguments,
                             environ);
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

stn_status process_run(const char *const *arguments, const char *output, int *result)
{
    pid_t child, ended;
    int status = 0;
    const int error = spawn(&child, arguments, output);
    *result = PROCESS_MISSING;
    if (error == ENOENT || error == EACCES || error == ENOTDIR)
        return STN_OK;
    if (error != 0)
        return stn_fail(STN_ERR_IO, "%s cannot be started: %s", arguments[0], strerror(error));
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        return stn_fail(STN_ERR_IO, "the exit status of %s is unknown: %s", arguments[0],
                        strerror(errno));
    *result = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return STN_OK;
}

/* ---- files ---- */

stn_status process_folder_create(process_folder *folder)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    const int length = snprintf(folder->path, sizeof folder->path, "%s/steno-XXXXXX", parent);
    if (length >= (int)sizeof folder->path || !mkdtemp(folder->path))
        return stn_fail(STN_ERR_IO, "cannot create a folder in %.300s: %s", parent,
                        strerror(length >= (int)sizeof folder->path ? ENAMETOOLONG : errno));
    return STN_OK;
}

void process_folder_remove(const process_folder *folder)
{
    char path[PROCESS_PATH];
    DIR *const open = opendir(folder->path);
    const struct dirent *entry;
    while (open && (entry = readdir(open)) != NULL) {
        if (strlen(entry->d_name) < PROCESS_PATH - sizeof folder->path) {
            process_path(folder, entry->d_name, path);
            (void)unlink(path);
        }
    }
    if (open)
        closedir(open);
    (void)rmdir(folder->path);
}

void process_path(const process_folder *folder, const char *name, char path[PROCESS_PATH])
{
    snprintf(path, PROCESS_PATH, "%s/%.60s", folder->path, name);
}

stn_status process_write(const process_folder *folder, const char *name, const char *text)
{
    char path[PROCESS_PATH];
    process_path(folder, name, path);
    FILE *const file = fopen(path, "we");
    if (!file)
        return stn_fail(STN_ERR_IO, "%s cannot be written: %s", path, strerror(errno));
    const int failed = fputs(text, file) == EOF;
    if (fclose(file) != 0 || failed)
        return stn_fail(STN_ERR_IO, "%s cannot be written", path);
    return STN_OK;
}

stn_status process_read(const char *path, char **text)
{
    struct stat info;
    *text = NULL;
    FILE *const file = fopen(path, "re");
    if (!file || fstat(fileno(file), &info) != 0) {
        if (file)
            fclose(file);
        return stn_fail(STN_ERR_IO, "%s cannot be read: %s", path, strerror(errno));
    }
    stn_status status = stn_allocate(text, (int64_t)info.st_size + 1, 1, path);
    if (status == STN_OK)
        (*text)[fread(*text, 1, (size_t)info.st_size, file)] = '\0';
    fclose(file);
    return status;
}
