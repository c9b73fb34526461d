/* What the decoders of disassembly text share: a line split into words, numbers, tables of words.
 */
#ifndef STENO_CONTRACT_LINE_H
#define STENO_CONTRACT_LINE_H

#include "contract/isa/code.h"

enum { STN_LINE_OPERANDS = 8, STN_LINE_LENGTH = 256 };

/* One disassembled instruction in lower case; what is longer than the longest real one is cut. */
typedef struct stn_line {
    char text[STN_LINE_LENGTH];
    const char *mnemonic;
    const char *operand[STN_LINE_OPERANDS]; /* split at commas outside brackets and braces */
    int operands;
} stn_line;

/* `comment` is the mark that begins one: "#" or "//". Symbols, as in <name+0x8>, are left out, and
 * so are the words of `prefixes`, separated by spaces, and words in braces before the mnemonic. */
void stn_line_split(stn_line *line, const char *text, const char *comment, const char *prefixes);

/* Whether the string begins, or ends, with another. */
int stn_starts(const char *string, const char *with);
int stn_ends(const char *string, const char *with);

/* Whether `word` is one of `words`, which are separated by spaces. */
int stn_is_one_of(const char *word, const char *words);

/* A number in the way of C, with or without "#" and a sign before it; 0 when it is none. */
int stn_parse_number(const char *text, int64_t *number);

/* An address as in jumps: hexadecimal, with or without 0x; 0 when it is none. */
int stn_parse_address(const char *text, uint64_t *address);

/* Words and a number for each, as a hash table. */
enum { STN_WORDS = 2048 };
typedef struct stn_mnemonics {
    struct {
        const char *word; /* ends at a space or at the end */
        int length, number;
    } slot[STN_WORDS];
    int count;
} stn_mnemonics;

/* Words that are there already keep their number. */
void stn_mnemonics_add(stn_mnemonics *words, const char *list, int number);

/* The number of the first `length` characters, -1 when they are no word. */
int stn_mnemonics_find(const stn_mnemonics *words, const char *word, size_t length);

/* An instruction of which nothing is known yet, with its address, size and text kept. */
void stn_instruction_clear(stn_machine_instruction *instruction);

#endif
