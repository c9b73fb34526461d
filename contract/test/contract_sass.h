/* Kernels of NVIDIA instruction words, and their counts. */
#ifndef STENO_TEST_CONTRACT_SASS_H
#define STENO_TEST_CONTRACT_SASS_H

#include "contract_counts.h"
#include "cubin_made.h"

static inline stn_image *image_of(int sm, const made_word *words, size_t count)
{
    static unsigned char bytes[MADE_ROOM];
    const made_kernel kernel = {"k", words, count, 32, 0};
    stn_image *image;
    expect_ok(stn_image_open_memory(&image, bytes, made_cubin(sm, 8, &kernel, 1, bytes), "k"));
    return image;
}

static inline stn_code_counts count(stn_image *image, int32_t loop)
{
    stn_code_counts counts = STN_CODE_COUNTS_INIT;
    expect_ok(stn_image_count(image, 0, loop, &counts));
    return counts;
}

static inline made_word exit_word(void)
{
    return made_instruction(0x94d);
}

static inline made_word with_constant(unsigned opcode, int destination, int first,
                                      uint32_t constant, int third)
{
    return made_with(made_registers(opcode, destination, first, 0, third), 32, 32, constant);
}

#endif
