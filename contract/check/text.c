/* The text of an expectation file while it is parsed: a cursor, words, and messages with
 * positions. */
#include "contract/check/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

stn_text_position stn_parser_position(const stn_parser *p, const char *at)
{
    return (stn_text_position){p->line, (int32_t)(at - p->line_start) + 1};
}

stn_status stn_parser_complain(const stn_parser *p, const char *at, const char *message, ...)
{
    char text[384];
    const stn_text_position position = stn_parser_position(p, at);
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    return stn_fail(STN_ERR_PARSE, "%.100s:%" PRId32 ":%" PRId32 ": %s", p->all->name,
                    position.line, position.column, text);
}

/* The text at the cursor, for messages about unexpected text. */
static const char *shown(const char *at, char *buffer)
{
    const unsigned char c = (unsigned char)*at;
    int length = 0;
    if (c == '\0')
        return "the end of the file";
    if (c == '\n' || c == '\r' || c == '#')
        return "the end of the line";
    if (c < ' ' || c > '~') {
        snprintf(buffer, STN_MAX_WORD, "the byte 0x%02x", c);
        return buffer;
    }
    while (length < 20 && at[length] > ' ' && at[length] <= '~' && !strchr(",:{}", at[length]))
        length++;
    snprintf(buffer, STN_MAX_WORD, "'%.*s'", length ? length : 1, at);
    return buffer;
}

stn_status stn_parser_expected(const stn_parser *p, const char *what)
{
    char buffer[STN_MAX_WORD];
    return stn_parser_complain(p, p->at, "expected %s, not %s", what, shown(p->at, buffer));
}

/* ---- characters ---- */

void stn_parser_skip_blanks(stn_parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
        p->at++;
    if (*p->at == '#')
        p->at += strcspn(p->at, "\n");
}

void stn_parser_skip_lines(stn_parser *p)
{
    stn_parser_skip_blanks(p);
    while (*p->at == '\n') {
        p->at++;
        p->line++;
        p->line_start = p->at;
        stn_parser_skip_blanks(p);
    }
}

int stn_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int stn_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

size_t stn_word_length(const char *at, const char *others)
{
    size_t length = 0;
    while (stn_is_letter(at[length]) || stn_is_digit(at[length]) ||
           (at[length] && strchr(others, at[length])))
        length++;
    return length;
}

const char *stn_parser_copy(stn_parser *p, const char *start, size_t length)
{
    char *string = p->string;
    memcpy(string, start, length);
    string[length] = '\0';
    p->string += length + 1;
    return string;
}

int stn_parse_relation(stn_parser *p, stn_relation *relation)
{
    for (int r = STN_RELATION_AT_LEAST; r >= 0; r--) {
        const char *text = stn_relation_text((stn_relation)r);
        if (strncmp(p->at, text, strlen(text)) == 0 && (text[1] || p->at[1] != '=')) {
            p->at += strlen(text);
            *relation = (stn_relation)r;
            return 1;
        }
    }
    return 0;
}

const char *stn_relation_text(stn_relation relation)
{
    static const char *const texts[] = {"==", "!=", "<", "<=", ">", ">="};
    return texts[relation];
}

int stn_relation_holds(int64_t left, stn_relation relation, int64_t right)
{
    switch (relation) {
    case STN_RELATION_EQUAL:
        return left == right;
    case STN_RELATION_NOT_EQUAL:
        return left != right;
    case STN_RELATION_LESS:
        return left < right;
    case STN_RELATION_AT_MOST:
        return left <= right;
    case STN_RELATION_MORE:
        return left > right;
    default:
        return left >= right;
    }
}
