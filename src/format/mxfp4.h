/* Blocks of e2m1 with an OCP MX scale (order/block_sums.c). */
#include "format/scale/e8m0.h"

#define ELEMENTS   32
#define CODE_BYTES 16
#include "format/four_bits.h"
