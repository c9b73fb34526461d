/* Sequences of instructions: matches of a pattern, their number, syntax errors, and contracts with
 * sequences. Code is lines of text, as in listings. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "contract/check/pattern.h"
#include "contract_report.h"
#include "contract_sass.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_LINES = 4000 };

/* Straight code of these lines, up to NULL. */
static stn_pattern_result find_in(const char *const *lines, const char *text)
{
    static char all[MOST_LINES * 40];
    static stn_machine_instruction instructions[MOST_LINES];
    stn_code code = {.instructions = instructions, .text = all, .main_loop = -1};
    stn_pattern *pattern;
    stn_pattern_fault fault;
    stn_pattern_result result;
    int32_t used = 0;
    for (; lines[code.count]; code.count++) {
        instructions[code.count] = (stn_machine_instruction){.text = used};
        used +=
            (int32_t)snprintf(all + used, sizeof all - (size_t)used, "%s", lines[code.count]) + 1;
    }
    if (stn_pattern_parse(text, strlen(text), &pattern, &fault) != STN_OK)
        fail_msg("%s: %zu: %s", text, fault.at, fault.reason);
    expect_ok(stn_pattern_find(pattern, &code, STN_LOOP_NONE, &result));
    stn_pattern_free(pattern);
    return result;
}

static void assert_count(const char *const *lines, const char *text, int expected)
{
    const stn_pattern_result result = find_in(lines, text);
    if (result.is_lost || result.count != expected)
        fail_msg("'%s' is found %d times, not %d%s", text, result.count, expected,
                 result.is_lost ? " (lost)" : "");
}

/* One line, one instruction. */
static void assert_takes(const char *line, const char *text, int expected)
{
    const char *const lines[] = {line, NULL};
    assert_count(lines, text, expected);
}

UNIT_TEST(mnemonics)
{
    assert_takes("LDG.E.128 R4, [R2]", "LDG.128", 1);
    assert_takes("LDG.E.128 R4, [R2]", "ldg.128.e", 1);
    assert_takes("LDG.E.128 R4, [R2]", "LDG", 1);
    assert_takes("LDG.E.128 R4, [R2]", "LDG.64", 0);
    assert_takes("LDG.E.128 R4, [R2]", "LDG.12", 0);
    assert_takes("LDG.E.128 R4, [R2]", "LD", 0);
    assert_takes("@!P0 EXIT", "exit", 1);
    assert_takes("b.ne 1c", "b.ne", 1);
    assert_takes("vmovupd ymm0,YMMWORD PTR [rdi]", "vmovupd", 1);
    assert_takes("vmovupd ymm0,YMMWORD PTR [rdi]", "vmov", 0);
    assert_takes("rep stos QWORD PTR es:[rdi],rax", "stos", 1);
    assert_takes("lock xadd DWORD PTR [rdi],eax", "xadd mem, eax", 1);
    assert_takes("ret", "any", 1);
    assert_takes("rep", "rep", 1);
}

UNIT_TEST(expressions)
{
    assert_takes("vfmadd231pd ymm0,ymm1,ymm2", "/^vfmadd[123]+pd /", 1);
    assert_takes("vfmadd231ps ymm0,ymm1,ymm2", "/^vfmadd[123]+pd /", 0);
    assert_takes("LDG.E.128 R4, [R2+0x10]", "/\\[R2\\+0x10\\]/", 1);
    assert_takes("ld1 {v0.2d}, [x0]", "/v0\\.2d/", 1);
    assert_takes("p1/m", "/p1\\/m/", 1);
}

UNIT_TEST(operands)
{
    const char *sass = "FFMA R2, R4, UR6, 0x3f800000";
    assert_takes(sass, "FFMA R2, R4, UR6, imm", 1);
    assert_takes(sass, "FFMA R, R, UR, imm", 1);
    assert_takes(sass, "FFMA reg, reg, reg, imm", 1);
    assert_takes(sass, "FFMA R, R, R, imm", 0);
    assert_takes(sass, "FFMA R, R, UR, reg", 0);
    assert_takes(sass, "FFMA _, _, _, _", 1);
    assert_takes(sass, "FFMA _, _, _, _, _", 0);
    assert_takes(sass, "any R2", 1);
    assert_takes("vmovupd ymm0,YMMWORD PTR [rdi+rax*1]", "vmovupd ymm, mem", 1);
    assert_takes("vmovupd YMMWORD PTR [rdi+rax*1],ymm0", "vmovupd ymm, mem", 0);
    assert_takes("vmovupd zmm0{k1},ZMMWORD PTR [rdi]", "vmovupd zmm, mem", 1);
    assert_takes("add rax,0x40", "add rax, imm", 1);
    assert_takes("add rax,rbx", "add rax, imm", 0);
    assert_takes("ldp q0, q1, [x0, #32]", "ldp q, q1, mem", 1);
    assert_takes("fmla v0.2d, v1.2d, v2.d[0]", "fmla v, v, mem", 1);
    assert_takes("add x0, x1, #0x10", "add x, x, imm", 1);
    assert_takes("FADD R2, R4, -0x1.8p1", "FADD R, R, imm", 1);
    assert_takes("ld1d {z0.d}, p0/z, [x0]", "ld1d _, p0, mem", 1);
}

/* The same name is the same operand, in one instruction and in others. */
UNIT_TEST(names)
{
    assert_takes("FMUL R2, R4, R4", "FMUL R, R:a, R:a", 1);
    assert_takes("FMUL R2, R4, R5", "FMUL R, R:a, R:a", 0);
    const char *const lines[] = {"LDG R4, [R2]",     "LDG R6, [R8]",  "FADD R9, R4, R1",
                                 "FMUL R10, R6, R6", "STG [R2], R10", NULL};
    assert_count(lines, "LDG R:x, _ ; any* ; FADD _, R:x", 1);
    assert_count(lines, "LDG R:x, _ ; any* ; FMUL _, R:x, R:x", 1);
    assert_count(lines, "LDG R6, _ ; FADD R:x ; FMUL R:x", 0);
    assert_count(lines, "LDG _, mem:p ; any* ; STG mem:p", 1);
    assert_count(lines, "LDG R6, mem:p ; any* ; STG mem:p", 0);
    assert_count(lines, "LDG R:a ; LDG R:b ; FADD _, R:a ; FMUL R:c, R:b ; STG _, R:c", 1);
}

static const char *const letters[] = {"a", "b", "b", "c", "a", "b", "c", "c", "d", NULL};

UNIT_TEST(repeats)
{
    assert_count(letters, "a", 2);
    assert_count(letters, "a ; b", 2);
    assert_count(letters, "a ; c", 0);
    assert_count(letters, "a ; b ; c", 1);
    assert_count(letters, "a ; b+ ; c", 2);
    assert_count(letters, "a ; b{2} ; c", 1);
    assert_count(letters, "a ; b{1} ; c", 1);
    assert_count(letters, "a ; b{1,2} ; c", 2);
    assert_count(letters, "a ; b{3,} ; c", 0);
    assert_count(letters, "a ; b{0,1} ; c", 1);
    assert_count(letters, "c ; a? ; b", 1);
    assert_count(letters, "b{2}", 1);
    assert_count(letters, "a ; any* ; c", 2);
    assert_count(letters, "a ; any* ; d", 1);
    assert_count(letters, "d ; any* ; a", 0);
    assert_count(letters, "(a ; any* ; c){2}", 1);
    assert_count(letters, "(a ; any+ ; c){2} ; any ; d", 1);
    assert_count(letters, "any", 9);
    assert_count(letters, "any{2}", 4);
    assert_count(letters, "(b | c)+ ; d", 1);
    assert_count(letters, "(a | b | d)", 6);
    assert_count(letters, "(a* ; b*){2} ; c", 3);
}

/* In any order, with the instructions of one between those of the other. */
UNIT_TEST(both)
{
    const char *const lines[] = {"a", "x", "b", "y", "c", "z", "c", "b", NULL};
    assert_count(lines, "(a ; b ; c) & (x ; y ; z)", 1);
    assert_count(lines, "(x ; y) & (a ; b)", 1);
    assert_count(lines, "(y ; x) & (a ; b)", 0);
    assert_count(lines, "x & a", 1);
    assert_count(lines, "c & z & b & y", 1);
    assert_count(lines, "c & z & b & y ; c", 1);
    assert_count(lines, "c & z & x", 0);
    assert_count(lines, "c & z & y", 1);
    assert_count(lines, "b & z & c{2}", 1);
    assert_count(lines, "(a ; x | x ; a) ; b", 1);
    assert_count(lines, "a & (x ; any* ; c)", 1);
}

UNIT_TEST(nearest)
{
    stn_pattern_result found = find_in(letters, "a ; b{2} ; d ; any* ; c");
    assert_int_equal(found.count, 0);
    assert_int_equal(found.near, 3);
    assert_int_equal(found.near_from, 0);
    assert_int_equal(found.near_to, 2);
    assert_int_equal(found.lacks, 2);
    found = find_in(letters, "b ; any* ; e");
    assert_int_equal(found.near, 1);
    assert_int_equal(found.near_from, 1);
    assert_int_equal(found.lacks, 2);
    assert_int_equal(find_in(letters, "e ; a").near, 0);
}

/* All matches are followed in parallel: backtracking would take 2^30 steps. */
UNIT_TEST(bounded_time)
{
    static const char *lines[MOST_LINES];
    for (int k = 0; k < MOST_LINES - 1; k++)
        lines[k] = "a";
    assert_count(lines, "(a? ; a?){15} ; a{15} ; b", 0);
    assert_count(lines, "((a | a ; a)* ; a*)* ; b", 0);
    assert_count(lines, "a{100}", 39);
    char text[MOST_LINES][16];
    for (int k = 0; k < MOST_LINES - 1; k++) {
        snprintf(text[k], sizeof text[k], "a R%d", k);
        lines[k] = text[k];
    }
    assert_true(find_in(lines, "a R:x ; any* ; a R:x ; b").is_lost);
    assert_count(lines, "a R:x ; a R:x", 0);
}

UNIT_TEST(faults)
{
    static const struct {
        const char *text;
        size_t at;
        const char *why;
    } cases[] = {
        {"", 0, "expected an instruction"},
        {"a ;", 3, "expected an instruction, /expression/, any or (, not the end"},
        {"a ; ; b", 4, "expected an instruction, /expression/, any or (, not ';'"},
        {"(a ; b", 6, "expected ; & | or ), not the end"},
        {"a ; b)", 5, "expected ; & | or the end of the sequence, not ')'"},
        {"a*", 0, "can be empty"},
        {"a{2", 3, "expected }"},
        {"a{x}", 2, "expected a number"},
        {"a{3,2}", 1, "is less than the minimum"},
        {"a{101}", 2, "more than 100 repetitions"},
        {"a R,", 4, "expected an operand"},
        {"a abcdefghijklmn", 2, "expected an operand"},
        {"a R:", 4, "expected a name"},
        {"a R:a, R:b, R:c, R:d, R:e", 24, "more than 4 names"},
        {"a _, _, _, _, _, _, _", 20, "more than 6 operands"},
        {"/x", 0, "missing"},
        {"//", 1, "empty"},
        {"/a(/", 1, "not a regular expression"},
        {"b ; /a{2}/", 6, "counts in braces"},
        {"a % b", 2, "expected ; & | or the end of the sequence, not '%'"},
        {"(((((((((((((((((a)))))))))))))))))", 16, "nested"},
        {"abcdefghijklmnopqrstuvwxyzabcdefghi", 0, "longer than 31"},
    };
    for (int k = 0; k < COUNT_OF(cases); k++) {
        stn_pattern *pattern;
        stn_pattern_fault fault;
        expect_error(stn_pattern_parse(cases[k].text, strlen(cases[k].text), &pattern, &fault),
                     STN_ERR_PARSE, NULL);
        assert_null(pattern);
        if (fault.at != cases[k].at || !strstr(fault.reason, cases[k].why))
            fail_msg("'%s' gives %zu: %s", cases[k].text, fault.at, fault.reason);
    }
}

/* ---- in contracts ---- */

static stn_image *make_image(void)
{
    const made_word words[] = {
        made_load(0x981, 6, 4, 2, 0),
        made_load(0x981, 6, 8, 2, 16),
        made_registers(0x22b, 8, 4, 6, 8),
        made_store(0x986, 6, 2, 0, 8),
        exit_word(),
    };
    return image_of(90, words, COUNT_OF(words));
}

static void assert_report(const char *facts, int held, int broken, const char *expected)
{
    char text[200];
    stn_image *image = make_image();
    snprintf(text, sizeof text, "kernel k @sm_* %s", facts);
    EXPECT_REPORT(image, text, held, broken, 0, expected);
    stn_image_close(image);
}

UNIT_TEST(contracts)
{
    assert_report(": sequence \"ldg.128 ; any* ; stg.128\"", 1, 0, "");
    assert_report(": sequence \"ldg\" == 2, load == 2", 2, 0, "");
    assert_report("{\n sequence \"ldg ; ldg ; dfma R:a, _, _, R:a\"\n sequence \"bar\" == 0 }", 2,
                  0, "");
    assert_report(
        ": sequence \"ldg.128 ; ldg.64\"", 0, 1,
        "a.cg:1:18: broken: sequence \"ldg.128 ; ldg.64\" >= 1, found 0: the nearest match is "
        "'LDG.128 R4, [R2]' at 0, which 'ldg.64' does not follow\n");
    assert_report(": sequence \"ldg\" <= 1", 0, 1, "broken: sequence \"ldg\" <= 1, found 2\n");
    assert_report(
        ": sequence \"ldg ; any* ; dfma ; bar\"", 0, 1,
        "the nearest match is 'LDG.128 R4, [R2]' at 0 to 'DFMA R8, R4, R6, R8' at 20, which 'bar' "
        "does not follow\n");
    assert_report(": sequence \"bar\"", 0, 1, "broken: sequence \"bar\" >= 1, found 0\n");
}

UNIT_TEST(places_of_faults)
{
    static const char *const cases[][2] = {
        {": sequence \"ldg ; ;\"", "a.cg:1:34: expected an instruction"},
        {": sequence ldg", "a.cg:1:27: expected a sequence between \", not 'ldg'"},
        {": sequence \"ldg", "a.cg:1:27: the closing \" of the sequence is missing"},
        {": sequence \"ldg\" 3", "a.cg:1:33: expected one of =="},
        {": sequences == 0", "a.cg:1:18: unknown quantity 'sequences'"},
    };
    stn_image *image = make_image();
    for (int k = 0; k < COUNT_OF(cases); k++) {
        char text[100];
        stn_contract_result result = STN_CONTRACT_RESULT_INIT;
        snprintf(text, sizeof text, "kernel k @sm_* %s", cases[k][0]);
        expect_error(stn_contract_check_text(image, text, "a.cg", NULL, &result), STN_ERR_PARSE,
                     NULL);
        if (strncmp(stn_error(), cases[k][1], strlen(cases[k][1])) != 0)
            fail_msg("'%s' gives %s", cases[k][0], stn_error());
    }
    stn_image_close(image);
}

/* An unknown instruction may be any instruction. */
UNIT_TEST(unknown_instructions)
{
    const made_word words[] = {made_load(0x981, 6, 4, 2, 0), made_instruction(0x1ff), exit_word()};
    stn_image *image = image_of(90, words, COUNT_OF(words));
    EXPECT_REPORT(image, "kernel k @* : sequence \"ldg\" == 1, sequence \"ldg\"", 1, 1, 0, "");
    stn_image_close(image);
}

UNIT_TEST(loops)
{
    int32_t times = -1;
    const made_word words[] = {
        made_load(0x981, 6, 4, 2, 0),
        made_load(0x981, 6, 8, 2, 16),
        made_store(0x986, 6, 2, 0, 8),
        made_branch(90, 0, -3),
        exit_word(),
    };
    stn_image *image = image_of(90, words, COUNT_OF(words));
    expect_ok(stn_image_count_sequence(image, 0, STN_LOOP_MAIN, "ldg ; stg", &times));
    assert_int_equal(times, 1);
    expect_ok(stn_image_count_sequence(image, 0, STN_LOOP_NONE, "ldg", &times));
    assert_int_equal(times, 2);
    expect_ok(stn_image_count_sequence(image, 0, 0, "ldg", &times));
    assert_int_equal(times, 1);
    expect_error(stn_image_count_sequence(image, 0, 3, "ldg", &times), STN_ERR_RANGE, NULL);
    expect_error(stn_image_count_sequence(image, 0, 0, "ldg ;", &times), STN_ERR_PARSE, NULL);
    assert_string_equal(stn_error(), "sequence:6: expected an instruction, /expression/, any or (, "
                                     "not the end of the sequence");
    expect_error(stn_image_count_sequence(image, 0, 0, NULL, &times), STN_ERR_ARGUMENT, NULL);
    stn_image_close(image);
}

/* Instructions of inner loops are not an outer one's. */
UNIT_TEST(inner_loops)
{
    int32_t times = -1;
    const made_word words[] = {
        made_load(0x981, 6, 4, 2, 0),  made_store(0x388, 4, 2, 0, 8), made_branch(90, 0, -2),
        made_store(0x986, 6, 2, 0, 8), made_branch(90, 1, -5),        exit_word(),
    };
    stn_image *image = image_of(90, words, COUNT_OF(words));
    expect_ok(stn_image_count_sequence(image, 0, 0, "sts", &times));
    assert_int_equal(times, 0);
    expect_ok(stn_image_count_sequence(image, 0, 0, "ldg ; stg ; bra", &times));
    assert_int_equal(times, 1);
    expect_ok(stn_image_count_sequence(image, 0, 1, "sts ; bra", &times));
    assert_int_equal(times, 1);
    stn_image_close(image);
}

RUN_UNIT_TESTS(NULL, NULL)
