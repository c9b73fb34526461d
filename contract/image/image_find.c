/* Functions by name, and names similar to a missing one. */
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "contract/isa/code.h"
#include "core/memory.h"

/* A search: symbol, demangled name or expression, for one target or any. */
typedef struct search {
    char *name;
    const char *target; /* "" is any */
    regex_t expression;
    int is_expression;
} search;

/* "name" or "/expression/", optionally followed by "@target". */
static stn_status begin_search(search *s, const char *name)
{
    const size_t length = strlen(name);
    *s = (search){.target = ""};
    STN_TRY(stn_allocate(&s->name, (int64_t)length + 1, 1, "a name"));
    memcpy(s->name, name, length + 1);
    char *at = strrchr(s->name, '@');
    if (at && strchr(at, '/') == NULL &&
        (strncmp(at, "@sm_", 4) == 0 || strcmp(at, "@x86-64") == 0 ||
         strcmp(at, "@aarch64") == 0)) {
        *at = '\0';
        s->target = at + 1;
    }
    const size_t left = strlen(s->name);
    if (left < 2 || s->name[0] != '/' || s->name[left - 1] != '/')
        return STN_OK;
    s->name[left - 1] = '\0';
    const int error = regcomp(&s->expression, s->name + 1, REG_EXTENDED | REG_NOSUB);
    if (error != 0) {
        char reason[128];
        regerror(error, &s->expression, reason, sizeof reason);
        const stn_status status =
            stn_fail(STN_ERR_PARSE, "the expression '%.200s': %s", s->name + 1, reason);
        stn_free(s->name);
        return status;
    }
    s->is_expression = 1;
    return STN_OK;
}

static void end_search(search *s)
{
    if (s->is_expression)
        regfree(&s->expression);
    stn_free(s->name);
}

int stn_image_is_superseded(const stn_image *image, int32_t function)
{
    const stn_symbol *symbol = image->symbols + function;
    for (int32_t f = function - 1; f >= 0 && image->symbols[f].code == symbol->code; f--)
        if (image->symbols[f].bytes == symbol->bytes &&
            strcmp(image->symbols[f].name, symbol->name) == 0)
            return 1; /* symbols are sorted by position */
    for (int32_t f = 0; symbol->is_older && f < image->count; f++)
        if (!image->symbols[f].is_older && image->symbols[f].member == symbol->member &&
            strcmp(image->symbols[f].symbol, symbol->symbol) == 0)
            return 1;
    return 0;
}

static int is_found(const search *s, const stn_symbol *symbol)
{
    if (*s->target && strcmp(s->target, symbol->target) != 0)
        return 0;
    if (s->is_expression)
        return regexec(&s->expression, symbol->name, 0, NULL, 0) == 0;
    return strcmp(s->name, symbol->symbol) == 0 || strcmp(s->name, symbol->name) == 0;
}

/* ---- similar names ---- */

/* Similarity of names: twice the length of the common prefix, plus a bonus. */
static size_t nearness(const char *name, const char *other)
{
    size_t same = 0;
    while (name[same] && name[same] == other[same])
        same++;
    return strstr(other, name) || (*other && strstr(name, other)) ? 1000 + same : same;
}

enum { MAX_SIMILAR = 3, MIN_SHARED = 3 };

/* The three most similar names, in descending order. */
static int find_similar(const stn_image *image, const char *name, int32_t *similar)
{
    size_t scores[MAX_SIMILAR] = {0};
    int count = 0;
    for (int32_t f = 0; f < image->count; f++) {
        const size_t score = nearness(name, image->symbols[f].name);
        int position = count;
        while (position > 0 && scores[position - 1] < score)
            position--;
        if (score < MIN_SHARED || position == MAX_SIMILAR)
            continue;
        count = count < MAX_SIMILAR ? count + 1 : count;
        for (int p = count - 1; p > position; p--) {
            scores[p] = scores[p - 1];
            similar[p] = similar[p - 1];
        }
        scores[position] = score;
        similar[position] = f;
    }
    return count;
}

/* Peculiarities of the file as part of a message; "" if there are none. */
static void describe_file(const stn_image *image, char *text, size_t capacity)
{
    *text = '\0';
    if (image->count == 0 && image->is_lto)
        snprintf(text, capacity,
                 "; it is an object of link-time optimization without code (gcc or clang -flto); "
                 "compile it without, or with -ffat-lto-objects, or check the linked file");
    else if (image->count == 0 && image->is_debug)
        snprintf(text, capacity,
                 "; it has debugging information without code (objcopy --only-keep-debug); pass "
                 "the original file");
    else if (image->left_out > 0)
        snprintf(text, capacity,
                 "; %" PRId32 " cubins inside are ignored, the last one because it is %s",
                 image->left_out, image->why_left_out);
    else if (image->cubins == 0 && image->other_entries > 0)
        snprintf(text, capacity,
                 "; its GPU code is not machine code (PTX, or nvcc -dlto); compile it for an "
                 "architecture such as sm_90, or check the linked file");
    else if (image->is_stripped)
        snprintf(text, capacity, "; the file is stripped of its symbols");
}

/* IFUNC symbols: a program selects one of several functions at startup. */
static int is_indirect(const stn_image *image, const char *name)
{
    for (int32_t k = 0; name && k < image->indirect_count; k++)
        if (strcmp(image->indirect[k], name) == 0)
            return 1;
    return 0;
}

int stn_image_why_missing(const stn_image *image, const char *name, char *reason, size_t capacity)
{
    int32_t similar[MAX_SIMILAR];
    if (is_indirect(image, name)) {
        snprintf(reason, capacity,
                 "; it is an indirect function (IFUNC), which selects one of several other "
                 "functions when a program starts");
        return 1;
    }
    const int count = name ? find_similar(image, name, similar) : 0;
    describe_file(image, reason, capacity);
    size_t used = strlen(reason);
    for (int n = 0; n < count && used < capacity; n++)
        used += (size_t)snprintf(reason + used, capacity - used, "%s%.80s",
                                 n ? ", " : "; similar: ", image->symbols[similar[n]].name);
    return used > 0;
}

static stn_status not_found(const stn_image *image, const search *s)
{
    char reason[STN_REASON_MISSING];
    (void)stn_image_why_missing(image, s->is_expression ? NULL : s->name, reason, sizeof reason);
    return stn_fail(STN_ERR_RANGE, "%s: none of its %" PRId32 " functions is %s%.80s%s%s%s",
                    image->name, image->count, s->is_expression ? "like " : "",
                    s->is_expression ? s->name + 1 : s->name, *s->target ? " of " : "", s->target,
                    reason);
}

static stn_status not_one(const stn_image *image, const char *name, int32_t count,
                          const stn_symbol *first)
{
    if (first->member < 0)
        return stn_fail(STN_ERR_RANGE,
                        "%s: %" PRId32 " functions are named %.80s, the first for %s", image->name,
                        count, name, first->target);
    return stn_fail(
        STN_ERR_RANGE,
        "%s: %" PRId32
        " functions are named %.80s, the first in '%s(%s)', which is accepted as a file name",
        image->name, count, name, image->name, image->members[first->member].name);
}

stn_status stn_image_find(stn_image *image, const char *name, int32_t *function)
{
    search s;
    int32_t found = -1, count = 0;
    if (!image || !name || !function)
        return stn_fail(STN_ERR_ARGUMENT, "stn_image_find: an argument is NULL");
    STN_TRY(begin_search(&s, name));
    for (int32_t f = 0; f < image->count; f++)
        if (is_found(&s, image->symbols + f) && !stn_image_is_superseded(image, f) && count++ == 0)
            found = f;
    stn_status status = STN_OK;
    if (count == 0)
        status = not_found(image, &s);
    else if (count > 1)
        status = not_one(image, name, count, image->symbols + found);
    else
        *function = found;
    end_search(&s);
    return status;
}
