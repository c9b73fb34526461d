/* Cubins made by hand for tests: kernels of instruction words that the test puts together. */
#ifndef STENO_TEST_CUBIN_MADE_H
#define STENO_TEST_CUBIN_MADE_H

#include <stddef.h>
#include <stdint.h>

/* One instruction of 16 bytes. */
typedef struct made_word {
    uint64_t low, high;
} made_word;

enum { MADE_ALWAYS = 7, MADE_NEVER = 15, MADE_ZERO = 255 };

/* An instruction of that opcode (12 bits) that is always executed; its other fields are 0. */
made_word made_instruction(unsigned opcode);

/* The same with bits [from, from + count) set to `value`. */
made_word made_with(made_word word, int from, int count, uint64_t value);

/* Registers and operands where most instructions have them. */
made_word made_registers(unsigned opcode, int destination, int first, int second, int third);

/* Loads, stores: size code 0 to 6 is 8, 8, 16, 16, 32, 64, 128 bits. */
made_word made_load(unsigned opcode, int size, int destination, int base, int displacement);
made_word made_store(unsigned opcode, int size, int base, int displacement, int data);

/* A jump by so many instructions from the next one, under a guard. */
made_word made_branch(int sm, int guard, int instructions);

typedef struct made_kernel {
    const char *name;
    const made_word *words;
    size_t count;
    int registers, frame; /* -1: nothing is said */
} made_kernel;

enum { MADE_ROOM = 1 << 16 };

/* Bytes of a cubin, at most MADE_ROOM; ABI version 8 keeps the sm number elsewhere than 7 does. */
size_t made_cubin(int sm, int abi, const made_kernel *kernels, size_t count, unsigned char *bytes);

/* A fat binary around files: kind 2 is a cubin, 1 PTX. */
typedef struct made_part {
    int kind;
    const unsigned char *bytes;
    size_t size;
} made_part;
size_t made_fatbin(const made_part *parts, size_t count, unsigned char *bytes, size_t capacity);

#endif
