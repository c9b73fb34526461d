/* An NVRTC that knows sm_80 and sm_90 and compiles every text to the same two kernels, which are
 * assembled here: muladd_c8 with loads and stores of 64 bits, muladd_c16 with those of 128. Built
 * with ../cubin_made.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../test/support/cubin_made.h"

enum { LDG = 0x981, STG = 0x986, EXIT = 0x94d, NOP = 0x918, MOST = 12, BITS_64 = 5, BITS_128 = 6 };

static unsigned char cubin[MADE_ROOM];
static size_t cubin_bytes;

/* Nothing, the check, three arrays loaded and the last one stored, the end. */
static size_t assemble(made_word *words, int size)
{
    size_t count = 0;
    const int parts = size == BITS_64 ? 2 : 1;
    words[count++] = made_instruction(NOP);
    words[count++] = made_with(made_instruction(EXIT), 12, 4, 0);
    for (int array = 0; array < 3; array++)
        for (int part = 0; part < parts; part++)
            words[count++] = made_load(LDG, size, 4, 32 + 2 * array, 8 * part);
    for (int part = 0; part < parts; part++)
        words[count++] = made_store(STG, size, 36, 8 * part, 4);
    words[count++] = made_instruction(EXIT);
    return count;
}

int nvrtcVersion(int *major, int *minor)
{
    *major = 13;
    *minor = 0;
    return 0;
}
int nvrtcGetNumSupportedArchs(int *count)
{
    *count = 3;
    return 0;
}
int nvrtcGetSupportedArchs(int *numbers)
{
    numbers[0] = 52; /* older than all supported ones */
    numbers[1] = 80;
    numbers[2] = 90;
    return 0;
}
int nvrtcCreateProgram(void **program, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names)
{
    *program = cubin;
    return !strstr(text, "muladd_c16") || !strstr(texts[0], "ALIGN16") || headers != 1 ||
           strcmp(names[0], "complex.h") != 0 || strcmp(name, "complex.cu") != 0;
}
int nvrtcDestroyProgram(void **program)
{
    *program = NULL;
    return 0;
}
int nvrtcCompileProgram(void *program, int count, const char *const *options)
{
    made_word narrow[MOST], wide[MOST];
    const size_t narrow_count = assemble(narrow, BITS_64), wide_count = assemble(wide, BITS_128);
    const made_kernel kernels[] = {{"muladd_c8", narrow, narrow_count, 24, 0},
                                   {"muladd_c16", wide, wide_count, 20, 0}};
    int sm = 0;
    (void)program;
    if (count != 2 || sscanf(options[0], "--gpu-architecture=sm_%d", &sm) != 1 ||
        strcmp(options[1], "--fmad=false") != 0 || getenv("NVRTC_FAILS"))
        return 1;
    cubin_bytes = made_cubin(sm, 8, kernels, 2, cubin);
    return 0;
}
int nvrtcGetProgramLogSize(void *program, size_t *bytes)
{
    (void)program;
    *bytes = 0;
    return 0;
}
int nvrtcGetProgramLog(void *program, char *log)
{
    (void)program;
    (void)log;
    return 0;
}
int nvrtcGetCUBINSize(void *program, size_t *bytes)
{
    (void)program;
    *bytes = cubin_bytes;
    return 0;
}
int nvrtcGetCUBIN(void *program, char *code)
{
    memcpy(code, program, cubin_bytes);
    return 0;
}
__attribute__((alias("nvrtcGetProgramLogSize"))) int nvrtcGetPTXSize(void *program, size_t *bytes);
__attribute__((alias("nvrtcGetProgramLog"))) int nvrtcGetPTX(void *program, char *code);
