/* The text of an expectation file as it is read: a cursor, words, and sentences with places. */
#ifndef STENO_CONTRACT_EXPECT_TEXT_H
#define STENO_CONTRACT_EXPECT_TEXT_H

#include "contract/check/expect.h"

enum { STN_MOST_WORD = 40 };

typedef struct stn_parser {
    stn_expectations *all;
    const char *at, *line_start;
    int32_t line;
    char *string; /* where the next name goes in all->strings */
} stn_parser;

stn_place stn_parser_place(const stn_parser *p, const char *at);

/* STN_ERR_PARSE with the place of `at`. */
stn_status stn_parser_complain(const stn_parser *p, const char *at, const char *message, ...)
    __attribute__((format(printf, 3, 4)));

/* "expected `what`, not" what stands at the cursor. */
stn_status stn_parser_expected(const stn_parser *p, const char *what);

/* Over blanks and a comment, up to the end of the line; over ends of lines, too. */
void stn_parser_skip_blanks(stn_parser *p);
void stn_parser_skip_lines(stn_parser *p);

int stn_is_letter(char c);
int stn_is_digit(char c);

/* Of the word at `at`; its characters besides letters and digits are in `others`. */
size_t stn_word_length(const char *at, const char *others);

/* A copy that lives as long as the expectations. Every kept string is followed by a character in
 * the text that is in none, so the copies have room in a block of the text's size. */
const char *stn_parser_keep(stn_parser *p, const char *start, size_t length);

/* Whether there is a relation; then the cursor stands behind it. */
int stn_parse_relation(stn_parser *p, stn_relation *relation);

/* expect_head.c: `kernel` and all up to : or {. */
stn_status stn_parse_head(stn_parser *p, stn_expectation *expectation);

#endif
