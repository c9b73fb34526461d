/* Cases of test_misuse.c: contracts. They hold functions written here in assembly, in the program
 * itself, to what they do not keep. */
#ifndef STENO_TEST_MISUSE_CONTRACTS_H
#define STENO_TEST_MISUSE_CONTRACTS_H

#include <string.h>

#include "steno/contract.h"
#include "check.h"

#if defined(__x86_64__) && defined(__linux__) && defined(STN_HAVE_CONTRACT)
#    define MISUSE_FUNCTION(name, code)                                                            \
        __asm__(".text\n.globl misuse_" name "\n.type misuse_" name ", @function\nmisuse_" name    \
                ":\n"                                                                              \
                ".intel_syntax noprefix\n" code ".att_syntax\n"                                    \
                ".size misuse_" name ", . - misuse_" name "\n")

/* a loop over memset of 8192 bytes */
MISUSE_FUNCTION("repeats", "1: mov ecx, 1024\n rep stosq\n dec rsi\n jne 1b\n ret\n");
MISUSE_FUNCTION("calls", "push rbx\n 1: call misuse_repeats\n dec rbx\n jne 1b\n pop rbx\n ret\n");
MISUSE_FUNCTION("unknown", "1: .byte 0x06\n add rdi, 8\n dec rsi\n jne 1b\n ret\n");
MISUSE_FUNCTION("goes_on", "1: movsd xmm0, [rdi]\n jmp rax\n dec rsi\n jne 1b\n ret\n");
MISUSE_FUNCTION("constant", "1: addsd xmm0, [rip + 2f]\n dec rsi\n jne 1b\n ret\n 2: .quad 0\n");
/* case 1 divides */
MISUSE_FUNCTION("cases", "lea r8, [rip + 5f]\n"
                         "1: mov ecx, [rdi]\n cmp ecx, 1\n ja 4f\n"
                         "movsxd rcx, dword ptr [r8 + rcx * 4]\n add rcx, r8\n jmp rcx\n"
                         "2: add eax, 1\n jmp 4f\n"
                         "3: divsd xmm0, xmm1\n"
                         "4: add rdi, 4\n dec rsi\n jne 1b\n ret\n"
                         ".p2align 2\n 5: .long 2b - 5b\n .long 3b - 5b\n");
/* one through a table as at -O0: its index is in memory */
MISUSE_FUNCTION("table", "mov eax, [rsp - 8]\n lea rcx, [rip + 2f]\n"
                         "movsxd rax, dword ptr [rcx + rax * 4]\n add rax, rcx\n jmp rax\n"
                         "1: call misuse_repeats\n ret\n"
                         ".p2align 2\n 2: .long 1b - 2b\n");
/* y[i] = s[i].x + s[i].y */
MISUSE_FUNCTION("structs", "1: movss xmm0, [rdi]\n addss xmm0, [rdi + 4]\n movss [rdx], xmm0\n"
                           "add rdi, 8\n add rdx, 4\n dec rsi\n jne 1b\n ret\n");

/* y[i] = (double)x[2 * i] + x[2 * i + 1], four at a time */
MISUSE_FUNCTION("pairs", "1: movups xmm0, [rdi]\n movups xmm1, [rdi + 16]\n"
                         "movaps xmm2, xmm0\n shufps xmm0, xmm1, 0x88\n"
                         "shufps xmm2, xmm1, 0xdd\n"
                         "cvtps2pd xmm3, xmm0\n cvtps2pd xmm4, xmm2\n addpd xmm3, xmm4\n"
                         "movhlps xmm0, xmm0\n movhlps xmm2, xmm2\n"
                         "cvtps2pd xmm5, xmm0\n cvtps2pd xmm4, xmm2\n addpd xmm5, xmm4\n"
                         "movupd [rdx], xmm3\n movupd [rdx + 16], xmm5\n"
                         "add rdi, 32\n add rdx, 32\n dec rsi\n jne 1b\n ret\n");

/* structs of two f32, or any others of 8 bytes */
MISUSE_FUNCTION("copied", "1: mov rax, [rdi + rcx * 8]\n mov [rdx + rcx * 8], rax\n"
                          "inc rcx\n dec rsi\n jne 1b\n ret\n");
MISUSE_FUNCTION("filled", "1: movsd [rdi], xmm0\n add rdi, 8\n dec rsi\n jne 1b\n ret\n");
/* what is counted up is an integer of 8 bytes */
MISUSE_FUNCTION("counted", "1: mov rax, [rdi]\n add rax, 1\n mov [rdi], rax\n"
                           "add rdi, 8\n dec rsi\n jne 1b\n ret\n");
MISUSE_FUNCTION("narrowed", "1: vmovdqu64 zmm1, [rdi]\n vpmovqb xmm1, zmm1\n"
                            "vpaddb xmm0, xmm0, xmm1\n add rdi, 64\n dec rsi\n jne 1b\n ret\n");
/* a frame pointer, a buffer's address, and at last an array */
MISUSE_FUNCTION("frame", "push rbp\n lea rbp, [rsp + 16]\n mov rax, [rbp + 8]\n mov rbp, rdi\n"
                         "1: mov rax, [rbp]\n add rbp, 8\n dec rsi\n jne 1b\n pop rbp\n ret\n");
MISUSE_FUNCTION("realigned", "push rbx\n mov rbx, rsp\n and rsp, -64\n"
                             "1: mov [rbx - 8], rax\n dec rsi\n jne 1b\n"
                             "mov rsp, rbx\n pop rbx\n ret\n");
MISUSE_FUNCTION("joined", "mov r10, rsp\n test rdi, rdi\n je 1f\n mov r10, rdi\n"
                          "1: mov rax, [r10]\n dec rsi\n jne 1b\n ret\n");
/* the next two have no end of their own */
MISUSE_FUNCTION("falls", "mov eax, 1\n test edi, edi\n");
MISUSE_FUNCTION("hops", "jmp 1f\n .byte 0x48, 0xb8\n 1: mov [rdi], eax\n mov [rdi + 4], eax\n"
                        "mov [rdi + 8], eax\n ret\n");
MISUSE_FUNCTION("ends", "test rdi, rdi\n je 1f\n ret\n 1: ud2\n nop\n nop\n");
MISUSE_FUNCTION("strings", "movzx eax, byte ptr [rdi + rcx]\n pcmpistri xmm1, xmm2, 0\n"
                           "movzx edx, byte ptr [rdi + rcx]\n add eax, edx\n ret\n");
/* it stores up to 16 bytes */
MISUSE_FUNCTION("masked", "1: maskmovdqu xmm0, xmm1\n add rdi, 16\n dec rsi\n jne 1b\n ret\n");
MISUSE_FUNCTION("saves", "1: fxsave [rdi]\n add rdi, 512\n dec rsi\n jne 1b\n ret\n");
MISUSE_FUNCTION("asks", "1: mov eax, 39\n syscall\n dec rsi\n jne 1b\n ret\n");
/* entered in the middle; then a loop that copies */
MISUSE_FUNCTION("entries", "test eax, eax\n je 2f\n 1: divsd xmm0, xmm1\n"
                           "2: addsd xmm0, [rdi]\n mulsd xmm0, xmm1\n mulsd xmm0, xmm1\n"
                           "dec rsi\n jne 1b\n"
                           "3: movsd xmm0, [rdi]\n movsd [rdx], xmm0\n add rdi, 8\n"
                           "add rdx, 8\n cmp rdi, rcx\n jne 3b\n ret\n");
/* wider than what is before it */
MISUSE_FUNCTION("entered", "test eax, eax\n je 2f\n 1: divsd xmm0, xmm1\n"
                           "2: addsd xmm0, [rdi]\n dec rsi\n jne 1b\n"
                           "3: movups xmm0, [rdi]\n movups [rdx], xmm0\n add rdi, 16\n"
                           "add rdx, 16\n cmp rdi, rcx\n jne 3b\n ret\n");
/* the same inside of a loop */
MISUSE_FUNCTION("around", "4: test eax, eax\n je 2f\n 1: divsd xmm0, xmm1\n"
                          "2: addsd xmm0, [rdi]\n dec rsi\n jne 1b\n"
                          "dec rcx\n jne 4b\n ret\n");
/* what a computed goto leads back to is no visible loop */
MISUSE_FUNCTION("computed", "1: addsd xmm0, [rdi]\n add rdi, 8\n jmp [rdx + rax * 8]\n");

typedef struct misuse_contract {
    stn_status status;
    stn_contract_result result;
    char report[4096];
} misuse_contract;

static misuse_contract misuse_check(const char *text)
{
    misuse_contract c = {.result = STN_CONTRACT_RESULT_INIT};
    stn_image *image;
    if (stn_image_open_self(&image) != STN_OK)
        skip();
    FILE *report = tmpfile();
    assert_non_null(report);
    c.status = stn_contract_check_text(image, text, "a.cg", report, &c.result);
    rewind(report);
    const size_t length = fread(c.report, 1, sizeof c.report - 1, report);
    c.report[length] = 0;
    fclose(report);
    stn_image_close(image);
    if (c.status == STN_ERR_IO) /* no objdump here */
        skip();
    return c;
}

/* So many facts hold, so many do not, and the report says `words`. */
static void misuse_expect(const char *text, int32_t held, int32_t broken, const char *words)
{
    const misuse_contract c = misuse_check(text);
    if (c.status != STN_OK)
        fail_msg("%s: %s", text, stn_error());
    if (c.result.held != held || c.result.broken != broken || !strstr(c.report, words))
        fail_msg("%s: %d held, %d broken, not '%s':\n%s", text, (int)c.result.held,
                 (int)c.result.broken, words, c.report);
}

TEST_CASE(a_repeated_store_bounds_no_bytes)
{
    misuse_expect("kernel misuse_repeats @* loop=main : bytes <= 32, store == 1, store >= 1", 1, 2,
                  "cannot be determined: 'rep stos");
    misuse_expect("kernel misuse_repeats @* loop=main : calls == 0, divisions == 0", 2, 0, "");
    misuse_expect("kernel misuse_calls @* loop=main : store == 0, divisions == 0, calls == 1", 1, 2,
                  "cannot be determined: 'call");
    misuse_expect("kernel misuse_calls @* loop=main calls=left-out : divisions == 0", 1, 0, "");
    misuse_expect("kernel misuse_unknown @* loop=main : load == 0, calls == 0, cvt == 0", 0, 3,
                  "is unknown");
    misuse_expect("kernel misuse_goes_on @* : calls == 0, load >= 1", 1, 1, "'jmp rax'");
}

TEST_CASE(what_no_operand_names_counts)
{
    misuse_expect("kernel misuse_masked @* loop=main : store == 0, bytes.written == 16", 1, 1,
                  "store == 0, found 1");
    misuse_expect("kernel misuse_saves @* loop=main : bytes <= 8, store.widest <= 64", 0, 2,
                  "cannot be determined: 'fxsave [rdi]'");
    misuse_expect("kernel misuse_asks @* loop=0 : bytes == 0, calls == 0", 0, 2,
                  "cannot be determined: 'syscall'");
}

TEST_CASE(irreducible_cycles_are_not_passed_over)
{
    static const char reason[] = "is in a cycle with several entries";
    misuse_expect("kernel misuse_entries @* : loops <= 1, irreducible == 1, load >= 1", 2, 1,
                  reason);
    misuse_expect("kernel misuse_entries @* loop=main : divisions == 0, bytes == 16", 0, 2, reason);
    misuse_expect("kernel misuse_entries @* loop=0 : divisions == 0, bytes == 16", 2, 0, "");
    misuse_expect("kernel misuse_entered @* loop=main : divisions == 0, bytes == 32", 2, 0, "");
    misuse_expect("kernel misuse_around @* loop=0 : load == 1, load >= 1, cvt == 0", 0, 3, reason);
    misuse_expect("kernel misuse_around @* loop=0 : load == 1", 0, 1, "likely: a goto into a loop");
    misuse_expect("kernel misuse_computed @* loop=main : load <= 4", 0, 1,
                  "the loops of misuse_computed cannot be determined: 'jmp QWORD PTR [rdx+rax*8]'");
}

TEST_CASE(constants_and_cases_are_of_the_loop)
{
    misuse_expect("kernel misuse_constant @* loop=main : load.64 == 1, bytes == 8", 2, 0, "");
    misuse_expect("kernel misuse_cases @* loop=main : divisions == 1, unresolved_jumps == 0", 2, 0,
                  "");
}

TEST_CASE(structs_advance_by_no_numbers)
{
    misuse_expect("kernel misuse_structs @* loop=main : bytes == 12, elements == 1", 1, 1,
                  "elements == 1, but the number of elements per iteration is unknown");
}

TEST_CASE(arrays_that_advance_by_other_numbers_have_no_elements)
{
    misuse_expect("kernel misuse_pairs @* loop=main : bytes == 64, elements >= 1, bytes/elem >= 1",
                  1, 2, "the number of elements per iteration is unknown");
}

TEST_CASE(moves_tell_no_size)
{
    const char *const untold = "the number of elements per iteration is unknown";
    misuse_expect(
        "kernel misuse_copied @* loop=main : elements == 1, bytes/elem == 16, bytes == 16", 1, 2,
        untold);
    misuse_expect("kernel misuse_filled @* loop=main : elements == 1, bytes/elem == 8", 0, 2,
                  untold);
    misuse_expect("kernel misuse_counted @* loop=main : elements == 1, bytes/elem == 16", 2, 0, "");
    misuse_expect("kernel misuse_narrowed @* loop=main : elements >= 1, bytes/elem <= 1", 0, 2,
                  untold);
}

TEST_CASE(a_call_is_no_spill)
{
    misuse_expect("kernel misuse_calls @* loop=main calls=left-out : spill == 0, calls == 1", 2, 0,
                  "");
}

TEST_CASE(a_jump_through_a_table_is_no_loop)
{
    const char *const text = "kernel misuse_table @* : calls == 0, loops == 0, load == 0";
    misuse_expect(text, 0, 3, "tables of a switch are read in optimized code only");
    const misuse_contract c = misuse_check(text);
    if (strstr(c.report, "restrict") || strstr(c.report, "inlined"))
        fail_msg("%s", c.report);
}

TEST_CASE(a_frame_pointer_is_one_only_while_it_holds_the_frame)
{
    misuse_expect("kernel misuse_frame @* loop=main : bytes == 8, load == 1, spill == 0", 3, 0, "");
    misuse_expect("kernel misuse_frame @* : load == 1", 1, 0, "");
    misuse_expect("kernel misuse_realigned @* loop=main : spill == 1, store == 0", 2, 0, "");
    misuse_expect("kernel misuse_joined @* loop=main : load == 1, spill == 0", 2, 0, "");
}

TEST_CASE(what_leaves_the_listing_hides_what_it_does)
{
    const char *const falls = "does not end the function";
    misuse_expect("kernel misuse_falls @* : store == 0, bytes == 0, loops == 0", 0, 3, falls);
    misuse_expect("kernel misuse_falls @* calls=left-out : store == 0", 0, 1, falls);
    misuse_expect("kernel misuse_hops @* : store == 0, bytes <= 4", 0, 2,
                  "jumps to an address at which no instruction begins");
    misuse_expect("kernel misuse_ends @* : store == 0, loops == 0, calls == 0", 3, 0, "");
}

TEST_CASE(what_an_instruction_writes_unnamed_is_another_address)
{
    misuse_expect("kernel misuse_strings @* : bytes.read <= 2", 1, 0, "");
    misuse_expect("kernel misuse_strings @* : bytes.read <= 1", 0, 1, "2");
    misuse_expect("kernel misuse_strings @* : bytes.read == 1", 0, 1, "cannot be determined");
}

TEST_CASE(expressions_need_little_stack)
{
    char text[300] = "kernel /";
    for (int k = 0; k < 33; k++)
        strcat(text, "(");
    strcat(text, "a");
    for (int k = 0; k < 33; k++)
        strcat(text, ")");
    strcat(text, "/ @* : load == 0");
    const misuse_contract c = misuse_check(text);
    assert_int_equal(c.status, STN_ERR_PARSE);
    assert_string_equal(stn_error(), "a.cg:1:9: more than 32 ( in an expression");
}

TEST_CASE(a_damaged_archive_is_called_one)
{
    static const char bytes[64] = "!<arch>\n/               0           0     0     0       0 ";
    stn_image *image;
    expect_error(stn_image_open_memory(&image, bytes, sizeof bytes, "a.a"), STN_ERR_PARSE, NULL);
    assert_string_equal(stn_error(), "a.a: a damaged or truncated archive");
}

TEST_CASE(unknown_names_are_errors)
{
    static const char *const texts[] = {
        "\nkernel f @x86_64 : load == 0", "\nkernel f @sm_9*|sm_91 : load == 0",
        "\nkernel f @* Gcc>=12 : load == 0", "\nkernel f @* : lods == 0"};
    static const char *const places[] = {
        "a.cg:2:11: unknown target 'x86_64'", "a.cg:2:17: unknown target 'sm_91'",
        "a.cg:2:13: expected a compiler (gcc, clang, nvcc)", "a.cg:2:15: unknown quantity 'lods'"};
    for (int k = 0; k < COUNT_OF(texts); k++) {
        const misuse_contract c = misuse_check(texts[k]);
        assert_int_equal(c.status, STN_ERR_PARSE);
        if (!strstr(stn_error(), places[k]))
            fail_msg("%s", stn_error());
    }
}

/* Each with a comma behind it, as cmocka_unit_test(name), and a backslash at the end of the line.
 */
#    define MISUSE_CONTRACTS                                                                       \
        cmocka_unit_test(a_repeated_store_bounds_no_bytes),                                        \
            cmocka_unit_test(what_no_operand_names_counts),                                        \
            cmocka_unit_test(irreducible_cycles_are_not_passed_over),                              \
            cmocka_unit_test(constants_and_cases_are_of_the_loop),                                 \
            cmocka_unit_test(structs_advance_by_no_numbers),                                       \
            cmocka_unit_test(arrays_that_advance_by_other_numbers_have_no_elements),               \
            cmocka_unit_test(moves_tell_no_size), cmocka_unit_test(a_call_is_no_spill),            \
            cmocka_unit_test(a_jump_through_a_table_is_no_loop),                                   \
            cmocka_unit_test(a_frame_pointer_is_one_only_while_it_holds_the_frame),                \
            cmocka_unit_test(what_leaves_the_listing_hides_what_it_does),                          \
            cmocka_unit_test(what_an_instruction_writes_unnamed_is_another_address),               \
            cmocka_unit_test(expressions_need_little_stack),                                       \
            cmocka_unit_test(a_damaged_archive_is_called_one),                                     \
            cmocka_unit_test(unknown_names_are_errors),
#else
#    define MISUSE_CONTRACTS
#endif

#endif
