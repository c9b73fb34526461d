/* An image made by hand, for the tests of expectations and their fuzzer. */
#ifndef STENO_TEST_CONTRACT_MADE_H
#define STENO_TEST_CONTRACT_MADE_H

#include "contract/check/expect.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

enum { RSP = 4, RSI = 6, RDI = 7, RAX = 0, INSTRUCTIONS = 7, FUNCTIONS = 3 };

static const char made_text[] = "prologue\0load\0fma\0store\0add\0jne\0ret";

/* y[k] += a * x[k] over vectors of eight f32, after a word that is kept on the stack. */
static const stn_machine_instruction made_vectors[INSTRUCTIONS] = {
    {.address = 0x10,
     .bytes = 4,
     .lanes = 1,
     .target = STN_NO_TARGET,
     .accesses = 1,
     .access = {{.space = STN_SPACE_STACK,
                 .bits = 64,
                 .lanes = 1,
                 .element = 0,
                 .writes = 1,
                 .base = RSP,
                 .index = -1,
                 .scale = 1,
                 .displacement = -8}},
     .step_register = -1,
     .written = 1 << RAX}, /* the counter begins at 0 */
    {.address = 0x14,
     .bytes = 4,
     .lanes = 1,
     .target = STN_NO_TARGET,
     .accesses = 1,
     .access = {{.space = STN_SPACE_MEMORY,
                 .bits = 256,
                 .lanes = 1,
                 .element = 4,
                 .reads = 1,
                 .base = RSI,
                 .index = RAX,
                 .scale = 1}},
     .step_register = -1,
     .handling = STN_HANDLES_MOVE,
     .text = 9},
    {.address = 0x18,
     .bytes = 4,
     .target = STN_NO_TARGET,
     .operation = STN_OP_FMA,
     .kind = STN_KIND_F32,
     .lanes = 8,
     .accesses = 1,
     .access = {{.space = STN_SPACE_MEMORY,
                 .bits = 256,
                 .lanes = 1,
                 .element = 4,
                 .reads = 1,
                 .base = RDI,
                 .index = RAX,
                 .scale = 1}},
     .step_register = -1,
     .handling = STN_HANDLES_NUMBERS,
     .in = 4,
     .out = 4,
     .vectors = 1,
     .text = 14},
    {.address = 0x1c,
     .bytes = 4,
     .lanes = 1,
     .target = STN_NO_TARGET,
     .accesses = 1,
     .access = {{.space = STN_SPACE_MEMORY,
                 .bits = 256,
                 .lanes = 1,
                 .element = 4,
                 .writes = 1,
                 .base = RDI,
                 .index = RAX,
                 .scale = 1}},
     .step_register = -1,
     .handling = STN_HANDLES_MOVE,
     .vector = -1,
     .vectors = 1,
     .text = 18},
    {.address = 0x20,
     .bytes = 4,
     .target = STN_NO_TARGET,
     .operation = STN_OP_ARITHMETIC,
     .kind = STN_KIND_INTEGER,
     .lanes = 1,
     .step_register = RAX,
     .step = 32,
     .written = 1 << RAX,
     .text = 24},
    {.address = 0x24,
     .bytes = 4,
     .lanes = 1,
     .flow = STN_FLOW_BRANCH,
     .target = 0x14,
     .step_register = -1,
     .text = 28},
    {.address = 0x28,
     .bytes = 4,
     .lanes = 1,
     .flow = STN_FLOW_END,
     .target = STN_NO_TARGET,
     .step_register = -1,
     .text = 32},
};

typedef struct made {
    stn_image image;
    stn_symbol symbols[FUNCTIONS];
    stn_code codes[FUNCTIONS];
    unsigned char decoded[FUNCTIONS];
    stn_machine_instruction instructions[FUNCTIONS][INSTRUCTIONS];
    char text[sizeof made_text];
} made;

static inline stn_symbol made_symbol(const char *name, const char *demangled, const char *target)
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
static inline stn_status make(made *f)
{
    memset(f, 0, sizeof *f);
    memcpy(f->text, made_text, sizeof made_text);
    f->symbols[0] = made_symbol("axpy", "axpy", "x86-64");
    f->symbols[1] = made_symbol("_Z6narrowIfE", "narrow<float>(int)", "x86-64");
    f->symbols[2] = made_symbol("leaf", "leaf", "x86-64");
    for (int k = 0; k < FUNCTIONS; k++) {
        memcpy(f->instructions[k], made_vectors, sizeof made_vectors);
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
    f->instructions[2][5] = (stn_machine_instruction){.address = 0x24,
                                                      .bytes = 4,
                                                      .lanes = 1,
                                                      .target = STN_NO_TARGET,
                                                      .operation = STN_OP_UNKNOWN,
                                                      .step_register = -1,
                                                      .text = 28};
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

static inline void release(made *f)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        stn_free(f->codes[k].loops);
        stn_free(f->codes[k].loop_of);
        stn_free(f->codes[k].in_cycle);
    }
}

#endif
