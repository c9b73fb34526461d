/* Tokens of a kernel text, read sequentially. */
#ifndef STENO_LAUNCH_PROGRAM_LEX_H
#define STENO_LAUNCH_PROGRAM_LEX_H

#include "core/status.h"

typedef enum stn_token_kind {
    STN_TOKEN_END,
    STN_TOKEN_NAME,
    STN_TOKEN_NUMBER,
    STN_TOKEN_SIGN /* operator, parenthesis, comma and so on */
} stn_token_kind;

typedef struct stn_token {
    stn_token_kind kind;
    const char *begin;
    int length, line, column; /* from 1 */
} stn_token;

typedef struct stn_lexer {
    const char *what; /* "kernel axpy, ", for messages */
    const char *at;   /* after the token */
    int line, column; /* of `at` */
    stn_token token;
} stn_lexer;

/* Reads the first token. STN_ERR_PARSE, also below. */
stn_status stn_lex_begin(stn_lexer *lexer, const char *what, const char *text);
stn_status stn_lex_next(stn_lexer *lexer);

/* Is the token this word or sign? */
int stn_token_is(const stn_token *token, const char *expected);

/* Reads the next token if this is the given sign, else fails: "; is missing". */
stn_status stn_lex_expect(stn_lexer *lexer, const char *sign);

/* "what line:column: message", with the token's text for %.*s. */
stn_status stn_lex_fail(const stn_lexer *lexer, const stn_token *token, const char *message);

/* The value of a number. */
typedef struct stn_literal {
    enum { STN_LITERAL_INTEGER, STN_LITERAL_FLOAT, STN_LITERAL_DOUBLE } kind;
    uint64_t integer;
    int is_decimal, is_unsigned, is_long;
    double real;
} stn_literal;
stn_status stn_lex_number(const stn_lexer *lexer, stn_literal *literal);

#endif
