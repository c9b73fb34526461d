/* Registers and memory operands of x86-64 in the syntax of objdump and llvm-objdump. */
#include "contract/isa/x86_operand.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "contract/isa/line.h"

typedef struct width {
    const char *word;
    int bits;
} width;

static const width widths[] = {{"byte", 8},      {"word", 16},     {"dword", 32},   {"fword", 48},
                               {"qword", 64},    {"tbyte", 80},    {"oword", 128},  {"xword", 80},
                               {"xmmword", 128}, {"ymmword", 256}, {"zmmword", 512}};

/* The width suffix of a numbered register: r8d, r8w, r8b. */
static int numbered(const char *text, int *bits, int *length)
{
    char *end;
    const long number = strtol(text + 1, &end, 10);
    if (number < 8 || number > 31)
        return -1;
    *bits = *end == 'd' ? 32 : *end == 'w' ? 16 : *end == 'b' || *end == 'l' ? 8 : 64;
    *length = (int)(end - text) + (*bits != 64);
    return (int)number;
}

static int vector(const char *text, int *bits, int *length)
{
    const int is_mm = text[0] == 'm';
    char *end;
    if (!stn_starts(text + !is_mm, "mm") || !isdigit((unsigned char)text[3 - is_mm]))
        return -1;
    const long number = strtol(text + 3 - is_mm, &end, 10);
    *bits = is_mm ? 64 : text[0] == 'x' ? 128 : text[0] == 'y' ? 256 : 512;
    *length = (int)(end - text);
    return number > 31 ? -1 : X86_FIRST_VECTOR + (int)number;
}

/* rax, eax, ax, al, ah, spl and the like. */
static int named(const char *text, int *bits, int *length)
{
    static const char names[] = "axcxdxbxspbpsidi";
    const int has_letter = text[0] == 'r' || text[0] == 'e';
    const char *name = text + has_letter;
    for (int k = 0; k < 8 && name[0]; k++) {
        const char *expected = names + 2 * k;
        const int is_byte =
            !has_letter && name[0] == expected[0] &&
            (k < 4 ? name[1] == 'l' || name[1] == 'h' : name[1] == expected[1] && name[2] == 'l');
        if (!is_byte && (name[0] != expected[0] || name[1] != expected[1]))
            continue;
        *bits = is_byte ? 8 : !has_letter ? 16 : text[0] == 'r' ? 64 : 32;
        *length = has_letter + 2 + (is_byte && k >= 4);
        return k;
    }
    return -1;
}

int stn_x86_register(const char *text, int *bits, int *length)
{
    int number = -1;
    if (text[0] == 'r' && isdigit((unsigned char)text[1]))
        number = numbered(text, bits, length);
    else if (text[0] && strchr("xyzm", text[0]))
        number = vector(text, bits, length);
    else if (isalpha((unsigned char)text[0]))
        number = named(text, bits, length);
    return number >= 0 && !isalnum((unsigned char)text[*length]) ? number : -1;
}

static int bits_of(const char *operand, size_t length)
{
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++)
        if (strlen(widths[k].word) == length && memcmp(widths[k].word, operand, length) == 0)
            return widths[k].bits;
    return 0;
}

/* A term inside the brackets: a register with a scale on either side, or a number. */
static void decode_term(stn_access *access, const char *term, int is_negative, int *has_base)
{
    int bits, length, scale = 0;
    if (isdigit((unsigned char)term[0]) && term[1] == '*') {
        scale = term[0] - '0';
        term += 2;
    }
    const int number = stn_x86_register(term, &bits, &length);
    if (number < 0) {
        if (isdigit((unsigned char)term[0])) {
            const uint64_t value = strtoull(term, NULL, 0);
            access->displacement = (int64_t)(is_negative ? 0 - value : value);
        }
        return;
    }
    if (term[length] == '*')
        scale = atoi(term + length + 1);
    if (scale == 0 && number < X86_FIRST_VECTOR && !*has_base) {
        access->base = number;
        *has_base = 1;
        return;
    }
    access->index = number;
    access->scale = scale ? scale : 1;
}

static void decode_address(stn_access *access, const char *at)
{
    int has_base = 0, is_negative = 0;
    while (*at && *at != ']') {
        if (*at == '+' || *at == '-' || *at == ' ') {
            is_negative = *at == '-' || (is_negative && *at == ' ');
            at++;
            continue;
        }
        decode_term(access, at, is_negative, &has_base);
        at += strcspn(at, "+-]");
        is_negative = 0;
    }
    if (access->base == X86_RSP)
        access->space = STN_SPACE_STACK;
}

static int names_segment(const char *at)
{
    return at[0] && strchr("cdefgs", at[0]) && at[1] == 's' && at[2] == ':';
}

int stn_x86_memory(const char *operand, stn_access *access)
{
    memset(access, 0, sizeof *access);
    access->lanes = 1;
    access->base = access->index = -1;
    const char *at = operand;
    const size_t word = strcspn(at, " ");
    access->bits = bits_of(at, word);
    if (at[word] == ' ' && (stn_starts(at + word + 1, "ptr") || stn_starts(at + word + 1, "bcst")))
        at += word + 1 + strcspn(at + word + 1, " ") + 1;
    at += names_segment(at) ? 3 : 0;
    if (*at != '[') {
        if (at == operand || !isdigit((unsigned char)*at))
            return 0;
        access->displacement = (int64_t)strtoull(at, NULL, 16);
        return 1;
    }
    decode_address(access, at + 1);
    return 1;
}
