/* Shared by the decoders of disassembly text: split lines, numbers, word tables. */
#ifndef STENO_CONTRACT_LINE_H
#define STENO_CONTRACT_LINE_H

#include "contract/isa/code.h"

enum { STN_LINE_OPERANDS = 8, STN_LINE_LENGTH = 256 };

/* One disassembled instruction in lower case; text longer than the longest real instruction is
 * truncated. */
typedef struct stn_line {
    char text[STN_LINE_LENGTH];
    const char *mnemonic;
    const char *operand[STN_LINE_OPERANDS]; /* split at commas outside of brackets and braces */
    int operands;
} stn_line;

/* `comment` begins a comment: "#" or "//". Symbols, as in <name+0x8>, `prefixes` (separated by
 * spaces) and words in braces before the mnemonic are removed. */
void stn_line_split(stn_line *line, const char *text, const char *comment, const char *prefixes);

/* Does the string begin, or end, with another? */
int stn_starts(const char *string, const char *with);
int stn_ends(const char *string, const char *with);

/* Is `word` one of `words`, which are separated by spaces? */
int stn_is_one_of(const char *word, const char *words);

/* A number in C syntax, optionally preceded by "#" and a sign; 0 if it is invalid. */
int stn_parse_number(const char *text, int64_t *number);

/* A hexadecimal jump address, with or without 0x; 0 if it is invalid. */
int stn_parse_address(const char *text, uint64_t *address);

/* A hash table of words with a number for each. */
enum { STN_WORDS = 2048 };
typedef struct stn_mnemonics {
    struct {
        const char *word; /* terminated by a space or 0 */
        int length, number;
    } slot[STN_WORDS];
    int count;
} stn_mnemonics;

/* Existing words keep their number. */
void stn_mnemonics_add(stn_mnemonics *words, const char *list, int number);

/* The number of the word with these `length` characters, -1 if it is missing. */
int stn_mnemonics_find(const stn_mnemonics *words, const char *word, size_t length);

/* Clears an instruction except for address, size and text. */
void stn_instruction_clear(stn_machine_instruction *instruction);

#endif
