/* An image of three functions, for the tests of expectations and their fuzzer. */
#ifndef STENO_TEST_CONTRACT_SAMPLE_H
#define STENO_TEST_CONTRACT_SAMPLE_H

#include "contract/check/expect.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

enum { RSP = 4, RSI = 6, RDI = 7, RAX = 0, INSTRUCTIONS = 7, FUNCTIONS = 3 };

static const char sample_text[] = "prologue\0load\0fma\0store\0add\0jne\0ret";

#define SAMPLE_AT(k, offset) .address = 0x10 + 4 * (k), .bytes = 4, .text = offset
#define SAMPLE_ACCESS(where, width, of, register, by, ...)                                         \
    .accesses = 1, .access = {                                                                     \
                       {.space = where,                                                            \
                        .bits = width,                                                             \
                        .lanes = 1,                                                                \
                        .element = of,                                                             \
                        .base = register,                                                          \
                        .index = by,                                                               \
                        .scale = 1,                                                                \
                        __VA_ARGS__},                                                              \
    }
#define SAMPLE_VECTOR(register, direction)                                                         \
    SAMPLE_ACCESS(STN_SPACE_MEMORY, 256, 4, register, RAX, .direction = 1)
#define NO_STEP .step_register = -1
#define NO_JUMP .target = STN_NO_TARGET

/* y[k] += a * x[k] over vectors of eight f32, after a word is saved on the stack. */
static const stn_machine_instruction sample_loop[INSTRUCTIONS] = {
    {SAMPLE_AT(0, 0), .lanes = 1, NO_JUMP, NO_STEP, .written = 1 << RAX, /* the counter is set */
     SAMPLE_ACCESS(STN_SPACE_STACK, 64, 0, RSP, -1, .writes = 1, .displacement = -8)},
    {SAMPLE_AT(1, 9), .lanes = 1, NO_JUMP, NO_STEP, .handling = STN_HANDLES_MOVE,
     SAMPLE_VECTOR(RSI, reads)},
    {SAMPLE_AT(2, 14), .lanes = 8, NO_JUMP, NO_STEP, .operation = STN_OP_FMA, .kind = STN_KIND_F32,
     .handling = STN_HANDLES_NUMBERS, .in = 4, .out = 4, .vectors = 1, SAMPLE_VECTOR(RDI, reads)},
    {SAMPLE_AT(3, 18), .lanes = 1, NO_JUMP, NO_STEP, .handling = STN_HANDLES_MOVE, .vector = -1,
     .vectors = 1, SAMPLE_VECTOR(RDI, writes)},
    {SAMPLE_AT(4, 24), .lanes = 1, NO_JUMP, .step_register = RAX, .step = 32, .written = 1 << RAX,
     .operation = STN_OP_ARITHMETIC, .kind = STN_KIND_INTEGER},
    {SAMPLE_AT(5, 28), .lanes = 1, NO_STEP, .flow = STN_FLOW_BRANCH, .target = 0x14},
    {SAMPLE_AT(6, 32), .lanes = 1, NO_STEP, .flow = STN_FLOW_END, NO_JUMP},
};

typedef struct sample_image {
    stn_image image;
    stn_symbol symbols[FUNCTIONS];
    stn_code codes[FUNCTIONS];
    unsigned char decoded[FUNCTIONS];
    stn_machine_instruction instructions[FUNCTIONS][INSTRUCTIONS];
    char text[sizeof sample_text];
} sample_image;

static inline stn_symbol sample_symbol(const char *name, const char *demangled, const char *target)
{
    stn_symbol symbol = {.symbol = name,
                         .name = demangled,
                         .address = 0x10,
                         .bytes = 28,
                         .cubin = -1,
                         .member = -1,
                         .registers = -1,
                         .stack_bytes = -1};
    snprintf(symbol.target, sizeof symbol.target, "%s", target);
    return symbol;
}

/* axpy as above; narrow with scalar accesses and arithmetic in f64; leaf without a loop. */
static inline stn_status create_sample(sample_image *f)
{
    memset(f, 0, sizeof *f);
    memcpy(f->text, sample_text, sizeof sample_text);
    f->symbols[0] = sample_symbol("axpy", "axpy", "x86-64");
    f->symbols[1] = sample_symbol("_Z6narrowIfE", "narrow<float>(int)", "x86-64");
    f->symbols[2] = sample_symbol("leaf", "leaf", "x86-64");
    for (int k = 0; k < FUNCTIONS; k++) {
        memcpy(f->instructions[k], sample_loop, sizeof sample_loop);
        f->codes[k] = (stn_code){.machine = STN_MACHINE_X86_64,
                                 .instructions = f->instructions[k],
                                 .count = INSTRUCTIONS,
                                 .text = f->text};
        f->decoded[k] = 1;
    }
    for (int i = 1; i <= 3; i++)
        f->instructions[1][i].access[0].bits = 32;
    f->instructions[1][2].lanes = 1;
    f->instructions[1][2].kind = STN_KIND_F64;
    f->instructions[2][5] = (stn_machine_instruction){SAMPLE_AT(5, 28), .lanes = 1, NO_JUMP,
                                                      NO_STEP, .operation = STN_OP_UNKNOWN};
    for (int k = 0; k < FUNCTIONS; k++)
        STN_TRY(stn_code_find_loops(f->codes + k));
    f->image = (stn_image){.name = "a.o",
                           .path = "a.o",
                           .machine = STN_MACHINE_X86_64,
                           .compiler = "GCC: (Debian 12.2.0-14) 12.2.0",
                           .symbols = f->symbols,
                           .count = FUNCTIONS,
                           .codes = f->codes,
                           .decoded = f->decoded};
    return STN_OK;
}

static inline void release_sample(sample_image *f)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        stn_free(f->codes[k].loops);
        stn_free(f->codes[k].loop_of);
        stn_free(f->codes[k].in_cycle);
    }
}

#endif
