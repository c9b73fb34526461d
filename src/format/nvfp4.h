/* Blocks of e2m1 with an e4m3 scale (order/block_sums.c). */
#include "format/scale/e4m3.h"

#define ELEMENTS   16
#define CODE_BYTES 8
#include "format/four_bits.h"
