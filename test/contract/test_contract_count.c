/* Counting: loops made of disassembled lines, and what an iteration of them does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "contract_lines.h"

static void find_stack(stn_code *code) /* as a function that has a frame pointer in rbp */
{
    for (int32_t i = 0; i < code->count; i++)
        for (int k = 0; k < code->instructions[i].accesses; k++)
            if (code->instructions[i].access[k].base == 5)
                code->instructions[i].access[k].space = STN_SPACE_STACK;
}

static void an_axpy_is_counted(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("vcvtps2pd ymm0,XMMWORD PTR [rsi+rax*4]\n"
                                         "vfmadd213pd ymm0,ymm2,YMMWORD PTR [rdi+rax*8]\n"
                                         "vmovupd YMMWORD PTR [rdi+rax*8],ymm0\n"
                                         "add rax,0x4\n"
                                         "cmp rax,rdx\n"
                                         "jne 0\n"
                                         "ret",
                                         0);
    assert_int_equal(c.size, sizeof c);
    assert_int_equal(c.instructions, 6);
    assert_int_equal(c.unknown, 0);
    assert_int_equal(c.loads[STN_WIDTH_128], 1);
    assert_int_equal(c.loads[STN_WIDTH_256], 1);
    assert_int_equal(c.stores[STN_WIDTH_256], 1);
    assert_int_equal(c.raw_read, 48);
    assert_int_equal(c.distinct_read, 48);
    assert_int_equal(c.raw_written, 32);
    assert_int_equal(c.distinct_written, 32);
    assert_int_equal(c.elements, 4);
    assert_int_equal(c.packed_fma[STN_KIND_F64], 1);
    assert_int_equal(c.packed_conversions, 1);
    assert_int_equal(c.scalar[STN_KIND_INTEGER], 1);
    assert_int_equal(c.branches, 1);
    assert_int_equal(c.calls, 0);
    assert_int_equal(c.stack_bytes, 0);
}

static void bytes_met_again_count_once(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("movupd xmm0,XMMWORD PTR [rdi]\n"
                                         "movupd xmm1,XMMWORD PTR [rdi+0x8]\n"
                                         "movupd xmm2,XMMWORD PTR [rdi]\n"
                                         "movsd xmm3,QWORD PTR [rdi+0x40]\n"
                                         "movupd XMMWORD PTR [rdi],xmm0\n"
                                         "add rdi,0x20\n"
                                         "jne 0\n"
                                         "ret",
                                         0);
    assert_int_equal(c.raw_read, 56);
    assert_int_equal(c.distinct_read, 32);
    assert_int_equal(c.raw_written, 16);
    assert_int_equal(c.distinct_written, 16);
    assert_int_equal(c.elements, 0); /* it writes 16 bytes of each 32 */
}

static void accesses_inside_others_add_nothing(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("vmovupd ymm0,YMMWORD PTR [rdi]\n"
                                         "mov rax,QWORD PTR [rdi+0x8]\n"
                                         "mov rax,QWORD PTR [rdi+0x18]\n"
                                         "mov rax,QWORD PTR [rdi+0x1c]\n"
                                         "ret",
                                         STN_LOOP_NONE);
    assert_int_equal(c.raw_read, 56);
    assert_int_equal(c.distinct_read, 36);
}

static void a_changed_register_makes_other_addresses(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("mov rdx,QWORD PTR [rdi]\n"
                                         "mov rax,QWORD PTR [rdx]\n"
                                         "mov rdx,QWORD PTR [rdi+0x8]\n"
                                         "mov rbx,QWORD PTR [rdx]\n"
                                         "add rdi,0x10\n"
                                         "jne 0\n"
                                         "ret",
                                         0);
    assert_int_equal(c.raw_read, 32);
    assert_int_equal(c.distinct_read, 32);
    assert_int_equal(c.elements, 0); /* what is loaded leads anywhere */
}

static void a_step_in_the_middle_only_moves(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("mov rax,QWORD PTR [rdi]\n"
                                         "add rdi,0x8\n"
                                         "add rax,QWORD PTR [rdi-0x8]\n"
                                         "add rax,QWORD PTR [rdi+rcx*8]\n"
                                         "sub rcx,0x1\n"
                                         "add rax,QWORD PTR [rdi+rcx*8+0x8]\n"
                                         "jne 0\n"
                                         "ret",
                                         0);
    assert_int_equal(c.raw_read, 32);
    assert_int_equal(c.distinct_read, 16);
}

static void an_iteration_begins_at_the_header(void **state)
{
    (void)state;
    /* jump to the condition: it reads what the next iteration reads after the step */
    const stn_code_counts c = count_loop("jmp 30\n"
                                         "mov rax,QWORD PTR [rdi]\n"
                                         "lea rdi,[rdi+rdx*8]\n"
                                         "cmp QWORD PTR [rdi],0x0\n"
                                         "jne 10\n"
                                         "ret",
                                         0);
    assert_int_equal(c.instructions, 4);
    assert_int_equal(c.raw_read, 16);
    assert_int_equal(c.distinct_read, 8);
}

static void different_scales_are_different_addresses(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("mov rax,QWORD PTR [rdi+rcx*8]\n"
                                         "mov rbx,QWORD PTR [rdi+rcx*4]\n"
                                         "mov rdx,QWORD PTR [rdi]\n"
                                         "mov rsi,QWORD PTR [rcx*8+0x0]\n"
                                         "ret",
                                         STN_LOOP_NONE);
    assert_int_equal(c.distinct_read, 32);
    assert_int_equal(c.elements, 0);
}

static void inner_loops_are_left_out(void **state)
{
    (void)state;
    static const char lines[] = "add rax,QWORD PTR [rdi]\n"
                                "movsd xmm0,QWORD PTR [rsi]\n"
                                "add rsi,0x8\n"
                                "jne 10\n"
                                "add rdi,0x8\n"
                                "jne 0\n"
                                "ret";
    const stn_code_counts outer = count_loop(lines, 0), inner = count_loop(lines, 1);
    const stn_code_counts all = count_loop(lines, STN_LOOP_NONE);
    assert_int_equal(outer.instructions, 3);
    assert_int_equal(outer.raw_read, 8);
    assert_int_equal(outer.elements, 1);
    assert_int_equal(inner.instructions, 3);
    assert_int_equal(inner.branches, 1);
    assert_int_equal(all.instructions, 7);
    assert_int_equal(all.raw_read, 16);
}

static void a_step_of_an_inner_loop_is_none_of_the_outer(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("movsd xmm0,QWORD PTR [rsi]\n"
                                         "add rsi,0x8\n"
                                         "jne 10\n"
                                         "add rsi,0x8\n"
                                         "jne 0\n"
                                         "ret",
                                         0);
    assert_int_equal(c.elements, 0);
}

static void arrays_that_disagree_have_no_elements(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "addsd xmm0,QWORD PTR [rsi]\nadd rsi,0x8\naddss xmm2,DWORD PTR [rdi]\nadd rdi,0x8\njne 0\n"
        "ret",
        /* a number of each struct of two, */
        "addsd xmm0,QWORD PTR [rsi]\nadd rsi,0x10\njne 0\nret",
        /* both for one of another array, */
        "movsd xmm0,QWORD PTR [rsi]\naddsd xmm0,QWORD PTR [rsi+0x8]\nmovsd QWORD PTR [rdi],xmm0\n"
        "add rsi,0x10\nadd rdi,0x8\njne 0\nret",
        /* one of whole vectors */
        "movupd xmm0,XMMWORD PTR [rsi]\nshufpd xmm0,xmm1,0x0\naddpd xmm2,xmm0\nadd rsi,0x10\n"
        "jne 0\nret",
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        assert_int_equal(count_loop(lines[k], 0).elements, 0);
}

/* psrlw shifts bytes, too, before a mask; the array beside it may have numbers of another size. */
static void operations_on_bits_tell_no_size(void **state)
{
    (void)state;
    const stn_code_counts bits = count_loop("movdqu xmm0,XMMWORD PTR [rsi]\n"
                                            "psrlw xmm0,0x1\n"
                                            "pand xmm0,xmm1\n"
                                            "movups XMMWORD PTR [rdi],xmm0\n"
                                            "add rsi,0x10\n"
                                            "add rdi,0x10\n"
                                            "jne 0\n"
                                            "ret",
                                            0);
    assert_int_equal(bits.elements, 0);
    const stn_code_counts shifted = count_loop("movdqu xmm0,XMMWORD PTR [rsi]\n"
                                               "psrlw xmm0,0x1\n"
                                               "paddb xmm0,xmm1\n"
                                               "movups XMMWORD PTR [rdi],xmm0\n"
                                               "add rsi,0x10\n"
                                               "add rdi,0x10\n"
                                               "jne 0\n"
                                               "ret",
                                               0);
    assert_int_equal(shifted.elements, 0);
    const stn_code_counts widened = count_loop("vpmovsxbd ymm0,QWORD PTR [rsi]\n"
                                               "vcvtdq2ps ymm0,ymm0\n"
                                               "vmovups YMMWORD PTR [rdi],ymm0\n"
                                               "add rsi,0x8\n"
                                               "add rdi,0x20\n"
                                               "jne 0\n"
                                               "ret",
                                               0);
    assert_int_equal(widened.elements, 8);
}

/* movabs loads a general register; so does mov among vectors. */
static void moves_of_general_registers_tell_nothing_of_vectors(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("mov rax,QWORD PTR [rsi]\n"
                                         "movnti QWORD PTR [rdi],rax\n"
                                         "vaddps ymm0,ymm0,ymm1\n"
                                         "add rsi,0x8\n"
                                         "add rdi,0x8\n"
                                         "jne 0\n"
                                         "ret",
                                         0);
    assert_int_equal(c.elements, 0); /* f32 are added, and 64 bits moved */
}

static void descending_loops_advance_too(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("addpd xmm0,XMMWORD PTR [rsi]\n"
                                         "sub rsi,0x10\n"
                                         "jne 0\n"
                                         "ret",
                                         0);
    assert_int_equal(c.elements, 2);
}

static void unknown_advances_have_no_elements(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("movupd xmm0,XMMWORD PTR [rsi]\n"
                                         "add rsi,rdx\n"
                                         "jne 0\n"
                                         "ret",
                                         0);
    assert_int_equal(c.elements, 0);
    const stn_code_counts copy = count_loop("movups xmm0,XMMWORD PTR [rsi]\n"
                                            "movups XMMWORD PTR [rdi],xmm0\n"
                                            "add rsi,0x10\n"
                                            "add rdi,0x10\n"
                                            "jne 0\n"
                                            "ret",
                                            0);
    assert_int_equal(copy.elements, 0);
}

/* clang advances the counter in a copy, which the next iteration begins with. */
static void steps_are_followed_through_copies(void **state)
{
    (void)state;
    const stn_code_counts ends = count_loop("addpd xmm0,XMMWORD PTR [rsi+rcx*8]\n"
                                            "lea rax,[rcx+0x4]\n"
                                            "addpd xmm1,XMMWORD PTR [rsi+rax*8-0x10]\n"
                                            "mov rcx,rax\n"
                                            "cmp rcx,rdx\n"
                                            "jne 0\n"
                                            "ret",
                                            0);
    assert_int_equal(ends.elements, 4);
    const stn_code_counts begins = count_loop("mov rcx,rax\n"
                                              "addpd xmm0,XMMWORD PTR [rsi+rcx*8]\n"
                                              "lea rax,[rcx+0x6]\n"
                                              "sub rax,0x4\n"
                                              "jne 0\n"
                                              "ret",
                                              0);
    assert_int_equal(begins.elements, 2);
    const stn_code_counts arm = count_arm("ldr q0, [x0]\n"
                                          "fadd v0.2d, v0.2d, v1.2d\n"
                                          "add x2, x0, #0x10\n"
                                          "mov x0, x2\n"
                                          "cmp x0, x3\n"
                                          "b.ne 0\n"
                                          "ret");
    assert_int_equal(arm.elements, 2);
}

static void copies_that_lead_nowhere_have_no_elements(void **state)
{
    (void)state;
    static const char *const lines[] = {
        /* of another register, */
        "movupd xmm0,XMMWORD PTR [rcx]\nlea rcx,[rdx+0x10]\nmov rdx,QWORD PTR [rsp]\njne 0\nret",
        /* of one that is loaded after it, */
        "mov rcx,rax\nmovupd xmm0,XMMWORD PTR [rcx]\nmov rax,QWORD PTR [rsp]\njne 0\nret",
        /* not always, */
        "movupd xmm0,XMMWORD PTR [rcx]\nlea rax,[rcx+0x10]\nje 40\nmov rcx,rax\njne 0\nret",
        /* nor in half of a register, */
        "movupd xmm0,XMMWORD PTR [rcx]\nlea rax,[rcx+0x10]\nmov cx,ax\njne 0\nret",
        /* nor after an index was added */
        "movupd xmm0,XMMWORD PTR [rcx]\nlea rax,[rcx+rdx*1+0x10]\nmov rcx,rax\njne 0\nret"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        assert_int_equal(count_loop(lines[k], 0).elements, 0);
}

/* movups moves what the arithmetic is of. */
static void arithmetic_tells_the_elements_of_moves(void **state)
{
    (void)state;
    const stn_code_counts wide = count_loop("movups xmm0,XMMWORD PTR [rsi]\n"
                                            "addpd xmm0,xmm1\n"
                                            "add rsi,0x10\n"
                                            "jne 0\n"
                                            "ret",
                                            0);
    assert_int_equal(wide.elements, 2);
    const stn_code_counts narrow = count_loop("movups xmm0,XMMWORD PTR [rsi]\n"
                                              "cvtps2pd xmm1,xmm0\n"
                                              "movhlps xmm0,xmm0\n"
                                              "cvtps2pd xmm0,xmm0\n"
                                              "addpd xmm0,xmm1\n"
                                              "add rsi,0x10\n"
                                              "jne 0\n"
                                              "ret",
                                              0);
    assert_int_equal(narrow.elements, 0); /* all of what is loaded, or of the half only? */
    const stn_code_counts integers = count_loop("movdqu xmm0,XMMWORD PTR [rsi]\n"
                                                "paddw xmm0,xmm1\n"
                                                "movups XMMWORD PTR [rsi],xmm0\n"
                                                "add rsi,0x10\n"
                                                "jne 0\n"
                                                "ret",
                                                0);
    assert_int_equal(integers.elements, 8);
    const stn_code_counts arm = count_arm("ldr q0, [x1], #16\n"
                                          "ldp q2, q3, [x0]\n"
                                          "fcvtl v1.2d, v0.2s\n"
                                          "fcvtl2 v0.2d, v0.4s\n"
                                          "fmla v2.2d, v1.2d, v4.2d\n"
                                          "fmla v3.2d, v0.2d, v4.2d\n"
                                          "stp q2, q3, [x0], #32\n"
                                          "cmp x0, x2\n"
                                          "b.ne 0\n"
                                          "ret");
    assert_int_equal(arm.elements, 4);
    assert_int_equal(arm.distinct_read, 48);
    assert_int_equal(arm.distinct_written, 32);
    assert_int_equal(arm.packed_conversions, 2);
    assert_int_equal(arm.packed_fma[STN_KIND_F64], 2);
}

/* ldp d2, d3 moves four f32 here: only so do x and y advance by equally many elements. */
static void streams_agree_on_the_elements(void **state)
{
    (void)state;
    const stn_code_counts mixed = count_arm("ldp d2, d3, [x9, #-8]\n"
                                            "add x9, x9, #0x10\n"
                                            "ldp q4, q5, [x10, #-16]\n"
                                            "fcvtl v2.2d, v2.2s\n"
                                            "fcvtl v3.2d, v3.2s\n"
                                            "fmla v4.2d, v2.2d, v0.d[0]\n"
                                            "fmla v5.2d, v3.2d, v0.d[0]\n"
                                            "stp q4, q5, [x10, #-16]\n"
                                            "add x10, x10, #0x20\n"
                                            "b.ne 0\n"
                                            "ret");
    assert_int_equal(mixed.elements, 4);
    const stn_code_counts scalar = count_arm("ldr d1, [x0]\n"
                                             "fmadd d1, d0, d2, d1\n"
                                             "str d1, [x0], #8\n"
                                             "b.ne 0\n"
                                             "ret");
    assert_int_equal(scalar.elements, 1);
    const stn_code_counts words = count_arm("ldp q0, q1, [x9]\n"
                                            "add x9, x9, #0x20\n"
                                            "add v0.8h, v0.8h, v2.8h\n"
                                            "add v1.8h, v1.8h, v2.8h\n"
                                            "stp q0, q1, [x10], #32\n"
                                            "b.ne 0\n"
                                            "ret");
    assert_int_equal(words.elements, 16);
}

static void the_stack_is_apart(void **state)
{
    (void)state;
    stn_code code = assemble("push rbp\n"
                             "mov rbp,rsp\n"
                             "mov rax,QWORD PTR [rbp-0x8]\n"
                             "vmovupd YMMWORD PTR [rsp+0x20],ymm0\n"
                             "add QWORD PTR [rsp],rax\n"
                             "pop rbp\n"
                             "ret",
                             stn_x86_decode);
    find_stack(&code);
    stn_code_counts c = STN_CODE_COUNTS_INIT;
    assert_int_equal(stn_code_count(&code, STN_LOOP_NONE, &c), STN_OK);
    stn_code_release(&code);
    assert_int_equal(c.stack_loads, 3);
    assert_int_equal(c.stack_stores, 3);
    assert_int_equal(c.stack_bytes, 8 + 8 + 32 + 16 + 8);
    assert_int_equal(c.raw_read + c.raw_written + c.distinct_read + c.distinct_written, 0);
    for (int width = 0; width < STN_WIDTHS; width++)
        assert_int_equal(c.loads[width] + c.stores[width], 0);
}

static void gathers_count_by_element(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("vgatherdpd ymm1,QWORD PTR [rax+xmm2*8],ymm3\n"
                                         "vscatterdps DWORD PTR [rax+zmm2*4]{k1},zmm1\n"
                                         "ret",
                                         STN_LOOP_NONE);
    assert_int_equal(c.gathers, 1);
    assert_int_equal(c.scatters, 1);
    assert_int_equal(c.loads[STN_WIDTH_64], 4);
    assert_int_equal(c.stores[STN_WIDTH_32], 16);
    assert_int_equal(c.raw_read, 32);
    assert_int_equal(c.distinct_read, 32);
    assert_int_equal(c.distinct_written, 64);
}

static void operations_are_counted_by_kind(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("vaddps ymm0,ymm1,ymm2\n"
                                         "vdivpd ymm0,ymm1,ymm2\n"
                                         "sqrtss xmm0,xmm1\n"
                                         "vaddsh xmm0,xmm1,xmm2\n"
                                         "vfmadd213ss xmm0,xmm1,xmm2\n"
                                         "vfmadd213ps xmm0,xmm1,xmm2\n"
                                         "vpaddd ymm0,ymm1,ymm2\n"
                                         "cvtss2sd xmm0,xmm1\n"
                                         "vcvtps2pd ymm0,xmm1\n"
                                         "idiv rcx\n"
                                         "mov rax,QWORD PTR [rip+0x8]\n"
                                         "ret",
                                         STN_LOOP_NONE);
    assert_int_equal(c.packed[STN_KIND_F32], 1);
    assert_int_equal(c.packed[STN_KIND_F64], 1);
    assert_int_equal(c.packed[STN_KIND_INTEGER], 1);
    assert_int_equal(c.scalar[STN_KIND_F32], 1);
    assert_int_equal(c.scalar[STN_KIND_F16], 1);
    assert_int_equal(c.scalar[STN_KIND_INTEGER], 1);
    assert_int_equal(c.scalar_fma[STN_KIND_F32], 1);
    assert_int_equal(c.packed_fma[STN_KIND_F32], 1);
    assert_int_equal(c.scalar_conversions, 1);
    assert_int_equal(c.packed_conversions, 1);
    assert_int_equal(c.divisions, 3);
    assert_int_equal(c.constant_loads, 0);
    assert_int_equal(c.loads[STN_WIDTH_64], 1);
}

static void calls_include_jumps_to_other_functions(void **state)
{
    (void)state;
    const stn_code_counts c = count_loop("call 1000\n"
                                         "call rax\n"
                                         "je 40\n"
                                         "jmp 50\n"
                                         "jmp 4000\n"
                                         "jmp QWORD PTR [rip+0x8]",
                                         STN_LOOP_NONE);
    assert_int_equal(c.calls, 4);
    assert_int_equal(c.branches, 2);
    stn_code code = assemble("jmp 10\nret", stn_x86_decode);
    stn_code_counts back = STN_CODE_COUNTS_INIT;
    code.instructions[0].address = 0x1000; /* behind the target */
    code.instructions[1].address = 0x1010;
    assert_int_equal(stn_code_count(&code, STN_LOOP_NONE, &back), STN_OK);
    assert_int_equal(back.calls, 1);
    assert_int_equal(back.branches, 0);
    stn_code_release(&code);
}

static int32_t main_loop_of(const char *lines)
{
    stn_code code = assemble(lines, stn_x86_decode);
    const int32_t loop = code.main_loop;
    const int32_t header = loop < 0 ? -1 : code.loops[loop].header;
    stn_code_release(&code);
    return header;
}

static void the_main_loop_is_the_widest_innermost_one(void **state)
{
    (void)state;
    assert_int_equal(main_loop_of("ret"), -1);
    /* an outer loop with wider accesses than the inner one is none */
    assert_int_equal(main_loop_of("vmovupd zmm0,ZMMWORD PTR [rdi]\n"
                                  "movsd xmm0,QWORD PTR [rsi]\n"
                                  "jne 10\n"
                                  "jne 0\n"
                                  "movupd xmm0,XMMWORD PTR [rsi]\n"
                                  "jne 40\n"
                                  "vmovupd YMMWORD PTR [rsp],ymm0\n"
                                  "jne 60\n"
                                  "ret"),
                     4);
    /* of the same width the one with more lanes, */
    assert_int_equal(main_loop_of("addsd xmm0,QWORD PTR [rsi]\n"
                                  "nop\n"
                                  "jne 0\n"
                                  "movq xmm0,QWORD PTR [rsi]\n"
                                  "jne 30\n"
                                  "movq xmm0,QWORD PTR [rsi]\n"
                                  "addps xmm0,xmm1\n"
                                  "jne 50\n"
                                  "ret"),
                     5);
    /* then the longer one, then the first */
    assert_int_equal(main_loop_of("movq xmm0,QWORD PTR [rsi]\n"
                                  "jne 0\n"
                                  "movq xmm0,QWORD PTR [rsi]\n"
                                  "nop\n"
                                  "jne 20\n"
                                  "movq xmm0,QWORD PTR [rsi]\n"
                                  "nop\n"
                                  "jne 50\n"
                                  "ret"),
                     2);
}

/* An inner loop over an array of sums on the stack does not make the loop around it another. */
static void loops_over_the_stack_are_no_main_loops(void **state)
{
    (void)state;
    assert_int_equal(main_loop_of("nop\n"
                                  "movupd xmm0,XMMWORD PTR [rsi]\n"
                                  "vmovapd ymm1,YMMWORD PTR [rsp+rdx*1]\n"
                                  "vaddpd ymm1,ymm1,ymm0\n"
                                  "jne 20\n"
                                  "jne 10\n"
                                  "movq xmm0,QWORD PTR [rsi]\n"
                                  "jne 60\n"
                                  "ret"),
                     1);
    /* where nothing else is, it is */
    assert_int_equal(main_loop_of("nop\n"
                                  "nop\n"
                                  "vmovapd ymm1,YMMWORD PTR [rsp+rdx*1]\n"
                                  "jne 20\n"
                                  "jne 10\n"
                                  "ret"),
                     2);
}

static void each_failing_allocation_is_a_status(void **state)
{
    (void)state;
    stn_code code = assemble("mov rax,QWORD PTR [rdi]\nret", stn_x86_decode);
    stn_code_counts c = STN_CODE_COUNTS_INIT;
    for (int64_t n = 1; n <= 2; n++) {
        stn_fail_allocation(n);
        assert_int_equal(stn_code_count(&code, STN_LOOP_NONE, &c), STN_ERR_MEMORY);
    }
    stn_fail_allocation(3);
    assert_int_equal(stn_code_count(&code, STN_LOOP_NONE, &c), STN_OK);
    stn_fail_allocation(0);
    assert_int_equal(c.distinct_read, 8);
    stn_code_release(&code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_axpy_is_counted),
        cmocka_unit_test(bytes_met_again_count_once),
        cmocka_unit_test(accesses_inside_others_add_nothing),
        cmocka_unit_test(a_changed_register_makes_other_addresses),
        cmocka_unit_test(a_step_in_the_middle_only_moves),
        cmocka_unit_test(an_iteration_begins_at_the_header),
        cmocka_unit_test(different_scales_are_different_addresses),
        cmocka_unit_test(inner_loops_are_left_out),
        cmocka_unit_test(a_step_of_an_inner_loop_is_none_of_the_outer),
        cmocka_unit_test(arrays_that_disagree_have_no_elements),
        cmocka_unit_test(operations_on_bits_tell_no_size),
        cmocka_unit_test(moves_of_general_registers_tell_nothing_of_vectors),
        cmocka_unit_test(descending_loops_advance_too),
        cmocka_unit_test(unknown_advances_have_no_elements),
        cmocka_unit_test(steps_are_followed_through_copies),
        cmocka_unit_test(copies_that_lead_nowhere_have_no_elements),
        cmocka_unit_test(arithmetic_tells_the_elements_of_moves),
        cmocka_unit_test(streams_agree_on_the_elements),
        cmocka_unit_test(the_stack_is_apart),
        cmocka_unit_test(gathers_count_by_element),
        cmocka_unit_test(operations_are_counted_by_kind),
        cmocka_unit_test(calls_include_jumps_to_other_functions),
        cmocka_unit_test(the_main_loop_is_the_widest_innermost_one),
        cmocka_unit_test(loops_over_the_stack_are_no_main_loops),
        cmocka_unit_test(each_failing_allocation_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
