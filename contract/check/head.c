/* The head of a contract: function, target, compilers and loop. */
#include "contract/check/text.h"

#include <stdio.h>
#include <string.h>

#include "contract/check/pattern.h"

enum { MAX_NAME = 1000, MAX_EXPRESSION = 256 };

static stn_status check_expression(const stn_parser *p, const char *start, const char *text)
{
    char reason[192];
    size_t at;
    return stn_expression_is_sound(text, &at, reason, sizeof reason)
               ? STN_OK
               : stn_parser_complain(p, start + at, "%s", reason);
}

/* /.../ up to the first slash without a backslash; backslashes before slashes are removed. */
static stn_status parse_expression(stn_parser *p, stn_expectation *expectation)
{
    const char *start = ++p->at;
    char *kept = p->string;
    for (; *p->at != '/'; p->at++) {
        if (*p->at == '\0' || *p->at == '\n')
            return stn_parser_complain(p, start - 1, "the closing / of the expression is missing");
        if (p->at - start >= MAX_EXPRESSION)
            return stn_parser_complain(p, start, "the expression is longer than %d characters",
                                       MAX_EXPRESSION);
        if (*p->at == '\\' && p->at[1] == '/')
            p->at++;
        else if (*p->at == '\\' && p->at[1] && p->at[1] != '\n')
            *p->string++ = *p->at++;
        *p->string++ = *p->at;
    }
    p->at++;
    *p->string++ = '\0';
    if (*kept == '\0')
        return stn_parser_complain(p, start, "the expression is empty");
    expectation->function = kept;
    expectation->is_expression = 1;
    return check_expression(p, start, kept);
}

/* Symbols as spelled by compilers: letters outside ASCII are UTF-8 bytes. */
static size_t symbol_length(const char *at)
{
    size_t length = 0, part;
    do {
        part = stn_word_length(at + length, "_.$");
        while ((unsigned char)at[length + part] >= 0x80)
            part++;
        length += part;
    } while (part > 0);
    return length;
}

static stn_status parse_function(stn_parser *p, stn_expectation *expectation)
{
    if (*p->at == '/')
        return parse_expression(p, expectation);
    const size_t length = symbol_length(p->at);
    if (length == 0)
        return stn_parser_expected(p, "a function's symbol or /expression/");
    if (length > MAX_NAME)
        return stn_parser_complain(p, p->at, "the symbol is longer than %d characters", MAX_NAME);
    expectation->function = stn_parser_copy(p, p->at, length);
    p->at += length;
    return STN_OK;
}

static stn_status parse_target(stn_parser *p, stn_expectation *expectation)
{
    if (*p->at != '@')
        return stn_parser_expected(p, "@ and a target");
    p->at++;
    const size_t length = stn_word_length(p->at, "_-*?|");
    if (length == 0)
        return stn_parser_expected(p, "a target such as x86-64 or sm_*");
    if (length > STN_MAX_WORD)
        return stn_parser_complain(p, p->at, "the target is longer than %d characters",
                                   STN_MAX_WORD);
    expectation->target = stn_parser_copy(p, p->at, length);
    for (const char *at = expectation->target;; at++) { /* each alternative */
        const size_t part = strcspn(at, "|");
        if (!stn_target_is_known(at, part))
            return stn_parser_complain(p, p->at + (at - expectation->target),
                                       "unknown target '%.*s' (known: x86-64, x86-64-v2 to "
                                       "x86-64-v4, aarch64, sm_75 to sm_120)",
                                       (int)part, at);
        at += part;
        if (!*at)
            break;
    }
    p->at += length;
    return STN_OK;
}

static stn_status parse_version(stn_parser *p, stn_compiler_rule *rule)
{
    stn_parser_skip_blanks(p);
    do {
        int32_t number = 0;
        p->at += rule->parts > 0; /* skips the dot */
        if (!stn_is_digit(*p->at))
            return stn_parser_expected(p, "a version number");
        for (; stn_is_digit(*p->at); p->at++)
            if ((number = 10 * number + (*p->at - '0')) > 99999)
                return stn_parser_complain(p, p->at, "a version number is too large");
        rule->version[rule->parts++] = number;
    } while (*p->at == '.' && rule->parts < STN_VERSION_PARTS);
    return *p->at == '.' ? stn_parser_expected(p, "at most three numbers in a version") : STN_OK;
}

static const char restrictions[] = "a compiler (gcc, clang, nvcc), loop=, calls=left-out, : or {";

static stn_status parse_rule(stn_parser *p, stn_expectation *expectation, size_t length)
{
    if (expectation->rule_count == STN_MAX_RULES)
        return stn_parser_complain(p, p->at, "more than %d rules for compilers", STN_MAX_RULES);
    stn_compiler_rule *rule = expectation->rules + expectation->rule_count++;
    *rule = (stn_compiler_rule){.name = stn_parser_copy(p, p->at, length)};
    if (!stn_compiler_is_known(rule->name))
        return stn_parser_expected(p, restrictions);
    p->at += length;
    stn_parser_skip_blanks(p);
    if (*p->at == '=' && p->at[1] != '=')
        return stn_parser_complain(p, p->at, "use == instead of =");
    return stn_parse_relation(p, &rule->relation) ? parse_version(p, rule) : STN_OK;
}

static stn_status parse_loop(stn_parser *p, stn_expectation *expectation)
{
    const size_t length = stn_word_length(p->at, "_");
    const char *word = p->at;
    int32_t number = 0;
    p->at += length;
    if (length == 4 && memcmp(word, "main", length) == 0)
        expectation->loop = STN_LOOP_MAIN;
    else if (length == 4 && memcmp(word, "none", length) == 0)
        expectation->loop = STN_LOOP_NONE;
    else {
        for (size_t k = 0; k < length && number >= 0; k++)
            number = stn_is_digit(word[k]) && number <= 99999 ? 10 * number + (word[k] - '0') : -1;
        if (length == 0 || number < 0) {
            p->at = word;
            return stn_parser_expected(p, "main, none or the number of a loop");
        }
        expectation->loop = number;
    }
    return STN_OK;
}

static stn_status parse_calls(stn_parser *p, stn_expectation *expectation)
{
    static const char word[] = "left-out";
    if (stn_word_length(p->at, "_-") != sizeof word - 1 ||
        strncmp(p->at, word, sizeof word - 1) != 0)
        return stn_parser_expected(p, "left-out");
    p->at += sizeof word - 1;
    expectation->leaves_out_calls = 1;
    return STN_OK;
}

static int is_option(const stn_parser *p, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(p->at, name, length) == 0 && p->at[length] != '=';
}

/* Compilers, loop and treatment of calls in any order, up to : or {. */
static stn_status parse_restrictions(stn_parser *p, stn_expectation *expectation)
{
    int loops = 0;
    for (;;) {
        stn_parser_skip_blanks(p);
        const size_t length = stn_word_length(p->at, "_+");
        if (*p->at == ':' || *p->at == '{')
            return STN_OK;
        if (length == 0 || !stn_is_letter(*p->at))
            return stn_parser_expected(p, restrictions);
        if (length > STN_MAX_WORD)
            return stn_parser_complain(p, p->at, "the word is longer than %d characters",
                                       STN_MAX_WORD);
        if (is_option(p, "loop=")) {
            if (loops++)
                return stn_parser_complain(p, p->at, "loop= is given twice");
            p->at += 5;
            STN_TRY(parse_loop(p, expectation));
        } else if (is_option(p, "calls=")) {
            p->at += 6;
            STN_TRY(parse_calls(p, expectation));
        } else {
            STN_TRY(parse_rule(p, expectation, length));
        }
    }
}

stn_status stn_parse_head(stn_parser *p, stn_expectation *expectation)
{
    *expectation = (stn_expectation){.position = stn_parser_position(p, p->at),
                                     .loop = STN_LOOP_NONE,
                                     .first_fact = p->all->fact_count};
    if (stn_word_length(p->at, "_") != 6 || strncmp(p->at, "kernel", 6) != 0)
        return stn_parser_expected(p, "kernel");
    p->at += 6;
    stn_parser_skip_blanks(p);
    STN_TRY(parse_function(p, expectation));
    stn_parser_skip_blanks(p);
    STN_TRY(parse_target(p, expectation));
    return parse_restrictions(p, expectation);
}
