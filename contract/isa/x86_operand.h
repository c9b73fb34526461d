/* Operands of x86-64 in disassembly text. */
#ifndef STENO_CONTRACT_X86_OPERAND_H
#define STENO_CONTRACT_X86_OPERAND_H

#include "contract/isa/code.h"

enum { X86_RSP = 4, X86_RBP = 5, X86_RDI = 7, X86_FIRST_VECTOR = 32 };

/* Number of the register at `text`, its width in bits and its length in characters: general
 * registers from 0 by encoding, vectors from X86_FIRST_VECTOR; -1 for other words. */
int stn_x86_register(const char *text, int *bits, int *length);

/* Parses a memory operand into *access: width (0: unknown), address and space; 0 if it is not a
 * memory operand. */
int stn_x86_memory(const char *operand, stn_access *access);

#endif
