/* Known NVIDIA instructions from sm_75 on: bits 0..8 of the 16 bytes are the opcode (bits 9..11
 * only select the sources of the second and third operand). Learned from disassembled kernels;
 * missing opcodes are counted as unknown. */
#ifndef STENO_CONTRACT_SASS_TABLE_H
#define STENO_CONTRACT_SASS_TABLE_H

#include "contract/isa/sass_word.h"

#define F64 STN_KIND_F64
#define F32 STN_KIND_F32
#define F16 STN_KIND_F16
#define INT STN_KIND_INTEGER

#define OTHER(code, name, writes, uses)                                                            \
    {                                                                                              \
        code, 70, 199, name, STN_SASS_OTHER, INT, 1, writes, 0, 0, uses                            \
    }
#define UNIFORM(code, name, class, writes, uses)                                                   \
    {                                                                                              \
        code, 70, 199, name, STN_SASS_##class, INT, 1, writes, STN_SASS_UNIFORM, 0, uses           \
    }
#define UNIFORM_ON(code, first, last, name, class, kind, writes, uses)                             \
    {                                                                                              \
        code, first, last, name, STN_SASS_##class, kind, 1, writes, STN_SASS_UNIFORM, 0, uses      \
    }
#define COMPUTE(code, name, class, kind, lanes, writes, uses)                                      \
    {                                                                                              \
        code, 70, 199, name, STN_SASS_##class, kind, lanes, writes, 0, 0, uses                     \
    }
#define COMPUTE_ON(code, first, last, name, class, kind, lanes, writes, uses)                      \
    {                                                                                              \
        code, first, last, name, STN_SASS_##class, kind, lanes, writes, 0, 0, uses                 \
    }
#define UNSIZED_ON(code, first, last, name, class, space, writes)                                  \
    {                                                                                              \
        code, first, last, name, STN_SASS_##class, INT, 1, writes, 0, STN_SPACE_##space, NULL      \
    }
#define UNSIZED(code, name, class, space, writes)                                                  \
    UNSIZED_ON(code, 70, 199, name, class, space, writes)
#define UNIFORM_UNSIZED(code, name, class, space, writes)                                          \
    {                                                                                              \
        code, 90, 199, name, STN_SASS_##class, INT, 1, writes, STN_SASS_UNIFORM,                   \
            STN_SPACE_##space, NULL                                                                \
    }
#define ACCESS(code, name, class, space)                                                           \
    {                                                                                              \
        code, 70, 199, name, STN_SASS_##class, INT, 1, 0, 0, STN_SPACE_##space, ""                 \
    }

/* clang-format off */ /* a row per line */
static const stn_sass_row stn_sass_rows[] = {
    /* moves, comparisons, logic */
    COMPUTE(0x002, "MOV", MOVE, INT, 1, 1, "x"), /* 64 bits if a flag is set */
    OTHER(0x003, "P2R", 1, "m"),
    OTHER(0x004, "R2P", 0, "am"),
    OTHER(0x005, "CS2R", 2, ""),
    OTHER(0x006, "VOTE", 1, "ps"),
    OTHER(0x007, "SEL", 1, "axs"),
    OTHER(0x008, "FSEL", 1, "abs"),
    OTHER(0x00b, "FSETP", 0, "abpqs"),
    OTHER(0x00c, "ISETP", 0, "abpqsu"),
    OTHER(0x011, "LEA", 1, "abcps"),
    OTHER(0x012, "LOP3", 1, "abcps"),
    OTHER(0x013, "IABS", 1, "x"),
    OTHER(0x016, "PRMT", 1, "abc"),
    OTHER(0x019, "SHF", 1, "abc"),
    OTHER(0x01c, "PLOP3", 0, "pqstu"),
    OTHER(0x02a, "DSETP", 0, "a2x2pqs"),
    OTHER(0x02d, "PREEXIT", 0, ""),
    OTHER(0x02e, "ACQBULK", 0, ""),
    OTHER(0x02f, "ELECT", 0, "p"),
    OTHER(0x033, "HSET2", 1, "abs"),
    OTHER(0x034, "HSETP2", 0, "abpqs"),
    OTHER(0x100, "FLO", 1, "xp"),
    OTHER(0x101, "BREV", 1, "x"),
    OTHER(0x102, "FCHK", 0, "abp"),
    OTHER(0x107, "FRND", 1, "x"),
    OTHER(0x109, "POPC", 1, "x"),
    OTHER(0x113, "FRND", 2, "x2"),
    OTHER(0x118, "NOP", 0, ""),
    OTHER(0x119, "S2R", 1, ""),
    OTHER(0x189, "SHFL", 1, "hp"),
    OTHER(0x1a1, "MATCH", 1, "ap"),
    OTHER(0x1aa, "QSPC", 1, "a2p"),

    /* arithmetic */
    COMPUTE(0x009, "FMNMX", ARITHMETIC, F32, 1, 1, "abs"),
    COMPUTE(0x010, "IADD3", ADD, INT, 1, 1, "abcpqst"),
    COMPUTE(0x014, "VABSDIFF", ARITHMETIC, INT, 1, 1, "abc"),
    COMPUTE(0x015, "VABSDIFF4", ARITHMETIC, INT, 4, 1, "abc"),
    COMPUTE(0x017, "IMNMX", ARITHMETIC, INT, 1, 1, "abs"),
    COMPUTE(0x020, "FMUL", ARITHMETIC, F32, 1, 1, "ab"),
    COMPUTE(0x021, "FADD", ARITHMETIC, F32, 1, 1, "ax"),
    COMPUTE(0x023, "FFMA", MULTIPLY, F32, 1, 1, "abc"),
    COMPUTE(0x024, "IMAD", MULTIPLY, INT, 1, 1, "abcps"),
    COMPUTE(0x025, "IMAD.WIDE", MULTIPLY, INT, 1, 2, "abc2ps"),
    COMPUTE(0x026, "IDP", MULTIPLY, INT, 4, 1, "abc"),
    COMPUTE(0x027, "IMAD.HI", MULTIPLY, INT, 1, 1, "abc2ps"),
    COMPUTE(0x028, "DMUL", ARITHMETIC, F64, 1, 2, "a2b2"),
    COMPUTE(0x029, "DADD", ARITHMETIC, F64, 1, 2, "a2c2"),
    COMPUTE(0x02b, "DFMA", MULTIPLY, F64, 1, 2, "a2b2c2"),
    COMPUTE(0x030, "HADD2", HALF_ADD, F16, 2, 1, "ax"),
    COMPUTE(0x031, "HFMA2", MULTIPLY, F16, 2, 1, "abc"),
    COMPUTE(0x032, "HMUL2", ARITHMETIC, F16, 2, 1, "ab"),
    COMPUTE_ON(0x035, 70, 99, "HFMA2.MMA", MULTIPLY, F16, 2, 1, "abc"),
    COMPUTE_ON(0x035, 100, 199, "IADD.64", ADD_TWO, INT, 1, 2, "a2b2"),
    COMPUTE_ON(0x036, 70, 79, "HMMA", MULTIPLY, F16, 32, 8, NULL), /* HMMA.884 */
    COMPUTE_ON(0x036, 90, 199, "VIADD", ADD_TWO, INT, 1, 1, "ab"),
    COMPUTE(0x037, "IMMA", MULTIPLY, INT, 32, 4, "a1b1c4"),
    COMPUTE(0x03c, "HMMA", MULTIPLY, F16, 32, 4, "a4b2c4"),
    COMPUTE(0x03f, "DMMA", MULTIPLY, F64, 8, 8, "a2b2c4"),
    COMPUTE(0x040, "HMNMX2", ARITHMETIC, F16, 2, 1, "abs"),
    COMPUTE(0x046, "VIADDMNMX", ARITHMETIC, INT, 1, 1, "abcs"),
    COMPUTE(0x048, "VIMNMX", ARITHMETIC, INT, 1, 1, "abs"),
    COMPUTE_ON(0x049, 70, 119, "FFMA2", MULTIPLY, F32, 2, 2, "a2b2c2"),
    COMPUTE_ON(0x04a, 70, 119, "FMUL2", ARITHMETIC, F32, 2, 2, "a2b2"),
    COMPUTE_ON(0x04b, 70, 119, "FADD2", ARITHMETIC, F32, 2, 2, "a2c2"),
    COMPUTE(0x076, "FMNMX3", ARITHMETIC, F32, 1, 1, "abc"),
    COMPUTE(0x108, "MUFU", FUNCTION, F32, 1, 1, "x"),
    COMPUTE_ON(0x1f0, 90, 99, "HGMMA", MULTIPLY, F16, 32, 255, NULL),

    /* conversions between number types */
    COMPUTE(0x03e, "F2FP", CONVERT_PAIR, F16, 2, 1, "abc"),
    COMPUTE(0x045, "I2FP", CONVERT, F32, 1, 1, "x"),
    COMPUTE(0x104, "F2F", CONVERT, F32, 1, 1, "x"),
    COMPUTE(0x105, "F2I", CONVERT, F32, 1, 1, "x"),
    COMPUTE(0x106, "I2F", CONVERT, F32, 1, 1, "x"),
    COMPUTE(0x110, "F2F", CONVERT_64, F64, 1, 1, "v"),
    COMPUTE(0x111, "F2I", CONVERT_64, F64, 1, 1, "v"),
    COMPUTE(0x112, "I2F", CONVERT_64, F64, 1, 1, "v"),

    /* on uniform registers, which all threads of a warp share */
    UNIFORM_ON(0x049, 120, 199, "UVIADD", ADD_TWO, INT, 1, "ab"),
    UNIFORM_ON(0x04a, 120, 199, "UVIMNMX", ARITHMETIC, INT, 1, "abs"),
    UNIFORM_ON(0x04d, 120, 199, "UIABS", OTHER, INT, 1, "x"),
    UNIFORM_ON(0x085, 120, 199, "UIMNMX", ARITHMETIC, INT, 2, NULL), /* of 64 bits */
    UNIFORM_ON(0x050, 120, 199, "UFMNMX", ARITHMETIC, F32, 1, "abs"),
    UNIFORM_ON(0x051, 120, 199, "UFSEL", OTHER, F32, 1, "abs"),
    UNIFORM_ON(0x052, 120, 199, "UFSET", OTHER, F32, 1, "abs"),
    UNIFORM_ON(0x053, 120, 199, "UFSETP", OTHER, F32, 0, "abpqs"),
    UNIFORM_ON(0x054, 120, 199, "UFADD", ARITHMETIC, F32, 1, "ax"),
    UNIFORM_ON(0x055, 100, 199, "UFFMA", MULTIPLY, F32, 1, "abc"),
    UNIFORM_ON(0x056, 120, 199, "UFMUL", ARITHMETIC, F32, 1, "ab"),
    UNIFORM_ON(0x05a, 120, 199, "UI2F", CONVERT, F32, 1, "x"),
    UNIFORM_ON(0x05e, 120, 199, "UI2FP", CONVERT, F32, 1, "x"),
    UNIFORM(0x082, "UMOV", MOVE, 1, "x"),
    UNIFORM(0x086, "VOTEU", OTHER, 1, "pS"),
    UNIFORM(0x087, "USEL", OTHER, 1, "abs"),
    UNIFORM(0x08c, "UISETP", OTHER, 0, "abpqsu"),
    UNIFORM(0x090, "UIADD3", ADD, 1, "abcpqst"),
    UNIFORM(0x091, "ULEA", OTHER, 1, "abcps"),
    UNIFORM(0x092, "ULOP3", OTHER, 1, "abcps"),
    UNIFORM(0x096, "UPRMT", OTHER, 1, "abc"),
    UNIFORM(0x097, "UIADD3.64", ADD, 2, "a2b2c2pq"),
    UNIFORM(0x099, "USHF", OTHER, 1, "abc"),
    UNIFORM(0x09c, "UPLOP3", OTHER, 0, "pqstu"),
    UNIFORM(0x0a4, "UIMAD", MULTIPLY, 1, "abcps"),
    UNIFORM(0x0a5, "UIMAD.WIDE", MULTIPLY, 2, "abc2ps"),
    UNIFORM(0x0b9, "ULDC", LOAD_CONSTANT, 0, ""),
    UNIFORM(0x0bb, "ULDC", LOAD_CONSTANT, 0, ""),
    UNIFORM(0x0bd, "UFLO", OTHER, 1, "xp"),
    UNIFORM(0x0bf, "UPOPC", OTHER, 1, "x"),
    UNIFORM(0x0ca, "R2UR", OTHER, 1, "A"),
    UNIFORM(0x0cc, "CREDUX", OTHER, 1, "A"),
    UNIFORM(0x1ac, "LDCU", LOAD_CONSTANT, 0, ""),
    UNIFORM(0x1c2, "R2UR", OTHER, 1, "A"),
    UNIFORM(0x1c3, "S2UR", OTHER, 1, ""),
    UNIFORM(0x1c4, "REDUX", OTHER, 1, "A"),

    /* memory */
    ACCESS(0x03b, "LDSM", LOAD_MATRIX, SHARED),
    ACCESS(0x17e, "LDG", LOAD_256, MEMORY),
    ACCESS(0x17f, "STG", STORE_256, MEMORY),
    ACCESS(0x180, "LD", LOAD, MEMORY),
    ACCESS(0x181, "LDG", LOAD, MEMORY),
    ACCESS(0x182, "LDC", LOAD_CONSTANT, CONSTANT),
    ACCESS(0x183, "LDL", LOAD, LOCAL),
    ACCESS(0x184, "LDS", LOAD, SHARED),
    ACCESS(0x185, "ST", STORE, MEMORY),
    ACCESS(0x186, "STG", STORE, MEMORY),
    ACCESS(0x187, "STL", STORE, LOCAL),
    ACCESS(0x188, "STS", STORE, SHARED),
    ACCESS(0x18a, "ATOM", ATOMIC, MEMORY),
    ACCESS(0x18b, "ATOM", ATOMIC, MEMORY),
    ACCESS(0x18c, "ATOMS", ATOMIC, SHARED),
    ACCESS(0x18d, "ATOMS", ATOMIC, SHARED),
    ACCESS(0x18e, "RED", ATOMIC, MEMORY),
    ACCESS(0x1a2, "ATOM", ATOMIC_FLOAT, MEMORY),
    ACCESS(0x1a3, "ATOMG", ATOMIC_FLOAT, MEMORY),
    ACCESS(0x1a6, "REDG", ATOMIC_FLOAT, MEMORY),
    ACCESS(0x1a8, "ATOMG", ATOMIC, MEMORY),
    ACCESS(0x1a9, "ATOMG", ATOMIC, MEMORY),
    ACCESS(0x1ae, "LDGSTS", COPY, MEMORY),

    /* textures, surfaces and bulk copies: the number of bytes is not in the instruction */
    UNSIZED(0x160, "TEX", FETCH, MEMORY, 4),
    UNSIZED(0x161, "TEX", FETCH, MEMORY, 4),
    UNSIZED_ON(0x162, 70, 99, "TEX", FETCH, MEMORY, 4),
    UNSIZED(0x163, "TLD4", FETCH, MEMORY, 4),
    UNSIZED(0x164, "TLD4", FETCH, MEMORY, 4),
    UNSIZED_ON(0x165, 70, 99, "TLD4", FETCH, MEMORY, 4),
    UNSIZED(0x166, "TLD", FETCH, MEMORY, 4),
    UNSIZED(0x167, "TLD", FETCH, MEMORY, 4),
    UNSIZED_ON(0x168, 70, 99, "TLD", FETCH, MEMORY, 4),
    UNSIZED(0x169, "TMML", QUERY, MEMORY, 4),
    UNSIZED(0x16a, "TMML", QUERY, MEMORY, 4),
    UNSIZED_ON(0x16b, 70, 99, "TMML", QUERY, MEMORY, 4),
    UNSIZED(0x16c, "TXD", FETCH, MEMORY, 4),
    UNSIZED(0x16d, "TXD", FETCH, MEMORY, 4),
    UNSIZED_ON(0x16e, 70, 99, "TXD", FETCH, MEMORY, 4),
    UNSIZED(0x16f, "TXQ", QUERY, MEMORY, 4),
    UNSIZED(0x170, "TXQ", QUERY, MEMORY, 4),
    UNSIZED_ON(0x171, 70, 99, "TXQ", QUERY, MEMORY, 4),
    UNSIZED(0x193, "SUATOM", CHANGE, MEMORY, 4),
    UNSIZED(0x194, "SUATOM", CHANGE, MEMORY, 4),
    UNSIZED(0x195, "SUATOM", CHANGE, MEMORY, 4),
    UNSIZED(0x196, "SUATOM", CHANGE, MEMORY, 4),
    UNSIZED(0x197, "SULD", FETCH, MEMORY, 4),
    UNSIZED(0x198, "SULD", FETCH, MEMORY, 4),
    UNSIZED(0x199, "SULD", FETCH, MEMORY, 4),
    UNSIZED(0x19a, "SULD", FETCH, MEMORY, 4),
    UNSIZED(0x19b, "SUST", PUT, MEMORY, 0),
    UNSIZED(0x19c, "SUST", PUT, MEMORY, 0),
    UNSIZED(0x19d, "SUST", PUT, MEMORY, 0),
    UNSIZED(0x19e, "SUST", PUT, MEMORY, 0),
    UNSIZED(0x19f, "SURED", CHANGE, MEMORY, 0),
    UNSIZED(0x1a0, "SURED", CHANGE, MEMORY, 0),
    UNSIZED_ON(0x1b3, 86, 199, "SUQUERY", QUERY, MEMORY, 4),
    UNIFORM_UNSIZED(0x1b4, "UTMALDG", TENSOR_FETCH, MEMORY, 0),
    UNIFORM_UNSIZED(0x1b5, "UTMASTG", TENSOR_PUT, MEMORY, 0),
    UNIFORM_UNSIZED(0x1b6, "UTMAREDG", TENSOR_CHANGE, MEMORY, 0),
    UNIFORM_UNSIZED(0x1b8, "UTMAPF", FETCH, MEMORY, 0),
    UNIFORM_UNSIZED(0x1ba, "UBLKCP", BULK_COPY, MEMORY, 0),
    UNIFORM_UNSIZED(0x1bb, "UBLKRED", BULK_CHANGE, MEMORY, 0),
    UNIFORM_UNSIZED(0x1bc, "UBLKPF", FETCH, MEMORY, 0),
    UNSIZED_ON(0x044, 90, 199, "STSM", PUT, SHARED, 0),
    UNSIZED_ON(0x1bd, 90, 199, "STAS", PUT, SHARED, 0),
    UNSIZED_ON(0x1be, 90, 199, "REDAS", CHANGE, SHARED, 0),

    /* barriers in shared memory */
    UNSIZED_ON(0x1a7, 90, 199, "SYNCS", BARRIER, SHARED, 2),
    UNSIZED_ON(0x1b0, 80, 199, "ARRIVES", BARRIER, SHARED, 0),
    UNIFORM_UNSIZED(0x1b1, "SYNCS", BARRIER, SHARED, 2),
    UNIFORM_UNSIZED(0x1b2, "SYNCS", BARRIER, SHARED, 2),

    /* caches */
    UNSIZED_ON(0x13f, 100, 199, "CCTL", HINT, MEMORY, 0),
    UNSIZED_ON(0x140, 100, 199, "CCTL", HINT, MEMORY, 0),
    COMPUTE(0x18f, "CCTL", HINT, INT, 1, 0, "a2"),
    UNSIZED(0x190, "CCTLL", HINT, LOCAL, 0),
    UNSIZED(0x191, "CCTLT", HINT, MEMORY, 0),
    UNIFORM_UNSIZED(0x1b9, "UTMACCTL", HINT, MEMORY, 0),

    /* waiting and ordering */
    OTHER(0x11a, "DEPBAR", 0, ""),
    OTHER(0x11d, "BAR", 0, ""),
    OTHER(0x11b, "ENDCOLLECTIVE", 0, ""),
    OTHER(0x141, "BSYNC", 0, "s"),
    OTHER(0x142, "BREAK", 0, "s"),
    OTHER(0x145, "BSSY", 0, "s"),
    OTHER(0x146, "YIELD", 0, "s"),
    OTHER(0x148, "WARPSYNC", 0, "w"),
    OTHER(0x14e, "LEPC", 2, ""),
    OTHER(0x155, "BMOV", 1, ""),
    OTHER(0x156, "BMOV", 0, "x"),
    OTHER(0x15d, "NANOSLEEP", 0, "x"),
    OTHER(0x192, "MEMBAR", 0, ""),
    OTHER(0x1ab, "ERRBAR", 0, ""),
    OTHER(0x1af, "LDGDEPBAR", 0, ""),
    OTHER(0x1b7, "UTMACMDFLUSH", 0, ""),
    OTHER(0x1c5, "WARPGROUP", 0, ""),
    OTHER(0x1c6, "FENCE", 0, ""),
    OTHER(0x1c7, "UCGABAR", 0, ""),

    /* flow */
    COMPUTE(0x143, "CALL", CALL, INT, 1, 0, "a2"),
    COMPUTE(0x144, "CALL", CALL, INT, 1, 0, ""),
    COMPUTE(0x147, "BRA", BRANCH, INT, 1, 0, "j"),
    COMPUTE(0x149, "BRX", INDIRECT, INT, 1, 0, "a2"),
    COMPUTE(0x14d, "EXIT", END, INT, 1, 0, "s"),
    COMPUTE(0x150, "RET", END, INT, 1, 0, "a2"),
    COMPUTE(0x15c, "BPT", OTHER, INT, 1, 0, ""),
};
/* clang-format on */

#undef F64
#undef F32
#undef F16
#undef INT
#undef OTHER
#undef UNIFORM
#undef UNIFORM_ON
#undef COMPUTE
#undef COMPUTE_ON
#undef UNSIZED
#undef UNSIZED_ON
#undef UNIFORM_UNSIZED
#undef ACCESS

#endif
