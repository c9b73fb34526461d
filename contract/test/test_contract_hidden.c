/* Contracts on code that hides what it does: string instructions, unknown bytes, jumps without a
 * known target, loops with several entries. The functions are written here in assembly. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "contract_report.h"
#include "steno/contract.h"

#if defined(__x86_64__) && defined(__linux__)
#    define FUNCTION(name, code)                                                                   \
        __asm__(".text\n.globl asm_" name "\n.type asm_" name ", @function\nasm_" name ":\n"       \
                ".intel_syntax noprefix\n" code ".att_syntax\n"                                    \
                ".size asm_" name ", . - asm_" name "\n")

/* a loop over memset of 8192 bytes */
FUNCTION("repeats", "1: mov ecx, 1024\n rep stosq\n dec rsi\n jne 1b\n ret\n");
FUNCTION("calls", "push rbx\n 1: call asm_repeats\n dec rbx\n jne 1b\n pop rbx\n ret\n");
FUNCTION("unknown", "1: .byte 0x06\n add rdi, 8\n dec rsi\n jne 1b\n ret\n");
FUNCTION("goes_on", "1: movsd xmm0, [rdi]\n jmp rax\n dec rsi\n jne 1b\n ret\n");
FUNCTION("constant", "1: addsd xmm0, [rip + 2f]\n dec rsi\n jne 1b\n ret\n 2: .quad 0\n");
/* case 1 divides */
FUNCTION("cases", "lea r8, [rip + 5f]\n"
                  "1: mov ecx, [rdi]\n cmp ecx, 1\n ja 4f\n"
                  "movsxd rcx, dword ptr [r8 + rcx * 4]\n add rcx, r8\n jmp rcx\n"
                  "2: add eax, 1\n jmp 4f\n"
                  "3: divsd xmm0, xmm1\n"
                  "4: add rdi, 4\n dec rsi\n jne 1b\n ret\n"
                  ".p2align 2\n 5: .long 2b - 5b\n .long 3b - 5b\n");
/* one through a table as at -O0: its index is in memory */
FUNCTION("table", "mov eax, [rsp - 8]\n lea rcx, [rip + 2f]\n"
                  "movsxd rax, dword ptr [rcx + rax * 4]\n add rax, rcx\n jmp rax\n"
                  "1: call asm_repeats\n ret\n"
                  ".p2align 2\n 2: .long 1b - 2b\n");
/* y[i] = s[i].x + s[i].y */
FUNCTION("structs", "1: movss xmm0, [rdi]\n addss xmm0, [rdi + 4]\n movss [rdx], xmm0\n"
                    "add rdi, 8\n add rdx, 4\n dec rsi\n jne 1b\n ret\n");

/* y[i] = (double)x[2 * i] + x[2 * i + 1], four at a time */
FUNCTION("pairs", "1: movups xmm0, [rdi]\n movups xmm1, [rdi + 16]\n"
                  "movaps xmm2, xmm0\n shufps xmm0, xmm1, 0x88\n"
                  "shufps xmm2, xmm1, 0xdd\n"
                  "cvtps2pd xmm3, xmm0\n cvtps2pd xmm4, xmm2\n addpd xmm3, xmm4\n"
                  "movhlps xmm0, xmm0\n movhlps xmm2, xmm2\n"
                  "cvtps2pd xmm5, xmm0\n cvtps2pd xmm4, xmm2\n addpd xmm5, xmm4\n"
                  "movupd [rdx], xmm3\n movupd [rdx + 16], xmm5\n"
                  "add rdi, 32\n add rdx, 32\n dec rsi\n jne 1b\n ret\n");

/* structs of two f32, or any others of 8 bytes */
FUNCTION("copied", "1: mov rax, [rdi + rcx * 8]\n mov [rdx + rcx * 8], rax\n"
                   "inc rcx\n dec rsi\n jne 1b\n ret\n");
FUNCTION("filled", "1: movsd [rdi], xmm0\n add rdi, 8\n dec rsi\n jne 1b\n ret\n");
/* the incremented element is an integer of 8 bytes */
FUNCTION("counted", "1: mov rax, [rdi]\n add rax, 1\n mov [rdi], rax\n"
                    "add rdi, 8\n dec rsi\n jne 1b\n ret\n");
FUNCTION("narrowed", "1: vmovdqu64 zmm1, [rdi]\n vpmovqb xmm1, zmm1\n"
                     "vpaddb xmm0, xmm0, xmm1\n add rdi, 64\n dec rsi\n jne 1b\n ret\n");
/* a frame pointer, a buffer's address, and at last an array */
FUNCTION("frame", "push rbp\n lea rbp, [rsp + 16]\n mov rax, [rbp + 8]\n mov rbp, rdi\n"
                  "1: mov rax, [rbp]\n add rbp, 8\n dec rsi\n jne 1b\n pop rbp\n ret\n");
FUNCTION("realigned", "push rbx\n mov rbx, rsp\n and rsp, -64\n"
                      "1: mov [rbx - 8], rax\n dec rsi\n jne 1b\n"
                      "mov rsp, rbx\n pop rbx\n ret\n");
FUNCTION("joined", "mov r10, rsp\n test rdi, rdi\n je 1f\n mov r10, rdi\n"
                   "1: mov rax, [r10]\n dec rsi\n jne 1b\n ret\n");
/* the next two do not end */
FUNCTION("falls", "mov eax, 1\n test edi, edi\n");
FUNCTION("hops", "jmp 1f\n .byte 0x48, 0xb8\n 1: mov [rdi], eax\n mov [rdi + 4], eax\n"
                 "mov [rdi + 8], eax\n ret\n");
FUNCTION("ends", "test rdi, rdi\n je 1f\n ret\n 1: ud2\n nop\n nop\n");
FUNCTION("strings", "movzx eax, byte ptr [rdi + rcx]\n pcmpistri xmm1, xmm2, 0\n"
                    "movzx edx, byte ptr [rdi + rcx]\n add eax, edx\n ret\n");
/* it stores up to 16 bytes */
FUNCTION("masked", "1: maskmovdqu xmm0, xmm1\n add rdi, 16\n dec rsi\n jne 1b\n ret\n");
FUNCTION("saves", "1: fxsave [rdi]\n add rdi, 512\n dec rsi\n jne 1b\n ret\n");
FUNCTION("asks", "1: mov eax, 39\n syscall\n dec rsi\n jne 1b\n ret\n");
/* entered in the middle; then a loop that copies */
FUNCTION("entries", "test eax, eax\n je 2f\n 1: divsd xmm0, xmm1\n"
                    "2: addsd xmm0, [rdi]\n mulsd xmm0, xmm1\n mulsd xmm0, xmm1\n"
                    "dec rsi\n jne 1b\n"
                    "3: movsd xmm0, [rdi]\n movsd [rdx], xmm0\n add rdi, 8\n"
                    "add rdx, 8\n cmp rdi, rcx\n jne 3b\n ret\n");
/* with wider accesses than the loop before it */
FUNCTION("entered", "test eax, eax\n je 2f\n 1: divsd xmm0, xmm1\n"
                    "2: addsd xmm0, [rdi]\n dec rsi\n jne 1b\n"
                    "3: movups xmm0, [rdi]\n movups [rdx], xmm0\n add rdi, 16\n"
                    "add rdx, 16\n cmp rdi, rcx\n jne 3b\n ret\n");
/* the same inside of a loop */
FUNCTION("around", "4: test eax, eax\n je 2f\n 1: divsd xmm0, xmm1\n"
                   "2: addsd xmm0, [rdi]\n dec rsi\n jne 1b\n"
                   "dec rcx\n jne 4b\n ret\n");
/* an exception handler, which no visible path enters, jumps back into the loop */
FUNCTION("handled", "push rbx\n 1: call asm_repeats\n 2: dec rbx\n jne 1b\n pop rbx\n ret\n"
                    "divsd xmm0, xmm1\n jmp 2b\n");
/* rows of a stencil may be nearer to each other than an iteration is long */
FUNCTION("rows", "lea rcx, [rdi + rsi]\n"
                 "1: movss xmm0, [rdi + rax]\n addss xmm0, [rcx + rax]\n"
                 "addss xmm0, [rdi + rax + 4]\n movss [rdx + rax], xmm0\n"
                 "add rax, 4\n dec r8\n jne 1b\n ret\n");
/* a computed goto back is no visible loop */
FUNCTION("computed", "1: addsd xmm0, [rdi]\n add rdi, 8\n jmp [rdx + rax * 8]\n");

/* This program; without objdump the test is skipped. */
static stn_image *open_self(void)
{
    stn_image *image;
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    int32_t function;
    if (stn_image_open_self(&image) != STN_OK)
        skip();
    expect_ok(stn_image_find(image, "asm_falls", &function));
    if (stn_image_count(image, function, STN_LOOP_NONE, &counts) == STN_ERR_IO)
        skip();
    return image;
}

/* Contracts on functions above, the numbers of facts that hold and do not, and a part of the
 * report. */
static const struct {
    const char *contract;
    int held, broken;
    const char *text;
} contracts[] = {
    /* string instructions, calls, unknown bytes and jumps */
    {"repeats @* loop=main : bytes <= 32, store == 1, store >= 1", 1, 2,
     "cannot be determined: 'rep stos"},
    {"repeats @* loop=main : calls == 0, divisions == 0", 2, 0, ""},
    {"calls @* loop=main : store == 0, divisions == 0, calls == 1", 1, 2,
     "cannot be determined: 'call"},
    {"calls @* loop=main calls=left-out : divisions == 0", 1, 0, ""},
    {"unknown @* loop=main : load == 0, calls == 0, cvt == 0", 0, 3, "is unknown"},
    {"goes_on @* : calls == 0, load >= 1", 1, 1, "'jmp rax'"},
    /* memory that no operand names */
    {"masked @* loop=main : store == 0, bytes.written == 16", 1, 1, "store == 0, found 1"},
    {"saves @* loop=main : bytes <= 8, store.widest <= 64", 0, 2,
     "cannot be determined: 'fxsave [rdi]'"},
    {"asks @* loop=0 : bytes == 0, calls == 0", 0, 2, "cannot be determined: 'syscall'"},
    /* loops with several entries */
    {"entries @* : loops <= 1, irreducible == 1, load >= 1", 2, 1,
     "is in a cycle with several entries"},
    {"entries @* loop=main : divisions == 0, bytes == 16", 0, 2,
     "is in a cycle with several entries"},
    {"entries @* loop=0 : divisions == 0, bytes == 16", 2, 0, ""},
    {"entered @* loop=main : divisions == 0, bytes == 32", 2, 0, ""},
    {"around @* loop=0 : load == 1, load >= 1, cvt == 0", 0, 3,
     "is in a cycle with several entries"},
    {"around @* loop=0 : load == 1", 0, 1, "likely: a goto into a loop"},
    {"computed @* loop=main : load <= 4", 0, 1,
     "the loops of asm_computed cannot be determined: 'jmp QWORD PTR [rdx+rax*8]'"},
    {"handled @* loop=main calls=left-out : load <= 4, divisions == 0", 0, 2,
     "such as an exception handler"},
    {"handled @* : loops == 0", 0, 1, ""},
    /* bytes through registers with a common origin are bounded from above only */
    {"rows @* loop=main : bytes.read <= 12, bytes.read < 13, bytes.written >= 4, "
     "bytes.written > 0",
     4, 0, ""},
    {"rows @* loop=main : bytes.read == 12, bytes.read >= 12, bytes.read > 8, bytes/elem >= 1", 0,
     4, "may access the same bytes as another instruction"},
    /* constants in the code, and the cases of a switch, belong to the loop */
    {"constant @* loop=main : load.64 == 1, bytes == 8", 2, 0, ""},
    {"cases @* loop=main : divisions == 1, unresolved_jumps == 0", 2, 0, ""},
    /* structs, and arrays with different steps, have no elements */
    {"structs @* loop=main : bytes == 12, elements == 1", 1, 1,
     "elements == 1, but the number of elements per iteration is unknown"},
    {"pairs @* loop=main : bytes == 64, elements >= 1, bytes/elem >= 1", 1, 2,
     "the number of elements per iteration is unknown"},
    /* a move does not determine the size of an element */
    {"copied @* loop=main : elements == 1, bytes/elem == 16, bytes == 16", 1, 2,
     "the number of elements per iteration is unknown"},
    {"filled @* loop=main : elements == 1, bytes/elem == 8", 0, 2,
     "the number of elements per iteration is unknown"},
    {"counted @* loop=main : elements == 1, bytes/elem == 16", 2, 0, ""},
    {"narrowed @* loop=main : elements >= 1, bytes/elem <= 1", 0, 2,
     "the number of elements per iteration is unknown"},
    /* a call is no spill */
    {"calls @* loop=main calls=left-out : spill == 0, calls == 1", 2, 0, ""},
    /* a jump through a table is no loop */
    {"table @* : calls == 0, loops == 0, load == 0", 0, 3,
     "tables of a switch are read in optimized code only"},
    /* a frame pointer is one only while it holds the frame */
    {"frame @* loop=main : bytes == 8, load == 1, spill == 0", 3, 0, ""},
    {"frame @* : load == 1", 1, 0, ""},
    {"realigned @* loop=main : spill == 1, store == 0", 2, 0, ""},
    {"joined @* loop=main : load == 1, spill == 0", 2, 0, ""},
    /* code that leaves the listing */
    {"falls @* : store == 0, bytes == 0, loops == 0", 0, 3, "does not end the function"},
    {"falls @* calls=left-out : store == 0", 0, 1, "does not end the function"},
    {"hops @* : store == 0, bytes <= 4", 0, 2,
     "jumps to an address at which no instruction begins"},
    {"ends @* : store == 0, loops == 0, calls == 0", 3, 0, ""},
    /* registers that an instruction writes without naming them */
    {"strings @* : bytes.read <= 2", 1, 0, ""},
    {"strings @* : bytes.read <= 1", 0, 1, "2"},
    {"strings @* : bytes.read == 1", 0, 1, "cannot be determined"}};

UNIT_TEST(facts_about_hidden_code_do_not_hold)
{
    stn_image *image = open_self();
    for (int k = 0; k < COUNT_OF(contracts); k++) {
        char text[200];
        snprintf(text, sizeof text, "kernel asm_%s", contracts[k].contract);
        EXPECT_REPORT(image, text, contracts[k].held, contracts[k].broken, 0, contracts[k].text);
    }
    /* no advice for loops */
    EXPECT_REPORT(image, "kernel asm_table @* : calls == 0, loops == 0, load == 0", 0, 3, 0,
                  "no restrict", "no inlined");
    stn_image_close(image);
}

RUN_UNIT_TESTS(NULL, NULL)
#else
int main(void)
{
    return 77; /* skipped */
}
#endif
