/* Parses the language of expectations (doc/contract.md): facts, and the contracts of a text. */
#include "contract/check/text.h"

#include <stdio.h>
#include <string.h>

#include "contract/check/pattern.h"
#include "core/memory.h"

/* Up to 10^12, with up to three digits after the point. */
static stn_status parse_number(stn_parser *p, int64_t *thousandths)
{
    const char *start = p->at;
    int64_t number = 0;
    int unit = STN_FACT_UNIT;
    if (!stn_is_digit(*p->at))
        return stn_parser_expected(p, "a number");
    for (; stn_is_digit(*p->at); p->at++)
        if ((number = 10 * number + (*p->at - '0')) > 1000000000000)
            return stn_parser_complain(p, start, "the number is too large");
    if (*p->at == '.') {
        p->at++;
        if (!stn_is_digit(*p->at))
            return stn_parser_expected(p, "a digit");
        for (; stn_is_digit(*p->at); p->at++, unit /= 10) {
            if (unit == 1)
                return stn_parser_complain(p, p->at, "more than three digits after the point");
            number = 10 * number + (*p->at - '0');
        }
    }
    *thousandths = number * unit;
    return stn_word_length(p->at, "_.") ? stn_parser_expected(p, ", or the end of the line")
                                        : STN_OK;
}

static stn_status parse_quantity(stn_parser *p, int32_t *quantity)
{
    char similar[128];
    const size_t length = stn_word_length(p->at, "_./");
    if (length == 0)
        return stn_parser_expected(p, "a quantity");
    *quantity = stn_quantity_find(p->at, length);
    if (*quantity < 0) {
        stn_quantity_similar(p->at, length, similar, sizeof similar);
        return stn_parser_complain(p, p->at, "unknown quantity '%.*s'%s%s%s",
                                   (int)(length < STN_MAX_WORD ? length : STN_MAX_WORD), p->at,
                                   *similar ? "; similar: " : "; see doc/contract.md", similar, "");
    }
    p->at += length;
    return STN_OK;
}

/* sequence "...", at least once unless a relation follows. */
static stn_status parse_sequence(stn_parser *p, stn_fact *fact)
{
    stn_pattern_fault fault;
    stn_parser_skip_blanks(p);
    if (*p->at != '"')
        return stn_parser_expected(p, "a sequence between \"");
    const char *start = ++p->at;
    p->at += strcspn(p->at, "\"\n");
    if (*p->at != '"')
        return stn_parser_complain(p, start - 1, "the closing \" of the sequence is missing");
    const stn_status status =
        stn_pattern_parse(start, (size_t)(p->at - start), &fact->pattern, &fault);
    if (status == STN_ERR_PARSE)
        return stn_parser_complain(p, start + fault.at, "%s", fault.reason);
    p->at++;
    return status;
}

static int is_sequence(const stn_parser *p)
{
    static const char word[] = "sequence";
    return stn_word_length(p->at, "_./") == sizeof word - 1 &&
           memcmp(p->at, word, sizeof word - 1) == 0;
}

static int ends_fact(const stn_parser *p)
{
    return *p->at == ',' || *p->at == '\n' || *p->at == '\0' || *p->at == '}';
}

static stn_status parse_fact(stn_parser *p, stn_expectation *expectation)
{
    const stn_text_position position = stn_parser_position(p, p->at);
    int32_t quantity = STN_SEQUENCE;
    const int is_pattern = is_sequence(p);
    if (is_pattern)
        p->at += strlen("sequence");
    else
        STN_TRY(parse_quantity(p, &quantity));
    stn_fact *fact = p->all->facts + p->all->fact_count++;
    expectation->fact_count++;
    *fact = (stn_fact){.position = position,
                       .quantity = quantity,
                       .relation = STN_RELATION_AT_LEAST,
                       .number = STN_FACT_UNIT};
    if (is_pattern)
        STN_TRY(parse_sequence(p, fact));
    stn_parser_skip_blanks(p);
    if (is_pattern && ends_fact(p))
        return STN_OK;
    if (*p->at == '=' && p->at[1] != '=')
        return stn_parser_complain(p, p->at, "use == instead of =");
    if (!stn_parse_relation(p, &fact->relation))
        return stn_parser_expected(p, "one of == != < <= > >=");
    stn_parser_skip_blanks(p);
    return parse_number(p, &fact->number);
}

/* Comma-separated facts up to the end of the line; a trailing comma continues on the next line. */
static stn_status parse_line_of_facts(stn_parser *p, stn_expectation *expectation)
{
    for (;;) {
        STN_TRY(parse_fact(p, expectation));
        stn_parser_skip_blanks(p);
        if (*p->at == '\n' || *p->at == '\0')
            return STN_OK;
        if (*p->at != ',')
            return stn_parser_expected(p, ", or the end of the line");
        p->at++;
        stn_parser_skip_lines(p);
    }
}

/* Facts separated by commas or line ends, up to }. */
static stn_status parse_block_of_facts(stn_parser *p, stn_expectation *expectation)
{
    stn_parser_skip_lines(p);
    do {
        STN_TRY(parse_fact(p, expectation));
        stn_parser_skip_blanks(p);
        if (*p->at != ',' && *p->at != '\n' && *p->at != '}')
            return stn_parser_expected(p, ", or } or the end of the line");
        p->at += *p->at == ',';
        stn_parser_skip_lines(p);
    } while (*p->at != '}');
    p->at++;
    stn_parser_skip_blanks(p);
    return *p->at == '\n' || *p->at == '\0' ? STN_OK
                                            : stn_parser_expected(p, "the end of the line");
}

static stn_status parse_contract(stn_parser *p, stn_expectation *expectation)
{
    STN_TRY(stn_parse_head(p, expectation));
    if (*p->at++ == '{')
        return parse_block_of_facts(p, expectation);
    stn_parser_skip_blanks(p);
    return parse_line_of_facts(p, expectation);
}

static stn_status parse_all(stn_parser *p)
{
    stn_expectations *all = p->all;
    for (stn_parser_skip_lines(p); *p->at; stn_parser_skip_lines(p))
        STN_TRY(parse_contract(p, all->list + all->count++));
    return all->count ? STN_OK : stn_parser_complain(p, p->at, "the file contains no contract");
}

/* ---- memory ---- */

static int32_t count_words(const char *text, const char *word)
{
    int32_t count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

static int32_t count_any(const char *text, const char *characters)
{
    int32_t count = 0;
    for (; *(text += strcspn(text, characters)); text++)
        count++;
    return count;
}

/* Upper bound of the number of contracts and facts: each contract begins with a keyword, and each
 * fact follows a colon, a brace, a comma or a line end. */
static stn_status reserve(stn_expectations *all, const char *text)
{
    const int32_t contracts = count_words(text, "kernel") + 1;
    const int32_t facts = count_any(text, ":{,\n") + 1;
    STN_TRY(stn_allocate(&all->strings, (int64_t)strlen(text) + 1, 1, "names in expectations"));
    STN_TRY(stn_allocate(&all->list, contracts, sizeof *all->list, "expectations"));
    return stn_allocate(&all->facts, facts, sizeof *all->facts, "facts");
}

stn_status stn_expectations_parse(const char *text, const char *name, stn_expectations *all)
{
    *all = (stn_expectations){.name = name};
    stn_status status = reserve(all, text);
    stn_parser p = {.all = all, .at = text, .line_start = text, .line = 1, .string = all->strings};
    if (status == STN_OK)
        status = parse_all(&p);
    if (status != STN_OK)
        stn_expectations_release(all);
    return status;
}

void stn_expectations_release(stn_expectations *all)
{
    for (int32_t f = 0; f < all->fact_count; f++)
        stn_pattern_free(all->facts[f].pattern);
    stn_free(all->strings);
    stn_free(all->list);
    stn_free(all->facts);
    *all = (stn_expectations){.name = NULL};
}
