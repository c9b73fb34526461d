/* Embedded sources from examples/kernels. */
#include "contract/command/alignment_texts.h"

#define STN_KERNEL_TEXT_HERE

const char alignment_header[] = {
#include "kernels/complex.h"
};

const char alignment_cuda[] = {
#include "kernels/complex.cu"
};

const char alignment_c[] = {
#include "kernels/complex.c"
};
