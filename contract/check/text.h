/* The text of an expectation file while it is parsed: a cursor, words, and messages with
 * positions. */
#ifndef STENO_CONTRACT_EXPECT_TEXT_H
#define STENO_CONTRACT_EXPECT_TEXT_H

#include "contract/check/expect.h"

enum { STN_MAX_WORD = 40 };

typedef struct stn_parser {
    stn_expectations *all;
    const char *at, *line_start;
    int32_t line;
    char *string; /* next free position in all->strings */
} stn_parser;

stn_text_position stn_parser_position(const stn_parser *p, const char *at);

/* STN_ERR_PARSE with the position of `at`. */
stn_status stn_parser_complain(const stn_parser *p, const char *at, const char *message, ...)
    __attribute__((format(printf, 3, 4)));

/* "expected `what`, not" followed by the text at the cursor. */
stn_status stn_parser_expected(const stn_parser *p, const char *what);

/* Skips blanks and a comment up to the end of the line; with `lines`, also line ends. */
void stn_parser_skip_blanks(stn_parser *p);
void stn_parser_skip_lines(stn_parser *p);

int stn_is_letter(char c);
int stn_is_digit(char c);

/* Length of the word at `at`; `others` are its characters besides letters and digits. */
size_t stn_word_length(const char *at, const char *others);

/* A copy with the lifetime of the expectations. Each kept string is followed by a character of the
 * text that is in no string, so that the copies fit into a block of the text's size. */
const char *stn_parser_copy(stn_parser *p, const char *start, size_t length);

/* Parses a relation and moves the cursor after it; 0 if there is none. */
int stn_parse_relation(stn_parser *p, stn_relation *relation);

/* head.c: `kernel` and everything up to : or {. */
stn_status stn_parse_head(stn_parser *p, stn_expectation *expectation);

#endif
