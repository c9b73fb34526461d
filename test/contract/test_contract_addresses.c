/* Which addresses through several registers are known to be the same, or may be: loops made of
 * disassembled lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "contract_lines.h"

/* Two loads of 16 bytes by an iteration, through rdi and rsi, after one instruction. */
static stn_code_counts count_bases(const char *before)
{
    char lines[256];
    snprintf(lines, sizeof lines,
             "%s\n"
             "xor eax,eax\n"
             "movups xmm0,XMMWORD PTR [rdi+rax*1]\n"
             "addps xmm0,XMMWORD PTR [rsi+rax*1]\n"
             "movups XMMWORD PTR [rcx+rax*1],xmm0\n"
             "add rax,0x10\n"
             "cmp rax,r9\n"
             "jne 20\n"
             "ret",
             before);
    return count_loop(lines, 0);
}

static void bases_of_one_pointer_may_meet(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        int bytes, may_meet;
    } cases[] = {
        {"nop", 32, 0}, /* two arguments */
        {"mov rsi,rdi", 16, 0},
        {"lea rsi,[rdi+0x4]", 20, 0},
        {"lea rsi,[rdi-0x40]", 32, 0},
        {"lea rsi,[rdi+rdx*1]", 32, 1},
        {"lea rsi,[rdi+rdx*4]", 32, 1},
        {"lea rsi,[rdx+rdi*4]", 32, 0}, /* rdi is an index there */
        {"add rsi,rdi", 32, 1},
        {"sub rsi,rdi", 32, 1},
        {"and rsi,0xfffffffffffffff0", 32, 0},
        {"imul rsi,rdi", 32, 0},
        {"movsxd rsi,edi", 32, 0},
        {"mov rsi,QWORD PTR [rdx]", 32, 0},
        {"mov rsi,QWORD PTR [rsp+0x8]", 32, 1}, /* it may have been calculated from rdi */
        {"pop rsi", 32, 1},
        {"movq rsi,xmm3", 32, 1},
        {"mov rsi,rbx", 32, 1},
        {"cmove rsi,rdi", 32, 1},
        {"cmove rsi,rdx", 32, 0},
        {"call 1000", 32, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const stn_code_counts c = count_bases(cases[k].before);
        if (c.distinct_read != cases[k].bytes || c.read_overlaps != cases[k].may_meet)
            fail_msg("%s: %d bytes, may meet: %d", cases[k].before, (int)c.distinct_read,
                     (int)c.read_overlaps);
        assert_int_equal(c.distinct_written, 16);
        assert_int_equal(c.write_overlaps, 0);
    }
}

static void several_indices_of_one_array_may_meet(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("mov eax,DWORD PTR [rsi]\n"
                                         "mov ecx,DWORD PTR [rsi+0x4]\n"
                                         "movsd QWORD PTR [rdi+rax*8],xmm0\n"
                                         "movsd QWORD PTR [rdi+rcx*8],xmm0\n"
                                         "ret",
                                         STN_LOOP_NONE);
    assert_int_equal(c.read_overlaps, 0);
    assert_int_equal(c.write_overlaps, 1);
    assert_int_equal(c.distinct_written, 16);
}

/* The instruction at 60 runs before the one at 30, which then loads from elsewhere. */
static void a_register_that_another_way_changes_makes_other_addresses(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("mov rax,QWORD PTR [rdi]\n"
                                         "test rsi,rsi\n"
                                         "je 60\n"
                                         "mov rcx,QWORD PTR [rdi]\n"
                                         "mov r8,QWORD PTR [rdi]\n"
                                         "ret\n"
                                         "mov rdi,rdx\n"
                                         "jmp 30",
                                         STN_LOOP_NONE);
    assert_int_equal(c.distinct_read, 16);
    assert_int_equal(c.read_overlaps, 1);
}

/* A loop in a loop that moves the base: three loads of one row. */
static void bases_agree_in_loops_in_loops(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("lea rsi,[rdi+0x4]\n"
                                         "lea rcx,[rdi+0x8]\n"
                                         "xor eax,eax\n"
                                         "movss xmm0,DWORD PTR [rdi+rax*1]\n"
                                         "addss xmm0,DWORD PTR [rsi+rax*1]\n"
                                         "addss xmm0,DWORD PTR [rcx+rax*1]\n"
                                         "add rax,0x4\n"
                                         "cmp rax,r9\n"
                                         "jne 30\n"
                                         "add rdi,r8\n"
                                         "cmp rdi,r10\n"
                                         "jne 0\n"
                                         "ret",
                                         1);
    assert_int_equal(c.distinct_read, 12);
    assert_int_equal(c.read_overlaps, 0);
}

static void bases_of_aarch64_may_meet(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        int bytes, may_meet;
    } cases[] = {
        {"nop", 32, 0},
        {"add x1, x0, #0x8", 24, 0},
        {"add x1, x0, x2", 32, 1},
        {"add x1, x2, x0, lsl #3", 32, 0},
        {"add x1, x2, w0, sxtw #3", 32, 0},
        {"madd x1, x0, x3, x2", 32, 0},
        {"madd x1, x3, x2, x0", 32, 1},
        {"mul x1, x0, x2", 32, 0},
        {"ldr x1, [x0]", 32, 0},
        {"ldr x1, [sp, #16]", 32, 1},
        {"fmov x1, d0", 32, 1},
        {"csel x1, x0, x2, eq", 32, 1},
        {"mov x1, x19", 32, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char lines[256];
        snprintf(lines, sizeof lines,
                 "%s\nmov x6, #0x0\nldr q0, [x0, x6]\nldr q1, [x1, x6]\nadd x6, x6, #0x10\n"
                 "cmp x6, x7\nb.ne 20\nret",
                 cases[k].before);
        const stn_code_counts c = count_arm(lines);
        if (c.distinct_read != cases[k].bytes || c.read_overlaps != cases[k].may_meet)
            fail_msg("%s: %d bytes, may meet: %d", cases[k].before, (int)c.distinct_read,
                     (int)c.read_overlaps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_of_one_pointer_may_meet),
        cmocka_unit_test(several_indices_of_one_array_may_meet),
        cmocka_unit_test(a_register_that_another_way_changes_makes_other_addresses),
        cmocka_unit_test(bases_agree_in_loops_in_loops),
        cmocka_unit_test(bases_of_aarch64_may_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
