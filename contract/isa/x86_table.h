/* The mnemonics of x86-64 by operation. Lists contain words separated by spaces. Instructions whose
 * access size is unknown, such as xsave, or that have an implicit address, such as xlat, are not
 * listed: they are unknown. */
#ifndef STENO_CONTRACT_X86_TABLE_H
#define STENO_CONTRACT_X86_TABLE_H

#include "contract/isa/x86_decoding.h"

/* clang-format off */
static const x86_row x86_rows[] = {
    /* integers in general registers */
    {X86_EXACT, STN_OP_ARITHMETIC, X86_UPDATE, X86_PLAIN, 0,
     "add sub adc sbb inc dec neg adcx adox"},
    {X86_EXACT, STN_OP_ARITHMETIC, X86_UPDATE, X86_BOTH, 0, "xadd"},
    {X86_EXACT, STN_OP_ARITHMETIC, X86_READ, X86_PLAIN, X86_A | X86_D, "imul mul"},
    {X86_EXACT, STN_OP_ARITHMETIC, X86_READ, X86_DIVIDES, X86_A | X86_D, "div idiv"},
    {X86_EXACT, STN_OP_ARITHMETIC, X86_WRITE, X86_BOTH, 0, "mulx"},
    {X86_EXACT, STN_OP_OTHER, X86_UPDATE, X86_PLAIN, 0,
     "and or xor not shl shr sar sal rol ror rcl rcr shld shrd bts btr btc bswap"},
    {X86_EXACT, STN_OP_OTHER, X86_UPDATE, X86_PLAIN, X86_A | X86_D,
     "cmpxchg cmpxchg8b cmpxchg16b"},
    {X86_EXACT, STN_OP_OTHER, X86_UPDATE, X86_BOTH, 0, "xchg"},
    {X86_EXACT, STN_OP_OTHER, X86_WRITE, X86_PLAIN, 0,
     "mov movabs movbe movsx movzx movsxd movnti movdiri andn bextr bzhi blsi blsr blsmsk pdep"
     " pext rorx sarx shlx shrx lzcnt tzcnt popcnt bsf bsr crc32 smsw str sldt rdrand rdseed"
     " rdpid rdfsbase rdgsbase in rdsspq rdsspd stmxcsr vstmxcsr"},
    {X86_EXACT, STN_OP_OTHER, X86_READ, X86_BLOCK, 0, "movdir64b enqcmd enqcmds"},
    {X86_EXACT, STN_OP_OTHER, X86_READ, X86_PLAIN, 0,
     "cmp test bt ldmxcsr vldmxcsr verr verw lldt ltr wrfsbase wrgsbase out lmsw ptwrite"},
    {X86_EXACT, STN_OP_OTHER, X86_READ, X86_PUSHES, 0, "push pushw pushf pushfw pushfq"},
    {X86_EXACT, STN_OP_OTHER, X86_WRITE, X86_POPS, 0, "pop popw popf popfw popfq leave"},
    {X86_EXACT, STN_OP_OTHER, X86_NO_ACCESS, X86_PUSHES, X86_BP, "enter"},
    {X86_EXACT, STN_OP_OTHER, X86_NO_ACCESS, X86_PLAIN, 0,
     "nop nopl nopw fnop invlpg endbr64 endbr32 pause lfence mfence sfence serialize std cld"
     " stc clc cmc sahf emms femms wait"
     " fwait xsetbv monitor mwait monitorx mwaitx tpause umonitor umwait wrpkru swapgs cli"
     " sti hlt xtest xabort xend data16 cs ds es ss fs gs lock bnd notrack addr32"},
    {X86_EXACT, STN_OP_OTHER, X86_NO_ACCESS, X86_HINTS, 0,
     "prefetch prefetcht0 prefetcht1 prefetcht2 prefetchnta prefetchw prefetchwt1 prefetchit0"
     " prefetchit1 clflush clflushopt clwb cldemote invd wbinvd wbnoinvd"},
    {X86_EXACT, STN_OP_OTHER, X86_NO_ACCESS, X86_PLAIN, X86_A,
     "cdqe cwde cbw lahf salc"},
    {X86_EXACT, STN_OP_OTHER, X86_NO_ACCESS, X86_PLAIN, X86_D, "cqo cdq cwd"},
    {X86_EXACT, STN_OP_OTHER, X86_NO_ACCESS, X86_PLAIN, X86_A | X86_D | X86_C,
     "rdpkru rdtsc rdtscp xgetbv rdpmc rdmsr"},
    {X86_EXACT, STN_OP_OTHER, X86_NO_ACCESS, X86_PLAIN, X86_A | X86_B | X86_C | X86_D, "cpuid"},
    {X86_EXACT, STN_OP_OTHER, X86_WRITE, X86_ADDRESS, 0, "lea"},
    {X86_EXACT, STN_OP_OTHER, X86_WRITE, X86_PLAIN, X86_SI | X86_DI | X86_C, "movs stos ins"},
    {X86_EXACT, STN_OP_OTHER, X86_READ, X86_PLAIN, X86_SI | X86_DI | X86_C, "cmps scas outs"},
    {X86_EXACT, STN_OP_OTHER, X86_WRITE, X86_PLAIN, X86_SI | X86_C, "lods"},
    {X86_EXACT, STN_OP_OTHER, X86_READ, X86_CALLS, X86_CALLED, "call"},
    {X86_EXACT, STN_OP_OTHER, X86_NO_ACCESS, X86_TRAPS, X86_CALLED,
     "syscall sysenter int int1 int3"},
    {X86_EXACT, STN_OP_OTHER, X86_READ, X86_JUMPS, 0, "jmp ljmp"},
    {X86_EXACT, STN_OP_OTHER, X86_NO_ACCESS, X86_ENDS, 0,
     "ret retf iret iretq ud0 ud1 ud2 sysret sysexit uiret"},
    /* x87 */
    {X86_EXACT, STN_OP_ARITHMETIC, X86_READ, X86_SCALAR, 0,
     "fadd faddp fiadd fsub fsubp fsubr fsubrp fisub fisubr fmul fmulp fimul fabs fchs frndint"
     " fscale fsin fcos fsincos fptan fpatan f2xm1 fyl2x fyl2xp1 fxtract"},
    {X86_EXACT, STN_OP_ARITHMETIC, X86_READ, X86_DIVIDES, 0,
     "fdiv fdivp fdivr fdivrp fidiv fidivr fsqrt fprem fprem1"},
    {X86_EXACT, STN_OP_CONVERSION, X86_READ, X86_SCALAR, 0, "fild fbld"},
    {X86_EXACT, STN_OP_CONVERSION, X86_WRITE, X86_SCALAR, 0, "fist fistp fisttp fbstp"},
    {X86_EXACT, STN_OP_OTHER, X86_READ, X86_PLAIN, 0,
     "fld fldcw fld1 fldz fldpi fldl2e fldl2t fldlg2 fldln2 fxch fcom fcomp fcompp"
     " fucom fucomp fucompp fcomi fcomip fucomi fucomip ficom ficomp ftst fxam fcmovb fcmove"
     " fcmovbe fcmovu fcmovnb fcmovne fcmovnbe fcmovnu ffree ffreep fnclex fclex fninit finit"
     " fincstp fdecstp"},
    {X86_EXACT, STN_OP_OTHER, X86_WRITE, X86_PLAIN, 0,
     "fst fstp fnstcw fstcw"},
    {X86_EXACT, STN_OP_OTHER, X86_WRITE, X86_PLAIN, X86_A, "fnstsw fstsw"},
    /* floating point in vectors */
    {X86_FLOAT, STN_OP_ARITHMETIC, X86_WRITE, X86_PLAIN, 0,
     "add sub mul min max addsub hadd hsub dp round rndscale reduce getexp"
     " getmant scalef fixupimm range exp2 minmax mulc cmulc fmulc fcmulc"},
    {X86_FLOAT, STN_OP_ARITHMETIC, X86_WRITE, X86_DIVIDES, 0, "div sqrt"},
    {X86_FLOAT, STN_OP_ARITHMETIC, X86_WRITE, X86_APPROXIMATES, 0,
     "rcp rcp14 rcp28 rsqrt rsqrt14 rsqrt28"},
    {X86_FLOAT, STN_OP_FMA, X86_WRITE, X86_PLAIN, 0,
     "fmadd fmsub fnmadd fnmsub fmaddsub fmsubadd fmaddc fcmaddc"},
    {X86_EXACT, STN_OP_FMA, X86_WRITE, X86_PLAIN, 0, "vdpbf16ps vdpphps v4fmaddps v4fnmaddps"},
    {X86_FLOAT, STN_OP_OTHER, X86_WRITE, X86_PLAIN, 0,
     "mova movu mov movnt movl movh movlh movhl compress maskmov extract movmsk and andn or xor"
     " unpckl unpckh shuf blend blendv blendm broadcast perm permil permil2 permt2 permi2 expand"
     " insert fpclass frcz"},
    {X86_FLOAT, STN_OP_OTHER, X86_READ, X86_PLAIN, 0, "comi ucomi comx ucomx test"},
    {X86_VECTOR, STN_OP_OTHER, X86_WRITE, X86_PLAIN, 0,
     "movddup movshdup movsldup movd movq movw movdq2q movq2dq movdqa movdqu movdqa32 movdqa64"
     " movdqu8 movdqu16 movdqu32 movdqu64 movntdq movntdqa movntq lddqu"
     " extractf128 extracti128 extractf32x4 extractf32x8 extractf64x2 extractf64x4 extracti32x4"
     " extracti32x8 extracti64x2 extracti64x4 insertf128 inserti128 insertf32x4 insertf32x8"
     " insertf64x2 insertf64x4 inserti32x4 inserti32x8 inserti64x2 inserti64x4 broadcastf128"
     " broadcasti128 broadcastf32x2 broadcastf32x4 broadcastf32x8 broadcastf64x2 broadcastf64x4"
     " broadcasti32x2 broadcasti32x4 broadcasti32x8 broadcasti64x2 broadcasti64x4 perm2f128"
     " perm2i128 shuff32x4 shuff64x2 shufi32x4 shufi64x2 zeroupper zeroall extrq insertq movntss"
     " movntsd"},
    {X86_VECTOR, STN_OP_OTHER, X86_READ, X86_MASKED, 0, "maskmovdqu maskmovq"},
    /* integers in vectors */
    {X86_PACKED, STN_OP_ARITHMETIC, X86_WRITE, X86_PLAIN, 0,
     "padd padds paddus psub psubs psubus pmull pmulh pmulhu pmulhrs pmuludq pmuldq pmulhrsw"
     " pmulhuw pmulhrw pmuld pmaddwd pmaddubsw pmadd52luq pmadd52huq pmins pminu pmaxs pmaxu"
     " pabs psign pavg psadb phadd phadds phsub phsubs pdpbusd pdpbusds pdpwssd pdpwssds pdpbssd"
     " pdpbuud phminposu mpsadb dbpsadb pavgusb"},
    {X86_PACKED, STN_OP_OTHER, X86_WRITE, X86_PLAIN, 0,
     "pand pandn por pxor psll psrl psra pslldq psrldq psllv psrlv psrav prol pror prolv prorv"
     " pshl pshld pshrd pshldv pshrdv pshuf pshufh pshufl pshufhw pshuflw punpcklbw punpcklwd"
     " punpckldq punpcklqdq punpckhbw punpckhwd punpckhdq punpckhqdq packsswb packssdw packuswb"
     " packusdw palignr align pblend pblendv pblendm perm permt2 permi2 pbroadcast"
     " pbroadcastmb2q pbroadcastmw2d pinsr pextr pmovmsk pternlog pconflict plzcnt popcnt"
     " pcompress pexpand pmultishiftq pmultishiftqb pmaskmov pclmulqdq pclmullqlqdq pclmulhqhqdq"
     " pclmullqhqdq pclmulhqlqdq aesenc aesenclast aesdec aesdeclast aesimc aeskeygenassist"
     " sha1msg1 sha1msg2 sha1nexte sha1rnds4 sha256msg1 sha256msg2 sha256rnds2 gf2p8mulb"
     " gf2p8affineq gf2p8affineqb gf2p8affineinvqb gf2p8mul ptestm ptestnm pshufbitqm"
     " pshufbitqmb p2intersect pperm prot"},
    {X86_PACKED, STN_OP_OTHER, X86_READ, X86_PLAIN, 0, "ptest pcmpestrm pcmpistrm kortest ktest"},
    {X86_PACKED, STN_OP_OTHER, X86_READ, X86_PLAIN, X86_C, "pcmpestri pcmpistri"},
    {X86_PACKED, STN_OP_OTHER, X86_WRITE, X86_PLAIN, 0,
     "kmov kand kandn kor kxor kxnor knot kadd kshiftl kshiftr kunpckbw kunpckwd kunpckdq"},
};
/* clang-format on */

#endif
