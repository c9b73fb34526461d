/* Compilation by the system's C compiler: a separate process, without a shell, with files in a
 * private folder. */
#define _GNU_SOURCE /* mkdtemp, posix_spawn */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/cpu.h"
#include "core/environment.h"
#include "core/memory.h"
#include "core/status.h"
#include "exec/cache.h"
#include "exec/host/host.h"

enum { MAX_PATH = 1024, MAX_WORDS = 64, DEFAULT_SECONDS = 60, MAX_SECONDS = 86400 };

extern char **environ;

/* Each operation is rounded once, as written; gcc 12 loses the rounding of neighbors that it
 * combines into a vector. Undeclared names do not belong to kernels, and GNU extensions may be
 * names of the program. */
static const char *const flags[] = {"-x",
                                    "c",
                                    "-std=c11",
                                    "-O3",
                                    "-march=native",
#ifdef __x86_64__
                                    "-mprefer-vector-width=512", /* gcc: 256 on Intel */
#endif
                                    "-fno-fast-math", /* of $CC and its defaults */
                                    "-fno-unsafe-math-optimizations",
                                    "-ffp-contract=off",
                                    "-fno-tree-slp-vectorize",
                                    "-fno-math-errno",
                                    "-fwrapv",
                                    "-fno-strict-aliasing",
                                    "-fvisibility=hidden",
                                    "-fPIC",
                                    "-shared",
                                    "-Werror=implicit-function-declaration",
                                    "-Werror=implicit-int",
                                    "-Werror=incompatible-pointer-types",
                                    "-Werror=int-conversion"};
enum { FLAGS = sizeof flags / sizeof *flags };

/* ---- the compiler ---- */

/* The words of the compiler command; the first one is replaced by the path of the program. */
typedef struct command {
    char letters[STN_DEVICE_LETTERS], file[MAX_PATH];
    char *words[MAX_WORDS];
    int count;
    int seconds; /* time limit */
} command;

static int is_program(const char *path)
{
    struct stat is;
    return stat(path, &is) == 0 && S_ISREG(is.st_mode) && access(path, X_OK) == 0;
}

/* Searches like a shell. */
static int find_program(const char *name, char path[MAX_PATH])
{
    const char *at = stn_environment_get()->path;
    if (strchr(name, '/'))
        return snprintf(path, MAX_PATH, "%s", name) < MAX_PATH && is_program(path);
    while (at && *at) {
        const int length = (int)strcspn(at, ":");
        if (length > 0 && snprintf(path, MAX_PATH, "%.*s/%s", length, at, name) < MAX_PATH &&
            is_program(path))
            return 1;
        at += length + (at[length] == ':');
    }
    return 0;
}

static stn_status find_compiler(command *c)
{
    const char *const named = stn_environment_get()->compiler;
    char *rest = c->letters;
    snprintf(c->letters, sizeof c->letters, "%s", named ? named : "cc");
    c->count = 0;
    for (char *word = strtok_r(rest, " ", &rest); word && c->count < MAX_WORDS / 2;
         word = strtok_r(NULL, " ", &rest))
        c->words[c->count++] = word;
    if (c->count == 0 || !find_program(c->words[0], c->file))
        return stn_fail(STN_ERR_DEVICE, "compiler %.200s not found", named ? named : "cc");
    c->words[0] = c->file;
    return STN_OK;
}

static stn_status find_seconds(command *c)
{
    const char *const named = stn_environment_get()->compiler_seconds;
    char *end = NULL;
    const long seconds = named ? strtol(named, &end, 10) : DEFAULT_SECONDS;
    if (seconds < 1 || seconds > MAX_SECONDS || (named && *end != '\0'))
        return stn_fail(STN_ERR_DEVICE,
                        "STENO_CC_SECONDS is %.40s; it must be an integer from 1 to %d", named,
                        MAX_SECONDS);
    c->seconds = (int)seconds;
    return STN_OK;
}

void stn_host_identify(stn_device *device, char *description, size_t capacity)
{
    command c;
    size_t at = 0;
    (void)device;
    stn_cpu_identify(description, capacity);
    at = strlen(description);
    if (find_compiler(&c) != STN_OK)
        return;
    at += (size_t)stn_cache_identify_file(c.file, description + at, capacity - at);
    for (int k = 1; k < c.count && at < capacity; k++)
        at += (size_t)snprintf(description + at, capacity - at, " %s", c.words[k]);
    for (int k = 0; k < FLAGS && at < capacity; k++)
        at += (size_t)snprintf(description + at, capacity - at, " %s", flags[k]);
}

/* ---- private folder ---- */

typedef struct folder {
    char path[MAX_PATH - 32];
    char source[MAX_PATH], object[MAX_PATH], log[MAX_PATH];
} folder;

static stn_status create_folder(folder *f)
{
    const char *const above = stn_environment_get()->temporary;
    const int length = snprintf(f->path, sizeof f->path, "%s/steno-XXXXXX", above ? above : "/tmp");
    if (length >= (int)sizeof f->path || !mkdtemp(f->path))
        return stn_fail(STN_ERR_DEVICE, "cannot create folder %.200s for the compiler: %s", f->path,
                        strerror(errno));
    snprintf(f->source, sizeof f->source, "%s/kernel.c", f->path);
    snprintf(f->object, sizeof f->object, "%s/kernel.so", f->path);
    snprintf(f->log, sizeof f->log, "%s/log", f->path);
    return STN_OK;
}

static void remove_folder(const folder *f)
{
    (void)unlink(f->source);
    (void)unlink(f->object);
    (void)unlink(f->log);
    (void)rmdir(f->path);
}

static stn_status open_object(const folder *f, const char *name, void **module)
{
    *module = dlopen(f->object, RTLD_NOW | RTLD_LOCAL);
    if (*module)
        return STN_OK;
    const char *const reason = dlerror();
    return stn_fail(STN_ERR_DEVICE, "%s: its code cannot be loaded: %.300s", name,
                    reason ? reason : "unknown reason");
}

/* ---- the text ---- */

/* The header of a line "#include "steno/..."", or -1. */
static int included(const stn_device_text *t, const char *line)
{
    static const char word[] = "#include \"";
    if (strncmp(line, word, sizeof word - 1) != 0)
        return -1;
    line += sizeof word - 1;
    for (int k = 0; k < t->headers && k < STN_DEVICE_HEADERS; k++) {
        const size_t length = strlen(t->header_names[k]);
        if (strncmp(line, t->header_names[k], length) == 0 && line[length] == '"')
            return k;
    }
    return -1;
}

/* Includes each header once, at its first use; macros of the program do not interfere. */
static void put_text(FILE *file, const stn_device_text *t, const char *text,
                     char seen[STN_DEVICE_HEADERS])
{
    while (*text) {
        const size_t length = strcspn(text, "\n") + (strchr(text, '\n') != NULL);
        const int header = included(t, text);
        if (header < 0)
            (void)fwrite(text, 1, length, file);
        else if (!seen[header]) {
            seen[header] = 1;
            put_text(file, t, t->header_texts[header], seen);
        }
        text += length;
    }
}

static stn_status write_source(const folder *f, const stn_device_text *t)
{
    char seen[STN_DEVICE_HEADERS] = {0};
    FILE *const file = fopen(f->source, "we");
    int failed = file == NULL;
    if (file) {
        stn_file_limit limit;
        stn_file_limit_hold(&limit);
        put_text(file, t, t->text, seen);
        failed = ferror(file);
        failed |= fclose(file) != 0;
        stn_file_limit_release(&limit);
    }
    return failed ? stn_fail(STN_ERR_DEVICE, "%s: its text cannot be written to %.200s", t->name,
                             f->source)
                  : STN_OK;
}

/* ---- compiling ---- */

/* Runs with files of the folder, in a separate process group, with default signals. */
static int spawn(const folder *f, command *c, pid_t *child)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    (void)sigfillset(&all);
    (void)sigemptyset(&none);
    if (posix_spawn_file_actions_init(&files) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        (void)posix_spawn_file_actions_destroy(&files);
        return ENOMEM;
    }
    (void)posix_spawnattr_setsigdefault(&attributes, &all);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETPGROUP);
    (void)posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&files, 1, f->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)posix_spawn_file_actions_adddup2(&files, 1, 2);
    const int error = posix_spawn(child, c->file, &files, &attributes, c->words, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Reports the first lines of the compiler's output. */
static stn_status refuse(const folder *f, const stn_device_text *t, int status)
{
    char log[400] = "", end[64];
    FILE *const file = fopen(f->log, "re");
    if (file) {
        const size_t got = fread(log, 1, sizeof log - 1, file);
        log[got] = '\0';
        (void)fclose(file);
    }
    if (WIFSIGNALED(status))
        snprintf(end, sizeof end, "the compiler was terminated by signal %d", WTERMSIG(status));
    else
        snprintf(end, sizeof end, "the compiler returned exit status %d", WEXITSTATUS(status));
    return stn_fail(STN_ERR_DEVICE, "%s cannot be compiled: %s: %s", t->name, end, log);
}

static pid_t wait_for(pid_t child, int *status, int options)
{
    pid_t ended;
    do
        ended = waitpid(child, status, options);
    while (ended < 0 && errno == EINTR);
    return ended;
}

static int64_t milliseconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* 0 after the time limit; then the process group is killed. */
static pid_t wait_with_limit(pid_t child, int *status, int seconds)
{
    const int64_t last = milliseconds() + (int64_t)seconds * 1000;
    struct timespec pause = {0, 1000000};
    pid_t ended = wait_for(child, status, WNOHANG);
    while (ended == 0 && milliseconds() < last) {
        (void)nanosleep(&pause, NULL);
        pause.tv_nsec += pause.tv_nsec < 10000000 ? pause.tv_nsec / 8 : 0;
        ended = wait_for(child, status, WNOHANG);
    }
    if (ended != 0)
        return ended;
    (void)kill(-child, SIGKILL);
    (void)wait_for(child, status, 0);
    return 0;
}

static stn_status run_compiler(const folder *f, command *c, const stn_device_text *t)
{
    pid_t child = 0;
    int status = 0;
    const int error = spawn(f, c, &child);
    if (error != 0)
        return stn_fail(STN_ERR_DEVICE, "%s: the compiler %.200s cannot be started: %s", t->name,
                        c->file, strerror(error));
    const pid_t ended = wait_with_limit(child, &status, c->seconds);
    if (ended == 0)
        return stn_fail(STN_ERR_DEVICE,
                        "%s: the compiler %.200s did not finish within %d s (STENO_CC_SECONDS)",
                        t->name, c->file, c->seconds);
    if (ended < 0) /* another part of the program has waited for it */
        return stn_fail(STN_ERR_DEVICE, "%s: the exit status of the compiler is unknown", t->name);
    return status == 0 ? STN_OK : refuse(f, t, status);
}

static void add_words(command *c, const folder *f, const stn_device_text *t)
{
    const char *const last[] = {"-o", f->object, f->source, "-lm"};
    for (int k = 0; k < FLAGS; k++)
        c->words[c->count++] = (char *)(uintptr_t)flags[k];
    for (int k = 0; k < t->option_count && c->count < MAX_WORDS - 5; k++)
        c->words[c->count++] = (char *)(uintptr_t)t->options[k];
    for (int k = 0; k < 4; k++)
        c->words[c->count++] = (char *)(uintptr_t)last[k];
    c->words[c->count] = NULL;
}

static stn_status compile_in(const folder *f, const stn_device_text *t)
{
    command c;
    STN_TRY(find_compiler(&c));
    STN_TRY(find_seconds(&c));
    STN_TRY(write_source(f, t));
    add_words(&c, f, t);
    return run_compiler(f, &c, t);
}

/* A file that cannot be read is ignored, because the kernel works without it. */
static void read_code(const folder *f, const char *name, stn_device_code *code)
{
    struct stat is;
    FILE *const file = fopen(f->object, "re");
    if (file && fstat(fileno(file), &is) == 0 && is.st_size > 0 &&
        stn_allocate(&code->bytes, is.st_size, 1, name) == STN_OK) {
        code->size = (size_t)is.st_size;
        if (fread(code->bytes, 1, code->size, file) != code->size) {
            stn_free(code->bytes);
            code->bytes = NULL;
        }
    }
    if (file)
        (void)fclose(file);
}

stn_status stn_host_compile(stn_device *device, const stn_device_text *text, void **module,
                            stn_device_code *code)
{
    folder f;
    (void)device;
    STN_TRY(create_folder(&f));
    stn_status status = compile_in(&f, text);
    if (status == STN_OK)
        status = open_object(&f, text->name, module);
    if (status == STN_OK && code)
        read_code(&f, text->name, code);
    remove_folder(&f);
    return status;
}

static stn_status write_object(const folder *f, const char *name, const stn_device_code *code)
{
    stn_file_limit limit;
    FILE *const file = fopen(f->object, "we");
    stn_file_limit_hold(&limit);
    int failed = file == NULL || fwrite(code->bytes, 1, code->size, file) != code->size;
    failed |= file != NULL && fclose(file) != 0;
    stn_file_limit_release(&limit);
    return failed ? stn_fail(STN_ERR_DEVICE, "%s: its code cannot be written to %.200s", name,
                             f->object)
                  : STN_OK;
}

stn_status stn_host_load(stn_device *device, const char *name, const stn_device_code *code,
                         void **module)
{
    folder f;
    (void)device;
    STN_TRY(create_folder(&f));
    stn_status status = write_object(&f, name, code);
    if (status == STN_OK)
        status = open_object(&f, name, module);
    remove_folder(&f);
    return status;
}
