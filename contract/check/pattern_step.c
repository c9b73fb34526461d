/* Matches an instruction with a step of a pattern by its text in listings. */
#include "contract/check/pattern.h"

#include <string.h>
#include <strings.h>

typedef struct piece {
    const char *start;
    int length;
} piece;

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static piece next_word(const char *text)
{
    while (is_blank(*text))
        text++;
    return (piece){text, (int)strcspn(text, " \t")};
}

/* Prefixes precede the mnemonic: x86-64 prefixes and predicates of GPUs. */
static int is_prefix(piece word)
{
    static const char *const prefixes[] = {
        "rep", "repz", "repnz", "repe", "repne", "lock", "bnd", "notrack", "data16",   "addr32",
        "cs",  "ds",   "es",    "ss",   "fs",    "gs",   "rex", "rex.W",   "xacquire", "xrelease"};
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++)
        if ((int)strlen(prefixes[p]) == word.length &&
            memcmp(prefixes[p], word.start, (size_t)word.length) == 0)
            return 1;
    return word.length > 0 && *word.start == '@';
}

static piece mnemonic_of(const char *text)
{
    piece word = next_word(text);
    while (is_prefix(word) && next_word(word.start + word.length).length > 0)
        word = next_word(word.start + word.length);
    return word;
}

/* The k-th part between dots. */
static piece part_of(piece word, int k)
{
    for (; k > 0; k--) {
        const char *dot = memchr(word.start, '.', (size_t)word.length);
        if (!dot)
            return (piece){NULL, 0};
        word.length -= (int)(dot + 1 - word.start);
        word.start = dot + 1;
    }
    const char *end = memchr(word.start, '.', (size_t)word.length);
    return (piece){word.start, end ? (int)(end - word.start) : word.length};
}

static int are_same(piece one, piece other)
{
    return one.length == other.length &&
           strncasecmp(one.start, other.start, (size_t)one.length) == 0;
}

/* The first part of LDG.128 must equal the first part of the instruction; the others must occur
 * among its other parts. */
static int has_mnemonic(piece wanted, piece found)
{
    if (!are_same(part_of(wanted, 0), part_of(found, 0)))
        return 0;
    for (int w = 1; part_of(wanted, w).start; w++) {
        int f = 1;
        while (part_of(found, f).start && !are_same(part_of(wanted, w), part_of(found, f)))
            f++;
        if (!part_of(found, f).start)
            return 0;
    }
    return 1;
}

/* ---- operands ---- */

/* The operand at `at`, up to a comma outside of brackets. */
static piece operand_at(const char *at)
{
    int depth = 0;
    while (is_blank(*at))
        at++;
    piece found = {at, 0};
    for (; *at && (*at != ',' || depth > 0); at++) {
        depth += (*at == '[' || *at == '{' || *at == '(');
        depth -= (*at == ']' || *at == '}' || *at == ')');
    }
    found.length = (int)(at - found.start);
    while (found.length > 0 && is_blank(found.start[found.length - 1]))
        found.length--;
    return found;
}

static int is_memory(piece operand)
{
    return memchr(operand.start, '[', (size_t)operand.length) != NULL;
}

/* 16, -0x8, #1.5 */
static int is_immediate(piece operand)
{
    const char *c = operand.start;
    c += *c == '#';
    c += *c == '-' || *c == '+';
    return operand.length > 0 && is_digit(*c);
}

/* A register without its suffix: v0 of v0.2d, p1 of p1/m. */
static piece name_of(piece operand)
{
    int length = 0;
    while (length < operand.length && !strchr("./{[ ", operand.start[length]))
        length++;
    operand.length = length;
    return operand;
}

static int is_register(piece operand)
{
    const char c = operand.length > 0 ? *operand.start : '0';
    return !is_memory(operand) && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

/* The word, optionally followed by a number. */
static int is_of_class(const char *word, piece operand)
{
    const piece name = name_of(operand);
    const int length = (int)strlen(word);
    if (is_memory(operand) || name.length < length ||
        strncasecmp(word, name.start, (size_t)length) != 0)
        return 0;
    for (int c = length; c < name.length; c++)
        if (!is_digit(name.start[c]))
            return 0;
    return 1;
}

static int is_of_kind(const stn_operand_pattern *pattern, piece operand)
{
    switch (pattern->kind) {
    case STN_OPERAND_REGISTER:
        return is_register(operand);
    case STN_OPERAND_IMMEDIATE:
        return is_immediate(operand);
    case STN_OPERAND_MEMORY:
        return is_memory(operand);
    case STN_OPERAND_WORD_OR_CLASS:
        return is_of_class(pattern->word, operand);
    default:
        return operand.length > 0;
    }
}

/* The first operand of a name binds it; others must be equal. */
static int binds(const stn_operand_pattern *pattern, piece operand, stn_binding *bindings)
{
    if (pattern->name < 0)
        return 1;
    stn_binding *bound = bindings + pattern->name;
    const piece name = is_memory(operand) ? operand : name_of(operand);
    if (bound->start)
        return are_same(name, (piece){bound->start, bound->length});
    *bound = (stn_binding){name.start, name.length};
    return 1;
}

int stn_step_takes(const stn_step *step, const char *text, stn_binding *bindings)
{
    const piece mnemonic = mnemonic_of(text);
    const char *at = mnemonic.start + mnemonic.length;
    if (step->expression)
        return regexec(step->expression, text, 0, NULL, 0) == 0;
    if (*step->mnemonic &&
        !has_mnemonic((piece){step->mnemonic, (int)strlen(step->mnemonic)}, mnemonic))
        return 0;
    for (int k = 0; k < step->operand_count; k++) {
        const piece operand = operand_at(at);
        if (operand.length == 0 || !is_of_kind(step->operands + k, operand) ||
            !binds(step->operands + k, operand, bindings))
            return 0;
        at = operand.start + operand.length;
        at += strspn(at, " \t");
        at += *at == ',';
    }
    return 1;
}
