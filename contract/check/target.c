/* Matches targets and compilers with expectations. */
#include "contract/check/expect.h"

#include <stdio.h>
#include <string.h>

/* ---- targets ---- */

/* Matches a glob from `pattern` to `end`: * is any run of characters, ? any one. Backtracks to the
 * last star only, so that time is bounded. */
static int glob(const char *pattern, const char *end, const char *text)
{
    const char *star = NULL, *kept = text;
    while (*text) {
        if (pattern < end && (*pattern == '?' || *pattern == *text) && *pattern != '*') {
            pattern++;
            text++;
        } else if (pattern < end && *pattern == '*') {
            star = pattern++;
            kept = text;
        } else if (star) {
            pattern = star + 1;
            text = ++kept;
        } else {
            return 0;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

/* Any of the alternatives. */
static int matches(const char *pattern, const char *target)
{
    for (;;) {
        const char *end = strchr(pattern, '|');
        if (glob(pattern, end ? end : pattern + strlen(pattern), target))
            return 1;
        if (!end)
            return 0;
        pattern = end + 1;
    }
}

static const char *const x86_levels[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};

enum { X86_LEVELS = sizeof x86_levels / sizeof *x86_levels };

int stn_target_matches(const char *pattern, const char *target, const char *built_for)
{
    if (matches(pattern, target))
        return 1;
    if (strcmp(target, "x86-64") != 0)
        return 0;
    if (*built_for)
        return matches(pattern, built_for);
    for (int level = 0; level < X86_LEVELS; level++)
        if (matches(pattern, x86_levels[level]))
            return 1;
    return 0;
}

/* Known versions, from the oldest supported one. */
static const int sm_versions[] = {75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

int stn_target_is_known(const char *pattern, size_t length)
{
    const char *const end = pattern + length;
    char sm[16];
    if (glob(pattern, end, "x86-64") || glob(pattern, end, "aarch64"))
        return 1;
    for (int level = 0; level < X86_LEVELS; level++)
        if (glob(pattern, end, x86_levels[level]))
            return 1;
    for (size_t k = 0; k < sizeof sm_versions / sizeof *sm_versions; k++) {
        snprintf(sm, sizeof sm, "sm_%d", sm_versions[k]);
        if (glob(pattern, end, sm))
            return 1;
    }
    return 0;
}

stn_status stn_image_built_for(stn_image *image, const char *level)
{
    if (!image || !level)
        return stn_fail(STN_ERR_ARGUMENT, "stn_image_built_for: an argument is NULL");
    int known = strcmp(level, "x86-64") == 0;
    for (int k = 0; k < X86_LEVELS; k++)
        known |= strcmp(level, x86_levels[k]) == 0;
    if (!known)
        return stn_fail(
            STN_ERR_ARGUMENT,
            "unknown x86-64 level '%s' (known: x86-64, x86-64-v2, x86-64-v3, x86-64-v4)", level);
    snprintf(image->built_for, sizeof image->built_for, "%s", level);
    return STN_OK;
}

/* ---- compilers ---- */

/* Numbers separated by dots, at most three; returns their count. */
static int read_version(const char *text, int32_t *version)
{
    int parts = 0;
    while (parts < STN_VERSION_PARTS && *text >= '0' && *text <= '9') {
        int32_t number = 0;
        for (; *text >= '0' && *text <= '9'; text++)
            number = number < 100000 ? 10 * number + (*text - '0') : number;
        version[parts++] = number;
        if (*text == '.')
            text++;
    }
    return parts;
}

/* The last word that begins with a digit, such as 12.2.0 after "GCC: (Debian 12.2.0-14) ". */
static const char *gcc_version(const char *compiler)
{
    const char *start = strstr(compiler, "GCC: ");
    const char *bracket = start ? strstr(start, ") ") : NULL;
    if (!start)
        return NULL;
    return bracket ? bracket + 2 : start + 5;
}

static const char *after(const char *compiler, const char *prefix)
{
    const char *start = strstr(compiler, prefix);
    return start ? start + strlen(prefix) : NULL;
}

static const char *nvcc_version(const char *compiler)
{
    const char *release = after(compiler, "release ");
    return release && (strstr(compiler, "cuda") || strstr(compiler, "Cuda")) ? release : NULL;
}

/* Position of the compiler's version in the note; NULL if another compiler is named. */
static const char *version_of(const char *name, const char *compiler)
{
    if (strcmp(name, "clang") == 0)
        return after(compiler, "clang version ");
    if (strcmp(name, "gcc") == 0)
        return gcc_version(compiler);
    if (strcmp(name, "nvcc") == 0)
        return nvcc_version(compiler);
    return NULL;
}

int stn_compiler_is_known(const char *name)
{
    return strcmp(name, "clang") == 0 || strcmp(name, "gcc") == 0 || strcmp(name, "nvcc") == 0;
}

/* Compares as many parts as the rule has: gcc==12 matches 12.2, and gcc>12 does not. */
static int compare_versions(const int32_t *version, const stn_compiler_rule *rule)
{
    for (int p = 0; p < rule->parts; p++)
        if (version[p] != rule->version[p])
            return version[p] < rule->version[p] ? -1 : 1;
    return 0;
}

int stn_compiler_follows(const stn_compiler_rule *rule, const char *compiler, char *reason,
                         size_t capacity)
{
    int32_t version[STN_VERSION_PARTS] = {0};
    const char *text = version_of(rule->name, compiler);
    if (*compiler == '\0')
        snprintf(reason, capacity, "the file does not name its compiler; the contract is for %s",
                 rule->name);
    else if (!text)
        snprintf(reason, capacity, "for %s; the file was compiled by '%.80s'", rule->name,
                 compiler);
    else if (rule->parts == 0)
        return 1;
    else if (read_version(text, version) == 0)
        snprintf(reason, capacity, "'%.80s' contains no version", compiler);
    else if (stn_relation_holds(compare_versions(version, rule), rule->relation, 0))
        return 1;
    else
        snprintf(reason, capacity, "for other versions of %s; the file was compiled by '%.80s'",
                 rule->name, compiler);
    return 0;
}
