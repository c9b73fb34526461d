/* Registers of AArch64: names, widths and arrangements. */
#include "contract/isa/aarch64_operand.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int letter_bits(char letter)
{
    static const char letters[] = "bhsdq";
    const char *at = strchr(letters, letter);
    return letter == 'x' ? 64 : letter == 'w' ? 32 : at && letter ? 8 << (at - letters) : 0;
}

static a64_operand arranged(int number, const char *dot)
{
    char *letter;
    const long written = strtol(dot + 1, &letter, 10);
    const long lanes = written <= 16 ? written : 0;
    a64_operand result = {number, 128, (int)lanes, letter_bits(*letter) / 8, 1};
    if (lanes > 0)
        result.bits = result.lanes * 8 * result.element;
    else
        result.lanes = 1;
    return result;
}

/* z0.d has two numbers per 128 bits; for z0 the count is unknown. */
static a64_operand scalable(int number, char letter)
{
    const int bytes = letter_bits(letter) / 8;
    const a64_operand result = {number, 128, bytes ? 16 / bytes : 1, bytes < 16 ? bytes : 0, 1};
    return result;
}

a64_operand stn_aarch64_register(const char *text)
{
    const a64_operand none = {-1, 0, 1, 0, 0};
    char *end;
    if (stn_is_one_of(text, "sp wsp xzr wzr")) {
        const a64_operand special = {strstr(text, "sp") ? A64_SP : -1, text[0] == 'w' ? 32 : 64, 1,
                                     0, 0};
        return special;
    }
    if (!text[0] || !isdigit((unsigned char)text[1]))
        return none;
    const int number = (int)strtol(text + 1, &end, 10);
    if (text[0] == 'z' && (*end == '.' || *end == '\0') && number < 32)
        return scalable(A64_FIRST_VECTOR + number, *end ? end[1] : 'q');
    if (text[0] == 'v' && *end == '.')
        return arranged(A64_FIRST_VECTOR + number, end);
    const int bits = letter_bits(text[0]), is_vector = text[0] != 'x' && text[0] != 'w';
    if (!bits || *end || number > 31)
        return none;
    const a64_operand plain = {number + (is_vector ? A64_FIRST_VECTOR : 0), bits, 1,
                               text[0] == 'q' ? 0 : bits / 8, is_vector};
    return plain;
}

/* ---- addresses ---- */

/* A part of an address after the base: register, shift or extension, or number. */
static void decode_part(stn_access *access, const char *part)
{
    const a64_operand found = stn_aarch64_register(part);
    int64_t number;
    if (found.bits) {
        access->index = found.number;
        access->scale = found.number >= 0;
    } else if (stn_parse_number(part, &number))
        access->displacement = number;
    else if (strchr(part, '#'))
        access->scale = 1 << (atoi(strchr(part, '#') + 1) & 7);
}

void stn_aarch64_address(stn_access *access, const char *text)
{
    char inside[64];
    const size_t length = strcspn(text + 1, "]");
    const size_t copied = length < sizeof inside ? length : sizeof inside - 1;
    memcpy(inside, text + 1, copied);
    inside[copied] = 0;
    char *at = inside;
    for (int part = 0; *at; part++) {
        char *const end = at + strcspn(at, ",");
        char *const next = *end ? end + 1 + strspn(end + 1, " ") : end;
        *end = 0;
        if (part == 0)
            access->base = stn_aarch64_register(at).number;
        else
            decode_part(access, at);
        at = next;
    }
    if (access->base == A64_SP)
        access->space = STN_SPACE_STACK;
}
