/* Parses patterns of instructions (doc/contract.md). */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "contract/check/pattern.h"
#include "contract/check/text.h"
#include "core/memory.h"

enum { MAX_TEXT = 2000, MAX_DEPTH = 16, MAX_TIMES = 100, NO_TERM = -1 };

typedef struct parser {
    stn_pattern *pattern;
    const char *at;
    stn_pattern_fault *fault;
    stn_status status;
    int depth;
} parser;

__attribute__((format(printf, 3, 4))) static int complain(parser *p, const char *at,
                                                          const char *reason, ...)
{
    if (p->status != STN_OK)
        return NO_TERM;
    va_list arguments;
    va_start(arguments, reason);
    vsnprintf(p->fault->reason, sizeof p->fault->reason, reason, arguments);
    va_end(arguments);
    p->fault->at = (size_t)(at - p->pattern->text);
    p->status = STN_ERR_PARSE;
    return NO_TERM;
}

static int expected(parser *p, const char *what)
{
    if (*p->at == '\0')
        return complain(p, p->at, "expected %s, not the end of the sequence", what);
    return complain(p, p->at, "expected %s, not '%c'", what,
                    *p->at >= ' ' && *p->at <= '~' ? *p->at : '?');
}

static void skip_blanks(parser *p)
{
    p->at += strspn(p->at, " \t");
}

static int create(parser *p, stn_term_kind kind, int a, int b, int32_t least, int32_t maximum)
{
    if (p->status != STN_OK)
        return NO_TERM;
    const stn_term term = {.kind = (uint8_t)kind,
                           .a = (int16_t)a,
                           .b = (int16_t)b,
                           .least = least,
                           .maximum = maximum};
    const int made = stn_pattern_term(p->pattern, term);
    return made < 0 ? complain(p, p->at, "the sequence is too large") : made;
}

/* ---- one instruction ---- */

static int find_name(parser *p, const char *start, size_t length)
{
    stn_pattern *pattern = p->pattern;
    if (length == 0 || length >= STN_OPERAND_WORD)
        return complain(p, start, "expected a name of at most %d characters", STN_OPERAND_WORD - 1);
    for (int n = 0; n < pattern->name_count; n++)
        if (strlen(pattern->names[n]) == length && memcmp(pattern->names[n], start, length) == 0)
            return n;
    if (pattern->name_count == STN_MAX_NAMES)
        return complain(p, start, "more than %d names of operands", STN_MAX_NAMES);
    memcpy(pattern->names[pattern->name_count], start, length);
    return pattern->name_count++;
}

static stn_operand_kind kind_of(const char *word)
{
    static const struct {
        const char *word;
        stn_operand_kind kind;
    } kinds[] = {{"_", STN_OPERAND_ANY},
                 {"reg", STN_OPERAND_REGISTER},
                 {"imm", STN_OPERAND_IMMEDIATE},
                 {"mem", STN_OPERAND_MEMORY}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kinds[k].word, word) == 0)
            return kinds[k].kind;
    return STN_OPERAND_WORD_OR_CLASS;
}

static void parse_operand(parser *p, stn_step *step)
{
    const size_t length = stn_word_length(p->at, "_");
    if (length == 0 || length >= STN_OPERAND_WORD) {
        expected(p, "an operand (_, reg, imm, mem, a register or a class of them)");
        return;
    }
    if (step->operand_count == STN_STEP_OPERANDS) {
        complain(p, p->at, "more than %d operands", STN_STEP_OPERANDS);
        return;
    }
    stn_operand_pattern *operand = step->operands + step->operand_count++;
    memcpy(operand->word, p->at, length);
    operand->kind = kind_of(operand->word);
    operand->name = -1;
    p->at += length;
    if (*p->at != ':')
        return;
    const size_t name = stn_word_length(++p->at, "_");
    operand->name = find_name(p, p->at, name);
    p->at += name;
}

/* Comma-separated operands after a blank. */
static void parse_operands(parser *p, stn_step *step)
{
    skip_blanks(p);
    if (stn_word_length(p->at, "_") == 0)
        return;
    parse_operand(p, step);
    for (skip_blanks(p); *p->at == ',' && p->status == STN_OK; skip_blanks(p)) {
        p->at++;
        skip_blanks(p);
        parse_operand(p, step);
    }
}

static stn_status compile(parser *p, stn_step *step, const char *start, const char *text)
{
    char reason[sizeof p->fault->reason / 2];
    size_t at;
    if (!stn_expression_is_sound(text, &at, reason, sizeof reason)) {
        complain(p, start + at, "%s", reason);
        return p->status;
    }
    STN_TRY(stn_allocate(&step->expression, 1, sizeof *step->expression, "an expression"));
    if (regcomp(step->expression, text, REG_EXTENDED | REG_NOSUB) == 0)
        return STN_OK;
    stn_free(step->expression);
    step->expression = NULL;
    return stn_fail(STN_ERR_MEMORY, "no memory for a regular expression");
}

static void parse_expression(parser *p, stn_step *step)
{
    char text[257];
    size_t length = 0;
    const char *start = ++p->at;
    for (; *p->at != '/'; p->at++) {
        if (*p->at == '\0' || length + 2 >= sizeof text) {
            complain(p, start - 1,
                     "the closing / of the expression is missing, or the expression is longer than "
                     "255 characters");
            return;
        }
        if (*p->at == '\\' && p->at[1])
            text[length++] = *p->at++;
        text[length++] = *p->at;
    }
    text[length] = '\0';
    p->at++;
    if (length == 0)
        complain(p, start, "the expression is empty");
    else
        p->status = compile(p, step, start, text);
}

static void parse_mnemonic(parser *p, stn_step *step)
{
    const size_t length = stn_word_length(p->at, "_.");
    if (length == 0)
        expected(p, "an instruction, /expression/, any or (");
    else if (length >= STN_MNEMONIC)
        complain(p, p->at, "the mnemonic is longer than %d characters", STN_MNEMONIC - 1);
    else if (length != 3 || strncmp(p->at, "any", 3) != 0)
        memcpy(step->mnemonic, p->at, length);
    p->at += length;
    if (p->status == STN_OK)
        parse_operands(p, step);
}

static int parse_step(parser *p)
{
    stn_pattern *pattern = p->pattern;
    const char *start = p->at;
    if (pattern->step_count == STN_MAX_STEPS)
        return complain(p, p->at, "more than %d instructions", STN_MAX_STEPS);
    stn_step *step = pattern->steps + pattern->step_count++;
    if (*p->at == '/')
        parse_expression(p, step);
    else
        parse_mnemonic(p, step);
    const char *end = p->at;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    step->start = (int32_t)(start - pattern->text);
    step->length = (int32_t)(end - start);
    return create(p, STN_TERM_STEP, pattern->step_count - 1, NO_TERM, 0, 0);
}

/* ---- operators ---- */

static int32_t parse_times(parser *p)
{
    int32_t number = 0;
    const char *start = p->at;
    skip_blanks(p);
    if (!stn_is_digit(*p->at)) {
        expected(p, "a number");
        return 0;
    }
    for (; stn_is_digit(*p->at); p->at++)
        if ((number = 10 * number + (*p->at - '0')) > MAX_TIMES) {
            complain(p, start, "more than %d repetitions", MAX_TIMES);
            return 0;
        }
    skip_blanks(p);
    return number;
}

/* {n}, {n,} or {n,m} */
static int parse_braces(parser *p, int term)
{
    const char *start = p->at++;
    int32_t least = parse_times(p), maximum = least;
    if (p->status == STN_OK && *p->at == ',') {
        p->at++;
        skip_blanks(p);
        maximum = *p->at == '}' ? INT32_MAX : parse_times(p);
    }
    if (p->status == STN_OK && *p->at != '}')
        return expected(p, "}");
    p->at += *p->at == '}';
    if (maximum < least)
        return complain(p, start, "the maximum number of repetitions is less than the minimum");
    return create(p, STN_TERM_REPEAT, term, NO_TERM, least, maximum);
}

static int parse_either(parser *p);

static int parse_atom(parser *p)
{
    skip_blanks(p);
    if (*p->at != '(')
        return parse_step(p);
    if (p->depth == MAX_DEPTH)
        return complain(p, p->at, "more than %d nested (", MAX_DEPTH);
    p->at++;
    p->depth++;
    const int inside = parse_either(p);
    p->depth--;
    if (p->status != STN_OK)
        return NO_TERM;
    if (*p->at != ')')
        return expected(p, "; & | or )");
    p->at++;
    return inside;
}

static int parse_repeat(parser *p)
{
    int term = parse_atom(p);
    for (skip_blanks(p); p->status == STN_OK && *p->at && strchr("*+?{", *p->at); skip_blanks(p)) {
        const char sign = *p->at;
        if (sign == '{') {
            term = parse_braces(p, term);
            continue;
        }
        p->at++;
        term = create(p, STN_TERM_REPEAT, term, NO_TERM, sign == '+', sign == '?' ? 1 : INT32_MAX);
    }
    return term;
}

/* Combines terms of the same operator from last to first, so that the first operand is
 * outermost. */
static int parse_chain(parser *p, char sign, stn_term_kind kind, int (*parse)(parser *))
{
    int terms[STN_MAX_STEPS], count = 0;
    do {
        p->at += count > 0;
        if (count == STN_MAX_STEPS)
            return complain(p, p->at, "more than %d instructions", STN_MAX_STEPS);
        terms[count++] = parse(p);
        skip_blanks(p);
    } while (p->status == STN_OK && *p->at == sign);
    int combined = terms[--count];
    while (count > 0)
        combined = create(p, kind, terms[--count], combined, 0, 0);
    return combined;
}

static int parse_sequence(parser *p)
{
    return parse_chain(p, ';', STN_TERM_SEQUENCE, parse_repeat);
}

static int parse_both(parser *p)
{
    return parse_chain(p, '&', STN_TERM_BOTH, parse_sequence);
}

static int parse_either(parser *p)
{
    return parse_chain(p, '|', STN_TERM_EITHER, parse_both);
}

/* ---- the pattern ---- */

static stn_status parse_all(parser *p)
{
    (void)create(p, STN_TERM_NOTHING, NO_TERM, NO_TERM, 0, 0);
    p->pattern->root = parse_either(p);
    if (p->status == STN_OK && *p->at)
        expected(p, "; & | or the end of the sequence");
    if (p->status == STN_OK && p->pattern->terms[p->pattern->root].is_optional)
        complain(p, p->pattern->text, "the sequence can be empty, which would match everywhere");
    return p->status;
}

stn_status stn_pattern_parse(const char *text, size_t length, stn_pattern **pattern,
                             stn_pattern_fault *fault)
{
    *pattern = NULL;
    *fault = (stn_pattern_fault){0, ""};
    if (length > MAX_TEXT) {
        snprintf(fault->reason, sizeof fault->reason, "the sequence is longer than %d characters",
                 MAX_TEXT);
        return STN_ERR_PARSE;
    }
    STN_TRY(stn_allocate(pattern, 1, sizeof **pattern, "a sequence"));
    memset(*pattern, 0, sizeof **pattern);
    stn_status status = stn_allocate(&(*pattern)->text, (int64_t)length + 1, 1, "a sequence");
    if (status == STN_OK) {
        memcpy((*pattern)->text, text, length);
        (*pattern)->text[length] = '\0';
        parser p = {*pattern, (*pattern)->text, fault, STN_OK, 0};
        status = parse_all(&p);
    }
    if (status == STN_OK)
        return STN_OK;
    stn_pattern_free(*pattern);
    *pattern = NULL;
    return status;
}

void stn_pattern_free(stn_pattern *pattern)
{
    if (!pattern)
        return;
    for (int s = 0; s < pattern->step_count; s++)
        if (pattern->steps[s].expression) {
            regfree(pattern->steps[s].expression);
            stn_free(pattern->steps[s].expression);
        }
    stn_free(pattern->text);
    stn_free(pattern);
}
