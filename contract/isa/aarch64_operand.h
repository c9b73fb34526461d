/* Registers of AArch64 in the text of a disassembler. */
#ifndef STENO_CONTRACT_AARCH64_OPERAND_H
#define STENO_CONTRACT_AARCH64_OPERAND_H

enum { A64_FRAME = 29, A64_SP = 31, A64_FIRST_VECTOR = 32 };

#include "contract/isa/line.h"

/* A register operand: v0.2d, v1.d[0], q0, d1, w2, x3, sp; z0.d with vectors of 128 bits. */
typedef struct a64_operand {
    int number; /* -1: not a register, or the zero register */
    int bits;   /* 0: not a register */
    int lanes;
    int element; /* bytes per number, 0: unknown */
    int is_vector;
} a64_operand;

a64_operand stn_aarch64_register(const char *text);

/* Parses an address operand such as [x0, x1, lsl #3]. */
void stn_aarch64_address(stn_access *access, const char *text);

/* aarch64_sve.c: decodes loads and stores of scalable vectors and predicates, and instructions that
 * count in vector lengths; 0 for other instructions. Vectors are assumed to have 128 bits, the
 * minimum. */
int stn_sve_decode(const stn_line *line, const char *text, stn_machine_instruction *to);

#endif
