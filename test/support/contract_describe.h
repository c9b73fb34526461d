/* A decoded instruction as a short string, for tables in tests.
 *
 *   +f64 4     arithmetic of four f64; / instead of + for divisions, ~ for approximations, * for
 * fma, = for conversions ?          unknown r256:8@7+0*8-16   a read (w: write, u: both) of 256
 * bits in numbers of 8 bytes, in memory at register 7 + register 0 * 8 - 16; % on the stack, &
 * constant; r64x4: a gather of four branch 50, jump 50, call 50, elsewhere, end   where control
 * goes, in hexadecimal; without a number: unknown 6+=8       a step of register 6 */
#ifndef STENO_TEST_CONTRACT_DESCRIBE_H
#define STENO_TEST_CONTRACT_DESCRIBE_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contract/isa/code.h"

static inline void describe_access(const stn_access *access, char *to, size_t room)
{
    char times[16] = "", index[32] = "";
    if (access->lanes > 1)
        snprintf(times, sizeof times, "x%d", access->lanes);
    if (access->index >= 0)
        snprintf(index, sizeof index, "+%d*%d", access->index, access->scale);
    snprintf(to, room, "%c%d%s:%d%c%d%s%+" PRId64,
             access->reads && access->writes ? 'u'
             : access->reads                 ? 'r'
                                             : 'w',
             access->bits, times, access->element,
             access->space == STN_SPACE_STACK      ? '%'
             : access->space == STN_SPACE_CONSTANT ? '&'
                                                   : '@',
             access->base, index, access->displacement);
}

static inline void describe_operation(const stn_machine_instruction *at, char *to, size_t room)
{
    static const char *const kinds[] = {"f64", "f32", "f16", "int"};
    const char mark = at->operation == STN_OP_ARITHMETIC   ? at->approximates ? '~'
                                                             : at->divides    ? '/'
                                                                              : '+'
                      : at->operation == STN_OP_FMA        ? '*'
                      : at->operation == STN_OP_CONVERSION ? '='
                                                           : '?';
    if (at->operation == STN_OP_UNKNOWN)
        snprintf(to, room, "?");
    else if (at->operation != STN_OP_OTHER)
        snprintf(to, room, "%c%s %d", mark, kinds[at->kind], at->lanes);
}

static inline void describe_flow(const stn_machine_instruction *at, char *to, size_t room)
{
    static const char *const flows[] = {"", "branch", "jump", "call", "elsewhere", "end"};
    if (at->flow == STN_FLOW_NEXT)
        return;
    if (at->target == STN_NO_TARGET)
        snprintf(to, room, "%s", flows[at->flow]);
    else
        snprintf(to, room, "%s %" PRIx64, flows[at->flow], at->target);
}

/* The parts with one space between them. */
static inline const char *describe(const stn_machine_instruction *at, char text[256])
{
    char parts[5][64] = {"", "", "", "", ""};
    describe_operation(at, parts[0], sizeof parts[0]);
    for (int k = 0; k < at->accesses && k < 2; k++)
        describe_access(&at->access[k], parts[1 + k], sizeof parts[1 + k]);
    describe_flow(at, parts[3], sizeof parts[3]);
    if (at->step_register >= 0)
        snprintf(parts[4], sizeof parts[4], "%d+=%" PRId64, at->step_register, at->step);
    text[0] = 0;
    for (int k = 0; k < 5; k++) {
        if (parts[k][0] && text[0])
            strcat(text, " ");
        strcat(text, parts[k]);
    }
    return text;
}

typedef struct line_case {
    const char *line, *expected;
} line_case;

/* The number of lines that are described otherwise than expected; they are printed. */
static inline int check_lines(const line_case *cases, size_t count,
                              void (*decode)(const char *, stn_machine_instruction *))
{
    int wrong = 0;
    for (size_t k = 0; k < count; k++) {
        char text[256];
        stn_machine_instruction instruction;
        memset(&instruction, 0x55, sizeof instruction);
        decode(cases[k].line, &instruction);
        if (strcmp(describe(&instruction, text), cases[k].expected) == 0)
            continue;
        printf("%s\n    is        %s\n    should be %s\n", cases[k].line, text, cases[k].expected);
        wrong++;
    }
    return wrong;
}

static inline int is_sound(const stn_machine_instruction *at)
{
    int sound = at->lanes >= 1 && at->lanes <= 64 && at->kind >= 0 && at->kind < STN_KINDS &&
                at->accesses >= 0 && at->accesses <= 2;
    for (int k = 0; sound && k < at->accesses; k++)
        sound = at->access[k].bits >= 8 && at->access[k].bits <= 512 && at->access[k].lanes >= 1 &&
                at->access[k].lanes <= 64;
    return sound;
}

/* The number of damaged lines that become instructions of impossible sizes; they are printed. */
static inline int check_damaged(const line_case *cases, size_t count,
                                void (*decode)(const char *, stn_machine_instruction *))
{
    static const char marks[] = " ,[]{}*+-0123456789abcdefpqrstvxyz<>#.";
    uint32_t seed = 7;
    int wrong = 0;
    for (size_t k = 0; k < 300 * count; k++) {
        char line[128];
        stn_machine_instruction instruction;
        snprintf(line, sizeof line, "%s", cases[k % count].line);
        const size_t length = strlen(line);
        for (size_t edits = 1 + k % 3; length > 0 && edits > 0; edits--) {
            seed = seed * 1664525 + 1013904223;
            const size_t mark = seed >> 8;
            line[(seed >> 16) % length] = mark % 11 ? marks[mark % (sizeof marks - 1)] : 0;
        }
        memset(&instruction, 0x55, sizeof instruction);
        decode(line, &instruction);
        if (is_sound(&instruction))
            continue;
        printf("%s: an impossible size\n", line);
        wrong++;
    }
    return wrong;
}

#endif
