/* Lines of AArch64 disassembly and what they are decoded to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract/isa/line.h"
#include "contract_describe.h"

/* x0 to x30 are 0 to 30, sp 31, vectors from 32 */
/* clang-format off */
static const line_case memory[] = {
    {"ldr\tx0, [x1]", "r64:8@1+0"},
    {"ldr\tw0, [x1, #16]", "r32:4@1+16"},
    {"ldr\tq0, [x0], #16", "r128:0@0+0 0+=16"},
    {"ldr\tq0, [x0, #16]!", "r128:0@0+16 0+=16"},
    {"str\tq0, [x0, #-32]!", "w128:0@0-32 0+=-32"},
    {"ldr\td2, [x1, w9, sxtw #3]", "r64:0@1+9*8+0"},
    {"ldr\td0, [x0, x7, lsl #3]", "r64:0@0+7*8+0"},
    {"ldr\ts0, [x0, x7]", "r32:4@0+7*1+0"},
    {"ldr\th0, [x0, #2]", "r16:2@0+2"},
    {"ldr\tb0, [x0]", "r8:1@0+0"},
    {"ldrb\tw0, [x1, #1]", "r8:1@1+1"},
    {"ldrh\tw0, [x1], #2", "r16:2@1+0 1+=2"},
    {"ldrsb\tx0, [x1]", "r8:1@1+0"},
    {"ldrsh\tw0, [x1]", "r16:2@1+0"},
    {"ldrsw\tx8, [x2, w4, sxtw #2]", "r32:4@2+4*4+0"},
    {"ldur\tq0, [x0, #-16]", "r128:0@0-16"},
    {"ldurb\tw0, [x0, #-1]", "r8:1@0-1"},
    {"ldursw\tx0, [x0, #-4]", "r32:4@0-4"},
    {"stur\td0, [x0, #-8]", "w64:0@0-8"},
    {"strb\twzr, [x0]", "w8:1@0+0"},
    {"strh\tw1, [x0]", "w16:2@0+0"},
    {"str\txzr, [x0, #8]", "w64:8@0+8"},
    {"ldp\tq0, q1, [x4]", "r256:0@4+0"},
    {"ldp\tx1, x2, [x0, #16]", "r128:8@0+16"},
    {"ldp\tw9, w8, [x5]", "r64:4@5+0"},
    {"ldp\td0, d1, [x0], #16", "r128:0@0+0 0+=16"},
    {"ldpsw\tx0, x1, [x2]", "r64:4@2+0"},
    {"stp\tq0, q1, [x4, #-32]!", "w256:0@4-32 4+=-32"},
    {"stp\tx29, x30, [sp, #-32]!", "w128:8%31-32 31+=-32"},
    {"ldp\tx29, x30, [sp], #32", "r128:8%31+0 31+=32"},
    {"str\tx0, [sp, #8]", "w64:8%31+8"},
    {"stp\txzr, xzr, [x0]", "w128:8@0+0"},
    {"ldr\td0, 1c <f+0x1c>", "r64:0@-1+28"},
    {"ldr\tx0, 400 <x>", "r64:8@-1+1024"},
    {"ld1\t{v0.2d}, [x0], #16", "r128:8@0+0 0+=16"},
    {"ld1\t{v0.16b}, [x0], x2", "r128:1@0+0"},
    {"ld2\t{v0.2d-v1.2d}, [x1]", "r256:8@1+0"},
    {"ld2\t{v2.4s, v3.4s}, [x1], #32", "r256:4@1+0 1+=32"},
    {"ld3\t{v0.4s-v2.4s}, [x1]", "r256:4@1+0 r128:4@1+32"},
    {"ld4\t{v31.4h, v0.4h, v1.4h, v2.4h}, [x1]", "r256:2@1+0"},
    {"st4\t{v0.4s-v3.4s}, [x0], #64", "w512:4@0+0 0+=64"},
    {"st1\t{v0.s}[1], [x0]", "w32:4@0+0"},
    {"ld1\t{v0.d}[1], [x0]", "r64:8@0+0"},
    {"ld1r\t{v0.2d}, [x0]", "r64:8@0+0"},
    {"ld2r\t{v0.4s, v1.4s}, [x0]", "r64:4@0+0"},
    {"ldar\tw0, [x1]", "r32:4@1+0"},
    {"ldaxr\tx0, [x1]", "r64:8@1+0"},
    {"stlxr\tw2, x0, [x1]", "w64:8@1+0"},
    {"stxrb\tw2, w0, [x1]", "w8:1@1+0"},
    {"ldadd\tw0, w1, [x2]", "u32:4@2+0"},
    {"casal\tx0, x1, [x2]", "u64:8@2+0"},
    {"swpb\tw0, w1, [x2]", "u8:1@2+0"},
    {"ldsmaxalh\tw0, w1, [x2]", "u16:2@2+0"},
    {"staddl\tw0, [x2]", "u32:4@2+0"},
    {"stumaxlb\tw0, [x2]", "u8:1@2+0"},
    {"casp\tx2, x3, x4, x5, [x0]", "u128:8@0+0"},
    {"caspal\tw2, w3, w4, w5, [x0]", "u64:4@0+0"},
    {"ldclrp\tx1, x2, [x0]", "u128:8@0+0"},
    {"swppal\tx1, x2, [x0]", "u128:8@0+0"},
    {"prfm\tpldl1keep, [x0, #256]", ""},
    {"adrp\tx0, 11000 <x>", ""},
};

static const line_case arithmetic[] = {
    {"add\tx4, x4, #0x20", "+int 1 4+=32"},
    {"sub\tx4, x4, #0x20", "+int 1 4+=-32"},
    {"subs\tw3, w3, #0x1", "+int 1 3+=-1"},
    {"add\tx4, x4, #0x1, lsl #12", "+int 1 4+=4096"},
    {"add\tx4, x5, #0x20", "+int 1"},
    {"add\tx4, x4, x5", "+int 1"},
    {"sub\tsp, sp, #0x30", "+int 1 31+=-48"},
    {"madd\tx0, x1, x2, x3", "+int 1"},
    {"umaddl\tx10, w10, w6, x0", "+int 1"},
    {"sdiv\tw0, w1, w2", "/int 1"},
    {"neg\tw0, w1", "+int 1"},
    {"add\tv0.4s, v0.4s, v1.4s", "+int 4"},
    {"mul\tv0.8h, v0.8h, v1.8h", "+int 8"},
    {"addv\ts0, v1.4s", "+int 4"},
    {"uaddw2\tv0.2d, v0.2d, v1.4s", "+int 2"},
    {"smull2\tv0.4s, v1.8h, v2.8h", "+int 4"},
    {"fadd\td0, d0, d1", "+f64 1"},
    {"fmul\ts0, s0, s1", "+f32 1"},
    {"fadd\tv0.2d, v0.2d, v1.2d", "+f64 2"},
    {"fmul\tv0.4s, v0.4s, v1.s[0]", "+f32 4"},
    {"fadd\tv0.8h, v0.8h, v1.8h", "+f16 8"},
    {"fdiv\tv0.2d, v0.2d, v1.2d", "/f64 2"},
    {"fsqrt\ts0, s1", "/f32 1"},
    {"frecpe\tv0.4s, v1.4s", "~f32 4"},
    {"frsqrte\td0, d1", "~f64 1"},
    {"frsqrte\tz0.s, z1.s", "~f32 4"},
    {"frecps\tv0.4s, v1.4s, v2.4s", "+f32 4"},
    {"urecpe\tv0.4s, v1.4s", "~int 4"},
    {"faddp\td0, v0.2d", "+f64 2"},
    {"fmaxnm\td0, d0, d1", "+f64 1"},
    {"frintm\td0, d0", "+f64 1"},
    {"fmadd\td0, d2, d1, d0", "*f64 1"},
    {"fnmsub\ts0, s2, s1, s0", "*f32 1"},
    {"fmla\tv1.2d, v3.2d, v4.2d", "*f64 2"},
    {"fmls\tv1.4s, v3.4s, v4.s[1]", "*f32 4"},
    {"bfdot\tv0.4s, v1.8h, v2.8h", "*f16 4"},
    {"fcvt\td0, s0", "=f32 1"},
    {"fcvt\ts0, h0", "=f16 1"},
    {"fcvtl\tv0.2d, v1.2s", "=f32 2"},
    {"fcvtl2\tv0.2d, v1.4s", "=f32 2"},
    {"fcvtn2\tv0.4s, v1.2d", "=f32 2"},
    {"fcvtl\tv0.4s, v1.4h", "=f16 4"},
    {"scvtf\td0, w0", "=int 1"},
    {"fcvtzs\tx0, d0", "=int 1"},
    {"ucvtf\tv0.4s, v0.4s", "=f32 4"},
};

static const line_case others[] = {
    {"mov\tx0, x1", ""},
    {"mov\tw6, #0x20                  \t// #32", ""},
    {"fmov\tv4.2d, #3.000000000000000000e+00", ""},
    {"movi\tv0.2d, #0x0", ""},
    {"mov\tv3.d[1], v6.d[0]", ""},
    {"dup\tv0.2d, v1.d[0]", ""},
    {"uxtl\tv0.4s, v1.4h", ""},
    {"uxtl2\tv0.4s, v1.8h", ""},
    {"xtn2\tv0.8h, v1.4s", ""},
    {"zip1\tv0.2d, v1.2d, v2.2d", ""},
    {"and\tw4, w3, #0xfffffffc", ""},
    {"tst\tx3, #0x3", ""},
    {"cmp\tw3, #0x0", ""},
    {"fcmpe\td0, #0.0", ""},
    {"csel\tx0, x1, x2, lt", ""},
    {"fcsel\td0, d1, d2, gt", ""},
    {"fabs\tv0.2d, v0.2d", ""},
    {"shl\tv0.4s, v0.4s, #16", ""},
    {"sbfiz\tx5, x4, #3, #32", ""},
    {"nop", ""},
    {"paciasp", ""},
    {"bti\tc", ""},
    {"mrs\tx0, tpidr_el0", ""},
    {"aese\tv0.16b, v1.16b", ""},
    {"sha256h\tq0, q1, v2.4s", ""},
    {"crc32cx\tw0, w1, x2", ""},
    {"dc\tcvau, x0", ""},
    {"pacia\tx0, x1", ""},
    {"svc\t#0x0", "call"},
    {"hvc\t#0x0", "call"},
    {"smc\t#0x0", "call"},
    {"hlt\t#0xf000", "call"},
    {"brk\t#0xf000", "call"},
    {"b\t50 <f+0x50>", "jump 50"},
    {"b.ne\t30 <f+0x30>  // b.any", "branch 30"},
    {"b.lt\t0x50", "branch 50"},
    {"cbz\tx0, 4c <f+0x4c>", "branch 4c"},
    {"tbnz\tw0, #3, 1000", "branch 1000"},
    {"bl\t1234 <g>", "call 1234"},
    {"blr\tx16", "call"},
    {"br\tx17", "elsewhere"},
    {"ret", "end"},
    {"ret\tx30", "end"},
    {"brk\t#0x3e8", "end"},
    {"udf\t#0", "end"},
    {"ptrue\tpn8.b", "?"},
    {"ldr\tza[w12, 0], [x0]", "?"},
    {"str\tza[w12, 0], [x0, #1, mul vl]", "?"},
    {"ldr\tzt0, [x0]", "?"},
    {"zero\t{za}", "?"},
    {"smstart", "?"},
    {"dc\tzva, x0", "?"},
    {"dc\tgva, x0", "?"},
    {"dc\tgzva, x0", "?"},
    {"sys\t#3, C7, C4, #1, x0", "?"},
    {"stg\tx0, [x0]", "?"},
    {"st2g\tx0, [x0]", "?"},
    {"stzg\tx0, [x0], #16", "?"},
    {"stz2g\tx0, [x0]", "?"},
    {"stgp\tx1, x2, [x0]", "?"},
    {"stgm\tx1, [x0]", "?"},
    {"ldg\tx1, [x0]", "?"},
    {"ld64b\tx0, [x10]", "?"},
    {"st64b\tx0, [x10]", "?"},
    {"setp\t[x0]!, x1!, x2", "?"},
    {"cpyfm\t[x0]!, [x1]!, x2!", "?"},
    {"rcwcas\tx1, x2, [x0]", "?"},
    {"stfadd\td0, [x0]", "?"},
    {"ldraa\tx1, [x0]", "?"},
    {"gcspushm\tx0", "?"},
    {"tstart\tx0", "?"},
    {"frobnicate\tx0", "?"},
    {".inst\t0x12345678 ; undefined", "?"},
    {"", "?"},
    {"ldr", "r64:0@-1+0"},
    {"ldr\tq0, [", "r128:0@-1+0"},
    {"ld1\t{}, [x0]", "r8:0@0+0"},
    {"ld1\t{v0.99999999999999d}, [x0]", "r128:0@0+0"},
    {"ld1\t{v1.2d-v0.2d}, [x0]", "r512:8@0+0"},
};

/* Of vectors of 128 bits. */
static const line_case scalable[] = {
    {"ld1d\t{z0.d}, p0/z, [x0, x1, lsl #3]", "r128:8@0+1*8+0"},
    {"ld1d\t{ z0.d }, p0/z, [x0, x1, lsl #3]", "r128:8@0+1*8+0"}, /* llvm-objdump's */
    {"ld1w\t{z2.s}, p0/z, [x0]", "r128:4@0+0"},
    {"ld1w\t{z2.s}, p0/z, [x0, #2, mul vl]", "r128:4@0+32"},
    {"ld1h\t{z2.s}, p0/z, [x0, #-1, mul vl]", "r64:2@0-8"},
    {"ld1sb\t{z2.d}, p0/z, [x0, x9]", "r16:1@0+9*1+0"},
    {"ldff1b\t{z2.b}, p0/z, [x0, x9]", "r128:1@0+9*1+0"},
    {"ldnf1sw\t{z2.d}, p0/z, [x0]", "r64:4@0+0"},
    {"ldnt1d\t{z2.d}, p0/z, [x0]", "r128:8@0+0"},
    {"ld1rd\t{z2.d}, p0/z, [x0, #8]", "r64:8@0+8"},
    {"ld1rqw\t{z2.s}, p0/z, [x0, #16]", "r128:4@0+16"},
    {"ld1row\t{z2.s}, p0/z, [x0, #32]", "r256:4@0+32"},
    {"ld2d\t{z4.d, z5.d}, p0/z, [x2, x3, lsl #3]", "r256:8@2+3*8+0"},
    {"ld2d\t{z4.d-z5.d}, p0/z, [x2, #2, mul vl]", "r256:8@2+32"},
    {"ld3w\t{z4.s-z6.s}, p0/z, [x2]", "r256:4@2+0 r128:4@2+32"},
    {"ld4b\t{z4.b-z7.b}, p0/z, [x2]", "r512:1@2+0"},
    {"st1w\t{z1.d}, p0, [x2, x3, lsl #2]", "w64:4@2+3*4+0"},
    {"st2d\t{z0.d, z1.d}, p0, [x2]", "w256:8@2+0"},
    {"stnt1b\t{z0.b}, p0, [x2]", "w128:1@2+0"},
    {"ld1d\t{z0.d}, p0/z, [x1, z0.d, lsl #3]", "r64x2:8@1+32*8+0"},
    {"ld1w\t{z0.s}, p0/z, [x1, z3.s, sxtw #2]", "r32x4:4@1+35*4+0"},
    {"ld1sw\t{z0.d}, p0/z, [z3.d, #16]", "r32x2:4@35+16"},
    {"st1d\t{z0.d}, p0, [x1, z2.d, lsl #3]", "w64x2:8@1+34*8+0"},
    {"ldr\tz8, [sp, #1, mul vl]", "r128:0%31+16"},
    {"str\tz8, [x0]", "w128:0@0+0"},
    {"str\tp4, [sp, #7, mul vl]", "w16:0%31+14"},
    {"ldr\tp4, [sp]", "r16:0%31+0"},
    {"addvl\tsp, sp, #-2", "+int 1 31+=-32"},
    {"addpl\tx1, x1, #3", "+int 1 1+=6"},
    {"incd\tx3", "3+=2"},
    {"incw\tx3, all, mul #4", "3+=16"},
    {"dech\tx3", "3+=-8"},
    {"incb\tx3, vl8", ""},
    {"incp\tx3, p0.d", ""},
    {"cntd\tx0", ""},
    {"rdvl\tx0, #1", ""},
    {"whilelo\tp0.d, xzr, x2", ""},
    {"ptrue\tp0.b", ""},
    {"prfb\tpldl1keep, p0, [x0]", ""},
    {"add\tz0.s, z0.s, z1.s", "+int 4"},
    {"fmad\tz1.d, p1/m, z0.d, z2.d", "*f64 2"},
    {"fmla\tz1.h, p1/m, z0.h, z2.h", "*f16 8"},
    {"fadda\td0, p0, d0, z1.d", "+f64 1"}, /* one after the other */
    {"faddv\td0, p0, z1.d", "+f64 2"},
    {"fmla\tz0.d, z1.d, z2.d[1]", "*f64 2"},
    {"fdivr\tz1.s, p0/m, z1.s, z2.s", "/f32 4"},
    {"fcvt\tz0.s, p1/m, z0.d", "=f32 2"},
    {"scvtf\tz0.d, p1/m, z0.s", "=f32 2"},
    {"movprfx\tz0, z4", ""},
    {"sel\tz0.d, p0, z1.d, z2.d", ""},
    {"ld1d\t{z0.s}, p0/z, [x0]", "?"}, /* no instruction */
    {"ld1d\t{za0h.d[w12, 0]}, p0/z, [x0]", "?"},
    {"ldr\tpn8, [x0]", "?"},
};
/* clang-format on */

#define CHECK(cases)                                                                               \
    assert_int_equal(check_lines(cases, sizeof cases / sizeof cases[0], stn_aarch64_decode), 0)

#define DAMAGE(cases)                                                                              \
    assert_int_equal(check_damaged(cases, sizeof cases / sizeof cases[0], stn_aarch64_decode), 0)

static void lines_are_decoded(void **state)
{
    (void)state;
    CHECK(memory);
    CHECK(arithmetic);
    CHECK(others);
    CHECK(scalable);
}

static void damaged_lines_do_no_harm(void **state)
{
    (void)state;
    DAMAGE(memory);
    DAMAGE(arithmetic);
    DAMAGE(others);
    DAMAGE(scalable);
}

static void written_registers_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint64_t written;
    } cases[] = {
        {"mov\tx3, x1", 8},
        {"ldr\tx0, [x1], #8", 3},
        {"ldr\tq0, [x1]", 0},
        {"ldp\tx3, x4, [sp]", 0x18},
        {"stp\tx3, x4, [x1]", 0},
        {"stxr\tw2, x0, [x1]", 4},
        {"str\tx0, [x1, #8]!", 2},
        {"ld1\t{v0.2d}, [x1], x2", 2},
        {"cmp\tx0, x1", 0},
        {"bl\t50", 0x4007ffff},
        {"fcvtzs\tx2, d0", 4},
        {"fadd\td2, d0, d1", 0},
        {"mov\tw2, wzr", 4},
        {"cmn\tx0, #0x1", 0},
        {"casp\tx0, x1, x2, x3, [x4]", 3},
        {"autia\tx16, x17", 1 << 16},
        {"xpaci\tx3", 8},
        {"add\tsp, sp, #0x10", UINT64_C(1) << 31},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        stn_machine_instruction instruction;
        stn_aarch64_decode(cases[k].line, &instruction);
        if (instruction.written != cases[k].written)
            printf("%s\n", cases[k].line);
        assert_int_equal(instruction.written, cases[k].written);
    }
}

static void copies_of_the_stack_pointer_are_seen(void **state)
{
    (void)state;
    static const char *const copies[] = {"mov\tx29, sp", "add x29, sp, #0x10", "mov\tx19, sp"};
    static const char *const no_copies[] = {"mov\tx29, x0", "and\tx29, sp, #0xfff0",
                                            "stp\tx29, x30, [sp, #-16]!"};
    stn_machine_instruction instruction;
    for (size_t k = 0; k < 3; k++) {
        stn_aarch64_decode(copies[k], &instruction);
        assert_true(instruction.copies && instruction.copy_from == 31);
        stn_aarch64_decode(no_copies[k], &instruction);
        assert_false(instruction.copies && instruction.copy_from == 31);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_decoded),
        cmocka_unit_test(damaged_lines_do_no_harm),
        cmocka_unit_test(written_registers_are_known),
        cmocka_unit_test(copies_of_the_stack_pointer_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
