/* Lines of x86-64 disassembly and what they are decoded to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract/isa/line.h"
#include "contract_describe.h"

/* rax 0, rcx 1, rdx 2, rbx 3, rsp 4, rbp 5, rsi 6, rdi 7, r8 8; vectors from 32 */
/* clang-format off */
static const line_case moves[] = {
    {"mov    rax,rbx", ""},
    {"mov    eax,DWORD PTR [rdi]", "r32:4@7+0"},
    {"mov    QWORD PTR [rsi+0x10],rdx", "w64:8@6+16"},
    {"mov    BYTE PTR [rdi-0x1],0x0", "w8:1@7-1"},
    {"mov    WORD PTR [rdi+rax*2-0x8],cx", "w16:2@7+0*2-8"},
    {"mov    rax,QWORD PTR [rip+0xfafb5]        # fffc0 <__gmon_start__@Base>", "r64:8@-1+1028021"},
    {"mov    DWORD PTR [rip+0x10],eax        # 20 <x>", "w32:4@-1+16"},
    {"mov    rax,QWORD PTR fs:0x28", "r64:8@-1+40"},
    {"mov    eax,DWORD PTR fs:[rbx+0x8]", "r32:4@3+8"},
    {"mov    rax,QWORD PTR [rsp+0x8]", "r64:8%4+8"},
    {"mov    QWORD PTR [rsp],rax", "w64:8%4+0"},
    {"mov    rax,QWORD PTR [rsp+rcx*8+0x40]", "r64:8%4+1*8+64"},
    {"mov    rax,QWORD PTR [rbp-0x18]", "r64:8@5-24"},
    {"mov    rax,QWORD PTR [rax*8+0x0]", "r64:8@-1+0*8+0"},
    {"mov    rax,QWORD PTR [r13+r12*1+0x0]", "r64:8@13+12*1+0"},
    {"movabs rax,0x3ff0000000000000", ""},
    {"movabs al,ds:0x1122334455667788", "r8:1@-1+1234605616436508552"},
    {"movzx  eax,WORD PTR [rsi+rax*2]", "r16:2@6+0*2+0"},
    {"movsx  eax,BYTE PTR [rdi+0x3]", "r8:1@7+3"},
    {"movsxd r14,DWORD PTR [rdx+0x30]", "r32:4@2+48"},
    {"movnti QWORD PTR [rdi],rax", "w64:8@7+0"},
    {"lea    rax,[rdi+rsi*8+0x10]", ""},
    {"lea    rax,[rip+0x1000]        # 2000 <table>", ""},
    {"nop    DWORD PTR [rax+rax*1+0x0]", ""},
    {"cs nop WORD PTR cs:[rax+rax*1+0x0]", ""},
    {"data16 cs nop WORD PTR [rax+rax*1+0x0]", ""},
    {"xchg   ax,ax", ""},
    {"xchg   QWORD PTR [rdi],rax", "u64:8@7+0"},
    {"lock cmpxchg DWORD PTR [rdi],esi", "u32:4@7+0"},
    {"lock xadd DWORD PTR [rdi],eax", "+int 1 u32:4@7+0"},
    {"cmovle eax,DWORD PTR [rdi]", "r32:4@7+0"},
    {"sete   BYTE PTR [rdi]", "w8:1@7+0"},
    {"setne  al", ""},
    {"push   rbx", "w64:0%4+0"},
    {"push   QWORD PTR [rip+0x8]", "r64:8@-1+8 w64:0%4+0"},
    {"pop    r15", "r64:0%4+0"},
    {"push   ax", "w16:0%4+0"},
    {"push   r8w", "w16:0%4+0"},
    {"push   WORD PTR [rdi]", "r16:2@7+0 w16:0%4+0"},
    {"pushw  0x5", "w16:0%4+0"},
    {"pushfw", "w16:0%4+0"},
    {"pushw  fs", "w16:0%4+0"},
    {"push   fs", "w64:0%4+0"},
    {"push   0x5", "w64:0%4+0"},
    {"pushf", "w64:0%4+0"},
    {"pop    cx", "r16:0%4+0"},
    {"pop    WORD PTR [rdi]", "w16:2@7+0 r16:0%4+0"},
    {"popfw", "r16:0%4+0"},
    {"leave", "r64:0%4+0"},
    {"prefetcht0 BYTE PTR [rdi+0x200]", ""},
    {"rep stos QWORD PTR es:[rdi],rax", "w64:8@7+0"},
    {"rep movs QWORD PTR es:[rdi],QWORD PTR ds:[rsi]", "w64:8@7+0 r64:8@6+0"},
    {"cmps   BYTE PTR ds:[rsi],BYTE PTR es:[rdi]", "r8:1@6+0 r8:1@7+0"},
    {"lods   al,BYTE PTR ds:[rsi]", "r8:1@6+0"},
    {"ldmxcsr DWORD PTR [rsp-0x4]", "r32:4%4-4"},
    {"stmxcsr DWORD PTR [rsp-0x4]", "w32:4%4-4"},
    {"movbe  eax,DWORD PTR [rsi]", "r32:4@6+0"},
    {"endbr64", ""},
};

static const line_case integers[] = {
    {"add    QWORD PTR [rdi],rax", "+int 1 u64:8@7+0"},
    {"add    rax,QWORD PTR [rdi]", "+int 1 r64:8@7+0"},
    {"add    rdi,0x20", "+int 1 7+=32"},
    {"add    eax,0xffffffff", "+int 1 0+=-1"},
    {"sub    rcx,0xffffffffffffff80", "+int 1 1+=128"},
    {"sub    rsp,0x8", "+int 1 4+=-8"},
    {"add    rax,rbx", "+int 1"},
    {"add    al,0x4", "+int 1"},
    {"inc    r9", "+int 1 9+=1"},
    {"dec    ecx", "+int 1 1+=-1"},
    {"lea    rdx,[rdx+0x8]", "2+=8"},
    {"lea    rdx,[rdx-0x8]", "2+=-8"},
    {"lea    rdx,[rcx+0x8]", ""},
    {"lea    rdx,[rdx+rcx*1+0x8]", ""},
    {"imul   rax,QWORD PTR [rdi],0x18", "+int 1 r64:8@7+0"},
    {"mul    QWORD PTR [rsi]", "+int 1 r64:8@6+0"},
    {"idiv   ecx", "/int 1"},
    {"div    QWORD PTR [rsi]", "/int 1 r64:8@6+0"},
    {"neg    DWORD PTR [rdi]", "+int 1 u32:4@7+0"},
    {"and    DWORD PTR [rdi],0xf", "u32:4@7+0"},
    {"xor    eax,eax", ""},
    {"shl    QWORD PTR [rdi],1", "u64:8@7+0"},
    {"cmp    QWORD PTR [rdi],0x0", "r64:8@7+0"},
    {"cmp    rax,QWORD PTR [rdi]", "r64:8@7+0"},
    {"test   BYTE PTR [rdi],0x1", "r8:1@7+0"},
    {"bt     QWORD PTR [rdi],0x3", "r64:8@7+0"},
    {"popcnt rax,QWORD PTR [rdi]", "r64:8@7+0"},
    {"mulx   rax,rdx,QWORD PTR [rdi]", "+int 1 r64:8@7+0"},
    {"adc    rax,0x0", "+int 1"},
    {"cdqe", ""},
    {"cqo", ""},
    {"cpuid", ""},
};

static const line_case floats[] = {
    {"addsd  xmm0,QWORD PTR [rdi+rax*8]", "+f64 1 r64:8@7+0*8+0"},
    {"mulss  xmm0,xmm1", "+f32 1"},
    {"addpd  xmm0,XMMWORD PTR [rsi]", "+f64 2 r128:8@6+0"},
    {"vaddps ymm0,ymm1,YMMWORD PTR [rsi+0x20]", "+f32 8 r256:4@6+32"},
    {"vmulpd zmm1,zmm1,ZMMWORD PTR [rcx-0x80]", "+f64 8 r512:8@1-128"},
    {"vmulps zmm1,zmm1,DWORD BCST [rip+0xa0653]        # f41f8 <p+0x798>",
     "+f32 16 r32:4@-1+656979"},
    {"vmulpd zmm1,zmm1,QWORD PTR [rax]{1to8}", "+f64 8 r64:8@0+0"},
    {"vaddpd zmm0{k1}{z},zmm1,ZMMWORD PTR [rax]", "+f64 8 r512:8@0+0"},
    {"vaddpd zmm0,zmm1,zmm2,{rn-sae}", "+f64 8"},
    {"vdivpd ymm0,ymm1,ymm2", "/f64 4"},
    {"sqrtss xmm0,xmm1", "/f32 1"},
    {"rsqrtps xmm0,xmm1", "~f32 4"},
    {"rcpps  xmm0,XMMWORD PTR [rdi]", "~f32 4 r128:4@7+0"},
    {"vrcpss xmm0,xmm1,xmm2", "~f32 1"},
    {"vrsqrt14pd zmm0,zmm1", "~f64 8"},
    {"vrcp28ps zmm0,zmm1,{sae}", "~f32 16"},
    {"vrcpsh xmm0,xmm1,xmm2", "~f16 1"},
    {"vgetexppd zmm0,zmm1", "+f64 8"},
    {"vsqrtpd ymm0,YMMWORD PTR [rdi]", "/f64 4 r256:8@7+0"},
    {"vmaxpd xmm0,xmm1,xmm2", "+f64 2"},
    {"vroundsd xmm0,xmm0,xmm1,0x9", "+f64 1"},
    {"haddpd xmm0,xmm0", "+f64 2"},
    {"vaddph zmm0,zmm1,zmm2", "+f16 32"},
    {"vmulsh xmm0,xmm1,WORD PTR [rdi]", "+f16 1 r16:2@7+0"},
    {"vfmadd231pd zmm0,zmm4,ZMMWORD PTR [rcx]", "*f64 8 r512:8@1+0"},
    {"vfmadd213ss xmm0,xmm1,DWORD PTR [rdi]", "*f32 1 r32:4@7+0"},
    {"vfnmsub132ps ymm0,ymm1,ymm2", "*f32 8"},
    {"vfmaddsub213pd ymm0,ymm1,ymm2", "*f64 4"},
    {"vdpbf16ps zmm0,zmm1,zmm2", "*f16 16"},
    {"andpd  xmm0,XMMWORD PTR [rip+0x10]", "r128:0@-1+16"},
    {"vxorps xmm0,xmm0,xmm0", ""},
    {"vxorpd ymm4,ymm2,YMMWORD PTR [rsi+rax*4]", "r256:0@6+0*4+0"},
    {"andnps xmm4,XMMWORD PTR [rsi]", "r128:0@6+0"},
    {"ucomisd xmm0,QWORD PTR [rdi]", "r64:8@7+0"},
    {"cmpltpd xmm0,xmm1", ""},
    {"vcmpneq_oqpd k1,zmm0,ZMMWORD PTR [rdi]", "r512:8@7+0"},
    {"vcmpunordps ymm0,ymm1,ymm2", ""},
    {"vblendvpd ymm0,ymm1,ymm2,ymm3", ""},
    {"vblendmpd zmm0{k1},zmm1,zmm2", ""},
    {"fld    TBYTE PTR [rsp+0x10]", "r80:0%4+16"},
    {"fadd   st,st(1)", "+f64 1"},
    {"fdivp  st(1),st", "/f64 1"},
    {"fild   QWORD PTR [rdi]", "=f64 1 r64:8@7+0"},
    {"fistp  QWORD PTR [rdi]", "=f64 1 w64:8@7+0"},
    {"fstp   QWORD PTR [rdi]", "=f64 1 w64:8@7+0"},
    {"fld    DWORD PTR [rdi]", "=f32 1 r32:4@7+0"},
    {"fstp   TBYTE PTR [rdi]", "w80:0@7+0"},
    {"fstp   st(1)", ""},
    {"fxch   st(1)", ""},
};

static const line_case vectors[] = {
    {"movups XMMWORD PTR [rdi],xmm0", "w128:0@7+0"},
    {"movupd xmm0,XMMWORD PTR [rdi]", "r128:8@7+0"},
    {"movapd xmm0,xmm1", ""},
    {"vmovups ymm0,YMMWORD PTR [rdi+rax*1]", "r256:0@7+0*1+0"},
    {"vmovupd ZMMWORD PTR [rcx-0x40],zmm0", "w512:8@1-64"},
    {"vmovupd zmm1{k1}{z},ZMMWORD PTR [rdi]", "r512:8@7+0"},
    {"vmovupd ZMMWORD PTR [rdi]{k1},zmm1", "w512:8@7+0"},
    {"movsd  xmm0,QWORD PTR [rdi]", "r64:8@7+0"},
    {"movsd  QWORD PTR [rdi],xmm0", "w64:8@7+0"},
    {"vmovss DWORD PTR [rsi+rax*4],xmm0", "w32:4@6+0*4+0"},
    {"movhpd QWORD PTR [rdi+0x8],xmm0", "w64:8@7+8"},
    {"movlps xmm0,QWORD PTR [rdi]", "r64:0@7+0"},
    {"movhlps xmm0,xmm1", ""},
    {"movlhps xmm0,xmm1", ""},
    {"movdqu xmm0,XMMWORD PTR [rsi]", "r128:0@6+0"},
    {"vmovdqu8 zmm0,ZMMWORD PTR [rsi]", "r512:1@6+0"},
    {"vmovdqu16 ymm0,YMMWORD PTR [rsi]", "r256:2@6+0"},
    {"vmovdqu32 YMMWORD PTR [rsi],ymm0", "w256:4@6+0"},
    {"vmovdqu64 ZMMWORD PTR [rsi],zmm0", "w512:0@6+0"},
    {"movntdq XMMWORD PTR [rdi],xmm0", "w128:0@7+0"},
    {"vmovntps YMMWORD PTR [rdi],ymm0", "w256:0@7+0"},
    {"movq   QWORD PTR [rdi],xmm0", "w64:0@7+0"},
    {"movd   xmm0,DWORD PTR [rdi]", "r32:4@7+0"},
    {"vmovddup xmm0,QWORD PTR [rdi]", "r64:8@7+0"},
    {"vbroadcastsd zmm4,QWORD PTR [rip+0x0]        # 40 <f+0x40>", "r64:8@-1+0"},
    {"vbroadcastf128 ymm0,XMMWORD PTR [rdi]", "r128:0@7+0"},
    {"vinsertf64x4 zmm0,zmm0,ymm1,0x1", ""},
    {"vextractf128 XMMWORD PTR [rdi],ymm0,0x1", "w128:0@7+0"},
    {"vextractf64x4 YMMWORD PTR [rdi],zmm0,0x1", "w256:8@7+0"},
    {"vmaskmovpd YMMWORD PTR [rdi],ymm1,ymm0", "w256:8@7+0"},
    {"vmaskmovps ymm0,ymm1,YMMWORD PTR [rdi]", "r256:4@7+0"},
    {"vcompresspd ZMMWORD PTR [rdi]{k1},zmm0", "w512:8@7+0"},
    {"vpcompressd ZMMWORD PTR [rdi]{k1},zmm0", "w512:4@7+0"},
    {"pextrw WORD PTR [rdi],xmm0,0x1", "w16:2@7+0"},
    {"pinsrd xmm0,DWORD PTR [rdi],0x1", "r32:4@7+0"},
    {"extractps DWORD PTR [rdi],xmm0,0x1", "w32:4@7+0"},
    {"paddd  xmm0,XMMWORD PTR [rdi]", "+int 4 r128:4@7+0"},
    {"vpaddb ymm0,ymm1,ymm2", "+int 32"},
    {"vpsubusw ymm0,ymm1,ymm2", "+int 16"},
    {"vpmulld zmm0,zmm1,zmm2", "+int 16"},
    {"pmaddwd xmm0,xmm1", "+int 4"},
    {"pmuludq xmm0,xmm1", "+int 2"},
    {"vpminsd ymm0,ymm1,ymm2", "+int 8"},
    {"vpabsw ymm0,YMMWORD PTR [rdi]", "+int 16 r256:2@7+0"},
    {"vpand  ymm0,ymm1,ymm2", ""},
    {"vpandd zmm0,zmm1,DWORD BCST [rdi]", "r32:4@7+0"},
    {"vpternlogq zmm0,zmm1,zmm2,0xca", ""},
    {"vpsllw ymm0,ymm0,0x8", ""},
    {"psrldq xmm0,0x8", ""},
    {"vpcmpgtd k1,zmm0,zmm1", ""},
    {"pcmpeqb xmm0,XMMWORD PTR [rdi]", "r128:1@7+0"},
    {"vptestmw k0,zmm0,zmm1", ""},
    {"vpermt2w zmm0,zmm1,zmm2", ""},
    {"vpmovzxwd ymm0,XMMWORD PTR [rsi]", "r128:2@6+0"},
    {"vpmovsxbd zmm0,XMMWORD PTR [rsi]", "r128:1@6+0"},
    {"vpmovdw YMMWORD PTR [rdi],zmm0", "w256:2@7+0"},
    {"vpmovmskb eax,ymm0", ""},
    {"kmovw  k1,WORD PTR [rdi]", "r16:2@7+0"},
    {"kmovb  BYTE PTR [rdi],k1", "w8:1@7+0"},
    {"kortestb k0,k0", ""},
    {"vzeroupper", ""},
    {"vgatherdpd ymm1,QWORD PTR [rax+xmm2*8],ymm3", "r64x4:8@0+34*8+0"},
    {"vgatherqps xmm1,DWORD PTR [rax+ymm2*4],xmm3", "r32x4:4@0+34*4+0"},
    {"vgatherqps xmm1,DWORD PTR [rax+xmm2*4],xmm3", "r32x2:4@0+34*4+0"},
    {"vpgatherdd zmm1{k1},DWORD PTR [rax+zmm2*4+0x8]", "r32x16:4@0+34*4+8"},
    {"vscatterdpd QWORD PTR [rdi+ymm0*8]{k1},zmm1", "w64x8:8@7+32*8+0"},
    {"vpclmulqdq xmm0,xmm1,xmm2,0x0", ""},
    {"aesenc xmm0,XMMWORD PTR [rdi]", "r128:0@7+0"},
};

static const line_case conversions[] = {
    {"cvtps2pd xmm0,QWORD PTR [rdi]", "=f32 2 r64:4@7+0"},
    {"vcvtps2pd ymm0,XMMWORD PTR [rax+rdx*4]", "=f32 4 r128:4@0+2*4+0"},
    {"vcvtpd2ps ymm0,zmm1", "=f32 8"},
    {"vcvtpd2ps xmm0,YMMWORD PTR [rdi]", "=f32 4 r256:8@7+0"},
    {"cvtss2sd xmm0,DWORD PTR [rdi]", "=f32 1 r32:4@7+0"},
    {"vcvtsd2ss xmm0,xmm0,xmm1", "=f32 1"},
    {"cvtsi2sd xmm0,DWORD PTR [rdi]", "=int 1 r32:4@7+0"},
    {"vcvtsi2ss xmm0,xmm1,rax", "=int 1"},
    {"vcvtusi2sd xmm0,xmm1,QWORD PTR [rdi]", "=int 1 r64:8@7+0"},
    {"cvttsd2si rax,QWORD PTR [rdi]", "=int 1 r64:8@7+0"},
    {"cvtdq2pd xmm0,QWORD PTR [rdi]", "=int 2 r64:4@7+0"},
    {"vcvtdq2ps ymm0,YMMWORD PTR [rdi]", "=int 8 r256:4@7+0"},
    {"vcvtuqq2pd zmm0,ZMMWORD PTR [rdi]", "=int 8 r512:8@7+0"},
    {"vcvtph2ps ymm0,XMMWORD PTR [rdi]", "=f16 8 r128:2@7+0"},
    {"vcvtps2ph XMMWORD PTR [rdi],ymm0,0x0", "=f16 8 w128:2@7+0"},
    {"vcvtps2ph xmm0,xmm1,0x0", "=f16 4"},
    {"vcvtneps2bf16 ymm0,zmm1", "=f16 16"},
    {"vcvtne2ps2bf16 zmm0,zmm1,zmm2", "=f16 16"},
    {"vcvtsh2sd xmm0,xmm0,WORD PTR [rdi]", "=f16 1 r16:2@7+0"},
};

static const line_case control[] = {
    {"je     5012 <_init+0x12>", "branch 5012"},
    {"jne    58", "branch 58"},
    {"jrcxz  10", "branch 10"},
    {"bnd jmp 5020 <x>", "jump 5020"},
    {"jmp    0", "jump 0"},
    {"jmp    QWORD PTR [rip+0xfafcc]        # ffff8", "r64:8@-1+1028044 jump"},
    {"notrack jmp rax", "elsewhere"},
    {"jmp    QWORD PTR [rax*8+0x400]", "r64:8@-1+0*8+1024 elsewhere"},
    {"call   1234 <f>", "call 1234"},
    {"call   rax", "call"},
    {"call   QWORD PTR [rax+0x18]", "r64:8@0+24 call"},
    {"ret", "end"},
    {"repz ret", "end"},
    {"ret    0x8", "end"},
    {"ud2", "end"},
    {"hlt", ""},
    {"syscall", "call"},
    {"sysenter", "call"},
    {"int    0x80", "call"},
    {"int1", "call"},
    {"int3", "call"},
    {"xbegin 50", "branch 50"},
};

/* What is touched that no operand names, or that is larger than any register. */
static const line_case implicit[] = {
    {"maskmovdqu xmm0,xmm1", "w128:1@7+0"},
    {"vmaskmovdqu xmm0,xmm1", "w128:1@7+0"},
    {"maskmovq mm0,mm1", "w64:1@7+0"},
    {"movdir64b rax,[rsi]", "w512:0@0+0 r512:0@6+0"},
    {"movdir64b rax,ZMMWORD PTR [rsi+0x40]", "w512:0@0+0 r512:0@6+64"},
    {"enqcmd rdx,[rsi-0x40]", "w512:0@2+0 r512:0@6-64"},
    {"enqcmds rdx,[rsi]", "w512:0@2+0 r512:0@6+0"},
    {"movdiri DWORD PTR [rdi],eax", "w32:4@7+0"},
    {"ptwrite QWORD PTR [rdi]", "r64:8@7+0"},
    {"cmpxchg16b XMMWORD PTR [rdi]", "u128:0@7+0"},
    {"lddqu  xmm0,[rdi]", "r128:0@7+0"},
    {"clflush BYTE PTR [rdi]", ""},
};

static const line_case unknown[] = {
    {"fxsave [rdi]", "?"},
    {"fxsave64 [rdi]", "?"},
    {"fxrstor [rdi]", "?"},
    {"xsave  [rdi]", "?"},
    {"xsave64 [rdi]", "?"},
    {"xsavec [rdi]", "?"},
    {"xsaveopt [rdi]", "?"},
    {"xsaves [rdi]", "?"},
    {"xrstor [rdi]", "?"},
    {"fnsave [rdi]", "?"},
    {"frstor [rdi]", "?"},
    {"fldenv [rdi]", "?"},
    {"fnstenv [rdi]", "?"},
    {"sgdt   [rdi]", "?"},
    {"lidt   [rdi]", "?"},
    {"invpcid rax,[rdi]", "?"},
    {"xlat   BYTE PTR ds:[rbx]", "?"},
    {"enter  0x40,0x1", "?"},
    {"enter  0x40,0x10", "?"},
    {"bts    QWORD PTR [rdi],rax", "?"},
    {"lock btr DWORD PTR [rdi],ecx", "?"},
    {"clzero", "?"},
    {"incsspq rax", "?"},
    {"wrssq  [rdi],rax", "?"},
    {"rstorssp QWORD PTR [rdi]", "?"},
    {"vmcall", "?"},
    {"encls", "?"},
    {"repz", "?"},
    {"ldtilecfg [rdi]", "?"},
    {"tilestored [rax+rbx*1],tmm0", "?"},
    {"tdpbf16ps tmm0,tmm1,tmm2", "?"},
    {"tilezero tmm0", "?"},
    {"aesencwide128kl [rdi]", "?"},
    {"rep xstore-rng", "?"},
    {"mov    rax,[rdi]", "?"},
    {"(bad)", "?"},
    {"", "?"},
    {"frobnicate xmm0,XMMWORD PTR [rdi]", "?"},
    {"frobnicate XMMWORD PTR [rdi],xmm0", "?"},
    {"vaddqq zmm0,zmm1,zmm2", "?"},
    {"tileloadd tmm0,[rax+rbx*1]", "?"},
    {"jfoo   10", "?"},
    {"setfoo al", "?"},
    {"mov    QWORD PTR [rdi", "w64:8@7+0"},
    {"mov    QWORD PTR [,]", "w64:8@-1+0"},
    {"mov    ,,,,,,,,,,,", ""},
    {"vgatherdpd", ""},
    {"cvtps2pd", "=f32 1"},
    {"addpd", "+f64 1"},
    {"add", "+int 1"},
};

/* As llvm-objdump writes it. */
static const line_case other_writing[] = {
    {"vmovups\tymm0, ymmword ptr [rdi + 4*rax - 32]", "r256:0@7+0*4-32"},
    {"jne\t0x50 <f+0x50>", "branch 50"},
    {"add\trax, -8", "+int 1 0+=-8"},
    {"mov\teax, dword ptr [rip + 16]  # 0x20", "r32:4@-1+16"},
};
/* clang-format on */

#define CHECK(cases)                                                                               \
    assert_int_equal(check_lines(cases, sizeof cases / sizeof cases[0], stn_x86_decode), 0)

#define DAMAGE(cases)                                                                              \
    assert_int_equal(check_damaged(cases, sizeof cases / sizeof cases[0], stn_x86_decode), 0)

static void lines_are_decoded(void **state)
{
    (void)state;
    CHECK(moves);
    CHECK(integers);
    CHECK(floats);
    CHECK(vectors);
    CHECK(conversions);
    CHECK(control);
    CHECK(implicit);
}

static void what_is_no_instruction_is_unknown(void **state)
{
    (void)state;
    CHECK(unknown);
}

static void both_disassemblers_are_read(void **state)
{
    (void)state;
    CHECK(other_writing);
}

static void damaged_lines_do_no_harm(void **state)
{
    (void)state;
    DAMAGE(moves);
    DAMAGE(integers);
    DAMAGE(floats);
    DAMAGE(vectors);
    DAMAGE(conversions);
    DAMAGE(control);
    DAMAGE(implicit);
}

static void written_registers_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint64_t written;
    } cases[] = {
        {"mov    rax,rbx", 1},
        {"mov    QWORD PTR [rax],rbx", 0},
        {"mov    r15d,DWORD PTR [rax]", 0x8000},
        {"add    cl,0x1", 2},
        {"cmp    rax,rbx", 0},
        {"test   rsi,rsi", 0},
        {"push   rbx", 0},
        {"pop    rbx", 8},
        {"mul    rsi", 5},
        {"imul   rsi", 5},
        {"imul   rsi,rdi", 0x40},
        {"idiv   rsi", 5},
        {"cqo", 4},
        {"cpuid", 15},
        {"xchg   rax,rsi", 0x41},
        {"xchg   ax,ax", 0},
        {"lea    rdi,[rsi+0x8]", 0x80},
        {"movmskpd edx,xmm0", 4},
        {"cvttsd2si ebx,xmm0", 8},
        {"vaddpd ymm0,ymm1,ymm2", 0},
        {"cmovle r8,r9", 0x100},
        {"sete   dil", 0x80},
        {"rep movs QWORD PTR es:[rdi],QWORD PTR ds:[rsi]", 0xc2},
        {"call   50", 0xfc7},
        {"mulx   rax,rbx,rcx", 9},
        {"leave", 0x30},
        {"enter  0x10,0x0", 0x20},
        {"pcmpistri xmm1,xmm2,0x0", 2},
        {"vpcmpestri xmm1,XMMWORD PTR [rdi],0x0", 2},
        {"pcmpistrm xmm1,xmm2,0x0", 0},
        {"cmpxchg16b XMMWORD PTR [rdi]", 5},
        {"cmpxchg QWORD PTR [rdi],rcx", 5},
        {"rdtscp", 7},
        {"cwd", 4},
        {"in     al,dx", 1},
        {"out    dx,al", 0},
        {"int    0x80", 0xfc7},
        {"xbegin 50", 1},
        {"loop   50", 2},
        {"maskmovdqu xmm0,xmm1", 0},
        {"movdir64b rax,[rsi]", 0},
        {"jne    50", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        stn_machine_instruction instruction;
        stn_x86_decode(cases[k].line, &instruction);
        if (instruction.written != cases[k].written)
            printf("%s\n", cases[k].line);
        assert_int_equal(instruction.written, cases[k].written);
    }
}

static void copies_of_the_stack_pointer_are_seen(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int to, from; /* -1: no copy */
    } cases[] = {{"mov    rbp,rsp", 5, 4},        {"lea rbp,[rsp+0x10]", 5, 4},
                 {"lea    r10,[rsp+0x8]", 10, 4}, {"enter  0x20,0x0", 5, 4},
                 {"mov    rbp,rdi", 5, 7},        {"lea    rbp,[rsp+rax*8]", -1, -1},
                 {"and    rbp,rsp", -1, -1},      {"push   rbp", -1, -1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        stn_machine_instruction instruction;
        stn_x86_decode(cases[k].line, &instruction);
        if (instruction.copies != (cases[k].to >= 0) ||
            (instruction.copies &&
             (instruction.copy_to != cases[k].to || instruction.copy_from != cases[k].from)))
            fail_msg("%s", cases[k].line);
    }
}

static void long_lines_are_cut(void **state)
{
    (void)state;
    char line[4000], text[256];
    stn_machine_instruction instruction;
    memset(line, 'a', sizeof line);
    line[sizeof line - 1] = 0;
    stn_x86_decode(line, &instruction);
    assert_string_equal(describe(&instruction, text), "?");
    memcpy(line, "mov QWORD PTR [rdi],", 20);
    stn_x86_decode(line, &instruction);
    assert_string_equal(describe(&instruction, text), "w64:8@7+0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_decoded),
        cmocka_unit_test(what_is_no_instruction_is_unknown),
        cmocka_unit_test(both_disassemblers_are_read),
        cmocka_unit_test(damaged_lines_do_no_harm),
        cmocka_unit_test(written_registers_are_known),
        cmocka_unit_test(copies_of_the_stack_pointer_are_seen),
        cmocka_unit_test(long_lines_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
