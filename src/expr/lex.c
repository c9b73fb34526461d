/* Tokens of a kernel text. */
#include "expr/lex.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest first. */
static const char *const signs[] = {
    "<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=",
    "<=",  ">=",  "&&", "||", "<<", ">>", "+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",
    "~",   "!",   "<",  ">",  "=",  "?",  ":",  ";",  ",",  ".",  "(",  ")",  "{",  "}"};

static int is_part_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

stn_status stn_lex_fail(const stn_lexer *lexer, const stn_token *token, const char *message)
{
    char buffer[256];
    const int maximum = token->length > 60 ? 60 : token->length;
    const char *const position = strstr(message, "%s");
    if (position)
        snprintf(buffer, sizeof buffer, "%.*s%.*s%s", (int)(position - message), message, maximum,
                 token->begin, position + 2);
    else
        snprintf(buffer, sizeof buffer, "%s", message);
    return stn_fail(STN_ERR_PARSE, "%s%d:%d: %s", lexer->what, token->line, token->column, buffer);
}

static void step(stn_lexer *lexer)
{
    lexer->column = *lexer->at == '\n' ? 1 : lexer->column + 1;
    lexer->line += *lexer->at == '\n';
    lexer->at++;
}

/* White space and comments. */
static stn_status skip_blank(stn_lexer *lexer)
{
    for (;;) {
        while (*lexer->at && isspace((unsigned char)*lexer->at))
            step(lexer);
        if (strncmp(lexer->at, "//", 2) == 0) {
            while (*lexer->at && *lexer->at != '\n')
                step(lexer);
        } else if (strncmp(lexer->at, "/*", 2) == 0) {
            const stn_token begin = {STN_TOKEN_SIGN, lexer->at, 2, lexer->line, lexer->column};
            const char *const end = strstr(lexer->at + 2, "*/");
            if (!end)
                return stn_lex_fail(lexer, &begin, "a comment is not terminated");
            while (lexer->at < end + 2)
                step(lexer);
        } else {
            return STN_OK;
        }
    }
}

static int length_of_sign(const char *at)
{
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (strncmp(at, signs[k], strlen(signs[k])) == 0)
            return (int)strlen(signs[k]);
    return 0;
}

/* Digits, letters, periods, and signs after an exponent letter. */
static int length_of_number(const char *at)
{
    const int is_hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    int length = 0;
    while (is_part_of_word(at[length]) || at[length] == '.' ||
           (length > 0 && (at[length] == '+' || at[length] == '-') &&
            strchr(is_hexadecimal ? "pP" : "eE", at[length - 1])))
        length++;
    return length;
}

stn_status stn_lex_next(stn_lexer *lexer)
{
    STN_TRY(skip_blank(lexer));
    const char *const at = lexer->at;
    stn_token token = {STN_TOKEN_END, at, 0, lexer->line, lexer->column};
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        token.kind = STN_TOKEN_NUMBER;
        token.length = length_of_number(at);
    } else if (is_part_of_word(*at)) {
        token.kind = STN_TOKEN_NAME;
        while (is_part_of_word(at[token.length]))
            token.length++;
    } else if (*at) {
        token.kind = STN_TOKEN_SIGN;
        token.length = length_of_sign(at);
    }
    if (*at && token.length == 0) {
        token.length = 1;
        return stn_lex_fail(lexer, &token,
                            *at > ' ' && *at < 127 ? "unexpected character '%s'"
                                                   : "unexpected character");
    }
    lexer->token = token;
    lexer->at += token.length;
    lexer->column += token.length;
    return STN_OK;
}

stn_status stn_lex_begin(stn_lexer *lexer, const char *what, const char *text)
{
    *lexer = (stn_lexer){.what = what, .at = text, .line = 1, .column = 1};
    return stn_lex_next(lexer);
}

int stn_token_is(const stn_token *token, const char *expected)
{
    return token->kind != STN_TOKEN_END && (size_t)token->length == strlen(expected) &&
           memcmp(token->begin, expected, (size_t)token->length) == 0;
}

stn_status stn_lex_expect(stn_lexer *lexer, const char *sign)
{
    char message[48];
    if (stn_token_is(&lexer->token, sign))
        return stn_lex_next(lexer);
    snprintf(message, sizeof message,
             lexer->token.kind == STN_TOKEN_END ? "'%s' is missing at the end"
                                                : "'%s' is missing before '%%s'",
             sign);
    return stn_lex_fail(lexer, &lexer->token, message);
}

/* u, l, ll and similar suffixes of an integer. */
static int parse_integer_suffix(const char *at, const char *end, stn_literal *literal)
{
    int count_of_u = 0, count_of_l = 0;
    for (; at < end; at++) {
        const int is_u = *at == 'u' || *at == 'U', is_l = *at == 'l' || *at == 'L';
        if (!(is_u || is_l) || (is_l && count_of_l == 1 && at[-1] != *at))
            return 0;
        count_of_u += is_u;
        count_of_l += is_l;
    }
    literal->is_unsigned = count_of_u;
    literal->is_long = count_of_l > 0;
    return count_of_u <= 1 && count_of_l <= 2;
}

static stn_status parse_integer(const stn_lexer *lexer, const char *digits, stn_literal *literal)
{
    char *end;
    errno = 0;
    literal->kind = STN_LITERAL_INTEGER;
    literal->integer = strtoull(digits, &end, 0);
    literal->is_decimal = *digits != '0';
    if (errno == ERANGE || (literal->is_decimal && literal->integer > INT64_MAX))
        return stn_lex_fail(lexer, &lexer->token, "%s is too large");
    if (end == digits || !parse_integer_suffix(end, digits + strlen(digits), literal))
        return stn_lex_fail(lexer, &lexer->token, "%s is not a number");
    return STN_OK;
}

stn_status stn_lex_number(const stn_lexer *lexer, stn_literal *literal)
{
    enum { MAX_NUMBER_LENGTH = 100 };
    char digits[MAX_NUMBER_LENGTH + 1], *end;
    const int length = lexer->token.length;
    memset(literal, 0, sizeof *literal);
    if (length > MAX_NUMBER_LENGTH)
        return stn_lex_fail(lexer, &lexer->token, "a number is too long");
    memcpy(digits, lexer->token.begin, (size_t)length);
    digits[length] = '\0';
    const int is_hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (!strpbrk(digits, is_hexadecimal ? ".pP" : ".eE"))
        return parse_integer(lexer, digits, literal);
    const int is_float = digits[length - 1] == 'f' || digits[length - 1] == 'F';
    literal->kind = is_float ? STN_LITERAL_FLOAT : STN_LITERAL_DOUBLE;
    literal->real = is_float ? (double)strtof(digits, &end) : strtod(digits, &end);
    if (is_hexadecimal && !strpbrk(digits, "pP"))
        end = digits;
    if (end == digits || end != digits + length - is_float)
        return stn_lex_fail(lexer, &lexer->token, "%s is not a number");
    return STN_OK;
}
