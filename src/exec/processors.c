/* See processors.h. */
#define _GNU_SOURCE
#include "exec/processors.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/environment.h"
#include "core/status.h"
#include "exec/openmp/places.h"
#include "exec/resource.h"

enum { NAME = 1024 }; /* bytes of a path */

/* ---- affinity ---- */

int stn_processors_allowed(void)
{
    int allowed = stn_places_count() > 0 ? stn_places_processors() : 0;
    for (size_t size = 1024; !allowed && size <= 1 << 20;
         size *= 4) { /* too small a set is refused */
        cpu_set_t *const set = CPU_ALLOC(size);
        if (set && sched_getaffinity(0, CPU_ALLOC_SIZE(size), set) == 0)
            allowed = CPU_COUNT_S(CPU_ALLOC_SIZE(size), set);
        CPU_FREE(set);
    }
    return allowed > 0 ? allowed : 1;
}

/* ---- control groups ---- */

/* No limit is -1 in version 1, and "max" in version 2, which is read as -1. */
static double quota_of(double quota, double period)
{
    return quota > 0 && period > 0 ? quota / period : INFINITY;
}

static double read_number(const char *folder, const char *name)
{
    char path[NAME];
    double number = -1;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return -1;
    FILE *const file = fopen(path, "re");
    if (file && fscanf(file, "%lf", &number) != 1)
        number = -1;
    if (file)
        (void)fclose(file);
    return number;
}

static double read_quota_2(const char *folder)
{
    char path[NAME];
    double quota = -1, period = -1;
    if (snprintf(path, sizeof path, "%s/cpu.max", folder) >= (int)sizeof path)
        return INFINITY;
    FILE *const file = fopen(path, "re");
    if (file && fscanf(file, "%lf %lf", &quota, &period) != 2)
        quota = -1;
    if (file)
        (void)fclose(file);
    return quota_of(quota, period);
}

static double read_quota_1(const char *folder)
{
    return quota_of(read_number(folder, "cpu.cfs_quota_us"),
                    read_number(folder, "cpu.cfs_period_us"));
}

/* The smallest quota of a group and those that contain it. `folder` is the mount point, of
 * `length` characters, and the path of the group. */
static double smallest_quota(char *folder, size_t length, double (*read_quota)(const char *))
{
    double smallest = INFINITY;
    for (;;) {
        smallest = fmin(smallest, read_quota(folder));
        char *const slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < length)
            return smallest;
        *slash = 0;
    }
}

/* Is it among words separated by commas? */
static int has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == 0 || at[length] == ','))
            return 1;
    return 0;
}

/* A line of /proc/self/mountinfo: ID, parent, device, root, mount point, ... - type, source,
 * options. Returns whether it is a hierarchy of control groups of this version that limits
 * processors. */
static int parse_mount(const char *line, int version, char *point, char *top)
{
    char type[32], options[256];
    const char *const rest = strstr(line, " - ");
    if (!rest || sscanf(line, "%*s %*s %*s %1023s %1023s", top, point) != 2 ||
        sscanf(rest, " - %31s %*s %255s", type, options) != 2)
        return 0;
    return version == 2 ? strcmp(type, "cgroup2") == 0
                        : strcmp(type, "cgroup") == 0 && has_word(options, "cpu");
}

/* The quota of the group `path` of a hierarchy. In a container, the path may begin with the root of
 * the mount, or may not exist in it: then the mount point is the group. */
static double quota_of_group(const char *root, int version, const char *path)
{
    char name[2 * NAME], line[2 * NAME], point[NAME], top[NAME];
    double quota = INFINITY;
    if (snprintf(name, sizeof name, "%s/proc/self/mountinfo", root) >= (int)sizeof name)
        return INFINITY;
    FILE *const mounts = fopen(name, "re");
    while (mounts && fgets(line, sizeof line, mounts)) {
        if (!parse_mount(line, version, point, top))
            continue;
        const size_t begin = strlen(top);
        const char *const below = begin > 1 && strncmp(path, top, begin) == 0 ? path + begin : path;
        const int length = snprintf(name, sizeof name, "%s%s", root, point);
        if (length >= (int)sizeof name ||
            snprintf(name + length, sizeof name - (size_t)length, "%s",
                     strcmp(below, "/") == 0 ? "" : below) >= (int)sizeof name - length)
            continue;
        quota = fmin(quota, smallest_quota(name, (size_t)length,
                                           version == 2 ? read_quota_2 : read_quota_1));
    }
    if (mounts)
        (void)fclose(mounts);
    return quota;
}

/* Lines of /proc/self/cgroup: number, controllers (none in version 2), path. */
double stn_processors_quota(const char *root)
{
    char name[NAME], line[NAME];
    double quota = INFINITY;
    if (snprintf(name, sizeof name, "%s/proc/self/cgroup", root) >= (int)sizeof name)
        return INFINITY;
    FILE *const groups = fopen(name, "re");
    while (groups && fgets(line, sizeof line, groups)) {
        line[strcspn(line, "\n")] = 0;
        char *const controllers = strchr(line, ':');
        char *const path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path = 0;
        const int version = controllers[1] ? 1 : 2;
        if (version == 2 || has_word(controllers + 1, "cpu"))
            quota = fmin(quota, quota_of_group(root, version, path + 1));
    }
    if (groups)
        (void)fclose(groups);
    return quota;
}

/* ---- the number of threads ---- */

stn_status stn_processors_requested(const char *resource, int *threads)
{
    const char *const text = stn_environment_get()->threads;
    char *end;
    *threads = 0;
    if (!text || !*text)
        return STN_OK;
    const long number = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || number < 1 || number > STN_EXEC_MAX_THREADS)
        return stn_fail(STN_ERR_ARGUMENT,
                        "executor '%s': STENO_NUM_THREADS is '%.40s', not 1 to %d", resource, text,
                        STN_EXEC_MAX_THREADS);
    *threads = (int)number;
    return STN_OK;
}

/* It belongs to OpenMP, which reports errors. */
static int requested_of_openmp(void)
{
    const char *const text = stn_environment_get()->openmp_threads;
    const long number = text ? strtol(text, NULL, 10) : 0;
    return number < 1 ? 0 : number > STN_EXEC_MAX_THREADS ? STN_EXEC_MAX_THREADS : (int)number;
}

static int available(int allowed, double quota)
{
    const int threads = quota < allowed ? (int)quota : allowed;
    return threads < 1 ? 1 : threads > STN_EXEC_MAX_THREADS ? STN_EXEC_MAX_THREADS : threads;
}

stn_status stn_processors_default(const char *resource, int *threads)
{
    STN_TRY(stn_processors_requested(resource, threads));
    if (*threads == 0)
        *threads = requested_of_openmp();
    if (*threads == 0)
        *threads = available(stn_processors_allowed(), stn_processors_quota(""));
    return STN_OK;
}

stn_status stn_processors_describe(const char *resource, stn_processors *result)
{
    *result = (stn_processors){.allowed = stn_processors_allowed(),
                               .quota = stn_processors_quota(""),
                               .source = "variable STENO_NUM_THREADS"};
    STN_TRY(stn_processors_requested(resource, &result->threads));
    if (result->threads > 0)
        return STN_OK;
    result->source = "variable OMP_NUM_THREADS";
    result->threads = requested_of_openmp();
    if (result->threads > 0)
        return STN_OK;
    result->source = result->quota < result->allowed ? "CPU quota" : "affinity mask";
    result->threads = available(result->allowed, result->quota);
    return STN_OK;
}
