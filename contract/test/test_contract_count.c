/* Counts of loops: bytes, elements, operations, spills, and the choice of the main loop. Loops are
 * lines of disassembly at addresses 0, 10, 20 and so on. */
#include "check.h"
#include "contract_counts.h"
#include "core/memory.h"

typedef void (*decoder)(const char *line, stn_machine_instruction *to);

/* Lines are separated by "; ". */
static stn_code assemble(decoder decode, const char *lines)
{
    enum { BYTES = 0x10, MOST = 32 };
    stn_code code;
    memset(&code, 0, sizeof code);
    code.machine = decode == stn_aarch64_decode ? STN_MACHINE_AARCH64 : STN_MACHINE_X86_64;
    expect_ok(stn_allocate(&code.instructions, MOST, sizeof *code.instructions, "test"));
    while (*lines) {
        char line[128];
        const size_t length = strcspn(lines, ";");
        assert_true(length < sizeof line && code.count < MOST);
        memcpy(line, lines, length);
        line[length] = 0;
        stn_machine_instruction *at = &code.instructions[code.count];
        decode(line, at);
        assert_int_not_equal(at->operation, STN_OP_UNKNOWN);
        at->address = BYTES * (uint64_t)code.count++;
        at->bytes = BYTES;
        lines += length;
        lines += strspn(lines, "; ");
    }
    expect_ok(stn_code_find_loops(&code));
    expect_ok(stn_code_mark_frames(&code));
    return code;
}

static stn_code_counts count_lines(decoder decode, const char *lines, int32_t loop)
{
    stn_code code = assemble(decode, lines);
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    expect_ok(stn_code_count(&code, loop == STN_LOOP_MAIN ? code.main_loop : loop, &counts));
    stn_code_release(&code);
    return counts;
}

/* ---- counts ---- */

typedef struct count_case {
    const char *lines;
    int32_t loop;
    const char *counts;
} count_case;

enum { NONE = STN_LOOP_NONE, MAIN = STN_LOOP_MAIN };

static void check_counts(decoder decode, const count_case *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const stn_code_counts counts = count_lines(decode, cases[k].lines, cases[k].loop);
        assert_int_equal(counts.size, sizeof counts);
        assert_counts(&counts, cases[k].counts, cases[k].lines);
    }
}

UNIT_TEST(bytes)
{
    static const count_case cases[] = {
        /* axpy */
        {"vcvtps2pd ymm0,XMMWORD PTR [rsi+rax*4]; vfmadd213pd ymm0,ymm2,YMMWORD PTR [rdi+rax*8]; "
         "vmovupd YMMWORD PTR [rdi+rax*8],ymm0; add rax,0x4; cmp rax,rdx; jne 0; ret",
         0,
         "instructions 6, unknown 0, loads.128 1, loads.256 1, stores.256 1, raw_read 48, "
         "distinct_read 48, raw_written 32, distinct_written 32, elements 4, packed_fma.f64 1, "
         "packed_conversions 1, scalar.int 1, branches 1, calls 0, stack_bytes 0"},
        /* repeated bytes count once; 16 bytes of each 32 are written */
        {"movupd xmm0,XMMWORD PTR [rdi]; movupd xmm1,XMMWORD PTR [rdi+0x8]; "
         "movupd xmm2,XMMWORD PTR [rdi]; movsd xmm3,QWORD PTR [rdi+0x40]; "
         "movupd XMMWORD PTR [rdi],xmm0; add rdi,0x20; jne 0; ret",
         0, "raw_read 56, distinct_read 32, raw_written 16, distinct_written 16, elements 0"},
        /* accesses inside others add nothing */
        {"vmovupd ymm0,YMMWORD PTR [rdi]; mov rax,QWORD PTR [rdi+0x8]; "
         "mov rax,QWORD PTR [rdi+0x18]; mov rax,QWORD PTR [rdi+0x1c]; ret",
         NONE, "raw_read 56, distinct_read 36"},
        /* a changed register means other addresses, and a loaded one may lead anywhere */
        {"mov rdx,QWORD PTR [rdi]; mov rax,QWORD PTR [rdx]; mov rdx,QWORD PTR [rdi+0x8]; "
         "mov rbx,QWORD PTR [rdx]; add rdi,0x10; jne 0; ret",
         0, "raw_read 32, distinct_read 32, elements 0"},
        /* a step in the middle shifts addresses */
        {"mov rax,QWORD PTR [rdi]; add rdi,0x8; add rax,QWORD PTR [rdi-0x8]; "
         "add rax,QWORD PTR [rdi+rcx*8]; sub rcx,0x1; add rax,QWORD PTR [rdi+rcx*8+0x8]; jne 0; "
         "ret",
         0, "raw_read 32, distinct_read 16"},
        /* an iteration begins at the header, here the condition, which reads the next element */
        {"jmp 30; mov rax,QWORD PTR [rdi]; lea rdi,[rdi+rdx*8]; cmp QWORD PTR [rdi],0x0; jne 10; "
         "ret",
         0, "instructions 4, raw_read 16, distinct_read 8"},
        /* other scales of an index */
        {"mov rax,QWORD PTR [rdi+rcx*8]; mov rbx,QWORD PTR [rdi+rcx*4]; mov rdx,QWORD PTR [rdi]; "
         "mov rsi,QWORD PTR [rcx*8+0x0]; ret",
         NONE, "distinct_read 32, elements 0"},
        /* inner loops are left out */
        {"add rax,QWORD PTR [rdi]; movsd xmm0,QWORD PTR [rsi]; add rsi,0x8; jne 10; add rdi,0x8; "
         "jne 0; ret",
         0, "instructions 3, raw_read 8, elements 1"},
        {"add rax,QWORD PTR [rdi]; movsd xmm0,QWORD PTR [rsi]; add rsi,0x8; jne 10; add rdi,0x8; "
         "jne 0; ret",
         1, "instructions 3, branches 1"},
        {"add rax,QWORD PTR [rdi]; movsd xmm0,QWORD PTR [rsi]; add rsi,0x8; jne 10; add rdi,0x8; "
         "jne 0; ret",
         NONE, "instructions 7, raw_read 16"},
        /* gathers count once per element */
        {"vgatherdpd ymm1,QWORD PTR [rax+xmm2*8],ymm3; "
         "vscatterdps DWORD PTR [rax+zmm2*4]{k1},zmm1; ret",
         NONE,
         "gathers 1, scatters 1, loads.64 4, stores.32 16, raw_read 32, distinct_read 32, "
         "distinct_written 64"},
        /* spills are not counted as memory */
        {"push rbp; mov rbp,rsp; mov rax,QWORD PTR [rbp-0x8]; "
         "vmovupd YMMWORD PTR [rsp+0x20],ymm0; add QWORD PTR [rsp],rax; pop rbp; ret",
         NONE,
         "stack_loads 3, stack_stores 3, stack_bytes 72, raw_read 0, raw_written 0, "
         "distinct_read 0, distinct_written 0, loads.64 0, loads.256 0, stores.64 0, stores.256 0"},
    };
    check_counts(stn_x86_decode, cases, COUNT_OF(cases));
}

UNIT_TEST(operations)
{
    static const count_case cases[] = {
        {"vaddps ymm0,ymm1,ymm2; vdivpd ymm0,ymm1,ymm2; sqrtss xmm0,xmm1; vaddsh xmm0,xmm1,xmm2; "
         "vfmadd213ss xmm0,xmm1,xmm2; vfmadd213ps xmm0,xmm1,xmm2; vpaddd ymm0,ymm1,ymm2; "
         "cvtss2sd xmm0,xmm1; vcvtps2pd ymm0,xmm1; idiv rcx; mov rax,QWORD PTR [rip+0x8]; ret",
         NONE,
         "packed.f32 1, packed.f64 1, packed.int 1, scalar.f32 1, scalar.f16 1, scalar.int 1, "
         "scalar_fma.f32 1, packed_fma.f32 1, scalar_conversions 1, packed_conversions 1, "
         "divisions 3, approximations 0, constant_loads 0, loads.64 1"},
        {"rcpps xmm0,xmm1; mulps xmm1,xmm0; ret", NONE,
         "packed.f32 2, divisions 1, approximations 1"},
        /* jumps to other functions are calls */
        {"call 1000; call rax; je 40; jmp 50; jmp 4000; jmp QWORD PTR [rip+0x8]", NONE,
         "calls 4, branches 2"},
    };
    check_counts(stn_x86_decode, cases, COUNT_OF(cases));
    stn_code code = assemble(stn_x86_decode, "jmp 10; ret");
    stn_code_counts back = STN_CODE_COUNTS_INIT;
    code.instructions[0].address = 0x1000; /* after the target */
    code.instructions[1].address = 0x1010;
    expect_ok(stn_code_count(&code, NONE, &back));
    assert_counts(&back, "calls 1, branches 0", "a jump to an address before the function");
    stn_code_release(&code);
}

/* ---- elements by which an iteration advances ---- */

UNIT_TEST(elements_of_x86)
{
    static const struct {
        const char *lines;
        int elements; /* 0: undetermined */
    } cases[] = {
        /* a step of an inner loop is not one of the outer loop */
        {"movsd xmm0,QWORD PTR [rsi]; add rsi,0x8; jne 10; add rsi,0x8; jne 0; ret", 0},
        /* arrays that disagree */
        {"addsd xmm0,QWORD PTR [rsi]; add rsi,0x8; addss xmm2,DWORD PTR [rdi]; add rdi,0x8; jne 0; "
         "ret",
         0},
        /* one of two members of a struct */
        {"addsd xmm0,QWORD PTR [rsi]; add rsi,0x10; jne 0; ret", 0},
        /* both members for one element of another array */
        {"movsd xmm0,QWORD PTR [rsi]; addsd xmm0,QWORD PTR [rsi+0x8]; movsd QWORD PTR [rdi],xmm0; "
         "add rsi,0x10; add rdi,0x8; jne 0; ret",
         0},
        /* half of each vector */
        {"movupd xmm0,XMMWORD PTR [rsi]; shufpd xmm0,xmm1,0x0; addpd xmm2,xmm0; add rsi,0x10; "
         "jne 0; ret",
         0},
        /* operations on bits do not determine the size: psrlw shifts bytes, too, before a mask */
        {"movdqu xmm0,XMMWORD PTR [rsi]; psrlw xmm0,0x1; pand xmm0,xmm1; "
         "movups XMMWORD PTR [rdi],xmm0; add rsi,0x10; add rdi,0x10; jne 0; ret",
         0},
        {"movdqu xmm0,XMMWORD PTR [rsi]; psrlw xmm0,0x1; paddb xmm0,xmm1; "
         "movups XMMWORD PTR [rdi],xmm0; add rsi,0x10; add rdi,0x10; jne 0; ret",
         0},
        {"vpmovsxbd ymm0,QWORD PTR [rsi]; vcvtdq2ps ymm0,ymm0; vmovups YMMWORD PTR [rdi],ymm0; "
         "add rsi,0x8; add rdi,0x20; jne 0; ret",
         8},
        /* f32 are added, but 64 bits moved through general registers */
        {"mov rax,QWORD PTR [rsi]; movnti QWORD PTR [rdi],rax; vaddps ymm0,ymm0,ymm1; "
         "add rsi,0x8; add rdi,0x8; jne 0; ret",
         0},
        /* descending */
        {"addpd xmm0,XMMWORD PTR [rsi]; sub rsi,0x10; jne 0; ret", 2},
        /* unknown steps, and copies of unknown type */
        {"movupd xmm0,XMMWORD PTR [rsi]; add rsi,rdx; jne 0; ret", 0},
        {"movups xmm0,XMMWORD PTR [rsi]; movups XMMWORD PTR [rdi],xmm0; add rsi,0x10; "
         "add rdi,0x10; jne 0; ret",
         0},
        /* clang steps a copy of the counter, with which the next iteration begins */
        {"addpd xmm0,XMMWORD PTR [rsi+rcx*8]; lea rax,[rcx+0x4]; "
         "addpd xmm1,XMMWORD PTR [rsi+rax*8-0x10]; mov rcx,rax; cmp rcx,rdx; jne 0; ret",
         4},
        {"mov rcx,rax; addpd xmm0,XMMWORD PTR [rsi+rcx*8]; lea rax,[rcx+0x6]; sub rax,0x4; jne 0; "
         "ret",
         2},
        /* copies of another register, of one loaded afterwards, by one path only, of half a
         * register, and after an index was added */
        {"movupd xmm0,XMMWORD PTR [rcx]; lea rcx,[rdx+0x10]; mov rdx,QWORD PTR [rsp]; jne 0; ret",
         0},
        {"mov rcx,rax; movupd xmm0,XMMWORD PTR [rcx]; mov rax,QWORD PTR [rsp]; jne 0; ret", 0},
        {"movupd xmm0,XMMWORD PTR [rcx]; lea rax,[rcx+0x10]; je 40; mov rcx,rax; jne 0; ret", 0},
        {"movupd xmm0,XMMWORD PTR [rcx]; lea rax,[rcx+0x10]; mov cx,ax; jne 0; ret", 0},
        {"movupd xmm0,XMMWORD PTR [rcx]; lea rax,[rcx+rdx*1+0x10]; mov rcx,rax; jne 0; ret", 0},
        /* arithmetic determines the type of moves */
        {"movups xmm0,XMMWORD PTR [rsi]; addpd xmm0,xmm1; add rsi,0x10; jne 0; ret", 2},
        {"movdqu xmm0,XMMWORD PTR [rsi]; paddw xmm0,xmm1; movups XMMWORD PTR [rsi],xmm0; "
         "add rsi,0x10; jne 0; ret",
         8},
        /* all of the loaded elements, or the half only? */
        {"movups xmm0,XMMWORD PTR [rsi]; cvtps2pd xmm1,xmm0; movhlps xmm0,xmm0; "
         "cvtps2pd xmm0,xmm0; addpd xmm0,xmm1; add rsi,0x10; jne 0; ret",
         0},
    };
    for (int k = 0; k < COUNT_OF(cases); k++) {
        const stn_code_counts counts = count_lines(stn_x86_decode, cases[k].lines, 0);
        if (counts.elements != cases[k].elements)
            fail_msg("%s: %d elements", cases[k].lines, (int)counts.elements);
    }
}

UNIT_TEST(elements_of_aarch64)
{
    static const count_case cases[] = {
        {"ldr q0, [x0]; fadd v0.2d, v0.2d, v1.2d; add x2, x0, #0x10; mov x0, x2; cmp x0, x3; "
         "b.ne 0; ret",
         MAIN, "elements 2"},
        {"ldr q0, [x1], #16; ldp q2, q3, [x0]; fcvtl v1.2d, v0.2s; fcvtl2 v0.2d, v0.4s; "
         "fmla v2.2d, v1.2d, v4.2d; fmla v3.2d, v0.2d, v4.2d; stp q2, q3, [x0], #32; cmp x0, x2; "
         "b.ne 0; ret",
         MAIN,
         "elements 4, distinct_read 48, distinct_written 32, packed_conversions 2, "
         "packed_fma.f64 2"},
        /* ldp d2, d3 loads four f32: only then do x and y advance by the same number */
        {"ldp d2, d3, [x9, #-8]; add x9, x9, #0x10; ldp q4, q5, [x10, #-16]; "
         "fcvtl v2.2d, v2.2s; fcvtl v3.2d, v3.2s; fmla v4.2d, v2.2d, v0.d[0]; "
         "fmla v5.2d, v3.2d, v0.d[0]; stp q4, q5, [x10, #-16]; add x10, x10, #0x20; b.ne 0; ret",
         MAIN, "elements 4"},
        {"ldr d1, [x0]; fmadd d1, d0, d2, d1; str d1, [x0], #8; b.ne 0; ret", MAIN, "elements 1"},
        {"ldp q0, q1, [x9]; add x9, x9, #0x20; add v0.8h, v0.8h, v2.8h; add v1.8h, v1.8h, v2.8h; "
         "stp q0, q1, [x10], #32; b.ne 0; ret",
         MAIN, "elements 16"},
    };
    check_counts(stn_aarch64_decode, cases, COUNT_OF(cases));
}

/* The size of an element of an array that is loaded from [x0] into v1 or w1 and used once. */
UNIT_TEST(sizes_of_loaded_elements)
{
    static const struct {
        const char *load, *use;
        int bytes; /* 0: undetermined */
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
    for (int k = 0; k < COUNT_OF(cases); k++) {
        char lines[128];
        snprintf(lines, sizeof lines, "%s; %s; b.ne 0; ret", cases[k].load, cases[k].use);
        const stn_code_counts c = count_lines(stn_aarch64_decode, lines, MAIN);
        const int64_t bytes = c.elements ? c.distinct_read / c.elements : 0;
        if (bytes != cases[k].bytes)
            fail_msg("%s: %d bytes", cases[k].use, (int)bytes);
    }
}

/* The size of an element of an array that is stored from [rdi] on. */
UNIT_TEST(sizes_of_stored_elements)
{
    static const struct {
        const char *result, *store;
        int step, bytes; /* 0: undetermined */
    } cases[] = {
        {"add eax,ecx", "mov DWORD PTR [rdi],eax", 4, 4},
        {"add eax,ecx", "mov WORD PTR [rdi],ax", 2, 2},
        {"add eax,ecx", "mov QWORD PTR [rdi],rax", 8, 0},
        {"movsxd rax,ecx", "mov QWORD PTR [rdi],rax", 8, 8},
        {"movzx eax,cl", "mov DWORD PTR [rdi],eax", 4, 0},
        {"or eax,ecx", "mov DWORD PTR [rdi],eax", 4, 0},
        {"imul eax,ecx,0x1010101", "mov DWORD PTR [rdi],eax", 4, 0},
        {"cvttss2si eax,xmm0", "mov BYTE PTR [rdi],al", 1, 1},
        {"nop", "mov DWORD PTR [rdi],eax", 4, 0},
        {"nop", "mov DWORD PTR [rdi],0x0", 4, 0},
        {"nop", "movsd QWORD PTR [rdi],xmm0", 8, 0},
        {"addsd xmm0,xmm1", "movsd QWORD PTR [rdi],xmm0", 8, 8},
        {"vpmovqb xmm0,zmm1", "vmovq QWORD PTR [rdi],xmm0", 8, 1},
        {"nop", "add DWORD PTR [rdi],0x1", 4, 4},
    };
    for (int k = 0; k < COUNT_OF(cases); k++) {
        char lines[160];
        snprintf(lines, sizeof lines, "%s; %s; add rdi,0x%d; jne 0; ret", cases[k].result,
                 cases[k].store, cases[k].step);
        const stn_code_counts c = count_lines(stn_x86_decode, lines, 0);
        const int64_t bytes = c.elements ? c.distinct_written / c.elements : 0;
        if (bytes != cases[k].bytes)
            fail_msg("%s, %s: %d bytes", cases[k].result, cases[k].store, (int)bytes);
    }
}

/* ---- addresses through several registers ---- */

typedef struct base_case {
    const char *before;
    int bytes, may_overlap;
} base_case;

/* Two loads of 16 bytes per iteration, through two bases, after an instruction before the loop. */
static void check_bases(decoder decode, const base_case *cases, size_t count, const char *loop,
                        int written)
{
    for (size_t k = 0; k < count; k++) {
        char lines[300];
        snprintf(lines, sizeof lines, "%s; %s; ret", cases[k].before, loop);
        const stn_code_counts c = count_lines(decode, lines, MAIN);
        if (c.distinct_read != cases[k].bytes || c.read_overlaps != cases[k].may_overlap)
            fail_msg("%s: %d bytes, may overlap: %d", cases[k].before, (int)c.distinct_read,
                     (int)c.read_overlaps);
        assert_int_equal(c.distinct_written, written);
        assert_int_equal(c.write_overlaps, 0);
    }
}

UNIT_TEST(bases_with_a_common_origin)
{
    static const base_case x86[] = {
        {"nop", 32, 0}, /* two arguments */
        {"mov rsi,rdi", 16, 0},
        {"lea rsi,[rdi+0x4]", 20, 0},
        {"lea rsi,[rdi-0x40]", 32, 0},
        {"lea rsi,[rdi+rdx*1]", 32, 1},
        {"lea rsi,[rdi+rdx*4]", 32, 1},
        {"lea rsi,[rdx+rdi*4]", 32, 0}, /* rdi is an index */
        {"add rsi,rdi", 32, 1},
        {"sub rsi,rdi", 32, 1},
        {"and rsi,0xfffffffffffffff0", 32, 0},
        {"imul rsi,rdi", 32, 0},
        {"movsxd rsi,edi", 32, 0},
        {"mov rsi,QWORD PTR [rdx]", 32, 0},
        {"mov rsi,QWORD PTR [rsp+0x8]", 32, 1}, /* it may have been computed from rdi */
        {"pop rsi", 32, 1},
        {"movq rsi,xmm3", 32, 1},
        {"mov rsi,rbx", 32, 1},
        {"cmove rsi,rdi", 32, 1},
        {"cmove rsi,rdx", 32, 0},
        {"call 1000", 32, 1},
    };
    static const base_case aarch64[] = {
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
    check_bases(stn_x86_decode, x86, COUNT_OF(x86),
                "xor eax,eax; movups xmm0,XMMWORD PTR [rdi+rax*1]; "
                "addps xmm0,XMMWORD PTR [rsi+rax*1]; movups XMMWORD PTR [rcx+rax*1],xmm0; "
                "add rax,0x10; cmp rax,r9; jne 20",
                16);
    check_bases(stn_aarch64_decode, aarch64, COUNT_OF(aarch64),
                "mov x6, #0x0; ldr q0, [x0, x6]; ldr q1, [x1, x6]; add x6, x6, #0x10; cmp x6, x7; "
                "b.ne 20",
                0);
}

UNIT_TEST(overlaps)
{
    static const count_case cases[] = {
        /* several indices of one array */
        {"mov eax,DWORD PTR [rsi]; mov ecx,DWORD PTR [rsi+0x4]; "
         "movsd QWORD PTR [rdi+rax*8],xmm0; movsd QWORD PTR [rdi+rcx*8],xmm0; ret",
         NONE, "read_overlaps 0, write_overlaps 1, distinct_written 16"},
        /* the instruction at 60 is executed before that at 30, which then loads elsewhere */
        {"mov rax,QWORD PTR [rdi]; test rsi,rsi; je 60; mov rcx,QWORD PTR [rdi]; "
         "mov r8,QWORD PTR [rdi]; ret; mov rdi,rdx; jmp 30",
         NONE, "distinct_read 16, read_overlaps 1"},
        /* three loads of one row inside of a loop that moves the base */
        {"lea rsi,[rdi+0x4]; lea rcx,[rdi+0x8]; xor eax,eax; movss xmm0,DWORD PTR [rdi+rax*1]; "
         "addss xmm0,DWORD PTR [rsi+rax*1]; addss xmm0,DWORD PTR [rcx+rax*1]; add rax,0x4; "
         "cmp rax,r9; jne 30; add rdi,r8; cmp rdi,r10; jne 0; ret",
         1, "distinct_read 12, read_overlaps 0"},
    };
    check_counts(stn_x86_decode, cases, COUNT_OF(cases));
}

/* Whether x19, x29 or x9 is a copy of the stack pointer at the access. */
UNIT_TEST(stack_frames)
{
    static const count_case cases[] = {
        {"mov x29, sp; ldr x1, [x29, #8]; b.ne 10; ret", MAIN, "stack_loads 1"},
        {"add x19, sp, #0x20; ldr x1, [x19, #8]; b.ne 10; ret", MAIN, "stack_loads 1"},
        {"add x29, sp, #0x20; ldr x1, [x29, x2]; b.ne 10; ret", MAIN, "stack_loads 1"},
        {"add x19, sp, #0x20; ldr x1, [x19, x2]; b.ne 10; ret", MAIN, "stack_loads 0"},
        {"mov x29, sp; mov x29, x0; ldr x1, [x29, #8]; b.ne 20; ret", MAIN, "stack_loads 0"},
        {"mov x29, sp; ldr x1, [x29], #8; b.ne 10; ret", MAIN, "stack_loads 0"},
        {"mov x29, sp; b.eq 30; mov x29, x0; ldr x1, [x29, #8]; b.ne 30; ret", MAIN,
         "stack_loads 0"},
        {"mov x29, sp; b.eq 30; mov x20, x29; ldr x1, [x29, #8]; b.ne 30; ret", MAIN,
         "stack_loads 1"},
        {"mov x9, sp; bl 1000; ldr x1, [x9, #8]; b.ne 20; ret", MAIN, "stack_loads 0"},
        {"mov x19, sp; bl 1000; ldr x1, [x19, #8]; b.ne 20; ret", MAIN, "stack_loads 1"},
        {"b.eq 20; mov x19, sp; br x3; ldr x1, [x19, #8]; b.ne 30; ret", MAIN, "stack_loads 0"},
    };
    check_counts(stn_aarch64_decode, cases, COUNT_OF(cases));
}

/* ---- the main loop ---- */

UNIT_TEST(the_main_loop_is_the_widest_innermost_one)
{
    static const struct {
        const char *lines;
        int32_t header; /* -1: no loop */
    } cases[] = {
        {"ret", -1},
        /* not an outer loop with wider accesses than its inner one, or one over the stack */
        {"vmovupd zmm0,ZMMWORD PTR [rdi]; movsd xmm0,QWORD PTR [rsi]; jne 10; jne 0; "
         "movupd xmm0,XMMWORD PTR [rsi]; jne 40; vmovupd YMMWORD PTR [rsp],ymm0; jne 60; ret",
         4},
        /* among loops of the same width the one with more lanes, */
        {"addsd xmm0,QWORD PTR [rsi]; nop; jne 0; movq xmm0,QWORD PTR [rsi]; jne 30; "
         "movq xmm0,QWORD PTR [rsi]; addps xmm0,xmm1; jne 50; ret",
         5},
        /* then the longer one, then the first */
        {"movq xmm0,QWORD PTR [rsi]; jne 0; movq xmm0,QWORD PTR [rsi]; nop; jne 20; "
         "movq xmm0,QWORD PTR [rsi]; nop; jne 50; ret",
         2},
        /* an inner loop over an array of sums on the stack leaves the outer one the main loop, */
        {"nop; movupd xmm0,XMMWORD PTR [rsi]; vmovapd ymm1,YMMWORD PTR [rsp+rdx*1]; "
         "vaddpd ymm1,ymm1,ymm0; jne 20; jne 10; movq xmm0,QWORD PTR [rsi]; jne 60; ret",
         1},
        /* unless nothing else accesses memory */
        {"nop; nop; vmovapd ymm1,YMMWORD PTR [rsp+rdx*1]; jne 20; jne 10; ret", 2},
    };
    for (int k = 0; k < COUNT_OF(cases); k++) {
        stn_code code = assemble(stn_x86_decode, cases[k].lines);
        assert_int_equal(code.main_loop < 0 ? -1 : code.loops[code.main_loop].header,
                         cases[k].header);
        stn_code_release(&code);
    }
}

UNIT_TEST(each_failing_allocation_is_a_status)
{
    stn_code code = assemble(stn_x86_decode, "mov rax,QWORD PTR [rdi]; ret");
    stn_code_counts c = STN_CODE_COUNTS_INIT;
    for (int64_t n = 1; n <= 2; n++) {
        stn_fail_allocation(n);
        expect_error(stn_code_count(&code, NONE, &c), STN_ERR_MEMORY, NULL);
    }
    stn_fail_allocation(3);
    expect_ok(stn_code_count(&code, NONE, &c));
    stn_fail_allocation(0);
    assert_int_equal(c.distinct_read, 8);
    stn_code_release(&code);
}

RUN_UNIT_TESTS(NULL, NULL)
