/* A line of x86-64 on its way from its text into an instruction. */
#ifndef STENO_CONTRACT_X86_DECODING_H
#define STENO_CONTRACT_X86_DECODING_H

#include "contract/isa/line.h"

/* How a mnemonic is made from a word of the list. */
typedef enum x86_form {
    X86_EXACT,  /* the word itself */
    X86_VECTOR, /* itself or with v before it */
    X86_FLOAT,  /* with ps, pd, ph, ss, sd, sh or pbf16 after it, and v before it or not */
    X86_PACKED  /* with b, w, d, q or nothing after it, and v before it or not */
} x86_form;

/* What happens to the first operand, in memory or as a register. The others are read. */
typedef enum x86_first { X86_READ, X86_WRITE, X86_UPDATE, X86_NO_ACCESS } x86_first;

/* Registers that an instruction writes without naming them. */
enum {
    X86_A = 1 << 0,
    X86_C = 1 << 1,
    X86_D = 1 << 2,
    X86_B = 1 << 3,
    X86_BP = 1 << 5,
    X86_SI = 1 << 6,
    X86_DI = 1 << 7,
    X86_CALLED = X86_A | X86_C | X86_D | X86_SI | X86_DI | 0xf00 /* what a call may change */
};

typedef enum x86_more {
    X86_PLAIN,
    X86_DIVIDES,
    X86_APPROXIMATES, /* a reciprocal or the reciprocal of a square root */
    X86_PUSHES,
    X86_POPS,
    X86_JUMPS,
    X86_CALLS,
    X86_ENDS,
    X86_ADDRESS, /* the memory operand is not touched */
    X86_TRAPS,   /* into the kernel, or to whoever handles the trap, and back */
    X86_BLOCK,   /* 64 bytes go from the second operand to where the first one points */
    X86_MASKED,  /* the first operand goes to where rdi points */
    X86_BOTH,    /* the second operand is written, too */
    X86_SCALAR,  /* of numbers in x87 registers */
    X86_HINTS    /* to a cache */
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
    int element;   /* bytes of the numbers, 0: unknown */
    int widest;    /* of a conversion: bytes of the wider type */
    int is_scalar; /* one number at a time */
    int in, out;   /* bytes of the numbers it calculates from, and makes; 0: unknown */
} x86_decoding;

/* x86_mnemonic.c: what the mnemonic of the line says; 0 when it is not known. */
int stn_x86_mnemonic(x86_decoding *d);

/* The same without a table: integers, of an operation and a use of the first operand. */
void stn_x86_take(x86_decoding *d, stn_machine_operation operation, x86_first first);

#endif
