/* What tells the size of the numbers of an array, and what is relative to the stack: loops made of
 * disassembled lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "contract_lines.h"

/* Of an array that is loaded from [x0] and lies in v1 or w1, and is taken by one instruction. */
static void takers_tell_the_size_of_what_they_take(void **state)
{
    (void)state;
    static const struct {
        const char *load, *taker;
        int bytes; /* 0: it does not tell */
    } cases[] = {
        {"ldr q1, [x0], #16", "saddw2 v0.2d, v0.2d, v1.4s", 4},
        {"ldr d1, [x0], #8", "uaddw v0.8h, v0.8h, v1.8b", 1},
        {"ldr d1, [x0], #8", "ssubw v0.4s, v2.4s, v1.4h", 2},
        {"ldr q1, [x0], #16", "usubw v0.2d, v1.2d, v2.2s", 8},
        {"ldr q1, [x0], #16", "saddl2 v0.2d, v1.4s, v2.4s", 4},
        {"ldr q1, [x0], #16", "smlal2 v0.4s, v1.8h, v2.8h", 2},
        {"ldr q1, [x0], #16", "addhn v0.2s, v1.2d, v2.2d", 8},
        {"ldr q1, [x0], #16", "raddhn2 v0.8h, v1.4s, v2.4s", 4},
        {"ldr q1, [x0], #16", "sadalp v0.2d, v1.4s", 4},
        {"ldr q1, [x0], #16", "fmlal v1.4s, v2.4h, v3.4h", 4},
        {"ldr q1, [x0], #16", "fmlal v0.4s, v1.4h, v3.4h", 2},
        {"ldr q1, [x0], #16", "orr v0.16b, v1.16b, v2.16b", 0},
        {"ldr w1, [x0], #4", "add w2, w2, w1", 4},
        {"ldrsw x1, [x0], #4", "mov x2, x1", 4},
        {"ldrh w1, [x0], #2", "add w2, w2, w1", 2},
        {"ldr w1, [x0], #4", "add w2, w2, w1, uxtb", 0},
        {"ldr w1, [x0], #4", "add w2, w2, w1, lsr #8", 0},
        {"ldr w1, [x0], #4", "and w2, w1, #0xff", 0},
        {"ldr w1, [x0], #4", "mov w2, w1", 0},
        {"ldr w1, [x0], #4", "scvtf s0, w1", 4},
        {"ldp w1, w3, [x0], #8", "add w2, w1, w3", 4},
        {"ldr x1, [x0], #8", "add w2, w2, w1", 0},
        {"ldr x1, [x0], #8", "mul x2, x2, x1", 8},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char lines[128];
        snprintf(lines, sizeof lines, "%s\n%s\nb.ne 0\nret", cases[k].load, cases[k].taker);
        const stn_code_counts c = count_arm(lines);
        const int64_t bytes = c.elements ? c.distinct_read / c.elements : 0;
        if (bytes != cases[k].bytes)
            fail_msg("%s: %d bytes", cases[k].taker, (int)bytes);
    }
}

/* Of an array that is stored from [rdi] on. */
static void makers_tell_the_size_of_what_is_stored(void **state)
{
    (void)state;
    static const struct {
        const char *maker, *store;
        int bytes;
    } cases[] = {
        {"add eax,ecx", "mov DWORD PTR [rdi],eax", 4},
        {"add eax,ecx", "mov WORD PTR [rdi],ax", 2},
        {"add eax,ecx", "mov QWORD PTR [rdi],rax", 0},
        {"movsxd rax,ecx", "mov QWORD PTR [rdi],rax", 8},
        {"movzx eax,cl", "mov DWORD PTR [rdi],eax", 0},
        {"or eax,ecx", "mov DWORD PTR [rdi],eax", 0},
        {"imul eax,ecx,0x1010101", "mov DWORD PTR [rdi],eax", 0},
        {"cvttss2si eax,xmm0", "mov BYTE PTR [rdi],al", 1},
        {"nop", "mov DWORD PTR [rdi],eax", 0},
        {"nop", "mov DWORD PTR [rdi],0x0", 0},
        {"nop", "movsd QWORD PTR [rdi],xmm0", 0},
        {"addsd xmm0,xmm1", "movsd QWORD PTR [rdi],xmm0", 8},
        {"vpmovqb xmm0,zmm1", "vmovq QWORD PTR [rdi],xmm0", 1},
        {"nop", "add DWORD PTR [rdi],0x1", 4},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char lines[160];
        snprintf(lines, sizeof lines, "%s\n%s\nadd rdi,0x8\njne 0\nret", cases[k].maker,
                 cases[k].store);
        char *const step = strstr(lines, "rdi,0x8");
        step[6] = strstr(cases[k].store, "QWORD")   ? '8'
                  : strstr(cases[k].store, "DWORD") ? '4'
                  : strstr(cases[k].store, "BYTE")  ? '1'
                                                    : '2';
        const stn_code_counts c = count_loop(lines, 0);
        const int64_t bytes = c.elements ? c.distinct_written / c.elements : 0;
        if (bytes != cases[k].bytes)
            fail_msg("%s, %s: %d bytes", cases[k].maker, cases[k].store, (int)bytes);
    }
}

/* What x19 or x29 is, is known where the access is. */
static void frames_are_known_at_the_access(void **state)
{
    (void)state;
    static const struct {
        const char *lines;
        int spills;
    } cases[] = {
        {"mov x29, sp\nldr x1, [x29, #8]\nb.ne 10\nret", 1},
        {"add x19, sp, #0x20\nldr x1, [x19, #8]\nb.ne 10\nret", 1},
        {"add x29, sp, #0x20\nldr x1, [x29, x2]\nb.ne 10\nret", 1},
        {"add x19, sp, #0x20\nldr x1, [x19, x2]\nb.ne 10\nret", 0},
        {"mov x29, sp\nmov x29, x0\nldr x1, [x29, #8]\nb.ne 20\nret", 0},
        {"mov x29, sp\nldr x1, [x29], #8\nb.ne 10\nret", 0},
        {"mov x29, sp\nb.eq 30\nmov x29, x0\nldr x1, [x29, #8]\nb.ne 30\nret", 0},
        {"mov x29, sp\nb.eq 30\nmov x20, x29\nldr x1, [x29, #8]\nb.ne 30\nret", 1},
        {"mov x9, sp\nbl 1000\nldr x1, [x9, #8]\nb.ne 20\nret", 0},
        {"mov x19, sp\nbl 1000\nldr x1, [x19, #8]\nb.ne 20\nret", 1},
        {"b.eq 20\nmov x19, sp\nbr x3\nldr x1, [x19, #8]\nb.ne 30\nret", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        stn_code code = assemble(cases[k].lines, stn_aarch64_decode);
        stn_code_counts c = STN_CODE_COUNTS_INIT;
        code.machine = STN_MACHINE_AARCH64;
        assert_int_equal(stn_code_mark_frames(&code), STN_OK);
        assert_int_equal(stn_code_count(&code, code.main_loop, &c), STN_OK);
        stn_code_release(&code);
        if (c.stack_loads != cases[k].spills)
            fail_msg("%s: %d", cases[k].lines, (int)c.stack_loads);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takers_tell_the_size_of_what_they_take),
        cmocka_unit_test(makers_tell_the_size_of_what_is_stored),
        cmocka_unit_test(frames_are_known_at_the_access),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
