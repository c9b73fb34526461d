/* Loops from lines of disassembly, for the tests of what is counted. */
#ifndef STENO_TEST_CONTRACT_LINES_H
#define STENO_TEST_CONTRACT_LINES_H

#include <string.h>

#include "contract/isa/code.h"
#include "core/memory.h"

enum { SIZE = 0x10 };

/* Lines separated by newlines, at addresses 0, 10, 20 and so on. */
static inline stn_code assemble(const char *lines,
                                void (*decode)(const char *, stn_machine_instruction *))
{
    stn_code code;
    memset(&code, 0, sizeof code);
    code.machine = decode == stn_aarch64_decode ? STN_MACHINE_AARCH64 : STN_MACHINE_X86_64;
    int32_t count = 1;
    for (const char *at = lines; *at; at++)
        count += *at == '\n';
    assert_int_equal(stn_allocate(&code.instructions, count, sizeof *code.instructions, "test"),
                     STN_OK);
    for (; code.count < count; code.count++) {
        char line[128];
        const size_t length = strcspn(lines, "\n");
        assert_true(length < sizeof line);
        memcpy(line, lines, length);
        line[length] = 0;
        stn_machine_instruction *at = &code.instructions[code.count];
        decode(line, at);
        assert_int_not_equal(at->operation, STN_OP_UNKNOWN);
        at->address = SIZE * (uint64_t)code.count;
        at->bytes = SIZE;
        lines += length + (lines[length] != 0);
    }
    assert_int_equal(stn_code_find_loops(&code), STN_OK);
    return code;
}

static inline stn_code_counts count_loop(const char *lines, int32_t loop)
{
    stn_code code = assemble(lines, stn_x86_decode);
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    assert_int_equal(stn_code_count(&code, loop, &counts), STN_OK);
    stn_code_release(&code);
    return counts;
}

static inline stn_code_counts count_arm(const char *lines)
{
    stn_code code = assemble(lines, stn_aarch64_decode);
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    assert_int_equal(stn_code_count(&code, code.main_loop, &counts), STN_OK);
    stn_code_release(&code);
    return counts;
}

#endif
