/* Accepts regular expressions that the C library compiles in bounded time and memory. */
#include <stdio.h>
#include <string.h>

#include "contract/check/pattern.h"
#include "contract/check/text.h"

/* MAX_PLUS: the C library copies the operand of each +, including the copies for an inner one, and
 * is slow for nested repetitions and optional operands. MAX_GROUPS: it recurses for each nested
 * group with frames of 700 bytes. */
enum { MAX_PLUS = 8, MAX_DEPTH = 2, MAX_GROUPS = 32, MAX_CHOICES = 64, ORDINARY = 'a' };

/* Returns the position after a bracket expression. */
static const char *skip_bracket(const char *c)
{
    c += c[1] == '^' ? 2 : 1;
    c += *c == ']';
    while (*c && *c != ']') {
        const char kind = c[1];
        if (*c++ != '[' || (kind != ':' && kind != '.' && kind != '='))
            continue;
        for (c++; *c && !(*c == kind && c[1] == ']');)
            c++;
        c += *c ? 2 : 0;
    }
    return c;
}

typedef struct survey {
    int pluses, groups, choices;
    int level, inner[MAX_GROUPS + 1]; /* nested + in each open group */
    int last;                         /* the same for the preceding operand */
    int deepest;                      /* maximum over all groups */
    int is_repeat, has_stacked; /* the preceding character is ?, * or +; two of them in sequence */
} survey;

static void survey_one(survey *counts, char c)
{
    int *const inner = &counts->inner[counts->level];
    const int is_repeat = c == '?' || c == '*' || c == '+';
    counts->has_stacked |= is_repeat && counts->is_repeat;
    counts->is_repeat = is_repeat;
    counts->pluses += c == '+';
    counts->choices += c == '?' || c == '*' || c == '|';
    if (c == '+') {
        counts->last++;
        *inner = counts->last > *inner ? counts->last : *inner;
        counts->deepest = *inner > counts->deepest ? *inner : counts->deepest;
    } else if (c == '(' && ++counts->groups <= MAX_GROUPS) {
        counts->inner[++counts->level] = counts->last = 0;
    } else if (c == ')' && counts->level > 0) {
        counts->last = *inner;
        inner[-1] = *inner > inner[-1] ? *inner : inner[-1];
        counts->level--;
    } else if (!is_repeat) {
        counts->last = 0;
    }
}

static int has_too_many(const char *text, char *reason, size_t capacity)
{
    survey counts = {0};
    for (const char *c = text; *c; c++) {
        char what = *c;
        if (what == '[' || (what == '\\' && c[1])) {
            c = what == '[' ? skip_bracket(c) : c + 1;
            what = ORDINARY;
        }
        survey_one(&counts, what);
        if (!*c)
            break;
    }
    const struct {
        int number, maximum;
        const char *what;
    } limits[] = {{counts.pluses, MAX_PLUS, "+"},
                  {counts.groups, MAX_GROUPS, "("},
                  {counts.choices, MAX_CHOICES, "?, * and |"},
                  {counts.deepest, MAX_DEPTH, "nested +"}};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        if (limits[k].number > limits[k].maximum) {
            snprintf(reason, capacity, "more than %d %s in an expression", limits[k].maximum,
                     limits[k].what);
            return 1;
        }
    if (counts.has_stacked)
        snprintf(reason, capacity, "a repetition of a repetition in an expression");
    return counts.has_stacked;
}

/* Counts and back references; NULL: none. */
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

int stn_expression_is_sound(const char *text, size_t *at, char *reason, size_t capacity)
{
    regex_t compiled;
    const char *part = unbounded_part(text);
    *at = part ? (size_t)(part - text) : 0;
    if (part) {
        snprintf(reason, capacity, "%s cannot be used in an expression",
                 *part == '{' ? "counts in braces" : "back references");
        return 0;
    }
    if (has_too_many(text, reason, capacity))
        return 0;
    const int error = regcomp(&compiled, text, REG_EXTENDED | REG_NOSUB);
    if (error) {
        const int used = snprintf(reason, capacity, "not a regular expression: ");
        if (used > 0 && (size_t)used < capacity)
            regerror(error, NULL, reason + used, capacity - (size_t)used);
        return 0;
    }
    regfree(&compiled);
    return 1;
}
