/* Operands of x86-64 in the text of a disassembler. */
#ifndef STENO_CONTRACT_X86_OPERAND_H
#define STENO_CONTRACT_X86_OPERAND_H

#include "contract/isa/code.h"

enum { X86_RSP = 4, X86_RBP = 5, X86_RDI = 7, X86_FIRST_VECTOR = 32 };

/* Number of a register that begins here, and its width in bits and length in characters: general
 * ones from 0 in order of their encoding, vectors from X86_FIRST_VECTOR; -1 for other words. */
int stn_x86_register(const char *text, int *bits, int *length);

/* A memory operand into *access: its width (0 where the text does not tell), place and space; 0
 * when the operand is no memory. */
int stn_x86_memory(const char *operand, stn_access *access);

#endif
