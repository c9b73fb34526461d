/* The mnemonics of AArch64 (general, floating point, Advanced SIMD, SVE) by operation. Instructions
 * on memory tags, or on blocks whose size is in a register, are not listed: they are unknown. */
#ifndef STENO_CONTRACT_AARCH64_TABLE_H
#define STENO_CONTRACT_AARCH64_TABLE_H

#include "contract/isa/code.h"

typedef enum a64_more {
    A64_WRITES, /* writes the first operand */
    A64_PLAIN,  /* writes no register */
    A64_HINTS,  /* cache hint */
    A64_DIVIDES,
    A64_APPROXIMATES, /* reciprocal or reciprocal square root */
    A64_LOADS,
    A64_LOADS_PAIR,
    A64_STORES,
    A64_STORES_PAIR,
    A64_STORES_CHECKED, /* the first operand is a status register */
    A64_STORES_PAIR_CHECKED,
    A64_UPDATES_PAIR, /* atomic */
    A64_UPDATES,
    A64_BRANCHES,
    A64_JUMPS,
    A64_CALLS,
    A64_INDIRECT, /* indirect jump */
    A64_ENDS
} a64_more;

typedef struct a64_row {
    stn_machine_operation operation;
    int is_float;
    a64_more more;
    const char *words;
} a64_row;

/* clang-format off */
static const a64_row a64_rows[] = {
    {STN_OP_ARITHMETIC, 0, A64_WRITES,
     "add adds sub subs adc adcs sbc sbcs neg negs ngc ngcs mul madd msub mneg smull umull"
     " smaddl umaddl smsubl umsubl smnegl umnegl smulh umulh abs mla mls addp addv saddlv uaddlv"
     " saddl uaddl ssubl usubl saddw uaddw ssubw usubw addhn subhn raddhn rsubhn shadd uhadd"
     " srhadd urhadd shsub uhsub sqadd uqadd sqsub uqsub suqadd usqadd sqneg sqabs smax smin"
     " umax umin smaxp sminp umaxp uminp smaxv sminv umaxv uminv sabd uabd sabdl uabdl saba uaba"
     " sabal uabal sadalp uadalp saddlp uaddlp smlal umlal smlsl umlsl sqdmulh sqrdmulh sqdmull"
     " sqdmlal sqdmlsl sqrdmlah sqrdmlsh sdot udot usdot sudot smmla ummla usmmla ssra usra"
     " srsra ursra"},
    {STN_OP_ARITHMETIC, 0, A64_WRITES,
     "subr mad msb saddv uaddv adclb adclt sbclb sbclt cdot cmla saddlb saddlt uaddlb uaddlt ssublb"
     " ssublt usublb usublt saddwb saddwt uaddwb uaddwt smullb smullt umullb umullt smlalb smlalt"
     " umlalb umlalt smlslb smlslt umlslb umlslt sabalb sabalt uabalb uabalt sabdlb sabdlt uabdlb"
     " uabdlt shsubr uhsubr sqsubr uqsubr cadd sqcadd"},
    {STN_OP_ARITHMETIC, 0, A64_DIVIDES, "sdiv udiv sdivr udivr"},
    {STN_OP_ARITHMETIC, 1, A64_WRITES,
     "fadd fsub fmul fnmul fmulx fmax fmin fmaxnm fminnm fmaxp fminp fmaxnmp fminnmp fmaxv fminv"
     " fmaxnmv fminnmv faddp fabd frinta frinti frintm frintn frintp frintx frintz frint32x"
     " frint32z frint64x frint64z frecps frecpx frsqrts fcadd"},
    {STN_OP_ARITHMETIC, 1, A64_WRITES, "fsubr fadda faddv fscale ftmad ftsmul ftssel fexpa"},
    {STN_OP_ARITHMETIC, 1, A64_DIVIDES, "fdiv fdivr fsqrt"},
    {STN_OP_ARITHMETIC, 1, A64_APPROXIMATES, "frecpe frsqrte"},
    {STN_OP_ARITHMETIC, 0, A64_APPROXIMATES, "urecpe ursqrte"},
    {STN_OP_FMA, 1, A64_WRITES,
     "fmad fmsb fnmad fnmsb fnmla fnmls fmlalb fmlalt fmlslb fmlslt fmmla"
     " fmadd fmsub fnmadd fnmsub fmla fmls fcmla fmlal fmlsl bfdot bfmlalb bfmlalt bfmmla"},
    {STN_OP_CONVERSION, 1, A64_WRITES,
     "fcvt fcvtl fcvtn fcvtxn fcvtas fcvtau fcvtms fcvtmu fcvtns fcvtnu fcvtps fcvtpu fcvtzs"
     " fcvtzu fjcvtzs scvtf ucvtf bfcvt bfcvtn fcvtx fcvtnt fcvtlt fcvtxnt bfcvtnt"},
    {STN_OP_OTHER, 0, A64_WRITES,
     "mov movz movk movn mvn adr adrp and ands orr orn eor eon bic bics lsl lsr asr ror lslv"
     " lsrv asrv rorv extr ubfx sbfx ubfiz sbfiz ubfm sbfm bfm bfi bfxil bfc sxtw sxth sxtb uxtw"
     " uxth uxtb rev rev16 rev32 rev64 rbit clz cls csel csinc csinv csneg cset csetm cinc cinv"
     " cneg fcsel mrs irg gmi addg subg subp subps ctz cnt fmov movi mvni dup ins umov smov ext"
     " zip1 zip2 uzp1 uzp2 trn1 trn2 tbl tbx bsl bit bif not cmeq cmge cmgt cmhi cmhs cmle cmlt"
     " cmtst fcmeq fcmge fcmgt fcmle fcmlt facge facgt fabs fneg shl sshr ushr srshr urshr sshl"
     " ushl srshl urshl sqshl uqshl sqshlu sqrshl uqrshl sshll ushll sxtl uxtl shll xtn sqxtn"
     " uqxtn sqxtun shrn rshrn sqshrn uqshrn sqrshrn uqrshrn sqshrun sqrshrun sri sli pmul"
     " pmull eor3 bcax rax1 xar crc32b crc32h crc32w crc32x crc32cb crc32ch"
     " crc32cw crc32cx"},
    {STN_OP_OTHER, 0, A64_WRITES, /* of scalable vectors */
     "movprfx sel dupm dupq fdup cpy fcpy index insr lasta lastb clasta clastb compact splice rev"
     " revb revh revw sunpkhi sunpklo uunpkhi uunpklo lslr lsrr asrr asrd cnot andv orv eorv bsl1n"
     " bsl2n nbsl bext bdep bgrp histcnt match nmatch cmpeq cmpne cmpge cmpgt cmphi cmphs cmple"
     " cmplt"
     " cmplo cmpls fcmne fcmuo cntp"},
    {STN_OP_OTHER, 0, A64_PLAIN, /* of predicates */
     "ptrue ptrues pfalse pfirst pnext ptest punpkhi punpklo brka brkas brkb brkbs brkn brkns brkpa"
     " brkpas brkpb brkpbs nand nands nor nors orns nots movs eors orrs rdffr rdffrs wrffr setffr"
     " whilele whilelo whilels whilelt whilege whilegt whilehi whilehs whilerw whilewr ctermeq"
     " ctermne"},
    {STN_OP_OTHER, 0, A64_HINTS, "prfb prfh prfw prfd prfm prfum rprfm dc ic"},
    {STN_OP_OTHER, 0, A64_PLAIN,
     "cmp cmn tst ccmp ccmn fcmp fcmpe fccmp fccmpe cmpp nop hint bti yield wfe wfi wfet wfit"
     " sev sevl dmb dsb isb csdb esb sb psb ssbb pssbb msr at tlbi clrex rmif"
     " setf8 setf16 cfinv axflag xaflag dgh gcsb tsb chkfeat"},
    {STN_OP_OTHER, 0, A64_LOADS, "ldr ldur ldar ldapr ldapur ldxr ldaxr ldlar ldtr"},
    {STN_OP_OTHER, 0, A64_LOADS_PAIR, "ldp ldnp ldxp ldaxp ldpsw"},
    {STN_OP_OTHER, 0, A64_STORES, "str stur stlr stlur stllr sttr"},
    {STN_OP_OTHER, 0, A64_STORES_PAIR, "stp stnp"},
    {STN_OP_OTHER, 0, A64_STORES_CHECKED, "stxr stlxr"},
    {STN_OP_OTHER, 0, A64_STORES_PAIR_CHECKED, "stxp stlxp"},
    {STN_OP_OTHER, 0, A64_LOADS, "ld1 ld2 ld3 ld4 ld1r ld2r ld3r ld4r"},
    {STN_OP_OTHER, 0, A64_STORES, "st1 st2 st3 st4"},
    {STN_OP_OTHER, 0, A64_BRANCHES, "cbz cbnz tbz tbnz"},
    {STN_OP_OTHER, 0, A64_JUMPS, "b"},
    {STN_OP_OTHER, 0, A64_CALLS, "bl blr blraa blrab blraaz blrabz svc hvc smc hlt"},
    {STN_OP_OTHER, 0, A64_INDIRECT, "br braa brab braaz brabz"},
    {STN_OP_OTHER, 0, A64_ENDS, "ret eret retaa retab eretaa eretab brk udf drps"},
};

/* Atomic updates, pairs first, with the suffixes a, l or al and b or h. */
static const char a64_paired[] = "casp ldclrp ldsetp swpp";
static const char a64_updates[] = "ldadd ldclr ldeor ldset ldsmax ldsmin ldumax ldumin swp cas"
                                  " stadd stclr steor stset stsmax stsmin stumax stumin";

/* Families by prefix, which are not counted. */
static const char a64_others[] = "aes sha sm3 sm4 pac aut xpac";
/* clang-format on */

#endif
