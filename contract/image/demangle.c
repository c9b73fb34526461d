/* Demangles C++ names by the system's c++filt, without a shell. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contract/isa/code.h"
#include "core/memory.h"

extern char **environ;

/* Longer names stay mangled, and longer results are truncated. */
enum { MAX_MANGLED = 2048, MAX_PLAIN = 4096 };

static int is_mangled(const stn_symbol *symbol)
{
    return strncmp(symbol->symbol, "_Z", 2) == 0 &&
           strnlen(symbol->symbol, MAX_MANGLED) < MAX_MANGLED && !strchr(symbol->symbol, '\n');
}

/* A file in memory with one mangled name per line; NULL if there is none or it cannot be
 * created. */
static FILE *write_mangled(const stn_image *image)
{
    FILE *names = NULL;
    for (int32_t f = 0; f < image->count; f++) {
        if (!is_mangled(image->symbols + f))
            continue;
        if (!names) {
            const int file = memfd_create("names", MFD_CLOEXEC);
            names = file < 0 ? NULL : fdopen(file, "w+");
            if (!names) {
                if (file >= 0)
                    close(file);
                return NULL;
            }
        }
        fputs(image->symbols[f].symbol, names);
        fputc('\n', names);
    }
    if (names && (fflush(names) != 0 || lseek(fileno(names), 0, SEEK_SET) != 0)) {
        fclose(names);
        return NULL;
    }
    return names;
}

/* Runs c++filt with the names as standard input and a new file in memory as output. Returns its
 * descriptor, -1 on failure. */
static int filter(FILE *names)
{
    static char tool[] = "c++filt";
    char *const arguments[] = {tool, NULL};
    posix_spawn_file_actions_t actions;
    pid_t process;
    int result = 0;
    const int output = memfd_create("plain", MFD_CLOEXEC);
    if (output < 0 || posix_spawn_file_actions_init(&actions) != 0) {
        if (output >= 0)
            close(output);
        return -1;
    }
    int error = posix_spawn_file_actions_adddup2(&actions, fileno(names), 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!error && waitpid(process, &result, 0) < 0 && errno == EINTR)
        ;
    if (!error && WIFEXITED(result) && WEXITSTATUS(result) == 0 && lseek(output, 0, SEEK_SET) == 0)
        return output;
    close(output);
    return -1;
}

/* The next line without its line end, truncated to the buffer; 0 at the end. */
static int read_line(FILE *file, char line[MAX_PLAIN])
{
    if (!fgets(line, MAX_PLAIN, file))
        return 0;
    char *const end = strchr(line, '\n');
    int character = 0;
    if (end)
        *end = '\0';
    while (!end && character != '\n' && character != EOF)
        character = getc(file);
    return 1;
}

/* The number of bytes of all lines, including their terminators. */
static int64_t measure(FILE *plain)
{
    char line[MAX_PLAIN];
    int64_t bytes = 0;
    while (read_line(plain, line))
        bytes += (int64_t)strlen(line) + 1;
    rewind(plain);
    return bytes;
}

static stn_status set_names(stn_image *image, FILE *plain)
{
    char line[MAX_PLAIN];
    STN_TRY(stn_allocate(&image->names, measure(plain), 1, "names of functions"));
    char *to = image->names;
    for (int32_t f = 0; f < image->count; f++) {
        if (!is_mangled(image->symbols + f))
            continue;
        if (!read_line(plain, line))
            break;
        const size_t length = strlen(line) + 1;
        memcpy(to, line, length);
        image->symbols[f].name = to;
        to += length;
    }
    return STN_OK;
}

stn_status stn_image_demangle(stn_image *image)
{
    FILE *names = write_mangled(image);
    if (!names)
        return STN_OK;
    const int output = filter(names);
    fclose(names);
    FILE *plain = output < 0 ? NULL : fdopen(output, "r");
    if (!plain) {
        if (output >= 0)
            close(output);
        return STN_OK;
    }
    const stn_status status = set_names(image, plain);
    fclose(plain);
    return status;
}
