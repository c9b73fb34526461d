/* Splits a line of disassembly into words; numbers; word tables. */
#include "contract/isa/line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int stn_starts(const char *string, const char *with)
{
    return strncmp(string, with, strlen(with)) == 0;
}

int stn_ends(const char *string, const char *with)
{
    const size_t length = strlen(string), end = strlen(with);
    return length >= end && memcmp(string + length - end, with, end) == 0;
}

int stn_is_one_of(const char *word, const char *words)
{
    const size_t length = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        if (strcspn(at, " ") == length && memcmp(at, word, length) == 0)
            return length > 0;
    }
    return 0;
}

/* Copies up to a comment, in lower case, without <...> and with single spaces. */
static void copy_lower(char *to, const char *text, const char *comment)
{
    size_t length = 0;
    int depth = 0;
    for (; *text && length + 1 < STN_LINE_LENGTH; text++) {
        if (depth == 0 && stn_starts(text, comment))
            break;
        depth += *text == '<';
        const char plain = *text == '\t' ? ' ' : (char)tolower((unsigned char)*text);
        const int doubled = plain == ' ' && (length == 0 || to[length - 1] == ' ');
        if (depth == 0 && !doubled)
            to[length++] = plain;
        depth -= *text == '>' && depth > 0;
    }
    while (length > 0 && to[length - 1] == ' ')
        length--;
    to[length] = 0;
}

static void split_operands(stn_line *line, char *at)
{
    int depth = 0;
    while (*at && line->operands < STN_LINE_OPERANDS) {
        at += *at == ' ';
        line->operand[line->operands++] = at;
        for (; *at && (*at != ',' || depth > 0); at++)
            depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
        char *const end = at > line->text && at[-1] == ' ' ? at - 1 : at;
        at += *at == ',';
        *end = 0;
    }
}

void stn_line_split(stn_line *line, const char *text, const char *comment, const char *prefixes)
{
    copy_lower(line->text, text, comment);
    char *at = line->text;
    line->operands = 0;
    for (;;) {
        char *const end = at + strcspn(at, " ");
        const int is_last = *end == 0;
        line->mnemonic = at;
        *end = 0;
        at = is_last ? end : end + 1;
        if (is_last || (line->mnemonic[0] != '{' && !stn_is_one_of(line->mnemonic, prefixes)))
            break;
    }
    split_operands(line, at);
}

int stn_parse_number(const char *text, int64_t *number)
{
    text += *text == '#';
    const int is_negative = *text == '-';
    text += is_negative || *text == '+';
    if (!isdigit((unsigned char)*text))
        return 0;
    char *end;
    const int is_hexadecimal = text[0] == '0' && text[1] == 'x';
    const uint64_t value = strtoull(text, &end, is_hexadecimal ? 16 : 10);
    if (*end)
        return 0;
    *number = (int64_t)(is_negative ? 0 - value : value);
    return 1;
}

int stn_parse_address(const char *text, uint64_t *address)
{
    char *end;
    if (!isxdigit((unsigned char)*text))
        return 0;
    *address = strtoull(text, &end, 16);
    return *end == 0;
}

static size_t hash(const char *word, size_t length)
{
    uint32_t value = 2166136261u; /* FNV-1a */
    for (size_t k = 0; k < length; k++)
        value = (value ^ (unsigned char)word[k]) * 16777619u;
    return (value ^ value >> 15) % STN_WORDS;
}

/* The slot of a word, or the free slot for it. */
static size_t slot_of(const stn_mnemonics *words, const char *word, size_t length)
{
    size_t slot = hash(word, length);
    while (words->slot[slot].word && ((size_t)words->slot[slot].length != length ||
                                      memcmp(words->slot[slot].word, word, length) != 0))
        slot = (slot + 1) % STN_WORDS;
    return slot;
}

void stn_mnemonics_add(stn_mnemonics *words, const char *list, int number)
{
    for (const char *at = list + strspn(list, " "); *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " "), slot = slot_of(words, at, length);
        if (!words->slot[slot].word && words->count < STN_WORDS / 2) {
            words->slot[slot].word = at;
            words->slot[slot].length = (int)length;
            words->slot[slot].number = number;
            words->count++;
        }
        at += length;
    }
}

int stn_mnemonics_find(const stn_mnemonics *words, const char *word, size_t length)
{
    const size_t slot = slot_of(words, word, length);
    return words->slot[slot].word ? words->slot[slot].number : -1;
}

void stn_instruction_clear(stn_machine_instruction *instruction)
{
    const stn_machine_instruction kept = *instruction;
    memset(instruction, 0, sizeof *instruction);
    instruction->address = kept.address;
    instruction->bytes = kept.bytes;
    instruction->text = kept.text;
    instruction->flow = STN_FLOW_NEXT;
    instruction->operation = STN_OP_OTHER;
    instruction->lanes = 1;
    instruction->target = STN_NO_TARGET;
    instruction->step_register = -1;
    instruction->vector = -1;
}
