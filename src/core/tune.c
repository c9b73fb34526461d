/* The table of processor families, and the user's file. */
#define _POSIX_C_SOURCE 200809L
#include "core/tune.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cpu.h"

enum { MAX_DESCRIPTION = 512 };

/* ---- families ---- */

/* streams: dot of f64 from memory as a fraction of plain streaming: Zen 4 one stream 0.84, two
 * 0.80, four 0.55; Sapphire Rapids one 0.70, two 0.85, four 0.98. prefetch: axpy from f32 into f64
 * on Zen 4 0.88 without, 0.70 with it. ahead: sum of f16 in f64 on Sapphire Rapids 0.24 ns an
 * element without, 0.11 with 3072 bytes; on Zen 4 not measured. sparse: a 7-point matrix of 128^3
 * rows in slices, f64, on Zen 5, one thread, 8.9 ms without, 7.5 with 1024 bytes, 6.2 with
 * 2048, 5.1 with 4096, 4.9 with 8192. */
static const struct {
    const char *name;
    stn_tune tune;
} families[] = {
    {"amd",
     {.streams = 1,
      .rows = 4,
      .prefetch = 0,
      .ahead = 0,
      .sparse = 4096,
      .alone = 128,
      .nontemporal = 16}},
    {"intel",
     {.streams = 4,
      .rows = 4,
      .prefetch = 768,
      .ahead = 3072,
      .sparse = 4096,
      .alone = 128,
      .nontemporal = 16}},
    {"arm",
     {.streams = 1,
      .rows = 4,
      .prefetch = 0,
      .ahead = 0,
      .sparse = 4096,
      .alone = 128,
      .nontemporal = 16}},
    {"other",
     {.streams = 1,
      .rows = 4,
      .prefetch = 0,
      .ahead = 0,
      .sparse = 4096,
      .alone = 128,
      .nontemporal = 16}},
};
enum { AMD, INTEL, ARM, OTHER };

static int find_family(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") ? AMD : __builtin_cpu_is("intel") ? INTEL : OTHER;
#elif defined(__aarch64__)
    return ARM;
#else
    return OTHER;
#endif
}

stn_tune stn_tune_of_family(const char **family)
{
    const int found = find_family();
    if (family)
        *family = families[found].name;
    return families[found].tune;
}

/* ---- text ---- */

static const struct {
    const char *name;
    size_t offset;
    int32_t minimum, maximum;
} parameters[] = {
#define PARAMETER(name, minimum, maximum, what) {#name, offsetof(stn_tune, name), minimum, maximum},
    STN_TUNE_TABLE(PARAMETER)
#undef PARAMETER
};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static void identify(char description[MAX_DESCRIPTION])
{
    stn_cpu_identify(description, MAX_DESCRIPTION);
    for (size_t k = strlen(description); k > 0 && description[k - 1] == ' '; k--)
        description[k - 1] = '\0';
}

void stn_tune_write(const stn_tune *tune, char text[STN_TUNE_BYTES])
{
    char processor[MAX_DESCRIPTION];
    identify(processor);
    int at = snprintf(text, STN_TUNE_BYTES, "processor %s\n", processor);
#define WRITE(name, minimum, maximum, what)                                                        \
    at += snprintf(text + at, (size_t)(STN_TUNE_BYTES - at), "%s %d\n", #name, tune->name);
    STN_TUNE_TABLE(WRITE)
#undef WRITE
    snprintf(text + at, (size_t)(STN_TUNE_BYTES - at), "end\n");
}

static stn_status refuse(const char *name, int line, const char *reason)
{
    return stn_fail(STN_ERR_ARGUMENT, "%s, line %d: %s; 'steno tune' writes a valid file", name,
                    line, reason);
}

/* Parses "NAME NUMBER". */
static stn_status parse_line(const char *name, int line, char *description, stn_tune *tune)
{
    char reason[128], *end;
    char *const number = description + strcspn(description, " ");
    int k = 0;
    if (*number)
        *number = '\0';
    while (k < PARAMETERS && strcmp(parameters[k].name, description) != 0)
        k++;
    if (k == PARAMETERS)
        return refuse(name, line, "unknown keyword");
    const long value = strtol(number + 1, &end, 10);
    if (number[1] < '0' || number[1] > '9' || *end || value < parameters[k].minimum ||
        value > parameters[k].maximum) {
        snprintf(reason, sizeof reason, "%s must be an integer from %d to %d", description,
                 parameters[k].minimum, parameters[k].maximum);
        return refuse(name, line, reason);
    }
    memcpy((char *)tune + parameters[k].offset, &(int32_t){(int32_t)value}, sizeof(int32_t));
    return STN_OK;
}

static int is_other_processor(const char *description)
{
    char this_processor[MAX_DESCRIPTION];
    identify(this_processor);
    return strcmp(description, this_processor) != 0;
}

stn_status stn_tune_read(const char *name, char *text, stn_tune *tune, int *is_other)
{
    static const char processor[] = "processor ";
    stn_tune read = *tune;
    *is_other = 0;
    for (int line = 1; *text; line++) {
        char *const description = text;
        text += strcspn(text, "\n");
        if (!*text)
            break; /* the text after the last line end is empty */
        *text++ = '\0';
        if (strcmp(description, "end") == 0) {
            *tune = *is_other ? *tune : read;
            return *text ? refuse(name, line + 1, "text after the line 'end'") : STN_OK;
        }
        if (strncmp(description, processor, sizeof processor - 1) == 0)
            *is_other = is_other_processor(description + sizeof processor - 1);
        else if (*description && *description != '#')
            STN_TRY(parse_line(name, line, description, &read));
    }
    return stn_fail(STN_ERR_ARGUMENT,
                    "%s is truncated: the line 'end' is missing; 'steno tune' writes a valid file",
                    name);
}

/* ---- the file ---- */

void stn_tune_path(char path[STN_MAX_PATH])
{
    const stn_environment *const e = stn_environment_get();
    int length = 0;
    if (e->tune)
        length = snprintf(path, STN_MAX_PATH, "%s", e->tune);
    else if (e->config_home && *e->config_home == '/')
        length = snprintf(path, STN_MAX_PATH, "%s/steno/tune", e->config_home);
    else if (e->home && *e->home == '/')
        length = snprintf(path, STN_MAX_PATH, "%s/.config/steno/tune", e->home);
    if (length <= 0 || length >= STN_MAX_PATH)
        *path = '\0';
}

static const char *reason_against(int file)
{
    struct stat is;
    if (fstat(file, &is) != 0)
        return strerror(errno);
    if (!S_ISREG(is.st_mode))
        return "is not a regular file";
    if (is.st_uid != geteuid() && is.st_uid != 0)
        return "belongs to another user";
    if (is.st_mode & (S_IWGRP | S_IWOTH))
        return "is writable by other users";
    return is.st_size >= STN_TUNE_BYTES ? "is too large" : NULL;
}

static stn_status read_file(const char *path, int file, stn_tune *tune, int *is_other)
{
    char text[STN_TUNE_BYTES + 1];
    const char *const reason = reason_against(file);
    if (reason)
        return stn_fail(STN_ERR_IO, "tuning file %s %s", path, reason);
    const ssize_t bytes = read(file, text, STN_TUNE_BYTES);
    if (bytes < 0)
        return stn_fail(STN_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    text[bytes] = '\0';
    if (strlen(text) != (size_t)bytes)
        return stn_fail(STN_ERR_ARGUMENT, "%s is not a text file", path);
    return stn_tune_read(path, text, tune, is_other);
}

/* `path` is set to the file that was read, or "". */
static stn_status read_user(char path[STN_MAX_PATH], stn_tune *tune)
{
    int is_other = 0;
    const char *const named = stn_environment_get()->tune;
    stn_tune_path(path);
    if (!*path && named && *named)
        return stn_fail(STN_ERR_ARGUMENT, "STENO_TUNE is longer than %d characters",
                        STN_MAX_PATH - 1);
    if (!*path)
        return STN_OK;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 && !named) {
        *path = '\0'; /* most users have no file */
        return STN_OK;
    }
    if (file < 0)
        return stn_fail(STN_ERR_IO, "cannot open %s (STENO_TUNE): %s", path, strerror(errno));
    const stn_status status = read_file(path, file, tune, &is_other);
    (void)close(file);
    if (is_other)
        *path = '\0';
    return status;
}

static stn_tune chosen;
int64_t stn_tuned_ahead, stn_tuned_sparse;
static char source[STN_MAX_PATH];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static stn_status read_status;
static char read_words[512];

static void choose(void)
{
    const char *family;
    chosen = stn_tune_of_family(&family);
    read_status = read_user(source, &chosen);
    stn_tuned_ahead = chosen.ahead;
    stn_tuned_sparse = chosen.sparse;
    if (!*source)
        snprintf(source, sizeof source, "%s", family);
    if (read_status)
        snprintf(read_words, sizeof read_words, "%s", stn_error());
}

stn_status stn_tune_get(stn_tune *tune)
{
    *tune = *stn_tuned();
    return read_status ? stn_fail(read_status, "%s", read_words) : STN_OK;
}

const stn_tune *stn_tuned(void)
{
    pthread_once(&once, choose);
    return &chosen;
}

const char *stn_tune_source(void)
{
    pthread_once(&once, choose);
    return source;
}

void stn_tune_use(const stn_tune *tune)
{
    pthread_once(&once, choose);
    chosen = *tune;
    stn_tuned_ahead = tune->ahead;
    stn_tuned_sparse = tune->sparse;
    read_status = STN_OK;
}
