/* Regular expressions that the C library can take in bounded time and memory. */
#include <stdio.h>
#include <string.h>

#include "contract/check/pattern.h"
#include "contract/check/text.h"

/* MOST_PLUS: the C library copies what stands before each +, also what was copied for an inner one.
 * MOST_GROUPS: it calls itself for each one inside another, with frames of 700 bytes. */
enum { MOST_PLUS = 8, MOST_GROUPS = 32 };

static int has_too_many(const char *text, char *why, size_t room)
{
    int pluses = 0, groups = 0;
    for (const char *c = text; *c; c++) {
        if (*c == '\\' && c[1]) {
            c++;
            continue;
        }
        pluses += *c == '+';
        groups += *c == '(';
    }
    if (pluses > MOST_PLUS)
        snprintf(why, room, "more than %d + in an expression", MOST_PLUS);
    else if (groups > MOST_GROUPS)
        snprintf(why, room, "more than %d ( in an expression", MOST_GROUPS);
    return pluses > MOST_PLUS || groups > MOST_GROUPS;
}

/* Counts and references back; NULL: none. */
static const char *unbounded_part(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\\' && c[1] && !stn_is_digit(c[1]))
            c++;
        else if (*c == '{' || *c == '\\')
            return c;
    }
    return NULL;
}

int stn_expression_is_sound(const char *text, size_t *at, char *why, size_t room)
{
    regex_t compiled;
    const char *part = unbounded_part(text);
    *at = part ? (size_t)(part - text) : 0;
    if (part) {
        snprintf(why, room, "%s cannot be used in an expression",
                 *part == '{' ? "counts in braces" : "references back");
        return 0;
    }
    if (has_too_many(text, why, room))
        return 0;
    const int error = regcomp(&compiled, text, REG_EXTENDED | REG_NOSUB);
    if (error) {
        const int used = snprintf(why, room, "not a regular expression: ");
        if (used > 0 && (size_t)used < room)
            regerror(error, NULL, why + used, room - (size_t)used);
        return 0;
    }
    regfree(&compiled);
    return 1;
}
