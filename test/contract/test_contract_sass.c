/* NVIDIA instructions, assembled here: what each is taken for. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "contract_report.h"
#include "contract_sass.h"

#include <stdlib.h>

/* ---- one instruction ---- */

/* What decoding finds in a word that stands alone before an exit. */
static stn_machine_instruction decode(int sm, made_word word, char text[80])
{
    const made_word words[] = {word, exit_word()};
    stn_image *image = image_of(sm, words, 2);
    assert_int_equal(count(image, STN_LOOP_NONE).instructions, 2);
    const stn_machine_instruction found = image->codes[0].instructions[0];
    snprintf(text, 80, "%s", image->codes[0].text + found.text);
    stn_image_close(image);
    return found;
}

static void assert_text(int sm, made_word word, const char *expected)
{
    char text[80];
    (void)decode(sm, word, text);
    assert_string_equal(text, expected);
}

static void assert_access(int sm, made_word word, const char *expected, stn_code_space space,
                          int bits, int reads, int writes)
{
    char text[80];
    const stn_machine_instruction found = decode(sm, word, text);
    assert_string_equal(text, expected);
    assert_int_equal(found.accesses, 1);
    assert_int_equal(found.access[0].space, space);
    assert_int_equal(found.access[0].bits, bits);
    assert_int_equal(found.access[0].lanes, 1);
    assert_int_equal(found.access[0].reads, reads);
    assert_int_equal(found.access[0].writes, writes);
    assert_int_equal(found.operation, STN_OP_OTHER);
}

UNIT_TEST(widths)
{
    static const struct {
        const char *load, *store;
        int bits;
    } sizes[] = {
        {"LDG.U8 R4, [R2+0x10]", "STG.U8 [R2-0x8], R6", 8},
        {"LDG.S8 R4, [R2+0x10]", "STG.S8 [R2-0x8], R6", 8},
        {"LDG.U16 R4, [R2+0x10]", "STG.U16 [R2-0x8], R6", 16},
        {"LDG.S16 R4, [R2+0x10]", "STG.S16 [R2-0x8], R6", 16},
        {"LDG R4, [R2+0x10]", "STG [R2-0x8], R6", 32},
        {"LDG.64 R4, [R2+0x10]", "STG.64 [R2-0x8], R6", 64},
        {"LDG.128 R4, [R2+0x10]", "STG.128 [R2-0x8], R6", 128},
    };
    for (int size = 0; size < (int)COUNT_OF(sizes); size++) {
        const int bits = sizes[size].bits;
        assert_access(90, made_load(0x981, size, 4, 2, 16), sizes[size].load, STN_SPACE_MEMORY,
                      bits, 1, 0);
        assert_access(75, made_load(0x381, size, 4, 2, 16), sizes[size].load, STN_SPACE_MEMORY,
                      bits, 1, 0);
        assert_access(90, made_store(0x986, size, 2, -8, 6), sizes[size].store, STN_SPACE_MEMORY,
                      bits, 0, 1);
    }
    char text[80];
    for (int sm = 80; sm <= 120; sm += 10)
        assert_int_equal(decode(sm, made_load(0x981, 7, 4, 2, 0), text).operation, STN_OP_UNKNOWN);
    assert_int_equal(decode(75, made_load(0x983, 7, 4, 2, 0), text).operation, STN_OP_UNKNOWN);
    assert_access(75, made_load(0x381, 7, 4, 2, 16), "LDG.128 R4, [R2+0x10]", STN_SPACE_MEMORY, 128,
                  1, 0); /* U.128 */
}

UNIT_TEST(spaces)
{
    assert_access(90, made_load(0x980, 4, 4, 2, 0), "LD R4, [R2]", STN_SPACE_MEMORY, 32, 1, 0);
    assert_access(80, made_store(0x985, 4, 2, 0, 6), "ST [R2], R6", STN_SPACE_MEMORY, 32, 0, 1);
    assert_access(75, made_with(made_store(0x385, 4, 2, 0, 0), 64, 8, 9), "ST [R2], R9",
                  STN_SPACE_MEMORY, 32, 0, 1);
    assert_access(90, made_load(0x983, 5, 4, 1, 8), "LDL.64 R4, [R1+0x8]", STN_SPACE_LOCAL, 64, 1,
                  0);
    assert_access(90, made_store(0x387, 6, 1, 8, 4), "STL.128 [R1+0x8], R4", STN_SPACE_LOCAL, 128,
                  0, 1);
    assert_access(90, made_load(0x984, 4, 4, 255, 4), "LDS R4, [0x4]", STN_SPACE_SHARED, 32, 1, 0);
    assert_access(90, made_store(0x388, 4, 255, 0, 4), "STS [RZ], R4", STN_SPACE_SHARED, 32, 0, 1);
    made_word scaled = made_with(made_load(0x984, 4, 4, 6, 0x400), 78, 2, 1);
    assert_access(75, scaled, "LDS R4, [R6.X4+0x400]", STN_SPACE_SHARED, 32, 1, 0);
    scaled = made_with(made_with(made_load(0x984, 4, 4, 6, 0), 91, 1, 1), 32, 8, 5);
    assert_access(120, scaled, "LDS R4, [R6+UR5]", STN_SPACE_SHARED, 32, 1, 0);
    const made_word matrix = made_with(made_registers(0x83b, 8, 4, 0, 0), 72, 2, 2);
    assert_access(80, matrix, "LDSM.128 R8, [R4]", STN_SPACE_SHARED, 128, 1, 0);
}

/* A uniform register is part of the address on sm_75 and names a descriptor from sm_80 on. */
UNIT_TEST(descriptors)
{
    const made_word word = made_with(made_with(made_load(0x981, 4, 4, 2, 16), 90, 2, 3), 32, 8, 4);
    assert_text(75, word, "LDG R4, [R2+UR4+0x10]");
    assert_text(80, word, "LDG R4, [R2+0x10]");
    assert_text(90, word, "LDG R4, [R2+0x10]");
}

UNIT_TEST(constants)
{
    made_word word = made_with(made_load(0xb82, 5, 2, 255, 0), 32, 32, 0x8400);
    assert_access(90, word, "LDC.64 R2, c[0x0][0x210]", STN_SPACE_CONSTANT, 64, 1, 0);
    word = made_with(made_load(0xb82, 4, 3, 5, 0), 32, 32, 0xc00000);
    assert_access(75, word, "LDC R3, c[0x3][0x0]+R5", STN_SPACE_CONSTANT, 32, 1, 0);
    word = made_with(made_load(0xab9, 5, 4, 0, 0), 32, 32, 0x8200);
    assert_access(90, word, "ULDC.64 UR4, c[0x0][0x208]", STN_SPACE_CONSTANT, 64, 1, 0);
    word = made_with(made_load(0x7ac, 5, 4, 255, 0), 32, 32, 0x1000700);
    assert_access(120, word, "LDCU.64 UR4, c[0x4][0x38]", STN_SPACE_CONSTANT, 64, 1, 0);
    word = made_with(made_registers(0xa2b, 2, 2, 0, 4), 32, 32, 0xc00400);
    assert_text(80, word, "DFMA R2, R2, c[0x3][0x10], R4");
    char text[80]; /* an operand of arithmetic, as arguments are before sm_90 */
    word = made_with(made_registers(0xa2b, 2, 2, 0, 4), 32, 32, 0x5c00);
    const stn_machine_instruction found = decode(80, word, text);
    assert_string_equal(text, "DFMA R2, R2, c[0x0][0x170], R4");
    assert_int_equal(found.operation, STN_OP_FMA);
    assert_int_equal(found.accesses, 1);
    assert_int_equal(found.access[0].space, STN_SPACE_CONSTANT);
    assert_int_equal(found.access[0].bits, 64);
}

UNIT_TEST(wide_accesses)
{
    const made_word load = {0xfffff9040410797e, 0x0ea80008121914};
    const made_word store = {0xf80005080208797f, 0x008fe2000f12180c};
    assert_access(100, load, "LDG.256 R16, [R4-0xe0]", STN_SPACE_MEMORY, 256, 1, 0);
    assert_access(120, store, "STG.256 [R2+0xa0], R8", STN_SPACE_MEMORY, 256, 0, 1);
}

UNIT_TEST(atomics)
{
    const made_word add = made_store(0x98e, 6, 4, -24, 10); /* f64 before sm_90 */
    assert_access(80, add, "RED.64 [R4-0x18], R10", STN_SPACE_MEMORY, 64, 1, 1);
    const made_word cas = made_with(made_store(0x3a9, 2, 16, 0, 12), 16, 8, 12);
    assert_access(90, cas, "ATOMG.64 R12, [R16], R12", STN_SPACE_MEMORY, 64, 1, 1);
    const made_word flag = made_with(made_store(0x9a3, 7, 8, 0, 16), 63, 1, 1); /* no offset */
    assert_access(120, made_with(flag, 16, 8, 255), "ATOMG.64 RZ, [R8], R16", STN_SPACE_MEMORY, 64,
                  1, 1);
    char text[80];
    assert_int_equal(decode(90, made_store(0x9a6, 4, 8, 0, 6), text).operation, STN_OP_UNKNOWN);
    assert_access(90, made_store(0x98e, 3, 6, 8, 12), "RED.64 [R6+0x8], R12", STN_SPACE_MEMORY, 64,
                  1, 1); /* of signed 64 bits, which was the code of f32 before */
    const made_word shared = made_with(made_store(0x38c, 0, 8, 0, 9), 16, 8, 255);
    assert_access(80, shared, "ATOMS RZ, [R8], R9", STN_SPACE_SHARED, 32, 1, 1);
}

UNIT_TEST(copies)
{
    const made_word words[] = {{0x0002000802077fae, 0x000fe8000b921a44},
                               {0x0002000802077fae, 0x000fe8000b9a1406}};
    for (int k = 0; k < 2; k++) {
        char text[80];
        const stn_machine_instruction found = decode(k ? 120 : 80, words[k], text);
        assert_string_equal(text, "LDGSTS.64 [R7+0x20], [R2+0x8]");
        assert_int_equal(found.accesses, 2);
        assert_int_equal(found.access[0].space, STN_SPACE_MEMORY);
        assert_int_equal(found.access[0].bits, 64);
        assert_true(found.access[0].reads && !found.access[0].writes);
        assert_int_equal(found.access[1].space, STN_SPACE_SHARED);
        assert_true(found.access[1].writes && !found.access[1].reads);
    }
}

static void assert_operation(int sm, made_word word, const char *expected,
                             stn_machine_operation operation, int kind, int lanes)
{
    char text[80];
    const stn_machine_instruction found = decode(sm, word, text);
    assert_string_equal(text, expected);
    assert_int_equal(found.operation, operation);
    if (operation != STN_OP_OTHER) {
        assert_int_equal(found.kind, kind);
        assert_int_equal(found.lanes, lanes);
    }
}

#define ADDS  STN_OP_ARITHMETIC
#define FUSED STN_OP_FMA
#define TURNS STN_OP_CONVERSION
#define MOVES STN_OP_OTHER, 0, 0

UNIT_TEST(arithmetic)
{
    enum { D = STN_KIND_F64, F = STN_KIND_F32, H = STN_KIND_F16, I = STN_KIND_INTEGER, Z = 255 };
    assert_operation(90, made_registers(0x22b, 2, 4, 6, 8), "DFMA R2, R4, R6, R8", FUSED, D, 1);
    assert_operation(90, made_registers(0x228, 2, 4, 6, 0), "DMUL R2, R4, R6", ADDS, D, 1);
    assert_operation(90, made_registers(0x229, 2, 4, 0, 6), "DADD R2, R4, R6", ADDS, D, 1);
    assert_operation(90, made_registers(0x223, 2, 4, 6, 8), "FFMA R2, R4, R6, R8", FUSED, F, 1);
    assert_operation(90, made_registers(0x221, 2, 4, 6, 0), "FADD R2, R4, R6", ADDS, F, 1);
    assert_operation(90, with_constant(0x421, 2, 4, 0x3f800000, 0), "FADD R2, R4, 0x3f800000", ADDS,
                     F, 1);
    assert_operation(90, made_registers(0x231, 2, 4, 6, 8), "HFMA2 R2, R4, R6, R8", FUSED, H, 2);
    assert_operation(90, made_registers(0x230, 2, 4, 6, 0), "HADD2 R2, R4, R6", ADDS, H, 2);
    assert_operation(120, made_registers(0x249, 4, 5, 6, 0), "UVIADD UR4, UR5, UR6", ADDS, I, 1);
    assert_operation(120, made_registers(0x24a, 4, 5, 6, 0), "UVIMNMX UR4, UR5, UR6", ADDS, I, 1);
    assert_operation(120, made_registers(0x885, 10, 16, 0, 0), "UIMNMX UR10, UR16, 0x0", ADDS, I,
                     1);
    assert_operation(100, made_registers(0x249, 2, 4, 6, 8), "FFMA2 R2, R4, R6, R8", FUSED, F, 2);
    assert_operation(90, made_registers(0x210, 2, 4, 6, 8), "IADD3 R2, R4, R6, R8", ADDS, I, 1);
    assert_operation(90, made_registers(0x224, 2, 4, 6, 8), "IMAD R2, R4, R6, R8", FUSED, I, 1);
    assert_operation(90, made_registers(0x224, 2, 4, 6, Z), "IMAD R2, R4, R6, RZ", ADDS, I, 1);
    assert_operation(90, with_constant(0x824, 2, 4, 1, 6), "IMAD R2, R4, 0x1, R6", ADDS, I, 1);
    assert_operation(90, made_registers(0x224, 2, Z, Z, 8), "IMAD R2, RZ, RZ, R8", MOVES);
    assert_operation(90, with_constant(0x431, 2, Z, 0x3c00, Z), "HFMA2 R2, RZ, RZ, 0x3c00", MOVES);
    assert_operation(80, made_registers(0x235, 2, 4, 6, 8), "HFMA2.MMA R2, R4, R6, R8", FUSED, H,
                     2);
    assert_operation(120, with_constant(0x835, 2, 4, 8, 0), "IADD.64 R2, R4, 0x8", ADDS, I, 1);
    assert_operation(90, made_registers(0x23c, 8, 2, 4, 8), "HMMA R8, R2, R4, R8", FUSED, H, 32);
    assert_operation(75, made_registers(0x236, 8, 6, 4, 8), "HMMA R8, R6, R4, R8", FUSED, H, 32);
    assert_operation(120, made_with(made_registers(0x236, 2, 4, 6, 0), 72, 4, 8),
                     "VIADD R2, R4, R6", ADDS, I, 4);
    assert_operation(90, made_registers(0x290, 4, 5, 6, 63), "UIADD3 UR4, UR5, UR6, URZ", ADDS, I,
                     1);
    assert_operation(120, made_registers(0x290, 4, 5, 63, Z), "UIADD3 UR4, UR5, UR63, URZ", ADDS, I,
                     1);
}

UNIT_TEST(functions)
{
    static const struct {
        int code, divides, kind;
    } cases[] = {{0, 0, STN_KIND_F32}, {2, 0, STN_KIND_F32}, {4, 1, STN_KIND_F32},
                 {5, 1, STN_KIND_F32}, {6, 1, STN_KIND_F64}, {7, 1, STN_KIND_F64},
                 {8, 1, STN_KIND_F32}, {9, 0, STN_KIND_F32}};
    for (int k = 0; k < COUNT_OF(cases); k++) {
        char text[80];
        const made_word word =
            made_with(made_registers(0x308, 2, 0, 4, 0), 74, 4, (uint64_t)cases[k].code);
        const stn_machine_instruction found = decode(90, word, text);
        assert_string_equal(text, "MUFU R2, R4");
        assert_int_equal(found.operation, STN_OP_ARITHMETIC);
        assert_int_equal(found.kind, cases[k].kind);
        assert_int_equal(found.divides, cases[k].divides);
        assert_int_equal(found.approximates, cases[k].divides);
    }
}

UNIT_TEST(conversions)
{
    enum { D = STN_KIND_F64, F = STN_KIND_F32, H = STN_KIND_F16, Z = 255 };
    made_word word = made_registers(0x310, 2, 0, 4, 0);
    word = made_with(made_with(word, 75, 2, 3), 84, 2, 2);
    assert_operation(90, word, "F2F R2, R4", TURNS, F, 1); /* the narrower type */
    word = made_with(made_with(word, 75, 2, 1), 84, 2, 3);
    assert_operation(90, word, "F2F R2, R4", TURNS, H, 1);
    assert_operation(90, made_registers(0x306, 2, 0, 4, 0), "I2F R2, R4", TURNS, F, 1);
    assert_operation(90, made_registers(0x311, 2, 0, 4, 0), "F2I R2, R4", TURNS, D, 1);
    assert_operation(90, made_registers(0x23e, 2, 4, 6, 0), "F2FP R2, R4, R6", TURNS, H, 2);
    assert_operation(90, made_registers(0x23e, 2, Z, 6, 0), "F2FP R2, RZ, R6", TURNS, H, 1);
    word = made_with(made_registers(0x230, 2, Z, 6, 0), 78, 1, 1);
    assert_operation(90, word, "HADD2 R2, RZ, R6", TURNS, H, 1); /* half to float */
    word = made_with(made_registers(0x230, 2, 4, 6, 0), 78, 1, 1);
    assert_operation(90, word, "HADD2 R2, R4, R6", ADDS, F, 1);
}

UNIT_TEST(unknown)
{
    char text[80];
    const made_word words[] = {made_instruction(0x1ff), made_instruction(0x035), exit_word()};
    assert_int_equal(decode(90, words[0], text).operation, STN_OP_UNKNOWN);
    assert_string_equal(text, "unknown 0x1ff");
    stn_image *image = image_of(80, words, 3);
    assert_int_equal(count(image, STN_LOOP_NONE).unknown, 1); /* 0x035 is one of sm_80's */
    stn_image_close(image);
}

/* Copies 4096 bytes from global to shared memory. */
UNIT_TEST(bulk_copies_have_no_bytes)
{
    const made_word words[] = {{0x00000006080073ba, 0x0005d80008000204}, exit_word()};
    stn_image *image = image_of(90, words, 2);
    EXPECT_REPORT(
        image,
        "kernel k @sm_90 : load >= 1, load <= 1, store == 0, shared == 1\n"
        "kernel k @sm_90 : load == 0, bytes.read == 0, bytes <= 4096, load.128 == 0, "
        "load.width >= 8, bytes.raw == 0, elements == 1\n",
        4, 7, 0, "load == 0, found 1",
        "bytes.read == 0 cannot be determined: 'UBLKCP' at 0 moves a number of bytes that "
        "the instruction does not contain");
    stn_image_close(image);
}

/* ---- flow ---- */

UNIT_TEST(guards)
{
    char text[80];
    made_word word = made_with(exit_word(), 12, 4, 0);
    assert_int_equal(decode(90, word, text).flow, STN_FLOW_BRANCH);
    assert_string_equal(text, "@P0 EXIT");
    assert_int_equal(decode(90, made_with(word, 12, 4, 11), text).flow, STN_FLOW_BRANCH);
    assert_string_equal(text, "@!P3 EXIT");
    assert_int_equal(decode(90, exit_word(), text).flow, STN_FLOW_END);
    word = made_with(made_load(0x984, 4, 255, 255, 0), 12, 4, MADE_NEVER);
    const stn_machine_instruction found = decode(90, word, text);
    assert_string_equal(text, "@!PT LDS RZ, [RZ]");
    assert_int_equal(found.accesses, 0); /* it is never executed */
    word = made_with(made_registers(0x290, 4, 5, 6, 63), 12, 4, 8);
    assert_text(90, word, "@!UP0 UIADD3 UR4, UR5, UR6, URZ");
}

UNIT_TEST(jumps)
{
    static const int sms[] = {75, 89, 90, 120};
    for (int k = 0; k < COUNT_OF(sms); k++) {
        char text[80];
        stn_machine_instruction found = decode(sms[k], made_branch(sms[k], 7, 0x1000), text);
        assert_string_equal(text, "BRA 0x10010");
        assert_int_equal(found.flow, STN_FLOW_JUMP);
        assert_int_equal(found.target, 0x10010);
        found = decode(sms[k], made_branch(sms[k], 8, 1), text);
        assert_string_equal(text, "@!P0 BRA 0x20");
        assert_int_equal(found.flow, STN_FLOW_BRANCH);
        found = decode(sms[k], made_with(made_branch(sms[k], 7, 1), 87, 3, 1), text);
        assert_int_equal(found.flow, STN_FLOW_BRANCH); /* by a predicate among its operands */
    }
    char text[80];
    const stn_machine_instruction call =
        decode(90, made_with(made_branch(90, 7, 4), 0, 12, 0x944), text);
    assert_string_equal(text, "CALL 0x50");
    assert_int_equal(call.flow, STN_FLOW_CALL);
    assert_int_equal(call.target, 0x50);
    const stn_machine_instruction far = decode(90, made_registers(0x343, 0, 2, 0, 0), text);
    assert_int_equal(far.flow, STN_FLOW_CALL);
    assert_true(far.target == STN_NO_TARGET);
    assert_int_equal(decode(90, made_instruction(0x949), text).flow, STN_FLOW_INDIRECT);
    assert_int_equal(decode(90, made_instruction(0x950), text).flow, STN_FLOW_END);
}

/* A jump to itself and padding after the end are not the kernel's. */
UNIT_TEST(padding)
{
    const made_word nop = made_instruction(0x918);
    const made_word words[] = {made_load(0x981, 4, 4, 2, 0), nop, exit_word(),
                               made_branch(90, 7, -1),       nop, nop};
    stn_image *image = image_of(90, words, COUNT_OF(words));
    stn_function_info info = STN_FUNCTION_INFO_INIT;
    assert_int_equal(count(image, STN_LOOP_NONE).instructions, 3);
    assert_int_equal(count(image, STN_LOOP_NONE).branches, 0);
    expect_ok(stn_image_function(image, 0, &info));
    assert_int_equal(info.loops, 0);
    stn_image_close(image);
}

RUN_UNIT_TESTS(NULL, NULL)
