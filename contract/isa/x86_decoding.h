/* A line of x86-64 while it is decoded. */
#ifndef STENO_CONTRACT_X86_DECODING_H
#define STENO_CONTRACT_X86_DECODING_H

#include "contract/isa/line.h"

/* Spelling of mnemonics that are derived from a word of the list. */
typedef enum x86_form {
    X86_EXACT,  /* the word itself */
    X86_VECTOR, /* the word, optionally with prefix v */
    X86_FLOAT,  /* with suffix ps, pd, ph, ss, sd, sh or pbf16, and optionally prefix v */
    X86_PACKED  /* with suffix b, w, d, q or none, and optionally prefix v */
} x86_form;

/* Access to the first operand, in memory or in a register. Others are read. */
typedef enum x86_first { X86_READ, X86_WRITE, X86_UPDATE, X86_NO_ACCESS } x86_first;

/* Implicitly written registers. */
enum {
    X86_A = 1 << 0,
    X86_C = 1 << 1,
    X86_D = 1 << 2,
    X86_B = 1 << 3,
    X86_BP = 1 << 5,
    X86_SI = 1 << 6,
    X86_DI = 1 << 7,
    X86_CALLED =
        X86_A | X86_C | X86_D | X86_SI | X86_DI | 0xf00 /* registers that a call may change */
};

typedef enum x86_more {
    X86_PLAIN,
    X86_DIVIDES,
    X86_APPROXIMATES, /* reciprocal or reciprocal square root */
    X86_PUSHES,
    X86_POPS,
    X86_JUMPS,
    X86_CALLS,
    X86_ENDS,
    X86_ADDRESS, /* the memory operand is not accessed */
    X86_TRAPS,   /* enters the kernel or a trap handler, and returns */
    X86_BLOCK,   /* copies 64 bytes from the second operand to the address in the first one */
    X86_MASKED,  /* stores the first operand at rdi */
    X86_BOTH,    /* also writes the second operand */
    X86_SCALAR,  /* x87 registers */
    X86_HINTS    /* cache hint */
} x86_more;

typedef struct x86_row {
    x86_form form;
    stn_machine_operation operation;
    x86_first first;
    x86_more more;
    int written;
    const char *words;
} x86_row;

typedef struct x86_decoding {
    stn_line line;
    stn_machine_instruction *to;
    x86_row row;
    int kind;
    int element;   /* bytes per number, 0: unknown */
    int widest;    /* conversions: bytes of the wider type */
    int is_scalar; /* a single number */
    int in, out;   /* bytes of the numbers that it reads and writes; 0: unknown */
} x86_decoding;

/* x86_mnemonic.c: decodes the mnemonic of the line; 0: unknown. */
int stn_x86_mnemonic(x86_decoding *d);

/* The same without a table: an integer operation and the access to its first operand. */
void stn_x86_decode_mnemonic(x86_decoding *d, stn_machine_operation operation, x86_first first);

#endif
